-- What a model makes of two position vectors: the second-order expansion, its six terms, and which matrix H in the sixth
-- keeps p_m' H p_n a function of the distance.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts. Every bound below is derived where
-- it stands; u is the unit roundoff 2^-53: rounding a number x to the nearest f64 changes it by at most u|x|.

-- %% [markdown] ref="intro" lang="en"
-- # The Hessian between two positions
-- Position vectors are added to the words, and the model may do with them what it likes. Why should the inner
-- product of two of them matter at all? If both vectors are small, their effects on a smooth model simply add up. Only in second
-- order does it count that there are *two*: there a term appears in which both occur, like a product of two small numbers.
--
-- The argument is Su Jianlin's (his article of 2021 is "the source" below). Take the model as a function $f$ of its inputs, add small vectors $p_m$ and $p_n$ at two
-- places, and expand. Of the six terms up to second order only one contains both vectors,
--
-- $$p_m^\top H p_n$$
--
-- with a matrix $H$ of second derivatives of the model, the mixed *Hessian*. If $H$ were the identity, this would be the inner product. In a model it
-- hardly ever is. So two questions matter: how good is the expansion, and which matrices $H$ keep what the identity gives?
--
-- Here is a small model: one layer of attention with a residual connection, its outputs squeezed by a hyperbolic tangent, weighted and
-- added up to one number. The laboratory differentiates exactly. The picture shows all its second derivatives: 6 words of 8 columns each make 36
-- blocks, and $H$ is the block of the rows of one word and the columns of another. *Predict:* are these blocks diagonal?

-- %% [markdown] ref="intro" lang="zh"
-- # 两个位置之间的海森矩阵
-- 位置向量加到词向量上之后，模型怎么用都可以。那么两个位置向量的内积凭什么重要？两个向量都很小时，它们对光滑模型的影响只是相加；
-- 要到二阶，*两个*同时存在才显出来：那里有一项同时含有两者，就像两个小量之积。
--
-- 这个论证出自苏剑林 2021 年的文章，以下称“原文”。把模型看作输入的函数 $f$，在两处各加上一个小向量 $p_m$ 和 $p_n$，再作展开。到二阶为止
-- 共六项，同时含有两个向量的只有一项，
--
-- $$p_m^\top H p_n$$
--
-- 中间的矩阵 $H$ 由模型的二阶导数组成，即混合*海森矩阵*。假如 $H$ 是单位阵，这一项就是内积。可惜在模型里它几乎从来不是。于是要问：
-- 展开有多准？哪些矩阵 $H$ 能保住单位阵的性质？
--
-- 下面是一个小模型：一层带残差的注意力，输出经过双曲正切压缩，再加权求和，得到一个数。实验室求的是精确导数。图中是它的全部二阶
-- 导数：6 个词，每个 8 列，共 36 块；$H$ 就是一个词的行与另一个词的列相交的那一块。*先猜一猜*：这些块是对角阵吗？

-- %% ref="intro"
T, d = 6, 8
local g = rng(5)
function weight(g) return randn(g, d, d) / sqrt(d) end
local Wq, Wk, Wv, w = weight(g), weight(g), weight(g), randn(g, d)
X = randn(g, T, d) -- the words, one a row

function model(X)
  local Z = X + attention(matmul(X, Wq), matmul(X, Wk), matmul(X, Wv))
  return sum(w * tanh(Z))
end

local second = hessian(model)(X) -- (T, d, T, d)
local size = max(abs(second)) / 2 -- the largest are cut off, so that the others show
-- An empty row and column behind each block.
second = concat({second, nan * ones(T, 1, T, d)}, 2)
second = concat({second, nan * ones(T, d + 1, T, 1)}, 4)
return heatmap(reshape(second, T * (d + 1), T * (d + 1)), {map = "diverging", range = {-size, size}, x = {0, T}, y = {0, T},
  equal = true, xlabel = says{en = "word n", zh = "词 n"}, ylabel = says{en = "word m", zh = "词 m"}})

-- %% [markdown] ref="expansion" lang="en"
-- ## Six terms
-- Words stay where they are; only at the places $m$ and $n$ something is added. To second order,
--
-- $$f(\dots, x_m + p_m, \dots, x_n + p_n, \dots) \approx f + p_m^\top\frac{\partial f}{\partial x_m} + p_n^\top\frac{\partial f}{\partial x_n}$$
--
-- $$+ \frac{1}{2}p_m^\top\frac{\partial^2 f}{\partial x_m^2}p_m + \frac{1}{2}p_n^\top\frac{\partial^2 f}{\partial x_n^2}p_n + p_m^\top\frac{\partial^2 f}{\partial x_m \partial x_n}p_n$$
--
-- The blocks that you saw are far from diagonal. `taylor_terms` computes each of the six from exact derivatives. The vectors are those of positions 2 and 5, made
-- small: a tenth of the sinusoids. In the lines that it prints $p$ stands for $p_m$ and $q$ for $p_n$; the last one compares with the model itself.

-- %% [markdown] ref="expansion" lang="zh"
-- ## 六项
-- 词都不动，只在 $m$、$n$ 两处加上一点东西。展开到二阶：
--
-- $$f(\dots, x_m + p_m, \dots, x_n + p_n, \dots) \approx f + p_m^\top\frac{\partial f}{\partial x_m} + p_n^\top\frac{\partial f}{\partial x_n}$$
--
-- $$+ \frac{1}{2}p_m^\top\frac{\partial^2 f}{\partial x_m^2}p_m + \frac{1}{2}p_n^\top\frac{\partial^2 f}{\partial x_n^2}p_n + p_m^\top\frac{\partial^2 f}{\partial x_m \partial x_n}p_n$$
--
-- 刚才看到的那些块远不是对角阵。`taylor_terms` 用精确导数把六项逐一算出。所加的是位置 2 和 5 的正弦编码，
-- 缩到十分之一。打印出的各行里，$p$ 指 $p_m$，$q$ 指 $p_n$；最后一行与模型本身的值相比。

-- %% ref="expansion"
P = sinusoidal(T, d)
here, there = 2 + 1, 5 + 1 -- their rows: positions count from 0, rows from 1
print(taylor_terms(model, X, here, there, P[here] / 10, P[there] / 10))

-- %% [markdown] ref="mixed" lang="en"
-- ## Exercise: a mixed derivative
-- Let $f(x, y) = (ax + y)^2$ with your number `a`, and add $p$ to $x$ and $q$ to $y$. One term of the expansion contains both $p$ and $q$: a number times
-- $pq$. Set `both` to this number, which plays the part of $H$.

-- %% [markdown] ref="mixed" lang="zh"
-- ## 练习：混合导数
-- 设 $f(x, y) = (ax + y)^2$，`a` 是给你的数；给 $x$ 加上 $p$，给 $y$ 加上 $q$。展开式里同时含有 $p$ 与 $q$ 的只有一项：一个数乘以 $pq$。
-- 把这个数赋给 `both`，它就相当于 $H$。

-- %% role="exercise" ref="mixed" points=1 variants=4
a = ({3, 5, -2, 7})[variant]
--- BEGIN SOLUTION
both = 2 * a
--- END SOLUTION

-- %% role="hint" ref="mixed" lang="en"
-- Multiply out $(a(x + p) + y + q)^2$ and look for $pq$.
-- %% role="hint" ref="mixed" lang="zh"
-- 把 $(a(x + p) + y + q)^2$ 展开，找 $pq$ 的那一项。

-- %% role="hint" ref="mixed" lang="en"
-- It is $\frac{\partial^2 f}{\partial x\,\partial y}$. The derivative by $y$ is $2(ax + y)$; now the one by $x$.
-- %% role="hint" ref="mixed" lang="zh"
-- 它就是 $\frac{\partial^2 f}{\partial x\,\partial y}$。对 $y$ 求导得 $2(ax + y)$，再对 $x$ 求导。

-- %% role="check" ref="mixed"
local a = ({3, 5, -2, 7})[variant]
feedback(type(both) == "number", {en = "`both` must be a number.", zh = "`both` 要是一个数。"})
feedback(both ~= 2 * a^2, {
  en = "That is the second derivative by x alone: it stands with p², not with pq.",
  zh = "这是对 x 的二阶导数：它乘的是 p²，不是 pq。",
})
feedback(both ~= a, {
  en = "A factor 2 is missing: in the square, each product of two different terms comes twice.",
  zh = "少了因子 2：平方展开时，不同两项之积要出现两次。",
})
feedback(same(both, 2 * a, {what = "both"}))

-- %% role="wrong" ref="mixed" expect="by x alone"
both = 2 * ({3, 5, -2, 7})[variant]^2

-- %% role="wrong" ref="mixed" expect="factor 2"
both = ({3, 5, -2, 7})[variant]

-- %% [markdown] ref="terms" lang="en"
-- ## Which term contains both
-- The first term contains no position; the second and the fourth contain $p_m$, the third and the fifth $p_n$. None of
-- them depends on the *pair*: they are purely absolute. A term ties the two vectors together exactly if its mixed derivative
-- $\partial^2/\partial p_m\partial p_n$ is not zero. So we differentiate, with vectors of two entries and a symbol for every entry
-- of every vector and matrix: zero for the first five terms, and $H$ for the sixth.

-- %% [markdown] ref="terms" lang="zh"
-- ## 哪一项含两个位置
-- 第一项与位置无关；第二、第四项只含 $p_m$，第三、第五项只含 $p_n$。关于*两个*位置之间的关系，它们什么
-- 也说不出，只知道绝对位置。某一项是否把两个向量联系起来，看混合导数
-- $\partial^2/\partial p_m\partial p_n$ 是否为零。那就求导吧：向量各取两个分量，向量和矩阵的每个元素都是符号。前五项得零，第六
-- 项得 $H$。

-- %% ref="terms" claim="su/taylor-terms"
-- A proof, and what became of the spoiled versions of its statement.
function tested(lhs, rhs, caption) return {prove(lhs, rhs, {caption = caption}), mutants(lhs, rhs)} end

local f0 = sym "f"
local g, h = symmatrix("g", 2), symmatrix("h", 2)
local A, B = symmatrix("A", 2, 2), symmatrix("B", 2, 2)
local H = symmatrix("H", 2, 2)
local p, q = symmatrix("p", 2), symmatrix("q", 2)
local function form(a, M, b) return matmul(matmul(a.T, M), b)(1) end
local terms = {
  f0, matmul(p.T, g)(1), matmul(q.T, h)(1),
  form(p, A, p)/2, form(q, B, q)/2, form(p, H, q),
}

-- Row i, column j: the derivative by p_i and q_j.
local function mixed(term)
  local rows = {{}, {}}
  for i = 1, 2 do
    for j = 1, 2 do rows[i][j] = derivative(derivative(term, p(i)), q(j)) end
  end
  return matrix(rows)
end

local zero, unmixed = matrix{{0, 0}, {0, 0}}, {}
for k = 1, 5 do unmixed[#unmixed + 1] = named({en = ("the mixed derivative of term %d is 0"):format(k), zh = ("第 %d 项的混合导数是 0"):format(k)}, prove(mixed(terms[k]), zero)) end
return {
  unmixed, fails(prove(mixed(terms[6]), zero), {en = "the mixed derivative of the sixth term is 0", zh = "第六项的混合导数是 0"}),
  named({en = "the mixed derivative of the sixth term is H", zh = "第六项的混合导数是 H"}, prove(mixed(terms[6]), H)),
  named({en = "term 4, twice differentiated by the first entry of p, gives the first entry of its matrix", zh = "第 4 项对 p 的第一个分量求两次导，得它的矩阵的第一个元素"},
        prove(derivative(terms[4], p(1), 2), A(1, 1))),
  named({en = "so does term 5, by the first entry of q", zh = "第 5 项对 q 的第一个分量也是这样"}, prove(derivative(terms[5], q(1), 2), B(1, 1))),
  mutants(form(p, H, q), H(1, 1)*p(1)*q(1) + H(1, 2)*p(1)*q(2)
                         + H(2, 1)*p(2)*q(1) + H(2, 2)*p(2)*q(2)),
}

-- %% [markdown] ref="spoils" lang="en"
-- ## Exercise: what spoils the distance
-- From here on pairs are written cosine first, $p_m = (\cos m\theta_0, \sin m\theta_0, \cos m\theta_1, \dots)$, as in
-- the source. Suppose that $H$ is diagonal, and look at one pair: its block is $\mathrm{diag}(h, k)$. Write `relative_part(h, k)` and
-- `sum_part(h, k)`: the numbers (or formulas) that stand before $\cos(m-n)\theta$ and before $\cos(m+n)\theta$ in $p_m^\top H p_n$.

-- %% [markdown] ref="spoils" lang="zh"
-- ## 练习：什么破坏了距离
-- 从这里起，每对都把余弦写在前面，$p_m = (\cos m\theta_0, \sin m\theta_0, \cos m\theta_1, \dots)$，与原文一致。设 $H$ 是对角阵，只看
-- 其中一对：它的小块是 $\mathrm{diag}(h, k)$。写出 `relative_part(h, k)` 和 `sum_part(h, k)`：
-- 分别是 $p_m^\top H p_n$ 里 $\cos(m-n)\theta$ 与 $\cos(m+n)\theta$ 前面的数（或式子）。

-- %% role="exercise" ref="spoils" points=1
--- BEGIN SOLUTION
function relative_part(h, k) return (h + k)/2 end
function sum_part(h, k) return (h - k)/2 end
--- END SOLUTION

-- %% role="hint" ref="spoils" lang="en"
-- $h$ stands with the product of two cosines, $k$ with the product of two sines. Write each product as a sum.

-- %% role="hint" ref="spoils" lang="zh"
-- $h$ 乘的是两个余弦之积，$k$ 乘的是两个正弦之积。把两个积各自化成和差。

-- %% role="hint" ref="spoils" lang="en"
-- $h\cos m\theta\cos n\theta = \frac{h}{2}[\cos(m-n)\theta + \cos(m+n)\theta]$. The sines have a minus before the
-- second cosine.

-- %% role="hint" ref="spoils" lang="zh"
-- $h\cos m\theta\cos n\theta = \frac{h}{2}[\cos(m-n)\theta + \cos(m+n)\theta]$。正弦那一项，第二个余弦
-- 前面是减号。

-- %% role="check" ref="spoils"
local h, k = sym "h k"
feedback(not same(sum_part(h, k), (h + k)/2), {
  en = "With h = k the sum of the positions must drop out; yours does not. Look at the sign that the sines bring.",
  zh = "h = k 时位置之和应当消失，你的却没有。留意正弦那一项带来的符号。",
})
feedback(not same(relative_part(h, k), h + k), {
  en = "Each product gives half a cosine of the difference: a factor 1/2 is missing.",
  zh = "每个积只给出半个差角余弦：少了因子 1/2。",
})
feedback(same(relative_part(h, k), (h + k)/2, {what = "relative_part(h, k)"}))
feedback(same(sum_part(h, k), (h - k)/2, {what = "sum_part(h, k)"}))
--- BEGIN HIDDEN TESTS
local m, n, θ = sym "m n θ"
local yours = relative_part(rat(3), rat(1))*cos((m - n)*θ) +
  sum_part(rat(3), rat(1))*cos((m + n)*θ)
feedback(same(yours, 3*cos(m*θ)*cos(n*θ) + sin(m*θ)*sin(n*θ),
  {what = {en = "The form for h = 3, k = 1", zh = "h = 3、k = 1 时的双线性型"}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="spoils" expect="must drop out"
function relative_part(h, k) return (h - k)/2 end
function sum_part(h, k) return (h + k)/2 end

-- %% role="wrong" ref="spoils" expect="factor 1/2"
function relative_part(h, k) return h + k end
function sum_part(h, k) return h - k end

-- %% [markdown] ref="product-to-sum" lang="en"
-- ## Products into sums
-- The addition formulas from school, added and subtracted, give $\cos a\cos b = \frac{1}{2}[\cos(a-b)+\cos(a+b)]$ and
-- $\sin a\sin b = \frac{1}{2}[\cos(a-b)-\cos(a+b)]$:
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\frac{H_{2i,2i}+H_{2i+1,2i+1}}{2}\cos(m-n)\theta_i$$
--
-- $$+ \sum_{i=0}^{d/2-1}\frac{H_{2i,2i}-H_{2i+1,2i+1}}{2}\cos(m+n)\theta_i$$
--
-- One part depends on the distance. The other depends on the sum of the positions, which is no relative
-- position at all. Below, each pair has its two numbers $h_i = H_{2i,2i}$ and $k_i = H_{2i+1,2i+1}$, and the number of pairs
-- is a symbol too: the proof is for all of them at once.

-- %% [markdown] ref="product-to-sum" lang="zh"
-- ## 积化和差
-- 把中学学过的和角、差角公式相加减，就得到 $\cos a\cos b = \frac{1}{2}[\cos(a-b)+\cos(a+b)]$，
-- $\sin a\sin b = \frac{1}{2}[\cos(a-b)-\cos(a+b)]$：
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\frac{H_{2i,2i}+H_{2i+1,2i+1}}{2}\cos(m-n)\theta_i$$
--
-- $$+ \sum_{i=0}^{d/2-1}\frac{H_{2i,2i}-H_{2i+1,2i+1}}{2}\cos(m+n)\theta_i$$
--
-- 一部分取决于距离；另一部分取决于位置之和，那根本不是相对位置。下面每对有自己的两个数 $h_i = H_{2i,2i}$
-- 和 $k_i = H_{2i+1,2i+1}$，对的个数也是符号：一次证明，对多少对都管用。

-- %% ref="product-to-sum" claim="su/product-to-sum"
local m, n, h, k, θ = sym "m n h k θ"
local i, N = sym("i", "integer"), sym("N", "natural")
local function over_pairs(f) return sum(f, i, 0, N - 1) end
return tested(
  over_pairs(h[i]*cos(m*θ[i])*cos(n*θ[i]) + k[i]*sin(m*θ[i])*sin(n*θ[i])),
  over_pairs((h[i] + k[i])/2*cos((m - n)*θ[i])
           + (h[i] - k[i])/2*cos((m + n)*θ[i])),
  {en = "any number of pairs: cosines of m - n and of m + n", zh = "任意多对：m - n 的余弦与 m + n 的余弦"})

-- %% [markdown] ref="waves" lang="en"
-- ## Which matrices keep the distance?
-- One pair first. Any block of four numbers can be written with $a$, $b$, $c$, $e$ as below, and then the bilinear form is four waves:
--
-- $$\begin{pmatrix}\cos m\theta & \sin m\theta\end{pmatrix}\begin{pmatrix}a+c & e-b \\ e+b & a-c\end{pmatrix}\begin{pmatrix}\cos n\theta \\ \sin n\theta\end{pmatrix}$$
--
-- $$= a\cos(m-n)\theta + b\sin(m-n)\theta + c\cos(m+n)\theta + e\sin(m+n)\theta$$
--
-- The terms with $a$ and $b$ depend on the distance. They belong to the block $aI + bJ$, where $J$ is the quarter turn, with the rows
-- $(0, -1)$ and $(1, 0)$: a rotation times a number.
--
-- *Predict:* below, $d = 8$, and one block stands in all pairs. Four blocks are tried: the identity, $\mathrm{diag}(1, 2)$, a rotation and a reflection. Which of
-- them give the same number at $(5, 2)$ and at $(105, 102)$?

-- %% [markdown] ref="waves" lang="zh"
-- ## 哪些矩阵保得住距离？
-- 先看一对。任何由四个数组成的小块，都能用 $a$、$b$、$c$、$e$ 写成下面的样子，双线性型就成了四个波：
--
-- $$\begin{pmatrix}\cos m\theta & \sin m\theta\end{pmatrix}\begin{pmatrix}a+c & e-b \\ e+b & a-c\end{pmatrix}\begin{pmatrix}\cos n\theta \\ \sin n\theta\end{pmatrix}$$
--
-- $$= a\cos(m-n)\theta + b\sin(m-n)\theta + c\cos(m+n)\theta + e\sin(m+n)\theta$$
--
-- 含 $a$ 和 $b$ 的两项取决于距离，它们属于小块 $aI + bJ$，其中 $J$ 是转 90° 的旋转，两行是 $(0, -1)$ 和 $(1, 0)$：即旋转乘以一个数。
--
-- *先猜一猜*：下面取 $d = 8$，把四个小块逐个放进每一对：单位阵、$\mathrm{diag}(1, 2)$、一个旋转、一个反射。
-- 哪几个在 $(5, 2)$ 与 $(105, 102)$ 处给出同一个数？

-- %% ref="waves"
function form(p, H, q) return matmul(matmul(p.T, H), q)(1) end
function turn(x) return matrix{{cos(x), -sin(x)}, {sin(x), cos(x)}} end
local θ = 10000 ^ (-2 * range(0, 3) / 8)
local function value(B, m, n) -- the same block in every pair
  return sum(B[1]*cos(m*θ)*cos(n*θ) + B[2]*cos(m*θ)*sin(n*θ) + B[3]*sin(m*θ)*cos(n*θ) + B[4]*sin(m*θ)*sin(n*θ))
end
local names = {says{en = "identity    ", zh = "单位阵      "}, "diag(1, 2)  ", says{en = "rotation    ", zh = "旋转        "},
  says{en = "reflection  ", zh = "反射        "}}
print("            (5, 2)    (105, 102)")
for i, B in ipairs {{1, 0, 0, 1}, {1, 0, 0, 2}, {0.6, -0.8, 0.8, 0.6}, {0.6, 0.8, 0.8, -0.6}} do
  print(("%s%.6f  %.6f"):format(names[i], value(B, 5, 2), value(B, 105, 102)))
end

-- %% [markdown] ref="nearest" lang="en"
-- ## Exercise: the relative part of a block
-- The identity and the rotation gave the same number twice. Both are blocks $aI + bJ$, the other two are not.
--
-- A model hands you a $2\times2$ block with rows $(p, q)$ and $(r, s)$ for one pair, cosine first. Write
-- `relative(p, q, r, s)`: the block $aI + bJ$ in it, as `matrix{{.., ..}, {.., ..}}`; what is left contributes waves of
-- $m + n$ only.

-- %% [markdown] ref="nearest" lang="zh"
-- ## 练习：小块里相对的那部分
-- 单位阵和旋转在两处给出同一个数：它们都是 $aI + bJ$，另外两个不是。
--
-- 模型给了你一对的 $2\times2$ 小块，两行是 $(p, q)$ 和 $(r, s)$，余弦在前。写 `relative(p, q, r, s)`，
-- 给出其中的 $aI + bJ$，写成 `matrix{{.., ..}, {.., ..}}`；剩下的部分只产生 $m + n$ 的波。

-- %% role="exercise" ref="nearest" points=2
function relative(p, q, r, s)
  --- BEGIN SOLUTION
  local a, b = (p + s)/2, (r - q)/2
  return matrix{{a, -b}, {b, a}}
  --- END SOLUTION
end

-- %% role="hint" ref="nearest" lang="en"
-- Compare with the block above: $p = a + c$ and $s = a - c$. What is $a$?

-- %% role="hint" ref="nearest" lang="zh"
-- 与上面的小块对照：$p = a + c$，$s = a - c$。$a$ 是多少？

-- %% role="hint" ref="nearest" lang="en"
-- $q = e - b$ and $r = e + b$. Subtract: $b = (r - q)/2$. The minus of $J$ stands in the upper right corner.

-- %% role="hint" ref="nearest" lang="zh"
-- $q = e - b$，$r = e + b$。相减得 $b = (r - q)/2$。$J$ 的负号在右上角。

-- %% role="check" ref="nearest"
local p, q, r, s = sym "p q r s"
local B = relative(p, q, r, s)
feedback(not same(B, matrix{{p, 0}, {0, s}}), {
  en = "That is the diagonal of the block. It has a wave of m + n unless p = s, and off it there is a relative part too.",
  zh = "这是小块的对角线。除非 p = s，其中仍有 m + n 的波；而且非对角处也有相对的部分。",
})
local a, b, e = (p + s)/2, (r - q)/2, (q + r)/2
feedback(not same(B, matrix{{a, e}, {e, a}}), {
  en = "The off-diagonal part that you kept is symmetric; it makes sin (m + n)θ. J is antisymmetric.",
  zh = "你留下的非对角部分是对称的，它产生 sin (m + n)θ。J 是反对称的。",
})
feedback(same(B, matrix{{a, -b}, {b, a}}, {what = "relative(p, q, r, s)"}))
--- BEGIN HIDDEN TESTS
local m, n, θ = sym "m n θ"
local function code(m) return matrix{cos(m*θ), sin(m*θ)} end
local B = relative(rat(7), rat(2), rat(4), rat(3))
feedback(same(form(code(m), B, code(n)), form(code(m + 1), B, code(n + 1)),
  {what = {en = "The form with relative(7, 2, 4, 3), one step on",
           zh = "用 relative(7, 2, 4, 3) 的双线性型，前进一步"}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="nearest" expect="the diagonal of the block"
function relative(p, q, r, s) return matrix{{p, 0}, {0, s}} end

-- %% role="wrong" ref="nearest" expect="is symmetric"
function relative(p, q, r, s) return matrix{{(p + s)/2, (q + r)/2}, {(q + r)/2, (p + s)/2}} end

-- %% role="wrong" ref="nearest" expect="is another formula"
function relative(p, q, r, s) return matrix{{(p + s)/2, (r - q)/2}, {(q - r)/2, (p + s)/2}} end

-- %% [markdown] ref="peak" lang="en"
-- ## Exercise: look seven words back
-- So $H$ keeps the distance exactly if it has a block $aI + bJ$ in each pair and zeros between different pairs (the appendix proves it). Being
-- diagonal is neither needed nor enough.
--
-- Such blocks can also say *where* to look. Write `peak_block(θ)`, the $2\times2$ block of a pair of frequency $\theta$ with which
-- $p_m^\top Hp_n$ is greatest at $m - n = 7$, where the query stands seven words after the key.

-- %% [markdown] ref="peak" lang="zh"
-- ## 练习：往回看第七个词
-- 于是保得住距离的，正好是这样的 $H$：每对之内是 $aI + bJ$，不同的对之间全为零（证明见附录）。
-- 对角既非必要，也不充分。
--
-- 这样的小块还能决定往*哪里*看。写 `peak_block(θ)`：频率为 $\theta$ 的那一对的 $2\times2$ 小块，
-- 使 $p_m^\top Hp_n$ 在 $m - n = 7$ 时最大，即查询位于键之后第七个词处。

-- %% role="exercise" ref="peak" points=1
function peak_block(θ)
  --- BEGIN SOLUTION
  return turn(7*θ)
  --- END SOLUTION
end

-- %% role="hint" ref="peak" lang="en"
-- The block must be a rotation. By which angle must a wave be moved so that its crest is at 7?

-- %% role="hint" ref="peak" lang="zh"
-- 小块应当是一个旋转。要把波峰移到 7 处，该转多少角度？

-- %% role="hint" ref="peak" lang="en"
-- $p_m^\top R p_n$ with $R$ the rotation by $7\theta$ is $\cos((m-n-7)\theta)$. `turn(x)` is the rotation by x.

-- %% role="hint" ref="peak" lang="zh"
-- $R$ 为转 $7\theta$ 的旋转时，$p_m^\top R p_n$ 就是 $\cos((m-n-7)\theta)$。`turn(x)` 就是转 x 的旋转。

-- %% role="check" ref="peak"
local θ = sym "θ"
local B = peak_block(θ)
feedback(not same(B, turn(-7*θ)), {
  en = "This one looks seven words ahead: it is greatest at m - n = -7. Turn the other way.",
  zh = "这个小块看的是后面第七个词：它在 m − n = −7 处最大。换个方向转。",
})
feedback(not same(B, matrix{{cos(7*θ), 0}, {0, cos(7*θ)}}), {
  en = "A multiple of the identity changes the size of the wave, not where its crest is; the sines carry it away.",
  zh = "单位阵的倍数只改变波的大小，不移动波峰；要移动波峰，得靠正弦。",
})
feedback(same(B, turn(7*θ), {what = "peak_block(θ)"}))
--- BEGIN HIDDEN TESTS
local m, n = sym "m n"
local function code(m) return matrix{cos(m*θ), sin(m*θ)} end
feedback(same(form(code(m), peak_block(θ), code(n)), cos((m - n - 7)*θ),
  {what = {en = "The form", zh = "双线性型"}}))
--- END HIDDEN TESTS

-- %% role="wrong" ref="peak" expect="seven words ahead"
function peak_block(θ) return turn(-7*θ) end

-- %% role="wrong" ref="peak" expect="where its crest is"
function peak_block(θ) return matrix{{cos(7*θ), 0}, {0, cos(7*θ)}} end

-- %% [markdown] ref="farther" lang="en"
-- ## Must distant words matter less?
-- One expects that two words have less to do with each other when they are farther apart, and the source expects it too. But nothing in the formula
-- forces it. Put into each pair the rotation by $500\theta_i$, which is of the kind
-- $aI + bJ$: then
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\cos((m-n-500)\theta_i)$$
--
-- is greatest, $d/2$, at distance 500, for no cosine exceeds 1. So what is farther away need not be weaker: with the 64 frequencies of $d = 128$ the
-- form is 64 at distance 500 and 19.10 at distance 0. That the peak is at 500 is proved for any frequencies. The same happens with rotated queries and
-- keys: with $k = R_{500}q$, $q$ turned by 500 positions, the score of $q$ at $m$ and $k$ at $n$ is a sum of $\cos((m-n-500)\theta_i)$, weighted by
-- the squared lengths of the pairs of $q$.

-- %% [markdown] ref="farther" lang="zh"
-- ## 远处的词必定更弱吗？
-- 离得越远，关系越弱，人们这样想，原文也这样想。但这只是直觉，式子并不要求如此。在每对里放上转
-- $500\theta_i$ 的旋转，它也属于 $aI + bJ$ 一类，于是
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\cos((m-n-500)\theta_i)$$
--
-- 在距离 500 处取到最大值 $d/2$，因为余弦不超过 1。所以离得远未必就弱：取 $d = 128$ 的 64 个频率，它在距离 500 处是 64，在距离 0 处只有
-- 19.10。不论频率取什么，峰值都在 500 处，这已得证。查询与键若用旋转，也是如此：取 $k = R_{500}q$，位置 $m$ 的 $q$ 与位置 $n$ 的 $k$ 的打分，就是
-- $\cos((m-n-500)\theta_i)$ 之和，以 $q$ 各对长度的平方为权。

-- %% ref="farther" claim="su/farther-is-weaker"
local m, n, k, q0, q1, θ = sym "m n k q0 q1 θ"
local i, N = sym("i", "integer"), sym("N", "natural")
local function p(m) return matrix{cos(m*θ[i]), sin(m*θ[i])} end
local function over_pairs(f) return sum(f, i, 0, N - 1) end
local shifted = over_pairs(form(p(m), turn(500*θ[i]), p(n)))
local function wave(k) return cos((k - 500)*θ) end -- one pair, at distance k
local j = sym("j", "integer")
local function real(k) return sum(cos((rat(k) - 500)*rat(10000)^(-2*j/128)), j, 0, 63) end -- the 64 pairs of d = 128

-- The queries and keys of one pair, turned by their positions: <R_m q, R_n R_500 q>.
local q = matrix{q0, q1}
local turned, key = matmul(turn(m*θ), q), matmul(turn(500*θ), q)
local score = matmul(turned.T, matmul(turn(n*θ), key))(1)
return {
  written = named({en = "the form at distance 500 is no more than at distance 0, d = 128", zh = "d = 128 时，距离 500 处不大于距离 0 处"},
                  certify(le(real(500), real(0)), {})),
  mended = {
    tested(shifted, over_pairs(cos((m - n - 500)*θ[i])), {en = "any number of pairs: the form is the sum of these cosines", zh = "任意多对：双线性型就是这些余弦之和"}),
    prove(le(wave(k), 1), {caption = {en = "no cosine exceeds 1", zh = "余弦不超过 1"}}),
    named({en = "at distance 500 the form is d/2", zh = "距离 500 处等于 d/2"}, prove(over_pairs(cos((500 - 500)*θ[i])), N)),
    fails(prove(over_pairs(cos((500 - 499)*θ[i])), N), {en = "at distance 499 the form is d/2", zh = "距离 499 处等于 d/2"}),
    figure({en = "d = 128, distance 500: the form", zh = "d = 128、距离 500 处的双线性型"}, real(500), "64.00"),
    figure({en = "d = 128, distance 0: the form", zh = "d = 128、距离 0 处的双线性型"}, real(0), "19.10"),
    tested(score, (q0^2 + q1^2)*cos((m - n - 500)*θ), {en = "a rotated query and key do the same", zh = "旋转的查询与键也是如此"}),
  },
}

-- %% [markdown] ref="real" lang="en"
-- ## The H of a model
-- Here it is, for the model of the beginning: the block of second derivatives between the words of positions 2 and 5,
-- computed exactly. Split it into four parts that are orthogonal, so that their sums of squares add up to that of $H$: the
-- multiple of the identity in each pair ($aI$), the turn ($bJ$), the rest of the diagonal, and everything else. The
-- first two are relative.
--
-- The first three shares are small. A random matrix would have $1/d$ of its mass (sum of squares) on the diagonal, and this one has not much
-- more there. If the diagonal is to dominate, training must bring that about.

-- %% [markdown] ref="real" lang="zh"
-- ## 一个模型的 H
-- 这就是开头那个模型的 $H$：位置 2 与位置 5 的两个词之间的二阶导数，精确算出。把它分成互相正交的四部分，
-- 四个平方和加起来等于 $H$ 的平方和：每对里单位阵的倍数（$aI$）、旋转（$bJ$）、对角线余下的部分，以及其余一切。前两部分是相对的。
--
-- 前三部分的份额都不大。随机矩阵的对角线占平方和的 $1/d$，这个 $H$ 也多不了多少。对角线要占主导，只能靠训练做到。

-- %% ref="real"
H = mixed_hessian(model, X, here, there)
local split = hessian_parts(H)
local shares = split.shares
print(says{en = "shares of the mass: aI %.4f, bJ %.4f,\nthe diagonal's rest %.4f, everything else %.4f; the whole diagonal %.4f",
           zh = "各占平方和的：aI %.4f，bJ %.4f，\n对角线余下的部分 %.4f，其余一切 %.4f；整条对角线 %.4f"}
  :format(shares.equal, shares.turn, shares.unequal, shares.rest, split.diagonal))
return heatmap(H, {title = "H", equal = true, xlabel = says{en = "column of x_n", zh = "x_n 的列"}, ylabel = says{en = "column of x_m", zh = "x_m 的列"}})

-- %% [markdown] ref="picture" lang="en"
-- ## Stripes, and no stripes
-- A number for each pair of positions makes a table, $PHP^\top$, where the rows of $P$ are the position codes. It has stripes along the diagonals exactly if its
-- entries depend on $m - n$ only. Here are three tables side by side, the first 24 positions each way: for $H = I$, for the $H$ of the model, and for its relative
-- part. *Predict:* which of them have such stripes?

-- %% [markdown] ref="picture" lang="zh"
-- ## 有条纹，没有条纹
-- 每两个位置一个数，排成一张表 $PHP^\top$，$P$ 的各行是位置编码。表中的数只取决于 $m - n$，条纹才沿着对角线。
-- 下面是三张表，横竖各取前 24 个位置：$H = I$ 的、模型的 $H$ 的、它的相对部分的。*先猜一猜*：哪几张有这样的条纹？

-- %% ref="picture"
position_codes = sinusoidal(64, d)
function table_of(H) return matmul(matmul(position_codes, H), transpose(position_codes)) end
local parts, n = hessian_parts(H), 24
local function picture_of(M, title)
  return heatmap(table_of(M)[{ {1, n}, {1, n} }],
    {title = title, xlabel = "n", ylabel = "m", x = {0, n - 1}, y = {0, n - 1}})
end
return panels{
  picture_of(eye(d), "H = I"), picture_of(H, says{en = "the model's H", zh = "模型的 H"}),
  picture_of(parts.equal + parts.turn, says{en = "its relative part", zh = "其中相对的部分"}), columns = 3,
}

-- %% [markdown] ref="practice" lang="en"
-- ## What goes wrong in practice: large position vectors
-- Of the three tables the first and the third have stripes along the diagonals; the model's own has none.
--
-- The expansion is good for small displacements, and position vectors are not small beside words. Here
-- are the terms added up by order, with the sinusoids at three sizes. At full size, of length $\sqrt{d/2} = 2$ beside words of
-- length about $\sqrt{8}$, the terms of second order are almost as large as those of first order, and what is left out is no longer
-- small beside them. At that size the expansion says what kinds of terms there are, not how large the result is.

-- %% [markdown] ref="practice" lang="zh"
-- ## 实际中会出的毛病：位置向量并不小
-- 刚才的三张表里，第一张和第三张有沿对角线的条纹，模型自己的那张没有。
--
-- 展开要求位移很小，而位置向量与词向量相比并不小。下面把各项按阶相加，正弦编码取三种大小。不缩小时，它的长度是
-- $\sqrt{d/2} = 2$，词向量的长度约为 $\sqrt{8}$：二阶项与一阶项差不多一样大，略去的部分与它们相比也不
-- 再是小数目。到了这个大小，展开只能说明有哪几类项，说明不了结果有多大。

-- %% ref="practice"
for _, scale in ipairs {0.1, 0.3, 1} do
  local t = taylor_terms(model, X, here, there, scale * P[here], scale * P[there])
  print(says{en = "size %.1f: first order %+.4f, second %+.4f, left out %+.4f", zh = "大小 %.1f：一阶 %+.4f，二阶 %+.4f，略去 %+.4f"}
    :format(scale, t[2] + t[3], t[4] + t[5] + t[6], t.remainder))
end

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- A smooth model meets two position vectors in one term of second order, $p_m^\top Hp_n$. It depends on the distance exactly if $H$ is made of blocks
-- $aI + bJ$: being diagonal is neither needed nor enough. Within that family the model may put the peak at any distance it likes. A model's own $H$
-- can be computed and split; one number says how much of it is relative, and the rest bounds the deviation.
--
-- For an engineer: a model to which positions are only *added* has to learn such blocks, and before training hardly any of its $H$ is of this kind. Encodings that
-- build the distance into the score itself spare it that work: see `relative` and `rope`.

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 光滑的模型在二阶项 $p_m^\top Hp_n$ 里第一次同时遇到两个位置向量。它只取决于距离，当且仅当 $H$ 由小块
-- $aI + bJ$ 组成：对角既非必要，也不充分。在这一族里，模型可以把峰值放到任何距离上。模型自己的 $H$ 算
-- 得出、拆得开；其中有多少是相对的，用一个数就能说出来，其余部分则给出偏离的界。
--
-- 落到工程上：位置若只是*加*到词上，这样的小块得靠模型自己学，而训练之前的 $H$ 几乎没有这种成分。
-- 把距离直接做进打分的编码，省去了这一步：见 `relative` 与 `rope`。

-- %% [markdown] ref="rotation" lang="en" part="appendix"
-- ## Why nothing else keeps the distance
-- Let $R$ turn each pair by its $\theta_i$, so that $p_{m+1} = Rp_m$, and suppose that $p_m^\top Hp_n$ depends on $m - n$ only.
--
-- *One step on.* Then $p_m^\top(R^\top HR - H)p_n = 0$ for all $m$, $n$.
--
-- *The codes span the whole space.* So $R^\top HR = H$. (The determinant of $p_0, \dots, p_{d-1}$ is, up to a factor that is not 0, Vandermonde's in the
-- numbers $e^{\pm i\theta_j}$, which all differ as the $\theta_j$ lie between 0 and $\pi$; for two pairs it is proved below.)
--
-- *Between two pairs* these are four equations whose determinant is $4(\cos\theta_i - \cos\theta_j)^2$. It is not zero, so the block must be zero.
--
-- *Within a pair* $RB - BR$ is $\sin\theta_i$ times a matrix made of $p - s$ and $q + r$, for a block $B$ with rows $(p, q)$ and $(r, s)$; it
-- vanishes only if $p = s$ and $q = -r$, that is $B = aI + bJ$.
--
-- For $d = 4$ and angles with rational sines and cosines the equations are solved exactly: rank 12 of 16. So of the $d^2$ dimensions of $H$
-- only $d$ remain, two numbers a pair.

-- %% [markdown] ref="rotation" lang="zh" part="appendix"
-- ## 为什么别的都保不住距离
-- 设 $R$ 把每对各转 $\theta_i$，即 $p_{m+1} = Rp_m$，又设 $p_m^\top Hp_n$ 只取决于 $m - n$。
--
-- *前进一步*。此时 $p_m^\top(R^\top HR - H)p_n = 0$ 对一切 $m$、$n$ 成立。
--
-- *编码张成整个空间*。所以 $R^\top HR = H$。（$p_0, \dots, p_{d-1}$ 的行列式，除一个非零因子外，就是各数 $e^{\pm i\theta_j}$ 的范德蒙德行列式；
-- 各 $\theta_j$ 不同，又都在 0 与 $\pi$ 之间，所以这些数互不相同；两对的情形在下面证明。）
--
-- *两对之间*，这是四个方程，行列式为 $4(\cos\theta_i - \cos\theta_j)^2$：它不为零，小块就只能是零。
--
-- *一对之内*，设小块 $B$ 的两行是 $(p, q)$ 和 $(r, s)$，则 $RB - BR$ 等于 $\sin\theta_i$ 乘以一个由 $p - s$ 与 $q + r$ 组成的矩阵；
-- 它为零，只有 $p = s$、$q = -r$，即 $B = aI + bJ$。
--
-- 取 $d = 4$，角的正弦、余弦都是有理数，方程组可以精确求解：16 个未知数，秩为 12。所以 $H$ 的 $d^2$ 维里只剩下 $d$ 维，每对两个数。

-- %% ref="rotation" claim="su/offdiagonal"
local m, n, a, b, c, e, x, y, θ = sym "m n a b c e x y θ"
local function p(m) return matrix{cos(m*θ), sin(m*θ)} end

-- R(x)' B R(y) - B, as a linear map of the four entries of B.
local left, right, map = turn(x), turn(y), {}
for i = 1, 2 do
  for j = 1, 2 do
    local row = {}
    for k = 1, 2 do
      for l = 1, 2 do
        row[#row + 1] = left(k, i)*right(l, j) - ((i == k and j == l) and 1 or 0)
      end
    end
    map[#map + 1] = row
  end
end

-- Two pairs: do p_0, ..., p_3 span the space?
local codes = {}
for m = 0, 3 do codes[m + 1] = {cos(m*x), sin(m*x), cos(m*y), sin(m*y)} end

-- Angles with rational sines and cosines: 3, 4, 5. The unknowns are the 16 entries of H.
local at, equations = {[0] = {1, 0, 1, 0}}, {}
local function step(c, s, x, y) return (c*x - s*y)/rat(5), (s*x + c*y)/rat(5) end
for m = 1, 4 do
  local u = at[m - 1]
  local a, b = step(3, 4, u[1], u[2])
  at[m] = {a, b, step(-3, 4, u[3], u[4])}
end
for m = 0, 3 do
  for n = 0, 3 do
    local row = {}
    for i = 1, 4 do
      for j = 1, 4 do
        row[#row + 1] = at[m + 1][i]*at[n + 1][j] - at[m][i]*at[n][j]
      end
    end
    equations[#equations + 1] = row
  end
end
print(says{en = "rank %s of 16 unknowns", zh = "16 个未知数，秩 %s"}:format(rank(matrix(equations))))

-- What one diagonal block does, and one that is not diagonal.
local function moves(B, m, n) -- from m, n one step on
  return form(p(m), B, p(n)), form(p(m + 1), B, p(n + 1))
end
local lopsided = prove(moves(matrix{{1, 0}, {0, 2}}, sym("m", "integer"), sym("n", "integer"))) -- positions are whole numbers
print(says{en = "diag(1, 2):", zh = "diag(1, 2)："}, lopsided)
local code = sinusoidal(1006, 8, {layout = "half"}) -- sines, then cosines
local function value(m, n)
  local a, b = code[m + 1], code[n + 1]
  local sm, cm, sn, cn = a[{ {1, 4} }], a[{ {5, 8} }], b[{ {1, 4} }], b[{ {5, 8} }]
  return sum(0.6*cm*cn - 0.8*cm*sn + 0.8*sm*cn + 0.6*sm*sn)
end
local figures = {}
for place, at in ipairs {{5, 2}, {105, 102}, {1005, 1002}} do
  print(says{en = "the rotation at (%d, %d): %.6f", zh = "旋转，(%d, %d) 处：%.6f"}:format(at[1], at[2], value(at[1], at[2])))
  figures[place] = figure({en = ("the form at (%d, %d)"):format(at[1], at[2]), zh = ("(%d, %d) 处的双线性型"):format(at[1], at[2])}, value(at[1], at[2]), "1.554642")
end

-- Within a pair: what does not commute with the turn.
local B, R = symmatrix("B", 2, 2), turn(θ)
local p_less_s, q_and_r = B(1, 1) - B(2, 2), B(1, 2) + B(2, 1)
local commutator = matmul(R, B) - matmul(B, R)

local block = matrix{{a + c, e - b}, {e + b, a - c}}
local waves = a*cos((m - n)*θ) + b*sin((m - n)*θ)
            + c*cos((m + n)*θ) + e*sin((m + n)*θ)
return {
  tested(form(p(m), block, p(n)), waves, {en = "a block of four numbers: four waves", zh = "四个数的小块，给出四个波"}),
  tested(det(matrix(map)), 4*(cos(x) - cos(y))^2, {en = "between two pairs: the determinant of the four equations", zh = "两对之间：四个方程的行列式"}),
  prove(det(matrix(codes)), 4*sin(x)*sin(y)*(cos(x) - cos(y))^2, {caption = {
    en = "two pairs: the determinant of four codes, which is not 0", zh = "两对：四个编码的行列式，不为零"}}),
  fails(prove(det(matrix(codes)), 4*sin(x)*sin(y)*(cos(x) + cos(y))^2), {en = "the same with the cosines added", zh = "换成余弦相加也成立"}),
  prove(commutator, sin(θ)*matrix{{-q_and_r, p_less_s}, {p_less_s, q_and_r}}, {caption = {
    en = "within a pair: RB - BR is made of p - s and q + r", zh = "一对之内：RB - BR 由 p - s 与 q + r 组成"}}),
  fails(prove(commutator, sin(θ)*matrix{{q_and_r, p_less_s}, {p_less_s, q_and_r}}), {en = "the same with a sign lost", zh = "丢一个负号也成立"}),
  named({en = "the 16 equations have rank 12", zh = "16 个方程的秩是 12"}, prove(rat(rank(matrix(equations))), 12)),
  named({en = "a rotation gives the same one step on", zh = "旋转走一步之后不变"}, prove(moves(matrix{{rat(3, 5), rat(-4, 5)}, {rat(4, 5), rat(3, 5)}}, m, n))),
  fails(lopsided, {en = "diag(1, 2) gives the same one step on", zh = "diag(1, 2) 走一步之后不变"}), figures,
}

-- %% [markdown] ref="order" lang="en"
-- ## What is left out
-- Scale both vectors by $\varepsilon$: the linear terms shrink like $\varepsilon$, the quadratic ones like
-- $\varepsilon^2$, and what is left out should shrink like $\varepsilon^3$. A straight line through
-- $\log|r(\varepsilon)|$ against $\log\varepsilon$ has that exponent as its slope. Here $\varepsilon$ is halved seven
-- times; the slope comes with its 95 % interval.
--
-- How far from 3 may it be? Along the line $\varepsilon \mapsto f(X + \varepsilon P)$ the remainder is
-- $c_3\varepsilon^3 + c_4\varepsilon^4 + \dots$, and the laboratory knows both coefficients (`taylor` to order 4). The
-- slope at $\varepsilon$ is $3 + \varepsilon c_4/c_3$ to first order, so the fitted one deviates by at most
-- $\varepsilon_{\max}|c_4/c_3|$; twice that leaves room for the orders beyond. And $r(\varepsilon)/\varepsilon^3$ must
-- approach $c_3$ itself.

-- %% [markdown] ref="order" lang="zh"
-- ## 略去了多少
-- 把两个向量同乘 $\varepsilon$：一次项按 $\varepsilon$ 缩小，二次项按 $\varepsilon^2$ 缩小，略去的部分
-- 应当按 $\varepsilon^3$ 缩小。以 $\log\varepsilon$ 为横轴、$\log|r(\varepsilon)|$ 为纵轴拟合一条直线，
-- 斜率就是这个指数。这里把 $\varepsilon$ 减半七次，斜率连同它的 95 % 区间一并给出。
--
-- 斜率离 3 可以有多远？沿着 $\varepsilon \mapsto f(X + \varepsilon P)$ 这条线，余项是
-- $c_3\varepsilon^3 + c_4\varepsilon^4 + \dots$，两个系数实验室都知道（`taylor` 展开到四阶）。在
-- $\varepsilon$ 处的斜率，一阶近似为 $3 + \varepsilon c_4/c_3$，所以拟合出的斜率最多偏离
-- $\varepsilon_{\max}|c_4/c_3|$；取两倍，给更高阶留出余地。此外 $r(\varepsilon)/\varepsilon^3$ 应当趋
-- 于 $c_3$。

-- %% ref="order" claim="su/taylor"
local from = 2^-4
local r = remainder_order(model, X, here, there, P[here], P[there],
  {from = from, octaves = 7})
print(r)

local way = zeros(T, d)
way[here], way[there] = P[here], P[there]
local c = taylor(model, X, way, 4)
local c3, c4 = c[3], c[4]
print(says{en = "third coefficient %.6f, fourth %.6f", zh = "三阶系数 %.6f，四阶系数 %.6f"}:format(c3, c4))
local last, bend = r.eps(-1), 2 * from * abs(c4 / c3)
local allowed = 2 * last * abs(c4) + 1000 * 2^-53 * abs(model(X)) / last^3
return {
  figure({en = "the fitted order", zh = "拟合的阶"}, r.order, "3.005"), figure({en = "its interval, from", zh = "它的区间，从"}, r.low, "3.002"),
  figure({en = "to", zh = "到"}, r.high, "3.0081"),
  figure({en = "the third coefficient", zh = "三阶系数"}, c3, "-0.40619"), figure({en = "the fourth", zh = "四阶系数"}, c4, "-0.19489"),
  figure({en = "by how much a fourth order may bend it", zh = "四阶项至多使它偏多少"}, bend, "0.059976"),
  figure({en = "how far the remainder over ε³ may be from the third coefficient",
    zh = "余项除以 ε³ 与三阶系数至多差多少"}, allowed, "0.0016756"),
  measure {
    claim = {en = "the fitted order is 3", zh = "拟合的阶是 3"},
    value = r.order - 3, bound = math.min(0.05, bend),
    why = says{en = "a fourth order bends it by eps c4/c3, twice for what is beyond", zh = "四阶项使它偏 eps c4/c3，更高阶的算进去再加倍"},
  },
  measure {
    claim = {en = "the ends of its interval are 3, but for that bend", zh = "区间的两端都是 3，至多差上述偏离"},
    value = array{r.low, r.high} - 3, bound = bend, why = says{en = "as before", zh = "同前"},
  },
  measure {
    claim = {en = "the remainder over ε³ is the third coefficient", zh = "余项除以 ε³ 等于三阶系数"},
    value = r.remainders(-1) / last^3 - abs(c3),
    bound = allowed,
    why = says{en = "eps c4, twice for what is beyond; rounding, 1000 u |f| / eps^3", zh = "eps c4，更高阶的算进去再加倍；舍入 1000 u |f| / eps^3"},
  },
}

-- %% [markdown] ref="diagonal" lang="en"
-- ## A diagonal H, and an index of the source
-- Suppose that $H$ is diagonal. Then each entry is multiplied by one column only:
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\left[H_{2i,2i}\cos m\theta_i\cos n\theta_i + H_{2i+1,2i+1}\sin m\theta_i\sin n\theta_i\right]$$
--
-- In the source this sum runs from $i = 1$ to $d/2$, here and in the two formulas after it. But columns are counted
-- from 0: with $i = d/2$ the sum asks for $H_{d,d}$, which does not exist, and with $i \ge 1$ nothing asks for $H_{0,0}$
-- and $H_{1,1}$. For $d = 4$, with a fifth symbol for the entry that does not exist, the formula as printed is refuted; the corrected
-- one is proved, for $d = 8$ too, and block by block for any number of pairs.

-- %% [markdown] ref="diagonal" lang="zh"
-- ## 对角的 H，和原文的一个下标
-- 设 $H$ 是对角阵，于是每个对角元只与一列相乘：
--
-- $$p_m^\top H p_n = \sum_{i=0}^{d/2-1}\left[H_{2i,2i}\cos m\theta_i\cos n\theta_i + H_{2i+1,2i+1}\sin m\theta_i\sin n\theta_i\right]$$
--
-- 原文中这个和从 $i = 1$ 到 $d/2$，后面两个式子也一样。可是列从 0 数起：$i = d/2$ 时要用到并不存在的
-- $H_{d,d}$，而 $i \ge 1$ 又使 $H_{0,0}$ 和 $H_{1,1}$ 无人问津。取 $d = 4$，给那个不存在的元素也备一个符号：
-- 照原文写的式子被驳倒；改正后得到证明，$d = 8$ 也一样；逐块地看，对多少对都成立。

-- %% ref="diagonal" claim="su/hessian-diagonal"
local m, n = sym "m n"
local function both_sides(d, first, last)
  local theta, h, rows, P, Q = {}, {}, {}, {}, {}
  for c = 0, d do h[c] = sym("h" .. c) end
  for i = 0, d/2 do theta[i] = sym("t" .. i) end
  for c = 0, d - 1 do
    local wave = c % 2 == 0 and cos or sin
    P[c + 1], Q[c + 1] = wave(m * theta[c // 2]), wave(n * theta[c // 2])
    rows[c + 1] = {}
    for e = 0, d - 1 do rows[c + 1][e + 1] = c == e and h[c] or 0 end
  end
  h[d + 1] = h[d] -- the second entry of a pair that does not exist
  local sum = 0
  for i = first, last do
    sum = sum + h[2*i]*cos(m*theta[i])*cos(n*theta[i])
              + h[2*i + 1]*sin(m*theta[i])*sin(n*theta[i])
  end
  return matmul(matmul(matrix(P).T, matrix(rows)), matrix(Q))(1), sum
end
local lhs, rhs = both_sides(4, 0, 1)
-- Any number of pairs: the matrix meets each pair with its own block.
local h, k, θ = sym "h k θ"
local i, N = sym("i", "integer"), sym("N", "natural")
local function over_pairs(f) return sum(f, i, 0, N - 1) end
local function wave(m) return matrix{cos(m*θ[i]), sin(m*θ[i])} end
local block = matrix{{h[i], 0}, {0, k[i]}}
return {
  written = named({en = "d = 4: from i = 1 to 2 the sum is right", zh = "d = 4：从 i = 1 加到 2，等式成立"}, prove(both_sides(4, 1, 2))),
  mended = {
    tested(lhs, rhs, {en = "d = 4: from i = 0 to 1 the sum is right", zh = "d = 4：从 i = 0 加到 1，等式成立"}),
    named({en = "d = 8: from i = 0 to 3 it is right", zh = "d = 8：从 i = 0 加到 3，等式成立"}, prove(both_sides(8, 0, 3))),
    tested(over_pairs(matmul(matmul(wave(m).T, block), wave(n))(1)),
           over_pairs(h[i]*cos(m*θ[i])*cos(n*θ[i]) + k[i]*sin(m*θ[i])*sin(n*θ[i])), {en = "block by block, any number of pairs", zh = "逐块来看，任意多对"}),
    figure({en = "d = 4: the column that i = d/2 asks for", zh = "d = 4 时，i = d/2 要用的列"}, (2 * 4) // 2, "4"),
    figure({en = "d = 4: the last column", zh = "d = 4 时的最后一列"}, 4 - 1, "3"),
  },
}

-- %% [markdown] ref="cancel" lang="en"
-- ## When the sum of the positions drops out
-- With a diagonal $H$ the model can remove the part with $m+n$ by making $h_i = k_i$ in each pair. Must it? Suppose
-- $g(s) = \sum_i c_i\cos(s\theta_i) = 0$ for every sum $s = m + n$, $c_i = (h_i - k_i)/2$. Then $g(s+1) + g(s-1) - 2\cos(\varphi)g(s)$ is 0 too, and
-- since $\cos((s+1)\theta) + \cos((s-1)\theta) = 2\cos\theta\cos s\theta$, it is
--
-- $$\sum_i 2(\cos\theta_i - \cos\varphi)c_i\cos(s\theta_i) = 0$$
--
-- With $\varphi$ the frequency of one pair, that pair is gone, and the others have got a factor. For frequencies between 0 and $\pi$ that differ no
-- factor is zero, since $\cos a - \cos b = -2\sin\frac{a+b}{2}\sin\frac{a-b}{2}$ and neither sine is zero there. Do this once for every pair but
-- one. At $s = 0$ that one is $c_i$ times numbers that are not 0 (and $g(-s) = g(s)$ serves for negative $s$), so $c_i = 0$: the sum drops out *only* if $h_i = k_i$.

-- %% [markdown] ref="cancel" lang="zh"
-- ## 位置之和何时消失
-- $H$ 是对角阵时，模型只要让每对的 $h_i = k_i$，就能去掉含 $m+n$ 的部分。非如此不可吗？设 $g(s) = \sum_i c_i\cos(s\theta_i) = 0$ 对
-- 一切和 $s = m + n$ 成立，其中 $c_i = (h_i - k_i)/2$。那么 $g(s+1) + g(s-1) - 2\cos(\varphi)g(s)$ 也是 0；由
-- $\cos((s+1)\theta) + \cos((s-1)\theta) = 2\cos\theta\cos s\theta$，它就是
--
-- $$\sum_i 2(\cos\theta_i - \cos\varphi)c_i\cos(s\theta_i) = 0$$
--
-- 取 $\varphi$ 为某一对的频率，这一对就消去了，其余各对多了一个因子。各频率互不相同、都在 0 与 $\pi$ 之间时，没有一个因子为零，因为
-- $\cos a - \cos b = -2\sin\frac{a+b}{2}\sin\frac{a-b}{2}$，而两个正弦在那里都不为零。对除一对以外的每一对都做一次，剩下的那一对，
-- 在 $s = 0$ 处是 $c_i$ 乘以一些非零的数（负的 $s$ 用 $g(-s) = g(s)$），于是 $c_i = 0$：*只有* $h_i = k_i$，位置之和才会消失。

-- %% ref="cancel" claim="su/cancel-sum-term"
local a, b, c, s, m, n, h, θ = sym "a b c s m n h θ"
local i, N = sym("i", "integer"), sym("N", "natural")
local rows = {}
for s = 0, 2 do rows[s + 1] = {cos(s*a), cos(s*b), cos(s*c)} end
local vandermonde = (cos(b) - cos(a))*(cos(c) - cos(a))*(cos(c) - cos(b))
return {
  tested(sum(c[i]*(cos((s + 1)*θ[i]) + cos((s - 1)*θ[i]) - 2*cos(a)*cos(s*θ[i])), i, 0, N - 1),
         sum(2*(cos(θ[i]) - cos(a))*c[i]*cos(s*θ[i]), i, 0, N - 1), {en = "one frequency is removed, the others get a factor", zh = "消去一个频率，其余各得一个因子"}),
  fails(prove(sum(h[i]*cos(m*θ[i])*cos(n*θ[i]) + 2*h[i]*sin(m*θ[i])*sin(n*θ[i]), i, 0, N - 1),
              sum(h[i]*cos((m - n)*θ[i]), i, 0, N - 1)), {en = "with k twice h only m - n is left, too", zh = "k 是 h 的两倍时，也只剩 m - n"}),
  tested(det(matrix(rows)), 2*vandermonde, {en = "three pairs: the determinant, 0 only for equal cosines", zh = "三对：行列式，余弦相等时才为零"}),
  tested(cos(a) - cos(b), -2*sin((a + b)/2)*sin((a - b)/2), {en = "the difference of two cosines", zh = "两个余弦之差"}),
  tested(sum(h[i]*cos(m*θ[i])*cos(n*θ[i]) + h[i]*sin(m*θ[i])*sin(n*θ[i]),
             i, 0, N - 1),
         sum(h[i]*cos((m - n)*θ[i]), i, 0, N - 1), {en = "with h = k in each pair only m - n is left", zh = "每对都有 h = k，就只剩 m - n"}),
}

-- %% [markdown] ref="covariance" lang="en"
-- ## Independent components, and the Hessian
-- To see whether $H$ is nearly diagonal, the source looks at the covariance of embeddings, and infers the identity
-- from independent components. That does not follow. Take $f = x_m^\top Mx_n$: its mixed Hessian is $M$,
-- whatever the distribution of the inputs is, as a derivative never asks for one. So inputs may be independent while
-- $M$ is anything, such as the exchange of two components, and as dependent as you like while $M = I$. The covariance is
-- neither sufficient nor necessary, as the author adds himself; looking at $H$ is better, and possible.

-- %% [markdown] ref="covariance" lang="zh"
-- ## 分量独立与海森矩阵
-- 为了看 $H$ 是否近于对角，原作者考察的是嵌入的协方差，想从各分量独立得出单位阵。这推
-- 不出来。取 $f = x_m^\top Mx_n$，它的混合海森矩阵就是 $M$，与输入的分布毫无关系：求导从来不问分布。所
-- 以分量独立时，$M$ 可以是任何矩阵，比如交换两个分量的矩阵；而分量再怎么相关，也可以有 $M = I$。协方差既不充
-- 分也不必要，原作者自己也补充了这一点；不如直接看 $H$，何况做得到。

-- %% ref="covariance" claim="su/covariance-vs-hessian"
local M, x, y = symmatrix("M", 2, 2), symmatrix("x", 2), symmatrix("y", 2)
local function mixed_of(M)
  local f, rows = form(x, M, y), {{}, {}}
  for i = 1, 2 do
    for j = 1, 2 do rows[i][j] = derivative(derivative(f, x(i)), y(j)) end
  end
  return matrix(rows)
end
local identity, exchange = matrix{{1, 0}, {0, 1}}, matrix{{0, 1}, {1, 0}}

-- Four points, equally likely: independent components. Two: one copies the other.
local function covariance(points)
  local c = 0
  for _, z in ipairs(points) do c = c + rat(z[1]*z[2], #points) end
  return c
end
local independent = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
local copied = {{-1, -1}, {1, 1}}
local written_out = M(1, 1)*x(1)*y(1) + M(1, 2)*x(1)*y(2)
                  + M(2, 1)*x(2)*y(1) + M(2, 2)*x(2)*y(2)
return {
  written = named({en = "the mixed derivative is the identity", zh = "混合导数是单位阵"}, prove(mixed_of(M), identity)),
  mended = {
    named({en = "the mixed derivative is M", zh = "混合导数是 M"}, prove(mixed_of(M), M)),
    fails(prove(mixed_of(M), M.T), {en = "it is M transposed", zh = "混合导数是 M 的转置"}), mutants(form(x, M, y), written_out),
    -- independent, and H not diagonal: not sufficient
    named({en = "covariance of independent components is 0", zh = "独立分量的协方差是 0"}, prove(covariance(independent), 0)),
    named({en = "with them, H may be the exchange", zh = "此时 H 可以是交换阵"}, prove(mixed_of(exchange), exchange)),
    -- dependent, and H the identity: not necessary
    named({en = "covariance of copied components is 1", zh = "相同分量的协方差是 1"}, prove(covariance(copied), 1)),
    named({en = "with them, H may be the identity", zh = "此时 H 可以是单位阵"}, prove(mixed_of(identity), identity)),
  },
}

-- %% [markdown] ref="dominance" lang="en"
-- ## If the diagonal dominates, if the relative part does
-- If the diagonal is the main part, says the source, its formulas hold approximately. They do: what is not on the diagonal, $N$, changes
-- $p_m^\top Hp_n$ by no more than $\frac{d}{2}|N|_2$, with $|N|_2$ its largest singular value. But the formula of the diagonal is not yet
-- relative; it is so only where the two entries of a pair are equal, $h_i = k_i$, or nearly. With nothing off the diagonal,
-- $\mathrm{diag}(1, 2)$ in each pair leaves a deviation from relativity (its measure follows) of 0.188, $\mathrm{diag}(1, 5)$ one of 0.453.
--
-- What counts for relativity is another split. Write $H = H_0 + E$ with $H_0$ relative. Then $p_m^\top Hp_n$ differs from a function of $m - n$ by $p_m^\top Ep_n$,
-- and since $|p_m|^2 = d/2$,
--
-- $$|p_m^\top E p_n| \le |E|_2\,|p_m|\,|p_n| = \frac{d}{2}|E|_2$$
--
-- where $|E|_2$ is the largest singular value: a bound for every entry, at every distance. For the whole table
-- $PHP^\top$ of positions the deviation (its distance from the nearest function of $m - n$, as a share of its norm) is at most
-- $|PEP^\top|/|PHP^\top|$. Both are held against 100 random matrices, from almost relative to not at all, and against
-- the $H$ of 20 random attention models. Rounding adds little: no entry of a code exceeds 1, so an entry of the table
-- is off by at most $(2d+2)u|H|_1$, $|H|_1$ the sum of all $|H_{ij}|$.

-- %% [markdown] ref="dominance" lang="zh"
-- ## 若对角线占主导，若相对的部分占主导
-- 原文说，若对角线占了主项，它的公式就近似成立。确实如此：对角线以外的部分 $N$ 给 $p_m^\top Hp_n$ 带来的改变不超过
-- $\frac{d}{2}|N|_2$，$|N|_2$ 是它最大的奇异值。但对角线的公式还不等于相对：只有每对的两个元素相等，$h_i = k_i$，或近于相等，才是相对
-- 的。即使对角线以外什么也没有，每对都是 $\mathrm{diag}(1, 2)$ 时，与相对性的偏差（定义见下）也有 0.188，$\mathrm{diag}(1, 5)$ 时有 0.453。
--
-- 要相对，须换一种拆法：写成 $H = H_0 + E$，其中 $H_0$ 是相对的。于是 $p_m^\top Hp_n$ 与某个 $m - n$ 的函数只差
-- $p_m^\top Ep_n$，又因为 $|p_m|^2 = d/2$，
--
-- $$|p_m^\top E p_n| \le |E|_2\,|p_m|\,|p_n| = \frac{d}{2}|E|_2$$
--
-- 其中 $|E|_2$ 是最大的奇异值：这个界对每一项、每个距离都成立。对整张位置表 $PHP^\top$，偏差就是它
-- 到最近的 $m - n$ 的函数的距离占其范数的比例，不超过 $|PEP^\top|/|PHP^\top|$。下面用 100 个随机矩阵来检验
-- 两者，从几乎相对到毫不相对；再用 20 个随机注意力模型的 $H$ 来检验。舍入的影响很小：编码的元素都不超
-- 过 1，所以表中每项至多差 $(2d+2)u|H|_1$，$|H|_1$ 是所有 $|H_{ij}|$ 之和。

-- %% ref="dominance" claim="su/diagonal-dominance"
local u, rows = 2^-53, 64

-- Both deviations less their bounds; what rounding does to an entry and to the
-- norm; the parts and the share.
local function judged(H)
  local split = hessian_parts(H)
  local E, M = split.unequal + split.rest, table_of(H)
  local share, spread = relativity_deviation(M)
  local entry = (2 * d + 2) * u * sum(abs(H)) -- two products of length d
  return {
    share = share, spread = spread, over_share = share - norm(table_of(E)) / norm(M),
    over_spread = spread - 2 * d/2 * max(svdvals(E)),
    entry = entry, norm = entry * rows / norm(M), parts = split,
  }
end

local function relative_matrix(g)
  local A = zeros(d, d)
  for i = 1, d, 2 do
    local a, b = randn(g), randn(g)
    A[{i, i}], A[{i + 1, i + 1}], A[{i + 1, i}], A[{i, i + 1}] = a, a, b, -b
  end
  return A
end
local function random_matrix(g) -- a relative one, and more or less of another
  return relative_matrix(g) + 10 ^ (-4 * rand(g)) * randn(g, d, d)
end

local function random_model(g)
  local Wq, Wk, Wv, w = weight(g), weight(g), weight(g), randn(g, d)
  local function f(X)
    local Z = X + attention(matmul(X, Wq), matmul(X, Wk), matmul(X, Wv))
    return sum(w * tanh(Z))
  end
  return mixed_hessian(f, randn(g, T, d), 3, 6)
end

print(says{en = "mass that is not relative   deviation   its bound", zh = "不相对的平方和占比            偏差        上界"})
local g = rng(12)
local A, B = relative_matrix(g), randn(g, d, d)
local figures = {}
local function told(text, x, digits) figures[#figures + 1] = figure(text, x, digits) end
for _, row in ipairs {{0.001, "4.4557e-6", "0.0023579", "0.002923"}, {0.01, "0.00043841", "0.023569", "0.029216"}, {0.1, "0.035795", "0.22754", "0.28207"}, {1, "0.44411", "0.82462", "1.0222"}} do
  local e, mass, share, most = table.unpack(row)
  local seen = judged(A + e * B)
  print(("%21.2g %% %12.2g %11.2g"):format(100 * (1 - seen.parts.relative),
    seen.share, seen.share - seen.over_share))
  told({en = ("mass that is not relative, e = %g"):format(e), zh = ("不相对的比例，e = %g"):format(e)}, 1 - seen.parts.relative, mass)
  told({en = ("deviation, e = %g"):format(e), zh = ("偏差，e = %g"):format(e)}, seen.share, share)
  told({en = ("its bound, e = %g"):format(e), zh = ("它的上界，e = %g"):format(e)}, seen.share - seen.over_share, most)
  if e == 1 then
    told({en = "two entries of one distance differ by, e = 1", zh = "同一距离的两个元素相差，e = 1"}, seen.spread, "15.040")
    told({en = "at most, e = 1", zh = "至多相差，e = 1"}, seen.spread - seen.over_spread, "34.748")
    told({en = "e = 1: rounding may change an entry by so many u", zh = "e = 1：舍入可使一个元素改变多少个 u"}, seen.entry * 2^53, "1040.3")
    told({en = "e = 1: and the share by so many", zh = "e = 1：使比例改变多少个 u"}, seen.norm * 2^53, "315.45")
  end
end

local diagonal, relative, share, count, g = 0, 0, 0, 20, rng(11)
for _ = 1, count do
  local seen = judged(random_model(g))
  diagonal = diagonal + seen.parts.diagonal / count
  relative = relative + seen.parts.relative / count
  share = share + seen.share / count
end
print(says{en = "%d random models: on average %.1f %% of the mass is diagonal,", zh = "%d 个随机模型：平均 %.1f %% 的平方和在对角线上，"}
  :format(count, 100 * diagonal))
print(says{en = "%.1f %% relative; the deviation from relativity is %.2f", zh = "%.1f %% 是相对的；与相对性的偏差是 %.2f"}
  :format(100 * relative, share))
told({en = "of random models' mass, on the diagonal", zh = "随机模型的平方和中，对角线所占"}, diagonal, "0.12461")
told({en = "of it, relative", zh = "其中相对的部分"}, relative, "0.13408")
told({en = "the deviation from relativity of random models", zh = "随机模型与相对性的偏差"}, share, "0.81455")

local function both(name, samples, draw)
  local function judge(claim, over, rounding, bound, why)
    return measure {
      claim = {en = ("%s: %s"):format(name.en, claim.en), zh = ("%s：%s"):format(name.zh, claim.zh)}, samples = samples, seed = 7, bound = bound, why = why,
      f = function(g)
        local seen = judged(draw(g))
        if not (4 * seen[rounding] < bound) then return nan end -- not derived then
        return math.max(seen[over], 0)
      end,
    }
  end
  return {
    judge({en = "the table is no farther from relative than its bound", zh = "整张表偏离相对，不超过它的界"}, "over_share", "norm", 1e-12,
      says{en = "an orthogonal projection; rounding checked to be below", zh = "正交投影；已查明舍入在此之下"}),
    judge({en = "two entries of one distance differ by no more than twice the bound of an entry", zh = "同一距离的两个元素之差，不超过一个元素的界的两倍"},
      "over_spread", "entry", 1e-11, says{en = "twice d/2 |E|_2; rounding checked to be below",
      zh = "d/2 |E|_2 的两倍；已查明舍入在此之下"}),
  }
end
-- The source's formula for the diagonal, pair by pair (sine first here): cosines of m-n and of m+n.
local θ = 10000 ^ (-2 * range(0, d // 2 - 1) / d)
local m = reshape(range(0, rows - 1), rows, 1, 1)
local n = reshape(range(0, rows - 1), 1, rows, 1)
local function diagonal_formula(H)
  local h, k = diag(H)[{ {2, d, 2} }], diag(H)[{ {1, d, 2} }] -- of the cosine, of the sine
  return sum((h + k) / 2 * cos((m - n) * θ) + (h - k) / 2 * cos((m + n) * θ), 3)
end
local function off_diagonal(H) return H - diag(diag(H)) end
local function rounding(H) return 2 * (2 * d + 2 + 4 * rows) * u * sum(abs(H)) end -- of table and formula
local function mostly_diagonal(g) return diag(randn(g, d)) + 10 ^ (-4 * rand(g)) * randn(g, d, d) end

local shown = {}
for _, e in ipairs {0, 0.01, 0.03, 0.1, 0.3, 1} do
  local H = eye(d) + e * off_diagonal(B)
  shown[#shown + 1] = {norm(off_diagonal(H))^2 / norm(H)^2, relativity_deviation(table_of(H))}
end
local mass, deviation = {}, {}
for k, pair in ipairs(shown) do mass[k], deviation[k] = pair[1], pair[2] end
told({en = "largest share off the diagonal that is plotted", zh = "图中对角线以外的最大份额"}, mass[#mass], "0.8873")
told({en = "deviation there", zh = "该处的偏差"}, deviation[#deviation], "0.63689")
told({en = "all shares that are plotted, added up", zh = "图中所有份额之和"}, sum(array(mass)), "1.3828")
told({en = "all deviations that are plotted, added up", zh = "图中所有偏差之和"}, sum(array(deviation)), "1.1144")
display(plot(array(mass), array(deviation), {
  xlabel = says{en = "share of H off the diagonal", zh = "H 在对角线以外的份额"}, ylabel = says{en = "deviation", zh = "偏差"},
  title = says{en = "h = k, and more and more off the diagonal", zh = "h = k，对角线以外越来越多"}}))

local function pairs_of(h, k) -- the same block in each pair
  local entries = zeros(d)
  for c = 1, d, 2 do entries[{c}], entries[{c + 1}] = k, h end
  return diag(entries)
end
local near_diagonal, of_near = in_bounds {
  claim = {en = "what is off the diagonal takes no entry farther from the diagonal's formula than its bound",
           zh = "对角线以外的部分使元素偏离对角公式，不超过它的界"}, samples = 100, seed = 8,
  why = says{en = "|p_m'Np_n| <= |N|_2 |p_m| |p_n|; rounding: (2d+2)u|H|_1 for the table, more for the formula", zh = "|p_m'Np_n| <= |N|_2 |p_m| |p_n|；舍入：表 (2d+2)u|H|_1，公式更多"},
  f = function(g)
    local H = mostly_diagonal(g)
    return table_of(H) - diagonal_formula(H), d / 2 * max(svdvals(off_diagonal(H))) + rounding(H)
  end,
}
local function share_of(H) return (relativity_deviation(table_of(H))) end
local one_two = share_of(pairs_of(1, 2))
return {
  both({en = "random matrices", zh = "随机矩阵"}, 100, random_matrix), both({en = "random models", zh = "随机模型"}, 20, random_model),
  near_diagonal, figure({en = "that bound, on average", zh = "这个界，平均"}, of_near, "1.9241"),
  figure({en = "rounding may add so many u to one of them", zh = "舍入可能给其中一个添上多少个 u"}, rounding(mostly_diagonal(rng(8))) * 2^53, "4454.8"),
  figures,
  measure {
    claim = {en = "with nothing off the diagonal the table is the diagonal's formula", zh = "对角线以外全为 0 时，表就是对角公式"}, samples = 20, seed = 9, bound = 1e-11,
    why = says{en = "rounding, as above", zh = "舍入，同上"},
    f = function(g)
      local H = diag(randn(g, d))
      return table_of(H) - diagonal_formula(H)
    end,
  },
  measure {claim = {en = "with a block aI + bJ in each pair the table is relative", zh = "每对都是小块 aI + bJ 时，表是相对的"},
           samples = 20, seed = 10, bound = 1e-11,
           why = says{en = "rounding, as above", zh = "舍入，同上"},
           f = function(g) return (relativity_deviation(table_of(relative_matrix(g)))) end},
  measure {claim = {en = "so it is with nothing off the diagonal and h = k", zh = "对角线以外全为 0 且 h = k 时，也是相对的"}, value = share_of(eye(d)), bound = 1e-13,
           why = says{en = "rounding: (2d+2)u d an entry, of a table whose norm is more than rows", zh = "舍入：每个元素 (2d+2)u d，而表的范数大于行数"}},
  fails(measure {claim = {en = "so it is with diag(1, 2) in each pair", zh = "每对都是 diag(1, 2) 时，也是相对的"},
                 value = one_two, bound = 0.1,
                 why = says{en = "a tenth", zh = "十分之一"}}),
  figure({en = "deviation, diag(1, 2)", zh = "偏差，diag(1, 2)"}, one_two, "0.188"),
  figure({en = "deviation, diag(1, 5)", zh = "偏差，diag(1, 5)"}, share_of(pairs_of(1, 5)), "0.453"),
}

-- %% [markdown] ref="trainable" lang="en"
-- ## Frequencies that are trained
-- Which $\theta_i$? The source's last proposal is to start from $10000^{-2i/d}$ and let training choose. The inner product
-- $S(k) = \sum_i\cos k\theta_i$ has the exact gradient $\partial S/\partial\theta_i = -k\sin k\theta_i$. To see it work, we plant other
-- frequencies and ask gradient descent for them, from the values of $S$ at the distances 1 to 128 alone. For two pairs that is enough. Of four, the
-- slowest turns too little in 128 steps: the loss is almost flat at its lowest point (least curvature 3.5; 5569 for two pairs).
-- With distances up to 2048 it is steep, and descent finds all four.
--
-- The loss is $L(\theta) = \frac{1}{128}\sum_k(S_\theta(k) - S_*(k))^2$. Near the planted frequencies it is a bowl: with each $\theta_i$ off by
-- at most 1/512, the least eigenvalue of its exact Hessian stays positive. So descent with a step below 2 over the largest must arrive, and
-- where it stops, the error is at most the gradient's norm over the least eigenvalue. Farther off it is no bowl. The cosine does not see a
-- sign, and the sum sees no order, so there are $2^n n!$ solutions for $n$ pairs, with saddles and local minima between them. (Each comes once
-- more at every multiple of $2\pi$, since only whole distances are looked at.)

-- %% [markdown] ref="trainable" lang="zh"
-- ## 可训练的频率
-- $\theta_i$ 取多少？原文最后的提议是：从 $10000^{-2i/d}$ 出发，让训练去选。内积
-- $S(k) = \sum_i\cos k\theta_i$ 有精确的梯度 $\partial S/\partial\theta_i = -k\sin k\theta_i$。为了看
-- 看这是否奏效，我们先埋下另一组频率，只给出距离 1 到 128 处 $S$ 的值，让梯度下降去把它们找回来。两对时这就够了；四对时，
-- 最慢的一对在 128 步里转得太少，损失在最低处几乎是平的（最小曲率 3.5，两对时是 5569）；距离取到 2048，它就陡了，四个频率都能找到。
--
-- 损失是 $L(\theta) = \frac{1}{128}\sum_k(S_\theta(k) - S_*(k))^2$。在埋下的频率附近，它像一只碗：每个
-- $\theta_i$ 偏离不超过 1/512 时，精确海森矩阵的最小特征值始终为正，于是步长小于 2 除以最大特征值的下
-- 降必定走到底，停下处的误差不超过梯度的范数除以最小特征值。再远就不是碗了：余弦不分正负，求和不分先后，
-- $n$ 对频率就有 $2^n n!$ 个解（而且加上 $2\pi$ 的任何倍数又是解，因为只看整数距离），中间隔着鞍点和局部极小。

-- %% ref="trainable" claim="su/trainable-theta"
-- n pairs, of which others are planted near by, and what is seen of them at the distances 1 to K.
local function planting(K, n)
  local k = reshape(range(1, K), K, 1)
  local function products(θ) return sum(cos(k * θ), 2) end -- S(1), ..., S(K)
  local usual = 10000 ^ (-2 * range(0, n - 1) / (2 * n))
  local function near(θ, g) return θ + (2 * rand(g, n) - 1) / (4 * K) end
  local planted = near(usual, rng(3))
  local seen = products(planted)
  local function loss(θ)
    local e = products(θ) - seen
    return mean(e * e)
  end
  local curvature = eigh(hessian(loss)(planted))
  local least, most = curvature(1), curvature(n)
  -- No third derivative of the loss exceeds this, since |S - S*| is at most 2n.
  local third = 2 / K * sum(range(1, K) ^ 3) * (3 + 2 * n)
  local reach = least / (2 * n^3 * third) -- within it no curvature changes by more than half
  local function arrived(claim, θ, report)
    return measure {
      claim = claim, value = where(le(abs(θ - planted), reach), θ - planted, nan), -- farther off the bound says nothing
      bound = 2 * report.gradient_norm / least,
      why = says{en = "2 |gradient| / least curvature, which changes by less than half so near", zh = "2 |梯度| / 最小曲率；离得这么近，曲率变化不到一半"},
    }
  end
  local function bowl(claim)
    return measure {
      claim = claim, samples = 100, seed = 1, bound = 0,
      f = function(g) return maximum(-eigh(hessian(loss)(near(planted, g))), 0) end,
      why = says{en = "the least curvature must not be negative", zh = "最小曲率不能是负的"},
    }
  end
  local function descend(θ) return gradient_descent(loss, θ, {rate = 1 / most, tolerance = 1e-13 * least}) end
  return {k = k, products = products, usual = usual, planted = planted, least = least, most = most, third = third, reach = reach,
          arrived = arrived, bowl = bowl, descend = descend}
end
local K = 128
local p, four = planting(K, 2), planting(2048, 4)
local k, products, usual, planted, arrived, descend = p.k, p.products, p.usual, p.planted, p.arrived, p.descend
local found, report = descend(usual)
local found_four, report_four = four.descend(four.usual)
print(says{en = "gradient descent: loss %.3g, norm of the gradient %.2g", zh = "梯度下降：损失 %.3g，梯度的范数 %.2g"}
  :format(report.value, report.gradient_norm))
print(says{en = "planted %.9f, %.9f", zh = "埋下 %.9f, %.9f"}:format(planted(1), planted(2)))
print(says{en = "found   %.9f, %.9f", zh = "找到 %.9f, %.9f"}:format(found(1), found(2)))
local mirrored, again = descend(-flip(usual))
local lost, stuck = descend(array{0.5, 0.3})
print(says{en = "from 0.5, 0.3 it ends at %.4f, %.4f, where the loss is %.2g", zh = "从 0.5, 0.3 出发，停在 %.4f, %.4f，损失是 %.2g"}
  :format(lost(1), lost(2), stuck.value))

local allowed, ω, q = 8 * K * 2^-53, sym "ω q"
return {
  named({en = "of any pair: the derivative of cos qω by ω is -q sin qω", zh = "任何一对：cos qω 对 ω 的导数是 -q sin qω"}, prove(derivative(cos(q * ω), ω), -q * sin(q * ω))),
  measure {
    claim = {en = "the gradient of S(k) is -k sin kθ", zh = "S(k) 的梯度是 -k sin kθ"},
    value = jacobian(products)(usual) + k * sin(k * usual), bound = allowed,
    why = says{en = "k times a sine: three roundings on each side, an angle rounded once", zh = "k 乘一个正弦：每边三次舍入，角舍入一次"},
  },
  p.bowl({en = "the loss is a bowl while no frequency is off by more than 1/512", zh = "各频率偏离不超过 1/512 时，损失是一只碗"}),
  four.bowl({en = "four pairs, distances to 2048: it is a bowl within 1/8192", zh = "四对、距离到 2048：偏离不超过 1/8192 时是一只碗"}),
  figure({en = "planted, the first", zh = "埋下的第一个"}, planted(1), "0.99825"), figure({en = "planted, the second", zh = "埋下的第二个"}, planted(2), "0.010578"),
  figure({en = "found, the first", zh = "找到的第一个"}, found(1), "0.99825"), figure({en = "found, the second", zh = "找到的第二个"}, found(2), "0.010578"),
  figure({en = "from 0.5, 0.3 the first ends at", zh = "从 0.5, 0.3 出发，第一个停在"}, lost(1), "0.49786"),
  figure({en = "the second at", zh = "第二个停在"}, lost(2), "0.31272"),
  figure({en = "the loss there", zh = "该处的损失"}, stuck.value, "2.0132"),
  figure({en = "rounding may change the gradient by so many u", zh = "舍入可使梯度改变多少个 u"}, allowed * 2^53, "1024"),
  figure({en = "what no third derivative exceeds", zh = "三阶导数的上界"}, p.third, "7455168"),
  figure({en = "the same of four pairs, distances to 2048", zh = "四对、距离到 2048 时的上界"}, four.third, "47290788864"),
  figure({en = "how near the least curvature changes by less than half", zh = "多近时最小曲率变化不到一半"}, p.reach, "4.6684e-5"),
  figure({en = "the same of four pairs", zh = "四对时的同一距离"}, four.reach, "2.27258e-7"),
  figure({en = "the least curvature", zh = "最小曲率"}, p.least, "5568.585"),
  figure({en = "the largest curvature", zh = "最大曲率"}, p.most, "7813.533"),
  figure({en = "the least curvature of four pairs, distances to 128", zh = "四对、距离到 128 时的最小曲率"}, planting(128, 4).least, "3.51601"),
  figure({en = "the same, distances to 2048", zh = "距离到 2048 时"}, four.least, "1375643.2"),
  arrived({en = "the planted frequencies are found", zh = "找到了埋下的频率"}, found, report),
  arrived({en = "they are found from the negative ones in the other order, too", zh = "从符号和次序都相反的频率出发，也能找到"}, flip(-mirrored), again),
  four.arrived({en = "so are four planted frequencies", zh = "四个频率也找到了"}, found_four, report_four),
}
