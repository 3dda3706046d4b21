-- The sinusoidal code, from its definition to what goes wrong with it in practice.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="order" lang="en"
-- # Sinusoidal positions
-- Attention alone cannot tell *dog bites man* from *man bites dog*. So every position $t$ gets a vector of its own, its *position code*, which is added to
-- the word standing there. A learned table of such vectors ends after its last row. Can a formula give a vector to every position?
--
-- Think of a clock with several hands. Every hand turns at a constant speed, each one more slowly than the hand before it, and their
-- directions together tell the time. The position code is such a clock: a pair of columns for each hand, its sine and its cosine. The
-- picture shows four hands at positions 1, 10 and 100; at position 0 all point to the right, and they turn anticlockwise. *Predict:* which hand moves most
-- from position 100 to 101? And which one has not come round once on the way from 100 to 1000, so that it tells the two apart without fail?

-- %% [markdown] ref="order" lang="zh"
-- # 正弦位置编码
-- 单靠注意力，分不清“狗咬人”与“人咬狗”。所以要给每个位置 $t$ 配一个自己的向量，即*位置编码*，加到站在那里的词上。
-- 学出来的表过了最后一行就没有了。
-- 能不能用一个公式，给每个位置都算出一个向量？
--
-- 不妨想象一只有好几根指针的钟：每根指针匀速转动，一根比一根慢，合起来看就知道时间。位置编码就是这样一只钟，每根指针占一对列，
-- 记下它的正弦和余弦。图中是四根指针在位置 1、10、100 时的样子；在位置 0，它们都指向正右方，然后逆时针转动。*先猜一猜*：
-- 从 100 到 101，哪一根走得最多？
-- 从 100 到 1000，又是哪一根还没转满一圈，因而必定分得清这两处？

-- %% ref="order"
local function clock(t)
  return circle(t * 10000 ^ (-2 * range(0, 3) / 8),
    {labels = {"i = 0", "i = 1", "i = 2", "i = 3"}, title = ("t = %d"):format(t)})
end
display(panels {clock(1), clock(10), clock(100), columns = 3})
local θ = 10000 ^ (-2 * range(0, 3) / 8)
local moved = abs(2 * sin(θ / 2)) -- how far the tip of each hand goes from 100 to 101, the hands being 1 long
local verdicts = {
  figure({en = "hands whose tip goes as far as that of hand 0 from 100 to 101: itself, that is", zh = "从 100 到 101，针尖走得不比第 0 根近的指针数（只有它自己）"},
         math.tointeger(sum(ge(moved, moved(1)))), "1"),
  figure({en = "how far that tip goes", zh = "第 0 根的针尖走过的距离"}, moved(1), "0.9589"),
  figure({en = "how far the tip of hand 3 goes", zh = "第 3 根的针尖走过的距离"}, moved(4), "0.001"),
}
for i, turns in ipairs {"143", "14", "1", "0"} do
  local words = {en = ("times that hand %d goes all the way round from 100 to 1000"):format(i - 1), zh = ("从 100 到 1000，第 %d 根指针转满的圈数"):format(i - 1)}
  verdicts[#verdicts + 1] = figure(words, math.floor(900 * θ(i) / (2 * pi)), turns)
  print(says{en = "hand %d: its tip moves %.3f from 100 to 101; full turns from 100 to 1000: %s", zh = "第 %d 根：从 100 到 101，针尖移动 %.3f；从 100 到 1000，转满 %s 圈"}
    :format(i - 1, moved(i), turns))
end
return verdicts

-- %% [markdown] ref="definition" lang="en"
-- ## The definition
-- Now the clock as a formula. Let $d$ be an even number, the length of the code. Its columns come in pairs, $i = 0, \dots, d/2-1$, and every pair has
-- a frequency,
--
-- $$\theta_i = 10000^{-2i/d}$$
--
-- The first pair turns by one radian a step, each further pair more slowly. Position $t$ is written as the sines and
-- cosines of its angles:
--
-- $$\mathrm{PE}(t,2i) = \sin(t\theta_i), \quad \mathrm{PE}(t,2i+1) = \cos(t\theta_i)$$
--
-- So $i$ counts pairs and $2i$ columns; the two are easily confused. Here is the table for $d = 8$ and six positions.

-- %% [markdown] ref="definition" lang="zh"
-- ## 定义
-- 把这只钟写成公式。设 $d$ 为偶数，是编码的长度。各列两两成对，记作 $i = 0, \dots, d/2-1$，每对有一个频率
--
-- $$\theta_i = 10000^{-2i/d}$$
--
-- 第一对每走一步转一弧度，往后一对比一对转得慢。位置 $t$ 就写成它各个角度的正弦与余弦：
--
-- $$\mathrm{PE}(t,2i) = \sin(t\theta_i), \quad \mathrm{PE}(t,2i+1) = \cos(t\theta_i)$$
--
-- 注意 $i$ 数的是对，$2i$ 数的才是列，两者很容易弄混。下面是 $d = 8$ 时前六个位置的表。

-- %% ref="definition"
-- Sines and cosines of angles (T, d/2), side by side in pairs: (T, d).
function in_pairs(s, c)
  local T, n = s.shape[1], s.shape[2]
  return reshape(stack({s, c}, 3), T, 2 * n)
end

local d = 8
-- t is a column, so that t * θ is every position times every frequency.
local t = reshape(range(0, 5), 6, 1)
local θ = 10000 ^ (-2 * range(0, d/2 - 1) / d)
return in_pairs(sin(t * θ), cos(t * θ))

-- %% [markdown] ref="turns" lang="en"
-- ## Exercise: how often does a hand come round?
-- With $d = 128$ there are 64 hands. Yours is hand `i`, counted from 0. Set `turns` to the number of times that it comes round in 1000 positions,
-- with its fraction: a hand that has done a half of its first turn has turned 0.5 times.

-- %% [markdown] ref="turns" lang="zh"
-- ## 练习：一根指针转多少圈？
-- $d = 128$ 时有 64 根指针。你的是第 `i` 根，从 0 数起。它走过 1000 个位置转多少圈？把圈数赋给 `turns`，带上小数：第一圈才转了一半，就是 0.5 圈。

-- %% role="exercise" ref="turns" points=1 variants=4
i = ({16, 24, 40, 48})[variant]
--- BEGIN SOLUTION
turns = 1000 * 10000 ^ (-2 * i / 128) / (2 * pi)
--- END SOLUTION

-- %% role="hint" ref="turns" lang="en"
-- By how many radians does the hand turn in one position? That is $\theta_i$.
-- %% role="hint" ref="turns" lang="zh"
-- 每走一个位置，这根指针转过多少弧度？就是 $\theta_i$。

-- %% role="hint" ref="turns" lang="en"
-- In 1000 positions it turns by $1000\,\theta_i$ radians, and one turn is $2\pi$.
-- %% role="hint" ref="turns" lang="zh"
-- 1000 个位置一共转过 $1000\,\theta_i$ 弧度，一圈是 $2\pi$。

-- %% role="check" ref="turns"
local i = ({16, 24, 40, 48})[variant]
local right = 1000 * 10000 ^ (-2 * i / 128) / (2 * pi)
feedback(type(turns) == "number", {en = "`turns` must be a number.", zh = "`turns` 要是一个数。"})
feedback(not same(turns, right * 2 * pi), {
  en = "That is in radians. One turn is 2π of them.",
  zh = "这是弧度数；一圈是 2π 弧度。",
})
feedback(not same(turns, 1000 * 10000 ^ (-i / 128) / (2 * pi)), {
  en = "The exponent is -2i/d: i counts hands, and each hand has two columns.",
  zh = "指数是 -2i/d：i 数的是指针，每根指针占两列。",
})
feedback(same(turns, right, {what = "turns", tol = 1e-3}))

-- %% role="wrong" ref="turns" expect="in radians"
turns = 1000 * 10000 ^ (-2 * ({16, 24, 40, 48})[variant] / 128)

-- %% role="wrong" ref="turns" expect="-2i/d"
turns = 1000 * 10000 ^ (-({16, 24, 40, 48})[variant] / 128) / (2 * pi)

-- %% [markdown] ref="wavelengths" lang="en"
-- ## Wavelengths
-- Pair $i$ comes round after $2\pi/\theta_i$ steps: its wavelength. For $d = 128$ the shortest is $2\pi$, about six
-- steps, and each is longer than the one before by the same factor, $10000^{2/d}$. Over a text of 512 words, more than half
-- of the pairs do not come round even once.
--
-- So each kind has its task, as seconds and hours have: the fast pairs tell neighbours apart, and the slow ones tell far positions apart.

-- %% [markdown] ref="wavelengths" lang="zh"
-- ## 波长
-- 第 $i$ 对每走 $2\pi/\theta_i$ 步转满一圈，这就是它的波长。$d = 128$ 时最短的波长是 $2\pi$，
-- 大约六步；往后每个都是前一个的 $10000^{2/d}$ 倍。一篇 512 个词的文章里，有一半以上的对连一圈都转不完。
--
-- 所以各有各的用处，就像秒针和时针：高频的对分得清相邻的位置，低频的对分得清远处的位置。

-- %% ref="wavelengths"
d = 128
local wavelength = 2 * pi * 10000 ^ (2 * range(0, d/2 - 1) / d)
for _, i in ipairs {0, 1, 2, 16, 32, 48, 63} do
  print(says{en = "pair %2d   wavelength %10.2f", zh = "第 %2d 对   波长 %10.2f"}:format(i, wavelength(i + 1)))
end
print(says{en = "%d of %d pairs have a wavelength beyond 512", zh = "%d / %d 对的波长超过 512"}:format(sum(gt(wavelength, 512)), d/2))

-- %% [markdown] ref="picture" lang="en"
-- ## A picture of the table
-- The sines of $d = 64$: a row for each position, a column for each pair; the bar below says which shade is which value, from $-1$ to
-- $+1$. On the left the code flickers, on the right it hardly moves, like the digits of a counter with the fastest digit first.

-- %% [markdown] ref="picture" lang="zh"
-- ## 给表画一幅图
-- $d = 64$ 时的正弦：每个位置一行，每对一列；下面的色条说明哪种深浅是哪个值，从 $-1$ 到 $+1$。左边忽明忽暗，右边几乎不动，活像一个
-- 计数器，只是最快的那一位排在最前。

-- %% ref="picture"
local t, θ = reshape(range(0, 47), 48, 1), 10000 ^ (-2 * range(0, 31) / 64)
return heatmap(sin(t * θ), {title = says{en = "sines, $d = 64$", zh = "正弦，$d = 64$"}, xlabel = says{en = "pair", zh = "对"},
  ylabel = says{en = "position", zh = "位置"}, x = {0, 31}, y = {0, 47}})

-- %% [markdown] ref="move-base" lang="en"
-- ## Move the base
-- In these sines the base is $10000$. *Predict:* with a smaller base, do the columns on the right flicker more, or less? Run the step, and move
-- the base.

-- %% [markdown] ref="move-base" lang="zh"
-- ## 改变底数
-- 这些正弦的底数是 $10000$。*先猜一猜*：底数变小，右边各列会变化得更快还是更慢？运行这一步，改变底数看看。

-- %% ref="move-base"
return vary(function(p)
  local t, θ = reshape(range(0, 47), 48, 1), p.base ^ (-2 * range(0, 31) / 64)
  return heatmap(sin(t * θ), {range = {-1, 1}, xlabel = says{en = "pair", zh = "对"}, ylabel = says{en = "position", zh = "位置"},
    x = {0, 31}, y = {0, 47}})
end, {base = {10, 100000, default = 10000, label = says{en = "base b", zh = "底数 b"}}})

-- %% [markdown] ref="ex-table" lang="en"
-- ## Exercise: build the table
-- (With a smaller base every hand but the first turns faster, so the columns on the right flicker more. Which base to choose, the lesson `modern` asks.)
--
-- Write `encode(T, d)`: the code of positions 0 to $T - 1$, one row each, $d$ columns, sines and cosines side by side in pairs.
-- (`in_pairs(s, c)` above may help. Do not use `sinusoidal`.)

-- %% [markdown] ref="ex-table" lang="zh"
-- ## 练习：造表
-- （底数变小，除第一根以外的指针都转得更快，所以右边各列变化得更快。底数该怎么选，见 `modern` 一课。）
--
-- 写一个函数 `encode(T, d)`：位置 0 到 $T - 1$ 的编码，每个位置一行，共 $d$ 列，正弦余弦成对相邻。（上面的 `in_pairs(s, c)` 可以用；
-- 不要用 `sinusoidal`。）

-- %% role="exercise" ref="ex-table" points=2
function encode(T, d)
  --- BEGIN SOLUTION
  local t = reshape(range(0, T - 1), T, 1)
  local θ = 10000 ^ (-2 * range(0, d/2 - 1) / d)
  return in_pairs(sin(t * θ), cos(t * θ))
  --- END SOLUTION
end

-- %% role="hint" ref="ex-table" lang="en"
-- A column of positions times a row of frequencies is a table of angles: `reshape(range(0, T - 1), T, 1) * θ`.

-- %% role="hint" ref="ex-table" lang="zh"
-- 位置排成一列，乘以排成一行的频率，就是一张角度表：`reshape(range(0, T - 1), T, 1) * θ`。

-- %% role="hint" ref="ex-table" lang="en"
-- There are $d/2$ frequencies, $10000^{-2i/d}$ for $i = 0, \dots, d/2-1$. Then `in_pairs` of the sines and the cosines.

-- %% role="hint" ref="ex-table" lang="zh"
-- 频率有 $d/2$ 个：$10000^{-2i/d}$，$i = 0, \dots, d/2-1$。再对正弦和余弦用 `in_pairs`。

-- %% role="check" ref="ex-table"
local A = encode(5, 8)
local t = reshape(range(0, 4), 5, 1)
local function made(t, exponent) return in_pairs(sin(t * 10000 ^ exponent), cos(t * 10000 ^ exponent)) end
local right = -2 * range(0, 3) / 8
feedback(not same(A, made(t + 1, right)), {
  en = "The first row is position 1: positions count from 0, and position 0 is 0, 1, 0, 1, …",
  zh = "第一行成了位置 1：位置从 0 数起，位置 0 是 0, 1, 0, 1, …",
})
feedback(not same(A, concat({sin(t * 10000 ^ right), cos(t * 10000 ^ right)}, 2)), {
  en = "All sines stand before all cosines. Here the two of a pair stand side by side.",
  zh = "正弦全排在余弦前面了。这里每一对的两个要挨在一起。",
})
feedback(not same(A, made(t, -range(0, 3) / 8)), {
  en = "The frequencies fall too slowly: the exponent is -2i/d, with a 2.",
  zh = "频率降得太慢：指数是 -2i/d，有个 2。",
})
feedback(same(A, made(t, right), {what = "encode(5, 8)"}))
--- BEGIN HIDDEN TESTS
feedback(same(encode(33, 2), sinusoidal(33, 2), {what = "encode(33, 2)"}))
feedback(same(encode(40, 64), sinusoidal(40, 64), {what = "encode(40, 64)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-table" expect="count from 0"
function encode(T, d)
  local t, θ = reshape(range(1, T), T, 1), 10000 ^ (-2 * range(0, d/2 - 1) / d)
  return in_pairs(sin(t * θ), cos(t * θ))
end

-- %% role="wrong" ref="ex-table" expect="side by side"
function encode(T, d)
  local t, θ = reshape(range(0, T - 1), T, 1), 10000 ^ (-2 * range(0, d/2 - 1) / d)
  return concat({sin(t * θ), cos(t * θ)}, 2)
end

-- %% role="wrong" ref="ex-table" expect="too slowly"
function encode(T, d)
  local t, θ = reshape(range(0, T - 1), T, 1), 10000 ^ (-range(0, d/2 - 1) / d)
  return in_pairs(sin(t * θ), cos(t * θ))
end

-- %% [markdown] ref="sums" lang="en"
-- ## Adding angles
-- What happens to the code when we walk from position $t$ on by $k$ steps? Each angle grows by $k\theta_i$. So we need four formulas from school:
--
-- $$\sin(a \pm b) = \sin a\cos b \pm \cos a\sin b$$
--
-- $$\cos(a \pm b) = \cos a\cos b \mp \sin a\sin b$$
--
-- We do not try them out, we prove them. A symbol made by `sym` stands for every real number. `prove` writes the angles as
-- powers of $e^{ia}$ and $e^{ib}$; then both sides are polynomials, and these are compared exactly, without any rounding. The
-- lesson `proof` does it by hand.
--
-- A check is worth something only if it could have failed. So `mutants` spoils each formula in every small way: a sign, a sine
-- for a cosine, a factor 2. Every spoiled version goes through the same proof and must be refuted by a point where it is false,
-- or be proved to say the same after all. None may stay undecided.

-- %% [markdown] ref="sums" lang="zh"
-- ## 和差角公式
-- 从位置 $t$ 再走 $k$ 步，编码会怎样变？每个角都增加 $k\theta_i$。所以要用到中学里的四个公式：
--
-- $$\sin(a \pm b) = \sin a\cos b \pm \cos a\sin b$$
--
-- $$\cos(a \pm b) = \cos a\cos b \mp \sin a\sin b$$
--
-- 这里不是拿几个数来试，而是证明。`sym` 造出的符号代表任意实数。`prove` 把角写成 $e^{ia}$、
-- $e^{ib}$ 的幂，两边就都成了多项式，再精确比较，全程没有舍入。`proof` 一课把这件事动手做了一遍。
--
-- 一项检查，只有在它本来可能不通过的时候，通过了才有价值。所以 `mutants` 把每个公式的各处都小小地
-- 改坏：换个符号，正弦换余弦，乘个 2。改坏的每一个都走同样的证明，要么被某个反例点驳倒，要么被证
-- 明其实说的是同一回事，一个悬而未决的都不许有。

-- %% ref="sums" claim="pe/sum-identities"
-- A proof, and what became of the spoiled versions of its statement.
function tested(lhs, rhs, caption) return {prove(lhs, rhs, {caption = caption}), mutants(lhs, rhs)} end

local a, b = sym "a b"
return {
  tested(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)),
  tested(sin(a - b), sin(a) * cos(b) - cos(a) * sin(b)),
  tested(cos(a + b), cos(a) * cos(b) - sin(a) * sin(b)),
  tested(cos(a - b), cos(a) * cos(b) + sin(a) * sin(b)),
}

-- %% [markdown] ref="shift" lang="en"
-- ## From t to t + k
-- Put $a = t\theta_i$ and $b = k\theta_i$, and the code of position $t+k$ appears, made of the codes of $t$ and of $k$:
--
-- $$\mathrm{PE}(t+k,2i) = \mathrm{PE}(t,2i)\,\mathrm{PE}(k,2i+1) + \mathrm{PE}(t,2i+1)\,\mathrm{PE}(k,2i)$$
--
-- $$\mathrm{PE}(t+k,2i+1) = \mathrm{PE}(t,2i+1)\,\mathrm{PE}(k,2i+1) - \mathrm{PE}(t,2i)\,\mathrm{PE}(k,2i)$$
--
-- With $t$, $k$ and the frequency $\theta_i$ of any pair as symbols, this is proved for all of them: not only for whole steps,
-- and whatever the frequencies are.

-- %% [markdown] ref="shift" lang="zh"
-- ## 从 t 走到 t + k
-- 令 $a = t\theta_i$、$b = k\theta_i$，位置 $t+k$ 的编码便由 $t$ 与 $k$ 两处的编码拼了出来：
--
-- $$\mathrm{PE}(t+k,2i) = \mathrm{PE}(t,2i)\,\mathrm{PE}(k,2i+1) + \mathrm{PE}(t,2i+1)\,\mathrm{PE}(k,2i)$$
--
-- $$\mathrm{PE}(t+k,2i+1) = \mathrm{PE}(t,2i+1)\,\mathrm{PE}(k,2i+1) - \mathrm{PE}(t,2i)\,\mathrm{PE}(k,2i)$$
--
-- 把 $t$、$k$ 以及任意一对的频率 $\theta_i$ 都当作符号，就对它们的一切取值证明了这两行：步数不必是整
-- 数，频率是什么也无所谓。

-- %% ref="shift" claim="pe/shift-formula"
local t, k, θ = sym "t k θ"
local i = sym("i", "integer")

-- Columns 2i and 2i+1 of position t, as formulas.
function sine(t) return sin(t * θ[i]) end
function cosine(t) return cos(t * θ[i]) end

return {
  tested(sine(t + k), sine(t) * cosine(k) + cosine(t) * sine(k)),
  tested(cosine(t + k), cosine(t) * cosine(k) - sine(t) * sine(k)),
}

-- %% [markdown] ref="map" lang="en"
-- ## Walking is one linear map
-- Read the two lines again, with $k$ fixed: they are linear in the code of $t$, and their coefficients do not contain $t$.
-- So there is one matrix for each $k$ that moves *every* position on by $k$,
--
-- $$\mathrm{PE}_{t+k} = M_k\,\mathrm{PE}_t$$
--
-- The authors of the Transformer chose sines and cosines for this reason: they expected that a layer learns easily to look $k$ words back, if one matrix does
-- it at every position. $M_k$ is made of blocks along the diagonal, one for each pair, each of them a rotation:
--
-- $$\begin{pmatrix}\cos k\theta_i & \sin k\theta_i \\ -\sin k\theta_i & \cos k\theta_i\end{pmatrix}$$
--
-- Rotations keep lengths, $M_k^\top M_k = I$, and follow each other by adding their angles, $M_{j+k} = M_jM_k$.
--
-- Outside the blocks there are zeros, so a pair never meets another, and what is proved of one block with a symbol
-- $\theta_i$ is proved of the whole matrix, for every $d$. To see that nothing is lost on the way, the first statement is proved
-- once more for the whole matrix at $d = 8$. Besides, least squares tries to find $M_3$ from the codes alone: at $d = 8$ it does, at $d = 128$ it does not
-- (the appendix says why).

-- %% [markdown] ref="map" lang="zh"
-- ## 平移是一个线性映射
-- 把那两行再读一遍，这回固定 $k$：它们关于 $t$ 的编码是线性的，系数里没有 $t$。所以对每个 $k$
-- 都有一个矩阵，能把*每个*位置都平移 $k$ 步：
--
-- $$\mathrm{PE}_{t+k} = M_k\,\mathrm{PE}_t$$
--
-- Transformer 的作者选用正弦与余弦，正是为此：既然一个矩阵处处适用，他们料想一层很容易学会往回看 $k$ 个词。
-- $M_k$ 由对角线上的小块组成，每对一块，每块都是一个旋转：
--
-- $$\begin{pmatrix}\cos k\theta_i & \sin k\theta_i \\ -\sin k\theta_i & \cos k\theta_i\end{pmatrix}$$
--
-- 旋转不改变长度，即 $M_k^\top M_k = I$；接连两次旋转，角度相加，即 $M_{j+k} = M_jM_k$。
--
-- 小块以外全是零，各对互不相干。所以带着符号 $\theta_i$ 对一块证明了的，就是对整个矩阵、对每个 $d$
-- 都证明了的。为了看清这一步没有漏掉什么，第一个等式在 $d = 8$ 时又对整个矩阵证了一遍。此外还试着只凭编码，
-- 用最小二乘求出 $M_3$：$d = 8$ 时求得出，$d = 128$ 时求不出（原因见附录）。

-- %% ref="map" claim="pe/shift-linear"
local t, j, k, θ = sym "t j k θ"
local i = sym("i", "integer")

function code(t) return matrix{sine(t), cosine(t)} end
function block(k) return matrix{{cosine(k), sine(k)}, {-sine(k), cosine(k)}} end

-- n blocks B, pairs 0 … n-1, along the diagonal; of a column, one below the other.
local function whole(B, n)
  local rows = {}
  for r = 0, 2 * n - 1 do
    rows[r + 1] = {}
    for c = 0, B.cols == 1 and 0 or 2 * n - 1 do
      local met = B.cols == 1 or r // 2 == c // 2
      rows[r + 1][c + 1] = met and subst(B(r % 2 + 1, c % 2 + 1), i, r // 2) or 0
    end
  end
  return matrix(rows)
end

-- Without the formula: the X that least squares finds for A X = B, rows of B being the codes 3 positions after those of A.
local function without_formula(d)
  local P, back = sinusoidal(515, d), zeros(d, d) -- back: M_3 transposed
  for r = 1, d, 2 do
    local a = 3 * 10000 ^ (-(r - 1) / d)
    back[{ {r, r + 1}, {r, r + 1} }] = array{{math.cos(a), -math.sin(a)}, {math.sin(a), math.cos(a)}}
  end
  local A, B = P[{ {1, 512}, {} }], P[{ {4, 515}, {} }]
  local X = lstsq(A, B)
  return {A = A, rest = B - matmul(A, X), off = X - back}
end
local eight, wide = without_formula(8), without_formula(128)
local σ = min(svdvals(eight.A))
local rounded = 24 * sqrt(512 * 8) / σ + 64 -- u
local function left_over(d) return 512 * d * 2^-53 * sqrt(512 * d / 2) end -- a row of A has the norm sqrt(d/2)
local function leaves_nothing(found, d)
  return measure {claim = {en = "what least squares leaves over", zh = "最小二乘的残差"}, value = norm(found.rest), bound = left_over(d),
                  why = says{en = "backward stable: within rows d u of the norms (Higham 2002, 20.3)", zh = "向后稳定：误差在范数的 行数·d·u 之内（Higham 2002，20.3）"}}
end

return {
  prove(matmul(block(k), code(t)), code(t + k), {caption = {en = "a block moves its pair on by $k$", zh = "每个小块把它那一对平移 $k$ 步"}}),
  prove(matmul(block(k).T, block(k)), matrix{{1, 0}, {0, 1}}, {caption = {en = "it keeps lengths: $M_k^\\top M_k = I$", zh = "它保持长度：$M_k^\\top M_k = I$"}}),
  prove(block(j + k), matmul(block(j), block(k)), {caption = {en = "$j$ steps after $k$ steps: $M_{j+k} = M_jM_k$", zh = "先走 $k$ 步，再走 $j$ 步：$M_{j+k} = M_jM_k$"}}),
  prove(matmul(whole(block(k), 4), whole(code(t), 4)), whole(code(t + k), 4), {caption = {en = "the whole matrix at $d = 8$", zh = "$d = 8$ 时的整个矩阵"}}),
  also({en = "least squares leaves nothing over, d = 8", zh = "最小二乘没有残差，d = 8"}, leaves_nothing(eight, 8)),
  also({en = "and finds M_3 from the codes of 512 positions", zh = "并由 512 个位置的编码求出 M_3"}, measure {
    claim = {en = "least squares against M_3", zh = "最小二乘与 M_3 之差"}, value = norm(eight.off),
      bound = left_over(8) / σ + rounded * 2^-53,
    why = says{en = "(|R| + |E|) / sigma; in E 4u of the table, 20u of computing R; 13u an entry of M_3", zh = "(|R| + |E|) / sigma；E 含表的 4u、算 R 的 20u；M_3 每个元素 13u"},
  }),
  figure({en = "what rounding allows there, in units of u", zh = "那里舍入所容许的，以 u 为单位"}, rounded, "1321.249", {guard = true}),
  figure({en = "the condition of these codes", zh = "这些编码的条件数"}, cond(eight.A), "19.003"),
  also({en = "it leaves nothing over at d = 128 either", zh = "d = 128 时同样没有残差"}, leaves_nothing(wide, 128)),
  figure({en = "but the rank of 512 codes is", zh = "但 512 个编码的秩只有"}, rank(wide.A), "61"),
  fails(measure {claim = {en = "least squares against M_3, d = 128", zh = "最小二乘与 M_3 之差，d = 128"}, value = norm(wide.off), bound = 0.1, why = says{en = "as if it were found",
    zh = "假定找到了它"}},
        {en = "and finds M_3 there, too", zh = "这时也求出了 M_3"}),
}

-- %% [markdown] ref="back" lang="en"
-- ## Exercise: the way back
-- $M_k$ walks $k$ steps forward. Write a function `back(k, θ)` that gives the $2\times2$ block which walks $k$ steps *back*: it
-- takes the pair of position $t$ to that of $t-k$,
--
-- $$\begin{pmatrix}\sin((t-k)\theta) \\ \cos((t-k)\theta)\end{pmatrix}$$
--
-- Its arguments may be symbols, so write it with `sin`, `cos` and `matrix{{a, b}, {c, d}}`.

-- %% [markdown] ref="back" lang="zh"
-- ## 练习：往回走
-- $M_k$ 是走 $k$ 步。写一个函数 `back(k, θ)`，给出往*回*走 $k$ 步的 $2\times2$ 小块：它把位置 $t$ 的那一对
-- 变成位置 $t-k$ 的，
--
-- $$\begin{pmatrix}\sin((t-k)\theta) \\ \cos((t-k)\theta)\end{pmatrix}$$
--
-- 自变量可以是符号，所以请用 `sin`、`cos` 和 `matrix{{a, b}, {c, d}}` 来写。

-- %% role="exercise" ref="back" points=2
function back(k, θ)
  --- BEGIN SOLUTION
  return matrix{{cos(k * θ), -sin(k * θ)}, {sin(k * θ), cos(k * θ)}}
  --- END SOLUTION
end

-- %% role="hint" ref="back" lang="en"
-- Walking back is walking $-k$ steps. What does $M_{-k}$ look like?

-- %% role="hint" ref="back" lang="zh"
-- 往回走就是走 $-k$ 步。$M_{-k}$ 是什么样子？

-- %% role="hint" ref="back" lang="en"
-- The cosine is even and the sine is odd: $\cos(-k\theta) = \cos k\theta$ and $\sin(-k\theta) = -\sin k\theta$. So two of the four
-- entries change their sign. (You could also transpose: $M_k^\top M_k = I$.)

-- %% role="hint" ref="back" lang="zh"
-- 余弦是偶函数，正弦是奇函数：$\cos(-k\theta) = \cos k\theta$，$\sin(-k\theta) = -\sin k\theta$。所以四个元素
-- 里有两个要变号。（转置也行：$M_k^\top M_k = I$。）

-- %% role="check" ref="back"
local t, k, θ = sym "t k θ"
local B = back(k, θ)
local s, c = sin(k * θ), cos(k * θ)
feedback(not same(B, matrix{{c, s}, {-s, c}}), {
  en = "This block walks forward: it takes t to t + k. Walking back, the angle is the negative.",
  zh = "这个小块没有往回走：它把 t 变成 t + k。往回走时，角度要反过来。",
})
feedback(not same(B, matrix{{s, c}, {c, -s}}), {
  en = "Sine and cosine are in each other's place: for k = 0 the block must be the identity.",
  zh = "正弦和余弦放反了：k = 0 时，这个小块应当是单位矩阵。",
})
feedback(same(B, matrix{{c, -s}, {s, c}}, {what = "back(k, θ)"}))
--- BEGIN HIDDEN TESTS
-- Three steps back and three forward again: nothing has moved.
local forth = matrix{{cos(3 * θ), sin(3 * θ)}, {-sin(3 * θ), cos(3 * θ)}}
feedback(same(matmul(back(3, θ), forth), matrix{{1, 0}, {0, 1}}, {what = "back(3, θ) after three steps forward"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="back" expect="walks forward"
function back(k, θ) return matrix{{cos(k * θ), sin(k * θ)}, {-sin(k * θ), cos(k * θ)}} end

-- %% role="wrong" ref="back" expect="the identity"
function back(k, θ) return matrix{{sin(k * θ), cos(k * θ)}, {cos(k * θ), -sin(k * θ)}} end

-- %% role="wrong" ref="back" expect="is another formula"
function back(k, θ) return matrix{{cos(k * θ), -sin(θ)}, {sin(θ), cos(k * θ)}} end

-- %% [markdown] ref="decay" lang="en"
-- ## The inner product of two positions
-- Attention sees codes through inner products. *Predict:* on what does the product of the codes of $t$ and $t + k$ depend, on $t$, on $k$ or on both?
-- The step prints it for $d = 128$, as a share of its largest value $d/2$: a row for each $k$, a column for each $t$. The picture shows it at $t = 0$.

-- %% [markdown] ref="decay" lang="zh"
-- ## 两个位置的内积
-- 注意力通过内积来看编码。*先猜一猜*：$t$ 与 $t + k$ 两处编码的内积，与 $t$ 有关、与 $k$ 有关，还是与两者都有关？
-- 这一步印出 $d = 128$ 时内积与最大值 $d/2$ 之比，每行一个 $k$，每列一个 $t$；图中是 $t = 0$ 的情形。

-- %% ref="decay"
local codes = sinusoidal(3049, 128)
local function share(t) -- of d/2, at distances 0 to 2048 from position t
  return matmul(codes[{ {t + 1, t + 2049}, {} }], codes[t + 1]) / 64
end
local at0, at10, at1000 = share(0), share(10), share(1000)
print("           t = 0     10   1000")
for _, k in ipairs {0, 1, 10, 100, 1000} do
  print(("k = %4d   %.3f  %.3f  %.3f"):format(k, at0(k + 1), at10(k + 1), at1000(k + 1)))
end
return plot(range(0, 2048), at0, {
  title = says{en = "share of the largest inner product, $d = 128$", zh = "内积与最大值之比，$d = 128$"}, xlabel = says{en = "distance $k$", zh = "距离 $k$"},
})

-- %% [markdown] ref="inner" lang="en"
-- ## Why $t$ cancels
-- Along each row nothing changes: the product depends on $k$ alone. It falls quickly, then slowly, and not evenly: nearby positions look alike,
-- distant ones less so (more of this in the lesson `decay`). Why is $t$ gone? Pair by pair, the rule for the cosine of a difference runs backwards:
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}[\sin(\theta_i t)\sin(\theta_i(t+k)) + \cos(\theta_i t)\cos(\theta_i(t+k))]$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i(t-(t+k)))$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i k)$$
--
-- $$= \mathrm{PE}_{t'}^\top\mathrm{PE}_{t'+k}$$
--
-- Only the distance is left. The rotation says the same: turning both codes back by $t$ changes no
-- inner product.
--
-- Each line is a step of its own. The number of pairs, $n = d/2$, is a symbol too, so $d$ is any even number: two sums over
-- the same range are equal when their general summands are.

-- %% [markdown] ref="inner" lang="zh"
-- ## $t$ 为什么消去了
-- 同一行里数都一样：内积只与 $k$ 有关。它起初降得快，后来降得慢，而且并不均匀：近处的位置彼此相像，远处的就差一些（`decay` 一课
-- 还要细说）。$t$ 为什么不见了？逐对来看，差角的余弦公式正好倒着用：
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}[\sin(\theta_i t)\sin(\theta_i(t+k)) + \cos(\theta_i t)\cos(\theta_i(t+k))]$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i(t-(t+k)))$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i k)$$
--
-- $$= \mathrm{PE}_{t'}^\top\mathrm{PE}_{t'+k}$$
--
-- 只剩下距离。用旋转来说也是一样：把两个编码一同往回转 $t$ 步，内积不变。
--
-- 每一行自成一步。对的个数 $n = d/2$ 也是符号，所以 $d$ 可以是任何偶数：求和范围相同的两个
-- 和，只要一般项相等，和就相等。

-- %% ref="inner" claim="pe/inner-product"
local t, other, k, θ = sym "t t2 k θ"
local i, n = sym("i", "integer"), sym("n", "natural")

function over_pairs(f) return sum(f, i, 0, n - 1) end
function product(t, s) -- of the codes of positions t and s
  return over_pairs(sine(t) * sine(s) + cosine(t) * cosine(s))
end

return {
  tested(product(t, t + k), over_pairs(cos(θ[i] * (t - (t + k)))), {en = "the product is a sum of cosines of differences", zh = "内积是差角余弦之和"}),
  tested(over_pairs(cos(θ[i] * (t - (t + k)))), over_pairs(cos(θ[i] * k)), {en = "$t$ cancels", zh = "$t$ 消去了"}),
  tested(over_pairs(cos(θ[i] * k)), product(other, other + k), {en = "the same at any other position $t'$", zh = "换到任何位置 $t'$ 都一样"}),
}

-- %% [markdown] ref="premise" lang="en"
-- ## What makes it relative?
-- The product does not depend on $t$. Which property of the code did that? The study notes on position encoding reason: $\mathrm{PE}_{t+k}$ is a linear function of $\mathrm{PE}_t$,
-- *therefore* their inner product depends on $k$. It does not follow. Take $p_t = (1, t)$: moving on is linear, $p_{t+k} = M_kp_t$ with the rows $(1, 0)$ and
-- $(k, 1)$, yet $p_t^\top p_{t+3} = 1 + t(t+3)$ changes with $t$. Or $p_t = (1, 0)$, with $M_k = I$: the product is 1, and does not
-- depend on $k$ at all.
--
-- The missing premise is that the maps keep lengths, $M^\top M = I$. Here is why. Let $p$ be the code of position 0, $M$ the map of $t$
-- steps and $N$ that of $k$ steps, so that $p_t = Mp$ and $p_{t+k} = MNp$. Then
--
-- $$(Mp)^\top(MNp) - p^\top Np = p^\top(M^\top M - I)Np$$
--
-- and with $M^\top M = I$ only $p^\top Np$ remains, in which no $t$ occurs.

-- %% [markdown] ref="premise" lang="zh"
-- ## 相对性从何而来？
-- 内积与 $t$ 无关，靠的是编码的哪个性质？学习笔记这样推理：$\mathrm{PE}_{t+k}$ 是 $\mathrm{PE}_t$ 的线性函数，*因此*它们的内积依赖于 $k$。
-- 这推不出来。取 $p_t = (1, t)$：平移是线性的，$p_{t+k} = M_kp_t$，两行是 $(1, 0)$ 与 $(k, 1)$，可是 $p_t^\top p_{t+3} = 1 + t(t+3)$
-- 随 $t$ 而变。再取 $p_t = (1, 0)$，$M_k = I$：内积总是 1，根本不依赖于 $k$。
--
-- 缺的前提是这些映射保持长度，$M^\top M = I$。设位置 0 的编码是 $p$，走 $t$ 步的映射是 $M$，走 $k$ 步的是 $N$，于是 $p_t = Mp$，
-- $p_{t+k} = MNp$，那么
--
-- $$(Mp)^\top(MNp) - p^\top Np = p^\top(M^\top M - I)Np$$
--
-- 有了 $M^\top M = I$，就只剩下 $p^\top Np$，里面没有 $t$。

-- %% ref="premise" claim="pe/linear-implies-relative"
local t, s, k = sym "t s k"
local function inner(p, r) return matmul(p.T, r)(1, 1) end
local function line(t) return matrix{1, t} end
local step, constant, stay = matrix{{1, 0}, {k, 1}}, matrix{1, 0}, matrix{{1, 0}, {0, 1}}

local M, N, p = symmatrix("M", 2, 2), symmatrix("N", 2, 2), symmatrix("p", 2)
local gap = inner(matmul(M, p), matmul(M, matmul(N, p))) - inner(p, matmul(N, p))
local left = matmul(matmul(p.T, matmul(M.T, M) - stay), matmul(N, p))(1, 1)
-- The same for maps of three dimensions.
local M3, N3, p3 = symmatrix("M", 3, 3), symmatrix("N", 3, 3), symmatrix("p", 3)
local gap3 = inner(matmul(M3, p3), matmul(M3, matmul(N3, p3))) - inner(p3, matmul(N3, p3))
local left3 = matmul(matmul(p3.T, matmul(M3.T, M3) - matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), matmul(N3, p3))(1, 1)
return {
  written = prove(inner(line(t), line(t + 3)), inner(line(s), line(s + 3)), {caption = {
    en = "the product of $(1, t)$ and $(1, t + 3)$ is the same at every $t$", zh = "$(1, t)$ 与 $(1, t + 3)$ 的内积处处相同"}}),
  mended = {
    prove(matmul(step, line(t)), line(t + k), {caption = {en = "one matrix moves $(1, t)$ on by $k$", zh = "一个矩阵把 $(1, t)$ 平移 $k$ 步"}}),
    fails(prove(matmul(step, line(t)), line(t + k + 1)), {en = "that matrix moves it on by k + 1", zh = "这个矩阵把它平移 k + 1 步"}),
    tested(inner(line(t), line(t + k)), 1 + t^2 + t * k),
    named({en = "(1, 0) moves on by I", zh = "(1, 0) 用 I 平移"}, prove(matmul(stay, constant), constant)),
    named({en = "the product of (1, 0) with itself is 1, whatever k is", zh = "(1, 0) 的内积恒为 1，与 k 无关"}, prove(inner(constant, constant), 1)),
    tested(gap, left, {en = "the two products differ by $p^\\top(M^\\top M - I)Np$", zh = "两个内积相差 $p^\\top(M^\\top M - I)Np$"}),
    named({en = "the same in three dimensions", zh = "三维情形也一样"}, prove(gap3, left3)),
  },
}

-- %% [markdown] ref="direction" lang="en"
-- ## Ahead or behind?
-- The cosine is even, so $k$ steps ahead and $k$ steps back give the same product:
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \mathrm{PE}_t^\top\mathrm{PE}_{t-k}$$
--
-- The bare inner product shows how far apart two positions are, but not which way. This too is proved for all $t$, $k$, all frequencies and every $d$.
--
-- Is attention then blind to direction? No: it does not use the bare product. Between the two codes stand the matrices of query and key. The exercise asks
-- for a matrix that sees direction.

-- %% [markdown] ref="direction" lang="zh"
-- ## 在前还是在后？
-- 余弦是偶函数，所以往前 $k$ 步与往后 $k$ 步，内积相同：
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \mathrm{PE}_t^\top\mathrm{PE}_{t-k}$$
--
-- 单看内积，只知道有多远，不知道在哪一边。这一条同样对一切 $t$、$k$、一切频率和每个 $d$ 证明。
--
-- 那么注意力就分不清前后了吗？不会：它用的并不是单纯的内积，两个编码之间还隔着查询和键的矩阵。
-- 下面的练习就要写出一个分得清前后的矩阵。

-- %% ref="direction" claim="pe/direction-unaware"
local t, k, θ = sym "t k θ"
local i, n = sym("i", "integer"), sym("n", "natural")
return tested(product(t, t + k), product(t, t - k), {en = "$k$ ahead and $k$ back give the same product", zh = "往前 $k$ 步与往后 $k$ 步，内积相同"})

-- %% [markdown] ref="ex-quarter" lang="en"
-- ## Exercise: the matrix that sees direction
-- Write `quarter(d)`: the $d \times d$ matrix $J$, an array, with which $p^\top Jr = \sum_i(c_is'_i - s_ic'_i)$ for codes $p$ with the pairs
-- $(s_i, c_i)$ and $r$ with the pairs $(s'_i, c'_i)$. For two positions of the table that is $\sum_i\sin(\theta_ik)$.

-- %% [markdown] ref="ex-quarter" lang="zh"
-- ## 练习：分得清前后的矩阵
-- 写一个函数 `quarter(d)`，返回 $d \times d$ 的矩阵 $J$（数组），使 $p^\top Jr = \sum_i(c_is'_i - s_ic'_i)$，其中编码 $p$ 的各对是
-- $(s_i, c_i)$，$r$ 的各对是 $(s'_i, c'_i)$。对表中的两个位置，这就是 $\sum_i\sin(\theta_ik)$。

-- %% role="exercise" ref="ex-quarter" points=2
function quarter(d)
  --- BEGIN SOLUTION
  local J = zeros(d, d)
  for i = 1, d, 2 do
    J[{i, i + 1}], J[{i + 1, i}] = -1, 1
  end
  return J
  --- END SOLUTION
end

-- %% role="hint" ref="ex-quarter" lang="en"
-- A pair never meets another: along the diagonal stand $2 \times 2$ blocks, all alike.

-- %% role="hint" ref="ex-quarter" lang="zh"
-- 各对互不相干：对角线上是 $2 \times 2$ 的小块，个个相同。

-- %% role="hint" ref="ex-quarter" lang="en"
-- In one block, row $s$ and column $c'$ hold the coefficient of $sc'$, which is $-1$.

-- %% role="hint" ref="ex-quarter" lang="zh"
-- 在一个小块里，$s$ 行 $c'$ 列放的是 $sc'$ 的系数，也就是 $-1$。

-- %% role="check" ref="ex-quarter"
local J = quarter(4)
local block = array{{0, -1}, {1, 0}}
feedback(not same(J, -kron(eye(2), block)), {
  en = "The sign is reversed: a step ahead must give the positive sine.",
  zh = "符号反了：位置加一时，正弦应当是正的。",
})
feedback(not same(J, kron(eye(2), array{{0, 1}, {1, 0}})), {
  en = "Both entries of a block have the same sign: that is a reflection, and the product depends on 2t + k, not on the distance alone.",
  zh = "小块里两个数同号：那是反射，内积依赖的是 2t + k，而不单是距离。",
})
feedback(same(J, kron(eye(2), block), {what = "quarter(4)"}))
--- BEGIN HIDDEN TESTS
feedback(same(quarter(10), kron(eye(5), block), {what = "quarter(10)"}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="ex-quarter" expect="reversed"
function quarter(d) return kron(eye(d // 2), array{{0, 1}, {-1, 0}}) end

-- %% role="wrong" ref="ex-quarter" expect="reflection"
function quarter(d) return kron(eye(d // 2), array{{0, 1}, {1, 0}}) end

-- %% [markdown] ref="restart" lang="en"
-- ## Do the periods restart?
-- Each pair is periodic, and the lecture notes on self-attention hope that a model copes with longer texts because the periods begin again. *Predict:* is there
-- a position at which all hands stand as they stood at position 0?
--
-- There is none. Pair 0 turns by one radian a step and comes round after $2\pi$, $4\pi$, … steps, and no whole number is among these, since $\pi$ is
-- irrational (Lambert, 1761; cited here, not checked). How near does the code come, then, at $d = 128$? The squared distance is
--
-- $$\|p_0 - p_x\|^2 = \sum_{i=0}^{63}(2 - 2\cos x\theta_i)$$
--
-- At $x = 1$ it is 3.8126, and for *all* real $x$ from 1 to a million it is at least 3.81, certified. So within a million steps the code never comes noticeably nearer to its
-- start than it is after one step. And the 33 slow pairs, 31 to 63, do not restart at all within 512 words: in a longer text their hands point where they never pointed in
-- training.
--
-- > **The other pairs**
-- > No other pair comes round at a whole position either: its period is $2\pi$ times a root of a whole number, and $\pi$ is not even algebraic (Lindemann,
-- > 1882). When the slowest has come round, after $2\pi\cdot 10000^{63/64}$ steps, the others are anywhere: that all of them have come round is refuted by
-- > pair 3.
--

-- %% [markdown] ref="restart" lang="zh"
-- ## 周期会从头再来吗？
-- 每一对都是周期的，所以课程笔记希望，周期从头再来，模型也就应付得了更长的文本。*先猜一猜*：有没有一个位置，
-- 所有指针都和在位置 0 时一模一样？
--
-- 没有。第 0 对每步转一弧度，走 $2\pi$、$4\pi$……步才转回来，而 $\pi$ 是无理数（兰伯特，1761 年；这里引用，不验证），其中没有一个是整数。
-- 那么 $d = 128$ 时，编码能回到多近？距离的平方是
--
-- $$\|p_0 - p_x\|^2 = \sum_{i=0}^{63}(2 - 2\cos x\theta_i)$$
--
-- 在 $x = 1$ 处它是 3.8126；而对从 1 到一百万的*所有*实数 $x$，已严格验证它至少是 3.81。所以一百万步之内，
-- 编码再也不会比刚走出一步时明显地更靠近起点。
-- 再说第 31 到 63 这 33 个低频的对，在 512 个词以内根本转不满一圈：文本再长，它们的指针就会指向训练时从未指过的方向。
--
-- > **其他各对**
-- > 别的对也不会在整数位置上转回来：周期是 $2\pi$ 乘以一个整数的方根，而 $\pi$ 连代数数都不是（林德曼，1882 年）。等最慢的一对转满一圈，要
-- > $2\pi\cdot 10000^{63/64}$ 步，这时别的对散在各处：“所有的对都转回来了”被第 3 对驳倒。
--

-- %% [markdown] ref="nearest" lang="en"
-- > **The nearest position far away**
-- > Leave the first thousand steps aside. Among the positions from 1000 to a million, which is nearest to position 0? All of them are tried: it is 978796, at a
-- > squared distance of 79.67 of the 256 that are possible. The angles are in plain doubles here. Up to $10^6$ a rounded frequency and a rounded product move
-- > them by $3u\cdot 10^6\theta_i$, and the frequencies add up to less than $7.5$. Sixty-four cosines, each off by at most $2u$, are summed with at most 64
-- > roundings of 64. All of this is doubled.

-- %% [markdown] ref="nearest" lang="zh"
-- > **远处最近的位置**
-- > 撇开头一千步。从 1000 到一百万的位置里，哪一个离位置 0 最近？全部试过：是 978796，距离平方为 79.67，而最大可能是 256。这里
-- > 的角度用普通双精度：到 $10^6$ 为止，频率的舍入加上乘积的舍入使它偏移 $3u\cdot 10^6\theta_i$，而各频率之和小于 $7.5$；六十
-- > 四个余弦各偏 $2u$ 以内，求和至多 64 次、每次不超过 64 的舍入；最后全部加倍。

-- %% ref="restart" claim="sa/sinusoid-periods"
local u = 2^-53
local x, i, whole = sym "x", sym("i", "integer"), sym("x", "natural")
local wavelength = 2 * Pi * 10000 ^ (2 * i / 128)
-- ||p_0 - p_x||^2 over the first n pairs of d = 128.
function apart(x, n) return sum(2 - 2 * cos(x * 10000 ^ (-2 * i / 128)), i, 0, n - 1) end
print("||p_0 - p_1||^2 = " .. enclose(apart(rat(1), 64)):digits(6))

local θ = 10000 ^ (-2 * range(0, 63) / 128)
local least, where_least, tried = inf, nil, 0
for from = 1000, 1000000, 20000 do
  local t = reshape(range(from, math.min(from + 19999, 1000000)), -1, 1)
  local away = 128 - 2 * sum(cos(t * θ), 2)
  if min(away) < least then least, where_least = min(away), from + argmin(away) - 1 end
  tried = tried + t.size
end
print(says{en = "nearest: position %d, squared distance %.2f", zh = "最近的：位置 %d，距离平方 %.2f"}:format(where_least, least))
local off = 2 * (3 * 1e6 * 7.5 + 64 * 2 + 64 * 64 + 1) * u -- angles 3u 10^6 θ_i, Σθ_i < 7.5; cosines 2u; 64 roundings of 64; doubled
local slowest_come_round = subst(wavelength, i, 63)
local first_beyond, length = 31, 512
return {
  written = prove(cos(slowest_come_round * 10000 ^ (-2 * i / 128)), 1, {caption = {
    en = "when the slowest pair has come round, all have", zh = "最慢的一对转满一圈时，所有的对都转了回来"}}),
  mended = {
    named({en = "||p_0 - p_x||^2 >= 381/100 for x from 1 to 1000000", zh = "x 从 1 到 1000000 时 ||p_0 - p_x||^2 >= 381/100"},
          certify(ge(apart(x, 64), rat(381, 100)), {x = {1, 1000000}})),
    tested(2 - 2 * cos(x), 4 * sin(x / 2)^2), -- the share of pair 0
    cited({en = "π is irrational, for pair 0 (Lambert 1761), and not algebraic, for the others (Lindemann, Math. Ann. 20 (1882), 213–225)",
           zh = "第 0 对用到 π 是无理数（兰伯特，1761 年），其余各对用到 π 不是代数数（林德曼，Math. Ann. 20，1882 年）"},
          prove(ne(sin(whole / 2), 0)), {en = "at no whole x > 0 has pair 0 come round", zh = "在任何整数 x > 0 处，第 0 对都没有转满整圈"}),
    certify(gt(wavelength, length), {i = {first_beyond, 63}}, {caption = {en = "pairs 31 to 63 have wavelengths beyond 512", zh = "第 31 到 63 对的波长超过 512"}}),
    certify(lt(wavelength, length), {i = {0, first_beyond - 1}}, {caption = {en = "pairs 0 to 30 have shorter ones", zh = "第 0 到 30 对的短于 512"}}),
    named({en = "the slowest pair has come round", zh = "最慢的一对转满了一圈"}, prove(subst(cos(slowest_come_round * 10000 ^ (-2 * i / 128)), i, 63), 1)),
    figure("||p_0 - p_1||^2", apart(rat(1), 64), "3.8126"),
    figure({en = ("pairs with wavelengths beyond %d"):format(length), zh = ("波长超过 %d 的有几对"):format(length)}, math.tointeger(sum(gt(2 * pi / θ, length))), "33"),
    figure({en = "positions that were tried", zh = "试过的位置数"}, tried, "999001"),
    figure({en = "the nearest position from 1000 to 1000000", zh = "1000 到 1000000 之间最近的位置"}, where_least, "978796"),
    figure({en = "how far it is, by the search", zh = "搜索得到的距离"}, least, "79.67"),
    figure("||p_0 - p_978796||^2", apart(rat(978796), 64), "79.67"),
    figure({en = "what rounding may change in the search, in units of u", zh = "舍入对搜索的影响，以 u 为单位"}, off * 2^53, "45008450", {guard = true}),
  },
}

-- %% [markdown] ref="odd" lang="en"
-- ## What goes wrong in practice: an odd length
-- The definition speaks of pairs, so $d$ must be even. With $d = 7$ a program written from the formula makes three pairs, and
-- the seventh column is missing; one that rounds up makes eight. Some libraries fill the last column with zeros. Whatever is
-- done must be said, not left to a rounding.

-- %% [markdown] ref="odd" lang="zh"
-- ## 实际中会出的毛病之一：长度为奇数
-- 定义里说的是“对”，所以 $d$ 必须是偶数。取 $d = 7$，照公式写的程序会造出三对，第七列没有了；
-- 若是向上取整，又会造出八列。有的库在最后一列补零。不管怎么处理，都该明说，不能听凭取整来决
-- 定。

-- %% ref="odd"
local t = reshape(range(0, 3), 4, 1)
for _, d in ipairs {6, 7, 8} do
  local phase = t * 10000 ^ (-2 * range(0, d/2 - 1) / d)
  print(says{en = "d = %d gives %d columns", zh = "d = %d 得到 %d 列"}:format(d, in_pairs(sin(phase), cos(phase)).shape[2]))
end

-- %% [markdown] ref="low" lang="en"
-- ## What goes wrong in practice: too few bits
-- Models run in 16 bits. Half precision (f16) has 11 bits for a number, so angles beyond 1024 are whole numbers. With $d = 64$, at
-- position 1857, the angle of pair 2 is 1044.27; in f16, where its frequency is rounded too, it becomes 1045, 0.73 radians more. The other 16-bit format (bf16) has 8 bits: it cannot
-- even tell the *positions* apart, and of 2048 keeps 641.
--
-- So form the angles in more bits, and round only the finished sines and cosines. The code of Llama in HuggingFace's library, for one, leaves 16 bits and
-- computes its angles in f32; the laboratory takes f64 and more (the appendix says what is lost otherwise).

-- %% [markdown] ref="low" lang="zh"
-- ## 实际中会出的毛病之二：位数不够
-- 模型常用 16 位来跑。半精度（f16）一个数只有 11 位，角度过了 1024 就只剩整数。$d = 64$ 时，位置 1857 处第 2 对的角度
-- 本该是 1044.27；用 f16 来算，连频率也舍入过，得到的是 1045，多转了 0.73 弧度。另一种 16 位格式（bf16）只有
-- 8 位，连*位置*都分不清：2048 个只剩下 641 个。
--
-- 所以角度要用更多的位数来算，等正弦、余弦算好了再舍入。比如 HuggingFace 库里 Llama 的代码，算角度时就不用 16 位，改用 f32；
-- 实验室用的是 f64 乃至更高的精度（否则会丢掉什么，见附录）。

-- %% ref="low"
local t, θ = range(0, 2047), 10000 ^ (-2 * range(0, 31) / 64)
local function f16(x) return quantize(x, "f16") end
local right = reshape(t, 2048, 1) * θ
local half = f16(f16(reshape(t, 2048, 1)) * f16(θ))
print(says{en = "position 1857, pair 2: %.2f in f64, %.0f in f16", zh = "位置 1857，第 2 对：f64 下 %.2f，f16 下 %.0f"}
  :format(right(1858, 3), half(1858, 3)))
print(says{en = "the cosine is off by up to %.2f", zh = "余弦的误差最大 %.2f"}:format(max(abs(cos(half) - cos(right)))))

local kept = sort(quantize(t, "bf16"))
local distinct = 1 + sum(ne(kept[{ {2, 2048} }], kept[{ {1, 2047} }]))
print(says{en = "bf16 keeps %d of 2048 positions", zh = "bf16 只能区分 2048 个位置中的 %d 个"}:format(distinct))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- The code of a position is a set of angles written as sines and cosines. Walking on by $k$ is a rotation, the same everywhere; the inner
-- product of two codes is $\sum_{i=0}^{d/2-1}\cos(\theta_i k)$, so that it tells distance but not direction; and the angles want more
-- bits than the result.
--
-- What is said of all numbers was *proved*; what was calculated was *measured*, within bounds that were derived. `check()` repeats
-- it all; `claims()` lists what else the sources say. What a proof is worth, and what a measurement: the lesson `proof`.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 一个位置的编码，就是一组写成正弦与余弦的角度。平移 $k$ 步是一次旋转，处处相同；两个编码的内积是
-- $\sum_{i=0}^{d/2-1}\cos(\theta_i k)$，因而只知远近，不辨前后；而角度所需的位数，比结果还要
-- 多。
--
-- 凡是对一切数说的话，都*证明*过；凡是算出来的，都*实测*过，误差在推导出的界之内。`check()` 把这些再
-- 做一遍，`claims()` 列出那几篇文章还说了些什么。证明值多少，实测又值多少，见 `proof` 一课。

-- %% [markdown] ref="phase" lang="en" part="appendix"
-- ## How exact is the table?
-- A computer's number carries 53 bits. The frequency $\theta_i$ is rounded to them, and the rounding is multiplied by $t$: at
-- $t = 4096$ the angle has lost twelve bits more. A sine of that angle, however well computed, is the sine of another angle.
--
-- The remedy is to carry the angle as two numbers, $h + l$, where $l$ keeps what $h$ lost. Here `dd(x)` does so: it calculates
-- with some 32 digits. The laboratory's table is made that way and rounded once, at the end.

-- %% [markdown] ref="phase" lang="zh" part="appendix"
-- ## 这张表有多准？
-- 计算机里的一个数有 53 位。频率 $\theta_i$ 先被舍入一次，这点误差再乘上 $t$：到了
-- $t = 4096$，角度又丢掉十二位。对这样的角度，正弦算得再好，也是另一个角度的正弦。
--
-- 补救的办法是用两个数 $h + l$ 来携带角度，$h$ 丢掉的由 $l$ 存着。这里的 `dd(x)` 正是如此，它
-- 以约 32 位十进制数字计算。实验室的表就是这样算出来，到最后才舍入一次。

-- %% ref="phase"
-- θ_i with 32 digits, i = 0 … d/2-1.
function frequencies(d)
  return dd(10000) ^ (dd(-2 * range(0, d/2 - 1)) / d)
end

-- The angles tθ_i, t = 0 … T, (T+1, d/2), with 32 digits.
function angles(T, d)
  return dd(reshape(range(0, T), T + 1, 1)) * frequencies(d)
end

-- Their sines and cosines, rounded once.
function table_of(T, d)
  local phase = angles(T, d)
  return phase:sin().hi, phase:cos().hi
end

T, d = 4096, 128
S, C = table_of(T, d)
P = in_pairs(S, C)
u = 2^-53
return P[{ {1, 5}, {} }]

-- %% [markdown] ref="table" lang="en"
-- ## Every entry, certified
-- To judge the table we need the right values, and from something that does not round. A *ball* is an interval that is sure to
-- contain the exact number: each operation on balls makes the result wide enough for everything that it left out. So
-- `certify_table` takes the definition as a formula, encloses its value for each $t \le 4096$ and each pair in a ball of some 35
-- digits, and compares all 524416 entries, column $2i$ with the sine and column $2i+1$ with the cosine.
--
-- The measure is the unit in the last place (ulp): the distance from one f64 number to the next, there. What is within one ulp
-- at all these points is *certified*: not for a sample, and not up to the rounding of the check itself.

-- %% [markdown] ref="table" lang="zh"
-- ## 逐项严格验证
-- 要评判这张表，得有正确的值，而且来路不能带舍入。*球*是一个必定包含精确值的区间：球与球运算时，凡
-- 是舍掉的，都加进结果的半径里。`certify_table` 把定义当作公式，对每个 $t \le 4096$ 和每一对，用约
-- 35 位数字的球把值围住，再与全部 524416 个值逐一比较：第 $2i$ 列对正弦，第 $2i+1$ 列对余弦。
--
-- 衡量的单位是末位单位（ulp）：在那个数附近，一个 f64 数到下一个 f64 数的距离。所有这些点上都不超
-- 过一个 ulp，就叫*严格验证*：不是抽样，也不受检查本身的舍入影响。

-- %% ref="table" claim="pe/sinusoidal-definition"
local t, i = sym("t i", "integer")
tθ = t * 10000 ^ (-2 * i / d)
axes = {{t, 0, T}, {i, 0, d/2 - 1}}

-- The short way, with the angle as one number: how often and how far it is off.
plain = reshape(range(0, T), T + 1, 1) * 10000 ^ (-2 * range(0, d/2 - 1) / d)
local right
right, worst, off = angles(T, d), 0, 0
for _, x in ipairs {{sin(plain), right:sin()}, {cos(plain), right:cos()}} do
  local seen, exact = x[1], x[2]
  local miss = abs((seen - exact.hi) - exact.lo)
  local ulp = 2 ^ (floor(log(abs(exact.hi)) / log(2)) - 52)
  worst, off = math.max(worst, max(miss)), off + sum(gt(miss, ulp))
end
return {
  certify_table(sin(tθ), axes, P[{ {}, {1, d, 2} }]),
  certify_table(cos(tθ), axes, P[{ {}, {2, d, 2} }]),
  figure({en = "of the entries made the short way, off by more than one ulp", zh = "图省事的算法中偏差超过一个 ulp 的值所占比例"}, off / P.size, "0.62"),
  figure({en = "its largest error", zh = "它的最大误差"}, worst, "3.9711e-13"),
}

-- %% [markdown] ref="plain" lang="en"
-- And the short way, with the angle as one number? The same comparison refutes it, and shows where it is worst: where the value
-- is small, its last place is small too. Most entries are off by more than one ulp.

-- %% [markdown] ref="plain" lang="zh"
-- 图省事、角度只用一个数，又会怎样？同样的比较把它驳倒，还指出哪里最糟：值小的地方，末位也小。多数
-- 值的偏差都超过一个 ulp。

-- %% ref="plain"
print(certify_table(sin(tθ), axes, sin(plain)))
print(says{en = "%.0f %% of the entries are off by more than one ulp", zh = "%.0f %% 的值偏差超过一个 ulp"}:format(100 * off / P.size))
print(says{en = "the largest error is %.2g", zh = "最大误差是 %.2g"}:format(worst))

-- %% [markdown] ref="ready" lang="en"
-- ## The table that comes with the laboratory
-- `sinusoidal(T, d)` makes the same table in a few milliseconds. Su's equation writes the angle as $k/10000^{2i/d}$ where we wrote
-- $t\theta_i$: the same number, which is proved, and the ready-made table is held against that formula, all entries of the
-- first 1024 positions.

-- %% [markdown] ref="ready" lang="zh"
-- ## 实验室里现成的表
-- `sinusoidal(T, d)` 几毫秒就造出同样的表。苏剑林的公式把角度写作 $k/10000^{2i/d}$，我们写的是 $t\theta_i$：同一个数，这
-- 有证明；那张现成的表，前 1024 个位置的每一项都与这个公式对过。

-- %% ref="ready" claim="su/definition"
local k, i = sym("k i", "integer")
local turn = k / 10000 ^ (2 * i / d)
local axes = {{k, 0, 1023}, {i, 0, d/2 - 1}}
local ready = sinusoidal(1024, d)
return {
  certify_table(sin(turn), axes, ready[{ {}, {1, d, 2} }]),
  certify_table(cos(turn), axes, ready[{ {}, {2, d, 2} }]),
  tested(turn, k * 10000 ^ (-2 * i / d)),
}

-- %% [markdown] ref="pairs" lang="en"
-- ## Pairs, not columns
-- The study notes take $i$ for the number of a column of the hidden size. Take them at their word, let $i$ run from 0 to $d - 1$, and column
-- $2i+1$ runs out of the table: with $d = 2n$ columns, the last is $2n - 1$, and $i = n$ already asks for $2n + 1$. With $i$ as the
-- number of a pair, $i = n - j$ for $j = 1, \dots, n$, the column $2i+1$ stays $2j - 1$ places from the end, and $j$ is at least 1.

-- %% [markdown] ref="pairs" lang="zh"
-- ## 数的是对，不是列
-- 学习笔记把 $i$ 当作隐藏维度的列号。照字面让 $i$ 从 0 走到 $d - 1$，第 $2i+1$ 列就会跑出表外：设 $d = 2n$ 列，最后
-- 一列是 $2n - 1$，而 $i = n$ 就已经要取 $2n + 1$ 了。把 $i$ 当作对的编号，写成 $i = n - j$，$j = 1, \dots, n$，则第
-- $2i+1$ 列离表尾总有 $2j - 1$ 格，而 $j$ 至少是 1。

-- %% ref="pairs" claim="pe/pair-index"
local n, j = sym("n", "natural"), sym("j", "natural")
local function column(i) return 2 * i + 1 end
return {
  written = prove(le(column(n), 2 * n - 1)), -- though i = n is up to d - 1
  mended = {prove(le(n, 2 * n - 1)), tested(2 * n - column(n - j), 2 * j - 1), prove(gt(2 * j - 1, 0))},
}

-- %% [markdown] ref="snippet" lang="en"
-- ## A program that cannot run
-- The notes give a NumPy program for the table. It begins with an array of zeros and makes room for a batch, so that the shape is
-- $(1, T, d)$; then it writes the sines into `[:, 0::2]`. But the second axis is now the *positions*: the slice takes every second
-- position, all columns, $(1, T/2, d)$, and the sines, $(T, d/2)$, do not fit. Here is the same slice in our notation, the
-- error it gives, and how far the shapes differ.
--
-- With the batch axis named, `[:, :, 0::2]`, the program computes the definition. The angle comes from a power and a quotient in plain
-- doubles, which are off by at most $2u$ and $u$ of themselves, so by $3ut\theta_i$. A sine moves no more than its angle does, and the
-- library's sine adds $2u$. The program then rounds to f32, which costs $2^{-25}$.

-- %% [markdown] ref="snippet" lang="zh"
-- ## 一段跑不通的程序
-- 学习笔记给了一段造表的 NumPy 程序。它先建一个全零数组，再添一个批次轴，形状成了 $(1, T, d)$；然后把正弦写进
-- `[:, 0::2]`。可是这时第二个轴是*位置*：切片取的是每隔一个位置、所有的列，形状 $(1, T/2, d)$，而正弦的形状是
-- $(T, d/2)$，放不进去。下面用我们的记号做同样的切片，看看报什么错，两个形状差多少。
--
-- 把批次轴写明，改成 `[:, :, 0::2]`，程序算的就是定义了。角度用普通双精度求幂再相除，误差分别至多是自身的 $2u$ 与 $u$，合
-- 起来 $3ut\theta_i$，而正弦的变化不会超过角度的变化；库函数的正弦再添 $2u$。最后程序舍入到 f32，代价是 $2^{-25}$。

-- %% ref="snippet" claim="pe/sinusoidal-snippet"
local rows, width = 512, 64
local turn = fromfunction(function(pos, j)
  return (pos - 1) / 10000 ^ (2 * ((j - 1) // 2) / width)
end, {rows, width})
local sines = quantize(sin(turn[{ {}, {1, width, 2} }]), "f32")
local cosines = quantize(cos(turn[{ {}, {2, width, 2} }]), "f32")

local position_embedding = zeros(1, rows, width)
local second = {{}, {1, rows, 2}}
local _, why_not = pcall(function() position_embedding[second] = sines end)
print(says{en = why_not, zh = ("形状 %s 不能扩展成 %s"):format(why_not:match "(%b()).-(%b())")})
local slice = position_embedding[second].shape

position_embedding[{ {}, {}, {1, width, 2} }] = sines
position_embedding[{ {}, {}, {2, width, 2} }] = cosines
local phase = dd(reshape(range(0, rows - 1), rows, 1)) * frequencies(width)
local right = in_pairs(phase:sin().hi, phase:cos().hi)
local allowed = in_pairs(phase.hi, phase.hi) * 3 * u + (2 + 1/2) * u + 2^-25
return {
  written = {
    measure {
      claim = {en = "the slice [:, 0::2] has as many rows and columns as the sines",
        zh = "切片 [:, 0::2] 的行数、列数与正弦部分相同"},
      value = {slice[2] - sines.shape[1], slice[3] - sines.shape[2]}, bound = 0,
      why = says{en = "what is assigned must have the shape of where it goes", zh = "赋的值必须与目标同形状"},
    },
    figure({en = "rows of the slice", zh = "切片的行数"}, slice[2], "256"), figure({en = "columns of the slice", zh = "切片的列数"}, slice[3], "64"),
    figure({en = "rows of the sines", zh = "正弦的行数"}, sines.shape[1], "512"), figure({en = "columns of the sines", zh = "正弦的列数"}, sines.shape[2], "32"),
  },
  mended = {
    measure {
      claim = {en = "with the slice [:, :, 0::2] the program computes the definition",
        zh = "改用切片 [:, :, 0::2]，程序算出的就是定义"},
      value = position_embedding[1] - right, bound = allowed,
      why = says{en = "power 2u and quotient u of the angle; sine 2u, ours u/2; f32 2^-25", zh = "角的幂 2u、商 u；正弦 2u，我们的 u/2；f32 2^-25"},
    },
    figure({en = "what is beyond 2^-25 in the mean of these bounds, in units of u", zh = "这些界的平均超出 2^-25 多少，以 u 为单位"}, (mean(allowed) - 2^-25) * 2^53, "98.262",
      {guard = true}),
    figure({en = "the largest, in units of 2^-25", zh = "最大的界，以 2^-25 为单位"}, max(allowed) * 2^25, "1.0000057"),
  },
}

-- %% [markdown] ref="list" lang="en"
-- ## A reader's list
-- Under Su Jianlin's article a reader lists eight values, from $10000^{-1/128} = 1/1.07460$ to $10000^{-64/128} = 1/100$, and calls
-- each of them $p_m$. They are no positions but frequencies, $\theta_i = 10000^{-2i/d} = 10000^{-j/128}$; so $j = 2i\cdot 128/d$, and
-- odd $j$, which are on the list, occur only with longer codes, such as $d = 256$, where $j = i$.
--
-- And the digits? Five places, some rounded and some cut off. Each value is enclosed and held against half a unit of the last
-- place, which is what a rounded number may be off; then against a whole one, and from below, which is what a cut one may.

-- %% [markdown] ref="list" lang="zh"
-- ## 一位读者列的表
-- 苏剑林文章下面，有位读者列了八个值，从 $10000^{-1/128} = 1/1.07460$ 到 $10000^{-64/128} = 1/100$，个个都叫作 $p_m$。其
-- 实它们不是位置，而是频率 $\theta_i = 10000^{-2i/d} = 10000^{-j/128}$；可见 $j = 2i\cdot 128/d$，表中的奇数 $j$ 只有更
-- 长的编码才会出现，例如 $d = 256$，这时 $j = i$。
--
-- 数字又如何？都写到五位小数，有的是四舍五入，有的是直接截断。下面把每个值围住，先和末位的半个单位比，这是四舍五入允许的
-- 误差；再和一个单位比，而且只许偏小，这是截断允许的误差。

-- %% ref="list" claim="su/theta-table"
local listed = { -- j, and what stands below the fraction line
  {1, rat(107460, 100000)}, {2, rat(115478, 100000)}, {3, rat(124093, 100000)}, {4, rat(133352, 100000)},
  {8, rat(177827, 100000)}, {16, rat(316227, 100000)}, {32, rat(10)}, {64, rat(100)},
}
local unit = rat(1, 100000)
local rounded, cut, wrong = {}, {}, {}
for _, row in ipairs(listed) do
  local j, text = row[1], row[2]
  local value = 10000 ^ rat(j, 128)
  local nearest = certify(le(abs(value - text), unit / 2), {})
  local below = certify(lt(abs(value - text - unit / 2), unit / 2), {})
  if nearest.holds then rounded[#rounded + 1] = nearest else wrong[#wrong + 1], cut[#cut + 1] = nearest, below end
  print(("j = %2d   %-12s %s"):format(j, enclose(value):digits(10), nearest.holds and says{en = "rounded", zh = "四舍五入"} or says{en = "cut off", zh = "截断"}))
end
local i = sym("i", "integer")
return {
  written = wrong,
  mended = {
    rounded, cut,
    prove(10000 ^ rat(32, 128), 10), prove(10000 ^ rat(64, 128), 100),
    tested(rat(10000) ^ (-2 * i / 256), rat(10000) ^ (-i / 128)),
  },
}

-- %% [markdown] ref="shift-measured" lang="en"
-- ## The shift in the table
-- And in the table? Its entries are rounded to nearest, at most $u/2$ each: $\sqrt{2}u$ from the four factors, $u$ from the
-- products, $u$ from the sum and $u/2$ on the left, less than $4u$, at every position alike.

-- %% [markdown] ref="shift-measured" lang="zh"
-- ## 表里的平移
-- 表里又如何？表中的值都是舍入到最近的，误差各至多 $u/2$：四个因子合计 $\sqrt{2}u$，乘积 $u$，求
-- 和 $u$，左边 $u/2$，总共不到 $4u$，而且处处一样，与位置无关。

-- %% ref="shift-measured"
-- Row t of a table stands at t+1: positions are counted from 0, rows from 1.
function at(A, t) return A[t + 1] end

function steps(g) -- a position and a number of steps that stay inside the table
  return g:below(T // 2), g:below(T // 2)
end

function shifted(name, deviation)
  return measure {
    claim = {en = name.en .. " at t+k is what those at t and k give, in all pairs", zh = "t+k 处的" .. name.zh .. "，与由 t 与 k 处求得的一致，每一对都如此"},
    samples = 500, seed = 7, bound = 4 * u,
    f = function(g)
      local t, k = steps(g)
      return max(abs(deviation(t, k))), ("t = %d, k = %d"):format(t, k)
    end,
    why = says{en = "entries sqrt(2) u + u/2; products u; sum u: less than 4u", zh = "元素 sqrt(2) u + u/2；乘积 u；求和 u：不到 4u"},
  }
end

return {
  shifted({en = "sine", zh = "正弦"},
    function(t, k) return at(S, t + k) - (at(S, t) * at(C, k) + at(C, t) * at(S, k)) end),
  shifted({en = "cosine", zh = "余弦"},
    function(t, k) return at(C, t + k) - (at(C, t) * at(C, k) - at(S, t) * at(S, k)) end),
}

-- %% [markdown] ref="recover" lang="en"
-- ## Finding the matrix without the formula
-- Must we know the formula to find $M_k$? No: given the codes alone, least squares recovers it. Stack the codes of 512 positions as
-- rows of $A$, those $k$ steps further on as rows of $B$, and solve $AX = B$ for $X = M_k^\top$. If $R = B - AX$ is what is left
-- over, then $A(M_k^\top - X)$ is $R$ up to rounding, so the error is at most $(\|R\| + \|E\|)/\sigma$, where $\sigma$ is the
-- smallest singular value of $A$ and $E$ holds the roundings. A small remainder means a small error only if $\sigma$ is not small.

-- %% [markdown] ref="recover" lang="zh"
-- ## 不用公式，找出矩阵
-- 不知道公式，能不能找出 $M_k$？能：只凭编码本身，用最小二乘就能还原。把 512 个位置的编码按行
-- 叠成 $A$，再把各自再走 $k$ 步的编码叠成 $B$，由 $AX = B$ 解出 $X = M_k^\top$。记余下的部分为
-- $R = B - AX$，那么 $A(M_k^\top - X)$ 除了舍入就等于 $R$，于是误差至多
-- $(\|R\| + \|E\|)/\sigma$，其中 $\sigma$ 是 $A$ 的最小奇异值，$E$ 装着舍入误差。可见余量小，
-- 只有在 $\sigma$ 不小的时候，才说明误差小。

-- %% ref="recover"
-- M_k for the code of length d: rotations by kθ_i along the diagonal.
function map(k, d)
  local turn = frequencies(d) * k
  local s, c = turn:sin().hi, turn:cos().hi
  local M = zeros(d, d)
  for i = 1, d // 2 do
    local a, b = 2 * i - 1, 2 * i
    M[{a, a}], M[{a, b}] = c(i), s(i)
    M[{b, a}], M[{b, b}] = -s(i), c(i)
  end
  return M
end

local n = 8
local A8 = in_pairs(table_of(T, n))
-- Least squares: X from the rows of A and of B, held against M_k.
local k, rows = 3, 512
local A, B = A8[{ {1, rows}, {} }], A8[{ {1 + k, rows + k}, {} }]
local X = lstsq(A, B)
local R = B - matmul(A, X)
local sigma = min(svdvals(A))
local roundings = 24 * u * sqrt(rows * n)
print(says{en = "condition %.3g, error %.2g", zh = "条件数 %.3g，误差 %.2g"}:format(cond(A), max(abs(X - map(k, n).T))))

return {
  measure {
    claim = {en = "least squares leaves nothing over", zh = "最小二乘没有残差"},
    value = norm(R), bound = rows * n * u * norm(A),
    why = says{en = "backward stable: within rows n u of the norms (Higham 2002, 20.3)", zh = "向后稳定：误差在范数的 行数·n·u 之内（Higham 2002，20.3）"},
  },
  measure {
    claim = {en = "least squares finds M_k", zh = "最小二乘求出的正是 M_k"},
    value = norm(X - map(k, n).T), bound = (norm(R) + roundings) / sigma,
    why = says{en = "(|R| + |E|) / sigma; in E 4u of the table, 20u of computing R", zh = "(|R| + |E|) / sigma；E 含表的 4u、算 R 的 20u"},
  },
}

-- %% [markdown] ref="rank" lang="en"
-- With $d = 128$ the same least squares no longer finds the matrix. The slow pairs hardly move within 512 positions: their
-- columns are almost constant or almost straight lines, and many combinations of them vanish to working precision. The 128
-- columns have numerical rank 61 only. The remainder is as small as before, but $\sigma$ is practically 0, and what is found is
-- another matrix that does the same on these rows.

-- %% [markdown] ref="rank" lang="zh"
-- 到了 $d = 128$，同样的最小二乘就找不回那个矩阵了。在 512 个位置之内，慢的那些对几乎不动：它
-- 们的列近乎常数，或者近乎直线，许多线性组合在工作精度下就是零。128 列的数值秩只有 61。余量和
-- 先前一样小，但 $\sigma$ 几乎是 0，找到的是另一个矩阵，只不过在这些行上作用相同。

-- %% ref="rank"
local k, rows = 3, 512
local A, B = P[{ {1, rows}, {} }], P[{ {1 + k, rows + k}, {} }]
local X = lstsq(A, B)
print(says{en = "rank %d of %d", zh = "秩 %d / %d"}:format(rank(A), d))
local R, error_of_X = B - matmul(A, X), X - map(k, d).T
print(says{en = "largest remainder %.1e", zh = "最大余量 %.1e"}:format(max(abs(R))))
print(says{en = "largest error of the matrix %.2g", zh = "矩阵的最大误差 %.2g"}:format(max(abs(error_of_X))))

-- %% [markdown] ref="inner-measured" lang="en"
-- ## The product in the table
-- In the table the lines hold up to rounding. A sum of $d$ products in any order errs by at most $d$ roundings of $d/2$, since
-- no pair contributes more than one. The entries add $\sqrt{2}u$ a pair, a sum of $d/2$ cosines at most $d/2$ roundings of $d/2$
-- and $u/2$ a term. One line holds to the last bit: there $t$ cancels exactly, and a cosine forgets the sign.

-- %% [markdown] ref="inner-measured" lang="zh"
-- ## 表里的内积
-- 在表里，这几行只差舍入。$d$ 个乘积不论按什么次序相加，至多舍入 $d$ 次，每次舍入的数不超过 $d/2$，
-- 因为每对至多贡献 1。表中的值每对再添 $\sqrt{2}u$；$d/2$ 个余弦相加，至多舍入 $d/2$ 次，每次舍入的数
-- 不超过 $d/2$，每项本身 $u/2$。其中一行逐位相同：$t$ 在那里正好消去，而余弦不认正负号。

-- %% ref="inner-measured"
local θ = frequencies(d)
local products = d * u * d/2          -- summing d products of entries
local entries = sqrt(2) * u * d/2     -- what rounding the entries does to them
local cosines = (u/2 + d/2 * u) * d/2 -- d/2 rounded cosines, and summing them
local all_three = says{en = "products, entries and cosines, each as derived", zh = "乘积、元素、余弦，各按推导"}
local function line(name, bound, why, deviation)
  return measure {
    claim = name, samples = 300, seed = 7, bound = bound, why = why,
    f = function(g)
      local t, k = steps(g)
      return deviation(t, k, g:below(T // 2)), ("t = %d, k = %d"):format(t, k)
    end,
  }
end
local function dot_product(t, k) return dot(at(P, t), at(P, t + k)) end
local function of_difference(t, k) return sum((θ * (t - (t + k))):cos().hi) end
local function of_distance(k) return sum((θ * k):cos().hi) end
return {
  line({en = "the product is the sum of the cosines of differences", zh = "内积就是差的余弦之和"}, products + entries + cosines, all_three,
    function(t, k) return dot_product(t, k) - of_difference(t, k) end),
  line({en = "t cancels, and the cosine is even", zh = "t 消去，余弦是偶函数"}, 0,
    says{en = "to the last bit: t-(t+k) is exact, and -x has the cosine of x", zh = "一位不差：t-(t+k) 是精确的，-x 与 x 的余弦相同"},
    function(t, k) return of_difference(t, k) - of_distance(k) end),
  line({en = "at another position the product is the same", zh = "换一个位置，内积不变"}, products + entries + cosines, all_three,
    function(_, k, other) return of_distance(k) - dot_product(other, k) end),
}

-- %% [markdown] ref="direction-measured" lang="en"
-- ## Ahead and behind in the table
-- The products $k$ ahead and $k$ back are sums of the same cosines, but of other roundings. How far apart may they be in the table?

-- %% [markdown] ref="direction-measured" lang="zh"
-- ## 表里的前与后
-- 向前 $k$ 步与向后 $k$ 步的内积，是同样一些余弦之和，舍入却不相同。在表里，两者可以差多少？

-- %% ref="direction-measured"
return measure {
  claim = {en = "the products k ahead and k back are equal", zh = "向前 k 步与向后 k 步，内积相等"},
  samples = 500, seed = 7, bound = 2 * (d + sqrt(2)) * u * d/2,
  f = function(g)
    local t = T // 4 + g:below(T // 2)
    local k = g:below(T // 4)
    local deviation = dot(at(P, t), at(P, t + k)) - dot(at(P, t), at(P, t - k))
    return deviation, ("t = %d, k = %d"):format(t, k)
  end,
  why = says{en = "two sums of d products, d u d/2 each, and sqrt(2) u a pair for the entries", zh = "两个 d 项和，各 d u d/2；元素每对再添 sqrt(2) u"},
}

-- %% [markdown] ref="through" lang="en"
-- ## Through a matrix it sees direction
-- The study notes conclude that the code cannot tell before from after. This is true of the bare product. But
-- attention has matrices between the two codes, and a single one is enough. Let $J$ turn each pair by a quarter,
-- $J(s, c) = (-c, s)$. Then
--
-- $$\mathrm{PE}_t^\top J\,\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}\sin(\theta_ik)$$
--
-- which is odd: $k$ steps back give the opposite of $k$ steps ahead. At $d = 8$, $t = 10$ and $k = \pm 3$ it is
-- $\pm 0.46964$. So the *code* holds the direction; it is up to the weights to read it.

-- %% [markdown] ref="through" lang="zh"
-- ## 隔着矩阵就分得清前后
-- 学习笔记得出，这种编码分不出前后。对裸的内积，这话不错。可注意力在两个编码之间是有矩阵的，而且一个就够。设
-- $J$ 把每一对转四分之一圈，$J(s, c) = (-c, s)$，那么
--
-- $$\mathrm{PE}_t^\top J\,\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}\sin(\theta_ik)$$
--
-- 这是奇函数：往后 $k$ 步与往前 $k$ 步正好相反。$d = 8$、$t = 10$、$k = \pm 3$ 时，它是 $\pm 0.46964$。可见*编码*里有方
-- 向，读不读得出来，要看权重。

-- %% ref="through" claim="pe/direction-through-W"
local t, k, θ = sym "t k θ"
local i, n = sym("i", "integer"), sym("n", "natural")
-- The product through J: the second code's pair (s, c) becomes (-c, s).
local function turned(t, s) return over_pairs(sine(t) * -cosine(s) + cosine(t) * sine(s)) end
local figures = {}
for _, row in ipairs {{3, "0.46964"}, {-3, "-0.46964"}} do
  local k, told = table.unpack(row)
  local codes = in_pairs(table_of(20, 8))
  local code, other = at(codes, 10), at(codes, 10 + k)
  local pairs_of_other = reshape(other, 4, 2)
  local quarter = in_pairs(-pairs_of_other[{ {}, {2, 2} }].T, pairs_of_other[{ {}, {1, 1} }].T)[1]
  print(("k = %2d: %.5f"):format(k, dot(code, quarter)))
  figures[#figures + 1] = figure(("k = %d"):format(k), dot(code, quarter), told)
end
return {
  written = prove(turned(t, t + k), turned(t, t - k)),
  mended = {
    tested(turned(t, t + k), over_pairs(sin(θ[i] * k))),
    tested(turned(t, t - k), -turned(t, t + k)), figures,
  },
}

-- %% [markdown] ref="trained" lang="en"
-- ## And a trained model?
-- No formula says what a *trained* model makes of all this. The lecture notes say that periodicity may mean that absolute position is not so
-- important, and that extrapolation "doesn't really work". Both are questions to models. Small ones answer them at their size, by rules that
-- were written before the runs (lesson `training`); where runs are missing the verdict is *unknown*, and it says which.

-- %% [markdown] ref="trained" lang="zh"
-- ## 训练好的模型呢？
-- 至于*训练好*的模型会怎样对待这一切，公式说不了。课程笔记说，周期性也许意味着绝对位置没那么重要，又说外推“其实不太行”。
-- 这两句都得去问模型。小模型按照运行之前写好的规则，在自己的规模上给出回答（见 `training` 一课）；缺少运行时，结论就是*未定*，
-- 并且说明缺哪一次。

-- %% ref="trained" claim="sa/periodicity"
return experiment "periodicity"

-- %% ref="trained" claim="sa/no-real-extrapolation"
return experiment "extrapolation"

-- %% [markdown] ref="first" lang="en"
-- ## Are the first pairs enough?
-- A reader asks: the first few dimensions tell the positions apart already, are the rest not superfluous? What counts is the *margin*, the least
-- squared distance $\|p_0 - p_n\|^2$ over $1 \le n \le 511$. Turning both codes back by $t$ shows that it is the same from every position $t$.
-- The eight fastest pairs of 64 do tell the positions apart: their margin is 3.41, and that of all pairs is 3.81. One pair is too few. In exact
-- numbers pair 0 alone never takes the same value twice. But a network does not see with infinite precision, and after 333 steps, since
-- $333 \approx 53\cdot 2\pi$, the squared distance of pair 0 is down to $7.8\cdot 10^{-5}$. The margin grows with the number of pairs:
-- each line below, rounded down, is certified for every $n$.

-- %% [markdown] ref="first" lang="zh"
-- ## 前几对就够了吗？
-- 有位读者问：仅用前几维就能区分不同位置，其余的岂不是冗余？要紧的是*间隔*（margin），即 $1 \le n \le 511$ 中
-- 距离平方 $\|p_0 - p_n\|^2$ 的最小值；把两个编码一同往回转 $t$ 步，可知从哪个位置 $t$ 出发都一样。
-- 前几维确实能区分：64 对里最快的 8 对，间隔就有 3.41，全部用上也只是 3.81。只用一对则太少。精确地说，单凭第 0 对，就从不
-- 取同一个值两次；但网络看东西的精度有限，而第 0 对走 333 步就几乎回到原处，距离平方只有 $7.8\cdot 10^{-5}$，因为 $333 \approx 53\cdot 2\pi$。
-- 对的个数越多，间隔越大：下面每一行（已向下取整）都对每个 $n$ 严格验证过。

-- %% ref="first" claim="su/first-dims-suffice"
local n = sym("n", "integer")
local t = reshape(range(1, 511), 511, 1)
local parts = 2 - 2 * cos(t * 10000 ^ (-2 * range(0, 63) / 128))
local verdicts = {}
for _, row in ipairs {
  {1, 333, "0.0000778"}, {2, 421, "0.0221"}, {3, 377, "0.0669"}, {4, 377, "0.118"}, {8, 1, "3.41"}, {16, 1, "3.77"}, {32, 1, "3.8122"},
  {64, 1, "3.8126"},
} do
  local count, nearest, told = table.unpack(row)
  local seen = sum(parts[{ {}, {1, count} }], 2)
  local floor_of = rat(math.floor(min(seen) * 1e7), 10000000)
  verdicts[#verdicts + 1] = certify(ge(apart(n, count), floor_of), {n = {1, 511}})
  verdicts[#verdicts + 1] = figure({en = ("the margin with %d pair(s)"):format(count), zh = ("%d 对时的间隔"):format(count)}, apart(rat(nearest), count), told)
  verdicts[#verdicts + 1] = fails(certify(gt(apart(n, count), floor_of + rat(1, 10000000)), {n = nearest}))
  print(says{en = "%2d pairs: at least %.7f, nearest n = %d", zh = "%2d 对：至少 %.7f，最近的 n = %d"}:format(count, evaluate(floor_of, {}), argmin(seen)))
end
return {verdicts, fails(certify(ge(apart(n, 1), rat(1, 10000)), {n = {1, 511}}), {en = "pair 0 alone keeps a margin of 1/10000", zh = "单凭第 0 对就有 1/10000 的余地"})}

-- %% [markdown] ref="redundant" lang="en"
-- ## Are the last ones superfluous?
-- The same reader sees that the slow dimensions hardly differ from one position to the next. Over a context of $T$ positions, pair $i$
-- goes through $T\theta_i$ radians; where that is less than 1, sine and cosine are, up to $(T\theta_i)^{16}/16!$, polynomials
-- of degree 15 in the position. However many such pairs there are, their columns lie in the 16 dimensions of these polynomials, with
-- hardly anything outside. So with $f$ pairs that are faster, the singular value number $2f + 17$ of the table is at most the size of what is
-- left over. That is the bound below.
--
-- The numerical rank tells how many dimensions count in doubles: of 128, 61 over 512 positions, 70 over 1024. So these
-- columns are superfluous in short texts and not in long ones; and a network may find it easier to read a number from many
-- copies of it.

-- %% [markdown] ref="redundant" lang="zh"
-- ## 后几对是多余的吗？
-- 还是这位读者，看到慢的维度相邻位置几乎没有差别。上下文长 $T$ 时，第 $i$ 对一共转过 $T\theta_i$ 弧度；若不到 1，正弦余弦
-- 与位置的 15 次多项式只差 $(T\theta_i)^{16}/16!$。这样的对再多，它们的列也都落在这些多项式的 16 维空间里，几乎不露出来。所以
-- 若更快的有 $f$ 对，表的第 $2f + 17$ 个奇异值就不会超过露在外面的那部分。下面的界就是这么来的。
--
-- 数值秩说明，在双精度下有多少维真正起作用：128 维里，512 个位置时是 61 维，1024 个时是 70 维。所以短文里是多余，长文里则不是；何况一个
-- 数写上许多份，网络读起来也许更容易。

-- %% ref="redundant" claim="su/redundant-dims"
local θ = 10000 ^ (-2 * range(0, 63) / 128)
local verdicts = {}
for _, row in ipairs {{16, "16"}, {64, "32"}, {128, "42"}, {256, "51"}, {512, "61"}, {1024, "70"}, {4096, "89"}} do
  local T, told = row[1], row[2]
  local dims = rank(P[{ {1, T}, {} }])
  print(says{en = "T = %4d: rank %3d of 128", zh = "T = %4d：秩 %3d / 128"}:format(T, dims))
  verdicts[#verdicts + 1] = figure({en = ("rank over %d positions"):format(T), zh = ("%d 个位置上的秩"):format(T)}, dims, told)
end

for k, T in ipairs {128, 512, 1024} do
  local fast = sum(ge(T * θ, 1))
  local slow = θ[{ {fast + 1, θ.size} }]
  local values = svdvals(P[{ {1, T}, {} }])
  local beside = sqrt(2 * T * sum((T * slow) ^ 32)) / 20922789888000 -- entries (Tθ)^16/16!
  verdicts[#verdicts + 1] = figure({en = ("fast pairs over %d positions"):format(T), zh = ("%d 个位置上有几对是高频的"):format(T)}, fast, ({"34", "44", "49"})[k])
  verdicts[#verdicts + 1] = figure({en = ("slow pairs over %d positions"):format(T), zh = ("%d 个位置上有几对是低频的"):format(T)}, slow.size, ({"30", "20", "15"})[k])
  local allowed, place = beside + 2 * u * math.max(T, 128) * values(1), 2 * fast + 17
  verdicts[#verdicts + 1] = measure {
    claim = {en = ("%d pairs slow over %d positions: singular value %d is 0"):format(64 - fast, T, place),
             zh = ("%d 对在 %d 个位置上是慢的：第 %d 个奇异值为 0"):format(64 - fast, T, place)},
    value = values(place), bound = allowed,
    why = says{en = "what the slow columns have beside 16 dimensions; rounding as rank() allows for it", zh = "慢的各列在 16 维之外所剩的；舍入按 rank() 所容许的算"},
  }
  verdicts[#verdicts + 1] = figure({en = ("that bound over %d positions, in units of u"):format(T),
    zh = ("%d 个位置上的这个界，以 u 为单位"):format(T)}, allowed * 2^53, ({"21033", "1.2267e5", "3.0912e5"})[k], {guard = true})
end
return verdicts

-- %% [markdown] ref="learn" lang="en"
-- ## Nothing to learn
-- The lecture notes list "not learnable" among the drawbacks. It is true that the table has no parameters. But the frequencies could
-- be parameters: a pair's share of the inner product is $\cos\theta_ik$, and it has an exact derivative
--
-- $$\frac{\partial}{\partial\theta_i}\cos\theta_ik = -k\sin\theta_ik$$
--
-- which grows with the distance: what a gradient step does to far positions is large. `grad` differentiates the whole inner product by
-- all 64 frequencies at once, through the operations that computed it. Compared with the formula, sine, product and angle are rounded twice,
-- $6uk$. Central differences use neither `grad` nor the formula, and agree with the formula up to $h^2k^3/6$ by Taylor and the rounding of two
-- cosines, of their angles and of a quotient by $2h$.

-- %% [markdown] ref="learn" lang="zh"
-- ## 没有什么可学
-- 课程笔记把“不可学习”算作缺点。这张表确实没有参数。但频率可以当作参数：每一对在内积里的一份是 $\cos\theta_ik$，它有精确的
-- 导数
--
-- $$\frac{\partial}{\partial\theta_i}\cos\theta_ik = -k\sin\theta_ik$$
--
-- 而且随距离增大：梯度走一步，对远处位置的影响很大。`grad` 顺着算出内积的那些运算，一次对全部 64 个频率求导；与公式相比，正弦、
-- 乘积和角度各舍入两次，合计 $6uk$。中心差分既不用 `grad`，也不用这个公式，结果仍与公式一致：由泰勒公式差 $h^2k^3/6$，再加上两个余弦、它们
-- 的角度以及除以 $2h$ 的舍入。

-- %% ref="learn" claim="sa/sinusoid-not-learnable"
local k, ω = sym "k ω"
local slope = derivative(cos(ω * k), ω)
local h = 2^-20
print(says{en = "a learned table of 512 positions: %d numbers to train", zh = "512 个位置的可学习表：要训练 %d 个数"}:format(count_parameters {zeros(512, 128)}))
local by_gradient = in_bounds {
  claim = {en = "the gradient of the inner product by all frequencies is the formula's", zh = "内积对所有频率的梯度，与公式一致"},
  samples = 100, seed = 7, told = "1613.4",
  f = function(g)
    local k, θ = 1 + g:below(512), rand(g, 64)
    local by_frequency = grad(function(θ) return sum(cos(θ * k)) end)(θ)
    return by_frequency + k * sin(θ * k), 6 * u * k, ("k = %d"):format(k)
  end,
  why = says{en = "in units of 6uk: angle, sine and product, each rounded twice", zh = "以 6uk 为单位：角、正弦、乘积，各舍入两次"},
}
local differences, of_differences = in_bounds {
  claim = {en = "so are central differences, k up to 512", zh = "中心差分也与公式一致，k 到 512"},
  samples = 300, seed = 7,
  f = function(g)
    local k, w = 1 + g:below(512), rand(g)
    local seen = (math.cos((w + h) * k) - math.cos((w - h) * k)) / (2 * h)
    local allowed = h^2 * k^3 / 6 + (4 * k + 4) * u / (2 * h) + 4 * k * (k + 1) * u
    return math.abs(seen + k * math.sin(w * k)), allowed, ("k = %d"):format(k)
  end,
  why = says{en = "in units of h^2 k^3/6 + (4k+4)u/2h + 4k(k+1)u: Taylor, and rounding", zh = "以 h^2 k^3/6 + (4k+4)u/2h + 4k(k+1)u 为单位：泰勒余项与舍入"},
}
return {
  measure {
    claim = {en = "row t is a function of t and d: a longer table begins with the same rows",
      zh = "第 t 行只由 t 与 d 决定：更长的表，开头各行相同"},
    value = sinusoidal(1024, 128)[{ {1, 512} }] - sinusoidal(512, 128), bound = 0, why = says{en = "the same operations on the same numbers", zh = "对同样的数做同样的运算"},
  },
  figure({en = "numbers to train in a learned table of 512 positions", zh = "512 个位置的可学习表要训练的数"}, count_parameters {zeros(512, 128)}, "65536"),
  figure({en = "numbers to train in the sinusoidal code", zh = "正弦编码要训练的数"}, count_parameters {}, "0"),
  tested(slope, -k * sin(ω * k)),
  by_gradient,
  differences, figure({en = "the mean of the bounds on differences", zh = "差分的界的平均"}, of_differences, "4.72586126e-6"),
}
