/* files_internal.h: what the readers and writers of files share: element types, a stream of bytes, an array from it. */
#ifndef PH_ARRAY_FILES_INTERNAL_H
#define PH_ARRAY_FILES_INTERNAL_H

#include "array/files.h"
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
} arr_item;

typedef struct {
    const char *name;   /* "f32": as the laboratory calls it */
    const char *npy;    /* "f4": as in a descr; NULL: none */
    const char *tensor; /* "F32": as in a .safetensors; NULL: none */
    size_t size;
    arr_dtype to;
} arr_item_info;
extern const arr_item_info arr_items[ITEM_COUNT];

/* The item that an array is written as: its own, or the one named. EARG: no such name, none of this format (npy), complex
 * numbers as real ones, anything as bool but bool. */
PH_MUST ph_status arr_item_for(arr_item *out, const arr *a, const char *type, bool npy, ph_err *err);

/* The one size check of all formats: *bytes = product of the shape times the item's size; `who` begins the message. */
PH_MUST ph_status arr_item_bytes(uint64_t *bytes, arr_item item, int ndim, const int64_t *shape,
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
    struct arr_inflate *inflate; /* NULL: as they are */
    char who[ARR_WHO];           /* "x.npz: w": begins messages */
} arr_stream;

/* n <= s->left bytes. */
PH_MUST ph_status arr_stream_take(arr_stream *s, void *buf, size_t n, ph_err *err);
/* To be called when nothing is left: the compressed data end here too, and the sum is right. */
PH_MUST ph_status arr_stream_end(arr_stream *s, ph_err *err);
PH_MUST ph_status arr_inflate_begin(arr_stream *s,
                                    ph_err *err); /* from now on what the file holds is inflated */
void arr_stream_drop(arr_stream *s);
uint32_t arr_crc(uint32_t crc, const void *data, size_t n); /* begin with 0 */

/* ---- arrays from and to bytes ------------------------------------------------------------------------------ */

/* *out: an array of this shape from the next arr_item_bytes of the stream; big: most significant byte first;
 * fortran: first index fastest (the result is a view then). */
PH_MUST ph_status arr_payload(arr *out, arr_stream *s, arr_item item, bool big, bool fortran, int ndim,
                              const int64_t *shape, ph_err *err);
/* The elements in row-major order, least significant byte first, to w (NULL: nowhere); *crc (may be NULL) goes on. */
PH_MUST ph_status arr_payload_write(ph_writer *w, uint32_t *crc, const arr *a, arr_item item, ph_err *err);

typedef struct {
    arr_item item;
    bool big, fortran;
    int ndim;
    int64_t shape[ARR_MAXDIM];
} arr_npy_header;
/* Reads the header of a .npy off the stream and holds the rest of the stream against the size it promises. */
PH_MUST ph_status arr_npy_header_read(arr_npy_header *h, arr_stream *s, ph_err *err);
#define ARR_NPY_HEADER_MAX 640 /* of a header written here */
size_t arr_npy_header_write(char out[ARR_NPY_HEADER_MAX], const arr *a, arr_item item); /* its length */

/* ---- stores ------------------------------------------------------------------------------------------------ */

struct arr_store {
    ph_file file;
    int64_t count;
    struct zip_directory *zip;  /* of a .npz */
    struct tensor_index *index; /* of a .safetensors */
};
PH_MUST ph_status arr_store_new(arr_store **out, const char *path, ph_err *err);

void arr_zip_drop(arr_store *s);
PH_MUST ph_status arr_zip_name(char **out, size_t *n, const arr_store *s, int64_t i, ph_err *err);
int64_t arr_zip_find(const arr_store *s, const char *name, size_t n);
/* The bytes of entry i. A deflated entry that claims more than the file's size and 1 MB is inflated to its end once, so that
 * what it claims is known to be there before it is allocated. */
PH_MUST ph_status arr_zip_stream(arr_stream *out, const arr_store *s, int64_t i, bool all, ph_err *err);

void arr_tensor_drop(arr_store *s);
PH_MUST ph_status arr_tensor_name(char **out, size_t *n, const arr_store *s, int64_t i, ph_err *err);
PH_MUST ph_status arr_tensor_find(int64_t *i, const arr_store *s, const char *name, size_t n, ph_err *err);
PH_MUST ph_status arr_tensor_entry(arr_entry *out, arr_item *item, uint64_t *at, const arr_store *s,
                                   int64_t i, ph_err *err);
PH_MUST ph_status arr_tensor_metadata(char ***out, int64_t *n, const arr_store *s, ph_err *err);

#endif
