/* steps.c: see steps.h. */
#include "expr/steps.h"
#include "expr/eval.h"

#define MOST 4096 /* distinct parts; beyond, making the list costs more than points save */

typedef struct {
    expr_steps *s;
    int most;
    size_t mask;
    int *slot;  /* steps by the hash of their part, plus 1; 0: free */
    int *first; /* sin or cos of a step, the first that was found, plus 1; 0: none yet */
} finder;

static bool is_atom(const expr_node *e) {
    return e->op <= EXPR_PI || (e->op == EXPR_AT && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1);
}

static bool is_plain(const expr_node *e) {
    return e->op >= EXPR_NEG && e->op < EXPR_SUM && (e->nargs == 1 || e->nargs == 2);
}

/* sin and cos of one step come to know each other; the same function of it a second time would be the same step. */
static void pair(finder *f, int k) {
    expr_step *step = f->s->step;
    if (step[k].part->op != EXPR_SIN && step[k].part->op != EXPR_COS) return;
    int *first = &f->first[step[k].a];
    if (*first) {
        step[k].wave = *first - 1;
        step[*first - 1].wave = k;
    } else *first = k + 1;
}

/* The step of e, joined if it is new; -1: there can be none. */
static int step_of(finder *f, const expr_node *e) {
    int a = -1, b = -1;
    size_t at = e->hash & f->mask;
    for (; f->slot[at]; at = (at + 1) & f->mask)
        if (expr_same(f->s->step[f->slot[at] - 1].part, e)) return f->slot[at] - 1;
    if (!is_atom(e)) {
        if (!is_plain(e) || (a = step_of(f, e->arg[0])) < 0) return -1;
        if (e->nargs == 2 && (b = step_of(f, e->arg[1])) < 0) return -1;
        for (at = e->hash & f->mask; f->slot[at];) at = (at + 1) & f->mask; /* operands may have taken it */
    }
    int k = f->s->n;
    if (k == f->most) return -1;
    f->s->step[k] = (expr_step){e, a, b, -1};
    f->slot[at] = ++f->s->n;
    pair(f, k);
    return k;
}

ph_status expr_steps_of(expr_steps *out, const expr_node *l, const expr_node *r, ph_err *err) {
    uint64_t size = l->size + r->size;
    finder f = {.s = out, .most = size < MOST ? (int)size : MOST, .mask = 1};
    while (f.mask < 2 * (size_t)f.most) f.mask *= 2;
    size_t bytes = (f.mask + (size_t)f.most) * sizeof *f.slot;
    *out = (expr_steps){.step = ph_alloc((size_t)f.most * (sizeof *out->step + sizeof *out->value))};
    out->value = out->step ? (double complex *)(out->step + f.most) : NULL;
    f.slot = ph_calloc(1, bytes);
    f.first = f.slot ? f.slot + f.mask-- : NULL;
    bool there = out->step && f.slot;
    if (!there || (out->root[0] = step_of(&f, l)) < 0 || (out->root[1] = step_of(&f, r)) < 0)
        expr_steps_clear(out);
    ph_free(f.slot);
    return there ? PH_OK : ph_fail_nomem(err, bytes);
}

void expr_steps_clear(expr_steps *s) {
    ph_free(s->step);
    *s = (expr_steps){0};
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* sin and cos of a real number side by side, which compilers make one call of. */
static void turn(expr_steps *s, int k) {
    double complex *v = s->value;
    double complex z = v[s->step[k].a];
    int other = s->step[k].wave;
    bool real = cimag(z) == 0 && isfinite(creal(z)), is_sin = s->step[k].part->op == EXPR_SIN;
    double sine = sin(creal(z)), cosine = cos(creal(z));
    v[is_sin ? k : other] = real ? sine : expr_apply1(EXPR_SIN, z);
    v[is_sin ? other : k] = real ? cosine : expr_apply1(EXPR_COS, z);
}

ph_status expr_steps_eval(double complex *l, double complex *r, expr_steps *s, expr_lookup *lookup, void *ctx,
                          ph_err *err) {
    double complex *v = s->value;
    if (ph_interrupted()) return ph_fail_interrupted(err);
    for (int k = 0; k < s->n; k++) {
        const expr_step *x = &s->step[k];
        ph_status st = x->a < 0 ? expr_eval_point(&v[k], x->part, lookup, ctx, err) : PH_OK;
        if (st) return st;
        if (x->wave > k) turn(s, k);
        else if (x->wave < 0 && x->b >= 0) v[k] = expr_apply2(x->part->op, v[x->a], v[x->b]);
        else if (x->wave < 0 && x->a >= 0) v[k] = expr_apply1(x->part->op, v[x->a]);
    }
    *l = v[s->root[0]];
    *r = v[s->root[1]];
    return PH_OK;
}
