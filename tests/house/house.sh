# house.sh: read by the shell tests of this folder, which scripts/test runs from the project's root. A case is a
# function; what it prints is what is wrong, and it passes when it prints nothing.
export LC_ALL=C
build=${BUILD:-build}
failed=0

# A path as one from the root, for those who go elsewhere: BUILD and PHASOR may be either.
whole() { case $1 in /*) echo "$1" ;; *) echo "$(pwd)/$1" ;; esac; }

run_cases() {
    for case; do
        echo "[ RUN      ] $case"
        wrong=$("$case" 2>&1)
        if [ -z "$wrong" ]; then
            echo "[       OK ] $case"
        else
            printf '%s\n' "$wrong"
            echo "[  FAILED  ] $case"
            failed=1
        fi
    done
    return $failed
}

# A case that cannot run here, and why: scripts/test names both.
skip_case() { printf '[ RUN      ] %s (%s)\n[  SKIPPED ] %s (%s)\n' "$1" "$2" "$1" "$2"; }

# Is this the build of `make sanitize`? It is slower, and has no phasor.so: a Lua without the sanitizers could not open one.
sanitized() { grep -q -e -fsanitize "$build/flags" 2> /dev/null; }

# finds WANTED COMMAND...: COMMAND must print exactly WANTED. A rule that never speaks up proves nothing, so each is
# also shown something it must refuse.
finds() {
    wanted=$1
    shift
    seen=$("$@")
    [ "$seen" = "$wanted" ] || printf 'wanted: %s\nseen:   %s\n' "$wanted" "$seen"
}
