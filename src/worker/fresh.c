/* fresh.c: a process that has nothing of this one in its memory: no copy, but the same program started anew, with no descriptor but its end
 * of a channel and no environment but what the libraries are found and set by. So nothing that a stranger's code reads there, by whatever
 * fault, was ever this process's.
 *
 * The program tells such a start by its arguments: MARK, the descriptor, the parent, the bytes it may take, the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "worker/contain.h"
#include "worker/sandbox.h"
#include "worker/worker.h"

#define MARK  "--fresh"
#define WORDS 6 /* the arguments, with the program's name */
#define DAY   86400.0

/* The program knows such a start; one that does not would do all that it does once more, and so without end. */
static bool begun;

/* ---- here ---------------------------------------------------------------------------------------------- */

/* Those that the result may hang on, or whether the program starts at all; no other one goes along. */
static const char *const variables[] = {"LD_LIBRARY_PATH",
                                        "DYLD_LIBRARY_PATH",
                                        "LUA_PATH",
                                        "LUA_PATH_5_4",
                                        "LUA_CPATH",
                                        "LUA_CPATH_5_4",
                                        "OPENBLAS_CORETYPE",
                                        "OPENBLAS_NUM_THREADS",
                                        "OMP_NUM_THREADS",
                                        "PHASOR_CPU",
                                        "PHASOR_MEMORY",
                                        "PHASOR_THREADS",
                                        "TZ"};
#define VARIABLES (sizeof variables / sizeof *variables)

static void few_variables(char *out[VARIABLES + 1]) {
    size_t n = 0;
    for (size_t i = 0; i < VARIABLES; i++) {
        char *value = getenv(variables[i]);
        if (value) out[n++] = value - strlen(variables[i]) - 1; /* where its "NAME=" begins */
    }
    out[n] = NULL;
}

static ph_status own_program(char path[PATH_MAX], ph_err *err) {
#ifdef __linux__
    (void)err;
    strcpy(path, "/proc/self/exe"); /* the file itself, also where another one has its name by now */
    return PH_OK;
#else
    return ph_own_path(path, err);
#endif
}

ph_status wrk_spawn(pid_t *pid, int fd, const char *module, size_t bytes, ph_err *err) {
    char program[PATH_MAX], numbers[3][24], *few[VARIABLES + 1];
    char *words[WORDS + 1] = {"phasor", MARK, numbers[0], numbers[1], numbers[2], (char *)module, NULL};
    if (!begun) return ph_fail(err, PH_EUNABLE, "this program starts no other one");
    ph_status st = own_program(program, err);
    if (st != PH_OK) return st;
    snprintf(numbers[0], sizeof numbers[0], "%d", fd);
    snprintf(numbers[1], sizeof numbers[1], "%ld", (long)getpid());
    snprintf(numbers[2], sizeof numbers[2], "%zu", bytes);
    few_variables(few);
    fcntl(fd, F_SETFD, 0);
    int failed = posix_spawn(pid, program, NULL, NULL, words, few);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (failed) *pid = 0;
    if (failed == ENOENT) return ph_fail(err, PH_EIO, "there is no %s", program); /* /proc is not mounted */
    return failed ? ph_fail(err, PH_EIO, "%s", strerror(failed)) : PH_OK;
}

/* ---- there --------------------------------------------------------------------------------------------- */

static _Noreturn void live(int fd, pid_t parent, size_t bytes, const char *module) {
    const ses_options opt = {.functions = wrk_functions};
    ses_core *c;
    ph_err err;
    if (!wrk_close_others(&fd, 1) || ses_core_open(&c, &opt, &wrk_silent, &err) != PH_OK) _exit(1);
    wrk_shut_in(c, parent, DAY, bytes);
    if (luaL_loadstring(c->L, "return require(...)") != LUA_OK) _exit(1);
    lua_pushstring(c->L, module);
    if (lua_pcall(c->L, 1, 1, 0) != LUA_OK) _exit(1);
    wrk_talk(c->L, fd);
}

void wrk_begin(int argc, char **argv) {
    begun = true;
    if (argc != WORDS || strcmp(argv[1], MARK) != 0) return;
    live((int)strtol(argv[2], NULL, 10), (pid_t)strtol(argv[3], NULL, 10),
         (size_t)strtoull(argv[4], NULL, 10), argv[5]);
}
