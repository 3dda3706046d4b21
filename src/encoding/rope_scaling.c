/* rope_scaling.c: every scaling twice: in double-doubles, and in operations. */
#include "encoding/rope_scaling.h"

#include <math.h>

#include "encoding/phases.h"

enum { PI, NTK, DYNAMIC, MIXED, PARTS, YARN, LONGROPE, LLAMA3 };
/* Fields, the same places in every choice; the mixed one has a power where the others have the length of training. */
enum { FACTOR, TRAIN, THIRD, FOURTH, FIFTH, POWER = TRAIN };
enum { PAPER, CODE };

#define FACTOR_ROW(text)                                                                                     \
    { "factor", ENC_NUM, ENC_NAMED, 1, 1, 1e6, NULL, NULL, NULL, text }
#define TRAIN_ROW                                                                                            \
    {                                                                                                        \
        "train", ENC_NUM, ENC_NAMED, 0, 2, 1e12, NULL, NULL, "positions",                                    \
            "the length that the model was trained on, before it was extended"                               \
    }
#define RAMP_ROWS                                                                                            \
    {"fast",                                                                                                 \
     ENC_NUM,                                                                                                \
     ENC_OPTIONAL,                                                                                           \
     32,                                                                                                     \
     1e-3,                                                                                                   \
     1e6,                                                                                                    \
     NULL,                                                                                                   \
     NULL,                                                                                                   \
     "turns within train",                                                                                   \
     "pairs that turn more often keep their frequency"},                                                     \
        {"slow",                                                                                             \
         ENC_NUM,                                                                                            \
         ENC_OPTIONAL,                                                                                       \
         1,                                                                                                  \
         1e-3,                                                                                               \
         1e6,                                                                                                \
         NULL,                                                                                               \
         NULL,                                                                                               \
         "turns within train",                                                                               \
         "pairs that turn less often are divided by factor"},                                                \
    {                                                                                                        \
        "ramp", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,                                   \
            "paper is linear in L/wavelength, code in the pair's index between whole numbers"                \
    }

static const enc_param pi_params[] = {FACTOR_ROW("how many times longer"), {0}};
static const enc_param ntk_params[] = {FACTOR_ROW("how much the lowest frequency is divided by"), {0}};
static const enc_param dynamic_params[] = {
    FACTOR_ROW("1 up to the training length, factor + 1 at twice that length"),
    TRAIN_ROW,
    {"length", ENC_NUM, ENC_NAMED, 0, 1, 1e12, NULL, NULL, "positions",
     "the length in use; keys turned under another are stale"},
    {0}};
static const enc_param mixed_params[] = {
    FACTOR_ROW("how much the lowest frequency is divided by"),
    {"power", ENC_NUM, ENC_OPTIONAL, 0.75, 1e-3, 100, NULL, NULL, NULL, "how the pairs share the stretch"},
    {0}};
static const enc_param parts_params[] = {FACTOR_ROW("how many times longer"), TRAIN_ROW, RAMP_ROWS, {0}};
static const enc_param long_params[] = {FACTOR_ROW("how many times longer; it sets the temperature"),
                                        TRAIN_ROW,
                                        {"factors", ENC_ARRAY, ENC_NAMED, 0, 0, 0, NULL, NULL, NULL,
                                         "a list that divides the frequencies, one for each pair"},
                                        {0}};
static const enc_param llama_params[] = {
    FACTOR_ROW("what low frequencies are divided by (8 in Llama 3.1)"),
    TRAIN_ROW,
    {"fast", ENC_NUM, ENC_OPTIONAL, 4, 1e-3, 1e6, NULL, NULL, "turns within train",
     "pairs that turn more often keep their frequency"},
    {"slow", ENC_NUM, ENC_OPTIONAL, 1, 1e-3, 1e6, NULL, NULL, "turns within train",
     "pairs that turn less often are divided by factor"},
    {0}};

const enc_choice enc_rope_scalings[] = {
    {"pi", "position interpolation, every frequency / factor (Chen et al. 2023, arXiv:2306.15595)",
     pi_params},
    {"ntk", "a larger base, base factor^(d/(d-2)) (bloc97 2023)", ntk_params},
    {"dynamic", "the same, growing with the length in use (emozilla 2023)", dynamic_params},
    {"ntk-mixed", "theta_i exp(-ln(factor) ((i+1)/(d/2))^power) (Su 2023)", mixed_params},
    {"ntk-parts", "a ramp from theta/factor to theta by wavelength (bloc97 2023)", parts_params},
    {"yarn", "ntk-parts, and cos and sin times 1 + ln(factor)/10 (Peng et al. 2023, arXiv:2309.00071)",
     parts_params},
    {"longrope",
     "a divisor for each pair, and cos and sin times sqrt(1 + ln(factor)/ln(train)) (Ding et al. 2024, "
     "arXiv:2402.13753)",
     long_params},
    {"llama3", "a ramp by wavelength between train/fast and train/slow (Llama 3.1, 2024, arXiv:2407.21783)",
     llama_params},
    {0},
};

static int kind_of(const enc_rope_setting *s) {
    return s->scaling && s->scaling->given ? (int)s->scaling->whole : -1;
}
static const enc_value *field(const enc_rope_setting *s, int k) { return &s->scaling->fields[k]; }
static double factor_of(const enc_rope_setting *s) { return field(s, FACTOR)->num; }

typedef struct {
    double fast, slow;
    bool code;
} ramp;
static ramp ramp_of(const enc_rope_setting *s) {
    return (ramp){field(s, THIRD)->num, field(s, FOURTH)->num,
                  kind_of(s) != LLAMA3 && field(s, FIFTH)->whole == CODE};
}
static bool has_ramp(int kind) { return kind == PARTS || kind == YARN || kind == LLAMA3; }

/* floor(p P); a p of few decimals means the decimal */
static int64_t turning_pairs(const enc_rope_setting *s) {
    return (int64_t)floor(s->p * (double)(s->r / 2) + 1e-9);
}

/* ---- checks -------------------------------------------------------------------------------------------- */

static ph_status check_list(const enc_rope_setting *s, ph_err *err) {
    char text[200];
    const arr *a = field(s, THIRD)->array;
    if (a->ndim != 1 || a->shape[0] != s->r / 2)
        return ph_fail(
            err, PH_EARG,
            "%s: scaling \"longrope\": factors has shape %s; wanted (%lld), a factor for each pair", s->who,
            arr_shape_text(text, sizeof text, a), (long long)s->r / 2);
    for (int64_t i = 0; i < s->r / 2; i++) {
        double x = arr_get_num(a, arr_at(a, &i));
        if (x >= 1e-6 && x <= 1e12) continue;
        enc_num_text(text, sizeof text, x);
        return ph_fail(
            err, PH_EARG,
            "%s: scaling \"longrope\": entry %lld of factors is %s; wanted numbers from 1e-6 to 1e12", s->who,
            (long long)i + 1, text);
    }
    return PH_OK;
}

ph_status enc_rope_check(const enc_rope_setting *s, ph_err *err) {
    int kind = kind_of(s);
    if (s->r % 2)
        return ph_fail(err, PH_EARG, "%s: %lld columns to rotate; wanted an even number (pairs)", s->who,
                       (long long)s->r);
    if ((kind == NTK || kind == DYNAMIC) && s->r <= 2)
        return ph_fail(
            err, PH_EARG,
            "%s: %lld columns to rotate; scaling \"%s\" has the exponent d/(d-2), so it wants at least 4",
            s->who, (long long)s->r, enc_rope_scalings[kind].name);
    if (has_ramp(kind) && !(ramp_of(s).fast > ramp_of(s).slow)) {
        char a[40], b[40];
        return ph_fail(err, PH_EARG, "%s: scaling \"%s\": fast is %s and slow is %s; wanted fast above slow",
                       s->who, enc_rope_scalings[kind].name, enc_num_text(a, sizeof a, ramp_of(s).fast),
                       enc_num_text(b, sizeof b, ramp_of(s).slow));
    }
    if (has_ramp(kind) && ramp_of(s).code && s->base == 1)
        return ph_fail(err, PH_EARG, "%s: base is 1; the code's ramp divides by its logarithm", s->who);
    return kind == LONGROPE ? check_list(s, err) : PH_OK;
}

/* ---- in double-doubles --------------------------------------------------------------------------------- */

static const ph_dd two_pi = {0x1.921fb54442d18p2, 0x1.1a62633145c07p-52};

/* What the base is multiplied by, to the power (r-2)/r. */
static ph_dd base_growth(const enc_rope_setting *s) {
    double f = factor_of(s);
    if (kind_of(s) == NTK) return ph_dd_of(f);
    double train = field(s, TRAIN)->num, length = field(s, THIRD)->num;
    if (length <= train) return ph_dd_of(1);
    ph_dd stretched = ph_dd_div(ph_two_prod(f, length), ph_dd_of(train));
    return ph_dd_sub(stretched, ph_two_sum(f, -1));
}

static ph_dd log_base(const enc_rope_setting *s) {
    ph_dd log = ph_dd_log(ph_dd_of(s->base));
    int kind = kind_of(s);
    if (kind != NTK && kind != DYNAMIC) return log;
    ph_dd exponent = ph_dd_div(ph_dd_of((double)s->r), ph_dd_of((double)(s->r - 2)));
    return ph_dd_add(log, ph_dd_mul(exponent, ph_dd_log(base_growth(s))));
}

/* Where the code's ramp begins and ends: lo < hi. */
static void ramp_ends(double *lo, double *hi, const enc_rope_setting *s) {
    ramp r = ramp_of(s);
    ph_dd log = ph_dd_mul_d(ph_dd_log(ph_dd_of(s->base)), 2);
    double at[2];
    for (int k = 0; k < 2; k++) {
        ph_dd turns = ph_dd_div(ph_dd_of(field(s, TRAIN)->num), ph_dd_mul_d(two_pi, k ? r.slow : r.fast));
        at[k] = ph_dd_value(ph_dd_div(ph_dd_mul_d(ph_dd_log(turns), (double)s->r), log));
    }
    *lo = fmax(floor(at[0]), 0);
    *hi = fmin(ceil(at[1]), (double)(s->r - 1));
    if (*lo == *hi) *hi += 0.001;
}

static ph_dd clamp(ph_dd x) { return x.hi <= 0 ? ph_dd_of(0) : x.hi >= 1 ? ph_dd_of(1) : x; }

/* How much of θ_i is kept: 0 (divided by the factor) to 1. */
static ph_dd share_kept(const enc_rope_setting *s, ph_dd theta, int64_t i) {
    ramp r = ramp_of(s);
    if (r.code) {
        double lo, hi;
        ramp_ends(&lo, &hi, s);
        ph_dd along = ph_dd_div(ph_two_sum((double)i, -lo), ph_two_sum(hi, -lo));
        return clamp(ph_dd_sub(ph_dd_of(1), along));
    }
    ph_dd turns = ph_dd_div(ph_dd_mul_d(theta, field(s, TRAIN)->num), two_pi);
    return clamp(ph_dd_div(ph_dd_add_d(turns, -r.slow), ph_two_sum(r.fast, -r.slow)));
}

static ph_dd stretched(const enc_rope_setting *s, ph_dd theta, int64_t i) {
    double f;
    ph_dd x;
    switch (kind_of(s)) {
    case PI: return ph_dd_div(theta, ph_dd_of(factor_of(s)));
    case MIXED:
        x = ph_dd_div(ph_dd_of((double)(i + 1)), ph_dd_of((double)(s->r / 2)));
        x = ph_dd_mul(ph_dd_pow(x, ph_dd_of(field(s, POWER)->num)), ph_dd_log(ph_dd_of(factor_of(s))));
        return ph_dd_mul(theta, ph_dd_exp(ph_dd_neg(x)));
    case PARTS:
    case YARN:
    case LLAMA3: /* (1-γ) θ/s + γ θ = θ/s + γ (θ - θ/s) */
        x = ph_dd_div(theta, ph_dd_of(factor_of(s)));
        return ph_dd_add(x, ph_dd_mul(share_kept(s, theta, i), ph_dd_sub(theta, x)));
    case LONGROPE:
        f = arr_get_num(field(s, THIRD)->array, arr_at(field(s, THIRD)->array, &i));
        return ph_dd_div(theta, ph_dd_of(f));
    default: return theta;
    }
}

void enc_rope_frequencies(ph_dd *theta, const enc_rope_setting *s) {
    int64_t turning = turning_pairs(s);
    enc_frequencies(theta, turning, log_base(s), (double)s->r);
    for (int64_t i = 0; i < turning; i++) theta[i] = stretched(s, theta[i], i);
    for (int64_t i = turning; i < s->r / 2; i++) theta[i] = ph_dd_of(0);
}

ph_dd enc_rope_temperature(const enc_rope_setting *s) {
    int kind = kind_of(s);
    if (kind != YARN && kind != LONGROPE) return ph_dd_of(1);
    ph_dd log = ph_dd_log(ph_dd_of(factor_of(s)));
    if (kind == YARN) return ph_dd_add_d(ph_dd_div(log, ph_dd_of(10)), 1);
    return ph_dd_sqrt(ph_dd_add_d(ph_dd_div(log, ph_dd_log(ph_dd_of(field(s, TRAIN)->num))), 1));
}

/* ---- in operations ------------------------------------------------------------------------------------- */

static op_val *mul(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "mul", x, y); }
static op_val *over(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "div", x, y); }
static op_val *minus(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "sub", x, y); }
static op_val *power(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "pow", x, y); }
static op_val *log_of(op_ctx *c, op_val *x) { return op_do1(c, "log", x); }
static op_val *number(op_ctx *c, const enc_rope_def *r, int k) { return enc_d_value(c, field(&r->s, k)); }

/* A field that decides something. */
static double decisive(op_ctx *c, const enc_rope_def *r, int k) {
    return enc_d_number(c, field(&r->s, k), r->s.who, enc_rope_scalings[kind_of(&r->s)].params[k].name);
}

static op_val *stretched_base(op_ctx *c, const enc_rope_def *r) {
    op_val *base = enc_d_value(c, r->base), *grow;
    int kind = kind_of(&r->s);
    if (kind != NTK && kind != DYNAMIC) return base;
    grow = number(c, r, FACTOR);
    if (kind == DYNAMIC) {
        if (decisive(c, r, THIRD) <= decisive(c, r, TRAIN)) return base;
        op_val *longer = over(c, mul(c, grow, number(c, r, THIRD)), number(c, r, TRAIN));
        grow = minus(c, longer, minus(c, grow, op_num(c, 1)));
    }
    op_val *exponent = over(c, op_num(c, (double)r->s.r), op_num(c, (double)(r->s.r - 2)));
    return mul(c, base, power(c, grow, exponent));
}

/* i numbers the pairs. */
static op_val *ramp_of_code(op_ctx *c, const enc_rope_def *r, op_val *i) {
    double lo, hi;
    for (int k = TRAIN; k <= FOURTH; k++) (void)decisive(c, r, k);
    (void)enc_d_number(c, r->base, r->s.who, "base");
    if (c->st != PH_OK) return NULL;
    ramp_ends(&lo, &hi, &r->s);
    op_val *along = minus(c, i, op_num(c, lo));
    along = hi - lo < 1 ? mul(c, along, op_num(c, 1000)) : over(c, along, op_num(c, hi - lo));
    return minus(c, op_num(c, 1), along);
}

static op_val *ramp_of_paper(op_ctx *c, const enc_rope_def *r, op_val *theta) {
    op_val *fast = number(c, r, THIRD), *slow = number(c, r, FOURTH);
    op_val *pi = op_do1(c, "acos", op_num(c, -1)); /* exact in a formula */
    op_val *turns = over(c, mul(c, number(c, r, TRAIN), theta), mul(c, op_num(c, 2), pi));
    return over(c, minus(c, turns, slow), minus(c, fast, slow));
}

/* (1 - γ) θ/s + γ θ */
static op_val *blended(op_ctx *c, const enc_rope_def *r, op_val *theta, op_val *i) {
    op_val *share = ramp_of(&r->s).code ? ramp_of_code(c, r, i) : ramp_of_paper(c, r, theta);
    share = op_do2(c, "minimum", op_do2(c, "maximum", share, op_num(c, 0)), op_num(c, 1));
    op_val *low = over(c, theta, number(c, r, FACTOR));
    return op_do2(c, "add", mul(c, minus(c, op_num(c, 1), share), low), mul(c, share, theta));
}

static op_val *in_one_of_the_ways(op_ctx *c, const enc_rope_def *r, op_val *theta, op_val *i) {
    op_val *x;
    switch (kind_of(&r->s)) {
    case PI: return over(c, theta, number(c, r, FACTOR));
    case LONGROPE: return over(c, theta, number(c, r, THIRD));
    case PARTS:
    case YARN:
    case LLAMA3: return blended(c, r, theta, i);
    case MIXED:
        x = over(c, op_do2(c, "add", i, op_num(c, 1)), op_num(c, (double)(r->s.r / 2)));
        x = mul(c, log_of(c, number(c, r, FACTOR)), power(c, x, number(c, r, POWER)));
        return mul(c, theta, op_do1(c, "exp", op_do1(c, "neg", x)));
    default: return theta;
    }
}

op_val *enc_rope_d_frequencies(op_ctx *c, const enc_rope_def *r) {
    int64_t pairs = r->s.r / 2;
    op_val *i = enc_d_count(c, pairs);
    (void)enc_d_number(c, r->p, r->s.who, "p");
    op_val *theta = enc_d_powers(c, stretched_base(c, r), pairs, r->s.r);
    theta = in_one_of_the_ways(c, r, theta, i);
    if (c->st != PH_OK || turning_pairs(&r->s) == pairs) return theta;
    op_val *turns = op_do2(c, "lt", i, op_num(c, (double)turning_pairs(&r->s)));
    return op_do3(c, "where", turns, theta, op_num(c, 0));
}

op_val *enc_rope_d_temperature(op_ctx *c, const enc_rope_def *r) {
    int kind = kind_of(&r->s);
    if (kind != YARN && kind != LONGROPE) return NULL;
    op_val *log = log_of(c, number(c, r, FACTOR)), *one = op_num(c, 1);
    if (kind == YARN) return op_do2(c, "add", one, over(c, log, op_num(c, 10)));
    return op_do1(c, "sqrt", op_do2(c, "add", one, over(c, log, log_of(c, number(c, r, TRAIN)))));
}
