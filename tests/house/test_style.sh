#!/bin/sh
# What can be seen of the style without reading: length of files, tabs, spaces at the end, leftovers.
. tests/house/house.sh

files() { find $(ls -d "$@" 2> /dev/null) -type f \( -name '*.[ch]' -o -name '*.inc' -o -name '*.lua' -o -name '*.sh' \) | sort; }
# Tables that a program wrote say so in their first lines and may be long.
written_by_hand() { ! head -n 5 "$1" | grep -qi 'generated'; }

# A lesson is prose in two languages, its code and its exercises in one file.
long_files() {
    for f; do
        lines=$(wc -l < "$f") end=500
        case $f in lessons/*) end=1500 ;; esac
        [ "$lines" -le $end ] || ! written_by_hand "$f" || echo "$f: $((lines)) lines; 400 is the aim, $end the end"
    done
}
# A function of C begins in the first column and ends with a brace there; one of Lua ends with an `end` below its first word.
long_functions() {
    awk -v end=60 '
        function closed(   n) { n = FNR - first + 1; if (n > end) print FILENAME ":" first ": a function of " n " lines; at most " end }
        FNR == 1 { first = 0; top = 0 }
        FILENAME ~ /\.lua$/ {
            match($0, /^ */)
            while (top && RLENGTH < indent[top]) top--
            if (top && RLENGTH == indent[top] && /^ *end/) { first = begun[top--]; closed() }
            else if (/^ *(local +)?function[ (]|= *function *\(|[(,{] *function *\([^)]*\)$/ && !/ end[,)} ]*$/) {
                indent[++top] = RLENGTH; begun[top] = FNR
            }
            next
        }
        /^[A-Za-z_].*[(,]$/ { head = FNR }
        /^[A-Za-z_].*\(.*[^=] \{$|^ .*\) \{$/ { if (/^[A-Za-z_]/) first = FNR; else if (!first && head) first = head }
        /[;{}]$/ { head = 0 }
        /^\}/ { if (first) closed(); first = 0 }' "$@"
}
blemishes() { awk '/\t/ && FILENAME ~ /\.[ch]$/ { print FILENAME ":" FNR ": tab" }
                   /[ \t\r]$/ { print FILENAME ":" FNR ": space at the end of the line" }
                   length($0) > 200 { print FILENAME ":" FNR ": " length($0) " bytes long" }' "$@"; }
leftovers() { grep -nE '(TODO|FIXME|XXX|HACK)([^A-Za-z]|$)' "$@" /dev/null; }
open_headers() { for f; do grep -q '^#ifndef PH_[A-Z0-9_]*_H$' "$f" || echo "$f: no guard PH_..._H"; done; }

# A file says in its first line what it is, under its own name where it is C.
nameless() {
    for f; do
        first=$(head -n 1 "$f")
        case $f:$first in *.lua:--*) ;; *.inc:/\**) ;; *.[ch]:"/* ${f##*/}: "*) ;; *) echo "$f: its first line does not say what it is" ;; esac
    done
}

# A template (.inc) undefines what it defines and what it is given, at its end or in the last of those that stand together.
held_macros() {
    for room in $(find "$1" -name '*.inc' -exec dirname {} + | sort -u); do
        cat "$room"/*.inc | sed -n 's/^#undef *//p' | sort -u > "$build/house.undone"
        awk -v undone="$build/house.undone" '
            BEGIN { while ((getline name < undone) > 0) done[name] = 1 }
            /\\$/ && !/^#define/ { next }
            /^#define/ { name = $2; sub(/\(.*/, "", name); if (FILENAME ~ /inc$/) held(name); else given[++n] = name; next }
            /^#undef/ && FILENAME !~ /inc$/ { if ($2 in done) print FILENAME ": #undef " $2 ": the template does that" }
            /^#include ".*\.inc"/ { for (i = 1; i <= n; i++) held(given[i]); n = 0; next }
            { n = 0 }
            function held(name) { if (!(name in done)) print FILENAME ": " name ": no template undefines it" }' \
            $(grep -lE '^#include ".*\.inc"' "$room"/*.c) "$room"/*.inc
    done
}

# What FLINT holds is begun once for each declaration or end: a second begin forgets, without a word, what the first has come to hold.
begun_twice() {
    awk '
        FNR == 1 || /^\}/ { split("", begun) }
        /^ +[a-z_]+ [^(=]*[;=]/ { n = split($0, word, /[^A-Za-z0-9_]+/); for (i = 1; i <= n; i++) delete begun[word[i]] }
        {
            rest = $0
            while (match(rest, /[A-Za-z0-9_]+\(&?[A-Za-z_][]A-Za-z0-9_.>[-]*[,)]/)) {
                call = substr(rest, RSTART, RLENGTH - 1)
                rest = substr(rest, RSTART + RLENGTH)
                split(call, part, /\(&?/)
                if (part[1] ~ /_clear$/) delete begun[part[2]]
                if (part[1] !~ /_init[0-9]?$/) continue
                if (part[2] in begun) print FILENAME ":" FNR ": " part[2] " is begun in line " begun[part[2]] " as well"
                begun[part[2]] = FNR
            }
        }' "$@"
}

# Texts are read through one door, which takes regular files only (base/file.c; Lua: contents of phasor.tools): a pipe or a device that somebody
# put in a file's place would be waited for. In C, what names the system's own places or cannot wait is no door of its own.
other_doors() {
    for f; do
        case $f in
        */base/file.c) ;;                 # the door
        */main.c | */session/library.c) ;; # the program that was named, loadfile: a pipe is read there, as by lua
        *.lua) grep -nE '\<(io\.(open|lines|input) *[("]|(dofile|loadfile) *\()' "$f" /dev/null | grep -v '"[^"]*io\.open for texts' ;;
        *) grep -nE '(^|[^a-z_>.])(fopen|freopen|open|openat) ?\(' "$f" /dev/null | grep -vE '"/(dev|proc|sys)/|O_NONBLOCK|O_EXCL|O_PATH|O_DIRECTORY|files\[i\]|\(s, path, |:/\*' ;;
        esac
    done
}

# Lua calls no finalizer of what is made while a state closes: what is to get a class comes through bind_new_finalized (lua/owned.c), which refuses
# then, or says that its class has none.
left_at_the_end() {
    awk '
        FNR == 1 || /^\}/ { made = "" }
        /lua_newuserdatauv\(/ && !/no __gc/ { made = FILENAME ":" FNR ": " $0 }
        /bind_new_finalized\(/ { made = "" }
        made != "" && /setmetatable\(/ { print made; made = "" }' "$@"
}

# BUILD and PHASOR may be whole paths: what goes elsewhere asks whole (house.sh) for one.
joined() { grep -nE '\$\(?(pwd|PWD)\)?"?/"?\$\{?(build|BUILD|PHASOR|phasor)' "$@" /dev/null; }

# A box for what is held may raise; what it is to hold is taken in a statement behind it, since C takes the sides of one in either order.
taken_before_its_box() { grep -nE '\*bind_new_[a-z_]*\(.*\) = .*\(' "$@" /dev/null; }

# Blanks at an end are taken off by document/trim.lua, whose patterns begin once at a run of blanks: these begin anew at each of them.
squares() { grep -nE '(^|[^]])%s\+\$|\.-\)%s\*\$' "$@" /dev/null; }

# Where Arb's headers lie changed with FLINT 3: verify/flint.h alone knows.
other_arbs() { grep -nE '#include <(flint/)?a(rb|cb|rf)[a-z_]*\.h>' "$@" /dev/null | grep -v '^src/verify/flint\.h:'; }

no_file_is_too_long() { long_files $(files src tests lessons); }
no_function_is_too_long() { long_functions $(files src tests); }
no_tabs_and_no_spaces_at_the_end() { blemishes $(files src tests lessons); }
nothing_is_left_for_later() { leftovers $(files src lessons); }
templates_undefine_their_macros() { held_macros src; }
files_say_what_they_are() { nameless $(find src -name '*.[ch]' -o -name '*.inc' -o -name '*.lua' | sort); }
headers_are_guarded() { open_headers $(find src -name '*.h'); }
the_makefile_stays_small() { [ "$(wc -l < Makefile)" -le 200 ] || echo "Makefile: $(wc -l < Makefile) lines; at most 200"; }
scripts_can_be_run() {
    for f in scripts/install-deps scripts/test scripts/bench scripts/generate .ci/run tests/*/test_*.sh; do
        [ -x "$f" ] || echo "$f is not executable"
    done
}
texts_come_through_one_door() { other_doors $(files src); }
what_has_a_finalizer_is_not_made_at_the_end() { left_at_the_end $(find src -name '*.c' | sort); }
nothing_is_held_before_its_box_is_there() { taken_before_its_box $(find src -name '*.c' | sort); }
no_pattern_takes_the_square_of_a_text() { squares $(find src -name '*.lua' | sort); }
arb_is_found_in_one_place() { other_arbs $(find src tests -name '*.[ch]'); }
builds_may_lie_elsewhere() { joined tests/*/*.sh scripts/*; }
what_flint_holds_is_begun_once() { begun_twice $(find src/verify tests/verify -name '*.[ch]' | sort); }
rules_find_what_breaks_them() {
    d=$build/house.style
    mkdir -p "$d"
    awk 'BEGIN { for (i = 0; i < 501; i++) print "x" }' > "$d/long.c"
    awk 'BEGIN { print "static int f(void) {"; for (i = 0; i < 59; i++) print "    x;"; print "}" }' > "$d/f.c"
    awk 'BEGIN { print "a = {"; print "  f = function(x)"; for (i = 0; i < 59; i++) print "    x = 1"; print "  end,"; print "}" }' > "$d/f.lua"
    printf 'int\tx;\ny \n' > "$d/dirty.c"
    printf '/* %s: later */\n' TODO > "$d/late.c"
    echo 'int x;' > "$d/open.h"
    finds "$d/long.c: 501 lines; 400 is the aim, 500 the end" long_files "$d/long.c" "$d/late.c"
    finds "$d/f.c:1: a function of 61 lines; at most 60
$d/f.lua:2: a function of 61 lines; at most 60" long_functions "$d/f.c" "$d/f.lua" "$d/dirty.c"
    finds "$d/dirty.c:1: tab
$d/dirty.c:2: space at the end of the line" blemishes "$d/dirty.c" "$d/late.c"
    finds "$d/late.c:1:/* TODO: later */" leftovers "$d/late.c" "$d/dirty.c"
    printf 'dir=$%s/$build/x\np=$%s/${PHASOR:-x}\nq=$%s/tests\n' '(pwd)' PWD '(pwd)' > "$d/joined.sh"
    joined "$d/joined.sh" > "$d/seen"
    finds 2 awk 'END { print NR }' "$d/seen"
    echo 'int f = open(path, O_RDONLY);' > "$d/door.c"
    echo 'local f = io.open(path)' > "$d/door.lua"
    finds "$d/door.c:1:int f = open(path, O_RDONLY);
$d/door.lua:1:local f = io.open(path)" other_doors "$d/door.c" "$d/door.lua"
    echo '    *bind_new_expr(L) = expr_ref(e);' > "$d/box.c"
    finds "$d/box.c:1:    *bind_new_expr(L) = expr_ref(e);" taken_before_its_box "$d/box.c" src/lua/parcel.c
    printf '%s\n' 'a = b:gsub("%s+$", "")' 'c = d:match "^%s*(.-)%s*$"' 'e = f:gsub("%f[%s]%s+$", "")' > "$d/square.lua"
    squares "$d/square.lua" > "$d/seen"
    finds 2 awk 'END { print NR }' "$d/seen"
    echo '#include <arb.h>' > "$d/arb.c"
    finds "$d/arb.c:1:#include <arb.h>" other_arbs "$d/arb.c" src/verify/flint.h
    finds "$d/open.h: no guard PH_..._H" open_headers "$d/open.h" src/base/base.h
    printf '/* x.c: f. */\n' > "$d/x.c"
    printf -- '-- f\n' > "$d/x.lua"
    finds "$d/open.h: its first line does not say what it is" nameless "$d/x.c" "$d/x.lua" "$d/open.h"
    printf '%s\n' 'void f(void) {' '    value v, w;' '    value_init(&v);' '    for (;;) {' '        fmpq_t q;' '        fmpq_init(q), fmpq_init(w->x[1]);' \
        '        value_init(&v);' '        fmpq_clear(q);' '    }' '    value_clear(&v);' '    value_init(&v);' '}' 'void g(void) {' '    value_init(&v);' '}' > "$d/twice.c"
    finds "$d/twice.c:7: v is begun in line 3 as well" begun_twice "$d/twice.c"
    printf '%s\n' 'void f(void) {' '    x = lua_newuserdatauv(L, 8, 0);' '    luaL_setmetatable(L, CLASS);' '    y = lua_newuserdatauv(L, 8, 0);' '}' \
        'void g(void) {' '    luaL_setmetatable(L, CLASS);' '}' > "$d/left.c"
    finds "$d/left.c:2:     x = lua_newuserdatauv(L, 8, 0);" left_at_the_end "$d/left.c" src/lua/arrays.c
    mkdir -p "$d/room"
    printf '#define T float\n#define N 2\n#include "room/x.inc"\n#undef T\n#define OTHER 3\nint x;\n' > "$d/room/x.c"
    printf '#define OWN \\\n    1\n#define LEFT 1\n#undef OWN\n#undef T\n' > "$d/room/x.inc"
    finds "$d/room/x.c: N: no template undefines it
$d/room/x.c: #undef T: the template does that
$d/room/x.inc: LEFT: no template undefines it" held_macros "$d"
    rm -r "$d"
}

run_cases no_file_is_too_long no_function_is_too_long no_tabs_and_no_spaces_at_the_end nothing_is_left_for_later files_say_what_they_are headers_are_guarded templates_undefine_their_macros \
    texts_come_through_one_door no_pattern_takes_the_square_of_a_text nothing_is_held_before_its_box_is_there arb_is_found_in_one_place builds_may_lie_elsewhere what_flint_holds_is_begun_once \
    what_has_a_finalizer_is_not_made_at_the_end the_makefile_stays_small scripts_can_be_run rules_find_what_breaks_them
