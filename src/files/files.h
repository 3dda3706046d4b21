/* files.h: arrays in files: .npy, .npz, .safetensors, .csv.
 *
 * What others write is distrusted. Every field is checked before anything of its size is allocated, every size is
 * ph_shape_bytes, and a file is read with pread. The types of a file become the four of array.h without loss:
 *
 *     bool                          -> bool
 *     i8 i16 i32 i64 u8 u16 u32 u64 -> f64   (an integer that no double holds exactly is an error)
 *     f16 bf16 f32                  -> f32
 *     f64                           -> f64
 *     c64 c128                      -> c128
 *
 * A read needs the array itself and less than 1 MB beside it. Files are written through ph_writer: whole or not at all, and
 * the same bytes for the same arrays. Messages begin with the file: "x.npy: header: ...". Formats:
 *   .npy          numpy.lib.format, versions 1.0, 2.0, 3.0
 *   .npz          a ZIP archive (PKWARE's APPNOTE 6.3) of them, stored or deflated
 *   .safetensors  N (8 bytes), a JSON header of N bytes, the tensors one after another
 *   .csv          RFC 4180, numbers only, under at most one line of names
 */
#ifndef PH_FILES_H
#define PH_FILES_H

#include "array/array.h"

/* ---- one array a file -------------------------------------------------------------------------------------- */

PH_MUST ph_status file_npy_read(arr *out, const char *path, ph_err *err);
/* type: "f64", "f32", "f16", "bool", "c128"; NULL: the array's own. */
PH_MUST ph_status file_npy_write(const char *path, const arr *a, const char *type, ph_err *err);

/* *out: (rows, columns), f64. *names: NULL, or the texts of the first line one after another, each with its NUL, `columns`
 * of them, for ph_free. header: 1 the first line is names, 0 it is numbers, -1 it is names when a field of it is no number.
 * A line without any character is passed over. */
PH_MUST ph_status file_csv_read(arr *out, char **names, const char *path, char separator, int header,
                                ph_err *err);
/* a: (n) becomes a column, (n, m) a table; real. names: one for each column, or NULL. Numbers read back as they were. */
PH_MUST ph_status file_csv_write(const char *path, const arr *a, char separator, const char *const *names,
                                 ph_err *err);

/* ---- many arrays a file ------------------------------------------------------------------------------------ */

/* An open .npz or .safetensors. Opening reads names and shapes only; an array is read when asked for. */
typedef struct file_store file_store;

typedef struct {
    const char *type; /* as the file has it: "i32", "bf16" */
    arr_dtype dtype;  /* as it is read */
    int ndim;
    int64_t shape[ARR_MAXDIM];
} file_entry;

PH_MUST ph_status file_npz_open(file_store **out, const char *path, ph_err *err);
PH_MUST ph_status file_safetensors_open(file_store **out, const char *path, ph_err *err);
void file_store_close(file_store **s); /* idempotent */

const char *file_store_path(const file_store *s); /* for messages */
int64_t file_store_count(const file_store *s);
/* The name of entry i (in the order of the file), NUL-terminated, for ph_free; *n: its length (a name may hold NULs). */
PH_MUST ph_status file_store_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err);
/* *i: the entry of that name, or -1. */
PH_MUST ph_status file_store_find(int64_t *i, const file_store *s, const char *name, size_t n, ph_err *err);
PH_MUST ph_status file_store_entry(file_entry *out, const file_store *s, int64_t i, ph_err *err);
PH_MUST ph_status file_store_read(arr *out, const file_store *s, int64_t i, ph_err *err);
/* The texts of `__metadata__` in a .safetensors: key and value in turn, each ph_alloc'ed, 2 * *n of them, the list for ph_free
 * as well. None in a .npz. */
PH_MUST ph_status file_store_metadata(char ***out, int64_t *n, const file_store *s, ph_err *err);

/* One array to be written under a name (UTF-8, no NUL). */
typedef struct {
    const char *name;
    const arr *a;
} file_named;

/* The names differ; an .npz takes no empty name, none with '/' or '\\' in it. type as for file_npy_write, .safetensors also "bf16". */
PH_MUST ph_status file_npz_write(const char *path, const file_named *in, int n, const char *type,
                                 ph_err *err);
/* metadata: key and value in turn, 2 * nmeta of them. Largest elements first, then by name, as the format's own library does. */
PH_MUST ph_status file_safetensors_write(const char *path, const file_named *in, int n, const char *type,
                                         const char *const *metadata, int nmeta, ph_err *err);

#endif
