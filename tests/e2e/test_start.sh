#!/bin/sh
# What a start reads: neither BLAS nor FLINT, which the first product and the first verdict open.
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# The libraries that CODE has the loader look for, those of the start included.
libraries() { LD_DEBUG=libs "$phasor" -e "$1" 2>&1 | sed -n 's/.*find library=\(lib[a-z-]*\).*/\1/p' | sort -u | tr '\n' ' '; }
late() { [ -e "$build/gen/late.c" ] && ! LD_DEBUG=libs "$phasor" --help 2>&1 | grep -q libflint; }

a_start_opens_neither() {
    seen=$(libraries '')
    case $seen in *liblua*) ;; *) echo "the loader tells nothing: $seen"; return ;; esac
    case $seen in *blas* | *flint*) echo "opened at the start: $seen" ;; esac
}
a_verdict_opens_flint() {
    case $(libraries 'local a = sym "a" prove(a, a)') in *flint*) ;; *) echo 'a verdict did without FLINT' ;; esac
}
every_entry_of_flint_works() {
    "$phasor" check --strict su/relative-meaning > /dev/null || echo "the ledger's first claim fails"
    "$phasor" --version | grep -q 'FLINT     [0-9]' || "$phasor" --version
}

# A reader that leaves early, as head does, is no fault; a full disk is.
who_reads_may_leave() {
    for words in glossary course lesson '-e print(1)'; do
        # shellcheck disable=SC2086 # several words
        { sleep 0.2; "$phasor" $words 2> "$said"; } | true
        [ ! -s "$said" ] || echo "$words: $(cat "$said")"
    done
    [ ! -e /dev/full ] || "$phasor" -e 'print(1)' 2>&1 > /dev/full | grep -q 'phasor: stdout: ' || echo 'nothing is said of a full disk'
}

if late; then run_cases a_start_opens_neither a_verdict_opens_flint every_entry_of_flint_works who_reads_may_leave
else run_cases every_entry_of_flint_works who_reads_may_leave; fi
