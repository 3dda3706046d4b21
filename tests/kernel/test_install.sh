#!/bin/sh
# phasor kernel install: what Jupyter reads lies where Jupyter looks for it, and says how this program is started; what cannot be written
# says so.
# Sources: kernel/install.c
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
dir=$(whole "$build/kernel.install")
rm -rf "$dir"
mkdir -p "$dir/home"
install() { env -u JUPYTER_DATA_DIR -u XDG_DATA_HOME HOME="$dir/home" "$@" < /dev/null 2>&1; }

# spec FILE LANG NAME: the file is a kernel's specification, of this program, in that language.
spec() {
    [ -f "$1" ] || { echo "no $1"; return; }
    "$phasor" -e "
        local json = require 'phasor.lib.json'
        local f <close> = assert(io.open('$1'))
        local s, fault = json.read(f:read 'a')
        if not s then print('$1: ' .. fault) return end
        local argv = table.concat(s.argv, ' ')
        if argv ~= '$phasor kernel run {connection_file} --lang $2' then print('argv: ' .. argv) end
        if s.display_name ~= '$3' or s.language ~= 'lua' or s.interrupt_mode ~= 'message' then print '$1: not as wanted' end
        if s.metadata.debugger ~= false then print '$1: it promises a debugger' end"
    grep -q '^<svg .*</svg>$' "${1%/*}/logo-svg.svg" || echo "${1%/*}: no picture"
}
both() {
    spec "$1/kernels/phasor/kernel.json" en Phasor
    spec "$1/kernels/phasor-zh/kernel.json" zh 'Phasor 中文'
}

below_a_prefix() {
    install "$phasor" kernel install --prefix "$dir/prefix" | grep -q "$dir/prefix" || echo 'it does not say where'
    both "$dir/prefix/share/jupyter"
}
where_jupyter_looks_for_the_users() {
    data=$dir/home/.local/share/jupyter
    [ "$(uname -s)" = Darwin ] && data=$dir/home/Library/Jupyter
    install "$phasor" kernel install --user > /dev/null
    both "$data"
    install env JUPYTER_DATA_DIR="$dir/own" "$phasor" kernel install > /dev/null
    both "$dir/own"
    [ "$(uname -s)" = Darwin ] && return
    install env XDG_DATA_HOME="$dir/data" "$phasor" kernel install > /dev/null
    both "$dir/data/jupyter"
}
over_an_older_one() {
    echo old > "$dir/prefix/share/jupyter/kernels/phasor/kernel.json"
    install "$phasor" kernel install --prefix "$dir/prefix" > /dev/null
    both "$dir/prefix/share/jupyter"
    finds 'kernel.json
logo-svg.svg' ls "$dir/prefix/share/jupyter/kernels/phasor"
}
what_cannot_be_written_says_so() {
    : > "$dir/file"
    said=$(install "$phasor" kernel install --prefix "$dir/file") && echo 'status 0 below a file'
    case $said in *"$dir/file"*) ;; *) echo "it says: $said" ;; esac
    said=$(install "$phasor" kernel install --elsewhere) && echo 'status 0 of a wrong option'
    case $said in *'wants --user or --prefix DIR, not --elsewhere'*) ;; *) echo "it says: $said" ;; esac
}

run_cases below_a_prefix where_jupyter_looks_for_the_users over_an_older_one what_cannot_be_written_says_so
