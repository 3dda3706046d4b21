-- Recurrence: how far apart words are, and what has to wait for what.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. u is the unit roundoff 2^-53.

-- %% [markdown] ref="chain" lang="en"
-- # Reading word by word
-- Before attention, networks read a text as we do: one word after the other, keeping in mind what came before. A
-- plain recurrent network has a state $h_t$ and a rule,
--
-- $$h_t = \tanh(x_tW_x + h_{t-1}W_h + b)$$
--
-- It needs no position codes: the order is in the reading. Attention gave that up. This lesson measures what was
-- gained: how many steps lie between two words, what that does to learning, and which steps have to wait for one
-- another.

-- %% [markdown] ref="chain" lang="zh"
-- # 一个词一个词地读
-- 有注意力之前，网络读文章和人一样：一个词接着一个词，把前面的记在心里。普通的循环网络有一个状态 $h_t$ 和一
-- 条规则
--
-- $$h_t = \tanh(x_tW_x + h_{t-1}W_h + b)$$
--
-- 它不需要位置编码：次序就在读的过程里。注意力把这一点放弃了。这一课来量一量换来了什么：两个词之间隔着多少步，
-- 这对学习有什么影响，以及哪些步必须等别的步。

-- %% ref="chain"
g = rng(1)
n = 6
P = {Wx = randn(g, n, n) / 2, Wh = randn(g, n, n) / 2, b = zeros(n)}
return rnn(randn(g, 5, n), P)

-- %% [markdown] ref="distance" lang="en"
-- ## How far apart two words are
-- `graph` runs a function and draws which operation needs which. We hand it the words one by one and ask for the
-- shortest way from the first word to the last state: a signal, and on its way back a gradient, must pass at least
-- that many operations. Each step of the recurrent network is three of them, a product, a sum and a tanh, so that the
-- distance is $3T$. In attention it does not depend on $T$.
--
-- The gradient on that way is a product of matrices, one for each step, with $D_t$ the diagonal matrix of $1-h_t^2$:
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- A product of $T$ matrices grows or shrinks like $e^{\lambda T}$. No entry of $D_t$ exceeds 1; so when the largest
-- singular value $\rho$ of $W_h$ is below 1, the gradient is at most $\rho^{T-1}$ times the size of $W_x$: it fades,
-- whatever the words. With large weights it explodes.

-- %% [markdown] ref="distance" lang="zh"
-- ## 两个词隔多远
-- `graph` 把一个函数跑一遍，画出哪个运算要用到哪个。我们把词一个个交给它，问从第一个词到最后一个状态的最短路：信
-- 号至少要经过这么多运算，回来的梯度也一样。循环网络每走一步是三个运算，乘、加、tanh，所以距离是 $3T$。在注意力
-- 里，它与 $T$ 无关。
--
-- 这条路上的梯度是一串矩阵的乘积，一步一个，其中 $D_t$ 是以 $1-h_t^2$ 为对角元的矩阵：
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- $T$ 个矩阵的乘积，大小像 $e^{\lambda T}$ 那样增减。$D_t$ 的元素都不超过 1；所以只要 $W_h$ 的最大奇异值 $\rho$
-- 小于 1，梯度至多是 $W_x$ 大小的 $\rho^{T-1}$ 倍：不管是什么词，梯度都会消失。权重大了，它又会爆炸。

-- %% ref="distance" claim="sa/rnn-distance"
u = 2^-53

-- The states of a recurrent network over a list of words, each a variable of its own.
function states(P)
  return function(words)
    local h, out = zeros(P.Wh.shape[1]), {}
    for t = 1, #words do
      h = tanh(matmul(words[t], P.Wx) + matmul(h, P.Wh))
      out[t] = h
    end
    return out
  end
end
function attend(words) -- attention over a list of words, and a list of outputs
  local X = stack(words, 1)
  local Z, out = attention(X, X, X), {}
  for t = 1, #words do out[t] = Z[t] end
  return out
end
function words(g, T, n)
  local out = {}
  for t = 1, T do out[t] = randn(g, n) end
  return out
end

lengths = {2, 4, 8, 16, 32}
local far, near = {}, {}
for i, T in ipairs(lengths) do
  local x, last = words(rng(T), T, n), ("y[%d]"):format(T)
  far[i] = graph(states(P), x):distance("x[1]", last) - 3 * T
  near[i] = graph(attend, x):distance("x[1]", last)
end

-- ∂h_T/∂x_1 as a vector w times the Jacobian of the last state, and the product of the formula applied to w.
local function backwards(P, x)
  local T, w = #x, ones(n)
  local _, exact = vjp(function(first)
    local all = {first, table.unpack(x, 2)}
    return states(P)(all)[T]
  end, x[1], w)
  local h, by_hand, size = states(P)(x), w, abs(w)
  for t = T, 1, -1 do
    local W = t > 1 and P.Wh or P.Wx
    by_hand = matmul(W, by_hand * (1 - h[t] ^ 2))
    size = matmul(abs(W), size * (1 - h[t] ^ 2))
  end
  return exact, by_hand, size
end
local function product(g)
  local T = 2 + g:below(20)
  local exact, by_hand, size = backwards(P, words(g, T, n))
  -- each of T factors: n products and additions, and 4 roundings of 1 - h²; twice; where tanh is near 1 its own error counts, u/(1-h²)
  return max(abs(exact - by_hand) / size) / (2 * T * (n + 8) * u), "T = " .. T
end

-- Sizes of the gradient after T steps, with weights scaled so that the largest singular value of Wh is ρ.
local function fading(ρ)
  local g = rng(5)
  local W = randn(g, n, n)
  local small = {Wx = eye(n), Wh = W * (ρ / svdvals(W)(1))}
  local worst, x = 0, words(g, 40, n)
  for T = 2, 40, 2 do
    local exact = backwards(small, {table.unpack(x, 1, T)})
    worst = math.max(worst, norm(exact) / (ρ ^ (T - 1) * norm(ones(n)) * (1 + 2 * T * (n + 8) * u)))
  end
  return worst
end
local function size_after(T, gain, n) -- |w ∂h_T/∂x_1|, with zero inputs after the first
  local g = rng(6)
  local P = {Wx = eye(n), Wh = randn(g, n, n) * (gain / sqrt(n))}
  local x = {randn(g, n)}
  for t = 2, T do x[t] = zeros(n) end
  local _, back = vjp(function(first) return states(P)({first, table.unpack(x, 2)})[T] end, x[1], ones(n))
  return norm(back)
end
local grown = {size_after(25, 4, 32), size_after(50, 4, 32), size_after(100, 4, 32)}
print(("gain 4: after 25, 50, 100 steps %.2g, %.2g, %.2g; rate %.2f a step")
  :format(grown[1], grown[2], grown[3], log(grown[3] / grown[1]) / 75))
return {
  measure {claim = "distance in the recurrent network, less 3T", value = far, bound = 0,
           why = "three operations a step, counted"},
  measure {claim = "distance in attention at each length, less that at the first", value = array(near) - near[1], bound = 0,
           why = "counted"},
  measure {claim = "the gradient against the product of the formula, as a share of the bound", f = product, samples = 40, seed = 2,
           bound = 1, why = "T factors with n products each and the roundings of 1 - h^2, relative to the product of absolute values"},
  measure {claim = "size of the gradient over the bound ρ^(T-1), ρ = 0.9 and 0.5", value = {fading(0.9), fading(0.5)}, bound = 1,
           why = "norms of products are at most products of norms, and no entry of D_t exceeds 1"},
  measure {claim = "with large weights: ten times the size at T, over the size at 2T", bound = 1,
           value = {10 * grown[1] / grown[2], 10 * grown[2] / grown[3]}, why = "it more than grows tenfold from 25 to 50 and 50 to 100"},
}

-- %% [markdown] ref="parallel" lang="en"
-- ## What has to wait
-- The *critical path* of a calculation is its longest chain of operations of which each needs the one before. With
-- any number of processors it takes at least that many steps. For the recurrent network the chain has $3T$ links; for
-- attention it has always the same number.
--
-- The usual sentence "recurrent networks cannot run in parallel" has an exception worth knowing. Without the tanh the
-- rule is linear,
--
-- $$h_t = a_th_{t-1} + b_t$$
--
-- and two steps make one of the same kind: first $(a_1, b_1)$, then $(a_2, b_2)$ is $(a_2a_1, a_2b_1+b_2)$. So steps
-- can be combined in pairs, pairs of pairs and so on: a *scan*, with $\lceil\log_2T\rceil$ rounds. Recent state-space
-- models are built on this. We check it against the plain loop: both make at most $2T$ roundings of what is added up.

-- %% [markdown] ref="parallel" lang="zh"
-- ## 什么必须等
-- 一个计算的*关键路径*，是其中最长的一串运算，每个都要用到前一个的结果。处理器再多，步数也不会少于它。循环网络
-- 的这条链有 $3T$ 环；注意力的总是一样长。
--
-- 人们常说“循环网络无法并行”，其实有个值得知道的例外。去掉 tanh，规则是线性的，
--
-- $$h_t = a_th_{t-1} + b_t$$
--
-- 两步合起来还是这样的一步：先 $(a_1, b_1)$，后 $(a_2, b_2)$，就是 $(a_2a_1, a_2b_1+b_2)$。于是可以两步两步地合，再两对两对
-- 地合，如此下去，叫做*扫描*，共 $\lceil\log_2T\rceil$ 轮。近来的状态空间模型就建立在这上面。我们拿它与老老实实的
-- 循环对照：两者的舍入都至多是 $2T$ 次，每次相对于被加起来的东西。

-- %% ref="parallel" claim="sa/rnn-parallel"
local chain, flat = {}, {}
for i, T in ipairs(lengths) do
  local x = words(rng(T), T, n)
  chain[i] = graph(states(P), x).critical_path - 3 * T
  flat[i] = graph(attend, x).critical_path
end
local a1, b1, a2, b2, h = sym "a1 b1 a2 b2 h"
local function scanned(g)
  local T = 2 + g:below(500)
  local a, b = 2 * rand(g, T) - 1, randn(g, T)
  local loop, waits = recurrence(a, b)
  local scan, rounds = recurrence(a, b, {method = "scan"})
  local bound = 2 * 2 * T * u * recurrence(abs(a), abs(b))
  local wrong_count = (waits == T and rounds == ceil(log(T) / log(2))) and 0 or 2
  return max(abs(loop - scan) / bound) + wrong_count, "T = " .. T
end
return {
  measure {claim = "critical path of the recurrent network, less 3T", value = chain, bound = 0, why = "counted"},
  measure {claim = "critical path of attention, less that at the first length", value = array(flat) - flat[1], bound = 0, why = "counted"},
  prove(a2 * (a1 * h + b1) + b2, (a2 * a1) * h + (a2 * b1 + b2)), mutants(a2 * (a1 * h + b1) + b2, (a2 * a1) * h + (a2 * b1 + b2)),
  measure {claim = "scan against loop, as a share of the bound; the scan takes log2 T rounds", f = scanned, samples = 60, seed = 3, bound = 1,
           why = "each makes at most 2T roundings of sums of |a...a b|"},
}

-- %% [markdown] ref="order" lang="en"
-- ## Order is built in
-- Take the mean of all states as the summary of a text. Shuffle the words: the recurrent network gives another
-- summary, attention the same one, because it adds up the same terms in another order. So the one has the order of
-- the words built in, whether it matters or not; the other does not see it at all.

-- %% [markdown] ref="order" lang="zh"
-- ## 次序是天生的
-- 把所有状态的平均当作一篇文章的概要。打乱词的次序：循环网络给出另一个概要，注意力给出的还是原来那个，因为它加的还是
-- 那些项，只是先后不同。所以前者天生带着词序，不管有没有用；后者则根本看不见。

-- %% ref="order" claim="sa/linear-order"
local shuffled = {4, 2, 5, 1, 3}
local function moved(g)
  local X = randn(g, 5, n)
  local Y = take(X, shuffled)
  return max(abs(mean(rnn(X, P), 1) - mean(rnn(Y, P), 1))), X, Y
end
local function same_summary(g)
  local _, X, Y = moved(g)
  -- scores: 2(n+2)u Σ|x||x|/√n; weights e^(2δ), 2(2·5+6)u; the mean of 5 outputs 2·5u more: all of the largest |x|
  local δ = 2 * (n + 2 + 2) * u * max(matmul(abs(X), abs(X).T)) / sqrt(n)
  local bound = 1.01 * (2 * δ + 2 * 16 * u + 10 * u) * max(abs(X))
  return max(abs(mean(attention(X, X, X), 1) - mean(attention(Y, Y, Y), 1))) / bound
end
return {
  measure {claim = "attention's summary, shuffled, as a share of the bound", f = same_summary, samples = 50, seed = 4, bound = 1,
           why = "the same terms in another order: only rounding may differ"},
  measure {claim = "0.01 over the change in the recurrent network's summary", samples = 50, seed = 4, bound = 1,
           f = function(g) return 0.01 / (moved(g)) end, why = "shuffling moves it by more than 0.01, far beyond rounding"},
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Clipping hides explosions.* Programs cut gradients that grow too large. That keeps training from diverging; it
-- does not bring back what the first word contributed.
--
-- *Fading is silent.* Nothing overflows, the loss falls, and the network has simply not learned anything that needs
-- more than a few dozen steps. Look at the size of $\partial h_T/\partial x_1$, as below, before believing that it
-- has.
--
-- *Constant distance is not free.* Attention's path is short because it computes all $T^2$ scores.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *裁剪掩盖了爆炸。*程序会把太大的梯度截短，训练因而不致发散；但第一个词的贡献并不会因此找回来。
--
-- *消失是无声的。*没有溢出，损失也在降，只是凡需要几十步以上的东西，网络都没有学到。在相信它学到了之前，先像下面这样
-- 看看 $\partial h_T/\partial x_1$ 的大小。
--
-- *距离恒定不是白来的。*注意力的路之所以短，是因为它把 $T^2$ 个打分全都算了。

-- %% ref="practice"
local steps, curves = {1, 2, 5, 10, 20, 35, 50, 75, 100}, {}
for c, gain in ipairs {0.5, 1, 2} do
  local W = randn(rng(8), 16, 16) * (gain / 4)
  curves[c] = {}
  for i, T in ipairs(steps) do
    local x = words(rng(9), T, 16)
    local _, back = vjp(function(first)
      return states({Wx = eye(16), Wh = W})({first, table.unpack(x, 2)})[T]
    end, x[1], ones(16))
    curves[c][i] = norm(back)
  end
  print(("gain %.1f   after 1, 10, 50, 100 steps: %8.2g %8.2g %8.2g %8.2g"):format(
    gain, curves[c][1], curves[c][4], curves[c][7], curves[c][9]))
end
return plot(steps, curves, {labels = {"gain 0.5", "gain 1", "gain 2"}, log = "y", xlabel = "steps T", ylabel = "gradient", style = "both"})

-- %% [markdown] ref="two-steps" lang="en"
-- ## Exercise: two steps in one
-- First $h \mapsto a_1h + b_1$, then $h \mapsto a_2h + b_2$. Write `compose(a1, b1, a2, b2)`, which returns the two
-- numbers $a$ and $b$ of the single step $h \mapsto ah + b$ that does both.

-- %% [markdown] ref="two-steps" lang="zh"
-- ## 练习：两步并作一步
-- 先 $h \mapsto a_1h + b_1$，后 $h \mapsto a_2h + b_2$。写一个函数 `compose(a1, b1, a2, b2)`，返回两个数 $a$ 和 $b$，使单独一步
-- $h \mapsto ah + b$ 抵得上这两步。

-- %% role="exercise" ref="two-steps" points=2
function compose(a1, b1, a2, b2)
  --- BEGIN SOLUTION
  return a2 * a1, a2 * b1 + b2
  --- END SOLUTION
end

-- %% role="hint" ref="two-steps" lang="en"
-- Put the result of the first step into the second and multiply out.
-- %% role="hint" ref="two-steps" lang="zh"
-- 把第一步的结果代入第二步，乘开。

-- %% role="hint" ref="two-steps" lang="en"
-- $a_2(a_1h + b_1) + b_2$: what stands with $h$, and what does not?
-- %% role="hint" ref="two-steps" lang="zh"
-- $a_2(a_1h + b_1) + b_2$：哪些带着 $h$，哪些不带？

-- %% role="check" ref="two-steps"
local a1, b1, a2, b2 = sym "a1 b1 a2 b2"
local a, b = compose(a1, b1, a2, b2)
feedback(a ~= nil and b ~= nil, {en = "`compose` must return two values, a and b.", zh = "`compose` 要返回 a、b 两个值。"})
feedback(not same(b, a1 * b2 + b1), {
  en = "This does the second step first. The order matters for b: it is the later step that multiplies what was there before.",
  zh = "这样是先做了第二步。次序对 b 有影响：是后一步去乘前面已有的东西。",
})
feedback(not same(b, b1 + b2), {
  en = "b is not the sum: b1 was there when the second step multiplied by a2.",
  zh = "b 不是两者之和：第二步乘 a2 的时候，b1 已经在里面了。",
})
feedback(same(a, a2 * a1, {what = "a"}))
feedback(same(b, a2 * b1 + b2, {what = "b"}))

-- %% role="wrong" ref="two-steps" expect="second step first"
function compose(a1, b1, a2, b2) return a1 * a2, a1 * b2 + b1 end

-- %% role="wrong" ref="two-steps" expect="not the sum"
function compose(a1, b1, a2, b2) return a1 * a2, b1 + b2 end

-- %% [markdown] ref="rate" lang="en"
-- ## Exercise: one step of the gradient
-- A network with a single number as its state: $h' = \tanh(wh + x)$. Write `factor(w, h2)`: by what number $\partial
-- h'/\partial h$ a gradient is multiplied in this step, from $w$ and the new state $h'$, here `h2`.

-- %% [markdown] ref="rate" lang="zh"
-- ## 练习：梯度走一步
-- 设网络的状态只是一个数：$h' = \tanh(wh + x)$。写一个函数 `factor(w, h2)`：用 $w$ 和新状态 $h'$（即 `h2`）表示梯度在这一步乘上的数
-- $\partial h'/\partial h$。

-- %% role="exercise" ref="rate" points=1
function factor(w, h2)
  --- BEGIN SOLUTION
  return w * (1 - h2 ^ 2)
  --- END SOLUTION
end

-- %% role="hint" ref="rate" lang="en"
-- The derivative of $\tanh$ can be written with its value alone.
-- %% role="hint" ref="rate" lang="zh"
-- $\tanh$ 的导数可以只用它自己的值来写。

-- %% role="hint" ref="rate" lang="en"
-- It is $1 - \tanh^2$. What does the chain rule multiply it with?
-- %% role="hint" ref="rate" lang="zh"
-- 是 $1 - \tanh^2$。链式法则还要乘上什么？

-- %% role="check" ref="rate"
local w, h = sym "w h"
local got = factor(w, h)
feedback(not same(got, w), {
  en = "That is the step without tanh. Near ±1 the tanh hardly moves: its derivative belongs there as well.",
  zh = "这是没有 tanh 的一步。在 ±1 附近 tanh 几乎不动：它的导数也要算进去。",
})
feedback(not same(got, 1 - h ^ 2), {
  en = "The derivative of tanh is right, but inside it h is multiplied by w.",
  zh = "tanh 的导数对了，可里面的 h 还乘着 w。",
})
feedback(same(got, w * (1 - h ^ 2), {what = "factor(w, h2)"}))

-- %% role="wrong" ref="rate" expect="without tanh"
function factor(w, h2) return w end

-- %% role="wrong" ref="rate" expect="multiplied by w"
function factor(w, h2) return 1 - h2 ^ 2 end

-- %% [markdown] ref="rounds" lang="en"
-- ## Exercise: rounds of a scan
-- In each round of a scan every result covers twice as many steps as before, beginning with one. Write `rounds(T)`:
-- how many rounds $T$ steps take, for a whole number $T \ge 1$.

-- %% [markdown] ref="rounds" lang="zh"
-- ## 练习：扫描要几轮
-- 扫描每做一轮，各个结果所覆盖的步数就翻一倍，起初是一步。写一个函数 `rounds(T)`：$T$ 步要几轮，$T \ge 1$ 为整数。

-- %% role="exercise" ref="rounds" points=1
function rounds(T)
  --- BEGIN SOLUTION
  local r = 0
  while 2 ^ r < T do r = r + 1 end
  return r
  --- END SOLUTION
end

-- %% role="hint" ref="rounds" lang="en"
-- After $r$ rounds a result covers $2^r$ steps.
-- %% role="hint" ref="rounds" lang="zh"
-- $r$ 轮之后，一个结果覆盖 $2^r$ 步。

-- %% role="hint" ref="rounds" lang="en"
-- The smallest $r$ with $2^r \ge T$. Try $T = 1$, 4 and 5.
-- %% role="hint" ref="rounds" lang="zh"
-- 满足 $2^r \ge T$ 的最小的 $r$。拿 $T = 1$、4、5 试试。

-- %% role="check" ref="rounds"
feedback(type(rounds(8)) == "number", {en = "`rounds` must return a number.", zh = "`rounds` 要返回一个数。"})
feedback(rounds(5) ~= 2, {
  en = "For 5 steps you say 2 rounds, but these cover only 4. Round up, not down.",
  zh = "5 步你说 2 轮，可 2 轮只覆盖 4 步。要向上取整。",
})
feedback(rounds(8) ~= 7 and rounds(8) ~= 8, {
  en = "That is the loop, one step after the other. A scan doubles what it covers in each round.",
  zh = "那是一步接一步的循环。扫描每一轮覆盖的步数都翻倍。",
})
feedback(rounds(8) ~= 4, {
  en = "8 steps take 3 rounds: 1, 2, 4, 8. A power of two needs no round more.",
  zh = "8 步要 3 轮：1、2、4、8。恰好是 2 的幂时不必多加一轮。",
})
for T, right in pairs {[1] = 0, [2] = 1, [3] = 2, [8] = 3} do
  feedback(same(rounds(T), right, {what = ("rounds(%d)"):format(T)}))
end
--- BEGIN HIDDEN TESTS
for _, T in ipairs {7, 16, 17, 1000, 1024, 1025} do
  local _, right = recurrence(0, zeros(T), {method = "scan"})
  feedback(same(rounds(T), right, {what = ("rounds(%d)"):format(T)}))
end
--- END HIDDEN TESTS

-- %% role="wrong" ref="rounds" expect="Round up"
function rounds(T) return floor(log(T) / log(2) + 1e-12) end

-- %% role="wrong" ref="rounds" expect="one step after the other"
function rounds(T) return T - 1 end

-- %% role="wrong" ref="rounds" expect="power of two"
function rounds(T) return floor(log(T) / log(2) + 1e-12) + 1 end

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- In a recurrent network the first word is $3T$ operations away, its gradient is a product of $T$ matrices, and the
-- steps wait for each other unless they are linear. Attention has a constant distance and a constant critical path.
-- It pays with $T^2$ scores, and with blindness for order: how to give the order back is what all further lessons are
-- about.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 在循环网络里，第一个词远在 $3T$ 个运算之外，它的梯度是 $T$ 个矩阵的乘积，各步必须依次等待，除非是线性的。
-- 注意力的距离恒定，关键路径也恒定，代价是
-- $T^2$ 个打分，以及看不见次序：怎样把次序还给它，就是往后各课的内容。
