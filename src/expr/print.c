/* print.c: a formula as text in the laboratory's own syntax, and as LaTeX. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/symbols.h"
#include "base/text.h"
#include "base/utf8.h"
#include "expr/expr.h"

typedef struct {
    ph_text t;
    size_t limit;
    bool full; /* the limit was reached */
} sink;

static void put(sink *s, const char *text) {
    if (s->full) return;
    s->full = s->limit && s->t.n + strlen(text) > s->limit;
    ph_puts(&s->t, s->full ? "…" : text);
}

PH_PRINTF(2, 3) static void putf(sink *s, const char *fmt, ...) {
    char buf[64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    put(s, buf);
}

/* How tightly the printed form of e binds. A negative or fractional constant is weaker than it looks. */
static int prec_of(const expr_node *e) {
    if (e->op == EXPR_RAT && e->den != 1) return expr_ops[EXPR_DIV].prec;
    if (e->op == EXPR_RAT && e->num < 0) return expr_ops[EXPR_NEG].prec;
    return expr_ops[e->op].prec ? expr_ops[e->op].prec : 100;
}

typedef void print_fn(sink *s, const expr_node *e);

static void wrap(sink *s, const expr_node *e, bool parens, print_fn *print, const char *open,
                 const char *close) {
    if (parens) put(s, open);
    print(s, e);
    if (parens) put(s, close);
}

static void arguments(sink *s, const expr_node *e, print_fn *print) {
    for (uint32_t i = 0; i < e->nargs && !s->full; i++) {
        if (i) put(s, ", ");
        print(s, e->arg[i]);
    }
}

/* Left operand: parentheses below p; right operand of - / ^: parentheses at p too. */
static void binary(sink *s, const expr_node *e, print_fn *print, const char *open, const char *close,
                   const char *mid) {
    int p = expr_ops[e->op].prec, l = prec_of(e->arg[0]), r = prec_of(e->arg[1]);
    bool right_assoc = e->op == EXPR_POW;
    wrap(s, e->arg[0], l < p || (right_assoc && l == p), print, open, close);
    put(s, mid);
    bool tight = e->op == EXPR_SUB || e->op == EXPR_DIV || (e->op == EXPR_MUL && e->arg[1]->op == EXPR_DIV);
    wrap(s, e->arg[1], r < p || (tight && r <= p) || (r == expr_ops[EXPR_NEG].prec), print, open, close);
}

static void text(sink *s, const expr_node *e) {
    if (s->full || s->t.failed) return;
    switch (e->op) {
    case EXPR_RAT:
        putf(s, "%" PRId64, e->num);
        if (e->den != 1) putf(s, "/%" PRId64, e->den);
        return;
    case EXPR_SYM: put(s, e->name); return;
    case EXPR_I:
    case EXPR_PI: put(s, expr_ops[e->op].name); return;
    case EXPR_AT:
        text(s, e->arg[0]);
        put(s, "[");
        text(s, e->arg[1]);
        put(s, "]");
        return;
    case EXPR_NEG:
        put(s, "-");
        wrap(s, e->arg[0], prec_of(e->arg[0]) <= expr_ops[EXPR_NEG].prec, text, "(", ")");
        return;
    case EXPR_ADD: binary(s, e, text, "(", ")", " + "); return;
    case EXPR_SUB: binary(s, e, text, "(", ")", " - "); return;
    case EXPR_MUL: binary(s, e, text, "(", ")", "*"); return;
    case EXPR_DIV: binary(s, e, text, "(", ")", "/"); return;
    case EXPR_POW: binary(s, e, text, "(", ")", "^"); return;
    case EXPR_SUM: /* as it is typed: sum(body, i, lo, hi) */
        put(s, "sum(");
        text(s, e->arg[3]);
        for (int i = 0; i < 3; i++) {
            put(s, ", ");
            text(s, e->arg[i]);
        }
        put(s, ")");
        return;
    case EXPR_INTEGRAL: /* as it is typed: integral(f, x, lo, hi) */
        put(s, "integral(");
        text(s, e->arg[1]);
        put(s, ", ");
        text(s, e->arg[0]);
        for (uint32_t i = 2; i < 4; i++) {
            put(s, ", ");
            if (i < e->nargs) text(s, e->arg[i]);
            else put(s, i == 2 ? "-math.huge" : "math.huge");
        }
        put(s, ")");
        return;
    default:
        put(s, expr_ops[e->op].name);
        put(s, "(");
        arguments(s, e, text);
        put(s, ")");
    }
}

/* The command of a Greek letter, from the letter or its name; NULL: it is none. */
static const char *greek_macro(const char *head) {
    const ph_symbol *s = ph_symbol_of(head, strlen(head));
    if (!s) s = ph_find_symbol(head, strlen(head));
    if (!s || s->kind != PH_LETTER) return NULL;
    uint32_t rune = ph_utf8_decode(s->character, strlen(s->character)).rune;
    return rune >= 0x370 && rune < 0x400 ? s->name : NULL;
}

/* θ1 and theta become \theta_{1} and \theta; one letter stays; longer names are upright. */
static void latex_symbol(sink *s, const char *name) {
    size_t len = strlen(name), stem = len;
    while (stem > 1 && name[stem - 1] >= '0' && name[stem - 1] <= '9') stem--;
    bool under = false;
    for (size_t i = 1; i + 1 < len && !under; i++)
        if (name[i] == '_') {
            under = true;
            stem = i;
        }
    char head[64];
    snprintf(head, sizeof head, "%.*s", (int)stem, name);
    const char *macro = greek_macro(head);
    unsigned char first = (unsigned char)head[0];
    size_t letter = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (macro) putf(s, "\\%s", macro);
    else if (strlen(head) <= letter) put(s, head);
    else putf(s, "\\mathrm{%.40s}", head);
    if (stem < len) {
        put(s, "_{");
        put(s, name + stem + under);
        put(s, "}");
    }
}

static void latex(sink *s, const expr_node *e);

static void latex_group(sink *s, const char *open, const expr_node *e, const char *close) {
    put(s, open);
    latex(s, e);
    put(s, close);
}

static void latex_piece(sink *s, const expr_node *e) {
    put(s, "\\begin{cases}");
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        latex(s, e->arg[i + 1]);
        latex_group(s, " & ", e->arg[i], "\\\\ ");
    }
    latex_group(s, "", e->arg[e->nargs - 1], " & \\text{otherwise}\\end{cases}");
}

static void latex_rat(sink *s, const expr_node *e) {
    if (e->den == 1) putf(s, "%" PRId64, e->num);
    else
        putf(s, "%s\\frac{%" PRIu64 "}{%" PRId64 "}", e->num < 0 ? "-" : "",
             e->num < 0 ? 0 - (uint64_t)e->num : (uint64_t)e->num, e->den);
}

/* The functions that are written around their argument. */
static bool latex_around(sink *s, const expr_node *e) {
    static const struct {
        expr_op op;
        const char *open, *close;
    } around[] = {{EXPR_SQRT, "\\sqrt{", "}"},
                  {EXPR_ABS, "\\left|", "\\right|"},
                  {EXPR_FLOOR, "\\left\\lfloor ", "\\right\\rfloor"},
                  {EXPR_CONJ, "\\overline{", "}"}};
    for (size_t k = 0; k < sizeof around / sizeof *around; k++)
        if (around[k].op == e->op) {
            latex_group(s, around[k].open, e->arg[0], around[k].close);
            return true;
        }
    return false;
}

static void latex_integral(sink *s, const expr_node *e) {
    if (e->nargs > 2) latex_group(s, "\\int_{", e->arg[2], "}");
    else put(s, "\\int_{-\\infty}");
    if (e->nargs > 3) latex_group(s, "^{", e->arg[3], "} ");
    else put(s, "^{\\infty} ");
    wrap(s, e->arg[1], prec_of(e->arg[1]) <= expr_ops[EXPR_ADD].prec, latex, "\\left(", "\\right)");
    latex_group(s, " \\, d", e->arg[0], "");
}

static void latex(sink *s, const expr_node *e) {
    if (s->full || s->t.failed || latex_around(s, e)) return;
    const char *open = "\\left(", *close = "\\right)";
    if (expr_is_statement(e)) {
        latex(s, e->arg[0]);
        putf(s, " %s ", expr_ops[e->op].latex);
        latex(s, e->arg[1]);
        return;
    }
    switch (e->op) {
    case EXPR_RAT: latex_rat(s, e); return;
    case EXPR_SYM: latex_symbol(s, e->name); return;
    case EXPR_I:
    case EXPR_PI: put(s, expr_ops[e->op].latex); return;
    case EXPR_AT:
        latex(s, e->arg[0]);
        latex_group(s, "_{", e->arg[1], "}");
        return;
    case EXPR_NEG:
        put(s, "-");
        wrap(s, e->arg[0], prec_of(e->arg[0]) <= expr_ops[EXPR_NEG].prec, latex, open, close);
        return;
    case EXPR_DIV:
        latex_group(s, "\\frac{", e->arg[0], "}");
        latex_group(s, "{", e->arg[1], "}");
        return;
    case EXPR_POW:
        wrap(s, e->arg[0], prec_of(e->arg[0]) <= expr_ops[EXPR_POW].prec || !expr_ops[e->arg[0]->op].prec,
             latex, open, close);
        latex_group(s, "^{", e->arg[1], "}");
        return;
    case EXPR_MUL: binary(s, e, latex, open, close, e->arg[1]->op == EXPR_RAT ? " \\cdot " : " "); return;
    case EXPR_ADD: binary(s, e, latex, open, close, " + "); return;
    case EXPR_SUB: binary(s, e, latex, open, close, " - "); return;
    case EXPR_SUM:
        latex_group(s, "\\sum_{", e->arg[0], "=");
        latex_group(s, "", e->arg[1], "}");
        latex_group(s, "^{", e->arg[2], "} ");
        wrap(s, e->arg[3], prec_of(e->arg[3]) <= expr_ops[EXPR_ADD].prec, latex, open, close);
        return;
    case EXPR_INTEGRAL: latex_integral(s, e); return;
    case EXPR_PIECE: latex_piece(s, e); return;
    default:
        put(s, expr_ops[e->op].latex);
        put(s, open);
        arguments(s, e, latex);
        put(s, close);
    }
}

static ph_status render(char **out, const expr_node *e, size_t limit, print_fn *print, ph_err *err) {
    sink s = {.limit = limit};
    print(&s, e);
    return ph_text_take(out, NULL, &s.t, err);
}

ph_status expr_text(char **out, const expr_node *e, size_t limit, ph_err *err) {
    return render(out, e, limit, text, err);
}
ph_status expr_latex(char **out, const expr_node *e, size_t limit, ph_err *err) {
    return render(out, e, limit, latex, err);
}
