-- The atlas: every encoding against every law, a verdict in each cell. A row is judged when it is first looked at.
local lab, tools, laws = require "phasor", require "phasor.tools", require "phasor.atlas.laws"
local chinese, called = require "phasor.atlas.chinese", require "phasor.atlas.called"
local values, json = require "phasor.lib.values", require "phasor.lib.json"
local raise = tools.raise

local WIDTH, N_DEFAULT = 79, 512
local marks = {proved = "P", certified = "C", measured = "M", refuted = "x", unknown = "?"}

local function is_undefined(v) return v.strength == "unknown" and v.kind == "undefined" end
local function mark(v) return is_undefined(v) and "-" or marks[v.strength] end

local function nearest_error(what, key, known)
    key = type(key) == "string" and key or tostring(key)
    raise(("atlas: %s '%s'%s"):format(what, key:sub(1, 60), values.hint(key, known) or ""))
end

-- ---- rows ------------------------------------------------------------------------------------------------------------

local law_keys = {}
for _, law in ipairs(laws.list) do law_keys[law.key] = true end

local Row = {__name = "AtlasRow", __metatable = "a row of the atlas"}
local subject_of, size_of, judged, place_of = {}, {}, {}, {} -- by row, weakly: what the row shows is not to be written over
for _, t in ipairs{subject_of, size_of, judged, place_of} do setmetatable(t, {__mode = "k"}) end

-- Tells how far the table is, where it is judged row after row.
local function tell(row)
    local place = place_of[row]
    local before = place and place.rows[place.i - 1]
    if before and judged[before] and rawget(lab, "progress") then
        local name = subject_of[row].name
        lab.progress({en = "atlas: " .. name, zh = "全景图：" .. name}, (place.i - 1) / #place.rows)
    end
end

local function verdicts(row)
    if not judged[row] then
        tell(row)
        local cells, broken = laws.judge(subject_of[row], size_of[row])
        judged[row] = {cells = cells, broken = broken}
    end
    return judged[row]
end

-- A row without a name in its field has its own; a test wants one for each.
local function names_of(row) return called[subject_of[row].name] or {subject_of[row].name} end

local facts = {
    name = function(row) return subject_of[row].name end,
    encoding = function(row) return subject_of[row].encoding end,
    title = function(row) return subject_of[row].title end,
    title_zh = function(row) return subject_of[row].title_zh end,
    called = function(row) return names_of(row)[1] end,
    called_zh = function(row) return names_of(row)[2] or names_of(row)[1] end,
    kind = function(row) return subject_of[row].kind end,
    sample = function(row) return subject_of[row].sample end,
    learned = function(row) verdicts(row) return subject_of[row].parameters end,
    broken_claims = function(row) return table.move(verdicts(row).broken, 1, #verdicts(row).broken, 1, {}) end,
}

function Row.__index(row, key)
    if law_keys[key] then return verdicts(row).cells[key] end
    if facts[key] then return facts[key](row) end
    local known = {}
    for k in next, law_keys do known[k] = true end
    for k in next, facts do known[k] = true end
    nearest_error("unknown law", key, known)
end
function Row.__newindex() raise("atlas: its verdicts cannot be set") end

-- A law's verdict in words, and whether they are a verdict's line.
local function law_text(row, law, zh)
    local v = row[law.key]
    if is_undefined(v) then return zh and chinese.undefined or v.reason, false end
    if law.key == "parameters" then return zh and chinese.learned:format(row.learned, laws.T, laws.d, laws.H) or v.statement, false end
    return zh and v:text "zh" or tostring(v), true
end

-- What is said of a row in the language that is spoken: {head =, foot =, for each law {claimed (a star or not), name, strength (false: no verdict's line), text}}.
local function told(row)
    local subject, zh = subject_of[row], tools.spoken() == "zh"
    local limit, out = zh and subject.condition_zh or subject.condition, {}
    out.head = (zh and "%s：%s（%s）" or "%s: %s (%s)"):format(subject.name, zh and subject.title_zh or subject.title,
                                                              zh and chinese.kinds[subject.kind] or subject.kind)
    for i, law in ipairs(laws.list) do
        local text, judged_so = law_text(row, law, zh)
        out[i] = {law.name and subject.claims[law.name] and "*" or " ", zh and chinese.laws[law.key][1] or law.key,
                  judged_so and row[law.key].strength, text}
    end
    if zh then out.foot = chinese.claimed .. (limit and ("（%s）"):format(limit) or "")
    else out.foot = "* claimed by the encoding" .. (limit and " (" .. limit .. ")" or "") end
    return out
end

function Row.__tostring(row)
    local t, columns = told(row), 0
    local out = {t.head}
    for _, line in ipairs(t) do columns = math.max(columns, tools.width(line[2])) end
    for i, line in ipairs(t) do out[i + 1] = ("%s %s%s %s"):format(line[1], line[2], (" "):rep(columns - tools.width(line[2])), line[4]) end
    out[#out + 1] = t.foot
    return table.concat(out, "\n")
end

-- In a notebook, a line for each law, its strength in colour.
Row.__mime = require("phasor.lib.mime").forms{["text/html"] = function(row)
    local t = told(row)
    return require("phasor.lib.verdict_forms").rows(t.head, t, t.foot)
end}

local function new_row(subject, N)
    local row = setmetatable({}, Row)
    subject_of[row], size_of[row] = subject, N
    return row
end

-- ---- the table as text, Markdown, JSON -------------------------------------------------------------------------------

local function cell(row, law) return law.key == "parameters" and tostring(row.learned) or mark(row[law.key]) end

local CELL = 5 -- columns of a cell of the table

local LEGEND = "P proved  C certified  M measured  x refuted  ? open  - the law has no meaning"

-- A line of a block: what stands in front, and a cell for each of these laws.
local function line_of(first, width, list, what)
    local line = {first .. (" "):rep(width - #first)}
    for _, law in ipairs(list) do line[#line + 1] = ("%" .. CELL .. "s"):format(what(law)) end
    return table.concat(line)
end

-- The words above the columns, a row of them; where one is wider than its column, in two rows by turns, each above its column's last sign.
local function head_lines(width, list, zh)
    local words, widest, lines = {}, 0, {(" "):rep(width), (" "):rep(width)}
    for i, law in ipairs(list) do
        words[i] = zh and chinese.laws[law.key][3] or law.head
        widest = math.max(widest, tools.width(words[i]))
    end
    local two = widest > CELL - 1
    for i, word in ipairs(words) do
        local k, room = two and 2 - i % 2 or 1, tools.width(word)
        local from = width + CELL * i - (two and room // 2 + 1 or room)
        lines[k] = lines[k] .. (" "):rep(math.max(from - tools.width(lines[k]), 1)) .. word
    end
    return {lines[1], two and lines[2] or nil}
end

-- What the words above the columns mean, a line.
local function law_says(law, zh)
    local says = chinese.laws[law.key]
    if zh then return ("%s  %s：%s"):format(says[3] .. (" "):rep(4 - tools.width(says[3])), says[1], says[2]) end
    return ("%s: %s"):format(law.head:lower() == law.key and law.key or ("%s (%s)"):format(law.head, law.key), law.what)
end

-- The lines of the table: texts, or functions that give one, of rows that may still have to be judged.
local function lines_of(rows, N)
    local width, out = 0, {}
    for _, row in ipairs(rows) do width = math.max(width, #row.name) end
    local each, zh = math.max(1, (WIDTH - width) // CELL), tools.spoken() == "zh"
    for first = 1, #laws.list, each do
        local list = table.move(laws.list, first, math.min(first + each - 1, #laws.list), 1, {})
        if first > 1 then out[#out + 1] = "" end
        for _, line in ipairs(head_lines(width, list, zh)) do out[#out + 1] = line end
        for _, row in ipairs(rows) do
            out[#out + 1] = function() return line_of(row.name, width, list, function(law) return cell(row, law) end) end
        end
    end
    out[#out + 1] = ""
    out[#out + 1] = zh and chinese.legend or LEGEND
    for _, law in ipairs(laws.list) do out[#out + 1] = law_says(law, zh) end
    out[#out + 1] = zh and chinese.size:format(N) or ("N = %d. atlas(\"rope\") says all of a row, atlas().rope.even one verdict."):format(N)
    return out
end

-- Gives the table's lines one by one.
local function each_line(rows, N)
    local list, i = lines_of(rows, N), 0
    return function()
        i = i + 1
        local line = list[i]
        return type(line) == "function" and line() or line
    end
end

local function as_text(rows, N)
    local out = {}
    for line in each_line(rows, N) do out[#out + 1] = line end
    return table.concat(out, "\n")
end

local function as_markdown(rows, N)
    local head, rule, out = {"encoding"}, {"---"}, {}
    for _, law in ipairs(laws.list) do head[#head + 1], rule[#rule + 1] = law.key:gsub("_", " "), ":-:" end
    out[1] = "| " .. table.concat(head, " | ") .. " |"
    out[2] = "|" .. table.concat(rule, "|") .. "|"
    for _, row in ipairs(rows) do
        local line = {"`" .. row.name .. "`"}
        for _, law in ipairs(laws.list) do
            local v = row[law.key]
            line[#line + 1] = law.key == "parameters" and tostring(row.learned) or is_undefined(v) and "–" or v.strength
        end
        out[#out + 1] = "| " .. table.concat(line, " | ") .. " |"
    end
    out[#out + 1] = ""
    for _, law in ipairs(laws.list) do out[#out + 1] = ("- **%s**: %s"):format(law.key:gsub("_", " "), law.what) end
    out[#out + 1] = ("\nN = %d; – : the law has no meaning for that kind."):format(N)
    return table.concat(out, "\n")
end

local function row_json(row)
    local cells = {}
    for _, law in ipairs(laws.list) do
        cells[#cells + 1] = ('%s:{"mark":%s,"verdict":%s}'):format(json.text(law.key), json.text(cell(row, law)), row[law.key]:json())
    end
    return ('{"name":%s,"encoding":%s,"title":%s,"kind":%s,"sample":%s,"learned":%d,"cells":{%s}}'):format(json.text(row.name),
        json.text(row.encoding), json.text(row.title), json.text(row.kind), json.text(row.sample), row.learned, table.concat(cells, ","))
end

local function as_json(rows, N)
    local list, out = {}, {}
    for i, law in ipairs(laws.list) do
        list[i] = ('{"key":%s,"head":%s,"what":%s}'):format(json.text(law.key), json.text(law.head), json.text(law.what))
    end
    for i, row in ipairs(rows) do out[i] = row_json(row) end
    return ('{"N":%d,"T":%d,"d":%d,"H":%d,"laws":[%s],"rows":[%s]}'):format(N, laws.T, laws.d, laws.H, table.concat(list, ","),
        table.concat(out, ","))
end

-- ---- the atlas ---------------------------------------------------------------------------------------------------------

local Atlas = {__name = "Atlas", __metatable = "the atlas"}
Atlas.__mime = require("phasor.lib.mime").table
local contents = setmetatable({}, {__mode = "k"})

local members = {
    N = function(self) return contents[self].N end,
    rows = function(self) return table.move(contents[self].rows, 1, #contents[self].rows, 1, {}) end,
    laws = function()
        local out = {}
        for i, law in ipairs(laws.list) do
            local says = chinese.laws[law.key]
            out[i] = {key = law.key, head = law.head, what = law.what, zh = {name = says[1], head = says[3], what = says[2]}}
        end
        return out
    end,
    json = function() return function(self) return as_json(contents[self].rows, contents[self].N) end end,
    markdown = function() return function(self) return as_markdown(contents[self].rows, contents[self].N) end end,
}

local function row_named(self, key)
    local row = contents[self].by_name[key]
    if row then return row end
    local known, named = {}, nil
    for name in next, contents[self].by_name do
        known[name] = true
        if (name .. " "):find((" %s "):format(key), 1, true) and not (named and named < name) then named = name end -- yarn: rope yarn
    end
    if named then raise(("atlas: unknown encoding '%s'; did you mean '%s'?"):format(key, named)) end
    for name in next, members do known[name] = true end
    nearest_error("unknown encoding", key, known)
end

function Atlas.__index(self, key)
    if members[key] then return members[key](self) end
    return row_named(self, key)
end
function Atlas.__newindex() raise("atlas: its verdicts cannot be set") end
function Atlas.__tostring(self) return as_text(contents[self].rows, contents[self].N) end
function Atlas.__lines(self) return each_line(contents[self].rows, contents[self].N) end -- shown as they are judged

local made = setmetatable({}, {__mode = "v"}) -- by N: asked again, nothing is judged twice

local function atlas_of(N)
    if made[N] then return made[N] end
    local self = setmetatable({}, Atlas)
    local rows, by_name = {}, {}
    for i, subject in ipairs(laws.subjects()) do
        rows[i] = new_row(subject, N)
        place_of[rows[i]] = {rows = rows, i = i}
        by_name[subject.name] = rows[i]
    end
    contents[self] = {N = N, rows = rows, by_name = by_name}
    made[N] = self
    return self
end

local function atlas(...)
    local what, options = ...
    if select("#", ...) > 2 then raise(("atlas: %d arguments given; wanted a name, {N=}, or none"):format(select("#", ...))) end
    if type(what) == "table" and options == nil then what, options = nil, what end
    if options ~= nil and type(options) ~= "table" then raise("atlas: the last argument is no table; wanted {N=...}") end
    for key in next, options or {} do
        if key ~= "N" then raise(("atlas: unknown option '%s'; did you mean 'N'?"):format(tostring(key):sub(1, 40))) end
    end
    local N = options and options.N
    if N == nil then N = N_DEFAULT end
    local whole = type(N) == "number" and math.tointeger(N)
    if not whole or whole < 2 or whole > 65536 then
        raise(("atlas: N is %s; wanted a whole number from 2 to 65536"):format(type(N) == "number" and tostring(N) or "a " .. type(N)))
    end
    if what ~= nil and type(what) ~= "string" then
        raise(("atlas: the encoding is a %s; wanted its name, as in atlas(\"rope\")"):format(type(what)))
    end
    local all = atlas_of(whole)
    if what then return row_named(all, what) end
    return all
end

return atlas
