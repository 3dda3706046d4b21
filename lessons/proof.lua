-- What a verdict is worth: tests, proofs, certificates and measurements, each shown where another fails.
-- Cells run in order, in one environment. A verdict that a cell returns must hold; what is meant to fail is printed.

-- %% [markdown] ref="intro" lang="en"
-- # What a proof is worth
-- Your test has compared two sides at a million random points, and they agree at every one. Is the statement true? *Predict now:* can a million
-- random samples all miss an error that is there at almost every point? And can they miss one if no tolerance is allowed at all?
--
-- A numerical test is evidence, but it has misled many: the points may be badly chosen, the tolerance too large, or the program wrong in the same
-- way on both sides. This lesson shows such tests fail. Beside each stands what settles the matter, and at the end we take a proof apart by hand.

-- %% [markdown] ref="intro" lang="zh"
-- # 证明的分量
-- 你的测试在一百万个随机点上比较了两边，处处一致。命题就成立了吗？*先猜一猜*：一个几乎处处不成立的等式，
-- 一百万个随机样本会不会一个也发现不了？如果一点容差也不留呢？
--
-- 数值测试也算证据，只是上过当的人不少：取的点可能不巧，容差可能太宽，算两边的程序还可能错到一处去。
-- 这一课就让你看看测试是怎样失灵的；每一个旁边都有能下定论的办法。最后，我们亲手把一个证明拆开来看。

-- %% [markdown] ref="million" lang="en"
-- ## A million samples
-- The fastest pair of a position code turns by one radian a step. When does it come back to where it was? After 710 steps, it seems:
--
-- $$\cos(t+710) = \cos t$$
--
-- We try a million random positions, and let the two sides differ by $10^{-4}$, as tests in low precision do. How many will agree?

-- %% [markdown] ref="million" lang="zh"
-- ## 一百万个样本
-- 位置编码里最快的那一对每步转一弧度。走多少步才回到原处？看起来是 710 步：
--
-- $$\cos(t+710) = \cos t$$
--
-- 随机取一百万个位置来试，两边允许差 $10^{-4}$，低精度的测试常这么定。有多少个会一致？

-- %% ref="million"
local samples = 1000000
local t = 4096 * rand(rng(7), samples)
local passed = sum(le(abs(cos(t + 710) - cos(t)), 1e-4))
print(says{en = "%.0f of %d samples agree", zh = "%.0f / %d 个样本一致"}:format(passed, samples))

-- %% [markdown] ref="refuted" lang="en"
-- All of them, and with ten million it would be the same. Still the statement is false for almost every $t$: 710 is $226\pi$ and six
-- hundred-thousandths more, because $355/113$ is so good an approximation of $\pi$. The two sides never differ by more than that, so this tolerance
-- hides the difference everywhere.
--
-- `prove` has no tolerance. It names an exact position and encloses both sides there in balls, intervals that contain the exact values. The two
-- balls have no point in common, so the two values differ.

-- %% [markdown] ref="refuted" lang="zh"
-- 全部通过；换成一千万个也是一样。可是这个等式对几乎每个 $t$ 都不成立：
-- 因为 $355/113$ 太接近 $\pi$，710 比 $226\pi$ 只多出十万分之六。两边之差处处不超过它，所以这个容差把差别处处都盖住了。
--
-- `prove` 没有容差。它指出一个精确的位置，用球（必定包含精确值的区间）把那里的两边各自围住。两个球没有公共点，
-- 可见两个值不等。

-- %% ref="refuted"
local t = sym "t"
print(prove(cos(t + 710), cos(t)))

-- %% [markdown] ref="survivor" lang="en"
-- ## Exercise: a survivor
-- A test of $\sin 2a = 2\sin a\cos a$ tries $a = 0, \pi, 2\pi, 3\pi$ and lets the two sides differ by $10^{-9}$. Write
-- `survivor(a)`: a formula in $a$ that passes this test and yet is not $\sin 2a$.

-- %% [markdown] ref="survivor" lang="zh"
-- ## 练习：漏网之鱼
-- 有一项测试检验 $\sin 2a = 2\sin a\cos a$：取 $a = 0, \pi, 2\pi, 3\pi$，两边允许差 $10^{-9}$。写一个函数 `survivor(a)`：返回一个
-- $a$ 的公式，它能通过这项测试，却不是 $\sin 2a$。

-- %% role="exercise" ref="survivor" points=2
function survivor(a)
  --- BEGIN SOLUTION
  return 2 * sin(a)
  --- END SOLUTION
end

-- %% role="hint" ref="survivor" lang="en"
-- What is $\sin 2a$ at all four points?

-- %% role="hint" ref="survivor" lang="zh"
-- 在这四个点上，$\sin 2a$ 都是多少？

-- %% role="hint" ref="survivor" lang="en"
-- It is 0 there, and so is every product with $\sin a$.

-- %% role="hint" ref="survivor" lang="zh"
-- 都是 0；凡带因子 $\sin a$ 的也都是 0。

-- %% role="check" ref="survivor"
local a = sym "a"
local got = survivor(a)
feedback(prove(got, sin(2 * a)).strength ~= "proved", {
  en = "This is sin 2a itself, proved. A survivor must be wrong.",
  zh = "这就是 sin 2a 本身，已经证明。漏网的应当是错的才行。",
})
local worst = 0
for k = 0, 3 do
  local off = math.abs(survivor(k * math.pi) - math.sin(2 * k * math.pi))
  worst = math.max(worst, off <= 1e-9 and 0 or off == off and off or math.huge)
end
feedback(worst == 0, {
  en = ("The test catches it: at one of the four points it is off by %.3g. It must vanish at multiples of pi."):format(worst),
  zh = ("被测试抓住了：四点之一差了 %.3g。它在 pi 的倍数处都要为零。"):format(worst),
})
feedback(prove(got, sin(2 * a)).strength == "refuted", {
  en = "That it is not sin 2a must be certain: write a formula that can be refuted.",
  zh = "它不是 sin 2a，这一点要确定无疑：写一个能被驳倒的公式。",
})

-- %% role="wrong" ref="survivor" expect="itself, proved"
function survivor(a) return 2 * sin(a) * cos(a) end

-- %% role="wrong" ref="survivor" expect="The test catches it"
function survivor(a) return 2 * cos(a) end

-- %% [markdown] ref="thin" lang="en"
-- ## No tolerance at all
-- So should we test without tolerance? Take $(3x-1)^2 \ge 10^{-14}$ for $0 \le x \le 1$. It fails only within $10^{-7}/3$ of $x = 1/3$. With a
-- probability of about 94 in 100, none of a million random points falls there. Then every one of them passes, and the statement is false.
--
-- `certify` does not pick points. It encloses both sides over whole pieces of the interval, and cuts the pieces that are not decided; so it finds
-- the place.

-- %% [markdown] ref="thin" lang="zh"
-- ## 完全不要容差
-- 那么测试时不留容差，行不行？看 $0 \le x \le 1$ 上的 $(3x-1)^2 \ge 10^{-14}$。它只在离 $x = 1/3$ 不到 $10^{-7}/3$ 的地方不成立。
-- 一百万个随机点一个也没有落进去的概率约为百分之九十四。那样的话，每一个点都一丝不差地通过，而命题是错的。
--
-- `certify` 不挑点。它在整段区间上把两边围住，定不下来就切开，于是找到那个地方。

-- %% ref="thin"
local x = rand(rng(7), samples)
local passed = sum(ge((3 * x - 1)^2, 1e-14))
print(says{en = "%.0f of %d samples pass", zh = "%.0f / %d 个样本通过"}:format(passed, samples))

local x = sym "x"
print(certify(ge((3 * x - 1)^2, rat(1, 100000000000000)), {x = {0, 1}}))

-- %% [markdown] ref="quadrature" lang="en"
-- ## Three digits, and how many are right?
-- The inner product of two positions at distance $x$, divided by its largest value, tends to an integral when the code becomes long:
--
-- $$\int_0^1\cos(x\cdot 10^{-4t})\,dt$$
--
-- We want it at $x = 1000$ to three digits. The routine below is in every textbook. It applies Simpson's rule to an interval and to its halves.
-- Where the two results agree, it accepts them, else it goes on with each half. So it checks itself at every step. *Can such a routine be wrong?*

-- %% [markdown] ref="quadrature" lang="zh"
-- ## 说是三位，对了几位？
-- 相距 $x$ 的两个位置，内积除以最大值，当编码很长时趋于一个积分：
--
-- $$\int_0^1\cos(x\cdot 10^{-4t})\,dt$$
--
-- 我们要它在 $x = 1000$ 处的三位数字。下面的程序哪本教科书里都有：在一段上和它的两半上各用一次辛普森公式，两者一致就收下，
-- 否则对每一半接着做。它每一步都在检查自己。*这样的程序会出错吗？*

-- %% ref="quadrature"
-- The integral of f from a to b to within tol, by its own account; and how often f was asked.
function adaptive(f, a, b, tol)
  local asked = 3
  local function refine(a, b, fa, fm, fb, whole, tol)
    local m = (a + b) / 2
    local fl, fr = f((a + m) / 2), f((m + b) / 2)
    asked = asked + 2
    local left = (m - a) / 6 * (fa + 4 * fl + fm)
    local right = (b - m) / 6 * (fm + 4 * fr + fb)
    local change = left + right - whole
    if math.abs(change) <= 15 * tol then return left + right + change / 15 end
    return refine(a, m, fa, fl, fm, left, tol / 2) + refine(m, b, fm, fr, fb, right, tol / 2)
  end
  local fa, fm, fb = f(a), f((a + b) / 2), f(b)
  return refine(a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), tol), asked
end

function wave(t) return math.cos(1000 * 10 ^ (-4 * t)) end
estimate, asked = adaptive(wave, 0, 1, 1e-3)
print(says{en = "%.6f, wanted to 0.001, after %d values", zh = "%.6f，要求误差 0.001，用了 %d 个值"}:format(estimate, asked))

-- %% [markdown] ref="fooled" lang="en"
-- It asked for 1261 values and is content. Look where it did not ask: here is the widest gap that it left between 0 and 1/8, and the wave around it.
-- It stopped there with a few values, and had seen none of the waves between them.

-- %% [markdown] ref="fooled" lang="zh"
-- 它取了 1261 个值，就满意了。看看它没有取值的地方：下面画的是它在 0 到 1/8 之间留下的最宽的空隙，以及那一带的波。
-- 它在这里停手时，手里只有几个值，其间的波一个也没见过。

-- %% ref="fooled"
local places = {}
adaptive(function(t)
  if t <= 1/8 then places[#places + 1] = t end
  return wave(t)
end, 0, 1, 1e-3)
local seen = sort(array(places))
local gaps = seen[{ {2, seen.size} }] - seen[{ {1, seen.size - 1} }]
local k = argmax(gaps)
local near = seen[{ {k - 3, k + 4} }]
local fine = linspace(near(1), near(near.size), 1500)
return plot(fine, cos(1000 * 10 ^ (-4 * fine)), {label = says{en = "the integrand", zh = "被积函数"}, xlabel = "t", ylim = {-1.1, 1.1}})
  :plot(near, cos(1000 * 10 ^ (-4 * near)), {style = "points", label = says{en = "what the routine saw", zh = "程序取到的值"}})

-- %% [markdown] ref="integral" lang="en"
-- The true value is about half of what the routine says: none of the three digits is right. Near $t = 0$ the integrand goes up and down some fifteen hundred times a
-- unit. Five points of such a wave can look like a smooth curve; then the two rules agree by accident, on a wrong value. A check that looks at a
-- function only at points can be fooled by the function between them.
--
-- `integral` bounds the integrand over whole pieces, so nothing is hidden between points. The result is a ball: the exact number lies in it. And
-- there is a second way to the same number, through the cosine integral $\mathrm{Ci}$. Its derivative is $\cos(x)/x$, hence
--
-- $$\int_0^1\cos(x\cdot b^{-t})\,dt = \frac{\mathrm{Ci}(x)-\mathrm{Ci}(x/b)}{\ln b}$$
--
-- This is proved by differentiating, and its value is enclosed as well. The two balls must overlap, and they do, in twenty digits.

-- %% [markdown] ref="integral" lang="zh"
-- 真值大约只有程序所说的一半：三位数字没有一位是对的。$t = 0$ 附近，被积函数每单位长度上下一千五百来次；
-- 这种波上的五个点看起来可以像一条光滑曲线，两个公式碰巧一致，一致的却是个错数。只在点上看函数的检查，
-- 总会被点与点之间的函数骗过。
--
-- `integral` 在整段上给被积函数定界，点与点之间就没有空子可钻。结果是一个球，精确的数就在里面。要得到同一个数还有另一条路，
-- 经过余弦积分 $\mathrm{Ci}$：它的导数是 $\cos(x)/x$，所以
--
-- $$\int_0^1\cos(x\cdot b^{-t})\,dt = \frac{\mathrm{Ci}(x)-\mathrm{Ci}(x/b)}{\ln b}$$
--
-- 求导便证明了它，值也同样围住。两个球必须相交，它们果然相交，直到二十位。

-- %% ref="integral"
local t = sym "t"
local x, b = rat(1000), rat(10000)
ball = integral(cos(x * b^(-t)), t, 0, 1)
closed = enclose((Ci(x) - Ci(x/b)) / log(b))
print(says{en = "integral      ", zh = "积分      "} .. tostring(ball))
print(says{en = "closed form   ", zh = "闭式      "} .. tostring(closed))
print(says{en = "the routine is off by %.3f, %.0f times its tolerance", zh = "程序差了 %.3f，是容差的 %.0f 倍"}
  :format(estimate - ball.mid, (estimate - ball.mid) / 1e-3))
assert(ball:overlaps(closed))

return {
  named({en = "the integral lies in its ball", zh = "积分落在它的球里"}, ball.verdict),
  named({en = "the closed form lies in its ball", zh = "闭式落在它的球里"}, closed.verdict),
  prove(derivative(-Ci(x * b^(-t)) / log(b), t), cos(x * b^(-t)),
    {caption = {en = "the derivative of the closed form is the integrand", zh = "闭式的导数就是被积函数"}}),
}

-- %% [markdown] ref="seen" lang="en"
-- ## Exercise: known to be small
-- Write `close(a, b, tol)`: `true` only when two numbers are known to differ by at most `tol`. An infinite or undefined number is close to nothing,
-- not even to itself.

-- %% [markdown] ref="seen" lang="zh"
-- ## 练习：确知差得小
-- 写一个函数 `close(a, b, tol)`：只有确知两数之差不超过 `tol` 时才返回 `true`。无穷或没有定义的数，与什么都不接近，与它自己也不。

-- %% role="exercise" ref="seen" points=1
function close(a, b, tol)
  --- BEGIN SOLUTION
  return math.abs(a - b) <= tol
  --- END SOLUTION
end

-- %% role="hint" ref="seen" lang="en"
-- What is infinity minus infinity, and what does a comparison with that say?

-- %% role="hint" ref="seen" lang="zh"
-- 无穷减无穷是什么？拿它去比较，结果又是什么？

-- %% role="hint" ref="seen" lang="en"
-- Ask whether the difference *is* at most `tol`, not whether it is *not* more.

-- %% role="hint" ref="seen" lang="zh"
-- 要问差*是不是*至多为 `tol`，而不要问它是不是*没有*超过。

-- %% role="check" ref="seen"
feedback(close(2, 2.5, 1) == true and close(2.5, 2, 0.5) == true, {
  en = "2 and 2.5 differ by half, which is within 1 and within 0.5.",
  zh = "2 与 2.5 相差 0.5，在 1 以内，也恰在 0.5 以内。",
})
feedback(close(0, 3, 1) == false, {
  en = "0 and 3 are accepted with a tolerance of 1: the sign of the difference must not matter.",
  zh = "容差为 1，0 与 3 却通过了：差的正负号不该有影响。",
})
feedback(close(0 / 0, 1, 1) == false, {
  en = "nan is accepted. Every comparison with it is false, so `not (… > tol)` lets it pass.",
  zh = "nan 通过了。凡与它相比都是假，所以 `not (… > tol)` 会放它过去。",
})
feedback(close(math.huge, math.huge, 1) == false, {
  en = "Infinity counts as close to infinity: two results that both overflowed are not evidence.",
  zh = "无穷与无穷竟算接近：两个都溢出了的结果，不能算证据。",
})
--- BEGIN HIDDEN TESTS
feedback(same(close(3, 0, 1), false, {what = "close(3, 0, 1)"}))
feedback(same(close(-math.huge, 1, 1), false, {what = "close(-inf, 1, 1)"}))
feedback(same(close(1, 0 / 0, 1e300), false, {what = "close(1, nan, 1e300)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="seen" expect="nan is accepted"
function close(a, b, tol) return not (math.abs(a - b) > tol) end

-- %% role="wrong" ref="seen" expect="both overflowed"
function close(a, b, tol) return a == b or math.abs(a - b) <= tol end

-- %% role="wrong" ref="seen" expect="the sign of the difference"
function close(a, b, tol) return a - b <= tol end

-- %% [markdown] ref="ladder" lang="en"
-- ## One statement, three strengths
-- How sure can one be of $\sin^2 x + \cos^2 x = 1$? There are three answers.
--
-- - *Measured*: at random points, in floating point, against a bound that was derived. At those points nothing more than rounding was seen.
-- - *Certified*: at every point of an interval, up to a radius that is stated; a ball keeps account of what was rounded.
-- - *Proved*: for every real number, exactly.
--
-- A proof is worth most, but it speaks of formulas only. Of an integral without a closed form, a certificate is the most that can be had; of a table
-- in memory, a comparison entry by entry; and of a trained model, a measurement.

-- %% [markdown] ref="ladder" lang="zh"
-- ## 一个命题，三种强度
-- 对 $\sin^2 x + \cos^2 x = 1$ 能有多大把握？有三种回答。
--
-- - *实测*：在随机点上，用浮点数，对照一个推导出来的界。在那些点上，看到的不过是舍入。
-- - *严格验证*：在一个区间的每一点上，误差不超过事先给出的半径；球会把舍掉的都算进去。
-- - *证明*：对每个实数，精确成立。
--
-- 证明最有分量，但它说的只是公式。对没有闭式的积分，能有的最强结论是严格验证；对内存里的一张表，是逐项比较；
-- 对训练出来的模型，就只有实测。

-- %% ref="ladder"
local u = 2^-53
local points = 20 * rand(rng(7), 1000) - 10
local x = sym "x"
return {
  measure {
    claim = {en = "sin(x)^2 + cos(x)^2 is 1 at 1000 points", zh = "在 1000 个点上 sin(x)^2 + cos(x)^2 等于 1"},
    value = sin(points)^2 + cos(points)^2 - 1, bound = 6 * u,
    why = says{en = "library values at most u off, doubled by squaring: 2 sqrt(2) u; squares u; sum u", zh = "库函数值至多差 u，平方后加倍：2 sqrt(2) u；平方 u；求和 u"},
  },
  certify(eq(sin(x)^2 + cos(x)^2, 1), {x = {-10, 10}}, {radius = rat(1, 1000000),
    caption = {en = "from -10 to 10 it is 1, up to 10^-6", zh = "从 -10 到 10，它等于 1，误差不超过 10^-6"}}),
  prove(sin(x)^2 + cos(x)^2, 1),
}

-- %% [markdown] ref="unknown" lang="en"
-- ## False, and not known
-- *Refuted* comes with a witness: a place at which anyone can check it. $\sqrt{x^2} = x$ passes every test whose samples are not negative, as
-- positions are, until somebody subtracts two of them.
--
-- *Unknown* is an answer too, and it says why:
--
-- - *outside the theory*: no method here decides it, true or not;
-- - *out of budget*: it would take too long; the size is limited in advance, so that an answer comes in time;
-- - *undefined*: there is nothing to decide.
--
-- To print "false" in any of these cases would be wrong; to print "true", worse. Below is one statement of each kind. *Which is which?*

-- %% [markdown] ref="unknown" lang="zh"
-- ## 错的，与未定的
-- *驳倒*总带着反例，谁都可以拿去核对。$\sqrt{x^2} = x$ 能通过一切样本非负的测试，而位置本来就非负，直到有人把两个位置相减。
--
-- *未定*也是回答，还说得出缘由：
--
-- - *超出判定理论*：不论真假，这里没有办法判定；
-- - *超出预算*：要算太久；规模事先就有上限，所以回答总能及时给出；
-- - *无定义*：根本没有可判定的东西。
--
-- 这几种情形，说“错”不对，说“对”更糟。下面每种各有一个。*哪个是哪一种？*

-- %% ref="unknown"
local a, b, c, x = sym "a b c x"
local k, N = sym("k", "integer"), sym("N", "natural")
print(prove(sqrt(x^2), x))
print(prove(le(sum(1/k^2, k, 1, N), Pi^2/6)))
print(prove((a + b + c + x)^80, (a + b + c + x)^40 * (a + b + c + x)^40))
print(prove(x / (x - x), 1))

-- %% [markdown] ref="mutants" lang="en"
-- ## A check that cannot fail
-- Who checks the checks? Spoil the formula, and see whether the check notices. Below stand $\sin(a+b) = \sin a\cos b + \cos a\sin b$ with five
-- spoiled right sides, and three checks.
--
-- - The first samples only $b = 0$.
-- - The second takes the mean of several errors and asks whether it is *not large*. (Look at its loop.)
-- - The third accepts only what it has seen to be small.
--
-- *Predict:* how many of the five does each one catch?

-- %% [markdown] ref="mutants" lang="zh"
-- ## 不会失败的检查
-- 谁来检查检查？把公式改坏，看它察觉不察觉。下面是 $\sin(a+b) = \sin a\cos b + \cos a\sin b$，右边有五种改坏的写法，另有三项检查。
--
-- - 第一项只取 $b = 0$。
-- - 第二项对几个误差求平均，问它是不是*不大*。（看看它的循环。）
-- - 第三项只收下它确实看到很小的。
--
-- *先猜一猜*：五个里面，每一项各能发现几个？

-- %% ref="mutants"
local spoiled = {
  function(a, b) return sin(a) * cos(b) - cos(a) * sin(b) end,
  function(a, b) return sin(a) * cos(b) end,
  function(a, b) return sin(a) * cos(b) + cos(a) * cos(b) end,
  function(a, b) return sin(a) * cos(b) + cos(a) * sin(2 * b) end,
  function(a, b) return cos(a) * cos(b) + cos(a) * sin(b) end,
}
local checks = {
  {{en = "b = 0", zh = "只取 b = 0"}, function(f)
    return math.abs(sin(1 + 0) - f(1, 0)) <= 1e-9
  end},
  {{en = "mean not large", zh = "平均不大"}, function(f)
    local total, count = 0, 0
    for k = 10, 1 do
      total, count = total + math.abs(sin(k + 2) - f(k, 2)), count + 1
    end
    return not (total / count > 1e-9)
  end},
  {{en = "seen to be small", zh = "确实看到它小"}, function(f)
    return math.abs(sin(1 + 2) - f(1, 2)) <= 1e-9
  end},
}
for _, check in ipairs(checks) do
  local caught = 0
  for _, f in ipairs(spoiled) do
    if not check[2](f) then caught = caught + 1 end
  end
  print(says{en = "%-17s caught %d of %d", zh = "%s：发现 %d / %d 个"}:format(says(check[1]), caught, #spoiled))
end

-- %% [markdown] ref="all-mutants" lang="en"
-- With $b = 0$ a lost term or a wrong sign does not show. The loop of the second check was meant to count down and does not say so: it never runs,
-- the mean of no errors is `nan`, and `nan` is not larger than anything.
--
-- `mutants` makes the spoiled versions by itself, on either side: signs, sine and cosine, constants by one, factors of two, symbols exchanged, terms
-- dropped. Each goes through the proof. A few are *equivalent*: $\cos(-b)$ for $\cos b$ spoils nothing, and that is proved as well. If any stayed
-- undecided, the check would not be worth its name. In the lessons here a proof counts only with its mutants beside it.

-- %% [markdown] ref="all-mutants" lang="zh"
-- 只取 $b = 0$，丢一项、错个符号都看不出来。第二项的循环本该倒数却没写明，一次也没跑；零个误差的平均是 `nan`，
-- 而 `nan` 不比任何数大，于是什么都放过。
--
-- `mutants` 自己把公式的两边逐处改坏：正负号、正弦余弦、常数加减一、乘除以二、符号互换、丢掉一项，改出来的叫作变异体。
-- 每一个都要走一遍证明。有几个是*等价*的：把 $\cos b$ 写成 $\cos(-b)$ 并没有改坏什么，这也照样证明。要是有一个定不下来，
-- 这项检查就名不副实。在这里的各课里，证明要有它的变异体放在一旁才算数。

-- %% ref="all-mutants"
local a, b = sym "a b"
return {
  prove(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)),
  mutants(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)),
}

-- %% [markdown] ref="equivalent" lang="en"
-- ## Predict: which mutant is still true?
-- `m1` to `m4` are four mutants of $\cos(a-b) = \cos a\cos b + \sin a\sin b$. In each, one thing was changed; one of the four is equivalent. Decide
-- on paper, then set `equivalent` to its number, 1 to 4.

-- %% [markdown] ref="equivalent" lang="zh"
-- ## 先猜：哪一个变异体仍然成立？
-- `m1` 到 `m4` 是 $\cos(a-b) = \cos a\cos b + \sin a\sin b$ 的四个变异体，每个只改了一处，其中有一个是等价的。先在纸上判断，再把它的编号（1 到 4）赋给
-- `equivalent`。

-- %% role="exercise" ref="equivalent" points=1 variants=4
m1 = ({"cos(a - b) = cos a sin b + sin a sin b", "cos(a - b) = cos a cos b - sin a sin b", "cos(b - a) = cos a cos b + sin a sin b", "cos(a + b) = cos a cos b + sin a sin b"})[variant]
m2 = ({"cos(a + b) = cos a cos b + sin a sin b", "cos(a - b) = cos a sin b + sin a sin b", "cos(a - b) = cos a cos b - sin a sin b", "cos(b - a) = cos a cos b + sin a sin b"})[variant]
m3 = ({"cos(b - a) = cos a cos b + sin a sin b", "cos(a + b) = cos a cos b + sin a sin b", "cos(a - b) = cos a sin b + sin a sin b", "cos(a - b) = cos a cos b - sin a sin b"})[variant]
m4 = ({"cos(a - b) = cos a cos b - sin a sin b", "cos(b - a) = cos a cos b + sin a sin b", "cos(a + b) = cos a cos b + sin a sin b", "cos(a - b) = cos a sin b + sin a sin b"})[variant]
--- BEGIN SOLUTION
equivalent = ({3, 4, 1, 2})[variant]
--- END SOLUTION

-- %% role="hint" ref="equivalent" lang="en"
-- Put $a = b$ into each: the left side of the formula is 1 there. That leaves two.
-- %% role="hint" ref="equivalent" lang="zh"
-- 在每一个里代入 $a = b$：原式左边此时是 1。这样还剩两个。

-- %% role="hint" ref="equivalent" lang="en"
-- Which function does not change when its argument changes its sign?
-- %% role="hint" ref="equivalent" lang="zh"
-- 哪个函数在自变量变号时不变？

-- %% role="check" ref="equivalent"
feedback(type(equivalent) == "number" and equivalent % 1 == 0 and equivalent >= 1 and equivalent <= 4, {
  en = "`equivalent` must be the number of one of the four: 1, 2, 3 or 4.",
  zh = "`equivalent` 要是四个之一的编号：1、2、3 或 4。",
})
local a, b = sym "a b"
local right = cos(a) * cos(b) + sin(a) * sin(b)
local listed = {{cos(a + b), right}, {cos(b - a), right}, {cos(a - b), cos(a) * cos(b) - sin(a) * sin(b)},
                {cos(a - b), cos(a) * sin(b) + sin(a) * sin(b)}}
local chosen = listed[(equivalent - 1 - variant) % 4 + 1]
local v = prove(chosen[1], chosen[2])
feedback(v, {
  en = ("Mutant %d is refuted: it is false at %s."):format(equivalent, tostring(v):match "refuted: (.-):" or "some point"),
  zh = ("第 %d 个变异体被驳倒：它在 %s 处不成立。"):format(equivalent, tostring(v):match "refuted: (.-):" or "某一点"),
})

-- %% role="wrong" ref="equivalent" expect="is refuted"
equivalent = ({1, 2, 3, 4})[variant]

-- %% role="wrong" ref="equivalent" expect="must be the number"
equivalent = "cos(b - a)"

-- %% [markdown] ref="normal" lang="en"
-- ## A proof by hand
-- How does `prove` do it? It turns angles into powers. Write $z = e^{ia}$ and $w = e^{ib}$. Then
--
-- $$2i\sin a = z - z^{-1}, \quad 2\cos a = z + z^{-1}$$
--
-- and adding angles is multiplying: $e^{i(a+b)} = zw$. Times $4i$, both sides of the formula become polynomials in $z$, $w$ and their inverses, with
-- whole coefficients. The step keeps such a polynomial as a table from exponents to coefficients (`z^1 w^-1` is $zw^{-1}$), multiplies out and
-- subtracts. There is no other trick. *What must be left of the difference if the formula is true?*

-- %% [markdown] ref="normal" lang="zh"
-- ## 亲手做一个证明
-- `prove` 是怎么做到的？它把角度变成幂。记 $z = e^{ia}$、$w = e^{ib}$，那么
--
-- $$2i\sin a = z - z^{-1}, \quad 2\cos a = z + z^{-1}$$
--
-- 而角度相加就是相乘：$e^{i(a+b)} = zw$。两边乘以 $4i$，就都成了 $z$、$w$ 及其倒数的整系数多项式。
-- 这一步用一张从指数到系数的表来记多项式（`z^1 w^-1` 就是 $zw^{-1}$），乘开，再相减，此外没有别的窍门。*公式若成立，
-- 差应当剩下什么？*

-- %% ref="normal"
-- {["1 -1"] = 2} is 2 z w^-1
function combine(p, q, sign)
  local out = {}
  for key, c in pairs(p) do out[key] = c end
  for key, c in pairs(q) do out[key] = (out[key] or 0) + sign * c end
  for key, c in pairs(out) do if c == 0 then out[key] = nil end end
  return out
end
function times(p, q)
  local out = {}
  for k1, c1 in pairs(p) do
    for k2, c2 in pairs(q) do
      local m1, n1 = k1:match("(%S+) (%S+)")
      local m2, n2 = k2:match("(%S+) (%S+)")
      local key = ("%d %d"):format(m1 + m2, n1 + n2)
      out = combine(out, {[key] = c1 * c2}, 1)
    end
  end
  return out
end
function spell(p)
  local terms = {}
  for key, c in pairs(p) do
    terms[#terms + 1] = ("%+d z^%s w^%s"):format(c, key:match("(%S+) (%S+)"))
  end
  table.sort(terms)
  return #terms == 0 and "0" or table.concat(terms, "  ")
end

local sin_a, cos_a = {["1 0"] = 1, ["-1 0"] = -1}, {["1 0"] = 1, ["-1 0"] = 1}
local sin_b, cos_b = {["0 1"] = 1, ["0 -1"] = -1}, {["0 1"] = 1, ["0 -1"] = 1}
local left = {["1 1"] = 2, ["-1 -1"] = -2}
local first, second = times(sin_a, cos_b), times(cos_a, sin_b)
for _, row in ipairs {{"4i sin(a+b)", left}, {"4i sin a cos b", first}, {"4i cos a sin b", second}} do
  print(("%-22s %s"):format(row[1], spell(row[2])))
end
print(says{en = "left - right           ", zh = "左边 - 右边            "} .. spell(combine(left, combine(first, second, 1), -1)))
print(says{en = "with a minus instead   ", zh = "换成减号              "} .. spell(combine(left, combine(first, second, -1), -1)))

-- %% [markdown] ref="complete" lang="en"
-- Nothing is left of the first difference, so the formula is proved: for all $a$ and $b$ at once, since $z$ and $w$ stood for
-- anything. Something is left of the second. A polynomial that is not 0 cannot vanish for all $z$, $w$ on the unit circle, so
-- the formula with a minus is false; no formula of this kind falls in between. That is why the method is *complete*, and why
-- `prove` can be asked about false statements as well.

-- %% [markdown] ref="complete" lang="zh"
-- 第一个差什么也没剩下，公式就证明了：一下子对所有 $a$、$b$，因为 $z$、$w$ 可以是任何数。第二个差剩下了东
-- 西。不为零的多项式不可能在单位圆上对所有 $z$、$w$ 都等于零，所以带减号的公式是错的；这一类公式没有夹在
-- 中间的。正因如此，这个方法是*完备*的，假命题也尽可以拿来问 `prove`。

-- %% ref="complete"
local a, b = sym "a b"
local verdict = prove(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b))
-- How a verdict was reached.
function method(v)
  local how = v.method
  local ends = how:find "summand" and "；由一般项推到任意长度" or how:find "induction" and "；对 n 归纳" or ""
  return says{en = how, zh = "Q[z, 1/z] 上的标准形，z = exp(i × 角)" .. ends}
end
print(method(verdict))
print(prove(sin(a + b), sin(a) * cos(b) - cos(a) * sin(b)))
return verdict

-- %% [markdown] ref="lengths" lang="en"
-- ## For every d
-- A code of length $d$ has $d/2$ pairs, and no one can try all $d$. Two arguments reach them all.
--
-- - Both sides are sums over the same range: compare the *general summand*. $\theta_i$ stands for the frequency of any pair, and what holds for it
--   holds for the sum, however long.
-- - One side is a sum and the other is not: use *induction*. Show that both are 0 for no terms, and that they grow by the same amount when one term is
--   added.
--
-- By induction
--
-- $$\sum_{i=0}^{n-1}\cos(ix) = \frac{\sin((n-1/2)x)+\sin(x/2)}{2\sin(x/2)}$$
--
-- is proved where $\sin(x/2) \ne 0$. The verdict states this condition, so nobody has to remember it.

-- %% [markdown] ref="lengths" lang="zh"
-- ## 对每一个 d
-- 长度为 $d$ 的编码有 $d/2$ 对，谁也试不完所有的 $d$。有两种论证能一网打尽。
--
-- - 两边都是和，而且范围相同：比较*一般项*。$\theta_i$ 代表任意一对的频率，对它成立的，对和也成立，不论和有多长。
-- - 一边是和而另一边不是：用*归纳*。证明没有项时两边都是 0，每添一项又增加得一样多。
--
-- 用归纳法，
--
-- $$\sum_{i=0}^{n-1}\cos(ix) = \frac{\sin((n-1/2)x)+\sin(x/2)}{2\sin(x/2)}$$
--
-- 在 $\sin(x/2) \ne 0$ 处得证。这个条件就写在结论里，不必靠谁去记。

-- %% ref="lengths"
local t, k, x, θ = sym "t k x θ"
local i, n = sym("i", "integer"), sym("n", "natural")

local pairs_of_both = sum(sin(t * θ[i]) * sin((t + k) * θ[i])
  + cos(t * θ[i]) * cos((t + k) * θ[i]), i, 0, n - 1)
local by_summand = prove(pairs_of_both, sum(cos(k * θ[i]), i, 0, n - 1),
  {caption = {en = "the inner product of two codes depends on k alone, for every d", zh = "两个编码的内积只依赖 k，对每个 d 都成立"}})
local by_induction = prove(sum(cos(i * x), i, 0, n - 1),
  (sin((n - rat(1, 2)) * x) + sin(x / 2)) / (2 * sin(x / 2)))
print(method(by_summand))
print(method(by_induction))
return {by_summand, by_induction}

-- %% [markdown] ref="add-up" lang="en"
-- ## Exercise: a step of induction
-- To prove $\sum_{i=0}^{n-1}(2i+1) = n^2$ by induction, show that both sides are 0 for $n = 0$ and that they grow alike. Write
-- `growth(n)`: by how much the *right* side grows when a term is added to a sum of $n$ terms.

-- %% [markdown] ref="add-up" lang="zh"
-- ## 练习：归纳的一步
-- 用归纳法证明 $\sum_{i=0}^{n-1}(2i+1) = n^2$：$n = 0$ 时两边都是 0，再证两边增加得一样多。写一个函数 `growth(n)`：$n$ 项的和再
-- 添一项时，*右边*增加多少。

-- %% role="exercise" ref="add-up" points=1
function growth(n)
  --- BEGIN SOLUTION
  return (n + 1) ^ 2 - n ^ 2
  --- END SOLUTION
end

-- %% role="hint" ref="add-up" lang="en"
-- With $n$ terms the right side is $n^2$. What is it with one term more?

-- %% role="hint" ref="add-up" lang="zh"
-- $n$ 项时右边是 $n^2$。多一项时是多少？

-- %% role="hint" ref="add-up" lang="en"
-- $(n+1)^2 - n^2$; it must be the term that the left side gains, the one with $i = n$.

-- %% role="hint" ref="add-up" lang="zh"
-- $(n+1)^2 - n^2$；它应当等于左边添上的那一项，即 $i = n$ 的一项。

-- %% role="check" ref="add-up"
local n = sym("n", "natural")
local got = growth(n)
feedback(not same(got, 2 * n - 1), {
  en = "That is the last term of a sum of n terms, i = n - 1. The one that is added has i = n.",
  zh = "这是 n 项之和的最后一项，i = n - 1。添上的那一项是 i = n。",
})
feedback(not same(got, (n + 1) ^ 2), {
  en = "That is the right side after the step. By how much has it grown?",
  zh = "这是走完一步之后的右边。它增加了多少？",
})
feedback(same(got, 2 * n + 1, {what = "growth(n)"}))

-- %% role="wrong" ref="add-up" expect="the last term"
function growth(n) return n ^ 2 - (n - 1) ^ 2 end

-- %% role="wrong" ref="add-up" expect="By how much"
function growth(n) return (n + 1) ^ 2 end

-- %% [markdown] ref="judge" lang="en"
-- ## A second judge
-- A program that proves can have a mistake, and then it proves what is false. Who judges `prove`? A verdict can be handed to a program that shares
-- no line with it. `v:coq()` is a file for Coq, a proof checker whose kernel is small and old and has been read by many. The file states the formula
-- as the verdict does, for all real $a$, $b$, and gives a *certificate*: which angle is the sum of which, and that what is left is a polynomial
-- identity modulo $s^2 = 1 - c^2$. Coq checks the certificate; how it was found does not matter.
--
-- Here is the end of the file for $\sin(a+b)$. Read its first lines, the statement: is it what you meant? The rest is for Coq.

-- %% [markdown] ref="judge" lang="zh"
-- ## 第二位裁判
-- 做证明的程序自己也可能有错，那它就会把假的证明成真的。谁来裁判 `prove`？
-- 可以把结论交给另一个与它没有一行共同代码的程序：`v:coq()` 给出一份 Coq 文件。Coq 是证明检验器，内核小而老，很多人通读过。
-- 文件里陈述的公式与结论所说的一样，对一切实数 $a$、$b$；后面附一份*证书*：哪个角是哪些角之和，
-- 以及剩下的是模 $s^2 = 1 - c^2$ 的多项式恒等式。Coq 检验证书，至于证书是怎么找到的，无关紧要。
--
-- 下面是 $\sin(a+b)$ 那份文件的末尾。读一读开头几行，也就是命题：是不是你的意思？其余的是给 Coq 看的。

-- %% ref="judge"
local a, b = sym "a b"
local verdict = prove(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b))
local file = verdict:coq()
local stated = file:match "Lemma statement.*"
print(stated)
return verdict

-- %% [markdown] ref="judged" lang="en"
-- A judge who never says no is none. We write a minus into the statement and leave the certificate as it is. What `coqc` said of this
-- file was recorded:
--
--     Error: Tactic failure: not a valid ring equation.
--
-- `make recheck` puts every proved statement of these lessons before Coq, and this false one among others: it must be refused, or the
-- check fails. A verdict whose certificate has passed says *rechecked*. What the second judge is worth: both programs would have to be wrong,
-- and about the same formula. What it is not: a judge of the question. That the formula says what you mean is for you to see, and the file states it
-- in a line.

-- %% [markdown] ref="judged" lang="zh"
-- 从不说“不”的裁判等于没有。我们把陈述里的加号改成减号，证书原样不动。`coqc` 对这份文件的答复记录如下：
--
--     Error: Tactic failure: not a valid ring equation.
--
-- `make recheck` 把这些课里每一个已证明的命题都交给 Coq，连同这一个假命题：它必须被拒绝，否则检查就算失败。证书通过了的结论会标
-- 上*已复核*。第二位裁判值多少？要出错，得两个程序都错，而且错在同一个公式上。它不管什么？它不替你审
-- 题：公式说的是不是你的意思，要你自己看，文件里只用一行就陈述了它。

-- %% ref="judged"
local a, b = sym "a b"
local good = prove(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)):coq()
local wrong = good:gsub("%+ %(%(cos a%) %* %(sin b%)%)", "- ((cos a) * (sin b))", 1)
local stated = wrong:match "(Lemma statement.-)Proof"
print(stated)
return setmetatable({refused = wrong}, {__tostring = function() return says{en = "a false statement, for coqc to refuse", zh = "一个假命题，留给 coqc 去拒绝"} end})

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *A comparison that lets `nan` through.* Every comparison of size with `nan` is false, so `not (error > tolerance)` accepts it. Ask for
-- what is wanted: `error <= tolerance`.
--
-- *A tolerance fitted to the result.* If it is raised until the test passes, the test says that the program does what it does.
-- Derive it first: a sum of $n$ terms added one after the other is off by less than $nu$ times the sum of their sizes, when $nu$
-- is small. A sum that is off by more has a mistake in it.
--
-- *An oracle of the same make.* Two programs that share a table share its mistakes. The period of 710 above passes again when both
-- sides are taken from a table of cosines kept to four digits.
--
-- *A sample that avoids the difficulty.* Random positions are almost never 0, almost never equal, and here never negative.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *放过 `nan` 的比较*。凡是与 `nan` 比大小，结果都是假，所以 `not (error > tolerance)` 会把它收下。应当直接写想要的条件：
-- `error <= tolerance`。
--
-- *照着结果定容差*。一直放宽到测试通过为止，这样的测试只说明程序做了它所做的事。要先推导：$n$ 项逐个相加，只要 $nu$
-- 很小，误差就小于各项大小之和的 $nu$ 倍；超过它，必有差错。
--
-- *同出一源的对照*。两个程序共用一张表，也就共有表里的错。前面那个周期 710，若两边的余弦都取自只留四位的表，照样通过。
--
-- *避开了难处的样本*。随机的位置几乎从不为 0，几乎从不相等，在这里更从不为负。

-- %% ref="practice"
print(says{en = "not (nan > 1e-9) is %s, nan <= 1e-9 is %s", zh = "not (nan > 1e-9) 为 %s，nan <= 1e-9 为 %s"}
  :format(not (nan > 1e-9), nan <= 1e-9))
local u, n = 2^-53, 10000
local x, total, lost_bits = rand(rng(3), n), 0, 0
for i = 1, n do -- what an addition loses is a number itself: the smaller term, less what arrived of it
  local longer = total + x(i)
  if total >= x(i) then lost_bits = lost_bits + (x(i) - (longer - total)) else lost_bits = lost_bits + (total - (longer - x(i))) end
  total = longer
end
print(says{en = "a sum of %d terms is off by %.1e, at most %.1e by derivation",
           zh = "%d 项之和的误差是 %.1e，推导的上界是 %.1e"}:format(n, math.abs(lost_bits), n * u * total))
local function table_cos(t) return floor(cos(t) * 1e4 + 0.5) / 1e4 end
local t = floor(4096 * rand(rng(7), 1000))
local differ = sum(gt(abs(table_cos(t + 710) - table_cos(t)), 1e-4 * (1 + 2^-20)))
print(says{en = "from the table of four digits, %.0f of 1000 positions differ by more than its last digit",
           zh = "用四位的表来算，1000 个位置里有 %.0f 个的差超过末位"}:format(differ))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- `proved`, `certified` and `measured` are three different things to know. Each verdict says which it is, under what conditions, and by what method.
-- A refutation says where, an unknown says why. And believe a check only after you have seen it fail: on every spoiled version of what it checks.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- “已证明”“已严格验证”“实测”是三种不同的“知道”，每个结论都说明自己是哪一种、在什么条件下、用什么方法得到。
-- 驳倒要说出在哪里，未定要说出为什么。而一项检查，只有见过它失败之后才可信：把它检查的东西逐处改坏，每一处它都得察觉。
