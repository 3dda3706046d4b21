#!/bin/sh
# What the compiled rooms define and call: prefixes, no printing or exiting in the core, one allocation door, one place
# that raises, one place that starts threads. Read with nm from the objects of the library.
. tests/house/house.sh

# "room/file type symbol" of every object whose source is there. Compilers' own names (__x) are left out.
symbols() {
    nm -A -P -g $(for f in src/*/*.c; do f=${f#src/}; echo "$build/obj/${f%.c}.o"; done) |
        awk -v skip="$build/obj/" -v underscore="$1" '
            { object = substr($1, length(skip) + 1); sub(/\.o:$/, "", object) }
            { if (underscore) sub(/^_/, "", $2) }
            $2 !~ /^__/ && $2 !~ /^_GLOBAL_/ { print object, $3, $2 }'
}

# The rooms' prefixes. xerbla is LAPACK's error handler, replaced because the reference one ends the process.
wrong_prefixes() {
    awk 'NR == FNR { own[$1] = "^(" $2 ")"; next }
         $2 != "U" && $2 != "w" { room = $1; sub(/\/.*/, "", room); if (!(room in own) || $3 !~ own[room]) print $1 " defines " $3 }' \
        - "$1" << 'PREFIXES'
base ph_
array arr_|op_|xerbla_$|cblas_xerbla$|LAPACKE_xerbla$
files file_
expr expr_
encoding enc_
attention att_
diff dif_
plot plt_
verify ver_
lua bind_
session ses_
worker wrk_
repl repl_
kernel krn_
PREFIXES
}

# wrong_calls ROOMS SYMBOLS EXCEPT LISTING: who in ROOMS calls SYMBOLS (patterns), other than the files EXCEPT.
wrong_calls() {
    awk -v rooms="^($1)/" -v symbols="^($2)\$" -v except="^($3)\$" \
        '$2 == "U" && $1 ~ rooms && $3 ~ symbols && $1 !~ except { print $1 " calls " $3 }' "$4"
}
# A function that no other file of src/ calls and no test names could be static, or go. xerbla is called by LAPACK.
exported_in_vain() {
    awk '$2 == "U" { used[$3] = 1 } $2 == "T" { file[$3] = $1 }
         END { for (f in file) if (!(f in used) && f !~ /xerbla/) print f, file[f] }' "$1" | sort | while read -r f file; do
        grep -rqw "$f" src/*.c tests --include='*.[ch]' || echo "$file exports $f, which nothing else uses"
    done
}
core='base|array|files|expr|plot|diff|encoding|attention|verify'
prints='printf|vprintf|puts|putchar|perror|stdout|stderr|fputs_unlocked|flint_printf|arb_print.*|acb_print.*|fmp[zq].*_print.*'
exits='exit|_exit|_Exit|quick_exit|abort|longjmp|siglongjmp|_longjmp|raise|kill|__assert_fail'
allocates='malloc|calloc|realloc|strdup|strndup|aligned_alloc|posix_memalign|asprintf|vasprintf'
forks='fork|vfork|posix_spawnp?|wait|waitpid|wait4|prctl|setpgid|socketpair|sendmsg|recvmsg|pipe2?|setrlimit'
raises='lua_error|luaL_error|luaL_argerror|luaL_typeerror|luaL_check[a-z]*|luaL_opt[a-z]*'

listing=$build/house.symbols
exports_carry_their_rooms_prefix() { wrong_prefixes "$listing"; }
nothing_is_exported_in_vain() { exported_in_vain "$listing"; }
the_core_prints_nothing() { wrong_calls "$core" "$prints" none "$listing"; }
the_core_never_exits_or_jumps() { wrong_calls "$core" "$exits" none "$listing"; }
memory_comes_through_one_door() { wrong_calls "$core|lua" "$allocates" 'base/(base|block)' "$listing"; }
threads_start_in_one_place() { wrong_calls '.*' 'pthread_create|thrd_create' base/parallel "$listing"; }
only_the_worker_forks() { wrong_calls "$core|lua|session" "$forks" none "$listing"; }
only_raise_raises() { wrong_calls lua "$raises" lua/raise "$listing"; }
the_listing_sees_the_whole_house() {
    for f in src/*/*.c; do
        f=${f#src/}
        grep -q "^${f%.c} " "$listing" || echo "nm shows nothing of $f"
    done
}

rules_find_what_breaks_them() {
    planted=$build/house.planted
    cat > "$planted" << 'PLANTED'
array/shape T shape_of
array/shape T arr_shape_alone
array/shape U puts
repl/screen U puts
base/base U malloc
expr/expr U malloc
verify/ball U abort
lua/raise U lua_error
session/eval U fork
worker/client U fork
lua/bind U luaL_error
PLANTED
    finds 'array/shape exports arr_shape_alone, which nothing else uses
array/shape exports shape_of, which nothing else uses' exported_in_vain "$planted"
    finds 'array/shape defines shape_of' wrong_prefixes "$planted"
    finds 'array/shape calls puts' wrong_calls "$core" "$prints" none "$planted"
    finds 'verify/ball calls abort' wrong_calls "$core" "$exits" none "$planted"
    finds 'expr/expr calls malloc' wrong_calls "$core|lua" "$allocates" 'base/(base|block)' "$planted"
    finds 'session/eval calls fork' wrong_calls "$core|lua|session" "$forks" none "$planted"
    finds 'lua/bind calls luaL_error' wrong_calls lua "$raises" lua/raise "$planted"
}

underscore=
[ "$(uname -s)" = Darwin ] && underscore=1 # every C name has one there
symbols $underscore > "$listing"
# Small blocks come from the C library under AddressSanitizer (base/pools.h), and nothing uses the slabs for them.
if sanitized; then skip_case nothing_is_exported_in_vain "a sanitizer build leaves slabs unused"; else run_cases nothing_is_exported_in_vain; fi
run_cases the_listing_sees_the_whole_house exports_carry_their_rooms_prefix the_core_prints_nothing \
    the_core_never_exits_or_jumps memory_comes_through_one_door threads_start_in_one_place only_raise_raises \
    only_the_worker_forks rules_find_what_breaks_them
