-- A picture as a file, as text, and as what a front end asks for.
local tools, step, check = require "phasor.tools", require "phasor.figure", require "phasor.lib.plot_arguments"
local raise, seen, methods = tools.raise, tools.seen, step.methods
local set, is_figure, is_options = check.set, check.is_figure, check.is_options
local check_text, check_flag, check_number, check_options = check.text, check.flag, check.number, check.options

local option_words = require "phasor.lib.option_words"
local THEMES = option_words.declare("theme", {"light", "dark"}, "savefig", "svg", "png", "pdf")
local PAGE = set("width height theme")
local PIXELS = set("width height theme scale")
local TEXT = set("columns rows colours unicode")

local function page(who, o)
    for _, side in ipairs{"width", "height"} do
        local v = o[side]
        if v ~= nil and (math.type(v) ~= "integer" or v < 40 or v > 10000) then
            raise(("%s: %s is %s; wanted an integer from 40 to 10000"):format(who, side, seen(v)))
        end
    end
    if o.theme ~= nil then option_words.check(who, "theme", o.theme, THEMES) end
    local scale = o.scale == nil and 2 or check_number(who, "scale", o.scale)
    if scale < 0.1 or scale > 20 then raise(("%s: scale is %s; wanted a number from 0.1 to 20"):format(who, tostring(scale))) end
    return o.width or 0, o.height or 0, o.theme, scale, who
end

local function as_text(who, fig, o)
    for _, side in ipairs{"columns", "rows"} do
        local v = o[side]
        if v ~= nil and (math.type(v) ~= "integer" or v < 1 or v > 2000) then
            raise(("%s: %s is %s; wanted an integer from 1 to 2000"):format(who, side, seen(v)))
        end
    end
    if o.colours ~= nil and o.colours ~= 0 and o.colours ~= 256 and o.colours ~= 1 << 24 then
        raise(("%s: colours is %s; wanted 0, 256 or 16777216"):format(who, seen(o.colours)))
    end
    return step.terminal(fig, o.columns, o.rows, o.colours, check_flag(who, "unicode", o.unicode))
end

local FORMATS = {svg = PAGE, png = PIXELS, pdf = PAGE, txt = TEXT}

local function save(who, name, fig, options)
    check_text(who, "the name", name)
    local kind = type(name) == "string" and name:match("%.(%w+)$")
    kind = kind and kind:lower()
    if not kind or not FORMATS[kind] then
        raise(("%s: the name is %s; wanted .svg, .png, .pdf or .txt at its end"):format(who, seen(name)))
    end
    local o = check_options(who, options, FORMATS[kind])
    if kind == "txt" then
        step.save(name, as_text(who, fig, {columns = o.columns or 80, rows = o.rows, colours = o.colours or 0, unicode = o.unicode}), who)
    else step.save(name, step.draw(fig, kind, page(who, o)), who) end
end

-- last(): the picture that is meant when none is given
local function savefig_of(last)
    return function(name, fig, options, ...)
        if select("#", ...) > 0 then raise("savefig: more than 3 arguments given; wanted a name, a picture and options") end
        if options == nil and is_options(fig) then fig, options = nil, fig end
        if fig == nil then fig = last() end
        if fig == nil then raise("savefig: there is no picture yet; draw one first, as in plot(sin, {0, 10})") end
        if not is_figure(fig) then raise(("savefig: the picture is %s; wanted one, as plot gives it"):format(seen(fig))) end
        save("savefig", name, fig, options)
    end
end

function methods.save(fig, name, options) save("Figure:save", name, fig, options) end
function methods.text(fig, options) return as_text("Figure:text", fig, check_options("Figure:text", options, TEXT)) end
function methods.svg(fig, options) return step.draw(fig, "svg", page("Figure:svg", check_options("Figure:svg", options, PAGE))) end
function methods.png(fig, options) return step.draw(fig, "png", page("Figure:png", check_options("Figure:png", options, PIXELS))) end

-- What a session asks for besides text. Where PNG cannot be made, that is said once, and the text stands alone.
local KINDS = {["image/svg+xml"] = "svg", ["image/png"] = "base64", ["image/sixel"] = "sixel"}
local told = false

-- A notebook's colours are not those of the system around it, and a picture that is shown as an image knows only the latter. Inside a
-- page it follows the theme of JupyterLab, Notebook or VS Code; its names are its own there.
local DARK = ':is([data-jp-theme-light="false"],.vscode-dark,.theme-dark) .either ['
local pages = 0
local function for_page(svg)
    pages = pages + 1
    svg = svg:gsub("@media %(prefers%-color%-scheme:dark%){(.-)\n}</style>", function(rules) return rules:gsub("%.either %[", DARK) .. "\n</style>" end)
    local own = "p" .. pages .. "-"
    return (svg:gsub('(%sid=")', "%1" .. own):gsub("url%(#", "url(#" .. own):gsub('(href="#)', "%1" .. own))
end

local function mime(fig, accepted)
    local out, html = {}, false
    for _, mime in ipairs(accepted) do html = html or mime == "text/html" end
    for _, mime in ipairs(accepted) do
        if KINDS[mime] then
            local fine, data = tools.try(step.draw, fig, KINDS[mime], 0, 0, nil, 0, "display")
            if fine then
                out[mime] = data
                if html and mime == "image/svg+xml" then out["text/html"] = for_page(data) end
            elseif mime == "image/svg+xml" then raise(data)
            elseif not told then
                told = true
                warn(data)
            end
        end
    end
    return out
end

return {savefig_of = savefig_of, mime = mime}
