/* kerple.c: kernelized relative position: conditionally positive definite kernels of the distance.
 *
 *     log     bias[h, m, n] = -r1 ln(1 + r2 |m - n|)     r1, r2 > 0
 *     power   bias[h, m, n] = -a |m - n|^p               a > 0, 0 < p <= 2
 */
#include "encoding/bias.h"

enum { T, FORM, SPAN };
enum { LOGARITHM, POWER };

#define COEFFICIENT(name, text)                                                                              \
    { name, ENC_ARRAY, ENC_NAMED, 0, 0, 0, NULL, NULL, NULL, text }
static const enc_param log_params[] = {
    COEFFICIENT("r1", "above 0: a number, or an array with one for each head"),
    COEFFICIENT("r2", "above 0: a number, or an array with one for each head"),
    {0}};
static const enc_param power_params[] = {
    COEFFICIENT("a", "above 0: a number, or an array with one for each head"),
    COEFFICIENT("p", "above 0, at most 2: a number, or an array with one for each head"),
    {0}};
static const enc_choice forms[] = {
    {"log", "-r1 ln(1 + r2 |m - n|)", log_params}, {"power", "-a |m - n|^p", power_params}, {0}};

static const enc_param params[] = {
    {"T", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "queries", "how many positions"},
    {"form", ENC_CHOICE, ENC_POSITIONAL, 0, 0, 0, NULL, forms, NULL,
     "{kind=\"log\", r1=, r2=} or {kind=\"power\", a=, p=}"},
    ENC_SPAN_ROWS,
    {0},
};

/* Coefficient k of head h. */
static double coefficient(const enc_value *form, int k, int64_t h) {
    const arr *a = form->fields[k].array;
    return arr_get_num(a, a->ndim ? arr_at(a, &h) : a->data);
}

/* How many heads the coefficients are for; their range. */
static ph_status check_form(int64_t *heads, const enc_value *form, ph_err *err) {
    char text[200];
    *heads = 1;
    for (int k = 0; k < 2; k++) {
        const arr *a = form->fields[k].array;
        const char *name = forms[form->whole].params[k].name;
        if (a->ndim > 1)
            return ph_fail(err, PH_EARG, "kerple: %s has shape %s; wanted a number or one dimension (H)",
                           name, arr_shape_text(text, sizeof text, a));
        if (a->ndim && *heads > 1 && a->shape[0] != *heads)
            return ph_fail(err, PH_EARG, "kerple: %s has %lld entries beside %lld; wanted one for each head",
                           name, (long long)a->shape[0], (long long)*heads);
        if (a->ndim && a->shape[0] != 1) *heads = a->shape[0];
        for (int64_t h = 0; h < (a->ndim ? a->shape[0] : 1); h++) {
            double x = coefficient(form, k, h), top = form->whole == POWER && k == 1 ? 2 : 1e100;
            if (x >= 1e-100 && x <= top) continue;
            return ph_fail(err, PH_EARG, "kerple: %s is %s; wanted %s", name,
                           enc_num_text(text, sizeof text, x), forms[form->whole].params[k].help);
        }
    }
    return PH_OK;
}
static int64_t head_of(const arr *a, int64_t h) { return a->ndim && a->shape[0] > 1 ? h : 0; }

static double value(const void *ctx, int64_t head, int64_t distance) {
    const enc_value *form = ctx;
    double far = (double)(distance < 0 ? -distance : distance), c[2];
    for (int k = 0; k < 2; k++) c[k] = coefficient(form, k, head_of(form->fields[k].array, head));
    if (far == 0) return 0;
    if (form->whole == POWER) return -ph_dd_mul_d(ph_dd_pow(ph_dd_of(far), ph_dd_of(c[1])), c[0]).hi;
    return -ph_dd_mul_d(ph_dd_log(ph_dd_add_d(ph_two_prod(c[1], far), 1)), c[0]).hi;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    int64_t heads;
    ph_status st = check_form(&heads, &v[FORM], err);
    if (st != PH_OK) return st;
    enc_span s = enc_span_of("kerple", heads, v[T].whole, v + SPAN);
    return enc_fill_bias(out, &s, value, &v[FORM], err);
}

static ph_status check(const enc_value *v, ph_err *err) {
    int64_t heads;
    return check_form(&heads, &v[FORM], err);
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    op_val *far = enc_d_distance(d, d->v[T].whole, d->v + SPAN), *a[2];
    for (int k = 0; k < 2; k++) a[k] = enc_d_per_head(c, enc_d_value(c, &d->v[FORM].fields[k]));
    if (d->v[FORM].whole == POWER) far = op_do2(c, "pow", far, a[1]);
    else far = op_do1(c, "log1p", op_do2(c, "mul", a[1], far));
    y[0] = enc_d_bias(d, op_do1(c, "neg", op_do2(c, "mul", a[0], far)), d->v + SPAN);
}

static const enc_function functions[] = {
    {"kerple", "KERPLE's score biases (H, T, keys): kernels of |m - n|.",
     "Query m is position offset, offset+1, ...; key n is 0, 1, ... They are added to the logits; a causal "
     "mask is not included.\n"
     "Coefficients are learned in the paper; an array has one for each head.",
     "kerple(2, {kind=\"power\", a=3, p=2})(1, 2, 1)  --> -3.0\n"
     "kerple(2, {kind=\"log\", r1={1, 2}, r2=1})(2, 1, 2) == -2*log(2)  --> true\n"
     "kerple(2, {kind=\"power\", a=1, p=3})  --> error: p is 3",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_kerple = {
    .name = "kerple",
    .title = {"kernelized relative positions", "核化相对位置"},
    .citation = "Chi et al., KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation "
                "(2022), arXiv:2205.09921.",
    .kind = ENC_BIAS,
    .layout = "(H, T, keys)",
    .laws = ENC_IS_RELATIVE | ENC_IS_EVEN | ENC_IS_DECAYING,
    .functions = functions,
    .sample = "T, {kind=\"log\", r1=abs(learned(H)), r2=abs(learned(H))}\n"
              "power: T, {kind=\"power\", a=abs(learned(H)), p=1}",
    .model = "T, {kind = 'log', r1 = abs(near(1, H)), r2 = abs(near(1, H))}, {}",
};
