/* words.c: a verdict's line in another language: the one table of its words. */
#include "verify/words.h"

#include <ctype.h>
#include <string.h>

/* ---- the frame ----------------------------------------------------------------------------------------- */

static const char *const frame[VER_WORDS][VER_LANGS] = {
    [VER_W_UNKNOWN] = {"unknown", "未定"},
    [VER_W_REFUTED] = {"refuted", "已反驳"},
    [VER_W_MEASURED] = {"measured", "实测"},
    [VER_W_CERTIFIED] = {"certified", "已严格界定"},
    [VER_W_PROVED] = {"proved", "已证明"},
    [VER_W_OUTSIDE] = {"outside the theory", "超出判定理论"},
    [VER_W_BUDGET] = {"out of budget", "超出预算"},
    [VER_W_DOMAIN] = {"undefined", "无定义"},
    [VER_W_DATA] = {"needs data", "缺少数据"},
    [VER_W_COLON] = {": ", "："},
    [VER_W_SEMICOLON] = {"; ", "；"},
    [VER_W_COMMA] = {", ", "，"},
    [VER_W_OPEN] = {" (", "（"},
    [VER_W_CLOSE] = {")", "）"},
    [VER_W_HOLDS_FOR] = {" ", "，"},
    [VER_W_WITNESS] = {": ", "，反例："},
    [VER_W_NO_WITNESS] = {"no witness was kept", "没有留下反例"},
    [VER_W_MAX] = {"max deviation ", "最大偏差 "},
    [VER_W_WORST] = {"worst deviation ", "最坏偏差 "},
    [VER_W_DEVIATION] = {"deviation ", "偏差 "},
    [VER_W_NOT_WITHIN] = {" is not within ", " 越过了界 "},
    [VER_W_TERM] = {" term", " 项"},
    [VER_W_TERMS] = {" terms", " 项"},
    [VER_W_BOX] = {" box", " 个区域"},
    [VER_W_BOXES] = {" boxes", " 个区域"},
    [VER_W_POINT] = {" point", " 个点"},
    [VER_W_POINTS] = {" points", " 个点"},
    [VER_W_SAMPLE] = {" sample", " 个样本"},
    [VER_W_SAMPLES] = {" samples", " 个样本"},
    [VER_W_RECHECKED] = {"rechecked", "已复核"},
};

const char *ver_word(ver_lang lang, ver_word_id id) { return frame[id][lang]; }

/* ---- what other files compose -------------------------------------------------------------------------- */

/* Phrases of conditions, witnesses and reasons as prove.c, certify.c and the others put them together. A longer one stands before
 * those it begins with. */
typedef const char *phrase[VER_LANGS];

static const phrase conditions[] = {
    {"for all integers ", "对一切整数 "},
    {"for all real ", "对一切实数 "},
    {"for all positive ", "对一切正数 "},
    {"for all integer ", "对一切整数 "},
    {"for all natural ", "对一切自然数 "},
    {"for all complex ", "对一切复数 "},
    {"for all ", "对一切 "},
    {", real ", "，实数 "},
    {", positive ", "，正数 "},
    {", integer ", "，整数 "},
    {", natural ", "，自然数 "},
    {", complex ", "，复数 "},
    {", when the given equations hold", "，在所给方程成立时"},
    {" with ", "，其中 "},
    {"with ", "其中 "},
    {" (no point was found that meets this)", "（没有找到满足这些条件的点）"},
    {" in [", " ∈ ["},
    {"exactly ", "恰有 "},
    {" root, ", " 个根，"},
    {" roots, ", " 个根，"},
    {"no root, ", "没有根，"},
    {"the integral to ", "积分准到 "},
    {"the value to ", "值准到 "},
    {" digits", " 位"},
    {"within ", "误差不超过 "},
    {"seed ", "种子 "},
    {NULL, NULL},
};
static const phrase witnesses[] = {
    {": left side ", "：左边 "},
    {"left side ", "左边 "},
    {", right side ", "，右边 "},
    {"at [", "位于 ["},
    {"sample ", "样本 "},
    {"the value", "所给的值"},
    {"the derivative is positive at ", "导数为正之处 "},
    {" and negative at ", "，为负之处 "},
    {NULL, NULL},
};
static const phrase reasons[] = {
    {"not one sample was measured", "一个样本也没有测过"},
    {"the table has no entry", "表里一项也没有"},
    {"undecided after ", "未能判定：已查 "},
    {"undefined, or not decided to be defined, after ", "无定义，或无法判定有定义：已查 "},
    {" boxes for ", " 个区域，"},
    {" in [", " ∈ ["},
    {"too many cases", "情形太多"},
    {"the step does not follow from the given equations and the hypothesis",
     "由所给方程与归纳假设推不出归纳步"},
    {"the base does not follow: a value that it needs is not given", "奠基推不出：所需的初值没有给出"},
    {" is not shown to hold throughout", " 未能证明处处成立"},
    {"division by zero is undefined", "除以零没有定义"},
    {"no counterexample among the points tried", "在试过的点中没有找到反例"},
    {"no exact argument for this inequality; certify it on a box",
     "这个不等式没有精确的论证；可用 certify 在一个区域上界定"},
    {"the normal form is not zero, yet no rational point shows a difference",
     "范式不为零，却没有有理点显出差别"},
    {"the conditions contradict each other", "这些条件互相矛盾"},
    {"no point was found that meets the conditions", "没有找到满足这些条件的点"},
    {"no point meets the condition ", "没有点满足条件 "},
    {"at no point that was tried are both sides defined", "在试过的点上两边从未同时有定义"},
    {"complex numbers have no order", "复数之间没有大小之分"},
    {"a case of piecewise holds only under its condition", "分段函数的某一段只在它的条件下成立"},
    {"a statement of more than 2000000 parts", "命题的部分超过 2000000 个"},
    {"sums with bounds that do not match", "各个和式的上下限对不上"},
    {"maximum of what may be complex", "对可能是复数的量取 maximum"},
    {"minimum of what may be complex", "对可能是复数的量取 minimum"},
    {NULL, NULL},
};
static const phrase *const tables[] = {
    [VER_CONDITIONS] = conditions, [VER_WITNESS] = witnesses, [VER_REASON] = reasons};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

/* The phrase at s, whose previous byte is `before`: where a word begins, up to where one ends, and no name ("seed = 1") in a
 * witness. NULL: none. */
static const phrase *phrase_at(const phrase *table, const char *s, char before) {
    for (const phrase *p = table; (*p)[VER_EN]; p++) {
        const char *en = (*p)[VER_EN];
        size_t n = strlen(en);
        if (strncmp(s, en, n) != 0) continue;
        if (is_word(en[0]) && is_word(before)) continue;
        if (is_word(en[n - 1]) && is_word(s[n])) continue;
        if (s[n] != '=') return p;
    }
    return NULL;
}

void ver_translate(const char *s, ver_part part, ver_lang lang, ver_put_bytes *put, void *ctx) {
    if (lang == VER_EN) {
        put(ctx, s, strlen(s));
        return;
    }
    for (char before = ' '; *s;) {
        const phrase *p = phrase_at(tables[part], s, before);
        size_t n = p ? strlen((*p)[VER_EN]) : 1;
        if (p) put(ctx, (*p)[lang], strlen((*p)[lang]));
        else put(ctx, s, 1);
        before = s[n - 1];
        s += n;
    }
}
