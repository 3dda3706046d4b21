-- Positions in trained models: what the formulas leave open, runs decide. Train a small transformer, read it beyond its length, and judge
-- comparisons of such runs.
-- Cells run in order, in one environment.

-- %% [markdown] ref="intro" lang="en"
-- # Ask a trained model
-- A formula says what an encoding *can* tell apart. It does not say what a model does with it. Does a model that was trained on 16 positions still
-- work at 32? Both sinusoids and rotations are defined there, so no formula fails.
--
-- We ask for something that needs positions and nothing else: every token is random, and the model must name the token three places back. For $V = 8$
-- tokens a guess costs $\ln 8 \approx 2.08$ nats a token. Below is one batch: a line of inputs, and what should be said.
--
-- *Predict before you go on:* we train one model with rotations and one with T5's bias. Which of them works at twice the length?

-- %% [markdown] ref="intro" lang="zh"
-- # 去问训练好的模型
-- 公式说得清一种编码*能*区分什么，说不清模型会怎样使用它。在 16 个位置上训练出来的模型，
-- 到 32 个位置还管用吗？正弦编码和旋转编码在那里都有定义，单看公式，什么也不会坏。
--
-- 我们出一道只靠位置的题：每个词元都是随机的，模型要说出往前数第三个词元是什么。在 $V = 8$ 个词元里瞎猜，
-- 每个词元的损失是 $\ln 8 \approx 2.08$ 奈特。下面是一批数据：一行输入，以及应当说出的词元。
--
-- *先猜一猜*：一个模型用旋转编码，一个用 T5 的偏置。长度加倍之后，哪一个还管用？

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
-- the right one. Set `loss` to that loss, in nats, for your `V`. Any trained model must be better than this.

-- %% [markdown] ref="guess" lang="zh"
-- ## 先算一算：瞎猜的损失是多少？
-- 一个什么也没学到的模型，给 `V` 个词元同样的概率。它在一个词元上的损失，等于正确词元概率的自然对数取负。
-- 按你的 `V` 算出这个损失（奈特），赋给 `loss`。训练过的模型必须比它小。

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
-- A run is a loop over steps. Each step draws a batch, computes the loss and its gradient by every parameter, and AdamW moves them. You may leave the
-- loop, look at the model, and go on. Below, a model of two layers learns the task from 200 batches; the loss is printed now and then. It begins near
-- $\ln 8$ and ends near 0.

-- %% [markdown] ref="train" lang="zh"
-- ## 当场训练一个
-- 训练就是一个按步走的循环：每一步抽一批数据，算出损失和它对每个参数的梯度，再由 AdamW 移动参数。循环随时可以离开，看一看模型，
-- 再接着走。下面这个两层的模型用 200 批数据学会这道题，隔一阵打印一次损失：从 $\ln 8$ 附近开始，最后接近 0。

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
-- The same parameters, longer texts: nothing is trained here. Compare the loss at 16, where it was trained, with the loss at 24, 32 and 64. Then the
-- same for T5's bias with 16 buckets and `max_distance` 12: from there on all distances share a bucket, so a longer text holds no bias that was never
-- trained.
--
-- This is *one* seed each. It is a picture, and not yet a result.

-- %% [markdown] ref="beyond" lang="zh"
-- ## 读得比训练时更长
-- 参数不变，只把文本加长，不再训练。比较训练长度 16 上的损失与 24、32、64 上的损失；再对 T5 的偏置做一遍，取 16 个桶、
-- `max_distance` 为 12：从这个距离起所有距离共用一个桶，文本再长也不会出现没训练过的偏置。
--
-- 每种编码这里只有*一个*种子。这只是一张图，还算不上结果。

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
  {labels = {"rope", "t5"}, style = "both", xlabel = says {en = "length", zh = "长度"}, ylabel = says {en = "nats", zh = "奈特"}})

-- %% [markdown] ref="fair" lang="en"
-- ## Exercise: the same targets
-- Someone reads a model at two lengths and compares mean losses. At the longer length the late targets have more context, and the early ones are the
-- same as before: the means are over *different* targets. A fair comparison keeps the targets.
--
-- Write `fair(short, long)`: two lists of losses by place, the last entry of both for the same last token; `long` has more places, in front. Return
-- the mean of the differences, long less short, over the targets that both have.

-- %% [markdown] ref="fair" lang="zh"
-- ## 练习：同样的目标
-- 有人在两个长度上读同一个模型，比较平均损失。长度加大以后，靠后的目标上文更多，靠前的目标还和原来一样：
-- 两个平均数取自*不同的*目标。公平的比较要固定目标。
--
-- 写 `fair(short, long)`：两张按位置排列的损失表，最后一项都属于同一个末尾词元；`long` 前面多出一些位置。在两者共有的目标上，
-- 求差（长减短）的平均值。

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
-- `probe` opens a trained model. Its attention map has a row for each query: in the second layer a head has found the token three places back. The
-- first queries have no such token; their weight goes somewhere else, and nobody asks them.
--
-- How does that head know the distance? The curve shows its scores by distance on a text of 48 tokens, the mean over all queries. The fastest pair
-- turns by 1 radian a step, so its part of the score comes back every $2\pi \approx 6.3$ places: there are peaks near 3, 9, 15, ... Among the 16
-- places of training the slower pairs keep the others below the one at 3. Farther on nothing was trained. *Look for peaks as high as the one at 3*:
-- to a late query such a token looks right, and it gets weight.

-- %% [markdown] ref="inside" lang="zh"
-- ## 看看里面
-- `probe` 打开一个训练好的模型。注意力图的每一行对应一个查询：第二层里有一个头找到了往前第三个词元。
-- 最前面几个查询没有这样的词元，权重落到了别处，题目也不问它们。
--
-- 这个头怎么知道距离？曲线是它在 48 个词元的文本上的打分随距离的变化，对所有查询取平均。最快的一对每步转 1 弧度，
-- 它对打分的贡献每隔 $2\pi \approx 6.3$ 个位置就重来一次：3、9、15 等处附近都有峰。在训练见过的 16 个位置之内，
-- 较慢的各对把其余的峰压在 3 处之下；再远就没有训练过了。*找一找与 3 处一样高的峰*：对靠后的查询来说，那里的词元看上去也对，
-- 于是也分到权重。

-- %% ref="inside"
local look, near = probe(rotations.model), data.batch(rng(7), 1, 16).inputs[1]
display(heatmap(look:attention(near, 2)[1],
  {xlabel = says {en = "key", zh = "键"}, ylabel = says {en = "query", zh = "查询"}}))
local far = data.batch(rng(7), 1, 48).inputs[1]
display(plot(range(0, 47), look:by_distance(far, 2)[1], {style = "both",
  xlabel = says {en = "distance", zh = "距离"}, ylabel = says {en = "score", zh = "打分"}}))
local weights = look:by_distance(near, 2, "weights")
return named({en = "a head gives the token three back more than nine tenths of its weight",
    zh = "有一个头把九成以上的权重给了往前第三个词元"},
  measure {value = 1 - max(weights[{{}, {4, 4}}]), bound = 0.1, why = says{en = "the other tokens share a tenth", zh = "其余词元合占十分之一"}})

-- %% [markdown] ref="seven" lang="en"
-- ## The experiment
-- Now the same with what makes it an experiment: ten seeds for each encoding, a rule written before the first run, a control, and intervals. The
-- models are those of a larger run at length 32; the results travel with the program, and `phasor experiment run extrapolation` makes them anew.
--
-- $D$ is the loss on targets beyond place 32, at length 64, less the loss at length 32. The rule says: an encoding fails if the interval of $D$ lies
-- above 1 nat. T5's bias is the control: if it failed too, the task or the training would be to blame. Every encoding with all its runs is in the
-- picture. ALiBi, KERPLE and a model without positions have not learned this task in the time given: they lose 1.4 to 2.0 nats at length 32, where a
-- guess costs $\ln 16 \approx 2.77$. Their flat curves say nothing about length.

-- %% [markdown] ref="seven" lang="zh"
-- ## 做成实验
-- 同样的事，要成为实验，还差几样：每种编码十个种子，第一次运行之前就写好的判定规则，一个对照，还有区间。模型在长度 32 上训练，
-- 结果随程序一起发布；`phasor experiment run extrapolation` 会重新跑出来。
--
-- 记 $D$ 为长度 64 时第 32 位之后各目标的损失，减去长度 32 时的损失。规则是：若 $D$ 的区间整个在 1 奈特以上，就判定这种编码失效。
-- T5 的偏置是对照：连它也失效，那就要怪题目或训练了。图中画出了运行齐全的每一种编码。ALiBi、
-- KERPLE 和不带位置的模型在给定的步数里没有学会这道题：长度 32 上的损失还有 1.4 到 2.0 奈特，而瞎猜是 $\ln 16 \approx 2.77$。它们的曲线平，
-- 并不说明长度没有影响。

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
  {labels = codes, style = "both", xlabel = says {en = "length", zh = "长度"}, ylabel = says {en = "nats", zh = "奈特"}}))
return experiment "extrapolation"

-- %% [markdown] ref="paired" lang="en"
-- ## Exercise: is the difference there?
-- Ten seeds, two encodings, one loss each. Two runs of one seed see the same batches, so their difference is less noisy than the losses themselves:
-- pair them. Let $x_k$ be the differences, $\bar{x}$ their mean and $s$ their standard deviation with $n-1$. The 95 % interval for $n = 10$ is
--
-- $$\bar{x} \pm 2.262\,\frac{s}{\sqrt{n}}$$
--
-- Write `differs(a, b)` for two lists of 10 losses: `"a"` if a is certainly smaller, `"b"` if b is, `"open"` if the interval holds 0.

-- %% [markdown] ref="paired" lang="zh"
-- ## 练习：真有差别吗？
-- 十个种子，两种编码，各得一个损失。同一个种子的两次运行见到同样的批次，所以差值比损失本身噪声小：要配对。设差值为 $x_k$，
-- 均值 $\bar{x}$，标准差 $s$（除以 $n-1$）。$n = 10$ 时 95 % 区间是
--
-- $$\bar{x} \pm 2.262\,\frac{s}{\sqrt{n}}$$
--
-- 写 `differs(a, b)`，参数是两张各有 10 个损失的表：a 肯定更小时返回 `"a"`，b 更小时返回 `"b"`，区间含 0 时返回 `"open"`。

-- %% role="exercise" ref="paired" points=3
function differs(a, b)
  --- BEGIN SOLUTION
  local x = array(a) - array(b)
  local half = 2.262 * std(x) / sqrt(10)
  if mean(x) + half < 0 then return "a" end
  if mean(x) - half > 0 then return "b" end
  return "open"
  --- END SOLUTION
end

-- %% role="hint" ref="paired" lang="en"
-- `array(a) - array(b)` are the differences; `mean` and `std` work on them.
-- %% role="hint" ref="paired" lang="zh"
-- `array(a) - array(b)` 就是各个差值，`mean` 和 `std` 可以直接用。

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
local edge = plus {0.5, -0.2, 0.4, 0.1, -0.1, 0.5, 0.3, -0.2, 0.4, 0.1}
feedback(differs(base, edge) == "open", {
  en = "Differences of 0.5, -0.2, 0.4, ...: the interval reaches from -0.01 to 0.37, so it holds 0. Use 2.262 and the deviation with n-1.",
  zh = "差值为 0.5、-0.2、0.4 等：区间从 -0.01 到 0.37，含 0。要用 2.262，标准差除以 n-1。",
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

-- %% [markdown] ref="stretch" lang="en"
-- ## Stretching without fine-tuning
-- Position interpolation, NTK and YaRN change the frequencies of a trained model (lesson `context`). Here five small models, trained on 64
-- characters, read 128 and 256; every method is asked for the *same* last 32 characters of each text, and so is the baseline that reads only the last
-- 64. At twice the length NTK is the best of them on average, at four times none comes near the baseline. Interpolation changes every frequency, also
-- the fast ones that the model relies on; without fine-tuning that costs most.
--
-- Look at the $\pm$, too: five models of one recipe differ by more than some methods do.

-- %% [markdown] ref="stretch" lang="zh"
-- ## 不微调，直接拉长
-- 位置内插、NTK、YaRN 都是改动训练好的模型的频率（见 `context` 一课）。这里有五个小模型，在 64 个字符上训练，再读 128 和 256 个；
-- 每种方法都预测每段文本*同样的*最后 32 个字符，只读最后 64 个字符的基准也一样。两倍长度时 NTK 平均最好；四倍长度时，
-- 谁也够不着基准。内插改动每一个频率，连模型倚重的快频也不放过；不微调时，它的代价最大。
--
-- 也看看 $\pm$：同一份配方的五个模型，彼此的差别比某些方法之间的差别还大。

-- %% ref="stretch"
local R = experiment_results "ntk"
local function row(name)
  local x = array(R:values(name))
  print(("%-10s %.2f ± %.2f"):format(name, mean(x), std(x)))
  return mean(x)
end
local base = row "baseline"
for _, method in ipairs {"none", "pi", "ntk", "yarn", "logn"} do
  row(method .. "128")
  row(method .. "256")
end
return {figure({en = "baseline", zh = "基准"}, base, "1.30"), figure({en = "NTK at 128", zh = "NTK，128"}, mean(array(R:values "ntk128")), "1.50"),
  figure({en = "as it is at 128", zh = "原样，128"}, mean(array(R:values "none128")), "2.23"),
  figure({en = "interpolated at 128", zh = "内插，128"}, mean(array(R:values "pi128")), "2.77"),
  named({en = "NTK, twice the length: the smallest mean loss of the five", zh = "NTK，两倍长度：五种之中平均损失最小"},
    measure {value = max(array {0, mean(array(R:values "ntk128")) - min(array {mean(array(R:values "none128")), mean(array(R:values "pi128")),
      mean(array(R:values "yarn128")), mean(array(R:values "logn128"))})}), bound = 0, why = says{en = "the means of the five models", zh = "五个模型的均值"}})}

-- %% [markdown] ref="family" lang="en"
-- ## Exercise: twenty comparisons
-- Compare twenty pairs of encodings that do not differ at all, each at 95 %. If the twenty are independent, at least one "difference" is found with
-- probability $1 - 0.95^{20} \approx 0.64$. So a family of intervals needs a higher level for each.
--
-- Whatever the dependence, $n$ intervals fail together at most as often as the sum of their single failures. Write `each_level(together, n)`: the
-- level of each of $n$ intervals, so that all of them hold together with level `together`.

-- %% [markdown] ref="family" lang="zh"
-- ## 练习：二十次比较
-- 拿二十对其实毫无差别的编码来比，每次都用 95 %。若二十次互相独立，至少“发现”一处差别的概率是 $1 - 0.95^{20} \approx 0.64$。
-- 所以一组区间，每个都要用更高的水平。
--
-- 不管它们怎样相关，$n$ 个区间里至少有一个失败的概率，不超过各自失败概率之和。写 `each_level(together, n)`：$n$ 个区间各取什么水平，
-- 才能保证它们以 `together` 的水平同时成立。

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

-- %% [markdown] ref="end" lang="en"
-- ## What a run can say
-- A run speaks of models of its size, its task and its length, and of nothing more. So a verdict on such a claim reads *measured*, with interval
-- and seeds, and sometimes *not so at this size* or *undecided*. `phasor experiment list` names the experiments of this course;
-- `phasor experiment report NAME` shows one, and `phasor check --train` does its runs anew on your machine.

-- %% [markdown] ref="end" lang="zh"
-- ## 一次运行能说明什么
-- 一次运行只说明它那个规模、那道题、那个长度的模型，再多就没有了。所以这类论断的结论写作*实测*，附上区间和种子数；
-- 有时是“在这个规模上并非如此”，有时是“分不出”。`phasor experiment list` 列出本课程的实验，`phasor experiment report NAME` 显示其中一个，
-- `phasor check --train` 在你的机器上重新跑一遍。
