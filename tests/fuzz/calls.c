/* calls.c: see calls.h. */
#include "calls.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 8, FORM_MAX = 300 };

struct calls_row {
    const char *name; /* "matmul", "Array:copy", "Complex.re"; of an operator "#add" */
    char *setup;      /* the lines of its example that make variables, as locals; "" */
    char *forms
        [FORMS]; /* "A, {axis = 1}": what stands between its brackets there; of a method the object first */
    int n;
};

static int pick(calls *c, int n) { return (int)ph_rng_below(&c->p.g, (uint64_t)n); }

/* ---- what the examples call ---------------------------------------------------------------------------------- */

static bool of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind the bracket that closes the one at s, or NULL. Strings are stepped over. */
static const char *closing(const char *s) {
    int depth = 0;
    for (; *s; s++) {
        if (*s == '\'' || *s == '"') {
            const char quote = *s++;
            while (*s && *s != quote) s += *s == '\\' && s[1] ? 2 : 1;
            if (!*s) return NULL;
        } else if (strchr("([{", *s)) depth++;
        else if (strchr(")]}", *s) && --depth == 0) return s + 1;
    }
    return NULL;
}

static bool compiles(lua_State *L, const char *setup, const char *form) {
    ph_text t = {0};
    ph_putf(&t, "return function() %s return %s end", setup, form);
    bool fine = luaL_loadbufferx(L, t.s, t.n, "=form", "t") == LUA_OK;
    lua_pop(L, 1);
    ph_text_drop(&t);
    return fine;
}

/* Lines of the form `a, b = …` that compile by themselves. */
static void take_setup(lua_State *L, calls_row *row, const char *example) {
    ph_text t = {0};
    ph_puts(&t, "");
    for (const char *s = example, *next; *s; s = next) {
        size_t n = strcspn(s, "\n"),
               head = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_, ");
        const char *mark = strstr(s, "  --> ");
        next = s + n + (s[n] == '\n');
        if (mark && mark < s + n) n = (size_t)(mark - s);
        bool is_local = strncmp(s, "local ", 6) == 0;
        if (head < 2 || head >= n || s[head] != '=' || s[head + 1] == '=' || t.n + n > 500) continue;
        size_t before = t.n;
        ph_putf(&t, "%s%.*s; ", is_local ? "" : "local ", (int)n, s);
        if (!compiles(L, t.s, "1")) t.s[t.n = before] = 0;
    }
    row->setup = strdup(t.s);
    ph_text_drop(&t);
}

/* What the call whose name ends at s is given; the object of a method stands before `begin`. */
static void take_form(lua_State *L, calls_row *row, const char *line, const char *begin, const char *s) {
    const char *open = s + strspn(s, " "), *end = strchr("({'\"", *open) && *open
                                                      ? closing(*open == '(' || *open == '{' ? open : s)
                                                      : NULL;
    ph_text t = {0};
    if (!end || row->n == FORMS) return;
    if (*begin == ':') {
        const char *object = begin;
        while (object > line && of_name(object[-1])) object--;
        if (object == begin) return;
        ph_putf(&t, "%.*s", (int)(begin - object), object);
    }
    bool bare = *open != '(';
    int n = (int)(end - open) - (bare ? 0 : 2);
    if (n > 0) ph_putf(&t, "%s%.*s", t.n ? ", " : "", n, open + !bare);
    if (t.n > 0 && t.n < FORM_MAX && compiles(L, row->setup, t.s)) row->forms[row->n++] = strdup(t.s);
    ph_text_drop(&t);
}

static void take_example(lua_State *L, calls_row *row, const bind_row *r) {
    const char *example = r->example ? r->example : "", *name = strpbrk(r->name, ":.");
    row->name = r->name;
    take_setup(L, row, example);
    if (!name) name = r->name;
    size_t n = strlen(name);
    for (const char *s = example; (s = strstr(s, name)); s += n)
        if (!of_name(s[n]) && (*name == ':' || s == example || !of_name(s[-1])))
            take_form(L, row, example, s, s + n);
}

/* Operators, as functions: see the prelude of test_api.lua. */
static const char *const operators[] = {"#add",  "#sub",    "#mul",      "#div", "#pow",   "#mod",  "#idiv",
                                        "#unm",  "#concat", "#eq",       "#lt",  "#le",    "#len",  "#index",
                                        "#call", "#each",   "#tostring", "#set", "#close", "#slice"};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* Topics of help are no functions. */
static bool is_function(lua_State *L, const char *name) {
    char code[100];
    snprintf(code, sizeof code, "return type(%.60s) == 'function'", name);
    bool is = strpbrk(name, ":.") || (luaL_dostring(L, code) == LUA_OK && lua_toboolean(L, -1));
    lua_settop(L, 0);
    return is;
}

void calls_open(calls *c, lua_State *L) {
    *c = (calls){.n = 0};
    programs_open(&c->p, L, 0);
    c->rows = calloc((size_t)c->p.n + OPERATORS, sizeof *c->rows);
    for (int i = 0; c->rows && i < c->p.n; i++)
        if (is_function(L, c->p.rows[i]->name)) take_example(L, &c->rows[c->n++], c->p.rows[i]);
    c->all = c->n;
    for (int i = 0; c->rows && i < OPERATORS; i++)
        c->rows[c->all++] = (calls_row){.name = operators[i], .setup = strdup("")};
}

void calls_close(calls *c) {
    for (int i = 0; i < c->all; i++) {
        for (int k = 0; k < c->rows[i].n; k++) free(c->rows[i].forms[k]);
        free(c->rows[i].setup);
    }
    free(c->rows);
    for (int i = 0; i < CALLS_EPISODE; i++) ph_text_drop(&c->statement[i].text);
    programs_close(&c->p);
}

/* ---- arguments ----------------------------------------------------------------------------------------------- */

static const char *const hostile[] = {
    "(function() local t = {}; t[1], t.x = t, t; return t end)()",
    "(function() local t = {1}; for _ = 1, 300 do t = {t} end return t end)()",
    "'\\0\\255\\xed\\xa0\\x80'",
    "string.rep('x', 5000)",
    "string.rep('(', 300)",
    "'\\27[31m'",
    "coroutine.create(function() coroutine.yield(1) end)",
    "coroutine.wrap(function(...) while true do coroutine.yield(...) end end)",
    "io.stdout",
    "setmetatable({}, {__index = function(t, k) return k end})",
    "setmetatable({}, {__index = function() error 'mine' end})",
    "setmetatable({1, 2}, {__len = function() return 1e9 end})",
    "setmetatable({}, {__tostring = function() return 1 end})",
    "setmetatable({}, {__name = 'Array'})",
    "setmetatable({}, {__call = function(_, ...) return ... end})",
    "{n = 1, [0] = 0, [-1] = nan, [1.5] = {}}",
    "{1, nil, 3, nil, 5}",
    "{{1, 2}, {3}}",
    "{{{}}, {}}",
    "{shape = {2, 2}, 1, 2, 3, 4}",
    "zeros(1, 2, 3, 0, 1)",
    "zeros(2, 1, 2, 1, 2, 1, 2, 1)",
    "ones(3, 4).T",
    "range(0, 20)[{{1, -1, 3}}]",
    "reshape(range(0, 23), {2, 3, 4})",
    "reshape(randn(rng(3), 24), {1, 4, 6})",
    "array({1, 2, 3}, {dtype = 'f32'})",
    "array({1, 0, 1}, {dtype = 'bool'})",
    "array({1, -2, 300}, {dtype = 'i64'})",
    "array{nan, inf, -inf, -0.0, 1e-320}",
    "array{2^53, -2^63, 1e308}",
    "zeros(0)",
    "array{{1e200, 1}, {1, 1e-200}}",
    "-1e-300",
    "0x7fffffffffffffff",
    "-2^31",
    "4294967296",
    "1e308",
    "5e-324",
    "2^-1074",
    "1 / 3",
    "complex(inf, nan)",
    "complex(0, -0.0)",
    "dd('1e-300')",
    "rat(-1, 3)",
    "pi",
    "I",
    "exact(2)",
    "exact(1) / 3",
    "exact(10)^exact(60)",
    "x / 0",
    "exp(exp(x))",
    "x^k",
    "sum(1 / k, k, 1, n)",
    "gt(x, 0)",
    "prove(sin(x)^2 + cos(x)^2, 1)",
    "measure(array{1, 2}, array{1, 2})",
    "rope",
    "sinusoidal(4, 8)",
    "alibi",
    "print",
    "call",
    "_G",
    "string",
    "help",
    "error",
    "pcall",
    "function(v) return v end",
    "function() end",
    "function(v) return v[1] end",
    "function(v) return {v, v} end",
    "function(a, b) return a * b + 1 end",
    "function(v) return sum(v * v) end",
    "function(v) v1 = v; return v end",
    "function(v) return setmetatable({}, {__gc = function() v2 = v end}) end",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void kept_value(calls *c, calls_statement *s) {
    int k = pick(c, CALLS_VALUES);
    s->reads |= (unsigned char)(1u << k);
    ph_putf(&s->text, "v%d", k + 1);
}

/* What programs.c writes names v1 to v3 at times. */
static void mark_read(calls_statement *s, size_t from) {
    for (const char *p = s->text.s + from; (p = strchr(p, 'v')); p++)
        if (p[1] >= '1' && p[1] <= '0' + CALLS_VALUES && !of_name(p[2]) && !of_name(p[-1]))
            s->reads |= (unsigned char)(1u << (p[1] - '1'));
}

static void argument(calls *c, calls_statement *s) {
    size_t from = s->text.n;
    switch (pick(c, 6)) {
    case 0:
    case 1: kept_value(c, s); break;
    case 2:
    case 3: ph_puts(&s->text, hostile[pick(c, HOSTILE)]); break;
    default: programs_expression(&c->p, &s->text, pick(c, 8) == 0);
    }
    mark_read(s, from);
}

/* The arguments of a form, at the commas between them; one of them in `change` gives way to another. */
static void changed_form(calls *c, calls_statement *s, const char *form, int change) {
    int depth = 0;
    const char *from = form, *p = form;
    for (;; p++) {
        if (*p == '\'' || *p == '"') {
            const char quote = *p++;
            while (*p && *p != quote) p += *p == '\\' && p[1] ? 2 : 1;
        }
        if (*p && strchr("([{", *p)) depth++;
        if (*p && strchr(")]}", *p)) depth--;
        if (*p && (*p != ',' || depth > 0)) continue;
        if (pick(c, change) == 0) argument(c, s);
        else ph_put(&s->text, from, (size_t)(p - from));
        if (!*p) break;
        if (pick(c, 40) == 0) break; /* too few */
        ph_puts(&s->text, ", ");
        from = p + 1;
    }
    if (pick(c, 40) == 0) { /* too many */
        ph_puts(&s->text, ", ");
        argument(c, s);
    }
}

static void some_arguments(calls *c, calls_statement *s, int least) {
    for (int n = least + pick(c, 4), i = 0; i < n; i++) {
        if (i) ph_puts(&s->text, ", ");
        argument(c, s);
    }
}

/* Takes milliseconds when it is called as it should be, or what its example makes before. */
static bool is_slow(const char *name) {
    static const char *const slow[] = {"fire",          "train",
                                       "certify",       "lbfgs",
                                       "trainer",       "panels",
                                       "resume",        "corpus",
                                       "heatmap",       "integral",
                                       "check",         "effective_rank",
                                       "transformer",   "gradient_descent",
                                       "decoder_block", "encoder_block",
                                       "probe",         "claims",
                                       "lesson",        "longest_context"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (strcmp(slow[i], name) == 0) return true;
    return false;
}

/* One of the first n rows; a slow one comes a sixteenth as often, also where another is given its arguments. */
static const calls_row *pick_row(calls *c, int n) {
    const calls_row *row;
    do row = &c->rows[pick(c, n)];
    while (is_slow(row->name) && pick(c, 16));
    return row;
}

/* Its own form as it stands or changed, another's, or anything. */
static void arguments(calls *c, calls_statement *s, const calls_row *row) {
    bool own = row->n > 0 && pick(c, 4);
    const calls_row *from = own ? row : pick_row(c, c->n);
    if (from->n == 0 || (!own && pick(c, 2))) {
        ph_puts(&s->text, "return ");
        some_arguments(c, s, *row->name == '#' || strpbrk(row->name, ":."));
        return;
    }
    ph_putf(&s->text, "%sreturn ", from->setup);
    changed_form(c, s, from->forms[pick(c, from->n)], 2 + pick(c, 4));
}

/* ---- statements ---------------------------------------------------------------------------------------------- */

static void callee(ph_text *t, const char *name) {
    const char *method = strpbrk(name, ":.");
    if (*name == '#') ph_putf(t, "op.%s", name + 1);
    else if (method) ph_putf(t, "%s'%s'", *method == ':' ? "method" : "field", method + 1);
    else ph_puts(t, name);
}

/* At times memory is refused from an allocation on (seldom: Lua collects the whole session first), the call is interrupted after so many
 * steps of Lua, or at its first look in C. */
static void trouble(calls *c, ph_text *t) {
    int kind = pick(c, 40), n = 1 << pick(c, 12);
    if (kind == 0 && pick(c, 8)) return;
    if (kind == 0) ph_putf(t, ", 'starve', %d", 1 + pick(c, n));
    if (kind == 1) ph_putf(t, ", 'stop', %d", 1 + pick(c, n));
    if (kind == 2) ph_puts(t, ", 'flag', 0");
}

static void make(calls *c, int i) {
    calls_statement *s = &c->statement[i];
    const calls_row *row = pick_row(c, c->all);
    s->text.n = 0, s->reads = 0, s->writes = 1 + pick(c, CALLS_VALUES);
    ph_putf(&s->text, "v%d = call(%d, ", s->writes, i);
    callee(&s->text, row->name);
    ph_puts(&s->text, ", function() ");
    arguments(c, s, row);
    ph_puts(&s->text, " end");
    trouble(c, &s->text);
    ph_puts(&s->text, ")\n");
}

void calls_episode(calls *c, uint64_t seed) {
    ph_rng_seed(&c->p.g, seed);
    for (int i = 0; i < CALLS_EPISODE; i++) make(c, i);
}

void calls_needed(const calls *c, int last, void (*each)(const ph_text *text)) {
    bool needed[CALLS_EPISODE] = {false};
    unsigned wanted = 0;
    for (int i = last; i >= 0; i--) {
        const calls_statement *s = &c->statement[i];
        unsigned written = 1u << (s->writes - 1);
        needed[i] = i == last || wanted & written;
        if (needed[i]) wanted = (wanted & ~written) | s->reads;
    }
    for (int i = 0; i <= last; i++)
        if (needed[i]) each(&c->statement[i].text);
}
