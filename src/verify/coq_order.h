/* coq_order.h: how an order is proved to Coq. Private to the files that write Coq.
 *
 * What is asked is turned round: of l <= r, suppose r < l. Then known sizes of the functions in it (facts, each a lemma of coq_orders.v), their
 * products with each other and with squares must contradict it: weights > 0 are sought with which they add up to 0, though one of them is > 0. Coq is told the
 * products that were used and adds them up itself. Where no weights are found there is no certificate.
 */
#ifndef PH_VERIFY_COQ_ORDER_H
#define PH_VERIFY_COQ_ORDER_H

#include "verify/coq_internal.h"
#include "verify/ring.h"

#define ORDER_GENS      24
#define ORDER_FACTS     160
#define ORDER_RELATIONS 24
#define ORDER_RESTS     12 /* facts that one rests on */
#define ORDER_FACTORS   5
#define ORDER_CASES     4 /* absolute values, maxima and minima, each one of two */

/* 0 <= p, strict: 0 < p: F'id in Coq. It is told when it is used, after what it rests on. */
typedef struct {
    fmpz_mpoly_struct p;
    bool strict, told;
    int id, rests[ORDER_RESTS + 1]; /* ids of facts, up to a 0 */
    char *text;                     /* the tactic that tells it */
} order_fact;

/* p = 0: R'id in Coq, its leading term is what the rest is, negated. The leading coefficient is 1. */
typedef struct {
    fmpz_mpoly_struct p;
    bool told;
    int id, rests[ORDER_RESTS + 1];
    char *text;
} order_relation;

/* A symbol, member or function, which the polynomials take as a variable. */
typedef struct {
    expr_node *node;
    char *text;
    ring_frac arg[2]; /* of a function */
    int nargs;
} order_gen;

typedef struct {
    coq_writer *c;
    ring r;
    order_gen gen[ORDER_GENS + 1]; /* gen[0] is I, which is nowhere */
    slong ngens;
    order_fact fact[ORDER_FACTS];
    int nfacts;
    order_relation rel[ORDER_RELATIONS];
    int nrels;
    int *collected; /* up to a 0: what is used is noted here, not told; NULL: it is told */
    int product[ORDER_FACTORS], nproduct; /* the factors of what is asked, as facts: their numbers */
    bool has_sides;
    fmpz_mpoly_struct sides; /* r² − l² of l <= r: what squares may be in */
} coq_order;

/* How far the search goes: facts as they are; with squares and products of two; with products of three. */
typedef enum { ORDER_LINEAR, ORDER_PAIRS, ORDER_TRIPLES } order_depth;

/* ---- coq_order.c ---- */

bool ver_coq_order_fails(const coq_order *o);
void ver_coq_put_order_poly(coq_order *o, const fmpz_mpoly_t p);
/* p >= 0 (strict: > 0) joins the facts, by a term whose type says so to `lra`; too many are left out. `rests` are ids up to a 0; NULL: on
 * nothing. */
void ver_coq_order_fact(coq_order *o, const fmpz_mpoly_t p, bool strict, const char *proof, const int *rests);
/* The same by a tactic of one's own. */
void ver_coq_order_by(coq_order *o, const fmpz_mpoly_t p, bool strict, const char *tactic, const int *rests);
/* p = 0 joins the relations, or two facts when none of its coefficients would lead. */
void ver_coq_order_relation(coq_order *o, const fmpz_mpoly_t p, const char *proof, const int *rests);
/* p >= 0 (strict: > 0), when the facts show it, joins them: its id; 0: they do not. */
int ver_coq_order_prove(coq_order *o, const fmpz_mpoly_t p, bool strict, order_depth depth);
/* A product q > 0 of which d is a factor: a fact's id, and how it is written, to be freed; 0: none was found. */
int ver_coq_order_clear(coq_order *o, fmpz_mpoly_t q, char **text, const fmpz_mpoly_t d);
void ver_coq_order_tell(coq_order *o, int id);
/* The last fact goes. */
void ver_coq_order_pop(coq_order *o);
/* Back to so many facts, of which the last one stays the last one, and relations. */
void ver_coq_order_back(coq_order *o, int nfacts, int nrels);

/* What is written between begin and end stands in a block of its own, and tells there what it uses. */
typedef struct {
    ph_text out;
    bool fact[ORDER_FACTS], relation[ORDER_RELATIONS];
} order_aside;
void ver_coq_order_begin(coq_order *o, order_aside *a);
char *ver_coq_order_end(coq_order *o, order_aside *a); /* to be freed; NULL when memory was refused */

/* ---- coq_sizes.c ---- */

/* What the letters of a fact's formula are: A a function and u, v its arguments; B another one, w its argument; C a third, x its argument; p is pi. */
typedef struct {
    slong a, b, c;
} order_letters;
typedef enum { ORDER_LEAST, ORDER_ABOVE, ORDER_EQUAL } order_kind;

/* The formula, written with its signs behind: "A 1 - u -". */
void ver_coq_order_formula(coq_order *o, ring_frac *out, const char *text, const order_letters *l);
/* Formula >= 0, > 0 or = 0 by this term. */
void ver_coq_order_say(coq_order *o, const order_letters *l, order_kind kind, const char *formula,
                       const char *proof, const int *rests);

/* Can e be read? */
bool ver_coq_order_reads(const expr_node *e);
/* e as a fraction in the variables. */
void ver_coq_order_read(coq_order *o, ring_frac *out, expr_node *e);
/* What is known of the variables' sizes joins the facts. */
void ver_coq_order_sizes(coq_order *o);
/* Is p no zero by a condition? */
bool ver_coq_order_is_not_0(coq_order *o, const fmpz_mpoly_t p);

/* ---- coq_pairs.c ---- */

/* What is known of two functions together. */
void ver_coq_order_pairs(coq_order *o);
/* Of |u|, max and min the lemma that there are two cases; NULL: of others. */
const char *ver_coq_order_lemma(const coq_order *o, slong g);
/* The case in which it is its first argument, or the other one: what is >= 0 then, and what is 0. */
void ver_coq_order_case(coq_order *o, slong g, bool second, ring_frac *sign, ring_frac *relation);
/* "lemma u v" of variable g; to be freed. */
char *ver_coq_order_term(coq_order *o, const char *lemma, const char *args, slong g, const char *rest);

/* ---- coq_weigh.c ---- */

/* Do the facts contradict each other? The last of them is what was supposed. Writes the tactics that show it; else nothing. */
bool ver_coq_weigh(coq_order *o, order_depth depth);

#endif
