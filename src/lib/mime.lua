-- How values show themselves where more than plain text can stand: in a notebook, on a page. Each class gets a __mime(value, accepted)
-- that returns the forms among the accepted MIME types; plain text is there in any case.
local lab, tools = require "phasor", require "phasor.tools"

local ROWS, COLUMNS = 20, 12 -- of a table; what is more is left out in the middle

local escapes = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (tostring(text):gsub('[&<>"]', escapes)) end

-- The forms that somebody accepts, from functions of the value; a form that has nothing to say is left out.
local function mime(forms)
    return function(value, accepted)
        local out = {}
        for _, kind in ipairs(accepted) do out[kind] = forms[kind] and forms[kind](value) or nil end
        return out
    end
end

-- ---- arrays ----------------------------------------------------------------------------------------------------------

-- The indices that are shown of n: all, or the first and the last with 0 for what is left out between them.
local function shown(n, most)
    local out = {}
    if n > most then
        local half = most // 2
        for i = 1, half do out[i] = i end
        out[half + 1] = 0
        for i = n - half + 1, n do out[#out + 1] = i end
    else
        for i = 1, n do out[i] = i end
    end
    return out
end

local function cell_text(v) return math.type(v) == "float" and ("%.6g"):format(v) or tostring(v) end

-- A vector is one row. nil: no table shows it.
local function cells(A, rows, columns)
    if A.ndim < 1 or A.ndim > 2 or A.size == 0 then return nil end
    local high, wide = A.ndim == 2 and A.shape[1] or 1, A.shape[A.ndim]
    local out = {}
    for _, i in ipairs(shown(high, rows)) do
        local row = {}
        for _, j in ipairs(shown(wide, columns)) do
            if i == 0 or j == 0 then row[#row + 1] = false
            else row[#row + 1] = cell_text(A.ndim == 2 and A(i, j) or A(j)) end
        end
        out[#out + 1] = row
    end
    return out
end

local function array_html(A)
    local rows = cells(A, ROWS, COLUMNS)
    if not rows then return nil end
    for i, row in ipairs(rows) do
        for j, text in ipairs(row) do row[j] = "<td>" .. (text and escape(text) or "…") .. "</td>" end
        rows[i] = "<tr>" .. table.concat(row) .. "</tr>"
    end
    return ("<table><caption>%s (%s)</caption>%s</table>"):format(escape(A.dtype), table.concat(A.shape, ", "), table.concat(rows))
end

local function number_tex(text)
    if text == "inf" then return "\\infty" elseif text == "-inf" then return "-\\infty" end
    if text:find("nan", 1, true) then return "\\mathrm{NaN}" end
    local digits, power = text:match("^(.-)e([+-]?%d+)$")
    return digits and ("%s\\times10^{%d}"):format(digits, math.tointeger(tonumber(power))) or text
end

local function array_latex(A)
    local rows = cells(A, 10, 10)
    if not rows or A.dtype == "bool" or A.dtype == "c128" then return nil end
    for i, row in ipairs(rows) do
        for j, text in ipairs(row) do row[j] = text and number_tex(text) or "\\cdots" end
        rows[i] = table.concat(row, " & ")
    end
    return "$\\begin{bmatrix} " .. table.concat(rows, " \\\\ ") .. " \\end{bmatrix}$"
end

tools.class("Array").__mime = mime{["text/html"] = array_html, ["text/latex"] = array_latex}

-- ---- formulas and verdicts -------------------------------------------------------------------------------------------

local formula = mime{["text/latex"] = function(f) return "$\\displaystyle " .. f:latex() .. "$" end}
tools.class("Expr").__mime = formula
debug.getmetatable(lab.matrix{{0}}).__mime = formula

local function verdict_html(v)
    local line, strength = tostring(v), v.strength
    local rest = line:sub(1, #strength) == strength and line:sub(#strength + 1) or " " .. line
    return ('<div class="phasor-%s"><b>%s</b>%s</div>'):format(strength, strength, escape(rest))
end
tools.class("Verdict").__mime = mime{["text/html"] = verdict_html, ["text/latex"] = function(v) return v:latex() end}

-- ---- tables of text --------------------------------------------------------------------------------------------------

-- A Markdown table as HTML.
local function table_html(markdown)
    local rows = {}
    for line in markdown:gmatch("[^\n]+") do
        local body = line:match("^|(.*)|%s*$")
        if body and not body:find("^[%s:|-]+$") then
            local row = {}
            for text in (body .. "|"):gmatch("%s*(.-)%s*|") do row[#row + 1] = "<td>" .. escape(text) .. "</td>" end
            rows[#rows + 1] = "<tr>" .. table.concat(row) .. "</tr>"
        end
    end
    return "<table>" .. table.concat(rows) .. "</table>"
end

-- For what has a method markdown.
return {table = mime{["text/markdown"] = function(t) return t:markdown() end,
                     ["text/html"] = function(t) return table_html(t:markdown()) end}}
