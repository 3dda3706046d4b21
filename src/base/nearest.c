/* nearest.c: the name that was probably meant. */
#include "base/text.h"

#include <string.h>

#define LONGEST 64 /* bytes of a name that is compared */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static int min3(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each 1; case is
 * ignored. */
static int edits(const char *a, size_t la, const char *b, size_t lb) {
    int d[3][LONGEST + 1]; /* rows i-2, i-1, i of the table, in turn */
    for (size_t j = 0; j <= lb; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int *row = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int cost = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = min3(row[j - 1] + 1, up[j] + 1, up[j - 1] + cost);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]) &&
                up2[j - 2] + 1 < row[j])
                row[j] = up2[j - 2] + 1;
        }
    }
    return d[la % 3][lb];
}

/* Do the names differ by letters alone that are written twice in one of them, as in sinn and sin? */
static bool differ_by_doubled(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) {
        char c = lower(*a++);
        b++;
        if (lower(*a) == c && lower(*b) != c) a++;
        else if (lower(*b) == c && lower(*a) != c) b++;
    }
    return *a == *b;
}

/* Does `name` stand at the beginning of `other`, or of a word in it ("shift" in pe/shift-formula)? */
static bool begins_a_word(const char *name, size_t len, const char *other) {
    for (const char *at = other; (at = strstr(at, name)) != NULL; at += len)
        if (at == other || strchr("/-_.:", at[-1])) return true;
    return false;
}

int ph_name_distance(const char *name, const char *other) {
    size_t len = strlen(name), olen = strlen(other), longer = len > olen ? len : olen;
    int most = (int)len / 3 > 1 ? (int)len / 3 : 1;
    if (len == 0 || longer > LONGEST) return -1;
    int d = edits(name, len, other, olen);
    if (d == 1 && differ_by_doubled(name, other)) return 1;
    if (d <= most && d < (int)longer) return 2 * d + (olen != len); /* d = longer: nothing in common */
    return len >= 3 && begins_a_word(name, len, other) ? 2 * LONGEST + (int)olen : -1;
}

const char *ph_nearest(const char *name, const char *const *names) {
    const char *found = NULL;
    int best = 0;
    for (; *names; names++) {
        int d = ph_name_distance(name, *names);
        if (d < 0 || (found && (d > best || (d == best && strcmp(*names, found) >= 0)))) continue;
        best = d;
        found = *names;
    }
    return found;
}
