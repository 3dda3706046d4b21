#!/bin/sh
# What a verdict rests on: strengths are made in one file, kinds of failure are status values.
. tests/house/house.sh

c_files() { find src -name '*.[ch]' | sort; }
lua_files() { find src -name '*.lua' | sort; }

# A message is for a person. What kind of failure it tells is in the status beside it.
compared_words() { grep -nE 'str(n?cmp|str|chr)\((err|why|e|first)(->|\.)text' "$@" /dev/null; }
stripped_places() { grep -nE 'gsub\("\^\[\^:\]\*:' "$@" /dev/null; }
# "This machine cannot" is no word of the prover: it is outside the theory, out of budget, undefined, or a contradiction.
merged_kinds() { grep -nE 'PH_EUNABLE' "$@" /dev/null; }

# A strength that is read from text is for showing: none is given by its name.
parsed() { grep -nE 'ver_strength_parse\([^)]*->' "$@" /dev/null; }
# Nor through a pointer to it.
addressed() { grep -nE '&[a-z_.>-]*(->|\.)strength\>' "$@" /dev/null; }
# Strengths are given for evidence, in one file. `strength >= VER_PROVED` and `== ` only read.
minted() { grep -nE '(strength|ver_strength [a-z_]+) *= *(VER_(PROVED|CERTIFIED)|[^=;]*[?:] *VER_(PROVED|CERTIFIED))|\.strength = VER_(PROVED|CERTIFIED)' \
    "$@" /dev/null | grep -v '^src/verify/trust\.c:'; }

# FLINT's integers are as wide as long: no int64_t and no larger constant may become one unseen. Asked of a compiler for a target whose long has 32 bits; the
# headers are those of this machine, but for one that glibc names by its width. FLINT's are read once: they take most of the time.
for_32_bits() {
    clang --target=i386-linux-gnu -std=c11 -D_GNU_SOURCE -Isrc -I"$build/gen" -I"$build/narrow" -isystem /usr/include/x86_64-linux-gnu -Wshorten-64-to-32 "$@" 2>&1
}
narrowed() {
    command -v clang > /dev/null || return 0
    mkdir -p "$build/narrow/gnu" && : > "$build/narrow/gnu/stubs-32.h"
    for_32_bits -x c-header src/verify/flint.h -o "$build/narrow/flint.pch"
    for f; do
        for_32_bits -fsyntax-only -include-pch "$build/narrow/flint.pch" "$f" | grep -E "^$f:[0-9:]+ .*(error|shorten-64-to-32|constant-conversion)"
    done
}
no_integer_is_narrowed() { narrowed $(find src/verify -name '*.c' | sort); }
strengths_are_made_in_one_file() { minted $(c_files); }
no_strength_is_written_through_a_pointer() { addressed $(c_files); }
no_strength_is_given_by_its_name() { parsed $(c_files); }
no_code_compares_the_words_of_a_message() { compared_words $(c_files); }
no_code_strips_the_place_of_a_message() { stripped_places $(lua_files); }
the_prover_tells_its_kinds_apart() { merged_kinds $(find src/verify src/expr -name '*.[ch]'); }
rules_find_what_breaks_them() {
    d=$build/house.verdicts
    mkdir -p "$d"
    printf 'if (!strncmp(why->text, "out", 3)) x = strstr(err.text, "of");\n' > "$d/words.c"
    printf 'return PH_EUNABLE;\n' > "$d/kinds.c"
    printf 'x = m:gsub("^[^:]*:%%d+: ", "")\n' > "$d/place.lua"
    finds "$d/words.c:1:if (!strncmp(why->text, \"out\", 3)) x = strstr(err.text, \"of\");" compared_words "$d/words.c" "$d/kinds.c"
    finds "$d/kinds.c:1:return PH_EUNABLE;" merged_kinds "$d/words.c" "$d/kinds.c"
    finds "$d/place.lua:1:x = m:gsub(\"^[^:]*:%d+: \", \"\")" stripped_places "$d/words.c" "$d/place.lua"
    printf 'v->strength = VER_PROVED;\nif (v->strength == VER_PROVED) x = 1;\nv.strength = ok ? VER_CERTIFIED : VER_UNKNOWN;\n' > "$d/mint.c"
    finds "$d/mint.c:1:v->strength = VER_PROVED;
$d/mint.c:3:v.strength = ok ? VER_CERTIFIED : VER_UNKNOWN;" minted "$d/mint.c" "$d/kinds.c"
    printf '#include "verify/wide.h"\nvoid f(acb_t x, int64_t k);\nvoid f(acb_t x, int64_t k) { acb_set_si(x, k); }\n' > "$d/narrow.c"
    printf '#include "verify/wide.h"\nslong f(void);\nslong f(void) { return 1000000000000; }\n' > "$d/large.c"
    for f in narrow large; do
        [ ! -x "$(command -v clang)" ] || [ -n "$(narrowed "$d/$f.c")" ] || echo "a narrowed integer is not found in $f.c"
    done
    printf 'if (ver_strength_parse(&v->strength, name)) return;\nok = ver_strength_parse(&s, name);\nmemset(&v->strength, 4, 1);\n' > "$d/named.c"
    finds "$d/named.c:1:if (ver_strength_parse(&v->strength, name)) return;" parsed "$d/named.c" "$d/kinds.c"
    finds "$d/named.c:1:if (ver_strength_parse(&v->strength, name)) return;
$d/named.c:3:memset(&v->strength, 4, 1);" addressed "$d/named.c" "$d/kinds.c"
    rm -r "$d"
}

run_cases strengths_are_made_in_one_file no_strength_is_given_by_its_name no_strength_is_written_through_a_pointer \
    no_code_compares_the_words_of_a_message no_code_strips_the_place_of_a_message the_prover_tells_its_kinds_apart no_integer_is_narrowed \
    rules_find_what_breaks_them
