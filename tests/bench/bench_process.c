/* bench_process PHASOR: whole processes, seen from outside: start, prompt, memory. Peer: /usr/bin/python3 with NumPy. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

enum { SAMPLES = 5, PATIENCE = 5000 /* ms */ };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void die(const char *what) {
    fprintf(stderr, "bench_process: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Runs argv silently to its end. False when it could not be run or failed. peak: bytes, may be NULL. */
static bool run(const char *const *argv, double *seconds, double *peak) {
    double began = now();
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0), dup2(null, 1), dup2(null, 2);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    struct rusage use;
    if (wait4(pid, &status, 0, &use) != pid) die("wait4");
    *seconds = now() - began;
#ifdef __APPLE__
    if (peak) *peak = (double)use.ru_maxrss; /* bytes there, kilobytes elsewhere */
#else
    if (peak) *peak = 1024.0 * (double)use.ru_maxrss;
#endif
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- at a terminal ------------------------------------------------------------------------------------- */

typedef struct {
    pid_t pid;
    int fd;
    double began;
    char seen[1 << 16];
    size_t n;
} terminal;

/* With a home of its own, so that no history is read or written. */
static void open_terminal(terminal *t, const char *phasor, const char *home) {
    t->n = 0;
    t->began = now();
    t->pid = forkpty(&t->fd, NULL, NULL, NULL);
    if (t->pid < 0) die("forkpty");
    if (t->pid == 0) {
        setenv("HOME", home, 1);
        setenv("XDG_STATE_HOME", home, 1);
        setenv("TERM", "xterm", 1);
        execl(phasor, phasor, (char *)NULL);
        _exit(127);
    }
}

/* Seconds since the start when `text` first stood on the screen after byte `from`; negative: it never came. */
static double wait_for(terminal *t, const char *text, size_t from) {
    double end = now() + 1e-3 * PATIENCE;
    while (now() < end && t->n + 1 < sizeof t->seen) {
        t->seen[t->n] = '\0';
        if (t->n > from && strstr(t->seen + from, text)) return now() - t->began;
        struct pollfd p = {t->fd, POLLIN, 0};
        if (poll(&p, 1, PATIENCE) <= 0) break;
        ssize_t got = read(t->fd, t->seen + t->n, sizeof t->seen - 1 - t->n);
        if (got <= 0) break;
        t->n += (size_t)got;
    }
    return -1;
}

/* Ctrl-D, and if the program is still there after PATIENCE, SIGKILL. */
static void close_terminal(terminal *t) {
    if (write(t->fd, "\004", 1) != 1) perror("bench_process: write");
    struct pollfd p = {t->fd, POLLIN, 0};
    char rest[4096];
    bool open = true;
    while (open && poll(&p, 1, PATIENCE) > 0) open = read(t->fd, rest, sizeof rest) > 0;
    if (open) {
        fprintf(stderr, "bench_process: Ctrl-D did not end the prompt\n");
        kill(t->pid, SIGKILL);
    }
    close(t->fd);
    waitpid(t->pid, NULL, 0);
    if (open) exit(1);
}

/* RSS of a process and of all below it, in bytes; pages that they share are counted in each. */
static double memory_of_tree(long pid) {
    char path[80], line[4096];
    double bytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*s %lf", &bytes) == 1) bytes *= (double)sysconf(_SC_PAGESIZE);
    if (f) fclose(f);
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
    if (!(f = fopen(path, "r"))) return bytes;
    if (fgets(line, sizeof line, f))
        for (char *p = line, *end; *p; p = end) {
            long child = strtol(p, &end, 10);
            if (end == p) break;
            bytes += memory_of_tree(child);
        }
    fclose(f);
    return bytes;
}

static void prompt_rows(const char *phasor, const char *home) {
    static terminal t;
    open_terminal(&t, phasor, home);
    double prompt = wait_for(&t, "> ", 0);
    if (prompt < 0) {
        fprintf(stderr, "bench_process: no prompt came; seen: %s\n", t.seen);
        exit(1);
    }
    printf("prompt phasor %.9f\n", prompt);
    size_t from = t.n;
    if (write(t.fd, "6*7\r", 4) != 4) die("write");
    double answer = wait_for(&t, "42", from);
    if (answer < 0) {
        fprintf(stderr, "bench_process: no answer came; seen: %s\n", t.seen);
        exit(1);
    }
    printf("answer phasor %.9f\n", answer);
    size_t at = (size_t)(strstr(t.seen + from, "42") - t.seen);
    if (wait_for(&t, "> ", at) < 0)
        die("no second prompt came"); /* before it, Ctrl-D would belong to the input */
    close_terminal(&t);
}

static void memory_row(const char *phasor, const char *home) {
    if (access("/proc/self/statm", R_OK) != 0) {
        puts("missing rss_prompt this system has no /proc");
        return;
    }
    static terminal t;
    open_terminal(&t, phasor, home);
    if (wait_for(&t, "> ", 0) < 0) die("no prompt came");
    nanosleep(&(struct timespec){0, 200000000}, NULL); /* what starts behind the prompt has started */
    printf("rss_prompt phasor %.0f\n", memory_of_tree((long)t.pid));
    close_terminal(&t);
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: bench_process PHASOR\n"), 2;
    const char *phasor = argv[1];
    char home[] = "/tmp/phasor-bench-XXXXXX";
    if (!mkdtemp(home)) die("mkdtemp");
    double seconds, peak;
    const char *empty[] = {phasor, "-e", "", NULL};
    const char *python[] = {"/usr/bin/python3", "-c", "import numpy", NULL};
    bool numpy = run(python, &seconds, NULL);
    if (!numpy) puts("missing numpy /usr/bin/python3 cannot import it");
    for (int i = 0; i < SAMPLES; i++) {
        if (!run(empty, &seconds, NULL)) die("phasor -e ''");
        printf("start phasor %.9f\n", seconds);
        if (numpy && run(python, &seconds, NULL)) printf("start numpy %.9f\n", seconds);
        prompt_rows(phasor, home);
        memory_row(phasor, home);
    }
    const char *drop[] = {phasor, "-e", "local x = zeros(1000000)\nfor i = 1, 2000 do local y = x + i end",
                          NULL};
    const char *pydrop[] = {"/usr/bin/python3", "-c",
                            "import numpy\nx = numpy.zeros(1000000)\nfor i in range(2000): y = x + i", NULL};
    if (!run(drop, &seconds, &peak)) die("2000 arrays");
    printf("drop phasor %.0f\n", peak);
    if (numpy && run(pydrop, &seconds, &peak)) printf("drop numpy %.0f\n", peak);
    const char *check[] = {phasor, "check", "--strict", NULL};
    if (!run(check, &seconds, NULL)) die("phasor check --strict");
    printf("ledger phasor %.9f\n", seconds);
    char clean[80];
    snprintf(clean, sizeof clean, "rm -rf %s", home);
    return system(clean) == 0 ? 0 : 1;
}
