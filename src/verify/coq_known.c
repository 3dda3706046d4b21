/* coq_known.c: which files Coq has taken before. Their fingerprints are in lessons/rechecked, a line each, in order, which `make recheck`
 * verifies and scripts/recheck --write writes. A file that changes by a letter has another fingerprint and is not known. A fingerprint begins with what
 * the file states, which is written at a small part of what a whole file costs: where no line begins so, no file is written. */
#include <string.h>

#include "base/embed.h"
#include "base/sha256.h"
#include "verify/coq_internal.h"

#define STATES 16 /* digits of a fingerprint that say what the file states */
#define LINE   PH_SHA256_HEX

static const char *lessons(void) {
    for (const embed_file *f = embed_files; f->path; f++)
        if (!strcmp(f->path, "lessons/rechecked")) return f->text;
    return "";
}

void ver_coq_fingerprint(char *out, const char *text) {
    char whole[PH_SHA256_HEX];
    size_t n;
    const char *statement = ver_coq_statement_in(text, &n);
    ph_sha256_hex(out, statement, n);
    ph_sha256_hex(whole, text, strlen(text));
    memcpy(out + STATES, whole, PH_SHA256_HEX - STATES); /* its first digits, */
    out[PH_SHA256_HEX - 1] = 0;                          /* without the last */
}

/* Does a line begin with these digits? */
static bool is_listed(const char *list, const char *digits, size_t n) {
    for (size_t lo = 0, hi = strlen(list) / LINE; lo < hi;) {
        size_t mid = (lo + hi) / 2;
        int c = memcmp(digits, list + mid * LINE, n);
        if (c == 0) return true;
        if (c < 0) hi = mid;
        else lo = mid + 1;
    }
    return false;
}

bool ver_coq_known(const char *text, const char *list) {
    char sum[PH_SHA256_HEX];
    ver_coq_fingerprint(sum, text);
    return is_listed(list ? list : lessons(), sum, PH_SHA256_HEX - 1);
}

/* Is there a file in the list that states the same? */
static bool is_stated(const ver_subject *s, const char *list) {
    char *text = NULL, sum[PH_SHA256_HEX];
    ph_err err;
    if (ver_coq_statement_of(&text, s, &err)) return false;
    ph_sha256_hex(sum, text, strlen(text));
    ph_free(text);
    return is_listed(list, sum, STATES);
}

static bool find(bool *refused, const ver_verdict *v, const char *list) {
    char *text = NULL;
    ph_err err;
    *refused = false;
    if (v->strength != VER_PROVED || !v->subject || !is_stated(v->subject, list)) return false;
    ph_status st = ver_coq(&text, v, &err);
    bool known = !st && ver_coq_known(text, list);
    ph_free(text);
    *refused = ph_is_fatal(st);
    return known;
}

bool ver_rechecked_by(const ver_verdict *v, const char *list) {
    bool refused;
    return find(&refused, v, list);
}

bool ver_rechecked(const ver_verdict *v) {
    if (v->strength != VER_PROVED || !v->subject) return false;
    if (!v->subject->known) {
        bool refused, known = find(&refused, v, lessons());
        if (refused) return false;
        v->subject->known = known ? 1 : -1;
    }
    return v->subject->known > 0;
}
