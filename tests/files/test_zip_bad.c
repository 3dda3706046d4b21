/* Malformed .npz: a test a rule. The archives are put together here, heads and all, and then changed byte by byte.
 * Sources: files/stream.c files/zip.c */
#include "bad_file.h"

#include <zlib.h>

/* ---- an archive ------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int n;            /* of the name; 0: its strlen */
    const void *data; /* as in the file */
    size_t packed;
    uint64_t size; /* inflated */
    uint32_t crc;
    int method, flags;
} entry;

typedef struct {
    unsigned char *b;
    size_t n, cap;
    size_t local[20], central[20], end; /* where the heads are */
} archive;

static void add(archive *z, const void *p, size_t n) {
    if (z->n + n > z->cap) z->b = realloc(z->b, z->cap = 2 * (z->n + n));
    memcpy(z->b + z->n, p, n);
    z->n += n;
}
static void num(archive *z, uint64_t v, int bytes) {
    for (int k = 0; k < bytes; k++) add(z, &(unsigned char){(unsigned char)(v >> 8 * k)}, 1);
}
static void set(archive *z, size_t at, uint64_t v, int bytes) {
    for (int k = 0; k < bytes; k++) z->b[at + (size_t)k] = (unsigned char)(v >> 8 * k);
}

static size_t name_length(const entry *e) { return e->n ? (size_t)e->n : strlen(e->name); }

static void common(archive *z, const entry *e) {
    num(z, 20, 2), num(z, (uint64_t)e->flags, 2), num(z, (uint64_t)e->method, 2), num(z, 0x00210000, 4);
    num(z, e->crc, 4), num(z, e->packed, 4), num(z, e->size, 4), num(z, name_length(e), 2);
}

static archive build(const entry *e, int n) {
    archive z = {0};
    for (int i = 0; i < n; i++) {
        z.local[i] = z.n;
        num(&z, 0x04034b50, 4), common(&z, &e[i]), num(&z, 0, 2);
        add(&z, e[i].name, name_length(&e[i]));
        add(&z, e[i].data, e[i].packed);
    }
    size_t at = z.n;
    for (int i = 0; i < n; i++) {
        z.central[i] = z.n;
        num(&z, 0x02014b50, 4), num(&z, 20, 2), common(&z, &e[i]), num(&z, 0, 2), num(&z, 0, 2),
            num(&z, 0, 2);
        num(&z, 0, 2), num(&z, 0, 4), num(&z, z.local[i], 4);
        add(&z, e[i].name, name_length(&e[i]));
    }
    z.end = z.n;
    num(&z, 0x06054b50, 4), num(&z, 0, 4), num(&z, (uint64_t)n, 2), num(&z, (uint64_t)n, 2);
    num(&z, z.end - at, 4), num(&z, at, 4), num(&z, 0, 2);
    return z;
}

static void refuse(archive *z, const char *wanted) {
    refuses("x.npz", z->b, z->n, wanted);
    free(z->b);
}

/* A .npy of the doubles 0, 1, 2, ...: `said` of them by its header, `there` in fact. malloc'ed. */
static unsigned char *npy(size_t *n, int said, int there) {
    unsigned char *b = calloc(1, 128 + 8 * (size_t)there);
    int h = snprintf((char *)b + 10, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", said);
    memcpy(b, "\x93NUMPY\1\0\x76\0", 10);
    memset(b + 10 + h, ' ', 118 - (size_t)h);
    for (int k = 0; k < there; k++) memcpy(b + 128 + 8 * k, &(double){k}, 8);
    *n = 128 + 8 * (size_t)there;
    return b;
}

/* The same bytes deflated; malloc'ed. */
static unsigned char *deflated(size_t *packed, const unsigned char *data, size_t n) {
    z_stream s = {0};
    size_t cap = n + 1000;
    unsigned char *out = calloc(1, cap); /* a case reads beyond the packed end */
    assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
    s.next_in = (unsigned char *)data, s.avail_in = (uInt)n;
    s.next_out = out, s.avail_out = (uInt)cap;
    assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
    *packed = s.total_out;
    deflateEnd(&s);
    return out;
}

/* One deflated array: its header says `said` numbers, `there` are inflated, and `declared` bytes are its size in the heads. */
static entry squeezed(int said, int there, uint64_t declared) {
    size_t n;
    unsigned char *data = npy(&n, said, there);
    entry e = {.name = "a.npy", .method = 8, .size = declared, .crc = (uint32_t)crc32(0, data, (uInt)n)};
    e.data = deflated(&e.packed, data, n);
    free(data);
    return e;
}

/* Two stored arrays "a.npy" and "b.npy"; a name of the same length may stand in place of the first. */
static archive two(const char *first, int name_n) {
    static unsigned char *data;
    size_t n;
    free(data);
    data = npy(&n, 3, 3);
    uint32_t crc = (uint32_t)crc32(0, data, (uInt)n);
    return build((entry[]){{first, name_n, data, n, n, crc, 0, 0}, {"b.npy", 0, data, n, n, crc, 0, 0}}, 2);
}

static void well_formed_ones_are_read(void **state) {
    (void)state;
    ph_err err = {.text = ""};
    archive z = two("a.npy", 0);
    entry e = squeezed(600, 600, 128 + 4800);
    put_file(in_folder("x.npz"), z.b, z.n);
    assert_int_equal(read_all(in_folder("x.npz"), &err), PH_OK);
    free(z.b);
    z = build(&e, 1);
    put_file(in_folder("x.npz"), z.b, z.n);
    assert_int_equal(read_all(in_folder("x.npz"), &err), PH_OK);
    set(&z, z.end + 20, 5, 2); /* a comment behind the end */
    add(&z, "hello", 5);
    put_file(in_folder("x.npz"), z.b, z.n);
    assert_int_equal(read_all(in_folder("x.npz"), &err), PH_OK);
    free(z.b), free((void *)e.data);
}

/* ---- the directory ---------------------------------------------------------------------------------------- */

static void zip_end(void **state) {
    (void)state;
    refuses("x.npz", "PK", 2, "too short for a .npz, which is a ZIP archive");
    refuses("x.npz", "\x93NUMPY\1\0, and no archive at all", 30,
            "is no .npz: a ZIP archive's end of the directory is not there");
    archive z = two("a.npy", 0);
    z.n--;
    refuse(&z, "is no .npz: a ZIP archive's end of the directory is not there");
    z = two("a.npy", 0);
    add(&z, "x", 1); /* no comment is announced */
    refuse(&z, "is no .npz: a ZIP archive's end of the directory is not there");
}

static void zip_directory_is_where_it_is_said_to_be(void **state) {
    (void)state;
    char wanted[120];
    archive z = two("a.npy", 0);
    unsigned at = (unsigned)z.central[0], size = (unsigned)(z.end - z.central[0]);
    set(&z, z.end + 16, at + 1, 4);
    snprintf(wanted, sizeof wanted, "directory: %u bytes from %u; wanted it to end at %u", size, at + 1,
             at + size);
    refuse(&z, wanted);
    z = two("a.npy", 0);
    set(&z, z.end + 12, size - 1, 4);
    snprintf(wanted, sizeof wanted, "directory: %u bytes from %u; wanted it to end at %u", size - 1, at,
             at + size);
    refuse(&z, wanted);
    z = two("a.npy", 0);
    set(&z, z.end + 8, 1, 2), set(&z, z.end + 10, 1, 2);
    refuse(&z, "directory: more bytes than its entries take");
    z = two("a.npy", 0);
    set(&z, z.end + 8, 3, 2), set(&z, z.end + 10, 3, 2);
    snprintf(wanted, sizeof wanted, "directory: 3 entries in %u bytes", size);
    refuse(&z, wanted);
    z = two("a.npy", 0);
    set(&z, z.central[1], 0, 1);
    refuse(&z, "directory: an entry does not begin with PK\\1\\2");
    z = two("a.npy", 0);
    set(&z, z.central[1] + 30, 9, 2);
    refuse(&z, "directory: it ends within an entry");
    z = two("a.npy", 0);
    set(&z, z.central[0] + 28, 5 + 46 + 5, 2); /* a name over the second entry */
    refuse(&z, "directory: it ends within an entry");
}

static void zip_in_one_part(void **state) {
    (void)state;
    archive z = two("a.npy", 0);
    set(&z, z.end + 4, 1, 2);
    refuse(&z, "end of the directory: an archive in several parts");
    z = two("a.npy", 0);
    set(&z, z.central[0] + 34, 1, 2);
    refuse(&z, "entry \"a.npy\": in another part of the archive");
}

static void zip_64_bit_end(void **state) {
    (void)state;
    archive z = two("a.npy", 0);
    set(&z, z.end + 10, 0xffff, 2);
    refuse(&z, "end of the directory: its 64-bit part is missing");
    z = two("a.npy", 0);
    set(&z, z.central[0] + 20, 0xffffffff, 4);
    refuse(&z, "entry \"a.npy\": its extra fields are damaged");
}

static void zip_has_at_most_10000_entries(void **state) {
    (void)state;
    archive z = {0};
    z.b = calloc(1, z.cap = 600000);
    z.n = 46 * 10001;
    num(&z, 0x06054b50, 4), num(&z, 0, 4), num(&z, 10001, 2), num(&z, 10001, 2), num(&z, 46 * 10001, 4);
    num(&z, 0, 4), num(&z, 0, 2);
    refuse(&z, "directory: 10001 entries; wanted at most 10000");
}

/* 17 entries of 4 GB each, by what they say of themselves; the data are holes in the file. */
static void zip_has_at_most_64_GB(void **state) {
    (void)state;
    enum { N = 17, PACKED = 4200000 };
    archive heads = {0};
    FILE *f = fopen(in_folder("x.npz"), "wb");
    assert_non_null(f);
    for (int i = 0; i < N; i++) {
        char name[8];
        snprintf(name, sizeof name, "%c.npy", 'a' + i);
        entry e = {.name = name, .packed = PACKED, .size = 0xfffffff0, .method = 8};
        archive z = {0};
        num(&z, 0x04034b50, 4), common(&z, &e), num(&z, 0, 2), add(&z, name, 5);
        long at = i * (30L + 5 + PACKED);
        fseek(f, at, SEEK_SET);
        fwrite(z.b, 1, z.n, f);
        free(z.b);
        num(&heads, 0x02014b50, 4), num(&heads, 20, 2), common(&heads, &e), num(&heads, 0, 8),
            num(&heads, 0, 4);
        num(&heads, (uint64_t)at, 4), add(&heads, name, 5);
    }
    long at = N * (30L + 5 + PACKED);
    size_t size = heads.n;
    num(&heads, 0x06054b50, 4), num(&heads, 0, 4), num(&heads, N, 2), num(&heads, N, 2), num(&heads, size, 4);
    num(&heads, (uint64_t)at, 4), num(&heads, 0, 2);
    fseek(f, at, SEEK_SET);
    fwrite(heads.b, 1, heads.n, f);
    fclose(f);
    free(heads.b);
    refused(in_folder("x.npz"), "more than 68719476736 bytes in all");
}

/* ---- entries ---------------------------------------------------------------------------------------------- */

/* The same change in both heads of the first entry; `at` counts from the flags. */
static archive changed(size_t at, uint64_t v, int bytes) {
    archive z = two("a.npy", 0);
    set(&z, z.local[0] + 6 + at, v, bytes);
    set(&z, z.central[0] + 8 + at, v, bytes);
    return z;
}

static void zip_encryption(void **state) {
    (void)state;
    archive z = changed(0, 1, 2);
    refuse(&z, "entry \"a.npy\": encrypted");
    z = changed(0, 0x41, 2);
    refuse(&z, "entry \"a.npy\": encrypted");
}

static void zip_stored_or_deflated(void **state) {
    (void)state;
    static const int others[] = {1, 9, 12, 14, 93, 99};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        archive z = changed(2, (uint64_t)others[k], 2);
        refuse(&z, "entry \"a.npy\": compressed in an unknown way; wanted stored or deflated");
    }
    archive z = changed(12, 100, 4);
    refuse(&z, "entry \"a.npy\": stored, but its two sizes differ");
}

static void zip_no_name_twice(void **state) {
    (void)state;
    archive z = two("b.npy", 0);
    refuse(&z, "entry \"b.npy\": two entries have this name");
}

static void zip_no_overlap(void **state) {
    (void)state;
    archive z = two("a.npy", 0);
    for (int k = 0; k < 2; k++) { /* the first reaches into the second */
        set(&z, z.local[0] + 18 + 4 * (size_t)k, 128 + 24 + 40, 4);
        set(&z, z.central[0] + 20 + 4 * (size_t)k, 128 + 24 + 40, 4);
    }
    refuse(&z, "entry \"b.npy\": overlaps the entry before it");
    z = two("a.npy", 0);
    set(&z, z.central[1] + 42, z.local[0], 4); /* both in one place */
    refuse(&z, "entry \"b.npy\": its head has another name than the directory");
}

static void zip_data_end_before_the_directory(void **state) {
    (void)state;
    archive z = changed(12, 100000, 4);
    set(&z, z.local[0] + 22, 100000, 4), set(&z, z.central[0] + 24, 100000, 4);
    refuse(&z, "entry \"a.npy\": reaches beyond the data");
    z = two("a.npy", 0);
    for (int k = 0; k < 2; k++)
        set(&z, z.local[1] + 18 + 4 * (size_t)k, 160, 4), set(&z, z.central[1] + 20 + 4 * (size_t)k, 160, 4);
    refuse(&z, "entry \"b.npy\": its data reach into the directory");
    z = two("a.npy", 0);
    set(&z, z.central[1] + 42, z.central[0] - 3, 4);
    set(&z, z.central[1] + 20, 0, 4), set(&z, z.central[1] + 24, 0, 4);
    refuse(&z, "entry \"b.npy\": reaches into the directory");
}

static void zip_local_and_central_agree(void **state) {
    (void)state;
    static const struct {
        size_t at;
        const char *what;
    } fields[] = {{6, "flags"}, {8, "method"}, {14, "CRC"}, {18, "packed"}, {22, "size"}};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        archive z = two("a.npy", 0);
        z.b[z.local[0] + fields[k].at] ^= 2;
        refuse(&z, "entry \"a.npy\": its head and the directory disagree on size, CRC, method or flags");
    }
    archive z = two("a.npy", 0);
    z.b[z.local[0] + 30] = 'c';
    refuse(&z, "entry \"a.npy\": its head has another name than the directory");
    z = two("a.npy", 0);
    set(&z, z.local[0] + 26, 4, 2);
    refuse(&z, "entry \"a.npy\": its head has another name than the directory");
    z = two("a.npy", 0);
    z.b[z.local[0]] = 0;
    refuse(&z, "entry \"a.npy\": its head does not begin with PK\\3\\4");
}

/* An array that was written to a pipe: no CRC and sizes in its head; behind its data, in 32 bits, after a signature or bare. */
static archive streamed(bool signed_) {
    size_t n, more = signed_ ? 16 : 12;
    unsigned char *data = npy(&n, 3, 3);
    uint32_t crc = (uint32_t)crc32(0, data, (uInt)n);
    archive d = {0};
    add(&d, data, n);
    if (signed_) num(&d, 0x08074b50, 4);
    num(&d, crc, 4), num(&d, n, 4), num(&d, n, 4);
    archive z = build(&(entry){"a.npy", 0, d.b, n + more, n, crc, 0, 8}, 1);
    set(&z, z.local[0] + 14, 0, 4), set(&z, z.local[0] + 18, 0, 4), set(&z, z.local[0] + 22, 0, 4);
    set(&z, z.central[0] + 20, n, 4);
    free(data), free(d.b);
    return z;
}

static void zip_streamed_sizes_are_read(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        ph_err err = {.text = ""};
        archive z = streamed(k);
        put_file(in_folder("x.npz"), z.b, z.n);
        assert_int_equal(read_all(in_folder("x.npz"), &err), PH_OK);
        for (int word = 1; word <= 3; word++) { /* each of the three must agree */
            archive other = streamed(k);
            other.b[other.central[0] - 4 * (size_t)word] ^= 1;
            refuse(&other,
                   "entry \"a.npy\": its head and the directory disagree on size, CRC, method or flags");
        }
        free(z.b);
    }
}

/* Sizes behind the data: what stands there must be what the directory says. */
static void zip_streamed_sizes_agree(void **state) {
    (void)state;
    archive z = changed(0, 8, 2);
    set(&z, z.local[0] + 14, 0, 4), set(&z, z.local[0] + 18, 0, 4), set(&z, z.local[0] + 22, 0, 4);
    refuse(&z, "entry \"a.npy\": its head and the directory disagree on size, CRC, method or flags");
}

static void zip_plain_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *wanted;
        int n;
    } names[] = {{"../a.npy", "entry \"../a.npy\": \"..\" in its name", 0},
                 {"a/../b.npy", "entry \"a/../b.npy\": \"..\" in its name", 0},
                 {"/a.npy", "entry \"/a.npy\": an absolute name", 0},
                 {"C:a.npy", "entry \"C:a.npy\": an absolute name", 0},
                 {"a\\b.npy", "entry \"a\\b.npy\": a backslash in its name", 0},
                 {"a\0b.npy", "entry \"a?b.npy\": a NUL in its name", 7},
                 {"a.npy\0", "entry \"a.npy?\": a NUL in its name", 6},
                 {"\xff.npy", "entry \"\xff.npy\": its name is no UTF-8", 0},
                 {"a.txt", "entry \"a.txt\": a .npz holds arrays only, NAME.npy", 0},
                 {".npy", "entry \".npy\": a .npz holds arrays only, NAME.npy", 0},
                 {"a/", "entry \"a/\": a .npz holds arrays only, NAME.npy", 0}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        archive z = two(names[k].name, names[k].n);
        refuse(&z, names[k].wanted);
    }
    char longest[4097 + 1];
    memset(longest, 'a', 4097);
    memcpy(longest + 4093, ".npy", 5);
    archive z = two(longest, 0);
    refuse(&z, "directory: a name above 4096 bytes, or extra fields above 512");
    ph_err err = {.text = ""};
    z = two(longest + 1, 0);
    put_file(in_folder("x.npz"), z.b, z.n);
    assert_int_equal(read_all(in_folder("x.npz"), &err), PH_OK);
    free(z.b);
}

/* ---- inflating --------------------------------------------------------------------------------------------- */

static void deflate_is_refused(entry e, const char *wanted) {
    archive z = build(&e, 1);
    free((void *)e.data);
    refuse(&z, wanted);
}

static void zip_inflates_to_its_size(void **state) {
    (void)state;
    deflate_is_refused(squeezed(600, 599, 128 + 4800),
                       "entry \"a\": compressed data: they hold 8 bytes fewer than the size says");
    deflate_is_refused(squeezed(600, 601, 128 + 4800),
                       "entry \"a\": compressed data: they hold more bytes than the size says");
    deflate_is_refused(squeezed(600, 600, 128 + 4801),
                       "entry \"a\": data: 1 bytes follow the 4800 that shape (600) of f64 takes");
}

static void zip_deflated_data_are_whole(void **state) {
    (void)state;
    entry e = squeezed(600, 600, 128 + 4800);
    e.packed--;
    deflate_is_refused(e, "entry \"a\": compressed data: they end too early");
    e = squeezed(600, 600, 128 + 4800);
    e.packed++; /* one byte of the buffer's rest */
    deflate_is_refused(e, "entry \"a\": compressed data: 1 bytes follow their end");
    e = squeezed(600, 600, 128 + 4800);
    *(unsigned char *)e.data = 7; /* the third kind of block does not exist */
    deflate_is_refused(e, "entry \"a\": compressed data: damaged (invalid block type)");
}

static void zip_crc(void **state) {
    (void)state;
    char wanted[100];
    entry e = squeezed(600, 600, 128 + 4800);
    snprintf(wanted, sizeof wanted, "entry \"a\": CRC is %08x; the archive says %08x", e.crc, e.crc ^ 1);
    e.crc ^= 1;
    deflate_is_refused(e, wanted);
    archive z = two("a.npy", 0);
    z.b[z.local[0] + 35 + 128] ^= 1; /* a bit of the data */
    size_t n;
    unsigned char *data = npy(&n, 3, 3);
    uint32_t right = (uint32_t)crc32(0, data, (uInt)n);
    data[128] ^= 1;
    snprintf(wanted, sizeof wanted, "entry \"a\": CRC is %08x; the archive says %08x",
             (unsigned)crc32(0, data, (uInt)n), right);
    free(data);
    refuse(&z, wanted);
}

/* Sizes that deflate cannot reach, and one that it could but does not: 5 MB said, 5 KB there, nothing allocated for it. */
static void zip_bombs(void **state) {
    (void)state;
    entry e = squeezed(500000000, 600, 4000000128u);
    deflate_is_refused(e, "entry \"a.npy\": its size is more than deflate can make of its data");
    e = squeezed(625000, 6000, 128 + 5000000);
    assert_true(e.packed > 5000128 / 1032);
    deflate_is_refused(e, "entry \"a\": compressed data: they hold 4952000 bytes fewer than the size says");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, words_were_right)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(well_formed_ones_are_read),
        CASE(zip_end),
        CASE(zip_directory_is_where_it_is_said_to_be),
        CASE(zip_in_one_part),
        CASE(zip_64_bit_end),
        CASE(zip_has_at_most_10000_entries),
        CASE(zip_has_at_most_64_GB),
        CASE(zip_encryption),
        CASE(zip_stored_or_deflated),
        CASE(zip_no_name_twice),
        CASE(zip_no_overlap),
        CASE(zip_data_end_before_the_directory),
        CASE(zip_local_and_central_agree),
        CASE(zip_streamed_sizes_are_read),
        CASE(zip_streamed_sizes_agree),
        CASE(zip_plain_names),
        CASE(zip_inflates_to_its_size),
        CASE(zip_deflated_data_are_whole),
        CASE(zip_crc),
        CASE(zip_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
