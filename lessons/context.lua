-- Longer contexts: what it means to read further than one was trained, and the ways of stretching a rotation.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. The running example has d = 128 columns,
-- base 10000 and a training length of 2048.

-- %% [markdown] ref="unseen" lang="en"
-- # Reading further than trained
-- The first LLaMA (2023) could read $N = 2048$ positions: so long were the texts of its training. Its users wanted 4096. But soon after position
-- 2048 its perplexity exploded, although no formula fails there. Why? This is the question of *length extrapolation*. A rotary encoding turns pair
-- $i$ of a query or key at position $n$ by $n\theta_i$, with
--
-- $$\theta_i = b^{-2i/d}, \quad i = 0, \dots, d/2-1$$
--
-- and LLaMA has $d = 128$ columns a head and base $b = 10000$. There is a rotation for every $n$. But some pairs come to angles that they never had
-- in training. The picture shows three pairs as rings, from the outside 41, 50 and 63: what each saw up to $N$, and what it meets up to $2N$.
-- *Predict before you run it:* which pairs meet new angles, the fast ones (small $i$) or the slow ones?
--
-- In this lesson $\theta_i$ is the frequency of training, $\theta'_i$ the one that is used afterwards, and $k$ the factor by which the context shall
-- grow.

-- %% [markdown] ref="unseen" lang="zh"
-- # 长度外推：读到训练长度之外
-- 第一代 LLaMA（2023 年）只能读 $N = 2048$ 个位置，因为训练文本就这么长。用户想读 4096 个，可一过 2048，困惑度就急剧上升，
-- 而公式在那里并没有失效。为什么？这就是*长度外推*问题。旋转位置编码让位置 $n$ 处的查询或键的第 $i$ 对转过 $n\theta_i$，其中
--
-- $$\theta_i = b^{-2i/d}, \quad i = 0, \dots, d/2-1$$
--
-- LLaMA 的每个头 $d = 128$ 维，底数 $b = 10000$。每个 $n$ 都有对应的旋转，但有些对会转到训练时从没到过的角度。图中三个圆环，
-- 由外到内是第 41、50、63 对：到 $N$ 为止见过的，以及到 $2N$ 为止会遇到的。*先猜一猜再运行*：会遇到新角度的，
-- 是转得快的对（$i$ 小），还是转得慢的对？
--
-- 这一课里，$\theta_i$ 是训练时的频率，$\theta'_i$ 是之后使用的频率，$k$ 是上下文要扩大的倍数。

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
local title = says{en = "pairs 41, 50, 63: what was seen, what is new", zh = "第 41、50、63 对：见过的与新的角度"}
return plot(concat(x[1]), concat(y[1]), {equal = true, label = "0 … N", title = title})
  :plot(concat(x[2]), concat(y[2]), {label = "N … 2N"})

-- %% [markdown] ref="turns" lang="en"
-- ## First: how far did a pair turn?
-- In training, pair $i$ turned by $2048\,\theta_i$ in all. The number of your pair is in `pair`. Set `turns` to how many full turns it made, with
-- $d = 128$ and base 10000.

-- %% [markdown] ref="turns" lang="zh"
-- ## 先算一算：一对转了几圈？
-- 训练时，第 $i$ 对一共转过 $2048\,\theta_i$。你的那一对，编号在 `pair` 里。$d = 128$、底数 10000 时，它一共转了几圈？把圈数赋给 `turns`。

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
-- The outer ring of the picture, pair 41, just misses a full turn. For $d = 128$, base 10000 and $N = 2048$, the high-frequency pairs up to 40 have
-- turned fully, and none of the others has. For these 23 pairs of 64, position $N$ lies one step beyond the end of their arc: an angle that no
-- training text ever showed.

-- %% [markdown] ref="arcs" lang="zh"
-- ## 谁转满了一圈？
-- 图中最外一圈是第 41 对，差一点就转满。$d = 128$、底数 10000、$N = 2048$ 时，第 40 对及之前的高频对都转满了一圈，之后的都没有。
-- 对这 23 对（共 64 对）来说，位置 $N$ 落在弧的末端之外一步：这个角度，训练文本里从来没有出现过。

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
  title = says{en = "how often each pair turned in training", zh = "训练中每一对转了几圈"}, xlabel = says{en = "pair i", zh = "第 i 对"}}))
return {
  certify(ge(arc, 2 * Pi), {i = {0, 40}}, {caption = {en = "pairs 0 to 40 have turned fully", zh = "第 0 到 40 对转满了一圈"}}),
  certify(lt(arc, 2 * Pi), {i = {41, 63}}, {caption = {en = "pairs 41 to 63 have not", zh = "第 41 到 63 对没有"}}),
  -- position N lies a step beyond the last one, and more than that before 0
  prove(N * θ - (N - 1) * θ, θ, {caption = {en = "position N lies a step beyond the last one", zh = "位置 N 比训练中的最后一个多转一步"}}),
  certify(gt(2 * Pi - arc, step), {i = {41, 63}}, {caption = {en = "and more than a step short of a full turn", zh = "而且离转满一圈还差不止一步"}}),
  figure({en = "turns of pair 40 in training", zh = "第 40 对训练中的圈数"}, turns(41), "1.031"), figure({en = "turns of pair 41", zh = "第 41 对的圈数"}, turns(42), "0.893"),
  figure({en = "turns of pair 63", zh = "第 63 对的圈数"}, turns(64), "0.0376"),
}

-- %% [markdown] ref="window" lang="en"
-- ## Past the trained length
-- The first curve is the share of the circle that each pair has seen in training, the second the share that it turns through up to position $n$.
-- *First predict* where the two will part; then move $n$ with the arrow keys, past the trained length $2048$.

-- %% [markdown] ref="window" lang="zh"
-- ## 越过训练长度
-- 第一条曲线是训练时每一对见过的那部分圆，第二条是到位置 $n$ 为止转过的部分。*先猜一猜*两条曲线会在哪里分开，
-- 再用方向键移动 $n$，让它越过训练长度 $2048$。

-- %% ref="window"
return vary(function(p)
  local turns = rope_frequencies(d) / (2 * pi)
  local labels = {says{en = "seen in training", zh = "训练时见过"}, says{en = "up to position n", zh = "到位置 n 为止"}}
  return plot(range(0, 63), {minimum(N * turns, 1), minimum(p.n * turns, 1)}, {labels = labels, ylim = {0, 1.1},
    title = says{en = "how much of the circle each pair has seen", zh = "每一对见过多少圆周"},
    xlabel = says{en = "pair", zh = "对"}, ylabel = says{en = "share of the circle", zh = "占整圆的比例"}})
end, {n = {512, 16384, log = true, step = 2, default = 2048}})

-- %% [markdown] ref="gaps" lang="en"
-- ## Has it really seen the whole circle?
-- You may object: no angle ever comes back exactly, also for the fast pairs. That is true, for $\theta_i$ is algebraic and $\pi$ is not. What counts
-- is how far the nearest known angle is. Sort the $N$ angles of a pair around the circle and take the widest gap between neighbours.
--
-- A pair whose arc $N\theta_i$ reaches $2\pi$ leaves no gap wider than its own step $\theta_i$: every new angle has known neighbours on both sides,
-- as close as those of two words next to each other. The other pairs leave open all that is beyond their arc. For pair 41 that is already some 247
-- steps.

-- %% [markdown] ref="gaps" lang="zh"
-- ## 真的见过整个圆吗？
-- 有人会说：就算转得快的对，也没有哪个角度会丝毫不差地再出现一次。确实如此，因为 $\theta_i$ 是代数数，而 $\pi$ 不是。
-- 但要紧的是离见过的角度有多远。把一对的 $N$ 个角度在圆周上排好，看相邻两个之间最宽的空隙。
--
-- 弧长 $N\theta_i$ 达到 $2\pi$ 的对，空隙都不超过它自己的一步 $\theta_i$：新角度两旁都有见过的角度，近得就像相邻的两个词。
-- 其余的对，弧以外全空着；第 41 对的空隙就已有 247 步左右。

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
  measure {claim = {en = "pairs 0 to 35, at least twice round: no gap is wider than a step",
    zh = "第 0 到 35 对，至少转两圈：没有一处空隙超过一步"},
           value = maximum(gap - 1, 0)[{ {1, 36} }],
           bound = tolerance[{ {1, 36} }],
           why = says{en = "two angles off by Nθu, five roundings up to 2πu, over θ", zh = "两个角各差 Nθu，五次舍入至多 2πu，再除以 θ"}},
  measure {claim = {en = "pairs 36 to 40, once round: the widest gap is one step",
    zh = "第 36 到 40 对，转一圈多：最宽的空隙恰为一步"},
           value = (gap - 1)[{ {37, 41} }], bound = tolerance[{ {37, 41} }],
           why = says{en = "as above", zh = "同上"}},
  measure {claim = {en = "pairs 41 to 63: the gap is the rest of the circle, 2π/θ - (N - 1) steps",
    zh = "第 41 到 63 对：空隙就是圆上余下的那段，2π/θ - (N - 1) 步"},
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
-- Slow pairs meet new angles: so do not let them get there. *Position interpolation* (Chen and others, 2023) squeezes the positions. Read position
-- $n$ as $n/k$ or, which is the same, divide every frequency by $k$. The farthest position of the long context, $kN$, then has the angle that $N$
-- had:
--
-- $$(kN)\frac{\theta_i}{k} = N\theta_i$$
--
-- Every angle stays within the arc $N\theta_i$ of training, and the new ones fall between old ones; only the last few lie past that of $N-1$, by less
-- than one old step. The price is at the other end: two neighbours differ by $\theta_i/k$
-- instead of $\theta_i$, also in the high-frequency pairs that tell neighbours apart. The model must be fine-tuned a little to get used to that; for
-- LLaMA a thousand steps were enough.

-- %% [markdown] ref="interpolation" lang="zh"
-- ## 位置内插
-- 慢的对会遇到新角度，那就不让它们转到那里去。*位置内插*（Position Interpolation，Chen 等人，2023）把位置压缩：
-- 把位置 $n$ 当作 $n/k$ 来读，也就是把每个频率除以 $k$。长上下文里最远的位置 $kN$，角度就和原来的 $N$ 一样：
--
-- $$(kN)\frac{\theta_i}{k} = N\theta_i$$
--
-- 每个角度都在训练时的弧 $N\theta_i$ 以内，新的都落在见过的角度之间；只有最后几个超过 $N-1$ 的角度，
-- 也不到原来的一步。代价在另一头：相邻两个位置只差 $\theta_i/k$，而不是 $\theta_i$，
-- 用来分辨邻居的高频对也不例外：相邻位置变得难以分辨。模型要稍加微调才能适应；对 LLaMA 来说，一千步就够了。

-- %% ref="interpolation" claim="pe/pi"
local n, k, last, θ = sym "n", sym("k", "positive"), sym "N", sym "θ"
local function turned(n) return n * (θ / k) end
local far = turned(k * last)
return {
  prove(turned(n), (n / k) * θ, {caption = {en = "dividing positions or frequencies is the same", zh = "压缩位置与缩小频率是一回事"}}),
  prove(far, last * θ, {caption = {en = "position $kN$ has the angle that $N$ had", zh = "位置 $kN$ 的角度就是原来 $N$ 的"}}), mutants(far, last * θ),
  prove(turned(n + 1) - turned(n), θ / k, {caption = {en = "neighbours come nearer by a factor of $k$", zh = "相邻两个的角度差缩小为 $1/k$"}}),
}

-- %% [markdown] ref="squeeze" lang="en"
-- ## Exercise: squeezed positions
-- A model was trained on $L$ positions and shall read $n$. Write `squeezed(n, L)`: the array of the $n$ positions, from 0 on, that position
-- interpolation gives to the words. Neighbours are $L/n$ apart, so that a context of $n$ spans what $L$ spanned. When $n \le L$, squeeze nothing.

-- %% [markdown] ref="squeeze" lang="zh"
-- ## 练习：压缩位置
-- 模型在 $L$ 个位置上训练过，要读 $n$ 个。写一个函数 `squeezed(n, L)`：返回位置内插给各个词的 $n$ 个位置（从 0 起）。
-- 相邻两个相距 $L/n$，这样长度为 $n$ 的上下文就占据原先 $L$ 的范围。若 $n \le L$，则不压缩。

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
-- ## A position is a number in digits
-- Is there a better way than to squeeze everything? Think of the counter in a car. Its last digit changes fast, its first one slowly; a car that has
-- gone 2048 km has never shown anything but 0 in front. A rotary code is such a counter. Put $\beta = b^{2/d}$. Then the angle of pair $i$ is
--
-- $$n\theta_i = \frac{n}{\beta^i}$$
--
-- while digit $i$ of $n$ to the base $\beta$ is $\lfloor n/\beta^i\rfloor \bmod \beta$. Both come back again and again, and each takes $\beta$ times
-- as long as the one before. The slow pairs are the leading digits: in training they have hardly moved. (This reading is by Su Jianlin, the author
-- of RoPE. Take it as a picture: here $\beta \approx 1.15$ is no whole number. The appendix says how far it carries.)
--
-- How can such a counter show numbers that are $k$ times as large? Write $n/k$ instead of $n$: that is interpolation. Or keep the number of digits
-- and let each digit count further, that is, take a larger base. The next step does that.
--
-- > **Which comes first, sine or cosine?**
-- > The study notes write the code of position $n$ with cosine before sine, $[\cos(n/\beta^0), \sin(n/\beta^0), \dots]$, but with sine before cosine
-- > where they define the sinusoidal code. That is only a permutation of the columns. No inner product notices it, as is proved below.

-- %% [markdown] ref="beta" lang="zh"
-- ## 位置就是一个 β 进制数
-- 除了把一切都压缩，有没有更好的办法？想想汽车的里程表：末位变得快，首位变得慢；只开过 2048 公里的车，
-- 最前面几位除了 0 什么也没显示过。旋转位置编码就是这样一块里程表。令 $\beta = b^{2/d}$，第 $i$ 对的角度就是
--
-- $$n\theta_i = \frac{n}{\beta^i}$$
--
-- 而 $n$ 的 $\beta$ 进制第 $i$ 位是 $\lfloor n/\beta^i\rfloor \bmod \beta$。两者都周而复始，而且每一个都比前一个慢 $\beta$ 倍。慢的对就是高位：
-- 训练时它们几乎没动过。（“RoPE 是一种 β 进制编码”，这个看法出自 RoPE 的作者苏剑林。不妨当作比喻：这里 $\beta \approx 1.15$，
-- 并不是整数；比喻能走多远，见附录。）
--
-- 里程表要显示大到 $k$ 倍的数，怎么办？把 $n$ 写成 $n/k$，这就是内插；或者位数不变，让每一位多数几个数，
-- 也就是换一个更大的进制。下一步就这么做。
--
-- > **余弦在前还是正弦在前？**
-- > 学习笔记写位置 $n$ 的编码时余弦在前，$[\cos(n/\beta^0), \sin(n/\beta^0), \dots]$，而定义正弦编码时正弦在前。这只是列的一个置换，
-- > 内积察觉不到，下面有证明。

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
-- Take a larger base $b'$, so that pair $i$ turns by $b'^{-2i/d}$ a step. This is *NTK-aware scaling*, found by a user of LLaMA (bloc97) in 2023.
-- How large must the base be? Write `new_base(b, k, d)`: the base $b'$ with which the slowest of the $d/2$ pairs turns $k$ times more slowly than
-- before.

-- %% [markdown] ref="new-base" lang="zh"
-- ## 练习：新底数
-- 换一个更大的底数 $b'$，第 $i$ 对每步就转 $b'^{-2i/d}$。这就是 *NTK-aware 缩放*，由一位 LLaMA 用户（bloc97）在 2023 年提出。底数要多大？
-- 写一个函数 `new_base(b, k, d)`：底数 $b'$ 取多少，$d/2$ 对中最慢的一对才恰好比原来慢 $k$ 倍？

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
-- Here $k$, $\beta > 0$ and $d > 2$. With $d = 2$ the only pair is the fastest and the slowest at once; it cannot be kept and interpolated, and the
-- exponent divides by 0. (In the second proof $e$ stands for $d-2$. NTK, *neural tangent kernel*, is a theory of what networks learn easily, which
-- led to the idea; the formula does not need it.)

-- %% [markdown] ref="ntk" lang="zh"
-- ## NTK-aware 缩放
-- 新底数你已经求出来了。用 $\beta$ 来说：$\beta$ 换成 $\lambda\beta$，让最慢的一对 $i = d/2-1$ 恰好内插 $k$ 倍，
--
-- $$\frac{n}{(\lambda\beta)^{d/2-1}} = \frac{n/k}{\beta^{d/2-1}}$$
--
-- 这样的 $\lambda$ 恰有一个，因为 $n > 0$ 时，$\lambda$ 增大，左边只会减小：
--
-- $$\lambda = k^{2/(d-2)}, \quad b' = b\,k^{d/(d-2)}$$
--
-- 其中 $k$、$\beta > 0$，$d > 2$；$d = 2$ 时只有一对，它既最快又最慢，不可能既保持不变又内插，
-- 指数的分母也为 0。（第二个证明里 $e$ 代表 $d-2$。NTK 指神经正切核，是一种关于网络容易学会什么的理论，这个想法由它而来；
-- 公式本身用不到它。）

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
  prove((k ^ (2 / (d - 2)) * b ^ (2 / d)) ^ (d / 2), b * k ^ (d / (d - 2)), {caption = {en = "so the new base is $b k^{d/(d-2)}$", zh = "于是新底数是 $b k^{d/(d-2)}$"}}),
}

-- %% [markdown] ref="which-end" lang="en"
-- ## Which end is interpolated?
-- With the new base $b'$ pair $i$ has $\theta'_i = b'^{-2i/d}$, so that
--
-- $$\frac{\theta'_i}{\theta_i} = k^{-2i/(d-2)}$$
--
-- *Predict before you run it:* which pairs keep their frequency, the fast ones or the slow ones? (Put in the first and the last $i$.) The step tries
-- both answers.

-- %% [markdown] ref="which-end" lang="zh"
-- ## 内插的是哪一头？
-- 用新底数 $b'$，第 $i$ 对是 $\theta'_i = b'^{-2i/d}$，于是
--
-- $$\frac{\theta'_i}{\theta_i} = k^{-2i/(d-2)}$$
--
-- *先猜一猜再运行*：频率保持不变的是高频的对还是低频的对？（代入第一个和最后一个 $i$ 看看。）这一步把两种答案都试一遍。

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
    prove(base ^ (-2 * i / d) / b ^ (-2 * i / d), ratio(i), {caption = {en = "the new base gives this ratio", zh = "新底数给出的正是这个比值"}}),
    named({en = "the fastest pair is kept: θ'_0/θ_0 = 1", zh = "最快的一对保持不变：θ'_0/θ_0 = 1"}, prove(fast, 1)),
    prove(slow, 1 / k, {caption = {en = "the slowest pair is interpolated by $k$", zh = "最慢的一对内插 $k$ 倍"}}), mutants(slow, 1 / k),
    shares,
    -- in between by equal factors, falling when log k = h and d - 2 = e > 0
    prove(ratio(i + 1) / ratio(i), k ^ (-2 / (d - 2)), {caption = {en = "each step multiplies by the same number", zh = "每走一步乘上同一个数"}}),
    prove(derivative(ratio(x), x), -2 * log(k) / (d - 2) * ratio(x), {caption = {en = "the slope of the ratio is a multiple of it", zh = "比值的斜率是它自己的倍数"}}),
    prove(lt(-2 * h / e * exp(h) ^ (-2 * x / e), 0), {caption = {en = "a negative one when k > 1: it falls", zh = "k > 1 时倍数为负：比值下降"}}),
  },
}

-- %% [markdown] ref="picture" lang="en"
-- ## A picture of the ways to stretch
-- High frequencies extrapolate, low ones interpolate:
--
-- $$\frac{\theta'_0}{\theta_0} = 1, \quad \frac{\theta'_{d/2-1}}{\theta_{d/2-1}} = \frac{1}{k}$$
--
-- and each step in between multiplies by the same number below 1. So the last digits, which tell neighbours apart, stay almost as they were: that is
-- the advantage over interpolation.
--
-- The picture shows by how much each frequency is divided: by 1 (extrapolation), by $k$ throughout (position interpolation, PI), by 1 to $k$ (NTK).
-- YaRN, which comes below, keeps the fast pairs, divides the slow ones by $k$ and goes over in a ramp. Move $k$.
--
-- > **A slip in the notes**
-- > The study notes say that NTK combines *extrapolation for low frequencies with interpolation for high* ones. It is the other way round.

-- %% [markdown] ref="picture" lang="zh"
-- ## 几种拉伸办法的图
-- 高频外推、低频内插：
--
-- $$\frac{\theta'_0}{\theta_0} = 1, \quad \frac{\theta'_{d/2-1}}{\theta_{d/2-1}} = \frac{1}{k}$$
--
-- 中间每走一步都乘上同一个小于 1 的数。于是用来分辨邻居的低位几乎原样不动，这正是它胜过内插的地方。
--
-- 图中画的是各个频率除以多少：除以 1（外推），一律除以 $k$（位置内插，PI），从 1 渐变到 $k$（NTK）；
-- 后面要讲的 YaRN 保留高频的对，把低频的除以 $k$，中间用斜坡过渡。移动 $k$ 看看。
--
-- > **学习笔记的笔误**
-- > 笔记说 NTK 是*低频外推、高频内插*的结合，正好说反了。

-- %% ref="picture"
-- θ_i over θ'_i with a scaling.
local function stretch(kind, k)
  local scaling = {kind = kind, factor = k, train = kind == "yarn" and 2048 or nil}
  return rope_frequencies(128) / rope_frequencies(128, {scaling = scaling})
end
return vary(function(p)
  return plot(range(0, 63), {ones(64), stretch("pi", p.k), stretch("ntk", p.k), stretch("yarn", p.k)}, {
    labels = {says{en = "extrapolation", zh = "外推"}, "PI", "NTK", "YaRN"}, xlabel = says{en = "pair i", zh = "第 i 对"},
    ylabel = "θ/θ'", log = "y", ylim = {0.9, 40}, title = says{en = "by how much each frequency is divided", zh = "各个频率除以多少"}})
end, {k = {2, 4, 8, 16, 32, default = 8}})

-- %% [markdown] ref="usable" lang="en"
-- ## How far does that reach?
-- You set $k = 4$ and hope for $4 \cdot 2048 = 8192$ positions. *Predict:* do you get them, that is, does no slow pair meet a new angle before 8192?
-- And with $k = 8$?
--
-- Only the slowest pair is divided by all of $k$. Of the pairs that have not turned fully within $N = 2048$, pair 41 is stretched least, by
-- $\lambda^{41}$; so it is the first to meet a new angle. Positions are counted from 0, and the last angle of training is that of $N - 1$. So the
-- positions that bring nothing new number
--
-- $$\lfloor (N-1)\lambda^{41} \rfloor + 1$$
--
-- (Pairs 0 to 40 set no such limit: they have seen the whole circle.)

-- %% [markdown] ref="usable" lang="zh"
-- ## 究竟能到多远？
-- 取 $k = 4$，指望读到 $4 \cdot 2048 = 8192$ 个位置。*先猜一猜*：能做到吗？也就是说，在 8192 之前，慢的对会不会遇到新角度？$k = 8$ 呢？
--
-- 只有最慢的一对才足足除以 $k$。在 $N = 2048$ 以内没有转满一圈的那些对里，第 41 对拉伸得最少，只有 $\lambda^{41}$ 倍，
-- 所以最先遇到新角度的就是它。位置从 0 数起，训练中的最后一个角度属于位置 $N - 1$，所以遇不到新角度的位置，个数是
--
-- $$\lfloor (N-1)\lambda^{41} \rfloor + 1$$
--
-- （第 0 到 40 对没有这种限制：它们见过整个圆。）

-- %% ref="usable" claim="pe/ntk-usable-context"
reach = {[2] = 3214, [4] = 5046, [8] = 7923, [16] = 12439, [32] = 19529}
local λ, θ, i = sym("λ θ", "positive"), sym "θ", sym "i"
-- the stretched angle at x λ^i is what the unstretched one was at x
local x = sym "x"
local stretched, plain = x * λ ^ i * (θ / λ ^ i), x * θ
local verdicts = {prove(stretched, plain, {caption = {en = "pair i comes to x λ^i before it has the angle that it had at x",
  zh = "第 i 对走到 x λ^i，角度才等于原来 x 处的"}}), mutants(stretched, plain)}
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
table.insert(verdicts, certify(ge(last(rat(8421, 1000)), 8192 - 1), {}, {caption = {en = "k = 8.421 is enough for 8192", zh = "8192 个位置，k = 8.421 才够"}}))
return verdicts

-- %% [markdown] ref="reached" lang="en"
-- ## You get less than k times
-- With $k = 4$ you get 5046 positions, not 8192, and even $k = 8$ gives only 7923; for 8192 you need $k = 8.421$. `longest_context` tells such
-- lengths for any model. It counts whole arcs, $\lfloor N\lambda^{41} \rfloor$, as if position $N$ had been met in training; so its
-- answers are a few positions larger.

-- %% [markdown] ref="reached" lang="zh"
-- ## 换来的不到 k 倍
-- $k = 4$ 换来 5046 个位置，而不是 8192 个；$k = 8$ 也只有 7923 个；要读 8192 个，
-- 得取 $k = 8.421$。`longest_context` 可以对任何模型算出这样的长度。它数的是整段弧 $\lfloor N\lambda^{41} \rfloor$，相当于训练时见过位置 $N$，
-- 所以答案要多几个位置。

-- %% ref="reached"
local off = {}
for _, k in ipairs {2, 4, 8, 16, 32} do
  local scaling = {kind = "ntk", factor = k}
  local options = {train = N, scaling = scaling}
  local length, _, pair = longest_context(128, options)
  print(says{en = "k = %2d: %5d positions, set by pair %d", zh = "k = %2d：%5d 个位置，由第 %d 对决定"}:format(k, length, pair))
  off[#off + 1] = length - floor(N * k ^ (2 * 41 / 126))
end
return measure {claim = {en = "longest_context counts the whole arcs", zh = "longest_context 数的就是整段弧"},
                value = off, bound = 0, why = says{en = "whole numbers", zh = "都是整数"}}

-- %% [markdown] ref="perplexity" lang="en"
-- ## And does the model read that far?
-- No new angle: that does not yet mean that the model works. The study notes promise such contexts with *minimal loss of perplexity*. That is a
-- claim about trained models, so only runs can judge it, by a rule that was written before them: at four times the length the loss may grow by no
-- more than $\ln 1.05$.
--
-- A first experiment with five small models left it open: the loss grew by 1.47 nats on average, but the 99.5 % interval reaches from 0.01 to 2.92.
-- So the same rule asks ten other models. There the loss grows by 1.76 nats, between 1.6 and 1.93. At this size NTK does not keep its promise
-- without fine-tuning, though it is 0.38 nats better than the model as it is. So if you stretch a model, fine-tune it, or at least measure the loss
-- at the new length.

-- %% [markdown] ref="perplexity" lang="zh"
-- ## 模型真能读那么远吗？
-- 没有新角度，不等于模型就好用。学习笔记许诺这样的上下文*困惑度几乎不变差*。这条论断讲的是训练好的模型，只有实验能评判，
-- 规则要在运行之前写好：四倍长度时，损失的增加不超过 $\ln 1.05$。
--
-- 五个小模型的第一个实验没有结论：损失平均多出 1.47 奈特，而 99.5 % 区间从 0.01 直到 2.92。于是照同样的规则，再问十个别的模型：
-- 损失多出 1.76 奈特（1.6 到 1.93）。在这个规模上，不微调的 NTK 没有兑现许诺，不过比起不作改动的模型，还是好 0.38 奈特。
-- 所以拉伸之后要微调，至少也要在新的长度上量一量损失。

-- %% ref="perplexity" claim="pe/ntk-perplexity"
return experiment "ntk-again"

-- %% [markdown] ref="kept" lang="en"
-- ## Exercise: a ramp
-- NTK treats all pairs by one formula. Another idea looks at how often a pair turned within the training length: more than 32 times, keep its
-- frequency; less than once, interpolate it fully; in between, go over linearly in the number of turns. Write `kept(turns)`: the share that is kept,
-- from 1 (at 32 turns and more) to 0 (at 1 turn and less).

-- %% [markdown] ref="kept" lang="zh"
-- ## 练习：斜坡
-- NTK 用一个式子处理所有的对。另一种想法看一对在训练长度之内转了多少圈：超过 32 圈，频率不动；不到一圈，完全内插；
-- 其间随圈数线性过渡。写一个函数 `kept(turns)`：
-- 频率保留的份额，从 1（32 圈及以上）到 0（1 圈及以下）。

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
-- Your ramp is *NTK-by-parts*, the heart of *YaRN* (Peng and others, 2023), which gpt-oss and DeepSeek-V3 use. A pair with more than 32 turns in
-- training keeps its frequency: it tells neighbours apart. A pair with less than one is divided by $k$: it would meet new angles.
--
-- YaRN adds a second thing. Among more keys softmax spreads its weights, so the scores must be sharpened: cosines and sines are multiplied by
--
-- $$t = 0.1\ln k + 1$$
--
-- and since queries and keys both carry it, the scores get $t^2$. (Configurations call $t$ the attention factor; in the paper the temperature is
-- $1/t^2$.)
--
-- > **Paper and code differ**
-- > The paper's ramp is linear in the number of turns, $N\theta_i/2\pi$. The released code's ramp is linear in the index $i$, between whole numbers
-- > that are rounded outwards: 20 and 46 for $d = 128$, $N = 4096$. The picture shows both. And $N$ is always the *original* length, also when a model
-- > is stretched a second time.

-- %% [markdown] ref="parts" lang="zh"
-- ## 分段处理：YaRN
-- 你写的斜坡就是 *NTK-by-parts*，也是 *YaRN*（Peng 等人，2023）的核心，gpt-oss 和 DeepSeek-V3 都在用。训练时转过 32 圈以上的对，频率不动：
-- 要靠它们分辨邻居。不到一圈的对，频率除以 $k$：不然就会遇到新角度。
--
-- YaRN 还做了一件事。键越多，softmax 的权重越分散，所以要让打分更尖锐：余弦与正弦都乘上
--
-- $$t = 0.1\ln k + 1$$
--
-- 由于查询和键都带着它，打分得到的是 $t^2$。（配置里把 $t$ 叫作 attention factor；论文中的温度是 $1/t^2$。）
--
-- > **论文与代码不一致**
-- > 论文的斜坡对圈数 $N\theta_i/2\pi$ 是线性的；公布的代码对下标 $i$ 是线性的，两端向外取整，$d = 128$、$N = 4096$ 时是 20 和 46。
-- > 图中两种都画了。
-- > 另外，$N$ 永远是*最初*的训练长度，模型第二次拉伸时也一样。

-- %% ref="parts"
local θ, u = rope_frequencies(128), 2^-53
-- How much of each frequency is kept: 1 is all, 0 is θ/k.
local function shares(ramp)
  local scaling = {kind = "ntk-parts", factor = 16, train = 4096}
  scaling.ramp = ramp
  return (rope_frequencies(128, {scaling = scaling}) / θ - 1/16) / (15/16)
end
local code = shares "code"
local whole, divided = sum(gt(code, 1 - 1e-9)), sum(lt(code, 1e-9))
print(says{en = "code: kept up to pair %d, divided from pair %d on", zh = "代码：到第 %d 对为止保留，从第 %d 对起除以 k"}
  :format(whole - 1, 64 - divided))
local turns = 4096 * θ / (2 * pi)
local function clip(x) return minimum(maximum(x, 0), 1) end
display(plot(range(0, 63), {shares "paper", code}, {
  labels = {says{en = "paper", zh = "论文"}, says{en = "code", zh = "代码"}}, xlabel = says{en = "pair i", zh = "第 i 对"},
  ylabel = says{en = "share kept", zh = "保留的份额"}, title = says{en = "YaRN: how much of each frequency is kept", zh = "YaRN：各个频率保留多少"}}))
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
  measure {claim = {en = "the paper's ramp is linear in the turns, as its formula says", zh = "论文的斜坡对圈数是线性的，与公式一致"},
           value = shares "paper" - clip((turns - 1) / 31), bound = 30 * u,
           why = says{en = "turns up to 32 over 31: 5 roundings a side; 10 of 1", zh = "圈数至多 32/31：每边 5 次舍入，合 10 次"}},
  measure {claim = {en = "the code's ramp is linear in i, from 20 to 46", zh = "代码的斜坡对 i 是线性的，从 20 到 46"},
           value = code - clip((46 - range(0, 63)) / 26), bound = 16 * u,
           why = says{en = "a dozen roundings of numbers up to 1", zh = "不超过 1 的数舍入十来次"}},
  measure {claim = {en = "YaRN's factor multiplies the score by t²",
    zh = "YaRN 的因子使打分乘上 t²"},
           value = score "yarn" / plain - t^2, bound = rounding,
           why = says{en = "each score is off by at most 145u |q||k|", zh = "每个打分至多差 145u |q||k|"}},
}

-- %% [markdown] ref="others" lang="en"
-- ## The rest of the family
-- In a configuration `rope_type` names the method, `factor` is $k$ and `original_max_position_embeddings` is $N$.
--
-- - `linear` is position interpolation and `yarn` is YaRN.
-- - `dynamic` is NTK with a base that grows with the length in use: $b\,(kn/N-(k-1))^{d/(d-2)}$ for $n > N$.
-- - `longrope` (Phi-3) divides by a list of numbers that was found by search.
-- - `llama3` (Llama 3.1) keeps the pairs whose wavelength $2\pi/\theta_i$ is below $N/4$, divides the frequencies of those above $N$ by $k$, and goes
--   over in between.
-- - *NTK-mixed* (Su) divides pair $i$ by $e^{a(i+1)^p}$ with $a = \ln k/(d/2)^p$ and an exponent $p$ that is chosen: all pairs are stretched, the
--   last by $k$.
--
-- Two remedies leave the frequencies alone. *ReRoPE* caps the distance at a window $w$. *Log-n scaling* multiplies the query at position $m$ by
-- $\max(1, \ln(m+1)/\ln N)$, which keeps the weights from flattening as the number of keys grows. In the table below, one key scores 8 more than all
-- the others: what weight is left to it?

-- %% [markdown] ref="others" lang="zh"
-- ## 家族里的其他成员
-- 配置里，`rope_type` 是方法的名字，`factor` 就是 $k$，`original_max_position_embeddings` 就是 $N$。
--
-- - `linear` 是位置内插，`yarn` 是 YaRN。
-- - `dynamic` 是底数随当前长度增长的 NTK：$n > N$ 时底数取 $b\,(kn/N-(k-1))^{d/(d-2)}$。
-- - `longrope`（Phi-3）用搜索得到的一串除数。
-- - `llama3`（Llama 3.1）保留波长 $2\pi/\theta_i$ 短于 $N/4$ 的对，波长超过 $N$ 的对频率除以 $k$，其间平滑过渡。
-- - *NTK-mixed*（苏剑林）把第 $i$ 对除以 $e^{a(i+1)^p}$，其中 $a = \ln k/(d/2)^p$，$p$ 是可选的指数：每一对都拉伸，最后一对恰为 $k$ 倍。
--
-- 还有两种办法不动频率。*ReRoPE* 把距离截在窗口 $w$ 以内。*log-n 缩放*给位置 $m$ 的查询乘上 $\max(1, \ln(m+1)/\ln N)$，
-- 免得键越来越多时权重越来越平。下表里有一个键的打分比别的都高 8，看它还剩多少权重。

-- %% ref="others"
local i, θ, s, L = range(0, 63), rope_frequencies(128), 8, 4096
local function against(name, options, formula)
  local got = rope_frequencies(128, options)
  return measure {claim = {en = name .. ": the frequencies are those of the formula", zh = name .. "：频率与公式一致"},
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
  measure {claim = {en = "ReRoPE, words of ones: the score is 2 Σ cos(min(t, 10) θ)/√8",
    zh = "ReRoPE，词向量全为 1：打分就是 2 Σ cos(min(t, 10) θ)/√8"},
           value = far - capped, bound = 2 * 24 * 2^-53 * 8 / sqrt(8),
           why = says{en = "8 products off by 8u, their sum: 24u |q||k|, twice", zh = "8 个乘积各差 8u，加上求和：24u |q||k|，两遍"}},
  measure {claim = {en = "log-n is as its formula says, at five positions from 0 to 32767",
    zh = "log-n 与公式一致（取 0 到 32767 间的五个位置）"},
           value = off, bound = 17 * 2^-53,
           why = says{en = "logarithms off by 2u, a quotient: 5u of 5/3, twice", zh = "对数差 2u，再一个商：5/3 的 5u，两遍"}},
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Stale keys.* With dynamic NTK the base changes while a text grows, but the keys in the cache were turned with the old one. Scores of old keys
-- with new queries then depend on both positions, and no longer on the distance alone. Either cache keys before they are turned, or turn them all
-- again.
--
-- *The wrong length.* Formulas that need $N$ need the length of the *original* training. Here it has no default: leaving it out is an error.
--
-- *A scaling that gets lost.* The configuration names it, a loader drops it, and nothing fails: only long texts get worse. Compare a frequency or
-- two with the formula, as above.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *过时的键*。动态 NTK 的底数随文本变长而变，缓存里的键却是按旧底数转的。于是旧键与新查询的打分同时依赖两个位置，
-- 而不再只依赖距离。要么缓存未旋转的键，要么全部重转一遍。
--
-- *长度用错*。公式里的 $N$ 必须是*最初*的训练长度。这里它没有默认值，不写就报错。
--
-- *缩放丢了*。配置里写着，加载程序却把它丢掉，而且什么错也不报，只是长文本变差。
-- 像上面那样拿一两个频率与公式比一比就知道了。

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
return measure {claim = {en = "keys turned again score the same at 3 and at 30",
  zh = "重新旋转的键，在 3 与 30 处打分相同"},
                value = fresh[1] - fresh[2], bound = 2 * 24 * 2^-53 * 8,
                why = says{en = "8 products off by 8u, their sum: 24u |q||k|, twice", zh = "8 个乘积各差 8u，加上求和：24u |q||k|，两遍"}}

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- Beyond the training length the slow pairs meet new angles. Interpolation avoids them all, but neighbours become hard to tell apart. NTK keeps the
-- fast pairs and interpolates the slow ones; YaRN does so by parts and sharpens the scores. The formulas were proved or compared with the code.
-- Whether a model then reads well is another question: stretch, fine-tune a little, and measure.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 超出训练长度，低频的对会遇到新角度。内插把它们全避开了，却使相邻位置难以分辨。NTK 保留高频，内插低频；YaRN 分段来做，
-- 再让打分更尖锐。这些公式都证明过，或者与代码对照过。模型用起来好不好是另一个问题：拉伸之后，稍加微调，再去测量。
-- %% [markdown] ref="digits" lang="en" part="appendix"
-- ## Positions as digits
-- Here is where $\beta$ comes from. Let $\beta$ be a whole number. Write $n$ to the base $\beta$ and call $n_m = \lfloor n/\beta^m \rfloor$. Digit $m$
-- is what remains,
--
-- $$r_m = n_m - \beta n_{m+1} = n_m \bmod \beta$$
--
-- with $0 \le r_m < \beta$. That these are the digits takes two steps. Divide by $\beta$ again and again, from $n_0 = n$ on, with quotients $n_{m+1}$ and
-- remainders $r_m$. Since $n_m = \beta n_{m+1} + r_m$, the sum telescopes:
--
-- $$\sum_{m=0}^{M-1}r_m\beta^m = n_0 - \beta^Mn_M$$
--
-- Any $r_m$ would do that; but these are from 0 to $\beta - 1$, so the sum is from 0 to $\beta^M - 1$. Hence $n$ is $\beta^M$ times the whole number
-- $n_M$ and a remainder below $\beta^M$, which says $n_M = \lfloor n/\beta^M \rfloor$: dividing $M$ times by $\beta$ is dividing once by $\beta^M$.
--
-- To write $k$ times as many numbers in the same $d/2$ digits the base must grow by a factor of
-- $k^{2/d}$. NTK takes $k^{2/(d-2)}$: for $k = 8$, $d = 128$ that
-- is 1.03356 instead of 1.03302. The exponents differ by $4/(d(d-2))$. The reading is a good analogy, and not an equality.

-- %% [markdown] ref="digits" lang="zh" part="appendix"
-- ## 按 β 进制来读
-- $\beta$ 的来历在此。设 $\beta$ 是整数，把 $n$ 写成 $\beta$ 进制，记 $n_m = \lfloor n/\beta^m \rfloor$，第 $m$ 位就是余下的
--
-- $$r_m = n_m - \beta n_{m+1} = n_m \bmod \beta$$
--
-- 其中 $0 \le r_m < \beta$。它们确是各位数码，分两步看。从 $n_0 = n$ 起反复除以 $\beta$，商是 $n_{m+1}$，
-- 余数是 $r_m$。因为 $n_m = \beta n_{m+1} + r_m$，和式前后相消：
--
-- $$\sum_{m=0}^{M-1}r_m\beta^m = n_0 - \beta^Mn_M$$
--
-- 这一步 $r_m$ 取什么都成立；但这里的 $r_m$ 都在 0 与 $\beta - 1$ 之间，所以和在 0 与 $\beta^M - 1$ 之间。
-- 于是 $n$ 等于 $\beta^M$ 乘以整数 $n_M$，再加一个小于 $\beta^M$ 的余数，
-- 也就是 $n_M = \lfloor n/\beta^M \rfloor$：除以 $\beta$ 做 $M$ 次，就是除以 $\beta^M$ 一次。
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
