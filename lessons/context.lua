-- Longer contexts: what it means to read further than one was trained, and the ways of stretching a rotation.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. The running example has d = 128 columns,
-- base 10000 and a training length of 2048.

-- %% [markdown] ref="unseen" lang="en"
-- # Reading further than trained
-- A model was trained on texts of $N = 2048$ positions. Can it read 4096? This is the question of *length extrapolation*. A rotary encoding turns
-- pair $i$ of a query or key at position $n$ by $n\theta_i$, with
--
-- $$\theta_i = b^{-2i/d}, \quad i = 0, \dots, d/2-1$$
--
-- There is a rotation for every $n$, so nothing stops the model formally. But pairs meet angles that they never met. The picture shows three pairs as
-- rings: what each saw up to $N$, and what it meets up to $2N$. *Predict:* which pairs see nothing new?
--
-- In this lesson $\theta_i$ is the frequency of training, $\theta'_i$ the one that is used afterwards, and $k$ the factor by which the context shall
-- grow.

-- %% [markdown] ref="unseen" lang="zh"
-- # 长度外推：读到训练长度之外
-- 某模型在 $N = 2048$ 个位置的文本上训练。它能读 4096 个吗？这就是*长度外推*问题。
-- 旋转位置编码让位置 $n$ 处的查询或键的第 $i$ 对转过 $n\theta_i$，其中
--
-- $$\theta_i = b^{-2i/d}, \quad i = 0, \dots, d/2-1$$
--
-- 每个 $n$ 都有对应的旋转，形式上并无障碍。但有些对会遇到从未遇到过的角度。图中三个圆环是三个对：到 $N$ 为止见过的，
-- 以及到 $2N$ 为止会遇到的。*先猜一猜*：
-- 哪些对遇不到新角度？
--
-- 这一课里，$\theta_i$ 是训练时的频率，$\theta'_i$ 是之后使用的；$k$ 是上下文要扩大的倍数。

-- %% ref="unseen"
-- What pairs 41, 50 and 63 saw up to N = 2048, and what they meet up to 2N.
local x, y = {{}, {}}, {{}, {}}
for ring, i in ipairs {41, 50, 63} do
  for part = 1, 2 do
    local φ = linspace((part - 1) * 2048, part * 2048, 90) * 10000 ^ (-2 * i / 128)
    local r = 1.3 - 0.3 * ring + 0.06 * part
    x[part][ring] = concat {r * cos(φ), array {nan}} -- the pen is lifted
    y[part][ring] = concat {r * sin(φ), array {nan}}
  end
end
return plot(concat(x[1]), concat(y[1]), {equal = true, label = "0 … N"})
  :plot(concat(x[2]), concat(y[2]), {label = "N … 2N"})

-- %% [markdown] ref="turns" lang="en"
-- ## First: how far did a pair turn?
-- A model with $d = 128$ columns and base 10000 was trained on 2048 positions. Pair number `pair` turned by $2048\,\theta_i$ in all. Set `turns` to
-- how many full turns that is.

-- %% [markdown] ref="turns" lang="zh"
-- ## 先算一算：一对转了几圈？
-- 某模型 $d = 128$ 维、底数 10000，在 2048 个位置上训练。第 `pair` 对一共转过 $2048\,\theta_i$。这是几圈？把圈数赋给 `turns`。

-- %% role="exercise" ref="turns" points=1 variants=6
pair = ({41, 45, 50, 38, 60, 63})[variant]
--- BEGIN SOLUTION
turns = 2048 * 10000 ^ (-2 * pair / 128) / (2 * pi)
--- END SOLUTION

-- %% role="hint" ref="turns" lang="en"
-- $\theta_i = 10000^{-2i/128}$, and a full turn is $2\pi$.
-- %% role="hint" ref="turns" lang="zh"
-- $\theta_i = 10000^{-2i/128}$，一圈是 $2\pi$。

-- %% role="hint" ref="turns" lang="en"
-- `2048 * 10000 ^ (-2 * pair / 128) / (2 * pi)`; compare it with 1.
-- %% role="hint" ref="turns" lang="zh"
-- `2048 * 10000 ^ (-2 * pair / 128) / (2 * pi)`；把它与 1 比较。

-- %% role="check" ref="turns"
local i = ({41, 45, 50, 38, 60, 63})[variant]
local angle = 2048 * 10000 ^ (-2 * i / 128)
feedback(type(turns) == "number", {en = "`turns` must be a number.", zh = "`turns` 要是一个数。"})
feedback(not same(turns, angle, {tol = 1e-6}), {
  en = "That is the angle in radians. A full turn is 2π.",
  zh = "这是弧度。一圈是 2π。",
})
feedback(not same(turns, 2048 * 10000 ^ (-i / 128) / (2 * pi), {tol = 1e-6}), {
  en = "The exponent is -2i/d: pair i is made of the columns 2i and 2i + 1.",
  zh = "指数是 -2i/d：第 i 对由第 2i、2i + 1 维组成。",
})
feedback(same(turns, angle / (2 * pi), {what = "turns", tol = 1e-6}))

-- %% role="wrong" ref="turns" expect="radians"
turns = 2048 * 10000 ^ (-2 * ({41, 45, 50, 38, 60, 63})[variant] / 128)

-- %% role="wrong" ref="turns" expect="exponent"
turns = 2048 * 10000 ^ (-({41, 45, 50, 38, 60, 63})[variant] / 128) / (2 * pi)

-- %% [markdown] ref="arcs" lang="en"
-- ## Who has turned fully?
-- The outer ring of the picture is pair 41, which just misses a full turn; inside are pairs 50 and 63. For $d = 128$, base 10000 and $N = 2048$, the
-- high-frequency pairs up to 40 have turned fully, and none of the others has. Position $N$ lies one step beyond the end of their arc.

-- %% [markdown] ref="arcs" lang="zh"
-- ## 谁转满了一圈？
-- 图中最外一圈是第 41 对，差一点就转满；里面是第 50 对和第 63 对。$d = 128$、底数 10000、$N = 2048$ 时，
-- 第 40 对及之前的高频对都转满了一圈，之后的都没有。
-- 对它们来说，位置 $N$ 落在弧的末端之外一步。

-- %% ref="arcs" claim="pe/extrapolation-direct"
d, N = 128, 2048
local i, θ = sym("i", "integer"), sym("θ", "positive")
local step = rat(10000) ^ (-2 * i / d)
local arc = N * step -- of pair i, over the training length
local turns = N * rope_frequencies(d) / (2 * pi)
local told = says{en = "turns in training: pair 40 %.3f, pair 41 %.3f, pair 63 %.3f",
  zh = "训练中的圈数：第 40 对 %.3f，第 41 对 %.3f，第 63 对 %.3f"}
print(told:format(turns(41), turns(42), turns(64)))
display(plot(range(0, 63), {turns, ones(64)}, {
  labels = {says{en = "turns in training", zh = "训练中的圈数"}, says{en = "one full turn", zh = "一圈"}}, log = "y",
  xlabel = says{en = "pair i", zh = "第 i 对"}}))
return {
  certify(ge(arc, 2 * Pi), {i = {0, 40}}, {caption = {en = "pairs 0 to 40 have turned fully", zh = "第 0 到 40 对转满了一圈"}}),
  certify(lt(arc, 2 * Pi), {i = {41, 63}}, {caption = {en = "pairs 41 to 63 have not", zh = "第 41 到 63 对没有"}}),
  -- position N lies a step beyond the last one, and more than that before 0
  prove(N * θ - (N - 1) * θ, θ, {caption = {en = "position N lies a step beyond the last one", zh = "位置 N 在最后一个之外一步"}}),
  certify(gt(2 * Pi - arc, step), {i = {41, 63}}, {caption = {en = "and more than a step before 0", zh = "离 0 还不止一步"}}),
  figure({en = "turns of pair 40 in training", zh = "第 40 对训练中的圈数"}, turns(41), "1.031"), figure({en = "turns of pair 41", zh = "第 41 对的圈数"}, turns(42), "0.893"),
  figure({en = "turns of pair 63", zh = "第 63 对的圈数"}, turns(64), "0.0376"),
}

-- %% [markdown] ref="window" lang="en"
-- ## Past the trained length
-- Move the position $n$ that a text reaches, with the arrow keys, past the trained length $2048$. The first curve is the share of the circle that
-- each pair has seen in training, the second the share that it turns through up to $n$. Predict which pairs see something new.

-- %% [markdown] ref="window" lang="zh"
-- ## 越过训练长度
-- 用方向键移动文本到达的位置 $n$，让它越过训练长度 $2048$。第一条曲线是训练时每一对见过的那部分圆，第二条是到 $n$ 为止转过的部分。
-- 先猜一猜：哪些对会遇到没见过的角度？

-- %% ref="window"
return vary(function(p)
  local turns = rope_frequencies(d) / (2 * pi)
  local labels = {says{en = "seen in training", zh = "训练时见过"}, says{en = "up to position n", zh = "到位置 n 为止"}}
  return plot(range(0, 63), {minimum(N * turns, 1), minimum(p.n * turns, 1)}, {labels = labels, ylim = {0, 1.1},
    xlabel = says{en = "pair", zh = "对"}, ylabel = says{en = "share of the circle", zh = "占整圆的比例"}})
end, {n = {512, 16384, log = true, step = 2, default = 2048}})

-- %% [markdown] ref="gaps" lang="en"
-- ## Has it really seen the whole circle?
-- Strictly, every position brings an angle that none before had, for $\theta_i$ is algebraic and $\pi$ is not. What counts is how far the nearest
-- known angle is. Sort the $N$ angles of a pair around the circle and take the widest gap between neighbours. A pair whose arc $N\theta_i$ reaches
-- $2\pi$ leaves none wider than its own step $\theta_i$: every new angle has known neighbours on both sides, as close as words next to each other.
-- The others leave open all that is beyond their arc, pair 41 already some 247 steps.

-- %% [markdown] ref="gaps" lang="zh"
-- ## 真的见过整个圆吗？
-- 严格说来，每个位置带来的角度都是前所未有的，因为 $\theta_i$ 是代数数，而 $\pi$ 不是。要紧的是离见过的角度有多远。
-- 把一对的 $N$ 个角度在圆周上排好，看相邻两个之间最宽的空隙。弧长 $N\theta_i$ 达到 $2\pi$ 的对，空隙都不超过它自己的一步 $\theta_i$：
-- 新角度两旁都有见过的角度，近得就像相邻的两个词。其余的对，弧以外全空着；第 41 对的空隙就已有 247 步左右。

-- %% ref="gaps"
local θ, u = rope_frequencies(128), 2^-53
local function widest(θ) -- in steps
  local seen = sort(range(0, N - 1) * θ % (2 * pi))
  local between = max(seen[{ {2, N} }] - seen[{ {1, N - 1} }])
  return math.max(between, 2 * pi - seen(N)) / θ
end
local gap = {}
for i = 1, 64 do gap[i] = widest(θ(i)) end
for _, i in ipairs {0, 20, 40, 41, 50, 63} do
  print(says{en = "pair %2d: widest gap %10.3f steps", zh = "第 %2d 对：最宽的空隙 %10.3f 步"}:format(i, gap[i + 1]))
end
gap = array(gap)
local tolerance = (2 * N + 32 / θ) * u
return {
  measure {claim = {en = "pairs 0 to 35, at least twice round: steps beyond one",
    zh = "第 0 到 35 对，至少转两圈：最大空隙比一步多出的部分"},
           value = maximum(gap - 1, 0)[{ {1, 36} }],
           bound = tolerance[{ {1, 36} }],
           why = says{en = "two angles off by Nθu, five roundings up to 2πu, over θ", zh = "两个角各差 Nθu，五次舍入至多 2πu，再除以 θ"}},
  measure {claim = {en = "pairs 36 to 40, once round: widest gap, less a step",
    zh = "第 36 到 40 对，转一圈：最大空隙减去一步"},
           value = (gap - 1)[{ {37, 41} }], bound = tolerance[{ {37, 41} }],
           why = says{en = "as above", zh = "同上"}},
  measure {claim = {en = "pairs 41 to 63: the widest gap, less 2π/θ - (N - 1)",
    zh = "第 41 到 63 对：最大空隙减去 2π/θ - (N - 1)"},
           value = (gap - 2 * pi / θ + N - 1)[{ {42, 64} }],
           bound = tolerance[{ {42, 64} }], why = says{en = "as above", zh = "同上"}},
}

-- %% [markdown] ref="first-open" lang="en"
-- ## Exercise: the first open pair
-- Write `first_open(L, b, d)`: the smallest $i$ whose pair does not turn fully within $L$ positions, that is $L\theta_i < 2\pi$; and $d/2$ when all
-- do.

-- %% [markdown] ref="first-open" lang="zh"
-- ## 练习：第一个没转满的对
-- 写一个函数 `first_open(L, b, d)`：在 $L$ 个位置以内没有转满一圈（即 $L\theta_i < 2\pi$）的对，下标 $i$ 最小的是几；若都转满了，返回 $d/2$。

-- %% role="exercise" ref="first-open" points=2
function first_open(L, b, d)
  --- BEGIN SOLUTION
  for i = 0, d // 2 - 1 do
    if L * b ^ (-2 * i / d) < 2 * pi then return i end
  end
  return d // 2
  --- END SOLUTION
end

-- %% role="hint" ref="first-open" lang="en"
-- Go through $i = 0, 1, 2, \dots$ and stop at the first that satisfies the condition.
-- %% role="hint" ref="first-open" lang="zh"
-- 让 $i = 0, 1, 2, \dots$ 逐个试，碰到第一个满足条件的就停。

-- %% role="hint" ref="first-open" lang="en"
-- $\theta_i$ is `b ^ (-2 * i / d)`, and $i$ runs to $d/2-1$.
-- %% role="hint" ref="first-open" lang="zh"
-- $\theta_i$ 是 `b ^ (-2 * i / d)`，$i$ 到 $d/2-1$ 为止。

-- %% role="check" ref="first-open"
local got = first_open(2048, 10000, 128)
feedback(type(got) == "number", {en = "`first_open` must return a number.", zh = "`first_open` 要返回一个数。"})
feedback(got ~= 46, {
  en = "46 is where half a turn is missed. A pair has seen every angle after a full turn, 2π.",
  zh = "46 是没转满半圈的第一个。要转满一圈 2π，才算见过所有角度。",
})
feedback(got ~= 81 and got ~= 82 and got ~= 64, {
  en = "The exponent is -2i/d: i counts pairs, and there are only 64 of them.",
  zh = "指数是 -2i/d：i 数的是对，一共只有 64 对。",
})
feedback(same(got, 41, {what = "first_open(2048, 10000, 128)"}))
--- BEGIN HIDDEN TESTS
feedback(same(first_open(100000, 10000, 64), 32, {what = "first_open(100000, 10000, 64)"}))
feedback(same(first_open(6, 10000, 64), 0, {what = "first_open(6, 10000, 64)"}))
feedback(same(first_open(512, 500000, 128), 22, {what = "first_open(512, 500000, 128)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="first-open" expect="half a turn"
function first_open(L, b, d)
  for i = 0, d // 2 - 1 do if L * b ^ (-2 * i / d) < pi then return i end end
  return d // 2
end

-- %% role="wrong" ref="first-open" expect="i counts pairs"
function first_open(L, b, d)
  for i = 0, d - 1 do if L * b ^ (-i / d) < 2 * pi then return i end end
  return d
end

-- %% [markdown] ref="interpolation" lang="en"
-- ## Position interpolation
-- The first remedy squeezes positions: read position $n$ as $n/k$, or, which is the same, divide every frequency by $k$. The farthest position of the
-- long context, $kN$, then has the angle that $N$ had:
--
-- $$(kN)\frac{\theta_i}{k} = N\theta_i$$
--
-- No angle lies beyond those of training; the new ones fall in between them. The price is at the other end: two neighbours differ by $\theta_i/k$
-- instead of $\theta_i$, also in the high-frequency pairs that tell neighbours apart. The model must be fine-tuned a little to get used to that.

-- %% [markdown] ref="interpolation" lang="zh"
-- ## 位置内插
-- 第一种办法是把位置压缩：把位置 $n$ 当作 $n/k$ 来读，也就是把每个频率除以 $k$。长上下文里最远的位置 $kN$，角度就和原来的 $N$ 一样：
--
-- $$(kN)\frac{\theta_i}{k} = N\theta_i$$
--
-- 没有一个角度越出训练时的范围，新的都落在见过的角度之间。代价在另一头：相邻两个位置只差 $\theta_i/k$，
-- 而不是 $\theta_i$，用来分辨邻居的高频对也不例外：相邻位置变得难以分辨。模型得微调一小会儿才能适应。

-- %% ref="interpolation" claim="pe/pi"
local n, k, last, θ = sym "n", sym("k", "positive"), sym "N", sym "θ"
local function turned(n) return n * (θ / k) end
local far = turned(k * last)
return {
  prove(turned(n), (n / k) * θ, {caption = {en = "dividing positions or frequencies is the same", zh = "压缩位置与除小频率是一回事"}}),
  prove(far, last * θ, {caption = {en = "position $kN$ has the angle that $N$ had", zh = "位置 $kN$ 的角度就是原来 $N$ 的"}}), mutants(far, last * θ),
  prove(turned(n + 1) - turned(n), θ / k, {caption = {en = "neighbours come nearer by $k$", zh = "相邻两个靠近了 $k$ 倍"}}),
}

-- %% [markdown] ref="squeeze" lang="en"
-- ## Exercise: squeezed positions
-- A model was trained on $L$ positions and shall read $n$. Write `squeezed(n, L)`: the array of $n$ positions, from 0 on, that position interpolation
-- gives to the words, so that a context of $n$ spans what $L$ spanned: neighbours are $L/n$ apart. When $n \le L$ nothing shall be squeezed.

-- %% [markdown] ref="squeeze" lang="zh"
-- ## 练习：压缩位置
-- 模型在 $L$ 个位置上训练过，要读 $n$ 个。写一个函数 `squeezed(n, L)`：返回位置内插给各个词的 $n$ 个位置（从 0 起），
-- 使长度为 $n$ 的上下文占据原先 $L$ 的范围：
-- 相邻两个相距 $L/n$。若 $n \le L$，则不压缩。

-- %% role="exercise" ref="squeeze" points=1
function squeezed(n, L)
  --- BEGIN SOLUTION
  return range(0, n - 1) * math.min(1, L / n)
  --- END SOLUTION
end

-- %% role="hint" ref="squeeze" lang="en"
-- Begin with `range(0, n - 1)` and multiply by one number.
-- %% role="hint" ref="squeeze" lang="zh"
-- 从 `range(0, n - 1)` 出发，乘上一个数。

-- %% role="hint" ref="squeeze" lang="en"
-- The number is $L/n$, but never more than 1. Positions need not be whole.
-- %% role="hint" ref="squeeze" lang="zh"
-- 这个数是 $L/n$，但不超过 1。位置不必是整数。

-- %% role="check" ref="squeeze"
local got = squeezed(8, 4)
feedback(not same(got, range(0, 7) * 2), {
  en = "These positions are stretched: the last is 14, far beyond training. Divide by n/L instead of multiplying.",
  zh = "这是拉开了：最后一个是 14，远超训练范围。应当除以 n/L，而不是乘。",
})
feedback(not same(got, floor(range(0, 7) / 2)), {
  en = "Rounding makes pairs of words share a position. Positions may lie between whole numbers.",
  zh = "取整之后，两个两个的词共用一个位置。位置可以落在整数之间。",
})
feedback(same(got, range(0, 7) / 2, {what = "squeezed(8, 4)"}))
feedback(not same(squeezed(3, 4), range(0, 2) * (4 / 3)), {
  en = "squeezed(3, 4) came out stretched: a text shorter than in training keeps its positions 0, 1, 2.",
  zh = "squeezed(3, 4) 被拉开了：文本比训练时短，位置就保持 0、1、2 不变。",
})
feedback(same(squeezed(3, 4), range(0, 2), {what = "squeezed(3, 4)"}))
--- BEGIN HIDDEN TESTS
feedback(same(squeezed(5000, 2048), range(0, 4999) * (2048 / 5000), {what = "squeezed(5000, 2048)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="squeeze" expect="stretched"
function squeezed(n, L) return range(0, n - 1) * math.max(1, n / L) end

-- %% role="wrong" ref="squeeze" expect="share a position"
function squeezed(n, L) return floor(range(0, n - 1) * math.min(1, L / n)) end

-- %% role="wrong" ref="squeeze" expect="keeps its positions"
function squeezed(n, L) return range(0, n - 1) * L / n end

-- %% [markdown] ref="beta" lang="en"
-- ## Positions as numbers to the base β
-- Put $\beta = b^{2/d}$. The angle of pair $i$ is then $n/\beta^i$, and the study notes write the code of position
-- $n$ as
--
-- $$\left[\cos\frac{n}{\beta^0}, \sin\frac{n}{\beta^0}, \dots, \cos\frac{n}{\beta^{d/2-1}}, \sin\frac{n}{\beta^{d/2-1}}\right]$$
--
-- These are the frequencies from above. Cosine comes first here, while the same notes have sine first where they define the sinusoidal code: a
-- permutation of columns, which no inner product notices.

-- %% [markdown] ref="beta" lang="zh"
-- ## 把位置看作 β 进制数
-- 令 $\beta = b^{2/d}$，第 $i$ 对的角度就是 $n/\beta^i$。学习笔记把位置 $n$ 的编码写成
--
-- $$\left[\cos\frac{n}{\beta^0}, \sin\frac{n}{\beta^0}, \dots, \cos\frac{n}{\beta^{d/2-1}}, \sin\frac{n}{\beta^{d/2-1}}\right]$$
--
-- 频率与上面的相同。这里余弦在前，而同一份笔记定义正弦编码时是正弦在前：只是列的一个置换，内积察觉不到。

-- %% ref="beta" claim="pe/ntk-beta-form"
local n, i, θ = sym "n i θ"
local b, d = sym("b", "positive"), sym("d", "positive")
local β = b ^ (2 / d)
local p, r = symmatrix("p", 2), symmatrix("r", 2)
local swap = matrix {{0, 1}, {1, 0}}
local sine_first = matrix {sin(n * θ), cos(n * θ)}
local written, known = n / β ^ i, n * b ^ (-2 * i / d)
return {
  prove(written, known, {caption = {en = "the same frequencies", zh = "频率相同"}}), mutants(written, known),
  -- a permutation of columns, and no inner product changes
  prove(matmul(swap, sine_first), matrix {cos(n * θ), sin(n * θ)}, {caption = {en = "only the order of the columns differs", zh = "只是列的次序不同"}}),
  prove(matmul(matmul(swap, p).T, matmul(swap, r)), matmul(p.T, r), {caption = {en = "and no inner product changes", zh = "内积都不变"}}),
}

-- %% [markdown] ref="new-base" lang="en"
-- ## Exercise: a new base
-- Another idea is to change the base instead of the positions: pair $i$ then turns by $b'^{-2i/d}$. This is *NTK-aware scaling*. Write
-- `new_base(b, k, d)`: the base $b'$ with which the slowest of the $d/2$ pairs turns $k$ times more slowly than before.

-- %% [markdown] ref="new-base" lang="zh"
-- ## 练习：新底数
-- 另一种想法是不动位置、改动底数：第 $i$ 对每步转过 $b'^{-2i/d}$。这就是 *NTK 感知缩放*。写一个函数 `new_base(b, k, d)`：底数 $b'$ 取多少，
-- $d/2$ 对中最慢的
-- 一对才恰好比原来慢 $k$ 倍？

-- %% role="exercise" ref="new-base" points=2
function new_base(b, k, d)
  --- BEGIN SOLUTION
  return b * k ^ (d / (d - 2))
  --- END SOLUTION
end

-- %% role="hint" ref="new-base" lang="en"
-- The slowest pair is $i = d/2-1$: its frequency is $b^{-(d-2)/d}$.
-- %% role="hint" ref="new-base" lang="zh"
-- 最慢的一对是 $i = d/2-1$，频率是 $b^{-(d-2)/d}$。

-- %% role="hint" ref="new-base" lang="en"
-- Solve $b'^{-(d-2)/d} = b^{-(d-2)/d}/k$ for $b'$.
-- %% role="hint" ref="new-base" lang="zh"
-- 从 $b'^{-(d-2)/d} = b^{-(d-2)/d}/k$ 解出 $b'$。

-- %% role="check" ref="new-base"
local b, k, d = sym("b k d", "positive")
local got = new_base(b, k, d)
feedback(not same(got, b * k), {
  en = "With base b·k the slowest pair is stretched by less than k: its exponent is -(d-2)/d, not -1.",
  zh = "底数取 b·k，最慢一对拉伸得不到 k 倍：它的指数是 -(d-2)/d，而不是 -1。",
})
feedback(not same(got, b * k ^ (2 / (d - 2))), {
  en = "That is λ, by which β = b^(2/d) is multiplied. The base is β^(d/2).",
  zh = "这是 λ，用来乘 β = b^(2/d) 的。底数是 β^(d/2)。",
})
feedback(same(got, b * k ^ (d / (d - 2)), {what = "new_base(b, k, d)"}))
--- BEGIN HIDDEN TESTS
feedback(same(new_base(10000, 8, 128), 10000 * 8 ^ (128 / 126), {what = "new_base(10000, 8, 128)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="new-base" expect="by less than k"
function new_base(b, k, d) return b * k end

-- %% role="wrong" ref="new-base" expect="That is λ"
function new_base(b, k, d) return b * k ^ (2 / (d - 2)) end

-- %% [markdown] ref="ntk" lang="en"
-- ## NTK-aware scaling
-- You have found the new base. In terms of $\beta$ it says: $\beta$ becomes $\lambda\beta$, and the slowest pair, $i = d/2-1$, is interpolated by
-- $k$,
--
-- $$\frac{n}{(\lambda\beta)^{d/2-1}} = \frac{n/k}{\beta^{d/2-1}}$$
--
-- There is exactly one such $\lambda$, because for $n > 0$ the left side only falls as $\lambda$ grows:
--
-- $$\lambda = k^{2/(d-2)}, \quad b' = b\,k^{d/(d-2)}$$
--
-- Here $k$, $\beta > 0$ and $d > 2$; with $d = 2$ there is one pair, which cannot be the fastest and the slowest at once, and the exponent divides by
-- 0. (In the second proof $e$ stands for $d-2$.)

-- %% [markdown] ref="ntk" lang="zh"
-- ## NTK 感知缩放
-- 新底数你已经求出来了。用 $\beta$ 来说：$\beta$ 换成 $\lambda\beta$，让最慢的一对 $i = d/2-1$ 恰好内插 $k$ 倍，
--
-- $$\frac{n}{(\lambda\beta)^{d/2-1}} = \frac{n/k}{\beta^{d/2-1}}$$
--
-- 这样的 $\lambda$ 恰有一个，因为 $n > 0$ 时，$\lambda$ 增大，左边只会减小：
--
-- $$\lambda = k^{2/(d-2)}, \quad b' = b\,k^{d/(d-2)}$$
--
-- 其中 $k$、$\beta > 0$，$d > 2$；$d = 2$ 时只有一对，它不能既最快又最慢，指数的分母也为 0。（第二个证明里 $e$ 代表 $d-2$。）

-- %% ref="ntk" claim="pe/ntk-lambda"
local n = sym "n"
local b, d, k, β, λ, e, n1 = sym("b d k β λ e n1", "positive")
local function slowest(λ) return n * (λ * β) ^ (-(d / 2 - 1)) end
local interpolated = n / k * β ^ (-(d / 2 - 1))
local found = slowest(k ^ (2 / (d - 2)))
return {
  prove(found, interpolated, {caption = {en = "this λ interpolates the slowest pair by $k$", zh = "这个 λ 让最慢的一对恰好内插 $k$ 倍"}}),
  mutants(found, interpolated),
  -- strictly falling, at a position above 0: no second solution
  prove(lt(derivative(n1 * (λ * β) ^ (-e / 2), λ), 0), {caption = {en = "there is no other λ", zh = "没有别的 λ"}}),
  prove((k ^ (2 / (d - 2)) * b ^ (2 / d)) ^ (d / 2), b * k ^ (d / (d - 2)), {caption = {en = "the new base", zh = "新底数"}}),
}

-- %% [markdown] ref="which-end" lang="en"
-- ## Which end is interpolated?
-- With the new base $b'$ pair $i$ has $\theta'_i = b'^{-2i/d}$, so that $\theta'_i/\theta_i = k^{-2i/(d-2)}$. *Predict:* which pairs keep their
-- frequency, the fast or the slow ones? The two ends are
--
-- $$\frac{\theta'_0}{\theta_0} = 1, \quad \frac{\theta'_{d/2-1}}{\theta_{d/2-1}} = \frac{1}{k}$$
--
-- High frequencies extrapolate, low ones interpolate: the highest frequency is kept, the lowest is interpolated, and each step in between multiplies
-- by the same number below 1.
--
-- > **A slip in the notes**
-- > The notes say that NTK combines *extrapolation for low frequencies with interpolation for high* ones. It is the other way round.

-- %% [markdown] ref="which-end" lang="zh"
-- ## 内插的是哪一头？
-- 用新底数 $b'$，第 $i$ 对是 $\theta'_i = b'^{-2i/d}$，于是 $\theta'_i/\theta_i = k^{-2i/(d-2)}$。*先猜一猜*：
-- 频率保持不变的是高频的对还是低频的对？两头分别是
--
-- $$\frac{\theta'_0}{\theta_0} = 1, \quad \frac{\theta'_{d/2-1}}{\theta_{d/2-1}} = \frac{1}{k}$$
--
-- 高频外推、低频内插：最高的频率保持不变，最低的频率被内插，中间每走一步都乘上同一个小于 1 的数。
--
-- > **学习笔记的笔误**
-- > 笔记说 NTK 是*低频外推、高频内插*的结合，正好说反了。

-- %% ref="which-end" claim="pe/ntk-which-end"
local b, d, k, h, e = sym("b d k h e", "positive")
local i, x = sym "i x"
local function ratio(i) return k ^ (-2 * i / (d - 2)) end
local function at_eight(i) return rat(8) ^ rat(-2 * i, 126) end -- d = 128
local shares = {}
for n, row in ipairs {{0, "1.00"}, {16, "0.5897"}, {63, "0.125"}} do
  local pair, told = table.unpack(row)
  print(says{en = "k = 8, d = 128, pair %2d: θ'/θ is", zh = "k = 8、d = 128，第 %2d 对：θ'/θ ="}:format(pair), enclose(at_eight(pair), {digits = 6}))
  shares[n] = figure({en = ("θ'/θ of pair %d, k = 8"):format(pair), zh = ("第 %d 对的 θ'/θ，k = 8"):format(pair)}, at_eight(pair), told)
end
local base = b * k ^ (d / (d - 2)) -- the new one
local fast, slow = ratio(0), ratio(d / 2 - 1)
return {
  written = {prove(fast, 1 / k, {caption = {en = "the fastest pair is interpolated", zh = "最快的一对被内插"}}),
    prove(slow, 1, {caption = {en = "the slowest is kept", zh = "最慢的一对保持不变"}})},
  mended = {
    prove(base ^ (-2 * i / d) / b ^ (-2 * i / d), ratio(i)),
    named("θ'_0/θ_0 = 1", prove(fast, 1)), prove(slow, 1 / k, {caption = {en = "the slowest pair is interpolated by $k$", zh = "最慢的一对内插 $k$ 倍"}}), mutants(slow, 1 / k),
    shares,
    -- in between by equal factors, falling when log k = h and d - 2 = e > 0
    prove(ratio(i + 1) / ratio(i), k ^ (-2 / (d - 2))),
    prove(derivative(ratio(x), x), -2 * log(k) / (d - 2) * ratio(x)),
    prove(lt(-2 * h / e * exp(h) ^ (-2 * x / e), 0)),
  },
}

-- %% [markdown] ref="picture" lang="en"
-- ## A picture of the ways to stretch
-- The picture shows by how much each frequency is divided: by nothing (extrapolation), by $k$ throughout (interpolation), by 1 to $k$ (NTK). YaRN
-- keeps the fast pairs, divides the slow ones by $k$ and goes over in a ramp. Move $k$.

-- %% [markdown] ref="picture" lang="zh"
-- ## 几种拉伸办法的图
-- 各个频率除以多少：什么也不除（外推），一律除以 $k$（内插），NTK 从 1 渐变到 $k$；YaRN 则保留高频的对，把低频的除以 $k$，
-- 中间用斜坡过渡。移动 $k$ 看看。

-- %% ref="picture"
-- θ_i over θ'_i with a scaling.
local function stretch(kind, k)
  local scaling = {kind = kind, factor = k, train = kind == "yarn" and 2048 or nil}
  return rope_frequencies(128) / rope_frequencies(128, {scaling = scaling})
end
return vary(function(p)
  return plot(range(0, 63), {ones(64), stretch("pi", p.k), stretch("ntk", p.k), stretch("yarn", p.k)}, {
    labels = {says{en = "extrapolation", zh = "外推"}, "PI", "NTK", "YaRN"}, xlabel = says{en = "pair i", zh = "第 i 对"},
    ylabel = "θ/θ'", log = "y", ylim = {0.9, 40}})
end, {k = {2, 4, 8, 16, 32, default = 8}})

-- %% [markdown] ref="usable" lang="en"
-- ## How far does that reach?
-- The factor $k$ is not the length that is gained. Pair 0 is not scaled at all, so that for it every position from $N$ on is as new as before; it has
-- turned often enough not to mind. Among the pairs that have not turned fully within $N = 2048$, those from 41 on, pair 41 is stretched least.
-- Positions are counted from 0, so the last angle it was trained on is that of $N - 1$, and the positions that bring nothing new number
--
-- $$\lfloor (N-1)\lambda^{41} \rfloor + 1$$
--
-- which is 3214, 5046, 7923, 12439, 19529 for $k = 2, 4, 8, 16, 32$. By this reckoning a context of 8192, four times 2048, needs not $k = 4$ but
-- $k = 8.421$. (`longest_context` counts whole arcs, $\lfloor N\lambda^{41} \rfloor$, as if position $N$ had been met in training: some positions
-- more.)
--
-- The notes promise such contexts with *minimal loss of perplexity*. That is a claim of its own, about trained models. A first experiment with five
-- small models leaves it open: at four times the length the loss grows by 1.47 nats on average, but the 99.5 % interval reaches from 0.01 to 2.92. So
-- the same rule asks ten other models. There the loss grows by 1.76 nats, between 1.6 and 1.93: at this size NTK does not keep its promise without
-- fine-tuning, though it is 0.38 nats better than the model as it is.

-- %% [markdown] ref="usable" lang="zh"
-- ## 究竟能到多远？
-- 倍数 $k$ 并不等于换来的长度。第 0 对根本没有缩放，对它来说，从 $N$ 起每个位置照旧是新的；只是它转过的圈数够多，
-- 影响不大。在 $N = 2048$ 以内没有转满一圈的，是第
-- 41 对起的那些，其中第 41 对拉伸得最少。位置从 0 数起，训练中它转到的最后一个角度属于位置 $N - 1$，所以遇不到新角度的位置共有
--
-- $$\lfloor (N-1)\lambda^{41} \rfloor + 1$$
--
-- 个；$k = 2, 4, 8, 16, 32$ 时分别是 3214、5046、7923、12439、19529。照这个算法，8192 是 2048 的四倍，要的却不是 $k = 4$，而是
-- $k = 8.421$。（`longest_context` 数的是整段弧 $\lfloor N\lambda^{41} \rfloor$，相当于训练时见过位置 $N$，所以多几个。）
--
-- 学习笔记还许诺*困惑度几乎不变差*。那是单独一条论断，讲的是训练好的模型。五个小模型的第一个实验没有结论：
-- 四倍长度时损失平均多出 1.47 奈特，而 99.5 % 区间从
-- 0.01 直到 2.92。于是照同样的规则，再问十个别的模型：损失多出 1.76 奈特（1.6 到 1.93）。
-- 在这个规模上，不微调的 NTK 没有兑现许诺，不过还是比原样的模型好 0.38 奈特。

-- %% ref="usable" claim="pe/ntk-usable-context"
reach = {[2] = 3214, [4] = 5046, [8] = 7923, [16] = 12439, [32] = 19529}
local λ, θ, i = sym("λ θ", "positive"), sym "θ", sym "i"
-- the stretched angle at x λ^i is what the unstretched one was at x
local x = sym "x"
local stretched, plain = x * λ ^ i * (θ / λ ^ i), x * θ
local verdicts = {prove(stretched, plain), mutants(stretched, plain)}
-- the position, any real one, at which pair 41 meets the last angle of training
local function last(k) return (N - 1) * k ^ rat(2 * 41, 126) end
for _, k in ipairs {2, 4, 8, 16, 32} do
  local function said(en, zh) return {caption = {en = en:format(k, reach[k]), zh = zh:format(k, reach[k])}} end
  table.insert(verdicts, certify(ge(last(rat(k)), reach[k] - 1), {}, said("k = %d: %d positions bring nothing new", "k = %d：%d 个位置没有新角度")))
  table.insert(verdicts, certify(lt(last(rat(k)), reach[k]), {}, said("k = %d: no more than %d", "k = %d：不超过 %d 个")))
end
-- k = 8.420 is too small for 8192 positions, the last of which is 8191, and 8.421 will do
table.insert(verdicts, fails(certify(ge(last(rat(8420, 1000)), 8192 - 1), {}, {caption = {
  en = "k = 8.420 is enough for 8192", zh = "8192 个位置，k = 8.420 就够"}})))
table.insert(verdicts, certify(ge(last(rat(8421, 1000)), 8192 - 1), {}, {caption = {en = "k = 8.421 is", zh = "k = 8.421 才够"}}))
return verdicts

-- %% ref="usable"
local off = {}
for _, k in ipairs {2, 4, 8, 16, 32} do
  local scaling = {kind = "ntk", factor = k}
  local options = {train = N, scaling = scaling}
  local length, _, pair = longest_context(128, options)
  print(says{en = "k = %2d: %5d positions, set by pair %d", zh = "k = %2d：%5d 个位置，由第 %d 对决定"}:format(k, length, pair))
  off[#off + 1] = length - floor(N * k ^ (2 * 41 / 126))
end
return measure {claim = {en = "longest_context, less the whole arcs", zh = "longest_context 减去整段弧"},
                value = off, bound = 0, why = says{en = "whole numbers", zh = "都是整数"}}

-- %% ref="usable" claim="pe/ntk-perplexity"
return experiment "ntk-again"

-- %% [markdown] ref="kept" lang="en"
-- ## Exercise: a ramp
-- NTK treats all pairs by one formula. Another idea looks at how often a pair turned within the training length: more than 32 times, keep its
-- frequency; less than once, interpolate it fully; in between, go over linearly in the number of turns. Write `kept(turns)`: the share of the
-- frequency that is kept, from 1 (at 32 turns and more) to 0 (at 1 turn and less).

-- %% [markdown] ref="kept" lang="zh"
-- ## 练习：斜坡
-- NTK 用一个式子处理所有的对。另一种想法看一对在训练长度之内转了多少圈：超过 32 圈，频率不动；不到一圈，完全内插；
-- 其间随圈数线性过渡。写一个函数
-- `kept(turns)`：频率保留的份额，从 1（32 圈及以上）到 0（1 圈及以下）。

-- %% role="exercise" ref="kept" points=1
function kept(turns)
  --- BEGIN SOLUTION
  return math.max(0, math.min(1, (turns - 1) / 31))
  --- END SOLUTION
end

-- %% role="hint" ref="kept" lang="en"
-- Which straight line is 0 at 1 turn and 1 at 32 turns?
-- %% role="hint" ref="kept" lang="zh"
-- 哪条直线在 1 圈处为 0、在 32 圈处为 1？

-- %% role="hint" ref="kept" lang="en"
-- $(t-1)/31$, where $t$ is the number of turns. Cut it off below 0 and above 1 with `math.max` and `math.min`.
-- %% role="hint" ref="kept" lang="zh"
-- $(t-1)/31$，$t$ 是圈数。再用 `math.max`、`math.min` 截在 0 与 1 之间。

-- %% role="check" ref="kept"
local middle = kept(16.5)
feedback(type(middle) == "number", {en = "`kept` must return a number.", zh = "`kept` 要返回一个数。"})
feedback(not same(middle, 16.5 / 32), {
  en = "This line goes through 0 turns. It must be 0 at one turn.",
  zh = "这条直线过 0 圈处。它应当在 1 圈处为 0。",
})
feedback(not same(middle, 1 - 15.5 / 31) or not same(kept(32), 0), {
  en = "This is the share that is interpolated. Asked is what is kept: fast pairs keep all.",
  zh = "这是内插的份额。问的是保留多少：快的对全部保留。",
})
feedback(same(middle, 0.5, {what = "kept(16.5)"}))
feedback(kept(300) <= 1 and kept(0.1) >= 0, {
  en = "Beyond the ramp the share stays at 1 or at 0.",
  zh = "斜坡之外，份额保持 1 或 0。",
})
feedback(same(kept(300), 1, {what = "kept(300)"}))
feedback(same(kept(0.1), 0, {what = "kept(0.1)"}))

-- %% role="wrong" ref="kept" expect="through 0 turns"
function kept(turns) return math.max(0, math.min(1, turns / 32)) end

-- %% role="wrong" ref="kept" expect="Beyond the ramp"
function kept(turns) return (turns - 1) / 31 end

-- %% role="wrong" ref="kept" expect="share that is interpolated"
function kept(turns) return math.max(0, math.min(1, 1 - (turns - 1) / 31)) end

-- %% [markdown] ref="parts" lang="en"
-- ## By parts: YaRN
-- NTK-by-parts looks at how often a pair turns within the training length $L$: more than 32 times, keep the frequency; less than once, divide by $s$;
-- in between a ramp. Paper and released code differ: the paper's ramp is linear in the number of turns, $L\theta_i/2\pi$, the code's in the index
-- $i$, between whole numbers that are rounded outwards, 20 and 46 for $d = 128$, $L = 4096$. YaRN adds a temperature: cosines and sines are
-- multiplied by
--
-- $$t = 0.1\ln s + 1$$
--
-- and since queries and keys both carry it, the scores get $t^2$. $L$ is always the *original* length, also when a model is stretched a second time.

-- %% [markdown] ref="parts" lang="zh"
-- ## 分段处理：YaRN
-- NTK-by-parts 看一对在训练长度 $L$ 之内转多少圈：超过 32 圈，频率不动；不到一圈，除以 $s$；其间用斜坡过渡。
-- 论文与公布的代码并不一致：论文的斜坡对圈数
-- $L\theta_i/2\pi$ 是线性的，代码的斜坡对下标 $i$ 是线性的，两端向外取整，$d = 128$、$L = 4096$ 时是 20 和 46。
-- YaRN 还加了一个温度：余弦与正弦都乘上
--
-- $$t = 0.1\ln s + 1$$
--
-- 由于查询和键都带着它，打分得到的是 $t^2$。$L$ 永远是*最初*的长度，模型第二次拉伸时也一样。

-- %% ref="parts"
local θ, u = rope_frequencies(128), 2^-53
-- How much of each frequency is kept: 1 is all, 0 is θ/s.
local function shares(ramp)
  local scaling = {kind = "ntk-parts", factor = 16, train = 4096}
  scaling.ramp = ramp
  return (rope_frequencies(128, {scaling = scaling}) / θ - 1/16) / (15/16)
end
local code = shares "code"
local whole, divided = sum(gt(code, 1 - 1e-9)), sum(lt(code, 1e-9))
print(says{en = "code: kept up to pair %d, divided from pair %d on", zh = "代码：到第 %d 对为止保留，从第 %d 对起除以 s"}
  :format(whole - 1, 64 - divided))
local turns = 4096 * θ / (2 * pi)
local function clip(x) return minimum(maximum(x, 0), 1) end
display(plot(range(0, 63), {shares "paper", code}, {
  labels = {says{en = "paper", zh = "论文"}, says{en = "code", zh = "代码"}}, xlabel = says{en = "pair i", zh = "第 i 对"},
  ylabel = says{en = "share kept", zh = "保留的份额"}}))
local g = rng(2)
local q, k = randn(g, 1, 128), randn(g, 1, 128)
local function score(kind)
  local scaling = {kind = kind, factor = 16, train = 4096}
  local opt = {layout = "half", offset = 700, scaling = scaling}
  return sum(rope(q, opt) * rope(k, opt))
end
local t, plain = 0.1 * log(16) + 1, score "ntk-parts"
-- A turned entry is off by 8u of its pair (cosine, sine, temperature, two
-- products, a sum), two of them by 16u; a sum of 128 products adds 128u of
-- |q||k|. Twice that, and the quotient.
local size = norm(q) * norm(k) / abs(plain) * t^2
local rounding = 2 * (16 + 128 + 1) * u * size
return {
  measure {claim = {en = "the paper's ramp: shares against the formula", zh = "论文的斜坡：各对的份额与公式一致"},
           value = shares "paper" - clip((turns - 1) / 31), bound = 30 * u,
           why = says{en = "turns up to 32 over 31: 5 roundings a side; 10 of 1", zh = "圈数至多 32/31：每边 5 次舍入，合 10 次"}},
  measure {claim = {en = "the code's ramp: linear in i from 20 to 46", zh = "代码的斜坡：i 从 20 到 46 是线性的"},
           value = code - clip((46 - range(0, 63)) / 26), bound = 16 * u,
           why = says{en = "a dozen roundings of numbers up to 1", zh = "不超过 1 的数舍入十来次"}},
  measure {claim = {en = "temperature: the score over the one without, less t²",
    zh = "温度：打分与不加温度时之比，减去 t²"},
           value = score "yarn" / plain - t^2, bound = rounding,
           why = says{en = "each score is off by at most 145u |q||k|", zh = "每个打分至多差 145u |q||k|"}},
}

-- %% [markdown] ref="others" lang="en"
-- ## The rest of the family
-- *Dynamic NTK* grows the base with the length in use, $b\,(sL'/L-(s-1))^{d/(d-2)}$ for $L' > L$. *NTK-mixed* (Su) divides pair $i$ by $e^{a(i+1)^p}$
-- with $a = \ln s/(d/2)^p$, so that all pairs are stretched and the last by $s$. *LongRoPE* takes a list of divisors found by search. *Llama 3.1*
-- keeps wavelengths below $L/4$, divides those above $L$ by 8 and goes over linearly in $L/\lambda_i$. Each is checked against its formula.
--
-- Two remedies leave the frequencies alone. *ReRoPE* caps the distance at a window $w$; *log-n scaling* multiplies queries by
-- $\max(1, \ln(m+1)/\ln L)$, which keeps the weights from flattening as the number of keys grows. Below, one key scores 8 more than all the others,
-- and the table shows what weight is left to it.

-- %% [markdown] ref="others" lang="zh"
-- ## 家族里的其他成员
-- *动态 NTK* 让底数随当前长度增长：$L' > L$ 时取 $b\,(sL'/L-(s-1))^{d/(d-2)}$。*NTK-mixed*（苏剑林）把第 $i$ 对除以 $e^{a(i+1)^p}$，其中
-- $a = \ln s/(d/2)^p$，所以每一对都拉伸，最后一对恰为 $s$ 倍。*LongRoPE* 用搜索得到的一串除数。*Llama 3.1* 保留短于 $L/4$ 的波长，
-- 长于 $L$ 的除以 8，其间
-- 对 $L/\lambda_i$ 线性过渡。下面各按公式检验。
--
-- 还有两种办法不动频率。*ReRoPE* 把距离截在窗口 $w$ 以内；*log-n 缩放*给查询乘上 $\max(1, \ln(m+1)/\ln L)$，免得键越来越多时权重越来越平：
-- 下表里有一个键的打分比别的都高 8，看它还剩多少权重。

-- %% ref="others"
local i, θ, s, L = range(0, 63), rope_frequencies(128), 8, 4096
local function against(name, options, formula)
  local got = rope_frequencies(128, options)
  return measure {claim = {en = name .. ", relative to the formula", zh = name .. "，与公式的相对误差"},
    value = got / formula - 1, bound = 100 * 2^-53,
    why = says{en = "exponent times ln 10^6 < 14, base, power: 24u a side; doubled", zh = "指数乘以 ln 10^6 < 14，底与幂：每边 24u；再加倍"}}
end
local length = 10000
local grown = 10000 * (s * length / L - (s - 1)) ^ (128 / 126)
local dynamic = grown ^ (-2 * i / 128)
local a, p = log(s) / 64 ^ 0.75, 0.75
local fast = rope_frequencies(128, {base = 500000})
local wavelength = 2 * pi / fast
local smooth = (8192 / wavelength - 1) / 3
local between = (1 - smooth) / 8 + smooth
local slow = where(gt(wavelength, 8192), 1/8, between)
local llama = where(lt(wavelength, 2048), 1, slow)
local equal = ones(40, 8)
local far = rerope(equal, equal, {layout = "half", window = 10})[40]
local distance = minimum(39 - range(0, 39), 10) -- of word 40 to each
local angles = outer(distance, (rope_frequencies(8)))
local capped = 2 * sum(cos(angles), 2) / sqrt(8)
local places = {0, 510, 511, 4095, 32767}
local function factor(m)
  return logn(ones(1, 1), {train = 512, offset = m})(1, 1)
end
local off = {}
for at, m in ipairs(places) do
  off[at] = factor(m) - math.max(1, math.log(m + 1) / math.log(512))
end
-- One key scores 8 above all the others: its weight among n keys.
for _, n in ipairs {512, 4096, 32768} do
  local function weight(lead) return 1 / (1 + (n - 1) * exp(-lead)) end
  print(says{en = "%5d keys: weight of the best %.3f, with log-n %.3f", zh = "%5d 个键：最好的权重 %.3f，用 log-n %.3f"}:format(
    n, weight(8), weight(8 * factor(n - 1))))
end
return {
  against("dynamic", {scaling = {kind = "dynamic", factor = s, train = L,
    length = length}}, dynamic),
  against("ntk-mixed", {scaling = {kind = "ntk-mixed", factor = s}},
    θ * exp(-a * (i + 1) ^ p)),
  against("longrope", {scaling = {kind = "longrope", factor = 4, train = L,
    factors = 1 + i / 21}}, θ / (1 + i / 21)),
  against("llama3", {base = 500000, scaling = {kind = "llama3", factor = 8,
    train = 8192}}, fast * llama),
  measure {claim = {en = "ReRoPE, words of ones: less 2 Σ cos(min(t, 10) θ)/√8",
    zh = "ReRoPE，词向量全为 1：减去 2 Σ cos(min(t, 10) θ)/√8"},
           value = far - capped, bound = 2 * 24 * 2^-53 * 8 / sqrt(8),
           why = says{en = "8 products off by 8u, their sum: 24u |q||k|, twice", zh = "8 个乘积各差 8u，加上求和：24u |q||k|，两遍"}},
  measure {claim = {en = "log-n at positions 0 to 32767, less the formula",
    zh = "位置 0 到 32767 处的 log-n 减去公式"},
           value = off, bound = 17 * 2^-53,
           why = says{en = "logarithms off by 2u, a quotient: 5u of 5/3, twice", zh = "对数差 2u，再一个商：5/3 的 5u，两遍"}},
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Stale keys.* With dynamic NTK the base changes while a text grows, but keys in the cache were turned with the old one. Scores of old keys with new
-- queries then depend on both positions: relativity is lost. Either cache keys before they are turned, or turn them all again.
--
-- *The wrong length.* Formulas that need $L$ need the length of the *original* training. Here it has no default: leaving it out is an error.
--
-- *A scaling that gets lost.* Configurations name it, loaders drop it, and nothing fails: only long texts get worse. Compare a frequency or two, as
-- above.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *过时的键*。动态 NTK 的底数随文本变长而变，缓存里的键却是按旧底数转的。于是旧键与新查询的打分同时依赖两个位置，
-- 相对性就丢了。要么缓存未旋转的键，要么全部重
-- 转一遍。
--
-- *长度用错*。公式里的 $L$ 必须是*最初*训练的长度。这里它没有默认值，不写就报错。
--
-- *缩放丢了*。配置里写着，加载程序却把它丢掉，而且什么错也不报，只是长文本变差。像上面那样比一两个频率就知道了。

-- %% ref="practice"
local x = ones(1, 8)
local function turned(position, length)
  local scaling = {kind = "dynamic", factor = 4, train = 16}
  scaling.length = length
  return rope(x, {layout = "half", offset = position, scaling = scaling})
end
-- At distance 5: a key cached at one length, a query at another.
local function score(n, cached, now)
  return sum(turned(n + 5, now) * turned(n, cached))
end
local fresh = {score(3, 40, 40), score(30, 40, 40)}
local stale = {score(3, 17, 40), score(30, 31, 40)}
print(says{en = "keys turned again: %.6f  %.6f", zh = "重新旋转的键：%.6f  %.6f"}:format(fresh[1], fresh[2]))
print(says{en = "stale keys:        %.6f  %.6f", zh = "过时的键：    %.6f  %.6f"}:format(stale[1], stale[2]))
local yarn = {kind = "yarn", factor = 4}
local _, said = pcall(rope_frequencies, 128, {scaling = yarn})
print(says{en = said:gsub("^.-%.lua:%d+: ", ""):gsub("; ", ";\n  "), zh = "没有写明训练长度 train：报错"})
return measure {claim = {en = "keys turned again, at 3 and 30: less each other",
  zh = "在 3 与 30 处重新旋转的键，两者之差"},
                value = fresh[1] - fresh[2], bound = 2 * 24 * 2^-53 * 8,
                why = says{en = "8 products off by 8u, their sum: 24u |q||k|, twice", zh = "8 个乘积各差 8u，加上求和：24u |q||k|，两遍"}}

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- Beyond the training length the slow pairs meet new angles. Interpolation avoids all of them and makes neighbours hard to tell apart; NTK keeps the
-- fast pairs and interpolates the slow ones; YaRN does so by parts and adds a temperature. Each formula was proved or compared; what only trained
-- models can tell, small ones were asked.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 超出训练长度，低频的对会遇到新角度。内插把它们全避开了，却使相邻位置难以分辨；NTK 保留高频，内插低频；YaRN 分段来做，
-- 再加一个温度。每个公式都证明过或对照过；只有训练好的模型才知道的事，拿小模型试过。
-- %% [markdown] ref="digits" lang="en" part="appendix"
-- ## Positions as digits
-- Here is where $\beta$ comes from. Write $n$ to the base $\beta$ and call $n_m = \lfloor n/\beta^m \rfloor$. Digit $m$ is what remains,
--
-- $$r_m = n_m - \beta n_{m+1} = n_m \bmod \beta$$
--
-- with $0 \le r_m < \beta$. That these are the digits takes two steps. By definition $n_m = \beta n_{m+1} + r_m$, so the sum telescopes:
--
-- $$\sum_{m=0}^{M-1}r_m\beta^m = n_0 - \beta^Mn_M$$
--
-- Any $r_m$ would do that; but these are at most $\beta - 1$, so the sum is at most $\beta^M - 1$. Hence $n$ less the sum is $\beta^M$ times the
-- whole number $n_M$, and what is left over is less than $\beta^M$: dividing $m$ times by $\beta$ is dividing once by $\beta^m$.
--
-- To write $k$ times as many numbers in the same $d/2$ digits the base must grow by $k^{2/d}$. NTK takes $k^{2/(d-2)}$: for $k = 8$, $d = 128$ that
-- is 1.03356 instead of 1.03302. The exponents differ by $4/(d(d-2))$. The reading is a good analogy, and not an equality.

-- %% [markdown] ref="digits" lang="zh" part="appendix"
-- ## 按 β 进制来读
-- $\beta$ 的来历在此。把 $n$ 写成 $\beta$ 进制，记 $n_m = \lfloor n/\beta^m \rfloor$，第 $m$ 位就是余下的
--
-- $$r_m = n_m - \beta n_{m+1} = n_m \bmod \beta$$
--
-- 其中 $0 \le r_m < \beta$。它们确是各位数码，分两步看。由定义 $n_m = \beta n_{m+1} + r_m$，和式前后相消：
--
-- $$\sum_{m=0}^{M-1}r_m\beta^m = n_0 - \beta^Mn_M$$
--
-- 这一步 $r_m$ 取什么都成立；但这里的 $r_m$ 至多是 $\beta - 1$，所以和至多是 $\beta^M - 1$。于是 $n$ 减去这个和，等于 $\beta^M$ 乘以整数 $n_M$，
-- 剩下的又小于 $\beta^M$：除以 $\beta$ 做 $m$ 次，就是除以 $\beta^m$ 一次。
--
-- 要用同样的 $d/2$ 位写出 $k$ 倍那么多的数，进制须乘上 $k^{2/d}$。NTK 乘的是 $k^{2/(d-2)}$：$k = 8$、$d = 128$ 时，一个是 1.03302，
-- 一个是 1.03356。两个指数相差 $4/(d(d-2))$。这种读法是个好的类比，却不是等式。

-- %% ref="digits" claim="pe/ntk-base-beta"
local a, y, m, M = sym "a", sym "y", sym("m", "integer"), sym("M", "natural")
local β, d, k = sym("β d k", "positive")
local back = sum((a[m] - β * a[m + 1]) * β ^ m, m, 0, M - 1)
local grown = (k ^ (2 / d) * β) ^ (d / 2) -- the largest number + 1
local wanted = k * β ^ (d / 2)
local by_digits, ntk = rat(8) ^ rat(2, 128), rat(8) ^ rat(2, 126)
-- How many n, β and m obey, counted for each of four conditions, and how many there are: n divided by β again and again, against one division by β^m.
local obeying, tried = {0, 0, 0, 0}, 0
for base = 2, 12 do
  for n = 0, 5000 do
    local rest, power = n, 1
    while rest > 0 do
      local next_one, r = (n // power) // base, (n // power) % base
      for i, fine in ipairs {rest == n // power, rest == base * next_one + r, 0 <= r, r < base} do
        if fine then obeying[i] = obeying[i] + 1 end
      end
      tried = tried + 1
      rest, power = rest // base, power * base
    end
  end
end
print(says{en = "digits:", zh = "进制："}, enclose(by_digits, {digits = 6}))
print("NTK:   ", enclose(ntk, {digits = 6}))
return {
  -- r_m = n_m - β n_{m+1} = β (y - ⌊y⌋), y = n_m/β: from 0 to below β
  named({en = "r_m is 0 or more", zh = "r_m 不小于 0"}, prove(ge(β * (y - floor(y)), 0))),
  named({en = "r_m/β is less than 1", zh = "r_m/β 小于 1"}, prove(lt(y - floor(y), 1))),
  -- n_m = β n_{m+1} + r_m: the digits give n back
  prove(back, a[0] - β ^ M * a[M]), fails(prove(back, a[0] - β ^ M * a[M + 1])),
  -- 0 <= r_m <= β - 1: all of them together are less than β^M
  prove(sum((β - 1) * β ^ m, m, 0, M - 1), β ^ M - 1), fails(prove(sum((β - 1) * β ^ m, m, 0, M), β ^ M - 1)),
  figure({en = "digits of the numbers up to 5000 in the bases 2 to 12", zh = "5000 以内的数在 2 到 12 进制下的位数总和"}, tried, "289910"),
  also({en = "that so many obey", zh = "全都满足"},
       measure {claim = {en = "those that are ⌊n/β^m⌋, β ⌊n/β^(m+1)⌋ + r_m, with 0 <= r_m, with r_m < β, less all",
                         zh = "等于 ⌊n/β^m⌋ 的、等于 β ⌊n/β^(m+1)⌋ + r_m 的、0 <= r_m 的、r_m < β 的个数，各减去总数"},
                value = array(obeying) - tried, bound = 0, why = says{en = "counted", zh = "数出来的"}}),
  prove(grown, wanted), mutants(grown, wanted),
  -- close to NTK, and not equal: the exponents differ
  prove(2 / (d - 2) - 2 / d, 4 / (d * (d - 2))), mutants(2 / (d - 2) - 2 / d, 4 / (d * (d - 2))),
  figure("8^(2/128)", by_digits, "1.03302"), figure("8^(2/126)", ntk, "1.03356"),
}

-- %% ref="digits"
local function by_digits(g) -- whole β from 2 to 11, numbers below β^6
  local β = 2 + g:below(10)
  local power = {[0] = 1}
  for m = 1, 7 do power[m] = power[m - 1] * β end
  local n, sum, odd = g:below(power[6]), 0, 0
  for m = 0, 5 do
    local this, above = n // power[m], n // power[m + 1]
    local digit = this % β
    if digit ~= this - β * above then odd = odd + 1 end
    sum = sum + digit * power[m]
  end
  return odd + math.abs(sum - n), ("β = %d, n = %d"):format(β, n)
end
return {
  measure {claim = {en = "numbers from their digits", zh = "由各位数字还原出数"}, f = by_digits,
           samples = 300, seed = 1, bound = 0, why = says{en = "whole numbers", zh = "都是整数"}},
  certify(lt(rat(8) ^ rat(2, 128), rat(8) ^ rat(2, 126)), {}),
}
