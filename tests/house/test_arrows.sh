#!/bin/sh
# Which room may include which, and which file may name which library.
. tests/house/house.sh

# "file<TAB>header" of every include under the directory $1, headers as written: "room/x.h" or <x.h>.
includes() {
    find "$1" -name '*.[ch]' | sort | xargs awk '
        /^[ \t]*#[ \t]*include/ {
            sub(/^[ \t]*#[ \t]*include[ \t]*/, ""); sub(/[>"][^>"]*$/, "&"); match($0, /[<"][^>"]*[>"]/)
            print FILENAME "\t" substr($0, RSTART, RLENGTH)
        }'
}

# Rooms: a room may include itself, the rooms after the colon, and whatever those may include. src/*.c may include all.
wrong_rooms() {
    awk -F '\t' -v root="$1/" '
        function reach(room, from,   n, i, list) { # adds what `from` allows to what `room` may include
            if ((room, from) in may) return
            may[room, from] = 1
            n = split(direct[from], list, " ")
            for (i = 1; i <= n; i++) reach(room, list[i])
        }
        NR == FNR {
            if (split($0, a, /: */) < 2) next
            direct[a[1]] = a[2]
            next
        }
        FNR == 1 { for (room in direct) reach(room, room) }
        {
            path = substr($1, length(root) + 1)
            if (path !~ /\// || $2 !~ /^"/) next
            room = path; sub(/\/.*/, "", room)
            header = substr($2, 2, length($2) - 2)
            if (header !~ /\//) { print path ": write \"" room "/" header "\", not " $2; next }
            to = header; sub(/\/.*/, "", to)
            if (!(room in direct)) print path ": " room " is no room of the house"
            else if (!((room, to) in may)) print path ": " room " may not include " $2
            else if (to == "lua" && room != "lua" && room != "session" && room != "worker") print path ": Lua stays behind the session: " $2
        }' - "$2" << 'ROOMS'
base:
array: base
files: array
expr: base
plot: base
diff: array
encoding: array expr
attention: array encoding
verify: expr
lua: base array files expr plot diff encoding attention verify
session: lua
worker: session
repl: worker
kernel: worker
ROOMS
}

# Libraries: a header (pattern) and the only files (pattern) that may name it.
wrong_libraries() {
    awk -F '\t' -v root="$1/" '
        NR == FNR { split($0, a, / +/); pattern[FNR] = "^<" a[1] ">$"; only[FNR] = "^" a[2] "$"; n = FNR; next }
        {
            path = substr($1, length(root) + 1)
            for (i = 1; i <= n; i++)
                if ($2 ~ pattern[i] && path !~ only[i]) print path ": " $2 " belongs in " substr(only[i], 2, length(only[i]) - 2)
        }' - "$2" << 'LIBRARIES'
(lua|lauxlib|lualib|luaconf).* (lua|session|worker)/.*
(cblas|lapacke?|f77blas|openblas_config).* array/linalg.*
(flint/.*|arb.*|acb.*|fmp[zqr].*|mpfr.*|gmp.*|mag.*) verify/.*
(readline/.*|editline/.*) repl/.*
zlib.* (files/stream|plot/png).*
zmq.* kernel/.*
seccomp.* worker/contain.c
(threads|omp).* none
pthread.* base/(parallel|block).c
complex.* (base/cmplx.h|array/(arith|math).c)
LIBRARIES
}

# "file<TAB>module" of every require "phasor.…" of an embedded Lua file, and of every bind_require and bind_run of C.
requires() {
    find "$1" -type f \( -name '*.lua' -o -name '*.c' \) | sort | xargs awk '
        {
            call = FILENAME ~ /c$/ ? "bind_(require|run)\\(L, \"phasor[a-z_.]*" : "require *\\(?[\"'\'']phasor[a-z_.]*"
            while (match($0, call)) {
                name = substr($0, RSTART, RLENGTH); sub(/.*["'\'']/, "", name)
                print FILENAME "\t" name
                $0 = substr($0, RSTART + RLENGTH)
            }
        }'
}

# Which room's Lua may require which: "phasor.ROOM.FILE" names the room. What C provides (one word behind the dot) stands in `provided`.
# C of lua/ opens the Lua halves of its rows by name.
wrong_requires() {
    awk -F '\t' -v root="$1/" -v provided=" $(sed -n 's/.*bind_provide(L, "phasor\.\([a-z]*\)").*/\1/p' src/lua/*.c | tr '\n' ' ') session ledger " '
        function reach(room, from,   n, i, list) {
            if ((room, from) in may) return
            may[room, from] = 1
            n = split(direct[from], list, " ")
            for (i = 1; i <= n; i++) reach(room, list[i])
        }
        NR == FNR { if (split($0, a, /: */) == 2) direct[a[1]] = a[2]; next }
        FNR == 1 { for (room in direct) reach(room, room) }
        {
            path = substr($1, length(root) + 1)
            room = path; sub(/\/.*/, "", room)
            n = split($2, part, ".")
            if (n == 1 || (n == 2 && index(provided, " " part[2] " ") && !(part[2] == "session" && room != "course"))) next
            file = root part[2] "/" (n > 2 ? part[3] : "init") ".lua"
            if (!(room in direct)) print path ": " room " has no Lua"
            else if (!((room, part[2]) in may)) print path ": " room " may not require \"" $2 "\""
            else if ((getline line < file) < 0) print path ": there is no " file
            else close(file)
        }' - "$2" << 'ROOMS'
lib: document
train: lib
atlas: lib
lua: lib train atlas course
document:
course: train atlas
ROOMS
}

listing=$build/house.includes
lua_listing=$build/house.requires
lua_files_require_only_what_they_may() { wrong_requires src "$lua_listing"; }
lua_files_ask_for_what_they_need() {
    grep -lE '^local [a-z_, ]+ = \.\.\.' src/*/*.lua |
        sed 's/$/: takes what it needs by position; use require/'
}
rooms_include_only_what_they_may() { wrong_rooms src "$listing"; }
libraries_are_named_in_their_room_only() { wrong_libraries src "$listing"; }
readline_is_named_in_one_file() {
    files=$(awk -F '\t' '$2 ~ /<readline\// { print $1 }' "$listing" | sort -u)
    [ "$(echo "$files" | wc -l)" -eq 1 ] || echo "$files"
}
the_listing_sees_the_whole_house() {
    for f in src/*/*.c; do grep -q "^$f	" "$listing" || echo "no include seen in $f"; done
}

planted() { printf '%s\t%s\n' "$@" > "$build/house.planted"; }
a_wrong_arrow_is_found() {
    planted src/base/x.c '"array/array.h"' src/array/y.c '"base/base.h"' src/plot/z.c '"lua/bind.h"' src/repl/w.c '"lua/bind.h"' \
        src/repl/v.c '"session/session.h"' src/session/s.c '"worker/worker.h"' src/cellar/c.c '"base/base.h"' src/diff/d.c '"tape.h"' src/main.c '"repl/repl.h"' \
        src/verify/u.c '"array/op.h"' src/files/t.c '"expr/expr.h"'
    finds 'base/x.c: base may not include "array/array.h"
plot/z.c: plot may not include "lua/bind.h"
repl/w.c: Lua stays behind the session: "lua/bind.h"
session/s.c: session may not include "worker/worker.h"
cellar/c.c: cellar is no room of the house
diff/d.c: write "diff/tape.h", not "tape.h"
verify/u.c: verify may not include "array/op.h"
files/t.c: files may not include "expr/expr.h"' wrong_rooms src "$build/house.planted"
}
a_wrong_require_is_found() {
    planted src/lib/a.lua phasor src/lib/b.lua phasor.tools src/lib/c.lua phasor.train.layers src/train/d.lua phasor.lib.diff \
        src/train/e.lua phasor.lib.nothing src/course/f.lua phasor.session src/lib/g.lua phasor.session src/lua/h.c phasor.lib.plot
    finds 'lib/c.lua: lib may not require "phasor.train.layers"
train/e.lua: there is no src/lib/nothing.lua
lib/g.lua: lib may not require "phasor.session"' wrong_requires src "$build/house.planted"
    mkdir -p "$build/house.files"
    printf 'local lab = require "phasor"\nlocal a = require("phasor.lib.diff").f\n' > "$build/house.files/x.lua"
    finds "$build/house.files/x.lua	phasor
$build/house.files/x.lua	phasor.lib.diff" requires "$build/house.files"
    rm -r "$build/house.files"
}
a_library_out_of_place_is_found() {
    planted src/array/reduce.c '<cblas.h>' src/array/linalg_svd.c '<lapacke.h>' src/expr/p.c '<lua.h>' src/lua/raise.c '<lua.h>' \
        src/expr/f.c '<flint/arb.h>' src/main.c '<zmq.h>' src/session/s.c '<string.h>'
    finds 'array/reduce.c: <cblas.h> belongs in array/linalg.*
expr/p.c: <lua.h> belongs in (lua|session|worker)/.*
expr/f.c: <flint/arb.h> belongs in verify/.*
main.c: <zmq.h> belongs in kernel/.*' wrong_libraries src "$build/house.planted"
}

includes src > "$listing"
requires src > "$lua_listing"
run_cases the_listing_sees_the_whole_house rooms_include_only_what_they_may libraries_are_named_in_their_room_only \
    readline_is_named_in_one_file lua_files_require_only_what_they_may lua_files_ask_for_what_they_need a_wrong_arrow_is_found \
    a_wrong_require_is_found a_library_out_of_place_is_found
