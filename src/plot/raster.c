/* raster.c: PNG, PDF and sixels: the SVG, drawn by librsvg and cairo. They are opened at the first use: linking them would
 * cost every start, and not every machine has them. What is called of them is declared here by hand, from
 * rsvg.h (2.46 or later) and cairo.h (1.10 or later), so that building needs neither.
 */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "plot/pixels.h"
#include "plot/svg.h"

typedef struct {
    double x, y, width, height;
} rectangle; /* RsvgRectangle */
typedef int on_bytes(void *ctx, const unsigned char *s, unsigned n);

enum {
    ARGB32 = 0,
    CREATE_DATE = 5,
    WRITE_ERROR = 11
}; /* cairo_format_t, cairo_pdf_metadata_t, cairo_status_t */

/* One field a function; NULL in the first: not opened yet. */
typedef struct {
    void *(*rsvg_handle_new_from_data)(const unsigned char *, size_t, void **);
    int (*rsvg_handle_render_document)(void *, void *, const rectangle *, void **);
    void (*g_object_unref)(void *);
    void (*g_error_free)(void *);
    void *(*cairo_create)(void *);
    void (*cairo_destroy)(void *);
    int (*cairo_status)(void *);
    void *(*cairo_image_surface_create)(int, int, int);
    unsigned char *(*cairo_image_surface_get_data)(void *);
    int (*cairo_image_surface_get_stride)(void *);
    void (*cairo_surface_flush)(void *);
    void (*cairo_surface_finish)(void *);
    int (*cairo_surface_status)(void *);
    void (*cairo_surface_destroy)(void *);
    int (*cairo_surface_write_to_png_stream)(void *, on_bytes *, void *);
    void *(*cairo_pdf_surface_create_for_stream)(on_bytes *, void *, double, double);
    void (*cairo_pdf_surface_set_metadata)(void *, int, const char *);
} library;

static ph_status open_library(library *lib, ph_err *err) {
    static const char *const files[] = {"librsvg-2.so.2", "librsvg-2.2.dylib",
                                        "/opt/homebrew/lib/librsvg-2.2.dylib",
                                        "/usr/local/lib/librsvg-2.2.dylib", "librsvg-2.so"};
    static const char *const names[] = {"rsvg_handle_new_from_data",
                                        "rsvg_handle_render_document",
                                        "g_object_unref",
                                        "g_error_free",
                                        "cairo_create",
                                        "cairo_destroy",
                                        "cairo_status",
                                        "cairo_image_surface_create",
                                        "cairo_image_surface_get_data",
                                        "cairo_image_surface_get_stride",
                                        "cairo_surface_flush",
                                        "cairo_surface_finish",
                                        "cairo_surface_status",
                                        "cairo_surface_destroy",
                                        "cairo_surface_write_to_png_stream",
                                        "cairo_pdf_surface_create_for_stream",
                                        "cairo_pdf_surface_set_metadata"};
    void *opened = NULL, *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof *lib, "a name for each function");
    for (size_t i = 0; i < sizeof files / sizeof *files && !opened; i++)
        opened = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return ph_fail(
            err, PH_EUNABLE,
            "PNG and PDF need the library librsvg, which is not on this machine; it comes with librsvg2-2 "
            "(Debian, Ubuntu), librsvg2 (Fedora) or librsvg (Arch, Homebrew), or by scripts/install-deps "
            "--pictures. SVG needs nothing");
    for (size_t i = 0; i < sizeof names / sizeof *names;
         i++) /* also looks through what librsvg itself uses */
        if (!(found[i] = dlsym(opened, names[i]))) {
            dlclose(opened);
            return ph_fail(err, PH_EUNABLE,
                           "PNG and PDF need librsvg 2.46 or later; the one on this machine has no %s",
                           names[i]);
        }
    memcpy(lib, found,
           sizeof *lib); /* ISO C has no cast from data to functions; POSIX promises the same shape */
    return PH_OK;
}

/* Opened once a process, never closed: GLib does not survive that. */
static ph_status need_library(const library **out, ph_err *err) {
    static library lib;
    *out = &lib;
    return lib.rsvg_handle_new_from_data ? PH_OK : open_library(&lib, err);
}

static int on_output(void *ctx, const unsigned char *s, unsigned n) {
    ph_text *b = ctx;
    ph_put(b, (const char *)s, n);
    return b->failed ? WRITE_ERROR : 0;
}

/* ---- the picture on a surface -------------------------------------------------------------------------- */

typedef struct {
    const library *lib;
    char *svg;
    size_t n;
    double width, height; /* in CSS pixels */
} source;

static ph_status make_source(source *s, const plt_figure *f, const plt_page *page, ph_err *err) {
    *s = (source){0};
    ph_status st = need_library(&s->lib, err);
    if (st == PH_OK) st = plt_svg(&s->svg, &s->n, f, page, err);
    plt_page_size(&s->width, &s->height, f, page);
    return st;
}

/* Draws on the surface, scaled to width by height of its units. */
static ph_status draw_on(void *surface, const source *s, double width, double height, ph_err *err) {
    const library *lib = s->lib;
    void *fault = NULL, *handle = lib->rsvg_handle_new_from_data((const unsigned char *)s->svg, s->n, &fault);
    bool drawn = false;
    if (handle) {
        void *cr = lib->cairo_create(surface);
        rectangle whole = {0, 0, width, height};
        drawn = lib->rsvg_handle_render_document(handle, cr, &whole, &fault) && lib->cairo_status(cr) == 0;
        lib->cairo_destroy(cr);
        lib->g_object_unref(handle);
    }
    if (fault) lib->g_error_free(fault);
    return drawn ? PH_OK : ph_fail(err, PH_EUNABLE, "librsvg could not draw the picture (out of memory?)");
}

static ph_status image(void **surface, int *width, int *height, const source *s, double scale, ph_err *err) {
    double w = round(s->width * scale), h = round(s->height * scale);
    *surface = NULL;
    if (!(w >= 1 && h >= 1 && w <= 30000 && h <= 30000))
        return ph_fail(
            err, PH_EARG,
            "an image of %.0f by %.0f pixels; wanted from 1 to 30000 each way: change scale or size", w, h);
    *width = (int)w, *height = (int)h;
    void *made = s->lib->cairo_image_surface_create(ARGB32, *width, *height);
    ph_status st = s->lib->cairo_surface_status(made) == 0 ? draw_on(made, s, w, h, err)
                                                           : ph_fail_nomem(err, (size_t)w * (size_t)h * 4);
    if (st == PH_OK) *surface = made;
    else s->lib->cairo_surface_destroy(made);
    return st;
}

/* ---- formats ------------------------------------------------------------------------------------------- */

/* Draws on a surface of its own and writes what it shows as a format. */
typedef ph_status write_fn(ph_text *b, const source *s, double scale, ph_err *err);

static ph_status write_as(char **out, size_t *n, write_fn *write, const plt_figure *f, const plt_page *page,
                          double scale, ph_err *err) {
    source s;
    ph_text b = {0};
    *out = NULL;
    ph_status st = make_source(&s, f, page, err);
    if (st == PH_OK) st = write(&b, &s, scale, err);
    ph_free(s.svg);
    if (st == PH_OK) return ph_text_take(out, n, &b, err);
    ph_free(b.s);
    return st;
}

static plt_pixels pixels_of(const library *lib, void *surface, int width, int height) {
    lib->cairo_surface_flush(surface);
    return (plt_pixels){lib->cairo_image_surface_get_data(surface),
                        lib->cairo_image_surface_get_stride(surface), width, height};
}

/* Cairo's filters suit photographs and hide from zlib what repeats in lines on a flat ground: without them those are smaller by a tenth. Puts
 * the smaller of the two in place of b, which holds cairo's. */
static ph_status put_smaller(ph_text *b, const plt_pixels *p, ph_err *err) {
    ph_text own = {0};
    ph_status st = plt_png_pixels(&own, p, err);
    if (st == PH_OK && own.n < b->n) {
        ph_text cairos = *b;
        *b = own;
        own = cairos;
    }
    ph_free(own.s);
    return st;
}

static ph_status write_image(ph_text *b, const source *s, double scale, bool reduced, ph_err *err) {
    void *surface;
    int width, height;
    ph_status st = image(&surface, &width, &height, s, scale, err);
    if (st != PH_OK) return st;
    plt_pixels p = pixels_of(s->lib, surface, width, height);
    bool opaque = plt_is_opaque(&p);
    if (reduced && opaque) st = plt_png_reduced(b, &p, err);
    else if (s->lib->cairo_surface_write_to_png_stream(surface, on_output, b) != 0)
        st = ph_fail_nomem(err, b->n);
    else if (opaque) st = put_smaller(b, &p, err);
    s->lib->cairo_surface_destroy(surface);
    return st;
}

static ph_status write_png(ph_text *b, const source *s, double scale, ph_err *err) {
    return write_image(b, s, scale, false, err);
}

static ph_status write_small_png(ph_text *b, const source *s, double scale, ph_err *err) {
    return write_image(b, s, scale, true, err);
}

/* 1 CSS pixel is 0.75 points. */
static ph_status write_pdf(ph_text *b, const source *s, double scale, ph_err *err) {
    (void)scale;
    void *surface =
        s->lib->cairo_pdf_surface_create_for_stream(on_output, b, 0.75 * s->width, 0.75 * s->height);
    s->lib->cairo_pdf_surface_set_metadata(surface, CREATE_DATE,
                                           "2000-01-01T00:00:00Z"); /* no clock in a result */
    ph_status st = draw_on(surface, s, 0.75 * s->width, 0.75 * s->height, err);
    s->lib->cairo_surface_finish(surface);
    if (st == PH_OK && s->lib->cairo_surface_status(surface) != 0) st = ph_fail_nomem(err, b->n);
    s->lib->cairo_surface_destroy(surface);
    return st;
}

static ph_status write_sixel(ph_text *b, const source *s, double scale, ph_err *err) {
    void *surface;
    int width, height;
    ph_status st = image(&surface, &width, &height, s, scale, err);
    if (st != PH_OK) return st;
    plt_pixels p = pixels_of(s->lib, surface, width, height);
    st = plt_sixels(b, &p, err);
    s->lib->cairo_surface_destroy(surface);
    return st;
}

ph_status plt_png(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                  ph_err *err) {
    return write_as(out, n, write_png, f, page, scale, err);
}

ph_status plt_pdf(char **out, size_t *n, const plt_figure *f, const plt_page *page, ph_err *err) {
    return write_as(out, n, write_pdf, f, page, 1, err);
}

ph_status plt_sixel(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                    ph_err *err) {
    return write_as(out, n, write_sixel, f, page, scale, err);
}

ph_status plt_png_text(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                       ph_err *err) {
    char *png;
    ph_text b = {0};
    *out = NULL;
    ph_status st = write_as(&png, n, write_small_png, f, page, scale, err);
    if (st != PH_OK) return st;
    plt_base64(&b, (unsigned char *)png, *n);
    ph_free(png);
    return ph_text_take(out, n, &b, err);
}
