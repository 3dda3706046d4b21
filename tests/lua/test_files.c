/* read and write at the prompt: their arguments, their words, and what they leave on the disk.
 * Sources: lua/files.c lua/tensors.c lib/shards.lua files/csv.c files/items.c files/safetensors_write.c files/store.c */
#include "folder.h"
#include "lab.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void what_is_written_is_read(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"write('a.npy', array{{1, 2}, {3, 4}})", ""},
        {"read('a.npy'):totable()", "{{1.0, 2.0}, {3.0, 4.0}}"},
        {"write('A.NPY', 7); return read('A.NPY').shape", "{}"},
        {"write('t.npy', {1, 2, 3}, {dtype = 'f16'}); return read('t.npy').dtype", "f32"},
        {"write('c.npy', array{1 + I, 2}); return read('c.npy').dtype", "c128"},
        {"write('b.npy', lt(array{1, 2}, 2)); return read('b.npy'):totable()", "{true, false}"},
        {"write('m.npz', {w = eye(2), [\"位\"] = {1, 2}}); f = read('m.npz'); return f:names()",
         "{\"w\", \"位\"}"},
        {"#f, f:shape('w'), f:type('位'), f.w(1, 1), f['位'](2)", "2\t{2, 2}\tf64\t1.0\t2.0"},
        {"f", "m.npz: 2 tensors\n  w  f64 (2, 2)\n  位  f64 (2)"},
        {"read('m.npz', '位'):totable()", "{1.0, 2.0}"},
        {"n = 0; for name, A in pairs(f) do n = n + A.size end; return n", "6"},
        {"f:metadata()", "{}"},
        {"write('m.safetensors', {w = eye(2), names = zeros(0, 3)}, {dtype = 'bf16', metadata = {a = 'b\\n', "
         "c = ''}})",
         ""},
        {"f = read('m.safetensors'); return f:metadata()", "{a = \"b\\n\", c = \"\"}"},
        {"f:read('names').shape, type(f.names), f:type('w'), f.w.dtype", "{0, 3}\tfunction\tbf16\tf32"},
        {"write('empty.npz', {}); return #read('empty.npz')", "0"},
        {"write('empty.safetensors', {}); return read('empty.safetensors')", "empty.safetensors: 0 tensors"},
        {"do local g <close> = f end; return f", "a closed file of tensors"},
        {NULL, NULL}});
}

static void tables_of_text(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"write('x.csv', array{{0.1, nan}, {-inf, 1e300}}, {header = {'a', 'b,c'}})", ""},
        {"io.open('x.csv'):read('a')", "a,\"b,c\"\n0.1,nan\n-inf,1e+300\n"},
        {"A, names = read('x.csv'); return names, A(1, 1), A(2, 2)", "{\"a\", \"b,c\"}\t0.1\t1e+300"},
        {"write('y.csv', {1, 2}, {separator = ';'}); return select('#', read('y.csv', {separator = ';'}))",
         "1"},
        {"read('y.csv', {header = true, separator = ';'})", "f64 (1, 1)\n  2\t{\"1.0\"}"},
        {"read('x.csv', {header = false})",
         "error: t:1: read: x.csv: line 1, field 1 is \"a\"; wanted a number"},
        {NULL, NULL}});
}

#define ENDS "wanted a name that ends in .npy, .npz, .safetensors or .csv"

/* A model in several files, opened by its index: as one file with all that is in them. */
static void an_index_leads_to_its_files(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"write('m-1.safetensors', {a = eye(2), b = zeros(3)}); write('m-2.safetensors', {['c.weight'] = ones(2, "
         "3)}, {dtype = 'bf16'})",
         ""},
        {"@index", ""},
        {"index '{\"metadata\": {\"total_size\": 56, \"none\": null}, \"weight_map\": {\"a\": \"m-1.safetensors\", "
         "\"b\": \"m-1.safetensors\", \"c.weight\": \"m-2.safetensors\"}}'; f = read(INDEX); return #f, f:names()",
         "3\t{\"a\", \"b\", \"c.weight\"}"},
        {"f", "m.safetensors.index.json: 3 tensors in 2 files\n  m-1.safetensors  2\n  m-2.safetensors  1"},
        {"f.a, f:shape 'c.weight', f:type 'c.weight', sum(f['c.weight'])",
         "f64 (2, 2)\n  1  0\n  0  1\t{2, 3}\tbf16\t6.0"},
        {"n = 0; for name, A in pairs(f) do n = n + A.size end; return n, f:metadata()",
         "13\t{total_size = \"56\"}"},
        {"read(INDEX, 'b'):totable()", "{0.0, 0.0, 0.0}"},
        {"f:read 'aa'", "error: t:1: unknown tensor 'aa' in m.safetensors.index.json; did you mean 'a'?"},
        {"f[1]", "error: t:1: an open file: a key is 1; wanted a tensor's name"},
        {"f.a = 1", "error: t:1: an open file: its tensors cannot be set"},
        {"read(INDEX, 1)", "error: t:1: read: the tensor is 1; wanted its name"},
        {"do local g <close> = f end; return f, pcall(f.names, f)",
         "a closed file of tensors\tfalse\tt:1: names: the file is closed"},
        /* what an index may not say, or says of a file that has it not */
        {"index ''; read(INDEX)", "error: t:1: read: m.safetensors.index.json is empty"},
        {"index '[]'; read(INDEX)",
         "error: t:1: read: m.safetensors.index.json has no weight_map; wanted an object "
         "that names the file of each tensor"},
        {"index '{\"weight_map\": {\"a\": \"../m-1.safetensors\"}}'; read(INDEX)",
         "error: t:1: read: m.safetensors.index.json: tensor \"a\" is in the string \"../m-1.safetensors\"; wanted a "
         ".safetensors beside the index"},
        {"index '{\"weight_map\": {\"a\": 3}}'; read(INDEX)",
         "error: t:1: read: m.safetensors.index.json: tensor \"a\" is in 3; wanted a .safetensors beside the index"},
        {"index '{\"weight_map\": {\"a\": \"m-3.safetensors\"}}'; return read(INDEX).a",
         "error: t:1: read: m-3.safetensors: cannot be opened: No such file or directory"},
        {"index '{\"weight_map\": {\"a\": \"m-2.safetensors\"}}'; return read(INDEX).a",
         "error: t:1: unknown tensor 'a' in m-2.safetensors"},
        {"write('config.json', 1)", "error: t:1: write: the file is the string \"config.json\"; " ENDS},
        {"read 'config.json'",
         "error: t:1: read: the file is the string \"config.json\"; wanted a name that ends in "
         ".safetensors.index.json; rope_config reads a model's config.json"},
        {NULL, NULL}});
}

static const lab_case wrong_cases[] = {
    {"read()",
     "error: t:1: read: 0 arguments given; wanted 1 to 2, as in read(path [, name] [, {header=, separator=}])"},
    {"read(3)", "error: t:1: read: the file is 3; wanted a name such as \"x.npy\""},
    {"read('x')", "error: t:1: read: the file is the string \"x\"; " ENDS},
    {"read('x.npy\\0')", "error: t:1: read: the file's name holds a NUL"},
    {"read('none.npy')", "error: t:1: read: none.npy: cannot be opened: No such file or directory"},
    {"read('none.npz')", "error: t:1: read: none.npz: cannot be opened: No such file or directory"},
    {"read('none.npy', 'w')",
     "error: t:1: read: 2 arguments given; a .npy holds one array and takes its name only"},
    {"read('model.bin')",
     "error: t:1: read: the file is the string \"model.bin\"; wanted a .safetensors: pickled models "
     "run code when read; PyTorch's safetensors.torch.save_file writes one"},
    {"write('m.npz', {weight = eye(2)}); read('m.npz', 'wieght')",
     "error: t:1: unknown tensor 'wieght' in m.npz; did you mean 'weight'?"},
    {"read('m.npz').wieght", "error: t:1: unknown tensor 'wieght' in m.npz; did you mean 'weight'?"},
    {"read('m.npz')[1]", "error: t:1: an open file: a key is 1; wanted a tensor's name"},
    {"read('m.npz', 1)", "error: t:1: read: the tensor is 1; wanted its name"},
    {"read('m.npz'):shape()", "error: t:1: shape: 1 argument given; wanted 2"},
    {"f = read('m.npz'); f:close(); f:close(); return f.weight", "error: t:1: read: the file is closed"},
    {"f.read(3, 'w')", "error: t:1: read: the operand is 3; wanted an open file, as read(\"x.npz\") gives"},
    {"write('x.npy')",
     "error: t:1: write: 1 argument given; wanted 2 to 3, as in write(path, array [, {dtype=, metadata=, header=, separator=}])"},
    {"write('x.npy', 'text')", "error: t:1: write: the array is the string \"text\"; wanted a number, an "
                               "array or a table of numbers"},
    {"write('x.npy', 1, {dtype = 'f8'})",
     "error: t:1: write: dtype is \"f8\"; wanted \"f64\", \"f32\", \"f16\", \"bool\" or \"c128\""},
    {"write('x.npy', 1, {dype = 'f8'})", "error: t:1: write: unknown option 'dype'; did you mean 'dtype'?"},
    {"write('x.npy', array{1 + I}, {dtype = 'f32'})",
     "error: t:1: write: a complex array cannot be written as f32"},
    {"write('x.npy', 1, {dtype = 'bool'})",
     "error: t:1: write: an array of f64 cannot be written as bool; compare first, as in ne(A, 0)"},
    {"write('x.npz', eye(2))",
     "error: t:1: write: the arrays is an array of shape (2, 2); wanted a table of them by name, "
     "as {w=A}: an .npz holds many"},
    {"write('x.npz', {eye(2)})", "error: t:1: write: an array's key is 1; wanted a name in quotes"},
    {"write('x.npz', {w = 'a'})", "error: t:1: write: array \"w\" is the string \"a\"; wanted a number, "
                                  "an array or a table of numbers"},
    {"write('x.npz', {['../w'] = 1})",
     "error: t:1: write: name \"../w\"; wanted 1 to 4000 bytes without / \\ and :"},
    {"write('x.npz', {['\\xff'] = 1})", "error: t:1: write: an array's name is no valid UTF-8"},
    {"write('x.npz', {w = 1}, {metadata = {}})",
     "error: t:1: write: unknown option 'metadata'; wanted dtype"},
    {"write('x.safetensors', {w = I})",
     "error: t:1: write: the format has no complex numbers; write the real and imaginary parts"},
    {"write('x.safetensors', {__metadata__ = 1})",
     "error: t:1: write: an array cannot be called __metadata__ in a .safetensors"},
    {"write('x.safetensors', {w = 1}, {metadata = {a = 1}})",
     "error: t:1: write: a value of metadata is 1; wanted a text"},
    {"write('x.csv', zeros(2, 2, 2))",
     "error: t:1: write: an array of shape (2, 2, 2); a .csv takes one or two dimensions"},
    {"write('x.csv', I)", "error: t:1: write: a .csv takes real numbers; this array is complex"},
    {"write('x.csv', eye(2), {header = {'a'}})",
     "error: t:1: write: header has 1 names; wanted 2, one for each column"},
    {"write('x.csv', eye(2), {separator = '.'})",
     "error: t:1: write: separator is the string \".\"; wanted one character that is in no number, as "
     "\";\" or \"\\t\""},
    {"write('none/x.npy', 1)", "error: t:1: write: none/x.npy: cannot be written: No such file or directory"},
    {"write('.npy/', 1)", "error: t:1: write: the file is the string \".npy/\"; " ENDS},
    {"#io.popen('ls -A'):read('a')", "6"}, /* m.npz, and nothing else was left */
    {NULL, NULL}};

static void wrong_arguments(void **state) {
    (void)state;
    lab_run(wrong_cases);
}

/* A full disk, played by a limit on the size of files: an error, the old file whole, nothing else there. */
static void a_full_disk_leaves_the_old_file(void **state) {
    (void)state;
    struct rlimit old, small;
    lua_State *L = lab_open();
    static const char *const lines[] = {
        "write('x.npy', zeros(100, 1000))", "write('x.npz', {w = zeros(100, 1000)})",
        "write('x.safetensors', {w = zeros(100, 1000)})", "write('x.csv', zeros(100, 1000))"};
    static const char *const files[] = {"x.npy", "x.npz", "x.safetensors", "x.csv"};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (int k = 0; k < 4; k++) {
        char code[200], wanted[200];
        snprintf(code, sizeof code, "write('%s', %s)", files[k], k % 3 ? "{w = eye(2)}" : "eye(2)");
        assert_string_equal(lab_eval(L, code), "");
        small = old, small.rlim_cur = 100000;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        snprintf(wanted, sizeof wanted, "error: t:1: write: %s: cannot be written: File too large", files[k]);
        const char *got = lab_eval(L, lines[k]);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_string_equal(got, wanted);
        snprintf(code, sizeof code, "local A = read('%s'%s); return sum(A)", files[k], k % 3 ? ", 'w'" : "");
        assert_string_equal(lab_eval(L, code), "2.0");
        lua_settop(L, 0);
    }
    assert_string_equal(lab_eval(L, "select(2, io.popen('ls -A'):read('a'):gsub('\\n', ''))"), "4");
    signal(SIGXFSZ, SIG_DFL);
    lua_close(L);
}

/* A file of 64 MB costs the tensor that is asked for and no more. */
static void one_tensor_of_many_is_read(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(lab_eval(L, "@one_tensor_of_many_is_read"), "");
    lua_gc(L, LUA_GCCOLLECT, 0);
    size_t live = ph_block_live();
    assert_string_equal(lab_eval(L, "f = read('m.safetensors'); A = f.small; return sum(A)"), "3.0");
    assert_true(ph_block_live() - live <= 1024);
    assert_string_equal(lab_eval(L, "A = f.big3; return A.size"), "2000000");
    assert_true(ph_block_live() - live <= 8000000 + (1 << 20));
    lua_close(L);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(what_is_written_is_read),         CASE(tables_of_text),
        CASE(an_index_leads_to_its_files),     CASE(wrong_arguments),
        CASE(a_full_disk_leaves_the_old_file), CASE(one_tensor_of_many_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
