-- Formulas, the part that is better said in Lua: values over arrays, matrices of formulas, proofs entry by entry.
-- Receives the laboratory's table, C's helpers and C's prove and scalar evaluation; returns what C calls.
local lab, tools, scalar_value, prove_one, is_expr = ...
local raise = tools.raise

local Matrix = {__name = "Matrix"}
local function is_matrix(v) return getmetatable(v) == Matrix end

-- ---- values ----------------------------------------------------------------------------------------------------

local operators = {["+"] = "add", ["*"] = "mul", ["/"] = "div", ["^"] = "pow"}

-- The value of a formula in which some symbols are arrays: operation by operation, shared parts once.
local function over_arrays(f, values)
    local seen = {}
    local function walk(e)
        local text = tostring(e)
        if seen[text] ~= nil then return seen[text] end
        local op, args, v = e.op, e.args, nil
        if op == "sym" or op == "at" then
            v = values[text]
            if v == nil then raise(("evaluate: no value for %s"):format(text)) end
        elseif op == "sum" or op == "piecewise" then
            if op == "sum" then
                local written = lab.expand_sums(e)
                if written.op == "sum" then raise("evaluate: over arrays the bounds of a sum must be integers") end
                v = walk(written)
            else
                v = walk(args[#args])
                for i = #args - 2, 1, -2 do v = lab.where(walk(args[i]), walk(args[i + 1]), v) end
            end
        elseif #args == 0 then v = scalar_value(e, {})
        else
            local name = op == "-" and (#args == 1 and "neg" or "sub") or operators[op] or op
            local fn = lab[name]
            local a = walk(args[1])
            v = #args == 1 and fn(a) or fn(a, walk(args[2]))
        end
        seen[text] = v
        return v
    end
    return walk(f)
end

local function is_scalar(v)
    local t = type(v)
    return t == "number" or t == "boolean" or t == "userdata" and debug.getmetatable(v).__name == "Complex"
end

local function evaluate(f, values)
    if values ~= nil and type(values) ~= "table" then raise("evaluate: values: wanted a table such as {x = 1.5}") end
    local by_name, scalars = {}, true
    for k, v in next, values or {} do
        local name = is_expr(k) and tostring(k) or k
        if type(name) ~= "string" then raise("evaluate: values: wanted names or symbols as keys, such as {x = 1.5}") end
        by_name[name] = v
        scalars = scalars and is_scalar(v)
    end
    if is_matrix(f) then
        return f:map(function(e) return evaluate(e, values) end, true)
    end
    if not is_expr(f) then
        if type(f) == "number" then return f end
        raise("evaluate: f: wanted a formula")
    end
    return scalars and scalar_value(f, by_name) or over_arrays(f, by_name)
end

-- ---- matrices ----------------------------------------------------------------------------------------------------

local function new(rows, cols, entries) return setmetatable({rows = rows, cols = cols, entries = entries}, Matrix) end

local function check_entry(v, who)
    if not is_expr(v) and math.type(v) ~= "integer" and not (type(v) == "number" and v == math.floor(v)) and not is_scalar(v) then
        raise(who .. ": an entry is no formula; wanted formulas, integers or rat(p, q)")
    end
    return is_expr(v) and v or lab.rat(1) * v
end

local function matrix(t)
    if is_matrix(t) then return t end
    if type(t) ~= "table" or #t == 0 then raise("matrix: wanted rows of formulas, as in matrix{{a, b}, {c, d}}") end
    if type(t[1]) ~= "table" or is_matrix(t[1]) then t = table.move(t, 1, #t, 1, {}) for i = 1, #t do t[i] = {t[i]} end end
    local rows, cols, entries = #t, #t[1], {}
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

function methods:map(f, to_array)
    local out = {}
    for i = 1, #self.entries do out[i] = f(self.entries[i]) end
    if to_array then return lab.reshape(lab.array(out), {self.rows, self.cols}) end
    return new(self.rows, self.cols, out)
end

function methods:t()
    local out = {}
    for j = 1, self.cols do
        for i = 1, self.rows do out[#out + 1] = self.entries[(i - 1) * self.cols + j] end
    end
    return new(self.cols, self.rows, out)
end

function methods:at(i, j)
    j = j or 1
    if i < 1 or i > self.rows or j < 1 or j > self.cols then
        raise(("matrix: no entry (%d, %d) in a matrix of %d rows and %d columns"):format(i, j, self.rows, self.cols))
    end
    return self.entries[(i - 1) * self.cols + j]
end

function methods:latex()
    local rows = {}
    for i = 1, self.rows do
        local row = {}
        for j = 1, self.cols do row[j] = self:at(i, j):latex() end
        rows[i] = table.concat(row, " & ")
    end
    return "\\begin{pmatrix}" .. table.concat(rows, " \\\\ ") .. "\\end{pmatrix}"
end

local function product(a, b)
    a, b = matrix(a), matrix(b)
    if a.cols ~= b.rows then
        raise(("matmul: shapes (%d, %d) and (%d, %d) do not chain"):format(a.rows, a.cols, b.rows, b.cols))
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
methods.mm = product

local function trace(m)
    local s = m:at(1, 1)
    for i = 2, math.min(m.rows, m.cols) do s = s + m:at(i, i) end
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

local special = {matmul = product, transpose = methods.t, trace = trace}

-- An operation of the laboratory with a matrix of formulas among its operands.
local function apply(name, ...)
    local n = select("#", ...)
    if special[name] then return special[name](...) end
    if n > 2 then raise(name .. ": not defined for matrices of formulas") end
    return each(name, ...)
end

function Matrix.__add(a, b) return each("add", a, b) end
function Matrix.__sub(a, b) return each("sub", a, b) end
function Matrix.__mul(a, b) return each("mul", a, b) end
function Matrix.__div(a, b) return each("div", a, b) end
function Matrix.__unm(a) return a:map(lab.neg) end
function Matrix.__call(m, i, j) return m:at(i, j) end
function Matrix.__index(m, k)
    if k == "T" then return m:t() end
    if methods[k] then return methods[k] end
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

-- ---- proofs entry by entry ---------------------------------------------------------------------------------------

-- Two matrices are equal when every entry is: one statement, the sum of squares of nothing, so that one verdict is given.
-- The first entry that is not proved is the answer; else the last verdict of the proved ones stands for all.
local function prove(...)
    local a, b, options = ...
    if not (is_matrix(a) or is_matrix(b)) then return prove_one(...) end
    a, b = matrix(a), matrix(b)
    if a.rows ~= b.rows or a.cols ~= b.cols then
        raise(("prove: shapes (%d, %d) and (%d, %d) differ"):format(a.rows, a.cols, b.rows, b.cols))
    end
    local widest
    for i = 1, #a.entries do
        local v = prove_one(a.entries[i], b.entries[i], options)
        if v.strength ~= "proved" then return v end
        if not widest or v.size > widest.size then widest = v end
    end
    return widest
end

-- ---- rows ----------------------------------------------------------------------------------------------------------

tools.register{topic = "formulas", name = "evaluate", fn = tools.wrap(evaluate), args = "f, {name = value, ...}",
    help = "The value of a formula for given values of its symbols.\nvalues: numbers, complex numbers or arrays, by name or" ..
        " by symbol ({[\"θ[0]\"] = 1} for a member). f64 arithmetic; with arrays, their operations and broadcasting.",
    example = "x, y = sym \"x y\"\nevaluate(x^2 + y, {x = 3, y = 0.5})  --> 9.5\n" ..
        "evaluate(sin(x)^2 + cos(x)^2, {x = array{0, 1}}):sum()  --> 2.0"}
tools.register{topic = "formulas", name = "matrix", fn = tools.wrap(matrix), args = "rows",
    help = "A matrix of formulas.\nrows: a table of rows, or of entries for one column. M(i, j) reads, M.T transposes," ..
        " + - * / work entry by entry, matmul(A, B) or A:mm(B) is the product.",
    example = "t = sym \"t\"\nR = matrix{{cos(t), -sin(t)}, {sin(t), cos(t)}}\nprove(matmul(R.T, R), matrix{{1, 0}, {0, 1}}).strength  --> proved"}
tools.register{topic = "formulas", name = "symmatrix", fn = tools.wrap(symmatrix), args = "name, rows [, columns] [, assumption]",
    help = "A matrix whose entries are symbols: W11, W12, ...\nrows, columns: 1 to 256; one column when left out." ..
        " assumption: as for sym.",
    example = "symmatrix(\"W\", 2, 2)  --> formulas (2, 2)\n--|   {W11, W12}\n--|   {W21, W22}"}

return apply, Matrix, tools.wrap(prove)
