/* library.c: see library.h. */
#include "kernel/library.h"

#include <dlfcn.h>
#include <string.h>

krn_library krn_zmq;

/* By its name, as the loader finds libraries; then where the build saw it. */
static void *open_file(void) {
    void *file = dlopen(PH_ZMQ_FILE, RTLD_NOW | RTLD_LOCAL);
    return file ? file : dlopen(PH_ZMQ_PATH, RTLD_NOW | RTLD_LOCAL);
}

ph_status krn_library_open(ph_err *err) {
    static const char *const names[] = {
#define NAME(f) #f,
        KRN_FUNCTIONS(NAME)
#undef NAME
    };
    void *file = open_file(), *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof krn_zmq, "a name for each function");
    if (!file)
        return ph_fail(err, PH_EUNABLE,
                       "the kernel needs ZeroMQ (" PH_ZMQ_FILE "), which is not on this machine; "
                       "scripts/install-deps brings it");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(found[i] = dlsym(file, names[i])))
            return ph_fail(err, PH_EUNABLE,
                           "the kernel needs a function that " PH_ZMQ_FILE " of this machine lacks: %s",
                           names[i]);
    memcpy(&krn_zmq, found, sizeof found); /* ISO C has no cast from data to functions; POSIX has the shape */
    return PH_OK;
}
