#!/bin/sh
# phasor.so in a stock Lua: arrays, derivatives, proofs, files and pictures; errors with the caller's line; nothing global; what needs a
# session says so.
# Sources: module.c
. tests/house/house.sh
build=$(whole "$build")
lua=$(command -v lua5.4 || command -v lua54 || command -v lua)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

run() { # LINES…: a program; what it prints
    { echo "package.cpath = '$build/?.so'; local p <const> = require 'phasor'"; cat; } > t.lua
    "$lua" t.lua 2>&1
}
it_computes_derives_and_proves() {
    finds '7.0	22.0
12.0
proved
certified
0.5403' run << 'END'
local A = p.array{{1, 2}, {3, 4}}
local B = p.matmul(A, A)
print(B(1, 1), B(2, 2))
print(p.grad(function(x) return x^3 end)(2.0))
local a, b = p.sym "a b"
print(p.prove(p.sin(a + b), p.sin(a) * p.cos(b) + p.cos(a) * p.sin(b)).strength)
print(p.certify(p.lt(p.sin(a), 2), {a = {0, 1}}).strength)
print(("%.4f"):format(p.rope(p.array{{1, 0}, {1, 0}}, {layout = "half"})(2, 1)))
END
}
it_reads_writes_and_draws() {
    finds '3.0
true' run << 'END'
p.write("x.npy", p.array{1, 2, 3})
print(p.read("x.npy")(3))
p.savefig("x.svg", p.plot({1, 2}))
print(io.open("x.svg"):read "a":find "<svg" ~= nil)
END
}
errors_name_the_line() { finds 't.lua:2: matmul: A is (2, 2) and B is (3, 3); wanted as many columns of A (2) as rows of B (3)' run << 'END'
print(select(2, pcall(function() local x = p.matmul(p.eye(2), p.eye(3)) return x end)))
END
}
nothing_is_global() { finds '0
true' run << 'END'
local stock, n = " _G _VERSION assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile "
    .. " math next os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type utf8 warn xpcall arg ", 0
for name in pairs(_G) do if not stock:find(" " .. name .. " ", 1, true) then n = n + 1; print(name) end end
print(n)
print(require "phasor" == p)
END
}
what_needs_a_session_says_so() { finds 't.lua:2: lesson: the course is in the phasor program: lessons need its session' run << 'END'
print(select(2, pcall(p.lesson, "rope")))
END
}
if sanitized; then skip_case a_stock_lua "a sanitizer build has no module" && exit 0; fi
"${lua:-false}" -v 2>&1 | grep -q '^Lua 5\.4' || { skip_case a_stock_lua "no Lua 5.4 on this machine" && exit 0; }
run_cases it_computes_derives_and_proves it_reads_writes_and_draws errors_name_the_line nothing_is_global what_needs_a_session_says_so
