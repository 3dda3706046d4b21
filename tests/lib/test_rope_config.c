/* Configurations of models as options of a rotation. The frequencies were computed by mpmath, 40 digits, from the formulas of the transformers
 * library (modeling_rope_utils.py); both they and ours are rounded to f64 once, so they differ by 2^-52 of their size at most.
 * Sources: lib/rope_config.lua */
#include "lua/lab.h"

#include "folder.h"

#define NEAR                                                                                                 \
    {                                                                                                        \
        "function near(c, wanted) local theta = rope_frequencies(c.rotary, c.frequencies) for i, x in "      \
        "pairs(wanted) do local off = abs(theta(i + 1) - x) if not (off <= 2^-52*x) then return i, "         \
        "theta(i + 1) end end return true end",                                                              \
            ""                                                                                               \
    }

static void frequencies_are_those_of_the_library(void **state) {
    (void)state;
    lab_run((lab_case[]){
        NEAR,
        {"c = rope_config{model_type='qwen2', hidden_size=3584, num_attention_heads=28, "
         "max_position_embeddings=131072, rope_theta=1000000.0, rope_scaling={type='yarn', factor=4.0, "
         "original_max_position_embeddings=32768}}; return c.d, c.rotary, c.train, c.length, c.rope.layout",
         "128\t128\t32768\t131072\thalf"},
        {"near(c, {[0]=1, [30]=0.0010643609812470018163, [40]=0.000044456985250973070031, "
         "[63]=3.1023444018792989152e-7})",
         "true"},
        {"c.rope.scaling.kind", "yarn"},
        /* a temperature of 1 by mscale/mscale_all_dim: the frequencies of yarn without its temperature */
        {"c = rope_config{model_type='deepseek_v3', rope_interleave=true, hidden_size=7168, "
         "num_attention_heads=128, qk_rope_head_dim=64, max_position_embeddings=163840, rope_theta=10000, "
         "rope_scaling={type='yarn', factor=40, beta_fast=32, beta_slow=1, mscale=1.0, mscale_all_dim=1.0, "
         "original_max_position_embeddings=4096}}; return c.d, c.rope.layout, c.rope.scaling.kind, #c.unread",
         "64\tinterleaved\tntk-parts\t0"},
        {"near(c, {[0]=1, [12]=0.026879360111431224322, [18]=0.0022493653007613963216, "
         "[31]=3.3338035804083100642e-6})",
         "true"},
        {"c = rope_config{model_type='llama', hidden_size=4096, num_attention_heads=32, rope_theta=5e5, "
         "max_position_embeddings=131072, rope_scaling={rope_type='llama3', factor=8.0, low_freq_factor=1.0, "
         "high_freq_factor=4.0, original_max_position_embeddings=8192}}; return near(c, {[0]=1, "
         "[30]=0.0013718935677611381604, [33]=0.00031269375038406513222, [63]=3.0689259889145110891e-7})",
         "true"},
        {"c = rope_config({head_dim=64, max_position_embeddings=2048, rope_scaling={type='dynamic', "
         "factor=2}}, {length=8192}); return near(c, {[0]=1, [1]=0.70426932521655324434, "
         "[16]=0.0036628603951234534241, [31]=0.000019050306173761771795})",
         "true"},
        {"c = rope_config{head_dim=64, rope_scaling={type='linear', factor=4}}; return near(c, {[0]=0.25, "
         "[31]=0.000033338035804083100642}), c.train",
         "true\tnil"},
        /* a quarter of 96 columns turns, with exponents over the columns that turn */
        {"c = rope_config{model_type='gpt_neox', hidden_size=6144, num_attention_heads=64, rotary_pct=0.25, "
         "rotary_emb_base=10000}; return c.d, c.rotary, c.rope.rotary, near(c, {[0]=1, "
         "[1]=0.46415888336127788924, [11]=0.00021544346900318837218})",
         "96\t24\t24\ttrue"},
        {NULL, NULL}});
}

static void both_forms_of_longrope(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"given = {hidden_size=256, num_attention_heads=64, max_position_embeddings=131072, "
         "original_max_position_embeddings=4096, rope_scaling={type='longrope', long_factor={1, 32}, "
         "short_factor={1, 1.5}}}; return rope_config(given).rope.scaling.factors",
         "{1, 32}"},
        {"rope_config(given, {length=4096}).rope.scaling.factors", "{1, 1.5}"},
        {"c = rope_config(given); x = rope(ones(2, 4), {base=c.rope.base, scaling=c.rope.scaling, "
         "layout='half'}); return abs(x(1, 1) - 1.190238071423808333) <= 2^-50",
         "true"}, /* sqrt(1 + ln 32 / ln 4096): a logarithm, a quotient, a root and a product, half a place each */
        {NULL, NULL}});
}

static void options_are_taken_as_they_are(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"c = rope_config{hidden_size=128, num_attention_heads=2, max_position_embeddings=2048, "
         "rope_scaling={rope_type='default'}}; return rope(ones(3, c.d), {base=c.rope.base, layout='half'}) == "
         "rope(ones(3, c.d), {layout='half'}), (longest_context(c.rotary, c.context))",
         "true\t2048"},
        {"c.rope.layout, c.frequencies.scaling", "nil\tnil"},
        {"f = io.open('config.json', 'w'); f:write('{\"text_config\": {\"n_embd\": 4096, \"n_head\": 16, "
         "\"rotary_dim\": 64, \"model_type\": \"gptj\", \"rope_scaling\": null}}'); f:close()",
         ""},
        {"c = rope_config 'config.json'; return c.d, c.rotary, c.rope.layout, c.frequencies.base",
         "256\t64\tinterleaved\t10000"},
        {"two = {head_dim=64, rope_parameters={full_attention={rope_type='default', rope_theta=1e6}, "
         "sliding_attention={rope_type='default', rope_theta=1e4, new=1}}}; c = rope_config(two, "
         "{layers='sliding_attention'}); return c.frequencies.base, c.unread",
         "10000.0\t{\"new\"}"},
        {"rope_config(two, {layers='full_attention'}).frequencies.base", "1000000.0"},
        /* before rope_parameters: a base for layers with a window, which no scaling touches */
        {"old = {model_type='gemma3_text', head_dim=256, rope_theta=1e6, rope_local_base_freq=1e4, "
         "rope_scaling={rope_type='linear', factor=8}}; c = rope_config(old, {layers='full_attention'}); return "
         "c.frequencies.base, c.frequencies.scaling.kind",
         "1000000.0\tpi"},
        {"c = rope_config(old, {layers='sliding_attention'}); return c.frequencies.base, c.frequencies.scaling",
         "10000.0\tnil"},
        {"rope_config({model_type='modernbert', head_dim=64, global_rope_theta=160000, local_rope_theta=10000}, "
         "{layers='full_attention'}).frequencies.base",
         "160000"},
        {"rope_config{model_type='llama', head_dim=128}.frequencies.base",
         "10000"}, /* of before rope_theta */
        {"rope_config{head_dim=128, rope_scaling={type='mrope', mrope_section={16, 24, 24}}}.sections",
         "{16, 24, 24}"},
        {NULL, NULL}});
}

#define BAD(config, says)                                                                                    \
    { "rope_config{" config "}", "error: t:1: rope_config: the table" says }
static void what_is_not_the_models_is_refused(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"rope_config(1)",
         "error: t:1: rope_config: the configuration is 1; wanted a path to a config.json, or a table"},
        {"rope_config 'none.json'",
         "error: t:1: rope_config: none.json: cannot be opened: No such file or directory"},
        {"f = io.open('list.json', 'w'); f:write('[1]'); f:close(); rope_config 'list.json'",
         "error: t:1: rope_config: list.json holds no object"},
        {"rope_config({}, {length=0})",
         "error: t:1: rope_config: length is 0; wanted a number from 1 to 1e+12"},
        BAD("", " has no hidden_size, and no n_embd"),
        BAD("head_dim='a'", ": head_dim is the string \"a\"; wanted a whole number from 2 to 65536"),
        BAD("head_dim=2.5", ": head_dim is 2.5; wanted a whole number from 2 to 65536"),
        BAD("head_dim=63", ": 63 of 63 columns turn; wanted an even number (pairs)"),
        BAD("hidden_size=100, num_attention_heads=3", ": 100 columns for 3 heads; wanted a multiple"),
        BAD("head_dim=64, rope_theta=nan", ": rope_theta is nan; wanted a number from 1 to 1e+300"),
        BAD("head_dim=64, model_type=3", ": model_type is 3; wanted text"),
        BAD("head_dim=64, rope_scaling=3", ": rope_scaling is 3; wanted an object"),
        BAD("head_dim=64, rope_scaling={type='ropes'}",
            ": rope_scaling: rope_type is the string \"ropes\"; wanted \"default\", \"linear\", \"dynamic\", "
            "\"yarn\", \"longrope\" or \"llama3\""),
        BAD("head_dim=64, rope_scaling={type='yarn', factor=4}", " has no max_position_embeddings"),
        BAD("head_dim=64, max_position_embeddings=4096, rope_scaling={type='yarn'}",
            ": rope_scaling has no factor"),
        BAD("head_dim=64, max_position_embeddings=4096, rope_scaling={type='yarn', factor='4'}",
            ": rope_scaling: factor is the string \"4\"; wanted a number from 1 to 1e+06"),
        BAD("head_dim=64, max_position_embeddings=4096, rope_scaling={type='yarn', factor=4, "
            "attention_factor=1.2}",
            ": rope_scaling: cos and sin are multiplied by 1.2; yarn has 1.13862944"),
        BAD("head_dim=64, max_position_embeddings=4096, rope_scaling={type='yarn', factor=4, truncate=false}",
            ": rope_scaling: truncate is false: a ramp whose ends are no whole pairs; rope has none"),
        BAD("head_dim=64, max_position_embeddings=4096, rope_scaling={type='longrope', factor=4, "
            "long_factor={1, 2}}",
            ": rope_scaling: long_factor is a list of 2; wanted a list of 32 numbers"),
        BAD("model_type='gemma3_text', head_dim=256, rope_theta=1e6, rope_local_base_freq=1e4",
            ": rope_theta and rope_scaling differ by layer; wanted {layers=}, one of \"full_attention\", "
            "\"sliding_attention\""),
        BAD("model_type='mixtral', head_dim=128", " has no rope_theta, and mixtral has another than 10000"),
        BAD("model_type='falcon', head_dim=64, alibi=true",
            ": alibi is true: this model adds biases and turns nothing"),
        {"rope_config{model_type='bert', hidden_size=768, num_attention_heads=12, max_position_embeddings=512, "
         "position_embedding_type='absolute'}",
         "error: t:1: rope_config: nothing in the table speaks of a rotation: no rope_theta, no rope_scaling, "
         "and model_type is the string \"bert\""},
        BAD("head_dim=64, rope_parameters={full={rope_theta=1e6}, near={rope_theta=1e4}}",
            ": rope_parameters differ by layer; wanted {layers=}, one of \"full\", \"near\""),
        {NULL, NULL}});
}

/* The result as a whole is no options of any function: each says which field holds its own. */
static void functions_name_their_field(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"c = rope_config{head_dim = 4, max_position_embeddings = 64, model_type = 'llama', rope_theta = 10000}",
         ""},
        /* which of its keys is met first is open */
        {"function said(f, ...) return (select(2, pcall(f, ...)):gsub('^t:%d+: ', ''):gsub(\"unknown option '%a+'\", '…')) end",
         ""},
        {"said(longest_context, 4, c)", "longest_context: …; the table's field 'context' holds such options"},
        {"said(rope, ones(3, 4), c)", "rope: …; the table's field 'rope' holds such options"},
        {"said(rope_frequencies, 4, c)",
         "rope_frequencies: …; the table's field 'frequencies' holds such options"},
        {"said(wavelengths, 4, c)", "wavelengths: …; the table's field 'frequencies' holds such options"},
        {"longest_context(4, {train = 8, sclaing = {}})",
         "error: t:1: longest_context: unknown option 'sclaing'; did you mean 'scaling'?"},
        {"longest_context(4, {train = 8, zzz = {train = 8, [3] = 4}})",
         "error: t:1: longest_context: unknown option 'zzz'; wanted base, p, scaling, train"},
        {"longest_context(4, {train = 8, zzz = {train = 8, yyy = 4}})",
         "error: t:1: longest_context: unknown option 'zzz'; wanted base, p, scaling, train"},
        {NULL, NULL}});
}

/* What was read in the library's files of each model, against what is said of it. */
static void layouts_are_those_of_the_library(void **state) {
    (void)state;
    lab_run((lab_case[]){{"@layouts_are_those_of_the_library", "\t32"}, {NULL, NULL}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_the_library),
        cmocka_unit_test(both_forms_of_longrope),
        cmocka_unit_test_setup_teardown(options_are_taken_as_they_are, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_is_not_the_models_is_refused, enter_folder, leave_folder),
        cmocka_unit_test(functions_name_their_field),
        cmocka_unit_test(layouts_are_those_of_the_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
