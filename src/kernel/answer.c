/* answer.c: requests that run nothing of the user's: what this is, completion, help, history. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "kernel/state.h"

/* ---- asking the session -------------------------------------------------------------------------------- */

static void keep_reply(void *user, json_t *event) {
    json_t **reply = user;
    if (!krn_is(event, "reply")) return;
    json_decref(*reply);
    *reply = json_incref(event);
}

json_t *krn_ask(krn *k, json_t *request) {
    json_t *reply = NULL;
    ph_err err = {0};
    if (ses_request(k->session, request, keep_reply, &reply, &err) != PH_OK) {
        krn_log("%s", err.text);
        k->failed = err.code == PH_EIO;
    }
    return reply;
}

/* Cursors are counted in characters outside and in bytes inside. */
static size_t cursor(const json_t *content, const char *code, size_t n) {
    const json_t *pos = json_object_get(content, "cursor_pos");
    json_int_t at = json_is_integer(pos) ? json_integer_value(pos) : (json_int_t)n;
    return at < 0 ? 0 : ph_utf8_offset(code, n, (size_t)at);
}

static const char *code_of(const json_t *content, size_t *n) {
    const json_t *code = json_object_get(content, "code");
    *n = json_string_length(code);
    return json_string_value(code) ? json_string_value(code) : "";
}

static json_t *question(const char *op, const char *code, size_t n, size_t pos) {
    return json_pack("{s:s, s:o, s:I}", "op", op, "code", json_stringn_nocheck(code, n), "pos",
                     (json_int_t)pos);
}

/* ---- completion ---------------------------------------------------------------------------------------- */

static json_int_t characters(const char *code, size_t n, const json_t *reply, const char *key,
                             size_t otherwise) {
    const json_t *v = json_object_get(reply, key);
    size_t at = json_is_integer(v) ? (size_t)json_integer_value(v) : otherwise;
    return (json_int_t)ph_utf8_count(code, at < n ? at : n);
}

void krn_answer_complete(krn *k, const krn_message *m) {
    size_t n, i;
    const char *code = code_of(m->content, &n);
    size_t at = cursor(m->content, code, n);
    json_t *reply = krn_ask(k, question("complete", code, n, at)), *match;
    json_t *texts = json_array(), *types = json_array();
    json_int_t start = characters(code, n, reply, "start", at), end = characters(code, n, reply, "end", at);
    json_array_foreach(json_object_get(reply, "matches"), i, match) {
        json_array_append(texts, json_object_get(match, "text"));
        json_array_append_new(types,
                              json_pack("{s:O, s:O?, s:I, s:I}", "text", json_object_get(match, "text"),
                                        "type", json_object_get(match, "kind"), "start", start, "end", end));
    }
    json_decref(reply);
    krn_reply(k, KRN_SHELL, m, "complete_reply",
              json_pack("{s:s, s:o, s:I, s:I, s:{s:o}}", "status", "ok", "matches", texts, "cursor_start",
                        start, "cursor_end", end, "metadata", "_jupyter_types_experimental", types));
}

/* ---- help ---------------------------------------------------------------------------------------------- */

/* The help's text is made for a terminal: its lines stay as they are. */
static json_t *as_bundle(const char *text) {
    ph_text markdown = {0};
    ph_putf(&markdown, "```lua\n%s%s```\n", text, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
    json_t *data = json_pack("{s:s}", "text/plain", text);
    if (!markdown.failed)
        json_object_set_new(data, "text/markdown", json_stringn_nocheck(markdown.s, markdown.n));
    ph_text_drop(&markdown);
    return data;
}

json_t *krn_help(krn *k, const char *name, size_t n, size_t pos, int detail) {
    json_t *request = question("inspect", name, n, pos);
    if (request) json_object_set_new(request, "detail", json_integer(detail));
    json_t *reply = krn_ask(k, request);
    json_t *data = krn_flag(reply, "found", false) ? as_bundle(krn_text(reply, "text")) : NULL;
    json_decref(reply);
    return data;
}

void krn_answer_inspect(krn *k, const krn_message *m) {
    size_t n;
    const char *code = code_of(m->content, &n);
    int detail = json_integer_value(json_object_get(m->content, "detail_level")) > 0;
    json_t *data = krn_help(k, code, n, cursor(m->content, code, n), detail);
    krn_reply(k, KRN_SHELL, m, "inspect_reply",
              json_pack("{s:s, s:b, s:o, s:{}}", "status", "ok", "found", data != NULL, "data",
                        data ? data : json_object(), "metadata"));
}

void krn_answer_is_complete(krn *k, const krn_message *m) {
    size_t n;
    const char *code = code_of(m->content, &n);
    json_t *reply = krn_ask(k, question("is_complete", code, n, n));
    const char *status = krn_text(reply, "status");
    krn_reply(
        k, KRN_SHELL, m, "is_complete_reply",
        json_pack("{s:s, s:s}", "status", *status ? status : "unknown", "indent", krn_text(reply, "indent")));
    json_decref(reply);
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

void krn_answer_history(krn *k, const krn_message *m) {
    krn_reply(
        k, KRN_SHELL, m, "history_reply",
        json_pack("{s:s, s:o}", "status", "ok", "history", krn_history_select(&k->history, m->content)));
}

void krn_answer_comm_info(krn *k, const krn_message *m) {
    krn_reply(k, KRN_SHELL, m, "comm_info_reply", json_pack("{s:s, s:{}}", "status", "ok", "comms"));
}

/* There is nothing here that a front end could talk to beside the cells. */
void krn_answer_comm_open(krn *k, const krn_message *m) {
    krn_publish(k, "comm_close", m->header,
                json_pack("{s:s, s:{}}", "comm_id", krn_text(m->content, "comm_id"), "data"));
}

static const char *banner(const krn *k) {
    return strcmp(k->lang, "zh") == 0
               ? "phasor " PH_VERSION
                 "：位置编码的数学实验室，用 Lua 与它对话。? 名称 给出帮助，:undo 撤销一个单元格。"
               : "phasor " PH_VERSION
                 ": a laboratory for positional encodings, spoken to in Lua. ? name explains a name, :undo "
                 "takes a cell back.";
}

void krn_answer_info(krn *k, krn_channel from, const krn_message *m) {
    json_t *language =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", "lua", "version", "5.4", "mimetype", "text/x-lua",
                  "file_extension", ".lua", "pygments_lexer", "lua", "codemirror_mode", "lua");
    krn_reply(k, from, m, "kernel_info_reply",
              json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:b, s:[], s:[]}", "status", "ok", "protocol_version",
                        "5.3", "implementation", "phasor", "implementation_version", PH_VERSION,
                        "language_info", language, "banner", banner(k), "debugger", 0, "help_links",
                        "supported_features"));
}
