-- Phases in few bits: f32, f16 and bf16, how their errors grow with the position, and what to do about it.
-- Cells run in order, in one environment. p is the number of fraction bits of a format, h = 2^(-p-1) half the distance of its
-- neighbours just above 1. Bounds are derived where they stand; u = 2^-53 is the unit roundoff of the f64 in which we measure.

-- %% [markdown] ref="intro" lang="en"
-- # Phases in few bits
-- In 2024, when the model Gemma was new, somebody read its public code and found the positions in it kept in bf16, a format of 16 bits. Of the
-- positions around 8190 many had become one number, 8192. No program had complained. How can a number with so many bits lose a position, and what
-- does it do to the model?
--
-- A position enters a model as an angle: the phase $t\theta_i$, of which a sine and a cosine are taken. On paper it is a real number. In the machine
-- it has 32 bits (f32) or 16 (f16 and bf16). Look at position 1857 and pair 2 of $d = 64$. The phase should be 1044.27. Half a turn is 3.14, so an
-- error of 1 makes the cosine useless. *Guess before you run the step:* which of the three formats are off by more than 1?

-- %% [markdown] ref="intro" lang="zh"
-- # 低精度下的相位
-- 2024 年，Gemma 模型刚发布，有人读它的公开代码，发现位置是用 16 位的 bf16 存的：8190 附近的许多位置都变成了同一个数 8192，
-- 而程序什么错也没报。这么多位的数怎么会丢掉位置？对模型又有什么影响？
--
-- 位置是以角度的身份进入模型的：先有相位 $t\theta_i$，再取正弦和余弦。数学上它是实数，机器里它只有 32 位（f32），
-- 甚至 16 位（f16 和 bf16）。看 $d = 64$ 时位置 1857 的第 2 对，相位应是 1044.27。半圈是 3.14，所以误差到 1，
-- 余弦就没有用了。*运行之前先猜一猜*：三种格式里，哪些的误差超过 1？

-- %% ref="intro"
u = 2^-53
formats = {
  {name = "f32", p = 23, h = 2^-24},
  {name = "f16", p = 10, h = 2^-11},
  {name = "bf16", p = 7, h = 2^-8},
}
local θ = 10000 ^ (-4 / 64)
local row = says{en = "%-5s  phase %9.4f  cosine %7.4f", zh = "%-5s  相位 %9.4f  余弦 %7.4f"}
print(row:format(says{en = "exact", zh = "精确"}, 1857 * θ, cos(1857 * θ)))
for _, f in ipairs(formats) do
  local phase = quantize(quantize(1857, f.name) * quantize(θ, f.name), f.name)
  print(row:format(f.name, phase, cos(phase)))
end

-- %% [markdown] ref="grid" lang="en"
-- ## The grid of a format
-- A floating-point number with $p$ fraction bits is $\pm 2^e(1 + m/2^p)$ with a whole number $m$ from 0 to $2^p - 1$. So between $2^e$ and $2^{e+1}$
-- the numbers stand $2^{e-p}$ apart. Write $\mathrm{fl}(x)$ for the number of the format that is nearest to $x$. Rounding costs at most half of that
-- distance,
--
-- $$|\mathrm{fl}(x) - x| \le 2^{e-p-1} \le h|x|, \quad h = 2^{-p-1}$$
--
-- f32 has $p = 23$, f16 has 10, bf16 has 7. Between 1024 and 2048 neighbours are $2^{-13}$ apart in f32, 1 in f16, 8 in bf16. The absolute error
-- doubles with every power of two; the relative one stays. The picture shows the distance of neighbours, the verdicts the relative error of
-- `quantize`, which rounds to a format. *Where does bf16 begin to lose whole numbers?*

-- %% [markdown] ref="grid" lang="zh"
-- ## 浮点数的格点
-- 有 $p$ 个尾数位的浮点数是 $\pm 2^e(1 + m/2^p)$，其中 $m$ 是 0 到 $2^p - 1$ 的整数。所以在 $2^e$ 与 $2^{e+1}$ 之间，相邻两数相距 $2^{e-p}$。
-- 记 $\mathrm{fl}(x)$ 为该格式里离 $x$ 最近的数，舍入的误差至多是间距的一半：
--
-- $$|\mathrm{fl}(x) - x| \le 2^{e-p-1} \le h|x|, \quad h = 2^{-p-1}$$
--
-- f32 的 $p = 23$，f16 是 10，bf16 是 7。在 1024 与 2048 之间，f32 的间距是 $2^{-13}$，f16 是 1，bf16 是 8。每过一个 2 的幂，绝对误差就翻一番，
-- 相对误差却不变。图中是相邻两数的间距；下面的结论则是 `quantize`（把数舍入到某种格式）的相对误差。*bf16 从哪里开始丢整数？*

-- %% ref="grid"
local e = range(0, 13)
display(plot(e, {2 ^ (e - 23), 2 ^ (e - 10), 2 ^ (e - 7), 1 + 0 * e}, {log = "y", style = "both",
  labels = {"f32", "f16", "bf16", says{en = "one position", zh = "一个位置"}},
  title = says{en = "how far apart numbers are", zh = "相邻两数的间距"}, xlabel = says{en = "e: numbers from 2^e on", zh = "e：从 2^e 起的数"}}))
local checks = {}
for k, f in ipairs(formats) do
  checks[k] = measure {
    claim = {en = f.name .. " rounds with a relative error of at most 2^-" .. f.p + 1,
             zh = f.name .. " 舍入的相对误差至多是 2^-" .. f.p + 1},
    f = function(g)
      local x = 2 ^ (24 * rand(g) - 10) -- from 2^-10 to 2^14: no format overflows or runs out of exponents
      return (quantize(x, f.name) - x) / x, ("x = %.17g"):format(x)
    end,
    samples = 2000, seed = 1, bound = f.h,
    why = says{en = "half the distance of neighbours, over x; it is h/(1+h) at worst, and the division's 2^-53 fits between",
      zh = "相邻两数距离的一半除以 x，最坏是 h/(1+h)；除法的 2^-53 容得下"},
  }
end
return checks

-- %% [markdown] ref="snap" lang="en"
-- ## Predict: which position is left?
-- Your `position` is rounded to bf16, $p = 7$. What does it become? Work it out on paper: between which powers of two does it lie, and how far apart
-- are the numbers there? Set `becomes` to the number. (`quantize` would tell; you do not need it.)

-- %% [markdown] ref="snap" lang="zh"
-- ## 先猜：剩下哪个位置？
-- 把你的 `position` 舍入到 bf16，$p = 7$，它变成多少？先在纸上算：它在哪两个 2 的幂之间？那里相邻两数相距多少？把结果赋给 `becomes`。
-- （`quantize` 能直接给出答案，不过用不着它。）

-- %% role="exercise" ref="snap" points=1 variants=4
position = ({701, 1607, 1001, 3003})[variant]
--- BEGIN SOLUTION
becomes = quantize(position, "bf16")
--- END SOLUTION

-- %% role="hint" ref="snap" lang="en"
-- Between 512 and 1024 the step is $2^{9-7} = 4$. Which is it for your position?
-- %% role="hint" ref="snap" lang="zh"
-- 512 与 1024 之间，间距是 $2^{9-7} = 4$。你的位置那里是多少？

-- %% role="hint" ref="snap" lang="en"
-- Take the multiple of the step that is nearest to the position.
-- %% role="hint" ref="snap" lang="zh"
-- 取离这个位置最近的、间距的整数倍。

-- %% role="check" ref="snap"
feedback(type(becomes) == "number", {en = "`becomes` must be a number.", zh = "`becomes` 要是一个数。"})
local position = ({701, 1607, 1001, 3003})[variant]
local step = 2 ^ (floor(log2(position)) - 7)
feedback(becomes ~= position, {
  en = ("bf16 does not have %d: there the numbers are multiples of %d."):format(position, step),
  zh = ("bf16 里没有 %d：那里的数都是 %d 的倍数。"):format(position, step),
})
feedback(becomes % step == 0, {
  en = ("Between these powers of two the numbers are multiples of %d."):format(step),
  zh = ("在这两个 2 的幂之间，数都是 %d 的倍数。"):format(step),
})
feedback(same(becomes, quantize(position, "bf16"), {what = "becomes"}))

-- %% role="wrong" ref="snap" expect="bf16 does not have"
becomes = ({701, 1607, 1001, 3003})[variant]

-- %% role="wrong" ref="snap" expect="multiples of"
becomes = ({701, 1607, 1001, 3003})[variant] - 1/2

-- %% [markdown] ref="lipschitz" lang="en"
-- ## From the phase to the cosine
-- A phase has an error. How much of it does the cosine get? Let the phase be off by $\delta$. By the addition formulas
--
-- $$\cos(x+\delta) - \cos x = -2\sin\frac{\delta}{2}\,\sin\left(x + \frac{\delta}{2}\right)$$
--
-- and since a sine is at most 1, and at most its angle,
--
-- $$\left|\cos(x+\delta) - \cos x\right| \le 2\left|\sin\frac{\delta}{2}\right| \le |\delta|$$
--
-- So the cosine is off by no more than the phase, and where the sine is near 1 by almost as much. A large phase does no harm; a large error of the
-- phase does.

-- %% [markdown] ref="lipschitz" lang="zh"
-- ## 从相位到余弦
-- 相位有误差，传到余弦上会有多少？设相位差了 $\delta$。由和角公式
--
-- $$\cos(x+\delta) - \cos x = -2\sin\frac{\delta}{2}\,\sin\left(x + \frac{\delta}{2}\right)$$
--
-- 正弦的绝对值不超过 1，也不超过角度本身，于是
--
-- $$\left|\cos(x+\delta) - \cos x\right| \le 2\left|\sin\frac{\delta}{2}\right| \le |\delta|$$
--
-- 所以相位差多少，余弦至多差多少；在正弦接近 1 的地方，也几乎就差这么多。相位本身大不要紧，误差大才要命。

-- %% ref="lipschitz"
local x, δ = sym "x δ"
local change = -2 * sin(δ / 2) * sin(x + δ / 2)
return {
  prove(cos(x + δ) - cos(x), change, {caption = {en = "the change of the cosine is the product above", zh = "余弦的变化就是上面的乘积"}}),
  mutants(cos(x + δ) - cos(x), change),
  measure {
    claim = {en = "the cosine moves by at most |δ|", zh = "余弦的变化不超过 |δ|"},
    f = function(g)
      local x, δ = 4000 * rand(g), 2 * rand(g) - 1
      return math.max(0, math.abs(cos(x + δ) - cos(x)) - math.abs(δ)), ("x = %.17g, δ = %.17g"):format(x, δ)
    end,
    samples = 2000, seed = 2, bound = 2^11 * u + 6 * u,
    why = says{en = "x + δ is below 2^12, rounded by at most 2^11 u; two cosines within u, their difference and the last one: below 6u",
      zh = "x + δ 小于 2^12，至多舍入 2^11 u；两个余弦各在 u 之内，加上两次相减：小于 6u"},
  },
}

-- %% [markdown] ref="growth" lang="en"
-- ## The error grows with the position
-- Now the phase itself. In a format with half distance $h$ the frequency is rounded, $\theta_i(1+\varepsilon_1)$, and so is its product with $t$.
-- (The position $t$ is exact as long as $t \le 2^{p+1}$.) Both $|\varepsilon|$ are at most $h$:
--
-- $$|\mathrm{fl}(t\,\mathrm{fl}(\theta_i)) - t\theta_i| \le (2h + h^2)\,t\theta_i$$
--
-- The bound is proportional to the phase. For $t < 2048$ it is $2.4\cdot 10^{-4}$ in f32, harmless; in f16 it is 2, which says nothing about a
-- cosine. Is it really so bad? The picture shows for f16 the largest error of the cosine in every 128 positions, by pair. *Predict:* which pairs are
-- lost first? (Pair 0 is an exception: $\theta_0 = 1$, and whole numbers up to 2048 are exact.)

-- %% [markdown] ref="growth" lang="zh"
-- ## 误差随位置增长
-- 再看相位本身。格式的半间距是 $h$：频率先舍入成 $\theta_i(1+\varepsilon_1)$，
-- 与 $t$ 的积再舍入一次。（位置 $t$ 只要 $t \le 2^{p+1}$ 就是精确的。）两个 $|\varepsilon|$ 都不超过 $h$，于是
--
-- $$|\mathrm{fl}(t\,\mathrm{fl}(\theta_i)) - t\theta_i| \le (2h + h^2)\,t\theta_i$$
--
-- 界与相位成正比。$t < 2048$ 时，f32 的界是 $2.4\cdot 10^{-4}$，无伤大雅；f16 的界却是 2，对余弦来说等于没有界。真有这么糟吗？
-- 图中是 f16 在每 128 个位置之内、每一对余弦的最大误差。*先猜一猜*：哪些对最先出错？（第 0 对是例外：$\theta_0 = 1$，
-- 而 2048 以内的整数都是精确的。）

-- %% ref="growth"
T, d = 2048, 64
t = reshape(range(0, T - 1), T, 1)
function frequencies(d) return 10000 ^ (-2 * range(0, d / 2 - 1) / d) end
function phases(format, d) return quantize(t * quantize(frequencies(d), format), format) end

right = t * frequencies(d)
local checks = {}
for k, f in ipairs {formats[1], formats[2]} do
  local phase = phases(f.name, d)
  print(says{en = "%-4s d = 64: phases off by %.1e, cosines by %.1e; d = 128: cosines by %.1e",
             zh = "%-4s d = 64：相位误差 %.1e，余弦误差 %.1e；d = 128：余弦误差 %.1e"}:format(f.name,
    max(abs(phase - right)), max(abs(cos(phase) - cos(right))),
    max(abs(cos(phases(f.name, 128)) - cos(t * frequencies(128))))))
  checks[k] = measure {
    claim = {en = f.name .. " phases: a relative error of at most 2h + h^2", zh = f.name .. " 的相位：相对误差至多是 2h + h^2"},
    value = (phase - right) / maximum(right, 2^-99), bound = 2 * f.h + f.h^2 + 5 * u,
    why = says{en = "frequency h, product h; the f64 phase beside it: power 2u, product u; the quotient u", zh = "频率 h，乘积 h；旁边的 f64 相位：幂 2u，乘积 u；再除一次 u"},
  }
end

-- 16 rows of 128 positions each, a column for every pair.
local off = abs(cos(phases("f16", d)) - cos(right))
display(heatmap(max(reshape(off, 16, 128, d // 2), 2), {
  title = says{en = "f16: largest error of the cosine", zh = "f16：余弦的最大误差"},
  xlabel = says{en = "pair", zh = "对"}, ylabel = says{en = "position", zh = "位置"}, x = {0, d // 2 - 1}, y = {0, T - 128},
}))
return checks

-- %% [markdown] ref="safe" lang="en"
-- ## Exercise: how far is it safe?
-- So fast pairs are lost first: in f16 phases were off by up to 0.8. How far can one trust a format at best? Let a phase be computed exactly and
-- then rounded once, to a format with $p$ fraction bits. Write `safe(p, tolerance)`: the largest power of two $X$ such that every phase below $X$ is
-- off by at most `tolerance`. For f16 and a tolerance of 1/2 it is 2048.

-- %% [markdown] ref="safe" lang="zh"
-- ## 练习：多远还算安全？
-- 可见转得快的对最先出错：f16 的相位误差达到 0.8。一种格式最好能用到多远？设相位先精确算好，再舍入一次，
-- 舍入到有 $p$ 个尾数位的格式。写一个函数 `safe(p, tolerance)`：求最大的 2 的幂 $X$，使得小于 $X$ 的相位，
-- 误差都不超过 `tolerance`。f16 而误差容许 1/2 时，答案是 2048。

-- %% role="exercise" ref="safe" points=2
function safe(p, tolerance)
  --- BEGIN SOLUTION
  return 2 ^ floor(log2(tolerance) + p + 2)
  --- END SOLUTION
end

-- %% role="hint" ref="safe" lang="en"
-- Just below $X$ lies the interval $[X/2, X)$. How far apart are neighbours there?

-- %% role="hint" ref="safe" lang="zh"
-- 紧挨着 $X$ 下面的，是区间 $[X/2, X)$。那里相邻两数相距多少？

-- %% role="hint" ref="safe" lang="en"
-- They are $2^{-p}X/2$ apart, and rounding costs half of it: $2^{-p-2}X$. Solve for $X$, and take the power of two below.

-- %% role="hint" ref="safe" lang="zh"
-- 相距 $2^{-p}X/2$，舍入的代价是它的一半：$2^{-p-2}X$。解出 $X$，再取不超过它的 2 的幂。

-- %% role="check" ref="safe"
local x = safe(10, 1/2)
feedback(type(x) == "number", {en = "`safe` must return a number.", zh = "`safe` 要返回一个数。"})
feedback(x ~= 1024, {
  en = "1024 is safe, but so is 2048: below 2048 neighbours in f16 are 1 apart, and rounding costs half of that.",
  zh = "1024 安全，可 2048 也安全：2048 以下，f16 相邻两数相距 1，舍入只差一半。",
})
feedback(x ~= 4096, {
  en = "Between 2048 and 4096 neighbours in f16 are 2 apart: 3001 is off by 1, more than the tolerance.",
  zh = "2048 到 4096 之间，f16 相邻两数相距 2：3001 就差了 1，超过了容许的误差。",
})
feedback(same(x, 2048, {what = "safe(10, 1/2)"}))
feedback(log2(safe(7, 0.1)) == floor(log2(safe(7, 0.1))), {
  en = "`safe(7, 0.1)` is no power of two.",
  zh = "`safe(7, 0.1)` 不是 2 的幂。",
})
--- BEGIN HIDDEN TESTS
feedback(same(safe(7, 0.1), 32, {what = "safe(7, 0.1)"}))
feedback(same(safe(23, 2^-12), 8192, {what = "safe(23, 2^-12)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="safe" expect="but so is 2048"
function safe(p, tolerance) return 2 ^ floor(log2(tolerance) + p + 1) end

-- %% role="wrong" ref="safe" expect="neighbours in f16 are 2 apart"
function safe(p, tolerance) return 2 ^ floor(log2(tolerance) + p + 3) end

-- %% role="wrong" ref="safe" expect="is no power of two"
function safe(p, tolerance) return tolerance * 2 ^ (p + 2) end

-- %% [markdown] ref="distinct" lang="en"
-- ## Exercise: how many positions remain?
-- Before the phase comes the position itself. Write `remaining(T, format)`: how many different numbers the positions $0, \dots, T-1$ become in a
-- format, `"f16"` or `"bf16"`. (Guess first: how many of 2048 are left in bf16?)

-- %% [markdown] ref="distinct" lang="zh"
-- ## 练习：还剩多少位置？
-- 相位之前，先有位置本身。写一个函数 `remaining(T, format)`：
-- 位置 $0, \dots, T-1$ 在某种格式（`"f16"` 或 `"bf16"`）里变成多少个不同的数。（先猜一猜：2048 个位置，bf16 里还剩多少个？）

-- %% role="exercise" ref="distinct" points=1
function remaining(T, format)
  --- BEGIN SOLUTION
  local x = quantize(range(0, T - 1), format)
  return 1 + sum(ne(x[{ {2, T} }], x[{ {1, T - 1} }]))
  --- END SOLUTION
end

-- %% role="hint" ref="distinct" lang="en"
-- `quantize(range(0, T - 1), format)` is an array that never falls: equal numbers stand side by side.

-- %% role="hint" ref="distinct" lang="zh"
-- `quantize(range(0, T - 1), format)` 是一个从不下降的数组：相等的数挨在一起。

-- %% role="hint" ref="distinct" lang="en"
-- Count the places where a number differs from the one before it; `ne` compares. The first number counts as well.

-- %% role="hint" ref="distinct" lang="zh"
-- 数一数有多少处与前一个数不同，比较用 `ne`。第一个数也要算上。

-- %% role="check" ref="distinct"
local n = remaining(2048, "bf16")
feedback(type(n) == "number", {en = "`remaining` must return a number.", zh = "`remaining` 要返回一个数。"})
feedback(n ~= 2048, {
  en = "2048 is the number of positions before they are rounded. How many are there afterwards?",
  zh = "2048 是舍入之前的位置数。舍入之后呢？",
})
feedback(n ~= 640, {
  en = "640 positions are still what they were. But 2044 to 2047 became 2048, which is one number more.",
  zh = "还是原来那个数的位置有 640 个。可是 2044 到 2047 变成了 2048，这也是一个数。",
})
feedback(n ~= 257 and n ~= 256, {
  en = "Up to 256 every position is kept. Beyond, not all are lost: every second one, then every fourth, remains.",
  zh = "到 256 为止，位置个个都在。再往后也没有全丢：先是隔一个留一个，再是每四个留一个。",
})
feedback(same(n, 641, {what = "remaining(2048, \"bf16\")"}))
--- BEGIN HIDDEN TESTS
feedback(same(remaining(200, "bf16"), 200, {what = "remaining(200, \"bf16\")"}))
feedback(same(remaining(4096, "f16"), 3073, {what = "remaining(4096, \"f16\")"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="distinct" expect="before they are rounded"
function remaining(T, format) return quantize(range(0, T - 1), format).size end

-- %% role="wrong" ref="distinct" expect="still what they were"
function remaining(T, format)
  local x = range(0, T - 1)
  return sum(eq(quantize(x, format), x))
end

-- %% [markdown] ref="positions" lang="en"
-- ## bf16 loses the positions themselves
-- With $p = 7$ whole numbers are exact up to 256. From there to 512 only every second one exists, then every fourth, then every eighth. The
-- positions $0, \dots, 256$ are 257 numbers, and each of the three intervals $[2^e, 2^{e+1})$ up to 2048 adds 128. So of the positions
-- $0, \dots, 2047$ there remain
--
-- $$257 + 3\cdot 128 = 641$$
--
-- Words at positions that became one get the same code: where only the code tells them apart, attention cannot. ALiBi has the same trouble: its bias
-- is $-m|i-j|$, and a slope $m = 1/2$ only shifts the exponent, so 2048 distances have 641 biases.

-- %% [markdown] ref="positions" lang="zh"
-- ## bf16 连位置都分不清
-- $p = 7$，整数只到 256 是精确的。从那里到 512 只剩偶数，再往后每四个留一个，再往后每八个留一个：$0, \dots, 256$ 是 257 个数，直到
-- 2048 的三个区间 $[2^e, 2^{e+1})$ 各添 128 个。位置 $0, \dots, 2047$ 就只剩下
--
-- $$257 + 3\cdot 128 = 641$$
--
-- 并成一个的那些位置，词得到的是同一个编码：如果只有编码能区分它们，注意力就分不清了。ALiBi 也一样：它的偏置是 $-m|i-j|$，斜率
-- $m = 1/2$ 只是挪动指数，所以 2048 种距离只有 641 种偏置。

-- %% ref="positions"
-- How many different numbers there are in an array that never falls.
function distinct(x)
  local n = x.shape[1]
  return 1 + sum(ne(x[{ {2, n} }], x[{ {1, n - 1} }]))
end
local places = range(0, 2047)
print(says{en = "f32 keeps %d of 2048 positions, f16 %d, bf16 %d",
           zh = "2048 个位置里，f32 能区分 %d 个，f16 %d 个，bf16 %d 个"}:format(distinct(quantize(places, "f32")),
  distinct(quantize(places, "f16")), distinct(quantize(places, "bf16"))))
local becomes = quantize(1857, "bf16")
print(says{en = "bf16: 1857 becomes %d, as do %d positions in all",
           zh = "bf16：1857 变成 %d，变成它的位置一共有 %d 个"}:format(becomes, sum(eq(quantize(places, "bf16"), becomes))))
local exact = says{en = "counted above, interval by interval; counting is exact", zh = "上面逐个区间数过；计数是精确的"}
return {
  measure {claim = {en = "bf16 keeps 641 of 2048 positions",
    zh = "2048 个位置，bf16 能区分 641 个"}, value = distinct(quantize(places, "bf16")) - 641, bound = 0, why = exact},
  measure {claim = {en = "bf16 keeps 641 of ALiBi's 2048 biases",
    zh = "ALiBi 的 2048 种偏置，bf16 能区分 641 种"}, value = distinct(quantize(places / 2, "bf16")) - 641, bound = 0,
           why = exact},
}

-- %% [markdown] ref="order" lang="en"
-- ## The cure: round last
-- The numbers of the model may stay in 16 bits; the *phase* need not be one of them. Positions are integers, and frequencies are computed once. So
-- form the phase in f64, or at least in f32, take sine and cosine there, and round those. A cosine is at most 1, so its rounding costs at most
-- $2^{-p-2}$:
--
-- $$|\mathrm{fl}(\cos t\theta_i) - \cos t\theta_i| \le 2^{-p-2}$$
--
-- That is $2^{-9}$ in bf16 and $2^{-12}$ in f16, at *every* position. The table has as many bits as before; only the order has changed.

-- %% [markdown] ref="order" lang="zh"
-- ## 对策：最后再舍入
-- 模型里的数可以是 16 位，*相位*却不必。位置是整数，频率只算一次；所以相位用 f64 来算，至少用 f32，正弦、余弦也在那里取，
-- 取完再舍入。余弦不超过 1，舍入的代价至多是 $2^{-p-2}$：
--
-- $$|\mathrm{fl}(\cos t\theta_i) - \cos t\theta_i| \le 2^{-p-2}$$
--
-- bf16 是 $2^{-9}$，f16 是 $2^{-12}$，而且在*每个*位置都是如此。表的位数一样多，只是先后不同。

-- %% ref="order"
local checks, c = {}, cos(right)
for k, f in ipairs {formats[2], formats[3]} do
  checks[k] = measure {
    claim = {en = f.name .. " cosines, rounded last, are within 2^-" .. f.p + 2, zh = f.name .. " 的余弦，最后舍入：误差不超过 2^-" .. f.p + 2},
    value = quantize(c, f.name) - c, bound = 2 ^ (-f.p - 2),
    why = says{en = "below 1 neighbours are at most 2^(-p-1) apart", zh = "1 以下相邻两数至多相距 2^(-p-1)"},
  }
  print(says{en = "%-4s rounded first: off by up to %.3f; rounded last: %.5f",
             zh = "%-4s 先舍入：误差达 %.3f；最后舍入：%.5f"}:format(f.name,
    max(abs(quantize(cos(phases(f.name, d)), f.name) - c)), max(abs(quantize(c, f.name) - c))))
end
return checks

-- %% [markdown] ref="table" lang="en"
-- ## Exercise: a table in 16 bits
-- Write `cosines(T, d, format)`: the cosines of $t\theta_i$, $t = 0, \dots, T-1$, as a $(T, d/2)$ array. Every number must be one of the format, and
-- as near to the true value as the format allows. You may use `frequencies(d)`.

-- %% [markdown] ref="table" lang="zh"
-- ## 练习：一张 16 位的表
-- 写一个函数 `cosines(T, d, format)`：$t\theta_i$ 的余弦，$t = 0, \dots, T-1$，形状 $(T, d/2)$，每一项都是该格式里的数，而且在格式允许
-- 的范围内尽量接近真值。`frequencies(d)` 可以直接用。

-- %% role="exercise" ref="table" points=2
function cosines(T, d, format)
  --- BEGIN SOLUTION
  return quantize(cos(reshape(range(0, T - 1), T, 1) * frequencies(d)), format)
  --- END SOLUTION
end

-- %% role="hint" ref="table" lang="en"
-- Positions as a column times frequencies as a row is the whole table of phases: `reshape(range(0, T - 1), T, 1) * frequencies(d)`.

-- %% role="hint" ref="table" lang="zh"
-- 位置排成一列，乘上排成一行的频率，就是整张相位表：`reshape(range(0, T - 1), T, 1) * frequencies(d)`。

-- %% role="hint" ref="table" lang="en"
-- Which numbers have to be of the format in the end? Only those may be rounded, and only once.

-- %% role="hint" ref="table" lang="zh"
-- 最后哪些数必须属于这种格式？只有它们可以舍入，而且只舍入一次。

-- %% role="check" ref="table"
local got = cosines(300, 16, "bf16")
local places = reshape(range(0, 299), 300, 1)
local x = places * frequencies(16)
local function is(y) return allclose(got, y, {rtol = 0, atol = 2^-8}) end
feedback(type(got) == "userdata", {en = "`cosines` must return an array.", zh = "`cosines` 要返回数组。"})
feedback(same(got.shape, {300, 8}, {what = "the shape of cosines(300, 16, \"bf16\")"}))
feedback(not allclose(got, cos(x), {rtol = 0, atol = 2^-30}), {
  en = "These are cosines in f64: numbers that bf16 does not have. The finished table must be rounded.",
  zh = "这是 f64 的余弦，其中的数 bf16 里没有。算好的表还要舍入。",
})
feedback(not is(cos(quantize(x, "bf16"))), {
  en = "The phases were rounded before the cosine was taken: beyond 256 they are off by up to 1.",
  zh = "还没取余弦，相位就先舍入了：256 以后它们能差到 1。",
})
feedback(not is(cos(places * quantize(frequencies(16), "bf16"))), {
  en = "The frequencies were rounded, and every position multiplies what they are off by.",
  zh = "频率先舍入了，它们的误差还要乘上位置。",
})
feedback(max(abs(got - cos(x))) <= 2^-9, {
  en = "Cosines are off by more than half a spacing of bf16, 2^-9: something was rounded before the end.",
  zh = "余弦的误差超过了 bf16 间距的一半，即 2^-9：有什么东西没到最后就舍入了。",
})
feedback(all(eq(quantize(got, "bf16"), got)), {
  en = "Not all of these are numbers of bf16.",
  zh = "这里面有些不是 bf16 的数。",
})
--- BEGIN HIDDEN TESTS
local y = reshape(range(0, 1999), 2000, 1) * frequencies(64)
feedback(same(cosines(2000, 64, "f16"), quantize(cos(y), "f16"), {what = "cosines(2000, 64, \"f16\")"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="table" expect="off by up to 1"
function cosines(T, d, format)
  return quantize(cos(quantize(reshape(range(0, T - 1), T, 1) * frequencies(d), format)), format)
end

-- %% role="wrong" ref="table" expect="multiplies what they are off by"
function cosines(T, d, format)
  return quantize(cos(reshape(range(0, T - 1), T, 1) * quantize(frequencies(d), format)), format)
end

-- %% role="wrong" ref="table" expect="must be rounded"
function cosines(T, d, format) return cos(reshape(range(0, T - 1), T, 1) * frequencies(d)) end

-- %% [markdown] ref="iterate" lang="en"
-- ## Do not turn step by step
-- Why compute cosines at all? Position $t+1$ is position $t$ turned by $\theta$, so one could multiply by $w = e^{i\theta}$ again and again.
-- *Predict:* in f32, after 131071 such steps, how many digits are still right? Errors add up, in length and in angle:
--
-- $$|z_t - e^{it\theta}| \le \rho^t - 1 \approx (1 + 2\sqrt{2})\,h\,t, \quad \rho = 1 + (1+2\sqrt{2})h + 5h^2$$
--
-- At $t = 131071$ this bound is 0.03. The step walks twice, with $\theta = 1$ and with the frequency of pair 1; that takes some tenths of a second.
--
-- > **Where the bound comes from**
-- > The stored $w$ is off by at most $h$, since both its parts are rounded. A complex product is off by at most $2\sqrt{2}h$: each part has two
-- > products, with two roundings each. So each step multiplies 1 plus the error by at most $\rho$.

-- %% [markdown] ref="iterate" lang="zh"
-- ## 不要一步一步地转
-- 何必算余弦呢？位置 $t+1$ 不过是把位置 $t$ 再转 $\theta$，反复乘 $w = e^{i\theta}$ 不就行了。*先猜一猜*：用 f32 这样走 131071 步，
-- 还有几位是对的？误差会一步步累加，长度和角度都有份：
--
-- $$|z_t - e^{it\theta}| \le \rho^t - 1 \approx (1 + 2\sqrt{2})\,h\,t, \quad \rho = 1 + (1+2\sqrt{2})h + 5h^2$$
--
-- $t = 131071$ 时这个界是 0.03。这一步走两趟，一趟 $\theta = 1$，一趟用第 1 对的频率，要零点几秒。
--
-- > **这个界的来历**
-- > 存下来的 $w$ 两个分量都舍入过，至多差 $h$。复数乘法每个分量有两个积，各舍入两次，至多差 $2\sqrt{2}h$。
-- > 所以每走一步，1 加误差至多变成原来的 $\rho$ 倍。

-- %% ref="iterate"
-- A number rounded to the 24 bits of f32: what is left of x (2^29 + 1) when x 2^29 is taken away (Veltkamp). Products of two such
-- numbers are exact in f64, and a sum of two is rounded to f32 as if at once.
local function f32(x)
  local far = x * (2^29 + 1)
  return far - (far - x)
end

function walk(θ, steps)
  local c, s, x, y = f32(cos(θ)), f32(sin(θ)), 1, 0
  for _ = 1, steps do
    x, y = f32(f32(x * c) - f32(y * s)), f32(f32(x * s) + f32(y * c))
  end
  return x, y
end

local n, h = 131071, 2^-24
local checks = {}
for k, θ in ipairs {1, 10000 ^ (-2 / 64)} do
  local x, y = walk(θ, n)
  local phase = dd(n) * dd(θ) -- with 32 digits
  local off = sqrt((x - phase:cos().hi)^2 + (y - phase:sin().hi)^2)
  print(says{en = "θ = %.4f: after %d steps off by %.1e, length %.6f",
             zh = "θ = %.4f：走 %d 步之后误差 %.1e，长度 %.6f"}:format(θ, n, off, sqrt(x * x + y * y)))
  checks[k] = measure {
    claim = {en = ("%d steps with θ = %.4f stay within the bound"):format(n, θ), zh = ("走 %d 步，θ = %.4f：误差在界之内"):format(n, θ)}, value = off,
    bound = (1 + (1 + 2 * sqrt(2)) * h + 5 * h^2)^n - 1 + 8 * u,
    why = says{en = "per step: stored rotation h, product 2 sqrt(2) h, what is left below 5h^2; f64 of the comparison 8u",
      zh = "每一步：存下的旋转 h，乘积 2 sqrt(2) h，余项小于 5h^2；比较用的 f64 占 8u"},
  }
end
return checks

-- %% [markdown] ref="double" lang="en"
-- ## Even doubles
-- So about two digits are left: for $\theta = 1$ the error is $5\cdot 10^{-3}$. A cosine of the f64 phase, rounded once to f32, is more than a hundred
-- thousand times better.
--
-- But f64 is a format, too, with $p = 52$. A phase near 4096 is rounded by up to $2^{-42}$, and the cosine by as much, while a double near 1 could
-- be exact to $2^{-53}$. For a model this does not matter. For a table that claims to be *right*, each entry the double nearest to the true value, it does. More than half
-- of the plain f64 table is off by more than one unit in the last place (ulp), the worst by millions: near a zero of the sine a unit is tiny. So the
-- laboratory carries a phase as a sum $h + l$ of two doubles, some 32 digits, and rounds once, at the end: the cure from above, once more.

-- %% [markdown] ref="double" lang="zh"
-- ## 双精度也不例外
-- 可见只剩大约两位：$\theta = 1$ 时误差是 $5\cdot 10^{-3}$。用 f64 的相位取余弦，再舍入一次到 f32，误差还不到它的十万分之一。
--
-- 不过 f64 也是一种格式，它的 $p = 52$。4096 附近的相位，舍入误差可达 $2^{-42}$，余弦也跟着差这么多，而 1 附近的双精度数本可精确到 $2^{-53}$。
-- 对模型来说这无所谓；可一张自称*正确*的表，每一项都该是离真值最近的双精度数，这就要紧了。普通 f64 造的表，
-- 有一多半的项差了不止一个末位单位（ulp），最坏的差了几百万个：正弦的零点附近，一个末位单位小得很。
-- 所以实验室用两个双精度数之和 $h + l$ 来携带相位，约有 32 位十进制数字，到最后才舍入一次：还是上面的对策。

-- %% ref="double"
local rows = 4097
local t = reshape(range(0, rows - 1), rows, 1)
local exact = dd(t) * (dd(10000) ^ (dd(-2 * range(0, d / 2 - 1)) / d))
local plain = t * frequencies(d)
-- How far `got` is from `want`, a double-double, in units of the last place of want.
function ulps(got, want)
  local size = 2 ^ (floor(log2(abs(want.hi))) - 52)
  return abs((want - dd(got)).hi) / size
end
local off = concat({ulps(sin(plain), exact:sin()), ulps(cos(plain), exact:cos())}, 2)
off = where(isnan(off), 0, off) -- sin 0 = 0 has no last place
local table_of = sinusoidal(rows, d)
local rounded = concat({ulps(table_of[{ {}, {1, d, 2} }], exact:sin()), ulps(table_of[{ {}, {2, d, 2} }], exact:cos())}, 2)
rounded = where(isnan(rounded), 0, rounded)
print(says{en = "plain f64: %.0f %% of the entries are off by more than 1 ulp, the worst by %.0f",
           zh = "普通 f64：%.0f %% 的元素误差超过 1 个末位单位（ulp），最大的有 %.0f 个"}:format(
  100 * mean(gt(off, 1)), max(off)))
print(says{en = "sinusoidal(): the worst is off by %.4f ulp", zh = "sinusoidal()：最大误差 %.4f ulp"}:format(max(rounded)))
return measure {
  claim = {en = "no entry of sinusoidal() is off by more than half an ulp (and 2^-40)",
    zh = "sinusoidal() 的每一项，误差都不超过半个末位单位（另加 2^-40）"}, value = rounded, bound = 1/2 + 2^-40,
  why = says{en = "rounded once from some 100 bits: half a unit, and the double-double's own 2^-100 beside it", zh = "由约 100 位舍入一次：半个单位，另加双双精度自身的 2^-100"},
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Converting the model.* `model.half()` or `model.to(bfloat16)` converts buffers as well, the frequencies of RoPE among them. Keep them out of it,
-- or compute them again afterwards.
--
-- *Automatic mixed precision.* It computes the outer product of positions and frequencies as a 16-bit matrix product. Switch it off around that line.
--
-- *Positions in the model's type.* `arange(T, dtype=x.dtype)` looks tidy, but in bf16 it leaves 641 of 2048 positions. Positions are integers.
--
-- *The end of f16.* Its largest number is 65504. Position 65520 is infinity, the cosine of infinity is not a number (NaN), and one NaN in a row of
-- scores makes the whole row NaN.
--
-- *Cached tables and keys.* A table computed in f32 and rounded to bf16 is good. What is turned, stored in few bits and turned again, walks step by
-- step.
--
-- How would you notice? Below, a query meets a key five steps behind it, at several positions. Its score should depend on the distance alone, so all
-- numbers of a column should be equal. Try this with a model of your own.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *转换整个模型*。`model.half()`、`model.to(bfloat16)` 会连缓冲区一起转换，RoPE 的频率也在其中。要么把它排除在外，要么转换之后重算。
--
-- *自动混合精度*。它会把位置与频率的外积变成 16 位的矩阵乘法。在那一行前后把它关掉。
--
-- *位置用了模型的类型*。`arange(T, dtype=x.dtype)` 看着整齐，换成 bf16，2048 个位置就只剩 641 个。位置是整数。
--
-- *f16 的尽头*。它最大的数是 65504。位置 65520 成了无穷大，无穷大的余弦不是数（NaN），而一行打分里有一个 NaN，整行就都是 NaN。
--
-- *缓存的表与键*。用 f32 算好再舍入成 bf16 的表没有问题。转过之后以低精度存下、再接着转的，就又是一步一步地转了。
--
-- 怎么才能发现？下面让查询与相距五步的键在几个位置上相遇。打分应当只依赖距离，所以每一列的数都应当相等。
-- 也拿你自己的模型这样试一试。

-- %% ref="practice"
print(says{en = "positions 65503, 65519, 65520 in f16:", zh = "f16 里的位置 65503、65519、65520："}, table.unpack(quantize(array{65503, 65519, 65520}, "f16"):totable()))
print(says{en = "cosine of the last:", zh = "最后一个的余弦："}, cos(quantize(65520, "f16")))
local g = rng(3)
local q, k = randn(g, 1, d), randn(g, 1, d)
-- A score should depend on n - m alone. Turned by 16-bit phases it does not: here is q·k at distance 5, as both walk on.
local function turned(x, phase)
  local c, s = cos(phase), sin(phase)
  local a, b = x[{ {}, {1, d, 2} }], x[{ {}, {2, d, 2} }]
  return a * c - b * s, a * s + b * c
end
local function score(format, m, n)
  local θ = format and quantize(frequencies(d), format) or frequencies(d)
  local function at(t) local x = t * θ return format and quantize(quantize(t, format) * θ, format) or x end
  local a, b = turned(q, at(m))
  local c, e = turned(k, at(n))
  return sum(a * c + b * e)
end
print("\n" .. says{en = "score of one query and one key, five steps apart", zh = "同一个查询与同一个键，相距五步时的打分"})
local line = says{en = "positions %4d, %4d: exact %8.4f  f16 %8.4f  bf16 %8.4f", zh = "位置 %4d、%4d：精确 %8.4f  f16 %8.4f  bf16 %8.4f"}
for _, m in ipairs {0, 100, 1000, 1900} do
  print(line:format(m, m + 5, score(nil, m, m + 5),
    score("f16", m, m + 5), score("bf16", m, m + 5)))
end

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- A format keeps relative errors small, but a cosine needs a small absolute error: all the trouble comes from this. Errors of a phase grow with the
-- position, in f16 to most of a radian within 2048 steps; bf16 loses positions themselves; turning step by step adds errors up. If you round last, 16 bits
-- are enough for the table at any length.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 格式保证的是相对误差小，余弦要的却是绝对误差小，毛病全出在这里。相位的误差随位置增长，f16 在 2048 步之内就能差出大半个弧度；bf16 连位置
-- 都分不清；一步一步地转，误差就一步一步地加。最后再舍入，那么不论多长，表用 16 位都够了。
