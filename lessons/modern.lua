-- What the models of today do with positions: the base, layers without positions, partial and multi-axis rotation, rotation beside
-- compressed keys, windows, sinks and gates, and a table of who uses what. It ends in the atlas of all encodings.
-- Cells run in order, in one environment.

-- %% [markdown] ref="intro" lang="en"
-- # What models do today
-- Open the configuration of a model, here Llama 3.1, and you read:
--
--     "rope_theta": 500000.0,
--     "rope_scaling": {"rope_type": "llama3", "factor": 8.0, ...}
--
-- Gemma 3 has two such bases in one model. Some models rotate a quarter of the columns, and some leave every fourth layer without positions. A
-- configuration gives answers, but it does not say to which questions. This lesson finds the questions; you know most of them from this course.
--
-- The first is the base. The picture shows for three bases how many positions each pair takes for one turn, and the 8192 positions that Llama 3 was
-- first trained on. A pair above that line completes no turn within them. Which base would you choose, and what do you lose?

-- %% [markdown] ref="intro" lang="zh"
-- # 今天的模型怎么做
-- 打开一个模型的配置文件，比如 Llama 3.1，会看到：
--
--     "rope_theta": 500000.0,
--     "rope_scaling": {"rope_type": "llama3", "factor": 8.0, ...}
--
-- Gemma 3 在一个模型里用了两个底数；有的模型只旋转四分之一的维度，有的每四层就有一层完全不带位置。配置文件只写答案，
-- 不说是在回答什么问题。这一课就把问题找出来，其中大多数你在前面的课里已经见过。
--
-- 第一个问题是底数。图中画的是三种底数下，每个对转一圈要走多少个位置，并与 Llama 3 最初训练的 8192 个位置比较。
-- 落在横线上方的对，从头到尾转不满一圈。换了你，会选哪个底数？代价又是什么？

-- %% ref="intro"
local function turn(base)
  return 2 * pi / rope_frequencies(128, {base = base})
end
local lines = {turn(1e4), turn(5e5), turn(1e6), 8192 * ones(64)}
return plot(range(0, 63), lines, {log = "y", title = says{en = "how long a pair takes for one turn", zh = "每个对转一圈要多久"}, xlabel = says{en = "pair i", zh = "第 i 对"},
  ylabel = says{en = "positions for one turn", zh = "转一圈所走的位置数"},
  labels = {says{en = "base 10^4", zh = "底数 10^4"}, "5·10^5", "10^6", says{en = "8192 positions", zh = "8192 个位置"}}})

-- %% [markdown] ref="turns" lang="en"
-- ## How many pairs turn fully?
-- With base $b$, pair $i$ of $d$ columns turns by $\theta_i = b^{-2i/d}$ a position. Over $L$ positions it turns fully when
--
-- $$L\,b^{-2i/d} \ge 2\pi$$
--
-- A larger base slows every pair but the first. Llama 3 ($d = 128$, $b = 500000$, $L = 8192$) has 35 pairs of 64 that turn fully, and 22 that do not
-- even reach a quarter of a turn. Such a slow pair hardly tells one position from the next. That is its use: it compares *what* two words are,
-- almost untouched by where they stand. So a larger base gives up fast pairs, for position, to gain slow ones, for content.

-- %% [markdown] ref="turns" lang="zh"
-- ## 有多少对转满一圈？
-- 底数为 $b$、维数为 $d$ 时，第 $i$ 对每走一个位置转过 $\theta_i = b^{-2i/d}$。走完 $L$ 个位置，转满一圈的条件是
--
-- $$L\,b^{-2i/d} \ge 2\pi$$
--
-- 底数越大，除第一对以外的每一对都转得越慢。Llama 3（$d = 128$，$b = 500000$，$L = 8192$）的 64 对里有 35 对转满一圈，
-- 有 22 对连四分之一圈都不到。这样的慢对几乎分不清相邻位置，但这正是它的用处：比较两个词*是什么*，
-- 几乎不受它们在哪里的影响。所以加大底数，是拿管位置的快对去换管内容的慢对。

-- %% ref="turns"
local i = sym("i", "integer")
local arc = 8192 * rat(500000) ^ (-2 * i / 128)
return {
  named({en = "pairs 0 to 34 turn fully",
    zh = "第 0 到 34 对转满一圈"},
    certify(ge(arc, 2 * Pi), {i = {0, 34}})),
  named({en = "pairs 35 to 63 do not",
    zh = "第 35 到 63 对转不满"},
    certify(lt(arc, 2 * Pi), {i = {35, 63}})),
  named({en = "pairs 42 to 63 turn by less than a quarter",
    zh = "第 42 到 63 对不到四分之一圈"},
    certify(lt(arc, Pi / 2), {i = {42, 63}})),
}

-- %% [markdown] ref="base-for" lang="en"
-- ## Exercise: a base for a length
-- A base can be so small that every pair turns fully, or so large that the slow ones do not. Write `base_for(L, d)`: the limit between the two, the
-- base with which the slowest of the $d/2$ pairs turns exactly once within $L$ positions.

-- %% [markdown] ref="base-for" lang="zh"
-- ## 练习：为长度选底数
-- 底数小，每一对都转得满；底数大，慢的就转不满。写一个函数 `base_for(L, d)`：返回两者之间的界限，
-- 也就是使 $d/2$ 对中最慢的一对在 $L$ 个位置内恰好转一圈的底数。

-- %% role="exercise" ref="base-for" points=2
function base_for(L, d)
  --- BEGIN SOLUTION
  return (L / (2 * pi)) ^ (d / (d - 2))
  --- END SOLUTION
end

-- %% role="hint" ref="base-for" lang="en"
-- The slowest pair is $i = d/2 - 1$. Write its frequency as a power of $b$.
-- %% role="hint" ref="base-for" lang="zh"
-- 最慢的一对是 $i = d/2 - 1$，把它的频率写成 $b$ 的幂。

-- %% role="hint" ref="base-for" lang="en"
-- Solve $L\,b^{-(d-2)/d} = 2\pi$ for $b$.
-- %% role="hint" ref="base-for" lang="zh"
-- 从 $L\,b^{-(d-2)/d} = 2\pi$ 解出 $b$。

-- %% role="check" ref="base-for"
local got = base_for(4096, 128)
feedback(type(got) == "number", {en = "`base_for` must return a number.", zh = "`base_for` 要返回一个数。"})
feedback(not same(got, 4096 / (2 * pi)), {
  en = "That is the right base if the slowest pair had θ = 1/b. Its exponent is -(d-2)/d.",
  zh = "如果最慢一对的 θ 是 1/b，这就对了。可它的指数是 -(d-2)/d。",
})
feedback(not same(got, (4096 / (2 * pi)) ^ (126 / 128)), {
  en = "The exponent is upside down: b^(-(d-2)/d) = 2π/L is solved by raising to the power d/(d-2).",
  zh = "指数倒过来了：由 b^(-(d-2)/d) = 2π/L，要取 d/(d-2) 次方。",
})
feedback(not same(got, 4096 ^ (128 / 126)), {
  en = "Here the slowest pair turns by one radian. A full turn is 2π.",
  zh = "这样最慢的一对只转过一弧度；转一圈是 2π。",
})
feedback(same(got, (4096 / (2 * pi)) ^ (128 / 126), {what = "base_for(4096, 128)"}))
--- BEGIN HIDDEN TESTS
feedback(same(base_for(100, 4), (100 / (2 * pi)) ^ 2, {what = "base_for(100, 4)"}))
feedback(same(base_for(131072, 64), (131072 / (2 * pi)) ^ (64 / 62), {what = "base_for(131072, 64)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="base-for" expect="if the slowest pair had"
function base_for(L, d) return L / (2 * pi) end

-- %% role="wrong" ref="base-for" expect="upside down"
function base_for(L, d) return (L / (2 * pi)) ^ ((d - 2) / d) end

-- %% role="wrong" ref="base-for" expect="one radian"
function base_for(L, d) return L ^ (d / (d - 2)) end

-- %% [markdown] ref="similar" lang="en"
-- ## Does a similar word still score higher?
-- A second argument about the base comes from Men and others (2024). A head looks for words like its query. Does rotation let it find them at every
-- distance? Let the numbers of a query be independent with mean 0 and variance 1. Turned by $\theta$, a pair $(x, y)$ that meets its own copy scores
-- $2\cos\theta$ on average; a pair that meets an unrelated one scores 0. So at distance $m$ a similar word leads an unrelated one, on average, by
--
-- $$2\sum_{i=0}^{d/2-1}\cos(m\theta_i)$$
--
-- If this sum is negative at some distance, the head prefers the unrelated word there. *Predict before you run it:* with $d = 128$ and base 10000,
-- is the sum positive at every distance below 4096, as Llama 2 needs it?

-- %% [markdown] ref="similar" lang="zh"
-- ## 相似的词还能得高分吗？
-- 关于底数的另一个论证出自 Men 等人（2024）。一个头要找与查询相似的词，旋转之后，它在每个距离上都还找得到吗？
-- 设查询的各个分量独立，均值 0、方差 1。一个对 $(x, y)$ 与转过 $\theta$ 的自己相遇，打分平均为 $2\cos\theta$；与不相干的对相遇，
-- 平均为 0。于是在距离 $m$ 处，相似的词平均领先不相干的词
--
-- $$2\sum_{i=0}^{d/2-1}\cos(m\theta_i)$$
--
-- 若这个和在某个距离上为负，这个头在那里反而偏向不相干的词。*先猜一猜再运行*：$d = 128$、底数 10000，
-- 距离小于 4096（Llama 2 的长度）时，和是否处处为正？

-- %% ref="similar"
local x, y, θ = sym "x y θ"
local turned = x * (x * cos(θ) - y * sin(θ)) + y * (x * sin(θ) + y * cos(θ))
local function lead(base, m) -- half of it, at the distances m
  local θ = rope_frequencies(128, {base = base})
  return sum(cos(outer(m, θ)), 2)
end
local m = range(0, 4095)
local old, new = lead(1e4, m), lead(5e5, m)
local some = {1, 4096, 45} -- every 45th is drawn
display(plot(m[{some}], {old[{some}], new[{some}], 0 * m[{some}]}, {labels = {says{en = "base 10^4", zh = "底数 10^4"}, "5·10^5", "0"},
  title = says{en = "half the lead of a similar word", zh = "相似的词领先多少（的一半）"},
  xlabel = says{en = "distance m", zh = "距离 m"}, ylabel = "Σ cos(mθ)"}))
return {
  named({en = "a pair and its copy score 2 cos θ on average",
    zh = "一个对与转过的自己，打分平均为 2 cos θ"},
    prove(expectation(turned, {x, y}), 2 * cos(θ))),
  figure({en = "base 10^4: the smallest sum", zh = "底数 10^4：和的最小值"}, min(old), "-8.36"),
  figure({en = "base 5·10^5: the smallest sum", zh = "底数 5·10^5：和的最小值"}, min(new), "10.98"),
}

-- %% [markdown] ref="bound" lang="en"
-- ## A smallest good base?
-- For base 10000 the sum is negative long before the end of Llama 2's context. So is there a smallest base that is good for a given length? Men and
-- others report one of about 4300 for $L = 1024$. *Predict:* if 4300 is good, must 5000, 6000 and 7000 be good as well? The step looks at all of the
-- 1024 distances.

-- %% [markdown] ref="bound" lang="zh"
-- ## 有没有最小的合格底数？
-- 底数 10000 时，离 Llama 2 的上下文终点还远，和就已经为负。那么对给定的长度，
-- 有没有一个最小的合格底数？Men 等人给出：$L = 1024$ 时约为 4300。*先猜一猜*：4300 合格，那么 5000、6000、7000 也一定合格吗？
-- 这一步把 1024 个距离全部验证一遍。

-- %% ref="bound"
local i, m = sym("i m", "integer")
local function score(base, m)
  return sum(cos(m * rat(base) ^ (-2 * i / 128)), i, 0, 63)
end
local everywhere = {m = {0, 1023}}
return {
  named({en = "4300: positive at every distance",
    zh = "4300：每个距离上都为正"}, certify(gt(score(4300, m), 0), everywhere)),
  named({en = "5000: negative at distance 988",
    zh = "5000：距离 988 处为负"}, certify(lt(score(5000, 988), 0), {})),
  named({en = "6000: negative at distance 903",
    zh = "6000：距离 903 处为负"}, certify(lt(score(6000, 903), 0), {})),
  named({en = "7000: positive at every distance",
    zh = "7000：每个距离上都为正"}, certify(gt(score(7000, m), 0), everywhere)),
}

-- %% [markdown] ref="nope" lang="en"
-- ## Layers without positions
-- So whether a base suits a length is known only when every distance has been looked at. Some models take another way out: Llama 4 and SmolLM3 leave every
-- fourth layer without any encoding (NoPE), and Cohere's Command R7B rotates only in the layers that see a window.
--
-- How can a layer without positions know the order? It has the causal mask. Suppose all scores are equal, and only the first token carries a marker,
-- the value 1. The token at position $m$ sees $m + 1$ tokens and gets their mean
--
-- $$\frac{1}{m+1}$$
--
-- which falls strictly with $m$. So one head is enough to write the position into the vectors, and the next layers can read it. *Predict* what every
-- token would get without the mask.

-- %% [markdown] ref="nope" lang="zh"
-- ## 不带位置的层
-- 可见一个底数对某个长度是否合适，要把每个距离都看过才知道。
-- 有些模型另辟蹊径：Llama 4 和 SmolLM3 每四层有一层完全不用位置编码（NoPE），Cohere 的 Command R7B 只在滑动窗口层里旋转。
--
-- 不带位置的层怎么知道词序？靠因果掩码。设所有打分相等，只有第一个词元带着记号，值为 1。位置 $m$ 的词元看得见 $m + 1$ 个词元，
-- 得到它们的平均
--
-- $$\frac{1}{m+1}$$
--
-- 它随 $m$ 严格下降。可见一个头就足以把位置写进表示里，供后面的层读取。*先猜一猜*：没有掩码，每个词元会得到什么？

-- %% ref="nope"
local T = 8
local marker = concat({ones(1, 1), zeros(T - 1, 1)}, 1)
local equal = zeros(T, 1)
local masked = attention(equal, equal, marker, {causal = true}):t()[1]
local unmasked = attention(equal, equal, marker):t()[1]
print(says{en = "with the mask:   ", zh = "有掩码：  "} .. (" %.3f"):rep(T):format(table.unpack(masked:totable())))
print(says{en = "without the mask:", zh = "没有掩码："} .. (" %.3f"):rep(T):format(table.unpack(unmasked:totable())))
local m = sym("m", "natural")
return {
  named({en = "the mean falls with the position",
    zh = "平均值随位置下降"},
    prove(lt(1 / (m + 2), 1 / (m + 1)))),
  named({en = "with the mask: the mean is 1/(m + 1)",
    zh = "有掩码：平均值是 1/(m + 1)"},
    measure {value = masked - 1 / range(1, T), bound = 4 * 2^-53,
      why = says{en = "equal weights: a sum of ones and two quotients", zh = "权重相等：若干个 1 之和与两个商"}}),
  named({en = "without it: 1/8 everywhere",
    zh = "没有掩码：处处是 1/8"},
    measure {value = unmasked - 1 / T, bound = 4 * 2^-53, why = says{en = "as above", zh = "同上"}}),
}

-- %% [markdown] ref="where-am-i" lang="en"
-- ## Exercise: read the position
-- A causal head without positions gave every token the mean of the marker. Write `where_am_i(y)`: from the array $y$ of these means, the array of
-- positions 0, 1, 2, … as whole numbers. A mean is rounded, so round your result.

-- %% [markdown] ref="where-am-i" lang="zh"
-- ## 练习：读出位置
-- 一个不带位置的因果头，让每个词元得到了记号的平均值。写一个函数 `where_am_i(y)`：从这些平均值的数组 $y$ 求出位置 0、1、2、
-- …… 的数组。平均值有舍入误差，所以结果要取整到最近的整数。

-- %% role="exercise" ref="where-am-i" points=1
function where_am_i(y)
  --- BEGIN SOLUTION
  return round(1 / y - 1)
  --- END SOLUTION
end

-- %% role="hint" ref="where-am-i" lang="en"
-- $y = 1/(m + 1)$. Solve for $m$; arithmetic on arrays is elementwise.
-- %% role="hint" ref="where-am-i" lang="zh"
-- $y = 1/(m + 1)$，解出 $m$；数组的运算是逐元素的。

-- %% role="hint" ref="where-am-i" lang="en"
-- Divide 1 by the array, subtract 1, and round with `round`.
-- %% role="hint" ref="where-am-i" lang="zh"
-- 用 1 除以这个数组，减 1，再用 `round` 取整。

-- %% role="check" ref="where-am-i"
local y = array {1, 1/2, 1/3, 1/50}
local got = where_am_i(y)
feedback(not same(got, array {1, 2, 3, 50}), {
  en = "These are counts of tokens: 1, 2, 3, … Positions begin at 0.",
  zh = "这是看得见的词元个数：1、2、3、……；位置从 0 数起。",
})
feedback(same(got, array {0, 1, 2, 49}, {what = "where_am_i({1, 1/2, 1/3, 1/50})"}))
feedback(same(where_am_i(array {0.020000000001}), array {49}), {
  en = "A mean that is a little too large gave 48 in place of 49. Round to the nearest whole number.",
  zh = "平均值偏大一点点，49 就成了 48。要取最近的整数，而不是舍去小数。",
})
--- BEGIN HIDDEN TESTS
local many = range(0, 4095)
feedback(same(where_am_i(1 / (many + 1)), many, {what = "4096 positions"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="where-am-i" expect="counts of tokens"
function where_am_i(y) return round(1 / y) end

-- %% role="wrong" ref="where-am-i" expect="in place of 49"
function where_am_i(y) return floor(1 / y - 1 + 1e-12) end

-- %% [markdown] ref="temperature" lang="en"
-- ## Sharper scores for more keys
-- A layer without positions still has a problem with length: the more keys, the flatter the weights. Let one key lead all others by a score of
-- $a\ln L$, where $L$ is the training length. Among $n$ keys its weight is
--
-- $$\frac{L^a}{L^a + n - 1}$$
--
-- which goes to 0 as $n$ grows. Now multiply the scores by $\ln n/\ln L$, one over a *temperature*. The lead becomes
-- $a \ln n$, and the weight
--
-- $$\frac{n^a}{n^a + n - 1}$$
--
-- stays above one half when $a \ge 1$. That is *log-n scaling* (Su). Llama 4 multiplies the queries of its NoPE layers by
-- $1 + 0.1\ln(1 + \lfloor (m+1)/8192 \rfloor)$ instead: the same idea in steps, with a smaller slope.

-- %% [markdown] ref="temperature" lang="zh"
-- ## 键越多，打分要越尖锐
-- 不带位置的层也躲不开长度问题：键越多，权重越平。设有一个键的打分领先其余各键 $a\ln L$，$L$ 是训练长度。
-- 在 $n$ 个键中它的权重是
--
-- $$\frac{L^a}{L^a + n - 1}$$
--
-- $n$ 增大时趋于 0。现在把打分乘上 $\ln n/\ln L$（即除以一个*温度*），领先就变成 $a \ln n$，权重变成
--
-- $$\frac{n^a}{n^a + n - 1}$$
--
-- $a \ge 1$ 时始终大于二分之一。这就是苏剑林的 *log-n 缩放*。Llama 4 则把 NoPE 层的查询乘上 $1 + 0.1\ln(1 + \lfloor (m+1)/8192 \rfloor)$：
-- 同样的想法，分级变化，斜率也小一些。

-- %% ref="temperature"
local n, a, L = sym("n a L", "positive")
local function weight(lead) return exp(lead) / (exp(lead) + n - 1) end
local scaled = log(n) / log(L) * (a * log(L))
local m = array {8191, 65535, 1048575}
local steps = 1 + 0.1 * log(1 + floor((m + 1) / 8192))
local logs = maximum(1, log(m + 1) / log(8192))
print(says{en = "position 2^20: %.3f in steps, %.3f by logarithms",
  zh = "位置 2^20：分级 %.3f，对数 %.3f"}:format(steps(-1), logs(-1)))
return {
  named({en = "a key that leads by a ln L has the first weight",
    zh = "领先 a ln L 的键，权重就是第一个式子"},
    prove(weight(a * log(L)), L ^ a / (L ^ a + n - 1), {where = {gt(n, 1)}})),
  named({en = "with log-n scaling it has the second",
    zh = "经 log-n 缩放，权重就是第二个式子"},
    prove(weight(scaled), n ^ a / (n ^ a + n - 1), {where = {gt(n, 1), gt(L, 1)}})),
  named({en = "with a = 1 it stays above one half",
    zh = "a = 1 时始终大于二分之一"},
    prove(gt(n / (n + n - 1), rat(1, 2)), {where = {gt(n, 1)}})),
}

-- %% [markdown] ref="partial" lang="en"
-- ## Turning a part of the columns
-- Must every column carry position? GPT-NeoX turns the first quarter of the columns and GPT-J the first 64 of 256; the rest compare content only.
-- There are two ways to turn a quarter, and they are not the same:
--
-- - *Partial rotation* treats the quarter as a small rotary encoding of $d/4$ columns. Its exponents run over the quarter, so its slowest pair has
--   $\theta = b^{-1+8/d}$, almost as slow as ever.
-- - *p-RoPE* (Barbero and others, 2024) keeps the frequencies of all $d$ columns and stops the slow pairs entirely. Its slowest turning pair has
--   $\theta = b^{-1/4+2/d}$, which is fast.
--
-- With the second, no pair is left that turns only a little: fast pairs are for position, still ones for content.

-- %% [markdown] ref="partial" lang="zh"
-- ## 只旋转一部分维度
-- 每一维都得管位置吗？GPT-NeoX 旋转前四分之一的维度，GPT-J 旋转 256 维中的前 64 维，其余只比较内容。“旋转四分之一”有两种做法，
-- 并不相同：
--
-- - *部分旋转*（partial RoPE）把这四分之一当成一个 $d/4$ 维的小编码，指数在这四分之一里走完，最慢的一对是 $\theta = b^{-1+8/d}$，
--   几乎和原来一样慢。
-- - *p-RoPE*（Barbero 等人，2024）保留全部 $d$ 维的频率，让慢的对完全不转，还在转的最慢一对是 $\theta = b^{-1/4+2/d}$，仍然很快。
--
-- 后一种做法里，没有哪一对只转一点点：快的对管位置，不转的对管内容。

-- %% ref="partial"
local b, d = sym("b d", "positive")
local last = d / 8 - 1 -- the last of the d/8 pairs that turn
local partial, p = b ^ (-2 * last / (d / 4)), b ^ (-2 * last / d)
local θ, part = rope_frequencies(128, {p = 0.25}), rope_frequencies(32)
return {
  named({en = "partial rotation: the slowest pair has θ = b^(-1+8/d)",
    zh = "部分旋转：最慢的一对 θ = b^(-1+8/d)"},
    prove(partial, b ^ (-1 + 8 / d))),
  named({en = "p-RoPE: the slowest pair that turns has θ = b^(-1/4+2/d)",
    zh = "p-RoPE：还在转的最慢一对 θ = b^(-1/4+2/d)"},
    prove(p, b ^ (-rat(1, 4) + 2 / d))),
  figure({en = "partial rotation, d = 128: that is θ",
    zh = "部分旋转，d = 128：θ"}, part(16), "0.000178"),
  figure({en = "p-RoPE, d = 128: that is θ",
    zh = "p-RoPE，d = 128：θ"}, θ(16), "0.115"),
  named({en = "p-RoPE: pairs 16 to 63 do not turn",
    zh = "p-RoPE：第 16 到 63 对不转"},
    measure {value = θ[{ {17, 64} }], bound = 0, why = says{en = "their frequency is set to 0", zh = "它们的频率设成了 0"}}),
}

-- %% [markdown] ref="slowest" lang="en"
-- ## Exercise: the slowest pair that turns
-- A p-RoPE has $d = 128$ columns and base $10^4$. It lets the first few of its 64 pairs turn, as many as your `turning` says, and stops the others;
-- the frequencies are those of all $d$ columns. Set `slowest` to the frequency of the slowest pair that turns.

-- %% [markdown] ref="slowest" lang="zh"
-- ## 练习：还在转的最慢一对
-- 某 p-RoPE 有 $d = 128$ 维、底数 $10^4$。64 对里只有前面几对旋转，对数就是你的 `turning`，其余不转；频率仍按全部 $d$ 维来算。
-- 还在转的最慢一对，频率是多少？赋给 `slowest`。

-- %% role="exercise" ref="slowest" points=1 variants=6
turning = ({32, 48, 8, 24, 12, 40})[variant]
--- BEGIN SOLUTION
slowest = 10000 ^ (-2 * (turning - 1) / 128)
--- END SOLUTION

-- %% role="hint" ref="slowest" lang="en"
-- Pairs are numbered from 0. Which number has the last that turns?
-- %% role="hint" ref="slowest" lang="zh"
-- 对从 0 编号。最后一个旋转的是第几对？

-- %% role="hint" ref="slowest" lang="en"
-- Pair $i$ has the frequency $10^{-8i/128}$, and here $i$ is `turning - 1`.
-- %% role="hint" ref="slowest" lang="zh"
-- 第 $i$ 对的频率是 $10^{-8i/128}$，这里 $i$ 是 `turning - 1`。

-- %% role="check" ref="slowest"
local n = ({32, 48, 8, 24, 12, 40})[variant]
feedback(type(slowest) == "number", {en = "`slowest` must be a number.", zh = "`slowest` 要是一个数。"})
feedback(not same(slowest, 10000 ^ (-2 * n / 128), {tol = 1e-7}), {
  en = "That pair does not turn any more: pairs are numbered from 0.",
  zh = "这一对已经不转了：对从 0 编号。",
})
feedback(not same(slowest, 10000 ^ (-2 * (n - 1) / (2 * n)), {tol = 1e-7}), {
  en = "This is partial rotation: its exponents run over the turning columns only. p-RoPE keeps those of all columns.",
  zh = "这是部分旋转：指数只在旋转的维度里走完。p-RoPE 的指数按全部维度来算。",
})
feedback(same(slowest, 10000 ^ (-2 * (n - 1) / 128), {what = "slowest", tol = 1e-7}))

-- %% role="wrong" ref="slowest" expect="numbered from 0"
slowest = 10000 ^ (-2 * ({32, 48, 8, 24, 12, 40})[variant] / 128)

-- %% role="wrong" ref="slowest" expect="partial rotation"
slowest = 10000 ^ (-2 * (({32, 48, 8, 24, 12, 40})[variant] - 1) / (2 * ({32, 48, 8, 24, 12, 40})[variant]))

-- %% [markdown] ref="axes" lang="en"
-- ## Time, height and width
-- A text has one axis. A patch of a picture has a row and a column, and in a film also a time. How does one rotation tell three numbers? *M-RoPE*
-- gives each pair to one of three axes. Qwen2-VL gives the first 16 pairs to time, the next 24 to height and the last 24 to width. A text has the
-- same number on all three axes, and for it M-RoPE is RoPE, to the last bit.
--
-- But who gets which frequencies? With sections in a row, time has all the fast pairs. Qwen3-VL (24, 20 and 20 pairs) deals them out in turn. The
-- step takes one step in width and lists the pairs that notice it. *Predict* for both orders: are these pairs fast, slow or of both kinds?

-- %% [markdown] ref="axes" lang="zh"
-- ## 时间、高与宽
-- 文本只有一个轴；图像的一小块有行号和列号，视频里还有时间。
-- 一种旋转怎么表示三个数？*M-RoPE* 把每个对分给三个轴之一：Qwen2-VL 的前 16 对给时间，接着 24 对给高，最后 24 对给宽。
-- 文本在三个轴上的编号相同，这时 M-RoPE 就是 RoPE，一位不差。
--
-- 那么频率是怎么分的？连续分段时，快的对全归时间。Qwen3-VL（各 24、20、20 对）改为轮流分配。这一步在宽的方向走一格，
-- 列出有变化的对。*先猜一猜*：两种次序下，这些对是快的、慢的，还是有快有慢？

-- %% ref="axes"
local x, t = randn(rng(3), 5, 128), range(0, 4)
local sections = {contiguous = {16, 24, 24}, interleaved = {24, 20, 20}}
local function turned(order, positions)
  return rope_axes(x, {layout = "half", exponents = "whole", order = order,
    sections = sections[order], positions = stack(positions)})
end
print(says{en = "pairs that notice one step in width", zh = "在宽的方向走一格，有变化的对"})
for _, order in ipairs {"contiguous", "interleaved"} do
  local step = ne(turned(order, {0 * t, 0 * t, t})[2], x[2])
  local pair = find(logical_or(step[{ {1, 64} }], step[{ {65, 128} }])) - 1
  local first, last = min(pair), max(pair)
  local name = order == "contiguous" and says{en = "in a row:", zh = "连续分段："} or says{en = "in turn: ", zh = "轮流分配："}
  print(says{en = "%s %d pairs, %d to %d", zh = "%s%d 对，从第 %d 到第 %d"}:format(name, pair.size, first, last))
end
local plain = rope(x, {layout = "half"})
return named({en = "for text M-RoPE is RoPE, to the last bit",
  zh = "对文本来说，M-RoPE 就是 RoPE，一位不差"}, measure {
  value = stack {turned("contiguous", {t, t, t}) - plain,
    turned("interleaved", {t, t, t}) - plain},
  bound = 0, why = says{en = "the same products in the same order", zh = "同样的乘积，同样的次序"}})

-- %% [markdown] ref="whose" lang="en"
-- ## Exercise: whose pair?
-- So sections in a row leave width with slow pairs only; dealt out in turn, each axis has fast and slow ones. A model that was trained with one order
-- is wrong with the other.
--
-- Qwen3-VL deals its 64 pairs out in turn: pair 0 to time, 1 to height, 2 to width, 3 to time, and so on. Height and width get 20 pairs each; when
-- they have them, all that is left belongs to time. Write `whose(i)`: the axis of pair `i`, as `"time"`, `"height"` or `"width"`.

-- %% [markdown] ref="whose" lang="zh"
-- ## 练习：归哪个轴？
-- 可见连续分段时，宽只分到慢的对；轮流分配，每个轴都有快有慢。按一种次序训练的模型，用另一种次序就错了。
--
-- Qwen3-VL 把 64 对轮流分配：第 0 对给时间，第 1 对给高，第 2 对给宽，第 3 对又给时间，依此类推。高和宽各得 20 对，得满以后，剩下的全归时间。
-- 写一个函数 `whose(i)`：返回第 `i` 对所属的轴，即 `"time"`（时间）、`"height"`（高）或 `"width"`（宽）。

-- %% role="exercise" ref="whose" points=1
function whose(i)
  --- BEGIN SOLUTION
  return i < 60 and ({"time", "height", "width"})[i % 3 + 1] or "time"
  --- END SOLUTION
end

-- %% role="hint" ref="whose" lang="en"
-- `i % 3` is 0, 1, 2, 0, 1, 2, … and entries of a list are counted from 1.
-- %% role="hint" ref="whose" lang="zh"
-- `i % 3` 依次是 0、1、2、0、1、2……；列表的元素从 1 数起。

-- %% role="hint" ref="whose" lang="en"
-- Height and width have 20 pairs each after 20 rounds of three. Which pairs come later?
-- %% role="hint" ref="whose" lang="zh"
-- 每轮三对，20 轮以后，高和宽各得满了 20 对。再往后是哪几对？

-- %% role="check" ref="whose"
feedback(whose(0) ~= "width" and whose(0) ~= "height", {
  en = "Pair 0 is the first, and belongs to time. Pairs are counted from 0, entries of a list from 1.",
  zh = "第 0 对是第一对，归时间。对从 0 数起，列表的元素从 1 数起。",
})
feedback(not (whose(1) == "time" and whose(63) == "width"), {
  en = "These are sections in a row. Dealt out in turn, neighbouring pairs have different axes.",
  zh = "这是连续分段。轮流分配时，相邻的对归不同的轴。",
})
feedback(whose(61) ~= "height" and whose(62) ~= "width", {
  en = "Height and width have their 20 pairs each after pair 59. What is left belongs to time.",
  zh = "到第 59 对为止，高和宽已各得 20 对，剩下的归时间。",
})
feedback(same(whose(4), "height", {what = "whose(4)"}))
--- BEGIN HIDDEN TESTS
local at = {}
for i = 0, 63 do at[i + 1] = {i} end
local function right(i) return (i >= 60 or i % 3 == 0) and "time" or i % 3 == 1 and "height" or "width" end
feedback(same(whose, right, {what = "whose", at = at}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="whose" expect="counted from 0"
function whose(i) return i < 60 and ({"time", "height", "width"})[(i - 1) % 3 + 1] or "time" end

-- %% role="wrong" ref="whose" expect="sections in a row"
function whose(i) return i < 24 and "time" or i < 44 and "height" or "width" end

-- %% role="wrong" ref="whose" expect="have their 20 pairs"
function whose(i) return ({"time", "height", "width"})[i % 3 + 1] end

-- %% [markdown] ref="decoupled" lang="en"
-- ## Rotation beside compression
-- The next question is memory. DeepSeek-V2 and V3 store no keys (*multi-head latent attention*, MLA). They store a short vector $c$ for each token,
-- from which every head makes its key, $k = Wc$, and its value. While no rotation comes in between, $W$ can be moved to the query, and no key is
-- ever made:
--
-- $$q^\top (W c) = (W^\top q)^\top c$$
--
-- With a rotation the score is $q^\top R\,W c$, where $R$ depends on the distance. $W$ and $R$ do not commute, so the query would need another
-- product $W^\top R^\top$ for each distance. The way out is to *decouple*: a few more columns, 64 here, carry the rotation and are stored once for all
-- heads; the others carry content and are not rotated. A token then costs $512 + 64$ numbers a layer. Keys and values of 128 heads with 128 columns
-- would cost $2 \cdot 128 \cdot 128$. *Predict:* is what is left nearest to a tenth of that, to a twentieth, or to a fiftieth?

-- %% [markdown] ref="decoupled" lang="zh"
-- ## 旋转与压缩并存
-- 下一个问题是显存。DeepSeek-V2、V3 的 MLA（多头潜在注意力）不缓存键，而是给每个词元存一个较短的向量 $c$，
-- 每个头由它算出自己的键 $k = Wc$ 和值。只要中间没有旋转，$W$ 就可以吸收到查询里，根本不必算出键：
--
-- $$q^\top (W c) = (W^\top q)^\top c$$
--
-- 有了旋转，打分是 $q^\top R\,W c$，$R$ 依赖于距离。$W$ 与 $R$ 不可交换，每个距离都有一个不同的 $W^\top R^\top$，吸收不了。
-- 办法是*解耦*（decoupled RoPE）：另加少量维度（这里是 64 维）专门旋转，所有头共用、只存一份；其余维度只带内容，不旋转。
-- 这样每个词元每层存 $512 + 64$ 个数；而 128 个 128 维的头，键和值本来要存 $2 \cdot 128 \cdot 128$ 个。
-- *先猜一猜*：剩下的最接近原来的十分之一、二十分之一，还是五十分之一？

-- %% ref="decoupled"
local θ = sym "θ"
local R = matrix {{cos(θ), -sin(θ)}, {sin(θ), cos(θ)}}
local W, q, c = symmatrix("w", 2, 2), symmatrix("q", 2), symmatrix("c", 2)
local share = 100 * (512 + 64) / (2 * 128 * 128)
return {
  named({en = "without rotation W moves to the query",
    zh = "没有旋转时，W 可以吸收到查询里"},
    prove(matmul(q.T, matmul(W, c)), matmul(matmul(W.T, q).T, c))),
  fails(prove(matmul(R, W), matmul(W, R)),
    {en = "R and W commute",
      zh = "R 与 W 可以交换"}),
  figure({en = "the cache, in % of 2·128·128",
    zh = "缓存占 2·128·128 的百分比"}, share, "1.76"),
}

-- %% [markdown] ref="equal-heads" lang="en"
-- ## Exercise: as cheap as how many heads?
-- So about a fiftieth is left, 1.76 %. There is a simpler way to save: *grouped-query attention* (GQA) stores keys and values of a few heads only, each
-- shared by a group of query heads. Write `equal_heads(latent, turning, width)`: with how many stored heads of `width` columns GQA costs a token as
-- much as a vector of `latent` numbers and `turning` columns do. It need not be a whole number.

-- %% [markdown] ref="equal-heads" lang="zh"
-- ## 练习：合多少个头？
-- 可见只剩大约五十分之一，即 1.76 %。更简单的省法是 *GQA*（分组查询注意力）：只存少数几个头的键和值，每个由一组查询头共用。
-- 写一个函数 `equal_heads(latent, turning, width)`：要让 GQA 每个词元的开销与“长 `latent` 的向量加 `turning` 个旋转维”相同，
-- 该存几个 `width` 维的头？结果不必是整数。

-- %% role="exercise" ref="equal-heads" points=1
function equal_heads(latent, turning, width)
  --- BEGIN SOLUTION
  return (latent + turning) / (2 * width)
  --- END SOLUTION
end

-- %% role="hint" ref="equal-heads" lang="en"
-- What does one head cost GQA? It stores a key and a value.
-- %% role="hint" ref="equal-heads" lang="zh"
-- GQA 的一个头要存多少个数？键和值各存一份。

-- %% role="hint" ref="equal-heads" lang="en"
-- Divide what MLA stores for a token by what one head costs.
-- %% role="hint" ref="equal-heads" lang="zh"
-- 用 MLA 每个词元存的个数，除以一个头的开销。

-- %% role="check" ref="equal-heads"
local got = equal_heads(512, 64, 128)
feedback(type(got) == "number", {en = "`equal_heads` must return a number.", zh = "`equal_heads` 要返回一个数。"})
feedback(got ~= 4.5, {
  en = "A head stores a key and a value, so it costs twice its columns.",
  zh = "一个头既存键也存值，开销是维数的两倍。",
})
feedback(got ~= 2, {
  en = "The turning columns are stored as well, once for all heads.",
  zh = "旋转的那些维度也要存，所有头共用一份。",
})
feedback(not same(got, 256 / 576), {
  en = "This is upside down: the cost of one head divided by that of MLA.",
  zh = "倒过来了：这是一个头的开销除以 MLA 的开销。",
})
feedback(same(got, 2.25, {what = "equal_heads(512, 64, 128)"}))
--- BEGIN HIDDEN TESTS
feedback(same(equal_heads(256, 32, 64), 2.25, {what = "equal_heads(256, 32, 64)"}))
feedback(same(equal_heads(1024, 64, 64), 8.5, {what = "equal_heads(1024, 64, 64)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="equal-heads" expect="a key and a value"
function equal_heads(latent, turning, width) return (latent + turning) / width end

-- %% role="wrong" ref="equal-heads" expect="stored as well"
function equal_heads(latent, turning, width) return latent / (2 * width) end

-- %% role="wrong" ref="equal-heads" expect="upside down"
function equal_heads(latent, turning, width) return 2 * width / (latent + turning) end

-- %% [markdown] ref="windows" lang="en"
-- ## Windows
-- So MLA is as cheap as two and a quarter heads of GQA. Another way to save: not every layer needs to see everything. In Gemma 3 five layers of six see
-- only the last 1024 tokens; in gpt-oss every second layer sees 128. A window saves memory, and inside it no pair meets an angle that training did
-- not have.
--
-- A layer reaches $w - 1$ tokens back, since the token itself counts. But those tokens have looked back before, in the layer below. So $n$ layers
-- reach
--
-- $$r_n = n(w - 1)$$
--
-- Below, the masks of three layers with $w = 4$ are multiplied: an entry of the product is positive exactly when the token of its row can know of the
-- token of its column. *Predict:* how many entries of the last row are positive, 4, 9, 10 or 12?

-- %% [markdown] ref="windows" lang="zh"
-- ## 滑动窗口
-- 可见 MLA 的开销只合 GQA 的 2.25 个头。还有一种省法：不是每一层都要看到全部。Gemma 3 每六层有五层只看最近 1024 个词元，gpt-oss
-- 每两层有一层只看 128 个。窗口省显存，而且窗口之内，没有哪一对会遇到训练时没见过的角度。
--
-- 窗口把自己也算一个，所以一层能看到 $w - 1$ 个词元以前；而那些词元在下面一层里已经往前看过了。于是 $n$ 层能看到
--
-- $$r_n = n(w - 1)$$
--
-- 个以前。下面把 $w = 4$ 的三层的掩码相乘：乘积的某个元素为正，当且仅当那一行的词元能得知那一列的词元。
-- *先猜一猜*：最后一行有几个元素为正，4、9、10 还是 12？

-- %% ref="windows"
local r, w, n = sym "r", sym "w", sym("n", "integer")
local T, width = 16, 4
local one = where(logical_and(window_mask(T, width), causal_mask(T)), 1, 0)
local three = matmul(one, matmul(one, one))
display(heatmap(minimum(three, 1), {title = says{en = "three layers with w = 4: who can know of whom", zh = "三层、w = 4：谁能得知谁"},
  xlabel = says{en = "token", zh = "词元"}, ylabel = says{en = "query", zh = "查询"}}))
local step = {eq(r[n + 1], r[n] + (w - 1)), eq(r[0], 0)}
return {
  named({en = "n layers reach n(w - 1) back",
    zh = "n 层能看到 n(w - 1) 个以前"},
    induct(eq(r[n], n * (w - 1)), n, 0, step)),
  figure({en = "tokens that three layers with w = 4 reach back",
    zh = "三层、w = 4 往前能看到的词元数"}, sum(gt(three[T], 0)) - 1, "9"),
}

-- %% [markdown] ref="reach" lang="en"
-- ## Exercise: how far back?
-- A model lists the window of each layer, for example `{4, 4, math.huge}`; `math.huge` stands for a layer that sees everything before it. Write
-- `reach(windows)`: how many tokens back the last layer's output can depend on. If one layer sees everything, that is `math.huge`.

-- %% [markdown] ref="reach" lang="zh"
-- ## 练习：能看多远？
-- 模型列出每一层的窗口，例如 `{4, 4, math.huge}`，其中 `math.huge` 表示这一层能看到前面的全部。写一个函数 `reach(windows)`：
-- 最后一层的输出最远能依赖多少个词元以前的内容；只要有一层能看到全部，就返回 `math.huge`。

-- %% role="exercise" ref="reach" points=1
function reach(windows)
  --- BEGIN SOLUTION
  local back = 0
  for _, w in ipairs(windows) do back = back + (w - 1) end
  return back
  --- END SOLUTION
end

-- %% role="hint" ref="reach" lang="en"
-- A layer adds its own reach, $w - 1$, to that of the layers below.
-- %% role="hint" ref="reach" lang="zh"
-- 每一层在下面各层的基础上再加上自己的 $w - 1$。

-- %% role="hint" ref="reach" lang="en"
-- Start with 0 and go through the list with `ipairs`. `math.huge` plus any number is `math.huge`.
-- %% role="hint" ref="reach" lang="zh"
-- 从 0 开始，用 `ipairs` 走一遍列表。`math.huge` 加任何数仍是 `math.huge`。

-- %% role="check" ref="reach"
local got = reach {4, 4, 4}
feedback(type(got) == "number", {en = "`reach` must return a number.", zh = "`reach` 要返回一个数。"})
feedback(got ~= 12, {
  en = "The window counts the token itself: a window of 4 reaches 3 back.",
  zh = "窗口把词元自己也算在内：窗口为 4，只能看到 3 个以前。",
})
feedback(got ~= 3, {
  en = "This is the reach of one layer. The next layer reads tokens that have read others.",
  zh = "这是一层能看到的距离。下一层读到的词元，自己已经读过别的词元了。",
})
feedback(same(got, 9, {what = "reach {4, 4, 4}"}))
feedback(same(reach {128, math.huge}, math.huge, {what = "reach {128, math.huge}"}))
--- BEGIN HIDDEN TESTS
feedback(same(reach {1, 1}, 0, {what = "reach {1, 1}"}))
feedback(same(reach {1024, 128, 2}, 1151, {what = "reach {1024, 128, 2}"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="reach" expect="counts the token itself"
function reach(windows)
  local back = 0
  for _, w in ipairs(windows) do back = back + w end
  return back
end

-- %% role="wrong" ref="reach" expect="of one layer"
function reach(windows) return math.max(table.unpack(windows)) - 1 end

-- %% [markdown] ref="sinks" lang="en"
-- ## Sinks
-- In 2023 Xiao and others let models read with a sliding window. As soon as the first token left the window, the models broke down, although that
-- token hardly meant anything. Why? The weights of softmax add up to 1. A head that finds nothing must still put its weight somewhere, and in
-- trained models it mostly goes to the first token, which is always visible: an *attention sink*. gpt-oss gives each head one more score $s$ without
-- a key instead:
--
-- $$\frac{e^{x_j}}{e^s + \sum_k e^{x_k}}$$
--
-- Now the weights of the keys add up to less than 1. When $s$ is far above all the scores they are almost 0, and the head is silent. It is the same as
-- a further key with score $s$ and value 0.

-- %% [markdown] ref="sinks" lang="zh"
-- ## 注意力汇（attention sink）
-- 2023 年，Xiao 等人让模型用滑动窗口来读长文本。第一个词元一离开窗口，模型就垮了，尽管那个词元几乎没有什么意义。
-- 为什么？softmax 的权重加起来恒为 1，一个头即使什么也没找到，权重也得放在某处；训练好的模型多半放到第一个词元上，
-- 因为它永远看得见。这就是*注意力汇*。gpt-oss 换了一种做法，给每个头加一个没有键的打分 $s$：
--
-- $$\frac{e^{x_j}}{e^s + \sum_k e^{x_k}}$$
--
-- 于是各键的权重之和小于 1；$s$ 远高于其余打分时，各键的权重都接近 0，这个头就不输出什么。这等价于多一个打分为 $s$、值为 0 的键。

-- %% ref="sinks"
local x, y, s, v, w = sym "x y s v w"
local total = exp(x) + exp(y) + exp(s)
local function key(x, v) return exp(x) / total * v end
return {
  named({en = "a sink is a key with value 0",
    zh = "注意力汇等价于值为 0 的键"},
    prove(key(x, v) + key(y, w) + key(s, 0), (exp(x) * v + exp(y) * w) / total)),
  named({en = "with it the weights add up to less than 1",
    zh = "有了它，权重之和小于 1"},
    prove(lt((exp(x) + exp(y)) / total, 1))),
}

-- %% [markdown] ref="gates" lang="en"
-- ## Gates that forget
-- So far a distance counts the same in every text. A newer family (the *forgetting transformer*, Lin and others, 2025) lets the text decide how fast
-- it forgets. Each token has a gate $f_t$ between 0 and 1, and the score of query $i$ for key $j$ gets $\sum_{t=j+1}^{i} \ln f_t$: the more gates in
-- between are nearly closed, the lower the score. When all gates are equal to $f$, this is a straight line in the distance,
--
-- $$\sum_{t=j+1}^{i}\ln f = -s\,(i - j), \quad s = -\ln f$$
--
-- which is ALiBi with the slope $s$. So ALiBi is a forgetting gate that does not look at the text.
--
-- *Predict:* all gates are 0.9, but token 8 is a full stop and nearly closes its own, to 0.05. For which keys does the last query, token 15, have less
-- weight than before: for 0 to 7, for 8, or for 9 to 15? The picture draws the factor $e^{\sum \ln f_t}$ of each key, by which softmax multiplies
-- $e^{q \cdot k}$, without and with the full stop.

-- %% [markdown] ref="gates" lang="zh"
-- ## 会遗忘的门控
-- 到此为止，同样的距离在任何文本里分量都一样。较新的一类做法（*遗忘 Transformer*，Lin 等人，2025）让文本自己决定遗忘的快慢：
-- 每个词元有一个 0 与 1 之间的门控 $f_t$，查询 $i$ 对键 $j$ 的打分加上 $\sum_{t=j+1}^{i} \ln f_t$，中间快要关上的门越多，打分越低。
-- 若所有门控都等于 $f$，这就是距离的一次函数：
--
-- $$\sum_{t=j+1}^{i}\ln f = -s\,(i - j), \quad s = -\ln f$$
--
-- 正是斜率为 $s$ 的 ALiBi。可以说，ALiBi 就是不看内容的遗忘门。
--
-- *先猜一猜*：门控都是 0.9，只有第 8 个词元是句号，几乎关上，取 0.05。最后一个查询（第 15 个词元）给哪些键的权重因此变小：第 0 到 7 个，
-- 第 8 个，还是第 9 到 15 个？图中画的是每个键的因子 $e^{\sum \ln f_t}$，softmax 里它乘在
-- $e^{q \cdot k}$ 上；有句号与没有句号各一条。

-- %% ref="gates"
local f, i, j, t = sym("f", "positive"), sym("i j t", "integer")
local gates = cumsum(log(0.5 * ones(6))) -- f = 1/2 everywhere
local bias = reshape(gates, 6, 1) - gates
local slope = alibi_slopes(1)(1) -- 1/256, and here ln 2 is wanted
-- The factor of each key, for the last of 16 queries, when these are the gates.
local function factors(f)
  local upto = cumsum(log(f))
  return exp(upto(16) - upto)
end
local even = 0.9 * ones(16)
local stop = where(eq(range(0, 15), 8), 0.05, 0.9) -- the full stop
display(plot(range(0, 15), {factors(even), factors(stop)}, {
  title = says{en = "what a full stop makes forget", zh = "一个句号让哪些词元被忘掉"}, xlabel = says{en = "key", zh = "键"},
  labels = {says{en = "all gates 0.9", zh = "门控都是 0.9"}, says{en = "gate 8 is 0.05", zh = "第 8 个是 0.05"}}}))
local less = factors(stop) / factors(even)
return {
  figure({en = "keys 0 to 7: what is left, at most", zh = "第 0 到 7 个键：至多剩下的比例"}, max(less[{ {1, 8} }]), "0.0556"),
  figure({en = "keys 8 to 15: what is left, at least", zh = "第 8 到 15 个键：至少剩下的比例"}, min(less[{ {9, 16} }]), "1"),
  named({en = "equal gates: a straight line in the distance",
    zh = "门控相等：距离的一次函数"},
    prove(sum(log(f), t, j + 1, i), -(-log(f)) * (i - j), {where = {ge(i, j)}})),
  named({en = "gates of 1/2: ALiBi with the slope ln 2",
    zh = "门控为 1/2：斜率 ln 2 的 ALiBi"},
    measure {value = tril(bias - alibi(1, 6)[1] * (log(2) / slope)),
      bound = 60 * 2^-53, why = says{en = "12 roundings of numbers up to 4.2, and a product", zh = "不超过 4.2 的数舍入 12 次，再一个乘积"}}),
}

-- %% [markdown] ref="who" lang="en"
-- ## Who uses what
-- The full stop cuts off the keys before it, 0 to 7; its own gate does not count against itself. With that you can read the configurations.
--
-- In the table look at the two bars first. The left one is a head's columns: the filled part turns. The right one is eight layers in turn: an empty one
-- has no rotation. Then see how many of the pairs turn fully within the length of training, before any stretching, and read the base. *Predict:*
-- Llama 3 and gpt-oss have raised the base. Which of the two keeps the smaller share of pairs that turn fully?
--
-- > **More on each model**
-- >
-- > A converted checkpoint may differ from the original. The *half* layout turns column $i$ with column $i + d/2$, the *interleaved* one each column with its
-- > neighbour.
-- >
-- > - Layout: GPT-J and Command R7B interleaved; GPT-NeoX, Pythia and gpt-oss half.
-- > - Stretched: Llama 3.1 by 8 from 8192, by wavelength; DeepSeek-V3 by 40 and gpt-oss by 32 from 4096, with YaRN; Gemma 3 by 8 with PI, in its
-- >   layers without a window.
-- > - Windows: Gemma 3 1024 in five layers of six, with base $10^4$ there; gpt-oss 128 in every second layer, with sinks; in Command R7B only the
-- >   layers with a window turn.
-- > - Llama 4 adds a temperature in its layers without positions; the 64 columns of DeepSeek-V3 are the decoupled ones.
-- > - Several axes: Qwen2-VL ($10^6$) in a row, Qwen3-VL in turn.

-- %% [markdown] ref="who" lang="zh"
-- ## 哪个模型用哪种
-- 句号让模型忘掉的是它前面的键，第 0 到 7 个；它自己的门控不计在自己头上。至此，各家的配置你都读得懂了。
--
-- 先看表里的两条长条：左边一条是一个头的各维，填满的部分旋转；右边一条是接连八层，空格是不旋转的层。再看“转满的对”一栏：
-- 拉伸之前，有多少对在训练长度之内转满一圈；最后看底数。*先猜一猜*：Llama 3 与 gpt-oss 都加大了底数，其中哪一个转满的比例更小？
--
-- > **各个模型的细节**
-- >
-- > 转换过的权重可能与原版不同。*对半*是第 $i$ 维与第 $i + d/2$ 维配对，*交错*是相邻两维配对。
-- >
-- > - 布局：GPT-J、Command R7B 交错；GPT-NeoX、Pythia、gpt-oss 对半。
-- > - 拉伸：Llama 3.1 自 8192 扩展 8 倍，按波长；DeepSeek-V3、gpt-oss 自 4096 扩展 40 倍、32 倍，用 YaRN；Gemma 3 在没有窗口的层里位置内插 8 倍。
-- > - 滑动窗口：Gemma 3 每六层有五层窗口为 1024，那里的底数是 $10^4$；gpt-oss 每两层有一层窗口为 128，带注意力汇；Command R7B 只有窗口层旋转。
-- > - Llama 4 在不带位置的层里另加温度；DeepSeek-V3 的 64 维就是解耦的那些。
-- > - 多个轴：Qwen2-VL（$10^6$）连续分段，Qwen3-VL 轮流分配。

-- %% ref="who"
-- The columns of a head that turn, of how many; which layers turn; the base, and the length of training where the pairs are counted.
local models = {
  {"GPT-J", 64, 256, "████████", "10^4", 10000, 2048}, {"GPT-NeoX", 24, 96, "████████", "10^4", 10000, 2048},
  {"Llama 2", 128, 128, "████████", "10^4", 10000, 4096}, {"Llama 3", 128, 128, "████████", "5·10^5", 500000, 8192},
  {"gpt-oss", 64, 64, "████████", "1.5·10^5", 150000, 4096}, {"DeepSeek-V3", 64, 192, "████████", "10^4", 10000, 4096},
  {"Gemma 3", 1, 1, "████████", "10^4, 10^6"}, {"Llama 4", 1, 1, "███░███░", "5·10^5"}, {"Command R7B", 1, 1, "███░███░", "5·10^4"},
}
print(says{en = "model        columns turn    layers    full turns  base", zh = "模型         旋转的维度      旋转的层  转满的对    底数"})
for _, row in ipairs(models) do
  local name, turning, of, layers, written, base, L = table.unpack(row)
  local bar = ("█"):rep(round(8 * turning / of)) .. ("░"):rep(8 - round(8 * turning / of))
  local full = L and ("%d / %d"):format(sum(ge(L * rope_frequencies(turning, {base = base}), 2 * pi)), turning // 2) or "-"
  print(("%-11s  %s %3d %%  %s  %-10s  %s"):format(name, bar, 100 * turning // of, layers, full, written))
end

-- %% [markdown] ref="ex-row" lang="en"
-- ## Exercise: predict a row
-- Llama 3 keeps the smaller share, 35 of 64; gpt-oss keeps 18 of 32. The course ends with the atlas: every encoding is asked about every law. Predict a
-- row before you see it, that of the encoding in `asked`. Set `guess` to a table with `true` or `false` for four laws:
--
-- - `relative`: a score depends on the two positions only by their distance $m - n$;
-- - `even`: it is the same for $m - n$ and $n - m$;
-- - `decaying`: at equal content no score grows with the distance;
-- - `norm_keeping`: the vectors keep their norms, or, of vectors that are added, all have one norm.

-- %% [markdown] ref="ex-row" lang="zh"
-- ## 练习：猜一行
-- 更小的是 Llama 3，64 对里只有 35 对；gpt-oss 的 32 对里有 18 对。这门课最后是一幅全景图：拿每一条性质去问每一种编码。
-- 看图之前，先猜其中一行，就是 `asked` 里那种编码的。请把 `guess` 赋值为一个表，对四条性质各写 `true` 或 `false`：
--
-- - `relative`（相对）：打分只通过距离 $m - n$ 依赖于两个位置；
-- - `even`（偶）：$m - n$ 与 $n - m$ 的打分相同；
-- - `decaying`（衰减）：内容相同时，打分不随距离增大；
-- - `norm_keeping`（保长）：向量的模长不变；若是加上去的向量，则模长都相同。

-- %% role="exercise" ref="ex-row" points=2 variants=3
asked = ({"rope", "sinusoidal", "xpos"})[variant]
--- BEGIN SOLUTION
guess = {relative = true, even = asked == "sinusoidal", decaying = false, norm_keeping = asked ~= "xpos"}
--- END SOLUTION

-- %% role="hint" ref="ex-row" lang="en"
-- Write it as `guess = {relative = true, even = …, decaying = …, norm_keeping = …}`.
-- %% role="hint" ref="ex-row" lang="zh"
-- 写成 `guess = {relative = true, even = …, decaying = …, norm_keeping = …}`。

-- %% role="hint" ref="ex-row" lang="en"
-- A rotation turns $q$ and $k$; sinusoidal codes are added; xPos also multiplies $q$ by $\zeta^m$ and $k$ by $\zeta^{-n}$.
-- %% role="hint" ref="ex-row" lang="zh"
-- 旋转转动的是 $q$ 与 $k$；正弦编码是加上去的；xPos 还要把 $q$ 乘上 $\zeta^m$，把 $k$ 乘上 $\zeta^{-n}$。

-- %% role="check" ref="ex-row"
local which = ({"rope", "sinusoidal", "xpos"})[variant]
feedback(type(guess) == "table", {en = "`guess` must be a table of true and false.", zh = "`guess` 要是一个由 true 和 false 组成的表。"})
-- The atlas's cell of each law, and why.
local cells = {
  {"relative", true, {en = "only the distance is left in the score.", zh = "打分里只剩下距离。"}},
  {"even", which == "sinusoidal", which == "sinusoidal" and {en = "the product of two codes is a sum of cosines of the distance.", zh = "两个编码的内积是距离的余弦之和。"} or
    {en = "in the other direction q and k turn against each other the other way, and unless q = k the score is another.",
     zh = "方向反过来，q 与 k 的相对转角也反号；除非 q = k，打分就不同了。"}},
  {"decaying", false, {en = "a sum of cosines rises again, see the lesson on decay.", zh = "余弦之和还会回升，见“远程衰减”一课。"}},
  {"norm_keeping", which ~= "xpos", ({
    rope = {en = "a rotation changes no norm.", zh = "旋转不改变模长。"},
    sinusoidal = {en = "each pair is a point of the unit circle, so the norm is that of d/2 ones.", zh = "每个对都是单位圆上的点，所以模长处处是 d/2 个 1 的模长。"},
    xpos = {en = "the factor, and with it the norm, changes with the position.", zh = "所乘的倍数随位置变化，模长也跟着变。"}})[which]},
}
for _, cell in ipairs(cells) do
  local law, truth, why = table.unpack(cell)
  local yours = guess[law]
  feedback(type(yours) == "boolean", {
    en = ("`guess.%s` is missing; it must be true or false."):format(law),
    zh = ("缺 `guess.%s`：要写 true 或 false。"):format(law)})
  feedback(yours == truth, {
    en = ("%s, %s: you predicted %s, the atlas says %s: %s"):format(which, law, tostring(yours), truth and "P, proved" or "R, refuted", why.en),
    zh = ("%s 的 %s：你猜 %s，而全景图是 %s：%s"):format(which, law, tostring(yours), truth and "P（已证明）" or "R（已反驳）", why.zh)})
end

-- %% role="wrong" ref="ex-row" expect="decaying: you predicted true"
guess = {relative = true, even = asked == "sinusoidal", decaying = true, norm_keeping = asked ~= "xpos"}

-- %% role="wrong" ref="ex-row" expect="relative: you predicted false"
guess = {relative = false, even = false, decaying = false, norm_keeping = false}

-- %% role="wrong" ref="ex-row" expect="norm_keeping: you predicted"
guess = {relative = true, even = asked == "sinusoidal", decaying = false, norm_keeping = asked == "xpos"}

-- %% role="wrong" ref="ex-row" expect="even: you predicted"
guess = {relative = true, even = asked ~= "sinusoidal", decaying = false, norm_keeping = asked ~= "xpos"}

-- %% [markdown] ref="atlas" lang="en"
-- ## The atlas
-- The laboratory asks every encoding it has about every law of this course. The first six columns of the picture ask: is a score *relative*, *even*
-- in the distance, aware of the *direction*, *bounded*, *decaying*, and are *norms* kept? The other four ask: is a *shift* one linear map, are the
-- diagonals of the scores constant (*toeplitz*), are positions told apart (*injective*), and is there nothing new beyond the trained length
-- (*extrapolates*)? `atlas("rope")` prints a row in full, with the witness wherever a law is refuted.
--
-- *Predict before you run it:* is there an encoding that is relative *and* decays *and* keeps norms? (A bias changes no vector; for it norms have no
-- meaning.)

-- %% [markdown] ref="atlas" lang="zh"
-- ## 全景图
-- 实验室拿本课程里的每一条性质去问它的每一种编码。图中前六列问的是：打分是*相对*的吗，对距离是*偶*函数吗，
-- 能*辨向*（分得清前后）吗，*有界*吗，*衰减*吗，*保长*（保持模长）吗？
-- 后四列问的是：*平移*是同一个线性映射吗，*对角*线上的打分相同（Toeplitz）吗，
-- 各个位置*可辨*（单射）吗，*外推*到训练长度之外而不遇到新东西吗？`atlas("rope")` 详细列出一行，凡被驳倒的都附有反例。
--
-- *先猜一猜再运行*：有没有哪种编码既是相对的、又衰减、又保持模长？（偏置不改动向量，对它来说谈不上保持模长。）

-- %% ref="atlas"
display(picture("atlas", {lang = says{en = "en", zh = "zh"}}))
local table_of = atlas()
-- The encodings that obey two laws, by name: as they are listed?
local function obey(words, one, other, listed)
  local found = {}
  for _, row in ipairs(table_of.rows) do
    if row[one].holds and row[other].holds then found[#found + 1] = row.name end
  end
  local text = #listed > 0 and ": " .. table.concat(listed, ", ") or ""
  return named({en = words.en .. text, zh = words.zh .. (#listed > 0 and "：" .. table.concat(listed, "、") or "")},
    measure {claim = {en = "names that are not as listed", zh = "与所列不符的名字"}, value = table.concat(found, ", ") == table.concat(listed, ", ") and 0 or 1,
             bound = 0, why = says{en = "read off the table", zh = "从表上读出"}})
end
-- Your exercise's four laws of three encodings, as the atlas has them.
local laws, rows, differ = {"relative", "even", "decaying", "norm_keeping"}, {rope = "TFFT", sinusoidal = "TTFT", xpos = "TFFF"}, 0
print(says{en = "              relative  even      decaying  norms kept", zh = "              相对      偶        衰减      保长"})
for _, encoding in ipairs {"rope", "sinusoidal", "xpos"} do
  local line = ("%-14s"):format(encoding)
  for k, law in ipairs(laws) do
    local holds = table_of[encoding][law].holds
    if holds ~= (rows[encoding]:sub(k, k) == "T") then differ = differ + 1 end
    line = line .. says{en = holds and "yes       " or "no        ", zh = holds and "是        " or "否        "}
  end
  print((line:gsub(" +$", "")))
end
local kept = {0, 0, 0}
for _, row in ipairs(table_of.rows) do
  local relative, decaying, norms = row.relative.holds, row.decaying.holds, row.norm_keeping.holds
  if relative then kept[1] = kept[1] + 1 end
  if relative and decaying then kept[2] = kept[2] + 1 end
  if relative and decaying and norms then kept[3] = kept[3] + 1 end
end
print(says{en = "relative: %d of %d; and decaying: %d; and norms kept: %d",
  zh = "相对的：%d / %d；其中衰减的：%d；其中又保持模长的：%d"}:format(kept[1], #table_of.rows, kept[2], kept[3]))
return {
  named({en = "the exercise's rows are the atlas's", zh = "练习里的几行与全景图相同"},
    measure {claim = {en = "cells that differ", zh = "不同的格数"}, value = differ, bound = 0, why = says{en = "read off the table", zh = "从表上读出"}}),
  obey({en = "what keeps norms never decays", zh = "保持模长的都不衰减"}, "decaying", "norm_keeping", {}),
  obey({en = "relative and decaying", zh = "相对且衰减"}, "relative", "decaying", {"alibi", "kerple", "kerple power", "nope", "rerope"}),
  obey({en = "relative and norm-keeping", zh = "相对且保持模长"}, "relative", "norm_keeping",
       {"rope", "rope half", "rope yarn", "rope_axes", "sinusoidal", "sinusoidal_t2t", "sinusoidal_t2t odd"}),
  fails(table_of.rope.decaying, {en = "rope decays: at equal content no score grows with the distance", zh = "rope 衰减：内容相同时打分不随距离增大"}),
}

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- A large base keeps slow pairs for content, and whether it suits a length must be looked at, distance by distance. The causal mask alone tells
-- positions, so some layers can do without an encoding, with a temperature for length. Partial rotation, several axes and decoupled columns divide
-- the columns between position and content. Windows, sinks and gates change which keys count, not how positions are written.
--
-- When you next load a model, read five entries: the base, the scaling with its original length, which columns turn, in which layers, and in which
-- layout. A slip in any of them raises no error.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 大的底数把慢的对留给内容；它是否适合某个长度，要逐个距离看过才知道。仅凭因果掩码就能分辨位置，所以有些层可以不带编码，
-- 再用温度来对付长度。部分旋转、多个轴与解耦，都是在位置与内容之间分配维度。窗口、注意力汇与门控改变的是哪些键算数，
-- 而不是位置怎么写。
--
-- 下次加载模型时，先看五项：底数，缩放方式与最初的长度，哪些维度旋转，哪些层旋转，用哪种布局。哪一项弄错了都不会报错。
