/* Numbers beyond 32 bits, which FLINT's own integers have where long has 32: what is said of them is the same everywhere.
 * Sources: verify/logarithms.c verify/radicand.c verify/reading_powers.c verify/wide.c */
#include "verify/flint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "judged.h"
#include "verify/wide.h"

static void words_come_back(void **state) {
    (void)state;
    static const int64_t words[] = {0,
                                    1,
                                    -1,
                                    INT32_MAX,
                                    INT32_MIN,
                                    (int64_t)INT32_MAX + 1,
                                    (int64_t)INT32_MIN - 1,
                                    UINT32_MAX,
                                    INT64_C(1) << 32,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MIN + 1,
                                    INT64_C(-6000000006)};
    fmpz_t z;
    char digits[32];
    fmpz_init(z);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ver_fmpz_set(z, words[i]);
        snprintf(digits, sizeof digits, "%lld", (long long)words[i]);
        char *got = fmpz_get_str(NULL, 10, z);
        assert_string_equal(got, digits);
        flint_free(got);
        assert_true(ver_fmpz_fits(z));
        assert_true(ver_fmpz_get(z) == words[i]);
    }
    fmpz_set_str(z, "9223372036854775808", 10);
    assert_false(ver_fmpz_fits(z));
    fmpz_set_str(z, "-9223372036854775809", 10);
    assert_false(ver_fmpz_fits(z));
    fmpz_clear(z);
}

/* 3000000019 and 6000000007 are primes, 1705032710 is 6000000006 without 2^32. Not of exponents: beyond 10^9 the prover is out of budget
 * where long has 32 bits. */
static void numbers_of_33_bits_and_more(void **state) {
    (void)state;
    static const struct {
        const char *text, *line;
    } rows[] = {
        {"log(6000000006) = log(2) + log(3000000003)", "proved; 7 terms"},
        {"log(6000000006) = log(1705032710)", "refuted: left side 22.515025, right side 21.256850"},
        {"log(6000000038) = log(2) + log(3000000019)", "proved; 2 terms"},
        {"log(6000000007*k) = log(6000000007) + log(k)", "proved for all positive k; 2 terms"},
        {"log(9223372036854775807/k) = log(9223372036854775807) - log(k)",
         "proved for all positive k; 7 terms"},
        {"sqrt(3000000019*k)*sqrt(k) = k*sqrt(3000000019)", "proved for all positive k; 1 term"},
        {"sqrt(3000000019)*sqrt(6000000007) = sqrt(3000000019*6000000007)", "proved; 1 term"},
        {"sqrt(9000000114000000361) = 3000000019", "proved; 1 term"},
        {"3000000019^x*3000000019^x = 9000000114000000361^x", "proved for all real x; 1 term"},
        {"3000000019^n*6000000007^n = (3000000019*6000000007)^n", "proved for all integer n; 1 term"},
        {"cos(6000000006*x) + cos(x/4) = cos(1705032710*x) + cos(x/4)",
         "refuted: x = 1: left side -0.030303815, right side 1.8733916"},
        {"n^2 + 3000000019 >= 0", "proved for all integer n"},
        {"(x - 3000000019)^2 >= 0", "proved for all real x"},
        {"(n - 3000000019)^2 > 0", "refuted: n = 3000000019: left side 0, right side 0"},
        {"(n - 3000000019)*(n - 3000000020) >= 0", "proved for all integer n"},
        {"θ[3000000019] = θ[3000000019 - 4294967296]",
         "refuted: θ[3000000019] = 9/2, θ[-1294967277] = 14/3: left side 4.5000000, right side 4.6666667"},
        {"acos(cos(3000000019)) = 3000000019", "refuted: left side 1.8826303, right side 3.0000000e+9"},
        {"sqrt(1 + 6000000006*x^2) >= 1", "proved for all real x"},
        {"sqrt(x^2 - 6000000006*x + 9000000018000000009) = abs(x - 3000000003)",
         "proved for all real x; 2 terms"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_verdict v;
        char *line = NULL;
        judge(&v, rows[i].text, (const char *[]){NULL});
        assert_int_equal(ver_text(&line, &v, VER_EN, false, NULL), PH_OK);
        if (strcmp(line, rows[i].line) != 0) fail_msg("%s: %s; wanted %s", rows[i].text, line, rows[i].line);
        ph_free(line);
        ver_clear(&v);
    }
}

/* 4294967357 is a prime, 2^32 + 61: by its last 32 bits the first was proved, before points far out are tried. Of all x a point with a small x
 * refutes it before. */
static void primes_of_33_bits_in_orders(void **state) {
    (void)state;
    static const struct {
        const char *text;
        ver_strength is;
    } rows[] = {
        {"4294967357^x <= 61^x", VER_REFUTED},
        {"4294967357^x*61^x <= 3721^x", VER_REFUTED},
        {"4294967357^x*61^x <= 261993008777^x", VER_PROVED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (judged(rows[i].text, (const char *[]){"x > 10000000000", NULL}) != rows[i].is)
            fail_msg("%s", rows[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_back),
        cmocka_unit_test(numbers_of_33_bits_and_more),
        cmocka_unit_test(primes_of_33_bits_in_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
