/* Scenes: spans, ticks, reduction, colours, and what bad data do. Oracles are naive loops over all the data.
 * Sources: plot/canvas.c plot/colour.c plot/figure.c plot/reduce.c plot/text.c plot/ticks.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "plot/draw.h"

static ph_err err;

static plt_figure *single(void) {
    plt_figure *f;
    assert_int_equal(plt_new(&f, 1, 1, &err), PH_OK);
    return f;
}

static void add_line(plt_figure *f, int n, const double *x, const double *y) {
    assert_int_equal(plt_add(f->panel, PLT_LINE, n, x, y, NULL, NULL, NULL, 0, &err), PH_OK);
}

/* ---- ticks --------------------------------------------------------------------------------------------- */

static const struct {
    double lo, hi;
    bool log;
    int wanted;
    const char *labels; /* a space behind each */
} tick_cases[] = {
    {0, 1, false, 5, "0.0 0.2 0.4 0.6 0.8 1.0 "},
    {0, 10, false, 5, "0 2 4 6 8 10 "},
    {-1, 1, false, 4, "−1.0 −0.5 0.0 0.5 1.0 "},
    {0.1, 0.3, false, 2, "0.1 0.2 0.3 "},
    {3, 7, false, 1, "5 "},
    {0, 300000, false, 3, "0 $10^{5}$ $2×10^{5}$ $3×10^{5}$ "},
    {0, 2e-6, false, 2, "0 $10^{-6}$ $2×10^{-6}$ "},
    {1000, 1004, false, 4, "1000 1001 1002 1003 1004 "},
    {1, 1000, true, 4, "1 10 100 1000 "},
    {1e-6, 1, true, 7, "$10^{-6}$ $10^{-5}$ $10^{-4}$ $10^{-3}$ $10^{-2}$ $10^{-1}$ $10^{0}$ "},
    {1e-12, 1, true, 4, "$10^{-12}$ $10^{-9}$ $10^{-6}$ $10^{-3}$ $10^{0}$ "},
    {1, 20, true, 5, "1 2 5 10 20 "},
    {2, 3, true, 3, "2.0 2.5 3.0 "},
};

static void ticks_are_round(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof tick_cases / sizeof *tick_cases; k++) {
        plt_span s = {tick_cases[k].lo, tick_cases[k].hi, tick_cases[k].log, false};
        plt_ticks t;
        char all[1000] = "";
        plt_find_ticks(&t, &s, NULL, tick_cases[k].wanted);
        for (int i = 0; i < t.n; i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", t.label[i]);
        assert_string_equal(all, tick_cases[k].labels);
    }
}

/* For any span: at least one tick, all inside, ascending, not many more than wanted, no label twice. */
static void ticks_fit_any_span(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 7);
    for (int k = 0; k < 20000; k++) {
        double size = pow(10, 600 * ph_rng_uniform(&g) - 300), at = (2 * ph_rng_uniform(&g) - 1) * size;
        double width = fabs(at) * pow(10, -12 * ph_rng_uniform(&g)) + DBL_MIN;
        plt_span s = {at, at + width, false, false};
        if (k % 3 == 0)
            s = (plt_span){size, fmin(size * (1 + pow(10, 9 * ph_rng_uniform(&g) - 5)), 1e308), true, false};
        int wanted = 1 + (int)(12 * ph_rng_uniform(&g));
        plt_ticks t;
        if (!(s.hi > s.lo)) continue;
        plt_find_ticks(&t, &s, NULL, wanted);
        assert_in_range(t.n, s.log || wanted == 1 ? 0 : 1, 3 * wanted + 3);
        for (int i = 0; i < t.n; i++) {
            assert_true(t.at[i] >= s.lo * (s.lo > 0 ? 1 - 1e-9 : 1 + 1e-9) &&
                        t.at[i] <= s.hi * (s.hi > 0 ? 1 + 1e-9 : 1 - 1e-9));
            assert_true(strlen(t.label[i]) > 0);
            if (i) assert_true(t.at[i] > t.at[i - 1]);
            if (i && strcmp(t.label[i], t.label[i - 1]) == 0)
                fail_msg("two ticks %s in %.17g..%.17g", t.label[i], s.lo, s.hi);
        }
    }
}

/* ---- spans --------------------------------------------------------------------------------------------- */

static void spans_cover_the_data(void **state) {
    (void)state;
    const struct {
        double y[3];
        int n;
        bool log;
        double lo, hi; /* wanted, the room at the ends (5 %) left out */
    } cases[] = {
        {{1, 2, 3}, 3, false, 1, 3},       {{NAN, 2, INFINITY}, 3, false, 1, 3},
        {{NAN, NAN, NAN}, 3, false, 0, 1}, {{0}, 0, false, 0, 1},
        {{0, 0, 0}, 3, false, -0.5, 0.5},  {{-1, 0, 10}, 3, true, 10 / sqrt(10), 10 * sqrt(10)},
        {{-1, 0, -5}, 3, true, 1, 10},     {{1, 1 + 1e-15, 1}, 3, false, 0.5, 1.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const double x[] = {1, 2, 3};
        plt_figure *f = single();
        plt_span sx, sy;
        f->panel->y.log = cases[k].log;
        add_line(f, cases[k].n, x, cases[k].y);
        plt_spans(f->panel, &sx, &sy);
        double room = 0.1 * (cases[k].hi - cases[k].lo);
        assert_true(isfinite(sy.lo) && isfinite(sy.hi) && sy.lo < sy.hi);
        assert_true(fabs(sy.lo - cases[k].lo) <= room + 1e-9 && fabs(sy.hi - cases[k].hi) <= room + 1e-9);
        plt_drop(f);
    }
}

/* Every picture of hostile numbers is drawn: no infinite coordinates, no endless loop. */
static void hostile_numbers_are_drawn(void **state) {
    (void)state;
    static const double v[] = {0,       -0.0,     1,       -1,     NAN,    INFINITY, -INFINITY,
                               DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, 1e-300, 1e300,    1e16};
    enum { N = sizeof v / sizeof *v };
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            for (int mode = 0; mode < 4; mode++)
                for (plt_kind kind = PLT_LINE; kind <= PLT_RULES; kind++) {
                    double x[] = {v[a], v[b], 1}, y[] = {v[b], v[a], 2}, z[] = {v[(a + b) % N], 3, v[a]};
                    char *text;
                    plt_figure *f = single();
                    f->panel->x.log = mode & 1, f->panel->y.log = mode >> 1;
                    assert_int_equal(plt_add(f->panel, kind, 3, x, y, z, z, "s", 0, &err), PH_OK);
                    assert_int_equal(plt_svg(&text, NULL, f, NULL, &err), PH_OK);
                    if (strstr(text, "nan") || strstr(text, "inf"))
                        fail_msg("%g %g kind %d: %s", v[a], v[b], (int)kind, text);
                    ph_free(text);
                    assert_int_equal(plt_terminal(&text, NULL, f, &(plt_screen){40, 12, 0, mode & 1}, &err),
                                     PH_OK);
                    ph_free(text);
                    plt_drop(f);
                }
}

static void ranges_are_checked(void **state) {
    (void)state;
    plt_axis a = {.lo = NAN, .hi = NAN};
    assert_int_equal(plt_set_range(&a, 1, 1, "f", &err), PH_EARG);
    assert_string_equal(err.text, "f: both bounds are 1; wanted two different ones");
    assert_int_equal(plt_set_range(&a, -INFINITY, 1, "f", &err), PH_EARG);
    assert_int_equal(plt_set_range(&a, 3, 1, "f", &err), PH_OK);
    assert_true(a.flip && a.lo == 1 && a.hi == 3);
    a.log = true;
    assert_int_equal(plt_set_range(&a, 0, 1, "f", &err), PH_EARG);
    assert_string_equal(err.text, "f: a bound is 0; wanted positive ones on a logarithmic axis");
    plt_figure *f;
    assert_int_equal(plt_new(&f, 0, 1, &err), PH_EARG);
    assert_int_equal(plt_new(&f, 1, 33, &err), PH_EARG);
    assert_null(f);
}

/* ---- reduction ----------------------------------------------------------------------------------------- */

/* In every column the reduced line has the same first, last, least and greatest y as the whole. */
static void reduced_lines_look_the_same(void **state) {
    (void)state;
    enum { N = 60000, BINS = 100 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *rx, *ry;
    int64_t m;
    ph_rng g;
    ph_rng_seed(&g, 3);
    for (int mode = 0; mode < 3; mode++) {
        plt_span sx = {1, 1001, mode == 1, false}, sy = {-10, 10, false, false};
        for (int i = 0; i < N; i++) {
            x[i] = 1 + 999.9 * i / N;
            y[i] = sin(i * 0.001) + ph_rng_uniform(&g) * (i % 1000 == 7 ? 5 : 0.1);
            if (mode == 2 && i % 997 == 0) y[i] = NAN;
        }
        assert_int_equal(plt_reduce_line(&rx, &ry, &m, x, y, N, &sx, &sy, BINS, &err), PH_OK);
        assert_true(m <= 4 * BINS + (mode == 2 ? 5 * (N / 997 + 1) : 0));
        for (int bin = 0; bin < BINS; bin++) {
            double a[4] = {INFINITY, -INFINITY, NAN, NAN},
                   b[4] = {INFINITY, -INFINITY, NAN, NAN}; /* least, greatest, first, last */
            for (int pass = 0; pass < 2; pass++) {
                double *e = pass ? b : a, *u = pass ? rx : x, *v = pass ? ry : y;
                for (int64_t i = 0; i < (pass ? m : N); i++) {
                    if (isnan(v[i]) || (int)(plt_place(&sx, u[i]) * BINS) != bin) continue;
                    e[0] = fmin(e[0], v[i]), e[1] = fmax(e[1], v[i]), e[3] = v[i];
                    if (isnan(e[2])) e[2] = v[i];
                }
            }
            for (int k = 0; k < 4; k++) assert_true(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])));
        }
        ph_free(rx), ph_free(ry);
    }
    free(x), free(y);
}

/* The reduced band holds the whole one: at every x its edges, taken along the steps, are outside. */
static void reduced_bands_never_get_narrower(void **state) {
    (void)state;
    enum { N = 30000 };
    double *x = malloc(N * sizeof *x), *lo = malloc(N * sizeof *lo), *hi = malloc(N * sizeof *hi), *rx, *rl,
           *rh;
    int64_t m;
    plt_span s = {0, 1, false, false};
    for (int i = 0; i < N; i++)
        x[i] = (double)i / N, lo[i] = sin(40 * x[i]) - 0.01 * (i % 7), hi[i] = lo[i] + 0.001;
    assert_int_equal(plt_reduce_band(&rx, &rl, &rh, &m, x, lo, hi, N, &s, 200, &err), PH_OK);
    assert_true(m <= 401);
    for (int64_t i = 0, k = 0; i < N; i++) {
        while (k + 1 < m && rx[k + 1] < x[i]) k++;
        int64_t e = k + 1 < m ? k + 1 : k;
        double t = rx[e] > rx[k] ? (x[i] - rx[k]) / (rx[e] - rx[k]) : 0;
        /* interpolation of two doubles of size <= 2: at most 3 roundings of 2^-52 each */
        assert_true(rl[k] + t * (rl[e] - rl[k]) <= lo[i] + 0x1p-50 &&
                    rh[k] + t * (rh[e] - rh[k]) >= hi[i] - 0x1p-50);
    }
    ph_free(rx), ph_free(rl), ph_free(rh);
    free(x), free(lo), free(hi);
}

static void reduced_points_cover_the_same_cells(void **state) {
    (void)state;
    enum { N = 50000, BINS = 64 };
    static bool seen[BINS][BINS];
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *rx, *ry;
    int64_t m, cells = 0;
    plt_span s = {0, 1, false, false};
    ph_rng g;
    ph_rng_seed(&g, 9);
    for (int i = 0; i < N; i++) {
        x[i] = ph_rng_uniform(&g), y[i] = ph_rng_uniform(&g) * x[i];
        bool *cell = &seen[(int)(x[i] * BINS)][(int)(y[i] * BINS)];
        cells += !*cell;
        *cell = true;
    }
    assert_int_equal(plt_reduce_points(&rx, &ry, &m, x, y, N, &s, &s, BINS, &err), PH_OK);
    assert_int_equal(m, cells);
    ph_free(rx), ph_free(ry);
    free(x), free(y);
}

/* ---- colours ------------------------------------------------------------------------------------------- */

static void oklab(double out[3], uint32_t rgb) { /* Ottosson 2020, from linear sRGB */
    double c[3];
    for (int k = 0; k < 3; k++) {
        double v = (rgb >> (16 - 8 * k) & 255) / 255.0;
        c[k] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
    double m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
    double s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    out[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    out[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double step_size(plt_map map, int i, int over) {
    double a[3], b[3];
    oklab(a, plt_colour(map, (i + 0.5) / 256));
    oklab(b, plt_colour(map, (i + over + 0.5) / 256));
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Over 8 steps the size is the same everywhere but for the rounding to 8 bits: half a level of a channel is at most
 * 0.5/255 in sRGB, and moves OKLab by at most about .004 (dark colours, where cbrt is steep); two ends: .008. */
static void maps_are_even(void **state) {
    (void)state;
    double mean = 0;
    for (int i = 0; i + 8 < 256; i++) mean += step_size(PLT_EVEN, i, 8) / 248;
    for (int i = 0; i + 8 < 256; i++) {
        double d = fabs(step_size(PLT_EVEN, i, 8) - mean);
        assert_true(isfinite(d) && d <= 0.008);
    }
    for (int side = 0; side < 2; side++) {
        int first = side ? 128 : 0;
        mean = 0;
        for (int i = first; i + 8 < first + 128; i++) mean += step_size(PLT_DIVERGING, i, 8) / 120;
        for (int i = first; i + 8 < first + 128; i++) {
            double d = fabs(step_size(PLT_DIVERGING, i, 8) - mean);
            assert_true(isfinite(d) && d <= 0.008);
        }
    }
}

/* Lightness, which every kind of colour vision sees, orders the values: it rises all along the even map, and to the middle of
 * the diverging one from both ends. Each step is .0027 (.0047), rounding at most .004, so 4 steps are certain. */
static void lightness_orders_the_values(void **state) {
    (void)state;
    for (int i = 0; i + 4 < 256; i++)
        assert_true(plt_lightness(plt_colour(PLT_EVEN, (i + 4.5) / 256)) >
                    plt_lightness(plt_colour(PLT_EVEN, (i + 0.5) / 256)));
    for (int i = 0; i + 4 < 128; i++) {
        assert_true(plt_lightness(plt_colour(PLT_DIVERGING, (i + 4.5) / 256)) >
                    plt_lightness(plt_colour(PLT_DIVERGING, (i + 0.5) / 256)));
        assert_true(plt_lightness(plt_colour(PLT_DIVERGING, (255.5 - i - 4) / 256)) >
                    plt_lightness(plt_colour(PLT_DIVERGING, (255.5 - i) / 256)));
    }
}

/* The middle of a diverging map is 0, whatever the data. */
static void diverging_maps_are_centred(void **state) {
    (void)state;
    static const double v[] = {-1, 3, 0, 2};
    plt_figure *f = single();
    assert_int_equal(plt_set_heat(f->panel, 2, 2, v, PLT_DIVERGING, NAN, NAN, &err), PH_OK);
    assert_true(f->panel->heat.lo == -3 && f->panel->heat.hi == 3);
    assert_true(plt_heat_place(&f->panel->heat, 0) == 0.5);
    double mid[3];
    oklab(mid, plt_colour(PLT_DIVERGING, 0.5));
    assert_true(hypot(mid[1], mid[2]) <= 0.008); /* without hue, but for rounding */
    plt_drop(f);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static void little_tex(void **state) {
    (void)state;
    static const struct {
        const char *in, *unicode, *ascii;
    } cases[] = {
        {"plain a_b", "plain a_b", "plain a_b"},
        {"$\\theta_i$", "θᵢ", "theta_i"},
        {"$10^{-4}$", "10⁻⁴", "10^(-4)"},
        {"$x_{ij}^2$ and $\\alpha$", "xᵢⱼ² and α", "x_(ij)^2 and alpha"},
        {"$\\langle q, k\\rangle \\le \\infty$", "⟨q, k⟩ ≤ ∞", "<q, k> <= inf"},
        {"costs 5$", "costs 5$", "costs 5$"},
        {"$W_Q$", "W_Q", "W_Q"},
        {"$\\mathrm{softmax}(a)_{\\beta}$", "softmax(a)ᵦ", "softmax(a)_beta"},
        {"$\\unknown$", "unknown", "unknown"},
        {"$x_$", "x_", "x_"},
        {"$\\frac{d}{2}_i$ $\\frac12$ $\\frac$", "d/2ᵢ 1/2 /", "d/2_i 1/2 /"},
        {"$a}{b$", "ab", "ab"},
        {"$\\$", "$", "$"},
        {"", "", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ph_text b = {0}, c = {0};
        char *one, *two;
        plt_plain(&b, cases[k].in, true);
        plt_plain(&c, cases[k].in, false);
        assert_int_equal(ph_text_take(&one, NULL, &b, &err), PH_OK);
        assert_int_equal(ph_text_take(&two, NULL, &c, &err), PH_OK);
        assert_string_equal(one, cases[k].unicode);
        assert_string_equal(two, cases[k].ascii);
        ph_free(one), ph_free(two);
    }
}

/* No text gets out of its element, whatever it holds. */
static void texts_are_escaped(void **state) {
    (void)state;
    static const char hostile[] =
        "</text><script>alert(1)</script> & \"q\" 'a' \x01\x1b[31m \xff \xef\xbf\xbf $x_{</g>}$";
    plt_figure *f = single();
    char *text;
    static const double x[] = {1, 2};
    assert_int_equal(plt_set_text(&f->title, hostile, &err), PH_OK);
    assert_int_equal(plt_set_text(&f->panel->title, hostile, &err), PH_OK);
    assert_int_equal(plt_set_text(&f->panel->x.label, hostile, &err), PH_OK);
    assert_int_equal(plt_add(f->panel, PLT_LINE, 2, x, x, NULL, NULL, hostile, 0, &err), PH_OK);
    assert_int_equal(plt_svg(&text, NULL, f, NULL, &err), PH_OK);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "</g>}"));
    assert_non_null(strstr(text, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;"));
    assert_null(strchr(text, 1));
    assert_null(strchr(text, 27));
    assert_true(ph_utf8_valid(text, strlen(text)));
    ph_free(text);
    assert_int_equal(plt_terminal(&text, NULL, f, &(plt_screen){80, 24, 0, true}, &err), PH_OK);
    assert_null(strchr(text, 27));
    ph_free(text);
    plt_drop(f);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static ph_status all_of_it(void) {
    static const double x[] = {1, 2, 3}, v[] = {1, -2, 3, 4};
    plt_figure *f = NULL;
    plt_panel copy;
    char *text = NULL;
    ph_status st;
    PH_TRY(plt_new(&f, 1, 2, &err));
    PH_TRY(plt_set_text(&f->panel->title, "$a_i$", &err));
    PH_TRY(plt_set_names(&f->panel->x, (const char *const[]){"a", "b", "c"}, (const double[]){1, 2, 4}, 3,
                         &err));
    PH_TRY(plt_add(f->panel, PLT_LINE, 3, x, x, NULL, NULL, "l", 0, &err));
    PH_TRY(plt_add(f->panel, PLT_BAND, 3, x, x, x, NULL, "b", 1, &err));
    PH_TRY(plt_set_heat(f->panel, 2, 2, v, PLT_EVEN, NAN, NAN, &err));
    PH_TRY(plt_copy(&copy, f->panel, &err));
    f->panel[1] = copy;
    PH_TRY(plt_svg(&text, NULL, f, NULL, &err));
    ph_free(text);
    text = NULL;
    PH_TRY(plt_terminal(&text, NULL, f, &(plt_screen){80, 24, 256, true}, &err));
done:
    ph_free(text);
    plt_drop(f);
    return st;
}

static void memory_that_runs_out_leaves_nothing(void **state) {
    (void)state;
    ph_status st = PH_ENOMEM;
    size_t n = 1;
    for (; st != PH_OK; n++) {
        assert_true(n < 5000);
        ph_alloc_fail_from(n);
        st = all_of_it();
        ph_alloc_fail_from(0);
        assert_true(st == PH_OK || st == PH_ENOMEM);
    }
    assert_true(n > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(ticks_fit_any_span),
        cmocka_unit_test(spans_cover_the_data),
        cmocka_unit_test(hostile_numbers_are_drawn),
        cmocka_unit_test(ranges_are_checked),
        cmocka_unit_test(reduced_lines_look_the_same),
        cmocka_unit_test(reduced_bands_never_get_narrower),
        cmocka_unit_test(reduced_points_cover_the_same_cells),
        cmocka_unit_test(maps_are_even),
        cmocka_unit_test(lightness_orders_the_values),
        cmocka_unit_test(diverging_maps_are_centred),
        cmocka_unit_test(little_tex),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
