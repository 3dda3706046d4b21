-- Rotary positions: turning queries and keys so that only their distance is left.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts.

-- %% [markdown] ref="wish" lang="en"
-- # Rotary position embedding
-- Move a sentence a hundred words further into a text. All its positions change, but its words keep their distances, so the scores
-- among them should stay as they are. The lesson `relative` reached this by adding something to the scores. Here the scores are left
-- alone: *turn* each query and each key, by an angle that grows with its own position.
--
-- In the three pictures query and key stand two places apart, farther and farther into the text. Both have turned. *What has not
-- changed?*
--
-- As an equation: change the query at $m$ to $f(q,m)$ and the key at $n$ to $f(k,n)$, so that their product depends on the distance only,
--
-- $$\langle f(q,m), f(k,n)\rangle = g(q,k,m-n)$$
--
-- Su Jianlin and others published this answer in 2021, with the model RoFormer; LLaMA, Qwen, Mistral and DeepSeek use it. Each vector is changed by
-- its own, *absolute* position, and yet the product depends only on the *relative* one. We prove that it works, see why hardly anything else does, go
-- from two columns to many, and look at what programs get wrong.

-- %% [markdown] ref="wish" lang="zh"
-- # 旋转位置编码
-- 把一句话在文本里整个往后挪一百个词：每个位置都变了，词与词的相对关系却没有变，它们之间的打分也就应当不变。`relative` 一课的办法是
-- 往打分上加东西。这里打分原封不动，而是*转动*每个查询和每个键，转过的角随它自己的位置增大。
--
-- 看下面三幅图：查询与键始终相隔两个位置，在文本中越走越远。两者都转了。*什么没有变*？
--
-- 写成方程：把 $m$ 处的查询变成 $f(q,m)$，$n$ 处的键变成 $f(k,n)$，使它们的内积只取决于距离，
--
-- $$\langle f(q,m), f(k,n)\rangle = g(q,k,m-n)$$
--
-- 这就是苏剑林等人 2021 年在 RoFormer 中提出的旋转位置编码（RoPE），LLaMA、Qwen、Mistral、DeepSeek 都在用。它以*绝对*位置编码的方式
-- 实现了*相对*位置编码：每个向量只按自己的绝对位置变换，内积里却只剩下相对位置。这一课证明它行得通，看到别的办法几乎都行不通，
-- 再从两列走到多列，最后看程序里容易错在哪里。

-- %% ref="wish"
local function at(m, n) -- the query at m, the key at n
  local q, k = cis(0.9 + 0.5 * m), 0.8 * cis(0.3 + 0.5 * n)
  return circle({q, k}, {labels = m == 0 and {"q", "k"} or {"", ""}, title = ("m = %d, n = %d"):format(m, n)})
end
return panels {at(0, 2), at(3, 5), at(6, 8), columns = 3}

-- %% [markdown] ref="together" lang="en"
-- ## A query and a key turn together
-- A query at position $m$ and a key at position $m + 3$ are both turned by $\theta = 0.3$ for each position. *Predict:* by the
-- time the query points where the key pointed at $m = 0$, where does the key point? Run the step and watch.

-- %% [markdown] ref="together" lang="zh"
-- ## 查询与键一起转
-- 位置 $m$ 处的查询与位置 $m + 3$ 处的键，每过一个位置都转过 $\theta = 0.3$。*先猜一猜*：等查询转到键在 $m = 0$ 时
-- 所指的方向，键又指向哪里？运行这一步，看看是不是这样。

-- %% ref="together"
return vary(function(p)
  return circle({0.3 * p.m, 1 + 0.3 * (p.m + 3)}, {labels = {"$R_m q$", "$R_{m+3} k$"}})
end, {m = {0, 20, play = true}})

-- %% [markdown] ref="equation" lang="en"
-- ## It works in the plane
-- The key stays as far ahead of the query as it was: two hands that run at the same speed keep the angle between them. The inner product depends
-- only on lengths and that angle, so it stays as well. Let $R_m$ be the rotation by $m\theta$. Then, for all vectors, positions and frequencies $\theta$,
--
-- $$\langle R_mq, R_nk\rangle = \langle q, R_{n-m}k\rangle$$
--
-- It is as if the query had not been turned at all, and the key by the difference only. Could one also stretch the vectors, more and more,
-- or turn them at a changing speed? No: the stretch must be the same everywhere, and the turn at constant speed.
--
-- > **Why nothing else does it**
-- >
-- > Let $f(q,m) = \rho(m)e^{i\varphi(m)}q$, a stretch and a turn. Put $m = n$ and $q = k$: the
-- > product is $\rho(m)^2|q|^2$, which must not depend on $m$, so $\rho$ is constant. With $q = 1$ and $k = 1$ the product is
-- > $\rho^2\cos(\varphi(m)-\varphi(n))$, with $k = i$ it is $\rho^2\sin(\varphi(m)-\varphi(n))$: the difference
-- > of phases must depend on $m-n$ alone, up to full turns. So each step adds the same $\delta$, and the sum of the
-- > steps gives $\varphi(m) = \varphi(0) + m\delta$.

-- %% [markdown] ref="equation" lang="zh"
-- ## 平面上行得通
-- 键领先查询的角度始终是那么多：两根转速相同的指针，夹角不变；内积只看长度与夹角，也就不变。
-- 设 $R_m$ 是转过 $m\theta$ 的旋转，那么对一切向量、位置与频率 $\theta$，
--
-- $$\langle R_mq, R_nk\rangle = \langle q, R_{n-m}k\rangle$$
--
-- 就好像查询没有转，只有键转过了两者之差。能不能随位置伸缩，或者转得时快时慢？不能：伸缩必须处处相同，旋转必须匀速。
--
-- > **为什么别的都不行**
-- >
-- > 设 $f(q,m) = \rho(m)e^{i\varphi(m)}q$，即伸缩加旋转。令 $m = n$、$q = k$：内积是 $\rho(m)^2|q|^2$，不许依赖 $m$，
-- > 所以 $\rho$ 是常数。
-- > 取 $q = 1$，$k = 1$ 时内积是 $\rho^2\cos(\varphi(m)-\varphi(n))$，$k = i$ 时是 $\rho^2\sin(\varphi(m)-\varphi(n))$：相位之差只能依赖
-- > $m-n$（整圈不计）。于是每走一步都添同一个 $\delta$，各步相加得 $\varphi(m) = \varphi(0) + m\delta$。

-- %% ref="equation" claim="pe/rope-functional-equation"
local m, n, θ = sym "m n θ"
function turn(m)
  return matrix {{cos(m * θ), -sin(m * θ)}, {sin(m * θ), cos(m * θ)}}
end
local q, k = symmatrix("q", 2), symmatrix("k", 2)
function inner(a, b) return matmul(a.T, b)(1, 1) end
local left = inner(matmul(turn(m), q), matmul(turn(n), k))
local right = inner(q, matmul(turn(n - m), k))

-- The converse: products of stretched and turned numbers, then equal steps.
local ρm, ρn, φm, φn, δ, φ = sym "ρm ρn φm φn δ φ"
local z = sym("z", "complex")
local function f(z, ρ, φ) return ρ * exp(I * φ) * z end
local function product(q, k)
  return re(f(q, ρm, φm) * conj(f(k, ρn, φn)))
end
local j, M = sym("j", "integer"), sym("M", "natural")
return {
  prove(left, right, {caption = {en = "query turned by m, key by n: only n - m is left", zh = "查询转 m 步、键转 n 步，内积里只剩 n - m"}}),
  mutants(left, right),
  -- m = n: so ρ is constant
  prove(re(f(z, ρm, φm) * conj(f(z, ρm, φm))), ρm ^ 2 * re(z * conj(z)),
    {caption = {en = "at m = n the product is the stretch squared times |q|^2", zh = "m = n 时，内积是伸缩因子的平方乘以 |q|^2"}}),
  -- so φm - φn is a function of m - n
  prove(product(1, 1), ρm * ρn * cos(φm - φn), {caption = {en = "q = 1, k = 1: the cosine of the difference of phases", zh = "q = 1、k = 1 时，得到相位差的余弦"}}),
  prove(product(1, I), ρm * ρn * sin(φm - φn), {caption = {en = "q = 1, k = i: the sine of the difference of phases", zh = "q = 1、k = i 时，得到相位差的正弦"}}),
  -- φ(M) - φ(0) is the sum of the steps, and of M equal ones
  prove(sum(φ[j + 1] - φ[j], j, 0, M - 1), φ[M] - φ[0], {caption = {en = "the steps add up to the whole turn", zh = "各步之和就是总共转过的角"}}),
  prove(sum(δ, j, 0, M - 1), M * δ, {caption = {en = "M equal steps add up to M of them", zh = "M 个相等的步，加起来是 M 倍"}}),
}

-- %% [markdown] ref="angle-between" lang="en"
-- ## Predict: the angle between them
-- In one pair the query points at the angle 0.9 and the key at 0.3, in radians, before they are turned. Each position turns them by
-- $\theta = 0.1$. The query stands at your `m`, the key at your `n`. Set `between` to the angle from the turned key to the turned query.

-- %% [markdown] ref="angle-between" lang="zh"
-- ## 先猜：两者的夹角
-- 在某一对里，转动之前，查询的角度是 0.9，键的角度是 0.3（弧度）。每过一个位置转 $\theta = 0.1$。查询在你的位置 `m`，键在你的位置 `n`。
-- 把转动之后从键到查询的角赋给 `between`。

-- %% role="exercise" ref="angle-between" points=1 variants=4
m = ({5, 40, 1000, 3})[variant]
n = ({2, 38, 990, 7})[variant]
--- BEGIN SOLUTION
between = 0.9 - 0.3 + 0.1 * (m - n)
--- END SOLUTION

-- %% role="hint" ref="angle-between" lang="en"
-- At position $m$ the query points at $0.9 + m\theta$. Where does the key point?
-- %% role="hint" ref="angle-between" lang="zh"
-- 在位置 $m$，查询的角度是 $0.9 + m\theta$。键的角度呢？

-- %% role="hint" ref="angle-between" lang="en"
-- Subtract the two angles: what is left is $0.9 - 0.3$ and a part with $m - n$.
-- %% role="hint" ref="angle-between" lang="zh"
-- 两个角相减：剩下 $0.9 - 0.3$，再加上含 $m - n$ 的一项。

-- %% role="check" ref="angle-between"
local m, n = ({5, 40, 1000, 3})[variant], ({2, 38, 990, 7})[variant]
feedback(type(between) == "number", {en = "`between` must be a number.", zh = "`between` 要是一个数。"})
feedback(not same(between, 0.6), {
  en = "0.6 is the angle before they are turned. They are turned by different angles.",
  zh = "0.6 是转动之前的夹角。两者转过的角并不一样。",
})
feedback(not same(between, -0.6 - 0.1 * (m - n)), {
  en = "That is the angle from the query to the key; the sign is the other way round.",
  zh = "这是从查询到键的角，符号反了。",
})
feedback(not same(between, 0.6 - 0.1 * (m - n)), {
  en = "The query has been turned by m θ and the key by n θ: the part with the positions has the wrong sign.",
  zh = "查询转过 m θ，键转过 n θ：含位置的那一项符号反了。",
})
feedback(same(between, 0.6 + 0.1 * (m - n), {what = "between"}))

-- %% role="wrong" ref="angle-between" expect="before they are turned"
between = 0.6

-- %% role="wrong" ref="angle-between" expect="wrong sign"
between = 0.6 + 0.1 * (({2, 38, 990, 7})[variant] - ({5, 40, 1000, 3})[variant])

-- %% [markdown] ref="matrix" lang="en"
-- ## As a matrix, and for many columns
-- The rotation by $m\theta$, which multiplies by $e^{im\theta}$, is the matrix
--
-- $$R_m = \begin{pmatrix}\cos m\theta & -\sin m\theta\\ \sin m\theta & \cos m\theta\end{pmatrix}$$
--
-- It satisfies $R_m^\top R_n = R_{n-m}$, has determinant 1 and keeps lengths.
--
-- With $d$ columns, $d/2$ such blocks stand on the diagonal. Block $i$ turns its pair of columns by its own frequency, usually
-- $\theta_i = 10000^{-2i/d}$; 10000 is called the *base*. Pair 0 turns by 1 radian for each position; at $d = 64$ the last pair needs some 47000
-- positions for a single turn. The product of two vectors is the sum over the pairs: what holds for one pair, for every $m$ and
-- $\theta$, holds for all together.
--
-- > **A rotation is an exponential**
-- >
-- > $R_m = \exp(mB)$, where $B$ has the rows $(0, -\theta)$ and $(\theta, 0)$: it is skew-symmetric, and $R_m$ solves $R' = BR$ with $R_0 = I$.
-- > So each pair turns at constant speed. The eigenvalues of $R_1$ are $e^{\pm i\theta}$.

-- %% [markdown] ref="matrix" lang="zh"
-- ## 写成矩阵，推广到多列
-- 转过 $m\theta$，也就是乘以 $e^{im\theta}$，写成矩阵是
--
-- $$R_m = \begin{pmatrix}\cos m\theta & -\sin m\theta\\ \sin m\theta & \cos m\theta\end{pmatrix}$$
--
-- 它满足 $R_m^\top R_n = R_{n-m}$，行列式为 1，保持长度。
--
-- 有 $d$ 列时，对角线上排着 $d/2$ 个这样的块。第 $i$ 块按自己的频率转动它那一对列，通常取
-- $\theta_i = 10000^{-2i/d}$，其中 10000 叫作*底数*（base）。第 0 对每个位置转 1 弧度；$d = 64$ 时，最后一对要大约 47000 个位置才转完一圈。
-- 两个向量的内积是各对之和：既然一对对一切 $m$、$\theta$ 成立，合起来也成立。
--
-- > **旋转就是指数**
-- >
-- > $R_m = \exp(mB)$，其中 $B$ 的两行是 $(0, -\theta)$ 和 $(\theta, 0)$：它是反对称矩阵，而 $R_m$ 是 $R' = BR$ 在 $R_0 = I$ 时的解。
-- > 所以每一对都匀速转动。$R_1$ 的特征值是 $e^{\pm i\theta}$。

-- %% ref="matrix" claim="pe/rope-matrix"
local m, n, θ, a, b, θ1 = sym "m n θ a b θ1"
local B = matrix {{0, -θ}, {θ, 0}}
local v, same = matrix {a, b}, matrix {{1, 0}, {0, 1}}
local R = turn(m)
local z = (a + I * b) * exp(I * m * θ)
local function slope(i) -- of a row
  return {derivative(R(i, 1), m), derivative(R(i, 2), m)}
end
local slopes = matrix {slope(1), slope(2)}
function blocks(m, θ, θ1) -- two pairs, two frequencies
  local c, s, c1, s1 = cos(m * θ), sin(m * θ), cos(m * θ1), sin(m * θ1)
  return matrix {{c, -s, 0, 0}, {s, c, 0, 0},
                 {0, 0, c1, -s1}, {0, 0, s1, c1}}
end
local function both(m) return blocks(m, θ, θ1) end
local passed, between = matmul(R.T, turn(n)), turn(n - m)
-- By LAPACK: the eigenvalues of the blocks for θ = 0.3 and 2 are e^{±iθ}.
function eigenvalues_are_turns()
  local function rotation(θ) return array {{cos(θ), -sin(θ)}, {sin(θ), cos(θ)}} end
  local R = zeros(4, 4)
  R[{ {1, 2}, {1, 2} }], R[{ {3, 4}, {3, 4} }] = rotation(0.3), rotation(2)
  local λ, off = eig(R), {}
  local wanted = {exp(0.3 * I), exp(-0.3 * I), exp(2 * I), exp(-2 * I)}
  -- of each the nearest of the others, both ways
  for i = 1, #wanted do
    local apart = abs(λ - wanted[i])
    off[i], off[#wanted + i] = min(apart), abs(λ(i) - wanted[1])
    for j = 2, #wanted do off[#wanted + i] = math.min(off[#wanted + i], abs(λ(i) - wanted[j])) end
  end
  return also({en = "the eigenvalues by LAPACK are e^{±iθ}, θ = 0.3 and 2", zh = "LAPACK 算出的特征值就是 e^{±iθ}，θ = 0.3 与 2"},
    measure {claim = {en = "eigenvalues against e^{±iθ}", zh = "特征值与 e^{±iθ} 之差"}, value = off, bound = 2^-49, why = says{en = "R is normal: they move as R does, 16 roundings of 1",
      zh = "R 是正规矩阵：它们与 R 同步变动，1 的 16 次舍入"}})
end
return {
  prove(matmul(R, v), matrix {re(z), im(z)}, {caption = {en = "the matrix multiplies by e^{imθ}", zh = "这个矩阵就是乘以 e^{imθ}"}}),
  prove(passed, between, {caption = {en = "turning back by m and on by n turns by n - m", zh = "往回转 m 步再往前转 n 步，等于转 n - m 步"}}),
  mutants(passed(1, 2), between(1, 2)),
  prove(det(R), 1, {caption = {en = "the determinant is 1", zh = "行列式是 1"}}),
  prove(inner(matmul(R, v), matmul(R, v)), inner(v, v), {caption = {en = "lengths are kept", zh = "长度不变"}}),
  -- R = e^{mB}: B is skew, R' = BR, and R is the identity at 0
  prove(B.T, -1 * B, {caption = {en = "B is skew-symmetric", zh = "B 是反对称的"}}),
  prove(slopes, matmul(B, R), {caption = {en = "R' = BR", zh = "R' = BR"}}), prove(turn(0), same, {caption = {en = "R_0 = I", zh = "R_0 = I"}}),
  -- and in blocks
  prove(matmul(both(m).T, both(n)), both(n - m), {caption = {en = "two pairs: back by m and on by n turns by n - m", zh = "两对也一样：往回 m 步再往前 n 步，等于 n - m 步"}}),
  prove(det(both(m)), 1, {caption = {en = "two pairs: the determinant is 1", zh = "两对：行列式是 1"}}),
  eigenvalues_are_turns(),
}

-- %% [markdown] ref="rotate" lang="en"
-- ## Exercise: turn the pairs
-- Which columns form a pair? Here it is two neighbours, which is called the *interleaved* layout. Write `rotated(x, angle)`: $x$ is an array of
-- $d$ numbers, `angle` one of $d/2$ angles; pair $i$ is columns $2i$ and $2i+1$ (counted from 0), turned anticlockwise by angle $i$. (Do
-- not call `rope`.)

-- %% [markdown] ref="rotate" lang="zh"
-- ## 练习：转动各对
-- 哪两列成一对？这里是相邻的两列，这叫*交错*排法。写一个函数 `rotated(x, angle)`：$x$ 是 $d$ 个数的数组，`angle` 是 $d/2$ 个角；
-- 第 $i$ 对是（从 0 数起的）第 $2i$ 与 $2i+1$ 列，逆时针转过第 $i$ 个角。（不要调用 `rope`。）

-- %% role="exercise" ref="rotate" points=2
function rotated(x, angle)
  --- BEGIN SOLUTION
  local pairs_of_x = reshape(x, angle.size, 2)
  local a, b = pairs_of_x[{ {}, 1 }], pairs_of_x[{ {}, 2 }]
  local c, s = cos(angle), sin(angle)
  return reshape(stack({a * c - b * s, a * s + b * c}, 2), x.size)
  --- END SOLUTION
end

-- %% role="hint" ref="rotate" lang="en"
-- `reshape(x, d/2, 2)` puts each pair into a row; its two columns are the first and the second of each pair.

-- %% role="hint" ref="rotate" lang="zh"
-- `reshape(x, d/2, 2)` 让每对自成一行；两列分别是各对的第一个与第二个。

-- %% role="hint" ref="rotate" lang="en"
-- $(a, b)$ goes to $(a\cos\varphi - b\sin\varphi, a\sin\varphi + b\cos\varphi)$. `stack({first, second}, 2)` and a
-- `reshape` put the pairs together again.

-- %% role="hint" ref="rotate" lang="zh"
-- $(a, b)$ 变成 $(a\cos\varphi - b\sin\varphi, a\sin\varphi + b\cos\varphi)$。再用 `stack({first, second}, 2)` 和一次 `reshape` 把各对拼回去。

-- %% role="check" ref="rotate"
local x, φ = array{1, 2, 3, 4, 5, 6}, array{0.3, 1, 2}
local function right(x, φ, sign, half)
  local a, b = x[{ {1, x.size, 2} }], x[{ {2, x.size, 2} }]
  if half then a, b = x[{ {1, x.size // 2} }], x[{ {x.size // 2 + 1, x.size} }] end
  local first, second = a * cos(φ) - sign * b * sin(φ), sign * a * sin(φ) + b * cos(φ)
  if half then return concat({first, second}, 1) end
  return reshape(stack({first, second}, 2), x.size)
end
local got = rotated(x, φ)
feedback(not same(got, right(x, φ, -1)), {
  en = "These pairs turn clockwise. The minus belongs to the first of each pair.",
  zh = "这是顺时针。负号应当在每对的第一个上。",
})
feedback(not same(got, right(x, φ, 1, true)), {
  en = "These are the pairs of the half layout, (i, i + d/2). Here a pair is two neighbours.",
  zh = "这是对半排法的配对 (i, i + d/2)。这里一对是相邻的两列。",
})
feedback(same(got, right(x, φ, 1), {what = "rotated({1, ..., 6}, {0.3, 1, 2})"}))
--- BEGIN HIDDEN TESTS
local y = array{-1, 0.5, 0, 2}
feedback(same(rotated(y, array{7, -2}), right(y, array{7, -2}, 1), {what = "rotated"}))
feedback(same(rotated(y, array{0, 0}), y, {what = "rotated by 0"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="rotate" expect="clockwise"
function rotated(x, angle)
  local p = reshape(x, angle.size, 2)
  local a, b = p[{ {}, 1 }], p[{ {}, 2 }]
  return reshape(stack({a * cos(angle) + b * sin(angle), b * cos(angle) - a * sin(angle)}, 2), x.size)
end

-- %% role="wrong" ref="rotate" expect="two neighbours"
function rotated(x, angle)
  local n = angle.size
  local a, b = x[{ {1, n} }], x[{ {n + 1, 2 * n} }]
  return concat({a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle)}, 1)
end

-- %% [markdown] ref="layouts" lang="en"
-- ## Two layouts, one rotation
-- No program multiplies by a matrix that is almost all zeros. Programs multiply $x$ by cosines and add a copy, with the
-- columns of each pair exchanged and one sign changed, times sines:
--
-- $$x\cos m\theta + \mathrm{rot}(x)\sin m\theta$$
--
-- Which columns form a pair is a convention, and there are two of them. *Interleaved*: $(0,1), (2,3), \dots$
-- *Half*: $(0,d/2), (1,d/2+1), \dots$ With $d = 4$ columns, $\mathrm{rot}(x)$ is $(-x_1, x_0, -x_3, x_2)$ in the first and $(-x_2, -x_3, x_0, x_1)$ in
-- the second, where programs call it `rotate_half`. Each equals the block matrix, the second after the permutation
-- $[0,2,\dots,1,3,\dots]$ of columns.
--
-- RoFormer, GPT-J and Meta's own code for LLaMA interleave; GPT-NeoX and the LLaMA of the Hugging Face
-- library use half, with columns permuted at conversion. Weights trained for one layout and run with the other give other scores.
-- The laboratory therefore has no default layout.

-- %% [markdown] ref="layouts" lang="zh"
-- ## 两种排法，同一个旋转
-- 实际的程序不会去乘一个几乎全是 0 的矩阵：原来的 $x$ 乘余弦；另取一份，每对的两列对调、其中一列变号，乘正弦；两者相加：
--
-- $$x\cos m\theta + \mathrm{rot}(x)\sin m\theta$$
--
-- 哪两列成一对，只是约定，而约定有两种。*交错*：$(0,1), (2,3), \dots$；*对半*：$(0,d/2), (1,d/2+1), \dots$。以 $d = 4$ 列为例，
-- $\mathrm{rot}(x)$ 在前一种里是 $(-x_1, x_0, -x_3, x_2)$，在后一种里是 $(-x_2, -x_3, x_0, x_1)$，即程序里常见的 `rotate_half`。
-- 两种都等于分块矩阵，后者要先把列按 $[0,2,\dots,1,3,\dots]$ 置换。
--
-- RoFormer、GPT-J 和 Meta 自己的 LLaMA 代码用交错排法；GPT-NeoX 和 Hugging Face 库里的 LLaMA 用对半排法，转换权重时重排了列。
-- 按一种排法训练的权重拿另一种去跑，打分就变了：所以实验室里排法没有默认值。

-- %% ref="layouts" claim="pe/rope-elementwise"
local m, n, θ, θ1 = sym "m n θ θ1"
local x = {sym "x0 x1 x2 x3"}
-- x cos + rot(x) sin at position m, column by column, for a list of four.
local function interleaved(x, m)
  local c, s, c1, s1 = cos(m * θ), sin(m * θ), cos(m * θ1), sin(m * θ1)
  local cosines, sines = {c, c, c1, c1}, {s, s, s1, s1}
  local rot, out = {-x[2], x[1], -x[4], x[3]}, {}
  for i = 1, 4 do out[i] = x[i] * cosines[i] + rot[i] * sines[i] end
  return out
end
local function half(x, m)
  local c, s, c1, s1 = cos(m * θ), sin(m * θ), cos(m * θ1), sin(m * θ1)
  local cosines, sines = {c, c1, c, c1}, {s, s1, s, s1}
  local rot, out = {-x[3], -x[4], x[1], x[2]}, {}
  for i = 1, 4 do out[i] = x[i] * cosines[i] + rot[i] * sines[i] end
  return out
end
-- [0, 2, 1, 3]
local function permuted(x) return {x[1], x[3], x[2], x[4]} end
local one, turned = interleaved(x, m), matmul(blocks(m, θ, θ1), matrix(x))
-- The same two vectors, turned at m and n: their score in either layout.
local function score(rotate, x, y)
  return inner(matrix(rotate(x, m)), matrix(rotate(y, n)))
end
local e0, e1 = {1, 0, 0, 0}, {0, 1, 0, 0}
-- Any width: pair i is columns 2i and 2i+1 of the one layout, i and i + h of the other, h half the width.
local i, h = sym("i", "integer"), sym("h", "natural")
local y, ω = sym "y ω"
local function pair_turned(a, b)
  local c, s = cos(m * ω[i]), sin(m * ω[i])
  return prove(matrix {a * c + (-b) * s, b * c + a * s}, matmul(matrix {{c, -s}, {s, c}}, matrix {a, b}))
end
return {
  prove(matrix(one), turned, {caption = {en = "interleaved, two pairs: the block matrix", zh = "交错排法，两对：等于分块矩阵"}}), mutants(one[1], turned(1, 1)),
  named({en = "interleaved, any width: pair i is turned by m ω_i", zh = "交错排法，任意宽度：第 i 对转过 m ω_i"}, pair_turned(y[2 * i], y[2 * i + 1])),
  named({en = "half, any width: pair i is turned by m ω_i", zh = "对半排法，任意宽度：第 i 对转过 m ω_i"}, pair_turned(y[i], y[i + h])),
  named({en = "half, permuted columns: the same", zh = "对半排法，列经置换：结果相同"}, prove(matrix(half(permuted(x), m)), matrix(permuted(one)))),
  fails(prove(matrix(half(x, m)), matrix(one)), {en = "half is interleaved without the permutation", zh = "不经置换，两种排法也相同"}),
  -- Without the permutation: columns 0 and 1, a pair in one layout only.
  prove(score(interleaved, e0, e1), sin((m - n) * θ), {caption = {
    en = "interleaved, the score of columns 0 and 1 is sin((m - n)θ)", zh = "交错排法下，第 0 列与第 1 列的打分是 sin((m - n)θ)"}}),
  named({en = "half, the score of columns 0 and 1 is 0", zh = "对半排法下，第 0 列与第 1 列的打分是 0"}, prove(score(half, e0, e1), 0)),
  fails(prove(score(half, e0, e1), score(interleaved, e0, e1)), {en = "the two layouts score columns 0 and 1 alike", zh = "两种排法给第 0、1 列的打分相同"}),
}

-- %% ref="layouts"
print(says{en = "column, d = 8      0 1 2 3 4 5 6 7", zh = "列，d = 8   0 1 2 3 4 5 6 7"})
print(says{en = "pair, interleaved  0 0 1 1 2 2 3 3", zh = "对，交错    0 0 1 1 2 2 3 3"})
print(says{en = "pair, half         0 1 2 3 0 1 2 3", zh = "对，对半    0 1 2 3 0 1 2 3"})
local g = rng(1)
local X, order = randn(g, 6, 8), {1, 3, 5, 7, 2, 4, 6, 8}
local one = rope(X, {layout = "interleaved"})
local other = rope(take(X, order, 2), {layout = "half"})
return measure {claim = {en = "half on permuted columns: permuted interleaved",
  zh = "对半排法作用于重排后的列，等于重排后的交错排法"},
                value = other - take(one, order, 2), bound = 0,
                why = says{en = "the same operations on the same numbers", zh = "对同样的数做同样的运算"}}

-- %% [markdown] ref="relayout" lang="en"
-- ## Exercise: change the layout
-- A model was trained with the interleaved layout; your program knows only half. Write `to_half(W)`: the
-- columns of the weights $W$ (they make queries, $xW$), put into the order in which the half rotation gives the
-- same scores.

-- %% [markdown] ref="relayout" lang="zh"
-- ## 练习：换一种排法
-- 某模型按交错排法训练，而你的程序只会对半排法。写一个函数 `to_half(W)`：重排权重 $W$ 的列（$xW$ 得到查询），
-- 使对半的旋转给出同样的打分。

-- %% role="exercise" ref="relayout" points=1
function to_half(W)
  --- BEGIN SOLUTION
  local d = W.shape[2]
  return concat({W[{ {}, {1, d, 2} }], W[{ {}, {2, d, 2} }]}, 2)
  --- END SOLUTION
end

-- %% role="hint" ref="relayout" lang="en"
-- The order is $[0,2,\dots,1,3,\dots]$, counted from 0.

-- %% role="hint" ref="relayout" lang="zh"
-- 从 0 数起，次序是 $[0,2,\dots,1,3,\dots]$。

-- %% role="hint" ref="relayout" lang="en"
-- `W[{ {}, {1, d, 2} }]` are columns 1, 3, 5, … counted from 1. `concat({A, B}, 2)` puts columns side by side.

-- %% role="hint" ref="relayout" lang="zh"
-- `W[{ {}, {1, d, 2} }]` 取（从 1 数起的）第 1、3、5、… 列；`concat({A, B}, 2)` 把列并排起来。

-- %% role="check" ref="relayout"
local W = reshape(range(1, 16), 2, 8)
local got = to_half(W)
local back = reshape(permute(reshape(W, 2, 2, 4), 1, 3, 2), 2, 8)
feedback(not same(got, back), {
  en = "This goes the other way, from half to interleaved: [0, 4, 1, 5, …].",
  zh = "这是反方向，从对半换成交错：[0, 4, 1, 5, …]。",
})
feedback(not same(got, W), {
  en = "Nothing has moved. Columns 0 and 1 are a pair now; afterwards 0 and d/2 must be.",
  zh = "什么也没动。现在第 0、1 列成一对，之后应当是第 0 列与第 d/2 列成一对。",
})
feedback(same(got, take(W, {1, 3, 5, 7, 2, 4, 6, 8}, 2), {what = "to_half(W)"}))
--- BEGIN HIDDEN TESTS
local g = rng(6)
local x, U, V = randn(g, 5, 3), randn(g, 3, 6), randn(g, 3, 6)
local function scores(U, V, layout)
  return matmul(rope(matmul(x, U), {layout = layout}), rope(matmul(x, V), {layout = layout}).T)
end
feedback(same(scores(to_half(U), to_half(V), "half"), scores(U, V, "interleaved"), {what = {en = "the scores", zh = "打分"}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="relayout" expect="the other way"
function to_half(W) return reshape(permute(reshape(W, W.shape[1], 2, W.shape[2] // 2), 1, 3, 2), W.shape[1], W.shape[2]) end

-- %% role="wrong" ref="relayout" expect="Nothing has moved"
function to_half(W) return W end

-- %% [markdown] ref="score" lang="en"
-- ## The score against the distance
-- Let a key equal its query, with the same length in each pair. At distance $m$ pair $i$ gives $\cos m\theta_i$ to the score, and the score is
-- the sum. *Predict:* which pairs tell neighbours apart, and which ones notice only large distances? The picture shows the mean of the 8 fastest
-- pairs of $d = 64$, of the 8 slowest, and of all 32.

-- %% [markdown] ref="score" lang="zh"
-- ## 打分随距离的变化
-- 设键等于查询，各对的长度相同。距离为 $m$ 时，第 $i$ 对给打分贡献 $\cos m\theta_i$，打分是它们的和。*先猜一猜*：哪些对能区分相邻位置，哪些对只
-- 对很大的距离有反应？图中是 $d = 64$ 时最快的 8 对（高频）、最慢的 8 对（低频）和全部 32 对的平均。

-- %% ref="score"
local m, θ = range(0, 255), (rope_frequencies(64))
local waves = cos(outer(m, θ)) -- a row for each distance
return plot(m, {mean(waves[{ {}, {1, 8} }], 2), mean(waves[{ {}, {25, 32} }], 2), mean(waves, 2)}, {
  labels = {says{en = "fast pairs", zh = "高频的对"}, says{en = "slow pairs", zh = "低频的对"}, says{en = "all pairs", zh = "全部"}},
  xlabel = says{en = "distance", zh = "距离"}, ylabel = says{en = "share of the score at distance 0", zh = "与距离 0 处的打分之比"},
})

-- %% [markdown] ref="peak" lang="en"
-- ## Exercise: a key that waits
-- The fast pairs tell neighbours apart, but after a few steps they only swing about 0; the slow ones have hardly moved after 255 steps. Together they fall
-- with the distance, by and large. That is so because key and query were equal.
--
-- A model may choose other keys. Write `waiting(q, r)`: a key such that, in the interleaved layout with
-- base 10000, its score with the query $q$ is largest when the key stands $r$ positions *before* the query. ($q$ is
-- an array of $d$ numbers. `rope` is allowed.)

-- %% [markdown] ref="peak" lang="zh"
-- ## 练习：在远处等候的键
-- 高频的对分得清相邻位置，但几步之后就只在 0 上下摆动；低频的对过了 255 步也几乎没动。合起来大体上随距离下降，这是因为键与查询相等。
--
-- 模型也可以选别的键。写一个函数 `waiting(q, r)`：返回一个键，使它在交错排法、底数 10000 之下，
-- 恰好站在查询 $q$ *之前* $r$ 个位置时，与 $q$ 的打分最大。
-- （$q$ 是 $d$ 个数的数组。可以用 `rope`。）

-- %% role="exercise" ref="peak" points=2
function waiting(q, r)
  --- BEGIN SOLUTION
  local row = reshape(q, 1, q.size)
  return reshape(rope(row, {layout = "interleaved", offset = r}), q.size)
  --- END SOLUTION
end

-- %% role="hint" ref="peak" lang="en"
-- For vectors of a given length the product is largest when they are equal. The turned key at $n$ must equal the
-- turned query at $m = n + r$.

-- %% role="hint" ref="peak" lang="zh"
-- 长度一定时，两个向量相等则内积最大。位置 $n$ 处转过的键，要等于 $m = n + r$ 处转过的查询。

-- %% role="hint" ref="peak" lang="en"
-- $R_nk = R_{n+r}q$ says $k = R_rq$.

-- %% role="hint" ref="peak" lang="zh"
-- 由 $R_nk = R_{n+r}q$ 得 $k = R_rq$。

-- %% role="check" ref="peak"
local q = randn(rng(7), 1, 16)
local function best(r) -- the distance, from -40 to 40, with the largest score
  local k = reshape(waiting(reshape(q, 16), r), 1, 16)
  local at, top = nil, -math.huge
  for t = -40, 40 do
    local s = sum(rope(q, {layout = "interleaved", offset = 50 + t}) * rope(k, {layout = "interleaved", offset = 50}))
    if s > top then at, top = t, s end
  end
  return at
end
local seen = best(7)
feedback(seen ~= 0, {
  en = "The score is largest at distance 0: this key does not wait at all. Turn it.",
  zh = "打分在距离 0 处最大：这个键根本没有在等。把它转一转。",
})
feedback(seen ~= -7, {
  en = "The score is largest when the key stands 7 positions after the query: turned the wrong way.",
  zh = "键站在查询之后 7 个位置时打分最大：转反了。",
})
feedback(same(seen, 7, {what = {en = "the best distance", zh = "打分最大的距离"}}))
--- BEGIN HIDDEN TESTS
feedback(same(best(31), 31, {what = {en = "the best distance", zh = "打分最大的距离"}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="peak" expect="does not wait"
function waiting(q, r) return q end

-- %% role="wrong" ref="peak" expect="the wrong way"
function waiting(q, r) return reshape(rope(reshape(q, 1, q.size), {layout = "interleaved", offset = -r}), q.size) end

-- %% [markdown] ref="relatives" lang="en"
-- ## Variants of RoPE
-- *Partial rotation* turns the first columns only; the others know no position and can compare words at any distance alike. *xPos* also stretches:
-- queries by $\zeta_i^{m/B}$, keys by $\zeta_i^{-n/B}$, with a scale $B$ and a number $\zeta_i$ between 0 and 1 for each pair. So the
-- product decays with the distance $m-n$ for keys that came before, and grows for keys that come after; it is meant for causal
-- models. *Axial* rotation gives half of the pairs to each coordinate of an image.
--
-- All three remain relative: shifting both positions changes no score. (That xPos may stretch is no contradiction to the above, where one
-- and the same $f$ served queries and keys.)

-- %% [markdown] ref="relatives" lang="zh"
-- ## RoPE 的变体
-- *部分旋转*只转前面几列，其余的列不带位置，隔多远都同样地比较两个词。*xPos* 还要伸缩：查询乘 $\zeta_i^{m/B}$，键乘 $\zeta_i^{-n/B}$，
-- 其中 $B$ 是尺度，$\zeta_i$ 是每对一个、介于 0 与 1 之间的数。于是对在前的键，
-- 内积随距离 $m-n$ 衰减；对在后的键则会增大，所以它只适合
-- 因果模型。*轴向*旋转把一半的对分给图像的横坐标，一半分给纵坐标。
--
-- 三者依旧是相对的：两个位置一同平移，打分不变。（xPos 可以伸缩，与前面的结论并不矛盾：那里查询和键用的是同一个 $f$。）

-- %% ref="relatives"
local g, u = rng(3), 2^-53
local q, k = randn(g, 1, 16), randn(g, 1, 16)
-- Query at 7, key at 2, then both further on by 1 to 50.
local function shifted(name, score)
  local off = {}
  for t = 1, 50 do off[t] = score(7 + t, 2 + t) - score(7, 2) end
  return measure {claim = {en = name.en .. ": shifted by 1 to 50, the score is the same", zh = name.zh .. "：平移 1 到 50，打分不变"},
    value = off, bound = 2 * 24 * u * norm(q) * norm(k),
    why = says{en = "products off by 8u, their sum: 24u |q||k|; stretches cancel", zh = "乘积差 8u，加上求和：24u |q||k|；伸缩互相抵消"}}
end
local function part(x, m)
  return rope(x, {layout = "half", rotary = 8, offset = m})
end
local function stretched(x, m, side)
  return xpos(x, {layout = "half", offset = m, side = side})
end
local function on_grid(x, row, column)
  return rope_axes(x, {layout = "half", exponents = "section",
                       positions = {{row}, {column}}})
end
local ζ, B = sym("ζ B", "positive")
local m, n = sym "m n"
return {
  shifted({en = "partial", zh = "部分旋转"}, function(m, n)
    return sum(part(q, m) * part(k, n))
  end),
  shifted({en = "xPos", zh = "xPos"}, function(m, n)
    return sum(stretched(q, m, "q") * stretched(k, n, "k"))
  end),
  shifted({en = "axial", zh = "轴向旋转"}, function(m, n)
    return sum(on_grid(q, m, 2 * m) * on_grid(k, n, 2 * n))
  end),
  -- the stretch of xPos
  prove(ζ ^ (m / B) * ζ ^ (-n / B), ζ ^ ((m - n) / B), {caption = {en = "the two stretches of xPos leave only m - n", zh = "xPos 的两次伸缩，只剩下 m - n"}}),
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *The other layout.* No error appears, but the scores are wrong. At equal positions they are right: test with two different positions.
--
-- *Another base.* It is 10000 in LLaMA and 500000 in Llama 3; configurations call it `rope_theta`. With the wrong one the scores at distance
-- 0 are right and the others are not.
--
-- *Positions that start again.* With a KV cache the next query stands at the end, not at 0. The offset must be given.
--
-- *Rotating values.* Only queries and keys are turned. Turned values carry their absolute position into the output.
--
-- *Few bits.* In half precision, with $d = 64$, the angle of pair 2 is off by 0.73 radians at position 1857: see the
-- lesson `precision`.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *排法弄反*。什么错也不报，打分却不对；查询与键位置相同时，打分是对的，所以要用两个不同的位置去试。
--
-- *底数弄错*。LLaMA 用 10000，Llama 3 用 500000，配置文件里叫 `rope_theta`。底数错了，距离 0 处的打分是对的，别处就不对了。
--
-- *位置从头再来*。有 KV 缓存时，下一个查询在末尾，不在 0：必须显式给出偏移量。
--
-- *把值也转了*。要转的只有查询和键。值一转，绝对位置就带进了输出。
--
-- *位数太少*。半精度、$d = 64$ 时，位置 1857 处第 2 对的角度差了 0.73 弧度：见 `precision` 一课。

-- %% ref="practice"
local g = rng(4)
local q, k, u = randn(g, 1, 8), randn(g, 1, 8), 2^-53
local function turned(x, layout, m, base)
  return rope(x, {layout = layout, base = base or 10000, offset = m})
end
local function score(m, n, layout, base)
  return sum(turned(q, layout, m, base) * turned(k, layout, n, base))
end
local function tell(what, a, b)
  print(says{en = "%-26s%9.6f %9.6f", zh = "%s%9.6f %9.6f"}:format(says(what), a, b))
end
print(says{en = "query at, key at:              5, 5      8, 5", zh = "查询、键的位置：       5、5      8、5"})
local function both(layout, base)
  return score(5, 5, layout, base), score(8, 5, layout, base)
end
tell({en = "as trained:", zh = "与训练时一致：    "}, both("half"))
tell({en = "the other layout:", zh = "排法弄反：        "}, both("interleaved"))
tell({en = "base 500000 for 10000:", zh = "底数用了 500000： "}, both("half", 500000))
-- Four equal words at positions m to m + 3, weights ¼, and values turned.
local function output(m)
  return mean(turned(ones(4, 1) * k, "half", m), 1)
end
print(says{en = "all of them at:                   0       100", zh = "位置：                    0       100"})
tell({en = "values turned:", zh = "值也转：          "}, output(0)(1), output(100)(1))
return measure {claim = {en = "at equal positions the other layout is not noticed", zh = "位置相同时，看不出排法弄反"},
                value = score(5, 5, "interleaved") - score(5, 5, "half"), bound = 2 * 18 * u * norm(q) * norm(k),
                why = says{en = "a turned pair is off by 5u, a product by 10u, with their sum 18u |q||k|, on either side",
                           zh = "转过的一对差 5u，乘积差 10u，连同求和共 18u |q||k|，两边各一次"}}

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- Queries and keys turn at the same speed, so only their distance is left in the score; no other stretch or turn does it. It was
-- proved in the plane and carried over pair by pair, fast pairs for near places and slow ones for far places. Nothing is added to the scores, no table of pairs of
-- positions is stored, and a key is turned once, when it enters the cache. Whoever loads weights has to know three things: the layout, the base, and the
-- offset. What happens beyond the length of training is the lesson `context`.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 查询与键以同样的速度转动，打分里就只剩下距离；在伸缩与旋转当中，别的办法都做不到。先在平面上证明，再逐对搬到高维：
-- 高频的对管近处，低频的对管远处。
-- 打分上什么也不用加，也不必存一张位置两两相配的表，每个键只在进缓存时转一次。加载权重时要弄清三件事：排法、底数、偏移量。
-- 超出训练长度会怎样，见 `context` 一课。

-- %% [markdown] ref="conjugate" lang="en" part="appendix"
-- ## A conjugate that got lost
-- Read the plane as complex numbers, and turning by $m\theta$ is multiplication by $e^{im\theta}$. The real inner product of two vectors is the
-- real part of one number times the conjugate of the other. The study notes on position encoding (see `absolute`) begin the chain correctly and end it
-- with $q_jk_je^{i(m-n)\theta}$: the conjugate on $k$ is gone. It must stay:
--
-- $$qe^{im\theta}\cdot\bar{k}e^{-in\theta} = q\bar{k}e^{i(m-n)\theta}$$
--
-- With $q = 1+2i$, $k = 3-i$, $m = 5$, $n = 2$, $\theta = 0.1$ the product is $-1.11330+6.98288i$; as written it would
-- be $3.29908+6.25428i$, off by the factor $k/\bar{k}$: turned by twice the angle of $k$. And where a real inner product is
-- meant, $\mathrm{Re}$ belongs in front: the real part is the inner product of the two vectors, each turned by its
-- matrix.

-- %% [markdown] ref="conjugate" lang="zh" part="appendix"
-- ## 丢掉的共轭
-- 把平面看作复数，转过 $m\theta$ 就是乘以 $e^{im\theta}$；两个向量的实内积，是一个数乘另一个数的共轭之后的实部。
-- 讲位置编码的那篇学习笔记（见 `absolute`）的推导开头是对的，末了却成了
-- $q_jk_je^{i(m-n)\theta}$：$k$ 上的共轭不见了。它必须留着，
--
-- $$qe^{im\theta}\cdot\bar{k}e^{-in\theta} = q\bar{k}e^{i(m-n)\theta}$$
--
-- 取 $q = 1+2i$、$k = 3-i$、$m = 5$、$n = 2$、$\theta = 0.1$，乘积是 $-1.11330+6.98288i$，照笔记的写法却是 $3.29908+6.25428i$：
-- 差了一个因子 $k/\bar{k}$，也就是多转了 $k$ 的辐角的两倍。
-- 若指的是实内积，前面还该有 $\mathrm{Re}$：取实部，就是两个向量各按自己的矩阵转过之后的内积。

-- %% ref="conjugate" claim="pe/rope-conjugate"
local q, k = sym("q k", "complex")
local m, n, θ, a, b, c, d = sym "m n θ a b c d"
local function turned(z, m) return z * exp(I * m * θ) end
local product = turned(q, m) * conj(turned(k, n))
local written = q * k * exp(I * (m - n) * θ)
local mended = q * conj(k) * exp(I * (m - n) * θ)
local at = {q = 1 + 2 * I, k = 3 - I, m = 5, n = 2, θ = 0.1}
print(says{en = "exact:  ", zh = "精确：    "}, evaluate(product, at))
print(says{en = "written:", zh = "照原写法："}, evaluate(written, at))
-- The same two words as vectors of the plane, turned by matrices.
local x, y = matrix {a, b}, matrix {c, d}
local vectors = inner(matmul(turn(m), x), matmul(turn(n), y))
local numbers = turned(a + I * b, m) * conj(turned(c + I * d, n))
return {
  written = prove(product, written, {caption = {en = "the product without the conjugate", zh = "不带共轭的乘积"}}),
  mended = {
    prove(product, mended, {caption = {en = "with the conjugate it holds", zh = "带上共轭，等式成立"}}), mutants(product, mended),
    prove(written * conj(k), product * k, {caption = {en = "what was written is off by the factor k/k*", zh = "原来的写法差了因子 k/k*"}}),
    prove(re(numbers), vectors, {caption = {en = "its real part is the inner product of the turned vectors", zh = "取实部，就是两个转过的向量的内积"}}),
    figure({en = "true value, real part", zh = "精确值的实部"}, re(evaluate(product, at)), "-1.11330"),
    figure({en = "true value, imaginary part", zh = "精确值的虚部"}, im(evaluate(product, at)), "6.98288"),
    figure({en = "written value, real part", zh = "照原写法的实部"}, re(evaluate(written, at)), "3.29908"),
    figure({en = "written value, imaginary part", zh = "照原写法的虚部"}, im(evaluate(written, at)), "6.25428"),
  },
}

-- %% [markdown] ref="range" lang="en"
-- ## No range is needed
-- The study notes take $\theta$ from $(0, \pi/(2N)]$. Relativity needs nothing of the kind: it was proved above for
-- every $\theta$. The range does something else. Within it $\cos(t\theta)$ falls and is never negative for distances
-- $t \le N$, since $t\theta$ stays in the first quarter of the circle. And the program in the same notes leaves it:
-- there $\theta_0 = 1$. For $N = 2048$ and $d = 128$ just the 14 slowest of 64 pairs lie in the range. In the picture
-- pair 50 is the first of them; pair 40, which is not, comes round once.

-- %% [markdown] ref="range" lang="zh"
-- ## 不需要什么范围
-- 学习笔记让 $\theta$ 取自 $(0, \pi/(2N)]$。相对性并不需要这个：前面对一切 $\theta$ 都证明了。这个范围管的是另一件事：
-- 在它之内，距离 $t \le N$ 时
-- $t\theta$ 不出圆的第一个四分之一，$\cos(t\theta)$ 不为负且递减。而同一份笔记里的程序就越出了它：那里 $\theta_0 = 1$。$N = 2048$、$d = 128$ 时，
-- 64 对里只有最慢的 14 对在范围之内。图中第 50 对是其中的第一个；第 40 对不在其中，已经转回来一圈。

-- %% ref="range" claim="pe/rope-theta-range"
local i, t, θ = sym("i", "integer"), sym "t θ"
local N = 2048
local most = Pi / (2 * N)
local θi = rat(10000) ^ (-2 * i / 128)
local function wave(x) return cos(x) end
local places = range(0, N, 16)
display(plot(places, {cos(places * 10000 ^ (-100 / 128)),
                      cos(places * 10000 ^ (-80 / 128))}, {
  labels = {says{en = "pair 50, inside", zh = "第 50 对，在内"}, says{en = "pair 40, outside", zh = "第 40 对，在外"}}, xlabel = says{en = "distance t", zh = "距离 t"},
  title = "cos t θ_i"}))
return {
  written = certify(le(θi, most), {i = {0, 63}}),
  mended = {
    certify(gt(θi, most), {i = {0, 49}}),
    certify(le(θi, most), {i = {50, 63}}), -- 14 inside
    -- in the range: t θ stays below π/2, where cos is positive and falls
    certify(ge(wave(t * θ), 0), {t = {0, N}, θ = {0, most}}),
    monotone(wave(t), t, 0, Pi / 2), certify(lt(wave(Pi / 2), wave(rat(0))), {}),
    -- just outside, pairs 43 to 49, it has become negative before N
    certify(lt(cos(N * θi), 0), {i = {43, 49}}),
  },
}

-- %% [markdown] ref="number-matrix" lang="en"
-- ## Numbers as matrices
-- The same notes say that a complex number can be represented as a matrix: $a + bi$ as the matrix with rows $(a, -b)$ and $(b, a)$. The matrices of two
-- numbers add and multiply to those of their sum and product, the conjugate is the transpose, and the determinant is $a^2 + b^2$. So nothing is lost,
-- and $e^{im\theta}$ is the rotation.

-- %% [markdown] ref="number-matrix" lang="zh"
-- ## 用矩阵表示复数
-- 学习笔记说，“复数可以写成矩阵的形式”：$a + bi$ 对应两行为 $(a, -b)$、
-- $(b, a)$ 的矩阵。两个数的矩阵相加、相乘，正是它们的和与积的矩阵；共轭对应转
-- 置，行列式是 $a^2 + b^2$。所以什么也没有丢，而 $e^{im\theta}$ 就是旋转。

-- %% ref="number-matrix" claim="pe/complex-matrix"
local a, b, c, d, x = sym "a b c d x"
local function of(z) return matrix {{re(z), -im(z)}, {im(z), re(z)}} end
local z, w = a + I * b, c + I * d
local product, by_matrices = of(z * w), matmul(of(z), of(w))
return {
  prove(by_matrices, product, {caption = {en = "M(z) M(w) = M(zw)", zh = "M(z) M(w) = M(zw)"}}), mutants(by_matrices(2, 1), product(2, 1)),
  named("M(z) + M(w) = M(z + w)", prove(of(z) + of(w), of(z + w))),
  named("M(z*) = M(z)'", prove(of(conj(z)), of(z).T)), prove(det(of(z)), a^2 + b^2, {caption = {en = "the determinant is a^2 + b^2", zh = "行列式是 a^2 + b^2"}}),
  mutants(det(of(z)), a^2 + b^2),
  named({en = "M(e^{ix}) is the rotation by x", zh = "M(e^{ix}) 是转 x 的旋转"},
        prove(of(exp(I * x)), matrix {{cos(x), -sin(x)}, {sin(x), cos(x)}})),
  fails(prove(of(z).T, of(z)), {en = "M(z)' = M(z)", zh = "M(z)' = M(z)"}),
}

-- %% [markdown] ref="snippet" lang="en"
-- ## Taking a program apart
-- The program in the study notes fills a table with sines in even and cosines in odd columns: interleaved. Then it *cuts it in
-- halves* and calls the first half `sin` and the second `cos`. But each half holds both, of half of the frequencies.
-- Below it is reproduced line by line, but for two slips, and with it three properties that no rotation can have: position 0 changes a
-- vector; lengths change; scores at a fixed distance vary. (The slips do not touch the mathematics and are mended here: a name that does not
-- exist, `rotate_hals_QUERY`, and the length of the keys, which is used for the queries.)
--
-- Corrected, sine and cosine are columns 0, 2, … and 1, 3, … of the table. The result then agrees with `rope` to rounding.

-- %% [markdown] ref="snippet" lang="zh"
-- ## 拆解一个程序
-- 学习笔记里的程序造表时，偶数列放正弦，奇数列放余弦，是交错的；接着却*对半切开*，把前一半叫 `sin`，后一半叫 `cos`。
-- 可是每一半里两样都有，频率却只有一半。下面除两处笔误外逐行照搬，并给出旋转
-- 不可能有的三种表现：位置 0 改变了向量；长度变了；距离固定，打分却在变。（两处笔误不影响数学，下面已经改好：
-- 用了不存在的名字 `rotate_hals_QUERY`，又把键的长度用于查询。）
--
-- 改正之后，正弦与余弦分别取表的第 0、2、… 列与第 1、3、… 列，结果与 `rope` 只差舍入。

-- %% ref="snippet" claim="pe/rope-snippet"
local T, dim = 40, 8
local even, odd = {{}, {1, dim, 2}}, {{}, {2, dim, 2}}
local pos = reshape(range(0, T - 1), T, 1)
local pairs_ = floor(range(0, dim - 1) / 2)
local position_enc = pos / 10000 ^ (2 * pairs_ / dim)
local weight = zeros(T, dim)
weight[even] = sin(position_enc[even])
weight[odd] = cos(position_enc[odd])

-- Each column twice, side by side.
local function twice(x) return reshape(stack({x, x}, 3), -1, dim) end
local function rotated(X, sines, cosines)
  local rotate_half = reshape(stack({-X[odd], X[even]}, 3), -1, dim)
  return X * twice(cosines) + rotate_half * twice(sines)
end
-- As written: the halves of the table are called sin and cos.
local function as_written(X)
  local first, second = {{}, {1, dim // 2}}, {{}, {dim // 2 + 1, dim}}
  return rotated(X, weight[first], weight[second])
end
local function corrected(X) return rotated(X, weight[even], weight[odd]) end
-- The same vectors at every position.
local g, u = rng(2), 2^-53
local q, k = ones(T, 1) * randn(g, dim), ones(T, 1) * randn(g, dim)
local function spread_at(f, distance) -- of the scores, over all such pairs
  local Q = f(q)[{ {1 + distance, T}, {} }]
  local K = f(k)[{ {1, T - distance}, {} }]
  local scores = sum(Q * K, 2)
  return max(scores) - min(scores)
end
local function lengths(f) return sum(f(q) ^ 2, 2) - sum(q ^ 2, 2) end
-- Phases of pair 0 are whole; the others stay below 4 and are rounded
-- three times: with the sine 13u. A turned entry is then off by
-- 15u(|a| + |b|), at most 22u of its pair; a product of two such 44u, and
-- the sum of d products adds d u of |q||k|.
local tol = (dim + 44) * u * norm(q[1]) * norm(k[1])
local long = tol * norm(q[1]) / norm(k[1])
-- The table is as long as there are keys; the queries are turned with it too. And a name is mistyped: what stands for the turned halves of the
-- queries is not what is multiplied.
local queries, keys = randn(g, T - 8, dim), randn(g, T, dim)
local fits = pcall(as_written, queries)
local _, unknown = pcall(load("local rotate_half_QUERY = 1; return rotate_hals_QUERY + rotate_half_QUERY", "snippet", "t", {}))
local at0, kept = {en = "position 0 leaves a vector alone", zh = "位置 0 不改变向量"}, {en = "lengths are kept", zh = "长度不变"}
local three = 3
local even_scores = {en = ("scores at distance %d are the same everywhere"):format(three), zh = ("距离 %d 处的打分处处相同"):format(three)}
return {
  written = {
    measure {claim = at0, value = as_written(q)[1] - q[1], bound = 0,
             why = says{en = "the angle is 0", zh = "角是 0"}},
    measure {claim = kept, value = lengths(as_written), bound = long,
             why = says{en = "a rotation keeps them to rounding", zh = "旋转不改变它们，只差舍入"}},
    measure {claim = even_scores, value = spread_at(as_written, three),
             bound = 2 * tol, why = says{en = "they depend on the distance alone", zh = "它们只与距离有关"}},
    figure({en = "by how much they differ", zh = "相差多少"}, spread_at(as_written, three), "2.3097"),
    figure({en = "the bound on a score, in units of u", zh = "一个打分的界，以 u 为单位"}, tol * 2^53, "131.3", {guard = true}),
    figure({en = "the bound on lengths, in units of u", zh = "长度的界，以 u 为单位"}, long * 2^53, "175", {guard = true}),
    measure {claim = {en = "fewer queries than keys can be turned",
      zh = "查询比键少时也能旋转"}, value = fits and 0 or 1, bound = 0, why = says{en = "a table of the keys' length serves both", zh = "与键等长的一张表供两边用"}},
    measure {claim = {en = "every name is defined",
      zh = "每个变量名都有定义"}, value = tostring(unknown):find("rotate_hals_QUERY", 1, true) and 1 or 0, bound = 0, why = says{en = "it runs", zh = "能运行"}},
  },
  mended = {
    measure {claim = {en = "fewer queries than keys: each row turned by its own position",
      zh = "查询比键少时：每行按自己的位置旋转"}, bound = 2 * 30 * u * max(abs(queries)),
             value = rotated(queries, weight[{ {1, T - 8}, {1, dim, 2} }], weight[{ {1, T - 8}, {2, dim, 2} }]) - rope(queries, {layout = "interleaved"}),
             why = says{en = "15u(|a| + |b|) on either side, as derived above", zh = "每边 15u(|a| + |b|)，推导见上文"}},
    measure {claim = at0, value = corrected(q)[1] - q[1], bound = 0,
             why = says{en = "the angle is 0", zh = "角是 0"}},
    measure {claim = kept, value = lengths(corrected), bound = long,
             why = says{en = "as above, with q for k", zh = "同上，把 k 换成 q"}},
    measure {claim = even_scores, value = spread_at(corrected, three),
             bound = 2 * tol, why = says{en = "two sums, (d + 44)u |q||k| each", zh = "两个和，各 (d + 44)u |q||k|"}},
    measure {claim = {en = "what it turns is what `rope` turns", zh = "与 rope 的结果一致"}, bound = 2 * 30 * u * max(abs(q)),
             value = corrected(q) - rope(q, {layout = "interleaved"}),
             why = says{en = "15u(|a| + |b|) on either side, as derived above", zh = "每边 15u(|a| + |b|)，推导见上文"}},
  },
}
