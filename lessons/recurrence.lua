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
-- On the left a text is read word by word; on the right the last word looks at all of them at once.
--
--     x₁    x₂    x₃    x₄          x₁    x₂    x₃    x₄
--     ↓     ↓     ↓     ↓            ╲     ╲    ╱     ╱
--     h₁ →  h₂ →  h₃ →  h₄                   z₄
--
-- `graph` runs a function and notes which operation needs which. We hand it the words one by one and ask for the
-- shortest way from the first word to the last state: a signal must pass at least that many operations, and so must a
-- gradient on its way back. Each step of the recurrent network is three of them, a product, a sum and a tanh (we take
-- $b = 0$ and leave it out). So the distance is $3T$, and no way is longer. In attention neither the shortest way nor
-- the longest depends on $T$. (A product or a sum over all words counts as one operation here; as nobody has to wait for
-- anybody in it, it can be added up in pairs, in $\lceil\log_2T\rceil$ rounds.)

-- %% [markdown] ref="distance" lang="zh"
-- ## 两个词隔多远
-- 左边一个词一个词地读；右边，最后一个词一眼看见所有的词。
--
--     x₁    x₂    x₃    x₄          x₁    x₂    x₃    x₄
--     ↓     ↓     ↓     ↓            ╲     ╲    ╱     ╱
--     h₁ →  h₂ →  h₃ →  h₄                   z₄
--
-- `graph` 把一个函数跑一遍，记下哪个运算要用到哪个的结果。我们把词一个个交给它，问从第一个词到最后一个状态的最短路
-- 有多长：信号去的时候至少要经过这么多运算，梯度回来也一样。循环网络每走一步是三个运算，乘、加、tanh（取
-- $b = 0$，略去不写），所以距离是 $3T$，也没有更长的路。在注意力里，最短的路和最长的路都与 $T$ 无关。（一次矩阵乘积、或一次对所有词的求和，
-- 这里只算一个运算；其中谁也不必等谁，两两相加，$\lceil\log_2T\rceil$ 轮就加完了。）

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

lengths = {2, 4, 8, 16, 32}
local far, near = {}, {}
print("words   recurrent network   attention")
for i, T in ipairs(lengths) do
  local x, last = words(rng(T), T, n), ("y[%d]"):format(T)
  local chain, star = graph(states(P), x), graph(attend, x)
  far[i] = {chain:distance("x[1]", last), chain:path("x[1]", last)}
  near[i] = {star:distance("x[1]", last), star:path("x[1]", last)}
  print(("%5d %8d to %-8d %4d to %d"):format(T, far[i][1], far[i][2],
    near[i][1], near[i][2]))
end
ways = {
  measure {
    claim = {en = "ways through the recurrent network, less 3T", zh = "循环网络中的路径数减去 3T"},
    value = array(far) - 3 * reshape(array(lengths), #lengths, 1), bound = 0,
    why = "three operations a step, counted along the shortest and the longest",
  },
  measure {
    claim = {en = "ways through attention, less those of the first length", zh = "注意力中的路径数减去第一个长度时的路径数"},
    value = array(near) - array(near[1]), bound = 0, why = "counted",
  },
}
return ways

-- %% [markdown] ref="gradient" lang="en"
-- ## What is left of a gradient
-- The gradient on that way is a product of matrices, one for each step, with $D_t$ the diagonal matrix of $1-h_t^2$:
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- Apply it to a column $w$. Each factor changes a length by something between its smallest and its largest singular
-- value. Let $W_x = I$, and let $\sigma$ and $\rho$ be the smallest and the largest singular value of $W_h$. No
-- entry of $D_t$ exceeds 1; and if all states stay within $\pm1/4$, none is below $15/16$. Then
--
-- $$\left(\frac{15}{16}\right)^T\sigma^{T-1}|w| \le \left|\frac{\partial h_T}{\partial x_1}w\right| \le \rho^{T-1}|w|$$
--
-- The right half holds for any words: with $\rho < 1$ the gradient fades, whatever is read. The left half says that
-- with $\sigma > 16/15$ there are texts along which it explodes. Such texts are easily made: choose numbers $s_t$ up to
-- $1/4$ first, and let $x_t = s_t - h_{t-1}W_h$; then $h_t = \tanh(s_t)$. With $W_h = \rho Q$, $Q$ orthogonal,
-- $\sigma$ is $\rho$, and the size goes like $e^{\lambda T}$ with a rate $\lambda$ between $\ln\rho - 0.065$ and
-- $\ln\rho$.
--
-- An ordinary text drives the states towards $\pm1$. There $D_t$ is small and holds back what large weights would blow
-- up; which of the two wins is a matter of averages. We take 20 networks of 32 units, each with random weights (entries
-- with standard deviation $4/\sqrt{32}$) and a random text of its own: the mean of the rates is positive, by more than
-- five standard errors. In the long run such a rate is called the *Lyapunov exponent*.

-- %% [markdown] ref="gradient" lang="zh"
-- ## 梯度还剩多少
-- 这条路上的梯度是一串矩阵的乘积，一步一个，其中 $D_t$ 是以 $1-h_t^2$ 为对角元的矩阵：
--
-- $$\frac{\partial h_T}{\partial x_1} = W_xD_1W_hD_2\cdots W_hD_T$$
--
-- 把它作用在一个列向量 $w$ 上。每个因子把长度改变多少倍，总在它的最小与最大奇异值之间。取 $W_x = I$，设 $W_h$ 的最
-- 小、最大奇异值为 $\sigma$ 与 $\rho$。$D_t$ 的元素都不超过 1；若状态始终在 $\pm1/4$ 以内，又都不小于 $15/16$。于是
--
-- $$\left(\frac{15}{16}\right)^T\sigma^{T-1}|w| \le \left|\frac{\partial h_T}{\partial x_1}w\right| \le \rho^{T-1}|w|$$
--
-- 右半边对任何词都成立：只要 $\rho < 1$，不管读的是什么，梯度都会消失。左半边说，若 $\sigma > 16/15$，就有文章使梯度爆炸。
-- 这种文章不难造：先取定不超过 $1/4$ 的各个 $s_t$，再令 $x_t = s_t - h_{t-1}W_h$，便有 $h_t = \tanh(s_t)$。
-- 当 $W_h = \rho Q$，$Q$ 为正交矩阵时，$\sigma$ 就是 $\rho$，梯度的大小像 $e^{\lambda T}$，增长率 $\lambda$ 在 $\ln\rho - 0.065$ 与 $\ln\rho$ 之间。
--
-- 寻常的文章会把状态推向 $\pm1$。那里 $D_t$ 很小，把大权重撑起来的梯度又压了下去；谁胜谁负，要看平均。下面取 20 个网
-- 络，各有 32 个单元、各自的随机权重（元素的标准差为 $4/\sqrt{32}$）和各自的随机文章：增长率的平均值为正，比零高出五个标
-- 准误差以上。步数趋于无穷时，这个增长率叫做*李雅普诺夫指数*。

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
  return max(abs(back(P, x, w) - v) / size), 2 * T * (n + 8) * u, "T = " .. T
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
      print(("ρ = %.1f, 20 small states: %.2g <= %.2g <= %.2g")
        :format(ρ, lower, size, upper))
      local function of_20(what, x, text)
        table.insert(figures, figure(("ρ = %.1f, 20 small states: %s"):format(ρ, what), x, text))
      end
      of_20("the lower bound", lower, told_lower)
      of_20("the gradient", size, told)
      of_20("the upper bound", upper, told_upper)
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
local error = std(rates) / sqrt(rates.size)
print(("20 networks: rates from %.2f to %.2f, mean %.3f, its error %.3f")
  :format(min(rates), max(rates), mean(rates), error))

-- Rounding: a step errs by (n+8)√n u of the vector it has; what comes after
-- stretches that at most 16/15 times more a step than the vector itself.
local slack = 1 + 40 * (n + 8) * sqrt(n) * (16 / 15) ^ 40 * u
local as_formula, mean_bound = in_bounds {
  claim = {en = "the gradient against the formula, as a share of the bound", zh = "梯度与公式之差，占界的比例"},
  f = product, samples = 40, seed = 2,
  why = "T factors, n products each, and the roundings of 1 - h^2",
}
local slow, fast = array(fading(0.9)), array(fading(0.5))
local errors = 5 * error / math.max(mean(rates), 0)
return {
  ways,
  as_formula, figure("the mean of the bounds, in units of u", mean_bound / u, "350"),
  measure {
    claim = {en = "random words: the gradient over ρ^(T-1), ρ = 0.9 and 0.5",
      zh = "随机词：梯度除以 ρ^(T-1)，ρ = 0.9 与 0.5"},
    value = {slow, fast}, bound = slack,
    why = "the largest singular value, and no entry of D_t beyond 1",
  },
  figure("the largest of these, ρ = 0.9", max(slow), "0.21136"), figure("the least, ρ = 0.9", min(slow), "1.03e-19"),
  figure("the largest of these, ρ = 0.5", max(fast), "0.2072"), figure("the least, ρ = 0.5", min(fast), "2.82e-20"),
  measure {
    claim = {en = "small states: over the upper bound, and the lower bound over it",
      zh = "状态小时：与上界之比，以及下界与它之比"},
    value = between, bound = slack,
    why = "smallest and largest singular value, and 15/16 <= D_t <= 1",
  },
  figures,
  measure {
    claim = {en = "random weights: five standard errors over the mean rate", zh = "随机权重：平均速率之上五个标准误"},
    value = errors, bound = 1,
    why = "so far from 0 no mean of independent networks comes by chance",
  },
  figure("those five over that mean", errors, "0.32217"),
  figure("the mean of the 20 rates", mean(rates), "0.28398"), figure("its standard error", error, "0.01830"),
  figure("the least of the 20 rates", min(rates), "0.0789"), figure("the largest of the 20 rates", max(rates), "0.4314"),
  figure("what rounding adds to a share of 1, in units of u", (slack - 1) / u, "1.813e4"),
}

-- %% [markdown] ref="parallel" lang="en"
-- ## What has to wait
-- The *critical path* of a calculation is its longest chain of operations of which each needs the one before. With
-- any number of processors it takes at least that many steps. For the recurrent network the chain has $3T$ links, and it goes on growing
-- by the same number of links with each word when the gradient is computed as well; for attention it has always the same number.
--
-- The usual sentence "recurrent networks cannot run in parallel" has an exception worth knowing. Without the tanh the
-- rule is linear,
--
-- $$h_t = a_th_{t-1} + b_t$$
--
-- and two steps make one of the same kind: first $(a_1, b_1)$, then $(a_2, b_2)$ is $(a_2a_1, a_2b_1+b_2)$. Maps done one
-- after the other may be bracketed as one likes, so steps can be combined in pairs, pairs of pairs and so on: a
-- *scan*, with $\lceil\log_2T\rceil$ rounds. Recent state-space models are built on this. We check it against the plain
-- loop: both make at most $2T$ roundings of what is added up.

-- %% [markdown] ref="parallel" lang="zh"
-- ## 什么必须等
-- 一个计算的*关键路径*，是其中最长的一串运算，每个都要用到前一个的结果。处理器再多，步数也不会少于它。循环网络
-- 的这条链有 $3T$ 环，连反向求梯度也算上，仍是每多一个词就多出同样多的环；注意力的总是一样长。
--
-- 人们常说“循环网络无法并行”，其实有个值得知道的例外。去掉 tanh，规则是线性的，
--
-- $$h_t = a_th_{t-1} + b_t$$
--
-- 两步合起来还是这样的一步：先 $(a_1, b_1)$，后 $(a_2, b_2)$，就是 $(a_2a_1, a_2b_1+b_2)$。映射一个接一个地做，括号加在哪里都
-- 一样，于是可以两步两步地合，再两对两对地合，如此下去，叫做*扫描*，共 $\lceil\log_2T\rceil$ 轮。近来的状态空间模型就
-- 建立在这上面。我们拿它与老老实实的循环对照：两边的舍入都至多 $2T$ 次，每次都相对于被加起来的东西。

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
print(("forward and backward: %d links for %d words, %d for %d"):format(both_ways[1], lengths[1], both_ways[#both_ways], lengths[#lengths]))
local shortest, longest = chain[1] + 3 * lengths[1], chain[#lengths] + 3 * lengths[#lengths]
local a1, b1, a2, b2, h = sym "a1 b1 a2 b2 h"
local one_by_one = a2 * (a1 * h + b1) + b2
local in_one = (a2 * a1) * h + (a2 * b1 + b2)

local function doublings(T) -- of 1, until T is reached
  local r = 0
  while 2 ^ r < T do r = r + 1 end
  return r
end
local function scanned(g)
  local T = g:below(3) == 0 and 1 << (1 + g:below(8)) or 2 + g:below(250)
  local a, b = 2 * rand(g, T) - 1, randn(g, T)
  local loop, waits = recurrence(a, b)
  local scan, rounds = recurrence(a, b, {method = "scan"})
  if not (waits == T and rounds == doublings(T)) then
    return nan, 1, ("%d rounds for T = %d"):format(rounds, T)
  end
  local size = recurrence(abs(a), abs(b))
  return max(abs(loop - scan) / size), 2 * 2 * T * u, "T = " .. T
end
local _, rounds = recurrence(0.5, ones(1000), {method = "scan"})
print(("1000 steps one by one, or %d rounds"):format(rounds))
local as_the_loop, mean_bound = in_bounds {
  claim = {en = "scan of log2 T rounds against the loop, over their bound",
    zh = "log2 T 轮的扫描与逐步循环之差，除以它们的界"},
  f = scanned, samples = 30, seed = 3,
  why = "each makes at most 2T roundings of sums of |a...a b|",
}
return {
  measure {
    claim = {en = "critical path of the recurrent network, less 3T", zh = "循环网络的关键路径长度减去 3T"},
    value = chain, bound = 0, why = "counted",
  },
  measure {
    claim = {en = "critical path of attention, less that of the first length", zh = "注意力的关键路径长度减去第一个长度时的"},
    value = array(flat) - flat[1], bound = 0, why = "counted",
  },
  measure {
    claim = {en = "links per word, forward and backward together, less those between the first two lengths",
      zh = "每个词的连接数（前向与反向合计）减去前两个长度之间的"},
    value = array(growth) - growth[1], bound = 0, why = "counted",
  },
  fails(measure {claim = {en = "the backward pass adds no links",
    zh = "反向传播不增加连接"}, value = growth[1] - 3, bound = 0, why = "three a word are the forward pass's"}),
  fails(measure {claim = {en = "critical path of the recurrent network does not grow",
    zh = "循环网络的关键路径不增长"}, value = longest - shortest, bound = 0, why = "counted"}),
  prove(one_by_one, in_one), mutants(one_by_one, in_one),
  figure("rounds of the scan for 1000 steps", rounds, "10"),
  as_the_loop, figure("the mean of their bounds, in units of u", mean_bound / u, "547.07"),
  figure(("links of the longest path for %d words"):format(lengths[1]), shortest, "6"),
  figure(("links of the longest path for %d words"):format(lengths[#lengths]), longest, "96"),
  figure("links a word, forward and backward", growth[1], "5"),
}

-- %% [markdown] ref="order" lang="en"
-- ## Order is built in
-- Take the mean of all states as the summary of a text. Shuffle the words: the recurrent network gives another
-- summary, attention the same one, because it adds up the same terms in another order. So the one has the order of
-- the words built in, whether it matters or not; the other does not see it at all.
--
-- Without the tanh one sees why. Of $h_t = ah_{t-1} + x_t$ the first three states add up to
--
-- $$(1 + a + a^2)x_1 + (1 + a)x_2 + x_3$$
--
-- A word counts again in every state that comes after it, the sooner it is read the more often. Exchanging the first
-- two changes the sum by $a^2(x_1 - x_2)$, which is 0 for all words only if $a = 0$, when nothing is remembered.
--
-- With the tanh we measure. When is a change more than rounding? A step takes over the error of the last state,
-- stretched by at most the largest column sum $A$ of $|W_h|$ (tanh stretches nothing), and adds some roundings of its
-- own: after five words the error is bounded, and the change is far beyond it.

-- %% [markdown] ref="order" lang="zh"
-- ## 次序是天生的
-- 把所有状态的平均当作一篇文章的概要。打乱词的次序：循环网络给出另一个概要，注意力给出的还是原来那个，因为它加的还是
-- 那些项，只是先后不同。所以前者天生带着词序，不管有没有用；后者则根本看不见。
--
-- 去掉 tanh，就看得出缘故。由 $h_t = ah_{t-1} + x_t$，前三个状态加起来是
--
-- $$(1 + a + a^2)x_1 + (1 + a)x_2 + x_3$$
--
-- 一个词会在它后面的每个状态里再算一遍，读得越早，算的次数越多。对调前两个词，这个和就改变 $a^2(x_1 - x_2)$；要它对任何
-- 词都是 0，只有 $a = 0$，也就是什么都不记。
--
-- 有 tanh 时就靠测量。变化多大才不是舍入所致？每走一步，上一个状态的误差传过来，至多放大 $A$ 倍，$A$ 是 $|W_h|$ 各列之
-- 和中最大的（tanh 不放大误差），再加上这一步自己的几次舍入。五个词之后误差有界，而实际的变化远远超出了它。

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
  return max(abs(mean(one, 1) - mean(other, 1))), bound
end
local g = rng(4)
local least, rounded = math.huge, 0
for _ = 1, 50 do
  local X, Y = shuffled(g)
  least = math.min(least, moved(X, Y))
  rounded = math.max(rounded, rounding(X) + rounding(Y))
end
print(("50 texts: moved by %.4f at least, of which rounding is at most %.1g")
  :format(least, rounded))
local unchanged, mean_bound = in_bounds {
  claim = {en = "attention's summary, shuffled, as a share of the bound", zh = "打乱词序后注意力的汇总之差，占界的比例"},
  f = same_summary, samples = 50, seed = 4,
  why = "the same terms in another order: only rounding may differ",
}
return {
  prove(total(x1, x2, x3), weighted), mutants(total(x1, x2, x3), weighted),
  prove(total(x1, x2, x3) - total(x2, x1, x3), a^2 * (x1 - x2)),
  unchanged, figure("the mean of the bounds on attention's, in units of u", mean_bound / u, "556.63"),
  figure("the least change of the recurrent network's summary", least, "0.0779927"),
  figure("what rounding may do to two summaries, in units of u", rounded / u, "29688.5"),
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Clipping hides explosions.* Programs cut gradients that grow too large. That keeps training from diverging; it
-- does not bring back what the first word contributed.
--
-- *Fading is silent.* Nothing overflows, the loss falls, and the network has simply not learned anything that needs
-- more than a few dozen steps. Look at the size of $\partial h_T/\partial x_1$ before believing that it has; below, the
-- weights are normal, with the standard deviation $a/\sqrt{n}$ for a *gain* of $a$.
--
-- *Constant distance is not free.* Attention's path is short because it computes all $T^2$ scores.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *裁剪掩盖了爆炸。*程序会把太大的梯度截短，训练因而不致发散；但第一个词的贡献并不会因此找回来。
--
-- *消失是无声的。*没有溢出，损失也在降，只是凡需要几十步以上的东西，网络都没有学到。在相信它学到了之前，先看看
-- $\partial h_T/\partial x_1$ 有多大；下面的权重取正态随机数，标准差为 $a/\sqrt{n}$，图中的 gain（增益）就是 $a$。
--
-- *距离恒定不是白来的。*注意力的路之所以短，是因为它把 $T^2$ 个打分全都算了。

-- %% ref="practice"
local steps, curves = {1, 2, 5, 10, 20, 35, 50, 75, 100}, {}
print("after          1       10       50      100 steps")
for c, gain in ipairs {0.5, 1, 2} do
  local P = {Wx = eye(16), Wh = randn(rng(8), 16, 16) * (gain / 4)}
  curves[c] = {}
  for i, T in ipairs(steps) do
    curves[c][i] = norm(back(P, words(rng(9), T, 16), ones(16)))
  end
  print(("gain %.1f %8.2g %8.2g %8.2g %8.2g"):format(
    gain, curves[c][1], curves[c][4], curves[c][7], curves[c][9]))
end
return plot(steps, curves, {
  labels = {"gain 0.5", "gain 1", "gain 2"}, log = "y", style = "both",
  xlabel = "steps T", ylabel = "gradient",
})

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
