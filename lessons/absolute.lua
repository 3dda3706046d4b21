-- Learned absolute positions: a table, its rows, and its end.
-- Cells run in order, in one environment. A cell with claim="…" returns its
-- verdicts.

-- %% [markdown] ref="table" lang="en"
-- # A table of absolute positions
-- *Dog bites man*: how can a word be told that it stands first? The simplest way is to give every place $t = 0, 1, 2, \dots$ its own vector, to learn these vectors like all other
-- parameters, and to add them to the words. This is a learned *absolute positional encoding*. BERT does so, with 512 places of 768 numbers each. The vectors are the rows of a table $P$; we
-- call the row of place $t$ its *code* $P_t$. The word $x_t$ that stands there becomes
--
-- $$h_t = x_t + P_t$$
--
-- Places are counted from 0 here, rows of an array from 1, so row 1 belongs to place 0. Below, *dog* stands at place 0, then at place 2. *Predict:* what is the difference of its two vectors?
-- And keep a question for later: what does such a table know of a place that it has never seen?

-- %% [markdown] ref="table" lang="zh"
-- # 绝对位置编码：一张位置表
-- “狗咬人”：怎样让一个词知道自己站在第一位？最省事的办法是给每个位置 $t = 0, 1, 2, \dots$ 各配一个向量，和别的参数一样去学，
-- 再加到词上。这就是可学习的*绝对
-- 位置编码*。BERT 就是这么做的，512 个位置，每个 768 个数。这些向量是一张表 $P$ 的各行，位置 $t$ 的那一行记作 $P_t$，叫作它的*编码*；
-- 站在那里的词 $x_t$ 就变成
--
-- $$h_t = x_t + P_t$$
--
-- 这里位置从 0 数起，数组的行从 1 数起，所以第 1 行属于位置 0。下面“狗”先站在位置 0，再站在位置 2。*先猜一猜*：它的两个向量相差什么？
-- 再留一个问题：一个从未见过的位置，这样的表能知道些什么？

-- %% ref="table"
N, d = 512, 8
P = randn(rng(1), N, d)      -- as it is before training
X = randn(rng(2), 3, d)      -- dog, bites, man
local told, news = X + learned(P, 3), flip(X, 1) + learned(P, 3)
local function show(name, row)
  print(("%s %8.4f %8.4f %8.4f …"):format(name, row(1), row(2), row(3)))
end
show(says{en = "dog, in dog bites man:", zh = "“狗”，狗咬人："}, told[1])
show(says{en = "dog, in man bites dog:", zh = "“狗”，人咬狗："}, news[3])
show(says{en = "the difference:       ", zh = "两者之差：    "}, news[3] - told[1])
show(says{en = "row 3 less row 1 of P:", zh = "P 的行之差：  "}, P[3] - P[1])

-- %% [markdown] ref="numbers" lang="en"
-- ## Exercise: how much is there to learn?
-- A model reads texts of up to `N` words and has `width` numbers for each place. Places are counted from 0, and no row is kept for anything else. Set `parameters` to how many numbers its
-- table holds.

-- %% [markdown] ref="numbers" lang="zh"
-- ## 练习：要学多少个数？
-- 某模型能读至多 `N` 个词的文本，每个位置配 `width` 个数。位置从 0 数起，没有为别的用途留行。它的表里共有多少个数？赋给 `parameters`。

-- %% role="exercise" ref="numbers" points=1 variants=6
N = ({512, 1024, 2048, 512, 4096, 256})[variant]
width = ({768, 768, 1024, 1024, 2048, 512})[variant]
--- BEGIN SOLUTION
parameters = N * width
--- END SOLUTION

-- %% role="hint" ref="numbers" lang="en"
-- The places are $0, 1, \dots, N - 1$. How many are these?
-- %% role="hint" ref="numbers" lang="zh"
-- 位置是 $0, 1, \dots, N - 1$，共有多少个？

-- %% role="hint" ref="numbers" lang="en"
-- $N$ rows of `width` numbers each.
-- %% role="hint" ref="numbers" lang="zh"
-- $N$ 行，每行 `width` 个数。

-- %% role="check" ref="numbers"
local N = ({512, 1024, 2048, 512, 4096, 256})[variant]
local width = ({768, 768, 1024, 1024, 2048, 512})[variant]
feedback(type(parameters) == "number", {en = "`parameters` must be a number.", zh = "`parameters` 要是一个数。"})
feedback(parameters ~= N, {
  en = "That is the number of rows. Each row holds `width` numbers.",
  zh = "这是行数。每一行有 `width` 个数。",
})
feedback(parameters ~= (N + 1) * width and parameters ~= (N - 1) * width, {
  en = "The places 0 to N - 1 are exactly N.",
  zh = "位置 0 到 N - 1，恰好是 N 个。",
})
feedback(same(parameters, N * width, {what = "parameters"}))

-- %% role="wrong" ref="numbers" expect="number of rows"
parameters = ({512, 1024, 2048, 512, 4096, 256})[variant]

-- %% role="wrong" ref="numbers" expect="exactly N"
parameters = (({512, 1024, 2048, 512, 4096, 256})[variant] + 1) * ({768, 768, 1024, 1024, 2048, 512})[variant]

-- %% [markdown] ref="tiny" lang="en"
-- ## Train a small one
-- A table of 24 rows starts at 0; row $t$ should become a certain vector. Training shows it texts of random lengths, most of them short, and moves each row that occurs a tenth of the way.
-- The curve shows how far each row still is from what it should be, as a share. *Predict:* which rows are learned last? Then move the number of texts.

-- %% [markdown] ref="tiny" lang="zh"
-- ## 训练一张小表
-- 一张 24 行的表从 0 开始，第 $t$ 行应当学成某个向量。训练时给它看长度随机的文本，多数很短；凡出现的行，就向目标走十分之一的路。
-- 曲线画的是每行离目标还差多
-- 少（比例）。*先猜一猜*：哪些行最后才学会？然后移动文本的数目看看。

-- %% ref="tiny"
local rows, wanted = 24, randn(rng(1), 24, 4)
local function missing(texts)
  local g, P = rng(2), zeros(rows, 4)
  for _ = 1, texts do
    local length = 1 + floor(-4 * log(1 - rand(g))) -- most are short
    local occurs = where(lt(range(0, rows - 1), length), 0.1, 0)
    P = P + reshape(occurs, rows, 1) * (wanted - P)
  end
  return sqrt(sum((P - wanted)^2, 2) / sum(wanted^2, 2))
end
return vary(function(p)
  return plot(range(0, rows - 1), {missing(p.texts)}, {style = "both", ylim = {0, 1},
    xlabel = says{en = "place", zh = "位置"}, ylabel = says{en = "still missing", zh = "还差多少"}})
end, {texts = {1, 10, 100, 1000, 3000, default = 100, label = says{en = "texts", zh = "文本数"}}})

-- %% [markdown] ref="lookup" lang="en"
-- ## Looking up is a matrix product
-- Write place $t$ as a row of $N$ numbers, 1 at place $t$ and 0 everywhere else: a *one-hot* vector $o_t$. Then
--
-- $$P_t = o_tP$$
--
-- to the last bit, since a sum with one nonzero term is not rounded. So a lookup is linear in the table, and its gradient goes only to the rows that were looked up: this is why the far rows
-- of the picture learned so slowly.
--
-- And place $N$, for which there is no row? A program could begin again at the first row, or stay at the last. Both would be wrong answers that nobody notices. It must raise an error that
-- names the place; below, 50 places outside the table are tried.

-- %% [markdown] ref="lookup" lang="zh"
-- ## 查表就是矩阵乘法
-- 把位置 $t$ 写成一行 $N$ 个数，除第 $t$ 个是 1 外全为 0，这叫*独热*（one-hot）向量 $o_t$。那么
--
-- $$P_t = o_tP$$
--
-- 一位不差，因为只有一项非零的和不需要舍入。所以查表对表而言是线性的，梯度只流向被查到的那几行：上面那幅图里，靠后的行学得慢，
-- 道理就在这里。
--
-- 那么位置 $N$ 呢？表里没有它的行。程序可以绕回第一行，也可以停在最后一行，可这两种做法都是答错了还没人发觉。应当报错，
-- 并指明是哪个位置；
-- 下面拿表外的 50 个位置来试。

-- %% ref="lookup" claim="pe/absolute-lookup"
function one_hot(places, N) -- (T, N)
  return where(eq(reshape(places, places.size, 1), range(0, N - 1)), 1, 0)
end
-- What a call says when it fails, without the line of the file; nil when it
-- does not.
function complaint(f, ...)
  local fine, message = pcall(f, ...)
  return not fine and tostring(message):gsub("^%S+:%d+: ", "") or nil
end
-- Is place t refused by a table, and by its number?
function refuses(table, places, t)
  local said = complaint(learned, table, places)
  local wanted = ("position %d is not in the table"):format(t)
  return said ~= nil and said:find(wanted, 1, true) ~= nil
end
local refused, taken, g = 0, 0, rng(4)
for _ = 1, 50 do
  local t = N + g:below(1000)
  if g:below(2) == 0 then t = -1 - g:below(1000) end
  if refuses(P, array{t}, t) then refused = refused + 1 end
  if not refuses(P, array{t % N}, t % N) then taken = taken + 1 end
end
return {
  measure {
    claim = {en = "a lookup against a product with one-hot rows", zh = "查表与独热行相乘，两者一致"},
    samples = 50, seed = 3, bound = 0,
    why = says{en = "one term of each sum is not zero: nothing is rounded", zh = "每个和里只有一项非零，没有舍入"},
    f = function(g)
      local places = floor(N * rand(g, 6))
      local product = matmul(one_hot(places, N), P)
      return learned(P, places) - product, tostring(places)
    end,
  },
  figure({en = "of 50 places outside the table, refused by name", zh = "表外的 50 个位置中，指名拒绝的"}, refused, "50"),
  figure({en = "of 50 places inside, taken", zh = "表内的 50 个位置中，查到的"}, taken, "50"),
}

-- %% [markdown] ref="rows" lang="en"
-- ## Exercise: rows by place
-- Write `lookup(P, places)` without `learned`: for an array of places, counted from 0, the rows of $P$, of shape $(T, d)$. A place that is not in the table must raise an error.

-- %% [markdown] ref="rows" lang="zh"
-- ## 练习：按位置取行
-- 不用 `learned`，写一个函数 `lookup(P, places)`：给定从 0 数起的一组位置，返回 $P$ 相应的行，形状为
-- $(T, d)$。表里没有的位置必须报错。

-- %% role="exercise" ref="rows" points=2
function lookup(P, places)
  --- BEGIN SOLUTION
  if any(lt(places, 0)) then error("a negative place") end
  return take(P, places + 1)
  --- END SOLUTION
end

-- %% role="hint" ref="rows" lang="en"
-- `take(P, index)` gives rows by index, and indices count from 1.
-- %% role="hint" ref="rows" lang="zh"
-- `take(P, index)` 按下标取行，下标从 1 数起。

-- %% role="hint" ref="rows" lang="en"
-- `take` raises beyond the end by itself. But index -1 means the last row to it: what does place -2 become?
-- %% role="hint" ref="rows" lang="zh"
-- 超出末尾，`take` 自己就会报错。可下标 -1 在它看来是最后一行：位置 -2 会变成什么？

-- %% role="check" ref="rows"
local P = reshape(range(1, 12), 4, 3)
feedback(not same(lookup(P, array{2, 1}), array{{4, 5, 6}, {1, 2, 3}}), {
  en = "Places count from 0, rows from 1: place 2 is the third row.",
  zh = "位置从 0 数起，行从 1 数起：位置 2 是第三行。",
})
local got = lookup(P, array{2, 0})
feedback(same(got, array{{7, 8, 9}, {1, 2, 3}}, {what = "lookup(P, {2, 0})"}))
feedback(not pcall(lookup, P, array{4}), {
  en = "Place 4 is not in a table of 4 rows. It must be an error: here it was answered with some row.",
  zh = "4 行的表里没有位置 4，应当报错；现在却答出了某一行。",
})
feedback(not pcall(lookup, P, array{-2}), {
  en = "Place -2 does not exist, yet it was answered: negative indices count from the end.",
  zh = "位置 -2 不存在，却有了回答：负下标是从末尾倒数的。",
})

-- %% role="wrong" ref="rows" expect="rows from 1"
function lookup(P, places) return take(P, places) end

-- %% role="wrong" ref="rows" expect="Place 4 is not in"
function lookup(P, places) return take(P, places % P.shape[1] + 1) end

-- %% role="wrong" ref="rows" expect="Place 4 is not in"
function lookup(P, places) return take(P, minimum(places, P.shape[1] - 1) + 1) end

-- %% role="wrong" ref="rows" expect="count from the end"
function lookup(P, places) return take(P, places + 1) end

-- %% [markdown] ref="snippet" lang="en"
-- ## A program that does not run
-- The study notes on position encoding show how to do it in PyTorch. These are the lines that matter:
--
--     position_ids = torch.arange(INPUT_LENGTH).unsqueeze(0)
--     position_embedding = nn.Embedding(MAX_POSITION, HIDDEN_SIZE)
--     position_embedding = position_embedding(position_id)
--
-- *Predict,* before you read the box: two things are wrong here. One stops the first run, the other only the second batch of data. Which are they? Below, the program as printed, the same
-- with the first fault mended, and a right one are run for two batches each.
--
-- > **The two faults**
-- > The third line looks up `position_id`, without the s: the first run stops at a name that does not exist. And it stores the result under the name of the embedding. With the first fault
-- > mended, the *second* batch fails: the table has been overwritten by the rows of the first.

-- %% [markdown] ref="snippet" lang="zh"
-- ## 一段跑不起来的程序
-- 讲位置编码的那篇学习笔记用 PyTorch 写过这件事，要紧的是这几行：
--
--     position_ids = torch.arange(INPUT_LENGTH).unsqueeze(0)
--     position_embedding = nn.Embedding(MAX_POSITION, HIDDEN_SIZE)
--     position_embedding = position_embedding(position_id)
--
-- *先猜一猜*，再看下面的框：这里有两处错。一处让第一次运行就停下，另一处要到第二批数据才出错。是哪两处？下面把原来的程序、
-- 改了第一处的程序和改好的程序各跑两批。
--
-- > **两处错在哪里**
-- > 第三行去查 `position_id`，少了个 s：第一次运行就停在一个不存在的名字上。它还把结果存回嵌入自己的名下：把第一处改好，
-- > *第二批*数据又会出错，
-- > 因为表已经被第一批查出的行覆盖掉了。

-- %% ref="snippet" claim="pe/absolute-snippet"
-- An embedding as programs have it: called with places it gives rows.
local function embedding(table)
  return function(places) return learned(table, places) end
end

-- The notes' program for two batches, with the name that it looks up. What stops it is what the laboratory says: nothing is looked up, or the
-- rows of the first batch, which have taken the embedding's name, are called.
local function as_written(lookup)
  local names = {position_ids = range(0, 4)}
  local position_embedding = embedding(P)
  for _ = 1, 2 do position_embedding = position_embedding(names[lookup]) end
end

-- A program that stops is refuted by what it says when it does.
function runs(text, f, ...)
  local said = complaint(f, ...)
  return measure {
    claim = text, samples = 1, bound = 0,
    why = says{en = "a program that runs raises no error", zh = "程序能运行就不会报错"},
    f = function() return said and 1 or 0, said end,
  }
end

local position_ids = range(0, 4)
local position_embedding = embedding(P)
local function twice(X) -- two batches, as the notes mean it
  local out = {}
  for batch = 1, 2 do out[batch] = X + position_embedding(position_ids) end
  return out
end
return {
  written = {
    runs({en = "the program as printed", zh = "原来的程序"}, as_written, "position_id"),
    runs({en = "the same with the first fault mended", zh = "同上，改好了第一处"}, as_written, "position_ids"),
  },
  mended = measure {
    claim = {en = "the right one: looked up twice, added to the words", zh = "改好的程序：查两次表，再加到词向量上"}, samples = 20, seed = 5,
    bound = 0, why = says{en = "the same rows are added", zh = "加的是同样的几行"},
    f = function(g)
      local X = randn(g, 5, d)
      local out, by_hand = twice(X), zeros(5, d)
      for t = 1, 5 do
        for c = 1, d do by_hand[{t, c}] = X(t, c) + P(t, c) end
      end
      return stack(out) - by_hand
    end,
  },
}

-- %% [markdown] ref="free" lang="en"
-- ## Every row by itself
-- The lecture notes on self-attention praise learned tables as *flexible*: every position can be fitted to the data. What does that mean? Suppose that at each place $t$ of a text the vector
-- $y_t$ would be best, and let the loss $f$ be half the sum of the squares $|P_t - y_t|^2$. The gradient of $f$ in the table is, row by row,
--
-- $$\frac{\partial f}{\partial P_t} = P_t - y_t$$
--
-- and exactly 0 in every row whose place does not occur. Rows do not influence each other: one step down the gradient, with step size 1, fits all of them at once, whatever the $y_t$ are.
-- That is flexible, and it has its price: 512 rows of 768 numbers are 393216 parameters, where sinusoids have none.

-- %% [markdown] ref="free" lang="zh"
-- ## 每行各管各的
-- 课程笔记称赞学出来的表*灵活*：每个位置都能按数据来拟合。这是什么意思？设文本里每个位置 $t$ 最好取向量 $y_t$，令损失 $f$ 为各个
-- $|P_t - y_t|^2$ 之和的一半。$f$ 对表的梯度，逐行写就是
--
-- $$\frac{\partial f}{\partial P_t} = P_t - y_t$$
--
-- 凡位置没有出现的行，梯度恰好是 0。各行互不相干：沿梯度下降走一步，步长取 1，所有的行一齐拟合，不管 $y_t$ 是什么。
-- 这就是灵活，代价是：512 行、每行 768 个数，共 393216 个参数，而正弦编码一个也没有。

-- %% ref="free" claim="sa/learned-flexible"
local learned_ones = count_parameters {table = zeros(512, 768)}
print(says{en = "parameters: %d, and for sinusoids: %d", zh = "参数：%d，正弦编码：%d"}
  :format(learned_ones, count_parameters {}))
-- Half the sum of squares that places want of a table.
local function wish(P, places, y) return sum((take(P, places + 1) - y)^2) / 2 end
-- The gradient less the formula; and what is left to wish after one step.
local function one_step(g)
  local N, d = 12, 4
  local P, places, y = randn(g, N, d), array{7, 0, 3}, randn(g, 3, d)
  local gradient = grad(function(P) return wish(P, places, y) end)(P)
  local wanted = zeros(N, d)
  for i = 1, 3 do
    wanted[places(i) + 1] = P[places(i) + 1] - y[i]
  end
  return gradient - wanted, take(P - gradient, places + 1) - y
end
return {
  figure({en = "parameters of a table of 512 positions, d = 768", zh = "512 个位置、d = 768 的表的参数个数"}, learned_ones, "393216"),
  figure({en = "parameters of sinusoids", zh = "正弦编码的参数个数"}, count_parameters {}, "0"),
  measure {
    claim = {en = "the gradient, row by row; 0 in rows that do not occur", zh = "逐行的梯度；没有出现的行为 0"},
    samples = 30, seed = 8, bound = 0,
    why = says{en = "halving and doubling are exact, and each row occurs once", zh = "减半与加倍都是精确的，每行只出现一次"},
    f = function(g) return (one_step(g)) end,
  },
  measure {
    claim = {en = "after one step each row has what it wants", zh = "走一步之后，每行都得到它要的值"},
    samples = 30, seed = 8, bound = 2^-50,
    why = says{en = "P - (P - y) for |P|, |y| < 8: two roundings, together below 2^-50", zh = "P - (P - y)，|P|、|y| < 8：两次舍入，合起来小于 2^-50"},
    f = function(g)
      local _, left = one_step(g)
      return left
    end,
  },
}

-- %% ref="free"
-- Places 0, 3 and 7 occur, and all want 1 in every column.
local g = rng(9)
local before, occur = randn(g, 12, 16) / 4, array{7, 0, 3}
local down = grad(function(P) return wish(P, occur, 1) end)(before)
local after = before - down
return heatmap(after, {
  title = says{en = "after one step: only the rows of places 0, 3 and 7 have moved", zh = "走一步之后：只有位置 0、3、7 的行变了"}, xlabel = says{en = "column", zh = "列"},
  ylabel = says{en = "place", zh = "位置"}, y = {0, 11},
})

-- %% [markdown] ref="end-of-table" lang="en"
-- ## Where the table ends
-- A table of $T$ rows, learned from texts of at most $T$ words, says nothing about place $T$: there is no formula to continue, and no row that was ever trained. It cannot *extrapolate* in
-- length. (The lecture notes count from 1 and write the positions as columns; in either count the first place that does not exist is the one after the last.)
--
-- What do people do? Most cut the text off at 512 words, or read it in pieces. If longer texts must be read, one adds rows and trains them; vision transformers, when the image grows,
-- interpolate between the rows they have and train on.

-- %% [markdown] ref="end-of-table" lang="zh"
-- ## 表到头了
-- 一张 $T$ 行的表，是从不超过 $T$ 个词的文本里学来的，对位置 $T$ 无话可说：没有公式可以接着算，也没有哪一行受过训练。
-- 它做不到*长度外推*。（课程笔记从 1 数
-- 起，把位置写成列；无论怎么数，第一个不存在的位置总是最后一个的下一个。）
--
-- 实际中怎么办？多半是把文本截断到 512 个词，或者分段来读。非读更长的不可，就添几行再训练；视觉 Transformer 遇到更大的图，
-- 则在已有的行之间插值，
-- 再接着训练。

-- %% ref="end-of-table" claim="sa/learned-no-extrapolation"
local refused, g = 0, rng(6)
for _ = 1, 40 do
  local T = 1 + g:below(60)
  if refuses(randn(g, T, 4), T + 1, T) then refused = refused + 1 end
end
return {
  figure({en = "of 40 tables with T rows, those that refuse place T", zh = "40 张 T 行的表中，拒绝位置 T 的"}, refused, "40"),
  measure {
    claim = {en = "the last place, T - 1, gives the last row", zh = "最后一个位置 T - 1 取到最后一行"},
    samples = 40, seed = 6, bound = 0,
    why = says{en = "T rows serve the places 0 to T-1", zh = "T 行供位置 0 到 T-1 使用"},
    f = function(g)
      local T = 1 + g:below(60)
      local table = randn(g, T, 4)
      return learned(table, array{T - 1}) - table[{ {T, T}, {} }], "T = " .. T
    end,
  },
}

-- %% [markdown] ref="count" lang="en"
-- ## Exercise: how many rows
-- A model keeps the places up to `padding` free of words, numbers its words from `padding + 1` on and reads texts of up to $T$ words. Write `rows(T, padding)`: how many rows its table
-- needs, row 1 being place 0. (For RoBERTa `padding` is 1.)

-- %% [markdown] ref="count" lang="zh"
-- ## 练习：要多少行
-- 某模型把直到 `padding` 的位置都空出来，词从 `padding + 1` 数起，能读至多 $T$ 个词的文本。写一个函数 `rows(T, padding)`：表需要多少行，第
-- 1 行是位置 0。（RoBERTa 的 `padding` 是 1。）

-- %% role="exercise" ref="count" points=1
function rows(T, padding)
  --- BEGIN SOLUTION
  return T + padding + 1
  --- END SOLUTION
end

-- %% role="hint" ref="count" lang="en"
-- Which place does the last of $T$ words have?
-- %% role="hint" ref="count" lang="zh"
-- $T$ 个词里的最后一个，位置是多少？

-- %% role="hint" ref="count" lang="en"
-- The last word stands at place `padding` + $T$, and places begin at 0.
-- %% role="hint" ref="count" lang="zh"
-- 最后一个词在位置 `padding` + $T$，而位置是从 0 数起的。

-- %% role="check" ref="count"
local n = rows(512, 1)
feedback(type(n) == "number", {en = "`rows` must return a number.", zh = "`rows` 要返回一个数。"})
feedback(n ~= 512, {
  en = "512 rows end at place 511. The words begin at place 2, so the last of them stands at 513.",
  zh = "512 行只到位置 511。词从位置 2 数起，最后一个在 513。",
})
feedback(n ~= 513, {
  en = "513 rows end at place 512, and the last word stands at 513: place 0 needs a row as well.",
  zh = "513 行只到位置 512，而最后一个词在 513：位置 0 也占一行。",
})
feedback(same(n, 514, {what = "rows(512, 1)"}))
--- BEGIN HIDDEN TESTS
feedback(same(rows(10, 0), 11, {what = "rows(10, 0)"}))
feedback(same(rows(100, 7), 108, {what = "rows(100, 7)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="count" expect="end at place 511"
function rows(T, padding) return T end

-- %% role="wrong" ref="count" expect="place 0 needs a row"
function rows(T, padding) return T + padding end

-- %% [markdown] ref="better" lang="en"
-- ## Which is better?
-- A learned table or a fixed one of sines and cosines? Su Jianlin's article says in its own section for discussion: experiments have shown that learned tables do somewhat better than
-- sinusoids in models like BERT. This is a statement about trained models, and no formula decides it. So an experiment trains small masked models with either, and judges by a rule that was
-- written before the runs. *Predict:* which has the smaller loss at this size?
--
-- The models are tiny: after 2500 steps their loss, the mean of $-\ln p$ for the right character, is 2.72 nats, little below what the frequencies of letters give. So whatever shows here, or
-- does not, says little about larger models.

-- %% [markdown] ref="better" lang="zh"
-- ## 哪个更好？
-- 学一张表，还是用正弦、余弦的固定表？苏剑林的文章在“问题讨论”一节里承认：有实验表明，在 BERT 这类模型里，
-- 学出来的表比正弦编码要好些。
-- 这是关于训练好的模型的说法，没有公式能够裁决。于是做一个实验：两种表各训练一批小型掩码模型，按照运行之前写好的规则来判。
-- *先猜一猜*：在这个规模上，哪种的损失小？
--
-- 这些模型很小：2500 步之后，损失（正确字符的 $-\ln p$ 的平均）是 2.72 奈特，比光看字母频率好不了多少。
-- 所以这里看得出、看不出差别，都说明不了更大的模型。

-- %% ref="better" claim="su/learned-beats-sinusoidal"
return experiment "learned"

-- %% [markdown] ref="from-mask" lang="en"
-- ## Exercise: places from a mask
-- Short texts are filled up with *padding*, so that all texts of a batch have the same length; the places must count words only. `mask` is an array of $n$ numbers, 1 where a word stands and
-- 0 where there is padding, in front or behind. Write `places(mask)`: words are numbered from 0 in their order; padding gets 0 as well, since nobody looks at it.

-- %% [markdown] ref="from-mask" lang="zh"
-- ## 练习：照掩码数位置
-- 一批文本要一样长，短的就用*填充*补齐；数位置时只能数词。`mask` 是 $n$ 个数的数组，有词处为 1，填充处为 0，填充可在前也可在后。
-- 写一个函数 `places(mask)`：词按先后从 0
-- 编号；填充也给 0，反正没有人看它。

-- %% role="exercise" ref="from-mask" points=1
function places(mask)
  --- BEGIN SOLUTION
  return (cumsum(mask) - 1) * mask
  --- END SOLUTION
end

-- %% role="hint" ref="from-mask" lang="en"
-- How many words stand up to and including column $j$? `cumsum` counts them.
-- %% role="hint" ref="from-mask" lang="zh"
-- 到第 $j$ 列为止（含）有多少个词？`cumsum` 数的就是这个。

-- %% role="hint" ref="from-mask" lang="en"
-- The first word must be number 0, so subtract 1. What is padding then, in front and behind? Multiply by the mask.
-- %% role="hint" ref="from-mask" lang="zh"
-- 第一个词要编作 0，所以减去 1。这时前面和后面的填充各成了什么？再乘上掩码。

-- %% role="check" ref="from-mask"
local got = places(array{0, 0, 1, 1, 1, 0})
feedback(not same(got, array{0, 1, 2, 3, 4, 5}) and not same(got, array{0, 0, 2, 3, 4, 0}), {
  en = "These are the numbers of the columns. The first word stands in column 3 and must still have place 0.",
  zh = "这是列号。第一个词在第 3 列，可它的位置仍应是 0。",
})
feedback(not same(got, array{0, 0, 1, 2, 3, 0}) and not same(got, array{0, 0, 1, 2, 3, 3}), {
  en = "The words are numbered from 1; the first of them has place 0.",
  zh = "词从 1 编号了；第一个词的位置是 0。",
})
feedback(not same(got, array{-1, -1, 0, 1, 2, 2}), {
  en = "The words are right. Padding got -1 in front, which is no place at all, and 2 behind.",
  zh = "词的编号对了。但前面的填充得了 -1，根本不是位置；后面的得了 2。",
})
feedback(same(got, array{0, 0, 0, 1, 2, 0}, {what = "places({0, 0, 1, 1, 1, 0})"}))
--- BEGIN HIDDEN TESTS
feedback(same(places(array{1, 1, 1}), array{0, 1, 2}, {what = "places({1, 1, 1})"}))
feedback(same(places(array{0, 1}), array{0, 0}, {what = "places({0, 1})"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="from-mask" expect="numbers of the columns"
function places(mask) return range(0, mask.size - 1) end

-- %% role="wrong" ref="from-mask" expect="numbered from 1"
function places(mask) return cumsum(mask) * mask end

-- %% role="wrong" ref="from-mask" expect="no place at all"
function places(mask) return cumsum(mask) - 1 end

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *Another first number.* RoBERTa keeps place 1 for padding and numbers real words from 2 on. Its table has 514 rows for texts of 512 words. If you number positions from 0, you use rows
-- trained for something else, and no error appears.
--
-- *Padding on the left.* If short texts are filled up in front, the first real word does not stand at place 0. The places must be counted from the mask, not from the column.
--
-- *Rows never seen.* If almost all training texts are short, the far rows are hardly trained: the table has them, and they keep their initial values. In the small training above, place 20
-- occurs in about one text of 150.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *起点不同*。RoBERTa 把 1 号位置留给填充，真正的词从 2 数起，所以 512 个词的文本要 514 行的表。谁若仍从 0 给词编号，
-- 用到的就是为别的用途训练的行，而且没有任何报错。
--
-- *左侧填充*。短文本若从前面补齐，第一个真正的词就不在位置 0。位置要照掩码来数，不能照列号来数。
--
-- *没见过的行*。训练文本若大都很短，靠后的行几乎没有训练过：表里有它们，里面装的还是初始化时的数。前面训练的那张小表，
-- 大约 150 段文本里才有一段出现位置 20。

-- %% ref="practice"
roberta = randn(rng(7), 514, 4)
local fits = learned(roberta, 512, {offset = 2})
print(says{en = "512 words from place 2: %d rows", zh = "512 个词，从位置 2 数起：%d 行"}:format(fits.shape[1]))
local more = complaint(learned, roberta, 513, {offset = 2})
print(says{en = more:gsub("; ", ";\n  "), zh = "再多一个词：表中没有位置 514"})
local shown = array{0, 0, 1, 1, 1}           -- two of padding, three words
local places = maximum(cumsum(shown) - 1, 0) -- counted from the mask
print(says{en = "places of the three words: %d, %d, %d", zh = "三个词的位置：%d、%d、%d"}:format(places(3), places(4), places(5)))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- A learned table is a linear lookup, free in every row and finished after the last. Nothing in it says that rows near each other belong together: it must learn that. The lesson
-- `sinusoids` builds a table from a formula instead, which has no end and nothing to learn.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 学出来的表就是一次线性查找，每一行都自由，过了最后一行就没有了。它对距离一无所知：相邻的行彼此相近，要靠
-- 它自己去学。`sinusoids` 一课改用公式来造表，没有尽头，也没有什么要学。

-- %% [markdown] ref="trained" lang="en" part="appendix"
-- ## Are the components uncorrelated?
-- Su's argument works best if the components of word and position vectors are nearly uncorrelated (why, the lesson `hessian` says). He looked into BERT: he took the rows $x_1, \dots, x_n$
-- of its word table, and those of its position table, as samples of a random vector, and found their covariance
--
-- $$C = \frac{1}{n-1}\sum_{r=1}^{n} (x_r - \bar{x})(x_r - \bar{x})^{\top}$$
--
-- clearly larger on the diagonal than off it, and the word vectors longer than the position vectors. He gives no figure. We use this one: the root mean square of $C_{ij}$,
-- $i \ne j$, over the mean of $C_{ii}$. For independent coordinates it is not 0 either, since $n$ rows are a sample: it is near $1/\sqrt{n-1}$.
--
-- The two tables below are *made*, not trained: independent coordinates, mixed a little for words and much for positions. They show how the figure behaves, and say nothing about any model.
--
-- > **How near to the root**
-- > For normal coordinates of variance 1 each of the $d(d-1)/2$ squares $C_{ij}^2$ has mean $1/(n-1)$ and about twice the square of that as its variance, and each $C_{ii}$ the variance
-- > $2/(n-1)$; we allow five standard errors.

-- %% [markdown] ref="trained" lang="zh" part="appendix"
-- ## 各个分量大体不相关吗？
-- 苏剑林的推导希望词向量、位置向量的各个分量大体互不相关（为什么，见 `hessian` 一课）。他查看过 BERT：
-- 把词表的各行 $x_1, \dots, x_n$ 看成某个随机向量的样本，位置表也一样，算出协方差
--
-- $$C = \frac{1}{n-1}\sum_{r=1}^{n} (x_r - \bar{x})(x_r - \bar{x})^{\top}$$
--
-- 发现对角线上的元素明显大于其余元素，而且词向量比位置向量长。他没有给出数字。我们用这样一个：$C_{ij}$（$i \ne j$）的均方根，
-- 除以 $C_{ii}$ 的平均值。坐标即使
-- 互相独立，它也不会是 0，因为 $n$ 行只是一份样本：它大约是 $1/\sqrt{n-1}$。
--
-- 下面的两张表是*造*出来的，不是训练出来的：坐标本来独立，词表稍微混合一下，位置表混合得厉害。它们只演示这个数字怎样变化，
-- 说明不了任何模型。
--
-- > **离这个平方根有多近**
-- > 坐标若是方差为 1 的正态变量，那 $d(d-1)/2$ 个 $C_{ij}^2$ 的均值都是 $1/(n-1)$，方差约为它平方的两倍，而各个 $C_{ii}$ 的方差是 $2/(n-1)$；
-- > 我们容许五倍标准误。

-- %% ref="trained"
-- Covariances off the diagonal (root mean square), as a part of those on it
-- (mean).
function off_diagonal(X)
  local n, d = X.shape[1], X.shape[2]
  local Y = X - mean(X, 1)
  local C = matmul(Y.T, Y) / (n - 1)
  local on = diag(C)
  local square = (sum(C * C) - sum(on * on)) / (d * (d - 1))
  return sqrt(math.max(0, square)) / mean(on)
end
function mean_length(X) return mean(sqrt(sum(X * X, 2))) end

local g, n, wide = rng(2021), 4000, 64
local function mixing(size) return eye(wide) + size * randn(g, wide, wide) end
local independent = randn(g, n, wide) + 3 -- the mean does not matter
local words = matmul(randn(g, n, wide), mixing(0.01))
local places = 0.3 * matmul(randn(g, 512, wide), mixing(0.2))
local function line(name, X)
  print(name .. says{en = " off the diagonal %.4f of it, length %5.2f", zh = " 非对角占对角的 %.4f，长度 %5.2f"}
    :format(off_diagonal(X), mean_length(X)))
end
print(("1/sqrt(n-1) = %.4f"):format(1 / sqrt(n - 1)))
line(says{en = "independent:", zh = "互相独立："}, independent)
line(says{en = "made words: ", zh = "造的词：  "}, words)
line(says{en = "made places:", zh = "造的位置："}, places)
return measure {
  claim = {en = "independent coordinates: the figure times sqrt(n-1), less 1",
    zh = "各坐标独立时：该数乘以 sqrt(n-1) 再减 1"},
  value = off_diagonal(independent) * sqrt(n - 1) - 1,
  bound = 5 * (sqrt(2 / (wide * (wide - 1) / 2)) / 2
    + sqrt(2 / ((n - 1) * wide))),
  why = says{en = "five standard errors: half that of a mean of squares under the root, and that of the mean in the denominator",
    zh = "五倍标准误：根号下平方平均的误差取一半，另加分母里均值的误差"},
}

-- %% [markdown] ref="real-model" lang="en"
-- Only a trained model settles the statement. With the file of one, a `.safetensors` or `.npz`, and the names of its two tables, ask
--
-- `phasor check su/embedding-covariance --model FILE --word KEY --position KEY`
--
-- or, with a file `.npy` for each table, `phasor check su/embedding-covariance --word FILE --position FILE`. We read "clearly larger" as ten times larger. Even
-- independent coordinates show $1/\sqrt{n-1}$ in a sample of $n$ rows, so its square is allowed in addition. Without a file the small models of an experiment are asked; where its runs are
-- missing the verdict is *unknown*.

-- %% [markdown] ref="real-model" lang="zh"
-- 这个说法只有训练好的模型才能裁决。如果手头有一个模型文件（`.safetensors` 或 `.npz`），又知道两张表的名字，就运行
--
-- `phasor check su/embedding-covariance --model FILE --word KEY --position KEY`
--
-- 若两张表各是一个 `.npy` 文件，就运行 `phasor check su/embedding-covariance --word FILE --position FILE`。
-- “明显大于”在这里取作十倍以上。即使坐标互相独立，$n$ 行的样本也会显出 $1/\sqrt{n-1}$，
-- 所以界里再加上它的平方。没有文件时，就去问一个实验里训练的小模型；缺少运行时，结论就是*未定*。

-- %% ref="real-model" claim="su/embedding-covariance"
local words, places = trained()
if not words then return experiment "covariance" end
local ten = says{en = "clearly larger is read as ten times larger, the source has no figure; n rows add 1/(n-1) to its square",
  zh = "来源没有给数字，这里把“明显更大”读作大十倍；n 行使平方再添 1/(n-1)"}
local function at_most(X) return sqrt(1 / 100 + 1 / (X.shape[1] - 1)) end
return {
  measure {
    claim = {en = "word covariance off the diagonal, as a part of that on it", zh = "词向量协方差的非对角部分与对角部分之比"},
    value = off_diagonal(words), bound = at_most(words), why = ten,
  },
  measure {
    claim = {en = "position covariance off the diagonal, as a part of that on it",
      zh = "位置向量协方差的非对角部分与对角部分之比"},
    value = off_diagonal(places), bound = at_most(places), why = ten,
  },
  measure {
    claim = {en = "mean length of a position, as a part of a word's", zh = "位置向量的平均长度与词向量之比"},
    value = mean_length(places) / mean_length(words), bound = 1,
    why = says{en = "the statement itself: words are longer", zh = "就是命题本身：词向量更长"},
  },
}
