/* internal.h: what the readers and writers of files share: element types, a stream of bytes, an array from it. */
#ifndef PH_FILES_INTERNAL_H
#define PH_FILES_INTERNAL_H

#include "files/files.h"
#include "base/file.h"

/* ---- element types ----------------------------------------------------------------------------------------- */

typedef enum {
    ITEM_BOOL,
    ITEM_I8,
    ITEM_I16,
    ITEM_I32,
    ITEM_I64,
    ITEM_U8,
    ITEM_U16,
    ITEM_U32,
    ITEM_U64,
    ITEM_F16,
    ITEM_BF16,
    ITEM_F32,
    ITEM_F64,
    ITEM_C64,
    ITEM_C128,
    ITEM_COUNT
} file_item;

typedef struct {
    const char *name;   /* "f32": as the laboratory calls it */
    const char *npy;    /* "f4": as in a descr; NULL: none */
    const char *tensor; /* "F32": as in a .safetensors; NULL: none */
    size_t size;
    arr_dtype to;
} file_item_info;
extern const file_item_info file_items[ITEM_COUNT];

/* The item that an array is written as: its own, or the one named. EARG: no such name, none of this format (npy), complex
 * numbers as real ones, anything as bool but bool. */
PH_MUST ph_status file_item_for(file_item *out, const arr *a, const char *type, bool npy, ph_err *err);

/* The one size check of all formats: *bytes = product of the shape times the item's size; `who` begins the message. */
PH_MUST ph_status file_item_bytes(uint64_t *bytes, file_item item, int ndim, const int64_t *shape,
                                  const char *who, ph_err *err);

/* ---- a stream of bytes ------------------------------------------------------------------------------------- */

#define ARR_WHO 224

/* The bytes of a file, or of an entry in it, in order: as they are, or inflated. */
typedef struct {
    const ph_file *file;
    uint64_t at;     /* the next byte in the file */
    uint64_t packed; /* bytes of the entry left in the file */
    uint64_t left;   /* bytes still to come out */
    bool summed;     /* compare `crc` with `sum` at the end */
    uint32_t crc, sum;
    struct file_inflate *inflate; /* NULL: as they are */
    char who[ARR_WHO];            /* "x.npz: w": begins messages */
} file_stream;

/* n <= s->left bytes. */
PH_MUST ph_status file_stream_take(file_stream *s, void *buf, size_t n, ph_err *err);
/* To be called when nothing is left: the compressed data end here too, and the sum is right. */
PH_MUST ph_status file_stream_end(file_stream *s, ph_err *err);
PH_MUST ph_status file_inflate_begin(file_stream *s,
                                     ph_err *err); /* from now on what the file holds is inflated */
void file_stream_drop(file_stream *s);
uint32_t file_crc(uint32_t crc, const void *data, size_t n); /* begin with 0 */

/* ---- arrays from and to bytes ------------------------------------------------------------------------------ */

/* *out: an array of this shape from the next file_item_bytes of the stream; big: most significant byte first;
 * fortran: first index fastest (the result is a view then). */
PH_MUST ph_status file_payload(arr *out, file_stream *s, file_item item, bool big, bool fortran, int ndim,
                               const int64_t *shape, ph_err *err);
/* The elements in row-major order, least significant byte first, to w (NULL: nowhere); *crc (may be NULL) goes on. */
PH_MUST ph_status file_payload_write(ph_writer *w, uint32_t *crc, const arr *a, file_item item, ph_err *err);

typedef struct {
    file_item item;
    bool big, fortran;
    int ndim;
    int64_t shape[ARR_MAXDIM];
} file_npy_header;
/* Reads the header of a .npy off the stream and holds the rest of the stream against the size it promises. */
PH_MUST ph_status file_npy_header_read(file_npy_header *h, file_stream *s, ph_err *err);
#define ARR_NPY_HEADER_MAX 640 /* of a header written here */
size_t file_npy_header_write(char out[ARR_NPY_HEADER_MAX], const arr *a, file_item item); /* its length */

/* ---- stores ------------------------------------------------------------------------------------------------ */

struct file_store {
    ph_file file;
    int64_t count;
    struct zip_directory *zip;  /* of a .npz */
    struct tensor_index *index; /* of a .safetensors */
};
PH_MUST ph_status file_store_new(file_store **out, const char *path, ph_err *err);

void file_zip_drop(file_store *s);
PH_MUST ph_status file_zip_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err);
int64_t file_zip_find(const file_store *s, const char *name, size_t n);
/* The bytes of entry i. A deflated entry that claims more than the file's size and 1 MB is inflated to its end once, so that
 * what it claims is known to be there before it is allocated. */
PH_MUST ph_status file_zip_stream(file_stream *out, const file_store *s, int64_t i, bool all, ph_err *err);

void file_tensor_drop(file_store *s);
PH_MUST ph_status file_tensor_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err);
PH_MUST ph_status file_tensor_find(int64_t *i, const file_store *s, const char *name, size_t n, ph_err *err);
PH_MUST ph_status file_tensor_entry(file_entry *out, file_item *item, uint64_t *at, const file_store *s,
                                    int64_t i, ph_err *err);
PH_MUST ph_status file_tensor_metadata(char ***out, int64_t *n, const file_store *s, ph_err *err);

#endif
