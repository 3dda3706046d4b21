-- Relative positions: putting the distance into the score, from Shaw to T5 and beyond.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. u is the unit roundoff 2^-53.

-- %% [markdown] ref="bias" lang="en"
-- # Relative positions
-- In *the dog bit the man*, the verb wants to know who stands right before it. "One word back" is the same question at position 3 and at position 3000.
-- So what should the score of two words know of their places? The simplest answer: how far apart they are, and nothing else. Then one number
-- is added along each diagonal of the matrix of scores, a *bias*.
--
-- *ALiBi* (Press and others, 2022) takes the distance times a slope, $-s|i-j|$, with a slope for each head. *KERPLE* (Chi and others, 2022) learns a curve:
-- $-r_1\ln(1+r_2|i-j|)$, which flattens out, or $-a|i-j|^p$. *T5* (Raffel and others, 2020) learns a number for each near distance and one number for many far
-- ones (in the picture 16 numbers, made up; the model itself has 32, and they reach farther).
--
-- The pictures show the three, for a text of 48 words, each of which sees only itself and what came before. *Predict:* which of them cannot tell
-- distance 35 from distance 45?

-- %% [markdown] ref="bias" lang="zh"
-- # 相对位置编码
-- 在“狗咬了人”里，动词关心的是紧挨在它前面的是谁。不管它站在位置 3 还是位置 3000，问的都是“往前一个词”。那么两个词的打分，
-- 该用到位置的什么信息？最简单的回答：只用相隔多远。于是打分矩阵的每条对角线上各加一个数，叫作*偏置*。
--
-- *ALiBi*（Press 等人，2022）取距离乘以斜率 $-s|i-j|$，每个头一个斜率。*KERPLE*（Chi 等人，2022）取一条可学习的曲线：
-- $-r_1\ln(1+r_2|i-j|)$，越远越平缓；或者 $-a|i-j|^p$。*T5*（Raffel 等人，2020）为近的距离各学一个数，远的许多距离合用一个数
-- （图中取 16 个数，是编的；T5 自己有 32 个，分到更远的地方）。
--
-- 图中是这三种，文本有 48 个词，每个词只看得见自己和前面的词。*先猜一猜*：哪一种分不清距离 35 与 45？

-- %% ref="bias"
local T = 48
local steps = t5(reshape(-range(0, 15), 16, 1), T, {direction = "causal", max_distance = 32})
local function laid(bias) return reshape(bias, T, T) end
local biases = {laid(alibi(8, T)[4]), laid(kerple(T, {kind = "log", r1 = 1, r2 = 1})), laid(steps)}
local shown = {columns = 3}
for i, title in ipairs {"ALiBi", "KERPLE", "T5"} do
  shown[i] = heatmap(where(causal_mask(T), biases[i], nan), {title = title})
end
display(panels(shown))
-- The last word's bias at distance 35, less the one at distance 45.
local function apart(bias) return bias(T, T - 35) - bias(T, T - 45) end
local function same(bias)
  return measure {claim = {en = "the bias at distance 35, less the one at 45", zh = "距离 35 处的偏置减去 45 处的"}, value = apart(bias), bound = 0, why = says{en = "one number for both",
    zh = "两者同一个数"}}
end
return {
  named({en = "the T5 of the picture cannot tell distance 35 from 45", zh = "图中的 T5 分不清距离 35 与 45"}, same(biases[3])),
  fails(same(biases[1]), {en = "ALiBi cannot tell 35 from 45", zh = "ALiBi 分不清 35 与 45"}),
  fails(same(biases[2]), {en = "KERPLE cannot tell 35 from 45", zh = "KERPLE 分不清 35 与 45"}),
  figure({en = "by how much they differ in ALiBi, slope 1/16", zh = "ALiBi（斜率 1/16）中两者之差"}, apart(biases[1]), "0.625"),
  figure({en = "in KERPLE", zh = "KERPLE 中"}, apart(biases[2]), "0.245"),
}

-- %% [markdown] ref="factor" lang="en"
-- ## Exercise: what a bias does to a weight
-- The bias is added to the score $z$, and the weight is $e^z$ divided by the sum over all keys. ALiBi's head has your `slope`; the
-- query stands at 20 and the key at 12. Set `factor` to the number by which the bias multiplies $e^z$ of this key.

-- %% [markdown] ref="factor" lang="zh"
-- ## 练习：偏置对权重的影响
-- 偏置加在打分 $z$ 上；权重是 $e^z$ 除以对所有键的总和。ALiBi 的某个头，斜率是你的 `slope`；查询在 20，键在 12。这个键的 $e^z$ 因偏置
-- 而乘上多少？把这个数赋给 `factor`。

-- %% role="exercise" ref="factor" points=1 variants=4
slope = ({1/2, 1/4, 1/8, 1/16})[variant]
--- BEGIN SOLUTION
factor = exp(-slope * 8)
--- END SOLUTION

-- %% role="hint" ref="factor" lang="en"
-- First the bias itself: the slope times the distance, with a minus.
-- %% role="hint" ref="factor" lang="zh"
-- 先求偏置：斜率乘以距离，再取负号。

-- %% role="hint" ref="factor" lang="en"
-- $e^{a+b} = e^ae^b$: what is added in the exponent becomes a factor. `exp(x)` is $e^x$.
-- %% role="hint" ref="factor" lang="zh"
-- $e^{a+b} = e^ae^b$：指数上加的，就成了因子。`exp(x)` 就是 $e^x$。

-- %% role="check" ref="factor"
local slope = ({1/2, 1/4, 1/8, 1/16})[variant]
feedback(type(factor) == "number", {en = "`factor` must be a number.", zh = "`factor` 要是一个数。"})
feedback(not same(factor, -8 * slope), {
  en = "That is the bias. It is added to the score, before the exponential is taken.",
  zh = "这是偏置本身。它加在打分上，之后还要取指数。",
})
feedback(not same(factor, exp(8 * slope)), {
  en = "This factor is larger than 1: far keys would gain. The bias has a minus.",
  zh = "这个因子大于 1：越远的键权重反而越大。偏置前面有负号。",
})
feedback(same(factor, exp(-8 * slope), {what = "factor"}))

-- %% role="wrong" ref="factor" expect="That is the bias"
factor = -8 * ({1/2, 1/4, 1/8, 1/16})[variant]

-- %% role="wrong" ref="factor" expect="larger than 1"
factor = exp(8 * ({1/2, 1/4, 1/8, 1/16})[variant])

-- %% [markdown] ref="four" lang="en"
-- ## Four parts of a score
-- Where does a bias come from? Begin with positions that are added: $x_i + p_i$. Query and key are made from this sum, and with
-- $A = W^Q(W^K)^\top$ their score falls into four parts:
--
-- $$(x_i+p_i)A(x_j+p_j)^\top = x_iAx_j^\top + x_iAp_j^\top + p_iAx_j^\top + p_iAp_j^\top$$
--
-- The parts are word with word, word with position, position with word, and position with position. The last three depend on
-- $i$ and $j$ separately: the model would have to *learn* that "one back" is the same everywhere. The encodings of this lesson ask: what if these
-- parts were *made* to depend on the distance only? They differ in what they put in the place of $p_i$ and $p_j$. A bias such as ALiBi's takes the place of
-- the last part, and drops the two in the middle.

-- %% [markdown] ref="four" lang="zh"
-- ## 打分展开成四项
-- 偏置从哪里来？先看把位置加上去的做法：$x_i + p_i$。由这个和算出查询与键，记 $A = W^Q(W^K)^\top$，打分就展开成四项：
--
-- $$(x_i+p_i)A(x_j+p_j)^\top = x_iAx_j^\top + x_iAp_j^\top + p_iAx_j^\top + p_iAp_j^\top$$
--
-- 词对词，词对位置，位置对词，位置对位置。后三项用到的是 $i$ 和 $j$ 本身：“往前一个词”处处一样，这要靠模型自己去*学*。这一课的各种编码
-- 问的是：要是干脆*让*这几项只依赖距离呢？它们的分别，在于拿什么来替换 $p_i$ 与 $p_j$。ALiBi 那样的偏置，就是换掉最后一项，
-- 去掉中间两项。

-- %% ref="four" claim="pe/four-terms"
local WQ, WK = symmatrix("Q", 2, 2), symmatrix("K", 2, 2)
xi, xj = symmatrix("x", 1, 2), symmatrix("y", 1, 2)
pi_, pj = symmatrix("p", 1, 2), symmatrix("r", 1, 2)
function form(a, b) return matmul(matmul(a, WQ), matmul(b, WK).T)(1, 1) end
local function part(a, b) -- a WQ WK' b'
  return matmul(matmul(a, matmul(WQ, WK.T)), b.T)(1, 1)
end
local whole = form(xi + pi_, xj + pj)
local parts = part(xi, xj) + part(xi, pj) + part(pi_, xj) + part(pi_, pj)
local half, two = form(xi + pi_, xj), part(xi, xj) + part(pi_, xj)
-- Any width: a row times a matrix is linear in the row; and two sums times two sums, column by column.
local x, y, p, r, Q = sym "x y p r Q"
local q, k, s, t = sym "q k s t" -- the columns of x Q, y K, p Q, r K
local a, c, D, d = sym("a", "integer"), sym("c", "integer"), sym("D", "natural"), sym("d", "natural")
local function over(f) return sum(f, c, 1, d) end
return {
  prove(whole, parts, {caption = {en = "the score is the sum of the four parts", zh = "打分等于四项之和"}}),
  prove(half, two, {caption = {en = "a position on the side of the query alone: two parts", zh = "只在查询一侧加位置，得到两项"}}), mutants(half, two),
  prove(sum((x[a] + p[a]) * Q[a], a, 1, D), sum(x[a] * Q[a], a, 1, D) + sum(p[a] * Q[a], a, 1, D), {
    caption = {en = "any width: the map is linear in the row", zh = "任意宽度：映射对行是线性的"}}),
  prove(over((q[c] + s[c]) * (k[c] + t[c])), over(q[c] * k[c]) + over(q[c] * t[c]) + over(s[c] * k[c]) + over(s[c] * t[c]), {
    caption = {en = "any width: two sums times two sums are four", zh = "任意宽度：两项和乘两项和，展开成四项"}}),
}

-- %% [markdown] ref="shaw" lang="en"
-- ## Shaw: a vector for each distance
-- Shaw and others (2018) began all this, and they learn more than a number: a *vector* for every distance up to $K$; beyond, the outermost
-- ones are used. So the content of the query decides how much a distance counts. One vector is added to the key in the score, another one to the value
-- in the output:
--
-- $$e_{ij} = \frac{q_i(k_j + a_{j-i})^\top}{\sqrt{d}}$$
--
-- $$z_i = \sum_{j}\alpha_{ij}(v_j + b_{j-i})$$
--
-- where a distance beyond $K$ is *clipped*: instead of $t = j-i$ one reads at $\max(-K, \min(t, K))$.
--
-- Written as a program with a vector for each *pair*, that takes $n^2d$ numbers. But there are only $2K+1$ different
-- vectors: multiply each query with those and look the products up. Below, both ways are compared.
--
-- > **How far apart rounding may take them**
-- > Two ways of rounding $d$ products of $q(k+a)$ differ by at most $2(d+4)u$ times the sum of $|q|(|k|+|a|)$, where $u = 2^{-53}$ is half a unit in
-- > the last place of 1.

-- %% [markdown] ref="shaw" lang="zh"
-- ## Shaw：每个距离一个向量
-- Shaw 等人（2018）是这一路的开端，他们学的不只是一个数，而是一个*向量*：不超过 $K$ 的每个距离各一个，更远的用最外面的那个。
-- 这样，某个距离有多要紧，由查询的内容来定。打分里一个向量加在键上，输出里另有一个加在值上：
--
-- $$e_{ij} = \frac{q_i(k_j + a_{j-i})^\top}{\sqrt{d}}$$
--
-- $$z_i = \sum_{j}\alpha_{ij}(v_j + b_{j-i})$$
--
-- 超过 $K$ 的距离要*截断*：不是在 $t = j-i$ 处取向量，而是在 $\max(-K, \min(t, K))$ 处取。
--
-- 若照着公式给每*一对*位置配一个向量，就要 $n^2d$ 个数。其实不同的向量只有 $2K+1$ 个：拿每个查询与它们相乘，
-- 再查乘积即可。下面比较这两种算法。
--
-- > **舍入能差多少**
-- > $d$ 项 $q(k+a)$ 用两种次序舍入，至多相差 $|q|(|k|+|a|)$ 之和的
-- > $2(d+4)u$ 倍，其中 $u = 2^{-53}$ 是单位舍入误差。

-- %% ref="shaw" claim="pe/shaw"
u = 2^-53
function clipped(t, K) return math.max(-K, math.min(t, K)) end
-- The formula, with a vector for each pair.
local function naive(q, k, table, K)
  local n, d, S = q.shape[1], q.shape[2], {}
  for i = 1, n do
    S[i] = {}
    for j = 1, n do
      local a, s = table[clipped(j - i, K) + K + 1], 0
      for l = 1, d do s = s + q(i, l) * (k(j, l) + a(l)) end
      S[i][j] = s / math.sqrt(d)
    end
  end
  return array(S)
end
local n, d, K = 9, 5, 3
local function drawn(g)
  return randn(g, n, d), randn(g, n, d), randn(g, 2 * K + 1, d)
end
local function scores(g)
  local q, k, table = drawn(g)
  local size = matmul(abs(q), abs(k).T) + max(matmul(abs(q), abs(table).T))
  local off = abs(shaw(q, k, table) - naive(q, k, table, K)) * sqrt(d)
  return off, 2 * (d + 4) * u * max(size)
end
local function outputs(g)
  local v, _, table = drawn(g)
  local A, want = softmax(randn(g, n, n)), zeros(n, d)
  for i = 1, n do
    for j = 1, n do
      local a = table[clipped(j - i, K) + K + 1]
      want[i] = want[i] + A(i, j) * (v[j] + a)
    end
  end
  -- sums of n products up to |v| + |a|, with weights that add up to 1
  local size = max(abs(v)) + max(abs(table))
  local off = abs(shaw_values(A, v, table) - want)
  return off, 2 * (n + 4) * u * size
end
local function far(g) -- beyond the clip a query sees equal keys alike
  local q, k, table = drawn(g)
  local S = shaw(q, ones(n, 1) * k[1], table)
  return sum(eq(S[1], S(1, n))) - (n - K)
end
local looked_up = in_bounds {
  claim = {en = "scores by either way are the same, but for rounding", zh = "两种算法的打分只差舍入"}, f = scores, samples = 30, seed = 1, told = "291.56",
  why = says{en = "d products of q(k+a), each summed in its own order", zh = "q(k+a) 的 d 个乘积，各按自己的次序求和"},
}
local as_formula = in_bounds {
  claim = {en = "the outputs are those of the formula, but for rounding", zh = "输出与公式只差舍入"}, f = outputs, samples = 30, seed = 2, told = "125.96",
  why = says{en = "n products with weights of sum 1", zh = "n 个乘积，权重之和为 1"},
}
return {
  looked_up, as_formula,
  measure {claim = {en = "of n equal keys, n - K get the score of the farthest", zh = "n 个相同的键中，有 n - K 个的打分与最远的相同"},
           f = far, samples = 20, seed = 3, bound = 0,
           why = says{en = "from K on they share one row of the table", zh = "从 K 起共用表的同一行"}},
}

-- %% [markdown] ref="row" lang="en"
-- ## Exercise: the row of a pair
-- Shaw's table has $2K+1$ rows, the first for distance $-K$. Write `row(i, j, K)`: which row, counted from 1, belongs
-- to query $i$ and key $j$.

-- %% [markdown] ref="row" lang="zh"
-- ## 练习：一对位置用哪一行
-- Shaw 的表有 $2K+1$ 行，第一行是距离 $-K$。写一个函数 `row(i, j, K)`：查询 $i$ 与键 $j$ 用（从 1 数起的）第几行。

-- %% role="exercise" ref="row" points=1
function row(i, j, K)
  --- BEGIN SOLUTION
  return math.max(-K, math.min(j - i, K)) + K + 1
  --- END SOLUTION
end

-- %% role="hint" ref="row" lang="en"
-- The distance is key minus query. First clip it to $-K \dots K$.

-- %% role="hint" ref="row" lang="zh"
-- 距离是键减查询。先截到 $-K \dots K$ 之间。

-- %% role="hint" ref="row" lang="en"
-- Distance $-K$ has row 1, so add $K + 1$.

-- %% role="hint" ref="row" lang="zh"
-- 距离 $-K$ 在第 1 行，所以加上 $K + 1$。

-- %% role="check" ref="row"
feedback(row(5, 5, 3) ~= 3, {
  en = "Distance 0 has K rows before it: it is row K + 1, not K. Rows count from 1.",
  zh = "距离 0 前面有 K 行：它是第 K + 1 行，不是第 K 行。行从 1 数起。",
})
feedback(not (row(5, 7, 3) == 2 and row(7, 5, 3) == 6), {
  en = "This is query minus key; in Shaw's paper the distance is key minus query.",
  zh = "这是查询减键；Shaw 的论文里，距离是键减查询。",
})
feedback(row(1, 9, 3) == 7 or row(5, 7, 3) ~= 6, {
  en = "Query 1 and key 9 with K = 3: beyond the table. Greater distances share the outermost rows.",
  zh = "K = 3 时查询 1 与键 9：超出了表。更远的距离合用最外面的行。",
})
for _, c in ipairs {{5, 5, 3, 4}, {5, 7, 3, 6}, {7, 5, 3, 2}, {1, 9, 3, 7}, {9, 1, 3, 1}} do
  feedback(same(row(c[1], c[2], c[3]), c[4], {what = ("row(%d, %d, %d)"):format(c[1], c[2], c[3])}))
end

-- %% role="wrong" ref="row" expect="beyond the table"
function row(i, j, K) return j - i + K + 1 end

-- %% role="wrong" ref="row" expect="query minus key"
function row(i, j, K) return math.max(-K, math.min(i - j, K)) + K + 1 end

-- %% role="wrong" ref="row" expect="Rows count from 1"
function row(i, j, K) return math.max(-K, math.min(j - i, K)) + K end

-- %% [markdown] ref="t5" lang="en"
-- ## T5: one number for each bucket
-- Does it matter whether a word is 100 or 103 places away? Hardly; but 1 or 4 does. So T5 uses no vectors but adds a learned number to the score, and
-- its distances get coarser as they grow. Near distances have a number each, far ones share it in *buckets*, counted from 0: of the 16 buckets of
-- one side (both directions), 8 are single distances, and distance $n \ge 8$ falls into bucket
--
-- $$8 + \left\lfloor 8\,\frac{\ln(n/8)}{\ln 16}\right\rfloor$$
--
-- but never above 15. A decoder has all 32 buckets on one side, 16 single ones and then $16 + \lfloor 16\ln(n/16)/\ln 8 \rfloor$, at most 31. From
-- distance 128 on all is in the last bucket, which begins at 91 (in a decoder at 113).
--
-- > **Decided in whole numbers**
-- > At 16, 32 and 64 the logarithms hit a whole number exactly, and floating point may fall on either side. So distance $n$ is in bucket $8+k$ when
-- >
-- > $$8^8 16^k \le n^8 < 8^8 16^{k+1}$$
-- >
-- > One product of two factors says both: $(n^8 - 8^8 16^k)(8^8 16^{k+1} - 1 - n^8) \ge 0$, since the two cannot be negative at once.
-- > The ranges follow one another, so the bucket never decreases. Below this is certified for each run of equal buckets.

-- %% [markdown] ref="t5" lang="zh"
-- ## T5：每个桶一个数
-- 一个词隔 100 个位置还是 103 个，要紧吗？几乎不要紧；隔 1 个还是 4 个就要紧了。所以 T5 不用向量，只往打分上加一个学来的数，
-- 而且距离越远，分得越粗。近的距离各用一个数，远的几个距离合用一个，分在越来越大的*桶*里，桶从 0 编号：
-- 双向时每侧 16 个桶，其中 8 个各装一个距离，$n \ge 8$ 的距离所在的桶号是
--
-- $$8 + \left\lfloor 8\,\frac{\ln(n/8)}{\ln 16}\right\rfloor$$
--
-- 但不超过 15。解码器的 32 个桶都在一侧，16 个装单个距离，之后是 $16 + \lfloor 16\ln(n/16)/\ln 8 \rfloor$，不超过 31。从距离 128 起，
-- 全都在最后一个桶里；这个桶从 91 开始，在解码器里从 113 开始。
--
-- > **用整数来判定**
-- > 在 16、32、64 处，对数恰好碰上整数，浮点数可能落在任何一边。所以距离 $n$ 在 $8+k$ 号桶里，就是
-- >
-- > $$8^8 16^k \le n^8 < 8^8 16^{k+1}$$
-- >
-- > 两个不等式并成一个乘积：$(n^8 - 8^8 16^k)(8^8 16^{k+1} - 1 - n^8) \ge 0$，因为两个因子不可能同时为负。
-- > 各段首尾相接，所以桶号从不减小。下面对每一段同号的距离逐一严格验证。

-- %% ref="t5" claim="pe/t5-bias"
-- Runs of equal buckets from `exact` to 127, each against its inequality.
local function certified(exact, direction, way)
  local n, verdicts, from = sym("n", "integer"), {}, exact
  local function words(en, zh, ...) -- filled in, the direction last
    local list = {...}
    local last = #list + 1
    list[last] = direction == "both" and "both directions" or "a decoder"
    local said = en:format(table.unpack(list))
    list[last] = way
    return {en = said, zh = zh:format(table.unpack(list))}
  end
  local bucket = t5_bucket(-1 * range(0, 200), {direction = direction})
  local ratio = 128 // exact
  local function edge(k) return rat(exact) ^ exact * rat(ratio) ^ k end
  for k = 0, exact - 1 do
    local to = from
    while to < 128 and bucket(to + 1) == exact + k do to = to + 1 end
    if to > from then
      local power = n ^ exact
      local inside = (power - edge(k)) * (edge(k + 1) - 1 - power)
      table.insert(verdicts, named(words("a run of distances lies in its bucket, %s", "一段距离落在同一个桶里，%s"), certify(ge(inside, 0), {n = {from, to - 1}})))
    end
    from = to
  end
  local function at(d) return math.tointeger(bucket(d + 1)) end
  local near, own, far = {}, {}, 2 * exact - 1
  for d, b in ipairs(bucket[{ {1, exact} }]:totable()) do
    near[d], own[d] = math.tointeger(b), d - 1
  end
  return {
    verdicts,
    named(words("no gap up to 128, %s", "到 128 为止没有空隙，%s"), prove(from, 128)),
    named(words("one bucket each below %d, %s", "小于 %d 时各占一桶，%s", exact), prove(matrix {near}, matrix {own})),
    named(words("one bucket from 128 on, %s", "从 128 起同属一桶，%s"), prove(matrix {at(128), at(200)}, matrix {far, far})),
  }
end
local numbers, t = randn(rng(8), 32, 1), range(1, 200)
local _, spread = relativity_deviation(t5(numbers, 200, {direction = "both"})[1])
function ahead(way) return t5_bucket(t, {direction = way}) end
function behind(way) return t5_bucket(-1 * t, {direction = way}) end
local function falls(b) return maximum(0, b[{ {1, 199} }] - b[{ {2, 200} }]) end
local function begins(b, bucket) return 201 - sum(eq(b, bucket)) end -- of the distances 1 to 200
return {
  certified(8, "both", "双向"), certified(16, "causal", "解码器"),
  also({en = "the bias is constant along each diagonal", zh = "偏置沿每条对角线不变"},
       measure {claim = {en = "two entries on one diagonal of the bias", zh = "偏置同一条对角线上的两个元素"}, value = spread, bound = 0,
         why = says{en = "it depends on the distance alone", zh = "它只与距离有关"}}),
  also({en = "both directions: a key ahead has the bucket of one as far behind, plus 16", zh = "双向：键在查询之后，桶号比在查询之前同样远时大 16"},
       measure {claim = {en = "buckets ahead, less those behind, less 16", zh = "在查询之后的桶号减在查询之前的桶号，再减 16"}, value = ahead "both" - behind "both" - 16,
         bound = 0, why = says{en = "whole numbers", zh = "都是整数"}}),
  also({en = "a decoder: all that is ahead is in bucket 0", zh = "解码器：在查询之后的全在第 0 桶"},
       measure {claim = {en = "buckets ahead", zh = "在查询之后的桶号"}, value = ahead "causal", bound = 0, why = says{en = "whole numbers", zh = "都是整数"}}),
  also({en = "no bucket is less than that of a shorter distance", zh = "距离更远，桶号不会更小"},
       measure {claim = {en = "a fall from one distance to the next", zh = "相邻距离之间桶号的下降"}, value = maximum(falls(behind "both"), falls(behind "causal")),
         bound = 0, why = says{en = "whole numbers", zh = "都是整数"}}),
  figure({en = "both directions: the last bucket begins at distance", zh = "双向：最后一个桶的起始距离"}, begins(behind "both", 15), "91"),
  figure({en = "a decoder: it begins at", zh = "解码器：起始距离"}, begins(behind "causal", 31), "113"),
}

-- %% ref="t5"
return plot(range(1, 200), {behind "both", behind "causal"}, {
  labels = {says{en = "both directions", zh = "双向"}, says{en = "decoder", zh = "解码器"}}, log = "x",
  xlabel = says{en = "distance", zh = "距离"}, ylabel = says{en = "bucket", zh = "桶"},
})

-- %% [markdown] ref="delta" lang="en"
-- ## Exercise: an index with 2K rows
-- Back to vectors: DeBERTa, the next encoding, has tables of $2K$ rows, counted from 0. Query and key at the same place look up row $K$. When the
-- query moves on by one place, the row number grows by one; beyond the table its outermost row is taken. Write `delta(i, j, K)`: the row for query $i$ and key $j$.

-- %% [markdown] ref="delta" lang="zh"
-- ## 练习：2K 行的下标
-- 再回到向量：下一种编码 DeBERTa 的表有 $2K$ 行，从 0 数起。查询与键位置相同时查第 $K$ 行；查询每往后一步，行号加一；
-- 超出表外时取最外面的一行。写一个函数 `delta(i, j, K)`：查询 $i$ 与键 $j$ 查第几行。

-- %% role="exercise" ref="delta" points=1
function delta(i, j, K)
  --- BEGIN SOLUTION
  return math.max(0, math.min(i - j + K, 2 * K - 1))
  --- END SOLUTION
end

-- %% role="hint" ref="delta" lang="en"
-- In the middle it is $i-j+K$. What is the largest value that occurs there?

-- %% role="hint" ref="delta" lang="zh"
-- 中间一段是 $i-j+K$。那里出现的最大值是多少？

-- %% role="hint" ref="delta" lang="en"
-- Clip $i-j+K$ to $0 \dots 2K-1$: there are $2K$ rows, not $2K+1$.

-- %% role="hint" ref="delta" lang="zh"
-- 把 $i-j+K$ 截到 $0 \dots 2K-1$：一共 $2K$ 行，不是 $2K+1$ 行。

-- %% role="check" ref="delta"
feedback(delta(9, 1, 3) ~= 6, {
  en = "That would be row 6 of 0 to 5: there are 2K rows, so the last index is 2K - 1.",
  zh = "下标只有 0 到 5，这里却得到 6：一共 2K 行，最后的下标是 2K - 1。",
})
feedback(delta(2, 1, 3) ~= 2, {
  en = "This is j - i. Here the distance is query minus key.",
  zh = "这是 j - i。这里的距离是查询减键。",
})
for _, c in ipairs {{1, 1, 3, 3}, {2, 1, 3, 4}, {1, 2, 3, 2}, {9, 1, 3, 5}, {1, 9, 3, 0}, {4, 1, 3, 5}, {1, 4, 3, 0}} do
  feedback(same(delta(c[1], c[2], c[3]), c[4], {what = ("delta(%d, %d, %d)"):format(c[1], c[2], c[3])}))
end

-- %% role="wrong" ref="delta" expect="there are 2K rows"
function delta(i, j, K) return math.max(-K, math.min(i - j, K)) + K end

-- %% role="wrong" ref="delta" expect="query minus key"
function delta(i, j, K) return math.max(0, math.min(j - i + K, 2 * K - 1)) end

-- %% [markdown] ref="deberta" lang="en"
-- ## DeBERTa: three terms
-- DeBERTa (He and others, 2021) keeps three of the four parts: word-word, word-position and position-word. It has tables of $2K$ rows and the index
--
-- $$\delta(i,j) = \begin{cases}0 & i-j \le -K\\ 2K-1 & i-j \ge K\\ i-j+K & |i-j| < K\end{cases}$$
--
-- into these tables $P$. With three terms, the scale is $1/\sqrt{3d}$:
--
-- $$e_{ij} = \frac{q_ik_j^\top + q_i(P_{\delta(i,j)}W^K)^\top + k_j(P_{\delta(j,i)}W^Q)^\top}{\sqrt{3d}}$$
--
-- The index of the third term is $\delta(j,i)$: it is the key that asks how far the query is. The released code has
-- $\delta(i,j)$ there. `deberta` offers both, by name.
--
-- > **A slip in the study notes**
-- > The study notes on position encoding (see `absolute`) have $R_{j,i}(W^K)^\top x_j^\top$ for the third term: a position of model width meets
-- > a key of head width. Where the two differ the product does not exist; $W^Q$ is missing.

-- %% [markdown] ref="deberta" lang="zh"
-- ## DeBERTa：三项
-- DeBERTa（He 等人，2021）保留四项中的三项：词对词、词对位置、位置对词，用 $2K$ 行的表，下标是
--
-- $$\delta(i,j) = \begin{cases}0 & i-j \le -K\\ 2K-1 & i-j \ge K\\ i-j+K & |i-j| < K\end{cases}$$
--
-- 用来查表 $P$。因为有三项，缩放是 $1/\sqrt{3d}$：
--
-- $$e_{ij} = \frac{q_ik_j^\top + q_i(P_{\delta(i,j)}W^K)^\top + k_j(P_{\delta(j,i)}W^Q)^\top}{\sqrt{3d}}$$
--
-- 第三项的下标是 $\delta(j,i)$：是键在问查询有多远。公布的代码在那里写的却是 $\delta(i,j)$。`deberta` 两种都有，按名字选。
--
-- > **学习笔记的疏漏**
-- > 讲位置编码的那篇学习笔记（见 `absolute`）把第三项写成 $R_{j,i}(W^K)^\top x_j^\top$：维数等于模型宽度的位置向量，乘上了维数等于头维度的键。
-- > 两种宽度不同时，这个乘积不存在；缺的是 $W^Q$。

-- %% ref="deberta" claim="pe/deberta"
-- A program that stops is refuted by what it says when it does.
function runs(text, f, ...)
  local fine, message = pcall(f, ...)
  local function outcome()
    if not fine then return 1, tostring(message) end
    return 0
  end
  return measure {claim = text, f = outcome, samples = 1, bound = 0,
                  why = says{en = "a program that runs raises no error", zh = "程序能运行就不会报错"}}
end
local K, n, D, d = 3, 8, 6, 4
local function δ(t)
  return t <= -K and 0 or t >= K and 2 * K - 1 or t + K
end
local function by_formula(q, k, qr, kr, variant)
  local S = zeros(n, n)
  for i = 1, n do
    for j = 1, n do
      local third = variant == "paper" and δ(j - i) or δ(i - j)
      local s = dot(q[i], k[j]) + dot(q[i], kr[δ(i - j) + 1])
      S[{i, j}] = (s + dot(k[j], qr[third + 1])) / math.sqrt(3 * d)
    end
  end
  return S
end
local function against(variant)
  return function(g)
    local q, k, P = randn(g, n, d), randn(g, n, d), randn(g, 2 * K, D)
    local qr, kr = matmul(P, randn(g, D, d)), matmul(P, randn(g, D, d))
    local size = max(abs(q)) + max(abs(k)) + max(abs(qr)) + max(abs(kr))
    local off = deberta(q, k, qr, kr, {variant = variant})
                - by_formula(q, k, qr, kr, variant)
    return off, 2 * (d + 5) * u * size * size * d / sqrt(3 * d)
  end
end
local reason = says{en = "three products of d terms, two sums, a division", zh = "三个 d 项乘积、两次求和、一次除法"}
local paper = in_bounds {claim = {en = "the paper's index: `deberta` gives the formula's scores, but for rounding", zh = "论文的下标：`deberta` 与公式的打分只差舍入"},
  f = against "paper", samples = 30, seed = 6, told = "6079", why = reason}
local code = in_bounds {claim = {en = "the released code's index: the same", zh = "公布代码的下标：也是如此"},
  f = against "code", samples = 30, seed = 7, told = "5529", why = reason}
local g = rng(5)
local x, R, WK = randn(g, 1, D), randn(g, 1, D), randn(g, D, d)
return {
  written = runs({en = "a position of width 6 can be multiplied with a key of width 4", zh = "宽度 6 的位置向量与宽度 4 的键可以相乘"},
                 function() return matmul(R, matmul(WK.T, x.T)) end),
  mended = {paper, code},
}

-- %% [markdown] ref="toeplitz" lang="en"
-- ## Only the distance?
-- Give all words the same content. Then a relative encoding must give scores that are constant along diagonals: shift
-- query and key by one, and nothing changes. For Shaw, Transformer-XL (appendix), DeBERTa, T5 and ALiBi that is
-- proved, for every table.
--
-- Two are not of this kind. FIRE (Li and others, 2024) reads a learned function at $\psi(i-j)/\psi(\max(i,L))$. Up to position $L$ the
-- denominator stays as it is, and diagonals are constant. From there on a step along the diagonal changes the quotient by
--
-- $$\frac{\psi(i-j)}{\psi(i+1)} - \frac{\psi(i-j)}{\psi(i)} = \frac{\psi(i-j)\,(\psi(i)-\psi(i+1))}{\psi(i)\,\psi(i+1)}$$
--
-- which is not 0 for $i > j$, because $\psi$ grows. CoPE (Golovneva and others, 2024) counts by content: the position of key $j$ is the sum
-- $\gamma_j + \dots + \gamma_i$ of the gates that the query at $i$ opens on the way. If the next query opens the same gates, a step adds $\gamma_{i+1}$
-- and drops $\gamma_j$. Among equal words all gates are equal, and only the distance counts; a single different word ends that.

-- %% [markdown] ref="toeplitz" lang="zh"
-- ## 只依赖距离吗？
-- 让所有的词内容相同。相对编码给出的打分就应当沿对角线不变：查询与键同移一步，什么都不变。对 Shaw、Transformer-XL（附录）、DeBERTa、T5 和 ALiBi，
-- 无论表里是什么，这一点都可以证明。
--
-- 有两种不属于这一类。FIRE（Li 等人，2024）把 $\psi(i-j)/\psi(\max(i,L))$ 代入一个学来的函数。到位置 $L$ 为止，分母保持不变，对角线上是常数；
-- 再往后，沿对角线每走一步，这个商就要改变
--
-- $$\frac{\psi(i-j)}{\psi(i+1)} - \frac{\psi(i-j)}{\psi(i)} = \frac{\psi(i-j)\,(\psi(i)-\psi(i+1))}{\psi(i)\,\psi(i+1)}$$
--
-- $i > j$ 时它不为 0，因为 $\psi$ 递增。CoPE（Golovneva 等人，2024）按内容计数：
-- 键 $j$ 的位置，是位置 $i$ 的查询打开的各门控值之和 $\gamma_j + \dots + \gamma_i$。
-- 若下一个查询打开的门不变，每走一步便添上 $\gamma_{i+1}$，去掉 $\gamma_j$。词全都相同，门也就全都相等，
-- 打分只看距离；只要有一个词不同，就不再如此。

-- %% ref="toeplitz" claim="pe/relative-toeplitz"
local i, j, l = sym("i j l", "integer")
local q, k, a, β, r, c, near, far, θ = sym "q k a β r c near far θ"
local slope, U, V, ψ, γ = sym("s", "positive"), sym "u v ψ γ"
-- One column of each score at (i, j), from T, what the model has learned;
-- sums over columns follow term by term. A table is read at a distance.
forms = {
  shaw = function(T, i, j) return T.q * (T.k + T.a[j - i]) end,
  transformer_xl = function(T, i, j)
    local t = (i - j) * T.θ
    return (T.q + T.u) * T.k + (T.q + T.v) * (T.r * sin(t) + T.c * cos(t))
  end,
  deberta = function(T, i, j)
    return T.q * T.k + T.q * T.near[i - j] + T.k * T.far[j - i]
  end,
  t5 = function(T, i, j) return T.q * T.k + T.β[j - i] end,
  alibi = function(T, i, j) return T.q * T.k - T.slope * abs(i - j) end,
}
local T = {q = q, k = k, a = a, β = β, r = r, c = c, near = near, far = far,
           θ = θ, slope = slope, u = U, v = V}
local names = {"shaw", "transformer_xl", "deberta", "t5", "alibi"}
local called = {shaw = "Shaw", transformer_xl = "Transformer-XL", deberta = "DeBERTa", t5 = "T5", alibi = "ALiBi"}
local verdicts = {}
for _, name in ipairs(names) do
  local form = forms[name]
  table.insert(verdicts, prove(form(T, i + 1, j + 1), form(T, i, j), {
    caption = {en = called[name] .. ": a step of query and key changes nothing", zh = called[name] .. "：查询与键同移一步，打分不变"}}))
end
table.insert(verdicts, mutants(forms.t5(T, i + 1, j + 1), forms.t5(T, i, j)))
table.insert(verdicts, fails(prove(q * k + β[i + 1], q * k + β[i]), {en = "a bias that reads i alone does so too", zh = "只看 i 的偏置也如此"}))
-- FIRE reads a function at ψ(i-j)/ψ(i): what one step along changes.
local function ratio(i, j) return ψ[i - j] / ψ[i] end
table.insert(verdicts, prove(ratio(i + 1, j + 1) - ratio(i, j),
  ψ[i - j] * (ψ[i] - ψ[i + 1]) / (ψ[i] * ψ[i + 1]), {caption = {en = "FIRE: what a step changes", zh = "FIRE：移一步带来的改变"}}))
-- CoPE reads its table at the sum of the gates from j to i.
local function count(i, j) return sum(γ[l], l, j, i) end
local step = count(i + 1, j + 1) - count(i, j)
table.insert(verdicts, prove(step, γ[i + 1] - γ[j], {caption = {en = "CoPE: a step adds one gate and drops one", zh = "CoPE：移一步，添一个门，去一个门"}}))
table.insert(verdicts, fails(prove(ratio(i + 1, j + 1), ratio(i, j)), {en = "FIRE beyond L depends on i - j only", zh = "超过 L 之后，FIRE 只依赖 i - j"}))
table.insert(verdicts, fails(prove(step, 0), {en = "CoPE depends on i - j only", zh = "CoPE 只依赖 i - j"}))
return verdicts

-- %% [markdown] ref="slopes" lang="en"
-- ## Exercise: slopes
-- ALiBi's slopes for $H$ heads, $H$ a power of 2, fall by the same factor from head to head. The first slope is this factor itself, and the last one is
-- $2^{-8}$, whatever $H$ is. Write `slopes(H)`: the slopes as an array.

-- %% [markdown] ref="slopes" lang="zh"
-- ## 练习：斜率
-- ALiBi 有 $H$ 个头（$H$ 是 2 的幂）时，斜率从一个头到下一个头按同一个因子递减。第一个斜率就是这个因子；不论 $H$ 是多少，最后一个总是 $2^{-8}$。
-- 写一个函数 `slopes(H)`：返回这些斜率（数组）。

-- %% role="exercise" ref="slopes" points=1
function slopes(H)
  --- BEGIN SOLUTION
  return 2 ^ (-8 * range(1, H) / H)
  --- END SOLUTION
end

-- %% role="hint" ref="slopes" lang="en"
-- `range(1, H)` are the numbers of the heads.

-- %% role="hint" ref="slopes" lang="zh"
-- `range(1, H)` 就是各个头的编号。

-- %% role="hint" ref="slopes" lang="en"
-- For 8 heads: ½, ¼, …, 1/256. The last slope is always $2^{-8}$.

-- %% role="hint" ref="slopes" lang="zh"
-- 8 个头时是 ½、¼、…、1/256。最后一个总是 $2^{-8}$。

-- %% role="check" ref="slopes"
local got = slopes(4)
feedback(not same(got, 2 ^ (-8 * range(0, 3) / 4)), {
  en = "The first slope came out as 1: heads count from 1 here.",
  zh = "第一个斜率成了 1：这里头从 1 数起。",
})
feedback(not same(got, 2 ^ (-1 * range(1, 4))), {
  en = "These are the slopes of 8 heads. With 4 heads they fall faster: the last is always 1/256.",
  zh = "这是 8 个头的斜率。4 个头时降得更快：最后一个总是 1/256。",
})
feedback(same(got, alibi_slopes(4), {what = "slopes(4)"}))
--- BEGIN HIDDEN TESTS
for _, H in ipairs {1, 2, 16} do feedback(same(slopes(H), alibi_slopes(H), {what = ("slopes(%d)"):format(H)})) end
--- END HIDDEN TESTS

-- %% role="wrong" ref="slopes" expect="heads count from 1"
function slopes(H) return 2 ^ (-8 * range(0, H - 1) / H) end

-- %% role="wrong" ref="slopes" expect="slopes of 8 heads"
function slopes(H) return 2 ^ (-1 * range(1, H)) end

-- %% [markdown] ref="diagonals" lang="en"
-- ## Along the diagonals
-- Now the scores of 600 equal words, in numbers. Entries on one diagonal differ by no more
-- than rounding, also those of KERPLE, of TENER (Yan and others, 2019, related to Transformer-XL) and of FIRE up to its $L = 512$. What
-- lies beyond, and what one different word does to CoPE, is printed. The pictures show 24 words (RoPE belongs to the next lesson). *Predict:* in which one do the stripes break?

-- %% [markdown] ref="diagonals" lang="zh"
-- ## 沿着对角线
-- 再用数来看 600 个相同的词的打分：同一条对角线上的数只差舍入，KERPLE 和 TENER（Yan 等人，2019，与 Transformer-XL 相近）也如此，
-- FIRE 则到 $L = 512$ 为止。再往后怎样，一个不同的词对 CoPE 有何影响，都印在下面。图中是 24 个词（RoPE 见下一课）。*先猜一猜*：哪幅的条纹会断？

-- %% ref="diagonals"
local g = rng(9)
local x = ones(600, 1) * randn(g, 1, 8)
local function table_of(n) return randn(g, n, 8) end
local u1, v1, w1, b1 = randn(g, 8), randn(g, 8), randn(g, 32), randn(g, 32)
local scores = {
  shaw = shaw(x, x, table_of(9)),
  transformer_xl = transformer_xl(x, x, table_of(8), u1, v1),
  deberta = deberta(x, x, table_of(16), table_of(16)),
  tener = tener(x, x, u1, v1),
  alibi = alibi(8, 600)[1],
  kerple = kerple(600, {kind = "log", r1 = 1, r2 = 1})[1],
  fire = fire(w1, b1, randn(g, 32, 1), zeros(1), 600)[1],
}
local checks = {}
-- No vector of the tables is longer than 10: (|q| + |u|)(|k| + |r|).
local size = (norm(x[1]) + 10) ^ 2
local written = {shaw = "Shaw", transformer_xl = "Transformer-XL", deberta = "DeBERTa", tener = "TENER"}
local function constant(name, A)
  local _, spread = relativity_deviation(A)
  name = written[name] or name
  checks[#checks + 1] = measure {
    claim = {en = name .. ": entries on one diagonal are the same", zh = (name:gsub(", up to position", "，到位置")) .. "：同一对角线上的数都相同"},
    value = spread, bound = 64 * u * size,
    why = says{en = "at most 32 terms in any order: 32u of their sizes, twice", zh = "至多 32 项，次序任意：各项大小的 32u，两遍"},
  }
end
for _, name in ipairs {"shaw", "transformer_xl", "deberta", "tener"} do
  constant(name, scores[name])
end
constant("ALiBi", scores.alibi)
constant("KERPLE", scores.kerple)
constant("FIRE, up to position 511", scores.fire[{ {1, 512}, {1, 512} }])
local _, spread = relativity_deviation(scores.fire)
local function tell(what, spread)
  print(says{en = "%-26s entries differ by up to %.2g", zh = "%s元素最多相差 %.2g"}:format(says(what), spread))
end
tell({en = "FIRE, up to position 599:", zh = "FIRE，到位置 599："}, spread)
local words, vectors = x[{ {1, 12}, {} }]:copy(), table_of(13)
local function unequal(words)
  local S = tril(cope(words, words, vectors, {content = false}))
  return select(2, relativity_deviation(S, {causal = true}))
end
tell({en = "CoPE, equal words:", zh = "CoPE，词全相同："}, unequal(words))
words[4] = -1 * words[4]
tell({en = "CoPE, one word different:", zh = "CoPE，有一个词不同："}, unequal(words))
-- What a causal mask hides is missing.
local T = 24
local same, other = x[{ {1, T}, {} }], x[{ {1, T}, {} }]:copy()
other[12] = -1 * other[12]
local turned = matmul(rope(same, {layout = "half"}), rope(same, {layout = "half"}).T) / sqrt(8)
local biased = matmul(same, same.T) / sqrt(8) + alibi(4, T)[1]
local counted = cope(other, other, table_of(T + 1), {content = false})
local shown = {columns = 3}
for i, s in ipairs {{"RoPE", turned}, {"ALiBi", biased}, {says{en = "CoPE, one word differs", zh = "CoPE，一个词不同"}, counted}} do
  shown[i] = heatmap(where(causal_mask(T), s[2], nan), {title = s[1]})
end
display(panels(shown))
return checks

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- The stripes of RoPE and ALiBi were whole. Those of CoPE broke at the word that differs.
--
-- *Slopes.* ALiBi's slopes for $H$ heads are $2^{-8h/H}$, $h = 1, \dots, H$, when $H$ is a power of 2. For 12 heads the released code takes
-- those of 8 and every second one of 16; the plain formula gives others. Weights that are run with the other set get biases for which they were not trained.
--
-- *Few bits.* In bf16 the biases of 2048 keys at slope ½ are 641 different numbers: far keys share theirs.
--
-- *Direction.* Widely used code for Shaw's form takes $i-j$ where the paper has $j-i$, and does not clip: beyond its table it
-- fails. T5 in both directions and T5 in a decoder cut distances differently.
--
-- *No encoding at all.* With a causal mask alone (NoPE) a model can still tell first from last. Where all words look alike, word
-- $m$ gives each of the $m$ words that it sees the weight $1/m$, so a mark on the first word is diluted more and more.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- 刚才的图里，RoPE 与 ALiBi 的条纹是完整的；CoPE 的条纹，断在那个不同的词那里。
--
-- *斜率*。$H$ 是 2 的幂时，ALiBi 的斜率是 $2^{-8h/H}$，$h = 1, \dots, H$。12 个头时，公布的代码取 8 个头的斜率，
-- 再加上 16 个头的斜率里隔一个取一个；照搬公式得到的是另一组，训练时权重没有见过这样的偏置。
--
-- *位数太少*。斜率 ½ 时，2048 个键的偏置在 bf16 里只剩 641 个不同的数：远处的键只好合用同一个偏置。
--
-- *方向*。Shaw 形式的常用代码取 $i-j$，论文则是 $j-i$；它也不截断，超出表就出错。T5 在双向与解码器里，距离的切法不同。
--
-- *什么编码也不用*。只有因果掩码（NoPE），模型照样分得清先后：若各个词看上去都一样，第 $m$ 个词给它看得见的 $m$ 个词各 $1/m$ 的权重，
-- 于是第一个词上的记号越往后越淡。

-- %% ref="practice"
local slopes = alibi_slopes(12)
print(says{en = "12 heads:     ", zh = "12 个头："}, slopes)
print(says{en = "plain formula:", zh = "直接套公式："}, 2 ^ (-8 * range(1, 12) / 12))
local of8, of16 = 2 ^ (-1 * range(1, 8)), 2 ^ (-1 * range(1, 16) / 2)
local released = concat({of8, of16[{ {1, 7, 2} }]}, 1)
local bias = sort(quantize(-0.5 * range(0, 2047), "bf16"))
local steps = ne(bias[{ {2, 2048} }], bias[{ {1, 2047} }])
local different = 1 + sum(steps)
print(says{en = "different biases of 2048 in bf16: %d", zh = "2048 个偏置在 bf16 里不同的有 %d 个"}:format(different))
local x = ones(4, 3)
local _, said = pcall(shaw, x, x, ones(5, 3), {variant = "bert"})
print(says{en = said:gsub("^.-%.lua:%d+: ", ""):gsub("; ", ";\n  "),
  zh = ("shaw 报错：距离 %s 不在表中；\n  表有 %s 行，只到 %s，也不截断"):format(said:match "distance of (%d+) .-(%d+) rows reach to (%d+)")})
-- The first word is marked by a 1: how much of it each word takes in.
local weights = attention_weights(x, x, {bias = nope(4)})
local share = matmul(weights, array{1, 0, 0, 0})
print(says{en = "NoPE, the share of the first word:", zh = "NoPE，第一个词所占的权重："}, share)
return {
  measure {claim = {en = "12 heads have the slopes of 8, and every second one of 16", zh = "12 个头的斜率，是 8 个头的，加上 16 个头中隔一个取的"},
           value = slopes / released - 1, bound = 4 * u,
           why = says{en = "powers of 2", zh = "都是 2 的幂"}},
  -- 8 bits: halves below 128, then three octaves of 128, and 2048/2 itself
  measure {claim = {en = "there are 256 + 3 · 128 + 1 different biases", zh = "不同的偏置共有 256 + 3 · 128 + 1 个"},
           value = different - (256 + 3 * 128 + 1), bound = 0,
           why = says{en = "counted", zh = "数出来的"}},
  measure {claim = {en = "NoPE: at word m the first word's share is 1/m", zh = "NoPE：在第 m 个词处，第一个词所占的权重是 1/m"},
           value = share - 1 / range(1, 4), bound = 4 * u,
           why = says{en = "equal weights: ones, a division, and 1/m again", zh = "权重相等：若干个 1、一次除法，再乘 1/m"}},
}

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- All of these put the distance into the score: as vectors (Shaw, DeBERTa), as sinusoids with free vectors (Transformer-XL, XLNet, TENER), or as one number
-- (T5, ALiBi, KERPLE). They replace the absolute terms and do not approximate them. Which one is good for what? One number costs least, and goes on beyond the trained length as
-- its formula says; vectors can say more, and a table ends at $K$.
--
-- All of them work on the matrix of scores, so fused kernels such as FlashAttention have to support them. The lesson `rope` reaches the same by turning queries and keys, without touching the score.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 这些办法都把距离放进打分里：或用向量（Shaw、DeBERTa），或用正弦加自由向量（Transformer-XL、XLNet、TENER），
-- 或只用一个数（T5、ALiBi、KERPLE）。它们换掉了绝对位置的那几项，并不是近似。
-- 怎么选？一个数最省，超出训练长度时照公式外推；向量表达得更多，但表只到 $K$ 为止。
--
-- 它们都要改动打分矩阵，所以 FlashAttention 一类的融合算子必须专门支持。`rope` 一课则靠转动查询与键达到同样的目的，打分本身不用动。

-- %% [markdown] ref="xl" lang="en" part="appendix"
-- ## Transformer-XL and XLNet: replaced, not approximated
-- Transformer-XL writes $R_{i-j}$, sinusoids of the distance, for $p_j$, and free vectors $u$, $v$ for $p_iW^Q$. The study notes join the lines with $\approx$; the
-- papers do not. Read as an approximation, the step is wrong. Take $p_i$ twice as large, and the old term doubles while the new one does not move. The difference of the
-- two at $c\,p_i$ is $c$ times the old term less the new one, and has no bound. It is another model, chosen in place of the first.
--
-- The study notes' first line of this kind has $u\,W^Q$, the next one, named XLNet, a free $u$ and $W^{K,R}$, as the papers have. Is the step between the two a
-- change? Whatever $uW^Q$ can do a free $u$ can: put $u' = uW^Q$.
-- Conversely, the rows that $u\,W^Q(W^K)^\top$ can reach are among those that $w(W^K)^\top$ reaches with a free $w$, and a subspace is
-- the whole when its dimension is. So the two models are the same exactly when
--
-- $$\mathrm{rank}(W^Q(W^K)^\top) = \mathrm{rank}(W^K)$$
--
-- An invertible $W^Q$ will do. With $W^Q$ of rank 1 and $W^K$ of rank 2, below, an entry of the row is lost; with both
-- of rank 1 nothing is lost, although $W^Q$ has no inverse. XLNet scores as Transformer-XL does and adds a term for
-- segments.

-- %% [markdown] ref="xl" lang="zh" part="appendix"
-- ## Transformer-XL 与 XLNet：是替换，不是近似
-- Transformer-XL 用距离的正弦编码 $R_{i-j}$ 代替 $p_j$，用自由向量 $u$、$v$ 代替 $p_iW^Q$。学习笔记在各行之间写的是 $\approx$。
-- 其实这不是近似：把 $p_i$ 放大一倍，旧的一项随之加倍，新的一项却不变；换成 $c\,p_i$，两者之差就是旧项的 $c$ 倍减去新项，没有界。
-- 这是另选的一个模型，取代了原来的。
--
-- 这类式子，学习笔记先写的是 $u\,W^Q$；下一行标为 XLNet，才是自由的 $u$ 和 $W^{K,R}$，与论文一致。
-- 两行之间有变化吗？$uW^Q$ 能做到的，自由的 $u$ 都能做到：令 $u' = uW^Q$ 即可。反过来，$u\,W^Q(W^K)^\top$
-- 取得到的行，都在自由的 $w$ 使 $w(W^K)^\top$ 取得到的行之中，而一个子空间只有维数相同，才等于整个空间。所以当且仅当
--
-- $$\mathrm{rank}(W^Q(W^K)^\top) = \mathrm{rank}(W^K)$$
--
-- 时，两者才是同一个模型。$W^Q$ 可逆就够了。下面的例子里，$W^Q$ 的秩为 1、$W^K$ 的秩为 2 时，丢掉了一个分量；两者的秩都是 1 时，
-- 尽管 $W^Q$ 不可逆，却什么也没丢。XLNet 的打分与 Transformer-XL 相同，只是多出一项用于片段。

-- %% ref="xl" claim="pe/transformer-xl"
local WQ, WK = symmatrix("Q", 2, 2), symmatrix("K", 2, 2)
local u_, w, c = symmatrix("u", 1, 2), symmatrix("w", 1, 2), sym "c"
local old, new = form(pi_, xj), form(u_, xj)
local grown = form(c * pi_, xj) - new -- the difference at c p_i
local function row(w, Q, K) return matmul(matmul(w, Q), K.T) end
local adjugate = matrix {{WQ(2, 2), -WQ(1, 2)}, {-WQ(2, 1), WQ(1, 1)}}
local one, I2 = matrix {{1, 0}, {0, 0}}, matrix {{1, 0}, {0, 1}}
-- WK of rank 1: a column times a row. Then only WQ h' counts.
local column, h = symmatrix("g", 2, 1), symmatrix("h", 1, 2)
local thin, seen = matmul(column, h), matmul(WQ, h.T)
local tall, wide, v = symmatrix("A", 3, 2), symmatrix("B", 3, 2), symmatrix("v", 1, 3) -- model width 3, head width 2
-- Is every row of A, a matrix like B, among those that B reaches?
local function reaches(B, A)
  local rows = {}
  for _, M in ipairs {B, A} do
    for i = 1, M.rows do
      local r = {}
      for j = 1, M.cols do r[j] = M(i, j) end
      rows[#rows + 1] = r
    end
  end
  return rank(matrix(rows)) == rank(B)
end
-- How many pairs; in how many all is reached; in how many the ranks are equal; in how many both are so, or neither.
local function counted(pairs_of)
  local n, reached, equal, agree = 0, 0, 0, 0
  for Q, K in pairs_of do
    local product = matmul(Q, K.T)
    local all, same = reaches(product, K.T), rank(product) == rank(K)
    n, reached, equal = n + 1, reached + (all and 1 or 0), equal + (same and 1 or 0)
    agree = agree + (all == same and 1 or 0)
  end
  return {n, reached, equal, agree}
end
local function each_pair() -- of 2 x 2 matrices of 0 and 1, by the eight digits of a number to the base 2
  for number = 0, 255 do
    local function digit(place) return number >> place & 1 end
    coroutine.yield(matrix {{digit(0), digit(1)}, {digit(2), digit(3)}}, matrix {{digit(4), digit(5)}, {digit(6), digit(7)}})
  end
end
local function any_pair() -- model width 3 to 5, head width 1 to 3; products of factors, so that every rank occurs
  local g = rng(2)
  local function draw(m, n)
    local rows = {}
    for i = 1, m do
      rows[i] = {}
      for j = 1, n do rows[i][j] = g:below(3) - 1 end
    end
    return matrix(rows)
  end
  for _ = 1, 300 do
    local D, d = 3 + g:below(3), 1 + g:below(3)
    local function weights()
      local r = 1 + g:below(d)
      return matmul(draw(D, r), draw(r, d))
    end
    coroutine.yield(weights(), weights())
  end
end
local small, larger = counted(coroutine.wrap(each_pair)), counted(coroutine.wrap(any_pair))
local function told(counts, texts) -- a figure each
  local out = {}
  for i, name in ipairs {
    {en = "pairs of a W^Q and a W^K", zh = "W^Q 与 W^K 的对数"},
    {en = "those where all that a free vector reaches is reached through W^Q", zh = "其中自由的向量取得到的、经 W^Q 也都取得到的"},
    {en = "those where the product has the rank of W^K", zh = "其中乘积与 W^K 秩相同的"},
    {en = "those where both are so, or neither", zh = "两者同时成立或同时不成立的"},
  } do
    out[i] = figure({en = texts.en .. ": " .. name.en, zh = texts.zh .. "：" .. name.zh}, counts[i], texts[i])
  end
  return out
end
return {
  written = named({en = "the new term is the old one", zh = "新的一项等于旧的一项"}, prove(old, new)),
  mended = {
    named({en = "at c times the position they differ by c times the old term, less the new one: no bound", zh = "位置放大 c 倍，两者之差是旧项的 c 倍减去新项：没有界"},
          prove(grown, c * old - new)),
    mutants(grown, c * old - new),
    -- u' = u WQ: what u WQ can do, a free u can
    named({en = "what is reached through W^Q a free vector reaches: model width 3, head width 2", zh = "经 W^Q 取得到的，自由的向量都取得到：模型宽度 3、头维度 2"},
          prove(matmul(v, matmul(tall, wide.T)), row(v, tall, wide))),
    -- WK of rank 2: the ranks are equal when det WQ is not 0; then u = w adj(W^Q)/det WQ reaches what w does
    named({en = "the product's determinant is the product of the determinants", zh = "乘积的行列式等于行列式的乘积"}, prove(det(matmul(WQ, WK.T)), det(WQ) * det(WK))),
    named({en = "the adjugate undoes W^Q, up to its determinant: if that is not 0, all is reached", zh = "伴随矩阵抵消 W^Q，只差行列式：它不为 0，就全都取得到"},
          prove(row(matmul(w, adjugate), WQ, WK), det(WQ) * matmul(w, WK.T))),
    -- and when it is 0, u WQ obeys an equation that a free w does not
    named({en = "u through W^Q, then through its adjugate, is u times the determinant: 0 without an inverse",
           zh = "u 先经 W^Q、再经它的伴随矩阵，得行列式乘 u：W^Q 不可逆时为 0"},
          prove(matmul(matmul(u_, WQ), adjugate), det(WQ) * u_)),
    fails(prove(matmul(w, adjugate)(1, 1), 0), {en = "so is a free vector through the adjugate", zh = "自由的向量经伴随矩阵也得 0"}),
    -- WK = g h of rank 1: W^Q W^K' = (W^Q h') g' is 0 or of rank 1; when s = W^Q h' is not 0, u = (w h') s'/(s's) reaches what w does
    named({en = "W^K of rank 1, a column times a row: so is the product, or it is 0", zh = "W^K 的秩为 1，是一列乘一行：乘积也是，或者为 0"},
          prove(matmul(WQ, thin.T), matmul(seen, column.T))),
    named({en = "W^K of rank 1: all is reached, unless W^Q makes its row 0", zh = "W^K 的秩为 1：只要 W^Q 不把它的行变成 0，就全都取得到"},
          prove(row(matmul(w, h.T)(1) * seen.T, WQ, thin), matmul(seen.T, seen)(1) * matmul(w, thin.T))),
    fails(prove(matmul(w, thin.T)(1, 1), 0), {en = "W^K of rank 1: a free vector reaches 0 only", zh = "W^K 的秩为 1：自由的向量只取得到 0"}),
    -- the same, counted
    told(small, {en = "all 2 x 2 matrices of 0 and 1", zh = "元素为 0、1 的全部 2 x 2 矩阵", "256", "169", "169", "256"}),
    told(larger, {en = "drawn, model width 3 to 5, head width 1 to 3", zh = "随机抽取，模型宽度 3 到 5、头维度 1 到 3", "300", "193", "193", "300"}),
    -- WQ of rank 1, WK of rank 2: the second entry is lost
    named({en = "W^Q of rank 1, W^K of rank 2: the product has rank 1", zh = "W^Q 秩为 1、W^K 秩为 2：乘积的秩是 1"}, prove(rank(matmul(one, I2.T)), 1)),
    named({en = "that W^K has rank 2", zh = "该 W^K 的秩是 2"}, prove(rank(I2), 2)),
    named({en = "through that W^Q the second entry of the row is 0", zh = "经这个 W^Q，行的第二个分量是 0"}, prove(row(u_, one, I2)(1, 2), 0)),
    fails(prove(matmul(w, I2.T)(1, 2), 0), {en = "with a free vector the second entry is 0", zh = "用自由的向量，第二个分量也是 0"}),
    -- both of rank 1: WQ is not invertible, and nothing is lost
    named({en = "both of rank 1, as here: the product has the rank of W^K", zh = "两者秩都是 1，如这里所取：乘积与 W^K 秩相同"}, prove(rank(matmul(one, one.T)), rank(one))),
    named({en = "and W^Q changes no row: nothing is lost", zh = "而且 W^Q 不改变任何一行：什么也没丢"}, prove(row(w, one, one), matmul(w, one.T))),
  },
}

-- %% [markdown] ref="shift" lang="en"
-- ## The shift trick
-- Products with $R_{i-j}$ for all pairs would take $n^2$ vectors again. Transformer-XL multiplies each query with the
-- $n$ vectors $R_{n-1}, \dots, R_0$ and then *shifts* row $i$ into place: put a column of zeros in front, read the
-- same numbers in rows of $n$ instead of $n+1$, drop the first row. On and below the diagonal that is the same as
-- looking up. Above it stand wrong numbers, the zero and then the beginning of the next row: a causal mask hides them;
-- without one the scores are wrong.

-- %% [markdown] ref="shift" lang="zh"
-- ## 平移技巧
-- 若为每一对都算与 $R_{i-j}$ 的乘积，又要 $n^2$ 个向量。Transformer-XL 让每个查询只与 $R_{n-1}, \dots, R_0$ 这 $n$ 个向量相乘，
-- 再把第 $i$ 行*平移*到位：在前面补一列零，把同样这些数从每行 $n+1$ 个改成每行 $n$ 个来读，再去掉第一行。
-- 对角线及其下方，结果与直接查找相同；上方的数则是错的，先是补上的零，接着是下一行的开头：因果掩码遮得住；没有掩码，打分就错了。

-- %% ref="shift" claim="pe/xl-relshift"
-- Entry (i, j): query i at distance i - j, which is column n - (i - j).
local function by_lookup(P)
  local n = P.shape[1]
  local S = zeros(n, n)
  for i = 1, n do for j = 1, i do S[{i, j}] = P(i, n - (i - j)) end end
  return S
end
local function triangle(g)
  local P = randn(g, 7, 7)
  return max(abs(tril(rel_shift(P)) - by_lookup(P)))
end
local P = reshape(range(1, 9), 3, 3)
local S = rel_shift(P)
local padded = concat({zeros(3, 1), P}, 2)
print(padded)
print(S) -- above the diagonal: the padding 0, and 4 of the next query
-- Three queries (1, 0), and R_t = (sin t, cos t): the score is sin t / √2.
local v, none = array{1, 0}, zeros(2)
local direct = transformer_xl(zeros(3, 2), zeros(3, 2), eye(2), none, v)
local R = sinusoidal(array{2, 1, 0}, 2)
local products = matmul(ones(3, 1) * reshape(v, 1, 2), R.T) / sqrt(2)
local shifted = rel_shift(products)
local i, j = 1, 2
return {
  measure {claim = {en = "on the causal triangle, shifting and looking up give the same", zh = "在因果三角形上，平移与查找结果相同"},
           f = triangle, samples = 20, seed = 4, bound = 0,
           why = says{en = "numbers are moved, not computed", zh = "数只是挪动，没有计算"}},
  measure {claim = {en = "so does `transformer_xl`, on that triangle", zh = "`transformer_xl` 在该三角形上也相同"},
           value = tril(shifted) - tril(direct), bound = 4 * u,
           why = says{en = "one product with 1, one division by the root of 2", zh = "乘一次 1，除一次 2 的平方根"}},
  measure {claim = {en = "the padded numbers, read in rows of 3 from the second row on, are the shifted ones", zh = "补零后按每行 3 个来读，去掉第一行，就是平移的结果"},
           value = reshape(padded, 4, 3)[{ {2, 4}, {} }] - S, bound = 0,
           why = says{en = "numbers are moved", zh = "数只是挪动"}},
  measure {claim = {en = "above it stand the padding 0, then a product of query 2", zh = "其上方先是补上的 0，然后是查询 2 的一个乘积"},
           value = {S(1, 2), S(1, 3) - P(2, 1)}, bound = 0,
           why = says{en = "numbers are moved", zh = "数只是挪动"}},
  measure {claim = {en = ("at (%d, %d), distance -1, the shift is off by sin 1/√2"):format(i, j), zh = ("(%d, %d) 处，距离 -1，平移法差 sin 1/√2"):format(i, j)},
           value = shifted(i, j) - direct(i, j) - sin(1) / sqrt(2),
           bound = 4 * u, why = says{en = "a sine, a root, a division, twice", zh = "一个正弦、一个平方根、一次除法，两遍"}},
}

-- %% [markdown] ref="deberta-v2" lang="en"
-- ## DeBERTa-v2: far distances by their logarithm
-- With $K$ rows a side, every distance from $K$ on looks like $K$. The second version keeps single rows only up to
-- $E = K/2$ and spreads the other half over the distances up to $M-1$, by their logarithm:
--
-- $$b(x) = E + \left\lceil (E-1)\,\frac{\ln(x/E)}{\ln((M-1)/E)} \right\rceil \qquad (x > E)$$
--
-- so that $b(M-1) = K-1$; $\delta$ then takes $b$ in place of the distance. In whole numbers, $b(x) - E$ is the
-- least $k$ with $x^{E-1} E^k \le (M-1)^k E^{E-1}$. Below, queries of 1 meet rows that hold their own number.

-- %% [markdown] ref="deberta-v2" lang="zh"
-- ## DeBERTa-v2：远距离按对数分桶
-- 每侧 $K$ 行时，从 $K$ 起的距离看起来都一样。第二版只给到 $E = K/2$ 为止的距离各留一行，另一半的行按对数分给直到 $M-1$ 的距离：
--
-- $$b(x) = E + \left\lceil (E-1)\,\frac{\ln(x/E)}{\ln((M-1)/E)} \right\rceil \qquad (x > E)$$
--
-- 于是 $b(M-1) = K-1$；$\delta$ 里原来放距离的地方换成 $b$。用整数来说，$b(x) - E$ 是满足
-- $x^{E-1} E^k \le (M-1)^k E^{E-1}$ 的最小的 $k$。检验时取查询为 1，表的每一行存着自己的编号。

-- %% ref="deberta-v2"
local K, M, far = 8, 16, 24
local E = K // 2
local function b(x)
  local k = 1
  if x <= E then return x end
  while x ^ (E - 1) * E ^ k > (M - 1) ^ k * E ^ (E - 1) do k = k + 1 end
  return math.min(E + k, K)
end
local row = reshape(range(0, 2 * K - 1), 2 * K, 1)
local seen = sqrt(3) * deberta(ones(1, 1), zeros(far + 1, 1), 0 * row, row,
                               {max_distance = M, offset = far})
local worst = 0
for x = 0, far do
  local wanted = math.min(K + b(x), 2 * K - 1)
  worst = math.max(worst, math.abs(seen(1, far + 1 - x) - wanted))
end
return measure {claim = {en = "for distances 0 to 24 DeBERTa-v2 looks up the row of the formula", zh = "距离 0 到 24 时，DeBERTa-v2 查的行与公式一致"},
                value = worst, bound = 4 * u * 2 * K,
                why = says{en = "a root, a division, a product, of rows below 2 K", zh = "一个平方根、一次除法、一个乘积，行小于 2 K"}}

-- %% [markdown] ref="forms" lang="en"
-- ## The same as the functions?
-- A proof about formulas says nothing about programs until the two are held against each other. With one column each
-- and one and the same word everywhere the laboratory's functions must give, for every pair, the number that the
-- formula gives when the same tables are put in. And where CoPE's table holds the positions themselves, its score is
-- the query times the sum of the gates.

-- %% [markdown] ref="forms" lang="zh"
-- ## 与函数是一回事吗？
-- 证明的是公式；程序是不是这个公式，要对照过才知道。只取一列，处处用同一个词：把同样的表代入公式，
-- 每一对位置算出的数，必须与实验室里的函数给出的相同。至于 CoPE，若表里存的就是位置本身，打分便是查询乘以各个门之和。

-- %% ref="forms"
local g, n = rng(13), 7
local x = rand(g) + 1
local words = x * ones(n, 1)
local a, numbers = randn(g, 2 * n + 1), randn(g, 32)
local near, far = randn(g, 2 * n), randn(g, 2 * n)
local u1, v1, W = randn(g, 1), randn(g, 1), randn(g, 2, 1)
local T = {q = x, k = x, a = {}, near = {}, far = {}, β = {},
           u = u1(1), v = v1(1), r = W(1, 1), c = W(2, 1), θ = 1,
           slope = alibi_slopes(1)(1)}
for t = -n + 1, n - 1 do
  local at = t + n + 1
  T.a[t], T.near[t], T.far[t] = a(at), near(at), far(at)
  local bucket = t5_bucket(t, {direction = "both"})
  T.β[t] = numbers(math.tointeger(bucket) + 1)
end
local function column(v) return reshape(v, v.size, 1) end
local product = matmul(words, words.T)
local got = {
  shaw = shaw(words, words, column(a)),
  transformer_xl = transformer_xl(words, words, W, u1, v1),
  deberta = deberta(words, words, column(far), column(near)) * sqrt(3),
  t5 = product + t5(column(numbers), n, {direction = "both"})[1],
  alibi = product + alibi(1, n)[1],
}
local names = {"shaw", "transformer_xl", "deberta", "t5", "alibi"}
local checks = {}
for _, name in ipairs(names) do
  local off = {}
  for i = 1, n do
    for j = 1, n do
      off[#off + 1] = got[name](i, j) - forms[name](T, i, j)
    end
  end
  local size = max(abs(got[name])) + (x + 8) ^ 2 -- no entry exceeds 4
  checks[#checks + 1] = measure {
    claim = {en = ("`%s` gives the numbers of its formula"):format(name), zh = ("`%s` 与公式代入数后的值一致"):format(name)},
    value = off, bound = 24 * u * size,
    why = says{en = "three products and sums, a root, a sine of up to 6: 12u a side", zh = "三个乘积与和、一个平方根、不超过 6 的正弦：每边 12u"},
  }
end
-- CoPE, where the table holds the positions themselves: q times the gates.
local y = randn(g, n, 1)
local counted = cope(y, y, column(range(0, n)), {content = false})
local off = {}
for i = 1, n do
  for j = 1, i do
    local gates = 0
    for l = j, i do gates = gates + 1 / (1 + exp(-y(i, 1) * y(l, 1))) end
    off[#off + 1] = counted(i, j) - y(i, 1) * gates
  end
end
checks[#checks + 1] = measure {
  claim = {en = "`cope` gives the query times the sum of the gates", zh = "`cope` 就是查询乘以各个门之和"},
  value = off, bound = 2 * 4 * (n + 8) * n * u,
  why = says{en = "n gates below 1 off by 8u, their sum by nu; q below 4; twice", zh = "n 个小于 1 的门控值各差 8u，其和差 nu；q 小于 4；两遍"},
}
return checks

-- %% [markdown] ref="clipping" lang="en"
-- ## The study notes' first program
-- This program is meant to compute Shaw's score. Run line by line as printed, it has four faults. First, both position arrays are turned
-- into columns with `view(-1, 1)`, so that their difference compares position $i$ with position $i$: every distance is 0,
-- and with more keys than queries, or fewer, there is an error. Second, `matmul` of the queries with the vectors is not the sum
-- over columns that is wanted. Third, nothing clips. Fourth, the vectors for values, $b$ above and $a^V$ in the paper, do not occur.

-- %% [markdown] ref="clipping" lang="zh"
-- ## 学习笔记的第一个程序
-- 这个程序想算的是 Shaw 的打分。照原样逐行运行，有四处错误。一、两个位置数组都用 `view(-1, 1)` 变成了列，相减时是位置 $i$ 减位置 $i$，
-- 所以距离全是 0；查询与键的个数不同时，程序直接报错。二、查询与相对位置向量之间用了 `matmul`，而这里需要的是逐列相乘再求和。
-- 三、距离没有截断。四、加在值上的向量（上文的 $b$，论文里的 $a^V$）根本没有出现。

-- %% ref="clipping" claim="pe/relative-snippet-1"
local MAX, d, L, K = 6, 4, 5, 2
local g = rng(10)
local distance_embedding = randn(g, 2 * MAX - 1, d)
-- view(-1, 1)
local function column(n) return reshape(range(0, n - 1), n, 1) end
local function distances(nq, nk) return column(nq) - column(nk) end
local function embedded(distance) -- rows by index, (…, d)
  return take(distance_embedding, distance + MAX)
end
-- Corrected: one column and one row, clipped; products summed over columns;
-- and both tables.
local function corrected(q, k, v, table_k, table_v)
  local n = q.shape[1]
  local distance = range(0, n - 1) - column(n) -- key minus query
  local row = maximum(minimum(distance, K), -K) + K + 1
  local aK, aV = take(table_k, row), take(table_v, row) -- (n, n, d)
  local e = (matmul(q, k.T) + sum(reshape(q, n, 1, d) * aK, 3)) / sqrt(d)
  local α = softmax(e)
  return e, matmul(α, v) + sum(reshape(α, n, n, 1) * aV, 2)
end
local function drawn(g)
  local q, k, v = randn(g, L, d), randn(g, L, d), randn(g, L, d)
  return q, k, v, randn(g, 2 * K + 1, d), randn(g, 2 * K + 1, d)
end
-- Scores: off by δ; weights then by e^(2δ) and 2(2L+6)u; sums of L outputs.
local function limits(q, k, v, tk, tv)
  local function most(a, b) return max(matmul(abs(a), abs(b).T)) end
  local δ = 2 * (d + 4) * u * (most(q, k) + most(q, tk))
  local share = 2 * δ + 2 * (2 * L + 6) * u + 2 * (L + 4) * u
  return δ, 1.01 * share * (max(abs(v)) + max(abs(tv)))
end
local function scores(g)
  local q, k, v, tk, tv = drawn(g)
  return (corrected(q, k, v, tk, tv)) - shaw(q, k, tk), (limits(q, k, v, tk, tv))
end
local function outputs(g)
  local q, k, v, tk, tv = drawn(g)
  local _, z = corrected(q, k, v, tk, tv)
  local _, bound = limits(q, k, v, tk, tv)
  return z - shaw_values(softmax(shaw(q, k, tk)), v, tv), bound
end
local q, k, v, tk, tv = drawn(g)
local α, _, bound = softmax(shaw(q, k, tk)), limits(q, k, v, tk, tv)
local without = matmul(α, v) - shaw_values(α, v, tv)
local reason = says{en = "as derived for scores, weights and outputs", zh = "与打分、权重、输出的推导相同"}
local right = in_bounds {
  claim = {en = "the corrected program gives Shaw's outputs, but for rounding", zh = "更正后的程序，输出与 Shaw 的只差舍入"}, f = outputs, samples = 30, seed = 11,
  told = "1971.1", why = reason}
local scored = in_bounds {
  claim = {en = "and Shaw's scores", zh = "打分也是如此"}, f = scores, samples = 30, seed = 11, told = "195.12", why = reason}
local apart = column(L) - range(0, L - 1)
return {
  written = {
    measure {claim = {en = "the distances as printed are i - j", zh = "照原程序，距离就是 i - j"}, bound = 0,
             value = distances(L, L) - apart,
             why = says{en = "whole numbers", zh = "都是整数"}},
    figure({en = "all distances as printed, taken for one vector: its length", zh = "照原程序的所有距离排成一个向量，它的长度"}, norm(distances(L, L)), "0"),
    figure({en = "all distances of five words, added up in size", zh = "五个词时各距离的绝对值之和"}, sum(abs(apart)), "40"),
    runs({en = "the program runs with 5 queries and 7 keys", zh = "5 个查询、7 个键时程序能运行"}, distances, 5, 7),
    runs({en = "the matmul of the queries with the vectors runs", zh = "查询与向量的 matmul 能运行"},
         function() return matmul(q, embedded(distances(L, L))) end),
    runs({en = "distance 7 is found among 11 vectors", zh = "11 个向量里查得到距离 7"},
         function() return embedded(array{{7}}) end),
    measure {claim = {en = "the outputs are the same without the vectors for values", zh = "不要加在值上的向量，输出也一样"},
             value = without, bound = bound,
             why = says{en = "equal to rounding, if a^V did not matter", zh = "假如 a^V 不起作用，就只差舍入"}},
    figure({en = "by how much these outputs are off", zh = "这样的输出相差多少"}, max(abs(without)), "1.484"),
  },
  mended = {right, scored},
}

-- %% [markdown] ref="sinusoids" lang="en"
-- ## The study notes' second program
-- This one is meant to be Transformer-XL's score with sinusoids. It makes frequencies, multiplies them with
-- positions, and then forgets to take a sine or cosine: the "embedding" grows with the position. `outer` has its
-- arguments exchanged, so that frequencies are rows. `einsum` announces four axes for an array of three. And there is
-- no relative shift: column $j$ holds a distance, not a key.

-- %% [markdown] ref="sinusoids" lang="zh"
-- ## 学习笔记的第二个程序
-- 这个程序想算的是 Transformer-XL 带正弦的打分。它造了频率，与位置相乘，然后忘了取正弦或余弦：
-- 所谓“编码”随位置无限增长。`outer` 的两个参数写反了，频率成了行。`einsum` 里写的是四个轴，数组却只有三个。最后也没有相对平移：
-- 第 $j$ 列装的是某个距离，而不是某个键。

-- %% ref="sinusoids" claim="pe/relative-snippet-2"
local L, H, hidden = 6, 1, 8
local g = rng(12)
local position_ids = range(0, L - 1) * -1 + (L - 1) -- L-1 … 0
local inverse = 1 / 10000 ^ (range(0, hidden - 1, 2) / hidden)
-- Arguments exchanged, (hidden/2, L); and no sine taken.
local as_written = outer(inverse, position_ids)
local r = randn(g, hidden, hidden)
local q = randn(g, L, hidden)
-- einsum("ibnd,jbnd->bnij", A, B), one letter an axis: products, summed over the letters that the result lacks, of which there is one.
local function einsum(letters, A, B)
  local a, b, out = letters:match "^(%a+),(%a+)%->(%a+)$"
  local size = {}
  local function read(names, X)
    if X.ndim ~= #names then error(("einsum: %s names %d axes, the operand has %d"):format(names, #names, X.ndim), 0) end
    for axis = 1, #names do
      local c = names:sub(axis, axis)
      if size[c] and size[c] ~= X.shape[axis] then error(("einsum: %s is %d and %d"):format(c, size[c], X.shape[axis]), 0) end
      size[c] = X.shape[axis]
    end
  end
  read(a, A)
  read(b, B)
  local summed, shape = (a .. b):match("[^" .. out .. "]"), {}
  for c in out:gmatch "." do shape[#shape + 1] = size[c] end
  local function entry(names, X, at)
    local index = {}
    for c in names:gmatch "." do index[#index + 1] = at[c] end
    return X(table.unpack(index))
  end
  return fromfunction(function(...)
    local at, total = {}, 0
    for axis, i in ipairs {...} do at[out:sub(axis, axis)] = i end
    for s = 1, size[summed] do
      at[summed] = s
      total = total + entry(a, A, at) * entry(b, B, at)
    end
    return total
  end, shape)
end
local function by_einsum(q, embedding) return einsum("ibnd,jbnd->bnij", reshape(q, L, 1, H, hidden), embedding) end
-- Corrected: angles by position, sines and cosines side by side, products
-- over columns, and the shift.
local angles = outer(position_ids, inverse)
local R = concat({sin(angles), cos(angles)}, 2) -- (L, hidden), L-1 … 0
local products = matmul(q, matmul(R, r).T) / sqrt(hidden)
local none = zeros(hidden)
local lab = transformer_xl(q, zeros(L, hidden), r, none, none)
-- Entries of R r: 8 terms with angles up to 5 rounded three times,
-- (15 + 1 + 8)u; with q: 8 more, a root, a division: 34u, on both sides.
local size = max(matmul(abs(q), matmul(ones(L, hidden), abs(r)).T))
local rounding = 2 * 34 * u * size
return {
  written = {
    measure {claim = {en = "the entries of the embedding are sines, none above 1", zh = "编码的元素都是正弦，不超过 1"},
             value = max(as_written), bound = 1, why = says{en = "no sine exceeds 1", zh = "正弦不超过 1"}},
    runs({en = "a linear map of 8 columns can be applied to it", zh = "8 列的线性映射作用得上去"},
         function() return matmul(as_written, r) end),
    runs({en = "einsum runs with four axes named for three", zh = "三个轴却写了四个的 einsum 能运行"}, function() return by_einsum(q, reshape(zeros(L, hidden), L, H, hidden)) end),
    measure {claim = {en = "the products are the scores without a shift", zh = "不平移，乘积就是打分"},
             value = tril(products) - tril(lab), bound = rounding,
             why = says{en = "equal to rounding, if columns were keys", zh = "假如列是键，就只差舍入"}},
  },
  mended = {
    measure {claim = {en = "with a fourth axis einsum gives the products over columns", zh = "补上第四个轴，einsum 算出的就是按列的乘积"},
             value = by_einsum(q, reshape(matmul(R, r), L, 1, H, hidden))[1][1] / sqrt(hidden) - products,
             bound = rounding, why = says{en = "34u of the product of sizes, on either side", zh = "每边是大小之积的 34u"}},
    measure {claim = {en = "on the causal triangle the corrected program gives the scores", zh = "在因果三角形上，更正后的程序给出打分"},
             value = tril(rel_shift(products)) - tril(lab),
             bound = rounding,
             why = says{en = "34u of the product of sizes, on either side", zh = "每边是大小之积的 34u"}},
    figure({en = "rounding may account for so many units of u", zh = "舍入可造成的偏差合多少个 u"}, rounding * 2^53, "3367.3"),
    figure({en = "how far the shift moves a product", zh = "平移使乘积改变多少"}, max(abs(tril(products) - tril(lab))), "2.4146"),
  },
}
