/* phases.c: tables of sines and cosines, correct to the last bit or nearly so, by rotation in double-doubles.
 *
 * Rows are cut into pieces of PIECE. A piece starts from an angle reached by whole pieces (afresh by ph_dd_sincos every
 * FRESH of them, so that errors cannot pile up: each turn adds at most some 2^-103), goes on in steps of FINE rows, and a
 * row within is one more turn by 0 .. FINE-1 times θ.
 */
#include "encoding/phases.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define FINE  16
#define PIECE 256
#define FRESH 64
#define CHUNK 64 /* pairs at a time: an angle of each and FINE steps stay in the first caches */

typedef struct {
    void (*turn)(double *out, int64_t on, const double *z, int64_t zn, const double *w, int64_t wn,
                 int64_t n);
    void (*apart_f64)(double *, double *, const double *, const double *, int64_t, int64_t, int64_t);
    void (*apart_f32)(float *, float *, const double *, const double *, int64_t, int64_t, int64_t);
    void (*pairs_f64)(double *, const double *, const double *, int64_t, int64_t, int64_t);
    void (*pairs_f32)(float *, const double *, const double *, int64_t, int64_t, int64_t);
} kernels;

/* ---- the levels ---------------------------------------------------------------------------------------- */

static inline double lost_in_product(double a, double b, double p) { /* Dekker */
    ph_dd x = ph_split(a), y = ph_split(b);
    return ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
}

/* Entries of a loop do not meet: out may be z, but then at the same place. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define WIDE        ""
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#define WIDE        ",prefer-vector-width=512"
#else
#define INDEPENDENT
#define WIDE ""
#endif

#define TARGET
#define FN(f)         f##_baseline
#define LOST(a, b, p) lost_in_product(a, b, p)
#include "encoding/phases_kernels.inc"

#if defined(__x86_64__)
#define LOST(a, b, p) __builtin_fma(a, b, -(p)) /* exact, so the bits are those of Dekker's product */
#define TARGET        __attribute__((target("avx2,fma")))
#define FN(f)         f##_avx2
#include "encoding/phases_kernels.inc"

#define TARGET        __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma" WIDE)))
#define FN(f)         f##_avx512
#define LOST(a, b, p) __builtin_fma(a, b, -(p))
#include "encoding/phases_kernels.inc"

/* Every machine with AVX2 that was built has fused multiply-adds too; a virtual one may hide them. */
static const kernels *choose(void) {
    if (!__builtin_cpu_supports("fma")) return &level_baseline;
    switch (ph_cpu()) {
    case PH_CPU_AVX512: return &level_avx512;
    case PH_CPU_AVX2: return &level_avx2;
    default: return &level_baseline;
    }
}
#else
static const kernels *choose(void) { return &level_baseline; }
#endif

/* ---- consecutive positions ----------------------------------------------------------------------------- */

typedef struct {
    const enc_sink *to;
    const enc_positions *at;
    const ph_dd *theta;
    int64_t pairs, pieces;
    double scale;
    const kernels *k;
    double *fine;   /* FINE angles: 0, θ, 2θ, … */
    double *step;   /* FINE θ */
    double *starts; /* of every piece; times scale */
} plan;

static void set_angle(double *row, int64_t pairs, int64_t i, ph_dd t, ph_dd theta, double scale) {
    ph_dd s, c;
    ph_dd_sincos(&s, &c, ph_dd_mul(t, theta));
    if (scale != 1) s = ph_dd_mul_d(s, scale), c = ph_dd_mul_d(c, scale);
    row[i] = s.hi, row[pairs + i] = s.lo, row[2 * pairs + i] = c.hi, row[3 * pairs + i] = c.lo;
}

static void set_row(const plan *p, double *row, ph_dd t, double scale) {
    for (int64_t i = 0; i < p->pairs; i++) set_angle(row, p->pairs, i, t, p->theta[i], scale);
}

/* row 0 of `to` to row `rows`-1, each a turn by `by` from the one before; row 0 is there. */
static void set_rows(const plan *p, double *to, int64_t rows, const double *by) {
    for (int64_t r = 1; r < rows; r++)
        p->k->turn(to + 4 * p->pairs * r, p->pairs, to + 4 * p->pairs * (r - 1), p->pairs, by, p->pairs,
                   p->pairs);
}

static void prepare(plan *p, double *leap) {
    int64_t n = p->at->n, row = 4 * p->pairs;
    set_row(p, p->fine, ph_dd_of(0), 1);
    if (n > 1) {
        set_row(p, p->fine + row, ph_dd_of(1), 1);
        set_rows(p, p->fine + row, (n < FINE ? n : FINE) - 1, p->fine + row);
    }
    if (n > FINE) set_row(p, p->step, ph_dd_of(FINE), 1);
    if (n > PIECE) set_row(p, leap, ph_dd_of(PIECE), 1);
    for (int64_t k = 0; k < p->pieces; k += FRESH) {
        int64_t rows = p->pieces - k < FRESH ? p->pieces - k : FRESH;
        set_row(p, p->starts + row * k, ph_two_sum(p->at->first, (double)(k * PIECE)), p->scale);
        set_rows(p, p->starts + row * k, rows, leap);
    }
}

/* Row r, pairs i .. i+n-1: the angle z plus the fine angle f. */
static void store_row(const plan *p, int64_t r, int64_t i, int64_t n, const double *z, const double *f) {
    const enc_sink *to = p->to;
    int64_t at = r * to->row + i * to->step;
    if (to->dtype == ARR_F64) {
        double *s = (double *)to->sin + at, *c = (double *)to->cos + at;
        if (to->step == 2) p->k->pairs_f64(s, z, f, CHUNK, p->pairs, n);
        else p->k->apart_f64(s, c, z, f, CHUNK, p->pairs, n);
    } else {
        float *s = (float *)to->sin + at, *c = (float *)to->cos + at;
        if (to->step == 2) p->k->pairs_f32(s, z, f, CHUNK, p->pairs, n);
        else p->k->apart_f32(s, c, z, f, CHUNK, p->pairs, n);
    }
}

static void fill_piece(void *ctx, int64_t piece) {
    const plan *p = ctx;
    int64_t first = piece * PIECE, end = first + PIECE < p->at->n ? first + PIECE : p->at->n;
    double z[4 * CHUNK];
    for (int64_t i = 0; i < p->pairs; i += CHUNK) {
        int64_t n = p->pairs - i < CHUNK ? p->pairs - i : CHUNK;
        const double *start = p->starts + 4 * p->pairs * piece + i;
        for (int part = 0; part < 4; part++)
            memcpy(z + part * CHUNK, start + part * p->pairs, (size_t)n * sizeof *z);
        for (int64_t r = first; r < end; r++) {
            int64_t f = (r - first) % FINE;
            if (f == 0 && r > first) p->k->turn(z, CHUNK, z, CHUNK, p->step + i, p->pairs, n);
            store_row(p, r, i, n, z, p->fine + 4 * p->pairs * f + i);
        }
    }
}

static void put(const enc_sink *to, int64_t r, int64_t i, double s, double c) {
    int64_t at = r * to->row + i * to->step;
    if (to->dtype == ARR_F64) ((double *)to->sin)[at] = s, ((double *)to->cos)[at] = c;
    else ((float *)to->sin)[at] = (float)s, ((float *)to->cos)[at] = (float)c;
}

/* A table that starts below 0 reaches position 0 by cancellation, which leaves some 1e-32 where 0 belongs. */
static void set_position_zero(const plan *p) {
    double r = -p->at->first;
    if (!(r >= 0 && r < (double)p->at->n && r == floor(r))) return;
    for (int64_t i = 0; i < p->pairs; i++) put(p->to, (int64_t)r, i, 0, p->scale);
}

static ph_status fill_run(plan *p, ph_err *err) {
    ph_status st = PH_OK;
    size_t bytes;
    double *work = NULL;
    p->pieces = (p->at->n + PIECE - 1) / PIECE;
    if (!ph_shape_bytes(&bytes, (int64_t[]){p->pieces + FINE + 2, 4, p->pairs}, 3, sizeof(double)))
        return ph_fail_nomem(err, SIZE_MAX);
    if (!(work = ph_block_alloc(bytes))) return ph_fail_nomem(err, bytes);
    p->fine = work;
    p->step = work + 4 * p->pairs * FINE;
    p->starts = p->step + 8 * p->pairs;
    prepare(p, p->step + 4 * p->pairs);
    st = ph_parallel(fill_piece, p, p->pieces, err);
    if (st == PH_OK) set_position_zero(p);
    ph_block_free(work, bytes);
    return st;
}

/* ---- any positions ------------------------------------------------------------------------------------- */

#define LISTED 8 /* positions of a list in a piece */

static void fill_listed(void *ctx, int64_t piece) {
    const plan *p = ctx;
    int64_t end = (piece + 1) * LISTED < p->at->n ? (piece + 1) * LISTED : p->at->n;
    for (int64_t r = piece * LISTED; r < end; r++)
        for (int64_t i = 0; i < p->pairs; i++) {
            double row[4];
            set_angle(row, 1, 0, ph_dd_of(p->at->list[r]), p->theta[i], p->scale);
            put(p->to, r, i, row[0], row[2]);
        }
}

/* ---- doors --------------------------------------------------------------------------------------------- */

ph_status enc_fill(const enc_sink *to, const enc_positions *at, const ph_dd *theta, int64_t pairs,
                   double scale, ph_err *err) {
    if (at->n == 0 || pairs == 0) return PH_OK;
    plan p = {.to = to, .at = at, .theta = theta, .pairs = pairs, .scale = scale, .k = choose()};
    if (at->list) return ph_parallel(fill_listed, &p, (at->n + LISTED - 1) / LISTED, err);
    return fill_run(&p, err);
}

void enc_frequencies(ph_dd *theta, int64_t pairs, ph_dd log_base, double d) {
    for (int64_t i = 0; i < pairs; i++)
        theta[i] = ph_dd_exp(ph_dd_div(ph_dd_mul_d(log_base, -2.0 * (double)i), ph_dd_of(d)));
}

ph_status enc_positions_of(enc_positions *out, arr *copy, const enc_value *v, double offset, ph_err *err) {
    *copy = ARR_NONE;
    *out = (enc_positions){.n = v->whole, .first = offset};
    if (!v->array) return PH_OK;
    ph_status st = arr_convert(copy, v->array, ARR_F64, err);
    if (st != PH_OK) return st;
    double *t = (double *)copy->data;
    out->n = v->array->shape[0];
    if (offset != 0)
        for (int64_t r = 0; r < out->n; r++) t[r] += offset;
    bool run = true; /* first, first+1, …: the fast way */
    for (int64_t r = 1; run && r < out->n; r++) run = t[r] == t[0] + (double)r && fabs(t[r]) < 0x1p52;
    if (run && out->n > 0) out->first = t[0];
    else out->list = t;
    return PH_OK;
}

ph_status enc_new_rows(arr *out, arr_dtype t, int64_t n, int64_t columns, const char *who, ph_err *err) {
    size_t bytes;
    if (!ph_shape_bytes(&bytes, (int64_t[]){n, columns}, 2, arr_itemsize(t)))
        return ph_fail(err, PH_EARG, "%s: %lld positions of %lld columns are too many for any memory", who,
                       (long long)n, (long long)columns);
    return arr_new(out, t, 2, (int64_t[]){n, columns}, err);
}
