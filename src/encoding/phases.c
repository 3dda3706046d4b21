/* phases.c: tables of sines and cosines, correct to the last bit or nearly so, by rotation in double-doubles.
 *
 * Rows are cut into pieces of PIECE. A piece starts from an angle reached by whole pieces (afresh by ph_dd_sincos every
 * FRESH of them, so that errors cannot pile up: each turn adds at most some 2^-103), goes on in steps of FINE rows, and a
 * row within is one more turn by 0 .. FINE-1 times θ.
 */
#include "encoding/phases.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/parallel.h"

#define FINE  16
#define PIECE 256
#define FRESH 64
#define CHUNK 64 /* pairs at a time: an angle of each and FINE steps stay in the first caches */

typedef struct {
    void (*turn)(double *out, int64_t on, const double *z, int64_t zn, const double *w, int64_t wn,
                 int64_t n);
    void (*apart)(double *, double *, const double *, const double *, int64_t, int64_t, int64_t);
    void (*pairs)(double *, const double *, const double *, int64_t, int64_t, int64_t);
    bool (*apart_f32)(float *, int64_t, const double *, const double *, const int32_t *, int64_t);
    bool (*pairs_f32)(float *, int64_t, const double *, const double *, const int32_t *, int64_t);
    bool (*pairs_past)(float *, int64_t, const double *, const double *, const int32_t *,
                       int64_t); /* NULL: there is none */
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

#define LANES    2
#define IN_TURNS 0, 2, 1, 3
#define TARGET
#define FN(f)         f##_baseline
#define LOST(a, b, p) lost_in_product(a, b, p)
#include "encoding/phases_kernels.inc"

#if defined(__x86_64__)
#define LOST(a, b, p) __builtin_fma(a, b, -(p)) /* exact, so the bits are those of Dekker's product */
#define LANES         4
#define IN_TURNS      0, 4, 1, 5, 2, 6, 3, 7
#define TARGET        __attribute__((target("avx2,fma")))
#define FN(f)         f##_avx2
#include "encoding/phases_kernels.inc"

#define LANES         8
#define IN_TURNS      0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15
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
    ph_dd scale;
    const kernels *k;
    bool past;      /* entries are written past the caches */
    bool lines;     /* and a vector of pairs is a line of theirs, which the kernel writes itself */
    double *heads;  /* for floats: of the next */
    double *fine;   /* FINE angles: 0, θ, 2θ, … */
    double *step;   /* FINE θ */
    double *starts; /* of every piece; times scale */
} plan;

static void set_angle(double *row, int64_t pairs, int64_t i, ph_dd t, ph_dd theta, ph_dd scale) {
    ph_dd s = ph_dd_of(0), c = ph_dd_of(1);
    if (t.hi != 0) ph_dd_sincos(&s, &c, ph_dd_mul(t, theta));
    if (scale.hi != 1 || scale.lo != 0) s = ph_dd_mul(s, scale), c = ph_dd_mul(c, scale);
    row[i] = s.hi, row[pairs + i] = s.lo, row[2 * pairs + i] = c.hi, row[3 * pairs + i] = c.lo;
}

static void set_row(const plan *p, double *row, ph_dd t, ph_dd scale) {
    for (int64_t i = 0; i < p->pairs; i++) set_angle(row, p->pairs, i, t, p->theta[i], scale);
}

/* row 0 of `to` to row `rows`-1, each a turn by `by` from the one before; row 0 is there. */
static void set_rows(const plan *p, double *to, int64_t rows, const double *by) {
    for (int64_t r = 1; r < rows; r++)
        p->k->turn(to + 4 * p->pairs * r, p->pairs, to + 4 * p->pairs * (r - 1), p->pairs, by, p->pairs,
                   p->pairs);
}

/* Steps for floats: a turn more than the last fine angle, and doubled till it is a leap, each time with twice the error: 2^-95 there, and
 * 2^-89 after FRESH leaps, where a float may be off by 2^-51. */
static void set_steps(const plan *p, double *leap) {
    const int64_t n = p->at->n, pairs = p->pairs;
    const double *fine = p->fine + 4 * pairs;
    if (n > FINE) p->k->turn(p->step, pairs, fine + 4 * pairs * (FINE - 2), pairs, fine, pairs, pairs);
    if (n <= PIECE) return;
    const double *from = p->step;
    double *to[2] = {p->starts, leap}; /* in turns; the starts are not there yet */
    _Static_assert(PIECE == 16 * FINE, "four doublings end in the second");
    for (int k = 0; k < 4; k++, from = to[(k - 1) % 2])
        p->k->turn(to[k % 2], pairs, from, pairs, from, pairs, pairs);
}

static void prepare(plan *p, double *leap) {
    int64_t n = p->at->n, row = 4 * p->pairs;
    set_row(p, p->fine, ph_dd_of(0), ph_dd_of(1));
    if (n > 1) {
        set_row(p, p->fine + row, ph_dd_of(1), ph_dd_of(1));
        set_rows(p, p->fine + row, (n < FINE ? n : FINE) - 1, p->fine + row);
    }
    if (p->to->dtype == ARR_F32) set_steps(p, leap);
    else {
        if (n > FINE) set_row(p, p->step, ph_dd_of(FINE), ph_dd_of(1));
        if (n > PIECE) set_row(p, leap, ph_dd_of(PIECE), ph_dd_of(1));
    }
    for (int64_t k = 0; k < p->pieces; k += FRESH) {
        int64_t rows = p->pieces - k < FRESH ? p->pieces - k : FRESH;
        set_row(p, p->starts + row * k, ph_two_sum(p->at->first, (double)(k * PIECE)), p->scale);
        set_rows(p, p->starts + row * k, rows, leap);
    }
}

static void put(const enc_sink *to, int64_t r, int64_t i, double s, double c) {
    int64_t at = r * to->row + i * to->step;
    if (to->dtype == ARR_F64) ((double *)to->sin)[at] = s, ((double *)to->cos)[at] = c;
    else ((float *)to->sin)[at] = (float)s, ((float *)to->cos)[at] = (float)c;
}

/* Rows of a piece from r on, pairs i .. i+n-1: the angle z plus FINE fine angles, or as many as there are rows. */
static void store_f64(const plan *p, int64_t r, int64_t rows, int64_t i, int64_t n, const double *z) {
    _Alignas(64) double part[2 * CHUNK];
    const enc_sink *to = p->to;
    const double *f = p->fine + i;
    for (int64_t k = 0; k < rows; k++, f += 4 * p->pairs) {
        int64_t at = (r + k) * to->row + i * to->step;
        double *s = (double *)to->sin + at, *c = (double *)to->cos + at;
        double *to_s = p->past ? part : s, *to_c = p->past ? part + CHUNK : c;
        if (to->step == 2) p->k->pairs(to_s, z, f, CHUNK, p->pairs, n);
        else p->k->apart(to_s, to_c, z, f, CHUNK, p->pairs, n);
        if (!p->past) continue;
        ph_write_past(s, to_s, (size_t)(n * to->step) * sizeof *s);
        if (to->step == 1) ph_write_past(c, to_c, (size_t)n * sizeof *c);
    }
}

/* ---- floats ----
 *
 * A float needs no double-double where z and w do not cancel. With u = 2^-53 their heads are off by u of themselves, a product
 * by u, the sum by u: sin z cos w + cos z sin w is off by 3u (|sin z cos w| + |cos z sin w|) + u |sum|, and the cosine likewise:
 * 4u = 2^-51 at most, times the scale. An entry of 2^-20 or more has an ulp of 2^-44 or more, of which that is 2^-7: such
 * entries are within 0.51 ulp. A smaller one is computed afresh, as one of f64 is, unless it is small because its angle is.
 * Where |t theta| <= 1 in the whole piece, and t is a whole number or not below 0, z and w have one sign or
 * |z| + |w| <= 31 |t theta|: then the sine is off by 3u 31/0.84 + u of itself, 2^-46, and that is 2^-22 ulps. */
#define SMALL 0x1p-20

/* As bits. */
static void set_least(int32_t *least, const plan *p, int64_t piece, int64_t i, int64_t n) {
    double t = p->at->first + (double)(piece * PIECE), end = t + PIECE;
    double most = fabs(t) > fabs(end) ? fabs(t) : fabs(end);
    bool apart = p->at->first < 0 && p->at->first != floor(p->at->first);
    for (int64_t k = 0; k < n; k++) {
        float bound = !apart && most * p->theta[i + k].hi <= 1 ? 0 : (float)(SMALL * p->scale.hi);
        memcpy(least + k, &bound, sizeof bound);
    }
}

static bool below(float x, int32_t least) {
    float bound;
    memcpy(&bound, &least, sizeof bound);
    return fabsf(x) < bound;
}

static void set_small(const plan *p, int64_t r, int64_t i, int64_t n, const int32_t *least) {
    const enc_sink *to = p->to;
    for (int64_t k = i; k < i + n; k++) {
        int64_t at = r * to->row + k * to->step;
        double row[4];
        if (!below(((float *)to->sin)[at], least[k - i]) && !below(((float *)to->cos)[at], least[k - i]))
            continue;
        set_angle(row, 1, 0, enc_at(p->at, r), p->theta[k], p->scale);
        put(to, r, k, row[0], row[2]);
    }
}

/* The heads of the fine angles, for each CHUNK of pairs FINE rows of CHUNK sines and CHUNK cosines: in `fine` they lie a power of two
 * apart, where a cache has room for few. */
#define HEADS (FINE * 2 * CHUNK)
static void set_heads(const plan *p) {
    int64_t rows = p->at->n < FINE ? p->at->n : FINE;
    if (p->pairs % CHUNK) memset(p->heads + p->pairs / CHUNK * HEADS, 0, HEADS * sizeof *p->heads);
    for (int64_t i = 0; i < p->pairs; i++)
        for (int64_t k = 0; k < 2 * rows; k++)
            p->heads[i / CHUNK * HEADS + k * CHUNK + i % CHUNK] = p->fine[(2 * p->pairs) * k + i];
}

static void move(const plan *p, void *to, const void *from, size_t bytes) {
    if (p->past) ph_write_past(to, from, bytes);
    else memcpy(to, from, bytes);
}

static void store_f32(const plan *p, int64_t r, int64_t rows, int64_t i, int64_t n, const double *z,
                      const int32_t *least) {
    _Alignas(64) float s[FINE * 2 * CHUNK], *c = s + CHUNK;
    const enc_sink *to = p->to;
    const double *heads = p->heads + i / CHUNK * HEADS;
    const bool at_once = p->lines && n == CHUNK;
    bool small =
        at_once ? p->k->pairs_past((float *)to->sin + r * to->row + 2 * i, to->row, z, heads, least, rows)
                : (to->step == 2 ? p->k->pairs_f32 : p->k->apart_f32)(s, 2 * CHUNK, z, heads, least, rows);
    for (int64_t k = 0; k < rows && !at_once; k++) {
        int64_t at = (r + k) * to->row + i * to->step, row = k * 2 * CHUNK;
        move(p, (float *)to->sin + at, s + row, (size_t)(n * to->step) * sizeof *s);
        if (to->step == 1) move(p, (float *)to->cos + at, c + row, (size_t)n * sizeof *c);
    }
    for (int64_t k = 0; small && k < rows; k++) set_small(p, r + k, i, n, least);
}

static void fill_piece(void *ctx, int64_t piece) {
    const plan *p = ctx;
    int64_t first = piece * PIECE, end = first + PIECE < p->at->n ? first + PIECE : p->at->n;
    double z[4 * CHUNK];
    int32_t least[CHUNK];
    for (int64_t i = 0; i < p->pairs; i += CHUNK) {
        int64_t n = p->pairs - i < CHUNK ? p->pairs - i : CHUNK;
        if (n < CHUNK) memset(z, 0, sizeof z), memset(least, 0, sizeof least);
        const double *start = p->starts + 4 * p->pairs * piece + i;
        for (int part = 0; part < 4; part++)
            memcpy(z + part * CHUNK, start + part * p->pairs, (size_t)n * sizeof *z);
        set_least(least, p, piece, i, n);
        for (int64_t r = first; r < end; r += FINE) {
            int64_t rows = end - r < FINE ? end - r : FINE;
            if (r > first) p->k->turn(z, CHUNK, z, CHUNK, p->step + i, p->pairs, n);
            if (p->to->dtype == ARR_F64) store_f64(p, r, rows, i, n, z);
            else store_f32(p, r, rows, i, n, z, least);
        }
    }
    if (p->past) ph_written_past();
}

/* A table that starts below 0 reaches position 0 by cancellation, which leaves some 1e-32 where 0 belongs. */
static void set_position_zero(const plan *p) {
    double r = -p->at->first;
    if (!(r >= 0 && r < (double)p->at->n && r == floor(r))) return;
    for (int64_t i = 0; i < p->pairs; i++) put(p->to, (int64_t)r, i, 0, p->scale.hi);
}

static ph_status fill_run(plan *p, ph_err *err) {
    ph_status st = PH_OK;
    size_t bytes;
    double *work = NULL;
    int64_t whole = (p->pairs + CHUNK - 1) / CHUNK * CHUNK;
    p->pieces = (p->at->n + PIECE - 1) / PIECE;
    if (!ph_shape_bytes(&bytes, (int64_t[]){p->pieces + FINE + 2 + FINE / 2, 4, whole}, 3, sizeof(double)))
        return ph_fail_nomem(err, SIZE_MAX);
    if (!(work = ph_block_alloc(bytes))) return ph_fail_nomem(err, bytes);
    p->heads = work;
    p->fine = work + 2 * whole * FINE;
    p->step = p->fine + 4 * p->pairs * FINE;
    p->starts = p->step + 8 * p->pairs;
    prepare(p, p->step + 4 * p->pairs);
    if (p->to->dtype == ARR_F32) set_heads(p);
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
            set_angle(row, 1, 0, enc_at(p->at, r), p->theta[i], p->scale);
            put(p->to, r, i, row[0], row[2]);
        }
}

/* ---- doors --------------------------------------------------------------------------------------------- */

ph_status enc_fill(const enc_sink *to, const enc_positions *at, const ph_dd *theta, int64_t pairs,
                   ph_dd scale, ph_err *err) {
    if (at->n == 0 || pairs == 0) return PH_OK;
    plan p = {.to = to, .at = at, .theta = theta, .pairs = pairs, .scale = scale, .k = choose()};
    p.past = (size_t)at->n > PH_PAST / (2 * arr_itemsize(to->dtype)) / (size_t)pairs;
    p.lines = p.past && to->dtype == ARR_F32 && to->step == 2 && p.k->pairs_past &&
              (uintptr_t)to->sin % 64 == 0 && to->row % 16 == 0;
    if (at->list) return ph_parallel(fill_listed, &p, (at->n + LISTED - 1) / LISTED, err);
    return fill_run(&p, err);
}

void enc_frequencies(ph_dd *theta, int64_t pairs, ph_dd log_base, double d) {
    for (int64_t i = 0; i < pairs; i++)
        theta[i] = ph_dd_exp(ph_dd_div(ph_dd_mul_d(log_base, -2.0 * (double)i), ph_dd_of(d)));
}

static bool is_sum(double x, double a, double b) {
    ph_dd sum = ph_two_sum(a, b);
    return sum.hi == x && sum.lo == 0;
}

ph_status enc_positions_of(enc_positions *out, arr *copy, const enc_value *v, double offset, ph_err *err) {
    *copy = ARR_NONE;
    *out = (enc_positions){.n = v->whole, .first = offset};
    if (!v->array) return PH_OK;
    ph_status st = arr_convert(copy, v->array, ARR_F64, err);
    if (st != PH_OK) return st;
    const double *t = (const double *)copy->data;
    out->n = v->array->shape[0];
    bool run = out->n > 0; /* first, first+1, …, exactly: the fast way */
    for (int64_t r = 0; run && r < out->n; r++) run = is_sum(t[r], t[0], (double)r) && fabs(t[r]) < 0x1p52;
    if (run && is_sum(t[0] + offset, t[0], offset)) out->first = t[0] + offset;
    else out->list = t, out->offset = offset;
    return PH_OK;
}

ph_status enc_new_rows(arr *out, arr_dtype t, int64_t n, int64_t columns, const char *who, ph_err *err) {
    size_t bytes;
    if (!ph_shape_bytes(&bytes, (int64_t[]){n, columns}, 2, arr_itemsize(t)))
        return ph_fail(err, PH_EARG, "%s: %lld positions of %lld columns are too many for any memory", who,
                       (long long)n, (long long)columns);
    return arr_new(out, t, 2, (int64_t[]){n, columns}, err);
}
