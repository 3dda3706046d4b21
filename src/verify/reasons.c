/* reasons.c: every sentence that says why a verdict is `unknown`, in both languages. A reason is one of them and what stands in its gaps, which
 * are names, formulas and numbers: taken apart here, put together in the reader's language. tests/verify/test_words.c looks in the sources for a
 * sentence without a row. */
#include "verify/words.h"

#include <stdlib.h>
#include <string.h>

#define GAPS 4

static const char *const sentences[][VER_LANGS] = {
    /* of the prover */
    {"the conditions contradict each other", "这些条件互相矛盾"},
    {"the given equations contradict each other", "给定的等式互相矛盾"},
    {"it is not seen that the given equations can all hold", "无法确认给定的等式能同时成立"},
    {"no point was found that meets the conditions", "没有找到满足这些条件的点"},
    {"no point meets the condition %s", "没有点满足条件 %s"},
    {"at no point that was tried are both sides seen to have a value", "在试过的点上从未看出两边同时有值"},
    {"complex numbers have no order", "复数之间没有大小之分"},
    {"the normal form is not zero, yet no rational point shows a difference",
     "范式不为零，却没有有理点显出差别"},
    {"no counterexample among the points tried", "在试过的点中没有找到反例"},
    {"no exact argument for this inequality; certify it on a box",
     "这个不等式没有精确的论证；可用 certify 在一个区域上界定"},
    {"no exact argument for an integral; certify it on a box",
     "对积分没有精确的论证；可用 certify 在一个区域上界定"},
    {"too many cases", "情形太多"},
    {"a case of piecewise holds only under its condition", "分段函数的某一段只在它的条件下成立"},
    {"a case with a condition of its own", "某一情形带有自己的条件"},
    {"a statement of more than %s parts", "命题的部分超过 %s 个"},
    {"the work that one statement may cost is done", "一个命题可用的计算量已经用完"},
    {"%s is outside the theory", "%s 超出了判定理论"},
    {"%s of this argument", "对这个自变量取 %s"},
    {"%s inside a formula", "公式里面出现 %s"},
    {"%s of what may be complex", "对可能是复数的量取 %s"},
    {"not one sample was measured", "一个样本也没有测过"},
    /* undefined */
    {"division by zero is undefined", "除以零没有定义"},
    {"0 to a negative power is undefined", "0 的负数次幂没有定义"},
    {"0 to a power that may not be positive is undefined", "0 的指数若不一定为正，幂就没有定义"},
    {"0^0 is undefined", "0^0 没有定义"},
    {"log(0) is undefined", "log(0) 没有定义"},
    {"sum: a bound that is no integer is undefined", "和式的上下限不是整数，没有定义"},
    {"%s: a bound that is no integer is undefined", "%s：上下限不是整数，没有定义"},
    {"sum: undefined: the upper bound %s is more than one below the lower bound %s",
     "和式没有定义：上限 %s 比下限 %s 小了不止 1"},
    {"the upper bound of a sum is more than one below its lower bound", "和式的上限比下限小了不止 1"},
    {"a bound of the sum is no integer", "和式的上限或下限不是整数"},
    {"%s is no integer", "%s 不是整数"},
    {"an index is no integer", "下标不是整数"},
    {"Ci needs a positive argument", "Ci 的自变量必须为正"},
    {"Ci is defined above 0 only", "Ci 只在 0 以上有定义"},
    /* sums */
    {"sum: written out it has more than %s parts", "和式写开后部分超过 %s 个"},
    {"a sum of more than %s terms", "和式超过 %s 项"},
    {"sums of more than %s terms", "各和式合计超过 %s 项"},
    {"sums in sums of more than %s terms in all", "嵌套的和式总共超过 %s 项"},
    {"sums with bounds that do not match", "各个和式的上下限对不上"},
    {"sums inside sums that use each other's index", "嵌套的和式互用对方的下标"},
    {"sums nested too deeply", "和式嵌套太深"},
    {"a product of sums", "和式的乘积"},
    {"a sum in a denominator", "分母里有和式"},
    {"a sum inside a function", "函数里面有和式"},
    {"more than %s sums", "和式超过 %s 个"},
    {"more than %s assumptions", "假设超过 %s 条"},
    /* roots, powers, angles */
    {"a root of what is not real, or a high one", "对非实数开方，或方根次数太高"},
    {"a root with a denominator whose sign is not visible", "方根的分母看不出符号"},
    {"a root of what may be negative", "对可能为负的量开方"},
    {"log of what may be negative", "对可能为负的量取 log"},
    {"a power of what is not real", "非实数的幂"},
    {"a power of what may be negative", "可能为负的量的幂"},
    {"a power of what may be 0", "可能为 0 的量的幂"},
    {"a high power", "次数太高的幂"},
    {"a huge exponent", "指数过大"},
    {"a large exponent", "指数太大"},
    {"a large base", "底数太大"},
    {"an exponent that is no real polynomial", "指数不是实多项式"},
    {"an exponent beyond %s", "指数超过 %s"},
    {"an exponent with denominator beyond %s", "指数的分母超过 %s"},
    {"an exponent with too many factors", "指数的因子太多"},
    {"exponents with too many denominators", "指数的分母种类太多"},
    {"many fractional exponents", "分数指数太多"},
    {"fractional exponents of large denominators", "分数指数的分母太大"},
    {"a huge angle", "角度过大"},
    {"a large multiple of an angle", "角的倍数太大"},
    {"an angle that is no real polynomial", "角不是实多项式"},
    {"a root of unity", "单位根"},
    {"a root of unity of order %s", "%s 次单位根"},
    {"a root of unity of an order beyond %s", "次数超过 %s 的单位根"},
    {"roots of unity of too many orders", "单位根的次数种类太多"},
    /* polynomials */
    {"the polynomials grow too large", "多项式变得太大"},
    {"a relation that is not monic", "关系式的首项系数不是 1"},
    {"more than %s generators", "生成元超过 %s 个"},
    {"many roots", "方根太多"},
    {"many symbols", "符号太多"},
    {"too many parts", "部分太多"},
    {"read again", "需要重新读取"},
    {"a part that may not be real", "某一部分可能不是实数"},
    {"a constant that is not real", "常数不是实数"},
    {"a function without a rule here", "这里没有关于这个函数的规则"},
    /* certificates */
    {"undecided after %s boxes for %s", "未能判定：已查 %s 个区域，%s"},
    {"undefined, or not decided to be defined, after %s boxes for %s",
     "无定义，或无法判定有定义：已查 %s 个区域，%s"},
    {"a side is undefined, or its value is not decided, at %s", "某一边无定义，或其值未能判定，位于 %s"},
    {"a side is undefined, or its value is not decided,", "某一边无定义，或其值未能判定"},
    {"the sides are not both real at %s", "两边并非都是实数，位于 %s"},
    {"the sides are not both real", "两边并非都是实数"},
    {"enclosed, but not within %s, after %s boxes", "已界定，但误差未到 %s 以内：已查 %s 个区域"},
    {"%s is enclosed, but not to %s digits", "%s已界定，但未准到 %s 位"},
    {"the function is not smooth, or not decided to be, throughout the interval",
     "函数在区间上并非处处光滑，或未能判定"},
    {"%s simple root found; undecided %s", "找到 %s 个单根；未能判定 %s"},
    {"%s simple roots found; undecided %s", "找到 %s 个单根；未能判定 %s"},
    {"the table has no entry", "表里一项也没有"},
    {"no real number at %s", "不是实数，位于 %s"},
    {"%s is not decided with 8192 bits", "用 8192 位精度仍未能判定 %s"},
    /* induction */
    {"%s is not shown to hold throughout", "%s 未能证明处处成立"},
    {"the step does not follow from the given equations and the hypothesis",
     "由所给方程与归纳假设推不出归纳步"},
    {"the base does not follow: a value that it needs is not given", "奠基推不出：所需的初值没有给出"},
    {"at no point that meets the conditions is the statement defined", "在满足条件的点上，命题都没有定义"},
    {"the base does not follow, and the given equations may contradict each other",
     "奠基推不出，而且所给方程可能相互矛盾"},
};

/* What stands in a gap: a place may say more than its name. */
static const char *const places[][VER_LANGS] = {{" in [", " ∈ ["},
                                                {"the value", "值"},
                                                {"the integral", "积分"},
                                                {"(perhaps undefined) ", "（也许无定义）"},
                                                {" and elsewhere", " 以及别处"}};

typedef struct {
    const char *s;
    size_t n;
} span;

/* Is s this sentence? Its gaps, then, each as short as the rest allows. */
static bool is_sentence(const char *form, const char *s, span *gap, int ngaps) {
    const char *hole = strstr(form, "%s");
    size_t n = hole ? (size_t)(hole - form) : strlen(form);
    if (strncmp(form, s, n) != 0) return false;
    if (!hole) return s[n] == 0;
    if (ngaps == GAPS) return false;
    for (size_t k = 1; s[n] && s[n + k - 1]; k++) {
        gap[ngaps] = (span){s + n, k};
        if (is_sentence(hole + 2, s + n + k, gap, ngaps + 1)) return true;
    }
    return false;
}

static void put_gap(span g, ver_lang lang, ver_put_bytes *put, void *ctx) {
    for (size_t i = 0; i < g.n;) {
        size_t k = 0, n = 0;
        for (; k < sizeof places / sizeof *places; k++) {
            n = strlen(places[k][VER_EN]);
            if (i + n <= g.n && strncmp(g.s + i, places[k][VER_EN], n) == 0) break;
        }
        if (k < sizeof places / sizeof *places) {
            put(ctx, places[k][lang], strlen(places[k][lang]));
            i += n;
        } else put(ctx, g.s + i++, 1);
    }
}

/* The sentence that s is; those that begin with a gap take anything, so they come last. -1: none. */
static int find(span *gap, const char *s) {
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
            if ((strncmp(sentences[i][VER_EN], "%s", 2) == 0) == late &&
                is_sentence(sentences[i][VER_EN], s, gap, 0))
                return (int)i;
    return -1;
}

void ver_put_reason(const char *s, ver_lang lang, ver_put_bytes *put, void *ctx) {
    span gap[GAPS];
    int i = lang == VER_EN ? -1 : find(gap, s), k = 0;
    if (i < 0) {
        put(ctx, s, strlen(s));
        return;
    }
    const char *f = sentences[i][lang];
    for (const char *hole; (hole = strstr(f, "%s")) != NULL; f = hole + 2) {
        put(ctx, f, (size_t)(hole - f));
        put_gap(gap[k++], lang, put, ctx);
    }
    put(ctx, f, strlen(f));
}
