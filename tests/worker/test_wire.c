/* Frames between front end and worker: those that are none, in pieces, with a descriptor riding along.
 * Sources: worker/wire.c */
#include <sys/socket.h>
#include <unistd.h>

#include "session/drive.h"
#include "worker/wire.h"

static void frames_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        bool refused;
    } rows[] = {
        {"\xff\xff\xff\xff", 4, true}, {"\0\0\0\2[]", 6, true},  {"\0\0\0\3{\"a", 7, true},
        {"\0\0\0\0", 4, true},         {"\0\0\0\2{}", 6, false}, {"\0\0", 2, false},
        {"\0\0\0\x09{}", 6, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int pair[2];
        wire w;
        ph_err err;
        json_t *m;
        assert_int_equal(wrk_wire_pair(pair, &err), PH_OK);
        wrk_wire_init(&w, pair[0]);
        assert_int_equal(write(pair[1], rows[i].bytes, rows[i].n), rows[i].n);
        assert_int_equal(wrk_wire_fill(&w, &err), PH_OK);
        assert_int_equal(wrk_wire_take(&w, &m, &err), rows[i].refused ? PH_EIO : PH_OK);
        json_decref(m);
        close(pair[1]);
        wrk_wire_close(&w);
    }
}

static void frames_in_pieces_and_with_descriptors(void **state) {
    (void)state;
    int pair[2], pipe_fds[2];
    wire a, b;
    ph_err err;
    json_t *m;
    assert_int_equal(wrk_wire_pair(pair, &err), PH_OK);
    assert_int_equal(pipe(pipe_fds), 0);
    wrk_wire_init(&a, pair[0]);
    wrk_wire_init(&b, pair[1]);
    assert_int_equal(wrk_wire_send(&a, json_pack("{s:i}", "n", 1), -1, &err), PH_OK);
    assert_int_equal(wrk_wire_send(&a, json_pack("{s:i}", "n", 2), pipe_fds[1], &err), PH_OK);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(wrk_wire_next(&b, &m, false, &err), PH_OK);
        assert_int_equal(json_integer_value(json_object_get(m, "n")), i);
        json_decref(m);
    }
    assert_true(b.passed >= 0);
    close(pipe_fds[1]);
    assert_int_equal(write(b.passed, "x", 1), 1); /* the other end of the same pipe */
    char c;
    assert_int_equal(read(pipe_fds[0], &c, 1), 1);
    close(pipe_fds[0]);
    wrk_wire_close(&a);
    assert_int_equal(wrk_wire_next(&b, &m, false, &err), PH_EIO);
    wrk_wire_close(&b);
    wrk_wire_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_that_are_none),
        cmocka_unit_test(frames_in_pieces_and_with_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
