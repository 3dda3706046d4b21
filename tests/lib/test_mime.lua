-- @prelude
accepted = {"text/html", "text/latex", "text/markdown", "image/svg+xml"}
empty = {br = true, hr = true, img = true, input = true, meta = true, col = true, wbr = true}
judge = {}

-- Every tag is closed by its own, and what stands between is text.
judge["text/html"] = function(text)
    local open = {}
    text = text:gsub("<style>.-</style>", "")
    local rest = text:gsub("<(/?)([%w:]+)([^<>]*)>", function(close, tag, more)
        if open.fault then return "" end
        if close == "/" then
            if open[#open] ~= tag then open.fault = ("</%s> closes <%s>"):format(tag, open[#open] or "") end
            open[#open] = nil
        elseif not empty[tag] and more:sub(-1) ~= "/" then open[#open + 1] = tag end
        return ""
    end)
    if open.fault then return open.fault end
    if rest:find("[<>]") and rest:find("<", 1, true) then return "a loose <" end
    if rest:gsub("&#?%w+;", ""):find("&", 1, true) then return "a loose &" end
    return open[1] and "<" .. open[1] .. "> is left open"
end
judge["image/svg+xml"] = function(text)
    if not text:find("^%s*<svg") and not text:find("^<%?xml") then return "no <svg" end
    return judge["text/html"]((text:gsub("<%?.-%?>", ""):gsub("<!%-%-.-%-%->", "")))
end
judge["text/latex"] = function(text)
    local depth = 0
    if not text:find("^%$.*%$$") then return "no $" end
    for sign in text:gsub("\\[{}\\]", ""):gmatch("[{}]") do
        depth = depth + (sign == "{" and 1 or -1)
        if depth < 0 then return "braces" end
    end
    return depth ~= 0 and "braces" or nil
end
judge["text/markdown"] = function(text) return not text:find("^|") and "no table" or nil end

function forms_of(v)
    local meta = debug.getmetatable(v)
    return (meta and meta.__mime or require("phasor.lib.mime").list)(v, accepted)
end
function form(v, kind) return forms_of(v)[kind] end
function has(v, kind, part) return form(v, kind):find(part, 1, true) ~= nil end
function offered(v)
    local out, forms = {}, forms_of(v)
    for _, kind in ipairs(accepted) do
        if forms[kind] then
            local fault = judge[kind](forms[kind])
            out[#out + 1] = kind .. (fault and ": " .. fault .. ": " .. forms[kind] or "")
        end
    end
    table.sort(out)
    return table.concat(out, " ")
end

x, y = sym "x y"
proved = prove((x + y)^2, x^2 + 2*x*y + y^2)
refuted = prove(x*y, x + 1)
certified = certify(lt(x^2, 3), {x = {0, 1}})
measured = measure{claim = "all is 0", value = 0, bound = 0, why = "exact"}
unknown = prove(gt(sin(x) + sin(Pi*x), -2))
moved = vary(function(p) return plot({p.a, 2*p.a}) end, {a = {1, 2, 3}})
-- As the atlas: what has a method markdown.
report = setmetatable({markdown = function() return "| name | a < b |\n|---|---|\n| `x` | 1 |\n" end},
    {__mime = require("phasor.lib.mime").table, __tostring = function() return "report" end})
