/* meter.c: see meter.h. One count for each thread: the parts of a question are asked in too many places to hand it to all of
 * them. (The model of the storage is one that a module of Lua can use as well.)
 */
#include "verify/meter.h"

static _Thread_local struct {
    double allowed, times, used;
    int depth;
    bool empty;
} meter __attribute__((tls_model("initial-exec"))) = {VER_METER, 1, 0, 0, false};

void ver_meter_open(double times) {
    if (meter.depth++) return;
    meter.times = times;
    meter.used = 0;
    meter.empty = false;
}

void ver_meter_close(void) { meter.depth--; }

bool ver_meter_spend(double units) {
    if (!meter.depth) return true;
    if (meter.empty || meter.used + units > meter.allowed * meter.times) meter.empty = true;
    else meter.used += units;
    return !meter.empty;
}

bool ver_meter_is_beyond(double share) {
    return meter.depth && (meter.empty || meter.used > share * meter.allowed * meter.times);
}

bool ver_meter_is_empty(void) { return meter.depth && meter.empty; }
double ver_meter_used(void) { return meter.used; }
void ver_meter_allow(double units) { meter.allowed = units; }
