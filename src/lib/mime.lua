-- How values show themselves where more than plain text can stand: in a notebook, on a page. Each class gets a __mime(value, accepted)
-- that returns the forms among the accepted MIME types; plain text is there in any case.
local lab, tools = require "phasor", require "phasor.tools"
local about = require "phasor.lib.about"

local ROWS, COLUMNS = 12, 12 -- of a table; what is more is left out in the middle

local escapes = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (tostring(text):gsub('[&<>"]', escapes)) end

local own = setmetatable({}, {__mode = "k"}) -- the functions that were made here

-- The forms that somebody accepts, from functions of the value; a form that has nothing to say is left out.
local function mime(forms)
    local function offer(value, accepted)
        local out = {}
        for _, kind in ipairs(accepted) do out[kind] = forms[kind] and forms[kind](value) or nil end
        return out
    end
    own[offer] = true
    return offer
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

-- They need the readers of formulas, which the start of a session can do without.
local function verdicts() return require "phasor.lib.verdict_forms" end

tools.class("Verdict").__mime = mime{["text/html"] = function(v) return verdicts().html(v) end,
                                     ["text/latex"] = function(v) return verdicts().latex(v) end}

-- ---- tables of text --------------------------------------------------------------------------------------------------

-- A Markdown table as HTML.
local function table_html(markdown)
    local rows = {}
    for line in markdown:gmatch("[^\n]+") do
        local body = line:match("^|(.*)|%s*$")
        if body and not body:find("^[%s:|-]+$") then
            local row, tag = {}, #rows == 0 and "th" or "td"
            for text in (body .. "|"):gmatch("%s*(.-)%s*|") do
                row[#row + 1] = ("<%s>%s</%s>"):format(tag, (escape(text):gsub("`([^`]*)`", "<code>%1</code>")), tag)
            end
            rows[#rows + 1] = "<tr>" .. table.concat(row) .. "</tr>"
        end
    end
    return "<table>" .. table.concat(rows) .. "</table>"
end

-- ---- several values --------------------------------------------------------------------------------------------------

-- The keys of a list in the order in which it is read: its places, then its names.
local function keys_of(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b)
        if type(a) ~= type(b) then return type(a) == "number" end
        if type(a) == "number" then return a < b end
        return tostring(a) < tostring(b)
    end)
    return keys
end

local MOST, DEPTH = 200, 4 -- values of a list that are shown, lists in lists that are opened

local function is_list(v)
    local meta = debug.getmetatable(v)
    return type(v) == "table" and not (meta and rawget(meta, "__tostring")) and not about.is_mutants(v)
end

-- Adds {label, value} for each value of a list and of those in it; true when a verdict is among them.
local function flatten(t, label, out, depth)
    local found = false
    for _, key in ipairs(keys_of(t)) do
        local v = t[key]
        local name = type(key) == "string" and (label == "" and key or label .. "." .. key) or label
        if #out == MOST then break end
        if is_list(v) and depth < DEPTH then found = flatten(v, name, out, depth + 1) or found
        else out[#out + 1], found = {name, v}, found or about.is_verdict(v) end
    end
    return found
end

-- What a table without forms of its own offers: one that holds verdicts, one a line, as text as well; what mutants() reports, in words.
local function list(t, accepted)
    local entries, out, page, forms = {}, {}, false, nil
    for _, kind in ipairs(accepted) do page = page or kind == "text/html" or kind == "text/latex" end
    if not page then return out end
    if about.is_verdict(t) then forms = {["text/html"] = verdicts().html(t), ["text/latex"] = verdicts().latex(t)}
    elseif about.is_mutants(t) then forms = verdicts().counts(t)
    elseif is_list(t) and flatten(t, "", entries, 1) then forms = verdicts().list(entries)
    else return out end
    for _, kind in ipairs(accepted) do out[kind] = forms[kind] end
    out["text/plain"] = forms["text/plain"]
    return out
end

-- One value where others stand beside it, under its label: as HTML where it has that or a picture, else as its text; and whether it has.
local function piece(v, accepted, label)
    local meta = debug.getmetatable(v)
    local offer = meta and meta.__mime or type(v) == "table" and list
    local forms = offer and offer(v, accepted) or {}
    local png = forms["image/png"]
    local rich = forms["text/html"] or forms["image/svg+xml"] or png and '<img src="data:image/png;base64,' .. png .. '">' or forms["text/latex"]
    local head = label and "<i>" .. escape(label) .. "</i>" or ""
    return "<div>" .. head .. (rich or "<pre>" .. escape(tools.shown(v)) .. "</pre>") .. "</div>", rich ~= nil
end

-- Several values as one piece of HTML; nil when their texts say as much, or nobody accepts it. labels: what they are called, or nil.
local function joined(accepted, labels, ...)
    local out, rich, wanted = {}, false, false
    for _, kind in ipairs(accepted) do wanted = wanted or kind == "text/html" end
    if not wanted then return nil end
    for i = 1, select("#", ...) do
        local html, has = piece((select(i, ...)), accepted, labels and labels[i])
        out[i], rich = html, rich or has
    end
    return rich and table.concat(out) or nil
end

-- table: for what has a method markdown. is_own: was a __mime made here, and not by a lesson?
return {list = list, is_own = function(offer) return own[offer] ~= nil end, joined = joined, forms = mime, labels = require "phasor.lib.results".labels,
        table = mime{["text/markdown"] = function(t) return t:markdown() end,
                     ["text/html"] = function(t) return table_html(t:markdown()) end}}
