/* decimal.c: exact numbers as text: "-3", "22/7", "0.1", "1.5e-3". */
#include <string.h>

#include "expr/expr.h"

#define LARGEST_POWER 18 /* of ten, in 64 bits */

/* An unsigned decimal: digits·10^exponent. */
typedef struct {
    int64_t digits, exponent;
    bool any, too_long;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* d·10 + digit */
static void append(decimal *d, int digit) {
    if (__builtin_mul_overflow(d->digits, 10, &d->digits) ||
        __builtin_add_overflow(d->digits, digit, &d->digits))
        d->too_long = true;
}

/* Zeros are put off until a digit follows them: those at the end are an exponent, those in front nothing. */
static const char *read_digits(decimal *d, const char *p, bool fraction, int64_t *zeros) {
    for (; is_digit(*p); p++) {
        d->any = true;
        if (fraction) d->exponent--;
        if (*p == '0') {
            ++*zeros;
            continue;
        }
        for (; *zeros > 0; --*zeros)
            if (d->digits && !d->too_long) append(d, 0);
        if (!d->too_long) append(d, *p - '0');
    }
    return p;
}

static const char *read_exponent(decimal *d, const char *p) {
    if ((*p != 'e' && *p != 'E') || !(is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2]))))
        return p;
    bool minus = *++p == '-';
    int64_t e = 0;
    for (p += *p == '-' || *p == '+'; is_digit(*p); p++)
        if (e < 1000000) e = 10 * e + (*p - '0');
    d->exponent += minus ? -e : e;
    return p;
}

static const char *read_decimal(decimal *d, const char *p, bool integer) {
    int64_t zeros = 0;
    *d = (decimal){0};
    p = read_digits(d, p, false, &zeros);
    if (!integer && *p == '.') p = read_digits(d, p + 1, true, &zeros);
    d->exponent += zeros;
    return integer || !d->any ? p : read_exponent(d, p);
}

/* n/d of the decimal; false when that does not fit 64 bits. */
static bool fraction_of(int64_t *n, int64_t *d, const decimal *x) {
    int64_t scale = 1, k = x->exponent < 0 ? -x->exponent : x->exponent;
    *n = x->digits;
    *d = 1;
    if (x->too_long) return false;
    if (!x->digits) return true;
    if (k > LARGEST_POWER) return false;
    for (; k > 0; k--) scale *= 10;
    if (x->exponent < 0) *d = scale;
    return x->exponent <= 0 || !__builtin_mul_overflow(*n, scale, n);
}

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

ph_status expr_rat_text(expr_node **out, const char *text, ph_err *err) {
    decimal top, bottom;
    int64_t n, d, p, q = 1, unit = 1;
    *out = NULL;
    const char *at = skip_blanks(text);
    bool minus = *at == '-';
    at = read_decimal(&top, at + (*at == '-' || *at == '+'), false);
    bool fits = fraction_of(&n, &d, &top), fine = top.any;
    if (fine && *at == '/') {
        at = read_decimal(&bottom, at + 1, true);
        fine = bottom.any && d == 1;
        fits = fits && fraction_of(&q, &unit, &bottom) && unit == 1;
    }
    if (!fine || *skip_blanks(at))
        return ph_fail(err, PH_EARG,
                       "rat: '%.40s' is no exact number; wanted text such as \"0.1\", \"1e-3\" or \"22/7\"",
                       text);
    if (!fits || __builtin_mul_overflow(d, q, &q))
        return ph_fail(err, PH_EARG,
                       "rat: the number '%.40s%s' does not fit a fraction of 64 bits (about 18 digits)", text,
                       strlen(text) > 40 ? "…" : "");
    p = minus ? -n : n;
    return expr_rat(out, p, q, err);
}
