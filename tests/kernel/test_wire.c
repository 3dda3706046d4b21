/* Signatures against RFC 4231, and messages that are none: forged, altered, replayed, cut, and random ones.
 * Sources: kernel/wire.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/wire.h"

static krn_wire *w;

static int open_wire(void **state) {
    (void)state;
    ph_err err;
    w = calloc(1, sizeof *w);
    return krn_wire_open(w, "key", &err) == PH_OK ? 0 : -1;
}
static int close_wire(void **state) {
    (void)state;
    free(w);
    return 0;
}

/* ---- HMAC ---------------------------------------------------------------------------------------------- */

static void signatures_of_rfc_4231(void **state) {
    (void)state;
    char many[131], fifties[50];
    memset(many, 0xaa, sizeof many);
    memset(fifties, 0xdd, sizeof fifties);
    const struct {
        const char *key;
        size_t nkey;
        const char *data;
        size_t n;
        const char *digits;
    } rows[] = {
        {"\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b", 20, "Hi There",
         8, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", 4, "what do ya want for nothing?", 28,
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {many, 20, fifties, 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {many, 131, "Test Using Larger Than Block-Size Key - Hash Key First", 54,
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        krn_key k;
        uint8_t sum[PH_SHA256_BYTES];
        char digits[PH_SHA256_HEX];
        size_t half = rows[i].n / 2; /* in two frames: the sum is of the whole */
        krn_frame parts[2] = {{(char *)rows[i].data, half}, {(char *)rows[i].data + half, rows[i].n - half}};
        krn_key_set(&k, rows[i].key, rows[i].nkey);
        krn_sign(&k, parts, 2, sum);
        ph_sha256_digits(digits, sum);
        assert_string_equal(digits, rows[i].digits);
    }
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static void add(krn_frames *f, const char *s, size_t n) {
    f->frame[f->n] = (krn_frame){ph_alloc(n + 1), n};
    memcpy(f->frame[f->n].s, s, n);
    f->frame[f->n++].s[n] = 0;
}

#define HEADER "{\"msg_id\": \"1\", \"msg_type\": \"execute_request\"}"

/* A message with a right signature of these parts. */
static krn_frames signed_message(const char *header, const char *content) {
    krn_frames f = {.n = 0};
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    krn_frame part[4] = {
        {(char *)header, strlen(header)}, {"{}", 2}, {"{}", 2}, {(char *)content, strlen(content)}};
    krn_sign(&w->key, part, 4, sum);
    ph_sha256_digits(digits, sum);
    add(&f, "someone", 7);
    add(&f, "<IDS|MSG>", 9);
    add(&f, digits, 64);
    for (int i = 0; i < 4; i++) add(&f, part[i].s, part[i].n);
    return f;
}

static void refused(krn_frames *f, const char *why) {
    krn_message m;
    ph_err err;
    assert_int_equal(krn_message_read(&m, w, f, &err), PH_EARG);
    if (!strstr(err.text, why)) fail_msg("refused because %s; wanted: %s", err.text, why);
    assert_int_equal(f->n, 0);
    assert_null(m.header);
}

static void a_message_is_read_once(void **state) {
    (void)state;
    krn_message m;
    ph_err err;
    krn_frames f = signed_message(HEADER, "{\"code\": \"1\"}");
    assert_int_equal(krn_message_read(&m, w, &f, &err), PH_OK);
    assert_int_equal(m.ids.n, 1);
    assert_string_equal(m.ids.frame[0].s, "someone");
    assert_string_equal(m.type, "execute_request");
    assert_string_equal(json_string_value(json_object_get(m.content, "code")), "1");
    krn_message_clear(&m);
    krn_message_clear(&m);
    f = signed_message(HEADER, "{\"code\": \"1\"}");
    refused(&f, "sent before");
}

static void what_is_altered_is_refused(void **state) {
    (void)state;
    for (int part = 2; part < 7; part++)
        for (size_t at = 0;; at++) {
            krn_frames f = signed_message(HEADER, "{\"code\": \"2\"}");
            if (at >= f.frame[part].n) {
                krn_frames_clear(&f);
                break;
            }
            f.frame[part].s[at] ^= 1;
            refused(&f, "signature");
        }
    for (size_t n = 0; n < 64; n += 7) { /* a signature cut short */
        krn_frames f = signed_message(HEADER, "{\"code\": \"2\"}");
        f.frame[2].n = n;
        refused(&f, "signature");
    }
}

static void what_is_no_message_is_refused(void **state) {
    (void)state;
    for (int n = 0; n < 7; n++) {
        krn_frames f = signed_message(HEADER, "{}");
        while (f.n > n) ph_free(f.frame[--f.n].s);
        refused(&f, "frames are no message");
    }
    static const char *const headers[] = {"",
                                          "[]",
                                          "null",
                                          "{",
                                          "{\"msg_id\": \"1\"}",
                                          "{\"msg_type\": \"x\"}",
                                          "{\"msg_id\": 1, \"msg_type\": \"x\"}",
                                          "{\"msg_id\": \"1\", \"msg_type\": {}}"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        krn_frames f = signed_message(headers[i], "{}");
        refused(&f, "header");
    }
}

/* Its sender hears what is missing; and bytes that are no text are replaced. */
static void a_broken_content_is_an_empty_one(void **state) {
    (void)state;
    static const char *const contents[] = {"", "[1]", "{\"code\": \"\\ud800\"}", "{\"code\": ", "7"};
    krn_message m;
    ph_err err;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        krn_frames f = signed_message(HEADER, contents[i]);
        assert_int_equal(krn_message_read(&m, w, &f, &err), PH_OK);
        assert_int_equal(json_object_size(m.content), 0);
        krn_message_clear(&m);
    }
    krn_frames f = signed_message(HEADER, "{\"code\": \"a\xff\xce\"}");
    assert_int_equal(krn_message_read(&m, w, &f, &err), PH_OK);
    assert_string_equal(json_string_value(json_object_get(m.content, "code")), "a\xef\xbf\xbd\xef\xbf\xbd");
    krn_message_clear(&m);
}

/* At least the last 16384 signatures are remembered, however many have come. */
static void replays_are_known_for_long(void **state) {
    (void)state;
    char header[80];
    krn_message m;
    ph_err err;
    for (int i = 0; i < 40000; i++) {
        snprintf(header, sizeof header, "{\"msg_id\": \"%d\", \"msg_type\": \"x\"}", i);
        krn_frames f = signed_message(header, "{}");
        assert_int_equal(krn_message_read(&m, w, &f, &err), PH_OK);
        krn_message_clear(&m);
        if (i % 500 != 0) continue;
        for (int back = 0; back < 16000 && back <= i; back += 799) {
            snprintf(header, sizeof header, "{\"msg_id\": \"%d\", \"msg_type\": \"x\"}", i - back);
            f = signed_message(header, "{}");
            refused(&f, "sent before");
        }
    }
}

/* Random frames, the mark among them: never a crash, never a message. */
static void random_frames(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        krn_frames f = {.n = 0};
        char bytes[90];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int n = (int)(seed >> 60) + 1;
        for (int j = 0; j < n; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (char)(seed >> (b % 57));
            if (seed >> 62 == 0) add(&f, "<IDS|MSG>", 9);
            else add(&f, bytes, (size_t)(seed >> 40) % sizeof bytes);
        }
        refused(&f, "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_of_rfc_4231),
        cmocka_unit_test_setup_teardown(a_message_is_read_once, open_wire, close_wire),
        cmocka_unit_test_setup_teardown(what_is_altered_is_refused, open_wire, close_wire),
        cmocka_unit_test_setup_teardown(what_is_no_message_is_refused, open_wire, close_wire),
        cmocka_unit_test_setup_teardown(a_broken_content_is_an_empty_one, open_wire, close_wire),
        cmocka_unit_test_setup_teardown(replays_are_known_for_long, open_wire, close_wire),
        cmocka_unit_test_setup_teardown(random_frames, open_wire, close_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
