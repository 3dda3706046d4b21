-- Why attention cannot see the order of its words, what breaks the symmetry, and what "relative" means.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="intro" lang="en"
-- # The order of words
-- *Dog bites man* is no news; *man bites dog* is. Three words, the same in both sentences: all the difference is in their
-- order. A model that reads must see it.
--
-- Attention does not. Below, each word is a vector of four random numbers, and one attention layer reads both sentences. Look
-- at what it makes of *bites*: the same four numbers, whoever bites.

-- %% [markdown] ref="intro" lang="zh"
-- # 词的次序
-- 狗咬人不是新闻，人咬狗才是。两句话用的是同样三个词，差别全在次序上。会读书的模型，必须看得见次序。
--
-- 注意力却看不见。下面每个词是四个随机数组成的向量，让一层注意力去读这两句话。看看它把“咬”变成了什么：
-- 不管谁咬谁，都是同样的四个数。

-- %% ref="intro"
local g = rng(7)
local dog, bites, man = randn(g, 4), randn(g, 4), randn(g, 4)
local function reading(a, b, c)
  local X = stack({a, b, c}, 1)
  return attention(X, X, X)
end
local told, news = reading(dog, bites, man), reading(man, bites, dog)
local function show(name, row)
  print(("%-28s %8.5f %8.5f %8.5f %8.5f"):format(name, table.unpack(row:totable())))
end
show("bites, in dog bites man", told[2])
show("bites, in man bites dog", news[2])
show("dog, in dog bites man", told[1])
show("dog, in man bites dog", news[3])

-- %% [markdown] ref="scores" lang="en"
-- ## Every word asks every word
-- Let $x_i$ be the vector of the word at place $i$, $i = 1, \dots, n$. From it come a query $q_i$, a key $k_i$ and a value $v_i$. The
-- query is held against each key, the scores become weights, and the values are averaged with them:
--
-- $$e_{ij} = q_i^\top k_j, \quad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{j'}\exp(e_{ij'})}, \quad z_i = \sum_j\alpha_{ij}v_j$$
--
-- The simplest choice is to take the inputs as they are, $v_i = k_i = q_i = x_i$. Then $e_{ij} = x_i^\top x_j$ is an ordinary inner
-- product, and *dog* asks *man* exactly as loudly as *man* asks *dog*: $e_{ij} = e_{ji}$. That is proved for vectors of any
-- length $d$, term by term.
--
-- With matrices of their own, $q_i = x_iW^Q$ and $k_j = x_jW^K$, the two scores differ by $x_i(A - A^\top)x_j^\top$, where
-- $A = W^Q{W^K}^\top$. They agree for all inputs only if $A$ is symmetric; the line that is printed shows that in
-- general they do not.

-- %% [markdown] ref="scores" lang="zh"
-- ## 词词相问
-- 设 $x_i$ 是第 $i$ 个词的向量，$i = 1, \dots, n$。由它得出查询 $q_i$、键 $k_i$ 和值 $v_i$。查询与每个键相
-- 比得到打分，打分化成权重，再用权重把各个值平均起来：
--
-- $$e_{ij} = q_i^\top k_j, \quad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{j'}\exp(e_{ij'})}, \quad z_i = \sum_j\alpha_{ij}v_j$$
--
-- 最省事的取法是直接用输入，$v_i = k_i = q_i = x_i$。这时 $e_{ij} = x_i^\top x_j$ 就是普通的内积，“狗”问“人”
-- 与“人”问“狗”得分一样：$e_{ij} = e_{ji}$。下面对任意长度 $d$ 的向量逐项证明了它。
--
-- 若各有各的矩阵，$q_i = x_iW^Q$、$k_j = x_jW^K$，两个打分就相差 $x_i(A - A^\top)x_j^\top$，其中
-- $A = W^Q{W^K}^\top$。只有 $A$ 对称时，它们才对一切输入相等；打印出来的那一行表明，一般并不如此。

-- %% ref="scores" claim="sa/identity-qkv"
-- A proof, and what became of the spoiled versions of its statement.
function tested(lhs, rhs, caption) return {prove(lhs, rhs, {caption = caption}), mutants(lhs, rhs)} end

local x, y, c, d = sym "x", sym "y", sym("c", "integer"), sym("d", "natural")
local plain = tested(sum(x[c] * y[c], c, 1, d), sum(y[c] * x[c], c, 1, d), {
  en = "the inputs as they are: two words score each other alike, for vectors of any length",
  zh = "直接用输入：两个词互相的打分相等，向量任意长"})

local X, Y = symmatrix("x", 1, 2), symmatrix("y", 1, 2)
local A = symmatrix("A", 2, 2) -- W^Q times W^K transposed
local function score(X, Y) return matmul(matmul(X, A), Y.T)(1) end
local gap = matmul(matmul(X, A - A.T), Y.T)(1)
local with_weights = prove(score(X, Y), score(Y, X))
print(with_weights)
return {
  plain, tested(score(X, Y) - score(Y, X), gap, {
    en = "with matrices the two scores differ by $x_i(A - A^\\top)x_j^\\top$",
    zh = "各有矩阵时，两个打分相差 $x_i(A - A^\\top)x_j^\\top$"}),
  fails(with_weights, {en = "with W^Q and W^K apart the scores are symmetric too", zh = "W^Q 与 W^K 不同时，打分也对称"}),
}

-- %% [markdown] ref="any-order" lang="en"
-- ## A sum has no order
-- Now change the order of the words. What place $i$ puts out is a quotient of two sums over all words,
--
-- $$z_i = \frac{\sum_j\exp(q_i^\top k_j)v_j}{\sum_j\exp(q_i^\top k_j)}$$
--
-- and a sum does not know in which order its terms came. That is all; but let us see that it is so for *any* number of words. Let
-- two neighbours change places. All that stood before them adds up to some number $b$. Up to the pair, the two sums are $b + s + t$
-- and $b + t + s$; after it, both get the same terms. So they agree after every further word: induction. And every
-- rearrangement can be done by exchanging neighbours, again and again, as one sorts a hand of cards.
--
-- So if $P$ is a permutation, $f(PX) = Pf(X)$: permute the inputs, and the outputs are permuted alike, unchanged. The layer is
-- called *equivariant*. For three words with vectors of length 2 and any matrices $W^Q$, $W^K$, $W^V$ this is proved outright, for
-- all six orders; for one number a word, with all the spoiled versions of the statement.

-- %% [markdown] ref="any-order" lang="zh"
-- ## 和没有次序
-- 现在打乱词的次序。第 $i$ 处的输出，是两个遍历所有词的和之商：
--
-- $$z_i = \frac{\sum_j\exp(q_i^\top k_j)v_j}{\sum_j\exp(q_i^\top k_j)}$$
--
-- 而和并不知道各项是按什么次序来的。道理就这么简单，不过我们要看清它对*任意*多个词都成立。让相邻两个词对
-- 调。排在它们前面的，加起来是某个数 $b$。加完这两项，两个和分别是 $b + s + t$ 与 $b + t + s$；往后加的项
-- 完全一样。所以每多一个词，二者依旧相等：这就是归纳。而任何重排都可以靠相邻对调一步步做到，就像理一手牌。
--
-- 所以若 $P$ 是一个置换，则 $f(PX) = Pf(X)$：输入怎么换位，输出就怎么换位，内容不变。这叫做*等变*。对三个
-- 词、长度为 2 的向量和任意的 $W^Q$、$W^K$、$W^V$，六种次序全都当场证明；每词一个数的情形，还连同命题的所有
-- 改坏版本一起过堂。

-- %% ref="any-order" claim="sa/no-order"
-- Any number of words: S is the sum as it was, M the one in which two neighbours were moved, both r words further on.
local S, M, b, e, v = sym "S M b e v"
local r = sym("r", "integer")
local function unmoved(term)
  local s, t = term(-2), term(-1)
  return induct(eq(S[r], M[r]), r, 0, {
    eq(S[0], b + s + t), eq(S[r + 1], S[r] + term(r)),
    eq(M[0], b + t + s), eq(M[r + 1], M[r] + term(r)),
  })
end
local any_n = {
  unmoved(function(j) return exp(e[j]) * v[j] end), unmoved(function(j) return exp(e[j]) end),
}

-- One layer, written out: formulas in, formulas out. Each word is a row.
function layer(X, Q, K, V)
  local q, k, v = matmul(X, Q), matmul(X, K), matmul(X, V)
  local a, rows = exp(matmul(q, k.T)), {}
  for i = 1, X.rows do
    rows[i] = {}
    for c = 1, v.cols do
      local top, bottom = a(i, 1) * v(1, c), a(i, 1)
      for j = 2, X.rows do top, bottom = top + a(i, j) * v(j, c), bottom + a(i, j) end
      rows[i][c] = top / bottom
    end
  end
  return matrix(rows)
end

-- All orders of 1 … n, as lists.
function orders(n)
  local out = {{}}
  for k = 1, n do
    local longer = {}
    for _, o in ipairs(out) do
      for at = 1, k do
        local with = table.move(o, 1, #o, 1, {})
        table.insert(with, at, k)
        longer[#longer + 1] = with
      end
    end
    out = longer
  end
  return out
end

-- The matrix P that puts row o[i] into place i.
function permutation(o)
  local rows = {}
  for i = 1, #o do
    rows[i] = {}
    for j = 1, #o do rows[i][j] = o[i] == j and 1 or 0 end
  end
  return matrix(rows)
end

local X = symmatrix("x", 3, 2)
local Q, K, V = symmatrix("Q", 2, 2), symmatrix("K", 2, 2), symmatrix("V", 2, 2)
local three = {}
for i, o in ipairs(orders(3)) do
  local P = permutation(o)
  three[i] = named({en = "f(PX) = P f(X), P = " .. table.concat(o, " "),
    zh = "次序 " .. table.concat(o, " ") .. "：f(PX) = P f(X)"}, prove(layer(matmul(P, X), Q, K, V), matmul(P, layer(X, Q, K, V))))
end

-- And in numbers: words and weights as they are drawn in the next step, every order of 2 to 6 words.
u = 2^-53
-- Random multiples of 1/step, from -1 to 1.
function steps_of(g, step, rows, cols) return round(step * (2 * rand(g, rows, cols) - 1)) / step end
local g = rng(7)
words = steps_of(g, 64, 6, 4)
weights = {steps_of(g, 4, 4, 4), steps_of(g, 4, 4, 4), steps_of(g, 4, 4, 4)}
-- One layer in numbers, with the scores as they are.
function reading(X, causal)
  return attention(matmul(X, weights[1]), matmul(X, weights[2]), matmul(X, weights[3]),
    {scale = 1, causal = causal})
end
-- How far f(PX) is from P f(X), for every order of n words; and how far it may be.
function deviations(n, causal)
  local X, out = words[{ {1, n}, {} }], {}
  local Y = reading(X, causal)
  for i, o in ipairs(orders(n)) do
    out[i] = max(abs(reading(take(X, o, 1), causal) - take(Y, o, 1)))
  end
  return array(out), 2 * 4 * (2 * n + 5) * u
end
local tried, moved_alike, most = 0, 0, 0
for n = 2, 6 do
  local off, allowed = deviations(n)
  tried, moved_alike, most = tried + off.size, moved_alike + sum(le(off, allowed)), most + allowed
end

local X, one = symmatrix("x", 3), matrix{1}
local moved = layer(matmul(permutation{2, 3, 1}, X), matrix{sym "Q"}, one, matrix{sym "V"})
local still = layer(X, matrix{sym "Q"}, one, matrix{sym "V"})
-- A causal mask: place 1 sees itself, place 2 sees both. That rule mentions order.
function masked(x, y) return matrix{x, (exp(y * x) * x + exp(y * y) * y) / (exp(y * x) + exp(y * y))} end
local x, y = sym "x y"
local under_mask = prove(masked(y, x), matmul(permutation{2, 1}, masked(x, y)))
local alone = layer(matrix{{sym "x"}}, matrix{sym "Q"}, matrix{sym "K"}, matrix{sym "V"})
return {
  any_n, three, mutants(moved(1), still(2)),
  named({en = "a word alone gives its value", zh = "只有一个词时，输出就是它的值"}, prove(alone(1), sym "V" * sym "x")),
  figure({en = "orders of 2 to 6 words that were tried in numbers", zh = "用数值试过的次序（2 到 6 个词）"}, tried, "872"),
  figure({en = "those in which the outputs move with the words, within (2n+5)u twice, |v| <= 4", zh = "其中输出随词一起换位的，误差在两个 (2n+5)u 之内，|v| <= 4"},
         math.tointeger(moved_alike), "872"),
  figure({en = "the sum of these bounds, in units of u", zh = "这些界之和，以 u 为单位"}, most / u, "520"),
  figure({en = "the same under a causal mask: off by up to", zh = "加上因果掩码后，最多相差"}, max((deviations(6, true))), "0.78694"),
  fails(under_mask, {en = "the same under a causal mask, two words", zh = "加上因果掩码，两个词时也是如此"}),
}

-- %% [markdown] ref="measured" lang="en"
-- And in the machine? Six words, vectors of length 4, all 720 orders, and all the orders of fewer words too. The entries are chosen
-- so that every score is exact: multiples of $1/64$ below 1, weights that are multiples of $1/4$ up to 1, so that no score needs more
-- than 53 bits. What is left to rounding is the softmax: an exponential is right to $2u$ of itself, above and below the fraction
-- line; $n$ products and $n-1$ sums above, $n-1$ sums below, two roundings to divide. That is $(2n+5)u$ for one reading, relative to
-- $|v_j| \le 4$, and there are two readings.
--
-- The deviation is not zero, though: adding in another order rounds differently. A test of this law with `==` would fail, and it
-- would be the test that is wrong.

-- %% [markdown] ref="measured" lang="zh"
-- 机器里又如何？六个词，向量长 4，720 种次序全试，词少一些的各种次序也全试。数值特意选得让每个打分都是精确
-- 的：输入是 $1/64$ 的倍数、绝对值不超过 1，权重矩阵是 $1/4$ 的倍数、绝对值不超过 1，于是打分都用不到 53 位。
-- 会舍入的只有 softmax：指数函数准到自身的 $2u$，分子分母各一次；分子有 $n$ 次乘法、$n-1$ 次加法，分母有
-- $n-1$ 次加法，除法算两次舍入。读一遍合计 $(2n+5)u$，乘以 $|v_j| \le 4$，一共读两遍。
--
-- 但偏差并不是零：加法换了次序，舍入就不一样。若用 `==` 来检验这条规律，检验会失败，而错的是检验。

-- %% ref="measured"
local verdicts = {}
for n = 2, 6 do
  local off, allowed = deviations(n)
  verdicts[n - 1] = measure {
    claim = {en = ("f(PX) = P f(X) for every order of %d words"):format(n), zh = ("%d 个词的每种次序都有 f(PX) = P f(X)"):format(n)},
    value = off, bound = allowed,
    why = "two readings; exp 2u twice, n products, 2n-2 sums, division 2u; |v| <= 4",
    at = function(i) return "order " .. table.concat(orders(n)[i], " ") end,
  }
end
print(("under a causal mask: up to %.2f"):format(max((deviations(6, true)))))
return verdicts

-- %% [markdown] ref="causal" lang="en"
-- ## A mask is a kind of order
-- The figure under a causal mask is no rounding. A decoder hides the words to come: place $i$ sees only $j \le i$. That rule mentions order, and
-- the symmetry is gone: the first word always sees itself alone, whatever it is. So a decoder can tell order to some degree without
-- any position code, and some are trained so. What the law of this lesson says, it says of attention *without* a mask; for two words
-- with the mask it is refuted at once.

-- %% [markdown] ref="causal" lang="zh"
-- ## 掩码也是一种次序
-- 带因果掩码的那个数可不是舍入误差。解码器要遮住后面的词：第 $i$ 处只看得见 $j \le i$。这条规则里已经有了次序，对称就
-- 没了：排在首位的词，不管是谁，永远只看见自己。所以解码器不用位置编码也能多少分出先后，确实有人就这么训练。本
-- 课的规律，说的是*不带*掩码的注意力；加上掩码，两个词就足以把它驳倒。

-- %% ref="causal"
local x, y = sym "x y" -- masked(x, y), two words under a mask, is that of the proof above
print(prove(masked(y, x), matmul(permutation{2, 1}, masked(x, y))))

-- %% [markdown] ref="picture" lang="en"
-- ## What it looks like
-- The weights $\alpha_{ij}$ of the six words, a row for each word that asks, a column for each that is asked; and those of the same words
-- in reverse. It is the same picture turned upside down and left to right: the rows moved, the columns moved, and no weight changed.

-- %% [markdown] ref="picture" lang="zh"
-- ## 画出来看
-- 六个词的权重 $\alpha_{ij}$，发问的词每个一行，被问的词每个一列；另一幅是同样六个词倒过来排。同一幅图，上下颠倒再左右翻转：行挪
-- 了，列挪了，权重一个也没变。

-- %% ref="picture"
local back = flip(words, 1)
return panels {
  heatmap(attention_weights(words, words), {title = "words 1 … 6"}),
  heatmap(attention_weights(back, back), {title = "words 6 … 1"}),
}

-- %% [markdown] ref="pooled" lang="en"
-- ## Scalar is not the same as symmetric
-- Su Jianlin starts from $f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_n, \dots, x_m, \dots)$ and says why: without loss of
-- generality let $f$ be scalar, attention without a mask is fully symmetric. A reader objects that the layer is equivariant, not
-- symmetric; the answer is that $f$ was assumed to be scalar. Both have a point, and neither names the step that is missing.
--
-- A scalar can be taken out of the layer in many ways. Take the first number of word 1, as a classifier does with its first token:
-- scalar, and not symmetric. Another reader builds $f(x,y) = x + 2y$ on top: scalar, not symmetric either. What makes it
-- symmetric is *pooling*, a sum or mean over all places: it forgets the places, and by equivariance nothing else had noticed
-- them. No expectation over random weights is needed: the equality holds for every input and every weight.

-- %% [markdown] ref="pooled" lang="zh"
-- ## 标量不等于对称
-- 苏剑林的出发点是 $f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_n, \dots, x_m, \dots)$，理由是：不失一般性设 $f$
-- 为标量函数，不带掩码的注意力是全对称的。有读者提出，这一层是等变，不是对称；得到的回答是，已经特意设了 $f$
-- 是标量。两边都有道理，但谁也没有说出缺的那一步。
--
-- 从一层里取出一个标量，办法很多。取第 1 个词的第一个数，分类器对首个词元就是这么做的：是标量，却不对称。另一
-- 位读者在上面接一个 $f(x,y) = x + 2y$：是标量，也不对称。真正带来对称的是*汇聚*，即对所有位置求和或求平均：它
-- 忘掉了位置，而由等变性，别处也都没有留意过位置。用不着对随机权重取期望：等式对每个输入、每组权重都成立。

-- %% ref="pooled" claim="su/symmetry"
local x = symmatrix("x", 3)
local out = layer(x, matrix{sym "Q"}, matrix{sym "K"}, matrix{sym "V"})
local three = {x(1), x(2), x(3)}
local a, b = sym "a b"

local pooled = {}
for n = 2, 6 do
  local X, sums = words[{ {1, n}, {} }], {}
  local first = mean(reading(X), 1)
  for i, o in ipairs(orders(n)) do sums[i] = max(abs(mean(reading(take(X, o, 1)), 1) - first)) end
  pooled[#pooled + 1] = measure {
    claim = {en = ("the mean of the outputs, every order of %d words"):format(n),
      zh = ("%d 个词的每种次序下，输出的平均值"):format(n)},
    value = array(sums), bound = 2 * 4 * (3 * n + 5) * u,
    why = "as for one output, and n more roundings for the mean",
  }
end
local last = pooled[#pooled].bound

local reader = a + 2 * b
return {
  written = {
    symmetric(out(1), three), symmetric(reader, {a, b}),
    figure("the reader's f at (1, 2)", subst(subst(reader, a, 1), b, 2), "5"),
    figure("the reader's f at (2, 1)", subst(subst(reader, a, 2), b, 1), "4"),
  },
  mended = {
    symmetric(out(1) + out(2) + out(3), three),
    pooled, figure("the bound for 6 words, in units of u", last / u, "184"),
  },
}

-- %% [markdown] ref="break" lang="en"
-- ## Breaking the symmetry
-- The cure is to give each place a vector $p_m$ of its own and to add it to the word that stands there:
--
-- $$\tilde f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_m + p_m, \dots, x_n + p_n, \dots)$$
--
-- Now the pooled output depends on the order. By how much? Take two words of one number each, $1 \le x_1 \le 3/2$ and
-- $0 \le x_2 \le 1/2$, with $p_1 = 0$ and $p_2 = 1$. For *all* of them, exchanging the words changes the sum of the outputs by more
-- than $3/4$: certified over the whole box, not tried at points.
--
-- The vectors must differ. With $p_m = p_n$ the exchange of $m$ and $n$ is invisible again, and that is proved.

-- %% [markdown] ref="break" lang="zh"
-- ## 打破对称
-- 办法是给每个位置一个自己的向量 $p_m$，加到站在那里的词上：
--
-- $$\tilde f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_m + p_m, \dots, x_n + p_n, \dots)$$
--
-- 这样一来，汇聚的输出就与次序有关了。差多少？取两个词，每词一个数，$1 \le x_1 \le 3/2$、$0 \le x_2 \le 1/2$，
-- 并取 $p_1 = 0$、$p_2 = 1$。对*所有*这样的词，对调后输出之和的变化都超过 $3/4$：这是在整个方块上严格界定的，不是
-- 挑几个点来试。
--
-- 各个向量必须不同。若 $p_m = p_n$，把 $m$、$n$ 对调就又看不出来了，这一点也有证明。

-- %% ref="break" claim="su/break-symmetry"
box = {x1 = {1, rat(3, 2)}, x2 = {0, rat(1, 2)}}
-- What a word at x makes of itself and of one at y, and the sum of what both make.
local function seen(x, y) return (exp(x * x) * x + exp(x * y) * y) / (exp(x * x) + exp(x * y)) end
local function total(x, y) return seen(x, y) + seen(y, x) end

local x1, x2, p = sym "x1 x2 p"
return {
  certify(gt(abs(total(x1 + 0, x2 + 1) - total(x2 + 0, x1 + 1)), rat(3, 4)), box),
  symmetric(total(x1 + p, x2 + p), {x1, x2}),
}

-- %% [markdown] ref="qkv" lang="en"
-- ## Where to add it
-- The lecture notes add the vector in three places, to the old queries, keys and values:
--
-- $$v_i = \hat v_i + p_i, \quad q_i = \hat q_i + p_i, \quad k_i = \hat k_i + p_i$$
--
-- That breaks the symmetry as well. Let $\hat q = x$, $\hat k = 2x$, $\hat v = 3x$, so that the three differ, on the same box: what
-- word 1 gets at place 1 differs from what it gets at place 2 by more than $1/2$.

-- %% [markdown] ref="qkv" lang="zh"
-- ## 加在哪里
-- 课程笔记把这个向量加在三处，即原来的查询、键和值上：
--
-- $$v_i = \hat v_i + p_i, \quad q_i = \hat q_i + p_i, \quad k_i = \hat k_i + p_i$$
--
-- 这同样打破对称。取 $\hat q = x$、$\hat k = 2x$、$\hat v = 3x$，让三者各不相同，方块同上：第 1 个词在第 1 位所得
-- 与它在第 2 位所得，相差超过 $1/2$。

-- %% ref="qkv" claim="sa/add-positions"
-- What place i puts out, with p added to query, key and value.
local function output(x, p, i)
  local top, bottom = rat(0), rat(0)
  for j = 1, 2 do
    local weight = exp((x(i) + p(i)) * (2 * x(j) + p(j)))
    top, bottom = top + weight * (3 * x(j) + p(j)), bottom + weight
  end
  return top / bottom
end
local x = symmatrix("x", 2)
local there, here = output(x, matrix{0, 1}, 1), output(matrix{x(2), x(1)}, matrix{0, 1}, 2)
local first, second = enclose(there, {x1 = 1, x2 = 0}), enclose(here, {x1 = 1, x2 = 0})
print("word 1 at place 1, x = (1, 0): " .. first:digits(6))
print("word 1 at place 2, x = (1, 0): " .. second:digits(6))
return {
  certify(gt(abs(there - here), rat(1, 2)), box),
  named({en = "with the same p at both places nothing is broken", zh = "两处的 p 相同，对称就不破"},
        prove(output(x, matrix{1, 1}, 1), output(matrix{x(2), x(1)}, matrix{1, 1}, 2))),
  figure("word 1 at place 1, x = (1, 0)", first, "2.4621"), figure("word 1 at place 2, x = (1, 0)", second, "3.9901"),
}

-- %% [markdown] ref="inputs" lang="en"
-- The notes introduce these three lines with the words "just add the $p_i$ to our inputs". It is not the same. What is added to the
-- input passes through the matrix first:
--
-- $$(x_i + p_i)W = x_iW + p_iW$$
--
-- so the query gets $p_iW^Q$, the key $p_iW^K$, the value $p_iW^V$, three different vectors. The two recipes differ by exactly
-- $p_iW - p_i$: they agree only where $p_iW = p_i$. Models do the former, once, below the first layer; and then $W$ can
-- learn how much of the position to let through.

-- %% [markdown] ref="inputs" lang="zh"
-- 笔记在这三行前面说的是“把 $p_i$ 加到输入上就行”。其实不是一回事。加到输入上的东西，先要经过矩阵：
--
-- $$(x_i + p_i)W = x_iW + p_iW$$
--
-- 所以查询得到的是 $p_iW^Q$，键得到 $p_iW^K$，值得到 $p_iW^V$，三个不同的向量。两种做法恰好相差
-- $p_iW - p_i$，只有 $p_iW = p_i$ 时才一致。实际的模型用的是前一种，只在第一层下面加一次；这样 $W$ 还能学着决
-- 定让多少位置信息通过。

-- %% ref="inputs" claim="sa/add-to-inputs"
local x, p, W = symmatrix("x", 1, 2), symmatrix("p", 1, 2), symmatrix("W", 2, 2)
local inside, outside = matmul(x + p, W), matmul(x, W) + p
local through = matmul(x, W) + matmul(p, W)
local gap, left = inside - outside, matmul(p, W) - p
return {
  written = prove(inside, outside),
  mended = {
    prove(inside, through), mutants(inside(1, 1), through(1, 1)), mutants(inside(1, 2), through(1, 2)),
    prove(gap, left), mutants(gap(1, 1), left(1, 1)), mutants(gap(1, 2), left(1, 2)),
  },
}

-- %% [markdown] ref="relative" lang="en"
-- ## What does relative mean?
-- Position $m$ says where a word is; the *relative* position $n - m$ says how far one is from another, and which way. Language
-- cares about the second: *not good* means the same at the start of a page and at its end. A reader asks what property of a
-- code that is, and offers two: is it
--
-- $$p_{x+k} = \alpha p_x$$
--
-- or equal differences, $p_{x_1+k} - p_{x_1} = p_{x_2+k} - p_{x_2}$? For the sinusoidal code, $p_x = (\sin x\theta, \cos x\theta)$
-- in each pair, it is neither. If $p_{x+k}$ were a multiple of $p_x$, the two would span no area; they span $\sin k\theta$. Nor do
-- complex multiples help: $e^{i(x+k)\theta} = e^{ik\theta}e^{ix\theta}$ is right for one pair, but the next pair, with another
-- frequency, needs another factor. And the differences depend on $x$.
--
-- What does hold is that one matrix moves every position on by $k$, and keeps lengths and angles:
--
-- $$p_{x+k} = M_kp_x, \quad M_k^\top M_k = I$$
--
-- This is what the score needs. Moving both words by $k$ multiplies both codes by $M_k$, and their inner product stays:
-- $(M_kp)^\top M_kr = p^\top r$ for any $p$ and $r$.

-- %% [markdown] ref="relative" lang="zh"
-- ## “相对”是什么意思？
-- 位置 $m$ 说的是一个词在哪里；*相对*位置 $n - m$ 说的是一个词离另一个词多远、在哪一边。语言在意的是后者：
-- “不好”在一页的开头和末尾是一个意思。有位读者问，这到底是编码的什么性质，并给出两种猜测：是
--
-- $$p_{x+k} = \alpha p_x$$
--
-- 还是差相等，$p_{x_1+k} - p_{x_1} = p_{x_2+k} - p_{x_2}$？对正弦编码，即每对 $p_x = (\sin x\theta, \cos x\theta)$，
-- 两样都不是。$p_{x+k}$ 若是 $p_x$ 的倍数，二者张成的面积就该是零；实际是 $\sin k\theta$。改用复数倍也不行：
-- $e^{i(x+k)\theta} = e^{ik\theta}e^{ix\theta}$ 对一对是对的，但下一对频率不同，要的就是另一个倍数。至于差，它与
-- $x$ 有关。
--
-- 真正成立的是：有一个矩阵，能把每个位置都向前推 $k$ 步，并且保持长度与夹角：
--
-- $$p_{x+k} = M_kp_x, \quad M_k^\top M_k = I$$
--
-- 打分要的正是这个。两个词一起挪 $k$ 步，两个编码就都乘上 $M_k$，而内积不变：对任意 $p$、$r$，
-- $(M_kp)^\top M_kr = p^\top r$。

-- %% ref="relative" claim="su/relative-meaning"
local x, x2, k, θ, θ2 = sym "x x2 k θ θ2"
local function code(x) return matrix{sin(x * θ), cos(x * θ)} end
local function area(p, r) return p(1) * r(2) - p(2) * r(1) end
local M = matrix{{cos(k * θ), sin(k * θ)}, {-sin(k * θ), cos(k * θ)}}
local p, r = symmatrix("p", 2), symmatrix("r", 2)

return {
  written = {
    prove(area(code(x + k), code(x)), 0),             -- a real multiple would span no area
    prove(cis(k * θ), cis(k * θ2)),                   -- a complex one would serve every pair
    prove(code(x + k) - code(x), code(x2 + k) - code(x2)),
  },
  mended = {
    tested(area(code(x + k), code(x)), sin(k * θ)),
    tested(cis((x + k) * θ), cis(k * θ) * cis(x * θ)),
    prove(matmul(M, code(x)), code(x + k)),
    prove(matmul(M.T, M), matrix{{1, 0}, {0, 1}}),
    tested(matmul(matmul(M, p).T, matmul(M, r))(1), matmul(p.T, r)(1)),
  },
}

-- %% [markdown] ref="wrong" lang="en"
-- ## What goes wrong in practice
-- *Positions that collapse.* The symmetry returns wherever two positions get the same vector, and they need not be equal on paper.
-- Stored in bf16, which keeps 8 bits, the integers from 0 to 2047 are only 641 different numbers: 1001 and 1002 both become 1000, and
-- the model cannot tell which word stands at which.
--
-- *Positions that are not there.* A layer that gets no positions does not fail, it reads a bag of words: it trains, only worse. So
-- test it: exchange two inputs, and see whether the output notices. Below, words 2 and 3 of four are exchanged; each line says how
-- far the pooled output moves. Without positions it is rounding. With the integers from 1000 on, a thousandth of each added, the output
-- notices; with the same integers stored in bf16 it does not.

-- %% [markdown] ref="wrong" lang="zh"
-- ## 实践中会出的毛病
-- *位置重合。*凡是两个位置得到同一个向量，对称就又回来了，哪怕它们在公式里并不相等。bf16 只留 8 位，存进去之后，从 0 到 2047 的整数只剩
-- 641 个不同的数：1001 和 1002 都变成了 1000，模型就分不清哪个词站在哪一处。
--
-- *位置没加上。*没有加位置的一层并不报错，它只是把句子当成一袋词来读：照样能训练，只是差一些。所以要测：对调两个输入，看输出有没
-- 有察觉。下面把四个词里的第 2、3 个对调，每行是汇聚的输出动了多少。不加位置，只剩舍入；给每个词加上从 1000 起的整数的千分之一，
-- 输出就察觉了；同样的整数先存成 bf16，又毫无反应。

-- %% ref="wrong"
local kept = sort(quantize(range(0, 2047), "bf16"))
local distinct = 1 + sum(ne(kept[{ {2, 2048} }], kept[{ {1, 2047} }]))
print(("bf16 keeps %d of 2048 positions"):format(distinct))

local X = words[{ {1, 4}, {} }]
-- How far the mean output moves when words 2 and 3 are exchanged at places with these numbers.
local function noticed(places)
  local p = reshape(places, 4, 1) / 1000
  local function pooled(X) return mean(reading(X + p), 1) end
  return max(abs(pooled(X) - pooled(take(X, {1, 3, 2, 4}, 1))))
end
print(("no positions           %.0e"):format(noticed(zeros(4))))
print(("1000 … 1003 in f64    %.0e"):format(noticed(range(1000, 1003))))
print(("1000 … 1003 in bf16   %.0e"):format(noticed(quantize(range(1000, 1003), "bf16"))))

-- %% [markdown] ref="ex-pool" lang="en"
-- ## Exercise: one number for a bag of words
-- Write `score(X)`: a number made from `attention(X, X, X)`, where the rows of `X` are words, that is the same in whatever order the
-- words stand, but not the same for all texts.

-- %% [markdown] ref="ex-pool" lang="zh"
-- ## 练习：给一袋词打一个分
-- 写一个函数 `score(X)`，`X` 的每一行是一个词：由 `attention(X, X, X)` 算出一个数，词怎么排都一样，但不同的文字得数不能全都一样。

-- %% role="exercise" ref="ex-pool" points=1
function score(X)
  --- BEGIN SOLUTION
  return sum(attention(X, X, X))
  --- END SOLUTION
end

-- %% role="hint" ref="ex-pool" lang="en"
-- The layer is equivariant: another order of the words gives the same rows in that order. What forgets in which row a number stood?
-- %% role="hint" ref="ex-pool" lang="zh"
-- 这一层是等变的：词换了次序，输出还是那些行，也换成那个次序。什么运算会忘掉一个数原来在哪一行？

-- %% role="hint" ref="ex-pool" lang="en"
-- A sum over all places does, and so do a mean and a maximum.
-- %% role="hint" ref="ex-pool" lang="zh"
-- 对所有位置求和就会；求平均、取最大值也会。

-- %% role="check" ref="ex-pool"
local X = array{{1, 0.5}, {-0.25, 2}, {0.75, -1}}
local first = score(X)
feedback(type(first) == "number", {
  en = "`score` must return one number.",
  zh = "`score` 要返回一个数。",
})
feedback(isfinite(first), {en = "The score is not finite.", zh = "得数不是有限数。"})
feedback(math.abs(score(take(X, {2, 1, 3}, 1)) - first) <= 1e-12 * (1 + math.abs(first)), {
  en = "With words 1 and 2 exchanged the score is another: something in it still knows the places.",
  zh = "第 1、2 两个词对调，得数就变了：里面还有东西记得位置。",
})
--- BEGIN HIDDEN TESTS
for _, o in ipairs {{3, 2, 1}, {2, 3, 1}, {1, 3, 2}} do
  feedback(math.abs(score(take(X, o, 1)) - first) <= 1e-12 * (1 + math.abs(first)), {
    en = "There is an order of the three words that changes the score.",
    zh = "这三个词有一种排法会改变得数。",
  })
end
feedback(math.abs(score(2 * X) - first) > 1e-6 or math.abs(score(X + 1) - first) > 1e-6, {
  en = "The score is the same for quite different texts: it says nothing about the words.",
  zh = "完全不同的文字得数也一样：它对词什么也没说。",
})
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-pool" expect="still knows the places"
function score(X) return attention(X, X, X)(1, 1) end

-- %% role="wrong" ref="ex-pool" expect="says nothing about the words"
function score(X) return 0.0 * sum(X) end

-- %% [markdown] ref="ex-mask" lang="en"
-- ## Exercise: who sees whom
-- Write `sees(n)`: the causal mask of $n$ words as an array of ones and zeros, 1 in row $i$ and column $j$ where word $i$ sees word
-- $j$.

-- %% [markdown] ref="ex-mask" lang="zh"
-- ## 练习：谁看得见谁
-- 写一个函数 `sees(n)`：$n$ 个词的因果掩码，由 1 和 0 组成的数组；第 $i$ 个词看得见第 $j$ 个词，第 $i$ 行第 $j$ 列就是 1。

-- %% role="exercise" ref="ex-mask" points=1
function sees(n)
  --- BEGIN SOLUTION
  return tril(ones(n, n))
  --- END SOLUTION
end

-- %% role="hint" ref="ex-mask" lang="en"
-- Which words stand at or before place $i$?
-- %% role="hint" ref="ex-mask" lang="zh"
-- 站在第 $i$ 处及其之前的是哪些词？

-- %% role="hint" ref="ex-mask" lang="en"
-- The ones fill the triangle below the diagonal, and the diagonal: `tril` keeps just that.
-- %% role="hint" ref="ex-mask" lang="zh"
-- 1 填满对角线及其下方的三角；`tril` 留下的正是这部分。

-- %% role="check" ref="ex-mask"
local A = sees(3)
feedback(not same(A, array{{1, 1, 1}, {0, 1, 1}, {0, 0, 1}}), {
  en = "Here word 1 sees word 3, which is still to come: rows ask, columns are seen.",
  zh = "这样第 1 个词看得见还没来的第 3 个词：行是发问的，列是被看的。",
})
feedback(not same(A, array{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}), {
  en = "Here no word sees itself, and word 1 sees nothing at all: then its weights cannot add up to 1.",
  zh = "这样每个词都看不见自己，第 1 个词什么也看不见：它的权重就加不到 1 了。",
})
feedback(same(A, array{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}, {what = "sees(3)"}))
--- BEGIN HIDDEN TESTS
feedback(same(sees(5), tril(ones(5, 5)), {what = "sees(5)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-mask" expect="still to come"
function sees(n) return triu(ones(n, n)) end

-- %% role="wrong" ref="ex-mask" expect="no word sees itself"
function sees(n) return tril(ones(n, n), -1) end

-- %% [markdown] ref="ex-inputs" lang="en"
-- ## Exercise: what the query got
-- A position $p$ is added to the input $x$, and the query is made by $W$. Write `change(x, p, W)`: by how much the query differs from what
-- it was without the position. The arguments are matrices of symbols, $x$ and $p$ rows; use `matmul`.

-- %% [markdown] ref="ex-inputs" lang="zh"
-- ## 练习：查询多得了什么
-- 位置 $p$ 加到输入 $x$ 上，再由 $W$ 得出查询。写一个函数 `change(x, p, W)`：与不加位置时相比，查询改变了多少。自变量是符号矩阵，
-- $x$、$p$ 是行向量；请用 `matmul`。

-- %% role="exercise" ref="ex-inputs" points=1
function change(x, p, W)
  --- BEGIN SOLUTION
  return matmul(p, W)
  --- END SOLUTION
end

-- %% role="hint" ref="ex-inputs" lang="en"
-- Write down the query with the position and the query without it, and subtract.
-- %% role="hint" ref="ex-inputs" lang="zh"
-- 写出加了位置的查询和不加位置的查询，相减。

-- %% role="hint" ref="ex-inputs" lang="en"
-- $(x + p)W - xW$: multiply out. Does $x$ remain?
-- %% role="hint" ref="ex-inputs" lang="zh"
-- $(x + p)W - xW$：展开看看，$x$ 还在吗？

-- %% role="check" ref="ex-inputs"
local x, p, W = symmatrix("x", 1, 2), symmatrix("p", 1, 2), symmatrix("W", 2, 2)
local answer = change(x, p, W)
feedback(not same(answer, p), {
  en = "The position was added to the input, not to the query: on its way it passes through W.",
  zh = "位置是加到输入上的，不是加到查询上的：它还要经过 W。",
})
feedback(not same(answer, matmul(x + p, W)), {
  en = "That is the whole query. Asked is what the position added to it.",
  zh = "这是整个查询。问的是位置给它添了多少。",
})
feedback(same(answer, matmul(p, W), {what = "change(x, p, W)"}))

-- %% role="wrong" ref="ex-inputs" expect="passes through W"
function change(x, p, W) return p end

-- %% role="wrong" ref="ex-inputs" expect="the whole query"
function change(x, p, W) return matmul(x + p, W) end

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- A layer of attention is made of sums over words, so it is equivariant: order can neither help nor hurt it. Pooling makes it
-- symmetric; being scalar does not. A mask is an order; otherwise each place needs a vector of its own, added to the
-- input and so passed through the weights. And *relative* means: one orthogonal map per distance, the same at every place.
--
-- Which vectors? Sines and cosines are the first answer, in `sinusoids`; `origin` derives them from what is wanted here.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 一层注意力由遍历所有词的和组成，所以是等变的：次序对它既无帮助，也无妨碍。汇聚使它对称，标量则不然。掩码就是一
-- 种次序；否则每个位置都要有自己的向量，加到输入上，随之穿过权重矩阵。而*相对*的意思是：每个距离有一个正交映射，
-- 处处相同。
--
-- 用什么向量？第一个答案是正弦与余弦，见 `sinusoids`；`origin` 一课则从这里的要求出发，把它们推导出来。
