/* Calling the encodings that give scores from Lua: what a wrong argument hears. x, a are (3, 4) arrays of ones, z four zeros.
 * Sources: encoding/deberta.c encoding/nope.c */
#include "lua/lab.h"

static const lab_case relative_forms_cases[] = {
    {"x, a, z = ones(3, 4), ones(3, 4), zeros(4)", ""},
    {"shaw()", "error: t:1: shaw: no q given; wanted an array (..., T, d) of queries"},
    {"shaw(x, x)", "error: t:1: shaw: no table given; wanted an array (2K+1, d), or one for each head"},
    {"shaw(\"q\", x, a)", "error: t:1: shaw: q is the string \"q\"; wanted an array (..., T, d) of queries"},
    {"shaw(x, {true}, a)", "error: t:1: shaw: k is bool; wanted f64 or f32"},
    {"shaw(x, x, 3)", "error: t:1: shaw: table has shape (); wanted (..., rows, 4)"},
    {"shaw(x, ones(3, 3), a)", "error: t:1: shaw: q has shape (3, 4) and k (3, 3); wanted (..., T, d) "
                               "and (..., S, d), d at least 1"},
    {"shaw(ones(4), x, a)",
     "error: t:1: shaw: q has shape (4) and k (3, 4); wanted (..., T, d) and (..., S, d), d at least 1"},
    {"shaw(zeros(3, 0), zeros(3, 0), zeros(3, 0))", "error: t:1: shaw: q has shape (3, 0) and k (3, 0); "
                                                    "wanted (..., T, d) and (..., S, d), d at least 1"},
    {"shaw(x, x, ones(3, 3))", "error: t:1: shaw: table has shape (3, 3); wanted (..., rows, 4)"},
    {"shaw(x, x, ones(4, 4))",
     "error: t:1: shaw: the table has 4 rows; wanted an odd number, 2K+1: one for the distance 0"},
    {"shaw(x, x, zeros(0, 4))",
     "error: t:1: shaw: the table has 0 rows; wanted an odd number, 2K+1: one for the distance 0"},
    {"shaw(x, x, a, {clip=2})", "error: t:1: shaw: clip is 2; wanted at most 1: the table has 3 rows, 2K+1"},
    {"shaw(x, x, a, {clip=-1})",
     "error: t:1: shaw: clip is -1; wanted an integer from 0 to 1000000000: K: greater distances share "
     "the rows at the ends; left out: as far as the table goes, a smaller one takes its middle rows"},
    {"shaw(x, x, a, {clip=0.5})", "error: t:1: shaw: clip is 0.5; wanted an integer"},
    {"shaw(x, x, a, {clip=1, variant=\"bert\"})",
     "error: t:1: shaw: clip beside a variant that does not clip; leave it out"},
    {"shaw(x, x, a, {variant=\"bert\"})", "error: t:1: shaw: a distance of 2 is not in the table; its 3 "
                                          "rows reach to 1, and nothing is clipped"},
    {"shaw(x, x, a, {variant=\"huggingface\"})",
     "error: t:1: shaw: variant is \"huggingface\"; wanted \"paper\", \"bert\" or \"bert_query\": "
     "\"paper\": rows for n - m, clipped; \"bert\" (transformers' relative_key): rows for m - n, a "
     "distance beyond the table is an error; \"bert_query\": and k . a as well"},
    {"shaw(x, x, a, {ofset=2})", "error: t:1: shaw: unknown option 'ofset'; did you mean 'offset'?"},
    {"shaw(x, x, a, {offset=2^40})",
     "error: t:1: shaw: offset is 1099511627776; wanted an integer from -2147483648 to 2147483648: where "
     "the first query stands, the first key at 0; left out: S - T, the last query at the last key"},
    {"shaw(x, x, a, {content=1})", "error: t:1: shaw: content is 1; wanted true or false"},
    {"shaw(ones(2, 3, 4), ones(3, 3, 4), a)",
     "error: t:1: shaw: shapes (2) and (3) do not match; counted from the last dimension, sizes must be "
     "equal or 1"},
    {"shaw(complex(1, 2)*x, x, a)", "error: t:1: shaw: q is c128; wanted f64 or f32"},
    {"isnan(shaw(where(eq(reshape(range(1, 12), 3, 4), 5), nan, x), 2*x, a)):totable()",
     "{{false, false, false}, {true, true, true}, {false, false, false}}"},
    {"shaw(x[1], x, a)",
     "error: t:1: shaw: q has shape (4) and k (3, 4); wanted (..., T, d) and (..., S, d), d at least 1"},
    {"shaw(zeros(0, 4), x, a).shape, shaw(x, zeros(0, 4), a).shape", "{0, 3}\t{3, 0}"},
    {"shaw_values(ones(3, 3), ones(2, 4), a)",
     "error: t:1: shaw_values: weights have shape (3, 3), v (2, 4) and table (3, 4); wanted (..., T, S), "
     "(..., S, dv) and (2K+1, dv)"},
    {"shaw_values(ones(3), ones(2, 4), a)",
     "error: t:1: shaw_values: weights have shape (3), v (2, 4) and table (3, 4); wanted (..., T, S), "
     "(..., S, dv) and (2K+1, dv)"},
    {"shaw_values(ones(3, 3), ones(3, 4), ones(3, 3))",
     "error: t:1: shaw_values: weights have shape (3, 3), v (3, 4) and table (3, 3); wanted (..., T, S), "
     "(..., S, dv) and (2K+1, dv)"},
    {"shaw_values(ones(3, 3), ones(3, 4), ones(4, 4))",
     "error: t:1: shaw_values: the table has 4 rows; wanted an odd number, 2K+1: one for the distance 0"},
    {"shaw_values(ones(3, 3), ones(3, 4), a, {clip=2})",
     "error: t:1: shaw_values: clip is 2; wanted at most 1: the table has 3 rows, 2K+1"},
    {"shaw_values(ones(2, 3, 3), ones(4, 3, 4), a)",
     "error: t:1: shaw_values: shapes (2) and (4) do not match; counted from the last dimension, sizes "
     "must be equal or 1"},
    {"shaw_values(ones(0, 3), ones(3, 4), a).shape", "{0, 4}"},
    {"transformer_xl(x, x, ones(3, 4), z, z)",
     "error: t:1: transformer_xl: W has 3 rows; wanted an even number (pairs of a sine and a cosine)"},
    {"transformer_xl(x, x, ones(2, 3), z, z)",
     "error: t:1: transformer_xl: W has shape (2, 3); wanted (..., rows, 4)"},
    {"transformer_xl(x, x, ones(2, 4), {1}, z)",
     "error: t:1: transformer_xl: u has shape (1); wanted (4) or (H, 4)"},
    {"transformer_xl(x, x, ones(2, 4), z, 1)",
     "error: t:1: transformer_xl: v has shape (); wanted (4) or (H, 4)"},
    {"transformer_xl(x, x, ones(2, 4), z)", "error: t:1: transformer_xl: no v given; wanted a vector (d) "
                                            "or (H, d), learned: meets the distances"},
    {"transformer_xl(x, x, ones(2, 4), z, z, {clamp=-1})",
     "error: t:1: transformer_xl: clamp is -1; wanted an integer from 0 to 1000000000: greater distances "
     "count as this one; 0: none"},
    {"transformer_xl(x, x, ones(2, 4), z, z, {base=0})",
     "error: t:1: transformer_xl: base is 0; wanted a number above 0: of the frequencies in R"},
    {"transformer_xl(x, x, ones(2, 4), z, z, {base=nan})",
     "error: t:1: transformer_xl: base is nan; wanted a number from 1e-200 to 1e+200: of the frequencies "
     "in R"},
    {"transformer_xl(x, x, zeros(0, 4), z, z)",
     "error: t:1: transformer_xl: W has 0 rows; wanted an even number (pairs of a sine and a cosine)"},
    {NULL, NULL}};

static void relative_forms(void **state) {
    (void)state;
    lab_run(relative_forms_cases);
}

static void xlnet_tener_deberta(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, a, z = ones(3, 4), ones(3, 4), zeros(4)", ""},
        {"E = reshape(range(0, 511), 512, 1)", ""},
        {"function rows_of(distances) for i, t in ipairs(distances) do distances[i] = sqrt(3) * deberta({{1}}, {{0}}, 0*E, E, "
         "{variant='code', max_distance=512, offset=t})(1, 1) end return round(array(distances)):totable() end",
         ""},
        {"xlnet(x, x, ones(2, 4), z, z, {segments={1, 1, 1}})",
         "error: t:1: xlnet: segments, same_or_not and w belong together; only segments given"},
        {"xlnet(x, x, ones(2, 4), z, z, {same_or_not=ones(2, 4)})",
         "error: t:1: xlnet: segments, same_or_not and w belong together; only same_or_not given"},
        {"xlnet(x, x, ones(2, 4), z, z, {segments={1, 1}, same_or_not=ones(2, 4)})",
         "error: t:1: xlnet: segments has shape (2); wanted (3), one for each key"},
        {"xlnet(x, x, ones(2, 4), z, z, {segments={1, 1, 1}, same_or_not=ones(3, 4)})",
         "error: t:1: xlnet: same_or_not has shape (3, 4); wanted (2, 4)"},
        {"xlnet(x, x, ones(2, 4), z, z, {segments={1, 1, 1}, same_or_not=ones(2, 4), offset=1})",
         "error: t:1: xlnet: queries at 1 to 3 are not among the 3 tokens that have a segment"},
        {"xlnet(x, x, ones(2, 4), z, z, {segments={1, 1, 1}, same_or_not=ones(2, 4), w={1}})",
         "error: t:1: xlnet: w has shape (1); wanted (4) or (H, 4)"},
        {"tener(ones(3, 5), ones(3, 5), ones(5), ones(5))",
         "error: t:1: tener: q has 5 columns; wanted an even number (pairs of a sine and a cosine)"},
        {"tener(x, x, z, {1, 2})", "error: t:1: tener: v has shape (2); wanted (4) or (H, 4)"},
        {"tener(x, x, z, z, {variant=\"t2t\"})",
         "error: t:1: tener: variant is \"t2t\"; wanted \"paper\" or \"code\": \"paper\": sinusoids of m - "
         "n, interleaved; \"code\" (as released): of n - m, sines before cosines, the last frequency 1/base"},
        {"deberta(x, x, ones(3, 4), ones(3, 4))", "error: t:1: deberta: qr has shape (3, 4) and kr (3, 4); "
                                                  "wanted (2K, 4) of both, an even number of rows"},
        {"deberta(x, x, ones(4, 4), ones(2, 4))", "error: t:1: deberta: qr has shape (4, 4) and kr (2, 4); "
                                                  "wanted (2K, 4) of both, an even number of rows"},
        {"deberta(x, x, zeros(0, 4), zeros(0, 4))", "error: t:1: deberta: qr has shape (0, 4) and kr (0, 4); "
                                                    "wanted (2K, 4) of both, an even number of rows"},
        {"deberta(x, x, ones(4, 4))", "error: t:1: deberta: no kr given; wanted an array (2K, d), or one for "
                                      "each head: the positions' keys, which meet the queries"},
        {"deberta(x, x, ones(8, 4), ones(8, 4), {max_distance=3})",
         "error: t:1: deberta: max_distance is 3 with K = 4; wanted an even K from 4 to 1024 and max_distance over K/2 + 1"},
        {"deberta(x, x, ones(6, 4), ones(6, 4), {max_distance=9})",
         "error: t:1: deberta: max_distance is 9 with K = 3; wanted an "
         "even K from 4 to 1024 and max_distance over K/2 + 1"},
        /* with the sizes of DeBERTa-v3: 256 buckets, 512 positions; ceil(127 ln(200/128) / ln(511/128)) = ceil(40.94), of 300 ceil(78.14) */
        {"rows_of({128, 129, 200, 300, 510, 511, 512, 4000})",
         "{384.0, 385.0, 425.0, 463.0, 511.0, 511.0, 511.0, 511.0}"},
        {"rows_of({-128, -129, -200, -300, -511, -512, -4000})", "{128.0, 127.0, 87.0, 49.0, 1.0, 0.0, 0.0}"},
        {"deberta(x, x, ones(4, 3), ones(4, 4))",
         "error: t:1: deberta: qr has shape (4, 3); wanted (..., rows, 4)"},
        {NULL, NULL}};
    lab_run(cases);
}

static void rotation_and_gates(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, a, z = ones(3, 4), ones(3, 4), zeros(4)", ""},
        {"rerope(x, x)", "error: t:1: rerope: no layout given; wanted \"interleaved\" (pairs 2i, 2i+1: the "
                         "paper, GPT-J) or \"half\" (pairs i, i+d/2: GPT-NeoX, transformers)"},
        {"rerope(ones(3, 5), ones(3, 5), {layout=\"half\"})",
         "error: t:1: rerope: q has 5 columns; rotation needs an even number (pairs)"},
        {"rerope(x, x, {layout=\"half\", window=0})",
         "error: t:1: rerope: window is 0; wanted an integer from 1 to 1000000000: w, under the training "
         "length; up to it distances are true"},
        {"rerope(x, x, {layout=\"half\", window=2.5})",
         "error: t:1: rerope: window is 2.5; wanted an integer"},
        {"rerope(x, x, {layout=\"half\", leak=-1})",
         "error: t:1: rerope: leak is -1; wanted a number from 0 to 1: how much the distance grows a "
         "position beyond the window: 0 in ReRoPE, 1/k in Leaky ReRoPE"},
        {"rerope(x, x, {layout=\"half\", leak=nan})",
         "error: t:1: rerope: leak is nan; wanted a number from 0 to 1: how much the distance grows a "
         "position beyond the window: 0 in ReRoPE, 1/k in Leaky ReRoPE"},
        {"rerope(x, x, {layout=\"halves\"})",
         "error: t:1: rerope: layout is \"halves\"; wanted \"interleaved\" or \"half\": \"interleaved\" "
         "(pairs 2i, 2i+1: the paper, GPT-J) or \"half\" (pairs i, i+d/2: GPT-NeoX, transformers)"},
        {"rerope(x, x, {layout=\"half\", base=-1})", "error: t:1: rerope: base is -1; wanted a number above "
                                                     "0: wavelengths run from 2 Pi to almost 2 Pi base"},
        {"cope(x, x, zeros(0, 4))", "error: t:1: cope: table has shape (0, 4); wanted at least one row"},
        {"cope(x, x, ones(2, 3))", "error: t:1: cope: table has shape (2, 3); wanted (..., rows, 4)"},
        {"cope(x, x, ones(4))", "error: t:1: cope: table has shape (4); wanted (..., rows, 4)"},
        {"cope(x, x, a, {variant=\"meta\"})",
         "error: t:1: cope: variant is \"meta\"; wanted \"paper\" or \"code\": \"paper\": gates of q.k, "
         "everything over sqrt(d); \"code\" (as published with it): gates of q.k/sqrt(d), q.e not divided"},
        {"cope(x * inf, x, a)(3, 1)", "inf"},
        {"cope(x*1e200, x, a)(3, 3)", "4e+200"},
        {NULL, NULL}};
    lab_run(cases);
}

static void networks_masks_factors(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, a, z = ones(3, 4), ones(3, 4), zeros(4)", ""},
        {"fire({1}, {1}, {{1}}, {0})", "error: t:1: fire: no T given; wanted how many positions"},
        {"fire({1}, {1, 2}, {{1}}, {0}, 3)", "error: t:1: fire: w1 has shape (1), b1 (2), w2 (1, 1) and b2 "
                                             "(1); wanted (units), (units), (units, H) and (H)"},
        {"fire({1}, {1}, {1}, {0}, 3)", "error: t:1: fire: w1 has shape (1), b1 (1), w2 (1) and b2 (1); "
                                        "wanted (units), (units), (units, H) and (H)"},
        {"fire({1}, {1}, {{1}}, {0}, 3, {c=0})",
         "error: t:1: fire: c is 0; wanted a number above 0: how soon the logarithm bends; learned"},
        {"fire({1}, {1}, {{1}}, {0}, 3, {L=0})", "error: t:1: fire: L is 0; wanted a number above 0: queries "
                                                 "before it are all measured by it; learned"},
        {"fire({1}, {1}, {{1}}, {0}, 3, {eps=-1})", "error: t:1: fire: eps is -1; wanted a number from 0 to "
                                                    "1: added to the denominator; 1e-6 in widely used code"},
        {"fire({1}, {1}, {{1}}, {0}, 2^50)", "error: t:1: fire: T is 1125899906842624; wanted an integer "
                                             "from 0 to 1000000000000000: how many positions"},
        {"fire({1}, {1}, {{1}}, {0}, 3, {offset=-1})",
         "error: t:1: fire: offset is -1; wanted an integer of at least 0: the position of the first query"},
        {"fire({nan}, {1}, {{1}}, {0}, 1):totable()", "{{{nan}}}"},
        {"fire({1}, {1}, zeros(1, 0), zeros(0), 3).shape", "{0, 3, 3}"},
        {"nope(-1)", "error: t:1: nope: T is -1; wanted an integer of at least 0: how many positions"},
        {"nope(2^31)",
         "error: t:1: nope: 1 heads of 2147483648 queries and 2147483648 keys are too many for any memory"},
        {"nope(2, {keys=1}):totable()", "{{0.0}, {0.0}}"},
        {"logn(x)", "error: t:1: logn: no train given; wanted L, the length that the model was trained on"},
        {"logn(x, {train=1})", "error: t:1: logn: train is 1; wanted a number of at least 2: L, the length "
                               "that the model was trained on"},
        {"logn(x, {train=nan})", "error: t:1: logn: train is nan; wanted a number from 2 to "
                                 "1000000000000000: L, the length that the model was trained on"},
        {"logn(ones(3), {train=4})", "error: t:1: logn: x has shape (3); wanted (..., T, d)"},
        {"logn(x, {train=4, positions={1, 2}})",
         "error: t:1: logn: 2 positions for x with 3 rows; wanted one for each row"},
        {"logn(x, {train=4, positions={1, 2, nan}})",
         "error: t:1: logn: entry 3 of positions is nan; wanted finite positions"},
        {"logn(x, {train=4, positions={1, 2, -1}})",
         "error: t:1: logn: position -1 has no logarithm of m + 1; wanted positions above -1"},
        {"formula_of(\"cope\", 2, x, x, a)", "error: t:1: cope: head 2 asked for; there is 1"},
        {"formula_of(\"shaw\", 2, x, x, a)", "error: t:1: shaw: head 2 asked for; there is 1"},
        {"formula_of(\"nope\", 2, 3)", "error: t:1: nope: head 2 asked for; there is 1"},
        {"formula_of(\"deberta\", 3, ones(2, 3, 4), x, ones(2, 4), ones(2, 4))",
         "error: t:1: deberta: head 3 asked for; there are 2"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relative_forms),
        cmocka_unit_test(xlnet_tener_deberta),
        cmocka_unit_test(rotation_and_gates),
        cmocka_unit_test(networks_masks_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
