/* What stands in the memory of a process that runs an answer, read from outside while the answer computes: its own text and what the lesson
 * shows; of the grader, its environment and its other hand-ins not a word.
 * Sources: worker/fresh.c course/desk.lua course/grade.lua */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "fixture.h"
#include "folder.h"
#include "worker/contain.h"

#define WORD     "canary:"
#define COMPUTED 0.2 /* seconds of processor time, after which only an endless loop is at it still */

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static char phasor[PATH_MAX]; /* a test is in a folder of its own */

/* The lesson and three hand-ins, of which the second never ends. */
static void write_files(void) {
    put("turns.lua", fixture("@lesson"));
    put("turns-canary:before.lua",
        "-- %% role=\"exercise\" ref=\"one\"\nfunction f(x) return 2 * x, 'canary:left' end\n");
    put("turns-eve.lua",
        "-- %% role=\"exercise\" ref=\"one\"\nlocal own = 'canary:own'\nwhile true do end\n");
    put("turns-canary:behind.lua",
        "-- %% role=\"exercise\" ref=\"one\"\nfunction f(x) return x + x end, 'canary:right'\n");
}

static pid_t start(const char *trust) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    int table = open("table", O_WRONLY | O_CREAT, 0600);
    setenv("TEACHER", "canary:environment", 1);
    if (dup2(table, 1) != 1) _exit(127);
    execl(phasor, phasor, "grade", "--lesson", "turns.lua", "--seconds", "0.6", "turns-canary:before.lua",
          "turns-eve.lua", "turns-canary:behind.lua", trust, (char *)NULL);
    _exit(127);
}

/* ---- which process ------------------------------------------------------------------------------------- */

/* A line of a file below /proc/PID; "" where there is none. */
static const char *line_of(pid_t pid, const char *name, const char *begins) {
    static char path[64], line[4096];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    FILE *f = fopen(path, "r");
    while (f && !found && fgets(line, sizeof line, f)) found = strncmp(line, begins, strlen(begins)) == 0;
    if (f) fclose(f);
    return found ? line : "";
}

static bool is_contained(pid_t pid) {
    return strcmp(line_of(pid, "status", "Seccomp:"), "Seccomp:\t2\n") == 0;
}

static double computed(pid_t pid) {
    unsigned long ticks = 0;
    const char *behind = strrchr(line_of(pid, "stat", ""), ')');
    if (!behind || sscanf(behind, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1) return 0;
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* The contained process below `pid` that computes; 0: none does yet. */
static pid_t find_answer(pid_t pid) {
    char name[32], list[4096];
    snprintf(name, sizeof name, "task/%d/children", (int)pid);
    snprintf(list, sizeof list, "%s", line_of(pid, name, ""));
    pid_t found = 0;
    for (char *p = list, *end; !found; p = end) {
        pid_t child = (pid_t)strtol(p, &end, 10);
        if (end == p) break;
        found = is_contained(child) && computed(child) >= COMPUTED ? child : find_answer(child);
    }
    return found;
}

static pid_t wait_for_answer(pid_t grader) {
    const struct timespec pause = {.tv_nsec = 20000000};
    pid_t found = 0;
    for (int i = 0; i < 1000 && !found; i++) {
        nanosleep(&pause, NULL);
        found = find_answer(grader);
    }
    return found;
}

/* ---- its memory ---------------------------------------------------------------------------------------- */

static const char *const words[] = {"own",   "seen", "solution", "check",  "hidden",      "wrong",
                                    "later", "left", "right",    "before", "environment", "behind"};
enum { OF_ANSWERS = 2, WORDS = sizeof words / sizeof *words };

/* Notes which of the words stand in n bytes. */
static void look(bool seen[WORDS], const char *text, size_t n) {
    size_t mark = strlen(WORD);
    for (const char *at = text; (at = memmem(at, n - (size_t)(at - text), WORD, mark)) != NULL; at += mark)
        for (int i = 0; i < WORDS; i++) {
            size_t k = strlen(words[i]);
            if ((size_t)(at - text) + mark + k <= n && memcmp(at + mark, words[i], k) == 0) seen[i] = true;
        }
}

/* Reads all that the process can read, region by region; returns how many bytes: 0 where the system shows them to nobody. */
static size_t look_at_memory(bool seen[WORDS], pid_t pid) {
    char path[64], line[512], rights[8];
    unsigned long from, to;
    size_t all = 0;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    int memory = open(path, O_RDONLY);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    while (memory >= 0 && maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3 || *rights != 'r' || strstr(line, "[v"))
            continue;
        char *text = malloc(to - from);
        assert_non_null(text);
        ssize_t got = pread(memory, text, to - from, (off_t)from);
        if (got > 0) look(seen, text, (size_t)got), all += (size_t)got;
        free(text);
    }
    if (maps) fclose(maps);
    if (memory >= 0) close(memory);
    return all;
}

static void nothing_of_the_grader_is_there(const char *trust) {
#ifdef __SANITIZE_ADDRESS__
    skip(); /* what it maps no one reads to the end */
#endif
    bool seen[WORDS] = {false};
    int status;
    char children[64];
    snprintf(children, sizeof children, "/proc/self/task/%d/children", (int)getpid());
    if (wrk_containment_lacks() || access(children, R_OK) != 0) skip();
    write_files();
    pid_t grader = start(trust), answer = wait_for_answer(grader);
    if (answer) kill(answer, SIGSTOP);
    size_t all = answer ? look_at_memory(seen, answer) : 0;
    if (answer) kill(answer, SIGCONT);
    assert_int_equal(waitpid(grader, &status, 0), grader);
    assert_int_not_equal(answer, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (all == 0) skip();
    assert_true(all > (size_t)1 << 20);
    for (int i = 0; i < WORDS; i++)
        if (seen[i] != (i < OF_ANSWERS))
            fail_msg("canary:%s %s", words[i], seen[i] ? "is there" : "is not found");
}

static void of_a_strangers_lesson(void **state) {
    (void)state;
    nothing_of_the_grader_is_there(NULL);
}

static void of_ones_own_lesson(void **state) {
    (void)state;
    nothing_of_the_grader_is_there("--trust");
}

int main(void) {
    const char *path = getenv("PHASOR");
    if (!realpath(path ? path : "build/phasor", phasor)) return perror("phasor"), 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_a_strangers_lesson, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(of_ones_own_lesson, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
