/* A kernel among things that go wrong: interrupts, dead workers, hostile messages, files and ports, clients that are gone. The real
 * binary, over its sockets.
 * Sources: kernel/connection.c kernel/kernel.c kernel/library.c */
#include <dirent.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "client.h"

/* ---- processes ----------------------------------------------------------------------------------------- */

static bool is_there(long pid) {
    char path[64], line[300] = "", *state;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f) return false;
    size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    state = strrchr(line, ')');
    return state && state[2] != 'Z';
}

static bool goes(long pid) {
    for (int i = 0; i < PATIENCE / 5 && is_there(pid); i++) usleep(5000);
    return !is_there(pid);
}

/* The worker's process; it is the parent of what a cell starts. */
static long worker(void) {
    run("f = io.popen('echo $PPID') pid = f:read('n') f:close()");
    assert_string_equal(run("pid"), "ok");
    return strtol(value(), NULL, 10);
}

static const char *ename(void) { return krn_text(c.reply, "ename"); }

static void ask_to_interrupt(void) {
    char cell[40];
    strcpy(cell, c.id);
    post(KRN_CONTROL, "interrupt_request", "{}");
    take_reply(KRN_CONTROL, c.id, "interrupt_reply");
    strcpy(c.id, cell);
}

/* ---- interrupts ---------------------------------------------------------------------------------------- */

static void interrupts_end_the_cell(void **state) {
    (void)state;
    char cell[40];
    run("x = 1");
    ask_to_interrupt(); /* nothing runs: nothing happens */
    kill(c.pid, SIGINT);
    SHOWS("x", "1");
    for (int by_signal = 0; by_signal < 2; by_signal++) {
        post_cell("while true do end");
        strcpy(cell, c.id);
        usleep(300000);
        if (by_signal) kill(c.pid, SIGINT);
        else ask_to_interrupt();
        assert_string_equal(finish(cell), "error");
        assert_string_equal(ename(), "interrupted");
        SHOWS("x", "1");
    }
}

static void a_loop_in_c_is_ended_by_force(void **state) {
    (void)state;
    char cell[40];
    run("x = 1");
    post_cell("x = 2; (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40) .. 'b')");
    strcpy(cell, c.id);
    usleep(300000);
    ask_to_interrupt();
    ask_to_interrupt();
    assert_string_equal(finish(cell), "error");
    assert_string_equal(ename(), "died");
    SHOWS("x", "1");
}

/* ---- input --------------------------------------------------------------------------------------------- */

static void cells_ask(void **state) {
    (void)state;
    post_cell("a, b, d = io.read(), ask 'name? ', ask('word? ', true)");
    answer_with("one", "", false);
    answer_with("θ", "name? ", false);
    answer_with("three", "word? ", true);
    assert_string_equal(finish(c.id), "ok");
    SHOWS("a .. b .. d", "oneθthree");
    request(KRN_SHELL, "execute", json_pack("{s:s, s:b}", "code", "tostring(ask 'x')", "allow_stdin", 0));
    assert_string_equal(value(), "nil");
    post_cell("ask 'late? '");
    char type[64], parent[64], cell[40];
    strcpy(cell, c.id);
    json_decref(take(KRN_STDIN, type, parent));
    ask_to_interrupt();
    assert_string_equal(finish(cell), "error");
    assert_string_equal(ename(), "interrupted");
    post(KRN_STDIN, "input_reply", "{\"value\": \"too late\"}");
    post_cell("ask 'again? '");
    strcpy(cell, c.id);
    answer_with("in time", "again? ", false);
    assert_string_equal(finish(cell), "ok");
    assert_string_equal(value(), "in time");
}

static void a_worker_that_dies_while_it_asks(void **state) {
    (void)state;
    char type[64], parent[64], cell[40];
    long pid = worker();
    post_cell("ask 'x'");
    strcpy(cell, c.id);
    json_decref(take(KRN_STDIN, type, parent));
    kill((pid_t)pid, SIGKILL);
    assert_string_equal(finish(cell), "error");
    assert_string_equal(ename(), "died");
    SHOWS("1 + 1", "2");
}

/* ---- death --------------------------------------------------------------------------------------------- */

static void a_dead_worker_is_an_error_in_the_cell(void **state) {
    (void)state;
    run("x = 1");
    assert_string_equal(run("x = 2 os.execute 'kill -9 $PPID'"), "error");
    assert_string_equal(ename(), "died");
    assert_non_null(
        strstr(krn_text(heard("error", 0), "evalue"), "The variables are as they were before it"));
    SHOWS("x", "1");
    long pid = worker();
    kill((pid_t)pid, SIGKILL); /* while nothing runs */
    assert_true(goes(pid));
    SHOWS("x", "1");
}

/* What was sent to a worker that did not live to begin with it is given to the next one. */
static void a_cell_that_never_began_is_run(void **state) {
    (void)state;
    char cell[40];
    run("x = 1");
    long pid = worker();
    kill((pid_t)pid, SIGSTOP);
    post_cell("x = x + 1 return x");
    strcpy(cell, c.id);
    usleep(
        200000); /* the kernel has sent it; were it slower, the cell would meet a worker that is gone, and the answer be the same */
    kill((pid_t)pid, SIGKILL);
    assert_string_equal(finish(cell), "ok");
    SHOWS("x", "2");
}

/* A worker that is started when all snapshots are gone too: it has none of the kernel's sockets. */
static void nothing_inherits_the_sockets(void **state) {
    (void)state;
    char path[300], to[100];
    for (int i = 0; i < 4; i++) run("x = 1");
    char command[100];
    snprintf(command, sizeof command, "pkill -KILL -P %d; sleep .1; pkill -KILL -P %d", (int)c.pid,
             (int)c.pid);
    int status = system(
        command); /* the children of this kernel: the worker, then the snapshots, which became its own */
    (void)status;
    SHOWS("tostring(rawget(_G, 'x'))", "nil");
    long pid = worker();
    int sockets = 0;
    snprintf(path, sizeof path, "/proc/%ld/fd", pid);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%.20s", pid, e->d_name);
        ssize_t n = readlink(path, to, sizeof to - 1);
        to[n > 0 ? n : 0] = 0;
        sockets += strncmp(to, "socket:", 7) == 0;
        assert_null(strstr(to, "eventpoll"));
    }
    closedir(d);
    assert_int_equal(sockets, 1); /* its own wire */
    run("f = io.popen('ls -l /proc/self/fd') t = f:read('a') f:close()");
    SHOWS("tostring(t:find('socket'))", "nil");
}

static void a_killed_kernel_leaves_nothing(void **state) {
    (void)state;
    run("x = 1");
    long pid = worker();
    post_cell("while true do end");
    usleep(200000);
    kill(c.pid, SIGKILL);
    waitpid(c.pid, NULL, 0);
    c.pid = 0;
    assert_true(goes(pid));
}

static long number_in(const char *path) {
    long n = 0;
    for (int i = 0; i < 500 && n == 0; i++, usleep(10000)) {
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%ld", &n) != 1) n = 0;
        if (f) fclose(f);
    }
    return n;
}

/* Neither what a cell has left in the background nor what it waits for. */
static void a_killed_kernel_takes_its_programs_along(void **state) {
    (void)state;
    char code[300], behind[120], before[120];
    snprintf(behind, sizeof behind, "%s/behind", c.folder);
    snprintf(before, sizeof before, "%s/before", c.folder);
    snprintf(code, sizeof code, "os.execute 'sleep 300 > /dev/null 2>&1 & echo $! > %s'", behind);
    run(code);
    snprintf(code, sizeof code, "os.execute 'echo $$ > %s; exec sleep 300'", before);
    post_cell(code);
    long pids[2] = {number_in(behind), number_in(before)};
    for (int i = 0; i < 2; i++) assert_true(pids[i] > 0 && is_there(pids[i]));
    kill(c.pid, SIGKILL);
    waitpid(c.pid, NULL, 0);
    c.pid = 0;
    for (int i = 0; i < 2; i++) assert_true(goes(pids[i]));
}

static void it_ends_when_told(void **state) {
    (void)state;
    long pid = worker();
    post_cell("while true do end"); /* in the middle of a cell */
    usleep(200000);
    post(KRN_CONTROL, "shutdown_request", "{\"restart\": true}");
    take_reply(KRN_CONTROL, c.id, "shutdown_reply");
    assert_true(krn_flag(c.reply, "restart", false));
    assert_int_equal(wait_for_end(), 0);
    assert_true(goes(pid));
}

static void it_ends_on_sigterm(void **state) {
    (void)state;
    long pid = worker();
    kill(c.pid, SIGTERM);
    assert_int_equal(wait_for_end(), 0);
    assert_true(goes(pid));
}

/* A client that starts the kernel, writes its number down and waits to be killed. */
static pid_t start_starter(const char *at) {
    char self[20];
    fflush(NULL);
    pid_t starter = fork();
    if (starter != 0) return starter;
    snprintf(self, sizeof self, "%ld", (long)getpid());
    setenv("JPY_PARENT_PID", self, 1);
    pid_t pid = start_kernel(c.file, "en");
    FILE *f = fopen(at, "w");
    if (!f || fprintf(f, "%ld", (long)pid) < 0 || fclose(f) != 0) _exit(96);
    for (;;) pause();
}

static void it_ends_with_who_started_it(void **state) {
    (void)state;
    char at[80];
    make_folder();
    write_connection(c.file, 0600, NULL);
    snprintf(at, sizeof at, "%s/pid", c.folder);
    pid_t starter = start_starter(at);
    connect_all();
    post(KRN_SHELL, "kernel_info_request", "{}");
    take_reply(KRN_SHELL, c.id, "kernel_info_reply");
    long pid = number_in(at);
    assert_true(is_there(pid));
    kill(starter, SIGKILL);
    waitpid(starter, NULL, 0);
    assert_true(goes(pid));
}

/* ---- hostile messages ---------------------------------------------------------------------------------- */

static void messages_that_are_none(void **state) {
    (void)state;
    static const char header[] =
        "{\"msg_id\": \"evil\", \"msg_type\": \"execute_request\", \"session\": \"t\"}";
    for (int to = KRN_SHELL; to <= KRN_STDIN; to++) {
        send_signed(to, "another key", header, "{\"code\": \"evil = 1\"}");
        send_signed(to, KEY, "[]", "{\"code\": \"evil = 1\"}");
        send_signed(to, KEY, "{", "{\"code\": \"evil = 1\"}");
        zmq_send(c.socket[to], "", 0, 0);
        zmq_send(c.socket[to], "<IDS|MSG>", 9, 0);
        for (int i = 0; i < 60; i++) zmq_send(c.socket[to], "x", 1, i < 59 ? ZMQ_SNDMORE : 0);
        char *large = calloc(1, 1 << 20);
        for (int i = 0; i < 5; i++) zmq_send(c.socket[to], large, 1 << 20, i < 4 ? ZMQ_SNDMORE : 0);
        free(large);
    }
    SHOWS("tostring(rawget(_G, 'evil'))", "nil");
    send_signed(KRN_SHELL, KEY, header, "{\"code\": \"evil = (rawget(_G, 'evil') or 0) + 1\"}");
    send_signed(KRN_SHELL, KEY, header,
                "{\"code\": \"evil = (rawget(_G, 'evil') or 0) + 1\"}"); /* the same once more */
    take_reply(KRN_SHELL, "evil", "execute_reply");
    SHOWS("evil", "1");
}

static void contents_that_are_none(void **state) {
    (void)state;
    static const char *const kinds[] = {"execute", "complete",  "inspect",    "is_complete",
                                        "history", "comm_info", "kernel_info"};
    static const char *const contents[] = {
        "[]",
        "{",
        "{\"code\": 7}",
        "{\"code\": null, \"cursor_pos\": \"x\"}",
        "{\"code\": \"a\xff\xce\", \"cursor_pos\": 99999999999}",
        "{\"code\": \"\\u0000\", \"cursor_pos\": -1, \"user_expressions\": 3}"};
    char type[64], reply[64];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t j = 0; j < sizeof contents / sizeof *contents; j++) {
            snprintf(type, sizeof type, "%s_request", kinds[i]);
            snprintf(reply, sizeof reply, "%s_reply", kinds[i]);
            post(KRN_SHELL, type, contents[j]);
            take_reply(KRN_SHELL, c.id, reply);
            hear(c.id);
        }
    post(KRN_SHELL, "make_coffee_request", "{}"); /* busy, idle, no reply */
    hear(c.id);
    assert_int_equal(json_array_size(c.heard), 0);
    post(KRN_SHELL, "comm_open", "{\"comm_id\": \"k\", \"target_name\": \"widget\"}");
    hear(c.id);
    assert_string_equal(krn_text(heard("comm_close", 0), "comm_id"), "k");
    post(KRN_SHELL, "comm_msg", "{\"comm_id\": \"k\"}");
    hear(c.id);
    SHOWS("1 + 1", "2");
}

/* A frame beyond the limit ends its sender's connection, not the kernel. */
static void frames_beyond_the_limit(void **state) {
    (void)state;
    void *other = zmq_socket(c.context, ZMQ_DEALER);
    char address[80];
    int now = 0;
    size_t n = (size_t)KRN_FRAME_MAX + 1;
    char *large = calloc(1, n);
    zmq_setsockopt(other, ZMQ_LINGER, &now, sizeof now);
    snprintf(address, sizeof address, "ipc://%s/s-1", c.folder);
    assert_int_equal(connect_socket(other, address), 0);
    zmq_send(other, large, n, 0);
    free(large);
    for (int i = 0; i < 5; i++) SHOWS("1 + 1", "2");
    zmq_close(other);
}

static void heartbeats_while_a_cell_runs(void **state) {
    (void)state;
    char cell[40], echo[20];
    post_cell("for i = 1, 1e8 do end");
    strcpy(cell, c.id);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(zmq_send(c.socket[KRN_HEARTBEAT], "ping", 4, 0), 4);
        zmq_msg_t part;
        zmq_msg_init(&part);
        assert_int_equal(zmq_msg_recv(&part, c.socket[KRN_HEARTBEAT], 0), 4);
        memcpy(echo, zmq_msg_data(&part), 4);
        assert_memory_equal(echo, "ping", 4);
        zmq_msg_close(&part);
    }
    assert_string_equal(finish(cell), "ok");
}

/* Whoever reaches the socket may send it anything: 100,000 bytes, now and then messages that end in their middle. */
static void send_noise(uint64_t seed) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    uint8_t noise[100000];
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s/s-5", c.folder);
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        noise[i] = (uint8_t)(seed >> 56);
    }
    assert_int_equal(connect(s, (struct sockaddr *)&at, sizeof at), 0);
    for (size_t sent = 0; sent < sizeof noise;) { /* as much as it takes: it may hang up before the end */
        ssize_t n = send(s, noise + sent, sizeof noise - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n <= 0) break;
        sent += (size_t)n;
    }
    close(s);
}

static void heartbeats_behind_noise(void **state) {
    (void)state;
    int patience = PATIENCE;
    zmq_msg_t echo;
    zmq_msg_init(&echo);
    zmq_setsockopt(c.socket[KRN_HEARTBEAT], ZMQ_RCVTIMEO, &patience, sizeof patience);
    for (uint64_t i = 1; i <= 20; i++) {
        send_noise(i);
        assert_int_equal(zmq_send(c.socket[KRN_HEARTBEAT], "ping", 4, 0), 4);
        assert_int_equal(zmq_msg_recv(&echo, c.socket[KRN_HEARTBEAT], 0), 4);
    }
    zmq_msg_close(&echo);
}

/* ---- connections ----------------------------------------------------------------------------------------- */

static bool log_says(const char *part) {
    char path[80], text[2000];
    snprintf(path, sizeof path, "%s/log", c.folder);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    if (!strstr(text, part)) print_message("the log: %s\n", text);
    return strstr(text, part) != NULL;
}

/* Each is refused with its name, the field, what it holds and what was wanted. */
#define FIFTY "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
static void connection_files_that_are_none(void **state) {
    (void)state;
    static const struct {
        unsigned mode;
        const char *change, *says;
    } rows[] = {{0644, NULL, "others can read this file"},
                {0604, NULL, "others can read this file"},
                {0600, ", \"key\": \"\"", "connection.json: key is \"\"; wanted a text of 1 to "},
                {0600, ", \"key\": [1]", "key is [1]; wanted a text of 1 to "},
                {0600, ", \"ip\": null", "ip is null; wanted a text of 1 to "},
                {0600, ", \"ip\": \"" FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY "\"",
                 "ip is a text of 300 bytes; wanted at most "},
                {0600, ", \"shell_port\": 0", "shell_port is 0; wanted a port from 1 to 65535"},
                {0600, ", \"hb_port\": \"5\"", "hb_port is \"5\"; wanted a port"},
                {0600, ", \"iopub_port\": 65536", "iopub_port is 65536; wanted a port"},
                {0600, ", \"control_port\": 5.0", "control_port is 5.0; wanted a port"},
                {0600, ", \"stdin_port\": {\"\\u001b\": 1}", "stdin_port is {\"\\u001B\":1}; wanted a port"},
                {0600, ", \"transport\": \"smoke\"", "transport is \"smoke\"; wanted \"tcp\" or \"ipc\""},
                {0600, ", \"signature_scheme\": \"hmac-md5\"",
                 "signature_scheme is \"hmac-md5\"; wanted \"hmac-sha256\""},
                {0600, ", \"signature_scheme\": 7", "signature_scheme is 7; wanted \"hmac-sha256\""},
                {0600, ", \"ip\": \"/nowhere/at/all\"", "cannot listen at"},
                {0600, ", ", "no JSON object"}};
    make_folder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_connection(c.file, rows[i].mode, rows[i].change);
        c.pid = start_kernel(c.file, "en");
        int status = wait_for_end();
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        assert_true(log_says(rows[i].says));
    }
    c.pid = start_kernel("/nowhere", "en");
    assert_int_equal(WEXITSTATUS(wait_for_end()), 1);
}

static void a_port_that_is_taken(void **state) {
    (void)state;
    make_folder();
    char change[200], address[40], where[60];
    size_t size = sizeof where;
    void *context = zmq_ctx_new(), *other = zmq_socket(context, ZMQ_PUB);
    strcpy(address, "tcp://127.0.0.1:*");
    assert_int_equal(zmq_bind(other, address), 0);
    assert_int_equal(zmq_getsockopt(other, ZMQ_LAST_ENDPOINT, where, &size), 0);
    snprintf(change, sizeof change, ", \"transport\": \"tcp\", \"ip\": \"127.0.0.1\", \"shell_port\": %s",
             strrchr(where, ':') + 1);
    write_connection(c.file, 0600, change);
    c.pid = start_kernel(c.file, "en");
    assert_int_equal(WEXITSTATUS(wait_for_end()), 1);
    assert_true(log_says("cannot listen at tcp://127.0.0.1:"));
    zmq_close(other);
    zmq_ctx_term(context);
}

#define ALONE(f) cmocka_unit_test_teardown(f, close_kernel)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(interrupts_end_the_cell),
        CASE(a_loop_in_c_is_ended_by_force),
        CASE(cells_ask),
        CASE(a_worker_that_dies_while_it_asks),
        CASE(a_dead_worker_is_an_error_in_the_cell),
        CASE(a_cell_that_never_began_is_run),
        CASE(nothing_inherits_the_sockets),
        CASE(a_killed_kernel_leaves_nothing),
        CASE(a_killed_kernel_takes_its_programs_along),
        CASE(it_ends_when_told),
        CASE(it_ends_on_sigterm),
        ALONE(it_ends_with_who_started_it),
        CASE(messages_that_are_none),
        CASE(contents_that_are_none),
        CASE(frames_beyond_the_limit),
        CASE(heartbeats_while_a_cell_runs),
        CASE(heartbeats_behind_noise),
        ALONE(connection_files_that_are_none),
        ALONE(a_port_that_is_taken),
    };
    return cmocka_run_group_tests(tests, open_tests, NULL);
}
