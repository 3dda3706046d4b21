-- vary: a function of parameters that someone can move: arrow keys in the terminal, a control in a notebook or on a page.
--
-- Every state is a frame: {label = "base = 10000", values = {base = 10000}, text =, svg = (of a picture)}. A function that raises makes a
-- frame whose text says so.
local tools = require "phasor.tools"
local faults, ranges, values = require "phasor.lib.faults", require "phasor.lib.ranges", require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local FRAMES = 64 -- the most that are made ahead; of more parameters than that allows, each is moved by itself
local BEAT = 0.25 -- seconds from frame to frame of a parameter that moves by itself

local vary = {__name = "Vary"}
local methods = {}

-- ---- states ----------------------------------------------------------------------------------------------------------

local function value_text(v) return type(v) == "number" and ("%.7g"):format(v) or tostring(v) end

-- The place of each parameter's value, at the beginning.
local function start(self)
    local at = {}
    for i, p in ipairs(self.parameters) do at[i] = p.at end
    return at
end

local function state(self, at)
    local given, parts = {}, {}
    for i, p in ipairs(self.parameters) do
        given[p.name] = p.values[at[i]]
        parts[i] = p.label .. " = " .. value_text(p.values[at[i]])
    end
    return given, table.concat(parts, ", ")
end

local function is_figure(v)
    local meta = type(v) == "userdata" and debug.getmetatable(v)
    return type(meta) == "table" and rawget(meta, "__name") == "Figure"
end

-- What the function gives at a state: true and the value, or false and why not.
local function call(self, given)
    local copy = {}
    for name, v in pairs(given) do copy[name] = v end
    local ok, value = tools.try(self.f, copy)
    if ok then return true, value end
    return false, tostring(value)
end

local function text_of(value, size)
    if is_figure(value) then return value:text(size) end
    return type(value) == "string" and value or tools.shown(value)
end

-- The picture or the error of a state as text.
local function drawn(self, at, size)
    local given, label = state(self, at)
    local ok, value = call(self, given)
    local fine, text = true, nil
    if ok then fine, text = tools.try(text_of, value, size) end
    local fault = not ok and value or not fine and text
    if fault then
        local zh = tools.spoken() == "zh"
        local said = zh and "vary 的函数出错：%s" or "the function of vary raised an error: %s"
        return label, said:format(zh and faults.placed(tostring(fault)) or tostring(fault)), value, true
    end
    return label, (text:gsub("\n+$", "")), value
end

-- ---- frames ----------------------------------------------------------------------------------------------------------

local function total(self)
    local n = 1
    for _, p in ipairs(self.parameters) do n = n * #p.values end
    return n
end

-- The states that are shown ahead: all, or those in which one parameter is moved and the others stand as they begin.
local function states(self)
    local out = {}
    if total(self) <= FRAMES then
        local function fill(i, at)
            if i > #self.parameters then out[#out + 1] = table.move(at, 1, #at, 1, {}) return end
            for k = 1, #self.parameters[i].values do
                at[i] = k
                fill(i + 1, at)
            end
        end
        fill(1, {})
        return out
    end
    for i, p in ipairs(self.parameters) do
        for k = 1, #p.values do
            local at = start(self)
            if i == 1 or k ~= at[i] then
                at[i] = k
                out[#out + 1] = at
            end
        end
    end
    return out
end

local SIZE = {columns = 76, rows = 20, colours = 0}

function methods.frames(self)
    if rawget(self, "made") then return rawget(self, "made") end
    local out = {}
    for i, at in ipairs(states(self)) do
        local label, text, value, failed = drawn(self, at, SIZE)
        local given = state(self, at)
        local fine, svg = false, nil
        if is_figure(value) then fine, svg = tools.try(value.svg, value) end
        out[i] = {label = label, values = given, text = text, svg = fine and svg or nil, failed = failed}
    end
    rawset(self, "made", out)
    return out
end

-- The place of the state it begins with among the frames.
function methods.first(self)
    local _, label = state(self, start(self))
    for i, frame in ipairs(self:frames()) do if frame.label == label then return i end end
    return 1
end

-- ---- in the terminal -------------------------------------------------------------------------------------------------

function vary.__tostring(self)
    local label, text = drawn(self, start(self))
    return label .. "\n" .. text
end

local HINTS = {
    en = {move = "left/right: %s", choose = "up/down: another parameter", play = "space: run or stop", leave = "Enter or q: done"},
    zh = {move = "←/→：改变 %s", choose = "↑/↓：换一个参数", play = "空格：播放或停止", leave = "回车或 q：结束"},
}

local function hint(self, which, lang, columns)
    local w, parts = HINTS[lang] or HINTS.en, {}
    parts[1] = w.move:format(self.parameters[which].label)
    if #self.parameters > 1 then parts[#parts + 1] = w.choose end
    if self.parameters[which].play then parts[#parts + 1] = w.play end
    parts[#parts + 1] = w.leave
    local line = parts[#parts]
    for i = #parts - 1, 1, -1 do -- what does not fit is left out, but not how to leave
        local longer = parts[i] .. "   " .. line
        if tools.width(longer) < columns then line = longer end
    end
    return line
end

-- The beginning of a line, so many columns wide.
local function cut(line, columns)
    if tools.width(line) <= columns or line:find("\27", 1, true) then return line end -- a picture is as wide as it was asked to be
    local out, room = {}, columns
    for _, code in utf8.codes(line) do
        local char = utf8.char(code)
        room = room - tools.width(char)
        if room < 0 then break end
        out[#out + 1] = char
    end
    return table.concat(out)
end

-- Lines no wider than the terminal and no more than fit, so that as many rows can be taken back.
local function fitted(text, columns, rows)
    local out = {}
    for line in (text .. "\n"):gmatch("(.-)\n") do
        if #out < rows then out[#out + 1] = cut(line, columns) end
    end
    return out
end

local MOVES = {left = -1, right = 1}

-- What a key makes of a state; false: it ends the play.
local function moved(self, at, which, key, running)
    local n = #self.parameters
    local p = self.parameters[which]
    if key == "q" or key == "Q" or key == "enter" or key == "escape" or key == "end" then return false end
    if key == "none" and running then at[which] = at[which] % #p.values + 1
    elseif key == "space" and p.play then running = not running
    elseif MOVES[key] then at[which], running = math.max(1, math.min(#p.values, at[which] + MOVES[key])), false
    elseif (key == "up" or key == "down") and n > 1 then which, running = (which + (key == "up" and -2 or 0)) % n + 1, false
    elseif key == "up" or key == "down" then at[which], running = math.max(1, math.min(#p.values, at[which] + (key == "up" and 1 or -1))), false end
    return true, which, running
end

-- Moves through the states by keys; key(seconds) gives them, screen says what there is room for. It ends with the picture as it stands.
function vary.__play(self, key, screen)
    local columns, rows = screen.columns or 80, screen.rows or 24
    local size = {columns = math.min(columns - 1, 100), rows = math.max(4, math.min(20, rows - 6))}
    local at, which, running, before = start(self), 1, self.parameters[1].play, 0
    for i, p in ipairs(self.parameters) do if p.play then which, running = i, true end end
    while true do
        local label, text = drawn(self, at, size)
        local lines = fitted(label .. "\n" .. text, columns - 1, rows - 3)
        io.write(before > 0 and ("\27[%dA\27[J"):format(before) or "", table.concat(lines, "\n"), "\n", hint(self, which, screen.lang, columns), "\n")
        before = #lines + 1
        local on
        on, which, running = moved(self, at, which, key(running and BEAT or -1) or "end", running)
        if not on then
            io.write("\27[1A\27[J")
            return
        end
    end
end

-- ---- on a page -------------------------------------------------------------------------------------------------------

local escapes = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (tostring(text):gsub('[&<>"]', escapes)) end

local groups = 0

-- A control without a script: one radio button a frame, whose picture is shown while it is chosen.
local function html(self)
    groups = groups + 1
    local id, frames, first = ("phasor-vary-%d"):format(groups), self:frames(), self:first()
    local buttons, pictures, rules = {}, {}, {}
    for i, frame in ipairs(frames) do
        buttons[i] = ('<input type="radio" name="%s" id="%s-%d"%s><label for="%s-%d">%s</label>'):format(
            id, id, i, i == first and " checked" or "", id, i, escape(frame.label))
        pictures[i] = ('<div class="frame f%d">%s</div>'):format(i, frame.svg or "<pre>" .. escape(frame.text) .. "</pre>")
        rules[i] = ("#%s-%d:checked~.f%d"):format(id, i, i)
    end
    return ('<div class="phasor-vary" id="%s"><style>#%s .frame{display:none}#%s input{margin-left:.8em}%s{display:block!important}</style>%s%s</div>')
        :format(id, id, id, table.concat(rules, ","), table.concat(buttons), table.concat(pictures))
end

function vary.__mime(self, accepted)
    local out, first = {}, nil
    for _, kind in ipairs(accepted) do
        if kind == "text/html" then out[kind] = html(self)
        elseif kind == "image/svg+xml" then
            first = first or self:frames()[self:first()]
            out[kind] = first.svg
        end
    end
    return out
end

-- ---- making one ------------------------------------------------------------------------------------------------------

function vary.__index(self, key)
    if methods[key] then return methods[key] end
    values.unknown_field(key, "a vary", {frames = true, first = true, parameters = true})
end

-- vary(f, {name = range, ...})
return function(f, declared, ...)
    if select("#", ...) > 0 then raise("vary: more than 2 arguments given; wanted a function and its parameters") end
    if not values.callable(f) then raise(("vary: f is %s; wanted a function of a table, as in function(p) return plot(sin, {0, p.to}) end"):format(seen(f))) end
    if not values.is_plain_table(declared) or next(declared) == nil then
        raise(("vary: the parameters are %s; wanted ranges, as in {base = {100, 1e6}}"):format(
            values.is_plain_table(declared) and "an empty table" or seen(declared)))
    end
    local parameters = {}
    for _, name in ipairs(values.sorted_keys(declared)) do
        if type(name) ~= "string" then raise(("vary: a parameter is called %s; wanted a name"):format(seen(name))) end
        parameters[#parameters + 1] = ranges.read(name, declared[name])
    end
    return setmetatable({f = f, parameters = parameters}, vary)
end
