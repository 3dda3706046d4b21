-- Layers over attention and recurrences, written in operations. Parameters are tables of arrays; whoever makes them passes a
-- seeded generator.
-- Letters: T positions, d columns of X, H heads, n hidden units. Rows are positions: X is (..., T, d) and W multiplies from the right.
local lab, tools = require "phasor", require "phasor.tools"
local raise, seen, is_array = tools.raise, tools.seen, tools.is_array
local values, fused, option_words = require "phasor.lib.values", require "phasor.fused", require "phasor.lib.option_words"
local check_int, shape_text = require("phasor.lib.attention").check_int, values.shape_text

-- ---- arguments -------------------------------------------------------------------------------------------------------

-- An array of at least `least` dimensions; a plain table of numbers becomes one.
local function check_array(who, what, v, least)
    if type(v) == "table" and not debug.getmetatable(v) then v = lab.array(v) end
    if not is_array(v) then raise(("%s: %s is %s; wanted an array"):format(who, what, seen(v))) end
    if v.ndim < least then
        raise(("%s: %s is %s; wanted at least %d dimension%s"):format(who, what, shape_text(v), least, least == 1 and "" or "s"))
    end
    return v
end

local check_options = tools.check_options

-- P must be a table with these fields.
local function check_parameters(who, P, names)
    if type(P) ~= "table" then raise(("%s: the parameters are %s; wanted a table of arrays"):format(who, seen(P))) end
    for _, name in ipairs(names) do
        if P[name] == nil then raise(("%s: the parameters have no %s; wanted %s"):format(who, name, table.concat(names, ", "))) end
    end
end

local function check_function(who, what, f)
    local meta = debug.getmetatable(f)
    if type(f) ~= "function" and not (type(meta) == "table" and rawget(meta, "__call") ~= nil) then
        raise(("%s: %s is %s; wanted a function of an array"):format(who, what, seen(f)))
    end
    return f
end

-- A matrix with as many rows as x has columns.
local function check_matrix(who, what, W, x)
    W = check_array(who, what, W, 2)
    local columns = x.shape[x.ndim]
    if W.ndim ~= 2 or W.shape[1] ~= columns then
        raise(("%s: %s is %s; wanted (%d, ...), a row for each column of what it multiplies"):format(who, what, shape_text(W), columns))
    end
    return W
end

-- ---- attention with heads ----------------------------------------------------------------------------------------------

-- (..., T, H dk) as (..., H, T, dk)
local function split_heads(who, x, H, what)
    local shape, perm, n = x.shape, {}, x.ndim
    local columns = shape[n]
    if columns % H ~= 0 then raise(("%s: %s has %d columns; wanted a multiple of its heads, %d"):format(who, what, columns, H)) end
    shape[n], shape[n + 1] = H, columns // H
    for k = 1, n + 1 do perm[k] = k end
    perm[n - 1], perm[n] = n, n - 1
    return lab.permute(lab.reshape(x, shape), perm)
end

-- (..., H, T, dv) as (..., T, H dv)
local function join_heads(x)
    local shape, perm, n = x.shape, {}, x.ndim
    for k = 1, n do perm[k] = k end
    perm[n - 2], perm[n - 1] = n - 1, n - 2
    local joined = {table.unpack(shape, 1, n - 3)}
    joined[n - 2], joined[n - 1] = shape[n - 1], shape[n - 2] * shape[n]
    return lab.reshape(lab.permute(x, perm), joined)
end

local ATTENTION = {"causal", "mask", "bias", "scale", "window", "need"}

-- Every key head once for each query head that it serves.
local function repeat_heads(x, H)
    local each = x.shape[x.ndim - 2]
    if each == H then return x end
    local index = {}
    for h = 1, H do index[h] = (h - 1) // (H // each) + 1 end
    return lab.take(x, index, x.ndim - 2)
end

-- Attention with scores (..., H, T, S) that are whole, whatever they were made of: masked, softmax, times V.
local function attend_by_scores(who, scores, Q, K, V, options)
    if options.bias ~= nil or options.scale ~= nil or options.need ~= nil then
        raise(who .. ": scores are whole; wanted no bias, scale or need beside them")
    end
    local H, T, S = Q.shape[Q.ndim - 2], Q.shape[Q.ndim - 1], K.shape[K.ndim - 1]
    K, V = repeat_heads(K, H), repeat_heads(V, H)
    local logits = scores(Q, K)
    if options.causal then logits = lab.where(lab.causal_mask(T, S), logits, -math.huge) end
    if options.window ~= nil then logits = lab.where(lab.window_mask(T, options.window, S), logits, -math.huge) end
    if options.mask ~= nil then logits = lab.where(options.mask, logits, -math.huge) end
    return lab.matmul(lab.softmax(logits), V)
end

local function multi_head(X, P, options)
    local who = "multi_head"
    X = check_array(who, "X", X, 2)
    check_parameters(who, P, {"Wq", "Wk", "Wv", "Wo", "heads"})
    options = check_options(who, options, {"causal", "mask", "bias", "scale", "window", "need", "context", "rotate", "scores"})
    local H = check_int(who, "heads", P.heads, 1)
    local Hk = P.kv_heads == nil and H or check_int(who, "kv_heads", P.kv_heads, 1)
    if H % Hk ~= 0 then raise(("%s: heads is %d and kv_heads %d; wanted a multiple of kv_heads"):format(who, H, Hk)) end
    local Y = options.context == nil and X or check_array(who, "context", options.context, 2)
    local Q = split_heads(who, lab.matmul(X, check_matrix(who, "Wq", P.Wq, X)), H, "Wq")
    local K = split_heads(who, lab.matmul(Y, check_matrix(who, "Wk", P.Wk, Y)), Hk, "Wk")
    local V = split_heads(who, lab.matmul(Y, check_matrix(who, "Wv", P.Wv, Y)), Hk, "Wv")
    if options.rotate ~= nil then
        local rotate = check_function(who, "rotate", options.rotate)
        Q, K = rotate(Q, "q"), rotate(K, "k")
    end
    local rest, Z, weights = {}, nil, nil
    for _, name in ipairs(ATTENTION) do rest[name] = options[name] end
    if options.scores ~= nil then Z = attend_by_scores(who, check_function(who, "scores", options.scores), Q, K, V, rest)
    else Z, weights = lab.attention(Q, K, V, rest) end
    Z = join_heads(Z)
    Z = lab.matmul(Z, check_matrix(who, "Wo", P.Wo, Z))
    if weights == nil then return Z end
    return Z, weights
end

-- ---- blocks ------------------------------------------------------------------------------------------------------------

-- X W + b, in one pass where shapes and types are as in layers; with `cut` what is below 0 becomes 0, in the same pass.
local function affine(X, W, b, cut)
    if is_array(b) and b.ndim == 1 and X.ndim >= 2 and b.size == W.shape[2] and X.dtype == W.dtype and X.dtype == b.dtype
        and (X.dtype == "f32" or X.dtype == "f64") then
        return fused.affine(X, W, b, cut)
    end
    local Y = lab.matmul(X, W) + b
    return cut and lab.relu(Y) or Y
end

local function feed_forward(X, P, options)
    local who = "feed_forward"
    X = check_array(who, "X", X, 1)
    check_parameters(who, P, {"W1", "b1", "W2", "b2"})
    local f = check_options(who, options, {"activation"}).activation
    local cut = f == nil or f == lab.relu
    local hidden = affine(X, check_matrix(who, "W1", P.W1, X), P.b1, cut)
    if not cut then hidden = check_function(who, "activation", f)(hidden) end
    if P.W3 ~= nil then hidden = hidden * lab.matmul(X, check_matrix(who, "W3", P.W3, X)) end
    return affine(hidden, check_matrix(who, "W2", P.W2, hidden), P.b2)
end

local function residual(X, f)
    X = check_array("residual", "X", X, 0)
    local Y = check_array("residual", "f(X)", check_function("residual", "f", f)(X), 0)
    if not values.same_shape(X, Y) then
        raise(("residual: X is %s and f(X) is %s; wanted the same shape"):format(shape_text(X), shape_text(Y)))
    end
    return X + Y
end

-- One sublayer: post: norm(x + f(x)); pre: x + f(norm(x)).
local function sublayer(X, f, norm, place, rms)
    local function normed(x) return (rms and lab.rms_norm or lab.layer_norm)(x, norm) end
    if place == "pre" then return residual(X, function(x) return f(normed(x)) end) end
    return normed(residual(X, f))
end

local HEADS = {"causal", "mask", "bias", "scale", "window", "rotate", "scores"}
local BLOCK = {"norm", "rms", "activation", table.unpack(HEADS)}

local NORMS = option_words.declare("norm", {"post", "pre"}, "encoder_block", "decoder_block")

local function block_options(who, options, more)
    options = check_options(who, options, more and {"context_mask", table.unpack(BLOCK)} or BLOCK)
    local place = option_words.check(who, "norm", options.norm or "post", NORMS)
    local heads = {}
    for _, name in ipairs(HEADS) do heads[name] = options[name] end
    return place, heads, {activation = options.activation}, options.rms
end

local function encoder_block(X, P, options)
    X = check_array("encoder_block", "X", X, 2)
    check_parameters("encoder_block", P, {"attention", "feed_forward", "norm1", "norm2"})
    local place, heads, ffn, rms = block_options("encoder_block", options)
    X = sublayer(X, function(x) return (multi_head(x, P.attention, heads)) end, P.norm1, place, rms)
    return sublayer(X, function(x) return feed_forward(x, P.feed_forward, ffn) end, P.norm2, place, rms)
end

local function decoder_block(X, Y, P, options)
    X = check_array("decoder_block", "X", X, 2)
    Y = check_array("decoder_block", "Y", Y, 2)
    check_parameters("decoder_block", P, {"attention", "context", "feed_forward", "norm1", "norm2", "norm3"})
    local place, heads, ffn, rms = block_options("decoder_block", options, true)
    if heads.causal == nil then heads.causal = true end
    local cross = {context = Y, mask = options and options.context_mask}
    X = sublayer(X, function(x) return (multi_head(x, P.attention, heads)) end, P.norm1, place, rms)
    X = sublayer(X, function(x) return (multi_head(x, P.context, cross)) end, P.norm2, place, rms)
    return sublayer(X, function(x) return feed_forward(x, P.feed_forward, ffn) end, P.norm3, place, rms)
end

-- ---- parameters --------------------------------------------------------------------------------------------------------

-- Entries of variance 1/rows, so that a product keeps the size of what it multiplies.
local function weight(g, rows, columns)
    return lab.randn(g, rows, columns) / math.sqrt(rows)
end

local function init_multi_head(g, d, heads, options)
    local who = "init_multi_head"
    d, heads = check_int(who, "d", d, 1), check_int(who, "heads", heads, 1)
    local kv = check_options(who, options, {"kv_heads"}).kv_heads
    kv = kv == nil and heads or check_int(who, "kv_heads", kv, 1)
    if d % heads ~= 0 then raise(("%s: d is %d; wanted a multiple of heads, %d"):format(who, d, heads)) end
    if heads % kv ~= 0 then raise(("%s: heads is %d and kv_heads %d; wanted a multiple of kv_heads"):format(who, heads, kv)) end
    local dk = d // heads
    return {Wq = weight(g, d, d), Wk = weight(g, d, kv * dk), Wv = weight(g, d, kv * dk), Wo = weight(g, d, d), heads = heads, kv_heads = kv}
end

local function init_feed_forward(g, d, n)
    local who = "init_feed_forward"
    d, n = check_int(who, "d", d, 1), check_int(who, "n", n, 1)
    return {W1 = weight(g, d, n), b1 = lab.zeros(n), W2 = weight(g, n, d), b2 = lab.zeros(d)}
end

local function norm_of(d) return {gain = lab.ones(d), bias = lab.zeros(d)} end

local function init_encoder(g, d, heads, n, options)
    return {attention = init_multi_head(g, d, heads, options), feed_forward = init_feed_forward(g, d, n), norm1 = norm_of(d), norm2 = norm_of(d)}
end

local function init_decoder(g, d, heads, n, options)
    local P = init_encoder(g, d, heads, n, options)
    P.context, P.norm3 = init_multi_head(g, d, heads, options), norm_of(d)
    return P
end

local function count_parameters(P, depth)
    if is_array(P) then return P.size end
    if type(P) ~= "table" then raise(("count_parameters: P is %s; wanted a table of arrays"):format(seen(P))) end
    if (depth or 0) > 50 then raise("count_parameters: tables more than 50 deep; does one contain itself?") end
    local n = 0
    for _, v in next, P do
        if is_array(v) or type(v) == "table" then n = n + count_parameters(v, (depth or 0) + 1) end
    end
    return n
end

-- ---- activations -------------------------------------------------------------------------------------------------------

-- A number, an array or a traced one: anything else is said in words, not by the arithmetic on it.
local function activated(who, x)
    local kind = math.type(x) and "number" or type(x)
    local list = kind == "table" and getmetatable(x) == nil
    if kind ~= "number" and not list and not is_array(x) and not pcall(function() return x + 0 end) then
        error(("%s: x is %s; wanted a number or an array"):format(who, x == nil and "nil" or "a " .. kind), 0)
    end
    return list and lab.array(x) or x
end

local function silu(x)
    x = activated("silu", x)
    return x * lab.sigmoid(x)
end

local function gelu(x)
    x = activated("gelu", x)
    return 0.5 * x * (1 + lab.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
end

-- ---- recurrences -------------------------------------------------------------------------------------------------------

-- Rows first .. last of x along its first dimension.
local function rows_of(x, first, last)
    return x[{ {first, last} }]
end

local function rnn(X, P, h)
    local who = "rnn"
    X = check_array(who, "X", X, 2)
    check_parameters(who, P, {"Wx", "Wh", "b"})
    if X.ndim ~= 2 then raise(("%s: X is %s; wanted (T, d)"):format(who, shape_text(X))) end
    local n = check_array(who, "Wh", P.Wh, 2).shape[1]
    local inputs = lab.matmul(X, check_matrix(who, "Wx", P.Wx, X)) + P.b
    h = h == nil and lab.zeros(1, n) or lab.reshape(check_array(who, "h0", h, 1), 1, n)
    local states, T = {}, X.shape[1]
    if T == 0 then return lab.zeros(0, n) end
    local Wh = check_matrix(who, "Wh", P.Wh, h)
    for t = 1, T do
        h = lab.tanh(rows_of(inputs, t, t) + lab.matmul(h, Wh))
        states[t] = h
    end
    return lab.concat(states)
end

local function init_rnn(g, d, n)
    d, n = check_int("init_rnn", "d", d, 1), check_int("init_rnn", "n", n, 1)
    return {Wx = weight(g, d, n), Wh = weight(g, n, n), b = lab.zeros(n)}
end

local function by_loop(a, b, T)
    local states, h = {rows_of(b, 1, 1)}, rows_of(b, 1, 1)
    for t = 2, T do
        h = rows_of(a, t, t) * h + rows_of(b, t, t)
        states[t] = h
    end
    return lab.concat(states), T
end

-- The maps h -> a h + b compose: (a', b') after (a, b) is (a' a, a' b + b'). After the step of width w, entry t holds the map
-- over the last 2w positions up to t, and every entry of a step is computed at once: ceil(log2 T) steps.
local function by_scan(a, b, T)
    local depth, w = 0, 1
    while w < T do
        local head_a, head_b = rows_of(a, 1, w), rows_of(b, 1, w)
        local late, early_a, early_b = rows_of(a, w + 1, T), rows_of(a, 1, T - w), rows_of(b, 1, T - w)
        b = lab.concat{head_b, late * early_b + rows_of(b, w + 1, T)}
        a = lab.concat{head_a, late * early_a}
        w, depth = 2 * w, depth + 1
    end
    return b, depth
end

local METHODS = option_words.declare("method", {"loop", "scan"}, "recurrence")

local function recurrence(a, b, options)
    local who = "recurrence"
    b = check_array(who, "b", b, 1)
    options = check_options(who, options, {"h0", "method"})
    local method, T = option_words.check(who, "method", options.method or "loop", METHODS), b.shape[1]
    if type(a) == "number" then a = lab.full(b.shape, a) end
    if is_array(a) and a.ndim == 0 then a = lab.broadcast_to(a, b.shape) end
    a = check_array(who, "a", a, 1)
    if not values.same_shape(a, b) then
        raise(("%s: a is %s and b is %s; wanted the same shape, or a number for a"):format(who, shape_text(a), shape_text(b)))
    end
    if T == 0 then return b, 0 end
    if options.h0 ~= nil then
        local first = rows_of(a, 1, 1) * options.h0 + rows_of(b, 1, 1)
        if not values.same_shape(first, rows_of(b, 1, 1)) then
            raise(("%s: h0 is %s; wanted the shape of one row of b"):format(who, is_array(options.h0) and shape_text(options.h0) or seen(options.h0)))
        end
        b = T == 1 and first or lab.concat{first, rows_of(b, 2, T)}
    end
    return (method == "scan" and by_scan or by_loop)(a, b, T)
end

-- ---- relative positions ------------------------------------------------------------------------------------------------

local function part(x, axis, first, last)
    local index = {}
    for k = 1, x.ndim do index[k] = k == axis and {first, last} or {} end
    return x[index]
end

-- XLNet's shift drops one element where the other puts one in, so that every row keeps distances of its own, on both sides.
local function shift_both_ways(S, keys)
    local n, shape = S.ndim, S.shape
    local T, R = shape[n - 1], shape[n]
    keys = check_int("rel_shift", "keys", keys, 0)
    if R ~= T + keys then
        raise(("rel_shift: S is %s; wanted %d columns, for the distances from %d keys to %d queries"):format(shape_text(S), T + keys, keys, T))
    end
    if T == 0 or keys == 0 then return part(S, n, 1, keys) end
    local tall, wide = S.shape, S.shape
    tall[n - 1], tall[n] = R, T
    wide[n] = R - 1
    return part(lab.reshape(part(lab.reshape(S, tall), n - 1, 2, R), wide), n, 1, keys)
end

local function rel_shift(S, keys)
    S = check_array("rel_shift", "S", S, 2)
    if keys ~= nil then return shift_both_ways(S, keys) end
    local n, shape = S.ndim, S.shape
    local T, R = shape[n - 1], shape[n]
    if R < T then raise(("rel_shift: S is %s; wanted at least as many columns as rows"):format(shape_text(S))) end
    local column, tall = S.shape, S.shape
    column[n] = 1
    local padded = lab.concat({lab.zeros(column, {dtype = S.dtype}), S}, -1)
    tall[n - 1], tall[n] = R + 1, T
    if T == 0 then return S end
    return lab.reshape(part(lab.reshape(padded, tall), n - 1, 2, R + 1), shape)
end

-- ---- rows --------------------------------------------------------------------------------------------------------------

local rows = require "phasor.lib.rows"
local layer, recurrent = rows "layers", rows "recurrences"

layer("multi_head", multi_head, "X, {Wq=, Wk=, Wv=, Wo=, heads= [, kv_heads=]} [, {causal=, context=, rotate=, ...}]",
    "Attention with heads, each with its own columns; Wo joins them.\n" ..
    "X: (..., T, d). Wq: (d, H dk), Wk: (d, Hk dk), Wv: (d, Hk dv), Wo: (H dv, anything); head h owns columns (h-1) dk + 1 to h dk." ..
    " heads: H. kv_heads: Hk, which divides H; H when left out.\ncontext: (..., S, d), where keys and values come from; X when left" ..
    " out. rotate: a function applied to queries and keys, (..., H, T, dk), and told \"q\" or \"k\". scores: a function of queries and keys" ..
    " that gives whole scores (..., H, T, S), where they are no scaled products. The other options are those of attention; with" ..
    " need=\"weights\" the weights are a second result.\nVaswani and others 2017, section 3.2.2.",
    "P = init_multi_head(rng(1), 8, 2)\nmulti_head(randn(rng(2), 5, 8), P, {causal=true}).shape  --> {5, 8}\n" ..
    "init_multi_head(rng(1), 8, 3)  --> error: wanted a multiple of heads")
layer("feed_forward", feed_forward, "X, {W1=, b1=, W2=, b2=} [, {activation=}]",
    "Each position by itself: f(X W1 + b1) W2 + b2.\nX: (..., d). W1: (d, n), b1: n numbers, W2: (n, d), b2: d numbers." ..
    " activation: a function of an array; max(x, 0) when left out. W3: (d, n), when the units are gated: (f(X W1 + b1) * X W3) W2 + b2" ..
    " (Shazeer 2020; SwiGLU where f is silu).",
    "P = {W1 = {{1, -1}}, b1 = {0, 0}, W2 = {{1}, {1}}, b2 = {0}}\nfeed_forward({{-3}, {2}}, P):totable()  --> {{3.0}, {2.0}}")
layer("silu", silu, "x", "x sigmoid(x), the smooth gate of SwiGLU.\nx: a number or an array. Hendrycks and Gimpel 2016; Ramachandran and others 2017.",
    "silu(0), silu(40)  --> 0.0\t40.0")
layer("gelu", gelu, "x", "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), GPT-2's form of the GELU.\nx: a number or an array. The exact one is" ..
    " x times the normal distribution function; they differ by less than 0.0005. Hendrycks and Gimpel 2016.",
    "gelu(0), gelu(9)  --> 0.0\t9.0\nabs(gelu(1) - 0.8413) < 0.0006  --> true")
layer("residual", residual, "X, f", "X + f(X): what f adds to what comes in.\nX: an array. f: a function that keeps the shape.",
    "residual(array{1, 2}, exp)(1) == 1 + exp(1)  --> true\nresidual(array{1, 2}, sum)  --> error: f(X)")
layer("encoder_block", encoder_block, "X, P [, {norm=\"post\", causal=, mask=, rotate=, activation=, ...}]",
    "Self-attention, then feed-forward, each with a residual and a norm.\nX: (..., T, d). P: as init_encoder makes" ..
    " it: attention, feed_forward, norm1, norm2.\nnorm: \"post\" for norm(x + f(x)) (Vaswani and others 2017) or \"pre\" for" ..
    " x + f(norm(x)) (Xiong and others 2020). rms: true for rms_norm in place of layer_norm; the norms then have no bias. The other options go to multi_head and feed_forward.",
    "P = init_encoder(rng(1), 8, 2, 16)\nX = randn(rng(2), 5, 8)\nencoder_block(X, P).shape  --> {5, 8}\n" ..
    "abs(mean(encoder_block(X, P)[1])) < 1e-12  --> true")
layer("decoder_block", decoder_block, "X, Y, P [, {norm=\"post\", context_mask=, causal=true, ...}]",
    "Causal self-attention, attention to Y, then feed-forward.\nX: (..., T, d), Y: (..., S, d), the encoder's output. P: as" ..
    " init_decoder makes it: attention, context, feed_forward, norm1, norm2, norm3.\ncontext_mask: hides positions of Y. The other" ..
    " options are those of encoder_block; causal is true when left out.",
    "P = init_decoder(rng(1), 8, 2, 16)\ndecoder_block(randn(rng(2), 3, 8), randn(rng(3), 5, 8), P).shape  --> {3, 8}")
layer("init_multi_head", init_multi_head, "g, d, heads [, {kv_heads=}]",
    "Parameters of multi_head: d columns in and out, heads of d / heads.\ng: a generator, rng(seed); entries are normal with variance" ..
    " 1 / rows. d: a multiple of heads. kv_heads: divides heads.",
    "init_multi_head(rng(1), 8, 4, {kv_heads=2}).Wk.shape  --> {8, 4}")
layer("init_feed_forward", init_feed_forward, "g, d, n", "Parameters of feed_forward: d columns, n hidden units.\n" ..
    "g: a generator; weights are normal with variance 1 / rows, biases 0.", "init_feed_forward(rng(1), 4, 16).W2.shape  --> {16, 4}")
layer("init_encoder", init_encoder, "g, d, heads, n [, {kv_heads=}]", "Parameters of encoder_block: d columns, n hidden units.\n" ..
    "g: a generator. The norms begin with gain 1 and bias 0.",
    "P = init_encoder(rng(1), 8, 2, 32)\ncount_parameters(P), 4*8*8 + 2*8*32 + 32 + 8 + 4*8  --> 840\t840")
layer("init_decoder", init_decoder, "g, d, heads, n [, {kv_heads=}]", "Parameters of decoder_block: d columns, n hidden units.\n" ..
    "g: a generator. The norms begin with gain 1 and bias 0.",
    "P = init_decoder(rng(1), 8, 2, 32)\ncount_parameters(P), 8*8*8 + 2*8*32 + 32 + 8 + 6*8  --> 1112\t1112")
layer("count_parameters", function(P) return count_parameters(P) end, "P", "How many numbers the arrays in a table hold, tables within it too.\n" ..
    "P: a table of arrays; what is no array or table does not count. An array in two places counts twice.",
    "count_parameters{W = zeros(3, 4), inner = {b = zeros(4)}, heads = 2}  --> 16")
recurrent("rnn", rnn, "X, {Wx=, Wh=, b=} [, h0]", "A plain recurrent network: h_t = tanh(x_t Wx + h_(t-1) Wh + b).\n" ..
    "X: (T, d). Wx: (d, n), Wh: (n, n), b: n numbers. h0: n numbers; zeros when left out. The result is (T, n): every state." ..
    " Each step waits for the one before.",
    "P = {Wx = {{1}}, Wh = {{0}}, b = {0}}\nrnn({{0.5}, {1}}, P) == tanh{{0.5}, {1}}  --> true")
recurrent("init_rnn", init_rnn, "g, d, n", "Parameters of rnn: d columns in, n units.\ng: a generator; weights are normal with" ..
    " variance 1 / rows, b is 0.", "init_rnn(rng(1), 3, 5).Wx.shape  --> {3, 5}")
recurrent("recurrence", recurrence, "a, b [, {h0=, method=\"loop\"}]", "The linear recurrence h_t = a_t h_(t-1) + b_t, entry by entry.\n" ..
    "a, b: (T, ...) of one shape; a may be a number. h0: one row; zeros when left out. method: \"loop\", T steps one after another, or" ..
    " \"scan\", ceil(log2 T) steps that each treat all positions at once (Blelloch 1990; Hillis and Steele 1986).\nResults: h, (T, ...)," ..
    " and how many steps had to wait for one another. The two methods add in another order and agree up to rounding.",
    "recurrence(0.5, {1, 1, 1}):totable()  --> {1.0, 1.5, 1.75}\nh, depth = recurrence(0.5, ones(1000), {method=\"scan\"})\n" ..
    "depth, h(1000)  --> 10\t2.0")
rows "attention"("rel_shift", rel_shift, "S [, keys]", "Scores by distance brought to their keys: Transformer-XL's shift.\n" ..
    "S: (..., T, R), R >= T; column r (from 1) of query i holds the score for distance R - r. The result holds at key j the score" ..
    " S(i, j + T - i), that is distance i + R - T - j.\nOnly keys that a causal mask leaves, j <= i + R - T, are right. The triangle" ..
    " behind them is garbage, a zero and then scores of the next query, as in every use of this trick: mask it. Dai and others" ..
    " 2019, appendix B.\nkeys: XLNet's shift, right for keys on both sides. S: (..., T, T + keys), distances keys, keys - 1, ..." ..
    " to 1 - T; the result (..., T, keys) holds at key j the score S(i, T + 1 - i + j). Yang and others 2019.",
    "rel_shift({{9, 1, 0}}, 2):totable()  --> {{1.0, 0.0}}\nrel_shift{{1, 2}, {3, 4}}:totable()  --> {{2.0, 0.0}, {3.0, 4.0}}")
