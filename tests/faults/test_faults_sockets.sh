#!/bin/sh
# What passes between processes, with calls that are interrupted and calls that move three bytes (sockets.c): a prompt and its worker, a grader with its desk and
# its answers, a check in two processes, a lesson. Nothing is lost, and nothing is said of it.
# Sources: worker/channel.c worker/wire.c worker/sandbox.c worker/client.c
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" PHASOR_PROGRESS="$tmp/progress.json"
${CC:-cc} -std=c11 -D_GNU_SOURCE -shared -fPIC -o "$tmp/shim.so" tests/faults/sockets.c -ldl || exit 1
asan=$(ldd "$phasor" 2> /dev/null | sed -n 's/.*libasan[^ ]* => \([^ ]*\).*/\1/p') # wants to be first
(cd "$tmp" && "$phasor" lesson new turns > /dev/null)
printf -- '-- %%%% role="exercise" ref="first"\nfunction wavelength(i, d) return 2 * pi * 10000 ^ (2 * i / d) end\n' > "$tmp/turns-ada.lua"
printf -- '-- %%%% role="exercise" ref="first"\nfunction wavelength(i, d) return {(" "):rep(100000)} end\n' > "$tmp/turns-bob.lua"

say() { # say COMMAND...: what it prints, and its status
    printf 'x = range(1, 2000)\nprint(("y"):rep(5000))\nerror "oh"\n:undo\nx\nio.popen("kill -9 $PPID"):read "a"\n1 + 1\n' |
        (cd "$tmp" && timeout 60 env LD_PRELOAD="${asan:+$asan }$tmp/shim.so" "$phasor" "$@") 2>&1
    echo "status $?"
}
same_as_ever() { # same_as_ever COMMAND...
    unset FAULT_KIND
    say "$@" > "$tmp/ever"
    for kind in EINTR SHORT BOTH; do
        FAULT_KIND=$kind; export FAULT_KIND
        say "$@" > "$tmp/now"
        cmp -s "$tmp/ever" "$tmp/now" || { echo "$kind, $*:"; diff "$tmp/ever" "$tmp/now" | cut -c1-200 | head -n 8; }
    done
}
a_prompt() { same_as_ever -i; }
a_grader() {
    same_as_ever grade --lesson turns.lua turns-ada.lua turns-bob.lua
    grep -q 'ada.lua,.*,right,' "$tmp/ever" || cat "$tmp/ever"
}
a_check() { same_as_ever check order turns.lua --jobs 2; }
a_lesson() { same_as_ever lesson turns.lua; }

run_cases a_prompt a_grader a_check a_lesson
