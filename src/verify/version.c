/* version.c: which FLINT decides here. */
#include <stdio.h>

#include "verify/flint.h"
#include "verify/verdict.h"

const char *ver_flint_text(char *buf, size_t cap) {
#if __FLINT_VERSION >= 3
    snprintf(buf, cap, "%s", flint_version);
#else
    snprintf(buf, cap, "%s, Arb %s", flint_version, arb_version);
#endif
    return buf;
}
