/* Calling encodings from Lua: how arguments are given, and what a wrong one hears. And the descriptors: complete.
 * Sources: encoding/describe.c encoding/encoding.c encoding/symbolic.c lua/encoding.c */
#include "lua/lab.h"

#include "encoding/encoding.h"

static void sinusoids(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"sinusoidal(4, 5)",
         "error: t:1: sinusoidal: d is 5; wanted an even number (pairs of a sine and a cosine); "
         "sinusoidal_t2t pads an odd d"},
        {"sinusoidal(4)", "error: t:1: sinusoidal: no d given; wanted the dimension, even"},
        {"sinusoidal()", "error: t:1: sinusoidal: no T given; wanted a count, or an array of positions"},
        {"sinusoidal(4, 4, {}, 1)",
         "error: t:1: sinusoidal: 4 arguments given; wanted 2 and a table of named ones"},
        {"sinusoidal(4, -2)",
         "error: t:1: sinusoidal: d is -2; wanted an integer of at least 0: the dimension, even"},
        {"sinusoidal(4, 4, 10000)",
         "error: t:1: sinusoidal: the last argument is 10000; wanted a table of named ones, {name = value}"},
        {"sinusoidal(4, 2.5)", "error: t:1: sinusoidal: d is 2.5; wanted an integer"},
        {"sinusoidal(-1, 2)", "error: t:1: sinusoidal: T is -1; wanted an integer of at least 0"},
        {"sinusoidal(\"4\", 2)",
         "error: t:1: sinusoidal: T is the string \"4\"; wanted a count, or an array of positions"},
        {"sinusoidal({1, 0/0}, 2)", "error: t:1: sinusoidal: entry 2 of T is nan; wanted finite positions"},
        {"sinusoidal({1/0, 0}, 2)", "error: t:1: sinusoidal: entry 1 of T is inf; wanted finite positions"},
        {"sinusoidal({0, 1, 1/0}, 2)",
         "error: t:1: sinusoidal: entry 3 of T is inf; wanted finite positions"},
        {"sinusoidal({{1}}, 2)",
         "error: t:1: sinusoidal: T has shape (1, 1); wanted one dimension (T), a position for each row"},
        {"sinusoidal({true}, 2)", "error: t:1: sinusoidal: T is bool; wanted f64 or f32"},
        {"sinusoidal(4, 2, {base=0})", "error: t:1: sinusoidal: base is 0; wanted a number above 0: "
                                       "wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=-3})", "error: t:1: sinusoidal: base is -3; wanted a number above 0: "
                                        "wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=math.huge})",
         "error: t:1: sinusoidal: base is inf; wanted a number from 1e-200 to 1e+200: "
         "wavelengths run from 2 Pi to almost 2 Pi base"},
        {"sinusoidal(4, 2, {base=\"x\"})",
         "error: t:1: sinusoidal: base is the string \"x\"; wanted a number"},
        {"sinusoidal(4, 2, {bse=3})", "error: t:1: sinusoidal: unknown option 'bse'; did you mean 'base'?"},
        {"sinusoidal(4, 2, {layout=\"halves\"})",
         "error: t:1: sinusoidal: layout is \"halves\"; wanted \"interleaved\" or \"half\": "
         "interleaved is the paper's order; half has every sine before every cosine"},
        {"sinusoidal(4, 2, {offset=0/0})",
         "error: t:1: sinusoidal: offset is nan; wanted a number from -4503599627370496 to "
         "4503599627370496: what is added to every position"},
        {"sinusoidal(2^40, 2^40)", "error: t:1: sinusoidal: 1099511627776 positions of 1099511627776 columns "
                                   "are too many for any memory"},
        {"sinusoidal(3, 4, {dtype=\"f32\"}).dtype", "f32"},
        {"sinusoidal(range(3, 5), 4) == sinusoidal(3, 4, {offset=3})", "true"},
        {"formula_of(\"sinusoidal\", 3, 9, 4)", "sin(t*10000^(-1/2))"},
        {"formula_of(\"sinusoidal\", 5, 9, 4)", "error: t:1: sinusoidal: column 5 asked for; there are 4"},
        {"formula_of(\"sinusoidal\", 1, 9, 3)",
         "error: t:1: sinusoidal: d is 3; wanted an even number (pairs of a sine and a "
         "cosine); sinusoidal_t2t pads an odd d"},
        {"formula_of(\"sinusoidal\", 3, 9, 4, {base=1e-30})",
         "error: t:1: 1e-30 is no ratio of 64-bit integers, and a formula holds exact numbers"},
        {"formula_of(\"sinusiodal\", 1)",
         "error: t:1: formula_of: unknown encoding 'sinusiodal'; did you mean 'sinusoidal'?"},
        {"formula_of(3, 1)",
         "error: t:1: formula_of: the encoding is 3; wanted its name, as in \"sinusoidal\""},
        {NULL, NULL}};
    lab_run(cases);
}

#define WANTED                                                                                               \
    "\"interleaved\" (pairs 2i, 2i+1: the paper, GPT-J) or \"half\" (pairs i, i+d/2: GPT-NeoX, "             \
    "transformers)"
static const lab_case rotations_cases[] = {
    {"x = ones(3, 4)", ""},
    {"rope(x)", "error: t:1: rope: no layout given; wanted " WANTED},
    {"rope(x, {})", "error: t:1: rope: no layout given; wanted " WANTED},
    {"rope(x, {layout=\"hafl\"})",
     "error: t:1: rope: layout is \"hafl\"; wanted \"interleaved\" or \"half\": " WANTED},
    {"rope(x, {layout=1})", "error: t:1: rope: layout is 1; wanted " WANTED},
    {"rope(zeros(3), {layout=\"half\"})", "error: t:1: rope: x has shape (3); wanted (..., T, d)"},
    {"rope(3, {layout=\"half\"})", "error: t:1: rope: x has shape (); wanted (..., T, d)"},
    {"rope(zeros(2, 7), {layout=\"half\"})",
     "error: t:1: rope: x has 7 columns; rotation needs an even number (pairs)"},
    {"rope(x, {layout=\"half\", rotary=6})",
     "error: t:1: rope: rotary is 6; wanted at most the 4 columns of x"},
    {"rope(x, {layout=\"half\", rotary=3})",
     "error: t:1: rope: 3 columns to rotate; wanted an even number (pairs)"},
    {"rope(x, {layout=\"half\", p=2})",
     "error: t:1: rope: p is 2; wanted a number from 0 to 1: p-RoPE: the first floor(p "
     "rotary/2) pairs turn, with the frequencies of all, the others never"},
    {"rope(x, {layout=\"half\", inverse=1})", "error: t:1: rope: inverse is 1; wanted true or false"},
    {"rope(x, {layout=\"half\", positions=3})",
     "error: t:1: rope: positions is a number; wanted an array (T); offset = 3 starts there"},
    {"rope(x, {layout=\"half\", positions={1, 2}})",
     "error: t:1: rope: 2 positions for x with 3 rows; wanted one for each row"},
    {"rope(x, {layout=\"half\", positions={1, 2, 1/0}})",
     "error: t:1: rope: entry 3 of positions is inf; wanted finite positions"},
    {"rope(x, {layout=\"half\", cos=x})",
     "error: t:1: rope: only one of cos and sin given; wanted both, as rope_table returns them"},
    {"rope(x, {layout=\"half\", cos=x, sin=x})",
     "error: t:1: rope: cos has shape (3, 4) and sin (3, 4); wanted two tables (N, 2)"},
    {"c, s = rope_table(9, 4)", ""},
    {"rope(x, {layout=\"half\", cos=c, sin=s, base=500})",
     "error: t:1: rope: base beside ready tables would change nothing; give it to rope_table"},
    {"rope(x, {layout=\"half\", cos=c, sin=s, offset=7})",
     "error: t:1: rope: position 9 is not in the table; it has the positions 0 to 8"},
    {"rope(x, {layout=\"half\", scaling=\"yarn\"})",
     "error: t:1: rope: scaling is the string \"yarn\"; wanted a table with kind = \"pi\", \"ntk\", "
     "\"dynamic\", \"ntk-mixed\", "
     "\"ntk-parts\", \"yarn\", \"longrope\" or \"llama3\""},
    {"rope(x, {layout=\"half\", scaling={kind=\"yran\"}})",
     "error: t:1: rope: the kind of scaling is the string \"yran\"; wanted \"pi\", \"ntk\", \"dynamic\", "
     "\"ntk-mixed\", "
     "\"ntk-parts\", \"yarn\", \"longrope\" or \"llama3\""},
    {"rope(x, {layout=\"half\", scaling={kind=\"yarn\", factor=4}})",
     "error: t:1: rope: scaling \"yarn\": no train given; wanted the length that the model was trained "
     "on, before it was "
     "extended"},
    {"rope(x, {layout=\"half\", scaling={kind=\"pi\"}})",
     "error: t:1: rope: scaling \"pi\": no factor given; wanted how many times longer"},
    {"rope(x, {layout=\"half\", scaling={kind=\"pi\", factor=0.5}})",
     "error: t:1: rope: scaling \"pi\": factor is 0.5; wanted a number from 1 to 1000000: how many times "
     "longer"},
    {"rope(x, {layout=\"half\", scaling={kind=\"pi\", fcator=2}})",
     "error: t:1: rope: scaling \"pi\": unknown option 'fcator'; did you mean 'factor'?"},
    {"rope(zeros(3, 2), {layout=\"half\", scaling={kind=\"ntk\", factor=2}})",
     "error: t:1: rope: 2 columns to rotate; scaling \"ntk\" has the exponent d/(d-2), so it wants at "
     "least 4"},
    {"rope(x, {layout=\"half\", scaling={kind=\"longrope\", factor=2, train=9, factors={1}}})",
     "error: t:1: rope: scaling \"longrope\": factors has shape (1); wanted (2), a factor for each pair"},
    {"rope(x, {layout=\"half\", scaling={kind=\"longrope\", factor=2, train=9, factors={0, 1}}})",
     "error: t:1: rope: scaling \"longrope\": entry 1 of factors is 0; wanted numbers from 1e-6 to "
     "1e12"},
    {"rope(x, {layout=\"half\", scaling={kind=\"longrope\", factor=2, train=9, factors={1, -1}}})",
     "error: t:1: rope: scaling \"longrope\": entry 2 of factors is -1; wanted numbers from 1e-6 to "
     "1e12"},
    {"rope(x, {layout=\"half\", scaling={kind=\"llama3\", factor=2, train=9, slow=5}})",
     "error: t:1: rope: scaling \"llama3\": fast is 4 and slow is 5; wanted fast above slow"},
    {"rope(x, {layout=\"half\", base=1, scaling={kind=\"yarn\", factor=2, train=9, ramp=\"code\"}})",
     "error: t:1: rope: base is 1; the code's ramp divides by its logarithm"},
    {"rope(array({{nan, 1}}), {layout=\"half\"}):totable()", "{{nan, nan}}"},
    {"rope_frequencies(7)",
     "error: t:1: rope_frequencies: 7 columns to rotate; wanted an even number (pairs)"},
    {"rope_table(2, 2^60)", "error: t:1: rope_table: d is 1.152921504606847e+18; wanted an integer from "
                            "2 to 1000000000000000: how many columns rotate, even"},
    {"rope(x, {layout=\"half\", dtype=\"f32\"})",
     "error: t:1: rope: unknown option 'dtype'; wanted base, cos, in_place, inverse, layout, offset, p, positions, rotary, scaling, sin"},
    {"formula_of(\"rope\", 1, x, {layout=\"half\"})", "x[0]*cos(m) - x[2]*sin(m)"},
    {"formula_of(\"rope\", 2, x, {layout=\"interleaved\", inverse=true})", "x[1]*cos(m) - x[0]*sin(m)"},
    {NULL, NULL}};

static void rotations(void **state) {
    (void)state;
    lab_run(rotations_cases);
}

static void biases(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"alibi(0, 3)",
         "error: t:1: alibi: H is 0; wanted an integer from 1 to 1000000: the number of heads"},
        {"alibi(2, -3)", "error: t:1: alibi: T is -3; wanted an integer of at least 0: how many positions"},
        {"alibi(2, 1.5)", "error: t:1: alibi: T is 1.5; wanted an integer"},
        {"alibi(2, 3, {keys=-1})", "error: t:1: alibi: keys is -1; wanted an integer of at least 0: "
                                   "positions 0 to keys-1; 0: T + offset"},
        {"alibi(2, 2^45)", "error: t:1: alibi: 2 heads of 35184372088832 queries and 35184372088832 keys are "
                           "too many for any memory"},
        {"alibi(2, 3, {dtype=\"f16\"})", "error: t:1: alibi: dtype is \"f16\"; wanted \"f64\" or \"f32\": "
                                         "f32 entries are the f64 ones rounded"},
        {"kerple(3)",
         "error: t:1: kerple: no form given; wanted {kind=\"log\", r1=, r2=} or {kind=\"power\", a=, p=}"},
        {"kerple(3, \"log\")",
         "error: t:1: kerple: form is the string \"log\"; wanted a table with kind = \"log\" or \"power\""},
        {"kerple(3, {kind=\"log\", r1=1})", "error: t:1: kerple: form \"log\": no r2 given; wanted above 0: "
                                            "a number, or an array with one for each head"},
        {"kerple(3, {kind=\"log\", r1=-1, r2=1})",
         "error: t:1: kerple: r1 is -1; wanted above 0: a number, or an array with one for each head"},
        {"kerple(3, {kind=\"power\", a=1, p=3})", "error: t:1: kerple: p is 3; wanted above 0, at most 2: a "
                                                  "number, or an array with one for each head"},
        {"kerple(3, {kind=\"power\", a=nan, p=1})",
         "error: t:1: kerple: a is nan; wanted above 0: a number, or an array with one for each head"},
        {"kerple(3, {kind=\"power\", a={1, 2}, p={1, 2, 2}})",
         "error: t:1: kerple: p has 3 entries beside 2; wanted one for each head"},
        {"kerple(3, {kind=\"power\", a={{1, 2}}, p=1})",
         "error: t:1: kerple: a has shape (1, 2); wanted a number or one dimension (H)"},
        {"t5(zeros(32, 1), 3)", "error: t:1: t5: no direction given; wanted \"both\" (encoder) or \"causal\" "
                                "(decoder): they cut distances differently"},
        {"t5(zeros(32), 3, {direction=\"both\"})",
         "error: t:1: t5: table has shape (32); wanted (buckets, H)"},
        {"t5(zeros(31, 2), 3, {direction=\"both\"})",
         "error: t:1: t5: 31 buckets; wanted an even number from 4 to 512"},
        {"t5(zeros(32, 2), 3, {direction=\"causal\", max_distance=16})",
         "error: t:1: t5: max_distance is 16; wanted more than the 16 distances that have a bucket each"},
        {"t5(zeros(1, 2), 3, {direction=\"causal\"})",
         "error: t:1: t5: 1 buckets; wanted a number from 2 to 512"},
        {"t5(zeros(513, 2), 3, {direction=\"causal\", max_distance=9999})",
         "error: t:1: t5: 513 buckets; wanted a number from 2 to 512"},
        {"t5(zeros(512, 2), 3, {direction=\"causal\", max_distance=9999}).shape, t5_bucket(0, {direction=\"both\", buckets=4})",
         "{2, 3, 3}\t0.0"},
        {"t5_bucket(0.5, {direction=\"causal\"})",
         "error: t:1: t5_bucket: ahead has the value 0.5; wanted whole numbers"},
        {"t5_bucket(nan, {direction=\"causal\"})",
         "error: t:1: t5_bucket: ahead has the value nan; wanted whole numbers"},
        {"learned(zeros(4, 2), 5)",
         "error: t:1: learned: position 4 is not in the table; it has 4 rows, the positions 0 to 3"},
        {"learned(zeros(4, 2), {0, -1})",
         "error: t:1: learned: position -1 is not in the table; it has 4 rows, the positions 0 to 3"},
        {"learned(zeros(4, 2), {0.5})",
         "error: t:1: learned: position 0.5 is not in the table; it has 4 rows, the positions 0 to 3"},
        {"learned(zeros(4), 1)", "error: t:1: learned: table has shape (4); wanted (N, d)"},
        {"learned(4, 1)", "error: t:1: learned: table has shape (); wanted (N, d)"},
        {NULL, NULL}};
    lab_run(cases);
}

static void other_rotations(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = ones(3, 4)", ""},
        {"xpos(x, {layout=\"half\"})", "error: t:1: xpos: no side given; wanted \"q\" or \"k\": keys are "
                                       "stretched by the inverse of what queries are"},
        {"xpos(x, {side=\"q\"})", "error: t:1: xpos: no layout given; wanted " WANTED},
        {"xpos(ones(3, 5), {side=\"q\", layout=\"half\"})",
         "error: t:1: xpos: x has 5 columns; rotation needs an even number (pairs)"},
        {"xpos(x, {side=\"q\", layout=\"half\", gamma=0})",
         "error: t:1: xpos: gamma is 0; wanted a number from 0.001 to 1000000: above 0; the larger, the "
         "nearer to rope"},
        {"xpos(x, {side=\"k\", layout=\"half\", offset=1e6, scale_base=8})",
         "error: t:1: xpos: at position 1000000 a stretch with scale_base 8 leaves the range of f64; wanted "
         "positions nearer to 0"},
        {"o = {layout=\"half\", exponents=\"whole\", positions={{1, 2, 3}, {1, 2, 3}}}", ""},
        {"rope_axes(x, {layout=\"half\", exponents=\"whole\"})",
         "error: t:1: rope_axes: no positions given; wanted an array (A, T): a row of positions for each of "
         "1 to 8 axes"},
        {"rope_axes(ones(2, 4), o)",
         "error: t:1: rope_axes: positions has shape (2, 3); wanted (A, 2), A from 1 to 8 axes"},
        {"rope_axes(ones(3, 6), o)",
         "error: t:1: rope_axes: 3 pairs for 2 axes; wanted a multiple, or sections"},
        {"o.sections = {1, 2, 3}; rope_axes(ones(3, 6), o)",
         "error: t:1: rope_axes: sections has shape (3); wanted (2), a number of pairs for each axis"},
        {"o.sections = {1, 1}; rope_axes(ones(3, 6), o)",
         "error: t:1: rope_axes: sections add up to 2 pairs; x has 3"},
        {"o.sections = {-1, 4}; rope_axes(ones(3, 6), o)",
         "error: t:1: rope_axes: entry 1 of sections is -1; wanted a whole number from 0 to 3"},
        {"o.sections = {1, 2}; o.order = \"interleaved\"; rope_axes(ones(3, 6), o)",
         "error: t:1: rope_axes: axis 2 of 2 has 2 of 3 pairs; too many to be interleaved"},
        {"o.positions = {1, 2, 3}; rope_axes(x, o)",
         "error: t:1: rope_axes: positions has shape (3); wanted (A, 3), A from 1 to 8 axes"},
        {"o.positions = zeros(2, 3, 1); rope_axes(x, o)",
         "error: t:1: rope_axes: positions has shape (2, 3, 1); wanted (A, 3), A from 1 to 8 axes"},
        {"o.positions = zeros(0, 3); rope_axes(x, o)",
         "error: t:1: rope_axes: positions has shape (0, 3); wanted (A, 3), A from 1 to 8 axes"},
        {"o.positions = zeros(9, 3); rope_axes(ones(3, 18), o)",
         "error: t:1: rope_axes: positions has shape (9, 3); wanted (A, 3), A from 1 to 8 axes"},
        {"rope_axes(ones(3, 16), {layout='half', exponents='whole', positions=zeros(8, 3)})(1, 1)", "1.0"},
        {"o.positions = {{1, 2, nan}}; rope_axes(x, o)",
         "error: t:1: rope_axes: positions has an entry nan; wanted finite ones"},
        {NULL, NULL}};
    lab_run(cases);
}

/* What tests, help and reports read is there, in every descriptor. */
/* What a unit says of a range, whatever the parameter: none may be counted as 0 queries or keys, or one pair of columns; a place is any number to which 1
 * can be added exactly; what is a share lies in [0, 1]. What must be given has no default. */
static void ranges_are_those_of_units(void **state) {
    (void)state;
    int seen = 0, wrong = 0;
    for (const enc_encoding *const *e = enc_registry; *e; e++)
        for (const enc_function *f = (*e)->functions; f->name; f++)
            for (const enc_param *p = f->params; p->name; p++) {
                bool whole = p->type == ENC_INT, number = p->type == ENC_NUM, right = p->lo < p->hi;
                const char *unit = p->unit ? p->unit : "";
                if (!whole && !number) continue;
                if (!strcmp(unit, "queries") || !strcmp(unit, "keys")) right &= p->lo == 0 && p->hi == 1e15;
                if (!strcmp(unit, "columns")) right &= (p->lo == 0 || p->lo == 2) && p->hi == 1e15;
                if (!strcmp(p->name, "offset"))
                    right &= p->otherwise == 0 && (number       ? p->lo == -0x1p52 && p->hi == 0x1p52
                                                   : p->lo == 0 ? p->hi == 1e15
                                                                : p->lo == -0x1p31 && p->hi == 0x1p31);
                if (!strcmp(p->name, "base"))
                    right &= p->otherwise == 10000 && p->lo == 1e-200 && p->hi == 1e200;
                if (!strcmp(p->name, "leak") || !strcmp(p->name, "eps"))
                    right &= p->lo == 0 && p->hi == 1 && p->otherwise == 0;
                if (p->how != ENC_OPTIONAL) right &= p->otherwise == 0;
                if (!right) printf("%s: %s: %g in %g to %g\n", f->name, p->name, p->otherwise, p->lo, p->hi);
                wrong += !right, seen++;
            }
    assert_true(seen > 30);
    assert_int_equal(wrong, 0);
}

/* What is written of a call: what must be given, then in brackets what need not be, each of them closed, and every name once. */
static void calls_are_written_whole(void **state) {
    (void)state;
    for (const enc_encoding *const *e = enc_registry; *e; e++)
        for (const enc_function *f = (*e)->functions; f->name; f++) {
            ph_text t = {0};
            char *text, wanted[400] = "", close[4] = "";
            size_t n;
            ph_err err = {0};
            bool placed = false, must = false;
            for (const enc_param *p = f->params; p->name; p++)
                placed |= p->how == ENC_POSITIONAL, must |= p->how == ENC_NAMED;
            for (int how = 0, k = 0; how < 3; how++) {
                for (const enc_param *p = f->params; p->name; p++) {
                    if ((p->how == ENC_POSITIONAL ? 0 : p->how == ENC_NAMED ? 1 : 2) != how) continue;
                    const char *open = how && !*close ? (!placed ? "{"
                                                         : must  ? ", {"
                                                                 : " [, {")
                                       : k++          ? ", "
                                                      : "";
                    if (how && !*close) strcpy(close, placed && !must ? "}]" : "}"), k = 1;
                    size_t at = strlen(wanted);
                    snprintf(wanted + at, sizeof wanted - at, "%s%s%s", open, p->name, how == 1 ? "=" : "");
                }
            }
            enc_put_args(&t, f);
            assert_int_equal(ph_text_take(&text, &n, &t, &err), PH_OK);
            strcat(wanted, close);
            assert_string_equal(text, wanted);
            ph_free(text);
        }
}

/* A formula holds numbers whose denominator is at most 2^61 and whose numerator is below 2^62 exactly, and says of others that it cannot. */
static void formulas_hold_ratios_to_their_ends(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function slope(a) return formula_of('kerple', 1, 1, {kind='power', a=a, p=1}) end", ""},
        {"slope(2.0^-61)", "-1/2305843009213693952*abs(m - n)"},
        {"slope((2^53 - 1)*2.0^-61)", "-9007199254740991/2305843009213693952*abs(m - n)"},
        {"slope(2.0^-62)",
         "error: t:1: 2.168404344971009e-19 is no ratio of 64-bit integers, and a formula holds exact numbers"},
        {"slope((2^53 - 1)*2.0^-62)",
         "error: t:1: 0.0019531249999999998 is no ratio of 64-bit integers, and a formula holds exact numbers"},
        {"slope(2.0^61)", "-2305843009213693952*abs(m - n)"},
        {"slope((2^53 - 1)*2.0^9)", "-4611686018427387392*abs(m - n)"},
        {"slope(2.0^62)",
         "error: t:1: 4.611686018427388e+18 is no ratio of 64-bit integers, and a formula holds exact numbers"},
        {NULL, NULL}};
    lab_run(cases);
}

static void descriptors_are_complete(void **state) {
    (void)state;
    int n = 0, wrong = 0;
    assert_null(enc_law_text(-1));
    assert_null(enc_law_text(ENC_NLAWS));
    for (int k = 0; k < ENC_NLAWS; k++) assert_non_null(enc_law_text(k));
    for (const enc_encoding *const *e = enc_registry; *e; e++, n++) {
        wrong += !(*e)->title.en || !(*e)->title.zh || !(*e)->claims.en != !(*e)->claims.zh ||
                 !(*e)->citation || !(*e)->layout || !(*e)->sample || !(*e)->functions->define ||
                 strcmp((*e)->functions->name, (*e)->name) != 0;
        if (e != enc_registry) assert_true(strcmp(e[-1]->name, (*e)->name) < 0);
        assert_ptr_equal(enc_find((*e)->name), *e);
        for (const enc_function *f = (*e)->functions; f->name; f++) {
            int params = 0;
            while (f->params[params].name) params++;
            wrong += params > ENC_MAXPAR || f->n_out < 1 || f->n_out > ENC_MAXOUT || !f->run;
            for (int k = 0; k < params; k++) {
                const enc_param *p = &f->params[k];
                wrong += !p->help || (p->type == ENC_WORD) != (p->words != NULL) ||
                         (p->type == ENC_CHOICE) != (p->choices != NULL);
                wrong += k > 0 && p->how == ENC_POSITIONAL && p[-1].how != ENC_POSITIONAL;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(sinusoids),
                                       cmocka_unit_test(rotations),
                                       cmocka_unit_test(biases),
                                       cmocka_unit_test(other_rotations),
                                       cmocka_unit_test(ranges_are_those_of_units),
                                       cmocka_unit_test(calls_are_written_whole),
                                       cmocka_unit_test(formulas_hold_ratios_to_their_ends),
                                       cmocka_unit_test(descriptors_are_complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
