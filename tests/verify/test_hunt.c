/* test_hunt.c: 2,000 cases from a fixed seed, a test for each group of questions. By the environment:
 *   HUNT_TIME=seconds [HUNT_SEED=n] [HUNT_JOBS=n] [HUNT_GROUP=name]   as many cases as fit, on all cores (make hunt)
 *   HUNT_CASE=number [HUNT_SEED=n]                                    one case of such a hunt again
 *   HUNT_LOUD=1 [HUNT_CASES=n]                                        each case with its outcome, as a line */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "hunt.h"
#include "hunt_groups.h"
#include "../lua/lab.h"

#define CASES        2000
#define SEED         3
#define MAX_GROUPS   64
#define SHRINK_TRIES 600
#define CASE_SECONDS 20 /* of the processor for one case, before its process is ended */

typedef struct {
    int64_t tried[MAX_GROUPS][OUTCOMES];
    int64_t current; /* the case that is being judged; what a process that ended badly was at */
} counts;

/* ---- one case ---------------------------------------------------------------------------------------------- */

static bool loud; /* messages of refusals too */

static outcome judge(text *why, const hunt_case *c, lua_State *L) {
    text code = {0};
    outcome o;
    put(&code, "return ");
    c->group->ask(&code, c);
    lua_settop(L, 0);
    why->n = 0;
    put(why, "%s", "");
    if (luaL_loadstring(L, code.s)) {
        o = fault(why, "the hunt wrote no Lua: %s", code.s);
    } else if (lua_pcall(L, 0, LUA_MULTRET, 0)) {
        const char *message = lua_tostring(L, -1);
        o = WAS_REFUSED;
        put(why, "%s", message ? message : "?");
        if (message && (strstr(message, "INTERNAL ERROR") || strstr(message, "error of phasor")))
            o = WAS_FAULT;
        if (message && strstr(message, "attempt to")) o = fault(why, "wrong Lua: %s", message);
    } else o = c->group->judge(why, c, L);
    free(code.s);
    lua_settop(L, 0);
    return o;
}

static void make(hunt_case *c, uint64_t seed, int64_t number) {
    static int total;
    tree_reset();
    chance_seed(seed * 0x9E3779B97F4A7C15u + (uint64_t)number * 0xD1B54A32D192ED03u);
    if (!total)
        for (int g = 0; g < ngroups; g++) total += groups[g].weight;
    int k = below(total), g = 0;
    while (k >= groups[g].weight) k -= groups[g++].weight;
    *c = (hunt_case){.group = &groups[g]};
    some_world();
    c->group->make(c);
}

/* ---- shrinking --------------------------------------------------------------------------------------------- */

typedef struct {
    hunt_case c;
    lua_State *L;
    text why;
    uint64_t seed;
    int tries;
    outcome wanted;
    bool apart; /* what is wrong ends a process: each try has its own */
} shrinker;

static bool ends_badly(const hunt_case *c, lua_State *L) {
    int status;
    text why = {0};
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(CASE_SECONDS);
        judge(&why, c, L);
        _exit(0);
    }
    return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM;
}

static bool still_wrong(shrinker *s, const hunt_case *c) {
    text why = {0};
    bool wrong = false;
    if (s->apart) return s->tries-- > 0 && ends_badly(c, s->L);
    for (uint64_t k = 0; k < 3 && !wrong && s->tries > 0; k++, s->tries--) { /* the points are drawn anew */
        chance_seed(s->seed + k);
        wrong = judge(&why, c, s->L) == s->wanted && !strstr(why.s, "the hunt wrote");
    }
    if (wrong) {
        free(s->why.s);
        s->why = why;
    } else free(why.s);
    return wrong;
}

static bool may_stand(const tree *t, const tree *for_what) {
    return !is_statement(t) || is_statement(for_what);
}

/* Tries something smaller in place of *at; true when it stays wrong. */
static bool smaller_at(shrinker *s, tree **at) {
    tree *t = *at, *candidate[MAX_PARTS + 8];
    int n = 0;
    if (t->op == EXPR_RAT && (is_int(t, 0) || is_int(t, 1))) return false;
    for (int i = t->op == EXPR_AT || t->op == EXPR_SUM; i < t->n && n < MAX_PARTS; i++)
        if (may_stand(t->arg[i], t) && is_statement(t) == is_statement(t->arg[i])) candidate[n++] = t->arg[i];
    if (!is_statement(t)) candidate[n++] = INT(0), candidate[n++] = INT(1);
    if (!is_statement(t) && t->n > 0) candidate[n++] = T_sym(S_X), candidate[n++] = T_sym(S_N);
    if (t->op == EXPR_RAT && t->den == 1 && llabs(t->num) > 3)
        candidate[n++] = INT(t->num / 2), candidate[n++] = INT(t->num - 1);
    for (int i = 0; i < n; i++) {
        *at = candidate[i];
        if (tree_size(*at) <= tree_size(t) && still_wrong(s, &s->c)) return true;
    }
    *at = t;
    for (int i = t->op == EXPR_SUM || t->op == EXPR_AT; i < t->n; i++) {
        tree *copy = T(t->op, t->n, t->arg);
        copy->sym = t->sym;
        *at = copy;
        if (smaller_at(s, &copy->arg[i])) return true;
        *at = t;
    }
    return false;
}

static void shrink(shrinker *s) {
    for (bool better = true; better && s->tries > 0;) {
        better = false;
        for (int i = 0; i < s->c.n && !better; i++) better = smaller_at(s, &s->c.part[i]);
        for (int i = s->c.n - 1; i > 0 && !better && s->c.part[i] && is_statement(s->c.part[i]);
             i--) { /* an assumption less */
            hunt_case c = s->c;
            for (int j = i; j + 1 < c.n; j++) c.part[j] = c.part[j + 1];
            c.n--;
            if ((better = still_wrong(s, &c))) s->c = c;
        }
    }
}

/* Faults of one shape (numbers and symbols aside) are shown once by a process. */
static bool seen_before(const hunt_case *c) {
    static uint64_t shapes[4096];
    static int n;
    text line = {0};
    uint64_t h = 1469598103934665603u;
    c->group->ask(&line, c);
    for (const char *p = line.s; *p; p++) {
        bool number = *p >= '0' && *p <= '9', letter = *p >= 'a' && *p <= 'z' &&
                                                       !(p[1] >= 'a' && p[1] <= 'z') &&
                                                       (p == line.s || !(p[-1] >= 'a' && p[-1] <= 'z'));
        h = (h ^ (uint64_t)(number ? '#' : letter ? 'x' : *p)) * 1099511628211u;
    }
    free(line.s);
    for (int i = 0; i < n; i++)
        if (shapes[i] == h) return true;
    if (n < 4096) shapes[n++] = h;
    return false;
}

/* "x = sym("x"); print(prove(eq(x, x))) -- what is wrong" */
static void report(const hunt_case *c, lua_State *L, const char *why, uint64_t seed, int64_t number,
                   outcome o, bool apart) {
    shrinker s = {.c = *c,
                  .L = L,
                  .seed = seed + (uint64_t)number * 7,
                  .tries = SHRINK_TRIES,
                  .wanted = o,
                  .apart = apart};
    text line = {0};
    put(&s.why, "%s", why);
    if (L) shrink(&s);
    if (L && seen_before(&s.c)) {
        free(s.why.s);
        return;
    }
    put_symbols(&line, (const tree *const *)s.c.part, s.c.n);
    put(&line, "print(");
    s.c.group->ask(&line, &s.c);
    put(&line, ") -- %s (%s, case %lld)", s.why.s, s.c.group->name, (long long)number);
    for (char *p = line.s; *p; p++)
        if (*p == '\n') *p = ' ';
    printf("%s %s\n", o == WAS_LOOSE ? "LOOSE" : "FAULT", line.s);
    fflush(stdout);
    free(line.s);
    free(s.why.s);
}

/* ---- many ------------------------------------------------------------------------------------------------------ */

/* only: cases of that group, or NULL: of all. */
static void one(lua_State *L, uint64_t seed, int64_t number, const char *only, counts *n) {
    hunt_case c;
    text why = {0};
    make(&c, seed, number);
    if (only && strcmp(c.group->name, only) != 0) return;
    outcome o = judge(&why, &c, L);
    n->tried[c.group - groups][o]++;
    if (o == WAS_FAULT || o == WAS_LOOSE) report(&c, L, why.s, seed, number, o, false);
    else if (loud) {
        text line = {0};
        c.group->ask(&line, &c);
        printf("%d %s: %s -- %s\n", (int)o, c.group->name, line.s, why.s);
        free(line.s);
    }
    free(why.s);
}

static lua_State *laboratory(void) {
    lua_State *L = lab_open();
    lua_settop(L, 0);
    const char *const programs[] = {prelude, atlas_encodings(), atlas_relatives(), fixture("@atlas_laws")};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (luaL_dostring(L, programs[i])) fail_msg("%s", lua_tostring(L, -1));
    return L;
}

static int64_t print_counts(const counts *n) {
    static const char *const head[] = {"proved", "refuted", "unknown", "value", "refused", "loose", "FAULTS"};
    int64_t sum = 0, faults = 0;
    printf("%-18s %9s", "", "tried");
    for (int o = 0; o < OUTCOMES; o++) printf(" %9s", head[o]);
    printf("\n");
    for (int g = 0; g < ngroups; g++) {
        int64_t tried = 0;
        for (int o = 0; o < OUTCOMES; o++) tried += n->tried[g][o];
        printf("%-18s %9lld", groups[g].name, (long long)tried);
        for (int o = 0; o < OUTCOMES; o++) printf(" %9lld", (long long)n->tried[g][o]);
        printf("\n");
        sum += tried;
        faults += n->tried[g][WAS_FAULT];
    }
    printf("%lld statements hunted, %lld faults\n", (long long)sum, (long long)faults);
    return faults;
}

/* The cases of one group among the first CASES. */
static void fixed_seeds(void **state) {
    const group *g = *state;
    counts n = {.current = 0};
    lua_State *L = laboratory();
    for (int64_t i = 0; i < CASES; i++) one(L, SEED, i, g->name, &n);
    lua_close(L);
    const int64_t *t = n.tried[g - groups];
    printf("%lld proved, %lld refuted, %lld unknown, %lld values, %lld refused, %lld loose\n",
           (long long)t[WAS_PROVED], (long long)t[WAS_REFUTED], (long long)t[WAS_UNKNOWN],
           (long long)t[WAS_VALUE], (long long)t[WAS_REFUSED], (long long)t[WAS_LOOSE]);
    assert_int_equal(t[WAS_FAULT] + t[WAS_LOOSE], 0);
}

/* Every case, told aloud (hunt_beside.py reads it). */
static int aloud(int64_t cases) {
    counts n = {.current = 0};
    lua_State *L = laboratory();
    for (int64_t i = 0; i < cases; i++) one(L, 1, i, NULL, &n);
    lua_close(L);
    return 0;
}

/* ---- make hunt: a process for each core; the parent counts, and replaces one that crashed or hangs ---------------- */

static void work(counts *mine, uint64_t seed, int64_t from, int step, time_t end) {
    lua_State *L = laboratory();
    for (int64_t i = from; time(NULL) < end; i += step) {
        mine->current = i;
        setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = CASE_SECONDS},
                  NULL); /* ends the process */
        one(L, seed, i, getenv("HUNT_GROUP"), mine);
    }
    _exit(0);
}

static void describe(uint64_t seed, int64_t number, bool slow) {
    hunt_case c;
    lua_State *L = slow ? NULL : laboratory();
    make(&c, seed, number);
    report(&c, L, slow ? "longer than 20 s of the processor" : "the process ended", seed, number, WAS_FAULT,
           true);
    if (L) lua_close(L);
}

static int hunt(int seconds, uint64_t seed) {
    int cores = getenv("HUNT_JOBS") ? atoi(getenv("HUNT_JOBS")) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    time_t end = time(NULL) + seconds;
    counts *n = mmap(NULL, (size_t)cores * sizeof *n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                     0),
           all = {.current = 0};
    pid_t *pid = calloc((size_t)cores, sizeof *pid);
    int left = cores, crashed = 0;
    if (n == MAP_FAILED || !pid) return 2;
    fflush(stdout);
    for (int k = 0; k < cores; k++)
        if (!(pid[k] = fork())) work(&n[k], seed, k, cores, end);
    while (left > 0) {
        int status;
        pid_t ended = waitpid(-1, &status, 0);
        if (ended <= 0) continue;
        for (int k = 0; k < cores; k++) {
            if (pid[k] != ended) continue;
            pid[k] = 0;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) left--;
            else {
                bool slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM;
                describe(seed, n[k].current, slow);
                crashed += !slow;
                if (!(pid[k] = fork())) work(&n[k], seed, n[k].current + cores, cores, end);
            }
        }
    }
    for (int k = 0; k < cores; k++)
        for (int g = 0; g < ngroups; g++)
            for (int o = 0; o < OUTCOMES; o++) all.tried[g][o] += n[k].tried[g][o];
    int64_t faults = print_counts(&all) + crashed;
    free(pid);
    return faults > 0;
}

int main(void) {
    const char *seconds = getenv("HUNT_TIME"), *text_seed = getenv("HUNT_SEED"), *only = getenv("HUNT_CASE");
    uint64_t seed = text_seed && *text_seed ? strtoull(text_seed, NULL, 10)
                    : seconds               ? (uint64_t)time(NULL)
                                            : 1;
    loud = getenv("HUNT_LOUD") != NULL;
    if (seconds) return hunt(atoi(seconds), seed);
    if (loud) return aloud(getenv("HUNT_CASES") ? atoll(getenv("HUNT_CASES")) : CASES);
    if (only) {
        counts n = {.current = 0};
        lua_State *L = laboratory();
        one(L, seed, atoll(only), NULL, &n);
        lua_close(L);
        return 0;
    }
    struct CMUnitTest tests[MAX_GROUPS];
    for (int g = 0; g < ngroups; g++)
        tests[g] = (struct CMUnitTest){groups[g].name, fixed_seeds, NULL, NULL, (void *)&groups[g]};
    return _cmocka_run_group_tests("hunt", tests, (size_t)ngroups, NULL, NULL);
}
