/* Values, gradients and Hessians of 200 random models, each a few layers of what transformers are made of, against the
 * hyper-dual oracle. A model is drawn once and written twice: as Lua, and as loops in C.
 * Sources: diff/apply.c diff/sweep.c */
#include "diff/against.h"

#include "base/rng.h"

/* ---- a model ------------------------------------------------------------------------------------------- */

#define LAYERS  3
#define WEIGHTS 6 /* of a layer */

enum {
    ATTENTION,
    CAUSAL,
    BIASED,
    TWO_HEADS,
    LAYER_NORM,
    RMS_NORM,
    TANH,
    GATE,
    ROPE_HALF,
    ROPE_PAIRS,
    SOFTMAX,
    FLIPPED,
    SOLVED,
    SQUASHED,
    SOFTPLUS,
    SWAPPED,
    CENTRED,
    SUMS,
    SQUARE,
    GRAM,
    KINDS
};
enum { WEIGHED, LOGSUMEXP, NORM, EXPONENTIALS, PAIR, LOGDET, HEADS };

typedef struct {
    int T, d, layers, kind[LAYERS], head;
    double w[LAYERS + 1][WEIGHTS][16]; /* matrices (d, d), or (T, T), or rows */
} model;

static const char *const lua_of[KINDS] = {
    [ATTENTION] = "X = attention(matmul(X, W[1]), matmul(X, W[2]), matmul(X, W[3]))",
    [CAUSAL] = "X = X + attention(matmul(X, W[1]), matmul(X, W[2]), matmul(X, W[3]), {causal = true})",
    [BIASED] = "X = attention(matmul(X, W[1]), X, matmul(X, W[3]), {bias = W[4]})",
    [TWO_HEADS] = "X = multi_head(X, {Wq = W[1], Wk = W[2], Wv = W[3], Wo = W[5], heads = 2})",
    [LAYER_NORM] = "X = layer_norm(X, {gain = W[6], bias = 0.5})",
    [RMS_NORM] = "X = rms_norm(X, {gain = W[6]})",
    [TANH] = "X = tanh(matmul(X, W[1]) + W[6])",
    [GATE] = "X = X * sigmoid(matmul(X, W[1]))",
    [ROPE_HALF] = "X = rope(X, {layout = 'half', base = 50, offset = 3})",
    [ROPE_PAIRS] = "X = rope(X, {layout = 'interleaved', base = 50})",
    [SOFTMAX] = "X = softmax(X) * X",
    [FLIPPED] = "X = sin(X) * flip(X, 1)",
    [SOLVED] = "X = solve(2 * eye(X.shape[1]) + matmul(X, transpose(X)), X)",
    [SQUASHED] = "X = X / sqrt(1 + X * X)",
    [SOFTPLUS] = "X = log(1 + exp(X))",
    [SWAPPED] =
        "local n = X.shape[2] X = X * concat({X[{ {}, {n // 2 + 1, n} }], X[{ {}, {1, n // 2} }]}, 2)",
    [CENTRED] = "X = X - mean(X, 1, {keep = true}) * X",
    [SUMS] = "X = tanh(cumsum(X, 1))",
    [SQUARE] = "X = X + 0.3 * X ^ 2",
    [GRAM] = "X = X + matmul(matmul(X, transpose(X)), X) / X.shape[2]",
};
static const char *const lua_head[HEADS] = {
    [WEIGHED] = "sum(W[6] * tanh(X))",
    [LOGSUMEXP] = "logsumexp(X)",
    [NORM] = "norm(X)",
    [EXPONENTIALS] = "mean(exp(0.5 * X))",
    [PAIR] = "dot(X[1], X[-1] * X[-1])",
    [LOGDET] = "select(2, slogdet(eye(X.shape[1]) + matmul(X, transpose(X))))",
};

static void draw(model *m, uint64_t seed) {
    ph_rng g;
    ph_rng_seed(&g, seed);
    m->T = 2 + (int)ph_rng_below(&g, 2);
    m->d = 2 + 2 * (int)ph_rng_below(&g, 2);
    m->layers = 1 + (int)ph_rng_below(&g, LAYERS);
    for (int k = 0; k < m->layers; k++) m->kind[k] = (int)ph_rng_below(&g, KINDS);
    m->kind[0] = (int)(seed % KINDS); /* each kind ten times at least */
    m->head = (int)ph_rng_below(&g, HEADS);
    for (int k = 0; k <= LAYERS; k++)
        for (int w = 0; w < WEIGHTS; w++)
            for (int i = 0; i < 16; i++) m->w[k][w][i] = ph_rng_normal(&g) * 0.7;
}

/* ---- in C ---------------------------------------------------------------------------------------------- */

static hd half(hd x) { return hd_scale(0.5, x); }
static hd square(hd x) { return hd_mul(x, x); }
static hd softplus(hd x) { return hd_log(hd_add(hd_of(1), hd_exp(x))); }
static hd squash(hd x) { return hd_div(x, hd_sqrt(hd_add(hd_of(1), square(x)))); }
static hd bent(hd x) { return hd_add(x, hd_scale(0.3, square(x))); }

static hm part(hm x, int first, int cols) {
    hm y = hm_new(x.rows, cols);
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < cols; j++) HM(y, i, j) = HM(x, i, first + j);
    return y;
}
static hm beside(hm x, hm y) {
    hm z = hm_new(x.rows, x.cols + y.cols);
    for (int i = 0; i < z.rows; i++)
        for (int j = 0; j < z.cols; j++) HM(z, i, j) = j < x.cols ? HM(x, i, j) : HM(y, i, j - x.cols);
    return z;
}
static hm turned(hm x, double offset, bool by_halves) {
    hd at[4], theta[2];
    for (int r = 0; r < x.rows; r++) at[r] = hd_of(offset + r);
    for (int i = 0; i < x.cols / 2; i++) theta[i] = hd_of(pow(50, -2.0 * i / x.cols));
    return hm_rope(x, at, theta, by_halves);
}
static hm gram_plus(hm x, double c) {
    return hm_zip(hd_add, hm_scale(c, hm_eye(x.rows)), hm_mul(x, hm_t(x)));
}

static hm layer(const model *m, int k, hm x) {
    hm w[WEIGHTS], none = {0}, y;
    int d = m->d;
    for (int i = 0; i < WEIGHTS; i++)
        w[i] = i == 3 ? hm_of(m->w[k][i], m->T, m->T) : hm_of(m->w[k][i], i == 5 ? 1 : d, d);
    double halves[4] = {0.5, 0.5, 0.5, 0.5};
    switch (m->kind[k]) {
    case ATTENTION: return hm_attention(hm_mul(x, w[0]), hm_mul(x, w[1]), hm_mul(x, w[2]), none, false);
    case CAUSAL:
        return hm_zip(hd_add, x, hm_attention(hm_mul(x, w[0]), hm_mul(x, w[1]), hm_mul(x, w[2]), none, true));
    case BIASED: return hm_attention(hm_mul(x, w[0]), x, hm_mul(x, w[2]), w[3], false);
    case TWO_HEADS: {
        hm q = hm_mul(x, w[0]), p = hm_mul(x, w[1]), v = hm_mul(x, w[2]), z[2];
        for (int h = 0; h < 2; h++)
            z[h] = hm_attention(part(q, h * d / 2, d / 2), part(p, h * d / 2, d / 2),
                                part(v, h * d / 2, d / 2), none, false);
        return hm_mul(beside(z[0], z[1]), w[4]);
    }
    case LAYER_NORM: return hm_norm(x, true, 1e-5, w[5], hm_of(halves, 1, d));
    case RMS_NORM: return hm_norm(x, false, 1e-5, w[5], none);
    case TANH: return hm_map(hd_tanh, hm_zip(hd_add, hm_mul(x, w[0]), w[5]));
    case GATE: return hm_zip(hd_mul, x, hm_map(hd_sigmoid, hm_mul(x, w[0])));
    case ROPE_HALF: return turned(x, 3, true);
    case ROPE_PAIRS: return turned(x, 0, false);
    case SOFTMAX: return hm_zip(hd_mul, hm_softmax(x), x);
    case FLIPPED:
        y = hm_new(x.rows, d);
        for (int i = 0; i < x.rows; i++)
            for (int j = 0; j < d; j++) HM(y, i, j) = HM(x, x.rows - 1 - i, j);
        return hm_zip(hd_mul, hm_map(hd_sin, x), y);
    case SOLVED: return hm_solve(gram_plus(x, 2), x, NULL);
    case SQUASHED: return hm_map(squash, x);
    case SOFTPLUS: return hm_map(softplus, x);
    case SWAPPED: return hm_zip(hd_mul, x, beside(part(x, d / 2, d / 2), part(x, 0, d / 2)));
    case CENTRED:
    case SUMS:
        y = hm_new(m->kind[k] == SUMS ? x.rows : 1, d);
        for (int i = 0; i < x.rows; i++)
            for (int j = 0; j < d; j++) {
                if (m->kind[k] == CENTRED)
                    HM(y, 0, j) = hd_add(HM(y, 0, j), hd_scale(1.0 / x.rows, HM(x, i, j)));
                else HM(y, i, j) = i ? hd_add(HM(y, i - 1, j), HM(x, i, j)) : HM(x, i, j);
            }
        return m->kind[k] == SUMS ? hm_map(hd_tanh, y) : hm_zip(hd_sub, x, hm_zip(hd_mul, x, y));
    case SQUARE: return hm_map(bent, x);
    default: return hm_zip(hd_add, x, hm_scale(1.0 / d, hm_mul(hm_mul(x, hm_t(x)), x)));
    }
}

static hd in_c(const hd *at, int n, const void *ctx) {
    const model *m = ctx;
    hm x = hm_new(m->T, m->d), e;
    hd s = hd_of(0);
    memcpy(x.at, at, (size_t)n * sizeof *at);
    for (int k = 0; k < m->layers; k++) x = layer(m, k, x);
    switch (m->head) {
    case WEIGHED: return hm_sum(hm_zip(hd_mul, hm_map(hd_tanh, x), hm_of(m->w[LAYERS][5], 1, m->d)));
    case LOGSUMEXP: return hd_log(hm_sum(hm_map(hd_exp, x)));
    case NORM: return hd_sqrt(hm_sum(hm_map(square, x)));
    case EXPONENTIALS: return hd_scale(1.0 / n, hm_sum(hm_map(hd_exp, hm_map(half, x))));
    case PAIR:
        for (int j = 0; j < m->d; j++) s = hd_add(s, hd_mul(HM(x, 0, j), square(HM(x, m->T - 1, j))));
        return s;
    default:
        e = hm_eye(m->T);
        hm_solve(gram_plus(x, 1), e, &s);
        return hd_log(s);
    }
}

/* ---- in Lua -------------------------------------------------------------------------------------------- */

/* A matrix, or a row for rows = 0. */
static void push_array(lua_State *L, const double *x, int rows, int cols) {
    int64_t shape[] = {rows, cols};
    int from = rows > 0 ? 0 : 1;
    push_shape(L, x, 2 - from, shape + from);
}

/* Globals: weights[k][w], and f. */
static void define(lua_State *L, const model *m) {
    char code[4000];
    int at = 0;
    lua_newtable(L);
    for (int k = 0; k <= LAYERS; k++) {
        lua_newtable(L);
        for (int w = 0; w < WEIGHTS; w++) {
            push_array(L, m->w[k][w], w == 3 ? m->T : w == 5 ? 0 : m->d, w == 3 ? m->T : m->d);
            lua_rawseti(L, -2, w + 1);
        }
        lua_rawseti(L, -2, k + 1);
    }
    lua_setglobal(L, "weights");
    at += snprintf(code + at, sizeof code - (size_t)at, "function f(X)\n  local W\n");
    for (int k = 0; k < m->layers; k++)
        at += snprintf(code + at, sizeof code - (size_t)at, "  W = weights[%d] %s\n", k + 1,
                       lua_of[m->kind[k]]);
    snprintf(code + at, sizeof code - (size_t)at, "  W = weights[%d] return %s\nend", LAYERS + 1,
             lua_head[m->head]);
    if (luaL_dostring(L, code)) fail_msg("%s\n%s", lua_tostring(L, -1), code);
}

#define VARIABLES 12

/* Largest errors over the models from..to. */
static void compare(double *worst, uint64_t from, uint64_t to) {
    lua_State *L = lab_open();
    for (uint64_t seed = from; seed <= to; seed++) {
        model m;
        double x[VARIABLES], e[OF_KINDS];
        ph_rng r;
        draw(&m, seed);
        ph_rng_seed(&r, seed + 1000);
        for (int i = 0; i < m.T * m.d; i++) x[i] = ph_rng_normal(&r);
        define(L, &m);
        push_array(L, x, m.T, m.d);
        lua_setglobal(L, "x");
        errors_of(e, L, in_c, x, m.T * m.d, &m);
        for (int k = 0; k < OF_KINDS; k++)
            if (!(e[k] <= worst[k])) worst[k] = e[k];
    }
    lua_close(L);
}

/* A model is some 10^3 roundings of u = 1.1e-16 deep, each on numbers a few times the result: 1e-11 leaves a factor of about
 * 30 for what softmax, norms and solve magnify. */
static void two_hundred_random_models(void **state) {
    (void)state;
    double worst[OF_KINDS] = {0};
    compare(worst, 1, 200);
    for (int k = 0; k < OF_KINDS; k++)
        if (!(isfinite(worst[k]) && worst[k] <= 1e-11)) fail_msg("kind %d: relative error %g", k, worst[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_hundred_random_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
