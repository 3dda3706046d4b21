/* palette.c: a drawn picture in at most 256 colours. It is drawn with few, but where an edge is smoothed there are thousands between
 * them. Median cut (Heckbert, "Color image quantization for frame buffer display", SIGGRAPH 1982), here at the mean, and the box of
 * the greatest error first.
 */
#include <string.h>

#include "plot/pixels.h"

enum {
    SLOTS = 1 << 17, /* twice as many as there may be colours: looking one up is short */
    COLOURS = SLOTS / 2
};

typedef struct {
    uint32_t rgb;
    uint32_t n; /* pixels */
    unsigned char box;
} colour;

/* A range of the order; how far its colours are from their mean, squared and added up, along the axis where that is most. */
typedef struct {
    int first, n, shift; /* which eight bits of a colour the axis is */
    double error;
} box;

typedef struct {
    uint32_t mask; /* what of a pixel is its colour */
    colour colours[COLOURS];
    int n, slot[SLOTS], order[COLOURS]; /* slot: a colour's place and 1, or 0 */
    box boxes[256];
    int nboxes;
} work;

static unsigned part(const colour *c, int shift) { return c->rgb >> shift & 255; }

/* The slot of a colour, or the one where it would stand. */
static int *find_slot(work *w, uint32_t rgb) {
    uint32_t at = rgb * 2654435761u >> 15; /* Knuth's multiplicative hashing: the upper 17 bits */
    while (w->slot[at] && w->colours[w->slot[at] - 1].rgb != rgb) at = (at + 1) % SLOTS;
    return &w->slot[at];
}

static uint32_t colour_at(const work *w, const plt_pixels *p, int x, int y) {
    uint32_t v;
    memcpy(&v, p->argb + (ptrdiff_t)y * p->stride + (ptrdiff_t)x * 4, sizeof v);
    return v & w->mask;
}

/* False: there are more colours than there is room for. */
static bool count_colours(work *w, const plt_pixels *p) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            uint32_t rgb = colour_at(w, p, x, y);
            int *slot = find_slot(w, rgb);
            if (!*slot) {
                if (w->n == COLOURS) return false;
                w->colours[w->n] = (colour){.rgb = rgb};
                *slot = ++w->n;
            }
            w->colours[*slot - 1].n++;
        }
    return true;
}

/* Where there are too many, five bits of each channel tell them apart: 32,768 colours at most, for which there is room. */
static void count_all(work *w, const plt_pixels *p) {
    w->mask = 0xFFFFFF;
    if (count_colours(w, p)) return;
    *w = (work){.mask = 0xF8F8F8};
    count_colours(w, p);
}

/* Sums of whole numbers below 2⁵³: exact. */
static void sum_box(const work *w, const box *b, int shift, double *pixels, double *sum, double *squares) {
    *pixels = *sum = *squares = 0;
    for (int i = b->first; i < b->first + b->n; i++) {
        const colour *c = &w->colours[w->order[i]];
        double v = part(c, shift);
        *pixels += c->n, *sum += v * c->n, *squares += v * v * c->n;
    }
}

static void measure(const work *w, box *b) {
    b->error = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double n, sum, squares;
        sum_box(w, b, shift, &n, &sum, &squares);
        double error = squares - sum / n * sum;
        if (error > b->error) b->error = error, b->shift = shift;
    }
}

/* Cuts a box at its mean: what is not above it comes first. Its error is positive, so there is something on either side. */
static void cut(work *w, box *b) {
    double n, sum, squares;
    int middle = b->first;
    sum_box(w, b, b->shift, &n, &sum, &squares);
    for (int i = b->first; i < b->first + b->n; i++)
        if (part(&w->colours[w->order[i]], b->shift) * n <= sum) {
            int other = w->order[i];
            w->order[i] = w->order[middle];
            w->order[middle++] = other;
        }
    box *upper = &w->boxes[w->nboxes++];
    *upper = (box){.first = middle, .n = b->first + b->n - middle};
    b->n = middle - b->first;
    measure(w, b);
    measure(w, upper);
}

static void cut_all(work *w) {
    for (int i = 0; i < w->n; i++) w->order[i] = i;
    w->boxes[0] = (box){.n = w->n};
    w->nboxes = 1;
    measure(w, w->boxes);
    while (w->nboxes < 256) {
        box *worst = w->boxes;
        for (int i = 1; i < w->nboxes; i++)
            if (w->boxes[i].error > worst->error) worst = &w->boxes[i];
        if (worst->n < 2 || !(worst->error > 0)) return;
        cut(w, worst);
    }
}

/* A box shows as the colour that most of its pixels have: flat grounds and lines keep theirs exactly. */
static void choose(work *w, plt_palette *out) {
    for (int i = 0; i < w->nboxes; i++) {
        const box *b = &w->boxes[i];
        const colour *most = NULL;
        for (int j = b->first; j < b->first + b->n; j++) {
            colour *c = &w->colours[w->order[j]];
            c->box = (unsigned char)i;
            if (!most || c->n > most->n) most = c;
        }
        out->rgb[i] = most->rgb;
    }
    out->n = w->nboxes;
}

ph_status plt_palette_of(plt_palette *out, const plt_pixels *p, ph_err *err) {
    size_t n = (size_t)p->width * (size_t)p->height;
    work *w = ph_calloc(1, sizeof *w);
    *out = (plt_palette){.index = w ? ph_alloc(n) : NULL};
    if (out->index) {
        count_all(w, p);
        cut_all(w);
        choose(w, out);
        for (size_t i = 0; i < n; i++) {
            int x = (int)(i % (size_t)p->width), y = (int)(i / (size_t)p->width);
            out->index[i] = w->colours[*find_slot(w, colour_at(w, p, x, y)) - 1].box;
        }
    }
    ph_free(w);
    return out->index ? PH_OK : ph_fail_nomem(err, sizeof *w + n);
}
