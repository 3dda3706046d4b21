-- Why attention cannot see the order of its words, what breaks the symmetry, and what "relative" means.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="intro" lang="en"
-- # The order of words
-- *Dog bites man* is no news; *man bites dog* is. Both sentences have the same three words; only their order differs. A model that reads must notice the
-- difference.
--
-- Does attention notice it? Below, each word is a vector of four random numbers, and one attention layer reads both sentences: it gives back a row of
-- four new numbers for each word. *Predict:* which rows will differ between the two sentences, that of *bites*, that of *dog*, or neither?

-- %% [markdown] ref="intro" lang="zh"
-- # 词序
-- 狗咬人不是新闻，人咬狗才是。两句话用的是同样三个词，差别全在词序上。要读懂句子的模型，必须分得清先后。
--
-- 注意力分得清吗？下面每个词是四个随机数组成的向量，让一层注意力去读这两句话，每个词得到一行新的数，共四个。
-- *先猜一猜*：换了一句话，哪个词的那一行会变？“咬”的，“狗”的，还是都不变？

-- %% ref="intro"
local g = rng(7)
local dog, bites, man = randn(g, 4), randn(g, 4), randn(g, 4)
local function layer(X) return attention(X, X, X) end
local told = layer(stack({dog, bites, man}, 1))
local news = layer(stack({man, bites, dog}, 1))
local function show(name, row)
  print(("%s %8.5f %8.5f %8.5f %8.5f"):format(name, table.unpack(row:totable())))
end
show(says{en = "bites, in dog bites man:", zh = "“咬”，狗咬人："}, told[2])
show(says{en = "bites, in man bites dog:", zh = "“咬”，人咬狗："}, news[2])
show(says{en = "dog, in dog bites man:  ", zh = "“狗”，狗咬人："}, told[1])
show(says{en = "dog, in man bites dog:  ", zh = "“狗”，人咬狗："}, news[3])
print(says{en = "No word's row has changed, whoever bites: attention alone cannot tell.",
  zh = "每个词的那一行都没变，不管谁咬谁：单靠注意力，分不清。"})

-- %% [markdown] ref="ex-row" lang="en"
-- ## Predict: where is word 1 now?
-- Four words give four outputs, a row each. Now the same words stand in another order: `arrangement[1]` is the number of the word that stands first,
-- `arrangement[2]` of the one that stands second, and so on. Which row of the new outputs is the old row of word 1? Set `row` to its number. You may
-- try it with `attention`, but guess first.

-- %% [markdown] ref="ex-row" lang="zh"
-- ## 先猜：第 1 个词到哪里去了？
-- 四个词给出四个输出，每个一行。现在同样的词换一种排法：`arrangement[1]` 是站在第 1 位的词的编号，`arrangement[2]` 是站在第 2 位的，依此类推。
-- 原来属于第 1 个词的那一行输出，现在是第几行？把行号赋给 `row`。可以用 `attention` 试，不过请先猜。

-- %% role="exercise" ref="ex-row" points=1 variants=6
arrangement = ({{2, 4, 1, 3}, {3, 4, 2, 1}, {4, 3, 1, 2}, {2, 3, 4, 1}, {3, 1, 4, 2}, {4, 1, 2, 3}})[variant]
--- BEGIN SOLUTION
for place, word in ipairs(arrangement) do
  if word == 1 then row = place end
end
--- END SOLUTION

-- %% role="hint" ref="ex-row" lang="en"
-- In the two sentences above *dog* moved from place 1 to place 3. Where did its output move?
-- %% role="hint" ref="ex-row" lang="zh"
-- 上面两句话里，“狗”从第 1 位挪到了第 3 位。它的输出挪到了哪里？

-- %% role="hint" ref="ex-row" lang="en"
-- An output moves with its word. At which place of `arrangement` does the number 1 stand?
-- %% role="hint" ref="ex-row" lang="zh"
-- 输出跟着词走。`arrangement` 的第几位是 1？

-- %% role="check" ref="ex-row"
local given = ({{2, 4, 1, 3}, {3, 4, 2, 1}, {4, 3, 1, 2}, {2, 3, 4, 1}, {3, 1, 4, 2}, {4, 1, 2, 3}})[variant]
local at = 0
for place, word in ipairs(given) do if word == 1 then at = place end end
feedback(type(row) == "number", {en = "`row` must be a number.", zh = "`row` 要是一个数。"})
feedback(row ~= given[1], {
  en = "That is the word that stands first now. Asked is where word 1 stands.",
  zh = "这是现在站在第 1 位的词。问的是第 1 个词站在哪里。",
})
feedback(row ~= 1, {
  en = "Row 1 belongs to the word that stands first now, and that is another word.",
  zh = "第 1 行属于现在站在第 1 位的词，那已经是另一个词了。",
})
feedback(same(row, at, {what = "row"}))

-- %% role="wrong" ref="ex-row" expect="stands first now. Asked"
row = ({{2, 4, 1, 3}, {3, 4, 2, 1}, {4, 3, 1, 2}, {2, 3, 4, 1}, {3, 1, 4, 2}, {4, 1, 2, 3}})[variant][1]

-- %% role="wrong" ref="ex-row" expect="that is another word"
row = 1

-- %% [markdown] ref="picture" lang="en"
-- ## What it looks like
-- Six words, each given by four random numbers. The left picture shows how much each word (a row) attends to each other (a column). Now the sentence is
-- reversed. *Predict:* what will the second picture look like?

-- %% [markdown] ref="picture" lang="zh"
-- ## 画出来看
-- 六个词，每个是四个随机数。左图是每个词（行）对其他各词（列）的注意力权重。现在把句子倒过来排。*先猜一猜*：第二幅图会是什么样子？

-- %% ref="picture"
local six = randn(rng(11), 6, 4) / 2
local back = flip(six, 1)
display(panels {
  heatmap(attention_weights(six, six), {title = says{en = "words 1 … 6", zh = "第 1 … 6 个词"}}),
  heatmap(attention_weights(back, back), {title = says{en = "words 6 … 1", zh = "第 6 … 1 个词"}}),
})
print(says{en = "The same picture, turned upside down and left to right: no weight changed.",
  zh = "同一幅图，上下颠倒再左右翻转：权重一个也没变。"})

-- %% [markdown] ref="scores" lang="en"
-- ## Each word scores each word
-- Why does attention not notice? Look at how it computes. Let $x_i$ be the vector of the word at place $i$, $i = 1, \dots, n$. (Papers say *token* for word
-- and *position* for place.) The vector gives a query $q_i$, a key $k_i$ and a value $v_i$. The inner products of the query with all keys are the scores; softmax turns scores into weights;
-- the output is the
-- average of the values with these weights:
--
-- $$e_{ij} = q_i^\top k_j, \quad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l\exp(e_{il})}, \quad z_i = \sum_j\alpha_{ij}v_j$$
--
-- The numbers $i$ and $j$ only say which two vectors meet. The places themselves enter nowhere: *dog* has the same score for *man* wherever the two stand.
-- (Models divide the scores by $\sqrt d$ besides; that changes nothing here.)
--
-- Does a score at least know who asks and who answers? Take the inputs as they are, $v_i = k_i = q_i = x_i$. Then $e_{ij} = x_i^\top x_j$ is an ordinary
-- inner product, and the score of *dog* for *man* equals that of *man* for *dog*: $e_{ij} = e_{ji}$. This is proved for vectors of any length $d$.
--
-- With matrices it does know. Write the words as rows, $q_i = x_iW^Q$ and $k_j = x_jW^K$; the two scores differ by $x_i(A - A^\top)x_j^\top$, where
-- $A = W^Q{W^K}^\top$. They agree for all inputs only if $A$ is symmetric. An example where they differ is printed.

-- %% [markdown] ref="scores" lang="zh"
-- ## 词与词两两打分
-- 为什么分不清？看它是怎么算的。设 $x_i$ 是第 $i$ 个词的向量，$i = 1, \dots, n$（论文里把词叫作*词元*，token）。由它得出查询 $q_i$、键 $k_i$
-- 和值 $v_i$。查询与所有键作内积，得到打分；softmax 把打分变成权重；输出是各个值按这些权重的平均：
--
-- $$e_{ij} = q_i^\top k_j, \quad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l\exp(e_{il})}, \quad z_i = \sum_j\alpha_{ij}v_j$$
--
-- 下标 $i$、$j$ 只用来指明是哪两个向量，式子里根本没有位置：“狗”对“人”的打分，不管两个词站在哪里都一样。
-- （模型还要把打分除以 $\sqrt d$，
-- 这不影响这里的结论。）
--
-- 那么打分至少分得清谁问谁答吗？先直接用输入，$v_i = k_i = q_i = x_i$。这时 $e_{ij} = x_i^\top x_j$ 就是普通的内积，“狗”对“人”与“人”对“狗”
-- 打分相等：$e_{ij} = e_{ji}$。下面对任意长度 $d$ 的向量证明了它。
--
-- 有了矩阵就分得清。把词写成行向量，$q_i = x_iW^Q$、$k_j = x_jW^K$，两个打分相差 $x_i(A - A^\top)x_j^\top$，其中 $A = W^Q{W^K}^\top$。
-- 只有 $A$ 对称时，它们才对一切输入相等；下面打印出一个不相等的例子。

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
print(says{en = "the score of x for y and that of y for x, A as given:", zh = "x 对 y 与 y 对 x 的打分，A 如下："})
print(with_weights)
return {
  plain, tested(score(X, Y) - score(Y, X), gap, {
    en = "with matrices the two scores differ by $x_i(A - A^\\top)x_j^\\top$",
    zh = "各有矩阵时，两个打分相差 $x_i(A - A^\\top)x_j^\\top$"}),
  fails(with_weights, {en = "with different W^Q and W^K the scores are symmetric too", zh = "W^Q 与 W^K 不同时，打分也对称"}),
}

-- %% [markdown] ref="any-order" lang="en"
-- ## A sum has no order
-- Now change the order of the words. The output at place $i$ is a quotient of two sums over all words,
--
-- $$z_i = \frac{\sum_j\exp(q_i^\top k_j)v_j}{\sum_j\exp(q_i^\top k_j)}$$
--
-- and a sum does not depend on the order of its terms. A word that moves to another place takes its query along, meets the same keys and values, and gets
-- the same output. Let $X$ have the words as rows, let $f$ be the layer, and let the permutation matrix $P$ put the rows into another order. Then
--
-- $$f(PX) = P\,f(X)$$
--
-- The outputs are permuted in the same way, and are otherwise unchanged. Such a layer is called *permutation equivariant*. For three words with vectors of
-- length 2 and any matrices $W^Q$, $W^K$, $W^V$ this is proved for all six orders.
--
-- > **For any number of words**
-- > Exchange two neighbours. The terms before them add up to some number $b$. With the pair, the two sums are $b + s + t$ and $b + t + s$, which are equal;
-- > after it, both get the same terms. So they are equal after each further word: this is the induction below. And every order can be reached by exchanging
-- > neighbours, one pair after another.

-- %% [markdown] ref="any-order" lang="zh"
-- ## 求和不分先后
-- 现在打乱词的次序。第 $i$ 处的输出，是两个遍历所有词的和之商：
--
-- $$z_i = \frac{\sum_j\exp(q_i^\top k_j)v_j}{\sum_j\exp(q_i^\top k_j)}$$
--
-- 而求和与各项的先后无关。一个词挪到别处，带着自己的查询，遇到的还是那些键和值，得到的还是那个输出。设 $X$ 的每一行是一个词，
-- $f$ 是这一层，
-- 置换矩阵 $P$ 把各行重新排列，则
--
-- $$f(PX) = P\,f(X)$$
--
-- 输入怎么换位，输出就怎么换位，内容不变。这叫做*置换等变*。对三个词、长度为 2 的向量和任意的 $W^Q$、$W^K$、$W^V$，
-- 六种次序全部证明；还把命题逐处改坏，看能否一一驳倒。
--
-- > **词有任意多个时**
-- > 让相邻两个词对调。排在它们前面的项，加起来是某个数 $b$。加完这两项，两个和分别是 $b + s + t$ 与 $b + t + s$，二者相等；
-- > 往后加的项完全一样。所以每多一个词，二者依旧相等：这就是下面的归纳。而任何置换都可以靠相邻对调一步步做到。

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
  named({en = "any number of words: exchanging two neighbours leaves the numerator as it is", zh = "任意多个词：对调相邻两个词，分子不变"},
        unmoved(function(j) return exp(e[j]) * v[j] end)),
  named({en = "and the denominator", zh = "分母也不变"}, unmoved(function(j) return exp(e[j]) end)),
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
  figure({en = "what word 1 makes of words 1 and 2", zh = "第 1 个词从 1、2 两个词得到的"}, layer(matrix{1, 2}, one, one, one)(1), "1.73106"),
  named({en = "a word alone gives its value", zh = "只有一个词时，输出就是它的值"}, prove(alone(1), sym "V" * sym "x")),
  figure({en = "orders of 2 to 6 words that were tried in numbers", zh = "用数值试过的次序（2 到 6 个词）"}, tried, "872"),
  figure({en = "those in which the outputs move with the words, but for rounding", zh = "其中输出随词一起换位、只差舍入的"},
         math.tointeger(moved_alike), "872"),
  figure({en = "the sum of these bounds, in units of u", zh = "这些界之和，以 u 为单位"}, most * 2^53, "520", {guard = true}),
  figure({en = "the same under a causal mask: off by up to", zh = "加上因果掩码后，最多相差"}, max((deviations(6, true))), "0.78694"),
  fails(under_mask, {en = "the same under a causal mask, two words", zh = "加上因果掩码，两个词时也是如此"}),
}

-- %% [markdown] ref="causal" lang="en"
-- ## A mask is a kind of order
-- A decoder, such as GPT, hides the words to come: place $i$ sees only $j \le i$. This is a *causal mask*. So far nothing in the layer mentioned a place;
-- this rule does.
--
-- The verdicts above end with it: for two words $f(PX) = P\,f(X)$ is false under this mask. *Predict* why: what does the first place see before the two
-- words are exchanged, and what after? Does one output break the law, or do both? This run brings values for which the two sides differ (`:why` shows them).

-- %% [markdown] ref="causal" lang="zh"
-- ## 掩码也是一种次序
-- GPT 这样的解码器要遮住后面的词：第 $i$ 处只看得见 $j \le i$，这叫*因果掩码*。此前这一层里没有任何东西提到位置，这条规则却提到了。
--
-- 上一步的判定末尾已经说了：加上这样的掩码，两个词时 $f(PX) = P\,f(X)$ 就不成立。*先猜一猜*为什么：
-- 对调之前首位看见什么，对调之后又看见什么？不合规律的是一个输出，还是两个都是？运行这一步，会找到使两边不等的一组数（用 `:why` 查看）。

-- %% ref="causal"
local x, y = sym "x y" -- masked(x, y): what two words x and y give under the mask
return fails(prove(masked(y, x), matmul(permutation{2, 1}, masked(x, y))), {
  en = "under a causal mask the outputs of two words move with them",
  zh = "加上因果掩码，两个词的输出仍随词一起换位"})

-- %% [markdown] ref="ex-mask" lang="en"
-- ## Exercise: who sees whom
-- The first place always sees itself alone, whichever word stands there, and the second sees both. So a word that moves from one to the other sees
-- something else, and gives something else: both outputs break the law, and the symmetry is gone. Hence a decoder can tell the order to some degree without any
-- positional encoding, and some models are trained so (they are called NoPE; see the lesson `modern`). The law of this lesson is about attention *without*
-- a mask.
--
-- Write `sees(n)`: the causal mask of $n$ words as an array of ones and zeros, 1 in row $i$ and column $j$ where word $i$ sees word
-- $j$.

-- %% [markdown] ref="ex-mask" lang="zh"
-- ## 练习：谁看得见谁
-- 不管谁站在首位，都只看得见自己，第 2 位则两个词都看得见。词从一处挪到另一处，看见的就不同，输出也不同：
-- 两个输出都不合规律，对称就没了。所以解码器不用位置编码也能多少分出先后，确实有模型就这么训练（叫作 NoPE，
-- 见 `modern` 一课）。
-- 本课的规律，说的是*不带*掩码的注意力。
--
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

-- %% [markdown] ref="measured" lang="en"
-- ## In floating point
-- The law is exact; floating-point sums are not, since adding in another order rounds differently. *Predict:* would a test of $f(PX) = P\,f(X)$ with `==` pass?
--
-- Here are all orders of 2 to 6 words, each with a bound on what rounding can do. Under a causal mask the outputs differ by up to 0.79, and that is not a
-- rounding error.
--
-- > **Where the bound comes from**
-- > The entries are multiples of $1/64$ below 1, the weights multiples of $1/4$ up to 1, so that every score is exact in 53 bits. Only the softmax rounds: each
-- > exponential has relative error at most $2u$, in numerator and denominator; there are $n$ products and $n-1$ sums in the numerator, $n-1$ sums in the
-- > denominator, and two roundings for the division. One reading is off by at most $(2n+5)u$, relative to $|v_j| \le 4$, and there are two readings.

-- %% [markdown] ref="measured" lang="zh"
-- ## 浮点数里又如何
-- 规律是精确的，浮点数的求和却不是：加法换了次序，舍入就不一样。*先猜一猜*：用 `==` 检验 $f(PX) = P\,f(X)$，能通过吗？
--
-- 下面试 2 到 6 个词的所有次序，每种都附有舍入误差的上界。加上因果掩码，输出最多相差 0.79，那可不是舍入误差。
--
-- > **界是怎么来的**
-- > 输入是 $1/64$ 的倍数、绝对值小于 1，权重矩阵是 $1/4$ 的倍数、绝对值不超过 1，于是每个打分都能用 53 位精确表示。
-- > 会舍入的只有 softmax：每个指数函数的
-- > 相对误差不超过 $2u$，分子分母各一次；分子有 $n$ 次乘法、$n-1$ 次加法，分母有 $n-1$ 次加法，除法算两次舍入。读一遍至多差 $(2n+5)u$，相对于
-- > $|v_j| \le 4$，一共读两遍。

-- %% ref="measured"
local verdicts = {}
for n = 2, 6 do
  local off, allowed = deviations(n)
  verdicts[n - 1] = measure {
    claim = {en = ("f(PX) = P f(X) for every order of %d words"):format(n), zh = ("%d 个词的每种次序都有 f(PX) = P f(X)"):format(n)},
    value = off, bound = allowed,
    why = says{en = "two readings; exp 2u twice, n products, 2n-2 sums, division 2u; |v| <= 4", zh = "读两遍；exp 各 2u，n 个乘积，2n-2 次加法，除法 2u；|v| <= 4"},
    at = function(i) return says{en = "order ", zh = "次序 "} .. table.concat(orders(n)[i], " ") end,
  }
end
print(says{en = "under a causal mask: up to %.2f", zh = "加上因果掩码：最多相差 %.2f"}
  :format(max((deviations(6, true)))))
return verdicts

-- %% [markdown] ref="pooled" lang="en"
-- ## Scalar is not the same as symmetric
-- The outputs move with the words. What must follow, so that the *result* is the same for every order? *Pooling*: a sum or a mean over all places. It loses
-- where a number stood, and by equivariance nothing else depends on the places. This holds for every input and all weights.
--
-- A scalar alone is not enough. Take one number from the output at place 1, as a classifier does that reads only its first token: it is a scalar, and it is
-- not symmetric. Or take two outputs $x$ and $y$ and let $f(x,y) = x + 2y$: a scalar, and not symmetric either.
--
-- > **The source's gap**
-- > Su Jianlin starts from $f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_n, \dots, x_m, \dots)$ and argues: without loss of generality let $f$ be scalar;
-- > attention without a mask is fully symmetric. A reader objects that the layer is equivariant, not symmetric; the answer is that $f$ was assumed to be
-- > scalar. Both are partly right, and neither names the missing step, which is pooling.

-- %% [markdown] ref="pooled" lang="zh"
-- ## 标量不等于对称
-- 输出随词一起换位。后面再接什么，才能让*结果*与词序完全无关？*池化*：对所有位置求和或求平均。它忘掉了每个数原来在哪里，
-- 而由置换等变性，其余各步本来就与位置无关。这对每个输入、每组权重都成立。
--
-- 光是标量还不够。从第 1 处的输出里取一个数，只看首个词元的分类器就是这么做的：是标量，却不对称。再把两处的输出 $x$、$y$ 合成
-- $f(x,y) = x + 2y$：是标量，也不对称。
--
-- > **原文缺的一步**
-- > 苏剑林的出发点是 $f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_n, \dots, x_m, \dots)$，理由是：不失一般性设 $f$ 为标量函数，不带掩码的注意力是
-- > 全对称的。有读者提出，这一层是等变，不是对称；得到的回答是，已经特意设了 $f$ 是标量。两边都有道理，
-- > 但谁也没有说出缺的那一步，也就是池化。

-- %% ref="pooled" claim="su/symmetry"
local x = symmatrix("x", 3)
local out = layer(x, matrix{sym "Q"}, matrix{sym "K"}, matrix{sym "V"})
local three = {x(1), x(2), x(3)}
local a, b = sym "a b"

local pooled = {}
for n = 2, 6 do
  local X, sums = words[{ {1, n}, {} }], {}
  local first = mean(reading(X), 1)
  for i, o in ipairs(orders(n)) do sums[i] = mean(reading(take(X, o, 1)), 1) - first end
  pooled[#pooled + 1] = measure {
    claim = {en = ("every order of %d words gives the same mean of the outputs"):format(n),
      zh = ("%d 个词的每种次序下，输出的平均值都相同"):format(n)},
    value = stack(sums, 1), bound = 2 * 4 * (3 * n + 5) * u,
    why = says{en = "as for one output, and n more roundings for the mean", zh = "与一个输出相同，平均再添 n 次舍入"},
  }
end
local last = pooled[#pooled].bound

local reader = a + 2 * b
return {
  written = {
    named({en = "the output at place 1 is the same for every order", zh = "第 1 处的输出与次序无关"}, symmetric(out(1), three)),
    named({en = "x + 2y is the same for every order", zh = "x + 2y 与次序无关"}, symmetric(reader, {a, b})),
    figure({en = "the reader's f at (1, 2)", zh = "读者的 f 在 (1, 2)"}, subst(subst(reader, a, 1), b, 2), "5"),
    figure({en = "the reader's f at (2, 1)", zh = "读者的 f 在 (2, 1)"}, subst(subst(reader, a, 2), b, 1), "4"),
  },
  mended = {
    named({en = "the sum of the outputs at all three places is the same for every order", zh = "三处输出之和与次序无关"},
      symmetric(out(1) + out(2) + out(3), three)),
    pooled, figure({en = "the bound for 6 words, in units of u", zh = "6 个词时的界，以 u 为单位"}, last * 2^53, "184", {guard = true}),
  },
}

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
-- 这一层是置换等变的：词换了次序，输出还是那些行，也换成那个次序。什么运算会忘掉一个数原来在哪一行？

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

-- %% [markdown] ref="break" lang="en"
-- ## Breaking the symmetry
-- The cure is to give each place its own vector $p_m$ and to add it to the word that stands there:
--
-- $$\tilde f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_m + p_m, \dots, x_n + p_n, \dots)$$
--
-- Now an exchange changes more than the order. Before it the layer gets $x_1 + p_1$ and $x_2 + p_2$, after it $x_2 + p_1$ and $x_1 + p_2$: these are other
-- vectors, and even the pooled output depends on the order. By how much? Take two words of one number each, $1 \le x_1 \le 3/2$ and
-- $0 \le x_2 \le 1/2$, with $p_1 = 0$ and $p_2 = 1$. For *all* of them, exchanging the words changes the sum of the outputs by more
-- than $3/4$. This is not tried at a few points, but *certified*: calculated with whole intervals, which cover every point of this box.
--
-- The vectors must differ: if $p_m = p_n$, an exchange of $m$ and $n$ again changes nothing, and that is proved.

-- %% [markdown] ref="break" lang="zh"
-- ## 打破对称
-- 办法是给每个位置一个自己的向量 $p_m$，加到站在那里的词上：
--
-- $$\tilde f(\dots, x_m, \dots, x_n, \dots) = f(\dots, x_m + p_m, \dots, x_n + p_n, \dots)$$
--
-- 这样一来，对调就不只是换了次序：对调前，这一层读到的是 $x_1 + p_1$ 和 $x_2 + p_2$，对调后是 $x_2 + p_1$ 和 $x_1 + p_2$，已经是另外的向量，
-- 连池化后的输出也与次序有关了。差多少？取两个词，每词一个数，$1 \le x_1 \le 3/2$、$0 \le x_2 \le 1/2$，
-- 并取 $p_1 = 0$、$p_2 = 1$。对*所有*这样的词，对调后输出之和的变化都超过 $3/4$：这不是挑几个点来试，而是*严格验证*的，
-- 用整段区间来计算，这个范围里的每一点都包括在内。
--
-- 各个向量必须不同。若 $p_m = p_n$，把 $m$、$n$ 对调就又看不出来了，这一点也有证明。

-- %% ref="break" claim="su/break-symmetry"
box = {x1 = {1, rat(3, 2)}, x2 = {0, rat(1, 2)}}
-- What a word at x makes of itself and of one at y, and the sum of what both make.
local function seen(x, y) return (exp(x * x) * x + exp(x * y) * y) / (exp(x * x) + exp(x * y)) end
local function total(x, y) return seen(x, y) + seen(y, x) end
-- The same of three words.
local function among(x, y, z) return (exp(x * x) * x + exp(x * y) * y + exp(x * z) * z) / (exp(x * x) + exp(x * y) + exp(x * z)) end
local function all_three(x, y, z) return among(x, y, z) + among(y, z, x) + among(z, x, y) end

local x1, x2, x3, p = sym "x1 x2 x3 p"
return {
  certify(gt(abs(total(x1 + 0, x2 + 1) - total(x2 + 0, x1 + 1)), rat(3, 4)), box, {caption = {
    en = "exchanging the two words changes the sum by more than 3/4", zh = "两个词对调，输出之和的变化超过 3/4"}}),
  named({en = "two words and one vector for both: symmetric", zh = "两个词都加同一个向量：对称"}, symmetric(total(x1 + p, x2 + p), {x1, x2})),
  named({en = "three words and one vector for all: symmetric", zh = "三个词都加同一个向量：对称"}, symmetric(all_three(x1 + p, x2 + p, x3 + p), {x1, x2, x3})),
  figure({en = "what a word at 1 makes of words at 1, 2 and 3", zh = "1 处的词看 1、2、3 处的词，得到"}, among(rat(1), rat(2), rat(3)), "2.57521"),
}

-- %% [markdown] ref="qkv" lang="en"
-- ## Where to add it
-- Where does $p_i$ go in? Stanford's lecture notes on self-attention add it in three places, to the queries, keys and values as they were (with hats):
--
-- $$v_i = \hat v_i + p_i, \quad q_i = \hat q_i + p_i, \quad k_i = \hat k_i + p_i$$
--
-- This breaks the symmetry as well. Let $\hat q = x$, $\hat k = 2x$, $\hat v = 3x$, so that the three differ, on the same box: what
-- word 1 gets at place 1 differs from what it gets at place 2 by more than $1/2$.

-- %% [markdown] ref="qkv" lang="zh"
-- ## 加在哪里
-- $p_i$ 到底加在哪里？斯坦福的自注意力课程笔记把它加在三处，即原来的查询、键和值上（戴帽子的是原来的）：
--
-- $$v_i = \hat v_i + p_i, \quad q_i = \hat q_i + p_i, \quad k_i = \hat k_i + p_i$$
--
-- 这同样打破对称。取 $\hat q = x$、$\hat k = 2x$、$\hat v = 3x$，让三者各不相同，范围同上：第 1 个词站在第 1 位与站在第 2 位，输出相差超过 $1/2$。

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
local at_1 = {en = "word 1 at place 1, x = (1, 0)", zh = "第 1 个词在第 1 位，x = (1, 0)"}
local at_2 = {en = "word 1 at place 2, x = (1, 0)", zh = "第 1 个词在第 2 位，x = (1, 0)"}
local line = says{en = "%s: %s", zh = "%s：%s"}
print(line:format(says(at_1), first:digits(6)))
print(line:format(says(at_2), second:digits(6)))
return {
  certify(gt(abs(there - here), rat(1, 2)), box, {caption = {
    en = "word 1 gets something else at place 2, by more than 1/2", zh = "同一个词在两个位置上所得不同，相差超过 1/2"}}),
  named({en = "with the same p at both places nothing is broken", zh = "两处的 p 相同，对称就不破"},
        prove(output(x, matrix{1, 1}, 1), output(matrix{x(2), x(1)}, matrix{1, 1}, 2))),
  figure(at_1, first, "2.4621"), figure(at_2, second, "3.9901"),
}

-- %% [markdown] ref="inputs" lang="en"
-- ## Added to the input
-- Models do something else: they add $p_i$ to the input, once, before the first layer. What is added to the input passes through the matrix:
--
-- $$(x_i + p_i)W = x_iW + p_iW$$
--
-- So the query gets $p_iW^Q$, the key $p_iW^K$, the value $p_iW^V$, three different vectors, and $W$ can learn how much of the position to let through.
-- The two recipes differ by exactly $p_iW - p_i$: they agree only where $p_iW = p_i$.
--
-- > **The notes' slip**
-- > The notes introduce their three lines with the words "just add the $p_i$ to our inputs". While query, key and value are the input itself, as
-- > the notes begin, that is the same; with matrices it is not.

-- %% [markdown] ref="inputs" lang="zh"
-- ## 加到输入上
-- 实际的模型另有做法：在第一层之前，把 $p_i$ 加到输入上，只加一次。加到输入上的东西，先要经过矩阵：
--
-- $$(x_i + p_i)W = x_iW + p_iW$$
--
-- 所以查询得到的是 $p_iW^Q$，键得到 $p_iW^K$，值得到 $p_iW^V$，三个不同的向量；$W$ 还能学着决定让多少位置信息通过。两种做法恰好相差
-- $p_iW - p_i$，只有 $p_iW = p_i$ 时才一致。
--
-- > **笔记的疏漏**
-- > 课程笔记在那三行前面说的是“把 $p_i$ 加到输入上就行”。若查询、键、值就是输入本身
-- > （笔记开头正是如此），两者相同；有了矩阵就不是一回事。

-- %% ref="inputs" claim="sa/add-to-inputs"
local x, p, W = symmatrix("x", 1, 2), symmatrix("p", 1, 2), symmatrix("W", 2, 2)
local inside, outside = matmul(x + p, W), matmul(x, W) + p
local through = matmul(x, W) + matmul(p, W)
local gap, left = inside - outside, matmul(p, W) - p
return {
  written = prove(inside, outside, {caption = {en = "adding to the input adds $p$ itself", zh = "加到输入上，就是加上 $p$ 本身"}}),
  mended = {
    prove(inside, through, {caption = {en = "the query gets $pW$", zh = "查询得到的是 $pW$"}}), mutants(inside(1, 1), through(1, 1)), mutants(inside(1, 2), through(1, 2)),
    prove(gap, left, {caption = {en = "the two recipes differ by $pW - p$", zh = "两种做法相差 $pW - p$"}}), mutants(gap(1, 1), left(1, 1)), mutants(gap(1, 2), left(1, 2)),
  },
}

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

-- %% [markdown] ref="relative" lang="en"
-- ## What does relative mean?
-- Position $m$ says where a word is; the *relative* position $n - m$ says how far one word is from another, and on which side. Language depends on the
-- second: *not good* means the same at the start of a page and at its end. Call $p_x$ the *code* of position $x$. Which property of the code makes it
-- relative? This one: for each $k$ there must be one matrix that moves every position on by $k$, and it must keep lengths and angles:
--
-- $$p_{x+k} = M_kp_x, \quad M_k^\top M_k = I$$
--
-- This is what the score needs. Moving both words by $k$ multiplies both codes by $M_k$, and their inner product stays:
-- $(M_kp)^\top M_kr = p^\top r$ for any $p$ and $r$. Sines and cosines have this property: the
-- code $p_x = (\sin x\theta, \cos x\theta)$ goes round a circle, and $M_k$ turns it by the angle $k\theta$.
--
-- > **Two guesses that fail**
-- > A reader of Su's article asks whether it means $p_{x+k} = \alpha p_x$, or equal differences, $p_{x_1+k} - p_{x_1} = p_{x_2+k} - p_{x_2}$. Neither holds.
-- > If $p_{x+k}$ were a multiple of $p_x$, the two would span no area; they span $\sin k\theta$. A complex multiple,
-- > $e^{i(x+k)\theta} = e^{ik\theta}e^{ix\theta}$, is right for one pair, but the next pair, with another frequency, needs another factor. And the differences
-- > depend on $x$.

-- %% [markdown] ref="relative" lang="zh"
-- ## “相对”是什么意思？
-- 位置 $m$ 说的是一个词在哪里；*相对*位置 $n - m$ 说的是一个词离另一个词多远、在哪一边。语言在意的是后者：
-- “不好”在一页的开头和末尾是一个意思。把位置 $x$ 的向量 $p_x$ 叫作它的*编码*，编码要有什么性质才算“相对”？对每个 $k$ 都要有一个矩阵，
-- 能把每个位置平移 $k$ 步，并且保持长度与夹角：
--
-- $$p_{x+k} = M_kp_x, \quad M_k^\top M_k = I$$
--
-- 打分要的正是这个。两个词一起平移 $k$ 步，两个编码就都乘上 $M_k$，而内积不变：对任意 $p$、$r$，$(M_kp)^\top M_kr = p^\top r$。正弦和余弦就有
-- 这个性质：编码 $p_x = (\sin x\theta, \cos x\theta)$ 沿圆周转动，$M_k$ 把它转过 $k\theta$ 角。
--
-- > **两种不对的猜测**
-- > 有位读者问苏剑林：这是指 $p_{x+k} = \alpha p_x$，还是差相等，$p_{x_1+k} - p_{x_1} = p_{x_2+k} - p_{x_2}$？两样都不是。$p_{x+k}$ 若是 $p_x$ 的倍数，
-- > 二者张成的面积就该是零；实际是 $\sin k\theta$。改用复数倍也不行：$e^{i(x+k)\theta} = e^{ik\theta}e^{ix\theta}$ 对一对是对的，但下一对频率不同，要的
-- > 就是另一个倍数。至于差，它与 $x$ 有关。

-- %% ref="relative" claim="su/relative-meaning"
local x, x2, k, θ, θ2 = sym "x x2 k θ θ2"
local function code(x) return matrix{sin(x * θ), cos(x * θ)} end
local function area(p, r) return p(1) * r(2) - p(2) * r(1) end
local M = matrix{{cos(k * θ), sin(k * θ)}, {-sin(k * θ), cos(k * θ)}}
local p, r = symmatrix("p", 2), symmatrix("r", 2)

return {
  written = {
    prove(area(code(x + k), code(x)), 0, {caption = {en = "the two codes span no area, as a real multiple would", zh = "两个编码像实数倍那样，张成的面积为零"}}),
    prove(cis(k * θ), cis(k * θ2), {caption = {en = "one complex multiple for every pair", zh = "同一个复数倍适用于每一对"}}),
    prove(code(x + k) - code(x), code(x2 + k) - code(x2), {caption = {en = "equal differences", zh = "差相等"}}),
  },
  mended = {
    tested(area(code(x + k), code(x)), sin(k * θ), {en = "the two codes span the area $\\sin k\\theta$", zh = "两个编码张成的面积是 $\\sin k\\theta$"}),
    tested(cis((x + k) * θ), cis(k * θ) * cis(x * θ), {en = "for one pair a complex factor will do", zh = "只看一对，一个复数倍就够"}),
    prove(matmul(M, code(x)), code(x + k), {caption = {en = "one matrix moves every position by $k$", zh = "一个矩阵把每个位置都平移 $k$ 步"}}),
    prove(matmul(M.T, M), matrix{{1, 0}, {0, 1}}, {caption = {en = "it keeps lengths and angles", zh = "它保持长度与夹角"}}),
    tested(matmul(matmul(M, p).T, matmul(M, r))(1), matmul(p.T, r)(1), {
      en = "moving both words keeps the score", zh = "两个词一起平移，打分不变"}),
  },
}

-- %% [markdown] ref="wrong" lang="en"
-- ## What goes wrong in practice
-- *Two positions with one vector.* The symmetry returns wherever two positions get the same vector, even if the formula tells them apart. bf16 keeps 8
-- significant bits: stored in it, the integers from 0 to 2047 become only 641 different numbers. 1001 and 1002 both become 1000, and the model cannot
-- tell which word stands at which.
--
-- *Positions that were never added.* A layer that gets no positions does not fail. It reads a *bag of words*: it trains, only worse. So test it: exchange
-- two inputs and see whether the output changes. Below, words 2 and 3 of four are exchanged; each line says how far the pooled output moves. Without positions
-- it moves only by rounding. With the integers from 1000 on, a thousandth of each added, it moves; with the same integers stored in bf16 it does not.

-- %% [markdown] ref="wrong" lang="zh"
-- ## 实际中会出的毛病
-- *位置重合*。凡是两个位置得到同一个向量，对称就又回来了，哪怕它们在公式里并不相等。bf16 只有 8 位有效数字（二进制），
-- 存进去之后，从 0 到 2047 的整数只剩
-- 641 个不同的数：1001 和 1002 都变成了 1000，模型就分不清哪个词站在哪一处。
--
-- *位置没加上*。没有加位置的一层并不报错，它只是把句子当成*词袋*（bag of words）来读：照样能训练，只是差一些。所以要测：
-- 对调两个输入，看输出变不变。
-- 下面把四个词里的第 2、3 个对调，每行是池化后的输出变了多少。不加位置，只有舍入误差；给每个词加上从 1000 起的整数的千分之一，
-- 输出就变了；同样的整数先存成 bf16，又毫无变化。

-- %% ref="wrong"
local kept = sort(quantize(range(0, 2047), "bf16"))
local distinct = 1 + sum(ne(kept[{ {2, 2048} }], kept[{ {1, 2047} }]))
print(says{en = "bf16 keeps %d of 2048 positions", zh = "bf16 只分得清 2048 个位置里的 %d 个"}:format(distinct))

local X = words[{ {1, 4}, {} }]
-- How far the mean output moves when words 2 and 3 are exchanged at places with these numbers.
local function noticed(places)
  local p = reshape(places, 4, 1) / 1000
  local function pooled(X) return mean(reading(X + p), 1) end
  return max(abs(pooled(X) - pooled(take(X, {1, 3, 2, 4}, 1))))
end
local few = quantize(range(1000, 1003), "bf16")
print(says{en = "no positions       %.0e", zh = "不加位置           %.0e"}:format(noticed(zeros(4))))
print(("1000 … 1003, f64   %.0e"):format(noticed(range(1000, 1003))))
print(("1000 … 1003, bf16  %.0e"):format(noticed(few)))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- An attention layer is made of sums over words, so it is permutation equivariant: it cannot use the order. Pooling makes the result symmetric; being scalar
-- does not. A mask is an order; otherwise each place needs its own vector, which is added to the input and passes through the weights. *Relative* means: one
-- orthogonal map per distance, the same at every place.
--
-- Which vectors? Sines and cosines are the first answer, in `sinusoids`; `origin` derives them from what is wanted here.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 一层注意力的输出由对所有词的求和得来，所以是置换等变的：它用不上词序。池化使结果对称，标量则不然。掩码就是一种次序；
-- 否则每个位置都要有自己的向量，加到输入上，随之穿过权重矩阵。而*相对*的意思是：每个距离有一个正交映射，处处相同。
--
-- 用什么向量？第一个答案是正弦与余弦，见 `sinusoids`；`origin` 一课则从这里的要求出发，把它们推导出来。
