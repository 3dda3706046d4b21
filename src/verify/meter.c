/* meter.c: see meter.h. One count for each thread: the parts of a question are asked in too many places to hand it to all of
 * them. (The model of the storage is one that a module of Lua can use as well.)
 */
#include "verify/meter.h"

#include <math.h>

static _Thread_local struct {
    double allowed, limit, used;
    int depth;
    bool empty;
} meter __attribute__((tls_model("initial-exec"))) = {VER_METER, VER_METER, 0, 0, false};

void ver_meter_open(double times) {
    if (meter.depth++) return;
    meter.limit = times * meter.allowed;
    meter.used = 0;
    meter.empty = false;
}

void ver_meter_close(void) { meter.depth--; }

bool ver_meter_spend(double units) {
    if (!meter.depth) return true;
    if (meter.empty || meter.used + units > meter.limit) meter.empty = true;
    else meter.used += units;
    return !meter.empty;
}

bool ver_meter_is_beyond(double share) {
    return meter.depth && (meter.empty || meter.used > share * meter.limit);
}

double ver_meter_lower(double share) {
    const double before = meter.limit, lower = meter.used + share * before;
    if (meter.depth && !meter.empty && lower < before) meter.limit = lower;
    return before;
}

void ver_meter_restore(double before) {
    if (meter.limit < before) meter.empty = false;
    meter.limit = before;
}

bool ver_meter_is_empty(void) { return meter.depth && meter.empty; }
double ver_meter_used(void) { return meter.used; }
void ver_meter_allow(double units) { meter.allowed = units; }

static bool no_symbol(void *ctx, const expr_node *atom, double _Complex *v) {
    (void)ctx, (void)atom, (void)v;
    return false;
}

/* How many terms: of ends that are numbers, also 10^30, as many as there are; else about 20. */
static double terms_of(const expr_node *sum) {
    ph_err unheard;
    double _Complex lo = 0, hi = 0;
    if (!expr_is_constant(sum->arg[1]) || !expr_is_constant(sum->arg[2])) return 20;
    if (expr_eval(&lo, sum->arg[1], no_symbol, NULL, &unheard) ||
        expr_eval(&hi, sum->arg[2], no_symbol, NULL, &unheard))
        return 20;
    double n = 1 + fabs(__real__ hi - __real__ lo);
    return isfinite(n) ? n : HUGE_VAL;
}

double ver_work_of(const expr_node *e, double most) {
    double w = 1;
    for (uint32_t i = 0; i < e->nargs && w < most; i++) {
        bool body = e->op == EXPR_SUM && i == 3;
        double terms = body ? terms_of(e) : 1;
        w += terms * ver_work_of(e->arg[i], most / terms);
    }
    return w;
}
