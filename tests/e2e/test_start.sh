#!/bin/sh
# What a start reads: neither BLAS nor FLINT, which the first product and the first verdict open.
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

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

if late; then run_cases a_start_opens_neither a_verdict_opens_flint every_entry_of_flint_works
else run_cases every_entry_of_flint_works; fi
