/* Inductions whose given equations no sequence meets: anything would be proved. Each stands beside one that has a sequence.
 * Sources: verify/induct.c verify/recurrence.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../lua/lab.h"

#define SYMBOLS                                                                                              \
    "a, b, z, c, k, h = sym 'a', sym 'b', sym('z', 'complex'), sym('c', 'integer'), sym('k', 'positive'), "  \
    "sym('h', 'natural'); n, x, y = sym('n', 'integer'), sym 'x', sym 'y'; return tostring(induct("
#define NONE   "unknown: undefined: the given equations contradict each other"
#define UNSEEN "unknown: outside the theory: it is not seen that the given equations can all hold"

static const struct {
    const char *asked, *wanted;
} cases[] = {
    /* a start behind the base */
    {"eq(a[n], 2^n), n, 0, {eq(a[n+1], 2*a[n]), eq(a[0], 1), eq(a[10], 1024)}",
     "proved for all integers n >= 0"},
    {"eq(a[n], 2^n), n, 0, {eq(a[n+1], 2*a[n]), eq(a[0], 1), eq(a[10], 1023)}", NONE},
    {"eq(a[n], 1), n, 0, {eq(a[n+1], a[n]^2), eq(a[0], 1), eq(a[5], -1)}", NONE},
    {"eq(a[n], 1), n, 6, {eq(a[n+1], a[n]^2), eq(a[5], -1)}", "proved for all integers n >= 6"},
    {"eq(a[n], x), n, 0, {eq(a[n+1], a[n]), eq(a[0], x), eq(a[1], x + 1)}", NONE},
    {"{eq(a[n], 2^n), eq(b[n], 2^n)}, n, 0, {eq(a[n+1], 2*b[n]), eq(b[n+1], 2*a[n]), eq(a[0], 1), eq(b[0], 1), eq(b[4], 17)}",
     NONE},
    /* two starts of which one gives the other, before the base */
    {"eq(a[n], 4*n), n, 3, {eq(a[n+1], a[n] + 4), eq(a[0], 0), eq(a[1], 4)}",
     "proved for all integers n >= 3"},
    {"eq(a[n], 4), n, 3, {eq(a[n+1], a[n]), eq(a[0], 5), eq(a[1], 4)}", NONE},
    /* what they ask of a symbol is a condition */
    {"eq(a[n], x), n, 0, {eq(a[n+1], a[n]), eq(a[0], x), eq(a[3], y)}",
     "proved for all integers n >= 0, when the given equations hold with y = x"},
    {"eq(a[n], x), n, 0, {eq(a[n+1], a[n]), eq(a[0], x), eq(a[3], y), eq(a[5], y + 1)}", NONE},
    {"eq(a[n], x), n, 0, {eq(a[n+1], a[n]), eq(a[0], x), eq(a[3], 1), eq(a[5], 2)}", NONE},
    /* a second recurrence of the same family */
    {"eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[n+2], a[n] + 2), eq(a[0], 0)}",
     "proved for all integers n >= 0"},
    {"eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[n+2], a[n] + 3), eq(a[0], 0)}", NONE},
    {"eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[n+2], 2*a[n] + 2), eq(a[0], 0)}", NONE},
    {"eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[n+2], a[n] + x), eq(a[0], 0)}", UNSEEN},
    {"eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[n+2], a[n] + x*n), eq(a[0], 0)}", UNSEEN},
    /* members that are not of the family's kind */
    {"eq(c[n], n*(n+1)/2), n, 0, {eq(c[n+1], c[n] + n + 1), eq(c[0], 0)}", "proved for all integers n >= 0"},
    {"eq(c[n], n/2), n, 0, {eq(c[n+1], c[n] + rat(1, 2)), eq(c[0], 0)}", NONE},
    {"eq(c[n], 2^(n-1)), n, 3, {eq(c[n+1], 2*c[n]), eq(c[0], rat(1, 2))}", NONE},
    {"eq(k[n], n + 1), n, 0, {eq(k[n+1], k[n] + 1), eq(k[0], 1)}", "proved for all integers n >= 0"},
    {"eq(k[n], n), n, 0, {eq(k[n+1], k[n] + 1), eq(k[0], 0)}", NONE},
    {"eq(h[n], n + 1), n, 0, {eq(h[n+1], h[n] + 1), eq(h[0], 1)}", "proved for all integers n >= 0"},
    {"eq(h[n], n), n, 0, {eq(h[n+1], h[n] + 1), eq(h[0], 0)}", NONE},
    {"eq(z[n], I), n, 0, {eq(z[n+1], z[n]), eq(z[0], I)}", "proved for all integers n >= 0"},
    {"eq(a[n], I), n, 0, {eq(a[n+1], a[n]), eq(a[0], I)}", NONE},
    {"eq(k[n], -x^2), n, 0, {eq(k[n+1], k[n]), eq(k[0], -x^2)}", NONE},
    /* of another symbol it may be */
    {"eq(k[n], x), n, 0, {eq(k[n+1], k[n]), eq(k[0], x)}", "proved for all integers n >= 0"},
};

static void nothing_is_proved_of_no_sequence(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char code[1000];
        snprintf(code, sizeof code, SYMBOLS "%s))", cases[i].asked);
        const char *seen = lab_eval(L, code);
        if (strncmp(seen, cases[i].wanted, strlen(cases[i].wanted)))
            print_error("induct(%s)\n  gives %s\n  wanted %s\n", cases[i].asked, seen, cases[i].wanted),
                wrong++;
        lua_settop(L, 0);
    }
    lua_close(L);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_proved_of_no_sequence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
