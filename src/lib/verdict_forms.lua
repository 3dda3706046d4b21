-- verdict_forms.lua: verdicts in a notebook: what is said of each, what it is about as a formula, and its line, the strength in colour.
--
-- In HTML formulas are MathML, which every front end shows as it stands; TeX some would show as text. As LaTeX verdicts are one formula with
-- a line for each part, whose words stand in \text: front ends look for formulas only, and lose the ends of lines.
local about = require "phasor.lib.about"
local html = require "phasor.document.html"
local mathml = require "phasor.document.mathml"
local tools = require "phasor.tools"
local typed = require "phasor.document.typed"
local values = require "phasor.lib.values"

local M = {}

local escape = html.escape

-- Seen on light and on dark ground.
local colours = {proved = "#2da44e", certified = "#218bff", measured = "#bf8700", refuted = "#e5534b", unknown = "#8c959f"}

-- Bytes of a statement as it is typed: what is longer nobody reads beside its verdict.
local LONG = 200

local function one_line(text) return (text:gsub("%s*\n%s*", " ")) end

-- What stands before the verdict's own line in that of an entry (the course's named, fails, figure), without its colon.
local function heading(v, before, caption, tex)
    local statement = v.verdict.statement
    if not caption and #tex > 0 and statement then
        local first, last = before:find(statement, 1, true)
        if first then before = before:sub(1, first - 1) .. before:sub(last + 1) end
    end
    return (before:gsub("[%s:]+$", ""):gsub("：$", ""))
end

-- A verdict, or one under words of its own, as its parts: says (a sentence, its formulas marked, or nil), tex (a list of formulas), typed (the
-- statement, where there is neither and it is no sentence), strength and rest (the line, its formulas marked).
local function parts_of(v)
    local bare, lang, line = type(v) == "userdata", tools.spoken(), one_line(tools.shown(v))
    local verdict = bare and v or v.verdict
    local own = bare and line or one_line(tools.shown(verdict))
    local at = line:find(own, 1, true) or 1
    local caption, tex = about.caption(verdict, not bare and v.words or nil, lang), about.formulas(verdict, not bare and v.words or nil)
    local p = {says = caption, tex = tex}
    if not bare then
        local head = heading(v, line:sub(1, at - 1), caption, tex)
        p.says = head ~= "" and head or nil
    end
    if #table.concat(tex) > about.LONG_TEX then p.tex = {} end
    if #p.tex > 0 and p.says == verdict.statement then p.says = nil end
    local statement = not p.says and #p.tex == 0 and verdict.statement and #verdict.statement <= LONG and verdict.statement or nil
    p.says = p.says and typed.marked(p.says) or statement and typed.sentence(statement)
    p.typed = not p.says and statement or nil
    p.strength, p.rest = values.strength_first(line:sub(at))
    p.rest = typed.marked(p.rest, true)
    return p
end

-- ---- HTML --------------------------------------------------------------------------------------------------------------

local function formula_html(tex)
    local set = mathml.elsewhere(tex)
    return set and set:gsub('display="block"', 'displaystyle="true"', 1) or "<code>" .. escape(tex) .. "</code>"
end

-- A strength in its colour, and HTML behind it.
local function strong(strength, first, rest) return ('<b style="color:%s">%s</b>%s'):format(colours[strength] or colours.unknown, escape(first), rest) end

-- A line of text that says a strength first.
local function strong_line(strength, line)
    local first, rest = values.strength_first(line)
    return strong(strength, first, escape(rest))
end

-- label: what the verdict is called in its list.
function M.html(v, label)
    local p, out, colour = parts_of(v), {}, colours[v.strength] or colours.unknown
    local name = label and label ~= "" and "<i>" .. escape(label) .. "</i> " or ""
    local function line(body)
        out[#out + 1] = "<div>" .. name .. body .. "</div>"
        name = ""
    end
    if p.says then line(html.inline(p.says)) end
    for _, tex in ipairs(p.tex) do line(formula_html(tex)) end
    if p.typed then line("<code>" .. escape(p.typed) .. "</code>") end
    line(strong(v.strength, p.strength, html.light(p.rest)))
    return ('<div class="phasor-%s" style="border-left:.3em solid %s;padding-left:.6em;margin:.3em 0;overflow-x:auto">%s</div>'):format(
        v.strength, colour, table.concat(out))
end

-- Lines {mark, name, strength (false: its text is no verdict's), text} as a table, with something above and below.
function M.rows(above, lines, below)
    local out = {}
    for i, l in ipairs(lines) do
        out[i] = ('<tr><td>%s</td><td style="text-align:left">%s</td><td style="text-align:left">%s</td></tr>'):format(
            escape(l[1]), escape(l[2]), l[3] and strong_line(l[3], l[4]) or escape(l[4]))
    end
    return ("<div>%s</div><table>%s</table><div>%s</div>"):format(escape(above), table.concat(out), escape(below))
end

-- ---- LaTeX -------------------------------------------------------------------------------------------------------------

-- Signs that \text cannot show everywhere, as mathematics outside of it.
local outside = {["\\"] = "\\backslash ", ["^"] = "{\\wedge}", ["~"] = "{\\sim}", }
for sign in ("#$%&_{}"):gmatch(".") do outside[sign] = "\\" .. sign end
-- Those that stand between two things bring their own space.
for sign, tex in pairs{["<="] = "\\le ", [">="] = "\\ge ", ["≤"] = "\\le ", ["≈"] = "\\approx ", ["∈"] = "\\in ", ["<"] = "<", [">"] = ">"} do
    outside[sign], outside[" " .. sign .. " "] = tex, tex
end

-- The first of these signs from a place on, and its last byte; nil: there is none.
local function next_sign(text, from)
    local at, stop
    for sign in pairs(outside) do
        local first, last = text:find(sign, from, true)
        if first and (not at or first < at or first == at and last > stop) then at, stop = first, last end
    end
    return at, stop
end

-- Words as TeX: in \text (or another face) but for signs and powers of ten.
local function words(text, face)
    local out, from = {}, 1
    local function put(last) if last >= from then out[#out + 1] = face .. "{" .. text:sub(from, last) .. "}" end end
    while true do
        local first, last, digits, power = text:find("(%d[%d.]*)e([+-]?%d+)%f[^%w]", from)
        local at, stop = next_sign(text, from)
        if first and (not at or first < at) then
            put(first - 1)
            out[#out + 1], from = ("%s\\times10^{%d}"):format(digits, math.tointeger(tonumber(power))), last + 1
        elseif at then
            put(at - 1)
            out[#out + 1], from = outside[text:sub(at, stop)], stop + 1
        else
            put(#text)
            return table.concat(out)
        end
    end
end

-- A sentence: what stands between dollars is a formula already; other marks are dropped.
local function sentence(text)
    local bare = text:gsub("`", ""):gsub("%*%*(.-)%*%*", "%1"):gsub("%f[%*%w]%*([^%s*][^*]-)%*", "%1")
    return (("$" .. bare .. "$"):gsub("%$([^$]*)%$([^$]*)", function(said, math) return words(said, "\\text") .. math end))
end

local function add_rows(rows, v, label)
    local p = parts_of(v)
    local first = #rows + 1
    if p.says then rows[#rows + 1] = sentence(p.says) end
    for _, tex in ipairs(p.tex) do rows[#rows + 1] = tex end
    if p.typed then rows[#rows + 1] = words(p.typed, "\\texttt") end
    rows[#rows + 1] = words(p.strength, "\\textbf") .. sentence(p.rest)
    if label and label ~= "" then rows[first] = words(label .. "  ", "\\textit") .. rows[first] end
end

local GAP = "[.4em]" -- between two entries of a list

-- ends: the rows behind which an entry ends.
local function set(rows, ends)
    if #rows == 1 then return "$" .. rows[1] .. "$" end
    local out = {}
    for i, row in ipairs(rows) do out[i] = "&" .. row .. (i == #rows and "" or "\\\\" .. (ends and ends[i] and GAP or "")) end
    return "$\\begin{aligned}" .. table.concat(out) .. "\\end{aligned}$"
end

function M.latex(v)
    local rows = {}
    add_rows(rows, v)
    return set(rows)
end

-- ---- lists -------------------------------------------------------------------------------------------------------------

-- A value that is no verdict, as a line of text.
local function text_of(v) return about.is_mutants(v) and about.mutants(v, tools.spoken()) or tools.shown(v) end

-- entries: {label, value}; the three forms of the list.
function M.list(entries)
    local lines, page, rows, ends = {}, {}, {}, {}
    for i, e in ipairs(entries) do
        local label, v = e[1], e[2]
        lines[i] = (label ~= "" and label .. ": " or "") .. text_of(v)
        if about.is_verdict(v) then
            page[i] = M.html(v, label)
            add_rows(rows, v, label)
        else
            page[i] = "<div>" .. (label ~= "" and "<i>" .. escape(label) .. "</i> " or "") .. escape(text_of(v)) .. "</div>"
            rows[#rows + 1] = (label ~= "" and words(label .. "  ", "\\textit") or "") .. words(one_line(text_of(v)), "\\text")
        end
        ends[#rows] = true
    end
    return {["text/plain"] = table.concat(lines, "\n"), ["text/html"] = table.concat(page), ["text/latex"] = set(rows, ends)}
end

-- What mutants() reports.
function M.counts(m)
    local text = text_of(m)
    return {["text/html"] = "<div>" .. escape(text) .. "</div>", ["text/latex"] = "$" .. words(text, "\\text") .. "$"}
end

return M
