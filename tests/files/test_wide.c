/* Archives whose numbers stand in 64 bits, as beyond 4 GB: files/wide.npz is a small one, by Python's zipfile (make.py). What is read of it, and
 * what is refused once a number of it is another.
 * Sources: files/zip.c */
#include "bad_file.h"

/* Where its records are. */
enum { LOCAL_A = 0, CENTRAL_A = 426, END64 = 584, LOCATOR = 640, END = 660, ALL = 682 };
enum {
    IN_LOCAL = 35,
    IN_CENTRAL = 51
}; /* the extra fields in a head of five letters: id 2, size 2, then 8 each */

typedef struct {
    size_t at;
    uint64_t v;
    int bytes;
} change;

static unsigned char *wide(void) {
    size_t n;
    unsigned char *b = get_file("tests/files/files/wide.npz", &n);
    assert_int_equal(n, ALL);
    return b;
}

static void numbers_of_64_bits_are_read(void **state) {
    (void)state;
    static const double a[] = {-1.5, -0.75, 0, 0.75, 1.5, 2.25};
    static const float b[] = {-1.5f, -0.75f, 0};
    file_store *s;
    arr x;
    assert_int_equal(file_npz_open(&s, "tests/files/files/wide.npz", NULL), PH_OK);
    assert_int_equal(file_store_count(s), 2);
    assert_int_equal(file_store_read(&x, s, 0, NULL), PH_OK);
    assert_int_equal(x.dtype, ARR_F64);
    assert_int_equal(arr_size(&x), 6);
    assert_memory_equal(x.data, a, sizeof a);
    arr_drop(&x);
    assert_int_equal(file_store_read(&x, s, 1, NULL), PH_OK);
    assert_int_equal(x.dtype, ARR_F32);
    assert_int_equal(arr_size(&x), 3);
    assert_memory_equal(x.data, b, sizeof b);
    arr_drop(&x);
    file_store_close(&s);
}

static void refuses_changed(const change *c, int n, const char *wanted) {
    unsigned char *b = wide();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c[i].bytes; k++) b[c[i].at + (size_t)k] = (unsigned char)(c[i].v >> 8 * k);
    refuses("x.npz", b, ALL, wanted);
    free(b);
}

static void its_end_is_whole(void **state) {
    (void)state;
    static const struct {
        change c[2];
        const char *wanted;
    } rows[] = {
        {{{LOCATOR, 0, 4}}, "its 64-bit part is missing"},
        {{{LOCATOR + 4, 1, 4}}, "an archive in several parts"},
        {{{LOCATOR + 16, 2, 4}}, "an archive in several parts"},
        {{{LOCATOR + 8, END64 - 1, 8}}, "its 64-bit part is not where it is said to be"},
        {{{LOCATOR + 8, UINT64_MAX, 8}}, "its 64-bit part is not where it is said to be"},
        {{{END64, 0, 4}}, "its 64-bit part is damaged"},
        {{{END64 + 4, 45, 8}}, "its 64-bit part is damaged"},
        {{{END64 + 16, 1, 4}}, "its 64-bit part is damaged"},
        {{{END64 + 20, 1, 4}}, "its 64-bit part is damaged"},
        {{{END64 + 24, 1, 8}}, "its 64-bit part is damaged"},
    };
    char wanted[120];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(wanted, sizeof wanted, "end of the directory: %s", rows[i].wanted);
        refuses_changed(rows[i].c, 1, wanted);
    }
    /* nothing but the end */
    unsigned char *b = wide();
    refuses("x.npz", b + END, ALL - END, "end of the directory: its 64-bit part is missing");
    refuses("x.npz", b + END64 + 1, ALL - END64 - 1, "end of the directory: its 64-bit part is missing");
    free(b);
}

/* What the end says is not believed: neither how many entries, nor where they are. */
static void its_directory_is_where_it_ends(void **state) {
    (void)state;
    refuses_changed((change[]){{END64 + 48, CENTRAL_A + 1, 8}}, 1,
                    "directory: 158 bytes from 427; wanted it to end at 584");
    refuses_changed((change[]){{END64 + 48, UINT64_MAX, 8}}, 1,
                    "directory: 158 bytes from 18446744073709551615; wanted it to end at 584");
    refuses_changed((change[]){{END64 + 40, UINT64_MAX, 8}}, 1,
                    "directory: 18446744073709551615 bytes from 426; wanted it to end at 584");
    refuses_changed((change[]){{END64 + 24, 1ull << 63, 8}, {END64 + 32, 1ull << 63, 8}}, 2,
                    "directory: 9223372036854775808 entries; wanted at most 10000");
    refuses_changed((change[]){{END64 + 24, 3, 8}, {END64 + 32, 3, 8}}, 2,
                    "directory: it ends within an entry");
    refuses_changed((change[]){{END64 + 24, 4, 8}, {END64 + 32, 4, 8}}, 2,
                    "directory: 4 entries in 158 bytes");
}

static void its_entries_are_whole(void **state) {
    (void)state;
    enum { X = CENTRAL_A + IN_CENTRAL, Y = LOCAL_A + IN_LOCAL };
    static const char
        damaged[] = "entry \"a.npy\": its extra fields are damaged",
        beyond[] = "entry \"a.npy\": reaches beyond the data",
        differ[] = "entry \"a.npy\": its head and the directory disagree on size, CRC, method or flags";
    refuses_changed((change[]){{X, 2, 2}}, 1, damaged);
    refuses_changed((change[]){{X + 2, 16, 2}}, 1, damaged); /* size and packed, no place */
    refuses_changed((change[]){{X + 2, 25, 2}}, 1, damaged); /* beyond all that is there */
    refuses_changed((change[]){{X + 4, 177, 8}}, 1, "entry \"a.npy\": stored, but its two sizes differ");
    refuses_changed((change[]){{X + 4, 1ull << 63, 8}, {X + 12, 1ull << 63, 8}}, 2, beyond);
    refuses_changed((change[]){{X + 20, UINT64_MAX, 8}}, 1, beyond);
    refuses_changed((change[]){{X + 20, 7, 8}}, 1, "entry \"a.npy\": its head does not begin with PK\\3\\4");
    refuses_changed((change[]){{Y, 2, 2}}, 1, differ);
    refuses_changed((change[]){{Y + 4, 177, 8}}, 1, differ);
    refuses_changed((change[]){{Y + 12, 177, 8}}, 1, differ);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, words_were_right)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(numbers_of_64_bits_are_read),
        CASE(its_end_is_whole),
        CASE(its_directory_is_where_it_ends),
        CASE(its_entries_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
