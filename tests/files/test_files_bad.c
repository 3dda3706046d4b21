/* Malformed .npy, .safetensors and .csv: a test a rule. Archives are in test_zip_bad.c. */
#include "bad_file.h"

/* ---- .npy -------------------------------------------------------------------------------------------------- */

/* A .npy of this version and header, with n bytes of data behind it. */
static void npy(int major, int minor, const char *header, size_t n, const char *wanted) {
    static char b[70000];
    size_t h = strlen(header), at = major == 1 ? 10 : 12;
    memset(b, 0, sizeof b);
    memcpy(b, "\x93NUMPY", 6);
    b[6] = (char)major, b[7] = (char)minor;
    for (size_t k = 8; k < at; k++) b[k] = (char)(h >> 8 * (k - 8));
    memcpy(b + at, header, h);
    refuses("x.npy", b, at + h + n, wanted);
}

#define HEAD(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"
#define SHAPE(shape)              HEAD("'<f8'", "False", shape)
#define DESCR(descr)              HEAD(descr, "False", "(3,)")

static void npy_magic(void **state) {
    (void)state;
    refuses("x.npy", "", 0, "0 bytes; a .npy has at least 10");
    refuses("x.npy", "\x93NUMPY\1\0\0", 9, "9 bytes; a .npy has at least 10");
    refuses("x.npy", "\x93NUMPX\1\0\0\0", 10, "does not begin as a .npy does, with \\x93NUMPY");
    refuses("x.npy", "\x80\x04\x95pickled", 10, "does not begin as a .npy does, with \\x93NUMPY");
}

static void npy_version(void **state) {
    (void)state;
    npy(4, 0, SHAPE("()"), 8, "version 4.0; wanted 1.0, 2.0 or 3.0");
    npy(0, 0, SHAPE("()"), 8, "version 0.0; wanted 1.0, 2.0 or 3.0");
    npy(1, 1, SHAPE("()"), 8, "version 1.1; wanted 1.0, 2.0 or 3.0");
}

static void npy_header_length(void **state) {
    (void)state;
    refuses("x.npy", "\x93NUMPY\2\0\0\0", 10, "the file ends within the header's length");
    refuses("x.npy", "\x93NUMPY\1\0\x40\0{}", 12, "header: 64 bytes; 2 are left");
    refuses("x.npy", "\x93NUMPY\2\0\1\0\1\0", 12, "header: 65537 bytes; wanted at most 65536");
    refuses("x.npy", "\x93NUMPY\3\0\xff\xff\xff\xff", 12, "header: 4294967295 bytes; wanted at most 65536");
    refuses("x.npy", "\x93NUMPY\2\0\0\0\1\0", 12, "header: 65536 bytes; 0 are left");
}

static void npy_grammar_is_closed(void **state) {
    (void)state;
    npy(1, 0, "", 0, "header: at byte 0 is the end; wanted {");
    npy(1, 0, "__import__('os')", 0, "header: at byte 0 is __import__('os'); wanted {");
    npy(1, 0, "{'descr': '<f8', 'fortran_order': 1>2, }", 0,
        "header: at byte 34 is 1>2, }; wanted True or False");
    npy(1, 0, "{'descr': '<' 'f8', }", 0,
        "header: descr is '<'; wanted < or > and one of b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, "
        "c16");
    npy(1, 0, "{'descr' '<f8'}", 0, "header: at byte 9 is '<f8'}; wanted a colon");
    npy(1, 0, "{'descr': '<f8' 'shape': ()}", 0, "header: at byte 16 is 'shape': ()}; wanted a comma or }");
    npy(1, 0, "{descr: '<f8'}", 0, "header: at byte 1 is descr: '<f8'}; wanted a key in quotes, or }");
    npy(1, 0, "{'descr: }", 0,
        "header: at byte 1 is 'descr: }; wanted a text in quotes, without a backslash");
    npy(1, 0, "{'d\\x65scr': '<f8'}", 0,
        "header: at byte 1 is 'd\\x65scr': '<f8; wanted a text in quotes, without a backslash");
    npy(1, 0, SHAPE("()") "x", 8, "header: at byte 56 is x; wanted nothing more");
    npy(1, 0, "{'descr':\t'<f8'}", 8, "header: at byte 9 is an odd byte; wanted a type, as '<f8'");
}

static void npy_has_exactly_three_keys(void **state) {
    (void)state;
    npy(1, 0, "{'descr': '<f8', 'shape': ()}", 8, "header: fortran_order is missing");
    npy(1, 0, "{'descr': '<f8', 'fortran_order': True}", 8, "header: shape is missing");
    npy(1, 0, "{}", 8, "header: descr is missing");
    npy(1, 0, "{'descr': '<f8', 'descr': '<f8', 'fortran_order': True, 'shape': ()}", 8,
        "header: descr stands there twice");
    npy(1, 0, "{'descr': '<f8', 'order': 'C'}", 8,
        "header: key 'order'; wanted descr, fortran_order and shape");
}

static void npy_descr_is_on_the_list(void **state) {
    (void)state;
#define KINDS "wanted numbers: b1, i1 to i8, u1 to u8, f2, f4, f8, c8, c16"
#define NAMES "wanted < or > and one of b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16"
    npy(1, 0, DESCR("'|O'"), 24,
        "header: descr '|O' is Python objects (pickle), which are never read; " KINDS);
    npy(1, 0, DESCR("'|V8'"), 24, "header: descr '|V8' is records; " KINDS);
    npy(1, 0, DESCR("'|S3'"), 24, "header: descr '|S3' is byte strings; " KINDS);
    npy(1, 0, DESCR("'<U2'"), 24, "header: descr '<U2' is texts; " KINDS);
    npy(1, 0, DESCR("'<M8[ns]'"), 24, "header: descr '<M8[ns]' is dates; " KINDS);
    npy(1, 0, DESCR("'<m8'"), 24, "header: descr '<m8' is time spans; " KINDS);
    npy(1, 0, DESCR("[('a', '<f8')]"), 24,
        "header: descr is a list: records are not read; wanted one type, as '<f8'");
    static const char *const others[] = {"<f16", "f8", "=f8", "|f8",  "<b2", "<i3",
                                         "<c4",  "",   "<",   "<f8 ", "=b1"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        char header[100], wanted[200];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': ()}", others[k]);
        snprintf(wanted, sizeof wanted, "header: descr is '%s'; " NAMES, others[k]);
        npy(1, 0, header, 24, wanted);
    }
}

static void npy_sizes_are_integers_from_0(void **state) {
    (void)state;
    npy(1, 0, SHAPE("(-3,)"), 24, "header: shape: a size is negative; wanted integers from 0");
    npy(1, 0, SHAPE("(1.5,)"), 24, "header: at byte 52 is .5,), }; wanted a comma or )");
    npy(1, 0, SHAPE("(0x3,)"), 24, "header: at byte 52 is x3,), }; wanted a comma or )");
    npy(1, 0, SHAPE("(None,)"), 24, "header: at byte 51 is None,), }; wanted a size, an integer from 0");
    npy(1, 0, SHAPE("(9223372036854775808,)"), 24,
        "header: shape: the size 9223372036854775808,... is above 2^63");
}

static void npy_shape_is_a_tuple(void **state) {
    (void)state;
    npy(1, 0, SHAPE("(3)"), 24, "header: at byte 53 is , }; wanted a tuple; that of one size is (3,)");
    npy(1, 0, SHAPE("[3]"), 24, "header: at byte 50 is [3], }; wanted a tuple of sizes, as in (3, 4)");
    npy(1, 0, SHAPE("3"), 24, "header: at byte 50 is 3, }; wanted a tuple of sizes, as in (3, 4)");
    npy(1, 0, SHAPE("(3 1)"), 24, "header: at byte 53 is 1), }; wanted a comma or )");
}

static void npy_has_at_most_eight_dimensions(void **state) {
    (void)state;
    npy(1, 0, SHAPE("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), 8, "header: shape: more than 8 dimensions");
}

/* Products that wrap, one of them to 4, and one that a 0 would hide. */
#if SIZE_MAX > UINT32_MAX
#define HELD "memory"
#else
#define HELD "file" /* what no size_t counts cannot be read either */
#endif

static void npy_product_is_checked(void **state) {
    (void)state;
    npy(1, 0, HEAD("'|u1'", "False", "(4194305, 4194305, 211106198978564)"), 4,
        "header: shape (4194305, 4194305, 211106198978564) of u8 is too large for any file");
    npy(1, 0, SHAPE("(2305843009213693952,)"), 0,
        "header: shape (2305843009213693952) of f64 is too large for any file");
    npy(1, 0, SHAPE("(4611686018427387904, 0, 4611686018427387904)"), 0,
        "header: shape (4611686018427387904, 0, 4611686018427387904) of f64 is too large for any file");
    /* 7.3e18 bytes in a file, eight times as many in an array */
    npy(1, 0, HEAD("'|u1'", "True", "(0, 1813449449954519722, 4)"), 0,
        "header: shape (0, 1813449449954519722, 4) of u8 is too large for any " HELD);
}

static void npy_short_data(void **state) {
    (void)state;
    npy(1, 0, SHAPE("(2, 5)"), 72, "data: 72 bytes; shape (2, 5) of f64 takes 80: the file is cut short");
    npy(1, 0, SHAPE("(200000000,)"), 8,
        "data: 8 bytes; shape (200000000) of f64 takes 1600000000: the file is cut short");
}

static void npy_trailing_data(void **state) {
    (void)state;
    npy(1, 0, SHAPE("(2, 5)"), 81, "data: 1 bytes follow the 80 that shape (2, 5) of f64 takes");
    npy(1, 0, SHAPE("(0, 5)"), 1, "data: 1 bytes follow the 0 that shape (0, 5) of f64 takes");
}

static void npy_bool_is_0_or_1(void **state) {
    (void)state;
    static char b[200] = "\x93NUMPY\1\0";
    int n = 10 + snprintf(b + 10, 150, HEAD("'|b1'", "False", "(3,)"));
    b[8] = (char)(n - 10);
    memcpy(b + n, "\1\0\2", 3);
    refuses("x.npy", b, (size_t)n + 3, "data: element 3 of bool is the byte 2; wanted 0 or 1");
}

static void npy_integers_have_a_double(void **state) {
    (void)state;
    static char b[200] = "\x93NUMPY\1\0";
    int n = 10 + snprintf(b + 10, 150, HEAD("'<i8'", "False", "(2,)"));
    b[8] = (char)(n - 10);
    memcpy(b + n + 8, &(int64_t){-(((int64_t)1 << 53) + 1)}, 8);
    refuses("x.npy", b, (size_t)n + 16,
            "data: element 2 is the integer -9007199254740993, which no f64 holds exactly");
    memcpy(b + 10 + 11, "<u8", 3);
    memcpy(b + n, &(uint64_t){UINT64_MAX}, 8);
    refuses("x.npy", b, (size_t)n + 16,
            "data: element 1 is the integer 18446744073709551615, which no f64 holds exactly");
}

/* ---- .safetensors ------------------------------------------------------------------------------------------ */

/* The header and n zero bytes of data. */
static void tensors_n(const char *header, size_t h, size_t n, const char *wanted) {
    unsigned char *b = calloc(1, 8 + h + n);
    for (int k = 0; k < 8; k++) b[k] = (unsigned char)((uint64_t)h >> 8 * k);
    memcpy(b + 8, header, h);
    put_file(in_folder("x.safetensors"), b, 8 + h + n);
    free(b);
    refused(in_folder("x.safetensors"), wanted);
}
static void tensors(const char *header, size_t n, const char *wanted) {
    tensors_n(header, strlen(header), n, wanted);
}

#define ONE(dtype, shape, offsets)                                                                           \
    "{\"w\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define PART(name, begin, end)                                                                               \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[" #end "],\"data_offsets\":[" #begin "," #end "]}"

static void tensors_header_length(void **state) {
    (void)state;
    refuses("x.safetensors", "\2\0\0\0\0\0\0", 7, "7 bytes; a .safetensors has at least 10");
    refuses("x.safetensors", "\3\0\0\0\0\0\0\0{}", 10, "header: 3 bytes; 2 are left");
    refuses("x.safetensors", "\x01\xe1\xf5\x05\0\0\0\0{}", 10,
            "header: 100000001 bytes; wanted at most 100000000");
    refuses("x.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10,
            "header: 18446744073709551615 bytes; wanted at most 100000000");
    refuses("x.safetensors", "\x00\xe1\xf5\x05\0\0\0\0{}", 10, "header: 100000000 bytes; 2 are left");
}

static void tensors_first_byte(void **state) {
    (void)state;
    tensors("", 0, "header: at byte 0: it ends; wanted { as the first byte");
    tensors(" {}", 0, "header: at byte 0: byte 32; wanted { as the first byte");
    tensors("[]", 0, "header: at byte 0: '['; wanted { as the first byte");
}

static void tensors_json(void **state) {
    (void)state;
    tensors("{", 0, "header: at byte 1: it ends; wanted a tensor's name in quotes");
    tensors("{}x", 0, "header: at byte 2: 'x'; wanted nothing more");
    tensors_n("{}\0", 3, 0, "header: at byte 2: byte 0; wanted nothing more");
    tensors("{\"w\" {}}", 0, "header: tensor \"w\" at byte 5: '{'; wanted a colon");
    tensors("{\"w\":[]}", 0,
            "header: tensor \"w\" at byte 5: '['; wanted { and dtype, shape and data_offsets");
    tensors("{\"w\":{\"dtype\":\"F32\" \"shape\":[]}}", 0,
            "header: tensor \"w\" at byte 20: '\"'; wanted a comma or }");
    tensors("{\"w\n\":{}}", 0, "header: at byte 3: byte 10; wanted a closing quote");
    tensors("{\"w\\x\":{}}", 0,
            "header: at byte 4: 'x'; wanted one of \" \\ / b f n r t u behind a backslash");
    tensors("{\"\\u12g4\":{}}", 0, "header: at byte 6: 'g'; wanted four hexadecimal digits");
    tensors("{\"\\ud800\":{}}", 0, "header: at byte 8: '\"'; wanted the second half of a pair of surrogates");
    tensors("{\"\\ud800\\u0041\":{}}", 0, "header: at byte 14: half a pair of surrogates");
    tensors("{\"\\udc00\":{}}", 0, "header: at byte 8: half a pair of surrogates");
    tensors("{" PART("w", 0, 0) ",}", 0, "header: at byte 53: '}'; wanted a tensor's name in quotes");
}

static void tensors_nesting_is_flat(void **state) {
    (void)state;
    static char deep[100001];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"w\":", 5);
    tensors_n(deep, sizeof deep, 0,
              "header: tensor \"w\" at byte 5: '['; wanted { and dtype, shape and data_offsets");
    tensors("{\"w\":{\"dtype\":\"U8\",\"shape\":[[1]]}}", 0,
            "header: tensor \"w\" at byte 28: '['; wanted a size in shape, an integer from 0");
}

static void tensors_utf8(void **state) {
    (void)state;
    tensors("{\"a\xff\":{}}", 0, "header: at byte 3: no valid UTF-8");
    tensors("{\"a\xc0\x80\":{}}", 0, "header: at byte 3: no valid UTF-8");
    tensors("{\"\xed\xa0\x80\":{}}", 0, "header: at byte 2: no valid UTF-8");
}

static void tensors_no_name_twice(void **state) {
    (void)state;
    tensors("{" PART("w", 0, 0) "," PART("v", 0, 0) "," PART("\\u0077", 0, 0) "}", 0,
            "header: tensor \"w\" at byte 4: two tensors have this name");
    tensors("{\"__metadata__\":{},\"__metadata__\":{}}", 0,
            "header: at byte 34: __metadata__ stands there twice");
    tensors("{\"__metadata__\":{\"a\":\"\",\"b\":\"\",\"a\":\"x\"}}", 0,
            "header: at byte 39: a key of __metadata__ stands there twice");
    tensors("{\"w\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0,
            "header: tensor \"w\" at byte 26: dtype stands there twice");
}

static void tensors_metadata_is_texts(void **state) {
    (void)state;
    tensors("{\"__metadata__\":{\"a\":1}}", 0,
            "header: at byte 21: '1'; wanted a text: __metadata__ holds only texts");
    tensors("{\"__metadata__\":\"a\"}", 0,
            "header: at byte 16: '\"'; wanted { and the texts of __metadata__");
    tensors("{\"__metadata__\":{\"a\":null}}", 0,
            "header: at byte 21: 'n'; wanted a text: __metadata__ holds only texts");
    char *many = malloc(200000);
    size_t n = (size_t)sprintf(many, "{\"__metadata__\":{");
    for (int k = 0; k <= 10000; k++) n += (size_t)sprintf(many + n, "%s\"%d\":\"\"", k ? "," : "", k);
    n += (size_t)sprintf(many + n, "}}");
    char wanted[100];
    snprintf(wanted, sizeof wanted, "header: at byte %zu: __metadata__ has more than 10000 entries",
             n - 2 - 10);
    tensors(many, 0, wanted);
    free(many);
}

static void tensors_dtype_is_known(void **state) {
    (void)state;
#define TYPES "wanted F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8 or BOOL"
    tensors(ONE("\"F8_E4M3\"", "[1]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 23: dtype is \"F8_E4M3\"; " TYPES);
    tensors(ONE("\"f32\"", "[1]", "[0,4]"), 4, "header: tensor \"w\" at byte 19: dtype is \"f32\"; " TYPES);
    tensors(ONE("\"\"", "[1]", "[0,4]"), 4, "header: tensor \"w\" at byte 16: dtype is \"\"; " TYPES);
    tensors(ONE("\"F32\\u0000\"", "[1]", "[0,4]"), 4,
            "header: tensor \"w\" at byte 25: dtype is \"F32\"; " TYPES);
    tensors(ONE("32", "[1]", "[0,4]"), 4,
            "header: tensor \"w\" at byte 14: '3'; wanted the name of a type, as \"F32\"");
}

static void tensors_keys(void **state) {
    (void)state;
    tensors("{\"w\":{\"dtype\":\"U8\",\"data_offsets\":[0,0]}}", 0,
            "header: tensor \"w\" at byte 40: shape is missing");
    tensors("{\"w\":{}}", 0, "header: tensor \"w\" at byte 7: dtype is missing");
    tensors("{\"w\":{\"dtype\":\"U8\",\"shape\":[0]}}", 0,
            "header: tensor \"w\" at byte 31: data_offsets is missing");
    tensors("{\"w\":{\"type\":\"U8\"}}", 0,
            "header: tensor \"w\" at byte 12: an unknown key; wanted dtype, shape and data_offsets");
}

static void tensors_numbers_are_plain(void **state) {
    (void)state;
    tensors(ONE("\"U8\"", "[-1]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 28: '-'; wanted a size in shape, an integer from 0");
    tensors(ONE("\"U8\"", "[1.0]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 29: '.'; wanted no more of a size in shape, an integer in plain "
            "digits");
    tensors(ONE("\"U8\"", "[1]", "[0,1e0]"), 1,
            "header: tensor \"w\" at byte 50: 'e'; wanted no more of a number in data_offsets, an integer in "
            "plain digits");
    tensors(ONE("\"U8\"", "[01]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 29: '1'; wanted no more of a size in shape, an integer in plain "
            "digits");
    tensors(ONE("\"U8\"", "[9223372036854775808]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 47: a size in shape is above 9223372036854775807");
    tensors(ONE("\"U8\"", "[1]", "[0,\"1\"]"), 1,
            "header: tensor \"w\" at byte 49: '\"'; wanted a number in data_offsets, an integer from 0");
    tensors(ONE("\"U8\"", "[1]", "[0,1,2]"), 1,
            "header: tensor \"w\" at byte 50: ','; wanted ] after two data_offsets");
}

static void tensors_have_at_most_eight_dimensions(void **state) {
    (void)state;
    tensors(ONE("\"U8\"", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1,
            "header: tensor \"w\" at byte 44: shape has more than 8 dimensions");
}

/* [4194305, 4194305, 211106198978564] is 4 in 64 bits, and [2^61, ...] times 8 is 0. */
static void tensors_product_is_checked(void **state) {
    (void)state;
    tensors(ONE("\"U8\"", "[0,1813449449954519722,4]", "[0,0]"), 0,
            "header: tensor \"w\": shape (0, 1813449449954519722, 4) of u8 is too large for any " HELD);
    tensors(
        ONE("\"U8\"", "[4194305,4194305,211106198978564]", "[0,4]"), 4,
        "header: tensor \"w\": shape (4194305, 4194305, 211106198978564) of u8 is too large for any file");
    tensors(ONE("\"F64\"", "[2305843009213693952]", "[0,0]"), 0,
            "header: tensor \"w\": shape (2305843009213693952) of f64 is too large for any file");
    tensors(ONE("\"F64\"", "[0,4611686018427387904,4611686018427387904]", "[0,0]"), 0,
            "header: tensor \"w\": shape (0, 4611686018427387904, 4611686018427387904) of f64 is too large "
            "for any file");
}

static void tensors_span_what_they_take(void **state) {
    (void)state;
    tensors(ONE("\"F32\"", "[2]", "[0,4]"), 4,
            "header: tensor \"w\" at byte 53: data_offsets span 4 bytes; shape and dtype take 8");
    tensors(ONE("\"F32\"", "[]", "[0,8]"), 8,
            "header: tensor \"w\" at byte 52: data_offsets span 8 bytes; shape and dtype take 4");
}

static void tensors_offsets_lie_in_the_file(void **state) {
    (void)state;
    tensors(ONE("\"U8\"", "[4]", "[0,4]"), 3,
            "header: tensor \"w\" at byte 52: data_offsets are [0, 4]; wanted begin <= end <= 3, what the "
            "file holds");
    tensors(ONE("\"U8\"", "[4]", "[4,0]"), 4,
            "header: tensor \"w\" at byte 52: data_offsets are [4, 0]; wanted begin <= end <= 4, what the "
            "file holds");
}

/* Sorted by place: no gap, no overlap, nothing in front, nothing behind; empty tensors may share a place. */
static void tensors_have_no_gaps(void **state) {
    (void)state;
#define AT(name, n, begin, end)                                                                              \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[" n "],\"data_offsets\":[" begin "," end "]}"
    tensors("{" AT("b", "2", "3", "5") "," AT("a", "2", "0", "2") "}", 5,
            "header: a tensor's data begin at 3; the tensor before ends at 2");
    tensors("{" AT("b", "2", "1", "3") "," AT("a", "2", "0", "2") "}", 3,
            "header: a tensor's data begin at 1; the tensor before ends at 2");
    tensors("{" AT("a", "2", "1", "3") "}", 3,
            "header: a tensor's data begin at 1; the tensor before ends at 0");
    tensors("{" AT("a", "2", "0", "2") "}", 3, "data: the tensors end at byte 2; 3 are there");
    tensors("{}", 1, "data: the tensors end at byte 0; 1 are there");
}

/* 60000 tensors, the last of them wrong: an index of them all is made, and fits. */
static void tensors_many_need_little_memory(void **state) {
    (void)state;
    enum { N = 60000 };
    char *many = malloc(N * 60 + 100);
    size_t n = (size_t)sprintf(many, "{");
    for (int k = 0; k < N; k++)
        n += (size_t)sprintf(many + n, "%s\"%x\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
                             k ? "," : "", k);
    n += (size_t)sprintf(many + n, "}");
    tensors_n(many, n, 1, "data: the tensors end at byte 0; 1 are there");
    free(many);
}

/* ---- .csv -------------------------------------------------------------------------------------------------- */

static void csv(const char *text, const char *wanted) { refuses("x.csv", text, strlen(text), wanted); }

static void csv_fields_are_numbers(void **state) {
    (void)state;
    csv("1,2\n3,x\n", "line 2, field 2 is \"x\"; wanted a number");
    csv("a,b\n1,\n", "line 2, field 2 is \"\"; wanted a number");
    csv("a\n0x10\n", "line 2, field 1 is \"0x10\"; wanted a number");
    csv("a\n1e\n", "line 2, field 1 is \"1e\"; wanted a number");
    csv("a\n1 2\n", "line 2, field 1 is \"1 2\"; wanted a number");
    csv("a\nnan(3)\n", "line 2, field 1 is \"nan(3)\"; wanted a number");
    csv("a\n1+2i\n", "line 2, field 1 is \"1+2i\"; wanted a number");
}

static void csv_lines_are_equally_long(void **state) {
    (void)state;
    csv("1,2\n\n3\n", "line 3, field 1 is \"3\"; the lines before have 2 fields");
    csv("1\n2,3\n", "line 2, field 2 is \"3\"; the lines before have 1 field");
}

static void csv_quotes_are_closed(void **state) {
    (void)state;
    csv("\"a", "line 1, field 1 is \"a\"; its quote is never closed");
    csv("a\"b\n", "line 1, field 1 is \"a\"; a quote follows it");
    csv("\"1\"2,\"3\"\"\n", "line 2, field 2 is \"3\"?\"; its quote is never closed");
}

static void csv_is_text(void **state) {
    (void)state;
    refuses("x.csv", "1,\0\n", 4, "line 1, field 2 is \"\"; a NUL follows it");
    refuses("x.csv", "\xff\n1\n", 4, "line 1, field 1 is \"\xff\"; wanted valid UTF-8");
    csv("", "nothing is in it");
    csv("\n\r\n\n", "nothing is in it");
}

static void csv_fields_are_short(void **state) {
    (void)state;
    static char text[70000], wanted[100];
    memset(text, '1', sizeof text - 1);
    snprintf(wanted, sizeof wanted, "line 1, field 1 is \"%.30s\"; wanted at most 1000 bytes", text);
    csv(text, wanted);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, words_were_right)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(npy_magic),
        CASE(npy_version),
        CASE(npy_header_length),
        CASE(npy_grammar_is_closed),
        CASE(npy_has_exactly_three_keys),
        CASE(npy_descr_is_on_the_list),
        CASE(npy_sizes_are_integers_from_0),
        CASE(npy_shape_is_a_tuple),
        CASE(npy_has_at_most_eight_dimensions),
        CASE(npy_product_is_checked),
        CASE(npy_short_data),
        CASE(npy_trailing_data),
        CASE(npy_bool_is_0_or_1),
        CASE(npy_integers_have_a_double),
        CASE(tensors_header_length),
        CASE(tensors_first_byte),
        CASE(tensors_json),
        CASE(tensors_nesting_is_flat),
        CASE(tensors_utf8),
        CASE(tensors_no_name_twice),
        CASE(tensors_metadata_is_texts),
        CASE(tensors_dtype_is_known),
        CASE(tensors_keys),
        CASE(tensors_numbers_are_plain),
        CASE(tensors_have_at_most_eight_dimensions),
        CASE(tensors_product_is_checked),
        CASE(tensors_span_what_they_take),
        CASE(tensors_offsets_lie_in_the_file),
        CASE(tensors_have_no_gaps),
        CASE(tensors_many_need_little_memory),
        CASE(csv_fields_are_numbers),
        CASE(csv_lines_are_equally_long),
        CASE(csv_quotes_are_closed),
        CASE(csv_is_text),
        CASE(csv_fields_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
