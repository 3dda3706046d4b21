/* coq.c: the file: what is assumed of the symbols, the statement, and the certificate that the other files write. */
#include <string.h>

#include "base/embed.h"
#include "verify/coq_internal.h"

/* ---- the symbols --------------------------------------------------------------------------------------- */

#define LEMMA "Lemma statement :\n"
#define PROOF "Proof.\n"

typedef struct {
    const expr_node *sym;
    bool family; /* its members are used: a[i] */
} binder;

#define MAX_BINDERS 400
#define MAX_BOUND   16

typedef struct {
    binder b[MAX_BINDERS];
    int n;
    const expr_node *bound[MAX_BOUND];
    int nbound;
    bool ci, si;
} binders;

static void add_binder(coq_writer *c, binders *l, const expr_node *sym, bool family) {
    for (int i = 0; i < l->nbound; i++)
        if (expr_same(l->bound[i], sym)) return;
    for (int i = 0; i < l->n; i++)
        if (!strcmp(l->b[i].sym->name, sym->name)) {
            if (l->b[i].family != family) ver_coq_refuse(c, "%s as a number and as a family", sym->name);
            return;
        }
    if (l->n == MAX_BINDERS) ver_coq_refuse(c, "more than %d symbols", MAX_BINDERS);
    else l->b[l->n++] = (binder){sym, family};
}

static void find_symbols(coq_writer *c, binders *l, const expr_node *e) {
    if (c->b.st) return;
    l->ci |= e->op == EXPR_CI;
    l->si |= e->op == EXPR_SI;
    if (e->op == EXPR_SYM) add_binder(c, l, e, false);
    if (e->op == EXPR_AT) {
        add_binder(c, l, e->arg[0], true);
        find_symbols(c, l, e->arg[1]);
    } else if (e->op == EXPR_SUM) {
        find_symbols(c, l, e->arg[1]);
        find_symbols(c, l, e->arg[2]);
        if (l->nbound == MAX_BOUND) {
            ver_coq_refuse(c, "more than %d sums in each other", MAX_BOUND);
            return;
        }
        l->bound[l->nbound++] = e->arg[0];
        find_symbols(c, l, e->arg[3]);
        l->nbound--;
    } else
        for (uint32_t i = 0; i < e->nargs; i++) find_symbols(c, l, e->arg[i]);
}

static void put_type(coq_writer *c, const binder *b) {
    static const char *const type[] = {"R", "R", "Z", "Z", "C"};
    COQ_PUT(c, b->family ? "Z -> %s" : "%s", type[b->sym->kind]);
}

static void put_binders(coq_writer *c, const binders *l) {
    if (l->n == 0 && !l->ci && !l->si) return;
    COQ_PUT(c, "  forall");
    if (l->ci) COQ_PUT(c, " (Ci : R -> R)");
    if (l->si) COQ_PUT(c, " (Si : R -> R)");
    for (int i = 0; i < l->n; i++) {
        COQ_PUT(c, " (");
        ver_coq_name(c, l->b[i].sym->name);
        COQ_PUT(c, " : ");
        put_type(c, &l->b[i]);
        COQ_PUT(c, ")");
    }
    COQ_PUT(c, ",\n");
}

/* "0 < k ->" of a positive symbol, "(1 <= n)%Z ->" of a natural one. */
static bool put_assumption(coq_writer *c, const binder *b) {
    if (b->sym->kind != EXPR_POSITIVE && b->sym->kind != EXPR_NATURAL) return false;
    COQ_PUT(c, b->family ? "  (forall i, " : "  ");
    COQ_PUT(c, b->sym->kind == EXPR_POSITIVE ? "0 < " : "(1 <= ");
    if (b->family) COQ_PUT(c, "(");
    ver_coq_name(c, b->sym->name);
    COQ_PUT(c, "%s%s%s ->\n", b->family ? " i)" : "", b->sym->kind == EXPR_NATURAL ? ")%Z" : "",
            b->family ? ")" : "");
    return true;
}

/* ---- the proof ----------------------------------------------------------------------------------------- */

static bool has_function(const expr_node *e) {
    if (e->op >= EXPR_MIN && !expr_is_statement(e)) return true;
    if (e->op == EXPR_POW && !(e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_function(e->arg[i])) return true;
    return false;
}

/* Conditions with functions in them go back into the goal, where the certificate rewrites them too. */
void ver_coq_put_conditions(coq_writer *c) {
    for (int i = 0; c->conditions && i < c->conditions->n; i++)
        if (has_function(c->conditions->item[i])) COQ_PUT(c, "  revert K'%d.\n", i + 1);
}

void ver_coq_copy_conditions(coq_writer *c, const expr_node *u, int id) {
    int n = 0;
    for (int i = 0; c->conditions && i < c->conditions->n; i++) n += has_function(c->conditions->item[i]);
    if (!n || !has_function(u)) return;
    for (int copy = 0; copy < 2; copy++) {
        COQ_PUT(c, "%s", copy ? "; generalize" : "  intros");
        for (int i = 1; i <= n; i++) COQ_PUT(c, " V'%d'%d", id, i);
    }
    COQ_PUT(c, ".\n");
}

static bool uses_pairs(const expr_node *e) {
    if (ver_coq_is_complex(e) || e->op == EXPR_RE || e->op == EXPR_IM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (uses_pairs(e->arg[i])) return true;
    return false;
}

/* Is it assumed that complex numbers differ? Then `field` wants of a pair that a*a + b*b is not 0. */
static bool has_apart(const expr_set *conditions) {
    for (int i = 0; conditions && i < conditions->n; i++)
        if (conditions->item[i]->op == EXPR_NE && ver_coq_is_complex(conditions->item[i])) return true;
    return false;
}

static const char *pairs(const coq_writer *c) { return has_apart(c->conditions) ? "pairs; apart" : "pairs"; }

void ver_coq_put_pairs(coq_writer *c, const expr_node *e) {
    if (uses_pairs(e)) COQ_PUT(c, "  %s; cbn [fst snd].\n", pairs(c));
}

#define BOTH "both orders: "

/* Was it proved by ver_prove_both_orders? */
static bool by_both_orders(const coq_writer *c) {
    return c->method && strncmp(c->method, BOTH, sizeof BOTH - 1) == 0;
}

/* l = r by l <= r and r <= l. */
static void prove_both_orders(coq_writer *c, const expr_node *s) {
    c->method += sizeof BOTH - 1;
    COQ_PUT(c, "  apply Rle_antisym.\n");
    for (int k = 0; k < 2 && !c->b.st; k++) {
        expr_node *half = expr_b_2(&c->b, EXPR_LE, s->arg[k], s->arg[!k]);
        if (!half) break;
        COQ_PUT(c, "  {\n");
        ver_coq_prove_order(c, half);
        COQ_PUT(c, "  }\n");
    }
    c->method -= sizeof BOTH - 1;
}

static void prove_equation(coq_writer *c, expr_node *s) {
    bool z = ver_coq_is_complex(s->arg[0]) || ver_coq_is_complex(s->arg[1]), sums = ver_coq_has_sum(s);
    if (z && sums) ver_coq_refuse(c, "a sum of complex numbers");
    if (sums) {
        ver_coq_prove_sums(c, s);
        return;
    }
    expr_node *difference = expr_b_2(&c->b, EXPR_SUB, s->arg[0], s->arg[1]);
    if (!difference) return;
    if (!z && by_both_orders(c) && !ver_coq_has_certificate(c, difference)) {
        prove_both_orders(c, s);
        return;
    }
    if (!ver_coq_has_certificate(c, difference))
        ver_coq_refuse(c, "no certificate for an equation by cases, residues or inverse functions");
    if (z) COQ_PUT(c, "  %s; apply both_parts; cbn [fst snd]; split.\n", pairs(c));
    else ver_coq_put_pairs(c, s);
    for (int part = 0; part < (z ? 2 : 1); part++) { /* real and imaginary */
        if (z) COQ_PUT(c, "  {\n");
        ver_coq_prove_zero(c, difference);
        if (z) COQ_PUT(c, "  }\n");
    }
}

static void prove(coq_writer *c, expr_node *s) {
    if (s->op == EXPR_EQ) prove_equation(c, s);
    else if (ver_coq_has_sum(s)) ver_coq_refuse(c, "no certificate for an inequality with sums");
    else ver_coq_prove_order(c, s);
}

static void put_statements(coq_writer *c, const expr_set *all) {
    for (int i = 0; i < all->n && !c->b.st; i++) {
        COQ_PUT(c, all->n > 1 ? "  (" : "  ");
        ver_coq_statement(c, all->item[i]);
        COQ_PUT(c, "%s%s", all->n > 1 ? ")" : "", i + 1 < all->n ? " /\\\n" : ".\n");
    }
}

static void put_intros(coq_writer *c, const binders *l) {
    if (l->ci || l->si || l->n) COQ_PUT(c, "  intros");
    if (l->ci) COQ_PUT(c, " Ci");
    if (l->si) COQ_PUT(c, " Si");
    for (int i = 0; i < l->n; i++) {
        COQ_PUT(c, " ");
        ver_coq_name(c, l->b[i].sym->name);
    }
    if (l->ci || l->si || l->n) COQ_PUT(c, ".\n");
}

static void put_proof(coq_writer *c, const ver_subject *s, const binders *l) {
    int n = s->statements.n;
    COQ_PUT(c, PROOF);
    put_intros(c, l);
    for (int i = 0, k = 0; i < l->n; i++) {
        expr_kind kind = l->b[i].sym->kind;
        if (kind != EXPR_POSITIVE && kind != EXPR_NATURAL) continue;
        COQ_PUT(c, "  intros H'%d.%s\n", ++k, kind == EXPR_NATURAL && !l->b[i].family ? " naturals." : "");
    }
    for (int i = 0; i < s->conditions.n; i++) COQ_PUT(c, "  intros K'%d.\n", i + 1);
    if (n > 1) COQ_PUT(c, "  entries.\n");
    for (int i = 0; i < n && !c->b.st; i++) {
        if (n > 1) COQ_PUT(c, "  {\n");
        prove(c, s->statements.item[i]);
        if (n > 1) COQ_PUT(c, "  }\n");
    }
    COQ_PUT(c, "Qed.\n\nPrint Assumptions statement.\n");
}

static void put_lemma(coq_writer *c, const ver_subject *s) {
    binders *l = ph_calloc(1, sizeof *l);
    if (!l) {
        c->b.st = ph_fail_nomem(c->b.err, sizeof *l);
        return;
    }
    for (int i = 0; i < s->statements.n; i++) find_symbols(c, l, s->statements.item[i]);
    for (int i = 0; i < s->conditions.n; i++) find_symbols(c, l, s->conditions.item[i]);
    COQ_PUT(c, LEMMA);
    put_binders(c, l);
    for (int i = 0; i < l->n; i++) put_assumption(c, &l->b[i]);
    for (int i = 0; i < s->conditions.n; i++) {
        COQ_PUT(c, "  ");
        ver_coq_statement(c, s->conditions.item[i]);
        COQ_PUT(c, " ->\n");
    }
    put_statements(c, &s->statements);
    if (!c->bare) put_proof(c, s, l);
    ph_free(l);
}

/* ---- the doors ----------------------------------------------------------------------------------------- */

static const char *text_of(const char *path) {
    for (const embed_file *f = embed_files; f->path; f++)
        if (!strcmp(f->path, path)) return f->text;
    return "";
}

/* What every file begins with, and what complex numbers that differ, the certificate's whole numbers and orders rest on. */
static void put_lemmas(coq_writer *c, const ver_subject *s) {
    COQ_PUT(c, "%s\n", text_of("src/verify/coq.v"));
    if (has_apart(&s->conditions)) COQ_PUT(c, "%s\n", text_of("src/verify/coq_apart.v"));
    if (c->whole) COQ_PUT(c, "%s\n", text_of("src/verify/coq_whole.v"));
    for (int i = 0; i < s->statements.n; i++)
        if (s->statements.item[i]->op != EXPR_EQ || by_both_orders(c)) {
            COQ_PUT(c, "%s\n", text_of("src/verify/coq_orders.v"));
            return;
        }
}

/* Between comment signs, so that no text ends the comment. */
static void put_comment(coq_writer *c, const char *text) {
    COQ_PUT(c, "(* ");
    for (const char *p = text; *p; p++)
        if (*p == '*' || *p == '"') COQ_PUT(c, *p == '*' ? "·" : "'");
        else ph_put(&c->out, p, 1);
    COQ_PUT(c, " *)\n");
}

/* The lemma first, since its proof says what it rests on. */
static void put_file(coq_writer *c, const char *title, const ver_subject *s) {
    put_lemma(c, s);
    if (c->bare || c->out.failed) return;
    ph_text lemma = c->out;
    c->out = (ph_text){0};
    if (title) put_comment(c, title);
    put_lemmas(c, s);
    ph_put(&c->out, lemma.s, lemma.n);
    ph_text_drop(&lemma);
}

static ph_status write_file(char **out, coq_writer *c, const char *title, const ver_subject *s) {
    *out = NULL;
    if (s->shape == VER_EACH && s->statements.n) put_file(c, title, s);
    else if (s->shape == VER_EXCHANGE) ver_coq_refuse(c, "symmetry under permutations");
    else ver_coq_refuse(c, "an induction over a recurrence");
    ph_err *err = c->b.err;
    ph_status st = expr_b_end(&c->b, NULL, NULL);
    if (st == PH_EDOMAIN) st = ph_fail(err, PH_EOUTSIDE, "not expressible: a certificate that divides by 0");
    if (!st) return ph_text_take(out, NULL, &c->out, err);
    ph_text_drop(&c->out);
    return st;
}

ph_status ver_coq_write(char **out, const char *title, const ver_subject *s, ph_err *err) {
    coq_writer c = {.b = EXPR_BUILDER(err), .conditions = &s->conditions};
    return write_file(out, &c, title, s);
}

ph_status ver_coq_statement_of(char **out, const ver_subject *s, ph_err *err) {
    coq_writer c = {.b = EXPR_BUILDER(err), .conditions = &s->conditions, .bare = true};
    return write_file(out, &c, NULL, s);
}

const char *ver_coq_statement_in(const char *text, size_t *n) {
    const char *from = strstr(text, "\n" LEMMA), *to = from ? strstr(from, "\n" PROOF) : NULL;
    *n = to ? (size_t)(to - from) : strlen(text);
    return to ? from + 1 : text;
}

ph_status ver_coq(char **out, const ver_verdict *v, ph_err *err) {
    *out = NULL;
    if (v->strength != VER_PROVED)
        return ph_fail(err, PH_EARG, "coq: only a proved verdict has a certificate");
    if (!v->subject) return ph_fail(err, PH_EOUTSIDE, "coq: not expressible: a statement in words");
    ph_err inner = {0};
    coq_writer c = {.b = EXPR_BUILDER(&inner),
                    .conditions = &v->subject->conditions,
                    .proved = true,
                    .method = v->method};
    ph_status st = write_file(out, &c, NULL, v->subject);
    return st ? ph_fail(err, st, "coq: %s", inner.text) : PH_OK;
}
