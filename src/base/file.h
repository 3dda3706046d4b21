/* file.h: files read at a place, and files written whole or not at all.
 *
 * Reading: ph_file_read is pread, so a descriptor shared with a forked worker is no trouble, and a file cut short while it is
 * open is an error, not a signal (as it would be with mmap). An I/O error, a file that ends too early and an interruption
 * are three different answers.
 *
 * Writing: everything goes to a temporary beside the target, which is synced and renamed over it by ph_writer_commit. Until
 * then the old file is untouched: a full disk, an error or Ctrl-C leaves it whole and the temporary is removed. A link is
 * followed; the old file's permissions are kept.
 *
 *     ph_writer *w;
 *     PH_TRY(ph_writer_open(&w, path, err));
 *     PH_TRY(ph_writer_put(w, data, n, err));
 *     st = ph_writer_commit(&w, err);
 * done:
 *     ph_writer_drop(&w);       // w == NULL before ph_writer_open, and after commit
 *
 * Messages begin with the path as the caller gave it: "data/x.npy: cannot be opened: No such file or directory".
 */
#ifndef PH_FILE_H
#define PH_FILE_H

#include <limits.h>

#include "base/base.h"

#define PH_FILE_NAME 128

typedef struct {
    int fd; /* -1: closed */
    uint64_t size;
    char name[PH_FILE_NAME]; /* the path as given, its front cut when it is long; for messages */
} ph_file;

#define PH_FILE_NONE ((ph_file){.fd = -1})

/* Opens a regular file. Errors: EIO, with the system's reason; EARG for a path with nothing in it. */
PH_MUST ph_status ph_file_open(ph_file *f, const char *path, ph_err *err);
/* Exactly the n bytes at `at` into buf. EIO: the system's reason, or "ends at byte E; N bytes at A were wanted". EINTR: the
 * interrupt flag, looked at between pieces of 8 MB. */
PH_MUST ph_status ph_file_read(const ph_file *f, void *buf, size_t n, uint64_t at, ph_err *err);
void ph_file_close(ph_file *f);         /* idempotent */
bool ph_file_missing(const char *path); /* there is nothing of that name */

/* Makes the folders above a path, where they are not there yet, with these permissions. */
PH_MUST ph_status ph_file_make_parents(const char *path, unsigned mode, ph_err *err);

typedef struct ph_writer ph_writer;

/* *w: a temporary beside `path`; NULL when it fails. Errors: EIO (no directory, no permission, not a regular file). */
PH_MUST ph_status ph_writer_open(ph_writer **w, const char *path, ph_err *err);
/* Adds n bytes, through a buffer of 64 KB when they are few. After a failure the writer is only good for dropping. */
PH_MUST ph_status ph_writer_put(ph_writer *w, const void *data, size_t n, ph_err *err);
PH_MUST ph_status ph_writer_text(ph_writer *w, const char *text, ph_err *err);
/* Syncs and renames; *w is NULL afterwards, also on failure (the old file is whole then). */
PH_MUST ph_status ph_writer_commit(ph_writer **w, ph_err *err);
/* Before the commit: who may read the file may run it. */
PH_MUST ph_status ph_writer_runnable(ph_writer *w, ph_err *err);
void ph_writer_drop(ph_writer **w); /* forgets the temporary; idempotent */
/* Removes the temporaries in a folder in which nobody is writing: whoever was killed could not. */
void ph_writer_sweep(const char *folder);

/* The file that this process runs. Errors: EIO (the system does not say). */
PH_MUST ph_status ph_own_path(char out[PATH_MAX], ph_err *err);

#endif
