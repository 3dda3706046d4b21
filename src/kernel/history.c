/* history.c: the inputs of this session that were kept, and what front ends ask of them. */
#include <string.h>

#include "base/utf8.h"
#include "kernel/state.h"

enum { SESSION = 1, MOST = 10000 };

void krn_history_add(krn_history *h, int number, const char *input, const char *output) {
    if (!h->entries) h->entries = json_array();
    if (json_array_size(h->entries) == MOST) json_array_remove(h->entries, 0);
    json_array_append_new(h->entries, json_pack("[i, s, s?]", number, input, output));
}

/* Does a pattern with * and ?, a character, match the whole text? Steps back to the last star only, so it takes n m steps at most. */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *from = text;
    while (*text) {
        if (*pattern == '*') star = pattern++, from = text;
        else if (*pattern == '?') pattern++, text += ph_utf8_decode(text, strnlen(text, 4)).bytes;
        else if (*pattern == *text) pattern++, text++;
        else if (star) pattern = star + 1, text = ++from;
        else return false;
    }
    while (*pattern == '*') pattern++;
    return !*pattern;
}

static json_int_t number_of(const json_t *j, const char *key, json_int_t otherwise) {
    const json_t *v = json_object_get(j, key);
    return json_is_integer(v) ? json_integer_value(v) : otherwise;
}

/* A session is named by its number, or counted back from the present one: 0. */
static bool this_session(json_int_t session) { return session == SESSION || session == 0; }

static bool in_range(const json_t *request, json_int_t number) {
    return this_session(number_of(request, "session", 0)) && number >= number_of(request, "start", 0) &&
           number < number_of(request, "stop", (json_int_t)1 << 40);
}

static bool wanted(const json_t *request, const char *kind, const json_t *entry) {
    if (strcmp(kind, "tail") == 0) return true;
    if (strcmp(kind, "range") == 0) return in_range(request, json_integer_value(json_array_get(entry, 0)));
    const char *pattern = krn_text(request, "pattern");
    return strcmp(kind, "search") == 0 &&
           matches(*pattern ? pattern : "*", json_string_value(json_array_get(entry, 1)));
}

/* [session, number, input], or [session, number, [input, output]] */
static json_t *shown(const json_t *entry, bool output) {
    json_t *number = json_array_get(entry, 0), *input = json_array_get(entry, 1),
           *out = json_array_get(entry, 2);
    return output ? json_pack("[i, O, [O, O]]", SESSION, number, input, out)
                  : json_pack("[i, O, O]", SESSION, number, input);
}

/* Does a later entry have the same input? */
static bool comes_again(const json_t *entries, size_t i) {
    for (size_t j = i + 1; j < json_array_size(entries); j++)
        if (json_equal(json_array_get(json_array_get(entries, i), 1),
                       json_array_get(json_array_get(entries, j), 1)))
            return true;
    return false;
}

json_t *krn_history_select(const krn_history *h, const json_t *request) {
    const char *kind = krn_text(request, "hist_access_type");
    bool output = krn_flag(request, "output", false), unique = krn_flag(request, "unique", false);
    json_int_t n =
        strcmp(kind, "range") == 0 ? MOST : number_of(request, "n", strcmp(kind, "tail") == 0 ? 10 : MOST);
    json_t *list = json_array();
    for (size_t i = json_array_size(h->entries); i-- > 0 && (json_int_t)json_array_size(list) < n;) {
        const json_t *entry = json_array_get(h->entries, i);
        if (wanted(request, kind, entry) && !(unique && comes_again(h->entries, i)))
            json_array_insert_new(list, 0, shown(entry, output));
    }
    return list;
}
