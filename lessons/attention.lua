-- Attention: from one dot product to the encoder block.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="one" lang="en"
-- # From one dot product to the encoder block
-- *Dog bites man.* The word *bites* needs to know who bites. It has a *query* $q$; each word has a *key* $k$ and a *value* $v$; all of them are vectors. The product $q\cdot k$ is a *score*:
-- it says how well a key fits. Softmax turns the scores into *weights*, which are positive and add up to 1; the word takes the weighted mean of the values. That is all of attention.
--
-- Below, *bites* asks, with $q = (1, 0)$. The words have the keys $(2, 0)$, $(0, 2)$, $(-1, 1)$ and the values $(10, 0)$, $(0, 10)$, $(5, 5)$; the weighted mean of these is printed last.
-- *Predict:* which word gets the largest weight?

-- %% [markdown] ref="one" lang="zh"
-- # 从一次点积到编码器块
-- “狗咬人。”“咬”这个词想知道是谁在咬。它有一个*查询* $q$，每个词又各有一个*键* $k$ 和一个*值* $v$，都是向量。
-- 点积 $q\cdot k$ 就是*打分*，表示键与查询有多匹配；softmax 把打分变成*权重*，全为正，和为 1；这个词得到的，就是各个值按权重的平均。
--
-- 注意力的全部内容就是这些。下面由“咬”来查询，$q = (1, 0)$；三个词的键是 $(2, 0)$、$(0, 2)$、$(-1, 1)$，值是 $(10, 0)$、$(0, 10)$、$(5, 5)$，
-- 最后打印出的就是值的加权平均。*先猜一猜*：谁的权重最大？

-- %% ref="one"
q = array{1, 0}
K = array{{2, 0}, {0, 2}, {-1, 1}}
V = array{{10, 0}, {0, 10}, {5, 5}}
fit = matmul(K, q)                  -- how well each key fits
weight = exp(fit) / sum(exp(fit))   -- positive, with sum 1
words = {says{en = "dog  ", zh = "狗"}, says{en = "bites", zh = "咬"}, says{en = "man  ", zh = "人"}}
local row = says{en = "%s  score %2.0f  weight %.3f", zh = "%s  打分 %2.0f  权重 %.3f"}
for j, word in ipairs(words) do print(row:format(word, fit(j), weight(j))) end
local mixed = matmul(weight, V)
print(says{en = "weighted mean of the values: (%.3f, %.3f)", zh = "值的加权平均：(%.3f, %.3f)"}:format(mixed(1), mixed(2)))

-- %% [markdown] ref="look" lang="en"
-- ## Predict: whom does it look at?
-- The word has learned another `query`; keys are as before: *dog* $(2, 0)$, *bites* $(0, 2)$, *man* $(-1, 1)$. Which of the three words gets the largest weight now? Set `largest` to its
-- number. Three products on paper are enough.

-- %% [markdown] ref="look" lang="zh"
-- ## 先猜：它在看谁？
-- 这个词学到了另一个查询 `query`，键还是原来的：“狗” $(2, 0)$，“咬” $(0, 2)$，“人” $(-1, 1)$。
-- 现在三个词里谁的权重最大？把它的编号赋给 `largest`。在纸上算三个点积就够了。

-- %% role="exercise" ref="look" points=1 variants=6
query = ({{-1, 0}, {-2, 1}, {0, 3}, {1, 2}, {-3, 2}, {2, -1}})[variant]
--- BEGIN SOLUTION
do
  local scores = matmul(array{{2, 0}, {0, 2}, {-1, 1}}, array(query))
  largest = 1
  for j = 2, 3 do if scores(j) > scores(largest) then largest = j end end
end
--- END SOLUTION
-- %% role="hint" ref="look" lang="en"
-- A larger score gives a larger weight, so softmax need not be computed.
-- %% role="hint" ref="look" lang="zh"
-- 打分越大，权重越大，所以不必算 softmax。
-- %% role="hint" ref="look" lang="en"
-- The score of a key $(a, b)$ for the query $(x, y)$ is $ax + by$. Work out all three, and mind the signs.
-- %% role="hint" ref="look" lang="zh"
-- 键 $(a, b)$ 对查询 $(x, y)$ 的打分是 $ax + by$。三个都算出来，注意正负号。

-- %% role="check" ref="look"
local given = ({{-1, 0}, {-2, 1}, {0, 3}, {1, 2}, {-3, 2}, {2, -1}})[variant]
local scores = matmul(array{{2, 0}, {0, 2}, {-1, 1}}, array(given))
local best, least = 1, 1
for j = 2, 3 do
  if scores(j) > scores(best) then best = j end
  if scores(j) < scores(least) then least = j end
end
feedback(type(largest) == "number" and largest % 1 == 0 and largest >= 1 and largest <= 3, {
  en = "`largest` must be 1 for *dog*, 2 for *bites* or 3 for *man*.",
  zh = "`largest` 应为 1（“狗”）、2（“咬”）或 3（“人”）。",
})
feedback(largest ~= least, {
  en = ("Word %d has the smallest score of the three, %g. A sign may have been lost."):format(least, scores(least)),
  zh = ("第 %d 个词的打分在三个里最小，是 %g。是不是丢了负号？"):format(least, scores(least)),
})
feedback(largest == best, {
  en = ("Word %d has the score %g; another has a larger one."):format(largest, scores(largest)),
  zh = ("第 %d 个词的打分是 %g，还有更大的。"):format(largest, scores(largest)),
})
-- %% role="wrong" ref="look" expect="smallest score"
largest = ({1, 1, 1, 3, 1, 3})[variant]
-- %% role="wrong" ref="look" expect="another has a larger one"
largest = ({2, 2, 3, 1, 2, 2})[variant]

-- %% [markdown] ref="through" lang="en"
-- ## One sentence through the block
-- Attention is one part of the *encoder block*. Here *dog bites man* goes through the whole block. Each word is a vector of eight random numbers. Each line shows the first four numbers of
-- *bites* after one part, and the last line those after the whole block at once. What the parts are, the rest of the lesson says, line by line: first line 2, attention, then lines 3 to 6.
--
-- *Predict:* all is done a second time with another word in place of *man*. Which is the first line in which the numbers of *bites* change?

-- %% [markdown] ref="through" lang="zh"
-- ## 一句话走完整个块
-- 注意力只是*编码器块*的一个部件。现在让“狗 咬 人”走完整个块。每个词是八个随机数的向量，下面每行是“咬”经过一个部件之后的前四个数，
-- 最后一行是一次走完整个块之后的。各个部件是什么，往后逐行来讲：先讲第 2 行，即注意力，再讲第 3 至 6 行。
--
-- *先猜一猜*：把“人”换成另一个词，再走一遍。“咬”的数从哪一行起开始不同？

-- %% ref="through"
parts, sentence = init_encoder(rng(23), 8, 2, 16), randn(rng(24), 3, 8)
-- The words behind each part of the block.
function behind_parts(X)
  local A = multi_head(X, parts.attention)
  local N = layer_norm(X + A)
  local F = feed_forward(N, parts.feed_forward)
  return {X, A, X + A, N, F, layer_norm(N + F), encoder_block(X, parts)}
end
local other = concat{sentence[{ {1, 2}, {} }], ones(1, 8)} -- another third word
local first, second = behind_parts(sentence), behind_parts(other)
local names = says{en = "word attention residual norm network residual+norm block", zh = "词本身 注意力 残差 归一化 前馈网络 残差+归一化 整个块"}
local k, kept, changed = 0, says{en = "same   ", zh = "不变"}, says{en = "changed", zh = "变了"}
for name in names:gmatch "%S+" do
  k = k + 1
  local z, moved = first[k][2], max(abs(first[k][2] - second[k][2])) > 0
  print(("%d %6.2f %6.2f %6.2f %6.2f  %s  %s"):format(k, z(1), z(2), z(3), z(4), moved and changed or kept, name))
end

-- %% [markdown] ref="stable" lang="en"
-- ## Exercise: scores become weights
-- Only attention looks at the other words, so it comes first. For all queries at once, $e_{ij}$ is the score of key $j$ for query $i$, and the weights are
--
-- $$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{n}\exp(e_{ik})}$$
--
-- The weights of a query add up to 1, for every $n$. Write `weights(e)`: for an array $e$ of the $n$ scores of one query the weights $\exp(e_j)/\sum_{k}\exp(e_k)$, and so that scores of
-- several thousand do no harm. (Do not call `softmax`.)

-- %% [markdown] ref="stable" lang="zh"
-- ## 练习：打分变成权重
-- 只有注意力看别的词，所以先讲它。所有查询一起写：$e_{ij}$ 是键 $j$ 对查询 $i$ 的打分，权重是
--
-- $$\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{n}\exp(e_{ik})}$$
--
-- 每个查询的权重之和为 1，对任何 $n$ 都如此。写一个函数 `weights(e)`：给定一个查询的 $n$ 个打分组成的数组 $e$，返回权重
-- $\exp(e_j)/\sum_{k}\exp(e_k)$，而且打分上千也不出毛病。（不要调用 `softmax`。）

-- %% role="exercise" ref="stable" points=2
function weights(e)
  --- BEGIN SOLUTION
  local p = exp(e - max(e))
  return p / sum(p)
  --- END SOLUTION
end
-- %% role="hint" ref="stable" lang="en"
-- What happens to the weights when the same number is added to all scores?
-- %% role="hint" ref="stable" lang="zh"
-- 所有打分加上同一个数，权重会怎样？
-- %% role="hint" ref="stable" lang="en"
-- Nothing happens to them. So choose the number such that no exponential can overflow: none may exceed $e^0$.
-- %% role="hint" ref="stable" lang="zh"
-- 权重不变。那就挑这样一个数，使任何指数都不会溢出：都不超过 $e^0$。

-- %% role="check" ref="stable"
local small = array{1, 2, 4}
local got = weights(small)
feedback(same(got, softmax(small), {what = "weights({1, 2, 4})"}))
local far = weights(array{5000, 4999})
feedback(not isnan(far(1)), {
  en = "Scores of 5000 and 4999 give NaN: exp overflows to infinity, and infinity over infinity is no number. " ..
       "Subtract something first.",
  zh = "打分取 5000 与 4999，得到 NaN：exp 溢出成无穷，无穷除以无穷不是数。先减去点什么。",
})
feedback(not isnan(weights(array{4000, 0, 0})(1)), {
  en = "One score of 4000 among zeros still gives NaN. What is subtracted must leave no score above 0: the mean does not.",
  zh = "一个 4000，其余为 0，仍得到 NaN。减去的数要让所有打分都不超过 0：减均值做不到。",
})
--- BEGIN HIDDEN TESTS
for _, e in ipairs {array{-7000, -7001, -7003}, array{0, 0}, array{3}, array{700, 710, -710}} do
  feedback(same(weights(e), softmax(e), {what = "weights"}))
end
--- END HIDDEN TESTS
-- %% role="wrong" ref="stable" expect="overflows"
function weights(e) return exp(e) / sum(exp(e)) end
-- %% role="wrong" ref="stable" expect="the mean does not"
function weights(e)
  local p = exp(e - mean(e))
  return p / sum(p)
end
-- %% role="wrong" ref="stable" expect="weights({1, 2, 4})"
function weights(e) return exp(e - max(e)) end

-- %% [markdown] ref="pairs" lang="en"
-- ## Queries, keys and values from the same words
-- Where does *bites* get its query? Queries, keys and values all come from the words $x_1, \dots, x_n$, by three matrices, and each pair of words has a weight $\alpha_{ij}$ of its own:
--
-- $$e_{ij} = \frac{(x_iW^Q)(x_jW^K)^\top}{\sqrt{d}}, \quad z_i = \sum_{j=1}^{n}\alpha_{ij}(x_jW^V)$$
--
-- (Why $\sqrt{d}$? See two steps on.) So *bites* may ask for one thing, offer another as its key, and hand over a third as its value. Here are the weights in our sentence, a row for each
-- word that asks; each row adds up to 1. The matrices are still random, so the weights mean nothing yet: training is to make *bites* look at *dog*.

-- %% [markdown] ref="pairs" lang="zh"
-- ## 查询、键、值同出一源
-- “咬”的查询从哪里来？查询、键、值都由同一串词 $x_1, \dots, x_n$ 经三个矩阵得来，每一对词各有一个权重 $\alpha_{ij}$：
--
-- $$e_{ij} = \frac{(x_iW^Q)(x_jW^K)^\top}{\sqrt{d}}, \quad z_i = \sum_{j=1}^{n}\alpha_{ij}(x_jW^V)$$
--
-- （为什么有 $\sqrt{d}$？隔一步再讲。）于是“咬”可以用查询去要一样东西，用键亮出另一样，再用值交出第三样。
-- 下面是这句话里的权重，每个提问的词一行，每行之和为 1。矩阵还是随机的，所以这些权重还没有意义：训练就是要让“咬”去看“狗”。

-- %% ref="pairs"
u = 2^-53 -- rounding a number x changes it by at most u|x|
local _, shares = multi_head(sentence, parts.attention, {need = "weights"})
for i, word in ipairs(words) do
  local a = shares[1][i] -- of the first of two heads
  print(("%s  %.3f  %.3f  %.3f"):format(word, a(1), a(2), a(3)))
end

-- %% [markdown] ref="matrix" lang="en"
-- ## All words at once
-- Stack the words as rows of $X$. Then every product above is an entry of a matrix product, and
--
-- $$Z = \mathrm{softmax}\left(XQ(XK)^\top\right)XV$$
--
-- where softmax works along rows; $Q$, $K$, $V$ are short for the three matrices, and $\sqrt{d}$ is left out. (Most papers write $Q$, $K$, $V$ for the products, our $XQ$, $XK$, $XV$:
-- $\mathrm{softmax}(QK^\top/\sqrt{d})V$.) One word at a time or all at once is the same calculation. In small whole numbers both ways have exactly the same scores; only softmax and the
-- mean may be rounded differently, by $2(2n+6)u$ times the largest value at most. (A rounding changes a number $x$ by at most $u|x|$, $u = 2^{-53}$.)

-- %% [markdown] ref="matrix" lang="zh"
-- ## 所有的词一起算
-- 把各个词排成 $X$ 的行，上面的每个点积就都是矩阵乘积里的一个元素：
--
-- $$Z = \mathrm{softmax}\left(XQ(XK)^\top\right)XV$$
--
-- 其中 softmax 沿行进行，$Q$、$K$、$V$ 简记那三个矩阵，$\sqrt{d}$ 略去不写。（论文里的 $Q$、$K$、$V$ 多指乘积，即这里的 $XQ$、$XK$、$XV$，写作
-- $\mathrm{softmax}(QK^\top/\sqrt{d})V$。）逐词算与一起算，是同一个计算。取小的整数，两种算法的打分逐位相同，只有 softmax 与平均可能不同，
-- 至多是最大值的 $2(2n+6)u$ 倍。（一次舍入至多使 $x$ 改变 $u|x|$，$u = 2^{-53}$。）

-- %% ref="matrix" claim="sa/matrix-form"
function whole(g, ...) return floor(5 * rand(g, ...)) - 2 end -- -2 to 2
return in_bounds {
  claim = {en = "one word at a time and all at once agree, but for rounding", zh = "逐词算与一起算，只差舍入"},
  samples = 60, seed = 8, told = "320.27",
  why = says{en = "whole scores are exact; softmax and mean 2(2n+6)u of the values", zh = "整数打分是精确的；softmax 与平均：各个值的 2(2n+6)u"},
  f = function(g)
    local n, d = 3 + g:below(6), 4
    local X, Q = whole(g, n, d), whole(g, d, d)
    local K, V = whole(g, d, d), whole(g, d, d)
    local E = matmul(matmul(X, Q), matmul(X, K).T)
    local all, off = matmul(softmax(E), matmul(X, V)), {}
    for i = 1, n do
      local q, e = matmul(X[i], Q), {}
      for j = 1, n do e[j] = dot(q, matmul(X[j], K)) end
      local a, z = softmax(array(e)), zeros(d)
      for j = 1, n do z = z + a(j) * matmul(X[j], V) end
      off[i] = all[i] - z
    end
    return concat(off), 2 * (2 * n + 6) * u * max(abs(matmul(X, V))), "n = " .. n
  end,
}

-- %% [markdown] ref="variance" lang="en"
-- ## Why divide by the root of d
-- Let the entries of $q$ and $k$ be independent, with mean 0 and variance 1. *Predict:* how does a typical score grow with the number $d$ of columns? Like $d$, like $\sqrt{d}$, or not at
-- all? The run draws scores at three $d$, and proves the law for every $d$.

-- %% [markdown] ref="variance" lang="zh"
-- ## 为什么除以 d 的平方根
-- 设 $q$ 与 $k$ 的各个分量彼此独立，均值为 0，方差为 1。*先猜一猜*：列数 $d$ 增大时，打分的典型大小怎样变？像 $d$、像 $\sqrt{d}$，还是不变？
-- 下面对三个 $d$ 各抽一批打分，再对每个 $d$ 给出证明。

-- %% ref="variance" claim="sa/dot-variance"
local q, k = sym "q k"
local d, l = sym("d", "natural"), sym("l", "integer")
local product = sum(q[l] * k[l], l, 1, d)
local μ, ν = sym "μ ν"
local about_means = sum((μ + q[l]) * (ν + k[l]), l, 1, d)
-- The mean square of N scores, drawn with d columns.
function mean_square(d, N)
  local g = rng(d)
  return mean(sum(randn(g, N, d) * randn(g, N, d), 2) ^ 2)
end
local function sampled(d, N)
  print(says{en = "d = %3d: typical size of a score %.1f", zh = "d = %3d：打分的典型大小 %.1f"}:format(d, sqrt(mean_square(d, N))))
  return also({en = ("d = %d: the mean square of a score is d, but for chance"):format(d), zh = ("d = %d：打分平方的平均是 d，只差随机误差"):format(d)}, measure {
    claim = {en = "the mean square of a score, over d, less 1", zh = "打分平方的平均除以 d，减 1"}, value = mean_square(d, N) / d - 1,
    bound = 5 * math.sqrt((2 + 6 / d) / N), why = says{en = "five standard errors: (q·k)^2 has mean d and variance 2d^2 + 6d", zh = "五倍标准误差：(q·k)^2 均值 d，方差 2d^2 + 6d"}})
end
return {
  prove(expectation(about_means, {q, k}), d * μ * ν, {caption = {en = "the mean score is $d\\mu\\nu$ if entries have the means $\\mu$ and $\\nu$: 0 where one of them is 0",
    zh = "分量的均值若是 $\\mu$ 与 $\\nu$，打分的均值就是 $d\\mu\\nu$：有一个为 0，它就是 0"}}),
  prove(variance(product, {q, k}), d, {caption = {en = "its variance is $d$", zh = "打分的方差是 $d$"}}),
  mutants(variance(product, {q, k}), d),
  sampled(16, 2000), sampled(64, 2000), sampled(512, 1000), -- normal entries
  figure({en = "the root of 512", zh = "512 的平方根"}, math.sqrt(512), "22.627"),
}

-- %% [markdown] ref="divisor" lang="en"
-- ## Exercise: the right divisor
-- What the last step showed and proved:
--
-- $$\mathrm{E}[q\cdot k] = 0, \quad \mathrm{Var}[q\cdot k] = d$$
--
-- A score is a sum of $d$ products. Each has mean 0 and variance 1, and no two of them are correlated, so their variances add up: no normal distribution and no large $d$ are needed. So
-- scores grow like $\sqrt{d}$, not like $d$: products of different sign cancel in part.
--
-- In another model the entries of $q$ are independent with mean 0 and variance `q_variance`, those of $k$ with variance `k_variance`, in `d` columns. Set `divisor` to the number by which
-- $q\cdot k$ must be divided, so that its variance is 1.

-- %% [markdown] ref="divisor" lang="zh"
-- ## 练习：该除以多少
-- 上一步看到并证明了：
--
-- $$\mathrm{E}[q\cdot k] = 0, \quad \mathrm{Var}[q\cdot k] = d$$
--
-- 打分是 $d$ 个乘积之和，每个均值为 0、方差为 1，两两不相关，方差便相加：不必是正态分布，也不必 $d$ 很大。
-- 所以打分按 $\sqrt{d}$ 增长，而不是按 $d$：正负相抵了一部分。
--
-- 另一个模型里，$q$ 的各个分量独立，均值为 0，方差为 `q_variance`；$k$ 的方差为 `k_variance`；共 `d` 列。$q\cdot k$ 要除以多少，
-- 方差才是 1？把这个数赋给 `divisor`。

-- %% role="exercise" ref="divisor" points=1 variants=6
d = ({64, 16, 128, 256, 32, 512})[variant]
q_variance = ({4, 9, 2, 0.25, 8, 2})[variant]
k_variance = ({1, 4, 8, 16, 4, 0.25})[variant]
--- BEGIN SOLUTION
divisor = sqrt(d * q_variance * k_variance)
--- END SOLUTION
-- %% role="hint" ref="divisor" lang="en"
-- The variance of a product of two independent numbers with mean 0 is the product of their variances. How many products are added?
-- %% role="hint" ref="divisor" lang="zh"
-- 两个独立、均值为 0 的数之积，方差等于方差之积。一共加了几个积？
-- %% role="hint" ref="divisor" lang="en"
-- $q\cdot k$ has the variance `d * q_variance * k_variance`. Dividing by $c$ divides a variance by $c^2$.
-- %% role="hint" ref="divisor" lang="zh"
-- $q\cdot k$ 的方差是 `d * q_variance * k_variance`。除以 $c$，方差就除以 $c^2$。

-- %% role="check" ref="divisor"
local d = ({64, 16, 128, 256, 32, 512})[variant]
local v = d * ({4, 9, 2, 0.25, 8, 2})[variant] * ({1, 4, 8, 16, 4, 0.25})[variant]
feedback(type(divisor) == "number", {en = "`divisor` must be a number.", zh = "`divisor` 要是一个数。"})
feedback(not same(divisor, v), {
  en = "That is the variance of the score. Dividing by c divides the variance by the square of c.",
  zh = "这是打分的方差。除以 c，方差要除以 c 的平方。",
})
feedback(not same(divisor, sqrt(d)), {
  en = "The root of d is right for variances of 1. Here the entries have other variances.",
  zh = "方差都是 1 时，除以 d 的平方根才对。这里的方差不是 1。",
})
feedback(same(divisor, sqrt(v), {what = "divisor"}))
-- %% role="wrong" ref="divisor" expect="square of c"
divisor = ({256, 576, 2048, 1024, 1024, 256})[variant]
-- %% role="wrong" ref="divisor" expect="other variances"
divisor = sqrt(({64, 16, 128, 256, 32, 512})[variant])

-- %% [markdown] ref="saturate" lang="en"
-- ## What large scores do
-- Learning needs a gradient, and it must come back through softmax. The derivative of the weights $\alpha$ of one query by its scores is the matrix
-- $J = \mathrm{diag}(\alpha) - \alpha\alpha^\top$. Multiply all scores by $c$. With $g$ the gap between the largest score and the next, $|J_{jk}| < (n-1)e^{-cg}$ (proved in the appendix).
-- Where $J$ is 0, queries and keys learn nothing any more; dividing by $\sqrt{d}$ keeps $c$ small and so prevents that.
--
-- *Predict* with $n = 3$ and $g = 2$: which of $c$ = 1, 2, 4, 8, 16 is the first with $J$ below a millionth?
--
-- With this step half of the way is done, and a break fits well. Next: what a word may not see, several heads, and the rest of the block.

-- %% [markdown] ref="saturate" lang="zh"
-- ## 打分太大会怎样
-- 要学习就要有梯度，而梯度得穿过 softmax 传回来。一个查询的权重 $\alpha$ 对打分的导数，是矩阵 $J = \mathrm{diag}(\alpha) - \alpha\alpha^\top$。
-- 把所有打分乘以 $c$，设 $g$ 是最大的打分与次大的之差，
-- 则 $|J_{jk}| < (n-1)e^{-cg}$（附录里证明）。$J$ 成了 0，查询和键就再也学不到东西；除以 $\sqrt{d}$ 使 $c$ 不至于太大，防的就是这个。
--
-- *先猜一猜*：$n = 3$、$g = 2$ 时，$c$ = 1、2、4、8、16 中从哪一个起，$J$ 小于百万分之一？
--
-- 到这一步，路已走了一半，正好歇一歇。接下来讲哪些词不许看、多头，以及块的其余部分。

-- %% ref="saturate"
for _, c in ipairs {1, 2, 4, 8, 16} do -- the first step's scores, gap 2
  print(says{en = "c = %2d  largest entry of J %.1e, below %.1e", zh = "c = %2d  J 的最大元素 %.1e，界 %.1e"}
    :format(c, max(abs(jacobian(softmax)(c * fit))), 2 * exp(-2 * c)))
end

-- %% [markdown] ref="padding" lang="en"
-- ## Exercise: padding
-- Texts of different lengths are read together; the shorter ones are filled up with padding at the end. A decoder writes from left to right. Write `visible(n, length)`: an array of shape
-- $(n, n)$, `true` where query $i$ (the row) may see key $j$ (the column), so $j \le i$ and $j$ is no padding: $j \le$ `length`.

-- %% [markdown] ref="padding" lang="zh"
-- ## 练习：填充
-- 长短不一的文本放在一批里读，短的在末尾用填充（padding）补齐。解码器从左往右生成。写一个函数 `visible(n, length)`：形状为 $(n, n)$ 的数组，
-- 查询 $i$（行）可以看见键 $j$（列）的地方为 `true`，即 $j \le i$，并且 $j$ 不是填充：$j \le$ `length`。

-- %% role="exercise" ref="padding" points=1
function visible(n, length)
  --- BEGIN SOLUTION
  local place = range(1, n)
  return logical_and(le(place, reshape(place, n, 1)), le(place, length))
  --- END SOLUTION
end
-- %% role="hint" ref="padding" lang="en"
-- `causal_mask(n)` says where $j \le i$. Which comparison says where $j$ is no padding?
-- %% role="hint" ref="padding" lang="zh"
-- `causal_mask(n)` 给出 $j \le i$ 的地方。哪个比较给出 $j$ 不是填充的地方？
-- %% role="hint" ref="padding" lang="en"
-- `le(range(1, n), length)` is a row: it says so of the columns. `logical_and` combines the two.
-- %% role="hint" ref="padding" lang="zh"
-- `le(range(1, n), length)` 是一行，说的是各列。用 `logical_and` 把两者合起来。

-- %% role="check" ref="padding"
local got = visible(4, 2)
local right = logical_and(causal_mask(4), le(range(1, 4), 2))
feedback(type(got) == "userdata" and got.dtype == "bool", {
  en = "`visible` must return an array of true and false, such as a comparison gives.",
  zh = "`visible` 要返回由 true、false 组成的数组，比较运算给出的就是。",
})
feedback(not same(got, causal_mask(4)), {
  en = "Words still see the padding: columns 3 and 4 must be false when only 2 words are there.",
  zh = "词还看得见填充：只有 2 个词时，第 3、4 列应为 false。",
})
feedback(not same(got, logical_and(causal_mask(4), reshape(le(range(1, 4), 2), 4, 1))), {
  en = "Here rows are hidden, not columns: the padding asks nothing, but the words still may see it.",
  zh = "这里遮住的是行，不是列：该遮的是被看的键。",
})
feedback(same(got, right, {what = "visible(4, 2)"}))
--- BEGIN HIDDEN TESTS
for _, n in ipairs {1, 2, 7} do
  feedback(same(visible(n, n), causal_mask(n), {what = "visible"}))
end
--- END HIDDEN TESTS
-- %% role="wrong" ref="padding" expect="true and false"
function visible(n, length) return tril(ones(n, n)) end
-- %% role="wrong" ref="padding" expect="still see the padding"
function visible(n, length) return causal_mask(n) end
-- %% role="wrong" ref="padding" expect="rows are hidden"
function visible(n, length) return logical_and(causal_mask(n), reshape(le(range(1, n), length), n, 1)) end

-- %% [markdown] ref="mask" lang="en"
-- ## Hiding the future
-- In training the whole text is given at once. A decoder is to predict the next word, and if word $i$ saw the words after it, the answer would be given away. So their scores are set to
-- $-\infty$ before softmax: the exponential is 0, not nearly 0, and the derivative through it is 0 as well,
--
-- $$\frac{\partial z_i}{\partial x_j} = 0 \quad (j > i)$$
--
-- to the last bit, so that all positions can be trained at once. Nothing else is lost: for $j \le i$ no derivative below is 0. It helps when the model writes, too: a new word changes no
-- earlier row, so the keys and values of the earlier words are kept and not computed again. This is the *KV cache* (more of it in the appendix).
--
-- A query that sees no key at all has no weights that add up to 1; here its weights and its output are a defined 0, and never NaN.

-- %% [markdown] ref="mask" lang="zh"
-- ## 遮住未来
-- 训练时全文一次给出，而解码器要学的是预测下一个词：词 $i$ 若看得见后面的词，就等于看了答案。
-- 办法是在 softmax 之前把那些打分设为 $-\infty$：指数就是 0，不是近似为 0，穿过它的导数也是 0，
--
-- $$\frac{\partial z_i}{\partial x_j} = 0 \quad (j > i)$$
--
-- 精确成立，所以各个位置可以并行训练。没有遮住的一个不少：$j \le i$ 时，下面算得的导数都不为 0。生成时同样得益：添一个新词，
-- 前面各行都不变，所以前面各词的键和值可以存起来，不必重算，这就是 *KV 缓存*（详见附录）。
--
-- 若某个查询一个键也看不见，就没有和为 1 的权重可言；这里规定它的权重与输出为 0，绝不会是 NaN。

-- %% ref="mask" claim="sa/mask"
-- Of causal attention over random words: the largest |∂z_i/∂x_j| and weight with j > i; and how many pairs with j <= i have a derivative.
local function masked(g)
  local T = 5
  local X, WQ, WK, WV = randn(g, T, 4), randn(g, 4, 4), randn(g, 4, 4), randn(g, 4, 3)
  local J = jacobian(function(X) return attention(matmul(X, WQ), matmul(X, WK), matmul(X, WV), {causal = true}) end)(X)
  local A = attention_weights(matmul(X, WQ), matmul(X, WK), {causal = true})
  -- the same by the letter: -inf in place of the scores of later words
  local function by_infinity(X) return softmax(where(causal_mask(T), matmul(matmul(X, WQ), matmul(X, WK).T) / 2, -inf)) end
  local W, JW = by_infinity(X), jacobian(function(X) return matmul(by_infinity(X), matmul(X, WV)) end)(X)
  local through, kept = max(where(causal_mask(T), 0, maximum(abs(A), abs(W)))), 0
  for i = 1, T do
    for j = 1, T do
      local size = max(abs(J[{i, {}, j, {}}]))
      if j > i then through = math.max(through, size, max(abs(JW[{i, {}, j, {}}])))
      elseif size > 0 then kept = kept + 1 end
    end
  end
  return {through = through, kept = kept, apart = max(abs(A - W))}
end
local kept, g = 0, rng(13)
for _ = 1, 20 do kept = kept + masked(g).kept end
local mask = array{{false, false}, {true, true}}
local blind = attention(ones(2, 3), ones(2, 3), ones(2, 3), {mask = mask})
print(says{en = "a query that sees no key gets %g, %g, %g", zh = "一个键也看不见的查询得到 %g、%g、%g"}:format(blind(1, 1), blind(1, 2), blind(1, 3)))
local _, hidden = multi_head(sentence, parts.attention, {need = "weights", causal = true})
display(heatmap(hidden[1], {title = says{en = "dog bites man, causal", zh = "“狗 咬 人”，因果掩码"}, xlabel = says{en = "key j", zh = "键 j"},
  ylabel = says{en = "query i", zh = "查询 i"}, range = {0, 1}, xnames = words, ynames = words, numbers = true}))
return {
  measure {
    claim = {en = "weights of the future, and derivatives through them, are exactly 0", zh = "后面的词的权重，以及穿过它们的导数，都恰好是 0"},
    f = function(g) return masked(g).through end, samples = 20, seed = 13, bound = 0, why = says{en = "e^-inf is 0, and so is everything that it multiplies", zh = "e^-inf 是 0，乘什么都是 0"}},
  figure({en = "of 300 pairs not hidden, those whose derivative is not 0", zh = "没有遮住的 300 对中，导数不为 0 的"}, kept, "300"),
  measure {
    claim = {en = "with -inf as the later words' scores softmax gives the same weights", zh = "把后面的词的打分设为 -inf 再做 softmax，得到同样的权重"},
    f = function(g) return masked(g).apart end, samples = 20, seed = 13,
    bound = 2 * (2 * 5 + 6) * 2^-53, why = says{en = "weights up to 1, each made in its own order: (2n+6)u a side, n = 5", zh = "权重不超过 1，次序各异：每边 (2n+6)u，n = 5"}},
  measure {claim = {en = "the output of a query that sees no key is 0", zh = "一个键也看不见的查询，输出为 0"}, value = blind[1], bound = 0,
    why = says{en = "a defined 0, and no NaN", zh = "规定为 0，不出 NaN"}},
}

-- %% [markdown] ref="heads" lang="en"
-- ## Several heads
-- One weighted mean can look one way only, and *bites* has two questions: who bites, and whom? With $h$ *heads* the columns of $XW^Q$, $XW^K$ and $XW^V$ are cut into $h$ parts of $d/h$ columns, each
-- part attends by itself, the results are put side by side again, and a fourth matrix $W^O$ mixes them. In a program, cutting is a reshape from $(n, d)$ to $(n, h, d/h)$ and an exchange of
-- the first two axes; it changes no number. So the heads cost as many multiplications as one head of full width,
--
-- $$h \cdot n^2 \cdot \frac{d}{h} = n^2 d$$
--
-- for the scores and again for the means, but $h n^2$ exponentials instead of $n^2$.
--
-- The picture shows two heads with matrices written by hand, so that they have something to say: in the first *bites* asks who, in the second whom. *Predict:* which rows differ?

-- %% [markdown] ref="heads" lang="zh"
-- ## 多头注意力
-- 一个加权平均只能朝一个方向看，而“咬”要问两件事：谁咬，咬谁？用 $h$ 个*头*，就是把 $XW^Q$、$XW^K$、$XW^V$ 的列切成 $h$ 份，
-- 每份 $d/h$ 列，各自做注意力，再把结果并排放回去，乘上第四个矩阵 $W^O$ 混合起来。写成程序，切分不过是把 $(n, d)$ 变形为 $(n, h, d/h)$，
-- 再交换前两个轴，一个数也没变。所以多头的乘法次数与一个满宽的头一样多，
--
-- $$h \cdot n^2 \cdot \frac{d}{h} = n^2 d$$
--
-- 打分是这么多，求平均又是这么多；只是指数要算 $h n^2$ 个，而不是 $n^2$ 个。
--
-- 图中两个头的矩阵是手写的，好让它们言之有物：第一个头里“咬”问的是谁咬，第二个头里问的是咬谁。*先猜一猜*：两幅图哪几行不同？

-- %% ref="heads" claim="sa/multi-head"
-- One column for each word; columns 1 and 2 of a query or key belong to the first head, 3 and 4 to the second.
local asks = array{{0, 4, 0, 4}, {4, 0, 4, 0}, {0, 4, 0, 4}, {0, 0, 0, 0}}
local shows = array{{1, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 0}} -- dog to the first head, man to the second
local _, looks = multi_head(eye(4)[{ {1, 3}, {} }], {Wq = asks, Wk = shows, Wv = eye(4), Wo = eye(4), heads = 2}, {need = "weights"})
local shown = {columns = 2}
for i, title in ipairs {says{en = "head 1: who?", zh = "头 1：谁咬？"}, says{en = "head 2: whom?", zh = "头 2：咬谁？"}} do
  shown[i] = heatmap(looks[i], {title = title, range = {0, 1}, xnames = words, ynames = words, numbers = true})
end
display(panels(shown))
local h, n, d = sym("h n d", "positive")
-- Together, and each head by itself; whole numbers, Wo = 1. Also how far the number of weights, each an exponential, is from h n².
local function reshaped(g)
  local n, H, dk = 3 + g:below(5), 3, 2
  local d = H * dk
  local X, Q, K, V = whole(g, n, d), whole(g, d, d), whole(g, d, d), whole(g, d, d)
  local P = {Wq = Q, Wk = K, Wv = V, Wo = eye(d), heads = H}
  local together, weights = multi_head(X, P, {need = "weights"})
  local parts, products = {}, 0 -- multiply-adds of the scores: one for each column of each weight
  for i = 1, H do
    local c = {{}, {(i - 1) * dk + 1, i * dk}}
    local q = matmul(X, Q[c])
    parts[i] = attention(q, matmul(X, K[c]), matmul(X, V[c]))
    products = products + weights.size // H * q.shape[2]
  end
  local bound = 2 * (2 * n + 6) * u * max(abs(matmul(X, V)))
  local off = together - concat(parts, 2)
  return off, bound, math.max(math.abs(weights.size - H * n^2), math.abs(products - n^2 * d)), weights.size
end
local exponentials, g = 0, rng(9)
for _ = 1, 60 do exponentials = exponentials + select(4, reshaped(g)) end
local equal = in_bounds {
  claim = {en = "reshaped and head by head give the same, but for rounding", zh = "变形后一起算与各头分开算，只差舍入"},
  f = function(g) local off, bound = reshaped(g) return off, bound end, samples = 60, seed = 9, told = "367.93",
  why = says{en = "whole scores are exact; softmax and mean 2(2n+6)u of the values", zh = "整数打分是精确的；softmax 与平均：各个值的 2(2n+6)u"},
}
return {
  equal,
  measure {
    claim = {en = "there are h n² exponentials, and n² d multiply-adds of the scores", zh = "指数有 h n² 个，打分的乘加有 n² d 次"}, samples = 60, seed = 9, bound = 0,
    f = function(g) return (select(3, reshaped(g))) end, why = says{en = "counted", zh = "数出来的"}},
  figure({en = "the number of exponentials in all 60 draws", zh = "60 次抽取里指数的总数"}, exponentials, "4755"),
  prove(h * (n^2 * (d / h)), n^2 * d, {caption = {en = "$h$ narrow heads multiply as often as one wide head", zh = "$h$ 个窄头与一个宽头，乘法次数相同"}}),
  mutants(h * (n^2 * (d / h)), n^2 * d),
}

-- %% [markdown] ref="split" lang="en"
-- ## Exercise: into heads
-- Write `split(X, h)`: the columns of $X$, of shape $(n, d)$, as $h$ heads, of shape $(h, n, d/h)$. Head 1 has the first $d/h$ columns, head 2 the next, and so on.

-- %% [markdown] ref="split" lang="zh"
-- ## 练习：拆成多头
-- 写一个函数 `split(X, h)`：把形状为 $(n, d)$ 的 $X$ 按列拆成 $h$ 个头，形状为 $(h, n, d/h)$。头 1 拿最前面的 $d/h$ 列，头 2 拿接下来的，依此类推。

-- %% role="exercise" ref="split" points=2
function split(X, h)
  --- BEGIN SOLUTION
  local n, d = X.shape[1], X.shape[2]
  return permute(reshape(X, n, h, d // h), 2, 1, 3)
  --- END SOLUTION
end
-- %% role="hint" ref="split" lang="en"
-- A row of $X$ lies in memory as the parts of all heads, one after the other. Which shape says just that?
-- %% role="hint" ref="split" lang="zh"
-- $X$ 的一行在内存里，就是各个头的那几列一段接一段。哪个形状说的正是这件事？
-- %% role="hint" ref="split" lang="en"
-- First $(n, h, d/h)$, by `reshape`. Then exchange the first two axes with `permute`.
-- %% role="hint" ref="split" lang="zh"
-- 先用 `reshape` 变成 $(n, h, d/h)$，再用 `permute` 交换前两个轴。

-- %% role="check" ref="split"
local X = reshape(range(1, 24), 4, 6)
local got = split(X, 2)
feedback(type(got) == "userdata" and #got.shape == 3, {
  en = "`split` must return an array with three dimensions, (h, n, d/h).",
  zh = "`split` 要返回三维数组，形状为 (h, n, d/h)。",
})
feedback(not (got.shape[1] == 4 and got.shape[2] == 2), {
  en = "The shape is (n, h, d/h): the heads are there, but the words still come first. Exchange the first two axes.",
  zh = "形状是 (n, h, d/h)：头是分出来了，可排在最前的还是词。交换前两个轴。",
})
feedback(not (got.shape[1] == 2 and got.shape[2] == 4 and same(got, reshape(X, 2, 4, 3))), {
  en = "The shape is right, the contents are not: reshaping straight to (h, n, d/h) gives the first words to head 1, " ..
       "not the first columns.",
  zh = "形状对了，内容不对：直接变形成 (h, n, d/h)，头 1 拿到的是前几个词，而不是前几列。",
})
local function right(X, h) return permute(reshape(X, X.shape[1], h, X.shape[2] // h), 2, 1, 3) end
feedback(same(got, right(X, 2), {what = "split(X, 2)"}))
--- BEGIN HIDDEN TESTS
local Y = reshape(range(1, 30), 5, 6)
for _, h in ipairs {1, 3, 6} do feedback(same(split(Y, h), right(Y, h), {what = "split"})) end
--- END HIDDEN TESTS
-- %% role="wrong" ref="split" expect="first columns"
function split(X, h) return reshape(X, h, X.shape[1], X.shape[2] // h) end
-- %% role="wrong" ref="split" expect="words still come first"
function split(X, h) return reshape(X, X.shape[1], h, X.shape[2] // h) end

-- %% [markdown] ref="ffn" lang="en"
-- ## A network for each word (FFN)
-- Suppose that attention were all. With its weights held fixed, it takes a weighted mean of the words and multiplies it by a matrix, and two such layers, one on top of the other, are one
-- (appendix). Line 5 (*network*) of the table is the remedy: a small network, the same for each word,
--
-- $$\mathrm{FFN}(x) = \max(xW_1 + b_1, 0)W_2 + b_2$$
--
-- It treats each word by itself, so that permuting the words permutes its results: with whole numbers this holds to the last bit.
--
-- And no single matrix can do its work. A linear map with a constant has no bend: its value at $x$ is the mean of those at $x-h$ and $x+h$. The network has one wherever a unit is carried
-- across 0. So the best linear map misses part of its output, and the cell says how much.
--
-- > **How large the bend is, and what must be missed**
-- > Let unit $k$ stand at $a_k$, the entry of $xW_1 + b_1$, and move by $s_k$, that of $hW_1$. Where $s_k$ carries it across 0, $\max(a_k, 0)$ bends by $|s_k| - |a_k|$, and elsewhere not at
-- > all; so
-- >
-- > $$D = \mathrm{FFN}(x+h) - 2\,\mathrm{FFN}(x) + \mathrm{FFN}(x-h) = \max(|s|-|a|, 0)W_2$$
-- >
-- > Let a linear map miss the three values by $r_-$, $r_0$, $r_+$. Then $D = r_+ - 2r_0 + r_-$, and by Cauchy and Schwarz $|D|^2 \le 6(|r_+|^2 + |r_0|^2 + |r_-|^2)$. Over many triples even
-- > the best one, which least squares finds, misses by $\sqrt{\sum|D|^2/6}$ or more in all. In whole numbers $D$ is exact, and not 0.

-- %% [markdown] ref="ffn" lang="zh"
-- ## 前馈网络（FFN）：给每个词一个小网络
-- 假如只有注意力：权重固定时，它不过是对各个词求加权平均，再乘一个矩阵；这样的两层叠起来，还是一层（见附录）。
-- 补救的办法就是表中的第 5 行（前馈网络），一个小网络，对每个词都一样：
--
-- $$\mathrm{FFN}(x) = \max(xW_1 + b_1, 0)W_2 + b_2$$
--
-- 它逐词起作用，所以词怎么置换，结果就怎么置换：取整数时逐位相同。
--
-- 它的活儿也不是一个矩阵干得了的。线性映射（连同常数项）不会拐弯：它在 $x$ 处的值，就是 $x-h$ 与 $x+h$ 两处的平均。
-- 网络却会拐弯，只要有一个单元越过了 0。所以最好的线性映射也拟合不全，总要差掉一部分输出，下面算出差多少。
--
-- > **拐多少，至少差多少**
-- > 设第 $k$ 个单元的输入是 $a_k$，即 $xW_1 + b_1$ 的分量；移动量是 $s_k$，即 $hW_1$ 的分量。若 $s_k$ 带着它越过了 0，
-- > $\max(a_k, 0)$ 就拐出 $|s_k| - |a_k|$ 这么多；没有越过，就一点不拐。因此
-- >
-- > $$D = \mathrm{FFN}(x+h) - 2\,\mathrm{FFN}(x) + \mathrm{FFN}(x-h) = \max(|s|-|a|, 0)W_2$$
-- >
-- > 设某个线性映射在这三处各差 $r_-$、$r_0$、$r_+$。那么 $D = r_+ - 2r_0 + r_-$，由柯西－施瓦茨不等式
-- > $|D|^2 \le 6(|r_+|^2 + |r_0|^2 + |r_-|^2)$。取许多组这样的三点，最小二乘找出的最好的线性映射总共也至少要差 $\sqrt{\sum|D|^2/6}$。
-- > 取整数时 $D$ 是精确的，而且不为 0。

-- %% ref="ffn" claim="sa/ffn"
local function network(g, d, m)
  return {
    W1 = whole(g, d, m), b1 = whole(g, m),
    W2 = whole(g, m, d), b2 = whole(g, d),
  }
end
local function permuted(g)
  local X, P, order = whole(g, 6, 4), network(g, 4, 8), argsort(rand(g, 6))
  return feed_forward(take(X, order), P) - take(feed_forward(X, P), order)
end
-- Over 40 triples: D against its formula; and as shares of the output what a linear map must miss, and what the best one misses.
local function bent(g)
  local X, H, P = whole(g, 40, 4), whole(g, 40, 4), network(g, 4, 16)
  local points = concat{X - H, X, X + H}
  local Y = feed_forward(points, P)
  local function part(i) return Y[{ {40 * i - 39, 40 * i}, {} }] end
  local D = part(3) - 2 * part(2) + part(1)
  local a, s = matmul(X, P.W1) + P.b1, matmul(H, P.W1)
  local tents = matmul(maximum(abs(s) - abs(a), 0), P.W2)
  local _, missed = lstsq(concat({points, ones(120, 1)}, 2), Y)
  local least, best = norm(D) / sqrt(6), norm(missed)
  return D - tents, least / norm(Y), best / norm(Y), least / best * (least / least) -- no number if D is 0
end
local _, least, best, ratio = bent(rng(11))
print(says{en = "missed of the output: at least %.3f, by the best linear map %.3f",
  zh = "输出中差掉的份额：至少 %.3f，最好的线性映射是 %.3f"}:format(least, best))
return {
  measure {
    claim = {en = "permuting the words permutes the results", zh = "词换了位置，结果同样换位"}, f = permuted, samples = 50, seed = 10, bound = 0,
    why = says{en = "products of small whole numbers are exact", zh = "小整数的乘积是精确的"},
  },
  measure {
    claim = {en = "the bend is what its formula says", zh = "拐弯的大小与公式一致"},
    samples = 20, seed = 11, bound = 0, f = function(g) return (bent(g)) end, why = says{en = "the same whole numbers", zh = "同样的整数"},
  },
  measure {
    claim = {en = "the best linear map misses no less than it must", zh = "最好的线性映射差掉的，不少于必然差掉的"},
    f = function(g) local _, _, _, over = bent(g) return over end, samples = 20, seed = 11, bound = 1,
    why = says{en = "|D|^2 is at most 1 + 4 + 1 times what is missed; D is not 0", zh = "|D|^2 至多是所缺的 1 + 4 + 1 倍；D 不为 0"},
  },
  figure({en = "of one output, a linear map misses at least", zh = "对一个输出，线性映射至少差掉"}, least, "0.118"),
  figure({en = "one over the other", zh = "两者之比"}, ratio, "0.3185"),
  figure({en = "of the same, the best linear map misses", zh = "对同一个输出，最好的线性映射差掉"}, best, "0.372"),
}

-- %% [markdown] ref="residual" lang="en"
-- ## Residual connections
-- Line 3 of the table adds the word again: instead of $F(x)$ a layer hands on $x + F(x)$. Its Jacobian is
--
-- $$\frac{\partial(x+F(x))}{\partial x} = I + J_F$$
--
-- so that a gradient comes through even where $F$ lets little pass. How much? Let no layer's $J_F$ stretch a vector more than $\rho$ times. Then $I + J_F$ makes it at most $1+\rho$ times as
-- long, and for $\rho < 1$ at least $1-\rho$ times. So when $w$ goes back through $L$ layers, the plain gradient $g$ and the one with residuals, $\tilde g$, have lengths with
--
-- $$|g| \le \rho^L|w|, \qquad (1-\rho)^L|w| \le |\tilde g| \le (1+\rho)^L|w|$$
--
-- For $F(x) = \tanh(Wx)$ the largest singular value of $W$ will do as $\rho$, since tanh is nowhere steeper than 1. At $\rho = 1/4$ and $L = 32$ the plain gradient is below $10^{-19}|w|$
-- and the other above $10^{-4}|w|$, whatever $W$ is. And with $\rho = 1/L$ it stays between $1/4$ and $e$ at every depth from 2 on.

-- %% [markdown] ref="residual" lang="zh"
-- ## 残差连接
-- 表中第 3 行又把词自己加了回来：一层传下去的不是 $F(x)$，而是 $x + F(x)$。它的雅可比矩阵是
--
-- $$\frac{\partial(x+F(x))}{\partial x} = I + J_F$$
--
-- 因此哪怕 $F$ 几乎不放行，梯度也过得来。能过来多少？设每一层的 $J_F$ 至多把向量的长度变成 $\rho$ 倍，那么 $I + J_F$ 至多变成 $1+\rho$ 倍；
-- 若 $\rho < 1$，至少还剩 $1-\rho$ 倍。梯度从 $w$ 出发，往回穿过 $L$ 层，没有残差时得到 $g$，有残差时得到 $\tilde g$，它们的长度满足
--
-- $$|g| \le \rho^L|w|, \qquad (1-\rho)^L|w| \le |\tilde g| \le (1+\rho)^L|w|$$
--
-- 若 $F(x) = \tanh(Wx)$，$\rho$ 取 $W$ 的最大奇异值就行，因为 tanh 的斜率处处不超过 1。$\rho = 1/4$、$L = 32$ 时，不管权重如何，
-- 没有残差的梯度小于 $10^{-19}|w|$，有残差的大于 $10^{-4}|w|$。要是取 $\rho = 1/L$，那么从两层起，不论多深，后者都在 $1/4$ 与 $e$ 之间。

-- %% ref="residual" claim="sa/residual"
local function identity_added(g)
  local W, x = randn(g, 5, 5), randn(g, 5)
  local function F(x) return tanh(matmul(W, x)) end
  local with = jacobian(function(x) return residual(x, F) end)(x)
  return max(abs(with - eye(5) - jacobian(F)(x))), 2 * u * (1 + max(abs(with)))
end
-- How many times longer the gradient is behind L layers of 16 units with largest singular value ρ: plain, and with residuals.
function behind(g, L, ρ)
  local layers, x, w = {}, randn(g, 16), randn(g, 16)
  for l = 1, L do
    local W = randn(g, 16, 16)
    W = W * (ρ / svdvals(W)(1))
    layers[l] = function(x) return tanh(matmul(W, x)) end
  end
  local function length(step)
    local _, back = vjp(function(x)
      for l = 1, L do x = step(x, layers[l]) end
      return x
    end, x, w)
    return norm(back) / norm(w)
  end
  return length(function(x, F) return F(x) end), length(residual)
end
-- Each over its bounds, for ρ = 1/4 and for ρ = 1/L. Rounding: a layer errs by 24·4 u of the vector (16 terms, tanh; root of 16), and
-- the others stretch that at most (1+ρ)/(1-ρ) times more than the vector itself.
local sums = zeros(3)
local function within(g)
  local L = 2 + g:below(31)
  local ρ = g:below(2) == 0 and 1 / 4 or 1 / L
  local plain, with = behind(g, L, ρ)
  local slack = 1 + 96 * L * u * ((1 + ρ) / (1 - ρ)) ^ L
  local over = array{plain / ρ ^ L, (1 - ρ) ^ L / with, with / (1 + ρ) ^ L}
  sums = sums + over
  return max(over), slack, ("L = %d, ρ = %.3g"):format(L, ρ)
end
local lengths = {}
for _, row in ipairs {{2, "0.017908", "0.96255"}, {8, "3.8935e-8", "1.1534"}, {16, "6.3523e-15", "1.4473"}, {32, "1.0232e-28", "1.5118"}} do
  local L, told, told_with = table.unpack(row)
  local plain, with = behind(rng(14), L, 1 / 4)
  print(says{en = "%2d layers   plain %7.2g   with residuals %.2f", zh = "%2d 层   没有残差 %7.2g   有残差 %.2f"}
    :format(L, plain, with))
  local function layers(en, zh) return {en = en:format(L), zh = zh:format(L)} end
  table.insert(lengths, figure(layers("plain, %d layers of ρ = 1/4", "没有残差，%d 层，ρ = 1/4"), plain, told))
  table.insert(lengths, figure(layers("with residuals, %d layers", "有残差，%d 层"), with, told_with))
end
local added = in_bounds {
  claim = {en = "a residual adds I to the Jacobian, but for rounding", zh = "残差给雅可比矩阵添上 I，只差舍入"},
  f = identity_added, samples = 50, seed = 15, told = "5.1841",
  why = says{en = "1 + J is rounded once, and subtracting 1 again rounds once", zh = "1 + J 舍入一次，再减去 1 又舍入一次"},
}
local bounded, slacks = in_bounds {
  claim = {en = "up to 32 layers all gradients keep within their bounds", zh = "至多 32 层，梯度都在各自的界内"},
  f = within, samples = 40, seed = 14,
  why = says{en = "products of the largest and smallest factors of each layer", zh = "各层最大与最小因子的乘积"},
}
local depths, plain, with = {}, {}, {}
for i = 1, 16 do
  depths[i] = 2 * i
  plain[i], with[i] = behind(rng(14), 2 * i, 1 / 4)
end
display(plot(depths, {plain, with}, {
  labels = {says{en = "plain", zh = "没有残差"}, says{en = "with residuals", zh = "有残差"}}, log = "y", style = "both",
  xlabel = says{en = "layers", zh = "层数"}, ylabel = says{en = "gradient", zh = "梯度"},
}))
return {
  added,
  figure({en = "plain over its bound, summed over 40", zh = "没有残差的与其上界之比，40 次之和"}, sums(1), "0.64554"),
  figure({en = "the lower bound over it with residuals, summed", zh = "下界与有残差的之比，40 次之和"}, sums(2), "5.9082"),
  figure({en = "with residuals over the upper bound, summed", zh = "有残差的与上界之比，40 次之和"}, sums(3), "7.5223"),
  bounded, figure({en = "on average rounding may add so many units of u", zh = "平均而言，舍入可能添上多少个 u"}, (slacks - 1) * 2^53, "6.5175e8", {guard = true}),
  lengths,
}

-- %% [markdown] ref="normed" lang="en"
-- ## Exercise: normalise
-- Residuals add up, and the numbers grow from layer to layer. Layer normalisation brings each word back to mean 0 and variance 1. Write `normed(x)` for a vector $x$ of $d$ numbers: subtract
-- the mean and divide by the root of the variance, where the variance is the mean of the squared deviations. (Do not call `layer_norm`.)
--
-- Line 4 of the table did that to *bites*. A word shifted or stretched comes out the same (the appendix proves it).

-- %% [markdown] ref="normed" lang="zh"
-- ## 练习：归一化
-- 残差一层层加上去，数就越来越大。层归一化把每个词重新变成均值 0、方差 1。写一个函数 `normed(x)`，$x$ 是 $d$ 个数的向量：减去均值，
-- 再除以方差的平方根，方差是各偏差平方的平均。（不要调用 `layer_norm`。）
--
-- 表中第 4 行对“咬”做的正是这件事。词整体平移或放大，结果都不变（证明见附录）。

-- %% role="exercise" ref="normed" points=1
function normed(x)
  --- BEGIN SOLUTION
  local off = x - mean(x)
  return off / sqrt(mean(off * off))
  --- END SOLUTION
end
-- %% role="hint" ref="normed" lang="en"
-- `mean(x)` is the mean. The variance is a mean too: of which numbers?
-- %% role="hint" ref="normed" lang="zh"
-- `mean(x)` 是均值。方差也是一个平均：什么的平均？
-- %% role="hint" ref="normed" lang="en"
-- With `off = x - mean(x)` the variance is `mean(off * off)`.
-- %% role="hint" ref="normed" lang="zh"
-- 令 `off = x - mean(x)`，方差就是 `mean(off * off)`。

-- %% role="check" ref="normed"
local x = array{3, 5, 1, 7}
local got = normed(x)
local off = x - 4
feedback(type(got) == "userdata" and #got.shape == 1 and got.shape[1] == 4, {
  en = "`normed` must return a vector as long as x.",
  zh = "`normed` 要返回与 x 一样长的向量。",
})
feedback(not same(got, off / sqrt(20 / 3)), {
  en = "This divides the sum of squares by d - 1. Layer normalisation divides by d.",
  zh = "这里把平方和除以了 d - 1。层归一化除以 d。",
})
feedback(not same(got, off / 5), {
  en = "This divides by the variance. Divide by its root.",
  zh = "这里除以了方差。应当除以方差的平方根。",
})
feedback(not same(got, x / sqrt(mean(x * x))), {
  en = "The mean is not subtracted. (That is another normalisation, RMSNorm.)",
  zh = "没有减去均值。（那是另一种归一化，叫 RMSNorm。）",
})
feedback(same(got, off / sqrt(5), {what = "normed({3, 5, 1, 7})"}))
--- BEGIN HIDDEN TESTS
local y = randn(rng(5), 64) * 9 + 100
local far = y - mean(y)
feedback(same(normed(y), far / sqrt(mean(far * far)), {what = "normed"}))
--- END HIDDEN TESTS
-- %% role="wrong" ref="normed" expect="d - 1"
function normed(x) local off = x - mean(x) return off / sqrt(sum(off * off) / (x.size - 1)) end
-- %% role="wrong" ref="normed" expect="Divide by its root"
function normed(x) local off = x - mean(x) return off / mean(off * off) end
-- %% role="wrong" ref="normed" expect="RMSNorm"
function normed(x) return x / sqrt(mean(x * x)) end

-- %% [markdown] ref="block" lang="en"
-- ## The whole block
-- Self-attention, a residual, a norm; the network for each word, a residual, a norm: that is the encoder block. With width $d$ and $m$ columns inside the network it has
--
-- $$4d^2 + (2dm + m + d) + 4d$$
--
-- parameters: four square matrices, the network with its two constants, two norms with gain and bias. Its exact gradient agrees with difference quotients. (This is the block of
-- 2017. Most newer models put the norm *before* each part, so that a residual runs through the whole depth, and leave the mean out: RMSNorm.)
--
-- > **How exact the differences are**
-- > $(f(x+h)-f(x-h))/2h$ errs by a third derivative times $h^2/6$ and by rounding over $h$; halving $h$ tells the first error, and the rest is bounded by some hundred roundings of $f$ over
-- > $h$. Such a bound needs a smooth function, so that the network has tanh here in place of $\max(x, 0)$.

-- %% [markdown] ref="block" lang="zh"
-- ## 完整的一块
-- 自注意力、残差、归一化；前馈网络、残差、归一化：这就是完整的编码器块。宽度为 $d$、网络内部 $m$ 列时，它有
--
-- $$4d^2 + (2dm + m + d) + 4d$$
--
-- 个参数：四个方阵，带两个常数项的网络，以及各有增益与偏置的两个归一化。它的精确梯度与差商相符。
-- （这是 2017 年的写法。后来的模型多半把归一化放在每个部件*之前*（pre-norm），残差便贯通到底；还省去减均值这一步，叫作 RMSNorm。）
--
-- > **差商有多准**
-- > $(f(x+h)-f(x-h))/2h$ 的误差，一是三阶导数乘 $h^2/6$，一是舍入除以 $h$；把 $h$ 减半就能看出前者，
-- > 后者至多是 $f$ 的一百来次舍入除以 $h$。这样的界要求函数光滑，所以这里网络用 tanh 而不用 $\max(x, 0)$。

-- %% ref="block" claim="sa/encoder-block"
local d, m, H = 8, 16, 2
-- A block, a text, and the block's output as one number f: a weighted sum.
local function setup(g)
  local P = init_encoder(g, d, H, m)
  local X, weights = randn(g, 4, d), randn(g, 4, d)
  local function f(X)
    return sum(weights * encoder_block(X, P, {activation = tanh}))
  end
  return X, f, sum(abs(weights)) * 3
end
-- Along a random direction: differences against the exact derivative.
local function agrees(g)
  local X, f, size = setup(g)
  local v, h = randn(g, 4, d), 2^-12
  local exact = sum(grad(f)(X) * v)
  local function difference(h)
    return (f(X + h * v) - f(X - h * v)) / (2 * h)
  end
  local coarse, fine = difference(h), difference(h / 2)
  -- coarse - fine is 3/4 of the error of the coarse one; the fine one has a quarter of it: a third of the difference, doubled
  local allowed = 2 / 3 * abs(coarse - fine) + 200 * u * size / h
  return abs(fine - exact), allowed
end
local function parameters(d, m) return 4*d^2 + (2*d*m + m + d) + 4*d end
-- Numbers of parameters less the formula, and shapes that are not kept.
local extra, changed = {}, {}
for i, size in ipairs {{8, 16, 2}, {6, 5, 3}, {4, 16, 1}} do
  local d, m, H = table.unpack(size)
  local P = init_encoder(rng(i), d, H, m)
  extra[i] = count_parameters(P) - parameters(d, m)
  local shape = encoder_block(randn(rng(i), 2 * i - 1, d), P).shape
  changed[i] = {shape[1] - (2 * i - 1), shape[2] - d}
end
local big = parameters(512, 2048)
print(says{en = "parameters at d = 512, m = 2048: %.0f", zh = "d = 512、m = 2048 时的参数个数：%.0f"}:format(big))
local right, mean_bound = in_bounds {
  claim = {en = "difference quotients and the exact gradient agree, within their bounds", zh = "差商与精确梯度之差在界内"},
  f = agrees, samples = 20, seed = 17,
  why = says{en = "twice the error that halving h shows, 200 roundings of f over h", zh = "h 减半所显示的误差的两倍，加上 f 的 200 次舍入除以 h"},
}
return {
  measure {
    claim = {en = "there are as many parameters as the formula says", zh = "参数个数与公式一致"},
    value = extra, bound = 0, why = says{en = "counted", zh = "数出来的"},
  },
  measure {
    claim = {en = "what comes out has the shape of what went in", zh = "输出与输入形状相同"}, value = changed, bound = 0,
    why = says{en = "counted", zh = "数出来的"},
  },
  right, figure({en = "on average they may differ by", zh = "平均而言，容许相差"}, mean_bound, "5.14e-7"),
  figure({en = "parameters at d = 512, m = 2048", zh = "d = 512、m = 2048 时的参数个数"}, math.tointeger(big), "3150336"),
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Overflow.* Half precision (f16) ends at 65504, and $e^{12}$ is 162755: scores of a dozen are enough. Programs subtract the largest score first, which changes no weight and leaves nothing
-- above $e^0$.
--
-- *A row that sees nothing.* If every key of a query is hidden, the formula divides 0 by 0, and in the next layer one NaN spreads to all words that see it. Some programs put $-10^9$ in
-- place of $-\infty$; then all scores of such a row are the same, and it looks at *everything* it should not see, with equal weights.
--
-- *Twice the scale.* Some encodings have a scale of their own: T5 does not divide by $\sqrt{d}$ at all (its weights are initialised smaller instead), and whoever divides twice makes all
-- weights nearly equal. *Scores that grow in training* flatten the gradient all the same; some newer models, such as Qwen3, therefore normalise each query and key before the product
-- (QK-norm).

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *溢出*。半精度（f16）最大到 65504，而 $e^{12}$ 是 162755：打分到 12 就溢出了。所以程序先减去最大的打分：权重一个不变，指数却都不超过 $e^0$。
--
-- *什么也看不见的一行*。某个查询的键若全被遮住，公式就是 0 除以 0，一个 NaN 到下一层便传给所有看得见它的词。
-- 有的程序把打分设为 $-10^9$ 而不是 $-\infty$，于是这样的一行打分全都相同，把不该看的*全都*看了，权重还一律相等。
--
-- *重复缩放*。有的编码自有其缩放：T5 根本不除以 $\sqrt{d}$（它把权重初始化得小一些）；要是再除一次，所有权重就几乎相等了。
-- *训练中打分越来越大*，梯度照样会消失；所以有些新模型（如 Qwen3）在点积之前先把查询和键各自归一化（QK-norm）。

-- %% ref="practice"
print(says{en = "e^12 in f16:", zh = "f16 里的 e^12："}, quantize(exp(12), "f16"))
local one = ones(1, 2)
local function two(words, x) print(says(words), ("%.4g  %.4g"):format(x(1), x(2))) end
two({en = "e^0 and e^-9, the largest subtracted first:", zh = "先减去最大的，得 e^0 与 e^-9："}, quantize(exp(array{12, 3} - 12), "f16"))
two({en = "weights, all keys hidden with -1e9:", zh = "键全用 -1e9 遮住时的权重："}, attention_weights(one, eye(2), {bias = -1e9 * one})[1])
two({en = "weights, all keys hidden:", zh = "键全遮住时的权重："}, attention_weights(one, eye(2), {mask = array{{false, false}}})[1])

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- Attention is a weighted mean whose weights come from dot products. The scores need a factor of $1/\sqrt{d}$, the heads a reshape, depth a network for each word, and training needs residuals
-- and norms. Without a mask nothing in the block knows the order of the words, as the lesson `order` showed. The rest of the course is about the remedies.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 注意力是一个加权平均，权重来自点积。打分要乘上 $1/\sqrt{d}$，多头只是变形，叠深要靠前馈网络，
-- 训练要靠残差与归一化。不带掩码，这里面没有一处知道词的次序：那是 `order` 一课讲的，往后整个课程讲的就是该怎么办。

-- %% [markdown] ref="index" lang="en" part="appendix"
-- ## The index of a sum
-- The sum in the denominator of the weights needs an index of its own, $k$. The notes on positional encoding print $\sum_{k=1}^{n}\exp(e_{ij})$ there. No term of that sum contains $k$: it
-- is $n$ times the same number, and every weight is $1/n$, whatever the scores are.

-- %% [markdown] ref="index" lang="zh" part="appendix"
-- ## 求和的下标
-- 权重的分母里，求和要有自己的下标 $k$。《Position Encoding》学习笔记却把那里印成了 $\sum_{k=1}^{n}\exp(e_{ij})$。
-- 各项里都没有 $k$，于是这个和是同一个数的 $n$ 倍，不管打分如何，权重一律是 $1/n$。

-- %% ref="index" claim="pe/softmax-index"
local e1, e2, e3 = sym "e1 e2 e3"
-- E: what stands below the line; S: the sum there, as it should be.
local e, E, S = sym "e E S"
local n, k = sym("n", "natural"), sym("k", "integer")
local below = exp(e1) + exp(e2) + exp(e3)
return {
  -- the first of three weights, as written and as it should be
  written = named({en = "as printed, the first of three weights is the right one", zh = "照印出来的写法，三个权重里的第一个是对的"},
                  prove(exp(e1) / (exp(e1) + exp(e1) + exp(e1)), exp(e1) / below)),
  mended = {
    -- as written the weight is E/(nE)
    prove(sum(E, k, 1, n), n * E, {caption = {en = "as printed, the denominator is $nE$", zh = "照印出来的写法，分母是 $nE$"}}), mutants(sum(E, k, 1, n), n * E),
    named({en = "as printed, every weight is 1/n", zh = "照印出来的写法，权重一律是 1/n"}, prove(E / (n * E), 1 / n)),
    -- as it should be, the weights add up to S/S
    named({en = "the right weights add up to the sum of the exponentials over S", zh = "正确的权重，加起来是各指数之和除以 S"},
          prove(sum(exp(e[k]) / S, k, 1, n), sum(exp(e[k]), k, 1, n) / S)),
    named({en = "which is 1, S being that sum", zh = "S 就是那个和，所以是 1"}, prove(S / S, 1)),
  },
}

-- %% [markdown] ref="alpha" lang="en"
-- ## Attention by plain loops
-- To check the laboratory's `attention` we compute it once more, with plain loops over $i$, $j$ and the columns; then all of it from $X$. Besides, the weights of a query add up to 1, but for
-- rounding, and none is negative.
--
-- > **A slip in the lecture notes**
-- > The lecture notes define the weight as plain $\alpha$, without $i$ and $j$, which it has again in their next formula. One number cannot stand for $n^2$: a single run with three words
-- > shows weights that differ.
--
-- > **How far the two may differ**
-- > Two computed dot products of $d$ terms differ by at most $2(d+2)u$ times $\sum|q||k|$; subtracting the largest score adds $4u$ of it. An error $\delta$ in all scores changes a weight by
-- > a factor $e^{2\delta}$ at most, and the exponentials, the sum of $n$ and the weighted mean add $(2n+6)u$ on each side. The sum of the weights is off by at most $(2n+2)u$: $n-1$
-- > additions twice, two roundings for each quotient, and two more for products of small terms.

-- %% [markdown] ref="alpha" lang="zh"
-- ## 用最朴素的循环算注意力
-- 为了检验实验室的 `attention`，我们用最朴素的循环，对 $i$、$j$ 和各列再算一遍；再从 $X$ 出发算到底。此外，
-- 每个查询的权重之和除舍入外等于 1，也没有负的权重。
--
-- > **课程笔记的疏漏**
-- > 课程笔记定义权重时只写 $\alpha$，没有 $i$ 和 $j$（紧接着的式子里又有了）。一个数顶不了 $n^2$ 个数：随便拿三个词跑一次，权重就各不相同。
--
-- > **两边最多差多少**
-- > 两个各自算出的 $d$ 项点积，至多相差 $\sum|q||k|$ 的 $2(d+2)u$ 倍；减去最大的打分再添它的 $4u$。所有打分错 $\delta$，
-- > 一个权重至多变 $e^{2\delta}$ 倍；指数、$n$ 项求和、加权平均，每边再添 $(2n+6)u$。权重之和的误差至多 $(2n+2)u$：
-- > 两处各 $n-1$ 次加法，每个商舍入两次，余下两次留给小量之积。

-- %% ref="alpha" claim="sa/attention-definition"
-- z_i = Σ_j α_ij v_j and the weights, by loops; scores are scale q·k.
function by_hand(Q, K, V, scale)
  local T, S, d, Z, A = Q.shape[1], K.shape[1], Q.shape[2], {}, {}
  for i = 1, T do
    local e, top, total = {}, -math.huge, 0
    for j = 1, S do
      local s = 0
      for l = 1, d do s = s + Q(i, l) * K(j, l) end
      e[j] = s * scale
      top = math.max(top, e[j])
    end
    for j = 1, S do e[j] = math.exp(e[j] - top) total = total + e[j] end
    A[i], Z[i] = {}, {}
    for j = 1, S do A[i][j] = e[j] / total end
    for c = 1, V.shape[2] do
      Z[i][c] = 0
      for j = 1, S do Z[i][c] = Z[i][c] + A[i][j] * V(j, c) end
    end
  end
  return array(Z), array(A)
end
-- How far two computations may be apart, as derived above; 1.01 covers products of small terms.
function apart(Q, K, V, scale)
  local d, n = Q.shape[2], K.shape[1]
  local size = scale * max(matmul(abs(Q), abs(K).T))
  local scores, means = (2 * (d + 2) + 4) * u * size, (2 * n + 6) * u
  return 1.01 * (2 * scores + 2 * means) * max(abs(V))
end
-- A random problem of 4 to 9 words: how far attention is from the loops, and may be.
function against_loops(g)
  local n, d = 4 + g:below(6), 2 + g:below(7)
  local Q, K, V = randn(g, n, d), randn(g, n, d), randn(g, n, 3)
  local s = 1 / math.sqrt(d)
  local off = attention(Q, K, V) - by_hand(Q, K, V, s)
  return off, apart(Q, K, V, s), ("n = %d, d = %d"):format(n, d)
end
local keys = array{{2, 0}, {0, 2}, {-1, 1}}
local weights = attention_weights(array{{1, 0}}, keys)
local equal = in_bounds {
  claim = {en = "attention and the loops agree, but for rounding", zh = "attention 与循环只差舍入"},
  f = against_loops, samples = 100, seed = 3, told = "330.46",
  why = says{en = "scores 2(d+2)u and 4u, weights and means (2n+6)u on each side", zh = "打分 2(d+2)u 与 4u，权重与平均每边 (2n+6)u"},
}
return {
  written = {
    measure {
      claim = {en = "one α does for all pairs", zh = "所有的对共用一个 α"}, value = max(weights) - min(weights),
      bound = 0, why = says{en = "one number is equal to itself", zh = "一个数等于它自己"},
    },
    figure({en = "the largest α of three, scores √2, 0, -1/√2", zh = "打分为 √2、0、-1/√2 时，三个 α 里最大的"}, max(weights), "0.73368"),
    figure({en = "the least", zh = "最小的"}, min(weights), "0.087949"),
  },
  mended = equal,
}

-- %% ref="alpha" claim="pe/attention-definition"
local function sums(g)
  local n = 2 + g:below(60)
  local A = attention_weights(randn(g, n, 8), randn(g, n, 8))
  return sum(A, 2) - 1, (2 * n + 2) * u, "n = " .. n
end
local function from_words(g)
  local X = randn(g, 6, 5)
  local Q, K = matmul(X, randn(g, 5, 4)), matmul(X, randn(g, 5, 4))
  local V = matmul(X, randn(g, 5, 3))
  return attention(Q, K, V) - by_hand(Q, K, V, 1/2), apart(Q, K, V, 1/2)
end
local function negative(g)
  return maximum(-attention_weights(randn(g, 9, 4), randn(g, 9, 4)), 0)
end
local add_up = in_bounds {
  claim = {en = "the weights of a query add up to 1, but for rounding", zh = "每个查询的权重之和是 1，只差舍入"},
  f = sums, samples = 100, seed = 4, told = "69.52",
  why = says{en = "n additions twice, and two roundings a quotient: (2n+2)u", zh = "两处各 n 次加法，每个商两次舍入：(2n+2)u"},
}
local made = in_bounds {
  claim = {en = "made from words, attention and the loops agree, but for rounding", zh = "从词算起，attention 与循环也只差舍入"},
  f = from_words, samples = 50, seed = 6, told = "2873",
  why = says{en = "the bound derived for the loops", zh = "为循环推出的那个界"},
}
return {
  add_up,
  measure {
    claim = {en = "no weight is negative", zh = "没有负的权重"}, f = negative, samples = 50, seed = 5,
    bound = 0, why = says{en = "neither an exponential nor a quotient of such is", zh = "指数不为负，指数之商也不为负"},
  },
  made,
}

-- %% [markdown] ref="flat" lang="en"
-- ## Why large scores stop the gradient
-- Let one score be the largest, the others below it by gaps $g_j > 0$, and multiply all by $c$. With $R$ the sum of $e^{-cg_k}$ over these others, their weights are
--
-- $$\alpha_j = \frac{e^{-cg_j}}{1+R} = e^{-cg_j} - \frac{Re^{-cg_j}}{1+R} < e^{-cg_j}$$
--
-- No entry of $J$ exceeds the sum of these weights in absolute value: $\alpha_j\alpha_k$ and $\alpha_j(1-\alpha_j)$ contain one of them, and $1-\alpha$ for the largest is that sum. Let $g$
-- be the smallest gap. Then $|J_{jk}| < (n-1)e^{-cg}$: as $c$ grows, $J$ goes to 0, and no gradient comes through the weights any more.
--
-- What is learned is $q$, not the score. With the keys as rows of $K$ the scores are $Kq/\sqrt{d}$, and by the chain rule
--
-- $$\frac{\partial\alpha}{\partial q} = \frac{1}{\sqrt{d}}JK$$
--
-- so that the division also costs a factor of its own. The size of a step can make up for that one; nothing makes up for a $J$ of 0.

-- %% [markdown] ref="flat" lang="zh"
-- ## 打分太大，梯度为什么消失
-- 设打分中有一个最大，其余的分别比它低 $g_j > 0$，再把所有打分都乘上 $c$。记 $R$ 为这些其余打分的 $e^{-cg_k}$ 之和，它们的权重便是
--
-- $$\alpha_j = \frac{e^{-cg_j}}{1+R} = e^{-cg_j} - \frac{Re^{-cg_j}}{1+R} < e^{-cg_j}$$
--
-- $J$ 的元素按绝对值都不超过这些权重之和：$\alpha_j\alpha_k$ 与 $\alpha_j(1-\alpha_j)$ 里总含有其中一个，而对最大的那个打分，
-- $1-\alpha$ 正是这个和。设 $g$ 为最小的差距，就有 $|J_{jk}| < (n-1)e^{-cg}$：$c$ 越来越大，$J$ 便趋于 0，梯度再也穿不过权重。
--
-- 要学的其实是 $q$，不是打分。把各个键排成 $K$ 的行，打分就是 $Kq/\sqrt{d}$，由链式法则
--
-- $$\frac{\partial\alpha}{\partial q} = \frac{1}{\sqrt{d}}JK$$
--
-- 可见除法自己也要赔上一个因子。这个因子把步长放大些就补得回来；$J$ 成了 0，就没有什么能补救了。

-- %% ref="flat"
-- One of n weights that is not the largest, and its distance from e^(-cg).
local c, gap = sym("c", "positive"), sym("g", "positive")
local R = sym("R", "positive")
local other, below = exp(-c * gap) / (1 + R), R * exp(-c * gap) / (1 + R)
-- Exact Jacobians of c times n scores; the first is g above the others.
local function vanishing(g)
  local n, gap, c = 2 + g:below(9), 0.5 + rand(g), 1 << g:below(4)
  local z = concat{zeros(1), -(gap + rand(g, n - 1))}
  local J, a = jacobian(softmax)(c * z), softmax(c * z)
  local formula = diag(a) - outer(a, a)
  return max(abs(J)) / ((n - 1) * math.exp(-c * gap)), max(abs(J - formula))
end
-- The derivative in q against the formula; each entry is n products.
local function chain(g)
  local n, d = 2 + g:below(9), 1 + g:below(64)
  local q, K = randn(g, d), randn(g, n, d)
  local function weights(q) return softmax(matmul(K, q) / sqrt(d)) end
  local a = weights(q)
  local formula = matmul(diag(a) - outer(a, a), K) / sqrt(d)
  local size = matmul(diag(a) + outer(a, a), abs(K)) / sqrt(d)
  local off = max(abs(jacobian(weights)(q) - formula) / size)
  return off / ((2 * n + 12) * u)
end
-- Every entry of J is a product of a weight and of what is missing to 1, or of two weights: with one weight a above the others, and b, c of
-- the others, none is more in size than 1 - a.
local A, B, C = sym("a b c", "positive")
vanishing_gradients = {
  named({en = "what the largest weight lacks to 1 is the sum of the others", zh = "最大的权重与 1 之差，就是其余权重之和"}, prove(1 - 1 / (1 + R), R / (1 + R))),
  mutants(1 - 1 / (1 + R), R / (1 + R)),
  named({en = "a(1 - a) is 1 - a less a square, so no more than 1 - a", zh = "a(1 - a) 等于 1 - a 减去一个平方，故不超过 1 - a"},
        prove(A * (1 - A), (1 - A) - (1 - A)^2)), mutants(A * (1 - A), (1 - A) - (1 - A)^2),
  named({en = "b(1 - b) is no more than 1 - a, since b is not", zh = "b 不超过 1 - a，所以 b(1 - b) 也不超过"}, prove((1 - A) - B * (1 - B), (1 - A - B) + B^2)),
  mutants((1 - A) - B * (1 - B), (1 - A - B) + B^2),
  named({en = "nor is bc, the product of two other weights", zh = "另两个权重之积 bc 也不超过"}, prove((1 - A) - B * C, (1 - A - B) + B * (1 - C))),
  mutants((1 - A) - B * C, (1 - A - B) + B * (1 - C)),
  named({en = "how far another weight is below e^(-cg)", zh = "另一个权重比 e^(-cg) 小多少"}, prove(exp(-c * gap) - other, below)),
  named({en = "and that is more than 0", zh = "这个差大于 0"}, prove(gt(below, 0))),
  mutants(exp(-c * gap) - other, below),
  measure {
    claim = {en = "no entry of J exceeds (n-1) e^(-cg)", zh = "J 的元素不超过 (n-1) e^(-cg)"},
    f = function(g) return (vanishing(g)) end, samples = 50, seed = 1, bound = 1 + 2^-30,
    why = says{en = "an entry errs by 4u, and (n-1) e^(-cg) is above e^-12", zh = "每个元素误差 4u，而 (n-1) e^(-cg) 大于 e^-12"},
  },
  measure {
    claim = {en = "the Jacobian of softmax is J, but for rounding", zh = "softmax 的雅可比矩阵就是 J，只差舍入"},
    samples = 50, seed = 1, bound = 4 * u, f = function(g) return select(2, vanishing(g)) end,
    why = says{en = "a product and a difference of numbers up to 1, on each side", zh = "每边是不超过 1 的数的一个乘积与一个差"},
  },
  measure {
    claim = {en = "the derivative in q is JK over the root of d, but for rounding", zh = "对 q 的导数是 JK/√d，只差舍入"},
    f = chain, samples = 50, seed = 2, bound = 1,
    why = says{en = "n products, twice, a few roundings of J and of the root", zh = "n 个乘积，两遍；J 与平方根再舍入几次"},
  },
}
return vanishing_gradients

-- %% [markdown] ref="average" lang="en"
-- ## Which average?
-- Dividing by $\sqrt{d}$ keeps $J$ from vanishing at moderate $n$. Which average is meant? Draw $q$ and $n$ keys with normal entries, $d = 512$, and take the size $\sqrt{\sum J_{jk}^2}$. At
-- $n = 32$ both mean and median are larger with the division. At $n = 256$ the *means* reverse: rarely, two of the undivided scores are nearly equal, and then their gradient is large; the
-- median still shows what usually happens. The picture puts the sizes at $n = 256$ in order: with the division all are alike; without it most are near 0 and a few are large.

-- %% [markdown] ref="average" lang="zh"
-- ## 哪一种平均
-- $n$ 不太大时，除以 $\sqrt{d}$ 能保住 $J$，不过得说清楚是哪一种平均。取正态分量的 $q$ 与 $n$ 个键，$d = 512$，看大小 $\sqrt{\sum J_{jk}^2}$。
-- $n = 32$ 时，除过的均值与中位数都更大。到 $n = 256$，*均值*倒过来了：不除的打分偶尔有两个几乎打平，那时梯度很大；
-- 中位数反映的仍是通常的情形。图中把 $n = 256$ 时的各个大小从小到大排开：除过的都差不多；不除，则多数近于 0，少数很大。

-- %% ref="average" claim="sa/scaled-gradients"
-- Sizes of J for M random queries: Σ J² = Σα² - 2Σα³ + (Σα²)². Here q·k is
-- |q| times a normal number, and |q|² is -2 Σ ln(uniform) over d/2 numbers.
local function jacobian_sizes(Z)
  local A = softmax(Z)
  local B = A * A
  local s2, s3 = sum(B, 2), sum(A * B, 2)
  return sqrt(maximum(s2 - 2 * s3 + s2 ^ 2, 0)) -- what cancels below 0 is 0
end
local function both(n, M)
  local g, d = rng(n), 512
  local lengths = sqrt(-2 * sum(log(1 - rand(g, M, d // 2)), 2))
  local Z = reshape(lengths, M, 1) * randn(g, M, n)
  return jacobian_sizes(Z / sqrt(d)), jacobian_sizes(Z)
end
local function median(x) return sort(x)(x.size // 2) end
local function line(n, s, b)
  local text = says{en = "n = %3d  mean   %.3f divided, %.3f not", zh = "n = %3d  均值   除过 %.3f，不除 %.3f"}
  print(text:format(n, mean(s), mean(b)))
  text = says{en = "n = %3d  median %.3f divided, %.3f not", zh = "n = %3d  中位数 除过 %.3f，不除 %.3f"}
  print(text:format(n, median(s), median(b)))
end
-- A statement in both languages, with more behind it.
local function and_more(words, en, zh) return {en = words.en .. ", " .. en, zh = words.zh .. "：" .. zh} end
-- Means are apart by more than four standard errors of their difference.
local function means_apart(text, larger, smaller, told)
  local error = std(larger - smaller) / sqrt(larger.size)
  local errors = 4 * error / math.max(mean(larger) - mean(smaller), 0)
  return {
    measure {claim = text, bound = 1, value = errors, why = says{en = "four standard errors of the paired difference, over it", zh = "成对之差的四倍标准误差，除以这个差"}},
    figure(and_more(text, "four errors over the difference", "四倍标准误差与差之比"), errors, told),
  }
end
-- A median lies above t when more than half of the sizes do, below when fewer; five standard errors of a count on either side.
local function medians_apart(text, larger, smaller, t, told)
  local least = larger.size / 2 + 5 * sqrt(larger.size) / 2
  local above, below = sum(gt(larger, t)), sum(lt(smaller, t))
  return {
    measure {
      claim = text, bound = 1, value = {least / above, least / below},
      why = says{en = "of fair coins %.0f would not fall one way", zh = "公平的硬币不会有 %.0f 枚朝同一面"}:format(least),
    },
    figure(and_more(text, "how many would be no chance", "多少个就不是偶然"), least, told[1]),
    figure(and_more(text, "above", "在其上的"), above, told[2]), figure(and_more(text, "below", "在其下的"), below, told[3]),
  }
end
local s32, b32 = both(32, 1000)
local s256, b256 = both(256, 10000)
line(32, s32, b32)
line(256, s256, b256)
return {
  vanishing_gradients,
  means_apart({en = "n = 32: the scaled mean is larger", zh = "n = 32：除过的均值更大"}, s32, b32, "0.11806"),
  means_apart({en = "n = 256: the unscaled mean is larger", zh = "n = 256：不除的均值更大"}, b256, s256, "0.73817"),
  medians_apart({en = "n = 32: the scaled median is larger", zh = "n = 32：除过的中位数更大"}, s32, b32, 0.1, {"579.06", "1000", "776"}),
  medians_apart({en = "n = 256: the scaled median is larger", zh = "n = 256：除过的中位数更大"}, s256, b256, 0.05, {"5250", "10000", "6150"}),
  figure({en = "mean at n = 32, scaled", zh = "n = 32 的均值，除过"}, mean(s32), "0.2411"),
  figure({en = "mean at n = 32, not scaled", zh = "n = 32 的均值，不除"}, mean(b32), "0.0802"),
  figure({en = "mean at n = 256, scaled", zh = "n = 256 的均值，除过"}, mean(s256), "0.0991"),
  figure({en = "mean at n = 256, not scaled", zh = "n = 256 的均值，不除"}, mean(b256), "0.1078"),
  figure({en = "median at n = 32, scaled", zh = "n = 32 的中位数，除过"}, median(s32), "0.2372"),
  figure({en = "median at n = 32, not scaled", zh = "n = 32 的中位数，不除"}, median(b32), "0.0019"),
  figure({en = "median at n = 256, scaled", zh = "n = 256 的中位数，除过"}, median(s256), "0.0971"),
  figure({en = "median at n = 256, not scaled", zh = "n = 256 的中位数，不除"}, median(b256), "0.0113"),
}

-- %% ref="average"
local some = {50, 9950, 100} -- of 10000, every hundredth
return plot(range(0.5, 99.5), {sort(s256)[{some}], sort(b256)[{some}]}, {
  labels = {says{en = "divided", zh = "除过"}, says{en = "not divided", zh = "不除"}}, title = "n = 256",
  xlabel = says{en = "% of the queries", zh = "查询的百分比"}, ylabel = says{en = "size of J", zh = "J 的大小"},
})

-- %% [markdown] ref="mask-parallel" lang="en"
-- ## What the mask buys
-- The mask is there "to enable parallelization", say the lecture notes. A decoder that writes word by word computes row $i$ from the first $i$ words alone. With the mask, one pass over the
-- whole text gives all those rows at once. The weights of the words to come are exact zeros, so the two differ only by the rounding of sums in another order: $(2n+5)u|v|$ on each side.
-- That is also why a KV cache is exact: the rows that are there already would come out the same, so their keys and values need not be made again.

-- %% [markdown] ref="mask-parallel" lang="zh"
-- ## 掩码换来了什么
-- 课程笔记说，掩码是为了“能并行”。解码器逐词生成时，第 $i$ 行只由前 $i$ 个词算出。有了掩码，对全文算一遍，就同时得到所有这些行。
-- 后面的词权重是精确的 0，所以两者只差求和次序不同带来的舍入：两边各为 $(2n+5)u|v|$。
-- KV 缓存之所以不损失精确，也是这个缘故：已有的各行重算一遍还是那样，它们的键和值就不必再算。

-- %% ref="mask-parallel" claim="sa/mask-parallel"
local g, T, d = rng(17), 12, 8
local Q, K, V = randn(g, T, d), randn(g, T, d), randn(g, T, d)
local function prefixes(causal)
  local whole, off = attention(Q, K, V, {causal = causal}), {}
  for i = 1, T do
    local first = {{1, i}, {}}
    off[i] = max(abs(attention(Q[first], K[first], V[first], {causal = causal})[i] - whole[i]))
  end
  return array(off)
end
local allowed = 2 * (2 * T + 5) * u * max(abs(V))
return {
  measure {claim = {en = "one masked pass and the passes over i words agree, but for rounding", zh = "带掩码算一遍，与逐次只算前 i 个词，只差舍入"},
    value = prefixes(true), bound = allowed,
           why = says{en = "(2n+5)u of the largest |v| on each side", zh = "每边是最大 |v| 的 (2n+5)u"}},
  figure({en = "rounding may account for so many units of u", zh = "舍入可造成的偏差合多少个 u"}, allowed * 2^53, "139.85", {guard = true}),
  fails(measure {claim = {en = "they agree without a mask, too", zh = "不带掩码也只差舍入"}, value = prefixes(false), bound = allowed,
                why = says{en = "the same bound", zh = "同一个界"}}),
  figure({en = "by how much a row is off without a mask", zh = "不带掩码时一行差多少"}, max(prefixes(false)), "1.6882"),
}

-- %% [markdown] ref="collapse" lang="en"
-- ## Two layers that are one
-- Hold the attention weights $A$ fixed. Then attention is a matrix product, a mean of the values for each word: $Z = AXV$. A second layer on top gives
--
-- $$A_2(A_1XV_1)V_2 = (A_2A_1)X(V_1V_2)$$
--
-- which is one layer again, with other matrices, since brackets may be moved in a product of matrices. Depth adds nothing as long as only the values pass through.
--
-- > **To be fair: the weights are not fixed**
-- > Softmax is not linear in $X$, so attention with its weights is not linear either. Take two words of one number each, $x$ and 0, with $q = k = v = x$. The output for the first is
-- > $f(x) = xe^{x^2}/(e^{x^2}+1)$, and
-- >
-- > $$f(2x) - 2f(x) = \frac{2x(e^{4x^2}-e^{x^2})}{(e^{4x^2}+1)(e^{x^2}+1)}$$
-- >
-- > is 0 only for $x = 0$. But each output remains a mean of linear images of the words.

-- %% [markdown] ref="collapse" lang="zh"
-- ## 两层合成一层
-- 把注意力权重 $A$ 固定住，注意力就只是矩阵乘积，每个词得到各个值的一个平均：$Z = AXV$。上面再叠一层，得到
--
-- $$A_2(A_1XV_1)V_2 = (A_2A_1)X(V_1V_2)$$
--
-- 又是一层，只是换了矩阵：矩阵乘积的括号可以随意移动。只要穿过去的仅仅是值，叠得再深也没有用。
--
-- > **严格说来：权重并没有固定**
-- > softmax 对 $X$ 不是线性的，所以连权重一起算，注意力也不是线性的。取两个词，每词一个数，$x$ 与 0，并令 $q = k = v = x$。
-- > 第一个词的输出是 $f(x) = xe^{x^2}/(e^{x^2}+1)$，而
-- >
-- > $$f(2x) - 2f(x) = \frac{2x(e^{4x^2}-e^{x^2})}{(e^{4x^2}+1)(e^{x^2}+1)}$$
-- >
-- > 只在 $x = 0$ 时才为 0。不过，每个输出终究还是各词线性像的平均。

-- %% ref="collapse" claim="sa/stacked-linear"
local A1, A2 = symmatrix("A", 2, 2), symmatrix("B", 2, 2)
local V1, V2 = symmatrix("V", 2, 2), symmatrix("W", 2, 2)
local function two(X, V1, V2)
  return matmul(A2, matmul(matmul(A1, matmul(X, V1)), V2))
end
local function one(X, V1, V2)
  return matmul(matmul(A2, A1), matmul(X, matmul(V1, V2)))
end
local X = symmatrix("X", 2, 2)
local A4, B4, X4, V4, W4 = symmatrix("A", 4, 4), symmatrix("B", 4, 4), symmatrix("X", 4, 3), symmatrix("V", 3, 4), symmatrix("W", 4, 2)
-- For mutants a smaller one will do: words and values of one number.
local thin = symmatrix("X", 2, 1)
local v1, v2 = matrix{sym "v1"}, matrix{sym "v2"}
local x, y = sym "x y"
local function first(x, y) -- of two words, q = k = v
  return (exp(x * x) * x + exp(x * y) * y) / (exp(x * x) + exp(x * y))
end
local function gap(x, y, s) return 2 * (x - y) * (exp(4 * s) - exp(s)) / ((exp(4 * s) + 1) * (exp(s) + 1)) end
return {
  named({en = "with fixed weights two layers are one", zh = "权重固定时，两层就是一层"}, prove(two(X, V1, V2), one(X, V1, V2))),
  named({en = "the same for four words, widths 3, 4 and 2", zh = "四个词、宽度 3、4 与 2 时也一样"},
        prove(matmul(B4, matmul(matmul(A4, matmul(X4, V4)), W4)), matmul(matmul(B4, A4), matmul(X4, matmul(V4, W4))))),
  fails(prove(two(X, V1, V2), one(X, V2, V1)), {en = "the two value matrices may change places", zh = "两个值矩阵可以对调"}),
  mutants(two(thin, v1, v2)(1), one(thin, v1, v2)(1)),
  named({en = "what f(2x) and 2f(x) differ by, the second word being 0", zh = "第二个词为 0 时，f(2x) 与 2f(x) 之差"},
        prove(first(2 * x, 0) - 2 * first(x, 0), gap(x, 0, x^2))),
  mutants(first(2 * x, 0) - 2 * first(x, 0), gap(x, 0, x^2)),
  named({en = "the same for any second word", zh = "第二个词任意时也有同样的式子"}, prove(first(2 * x, 2 * y) - 2 * first(x, y), gap(x, y, x * (x - y)))),
  fails(prove(first(2 * x, 0), 2 * first(x, 0)), {en = "with weights that depend on the words a layer is linear", zh = "权重随词而变时，一层仍是线性的"}),
}

-- %% [markdown] ref="norm" lang="en"
-- ## What layer normalisation does not notice
-- With $\mu$ the mean of the entries of $x$ and $\sigma^2$ their variance (the sum of squares over $d$), not 0,
--
-- $$\hat{x} = \frac{x-\mu}{\sqrt{\sigma^2}}$$
--
-- has mean 0 and variance 1, and does not notice when all of $x$ is shifted by $c$ or multiplied by $a > 0$: proved for every $d$. So nothing changes along $(1,\dots,1)$ and along
-- $\hat{x}$: the Jacobian sends both to 0.
--
-- Programs divide by $\sqrt{\sigma^2+\varepsilon}$ instead. Shifts are still invisible. But the variance becomes $\sigma^2/(\sigma^2+\varepsilon)$, and that of $ax$ becomes
-- $a^2\sigma^2/(a^2\sigma^2+\varepsilon)$: scale shows.
--
-- > **How the Jacobian is found**
-- > On the line $x+tw$, where $w$ has mean $\omega$, variance $\nu$ and covariance $\kappa$ with $x$, the mean is $\mu+t\omega$ and the variance $\sigma^2+2t\kappa+t^2\nu$; the slope at
-- > $t=0$ is
-- >
-- > $$\frac{d}{dt}\frac{x-\mu+t(w-\omega)}{\sqrt{\sigma^2+2t\kappa+t^2\nu}} = \frac{w-\omega}{\sigma} - \frac{\kappa(x-\mu)}{\sigma^3}$$
-- >
-- > For $w = (1,\dots,1)$ both terms are 0; for $w = \hat{x}$, where $\omega = 0$ and $\kappa = \sigma$, they cancel. With $\varepsilon$ the Jacobian sends $\hat{x}$ to
-- >
-- > $$\frac{\varepsilon}{(\sigma^2+\varepsilon)^{3/2}}\hat{x}$$

-- %% [markdown] ref="norm" lang="zh"
-- ## 层归一化：什么对它没有影响
-- 设 $\mu$ 为 $x$ 各分量的均值，$\sigma^2$ 为方差（平方和除以 $d$），不为 0，则
--
-- $$\hat{x} = \frac{x-\mu}{\sqrt{\sigma^2}}$$
--
-- 均值为 0，方差为 1，而且 $x$ 整体平移 $c$ 或乘上 $a > 0$，它都保持不变：对任意 $d$ 都证明了。既然沿 $(1,\dots,1)$ 和沿 $\hat{x}$ 什么都不变，
-- 雅可比矩阵就把这两个方向都变成 0。
--
-- 程序里除的是 $\sqrt{\sigma^2+\varepsilon}$。平移依旧没有影响，可是方差成了 $\sigma^2/(\sigma^2+\varepsilon)$，
-- $ax$ 的方差则是 $a^2\sigma^2/(a^2\sigma^2+\varepsilon)$：缩放就有影响了。
--
-- > **雅可比矩阵怎样求**
-- > 在直线 $x+tw$ 上，设 $w$ 的均值为 $\omega$，方差为 $\nu$，与 $x$ 的协方差为 $\kappa$，那么均值是 $\mu+t\omega$，
-- > 方差是 $\sigma^2+2t\kappa+t^2\nu$，在 $t=0$ 处的斜率为
-- >
-- > $$\frac{d}{dt}\frac{x-\mu+t(w-\omega)}{\sqrt{\sigma^2+2t\kappa+t^2\nu}} = \frac{w-\omega}{\sigma} - \frac{\kappa(x-\mu)}{\sigma^3}$$
-- >
-- > $w = (1,\dots,1)$ 时，两项都是 0；$w = \hat{x}$ 时，$\omega = 0$，$\kappa = \sigma$，两项相消。带上 $\varepsilon$，雅可比矩阵把 $\hat{x}$ 变成
-- >
-- > $$\frac{\varepsilon}{(\sigma^2+\varepsilon)^{3/2}}\hat{x}$$

-- %% ref="norm" claim="sa/layer-norm"
-- For every d. μ stands for the mean, s for the standard deviation, v for the variance.
local x, c, μ, s = sym "x c μ s"
local a, v = sym("a", "positive"), sym("v", "positive")
local d, i = sym("d", "natural"), sym("i", "integer")
local function total(f) return sum(f, i, 1, d) end
local function off(x) return x - μ end
local moved = a * x + c - (a * μ + c)
local steps = {
  -- the mean is 0, as μ = Σx/d, and the variance v/s² = 1
  prove(total(off(x[i]) / s), (total(x[i]) - d * μ) / s, {caption = {en = "the normalised entries add up to $(\\sum x_i - d\\mu)/s$", zh = "归一化后各分量之和是 $(\\sum x_i - d\\mu)/s$"}}),
  named({en = "the deviations from the mean add up to 0", zh = "对平均值的偏差之和是 0"}, prove(total(x[i] - total(x[i]) / d), 0)),
  prove(total((off(x[i]) / s)^2) / d, total(off(x[i])^2) / d / s^2, {caption = {en = "their variance is that of $x$ over $s^2$", zh = "方差是 $x$ 的方差除以 $s^2$"}}),
  -- of a x + c the mean is aμ + c and the variance a²v
  prove(total(a * x[i] + c), a * total(x[i]) + d * c, {caption = {en = "of $ax + c$ the mean is $a\\mu + c$", zh = "$ax + c$ 的均值是 $a\\mu + c$"}}),
  prove(total((a * x[i] + c - (a * μ + c))^2), a^2 * total(off(x[i])^2), {caption = {en = "and the variance is $a^2$ times that of $x$", zh = "方差是 $x$ 的 $a^2$ 倍"}}),
  -- so nothing changes
  prove(moved / sqrt(a^2 * v), off(x) / sqrt(v), {caption = {en = "so shift and positive scale change nothing", zh = "所以平移和正的缩放都没有影响"}}),
}
local spoiled = mutants(moved / sqrt(a^2 * v), off(x) / sqrt(v))
-- On a line x + t w, for every d: the variance, and the slope at t = 0. Of w are given the entry, mean ω, variance ν, covariance κ with x.
local w, ω, κ, ν, t = sym "w ω κ ν t"
local ε = sym("ε", "positive")
local function off_line(i) return off(x[i]) + t * (w[i] - ω) end
local variance_there = total(off(x[i])^2)
  + 2 * t * total(off(x[i]) * (w[i] - ω)) + t^2 * total((w[i] - ω)^2)
local function and_v(ε) return ε == 0 and v or v + ε end
local function root(κ, ν, ε) return sqrt(and_v(ε) + 2*t*κ + t^2*ν) end
local function slope(w, ω, κ, ν, ε)
  local line = (off(x) + t * (w - ω)) / root(κ, ν, ε)
  return subst(derivative(line, t), t, 0)
end
local function normed(ε) return off(x) / sqrt(and_v(ε)) end
-- Along (c, …, c), and along the normed x itself.
local function along_one(ε) return slope(c, c, 0, 0, ε) end
local function along_itself(ε)
  return slope(normed(ε), 0, v / sqrt(and_v(ε)), v / and_v(ε), ε)
end
local r = subst(root(κ, ν, 0), t, 0) -- the root of v
local function rate(r, w, ω, κ) return (w - ω) / r - κ * off(x) / r^3 end
return {
  steps, spoiled,
  prove(total(off_line(i)^2), variance_there, {caption = {en = "the variance on the line $x + tw$", zh = "直线 $x + tw$ 上的方差"}}), -- these sums over d are v, κ and ν
  prove(root(κ, ν, ε)^2, v + 2 * t * κ + t^2 * ν + ε, {caption = {en = "with ε: the square of the root is that variance and ε", zh = "带 ε：根的平方等于这个方差加 ε"}}),
  prove(root(κ, ν, 0)^2, v + 2 * t * κ + t^2 * ν, {caption = {en = "without ε: it is that variance", zh = "不带 ε：就等于这个方差"}}),
  prove(slope(w, ω, κ, ν, 0), rate(r, w, ω, κ), {caption = {en = "the slope along $w$", zh = "沿 $w$ 的斜率"}}),
  prove(along_one(0), 0, {caption = {en = "along $(1, \\dots, 1)$ the slope is 0", zh = "沿 $(1, \\dots, 1)$ 的斜率是 0"}}),
  prove(rate(sqrt(v), normed(0), 0, v / sqrt(v)), 0, {caption = {en = "along $\\hat x$ the slope is 0", zh = "沿 $\\hat x$ 的斜率是 0"}}),
  prove(along_one(ε), 0, {caption = {en = "with ε, too, along $(1, \\dots, 1)$", zh = "带 ε 时，沿 $(1, \\dots, 1)$ 仍是 0"}}),
  prove(along_itself(ε), ε / sqrt(v + ε)^3 * normed(ε), {caption = {en = "with ε it is not 0 along $\\hat x$", zh = "带 ε 时，沿 $\\hat x$ 不再是 0"}}),
  -- with s² = a²v + ε, the variance of a x
  prove(total((a * off(x[i]) / s)^2), a^2 * total(off(x[i])^2) / s^2, {caption = {en = "the variance of $ax$ over $s^2$", zh = "$ax$ 的方差除以 $s^2$"}}),
  prove(a^2 * v / sqrt(a^2 * v + ε)^2, a^2 * v / (a^2 * v + ε), {caption = {en = "with ε the variance of $ax$ depends on $a$", zh = "带 ε 时，$ax$ 的方差与 $a$ 有关"}}),
}
