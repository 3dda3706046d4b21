#!/bin/sh
# scripts/test against programs that pass, fail, crash, hang, skip and do nothing; scripts/install-deps on machines that
# are put together here: a PATH with a few real tools and made-up package managers.
. tests/house/house.sh
dir=$(whole "$build/house.scripts")
rm -rf "$dir"
mkdir -p "$dir/build/tests/a" "$dir/src/a" "$dir/bin"

# ---- scripts/test ------------------------------------------------------------------------------------------------

# program NAME: a test program made of the shell lines that follow on stdin.
program() {
    { echo '#!/bin/sh'; cat; } > "$dir/build/tests/a/test_$1"
    chmod +x "$dir/build/tests/a/test_$1"
    : > "$dir/src/a/test_$1.c"
}
program pass << 'EOF'
echo '[ RUN      ] one'; printf 'printed without an end of line'; echo '[       OK ] one'
echo '[ RUN      ] two'; echo '[       OK ] two'
EOF
program fail << 'EOF'
echo '[ RUN      ] three'; echo '[  ERROR   ] --- 1 != 2'; echo '[  FAILED  ] three'
echo '[ RUN      ] four'; echo '[       OK ] four'
echo '[  FAILED  ] three'; exit 1
EOF
program crash << 'EOF'
echo '[ RUN      ] five'; kill -SEGV $$
EOF
program hang << 'EOF'
echo '[ RUN      ] six'; exec sleep 20
EOF
program skip << 'EOF'
echo '[ RUN      ] seven'; echo '[  SKIPPED ] seven'
EOF
program own << 'EOF'
echo '[ RUN      ] nine'
[ "$HOME" != /nowhere ] && [ -z "$(ls -A "$HOME")" ] && [ -z "${XDG_STATE_HOME-}${PHASOR_SETTINGS-}" ] && echo '[       OK ] nine'
: > "$HOME/left"
EOF
program empty << 'EOF'
exit 0
EOF
program bad_end << 'EOF'
echo '[ RUN      ] eight'; echo '[       OK ] eight'; exit 3
EOF
for name in here there; do
    program "meets_$name" << 'EOF'
echo '[ RUN      ] ten'; : > "$0.came"
until [ -e "${0%_*}_here.came" ] && [ -e "${0%_*}_there.came" ]; do sleep 0.1; done
echo '[       OK ] ten'
EOF
done
# What runs it and would tell of it is killed: two processes up, behind the time limit.
program untold << 'EOF'
echo '[ RUN      ] eleven'; kill -9 $(ps -o ppid= -p $PPID)
EOF
program gone < /dev/null
rm "$dir/src/a/test_gone.c"

judge() { TEST_SECONDS=1 TEST_SOURCES=$dir/src scripts/test "$dir/build" "$@"; }
verdict_of() { judge "test_$1" | sed -n 's/^    FAILED: *//p; $p' | tr '\n' ';' | sed 's/ ;/;/'; }

cases_are_counted() {
    finds '2 passed, 0 failed;' verdict_of pass
    finds 'three;1 passed, 1 failed;' verdict_of fail
}
a_skipped_case_is_named_and_not_counted() {
    finds '    skipped here: seven
0 passed, 0 failed' sed 1d "$dir/skip"
}
what_did_not_pass_is_a_failure() {
    finds 'five (did not end: status 139);0 passed, 1 failed;' verdict_of crash
    finds 'six (time limit);0 passed, 1 failed;' verdict_of hang
    finds '(ran no case);0 passed, 1 failed;' verdict_of empty
    finds '(status 3);1 passed, 1 failed;' verdict_of bad_end
    finds "no test matches 'test_gone';0 passed, 1 failed;" verdict_of gone
}
as_many_run_at_a_time_as_are_asked_for() {
    finds '2 passed, 0 failed' sh -c "TEST_JOBS=2 TEST_SECONDS=100 TEST_SOURCES=$dir/src scripts/test $dir/build test_meets | tail -n 1"
}
what_nothing_was_told_of_is_a_failure() {
    finds '0 passed, 1 failed' sh -c "TEST_SOURCES=$dir/src scripts/test $dir/build test_untold 2> /dev/null"
}
nothing_of_the_users_is_read() {
    for turn in first second; do
        finds '1 passed, 0 failed;' env HOME=/nowhere XDG_STATE_HOME=/nowhere PHASOR_SETTINGS=/nowhere sh -c "
            TEST_SOURCES=$dir/src scripts/test $dir/build test_own | sed -n '\$p' | tr '\\n' ';'"
    done
}
the_exit_status_says_it_too() {
    judge test_pass > /dev/null || echo "all passed, yet status $?"
    judge test_fail > /dev/null && echo "one failed, yet status 0"
    rm "$dir"/build/tests/a/test_untold "$dir"/build/tests/a/test_meets_*
    judge > "$dir/all" && echo "some failed, yet status 0"
    finds '5 passed, 5 failed' tail -n 1 "$dir/all"
}

# ---- scripts/bench ---------------------------------------------------------------------------------------------------

# Samples are put together by the key of a row: two rows of one key would show each other's figures.
shared_keys() { sed '/^#/d; /|/!d; s/ *|.*//' "$1" | sort | uniq -d; }
each_row_has_a_key_of_its_own() {
    shared_keys tests/bench/rows
    printf '# a | no row\na   | x | ms\nb | y | ms\na | z | ms\n' > "$dir/keys"
    finds a shared_keys "$dir/keys"
}

medians_are_held_against_limits() {
    printf '%s\n' '# a comment' 'start | start | ms | 15 |' 'drop | drop | MB | 200 |' 'add | add | ms | 1.3 | numpy' 'mul | mul | ms | 1.3 | numpy' \
        'sum | sum | ms | 1.3 | numpy' > "$dir/rows"
    printf 'plain %s\n' 'start phasor 0.009' 'start phasor 0.1' 'start phasor 0.004' 'drop phasor 2.1e8' 'add phasor 0.012' 'add numpy 0.01' \
        'add numpy 0.02' 'mul phasor 1e-3' 'missing numpy gone' 'row own|own row|us|2|' 'own phasor 1.5e-6' > "$dir/samples"
    awk -v labels=plain -v headfile=/dev/null -f scripts/bench.awk "$dir/rows" "$dir/samples" > "$dir/table"
    finds 'missing numpy gone' head -n 1 "$dir/table"
    finds 'start ms 9 met;drop MB 210 OVER;add ms 12 met;mul ms 1 no numpy;sum ms - not measured;own row us 1.5 met;' verdicts
}
# 1, 4, 12 and 48 ms at 256, 512, 1024 and 4096: four times, three times, and twice for each of two doublings. A side whose name ends in 1
# stands beside ours on one thread.
growth_is_told_by_doubling() {
    printf '%s\n' 'add | add | ms | 0.5 | numpy1' 'grow | how it grows' > "$dir/rows"
    printf 'plain %s\n' 'grow@256 phasor1 0.001' 'grow@256 phasor1 0.003' 'grow@512 phasor1 0.004' 'grow@512 write1 0.002' 'grow@1024 phasor1 0.012' \
        'grow@4096 phasor1 0.048' 'add phasor 0.001' 'add phasor1 0.003' 'add numpy1 0.004' > "$dir/samples"
    awk -v labels=plain -v headfile=/dev/null -f scripts/bench.awk "$dir/rows" "$dir/samples" > "$dir/table"
    finds 'add ms 1 OVER;' verdicts
    finds ' 256 1; 512 4 4.00 2 2.00; 1024 12 3.00; 4096 48 2.00;' sh -c "sed -n '/^how it grows/,/^\$/p' '$dir/table' | sed -n 's/  */ /g; s/ \$//; /^ [0-9]/p' | tr '\n' ';'"
    case $(refusal --help) in 'usage: scripts/bench BUILD'*) ;; *) echo '--help gives no help' ;; esac
}
# The least of each run: 5 ms then, 4 ms now; on one thread 6 and 9; of a series 8 and 2. A row that either lacks is left out.
runs_are_set_beside_a_kept_one() {
    printf '%s\n' 'start | start | ms | 15 |' 'drop | drop | MB | 200 |' 'grow | how it grows' > "$dir/rows"
    printf 'plain %s\n' 'start phasor 0.009' 'start phasor 0.004' 'start before 0.005' 'start before 0.5' 'drop phasor 2e8' 'start phasor1 0.009' \
        'start before1 0.006' 'grow@256 phasor1 0.002' 'grow@256 before1 0.008' 'grow@512 phasor1 0.002' > "$dir/samples"
    awk -v labels=plain -v headfile=/dev/null -v against_kept=1 -f scripts/bench.awk "$dir/rows" "$dir/samples" | sed -n '/^beside/,$p' > "$dir/table"
    finds 'start ms phasor 5 4 0.80;start ms phasor1 6 9 1.50;how it grows at 256 ms phasor1 8 2 0.25;' \
        sh -c "sed -n '/^start/s/  */ /gp; /^how/s/  */ /gp; /^drop/p' '$dir/table' | tr '\\n' ';'"
    finds 'bench: there is no usr/bin/python3 in /nowhere' refusal --peers /nowhere
    finds 'bench: cannot read /nowhere' refusal --against /nowhere
    case $(refusal --fast) in 'usage: scripts/bench BUILD'*'; not: --fast') ;; *) echo 'an unknown option is taken' ;; esac
}
# A figure of a program of yesterday would pass for one of today's.
old_programs_are_not_measured() {
    mkdir -p "$dir/bench"
    : > "$dir/bench/bench_old"
    touch -d '2000-01-01' "$dir/bench/bench_old"
    : > "$dir/libphasor.a"
    finds "bench: $dir/bench/bench_old is older than what it is made of; \`make $dir/bench/bench_old\` makes it anew, \`make benches\` all of them" refusal --only old
}
refusal() { scripts/bench "$dir" "$@" 2>&1; }
verdicts() { # what, unit, phasor, and what stands behind the limit
    sed -n 's/^\([a-z ]*[a-z]\)  *\(ms\|MB\|us\) phasor  *\([^ ]*\) .*[sBy1]  \([a-zA-Z ]*\)$/\1 \2 \3 \4/p' "$dir/table" | tr '\n' ';'
}

# ---- scripts/install-deps ------------------------------------------------------------------------------------------

for tool in sh cat sed grep sort tr env uname id; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
# fake NAME: a command made of the shell lines on stdin; rm it afterwards.
fake() {
    rm -f "$dir/bin/$1"
    { echo '#!/bin/sh'; cat; } > "$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}
deps() { env -i PATH="$dir/bin" HOME="$dir" "$@" scripts/install-deps $flags < /dev/null 2>&1; }
as() { echo "echo $1" | fake id; }
flags= wanted_words='compiler, flint, jansson, lapacke, libzmq, lua, make, openblas, pkg-config, readline, seccomp, zlib'

a_machine_without_a_package_manager() {
    finds "install-deps: missing: $wanted_words; none of apt-get, dnf, pacman, brew is here to install them" deps
    deps > /dev/null && echo "status 0"
}
anyone_else_gets_the_command_and_status_1() {
    fake apt-get < /dev/null
    echo 'echo Package: $2' | fake apt-cache
    as 1000
    finds "install-deps: missing on this machine: $wanted_words
install-deps: to install them, run: sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
gcc libc6-dev libflint-arb-dev libjansson-dev liblapacke-dev liblua5.4-dev libopenblas-dev libreadline-dev libseccomp-dev libzmq3-dev make pkg-config zlib1g-dev" deps
    deps > /dev/null && echo "status 0"
    rm "$dir/bin/apt-get" "$dir/bin/apt-cache"
}
root_and_ci_go_ahead() {
    echo "echo \"\$@\" >> $dir/ran" | fake dnf
    as 0
    deps > /dev/null && echo "installed nothing, yet status 0"
    finds "install -y flint-devel gcc glibc-devel jansson-devel libseccomp-devel lua5.4-devel make openblas-devel pkgconf-pkg-config readline-devel zeromq-devel zlib-devel" \
        tail -n 1 "$dir/ran"
    as 1000
    echo "echo \"sudo \$*\" >> $dir/sudo" | fake sudo
    deps CI=true > /dev/null
    finds "sudo -n dnf install -y flint-devel gcc glibc-devel jansson-devel libseccomp-devel lua5.4-devel make openblas-devel pkgconf-pkg-config readline-devel zeromq-devel zlib-devel" \
        cat "$dir/sudo"
    rm "$dir/bin/dnf" "$dir/bin/sudo"
}
empty_lists_are_fetched_first() {
    echo "echo \"\$@\" >> $dir/apt; [ \"\$2\" != -q ] || : > $dir/lists" | fake apt-get
    echo "[ -e $dir/lists ] && [ \$2 != libflint-arb-dev ] && echo Package: \$2" | fake apt-cache # FLINT 3: no Arb apart
    as 0
    deps > /dev/null
    finds 'update -q
install -q -y --no-install-recommends gcc libc6-dev libflint-dev libjansson-dev liblapacke-dev liblua5.4-dev libopenblas-dev libreadline-dev libseccomp-dev libzmq3-dev make pkg-config zlib1g-dev' \
        cat "$dir/apt"
    rm "$dir/bin/apt-get" "$dir/bin/apt-cache"
}
a_dry_run_prints_and_does_nothing() {
    echo "case \$1:\$2 in -S:*) : > $dir/did ;; -Si:lua54) exit 1 ;; esac" | fake pacman
    as 0
    flags=--dry-run
    finds 'pacman -S --needed --noconfirm flint gcc jansson libseccomp lua make openblas pkgconf readline zeromq zlib' last_line deps
    deps > /dev/null || echo "status $?"
    [ ! -e "$dir/did" ] || echo "it ran pacman"
    flags=
    rm "$dir/bin/pacman"
}
last_line() { "$@" | sed -n '$p'; }
an_unknown_flag_is_refused() {
    flags=--fast
    finds 'usage: scripts/install-deps [--dev] [--bench] [--pictures] [--recheck] [--kernel] [--browsers] [--dry-run]; not: --fast' deps
    flags=
}

judge test_skip > "$dir/skip"
# What stands behind # in a line is no command: "grep x || # why { echo … }" joins grep to the next line, and says nothing.
joined_to_a_comment() { grep -nE '(\|\||&&)[[:space:]]+#[[:space:]]' "$@" /dev/null; }
no_command_is_a_comment() {
    joined_to_a_comment tests/*/*.sh scripts/[a-z]* | grep -v '^tests/house/test_scripts.sh'
    printf 'a || # why { b; }\na || b # why\n' > "$dir/joined"
    finds "$dir/joined:1:a || # why { b; }" joined_to_a_comment "$dir/joined"
}
run_cases no_command_is_a_comment cases_are_counted a_skipped_case_is_named_and_not_counted what_did_not_pass_is_a_failure \
    as_many_run_at_a_time_as_are_asked_for what_nothing_was_told_of_is_a_failure \
    nothing_of_the_users_is_read the_exit_status_says_it_too each_row_has_a_key_of_its_own medians_are_held_against_limits \
    growth_is_told_by_doubling runs_are_set_beside_a_kept_one old_programs_are_not_measured a_machine_without_a_package_manager \
    anyone_else_gets_the_command_and_status_1 root_and_ci_go_ahead empty_lists_are_fetched_first \
    a_dry_run_prints_and_does_nothing an_unknown_flag_is_refused
