-- The first lesson: the sinusoidal code, from its definition to what goes wrong with it in practice.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="order" lang="en"
-- # Sinusoidal positions
-- Attention compares words by inner products and adds up what it finds. Shuffle the words, and the same products are
-- added in another order: the result is the same. So that *dog bites man* and *man bites dog* can differ, every position
-- $t$ gets a vector of its own, its *position code*, which is added to the word standing there.
--
-- In this lesson the code is made of sines and cosines. We define it, build its table, see that walking $k$ steps is a
-- rotation, compute the inner product of two positions, and look at what goes wrong in low precision. Nothing is taken on
-- trust: what is said of all numbers is proved, and what a computer calculates is measured against a bound that we derive
-- first.

-- %% [markdown] ref="order" lang="zh"
-- # 正弦位置编码
-- 注意力靠内积比较词与词，再把结果加起来。词的次序打乱之后，加的还是同样那些乘积，只是先后不
-- 同，和并不变。要让“狗咬人”与“人咬狗”有所区别，就得给每个位置 $t$ 配一个自己的向量，即*位置编
-- 码*，加到站在那里的词上。
--
-- 这一课的编码由正弦和余弦组成。我们先下定义、造出整张表，再看到走 $k$ 步就是一次旋转，然后算
-- 两个位置的内积，最后看看低精度下会出什么毛病。没有一句话要你凭空相信：对一切数成立的，当场证
-- 明；由计算机算出来的，当场测量，并对照一个事先推导出来的界。

-- %% [markdown] ref="definition" lang="en"
-- ## The definition
-- Let $d$ be an even number, the length of the code. Its columns come in pairs, $i = 0, \dots, d/2-1$, and every pair has
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
-- 设 $d$ 为偶数，是编码的长度。各列两两成对，记作 $i = 0, \dots, d/2-1$，每对有一个频率
--
-- $$\theta_i = 10000^{-2i/d}$$
--
-- 第一对每走一步转一弧度，往后一对比一对转得慢。位置 $t$ 就用它各个角度的正弦与余弦来书写：
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

-- %% [markdown] ref="wavelengths" lang="en"
-- ## Wavelengths
-- Pair $i$ comes round after $2\pi/\theta_i$ steps: its wavelength. For $d = 128$ the shortest is $2\pi$, about six
-- steps, and each is longer than the one before by the same factor, $10000^{2/d}$. Over a text of 512 words, more than half
-- of the pairs do not come round even once.

-- %% [markdown] ref="wavelengths" lang="zh"
-- ## 波长
-- 第 $i$ 对每走 $2\pi/\theta_i$ 步转满一圈，这就是它的波长。$d = 128$ 时最短的波长是 $2\pi$，
-- 大约六步；往后每个都是前一个的 $10000^{2/d}$ 倍。一篇 512 个词的文章里，有一半以上的对连一圈
-- 都转不完。

-- %% ref="wavelengths"
d = 128
local wavelength = 2 * pi * 10000 ^ (2 * range(0, d/2 - 1) / d)
for _, i in ipairs {0, 1, 2, 16, 32, 48, 63} do
  print(("pair %2d   wavelength %10.2f"):format(i, wavelength(i + 1)))
end
print(("%d of %d pairs have a wavelength beyond 512"):format(sum(gt(wavelength, 512)), d/2))

-- %% [markdown] ref="picture" lang="en"
-- ## A picture of the table
-- One line a position, one column for each sine, $d = 64$: dark is $-1$, light is $+1$. On the left the code flickers, on the
-- right it hardly moves, like the digits of a counter with the fastest digit first.

-- %% [markdown] ref="picture" lang="zh"
-- ## 给表画一幅图
-- 每行一个位置，每列一个正弦，$d = 64$：暗处是 $-1$，亮处是 $+1$。左边忽明忽暗，右边几乎不动，
-- 活像一个计数器，只是最快的那一位排在最前。

-- %% ref="picture"
-- Values from -1 to 1 as one line of shades.
function shades(row, marks)
  local out = {}
  for j = 1, row.size do
    local level = math.floor((row(j) + 1) / 2 * #marks) + 1
    out[j] = marks[math.max(1, math.min(level, #marks))]
  end
  return table.concat(out)
end

local θ = 10000 ^ (-2 * range(0, 31) / 64)
for t = 0, 24, 2 do
  print(("%4d  "):format(t) .. shades(sin(t * θ), {" ", "░", "▒", "▓", "█"}))
end

-- %% [markdown] ref="phase" lang="en"
-- ## How exact is the table?
-- A computer's number carries 53 bits. The frequency $\theta_i$ is rounded to them, and the rounding is multiplied by $t$: at
-- $t = 4096$ the angle has lost twelve bits more. A sine of that angle, however well computed, is the sine of another angle.
--
-- The remedy is to carry the angle as two numbers, $h + l$, where $l$ keeps what $h$ lost. Here `dd(x)` does so: it calculates
-- with some 32 digits. The laboratory's table is made that way and rounded once, at the end.

-- %% [markdown] ref="phase" lang="zh"
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
-- at all these points is *certified*: not for a sample, and not up to the rounding of the check itself. (This step and the next
-- take about half a second.)

-- %% [markdown] ref="table" lang="zh"
-- ## 逐项验明
-- 要评判这张表，得有正确的值，而且来路不能带舍入。*球*是一个必定包含精确值的区间：球与球运算时，凡
-- 是舍掉的，都加进结果的半径里。`certify_table` 把定义当作公式，对每个 $t \le 4096$ 和每一对，用约
-- 35 位数字的球把值围住，再与全部 524416 个值逐一比较：第 $2i$ 列对正弦，第 $2i+1$ 列对余弦。
--
-- 衡量的单位是末位单位(ulp)：在那个数附近，一个 f64 数到下一个 f64 数的距离。所有这些点上都不超
-- 过一个 ulp，就叫*验明*：不是抽样，也不受检查本身的舍入影响。（这一步和下一步要半秒左右。）

-- %% ref="table" claim="pe/sinusoidal-definition"
local t, i = sym("t i", "integer")
tθ = t * 10000 ^ (-2 * i / d)
axes = {{t, 0, T}, {i, 0, d/2 - 1}}

return {
  certify_table(sin(tθ), axes, P[{ {}, {1, d - 1, 2} }]),
  certify_table(cos(tθ), axes, P[{ {}, {2, d, 2} }]),
}

-- %% [markdown] ref="plain" lang="en"
-- And the short way, with the angle as one number? The same comparison refutes it, and shows where it is worst: where the value
-- is small, its last place is small too. Most entries are off by more than one ulp.

-- %% [markdown] ref="plain" lang="zh"
-- 图省事、角度只用一个数，又会怎样？同样的比较把它驳倒，还指出哪里最糟：值小的地方，末位也小。多数
-- 值的偏差都超过一个 ulp。

-- %% ref="plain"
local plain = reshape(range(0, T), T + 1, 1) * 10000 ^ (-2 * range(0, d/2 - 1) / d)
print(certify_table(sin(tθ), axes, sin(plain)))

local right, worst, off = angles(T, d), 0, 0
for _, x in ipairs {{sin(plain), right:sin()}, {cos(plain), right:cos()}} do
  local seen, exact = x[1], x[2]
  local miss = abs((seen - exact.hi) - exact.lo)
  local ulp = 2 ^ (floor(log(abs(exact.hi)) / log(2)) - 52)
  worst, off = math.max(worst, max(miss)), off + sum(gt(miss, ulp))
end
print(("%.1f %% of the entries are off by more than one ulp"):format(100 * off / P.size))
print(("the largest error is %.2g"):format(worst))

-- %% [markdown] ref="sums" lang="en"
-- ## Adding angles
-- Everything that follows rests on four formulas from school:
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
-- ## 角的和与差
-- 往后的一切都建立在中学里的四个公式上：
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
function tested(lhs, rhs) return {prove(lhs, rhs), mutants(lhs, rhs)} end

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

-- %% [markdown] ref="shift-measured" lang="en"
-- And in the table? Its entries are rounded to nearest, at most $u/2$ each: $\sqrt{2}u$ from the four factors, $u$ from the
-- products, $u$ from the sum and $u/2$ on the left, less than $4u$, at every position alike.

-- %% [markdown] ref="shift-measured" lang="zh"
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
    claim = name .. " at t+k from those at t and k, all pairs",
    samples = 500, seed = 7, bound = 4 * u,
    f = function(g)
      local t, k = steps(g)
      return max(abs(deviation(t, k))), ("t = %d, k = %d"):format(t, k)
    end,
    why = "entries sqrt(2) u + u/2; products u; sum u: less than 4u",
  }
end

return {
  shifted("sine",
    function(t, k) return at(S, t + k) - (at(S, t) * at(C, k) + at(C, t) * at(S, k)) end),
  shifted("cosine",
    function(t, k) return at(C, t + k) - (at(C, t) * at(C, k) - at(S, t) * at(S, k)) end),
}

-- %% [markdown] ref="map" lang="en"
-- ## Walking is one linear map
-- Read the two lines again, with $k$ fixed: they are linear in the code of $t$, and their coefficients do not contain $t$.
-- So there is one matrix for each $k$ that moves *every* position on by $k$,
--
-- $$\mathrm{PE}_{t+k} = M_k\,\mathrm{PE}_t$$
--
-- It is made of blocks along the diagonal, one a pair, each of them a rotation:
--
-- $$\begin{pmatrix}\cos k\theta_i & \sin k\theta_i \\ -\sin k\theta_i & \cos k\theta_i\end{pmatrix}$$
--
-- Rotations keep lengths, $M_k^\top M_k = I$, and follow each other by adding their angles, $M_{j+k} = M_jM_k$.
--
-- Outside the blocks there are zeros, so a pair never meets another, and what is proved of one block with a symbol
-- $\theta_i$ is proved of the whole matrix, for every $d$. To see that nothing is lost on the way, the first statement is proved
-- once more for the whole matrix at $d = 8$.

-- %% [markdown] ref="map" lang="zh"
-- ## 行走是一个线性映射
-- 把那两行再读一遍，这回固定 $k$：它们关于 $t$ 的编码是线性的，系数里没有 $t$。所以对每个 $k$
-- 都有一个矩阵，能把*每个*位置都向前推 $k$ 步：
--
-- $$\mathrm{PE}_{t+k} = M_k\,\mathrm{PE}_t$$
--
-- 它由对角线上的小块组成，每对一块，每块都是一个旋转：
--
-- $$\begin{pmatrix}\cos k\theta_i & \sin k\theta_i \\ -\sin k\theta_i & \cos k\theta_i\end{pmatrix}$$
--
-- 旋转不改变长度，即 $M_k^\top M_k = I$；接连两次旋转，角度相加，即 $M_{j+k} = M_jM_k$。
--
-- 小块以外全是零，各对互不相干。所以带着符号 $\theta_i$ 对一块证明了的，就是对整个矩阵、对每个 $d$
-- 都证明了的。为了看清这一步没有漏掉什么，第一个等式在 $d = 8$ 时又对整个矩阵证了一遍。

-- %% ref="map" claim="pe/shift-linear"
local t, j, k, θ = sym "t j k θ"
local i = sym("i", "integer")

-- Matrices are equal when they are so entry by entry; so they are spoiled entry by entry.
function tested_entries(A, B)
  local out = {prove(A, B)}
  for row = 1, A.rows do
    for column = 1, A.cols do
      out[#out + 1] = mutants(A(row, column), B(row, column))
    end
  end
  return out
end

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

return {
  tested_entries(matmul(block(k), code(t)), code(t + k)),
  tested_entries(matmul(block(k).T, block(k)), matrix{{1, 0}, {0, 1}}),
  tested_entries(block(j + k), matmul(block(j), block(k))),
  prove(matmul(whole(block(k), 4), whole(code(t), 4)), whole(code(t + k), 4)),
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
-- $M_k$ 往前走 $k$ 步。写一个函数 `back(k, θ)`，给出往*回*走 $k$ 步的 $2\times2$ 小块：它把位置 $t$ 的那一对
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
  zh = "这个小块是往前走的：它把 t 变成 t + k。往回走时，角度要反过来。",
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

-- %% [markdown] ref="recover" lang="en"
-- ## Finding the matrix without the formula
-- Must we know the formula to find $M_k$? No: given the codes alone, least squares recovers it. Stack the codes of 512
-- positions as rows of $A$, those $k$ steps further on as rows of $B$, and solve $AX = B$ for $X = M_k^\top$. If $R = B - AX$ is
-- what is left over, then $A(M_k^\top - X)$ is $R$ up to rounding, so the error is at most $(\|R\| + \|E\|)/\sigma$, where
-- $\sigma$ is the smallest singular value of $A$ and $E$ holds the roundings: a small remainder means a small error only if $\sigma$
-- is not small.

-- %% [markdown] ref="recover" lang="zh"
-- ## 不用公式，找出矩阵
-- 不知道公式，能不能找出 $M_k$？能：只凭编码本身，用最小二乘就能还原。把 512 个位置的编码按行
-- 叠成 $A$，再把各自往前 $k$ 步的编码叠成 $B$，由 $AX = B$ 解出 $X = M_k^\top$。记余下的部分为
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
print(("condition %.3g, error %.2g"):format(cond(A), max(abs(X - map(k, n).T))))

return {
  measure {
    claim = "least squares leaves nothing over",
    value = norm(R), bound = rows * n * u * norm(A),
    why = "backward stable: within rows n u of the norms (Higham 2002, 20.3)",
  },
  measure {
    claim = "least squares finds M_k",
    value = norm(X - map(k, n).T), bound = (norm(R) + roundings) / sigma,
    why = "(|R| + |E|) / sigma; in E 4u of the table, 20u of computing R",
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
print(("rank %d of %d"):format(rank(A), d))
local R, error_of_X = B - matmul(A, X), X - map(k, d).T
print(("largest remainder %.1e"):format(max(abs(R))))
print(("largest error of the matrix %.2g"):format(max(abs(error_of_X))))

-- %% [markdown] ref="inner" lang="en"
-- ## The inner product of two positions
-- Attention sees codes through inner products. Pair by pair, the rule for the cosine of a difference runs backwards:
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}[\sin(\theta_i t)\sin(\theta_i(t+k)) + \cos(\theta_i t)\cos(\theta_i(t+k))]$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i(t-(t+k)))$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i k)$$
--
-- $$= \mathrm{PE}_{t'}^\top\mathrm{PE}_{t'+k}$$
--
-- The position $t$ has gone; only the distance is left. The rotation says the same: turning both codes back by $t$ changes no
-- inner product.
--
-- Each line is a step of its own. The number of pairs, $n = d/2$, is a symbol too, so $d$ is any even number: two sums over
-- the same range are equal when their general summands are.

-- %% [markdown] ref="inner" lang="zh"
-- ## 两个位置的内积
-- 注意力通过内积来看编码。逐对来看，差角的余弦公式正好倒着用：
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \sum_{i=0}^{d/2-1}[\sin(\theta_i t)\sin(\theta_i(t+k)) + \cos(\theta_i t)\cos(\theta_i(t+k))]$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i(t-(t+k)))$$
--
-- $$= \sum_{i=0}^{d/2-1}\cos(\theta_i k)$$
--
-- $$= \mathrm{PE}_{t'}^\top\mathrm{PE}_{t'+k}$$
--
-- 位置 $t$ 消失了，只剩下距离。用旋转来说也是一样：把两个编码一同往回转 $t$ 步，内积不变。
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
  tested(product(t, t + k), over_pairs(cos(θ[i] * (t - (t + k))))),
  tested(over_pairs(cos(θ[i] * (t - (t + k)))), over_pairs(cos(θ[i] * k))),
  tested(over_pairs(cos(θ[i] * k)), product(other, other + k)),
}

-- %% [markdown] ref="inner-measured" lang="en"
-- In the table the lines hold up to rounding. A sum of $d$ products in any order errs by at most $d$ roundings of $d/2$, since
-- no pair contributes more than one. The entries add $\sqrt{2}u$ a pair, a sum of $d/2$ cosines at most $d/2$ roundings of $d/2$
-- and $u/2$ a term. One line holds to the last bit: there $t$ cancels exactly, and a cosine forgets the sign.

-- %% [markdown] ref="inner-measured" lang="zh"
-- 在表里，这几行只差舍入。$d$ 个乘积不论按什么次序相加，误差至多是 $d$ 次舍入、每次不超过 $d/2$ 的
-- 舍入，因为每对至多贡献 1。表中的值每对再添 $\sqrt{2}u$；$d/2$ 个余弦相加，至多 $d/2$ 次、每次不超
-- 过 $d/2$ 的舍入，每项本身 $u/2$。其中一行一位不差：$t$ 在那里正好消去，而余弦不认正负号。

-- %% ref="inner-measured"
local θ = frequencies(d)
local products = d * u * d/2          -- summing d products of entries
local entries = sqrt(2) * u * d/2     -- what rounding the entries does to them
local cosines = (u/2 + d/2 * u) * d/2 -- d/2 rounded cosines, and summing them
local all_three = "products, entries and cosines, each as derived"
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
  line("the cosine of a difference", products + entries + cosines, all_three,
    function(t, k) return dot_product(t, k) - of_difference(t, k) end),
  line("t cancels, and the cosine is even", 0,
    "to the last bit: t-(t+k) is exact, and -x has the cosine of x",
    function(t, k) return of_difference(t, k) - of_distance(k) end),
  line("the same at another position", products + entries + cosines, all_three,
    function(_, k, other) return of_distance(k) - dot_product(other, k) end),
}

-- %% [markdown] ref="direction" lang="en"
-- ## Ahead or behind?
-- The cosine is even, so $k$ steps ahead and $k$ steps back give the same product:
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \mathrm{PE}_t^\top\mathrm{PE}_{t-k}$$
--
-- The bare inner product knows how far, but not which way. This too is proved for all $t$, $k$, all frequencies and every $d$,
-- and then measured on the table. (With a matrix between the two codes this is no longer so: a later
-- lesson.)

-- %% [markdown] ref="direction" lang="zh"
-- ## 在前还是在后？
-- 余弦是偶函数，所以往前 $k$ 步与往后 $k$ 步，内积相同：
--
-- $$\mathrm{PE}_t^\top\mathrm{PE}_{t+k} = \mathrm{PE}_t^\top\mathrm{PE}_{t-k}$$
--
-- 裸的内积知道有多远，却不知道在哪一边。这一条同样对一切 $t$、$k$、一切频率和每个 $d$ 证明，然后
-- 在表上量一遍。（若在两个编码之间夹上一个矩阵，就不再如此，那是后面一
-- 课的事。）

-- %% ref="direction" claim="pe/direction-unaware"
local t, k, θ = sym "t k θ"
local i, n = sym("i", "integer"), sym("n", "natural")
return tested(product(t, t + k), product(t, t - k))

-- %% ref="direction"
return measure {
  claim = "k ahead and k back",
  samples = 500, seed = 7, bound = 2 * (d + sqrt(2)) * u * d/2,
  f = function(g)
    local t = T // 4 + g:below(T // 2)
    local k = g:below(T // 4)
    local deviation = dot(at(P, t), at(P, t + k)) - dot(at(P, t), at(P, t - k))
    return deviation, ("t = %d, k = %d"):format(t, k)
  end,
  why = "two sums of d products, d u d/2 each, and sqrt(2) u a pair for the entries",
}

-- %% [markdown] ref="decay" lang="en"
-- Here is that product against the distance, as a share of its largest value $d/2$, up to 63 steps and then up to 2048. It
-- falls quickly, then slowly, and not evenly: nearby positions look alike, distant ones less so.

-- %% [markdown] ref="decay" lang="zh"
-- 下面把内积除以它的最大值 $d/2$，对距离画出来，先画到 63 步，再画到 2048 步。它起初降得快，后
-- 来降得慢，而且并不均匀：近处的位置彼此相像，远处的就差一些。

-- %% ref="decay"
local share = sum(C, 2) / (d/2)
local marks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
print("k = 0 … 63     " .. shades(2 * share[{ {1, 64} }] - 1, marks))
print("k = 0 … 2048   " .. shades(2 * share[{ {1, 2049, 32} }] - 1, marks))
for _, k in ipairs {0, 1, 10, 100, 1000} do
  print(("k = %4d   %.3f"):format(k, share(k + 1)))
end

-- %% [markdown] ref="odd" lang="en"
-- ## What goes wrong: an odd length
-- The definition speaks of pairs, so $d$ must be even. With $d = 7$ a program written from the formula makes three pairs, and
-- the seventh column is missing; one that rounds up makes eight. Some libraries fill the last column with zeros. Whatever is
-- done must be said, not left to a rounding.

-- %% [markdown] ref="odd" lang="zh"
-- ## 会出的毛病之一：长度为奇数
-- 定义里说的是“对”，所以 $d$ 必须是偶数。取 $d = 7$，照公式写的程序会造出三对，第七列没有了；
-- 若是向上取整，又会造出八列。有的库在最后一列补零。不管怎么处理，都该明说，不能听凭取整来决
-- 定。

-- %% ref="odd"
local t = reshape(range(0, 3), 4, 1)
for _, d in ipairs {6, 7, 8} do
  local phase = t * 10000 ^ (-2 * range(0, d/2 - 1) / d)
  print(("d = %d gives %d columns"):format(d, in_pairs(sin(phase), cos(phase)).shape[2]))
end

-- %% [markdown] ref="low" lang="en"
-- ## What goes wrong: too few bits
-- Models run in 16 bits. Half precision (f16) has 11 bits for a number, so angles beyond 1024 are whole numbers: with $d = 64$, at
-- position 1857, pair 2 reads 1045 where 1044.27 belongs, 0.73 radians too many. The other 16-bit format (bf16) has 8 bits: it cannot
-- even tell the *positions* apart, and of 2048 keeps 641.
--
-- So form the angles in f64 at least, carry them as $h + l$ if the last bit matters, and round the finished sines and
-- cosines.

-- %% [markdown] ref="low" lang="zh"
-- ## 会出的毛病之二：位数不够
-- 模型常用 16 位来跑。半精度(f16)一个数只有 11 位，角度过了 1024 就只剩整数：$d = 64$ 时，位置
-- 1857 的第 2 对本该是 1044.27，读出来却是 1045，多转了 0.73 弧度。另一种 16 位格式(bf16)只有
-- 8 位，连*位置*都分不清：2048 个只剩下 641 个。
--
-- 所以角度至少要用 f64 来算，若末位要紧，就用 $h + l$ 来携带，等正弦、余弦算好了再舍入。

-- %% ref="low"
local t, θ = range(0, 2047), 10000 ^ (-2 * range(0, 31) / 64)
local function f16(x) return quantize(x, "f16") end
local right = reshape(t, 2048, 1) * θ
local half = f16(f16(reshape(t, 2048, 1)) * f16(θ))
print(("position 1857, pair 2: %.2f in f64, %.0f in f16")
  :format(right(1858, 3), half(1858, 3)))
print(("the cosine is off by up to %.2f"):format(max(abs(cos(half) - cos(right)))))

local kept = sort(quantize(t, "bf16"))
local distinct = 1 + sum(ne(kept[{ {2, 2048} }], kept[{ {1, 2047} }]))
print(("bf16 keeps %d of 2048 positions"):format(distinct))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- The code of a position is a set of angles written as sines and cosines. Walking is a rotation, the same everywhere; the inner
-- product of two codes is $\sum_{i=0}^{d/2-1}\cos(\theta_i k)$, so that it tells distance but not direction; and the angles want more
-- bits than the result.
--
-- What is said of all numbers was *proved*; what was calculated was *measured*, within bounds that were derived. `check()` repeats
-- it all; `claims()` lists what else the sources say. What a proof is worth, and what a measurement: the lesson `proof`.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 一个位置的编码，就是一组写成正弦与余弦的角度。行走是旋转，处处相同；两个编码的内积是
-- $\sum_{i=0}^{d/2-1}\cos(\theta_i k)$，因而只知远近，不辨前后；而角度所需的位数，比结果还要
-- 多。
--
-- 凡是对一切数说的话，都*证明*过；凡是算出来的，都*测量*过，误差在推导出的界之内。`check()` 把这些再
-- 做一遍，`claims()` 列出那几篇文章还说了些什么。证明值多少，测量又值多少，见 `proof` 一课。
