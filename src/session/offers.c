/* offers.c: see offers.h. */
#include "session/offers.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NAME 64

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t skip_back(const char *text, size_t at, const char *what) {
    while (at > 0 && strchr(what, text[at - 1])) at--;
    return at;
}

/* The name that ends at `end`; empty where there is none or it is too long. */
static void name_before(char out[NAME], const char *text, size_t end) {
    size_t from = end;
    while (from > 0 && is_letter(text[from - 1])) from--;
    size_t n = end - from < NAME ? end - from : 0;
    memcpy(out, text + from, n);
    out[n] = '\0';
}

/* The function whose table of options `at` stands in: f{… or f(…, {…; empty: none. */
static void function_around(char out[NAME], const char *text, size_t at) {
    int depth = 0;
    bool in_table = false;
    *out = '\0';
    while (at-- > 0) {
        char c = text[at];
        if (strchr(")}]", c)) depth++;
        if (!strchr("({[", c) || depth-- > 0) continue;
        depth = 0;
        if (c == '[' || (c == '(' && !in_table)) return;
        in_table = true;
        name_before(out, text, skip_back(text, at, " "));
        if (*out || c == '(') return;
    }
}

/* Back over a text in quotes that ends in front of `at`; at itself where none does. */
static size_t skip_quoted(const char *text, size_t at) {
    char quote = at > 0 ? text[at - 1] : '\0';
    if (quote != '"' && quote != '\'') return at;
    size_t from = at - 1;
    while (from > 0 && text[from - 1] != quote) from--;
    return from > 0 ? from - 1 : at;
}

/* The function whose argument begins at `at`, and which argument that is: 2 in f(a, |, and in a:f(|. 0: in no function's brackets. */
static int argument_of(char out[NAME], const char *text, size_t at) {
    int place = 1;
    *out = '\0';
    for (int depth = 0; at > 0; at--) {
        at = skip_quoted(text, at);
        if (at == 0) return 0;
        char c = text[at - 1];
        if (strchr(")}]", c)) depth++;
        else if (strchr("({[", c) && depth-- == 0) {
            if (c != '(') return 0;
            size_t end = skip_back(text, at - 1, " ");
            name_before(out, text, end);
            size_t from = end - strlen(out);
            return *out ? place + (from > 0 && text[from - 1] == ':') : 0;
        } else if (c == ',' && depth == 0) place++;
    }
    return 0;
}

/* ---- strings ------------------------------------------------------------------------------------------- */

/* Pushes the list of names for a function's argument in that place or, option not NULL, of words for that option; false and nothing: it takes
 * any text. */
static bool push_names(lua_State *L, const char *function, const char *option, int place) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_GNAME);
    lua_getfield(L, -1, "require");
    lua_pushliteral(L, "phasor.lib.offers");
    lua_call(L, 1, 1);
    lua_pushstring(L, function);
    lua_pushstring(L, option);
    lua_pushinteger(L, place);
    lua_call(L, 3, 1);
    bool some = lua_istable(L, -1);
    if (some) lua_replace(L, -3);
    lua_pop(L, some ? 1 : 3);
    return some;
}

static void offer_paths(const char *prefix, size_t folder, ses_offer *offer, void *user) {
    char path[1024], name[300];
    struct stat info;
    struct dirent *entry;
    snprintf(path, sizeof path, "%.*s", (int)folder, folder ? prefix : ".");
    DIR *d = folder < sizeof path ? opendir(folder ? path : ".") : NULL;
    while (d && (entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        int n = snprintf(path, sizeof path, "%.*s%s", (int)folder, prefix, entry->d_name);
        bool is_folder = n > 0 && (size_t)n < sizeof path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        n = snprintf(name, sizeof name, "%s%s", entry->d_name, is_folder ? "/" : "");
        offer(user, name, (size_t)n, "file");
    }
    if (d) closedir(d);
}

/* Pushes what may stand in the string that begins behind `quote`: in {layout = "… the words of that option. */
static bool push_offers(lua_State *L, const char *text, size_t quote) {
    char function[NAME], option[NAME];
    size_t before = skip_back(text, quote ? quote - 1 : 0, " ");
    if (before == 0 || text[before - 1] != '=') {
        name_before(function, text, before); /* f "… */
        size_t from = before - strlen(function);
        int place = *function ? 1 + (from > 0 && text[from - 1] == ':') : argument_of(function, text, before);
        return place > 0 && push_names(L, function, NULL, place);
    }
    size_t end = skip_back(text, before - 1, " ");
    name_before(option, text, end);
    function_around(function, text, end - strlen(option));
    return *option && *function && push_names(L, function, option, 0);
}

void ses_offer_strings(lua_State *L, const char *text, size_t pos, size_t *start, ses_offer *offer,
                       void *user) {
    char prefix[1024];
    size_t quote = pos;
    while (quote > 0 && text[quote - 1] != '"' && text[quote - 1] != '\'') quote--;
    *start = quote;
    if (push_offers(L, text, quote)) {
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++, lua_pop(L, 1))
            offer(user, lua_tostring(L, -1), lua_rawlen(L, -1), "name");
        return;
    }
    int n = snprintf(prefix, sizeof prefix, "%.*s", (int)(pos - quote), text + quote);
    if (n < 0 || (size_t)n >= sizeof prefix) return;
    const char *slash = strrchr(prefix, '/');
    size_t folder = slash ? (size_t)(slash - prefix) + 1 : 0;
    *start = quote + folder;
    offer_paths(prefix, folder, offer, user);
}

/* ---- options ------------------------------------------------------------------------------------------- */

/* Do braces without others inside, open at s, hold an option, "name="? */
static bool holds_options(const char *s) {
    for (s++; *s && *s != '{' && *s != '}'; s++)
        if (*s == '=' && is_letter(s[-1])) return true;
    return false;
}

/* Is the name of n bytes at s in a help line an option: "name=", or bare in a list of such, as base in "{layout=, base, scaling}"? */
static bool is_option(const char *args, const char *s, size_t n) {
    const char *open = s, *before = s, *behind = s + n;
    if (*behind == '=') return true;
    while (open > args && *open != '{' && *open != '}') open--;
    while (before > args && strchr(" \n", before[-1])) before--;
    while (*behind && strchr(" \n", *behind)) behind++;
    bool listed = before > args && strchr("{,", before[-1]) && *behind && strchr(",}", *behind);
    return listed && *open == '{' && holds_options(open);
}

void ses_offer_options(lua_State *L, const cursor *at, ses_offer *offer, void *user) {
    char function[NAME], option[NAME + 1];
    size_t before = skip_back(at->text, at->start, " \t\n");
    if (before == 0 || !strchr("{,", at->text[before - 1])) return;
    function_around(function, at->text, at->start);
    const bind_row *row = *function ? bind_help_find(L, function) : NULL;
    const char *args = row && row->args ? row->args : "";
    for (const char *s = args; *s; s++) {
        size_t n = 0;
        while (is_letter(s[n])) n++;
        if (n > 0 && n < NAME && is_option(args, s, n)) {
            memcpy(option, s, n);
            option[n] = '=';
            offer(user, option, n + 1, "option");
        }
        if (n > 0) s += n - 1;
    }
}
