/* version.c: which FLINT decides here. */
#include <dlfcn.h>
#include <stdio.h>

#include "verify/flint.h"
#include "verify/verdict.h"

/* Where the program opens FLINT late, any function of it does that. */
bool ver_flint_ready(void) { return n_is_prime(2) != 0; }

/* Data of the library, which is found by name: an entry that opens FLINT can only be a function. */
static const void *data_named(const char *name) {
    return ver_flint_ready() ? dlsym(RTLD_DEFAULT, name) : NULL;
}

const char *ver_flint_text(char *buf, size_t cap) {
    const char *flint = data_named("flint_version");
    int n = snprintf(buf, cap, "%s", flint ? flint : "of unknown version");
#if __FLINT_VERSION < 3
    const char *const *arb = data_named("arb_version");
    if (arb) snprintf(buf + n, cap - (size_t)n, ", Arb %s", *arb);
#else
    (void)n;
#endif
    return buf;
}
