/* Errors in Chinese: the sentences that are said most, with their values; the rest stays as it is, with a line on the function.
 * Sources: lib/faults.lua lib/hints_chinese.lua session/fault.c lua/modules.c */
#include <string.h>

#include "base/slips.h"
#include "lua/lab.h"

static void sentences_keep_their_values(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"told = require 'phasor.lib.faults'.told", ""},
        {"told 'zeros: a size is the string \"a\"; wanted an integer of at least 0'",
         "zeros：大小是字符串 \"a\"；应为不小于 0 的整数"},
        {"told 'matmul: A is (2, 2) and B is (3, 3); wanted as many columns of A (2) as rows of B (3)'",
         "matmul：A 的形状是 (2, 2)，B 的形状是 (3, 3)；A 的列数 (2) 应当等于 B 的行数 (3)"},
        {"told 'array: index 5 is out of range for dimension 1 of size 3'",
         "array：下标 5 越界：第 1 维的大小是 3"},
        {"told 'rope: unknown option \\'bas\\'; did you mean \\'base\\'?'",
         "rope：没有选项 bas；是不是想写 base？"},
        {"told 'eye: 0 arguments given; wanted 1 to 2'", "eye：给了 0 个参数；应为 1 到 2 个"},
        {"told 'sin: 0 arguments given; wanted 1, as in sin(x)'",
         "sin：给了 0 个参数；应为 1 个，例如 sin(x)"},
        {"told 'plot: item 3 is an array of shape (2, 3); wanted functions or formulas'",
         "plot：第 3 项是形状为 (2, 3) 的数组；应为函数或公式"},
        {"told 'range: 1 argument given; wanted first and last, as in range(0, n-1)'",
         "range：给了 1 个参数；应为 first 与 last，例如 range(0, n-1)"},
        {"told 'attempt to index a nil value (local \\'x\\')'", "x 是 nil，没有下标可取"},
        {"told 'attempt to compare number with string'", "数与字符串不能比较大小"},
        {"told '\\'end\\' expected (to close \\'for\\' at line 3) near <eof>'",
         "<eof> 附近缺少 'end'（对应第 3 行的 'for'）"},
        /* what has no Chinese stays, in whole: with the function's own line, where it has one, and without */
        {"told 'matmul: the moon is full'", "matmul: the moon is full（matmul：矩阵乘积）"},
        {"told 'matmul: no luck today'", "matmul: no luck today（matmul：矩阵乘积）"},
        {"told 'no luck: today'", "no luck: today"},
        {"told ''", ""},
        /* what somebody else wrote costs no time that grows faster than its length */
        {"#told(('a: '):rep(20000)) == 60000 and #told(('a: '):rep(900)) == 2700", "true"},
        {"#told('x has shape (1), ' .. ('a (b), '):rep(400)) == 17 + 2800", "true"},
        {"told 'x is 3'", "x 是 3"},
        /* one sentence without Chinese keeps the whole message English */
        {"told 'unknown name \\'np\\'; functions stand alone'", "unknown name 'np'; functions stand alone"},
        {"told 'matmul: A is singular: pivot 2 is exactly 0; the moon is full'",
         "matmul: A is singular: pivot 2 is exactly 0; the moon is full（matmul：矩阵乘积）"},
        /* what stands in quotes and brackets is not cut */
        {"told 'plot: title is the string \"a; b, c or d: e\"; wanted text'",
         "plot：title 是字符串 \"a; b, c or d: e\"；应为文字"},
        {"told 'array: an index is true; wanted a row number, {i, j, ...}, slices as in {{1, 3}, {}}, or the name of a field'",
         "array：下标是 true；应为行号、{i, j, ...}、切片（如 {{1, 3}, {}}）或字段的名字"},
        /* those who speak further down */
        {"told 'rope: scaling \"pi\": factor is 0.5; wanted a number from 1 to 1000000: how many times longer'",
         "rope：scaling \"pi\"：factor 是 0.5；应为 1 到 1000000 的数：加长到几倍"},
        {"told 'unknown name \\'np\\'; functions stand alone here: sin(x), not np.sin(x); help() lists them'",
         "没有叫 np 的名字；函数直接写，如 sin(x)，不写 np.sin(x)；help() 列出全部"},
        {"told 'unexpected \\'@\\'; the product of matrices is matmul(A, B) or A:mm(B)'",
         "不该有 '@'；矩阵乘积写成 matmul(A, B) 或 A:mm(B)"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Calls that raise, as they are made every day: none is told in two languages. */
static void common_errors_are_chinese(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@common_errors_are_chinese", "0 of 54"}, {NULL, NULL}};
    lab_run(cases);
}

static void wrong_calls_are_chinese(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@wrong_calls_are_chinese", "0"}, {NULL, NULL}};
    lab_run(cases);
}

/* Every hint for those who come from another language, each of its parts: none keeps an English phrase. */
static void every_hint_is_chinese(void **state) {
    (void)state;
    char code[1000];
    for (const ph_slip *s = ph_slips; s->seen; s++) {
        assert_null(strstr(s->hint, "]==]"));
        int n = snprintf(code, sizeof code, "english_in [==[%s]==]", s->hint);
        assert_true(n > 0 && (size_t)n < sizeof code);
        const lab_case cases[] = {{"@every_hint_is_chinese", ""}, {code, ""}, {NULL, NULL}};
        lab_run(cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_keep_their_values), cmocka_unit_test(common_errors_are_chinese),
        cmocka_unit_test(wrong_calls_are_chinese), cmocka_unit_test(every_hint_is_chinese)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
