/* programs.c: see programs.h. */
#include "programs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int pick(programs *p, int n) { return (int)ph_rng_below(&p->g, (uint64_t)n); }
#define ANY(p, list) list[pick(p, (int)(sizeof list / sizeof *list))]

static bool can_be_called(const char *name) {
    if (!isalpha((unsigned char)*name)) return false;
    for (const char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_' && *s != ':' && *s != '.') return false;
    return strcmp(name, "ask") != 0; /* it waits for a person */
}

void programs_open(programs *p, lua_State *L, uint64_t seed) {
    int n = 0;
    while (bind_help_each(L, n, NULL)) n++;
    *p = (programs){.rows = calloc((size_t)n + 1, sizeof *p->rows)};
    ph_rng_seed(&p->g, seed);
    for (int i = 0; p->rows && i < n; i++) {
        const bind_row *r = bind_help_each(L, i, NULL);
        if (can_be_called(r->name)) p->rows[p->n++] = r;
    }
}

void programs_close(programs *p) { free(p->rows); }

/* ---- the grammar --------------------------------------------------------------------------------------------- */

static const char *const values[] = {"nil",
                                     "true",
                                     "0",
                                     "1",
                                     "2",
                                     "-1",
                                     "3",
                                     "8",
                                     "1.5",
                                     "-0.0",
                                     "1e300",
                                     "nan",
                                     "inf",
                                     "-inf",
                                     "2^53",
                                     "math.maxinteger",
                                     "math.mininteger",
                                     "1000000",
                                     "'x'",
                                     "''",
                                     "'sum'",
                                     "'f32'",
                                     "'%d'",
                                     "{}",
                                     "{1, 2}",
                                     "{{1, 2}, {3, 4}}",
                                     "{1, {2}}",
                                     "{keep = true}",
                                     "{dtype = 'f32'}",
                                     "{axis = 1}",
                                     "array{1, 2, 3}",
                                     "array{{1, 2}, {3, 4}}",
                                     "array{{1, nan}, {3, 4}}",
                                     "array(3)",
                                     "array{}",
                                     "zeros(2, 0)",
                                     "zeros(4, 8)",
                                     "range(0, 7)",
                                     "array{1 + I, 2}",
                                     "array{true, false}",
                                     "complex(1, nan)",
                                     "dd(1) / 3",
                                     "rat(1, 3)",
                                     "rng(1)",
                                     "randn(rng(2), 4, 8)",
                                     "eye(3)",
                                     "k",
                                     "x",
                                     "y",
                                     "sin(x)",
                                     "x^2 + y",
                                     "sqrt(k)",
                                     "sum(k^2, k, 1, n)",
                                     "where(lt(x, 0), -x, x)",
                                     "lt(x, y)",
                                     "eq(x, x)",
                                     "matrix{{x, 1}, {0, y}}",
                                     "function(v) return v * v end",
                                     "function(v) error 'mine' end",
                                     "function(...) return ... end",
                                     "coroutine.create(function() end)",
                                     "sin",
                                     "v1",
                                     "v2",
                                     "v3",
                                     "_"};
static void leaf(programs *p, ph_text *t) { ph_puts(t, ANY(p, values)); }

static void arguments(programs *p, ph_text *t, int depth) {
    int n = pick(p, 4);
    for (int i = 0; i < n; i++) {
        if (i) ph_puts(t, ", ");
        programs_expression(p, t, depth);
    }
}

/* "Array:copy" is called on some value; "Complex.re" is read off one. */
static void call(programs *p, ph_text *t, int depth) {
    const char *name = p->rows[pick(p, p->n)]->name, *method = strpbrk(name, ":.");
    p->calls++;
    if (method) {
        ph_puts(t, "(");
        programs_expression(p, t, depth);
        ph_putf(t, ")%s", method);
        if (*method == '.') return;
    } else ph_puts(t, name);
    ph_puts(t, "(");
    arguments(p, t, depth);
    ph_puts(t, ")");
}

static void binary(programs *p, ph_text *t, int depth) {
    static const char *const words[] = {"+",  "-",  "*", "/",  "^",   "%",  "//",
                                        "..", "==", "<", "<=", "and", "or", "&"};
    ph_puts(t, "(");
    programs_expression(p, t, depth);
    ph_putf(t, " %s ", ANY(p, words));
    programs_expression(p, t, depth);
    ph_puts(t, ")");
}

static void indexed(programs *p, ph_text *t, int depth) {
    static const char *const forms[] = {"[1]",   "[-1]",   "[{1, 2}]", "[{{1, 2}, {}}]", "[{{1, -1, 2}}]",
                                        "(1)",   "(1, 2)", ".T",       ".shape",         ".x",
                                        "[nan]", "[0]",    "[v1]"};
    ph_puts(t, "(");
    programs_expression(p, t, depth);
    ph_putf(t, ")%s", ANY(p, forms));
}

void programs_expression(programs *p, ph_text *t, int depth) {
    if (depth <= 0 || t->n > 4000) {
        leaf(p, t);
        return;
    }
    switch (pick(p, 8)) {
    case 0:
    case 1: leaf(p, t); break;
    case 2: binary(p, t, depth - 1); break;
    case 3: indexed(p, t, depth - 1); break;
    case 4:
        ph_puts(t, "function(x, y) return ");
        programs_expression(p, t, depth - 1);
        ph_puts(t, " end");
        break;
    default: call(p, t, depth - 1);
    }
}

static void statement(programs *p, ph_text *t) {
    static const char *const frames[] = {"v1 = ",
                                         "v2 = ",
                                         "v3 = ",
                                         "local x = ",
                                         "print(",
                                         "pcall(",
                                         "return ",
                                         "for i = 1, 3 do v1 = ",
                                         "for _, e in ipairs(",
                                         "if ",
                                         "local c <close> = ",
                                         "v1[1] = ",
                                         "v2[{1, 2}] = ",
                                         "v3 = coroutine.wrap(function() v1 = ",
                                         "repeat local z = ",
                                         "setmetatable({}, {__gc = function() v1 = "};
    static const char *const ends[] = {"",
                                       "",
                                       "",
                                       "",
                                       ")",
                                       ")",
                                       "",
                                       " end",
                                       ") do v2 = e end",
                                       " then v1 = nil end",
                                       "",
                                       "",
                                       "",
                                       "; coroutine.yield(v1) end); pcall(v3)",
                                       " until true",
                                       " end})"};
    int k = pick(p, (int)(sizeof frames / sizeof *frames));
    ph_puts(t, frames[k]);
    programs_expression(p, t, 1 + pick(p, 3));
    ph_putf(t, "%s%s", ends[k], pick(p, 6) ? "\n" : ";");
}

/* ---- examples, with words exchanged -------------------------------------------------------------------------- */

static const char *word_end(const char *s) {
    const char *e = s + 1;
    if (isalnum((unsigned char)*s) || *s == '_')
        while (isalnum((unsigned char)*e) || *e == '_') e++;
    return e;
}

static void other_word(programs *p, ph_text *t, const char *s, const char *e) {
    if (isdigit((unsigned char)*s)) leaf(p, t);
    else if (isalpha((unsigned char)*s) && pick(p, 2)) ph_puts(t, p->rows[pick(p, p->n)]->name);
    else if (isalpha((unsigned char)*s)) leaf(p, t);
    else if (strchr("+-*/^", *s)) ph_put(t, &"+-*/^"[pick(p, 5)], 1);
    else if (pick(p, 8)) ph_put(t, s, (size_t)(e - s));
}

static void example_line(programs *p, ph_text *t, const char *line, const char *end, int changes) {
    for (const char *s = line, *e; s < end; s = e) {
        e = word_end(s);
        if (changes && pick(p, 12) < changes) other_word(p, t, s, e);
        else ph_put(t, s, (size_t)(e - s));
    }
    ph_puts(t, "\n");
}

/* All lines of an example, since the later ones use what the first make. */
static void example(programs *p, ph_text *t) {
    const bind_row *r = p->rows[pick(p, p->n)];
    int changes = pick(p, 4);
    if (!r->example) return;
    p->calls++;
    for (const char *s = r->example, *next; *s; s = next) {
        size_t n = strcspn(s, "\n");
        const char *mark = strstr(s, "  --> ");
        next = s + n + (s[n] == '\n');
        if (strncmp(s, "--| ", 4) != 0) example_line(p, t, s, mark && mark < s + n ? mark : s + n, changes);
    }
}

void programs_cell(programs *p, ph_text *t) {
    if (pick(p, 2)) {
        example(p, t);
        return;
    }
    for (int n = 1 + pick(p, 3); n > 0; n--) statement(p, t);
}
