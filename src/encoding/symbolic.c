/* symbolic.c: the engine that runs operations on arrays of formulas; see symbolic.h. */
#include "encoding/symbolic.h"

#include <math.h>
#include <string.h>

#include "encoding/encoding.h"

typedef enum { NUMBERS, SYMBOLS, MAPPED, MOVED, SUMMED, PRODUCT, TAKEN } making;
#define OPERANDS 3

struct enc_sym {
    op_spec spec;
    making how;
    enc_sym *next; /* among all that the engine made */
    int n;
    enc_sym *of[OPERANDS]; /* what it was made from */
    const op *row;         /* MAPPED */
    arr a;                 /* NUMBERS; MOVED: which entry each one is, those of all operands counted on */
    const char *name;      /* SYMBOLS */
    int64_t period;
    int axis;         /* SUMMED, TAKEN; -1: all */
    expr_node **seen; /* entries that were asked for; NULL: none yet, or too many */
};

/* ---- places -------------------------------------------------------------------------------------------- */

static int64_t size_of(const op_spec *s) {
    int64_t n = 1;
    for (int k = 0; k < s->ndim; k++) n *= s->shape[k];
    return n;
}

static void place_of(int64_t *at, const op_spec *s, int64_t k) {
    for (int d = s->ndim - 1; d >= 0; d--) at[d] = k % s->shape[d], k /= s->shape[d];
}

/* The entry of s at the place `at` of n dimensions, which s is stretched to. */
static int64_t entry_at(const op_spec *s, int n, const int64_t *at) {
    int64_t k = 0;
    for (int d = 0; d < s->ndim; d++) k = k * s->shape[d] + (s->shape[d] == 1 ? 0 : at[n - s->ndim + d]);
    return k;
}

static bool is_rat(const expr_node *e) { return e && e->op == EXPR_RAT; }

/* ---- entries ------------------------------------------------------------------------------------------- */

static expr_node *entry(enc_symbolic *s, enc_sym *v, int64_t k);

/* What a choice hides has no formula: the formula is that of the entries that are seen. */
static bool hides(const enc_sym *v) {
    const enc_sym *other = strcmp(v->row->name, "where") == 0 ? v->of[2] : NULL;
    return other && other->how == NUMBERS && other->spec.ndim == 0 &&
           arr_get_num(&other->a, other->a.data) == -INFINITY;
}

static expr_node *mapped(enc_symbolic *s, enc_sym *v, int64_t k) {
    int64_t at[ARR_MAXDIM];
    expr_node *a[OPERANDS];
    place_of(at, &v->spec, k);
    if (hides(v)) return entry(s, v->of[1], entry_at(&v->of[1]->spec, v->spec.ndim, at));
    for (int i = 0; i < v->n; i++) a[i] = entry(s, v->of[i], entry_at(&v->of[i]->spec, v->spec.ndim, at));
    return s->b.st == PH_OK ? enc_entry_of(v->row)(&s->b, a) : NULL;
}

static expr_node *moved(enc_symbolic *s, enc_sym *v, int64_t k) {
    int64_t from = (int64_t)((const double *)v->a.data)[k];
    int i = 0;
    for (; from >= size_of(&v->of[i]->spec); i++) from -= size_of(&v->of[i]->spec);
    return entry(s, v->of[i], from);
}

/* Along v's axis, which the result may have kept; over everything without one. */
static expr_node *summed(enc_symbolic *s, enc_sym *v, int64_t k) {
    enc_sym *x = v->of[0];
    int64_t inner = 1, count = size_of(&x->spec), first = 0;
    if (v->axis >= 0) {
        count = x->spec.shape[v->axis];
        for (int d = v->axis + 1; d < x->spec.ndim; d++) inner *= x->spec.shape[d];
        first = k / inner * inner * count + k % inner;
    }
    expr_node *all = expr_b_rat(&s->b, 0, 1);
    for (int64_t i = 0; i < count && s->b.st == PH_OK; i++)
        all = enc_b_sum(&s->b, all, entry(s, x, first + i * inner));
    return all;
}

static expr_node *product(enc_symbolic *s, enc_sym *v, int64_t k) {
    enc_sym *x = v->of[0], *y = v->of[1];
    int64_t at[ARR_MAXDIM], n = v->spec.ndim, count = x->spec.shape[x->spec.ndim - 1];
    place_of(at, &v->spec, k);
    int64_t row = at[n - 2], column = at[n - 1];
    expr_node *all = expr_b_rat(&s->b, 0, 1);
    for (int64_t i = 0; i < count && s->b.st == PH_OK; i++) {
        at[n - 2] = row, at[n - 1] = i;
        expr_node *left = entry(s, x, entry_at(&x->spec, (int)n, at));
        at[n - 2] = i, at[n - 1] = column;
        all = enc_b_sum(&s->b, all, enc_b_product(&s->b, left, entry(s, y, entry_at(&y->spec, (int)n, at))));
    }
    return all;
}

/* ---- entries of a table -------------------------------------------------------------------------------- */

/* Where row r of the table stands for one entry: first + r * step. */
typedef struct {
    enc_sym *x;
    int64_t first, step, rows;
} lookup;

static expr_node *row_of(enc_symbolic *s, const lookup *l, int64_t r) {
    if (r >= 0 && r < l->rows) return entry(s, l->x, l->first + r * l->step);
    if (s->b.st == PH_OK)
        s->b.st =
            ph_fail(s->b.err, PH_EARG, "row %lld of a table of %lld", (long long)r + 1, (long long)l->rows);
    return NULL;
}

/* An index that is held to the table's rows without its bounds: the ends of a list of cases hold it. */
static expr_node *unheld(expr_node *e, int64_t rows, bool *held) {
    while (e->op == EXPR_MIN || e->op == EXPR_MAX) {
        int side = is_rat(e->arg[0]) ? 0 : 1;
        expr_node *bound = e->arg[side];
        if (!is_rat(bound) || bound->den != 1) break;
        if (e->op == EXPR_MIN ? bound->num < rows - 1 : bound->num > 0) break;
        e = e->arg[1 - side];
        *held = true;
    }
    return e;
}

/* u + c, c whole, without c. */
static expr_node *without_constant(expr_node *e, int64_t *c) {
    *c = 0;
    if ((e->op != EXPR_SUB && e->op != EXPR_ADD) || !is_rat(e->arg[1]) || e->arg[1]->den != 1) return e;
    *c = e->op == EXPR_ADD ? e->arg[1]->num : -e->arg[1]->num;
    return e->arg[0];
}

/* A case for each row but the last: of an index that is held to the rows, by where the next begins. */
static expr_node *rows_by_case(enc_symbolic *s, const lookup *l, expr_node *index) {
    expr_node *piece[EXPR_MAX_ARGS];
    expr_builder *b = &s->b;
    bool held = false;
    int n = 0;
    int64_t c;
    if (l->rows < 1 || l->rows > EXPR_MAX_ARGS / 2) {
        b->st = ph_fail(b->err, PH_EUNABLE, "a formula holds tables of 1 to %d rows; this one has %lld",
                        EXPR_MAX_ARGS / 2, (long long)l->rows);
        return NULL;
    }
    index = without_constant(unheld(index, l->rows, &held), &c);
    for (int64_t r = 0; r < l->rows && b->st == PH_OK; r++) {
        if (r < l->rows - 1)
            piece[n++] = expr_b_2(b, held ? EXPR_LT : EXPR_EQ, index, expr_b_rat(b, r + held - c, 1));
        piece[n++] = row_of(s, l, r);
    }
    return n == 1 ? piece[0] : expr_b_op(b, EXPR_PIECE, n, piece);
}

static expr_node *row_at(enc_symbolic *s, const lookup *l, expr_node *index) {
    expr_node *piece[EXPR_MAX_ARGS];
    if (s->b.st != PH_OK) return NULL;
    if (is_rat(index)) return row_of(s, l, index->num / index->den);
    if (index->op != EXPR_PIECE) return rows_by_case(s, l, index);
    for (uint32_t k = 0; k < index->nargs; k++) {
        bool condition = k % 2 == 0 && k + 1 < index->nargs;
        piece[k] = condition ? index->arg[k] : row_at(s, l, index->arg[k]);
    }
    return expr_b_op(&s->b, EXPR_PIECE, (int)index->nargs, piece);
}

/* x's dimensions with those of the index in the place of one. */
static expr_node *taken(enc_symbolic *s, enc_sym *v, int64_t k) {
    enc_sym *x = v->of[0], *index = v->of[1];
    int64_t inner = 1, many = size_of(&index->spec), rows = x->spec.shape[v->axis];
    for (int d = v->axis + 1; d < x->spec.ndim; d++) inner *= x->spec.shape[d];
    lookup l = {x, k / (inner * many) * rows * inner + k % inner, inner, rows};
    return row_at(s, &l, entry(s, index, k / inner % many));
}

/* ---- leaves ------------------------------------------------------------------------------------------- */

/* x as a ratio; EUNABLE where it is none of 64-bit integers. */
static expr_node *exact(expr_builder *b, double x) {
    char text[40];
    int64_t den = 1;
    double num = x;
    while (num != floor(num) && den < (int64_t)1 << 61 && fabs(num) < 0x1p61) num *= 2, den *= 2;
    if (num == floor(num) && fabs(num) < 0x1p62) return expr_b_rat(b, (int64_t)num, den);
    arr_num_text(text, sizeof text, x);
    if (b->st == PH_OK)
        b->st = ph_fail(b->err, PH_EUNABLE,
                        "%s is no ratio of 64-bit integers, and a formula holds exact numbers", text);
    return NULL;
}

static expr_node *symbol(expr_builder *b, const char *name) {
    expr_node *e = NULL;
    if (b->st == PH_OK) b->st = expr_sym(&e, name, EXPR_REAL, b->err);
    return expr_b_keep(b, e);
}

static expr_node *member(expr_builder *b, const char *name, int64_t j) {
    return expr_b_2(b, EXPR_AT, symbol(b, name), expr_b_rat(b, j, 1));
}

/* ---- any entry ----------------------------------------------------------------------------------------- */

#define MANY 65536

static expr_node *made(enc_symbolic *s, enc_sym *v, int64_t k) {
    int64_t at[ARR_MAXDIM];
    switch (v->how) {
    case NUMBERS: place_of(at, &v->spec, k); return exact(&s->b, arr_get_num(&v->a, arr_at(&v->a, at)));
    case SYMBOLS: return v->period ? member(&s->b, v->name, k % v->period) : symbol(&s->b, v->name);
    case MAPPED: return mapped(s, v, k);
    case MOVED: return moved(s, v, k);
    case SUMMED: return summed(s, v, k);
    case PRODUCT: return product(s, v, k);
    case TAKEN: return taken(s, v, k);
    }
    return NULL;
}

static expr_node *entry(enc_symbolic *s, enc_sym *v, int64_t k) {
    int64_t n = size_of(&v->spec);
    if (s->b.st != PH_OK) return NULL;
    if (!v->seen && n <= MANY) v->seen = ph_calloc((size_t)n, sizeof(expr_node *));
    if (v->seen && v->seen[k]) return v->seen[k];
    expr_node *e = made(s, v, k);
    if (v->seen) v->seen[k] = e;
    return e;
}

/* ---- the engine ---------------------------------------------------------------------------------------- */

static enc_sym *sym(op_val *v) { return (enc_sym *)v; }

static enc_sym *new_value(op_ctx *c, making how, const op_spec *spec, op_val *const *of, int n) {
    enc_symbolic *s = (enc_symbolic *)c;
    enc_sym *v = c->st == PH_OK ? ph_calloc(1, sizeof *v) : NULL;
    if (!v) {
        if (c->st == PH_OK) c->st = ph_fail_nomem(&c->err, sizeof *v);
        return NULL;
    }
    v->how = how;
    v->spec = *spec;
    v->n = n;
    for (int i = 0; i < n; i++) v->of[i] = sym(of[i]);
    v->next = s->values;
    return s->values = v;
}

static op_spec spec_of_array(const arr *a) {
    op_spec s = {.dtype = a->dtype, .ndim = a->ndim};
    memcpy(s.shape, a->shape, sizeof s.shape);
    return s;
}

static op_val *hold(op_ctx *c, arr *a) {
    op_spec spec = spec_of_array(a);
    enc_sym *v = new_value(c, NUMBERS, &spec, NULL, 0);
    if (v) v->a = *a;
    else arr_drop(a);
    *a = ARR_NONE;
    return (op_val *)v;
}

static op_val *still(op_ctx *c, op_val *v) {
    (void)c;
    return v;
}
static const op_spec *spec_of(const op_val *v) { return &((const enc_sym *)v)->spec; }
static bool number(const op_val *v, double *x) {
    const enc_sym *s = (const enc_sym *)v;
    bool is = s->how == NUMBERS && s->spec.ndim == 0;
    if (is) *x = arr_get_num(&s->a, s->a.data);
    return is;
}

/* The shape rule of a row that looks at no entries. */
static ph_status shape_of(op_spec *out, const op *row, op_val *const *in, int n, const op_attrs *attrs,
                          ph_err *err) {
    arr outline[OPERANDS];
    for (int i = 0; i < n; i++) {
        outline[i] = (arr){.dtype = spec_of(in[i])->dtype, .ndim = spec_of(in[i])->ndim};
        memcpy(outline[i].shape, spec_of(in[i])->shape, sizeof outline[i].shape);
    }
    return row->shape(out, row, outline, n, attrs, err);
}

/* Numbers first, first+1, … in the shape of v. */
static ph_status counted(arr *out, const enc_sym *v, double first, ph_err *err) {
    ph_status st = arr_new(out, ARR_F64, v->spec.ndim, v->spec.shape, err);
    for (int64_t k = 0; st == PH_OK && k < size_of(&v->spec); k++)
        ((double *)out->data)[k] = first + (double)k;
    return st;
}

/* A row that only brings entries to other places brings their numbers there. */
static op_val *move(op_ctx *c, const op *row, op_val *const *in, int n, const op_attrs *attrs) {
    ph_status st = PH_OK;
    double first = 0;
    arr places[OPERANDS] = {ARR_NONE, ARR_NONE, ARR_NONE}, out = ARR_NONE, flat = ARR_NONE;
    for (int i = 0; i < n; i++) {
        PH_TRY(counted(&places[i], sym(in[i]), first, &c->err));
        first += (double)size_of(&sym(in[i])->spec);
    }
    PH_TRY(op_apply(&out, row, places, n, attrs, &c->err));
    st = arr_contiguous(&flat, &out, ARR_F64, &c->err);
done:
    for (int i = 0; i < n; i++) arr_drop(&places[i]);
    c->st = st;
    op_spec spec = spec_of_array(&out);
    spec.dtype = spec_of(in[0])->dtype;
    arr_drop(&out);
    enc_sym *v = new_value(c, MOVED, &spec, in, n);
    if (v) v->a = flat;
    else arr_drop(&flat);
    return (op_val *)v;
}

static void run_definition(op_ctx *c, op_val **out, const op *row, op_val *const *in, int n,
                           const op_attrs *attrs) {
    op_spec sx[OPERANDS];
    for (int i = 0; i < n; i++) sx[i] = *spec_of(in[i]);
    op_rule_of(row)->define(c, &(op_use){.row = row, .attrs = attrs, .n = n, .x = in, .sx = sx}, out);
}

static bool is_row(const op *row, const char *name) { return strcmp(row->name, name) == 0; }

static void apply(op_ctx *c, op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs) {
    static const op_attrs none;
    const op_rule *rule = op_rule_of(row);
    op_spec spec = {0};
    enc_sym *v;
    if (!attrs) attrs = &none;
    making how = is_row(row, "sum")      ? SUMMED
                 : is_row(row, "matmul") ? PRODUCT
                 : is_row(row, "take")   ? TAKEN
                                         : MAPPED;
    if (n > OPERANDS || (how == MAPPED && !enc_entry_of(row) && !(rule && (rule->define || rule->moves)))) {
        op_fail(c, PH_EUNABLE, "%s: formulas have no such operation", row->name);
    } else if (how == MAPPED && !enc_entry_of(row) && rule->define) {
        run_definition(c, out, row, in, n, attrs);
    } else if (how == MAPPED && !enc_entry_of(row)) {
        out[0] = move(c, row, in, n, attrs);
    } else {
        c->st = shape_of(&spec, row, in, n, attrs, &c->err);
        if (!(v = new_value(c, how, &spec, in, n))) return;
        v->row = row;
        v->axis = how == TAKEN      ? op_axis_of(attrs, spec_of(in[0])->ndim, 0)
                  : attrs->has_axis ? op_axis_of(attrs, spec_of(in[0])->ndim, 0)
                                    : -1;
        out[0] = (op_val *)v;
    }
}

static const op_engine engine = {apply, hold, still, spec_of, number};

void enc_symbolic_begin(enc_symbolic *s, ph_err *err) {
    *s = (enc_symbolic){.c = {.engine = &engine}, .b = EXPR_BUILDER(err)};
}

op_val *enc_symbols(enc_symbolic *s, const char *name, int64_t row, int ndim, const int64_t *shape) {
    op_spec spec = {.dtype = ARR_F64, .ndim = ndim};
    for (int k = 0; k < ndim; k++) spec.shape[k] = shape[k];
    enc_sym *v = new_value(&s->c, SYMBOLS, &spec, NULL, 0);
    if (v) v->name = name, v->period = row;
    return (op_val *)v;
}

expr_node *enc_symbolic_entry(enc_symbolic *s, op_val *v, int64_t at) {
    return v && s->c.st == PH_OK ? entry(s, sym(v), at) : NULL;
}

ph_status enc_symbolic_end(enc_symbolic *s, expr_node **out, expr_node *result) {
    for (enc_sym *v = s->values, *next; v; v = next) {
        next = v->next;
        arr_drop(&v->a);
        ph_free(v->seen);
        ph_free(v);
    }
    if (s->c.st != PH_OK && s->b.st == PH_OK) {
        s->b.st = s->c.st;
        *s->b.err = s->c.err;
    }
    return expr_b_end(&s->b, out, result);
}
