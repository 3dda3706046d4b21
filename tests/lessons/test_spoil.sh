#!/bin/sh
# What is spoiled in the cells of claims is noticed: a seeded sample of two lessons, every kind of token.
# `make spoil` walks through every claim.
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

# VARIABLE=VALUE...: one run of the mutator.
spoil() { env SPOIL_JOBS=1 "$@" "$phasor" tests/lessons/spoil.lua 2>&1; }

nothing_spoiled_passes() {
    for lesson in context rope; do
        out=$(spoil SPOIL_ONLY=$lesson SPOIL_EACH=8 SPOIL_SEED=5)
        case $out in
        *"
0 tried"*) echo "$out" ;;
        *" 0 not noticed"*) ;;
        *) echo "$out" ;;
        esac
    done
}

# What a run has tried stands in its log: another one tries the rest, and tells of all.
a_run_that_was_ended_goes_on() {
    log=$build/spoil.log
    three() { spoil SPOIL_ONLY=pe/sum-identities SPOIL_EACH=3 SPOIL_LOG="$log" SPOIL_SECONDS="$1"; }
    rm -f "$log"
    none=$(three 0)
    all=$(three 600)
    head -n 3 "$log" > "$log.part"
    printf 'cut off' >> "$log.part"
    cp "$log.part" "$log"
    known=$(three 0)
    rest=$(three 600)
    case $none/$known/$all in
    *"     3  were not tried"*"0 tried"*/*"     1  were not tried"*"2 tried"*/*"3 tried"*) ended=yes ;;
    *) ended= ;;
    esac
    [ "$ended" ] && [ "$all" = "$rest" ] && [ "$(grep -c sum-identities "$log")" = 3 ] && return
    printf '%s\n---\n%s\n---\n%s\n---\n%s\n' "$none" "$all" "$known" "$rest"
    cat "$log"
}

# What the list of survivors names is there to be changed: no entry outlives its line.
no_survivor_is_gone() {
    "$phasor" -e '
  local folder = (os.getenv "TEST_SOURCES" or "tests") .. "/lessons/"
  local tokens = assert(loadfile(folder .. "tokens.lua", "t"))()
  local _, reasons, key = assert(loadfile(folder .. "survivors.lua", "t"))()
  local catalogue, there = require "phasor.course.catalogue", {}
  for _, name in ipairs(catalogue.names()) do
    for _, cell in ipairs(catalogue.open(name).cells) do
      for _, s in ipairs(cell.claim and tokens.spoils(cell.code) or {}) do
        local text, _, column = tokens.line_at(cell.code, s.first)
        there[key(cell.claim, text, column, s.kind)] = true
      end
    end
  end
  assert(next(there) and next(reasons))
  for k in pairs(reasons) do if not there[k] then print((k:gsub("\0", " | "))) end end'
}

# What is left out as even is so, and nothing else is: the signs that are drawn in a line of code.
only_a_sign_that_is_lost_is_not_spoiled() {
    "$phasor" -e '
  local tokens = assert(loadfile((os.getenv "TEST_SOURCES" or "tests") .. "/lessons/tokens.lua", "t"))()
  for code, wanted in pairs {
    ["y = cos(x * t)"] = "", ["y = cos(-x * t)"] = "", ["y = cos(x / t)"] = "", ["y = abs(2 * x)"] = "", ["y = cos(x * t ^ a)"] = "a t",
    ["y = cos(x + t)"] = "t x", ["y = cos((x + 1) * t)"] = "1 x", ["y = cos(x * -t)"] = "- t x", ["y = sin(x * t)"] = "t x", ["y = abs(x * t, 1)"] = "1 t x",
    ["y = x ^ 2 + 1"] = "1 2", ["y = x ^ 3 + 1"] = "1 3 x", ["y = 2 ^ -50 + 1"] = "- 1 50", ["y = 2 ^ -53 + 1"] = "- 1 2 53", ["y = x ^ 2 ^ n"] = "2 n x",
    ["y = cos(x) + t"] = "t"} do
    local drawn = {}
    for _, s in ipairs(tokens.spoils(code)) do if s.kind == "sign" then drawn[#drawn + 1] = s.was end end
    table.sort(drawn)
    local got = table.concat(drawn, " ")
    if got ~= wanted then print(code .. ": " .. got .. "; wanted " .. wanted) end
  end'
}

run_cases nothing_spoiled_passes a_run_that_was_ended_goes_on no_survivor_is_gone only_a_sign_that_is_lost_is_not_spoiled
