-- The pictures of the course: what each encoding looks like. Written with what anyone can call. Returns the
-- function picture.
local lab, tools = require "phasor", require "phasor.tools"
local curve, values = require "phasor.lib.sample", require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen
local option_words = require "phasor.lib.option_words"
local LANGUAGES = option_words.declare("lang", {"en", "zh"}, "picture")

local function whole(name, what, v, least, most)
    if math.type(v) ~= "integer" or v < least or v > most then
        raise(("picture: %s: %s is %s; wanted an integer from %d to %d"):format(name, what, seen(v), least, most))
    end
    return v
end

local function positive(name, what, v, most)
    if type(v) ~= "number" or not (v > 0 and v <= most) then
        raise(("picture: %s: %s is %s; wanted a number above 0, at most %g"):format(name, what, seen(v), most))
    end
    return v
end

-- ---- each picture: its options with their defaults, and a function of them ------------------------------------------------

local pictures = {}

pictures.encoding = {about = "the position vectors of sines and cosines", options = {T = 64, d = 64, base = 10000}, draw = function(o)
    local T, d = whole("encoding", "T", o.T, 1, 4096), whole("encoding", "d", o.d, 2, 4096)
    return lab.heatmap(lab.sinusoidal(T, d, {base = positive("encoding", "base", o.base, 1e300)}), {x = {0, d - 1}, y = {0, T - 1},
        range = {-1, 1},
        title = o.say("Sines and cosines of $t\\theta_i$: fast columns on the left, slow ones on the right", "$t\\theta_i$ 的正弦与余弦：左边的列变得快，右边的列变得慢"),
        xlabel = o.say("column", "列"), ylabel = o.say("position $t$", "位置 $t$")})
end}

-- Each column divided out over the pairs: what remains of q.k at a distance. The integral is the limit of many pairs,
--   f(x) = (Ci(x) - Ci(x/b)) / ln b,   |f(x)| <= (b + 1) / (x ln b),
-- and lies in its band for certain.
pictures.decay = {about = "how inner products fall with distance: sum, integral, bound", options = {d = 128, base = 10000, to = 100000}, draw = function(o)
    local d, b, to = whole("decay", "d", o.d, 2, 4096), whole("decay", "base", o.base, 2, 10^9), whole("decay", "to", o.to, 10, 10^6)
    local x = lab.sym("x", "positive")
    local f = (lab.Ci(x) - lab.Ci(x / b)) / lab.log(lab.rat(b))
    local k = lab.array(curve.steps(1, to, 600))
    local S = lab.decay_curve(lab.dd(lab.rope_frequencies(d, {base = b})), k) / (d // 2)
    local at = lab.concat{lab.exp(lab.linspace(0, math.log(to), 200)), lab.array{lab.nan}} -- the pen is lifted before the lower bound
    local bound = lab.minimum((b + 1) / (at * math.log(b)), 1) -- a mean of cosines is at most 1
    return lab.plot(k, S, {log = "x", thin = true, label = o.say("sum, d = %d", "和，d = %d"):format(d),
        title = o.say("$(2/d)\\,\\Sigma_i \\cos k\\theta_i$ falls like a logarithm", "$(2/d)\\,\\Sigma_i \\cos k\\theta_i$ 按对数下降"),
        xlabel = o.say("distance $k$", "距离 $k$"), ylim = {-1.05, 1.05}}):plot(f, {1, to}, {certified = o.say("certified bounds", "已严格验证的范围"), label = o.say("integral", "积分")})
        :plot(lab.concat{at, at}, lab.concat{bound, -bound}, {label = "$\\pm\\min(1, (b+1)/(k\\,\\ln b))$"}):rule{y = 0}
end}

pictures.wavelengths = {about = "after how many positions each pair comes round", options = {d = 128, base = 10000, length = 512}, draw = function(o)
    local d = whole("wavelengths", "d", o.d, 2, 65536)
    local w = lab.wavelengths(d, {base = positive("wavelengths", "base", o.base, 1e300)})
    return lab.plot(lab.range(0, #w - 1), w, {log = "y", style = "both",
        title = o.say("Pair $i$ comes round after $\\lambda_i = 2\\pi / \\theta_i$ positions", "第 $i$ 对每隔 $\\lambda_i = 2\\pi / \\theta_i$ 个位置转一圈"),
        xlabel = o.say("pair $i$", "第 $i$ 对"), ylabel = o.say("positions", "位置数")})
        :rule{y = positive("wavelengths", "length", o.length, 1e300), label = o.say("training length %g", "训练长度 %g"):format(o.length)}
end}

pictures.rope = {about = "how far each pair has turned at positions 0, 1, 2, ...", options = {d = 8, positions = 6, base = 100}, draw = function(o)
    local d, n = whole("rope", "d", o.d, 2, 32), whole("rope", "positions", o.positions, 1, 64)
    local theta, labels, list = lab.rope_frequencies(d, {base = positive("rope", "base", o.base, 1e300)}), {}, {}
    local none = {}
    for m = 0, n - 1 do labels[m + 1], none[m + 1] = "m = " .. m, "" end
    for i = 0, d // 2 - 1 do
        list[i + 1] = lab.circle(theta(i + 1) * lab.range(0, n - 1), {title = ("$m\\theta_{%d}$, $\\theta_{%d} = %.3g$"):format(i, i, theta(i + 1)),
            labels = n <= 8 and labels or nil})
        labels = none -- one legend for all
    end
    list.title = o.say("$R_{m\\theta_i}$ turns pair $i$ of a query at position $m$", "$R_{m\\theta_i}$ 转动位置 $m$ 处查询的第 $i$ 对")
    if #list == 1 then return list[1] end
    return lab.panels(list)
end}

-- The same queries and keys under each; what a causal mask hides is missing.
pictures.biases = {about = "one matrix of scores under each bias", options = {T = 32, d = 32, seed = 1}, draw = function(o)
    local T, d = whole("biases", "T", o.T, 2, 512), whole("biases", "d", o.d, 2, 1024)
    if d % 2 == 1 then raise(("picture: biases: d is %d; wanted an even number"):format(d)) end
    local g = lab.rng(whole("biases", "seed", o.seed, 0, 2^53 // 1))
    local q, k, table32 = lab.randn(g, T, d), lab.randn(g, T, d), lab.randn(g, 32, 1) * 2
    local content = lab.matmul(q, k.T) / math.sqrt(d)
    local function one(B) return lab.reshape(B, T, T) end
    local rotated = lab.matmul(lab.rope(q, {layout = "half"}), lab.rope(k, {layout = "half"}).T) / math.sqrt(d)
    local P = lab.sinusoidal(T, d)
    local scores = {
        {o.say("no position", "没有位置"), content},
        {o.say("sinusoids added", "加上正弦编码"), lab.matmul(q + P, (k + P).T) / math.sqrt(d)},
        {"RoPE", rotated},
        {o.say("ALiBi, slope 1/4", "ALiBi，斜率 1/4"), content + one(lab.alibi(4, T)[1])},
        {o.say("KERPLE, logarithmic", "KERPLE，对数"), content + one(lab.kerple(T, {kind = "log", r1 = 1, r2 = 1}))},
        {o.say("T5, random table", "T5，随机的表"), content + one(lab.t5(table32, T, {direction = "causal", max_distance = T}))},
    }
    local seen_keys, list = lab.causal_mask(T), {columns = 3, title = o.say("scores $q_m\\cdot k_n$ under each bias", "各种偏置下的打分 $q_m\\cdot k_n$")}
    for i, s in ipairs(scores) do
        list[i] = lab.heatmap(lab.where(seen_keys, s[2], lab.nan), {title = s[1], x = {0, T - 1}, y = {0, T - 1}, map = "diverging",
            xlabel = o.say("key $n$", "键 $n$"), ylabel = o.say("query $m$", "查询 $m$")})
    end
    return lab.panels(list)
end}

-- u . sum over positions of tanh(softmax(X Wq (X Wk)^T / sqrt(d)) X Wv), its second derivatives by the entries of X: blocks of d
-- by d for each pair of positions.
pictures.hessian = {about = "second derivatives of attention, a block for each pair of words", options = {T = 6, d = 8, seed = 1}, draw = function(o)
    local T, d = whole("hessian", "T", o.T, 1, 16), whole("hessian", "d", o.d, 1, 32)
    local g = lab.rng(whole("hessian", "seed", o.seed, 0, 2^53 // 1))
    local X, Wq, Wk, Wv, u = lab.randn(g, T, d), lab.randn(g, d, d), lab.randn(g, d, d), lab.randn(g, d, d), lab.randn(g, d)
    local scale = 1 / math.sqrt(d)
    local function f(x)
        local e = lab.exp(lab.matmul(lab.matmul(x, Wq * scale), lab.transpose(lab.matmul(x, Wk * scale))) * scale)
        local weights = e / lab.sum(e, -1, {keep = true})
        return lab.sum(lab.tanh(lab.matmul(weights, lab.matmul(x, Wv * scale))) * u)
    end
    local H, middles, ends = lab.reshape(lab.hessian(f)(X), T * d, T * d), {}, {}
    for m = 0, T - 1 do middles[m + 1] = {m * d + (d + 1) / 2, tostring(m)} end
    for m = 1, T - 1 do ends[m] = m * d + 0.5 end
    local fig = lab.heatmap(H, {
        title = o.say("Each pair of positions has a block of $\\partial^2 f / \\partial x_m \\partial x_n$", "每一对位置有一块 $\\partial^2 f / \\partial x_m \\partial x_n$"),
        map = "diverging", equal = true, xticks = middles, yticks = middles, xlabel = o.say("position $n$", "位置 $n$"), ylabel = o.say("position $m$", "位置 $m$")})
    return #ends > 0 and fig:rule{x = ends, y = ends} or fig
end}

-- The shortest way along edges {x, y, to_x, to_y} from one node to another: how many there are, and which.
local function shortest(edges, from, to)
    local function key(x, y) return ("%d %d"):format(x, y) end
    local came, steps, front = {[from] = false}, 0, {from}
    while came[to] == nil do
        local further = {}
        for _, node in ipairs(front) do
            for _, e in ipairs(edges) do
                local head = key(e[3], e[4])
                if key(e[1], e[2]) == node and came[head] == nil then came[head], further[#further + 1] = e, head end
            end
        end
        front, steps = further, steps + 1
    end
    local on, e = {}, came[to]
    while e do on[e], e = true, came[key(e[1], e[2])] end
    return steps, on
end

-- The words below, above what is computed of them.
local function network(n, edges, o, title, above)
    local steps, on = shortest(edges, "1 1", n .. " 2")
    local rest, path, places, names = {{}, {}, {}, {}}, {{}, {}, {}, {}}, lab.range(1, n), {}
    for _, e in ipairs(edges) do
        local dx, dy = e[3] - e[1], e[4] - e[2]
        local clear = 0.12 / math.sqrt(dx ^ 2 + dy ^ 2) -- of the dots at its ends
        for i, v in ipairs{e[1] + clear * dx, e[2] + clear * dy, e[3] - clear * dx, e[4] - clear * dy} do
            table.insert((on[e] and path or rest)[i], v)
        end
    end
    for i = 1, n do names[i] = {i, ("$x_{%d}$"):format(i)} end
    local fig = lab.plot(places, {0 * places + 1, 0 * places + 2}, {style = "points", title = title:format(steps), xlim = {0.6, n + 0.4}, ylim = {0.7, 2.3},
        xticks = names, yticks = {{1, o.say("word", "词")}, {2, above}}})
    if #rest[1] > 0 then fig:arrows(rest[1], rest[2], rest[3], rest[4], {faint = true}) end
    return fig:arrows(path[1], path[2], path[3], path[4], {label = o.say("the shortest way", "最短的路")})
end

pictures.paths = {about = "the shortest ways between words: recurrent network, attention", options = {words = 6}, draw = function(o)
    local n = whole("paths", "words", o.words, 2, 12)
    local chain, star = {}, {}
    for t = 1, n do
        chain[#chain + 1] = {t, 1, t, 2}
        if t < n then chain[#chain + 1] = {t, 2, t + 1, 2} end
        for s = 1, t do star[#star + 1] = {s, 1, t, 2} end
    end
    return lab.panels{network(n, chain, o, o.say("recurrent: %d steps", "循环网络：%d 步"), o.say("state", "状态")),
        network(n, star, o, o.say("attention: %d step", "注意力：%d 步"), o.say("output", "输出")),
        title = o.say("From the first word to the last", "从第一个词到最后一个词")}
end}

-- A law of an encoding by its verdict: what holds is blue, the darker the stronger; what is refuted red.
pictures.atlas = {about = "every encoding against every law", options = {N = 512}, draw = function(o)
    local values = {proved = -1, certified = -0.75, measured = -0.5, unknown = 0, refuted = 1}
    local atlas = lab.atlas{N = whole("atlas", "N", o.N, 2, 10^6)}
    local rows, laws, heads, names_of_rows = {}, {}, {}, {}
    for _, law in ipairs(atlas.laws) do
        if law.key ~= "parameters" then laws[#laws + 1], heads[#heads + 1] = law.key, o.say(law.head, law.zh.head) end
    end
    for i, row in ipairs(atlas.rows) do
        rows[i], names_of_rows[i] = {}, o.say(row.called, row.called_zh)
        for k, key in ipairs(laws) do
            local v = row[key]
            local meaningless = v.strength == "unknown" and v.kind == "undefined"
            rows[i][k] = meaningless and lab.nan or values[v.strength]
        end
    end
    return lab.heatmap(rows, {xnames = heads, ynames = names_of_rows, map = "diverging", range = {-1, 1}, title = o.say("Which encoding keeps which law", "哪种编码满足哪条性质"),
        classes = {{-1, "P", o.say("proved", "已证明")}, {-0.75, "C", o.say("certified", "已严格验证")}, {-0.5, "M", o.say("measured", "实测")},
            {0, "?", o.say("open", "未定")}, {1, "R", o.say("refuted", "已反驳")}, {lab.nan, "–", o.say("no meaning", "无意义")}}})
end}

-- What a longer context does to each frequency, as a share of the trained one; 1 extrapolates, 1/factor interpolates.
pictures.scaling = {about = "each frequency under PI, NTK, YaRN: a share of the trained one", options = {d = 128, factor = 8, train = 4096}, draw = function(o)
    local d = whole("scaling", "d", o.d, 4, 65536)
    local factor, train = positive("scaling", "factor", o.factor, 1e6), whole("scaling", "train", o.train, 1, 10^9)
    local plain = lab.rope_frequencies(d)
    local kinds = {{o.say("extrapolation", "外推"), nil}, {"PI", {kind = "pi", factor = factor}}, {"NTK", {kind = "ntk", factor = factor}},
        {"YaRN", {kind = "yarn", factor = factor, train = train}}}
    local rows, labels = {}, {}
    for i, kind in ipairs(kinds) do
        rows[i], labels[i] = lab.rope_frequencies(d, {scaling = kind[2]}) / plain, kind[1]
    end
    local ticks, share = {}, 1
    while share <= factor and #ticks < 24 do -- 1, 1/2, 1/4, …, and what PI comes to
        if share < factor / 1.3 then ticks[#ticks + 1] = {1 / share, share == 1 and "1" or ("1/%d"):format(share)} end
        share = 2 * share
    end
    ticks[#ticks + 1] = {1 / factor, ("1/%g"):format(factor)}
    return lab.plot(lab.range(0, #plain - 1), rows, {labels = labels, log = "y", yticks = factor > 1 and ticks or nil,
        title = o.say("$\\theta'_i / \\theta_i$ for %g times the context", "上下文加长到 %g 倍时的 $\\theta'_i / \\theta_i$"):format(factor),
        xlabel = o.say("pair $i$", "第 $i$ 对")}):rule{x = lab.sum(lab.lt(lab.wavelengths(d), train)) - 0.5, label = o.say("wavelength %d", "波长 %d"):format(train)}
end}

-- ---- the function --------------------------------------------------------------------------------------------------------

local names = {}
for name in pairs(pictures) do names[#names + 1] = name end
table.sort(names)

local function list_of_pictures()
    local out = {}
    for _, name in ipairs(names) do
        local options = {}
        for key, value in pairs(pictures[name].options) do options[#options + 1] = key .. "=" .. tostring(value) end
        table.sort(options)
        out[#out + 1] = ("%-12s %s\n%12s {%s}"):format(name, pictures[name].about, "", table.concat(options, ", "))
    end
    return table.concat(out, "\n")
end

local function picture(name, options, ...)
    if select("#", ...) > 0 then raise("picture: more than 2 arguments given; wanted a name and options") end
    if name == nil and options == nil then return list_of_pictures() end
    local p = type(name) == "string" and pictures[name]
    if not p then
        raise(("picture: the name is %s%s"):format(seen(name), values.hint(name, pictures) or "; wanted " .. table.concat(names, ", ")))
    end
    if options ~= nil and type(options) ~= "table" then raise(("picture: the options are %s; wanted a table such as {d=64}"):format(seen(options))) end
    local o, lang = {}, "en"
    for key, value in pairs(p.options) do o[key] = value end
    for key, value in next, options or {} do
        if key == "lang" then
            lang = option_words.check("picture: " .. name, "lang", value, LANGUAGES)
        elseif p.options[key] == nil then
            raise(("picture: unknown option '%s' of %s%s"):format(tostring(key):sub(1, 60), name, values.hint(key, p.options) or "; wanted " .. values.list(p.options) .. ", lang"))
        end
        o[key] = value
    end
    function o.say(en, zh) return lang == "zh" and zh or en end -- a label in the language asked for
    return p.draw(o)
end

return tools.wrap(picture)
