/* kept.c: see kept.h. The points from 0 on are kept, which are those that every mutant is looked at. */
#include "verify/kept.h"

#include "verify/ball.h"
#include "verify/meter.h"

#define POINTS 16

typedef struct {
    bool ball, f64; /* which of them are known */
    slong prec;     /* of the ball: the first that was asked for */
    double units;   /* that it took from the meter */
    acb_t z;
    double _Complex v;
} values;

/* The values stand elsewhere: the loader keeps little room for threads for a module of Lua. */
static _Thread_local struct {
    expr_node *side; /* a reference of its own; NULL: none, and no values */
    values *at;
} kept __attribute__((tls_model("initial-exec")));

void ver_keep(expr_node *side) {
    for (int i = 0; i < POINTS && kept.side; i++)
        if (kept.at[i].ball) acb_clear(kept.at[i].z);
    expr_drop(kept.side);
    ph_free(kept.at);
    kept.at = side ? ph_calloc(POINTS, sizeof *kept.at) : NULL;
    kept.side = kept.at ? expr_ref(side) : NULL; /* without memory nothing is kept */
}

static values *values_of(const expr_node *e, uint64_t seed) {
    return kept.side && e == kept.side && seed < POINTS ? &kept.at[seed] : NULL;
}

ph_status ver_kept_ball(acb_t out, const expr_node *e, uint64_t seed, slong prec, ph_err *err) {
    values *k = values_of(e, seed);
    if (k && k->ball && k->prec == prec) {
        acb_set(out, k->z);
        (void)ver_meter_spend(k->units);
        return ph_interrupted() ? ph_fail_interrupted(err) : PH_OK;
    }
    double before = ver_meter_used();
    ph_status st = ver_ball(out, e, ver_point_atom, &seed, prec, err);
    if (!st && k && !k->ball && !ver_meter_is_empty()) { /* an empty meter counts no further */
        acb_init(k->z);
        acb_set(k->z, out);
        k->ball = true;
        k->prec = prec;
        k->units = ver_meter_used() - before;
    }
    return st;
}

ph_status ver_kept_double(double _Complex *out, const expr_node *e, uint64_t seed, ph_err *err) {
    values *k = values_of(e, seed);
    if (k && k->f64) return *out = k->v, PH_OK;
    ph_status st = expr_eval_point(out, e, ver_point_double, &seed, err);
    if (!st && k) k->f64 = true, k->v = *out;
    return st;
}
