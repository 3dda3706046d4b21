/* ticks.c: round numbers on axes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/text.h"

/* ---- labels -------------------------------------------------------------------------------------------- */

/* "12.5", "-3", with so many decimals; never "-0". */
static void fixed_label(char *out, size_t cap, double v, int decimals) {
    if (v == 0) v = 0;
    snprintf(out, cap, "%s%.*f", v < 0 ? "−" : "", decimals, fabs(v));
}

/* m·10^e as "$2×10^{-5}$", or "$10^{3}$" for m = 1. */
static void power_label(char *out, size_t cap, double m, int e, int decimals) {
    const char *sign = m < 0 ? "−" : "";
    if (m == 0) snprintf(out, cap, "0");
    else if (fabs(m) == 1 && decimals == 0) snprintf(out, cap, "$%s10^{%d}$", sign, e);
    else snprintf(out, cap, "$%s%.*f×10^{%d}$", sign, decimals, fabs(m), e);
}

/* Labels of multiples of step: plain numbers where they are short, else all with the same power of ten. */
static void label_linear(plt_ticks *t, double step) {
    double most = 0;
    for (int i = 0; i < t->n; i++) most = fmax(most, fabs(t->at[i]));
    int low = (int)floor(log10(step) + 1e-9), high = most > 0 ? (int)floor(log10(most) + 1e-9) : 0;
    bool power = high >= 5 || high <= -4;
    int decimals = power ? high - low : -low;
    if (decimals < 0) decimals = 0;
    if (decimals > 15) decimals = 15;
    for (int i = 0; i < t->n; i++) {
        if (power) power_label(t->number[i], sizeof t->number[i], t->at[i] / pow(10, high), high, decimals);
        else fixed_label(t->number[i], sizeof t->number[i], t->at[i], decimals);
    }
}

void plt_cell_text(char *out, size_t cap, double v, int digits) {
    if (v == 0) v = 0;
    snprintf(out, cap, "%s%.*g", v < 0 ? "−" : "", digits < 1 ? 1 : digits, fabs(v));
}

/* ---- linear -------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten: the one that gives the number of ticks nearest to what is wanted. */
static double round_step(double width, int wanted) {
    double raw = width / wanted, power = pow(10, floor(log10(raw))), best = power, off = INFINITY;
    static const double factor[] = {1, 2, 5, 10};
    for (int k = 0; k < 4; k++) {
        double d = fabs(log(factor[k] * power / raw));
        if (d < off) off = d, best = factor[k] * power;
    }
    return best;
}

/* whole: at integers alone */
static void linear_ticks(plt_ticks *t, const plt_span *s, int wanted, bool whole) {
    double width = s->hi - s->lo;
    if (!isfinite(width) || width < 1e-290) { /* the ends only: there is no step between them */
        t->n = 2;
        t->at[0] = s->lo, t->at[1] = s->hi;
        for (int i = 0; i < 2; i++) snprintf(t->number[i], sizeof t->number[i], "%.13g", t->at[i]);
        return;
    }
    double step = round_step(width, wanted), eps = 1e-9 * step;
    for (;;) { /* as often as there would be too many */
        double first = ceil((s->lo - eps) / step), last = floor((s->hi + eps) / step);
        if (last - first + 1 <= fmin(PLT_TICKS_MAX, 1.5 * wanted + 1)) break;
        step = round_step(width, wanted = wanted > 1 ? wanted / 2 + (wanted > 2) : 1);
        if (wanted == 1) break;
    }
    if (whole && step < 1) step = 1, eps = 1e-9;
    t->n = 0;
    for (double k = ceil((s->lo - eps) / step); t->n < PLT_TICKS_MAX && k * step <= s->hi + eps; k++) {
        double v = k * step;
        t->at[t->n++] = v < s->lo ? s->lo : v > s->hi ? s->hi : v; /* a hair outside is at the end */
        if (k == 0) t->at[t->n - 1] = 0;
    }
    label_linear(t, step);
}

/* ---- logarithmic --------------------------------------------------------------------------------------- */

static void add_log(plt_ticks *t, const plt_span *s, double v, bool labelled, bool power) {
    if (!(v >= s->lo * (1 - 1e-9) && v <= s->hi * (1 + 1e-9))) return;
    if (!labelled) {
        if (t->nminor < 2 * PLT_TICKS_MAX) t->minor[t->nminor++] = v;
        return;
    }
    if (t->n == PLT_TICKS_MAX) return;
    int e = (int)floor(log10(v) + 1e-9);
    if (power) power_label(t->number[t->n], sizeof t->number[0], round(v / pow(10, e)), e, 0);
    else fixed_label(t->number[t->n], sizeof t->number[0], v, e < 0 ? -e : 0);
    t->at[t->n++] = v;
}

static void log_ticks(plt_ticks *t, const plt_span *s, int wanted) {
    double a = log10(s->lo), b = log10(s->hi), decades = b - a;
    if (decades < 0.7) { /* hardly more than a factor 5: ticks as on a linear axis */
        linear_ticks(t, s, wanted, false);
        return;
    }
    int from = (int)floor(a), to = (int)ceil(b), every = 1;
    while ((decades + 1) / every > 1.3 * wanted + 1) every++;
    bool fine = decades + 1 <= 0.6 * wanted || decades < 1.6, power = from < -3 || to > 4;
    for (int e = from; e <= to; e++)
        for (int m = 1; m <= 9; m++) {
            bool major = m == 1 && ((e % every) + every) % every == 0;
            bool labelled = major || (fine && !power && (m == 2 || m == 5) && wanted > 2);
            if (!labelled && (decades > 10 || (every > 1 && m > 1))) continue;
            add_log(t, s, m * pow(10, e), labelled, power);
        }
    if (t->n == 0) linear_ticks(t, s, wanted, false);
}

/* ---- names --------------------------------------------------------------------------------------------- */

static void name_ticks(plt_ticks *t, const plt_span *s, const plt_axis *a, int wanted) {
    int every = 1;
    while (a->nnames / every > wanted || a->nnames / every > PLT_TICKS_MAX) every++;
    for (int i = 0; i < a->nnames && t->n < PLT_TICKS_MAX; i += every) {
        double at = a->at ? a->at[i] : i + 1;
        if (!(at >= s->lo && at <= s->hi)) continue;
        t->at[t->n] = at;
        t->label[t->n] = a->names[i];
        t->n++;
    }
}

void plt_find_ticks(plt_ticks *t, const plt_span *s, const plt_axis *a, int wanted) {
    t->n = t->nminor = 0;
    for (int i = 0; i < PLT_TICKS_MAX; i++) t->label[i] = t->number[i];
    if (wanted < 1) wanted = 1;
    if (wanted > 40) wanted = 40;
    if (a && a->nnames) name_ticks(t, s, a, wanted);
    else if (s->log) log_ticks(t, s, wanted);
    else linear_ticks(t, s, wanted, a && a->whole);
}

void plt_cell_ticks(plt_ticks *t, const plt_span *s, const plt_axis *a, double first, double step,
                    int64_t cells, int most, int wanted) {
    if (a->nnames || cells > most || cells > PLT_TICKS_MAX) {
        plt_find_ticks(t, s, a, a->nnames ? most : wanted < cells ? wanted : (int)cells);
        return;
    }
    t->n = t->nminor = 0;
    for (int i = 0; i < cells; i++) {
        double v = first + i * step;
        if (v < s->lo || v > s->hi) continue;
        t->label[t->n] = t->number[t->n];
        snprintf(t->number[t->n], sizeof t->number[0], "%s%.6g", v < 0 ? "−" : "", fabs(v));
        t->at[t->n++] = v;
    }
}
