/* output.c: what a cell prints, on its way to becoming stream messages.
 *
 * Text is gathered for 20 ms, so that a flood is some messages and not a hundred thousand; everything printed before another message is
 * sent before it. What programs write that the cell starts comes through pipes, whose order against the cell's own text is known only
 * where the session says that one has ended ("outside"); until then it is let out a look later, when what came before has passed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "kernel/state.h"

#define GATHER 0.02 /* seconds */
#define LARGE  ((size_t)256 << 10)

static const char *const names[2] = {"stdout", "stderr"};

/* ---- streams ------------------------------------------------------------------------------------------- */

void krn_output_flush(krn *k) {
    size_t n;
    char *clean = k->stream.text.n ? ph_utf8_clean(&n, k->stream.text.s, k->stream.text.n) : NULL;
    json_t *text = clean ? json_stringn_nocheck(clean, n) : NULL;
    if (text)
        krn_publish(k, "stream", k->parent, json_pack("{s:s, s:o}", "name", k->stream.name, "text", text));
    ph_free(clean);
    k->stream.text.n = 0;
    k->stream.text.failed = false;
}

void krn_output_put(krn *k, const char *name, const char *text, size_t n) {
    krn_stream *s = &k->stream;
    if (n == 0) return;
    if (s->text.n && strcmp(s->name, name) != 0) krn_output_flush(k);
    if (s->text.n == 0) s->since = ph_clock();
    s->name = name;
    ph_put(&s->text, text, n);
    if (s->text.n > LARGE || s->text.failed) krn_output_flush(k);
}

/* ---- pipes --------------------------------------------------------------------------------------------- */

/* The piece that was read, behind what the last one ended with; what it ends with itself waits for the next. */
static void hear(krn *k, krn_pipe *p, const char *name, char *text, size_t n) {
    size_t keep = ph_utf8_unfinished(text, n);
    krn_output_put(k, name, text, n - keep);
    memcpy(p->begun, text + n - keep, keep);
    p->nbegun = keep;
}

static void hear_pipe(krn *k, int i) {
    krn_pipe *p = &k->pipe[i];
    char text[8192];
    for (;;) {
        memcpy(text, p->begun, p->nbegun);
        ssize_t n = read(p->ends[0], text + p->nbegun, sizeof text - p->nbegun);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        hear(k, p, names[i], text, p->nbegun + (size_t)n);
    }
    p->waiting = false;
}

/* Is there something to read? Found out by looking, so that the pipe need not wake the session's wait. */
static bool has_text(const krn_pipe *p) {
    struct pollfd f = {p->ends[0], POLLIN, 0};
    return poll(&f, 1, 0) > 0;
}

void krn_output_look(krn *k, bool now) {
    double time = ph_clock();
    for (int i = 0; i < 2; i++)
        if (now || (k->pipe[i].waiting && time - k->looked >= GATHER)) hear_pipe(k, i);
    if (now || time - k->looked >= GATHER) {
        for (int i = 0; i < 2; i++) k->pipe[i].waiting = has_text(&k->pipe[i]);
        k->looked = time;
    }
    if (k->stream.text.n && (now || time - k->stream.since >= GATHER)) krn_output_flush(k);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

ph_status krn_output_open(krn *k, ph_err *err) {
    for (int i = 0; i < 2; i++) k->pipe[i].ends[0] = k->pipe[i].ends[1] = -1;
    for (int i = 0; i < 2; i++) {
        if (pipe(k->pipe[i].ends) != 0) return ph_fail(err, PH_EIO, "no pipe: %s", strerror(errno));
        for (int j = 0; j < 2; j++) fcntl(k->pipe[i].ends[j], F_SETFD, FD_CLOEXEC);
        fcntl(k->pipe[i].ends[0], F_SETFL, O_NONBLOCK);
    }
    return PH_OK;
}

void krn_output_close(krn *k) {
    for (int i = 0; i < 4; i++)
        if (k->pipe[i / 2].ends[i % 2] >= 0) close(k->pipe[i / 2].ends[i % 2]);
    ph_text_drop(&k->stream.text);
}
