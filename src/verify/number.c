/* number.c: a real number in a ball, as the rest of the house sees it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/box.h"

#define DIGIT_BITS 3.3219280948873623 /* log2(10) */
#define DIGITS     20                 /* that are asked for by default */
#define LONGEST    1048576            /* exponents in bits beyond which decimals are not written */

int ver_digits_of(const ver_budget *b) { return b && b->digits ? b->digits : DIGITS; }
slong ver_bits_of(const ver_budget *b) { return (slong)(ver_digits_of(b) * DIGIT_BITS) + 4; }

struct ver_number {
    arb_t x;
};

ver_number *ver_number_new(const arb_t x) {
    ver_number *n = ph_alloc(sizeof *n);
    if (!n) return NULL;
    arb_init(n->x);
    arb_set(n->x, x);
    return n;
}

void ver_number_free(ver_number *n) {
    if (!n) return;
    arb_clear(n->x);
    ph_free(n);
}

static bool can_be_written(const arb_t x) {
    return arb_is_finite(x) && arf_cmpabs_2exp_si(arb_midref(x), LONGEST) < 0 &&
           mag_cmp_2exp_si(arb_radref(x), LONGEST) < 0 &&
           (arf_is_zero(arb_midref(x)) || arf_cmpabs_2exp_si(arb_midref(x), -LONGEST) > 0);
}

static ph_status take(char **out, char *flint_text, ph_err *err) {
    *out = ph_strdup(flint_text);
    size_t n = strlen(flint_text);
    flint_free(flint_text);
    return *out ? PH_OK : ph_fail_nomem(err, n + 1);
}

/* "[3.1416 +/- 7.4e-6]" -> "3.1416 ± 7.4e-6", "[+/- 1e-30]" -> "0 ± 1e-30" */
static void open_brackets(char *s) {
    size_t n = strlen(s);
    if (s[0] != '[') return;
    memmove(s, s + 1, n - 1);
    s[n - 2] = 0;
    char *sign = strstr(s, "+/-");
    if (sign == s) {
        memmove(s + 5, s + 4, strlen(s + 4) + 1);
        memcpy(s, "0 ± ", 5);
    } else if (sign) {
        memcpy(sign, "±", 2);
        memmove(sign + 2, sign + 3, strlen(sign + 3) + 1);
    }
}

/* What has no decimals of bearable length: "below 2^1234567 in size". */
static ph_status size_text(char **out, const ver_number *n, ph_err *err) {
    mag_t m;
    fmpz_t e;
    mag_init(m);
    fmpz_init(e);
    arb_get_mag(m, n->x);
    fmpz_set(e, MAG_EXPREF(m));
    char *power = fmpz_get_str(NULL, 10, e);
    ph_status st = strlen(power) > 40 ? ver_set(out, err, "below 2^(10^%zu) in size", strlen(power))
                                      : ver_set(out, err, "below 2^%s in size", power);
    flint_free(power);
    mag_clear(m);
    fmpz_clear(e);
    return st;
}

ph_status ver_number_text(char **out, const ver_number *n, int digits, ph_err *err) {
    *out = NULL;
    if (!can_be_written(n->x)) return size_text(out, n, err);
    ph_status st = take(out, arb_get_str(n->x, digits, 0), err);
    if (!st) open_brackets(*out);
    return st;
}

ph_status ver_number_digits(char **out, const ver_number *n, int digits, ph_err *err) {
    *out = NULL;
    if (!can_be_written(n->x))
        return ph_fail(err, PH_EBUDGET, "the number is too long to be written in decimals");
    return take(out, arb_get_str(n->x, digits, ARB_STR_NO_RADIUS), err);
}

double ver_number_mid(const ver_number *n) { return arf_get_d(arb_midref(n->x), ARF_RND_NEAR); }

double ver_number_radius(const ver_number *n) {
    arf_t r;
    arf_init(r);
    arf_set_mag(r, arb_radref(n->x));
    double d = arf_get_d(r, ARF_RND_CEIL);
    arf_clear(r);
    return d;
}

static double end(const ver_number *n, bool upper) {
    arf_t x;
    arf_init(x);
    if (upper) arb_get_ubound_arf(x, n->x, 128);
    else arb_get_lbound_arf(x, n->x, 128);
    double d = arf_get_d(x, upper ? ARF_RND_CEIL : ARF_RND_FLOOR);
    arf_clear(x);
    return d;
}

double ver_number_lower(const ver_number *n) { return end(n, false); }
double ver_number_upper(const ver_number *n) { return end(n, true); }

bool ver_number_overlaps(const ver_number *a, const ver_number *b) { return arb_overlaps(a->x, b->x); }

bool ver_number_contains_double(const ver_number *n, double x) {
    arf_t v;
    if (!isfinite(x)) return false;
    arf_init(v);
    arf_set_d(v, x);
    bool in = arb_contains_arf(n->x, v);
    arf_clear(v);
    return in;
}

ph_status ver_number_contains(bool *out, const ver_number *n, const expr_node *constant, ph_err *err) {
    ver_box none = {.n = 0};
    ver_point p;
    acb_t z;
    acb_init(z);
    ver_point_init(&p, &none);
    ph_status st = PH_OK;
    for (slong prec = 128;; prec *= 2) {
        st = ver_point_ball(z, VER_VALUE, constant, &p, prec, err);
        if (!st && !acb_is_finite(z) && prec >= 1024)
            st = ph_fail(err, PH_EDOMAIN, "contains: the constant is undefined");
        if (!st && acb_is_finite(z) && !arb_contains_zero(acb_imagref(z)))
            st = ph_fail(err, PH_EDOMAIN, "contains: the constant is not real");
        if (st) break;
        bool real = acb_is_real(z);
        if (real && arb_contains(n->x, acb_realref(z))) *out = true;
        else if (acb_is_finite(z) && !arb_overlaps(n->x, acb_realref(z))) *out = false;
        else if (prec < VER_MAX_BITS) continue;
        else st = ph_fail(err, PH_EBUDGET, "contains: too near the rim of the ball to be decided");
        break;
    }
    ver_point_clear(&p);
    acb_clear(z);
    return st;
}
