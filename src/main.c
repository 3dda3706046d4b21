/* main.c: arguments → front end. Status: 0 fine, 1 failed, 2 usage. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "repl/edit.h"
#include "repl/repl.h"
#include "repl/settings.h"
#include "repl/usage.h"
#include "worker/worker.h"

enum { FINE = 0, FAILED = 1, USAGE = 2 };

/* ---- what was asked for -------------------------------------------------------------------------------- */

typedef enum { DO_RUN, DO_COURSE, DO_KERNEL, DO_VERSION, DO_HELP, DO_COMMAND_HELP } action;

typedef struct {
    action action;
    bool interactive;    /* -i */
    const char **chunks; /* of -e */
    size_t nchunks;
    const char *script; /* FILE, "-" for stdin, or NULL; the name of a command of the course */
    char **args;        /* what stands behind it, ended by NULL */
} command_line;

typedef struct {
    const char *name, *other; /* other: a long form, or NULL */
    const char *argument;     /* NULL: takes none */
    const char *help, *help_zh;
    void (*take)(command_line *c, const char *argument);
} option;

static void take_chunk(command_line *c, const char *code) { c->chunks[c->nchunks++] = code; }
static void take_interactive(command_line *c, const char *none) { (void)none, c->interactive = true; }
static void take_version(command_line *c, const char *none) { (void)none, c->action = DO_VERSION; }
static void take_help(command_line *c, const char *none) { (void)none, c->action = DO_HELP; }

static const option options[] = {
    {"-e", NULL, "CODE", "run CODE and print its value; may be given more than once",
     "运行 CODE 并打印它的值；可以写几次", take_chunk},
    {"-i", "--interactive", NULL, "then read inputs and print their values, terminal or not",
     "随后读取输入并打印其值，不论是不是终端", take_interactive},
    {"-v", "--version", NULL, "print the versions of phasor and its libraries",
     "打印 phasor 及所用各库的版本", take_version},
    {"-h", "--help", NULL, "print this", "打印这些", take_help},
};
#define OPTIONS (sizeof options / sizeof *options)

static int print_help(void) {
    char left[80];
    puts(REPL_SAYS("usage: phasor [OPTIONS] [FILE [ARGS...]]     run a Lua file; - reads stdin\n"
                   "       phasor                                the prompt, at a terminal\n",
                   "用法： phasor [OPTIONS] [FILE [ARGS...]]     运行 Lua 文件；- 读标准输入\n"
                   "       phasor                                在终端里：提示符\n"));
    repl_print_commands();
    puts(REPL_SAYS("       phasor COMMAND --help                 all about one of these\n\noptions:",
                   "       phasor COMMAND --help                 其中一个命令的全部说明\n\n选项："));
    for (size_t i = 0; i < OPTIONS; i++) {
        const option *o = &options[i];
        snprintf(left, sizeof left, "%s%s%s %s", o->name, o->other ? ", " : "", o->other ? o->other : "",
                 o->argument ? o->argument : "");
        printf("  %-20s %s\n", left, REPL_SAYS(o->help, o->help_zh));
    }
    puts(REPL_SAYS("\nstatus: 0 fine, 1 a check or the program failed, 2 wrong usage",
                   "\n返回状态：0 正常，1 核对或程序失败，2 用法不对"));
    return FINE;
}

static int usage(const char *fmt, const char *what, const char *more) {
    fputs("phasor: ", stderr);
    fprintf(stderr, fmt, what, more);
    fputs(REPL_SAYS("\nphasor --help lists what there is\n", "\nphasor --help 列出全部用法\n"), stderr);
    return USAGE;
}

static int unknown_option(const char *word) {
    const char *names[2 * OPTIONS + 1];
    size_t n = 0;
    for (size_t i = 0; i < OPTIONS; i++) {
        names[n++] = options[i].name;
        if (options[i].other) names[n++] = options[i].other;
    }
    names[n] = NULL;
    const char *near = ph_nearest(word, names);
    return near ? usage(REPL_SAYS("unknown option %s; did you mean %s?", "没有选项 %s；是不是想写 %s？"),
                        word, near)
                : usage(REPL_SAYS("unknown option %s%s", "没有选项 %s%s"), word, "");
}

/* The option that a word is, exactly or with its argument attached (-eCODE). */
static const option *find_option(const char *word, const char **attached) {
    *attached = NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        const option *o = &options[i];
        if (strcmp(word, o->name) == 0 || (o->other && strcmp(word, o->other) == 0)) return o;
        if (o->argument && strncmp(word, o->name, strlen(o->name)) == 0) {
            *attached = word + strlen(o->name);
            return o;
        }
    }
    return NULL;
}

static bool wants_help(char *const *args) {
    for (; *args && strcmp(*args, "--") != 0; args++)
        if (strcmp(*args, "--help") == 0 || strcmp(*args, "-h") == 0) return true;
    return false;
}

static int parse(command_line *c, char **argv) {
    const usage_command *command;
    for (; *argv && **argv == '-' && (*argv)[1] && strcmp(*argv, "--") != 0; argv++) {
        const char *argument;
        const option *o = find_option(*argv, &argument);
        if (!o) return unknown_option(*argv);
        if (o->argument && !argument && !(argument = *++argv))
            return usage(REPL_SAYS("%s wants %s", "%s 后面要给 %s"), o->name, o->argument);
        o->take(c, argument);
    }
    if (*argv && strcmp(*argv, "--") == 0) argv++;
    else if (*argv && (command = repl_find_command(*argv)) && c->action == DO_RUN)
        c->action = wants_help(argv + 1) ? DO_COMMAND_HELP : command->kernel ? DO_KERNEL : DO_COURSE;
    c->script = *argv;
    c->args = *argv ? argv + 1 : argv;
    return FINE;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* The whole of a stream; NULL with errno set. */
static char *read_whole(FILE *f, size_t *n) {
    char *text = NULL, *bigger;
    size_t cap = 0;
    *n = 0;
    do {
        if (!(bigger = ph_realloc(text, cap += cap / 2 + 16384))) {
            ph_free(text);
            errno = ENOMEM;
            return NULL;
        }
        text = bigger;
        *n += fread(text + *n, 1, cap - *n - 1, f);
    } while (*n == cap - 1);
    text[*n] = '\0';
    if (!ferror(f)) return text;
    ph_free(text);
    return NULL;
}

static int cannot_read(const char *path, int why) {
    char text[256];
    const char *near = why == ENOENT ? ph_nearest(path, repl_command_names()) : NULL;
    if (near)
        snprintf(text, sizeof text, REPL_SAYS("%s; did you mean the command %s?", "%s；是不是想用命令 %s？"),
                 strerror(why), near);
    else snprintf(text, sizeof text, "%s", strerror(why));
    return usage(REPL_SAYS("cannot read %s: %s", "读不到 %s：%s"), path, text);
}

static int load_script(const char *path, char **code, size_t *n) {
    bool own = strcmp(path, "-") != 0;
    FILE *f = own ? fopen(path, "rb") : stdin;
    *code = f ? read_whole(f, n) : NULL;
    int why = errno;
    if (f && own) fclose(f);
    return *code ? FINE : cannot_read(own ? path : "stdin", why);
}

/* -e chunks, then the script, then the prompt when it was asked for. The first failure ends it, but not
 * before a prompt. */
static int run_all(repl *r, const command_line *c, const char *code, size_t n, bool prompt) {
    int status = FINE;
    bool left = false;
    for (size_t i = 0; i < c->nchunks && status == FINE && !left; i++)
        status = repl_run_input(r, c->chunks[i], "command line", &left);
    if (code && status == FINE && !left)
        status = repl_run(r, code, n, strcmp(c->script, "-") == 0 ? "stdin" : c->script, c->args, &left);
    return prompt && !left ? repl_prompt(r) : status;
}

static int open_repl(repl **r, bool worker) {
    ph_err err;
    if (repl_open(r, worker, &err) == PH_OK) return FINE;
    fprintf(stderr, "phasor: %s\n", err.text);
    return FAILED;
}

static int do_run(command_line *c) {
    bool nothing = !c->script && c->nchunks == 0, terminal = isatty(STDIN_FILENO);
    bool prompt = c->interactive || (nothing && terminal);
    char *code = NULL;
    size_t n = 0;
    repl *r = NULL;
    if (nothing && !prompt) c->script = "-";
    int status = c->script ? load_script(c->script, &code, &n) : FINE;
    if (status == FINE) status = open_repl(&r, prompt);
    if (status == FINE) status = run_all(r, c, code, n, prompt);
    repl_close(r);
    ph_free(code);
    return status;
}

static int do_course(const command_line *c) {
    static const char code[] = "os.exit(require('phasor.course').main(...))";
    bool asks = repl_find_command(c->script)->asks;
    repl *r;
    int status = open_repl(&r, asks);
    if (status != FINE) return status;
    /* the command is the first argument */
    if (asks) status = repl_visit(r, code, sizeof code - 1, "phasor", c->args - 1);
    else status = repl_run(r, code, sizeof code - 1, "phasor", c->args - 1, NULL);
    repl_close(r);
    return status;
}

/* install [--user|--prefix DIR] */
static int install_kernel(char **args) {
    const char *prefix = NULL;
    char *where;
    ph_err err;
    for (; *args; args++) {
        if (strcmp(*args, "--user") == 0) prefix = NULL;
        else if (strcmp(*args, "--prefix") == 0 && args[1]) prefix = *++args;
        else
            return usage(REPL_SAYS("kernel install wants --user or --prefix DIR, not %s%s",
                                   "kernel install 要给 --user 或 --prefix DIR，而不是 %s%s"),
                         *args, "");
    }
    if (krn_install(&where, prefix, &err) != PH_OK) return fprintf(stderr, "phasor: %s\n", err.text), FAILED;
    printf("%s/phasor, %s/phasor-zh\n", where, where);
    ph_free(where);
    return FINE;
}

static int do_kernel(char **args) {
    const char *what = *args ? *args : "nothing", *lang = "en";
    if (strcmp(what, "install") == 0) return install_kernel(args + 1);
    if (strcmp(what, "run") != 0 || !args[1])
        return usage(REPL_SAYS("kernel wants install or run CONNECTION, not %s%s",
                               "kernel 后面应为 install 或 run CONNECTION，而不是 %s%s"),
                     what, "");
    if (args[2] && (strcmp(args[2], "--lang") != 0 || !args[3]))
        return usage(REPL_SAYS("kernel run wants --lang en|zh, not %s%s",
                               "kernel run 后面应为 --lang en|zh，而不是 %s%s"),
                     args[2], "");
    if (args[2]) lang = strcmp(args[3], "zh") == 0 ? "zh" : "en";
    return krn_run(args[1], lang);
}

/* The one place that prints versions: what the laboratory knows of itself, then what only the front end
 * links. */
static int do_version(void) {
    static const char code[] =
        "local names = {lua = 'Lua', blas = 'BLAS', lapack = 'LAPACK', flint = 'FLINT', cpu = 'processor'}\n"
        "local version, keys = require('phasor').version, {}\n"
        "for key in pairs(version) do if key ~= 'phasor' then keys[#keys + 1] = key end end\n"
        "table.sort(keys)\n"
        "table.insert(keys, 1, 'cpu')\n"
        "print('phasor ' .. version.phasor)\n"
        "for _, key in ipairs(keys) do print(('  %-9s %s'):format(names[key] or key, version[key])) end\n"
        "print(('  jansson   %s\\n  readline  %s'):format(...))\n";
    char *args[] = {JANSSON_VERSION, (char *)repl_edit_version(), NULL};
    repl *r;
    int status = open_repl(&r, false);
    if (status == FINE) status = repl_run(r, code, sizeof code - 1, "version", args, NULL);
    repl_close(r);
    return status;
}

/* A standard descriptor that is closed would go to the first socket that is opened, and whoever reads it would wait for ever. From
 * /dev/null there is nothing to read, and writing to one that is open for reading fails as on a closed one. */
static void fill_standard(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) return;
}

/* Has whoever read the output through a pipe left, as head does? Then nothing is amiss. */
static bool nobody_reads(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int main(int argc, char **argv) {
    fill_standard();
    wrk_begin(argc, argv);
    command_line c = {.chunks = ph_calloc((size_t)argc + 1, sizeof *c.chunks)};
    if (!c.chunks) return fputs("phasor: out of memory\n", stderr), FAILED;
    signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is an error to report, not the end of the process */
    int status = parse(&c, argv + (argc > 0));
    if (status == FINE) switch (c.action) {
        case DO_RUN: status = do_run(&c); break;
        case DO_COURSE: status = do_course(&c); break;
        case DO_KERNEL: status = do_kernel(c.args); break;
        case DO_VERSION: status = do_version(); break;
        case DO_HELP: status = print_help(); break;
        case DO_COMMAND_HELP: repl_print_usage(repl_find_command(c.script)); break;
        }
    ph_free(c.chunks);
    int why = fflush(stdout) != 0 ? errno : ferror(stdout) ? EIO : 0; /* EIO: it was earlier */
    if (why) {
        if (!nobody_reads()) fprintf(stderr, "phasor: stdout: %s\n", strerror(why));
        return status == FINE ? FAILED : status;
    }
    return status;
}
