/* walk.h: a lesson from its first step to its last at a terminal of 80 × 24, as a student who only presses Enter: wherever the lesson waits,
 * the title of the step is still on the screen, no page is empty, and in Chinese nothing that asks for a key is English. Needs a phasor built with Readline. */
#ifndef TESTS_E2E_WALK_H
#define TESTS_E2E_WALK_H

#include "base/utf8.h"
#include "e2e/drive.h"

#define ROWS    24
#define COLUMNS 80
#define BAR     "\xe2\x94\x80\xe2\x94\x80 " /* what a title begins with */

/* What a lesson says in one language where it waits. */
typedef struct {
    const char *lang, *step, *appendix, *exercise, *pages, *moves, *review;
} tongue;

static const tongue english = {"en",
                               "step ",
                               "appendix ",
                               "exercise ",
                               MORE_PAGES,
                               "Enter or q: done",
                               "[Enter] goes back to what was skipped"};
static const tongue chinese = {
    "zh", "第 ", "附录", "练习 ", MORE_PAGES_ZH, "回车或 q：结束", "[回车] 回到跳过的地方"};

/* The length of the escape sequence at s, 0 for none. */
static size_t escape(const char *s) {
    if (*s != '\033') return 0;
    size_t n = 2 + strcspn(s + 2, "@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    return s[n] ? n + 1 : n;
}

/* How many rows the cursor is below the row in which `from` begins. A picture that is drawn over and over goes up by what it takes back. */
static int rows_below(const char *from, const char *to) {
    int row = 0;
    while (from < to) {
        char line[4096];
        size_t n = 0;
        for (; from < to && *from != '\n';) {
            size_t skip = escape(from);
            if (skip && from[skip - 1] == 'A') row -= atoi(from + 2);
            if (skip) from += skip;
            else if (*from == '\r' && from[1] != '\n') n = 0, from++; /* an erased line is written anew */
            else if (n + 1 < sizeof line) line[n++] = *from++;
            else from++;
        }
        size_t width = ph_utf8_width(line, n > 0 && line[n - 1] == '\r' ? n - 1 : n);
        row += width > COLUMNS ? (int)((width - 1) / COLUMNS) : 0;
        if (from < to) row++, from++;
    }
    return row;
}

/* The last title before `end`: "── step 2 of 16 · …" or "── 2/16 · …", the same of an appendix; what asks for a key begins alike. */
static const char *last_title(const term *t, const tongue *l, const char *end) {
    const char *found = NULL;
    for (const char *s = t->seen; (s = strstr(s, BAR)) != NULL && s < end; s += strlen(BAR)) {
        const char *text = s + strlen(BAR);
        if (strncmp(text, l->step, strlen(l->step)) == 0 ||
            strncmp(text, l->appendix, strlen(l->appendix)) == 0 || (*text >= '0' && *text <= '9'))
            found = s;
    }
    return found;
}

/* Does anything stand between the line of a title and what asks for a key? */
static bool shows_something(const char *title, const char *at, const char *ask) {
    const char *s = strchr(title, '\n');
    while (s && s < at) {
        size_t skip = escape(s);
        if (skip) s += skip;
        else if (*s == '\n' || *s == '\r' || *s == ' ') s++;
        else return strncmp(s, ask, strlen(ask)) != 0;
    }
    return false;
}

/* Where the lesson waits next: behind the first of what it asks with after the mark; NULL: it has ended. */
static const char *next_wait(term *t, const tongue *l, int *which) {
    const char *const waits[] = {PROMPT, l->pages, l->moves};
    long until = milliseconds() + 4 * PATIENCE_MS; /* a step may compute */
    for (;;) {
        const char *first = NULL;
        for (int i = 0; i < 3; i++) {
            const char *s = strstr(t->seen + t->mark, waits[i]);
            if (s && (!first || s < first)) first = s, *which = i;
        }
        bool asked =
            first && (*which != 0 || strstr(first, " \xe2\x80\xba ")); /* the prompt's own text is there */
        if (asked) {
            t->mark = (size_t)(strstr(t->seen + t->mark, waits[*which]) - t->seen) + strlen(waits[*which]);
            return t->seen + t->mark;
        }
        if (!term_read(t, 100)) return NULL;
        if (milliseconds() > until) {
            dump(t);
            fail_msg("the lesson neither waits nor ends");
        }
    }
}

static void walk(const char *lesson, const tongue *l) {
    char *args[] = {"lesson", (char *)lesson, "--lang", (char *)l->lang, NULL};
    term *t = term_open(args);
    const char *at;
    int which = 0, waited = 0;
    while ((at = next_wait(t, l, &which)) != NULL) {
        const char *title = last_title(t, l, at);
        int below = title ? rows_below(title, at) : ROWS;
        if (below > ROWS - 1) {
            dump(t);
            fail_msg("%s: at wait %d the title is %d rows above: %.60s", lesson, waited, below,
                     title ? title : "none");
        }
        if (which == 1 && !shows_something(title, at, l->pages)) {
            dump(t);
            fail_msg("%s: at wait %d a page has nothing but its title", lesson, waited);
        }
        waited++;
        bool exercise = which == 0 && strstr(at, l->exercise) && !strstr(at, BAR);
        type(t, which == 1                 ? " "
                : which == 2               ? "q"
                : strstr(title, l->review) ? ":quit\r"
                : exercise                 ? ":skip\r"
                                           : "\r");
    }
    assert_true(waited > 10);
    assert_int_equal(term_close(t), 0);
}

/* LANGUAGE: english or chinese */
#define LESSON(name)                                                                                         \
    static void name(void **state) {                                                                         \
        (void)state;                                                                                         \
        walk(#name, &LANGUAGE);                                                                              \
    }

#endif
