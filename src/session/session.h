/* session.h: text in, events out. It runs in this process (`phasor FILE`, -e, check), where nothing forks; a room above may run it
 * elsewhere (worker/: a process that may die without harm, for the prompt and the notebook) behind the same functions.
 *
 * A request is a JSON object with "op"; its events are JSON objects with "event", ending with exactly one "done". NaN
 * and infinities travel as the strings "nan", "inf", "-inf"; invalid UTF-8 as U+FFFD.
 *
 * Requests
 *   {"op":"eval","code":T,"name":N}      run a cell; N is its name in messages ("prompt", "[3]"); give each
 *        cell one of its own ("[3]"), since an error in a function of an earlier cell shows the line of that name's text
 *        optional: "columns" (80), "rows" (24), "colour" (false), "palette" (0, 256 or
 *        16777216 colours for pictures; 0), "unicode" (true: braille and blocks may stand in them),
 *        "pixels" (0: as they are; how wide an image is to be), "lang" ("en"), "mime" (["text/plain"]),
 *        "verdicts" ("en": the language of their lines),
 *        "fold" (false; true: verdicts longer than a line are broken at its end),
 *        "interactive" (true: someone may answer when the cell asks; false: io.read meets the end of the file),
 *        "dialogue" (false; true: the front end heeds "prompt" below, so that what a cell began may go on over many inputs),
 *        "labels" (as "dialogue"; true: several values that the laboratory has names for are labelled),
 *        "terminal" (true: a person types the answers; false: they come from a file or a pipe),
 *        "aside" (false; true: leaves no trace: no step of undo, `_` stays; for help),
 *        "echo" (true: the value of an expression is a result event), "script" (false: a whole file; true keeps `local`
 *        local and prints no values, unless "echo" is true), "args" ([...], become ... and arg)
 *   {"op":"input","text":T,"name":N}     while "done" gives a prompt: hands what was typed, empty or not, to the handler behind it
 *        (prompt, below), as a cell of its own; optional: as for eval
 *   {"op":"complete","code":T,"pos":P}   P: byte offset of the cursor. Never runs user code.
 *   {"op":"inspect","code":T,"pos":P,"detail":0|1}
 *   {"op":"is_complete","code":T}
 *   {"op":"undo"}                        back to before the last cell that ran
 *   {"op":"interrupt"}                   (wire form of ses_interrupt)
 *   {"op":"input_reply","text":T}        or {"op":"input_reply","eof":true}
 * Events
 *   {"event":"stream","name":"stdout"|"stderr","text":T}
 *   {"event":"display","id":I,"update":B,"data":{MIME:T,...}}
 *        update: it takes the place of the display that has this id; else the id is a new one, also where a cell that died had
 *        given the same to another
 *   {"event":"clear","wait":B}           wait: only when something new is shown
 *   {"event":"result","data":{"text/plain":T,...}}
 *   {"event":"error","message":M,"name":N,"line":L,"column":C,"source":S,"traceback":[...]}
 *        M without the position; line and column (in characters) from 1, 0: unknown; S: that line of the source, "" when
 *        unknown; traceback: "NAME:LINE: in f" from the inside out, only the user's functions, empty when there is but one
 *   {"event":"input_request","prompt":T,"secret":false}      with "key":true: one key is wanted, within "seconds" (< 0: whenever)
 *   {"event":"page","heading":T}      what follows in this request is to be read: by pages, each under the heading (if there is one);
 *        with "rows":N nothing of that changes, but so many rows that follow are better not parted
 *   {"event":"prefer","lang":T}       the user has chosen a language, "en" or "zh"
 *   {"event":"progress","text":T,"fraction":F}
 *   {"event":"reply",...}                the answer to complete / inspect / is_complete / undo:
 *        complete: "matches":[{"text":T,"kind":"function|array|number|table|keyword|field|symbol"}...],"start":S,"end":E
 *        inspect: "found":B,"text":T      is_complete: "status":"complete|incomplete|invalid","indent":T
 *        undo: "undone":B,"text":T
 *   {"event":"notice","text":T}          what happened to the worker, in words for the user
 *   {"event":"outside"}                  a program that the cell started has ended; what it wrote is where its descriptors 1 and 2 lead
 *   {"event":"done","status":"ok"|"error"|"interrupted"|"died","seconds":F,"exit":CODE?,"prompt":T?}
 *        exit: the code called os.exit (it ends the cell, whatever pcall stands in the way; what more it means is for the
 *        front end). prompt, of an eval or input: while a handler wants the next input, which is handed over by "input"
 *
 * In-process: stdin is the process's own (no input_request), there is no undo, and a script's output goes straight to
 * stdout and stderr, byte for byte, without stream events.
 *
 * Memory: Lua and arrays together may take 80 % of what the machine had available at the start, or PHASOR_MEMORY (in MB);
 * beyond, the cell fails with "not enough memory". A snapshot restores memory only: what a cell wrote to files stays.
 *
 * Lua code finds: display, progress and clear as names of the laboratory, and require "phasor.session" with
 *   cell(code, name [, env])   runs a cell: true and its values, or false and a fault with message, name, line, column,
 *                              source, traceback, which tostring shows as "name:line: message"
 *   env()                      fresh globals over the laboratory's names, in which _G["θ"] and θ are one
 *   apart(f, seconds, MB)      runs f() in a process of its own, a copy of this one, within limits: "ok" and the string it
 *                              returned, "error" and a message, "time", "died" (out of memory in C, a crash) or "stopped".
 *                              Without processes (no `functions`, below) it, start and wait run f here and without limits
 *   start(f, seconds, MB)      the same, but goes on meanwhile: a child, which is ended when nobody holds it any more;
 *                              start(f, seconds, MB, n): one of n at work at once, with its share of the threads
 *   wait(children [, seconds]) the place of the first of a list of children that has ended, and what apart would return;
 *                              nothing when none has within that time
 *   cores()                    how many processors there are
 *   beside(f, seconds, MB)     a contained copy of this process in which f gets a channel to here; its channel (worker/channel.c)
 *   fresh(module, MB)          this program started anew, where the function that the module is gets a channel; its channel.
 *                              apart(f, seconds, MB, channels) leaves f these channels; the work of those behind them counts as its own
 *   save(path, text)           a file, whole or not at all, its folders made: true, or nil and why not
 *   sha256(text)               its fingerprint, in hexadecimal
 *   prompt([text, f])          from now on "done" gives this prompt, and f(text, name) gets each input; nil: as ever
 *   focus([env])               the variables that completion and help look among; nil: the globals
 *   speak([lang])              verdicts are shown in that language and broken at the end of lines; nil: as the request has it
 *   strength(name, lang)       the word of a verdict's strength
 *   report(fault)              shows a fault that cell gave, as an error event
 *   flush()                    what was printed so far is shown
 *   page([heading [, rows]])   a front end with a reader shows what follows in this input by pages, with the heading at the top of each;
 *                              rows: so many rows that follow are better not parted, and nothing else changes
 *   prefer(lang)               the user has chosen that language, which the front end keeps
 *   key([seconds])             the next key: "left", "right", "up", "down", "enter", "escape", "space" or what it types; "none" after so
 *                              many seconds; nil where no one is at a terminal
 *   settings                   columns, rows, fold, colour, lang, verdicts (their language), interactive, terminal and dialogue of the running request
 * A value with a metamethod __mime(value, accepted) may return a table {["image/svg+xml"] = text, ...} of richer forms.
 */
#ifndef PH_SESSION_H
#define PH_SESSION_H

#include <jansson.h>

#include "base/base.h"

typedef struct ses ses;
struct luaL_Reg;

typedef struct {
    /* Lua run once after opening; the globals it assigns become names of the laboratory. May be NULL. */
    const char *startup;
    /* apart, lacks, start, wait, cores, beside and fresh of phasor.session (worker/ has them with processes); NULL: the first five
     * run here, the others are missing. */
    const struct luaL_Reg *functions;
} ses_options;

typedef void ses_on_event(void *user, json_t *event); /* borrows event */

/* A session in this process. opt may be NULL. */
PH_MUST ph_status ses_open(ses **out, const ses_options *opt, ph_err *err);
void ses_close(ses *s);

/* Sends one request (reference stolen) and delivers its events until its "done" (delivered too). While it runs, the
 * caller may answer an input_request from inside on_event with ses_input. A dead worker gives a notice and a done with
 * status "died"; the session goes on from the last snapshot. PH_EIO only when no worker could be brought back. */
PH_MUST ph_status ses_request(ses *s, json_t *request, ses_on_event *on_event, void *user, ph_err *err);
void ses_input(ses *s, const char *text); /* NULL: end of file */

/* Async-signal-safe. The first asks; a second one, or 2 s without an end, kills the worker. In-process: the first
 * asks; a second one, or one while nothing runs, ends the process as SIGINT does (130 for a shell). With a worker and
 * nothing running it does nothing, but after ses_expect it is for the request that comes. */
void ses_interrupt(ses *s);
void ses_expect(ses *s); /* a request is about to be made: an interrupt from now on is meant for it */

int ses_worker_pid(const ses *s); /* 0 in-process; tests kill it */

/* What the front end looks after while a worker computes: `look` is called before each wait, and says for how many milliseconds at
 * most to wait (-1: for as long as it takes); one of the descriptors that can be read ends the wait, too. `look` may interrupt. */
typedef struct {
    const int *fds;
    int n; /* at most SES_WATCHED */
    int (*look)(void *user);
    void *user;
} ses_watch;
enum { SES_WATCHED = 6 };
void ses_look_after(
    ses *s,
    const ses_watch *watch); /* borrowed until it is replaced; NULL: nothing. In-process it does nothing */

/* How a session runs that is not in this process; of what ses_open does not need, the pointers may be NULL. */
typedef struct {
    ph_status (*request)(void *self, json_t *request, ses_on_event *on_event, void *user, ph_err *err);
    void (*interrupt)(void *self);
    void (*close)(void *self);
    void (*input)(void *self, const char *text);
    void (*expect)(void *self);
    int (*pid)(const void *self);
    void (*look_after)(void *self, const ses_watch *watch);
} ses_way;

/* A session that runs in such a way; ses_close closes self, and so does a failure. */
PH_MUST ph_status ses_open_as(ses **out, const ses_way *way, void *self, ph_err *err);

#endif
