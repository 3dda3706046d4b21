/* wide.c: see wide.h. */
#include "verify/wide.h"

void ver_fmpz_set(fmpz_t out, int64_t k) {
    if (k >= WORD_MIN && k <= WORD_MAX) {
        fmpz_set_si(out, (slong)k);
        return;
    }
    uint64_t size = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    fmpz_set_ui(out, (ulong)(size >> 32));
    fmpz_mul_2exp(out, out, 32);
    fmpz_add_ui(out, out, (ulong)(size & UINT32_MAX));
    if (k < 0) fmpz_neg(out, out);
}

bool ver_fmpz_fits(const fmpz_t z) {
    if (fmpz_bits(z) < 64) return true;
    return fmpz_sgn(z) < 0 && fmpz_bits(z) == 64 && fmpz_val2(z) == 63; /* −2^63 */
}

int64_t ver_fmpz_get(const fmpz_t z) {
    if (fmpz_fits_si(z)) return fmpz_get_si(z);
    fmpz_t low, high;
    fmpz_init(low);
    fmpz_init(high);
    fmpz_abs(high, z);
    fmpz_fdiv_r_2exp(low, high, 32);
    fmpz_fdiv_q_2exp(high, high, 32);
    uint64_t size = (uint64_t)fmpz_get_ui(high) << 32 | (uint64_t)fmpz_get_ui(low);
    fmpz_clear(low);
    fmpz_clear(high);
    if (fmpz_sgn(z) >= 0) return (int64_t)size;
    return size == (uint64_t)1 << 63 ? INT64_MIN : -(int64_t)size;
}

void ver_fmpq_set(fmpq_t out, int64_t num, int64_t den) {
    ver_fmpz_set(fmpq_numref(out), num);
    ver_fmpz_set(fmpq_denref(out), den);
}

static void set_arf(arf_t out, int64_t k) {
    if (k >= WORD_MIN && k <= WORD_MAX) {
        arf_set_si(out, (slong)k);
        return;
    }
    fmpz_t z;
    fmpz_init(z);
    ver_fmpz_set(z, k);
    arf_set_fmpz(out, z);
    fmpz_clear(z);
}

void ver_arb_set(arb_t out, ver_ratio q, slong prec) {
    set_arf(arb_midref(out), q.num);
    mag_zero(arb_radref(out));
    if (q.den == 1) return;
    fmpz_t z;
    fmpz_init(z);
    ver_fmpz_set(z, q.den);
    arb_div_fmpz(out, out, z, prec);
    fmpz_clear(z);
}

void ver_acb_set(acb_t out, int64_t k) {
    set_arf(arb_midref(acb_realref(out)), k);
    mag_zero(arb_radref(acb_realref(out)));
    arb_zero(acb_imagref(out));
}

void ver_acb_div(acb_t out, int64_t k, slong prec) {
    fmpz_t z;
    fmpz_init(z);
    ver_fmpz_set(z, k);
    acb_div_fmpz(out, out, z, prec);
    fmpz_clear(z);
}
