/* coq_term.c: formulas as terms of Coq. Everything is in parentheses, so that no precedence is relied on. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/coq_internal.h"

#define MAX_POWER 1000 /* a constant exponent */

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

/* Words of Coq, of the prelude and of the proofs; a symbol so called, or one that begins as the substitutes do, gets "v_". */
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

static bool whole_kind(exp_kind k) { return k == EXP_INTEGER || k == EXP_NATURAL; }

bool ver_coq_is_whole(const exp_node *e) {
    switch (e->op) {
    case EXP_RAT: return e->den == 1;
    case EXP_SYM: return whole_kind(e->kind);
    case EXP_AT: return whole_kind(e->arg[0]->kind) && ver_coq_is_whole(e->arg[1]);
    case EXP_NEG: return ver_coq_is_whole(e->arg[0]);
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL: return ver_coq_is_whole(e->arg[0]) && ver_coq_is_whole(e->arg[1]);
    default: return false;
    }
}

bool ver_coq_is_complex(const exp_node *e) {
    if (e->op == EXP_I || (e->op == EXP_SYM && e->kind == EXP_COMPLEX)) return true;
    if (e->op == EXP_RE || e->op == EXP_IM || e->op == EXP_ABS) return false;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_is_complex(e->arg[i])) return true;
    return false;
}

bool ver_coq_known_sign(const coq_writer *c, const exp_node *e, bool strict) {
    if (strict ? exp_is_positive(e) : exp_is_nonnegative(e)) return true;
    for (int i = 0; c->conditions && i < c->conditions->n; i++) {
        const exp_node *s = c->conditions->item[i];
        bool up = s->op == EXP_GT || (s->op == EXP_GE && !strict),
             down = s->op == EXP_LT || (s->op == EXP_LE && !strict);
        if (up && exp_same(s->arg[0], e) && exp_is_nonnegative(s->arg[1])) return true;
        if (down && exp_same(s->arg[1], e) && exp_is_nonnegative(s->arg[0])) return true;
    }
    return false;
}

/* ---- terms of Z ---------------------------------------------------------------------------------------- */

static void member(coq_writer *c, const exp_node *e) {
    COQ_PUT(c, "(");
    ver_coq_name(c, e->arg[0]->name);
    COQ_PUT(c, " ");
    ver_coq_whole(c, e->arg[1]);
    COQ_PUT(c, ")");
}

void ver_coq_whole(coq_writer *c, const exp_node *e) {
    static const char *const sign[] = {[EXP_ADD] = "+", [EXP_SUB] = "-", [EXP_MUL] = "*"};
    if (!ver_coq_is_whole(e)) {
        ver_coq_refuse(c, "an index or a bound that is not seen to be whole");
        return;
    }
    switch (e->op) {
    case EXP_RAT: COQ_PUT(c, "(%" PRId64 ")%%Z", e->num); return;
    case EXP_SYM: ver_coq_name(c, e->name); return;
    case EXP_AT: member(c, e); return;
    case EXP_NEG:
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

static void call(coq_writer *c, const char *f, coq_print *print, const exp_node *e) {
    COQ_PUT(c, "(%s", f);
    for (uint32_t i = 0; i < e->nargs; i++) {
        COQ_PUT(c, " ");
        print(c, e->arg[i]);
    }
    COQ_PUT(c, ")");
}

static void infix(coq_writer *c, const char *sign, const exp_node *e) {
    COQ_PUT(c, "(");
    ver_coq_real(c, e->arg[0]);
    COQ_PUT(c, " %s ", sign);
    ver_coq_real(c, e->arg[1]);
    COQ_PUT(c, ")");
}

static void rational(coq_writer *c, const exp_node *e) {
    if (e->den == 1) COQ_PUT(c, e->num < 0 ? "(%" PRId64 ")" : "%" PRId64, e->num);
    else COQ_PUT(c, "(%" PRId64 " / %" PRId64 ")", e->num, e->den);
}

/* By the kind of the exponent: b ^ n of a constant natural number, Rpower of a positive base, powerRZ of a whole exponent. */
static void power(coq_writer *c, const exp_node *e) {
    const exp_node *b = e->arg[0], *v = e->arg[1];
    if (v->op == EXP_RAT && v->den == 1) {
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

void ver_coq_summands(coq_writer *c, const exp_node *e, const exp_node *lo, const exp_node *hi) {
    COQ_PUT(c, "(fun ");
    ver_coq_name(c, e->arg[0]->name);
    COQ_PUT(c, " : Z => ");
    ver_coq_real(c, e->arg[3]);
    COQ_PUT(c, ") ");
    ver_coq_whole(c, lo);
    COQ_PUT(c, " ");
    ver_coq_whole(c, hi);
}

static void sum(coq_writer *c, const exp_node *e) {
    COQ_PUT(c, "(zsum ");
    ver_coq_summands(c, e, e->arg[1], e->arg[2]);
    COQ_PUT(c, ")");
}

static void cases(coq_writer *c, const exp_node *e) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        const exp_node *s = e->arg[i];
        bool swap = s->op == EXP_GT || s->op == EXP_GE, opposite = s->op == EXP_NE;
        const char *test = s->op == EXP_LT || s->op == EXP_GT   ? "Rlt_dec"
                           : s->op == EXP_LE || s->op == EXP_GE ? "Rle_dec"
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
static void in_domain(coq_writer *c, const exp_node *e) {
    if (e->op == EXP_LOG && !ver_coq_known_sign(c, e->arg[0], true))
        ver_coq_refuse(c, "a logarithm of what may be 0 or negative");
    if (e->op == EXP_SQRT && !ver_coq_known_sign(c, e->arg[0], false))
        ver_coq_refuse(c, "a root of what may be negative");
}

static void function(coq_writer *c, const exp_node *e) {
    static const char *const name[EXP_NOPS] = {
        [EXP_MIN] = "Rmin",   [EXP_MAX] = "Rmax",  [EXP_SIN] = "sin",   [EXP_COS] = "cos",
        [EXP_TAN] = "tan",    [EXP_EXP] = "exp",   [EXP_LOG] = "ln",    [EXP_SQRT] = "sqrt",
        [EXP_SINH] = "sinh",  [EXP_COSH] = "cosh", [EXP_TANH] = "tanh", [EXP_ATAN] = "atan",
        [EXP_CI] = "Ci",      [EXP_SI] = "Si",     [EXP_ABS] = "Rabs",  [EXP_SIGN] = "sgn",
        [EXP_FLOOR] = "floor"};
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_is_complex(e->arg[i])) ver_coq_refuse(c, "%s of a complex number", exp_ops[e->op].name);
    in_domain(c, e);
    if (name[e->op]) call(c, name[e->op], ver_coq_real, e);
    else ver_coq_refuse(c, "%s inside a formula", exp_ops[e->op].name);
}

void ver_coq_real(coq_writer *c, const exp_node *e) {
    if (c->b.st) return;
    switch (e->op) {
    case EXP_RAT: rational(c, e); return;
    case EXP_PI: COQ_PUT(c, "PI"); return;
    case EXP_SYM:
    case EXP_AT: {
        const exp_node *sym = e->op == EXP_AT ? e->arg[0] : e;
        bool whole = whole_kind(sym->kind);
        if (sym->kind == EXP_COMPLEX) ver_coq_refuse(c, "a complex number where a real one is wanted");
        if (whole) COQ_PUT(c, "(IZR ");
        if (e->op == EXP_AT) member(c, e);
        else ver_coq_name(c, e->name);
        if (whole) COQ_PUT(c, ")");
        return;
    }
    case EXP_NEG: call(c, "-", ver_coq_real, e); return;
    case EXP_ADD: infix(c, "+", e); return;
    case EXP_SUB: infix(c, "-", e); return;
    case EXP_MUL: infix(c, "*", e); return;
    case EXP_DIV: infix(c, "/", e); return;
    case EXP_POW: power(c, e); return;
    case EXP_SUM: sum(c, e); return;
    case EXP_PIECE: cases(c, e); return;
    case EXP_RE: call(c, "fst", ver_coq_complex, e); return;
    case EXP_IM: call(c, "snd", ver_coq_complex, e); return;
    case EXP_ABS:
        if (ver_coq_is_complex(e->arg[0])) call(c, "Cabs", ver_coq_complex, e);
        else function(c, e);
        return;
    case EXP_CONJ: ver_coq_real(c, e->arg[0]); return; /* of a real number */
    default: function(c, e);
    }
}

/* ---- terms of C ---------------------------------------------------------------------------------------- */

static void complex_power(coq_writer *c, const exp_node *e) {
    const exp_node *v = e->arg[1];
    if (v->op != EXP_RAT || v->den != 1 || v->num > MAX_POWER || v->num < -MAX_POWER) {
        ver_coq_refuse(c, "a power of a complex number with this exponent");
        return;
    }
    COQ_PUT(c, v->num < 0 ? "(Cinv (Cpow " : "(Cpow ");
    ver_coq_complex(c, e->arg[0]);
    COQ_PUT(c, " %" PRId64 "%s", v->num < 0 ? -v->num : v->num, v->num < 0 ? "))" : ")");
}

void ver_coq_complex(coq_writer *c, const exp_node *e) {
    static const char *const name[EXP_NOPS] = {
        [EXP_NEG] = "Cneg", [EXP_ADD] = "Cadd", [EXP_SUB] = "Csub",  [EXP_MUL] = "Cmul",
        [EXP_DIV] = "Cdiv", [EXP_EXP] = "Cexp", [EXP_CONJ] = "Cconj"};
    if (c->b.st) return;
    if (!ver_coq_is_complex(e)) {
        COQ_PUT(c, "(RtoC ");
        ver_coq_real(c, e);
        COQ_PUT(c, ")");
    } else if (e->op == EXP_I) COQ_PUT(c, "Ci_unit");
    else if (e->op == EXP_SYM) ver_coq_name(c, e->name);
    else if (e->op == EXP_AT) member(c, e);
    else if (e->op == EXP_POW) complex_power(c, e);
    else if (name[e->op]) call(c, name[e->op], ver_coq_complex, e);
    else ver_coq_refuse(c, "%s of complex numbers", exp_ops[e->op].name);
}

/* ---- statements ---------------------------------------------------------------------------------------- */

void ver_coq_statement(coq_writer *c, const exp_node *s) {
    static const char *const sign[] = {"=", "<>", "<", "<=", ">", ">="};
    bool z = ver_coq_is_complex(s->arg[0]) || ver_coq_is_complex(s->arg[1]);
    if (!exp_is_statement(s)) ver_coq_refuse(c, "a condition that is no comparison");
    if (z && s->op != EXP_EQ && s->op != EXP_NE) ver_coq_refuse(c, "an order of complex numbers");
    if (c->b.st) return;
    (z ? ver_coq_complex : ver_coq_real)(c, s->arg[0]);
    COQ_PUT(c, " %s ", sign[s->op - EXP_EQ]);
    (z ? ver_coq_complex : ver_coq_real)(c, s->arg[1]);
}

char *ver_coq_text(coq_writer *c, coq_print *print, const exp_node *e) {
    ph_text kept = c->out;
    char *text = NULL;
    c->out = (ph_text){0};
    print(c, e);
    ph_status st = ph_text_take(&text, NULL, &c->out, c->b.err);
    if (st && !c->b.st) c->b.st = st;
    c->out = kept;
    return text;
}
