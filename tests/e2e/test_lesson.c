/* A lesson at a terminal, as a new student meets it. Needs a phasor built with Readline. */
#include "e2e/drive.h"
#include "fixture.h"

static char path[96];

static void write_lesson(void) {
    snprintf(path, sizeof path, "%s/small.lua", home);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", fixture("@lesson"));
    fclose(f);
}

static term *begin(const char *lang) {
    write_lesson();
    char *args[] = {"lesson", path, "--trust", "--lang", (char *)lang, NULL};
    return term_open(args);
}

static void from_start_to_end(void **state) {
    (void)state;
    term *t = begin("en");
    expect(t, "step 1 of 3");
    expect(t, "One step");
    expect(t, "Let x₁ be two.");
    expect(t, "small 1/3 › ");
    enter(t, "", "two is 2");
    enter(t, "two + 1", "3\r\n");
    enter(t, "", "Write twice(x).");
    enter(t, "", "Nothing to check yet");
    expect(t, "exercise double › ");
    type(t, "function twice(x)\r");
    expect(t, ">> ");
    type(t, "return x end\r");
    expect_prompt(t);
    enter(t, "twice(7)", "7\r\n");
    enter(t, ":check", "half the right value");
    enter(t, ":hint", "Times two.");
    enter(t, "function twice(x) return x + x end", NULL);
    enter(t, "", "Right.  2 of 2 points");
    enter(t, "", "step 3 of 3");
    enter(t, "", "four is 4");
    enter(t, "twice(8)", "16\r\n"); /* its variables stay */
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

/* Ctrl-C ends what runs, not the lesson; a worker that is killed costs the input. */
static void a_loop_and_a_crash_cost_the_input(void **state) {
    (void)state;
    term *t = begin("en");
    expect_prompt(t);
    enter(t, "", "two is 2");
    enter(t, "", ":check when you have it");
    type(t, "print 'off'; while true do end\r");
    expect(t, RUNS "off\r\n");
    type(t, "\003");
    expect(t, "\033[1;31merror\033[0m: interrupted\r\n");
    expect_prompt(t);
    expect(t, "exercise double › ");
    enter(t, "function twice(x) while true do end end", NULL);
    type(t, ":check\r");
    expect(t, RUNS);
    usleep(500000); /* nothing is shown while it checks */
    type(t, "\003");
    expect(t, "interrupted");
    expect_prompt(t);
    enter(t, "string.rep(string.rep('x', 1000000), 1000000)", "too large");
    enter(t, "sin = 3", "hides the laboratory's own");
    enter(t, "function twice(x) return 2 * x end", NULL);
    enter(t, ":check", "Right.");
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

/* A lesson does not touch what the user had before; its own variables are there afterwards. */
static void a_lesson_keeps_to_its_own_variables(void **state) {
    char open[128];
    (void)state;
    write_lesson();
    snprintf(open, sizeof open, "lesson('%s', '--trust')", path);
    term *t = term_open(NULL);
    expect_prompt(t);
    enter(t, "two = 'mine'", NULL);
    enter(t, open, "One step");
    enter(t, "", "two is 2");
    enter(t, "five = two + 3", NULL);
    enter(t, ":quit", "These were yours before and still are: two.");
    enter(t, "two", "mine\r\n");
    enter(t, "five", "5\r\n");
    enter(t, open, NULL);
    enter(t, ":quit", "place is saved");
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

/* The name is asked for once, and stands in the file's name. */
static void a_hand_in_has_a_name(void **state) {
    char here[4096], binary[4200];
    (void)state;
    write_lesson();
    assert_non_null(getcwd(here, sizeof here));
    snprintf(binary, sizeof binary, "%s%s%s", *phasor() == '/' ? "" : here, *phasor() == '/' ? "" : "/",
             phasor());
    setenv("PHASOR", binary, 1);
    assert_int_equal(chdir(home), 0);
    term *t = term_open(ARGS("lesson", "small.lua", "--lang", "en", "--trust"));
    expect_prompt(t);
    type(t, ":export\r");
    expect(t, "Your name, for the hand-in: ");
    type(t, "Ann Lee\r");
    expect(t, "small-Ann-Lee.json\r\n");
    expect_prompt(t);
    enter(t, ":export", "small-Ann-Lee.json\r\n");
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
    outcome *o = run("", ARGS("lesson", "export", "small.lua", "--out", "-x.json"));
    expect_in(o->out, "-x.json");
    o = run("", ARGS("-e", "io.open('-x.json'):read('a'):match('\"student\": \"(.-)\"')"));
    assert_string_equal(o->out, "Ann Lee\n");
    assert_int_equal(chdir(here), 0);
}

static void it_is_resumed_and_told_in_chinese(void **state) {
    (void)state;
    term *t = begin("en");
    expect_prompt(t);
    enter(t, "", "two is 2");
    enter(t, "", ":check when you have it");
    type(t, ":quit\r");
    expect(t, "your place is saved");
    assert_int_equal(term_close(t), 0);
    t = begin("zh");
    expect(t, "接着上次继续：第 2 步，共 3 步");
    expect_prompt(t);
    expect(t, "练习 double › ");
    enter(t, ":back", "又折得\r\n对不对。");
    enter(t, "", "two is 2");
    enter(t, "", "写 twice(x)。");
    enter(t, "x ** 2", "'*' 附近有不该出现的符号；乘方应写 ^");
    enter(t, "zeros 'a'", "zeros：大小是字符串");
    enter(t, "twice = 3", NULL);
    enter(t, ":check", "应该是函数");
    enter(t, ":solution", "return\033[0m two * x");
    enter(t, "", "第 3 步");
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

/* At the prompt: the lesson comes and goes, and so does its prompt; completion knows its variables. */
static void at_the_prompt(void **state) {
    (void)state;
    write_lesson();
    term *t = term_open(NULL);
    char command[128];
    expect_prompt(t);
    enter(t, "two = 'mine'", NULL);
    snprintf(command, sizeof command, "lesson \"%s\"", path);
    enter(t, command, "Let x₁ be two.");
    enter(t, "", "two is 2");
    enter(t, "long_name_of_mine = 5", NULL);
    type(t, "long_na\t");
    expect(t, "me_of_mine");
    type(t, "\r");
    expect(t, "5");
    expect_prompt(t);
    enter(t, "? sin", "sin(x)");
    type(t, "\004"); /* Ctrl-D leaves the lesson, not phasor */
    expect(t, "Left the lesson");
    expect_prompt(t);
    gives(t, "long_name_of_mine", "5\r\n");
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

/* What was opened confined stays so behind the lesson, and that is said; the prompt of before the lesson is free. */
static void a_prompt_stays_confined_until_undone(void **state) {
    (void)state;
    write_lesson();
    term *t = term_open(NULL);
    char command[128], save[128];
    snprintf(command, sizeof command, "lesson \"%s\"", path);
    snprintf(save, sizeof save, "write('%s/x.npy', zeros(2))", home);
    expect_prompt(t);
    enter(t, command, "reach nothing else");
    type(t, ":quit\r");
    expect(t, "Left the lesson. Its variables stay.");
    expect(t, "stays confined");
    expect_prompt(t);
    enter(t, save, "cannot be written");
    enter(t, ":undo", "back to before: write");
    enter(t, ":undo", "back to before: :quit");
    enter(t, ":undo", "back to before: lesson");
    enter(t, save, NULL);
    snprintf(command, sizeof command, "read('%s/x.npy'):totable()", home);
    gives(t, command, "{0.0, 0.0}\r\n");
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(from_start_to_end),
                                       CASE(a_loop_and_a_crash_cost_the_input),
                                       CASE(a_lesson_keeps_to_its_own_variables),
                                       CASE(a_hand_in_has_a_name),
                                       CASE(it_is_resumed_and_told_in_chinese),
                                       CASE(at_the_prompt),
                                       CASE(a_prompt_stays_confined_until_undone)};
    return cmocka_run_group_tests_name("lesson at a terminal", tests, NULL, NULL);
}
