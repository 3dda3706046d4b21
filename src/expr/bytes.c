/* bytes.c: see bytes.h. A formula is its distinct parts, each after its arguments, which it names by their numbers. */
#include <string.h>

#include "base/list.h"
#include "expr/bytes.h"

/* ---- writing ------------------------------------------------------------------------------------------- */

static void put_word(ph_text *t, uint32_t n) { ph_put(t, (const char *)&n, sizeof n); }

/* The numbers of the parts that have been written, by their address. */
typedef struct {
    struct {
        const expr_node *part;
        uint32_t number;
    } * row;
    size_t n, cap; /* cap: a power of 2 */
    bool failed;
} numbers;

static size_t row_of(const numbers *m, const expr_node *e) {
    size_t i = (size_t)((uintptr_t)e >> 4) * 0x9E3779B1u & (m->cap - 1);
    while (m->row[i].part && m->row[i].part != e) i = (i + 1) & (m->cap - 1);
    return i;
}

static void grow(numbers *m) {
    numbers more = {.cap = m->cap ? 2 * m->cap : 64, .n = m->n};
    more.row = ph_calloc(more.cap, sizeof *more.row);
    if (!more.row) {
        m->failed = true;
        return;
    }
    for (size_t i = 0; i < m->cap; i++)
        if (m->row[i].part) more.row[row_of(&more, m->row[i].part)] = m->row[i];
    ph_free(m->row);
    *m = more;
}

static void put_part(ph_text *t, const expr_node *e, const numbers *m) {
    ph_putc(t, e->op);
    if (e->op == EXPR_RAT) {
        ph_put(t, (const char *)&e->num, sizeof e->num);
        ph_put(t, (const char *)&e->den, sizeof e->den);
    } else if (e->op == EXPR_SYM) {
        ph_putc(t, e->kind);
        put_word(t, (uint32_t)strlen(e->name));
        ph_puts(t, e->name);
    } else {
        put_word(t, e->nargs);
        for (uint32_t i = 0; i < e->nargs; i++) put_word(t, m->row[row_of(m, e->arg[i])].number);
    }
}

/* Writes e behind its arguments, where it is not written yet. At most EXPR_MAX_DEPTH deep. */
static void put_parts(ph_text *t, const expr_node *e, numbers *m) {
    if (m->cap && m->row[row_of(m, e)].part) return;
    for (uint32_t i = 0; i < e->nargs && !m->failed; i++) put_parts(t, e->arg[i], m);
    if (2 * (m->n + 1) > m->cap) grow(m);
    if (m->failed) return;
    size_t i = row_of(m, e);
    m->row[i].part = e;
    m->row[i].number = (uint32_t)m->n++;
    put_part(t, e, m);
}

void expr_put_bytes(ph_text *t, const expr_node *e) {
    numbers m = {0};
    put_parts(t, e, &m);
    t->failed = t->failed || m.failed;
    ph_free(m.row);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static ph_status broken(ph_err *err) { return ph_fail(err, PH_EARG, "these bytes are no formula"); }

#define NAME_LIMIT 256

static ph_status read_symbol(expr_node **out, ph_bytes *b, ph_err *err) {
    unsigned char kind;
    uint32_t n;
    char name[NAME_LIMIT + 1];
    if (!ph_take(b, &kind, 1) || kind > EXPR_COMPLEX || !ph_take(b, &n, sizeof n) || n > NAME_LIMIT)
        return broken(err);
    if (!ph_take(b, name, n) || memchr(name, 0, n)) return broken(err);
    name[n] = 0;
    return expr_sym(out, name, (expr_kind)kind, err);
}

/* The parts read so far; owned. */
typedef struct {
    expr_node **part;
    size_t n;
} parts;

static ph_status read_operation(expr_node **out, expr_op head, ph_bytes *b, const parts *p, ph_err *err) {
    ph_status st = PH_OK;
    expr_node **arg = NULL;
    uint32_t n = 0, k = 0;
    if (!ph_take(b, &n, sizeof n) || n > EXPR_MAX_ARGS) return broken(err);
    if (n && !(arg = ph_alloc(n * sizeof *arg))) return ph_fail_nomem(err, n * sizeof *arg);
    for (uint32_t i = 0; i < n; i++) {
        if (!ph_take(b, &k, sizeof k) || k >= p->n) PH_TRY(broken(err));
        arg[i] = p->part[k];
    }
    st = expr_make(out, head, (int)n, arg, err);
done:
    ph_free(arg);
    return st;
}

static ph_status read_part(expr_node **out, ph_bytes *b, const parts *p, ph_err *err) {
    unsigned char head;
    int64_t q[2];
    if (!ph_take(b, &head, 1) || head >= EXPR_NOPS) return broken(err);
    if (head == EXPR_SYM) return read_symbol(out, b, err);
    if (head != EXPR_RAT) return read_operation(out, (expr_op)head, b, p, err);
    return ph_take(b, q, sizeof q) ? expr_rat(out, q[0], q[1], err) : broken(err);
}

ph_status expr_of_bytes(expr_node **out, ph_bytes *b, ph_err *err) {
    parts p = {0};
    ph_status st = PH_OK;
    while (b->n) {
        expr_node **more = ph_list_more(p.part, p.n, sizeof *more);
        if (!more) PH_TRY(ph_fail_nomem(err, p.n * sizeof *more));
        p.part = more;
        expr_node *e = NULL;
        PH_TRY(read_part(&e, b, &p, err));
        p.part[p.n++] = e;
    }
    if (!p.n) PH_TRY(broken(err));
    *out = expr_ref(p.part[p.n - 1]);
done:
    while (p.n) expr_drop(p.part[--p.n]);
    ph_free(p.part);
    return st;
}
