/* The language that was chosen stays: for the next lesson, the next session, the verdicts at the prompt.
 * Sources: repl/settings.c */
#include "e2e/drive.h"

static void close_prompt(term *t) {
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

static void it_is_kept(void **state) {
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("PHASOR_SETTINGS");
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, ":lang fr", ":lang fr: wanted en or zh");
    enter(t, ":lang", "language: English");
    enter(t, ":lang zh", "语言：中文");
    enter(t, "measure{value = 0, bound = 1, why = 'w'}", "实测");
    close_prompt(t);
    t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, "measure{value = 0, bound = 1, why = 'w'}", "实测");
    enter(t, "lesson()", "课程列表");
    enter(t, "error 'red'", "错误\033[0m：red");
    enter(t, "zeros 'a'", "大小是字符串");
    enter(t, ":lang en", "language: English");
    enter(t, "measure{value = 0, bound = 1, why = 'w'}", "measured");
    enter(t, "error 'red'", "error\033[0m: red");
    close_prompt(t);
}

/* The locale chooses where nobody has, also one that this machine does not have: a terminal needs another one for its letters. */
static void the_locale_chooses(void **state) {
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    setenv("LC_ALL", "zh_XX.UTF-8", 1);
    term *t = term_open(NO_ARGS);
    expect(t, "位置编码的实验室");
    expect_prompt(t);
    enter(t, ":lang", "语言：中文");
    enter(t, "zeros 'a'", "大小是字符串");
    enter(t, "measure{value = 0, bound = 1, why = 'w'}", "实测");
    enter(t, "sin = 3", "警告：sin 现在遮住了");
    close_prompt(t);
    setenv("LC_ALL", "C.UTF-8", 1);
}

/* … but not what a program prints: its verdicts are read by programs too. */
static void a_program_keeps_its_words(void **state) {
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    setenv("LC_ALL", "zh_XX.UTF-8", 1);
    term *t = term_open(ARGS("-e", "measure{value = 0, bound = 1, why = 'w'}"));
    expect(t, "measured");
    assert_int_equal(term_close(t), 0);
    setenv("LC_ALL", "C.UTF-8", 1);
}

static void a_lessons_option_is_a_choice(void **state) {
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    type(t, "lesson('order', '--lang', 'zh')\r");
    expect(t, "第 1 步");
    expect(t, MORE_PAGES_ZH); /* the very first page asks in the language that was chosen by this line */
    type(t, " ");
    expect_prompt_by_pages(t);
    type(t, ":quit\r");
    expect_prompt(t);
    enter(t, "lesson()", "课程列表");
    close_prompt(t);
}

/* A file that says nothing of the kind chooses nothing. */
static void a_strange_file_is_no_matter(void **state) {
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s/settings", home);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("lang=tlh\nlang\n\001\377lang=zh\n", f);
    fclose(f);
    setenv("PHASOR_SETTINGS", path, 1);
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, ":lang", "language: English");
    close_prompt(t);
    setenv("PHASOR_SETTINGS", "/dev/null/settings", 1); /* root can make any folder, but none in a file */
    t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, ":lang zh", NULL);
    enter(t, "measure{value = 0, bound = 1, why = 'w'}", "实测"); /* for this session in any case */
    close_prompt(t);
    unsetenv("PHASOR_SETTINGS");
}

/* What the prompt says of itself in Chinese: its commands, its mistakes, what is undone, what a name is. */
static void the_prompt_speaks_it(void **state) {
    static const char *const said[][2] = {{":help", "退回到上一条输入执行之前"},
                                          {":udno", "没有命令 :udno；是不是 :undo？"},
                                          {":xylophone", ":help 列出全部"},
                                          {":time on", "计时已打开"},
                                          {":time off", "计时已关闭"},
                                          {":save", ":save 后面要写文件名"},
                                          {":load /nowhere", "无法读取 /nowhere: "},
                                          {":history x", "应写条数"},
                                          {"x = zeros(2, 3)", NULL},
                                          {"whos", "x  数组：f64 (2, 3)"},
                                          {"? x", "数组：f64 (2, 3)"},
                                          {"? softmax", "和为 1 的权重"},
                                          {"?? softmax", "示例"},
                                          {"? quaxle", "没有叫“quaxle”的名字"},
                                          {"search 'zzzzqqq'", "没有哪里提到“zzzzqqq”"},
                                          {":undo", "已退回到执行之前：search"},
                                          {"os.exit(0)", "只结束这条输入"}};
    (void)state;
    unsetenv("XDG_CONFIG_HOME");
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, ":lang zh", "语言：中文");
    close_prompt(t);
    t = term_open(NO_ARGS);
    expect(t, "位置编码的实验室");
    expect_prompt(t);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) enter(t, said[i][0], said[i][1]);
    enter(t, ":lang en", "language: English");
    close_prompt(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(it_is_kept),           CASE(the_locale_chooses),           CASE(a_program_keeps_its_words),
        CASE(the_prompt_speaks_it), CASE(a_lessons_option_is_a_choice), CASE(a_strange_file_is_no_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
