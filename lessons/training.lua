-- Positions in trained models: what the formulas leave open, runs decide. Train a small transformer, read it beyond its length, and judge
-- comparisons of such runs.
-- Cells run in order, in one environment.

-- %% [markdown] ref="intro" lang="en"
-- # Ask a trained model
-- In 2017 the authors of the Transformer chose sinusoids, because they *may allow the model to extrapolate* to longer texts than those of training.
-- In 2021 Press and others asked trained models: they hardly can. A formula says what an encoding *can* tell apart. It does not say what a model
-- does with it.
--
-- So we train models. We ask for something that needs positions and nothing else: every token is random, and the model must name the token three
-- places back. With $V = 8$ tokens a guess costs $\ln 8 \approx 2.08$ nats a token (a nat is the unit of a loss with natural logarithms). Below is
-- one batch: a line of inputs, and what should be said.
--
-- *Predict before you go on:* we train one model with rotations and one with T5's bias, both on 16 positions. Which of them works at twice the
-- length, and at four times?

-- %% [markdown] ref="intro" lang="zh"
-- # 去问训练好的模型
-- 2017 年，Transformer 的作者选用正弦编码，
-- 理由之一是它*也许能让模型外推*到比训练时更长的文本。2021 年，Press 等人去问了训练好的模型：几乎不能。
-- 公式说得清一种编码*能*区分什么，说不清模型会怎样使用它。
--
-- 所以我们来训练模型。出一道只靠位置的题：每个词元都是随机的，模型要说出往前数第三个词元是什么。在 $V = 8$ 个词元里瞎猜，
-- 每个词元的损失是 $\ln 8 \approx 2.08$ 奈特（nat，损失取自然对数时的单位）。下面是一批数据：一行输入，以及应当说出的词元。
--
-- *先猜一猜*：一个模型用旋转编码，一个用 T5 的偏置，都在 16 个位置上训练。长度加到两倍、四倍，哪一个还管用？

-- %% ref="intro"
data = task {name = "offset", offset = 3, vocab = 8}
local batch = data.batch(rng(1), 1, 16)
local function line(numbers)
  local out = {}
  for k, x in ipairs(numbers:totable()) do out[k] = ("%d"):format(x // 1) end
  return table.concat(out, " ")
end
print(says{en = "inputs:  ", zh = "输入："} .. line(batch.inputs[1]))
print(says{en = "targets:       ", zh = "目标：      "} .. line(batch.targets))

-- %% [markdown] ref="guess" lang="en"
-- ## First: what does a guess cost?
-- A model that knows nothing gives each of `V` tokens the same probability. Its loss on a token is minus the natural logarithm of the probability of
-- the right one. Set `loss` to that loss, in nats, for your `V`. A model has learned something only if its loss is smaller than this.

-- %% [markdown] ref="guess" lang="zh"
-- ## 先算一算：瞎猜的损失是多少？
-- 一个什么也没学到的模型，给 `V` 个词元同样的概率。它在一个词元上的损失，等于正确词元概率的自然对数取负。
-- 按你的 `V` 算出这个损失（奈特），赋给 `loss`。损失比它小，才说明模型学到了东西。

-- %% role="exercise" ref="guess" points=1 variants=6
V = ({16, 4, 50, 256, 1000, 50257})[variant]
--- BEGIN SOLUTION
loss = log(V)
--- END SOLUTION

-- %% role="hint" ref="guess" lang="en"
-- The probability of the right token is $1/V$.
-- %% role="hint" ref="guess" lang="zh"
-- 正确词元的概率是 $1/V$。

-- %% role="hint" ref="guess" lang="en"
-- $-\ln(1/V) = \ln V$; `log` is the natural logarithm.
-- %% role="hint" ref="guess" lang="zh"
-- $-\ln(1/V) = \ln V$；`log` 就是自然对数。

-- %% role="check" ref="guess"
local V = ({16, 4, 50, 256, 1000, 50257})[variant]
feedback(type(loss) == "number", {en = "`loss` must be a number.", zh = "`loss` 要是一个数。"})
feedback(not same(loss, 1 / V), {
  en = "That is the probability of the right token. The loss is minus its logarithm.",
  zh = "这是正确词元的概率。损失是它的对数取负。",
})
feedback(not same(loss, -log(V)), {
  en = "The sign is wrong: a probability below 1 has a negative logarithm, and the loss is minus that.",
  zh = "符号反了：小于 1 的概率，对数为负，损失还要再取负。",
})
feedback(not same(loss, log(V) / log(2), {tol = 1e-6}), {
  en = "That is in bits. Nats use the natural logarithm.",
  zh = "这是以比特计的。奈特用自然对数。",
})
feedback(same(loss, log(V), {what = "loss", tol = 1e-3}))

-- %% role="wrong" ref="guess" expect="probability of the right token"
loss = 1 / ({16, 4, 50, 256, 1000, 50257})[variant]

-- %% role="wrong" ref="guess" expect="sign is wrong"
loss = -log(({16, 4, 50, 256, 1000, 50257})[variant])

-- %% role="wrong" ref="guess" expect="in bits"
loss = log(({16, 4, 50, 256, 1000, 50257})[variant]) / log(2)

-- %% [markdown] ref="train" lang="en"
-- ## Train one here
-- Training is a loop over steps. Each step draws a batch, computes the loss and its gradient by every parameter, and the optimiser AdamW moves the
-- parameters a little. Below, a model of two layers learns the task from 200 batches; its loss is printed at every fortieth. It begins a little above $\ln 8$.
-- Where will it end?

-- %% [markdown] ref="train" lang="zh"
-- ## 当场训练一个
-- 训练就是一个按步走的循环：每一步抽一批数据，算出损失和它对每个参数的梯度，再由优化器 AdamW 更新一次参数。
-- 下面这个两层的模型用 200 批数据学这道题，每 40 步打印一次损失：从略高于 $\ln 8$ 处开始，最后会降到多少？

-- %% ref="train"
function new_run(position)
  local model = {length = 16, d = 32, heads = 4, hidden = 64, position = position}
  return trainer {model = model, data = data, steps = 200, batch = 16,
                  rate = 5e-3, warmup = 20, seed = 1}
end
rotations = new_run("rope")
for step, loss in rotations do
  if step % 40 == 1 then print(says {en = "step %3d  loss %.3f", zh = "第 %3d 步  损失 %.3f"}:format(step, loss)) end
end
return named({en = "after 200 steps the loss is below 0.1 nats", zh = "200 步之后损失不到 0.1 奈特"},
  measure {value = rotations.loss, bound = 0.1, why = says{en = "a twentieth of what a guess costs", zh = "瞎猜的损失的二十分之一"}})

-- %% [markdown] ref="beyond" lang="en"
-- ## Read it beyond its length
-- The same parameters, longer texts: nothing is trained here. Compare the loss at 16, where the model was trained, with the loss at 24, 32 and 64.
-- Then the same for T5's bias with 16 buckets and `max_distance` 12: from there on all distances share a bucket, so a longer text holds no bias that
-- was never trained.
--
-- Was your prediction right? Note what you see, and keep in mind that it is *one* seed each, at one length: a picture, and not yet a result.

-- %% [markdown] ref="beyond" lang="zh"
-- ## 读得比训练时更长
-- 参数不变，只把文本加长，不再训练。比较训练长度 16 上的损失与 24、32、64 上的损失；再对 T5 的偏置做一遍，
-- 取 16 个桶、`max_distance` 为 12：从这个距离起所有距离共用一个桶，文本再长也不会出现没训练过的偏置。
--
-- 你猜对了吗？记下你看到的，也别忘了每种编码这里只有*一个*种子、一种训练长度：这只是一张图，还算不上结果。

-- %% ref="beyond"
biases = new_run {name = "t5", max_distance = 12,
  call = "learned(16, H), T, {direction = 'causal'}"}
for _ in biases do end
lengths = {16, 24, 32, 64}
local function read_longer(run)
  local out = {}
  for k, n in ipairs(lengths) do out[k] = run:test {length = n} end
  return out
end
local by_rotation, by_bias = read_longer(rotations), read_longer(biases)
for k, n in ipairs(lengths) do
  print(says {en = "length %2d   rotations %6.3f   T5's bias %6.3f", zh = "长度 %2d   旋转 %6.3f   T5 的偏置 %6.3f"}
    :format(n, by_rotation[k], by_bias[k]))
end
return plot(lengths, {by_rotation, by_bias},
  {labels = {"rope", "t5"}, title = says {en = "loss by length, trained at 16", zh = "损失随长度的变化，训练长度 16"}, style = "both",
   xlabel = says {en = "length", zh = "长度"}, ylabel = says {en = "nats", zh = "奈特"}})

-- %% [markdown] ref="fair" lang="en"
-- ## Exercise: the same targets
-- Before you trust such a curve: which targets is it over? Someone reads a model at two lengths and compares mean losses. At the longer length the
-- late targets have more context, and the early ones are the same as before. So the two means are over *different* targets. A fair comparison keeps
-- the targets.
--
-- Write `fair(short, long)`. Both are lists of losses by place, and the last entry of both is for the same last token; `long` has more places, in
-- front. Return the mean of the differences, long less short, over the targets that both have.

-- %% [markdown] ref="fair" lang="zh"
-- ## 练习：同样的目标
-- 先别急着相信这样的曲线：它是对哪些目标求的平均？有人在两个长度上读同一个模型，比较平均损失。长度加大以后，
-- 靠后的目标上文更多，靠前的目标还和原来一样，所以两个平均数取自*不同的*目标。公平的比较要固定目标。
--
-- 写一个函数 `fair(short, long)`：两张按位置排列的损失表，最后一项都属于同一个末尾词元；`long` 前面多出一些位置。
-- 在两者共有的目标上，求差（长减短）的平均值。

-- %% role="exercise" ref="fair" points=2
function fair(short, long)
  --- BEGIN SOLUTION
  local sum, more = 0, #long - #short
  for k = 1, #short do sum = sum + long[k + more] - short[k] end
  return sum / #short
  --- END SOLUTION
end

-- %% role="hint" ref="fair" lang="en"
-- Which entry of `long` belongs to the first entry of `short`?
-- %% role="hint" ref="fair" lang="zh"
-- `short` 的第一项对应 `long` 的第几项？

-- %% role="hint" ref="fair" lang="en"
-- Entry $k$ of `short` belongs to entry $k + n$ of `long`, where $n$ is how many places `long` has more.
-- %% role="hint" ref="fair" lang="zh"
-- `short` 的第 $k$ 项对应 `long` 的第 $k + n$ 项，其中 $n$ 是 `long` 多出的位置数。

-- %% role="check" ref="fair"
local short, long = {3, 1}, {9, 9, 2, 4}
local got = fair(short, long)
feedback(type(got) == "number", {en = "`fair` must return a number.", zh = "`fair` 要返回一个数。"})
feedback(not same(got, 4), {
  en = "That is the difference of the means over all places: the places that only the long text has are in it.",
  zh = "这是对所有位置求平均再相减：只有长文本才有的位置也算进去了。",
})
feedback(not same(got, 7), {
  en = "You compare from the front; the two texts have their *last* tokens in common.",
  zh = "你是从开头对齐的；两段文本共有的是*末尾*的词元。",
})
--- BEGIN HIDDEN TESTS
feedback(same(fair({1, 2, 3}, {5, 4, 4, 4}), 2, {what = "fair({1, 2, 3}, {5, 4, 4, 4})"}))
feedback(same(fair({2}, {7, 5}), 3, {what = "fair({2}, {7, 5})"}))
feedback(same(fair({1, 4}, {2, 2}), -0.5, {what = "fair({1, 4}, {2, 2})"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="fair" expect="over all places"
function fair(short, long) return mean(array(long)) - mean(array(short)) end

-- %% role="wrong" ref="fair" expect="from the front"
function fair(short, long)
  local sum = 0
  for k = 1, #short do sum = sum + long[k] - short[k] end
  return sum / #short
end

-- %% [markdown] ref="inside" lang="en"
-- ## Look inside
-- Why does the model with rotations fail at 64, after so good a beginning? `probe` opens it. The first picture is the attention map of a head in the
-- second layer, a row for each query: the head has found the token three places back. The first three queries have no such token; their weight goes
-- elsewhere, and nothing depends on it.
--
-- How does that head know the distance? The second picture shows its scores by distance on a text of 48 tokens, the mean over all queries. The
-- fastest pair turns by 1 radian a step, so its part of the score comes back every $2\pi \approx 6.3$ places: there are peaks near 3, 9, 15 and so
-- on. Within the 16 places of training the slower pairs keep the other peaks below the one at 3. Farther on nothing was trained. *Look for peaks as
-- high as the one at 3*: for a late query the token there looks right as well, and gets weight.

-- %% [markdown] ref="inside" lang="zh"
-- ## 看看里面
-- 旋转编码的模型开头那么好，为什么到 64 就不行了？`probe` 打开这个模型。第一幅图是第二层一个头的注意力图，
-- 每一行对应一个查询：这个头找到了往前第三个词元。最前面三个查询没有这样的词元，权重落到了别处，题目也不问它们。
--
-- 这个头怎么知道距离？第二幅图是它在 48 个词元的文本上的打分随距离的变化，对所有查询取平均。最快的一对每步转 1 弧度，
-- 它对打分的贡献每隔 $2\pi \approx 6.3$ 个位置就重来一次：3、9、15 等处附近都有峰。在训练见过的 16 个位置之内，
-- 较慢的各对把其余的峰压在 3 处之下；再远就没有训练过了。*找一找与 3 处一样高的峰*：对靠后的查询来说，
-- 那里的词元看上去也对，于是也分到权重。

-- %% ref="inside"
local look, near = probe(rotations.model), data.batch(rng(7), 1, 16).inputs[1]
display(heatmap(look:attention(near, 2)[1], {title = says {en = "a head of layer 2: weights", zh = "第二层的一个头：权重"},
  xlabel = says {en = "key", zh = "键"}, ylabel = says {en = "query", zh = "查询"}}))
local far = data.batch(rng(7), 1, 48).inputs[1]
display(plot(range(0, 47), look:by_distance(far, 2)[1], {style = "both", title = says {en = "its score by distance", zh = "它的打分随距离的变化"},
  xlabel = says {en = "distance", zh = "距离"}, ylabel = says {en = "score", zh = "打分"}}))
local weights = look:by_distance(near, 2, "weights")
return named({en = "a head gives the token three back more than nine tenths of its weight",
    zh = "有一个头把九成以上的权重给了往前第三个词元"},
  measure {value = 1 - max(weights[{{}, {4, 4}}]), bound = 0.1, why = says{en = "the other tokens share a tenth", zh = "其余词元合占十分之一"}})

-- %% [markdown] ref="seven" lang="en"
-- ## The experiment
-- In our run, rotations were faultless at twice their length. Would you write into a paper that they read twice their length? An experiment needs
-- four things more:
--
-- - several seeds: here ten for each encoding, now trained at length 32, with 16 tokens;
-- - a rule that was written before the first run. Let $D$ be the loss on the targets beyond place 32, at length 64, less the loss at length 32; an
--   encoding fails if the interval of $D$ lies above 1 nat;
-- - a control that should not fail, T5's bias: if it failed too, the task or the training would be to blame;
-- - intervals instead of single numbers.
--
-- The picture shows the means over the seeds. ALiBi, KERPLE and a model without positions (NoPE) have not learned this task in the time given: they
-- lose 1.4 to 2.0 nats at length 32, where a guess costs $\ln 16 \approx 2.77$. Their flat curves say nothing about length. (The results travel with
-- the program; `phasor experiment run extrapolation` makes them anew.)

-- %% [markdown] ref="seven" lang="zh"
-- ## 做成实验
-- 在我们那次运行里，旋转编码到两倍长度还毫无差错。你会在论文里写“旋转编码能读两倍长度”吗？要成为实验，还差四样：
--
-- - 多个种子：这里每种编码十个，同一道题，16 种词元，训练长度 32；
-- - 第一次运行之前就写好的判定规则。记 $D$ 为长度 64 时第 32 位之后各目标的损失，减去长度 32 时的损失；
--   若 $D$ 的区间整个在 1 奈特以上，就判定这种编码失效；
-- - 一个不该失效的对照，即 T5 的偏置：连它也失效，那就要怪题目或训练了；
-- - 用区间说话，而不是单个的数。
--
-- 图中画的是各种子的平均。ALiBi、KERPLE 和不带位置的模型（NoPE）在给定的步数里没有学会这道题：
-- 长度 32 上的损失还有 1.4 到 2.0 奈特，而瞎猜是 $\ln 16 \approx 2.77$。它们的曲线平，
-- 并不说明长度没有影响。（结果随程序一起发布；`phasor experiment run extrapolation` 会重新跑出来。）

-- %% ref="seven"
local R, codes, curves = experiment_results "extrapolation", {}, {}
for _, code in ipairs {"sinusoidal", "rope", "t5", "alibi", "kerple", "xpos", "nope"} do
  if R:complete {code = code} then
    local curve = {}
    for k, m in ipairs {"within", "at48", "at64", "at128"} do curve[k] = mean(array(R:values(m, {code = code}))) end
    codes[#codes + 1], curves[#curves + 1] = code, curve
  end
end
display(plot({32, 48, 64, 128}, curves,
  {labels = codes, title = says {en = "loss by length, trained at 32", zh = "损失随长度的变化，训练长度 32"},
   style = "both", xlabel = says {en = "length", zh = "长度"}, ylabel = says {en = "nats", zh = "奈特"}}))
return experiment "extrapolation"

-- %% [markdown] ref="paired" lang="en"
-- ## Exercise: is the difference there?
-- Trained at length 32, rotations do fail at twice the length, by 4.46 nats on average. Our small setting was easier: other seeds of it are as
-- faultless at 32 as ours. What holds in one setting need not hold in the next. But how does one get from ten numbers to an interval such as 3.43 to
-- 5.5?
--
-- Take ten seeds and two encodings, one loss each. Two runs of one seed see the same batches, so their difference is less noisy than the losses
-- themselves: pair them. Let $x_k$ be the differences, $\bar{x}$ their mean and $s$ their standard deviation with $n-1$. The 95 % interval for
-- $n = 10$ is
--
-- $$\bar{x} \pm 2.262\,\frac{s}{\sqrt{n}}$$
--
-- Write `differs(a, b)` for two lists of 10 losses: `"a"` if the interval of $a - b$ says that a is smaller, `"b"` if it says that b is, `"open"` if
-- it holds 0.

-- %% [markdown] ref="paired" lang="zh"
-- ## 练习：真有差别吗？
-- 在长度 32 上训练时，旋转编码到两倍长度确实失效，损失平均多出 4.46 奈特。我们那个小实验比较容易：换别的种子，
-- 在 32 上也一样毫无差错。一种设置下成立的事，换一种设置未必成立。那么，从十个数怎样得到“3.43 至 5.5”这样的区间？
--
-- 十个种子，两种编码，各得一个损失。同一个种子的两次运行见到同样的批次，所以差值比损失本身噪声小：要配对。设差值为 $x_k$，
-- 均值 $\bar{x}$，标准差 $s$（除以 $n-1$）。$n = 10$ 时 95 % 区间是
--
-- $$\bar{x} \pm 2.262\,\frac{s}{\sqrt{n}}$$
--
-- 写一个函数 `differs(a, b)`，参数是两张各有 10 个损失的表：若 $a - b$ 的区间说明 a 更小，返回 `"a"`；说明 b 更小，返回 `"b"`；区间含 0，
-- 返回 `"open"`。

-- %% role="exercise" ref="paired" points=3
function differs(a, b)
  --- BEGIN SOLUTION
  local x = array(a) - array(b)
  local half = 2.262 * std(x, {ddof = 1}) / sqrt(10)
  if mean(x) + half < 0 then return "a" end
  if mean(x) - half > 0 then return "b" end
  return "open"
  --- END SOLUTION
end

-- %% role="hint" ref="paired" lang="en"
-- `array(a) - array(b)` are the differences; `mean` works on them, and `std(x, {ddof = 1})` divides by $n-1$.
-- %% role="hint" ref="paired" lang="zh"
-- `array(a) - array(b)` 就是各个差值；`mean` 可以直接用，`std(x, {ddof = 1})` 除以 $n-1$。

-- %% role="hint" ref="paired" lang="en"
-- The answer is `"a"` when the whole interval of $a - b$ lies below 0.
-- %% role="hint" ref="paired" lang="zh"
-- $a - b$ 的区间整个小于 0，答案就是 `"a"`。

-- %% role="check" ref="paired"
local base = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
local function plus(list) local out = {} for k = 1, 10 do out[k] = base[k] + list[k] end return out end
local small = plus {0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2}
local noisy = plus {1, -1, 1, -1, 1, -1, 1, -1, 1, -0.5}
local got = differs(base, noisy)
feedback(type(got) == "string", {en = "`differs` must return \"a\", \"b\" or \"open\".", zh = "`differs` 要返回 \"a\"、\"b\" 或 \"open\"。"})
feedback(got == "open", {
  en = "The mean of these differences is not 0, but far inside the noise: the interval holds 0.",
  zh = "这组差值的均值不为 0，但远在噪声之内：区间含 0。",
})
feedback(differs(base, small) ~= "open", {
  en = "The losses vary from seed to seed, their differences hardly do: pair the runs, take the deviation of the differences.",
  zh = "损失随种子变化很大，差值却几乎不变：要配对，用差值的标准差。",
})
feedback(differs(base, small) == "a", {
  en = "The smaller loss is the better: here a is smaller by 0.1 to 0.2 for every seed.",
  zh = "损失小的才好：这里每个种子的 a 都小 0.1 到 0.2。",
})
--- BEGIN HIDDEN TESTS
feedback(differs(small, base) == "b", {en = "With both exchanged the answer is \"b\".", zh = "两者对调，答案应是 \"b\"。"})
feedback(differs(noisy, base) == "open", {en = "With both exchanged nothing is decided either.", zh = "两者对调，同样分不出。"})
local edge = plus {0.5, -0.2, 0.4, 0.2, -0.1, 0.5, 0.3, -0.2, 0.4, 0.1} -- holds 0 with n-1, and not with n
feedback(differs(base, edge) == "open", {
  en = "Differences of 0.5, -0.2, 0.4, ...: the interval reaches from -0.01 to 0.39, so it holds 0. Use 2.262 and the deviation with n-1.",
  zh = "差值为 0.5、-0.2、0.4 等：区间从 -0.01 到 0.39，含 0。要用 2.262，标准差除以 n-1。",
})
--- END HIDDEN TESTS

-- %% role="wrong" ref="paired" expect="far inside the noise"
function differs(a, b)
  local d = mean(array(a)) - mean(array(b))
  return d < 0 and "a" or d > 0 and "b" or "open"
end

-- %% role="wrong" ref="paired" expect="pair the runs"
function differs(a, b)
  local d = mean(array(a)) - mean(array(b))
  local half = 2.262 * sqrt((std(array(a)) ^ 2 + std(array(b)) ^ 2) / 10)
  return d + half < 0 and "a" or d - half > 0 and "b" or "open"
end

-- %% role="wrong" ref="paired" expect="smaller loss is the better"
function differs(a, b)
  local x = array(a) - array(b)
  local half = 2.262 * std(x) / sqrt(10)
  return mean(x) + half < 0 and "b" or mean(x) - half > 0 and "a" or "open"
end

-- %% role="wrong" ref="paired" expect="deviation with n-1"
function differs(a, b)
  local x = array(a) - array(b)
  local half = 2.262 * std(x) / sqrt(10)
  return mean(x) + half < 0 and "a" or mean(x) - half > 0 and "b" or "open"
end

-- %% [markdown] ref="stretch" lang="en"
-- ## Stretching without fine-tuning
-- Rotations fail beyond their length. Can they be repaired without training? Position interpolation, NTK and YaRN change the frequencies of a
-- trained model (lesson `context`). Here five small models, trained on 64 characters of prose, read 128 and 256. Every method is asked for the
-- *same* last 32 characters of each text, and so is the baseline, which reads only the last 64. *Predict:* which method wins at twice the length,
-- and does any of them beat the baseline?

-- %% [markdown] ref="stretch" lang="zh"
-- ## 不微调，直接拉长
-- 旋转编码超出训练长度就失效。不重新训练，能补救吗？位置内插、NTK、YaRN 都是改动训练好的模型的频率（见 `context` 一课）。
-- 这里有五个小模型，在 64 个字符的文章片段上训练，再读 128 和 256 个字符。每种方法都预测每段文本*同样的*最后 32 个字符，
-- 只读最后 64 个字符的基准也一样。*先猜一猜*：两倍长度时哪种方法最好？有没有哪种能胜过基准？

-- %% ref="stretch"
local R = experiment_results "ntk"
local function told(name)
  local x = array(R:values(name))
  return ("%.2f ± %.2f"):format(mean(x), std(x, {ddof = 1})), mean(x)
end
local shown, base = told "baseline"
print(says{en = "read to          128            256", zh = "读到的长度       128            256"})
print(says{en = "baseline         ", zh = "基准             "} .. shown)
local names = {{"none", says{en = "as it is         ", zh = "原样             "}}, {"pi", says{en = "interpolation    ", zh = "位置内插         "}},
  {"ntk", "NTK              "}, {"yarn", "YaRN             "}, {"logn", "log-n            "}}
for _, row in ipairs(names) do print(row[2] .. told(row[1] .. "128") .. "    " .. told(row[1] .. "256")) end
return {figure({en = "baseline", zh = "基准"}, base, "1.30"), figure({en = "NTK at 128", zh = "NTK，128"}, mean(array(R:values "ntk128")), "1.50"),
  figure({en = "as it is at 128", zh = "原样，128"}, mean(array(R:values "none128")), "2.23"),
  figure({en = "interpolated at 128", zh = "内插，128"}, mean(array(R:values "pi128")), "2.77"),
  named({en = "NTK, twice the length: the smallest mean loss of the five", zh = "NTK，两倍长度：五种之中平均损失最小"},
    measure {value = max(array {0, mean(array(R:values "ntk128")) - min(array {mean(array(R:values "none128")), mean(array(R:values "pi128")),
      mean(array(R:values "yarn128")), mean(array(R:values "logn128"))})}), bound = 0, why = says{en = "the means of the five models", zh = "五个模型的均值"}})}

-- %% [markdown] ref="stretched" lang="en"
-- ## What the table says
-- The numbers are mean losses of five models, $\pm$ their standard deviation. At twice the length NTK is the best on average, though behind the
-- baseline; at four times none comes near it. So the cheapest method, to read only the last 64 characters, wins. Interpolation changes every frequency, also the fast
-- ones that the model relies on; at twice the length, without fine-tuning, that costs most.
--
-- Look at the $\pm$, too: five models of one recipe differ by more than some methods do. Whoever compares one model with one model compares seeds.
-- And whoever compares many methods meets another trap.

-- %% [markdown] ref="stretched" lang="zh"
-- ## 这张表说明什么
-- 表中是五个模型的平均损失，$\pm$ 后面是标准差。两倍长度时 NTK 平均最好，但仍不及基准；四倍长度时，都差得远。可见最省事的办法，
-- 即只读最后 64 个字符，反而胜出。内插改动每一个频率，连模型倚重的高频也不放过；两倍长度而不微调时，它的代价最大。
--
-- 也看看 $\pm$：同一份配方的五个模型，彼此的差别比某些方法之间的差别还大。拿一个模型与一个模型相比，比的其实是种子。
-- 而要比的方法一多，又会掉进另一个陷阱。

-- %% [markdown] ref="family" lang="en"
-- ## Exercise: twenty comparisons
-- Compare twenty pairs of encodings that do not differ at all, each at 95 %. If the twenty are independent, at least one "difference" is found with
-- probability $1 - 0.95^{20} \approx 0.64$. So where many intervals are computed, each needs a higher level.
--
-- Whatever the dependence, the probability that at least one of $n$ intervals fails is at most the sum of their single probabilities of failure.
-- Write `each_level(together, n)`: the level that each of $n$ intervals needs, so that all of them hold together with level `together`.

-- %% [markdown] ref="family" lang="zh"
-- ## 练习：二十次比较
-- 拿二十对其实毫无差别的编码来比，每次都用 95 %。若二十次互相独立，至少“发现”一处差别的概率是 $1 - 0.95^{20} \approx 0.64$。
-- 所以区间一多，每个区间都要用更高的水平。
--
-- 不管它们怎样相关，$n$ 个区间里至少有一个失败的概率，不超过各自失败概率之和。
-- 写一个函数 `each_level(together, n)`：$n$ 个区间各取什么水平，才能保证它们以 `together` 的水平同时成立。

-- %% role="exercise" ref="family" points=1
function each_level(together, n)
  --- BEGIN SOLUTION
  return 1 - (1 - together) / n
  --- END SOLUTION
end

-- %% role="hint" ref="family" lang="en"
-- All together may fail with probability 1 - together. How much of that may each use up?
-- %% role="hint" ref="family" lang="zh"
-- 合起来允许失败的概率是 1 - together，每一个能分到多少？

-- %% role="hint" ref="family" lang="en"
-- Each may fail with probability (1 - together)/n.
-- %% role="hint" ref="family" lang="zh"
-- 每一个允许以 (1 - together)/n 的概率失败。

-- %% role="check" ref="family"
local got = each_level(0.95, 20)
feedback(type(got) == "number", {en = "`each_level` must return a number.", zh = "`each_level` 要返回一个数。"})
feedback(not same(got, 0.95), {
  en = "With 95 % each, one of twenty fails more often than not.",
  zh = "每个都用 95 %，二十个里多半有一个要失败。",
})
feedback(not same(got, 0.95 / 20), {
  en = "What is shared out is the probability of failure, 1 - together, not the level.",
  zh = "要平分的是失败的概率 1 - together，而不是水平本身。",
})
feedback(not same(got, 0.95 ^ (1 / 20)), {
  en = "That is right for independent intervals; whatever the dependence, each must fail with probability (1 - together)/n at most.",
  zh = "这只对互相独立的区间成立；不论怎样相关都要保证，就得每个最多以 (1 - together)/n 的概率失败。",
})
feedback(same(got, 0.9975, {what = "each_level(0.95, 20)"}))
--- BEGIN HIDDEN TESTS
feedback(same(each_level(0.99, 1), 0.99, {what = "each_level(0.99, 1)"}))
feedback(same(each_level(0.9, 4), 0.975, {what = "each_level(0.9, 4)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="family" expect="more often than not"
function each_level(together, n) return together end

-- %% role="wrong" ref="family" expect="probability of failure"
function each_level(together, n) return together / n end

-- %% role="wrong" ref="family" expect="right for independent"
function each_level(together, n) return together ^ (1 / n) end

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice
-- *One seed.* Look at the $\pm$ of the table above: five models of one recipe differ by more than a nat in places.
--
-- *One setting.* Trained at 16, rotations were faultless at twice the length; trained at 32 they fail.
--
-- *A model that has not learned.* Its loss is bad at every length, so that its curve is flat. Look at the loss at the trained length first.
--
-- *More tuning for one's own method.* Give every method the same number of tries.
--
-- *A rule that is made after the results.* With enough measures and lengths, something always looks good.
--
-- *Many comparisons.* Below, 400 laboratories compare twenty pairs that do not differ. *Predict:* how many of the 400 find a difference, with 95 %
-- for each interval, and how many with the level that you have just computed? (For $n = 10$ that level, 99.75 %, has 4.146 in place of 2.262. The
-- experiment from above has three intervals at 99.97 %, so that they hold together at 99.9 %.)

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病
-- *只有一个种子*。看看上面表里的 $\pm$：同一份配方的五个模型，彼此有时能差一个奈特以上。
--
-- *只有一种设置*。在 16 上训练，旋转编码到两倍长度毫无差错；在 32 上训练，却失效了。
--
-- *模型没学会*。它在哪个长度上都差，所以曲线是平的。先看训练长度上的损失。
--
-- *给自家方法多调参*。每种方法都该有同样多的尝试次数。
--
-- *看了结果才定规则*。指标和长度够多，总有一项好看。
--
-- *比较太多*。下面有 400 个实验室，各自比较二十对毫无差别的东西。*先猜一猜*：每个区间用 95 % 时，400 家里有几家“发现”差别？
-- 用你刚才算出的水平呢？（$n = 10$ 时，99.75 % 的水平要把 2.262 换成 4.146。前面的实验有三个区间，各取 99.97 %，合起来就是 99.9 %。）

-- %% ref="practice"
local g, found = rng(5), {0, 0}
for _ = 1, 400 do
  local x = randn(g, 20, 10) -- twenty comparisons, ten seeds each: all means are 0 in truth
  local off, s = abs(mean(x, 2)), std(x, 2, {ddof = 1}) / sqrt(10)
  for k, t in ipairs {2.262, 4.146} do
    if any(gt(off, t * s)) then found[k] = found[k] + 1 end
  end
end
print(says{en = "a difference is found by %d of 400 at 95 %%, by %d of 400 at 99.75 %%", zh = "400 家里“发现”差别的：95 %% 时 %d 家，99.75 %% 时 %d 家"}
  :format(found[1], found[2]))

-- %% [markdown] ref="end" lang="en"
-- ## What a run can say
-- A run speaks of models of its size, its task and its length, and of nothing more. So the verdict on such a claim reads *measured*, with interval
-- and seeds, and sometimes *not so at this size* or *undecided*. For your own work: write the rule first, take several seeds and a control, compare
-- the same targets, and count your comparisons.
--
-- `phasor experiment list` names the experiments of this course, `phasor experiment report NAME` shows one, and `phasor check --train` does its runs
-- anew on your machine.

-- %% [markdown] ref="end" lang="zh"
-- ## 一次运行能说明什么
-- 一次运行只说明它那个规模、那道题、那个长度的模型，再多就没有了。所以这类论断的结论写作*实测*，附上区间和种子数；
-- 有时是“在这个规模上并非如此”，有时是“分不出”。你自己做实验时：先写规则，取几个种子和一个对照，比较同样的目标，
-- 再数一数自己比较了多少次。
--
-- `phasor experiment list` 列出本课程的实验，`phasor experiment report NAME` 显示其中一个，`phasor check --train` 在你的机器上重新跑一遍。
