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
    plt_figure **box = bind_new_finalized(L, sizeof *box, 0);
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

/* names(figure, panel, "x" or "y", {text, ...} [, {value, ...}]) */
static int step_names(lua_State *L) {
    ph_err err;
    plt_axis *a = axis(L);
    int n = (int)lua_rawlen(L, 4);
    bool placed = lua_istable(L, 5);
    const char **names = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *names, 0);
    double *at = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *at, 0);
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 4, i + 1);
        names[i] = bind_check_text(L, -1); /* the table keeps it alive */
        lua_pop(L, 1);
        if (!placed) continue;
        lua_rawgeti(L, 5, i + 1);
        at[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    finish(L, plt_set_names(a, names, placed ? at : NULL, n, &err), &err);
    return 0;
}

/* whole(figure, panel, "x" or "y"): ticks at integers alone */
static int step_whole(lua_State *L) {
    axis(L)->whole = true;
    return 0;
}

/* thin(figure, panel): what was added last is drawn with a finer pen */
static int step_thin(lua_State *L) {
    plt_panel *p = panel(L);
    if (p->nmarks) p->mark[p->nmarks - 1].thin = true;
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
        {"new", step_new},           {"text", step_text},
        {"scale", step_scale},       {"range", step_range},
        {"names", step_names},       {"shape", step_shape},
        {"add", step_add},           {"series", step_series},
        {"heat", step_heat},         {"cells", step_cells},
        {"classes", step_classes},   {"is_log", step_is_log},
        {"copy", step_copy},         {"size", step_size},
        {"save", step_save},         {"draw", step_draw},
        {"terminal", step_terminal}, {"whole", step_whole},
        {"thin", step_thin},         {NULL, NULL},
    };
    luaL_newlib(L, steps);
}

void bind_open_plot(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", figure_gc}, {"__tostring", figure_tostring}, {NULL, NULL}};
    bind_class(L, "Figure", KIND_NONE, meta);
    push_steps(L);
    lua_getfield(L, -2, "methods");
    lua_setfield(L, -2, "methods");
    bind_provide(L, "phasor.figure");
    bind_run(L, "phasor.lib.plot_doors");
    lua_pop(L, 1);
}

void bind_set_pictures(lua_State *L, int colours, bool unicode, int pixels) {
    bind_state *s = bind_state_of(L);
    s->colours = colours;
    s->ascii = !unicode;
    s->pixels = pixels;
}
