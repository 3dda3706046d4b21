/* coq_known.c: which files Coq has taken before. Their fingerprints are in lessons/rechecked, a line each, in order, which `make recheck`
 * verifies and scripts/recheck --write writes. A file that changes by a letter has another fingerprint and is not known. */
#include <string.h>

#include "base/embed.h"
#include "base/sha256.h"
#include "verify/coq.h"

static const embed_file *known(void) {
    for (const embed_file *f = embed_files; f->path; f++)
        if (!strcmp(f->path, "lessons/rechecked")) return f;
    return NULL;
}

bool ver_coq_known(const char *text) {
    char sum[PH_SHA256_HEX];
    const embed_file *f = known();
    size_t line = PH_SHA256_HEX; /* the digits and a line end */
    if (!f) return false;
    ph_sha256_hex(sum, text, strlen(text));
    for (size_t lo = 0, hi = f->length / line; lo < hi;) {
        size_t mid = (lo + hi) / 2;
        int c = memcmp(sum, f->text + mid * line, line - 1);
        if (c == 0) return true;
        if (c < 0) hi = mid;
        else lo = mid + 1;
    }
    return false;
}

bool ver_rechecked(const ver_verdict *v) {
    char *text = NULL;
    ph_err err;
    if (v->strength != VER_PROVED || !v->subject) return false;
    if (!v->subject->known) { /* the file takes as long to write as many a proof */
        ph_status st = ver_coq(&text, v, &err);
        if (ph_is_fatal(st)) return false;
        v->subject->known = !st && ver_coq_known(text) ? 1 : -1;
        ph_free(text);
    }
    return v->subject->known > 0;
}
