/* state.h: what the files of the prompt share: the session, the screen and the state of the present request.
 */
#ifndef PH_REPL_STATE_H
#define PH_REPL_STATE_H

#include "repl/edit.h"
#include "repl/repl.h"
#include "repl/screen.h"

struct repl {
    ses *session;
    screen screen;
    editor *editor;  /* NULL outside repl_prompt */
    char *history;   /* its file, or NULL */
    json_t *notices; /* what happened to the worker while a line was edited; shown when it is done */
    json_t *inputs;  /* the texts of those that ran without an error, for :save and :history */
    char cell[32];   /* name of the last cell */
    int cells;
    char *prompt; /* of what wants the next input (a lesson that is open); NULL: nothing does */
    bool worker, timing, lost, leave;
    bool dialogue; /* inputs come one by one: a lesson may stay open between them */
    bool visit;    /* phasor was started for a lesson, and goes when that is left */
};

/* How a request ended. reply is owned (json_decref) and may be NULL. */
typedef struct {
    json_t *reply;
    bool ok, interrupted, exited;
    int exit_code;
    double seconds;
} repl_answer;

/* Sends a request (reference stolen) and shows its events; answers its questions. The reference in *a is the
 * caller's. */
repl_answer repl_ask(repl *r, json_t *request);
/* The same while a line is being edited: shows nothing. */
repl_answer repl_ask_quietly(repl *r, json_t *request);

/* A JSON string of any bytes; on the way to a worker invalid UTF-8 becomes U+FFFD. NULL: no memory. */
json_t *repl_json_text(const repl *r, const char *s, size_t n);

/* {"op":op,"code":text} */
json_t *repl_request(const repl *r, const char *op, const char *text, size_t n);
/* An eval request with what the terminal can show. */
json_t *repl_eval_request(const repl *r, const char *code, size_t n, const char *name);

/* inputs.c: what stands behind :load, :save and :history */
void repl_load(repl *r, const char *args);
void repl_save(repl *r, const char *args);
void repl_list_inputs(repl *r, const char *args);

/* commands.c */
void repl_choose_lang(repl *r, const char *lang); /* keeps it; says what is wrong */
void repl_command(repl *r, const char *line);     /* what stands behind ":" */
void repl_complete_command(const char *text, size_t pos, edit_matches *out);
void repl_help(repl *r, const char *name, bool detail); /* ?name, ??name */
void repl_search(repl *r, const char *words);           /* ???words */
repl_answer repl_evaluate(repl *r, const char *code,
                          bool aside); /* repl.c: an input of Lua; its reply is NULL */

#endif
