/* subject.c: see subject.h. */
#include "verify/subject.h"

static ph_status new_subject(ver_subject **out, ver_shape shape, ph_err *err) {
    *out = ph_calloc(1, sizeof **out);
    if (!*out) return ph_fail_nomem(err, sizeof **out);
    **out = (ver_subject){.refs = 1, .shape = shape};
    return PH_OK;
}

void ver_subject_drop(ver_subject *s) {
    if (!s || --s->refs) return;
    expr_set_clear(&s->statements);
    expr_set_clear(&s->conditions);
    expr_set_clear(&s->blocks);
    expr_set_clear(&s->given);
    expr_drop(s->n);
    ph_free(s);
}

void ver_subject_give(ver_verdict *v, ver_subject *s) {
    ver_subject_drop(v->subject);
    v->subject = s;
}

static ph_status append_all(expr_set *out, expr_node *const *items, int n, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = expr_set_append(out, items[i], err);
    return st;
}

/* v takes s over where all went well. */
static ph_status give(ver_verdict *v, ver_subject *s, ph_status st) {
    if (st) ver_subject_drop(s);
    else ver_subject_give(v, s);
    return st;
}

ph_status ver_subject_set(ver_verdict *v, expr_node *statement, expr_node *const *where, int nwhere,
                          const expr_set *found, ph_err *err) {
    ver_subject *s;
    ph_status st = new_subject(&s, VER_EACH, err);
    if (st) return st;
    st = expr_set_append(&s->statements, statement, err);
    if (!st) st = append_all(&s->conditions, where, nwhere, err);
    if (!st && found) st = append_all(&s->conditions, found->item, found->n, err);
    return give(v, s, st);
}

ph_status ver_subject_exchange(ver_verdict *v, expr_node *f, expr_node *const *sym, int n, int size,
                               ph_err *err) {
    ver_subject *s;
    ph_status st = new_subject(&s, VER_EXCHANGE, err);
    if (st) return st;
    s->size = size;
    st = expr_set_append(&s->statements, f, err);
    return give(v, s, st ? st : append_all(&s->blocks, sym, n * size, err));
}

ph_status ver_subject_recurrent(ver_verdict *v, expr_node *const *statement, int count, expr_node *n,
                                int64_t from, expr_node *const *given, int ngiven, ph_err *err) {
    ver_subject *s;
    ph_status st = new_subject(&s, VER_RECURRENT, err);
    if (st) return st;
    s->n = expr_ref(n);
    s->from = from;
    st = append_all(&s->statements, statement, count, err);
    return give(v, s, st ? st : append_all(&s->given, given, ngiven, err));
}

ph_status ver_subject_join(ver_verdict *v, const ver_verdict *part, bool first, ph_err *err) {
    const ver_subject *p = part->subject;
    ver_subject *s = v->subject;
    ph_status st = PH_OK;
    if (first && !st) st = new_subject(&s, VER_EACH, err);
    if (st) return st;
    if (first) ver_subject_give(v, s);
    if (!s) return PH_OK;
    if (!p || p->shape != VER_EACH) {
        ver_subject_give(v, NULL);
        return PH_OK;
    }
    st = append_all(&s->statements, p->statements.item, p->statements.n, err);
    return st ? st : append_all(&s->conditions, p->conditions.item, p->conditions.n, err);
}
