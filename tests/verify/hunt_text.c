/* hunt_text.c: trees as Lua that a person can type; the laboratory's formulas read back. */
#include "hunt.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put(text *t, const char *fmt, ...) {
    va_list ap;
    for (;;) {
        va_start(ap, fmt);
        size_t room = t->cap - t->n;
        int k = vsnprintf(t->s ? t->s + t->n : NULL, t->s ? room : 0, fmt, ap);
        va_end(ap);
        if (k >= 0 && t->s && (size_t)k < room) {
            t->n += (size_t)k;
            return;
        }
        t->cap = 2 * t->cap + (size_t)k + 256;
        if (!(t->s = realloc(t->s, t->cap))) abort();
    }
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static int binding(const tree *t) {
    if (t->op == EXPR_RAT && t->den == 1 && t->num < 0) return 3;
    return t->op == EXPR_ADD || t->op == EXPR_SUB   ? 1
           : t->op == EXPR_MUL || t->op == EXPR_DIV ? 2
           : t->op == EXPR_NEG                      ? 3
           : t->op == EXPR_POW                      ? 4
                                                    : 5;
}

static bool bare(const tree *t) { return t->op == EXPR_RAT && t->den == 1; }

static void put_operand(text *t, const tree *e, int least, bool exact) {
    if (exact && bare(e)) put(t, "rat(%" PRId64 ")", e->num);
    else if (binding(e) < least) {
        put(t, "(");
        put_tree(t, e);
        put(t, ")");
    } else put_tree(t, e);
}

static void put_call(text *t, const char *name, const tree *e, int from, bool exact) {
    put(t, "%s(", name);
    for (int i = from; i < e->n; i++) {
        if (i > from) put(t, ", ");
        put_operand(t, e->arg[i], 0, exact);
    }
    put(t, ")");
}

void put_tree(text *t, const tree *e) {
    static const char *const sign[] = {" + ", " - ", "*", "/", "^"};
    switch (e->op) {
    case EXPR_RAT:
        if (bare(e)) put(t, "%" PRId64, e->num);
        else put(t, "rat(%" PRId64 ", %" PRId64 ")", e->num, e->den);
        return;
    case EXPR_SYM: put(t, "%s", symbols[e->sym].name); return;
    case EXPR_I: put(t, "(rat(1)*I)"); return;
    case EXPR_PI: put(t, "Pi"); return;
    case EXPR_AT:
        put(t, "%s[", symbols[e->arg[0]->sym].name);
        put_tree(t, e->arg[1]);
        put(t, "]");
        return;
    case EXPR_NEG:
        put(t, "-");
        put_operand(t, e->arg[0], 4, true);
        return;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_POW: {
        int b = binding(e);
        bool both = bare(e->arg[0]) && bare(e->arg[1]);
        put_operand(t, e->arg[0], e->op == EXPR_POW ? 5 : b, both);
        put(t, "%s", sign[e->op - EXPR_ADD]);
        put_operand(t, e->arg[1], e->op == EXPR_POW ? 4 : b + 1, both);
        return;
    }
    case EXPR_SUM:
        put(t, "sum(");
        put_tree(t, e->arg[3]);
        for (int i = 0; i < 3; i++) {
            put(t, ", ");
            put_tree(t, e->arg[i]);
        }
        put(t, ")");
        return;
    case EXPR_PIECE: put_call(t, "piecewise", e, 0, false); return;
    default: put_call(t, expr_ops[e->op].name, e, 0, true);
    }
}

void put_symbols(text *t, const tree *const *list, int n) {
    static const char *const kind[] = {"", ", \"positive\"", ", \"integer\"", ", \"natural\"",
                                       ", \"complex\""};
    for (expr_kind k = EXPR_REAL; k <= EXPR_COMPLEX; k++) {
        char names[4 * NSYM] = "", left[6 * NSYM] = "";
        for (int s = 0; s < NSYM; s++) {
            bool in = false;
            for (int i = 0; i < n && !in; i++) in = symbols[s].kind == k && has_sym(list[i], s);
            if (!in) continue;
            snprintf(left + strlen(left), sizeof left - strlen(left), "%s%s", *left ? ", " : "",
                     symbols[s].name);
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? " " : "",
                     symbols[s].name);
        }
        if (*left) put(t, "%s = sym(\"%s\"%s); ", left, names, kind[k]);
    }
}

/* ---- reading: the laboratory's own text, of formulas, witnesses and conditions ----------------------------- */

static tree *read_sum(const char **p);

static bool take(const char **p, const char *what) {
    while (**p == ' ') ++*p;
    size_t k = strlen(what);
    if (strncmp(*p, what, k)) return false;
    *p += k;
    return true;
}

static tree *read_arguments(const char **p, const char *name) {
    tree *arg[64];
    int n = 0;
    do {
        if (n == 64 || !(arg[n] = read_sum(p))) return NULL;
        n++;
    } while (take(p, ","));
    if (!take(p, ")")) return NULL;
    if (!strcmp(name, "rat") && n == 2 && arg[0]->op == EXPR_RAT && arg[1]->op == EXPR_RAT && arg[1]->num)
        return DIV(arg[0], arg[1]);
    if (!strcmp(name, "sum") && n == 4) return T(EXPR_SUM, 4, (tree *[]){arg[1], arg[2], arg[3], arg[0]});
    for (int op = EXPR_NEG; op < EXPR_NOPS; op++)
        if (op != EXPR_SUM && !strcmp(expr_ops[op].name, name) && n >= expr_ops[op].min &&
            n <= expr_ops[op].max)
            return T((expr_op)op, n, arg);
    return NULL;
}

static tree *read_name(const char **p) {
    char name[32];
    size_t n = 0;
    while (n < sizeof name - 1 && (isalnum((unsigned char)**p))) name[n++] = *(*p)++;
    name[n] = 0;
    if (**p == '\'') { /* renamed: n', i'1 */
        while (**p == '\'' || isdigit((unsigned char)**p)) ++*p;
        return T_sym(S_PRIME);
    }
    if (**p == '(') return ++*p, read_arguments(p, name);
    if (!strcmp(name, "pi") || !strcmp(name, "Pi")) return T(EXPR_PI, 0, NULL);
    if (!strcmp(name, "I")) return T(EXPR_I, 0, NULL);
    for (int s = 0; s < NSYM; s++)
        if (!strcmp(symbols[s].name, name)) {
            if (**p != '[') return T_sym(s);
            ++*p;
            tree *index = read_sum(p);
            return index && take(p, "]") ? T_at(s, index) : NULL;
        }
    return NULL;
}

static tree *read_atom(const char **p) {
    if (take(p, "(")) {
        tree *e = read_sum(p);
        return e && take(p, ")") ? e : NULL;
    }
    if (isdigit((unsigned char)**p)) {
        char *end;
        int64_t n = strtoll(*p, &end, 10), den = 1;
        *p = end;
        if (**p == '.') /* an exact decimal */
            for (++*p; isdigit((unsigned char)**p) && den < 100000000000000; ++*p)
                n = 10 * n + (**p - '0'), den *= 10;
        return T_rat(n, den);
    }
    return isalpha((unsigned char)**p) ? read_name(p) : NULL;
}

static tree *read_unary(const char **p) {
    if (take(p, "-")) {
        tree *e = read_unary(p);
        if (e && e->op == EXPR_RAT) return T_rat(-e->num, e->den);
        return e ? NEG(e) : NULL;
    }
    tree *e = read_atom(p), *power;
    if (!e || !take(p, "^")) return e;
    return (power = read_unary(p)) ? POW(e, power) : NULL;
}

static tree *read_product(const char **p) {
    tree *e = read_unary(p), *f;
    while (e) {
        bool times = take(p, "*");
        if (!times && !take(p, "/")) break;
        if (!(f = read_unary(p))) return NULL;
        e = T2(times ? EXPR_MUL : EXPR_DIV, e, f);
        if (!times && e->arg[0]->op == EXPR_RAT && f->op == EXPR_RAT && f->num &&
            llabs(e->arg[0]->num) < 1000000000000 && f->den == 1 && llabs(f->num) < 1000000)
            e = T_rat(e->arg[0]->num, e->arg[0]->den * f->num);
    }
    return e;
}

static tree *read_sum(const char **p) {
    tree *e = read_product(p), *f;
    while (e) {
        bool plus = take(p, "+ ");
        if (!plus && !take(p, "- ")) break;
        if (!(f = read_product(p))) return NULL;
        e = T2(plus ? EXPR_ADD : EXPR_SUB, e, f);
    }
    return e;
}

tree *read_formula(const char **p) {
    tree *e = read_sum(p);
    return e;
}

/* " (i = 0, …, n)" after a condition: for all of them, said as a count of those where it fails. NULL: cannot. */
static tree *read_range(const char **p, tree *condition) {
    const char *before = *p;
    if (!take(p, "(")) return condition;
    if (!strncmp(*p, "no point ", 9)) return *p = before, condition;
    tree *index = read_name(p), *lo = index && take(p, "= ") ? read_sum(p) : NULL,
         *hi = lo && take(p, ", …, ") ? read_sum(p) : NULL;
    if (!hi || index->op != EXPR_SYM || !take(p, ")")) return NULL;
    return T2(EXPR_EQ, T_sum(index->sym, lo, hi, T_piece(condition, INT(0), INT(1))), INT(0));
}

int read_conditions(const char *conditions, tree **out, int most) {
    static const struct {
        const char *sign;
        expr_op op;
    } rel[] = {{"!= ", EXPR_NE}, {"<= ", EXPR_LE}, {">= ", EXPR_GE},
               {"< ", EXPR_LT},  {"> ", EXPR_GT},  {"= ", EXPR_EQ}};
    const char *with = strstr(conditions, " with "), *p = with ? with + 6 : conditions + 5;
    int n = 0;
    if (!with && strncmp(conditions, "with ", 5) != 0) return 0;
    do {
        tree *l = read_sum(&p), *r = NULL;
        size_t k = 0;
        for (; l && k < 6; k++)
            if (take(&p, rel[k].sign)) break;
        if (l && k < 6) r = read_sum(&p);
        if (!r || n == most || !(out[n] = read_range(&p, T2(rel[k].op, l, r)))) return -1;
        n++;
    } while (take(&p, ","));
    (void)take(&p, "(no point was found that meets this)"); /* a remark on them all */
    return *p ? -1 : n;
}
