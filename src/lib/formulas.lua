-- Formulas, the part that is better said in Lua: values over arrays, proofs of matrices entry by entry, moments, symmetry, induction.
local lab, tools, core, matrices = require "phasor", require "phasor.tools", require "phasor.formulas", require "phasor.lib.matrix"
local raise, is_expr, exact, prove_one, join = tools.raise, core.is_expr, core.exact, core.prove, core.join
local matrix, is_matrix = matrices.new, matrices.is_matrix

-- ---- values ----------------------------------------------------------------------------------------------------

local operators = {["+"] = "add", ["*"] = "mul", ["/"] = "div", ["^"] = "pow"}

-- The value of a formula in which some symbols are traced: by the operations that derivatives are known of, hence within the
-- real numbers; shared parts once.
local function traced(f, values)
    local seen, keep = {}, {} -- by the part itself; while it is kept no other part can come to be in its place
    local function walk(e)
        local part = exact.part(e)
        if seen[part] ~= nil then return seen[part] end
        keep[#keep + 1] = e
        local op, args, v = e.op, e.args, nil
        if op == "sym" or op == "at" then
            local text = tostring(e)
            v = values[text]
            if v == nil then raise(("evaluate: no value for %s"):format(text)) end
        elseif op == "sum" or op == "piecewise" then
            if op == "sum" then
                local written = lab.expand_sums(e)
                if written.op == "sum" then raise("evaluate: over traced arrays the bounds of a sum must be integers") end
                v = walk(written)
            else
                v = walk(args[#args])
                for i = #args - 2, 1, -2 do v = lab.where(walk(args[i]), walk(args[i + 1]), v) end
            end
        elseif #args == 0 then v = core.value(e, {})
        else
            local name = op == "-" and (#args == 1 and "neg" or "sub") or operators[op] or op
            local fn = lab[name]
            local a = walk(args[1])
            v = #args == 1 and fn(a) or fn(a, walk(args[2]))
        end
        seen[part] = v
        return v
    end
    return walk(f)
end

local function evaluate(f, values)
    if values ~= nil and type(values) ~= "table" then raise("evaluate: values: wanted a table such as {x = 1.5}") end
    local by_name = {}
    for k, v in next, values or {} do
        local name = is_expr(k) and tostring(k) or k
        if type(name) ~= "string" then raise("evaluate: values: wanted names or symbols as keys, such as {x = 1.5}") end
        by_name[name] = v
    end
    if is_matrix(f) then
        return f:map(function(e) return evaluate(e, values) end, true)
    end
    if not is_expr(f) then
        if type(f) == "number" then return f end
        raise("evaluate: f: wanted a formula")
    end
    local v = core.value(f, by_name)
    if v == nil then return traced(f, by_name) end
    return v
end

-- ---- proofs entry by entry ---------------------------------------------------------------------------------------

-- {{cos(t), -sin(t)}, ...} on one line, or only its shape when that is long
local function flat(m)
    local rows = {}
    for i = 1, m.rows do
        local row = {}
        for j = 1, m.cols do row[j] = tostring(m:at(i, j)) end
        rows[i] = "{" .. table.concat(row, ", ") .. "}"
    end
    local text = "{" .. table.concat(rows, ", ") .. "}"
    return #text <= 200 and text or ("a (%d, %d) matrix"):format(m.rows, m.cols)
end

-- Two matrices are equal when every entry is: one proof with the conditions of all; the first entry that is not proved is
-- the answer itself.
local function prove(...)
    local a, b, options = ...
    if not (is_matrix(a) or is_matrix(b)) then return prove_one(...) end
    a, b = matrix(a), matrix(b)
    if a.rows ~= b.rows or a.cols ~= b.cols then
        raise(("prove: shapes (%d, %d) and (%d, %d) differ"):format(a.rows, a.cols, b.rows, b.cols))
    end
    local verdicts = {}
    for i = 1, #a.entries do
        verdicts[i] = prove_one(a.entries[i], b.entries[i], options)
        if verdicts[i].strength ~= "proved" then return verdicts[i] end
    end
    return join(flat(a) .. " = " .. flat(b), verdicts, options)
end

-- ---- moments, symmetry, induction ---------------------------------------------------------------------------------

-- Symbols, matrices of symbols and tables of them as one list of blocks; their common size.
local function blocks(t, who, what)
    if is_expr(t) or is_matrix(t) then t = {t} end
    if type(t) ~= "table" or #t == 0 then raise(("%s: %s: wanted symbols, as in {x, y}"):format(who, what)) end
    local list, size = {}, nil
    for i = 1, #t do
        local block = is_matrix(t[i]) and t[i].entries or {t[i]}
        if size and size ~= #block then raise(("%s: %s: blocks of %d and %d symbols"):format(who, what, size, #block)) end
        size = #block
        for k = 1, size do
            if not is_expr(block[k]) then raise(("%s: %s: wanted symbols, as in {x, y}"):format(who, what)) end
            list[#list + 1] = block[k]
        end
    end
    return list, #t, size
end

local function random_symbols(who, ...)
    local list = {}
    for _, t in ipairs{...} do
        if is_expr(t) or is_matrix(t) then t = {t} end
        if type(t) ~= "table" then raise(who .. ": wanted random symbols after the formula") end
        for i = 1, #t do
            for _, e in ipairs(is_matrix(t[i]) and t[i].entries or {t[i]}) do list[#list + 1] = e end
        end
    end
    if #list == 0 then raise(who .. ": no random symbol given; write " .. who .. "(f, {q1, q2})") end
    return list
end

local function only_entry(f, who)
    if not is_matrix(f) then return f end
    if #f.entries ~= 1 then raise(who .. ": f is a matrix; wanted one formula") end
    return f.entries[1]
end

local function expectation(f, ...) return exact.moment(only_entry(f, "expectation"), random_symbols("expectation", ...), 1, "expectation") end
local function variance(f, ...) return exact.moment(only_entry(f, "variance"), random_symbols("variance", ...), 2, "variance") end

local function symmetric(f, t)
    local list, count, size = blocks(t, "symmetric", "the symbols")
    if count < 2 then -- true of anything
        raise("symmetric: the symbols: " .. (size > 1 and "a matrix moves as one block" or "only one") ..
            "; wanted two or more, as in {x, y}")
    end
    return exact.symmetric(only_entry(f, "symmetric"), list, count, size)
end

local function statements(t, what)
    if is_expr(t) then t = {t} end
    if type(t) == "boolean" then
        raise("induct: " .. what .. ": == and ~= between formulas are decided by Lua at once; write eq(a, b) or ne(a, b)")
    end
    if type(t) ~= "table" then raise("induct: " .. what .. ": wanted statements such as eq(a[n], n*a[1])") end
    return t
end

local function induct(what, n, from, given)
    return exact.induct(statements(what, "the statement"), n, from, statements(given, "the given equations"))
end

-- ---- products -------------------------------------------------------------------------------------------------------

local FACTORS = 1000 -- that are written out

local function integer(bound) return math.tointeger(tonumber(tostring(bound))) end

local function factors(f, i, lo, hi)
    local all = hi < lo and lab.rat(1) or lab.subst(f, i, lo)
    for k = lo + 1, hi do all = all * lab.subst(f, i, k) end
    return all
end

-- prod(f, i, lo, hi) of a formula: e^(log f) = f for every f that is not 0. Everything else is the laboratory's own.
local product_of_elements = lab.prod
local function product(...)
    local f, i = ...
    if not (is_expr(f) or is_expr(i)) then return product_of_elements(...) end
    if select("#", ...) ~= 4 or not is_expr(i) then raise("prod: a formula is multiplied as prod(f, i, lo, hi)") end
    local factor, index, lo, hi = core.range("prod", "the factor", ...)
    local first, last = integer(lo), integer(hi)
    if not (first and last) then return lab.exp(lab.sum(lab.log(factor), index, lo, hi)) end
    if last < first - 1 then raise(("prod: from %d down to %d"):format(first, last)) end
    if last - first >= FACTORS then raise(("prod: %d factors; at most %d are written out"):format(last - first + 1, FACTORS)) end
    return factors(factor, index, first, last)
end

-- ---- rows ----------------------------------------------------------------------------------------------------------

local rows = require "phasor.lib.rows"
local formula_row, proof_row = rows "formulas", rows "proofs"

formula_row("evaluate", evaluate, "f, {name = value, ...}",
    "The value of a formula for given values of its symbols.\nvalues: numbers, complex numbers or arrays, by name or" ..
        " by symbol ({[\"θ[0]\"] = 1} for a member). Arrays are broadcast, and each element has the value that the numbers there give:" ..
        " f64 arithmetic, complex where a value is; nan where the formula is undefined (0^0, log(0), 1/0, a sum whose upper bound" ..
        " is more than one below its lower one).\nOn a branch cut: log(x) of x < 0 has imaginary part π; asin(x) and acos(x) are" ..
        " −i·log(ix + √(1 − x²)) and π/2 less it, hence asin(2) = π/2 − 1.317i, as in enclose.",
    "x, y = sym \"x y\"\nevaluate(x^2 + y, {x = 3, y = 0.5})  --> 9.5\n" ..
        "evaluate(sin(x)^2 + cos(x)^2, {x = array{0, 1}}):sum()  --> 2.0\n" ..
        "evaluate(sqrt(x), {x = -4})  --> 0 + 2i\nevaluate(sqrt(x), {x = array{-4}})(1)  --> 0 + 2i\nevaluate(x^0, {x = 0})  --> nan")
proof_row("expectation", expectation, "f, {symbols}, ...",
    "The mean of f in independent symbols of mean 0 and variance 1.\nf: a polynomial in them, other symbols are" ..
        " constants; sums over members of a family are allowed. An error where a moment beyond the second is needed.",
    "q, k = symmatrix(\"q\", 3), symmatrix(\"k\", 3)\nexpectation(matmul(q.T, k), q, k)  --> 0")
proof_row("variance", variance, "f, {symbols}, ...",
    "The variance of f in independent symbols of mean 0 and variance 1.\nAs expectation. For every length at once:" ..
        " a sum over members of families whose summand uses them at the index.",
    "q, k, d, i = sym \"q\", sym \"k\", sym(\"d\", \"natural\"), sym(\"i\", \"integer\")\n" ..
        "prove(variance(sum(q[i]*k[i], i, 1, d), {q, k}), d).strength  --> proved")
proof_row("symmetric", symmetric, "f, {x1, x2, ...}",
    "Is f the same under every permutation of the symbols?\nThe symbols: or blocks of them (matrices), which move as a whole. The" ..
        " exchanges of neighbours generate all permutations; a refutation shows a point.",
    "x, y, z = sym \"x y z\"\nsymmetric(x*y + y*z + z*x, {x, y, z}).strength  --> proved\n" ..
        "symmetric(x + 2*y, {x, y}).strength  --> refuted")
proof_row("induct", induct, "statement, n, from, given",
    "a[n] = ... for all integers n >= from, by induction over a recurrence.\nstatement: eq(a[n], f), or a table of" ..
        " them that hold together. given: the recurrence eq(a[n+1], ...) and starting values eq(a[0], ...)." ..
        " Equations that no sequence meets prove nothing.",
    "a, n = sym \"a\", sym(\"n\", \"integer\")\n" ..
        "given = {eq(a[n+1], a[n] + a[1]), eq(a[0], 0)}\ninduct(eq(a[n], n*a[1]), n, 0, given).strength  --> proved")

lab.prod = tools.wrap(product)

return {apply = matrices.apply, class = matrices.class, prove = tools.wrap(prove)}
