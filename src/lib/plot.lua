-- Pictures: what a person calls. Arguments are read and checked here; the steps of plot.c build the scene.
-- Returns a table of the functions, and Figure's __mime as mime.
local lab, tools = require "phasor", require "phasor.tools"
local step, curve, values = require "phasor.figure", require "phasor.lib.sample", require "phasor.lib.values"
local check, files = require "phasor.lib.plot_arguments", require "phasor.lib.plot_files"
local option_words, methods = require "phasor.lib.option_words", step.methods
local declare, check_word = option_words.declare, option_words.check
local raise, seen, plain, shape_text = tools.raise, tools.seen, values.is_plain_table, values.shape_text
local class, is_array, is_formula, is_figure = check.class, check.is_array, check.is_formula, check.is_figure
local callable, is_options, set, real, limits = check.callable, check.is_options, check.set, check.real, check.limits
local check_options, check_text, check_texts, check_flag, check_number = check.options, check.text, check.texts, check.flag, check.number
local set_axes, AXES = check.set_axes, check.AXES
local INK = -1

-- ---- curves ----------------------------------------------------------------------------------------------------------

local STYLES = declare("style", {"line", "points", "both"}, "plot")
local CURVES = "label labels style band points certified thin"

-- {y1, y2, ...}, one array a curve, from an array or a (nested) table; rows of a matrix are curves.
local function curves_of(who, y)
    if plain(y) and is_array(y[1]) and y[1].ndim == 1 then
        local out = {}
        for i = 1, #y do out[i] = real(who, ("y[%d]"):format(i), y[i], 1) end
        return out
    end
    y = real(who, "y", y, 2)
    if y.ndim == 1 then return {y} end
    local out = {}
    for i = 1, #y do out[i] = y[i] end
    return out
end

-- x for each of the curves: shared, or counted from 1.
local function places_of(who, x, curves)
    local out = {}
    if x ~= nil then x = real(who, "x", x, 2) end
    for i, y in ipairs(curves) do
        local own = x
        if x == nil then own = lab.range(1, #y)
        elseif x.ndim == 2 then
            if #x ~= #curves then raise(("%s: x has %d rows for %d curves; wanted as many, or one x for all"):format(who, #x, #curves)) end
            own = x[i]
        end
        if #own ~= #y then
            raise(("%s: x has %d values, %s has %d; wanted as many%s"):format(who, #own, #curves > 1 and ("curve %d"):format(i) or "y", #y,
                #curves > 1 and #own == #curves and ", a curve in each row (y.T turns columns into rows)" or ""))
        end
        out[i] = own
    end
    return out
end

local function is_domain(v)
    return plain(v) and #v == 2 and type(v[1]) == "number" and type(v[2]) == "number"
end

local function check_domain(who, v)
    if not is_domain(v) then raise(("%s: the domain is %s; wanted its ends, as in plot(sin, {0, 10})"):format(who, seen(v))) end
    local a, b = check_number(who, "the domain's begin", v[1]), check_number(who, "the domain's end", v[2])
    if a >= b then raise(("%s: the domain goes from %s to %s; wanted the lower end first"):format(who, tostring(a), tostring(b))) end
    return a, b
end

-- The curves that (x, y) or (f, domain) stand for: lists of x, of y, and the range that a pole asks for.
local function read_curves(who, x, y, o, logarithmic)
    local list = plain(x) and (callable(x[1]) or is_formula(x[1])) and x or (callable(x) or is_formula(x)) and {x}
    if not list then
        if y == nil then x, y = nil, x end
        local curves = curves_of(who, y)
        return places_of(who, x, curves), curves
    end
    local a, b = check_domain(who, y)
    if logarithmic and a <= 0 then raise(("%s: the domain begins at %s; wanted a positive number on a logarithmic axis"):format(who, tostring(a))) end
    local xs, ys, range = {}, {}, nil
    for i, f in ipairs(list) do
        local integers
        if is_formula(f) then
            local assumption = curve.only_symbol(who, f).assumption
            integers = assumption == "integer" or assumption == "natural"
            f = curve.formula_function(who, f)
        end
        if not callable(f) then raise(("%s: item %d is %s; wanted functions or formulas"):format(who, i, seen(f))) end
        local pole
        if integers and b - a <= 10^6 then xs[i], ys[i] = curve.at_integers(who, f, a, b)
        else xs[i], ys[i], pole = curve.sample(who, f, a, b, logarithmic, o.points) end
        range = range or pole
    end
    return xs, ys, range, list
end

local function add_curves(fig, who, x, y, o, logarithmic)
    local style = o.style == nil and "line" or check_word(who, "style", o.style, STYLES)
    if o.points ~= nil and (math.type(o.points) ~= "integer" or o.points < 2 or o.points > 10^6) then
        raise(("%s: points is %s; wanted an integer from 2 to 1000000"):format(who, seen(o.points)))
    end
    local xs, ys, range, list = read_curves(who, x, y, o, logarithmic)
    local band_name = type(o.certified) == "string" and o.certified or "certified bounds"
    local certified = type(o.certified) == "string" or check_flag(who, "certified", o.certified)
    if certified then
        for i = 1, #ys do
            if not list or not is_formula(list[i]) then raise(who .. ": certified is for formulas, as in plot(f, {0, 10}, {certified=true})") end
        end
    end
    local labels = check_texts(who, "labels", o.labels, #ys)
    check_text(who, "label", o.label)
    local thin = check_flag(who, "thin", o.thin)
    local first = step.series(fig, 1)
    if o.band ~= nil then
        if not plain(o.band) or #o.band ~= 2 then raise(("%s: band is %s; wanted two arrays, as in {lower, upper}"):format(who, seen(o.band))) end
        local lo, hi = real(who, "band[1]", o.band[1], 1), real(who, "band[2]", o.band[2], 1)
        if #lo ~= #xs[1] or #hi ~= #xs[1] then raise(("%s: band has %d and %d values; wanted %d, as y has"):format(who, #lo, #hi, #xs[1])) end
        step.add(fig, 1, "band", xs[1], lo, hi, nil, nil, first)
    end
    for i = 1, certified and #ys or 0 do
        local a, b = check_domain(who, y)
        local lo, hi = curve.central(ys[i]:totable())
        local bx, lower, upper = curve.certified_band(who, list[i], a, b, math.max(hi - lo, 1e-300), logarithmic)
        step.add(fig, 1, "band", bx, lower, upper, nil, #ys == 1 and band_name or nil, first + i - 1)
    end
    for i = 1, #ys do
        local label = labels and labels[i] or i == 1 and o.label or nil
        if style ~= "points" then
            step.add(fig, 1, "line", xs[i], ys[i], nil, nil, label, first + i - 1)
            if thin then step.thin(fig, 1) end
        end
        if style ~= "line" then step.add(fig, 1, "points", xs[i], ys[i], nil, nil, style == "points" and label or nil, first + i - 1) end
    end
    return range
end

-- ---- the pictures ----------------------------------------------------------------------------------------------------

local last -- what savefig writes when it is given no picture

local function done(fig)
    last = fig
    return fig
end

-- Splits the arguments: what stands before the options.
local function split(who, most, ...)
    local n, args = select("#", ...), {...}
    local options
    if n > 1 and is_options(args[n]) then options, n = args[n], n - 1 end
    while n > 0 and args[n] == nil do n = n - 1 end
    if n == 0 then raise(who .. ": no data given; help(" .. who .. ") shows how") end
    if n > most then
        local hint = callable(args[1]) and "; wanted the ends of the domain in one table, as in plot(sin, {0, 10})" or "; wanted at most " .. most
        raise(("%s: %d arguments before the options%s"):format(who, n, hint))
    end
    return options, args[1], n > 1 and args[2] or nil, n > 2 and args[3] or nil
end

local PLOT = set(AXES, CURVES)
local function plot(...)
    local options, x, y = split("plot", 2, ...)
    local o = check_options("plot", options, PLOT)
    local fig = step.new(1, 1)
    set_axes(fig, "plot", o)
    local range = add_curves(fig, "plot", x, y, o, o.log ~= nil and o.log:find("x") ~= nil)
    if range and o.ylim == nil and not (o.log and o.log:find("y")) then step.range(fig, 1, "y", range[1], range[2], "plot") end
    return done(fig)
end

local MORE = set(CURVES)
function methods.plot(fig, ...)
    local options, x, y = split("Figure:plot", 2, ...)
    add_curves(fig, "Figure:plot", x, y, check_options("Figure:plot", options, MORE), step.is_log(fig, 1, "x"))
    return done(fig)
end

local LABEL = set("label")
function methods.band(fig, x, lower, upper, options)
    local o = check_options("Figure:band", options, LABEL)
    x, lower, upper = real("Figure:band", "x", x, 1), real("Figure:band", "lower", lower, 1), real("Figure:band", "upper", upper, 1)
    if #x ~= #lower or #x ~= #upper then
        raise(("Figure:band: x, lower and upper have %d, %d and %d values; wanted as many"):format(#x, #lower, #upper))
    end
    step.add(fig, 1, "band", x, lower, upper, nil, check_text("Figure:band", "label", o.label), step.series(fig, 1))
    return done(fig)
end

local RULES = set("x y label")
function methods.rule(fig, options)
    local o, xs, ys = check_options("Figure:rule", options, RULES), {}, {}
    for _, axis in ipairs{"x", "y"} do
        local v = o[axis]
        if v ~= nil then
            v = real("Figure:rule", axis, type(v) == "number" and {v} or v, 1)
            for i = 1, #v do
                xs[#xs + 1], ys[#ys + 1] = axis == "x" and v(i) or 0 / 0, axis == "y" and v(i) or 0 / 0
            end
        end
    end
    if #xs == 0 then raise("Figure:rule: neither x nor y given; wanted where the lines stand, as in {y=0}") end
    step.add(fig, 1, "rules", lab.array(xs), lab.array(ys), nil, nil, check_text("Figure:rule", "label", o.label), INK)
    return done(fig)
end

-- The least distance of neighbours; 1 when there is none.
local function least_step(x)
    local least = math.huge
    for i = 2, #x do
        local d = math.abs(x(i) - x(i - 1))
        if d > 0 and d < least then least = d end
    end
    return least < math.huge and least or 1
end

-- bars(values), bars(x, values), bars({"a", "b"}, values)
local function add_bars(fig, who, x, y, o)
    local names
    if y == nil then x, y = nil, x end
    if plain(x) and type(x[1]) == "string" then names, x = check_texts(who, "names", x), nil end
    local curves = curves_of(who, y)
    if names and #names ~= #curves[1] then raise(("%s: %d names for %d values; wanted as many"):format(who, #names, #curves[1])) end
    local xs, labels = places_of(who, x, curves), check_texts(who, "labels", o.labels, #curves)
    if names then step.names(fig, 1, "x", names)
    elseif lab.all(lab.eq(xs[1], lab.floor(xs[1]))) then step.whole(fig, 1, "x") end
    local first = step.series(fig, 1)
    local n, wide = #curves, 0.8 * least_step(xs[1]) / #curves -- several series stand side by side
    for i = 1, n do
        local half = n > 1 and lab.ones(#xs[i]) * (wide / 2) or nil
        local at = n > 1 and xs[i] + (i - (n + 1) / 2) * wide or xs[i]
        step.add(fig, 1, "bars", at, curves[i], half, nil, labels and labels[i] or i == 1 and check_text(who, "label", o.label) or nil, first + i - 1)
    end
    return fig
end

local BARS, MORE_BARS = set(AXES, "label labels"), set("label labels")
local function bars(...)
    local options, x, y = split("bars", 2, ...)
    local o = check_options("bars", options, BARS)
    local fig = step.new(1, 1)
    set_axes(fig, "bars", o)
    return done(add_bars(fig, "bars", x, y, o))
end
function methods.bars(fig, ...)
    local options, x, y = split("Figure:bars", 2, ...)
    return done(add_bars(fig, "Figure:bars", x, y, check_options("Figure:bars", options, MORE_BARS)))
end

local ARROWS = set("label faint")
function methods.arrows(fig, x, y, to_x, to_y, options)
    local who, o = "Figure:arrows", check_options("Figure:arrows", options, ARROWS)
    local ends = {x, y, to_x, to_y}
    for i, name in ipairs{"x", "y", "to_x", "to_y"} do
        ends[i] = real(who, name, ends[i], 1)
        if #ends[i] ~= #ends[1] then raise(("%s: %s has %d values, x has %d; wanted as many"):format(who, name, #ends[i], #ends[1])) end
    end
    step.add(fig, 1, "arrows", ends[1], ends[2], ends[3], ends[4], check_text(who, "label", o.label),
        check_flag(who, "faint", o.faint) and INK or step.series(fig, 1))
    return done(fig)
end

-- ---- matrices --------------------------------------------------------------------------------------------------------

local HEATMAP = set("title xlabel ylabel equal xticks yticks x y xnames ynames map range numbers digits label classes")
local MAPS = declare("map", {"even", "diverging", "grey"}, "heatmap")

local function signs(A)
    local negative, positive = false, false
    local lo, hi = lab.min(lab.where(lab.isfinite(A), A, 0)), lab.max(lab.where(lab.isfinite(A), A, 0))
    negative, positive = lo < 0, hi > 0
    return negative and positive
end

-- {{value, sign, name}, …} as three lists.
local function check_classes(list)
    local values, signs_of, names_of = {}, {}, {}
    if not plain(list) or #list == 0 or #list > 16 then raise(("heatmap: classes is %s; wanted 1 to 16 of {value, sign, name}"):format(seen(list))) end
    for i, k in ipairs(list) do
        if not plain(k) or type(k[1]) ~= "number" or type(k[2]) ~= "string" or type(k[3]) ~= "string" then
            raise(("heatmap: classes[%d] is %s; wanted {value, sign, name}, as in {1, \"P\", \"proved\"}"):format(i, seen(k)))
        end
        values[i], signs_of[i], names_of[i] = k[1], check_text("heatmap", "a sign", k[2]), check_text("heatmap", "a name", k[3])
    end
    return values, signs_of, names_of
end

local function heatmap(A, options, ...)
    if select("#", ...) > 0 then raise("heatmap: more than 2 arguments given; wanted a matrix and options") end
    local o = check_options("heatmap", options, HEATMAP)
    A = real("heatmap", "A", A, 2)
    if A.ndim == 1 then A = lab.reshape(A, 1, #A) end
    if A.size == 0 then raise(("heatmap: A has shape %s; wanted at least one row and one column"):format(shape_text(A))) end
    local fig = step.new(1, 1)
    set_axes(fig, "heatmap", {title = o.title, xlabel = o.xlabel, ylabel = o.ylabel, equal = o.equal, xticks = o.xticks, yticks = o.yticks})
    local map = o.map == nil and (signs(A) and "diverging" or "even") or check_word("heatmap", "map", o.map, MAPS)
    local lo, hi = 0 / 0, 0 / 0
    if o.range ~= nil then
        lo, hi = limits("heatmap", "range", o.range)
        if lo >= hi then raise(("heatmap: range goes from %s to %s; wanted the lower end first"):format(tostring(lo), tostring(hi))) end
    end
    local digits = o.digits
    if digits ~= nil and (math.type(digits) ~= "integer" or digits < 1 or digits > 17) then
        raise(("heatmap: digits is %s; wanted an integer from 1 to 17"):format(seen(digits)))
    end
    if check_flag("heatmap", "numbers", o.numbers) then
        digits = digits or 3
        if A.size > 4096 then raise(("heatmap: %d numbers; wanted at most 4096 cells with numbers"):format(A.size)) end
    else digits = nil end
    if o.classes ~= nil then digits = 3 end -- signs stand in the cells
    step.heat(fig, 1, A, map, lo, hi, digits)
    if o.classes ~= nil then step.classes(fig, 1, check_classes(o.classes)) end
    step.text(fig, 1, "heat", check_text("heatmap", "label", o.label))
    for k, axis in ipairs{"y", "x"} do
        if o[axis] ~= nil then
            local first, final = limits("heatmap", axis, o[axis])
            if first >= final and A.shape[k] > 1 then raise(("heatmap: %s goes from %s to %s; wanted the lower end first"):format(axis, tostring(first), tostring(final))) end
            step.cells(fig, 1, axis, first, final)
        end
        local names = check_texts("heatmap", axis .. "names", o[axis .. "names"], o[axis .. "names"] and A.shape[k])
        if names then step.names(fig, 1, axis, names) end
    end
    return done(fig)
end

-- ---- the unit circle -------------------------------------------------------------------------------------------------

local CIRCLE = set("title labels")
local function circle(phases, options, ...)
    if select("#", ...) > 0 then raise("circle: more than 2 arguments given; wanted phases and options") end
    local o = check_options("circle", options, CIRCLE)
    local z = phases
    if type(z) == "number" or class(z) == "Complex" then z = {z} end
    if plain(z) then z = lab.array(z) end
    if not is_array(z) or z.ndim ~= 1 then raise(("circle: the phases are %s; wanted a list of radians, or of complex numbers"):format(is_array(z) and shape_text(z) or seen(z))) end
    local x, y
    if z.dtype == "c128" then x, y = lab.re(z), lab.im(z)
    else x, y = lab.cos(z), lab.sin(z) end
    local labels = check_texts("circle", "labels", o.labels, o.labels and #z)
    local fig = step.new(1, 1)
    step.text(fig, 1, "title", check_text("circle", "title", o.title))
    step.shape(fig, 1, true, false)
    local t = lab.linspace(0, 2 * math.pi, 181)
    step.add(fig, 1, "line", lab.cos(t), lab.sin(t), nil, nil, nil, INK)
    for i = 1, labels and #z or 0 do
        step.add(fig, 1, "arrows", lab.array{0}, lab.array{0}, lab.array{x(i)}, lab.array{y(i)}, labels[i], i - 1)
    end
    if not labels and #z > 0 then step.add(fig, 1, "arrows", lab.zeros(#z), lab.zeros(#z), x, y, nil, 0) end
    return done(fig)
end

-- ---- several in one --------------------------------------------------------------------------------------------------

local function panels(list, ...)
    if select("#", ...) > 0 then raise("panels: more than 1 argument given; wanted a table, as in panels{p, q, columns=2}") end
    if not plain(list) or #list == 0 then raise(("panels: the argument is %s; wanted pictures, as in panels{p, q}"):format(seen(list))) end
    local n = #list
    if n > 64 then raise(("panels: %d pictures; wanted at most 64"):format(n)) end
    for key, v in next, list do
        if math.type(key) == "integer" then
            if not is_figure(v) then raise(("panels: item %d is %s; wanted a picture, as plot gives one"):format(key, seen(v))) end
            local rows, columns = step.size(v)
            if rows * columns ~= 1 then raise(("panels: item %d has %d panels itself; wanted single pictures"):format(key, rows * columns)) end
        elseif key ~= "columns" and key ~= "title" then
            tools.unknown_option("panels", key, {columns = true, title = true})
        end
    end
    local columns = list.columns or n < 4 and n or math.ceil(math.sqrt(n))
    if math.type(columns) ~= "integer" or columns < 1 or columns > 32 then raise(("panels: columns is %s; wanted an integer from 1 to 32"):format(seen(columns))) end
    if columns > n then columns = n end
    local fig = step.new((n + columns - 1) // columns, columns)
    step.text(fig, 1, "figure", check_text("panels", "title", list.title))
    for i = 1, n do step.copy(fig, i, list[i], 1) end
    return done(fig)
end

-- ---- the functions ---------------------------------------------------------------------------------------------------

local savefig = files.savefig_of(function() return last end)

for name, method in pairs(methods) do
    methods[name] = tools.wrap(function(fig, ...)
        if not is_figure(fig) then raise(("Figure:%s: the picture is %s; wanted one, as plot gives it"):format(name, seen(fig))) end
        if name ~= "plot" and name ~= "rule" and name ~= "band" and name ~= "bars" and name ~= "arrows" then return method(fig, ...) end
        local rows, columns = step.size(fig)
        if rows * columns ~= 1 then raise(("Figure:%s: the picture has %d panels; wanted a single one"):format(name, rows * columns)) end
        return method(fig, ...)
    end)
end

local functions = {plot = plot, heatmap = heatmap, bars = bars, circle = circle, panels = panels, savefig = savefig}
for name, f in pairs(functions) do functions[name] = tools.wrap(f) end
functions.mime = files.mime
return functions
