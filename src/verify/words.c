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
    [VER_W_FOR_ALL] = {"for all ", "对一切"},
    [VER_W_REAL] = {"real ", "实数 "},
    [VER_W_POSITIVE] = {"positive ", "正数 "},
    [VER_W_INTEGER] = {"integer ", "整数 "},
    [VER_W_NATURAL] = {"natural ", "自然数 "},
    [VER_W_COMPLEX] = {"complex ", "复数 "},
    [VER_W_WITH] = {"with ", "其中 "},
    [VER_W_AND_WITH] = {" with ", "，其中 "},
    [VER_W_UNMET] = {" (no point was found that meets this)", "（没有找到满足这些条件的点）"},
    [VER_W_LEFT] = {"left side ", "左边 "},
    [VER_W_RIGHT] = {"right side ", "右边 "},
    [VER_W_FOR_ALL_IN] = {"for all ", "对一切 "},
    [VER_W_FOR_ALL_INTEGERS] = {"for all integers ", "对一切整数 "},
    [VER_W_IN] = {" in [", " ∈ ["},
    [VER_W_WITHIN] = {"within ", "误差不超过 "},
    [VER_W_EXACTLY] = {"exactly ", "恰有 "},
    [VER_W_ROOT] = {" root", " 个根"},
    [VER_W_ROOTS] = {" roots", " 个根"},
    [VER_W_NO_ROOT] = {"no root", "没有根"},
    [VER_W_VALUE_TO] = {"the value to ", "值准到 "},
    [VER_W_INTEGRAL_TO] = {"the integral to ", "积分准到 "},
    [VER_W_DIGITS] = {" digits", " 位"},
    [VER_W_GIVEN] = {", when the given equations hold", "，在所给方程成立时"},
    [VER_W_RISES] = {"the derivative is positive at ", "导数为正之处 "},
    [VER_W_FALLS] = {" and negative at ", "，为负之处 "},
    [VER_W_ENTRY] = {"entry ", "表中的项 "},
    [VER_W_TRUE_VALUE] = {"value ", "真值 "},
    [VER_W_WORST_OF] = {" (the worst of ", "（共有 "},
    [VER_W_BEYOND] = {" entries beyond the bound)", " 项越界，这是最坏的一项）"},
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
    {" with ", "，其中 "},
    {"with ", "其中 "},
    {" in [", " ∈ ["},
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
    {NULL, NULL},
};
static const phrase reasons[] = {{NULL, NULL}}; /* sentences as they are: reasons.c */
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
    if (part == VER_REASON && ver_put_reason(s, lang, put, ctx)) return;
    for (char before = ' '; *s;) {
        const phrase *p = phrase_at(tables[part], s, before);
        size_t n = p ? strlen((*p)[VER_EN]) : 1;
        if (p) put(ctx, (*p)[lang], strlen((*p)[lang]));
        else put(ctx, s, 1);
        before = s[n - 1];
        s += n;
    }
}
