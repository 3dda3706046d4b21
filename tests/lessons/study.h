/* study.h: one lesson read, linted and run, for its test. In Lua: ours (its cells), results (of claims, in order),
 * messages (what went wrong), others (verdicts beside the claims), spoil(…) to change a place of a cell and judge it again.
 */
#ifndef PH_TEST_STUDY_H
#define PH_TEST_STUDY_H

#include "course/school.h"

#define REFUTED "failed with a witness"

static int open_lesson(void **state, const char *name) {
    if (open_school(state) != 0) return -1;
    char first[64];
    snprintf(first, sizeof first, "lesson_name = '%s'", name);
    show(first);
    const char *said = show("dofile 'tests/lessons/study.lua'");
    if (*said) print_error("%s\n", said);
    return *said ? -1 : 0;
}

/* No English word of a verdict's line stands in what is shown in Chinese, code aside. One that does is new in verify/, and wants its
 * row in words.c. */
static void verdicts_are_chinese(const char *walked) {
    static const char *const english[] = {"proved",        "certified",         "measured:",
                                          "refuted:",      "unknown:",          " with ",
                                          "for all ",      "left side",         " terms",
                                          " boxes",        " samples",          " points",
                                          "seed ",         "deviation",         "statements in all",
                                          "the widest of", " mutants",          "the given equations",
                                          "digits",        "outside the theory"};
    for (const char *line = walked; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        const char *judged = strstr(text, "：");
        if (!judged || strstr(text, "│") || strstr(text, "┆") || strncmp(text, "  ", 2) != 0) continue;
        for (size_t i = 0; i < sizeof english / sizeof *english; i++)
            if (strstr(judged, english[i])) fail_msg("\"%s\" in: %s", english[i], text);
    }
}

/* The same text with its folded lines made whole again. */
static char *unfolded(const char *text) {
    char *out = malloc(strlen(text) + 1), *end = out;
    assert_non_null(out);
    while (*text) {
        if (strncmp(text, "\n    ", 5) == 0) *end++ = ' ', text += 1 + strspn(text + 1, " ");
        else *end++ = *text++;
    }
    *end = 0;
    return out;
}

/* Each of the figures, up to NULL, stands in what the lesson shows when it is walked through, or in the full line of a verdict. */
static void shows_figures(const char *name, const char *const *figures) {
    char walk[64], *lines = strdup(show("table.concat(lines, '\\n')"));
    snprintf(walk, sizeof walk, "lesson '%s'", name);
    const char *walked = show(walk);
    char *whole = unfolded(walked);
    for (; *figures; figures++)
        if (!strstr(walked, *figures) && !strstr(whole, *figures) && !strstr(lines, *figures))
            fail_msg("not shown: %s", *figures);
    free(whole);
    free(lines);
    assert_null(strstr(walked, "this step failed"));
    assert_null(strstr(walked, "warning:"));
    snprintf(walk, sizeof walk, "course.main('lesson', '%s', '--lang', 'zh')", name);
    walked = show(walk);
    assert_non_null(strstr(walked, "本课到此结束"));
    verdicts_are_chinese(walked);
}

#endif
