-- Every rule against differences of the function itself. A case is the name of the row, a function, and its arguments: numbers
-- and arrays away from kinks. check(case) returns nil, or what is wrong.
--
-- Oracle: the five-point difference (f(x-2h) - 8f(x-h) + 8f(x+h) - f(x+2h)) / 12h with h = 2^-10. It errs by h^4/30 |f'''''|,
-- under 4e-14 |f'''''|, and by 1.5 ulp(f) / h, under 4e-13 |f|. Cases keep |f|, and its derivatives times the sizes of its
-- arguments, under some 100: the bound is 1e-9 (1 + |d|), and no mistake in a rule is as small as that.
local BOUND, H = 1e-9, 2^-10

local g = rng(20)
local function R(...) return randn(g, ...) end                 -- any sign
local function P(...) return rand(g, ...) + 0.5 end            -- in (0.5, 1.5)
local function U(...) return rand(g, ...) - 0.5 end            -- in (-0.5, 0.5)
-- distinct, at least 0.3 apart, in mixed order
local function D(...)
    local x = R(...)
    local n = x.size
    local order = argsort(reshape(x, n))
    return reshape(take(range(1, n) * 0.3 - 0.15 * n, order), x.shape)
end

local function vjp2(f, x, w) return (select(2, vjp(f, x, w))) end

local D23, D32 = D(2, 3), D(3, 2)
-- What is blind to the scale of A is not to A + K; and A + K is far from singular, its values apart.
local K22, K32 = array{{3, 1}, {0, 1}}, array{{1, 0}, {0, 2}, {1, 1}}

-- The gradient of the sum of f's sines, by x: what the shortcuts of first derivatives compute.
local function by_first(f, x) return grad(function(z) return sum(sin(f(z))) end)(x) end

local cases = {
    -- arithmetic: equal shapes, a stretched side, a number on either side
    {"add", function(x, y) return x + y end, R(2, 3), R(3)},
    {"add", function(x, y) return x + y end, 0.3, R(2, 2)},
    {"sub", function(x, y) return x - y end, R(2, 1), R(3)},
    {"mul", function(x, y) return x * y end, R(2, 3), R(2, 3)},
    {"mul", function(x, y) return x * y end, R(2, 1, 2), R(3, 1)},
    {"mul", function(x) return x * x end, R(3)},
    {"div", function(x, y) return x / y end, R(2, 3), P(3)},
    {"div", function(x, y) return x / y end, R(2, 2), 0.7},
    {"pow", function(x, y) return x ^ y end, P(3), R(2, 3)},
    {"pow", function(x) return x^2 + x^3 + x^1 + x^0 + x^-2 + x^2.5 end, P(3)},
    {"pow", function(x) return x^5 end, R(3)},
    {"pow", function(y) return 1.7 ^ y end, R(3)},
    {"atan2", function(y, x) return atan2(y, x) end, R(3), P(2, 3)},
    {"hypot", function(x, y) return hypot(x, y) end, R(3), P(2, 3)},
    {"minimum", function(x, y) return minimum(x, y) * x end, D(2, 3), D(3) + 0.1},
    {"maximum", function(x, y) return maximum(x, y) * x end, D(2, 3), D(3) + 0.1},
    {"where", function(x, y) return where(gt(x, 0), x * y, y) end, array{{1, -1, 0.5}, {-0.7, 0.6, -2}}, R(3)},
    {"neg", function(x) return -x end, R(3)},
    {"square", function(x) return square(x) end, R(3)},
    {"exp", exp, R(3)}, {"log", log, P(3)}, {"sqrt", sqrt, P(3)}, {"sin", sin, R(3)}, {"cos", cos, R(3)}, {"tan", tan, U(3)},
    {"asin", asin, U(3)}, {"acos", acos, U(3)}, {"atan", atan, R(3)}, {"sinh", sinh, R(3)}, {"cosh", cosh, R(3)},
    {"tanh", tanh, R(3)}, {"log1p", log1p, P(3)}, {"expm1", expm1, R(3)}, {"log2", log2, P(3)}, {"sigmoid", sigmoid, R(3)},
    {"erf", erf, R(3)},
    {"relu", function(x) return relu(x) * x end, D(4) + 0.01},
    {"abs", function(x) return abs(x) * x end, D(4) + 0.01},
    {"conj", function(x) return conj(x) end, R(3)},
    {"re", function(x) return re(x) end, R(3)},
    {"im", function(x) return im(x) + x end, R(3)},
    {"astype", function(x) return astype(x, "f64") end, R(3)},
    -- folds, over everything, along an axis, with the axis kept
    {"sum", function(x) return sum(x) end, R(2, 3)}, {"sum", function(x) return sum(x, 1) end, R(2, 3)},
    {"sum", function(x) return sum(x, -1, {keep = true}) * x end, R(2, 3, 2)},
    {"mean", function(x) return mean(x) end, R(2, 3)}, {"mean", function(x) return mean(x, 2) end, R(2, 3)},
    {"prod", function(x) return prod(x) end, R(2, 2)}, {"prod", function(x) return prod(x, 1) end, R(3, 2)},
    {"prod", function(x) return prod(x, -1, {keep = true}) end, array{{1.5, 0, 2}, {0, 0, 3}}},
    {"var", function(x) return var(x) end, R(2, 3)}, {"var", function(x) return var(x, 2, {ddof = 1, keep = true}) end, R(2, 3)},
    {"std", function(x) return std(x) end, R(2, 3)}, {"std", function(x) return std(x, 1, {ddof = 1}) end, R(3, 2)},
    {"norm", function(x) return norm(x) end, R(2, 3)}, {"norm", function(x) return norm(x, 2) end, R(2, 3)},
    {"norm", function(x) return norm(x, 1, {ord = 1}) * x end, D(2, 3) + 0.01},
    {"norm", function(x) return norm(x, 2, {ord = inf, keep = true}) * x end, D(2, 3) + 0.01},
    {"min", function(x) return min(x) * x end, D(2, 3)}, {"min", function(x) return min(x, 1) * x end, D(2, 3)},
    {"max", function(x) return max(x) * x end, D(2, 3)}, {"max", function(x) return max(x, 2, {keep = true}) * x end, D(2, 3)},
    {"logsumexp", function(x) return logsumexp(x) end, R(2, 3)}, {"logsumexp", function(x) return logsumexp(x, 1) end, R(2, 3)},
    -- scans
    {"cumsum", function(x) return cumsum(x) end, R(2, 3)}, {"cumsum", function(x) return cumsum(x, 1) end, R(3, 2)},
    {"cumprod", function(x) return cumprod(x) end, R(2, 3)}, {"cumprod", function(x) return cumprod(x, 1) end, array{{2, 0}, {0, 3}, {5, 1}, {0, 2}}},
    {"sort", function(x) return sort(x) * x end, D(2, 3)}, {"sort", function(x) return sort(x, 1) * x end, D(3, 2)},
    -- places
    {"reshape", function(x) return reshape(x, 3, -1) end, R(2, 3)},
    {"permute", function(x) return permute(x, 3, 1, -2) end, R(2, 3, 2)},
    {"transpose", function(x) return transpose(x) end, R(2, 2, 3)},
    {"permute", function(x) return x.T end, R(2, 3)},
    {"broadcast_to", function(x) return broadcast_to(x, 2, 3, 2) end, R(3, 1)},
    {"slice", function(x) return x[{ {1, 3, 2}, {-1, 1, -1} }] end, R(3, 2)},
    {"slice", function(x) return x[2] * x(1, 2) end, R(3, 2)},
    {"unslice", function(x) return grad(function(y) return sum(y[{ {2, 3} }]^2 * x) end)(R(4) * 0 + 1) end, R(2)},
    {"squeeze", function(x) return squeeze(x) end, R(2, 1, 3, 1)}, {"squeeze", function(x) return squeeze(x, -1) end, R(2, 1, 1)},
    {"unsqueeze", function(x) return unsqueeze(x, 2) end, R(2, 3)}, {"unsqueeze", function(x) return unsqueeze(x, -1) end, R(2, 3)},
    {"flip", function(x) return flip(x) end, R(2, 3)}, {"flip", function(x) return flip(x, -1) end, R(2, 3)},
    {"concat", function(x, y) return concat({x, y * x[1], array{{1, 2}}}) end, R(2, 2), R(1, 2)},
    {"concat", function(x, y) return concat({x, y}, -1) end, R(2, 2), R(2, 1)},
    {"stack", function(x, y) return stack({x, y, x}) end, R(2, 2), R(2, 2)},
    {"stack", function(x, y) return stack({x, y}, -1) end, R(2), R(2)},
    {"take", function(x) return take(x, {3, 1, 3, -1}) end, R(3, 2)},
    {"take", function(x) return take(x, {{1, 2}, {2, 2}}, 2) end, R(2, 2)},
    {"put", function(x) return grad(function(y) return sum(take(y, {2, 1, 2}) * x) end)(R(3)) end, R(3)},
    {"diag", function(x) return diag(x) end, R(3)}, {"diag", function(x) return diag(x, -1) end, R(2)},
    {"diag", function(x) return diag(x, 1) end, R(2, 4)}, {"diag", function(x) return diag(x) end, R(3, 2)},
    {"triu", function(x) return triu(x) end, R(3, 3)}, {"triu", function(x) return triu(x, 1) end, R(2, 3, 3)},
    {"tril", function(x) return tril(x, -1) end, R(3, 3)},
    {"tile", function(x) return tile(x, 2, 1, 3) end, R(2, 2)}, {"tile", function(x) return tile(x, 2) end, R(2, 3)},
    {"roll", function(x) return roll(x, 2) end, R(2, 3)}, {"roll", function(x) return roll(x, -1, 1) end, R(3, 2)},
    -- what only rules call
    {"put_along", function(w) return grad(function(y) return sum(sort(y) * w) end)(D23) end, R(2, 3)},
    {"take_along", function(w) return (select(2, jvp(function(y) return sort(y, 1) end, D32, w))) end, R(3, 2)},
    {"recur", function(x, w) return (select(2, jvp(cumprod, x, w))) end, P(2, 3), R(2, 3)},
    {"recur", function(x, w) return (vjp2(function(y) return cumprod(y, 1) end, x, w)) end, P(3, 2), R(3, 2)},
    -- products: square, oblong, vectors, stacks against stacks, stretched stacks
    {"matmul", matmul, R(2, 2), R(2, 2)}, {"matmul", matmul, R(2, 3), R(3, 4)}, {"matmul", matmul, R(3), R(3)},
    {"matmul", matmul, R(2, 3), R(3)}, {"matmul", matmul, R(3), R(3, 2)}, {"matmul", matmul, R(2, 2, 3), R(3, 2)},
    {"matmul", matmul, R(2, 3), R(2, 3, 2)}, {"matmul", matmul, R(2, 1, 2, 2), R(2, 2, 1)}, {"matmul", matmul, R(2), R(3, 2, 2)},
    {"matmul", matmul, R(3, 2, 2), R(2)}, {"matmul", function(x) return matmul(x, x) end, R(2, 2)},
    {"dot", dot, R(3), R(3)}, {"dot", dot, R(2, 3), R(3, 2)},
    {"expm", expm, R(2, 2)}, {"expm", expm, R(2, 2, 2)},
    -- linear algebra: matrices far from singular, values apart, what is blind to the sign of a vector
    {"solve", solve, R(2, 2) + 3 * eye(2), R(2)}, {"solve", solve, R(2, 2) + 3 * eye(2), R(2, 2)},
    {"solve", solve, R(2, 2, 2) + 3 * eye(2), R(2, 1)}, {"solve", solve, R(2, 2) + 3 * eye(2), R(2, 2, 1)},
    {"inv", inv, R(2, 2) + 3 * eye(2)}, {"inv", inv, R(2, 2, 2) + 3 * eye(2)},
    {"det", det, R(3, 3)}, {"derivative of det", grad(det), R(3, 3)},
    {"derivative of det", function(A, B) return (select(2, jvp(grad(det), A, B))) end, R(3, 3), R(3, 3)},
    {"derivative of det", function(B) return hvp(det, array{{1, 2, 3}, {2, 4, 6}, {1, 1, 1}}, B) end, R(3, 3)}, {"slogdet", function(A) return (select(2, slogdet(A))) end, R(2, 2) + 3 * eye(2)},
    {"slogdet", function(x) local s, l = slogdet(reshape(x - 66.5, 1, 1)) return s * l end, array{64}}, -- signs -, -, + in a batch
    {"cholesky", function(A) return cholesky(matmul(A, transpose(A)) + eye(2)) end, R(2, 2)},
    {"qr", function(A) local Q, r = qr(A / 2 + 2 * K32) return matmul(Q, r * r) end, R(3, 2)},
    {"qr", function(A) local Q, r = qr(A / 2 + 2 * K32.T) return matmul(Q, r * r) end, R(2, 3)},
    {"qr", function(A) return (qr(A / 2 + 2 * K32.T)) end, R(2, 3)}, {"qr", function(A) return (select(2, qr(A / 2 + 2 * K32.T))) end, R(2, 3)},
    {"qr", function(A) local Q, r = qr(A / 2 + 2 * K32, "full") return Q[{ {}, 3 }]^2 + matmul(Q, r * r)[{ {}, 1 }] end, R(3, 2)},
    {"derivative of qr", grad(function(A) local Q, r = qr(A / 2 + 2 * K32) return sum(r * r * r) end), R(3, 2)},
    {"derivative of a basis", grad(function(A) local Q = qr(A / 2 + array{{2}, {1}, {0}}, "full") Q = Q[{ {}, {2, 3} }] return sum(matmul(Q, Q.T) * {1, 2, 4}) end), R(3, 1)},
    {"derivative of eigenvalues", function(A) return eigh((A + transpose(A)) / 4 + diag{3, 1})^2 end, R(2, 2)},
    {"derivative of singular values", function(A) return svdvals(A / 2 + K32)^2 end, R(3, 2)},
    {"derivative of cond", grad(function(A) return cond(A / 4 + K22)^2 end), R(2, 2)},
    {"eigh", function(A) local w, V = eigh((A + transpose(A)) / 4 + diag{3, 1}) return w + V[1] * V[2] * {1, 2} end, R(2, 2)},
    {"derivative of eigh", grad(function(A) local w, V = eigh((A + transpose(A)) / 4 + diag{3, 1}) return V(1, 1) * V(2, 1) end), R(2, 2)},
    {"svd", function(A) local U, s, V = svd(A / 2 + 2 * K32) return concat{s, U[1] * U[2], V[{ {}, 1 }] * V[{ {}, 2 }], U[1] * V[{ {}, 1 }]} end, R(3, 2)},
    {"svd", function(A) local U = svd(A / 2 + 2 * K32, "full") return U[{ {}, 3 }]^2 + U[{ {}, 1 }]^2 end, R(3, 2)},
    {"svd", function(A) local U, s, V = svd(A / 2 + 2 * K32.T) return U[1] * V[{ {}, 3 }] * s end, R(2, 3)},
    {"derivative of svd", grad(function(A) local U, s, V = svd(A / 2 + K22) return U(1, 1) * V(1, 2) end), R(2, 2)},
    {"svdvals", function(A) return svdvals(A / 2 + K32.T) end, R(2, 3)}, {"cond", function(A) return cond(A / 2 + K22) end, R(2, 2)},
    {"pinv", function(A) return pinv(A / 2 + K32) end, R(3, 2)}, {"pinv", function(A) return pinv(A / 2 + K32.T) end, R(2, 3)},
    {"pinv", function(u, v) return pinv(outer(u, v), 1e-9) end, P(3), P(2)}, -- of rank 1 wherever it goes
    {"lstsq", function(u, v) local x, e = lstsq(outer(u, v), {1, 2, -1}, 1e-9) return x * e end, P(3), P(2)},
    {"derivative of a rank", function(u) return hvp(function(z) return sum(pinv(outer(z * z, {1, 2}), 1e-9)[1] * {1, 2, 3}) end, u, {1, 0.5, -1}) end, P(3)},
    {"derivative of pinv", grad(function(A) return sum(pinv(A / 2 + K32.T) * {1, 2}) end), R(2, 3)},
    {"lstsq", function(A, b) local x, e, _, s = lstsq(A / 2 + K32, b) return concat{x, reshape(e, 1), s} end, R(3, 2), R(3)},
    {"lstsq", function(A, b) return (lstsq(A / 2 + K32, b)) end, R(3, 2), R(3, 2)},
    -- what transformers are made of: axes, gains and biases, masks, shared heads, stretched stacks
    {"softmax", softmax, R(2, 3)}, {"softmax", function(x) return softmax(x, 1) * x end, R(3, 2)},
    {"layer_norm", function(x) return layer_norm(x, {eps = 0.3}) * x end, R(2, 4)},
    {"layer_norm", function(x, g) return layer_norm(x, {gain = g, bias = 2 * g, eps = 0.3}) end, R(2, 4), R(4)},
    {"layer_norm", function(x, b) return layer_norm(x, {gain = b(1), bias = b, eps = 0.3}) * x end, R(2, 2, 3), R(3)},
    {"rms_norm", function(x) return rms_norm(x, {eps = 0.3}) end, R(2, 3)},
    {"rms_norm", function(x, g) return rms_norm(x, {gain = g, eps = 0.3}) end, R(2, 3), R(3)},
    {"attention_weights", attention_weights, R(3, 2), R(2, 2)},
    {"attention_weights", function(Q, B) return attention_weights(Q, Q, {bias = B, causal = true}) end, R(2, 3, 2), R(3, 3)},
    {"attention", function(Q, K) return attention(Q, K, 2 * K) end, R(3, 2), R(2, 2)},
    {"attention", function(Q, V) return attention(Q, V[{ {}, {1, 2} }], V, {causal = true, scale = 0.7}) end, R(3, 2), R(3, 3)},
    {"attention", function(Q, V) return attention(Q, V, V, {mask = window_mask(3, 2)}) end, R(4, 3, 2), R(2, 3, 2)},
    {"attention", function(Q, B) return attention(Q, Q, Q, {bias = B, mask = causal_mask(3)}) end, R(2, 1, 3, 2), R(2, 1, 1, 3)},
    -- derivatives of a first derivative: its shortcut against its definition
    {"derivative of attention", function(Q, V) return by_first(function(Q) return attention(Q, V[{ {}, {1, 2} }], V, {causal = true}) end, Q) end, R(3, 2), R(3, 3)},
    {"derivative of attention", function(K, Q) return by_first(function(K) return attention(Q, K, 2 * K, {scale = 0.6}) end, K) end, R(2, 2, 2), R(4, 3, 2)},
    {"derivative of attention", function(K, Q) return by_first(function(K) return attention(Q, K, K) end, K) end, R(3, 2), R(2, 3, 2)},
    {"derivative of attention", function(B, Q) return by_first(function(B) return attention(Q, Q, Q, {bias = B}) end, B) end, R(1, 3), R(3, 2)},
    {"derivative of layer_norm", function(x, g) return by_first(function(x) return layer_norm(x, {gain = g, bias = x(1, 1), eps = 0.3}) end, x) end, R(2, 3), R(3)},
    {"derivative of layer_norm", function(g, x) return by_first(function(g) return layer_norm(x, {gain = g, bias = g(2), eps = 0.3}) end, g) end, R(3), R(2, 3)},
    {"derivative of rms_norm", function(x, g) return by_first(function(x) return rms_norm(x, {gain = g, eps = 0.3}) end, x) end, R(2, 3), R(3)},
    {"derivative of rms_norm", function(g, x) return by_first(function(g) return rms_norm(x, {gain = g(1), eps = 0.3}) end, g) end, R(2), R(2, 2)},
    {"attention with sums", function(Q, V) return by_first(function(V) return attention(Q, 0.5 * V, V, {window = 2}) end, V) end, R(3, 2), R(3, 2)},
    -- products with what a layer does next
    {"affine", function(x, b) return fused.affine(x, K32 * b, b) end, R(2, 3), R(2)},
    {"affine", function(x, W) return fused.affine(x, W, sin(W[1])) end, R(2, 2, 3), R(3, 2)},
    {"affine relu", function(x, b) return fused.affine(x, K32 * b, b, true) end, R(4, 3), R(2)},
    {"affine relu", function(x, W) return fused.affine(x, W, sin(W[1]), true) * x(1, 1, 1) end, R(2, 2, 3), R(3, 2)},
    {"derivative of affine relu", function(x, b) return by_first(function(x) return fused.affine(x, K32, b, true) end, x) end, R(4, 3), R(2)},
    {"derivative of affine relu", function(b, x) return by_first(function(b) return fused.affine(x, K32, b, true) end, b) end, R(2), R(2, 2, 3)},
    {"rotation of pairs", function(x) return rope(x, {layout = "half"}) end, R(2, 3, 4)},
    {"rotation of pairs", function(x) return rope(x, {layout = "interleaved", rotary = 2, inverse = true}) end, R(3, 5)},
    {"rotation of pairs", function(x, a) return rope(x, {layout = "half", cos = 2 * cos(a), sin = sin(a), rotary = 4, offset = 1}) end, R(2, 3, 5), R(4, 2)},
    {"rotation of pairs", function(a, x) return rope(x, {layout = "interleaved", cos = cos(a), sin = 2 * sin(a)}) end, R(3, 2), R(3, 4)},
    -- of one table alone
    {"rotation of pairs", function(c) return rope(K32, {layout = "half", cos = c, sin = ones(3, 1)}) end, R(3, 1)},
    {"rotation of pairs", function(s) return rope(K32, {layout = "half", cos = ones(3, 1), sin = s}) end, R(3, 1)},
    {"outer", outer, R(2), R(3)}, {"kron", kron, R(2, 1), R(2, 2)}, {"trace", function(x) return trace(matmul(x, x)) end, R(3, 3)},
}

-- ---- checks ----------------------------------------------------------------------------------------------------------

local function off(a, b)
    local d = max(abs(array(a) - array(b)) / (1 + abs(array(b))))
    if d <= BOUND then return nil end
    return d
end

local function flat(x) return type(x) == "number" and array{x} or reshape(x, x.size) end

-- The derivative of F(args) (a number or an array) by entry k of argument i, by differences.
local function difference(F, args, i, k)
    local function at(h)
        local moved = {table.unpack(args)}
        if type(args[i]) == "number" then moved[i] = args[i] + h
        else
            moved[i] = flat(args[i]):copy()
            moved[i][k] = moved[i](k) + h
            moved[i] = reshape(moved[i], args[i].shape)
        end
        return F(table.unpack(moved))
    end
    return (at(-2 * H) - 8 * at(-H) + 8 * at(H) - at(2 * H)) / (12 * H)
end

local function size(x) return type(x) == "number" and 1 or x.size end

-- What follows looks at one side of a rule each and returns what is wrong, if anything is. F: the case's name, function, arguments, value y,
-- cotangent w, s = sum(w f), and the gradient of s.

local function gradient(F)
    for i, x in ipairs(F.args) do
        local wanted = {}
        for k = 1, size(x) do wanted[k] = difference(F.s, F.args, i, k) end
        local d = off(flat(F.gradient[i]), wanted)
        if d then return ("%s: gradient by argument %d is off by %g"):format(F.name, i, d) end
    end
end

local function forwards(F) -- w . J v = J' w . v
    for i, x in ipairs(F.args) do
        local v = type(x) == "number" and 1.3 or R(table.unpack(x.shape))
        local function alone(z)
            local moved = {table.unpack(F.args)}
            moved[i] = z
            return F.f(table.unpack(moved))
        end
        local y2, dy = jvp(alone, x, v)
        if off(y2, F.y) then return F.name .. ": jvp changes the value" end
        local d = off(sum(F.w * dy), sum(flat(F.gradient[i]) * flat(v)))
        if d then return ("%s: jvp by argument %d is off by %g"):format(F.name, i, d) end
        local _, back = vjp(alone, x, F.w)
        if off(flat(back), flat(F.gradient[i])) then return ("%s: vjp by argument %d"):format(F.name, i) end
    end
end

local function matrix_of(B, rows, columns) return reshape(type(B) == "number" and array{B} or B, rows, columns) end

local function twice(F) -- batched tangents through the gradient, against differences of the gradient
    local H2 = hessian(F.s)(table.unpack(F.args))
    if #F.args == 1 then H2 = {{H2}} end
    for i, x in ipairs(F.args) do
        for j, z in ipairs(F.args) do
            local B = matrix_of(H2[i][j], size(x), size(z))
            for k = 1, size(z) do
                local column = difference(function(...) return flat((select(i, grad(F.s)(...)))) end, F.args, j, k)
                local d = off(B[{ {}, k }], column)
                if d then return ("%s: Hessian block %d %d, column %d is off by %g"):format(F.name, i, j, k, d) end
            end
            if off(B, transpose(matrix_of(H2[j][i], size(z), size(x)))) then
                return ("%s: the Hessian is not symmetric"):format(F.name)
            end
        end
    end
end

local function batches(F) -- a batch of three is three calls
    local f, args = F.f, F.args
    local stacked, calls = {}, {}
    for b = 1, 3 do
        local member = {}
        for i, x in ipairs(args) do
            member[i] = x * (1 + b / 64)
            stacked[i] = stacked[i] or {}
            stacked[i][b] = member[i]
        end
        calls[b] = f(table.unpack(member))
    end
    local batch <close> = tapes.batch(3)
    for i in ipairs(args) do stacked[i] = tapes.batched(batch, stack(stacked[i])) end
    local d = off(tapes.members(batch, f(table.unpack(stacked))), stack(calls))
    if d then return ("%s: a batch is off by %g"):format(F.name, d) end
    if #args > 1 then -- and one operand the same for all
        local same = args[1] * 1.125
        for b = 1, 3 do calls[b] = f(same, args[2] * (1 + b / 64)) end
        d = off(tapes.members(batch, f(same, stacked[2])), stack(calls))
        if d then return ("%s: a batch beside one operand is off by %g"):format(F.name, d) end
    end
end

local function one_matrix(F) -- a batch forwards and a batch backwards give one matrix
    if type(F.y) == "number" then return nil end
    local J = jacobian(F.f)(table.unpack(F.args))
    if #F.args == 1 then J = {J} end
    for i, x in ipairs(F.args) do
        local d = off(matmul(flat(F.w), reshape(J[i], F.y.size, size(x))), flat(F.gradient[i]))
        if d then return ("%s: Jacobian by argument %d is off by %g"):format(F.name, i, d) end
    end
end

function check(case)
    local F = {name = case[1], f = case[2], args = {table.unpack(case, 3)}}
    F.y = F.f(table.unpack(F.args))
    F.w = type(F.y) == "number" and 0.7 or R(table.unpack(F.y.shape))
    function F.s(...) return sum(F.w * F.f(...)) end
    F.gradient = {grad(F.s)(table.unpack(F.args))}
    return gradient(F) or forwards(F) or twice(F) or batches(F) or one_matrix(F)
end

-- ---- who is there ----------------------------------------------------------------------------------------------------

function by_name()
    local out = {}
    for _, case in ipairs(cases) do
        out[case[1]] = out[case[1]] or {}
        table.insert(out[case[1]], case)
    end
    return out
end

function has_case(name) return by_name()[name] ~= nil end

-- Where a spoilt rule is no other rule: pieces of straight lines have no second derivative, so their slopes may be frozen.
local STRAIGHT = {minimum = true, maximum = true, where = true, relu = true, abs = true, min = true, max = true, sort = true}
local NO_SECOND = {where = true, take = true, put = true, take_along = true, put_along = true, -- a condition, an index
    ["derivative of a basis"] = true, ["derivative of a rank"] = true} -- what the first operand is held against
local SLOPES = {["derivative of eigenvalues"] = true, ["derivative of singular values"] = true} -- (w, g): g where w says so
function harmless(name, way)
    return SLOPES[name] and (way == "sign of operand 1" or way == "frozen slope") or name == "derivative of pinv" and way == "frozen slope"
        or way == "frozen slope" and (STRAIGHT[name] or NO_SECOND[name]) or way == "sign of operand 2" and NO_SECOND[name] and name ~= "where"
        or way == "sign of operand 1" and name == "where" or name == "im" and way ~= "sign of operand 2"
end

return cases
