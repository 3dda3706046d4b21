/* expr.c: formulas as Lua values: the kind KIND_EXPR, to which every operation's row dispatches by name.
 *
 * A box owns one reference to a node. Which numbers enter a formula is said in entering.c.
 */
#include "base/cmplx.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/build.h"
#include "lua/bind.h"
#include "lua/state.h"

#define EXPR "phasor.Expr"

/* ---- boxes --------------------------------------------------------------------------------------------- */

expr_node **bind_new_expr(lua_State *L) {
    expr_node **box = bind_new_finalized(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, EXPR);
    return box;
}

expr_node *bind_test_expr(lua_State *L, int i) {
    expr_node **box = luaL_testudata(L, i, EXPR);
    return box ? *box : NULL;
}

static expr_node *self(lua_State *L, const char *who) {
    expr_node *e = bind_test_expr(L, 1);
    if (!e) bind_raise_arg(L, 1, who, "the operand", "a formula");
    return e;
}

static int formula_gc(lua_State *L) {
    expr_node **box = lua_touserdata(L, 1);
    expr_drop(*box);
    *box = NULL;
    return 0;
}

static void finish(lua_State *L, ph_status st, const ph_err *err) {
    if (st != PH_OK) bind_raise(L, err);
}

/* Before the reference is taken there is what drops it: in one assignment C takes them in either order, and the box may raise. */
void bind_push_expr(lua_State *L, expr_node *e) {
    expr_node **box = bind_new_expr(L);
    *box = expr_ref(e);
}

/* Pushes op(args). */
expr_node *bind_push_op(lua_State *L, expr_op head, int n, expr_node *const *args) {
    ph_err err;
    expr_node **box = bind_new_expr(L);
    finish(L, expr_make(box, head, n, args, &err), &err);
    return *box;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Pushes what `name` of formulas is in other functions; false, and nothing, when it is not so defined. */
static bool push_defined(lua_State *L, const char *name, int n, expr_node *const *arg) {
    ph_err err;
    expr_builder b = EXPR_BUILDER(&err);
    expr_define_fn *f = expr_definition(name, n);
    if (!f) return false;
    expr_node **box = bind_new_expr(L);
    finish(L, expr_b_end(&b, box, f(&b, arg)), &err);
    return true;
}

static const struct {
    const char *row;
    expr_op op;
} arithmetic[] = {{"add", EXPR_ADD}, {"sub", EXPR_SUB}, {"mul", EXPR_MUL},
                  {"div", EXPR_DIV}, {"pow", EXPR_POW}, {"neg", EXPR_NEG}};

/* The operation of formulas that a row of arrays has in common with them. */
static bool find_op(const char *name, expr_op *head) {
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
        if (!strcmp(arithmetic[i].row, name)) return *head = arithmetic[i].op, true;
    for (int k = EXPR_MIN; k < EXPR_NOPS; k++)
        if (k != EXPR_SUM && !strcmp(expr_ops[k].name, name)) return *head = (expr_op)k, true;
    return false;
}

/* A matrix of formulas among the operands: the Lua side maps or multiplies (lib/matrix.lua). */
static int apply_matrix(lua_State *L, const op *row, int n) {
    lua_settop(L, n);
    lua_getfield(L, LUA_REGISTRYINDEX, "phasor.formulas");
    lua_insert(L, 1);
    lua_pushstring(L, row->name);
    lua_insert(L, 2);
    lua_call(L, n + 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int apply_expr(lua_State *L, const op *row, const bind_call *c) {
    expr_node *arg[3];
    expr_op head;
    bind_reserve(L, 8);
    for (int i = 1; i <= c->n; i++)
        if (lua_istable(L, i)) {
            if (c->attrs.has_axis || c->attrs.keep || c->attrs.num)
                return bind_raisef(L, "%s: of formulas it takes no axis and no options", row->name);
            return apply_matrix(L, row, c->n);
        }
    if (c->n > 3 || c->attrs.has_axis || c->attrs.keep)
        return bind_raisef(L, "%s: not defined for formulas with these arguments", row->name);
    for (int i = 0; i < c->n; i++) arg[i] = bind_expr_operand(L, i + 1, row->name, "an operand");
    if (!strcmp(row->name, "where")) head = EXPR_PIECE; /* where(condition, x, y) */
    else if (push_defined(L, row->name, c->n, arg)) return 1;
    else if (!find_op(row->name, &head)) return bind_raisef(L, "%s: not defined for formulas", row->name);
    bind_push_op(L, head, c->n, arg);
    return 1;
}

static int meta_add(lua_State *L) { return bind_call_op(L, "add", 2); }
static int meta_sub(lua_State *L) { return bind_call_op(L, "sub", 2); }
static int meta_mul(lua_State *L) { return bind_call_op(L, "mul", 2); }
static int meta_div(lua_State *L) { return bind_call_op(L, "div", 2); }
static int meta_pow(lua_State *L) { return bind_call_op(L, "pow", 2); }

static int define2(lua_State *L, const char *name) {
    expr_node *arg[2];
    lua_settop(L, 2);
    for (int i = 0; i < 2; i++) arg[i] = bind_expr_operand(L, i + 1, name, "an operand");
    return push_defined(L, name, 2, arg);
}

static int meta_mod(lua_State *L) { return define2(L, "mod"); }
static int meta_idiv(lua_State *L) { return define2(L, "floor_div"); }

static int meta_eq(lua_State *L) {
    expr_node *a = bind_test_expr(L, 1), *b = bind_test_expr(L, 2);
    lua_pushboolean(L, a && b && expr_same(a, b));
    return 1;
}

static int meta_order(lua_State *L) {
    return bind_raisef(L,
                       "formulas are not compared by < and <=; write lt(a, b) or le(a, b) for a statement");
}

/* ---- text ---------------------------------------------------------------------------------------------- */

#define SHOWN 4000 /* characters of a printed formula */

typedef ph_status text_fn(char **out, const expr_node *e, size_t limit, ph_err *err);

static int push_text(lua_State *L, text_fn *f, const expr_node *e, size_t limit) {
    ph_err err;
    char **text = bind_new_text(L);
    return bind_give_text(L, text, f(text, e, limit, &err), &err);
}

static int meta_tostring(lua_State *L) { return push_text(L, expr_text, self(L, "tostring"), SHOWN); }
static int formula_latex(lua_State *L) { return push_text(L, expr_latex, self(L, "latex"), 0); }

/* ---- symbols, constants, sums -------------------------------------------------------------------------- */

static expr_kind check_kind(lua_State *L, int i) {
    static const char *const names[] = {"real", "positive", "integer", "natural", "complex", NULL};
    if (lua_isnoneornil(L, i)) return EXPR_REAL;
    for (int k = 0; lua_type(L, i) == LUA_TSTRING && names[k]; k++)
        if (!strcmp(lua_tostring(L, i), names[k])) return (expr_kind)k;
    bind_raise_arg(L, i, "sym", "the assumption",
                   "\"real\", \"positive\", \"integer\", \"natural\" or \"complex\"");
    return EXPR_REAL;
}

static bool is_name(const char *s, size_t n) {
    for (size_t at = 0; at < n;) {
        ph_utf8 u = ph_utf8_decode(s + at, n - at);
        if (!u.valid || !(at ? ph_rune_continues_name(u.rune) : ph_rune_starts_name(u.rune))) return false;
        at += (size_t)u.bytes;
    }
    return n > 0 && n < 60;
}

/* sym "a b c": one symbol for each name */
static int new_symbols(lua_State *L) {
    ph_err err;
    char name[64];
    int found = 0;
    bind_check_count(L, "sym", 1, 2);
    if (lua_type(L, 1) != LUA_TSTRING)
        return bind_raise_arg(L, 1, "sym", "the names", "text such as \"a b θ\"");
    expr_kind kind = check_kind(L, 2);
    lua_settop(L, 1);
    for (const char *p = lua_tostring(L, 1); *p; found++) {
        p += strspn(p, " ,\t\n");
        size_t n = strcspn(p, " ,\t\n");
        if (!n) break;
        if (!is_name(p, n))
            return bind_raisef(L, "sym: '%.*s' is no name; wanted letters and digits, a letter first",
                               (int)(n < 60 ? n : 60), p);
        memcpy(name, p, n);
        name[n] = 0;
        bind_reserve(L, 4);
        finish(L, expr_sym(bind_new_expr(L), name, kind, &err), &err);
        p += n;
    }
    return found ? found : bind_raisef(L, "sym: no name in it; write sym \"a b\"");
}

static int64_t check_whole(lua_State *L, int i, const char *what) {
    if (lua_isinteger(L, i)) return lua_tointeger(L, i);
    if (lua_type(L, i) == LUA_TNUMBER) bind_refuse_float(L, "rat", lua_tonumber(L, i));
    return bind_raise_arg(L, i, "rat", what,
                          lua_gettop(L) == 1 ? "an integer, or text such as \"0.1\"" : "an integer");
}

static int new_rat(lua_State *L) {
    ph_err err;
    bind_check_count(L, "rat", 1, 2);
    if (lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TSTRING) {
        finish(L, expr_rat_text(bind_new_expr(L), lua_tostring(L, 1), &err), &err);
        return 1;
    }
    int64_t p = check_whole(L, 1, "the numerator"),
            q = lua_gettop(L) == 2 ? check_whole(L, 2, "the denominator") : 1;
    finish(L, expr_rat(bind_new_expr(L), p, q, &err), &err);
    return 1;
}

/* θ[i]; anything else is a method or a field */
static int meta_index(lua_State *L) {
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);
        lua_call(L, 2, 1);
        return 1;
    }
    expr_node *base = self(L, "index"), *at = bind_expr_operand(L, 2, "index", "the index");
    if (base->op != EXPR_SYM) return bind_raisef(L, "index: only a symbol has members, as in θ[i]");
    bind_push_op(L, EXPR_AT, 2, (expr_node *[]){base, at});
    return 1;
}

/* f, i, lo, hi at first …: what `who` puts together over the integers i from lo to hi; `part`: what f is called. */
static void read_range(lua_State *L, int first, const char *who, const char *part, expr_node *arg[4]) {
    const char *const what[] = {part, "the index", "the lower bound", "the upper bound"};
    for (int i = 0; i < 4; i++) arg[i] = bind_expr_operand(L, first + i, who, what[i]);
    if (arg[1]->op != EXPR_SYM || (arg[1]->kind != EXPR_INTEGER && arg[1]->kind != EXPR_NATURAL))
        bind_raisef(L, "%s: the index is no integer symbol; write i = sym(\"i\", \"integer\")", who);
}

/* range(who, part, f, i, lo, hi) -> f, i, lo, hi as formulas, as sum would take them */
static int checked_range(lua_State *L) {
    const char *who = bind_check_text(L, 1), *part = bind_check_text(L, 2);
    expr_node *arg[4];
    ph_err err;
    read_range(L, 3, who, part, arg);
    for (int i = 0; i < 4; i++)
        if (expr_is_statement(arg[i]))
            return bind_raisef(L, "%s: argument %d is a statement; wanted a value", who, i + 1);
    if (expr_check_range(who, arg[1], arg[2], arg[3], &err) != PH_OK) return bind_raise(L, &err);
    for (int i = 0; i < 4; i++) bind_push_expr(L, arg[i]);
    return 4;
}

/* sum(f, i, lo, hi), and the laboratory's own sum for everything else (upvalue 1) */
static int formula_sum(lua_State *L) {
    if (lua_gettop(L) == 4 && bind_test_expr(L, 2)) {
        expr_node *arg[4];
        read_range(L, 1, "sum", "the summand", arg);
        bind_push_op(L, EXPR_SUM, 4, (expr_node *[]){arg[1], arg[2], arg[3], arg[0]});
        return 1;
    }
    if (bind_test_expr(L, 1)) return bind_raisef(L, "sum: a formula is summed as sum(f, i, lo, hi)");
    int n = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    return lua_gettop(L);
}

static int new_piecewise(lua_State *L) {
    int n = lua_gettop(L);
    bind_check_count(L, "piecewise", 3, EXPR_MAX_ARGS);
    expr_node **arg = lua_newuserdatauv(L, (size_t)n * sizeof *arg, 0);
    for (int i = 0; i < n; i++) arg[i] = bind_expr_operand(L, i + 1, "piecewise", "an argument");
    bind_push_op(L, EXPR_PIECE, n, arg);
    return 1;
}

/* Ci and Si have no row among the operations of arrays: a number has its value, a formula stays one. */
static int special(lua_State *L, expr_op head, const char *who, double (*value)(double)) {
    bind_check_count(L, who, 1, 1);
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_pushnumber(L, value(lua_tonumber(L, 1)));
        return 1;
    }
    expr_node *u = bind_expr_operand(L, 1, who, "the argument");
    bind_push_op(L, head, 1, &u);
    return 1;
}

static int new_ci(lua_State *L) { return special(L, EXPR_CI, "Ci", expr_ci); }
static int new_si(lua_State *L) { return special(L, EXPR_SI, "Si", expr_si); }

/* ---- parts of a formula, for Lua ----------------------------------------------------------------------- */

static int get_op(lua_State *L) {
    lua_pushstring(L, expr_ops[self(L, "op")->op].name);
    return 1;
}

static int get_args(lua_State *L) {
    expr_node *e = self(L, "args");
    lua_createtable(L, (int)e->nargs, 0);
    for (uint32_t i = 0; i < e->nargs; i++) {
        bind_push_expr(L, e->arg[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int get_name(lua_State *L) {
    expr_node *e = self(L, "name");
    if (e->op == EXPR_SYM) lua_pushstring(L, e->name);
    else lua_pushnil(L);
    return 1;
}

static int get_assumption(lua_State *L) {
    expr_node *e = self(L, "assumption");
    if (e->op == EXPR_SYM) lua_pushstring(L, expr_kind_name(e->kind));
    else lua_pushnil(L);
    return 1;
}

static int formula_symbols(lua_State *L) {
    ph_err err;
    expr_set s;
    expr_node *e = self(L, "symbols");
    finish(L, expr_symbols(&s, e, &err), &err);
    /* boxes first, filled without a Lua call in between */
    int n = s.n;
    expr_set_clear(&s);
    lua_createtable(L, n, 0);
    expr_node ***box = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *box, 0);
    bind_reserve(L, 4);
    for (int i = 0; i < n; i++) {
        box[i] = bind_new_expr(L);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
    }
    finish(L, expr_symbols(&s, self(L, "symbols"), &err), &err);
    for (int i = 0; i < n; i++) *box[i] = expr_ref(s.item[i]);
    expr_set_clear(&s);
    lua_pop(L, 1);
    return 1;
}

static const luaL_Reg meta[] = {
    {"__add", meta_add},
    {"__sub", meta_sub},
    {"__mul", meta_mul},
    {"__div", meta_div},
    {"__pow", meta_pow},
    {"__mod", meta_mod},
    {"__idiv", meta_idiv},
    {"__unm", bind_meta_unm},
    {"__eq", meta_eq},
    {"__lt", meta_order},
    {"__le", meta_order},
    {"__tostring", meta_tostring},
    {"__concat", bind_meta_concat},
    {"__gc", formula_gc},
    {NULL, NULL},
};

static const bind_row rows[] = {
    {.name = "# formulas"},
    {"sym", new_symbols, "names [, assumption]",
     "Symbols for formulas, one for each name.\n"
     "names: text, names apart by spaces. assumption: \"real\" (the default), \"positive\", \"integer\", "
     "\"natural\" (1, 2, …) or \"complex\"; what is proved holds for all such values.\n"
     "θ[i] is a member of the family θ. Operators and functions of symbols give formulas; numbers in them "
     "are exact.",
     "a, b = sym \"a b\"\n"
     "sin(a + b)^2  --> sin(a + b)^2\n"
     "k = sym(\"k\", \"positive\")\n"
     "a + 0.1  --> error: write rat(1, 10)\n"
     "sym(\"k\", \"postive\")  --> error: wanted \"real\", \"positive\""},
    {"rat", new_rat, "p [, q]",
     "The exact fraction p/q, or the number that a text says.\n"
     "p, q: integers; q is not 0; or p alone as text: \"0.1\", \"1e-3\", \"22/7\". Of Lua's numbers only integers up to "
     "2^53 are exact in a formula: 10^4 and 6/3 are floating-point, rat(10)^4 and rat(6, 3) are not. Lua's integers wrap at 2^63 "
     "(factorials from 21! on): where the text shows it, as in (1 << 32)*(1 << 32), it is refused before it runs; in loops and functions it is "
     "not seen, so begin a product there with rat(1).",
     "rat(1, 10) + rat(1, 5)  --> 3/10\nrat \"0.1\" + rat \"1e-3\"  --> 101/1000\nrat(10)^4  --> 10000\n"
     "rat(1, 0)  --> error: division by zero\n2*rat(4294967296)  --> 8589934592\nrat(tanh(20))  --> error: 1.0 is a floating-point number"},
    {"Pi", NULL, "", "The exact number π in formulas (pi is its floating-point value).",
     "2*Pi/3  --> 2*pi/3"},
    {"piecewise", new_piecewise, "condition, value, ..., otherwise",
     "A formula by cases: the value beside the first condition that is true.\n"
     "Conditions are statements: lt(x, 0), eq(n, 1) and so on.",
     "x = sym \"x\"\npiecewise(lt(x, 0), -x, x)  --> piecewise(lt(x, 0), -x, x)"},
    {"Ci", new_ci, "x",
     "The cosine integral Ci(x) = γ + ln x + ∫₀ˣ (cos t − 1)/t dt.\n"
     "x > 0: a number (the value, within 4e-14, or 4e-14 of its size where that is above 1; nan below 0) or a "
     "formula. Its derivative is cos(x)/x. Source: DLMF 6.2.",
     "abs(Ci(1) - 0.33740392290096813) <= 4e-14  --> true\nx = sym \"x\"\nderivative(Ci(x), x)  --> "
     "cos(x)/x"},
    {"Si", new_si, "x",
     "The sine integral Si(x) = ∫₀ˣ sin t / t dt.\n"
     "x: a number (the value, within 4e-14) or a formula. Its derivative is sin(x)/x. Source: DLMF 6.2.",
     "abs(Si(1) - 0.946083070367183) <= 4e-14  --> true"},
    {"Expr:latex", formula_latex, "", "The formula as LaTeX.",
     "x = sym \"x\"\n(x/2):latex()  --> \\frac{x}{2}"},
    {"Expr:symbols", formula_symbols, "", "The free symbols and members of the formula, a table.",
     "a, b = sym \"a b\"\n#(a*b + a):symbols()  --> 2"},
    {"Expr.op", get_op, "", "What the formula is on the outside: \"+\", \"sin\", \"sym\", \"rat\", …",
     "x = sym \"x\"\n(x + 1).op  --> +"},
    {"Expr.args", get_args, "", "The parts of the formula, a table.", "x = sym \"x\"\nsin(x).args[1]  --> x"},
    {"Expr.name", get_name, "", "The name of a symbol; nil for other formulas.", "sym(\"q\").name  --> q"},
    {"Expr.assumption", get_assumption, "", "What is assumed of a symbol; nil for other formulas.",
     "sym(\"q\", \"positive\").assumption  --> positive"},
    {.name = NULL},
};

static int is_expr(lua_State *L) {
    lua_pushboolean(L, bind_test_expr(L, 1) != NULL);
    return 1;
}

/* lib/formulas.lua gets C's prove, and gives the one that also takes matrices. */
static void open_formulas(lua_State *L) {
    static const luaL_Reg core[] = {{"value", bind_evaluate},
                                    {"join", bind_join_proofs},
                                    {"is_expr", is_expr},
                                    {"range", checked_range},
                                    {NULL, NULL}};
    luaL_newlib(L, core);
    bind_push_exact(L);
    lua_setfield(L, -2, "exact");
    bind_push_lab(L);
    lua_getfield(L, -1, "prove");
    lua_setfield(L, -3, "prove");
    lua_insert(L, -2);
    bind_provide(L, "phasor.formulas");
    bind_require(L, "phasor.lib.formulas");
    bind_withdraw(L, "phasor.formulas");
    lua_getfield(L, -1, "prove");
    lua_setfield(L, -3, "prove");
    lua_getfield(L, -1, "class");
    lua_pushinteger(L, KIND_EXPR);
    lua_rawsetp(L, -2, &bind_kind_key);
    lua_getfield(L, -2, "apply");
    lua_setfield(L, LUA_REGISTRYINDEX, "phasor.formulas");
    lua_pop(L, 3);
}

void bind_open_expr(lua_State *L) {
    ph_err err;
    bind_class(L, "Expr", KIND_EXPR, meta);
    lua_getfield(L, -1, "__index"); /* methods and fields, with members of families before them */
    lua_pushcclosure(L, meta_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    bind_rows(L, rows);
    bind_kind_set(L, KIND_EXPR, apply_expr);
    bind_push_lab(L);
    finish(L, expr_make(bind_new_expr(L), EXPR_PI, 0, NULL, &err), &err);
    lua_setfield(L, -2, "Pi");
    lua_getfield(L, -1, "sum");
    lua_pushcclosure(L, formula_sum, 1);
    lua_setfield(L, -2, "sum");
    lua_pop(L, 1);
    bind_open_calculus(L);
    bind_open_prove(L);
    open_formulas(L);
    bind_open_certify(L);
}
