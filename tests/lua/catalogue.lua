-- Every identity of the three sources: the true form must be proved, each false form refuted with a witness, every small
-- change of the true form decided. An entry: name, {lhs, rhs}, false forms {lhs, rhs}…, and the pinned fate of its mutants
-- {total, refuted, equivalent}. Receives `report`, which is told of every fault.
local report, show = ...

local a, b, t, u, k, m, n, x, y = sym "a b t u k m n x y"
local q0, q1, k0, k1, p0, p1, c = sym "q0 q1 k0 k1 p0 p1 c"
local th, h, g = sym "θ", sym "h", sym "g"
local d, K, be, la = sym("d", "positive"), sym("K", "positive"), sym("β", "positive"), sym("λ", "positive")
local z, w = sym("z w", "complex")
local i, N, M = sym("i", "integer"), sym("N", "integer"), sym("M", "natural")
local n_m = sym "n_m"

local function vec(...) return matrix{...} end
local function rot(v) return matrix{{cos(v), -sin(v)}, {sin(v), cos(v)}} end
local function dot(p, r) return matmul(p.T, r)(1, 1) end
local function pe(v) return vec(sin(th * v), cos(th * v)) end
local function over(f) return sum(f, i, 0, N - 1) end
local e = exp

-- four positions of a rotary vector of dimension 4, frequencies a and b
local Q, Kv = symmatrix("q", 4), symmatrix("k", 4)
local function rope(v, at)
    local r1, r2 = rot(a * at), rot(b * at)
    local zero = rat(0)
    return matmul(matrix{{r1(1, 1), r1(1, 2), zero, zero}, {r1(2, 1), r1(2, 2), zero, zero},
        {zero, zero, r2(1, 1), r2(1, 2)}, {zero, zero, r2(2, 1), r2(2, 2)}}, v)
end
local function times(v, angles, f) -- elementwise v·f(angle)
    local out = {}
    for r = 1, 4 do out[r] = v(r, 1) * f(angles[r]) end
    return matrix(out)
end
local interleaved, halves = {a * m, a * m, b * m, b * m}, {a * m, b * m, a * m, b * m}
local function half(v) return vec(-v(2, 1), v(1, 1), -v(4, 1), v(3, 1)) end
local function half_split(v) return vec(-v(3, 1), -v(4, 1), v(1, 1), v(2, 1)) end
local function permuted(v) return vec(v(1, 1), v(3, 1), v(2, 1), v(4, 1)) end

-- attention with matrices of symbols
local X, P, Y, R = symmatrix("x", 2).T, symmatrix("p", 2).T, symmatrix("y", 2).T, symmatrix("r", 2).T
local WQ, WK, WV = symmatrix("A", 2, 2), symmatrix("B", 2, 2), symmatrix("C", 2, 2)
local function score(l, r) return matmul(matmul(l, WQ), matmul(r, WK).T)(1, 1) end
local A1, A2 = symmatrix("s", 2, 2), symmatrix("v", 2, 2)
local V1, V2, XX = symmatrix("f", 2, 2), symmatrix("g", 2, 2), symmatrix("X", 2, 2)

-- Taylor terms of a quadratic in two positions, scalar and with two dimensions
local H = symmatrix("H", 2, 2)
local pm, pn = vec(cos(m * th), sin(m * th)), vec(cos(n * th), sin(n * th))
local function bilinear(l, mid, r) return matmul(matmul(l.T, mid), r)(1, 1) end
local diag = matrix{{h, 0}, {0, g}}
local f2 = a + b * p0 + c * p1 + x * p0 ^ 2 / 2 + y * p1 ^ 2 / 2 + h * p0 * p1

-- matrices of a long identity, written out
local function long(count, f)
    local s = f(1)
    for r = 2, count do s = s + f(r) end
    return s
end
local D = 8
local W, Hd, Hs = symmatrix("w", D // 2), symmatrix("hc", D // 2), symmatrix("hs", D // 2)

local catalogue = {
    -- 001, section 2
    {"sin of a sum", {sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)},
        {{sin(a + b), sin(a) * cos(b) - cos(a) * sin(b)}, {sin(a + b), cos(a) * cos(b) + sin(a) * sin(b)},
         {sin(a + b), sin(a) * cos(b) + cos(b) * sin(a)}, {sin(2 * a + b), sin(a) * cos(b) + cos(a) * sin(b)}}},
    {"sin of a difference", {sin(a - b), sin(a) * cos(b) - cos(a) * sin(b)},
        {{sin(a - b), sin(a) * cos(b) + cos(a) * sin(b)}, {sin(b - a), sin(a) * cos(b) - cos(a) * sin(b)},
         {cos(a - b), sin(a) * cos(b) - cos(a) * sin(b)}}},
    {"cos of a sum", {cos(a + b), cos(a) * cos(b) - sin(a) * sin(b)},
        {{cos(a + b), cos(a) * cos(b) + sin(a) * sin(b)}, {cos(a + b), cos(a) * cos(b) - cos(a) * sin(b)},
         {cos(a + b), sin(a) * sin(b) - cos(a) * cos(b)}}},
    {"cos of a difference", {cos(a - b), cos(a) * cos(b) + sin(a) * sin(b)},
        {{cos(a - b), cos(a) * cos(b) - sin(a) * sin(b)}, {cos(a - b), cos(a) * sin(b) + sin(a) * sin(b)},
         {cos(a - 2 * b), cos(a) * cos(b) + sin(a) * sin(b)}}},
    {"frequency of pair i", {10000 ^ (-2 * i / d), 1 / 10000 ^ (2 * i / d)},
        {{10000 ^ (2 * i / d), 1 / 10000 ^ (2 * i / d)}, {10000 ^ (-2 * (i + 1) / d), 1 / 10000 ^ (2 * i / d)},
         {10000 ^ (-i / d), 1 / 10000 ^ (2 * i / d)}}},
    {"shift of the sine", {sin(th * (t + k)), sin(th * t) * cos(th * k) + cos(th * t) * sin(th * k)},
        {{sin(th * (t + k)), sin(th * t) * cos(th * k) - cos(th * t) * sin(th * k)},
         {sin(th * (t + k)), sin(th * t) * sin(th * k) + cos(th * t) * cos(th * k)},
         {sin(th * (t + k + 1)), sin(th * t) * cos(th * k) + cos(th * t) * sin(th * k)}}},
    {"shift of the cosine", {cos(th * (t + k)), cos(th * t) * cos(th * k) - sin(th * t) * sin(th * k)},
        {{cos(th * (t + k)), cos(th * t) * cos(th * k) + sin(th * t) * sin(th * k)},
         {cos(th * (t + k)), cos(th * t) * sin(th * k) - sin(th * t) * cos(th * k)},
         {cos(th * (t - k)), cos(th * t) * cos(th * k) - sin(th * t) * sin(th * k)}}},
    {"shift as a matrix free of t", {pe(t + k), matmul(rot(-th * k), pe(t))},
        {{pe(t + k), matmul(rot(th * k), pe(t))}, {pe(t - k), matmul(rot(-th * k), pe(t))}, {pe(t + k), matmul(rot(-th * k), pe(k))}}},
    {"shifts add", {matmul(rot(a), rot(b)), rot(a + b)},
        {{matmul(rot(a), rot(b)), rot(a - b)}, {matmul(rot(a), rot(b).T), rot(a + b)}, {matmul(rot(a), rot(a)), rot(a + b)}}},
    {"inner product, first line to second",
        {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))), over(cos(th[i] * (t - (t + k))))},
        {{over(sin(th[i] * t) * sin(th[i] * (t + k)) - cos(th[i] * t) * cos(th[i] * (t + k))), over(cos(th[i] * (t - (t + k))))},
         {over(sin(th[i] * t) * cos(th[i] * (t + k)) + cos(th[i] * t) * sin(th[i] * (t + k))), over(cos(th[i] * (t - (t + k))))},
         {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))), over(cos(th[i + 1] * (t - (t + k))))},
         {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))), sum(cos(th[i] * k), i, 1, N)}}},
    {"inner product, second line to third", {over(cos(th[i] * (t - (t + k)))), over(cos(th[i] * k))},
        {{over(cos(th[i] * (t - (t + k)))), over(sin(th[i] * k))}, {over(cos(th[i] * (t + (t + k)))), over(cos(th[i] * k))},
         {over(cos(th[i] * (t - (t + k)))), sum(cos(th[i] * k), i, 0, N)}}},
    {"inner product at any other position",
        {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))),
         over(sin(th[i] * u) * sin(th[i] * (u + k)) + cos(th[i] * u) * cos(th[i] * (u + k)))},
        {{over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))),
          over(sin(th[i] * u) * sin(th[i] * (u + k)) - cos(th[i] * u) * cos(th[i] * (u + k)))},
         {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))),
          over(sin(th[i] * u) * sin(th[i] * (t + k)) + cos(th[i] * u) * cos(th[i] * (t + k)))},
         {over(sin(th[i] * t) * sin(th[i] * (t + k)) + cos(th[i] * t) * cos(th[i] * (t + k))),
          over(sin(th[i] * u) * sin(th[i] * (u + k + 1)) + cos(th[i] * u) * cos(th[i] * (u + k + 1)))}}},
    {"direction-unaware", {dot(pe(t), pe(t + k)), dot(pe(t), pe(t - k))},
        {{dot(pe(t), pe(t + k)), dot(pe(t), pe(t - k - 1))}, {dot(pe(t), pe(t + k)), -dot(pe(t), pe(t - k))},
         {dot(pe(t), pe(t + k)), dot(pe(t), pe(k))}}},
    {"direction through W is odd", {dot(pe(t), matmul(rot(Pi / 2), pe(t + k))), -dot(pe(t), matmul(rot(Pi / 2), pe(t - k)))},
        {{dot(pe(t), matmul(rot(Pi / 2), pe(t + k))), dot(pe(t), matmul(rot(Pi / 2), pe(t - k)))},
         {dot(pe(t), matmul(rot(Pi / 3), pe(t + k))), -dot(pe(t), matmul(rot(Pi / 3), pe(t - k)))},
         {dot(pe(t), matmul(rot(Pi / 2), pe(t + k))), cos(th * k)}}},
    {"sinusoids at d = 8, written out",
        {long(D // 2, function(r) return sin(W(r) * t) * sin(W(r) * (t + k)) + cos(W(r) * t) * cos(W(r) * (t + k)) end),
         long(D // 2, function(r) return cos(W(r) * k) end)},
        {{long(D // 2, function(r) return sin(W(r) * t) * sin(W(r) * (t + k)) + cos(W(r) * t) * cos(W(r) * (t + k)) end),
          long(D // 2, function(r) return cos(W(r) * (r == 3 and t or k)) end)},
         {long(D // 2, function(r) return sin(W(r) * t) * sin(W(r) * (t + k)) + cos(W(r) * t) * cos(W(r) * (t + k)) end),
          long(D // 2 - 1, function(r) return cos(W(r) * k) end)},
         {long(D // 2, function(r) return sin(W(r) * t) * sin(W(r) * (t + k)) + cos(W(r) * t) * sin(W(r) * (t + k)) end),
          long(D // 2, function(r) return cos(W(r) * k) end)}}},

    -- 001, section 3
    {"four terms", {score(X + P, Y + R), score(X, Y) + score(X, R) + score(P, Y) + score(P, R)},
        {{score(X + P, Y + R), score(X, Y) + score(X, R) + score(P, Y) - score(P, R)},
         {score(X + P, Y + R), score(X, Y) + score(X, R) + score(Y, P) + score(P, R)},
         {score(X + P, Y + R), score(X, Y) + score(X, R) + score(P, R)}}},
    {"scores by the product of the weights", {score(X, Y), matmul(matmul(X, matmul(WQ, WK.T)), Y.T)(1, 1)},
        {{score(X, Y), matmul(matmul(X, matmul(WQ, WK)), Y.T)(1, 1)}, {score(X, Y), matmul(matmul(X, matmul(WK, WQ.T)), Y.T)(1, 1)},
         {score(X, Y), matmul(matmul(Y, matmul(WQ, WK.T)), X.T)(1, 1)}}},

    -- 001, section 4
    {"RoPE: the product with the conjugate", {z * e(I * m * th) * conj(w * e(I * n * th)), z * conj(w) * e(I * (m - n) * th)},
        {{z * e(I * m * th) * conj(w * e(I * n * th)), z * w * e(I * (m - n) * th)},
         {z * e(I * m * th) * conj(w * e(I * n * th)), z * conj(w) * e(I * (m + n) * th)},
         {z * e(I * m * th) * conj(w * e(I * n * th)), z * conj(w) * e(-I * (m - n) * th)},
         {z * e(I * m * th) * w * e(I * n * th), z * conj(w) * e(I * (m - n) * th)}}},
    {"RoPE: the inner product is a real part",
        {re(z * e(I * m * th) * conj(w * e(I * n * th))), re(z * conj(w)) * cos((m - n) * th) - im(z * conj(w)) * sin((m - n) * th)},
        {{re(z * e(I * m * th) * conj(w * e(I * n * th))), re(z * conj(w)) * cos((m - n) * th) + im(z * conj(w)) * sin((m - n) * th)},
         {re(z * e(I * m * th) * conj(w * e(I * n * th))), re(z * w) * cos((m - n) * th) - im(z * w) * sin((m - n) * th)},
         {im(z * e(I * m * th) * conj(w * e(I * n * th))), re(z * conj(w)) * cos((m - n) * th) - im(z * conj(w)) * sin((m - n) * th)}}},
    {"RoPE: functional equation", {dot(matmul(rot(m * th), vec(q0, q1)), matmul(rot(n * th), vec(k0, k1))),
         (q0 * k0 + q1 * k1) * cos((m - n) * th) + (q0 * k1 - q1 * k0) * sin((m - n) * th)},
        {{dot(matmul(rot(m * th), vec(q0, q1)), matmul(rot(n * th), vec(k0, k1))),
          (q0 * k0 + q1 * k1) * cos((m - n) * th) - (q0 * k1 - q1 * k0) * sin((m - n) * th)},
         {dot(matmul(rot(m * th), vec(q0, q1)), matmul(rot(n * th), vec(k0, k1))),
          (q0 * k0 + q1 * k1) * cos((m + n) * th) + (q0 * k1 - q1 * k0) * sin((m + n) * th)},
         {dot(matmul(rot(m * th), vec(q0, q1)), matmul(rot(n * th), vec(k0, k1))),
          (q0 * k0 - q1 * k1) * cos((m - n) * th) + (q0 * k1 - q1 * k0) * sin((m - n) * th)}}},
    {"RoPE: complex product as a rotation", {matmul(matrix{{1, I}}, matmul(rot(m * th), vec(q0, q1)))(1, 1), e(I * m * th) * (q0 + I * q1)},
        {{matmul(matrix{{1, I}}, matmul(rot(m * th).T, vec(q0, q1)))(1, 1), e(I * m * th) * (q0 + I * q1)},
         {matmul(matrix{{1, -I}}, matmul(rot(m * th), vec(q0, q1)))(1, 1), e(I * m * th) * (q0 + I * q1)},
         {matmul(matrix{{1, I}}, matmul(rot(m * th), vec(q0, q1)))(1, 1), e(I * m * th) * (q0 - I * q1)}}},
    {"rotations keep inner products", {matmul(rot(m * th).T, rot(n * th)), rot((n - m) * th)},
        {{matmul(rot(m * th).T, rot(n * th)), rot((m - n) * th)}, {matmul(rot(m * th), rot(n * th)), rot((n - m) * th)},
         {matmul(rot(m * th).T, rot(n * th)), rot((n + m) * th)}}},
    {"rotations are orthogonal", {matmul(rot(a).T, rot(a)), matrix{{1, 0}, {0, 1}}},
        {{matmul(rot(a), rot(a)), matrix{{1, 0}, {0, 1}}}, {matmul(rot(a).T, rot(a)), matrix{{1, 0}, {0, -1}}},
         {matmul(rot(a).T, rot(-a)), matrix{{1, 0}, {0, 1}}}}},
    {"rotations have determinant 1", {det(rot(a)), rat(1)}, {{det(rot(a)), rat(-1)}, {det(rot(a) + rot(a)), rat(1)}, {trace(rot(a)), rat(1)}}},
    {"block form: scores depend on the distance", {dot(rope(Q, m), rope(Kv, n)), dot(Q, rope(Kv, n - m))},
        {{dot(rope(Q, m), rope(Kv, n)), dot(Q, rope(Kv, m - n))}, {dot(rope(Q, m), rope(Kv, n)), dot(Q, rope(Kv, n + m))},
         {dot(rope(Q, m), rope(Kv, n)), dot(Q, rope(Kv, n - m + 1))}}},
    {"rotate_half, interleaved", {rope(Q, m), times(Q, interleaved, cos) + times(half(Q), interleaved, sin)},
        {{rope(Q, m), times(Q, interleaved, cos) - times(half(Q), interleaved, sin)},
         {rope(Q, m), times(Q, interleaved, sin) + times(half(Q), interleaved, cos)},
         {rope(Q, m), times(Q, halves, cos) + times(half(Q), halves, sin)},
         {rope(Q, m), times(Q, interleaved, cos) + times(half_split(Q), interleaved, sin)}}},
    {"rotate_half, half-split under its permutation",
        {permuted(rope(Q, m)), times(permuted(Q), halves, cos) + times(half_split(permuted(Q)), halves, sin)},
        {{rope(Q, m), times(Q, halves, cos) + times(half_split(Q), halves, sin)},
         {permuted(rope(Q, m)), times(permuted(Q), interleaved, cos) + times(half_split(permuted(Q)), interleaved, sin)},
         {permuted(rope(Q, m)), times(permuted(Q), halves, cos) + times(half(permuted(Q)), halves, sin)}}},

    -- 001, section 4.1
    {"interpolation scales the frequency", {cos(m / K * th), cos(m * (th / K))},
        {{cos(m * K * th), cos(m * (th / K))}, {sin(m / K * th), cos(m * (th / K))}, {cos(m / (K + 1) * th), cos(m * (th / K))}}},
    {"β form of the frequencies", {m / (10000 ^ (2 / d)) ^ i, m * 10000 ^ (-2 * i / d)},
        {{m / (10000 ^ (2 / d)) ^ i, m * 10000 ^ (-2 * (i - 1) / d)}, {m * (10000 ^ (2 / d)) ^ i, m * 10000 ^ (-2 * i / d)},
         {m / (10000 ^ (1 / d)) ^ i, m * 10000 ^ (-2 * i / d)}}},
    {"NTK: λ", {m / (K ^ (2 / (d - 2)) * be) ^ (d / 2 - 1), (m / K) / be ^ (d / 2 - 1)},
        {{m / (K ^ (2 / (d - 1)) * be) ^ (d / 2 - 1), (m / K) / be ^ (d / 2 - 1)},
         {m / (K ^ (2 / d) * be) ^ (d / 2 - 1), (m / K) / be ^ (d / 2 - 1)},
         {m / (K ^ (2 / (d - 2)) * be) ^ (d / 2), (m / K) / be ^ (d / 2 - 1)},
         {m / (K ^ (-2 / (d - 2)) * be) ^ (d / 2 - 1), (m / K) / be ^ (d / 2 - 1)}}},
    {"NTK: the new base", {(K ^ (2 / (d - 2)) * be ^ (2 / d)) ^ (d / 2), be * K ^ (d / (d - 2))},
        {{(K ^ (2 / (d - 2)) * be ^ (2 / d)) ^ (d / 2), be * K ^ (d / (d - 1))},
         {(K ^ (2 / (d - 2)) * be ^ (2 / d)) ^ (d / 2), be / K ^ (d / (d - 2))},
         {(K ^ (2 / (d - 2)) * be ^ (2 / d)) ^ (d / 2 - 1), be * K ^ (d / (d - 2))}}},
    {"NTK: the lowest frequency is interpolated", {(K ^ (-2 / (d - 2))) ^ (d / 2 - 1), 1 / K},
        {{(K ^ (-2 / (d - 2))) ^ (d / 2), 1 / K}, {(K ^ (-2 / d)) ^ (d / 2 - 1), 1 / K}, {(K ^ (-2 / (d - 2))) ^ (d / 2 - 1), K}}},
    {"β base: the digits telescope", {sum((h[i] - be * h[i + 1]) * be ^ i, i, 0, M - 1), h[0] - h[M] * be ^ M},
        {{sum((h[i] - be * h[i + 1]) * be ^ i, i, 0, M - 1), h[0] - h[M] * be ^ (M - 1)},
         {sum((h[i] - be * h[i + 1]) * be ^ i, i, 0, M), h[0] - h[M] * be ^ M},
         {sum((h[i] + be * h[i + 1]) * be ^ i, i, 0, M - 1), h[0] - h[M] * be ^ M}}},
    {"digits that kN numbers need", {(K ^ (2 / d) * be) ^ (d / 2), K * be ^ (d / 2)},
        {{(K ^ (2 / (d - 2)) * be) ^ (d / 2), K * be ^ (d / 2)}, {(K ^ (2 / d) * be) ^ (d / 2 - 1), K * be ^ (d / 2)},
         {(K ^ (-2 / d) * be) ^ (d / 2), K * be ^ (d / 2)}}},

    -- 002
    {"two linear layers are one", {matmul(A2, matmul(matmul(A1, matmul(XX, V1)), V2)), matmul(matmul(A2, A1), matmul(XX, matmul(V1, V2)))},
        {{matmul(A2, matmul(matmul(A1, matmul(XX, V1)), V2)), matmul(matmul(A1, A2), matmul(XX, matmul(V1, V2)))},
         {matmul(A2, matmul(matmul(A1, matmul(XX, V1)), V2)), matmul(matmul(A2, A1), matmul(XX, matmul(V2, V1)))},
         {matmul(A2, matmul(matmul(A1, matmul(XX, V1)), V2)), matmul(matmul(A2, A1), matmul(XX.T, matmul(V1, V2)))}}},
    {"a position added to the inputs", {matmul(X + P, WK), matmul(X, WK) + matmul(P, WK)},
        {{matmul(X + P, WK), matmul(X, WK) + P}, {matmul(X + P, WK), matmul(X, WK) - matmul(P, WK)}, {matmul(X + P, WK), matmul(X, WK) + matmul(P, WK.T)}}},
    {"equal queries and keys: symmetric scores", {matmul(X, Y.T), matmul(Y, X.T)},
        {{score(X, Y), score(Y, X)}, {matmul(X, Y.T), -matmul(Y, X.T)}, {matmul(X, Y.T), matmul(X, X.T)}}},
    {"softmax does not see a shift", {e(a + c) / (e(a + c) + e(b + c)), e(a) / (e(a) + e(b))},
        {{e(a + c) / (e(a + c) + e(b)), e(a) / (e(a) + e(b))}, {e(a + c) / (e(a + c) + e(b + c)), e(b) / (e(a) + e(b))},
         {e(a - c) / (e(a + c) + e(b + c)), e(a) / (e(a) + e(b))}}},
    {"softmax of two is a logistic curve", {e(a) / (e(a) + e(b)), (1 + tanh((a - b) / 2)) / 2},
        {{e(a) / (e(a) + e(b)), (1 - tanh((a - b) / 2)) / 2}, {e(a) / (e(a) + e(b)), (1 + tanh(a - b)) / 2},
         {e(a) / (e(a) - e(b)), (1 + tanh((a - b) / 2)) / 2}}},
    {"softmax with the index of the source is uniform", {e(a) / (e(a) + e(a) + e(a)), rat(1, 3)},
        {{e(a) / (e(a) + e(b) + e(c)), rat(1, 3)}, {e(a) / (e(a) + e(a)), rat(1, 3)}, {e(a) / (e(a) + e(a) + e(a)), rat(1, 2)}}},
    {"layer norm: the mean is 0", {(a - (a + b + c) / 3) + (b - (a + b + c) / 3) + (c - (a + b + c) / 3), rat(0)},
        {{(a - (a + b + c) / 2) + (b - (a + b + c) / 3) + (c - (a + b + c) / 3), rat(0)},
         {(a - (a + b - c) / 3) + (b - (a + b + c) / 3) + (c - (a + b + c) / 3), rat(0)},
         {(a - (a + b + c) / 3) + (b - (a + b + c) / 3) + (c + (a + b + c) / 3), rat(0)}}},
    {"variance of q·k is d", {variance(matmul(symmatrix("q", 6).T, symmatrix("k", 6)), symmatrix("q", 6), symmatrix("k", 6)), rat(6)},
        {{variance(matmul(symmatrix("q", 6).T, symmatrix("k", 6)), symmatrix("q", 6), symmatrix("k", 6)), rat(36)},
         {variance(matmul(symmatrix("q", 6).T, symmatrix("k", 6)), symmatrix("q", 6)), rat(6)},
         {variance(matmul(symmatrix("q", 5).T, symmatrix("k", 5)), symmatrix("q", 5), symmatrix("k", 5)), rat(6)}}},
    {"variance of q·k is d, for every d", {variance(sum(q0[i] * k0[i], i, 1, M), q0, k0), M},
        {{variance(sum(q0[i] * k0[i], i, 0, M), q0, k0), M}, {variance(sum(2 * q0[i] * k0[i], i, 1, M), q0, k0), M},
         {variance(sum(q0[i] + k0[i], i, 1, M), q0, k0), M}}},

    -- 003
    {"inner product as a real part", {p0 * q0 + p1 * q1, re((p0 + I * p1) * conj(q0 + I * q1))},
        {{p0 * q0 + p1 * q1, re((p0 + I * p1) * (q0 + I * q1))}, {p0 * q0 - p1 * q1, re((p0 + I * p1) * conj(q0 + I * q1))},
         {p0 * q0 + p1 * q1, im((p0 + I * p1) * conj(q0 + I * q1))}}},
    {"the exponential as a pair", {e(I * m * th), cos(m * th) + I * sin(m * th)},
        {{e(I * m * th), cos(m * th) - I * sin(m * th)}, {e(I * m * th), sin(m * th) + I * cos(m * th)}, {e(I * (m + 1) * th), cos(m * th) + I * sin(m * th)}}},
    {"the solution is relative", {e(I * m * th) * conj(e(I * n * th)), e(I * (m - n) * th)},
        {{e(I * m * th) * e(I * n * th), e(I * (m - n) * th)}, {e(I * m * th) * conj(e(I * n * th)), e(I * (n - m) * th)},
         {e(I * m * th) * conj(e(I * n * th)), cos((m - n) * th)}}},
    {"superposition", {over(cos(m * th[i]) * cos(n * th[i]) + sin(m * th[i]) * sin(n * th[i])), re(over(e(I * (m - n) * th[i])))},
        {{over(cos(m * th[i]) * cos(n * th[i]) + sin(m * th[i]) * sin(n * th[i])), im(over(e(I * (m - n) * th[i])))},
         {over(cos(m * th[i]) * cos(n * th[i]) + sin(m * th[i]) * sin(n * th[i])), re(over(e(I * (m + n) * th[i])))},
         {over(cos(m * th[i]) * cos(n * th[i]) - sin(m * th[i]) * sin(n * th[i])), re(over(e(I * (m - n) * th[i])))},
         {over(cos(m * th[i]) * cos(n * th[i]) + sin(m * th[i]) * sin(n * th[i])), re(sum(e(I * (m - n) * th[i]), i, 1, N))}}},
    {"an orthogonal change keeps the product", {dot(matmul(rot(u), pm), matmul(rot(u), pn)), dot(pm, pn)},
        {{dot(matmul(rot(u), pm), matmul(rot(a), pn)), dot(pm, pn)}, {dot(matmul(rot(u), pm), pn), dot(pm, pn)},
         {dot(matmul(rot(u).T, pm), matmul(rot(u), pn)), dot(pm, pn)}}},
    {"the order of the dimensions is immaterial", {dot(vec(pm(2), pm(1)), vec(pn(2), pn(1))), dot(pm, pn)},
        {{dot(vec(pm(2), pm(1)), pn), dot(pm, pn)}, {dot(vec(pm(2), pm(1)), vec(pn(2), -pn(1))), dot(pm, pn)},
         {dot(vec(pm(1), pm(1)), vec(pn(2), pn(2))), dot(pm, pn)}}},
    {"Taylor: terms 2 to 5 do not mix", {derivative(derivative(f2 - h * p0 * p1, p0), p1), rat(0)},
        {{derivative(derivative(f2, p0), p1), rat(0)}, {derivative(derivative(f2 - h * p0 * p1, p0), p0), rat(0)},
         {derivative(derivative(f2 - 2 * h * p0 * p1, p0), p1), rat(0)}}},
    {"Taylor: the sixth term is H", {derivative(derivative(f2, p0), p1), h},
        {{derivative(derivative(f2, p0), p1), -h}, {derivative(derivative(f2, p0), p1), h / 2}, {derivative(derivative(f2, p1), p1), h}}},
    {"scaling the positions scales four terms by 1, c, c, c²",
        {score(X + c * P, Y + c * R), score(X, Y) + c * score(X, R) + c * score(P, Y) + c ^ 2 * score(P, R)},
        {{score(X + c * P, Y + c * R), score(X, Y) + c * score(X, R) + c * score(P, Y) + c * score(P, R)},
         {score(X + c * P, Y + c * R), score(X, Y) + score(X, R) + score(P, Y) + c ^ 2 * score(P, R)},
         {score(X + c * P, Y + c * R), c * score(X, Y) + c * score(X, R) + c * score(P, Y) + c ^ 2 * score(P, R)}}},
    {"Hessian diagonal", {bilinear(pm, diag, pn), h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th)},
        {{bilinear(pm, diag, pn), h * cos(m * th) * cos(n * th) - g * sin(m * th) * sin(n * th)},
         {bilinear(pm, diag, pn), g * cos(m * th) * cos(n * th) + h * sin(m * th) * sin(n * th)},
         {bilinear(pm, H, pn), h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th)}}},
    {"product to sum", {h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th), (h + g) / 2 * cos((m - n) * th) + (h - g) / 2 * cos((m + n) * th)},
        {{h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th), (h + g) / 2 * cos((m + n) * th) + (h - g) / 2 * cos((m - n) * th)},
         {h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th), (h + g) * cos((m - n) * th) + (h - g) * cos((m + n) * th)},
         {h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th), (h + g) / 2 * cos((m - n) * th) + (g - h) / 2 * cos((m + n) * th)},
         {h * cos(m * th) * sin(n * th) + g * sin(m * th) * sin(n * th), (h + g) / 2 * cos((m - n) * th) + (h - g) / 2 * cos((m + n) * th)}}},
    {"product to sum, every d",
        {over(h[i] * cos(m * th[i]) * cos(n * th[i]) + g[i] * sin(m * th[i]) * sin(n * th[i])),
         over((h[i] + g[i]) / 2 * cos((m - n) * th[i]) + (h[i] - g[i]) / 2 * cos((m + n) * th[i]))},
        {{over(h[i] * cos(m * th[i]) * cos(n * th[i]) + g[i] * sin(m * th[i]) * sin(n * th[i])),
          sum((h[i] + g[i]) / 2 * cos((m - n) * th[i]) + (h[i] - g[i]) / 2 * cos((m + n) * th[i]), i, 1, N)},
         {over(h[i] * cos(m * th[i]) * cos(n * th[i]) + g[i] * sin(m * th[i]) * sin(n * th[i])),
          over((h[i] + g[i]) / 2 * cos((m - n) * th[i]) - (h[i] - g[i]) / 2 * cos((m + n) * th[i]))},
         {over(h[i] * cos(m * th[i]) * cos(n * th[i]) + g[i + 1] * sin(m * th[i]) * sin(n * th[i])),
          over((h[i] + g[i]) / 2 * cos((m - n) * th[i]) + (h[i] - g[i]) / 2 * cos((m + n) * th[i]))}}},
    {"Hessian diagonal at d = 8, written out",
        {long(D // 2, function(r) return Hd(r) * cos(m * W(r)) * cos(n * W(r)) + Hs(r) * sin(m * W(r)) * sin(n * W(r)) end),
         long(D // 2, function(r) return (Hd(r) + Hs(r)) / 2 * cos((m - n) * W(r)) + (Hd(r) - Hs(r)) / 2 * cos((m + n) * W(r)) end)},
        {{long(D // 2 - 1, function(r) return Hd(r + 1) * cos(m * W(r + 1)) * cos(n * W(r + 1)) + Hs(r + 1) * sin(m * W(r + 1)) * sin(n * W(r + 1)) end),
          long(D // 2, function(r) return (Hd(r) + Hs(r)) / 2 * cos((m - n) * W(r)) + (Hd(r) - Hs(r)) / 2 * cos((m + n) * W(r)) end)},
         {long(D // 2, function(r) return Hd(r) * cos(m * W(r)) * cos(n * W(r)) - Hs(r) * sin(m * W(r)) * sin(n * W(r)) end),
          long(D // 2, function(r) return (Hd(r) + Hs(r)) / 2 * cos((m - n) * W(r)) + (Hd(r) - Hs(r)) / 2 * cos((m + n) * W(r)) end)},
         {long(D // 2, function(r) return Hd(r) * cos(m * W(r)) * sin(n * W(r)) + Hs(r) * sin(m * W(r)) * sin(n * W(r)) end),
          long(D // 2, function(r) return (Hd(r) + Hs(r)) / 2 * cos((m - n) * W(r)) + (Hd(r) - Hs(r)) / 2 * cos((m + n) * W(r)) end)}}},
    {"equal entries remove the sum of positions", {h * cos(m * th) * cos(n * th) + h * sin(m * th) * sin(n * th), h * cos((m - n) * th)},
        {{h * cos(m * th) * cos(n * th) + g * sin(m * th) * sin(n * th), h * cos((m - n) * th)},
         {h * cos(m * th) * cos(n * th) + h * sin(m * th) * sin(n * th), h * cos((m + n) * th)},
         {h * cos(m * th) * cos(n * th) + h * sin(m * th) * sin(n * th), 2 * h * cos((m - n) * th)}}},
    {"off the diagonal: aI + bJ is relative", {bilinear(pm, matrix{{a, -b}, {b, a}}, pn), a * cos((m - n) * th) + b * sin((m - n) * th)},
        {{bilinear(pm, matrix{{a, b}, {b, a}}, pn), a * cos((m - n) * th) + b * sin((m - n) * th)},
         {bilinear(pm, matrix{{a, -b}, {b, a}}, pn), a * cos((m - n) * th) - b * sin((m - n) * th)},
         {bilinear(pm, matrix{{a, -b}, {b, -a}}, pn), a * cos((m - n) * th) + b * sin((m - n) * th)}}},
    {"a rotated Hessian moves the peak", {bilinear(pm, rot(500 * th), pn), cos((m - n - 500) * th)},
        {{bilinear(pm, rot(500 * th), pn), cos((m - n + 500) * th)}, {bilinear(pm, rot(500 * th), pn), cos((m - n - 499) * th)},
         {bilinear(pm, rot(500 * th), pn), sin((m - n - 500) * th)}}},
    {"the decay integral's antiderivative", {derivative(Ci(K * e(-t * log(be))), t), -log(be) * cos(K * e(-t * log(be)))},
        {{derivative(Ci(K * e(-t * log(be))), t), log(be) * cos(K * e(-t * log(be)))},
         {derivative(Ci(K * e(-t * log(be))), t), -log(be) * sin(K * e(-t * log(be)))},
         {derivative(Si(K * e(-t * log(be))), t), -log(be) * cos(K * e(-t * log(be)))}}},
    {"PE(x+k) = e^{ikθ} PE(x) for one pair", {e(I * th * (x + k)), e(I * k * th) * e(I * th * x)},
        {{e(I * th * (x + k)), e(-I * k * th) * e(I * th * x)}, {e(I * th * (x + k)), e(I * x * th) * e(I * th * x)}, {e(I * th * (x + k)), k * e(I * th * x)}}},
    {"one scalar is not relative", {m * n - (m + 1) * (n + 1), -m - n - 1}, {{m * n, (m + 1) * (n + 1)}, {m * n - (m + 1) * (n + 1), -m - n}, {m * n - (m - 1) * (n + 1), -m - n - 1}}},
}

-- The pinned fates of the mutants, in the order of the catalogue; of a matrix, its first entry's.
local pinned = {
    {37, 35, 2}, -- sin of a sum
    {35, 33, 2}, -- sin of a difference
    {36, 33, 3}, -- cos of a sum
    {36, 33, 3}, -- cos of a difference
    {41, 41, 0}, -- frequency of pair i
    {73, 71, 2}, -- shift of the sine
    {72, 69, 3}, -- shift of the cosine
    {76, 73, 3}, -- shift as a matrix free of t
    {38, 35, 3}, -- shifts add
    {115, 111, 4}, -- inner product, first line to second
    {54, 51, 3}, -- inner product, second line to third
    {164, 160, 4}, -- inner product at any other position
    {134, 130, 4}, -- direction-unaware
    {331, 241, 90}, -- direction through W is odd
    {476, 464, 12}, -- sinusoids at d = 8, written out
    {1664, 1664, 0}, -- four terms
    {562, 562, 0}, -- scores by the product of the weights
    {75, 75, 0}, -- RoPE: the product with the conjugate
    {109, 108, 1}, -- RoPE: the inner product is a real part
    {401, 396, 5}, -- RoPE: functional equation
    {147, 143, 4}, -- RoPE: complex product as a rotation
    {72, 69, 3}, -- rotations keep inner products
    {28, 26, 2}, -- rotations are orthogonal
    {62, 53, 9}, -- rotations have determinant 1
    {1562, 1448, 114}, -- block form: scores depend on the distance
    {122, 112, 10}, -- rotate_half, interleaved
    {122, 112, 10}, -- rotate_half, half-split under its permutation
    {24, 22, 2}, -- interpolation scales the frequency
    {39, 39, 0}, -- β form of the frequencies
    {75, 75, 0}, -- NTK: λ
    {72, 72, 0}, -- NTK: the new base
    {42, 42, 0}, -- NTK: the lowest frequency is interpolated
    {49, 49, 0}, -- β base: the digits telescope
    {49, 49, 0}, -- digits that kN numbers need
    {1398, 1398, 0}, -- two linear layers are one
    {118, 118, 0}, -- a position added to the inputs
    {48, 48, 0}, -- equal queries and keys: symmetric scores
    {53, 53, 0}, -- softmax does not see a shift
    {45, 45, 0}, -- softmax of two is a logistic curve
    {23, 23, 0}, -- softmax with the index of the source is uniform
    {88, 88, 0}, -- layer norm: the mean is 0
    {8, 8, 0}, -- variance of q·k is d
    {9, 9, 0}, -- variance of q·k is d, for every d
    {60, 60, 0}, -- inner product as a real part
    {38, 37, 1}, -- the exponential as a pair
    {53, 53, 0}, -- the solution is relative
    {102, 99, 3}, -- superposition
    {270, 260, 10}, -- an orthogonal change keeps the product
    {112, 108, 4}, -- the order of the dimensions is immaterial
    {5, 5, 0}, -- Taylor: terms 2 to 5 do not mix
    {0, 0, 0}, -- Taylor: the sixth term is H
    {1976, 1976, 0}, -- scaling the positions scales four terms by 1, c, c, c²
    {194, 185, 9}, -- Hessian diagonal
    {182, 178, 4}, -- product to sum
    {190, 186, 4}, -- product to sum, every d
    {1472, 1456, 16}, -- Hessian diagonal at d = 8, written out
    {104, 101, 3}, -- equal entries remove the sum of positions
    {207, 203, 4}, -- off the diagonal: aI + bJ is relative
    {178, 172, 6}, -- a rotated Hessian moves the peak
    {89, 87, 2}, -- the decay integral's antiderivative
    {52, 52, 0}, -- PE(x+k) = e^{ikθ} PE(x) for one pair
    {44, 44, 0}, -- one scalar is not relative
}

local function first(v) return type(v) == "table" and v.entries[1] or v end

for at, row in ipairs(catalogue) do
    local name, truth, falses = row[1], row[2], row[3]
    local v = prove(truth[1], truth[2])
    if v.strength ~= "proved" then report(("%s: not proved: %s"):format(name, tostring(v))) end
    if #falses < 3 then report(name .. ": fewer than three false forms") end
    for k, f in ipairs(falses) do
        local r = prove(f[1], f[2])
        if r.strength ~= "refuted" or not r.witness then report(("%s: false form %d: %s"):format(name, k, tostring(r))) end
    end
    local f = mutants(first(truth[1]), first(truth[2]))
    local fate = {f.total, f.refuted, f.equivalent}
    if f.undecided > 0 then report(("%s: undecided mutants: %s"):format(name, f.undecided_ones)) end
    if show then print(("    {%d, %d, %d}, -- %s"):format(fate[1], fate[2], fate[3], name)) end
    for k = 1, 3 do
        if not show and fate[k] ~= (pinned[at] or {})[k] then
            report(("%s: mutants {%d, %d, %d}; pinned otherwise"):format(name, fate[1], fate[2], fate[3]))
            break
        end
    end
end
return #catalogue
