/* A contained process tries everything it must not; each attempt is made again without containment, where it succeeds: else
 * its failure would show nothing.
 * Sources: worker/contain.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/contain.h"

static int other_end; /* of a pipe that was open before: a grader's, another child's */
static char own_file[64];

static bool reads_a_file(void) { return open("/etc/passwd", O_RDONLY) >= 0; }
static bool reads_itself(void) { return open("/proc/self/maps", O_RDONLY) >= 0; }
static bool writes_a_file(void) { return open(own_file, O_WRONLY | O_CREAT, 0600) >= 0; }
static bool removes_a_file(void) { return unlink(own_file) == 0; }
static bool lists_a_folder(void) { return open("/tmp", O_RDONLY | O_DIRECTORY) >= 0; }
static bool makes_a_folder(void) { return mkdir(own_file, 0700) == 0; }
static bool learns_of_a_file(void) {
    struct stat s;
    return stat("/etc/passwd", &s) == 0;
}
static bool writes_to_others(void) { return write(other_end, "10", 2) == 2; }
static bool speaks(void) { return write(2, "", 0) == 0 && fcntl(2, F_GETFD) >= 0; }
static bool forks(void) {
    pid_t p = fork();
    if (p == 0) _exit(0);
    return p > 0;
}
static void *idle(void *none) { return none; }
static bool starts_a_thread(void) {
    pthread_t t;
    return pthread_create(&t, NULL, idle, NULL) == 0;
}
static bool runs_a_program(void) {
    char *argv[] = {"true", NULL};
    if (access("/bin/true", X_OK) != 0) return false;
    execv("/bin/true", argv);
    return false;
}
static bool makes_a_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static bool pairs_sockets(void) {
    int two[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0;
}
static bool reaches_its_parent(void) { return kill(getppid(), 0) == 0; }
static bool makes_memory_executable(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}
static bool has_an_environment(void) { return getenv("PATH") != NULL; }
static bool has_another_descriptor(void) {
    for (int fd = 0; fd < 256; fd++) {
        struct stat s;
        if (fd > 2 && fd != other_end && fstat(fd, &s) == 0) return true;
    }
    return false;
}

static const struct {
    const char *name;
    bool (*succeeds)(void);
} attempts[] = {
#define ATTEMPT(f)                                                                                           \
    { #f, f }
    ATTEMPT(reads_a_file),
    ATTEMPT(reads_itself),
    ATTEMPT(writes_a_file),
    ATTEMPT(removes_a_file),
    ATTEMPT(lists_a_folder),
    ATTEMPT(makes_a_folder),
    ATTEMPT(learns_of_a_file),
    ATTEMPT(writes_to_others),
    ATTEMPT(speaks),
    ATTEMPT(forks),
    ATTEMPT(starts_a_thread),
    ATTEMPT(makes_a_socket),
    ATTEMPT(pairs_sockets),
    ATTEMPT(reaches_its_parent),
    ATTEMPT(makes_memory_executable),
    ATTEMPT(has_an_environment),
    ATTEMPT(has_another_descriptor),
#undef ATTEMPT
};
enum { N = sizeof attempts / sizeof *attempts };

/* Each attempt in a child of its own: '1' where it succeeded. */
static void try_all(char *out, bool contained) {
    for (int i = 0; i < N; i++) {
        int ends[2], beside[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(pipe(beside), 0);
        other_end = beside[1];
        pid_t p = fork();
        if (p == 0) {
            close(ends[0]);
            if (contained && wrk_contain((int[]){ends[1]}, 1, NULL) != PH_OK) _exit(3);
            char answer = attempts[i].succeeds() ? '1' : '0';
            if (write(ends[1], &answer, 1) != 1) _exit(4);
            _exit(0);
        }
        close(ends[1]);
        out[i] = '?';
        assert_true(read(ends[0], &out[i], 1) <= 1);
        close(ends[0]), close(beside[0]), close(beside[1]);
        int status;
        assert_int_equal(waitpid(p, &status, 0), p);
    }
}

static void it_can_only_compute_and_answer(void **state) {
    (void)state;
    char free_to[N], contained[N];
    snprintf(own_file, sizeof own_file, "/tmp/phasor-contain-%d", (int)getpid());
    if (wrk_containment_lacks()) {
        print_message("this system lacks %s\n", wrk_containment_lacks());
        skip();
    }
    try_all(free_to, false);
    rmdir(own_file), unlink(own_file);
    try_all(contained, true);
    for (int i = 0; i < N; i++) {
        if (free_to[i] != '1') fail_msg("%s: it is no attempt, it fails anywhere", attempts[i].name);
        if (contained[i] != '0') fail_msg("%s: answered %c", attempts[i].name, contained[i]);
    }
    assert_int_not_equal(access(own_file, F_OK), 0);
}

/* A lesson of a stranger reads what lies beside it and nothing else; it may start copies of itself, which are confined as well. */
static char beside_it[96], folder_of_it[80];
static bool reads_beside(void) { return open(beside_it, O_RDONLY) >= 0; }
static bool lists_beside(void) { return open(folder_of_it, O_RDONLY | O_DIRECTORY) >= 0; }
static bool writes_beside(void) { return open(beside_it, O_WRONLY) >= 0; }
static bool reads_in_a_copy(void) {
    int status = 0;
    pid_t p = fork();
    if (p == 0) _exit(open(beside_it, O_RDONLY) >= 0 && !reads_a_file() ? 7 : 8);
    return waitpid(p, &status, 0) == p && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

static void a_confined_one_reads_in_its_folder_alone(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool (*succeeds)(void);
        bool left;
    } rows[] = {{"reads_beside", reads_beside, true},
                {"lists_beside", lists_beside, true},
                {"reads_in_a_copy", reads_in_a_copy, true},
                {"pairs_sockets", pairs_sockets, true},
                {"writes_beside", writes_beside, false},
                {"reads_a_file", reads_a_file, false},
                {"reads_itself", reads_itself, false},
                {"writes_a_file", writes_a_file, false},
                {"lists_a_folder", lists_a_folder, false},
                {"makes_a_folder", makes_a_folder, false},
                {"makes_a_socket", makes_a_socket, false},
                {"has_an_environment", has_an_environment, false},
                {"makes_memory_executable", makes_memory_executable, false}};
    if (wrk_containment_lacks()) skip();
    snprintf(own_file, sizeof own_file, "/tmp/phasor-confine-%d", (int)getpid());
    snprintf(folder_of_it, sizeof folder_of_it, "%s.d", own_file);
    snprintf(beside_it, sizeof beside_it, "%s/a", folder_of_it);
    assert_int_equal(mkdir(folder_of_it, 0700), 0);
    close(open(beside_it, O_WRONLY | O_CREAT, 0600));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status;
        pid_t p = fork();
        if (p == 0) {
            if (wrk_confine(folder_of_it, NULL) != PH_OK) _exit(3);
            _exit(rows[i].succeeds() ? 7 : 8);
        }
        assert_int_equal(waitpid(p, &status, 0), p);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != (rows[i].left ? 7 : 8))
            fail_msg("%s: status %d", rows[i].name, status);
    }
    pid_t p = fork();
    int status;
    if (p == 0) _exit(wrk_confine("/tmp/there is no such folder", NULL) == PH_EUNABLE ? 7 : 8);
    assert_int_equal(waitpid(p, &status, 0), p);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(unlink(beside_it), 0);
    assert_int_equal(rmdir(folder_of_it), 0);
}

/* A program that takes the process's place would end it with 0 and no answer. */
static void it_becomes_no_other_program(void **state) {
    (void)state;
    int status;
    if (wrk_containment_lacks()) skip();
    pid_t p = fork();
    if (p == 0) {
        if (wrk_contain((int[]){1}, 1, NULL) != PH_OK) _exit(3);
        runs_a_program();
        _exit(errno == EPERM || errno == EACCES ? 7 : 8);
    }
    assert_int_equal(waitpid(p, &status, 0), p);
    assert_int_equal(WEXITSTATUS(status), 7);
}

#if (defined(__x86_64__) || defined(__i386__)) && defined(__linux__)
/* Every number that a call may have, with arguments that mean nothing: none is let through but those that computing takes. */
static const int let_through[] = {
    SYS_close,
    SYS_poll,
    SYS_munmap,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_sched_yield,
    SYS_mremap,
    SYS_madvise,
    SYS_nanosleep,
    SYS_getpid,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_times,
    SYS_sigaltstack,
    SYS_time,
    SYS_futex,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_getrandom,
    SYS_ppoll,
    SYS_clock_nanosleep,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigreturn,
    SYS_sched_getaffinity,
    SYS_restart_syscall,
#ifdef __x86_64__
    335, /* uretprobe and uprobe, which newer kernels ask no filter about, and refuse here */
    336,
#else
    SYS_sigreturn,
    SYS_futex_time64,
    SYS_clock_gettime64,
    SYS_clock_getres_time64,
    SYS_clock_nanosleep_time64,
    SYS_ppoll_time64,
#endif
};
enum { NUMBERS = 600 };

static bool is_let_through(int number) {
    for (size_t i = 0; i < sizeof let_through / sizeof *let_through; i++)
        if (let_through[i] == number) return true;
    return false;
}

static void no_other_call_is_let_through(void **state) {
    (void)state;
    int status, *first = mmap(NULL, sizeof *first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (wrk_containment_lacks()) skip();
    assert_true(first != MAP_FAILED);
    *first = -1;
    pid_t p = fork();
    if (p == 0) {
        if (wrk_contain((int[]){1}, 1, NULL) != PH_OK) _exit(3);
        for (int n = 0; n < NUMBERS; n++)
            if (!is_let_through(n) && (syscall(n, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != EPERM)) {
                *first = n;
                _exit(4);
            }
        _exit(7);
    }
    assert_int_equal(waitpid(p, &status, 0), p);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) fail_msg("call %d: status %x", *first, status);
    munmap(first, sizeof *first);
}
#endif

#if defined(__x86_64__) && defined(__linux__)
/* By the two other doors of this processor, the calls of 32 bits and those of x32, where numbers mean other calls, nothing is let through:
 * the process ends there. */
enum { X32 = 0x40000000 };

static long by_32_bits(long number) {
    long r;
    __asm__ volatile("int $0x80"
                     : "=a"(r)
                     : "0"(number), "b"(0), "c"(0), "d"(0)
                     : "memory", "r8", "r9", "r10", "r11");
    return r;
}

static void other_doors_to_the_kernel_are_shut(void **state) {
    (void)state;
    static const int numbers[] = {0, 1, 2, 3, 5, 20, 39, 57, 102, 120, 257, 319, 520, 545};
    if (wrk_containment_lacks()) skip();
    for (size_t i = 0; i < 2 * sizeof numbers / sizeof *numbers; i++) {
        int status, number = numbers[i / 2];
        pid_t p = fork();
        if (p == 0) {
            if (wrk_contain((int[]){1}, 1, NULL) != PH_OK) _exit(3);
            if (i % 2) (void)by_32_bits(number);
            else (void)syscall(X32 | number, 0, 0, 0, 0, 0, 0);
            _exit(4);
        }
        assert_int_equal(waitpid(p, &status, 0), p);
        if (!WIFSIGNALED(status))
            fail_msg("call %d of %s: status %x", number, i % 2 ? "32 bits" : "x32", status);
    }
}
#endif

/* Memory, clocks, random bytes, its own end. */
static void what_computing_takes_is_left(void **state) {
    (void)state;
    int status;
    if (wrk_containment_lacks()) skip();
    pid_t p = fork();
    if (p == 0) {
        if (wrk_contain((int[]){1}, 1, NULL) != PH_OK) _exit(3);
        char *big = malloc(64u << 20);
        if (!big) _exit(4);
        memset(big, 1, 64u << 20);
        free(big);
        if (!(ph_clock() > 0)) _exit(5);
        abort();
    }
    assert_int_equal(waitpid(p, &status, 0), p);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_can_only_compute_and_answer),
        cmocka_unit_test(a_confined_one_reads_in_its_folder_alone),
        cmocka_unit_test(it_becomes_no_other_program),
        cmocka_unit_test(what_computing_takes_is_left),
#if (defined(__x86_64__) || defined(__i386__)) && defined(__linux__)
        cmocka_unit_test(no_other_call_is_let_through),
#endif
#if defined(__x86_64__) && defined(__linux__)
        cmocka_unit_test(other_doors_to_the_kernel_are_shut),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
