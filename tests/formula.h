/* formula.h: formulas as text, for tests. A recursive descent parser of  + - * / ^  calls, θ[i] and one relation.
 * Kinds by name: k, β positive; n, i, j integer; z complex; the rest real. pi and I are what they are. */
#ifndef PH_TESTS_FORMULA_H
#define PH_TESTS_FORMULA_H

#include <stdlib.h>
#include <string.h>

#include "expr/build.h"

typedef struct {
    const char *p;
    expr_builder b;
} formula_reader;

static expr_node *formula_sum(formula_reader *r);

static void formula_space(formula_reader *r) {
    while (*r->p == ' ') r->p++;
}

static bool formula_take(formula_reader *r, const char *text) {
    formula_space(r);
    size_t n = strlen(text);
    if (strncmp(r->p, text, n)) return false;
    r->p += n;
    return true;
}

static void formula_want(formula_reader *r, const char *text) {
    if (!formula_take(r, text)) fail_msg("formula: wanted '%s' at '%.30s'", text, r->p);
}

static expr_node *formula_name(formula_reader *r, const char *name) {
    expr_node *arg[8], *e;
    int n = 0;
    if (formula_take(r, "(")) {
        do arg[n++] = formula_sum(r);
        while (n < 8 && formula_take(r, ","));
        formula_want(r, ")");
        for (int op = EXPR_NEG; op < EXPR_NOPS; op++)
            if (!strcmp(expr_ops[op].name, name)) {
                if (op != EXPR_SUM) return expr_b_op(&r->b, (expr_op)op, n, arg);
                return expr_b_op(&r->b, EXPR_SUM, 4, (expr_node *[]){arg[1], arg[2], arg[3], arg[0]});
            }
        fail_msg("formula: no function '%s'", name);
    }
    if (!strcmp(name, "pi")) return expr_b_op(&r->b, EXPR_PI, 0, NULL);
    if (!strcmp(name, "I")) return expr_b_op(&r->b, EXPR_I, 0, NULL);
    expr_kind kind = !strcmp(name, "k") || !strcmp(name, "β")      ? EXPR_POSITIVE
                     : strlen(name) == 1 && strchr("nij", name[0]) ? EXPR_INTEGER
                     : !strcmp(name, "z")                          ? EXPR_COMPLEX
                                                                   : EXPR_REAL;
    if (expr_sym(&e, name, kind, NULL)) return NULL;
    e = expr_b_keep(&r->b, e);
    if (!formula_take(r, "[")) return e;
    expr_node *at = expr_b_2(&r->b, EXPR_AT, e, formula_sum(r));
    formula_want(r, "]");
    return at;
}

static expr_node *formula_atom(formula_reader *r) {
    char name[64];
    size_t n = 0;
    if (formula_take(r, "(")) {
        expr_node *e = formula_sum(r);
        formula_want(r, ")");
        return e;
    }
    formula_space(r);
    if (*r->p >= '0' && *r->p <= '9') {
        char *end;
        long long v = strtoll(r->p, &end, 10);
        r->p = end;
        return expr_b_rat(&r->b, v, 1);
    }
    while ((*r->p & 0x80) || (*r->p >= 'a' && *r->p <= 'z') || (*r->p >= 'A' && *r->p <= 'Z') ||
           (*r->p >= '0' && *r->p <= '9'))
        name[n++] = *r->p++;
    name[n] = 0;
    if (!n) fail_msg("formula: wanted a name at '%.30s'", r->p);
    return formula_name(r, name);
}

static expr_node *formula_unary(formula_reader *r) {
    if (formula_take(r, "-")) return expr_b_1(&r->b, EXPR_NEG, formula_unary(r));
    expr_node *e = formula_atom(r);
    return formula_take(r, "^") ? expr_b_2(&r->b, EXPR_POW, e, formula_unary(r)) : e;
}

static expr_node *formula_product(formula_reader *r) {
    expr_node *e = formula_unary(r);
    for (;;) {
        if (formula_take(r, "*")) e = expr_b_2(&r->b, EXPR_MUL, e, formula_unary(r));
        else if (formula_take(r, "/")) e = expr_b_2(&r->b, EXPR_DIV, e, formula_unary(r));
        else return e;
    }
}

static expr_node *formula_sum(formula_reader *r) {
    expr_node *e = formula_product(r);
    for (;;) {
        if (formula_take(r, "+")) e = expr_b_2(&r->b, EXPR_ADD, e, formula_product(r));
        else if (formula_take(r, "-")) e = expr_b_2(&r->b, EXPR_SUB, e, formula_product(r));
        else return e;
    }
}

/* The caller drops the result. */
/* NULL: no formula is made of what is undefined, such as 1/0. */
static expr_node *formula_or_null(const char *text) {
    static const struct {
        const char *sign;
        expr_op op;
    } rel[] = {{"!=", EXPR_NE}, {"<=", EXPR_LE}, {">=", EXPR_GE},
               {"<", EXPR_LT},  {">", EXPR_GT},  {"=", EXPR_EQ}};
    formula_reader r = {.p = text};
    expr_node *e = formula_sum(&r), *out = NULL;
    for (size_t i = 0; i < sizeof rel / sizeof *rel; i++)
        if (formula_take(&r, rel[i].sign)) {
            e = expr_b_2(&r.b, rel[i].op, e, formula_sum(&r));
            break;
        }
    formula_space(&r);
    if (*r.p) fail_msg("formula: left over '%.30s'", r.p);
    if (expr_b_end(&r.b, &out, e)) return NULL;
    return out;
}

static expr_node *formula(const char *text) {
    expr_node *e = formula_or_null(text);
    if (!e) fail_msg("formula: %s", text);
    return e;
}

#endif
