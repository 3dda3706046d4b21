#!/bin/sh
# What is said of a command that was called wrongly, in the language that is spoken.
# Sources: course/usage.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
unset LC_ALL LC_MESSAGES LANG
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME="$home" PHASOR_SETTINGS="$home/none"

without_chinese() { "$phasor" tests/course/usages.lua "$@"; }
every_sentence_has_its_chinese() { without_chinese src/course/*.lua; }
one_without_is_found() {
    printf 'usage("check: %%s", x)\nusage("claims: fly %%s", x)\n' > "$home/x.lua"
    finds "$home/x.lua: claims: fly %s" without_chinese "$home/x.lua"
}
says() { # LANGUAGE WANTED ARGUMENTS...: the first line, with the status
    language=$1 wanted=$2
    shift 2
    got=$(LANG="$language" "$phasor" "$@" 2>&1; echo "status $?")
    [ "$(printf '%s\n' "$got" | sed -n '1p;$p')" = "phasor: $wanted
status 2" ] || echo "$* gives: $got"
}
they_are_said_in_the_language_spoken() {
    says en 'no claim or lesson "nosuch"' check nosuch
    says zh_CN.UTF-8 '没有叫 "nosuch" 的命题或课' check nosuch
    says zh_CN.UTF-8 'no claim or lesson "nosuch"' check --lang en nosuch
    says en '没有叫 "pe/shift-formul" 的命题或课；最接近的：pe/shift-formula' check --lang zh pe/shift-formul
    says zh_CN.UTF-8 'check：--model 后面要给一个值' check --model
    says zh_CN.UTF-8 'check：没有选项 --jsn；你是不是想写 `--json`？' check --jsn
    says zh_CN.UTF-8 'experiment：没有写要做什么；应为 list、run NAME 或 report NAME' experiment
    says zh_CN.UTF-8 '没有选项 --nope' --nope
    says zh_CN.UTF-8 'kernel 后面应为 install 或 run CONNECTION，而不是 fly' kernel fly
    says en 'kernel wants install or run CONNECTION, not fly' kernel fly
}
run_cases every_sentence_has_its_chinese one_without_is_found they_are_said_in_the_language_spoken
