/* The decomposition of space into cells, at its own door: on paper, against points, and for what is nowhere negative.
 * Sources: verify/cells.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define PICK_SEED 5
#include "pick.h"
#include "verify/cells.h"

enum { FACTS = 2, COEFFICIENTS = 7, ROUNDS = 150, SIDE = 24 };

static void read_polynomial(fmpz_mpoly_struct *to, const char *text, const cell_problem *p) {
    static const char *names[] = {"x", "y", "s"};
    if (fmpz_mpoly_set_str_pretty(to, text, names, p->ctx)) fail_msg("no polynomial: %s", text);
}

/* goal >= 0 where the facts (until NULL) are > 0; s^degree = root, where that is not NULL. */
static cells_answer decide(const char *goal, const char *const *fact, const char *root, slong degree) {
    cell_problem p;
    cells_answer a;
    double work = 4 * CELL_WORK;
    ph_err err = {0};
    ver_cells_init(&p, root ? 3 : 2);
    p.work = &work;
    read_polynomial(&p.goal, goal, &p);
    for (int i = 0; i < FACTS && fact[i]; i++) read_polynomial(ver_cells_fact(&p), fact[i], &p);
    if (root) read_polynomial(ver_cells_root(&p, 2, degree), root, &p);
    assert_int_equal(ver_cells_decide(&a, &p, &err), PH_OK);
    ver_cells_clear(&p);
    return a;
}

static void answers_known_on_paper(void **state) {
    (void)state;
    static const struct {
        const char *goal, *fact[FACTS], *root;
        slong degree;
        cells_answer is;
    } rows[] = {
        {"x^2", {NULL}, NULL, 0, CELLS_HOLD},
        {"x^2 - 1", {NULL}, NULL, 0, CELLS_FAIL},
        {"x^2 - 1", {"x - 1"}, NULL, 0, CELLS_HOLD},
        {"100*x^2 - 101", {"x - 1"}, NULL, 0, CELLS_FAIL},
        {"x", {"x", "-x"}, NULL, 0, CELLS_EMPTY},
        {"-1", {"-x^2 - y^2"}, NULL, 0, CELLS_EMPTY},
        {"-1", {"x*y - 1", "1 - x^2 - y^2"}, NULL, 0, CELLS_EMPTY}, /* |xy| <= 1/2 in the circle */
        {"1 - 2*x*y", {"1 - x^2 - y^2"}, NULL, 0, CELLS_HOLD},      /* and that is reached */
        {"99 - 200*x*y", {"1 - x^2 - y^2"}, NULL, 0, CELLS_FAIL},
        {"2 - (x + y)^2", {"1 - x^2 - y^2"}, NULL, 0, CELLS_HOLD},
        {"x^4*y^2 + x^2*y^4 - 3*x^2*y^2 + 1",
         {NULL},
         NULL,
         0,
         CELLS_HOLD}, /* Motzkin: no sum of squares, least value 0 */
        {"100*x^4*y^2 + 100*x^2*y^4 - 300*x^2*y^2 + 99", {NULL}, NULL, 0, CELLS_FAIL},
        {"x + 1 - 2*s", {"x"}, "x", 2, CELLS_HOLD}, /* (√x − 1)² */
        {"100*x + 99 - 200*s", {"x"}, "x", 2, CELLS_FAIL},
        {"x + 2 - 3*s", {"x"}, "x", 3, CELLS_HOLD}, /* s³ − 3s + 2 = (s − 1)²(s + 2) */
        {"100*x + 199 - 300*s", {"x"}, "x", 3, CELLS_FAIL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cells_answer a = decide(rows[i].goal, rows[i].fact, rows[i].root, rows[i].degree);
        if (a != rows[i].is) fail_msg("%s: %d, not %d", rows[i].goal, (int)a, (int)rows[i].is);
    }
}

/* Where facts leave a strip of width 10^-k, nothing but a point inside tells them from what no point meets, and balls must be made as small as it.
 * A thinner one may stay undecided, and is not taken for empty. */
static void narrow_cells_are_not_left_out(void **state) {
    (void)state;
    char power[64] = "1", fact[900];
    for (int k = 1; k <= 60; k++) {
        strcat(power, "0");
        snprintf(fact, sizeof fact, "(1 - %s*x + %s)*(%s*x - %s)", power, power, power, power);
        const char *strip[FACTS] = {fact, "y"};
        cells_answer below = decide("-1 - x^2", strip, NULL, 0), above = decide("x*y", strip, NULL, 0);
        bool open = k > 15;
        if (!(below == CELLS_FAIL || (open && below == CELLS_UNDECIDED)) ||
            !(above == CELLS_HOLD || (open && above == CELLS_UNDECIDED)))
            fail_msg("10^-%d: %d, %d", k, (int)below, (int)above);
    }
}

/* ---- against points ------------------------------------------------------------------------------------ */

typedef struct {
    int c[COEFFICIENTS]; /* of 1, x, y, x², xy, y², x³ */
    char text[200];
} polynomial;

static void some(polynomial *p, int terms) {
    for (int i = 0; i < COEFFICIENTS; i++) p->c[i] = i < terms ? pick(7) - 3 : 0;
    snprintf(p->text, sizeof p->text, "(%d) + (%d)*x + (%d)*y + (%d)*x^2 + (%d)*x*y + (%d)*y^2 + (%d)*x^3",
             p->c[0], p->c[1], p->c[2], p->c[3], p->c[4], p->c[5], p->c[6]);
}

/* Exact: small integers over 4³. */
static double at(const polynomial *p, double x, double y) {
    return p->c[0] + p->c[1] * x + p->c[2] * y + p->c[3] * x * x + p->c[4] * x * y + p->c[5] * y * y +
           p->c[6] * x * x * x;
}

static void no_point_speaks_against_an_answer(void **state) {
    (void)state;
    int seen[CELLS_FAIL + 1] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        polynomial goal, fact[FACTS];
        int facts = pick(FACTS + 1);
        const char *text[FACTS] = {NULL};
        bool met = false, below = false;
        some(&goal, round % 2 ? COEFFICIENTS : 6);
        for (int i = 0; i < facts; i++) some(&fact[i], 6), text[i] = fact[i].text;
        for (int i = -SIDE; i <= SIDE; i++)
            for (int j = -SIDE; j <= SIDE; j++) {
                bool inside = true;
                for (int k = 0; k < facts; k++) inside &= at(&fact[k], i / 4.0, j / 4.0) > 0;
                met |= inside;
                below |= inside && at(&goal, i / 4.0, j / 4.0) < 0;
            }
        cells_answer a = decide(goal.text, text, NULL, 0);
        if ((a == CELLS_HOLD && below) || (a == CELLS_EMPTY && met))
            fail_msg("%s where %s, %s: %d", goal.text, text[0], text[1], (int)a);
        seen[a]++;
    }
    printf("%d undecided, %d hold, %d empty, %d fail\n", seen[0], seen[1], seen[2], seen[3]);
    assert_true(seen[CELLS_HOLD] >= 5 && seen[CELLS_EMPTY] >= 2 && seen[CELLS_FAIL] >= 20);
}

/* Sums of squares: no fact makes them negative, and an open set that is met is not empty. */
static void squares_never_fail(void **state) {
    (void)state;
    for (int round = 0; round < ROUNDS / 3; round++) {
        char goal[200], fact[80];
        snprintf(goal, sizeof goal, "((%d)*x + (%d)*y + (%d))^2 + %d*(x*y - (%d))^2", pick(7) - 3,
                 pick(7) - 3, pick(7) - 3, pick(3), pick(5) - 2);
        snprintf(fact, sizeof fact, "%d + (%d)*x + (%d)*y - x^2", 1 + pick(4), pick(5) - 2,
                 pick(5) - 2); /* > 0 at 0 */
        cells_answer a = decide(goal, (const char *const[FACTS]){round % 2 ? fact : NULL}, NULL, 0);
        if (a != CELLS_HOLD && a != CELLS_UNDECIDED) fail_msg("%s where %s: %d", goal, fact, (int)a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_known_on_paper), cmocka_unit_test(narrow_cells_are_not_left_out),
        cmocka_unit_test(no_point_speaks_against_an_answer), cmocka_unit_test(squares_never_fail)};
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
