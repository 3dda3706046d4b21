/* The parsers on damaged files: good files with bytes changed, cut, doubled and filled in, drawn from a seeded generator. Every
 * answer is a result or an error for a person; sanitized builds watch the rest. PHASOR_FUZZ=N: N times as long.
 */
#include "temporary.h"

#include <sys/resource.h>

#include "files/files.h"
#include "base/rng.h"

static const char *const seeds[] = {"fortran.npy",      "big.npy",   "version2.npy", "scalar.npy",
                                    "empty.npy",        "types.npz", "deflated.npz", "streamed.npz",
                                    "hand.safetensors", "names.csv"};
#define SEEDS (sizeof seeds / sizeof *seeds)

static long counts[2]; /* read, refused */

static void read_all(const char *path) {
    arr a = ARR_NONE;
    file_store *s = NULL;
    char *names = NULL;
    ph_err err = {.text = ""};
    ph_status st;
    if (strstr(path, ".npy")) st = file_npy_read(&a, path, &err);
    else if (strstr(path, ".csv")) st = file_csv_read(&a, &names, path, ',', -1, &err);
    else st = strstr(path, ".npz") ? file_npz_open(&s, path, &err) : file_safetensors_open(&s, path, &err);
    for (int64_t i = 0; st == PH_OK && s && i < file_store_count(s); i++) {
        file_entry e;
        char *name = NULL;
        size_t n;
        st = file_store_name(&name, &n, s, i, &err);
        if (st == PH_OK) st = file_store_entry(&e, s, i, &err);
        if (st == PH_OK) st = file_store_read(&a, s, i, &err);
        if (st == PH_OK) assert_true(arr_size(&a) >= 0 && a.dtype == e.dtype);
        ph_free(name);
        arr_drop(&a);
    }
    counts[st != PH_OK]++;
    if (st != PH_OK) { /* nothing else: no memory was asked for beyond what a small file can hold */
        if (st != PH_EARG || strncmp(err.text, path, strlen(path)) != 0 ||
            strlen(err.text) < strlen(path) + 8)
            print_error("status %d: %s\n", st, err.text);
        assert_int_equal(st, PH_EARG);
        assert_memory_equal(err.text, path, strlen(path));
        assert_true(strlen(err.text) > strlen(path) + 8);
    }
    arr_drop(&a);
    ph_free(names);
    file_store_close(&s);
}

static uint64_t below(ph_rng *g, uint64_t n) { return (uint64_t)(ph_rng_uniform(g) * (double)n); }

/* Numbers at which fields change their meaning. */
static void odd_number(ph_rng *g, unsigned char *p, size_t room) {
    static const uint64_t odd[] = {0,      1,      0x7f,    0x80,       0xff,       0x100,
                                   0x7fff, 0xffff, 0x10000, 0x7fffffff, 0xffffffff, UINT64_MAX};
    uint64_t v = odd[below(g, sizeof odd / sizeof *odd)];
    size_t n = (size_t)1 << below(g, 4);
    for (size_t k = 0; k < n && k < room; k++) p[k] = (unsigned char)(v >> 8 * k);
}

/* One change of b[0..*n), which has room for twice as much. */
static void damage(ph_rng *g, unsigned char *b, size_t *n) {
    static const char words[] = "{}[](),:\"'\\-+.0123456789eELTrueFalsenull \n\r\t\xff\xc0<>|fiucbOVSU";
    if (*n == 0) return;
    size_t at = (size_t)below(g, *n), k;
    switch (below(g, 7)) {
    case 0: b[at] ^= (unsigned char)(1u << below(g, 8)); break;
    case 1: b[at] = (unsigned char)below(g, 256); break;
    case 2: b[at] = (unsigned char)words[below(g, sizeof words - 1)]; break;
    case 3: odd_number(g, b + at, *n - at); break;
    case 4: *n = at; break;
    case 5: /* a piece once more */
        k = (size_t)below(g, *n - at) % 64;
        memmove(b + at + k, b + at, *n - at);
        *n += k;
        break;
    default: /* a piece left out */
        k = (size_t)below(g, *n - at) % 64;
        memmove(b + at, b + at + k, *n - at - k);
        *n -= k;
    }
}

static void fuzz(const char *name, int times) {
    size_t size, n;
    ph_rng g;
    const char *from = strstr(name, "hand") || strstr(name, "names") ? in_folder(name) : NULL;
    char path[100];
    snprintf(path, sizeof path, "tests/files/files/%s", name);
    unsigned char *good = get_file(from ? from : path, &size), *b = malloc(size * 20 + 4096);
    ph_rng_seed(&g, 20261121 + strlen(name));
    char target[160];
    snprintf(target, sizeof target, "%s/x%s", folder, strrchr(name, '.'));
    for (int t = 0; t < times; t++) {
        memcpy(b, good, n = size);
        for (uint64_t k = 1 + below(&g, 4); k > 0; k--) damage(&g, b, &n);
        put_file(target, b, n);
        read_all(target);
    }
    free(good), free(b);
}

static void damaged_files_are_read_or_refused(void **state) {
    (void)state;
    static const char hand[] = "{\"__metadata__\":{\"format\":\"pt\"},\"h\":{\"dtype\":\"F16\",\"shape\":[3],"
                               "\"data_offsets\":[0,6]},"
                               "\"t\\u00e9\":{\"shape\":[1,2],\"data_offsets\":[6,8],\"dtype\":\"BOOL\"},"
                               "\"i\":{\"dtype\":\"I32\",\"shape\":[],\"data_offsets\":[8,12]}}";
    unsigned char all[8 + sizeof hand - 1 + 12] = {sizeof hand - 1};
    memcpy(all + 8, hand, sizeof hand - 1);
    put_file(in_folder("hand.safetensors"), all, sizeof all);
    static const char csv[] = "x,\"y \"\"q\"\"\"\n1,-2.5e3\n\n\"3\",nan\r\n4,5\n";
    put_file(in_folder("names.csv"), csv, sizeof csv - 1);
    const char *more = getenv("PHASOR_FUZZ");
    int times = 400 * (more && atoi(more) > 0 ? atoi(more) : 1);
    /* a block beyond this could only come from a size that was not held against the file */
    ph_block_set_limit(ph_block_live() + (4 << 20));
    for (size_t k = 0; k < SEEDS; k++) fuzz(seeds[k], times);
    ph_block_set_limit(SIZE_MAX);
    print_message("%ld read, %ld refused\n", counts[0], counts[1]);
    assert_true(counts[0] > times / 4 && counts[1] > times); /* neither all good nor all hopeless */
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {CASE(damaged_files_are_read_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
