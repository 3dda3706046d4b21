/* Every operation either has a rule for derivatives or is refused by name, and every rule agrees with differences of the
 * function itself (rules.lua: the cases and the oracle). A suite of rules is worth what it catches: each rule is also spoilt, in
 * several ways, and the suite must notice each time.
 * Sources: array/adjoint.c array/linalg_inner.c array/rule.c array/rules_batch.c array/rules_elementwise.c array/rules_linalg.c array/rules_product.c
 * Sources: array/rules_reduce.c array/rules_shape.c attention/rules.c encoding/rules.c lua/attention.c */
#include "lua/lab.h"

#include "array/rule.h"

/* ---- every row has an answer --------------------------------------------------------------------------- */

static void every_row_has_a_rule_or_a_reason(void **state) {
    (void)state;
    int wrong = 0;
    for (const op_table *t = op_tables; t->rows; t++)
        for (const op *row = t->rows; row < t->rows + *t->n; row++) {
            const op_rule *r = op_rule_of(row);
            int answers = r ? (r->pass != NULL) + (r->vjp != NULL) + (r->refuse != NULL) +
                                  (r->define && !r->vjp) + r->plain
                            : 0;
            if (answers != 1)
                print_error("%s has %d of: a rule, a refusal, plain results\n", row->name, answers), wrong++;
            if (r && r->jvp && !r->vjp) print_error("%s has jvp but no vjp\n", row->name), wrong++;
        }
    for (const op_rule_table *t = op_rule_tables; t->rules; t++)
        for (const op_rule *r = t->rules; r < t->rules + *t->n; r++)
            if (!op_find(r->name)) print_error("a rule for %s, which is no operation\n", r->name), wrong++;
    assert_int_equal(wrong, 0);
}

/* ---- spoilt rules -------------------------------------------------------------------------------------- */

static op_rule whole; /* the rule as it was */

/* The wrong sign of what goes to operand 1, and to operand 2. */
static op_val *pass_sign(op_ctx *c, const op_use *u, int i, op_val *t) {
    op_val *v = whole.pass(c, u, i, t);
    return i == 0 ? op_times(c, v, -1) : v;
}
static op_val *pass_sign2(op_ctx *c, const op_use *u, int i, op_val *t) {
    op_val *v = whole.pass(c, u, i, t);
    return i == 1 ? op_times(c, v, -1) : v;
}
static void vjp_sign(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    whole.vjp(c, u, g, gx);
    gx[0] = op_times(c, gx[0], -1);
}
static void vjp_sign2(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    whole.vjp(c, u, g, gx);
    if (u->n > 1) gx[1] = op_times(c, gx[1], -1);
}
static void jvp_sign(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    whole.jvp(c, u, dx, dy);
    dy[0] = op_times(c, dy[0], -1);
}

/* A slope that is a constant to the next derivative: right once, wrong twice. */
static const op_use *frozen(op_ctx *c, const op_use *u, op_use *still, op_val **x, op_val **y) {
    *still = *u;
    for (int i = 0; i < u->n && i < 8; i++) x[i] = op_stop_gradient(c, u->x[i]);
    for (int k = 0; k < u->ny; k++) y[k] = op_stop_gradient(c, u->y[k]);
    if (u->n <= 8) still->x = x;
    still->y = y;
    return still;
}
static op_val *pass_frozen(op_ctx *c, const op_use *u, int i, op_val *t) {
    op_val *x[8], *y[OP_MAXOUT];
    op_use still;
    return whole.pass(c, frozen(c, u, &still, x, y), i, t);
}
static void vjp_frozen(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    op_val *x[8], *y[OP_MAXOUT];
    op_use still;
    whole.vjp(c, frozen(c, u, &still, x, y), g, gx);
}

/* The batch in the wrong order: members change places. */
static void batch_turned(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    (whole.batch ? whole.batch : op_batch_each)(c, u, batched, size, y);
    y[0] = op_do_axis(c, "flip", y[0], 0, false);
}

/* gA = g B^T and gB = A^T g without the transposes: right shapes where A and B are square. */
static void matmul_straight(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    bool square = true;
    for (int i = 0; i < 2; i++)
        square = square && u->sx[i].ndim == 2 && u->sx[i].shape[0] == u->sx[i].shape[1];
    if (!square) {
        whole.vjp(c, u, g, gx);
        return;
    }
    gx[0] = op_do2(c, "matmul", g[0], u->x[1]);
    gx[1] = op_do2(c, "matmul", u->x[0], g[0]);
}

/* What broadcasting stretched is not summed: one row of it is taken. */
static op_val *unsummed(op_ctx *c, op_val *g, const op_spec *x) {
    op_spec s = *op_spec_of(c, g);
    int lead = s.ndim - x->ndim;
    op_attrs attrs = {.nints = 3 * s.ndim};
    for (int d = 0; d < s.ndim; d++) {
        bool drop = d < lead, one = !drop && x->shape[d - lead] == 1;
        attrs.ints[3 * d + 1] = 1;
        attrs.ints[3 * d + 2] = drop ? -1 : one ? 1 : s.shape[d];
    }
    return op_do(c, "slice", &attrs, 1, &g);
}
static void vjp_unsummed(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    for (int i = 0; i < u->n; i++)
        if (u->wants[i]) gx[i] = unsummed(c, whole.pass(c, u, i, g[0]), &u->sx[i]);
}

/* A shortcut whose definition says something else: the wrong sign of each result. */
static void define_sign(op_ctx *c, const op_use *u, op_val **y) {
    whole.define(c, u, y);
    for (int k = 0; k < u->row->n_out; k++) y[k] = op_times(c, y[k], -1);
}

/* spoil(row, how) returns false when there is nothing to spoil in that way; mend() ends it. */
static int spoil(lua_State *L) {
    const char *name = lua_tostring(L, 1), *how = lua_tostring(L, 2);
    op_rule r;
    op_rule_replace(name, NULL);
    const op_rule *found = op_rule_of(op_find(name));
    bool two = op_find(name)->max_in != 1, any = false;
    if (!found || found->refuse || found->plain) return 0;
    r = whole = *found;
    if (strcmp(how, "sign of operand 1") == 0) {
        any = true;
        if (r.define && !r.vjp) r.define = define_sign;
        else if (r.pass) r.pass = pass_sign;
        else r.vjp = vjp_sign;
    } else if (strcmp(how, "sign of operand 2") == 0 && two && (!r.define || r.vjp)) {
        any = true;
        if (r.pass) r.pass = pass_sign2;
        else r.vjp = vjp_sign2;
    } else if (strcmp(how, "sign forwards") == 0 && r.jvp) {
        any = true;
        r.jvp = jvp_sign;
    } else if (strcmp(how, "frozen slope") == 0 && (!r.define || r.vjp) && (r.drop & 511) != 511) {
        any = true;
        if (r.pass) r.pass = pass_frozen;
        else r.vjp = vjp_frozen;
    } else if (strcmp(how, "batch turned") == 0 && (!r.define || r.vjp)) {
        any = true;
        r.batch = batch_turned;
    } else if (strcmp(how, "missing transpose") == 0 && strcmp(name, "matmul") == 0) {
        any = true;
        r.vjp = matmul_straight;
    } else if (strcmp(how, "missing sum") == 0 && r.pass && two) {
        any = true;
        r.vjp = vjp_unsummed;
    }
    if (any) op_rule_replace(name, &r);
    lua_pushboolean(L, any);
    return 1;
}
/* define(name, spoilt): a row with a vjp and a definition goes by its definition; false for any other. */
static int by_definition(lua_State *L) {
    const char *name = lua_tostring(L, 1);
    whole = *op_rule_of(op_find(name));
    op_rule r = {.name = whole.name, .define = lua_toboolean(L, 2) ? define_sign : whole.define};
    bool both = whole.define && whole.vjp;
    if (both) op_rule_replace(name, &r);
    lua_pushboolean(L, both);
    return 1;
}
static int mend(lua_State *L) {
    op_rule_replace("", NULL);
    (void)L;
    return 0;
}

/* ---- the suite ----------------------------------------------------------------------------------------- */

static lua_State *open_rules(void) {
    lua_State *L = lab_open();
    lua_register(L, "spoil", spoil);
    lua_register(L, "mend", mend);
    lua_register(L, "by_definition", by_definition);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "phasor.tapes");
    lua_setglobal(L, "tapes");
    lua_getfield(L, -1, "phasor.fused");
    lua_setglobal(L, "fused");
    if (luaL_loadfile(L, "tests/diff/rules.lua") != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    lua_setglobal(L, "cases");
    return L;
}

static void run(const char *code) {
    lua_State *L = open_rules();
    const char *got = lab_eval(L, code);
    if (strcmp(got, "") != 0) print_error("%s\n", got);
    assert_string_equal(got, "");
    lua_close(L);
}

static void rules_agree_with_differences(void **state) {
    (void)state;
    run("@rules_agree_with_differences");
}

/* Every differentiable row has a case, except those whose cases stand in another test (rules.lua says which). */
static void every_rule_has_a_case(void **state) {
    (void)state;
    lua_State *L = open_rules();
    int missing = 0;
    for (const op_table *t = op_tables; t->rows; t++)
        for (const op *row = t->rows; row < t->rows + *t->n; row++) {
            const op_rule *r = op_rule_of(row);
            if (!r || r->refuse || r->plain) continue;
            lua_getglobal(L, "has_case");
            lua_pushstring(L, row->name);
            lua_call(L, 1, 1);
            if (!lua_toboolean(L, -1)) print_error("no case for %s\n", row->name), missing++;
            lua_settop(L, 0);
        }
    lua_close(L);
    assert_int_equal(missing, 0);
}

static void spoilt_rules_are_caught(void **state) {
    (void)state;
    run("@spoilt_rules_are_caught");
}

/* A definition beside a vjp is the same function, with the same derivatives. */
static void definitions_beside_a_vjp_agree(void **state) {
    (void)state;
    run("@definitions_beside_a_vjp_agree");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_rule_or_a_reason), cmocka_unit_test(rules_agree_with_differences),
        cmocka_unit_test(every_rule_has_a_case), cmocka_unit_test(spoilt_rules_are_caught),
        cmocka_unit_test(definitions_beside_a_vjp_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
