/* plot.c: pictures as Lua values. What a person calls is in plot.lua; here is the class Figure, and the steps by which plot.lua
 * fills one.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "plot/plot.h"

#define FIGURE "phasor.Figure"

/* ---- the userdata -------------------------------------------------------------------------------------- */

static plt_figure **new_figure(lua_State *L) {
    plt_figure **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, FIGURE);
    return box;
}

static plt_figure *check_figure(lua_State *L, int i, const char *who) {
    plt_figure **box = luaL_testudata(L, i, FIGURE);
    if (!box || !*box) bind_raise_arg(L, i, who, "the picture", "a picture, as plot gives one");
    return *box;
}

static int figure_gc(lua_State *L) {
    plt_figure **box = lua_touserdata(L, 1);
    plt_drop(*box);
    *box = NULL;
    return 0;
}

static void finish(lua_State *L, ph_status st, const ph_err *err) {
    if (st != PH_OK) bind_raise(L, err);
}

/* ---- filling: steps of plot.lua, which has checked the arguments ---------------------------------------- */

static plt_panel *panel(lua_State *L) {
    plt_figure *f = check_figure(L, 1, "picture");
    return &f->panel[bind_check_int(L, 2, "picture", "the panel", 1, f->rows * f->columns) - 1];
}

/* new(rows, columns) */
static int step_new(lua_State *L) {
    ph_err err;
    int rows = (int)bind_check_int(L, 1, "panels", "rows", 1, 32);
    int columns = (int)bind_check_int(L, 2, "panels", "columns", 1, 32);
    plt_figure **box = new_figure(L);
    finish(L, plt_new(box, rows, columns, &err), &err);
    return 1;
}

/* text(figure, panel, which, text): which is "figure", "title", "x", "y" or "heat" */
static int step_text(lua_State *L) {
    plt_figure *f = check_figure(L, 1, "picture");
    plt_panel *p = panel(L);
    const char *which = bind_check_text(L, 3);
    char **field = !strcmp(which, "figure")  ? &f->title
                   : !strcmp(which, "title") ? &p->title
                   : !strcmp(which, "x")     ? &p->x.label
                   : !strcmp(which, "y")     ? &p->y.label
                                             : &p->heat.label;
    ph_err err;
    finish(L, plt_set_text(field, lua_tostring(L, 4), &err), &err);
    return 0;
}

static plt_axis *axis(lua_State *L) { return *bind_check_text(L, 3) == 'x' ? &panel(L)->x : &panel(L)->y; }

/* scale(figure, panel, "x" or "y", logarithmic) */
static int step_scale(lua_State *L) {
    axis(L)->log = lua_toboolean(L, 4);
    return 0;
}

/* range(figure, panel, "x" or "y", lo, hi, who) */
static int step_range(lua_State *L) {
    ph_err err;
    finish(L, plt_set_range(axis(L), lua_tonumber(L, 4), lua_tonumber(L, 5), bind_check_text(L, 6), &err),
           &err);
    return 0;
}

/* names(figure, panel, "x" or "y", {text, ...}) */
static int step_names(lua_State *L) {
    ph_err err;
    plt_axis *a = axis(L);
    int n = (int)lua_rawlen(L, 4);
    const char **names = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *names, 0);
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 4, i + 1);
        names[i] = bind_check_text(L, -1); /* the table keeps it alive */
        lua_pop(L, 1);
    }
    finish(L, plt_set_names(a, names, n, &err), &err);
    return 0;
}

/* is_log(figure, panel, "x" or "y") */
static int step_is_log(lua_State *L) {
    lua_pushboolean(L, axis(L)->log);
    return 1;
}

/* shape(figure, panel, equal, bare) */
static int step_shape(lua_State *L) {
    plt_panel *p = panel(L);
    p->equal = lua_toboolean(L, 3);
    p->bare = lua_toboolean(L, 4);
    return 0;
}

/* The array at i, contiguous f64 in its place; NULL for nil. */
static const arr *numbers(lua_State *L, int i) {
    ph_err err;
    if (lua_isnil(L, i)) return NULL;
    const arr *a = bind_check_arr(L, i, "picture", "the data");
    arr *whole = bind_new_arr(L);
    finish(L, arr_contiguous(whole, a, ARR_F64, &err), &err);
    lua_replace(L, i);
    return whole;
}

/* add(figure, panel, kind, x, y, z, w, label, series): arrays of one length, or nil; label text or nil */
static int step_add(lua_State *L) {
    static const char *const kinds[] = {"line", "points", "band", "bars", "arrows", "rules", NULL};
    const double *v[4];
    int64_t n = 0;
    ph_err err;
    lua_settop(L, 9);
    plt_panel *p = panel(L);
    int kind = 0, series = (int)bind_check_int(L, 9, "picture", "the series", -1, 1 << 20);
    while (kinds[kind + 1] && strcmp(kinds[kind], bind_check_text(L, 3)) != 0) kind++;
    for (int k = 0; k < 4; k++) {
        const arr *a = numbers(L, 4 + k);
        if (a) n = arr_size(a);
        v[k] = a ? (const double *)a->data : NULL;
    }
    finish(L, plt_add(p, (plt_kind)kind, n, v[0], v[1], v[2], v[3], lua_tostring(L, 8), series, &err), &err);
    return 0;
}

/* series(figure, panel): how many series have a colour */
static int step_series(lua_State *L) {
    lua_pushinteger(L, panel(L)->series);
    return 1;
}

/* heat(figure, panel, A, map, lo, hi, digits): digits nil: no numbers in the cells */
static int step_heat(lua_State *L) {
    static const char *const maps[] = {"even", "diverging", "grey", NULL};
    ph_err err;
    lua_settop(L, 7);
    plt_panel *p = panel(L);
    const arr *a = numbers(L, 3);
    int map = 0;
    while (maps[map + 1] && strcmp(maps[map], bind_check_text(L, 4)) != 0) map++;
    finish(L,
           plt_set_heat(p, a->shape[0], a->shape[1], (const double *)a->data, (plt_map)map,
                        lua_tonumber(L, 5), lua_tonumber(L, 6), &err),
           &err);
    p->heat.numbers = !lua_isnil(L, 7);
    p->heat.digits = p->heat.numbers ? (int)bind_check_int(L, 7, "heatmap", "digits", 1, 17) : 3;
    lua_gc(L, LUA_GCSTEP, (int)(p->heat.rows * p->heat.columns / 128)); /* Lua does not see these kilobytes */
    return 0;
}

/* classes(figure, panel, values, signs, names): three lists of one length */
static int step_classes(lua_State *L) {
    ph_err err;
    plt_heat *h = &panel(L)->heat;
    int n = (int)lua_rawlen(L, 3);
    plt_class *classes = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *classes, 0);
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 3, i + 1);
        lua_rawgeti(L, 4, i + 1);
        lua_rawgeti(L, 5, i + 1); /* the tables keep the texts alive */
        classes[i] = (plt_class){lua_tonumber(L, -3), (char *)(uintptr_t)bind_check_text(L, -2),
                                 (char *)(uintptr_t)bind_check_text(L, -1)};
        lua_pop(L, 3);
    }
    finish(L, plt_set_classes(h, n, classes, &err), &err);
    return 0;
}

/* cells(figure, panel, "x" or "y", first, last): where the centres of the first and last column or row stand */
static int step_cells(lua_State *L) {
    plt_heat *h = &panel(L)->heat;
    bool x = *bind_check_text(L, 3) == 'x';
    double first = lua_tonumber(L, 4), last = lua_tonumber(L, 5), n = (double)(x ? h->columns : h->rows);
    double cells = n * (x ? h->dx : h->dy),
           step = cells > 1 ? (last - first) / (cells - 1) : 1; /* of the matrix given */
    double wide = step * cells / n;
    if (x) h->dx = wide, h->x0 = first + (wide - step) / 2;
    else h->dy = wide, h->y0 = first + (wide - step) / 2;
    return 0;
}

/* copy(figure, panel, from, panel of from) */
static int step_copy(lua_State *L) {
    ph_err err;
    plt_panel *p = panel(L), copy;
    const plt_figure *from = check_figure(L, 3, "picture");
    int64_t k = bind_check_int(L, 4, "picture", "the panel", 1, from->rows * from->columns);
    finish(L, plt_copy(&copy, &from->panel[k - 1], &err), &err);
    *p = copy; /* it was empty */
    return 0;
}

/* size(figure) -> rows, columns */
static int step_size(lua_State *L) {
    const plt_figure *f = check_figure(L, 1, "picture");
    lua_pushinteger(L, f->rows);
    lua_pushinteger(L, f->columns);
    return 2;
}

/* save(name, bytes, who) */
static int step_save(lua_State *L) {
    ph_err err;
    ph_writer *w = NULL;
    ph_status st;
    size_t n;
    const char *name = bind_check_text(L, 1), *bytes = lua_tolstring(L, 2, &n);
    PH_TRY(ph_writer_open(&w, name, &err));
    PH_TRY(ph_writer_put(w, bytes, n, &err));
    st = ph_writer_commit(&w, &err);
done:
    ph_writer_drop(&w);
    return st == PH_OK ? 0 : bind_raise_from(L, bind_check_text(L, 3), &err);
}

/* ---- drawing ------------------------------------------------------------------------------------------- */

/* terminal(figure, columns, rows, colours, unicode): nil for what the screen has */
static int step_terminal(lua_State *L) {
    bind_state *s = bind_state_of(L);
    ph_err err;
    size_t n;
    lua_settop(L, 5);
    const plt_figure *f = check_figure(L, 1, "text");
    plt_screen screen = {s->narrow, s->rows, s->colours, !s->ascii};
    if (!lua_isnil(L, 2)) screen.columns = (int)bind_check_int(L, 2, "text", "columns", 1, 2000);
    if (!lua_isnil(L, 3)) screen.rows = (int)bind_check_int(L, 3, "text", "rows", 1, 2000);
    if (!lua_isnil(L, 4)) screen.colours = (int)bind_check_int(L, 4, "text", "colours", 0, 1 << 24);
    if (!lua_isnil(L, 5)) screen.unicode = lua_toboolean(L, 5);
    char **text = bind_new_text(L);
    finish(L, plt_terminal(text, &n, f, &screen, &err), &err);
    return bind_push_text(L, text, n);
}

/* draw(figure, format, width, height, theme, scale, who): format "svg", "png", "base64" (of a PNG), "pdf" or "sixel"; theme "light",
 * "dark" or nil: the reader's where the format leaves it to them, else light */
static int step_draw(lua_State *L) {
    ph_err err;
    size_t n = 0;
    ph_status st;
    const plt_figure *f = check_figure(L, 1, "picture");
    const char *format = bind_check_text(L, 2);
    plt_page page = {.width = (int)lua_tointeger(L, 3),
                     .height = (int)lua_tointeger(L, 4),
                     .dark = !lua_isnil(L, 5) && !strcmp(bind_check_text(L, 5), "dark"),
                     .either = lua_isnil(L, 5) && !strcmp(format, "svg")};
    double scale = lua_tonumber(L, 6), width, height;
    if (scale ==
        0) { /* as wide as the screen wants it, a picture of one column as wide as that of 640 pixels */
        plt_page_size(&width, &height, f, &page);
        int pixels = bind_state_of(L)->pixels;
        scale = pixels > 0 ? pixels / fmax(width, 640) : 1;
    }
    char **out = bind_new_text(L);
    if (!strcmp(format, "png")) st = plt_png(out, &n, f, &page, scale, &err);
    else if (!strcmp(format, "base64")) st = plt_png_text(out, &n, f, &page, scale, &err);
    else if (!strcmp(format, "pdf")) st = plt_pdf(out, &n, f, &page, &err);
    else if (!strcmp(format, "sixel")) st = plt_sixel(out, &n, f, &page, scale, &err);
    else st = plt_svg(out, &n, f, &page, &err);
    if (st != PH_OK) return bind_raise_from(L, bind_check_text(L, 7), &err);
    return bind_push_text(L, out, n);
}

static int figure_tostring(lua_State *L) {
    lua_settop(L, 1);
    lua_pushcfunction(L, step_terminal);
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    lua_pushlstring(L, s, n && s[n - 1] == '\n' ? n - 1 : n); /* the prompt ends the line */
    return 1;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static void push_steps(lua_State *L) {
    static const luaL_Reg steps[] = {
        {"new", step_new},     {"text", step_text},         {"scale", step_scale},
        {"range", step_range}, {"names", step_names},       {"shape", step_shape},
        {"add", step_add},     {"series", step_series},     {"heat", step_heat},
        {"cells", step_cells}, {"classes", step_classes},   {"is_log", step_is_log},
        {"copy", step_copy},   {"size", step_size},         {"save", step_save},
        {"draw", step_draw},   {"terminal", step_terminal}, {NULL, NULL},
    };
    luaL_newlib(L, steps);
}

/* Pushes the table of the functions below. The files are read at the first call of one: every start would pay for them. */
static void push_functions(lua_State *L) {
    static const char key[] = "phasor.plot.functions";
    bind_room(L, 16);
    if (lua_getfield(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
    lua_pop(L, 1);
    luaL_getmetatable(L, FIGURE);
    push_steps(L);
    lua_getfield(L, -2, "methods");
    lua_setfield(L, -2, "methods");
    bind_provide(L, "phasor.figure");
    bind_require(L, "phasor.lib.plot"); /* class, functions */
    lua_getfield(L, -1, "mime");
    lua_setfield(L, -3, "__mime");
    bind_require(L, "phasor.lib.pictures");
    lua_setfield(L, -2, "picture");
    bind_require(L, "phasor.lib.vary");
    lua_setfield(L, -2, "vary");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    lua_replace(L, -2);
}

static int call_lazily(lua_State *L, const char *name) {
    push_functions(L);
    lua_getfield(L, -1, name);
    lua_replace(L, -2);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}
#define LAZY(name)                                                                                           \
    static int lazy_##name(lua_State *L) { return call_lazily(L, #name); }
LAZY(plot)
LAZY(heatmap)
LAZY(bars)
LAZY(circle)
LAZY(panels)
LAZY(savefig)
LAZY(picture)
LAZY(vary)

static const bind_row rows[] = {
    {.name = "# pictures"},
    {"plot", lazy_plot,
     "x, y [, {title=, xlabel=, ylabel=, label=, labels=, style=, log=, xlim=, ylim=, equal=, band=, "
     "points=, certified=}]",
     "Draws curves. Also plot(y), plot(f, {a, b}), plot({f, g}, {a, b}).\nx: positions, 1, 2, ... when left "
     "out. y: as many values; the rows of a matrix, or a list of arrays, are several curves. f: a function "
     "of a number, or a formula in one symbol; it is sampled more densely where it bends (points=n: at n "
     "places).\ntitle, xlabel, ylabel: texts. xlim, ylim: {from, to}. log: \"x\", \"y\" or \"xy\" for "
     "logarithmic axes. equal=true: one unit is as long in x as in y.\n"
     "label, labels: for the legend. style: \"line\", \"points\" or \"both\". band: {lower, upper}, shaded. "
     "certified=true, for formulas: a band in which the curve lies for certain (a text in place of true: its name), over "
     "every interval that is drawn (ball arithmetic; at each integer, for an integer symbol).\nNaN and "
     "infinities are gaps; so is what is not positive on a logarithmic axis. At the prompt the picture is "
     "shown; p:plot(...), p:band(...) and p:rule{...} draw more into it; savefig writes it to a file.\n"
     "In texts, $...$ holds a little TeX: $\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
     "p = plot({1, 2, 3}, {1, 4, 9}, {title=\"squares\", style=\"both\"})\np:text{columns=30, "
     "colours=0}:match(\"squares\")  --> squares\nplot({1, 2}, {1, 2, 3})  --> error: x has 2 values, y has "
     "3\nplot(sin, {0, 10}, {lable=\"sin\"})  --> error: did you mean 'label'?"},
    {"heatmap", lazy_heatmap,
     "A [, {title=, xlabel=, ylabel=, x=, y=, xnames=, ynames=, map=, range=, numbers=, digits=, label=, "
     "classes=}]",
     "Draws a matrix in colours, with a colour bar; the first row is on top.\nA: a matrix, or a list. x, y: "
     "{first, last}, what the first and last column (row) stand for; counted from 1 when left out. xnames, "
     "ynames: a text for each.\nmap: \"even\" (dark to light), \"diverging\" (0 in the middle; the default "
     "when A has both signs) or \"grey\". range: {lo, hi}, the values of the first and last colour. "
     "numbers=true: the values stand in the cells, with so many digits. label: of the colour bar. classes: "
     "{{value, sign, name}, ...}, when values are kinds and not amounts: the sign stands in the cell, and a "
     "legend says the name; the value nan is for cells without one.\nThe maps have steps that look equal, "
     "and differ in lightness for every kind of colour vision. Where there is room for fewer cells than "
     "entries, neighbours are averaged.\n"
     "In texts, $...$ holds a little TeX: $\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
     "p = heatmap({{1, -1}, {0, 2}}, {numbers=true, title=\"scores\"})\np:text{columns=30, "
     "colours=0}:match(\"scores\")  --> scores\nkinds = {{0, \"n\", \"no\"}, {1, \"y\", \"yes\"}}\n"
     "p = heatmap({{0, 1}}, {classes=kinds})\np:text{columns=30, colours=0}:match(\"yes\")  --> yes\n"
     "heatmap({{}})  --> error: wanted at least one row"},
    {"bars", lazy_bars, "[x,] y [, {title=, xlabel=, ylabel=, label=, labels=, log=, xlim=, ylim=}]",
     "Draws bars from 0.\nx: positions, or a list of names. y: as many values; rows of a matrix are several "
     "series.\ntitle, xlabel, ylabel: texts. xlim, ylim: {from, to}. log: \"x\", \"y\" or \"xy\" for "
     "logarithmic axes. equal=true: one unit is as long in x as in y.\nIn texts, $...$ holds a little TeX: "
     "$\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
     "p = bars({\"RoPE\", \"ALiBi\"}, {0.9, 0.7})\np:text{columns=30, colours=0}:match(\"ALiBi\")  "
     "--> ALiBi"},
    {"circle", lazy_circle, "phases [, {title=, labels=}]",
     "Draws arrows on the unit circle.\nphases: angles in radians, anticlockwise from the axis of x; or "
     "complex numbers, which may leave the circle. labels: a text for each, in the legend.\nIn texts, $...$ "
     "holds a little TeX: $\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
     "p = circle({0, 1, 2}, {labels={\"m = 0\", \"m = 1\", \"m = 2\"}})\np:text{columns=40, "
     "colours=0}:match(\"m = 2\")  --> m = 2"},
    {"panels", lazy_panels, "{p, q, ... [, columns=] [, title=]}",
     "Puts pictures side by side.\ncolumns: how many in a row. On a narrow terminal they stand below each "
     "other.",
     "p = panels{plot(sin, {0, 6}), plot(cos, {0, 6}), title=\"both\"}\np:text{columns=60, "
     "colours=0}:match(\"both\")  --> both"},
    {"savefig", lazy_savefig, "name [, picture] [, {width=, height=, theme=, scale=}]",
     "Writes a picture to a file: .svg, .png, .pdf or .txt.\npicture: the last one drawn when left out. "
     "width, height: of a panel, in pixels. theme: \"light\" or \"dark\"; without one an .svg follows its "
     "reader's screen. scale: image pixels for a pixel, for .png (2). For .txt: columns (80), rows, colours "
     "(0), unicode.\nThe file is written whole or not at all. PNG and PDF need the libraries librsvg and "
     "cairo, which are opened then.",
     "savefig(\"p.bmp\", plot({1, 2}))  --> error: wanted .svg, .png, .pdf or .txt"},
    {"picture", lazy_picture, "[name [, options]]",
     "A picture of the course, from its numbers; without a name, a list.\nname: \"encoding\" (the matrix of "
     "sines and cosines), \"decay\" (inner products over distance, the integral in a band that certainly "
     "holds it), \"wavelengths\", \"rope\" (turns on the circle), \"biases\" (one matrix of scores under "
     "each bias), \"scaling\" (frequencies under PI, NTK and NTK by parts), \"hessian\" (of one attention "
     "layer), \"atlas\" (encodings and laws). The list shows each one's options with their defaults; "
     "lang=\"zh\": its words are Chinese.",
     "picture(\"wavelengths\", {d=64}):text{columns=60}:match(\"512\")  --> 512\npicture(\"decai\")  --> "
     "error: did you mean 'decay'?\npicture(\"rope\", {dd=4})  --> error: unknown option 'dd' of rope"},
    {"vary", lazy_vary, "f, {name = range, ...}",
     "A picture with parameters to move.\n"
     "By arrow keys in the terminal, by a control in a notebook or on a page. f: a function of a table of "
     "the parameters' values; what it returns is shown: a picture, or anything else as text. A range is "
     "{from, to}, with step=, log= and default= if you like (logarithmic by itself where it spans a factor of 100), or "
     "{choices = {...}}, or a list of three values or more. play=true: the parameter moves by itself. Left and right change a "
     "value, up and down choose a parameter, Enter or q leaves. :frames() is a list of {label=, values=, text=, svg=}, all states "
     "(or, where they are more than 64, those in which one parameter moves); :first() is the place of the state it begins with.",
     "v = vary(function(p) return p.n^2 end, {n = {1, 3}})\nv:frames()[3].label  --> n = 3\n"
     "vary(sin, {n = {3, 1}})  --> error: wanted the lower end first"},
    {"Figure:plot", NULL, "x, y [, options]",
     "Draws more into a picture: arguments as of plot.\nOptions that a curve has by itself (label, style, "
     "band, points) count; title, axes and ranges are the picture's. Returns the picture.",
     "p = plot({1, 2}, {3, 4}, {label=\"a\"})\nrawequal(p:plot({1, 2}, {4, 3}, {label=\"b\"}), p)  --> true"},
    {"Figure:band", NULL, "x, lower, upper [, {label=}]",
     "Shades what lies between two curves, as an error bound.\nx, lower, upper: arrays of one length.",
     "p = plot({1, 2}, {3, 4})\nrawequal(p:band({1, 2}, {2, 3}, {4, 5}), p)  --> true"},
    {"Figure:bars", NULL, "x, y [, {label=}]", "Adds bars, as of bars.",
     "p = bars({1, 2, 3})\nrawequal(p:bars({1, 2, 3}, {1, 0, 1}), p)  --> true"},
    {"Figure:rule", NULL, "{x=, y= [, label=]}",
     "Draws straight lines across a picture.\nx: where upright ones stand; y: where level ones do; numbers "
     "or lists.",
     "p = plot({1, 2}, {3, 4})\nrawequal(p:rule{y=3.5, label=\"the bound\"}, p)  --> true"},
    {"Figure:text", NULL, "[{columns=, rows=, colours=, unicode=}]",
     "The picture as lines of text, as a terminal shows it.\ncolumns, rows: at most so many; the screen's "
     "when left out. colours: 0, 256 or 16777216. unicode=false: ASCII only.",
     "p = plot({1, 2}, {3, 4})\np:text{columns=40, colours=0}:match(\"3.5\")  --> 3.5"},
    {"Figure:svg", NULL, "[{width=, height=, theme=}]",
     "The picture as SVG.\nwidth, height: of each panel, in pixels. theme: \"light\" or \"dark\"; without "
     "one it follows its reader's screen. The same picture gives the same text on every machine.",
     "plot({1, 2}, {3, 4}):svg():sub(1, 4)  --> <svg"},
    {"Figure:png", NULL, "[{width=, height=, theme=, scale=2}]",
     "The picture as the bytes of a PNG.\nscale: image pixels for a pixel of the SVG. Needs the libraries "
     "librsvg and cairo.",
     "plot({1, 2}, {3, 4}):png{scale=0}  --> error: wanted a number from 0.1 to 20"},
    {"Figure:save", NULL, "name [, options]",
     "Writes the picture to a file, as savefig(name, picture, options).",
     "p = plot({1, 2}, {3, 4})\np:save(\"p.bmp\")  --> error: wanted .svg, .png, .pdf or .txt"},
    {.name = NULL},
};

void bind_open_plot(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", figure_gc}, {"__tostring", figure_tostring}, {NULL, NULL}};
    bind_class(L, "Figure", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
}

void bind_set_pictures(lua_State *L, int colours, bool unicode, int pixels) {
    bind_state *s = bind_state_of(L);
    s->colours = colours;
    s->ascii = !unicode;
    s->pixels = pixels;
}
