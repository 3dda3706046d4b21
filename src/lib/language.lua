-- language.lua: help on what has no function of its own: the language that a student writes.
local tools = require "phasor.tools"

local function page(name, help, example)
    tools.register{topic = "the language", name = name, args = "", help = help, example = example}
end

page("tour", "Five lines to begin with.\n" ..
    "Type an expression to see its value, a name = value to keep it. Every line below can be typed as it stands.\n" ..
    "Go on with help \"indexing\", help \"operators\", or help() for everything there is.",
[[
n = 4
positions = range(0, n - 1)
frequencies = array{1, 1/100}
angles = reshape(positions, n, 1) * frequencies
angles.shape  --> {4, 2}
concat({sin(angles), cos(angles)}, 2).shape  --> {4, 4}]])
page("indexing", "Parts of an array: elements, rows, slices.\n" ..
    "Indices count from 1, negative ones from the end. A(i, j) reads an element; A[{i, j}] reads and writes it. A[i] " ..
    "is a row. A[{ {first, last}, {} }] is a slice: {} is everything, {first} goes to the end, {first, last, step} " ..
    "takes every step-th, backwards when step is negative. Both ends belong to a slice.\n" ..
    "Rows and slices are views: writing to one writes to A. A:copy() cuts the tie. A[i] is nil just behind the last " ..
    "row, where ipairs stops; any other row that is not there is an error.",
[[
A = array{{1, 2, 3}, {4, 5, 6}}
A(2, -1)  --> 6.0
A[{ {}, {1, 2} }]:totable()  --> {{1.0, 2.0}, {4.0, 5.0}}
A[1] = 0
sum(A)  --> 15.0
A(3, 1)  --> error: index 3 is out of range for dimension 1 of size 2]])
page("operators", "+ - * / ^ // % on arrays, complex numbers and numbers.\n" ..
    "They work element by element; the product of matrices is matmul(A, B) or A:mm(B). Shapes broadcast as in NumPy: " ..
    "counted from the last dimension, sizes must be equal or 1, and a 1 is repeated. A table of numbers stands for an " ..
    "array.\n" ..
    "A == B is one boolean: equal shapes and equal elements. It is false between an array and a number; eq(A, 1) " ..
    "compares elements. < and <= have no meaning for a whole array: lt le gt ge compare elements.\n" ..
    "#A is the size of the first dimension. A .. \"text\" joins what A prints as.",
[[
(ones(2, 2) * {10, 100}):totable()  --> {{10.0, 100.0}, {10.0, 100.0}}
zeros(2, 3) + zeros(2)  --> error: add: shapes (2, 3) and (2) do not match
array{1, 2} == array{1, 2}  --> true
array{1, 2} < array{2, 3}  --> error: lt le gt ge]])
