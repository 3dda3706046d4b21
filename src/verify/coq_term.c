/* coq_term.c: formulas as terms of Coq. Everything is in parentheses, so that no precedence is relied on. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/coq_internal.h"

#define MAX_POWER     1000 /* a constant exponent */
#define MAX_DOUBLINGS 12   /* of a complex number that is multiplied by itself */
#define MAX_PRODUCT   400  /* parts that it has in the end */

void ver_coq_refuse(coq_writer *c, const char *fmt, ...) {
    char buf[200];
    va_list ap;
    if (c->b.st) return;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    c->b.st = ph_fail(c->b.err, PH_EOUTSIDE, "not expressible: %s", buf);
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* Words of Coq, of the prelude and of the proofs; a symbol so called, or one that begins as the substitutes do, gets "v_". Names that
 * proofs give have an apostrophe in them (u'1), which no symbol has. */
static const char *const taken[] = {
    "as",     "at",    "cofix", "else",  "end",   "exists", "exists2", "fix",     "for",     "forall",
    "fun",    "if",    "IF",    "in",    "let",   "match",  "mod",     "Prop",    "Set",     "Type",
    "return", "SProp", "then",  "using", "where", "with",   "R",       "Z",       "C",       "N",
    "nat",    "IZR",   "INR",   "PI",    "sin",   "cos",    "tan",     "exp",     "ln",      "sqrt",
    "sinh",   "cosh",  "tanh",  "atan",  "Rabs",  "Rmin",   "Rmax",    "Rpower",  "powerRZ", "sgn",
    "floor",  "zsum",  "fst",   "snd",   "Ci",    "Si",     "RtoC",    "Cadd",    "Csub",    "Cmul",
    "Cdiv",   "Cneg",  "Cexp",  "Cconj", "Cpow",  "Cinv",   "Ci_unit", "Rlt_dec", "Rle_dec", "Req_EM_T",
    "list",   "nil",   "cons",  NULL};

void ver_coq_name(coq_writer *c, const char *name) {
    bool escape = !strncmp(name, "v_", 2) || strchr("0123456789'", name[0]);
    for (int i = 0; taken[i]; i++) escape |= !strcmp(name, taken[i]);
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p < 0x80 && !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'", *p)) {
            ver_coq_refuse(c, "the name %s", name);
            return;
        }
    COQ_PUT(c, "%s%s", escape ? "v_" : "", name);
}

/* ---- kinds --------------------------------------------------------------------------------------------- */

static bool whole_kind(expr_kind k) { return k == EXPR_INTEGER || k == EXPR_NATURAL; }

bool ver_coq_is_whole(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT: return e->den == 1;
    case EXPR_SYM: return whole_kind(e->kind);
    case EXPR_AT: return whole_kind(e->arg[0]->kind) && ver_coq_is_whole(e->arg[1]);
    case EXPR_NEG: return ver_coq_is_whole(e->arg[0]);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL: return ver_coq_is_whole(e->arg[0]) && ver_coq_is_whole(e->arg[1]);
    default: return false;
    }
}

bool ver_coq_is_complex(const expr_node *e) {
    if (e->op == EXPR_I || (e->op == EXPR_SYM && e->kind == EXPR_COMPLEX)) return true;
    if (e->op == EXPR_RE || e->op == EXPR_IM || e->op == EXPR_ABS) return false;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_is_complex(e->arg[i])) return true;
    return false;
}

bool ver_coq_known_sign(const coq_writer *c, const expr_node *e, bool strict) {
    if (strict ? expr_is_positive(e) : expr_is_nonnegative(e)) return true;
    for (int i = 0; c->conditions && i < c->conditions->n; i++) {
        const expr_node *s = c->conditions->item[i];
        bool up = s->op == EXPR_GT || (s->op == EXPR_GE && !strict),
             down = s->op == EXPR_LT || (s->op == EXPR_LE && !strict);
        if (up && expr_same(s->arg[0], e) && expr_is_nonnegative(s->arg[1])) return true;
        if (down && expr_same(s->arg[1], e) && expr_is_nonnegative(s->arg[0])) return true;
    }
    return false;
}

/* ---- terms of Z ---------------------------------------------------------------------------------------- */

static void member(coq_writer *c, const expr_node *e) {
    COQ_PUT(c, "(");
    ver_coq_name(c, e->arg[0]->name);
    COQ_PUT(c, " ");
    ver_coq_whole(c, e->arg[1]);
    COQ_PUT(c, ")");
}

void ver_coq_whole(coq_writer *c, const expr_node *e) {
    static const char *const sign[] = {[EXPR_ADD] = "+", [EXPR_SUB] = "-", [EXPR_MUL] = "*"};
    if (!ver_coq_is_whole(e)) {
        ver_coq_refuse(c, "an index or a bound that is not seen to be whole");
        return;
    }
    switch (e->op) {
    case EXPR_RAT: COQ_PUT(c, "(%" PRId64 ")%%Z", e->num); return;
    case EXPR_SYM: ver_coq_name(c, e->name); return;
    case EXPR_AT: member(c, e); return;
    case EXPR_NEG:
        COQ_PUT(c, "(- ");
        ver_coq_whole(c, e->arg[0]);
        COQ_PUT(c, ")%%Z");
        return;
    default:
        COQ_PUT(c, "(");
        ver_coq_whole(c, e->arg[0]);
        COQ_PUT(c, " %s ", sign[e->op]);
        ver_coq_whole(c, e->arg[1]);
        COQ_PUT(c, ")%%Z");
    }
}

/* ---- terms of R ---------------------------------------------------------------------------------------- */

static void call(coq_writer *c, const char *f, coq_print *print, const expr_node *e) {
    COQ_PUT(c, "(%s", f);
    for (uint32_t i = 0; i < e->nargs; i++) {
        COQ_PUT(c, " ");
        print(c, e->arg[i]);
    }
    COQ_PUT(c, ")");
}

static void infix(coq_writer *c, const char *sign, const expr_node *e) {
    COQ_PUT(c, "(");
    ver_coq_real(c, e->arg[0]);
    COQ_PUT(c, " %s ", sign);
    ver_coq_real(c, e->arg[1]);
    COQ_PUT(c, ")");
}

static void rational(coq_writer *c, const expr_node *e) {
    if (e->den == 1) COQ_PUT(c, e->num < 0 ? "(%" PRId64 ")" : "%" PRId64, e->num);
    else COQ_PUT(c, "(%" PRId64 " / %" PRId64 ")", e->num, e->den);
}

/* By the kind of the exponent: b ^ n of a constant natural number, Rpower of a positive base, powerRZ of a whole exponent. */
static void power(coq_writer *c, const expr_node *e) {
    const expr_node *b = e->arg[0], *v = e->arg[1];
    if (v->op == EXPR_RAT && v->den == 1) {
        if (v->num > MAX_POWER || v->num < -MAX_POWER) ver_coq_refuse(c, "a power beyond %d", MAX_POWER);
        COQ_PUT(c, v->num < 0 ? "(/ (" : "(");
        ver_coq_real(c, b);
        COQ_PUT(c, " ^ %" PRId64 "%s", v->num < 0 ? -v->num : v->num, v->num < 0 ? "))" : ")");
    } else if (ver_coq_known_sign(c, b, true)) call(c, "Rpower", ver_coq_real, e);
    else if (ver_coq_is_whole(v)) {
        COQ_PUT(c, "(powerRZ ");
        ver_coq_real(c, b);
        COQ_PUT(c, " ");
        ver_coq_whole(c, v);
        COQ_PUT(c, ")");
    } else ver_coq_refuse(c, "a power of what may be 0 or negative");
}

void ver_coq_summands(coq_writer *c, const expr_node *e, const expr_node *lo, const expr_node *hi) {
    COQ_PUT(c, "(fun ");
    ver_coq_name(c, e->arg[0]->name);
    COQ_PUT(c, " : Z => ");
    ver_coq_real(c, e->arg[3]);
    COQ_PUT(c, ") ");
    ver_coq_whole(c, lo);
    COQ_PUT(c, " ");
    ver_coq_whole(c, hi);
}

static void sum(coq_writer *c, const expr_node *e) {
    COQ_PUT(c, "(zsum ");
    ver_coq_summands(c, e, e->arg[1], e->arg[2]);
    COQ_PUT(c, ")");
}

static void cases(coq_writer *c, const expr_node *e) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        const expr_node *s = e->arg[i];
        bool swap = s->op == EXPR_GT || s->op == EXPR_GE, opposite = s->op == EXPR_NE;
        const char *test = s->op == EXPR_LT || s->op == EXPR_GT   ? "Rlt_dec"
                           : s->op == EXPR_LE || s->op == EXPR_GE ? "Rle_dec"
                                                                  : "Req_EM_T";
        if (opposite) ver_coq_refuse(c, "a case for what is not equal");
        COQ_PUT(c, "(if %s ", test);
        ver_coq_real(c, s->arg[swap]);
        COQ_PUT(c, " ");
        ver_coq_real(c, s->arg[!swap]);
        COQ_PUT(c, " then ");
        ver_coq_real(c, e->arg[i + 1]);
        COQ_PUT(c, " else ");
    }
    ver_coq_real(c, e->arg[e->nargs - 1]);
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) COQ_PUT(c, ")");
}

/* A root or logarithm of what may be negative is a complex number in the laboratory, and 0 in Coq. */
static void in_domain(coq_writer *c, const expr_node *e) {
    if (e->op == EXPR_LOG && !ver_coq_known_sign(c, e->arg[0], true))
        ver_coq_refuse(c, "a logarithm of what may be 0 or negative");
    if (e->op == EXPR_SQRT && !ver_coq_known_sign(c, e->arg[0], false))
        ver_coq_refuse(c, "a root of what may be negative");
}

static void function(coq_writer *c, const expr_node *e) {
    static const char *const name[EXPR_NOPS] = {
        [EXPR_MIN] = "Rmin",   [EXPR_MAX] = "Rmax",  [EXPR_SIN] = "sin",   [EXPR_COS] = "cos",
        [EXPR_TAN] = "tan",    [EXPR_EXP] = "exp",   [EXPR_LOG] = "ln",    [EXPR_SQRT] = "sqrt",
        [EXPR_SINH] = "sinh",  [EXPR_COSH] = "cosh", [EXPR_TANH] = "tanh", [EXPR_ATAN] = "atan",
        [EXPR_CI] = "Ci",      [EXPR_SI] = "Si",     [EXPR_ABS] = "Rabs",  [EXPR_SIGN] = "sgn",
        [EXPR_FLOOR] = "floor"};
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_is_complex(e->arg[i])) ver_coq_refuse(c, "%s of a complex number", expr_ops[e->op].name);
    in_domain(c, e);
    if (name[e->op]) call(c, name[e->op], ver_coq_real, e);
    else ver_coq_refuse(c, "%s inside a formula", expr_ops[e->op].name);
}

void ver_coq_real(coq_writer *c, const expr_node *e) {
    if (c->b.st) return;
    switch (e->op) {
    case EXPR_RAT: rational(c, e); return;
    case EXPR_PI: COQ_PUT(c, "PI"); return;
    case EXPR_SYM:
    case EXPR_AT: {
        const expr_node *sym = e->op == EXPR_AT ? e->arg[0] : e;
        bool whole = whole_kind(sym->kind);
        if (sym->kind == EXPR_COMPLEX) ver_coq_refuse(c, "a complex number where a real one is wanted");
        if (whole) COQ_PUT(c, "(IZR ");
        if (e->op == EXPR_AT) member(c, e);
        else ver_coq_name(c, e->name);
        if (whole) COQ_PUT(c, ")");
        return;
    }
    case EXPR_NEG: call(c, "-", ver_coq_real, e); return;
    case EXPR_ADD: infix(c, "+", e); return;
    case EXPR_SUB: infix(c, "-", e); return;
    case EXPR_MUL: infix(c, "*", e); return;
    case EXPR_DIV: infix(c, "/", e); return;
    case EXPR_POW: power(c, e); return;
    case EXPR_SUM: sum(c, e); return;
    case EXPR_PIECE: cases(c, e); return;
    case EXPR_RE: call(c, "fst", ver_coq_complex, e); return;
    case EXPR_IM: call(c, "snd", ver_coq_complex, e); return;
    case EXPR_ABS:
        if (ver_coq_is_complex(e->arg[0])) call(c, "Cabs", ver_coq_complex, e);
        else function(c, e);
        return;
    case EXPR_CONJ: ver_coq_real(c, e->arg[0]); return; /* of a real number */
    default: function(c, e);
    }
}

/* ---- terms of C ---------------------------------------------------------------------------------------- */

static void complex_power(coq_writer *c, const expr_node *e) {
    const expr_node *v = e->arg[1];
    if (v->op != EXPR_RAT || v->den != 1) {
        ver_coq_refuse(c, "a power of a complex number with this exponent");
        return;
    }
    int64_t n = v->num < 0 ? -v->num : v->num; /* each factor doubles what is multiplied out */
    if (n > MAX_DOUBLINGS || (double)e->arg[0]->size * (double)(1 << n) > MAX_PRODUCT) {
        ver_coq_refuse(c, "a high power of a complex number");
        return;
    }
    COQ_PUT(c, v->num < 0 ? "(Cinv (Cpow " : "(Cpow ");
    ver_coq_complex(c, e->arg[0]);
    COQ_PUT(c, " %" PRId64 "%s", n, v->num < 0 ? "))" : ")");
}

void ver_coq_complex(coq_writer *c, const expr_node *e) {
    static const char *const name[EXPR_NOPS] = {
        [EXPR_NEG] = "Cneg", [EXPR_ADD] = "Cadd", [EXPR_SUB] = "Csub",  [EXPR_MUL] = "Cmul",
        [EXPR_DIV] = "Cdiv", [EXPR_EXP] = "Cexp", [EXPR_CONJ] = "Cconj"};
    if (c->b.st) return;
    if (!ver_coq_is_complex(e)) {
        COQ_PUT(c, "(RtoC ");
        ver_coq_real(c, e);
        COQ_PUT(c, ")");
    } else if (e->op == EXPR_I) COQ_PUT(c, "Ci_unit");
    else if (e->op == EXPR_SYM) ver_coq_name(c, e->name);
    else if (e->op == EXPR_AT) member(c, e);
    else if (e->op == EXPR_POW) complex_power(c, e);
    else if (name[e->op]) call(c, name[e->op], ver_coq_complex, e);
    else ver_coq_refuse(c, "%s of complex numbers", expr_ops[e->op].name);
}

/* ---- statements ---------------------------------------------------------------------------------------- */

void ver_coq_statement(coq_writer *c, const expr_node *s) {
    static const char *const sign[] = {"=", "<>", "<", "<=", ">", ">="};
    bool z = ver_coq_is_complex(s->arg[0]) || ver_coq_is_complex(s->arg[1]);
    if (!expr_is_statement(s)) ver_coq_refuse(c, "a condition that is no comparison");
    if (z && s->op != EXPR_EQ && s->op != EXPR_NE) ver_coq_refuse(c, "an order of complex numbers");
    if (c->b.st) return;
    (z ? ver_coq_complex : ver_coq_real)(c, s->arg[0]);
    COQ_PUT(c, " %s ", sign[s->op - EXPR_EQ]);
    (z ? ver_coq_complex : ver_coq_real)(c, s->arg[1]);
}

char *ver_coq_text(coq_writer *c, coq_print *print, const expr_node *e) {
    ph_text kept = c->out;
    char *text = NULL;
    c->out = (ph_text){0};
    print(c, e);
    ph_status st = ph_text_take(&text, NULL, &c->out, c->b.err);
    if (st && !c->b.st) c->b.st = st;
    c->out = kept;
    return text;
}
