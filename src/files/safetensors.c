/* safetensors.c: N (8 bytes), a JSON header of N bytes, the tensors one after another without gaps.
 *
 *     {"__metadata__": {"format": "pt"},
 *      "w": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}, ...}
 *
 * The header may have 100 MB, and a tree made of it would take many times that: a few bytes of JSON cost a node each. So it
 * is read through a window of 64 KB by a reader of just this grammar, twice: once to check and count, once to fill 32 bytes a
 * tensor (an entry has at least 49). Names and shapes are read again when they are asked for.
 */
#include "files/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MOST   100000000u
#define METADATA_MOST 10000

typedef struct {
    uint64_t hash;       /* of the name */
    uint64_t begin, end; /* in the buffer of tensors */
    uint32_t at;         /* of the name's first quote, in the header */
} tensor;

struct tensor_index {
    uint32_t header, metadata; /* bytes of the header; where "__metadata__" stands in it, 0: nowhere */
    uint64_t buffer;           /* bytes of the tensors */
    uint32_t *order;           /* place in the file -> place in tensors[] */
    tensor tensors[];          /* by hash */
};

/* ---- one tensor: {"dtype": ..., "shape": [...], "data_offsets": [begin, end]} ----------------------------- */

typedef struct {
    file_item item;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    uint64_t offset[2];
} info;

/* Is the text of s.n bytes, of which `start` has the first, this word? (It may hold a NUL.) */
static bool is_word(const file_json_text *s, const char *start, const char *word) {
    return s->n == strlen(word) && memcmp(start, word, s->n) == 0;
}

static ph_status read_dtype(file_json *r, info *t) {
    char name[16], message[160];
    file_json_text s = FILE_JSON_TEXT(.out = name, .cap = sizeof name - 1);
    ph_status st = file_json_read(r, &s, "the name of a type, as \"F32\"");
    if (st != PH_OK) return st;
    name[s.n < sizeof name ? s.n : sizeof name - 1] = 0;
    for (t->item = 0; t->item < ITEM_COUNT; t->item++)
        if (file_items[t->item].tensor && is_word(&s, name, file_items[t->item].tensor)) return PH_OK;
    for (char *p = name; *p; p++)
        if (*p < 32 || *p > 126) *p = '?';
    snprintf(message, sizeof message,
             "dtype is \"%s\"; wanted F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8 or BOOL",
             name);
    return file_json_fault(r, message);
}

static ph_status read_shape(file_json *r, info *t) {
    uint64_t v;
    if (!file_json_eat(r, '[')) return file_json_wanted(r, "[ and the sizes of the shape");
    for (t->ndim = 0; !file_json_eat(r, ']'); t->ndim++) {
        if (t->ndim > 0 && !file_json_eat(r, ',')) return file_json_wanted(r, "a comma or ]");
        if (t->ndim == ARR_MAXDIM) return file_json_fault(r, "shape has more than 8 dimensions");
        ph_status st = file_json_integer(r, &v, INT64_MAX, "a size in shape");
        if (st != PH_OK) return st;
        t->shape[t->ndim] = (int64_t)v;
    }
    return PH_OK;
}

static ph_status read_offsets(file_json *r, info *t) {
    for (int k = 0; k < 2; k++) {
        if (!file_json_eat(r, k ? ',' : '['))
            return file_json_wanted(r, k ? "a comma and the end" : "[ and where the data begin and end");
        ph_status st = file_json_integer(r, &t->offset[k], INT64_MAX, "a number in data_offsets");
        if (st != PH_OK) return st;
    }
    return file_json_eat(r, ']') ? PH_OK : file_json_wanted(r, "] after two data_offsets");
}

/* What the fields say of each other, and of the file. */
static ph_status agree(file_json *r, const info *t, uint64_t buffer) {
    char message[256], who[ARR_WHO];
    uint64_t bytes, begin = t->offset[0], end = t->offset[1];
    if (begin > end || end > buffer) {
        snprintf(message, sizeof message,
                 "data_offsets are [%llu, %llu]; wanted begin <= end <= %llu, what the file holds",
                 (unsigned long long)begin, (unsigned long long)end, (unsigned long long)buffer);
        return file_json_fault(r, message);
    }
    snprintf(who, sizeof who, "%s: header: tensor \"%s\"", r->file->name, r->shown);
    ph_status st = file_item_bytes(&bytes, t->item, t->ndim, t->shape, who, r->err);
    if (st != PH_OK || bytes == end - begin) return st;
    snprintf(message, sizeof message, "data_offsets span %llu bytes; shape and dtype take %llu",
             (unsigned long long)(end - begin), (unsigned long long)bytes);
    return file_json_fault(r, message);
}

static const struct {
    const char *key;
    ph_status (*read)(file_json *r, info *t);
} keys[] = {{"dtype", read_dtype}, {"shape", read_shape}, {"data_offsets", read_offsets}};
#define KEYS 3

static ph_status read_field(file_json *r, info *t, unsigned *have) {
    char key[16], message[120];
    file_json_text s = FILE_JSON_TEXT(.out = key, .cap = sizeof key);
    ph_status st = file_json_read(r, &s, "dtype, shape or data_offsets in quotes");
    if (st != PH_OK) return st;
    int k = 0;
    while (k < KEYS && !is_word(&s, key, keys[k].key)) k++;
    if (k == KEYS) return file_json_fault(r, "an unknown key; wanted dtype, shape and data_offsets");
    if (*have & 1u << k) {
        snprintf(message, sizeof message, "%s stands there twice", keys[k].key);
        return file_json_fault(r, message);
    }
    *have |= 1u << k;
    return file_json_eat(r, ':') ? keys[k].read(r, t) : file_json_wanted(r, "a colon");
}

static ph_status read_info(file_json *r, info *t, uint64_t buffer) {
    unsigned have = 0;
    char message[64];
    if (!file_json_eat(r, '{')) return file_json_wanted(r, "{ and dtype, shape and data_offsets");
    for (bool first = true; !file_json_eat(r, '}'); first = false) {
        if (!first && !file_json_eat(r, ',')) return file_json_wanted(r, "a comma or }");
        ph_status st = read_field(r, t, &have);
        if (st != PH_OK) return st;
    }
    for (int k = 0; k < KEYS; k++)
        if (!(have & 1u << k)) {
            snprintf(message, sizeof message, "%s is missing", keys[k].key);
            return file_json_fault(r, message);
        }
    return agree(r, t, buffer);
}

/* ---- metadata: texts only, no key twice -------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Two keys of one 64-bit hash count as one key: but for an attack they are. */
static ph_status check_metadata(file_json *r) {
    uint64_t *hash = ph_alloc(METADATA_MOST * sizeof *hash);
    int n = 0;
    ph_status st = hash ? PH_OK : ph_fail_nomem(r->err, METADATA_MOST * sizeof *hash);
    if (st == PH_OK && !file_json_eat(r, '{')) st = file_json_wanted(r, "{ and the texts of __metadata__");
    for (; st == PH_OK && !file_json_eat(r, '}'); n++) {
        file_json_text key = FILE_JSON_TEXT(0), value = FILE_JSON_TEXT(0);
        if (n > 0 && !file_json_eat(r, ',')) PH_TRY(file_json_wanted(r, "a comma or }"));
        if (n == METADATA_MOST) PH_TRY(file_json_fault(r, "__metadata__ has more than 10000 entries"));
        PH_TRY(file_json_read(r, &key, "a key of __metadata__ in quotes"));
        if (!file_json_eat(r, ':')) PH_TRY(file_json_wanted(r, "a colon"));
        PH_TRY(file_json_read(r, &value, "a text: __metadata__ holds only texts"));
        hash[n] = key.hash;
    }
    if (st != PH_OK) goto done;
    qsort(hash, (size_t)n, sizeof *hash, by_number);
    for (int k = 1; k < n; k++)
        if (hash[k] == hash[k - 1]) PH_TRY(file_json_fault(r, "a key of __metadata__ stands there twice"));
done:
    ph_free(hash);
    return st;
}

/* ---- the whole header ---------------------------------------------------------------------------------------- */

/* Reads everything; tensors go to x->tensors when x has room for them (the second time). */
static ph_status scan(file_json *r, struct tensor_index *head, tensor *to, int64_t *count) {
    *count = 0;
    head->metadata = 0;
    file_json_seek(r, 0);
    if (file_json_peek(r) != '{') return file_json_wanted(r, "{ as the first byte");
    r->at++;
    for (bool first = true; !file_json_eat(r, '}'); first = false) {
        char start[57];
        if (!first && !file_json_eat(r, ',')) return file_json_wanted(r, "a comma or }");
        file_json_word(r);
        uint32_t at = file_json_place(r);
        file_json_text name = FILE_JSON_TEXT(.out = start, .cap = 56, .with = "__metadata__", .with_n = 12);
        *r->shown = 0;
        ph_status st = file_json_read(r, &name, "a tensor's name in quotes");
        if (st != PH_OK) return st;
        file_json_show(r, start, name.n < 56 ? name.n : 56);
        if (!file_json_eat(r, ':')) return file_json_wanted(r, "a colon");
        if (file_json_equal(&name)) {
            *r->shown = 0;
            if (head->metadata) return file_json_fault(r, "__metadata__ stands there twice");
            head->metadata = at;
            if ((st = check_metadata(r)) != PH_OK) return st;
            continue;
        }
        info t;
        if ((st = read_info(r, &t, head->buffer)) != PH_OK) return st;
        if (to) to[*count] = (tensor){name.hash, t.offset[0], t.offset[1], at};
        ++*count;
    }
    *r->shown = 0;
    return file_json_word(r) < 0 && r->st == PH_OK ? PH_OK : file_json_wanted(r, "nothing more");
}

static bool before(const tensor *a, const tensor *b, bool by_offset) {
    if (!by_offset) return a->hash < b->hash || (a->hash == b->hash && a->at < b->at);
    return a->begin < b->begin || (a->begin == b->begin && a->end < b->end);
}

/* In place: the C library's sort may take as much memory again. */
static void sort(tensor *t, int64_t n, bool by_offset) {
    for (int64_t top = n / 2, end = n; end > 1;) {
        if (top > 0) top--;
        else {
            tensor last = t[--end];
            t[end] = t[0], t[0] = last;
        }
        tensor v = t[top];
        int64_t i = top, child;
        while ((child = 2 * i + 1) < end) {
            if (child + 1 < end && before(&t[child], &t[child + 1], by_offset)) child++;
            if (!before(&v, &t[child], by_offset)) break;
            t[i] = t[child];
            i = child;
        }
        t[i] = v;
    }
}

/* Sorted by place, each tensor begins where the one before it ends, and the last ends where the file does. */
static ph_status without_gaps(file_json *r, const struct tensor_index *x, int64_t count) {
    uint64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        const tensor *t = &x->tensors[i];
        if (t->begin != end)
            return ph_fail(r->err, PH_EARG,
                           "%s: header: a tensor's data begin at %llu; the tensor before ends at %llu",
                           r->file->name, (unsigned long long)t->begin, (unsigned long long)end);
        end = t->end;
    }
    if (end == x->buffer) return PH_OK;
    return ph_fail(r->err, PH_EARG, "%s: data: the tensors end at byte %llu; %llu are there", r->file->name,
                   (unsigned long long)end, (unsigned long long)x->buffer);
}

/* Does the name at `at` read like this one? */
static ph_status same_name(bool *same, file_json *r, uint32_t at, const char *name, size_t n) {
    file_json_text t = FILE_JSON_TEXT(.with = name, .with_n = n);
    file_json_seek(r, at);
    ph_status st = file_json_read(r, &t, "a name");
    *same = file_json_equal(&t);
    return st;
}

/* Is the name of tensor i also that of one before it? Those of one hash stand together; honest ones are a group of one. */
static ph_status name_is_new(file_json *r, const struct tensor_index *x, int64_t i) {
    const tensor *t = x->tensors;
    char *name = NULL;
    size_t n;
    bool same;
    ph_status st = PH_OK;
    for (int64_t k = i - 1; k >= 0 && t[k].hash == t[i].hash && st == PH_OK; k--) {
        if (!name) PH_TRY(file_json_copy(r, &name, &n, t[i].at, "a name"));
        file_json_show(r, name, n);
        PH_TRY(same_name(&same, r, t[k].at, name, n));
        if (same) st = file_json_fault(r, "two tensors have this name");
        else if (i - k > 16) st = file_json_fault(r, "too many names made to look alike");
    }
done:
    ph_free(name);
    *r->shown = 0;
    return st;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static ph_status header_length(uint32_t *out, const ph_file *f, ph_err *err) {
    unsigned char b[8];
    uint64_t n = 0;
    if (f->size < 8)
        return ph_fail(err, PH_EARG, "%s: %llu bytes; a .safetensors has at least 10", f->name,
                       (unsigned long long)f->size);
    ph_status st = ph_file_read(f, b, 8, 0, err);
    if (st != PH_OK) return st;
    for (int k = 7; k >= 0; k--) n = n << 8 | b[k];
    if (n > HEADER_MOST)
        return ph_fail(err, PH_EARG, "%s: header: %llu bytes; wanted at most %u", f->name,
                       (unsigned long long)n, HEADER_MOST);
    if (n > f->size - 8)
        return ph_fail(err, PH_EARG, "%s: header: %llu bytes; %llu are left", f->name, (unsigned long long)n,
                       (unsigned long long)(f->size - 8));
    *out = (uint32_t)n;
    return PH_OK;
}

/* The order of the file: by the place of the name. Places are distinct, so hashes need no second look. */
static void fill_order(struct tensor_index *x, int64_t count) {
    for (int64_t i = 0; i < count; i++) x->order[i] = (uint32_t)i;
    for (int64_t top = count / 2, end = count; end > 1;) { /* the heap again, over indices */
        if (top > 0) top--;
        else {
            uint32_t last = x->order[--end];
            x->order[end] = x->order[0], x->order[0] = last;
        }
        uint32_t v = x->order[top];
        int64_t i = top, child;
        while ((child = 2 * i + 1) < end) {
            if (child + 1 < end && x->tensors[x->order[child]].at < x->tensors[x->order[child + 1]].at)
                child++;
            if (x->tensors[v].at >= x->tensors[x->order[child]].at) break;
            x->order[i] = x->order[child];
            i = child;
        }
        x->order[i] = v;
    }
}

ph_status file_safetensors_open(file_store **out, const char *path, ph_err *err) {
    file_store *s;
    file_json *r = NULL;
    struct tensor_index head = {0}, *x;
    int64_t count;
    ph_status st = file_store_new(&s, path, err);
    if (st != PH_OK) return st;
    PH_TRY(header_length(&head.header, &s->file, err));
    head.buffer = s->file.size - 8 - head.header;
    PH_TRY(file_json_new(&r, &s->file, head.header, FILE_JSON_WINDOW, err));
    PH_TRY(scan(r, &head, NULL, &count));
    size_t bytes = sizeof *x + (size_t)count * sizeof(tensor);
    s->index = x = ph_calloc(1, bytes);
    if (!x) PH_TRY(ph_fail_nomem(err, bytes));
    *x = head;
    x->order = ph_alloc((size_t)count * sizeof *x->order);
    if (!x->order) PH_TRY(ph_fail_nomem(err, (size_t)count * sizeof *x->order));
    int64_t again;
    PH_TRY(scan(r, x, x->tensors, &again));
    s->count = count;
    sort(x->tensors, count, true);
    PH_TRY(without_gaps(r, x, count));
    sort(x->tensors, count, false);
    for (int64_t i = 1; i < count; i++) PH_TRY(name_is_new(r, x, i));
    fill_order(x, count);
done:
    ph_free(r);
    if (st != PH_OK) file_store_close(&s);
    *out = s;
    return st;
}

void file_tensor_drop(file_store *s) {
    if (s->index) ph_free(s->index->order);
    ph_free(s->index);
    s->index = NULL;
}

/* ---- tensors by name and index -------------------------------------------------------------------------------- */

ph_status file_tensor_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err) {
    file_json *r;
    ph_status st = file_json_new(&r, &s->file, s->index->header, FILE_JSON_GLANCE, err);
    if (st == PH_OK) st = file_json_copy(r, out, n, s->index->tensors[s->index->order[i]].at, "a name");
    ph_free(r);
    return st;
}

ph_status file_tensor_find(int64_t *out, const file_store *s, const char *name, size_t n, ph_err *err) {
    const struct tensor_index *x = s->index;
    file_json_text t = FILE_JSON_TEXT(0);
    file_json_add(&t, name, n);
    int64_t lo = 0, hi = s->count;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (x->tensors[mid].hash < t.hash) lo = mid + 1;
        else hi = mid;
    }
    *out = -1;
    if (lo == s->count || x->tensors[lo].hash != t.hash) return PH_OK;
    file_json *r;
    ph_status st = file_json_new(&r, &s->file, x->header, FILE_JSON_GLANCE, err);
    for (bool same; st == PH_OK && *out < 0 && lo < s->count && x->tensors[lo].hash == t.hash; lo++) {
        st = same_name(&same, r, x->tensors[lo].at, name, n);
        if (st != PH_OK || !same) continue;
        *out = 0;
        while (x->order[*out] != lo) ++*out;
    }
    ph_free(r);
    return st;
}

ph_status file_tensor_entry(file_entry *out, file_item *item, uint64_t *at, const file_store *s, int64_t i,
                            ph_err *err) {
    const struct tensor_index *x = s->index;
    file_json_text name = FILE_JSON_TEXT(0);
    info t;
    file_json *r;
    ph_status st = file_json_new(&r, &s->file, x->header, FILE_JSON_GLANCE, err);
    if (st != PH_OK) return st;
    file_json_seek(r, x->tensors[x->order[i]].at);
    PH_TRY(file_json_read(r, &name, "a name"));
    if (!file_json_eat(r, ':')) PH_TRY(file_json_wanted(r, "a colon"));
    PH_TRY(read_info(r, &t, x->buffer));
    *out = (file_entry){.type = file_items[t.item].name, .dtype = file_items[t.item].to, .ndim = t.ndim};
    memcpy(out->shape, t.shape, sizeof out->shape);
    *item = t.item;
    *at = 8 + (uint64_t)x->header + t.offset[0];
done:
    ph_free(r);
    return st;
}

ph_status file_tensor_metadata(char ***out, int64_t *n, const file_store *s, ph_err *err) {
    file_json *r;
    char **list = NULL;
    int64_t have = 0;
    size_t length;
    if (!s->index->metadata) return PH_OK;
    ph_status st = file_json_new(&r, &s->file, s->index->header, FILE_JSON_GLANCE, err);
    if (st != PH_OK) return st;
    file_json_text key = FILE_JSON_TEXT(0);
    list = ph_calloc(2 * METADATA_MOST, sizeof *list);
    if (!list) PH_TRY(ph_fail_nomem(err, 2 * METADATA_MOST * sizeof *list));
    file_json_seek(r, s->index->metadata);
    PH_TRY(file_json_read(r, &key, "a key"));
    if (!file_json_eat(r, ':') || !file_json_eat(r, '{')) PH_TRY(file_json_wanted(r, "{"));
    while (!file_json_eat(r, '}') && have < 2 * METADATA_MOST) {
        if (have > 0 && have % 2 == 0 && !file_json_eat(r, ',')) PH_TRY(file_json_wanted(r, "a comma"));
        if (have % 2 == 1 && !file_json_eat(r, ':')) PH_TRY(file_json_wanted(r, "a colon"));
        file_json_word(r);
        PH_TRY(file_json_copy(r, &list[have], &length, file_json_place(r), "a text"));
        have++;
    }
    *out = list, *n = have / 2, list = NULL;
done:
    for (int64_t k = 0; list && k < have; k++) ph_free(list[k]);
    ph_free(list);
    ph_free(r);
    return st;
}
