-- What pictures take: arguments read and checked, and the axes that most of them have.
local lab, tools = require "phasor", require "phasor.tools"
local step, values = require "phasor.figure", require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen
local option_words = require "phasor.lib.option_words"

local function class(v)
    local meta = type(v) == "userdata" and debug.getmetatable(v)
    return type(meta) == "table" and rawget(meta, "__name")
end
local function is_array(v) return class(v) == "Array" end
local function is_formula(v) return class(v) == "Expr" end
local function is_figure(v) return class(v) == "Figure" end

local function callable(f) return type(f) ~= "userdata" and values.callable(f) end -- an array is called for its elements
local plain, shape_text = values.is_plain_table, values.shape_text

-- A table that is no list: the options at the end of the arguments.
local function is_options(t) return plain(t) and rawget(t, 1) == nil and (next(t) == nil or type(next(t)) == "string") end

local function check_options(who, options, known)
    if options == nil then return {} end
    if not plain(options) then raise(("%s: the options are %s; wanted a table such as {title=\"...\"}"):format(who, seen(options))) end
    for key in next, options do
        if not known[key] then
            tools.unknown_option(who, key, known)
        end
    end
    return options
end

local function set(...)
    local out = {}
    for _, list in ipairs{...} do
        for name in list:gmatch("%a+") do out[name] = true end
    end
    return out
end

local function check_text(who, what, v)
    if v ~= nil and type(v) ~= "string" then raise(("%s: %s is %s; wanted text"):format(who, what, seen(v))) end
    return v
end

local function check_flag(who, what, v)
    if v ~= nil and type(v) ~= "boolean" then raise(("%s: %s is %s; wanted true or false"):format(who, what, seen(v))) end
    return v
end

local function check_number(who, what, v)
    if type(v) ~= "number" or v ~= v or v == math.huge or v == -math.huge then
        raise(("%s: %s is %s; wanted a finite number"):format(who, what, seen(v)))
    end
    return v
end

-- Real numbers as an array of so many dimensions.
local function real(who, what, v, most)
    if type(v) == "table" and plain(v) then v = lab.array(v) end
    if not is_array(v) then raise(("%s: %s is %s; wanted an array of numbers"):format(who, what, seen(v))) end
    if v.dtype == "c128" then raise(("%s: %s is complex; wanted real numbers, as of re(z), im(z) or abs(z)"):format(who, what)) end
    if v.dtype == "bool" then v = v:astype("f64") end
    if v.ndim < 1 or v.ndim > most then
        raise(("%s: %s has shape %s; wanted %s"):format(who, what, shape_text(v), most == 1 and "1 dimension" or "1 or 2 dimensions"))
    end
    return v
end

local function check_texts(who, what, v, n)
    if v == nil then return nil end
    if not plain(v) then raise(("%s: %s is %s; wanted a list of texts"):format(who, what, seen(v))) end
    for i = 1, #v do
        if type(v[i]) == "number" then v[i] = tostring(v[i]) end
        check_text(who, ("%s[%d]"):format(what, i), v[i])
    end
    if n and #v ~= n then raise(("%s: %d %s for %d; wanted as many"):format(who, #v, what, n)) end
    return v
end

-- ---- axes ------------------------------------------------------------------------------------------------------------

local AXES = "title xlabel ylabel xlim ylim log equal xticks yticks"

local function limits(who, what, v)
    if not plain(v) or #v ~= 2 then raise(("%s: %s is %s; wanted two numbers, as in {0, 1}"):format(who, what, seen(v))) end
    return check_number(who, what .. "[1]", v[1]), check_number(who, what .. "[2]", v[2])
end

-- {1, {0.125, "1/8"}} as the ticks of an axis: their texts and where they stand.
local function set_ticks(fig, who, axis, v)
    if v == nil then return end
    local texts, places = {}, {}
    if not plain(v) or #v == 0 or #v > 64 then raise(("%s: %sticks is %s; wanted 1 to 64 numbers, or {number, text}"):format(who, axis, seen(v))) end
    for i, tick in ipairs(v) do
        local name = ("%sticks[%d]"):format(axis, i)
        local at = plain(tick) and tick[1] or tick
        places[i] = check_number(who, name, at)
        texts[i] = check_text(who, name .. "[2]", plain(tick) and tick[2] or nil) or ("%.6g"):format(at)
    end
    step.names(fig, 1, axis, texts, places)
end

local LOGS = option_words.declare("log", {"x", "y", "xy"}, "plot", "bars")

local function set_axes(fig, who, o)
    step.text(fig, 1, "title", check_text(who, "title", o.title))
    step.text(fig, 1, "x", check_text(who, "xlabel", o.xlabel))
    step.text(fig, 1, "y", check_text(who, "ylabel", o.ylabel))
    if o.log ~= nil then
        option_words.check(who, "log", o.log, LOGS)
        step.scale(fig, 1, "x", o.log:find("x") ~= nil)
        step.scale(fig, 1, "y", o.log:find("y") ~= nil)
    end
    for _, axis in ipairs{"x", "y"} do
        local range = o[axis .. "lim"]
        if range ~= nil then
            local lo, hi = limits(who, axis .. "lim", range)
            step.range(fig, 1, axis, lo, hi, who .. ": " .. axis .. "lim")
        end
        set_ticks(fig, who, axis, o[axis .. "ticks"])
    end
    if check_flag(who, "equal", o.equal) then step.shape(fig, 1, true, false) end
end

return {
    class = class, is_array = is_array, is_formula = is_formula, is_figure = is_figure, callable = callable, is_options = is_options,
    options = check_options, set = set, text = check_text, texts = check_texts, flag = check_flag, number = check_number,
    real = real, limits = limits, set_axes = set_axes, AXES = AXES,
}
