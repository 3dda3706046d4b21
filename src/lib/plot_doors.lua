-- plot_doors.lua: the names of the pictures. What draws them is read at the first call: every start would pay for it.
local tools = require "phasor.tools"
local row = require "phasor.lib.rows" "pictures"
local from = require("phasor.lib.option_words").from
from(function() return require "phasor.lib.pictures" end, "picture")
from(function() return require "phasor.lib.plot" end, "plot", "heatmap", "bars", "savefig", "svg", "png", "pdf")

local functions
local function draw(name, ...)
    if not functions then
        local plot = require "phasor.lib.plot"
        functions = setmetatable({picture = require "phasor.lib.pictures", vary = require "phasor.lib.vary"}, {__index = plot})
        tools.class("Figure").__mime = plot.mime
    end
    return functions[name](...)
end

local function door(name, args, help, example)
    row(name, function(...) return draw(name, ...) end, args, help, example)
end
-- Of a picture; lib/plot.lua has the method.
local function method(name, args, help, example)
    tools.register{topic = "pictures", name = "Figure:" .. name, args = args, help = help, example = example}
end

door("plot", "x, y [, {title=, xlabel=, ylabel=, label=, labels=, style=, log=, xlim=, ylim=, equal=, band=, points=, certified=, thin=, xticks=, yticks=}]",
    "Draws curves. Also plot(y), plot(f, {a, b}), plot({f, g}, {a, b}).\nx: positions, 1, 2, ... when left out. y: as many values; the rows of a matrix, " ..
        "or a list of arrays, are several curves. f: a function of a number, or a formula in one symbol; it is sampled more densely where it bends (points=n: " ..
        "at n places).\ntitle, xlabel, ylabel: texts. xlim, ylim: {from, to}. log: \"x\", \"y\" or \"xy\" for logarithmic axes. equal=true: one unit is as " ..
        "long in x as in y. xticks, yticks: numbers, or {number, text}, in place of the axis' own.\nlabel, labels: for the legend. thin=true: a finer " ..
        "pen, for data that jump. style: \"line\", \"points\" or \"both\". band: {lower, upper}, shaded. certified=true, for " ..
        "formulas: a band in which the curve lies for certain (a text in place of true: its name), over every interval that is drawn (ball arithmetic; at each " ..
        "integer, for an integer symbol).\nNaN and infinities are gaps; so is what is not positive on a logarithmic axis. At the prompt the picture is shown; " ..
        "p:plot(...), p:band(...) and p:rule{...} draw more into it; savefig writes it to a file.\nIn texts, $...$ holds a little TeX: $\\theta_i$, $10^{-4}$, " ..
        "$\\langle q, k\\rangle$.",
    "p = plot({1, 2, 3}, {1, 4, 9}, {title=\"squares\", style=\"both\"})\np:text{columns=30, colours=0}:match(\"squares\")  --> squares\nplot({1, 2}, {1, " ..
        "2, 3})  --> error: x has 2 values, y has 3\nplot(sin, {0, 10}, {lable=\"sin\"})  --> error: did you mean 'label'?")
door("heatmap", "A [, {title=, xlabel=, ylabel=, x=, y=, xnames=, ynames=, xticks=, yticks=, equal=, map=, range=, numbers=, digits=, label=, classes=}]",
    "Draws a matrix in colours, with a colour bar; the first row is on top.\nA: a matrix, or a list. x, y: {first, last}, what the first and last column " ..
        "(row) stand for; counted from 1 when left out. xnames, ynames: a text for each. xticks, yticks: numbers, or {number, text}. equal=true: " ..
        "square cells.\nmap: \"even\" (dark to light), \"diverging\" (0 in the middle; the " ..
        "default when A has both signs) or \"grey\". range: {lo, hi}, the values of the first and last colour. numbers=true: the values stand in the cells, " ..
        "with so many digits. label: of the colour bar. classes: {{value, sign, name}, ...}, when values are kinds and not amounts: the sign stands in the " ..
        "cell, and a legend says the name; the value nan is for cells without one.\nThe maps have steps that look equal, and differ in lightness for every " ..
        "kind of colour vision. What is nan stays empty in colours, and is hatched without. " ..
        "Where there is room for fewer cells than entries, neighbours are averaged.\nIn texts, $...$ holds a little TeX: $\\theta_i$, " ..
        "$10^{-4}$, $\\langle q, k\\rangle$.",
    "p = heatmap({{1, -1}, {0, 2}}, {numbers=true, title=\"scores\"})\np:text{columns=30, colours=0}:match(\"scores\")  --> scores\nkinds = {{0, \"n\", " ..
        "\"no\"}, {1, \"y\", \"yes\"}}\np = heatmap({{0, 1}}, {classes=kinds})\np:text{columns=30, colours=0}:match(\"yes\")  --> yes\nheatmap({{}})  --> " ..
        "error: wanted at least one row")
door("bars", "[x,] y [, {title=, xlabel=, ylabel=, label=, labels=, log=, xlim=, ylim=, equal=, xticks=, yticks=}]",
    "Draws bars from 0.\nx: positions, or a list of names. y: as many values; rows of a matrix are several series.\ntitle, xlabel, ylabel: texts. xlim, " ..
        "ylim: {from, to}. log: \"x\", \"y\" or \"xy\" for logarithmic axes. equal=true: one unit is as long in x as in y. xticks, yticks: numbers, " ..
        "or {number, text}, in place of the axis' own.\nIn texts, $...$ holds a little " ..
        "TeX: $\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
    "p = bars({\"RoPE\", \"ALiBi\"}, {0.9, 0.7})\np:text{columns=30, colours=0}:match(\"ALiBi\")  --> ALiBi")
door("circle", "phases [, {title=, labels=}]",
    "Draws arrows on the unit circle.\nphases: angles in radians, anticlockwise from the axis of x; or complex numbers, which may leave the circle. " ..
        "labels: a text for each, in the legend.\nIn texts, $...$ holds a little TeX: $\\theta_i$, $10^{-4}$, $\\langle q, k\\rangle$.",
    "p = circle({0, 1, 2}, {labels={\"m = 0\", \"m = 1\", \"m = 2\"}})\np:text{columns=40, colours=0}:match(\"m = 2\")  --> m = 2")
door("panels", "{p, q, ... [, columns=] [, title=]}",
    "Puts pictures side by side.\ncolumns: how many in a row. On a narrow terminal they stand below each other.",
    "p = panels{plot(sin, {0, 6}), plot(cos, {0, 6}), title=\"both\"}\np:text{columns=60, colours=0}:match(\"both\")  --> both")
door("savefig", "name [, picture] [, {width=, height=, theme=, scale=}]",
    "Writes a picture to a file: .svg, .png, .pdf or .txt.\npicture: the last one drawn when left out. width, height: of a panel, in pixels. theme: " ..
        "\"light\" or \"dark\"; without one an .svg follows its reader's screen. scale: image pixels for a pixel, for .png (2). For .txt: columns (80), rows, " ..
        "colours (0), unicode.\nThe file is written whole or not at all. PNG and PDF need the libraries librsvg and cairo, which are opened then.",
    "savefig(\"p.bmp\", plot({1, 2}))  --> error: wanted .svg, .png, .pdf or .txt")
door("picture", "[name [, options]]",
    "A picture of the course, from its numbers; without a name, a list.\nname: \"encoding\" (the matrix of sines and cosines), \"decay\" (inner products " ..
        "over distance, the integral in a band that certainly holds it), \"wavelengths\", \"rope\" (turns on the circle), \"biases\" (one matrix of scores " ..
        "under each bias), \"scaling\" (frequencies under PI, NTK and YaRN), \"hessian\" (of one attention layer), \"paths\" (from the first word to " ..
        "the last, through a recurrent network and through attention), \"atlas\" (encodings and laws). The " ..
        "list shows each one's options with their defaults; lang=\"zh\": its words are Chinese.",
    "picture(\"wavelengths\", {d=64}):text{columns=60}:match(\"512\")  --> 512\npicture(\"decai\")  --> error: did you mean 'decay'?\npicture(\"rope\", " ..
        "{dd=4})  --> error: unknown option 'dd' of rope")
door("vary", "f, {name = range, ...}",
    "A picture with parameters to move.\nBy arrow keys in the terminal, by a control in a notebook or on a page. f: a function of a table of the " ..
        "parameters' values; what it returns is shown: a picture, or anything else as text. A range is {from, to}, with step=, log= and default= if you like " ..
        "(logarithmic by itself where it spans a factor of 100), or {choices = {...}}, or a list of three values or more. play=true: the parameter moves by " ..
        "itself. label=\"…\": how it is called where it is shown. Left and right change a value, up and down choose a parameter, Enter or q leaves. " ..
        ":frames() is a list of {label=, values=, text=, svg=}, all states (or, where they are more than 64, those in which one parameter moves); :first() is the place of the state it begins with.",
    "v = vary(function(p) return p.n^2 end, {n = {1, 3}})\nv:frames()[3].label  --> n = 3\nvary(sin, {n = {3, 1}})  --> error: wanted the lower end first")
method("plot", "x, y [, options]",
    "Draws more into a picture: arguments as of plot.\nOptions that a curve has by itself (label, style, band, points) count; title, axes and ranges are " ..
        "the picture's. Returns the picture.",
    "p = plot({1, 2}, {3, 4}, {label=\"a\"})\nrawequal(p:plot({1, 2}, {4, 3}, {label=\"b\"}), p)  --> true")
method("band", "x, lower, upper [, {label=}]",
    "Shades what lies between two curves, as an error bound.\nx, lower, upper: arrays of one length.",
    "p = plot({1, 2}, {3, 4})\nrawequal(p:band({1, 2}, {2, 3}, {4, 5}), p)  --> true")
method("bars", "x, y [, {label=}]",
    "Adds bars, as of bars.",
    "p = bars({1, 2, 3})\nrawequal(p:bars({1, 2, 3}, {1, 0, 1}), p)  --> true")
method("arrows", "x, y, to_x, to_y [, {label=, faint=}]",
    "Draws arrows from (x, y) to (to_x, to_y), as the edges of a graph.\nAll four: arrays of one length. faint=true: in grey.",
    "p = plot({1, 2}, {1, 2}, {style=\"points\"})\nrawequal(p:arrows({1}, {1}, {2}, {2}, {label=\"a step\"}), p)  --> true")
method("rule", "{x=, y= [, label=]}",
    "Draws straight lines across a picture.\nx: where upright ones stand; y: where level ones do; numbers or lists.",
    "p = plot({1, 2}, {3, 4})\nrawequal(p:rule{y=3.5, label=\"the bound\"}, p)  --> true")
method("text", "[{columns=, rows=, colours=, unicode=}]",
    "The picture as lines of text, as a terminal shows it.\ncolumns, rows: at most so many; the screen's when left out. colours: 0, 256 or 16777216. " ..
        "unicode=false: ASCII only.",
    "p = plot({1, 2}, {3, 4})\np:text{columns=40, colours=0}:match(\"3.5\")  --> 3.5")
method("svg", "[{width=, height=, theme=}]",
    "The picture as SVG.\nwidth, height: of each panel, in pixels. theme: \"light\" or \"dark\"; without one it follows its reader's screen. The same " ..
        "picture gives the same text on every machine.",
    "plot({1, 2}, {3, 4}):svg():sub(1, 4)  --> <svg")
method("png", "[{width=, height=, theme=, scale=2}]",
    "The picture as the bytes of a PNG.\nscale: image pixels for a pixel of the SVG. Needs the libraries librsvg and cairo.",
    "plot({1, 2}, {3, 4}):png{scale=0}  --> error: wanted a number from 0.1 to 20")
method("save", "name [, options]",
    "Writes the picture to a file, as savefig(name, picture, options).",
    "p = plot({1, 2}, {3, 4})\np:save(\"p.bmp\")  --> error: wanted .svg, .png, .pdf or .txt")
