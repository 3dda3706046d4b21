/* Completion, help at the cursor, and "is this input finished?"; none of them runs the user's code.
 * Sources: lib/offers.lua session/complete.c session/cursor.c session/finished.c session/inspect.c session/lex.c session/offers.c */
#include "shared.h"

static int open_furnished(void **state) {
    if (open_once(state)) return -1;
    OK(s, "θ = 1; lab = {sub = {deep = 1}, 数 = 2}; A = zeros(2, 3); word = 'w'; ran = 0\n"
          "trap = setmetatable({seen = 1}, {__index = function() ran = ran + 1 end, __pairs = function() ran "
          "= ran + 1 end})\n"
          "child = setmetatable({own = 1}, {__index = {inherited = print}})");
    return 0;
}

/* The cursor is where '|' stands. */
static json_t *at_bar(const char *op, const char *text) {
    char code[200];
    const char *bar = strchr(text, '|');
    assert_non_null(bar);
    snprintf(code, sizeof code, "%.*s%s", (int)(bar - text), text, bar + 1);
    return json_pack("{s:s, s:s, s:i}", "op", op, "code", code, "pos", (int)(bar - text));
}

/* Matches joined by spaces, in a static buffer. */
static const char *complete(const char *text) {
    static char buf[20000];
    size_t i;
    json_t *m;
    *buf = 0;
    assert_string_equal(ask_with(s, at_bar("complete", text), collect, NULL), "ok");
    json_array_foreach(json_object_get(event_of("reply"), "matches"), i, m) {
        if (i) strcat(buf, " ");
        strcat(buf, json_string_value(json_object_get(m, "text")));
    }
    return buf;
}

static void names_are_completed(void **state) {
    (void)state;
    assert_string_equal(complete("x = linsp|"), "linspace");
    assert_int_equal(int_of("reply", "start"), 4);
    assert_int_equal(int_of("reply", "end"), 9);
    assert_string_equal(complete("func|"), "function");
    assert_string_equal(complete("x = θ|"), "θ");
    assert_string_equal(complete("lab.|"), "sub 数");
    assert_string_equal(complete("lab.sub.d|"), "deep");
    assert_string_equal(complete("f(lab . sub .d|)"), "deep");
    assert_string_equal(complete("string.rep|"), "rep");
    assert_string_equal(complete("word:rep|"), "rep");
    assert_string_equal(complete("child.|"), "inherited own");
    assert_string_equal(complete("child:|"), "inherited");
    assert_non_null(strstr(complete("A:|"), "reshape"));
    assert_non_null(strstr(complete("A.|"), "shape"));
    assert_string_equal(complete("A.sha|"), "shape");
    assert_string_equal(complete("nothing.here|"), "");
    assert_string_equal(complete("f().x|"), "");
    assert_string_equal(complete("|"), "");
    assert_string_equal(complete("linsp|x"), "linspace"); /* only what is left of the cursor counts */
    assert_int_equal(int_of("reply", "end"), 5);
}

static void kinds_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *kind;
    } rows[] = {{"linsp|", "function"}, {"A|", "array"},    {"lab|", "table"},
                {"whil|", "keyword"},   {"ran|", "number"}, {"\\theta|", "symbol"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        complete(rows[i].text);
        json_t *first = json_array_get(json_object_get(event_of("reply"), "matches"), 0);
        assert_string_equal(json_string_value(json_object_get(first, "kind")), rows[i].kind);
    }
}

static void strings_and_comments_are_left_alone(void **state) {
    (void)state;
    assert_string_equal(complete("x = 'linsp|"), "");
    assert_string_equal(complete("x = 'linsp|'"), "");
    assert_string_equal(complete("-- linsp|"), "");
    assert_string_equal(complete("--[[ linsp|"), "");
    assert_string_equal(complete("[==[ linsp|"), "");
    assert_string_equal(complete("x = 'a' .. linsp|"), "linspace");
    assert_string_equal(complete("-- a\nlinsp|"), "linspace");
}

static void symbols_are_typed(void **state) {
    (void)state;
    assert_string_equal(complete("\\theta|"), "θ");
    assert_int_equal(int_of("reply", "start"), 0);
    assert_string_equal(complete("x = 2*\\omega| + 1"), "ω");
    assert_int_equal(int_of("reply", "start"), 6);
    assert_string_equal(complete("\\thet|"), "θ");
    assert_string_equal(complete("\\vart|"), "ϑ");
    assert_string_equal(complete("x\\_1|"), "₁");
    assert_string_equal(complete("\\lam|"), "λ");
    assert_non_null(strstr(complete("\\o|"), "\\omega"));
    assert_string_equal(complete("'\\theta|'"), "");
    assert_string_equal(complete("\\nosuch|"), "");
}

static const char *inspect(const char *text) {
    assert_string_equal(ask_with(s, at_bar("inspect", text), collect, NULL), "ok");
    return text_of("reply", "text");
}

static void help_at_the_cursor(void **state) {
    (void)state;
    assert_non_null(strstr(inspect("lin|space(A, B)"), "linspace"));
    assert_non_null(strstr(inspect("linspace|(0, 1, 5)"), "linspace"));
    assert_non_null(strstr(inspect("linspace(A, |"), "linspace")); /* inside a call: the function */
    assert_string_equal(inspect("A|"), "an array: f64 (2, 3)");
    assert_non_null(strstr(inspect("A:resh|ape"), "reshape"));
    assert_string_equal(inspect("lab.s|ub"), "a table with 1 entry");
    assert_string_equal(inspect("θ|"), "the integer 1");
    assert_string_equal(inspect("word|"), "a string of 1 bytes");
    assert_string_equal(inspect("nosuch|"), "");
    assert_false(json_is_true(json_object_get(event_of("reply"), "found")));
    OK(s, "function f(a, b, ...) end");
    assert_string_equal(inspect("f|"), "a function of 2 arguments or more, from prompt:1");
    json_t *r = at_bar("inspect", "linspace|");
    json_object_set_new(r, "detail", json_integer(1));
    size_t brief = strlen(inspect("linspace|"));
    ask_with(s, r, collect, NULL);
    assert_true(strlen(text_of("reply", "text")) > brief);
}

static void nothing_of_the_users_runs(void **state) {
    (void)state;
    complete("trap.s|");
    complete("trap.x.y|");
    inspect("trap.unknown|");
    inspect("trap|");
    SHOWS(s, "ran", "0");
}

static void finished_or_not(void **state) {
    (void)state;
    static const struct {
        const char *code, *status, *indent;
    } rows[] = {
        {"x = 1", "complete", ""},
        {"1 + 1", "complete", ""},
        {"for i = 1, 2 do", "incomplete", "  "},
        {"f({", "incomplete", "    "},
        {"x = ", "incomplete", ""},
        {"1 +", "incomplete", ""},
        {"x = = 1", "invalid", ""},
        {"[[ long", "incomplete", ""},
        {"--[[ long", "incomplete", ""},
        {"s = 'abc", "invalid", ""},
        {"s = 'abc\\", "incomplete", ""},
        {"end", "invalid", ""},
        {"", "complete", ""},
        {"-- c", "complete", ""},
        {"θ = {α = 1,", "incomplete", "  "},
        {"x = 2 × 3", "invalid", ""},
        {"function f()\n  if x then", "incomplete", "    "},
        {"if x then y = 1 else", "incomplete", "  "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(
            ask_with(s, json_pack("{s:s, s:s}", "op", "is_complete", "code", rows[i].code), collect, NULL),
            "ok");
        if (strcmp(text_of("reply", "status"), rows[i].status) != 0)
            fail_msg("%s: %s", rows[i].code, text_of("reply", "status"));
        assert_string_equal(text_of("reply", "indent"), rows[i].indent);
    }
}

/* Inside a string: names that its function takes, else files. */
static void strings(void **state) {
    (void)state;
    assert_string_equal(complete("lesson \"sinu|"), "sinusoids");
    assert_string_equal(complete("lesson('deca|"), "decay");
    assert_string_equal(complete("picture(\"wave|"), "wavelengths");
    assert_string_equal(complete("help \"injectivity_m|"), "injectivity_margin");
    assert_string_equal(complete("read \"src/session/offers.|"), "offers.c offers.h");
    assert_string_equal(complete("read(\"src/sess|"), "session/");
    assert_string_equal(complete("lesson \"no such|"), "");
    /* the words of an option, from the list that checks it */
    assert_string_equal(complete("rope(x, {layout = \"|"), "half interleaved");
    assert_string_equal(complete("rope{eye(4), layout='ha|"), "half");
    assert_string_equal(complete("rope(x, {layout = \"half\", scaling = {kind = \"ya|"), "yarn");
    assert_string_equal(complete("rope(x, {scaling = {kind = \"yarn\", ramp = \"|"), "code paper");
    assert_string_equal(complete("plot(x, y, {style = \"|"), "both line points");
    assert_string_equal(complete("heatmap(eye(3), {map = \"g|"), "grey");
    assert_string_equal(complete("transformer {head = \"|"), "causal classify masked");
    assert_string_equal(complete("transformer {position = \"sinusoidal|"), "sinusoidal sinusoidal_t2t");
    assert_string_equal(complete("trainer {data = task(\"copy\"), schedule = \"|"), "constant cosine linear");
    assert_string_equal(complete("picture('rope', {lang = '|"), "en zh");
    assert_string_equal(complete("p:svg {theme = \"|"), "dark light");
    /* of an argument, by its place; what is called with a colon stands before the first */
    assert_string_equal(complete("task \"co|"), "copy");
    assert_string_equal(complete("quantize(f(1, \",\", {2, 3}), \"|"), "bf16 f16 f32");
    assert_string_equal(complete("A:astype(\"f|"), "f32 f64");
    assert_string_equal(complete("A:astype \"f|"), "f32 f64");
    assert_string_equal(complete("sym(\"k\", \"nat|"), "natural");
    assert_string_equal(complete("sym(\"k\", 'real', \"no such|"), "");
    assert_string_equal(complete("{\"k\", \"no such|"), "");
    assert_string_equal(complete("lesson(\"rope\", \"deca|"), "");
    assert_string_equal(complete("x = \"lin|"), "");
    assert_string_equal(complete("read \"/no/such/folder/|"), "");
}

/* Where an option may stand, those of the function around it. */
static void options(void **state) {
    (void)state;
    assert_string_equal(complete("plot(sin, {0, 1}, {titl|"), "title=");
    assert_string_equal(complete("measure{sampl|"), "samples=");
    assert_string_equal(complete("measure {value = 1, whe|"), "where");
    assert_string_equal(complete("prove(a, b, {capt|"), "caption=");
    assert_string_equal(complete("rope(x, {layout = 'half', bas|"), "base=");
    assert_string_equal(complete("rerope(q, k, {lea|"), "leak= learned");
    assert_string_equal(complete("evaluate(f, {nam|"),
                        "named"); /* "{name = value}": no option is called so */
    assert_string_equal(complete("prove(titl|"), "");
    assert_string_equal(complete("{titl|"), "");
    assert_string_equal(complete("plot(x, {f(titl|"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(options),
        cmocka_unit_test(names_are_completed),
        cmocka_unit_test(kinds_are_told),
        cmocka_unit_test(strings_and_comments_are_left_alone),
        cmocka_unit_test(symbols_are_typed),
        cmocka_unit_test(help_at_the_cursor),
        cmocka_unit_test(nothing_of_the_users_runs),
        cmocka_unit_test(finished_or_not),
    };
    return cmocka_run_group_tests(tests, open_furnished, close_once);
}
