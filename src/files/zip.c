/* zip.c: the directory of a .npz: a ZIP archive of .npy files.
 *
 *     [local head, name, extra, data]...  [central head, name, extra, comment]...  (end of the directory, 64 bit)  end
 *
 * The directory at the end says where each entry is; each entry says the same once more in front of its data. Both must
 * agree, entries must not overlap, names must be plain, and only what is stored or deflated is read: archives in which these
 * differ read differently in different programs, and are made for that.
 */
#include "files/internal.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#define ENTRIES_MOST 10000
#define TOTAL_MOST   ((uint64_t)1 << 36) /* bytes, inflated */
#define RATIO_MOST   1032                /* deflate never does better */
#define NAME_MOST    4096

enum { LOCAL = 30, CENTRAL = 46, END = 22, END64 = 56, LOCATOR64 = 20 };
enum { ENCRYPTED = 1, STREAMED = 8 };

typedef struct {
    uint64_t local, data, packed, size; /* offsets of the local head and of the data; bytes */
    uint64_t end;                       /* where the entry is over, a descriptor behind the data included */
    uint32_t crc, name_at;              /* offset in names */
    uint16_t name_n, method, flags;
} zip_entry;

struct zip_directory {
    char *names; /* the directory's names one after another */
    zip_entry entry[];
};

static uint32_t u16(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t u32(const unsigned char *p) { return u16(p) | u16(p + 2) << 16; }
static uint64_t u64(const unsigned char *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

/* ---- the end of the directory ------------------------------------------------------------------------------ */

typedef struct {
    uint64_t at, size, count; /* of the directory */
    uint64_t stop;            /* where it must end */
} directory_place;

static ph_status refuse(const ph_file *f, ph_err *err, const char *what) {
    return ph_fail(err, PH_EARG, "%s: %s", f->name, what);
}

/* The record before the end, for archives beyond 4 GB or 65535 entries. */
static ph_status place64(directory_place *p, const ph_file *f, uint64_t end, ph_err *err) {
    unsigned char b[END64];
    ph_status st;
    if (end < LOCATOR64 + END64) return refuse(f, err, "end of the directory: its 64-bit part is missing");
    if ((st = ph_file_read(f, b, LOCATOR64, end - LOCATOR64, err)) != PH_OK) return st;
    if (u32(b) != 0x07064b50) return refuse(f, err, "end of the directory: its 64-bit part is missing");
    uint64_t at = u64(b + 8);
    if (u32(b + 4) != 0 || u32(b + 16) > 1)
        return refuse(f, err, "end of the directory: an archive in several parts");
    if (at != end - LOCATOR64 - END64)
        return refuse(f, err, "end of the directory: its 64-bit part is not where it is said to be");
    if ((st = ph_file_read(f, b, END64, at, err)) != PH_OK) return st;
    if (u32(b) != 0x06064b50 || u64(b + 4) != END64 - 12 || u32(b + 16) != 0 || u32(b + 20) != 0 ||
        u64(b + 24) != u64(b + 32))
        return refuse(f, err, "end of the directory: its 64-bit part is damaged");
    *p = (directory_place){u64(b + 48), u64(b + 40), u64(b + 32), at};
    return PH_OK;
}

/* The end record: at the end of the file, but for a comment of the length it names. */
static ph_status find_end(uint64_t *end, unsigned char out[END], const ph_file *f, ph_err *err) {
    size_t most = END + 65535, n = f->size < most ? (size_t)f->size : most;
    if (f->size < END) return refuse(f, err, "too short for a .npz, which is a ZIP archive");
    unsigned char *tail = ph_alloc(n);
    if (!tail) return ph_fail_nomem(err, n);
    ph_status st = ph_file_read(f, tail, n, f->size - n, err);
    size_t at = n - END + 1;
    while (st == PH_OK && at-- > 0)
        if (u32(tail + at) == 0x06054b50 && at + END + u16(tail + at + 20) == n) break;
    if (st == PH_OK && at == (size_t)-1)
        st = refuse(f, err, "is no .npz: a ZIP archive's end of the directory is not there");
    if (st == PH_OK) memcpy(out, tail + at, END), *end = f->size - n + at;
    ph_free(tail);
    return st;
}

static ph_status find_directory(directory_place *p, const ph_file *f, ph_err *err) {
    unsigned char b[END] = {0};
    uint64_t end = 0;
    ph_status st = find_end(&end, b, f, err);
    if (st != PH_OK) return st;
    *p = (directory_place){u32(b + 16), u32(b + 12), u16(b + 10), end};
    if (u16(b + 10) == 0xffff || u32(b + 12) == 0xffffffff || u32(b + 16) == 0xffffffff) {
        if ((st = place64(p, f, end, err)) != PH_OK) return st;
    } else if (u16(b + 4) != 0 || u16(b + 6) != 0 || u16(b + 8) != u16(b + 10))
        return refuse(f, err, "end of the directory: an archive in several parts");
    if (p->at > p->stop || p->size != p->stop - p->at)
        return ph_fail(err, PH_EARG, "%s: directory: %llu bytes from %llu; wanted it to end at %llu", f->name,
                       (unsigned long long)p->size, (unsigned long long)p->at, (unsigned long long)p->stop);
    if (p->count > ENTRIES_MOST)
        return ph_fail(err, PH_EARG, "%s: directory: %llu entries; wanted at most %d", f->name,
                       (unsigned long long)p->count, ENTRIES_MOST);
    return p->count <= p->size / CENTRAL
               ? PH_OK
               : ph_fail(err, PH_EARG, "%s: directory: %llu entries in %llu bytes", f->name,
                         (unsigned long long)p->count, (unsigned long long)p->size);
}

/* ---- entries ----------------------------------------------------------------------------------------------- */

/* For messages: the name with what a terminal should not see as '?'. */
static void say_name(char out[64], const char *name, size_t n) {
    size_t k = 0;
    for (; k < n && k < 60; k++) out[k] = (unsigned char)name[k] < 32 || name[k] == 127 ? '?' : name[k];
    while (k > 0 && k < n && ((unsigned char)name[k] & 0xC0) == 0x80) k--;
    out[k] = 0;
}

static ph_status refuse_entry(const ph_file *f, const char *name, size_t n, ph_err *err, const char *what) {
    char shown[64];
    say_name(shown, name, n);
    return ph_fail(err, PH_EARG, "%s: entry \"%s\": %s", f->name, shown, what);
}

static const char *wrong_name(const char *s, size_t n) {
    if (memchr(s, 0, n)) return "a NUL in its name";
    if (!ph_utf8_valid(s, n)) return "its name is no UTF-8";
    if (memchr(s, '\\', n)) return "a backslash in its name";
    if ((n > 0 && *s == '/') || (n > 1 && s[1] == ':')) return "an absolute name";
    for (size_t at = 0, end; at <= n; at = end + 1) {
        for (end = at; end < n && s[end] != '/';) end++;
        if (end - at == 2 && s[at] == '.' && s[at + 1] == '.') return "\"..\" in its name";
    }
    if (n <= 4 || memcmp(s + n - 4, ".npy", 4) != 0) return "a .npz holds arrays only, NAME.npy";
    return NULL;
}

/* The 64-bit extra field replaces what is all ones, in this order. */
static bool extra64(const unsigned char *x, size_t n, uint64_t *const field[], const bool wanted[],
                    int fields) {
    bool any = false;
    for (int k = 0; k < fields; k++) any |= wanted[k];
    for (size_t at = 0, size; at + 4 <= n; at += 4 + size) {
        size = u16(x + at + 2);
        if (size > n - at - 4) return false;
        if (u16(x + at) != 1) continue;
        size_t used = 0;
        for (int k = 0; k < fields; k++) {
            if (!wanted[k]) continue;
            if (used + 8 > size) return false;
            *field[k] = u64(x + at + 4 + used);
            used += 8;
        }
        return true;
    }
    return !any;
}

static const char *wrong_entry(const zip_entry *e, uint64_t directory) {
    if (e->flags & (ENCRYPTED | 0x40 | 0x2000)) return "encrypted";
    if (e->method != 0 && e->method != 8) return "compressed in an unknown way; wanted stored or deflated";
    if (e->method == 0 && e->packed != e->size) return "stored, but its two sizes differ";
    if (e->local > directory || e->packed > directory - e->local) return "reaches beyond the data";
    if (e->size / RATIO_MOST > e->packed) return "its size is more than deflate can make of its data";
    return NULL;
}

/* One central head with its name and extra fields, at *at; *at goes on. `more` heads come after it, so `names`, with room for
 * all that is not a head, holds this name as well. */
static ph_status central(zip_entry *e, char *names, uint32_t *names_n, const ph_file *f,
                         const directory_place *p, uint64_t *at, uint64_t more, ph_err *err) {
    unsigned char b[CENTRAL], extra[512];
    ph_status st;
    uint64_t room = p->stop - *at - more * CENTRAL; /* never negative: every entry leaves room for the rest */
    if (room < CENTRAL) return refuse(f, err, "directory: it ends within an entry");
    if ((st = ph_file_read(f, b, CENTRAL, *at, err)) != PH_OK) return st;
    if (u32(b) != 0x02014b50) return refuse(f, err, "directory: an entry does not begin with PK\\1\\2");
    size_t name_n = u16(b + 28), extra_n = u16(b + 30), rest = name_n + extra_n + u16(b + 32);
    if (room - CENTRAL < rest) return refuse(f, err, "directory: it ends within an entry");
    if (name_n > NAME_MOST || extra_n > sizeof extra)
        return refuse(f, err, "directory: a name above 4096 bytes, or extra fields above 512");
    char *name = names + *names_n;
    if ((st = ph_file_read(f, name, name_n, *at + CENTRAL, err)) != PH_OK) return st;
    if ((st = ph_file_read(f, extra, extra_n, *at + CENTRAL + name_n, err)) != PH_OK) return st;
    *e = (zip_entry){.local = u32(b + 42),
                     .packed = u32(b + 20),
                     .size = u32(b + 24),
                     .crc = u32(b + 16),
                     .name_at = *names_n,
                     .name_n = (uint16_t)name_n,
                     .method = (uint16_t)u16(b + 10),
                     .flags = (uint16_t)u16(b + 8)};
    const char *wrong = wrong_name(name, name_n);
    if (!wrong && u16(b + 34) != 0) wrong = "in another part of the archive";
    if (!wrong &&
        !extra64(extra, extra_n, (uint64_t *[]){&e->size, &e->packed, &e->local},
                 (bool[]){e->size == 0xffffffff, e->packed == 0xffffffff, e->local == 0xffffffff}, 3))
        wrong = "its extra fields are damaged";
    if (!wrong) wrong = wrong_entry(e, p->at);
    if (wrong) return refuse_entry(f, name, name_n, err, wrong);
    *names_n += (uint32_t)name_n;
    *at += CENTRAL + rest;
    return PH_OK;
}

/* Behind streamed data: (PK\7\8) crc, packed, size, in 32 or 64 bits. Returns its length, 0: none that agrees. */
static size_t descriptor(const unsigned char *b, size_t n, const zip_entry *e) {
    size_t at = n >= 4 && u32(b) == 0x08074b50 ? 4 : 0;
    if (n >= at + 20 && u32(b + at) == e->crc && u64(b + at + 4) == e->packed && u64(b + at + 12) == e->size)
        return at + 20;
    if (n >= at + 12 && u32(b + at) == e->crc && u32(b + at + 4) == e->packed && u32(b + at + 8) == e->size)
        return at + 12;
    return 0;
}

/* Holds the local head against the directory, and finds the data. */
static ph_status local(zip_entry *e, const char *name, const ph_file *f, uint64_t directory, ph_err *err) {
    unsigned char b[LOCAL], extra[512], other[NAME_MOST], tail[24];
    ph_status st;
    if (directory - e->local < LOCAL)
        return refuse_entry(f, name, e->name_n, err, "reaches into the directory");
    if ((st = ph_file_read(f, b, LOCAL, e->local, err)) != PH_OK) return st;
    if (u32(b) != 0x04034b50)
        return refuse_entry(f, name, e->name_n, err, "its head does not begin with PK\\3\\4");
    size_t name_n = u16(b + 26), extra_n = u16(b + 28);
    e->data = e->local + LOCAL + name_n + extra_n;
    if (e->data > directory || e->packed > directory - e->data)
        return refuse_entry(f, name, e->name_n, err, "its data reach into the directory");
    if (extra_n > sizeof extra) return refuse_entry(f, name, e->name_n, err, "extra fields above 512 bytes");
    bool same = name_n == e->name_n;
    if (same && (st = ph_file_read(f, other, name_n, e->local + LOCAL, err)) != PH_OK) return st;
    if (!same || memcmp(other, name, name_n) != 0)
        return refuse_entry(f, name, e->name_n, err, "its head has another name than the directory");
    if ((st = ph_file_read(f, extra, extra_n, e->local + LOCAL + name_n, err)) != PH_OK) return st;
    uint64_t packed = u32(b + 18), size = u32(b + 22), none;
    bool wide[] = {size == 0xffffffff, packed == 0xffffffff, false};
    bool ok = extra64(extra, extra_n, (uint64_t *[]){&size, &packed, &none}, wide, 3);
    e->end = e->data + e->packed;
    if (e->flags & STREAMED && ok && (u32(b + 14) | packed | size) == 0) { /* said behind the data */
        size_t n = directory - e->end < sizeof tail ? (size_t)(directory - e->end) : sizeof tail;
        if ((st = ph_file_read(f, tail, n, e->end, err)) != PH_OK) return st;
        e->end += n = descriptor(tail, n, e);
        if (n == 0) ok = false;
    } else ok = ok && packed == e->packed && size == e->size && u32(b + 14) == e->crc;
    if (!ok || u16(b + 8) != e->method || u16(b + 6) != e->flags)
        return refuse_entry(f, name, e->name_n, err,
                            "its head and the directory disagree on size, CRC, method or flags");
    return PH_OK;
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

static int compare_names(const struct zip_directory *z, const zip_entry *a, const zip_entry *b) {
    size_t n = a->name_n < b->name_n ? a->name_n : b->name_n;
    int d = memcmp(z->names + a->name_at, z->names + b->name_at, n);
    return d ? d : (int)a->name_n - (int)b->name_n;
}

/* Sorts `order`, indices of at most 10000 entries. */
static void sort(uint16_t *order, int n, const struct zip_directory *z, bool by_name) {
    for (int gap = n / 2; gap > 0; gap /= 2) /* Shell's */
        for (int i = gap; i < n; i++) {
            uint16_t v = order[i];
            int j = i;
            for (; j >= gap; j -= gap) {
                const zip_entry *a = &z->entry[order[j - gap]], *b = &z->entry[v];
                if (by_name ? compare_names(z, a, b) <= 0 : a->local <= b->local) break;
                order[j] = order[j - gap];
            }
            order[j] = v;
        }
}

static ph_status apart(const file_store *s, uint16_t *order, ph_err *err) {
    const struct zip_directory *z = s->zip;
    uint64_t total = 0;
    int n = (int)s->count;
    for (int i = 0; i < n; i++) order[i] = (uint16_t)i;
    sort(order, n, z, true);
    for (int i = 1; i < n; i++) {
        const zip_entry *e = &z->entry[order[i]];
        if (compare_names(z, &z->entry[order[i - 1]], e) == 0)
            return refuse_entry(&s->file, z->names + e->name_at, e->name_n, err,
                                "two entries have this name");
    }
    sort(order, n, z, false);
    for (int i = 0; i < n; i++) {
        const zip_entry *e = &z->entry[order[i]];
        if (i > 0 && e->local < z->entry[order[i - 1]].end)
            return refuse_entry(&s->file, z->names + e->name_at, e->name_n, err,
                                "overlaps the entry before it");
        if (__builtin_add_overflow(total, e->size, &total) || total > TOTAL_MOST)
            return ph_fail(err, PH_EARG, "%s: more than %llu bytes in all", s->file.name,
                           (unsigned long long)TOTAL_MOST);
    }
    return PH_OK;
}

static ph_status read_directory(file_store *s, const directory_place *p, ph_err *err) {
    struct zip_directory *z = s->zip;
    uint64_t at = p->at;
    uint32_t names_n = 0;
    ph_status st = PH_OK;
    for (int64_t i = 0; i < s->count && st == PH_OK; i++) {
        st = central(&z->entry[i], z->names, &names_n, &s->file, p, &at, p->count - 1 - (uint64_t)i, err);
        if (st == PH_OK) st = local(&z->entry[i], z->names + z->entry[i].name_at, &s->file, p->at, err);
    }
    if (st == PH_OK && at != p->stop)
        st = refuse(&s->file, err, "directory: more bytes than its entries take");
    return st;
}

ph_status file_npz_open(file_store **out, const char *path, ph_err *err) {
    file_store *s;
    directory_place p;
    uint16_t *order = NULL;
    ph_status st = file_store_new(&s, path, err);
    if (st != PH_OK) return st;
    PH_TRY(find_directory(&p, &s->file, err));
    size_t bytes = sizeof *s->zip + (size_t)p.count * sizeof(zip_entry);
    uint64_t rest = p.size - p.count * CENTRAL, most = p.count * NAME_MOST;
    size_t names = (size_t)(rest < most ? rest : most); /* at most */
    s->count = (int64_t)p.count;
    s->zip = ph_calloc(1, bytes);
    if (!s->zip) PH_TRY(ph_fail_nomem(err, bytes));
    s->zip->names = ph_alloc(names);
    order = ph_alloc((size_t)p.count * sizeof *order);
    if (!s->zip->names || !order) PH_TRY(ph_fail_nomem(err, names));
    PH_TRY(read_directory(s, &p, err));
    st = apart(s, order, err);
done:
    ph_free(order);
    if (st != PH_OK) file_store_close(&s);
    *out = s;
    return st;
}

/* ---- entries by name and index ----------------------------------------------------------------------------- */

void file_zip_drop(file_store *s) {
    if (s->zip) ph_free(s->zip->names);
    ph_free(s->zip);
    s->zip = NULL;
}

/* "w.npy" is called w. */
ph_status file_zip_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err) {
    const zip_entry *e = &s->zip->entry[i];
    *n = (size_t)e->name_n - 4;
    *out = ph_alloc(*n + 1);
    if (!*out) return ph_fail_nomem(err, *n + 1);
    memcpy(*out, s->zip->names + e->name_at, *n);
    (*out)[*n] = 0;
    return PH_OK;
}

int64_t file_zip_find(const file_store *s, const char *name, size_t n) {
    for (int64_t i = 0; i < s->count; i++) {
        const zip_entry *e = &s->zip->entry[i];
        if (n + 4 == e->name_n && memcmp(s->zip->names + e->name_at, name, n) == 0) return i;
    }
    return -1;
}

static ph_status open_stream(file_stream *out, const file_store *s, const zip_entry *e, ph_err *err) {
    char shown[64];
    *out = (file_stream){
        .file = &s->file, .at = e->data, .packed = e->packed, .left = e->size, .summed = true, .sum = e->crc};
    say_name(shown, s->zip->names + e->name_at, (size_t)e->name_n - 4);
    snprintf(out->who, sizeof out->who, "%s: entry \"%s\"", s->file.name, shown);
    return e->method == 8 ? file_inflate_begin(out, err) : PH_OK;
}

/* Inflates all of it into nowhere. */
static ph_status try_out(file_stream *s, ph_err *err) {
    size_t piece = (size_t)64 << 10;
    char *nowhere = ph_alloc(piece);
    if (!nowhere) return ph_fail_nomem(err, piece);
    ph_status st = PH_OK;
    while (st == PH_OK && s->left > 0) {
        size_t n = s->left < piece ? (size_t)s->left : piece;
        st = ph_interrupted() ? ph_fail_interrupted(err) : file_stream_take(s, nowhere, n, err);
    }
    if (st == PH_OK) st = file_stream_end(s, err);
    ph_free(nowhere);
    return st;
}

ph_status file_zip_stream(file_stream *out, const file_store *s, int64_t i, bool all, ph_err *err) {
    const zip_entry *e = &s->zip->entry[i];
    ph_status st = PH_OK;
    if (all && e->method == 8 && e->size > s->file.size + ((uint64_t)1 << 20)) {
        if ((st = open_stream(out, s, e, err)) == PH_OK) st = try_out(out, err);
        file_stream_drop(out);
    }
    return st == PH_OK ? open_stream(out, s, e, err) : st;
}
