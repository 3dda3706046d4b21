/* SHA-256 against the examples of FIPS 180-4 and NIST's test vectors, and around the edges of its blocks (values from
 * coreutils' sha256sum).
 * Sources: base/sha256.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/sha256.h"

static void known_texts(void **state) {
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char hex[PH_SHA256_HEX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ph_sha256_hex(hex, rows[i].text, strlen(rows[i].text));
        assert_string_equal(hex, rows[i].hex);
    }
}

static void lengths_around_a_block(void **state) {
    (void)state;
    static const struct {
        size_t n; /* of the letter a */
        const char *hex;
    } rows[] = {
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    static char a[1000000];
    char hex[PH_SHA256_HEX];
    memset(a, 'a', sizeof a);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ph_sha256_hex(hex, a, rows[i].n);
        assert_string_equal(hex, rows[i].hex);
    }
}

/* Whatever the pieces, the sum is that of the whole. */
static void pieces_of_every_size(void **state) {
    (void)state;
    char text[300], whole[PH_SHA256_HEX], parts[PH_SHA256_HEX];
    uint8_t sum[PH_SHA256_BYTES];
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * 7);
    ph_sha256_hex(whole, text, sizeof text);
    for (size_t piece = 1; piece <= sizeof text; piece++) {
        ph_sha256 s;
        ph_sha256_begin(&s);
        for (size_t at = 0; at < sizeof text; at += piece)
            ph_sha256_add(&s, text + at, piece < sizeof text - at ? piece : sizeof text - at);
        ph_sha256_end(&s, sum);
        ph_sha256_digits(parts, sum);
        assert_string_equal(parts, whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_texts), cmocka_unit_test(pieces_of_every_size),
                                       cmocka_unit_test(lengths_around_a_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
