#!/bin/sh
# make install and make uninstall: what lies where, that it runs from anywhere and in odd surroundings, and that nothing is left.
. tests/house/house.sh
source=$(pwd)
build=$(whole "$build")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
scripts/install "$build" /opt/lab "$dir" > "$dir/log" 2>&1 || cat "$dir/log"
there=$dir/opt/lab
run=$there/bin/phasor
cd "$dir" || exit 1

everything_is_there() {
    for f in bin/phasor share/man/man1/phasor.1 share/bash-completion/completions/phasor share/zsh/site-functions/_phasor \
        share/fish/vendor_completions.d/phasor.fish share/doc/phasor/LICENSE share/doc/phasor/NOTICE; do
        [ -s "$there/$f" ] || echo "$f is not there"
    done
    [ "$(find "$there" -type f ! -name phasor.so | wc -l)" -eq 8 ] || find "$there" -type f
    file "$run" 2> /dev/null | grep -q 'not stripped' && echo "it has its symbols"
    grep -q '/work' "$there/share/man/man1/phasor.1" && echo "the page names a folder of this machine"
}
the_module_is_there() { [ -s "$there/lib/lua/5.4/phasor.so" ] || echo "lib/lua/5.4/phasor.so is not there"; }
the_page_tells_every_command() {
    for c in lesson grade glossary check claims kernel; do
        grep -q "^.SS $c" "$there/share/man/man1/phasor.1" || echo "no $c in the page"
        grep -q "$c" "$there/share/zsh/site-functions/_phasor" || echo "no $c for zsh"
    done
    if command -v man > /dev/null; then
        man -l --warnings "$there/share/man/man1/phasor.1" 2>&1 > /dev/null | grep -v "^$"
    fi
}
bash_completes() {
    command -v bash > /dev/null || return 0
    bash -c '. "$1"; COMP_WORDS=(phasor gr); COMP_CWORD=1; _phasor; echo "${COMPREPLY[0]}"
COMP_WORDS=(phasor lesson rela); COMP_CWORD=2; _phasor; echo "${COMPREPLY[0]}"
COMP_WORDS=(phasor check --str); COMP_CWORD=2; _phasor; echo "${COMPREPLY[0]}"' - \
        "$there/share/bash-completion/completions/phasor" > seen 2>&1
    [ "$(tr '\n' ' ' < seen)" = "grade relative --strict " ] || cat seen
}
says() { # WANTED COMMAND…: what it prints, with its status
    wanted=$1
    shift
    got=$("$@" 2>&1; echo "status $?")
    [ "$got" = "$wanted
status 0" ] || echo "$* gives: $got"
}
it_runs_in_odd_surroundings() {
    says 2 "$run" -e '1 + 1'
    says 2 env -i "$run" -e '1 + 1'
    says 2 env -u HOME LC_ALL=C TERM=dumb "$run" -e '1 + 1'
    says 'θ	0.5' env LC_ALL=C "$run" -e '"θ", 1/2'
    says 2 env LC_ALL=zh_CN.UTF-8 "$run" -e '1 + 1'
    says 2 sh -c "'$run' -e 'print(1 + 1)' < /dev/null"
    says 2 sh -c "'$run' -e 'print(1 + 1)' <&-"
    says 2 sh -c "echo 1 + 1 | env -u HOME TERM=dumb '$run' -i"
    timeout 20 "$run" -i <&- || echo "a closed stdin keeps the prompt waiting: $?" # on a socket of its own
    mkfifo settings
    says 2 env PHASOR_SETTINGS=settings timeout 20 "$run" -e '1 + 1'
    says 2 env PHASOR_SETTINGS=/dev/zero timeout 20 "$run" -e '1 + 1'
    rm settings
    "$run" -e 'print(1)' >&- 2> seen && echo "a closed stdout is no failure"
    head -c 1000000 /dev/zero | tr '\0' 'x' | sed 's/^/#"/; s/$/"/' | "$run" -i > seen 2>&1
    [ "$(cat seen)" = 1000000 ] || head -c 200 seen
}
nothing_is_left() {
    (cd "$source" && scripts/install --uninstall "$build" /opt/lab "$dir")
    find "$there" -type f
}
module=the_module_is_there
sanitized && module= && skip_case the_module_is_there "a sanitizer build has no module"
run_cases everything_is_there $module the_page_tells_every_command bash_completes it_runs_in_odd_surroundings nothing_is_left
