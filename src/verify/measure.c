/* measure.c: gathering deviations. The caller walks the samples; this file only judges them. */
#include "verify/verdict.h"

#include <math.h>

/* How far a sample uses up its bound: 1 is the limit, infinity is beyond repair. */
static double used(double value, double bound) {
    if (!isfinite(value) || !isfinite(bound) || bound < 0) return INFINITY;
    return value == 0 ? 0 : fabs(value) / bound;
}

/* Orders samples that use up their bounds alike (all of them refused by a bound of 0, say): not finite is
 * largest. */
static double size_of(double value) { return isfinite(value) ? fabs(value) : INFINITY; }

bool ver_tally_add(ver_tally *t, double value, double bound) {
    double now = used(value, bound), then = used(t->value, t->bound);
    bool first = t->worst < 0;
    bool worse = first || now > then || (now == then && size_of(value) > size_of(t->value));
    if (!first && bound != t->bound) t->uneven = true;
    if (!ver_accepts(value, bound)) t->refused++;
    if (worse) {
        t->worst = t->samples;
        t->value = value;
        t->bound = bound;
    }
    t->samples++;
    return worse;
}

ph_status ver_tally_end(ver_verdict *v, const ver_tally *t, ph_err *err) {
    if (t->samples == 0) {
        v->strength = VER_UNKNOWN;
        v->reason = VER_NEEDS_DATA;
        return ver_set(&v->reason_text, err, "not one sample was measured");
    }
    v->strength = t->refused ? VER_REFUTED : VER_MEASURED;
    v->has_value = true;
    v->value = isnan(t->value) ? t->value : fabs(t->value);
    v->bound = t->bound;
    v->uneven = t->uneven;
    v->size = t->samples;
    return PH_OK;
}
