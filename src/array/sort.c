/* sort.c: numbers in order, as whole numbers of the same order: by halves in vectors where there is AVX-512, else digit by digit. */
#include "array/sort.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/parallel.h"

typedef struct {
    int64_t key;
    int64_t at;
} pair; /* a value, as a whole number of the same order, and where it stood */

/* ---- keys ---------------------------------------------------------------------------------------------- */

/* The bits of a double, those below the sign inverted when it is negative, are in the order of the numbers: whole
 * numbers compare without the branches that NaN needs. NaN stands after every number, -0 just before 0. */
static int64_t key_of(double x) {
    int64_t bits;
    if (isnan(x)) x = (double)NAN;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ ((bits >> 63) & INT64_MAX);
}

static double value_of(int64_t key) {
    double x;
    key ^= (key >> 63) & INT64_MAX;
    memcpy(&x, &key, sizeof x);
    return x;
}

static void insertion(pair *p, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        pair x = p[i];
        int64_t k = i;
        for (; k > 0 && x.key < p[k - 1].key; k--) p[k] = p[k - 1];
        p[k] = x;
    }
}

/* a[0..m) and a[m..n) in order: merged into b. Equal keys keep their order. */
static void merge(pair *b, const pair *a, int64_t m, int64_t n) {
    int64_t i = 0, k = m, to = 0;
    while (i < m && k < n && !((to & 4095) == 0 && ph_interrupted())) {
        bool right = a[k].key < a[i].key;
        b[to++] = a[right ? k : i];
        k += right;
        i += !right;
    }
    memcpy(b + to, a + i, (size_t)(m - i) * sizeof *b);
    memcpy(b + to + (m - i), a + k, (size_t)(n - k) * sizeof *b);
}

/* Long lines digit by digit of the key, the lowest first, each pass stable; a digit that all keys share is passed over, such as the
 * lowest ones of numbers that were f32. Returns where the result stands: in a or in b. Of 10^6 keys, in ms on a Zen 4: digits of
 * 8 bits take 22, of 9 18, of 10 15, of 11 25, whose 2048 places do not fit into the first cache. */
#define LONG       1024
#define DIGIT_BITS 10
#define DIGITS     7
#define RUN        128 /* numbers between two looks at the interrupt */
#define DIGIT(key, d)                                                                                        \
    (int)(((uint64_t)(key) ^ (uint64_t)INT64_MIN) >> ((d)*DIGIT_BITS) & ((1 << DIGIT_BITS) - 1))
#define BY_DIGITS(NAME, T, KEY)                                                                              \
    static void NAME##_pass(T *b, const T *a, int64_t *place, int d, int64_t n) {                            \
        for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += RUN)                                         \
            for (int64_t i = lo; i < n && i < lo + RUN; i++) b[place[DIGIT(KEY(a[i]), d)]++] = a[i];         \
    }                                                                                                        \
    static const T *NAME(T *a, T *b, int64_t n) {                                                            \
        int64_t place[DIGITS][1 << DIGIT_BITS] = {0};                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            for (int d = 0; d < DIGITS; d++) place[d][DIGIT(KEY(a[i]), d)]++;                                \
        for (int d = 0; d < DIGITS && !ph_interrupted(); d++) {                                              \
            if (place[d][DIGIT(KEY(a[0]), d)] == n) continue;                                                \
            int64_t before = 0;                                                                              \
            for (int k = 0; k < 1 << DIGIT_BITS; k++) {                                                      \
                const int64_t here = place[d][k];                                                            \
                place[d][k] = before;                                                                        \
                before += here;                                                                              \
            }                                                                                                \
            NAME##_pass(b, a, place[d], d, n);                                                               \
            T *t = a;                                                                                        \
            a = b;                                                                                           \
            b = t;                                                                                           \
        }                                                                                                    \
        return a;                                                                                            \
    }
#define ITSELF(key)   (key)
#define KEY_OF(place) (place).key
BY_DIGITS(keys_by_digits, int64_t, ITSELF)
BY_DIGITS(pairs_by_digits, pair, KEY_OF)

/* ---- keys in vectors of eight ---------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))

enum {
    REGISTERS = 16,
    FEW = 8 * REGISTERS, /* keys that are sorted in registers */
    MOST_HALVINGS = 64   /* one below another; with worse luck the rest goes digit by digit */
};

/* NaN is the one key of all NaN; bits that are negative are inverted below the sign. In place. */
WIDE static void keys_avx512(int64_t *x, int64_t n) {
    const __m512i low = _mm512_set1_epi64(INT64_MAX), nan = _mm512_castpd_si512(_mm512_set1_pd((double)NAN));
    for (int64_t i = 0; i < n; i += 8) {
        const __mmask8 m = n - i < 8 ? (__mmask8)((1 << (n - i)) - 1) : 0xff;
        __m512i v = _mm512_maskz_loadu_epi64(m, x + i);
        const __m512d d = _mm512_castsi512_pd(v);
        v = _mm512_mask_mov_epi64(v, _mm512_cmp_pd_mask(d, d, _CMP_UNORD_Q), nan);
        v = _mm512_mask_xor_epi64(v, _mm512_movepi64_mask(v), v, low);
        _mm512_mask_storeu_epi64(x + i, m, v);
    }
}

WIDE static void values_avx512(int64_t *x, int64_t n) {
    const __m512i low = _mm512_set1_epi64(INT64_MAX);
    for (int64_t i = 0; i < n; i += 8) {
        const __mmask8 m = n - i < 8 ? (__mmask8)((1 << (n - i)) - 1) : 0xff;
        const __m512i v = _mm512_maskz_loadu_epi64(m, x + i);
        _mm512_mask_storeu_epi64(x + i, m, _mm512_mask_xor_epi64(v, _mm512_movepi64_mask(v), v, low));
    }
}

/* Of lanes and their partners the lesser; where `upper` says so the greater. */
WIDE static inline __m512i exchange(__m512i v, __m512i partner, __mmask8 upper) {
    return _mm512_mask_mov_epi64(_mm512_min_epi64(v, partner), upper, _mm512_max_epi64(v, partner));
}

WIDE static inline __m512i reversed(__m512i v) {
    return _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
}

/* Lanes that rise and then fall, in order: Batcher's bitonic merge. */
WIDE static inline __m512i merge_lanes(__m512i v) {
    v = exchange(v, _mm512_shuffle_i64x2(v, v, 0x4e), 0xf0);
    v = exchange(v, _mm512_permutex_epi64(v, 0x4e), 0xcc);
    return exchange(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
}

WIDE static inline __m512i sort_lanes(__m512i v) {
    v = exchange(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
    v = exchange(v, _mm512_permutex_epi64(v, 0x1b), 0xcc);
    v = exchange(v, _mm512_permutex_epi64(v, 0xb1), 0xaa);
    return merge_lanes(_mm512_mask_mov_epi64(v, 0xf0, _mm512_permutex_epi64(v, 0x1b)));
}

/* r[0 … m/2) and r[m/2 … m) are in order: all of them. */
WIDE static inline __attribute__((always_inline)) void merge_registers(__m512i *r, int m) {
    for (int i = 0; i < m / 4; i++) {
        const __m512i t = reversed(r[m / 2 + i]);
        r[m / 2 + i] = reversed(r[m - 1 - i]);
        r[m - 1 - i] = t;
    }
    if (m == 2) r[1] = reversed(r[1]);
    for (int h = m / 2; h >= 1; h /= 2)
        for (int b = 0; b < m; b += 2 * h)
            for (int i = b; i < b + h; i++) {
                const __m512i t = _mm512_min_epi64(r[i], r[i + h]);
                r[i + h] = _mm512_max_epi64(r[i], r[i + h]);
                r[i] = t;
            }
    for (int i = 0; i < m; i++) r[i] = merge_lanes(r[i]);
}

WIDE static inline __mmask8 lanes_of(int64_t left) {
    return left >= 8 ? 0xff : left <= 0 ? 0 : (__mmask8)((1 << left) - 1);
}

/* At most FEW keys; the lanes that are left over are greatest. */
WIDE static void few_avx512(int64_t *a, int64_t n) {
    __m512i r[REGISTERS];
    for (int i = 0; i < REGISTERS; i++)
        r[i] =
            sort_lanes(_mm512_mask_loadu_epi64(_mm512_set1_epi64(INT64_MAX), lanes_of(n - 8 * i), a + 8 * i));
    for (int b = 0; b < REGISTERS; b += 2) merge_registers(r + b, 2);
    for (int b = 0; b < REGISTERS; b += 4) merge_registers(r + b, 4);
    for (int b = 0; b < REGISTERS && n > 32; b += 8) merge_registers(r + b, 8);
    if (n > 64) merge_registers(r, 16);
    for (int i = 0; i < REGISTERS; i++) _mm512_mask_storeu_epi64(a + 8 * i, lanes_of(n - 8 * i), r[i]);
}

static int64_t middle(int64_t a, int64_t b, int64_t c) {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* The keys below p to the front of a, the others into b; how many are below. Compressed in a register, then stored whole: what lies
 * behind was read already, or is room. (A compressing store takes ten times as long on a Zen 4.) */
WIDE static int64_t split_avx512(int64_t *a, int64_t *b, int64_t p, int64_t n) {
    const __m512i at = _mm512_set1_epi64(p);
    int64_t low = 0, high = 0, i = 0;
    for (; i + 8 <= n && ((i & 0xffff) || !ph_interrupted()); i += 8) {
        const __m512i v = _mm512_loadu_si512(a + i);
        const __mmask8 below = _mm512_cmplt_epi64_mask(v, at);
        const int count = __builtin_popcount(below);
        _mm512_storeu_si512(a + low, _mm512_maskz_compress_epi64(below, v));
        _mm512_storeu_si512(b + high, _mm512_maskz_compress_epi64((__mmask8)~below, v));
        low += count;
        high += 8 - count;
    }
    for (; i < n && i + 8 > n; i++)
        if (a[i] < p) a[low++] = a[i];
        else b[high++] = a[i];
    return low;
}

/* None of n keys is below p: those that are p first. How many these are. */
static int64_t split_equal(int64_t *a, int64_t p, int64_t n) {
    int64_t equal = 0;
    for (int64_t i = 0; i < n; i++)
        if (a[i] == p) {
            a[i] = a[equal];
            a[equal++] = p;
        }
    return equal;
}

/* n keys of a in order, by halves about a middle one; b is room for n. */
WIDE static void halve_avx512(int64_t *a, int64_t *b, int64_t n, int left) {
    for (; n > FEW && !ph_interrupted(); left--) {
        if (left == 0) {
            const int64_t *sorted = keys_by_digits(a, b, n);
            if (sorted != a) memcpy(a, sorted, (size_t)n * sizeof *a);
            return;
        }
        const int64_t s = n / 9,
                      p = middle(middle(a[0], a[s], a[2 * s]), middle(a[3 * s], a[4 * s], a[5 * s]),
                                 middle(a[6 * s], a[7 * s], a[n - 1]));
        int64_t low = split_avx512(a, b, p, n);
        memcpy(a + low, b, (size_t)(n - low) * sizeof *a);
        if (low == 0) low = split_equal(a, p, n);
        else halve_avx512(a, b, low, left - 1);
        a += low;
        n -= low;
    }
    if (n <= FEW) few_avx512(a, n);
}
#endif

/* ---- lines ------------------------------------------------------------------------------------------------- */

/* Stable: by digits, or by merging runs of 16. Returns where the result stands: in p or in p+n. */
static const pair *sort_pairs(const double *x, pair *p, int64_t n) {
    pair *q = p + n;
    for (int64_t i = 0; i < n; i++) p[i] = (pair){key_of(x[i]), i};
    if (n >= LONG) return pairs_by_digits(p, q, n);
    for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += 16) insertion(p + lo, n - lo < 16 ? n - lo : 16);
    for (int64_t width = 16; width < n && !ph_interrupted(); width *= 2) {
        for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += 2 * width) {
            int64_t m = n - lo < width ? n - lo : width, both = n - lo < 2 * width ? n - lo : 2 * width;
            merge(q + lo, p + lo, m, both);
        }
        pair *t = p;
        p = q;
        q = t;
    }
    return p;
}

size_t arr_sort_scratch(int64_t n) { return 2 * (size_t)n * sizeof(pair); }

void arr_sort_line(double *x, void *scratch, int64_t n) {
    if (n < LONG) {
        const pair *p = sort_pairs(x, scratch, n);
        for (int64_t i = 0; i < n; i++) x[i] = value_of(p[i].key);
        return;
    }
#if defined(__x86_64__)
    if (ph_cpu() == PH_CPU_AVX512) {
        keys_avx512((int64_t *)x, n);
        halve_avx512((int64_t *)x, scratch, n, MOST_HALVINGS);
        values_avx512((int64_t *)x, n);
        return;
    }
#endif
    int64_t *keys = scratch;
    for (int64_t i = 0; i < n; i++) keys[i] = key_of(x[i]);
    const int64_t *sorted = keys_by_digits(keys, keys + n, n);
    for (int64_t i = 0; i < n; i++) x[i] = value_of(sorted[i]);
}

void arr_argsort_line(double *x, void *scratch, int64_t n, int base) {
    for (int64_t i = 0; i < n; i++) x[i] += 0.0; /* -0 becomes 0: equal numbers keep their order */
    const pair *p = sort_pairs(x, scratch, n);
    for (int64_t i = 0; i < n; i++) x[i] = (double)(p[i].at + base);
}
