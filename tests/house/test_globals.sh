#!/bin/sh
# The Lua inside the binary uses no name that nobody defines: a misspelt local would be nil until the line is reached.
. tests/house/house.sh

STANDARD="_G _VERSION assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os package pairs pcall \
print rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type utf8 warn xpcall"

for luac in luac5.4 luac-5.4 luac54 luac; do
    $luac -v 2> /dev/null | grep -q 'Lua 5\.4' && break
    luac=
done

# "file: name" for each global that a file reads or sets, but Lua's own.
strange_names() {
    for f; do
        $luac -l -l -p "$f" | sed -n 's/.*_ENV "\([A-Za-z_0-9]*\)".*/\1/p' | sort -u | while read -r name; do
            case " $STANDARD " in *" $name "*) ;; *) echo "$f: $name" ;; esac
        done
    done
}
lua_files_use_no_global_of_their_own() { strange_names src/*/*.lua lessons/ledger.lua; }
a_misspelt_name_is_found() {
    printf 'local seen = 1\nreturn function(x) return sene + x + math.pi end\n' > "$build/house.lua"
    finds "$build/house.lua: sene" strange_names "$build/house.lua"
    rm "$build/house.lua"
}

if [ -z "$luac" ]; then # scripts/install-deps --dev brings it
    echo '[ RUN      ] lua_files_use_no_global_of_their_own'
    echo '[  SKIPPED ] lua_files_use_no_global_of_their_own'
    exit 0
fi
run_cases lua_files_use_no_global_of_their_own a_misspelt_name_is_found
