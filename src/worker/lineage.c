/* lineage.c: see lineage.h. A copy ends when its socket does. Its parent is the worker that it was forked from; when that has gone, the
 * front end, which must be the reaper of orphans for that (Linux).
 */
#include "worker/lineage.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define GONE_MAX ((int)(sizeof((lineage *)NULL)->gone / sizeof(pid_t)))

/* ---- their ends ---------------------------------------------------------------------------------------- */

static void forget(lineage *l, pid_t pid) {
    if (l->ngone == GONE_MAX) { /* the oldest is long reaped by its parent */
        memmove(l->gone, l->gone + 1, sizeof l->gone - sizeof *l->gone);
        l->ngone--;
    }
    l->gone[l->ngone++] = pid;
}

void wrk_lineage_reap(lineage *l) {
    int left = 0;
    for (int i = 0; i < l->ngone; i++)
        if (waitpid(l->gone[i], NULL, WNOHANG) <= 0 && errno != ECHILD) l->gone[left++] = l->gone[i];
    l->ngone = left;
}

static void end(lineage *l, snapshot *s) {
    if (s->w.fd >= 0) forget(l, s->pid);
    wrk_wire_close(&s->w); /* it sees the end of its socket and exits */
    ph_free(s->code);
    s->code = NULL;
}

static void nothing_now(lineage *l) {
    l->now = (snapshot){0};
    wrk_wire_init(&l->now.w, -1);
}

void wrk_lineage_drop_now(lineage *l) { end(l, &l->now); }

static void pause_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

bool wrk_wait_end(pid_t pid, double seconds, int *status) {
    for (double latest = ph_clock() + seconds;;) {
        pid_t r = waitpid(pid, status, WNOHANG);
        if (r == pid) return true;
        if (r < 0 && errno != EINTR) return false;
        if (ph_clock() > latest) return false;
        pause_ms(1);
    }
}

/* ---- all of them --------------------------------------------------------------------------------------- */

ph_status wrk_lineage_open(lineage *l, int depth, ph_err *err) {
    *l = (lineage){.depth = depth};
    nothing_now(l);
    l->before = ph_calloc((size_t)depth, sizeof *l->before);
    return l->before ? PH_OK : ph_fail_nomem(err, (size_t)depth * sizeof *l->before);
}

void wrk_lineage_close(lineage *l, double patience) {
    int status;
    if (!l->before) return;
    pid_t now = l->now.w.fd >= 0 ? l->now.pid : 0;
    end(l, &l->now);
    if (now) wrk_wait_end(now, patience, &status);
    for (int i = 0; i < l->n; i++) {
        pid_t pid = l->before[i].pid;
        end(l, &l->before[i]);
        wrk_wait_end(pid, patience, &status);
    }
    wrk_lineage_reap(l);
    ph_free(l->before);
    *l = (lineage){0};
    nothing_now(l);
}

/* ---- while cells run ----------------------------------------------------------------------------------- */

void wrk_lineage_keep(lineage *l, wire *from, const json_t *m) {
    if (from->passed < 0) return;
    end(l, &l->now);
    wrk_wire_init(&l->now.w, from->passed);
    from->passed = -1;
    l->now.pid = (pid_t)json_integer_value(json_object_get(m, "pid"));
}

bool wrk_lineage_begin(lineage *l, const char *code) {
    if (l->now.w.fd < 0) return false;
    if (l->n == l->depth) {
        end(l, &l->before[0]);
        memmove(l->before, l->before + 1, (size_t)--l->n * sizeof *l->before);
    }
    l->before[l->n] = l->now;
    l->before[l->n++].code = code ? ph_strdup(code) : NULL;
    nothing_now(l);
    return true;
}

/* ---- when the worker has gone -------------------------------------------------------------------------- */

/* It makes a copy of itself first, which takes its place, and says when it waits. */
static bool awakes(lineage *l, snapshot *s) {
    ph_err err;
    json_t *m = NULL;
    bool waits = false;
    if (wrk_wire_send(&s->w, json_pack("{s:s}", "op", "resume"), -1, &err) != PH_OK) return false;
    while (!waits && wrk_wire_next(&s->w, &m, false, &err) == PH_OK) {
        const char *event = json_string_value(json_object_get(m, "event"));
        waits = event && strcmp(event, "resumed") == 0;
        if (!waits) wrk_lineage_keep(l, &s->w, m);
        json_decref(m);
        m = NULL;
    }
    return waits;
}

/* The newest of all, off its place. */
static bool take_newest(lineage *l, snapshot *s, int *cells) {
    if (l->now.w.fd >= 0) {
        *s = l->now;
        nothing_now(l);
        return true;
    }
    if (l->n == 0) return false;
    *s = l->before[--l->n];
    ++*cells;
    return true;
}

bool wrk_lineage_wake(lineage *l, wire *w, pid_t *pid, int *cells, char **code) {
    snapshot s;
    *cells = 0;
    while (take_newest(l, &s, cells)) {
        if (!awakes(l, &s)) {
            end(l, &s);
            end(l, &l->now);
            continue;
        }
        *w = s.w;
        *pid = s.pid;
        if (code) *code = s.code;
        else ph_free(s.code);
        return true;
    }
    return false;
}
