/* box.c: boxes, their words, and the queue of pieces. */
#include "verify/box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define END_PREC     256
#define MAX_EXPONENT 65536 /* of the ends, in bits */

/* ---- opening ------------------------------------------------------------------------------------------- */

static const expr_node *symbol_of(const expr_node *atom) { return atom->op == EXPR_AT ? atom->arg[0] : atom; }

static bool no_atoms(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* An end as a real ball; `name` for messages. */
static ph_status end_ball(arb_t out, expr_node *e, slong prec, const char *name, const char *who,
                          ph_err *err) {
    acb_t z;
    ph_err why = {0};
    acb_init(z);
    ph_status st = ver_ball(z, e, no_atoms, NULL, prec, &why);
    if (st == PH_EARG)
        st = ph_fail(err, PH_EARG, "%s: an end of the range of %s is no constant: %s", who, name, why.text);
    else if (ph_is_fatal(st)) st = ph_fail(err, st, "%s", why.text);
    else if (st || !acb_is_finite(z))
        st = ph_fail(err, PH_EARG, "%s: an end of the range of %s is undefined; wanted a finite real number",
                     who, name);
    else if (!acb_is_real(z))
        st = ph_fail(err, PH_EARG, "%s: an end of the range of %s is not real", who, name);
    else if (arf_cmpabs_2exp_si(arb_midref(acb_realref(z)), MAX_EXPONENT) >= 0)
        st = ph_fail(err, PH_EARG, "%s: an end of the range of %s is beyond 2^%d", who, name, MAX_EXPONENT);
    if (!st) arb_set(out, acb_realref(z));
    acb_clear(z);
    return st;
}

/* The integers of the range: exact ends. */
static ph_status integer_side(ver_box *box, int i, const arb_t lo, const arb_t hi, const char *name,
                              const char *who, ph_err *err) {
    arb_t c;
    fmpz_t k;
    arb_init(c);
    fmpz_init(k);
    arb_ceil(c, lo, END_PREC);
    bool ok = arb_get_unique_fmpz(k, c);
    arf_set_fmpz(box->a[i], k);
    arb_floor(c, hi, END_PREC);
    ok = ok && arb_get_unique_fmpz(k, c);
    arf_set_fmpz(box->b[i], k);
    ph_status st = PH_OK;
    if (!ok)
        st = ph_fail(err, PH_EARG,
                     "%s: an end of the range of the integer %s is too near an integer to round", who, name);
    else if (arf_cmp(box->a[i], box->b[i]) > 0)
        st = ph_fail(err, PH_EARG, "%s: no integer is in the range of %s", who, name);
    else if (symbol_of(box->range[i].sym)->kind == EXPR_NATURAL && arf_cmp_si(box->a[i], 1) < 0)
        st = ph_fail(err, PH_EARG, "%s: %s is natural (1, 2, …); its range starts below 1", who, name);
    box->integer[i] = true;
    box->fixed[i] = arf_equal(box->a[i], box->b[i]);
    arb_clear(c);
    fmpz_clear(k);
    return st;
}

/* Narrower than 2^-64 of its ends: cutting it a hundred times would reach into their rounding. */
static bool too_narrow(const arf_t a, const arf_t b) {
    arf_t w, m;
    arf_init(w);
    arf_init(m);
    arf_sub(w, b, a, 64, ARF_RND_DOWN);
    arf_mul_2exp_si(w, w, 64);
    arf_abs(m, arf_cmpabs(a, b) > 0 ? a : b);
    bool narrow = arf_cmp(w, m) < 0;
    arf_clear(w);
    arf_clear(m);
    return narrow;
}

static ph_status real_side(ver_box *box, int i, const arb_t lo, const arb_t hi, const char *name,
                           const char *who, ph_err *err) {
    const ver_range *r = &box->range[i];
    arf_t rim;
    arf_init(rim);
    arb_get_interval_arf(box->a[i], rim, lo, END_PREC);
    arb_get_interval_arf(rim, box->b[i], hi, END_PREC);
    arf_clear(rim);
    if (expr_same(r->lo, r->hi) || (arb_equal(lo, hi) && arb_is_exact(lo))) box->fixed[i] = true;
    else if (arb_gt(lo, hi))
        return ph_fail(err, PH_EARG, "%s: the range of %s is reversed: its lower end is above its upper end",
                       who, name);
    else if (!arb_lt(lo, hi) || too_narrow(box->a[i], box->b[i]))
        return ph_fail(err, PH_EARG, "%s: the ends of the range of %s cannot be told apart; give one value",
                       who, name);
    if (symbol_of(r->sym)->kind == EXPR_POSITIVE && !arb_is_positive(lo))
        return ph_fail(err, PH_EARG, "%s: %s is positive; its range starts at 0 or below", who, name);
    return PH_OK;
}

static ph_status open_side(ver_box *box, int i, const char *who, ph_err *err) {
    const ver_range *r = &box->range[i];
    char *name = NULL;
    arb_t lo, hi;
    arb_init(lo);
    arb_init(hi);
    ph_status st = PH_OK;
    if (r->sym->op != EXPR_SYM && r->sym->op != EXPR_AT) {
        st = ph_fail(err, PH_EARG, "%s: a range is given for a formula; wanted a symbol", who);
        goto done;
    }
    PH_TRY(expr_text(&name, r->sym, 60, err));
    if (symbol_of(r->sym)->kind == EXPR_COMPLEX) {
        st = ph_fail(err, PH_EARG, "%s: %s is complex and has no range; write x + I*y with real x, y", who,
                     name);
        goto done;
    }
    for (int k = 0; k < i; k++)
        if (expr_same(box->range[k].sym, r->sym)) {
            st = ph_fail(err, PH_EARG, "%s: two ranges are given for %s", who, name);
            goto done;
        }
    PH_TRY(end_ball(lo, r->lo, END_PREC, name, who, err));
    PH_TRY(end_ball(hi, r->hi, END_PREC, name, who, err));
    expr_kind kind = symbol_of(r->sym)->kind;
    st = kind == EXPR_INTEGER || kind == EXPR_NATURAL ? integer_side(box, i, lo, hi, name, who, err)
                                                      : real_side(box, i, lo, hi, name, who, err);
done:
    ph_free(name);
    arb_clear(lo);
    arb_clear(hi);
    return st;
}

ph_status ver_box_open(ver_box *box, const ver_ranges *r, const char *who, ph_err *err) {
    *box = (ver_box){.range = r->range, .n = r->n};
    for (int i = 0; i < VER_MAX_VARS; i++) {
        arf_init(box->a[i]);
        arf_init(box->b[i]);
    }
    if (r->n > VER_MAX_VARS)
        return ph_fail(err, PH_EARG, "%s: %d ranges; at most %d", who, r->n, VER_MAX_VARS);
    ph_status st = PH_OK;
    for (int i = 0; i < r->n && !st; i++) st = open_side(box, i, who, err);
    return st;
}

void ver_box_close(ver_box *box) {
    for (int i = 0; i < VER_MAX_VARS; i++) {
        arf_clear(box->a[i]);
        arf_clear(box->b[i]);
    }
}

ph_status ver_box_covers(const ver_box *box, const expr_node *e, const char *who, ph_err *err) {
    expr_set atoms;
    char *name = NULL;
    ph_status st = expr_symbols(&atoms, e, err);
    if (st) return st;
    for (int k = 0; k < atoms.n; k++) {
        bool found = false, member = false;
        for (int i = 0; i < box->n; i++) {
            const expr_node *s = box->range[i].sym;
            found = found || expr_same(s, atoms.item[k]);
            member = member || (s->op == EXPR_AT &&
                                expr_same(s->arg[0], atoms.item[k])); /* θ stands for its members here */
        }
        if (found || member) continue;
        PH_TRY(expr_text(&name, atoms.item[k], 60, err));
        st = ph_fail(err, PH_EARG, "%s: no range is given for %s; add {%s = {from, to}}", who, name, name);
        goto done;
    }
    for (int i = 0; i < box->n; i++) {
        if (expr_has(e, symbol_of(box->range[i].sym))) continue;
        PH_TRY(expr_text(&name, box->range[i].sym, 60, err));
        st = ph_fail(err, PH_EARG, "%s: a range is given for %s, which does not occur", who, name);
        goto done;
    }
done:
    ph_free(name);
    expr_set_clear(&atoms);
    return st;
}

/* ---- words --------------------------------------------------------------------------------------------- */

#define WORDS 1024

ph_status ver_box_text(char **out, const ver_box *box, ph_err *err) {
    char text[WORDS] = "";
    size_t n = 0;
    ph_status st = PH_OK;
    for (int i = 0; i < box->n && n < sizeof text - 1 && !st; i++) {
        const ver_range *r = &box->range[i];
        char *name = NULL, *lo = NULL, *hi = NULL;
        st = expr_text(&name, r->sym, 40, err);
        if (!st) st = expr_text(&lo, r->lo, 60, err);
        if (!st) st = expr_text(&hi, r->hi, 60, err);
        if (!st && box->fixed[i] && expr_same(r->lo, r->hi))
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s = %s", i ? ", " : "", name, lo);
        else if (!st)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s in [%s, %s]", i ? ", " : "",
                                  box->integer[i] ? "integer " : "", name, lo, hi);
        ph_free(name);
        ph_free(lo);
        ph_free(hi);
    }
    return st ? st : ver_set(out, err, "%s", text);
}

ph_status ver_box_tell(ver_told **out, ver_verdict *v, const ver_box *box, ver_extent extent, ph_err *err) {
    ph_status st = ver_told_of(out, v, err);
    if (st) return st;
    ver_tell_no_box(*out);
    (*out)->extent = extent;
    for (int i = 0; i < box->n && !st; i++) {
        const ver_range *r = &box->range[i];
        st = ver_tell_side(*out, r->sym, r->lo, r->hi, box->integer[i], err);
    }
    return st;
}

ph_status ver_piece_text(char **out, const ver_box *box, const ver_piece *p, ph_err *err) {
    char text[WORDS] = "";
    size_t n = 0;
    ph_status st = PH_OK;
    for (int i = 0; i < box->n && n < sizeof text - 1 && !st; i++) {
        char *name = NULL;
        st = expr_text(&name, box->range[i].sym, 40, err);
        if (!st)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s in [%.10g, %.10g]", i ? ", " : "", name,
                                  arf_get_d(p->side[i].a, ARF_RND_FLOOR),
                                  arf_get_d(p->side[i].b, ARF_RND_CEIL));
        ph_free(name);
    }
    return st ? st : ver_set(out, err, "%s", text);
}

/* ---- the queue ----------------------------------------------------------------------------------------- */

void ver_piece_drop(ver_piece *p, int n) {
    for (int i = 0; p->side && i < n; i++) {
        arf_clear(p->side[i].a);
        arf_clear(p->side[i].b);
    }
    ph_free(p->side);
    p->side = NULL;
}

void ver_queue_clear(ver_queue *q) {
    for (int64_t k = q->head; k < q->end; k++) ver_piece_drop(&q->item[k], q->n);
    ph_free(q->item);
    *q = (ver_queue){.n = q->n};
}

/* Room for one more; what has been taken is forgotten when it is half of it. */
static ph_status reserve(ver_queue *q, ph_err *err) {
    if (q->head > q->cap / 2) {
        memmove(q->item, q->item + q->head, (size_t)(q->end - q->head) * sizeof *q->item);
        q->end -= q->head;
        q->head = 0;
    }
    if (q->end < q->cap) return PH_OK;
    int64_t cap = q->cap ? 2 * q->cap : 16;
    ver_piece *item = ph_realloc(q->item, (size_t)cap * sizeof *item);
    if (!item) return ph_fail_nomem(err, (size_t)cap * sizeof *item);
    q->item = item;
    q->cap = cap;
    return PH_OK;
}

/* A new last piece, a copy of p (NULL: all sides zero). */
static ph_status append(ver_queue *q, const ver_piece *p, ver_piece **out, ph_err *err) {
    ph_status st = reserve(q, err);
    if (st) return st;
    ver_piece *new = &q->item[q->end];
    size_t bytes = (size_t)(q->n ? q->n : 1) * sizeof *new->side;
    *new = (ver_piece){.side = ph_alloc(bytes)};
    if (!new->side) return ph_fail_nomem(err, bytes);
    for (int i = 0; i < q->n; i++) {
        ver_side *s = &new->side[i];
        arf_init(s->a);
        arf_init(s->b);
        s->a_end = s->b_end = true;
        if (!p) continue;
        arf_set(s->a, p->side[i].a);
        arf_set(s->b, p->side[i].b);
        s->a_end = p->side[i].a_end;
        s->b_end = p->side[i].b_end;
    }
    if (p) {
        new->depth = p->depth + 1;
        new->prec = p->prec;
    }
    q->end++;
    *out = new;
    return PH_OK;
}

ph_status ver_queue_whole(ver_queue *q, const ver_box *box, slong prec, ph_err *err) {
    ver_piece *p;
    *q = (ver_queue){.n = box->n};
    ph_status st = append(q, NULL, &p, err);
    if (st) return st;
    p->prec = prec;
    for (int i = 0; i < box->n; i++) {
        arf_set(p->side[i].a, box->a[i]);
        arf_set(p->side[i].b, box->b[i]);
        if (box->integer[i]) p->side[i].a_end = p->side[i].b_end = false;
    }
    return PH_OK;
}

ph_status ver_queue_again(ver_queue *q, const ver_piece *p, ph_err *err) {
    ver_piece *copy;
    ph_status st = append(q, p, &copy, err);
    if (!st) copy->depth = p->depth;
    return st;
}

ver_piece ver_queue_take(ver_queue *q) { return q->item[q->head++]; }

/* ---- cutting ------------------------------------------------------------------------------------------- */

void ver_side_mid(arf_t m, const ver_side *s, bool integer) {
    arf_t w, half;
    fmpz_t e;
    arf_init(w);
    arf_init(half);
    fmpz_init(e);
    arf_add(m, s->a, s->b, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(m, m, -1);
    arf_sub(w, s->b, s->a, ARF_PREC_EXACT, ARF_RND_DOWN);
    if (integer) arf_floor(m, m);
    else if (!arf_is_zero(w)) { /* the nearest multiple of a power of two <= w/2: within the middle half */
        arf_abs_bound_lt_2exp_fmpz(e, w);
        fmpz_sub_ui(e, e, 2);
        fmpz_neg(e, e);
        arf_mul_2exp_fmpz(m, m, e);
        arf_set_d(half, 0.5);
        arf_add(m, m, half, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_floor(m, m);
        fmpz_neg(e, e);
        arf_mul_2exp_fmpz(m, m, e);
    }
    arf_clear(w);
    arf_clear(half);
    fmpz_clear(e);
}

ph_status ver_queue_split(ver_queue *q, const ver_box *box, const ver_piece *p, int i, ph_err *err) {
    ver_piece *half;
    arf_t m;
    arf_init(m);
    ver_side_mid(m, &p->side[i], box->integer[i]);
    ph_status st = append(q, p, &half, err);
    if (!st) {
        arf_set(half->side[i].b, m);
        half->side[i].b_end = false;
        st = append(q, p, &half, err);
    }
    if (!st) {
        arf_set(half->side[i].a, m);
        half->side[i].a_end = false;
        if (box->integer[i]) arf_add_ui(half->side[i].a, half->side[i].a, 1, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arf_clear(m);
    return st;
}

static double width(const arf_t a, const arf_t b) {
    arf_t w;
    arf_init(w);
    arf_sub(w, b, a, 53, ARF_RND_UP);
    double d = arf_get_d(w, ARF_RND_UP);
    arf_clear(w);
    return d;
}

int ver_piece_widest(const ver_box *box, const ver_piece *p, const double *weight) {
    int best = -1;
    double most = -1, widest = -1;
    bool weighed = false;
    for (int i = 0; i < box->n && weight; i++) weighed = weighed || (weight[i] > 0 && isfinite(weight[i]));
    for (int i = 0; i < box->n; i++) {
        if (box->fixed[i] || arf_equal(p->side[i].a, p->side[i].b)) continue;
        double now = width(p->side[i].a, p->side[i].b), share = now / width(box->a[i], box->b[i]);
        double w = weighed ? weight[i] * now : share;
        if (isnan(w)) w = INFINITY;
        if (w > most ||
            (w == most && share > widest)) { /* slopes without bound are all alike: then none starves */
            most = w;
            widest = share;
            best = i;
        }
    }
    return best;
}
