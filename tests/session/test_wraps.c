/* Integer arithmetic that wraps in typed text: what is refused, what is left alone, and random expressions against exact values.
 * Sources: session/nfc.c session/wraps.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flint/fmpz.h>

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
        "x = (1 << 63) - (1 << 63)",
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

typedef struct {
    fmpz_t truth;
    int64_t lua;
    bool far; /* a value on the way was too large to be followed */
} value;

static uint64_t seed = 12345;
static unsigned draw(unsigned n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

static void leaf(char *out, value *v, int64_t k) {
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)k);
    strcat(out, digits);
    fmpz_set_str(v->truth, digits, 10);
    v->lua = k;
    v->far = false;
}

/* Appends a random expression and computes it twice; its precedences are written out in brackets, except where a random choice leaves them
 * out and Lua's own rules (* before + and −, these before <<, from the left) say the same. */
static void compose(char *out, value *v, int depth, int precedence) {
    static const int64_t leaves[] = {0, 1, 2, 3, 7, 1000, 4294967296, 2147483647, 65536, INT64_MAX};
    static const char *const text[] = {" << ", " + ", " - ", "*"};
    static const int precedences[] = {0, 1, 1, 2};
    if (!depth || !draw(4)) {
        leaf(out, v, leaves[draw(10)]);
        return;
    }
    unsigned op = draw(4);
    int own = precedences[op];
    bool brackets = precedence > own || draw(3) == 0;
    value b;
    fmpz_init(b.truth);
    strcat(out, brackets ? "(" : "");
    compose(out, v, depth - 1, own);
    strcat(out, text[op]);
    if (op == 0) leaf(out, &b, draw(70));
    else compose(out, &b, depth - 1, own + 1);
    strcat(out, brackets ? ")" : "");
    uint64_t x = (uint64_t)v->lua, y = (uint64_t)b.lua;
    v->lua = (int64_t)(op == 0 ? (y < 64 ? x << y : 0) : op == 1 ? x + y : op == 2 ? x - y : x * y);
    v->far |= b.far || (op == 3 && fmpz_bits(v->truth) > 63 && fmpz_bits(b.truth) > 63);
    if (op == 0) fmpz_mul_2exp(v->truth, v->truth, (ulong)y);
    else (op == 1 ? fmpz_add : op == 2 ? fmpz_sub : fmpz_mul)(v->truth, v->truth, b.truth);
    v->far |= fmpz_bits(v->truth) > 126 || (op == 0 && y > 63 && !fmpz_is_zero(v->truth));
    fmpz_clear(b.truth);
}

static bool is_true(const value *v) {
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)v->lua);
    fmpz_t lua;
    fmpz_init(lua);
    fmpz_set_str(lua, digits, 10);
    bool same = fmpz_equal(lua, v->truth);
    fmpz_clear(lua);
    return same;
}

static void random_expressions_by_exact_values(void **state) {
    (void)state;
    int wrapped = 0, back = 0, far = 0;
    value v;
    fmpz_init(v.truth);
    for (int i = 0; i < 40000; i++) {
        char text[4000] = "x = ";
        compose(text, &v, 3, 0);
        bool formula = v.lua <= (INT64_C(1) << 53) && v.lua >= -(INT64_C(1) << 53);
        bool wrong = !is_true(&v) && formula;
        if (wrong != (*refused(text) != 0) && !v.far) fail_msg("%s: refused '%s'", text, refused(text));
        if (wrong && v.far && !*refused(text)) fail_msg("%s: not refused", text);
        wrapped += wrong;
        far += v.far;
        back += !wrong && formula && strstr(text, "9223372036854775807");
    }
    fmpz_clear(v.truth);
    print_message("  %d wrapped, %d true with the largest integer, %d too far to be followed\n", wrapped,
                  back, far);
    assert_true(wrapped > 2000 && back > 200 && far < 8000);
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
