-- Errata: how to read a source critically, and what reading three of them so has found.
-- Cells run in order, in one environment. The checks themselves stand in the lessons that the table names.

-- %% [markdown] ref="mend" lang="en"
-- # Reading with a pencil
-- Can a text that everybody quotes be wrong? It can, and often in one sign or one index, which every copy then repeats. This lesson shows the habits
-- that find such slips, and then what they found in the sources of this course. First try it yourself.
--
-- A text says: $\cos(a+b) = \cos a\cos b + \sin a\sin b$. One sign is wrong. Write `mended(a, b)`: the right side as it should be, a formula in $a$
-- and $b$. (Do not look it up: one value of $a$ and $b$ whose answer you know is enough.)

-- %% [markdown] ref="mend" lang="zh"
-- # 边读边挑错
-- 人人引用的文章也会错吗？会的，而且往往就错一个符号、一个下标，转载的人也跟着错。这一课先讲几种挑错的办法，
-- 再看用它们在本课程的来源里找到了什么。先自己试一次。
--
-- 某文说：$\cos(a+b) = \cos a\cos b + \sin a\sin b$。有一个符号错了。写一个函数 `mended(a, b)`：返回右边应有的样子，
-- 用 $a$、$b$ 表示。（不用查书：代入一组答案已知的 $a$、$b$ 就能看出来。）

-- %% role="exercise" ref="mend" points=1
function mended(a, b)
  --- BEGIN SOLUTION
  return cos(a) * cos(b) - sin(a) * sin(b)
  --- END SOLUTION
end

-- %% role="hint" ref="mend" lang="en"
-- Try a case whose answer is known: $a = b$.

-- %% role="hint" ref="mend" lang="zh"
-- 试一个答案已知的情形：$a = b$。

-- %% role="hint" ref="mend" lang="en"
-- As written, $a = b$ gives 1, but $\cos 2a$ is not always 1. What the text has is $\cos(a-b)$.

-- %% role="hint" ref="mend" lang="zh"
-- 照原样，$a = b$ 得到 1，而 $\cos 2a$ 并不总是 1。文中写的其实是 $\cos(a-b)$。

-- %% role="check" ref="mend"
local a, b = sym "a b"
local got = mended(a, b)
feedback(not same(got, cos(a - b)), {
  en = "That is what the text has: it is cos(a - b).",
  zh = "这就是文中原来的：它等于 cos(a - b)。",
})
feedback(not same(got, sin(a + b)), {
  en = "This is sin(a + b): there the factors are mixed. In the cosine, cos goes with cos and sin with sin.",
  zh = "这是 sin(a + b)：那里是交叉相乘。余弦里，cos 配 cos，sin 配 sin。",
})
feedback(not same(got, -1 * cos(a + b)), {
  en = "All signs are exchanged: at a = b = 0 this is -1.",
  zh = "符号全反了：a = b = 0 时得到 -1。",
})
feedback(same(got, cos(a + b), {what = "mended(a, b)"}))

-- %% role="wrong" ref="mend" expect="cos(a - b)"
function mended(a, b) return cos(a) * cos(b) + sin(a) * sin(b) end

-- %% role="wrong" ref="mend" expect="sin(a + b)"
function mended(a, b) return sin(a) * cos(b) + cos(a) * sin(b) end

-- %% role="wrong" ref="mend" expect="All signs"
function mended(a, b) return sin(a) * sin(b) - cos(a) * cos(b) end

-- %% [markdown] ref="ends" lang="en"
-- ## Try the ends
-- Most slips show at the first or the last value of an index. A sum over pairs runs from $i = 1$ to $d/2$, where it should run from 0 to $d/2-1$:
-- put $d = 4$. The term $H_{2i+1,2i+1}$ asks for row 5 of a matrix that ends with row 3, and the pair $i = 0$ never occurs.
--
-- The same habit decides statements about the two ends of a range. For $\theta'_i/\theta_i = k^{-2i/(d-2)}$ put $i = 0$ and $i = d/2-1$. *Which end
-- is kept, and which is divided by $k$?* You need no computer for that; the step only confirms it.

-- %% [markdown] ref="ends" lang="zh"
-- ## 试试两端
-- 大多数笔误在下标的第一个或最后一个值上就露馅。一个对各对求和的式子，本该从 0 到 $d/2-1$，却写成 $i = 1$ 到 $d/2$：取 $d = 4$，
-- 那一项 $H_{2i+1,2i+1}$ 要的是第 5 行，而矩阵到第 3 行就完了，$i = 0$ 那一对又从不出现。
--
-- 关于范围两头的说法，也可以这样来判断。看 $\theta'_i/\theta_i = k^{-2i/(d-2)}$，代入 $i = 0$ 与 $i = d/2-1$：*哪一头保持不变，
-- 哪一头除以 $k$*？这用不着计算机；这一步只是印证一下。

-- %% ref="ends"
local d = 4
for i = 1, d // 2 do -- rows are counted from 0
  local told = {en = "i = %d: rows %d and %d; the last is %d", zh = "i = %d：第 %d 行与第 %d 行；最后一行是 %d"}
  print(says(told):format(i, 2 * i, 2 * i + 1, d - 1))
end
local k, dim = sym("k", "positive"), sym("d", "positive")
local function ratio(i) return k ^ (-2 * i / (dim - 2)) end
return {prove(ratio(0), 1, {caption = {en = "the first pair is kept", zh = "第一对保持不变"}}),
  prove(ratio(dim / 2 - 1), 1 / k, {caption = {en = "the last one is divided by $k$", zh = "最后一对除以 $k$"}})}

-- %% [markdown] ref="premise" lang="en"
-- ## Ask what "therefore" uses
-- *The code of $t+k$ is a linear function of the code of $t$, therefore their product depends on $k$ only.* To test an inference, keep its premise
-- and change everything else. The smallest code with that premise is $p_t = (1, t)$, since $(1, t+k)$ is a fixed matrix times $(1, t)$. *Predict:*
-- does the product of $p_t$ and $p_{t+k}$ depend on $k$ only? Work it out, then run the step. What do the sines have that this code has not?

-- %% [markdown] ref="premise" lang="zh"
-- ## 问一问“所以”用了什么
-- *$t+k$ 的编码是 $t$ 的编码的线性函数，所以两者的内积只依赖 $k$*。要检验一个推理，就保住它的前提，把别的全换掉。
-- 满足这个前提的最小编码是 $p_t = (1, t)$，
-- 因为 $(1, t+k)$ 等于一个固定矩阵乘以 $(1, t)$。*先猜一猜*：$p_t$ 与 $p_{t+k}$ 的内积只依赖 $k$ 吗？先算一算，再运行这一步。
-- 正弦编码有什么是它没有的？

-- %% ref="premise"
local t, k, θ = sym "t k θ"
local function p(t) return matrix {1, t} end
local function wave(t) return matrix {sin(t * θ), cos(t * θ)} end
local function product(p, t) return matmul(p(t).T, p(t + k))(1, 1) end
local M = matrix {{1, 0}, {k, 1}}
local R = matrix {{cos(k * θ), sin(k * θ)}, {-sin(k * θ), cos(k * θ)}}
local I2 = matrix {{1, 0}, {0, 1}}
print(says{en = "the code (1, t): is its product that of t = 0?", zh = "编码 (1, t)：内积与 t = 0 时相同吗？"})
print(prove(product(p, t), product(p, 0)))
return {
  prove(matmul(M, p(t)), p(t + k), {caption = {en = "its premise holds: a step is a matrix", zh = "前提成立：走一步就是乘一个矩阵"}}),
  prove(product(p, t), 1 + t^2 + t * k, {caption = {en = "but $t$ stays in the product", zh = "可是内积里还有 $t$"}}),
  prove(matmul(R, wave(t)), wave(t + k), {caption = {en = "sines: the premise holds as well", zh = "正弦：前提同样成立"}}),
  prove(matmul(R.T, R), I2, {caption = {en = "and their matrix is a rotation", zh = "而且那个矩阵是旋转"}}),
  prove(product(wave, t), cos(k * θ), {caption = {en = "so $t$ is gone from the product", zh = "于是内积里的 $t$ 消去了"}}),
}

-- %% [markdown] ref="therefore" lang="en"
-- ## Exercise: a premise that is not enough
-- So the premise does not carry the conclusion; the text also used, without saying so, that the matrix is a rotation. Now find such a gap yourself.
-- A text says: *where the derivative is 0, the function has a maximum or a minimum.* Write `f(x)`, a function whose derivative at 0 is 0, and yet 0
-- is neither: $f$ is below $f(0)$ on one side and above it on the other. (The check looks between $-1$ and 1.)

-- %% [markdown] ref="therefore" lang="zh"
-- ## 练习：不够用的前提
-- 可见前提推不出结论；原文还暗中用到：那个矩阵是旋转。现在你自己来找这样一个漏洞。某文说：*导数为 0 处，
-- 函数有极大或极小*。写一个函数 `f(x)`，它在 0 处导数为 0，而 0 两样都不是：$f$ 在一侧低于 $f(0)$，
-- 在另一侧高于它。（只检查 $-1$ 到 1 之间。）

-- %% role="exercise" ref="therefore" points=2
function f(x)
  --- BEGIN SOLUTION
  return x ^ 3
  --- END SOLUTION
end

-- %% role="hint" ref="therefore" lang="en"
-- Keep the premise, change all else: which simple functions have slope 0 at 0?

-- %% role="hint" ref="therefore" lang="zh"
-- 保住前提，把别的全换掉：哪些简单的函数在 0 处斜率为 0？

-- %% role="hint" ref="therefore" lang="en"
-- Powers of $x$ from the second on. Which of them change sign?

-- %% role="hint" ref="therefore" lang="zh"
-- $x$ 的二次方及更高次方。其中哪些会变号？

-- %% role="check" ref="therefore"
local slope = grad(f)(0.0)
feedback(same(slope, 0, {tol = 1e-12}), {
  en = "The premise must hold: the derivative at 0 is not 0 here.",
  zh = "前提必须成立：这里 0 处的导数不是 0。",
})
local left, right = f(-0.5) - f(0.0), f(0.5) - f(0.0)
feedback(not (left > 0 and right > 0 or left < 0 and right < 0), {
  en = "Here 0 is a maximum or a minimum: the function leaves f(0) to the same side on both sides.",
  zh = "这里 0 就是极大或极小：函数在两侧都偏向 f(0) 的同一边。",
})
feedback(left ~= 0 or right ~= 0, {
  en = "At -0.5 and at 0.5 the function equals f(0): it must leave that value, downwards on one side and upwards on the other.",
  zh = "在 -0.5 与 0.5 处函数都等于 f(0)：它应当离开这个值，一侧向下，一侧向上。",
})
feedback(left * right < 0, {
  en = "On one side the function equals f(0): it must be below on one side and above on the other.",
  zh = "有一侧函数等于 f(0)：应当一侧低于它，一侧高于它。",
})
--- BEGIN HIDDEN TESTS
for _, x in ipairs {0.01, 0.1, 0.9} do
  feedback((f(-x) - f(0.0)) * (f(x) - f(0.0)) < 0, {
    en = ("It does not hold at x = ±%g: below on one side, above on the other, for all x between -1 and 1."):format(x),
    zh = ("在 x = ±%g 处不成立：-1 到 1 之间的一切 x，都要一侧低、一侧高。"):format(x),
  })
end
--- END HIDDEN TESTS

-- %% role="wrong" ref="therefore" expect="a maximum or a minimum"
function f(x) return x ^ 2 end

-- %% role="wrong" ref="therefore" expect="at 0.5 the function equals"
function f(x) return 0 * x + 5 end

-- %% role="wrong" ref="therefore" expect="is not 0 here"
function f(x) return x end

-- %% [markdown] ref="picture" lang="en"
-- ## Do not read limits off pictures
-- A curve falls over the window that somebody chose to plot: does it go to zero? Here is $\frac{2}{d}\sum_{i}\cos(k\theta_i)$ for $d = 64$, the
-- share that is left of the largest product at distance $k$. Up to 128 it falls to about 0.3. *Predict:* how large is it at $k = 847603$, far
-- outside any window? Below, both places are drawn over each other.

-- %% [markdown] ref="picture" lang="zh"
-- ## 别从图上读极限
-- 一条曲线在别人选定的窗口里往下走：它趋于零吗？这是 $d = 64$ 时的 $\frac{2}{d}\sum_{i}\cos(k\theta_i)$，
-- 即距离 $k$ 处的内积占最大值的份额。到 128 为止，它降到大约 0.3。*先猜一猜*：在任何窗口之外的 $k = 847603$ 处，它有多大？
-- 下面把这两处画在一起。

-- %% ref="picture"
local θ = (rope_frequencies(64))
local function share(k) return mean(cos(k * θ)) end
print(says{en = "at 128: %.3f   at 847603: %.3f", zh = "128 处：%.3f   847603 处：%.3f"}:format(share(128), share(847603)))
local window = range(-64, 64)
local function around(k) return mean(cos(outer(window + k, θ)), 2) end
display(plot(window, {around(0), around(847603)}, {
  labels = {says{en = "around 0", zh = "0 附近"}, says{en = "around 847603", zh = "847603 附近"}},
  xlabel = says{en = "steps aside", zh = "偏离的步数"}, ylabel = says{en = "share of d/2", zh = "占 d/2 的份额"}, title = "d = 64"}))
local i, k = sym("i k", "integer")
local function exact(k)
  return sum(cos(k * rat(10000) ^ (-2 * i / 64)), i, 0, 31) / 32
end
return {
  certify(ge(exact(k), rat(28, 100)), {k = {0, 128}}, {caption = {en = "up to 128 the share is never below 0.28", zh = "到 128 为止，份额从不低于 0.28"}}),
  certify(eq(exact(847603), rat(562, 1000)), {}, {radius = rat(1, 1000), caption = {en = "at 847603 it is back at 0.562", zh = "到 847603 处，又回到 0.562"}}),
}

-- %% [markdown] ref="run" lang="en"
-- ## Run it, and compare shapes
-- The curve came back to 0.562. A finite sum of cosines always returns: it is almost periodic, a theorem of Bohr (not proved here). The integral in
-- its place does go to zero, but that takes an argument, not a picture.
--
-- The next habit is for programs. Five of those in our sources do not run to their end as printed: an undefined name or a shape that does not fit
-- stops them. Where one runs, look at a case whose answer is known. At position 0 a rotation does nothing; when query and key are
-- equal, the score is largest at distance 0; for one word every weight is 1.
--
-- And check shapes on paper with *different* letters. With model width and head width both called $d$, a missing matrix does not show, as the step
-- demonstrates.

-- %% [markdown] ref="run" lang="zh"
-- ## 运行它，并核对形状
-- 曲线又回到了 0.562。有限个余弦之和总会回来：它是殆周期的，这是玻尔的定理（这里不证）。换成积分倒真的趋于零，
-- 但那要靠论证，不是靠图。
--
-- 下一种办法是对付程序的。我们的来源里有五段程序，照印出来的样子都跑不通：未定义的名字、对不上的形状，会让它们停下来。
-- 能运行的，就看一个答案已知的情形：位置 0 的旋转什么也不做；查询与键相同时，距离 0 的打分最大；只有一个词时权重都是 1。
--
-- 在纸上核对形状时，要用*不同*的字母。模型宽度与头维度度都叫 $d$，少一个矩阵就看不出来，这一步演示的就是这种情形。

-- %% ref="run"
local g = rng(1)
local function score(D, d) -- R W_K' x' for model width D, head width d
  local R, WK, x = randn(g, 1, D), randn(g, D, d), randn(g, 1, D)
  return matmul(R, matmul(WK.T, x.T))
end
print(says{en = "both widths 4: %d number, nothing seems wrong", zh = "两个宽度都是 4：得到 %d 个数，看不出错"}:format(score(4, 4).size))
local fits, said = pcall(score, 6, 4)
local a, b = tostring(said):match "A is (%b()) and B is (%b())"
print(says{en = "widths 6 and 4: an error, A is %s and B is %s", zh = "宽度 6 与 4：报错，A 是 %s，B 是 %s"}:format(a, b))
return measure {claim = {en = "the product fits at widths 4 and 4, and not at 6 and 4", zh = "宽度 4 与 4 时乘积对得上，6 与 4 时对不上"},
                value = {score(4, 4).size - 1, fits and 1 or 0}, bound = 0,
                why = says{en = "it takes as many columns as rows", zh = "有多少行就要多少列"}}

-- %% [markdown] ref="witness" lang="en"
-- ## Exercise: a witness
-- A text says that two expressions are equal for every number $x$: your `statement`, below. Set `witness` to a number $x$ at which
-- they differ. ($|x|$ is the absolute value, $\lfloor x\rfloor$ the largest whole number that is not above $x$.)

-- %% [markdown] ref="witness" lang="zh"
-- ## 练习：一个反例
-- 某文说，有两个式子对每个数 $x$ 都相等，就是下面给你的 `statement`。找一个使两者不等的数 $x$，赋给 `witness`。
-- （$|x|$ 是绝对值，$\lfloor x\rfloor$ 是不超过 $x$ 的最大整数。）

-- %% role="exercise" ref="witness" points=1 variants=4
statement = ({"√(x²) = x", "|x + 1| = |x| + 1", "⌊−x⌋ = −⌊x⌋", "x² = |x|"})[variant]
--- BEGIN SOLUTION
witness = ({-1, -1, 1/2, 2})[variant]
--- END SOLUTION

-- %% role="hint" ref="witness" lang="en"
-- For which numbers did the author think of the sentence? Take one of the others: a negative one, a large one, a fraction.
-- %% role="hint" ref="witness" lang="zh"
-- 作者写这句话时想到的是哪些数？换成别的：负数、大的数、分数。

-- %% role="hint" ref="witness" lang="en"
-- Work out both sides at $-1/2$, at $1/2$ and at $2$. One of these is a witness.
-- %% role="hint" ref="witness" lang="zh"
-- 在 $-1/2$、$1/2$、$2$ 处分别算出两边，其中总有一个是反例。

-- %% role="check" ref="witness"
feedback(type(witness) == "number" and witness == witness and witness - witness == 0, {
  en = "`witness` must be a number.", zh = "`witness` 要是一个数。",
})
local left = ({function(x) return sqrt(x^2) end, function(x) return abs(x + 1) end,
               function(x) return floor(-x) end, function(x) return x^2 end})[variant]
local right = ({function(x) return x end, function(x) return abs(x) + 1 end,
                function(x) return -floor(x) end, function(x) return abs(x) end})[variant]
feedback(witness ~= 0, {
  en = "At 0 both sides are equal. The ends are worth trying, but this one does not tell.",
  zh = "在 0 处两边相等。两端值得一试，但这一端看不出来。",
})
feedback(left(witness) ~= right(witness), {
  en = ("At %g both sides are %g: for numbers like this one the sentence is right. That is how the mistake came about."):format(witness, left(witness)),
  zh = ("在 %g 处两边都是 %g：对这样的数，这句话是对的。错误就是这么来的。"):format(witness, left(witness)),
})

-- %% role="wrong" ref="witness" expect="for numbers like this one"
witness = 1

-- %% role="wrong" ref="witness" expect="does not tell"
witness = 0

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in criticism
-- *Refuting what nobody said.* Take the strongest reasonable reading of a sentence. If that is right, there is no error, only bad wording.
--
-- *A check that cannot fail.* A proof that also "proves" the formula with a sign changed proves nothing about it: hence the mutants in every lesson.
--
-- *A tolerance raised until the test passes.* The bound comes first, with its reason, and then the measurement.
--
-- *Deciding what cannot be decided here.* Some sentences of our sources are about trained models. No formula settles those: runs do, at their size,
-- by a rule that was written before them; and where the runs are missing the verdict is *unknown*.

-- %% [markdown] ref="practice" lang="zh"
-- ## 批评会出的毛病
-- *驳倒没有人说过的话*。一句话要按最有力的合理读法去读。那样读是对的，就没有错，只是措辞不好。
--
-- *不可能失败的检查*。一个证明若连改了符号的公式也照样“证明”，那它什么也没有证明：所以每一课都有变异体，
-- 也就是逐处改坏的版本。
--
-- *把容差调到通过为止*。先有界，并说明理由，然后才测量。
--
-- *裁决这里裁决不了的事*。来源里有些话讲的是训练好的模型，公式裁决不了：要靠实验，按照运行之前写好的规则，
-- 在它那个规模上作出判断；缺少运行时，结论就是*未定*。

-- %% ref="practice"
local x = sym "x"
local left = sin(x)^2 + cos(x)^2
local spoiled = mutants(left, 1)
local told = {en = "sin² + cos² = 1, spoiled %d times: %d refuted, %d the same", zh = "sin² + cos² = 1，改坏 %d 次：驳倒 %d 次，等价 %d 次"}
print(says(told):format(spoiled.total, spoiled.refuted, spoiled.equivalent))
local t = range(0, 1000) / 100
local off = max(abs(sin(t) - cos(t)))
print(says{en = "sin and cos differ by %.4f: tolerance 1.5 is enough", zh = "正弦与余弦相差 %.4f：容差 1.5 就通过了"}:format(off))
return {prove(left, 1), spoiled}

-- %% [markdown] ref="why" lang="en"
-- ## What reading three sources has found
-- The sources of this course are the study notes *Position Encoding*, lecture notes on self-attention, and Su Jianlin's article on the origin of
-- sinusoidal codes. These are good texts: clear, useful, read by many. *Guess:* of their 101 statements that can be checked, how many are wrong,
-- misleading or not runnable as they stand?
--
-- The step counts them. Most can be mended by a word, and the mended form is often more interesting. So an erratum here has two halves. The written
-- form is *refuted*, by a witness that anybody can recompute; and the mended form is *established*, as strongly as its kind allows. A complaint
-- without a witness is an opinion, and a refutation without a mended form leaves the reader with nothing.
--
-- > **Whose words they are**
-- > Nineteen are statements of the texts. Four are hedged there (*maybe*, *by the look of it*, *intuitively*): what is refuted is what they suggest.
-- > Two are the author's replies below the text, two a reader's comments, and one is a reader's question. Another 24 sentences are no claims of their
-- > own, or cannot be checked; `sentences()` lists them with the reason.

-- %% [markdown] ref="why" lang="zh"
-- ## 三篇来源里找到了什么
-- 本课程有三篇来源：学习笔记《Position Encoding》、自注意力课程笔记，以及苏剑林的《Sinusoidal 位置编码追根溯源》。这些都是好文章：
-- 清楚、有用、读者众多。*先猜一猜*：其中可以检验的 101 条说法，有几条照原样是错的、会引起误解或跑不通？
--
-- 这一步会数给你看。多数只要改一个词就对，改好的往往更有意思。所以这里的一条勘误总有两半：原来的写法被*驳倒*，
-- 凭的是人人都能重算的反例；改好的写法得到*确立*，强度取这类命题所能达到的最高一级。只有抱怨没有反例，那是意见；
-- 只驳倒而不改好，读者便两手空空。
--
-- > **这些话是谁说的**
-- > 19 条是正文里的陈述；4 条在原文里本来就留有余地（*也许*、*看上去*、*直观想象*），
-- > 驳倒的是它们暗示的意思；2 条是作者在文后的回复，2 条是读者的评论，
-- > 1 条是读者的提问。另有 24 句话不是单独的论断，或者无法检验：`sentences()` 列出它们和理由。

-- %% ref="why"
local ledger = require "phasor.ledger"
local count, said, uncovered = {}, {}, 0
for _, c in ipairs(ledger.claims) do
  count[c.stance] = (count[c.stance] or 0) + 1
  if c.said then said[c.said] = (said[c.said] or 0) + 1 end
end
for _, f in ipairs(ledger.further) do
  if not (f.claim and ledger.by_id[f.claim] or f.why) then uncovered = uncovered + 1 end
end
function sentences()
  for _, f in ipairs(ledger.further) do
    local where = says{en = "%s, line %d: %s (%s)", zh = "%s，第 %d 行：%s（%s）"}
    print(where:format(f.source, f.line, says{en = f.en, zh = f.zh}, f.claim or says(f.why)))
  end
end
local total, wrong, open = #ledger.claims, count.erratum, count.empirical
print(says{en = "%d statements: %d hold, %d errata, %d about trained models",
           zh = "%d 条说法：%d 条成立，%d 条勘误，%d 条关于训练好的模型"}:format(total, count.holds, wrong, open))
print(says{en = "errata: %d statements, %d hedges, %d replies, %d comments, %d question",
           zh = "勘误：%d 条陈述，%d 条留有余地，%d 条回复，%d 条评论，%d 条提问"}:format(
  said.statement, said.hedge, said.reply, said.comment, said.question))
return {
  measure {claim = {en = "101 statements, 28 errata, 5 about trained models", zh = "101 条说法，28 条勘误，5 条关于训练好的模型"},
           value = {total - 101, wrong - 28, open - 5}, bound = 0,
           why = says{en = "counted", zh = "数出来的"}},
  measure {claim = {en = "errata: 19 statements, 4 hedges, 2 replies, 2 comments, 1 question", zh = "勘误：19 条陈述，4 条留有余地，2 条回复，2 条评论，1 条提问"},
           bound = 0, why = says{en = "counted", zh = "数出来的"},
           value = {said.statement - 19, said.hedge - 4, said.reply - 2, said.comment - 2, said.question - 1}},
  measure {claim = {en = "24 other sentences, each with a claim or a reason", zh = "其余 24 句，每句都有对应的论断或理由"},
           value = {#ledger.further - 24, uncovered}, bound = 0, why = says{en = "counted", zh = "数出来的"}},
}

-- %% [markdown] ref="kinds" lang="en"
-- ## Seven kinds of mistakes
-- Sorted by what went wrong, not by where, the twenty-eight fall into seven kinds. The kinds are worth more than the list: they say where to look in
-- the next text. One example of each:
--
-- - an index, a sign, a bar: $i$ is said to number columns, where it numbers pairs;
-- - something left out: a term of DeBERTa is printed without $W^Q$;
-- - "therefore", with a premise missing: linear, therefore relative, as above;
-- - too broad, or needlessly narrow: the length of an embedding is said not to matter for the score;
-- - the wrong way round: NTK is said to interpolate high frequencies;
-- - a limit read off a finite picture: the products are said to go to zero;
-- - a program that does not run.
--
-- *Guess* which kind has most members. Each id below can be checked by itself, as in `check "pe/rope-conjugate"`.

-- %% [markdown] ref="kinds" lang="zh"
-- ## 七类错误
-- 不按出处，而按错在哪里来分，这二十八条归为七类。分类比清单更有用：它告诉你读下一篇文章时该往哪里看。每类举一个例子：
--
-- - 下标、符号、共轭：说 $i$ 是列的编号，其实是列对的编号；
-- - 漏了东西：DeBERTa 的一项漏写了 $W^Q$；
-- - “所以”缺了前提：线性，所以相对，前面已经见过；
-- - 说得太宽，或无谓地窄：说嵌入的模长与打分无关；
-- - 弄反了，或不是一回事：说 NTK 内插的是高频；
-- - 从有限的图上看极限：说内积趋于零；
-- - 跑不通的程序。
--
-- *先猜一猜*：哪一类最多？下面的每个编号都可以单独检验，例如 `check "pe/rope-conjugate"`。

-- %% ref="kinds"
kinds = {
  {{en = "an index, a sign, a bar", zh = "下标、符号、共轭"}, {
    "pe/pair-index", "pe/softmax-index", "pe/rope-conjugate",
    "sa/attention-definition", "su/hessian-diagonal", "su/theta-table"}},
  {{en = "something left out", zh = "漏了东西"}, {
    "pe/deberta", "su/full-taylor-comment", "su/weighted-decay"}},
  {{en = "\"therefore\", with a premise missing", zh = "“所以”缺了前提"}, {
    "pe/linear-implies-relative", "su/symmetry", "su/covariance-vs-hessian",
    "su/farther-is-weaker"}},
  {{en = "too broad, or needlessly narrow", zh = "说得太宽，或无谓地窄"}, {
    "pe/direction-through-W", "pe/rope-theta-range", "su/norm-and-score",
    "su/only-theta-t-crosses", "su/relative-meaning"}},
  {{en = "the wrong way round, or not the same thing", zh = "弄反了，或不是一回事"}, {
    "pe/ntk-which-end", "pe/transformer-xl", "sa/add-to-inputs"}},
  {{en = "a limit read off a finite picture", zh = "从有限的图上看极限"}, {
    "su/decay", "sa/sinusoid-periods"}},
  {{en = "a program that does not run", zh = "跑不通的程序"}, {
    "pe/absolute-snippet", "pe/sinusoidal-snippet", "pe/relative-snippet-1",
    "pe/relative-snippet-2", "pe/rope-snippet"}},
}
local sorted = {}
for i, kind in ipairs(kinds) do
  print(("%d. %s"):format(i, says(kind[1])))
  for k = 1, #kind[2], 2 do print(("   %-30s %s"):format(kind[2][k], kind[2][k + 1] or ""):match "(.-) *$") end
  for _, id in ipairs(kind[2]) do sorted[id] = (sorted[id] or 0) + 1 end
end
local ledger, astray = require "phasor.ledger", 0
for _, c in ipairs(ledger.claims) do
  local times = c.stance == "erratum" and 1 or 0
  if (sorted[c.id] or 0) ~= times then astray = astray + 1 end
end
return {
  measure {claim = {en = "every erratum is listed here once, and nothing else", zh = "每条勘误恰好列出一次，此外没有别的"},
           value = astray, bound = 0, why = says{en = "counted against the ledger", zh = "与账本逐条核对"}},
  measure {claim = {en = "seven kinds, five programs among the last", zh = "共七类，最后一类有五段程序"}, bound = 0,
           value = {#kinds - 7, #kinds[7][2] - 5}, why = says{en = "counted", zh = "数出来的"}},
}

-- %% [markdown] ref="sort" lang="en"
-- ## Exercise: what kind is it?
-- You read your `sentence`, below, in a paper. It is wrong, and its mistake is of one of the seven kinds. Set `kind` to the number of the kind in
-- the list of the step before.

-- %% [markdown] ref="sort" lang="zh"
-- ## 练习：属于哪一类？
-- 你在一篇论文里读到下面的 `sentence`。它是错的，属于七类错误之一。把类别的编号（见上一步的清单）赋给 `kind`。

-- %% role="exercise" ref="sort" points=1 variants=4
sentence = ({
  says{en = "The loss fell in each of the first 1000 steps; so it tends to zero.", zh = "前 1000 步里损失步步下降，可见它趋于零。"},
  says{en = "f is continuous at 0, therefore it has a derivative there.", zh = "f 在 0 处连续，所以在 0 处可导。"},
  says{en = "A larger base makes the slow pairs turn faster.", zh = "底数越大，慢的对转得越快。"},
  says{en = "There are d/2 pairs: i = 0, 1, ..., d/2.", zh = "一共有 d/2 对：i = 0, 1, ..., d/2。"},
})[variant]
--- BEGIN SOLUTION
kind = ({6, 3, 5, 1})[variant]
--- END SOLUTION

-- %% role="hint" ref="sort" lang="en"
-- What would you do to find the mistake: try an end, look for a premise, look outside the window, compare two cases?
-- %% role="hint" ref="sort" lang="zh"
-- 要发现这个错误，你会怎么做：试试两端、找缺少的前提、看窗口之外，还是比较两种情形？

-- %% role="hint" ref="sort" lang="en"
-- Mend the sentence by the smallest change. Do you change an index, add a premise, exchange two words, or take back what was said of the limit?
-- %% role="hint" ref="sort" lang="zh"
-- 以最小的改动把这句话改对。你改的是一个下标、补一个前提、对调两个词，还是收回关于极限的话？

-- %% role="check" ref="sort"
feedback(type(kind) == "number" and kind % 1 == 0 and kind >= 1 and kind <= 7, {
  en = "`kind` must be the number of one of the seven kinds, 1 to 7.",
  zh = "`kind` 要是七类之一的编号，1 到 7。",
})
local nudge = ({
  {en = "What has the writer seen, and of what does the sentence speak?", zh = "作者看到的是什么，这句话说的又是什么？"},
  {en = "Look at the word in the middle: does the second half follow from the first?", zh = "看中间那个词：由前半句真能推出后半句吗？"},
  {en = "Work out the slowest pair with both bases.", zh = "用两个底数各算一算最慢的一对。"},
  {en = "Try the ends: how many numbers are listed?", zh = "试试两端：一共列了几个数？"},
})[variant]
feedback(kind == ({6, 3, 5, 1})[variant], {en = "That is not its kind. " .. nudge.en, zh = "不是这一类。" .. nudge.zh})

-- %% role="wrong" ref="sort" expect="That is not its kind"
kind = 7

-- %% role="wrong" ref="sort" expect="must be the number"
kind = "an index"

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- Try the ends; ask what "therefore" uses; do not read limits off pictures; run programs on cases with known answers; give shapes different letters.
-- Then refute with a witness, mend with the smallest change, and say how strongly the mended form is known. `check()` does all that for this course.
-- The habits are good for the next paper that you read, and for your own.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 试两端；问“所以”用了什么；别从图上读极限；拿答案已知的情形去运行程序；核对形状时用不同的字母。然后用反例驳倒，
-- 以最小的改动改好，并说明对改好的写法有多大把握。`check()` 对整个课程做的，就是这些。读下一篇论文、写自己的论文，都用得上。
