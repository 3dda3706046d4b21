/* Calling encodings from Lua: how arguments are given, and what a wrong one hears. And the descriptors: complete. */
#include "lua/lab.h"

#include "encoding/encoding.h"

static void sinusoids(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"sinusoidal(4, 5)", "error: t:1: sinusoidal: d is 5; wanted an even number (pairs of a sine and a cosine); "
                             "sinusoidal_t2t pads an odd d"},
        {"sinusoidal(4)", "error: t:1: sinusoidal: no d given; wanted the dimension, even"},
        {"sinusoidal()", "error: t:1: sinusoidal: no T given; wanted a count, or an array of positions"},
        {"sinusoidal(4, 4, {}, 1)", "error: t:1: sinusoidal: 4 arguments given; wanted 2 and a table of named ones"},
        {"sinusoidal(4, -2)", "error: t:1: sinusoidal: d is -2; wanted an integer of at least 0: the dimension, even"},
        {"sinusoidal(4, 4, 10000)",
         "error: t:1: sinusoidal: the last argument is 10000; wanted a table of named ones, {name = value}"},
        {"sinusoidal(4, 2.5)", "error: t:1: sinusoidal: d is 2.5; wanted an integer"},
        {"sinusoidal(-1, 2)", "error: t:1: sinusoidal: T is -1; wanted an integer of at least 0"},
        {"sinusoidal(\"4\", 2)", "error: t:1: sinusoidal: T is the string \"4\"; wanted a count, or an array of positions"},
        {"sinusoidal({1, 0/0}, 2)", "error: t:1: sinusoidal: entry 2 of T is nan; wanted finite positions"},
        {"sinusoidal({{1}}, 2)",
         "error: t:1: sinusoidal: T has shape (1, 1); wanted one dimension (T), a position for each row"},
        {"sinusoidal({true}, 2)", "error: t:1: sinusoidal: T has dtype bool; wanted f64 or f32"},
        {"sinusoidal(4, 2, {base=0})",
         "error: t:1: sinusoidal: base is 0; wanted a number above 0: wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=-3})",
         "error: t:1: sinusoidal: base is -3; wanted a number above 0: wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=math.huge})", "error: t:1: sinusoidal: base is inf; wanted a number from 1e-200 to 1e+200: "
                                               "wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=\"x\"})", "error: t:1: sinusoidal: base is the string \"x\"; wanted a number"},
        {"sinusoidal(4, 2, {bse=3})", "error: t:1: sinusoidal: unknown option 'bse'; did you mean 'base'?"},
        {"sinusoidal(4, 2, {layout=\"half\"})", "error: t:1: sinusoidal: layout is \"half\"; wanted \"interleaved\" or \"halves\": "
                                                "interleaved is the paper's order; halves has every sine before every cosine"},
        {"sinusoidal(4, 2, {offset=0/0})", "error: t:1: sinusoidal: offset is nan; wanted a number from -4503599627370496 to "
                                           "4503599627370496: what is added to every position"},
        {"sinusoidal(2^40, 2^40)",
         "error: t:1: sinusoidal: 1099511627776 positions of 1099511627776 columns are too many for any memory"},
        {"sinusoidal(3, 4, {dtype=\"f32\"}).dtype", "f32"},
        {"sinusoidal(range(3, 5), 4) == sinusoidal(3, 4, {offset=3})", "true"},
        {"formula_of(\"sinusoidal\", 3, 9, 4)", "sin(t*10000^(-1/2))"},
        {"formula_of(\"sinusoidal\", 5, 9, 4)", "error: t:1: sinusoidal: column 5 asked for; there are 4"},
        {"formula_of(\"sinusoidal\", 1, 9, 3)", "error: t:1: sinusoidal: d is 3; wanted an even number (pairs of a sine and a "
                                                "cosine); sinusoidal_t2t pads an odd d"},
        {"formula_of(\"sinusoidal\", 3, 9, 4, {base=1e-30})",
         "error: t:1: 1e-30 is no ratio of 64-bit integers, and a formula holds exact numbers"},
        {"formula_of(\"sinusiodal\", 1)", "error: t:1: formula_of: unknown encoding 'sinusiodal'; did you mean 'sinusoidal'?"},
        {"formula_of(3, 1)", "error: t:1: formula_of: the encoding is 3; wanted its name, as in \"sinusoidal\""},
        {NULL, NULL}};
    lab_run(cases);
}

/* What tests, help and reports read is there, in every descriptor. */
static void descriptors_are_complete(void **state) {
    (void)state;
    int n = 0, wrong = 0;
    for (const enc_encoding *const *e = enc_registry; *e; e++, n++) {
        wrong += !(*e)->title || !(*e)->citation || !(*e)->layout || !(*e)->formula || strcmp((*e)->functions->name, (*e)->name) != 0;
        if (e != enc_registry) assert_true(strcmp(e[-1]->name, (*e)->name) < 0);
        assert_ptr_equal(enc_find((*e)->name), *e);
        for (const enc_function *f = (*e)->functions; f->name; f++) {
            int params = enc_param_count(f->params);
            wrong += params > ENC_MAXPAR || f->n_out < 1 || f->n_out > ENC_MAXOUT || !f->run;
            for (int k = 0; k < params; k++) {
                const enc_param *p = &f->params[k];
                wrong += !p->help || (p->type == ENC_WORD) != (p->words != NULL) || (p->type == ENC_CHOICE) != (p->choices != NULL);
                wrong += k > 0 && p->how == ENC_PLACED && p[-1].how != ENC_PLACED;
                if (p->how == ENC_OPTIONAL && (p->type == ENC_NUM || p->type == ENC_INT))
                    wrong += !(p->otherwise >= p->lo && p->otherwise <= p->hi);
            }
        }
    }
    assert_true(n >= 2);
    assert_int_equal(wrong, 0);
    assert_null(enc_find("no such"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sinusoids), cmocka_unit_test(descriptors_are_complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
