/* Files that others wrote, files written and read back, and their bytes. The files in tests/files/files were written by NumPy
 * (make.py there); the .safetensors here are put together by hand from the format's description.
 * Sources: files/csv.c files/items.c files/json.c files/npy.c files/safetensors.c files/safetensors_write.c files/store.c files/stream.c */
#include "temporary.h"

#include <math.h>

#include "files/files.h"
#include "base/half.h"

#define OK(call) assert_int_equal((call), PH_OK)

/* make.py's formulas, by NumPy's letter of the kind. */
static arr_c128 formula(char kind, int64_t k) {
    double x = (double)k;
    switch (kind) {
    case 'b': return (arr_c128){k % 3 == 0, 0};
    case 'i': return (arr_c128){(x - 2) * 3, 0};
    case 'u': return (arr_c128){7 * x, 0};
    case 'c': return (arr_c128){x, k == 0 ? 0 : -0.5 * x};
    default: return (arr_c128){0.75 * (x - 2), 0};
    }
}

static void holds_formula(const arr *a, char kind) {
    int64_t index[ARR_MAXDIM] = {0};
    for (int64_t k = 0; k < arr_size(a); k++) {
        arr_c128 z = arr_get_c128(a, arr_at(a, index)), w = formula(kind, k);
        if (!(z.re == w.re && z.im == w.im))
            print_error("element %lld is %g, %g\n", (long long)k, z.re, z.im);
        assert_true(z.re == w.re && z.im == w.im);
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == a->shape[d]; d--) index[d] = 0;
    }
}

static void has_shape(const arr *a, arr_dtype t, const char *shape) {
    char text[200];
    assert_int_equal(a->dtype, t);
    assert_string_equal(arr_shape_text(text, sizeof text, a), shape);
}

/* ---- written by NumPy -------------------------------------------------------------------------------------- */

static void numpys_npy_is_read(void **state) {
    (void)state;
    static const struct {
        const char *file, *shape;
        arr_dtype t;
    } files[] = {{"fortran.npy", "(2, 3, 4)", ARR_F64},
                 {"big.npy", "(5)", ARR_F32},
                 {"version2.npy", "(2, 3)", ARR_F64},
                 {"version3.npy", "(2, 3)", ARR_F64},
                 {"empty.npy", "(0, 3)", ARR_F64}};
    arr a;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[80];
        snprintf(path, sizeof path, "tests/files/files/%s", files[k].file);
        OK(file_npy_read(&a, path, NULL));
        has_shape(&a, files[k].t, files[k].shape);
        holds_formula(&a, 'f');
        arr_drop(&a);
    }
    OK(file_npy_read(&a, "tests/files/files/scalar.npy", NULL));
    has_shape(&a, ARR_F64, "()");
    assert_true(*(double *)a.data == 2.5);
    arr_drop(&a);
}

/* Every type, in both orders of bytes. */
static void numpys_types_are_read(void **state) {
    (void)state;
    static const arr_dtype to[] = {['b'] = ARR_BOOL, ['i'] = ARR_F64, ['u'] = ARR_F64, ['c'] = ARR_C128};
    file_store *s;
    OK(file_npz_open(&s, "tests/files/files/types.npz", NULL));
    assert_int_equal(file_store_count(s), 28);
    for (int64_t i = 0; i < 28; i++) {
        file_entry e;
        char *name;
        size_t n;
        arr a;
        OK(file_store_name(&name, &n, s, i, NULL));
        OK(file_store_entry(&e, s, i, NULL));
        OK(file_store_read(&a, s, i, NULL));
        int bytes = atoi(name + 1), bits = strcmp(e.type, "bool") == 0 ? 8 : atoi(e.type + 1);
        assert_int_equal(bits, 8 * bytes);
        assert_int_equal(e.type[0], name[0]);
        arr_dtype wanted = *name == 'f' ? bytes == 8 ? ARR_F64 : ARR_F32 : to[(int)*name];
        assert_int_equal(e.dtype, wanted);
        has_shape(&a, wanted, "(2, 3)");
        holds_formula(&a, *name);
        arr_drop(&a);
        ph_free(name);
    }
    file_store_close(&s);
    file_store_close(&s);
}

static void numpys_deflated_archives_are_read(void **state) {
    (void)state;
    static const char *const files[] = {"tests/files/files/deflated.npz", "tests/files/files/streamed.npz"};
    static const char *const second[] = {"位", "b"};
    for (int k = 0; k < 2; k++) {
        file_store *s;
        arr a;
        int64_t i;
        OK(file_npz_open(&s, files[k], NULL));
        assert_int_equal(file_store_count(s), 2);
        OK(file_store_find(&i, s, "a", 1, NULL));
        OK(file_store_read(&a, s, i, NULL));
        has_shape(&a, ARR_F64, "(20, 30)");
        holds_formula(&a, 'f');
        arr_drop(&a);
        OK(file_store_find(&i, s, second[k], strlen(second[k]), NULL));
        OK(file_store_read(&a, s, i, NULL));
        holds_formula(&a, k ? 'f' : 'i');
        arr_drop(&a);
        OK(file_store_find(&i, s, "A", 1, NULL));
        assert_int_equal(i, -1);
        file_store_close(&s);
    }
}

/* ---- safetensors by hand ----------------------------------------------------------------------------------- */

static const char *by_hand(const char *header, const void *data, size_t n) {
    size_t h = strlen(header);
    char *all = malloc(8 + h + n);
    for (int k = 0; k < 8; k++) all[k] = (char)(h >> 8 * k);
    memcpy(all + 8, header, h);
    if (n) memcpy(all + 8 + h, data, n);
    const char *path = in_folder("hand.safetensors");
    put_file(path, all, 8 + h + n);
    free(all);
    return path;
}

static void reads(file_store *s, int64_t i, arr_dtype type, const char *shape, const void *bytes, size_t n) {
    arr a;
    OK(file_store_read(&a, s, i, NULL));
    has_shape(&a, type, shape);
    if (n) assert_memory_equal(a.data, bytes, n);
    arr_drop(&a);
}

static void tensors_by_hand_are_read(void **state) {
    (void)state;
    static const unsigned char data[] = {0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, /* h: 1, -2, 2^-24 in f16 */
                                         0x80, 0x3f, 0x49, 0x40,             /* b: 1, 3.140625 in bf16 */
                                         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* i: -1 in i64 */
                                         1,    0,    1}; /* t: true, false, true */
    const char *path = by_hand("{\"__metadata__\":{\"format\":\"pt\",\"a\\u00e9\":\"\\ud835\\udf03\\n\"},"
                               " \"h\" : {\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,6]},\n"
                               "\"t\":{\"shape\":[1,3],\"data_offsets\":[18,21],\"dtype\":\"BOOL\"},"
                               "\"b\":{\"dtype\":\"BF16\",\"shape\":[2,1],\"data_offsets\":[6,10]},"
                               "\"i/\\u4f4d\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[10,18]},"
                               "\"none\":{\"dtype\":\"F64\",\"shape\":[0,5],\"data_offsets\":[10,10]}}   ",
                               data, sizeof data);
    file_store *s;
    int64_t i;
    OK(file_safetensors_open(&s, path, NULL));
    assert_int_equal(file_store_count(s), 5);
    static const char *const order[] = {"h", "t", "b", "i/位", "none"};
    for (int64_t k = 0; k < 5; k++) {
        char *name;
        size_t n;
        OK(file_store_name(&name, &n, s, k, NULL));
        assert_string_equal(name, order[k]);
        OK(file_store_find(&i, s, name, n, NULL));
        assert_int_equal(i, k);
        ph_free(name);
    }
    reads(s, 0, ARR_F32, "(3)", (float[]){1, -2, 0x1p-24f}, 12);
    reads(s, 1, ARR_BOOL, "(1, 3)", "\1\0\1", 3);
    reads(s, 2, ARR_F32, "(2, 1)", (float[]){1, 3.140625f}, 8);
    reads(s, 3, ARR_F64, "()", &(double){-1}, 8);
    reads(s, 4, ARR_F64, "(0, 5)", NULL, 0);
    char **texts;
    int64_t n;
    OK(file_store_metadata(&texts, &n, s, NULL));
    assert_int_equal(n, 2);
    static const char *const wanted[] = {"format", "pt", "a\xc3\xa9", "\xf0\x9d\x9c\x83\n"};
    for (int k = 0; k < 4; k++) {
        assert_string_equal(texts[k], wanted[k]);
        ph_free(texts[k]);
    }
    ph_free(texts);
    file_store_close(&s);
    OK(file_safetensors_open(&s, by_hand("{}", NULL, 0), NULL));
    assert_int_equal(file_store_count(s), 0);
    file_store_close(&s);
}

/* All 65536 patterns of both short formats become what base/half.h says they are. */
static void every_half_is_widened(void **state) {
    (void)state;
    static uint16_t data[2 * 65536];
    for (int k = 0; k < 2 * 65536; k++) data[k] = (uint16_t)k;
    const char *path =
        by_hand("{\"h\":{\"dtype\":\"F16\",\"shape\":[65536],\"data_offsets\":[0,131072]},"
                "\"b\":{\"dtype\":\"BF16\",\"shape\":[65536],\"data_offsets\":[131072,262144]}}",
                data, sizeof data);
    file_store *s;
    OK(file_safetensors_open(&s, path, NULL));
    for (int64_t t = 0; t < 2; t++) {
        arr a;
        OK(file_store_read(&a, s, t, NULL));
        for (int k = 0; k < 65536; k++) {
            float x = ((float *)a.data)[k];
            double w = t ? ph_bf16_to_f64((uint16_t)k) : ph_f16_to_f64((uint16_t)k);
            assert_true(isnan(w) ? isnan(x) && !signbit(x) == !signbit(w)
                                 : (double)x == w && !signbit(x) == !signbit(w));
        }
        arr_drop(&a);
    }
    file_store_close(&s);
}

/* Integers up to 2^53 and beyond it those a double holds. */
static void large_integers_are_exact(void **state) {
    (void)state;
    static const int64_t data[] = {
        INT64_MIN, -((int64_t)1 << 53), ((int64_t)1 << 53) - 1, (int64_t)1 << 62, -7, 0};
    const char *path =
        by_hand("{\"i\":{\"dtype\":\"I64\",\"shape\":[6],\"data_offsets\":[0,48]}}", data, sizeof data);
    file_store *s;
    arr a;
    OK(file_safetensors_open(&s, path, NULL));
    OK(file_store_read(&a, s, 0, NULL));
    for (int k = 0; k < 6; k++) assert_true((int64_t)((double *)a.data)[k] == data[k]);
    arr_drop(&a);
    file_store_close(&s);
}

/* ---- written and read back --------------------------------------------------------------------------------- */

static arr sample(arr_dtype t, int ndim, const int64_t *shape) {
    arr a;
    ph_rng g;
    OK(arr_new(&a, t, ndim, shape, NULL));
    ph_rng_seed(&g, 7);
    for (int64_t k = 0; k < arr_size(&a); k++) {
        double x = ph_rng_normal(&g), y = ph_rng_normal(&g);
        if (t == ARR_BOOL) a.data[k] = x > 0;
        else if (t == ARR_F32) ((float *)a.data)[k] = (float)x;
        else if (t == ARR_F64) ((double *)a.data)[k] = x;
        else ((arr_c128 *)a.data)[k] = (arr_c128){x, y};
    }
    return a;
}

static void same_array(const arr *a, const arr *b) {
    arr x, y;
    assert_true(arr_same_shape(a, b));
    assert_int_equal(a->dtype, b->dtype);
    OK(arr_contiguous(&x, a, a->dtype, NULL));
    OK(arr_contiguous(&y, b, b->dtype, NULL));
    assert_memory_equal(x.data, y.data, (size_t)arr_size(&x) * arr_itemsize(x.dtype));
    arr_drop(&x);
    arr_drop(&y);
}

static arr read_as(const char *path) {
    arr a;
    file_store *s;
    if (strstr(path, ".npy")) OK(file_npy_read(&a, path, NULL));
    else {
        if (strstr(path, ".npz")) OK(file_npz_open(&s, path, NULL));
        else OK(file_safetensors_open(&s, path, NULL));
        OK(file_store_read(&a, s, 0, NULL));
        file_store_close(&s);
    }
    return a;
}

static ph_status write_as(const char *path, const arr *a, const char *type) {
    file_named one = {"w", a};
    if (strstr(path, ".npy")) return file_npy_write(path, a, type, NULL);
    if (strstr(path, ".npz")) return file_npz_write(path, &one, 1, type, NULL);
    return file_safetensors_write(path, &one, 1, type, NULL, 0, NULL);
}

static const char *const formats[] = {"x.npy", "x.npz", "x.safetensors"};

static void what_is_written_is_read(void **state) {
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 4}, {0, 3, 4}, {70, 130, 5}};
    for (int f = 0; f < 3; f++)
        for (arr_dtype t = ARR_BOOL; t < ARR_NDTYPE; t++)
            for (int ndim = 0; ndim <= 3; ndim++)
                for (int k = 0; k < 4; k++) {
                    arr a = sample(t, ndim, shapes[k]), b;
                    ph_status st = write_as(in_folder(formats[f]), &a, NULL);
                    assert_int_equal(st, f == 2 && t == ARR_C128 ? PH_EARG : PH_OK);
                    if (st == PH_OK) {
                        b = read_as(in_folder(formats[f]));
                        same_array(&a, &b);
                        arr_drop(&b);
                    }
                    arr_drop(&a);
                }
}

static void views_are_written_in_their_order(void **state) {
    (void)state;
    arr a = sample(ARR_F64, 3, (int64_t[]){30, 40, 50}), t, v;
    OK(arr_permute(&t, &a, (int[]){2, 0, 1}, NULL));
    OK(arr_slice(&v, &t, 2, (arr_range[]){{49, -2, 20, false}, {3, 1, 17, false}}, NULL));
    for (int f = 0; f < 3; f++) {
        OK(write_as(in_folder(formats[f]), &v, NULL));
        arr b = read_as(in_folder(formats[f]));
        same_array(&v, &b);
        arr_drop(&b);
    }
    arr_drop(&v), arr_drop(&t), arr_drop(&a);
}

/* Short formats round once, as base/half.h does. */
static void short_types_are_rounded_once(void **state) {
    (void)state;
    arr a = sample(ARR_F64, 1, (int64_t[]){70000});
    for (int half = 0; half < 2; half++)
        for (int f = half ? 2 : 0; f < 3; f++) {
            OK(write_as(in_folder(formats[f]), &a, half ? "bf16" : "f16"));
            arr b = read_as(in_folder(formats[f]));
            has_shape(&b, ARR_F32, "(70000)");
            for (int k = 0; k < 70000; k++) {
                double x = ((double *)a.data)[k];
                double w = half ? ph_bf16_to_f64(ph_f64_to_bf16(x)) : ph_f16_to_f64(ph_f64_to_f16(x));
                assert_true(((float *)b.data)[k] == w);
            }
            arr_drop(&b);
        }
    assert_int_equal(write_as(in_folder("x.npy"), &a, "bf16"), PH_EARG);
    assert_int_equal(write_as(in_folder("x.npz"), &a, "f8"), PH_EARG);
    assert_int_equal(write_as(in_folder("x.safetensors"), &a, "bool"), PH_EARG);
    arr_drop(&a);
}

/* The bytes, from the formats' descriptions. */
static void the_bytes_are_these(void **state) {
    (void)state;
    arr a = sample(ARR_F64, 1, (int64_t[]){1});
    size_t n;
    ((double *)a.data)[0] = 1;
    OK(file_npy_write(in_folder("x.npy"), &a, NULL, NULL));
    unsigned char *b = get_file(in_folder("x.npy"), &n);
    static const char npy[] = "\x93NUMPY\1\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
    assert_int_equal(n, 128 + 8);
    assert_memory_equal(b, npy, sizeof npy - 1);
    for (size_t k = sizeof npy - 1; k < 127; k++) assert_int_equal(b[k], ' ');
    assert_memory_equal(b + 127, "\n\0\0\0\0\0\0\xf0\x3f", 9);
    free(b);
    file_named in[] = {{"v\"", &a}, {"u", &a}};
    const char *meta[] = {"k", "v\n"};
    OK(file_safetensors_write(in_folder("x.safetensors"), in, 2, "f16", meta, 1, NULL));
    b = get_file(in_folder("x.safetensors"), &n);
    static const char st[] = "\xa8\0\0\0\0\0\0\0{\"__metadata__\":{\"k\":\"v\\n\"},"
                             "\"u\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]},"
                             "\"v\\\"\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[2,4]}}";
    assert_memory_equal(b + 1, st + 1, sizeof st - 2);
    assert_int_equal((b[0] + 8) % 8, 0);
    assert_int_equal(n, 8 + b[0] + 4);
    for (size_t k = sizeof st - 1; k < n - 4; k++) assert_int_equal(b[k], ' ');
    assert_memory_equal(b + n - 4, "\x00\x3c\x00\x3c", 4);
    free(b);
    arr_drop(&a);
}

/* ---- text -------------------------------------------------------------------------------------------------- */

static void csv(const char *text, int header, char separator, const char *names, const char *shape,
                const double *values) {
    arr a;
    char *got;
    put_file(in_folder("x.csv"), text, strlen(text));
    OK(file_csv_read(&a, &got, in_folder("x.csv"), separator, header, NULL));
    has_shape(&a, ARR_F64, shape);
    for (int64_t k = 0; k < arr_size(&a); k++) {
        double x = ((double *)a.data)[k];
        assert_true(isnan(values[k]) ? isnan(x) : x == values[k]);
    }
    assert_int_equal(got != NULL, names != NULL);
    for (int64_t j = 0; names && j < a.shape[1]; j++) { /* names: each ended by a bar */
        const char *s = got + 0;
        for (int64_t k = 0; k < j; k++) s += strlen(s) + 1;
        size_t n = strcspn(names, "|");
        assert_int_equal(strlen(s), n);
        assert_memory_equal(s, names, n);
        names += n + 1;
    }
    ph_free(got);
    arr_drop(&a);
}

static void csv_is_read(void **state) {
    (void)state;
    csv("1,2\n3,4\n", -1, ',', NULL, "(2, 2)", (double[]){1, 2, 3, 4});
    csv("\xEF\xBB\xBFx,\"y \"\"q\"\", z\"\r\n 1 ,-2.5e3\r\n\r\n\"3\",+.5", -1, ',', "x|y \"q\", z|", "(2, 2)",
        (double[]){1, -2500, 3, 0.5});
    csv("1;2;3", -1, ';', NULL, "(1, 3)", (double[]){1, 2, 3});
    csv("1 2\n", 1, ' ', "1|2|", "(0, 2)", NULL);
    csv("nan,-Inf,Infinity\n", 0, ',', NULL, "(1, 3)", (double[]){NAN, -INFINITY, INFINITY});
    csv("θ\n0.1\n", -1, ',', "θ|", "(1, 1)", (double[]){0.1});
}

static void csv_is_written(void **state) {
    (void)state;
    arr a = sample(ARR_F64, 2, (int64_t[]){300, 7}), b;
    char *names;
    size_t n;
    ((double *)a.data)[3] = NAN, ((double *)a.data)[4] = -INFINITY, ((double *)a.data)[5] = 5e-324;
    OK(file_csv_write(in_folder("x.csv"), &a, ',', NULL, NULL));
    OK(file_csv_read(&b, &names, in_folder("x.csv"), ',', -1, NULL));
    assert_null(names);
    same_array(&a, &b);
    arr_drop(&b), arr_drop(&a);
    a = sample(ARR_BOOL, 1, (int64_t[]){2});
    memcpy(a.data, "\1\0", 2);
    OK(file_csv_write(in_folder("x.csv"), &a, ';', (const char *[]){"a;\"b"}, NULL));
    unsigned char *text = get_file(in_folder("x.csv"), &n);
    text[n] = 0;
    assert_string_equal((char *)text, "\"a;\"\"b\"\n1.0\n0.0\n");
    free(text);
    arr_drop(&a);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* Each allocation refused in turn: an error, nothing left behind, the old file whole. */
static void refused_memory_leaves_nothing(void **state) {
    (void)state;
    arr a = sample(ARR_F64, 2, (int64_t[]){3, 4}), t;
    OK(arr_permute(&t, &a, (int[]){1, 0}, NULL));
    for (int f = 0; f < 4; f++) {
        const char *path = in_folder(f < 3 ? formats[f] : "x.csv");
        if (f < 3) OK(write_as(path, &a, NULL));
        else OK(file_csv_write(path, &a, ',', NULL, NULL));
        bool done = false;
        for (size_t k = 1; !done; k++) {
            assert_true(k < 100);
            size_t live = ph_block_live();
            ph_status st;
            arr b = ARR_NONE;
            file_store *s = NULL;
            char *names = NULL;
            ph_alloc_fail_from(k);
            if (f == 0) st = file_npy_read(&b, path, NULL);
            else if (f == 3) st = file_csv_read(&b, &names, path, ',', -1, NULL);
            else if ((st = (f == 1 ? file_npz_open : file_safetensors_open)(&s, path, NULL)) == PH_OK)
                st = file_store_read(&b, s, 0, NULL);
            if (st == PH_OK)
                st = f == 3 ? file_csv_write(path, &t, ',', NULL, NULL) : write_as(path, &t, "f16");
            ph_alloc_fail_from(0);
            done = st == PH_OK;
            assert_true(done || st == PH_ENOMEM);
            if (done) same_array(&a, &b);
            arr_drop(&b);
            file_store_close(&s);
            ph_free(names);
            assert_int_equal(ph_block_live(), live);
        }
    }
    arr_drop(&t), arr_drop(&a);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(numpys_npy_is_read),
        CASE(numpys_types_are_read),
        CASE(numpys_deflated_archives_are_read),
        CASE(tensors_by_hand_are_read),
        CASE(every_half_is_widened),
        CASE(large_integers_are_exact),
        CASE(what_is_written_is_read),
        CASE(views_are_written_in_their_order),
        CASE(short_types_are_rounded_once),
        CASE(the_bytes_are_these),
        CASE(csv_is_read),
        CASE(csv_is_written),
        CASE(refused_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
