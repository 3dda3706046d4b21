-- Decay at long range: oscillating integrals, what they promise, and what a finite sum keeps of it.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound is derived where it stands.

-- %% [markdown] ref="intro" lang="en"
-- # Long-range decay
-- The lesson `origin` left the frequencies open: any $\theta_i$ make the inner product of two positions a function of their distance.
-- Su Jianlin gives a reason for the usual ones, $\theta_i = b^{-2i/d}$ with the base $b = 10000$: the product then *decays*, so that what is far apart
-- matters less. But it is a sum of cosines $\cos k\theta_i$, each of them periodic. Can such a sum decay?
--
-- Think of the pairs as the hands of clocks that start together: at distance $k = 0$ every cosine is 1. The fast hands are soon scattered,
-- and their cosines cancel; the slow ones have hardly left. At distance $k$ about those with $\theta_i > 1/k$ are scattered, so each factor of
-- 10 in the distance scatters one more quarter of them.
--
-- In the picture the distance grows by factors of 10. The noisy line is the sum for $d = 128$, divided by the number of pairs; the lines
-- $\pm(b+1)/(k\ln b)$ are a bound that we prove below. *Predict:* where the sum reaches 0, does it stay there? (To *enclose* a
-- number is to give an interval that is certain to hold it; the claims of this lesson rest on that. The appendix compares other frequencies.)

-- %% [markdown] ref="intro" lang="zh"
-- # 远程衰减
-- `origin` 一课没有定下频率：取什么 $\theta_i$，两个位置的内积都是距离的函数。通常取 $\theta_i = b^{-2i/d}$，底数 $b = 10000$；苏剑林给出的
-- 理由是：这样内积会*衰减*，离得远的就不那么要紧。可是内积是各个 $\cos k\theta_i$ 之和，余弦都是周期的，加起来怎么会衰减？
--
-- 把各对想成一齐出发的指针：距离 $k = 0$ 时，每个余弦都是 1。快的指针很快就散开了，余弦互相抵消；慢的还几乎没动。到了距离 $k$，
-- 散开的大约是 $\theta_i > 1/k$ 的那些，所以距离每变为 10 倍，就又有四分之一的指针散开。
--
-- 图中横轴每格是 10 倍的距离，起伏的线是 $d = 128$ 时的和除以对的个数，$\pm(b+1)/(k\ln b)$ 两条线是后面要证的界。
-- *先猜一猜*：余弦和降到 0 以后会停在那里吗？（“围住”一个数，就是给出必定包含它的区间；这一课的结论都靠它。附录比较其他的频率。）

-- %% ref="intro"
return picture("decay", {lang = says{en = "en", zh = "zh"}})

-- %% [markdown] ref="ex-share" lang="en"
-- ## Exercise: the share
-- Write `share(k, d, b)`: the inner product of two positions at distance $k$ for a code of length $d$ with base $b$, divided by its largest
-- value, as a number.

-- %% [markdown] ref="ex-share" lang="zh"
-- ## 练习：份额
-- 写一个函数 `share(k, d, b)`：编码长度为 $d$、底数为 $b$ 时，相距 $k$ 的两个位置的内积除以它的最大值，结果是一个数。

-- %% role="exercise" ref="ex-share" points=1
function share(k, d, b)
  --- BEGIN SOLUTION
  return mean(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d)))
  --- END SOLUTION
end

-- %% role="hint" ref="ex-share" lang="en"
-- Add up $\cos(kb^{-2i/d})$ over the pairs. How many are there, and where does $i$ begin?

-- %% role="hint" ref="ex-share" lang="zh"
-- 把 $\cos(kb^{-2i/d})$ 对各对求和。一共多少对，$i$ 从几开始？

-- %% role="hint" ref="ex-share" lang="en"
-- At $k = 0$ every cosine is 1, so the largest value is the number of pairs, $d/2$: the share is a mean.

-- %% role="hint" ref="ex-share" lang="zh"
-- $k = 0$ 时每个余弦都是 1，所以最大值就是对的个数 $d/2$：份额其实是平均。

-- %% role="check" ref="ex-share"
local function right(k, d, b) return mean(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d))) end
local seen = share(10, 64, 10000)
feedback(not same(share(0, 64, 10000), 32), {
  en = "At distance 0 this is 32, not 1: it is not divided by the largest value.",
  zh = "距离为 0 时它是 32，不是 1：没有除以最大值。",
})
feedback(not same(seen, mean(cos(10 * 10000 ^ (-2 * range(1, 32) / 64)))), {
  en = "The pairs are counted from 1 here, so the fastest one, with frequency 1, is left out.",
  zh = "这里的对从 1 数起，于是最快的那一对（频率为 1）漏掉了。",
})
feedback(same(seen, right(10, 64, 10000), {what = "share(10, 64, 10000)"}))
--- BEGIN HIDDEN TESTS
feedback(same(share, right, {what = "share", at = {{0, 8, 10000}, {1, 128, 10000}, {1000, 128, 500000}, {-7, 2, 3}}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-share" expect="not divided"
function share(k, d, b) return sum(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d))) end

-- %% role="wrong" ref="ex-share" expect="counted from 1"
function share(k, d, b) return mean(cos(k * b ^ (-2 * range(1, d // 2) / d))) end

-- %% [markdown] ref="sum" lang="en"
-- ## From the sum to an integral
-- The sum does not stay at 0: it crosses the axis and swings on. Each $d$ has a curve of its own; what do they have in common? With $b = 10000$ the inner product at distance $x$ is
--
-- $$S_d(x) = \sum_{i=0}^{d/2-1}\cos(xb^{-2i/d})$$
--
-- Divided by its largest value $d/2$, it is a mean over $d/2$ equally spaced points of $[0, 1]$: a Riemann sum of an integral in which $d$ does not occur,
--
-- $$\frac{2}{d}S_d(x) \sim f(x) = \int_0^1\cos(xb^{-t})\,dt$$
--
-- In the first picture, with 64 points, the noise begins near distance 40. *Predict:* where does it begin with half the points, $d = 64$?
-- The axis is logarithmic again. (Printed first is the share for $d = 128$. The appendix says how near sum and integral are.)

-- %% [markdown] ref="sum" lang="zh"
-- ## 从和到积分
-- 余弦和并不停在 0：它穿过横轴，继续上下摆动。每个 $d$ 有自己的一条曲线，它们有什么共同之处？记 $b = 10000$，距离为 $x$ 时的内积是
--
-- $$S_d(x) = \sum_{i=0}^{d/2-1}\cos(xb^{-2i/d})$$
--
-- 除以最大值 $d/2$，就是 $[0, 1]$ 上
-- $d/2$ 个等距点处的平均：一个积分的黎曼和，而这个积分与 $d$ 无关，
--
-- $$\frac{2}{d}S_d(x) \sim f(x) = \int_0^1\cos(xb^{-t})\,dt$$
--
-- 第一幅图里有 64 个点，距离 40 附近开始起伏。*先猜一猜*：点数减半，即 $d = 64$，从哪里开始起伏？横轴仍取对数。
-- （先印出的几行，是 $d = 128$ 时的份额。两者究竟相差多少，见附录。）

-- %% ref="sum"
x, t, i = sym("x", "positive"), sym "t", sym("i", "integer")
b = rat(10000)
-- S_d(x), as a formula, and f(x), in the closed form of the next step.
function S(x, d) return sum(cos(x * b ^ (-2 * i / d)), i, 0, d // 2 - 1) end
function f(x, base) return (Ci(x) - Ci(x / (base or b))) / log(base or b) end

local function part(k, d) return mean(cos(k * 10000 ^ (-2 * range(0, d // 2 - 1) / d))) end -- the share
for _, k in ipairs {1, 10, 100, 1000, 10000} do
  print(("d = 128, k = %5d   %6.3f"):format(k, part(k, 128)))
end
local function product(k) return part(k, 64) end
return plot({product, f(x)}, {1, 20000}, {log = "x", points = 300, xlabel = says{en = "distance", zh = "距离"},
  labels = {says{en = "the sum, d = 64", zh = "和，d = 64"}, says{en = "the integral", zh = "积分"}}})

-- %% [markdown] ref="closed" lang="en"
-- ## The integral in closed form
-- With half the points the noise begins at about half the distance. To say more of the curve behind the noise, we want the integral itself.
-- Put $u = xb^{-t}$; then $dt = -du/(u\ln b)$, and the integral becomes one of $\cos(u)/u$ from $x/b$ to $x$. There is a function with that
-- derivative, the cosine integral $\mathrm{Ci}$, so
--
-- $$f(x) = \frac{\mathrm{Ci}(x) - \mathrm{Ci}(x/b)}{\ln b}$$
--
-- It is proved by differentiating, for all $x > 0$ and all $b > 0$ with $\ln b \ne 0$. Su's article does not give it. It is worth
-- writing down: a closed form can be enclosed over whole intervals. As a cross-check both sides are also enclosed on their own,
-- from $x = 1/1000$ to $100000$, and must print the same digits.

-- %% [markdown] ref="closed" lang="zh"
-- ## 积分的闭式
-- 点数减半，大约在一半的距离处就开始起伏。要说清起伏底下的那条曲线，就得把积分算出来。
-- 令 $u = xb^{-t}$，则 $dt = -du/(u\ln b)$，积分变成 $\cos(u)/u$ 从 $x/b$ 到 $x$ 的积分。以它为导数的函数就是余弦积分
-- $\mathrm{Ci}$，于是
--
-- $$f(x) = \frac{\mathrm{Ci}(x) - \mathrm{Ci}(x/b)}{\ln b}$$
--
-- 求导便证明了它，对一切 $x > 0$ 和一切满足 $\ln b \ne 0$ 的 $b > 0$。苏剑林的文章里没有这个式子，但值得写出来：闭式可以在整段区间上
-- 围住。作为核对，两边还各自单独围住，从 $x = 1/1000$ 到 $100000$，印出的数字必须相同。

-- %% ref="closed" claim="su/closed-form"
-- A text for both languages, filled in.
function both(words, ...) return {en = words.en:format(...), zh = words.zh:format(...)} end
-- A proof, and what became of the spoiled versions of its statement.
function tested(lhs, rhs, caption) return {prove(lhs, rhs, {caption = caption}), mutants(lhs, rhs)} end

local base = sym("b", "positive")
local antiderivative = -Ci(x * base ^ (-t)) / log(base)
local verdicts = {
  tested(derivative(antiderivative, t), cos(x * base ^ (-t)), {en = "the antiderivative has the cosine as its derivative", zh = "原函数的导数就是那个余弦"}),
  prove(subst(antiderivative, t, 1) - subst(antiderivative, t, 0), f(x, base), {
    caption = {en = "between t = 0 and t = 1 it is the closed form", zh = "在 t = 0 与 1 之间取差，就是闭式"}}),
  fails(prove(subst(antiderivative, t, 0) - subst(antiderivative, t, 1), f(x, base)), {en = "the same with the ends exchanged", zh = "两端对调也一样"}),
  fails(prove(subst(antiderivative, t, 1) - subst(antiderivative, t, 0), f(x, 1 / base)), {en = "the same with the base 1/b", zh = "底数换成 1/b 也一样"}),
}
for _, row in ipairs {
  {rat(1, 1000), "0.999999972857"}, {rat(1, 10), "0.999728679024"}, {rat(1), "0.973962771210"}, {rat(10), "0.682394263104"},
  {rat(1000), "0.187690642512"}, {rat(10000), "-0.0366364826043"}, {rat(100000), "0.00493540832982"},
} do
  local at, told = row[1], row[2]
  local ball, closed = integral(cos(at * b ^ (-t)), t, 0, 1), f(at)
  print(("x = %-7s f = %s"):format(tostring(at), enclose(closed):digits(15)))
  verdicts[#verdicts + 1] = figure(both({en = "the integral at x = %s", zh = "x = %s 处的积分"}, tostring(at)), ball, told)
  verdicts[#verdicts + 1] = figure(both({en = "the closed form at x = %s", zh = "x = %s 处的闭式"}, tostring(at)), closed, told)
end
return verdicts

-- %% [markdown] ref="ex-window" lang="en"
-- ## Exercise: another family
-- Are the slow hands needed? Let $\theta_t = a + t$ with your number `a`: frequencies between $a$ and $a + 1$, none of them slow. Write `fast(x)`, the
-- integral $\int_0^1\cos(x(a+t))\,dt$ in closed form, as a formula, and look at how it falls.

-- %% [markdown] ref="ex-window" lang="zh"
-- ## 练习：另一族频率
-- 非要有慢的指针不可吗？设 $\theta_t = a + t$，`a` 是给你的数：频率都在 $a$ 与 $a + 1$ 之间，没有慢的。写一个函数 `fast(x)`，把积分
-- $\int_0^1\cos(x(a+t))\,dt$ 写成闭式的公式，再看看它怎样下降。

-- %% role="exercise" ref="ex-window" points=1 variants=4
a = variant
function fast(x)
  --- BEGIN SOLUTION
  return (sin((a + 1) * x) - sin(a * x)) / x
  --- END SOLUTION
end

-- %% role="hint" ref="ex-window" lang="en"
-- What has the derivative $\cos(x(a+t))$ by $t$?
-- %% role="hint" ref="ex-window" lang="zh"
-- 什么函数对 $t$ 的导数是 $\cos(x(a+t))$？

-- %% role="hint" ref="ex-window" lang="en"
-- $\sin(x(a+t))/x$. Take it at $t = 1$ and subtract what it is at $t = 0$.
-- %% role="hint" ref="ex-window" lang="zh"
-- 是 $\sin(x(a+t))/x$。取 $t = 1$ 处的值，减去 $t = 0$ 处的值。

-- %% role="check" ref="ex-window"
local x, a = sym("x", "positive"), variant
local answer = fast(x)
feedback(not same(answer, sin((a + 1) * x) / x), {
  en = ("The lower end is missing: at t = 0 the antiderivative is %s/x, not 0."):format(tostring(sin(a * x))),
  zh = ("漏了下限：t = 0 处原函数是 %s/x，不是 0。"):format(tostring(sin(a * x))),
})
feedback(not same(answer, sin((a + 1) * x) - sin(a * x)), {
  en = "Differentiate it by t again: a factor x comes out, so it must be divided by x.",
  zh = "再对 t 求导看看：会多出一个因子 x，所以要除以 x。",
})
feedback(same(answer, (sin((a + 1) * x) - sin(a * x)) / x, {what = "fast(x)"}))

-- %% role="wrong" ref="ex-window" expect="lower end"
a = variant
function fast(x) return sin((a + 1) * x) / x end

-- %% role="wrong" ref="ex-window" expect="divided by x"
a = variant
function fast(x) return sin((a + 1) * x) - sin(a * x) end

-- %% [markdown] ref="tends" lang="en"
-- ## Does it tend to zero?
-- The slow hands are not needed: your `fast(x)` stays between $-2/x$ and $2/x$. And with the usual frequencies, does the inner product tend to zero as
-- $|m-n|$ grows? Su's article says that it shows a tendency to do so. Three things are true.
--
-- *At first it falls like a logarithm.* For $1 \ll x \ll b$, with Euler's constant $\gamma = 0.577\dots$,
--
-- $$f(x) \approx 1 - \frac{\ln x + \gamma}{\ln b}$$
--
-- That is the share of the hands not yet scattered, less $\gamma/\ln b = 0.063$: each doubling of the distance costs the same. The error is at most
-- $(1/x + x^2/(4b^2))/\ln b$. The sum follows with noise: $S_{128}(12) > S_{128}(11)$. It is first negative at $k = 1707$ for $d = 128$, and at $k = 725$ for $d = 64$.
--
-- *The integral does tend to zero,*
--
-- $$|f(x)| \le \frac{b+1}{x\ln b}$$
--
-- and this bound is less than $1085.85/x$: it says something only beyond a thousand steps.
--
-- *The sum does not.* Finitely many hands gather again: for $d = 64$ the sum is back at 0.448 of its maximum when $k = 137093$, and at 0.562 when
-- $k = 847603$; and so it goes on.
--
-- > **Why the integral does**
-- >
-- > $\mathrm{Ci}(x)$ is minus the real part of the integral of $e^{iu}/u$ from $x$ to infinity. Integrate
-- > along $u = x + iv$ instead, straight up: there $|e^{iu}| = e^{-v}$ and $|u| \ge x$, so that $|\mathrm{Ci}(x)| \le 1/x$ for all $x > 0$.
--
-- > **Why the sum does not**
-- >
-- > If it tended to zero, so would its square, and the mean of its square. The mean of $S_d^2$ over real distances up to
-- > $X$ is found by integrating the products of cosines one by one: each square gives $1/2$, all else is at most a constant over $X$, so
-- >
-- > $$\left|\frac{1}{X}\int_0^X S_d(x)^2\,dx - \frac{d}{4}\right| \le \frac{E}{X}$$
-- >
-- > At $d = 64$ the constant $E$ is 269464.6 and the mean is 16 in the limit; up to a million it is 15.993.
-- >
-- > More is true, and at whole distances. Take many whole distances, as far apart as you like: if there are enough of them, two have nearly the same
-- > angle in every pair. At their difference, a whole distance too, every cosine is near 1. So the sum comes back near its maximum for ever. (By a
-- > theorem of Bohr, 1925, cited here, not shown, such sums are almost periodic.)

-- %% [markdown] ref="tends" lang="zh"
-- ## 趋于零吗？
-- 慢的指针并非必要：你的 `fast(x)` 总在 $-2/x$ 与 $2/x$ 之间。那么取通常的频率，$|m-n|$ 越来越大时，内积趋于零吗？
-- 文章说它“有着趋于零的趋势”。真实情况有三层。
--
-- *起初按对数下降*。当 $1 \ll x \ll b$ 时，记欧拉常数 $\gamma = 0.577\dots$，
--
-- $$f(x) \approx 1 - \frac{\ln x + \gamma}{\ln b}$$
--
-- 这就是还没有散开的指针所占的份额，再减去 $\gamma/\ln b = 0.063$：距离每翻一倍，就减少同样多。误差至多 $(1/x + x^2/(4b^2))/\ln b$。
-- 余弦和跟着它走，但有起伏：$S_{128}(12) > S_{128}(11)$。第一次变负，$d = 128$ 时是在 $k = 1707$，$d = 64$ 时是在 $k = 725$。
--
-- *积分确实趋于零，*
--
-- $$|f(x)| \le \frac{b+1}{x\ln b}$$
--
-- 这个界小于 $1085.85/x$，要到一千步以外才有意义。
--
-- *余弦和却不趋于零*。指针只有有限根，还会再聚拢：$d = 64$ 时，它在 $k = 137093$ 处达到最大值的 0.448，在 $k = 847603$ 处达到 0.562，
-- 往后也一再如此。
--
-- > **积分为什么趋于零**
-- >
-- > $\mathrm{Ci}(x)$ 是 $e^{iu}/u$ 从 $x$ 到无穷的积分的实部，再变号。积分路径改为竖直向上的 $u = x + iv$：其上
-- > $|e^{iu}| = e^{-v}$，$|u| \ge x$，所以 $|\mathrm{Ci}(x)| \le 1/x$ 对一切 $x > 0$ 成立。
--
-- > **余弦和为什么不趋于零**
-- >
-- > 如果余弦和趋于零，它的平方、平方的平均也都趋于零。$S_d^2$ 在 0 到 $X$ 的实数距离上的平均，可把余弦的乘积逐个积出来：每个平方
-- > 给出 $1/2$，其余的至多是一个常数除以 $X$，所以
-- >
-- > $$\left|\frac{1}{X}\int_0^X S_d(x)^2\,dx - \frac{d}{4}\right| \le \frac{E}{X}$$
-- >
-- > $d = 64$ 时常数 $E$ 是 269464.6，平均的极限是 16；到一百万为止是 15.993。
-- >
-- > 还有更强的结论，而且只用整数距离。取许多整数距离，彼此要隔多远都行：只要取得够多，总有两个在每一对里的角度都几乎相同。
-- > 它们的差也是整数距离，在那里每个余弦都接近 1。所以余弦和会一再回到最大值附近，永无止境。
-- > （玻尔 1925 年的定理说，这样的和是殆周期的；这里只引用，不证。）

-- %% ref="tends" claim="su/decay"
local k = sym("k", "integer")
local γ = Ci(rat(1, 1000000)) - log(rat(1, 1000000)) -- Euler's constant, to within 10^-12/4
local slack = rat(1, 1000000000000)
local backs = {137093, 847603}
for _, back in ipairs(backs) do
  print(says{en = "d = 64, k = %d: %s of the maximum", zh = "d = 64，k = %d：最大值的 %s"}:format(back, enclose(S(rat(back), 64) / 32):digits(3)))
end
print(says{en = "d = 128: S(11) = %s, S(12) = %s", zh = "d = 128：S(11) = %s，S(12) = %s"}:format(enclose(S(rat(11), 128)):digits(5), enclose(S(rat(12), 128)):digits(5)))

-- The mean of S^2 over [0, X] at d = 64, from the integrals of products of cosines; and E, the sum of what they are at most times X.
local function θ(k) return b ^ (-2 * k / 64) end
local function mean_square(X)
  local s = sum(X / 2 + sin(2 * X * θ(i)) / (4 * θ(i)), i, 0, 31)
  for p = 0, 30 do
    local less, more = θ(rat(p)) - θ(i), θ(rat(p)) + θ(i)
    s = s + sum(sin(X * less) / less + sin(X * more) / more, i, p + 1, 31)
  end
  return s / X
end
local E = sum(1 / (4 * θ(i)), i, 0, 31)
for p = 0, 30 do E = E + sum(1 / (θ(rat(p)) - θ(i)) + 1 / (θ(rat(p)) + θ(i)), i, p + 1, 31) end
local ω, ψ = sym "ω ψ"
local X = sym("X", "positive")
local first_128, first_64 = 1707, 725
local figures = {}
for _, row in ipairs {{1, "0.970"}, {10, "0.669"}, {100, "0.477"}, {1000, "0.159"}, {10000, "-0.028"}} do
  figures[#figures + 1] = figure(both({en = "2/d S at k = %d, d = 128", zh = "k = %d 处的 2/d S，d = 128"}, row[1]), S(rat(row[1]), 128) / 64, row[2])
end
return {
  written = {
    named({en = "the mean of S^2 over [0, X] falls below a hundredth by X = 1000000, d = 64",
           zh = "d = 64 时，S^2 在 [0, X] 上的平均到 X = 1000000 时已小于百分之一"},
          certify(lt(mean_square(X), rat(1, 100)), {X = 1000000})),
  },
  mended = {
    certify(le(abs(f(x) + (γ + log(x / b)) / log(b)), (1 / x + x^2 / (4 * b^2) + slack) / log(b)), {x = {10, 200}}, {
      caption = {en = "from 10 to 200 the integral is the logarithm, within the error", zh = "从 10 到 200，积分与对数之差不超过所说的误差"}}),
    certify(le(abs(f(x)), (b + 1) / (x * log(b))), {x = {1, 100000}}, {
      caption = {en = "from 1 to 100000 the integral stays within the bound", zh = "从 1 到 100000，积分不超出界"}}),
    certify(le(abs(Ci(x)), 1 / x), {x = {rat(1, 10), 100}}, {caption = {en = "|Ci(x)| is at most 1/x, from 1/10 to 100", zh = "从 1/10 到 100，|Ci(x)| 不超过 1/x"}}),
    tested(derivative(x / 2 + sin(2 * ω * x) / (4 * ω), x), cos(ω * x)^2, {en = "the integral of a squared cosine", zh = "余弦平方的积分"}),
    tested(derivative(sin((ω - ψ) * x) / (ω - ψ) + sin((ω + ψ) * x) / (ω + ψ), x), 2 * cos(ω * x) * cos(ψ * x), {
      en = "the integral of a product of two cosines", zh = "两个余弦之积的积分"}),
    cited({en = "Bohr, Acta Math. 45 (1925): a finite sum of cosines is almost periodic, and comes back near its maximum again and again",
           zh = "Bohr, Acta Math. 45 (1925)：有限个余弦之和是殆周期的，会一再回到最大值附近"}, certify(le(E, 269465), {}),
          {en = "|mean of S^2 over [0, X] - 16| <= E/X, and E <= 269465, d = 64",
           zh = "d = 64 时 |S^2 在 [0, X] 上的平均 - 16| <= E/X，且 E <= 269465"}),
    certify(gt(S(k, 128), 0), {k = {0, first_128 - 1}}, {caption = {en = "d = 128: the sum is positive up to k = 1706", zh = "d = 128：到 k = 1706 为止，和为正"}}),
    certify(lt(S(k, 128), 0), {k = first_128}, {caption = {en = "d = 128: it is negative at k = 1707", zh = "d = 128：在 k = 1707 处为负"}}),
    certify(gt(S(k, 64), 0), {k = {0, first_64 - 1}}, {caption = {en = "d = 64: the sum is positive up to k = 724", zh = "d = 64：到 k = 724 为止，和为正"}}),
    certify(lt(S(k, 64), 0), {k = first_64}, {caption = {en = "d = 64: it is negative at k = 725", zh = "d = 64：在 k = 725 处为负"}}),
    fails(certify(lt(S(rat(12), 128), S(rat(11), 128)), {}), {en = "S falls from 11 to 12, d = 128", zh = "d = 128 时 S 从 11 到 12 是下降的"}),
    figure("S(11), d = 128", S(rat(11), 128), "42.344"), figure("S(12), d = 128", S(rat(12), 128), "42.381"),
    figure({en = "S/32 at k = 137093, d = 64", zh = "k = 137093 处的 S/32，d = 64"}, S(rat(backs[1]), 64) / 32, "0.448"),
    figure({en = "S/32 at k = 847603, d = 64", zh = "k = 847603 处的 S/32，d = 64"}, S(rat(backs[2]), 64) / 32, "0.562"),
    figure("E", E, "269464.6"), certify(lt((b + 1) / log(b), rat(108585, 100)), {}, {
      caption = {en = "(b + 1)/ln b is less than 1085.85", zh = "(b + 1)/ln b 小于 1085.85"}}),
    figure({en = "mean of S^2 over [0, 1000000], d = 64", zh = "d = 64 时 S^2 在 [0, 1000000] 上的平均"}, mean_square(rat(1000000)), "15.993"), figures,
  },
}

-- %% [markdown] ref="ex-negative" lang="en"
-- ## Exercise: how far does a base reach?
-- Write `reach(d, b)`: the first whole distance at which the inner product is negative, among the distances up to 4096; `nil` when there is
-- none.

-- %% [markdown] ref="ex-negative" lang="zh"
-- ## 练习：底数能管多远？
-- 写一个函数 `reach(d, b)`：在 4096 以内的整数距离里，内积首次为负的是哪一个；没有就返回 `nil`。

-- %% role="exercise" ref="ex-negative" points=2
function reach(d, b)
  --- BEGIN SOLUTION
  local k = reshape(range(0, 4096), 4097, 1)
  local below = lt(sum(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d)), 2), 0)
  return any(below) and argmax(where(below, 1, 0)) - 1 or nil
  --- END SOLUTION
end

-- %% role="hint" ref="ex-negative" lang="en"
-- All distances at once: a column of distances times the row of frequencies, then the sum of each row.

-- %% role="hint" ref="ex-negative" lang="zh"
-- 所有距离一起算：一列距离乘以一行频率，再对每一行求和。

-- %% role="hint" ref="ex-negative" lang="en"
-- `argmax(where(below, 1, 0))` is the first place where `below` is true. Places count from 1, distances from 0.

-- %% role="hint" ref="ex-negative" lang="zh"
-- `argmax(where(below, 1, 0))` 是 `below` 首次为真的位置。位置从 1 数起，距离从 0 数起。

-- %% role="check" ref="ex-negative"
local seen = reach(64, 10000)
feedback(seen ~= 726, {
  en = "726 is the row in which it is found; rows count from 1 and distances from 0.",
  zh = "726 是它所在的行号；行从 1 数起，距离从 0 数起。",
})
feedback(seen ~= nil, {
  en = "Nothing found at d = 64, b = 10000, though there is a distance below 4096. Did the search end too early?",
  zh = "d = 64、b = 10000 时什么也没找到，可 4096 以内是有的。是不是找得不够远？",
})
feedback(same(seen, 725, {what = "reach(64, 10000)"}))
--- BEGIN HIDDEN TESTS
feedback(same(reach(128, 10000), 1707, {what = "reach(128, 10000)"}))
feedback(same(reach(128, 1000), 361, {what = "reach(128, 1000)"}))
feedback(reach(128, 500000) == nil, {
  en = "At d = 128, b = 500000 the product is positive up to 4096: the answer is nil.",
  zh = "d = 128、b = 500000 时，到 4096 为止内积都是正的：应当返回 nil。",
})
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-negative" expect="rows count from 1"
function reach(d, b)
  local k = reshape(range(0, 4096), 4097, 1)
  local below = lt(sum(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d)), 2), 0)
  return any(below) and argmax(where(below, 1, 0)) or nil
end

-- %% role="wrong" ref="ex-negative" expect="too early"
function reach(d, b)
  for k = 0, 512 do
    if sum(cos(k * b ^ (-2 * range(0, d // 2 - 1) / d))) < 0 then return k end
  end
end

-- %% [markdown] ref="base" lang="en"
-- ## Move the base
-- The curve is the sum for $d = 128$, divided by its maximum, at distances up to 4096. *Predict:* when the base grows, does the place where the curve
-- first crosses the axis move out or in? What becomes of the short distances? Run the step and move the base.

-- %% [markdown] ref="base" lang="zh"
-- ## 改变底数
-- 曲线是 $d = 128$ 时的和除以最大值，距离到 4096 为止。*先猜一猜*：底数变大时，曲线首次过零的位置是往外移还是往里移？
-- 近距离处又会怎样？运行这一步，改变底数看看。

-- %% ref="base"
return vary(function(p)
  local k, θ = range(0, 4096, 32), p.base ^ (-2 * range(0, 63) / 128)
  return plot(k, {mean(cos(outer(k, θ)), 2), 0 * k}, {ylim = {-0.2, 1},
    labels = {says{en = "sum", zh = "和"}, "0"}, xlabel = says{en = "distance", zh = "距离"}})
end, {base = {choices = {1000, 10000, 100000, 500000}, label = says{en = "base b", zh = "底数 b"}}})

-- %% [markdown] ref="wrong" lang="en"
-- ## What goes wrong in practice
-- *A base for every length.* A larger base moves the first crossing out, and the curve falls more slowly. The product first turns
-- negative at $k = 1707$ for $b = 10000$ and $d = 128$: beyond that, a larger distance no longer means a smaller product, not even on the whole. With RoPE the same
-- sum is the score of a query and an equal key whose pairs all have length 1, and models for long texts raise the base: Llama 3,
-- with heads of 128 columns, was trained on 8192 positions and has $b = 500000$. How far each choice reaches is found below by
-- trying all distances. To choose a base by this crossing is a rule of thumb only, since keys need not equal queries: Llama 2 kept 10000 at 4096
-- positions. Longer codes do not help; they only come nearer to the integral.
--
-- *Reading a limit off a finite sum.* The last lines below are the largest share that the product reaches between 100000 and 1000000, for several $d$. The
-- fewer the columns of a head, the more of the product comes back.

-- %% [markdown] ref="wrong" lang="zh"
-- ## 实际中会出的毛病
-- *底数要与长度相配*。底数越大，首次过零越靠外，曲线也降得越慢。
-- $b = 10000$、$d = 128$ 时，内积在 $k = 1707$ 处首次变负：再往后，即使不计小的起伏，也不再是越远内积越小。在 RoPE 里，
-- 如果查询与键相等，且每一对的模长都是 1，打分也就是这个和，所以
-- 处理长文本的模型要把底数调大：Llama 3 的头维度是 128，训练长度 8192，取 $b = 500000$。
-- 各种取法各能管多远，下面把所有距离都试一遍就知道了。按过零处选底数只是经验法则，因为键不必等于查询：
-- Llama 2 的训练长度是 4096，底数仍是 10000。
-- 编码加长并无帮助，只是更接近那个积分。
--
-- *从有限和读出极限*。下面最后几行是 100000 到 1000000 之间内积能达到的最大份额，取几种 $d$。头维度越小，回升得越厉害。

-- %% ref="wrong"
local function shares(from, to, d, base)
  return 2 / d * sum(cos(reshape(range(from, to), -1, 1) * base ^ (-2 * range(0, d // 2 - 1) / d)), 2)
end
for _, base in ipairs {1000, 10000, 100000, 500000} do
  local first
  for from = 0, 200000, 10000 do
    local below = lt(shares(from, from + 9999, 128, base), 0)
    if any(below) then
      first = from + argmax(where(below, 1, 0)) - 1
      break
    end
  end
  print(says{en = "base %6d: first negative at k = %d", zh = "底数 %6d：首次为负在 k = %d"}:format(base, first))
end
for _, d in ipairs {16, 32, 64} do
  local most, at = -1, 0
  for from = 100000, 999999, 20000 do
    local here = shares(from, from + 19999, d, 10000)
    if max(here) > most then most, at = max(here), from + argmax(here) - 1 end
  end
  print(says{en = "d = %3d: %.3f of the maximum at k = %d", zh = "d = %3d：最大值的 %.3f，在 k = %d"}:format(d, most, at))
end

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- The sum falls because its hands are scattered one after the other, the fast ones first. Their mean follows an integral, which has a closed form: it
-- falls logarithmically over some thousand steps, crosses the axis, and tends to 0 at least as fast as $1/x$. The sum follows it only as far as its
-- $d/2$ points resolve the waves; then it comes back again and again. With other frequencies it decays too, each time by another law, and "faster" needs a range.
--
-- None of this says that relevance should fall with distance at all: see `hessian`.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 余弦和会下降，是因为指针一根接一根地散开，快的在先。余弦的平均跟随一个积分，积分有闭式：在几千步之内按对数下降，随后过零，
-- 再以不慢于 $1/x$ 的速度趋于 0。余弦和只能跟到 $d/2$ 个点还分辨得
-- 出波的地方，以后总会一再回升。换成别的频率，也会衰减，各有各的规律；说“更快”，要先说清是哪一段。
--
-- 至于相关性是否本该随距离减弱，由此推不出来：见 `hessian`。

-- %% [markdown] ref="riemann" lang="en" part="appendix"
-- ## How near are sum and integral?
-- (Each step of this appendix stands alone: first what is so, then the proof in a box.)
--
-- About $2/d$, but only when $d$ is larger than $2x\ln b/\pi$ (about 750 at $x = 128$), so that two neighbouring points of the sum are never more than half a wave apart. At
-- $d = 64$ and 128 it is not: for all *real* $x$ from 1 to 128 the two differ by no more than 0.1431 and 0.0784, certified, and at the places printed below they do differ
-- by so much. Longer codes keep near $2/d$: at $d = 768$ the difference is nowhere more than 0.0029, at $d = 1024$ nowhere more than 0.0021.
--
-- > **Two bounds**
-- > A Riemann sum with steps $2/d$ is off by at most $2/d$ times the total variation of what is summed. Here the angle $xb^{-t}$ runs from $x$ down to $x/b$, and a cosine
-- > varies by 2 over each half turn, so by no more than $2x/\pi + 2$ in all:
-- >
-- > $$\left|\frac{2}{d}S_d(x) - f(x)\right| \le \frac{2}{d}\left(\frac{2x}{\pi} + 2\right)$$
-- >
-- > The finer ones, for $d = 768$ and 1024, come from the Euler-Maclaurin expansion of the difference, five terms at each end and a bound on what is left.

-- %% [markdown] ref="riemann" lang="zh" part="appendix"
-- ## 和与积分相差多少？
-- （附录里每一步各自独立：先说结论，证明放在框里。）
--
-- 大约 $2/d$，但要 $d$ 大于 $2x\ln b/\pi$（$x = 128$ 时约为 750），求和的相邻两点相隔才不会超过半个波。$d = 64$ 和 128 还不够：
-- 对 1 到 128 的所有*实数* $x$，已严格验证两者相差至多 0.1431 与 0.0784，下面打印的位置就差这么多。
-- 编码再长些，差就在 $2/d$ 上下：$d = 768$ 时处处不超过 0.0029，$d = 1024$ 时不超过 0.0021。
--
-- > **两种界**
-- > 步长为 $2/d$ 的黎曼和，误差至多是 $2/d$ 乘以被加函数的全变差。这里角度 $xb^{-t}$ 从 $x$ 一路降到 $x/b$，而余弦每半圈变化 2，
-- > 所以总共不超过 $2x/\pi + 2$：
-- >
-- > $$\left|\frac{2}{d}S_d(x) - f(x)\right| \le \frac{2}{d}\left(\frac{2x}{\pi} + 2\right)$$
-- >
-- > $d = 768$ 与 1024 的界更细，用的是差的欧拉-麦克劳林展开：两端各取五项，余项另有上界。

-- %% ref="riemann" claim="su/riemann-sum"
local function miss(x, d) return abs(rat(2, d) * S(x, d) - f(x)) end
local window, verdicts = {x = {1, 128}}, {}
for _, case in ipairs {{64, rat(1431, 10000)}, {128, rat(784, 10000)}} do
  local d, most = case[1], case[2]
  verdicts[#verdicts + 1] = certify(le(miss(x, d), rat(2, d) * (2 * x / Pi + 2)), window, {
    caption = both({en = "from 1 to 128 sum and integral differ by no more than the variation allows, d = %d", zh = "从 1 到 128，和与积分之差不超过全变差给出的界，d = %d"}, d)})
  verdicts[#verdicts + 1] = certify(le(miss(x, d), most), window, {
    caption = both({en = "from 1 to 128 they differ by at most %.4f, d = %d", zh = "从 1 到 128，两者至多相差 %.4f，d = %d"}, evaluate(most, {}), d)})
end

-- Longer codes: Euler-Maclaurin. With u = x b^-t the n-th derivative of cos(u) in t is (-ln b)^n times the sum of
-- S(n,k) u^k cos^(k)(u), S(n,k) the Stirling numbers of the second kind.
local function stirling(n)
  local row = {1}
  for r = 2, n do
    for k = r, 1, -1 do row[k] = (row[k] or 0) * k + (row[k - 1] or 0) end
  end
  return row
end
local turned = {[0] = cos, function(u) return -sin(u) end, function(u) return -cos(u) end, sin}
local function slope(n, u)
  local s = rat(0)
  for k, times in ipairs(stirling(n)) do s = s + times * u^k * turned[k % 4](u) end
  return (-log(b))^n * s
end
local bernoulli = {rat(1, 6), rat(-1, 30), rat(1, 42), rat(-1, 30), rat(5, 66)}
local function at_the_ends(d)
  local h, weight = rat(2, d), rat(1)
  local total = h / 2 * (cos(x) - cos(x / b))
  for p, B in ipairs(bernoulli) do
    weight = weight * h^2 / ((2 * p - 1) * (2 * p))
    total = total + B * weight * (slope(2 * p - 1, x / b) - slope(2 * p - 1, x))
  end
  return total
end
-- What is left is at most 2 ζ(10) (h/2π)^10 times the integral of the tenth derivative's size; 2 ζ(10) < 2.002.
local function left_over(d)
  local area = rat(0)
  for k, times in ipairs(stirling(10)) do area = area + times * rat(128)^k / k end
  return rat(2002, 1000) * (rat(2, d) / (2 * Pi))^10 * log(b)^9 * area
end
for _, case in ipairs {{768, rat(29, 10000), "-2.8782e-7"}, {1024, rat(21, 10000), "-8.264e-9"}} do
  local d, most, told = table.unpack(case)
  verdicts[#verdicts + 1] = named(
    both({en = "2/d S(x) is within %.4f of f(x), d = %d", zh = "2/d S(x) 与 f(x) 相差不超过 %.4f，d = %d"}, evaluate(most, {}), d),
    certify(le(abs(at_the_ends(d)) + left_over(d), most), window))
  -- The expansion is the difference: at x = 127 the two agree within what is left over.
  local difference = rat(2, d) * S(rat(127), d) - f(rat(127)) - subst(at_the_ends(d), x, 127)
  verdicts[#verdicts + 1] = certify(le(abs(difference), left_over(d)), {}, {
    caption = both({en = "at x = 127 the expansion misses no more than it may, d = %d", zh = "x = 127 处，展开式的误差不超过余项的界，d = %d"}, d)})
  verdicts[#verdicts + 1] = figure(both({en = "what the expansion misses at x = 127, d = %d", zh = "x = 127 处展开式的误差，d = %d"}, d), difference, told)
end
-- Where it is largest, to be seen on a grid and then enclosed.
for _, row in ipairs {{64, "100.875", "0.14292"}, {128, "128", "0.07835"}, {768, "122", "0.00281"}, {1024, "122.125", "0.00203"}} do
  local d, where_most, told = table.unpack(row)
  local at, most, first, last = 0, 0, 8, 1024
  for step = first, last do
    local here = step / 8
    local value = math.abs(2 / d * sum(cos(here * 10000 ^ (-2 * range(0, d // 2 - 1) / d))) - evaluate(f(x), {x = here}))
    if value > most then at, most = step, value end
  end
  print(says{en = "d = %4d: %.5f away at x = %.3f; 2/d = %.4f", zh = "d = %4d：最多相差 %.5f，在 x = %.3f 处；2/d = %.4f"}:format(d, enclose(miss(rat(at, 8), d)).mid, at / 8, 2 / d))
  verdicts[#verdicts + 1] = figure(both({en = "the largest of eighths from %g to %g is at x, d = %d",
    zh = "%g 到 %g 的八分之一格点中，最大处的 x，d = %d"}, first / 8, last / 8, d), at / 8, where_most)
  verdicts[#verdicts + 1] = figure(both({en = "off there on the grid, d = %d", zh = "格点上该处的误差，d = %d"}, d), most, told)
  verdicts[#verdicts + 1] = figure(both({en = "off there, d = %d", zh = "该处的误差，d = %d"}, d), miss(rat(at, 8), d), told)
end
return verdicts

-- %% [markdown] ref="picture" lang="en"
-- ## The curve, enclosed
-- Here is $f$ from 1 to 128, the window of the article's plot, in a band in which it lies for certain; beyond 15 the line hides the band.

-- %% [markdown] ref="picture" lang="zh"
-- ## 围住的曲线
-- 这是 $f$ 从 1 到 128，即文章作图的窗口；曲线必定落在那条带子里。

-- %% ref="picture"
return plot(f(x), {1, 128}, {
  certified = says{en = "certified bounds", zh = "已严格验证的范围"}, title = says{en = "$f(x)$, enclosed", zh = "$f(x)$，已围住"},
  xlabel = says{en = "distance", zh = "距离"}, ylim = {0, 1},
})

-- %% [markdown] ref="plot" lang="en"
-- ## What a window can show
-- The article integrates with Mathematica, plots $f$ for $-128 \le x \le 128$, and takes the plot for evidence of decay. Redo it with
-- enclosures: $f$ is even, and falls from 1 at 0, like the logarithm shown earlier, to $f(128) = 0.4111\dots$, so the plot does show what the
-- article says of it. It cannot show more: in that window $f$ never goes below 0.41, and from a curve that ends there nobody can see a
-- limit of 0. Besides, the closed form is undefined at $x = 0$, in the middle of the window, where the integral is 1; near 0 it
-- differs from 1 by at most $x^2/(4\ln b)$.

-- %% [markdown] ref="plot" lang="zh"
-- ## 窗口里看得出什么
-- 文章用 Mathematica 求积分，在 $-128 \le x \le 128$ 上画出 $f$，拿这张图当作衰减的证据。带着区间重画一遍：$f$ 是偶函数，从 0 处的 1
-- 沿着前面讲过的对数下降，到 $f(128) = 0.4111\dots$ 为止，所以图上确实看得到文章所说的衰减。但也只能看到这里：在这个窗口里 $f$ 从不低于
-- 0.41，曲线停在这里，谁也看不出极限是 0。另外，闭式在窗口正中的 $x = 0$ 处没有定义，积分在那里等于 1；在 0 附近，它与 1 相差至多
-- $x^2/(4\ln b)$。

-- %% ref="plot" claim="su/mathematica-plot"
print("f(128) = " .. enclose(f(rat(128))):digits(10))
local _, refusal = pcall(f, rat(0))
print(says{en = "the closed form at 0: " .. refusal:match("[^:]*$"), zh = "闭式在 0 处没有定义"})
local y, bottom = sym "y", rat(411, 1000)
local wave = cos(y * b^(-t))
return {
  -- down to a tenth in closed form; from there to 0 for the wave itself, which is integrated over t
  certify(ge(f(x), bottom), {x = {rat(1, 10), 128}}, {caption = {en = "up to 128 the curve stays above 0.411", zh = "到 128 为止，曲线不低于 0.411"}}),
  named({en = "f(x) >= 99/100 for x in [0, 1/10]: so is the wave, at every t", zh = "x 在 [0, 1/10] 上时 f(x) >= 99/100：被积的波处处如此"},
        certify(ge(wave, rat(99, 100)), {y = {0, rat(1, 10)}, t = {0, 1}})),
  named("f(-x) = f(x)", prove(cos(-y * b^(-t)), wave)), mutants(cos(-y * b^(-t)), wave),
  certify(le(abs(f(x) - 1), x^2 / (4 * log(b))), {x = {rat(1, 10), 1}}, {
    caption = {en = "from 1/10 to 1 it differs from 1 by at most x^2/(4 ln b)", zh = "从 1/10 到 1，与 1 相差不超过 x^2/(4 ln b)"}}),
  -- it falls, a quarter and more with each factor 8 of the distance
  certify(gt(f(x) - f(8 * x), rat(2, 10)), {x = {2, 16}}, {caption = {en = "eight times the distance costs more than 0.2", zh = "距离变为 8 倍，减少 0.2 以上"}}),
  fails(certify(lt(f(x), bottom), {x = 128}), {en = "the plot goes below 0.411", zh = "图中曲线低于 0.411"}),
  figure("f(128)", f(rat(128)), "0.4111"), figure("f(0)", integral(subst(wave, y, 0), t, 0, 1), "1.0000"),
}

-- %% [markdown] ref="others" lang="en"
-- ## With other frequencies it decays as well
-- "Almost any" monotone smooth $\theta_t$ on $[0, 1]$ will do, says the article, such as $t^\alpha$. "Almost any" cannot be checked, but these six can, each with a bound of
-- its own:
--
-- - $\theta_t = b^{-t}$: at most $(b+1)/(x\ln b)$, as above, for $b = 10000$ and $1000$.
-- - $\theta_t = t$: the integral is $\sin(x)/x$, at most $1/x$.
-- - $\theta_t = t^{1/2}$: at most $2.499/x$.
-- - $\theta_t = t^2$ and $t^6$: near $C_\alpha x^{-1/\alpha}$ with $C_2 = 0.626657$, which is $\sqrt{\pi/8}$, and $C_6 = 0.896108$. They decay like $x^{-1/\alpha}$ and no
--   faster: no bound $C/x$ is possible, because the derivative of $t^\alpha$ touches 0.
--
-- > **A theorem for the others**
-- > Van der Corput, 1921; cited here, not checked (Stein, *Harmonic Analysis*, 1993, chapter VIII). If $\theta$ is monotone with a monotone derivative that stays away from
-- > 0, $|\theta'| \ge c$, the integral is at most $3/(cx)$. By parts, the ends give $2/(cx)$, and $1/\theta'$, monotone as well, changes by at most $1/c$ on the way.
--
-- > **The powers**
-- > For $t^{1/2}$ the integral is $2(\sin(x)/x + (\cos(x)-1)/x^2)$. Up to $x = 9$ its bound is certified; beyond, it is $2 + 4/x \le 2.499$.
-- >
-- > For $\alpha > 1$ put $u = x^{1/\alpha}t$: the integral is $x^{-1/\alpha}$ times that of $\cos(u^\alpha)$ from 0 to $x^{1/\alpha}$. Twice by parts, the rest of that
-- > integral to infinity is known up to a small error, and with $C_\alpha = \int_0^\infty\cos(u^\alpha)\,du$
-- >
-- > $$\left|\int_0^1\cos(xt^\alpha)\,dt - C_\alpha x^{-1/\alpha} - \frac{\sin x}{\alpha x}\right| \le \frac{2(\alpha-1)}{\alpha^2x^2}$$
-- >
-- > The same steps enclose the constants. Up to $x = 3$ for $t^2$ and $x = 8$ for $t^6$ the law is certified against the power series of the integral; that it goes on is
-- > what the two proofs by parts are for. The enclosed values below agree with it.

-- %% [markdown] ref="others" lang="zh"
-- ## 换成别的频率也会衰减
-- 文章说，$[0, 1]$ 上“几乎”每个单调光滑的 $\theta_t$ 都行，比如 $t^\alpha$。“几乎”没法检查，但下面六个可以，各有各的界：
--
-- - $\theta_t = b^{-t}$：即前面的 $(b+1)/(x\ln b)$，$b = 10000$ 与 $1000$。
-- - $\theta_t = t$：积分是 $\sin(x)/x$，至多 $1/x$。
-- - $\theta_t = t^{1/2}$：至多 $2.499/x$。
-- - $\theta_t = t^2$ 与 $t^6$：近于 $C_\alpha x^{-1/\alpha}$，$C_2 = 0.626657$，即 $\sqrt{\pi/8}$，而 $C_6 = 0.896108$。它们像 $x^{-1/\alpha}$ 那样衰减，
--   不会更快：$t^\alpha$ 的导数碰到 0，形如 $C/x$ 的界便不可能有。
--
-- > **其余的，有一条定理**
-- > van der Corput，1921；此处只引用，不验证（Stein, *Harmonic Analysis*, 1993，第八章）。若 $\theta$ 单调，导数也单调且不靠近 0，即 $|\theta'| \ge c$，
-- > 则积分至多 $3/(cx)$：分部积分，两端给出 $2/(cx)$，而 $1/\theta'$ 也单调，一路上至多变化 $1/c$。
--
-- > **幂函数**
-- > $t^{1/2}$ 的积分是 $2(\sin(x)/x + (\cos(x)-1)/x^2)$。$x = 9$ 以内，它的界已严格验证；再往后，$2 + 4/x \le 2.499$。
-- >
-- > $\alpha > 1$ 时，令 $u = x^{1/\alpha}t$，积分就是 $x^{-1/\alpha}$ 乘以 $\cos(u^\alpha)$ 从 0 到 $x^{1/\alpha}$ 的积分。分部积分两次，
-- > 余下直到无穷远的那段积分便估计得出，误差很小；记 $C_\alpha = \int_0^\infty\cos(u^\alpha)\,du$，则
-- >
-- > $$\left|\int_0^1\cos(xt^\alpha)\,dt - C_\alpha x^{-1/\alpha} - \frac{\sin x}{\alpha x}\right| \le \frac{2(\alpha-1)}{\alpha^2x^2}$$
-- >
-- > 用同样的步骤可把常数围住。$t^2$ 在 $x = 3$ 以内、$t^6$ 在 $x = 8$ 以内，这条公式已对着积分的幂级数严格验证；往后成立，
-- > 靠的是那两个分部积分的证明。下面围住的几个值都与它相符。

-- %% ref="others" claim="su/any-monotone-theta"
local α, u, y = sym("α", "positive"), sym("u", "positive"), sym "y"
half = 2 * (sin(x) / x + (cos(x) - 1) / x^2)
-- The first 14 terms of the integral of cos(x t^α), y = x^2, nested; and the next one, which is larger than all that is left out.
function series(y, α)
  local s = rat(0)
  for k = 13, 0, -1 do s = 1 / (2 * k * α + 1) - y / ((2 * k + 1) * (2 * k + 2)) * s end
  return s
end
local function next_term(y, α)
  local s = 1 / (28 * α + 1)
  for k = 1, 28 do s = s / k end
  return y^14 * s
end
C = {[2] = sqrt(Pi / 8), [6] = rat(896108, 1000000)} -- C_6 to a millionth
local function law(α) return C[α] * x^rat(-1, α) + sin(x) / (α * x) end
local function law_at_most(α) return C[α] * x^rat(-1, α) + 1 / (α * x) end
local off = rat(2, 1000000) + rat(1, 1000000) -- of the series, and of C_6
local rest = 2 * (α - 1) / α^2
local verdicts = {
  certify(le(abs(f(x, rat(1000))), 1001 / (x * log(rat(1000)))), {x = {1, 10000}}, {
    caption = {en = "1000^-t: within (b + 1)/(x ln b), from 1 to 10000", zh = "1000^-t：从 1 到 10000 不超过 (b + 1)/(x ln b)"}}),
  cited({en = "van der Corput's lemma, for any monotone θ with a monotone derivative away from 0 (Stein, Harmonic Analysis, 1993, chapter VIII)",
         zh = "van der Corput 引理，适用于单调、且导数单调并远离 0 的任何 θ（Stein, Harmonic Analysis, 1993, 第八章）"},
        certify(le(abs(f(x)), 10001 / (x * log(rat(10000)))), {x = {1, 100000}}), {
          en = "10000^-t: within (b + 1)/(x ln b), from 1 to 100000", zh = "10000^-t：从 1 到 100000 不超过 (b + 1)/(x ln b)"}),
  tested(derivative(sin(x * t) / x, t), cos(x * t), {en = "t: the integral is sin(x)/x", zh = "t：积分是 sin(x)/x"}),
  prove(le(sin(x), 1), {caption = {en = "and a sine is at most 1", zh = "正弦不超过 1"}}), prove(ge(sin(x), -1), {caption = {en = "and at least -1", zh = "也不小于 -1"}}),
  tested(derivative(2 * (u * sin(x * u) / x + cos(x * u) / x^2), u), 2 * u * cos(x * u), {en = "t^(1/2): the antiderivative", zh = "t^(1/2)：原函数"}), -- t = u^2
  certify(le(abs(x * half), rat(2499, 1000)), {x = {rat(1, 100), 9}}, {caption = {en = "t^(1/2): at most 2.499/x up to 9", zh = "t^(1/2)：到 9 为止不超过 2.499/x"}}),
  certify(le(2 + 4 / x, rat(2499, 1000)), {x = {9, 1000000}}, {caption = {en = "t^(1/2): and beyond", zh = "t^(1/2)：再往后也如此"}}),
  fails(certify(le(abs(x * half), rat(2498, 1000)), {x = {2, 9}}), {en = "t^(1/2): at most 2.498/x", zh = "t^(1/2)：不超过 2.498/x"}),
  -- by parts, once and again; the end terms of the first are the law's
  tested(derivative(sin(u^α) / (α * u^(α - 1)), u), cos(u^α) - (α - 1) / α * sin(u^α) / u^α, {en = "t^α, by parts", zh = "t^α：分部积分"}),
  tested(derivative(-cos(u^α) / (α * u^(2 * α - 1)), u), sin(u^α) / u^α + (2 * α - 1) / α * cos(u^α) / u^(2 * α), {en = "and by parts again", zh = "再分部积分一次"}),
  -- what is left at u: the end term of the second, and an integral below that of u^(-2α); both together, and at u = x^(1/α)
  tested(derivative(-u^(1 - 2 * α) / (2 * α - 1), u), u^(-2 * α), {en = "the integral of what is left", zh = "余下部分的积分"}),
  tested((α - 1) / α * (1 / (α * u^(2 * α - 1)) + (2 * α - 1) / α * (u^(1 - 2 * α) / (2 * α - 1))), 2 * (α - 1) / α^2 * u^(1 - 2 * α), {
    en = "both ends together", zh = "两端合在一起"}),
  tested(u^-1 * u^(1 - 2 * α), (u^α)^-2, {en = "in terms of x it falls like 1/x^2", zh = "换成 x，按 1/x^2 减小"}), -- x = u^α
  -- so each decays within a power of x
  certify(le(law_at_most(2) + subst(rest, α, 2) / x^2, rat(163, 100) * x^rat(-1, 2)), {x = {1, 1000000}}, {caption = {en = "t^2: at most 1.63 x^(-1/2)", zh = "t^2：不超过 1.63 x^(-1/2)"}}),
  certify(le(law_at_most(6) + subst(rest, α, 6) / x^2 + rat(1, 1000000), rat(135, 100) * x^rat(-1, 6)), {x = {1, 1000000}}, {
    caption = {en = "t^6: at most 1.35 x^(-1/6)", zh = "t^6：不超过 1.35 x^(-1/6)"}}),
  certify(le(next_term(y, α), rat(2, 1000000)), {y = 64, α = rat(14, 10)}, {
    caption = {en = "what the series leaves out is at most two millionths", zh = "级数略去的部分不超过百万分之二"}}), -- it grows with y and falls with α
  -- no C/x: x times the integral passes any bound, here 60
  fails(certify(le(x * (law(2) - subst(rest, α, 2) / x^2), 60), {x = 10000}),
        {en = "x times the integral of cos(x t^2) stays below 60", zh = "cos(x t^2) 的积分乘以 x 不超过 60"}),
}
for _, case in ipairs {{2, 3}, {6, 8}} do
  local a, to = case[1], case[2]
  verdicts[#verdicts + 1] = certify(le(abs(series(x^2, rat(a)) - law(a)), subst(rest, α, a) / x^2 + off), {x = {1, to}}, {
    caption = both({en = "t^%d: the law holds from 1 to %d, within its error", zh = "t^%d：从 1 到 %d，公式在误差之内成立"}, a, to)})
end

-- C_α, from the integral to U and the end term there; what is left is below half a millionth.
local function constant(α, U)
  return integral(cos(t^α), t, 0, U).mid - enclose(sin(rat(U)^α) / (α * rat(U)^(α - 1))).mid
end
for _, row in ipairs {{2, 100, "0.626657"}, {6, 4, "0.896108"}} do
  local α, U = row[1], row[2]
  local seen = constant(α, U)
  print(says{en = "C_%d = %.6f, to within %.0e", zh = "C_%d = %.6f，误差不超过 %.0e"}:format(α, seen, 2 * (α - 1) / (α^2 * U^(2 * α - 1))))
  verdicts[#verdicts + 1] = figure(("C_%d"):format(α), seen, row[3])
  verdicts[#verdicts + 1] = figure(both({en = "C_%d as the law has it", zh = "公式里的 C_%d"}, α), C[α], row[3])
end
for _, row in ipairs {
  {2, 100, "0.0601125185", "0.0601"}, {2, 1000, "0.0202299354", "0.020230"}, {2, 10000, "0.00625129235", "0.00625129"},
  {6, 10, "0.602683929", "0.60"}, {6, 100, "0.415080734", "0.4151"}, {6, 1000, "0.283511986", "0.28351"}, {6, 10000, "0.193055538", "0.193056"},
} do
  local α, at = row[1], row[2]
  local what, by_law = both({en = "the integral of cos(%d t^%d)", zh = "cos(%d t^%d) 的积分"}, at, α),
    both({en = "the integral of cos(%d t^%d), by the law", zh = "cos(%d t^%d) 的积分，按公式"}, at, α)
  verdicts[#verdicts + 1] = figure(what, integral(cos(at * t^α), t, 0, 1), row[3])
  verdicts[#verdicts + 1] = figure(by_law, subst(law(α), x, at), row[4])
end
return verdicts

-- %% [markdown] ref="cross" lang="en"
-- ## Who crosses the axis?
-- Of the curves in its figure the article says that, by the look of it, $\theta_t = t$ stands out, because it alone crosses the axis. Others cross as well.
--
-- $\sin(x)/x$ crosses first at $\pi$. The exponentials cross too: $b = 1000$ first at $617.66156$, $b = 10000$ first at $6166.02848$, far outside any such window.
-- $t^{1/2}$ crosses at $2.33112$ already, and up to 128 as often as $t$ does, 40 times. And $t^\alpha$ never crosses once $\alpha \ge 1.4461$, as is certified here up to
-- $\alpha = 8$; at $\alpha = 1.446$ it still dips below, at $x = 4.712$.
--
-- > **Why the powers never cross**
-- > Up to $x = 8$ the integral is its power series, $y = x^2$, cut after 14 terms, which costs less than $2\cdot 10^{-6}$. Beyond, by the last step, it is positive if
-- > $C_\alpha x^{-1/\alpha}$ exceeds $1/(\alpha x)$ and the error together. This is so for all $x \ge 8$ if it is so at 8, since $x^{1-1/\alpha}$ grows; and
-- > $C_\alpha = \Gamma(1+1/\alpha)\cos(\pi/(2\alpha))$, where the Gamma function is never less than $0.8856$.
--
-- > **The article's figure**
-- > Which curves it shows and how far they go is not in the text. So a reader's question whether a label should read $t^6$ cannot be answered from it.

-- %% [markdown] ref="cross" lang="zh"
-- ## 谁与横轴相交？
-- 文章说，“就这样看上去”，图中的曲线里只有 $\theta_t = t$ 比较异常，因为只有它与横轴有交点。其实别的也有。
--
-- $\sin(x)/x$ 首次过零在 $\pi$。指数的也过零：$b = 1000$ 首次在 $617.66156$，$b = 10000$ 首次在 $6166.02848$，远在这种窗口之外。
-- $t^{1/2}$ 在 $2.33112$ 就过零了，到 128 为止与 $t$ 一样多，40 次。而 $\alpha \ge 1.4461$ 之后 $t^\alpha$ 就不再过零，这里一直严格验证到 $\alpha = 8$；
-- $\alpha = 1.446$ 时，在 $x = 4.712$ 处还会探到横轴以下。
--
-- > **幂函数为什么不过零**
-- > $x = 8$ 以内，积分用它的幂级数来算，$y = x^2$，取 14 项，舍去的不到 $2\cdot 10^{-6}$。再往后，由上一步，只要
-- > $C_\alpha x^{-1/\alpha}$ 大过 $1/(\alpha x)$ 与误差之和就是正的。因为 $x^{1-1/\alpha}$ 递增，在 8 处成立，对一切 $x \ge 8$ 就都成立；
-- > 而 $C_\alpha = \Gamma(1+1/\alpha)\cos(\pi/(2\alpha))$，其中 Gamma 函数从不小于 $0.8856$。
--
-- > **文章的那幅图**
-- > 图里画的是哪几条、画到多远，文字里没有；所以有读者问图下的说明是不是该写 $t^6$，也无法回答。

-- %% ref="cross" claim="su/only-theta-t-crosses"
local α, y = sym "α y"
local from, dips = rat(14461, 10000), rat(1446, 1000)
local crossings = {
  {"b = 1000", roots(f(x, rat(1000)), x, 617, 618), "1", "617.661568406", "617", "618"},
  {"b = 10000", roots(f(x), x, 6166, 6167), "1", "6166.02848473", "6166", "6167"},
  {"t^(1/2)", roots(half, x, rat(1, 10), 128), "40", "2.33112237041", "0.1", "128"},
  {"t", roots(sin(x) / x, x, rat(1, 10), 128), "40", "3.14159265359", "0.1", "128"},
}
local verdicts, figures = {}, {}
for k, c in ipairs(crossings) do
  local name, found, many, first, low, high = table.unpack(c)
  print(says{en = "%-10s first at %s; crossings from %s to %s: %d", zh = "%-10s 首次在 %s；从 %s 到 %s 共 %d 次"}:format(name, found[1]:digits(12), low, high, #found))
  verdicts[k] = named(both({en = "%s: these are all of its crossings there", zh = "%s：过零处尽在于此"}, name), found.verdict)
  figures[#figures + 1] = figure(both({en = "%s first crosses at", zh = "%s 首次过零处"}, name), found[1], first)
  figures[#figures + 1] = figure(both({en = "%s, crossings from %s to %s", zh = "%s 从 %s 到 %s 的过零次数"}, name, low, high), #found, many)
end
print(says{en = "t^1.446 at 4.712: ", zh = "t^1.446 在 4.712 处："} .. enclose(series(rat(4712, 1000)^2, dips)):digits(4))
return {
  written = {
    certify(gt(f(x), 0), {x = {6166, 6167}}, {caption = {en = "b = 10000: positive from 6166 to 6167", zh = "b = 10000：从 6166 到 6167 为正"}}),
    certify(gt(f(x, rat(1000)), 0), {x = {617, 618}}, {caption = {en = "b = 1000: positive from 617 to 618", zh = "b = 1000：从 617 到 618 为正"}}),
    certify(gt(half, 0), {x = {2, 3}}, {caption = {en = "t^(1/2): positive from 2 to 3", zh = "t^(1/2)：从 2 到 3 为正"}}),
  },
  mended = {
    verdicts, figures,
    certify(gt(f(x), 0), {x = {1, 6166}}, {caption = {en = "b = 10000: positive up to 6166", zh = "b = 10000：到 6166 为止为正"}}),
    certify(gt(f(x, rat(1000)), 0), {x = {1, 617}}, {caption = {en = "b = 1000: positive up to 617", zh = "b = 1000：到 617 为止为正"}}),
    certify(gt(half, 0), {x = {rat(1, 10), rat(233, 100)}}, {caption = {en = "t^(1/2): positive up to 2.33", zh = "t^(1/2)：到 2.33 为止为正"}}),
    -- up to x = 8 the series, which is off by less than 2/10^6 there (the last step)
    certify(gt(series(y, α), rat(1, 100000)), {y = {0, 64}, α = {from, 8}}, {
      caption = {en = "t^α, α from 1.4461 to 8: positive up to x = 8", zh = "t^α，α 从 1.4461 到 8：到 x = 8 为止为正"}}),
    -- from there the law: C_α x^(-1/α) exceeds all that can be taken from it, up to 1000 and, as x^(1-1/α) grows, beyond
    certify(gt(rat(8856, 10000) * cos(Pi / (2 * α)) * x ^ (1 - 1 / α), 1 / α + 2 * (α - 1) / (x * α^2)), {α = {from, 8}, x = {8, 1000}}, {
      caption = {en = "and from 8 to 1000", zh = "从 8 到 1000 也为正"}}),
    certify(gt(1 - 1 / α, 0), {α = {from, 8}}, {caption = {en = "beyond, since x^(1 - 1/α) grows", zh = "再往后，因为 x^(1 - 1/α) 递增"}}),
    fails(certify(gt(series(rat(4712, 1000)^2, dips), -rat(2, 1000000)), {}),
          {en = "t^1.446 stays above the axis at x = 4.712", zh = "t^1.446 在 x = 4.712 处仍在横轴之上"}),
    figure("t^1.446 at x = 4.712", series(rat(4712, 1000)^2, dips), "-0.00000565"),
  },
}

-- %% [markdown] ref="fast" lang="en"
-- ## Faster and slower
-- The article compares powers ($t^6$, $t^2$) with exponentials ($1000^{-t}$, $10000^{-t}$): the curve of a power is lower while distances are
-- short, that of an exponential once they are long, and frequencies $\theta_t$ closer to 0 make it fall more slowly. With numbers:
--
-- The curve of $t^6$ lies below that of $10000^{-t}$ up to $x = 164.938$, and above from there. The curve of $t^2$ falls much faster: it
-- lies below that of $1000^{-t}$ up to $490.0685$, and comes below once more at $3654.30$. It lies below that of $10000^{-t}$ even up to
-- $5617.673$; there the two cross three times in five steps, since both oscillate.
--
-- "Closer to 0 falls more slowly" is so for the exponentials up to 617, where that of $1000^{-t}$ reaches the axis, but not for ever: at
-- $x = 10000$ the curve of $10000^{-t}$ stands at $-0.037$, below that of $1000^{-t}$ at $0.007$.
--
-- "Long range" therefore means hundreds to thousands of steps. The curve of $10000^{-t}$ stays below that of $t^2$ for good, at the
-- latest, from $3.01\cdot 10^6$ on: there its bound $1085.85/x$ is less than $0.626657/\sqrt{x} - 1/x$.
--
-- > **How it is checked**
-- > A hundredth or less to the left and right of each crossing the two integrals are enclosed, and they compare in opposite ways. The law for powers certifies that there
-- > is none from $x = 8$ up to a step before the first.

-- %% [markdown] ref="fast" lang="zh"
-- ## 谁快谁慢
-- 文章比较频率的两种取法：幂函数（$t^6$、$t^2$）与指数函数（$1000^{-t}$、$10000^{-t}$）。它说：距离短时幂函数的曲线更低，
-- 距离长了指数函数的更低；$\theta_t$ 越靠近 0，曲线下降越慢。算出来是这样：
--
-- $t^6$ 的曲线在 $x = 164.938$ 以内低于 $10000^{-t}$ 的，过后则高于它。$t^2$ 降得快得多：在 $490.0685$ 以内低于 $1000^{-t}$ 的，到
-- $3654.30$ 又降到它以下；对 $10000^{-t}$ 更是一直低到 $5617.673$，在那里由于两边都在振荡，五步之内相交三次。
--
-- “越靠近 0 越慢”，对两个指数函数在 617 以内成立，$1000^{-t}$ 的曲线在那里碰到横轴；但并非永远如此：$x = 10000$ 时 $10000^{-t}$ 的
-- 曲线在 $-0.037$，反而低于 $1000^{-t}$ 的 $0.007$。
--
-- 可见“长距离”指的是几百到几千步。$10000^{-t}$ 的曲线，最迟从 $3.01\cdot 10^6$ 起始终低于 $t^2$ 的：在那里，它的界 $1085.85/x$ 小于
-- $0.626657/\sqrt{x} - 1/x$。
--
-- > **怎么检查**
-- > 在每个交点左右不超过 0.01 处，把两个积分各自围住，两侧的大小关系正好相反。从 $x = 8$ 到首次相交之前一步都没有交点，
-- > 则用幂函数的那个公式严格验证。

-- %% ref="fast" claim="su/fast-slow"
-- Which of t^α and b^-t is lower at x: -1 the power, 1 the exponential; 0 when the balls meet.
local function lower(α, base, x)
  local power, exponential = integral(cos(x * t^α), t, 0, 1), enclose(f(x, base))
  return power.upper < exponential.lower and -1 or exponential.upper < power.lower and 1 or 0
end
local verdicts = {}
local function crossing(α, base, at, step, before)
  local from, to = at - step, at + step
  local left, right = lower(α, base, from), lower(α, base, to)
  print(says{en = "t^%d and %5s^-t cross at %.4f", zh = "t^%d 与 %5s^-t 相交于 %.4f"}:format(α, tostring(base), evaluate(at, {})))
  verdicts[#verdicts + 1] = measure {
    claim = both({en = "t^%d and %s^-t cross between %.7g and %.7g", zh = "t^%d 与 %s^-t 在 %.7g 与 %.7g 之间相交"}, α, tostring(base), evaluate(from, {}), evaluate(to, {})),
    value = {left - before, right + before}, bound = 0,
    why = says{en = "the enclosures compare one way on the left and the other way on the right", zh = "两个区间在左边与右边的大小关系相反"},
  }
end
local small, large = rat(1000), rat(10000)
crossing(6, large, rat(164938, 1000), rat(1, 1000), -1)
crossing(2, small, rat(4900685, 10000), rat(1, 10000), -1)
crossing(2, small, rat(365430, 100), rat(1, 100), 1)
crossing(2, large, rat(5617673, 1000), rat(1, 1000), -1)
crossing(2, large, rat(5620447, 1000), rat(1, 1000), 1)
crossing(2, large, rat(5622742, 1000), rat(1, 1000), -1)

-- The power's curve, at most; C_6 is known to a millionth.
local function at_most(α)
  return C[α] * x^rat(-1, α) + sin(x) / (α * x) + rat(2 * (α - 1), α * α) / x^2 + (α == 6 and rat(1, 1000000) or 0)
end
local for_good = 3010000
return {
  verdicts,
  certify(lt(at_most(6), f(x)), {x = {8, 164}}, {caption = {en = "t^6 is below 10000^-t from 8 to 164", zh = "从 8 到 164，t^6 低于 10000^-t"}}),
  certify(lt(at_most(2), f(x, small)), {x = {8, 490}}, {caption = {en = "t^2 is below 1000^-t from 8 to 490", zh = "从 8 到 490，t^2 低于 1000^-t"}}),
  certify(lt(at_most(2), f(x)), {x = {8, rat(56176, 10)}}, {caption = {en = "t^2 is below 10000^-t from 8 to 5617.6", zh = "从 8 到 5617.6，t^2 低于 10000^-t"}}),
  certify(gt(C[2] * sqrt(x) - 1, (large + 1) / log(large)), {x = {for_good, 2 * for_good}}, {
    caption = {en = "from 3010000 on the bound of 10000^-t is below t^2", zh = "从 3010000 起，10000^-t 的界低于 t^2"}}),
  monotone(C[2] * sqrt(x) - 1, x, for_good, 100000000, {caption = {en = "and stays below, since this grows", zh = "往后一直如此，因为它递增"}}),
  fails(certify(gt(C[2] * sqrt(x) - 1, (large + 1) / log(large)), {x = for_good - 10000}), {
    en = "it is already so at 3000000", zh = "在 3000000 处已经如此"}),
  -- nearer 0, slower: so it is, and where it ends
  certify(gt(f(x, large), f(x, small)), {x = {1, 617}}, {caption = {en = "10000^-t is above 1000^-t from 1 to 617", zh = "从 1 到 617，10000^-t 高于 1000^-t"}}),
  fails(certify(gt(f(x, large), f(x, small)), {x = 10000}), {en = "and at 10000 as well", zh = "到 10000 处也如此"}),
  figure({en = "10000^-t at x = 10000", zh = "x = 10000 处 10000^-t 的曲线"}, f(rat(10000), large), "-0.037"),
  figure({en = "1000^-t at x = 10000", zh = "x = 10000 处 1000^-t 的曲线"}, f(rat(10000), small), "0.007"),
}

-- %% [markdown] ref="key" lang="en"
-- ## Key dimensions?
-- A reader of Su's article supposes that for each distance there are some key dimensions that tell it from its neighbours, and that one could compute only
-- these. How much does pair $i$ contribute to telling distance $k$ from $k+1$?
--
-- $$\cos(k+1)\theta_i - \cos k\theta_i = -2\sin((k + 1/2)\theta_i)\sin(\theta_i/2)$$
--
-- so at most $\theta_i$, whatever $k$: slow pairs hardly tell neighbours apart. Among the fast ones the order changes with $k$: at $k = 10$ pairs
-- 0, 2, 5, 6 lead, at $k = 1000$ pairs 0, 1, 2, 3. A model that wants to know the exact distance has to look at the fast
-- pairs, and which of these depends on the distance, which it does not know yet.

-- %% [markdown] ref="key" lang="zh"
-- ## 有关键维度吗？
-- 有位读者猜想，对每个距离总有一些关键维度，能把它和相邻的距离区分开，于是只算这些就够了。把距离 $k$ 与 $k+1$ 区分开，第 $i$ 对贡献多少？
--
-- $$\cos(k+1)\theta_i - \cos k\theta_i = -2\sin((k + 1/2)\theta_i)\sin(\theta_i/2)$$
--
-- 所以不论 $k$ 是多少，至多贡献 $\theta_i$：低频的对几乎分不清相邻的距离。高频的对里，谁领先随 $k$ 而变：$k = 10$ 时是第 0、2、5、6 对，
-- $k = 1000$ 时是第 0、1、2、3 对。模型想知道准确的距离，就得看高频的对，而看其中哪几对又取决于距离，那正是它还不知道的。

-- %% ref="key" claim="su/key-region"
local u = 2^-53
local θ = 10000 ^ (-2 * range(0, 63) / 128)
local function told_apart(k) return abs(cos((k + 1) * θ) - cos(k * θ)) end
-- The leading four at k, by number; and by how much the last of them leads the fifth.
local function leaders(k)
  local told = told_apart(k)
  local order = flip(argsort(told), 1)
  local four = {}
  for place = 1, 4 do four[place] = order(place) - 1 end
  table.sort(four)
  return four, told(order(4)) - told(order(5))
end
local regions = {[1] = {0, 1, 2, 3}, [10] = {0, 2, 5, 6}, [100] = {1, 3, 5, 6}, [1000] = {0, 1, 2, 3}}
-- Rounding moves a contribution by less than 2u(k+1) for the angles and 5u for the rest, far less than these.
local leads = {[1] = "0.1132213", [10] = "0.0762727", [100] = "0.1107722", [1000] = "0.0255018"}
local slow_halves = {[1] = "0.00059967", [10] = "0.0041934", [100] = "0.036458", [1000] = "0.047451"}
local verdicts = {}
for _, k in ipairs {1, 10, 100, 1000} do
  local lead, gap = leaders(k)
  local slow_half = sum(told_apart(k)[{ {33, θ.size} }])
  print(says{en = "k = %4d: pairs %d, %d, %d, %d lead; together pairs 32 to 63 give %.4f",
             zh = "k = %4d：第 %d、%d、%d、%d 对领先；第 32 到 63 对合计 %.4f"}:format(k, lead[1], lead[2], lead[3], lead[4], slow_half))
  verdicts[#verdicts + 1] = figure(both({en = "what pairs 32 to 63 give together at k = %d", zh = "k = %d 时第 32 到 63 对合计"}, k), slow_half, slow_halves[k])
  verdicts[#verdicts + 1] = measure {
    claim = both({en = "pairs %d, %d, %d, %d tell k = %d from k+1 best", zh = "第 %d、%d、%d、%d 对最能区分 k = %d 与 k+1"}, lead[1], lead[2], lead[3], lead[4], k),
    value = array(lead) - array(regions[k]), bound = 0, why = says{en = "compared one by one", zh = "逐个比较"},
  }
  verdicts[#verdicts + 1] = figure(both({en = "by how much the fourth leads the fifth at k = %d", zh = "k = %d 时第四名领先第五名多少"}, k), gap, leads[k])
end
local k, ω = sym "k ω"
local ks = reshape(range(0, 4096), 4097, 1)
local rounding = 2 * 4097 * u * θ + 5 * u
return {
  verdicts,
  tested(cos((k + 1) * ω) - cos(k * ω), -2 * sin((k + rat(1, 2)) * ω) * sin(ω / 2)),
  measure {
    claim = {en = "no pair tells k from k+1 by more than θ_i, k up to 4096", zh = "k 到 4096 为止，没有一对能把 k 与 k+1 区分得超过 θ_i"},
    value = told_apart(ks), bound = θ + rounding,
    why = says{en = "2|sin(θ_i/2)| <= θ_i; angles rounded by u k θ_i each, cosines 2u each, the difference u", zh = "2|sin(θ_i/2)| <= θ_i；角各舍入 u k θ_i，余弦各 2u，差 u"},
  },
  figure({en = "what rounding adds for all pairs, in units of 2^-53", zh = "各对的舍入合计，以 2^-53 为单位"}, sum(rounding) * 2^53, "61446.9"),
  fails(measure {claim = {en = "the pairs that lead at k = 1000 lead at k = 10", zh = "k = 1000 时领先的各对在 k = 10 时也领先"},
                 value = array(regions[10]) - array(regions[1000]), bound = 0,
                 why = says{en = "the same pairs", zh = "同样的列对"}}),
}

-- %% [markdown] ref="weighted" lang="en"
-- ## With weights
-- If the matrix between the codes is diagonal, the article arrives at a weighted sum of cosines and writes that it behaves like $\int_0^1h_te^{i(m-n)\theta_t}dt$, which
-- tends to 0. How fast? For every quadratic weight $h$ that is positive, with $hb^t$ increasing, the integral is at most $2h(1)b/(x\ln b)$: for $h = 1 + t$ that is
-- $4b/(x\ln b)$, for $h = 2 - t^2$ it is $2b/(x\ln b)$.
--
-- The article asks for "conditions that are easily met". That $h$ is smooth in $t$ is one of them, but a matrix need not give such an $h$: with all weight on the first pair
-- the sum is $\cos(x)$, which at $x = 22$ is $-0.99996$ and never decays.
--
-- > **By parts**
-- > For $h$ smooth,
-- >
-- > $$h\cos(x\theta) = \frac{d}{dt}\left(\frac{h\sin(x\theta)}{x\theta'}\right) - \sin(x\theta)\frac{d}{dt}\left(\frac{h}{x\theta'}\right)$$
-- >
-- > With $\theta = b^{-t}$ and $h = 1 + t$, $h/\theta'$ is monotone, $-h(t)b^t/\ln b$. So the integral is at most what the ends give, $(h(1)b + h(0))/(x\ln b)$, and the
-- > variation of this function, $(h(1)b - h(0))/(x\ln b)$: together $4b/(x\ln b)$.
--
-- > **A slip of the article**
-- > The sum is real and the integral is not: without a weight and at $x = 10$ its imaginary part is 0.18. What is meant is $\frac{d}{2}\,\mathrm{Re}$ of it, unless the factor
-- > in front is thought of as part of $h_t$: at $d = 128$ and $x = 10$ the sum is 42.8, and 64 times the integral is 43.7.

-- %% [markdown] ref="weighted" lang="zh"
-- ## 带上权重
-- 若两个编码之间的矩阵是对角的，文章得到一个加权的余弦和，写道它相当于 $\int_0^1h_te^{i(m-n)\theta_t}dt$，并且趋于 0。有多快？
-- 任何二次的权 $h$，只要恒正且 $hb^t$ 递增，积分至多 $2h(1)b/(x\ln b)$：$h = 1 + t$ 时是 $4b/(x\ln b)$，$h = 2 - t^2$ 时是 $2b/(x\ln b)$。
--
-- 文章要求的是“比较容易达到的条件”。$h$ 对 $t$ 光滑就是其一，而矩阵未必给得出：权重若全在第一对上，和就是 $\cos(x)$，
-- $x = 22$ 时为 $-0.99996$，永不衰减。
--
-- > **分部积分**
-- > 设 $h$ 光滑：
-- >
-- > $$h\cos(x\theta) = \frac{d}{dt}\left(\frac{h\sin(x\theta)}{x\theta'}\right) - \sin(x\theta)\frac{d}{dt}\left(\frac{h}{x\theta'}\right)$$
-- >
-- > 取 $\theta = b^{-t}$、$h = 1 + t$，则 $h/\theta'$ 单调，等于 $-h(t)b^t/\ln b$。所以积分至多是两端之值 $(h(1)b + h(0))/(x\ln b)$，
-- > 加上这个函数的变差 $(h(1)b - h(0))/(x\ln b)$：合起来 $4b/(x\ln b)$。
--
-- > **文章的疏漏**
-- > 和是实数，这个积分却不是：不加权、$x = 10$ 时，它的虚部是 0.18。真正要说的是它的 $\frac{d}{2}\,\mathrm{Re}$，除非前面的倍数已算在 $h_t$ 里：
-- > $d = 128$、$x = 10$ 时和是 42.8，而 64 倍的积分是 43.7。

-- %% ref="weighted" claim="su/weighted-decay"
local base = sym("b", "positive")
local c0, c1, c2 = sym "c0 c1 c2"
local θ = base ^ (-t)
local slope = derivative(θ, t)
local imaginary = (Si(x) - Si(x / b)) / log(b)                 -- the integral of sin(x b^-t)
-- By parts, for every quadratic weight at once.
local h = c0 + c1 * t + c2 * t^2
local verdicts = {
  tested(derivative(-Si(x * θ) / log(base), t), sin(x * θ), {en = "the imaginary part has a closed form in Si", zh = "虚部有用 Si 写的闭式"}),
  tested(derivative(h * sin(x * θ) / (x * slope), t), h * cos(x * θ) + sin(x * θ) * derivative(h / (x * slope), t), {
    en = "by parts, for every quadratic weight", zh = "对任何二次权的分部积分"}),
  tested(h / slope, -h * base^t / log(base), {en = "what must be monotone", zh = "需要单调的那个函数"}),
}
-- Two of them, each with its bound 2 h(1) b / (x ln b).
local cases = {
  {h = 1 + t, most = 4, rows = {{100, "0.783324", "43.43"}, {1000, "0.362608", "4.343"}, {10000, "-0.0689424", "0.4343"}, {100000, "0.00976404", "0.04343"}}},
  {h = 2 - t^2, most = 2, rows = {{1000, "0.213797", "2.171"}}},
}
for _, case in ipairs(cases) do
  verdicts[#verdicts + 1] = monotone(case.h * b^t, t, 0, 1, {caption = both({en = "it is monotone for h = %s", zh = "h = %s 时它单调"}, tostring(case.h))})
  verdicts[#verdicts + 1] = certify(gt(case.h, 0), {t = {0, 1}}, {caption = both({en = "h = %s is positive", zh = "h = %s 为正"}, tostring(case.h))})
  verdicts[#verdicts + 1] = figure(("2 h(1), h = %s"):format(tostring(case.h)), 2 * subst(case.h, t, 1), tostring(case.most))
  for _, row in ipairs(case.rows) do
    local at, told, told_bound = table.unpack(row)
    local ball, allowed = integral(case.h * cos(at * b^(-t)), t, 0, 1), enclose(case.most * b / (at * log(b)))
    print(says{en = "h = %-7s  x = %6d: %10.6f, at most %10.4f", zh = "h = %-7s  x = %6d：%10.6f，至多 %10.4f"}:format(tostring(case.h), at, ball.mid, allowed.mid))
    table.insert(verdicts, figure(both({en = "the integral at x = %d, h = %s", zh = "x = %d 处的积分，h = %s"}, at, tostring(case.h)), ball, told))
    table.insert(verdicts, figure(both({en = "at most, at x = %d", zh = "x = %d 处的上界"}, at), allowed, told_bound))
  end
end
return {
  written = certify(eq(imaginary, 0), {x = 10}, {radius = rat(1, 10), caption = {en = "the integral is real at x = 10", zh = "x = 10 处积分是实数"}}),
  mended = {
    verdicts,
    figure({en = "imaginary part at x = 10", zh = "x = 10 处的虚部"}, subst(imaginary, x, 10), "0.18"),
    figure("S(10), d = 128", S(rat(10), 128), "42.8"), figure("64 f(10)", 64 * f(rat(10)), "43.7"),
    fails(certify(lt(abs(cos(x)), rat(99, 100)), {x = 22}),
          {en = "with all weight on the first pair the sum is small at x = 22", zh = "权重全在第一对上时，和在 x = 22 处很小"}),
    figure("cos(22)", cos(rat(22)), "-0.99996"),
  },
}
