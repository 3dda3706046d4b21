-- Recurrence: how far apart words are, and what has to wait for what.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. u is the unit roundoff 2^-53.

-- %% [markdown] ref="chain" lang="en"
-- # Reading word by word
-- *Dog bites man.* Before attention, networks read a sentence as we do: one word after the other, and they kept in mind what came before. A plain
-- recurrent network has a state $h_t$ and a rule,
--
-- $$h_t = \tanh(x_tW_x + h_{t-1}W_h + b)$$
--
-- It needs no positional encoding: the order is in the reading. Attention gave that up. What was gained? In this lesson we count the steps between
-- two words, see what they do to learning, and find which steps must wait for each other.
--
-- Below, a network of six units reads eight words; then it reads them again, with another first word. *Predict:* which of the eight states moves most, and
-- how much of that is left in the last?

-- %% [markdown] ref="chain" lang="zh"
-- # 一个词一个词地读
-- “狗咬人。”注意力出现之前，网络读句子和人一样：一个词接着一个词，把前面的记在心里。普通的循环网络有一个状态 $h_t$ 和一条规则
--
-- $$h_t = \tanh(x_tW_x + h_{t-1}W_h + b)$$
--
-- 它不需要位置编码：次序就在读的过程里。注意力把这一点放弃了，换来了什么？这一课数一数两个词之间隔着多少步，
-- 看看这对学习有什么影响，以及哪些步必须等别的步。
--
-- 下面是一个有六个单元的网络，它读八个词；再把第一个词换掉，重读一遍。*先猜一猜*：八个状态里哪个变得最多？到最后一个还剩多少？

-- %% ref="chain"
g, n = rng(1), 6
P = {Wx = randn(g, n, n) / 2, Wh = randn(g, n, n) / 2, b = zeros(n)}
local text, first = randn(g, 8, n), randn(g, 1, n)
local once, again = rnn(text, P), rnn(concat{first, text[{ {2, 8}, {} }]}, P)
for t = 1, 8 do
  print(says{en = "state %d moves by %.3f", zh = "第 %d 个状态变了 %.3f"}:format(t, norm(again[t] - once[t])))
end

-- %% [markdown] ref="memory" lang="en"
-- ## Predict: how much is left of the first word?
-- The simplest network has one number as its state and no tanh: $h_t = ah_{t-1} + x_t$, with $h_0 = 0$. After $T$ words, by what number has the first
-- word $x_1$ been multiplied in $h_T$? Your `a` and `T` are below; set `left` to that number.

-- %% [markdown] ref="memory" lang="zh"
-- ## 先猜：第一个词还剩多少？
-- 最简单的网络，状态只是一个数，也没有 tanh：$h_t = ah_{t-1} + x_t$，$h_0 = 0$。读完 $T$ 个词，$h_T$ 里第一个词 $x_1$ 的系数是多少？
-- `a` 与 `T` 如下，把这个数赋给 `left`。

-- %% role="exercise" ref="memory" points=1 variants=6
a = ({0.5, 0.9, 0.8, 1.1, 0.25, 1.5})[variant]
T = ({11, 51, 21, 41, 6, 16})[variant]
--- BEGIN SOLUTION
left = a ^ (T - 1)
--- END SOLUTION

-- %% role="hint" ref="memory" lang="en"
-- Write down $h_1$, $h_2$ and $h_3$. What stands before $x_1$ in each?
-- %% role="hint" ref="memory" lang="zh"
-- 写出 $h_1$、$h_2$、$h_3$，看看 $x_1$ 前面各是什么。

-- %% role="hint" ref="memory" lang="en"
-- In $h_1$ it is 1, in $h_2$ it is $a$, in $h_3$ it is $a^2$.
-- %% role="hint" ref="memory" lang="zh"
-- $h_1$ 里是 1，$h_2$ 里是 $a$，$h_3$ 里是 $a^2$。

-- %% role="check" ref="memory"
local a, T = table.unpack(({{0.5, 11}, {0.9, 51}, {0.8, 21}, {1.1, 41}, {0.25, 6}, {1.5, 16}})[variant])
feedback(type(left) == "number", {en = "`left` must be a number.", zh = "`left` 要是一个数。"})
feedback(not same(left, a ^ T, {tol = 1e-6}), {
  en = "One factor too many: x_1 enters h_1 without being multiplied.",
  zh = "多乘了一次：x_1 进入 h_1 时还没有乘 a。",
})
feedback(not same(left, a * (T - 1)) and not same(left, a * T), {
  en = "Each step multiplies what is there; it does not add a.",
  zh = "每走一步是乘一次 a，不是加一次。",
})
feedback(same(left, a ^ (T - 1), {what = "left", tol = 1e-6}))

-- %% role="wrong" ref="memory" expect="One factor too many"
local a, T = table.unpack(({{0.5, 11}, {0.9, 51}, {0.8, 21}, {1.1, 41}, {0.25, 6}, {1.5, 16}})[variant])
left = a ^ T

-- %% role="wrong" ref="memory" expect="does not add a"
local a, T = table.unpack(({{0.5, 11}, {0.9, 51}, {0.8, 21}, {1.1, 41}, {0.25, 6}, {1.5, 16}})[variant])
left = a * (T - 1)

-- %% [markdown] ref="fade" lang="en"
-- ## What is left of a gradient
-- What holds for a word holds for the gradient that goes back to it, and without a gradient the network cannot learn that the first word matters. Here is
-- a network of 16 units with random weights: their standard deviation is $a/\sqrt{16}$, and $a$ is called the *gain*. The curve shows how large the
-- gradient is that comes back from step $T$ to the first word. *Predict:* for which gains does it fade, and for which does it explode? Then move the gain.

-- %% [markdown] ref="fade" lang="zh"
-- ## 梯度还剩多少
-- 词是这样，往回传到它的梯度也是这样；而没有梯度，网络就学不到第一个词有什么用。下面的网络有 16 个单元，权重取随机数，标准差为
-- $a/\sqrt{16}$，$a$ 叫做*增益*（gain）。曲线画的是梯度从第 $T$ 步传回第一个词时有多大。
-- *先猜一猜*：增益多大时梯度会消失，多大时会爆炸？然后改变增益看看。

-- %% ref="fade"
local Q, texts = randn(rng(8), 16, 16) / 4, randn(rng(9), 60, 16)
local function sizes(gain)
  local h, D, out = zeros(16), {}, {}
  for t = 1, 60 do
    h = tanh(texts[t] + matmul(h, gain * Q))
    D[t] = 1 - h ^ 2
  end
  for T = 1, 60 do -- from step T back to the first word
    local v = ones(16) * D[T]
    for t = T - 1, 1, -1 do v = matmul(gain * Q, v) * D[t] end
    out[T] = norm(v)
  end
  return out
end
return vary(function(p)
  return plot(range(1, 60), {sizes(p.gain)}, {log = "y", ylim = {1e-20, 1e6},
    xlabel = "T", ylabel = says{en = "gradient", zh = "梯度"}})
end, {gain = {0.5, 1, 1.5, 2, 3, 4, default = 1, label = says{en = "gain", zh = "增益"}}})

-- %% [markdown] ref="distance" lang="en"
-- ## How far apart two words are
-- On the left a text is read word by word; on the right the last word looks at all of them at once. *Predict:* how many operations lie between the
-- first word and the last result, on each side?
--
--     x₁    x₂    x₃    x₄          x₁    x₂    x₃    x₄
--     ↓     ↓     ↓     ↓            ╲     ╲    ╱     ╱
--     h₁ →  h₂ →  h₃ →  h₄                   z₄
--
-- `graph` runs a function and notes which operation needs which. We hand it the words one by one and ask for the shortest and the longest way from the
-- first word to the last result. A signal must pass at least as many operations as the shortest has, and so must a gradient on its way back. Each step of
-- the recurrent network is three of them, a product, a sum and a tanh (we take $b = 0$ and leave it out). A matrix product, or a sum over all words, counts
-- as one operation: no term in it has to wait for another.

-- %% [markdown] ref="distance" lang="zh"
-- ## 两个词隔多远
-- 左边一个词一个词地读；右边，最后一个词一眼看见所有的词。*先猜一猜*：两边从第一个词到最后的结果，各要经过多少个运算？
--
--     x₁    x₂    x₃    x₄          x₁    x₂    x₃    x₄
--     ↓     ↓     ↓     ↓            ╲     ╲    ╱     ╱
--     h₁ →  h₂ →  h₃ →  h₄                   z₄
--
-- `graph` 把一个函数跑一遍，记下哪个运算要用到哪个的结果。我们把词一个个交给它，问从第一个词到最后的结果，最短的路和最长的路各有多长：
-- 信号去的时候，经过的运算至少有最短的路那么多，梯度回来也一样。循环网络每走一步是三个运算，乘、加、tanh（取 $b = 0$，略去不写）。
-- 一次矩阵乘积，或一次对所有词的求和，这里只算一个运算：其中各项谁也不必等谁。

-- %% ref="distance"
-- The states of a recurrent network over a list of words, each word a
-- variable of its own.
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
-- Attention over a list of words, operation by operation: the outputs.
function attend(words)
  local X = stack(words, 1)
  local E = exp(matmul(X, transpose(X)) / sqrt(n))
  local Z, out = matmul(E, X) / reshape(sum(E, 2), #words, 1), {}
  for t = 1, #words do out[t] = Z[t] end
  return out
end
function words(g, T, n)
  local out = {}
  for t = 1, T do out[t] = randn(g, n) end
  return out
end

display(picture("paths", {lang = says{en = "en", zh = "zh"}}))
lengths = {2, 4, 8, 16, 32}
local far, near = {}, {}
print(says{en = "words   recurrent network   attention   (shortest to longest way)", zh = " 词数     循环网络          注意力     （最短到最长的路）"})
for i, T in ipairs(lengths) do
  local x, last = words(rng(T), T, n), ("y[%d]"):format(T)
  local chain, star = graph(states(P), x), graph(attend, x)
  far[i] = {chain:distance("x[1]", last), chain:path("x[1]", last)}
  near[i] = {star:distance("x[1]", last), star:path("x[1]", last)}
  print(says{en = "%5d %8d to %-8d %4d to %d", zh = "%5d %8d 到 %-8d %4d 到 %d"}
    :format(T, far[i][1], far[i][2], near[i][1], near[i][2]))
end
print(says{en = "Recurrent network: 3T operations. Attention: no more for a longer text.", zh = "循环网络：3T 个运算。注意力：文本再长也不增加。"})
ways = {
  measure {
    claim = {en = "the ways through the recurrent network take 3T operations", zh = "循环网络中的路要经过 3T 个运算"},
    value = array(far) - 3 * reshape(array(lengths), #lengths, 1), bound = 0,
    why = says{en = "three operations a step, counted along the shortest and the longest", zh = "每步三次运算，沿最短与最长的路数出"},
  },
  measure {
    claim = {en = "the ways through attention are as long as for two words", zh = "注意力中的路与两个词时一样长"},
    value = array(near) - array(near[1]), bound = 0, why = says{en = "counted", zh = "数出来的"},
  },
}
return ways

-- %% [markdown] ref="rate" lang="en"
-- ## Exercise: one step of the gradient
-- In the picture of the gradients they fade up to a gain of 1.5, hold their size at about 2, and explode from 3 on. Why does a gain of 1.5 not make them
-- grow? One step shows it. Take a network with a single number as its state: the new state is $h' = \tanh(wh + x)$. Write `factor(w, h2)`: by what number $\partial h'/\partial h$ a gradient is
-- multiplied in this step, from $w$ and the new state $h'$, here `h2`.

-- %% [markdown] ref="rate" lang="zh"
-- ## 练习：梯度走一步
-- 在梯度的那幅图里，增益不超过 1.5 时梯度消失，约为 2 时大体不变，到了 3 就爆炸。增益是 1.5，梯度为什么不增长？看一步就明白了。
-- 设网络的状态只是一个数，新状态为 $h' = \tanh(wh + x)$。写一个函数 `factor(w, h2)`：用 $w$ 和新状态 $h'$（即 `h2`）表示梯度在这一步乘上的数
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
feedback(not same(got, w * (1 - tanh(h) ^ 2)), {
  en = "The new state is a value of tanh already: its derivative there is 1 - h2^2, and no tanh is taken again.",
  zh = "新状态本身就是 tanh 的值：那里的导数是 1 - h2^2，不要再取一次 tanh。",
})
feedback(same(got, w * (1 - h ^ 2), {what = "factor(w, h2)"}))

-- %% role="wrong" ref="rate" expect="without tanh"
function factor(w, h2) return w end

-- %% role="wrong" ref="rate" expect="multiplied by w"
function factor(w, h2) return 1 - h2 ^ 2 end

-- %% role="wrong" ref="rate" expect="a value of tanh already"
function factor(w, h2) return w * (1 - tanh(h2) ^ 2) end

-- %% [markdown] ref="gradient" lang="en"
-- ## The gradient as a product
-- So tanh shrinks the gradient in every step, by the factor $1 - h'^2 \le 1$, and the weights must make up for it. With more units the factors become matrices, one
-- for each step; $D_t$ is the diagonal matrix of $1-h_t^2$:
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- Each factor multiplies a length by some number between its smallest and its largest singular value. Let $W_x = I$, and let $\sigma$ and $\rho$ be the
-- smallest and the largest singular value of $W_h$. No entry of $D_t$ exceeds 1; and if all states stay within $\pm1/4$, none is below $15/16$. Let $w$ be
-- the gradient that arrives at $h_T$, and let $m = T - 1$ be the number of steps back. Then
--
-- $$\left(\frac{15}{16}\right)^{m+1}\sigma^m|w| \le \left|\frac{\partial h_T}{\partial x_1}w\right| \le \rho^m|w|$$
--
-- The right half holds for any words: with $\rho < 1$ the gradient vanishes, whatever is read. The left half says that with $\sigma > 16/15$ there
-- are texts along which it explodes. With random weights the average decides: of 20 networks of 32 units (entries with standard deviation
-- $4/\sqrt{32}$, so a gain of 4), each with a random text, the mean growth rate is positive, by more than five standard errors. For long texts this rate
-- is called the *Lyapunov exponent*.
--
-- > **Texts along which it explodes**
-- > Choose numbers $s_t$ up to $1/4$ first, and let $x_t = s_t - h_{t-1}W_h$; then $h_t = \tanh(s_t)$ stays small. With $W_h = \rho Q$, $Q$
-- > orthogonal, $\sigma$ is $\rho$, and the size goes like $e^{\lambda T}$ with a rate $\lambda$ between $\ln\rho - 0.065$ and $\ln\rho$. An ordinary
-- > text drives the states towards $\pm1$, where $D_t$ is small and works against large weights.

-- %% [markdown] ref="gradient" lang="zh"
-- ## 梯度是一串乘积
-- 可见每走一步，tanh 都使梯度再乘一个因子 $1 - h'^2 \le 1$，要靠权重来弥补。单元多了，每一步的因子就是一个矩阵，
-- 其中 $D_t$ 是以 $1-h_t^2$ 为对角元的对角矩阵：
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- 每个因子把长度改变多少倍，总在它的最小与最大奇异值之间。取 $W_x = I$，设 $W_h$ 的最小、最大奇异值为 $\sigma$ 与 $\rho$。
-- $D_t$ 的对角元都不超过 1；若状态始终在 $\pm1/4$ 以内，又都不小于 $15/16$。设 $w$ 是传到 $h_T$ 的梯度，往回要走 $m = T - 1$ 步，于是
--
-- $$\left(\frac{15}{16}\right)^{m+1}\sigma^m|w| \le \left|\frac{\partial h_T}{\partial x_1}w\right| \le \rho^m|w|$$
--
-- 右半边对任何词都成立：只要 $\rho < 1$，不管读的是什么，梯度都会消失。左半边说，若 $\sigma > 16/15$，就有文本使梯度爆炸。
-- 权重随机时要看平均：取 20 个网络，各有 32 个单元（元素的标准差为 $4/\sqrt{32}$，即增益为 4）和各自的随机文本，
-- 增长率的平均值为正，比零高出五个标准误以上。文本很长时，这个增长率叫做*李雅普诺夫指数*。
--
-- > **使梯度爆炸的文本**
-- > 先取定不超过 $1/4$ 的各个 $s_t$，再令 $x_t = s_t - h_{t-1}W_h$，于是 $h_t = \tanh(s_t)$ 总是很小。当 $W_h = \rho Q$，$Q$ 为正交矩阵时，$\sigma$ 就是
-- > $\rho$，梯度的大小像 $e^{\lambda T}$，增长率 $\lambda$ 在 $\ln\rho - 0.065$ 与 $\ln\rho$ 之间。寻常的文本会把状态推向 $\pm1$，那里 $D_t$ 很小，压住了
-- > 大权重。

-- %% ref="gradient" claim="sa/rnn-distance"
u = 2^-53

-- ∂h_T/∂x_1 applied to w, by exact derivatives.
function back(P, x, w)
  local _, gradient = vjp(function(first)
    return states(P)({first, table.unpack(x, 2)})[#x]
  end, x[1], w)
  return gradient
end
-- The same by the formula; and what it is with absolute values throughout.
local function by_formula(P, x, w)
  local h, v, size = states(P)(x), w, abs(w)
  for t = #x, 1, -1 do
    local W = t > 1 and P.Wh or P.Wx
    v = matmul(W, v * (1 - h[t] ^ 2))
    size = matmul(abs(W), size * (1 - h[t] ^ 2))
  end
  return v, size
end
local function product(g)
  local T = 2 + g:below(20)
  local x, w = words(g, T, n), ones(n)
  local v, size = by_formula(P, x, w)
  -- a factor: n products and additions, a few roundings of 1 - h² (of the
  -- same h); on both sides
  return back(P, x, w) - v, 2 * T * (n + 8) * u * size, "T = " .. T
end

-- How many times longer than w = (1, …, 1) the gradient is.
local function stretched(Wh, x)
  local m = Wh.shape[1]
  return norm(back({Wx = eye(m), Wh = Wh}, x, ones(m))) / norm(ones(m))
end
local spans = {2, 3, 5, 10, 20, 40}

-- Random texts; the largest singular value of Wh is ρ.
local function fading(ρ)
  local g, over = rng(5), {}
  local W = randn(g, n, n)
  local Wh = W * (ρ / svdvals(W)(1))
  for i, T in ipairs(spans) do
    over[i] = stretched(Wh, words(g, T, n)) / ρ ^ (T - 1)
  end
  return over
end

-- A text along which no state leaves ±1/4: what stands under the tanh is
-- chosen first.
local function quiet(g, Wh, T)
  local h, x = zeros(Wh.shape[1]), {}
  for t = 1, T do
    local s = (2 * rand(g, h.size) - 1) / 4
    x[t] = s - matmul(h, Wh)
    h = tanh(s)
  end
  return x
end
-- Wh = ρQ: the gradient over its upper bound, its lower bound over it.
local figures = {}
local function squeezed(ρ, told_lower, told, told_upper)
  local g, over, under = rng(6), {}, {}
  local Wh = ρ * qr(randn(g, n, n))
  for i, T in ipairs(spans) do
    local size = stretched(Wh, quiet(g, Wh, T))
    local upper = ρ ^ (T - 1)
    local lower = (15 / 16) ^ T * upper
    over[i], under[i] = size / upper, lower / size
    if T == 20 then
      print(says{en = "ρ = %.1f, 20 small states: %.2g <= %.2g <= %.2g",
        zh = "ρ = %.1f，20 个小状态：%.2g <= %.2g <= %.2g"}:format(ρ, lower, size, upper))
      local function of_20(en, zh, x, text)
        en, zh = ("ρ = %.1f, 20 small states: "):format(ρ) .. en, ("ρ = %.1f，20 个小状态："):format(ρ) .. zh
        table.insert(figures, figure({en = en, zh = zh}, x, text))
      end
      of_20("the lower bound", "下界", lower, told_lower)
      of_20("the gradient", "梯度", size, told)
      of_20("the upper bound", "上界", upper, told_upper)
    end
  end
  return {over, under}
end
local between = {
  squeezed(0.5, "5.2463e-7", "1.2704e-6", "1.9073e-6"),
  squeezed(0.9, "0.037156", "0.089973", "0.13509"),
  squeezed(2, "1.4421e5", "3.492e5", "524288"),
}

local rates = {}
for seed = 1, 20 do
  local g, m, T = rng(seed), 32, 50
  local Wh = randn(g, m, m) * (4 / sqrt(m))
  rates[seed] = log(stretched(Wh, words(g, T, m))) / (T - 1)
end
rates = array(rates)
local noise = std(rates) / sqrt(rates.size)
print(says{en = "20 networks: rates from %.2f to %.2f, mean %.3f, its standard error %.3f",
  zh = "20 个网络：增长率从 %.2f 到 %.2f，均值 %.3f，标准误 %.3f"}:format(min(rates), max(rates), mean(rates), noise))

-- Rounding: a step errs by (n+8)√n u of the vector it has; what comes after
-- stretches that at most 16/15 times more a step than the vector itself.
local slack = 1 + 40 * (n + 8) * sqrt(n) * (16 / 15) ^ 40 * u
local as_formula = in_bounds {
  claim = {en = "the gradient is that of the formula, but for rounding", zh = "梯度与公式只差舍入"},
  f = product, samples = 40, seed = 2, told = "2179.6",
  why = says{en = "T factors, n products each, and the roundings of 1 - h^2", zh = "T 个因子，各 n 个乘积，加上 1 - h^2 的舍入"},
}
local slow, fast = array(fading(0.9)), array(fading(0.5))
local errors = 5 * noise / math.max(mean(rates), 0)
return {
  ways,
  as_formula,
  measure {
    claim = {en = "random words: the gradient does not exceed ρ^(T-1), ρ = 0.9 and 0.5",
      zh = "随机词：梯度不超过 ρ^(T-1)，ρ = 0.9 与 0.5"},
    value = {slow, fast}, bound = slack,
    why = says{en = "the largest singular value, and no entry of D_t beyond 1", zh = "最大奇异值；D_t 的元素都不超过 1"},
  },
  figure({en = "the largest of these, ρ = 0.9", zh = "其中最大的，ρ = 0.9"}, max(slow), "0.21136"),
  figure({en = "the least, ρ = 0.9", zh = "最小的，ρ = 0.9"}, min(slow), "1.03e-19"),
  figure({en = "the largest of these, ρ = 0.5", zh = "其中最大的，ρ = 0.5"}, max(fast), "0.2072"),
  figure({en = "the least, ρ = 0.5", zh = "最小的，ρ = 0.5"}, min(fast), "2.82e-20"),
  measure {
    claim = {en = "small states: the gradient lies between its bounds",
      zh = "状态小时：梯度在上下界之间"},
    value = between, bound = slack,
    why = says{en = "smallest and largest singular value, and 15/16 <= D_t <= 1", zh = "最小与最大奇异值；15/16 <= D_t <= 1"},
  },
  figures,
  measure {
    claim = {en = "random weights: the mean rate exceeds five of its standard errors", zh = "随机权重：平均增长率超过五个标准误"},
    value = errors, bound = 1,
    why = says{en = "so far from 0 no mean of independent networks comes by chance", zh = "独立网络的均值不会碰巧离 0 这么远"},
  },
  figure({en = "those five over that mean", zh = "那五个标准误与均值之比"}, errors, "0.32217"),
  figure({en = "the mean of the 20 rates", zh = "20 个增长率的均值"}, mean(rates), "0.28398"), figure({en = "its standard error", zh = "它的标准误"}, noise, "0.01830"),
  figure({en = "the least of the 20 rates", zh = "20 个增长率中最小的"}, min(rates), "0.0789"),
  figure({en = "the largest of the 20 rates", zh = "20 个增长率中最大的"}, max(rates), "0.4314"),
  figure({en = "rounding may add so many u to a share of 1", zh = "舍入可给比例 1 添上多少个 u"}, (slack - 1) * 2^53, "1.813e4", {guard = true}),
}

-- %% [markdown] ref="two-steps" lang="en"
-- ## Exercise: two steps in one
-- Must each step wait for the one before? With tanh it must. Without it a step is $h \mapsto ah + b$, and perhaps two such steps can be put together before
-- $h$ is known. First $h \mapsto a_1h + b_1$, then $h \mapsto a_2h + b_2$. Write `compose(a1, b1, a2, b2)`, which returns the two numbers $a$ and $b$ of the single
-- step $h \mapsto ah + b$ that does both.

-- %% [markdown] ref="two-steps" lang="zh"
-- ## 练习：两步并作一步
-- 每一步都非得等前一步吗？有 tanh 就得等。没有 tanh，一步就是 $h \mapsto ah + b$，也许不等 $h$ 算出来，就能先把两步合成一步。
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

-- %% [markdown] ref="rounds" lang="en"
-- ## Exercise: rounds of a scan
-- Steps can be combined in pairs, then pairs of pairs, and so on. This is a *scan*: in each round every result covers twice as many steps as before,
-- beginning with one. Write `rounds(T)`: how many rounds $T$ steps take, for a whole number $T \ge 1$.

-- %% [markdown] ref="rounds" lang="zh"
-- ## 练习：扫描要几轮
-- 可以先两步两步地合，合好的再两两相合，如此下去，叫做*扫描*（parallel scan）：每做一轮，各个结果所覆盖的步数就翻一倍，起初是一步。
-- 写一个函数 `rounds(T)`：$T$ 步要几轮，$T \ge 1$ 为整数。

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
for T, right in ipairs {0, 1, 2, 2, 3, 3, 3, 3} do
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

-- %% [markdown] ref="parallel" lang="en"
-- ## What has to wait
-- The *critical path* of a calculation is its longest chain of operations of which each needs the one before. However many processors there are, it
-- takes at least that many steps. For the recurrent network the chain has $3T$ links; with the gradient it is longer and grows by five links with each
-- word. For attention it always has five: a product for the scores, the division by $\sqrt{d}$, the exponential, a sum over all words, and the quotient. (That was
-- the 5 of the table; the 2 were the product with the values and the quotient.)
--
-- "Recurrent networks cannot run in parallel" has an exception. Without the tanh the rule is linear, $h_t = a_th_{t-1} + b_t$, and you have shown
-- that two steps make one of the same kind:
--
-- $$h \mapsto (a_2a_1)h + (a_2b_1+b_2)$$
--
-- So steps can be combined in pairs, pairs of pairs and so on: this is a *scan*, with $\lceil\log_2T\rceil$ rounds. State-space models
-- such as Mamba are built on it. We check it against the plain loop: both make at most $2T$ roundings.

-- %% [markdown] ref="parallel" lang="zh"
-- ## 什么必须等
-- 一个计算的*关键路径*，是其中最长的一串运算，每个都要用到前一个的结果。处理器再多，步数也不会少于它。
-- 循环网络的这条链有 $3T$ 环；连反向求梯度也算上，链更长，每多一个词就多五环。
-- 注意力的链总是五环：打分的乘积、除以 $\sqrt{d}$、指数、对所有词的求和、相除。（前面那张表里的 5 就是这五环，2 是与值相乘和相除。）
--
-- “循环网络无法并行”有个例外。去掉 tanh，规则是线性的，$h_t = a_th_{t-1} + b_t$；上面的练习已经表明，两步合起来还是同样的一步：
--
-- $$h \mapsto (a_2a_1)h + (a_2b_1+b_2)$$
--
-- 于是可以两步两步地合，合好的再两两相合，这就是*扫描*，共 $\lceil\log_2T\rceil$ 轮。Mamba 等状态空间模型就建立在这上面。
-- 我们拿它与逐步的循环对照：
-- 两边的舍入都至多 $2T$ 次。

-- %% ref="parallel" claim="sa/rnn-parallel"
local chain, flat = {}, {}
for i, T in ipairs(lengths) do
  local x = words(rng(T), T, n)
  chain[i] = graph(states(P), x).critical_path - 3 * T
  flat[i] = graph(attend, x).critical_path
end

-- Forward and backward: the gradient by all words of what the last state adds up to.
local both_ways, growth = {}, {}
for i, T in ipairs(lengths) do
  local function last_state(X)
    local x = {}
    for t = 1, T do x[t] = X[t] end
    return sum(states(P)(x)[T])
  end
  both_ways[i] = graph(grad(last_state), randn(rng(T), T, n)).critical_path
  if i > 1 then growth[i - 1] = (both_ways[i] - both_ways[i - 1]) / (T - lengths[i - 1]) end
end
print(says{en = "forward and backward: %d links for %d words, %d for %d", zh = "前向加反向：%d 环（%d 个词），%d 环（%d 个词）"}:format(
  both_ways[1], lengths[1], both_ways[#both_ways], lengths[#lengths]))
local shortest, longest = chain[1] + 3 * lengths[1], chain[#lengths] + 3 * lengths[#lengths]
local a1, b1, a2, b2, h = sym "a1 b1 a2 b2 h"
local one_by_one = a2 * (a1 * h + b1) + b2
local in_one = (a2 * a1) * h + (a2 * b1 + b2)

local function doublings(T) return math.ceil(math.log(T, 2)) end -- of 1, until T is reached; a power of two has an exact one
local function scanned(g)
  local T = g:below(3) == 0 and 1 << (1 + g:below(8)) or 2 + g:below(250)
  local a, b = 2 * rand(g, T) - 1, randn(g, T)
  local loop, waits = recurrence(a, b)
  local scan, rounds = recurrence(a, b, {method = "scan"})
  if not (waits == T and rounds == doublings(T)) then
    return nan, 1, ("%d rounds for T = %d"):format(rounds, T)
  end
  local size = recurrence(abs(a), abs(b))
  return loop - scan, 2 * 2 * T * u * size, "T = " .. T
end
local _, rounds = recurrence(0.5, ones(1000), {method = "scan"})
local function links(n)
  return {en = ("links of the longest path for %d words"):format(n), zh = ("%d 个词时最长路径的环数"):format(n)}
end
print(says{en = "1000 steps one by one, or %d rounds", zh = "1000 步一步步走，或 %d 轮"}:format(rounds))
local as_the_loop = in_bounds {
  claim = {en = "log2 T rounds of the scan give what the loop gives, but for rounding", zh = "log2 T 轮的扫描与逐步循环只差舍入"},
  f = scanned, samples = 30, seed = 3, told = "854.13",
  why = says{en = "each makes at most 2T roundings of sums of |a...a b|", zh = "每个至多对 |a...a b| 之和舍入 2T 次"},
}
return {
  measure {
    claim = {en = "the critical path of the recurrent network has 3T links", zh = "循环网络的关键路径长 3T"},
    value = chain, bound = 0, why = says{en = "counted", zh = "数出来的"},
  },
  measure {
    claim = {en = "the critical path of attention is the same at every length", zh = "注意力的关键路径，各个长度都一样长"},
    value = array(flat) - flat[1], bound = 0, why = says{en = "counted", zh = "数出来的"},
  },
  measure {
    claim = {en = "each further word adds as many links, forward and backward together",
      zh = "每多一个词，前向加反向增加的环数都一样"},
    value = array(growth) - growth[1], bound = 0, why = says{en = "counted", zh = "数出来的"},
  },
  fails(measure {claim = {en = "the backward pass adds no links",
    zh = "反向传播不增加环数"}, value = growth[1] - 3, bound = 0, why = says{en = "three a word are the forward pass's", zh = "每个词三次，属于前向计算"}}),
  fails(measure {claim = {en = "the critical path of the recurrent network does not grow",
    zh = "循环网络的关键路径不增长"}, value = longest - shortest, bound = 0, why = says{en = "counted", zh = "数出来的"}}),
  prove(one_by_one, in_one, {caption = {en = "two linear steps make one", zh = "两个线性步合成一步"}}), mutants(one_by_one, in_one),
  figure({en = "rounds of the scan for 1000 steps", zh = "1000 步的扫描轮数"}, rounds, "10"),
  as_the_loop,
  figure(links(lengths[1]), shortest, "6"),
  figure(links(lengths[#lengths]), longest, "96"),
  figure({en = "links a word, forward and backward", zh = "每个词的环数，前向加反向"}, growth[1], "5"),
}

-- %% [markdown] ref="order" lang="en"
-- ## The order is built in
-- Take the mean of all states as the summary of a text, and shuffle the words. *Predict:* does the summary change, for the recurrent network and for
-- attention?
--
-- Without the tanh it can be seen on paper. Of $h_t = ah_{t-1} + x_t$ the first three states add up to
--
-- $$(1 + a + a^2)x_1 + (1 + a)x_2 + x_3$$
--
-- A word counts again in every later state, so the earlier it is read, the more often it counts. Exchanging the first two words changes the sum by
-- $a^2(x_1 - x_2)$, which is 0 for all words only if $a = 0$, when nothing is remembered. And attention? Think of what it adds up.
--
-- > **More than rounding?**
-- > With the tanh we measure. A step takes over the error of the last state, stretched by at most the largest column sum $A$ of $|W_h|$ (tanh
-- > stretches nothing), and adds some roundings of its own. After five words the error is bounded, and the change is far beyond it.

-- %% [markdown] ref="order" lang="zh"
-- ## 次序是天生的
-- 把所有状态的平均当作一段文本的概要，再打乱词的次序。*先猜一猜*：概要变不变？循环网络如何，注意力又如何？
--
-- 去掉 tanh，在纸上就看得出来。由 $h_t = ah_{t-1} + x_t$，前三个状态加起来是
--
-- $$(1 + a + a^2)x_1 + (1 + a)x_2 + x_3$$
--
-- 一个词会在它后面的每个状态里再算一遍，读得越早，算的次数越多。对调前两个词，这个和就改变 $a^2(x_1 - x_2)$；要它对任何词都是 0，
-- 只有 $a = 0$，也就是什么都不记。那么注意力呢？想想它加的是什么。
--
-- > **变化是不是舍入所致**
-- > 有 tanh 时就靠测量。每走一步，上一个状态的误差传过来，至多放大 $A$ 倍，$A$ 是 $|W_h|$ 各列之和中最大的（tanh 不放大误差），
-- > 再加上这一步自己的几次舍入。
-- > 五个词之后误差有界，而实际的变化远远超出了它。

-- %% ref="order" claim="sa/linear-order"
local a, x1, x2, x3 = sym "a x1 x2 x3"
local function total(x1, x2, x3) -- of the first three states
  local h1 = x1
  local h2 = a * h1 + x2
  return h1 + h2 + (a * h2 + x3)
end
local weighted = (1 + a + a^2) * x1 + (1 + a) * x2 + x3

-- What rounding may do to the mean of the states: a product of n terms and
-- two additions err by (n+3)u of sums of absolute values, a tanh by 2u, the
-- mean of five by 5u.
local function rounding(X)
  local A, e = max(sum(abs(P.Wh), 1)), 0
  local step = (n + 3) * u * (max(matmul(abs(X), abs(P.Wx))) + A) + 2 * u
  for _ = 1, X.shape[1] do e = A * e + step end
  return e + 5 * u
end
local function shuffled(g)
  local X = randn(g, 5, n)
  return X, take(X, {4, 2, 5, 1, 3})
end
local function moved(X, Y) return max(abs(mean(rnn(X, P), 1) - mean(rnn(Y, P), 1))) end
local function same_summary(g)
  local X, Y = shuffled(g)
  -- scores: 2(n+4)u Σ|x||x|/√n; weights e^(2δ), 2(2·5+6)u; the mean of 5
  -- outputs 2·5u more: all of the largest |x|
  local δ = 2 * (n + 4) * u * max(matmul(abs(X), abs(X).T)) / sqrt(n)
  local bound = 1.01 * (2 * δ + 2 * 16 * u + 10 * u) * max(abs(X))
  local one, other = attention(X, X, X), attention(Y, Y, Y)
  return mean(one, 1) - mean(other, 1), bound
end
local g = rng(4)
local least, rounded = math.huge, 0
for _ = 1, 50 do
  local X, Y = shuffled(g)
  least = math.min(least, moved(X, Y))
  rounded = math.max(rounded, rounding(X) + rounding(Y))
end
print(says{en = "50 texts: moved by %.4f at least, of which rounding is at most %.1g",
  zh = "50 段文本：至少变了 %.4f，其中舍入至多 %.1g"}:format(least, rounded))
print(says{en = "attention: the same terms in another order, moved by rounding only", zh = "注意力：还是那些项，只是换了先后，变化只有舍入"})
local unchanged = in_bounds {
  claim = {en = "shuffling the words leaves attention's summary as it is, but for rounding", zh = "打乱词序，注意力的概要不变，只差舍入"},
  f = same_summary, samples = 50, seed = 4, told = "556.63",
  why = says{en = "the same terms in another order: only rounding may differ", zh = "同样的项换了次序，只有舍入可能不同"},
}
return {
  prove(total(x1, x2, x3), weighted, {caption = {en = "the earlier a word, the more it counts", zh = "读得越早，算的次数越多"}}), mutants(total(x1, x2, x3), weighted),
  prove(total(x1, x2, x3) - total(x2, x1, x3), a^2 * (x1 - x2), {caption = {
    en = "exchanging the first two changes the sum", zh = "对调前两个词，和就改变"}}),
  unchanged,
  figure({en = "the least change of the recurrent network's summary", zh = "循环网络的概要变化最小的一次"}, least, "0.0779927"),
  figure({en = "rounding may move two summaries by so many u", zh = "舍入可使两个概要变动多少个 u"}, rounded * 2^53, "29688.5"),
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Clipping hides explosions.* Programs cut gradients that grow too large (gradient clipping). This keeps training from diverging; it does not bring
-- back what the first word contributed.
--
-- *A vanishing gradient gives no warning.* Nothing overflows, the loss falls, and the network has learned nothing that needs more than a few dozen
-- steps. Look at the size of $\partial h_T/\partial x_1$ before you believe that it has. The run below does so for three gains.
--
-- *Gates help only in part.* LSTM and GRU carry their memory on by gates that can stay near 1, so that gradients fade more slowly. But each step still waits
-- for the one before, and the longer the text, the farther away its first word is.
--
-- *Constant distance is not free.* Attention's path is short because it computes all $T^2$ scores.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *裁剪掩盖了爆炸*。程序会把太大的梯度截短（梯度裁剪），训练因而不致发散；但第一个词的贡献并不会因此找回来。
--
-- *消失是无声的*。没有溢出，损失也在降，只是凡需要几十步以上的东西，网络都没有学到。在相信它学到了之前，
-- 先看看 $\partial h_T/\partial x_1$ 有多大；下面对三种增益都看了一遍。
--
-- *门控只管一半*。LSTM 和 GRU 用门来传递记忆，门可以一直接近 1，梯度就消失得慢些。可是每一步仍要等前一步，文本越长，第一个词还是越远。
--
-- *距离恒定不是白来的*。注意力的路之所以短，是因为它把 $T^2$ 个打分全都算了。

-- %% ref="practice"
local steps, curves = {1, 2, 5, 10, 20, 35, 50, 75, 100}, {}
print(says{en = "after          1       10       50      100 steps", zh = "步数           1       10       50      100"})
for c, gain in ipairs {0.5, 1, 2} do
  local P = {Wx = eye(16), Wh = randn(rng(8), 16, 16) * (gain / 4)}
  curves[c] = {}
  for i, T in ipairs(steps) do
    curves[c][i] = norm(back(P, words(rng(9), T, 16), ones(16)))
  end
  print(says{en = "gain %.1f %8.2g %8.2g %8.2g %8.2g", zh = "增益 %.1f %8.2g %8.2g %8.2g %8.2g"}:format(
    gain, curves[c][1], curves[c][4], curves[c][7], curves[c][9]))
end
return plot(steps, curves, {
  labels = {says{en = "gain 0.5", zh = "增益 0.5"}, says{en = "gain 1", zh = "增益 1"}, says{en = "gain 2", zh = "增益 2"}}, log = "y", style = "both",
  xlabel = says{en = "steps T", zh = "步数 T"}, ylabel = says{en = "gradient", zh = "梯度"},
})

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- In a recurrent network the first word is $3T$ operations away, its gradient is a product of $T$ matrices, and the steps wait for each other unless
-- they are linear. Attention has a constant distance and a constant critical path. It pays with $T^2$ scores, and it is blind to the
-- order: how to give the order back is what all further lessons are about.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 在循环网络里，第一个词远在 $3T$ 个运算之外，它的梯度是 $T$ 个矩阵的乘积，各步必须依次等待，除非是线性的。
-- 注意力的距离恒定，关键路径也恒定，代价是
-- $T^2$ 个打分，以及看不见次序：怎样把次序还给它，就是往后各课的内容。
