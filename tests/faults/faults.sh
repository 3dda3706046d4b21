# faults.sh: read by the tests beside it. Everything that saves, with its N-th call on files failing (shim.c), for every N until nothing fails any more: full disk, read-only,
# I/O errors, no descriptor left; interrupted and short calls. Either the new text is there whole and the status is 0; or the old one is,
# the status is not 0, the words name the file and the reason, and nothing else is left beside it.
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
dir=$tmp/saved shim=$tmp/shim.so
mkdir "$dir"
export FAULT_DIR="$dir" FAULT_HIT="$tmp/hit" PHASOR_PROGRESS="$tmp/progress.json" HOME="$tmp"
${CC:-cc} -std=c11 -D_GNU_SOURCE -shared -fPIC -o "$shim" tests/faults/shim.c -ldl || exit 1

# The address sanitizer wants to be first.
asan=$(ldd "$phasor" 2> /dev/null | sed -n 's/.*libasan[^ ]* => \([^ ]*\).*/\1/p')
preload="${asan:+$asan }$shim"

# What is saved: a command for each, its file in $dir.
progress='local p, h = require "phasor.course.progress", require "phasor.course.host"; local why
    local ok = p.save(h, "two", p.new("h", 3), function(key, ...) why = table.concat({key, ...}, " ") end); if not ok then error(why, 0) end'
record='local p, h = require "phasor.course.progress", require "phasor.course.host"; p.save(h, "rope", p.new("h", 3), print)'
run() {
    case $1 in
    a.npy | a.csv) set -- -e "write('$dir/$1', array{{1, 2}, {3, 4}})" ;;
    a.npz | a.safetensors) set -- -e "write('$dir/$1', {a = array{1, 2}})" ;;
    a.svg) set -- -e "savefig('$dir/$1', plot({1, 2}))" ;;
    a.ipynb) set -- notebook rope --lang en --out "$dir/$1" ;;
    page.html) set -- experiment report extrapolation --page "$dir/$1" ;;
    a.html) set -- check pe/absolute-lookup --report "$dir/$1" ;;
    handin.json) set -- lesson export rope --student a --out "$dir/$1" ;;
    progress.json) set -- -e "$progress" ;;
    a.lua) set -- -i ;;
    esac
    case $* in *"$progress"*) PHASOR_PROGRESS=$dir/progress.json; esac
    printf '1 + 1\n:save %s/a.lua\n' "$dir" | LD_PRELOAD="$preload" "$phasor" "$@" > "$tmp/out" 2>&1
    status=$?
    PHASOR_PROGRESS=$tmp/progress.json
    # the prompt goes on after :save could not write
    case $1 in -i) ! grep -q 'cannot\|No space\|error' "$tmp/out" || status=1 ;; esac
    return $status
}
# The old file $tmp/old, the new one $tmp/new.
begin() {
    rm -rf "$dir" "$tmp/hit"
    mkdir "$dir"
    FAULT_AT=0 run "$1" || cat "$tmp/out"
    cp "$dir/$1" "$tmp/new"
    case $1 in
    progress.json) PHASOR_PROGRESS=$tmp/old "$phasor" -e "$record" > "$tmp/out" && cp "$tmp/old" "$dir/$1" && FAULT_AT=0 run "$1" && cp "$dir/$1" "$tmp/new" ;;
    handin.json) sed 's/"finished": false/"finished": true/' "$tmp/new" > "$tmp/old" ;;
    *) echo old > "$tmp/old" ;;
    esac
}
# once FILE KIND N: what is wrong after the N-th call failed
once() {
    cp "$tmp/old" "$dir/$1"
    rm -f "$tmp/hit"
    export FAULT_KIND="$2" FAULT_AT="$3"
    if run "$1"; then
        cmp -s "$dir/$1" "$tmp/new" || echo "$1, $2 at call $3: said to be saved, and is not: $(cat "$tmp/out")"
    else
        case $2 in EINTR | SHORT) echo "$1, $2 at call $3: $(cat "$tmp/out")" ;; esac
        cmp -s "$dir/$1" "$tmp/old" || echo "$1, $2 at call $3: the old file is gone"
        grep -q 'No space left\|Read-only\|Input/output\|Too many open\|cannot be read\|is there and is no hand-in\|unreadable' "$tmp/out" || echo "$1, $2 at call $3: no reason: $(cat "$tmp/out")"
        grep -qF -e "$1" -e "$dir: cannot be made" "$tmp/out" || echo "$1, $2 at call $3: not named: $(cat "$tmp/out")"
    fi
    [ "$(ls -A "$dir")" = "$1" ] || { echo "$1, $2 at call $3: beside it: $(ls -A "$dir")"; rm -rf "$dir"; mkdir "$dir"; }
}
# every_call FILE [KIND...]
every_call() {
    begin "$1"
    for kind in ${2:-ENOSPC EIO EMFILE}; do
        n=1
        while [ $n -lt 40 ]; do
            once "$1" $kind $n
            [ -e "$tmp/hit" ] || break
            n=$((n + 1))
        done
        [ $n -gt 1 ] && [ $n -lt 40 ] || echo "$1, $kind: $n calls"
    done
    for kind in EROFS EINTR SHORT; do
        once "$1" $kind 1
        [ -e "$tmp/hit" ] || echo "$1, $kind: nothing failed"
    done
}
