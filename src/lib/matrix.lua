-- Matrices of formulas: entries, arithmetic, exact linear algebra.
local lab, tools, core = require "phasor", require "phasor.tools", require "phasor.formulas"
local raise, is_expr, exact = tools.raise, core.is_expr, core.exact

local Matrix = {__name = "Matrix"}
local function is_matrix(v) return getmetatable(v) == Matrix end

local function is_scalar(v)
    local t = type(v)
    return t == "number" or t == "boolean" or t == "userdata" and debug.getmetatable(v).__name == "Complex"
end

local function new(rows, cols, entries) return setmetatable({rows = rows, cols = cols, entries = entries}, Matrix) end

local small = {} -- entries that come again and again: 0, 1, -1

local function check_entry(v, who)
    if not is_expr(v) and not is_scalar(v) or type(v) == "boolean" then
        raise(who .. ": an entry is no formula; wanted formulas, integers or rat(p, q)")
    end
    if is_expr(v) then return v end
    if math.type(v) == "integer" and small[v] then return small[v] end
    local e = lab.rat(1) * v
    if math.type(v) == "integer" and v >= -16 and v <= 16 then small[v] = e end
    return e
end

local function matrix(t)
    if is_matrix(t) then return t end
    if tools.is_array(t) then
        raise("matrix: an array holds floating-point numbers, which may be rounded; wanted exact entries, as in matrix{{1, 0}, {0, 1}}")
    end
    if type(t) ~= "table" or #t == 0 then raise("matrix: wanted rows of formulas, as in matrix{{a, b}, {c, d}}") end
    local rows = #t -- counted once: the length of a copy of a table with nil in it may be another
    if type(t[1]) ~= "table" or is_matrix(t[1]) then
        local column = {}
        for i = 1, rows do column[i] = {check_entry(t[i], "matrix")} end
        t = column
    end
    local cols, entries = #t[1], {}
    for i = 1, rows do
        if type(t[i]) ~= "table" or #t[i] ~= cols then
            raise(("matrix: row %d has %s entries; row 1 has %d"):format(i, type(t[i]) == "table" and #t[i] or "no", cols))
        end
        for j = 1, cols do entries[(i - 1) * cols + j] = check_entry(t[i][j], "matrix") end
    end
    return new(rows, cols, entries)
end

local function symmatrix(name, rows, cols, assumption)
    if type(name) ~= "string" then raise("symmatrix: name: wanted text, as in symmatrix(\"W\", 2, 3)") end
    for _, n in ipairs{rows, cols or 1} do
        if math.type(n) ~= "integer" or n < 1 or n > 256 then raise("symmatrix: a size is no integer from 1 to 256") end
    end
    if rows == nil then raise("symmatrix: no size given; write symmatrix(\"W\", 2, 3)") end
    cols = cols or 1
    local entries, apart = {}, (rows > 9 or cols > 9) and "_" or ""
    for i = 1, rows do
        for j = 1, cols do
            entries[#entries + 1] = lab.sym(name .. i .. (cols > 1 and apart .. j or ""), assumption)
        end
    end
    return new(rows, cols, entries)
end

local methods = {}

local function own(m, method)
    if not is_matrix(m) then raise(("matrix: %s: called without a matrix of formulas; write M:%s(...)"):format(method, method)) end
end

local function check_index(i)
    if math.type(i) ~= "integer" then raise("matrix: an index is " .. tools.seen(i) .. "; wanted two integers, row and column") end
end

function methods:map(f, to_array)
    own(self, "map")
    if type(f) ~= "function" then raise("matrix: map: wanted a function of an entry, got " .. tools.seen(f)) end
    local out = {}
    for i = 1, #self.entries do out[i] = f(self.entries[i]) end
    if to_array then return lab.reshape(lab.array(out), {self.rows, self.cols}) end
    return new(self.rows, self.cols, out)
end

function methods:t()
    own(self, "t")
    local out = {}
    for j = 1, self.cols do
        for i = 1, self.rows do out[#out + 1] = self.entries[(i - 1) * self.cols + j] end
    end
    return new(self.cols, self.rows, out)
end

function methods:at(i, j)
    own(self, "at")
    if j == nil then j = 1 end
    check_index(i)
    check_index(j)
    if i < 1 or i > self.rows or j < 1 or j > self.cols then
        raise(("matrix: no entry (%d, %d) in a matrix of %d rows and %d columns"):format(i, j, self.rows, self.cols))
    end
    return self.entries[(i - 1) * self.cols + j]
end

function methods:latex()
    own(self, "latex")
    local rows = {}
    for i = 1, self.rows do
        local row = {}
        for j = 1, self.cols do row[j] = self:at(i, j):latex() end
        rows[i] = table.concat(row, " & ")
    end
    return "\\begin{pmatrix}" .. table.concat(rows, " \\\\ ") .. "\\end{pmatrix}"
end

local function product(a, b, who)
    a, b = matrix(a), matrix(b)
    if a.cols ~= b.rows then
        raise(("%s: shapes (%d, %d) and (%d, %d) do not chain"):format(who, a.rows, a.cols, b.rows, b.cols))
    end
    local out = {}
    for i = 1, a.rows do
        for j = 1, b.cols do
            local s = a:at(i, 1) * b:at(1, j)
            for k = 2, a.cols do s = s + a:at(i, k) * b:at(k, j) end
            out[#out + 1] = s
        end
    end
    return new(a.rows, b.cols, out)
end
local function matmul(a, b) return product(a, b, "matmul") end
methods.mm = matmul

-- Two vectors, and here a vector is one column, give a number.
local function dot(a, b)
    a, b = matrix(a), matrix(b)
    if a.cols ~= 1 or b.cols ~= 1 then return product(a, b, "dot") end
    return product(a:t(), b, "dot"):at(1, 1)
end

local function square(m, who)
    if m.rows ~= m.cols then raise(("%s: %d rows and %d columns; wanted a square matrix"):format(who, m.rows, m.cols)) end
end

local function trace(m)
    square(m, "trace")
    local s = m:at(1, 1)
    for i = 2, m.rows do s = s + m:at(i, i) end
    return s
end

-- Elementwise, a scalar formula against every entry.
local function each(name, a, b)
    local f = lab[name]
    if b == nil then return a:map(f) end
    if not is_matrix(a) then return b:map(function(y) return f(a, y) end) end
    if not is_matrix(b) then return a:map(function(x) return f(x, b) end) end
    if a.rows ~= b.rows or a.cols ~= b.cols then
        raise(("%s: shapes (%d, %d) and (%d, %d) differ"):format(name, a.rows, a.cols, b.rows, b.cols))
    end
    local out = {}
    for i = 1, #a.entries do out[i] = f(a.entries[i], b.entries[i]) end
    return new(a.rows, a.cols, out)
end

-- ---- exact linear algebra ----------------------------------------------------------------------------------------

local function is_exact(m)
    for i = 1, #m.entries do if m.entries[i].op ~= "rat" then return false end end
    return true
end

-- Expansion by the first row, minors shared: entries may be any formulas.
local function expand_det(m)
    if m.rows > 8 then raise("det: of formulas, at most 8 rows") end
    local memo = {}
    local function minor(row, used) -- of rows row…n in the columns whose bit is not set in used
        if row > m.rows then return lab.rat(1) end
        if memo[used] then return memo[used] end
        local sum, sign = lab.rat(0), 1
        for j = 1, m.cols do
            if used & 1 << j == 0 then
                local e = m:at(row, j)
                if tostring(e) ~= "0" then
                    local term = e * minor(row + 1, used | 1 << j)
                    sum = sign > 0 and sum + term or sum - term
                end
                sign = -sign
            end
        end
        memo[used] = sum
        return sum
    end
    return minor(1, 0)
end

local function det(m)
    square(m, "det")
    if is_exact(m) then return exact.det(m.rows, m.cols, m.entries) end
    return expand_det(m)
end

local function rank(m, ...)
    if select("#", ...) > 0 then raise("rank: of formulas it is exact; wanted no tolerance") end
    return exact.rank(m.rows, m.cols, m.entries)
end

local function null_space(m)
    m = matrix(m)
    local entries, dimension = exact.null_space(m.rows, m.cols, m.entries)
    return dimension > 0 and new(m.cols, dimension, entries) or nil, dimension
end

local function solve(a, b)
    a, b = matrix(a), matrix(b)
    local entries, free = exact.solve(a.rows, a.cols, a.entries, b.rows, b.cols, b.entries)
    return new(a.cols, b.cols, entries), free
end

-- Gauss–Jordan would choose pivots by their values; the adjugate over the determinant needs none.
local function minor_of(m, i, j)
    local out = {}
    for r = 1, m.rows do
        for c = 1, m.cols do if r ~= i and c ~= j then out[#out + 1] = m:at(r, c) end end
    end
    return #out > 0 and det(new(m.rows - 1, m.cols - 1, out)) or lab.rat(1)
end

local function inverse(m)
    m = matrix(m)
    square(m, "inv")
    local d, out = det(m), {}
    for i = 1, m.rows do
        for j = 1, m.cols do
            local c = minor_of(m, j, i)
            out[#out + 1] = ((i + j) % 2 == 0 and c or -c) / d
        end
    end
    return new(m.rows, m.cols, out)
end

local function kron(a, b)
    a, b = matrix(a), matrix(b)
    local out = {}
    for i = 1, a.rows * b.rows do
        for j = 1, a.cols * b.cols do
            local r, c = (i - 1) // b.rows, (j - 1) // b.cols
            out[#out + 1] = a:at(r + 1, c + 1) * b:at(i - r * b.rows, j - c * b.cols)
        end
    end
    return new(a.rows * b.rows, a.cols * b.cols, out)
end

-- All entries with f between them, in pairs of halves: long ones stay shallow.
local function fold(list, f, first, last)
    if first == last then return list[first] end
    local mid = (first + last) // 2
    return f(fold(list, f, first, mid), fold(list, f, mid + 1, last))
end
local function over_all(f) return function(m) m = matrix(m) return fold(m.entries, f, 1, #m.entries) end end
local total = over_all(function(x, y) return x + y end)

local function softmax_of(list)
    local e = {}
    for i = 1, #list do e[i] = lab.exp(list[i]) end
    local s = fold(e, function(x, y) return x + y end, 1, #e)
    for i = 1, #e do e[i] = e[i] / s end
    return e
end

-- Along the last axis; of a column, as a vector is written here, over all.
local function softmax(m)
    m = matrix(m)
    if m.cols == 1 then return new(m.rows, 1, softmax_of(m.entries)) end
    local out = {}
    for i = 1, m.rows do
        table.move(softmax_of(table.move(m.entries, (i - 1) * m.cols + 1, i * m.cols, 1, {})), 1, m.cols, #out + 1, out)
    end
    return new(m.rows, m.cols, out)
end

local function norm(m)
    return lab.sqrt(total(matrix(m):map(function(x) return lab.abs(x)^2 end)))
end
local function logsumexp(m) return lab.log(total(matrix(m):map(lab.exp))) end

local function matpow(a, n)
    if math.type(n) ~= "integer" or n < -1000000 or n > 1000000 then
        raise("matpow: n: wanted an integer, the power")
    end
    if not is_matrix(a) then a = lab.array(a) end
    if n < 0 then a, n = lab.inv(a), -n end
    local power
    if is_matrix(a) then
        square(a, "matpow")
        local unit = {}
        for k = 1, a.rows * a.rows do unit[k] = lab.rat((k - 1) % (a.rows + 1) == 0 and 1 or 0) end
        power = new(a.rows, a.rows, unit)
    else
        if a.ndim ~= 2 then raise(("matpow: a has %d dimensions; wanted a square matrix"):format(a.ndim)) end
        power = lab.eye(#a)
    end
    while n > 0 do
        if n % 2 == 1 then power = lab.matmul(power, a) end
        n = n // 2
        if n > 0 then a = lab.matmul(a, a) end
    end
    return power
end

local special = {inv = inverse, kron = kron, softmax = softmax, norm = norm, logsumexp = logsumexp, sum = total,
    prod = over_all(function(x, y) return x * y end), max = over_all(lab.maximum), min = over_all(lab.minimum),
    mean = function(m) m = matrix(m) return total(m) / #m.entries end, matmul = matmul, dot = dot, transpose = methods.t, trace = trace, det = det, rank = rank, solve = solve}

-- An operation of the laboratory with a matrix of formulas among its operands.
local apply
function apply(name, ...)
    local n = select("#", ...)
    for i = 1, n do
        local v = select(i, ...)
        if type(v) == "table" and not is_matrix(v) then
            local list = {...}
            list[i] = matrix(v)
            return apply(name, table.unpack(list, 1, n))
        end
    end
    if special[name] then return special[name](...) end
    if n > 2 then raise(name .. ": not defined for matrices of formulas") end
    return each(name, ...)
end

function Matrix.__add(a, b) return each("add", a, b) end
function Matrix.__sub(a, b) return each("sub", a, b) end
function Matrix.__mul(a, b) return each("mul", a, b) end
function Matrix.__div(a, b) return each("div", a, b) end
function Matrix.__unm(a) return a:map(lab.neg) end
function Matrix.__pow(a)
    raise("^: of a matrix of formulas it is ambiguous; write matpow(A, n) for A A … A, A:map(function(x) return x^n end) for the entries")
end
function Matrix.__call(m, i, j) return m:at(i, j) end
function Matrix.__index(m, k)
    if k == "T" then return m:t() end
    if methods[k] then return methods[k] end
    if math.type(k) == "integer" then -- an entry of a column, a row of anything else
        if k < 1 or k > m.rows then return nil end
        if m.cols == 1 then return m.entries[k] end
        return new(1, m.cols, table.move(m.entries, (k - 1) * m.cols + 1, k * m.cols, 1, {}))
    end
    raise(("unknown field '%s' of a matrix of formulas; it has T, at, mm, map, latex, rows, cols"):format(tostring(k)))
end
function Matrix.__tostring(m)
    local rows = {}
    for i = 1, m.rows do
        local row = {}
        for j = 1, m.cols do row[j] = tostring(m:at(i, j)) end
        rows[i] = "  {" .. table.concat(row, ", ") .. "}"
    end
    return ("formulas (%d, %d)\n"):format(m.rows, m.cols) .. table.concat(rows, "\n")
end

-- ---- rows ----------------------------------------------------------------------------------------------------------

local rows = require "phasor.lib.rows"
local formula_row, proof_row = rows "formulas", rows "proofs"

formula_row("matrix", matrix, "rows",
    "A matrix of formulas.\nrows: a table of rows, or of entries for one column. M(i, j) reads, M.T transposes," ..
        " + - * / work entry by entry, matmul(A, B) or A:mm(B) is the product.",
    "t = sym \"t\"\nR = matrix{{cos(t), -sin(t)}, {sin(t), cos(t)}}\nprove(matmul(R.T, R), matrix{{1, 0}, {0, 1}}).strength  --> proved")
formula_row("symmatrix", symmatrix, "name, rows [, columns] [, assumption]",
    "A matrix whose entries are symbols: W11, W12, ...\nrows, columns: 1 to 256; one column when left out." ..
        " assumption: as for sym.",
    "symmatrix(\"W\", 2, 2)  --> formulas (2, 2)\n--|   {W11, W12}\n--|   {W21, W22}")
formula_row("matpow", matpow, "A, n",
    "The matrix power A A ... A.\nA: a square array or matrix of formulas. n: an integer; below 0 the inverse is taken." ..
        " Entry by entry is A^n for arrays.",
    "t = sym \"t\"\nR = matrix{{cos(t), -sin(t)}, {sin(t), cos(t)}}\n" ..
        "prove(matpow(R, 3)(1, 1), cos(3*t)).strength  --> proved\nmatpow(matrix{{1, 1}, {1, 0}}, 10)(1, 1)  --> 89")
proof_row("null_space", null_space, "A",
    "All x with A x = 0, exactly: a basis, in columns, and its size.\nA: a matrix of exact numbers; nil, 0 when only" ..
        " x = 0 is left.\nrank(A), det(A) and solve(A, b) of such matrices are exact too; solve returns one solution and how many unknowns" ..
        " are free. Source: Gauss elimination over the rational numbers.",
    "null_space(matrix{{1, -1, 0}, {0, 1, -1}})  --> formulas (3, 1)\n--|   {1}\n--|   {1}\n--|   {1}\t1\n" ..
        "rank(matrix{{1, 2}, {2, 4}})  --> 1\nsolve(matrix{{1, 2}, {3, 4}}, {5, 6})  --> formulas (2, 1)\n--|   {-4}\n--|   {9/2}\t0")

return {class = Matrix, is_matrix = is_matrix, new = matrix, apply = apply}
