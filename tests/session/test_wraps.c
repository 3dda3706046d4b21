/* Integer arithmetic that wraps in typed text: what is refused, what is left alone, and random expressions against exact values.
 * Sources: session/nfc.c session/wraps.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "drive.h"
#include "session/wraps.h"

/* n is 2^32 before the text runs. */
static bool known(void *ctx, const char *name, size_t n, int64_t *value) {
    (void)ctx;
    *value = INT64_C(4294967296);
    return n == 1 && *name == 'n';
}

/* The part of the text that is refused; "" when nothing is. */
static const char *refused(const char *code) {
    static ph_err err;
    size_t at = 0;
    ph_status st = ses_wraps(code, strlen(code), false, known, NULL, &at, &err);
    if (st == PH_OK) return "";
    assert_int_equal(st, PH_EARG);
    *strstr(err.text, " is ") = 0;
    if (strncmp(code + at, err.text, strcspn(err.text, "\xE2")) != 0) /* up to … */

        fail_msg("%s: %s is not at %zu", code, err.text, at);
    return err.text;
}

static void wrapped_values_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *code, *part;
    } rows[] = {
        {"prove(x + (1<<32)*(1<<32), x)", "(1<<32)*(1<<32)"},
        {"x = 4294967296*4294967296", "4294967296*4294967296"},
        {"f(3, {a = {n*n}})", "n*n"},
        {"f(x)[n*n].y = 2", "n*n"},
        {"return x + -n*n", "-n*n"},
        {"x = 2*n*n/3", "2*n*n"},
        {"if n*n == 0 then y = 1 end", "n*n"},
        {"x = math.maxinteger*2", "math.maxinteger*2"},
        {"x = 3*math.mininteger - math.mininteger", "3*math.mininteger - math.mininteger"},
        {"x = 1 << 64", "1 << 64"},
        {"x = 0x100000000*0x100000000", "0x100000000*0x100000000"},
        {"x = 0x10000000000000005 + 0", "0x10000000000000005 + 0"},
        {"m = 8589934592; y = m*m", "m*m"},
        {"local m = 8589934592\ny = m*m", "m*m"},
        {"local m = n*2\ny = m*m", "m*m"},
        {"for i = 1, 3 do s = s + n*n end", "n*n"},
        {"a = 3 b = n*n", "n*n"},
        {"a = f 'x' b = n*n", "n*n"},
        {"t.n = 3; y = n*n", "n*n"},
        {"-- a comment\ny = n --[[ ]] *n", "n --[[ ]] *n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(refused(rows[i].code), rows[i].part) != 0)
            fail_msg("%s: refused '%s'; wanted '%s'", rows[i].code, refused(rows[i].code), rows[i].part);
}

/* True values, what a formula refuses by its size, and variables whose value the text alone does not tell. */
static void the_rest_is_left_alone(void **state) {
    (void)state;
    static const char *const rows[] = {
        "x = 3*4 - 5",
        "x = (1 << 63) - 1",
        "x = 9223372036854775807 + 1",
        "x = 0xFFFFFFFFFFFFFFFF",
        "x = ~0 << 3",
        "x = 2^64*2^64",
        "x = 4294967296.0*4294967296",
        "x = 1e10*1e10",
        "h = h*6364136223846793005 + 1442695040888963407",
        "function f(n) return n*n end",
        "function f(a, ...) local n = a return n*n end",
        "for n = 1, 3 do f(n*n) end",
        "for _, n in pairs(t) do f(n*n) end",
        "n = 5 n = n*n y = n*n",
        "n = f() y = n*n",
        "if a then n = 1 end y = n*n",
        "n, m = 1, 2 y = n*n",
        "x = n.y*n.y",
        "x = n[1]*n(2)",
        "x = t.n*t.n",
        "x = t:n(n)",
        "s = 'n*n' .. \"1<<64\"",
        "-- n*n",
        "x = n*y*n",
        "x = #n*n",
        "x = n and n",
        "goto n ::n:: x = 1",
        "local n <const> = 3 y = n*n",
        "x = n/n*n",
        "((",
        "x = ) * ] }",

        "n n n",
        "",
        "=",
        "x = 1 <<",
        "function",
        "local",
        "for",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (*refused(rows[i])) fail_msg("%s: refused '%s'", rows[i], refused(rows[i]));
}

/* ---- random expressions -------------------------------------------------------------------------------- */

__extension__ typedef __int128 wide;
typedef struct {
    wide truth;
    int64_t lua;
} value;

static uint64_t seed = 12345;
static unsigned draw(unsigned n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

/* Appends a random expression of few enough factors that 128 bits hold its value; its precedences are written out in brackets, except
 * where a random choice leaves them out and Lua's own rules (* before + and −, from the left) say the same. */
static value compose(char *out, int depth, int precedence) {
    static const int64_t leaf[] = {0, 1, 2, 3, 7, 1000, 4294967296, 2147483647, 65536};
    char *end = out + strlen(out);
    if (!depth || !draw(4)) {
        int64_t v = leaf[draw(9)];
        sprintf(end, "%lld", (long long)v);
        return (value){v, v};
    }
    unsigned op = draw(3);
    int own = op == 2 ? 2 : 1;
    bool brackets = precedence > own || draw(3) == 0;
    strcat(out, brackets ? "(" : "");
    value a = compose(out, depth - 1, own);
    strcat(out, op == 0 ? " + " : op == 1 ? " - " : "*");
    value b = compose(out, op == 2 ? 0 : depth - 1, own + 1), r;
    strcat(out, brackets ? ")" : "");
    r.truth = op == 0 ? a.truth + b.truth : op == 1 ? a.truth - b.truth : a.truth * b.truth;
    r.lua = (int64_t)(op == 0   ? (uint64_t)a.lua + (uint64_t)b.lua
                      : op == 1 ? (uint64_t)a.lua - (uint64_t)b.lua
                                : (uint64_t)a.lua * (uint64_t)b.lua);
    return r;
}

static void random_expressions_by_exact_values(void **state) {
    (void)state;
    int wrapped = 0;
    for (int i = 0; i < 20000; i++) {
        char text[4000] = "x = ";
        value v = compose(text, 3, 0); /* at most 2^(3·32+3) */
        bool wrong = v.truth != v.lua && v.lua <= (INT64_C(1) << 53) && v.lua >= -(INT64_C(1) << 53);
        if (wrong != (*refused(text) != 0)) fail_msg("%s: refused '%s'", text, refused(text));
        wrapped += wrong;
    }
    assert_true(wrapped > 200);
}

static void the_prompt_refuses_them(void **state) {
    (void)state;
    ses *s = open_session(false, 0);
    OK(s, "x = sym 'x'; λ = 4294967296; k = 5");
    FAILS(s, "prove(x + λ*λ, x)", "λ*λ is 0 in Lua");
    FAILS(s, "prove(x + math.maxinteger*2, x - 2)", "write rat");
    SHOWS(s, "k*k", "25");
    SHOWS(s, "math.maxinteger + 1 == math.mininteger", "true");
    FAILS(s, "prove(x + (math.maxinteger + 1), x)", "beyond 2^53");
    close_session(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrapped_values_are_refused),
        cmocka_unit_test(the_rest_is_left_alone),
        cmocka_unit_test(random_expressions_by_exact_values),
        cmocka_unit_test(the_prompt_refuses_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
