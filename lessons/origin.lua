-- Where sinusoidal positions come from: an expansion in the position vectors, one wish, and the solution of its equation.
-- Cells run in order, in one environment. A cell with claim="…" returns its verdicts.

-- %% [markdown] ref="intro" lang="en"
-- # Where sinusoids come from
-- The paper that introduced the sinusoidal code (Vaswani and others, 2017) gives it in two lines, with hardly a reason. How could one have found
-- it? We follow Su Jianlin's derivation of 2021. It starts from a wish: the *score* of two places, which is the inner product of their codes, should
-- depend only on their *distance*. Below are three attempts; each picture shows the scores of the places 0 to 11 with one another.
--
-- *Predict:* what must such a picture look like when the wish is fulfilled? Which of the three fulfils it?

-- %% [markdown] ref="intro" lang="zh"
-- # 正弦从何而来
-- 提出正弦编码的论文（Vaswani 等人，2017）只用两行写下它，几乎没有说为什么。这样的编码怎么才能想得出来？这一课跟着苏剑林 2021 年的推导走。
-- 先提一个要求：两个位置的*打分*，也就是两个编码的内积，应当只依赖它们的*距离*。下面是三次尝试，每幅图是位置 0 到 11 两两之间的打分。
--
-- *先猜一猜*：要求若满足了，图应当是什么样子？三幅里哪一幅满足？

-- %% ref="intro"
local place, g = range(0, 11), rng(4)
local function scores(codes) return matmul(codes, codes.T) end
local one = reshape(place, 12, 1)
local drawn = randn(g, 12, 8)
local turned = stack({cos(place / 2), sin(place / 2)}, 2)
return panels {
  heatmap(scores(one), {title = says{en = "1: the number", zh = "1：编号"}, y = {0, 11}}),
  heatmap(scores(drawn), {title = says{en = "2: random", zh = "2：随机"}, y = {0, 11}}),
  heatmap(scores(turned), {title = says{en = "3: on a circle", zh = "3：圆上的点"}, y = {0, 11}}),
}

-- %% [markdown] ref="growth" lang="en"
-- ## First attempt: the number itself
-- The simplest code of place $m$ is the number $m$. The score of two places is then the product $mn$. Now move both places on by `j`: the distance
-- stays the same. By how much does the product grow? Set `growth` to it, for your numbers.

-- %% [markdown] ref="growth" lang="zh"
-- ## 第一次尝试：就用编号
-- 位置 $m$ 最简单的编码就是数 $m$，两个位置的打分就是乘积 $mn$。现在把两个位置都往后平移 `j`：距离不变。
-- 乘积增加了多少？按你的数算出来，赋给
-- `growth`。

-- %% role="exercise" ref="growth" points=1 variants=6
m = ({7, 9, 12, 5, 20, 8})[variant]
n = ({4, 2, 10, 3, 17, 1})[variant]
j = ({3, 5, 2, 10, 4, 6})[variant]
--- BEGIN SOLUTION
growth = (m + j) * (n + j) - m * n
--- END SOLUTION

-- %% role="hint" ref="growth" lang="en"
-- The places become $m + j$ and $n + j$. Multiply, and subtract the old product.
-- %% role="hint" ref="growth" lang="zh"
-- 两个位置变成 $m + j$ 与 $n + j$。乘起来，再减去原来的乘积。

-- %% role="hint" ref="growth" lang="en"
-- $(m + j)(n + j) - mn$: multiply out if you like.
-- %% role="hint" ref="growth" lang="zh"
-- $(m + j)(n + j) - mn$，也可以先展开。

-- %% role="check" ref="growth"
local m, n, j = ({7, 9, 12, 5, 20, 8})[variant], ({4, 2, 10, 3, 17, 1})[variant], ({3, 5, 2, 10, 4, 6})[variant]
feedback(type(growth) == "number", {en = "`growth` must be a number.", zh = "`growth` 要是一个数。"})
feedback(growth ~= 0, {
  en = "The distance does not grow, but the product does: that is why this attempt fails.",
  zh = "距离没有变，乘积却变了：这次尝试失败就在这里。",
})
feedback(growth ~= j * j, {
  en = "Both factors grow, so beside j times j there are m times j and n times j.",
  zh = "两个因子都变大了，除了 j 乘 j，还有 m 乘 j 和 n 乘 j。",
})
feedback(growth ~= (m + j) * (n + j), {
  en = "That is the new product. Asked is by how much it grew.",
  zh = "这是新的乘积。问的是增加了多少。",
})
feedback(same(growth, j * (m + n + j), {what = "growth"}))

-- %% role="wrong" ref="growth" expect="why this attempt fails"
growth = 0

-- %% role="wrong" ref="growth" expect="m times j"
growth = ({9, 25, 4, 100, 16, 36})[variant]

-- %% [markdown] ref="scalar" lang="en"
-- ## Why one number fails
-- The wish is an equation for the code $p_m$, with some function $g$:
--
-- $$\langle p_m, p_n\rangle = g(m-n)$$
--
-- Along a diagonal of the picture the distance is the same, so each diagonal must have one colour. Only picture 3 is like that. In picture 1 the product
-- is $mn$, and moving both places on by $j$ makes it grow by $j(m+n+j)$.
--
-- One number is enough to *tell positions apart*, as Su answers a reader. But what comes late gets large scores for no other reason than that: among
-- eight places they run up to 49. Seen from the last place, the softmax then gives that place nearly everything.

-- %% [markdown] ref="scalar" lang="zh"
-- ## 一个数为什么不行
-- 要求就是关于编码 $p_m$ 的方程，其中 $g$ 是某个函数：
--
-- $$\langle p_m, p_n\rangle = g(m-n)$$
--
-- 沿着图的一条对角线，距离不变，所以每条对角线都应当是同一种颜色。只有图 3 是这样。图 1 里内积是 $mn$，两个位置都平移 $j$，就增加 $j(m+n+j)$。
--
-- 只求*分清位置*，一个数够了，苏剑林就是这样回答读者的。可是排在后面的位置，单凭靠后就得到高分：八个位置，打分就高到 49，
-- 从最后一个位置看，softmax 几乎把全部权重都给了它自己。

-- %% ref="scalar" claim="su/one-scalar"
-- A proof, and what became of the spoiled versions of its statement.
function tested(lhs, rhs, caption) return {prove(lhs, rhs, {caption = caption}), mutants(lhs, rhs)} end

local place = reshape(range(0, 7), 8, 1)
local share = attention_weights(place, place, {scale = 1})
print(says{en = "weight of the last place, seen from place 7: %.5f", zh = "最后一个位置的权重，从位置 7 看：%.5f"}:format(share(8, 8)))
print(says{en = "seen from place 1: %.3f, from place 0: %.3f", zh = "从位置 1 看：%.3f，从位置 0 看：%.3f"}
  :format(share(2, 8), share(1, 8)))

local m, n, j = sym("m n j", "positive")
local function p(m) return m end
return {
  fails(prove(p(m), p(n)), {en = "two places have one number", zh = "两个位置的数相同"}),
  tested(p(m + j) * p(n + j) - p(m) * p(n), j * (m + n + j), {en = "moving both places changes the product", zh = "两个位置一起平移，内积就变"}),
  prove(gt(j * (m + n + j), 0), {caption = {en = "and it always grows", zh = "而且总是变大"}}),
  figure({en = "weight of the last place, seen from place 7", zh = "最后一个位置的权重，从位置 7 看"}, share(8, 8), "0.99909"),
  figure({en = "seen from place 1", zh = "从位置 1 看"}, share(2, 8), "0.63233"), figure({en = "seen from place 0", zh = "从位置 0 看"}, share(1, 8), "0.125"),
}

-- %% [markdown] ref="one-hot" lang="en"
-- ## Second attempt: a column for each place
-- Give place $m$ the vector with a single 1 in column $m$ (a *one-hot* vector). *Predict:* does the score depend on the distance only? What is wrong
-- with it all the same? Run the step and look at distances 1 and 5.

-- %% [markdown] ref="one-hot" lang="zh"
-- ## 第二次尝试：每个位置占一列
-- 给位置 $m$ 一个独热（one-hot）向量，只有第 $m$ 列是 1。*先猜一猜*：打分是不是只依赖距离？即便如此，毛病又在哪里？运行这一步，
-- 看看距离 1 和距离 5。

-- %% ref="one-hot"
local codes = eye(6) -- row m is the code of place m - 1
local function score(m, n) return dot(codes[m + 1], codes[n + 1]) end
for _, pair in ipairs {{0, 0}, {3, 3}, {0, 1}, {3, 4}, {0, 5}} do
  print(says{en = "places %d and %d: %.0f", zh = "位置 %d 与 %d：%.0f"}:format(pair[1], pair[2], score(pair[1], pair[2])))
end

-- %% [markdown] ref="complex" lang="en"
-- ## Third attempt: two numbers
-- The one-hot score is a function of the distance, but the poorest one: 1 at distance 0, else 0. A neighbour is no nearer than a far place, and each
-- further place needs a column of its own. (Random vectors, picture 2, do nearly the same, and not even exactly.)
--
-- What turns two places into their *difference*? Powers almost do: $z^mz^n = z^{m+n}$ makes the sum, and with one factor inverted
-- $z^mz^{-n} = z^{m-n}$ makes the difference. For a complex number of length 1 the inverse is the conjugate. And the inner product does conjugate one
-- factor, once a vector $(a, b)$ of two numbers is read as $a + bi$:
--
-- $$ac + bd = \mathrm{Re}[(a+bi)(c-di)]$$
--
-- So $\langle p_m, p_n\rangle = \mathrm{Re}[p_m\bar{p}_n]$, with a bar for the conjugate. In polar form, with lengths $r$ and $s$ and angles $\varphi$
-- and $\psi$, it is $rs\cos(\varphi-\psi)$: lengths multiply, angles *subtract*. That is what the wish needs.

-- %% [markdown] ref="complex" lang="zh"
-- ## 第三次尝试：两个数
-- 独热向量的打分确实是距离的函数，却是最贫乏的一种：距离 0 处是 1，别处都是 0。相邻的位置并不比远处的更近，而且每多一个位置就要多一列。
-- （图 2 的随机向量也差不多，而且连这一点都只是近似。）
--
-- 怎样才能由两个位置得到它们的*差*？幂几乎就能做到：$z^mz^n = z^{m+n}$ 得到的是和；把其中一个因子取倒数，$z^mz^{-n} = z^{m-n}$ 就是差。
-- 长度为 1 的复数，倒数就是共轭。而内积恰好会给一个因子取共轭，只要把两个数组成的向量 $(a, b)$ 看作 $a + bi$：
--
-- $$ac + bd = \mathrm{Re}[(a+bi)(c-di)]$$
--
-- 即 $\langle p_m, p_n\rangle = \mathrm{Re}[p_m\bar{p}_n]$，上面加一横表示共轭。写成极坐标，长度记作 $r$、$s$，角记作 $\varphi$、$\psi$，
-- 就是 $rs\cos(\varphi-\psi)$：长度相乘，角度*相减*，正是我们要的。

-- %% ref="complex" claim="su/inner-as-real-part"
local a, b, c, d = sym "a b c d"
local r, s, φ, ψ = sym "r s φ ψ"
return {
  tested(a * c + b * d, re((a + b * I) * conj(c + d * I)), {en = "the inner product is a real part", zh = "内积是一个实部"}),
  tested(re(r * cis(φ) * conj(s * cis(ψ))), r * s * cos(φ - ψ), {en = "lengths multiply, angles subtract", zh = "长度相乘，角度相减"}),
}

-- %% [markdown] ref="polar" lang="en"
-- ## Solving the equation
-- Ask for a little more: that the whole complex product be a function of the distance, $p_m\bar{p}_n = q_{m-n}$. With $p_m = r_me^{i\varphi_m}$ this
-- becomes two equations,
--
-- $$r_mr_n = R_{m-n}, \quad \varphi_m - \varphi_n = \Phi_{m-n}$$
--
-- The first says that all lengths are equal; let them be 1. The second says that the angle grows by the same step $\theta$ from place to place. So
--
-- $$p_m = e^{im\theta}$$
--
-- > **The steps of the proof**
-- > The first: $n = m$ gives $r_m^2 = R_0$. The second: $n = 0$ gives $\Phi_m = \varphi_m - \varphi_0$; count angles from $\varphi_0 = 0$, and it
-- > reads $\varphi_m - \varphi_n = \varphi_{m-n}$. With $n = m-1$ each angle is the last one and $\varphi_1$ more, so $\varphi_m = m\theta$ where
-- > $\theta = \varphi_1$, by induction. Are there other solutions? For positions 0 to 64 these are 2145 equations in 65 unknowns, of exact rank
-- > 64: only one number is free, $\theta$, so there are none.
--
-- > **Three warnings**
-- > Angles count only up to full turns: at whole positions $\theta$ and $\theta + 2\pi$ are the same code. By the real part alone, $\theta$ and
-- > $2\pi - \theta$ cannot be told apart either. Last, we asked for more than was needed: the vectors $(1, (-1)^m)$ have the inner product
-- > $1 + (-1)^{m-n}$, a function of the distance, while the imaginary part of their complex product is $-2(-1)^m$ for neighbours, which depends on
-- > the place.

-- %% [markdown] ref="polar" lang="zh"
-- ## 解方程
-- 把要求稍稍提高一点：让整个复数乘积都是距离的函数，$p_m\bar{p}_n = q_{m-n}$。设 $p_m = r_me^{i\varphi_m}$，它就分成两个方程：
--
-- $$r_mr_n = R_{m-n}, \quad \varphi_m - \varphi_n = \Phi_{m-n}$$
--
-- 第一个说，长度全都相同，不妨取 1；第二个说，每往后一个位置，角都增加同样的 $\theta$。于是
--
-- $$p_m = e^{im\theta}$$
--
-- > **证明的步骤**
-- > 先看第一个：令 $n = m$ 得 $r_m^2 = R_0$。再看第二个：令 $n = 0$ 得 $\Phi_m = \varphi_m - \varphi_0$；从 $\varphi_0 = 0$ 起算，就成了
-- > $\varphi_m - \varphi_n = \varphi_{m-n}$。令 $n = m-1$，每个角都比前一个多 $\varphi_1$，由归纳法 $\varphi_m = m\theta$，其中 $\theta = \varphi_1$。
-- > 还有别的解吗？位置取 0 到 64，共有 2145 个方程、65 个未知数，精确算出的秩是 64：自由的数只有 $\theta$ 一个，所以没有了。
--
-- > **三点注意**
-- > 角只能确定到相差整圈：在整数位置上，$\theta$ 与 $\theta + 2\pi$ 是同一个编码。若只看实部，$\theta$ 与 $2\pi - \theta$ 也分不出来。最后，
-- > 我们要求的比需要的多：向量 $(1, (-1)^m)$ 的内积是 $1 + (-1)^{m-n}$，确是距离的函数，而相邻两个的复数乘积，虚部是 $-2(-1)^m$，与位置有关。

-- %% ref="polar" claim="su/polar-solution"
-- The equations φ_m - φ_n - φ_{m-n} = 0, 0 <= n <= m <= N, as rows of coefficients.
local function equations(N)
  local rows = {}
  for m = 0, N do
    for n = 0, m do
      local row = {}
      for k = 1, N + 1 do row[k] = 0 end
      for _, term in ipairs {{m, 1}, {n, -1}, {m - n, -1}} do
        row[term[1] + 1] = row[term[1] + 1] + term[2]
      end
      rows[#rows + 1] = row
    end
  end
  return matrix(rows)
end
local N = 64
local A = equations(N)
print(says{en = "%d equations, %d unknowns, rank %d", zh = "%d 个方程，%d 个未知数，秩 %d"}:format(A.rows, A.cols, rank(A)))
local steps = {}
for m = 0, N do steps[m + 1] = m end

local φ, θ, radius = sym "φ", sym "θ", sym("r", "positive")
local m, n = sym("m n", "integer")
-- (1, (-1)^m), and the two parts of its complex products
local function p(m) return matrix{1, (-1)^m} end
local function real(m, n) return matmul(p(m).T, p(n))(1) end
local function imaginary(m, n) return p(m)(2) * p(n)(1) - p(m)(1) * p(n)(2) end
return {
  tested(re(cis(m * θ) * conj(cis(n * θ))), cos((m - n) * θ), {en = "this code solves the equation", zh = "这个编码满足方程"}),
  -- r_m^2 = R_0 for every m, and r_m > 0: so r_m is the root of R_0, a constant
  named({en = "r_m is the root of r_m^2 = R_0", zh = "r_m 是 r_m^2 = R_0 的平方根"}, prove(sqrt(radius^2), radius)),
  named({en = "by induction: the angle at m is m steps", zh = "由归纳法，m 处的角是 m 步"},
    induct(eq(φ[m], m * θ), m, 0, {eq(φ[m + 1], φ[m] + θ), eq(φ[0], 0)})), -- θ is φ_1
  named({en = "the only solutions are multiples of 0, 1, …, 64", zh = "解只有 0, 1, …, 64 的倍数"}, prove(null_space(A) * N, matrix(steps))),
  tested(cis(m * (θ + 2 * Pi)), cis(m * θ), {en = "a full turn more per step: the same code", zh = "每步多转一整圈，编码相同"}),
  tested(cos(m * (2 * Pi - θ)), cos(m * θ), {en = "by the real part, θ and 2π - θ look alike", zh = "只看实部，θ 与 2π - θ 一样"}),
  tested(real(m, n), 1 + (-1)^(m - n), {en = "(1, (-1)^m): the inner product is relative", zh = "(1, (-1)^m) 的内积只依赖距离"}),
  tested(imaginary(m + 1, m), -2 * (-1)^m, {en = "(1, (-1)^m): the imaginary part depends on the place", zh = "(1, (-1)^m) 的虚部与位置有关"}),
}

-- %% [markdown] ref="ex-three" lang="en"
-- ## Exercise: a pair with a larger amplitude
-- Find a code of two numbers with $\langle p_m, p_n\rangle = 3\cos((m-n)\theta)$. Write it as `louder(m, θ)`, a column `matrix{a, b}` of two
-- formulas.

-- %% [markdown] ref="ex-three" lang="zh"
-- ## 练习：振幅更大的一对
-- 找一个由两个数组成的编码，使 $\langle p_m, p_n\rangle = 3\cos((m-n)\theta)$。写成函数 `louder(m, θ)`，返回两个公式的列
-- `matrix{a, b}`。

-- %% role="exercise" ref="ex-three" points=1
function louder(m, θ)
  --- BEGIN SOLUTION
  return matrix{sqrt(rat(3)) * cos(m * θ), sqrt(rat(3)) * sin(m * θ)}
  --- END SOLUTION
end

-- %% role="hint" ref="ex-three" lang="en"
-- What is the inner product of $r(\cos m\theta, \sin m\theta)$ with itself at another place?
-- %% role="hint" ref="ex-three" lang="zh"
-- $r(\cos m\theta, \sin m\theta)$ 与它在另一处的值，内积是多少？

-- %% role="hint" ref="ex-three" lang="en"
-- The length occurs twice, so $r^2 = 3$. Write the root exactly, `sqrt(rat(3))`.
-- %% role="hint" ref="ex-three" lang="zh"
-- 长度出现两次，所以 $r^2 = 3$。根号要写成精确的 `sqrt(rat(3))`。

-- %% role="check" ref="ex-three"
local m, n, θ = sym "m n θ"
local p, r = louder(m, θ), louder(n, θ)
feedback(type(p) == "table" and pcall(function() return p.rows * p.cols end) and p.rows == 2 and p.cols == 1, {
  en = "`louder` must return a column of two formulas, matrix{a, b}.",
  zh = "`louder` 要返回两个公式的列，matrix{a, b}。",
})
local product = matmul(p.T, r)(1, 1)
feedback(not same(product, 9 * cos((m - n) * θ)), {
  en = "The product is 9 cos((m-n)θ): each of the two codes brings the factor in.",
  zh = "内积成了 9 cos((m-n)θ)：两个编码各带进一个因子。",
})
feedback(not same(product, cos((m - n) * θ)), {
  en = "The product is cos((m-n)θ), without the 3: the vectors are too short.",
  zh = "内积是 cos((m-n)θ)，没有 3：向量太短了。",
})
feedback(same(product, 3 * cos((m - n) * θ), {what = {en = "The inner product", zh = "内积"}}))

-- %% role="wrong" ref="ex-three" expect="each of the two codes"
function louder(m, θ) return matrix{3 * cos(m * θ), 3 * sin(m * θ)} end

-- %% role="wrong" ref="ex-three" expect="too short"
function louder(m, θ) return matrix{sin(m * θ), cos(m * θ)} end

-- %% [markdown] ref="circle" lang="en"
-- ## The picture
-- The positions 0 to 11 on the unit circle, $\theta = 1/2$: equal steps along it. *Predict:* which inner product is larger, that of positions 2 and 5, or
-- that of 8 and 11? (It is the cosine of the angle between the two.) Run the step and count the steps on each arc.

-- %% [markdown] ref="circle" lang="zh"
-- ## 画出来看
-- 位置 0 到 11 落在单位圆上，$\theta = 1/2$：沿圆周等距前进。*先猜一猜*：位置 2 与 5 的内积，和 8 与 11 的内积，哪个大？
-- （内积就是夹角的余弦。）运行这一步，数一数两段弧各有几步。

-- %% ref="circle"
return circle(range(0, 11) / 2, {title = says{en = "positions 0 … 11, $\\theta = 1/2$", zh = "位置 0 … 11，$\\theta = 1/2$"}})

-- %% [markdown] ref="vector" lang="en"
-- ## One number or a matrix?
-- Both arcs are three steps long, so the two inner products are equal.
--
-- How can $e^{im\theta}$ and the column $(\cos m\theta, \sin m\theta)$ be the same, and where does the rotation matrix come in? A plane vector
-- $(q_0, q_1)$ stands for $q_0 + iq_1$, which is its product with the row $(1, i)$. Rotating the vector by $m\theta$ multiplies the number by
-- $e^{im\theta}$:
--
-- $$(1, i)\begin{pmatrix}\cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta\end{pmatrix}\begin{pmatrix}q_0 \\ q_1\end{pmatrix} = e^{im\theta}(q_0+iq_1)$$
--
-- For $q = (1, 0)$ that is the code itself. Remember this line: the lesson `rope` puts a query in the place of $q$.

-- %% [markdown] ref="vector" lang="zh"
-- ## 一个数，还是一个矩阵？
-- 两段弧都是三步，所以两个内积相等。
--
-- $e^{im\theta}$ 与列向量 $(\cos m\theta, \sin m\theta)$ 怎么会是一回事，旋转矩阵又从哪里来？平面向量 $(q_0, q_1)$ 代表 $q_0 + iq_1$，也就是它与行向量
-- $(1, i)$ 的乘积。把向量旋转 $m\theta$，就是让这个数乘以 $e^{im\theta}$：
--
-- $$(1, i)\begin{pmatrix}\cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta\end{pmatrix}\begin{pmatrix}q_0 \\ q_1\end{pmatrix} = e^{im\theta}(q_0+iq_1)$$
--
-- 取 $q = (1, 0)$，得到的就是编码本身。请记住这一行：`rope` 一课会把 $q$ 换成查询。

-- %% ref="vector" claim="su/complex-as-vector"
local m, θ, q0, q1 = sym "m θ q0 q1"
local R = matrix{{cos(m * θ), -sin(m * θ)}, {sin(m * θ), cos(m * θ)}}
local function number(v) return matmul(matrix{{1, I}}, v)(1, 1) end
return {
  tested(number(matmul(R, matrix{q0, q1})), cis(m * θ) * (q0 + I * q1), {en = "rotating multiplies the number", zh = "旋转就是乘一个数"}),
  prove(matmul(R, matrix{1, 0}), matrix{cos(m * θ), sin(m * θ)}, {caption = {en = "turning (1, 0) gives the code", zh = "旋转 (1, 0) 得到编码"}}),
}

-- %% [markdown] ref="blocks" lang="en"
-- ## Longer codes
-- Inner products add up. Put several solutions below each other, each pair with a frequency $\theta_i$ of its own, and their inner products,
-- functions of $m-n$ all of them, add up to one:
--
-- $$\langle p_m, p_n\rangle = \sum_{i=0}^{d/2-1}\cos((m-n)\theta_i)$$
--
-- This is proved for any number of pairs, by the general summand; the frequencies are free. With $\theta_i = 10000^{-2i/d}$ it is the sinusoidal
-- code, apart from the order of sine and cosine. Nothing so far asks for these frequencies: that is the subject of `decay`.

-- %% [markdown] ref="blocks" lang="zh"
-- ## 更长的编码
-- 内积可以相加。把几个解上下叠起来，每对各有频率 $\theta_i$；它们的内积都是 $m-n$ 的函数，加起来也是：
--
-- $$\langle p_m, p_n\rangle = \sum_{i=0}^{d/2-1}\cos((m-n)\theta_i)$$
--
-- 这里用一般项证明，多少对都行，频率任意。取 $\theta_i = 10000^{-2i/d}$，除了正弦余弦的先后，就是正弦编码。到现在为
-- 止，还没有什么非要这些频率不可，那是 `decay` 一课的内容。

-- %% ref="blocks" claim="su/superposition"
local m, n, j, θ = sym "m n j θ"
local i, N = sym("i", "integer"), sym("N", "natural")
local function product(m, n)
  return sum(cos(m * θ[i]) * cos(n * θ[i]) + sin(m * θ[i]) * sin(n * θ[i]), i, 0, N - 1)
end
return {
  tested(product(m, n), sum(cos((m - n) * θ[i]), i, 0, N - 1), {en = "any number of pairs: a sum of cosines", zh = "任意多对：余弦之和"}),
  tested(product(m + j, n + j), product(m, n), {en = "moving both places changes nothing", zh = "两个位置一起平移，内积不变"}),
}

-- %% [markdown] ref="ex-shared" lang="en"
-- ## Exercise: something in common
-- Find a code of three numbers with $\langle p_m, p_n\rangle = 1 + \cos((m-n)\theta)$: a pair, and something that all positions share. Write
-- `common(m, θ)`.

-- %% [markdown] ref="ex-shared" lang="zh"
-- ## 练习：共有的一份
-- 找一个由三个数组成的编码，使 $\langle p_m, p_n\rangle = 1 + \cos((m-n)\theta)$：一对，再加上所有位置共有的东西。写成函数
-- `common(m, θ)`。

-- %% role="exercise" ref="ex-shared" points=2
function common(m, θ)
  --- BEGIN SOLUTION
  return matrix{1, cos(m * θ), sin(m * θ)}
  --- END SOLUTION
end

-- %% role="hint" ref="ex-shared" lang="en"
-- Inner products add up over the entries. Which entries give the 1, and which the cosine?
-- %% role="hint" ref="ex-shared" lang="zh"
-- 内积是逐项相加的。哪些项给出 1，哪些项给出余弦？

-- %% role="hint" ref="ex-shared" lang="en"
-- A pair of frequency 0 is $(\cos 0, \sin 0) = (1, 0)$; its second entry adds nothing and can be left out.
-- %% role="hint" ref="ex-shared" lang="zh"
-- 频率为 0 的一对是 $(\cos 0, \sin 0) = (1, 0)$；第二项没有贡献，可以不要。

-- %% role="check" ref="ex-shared"
local m, n, j, θ = sym "m n j θ"
local p = common(m, θ)
feedback(type(p) == "table" and pcall(function() return p.rows * p.cols end) and p.cols == 1, {
  en = "`common` must return a column of formulas, matrix{a, b, c}.",
  zh = "`common` 要返回一列公式，matrix{a, b, c}。",
})
local function product(m, n) return matmul(common(m, θ).T, common(n, θ))(1, 1) end
feedback(prove(product(m + j, n + j), product(m, n)), {
  en = "The product changes when both positions move on by the same number of steps: it is not relative.",
  zh = "两个位置一起往前走同样的步数，内积变了：它不是相对的。",
})
feedback(not same(product(m, n), cos((m - n) * θ)), {
  en = "The product is the cosine alone; the 1 is missing.",
  zh = "内积只有余弦，缺了 1。",
})
feedback(same(product(m, n), 1 + cos((m - n) * θ), {what = {en = "The inner product", zh = "内积"}}))
feedback(p.rows == 3, {en = "It can be done with three numbers.", zh = "用三个数就够了。"})

-- %% role="wrong" ref="ex-shared" expect="not relative"
function common(m, θ) return matrix{1 + cos(m * θ), 1 + sin(m * θ), 0} end

-- %% role="wrong" ref="ex-shared" expect="the 1 is missing"
function common(m, θ) return matrix{0, cos(m * θ), sin(m * θ)} end

-- %% [markdown] ref="other" lang="en"
-- ## A solution, not the solution
-- Su claims a solution; he does not claim that it is the only one, and he is right. If $p_m$ solves the equation, so does $Up_m$ for every $U$
-- with $U^\top U = I$, since
--
-- $$(Up)^\top(Ur) - p^\top r = p^\top(U^\top U - I)r$$
--
-- And there are solutions of another kind. The vectors $(1, (-1)^m)$ solve it, with $g(j) = 1 + (-1)^j$. Are they a sinusoidal pair in disguise? A
-- pair of length $r$ has $g(j) = r^2\cos j\theta$, hence
--
-- $$g(2)g(0) = 2g(1)^2 - g(0)^2$$
--
-- whatever $r$ and $\theta$. For $1 + (-1)^j$ the left side is 4 and the right side $-4$, so they are not. They are made of two halves: the 1 is
-- the first column of the pair with $\theta = 0$, and $(-1)^m$ that of the pair with $\theta = \pi$.

-- %% [markdown] ref="other" lang="zh"
-- ## 是一个解，不是唯一的解
-- 苏剑林只说找到了一个解，没有说解是唯一的，这是对的。若 $p_m$ 是解，那么对任何满足 $U^\top U = I$ 的 $U$，$Up_m$ 也是解，因为
--
-- $$(Up)^\top(Ur) - p^\top r = p^\top(U^\top U - I)r$$
--
-- 此外还有另一类解。向量 $(1, (-1)^m)$ 就是，它的 $g(j) = 1 + (-1)^j$。会不会只是一对正弦编码改头换面？长度为 $r$ 的一对有
-- $g(j) = r^2\cos j\theta$，因此不论 $r$、$\theta$ 是什么，都有
--
-- $$g(2)g(0) = 2g(1)^2 - g(0)^2$$
--
-- 而对 $1 + (-1)^j$，左边是 4，右边是 $-4$，所以不是。它由两个半对拼成：1 是 $\theta = 0$ 那一对的第一列，$(-1)^m$ 是 $\theta = \pi$ 那一对的第一列。

-- %% ref="other" claim="su/not-unique"
local U, p, r = symmatrix("U", 2, 2), symmatrix("p", 2), symmatrix("r", 2)
eye2 = matrix{{1, 0}, {0, 1}}
function inner(p, r) return matmul(p.T, r)(1, 1) end

-- U may have more rows than columns: then the codes are wider than those that it is applied to.
local function kept(rows, columns)
  local U, p, r, same = symmatrix("U", rows, columns), symmatrix("p", columns), symmatrix("r", columns), {}
  for i = 1, columns do
    same[i] = {}
    for j = 1, columns do same[i][j] = i == j and 1 or 0 end
  end
  return prove(inner(matmul(U, p), matmul(U, r)) - inner(p, r), matmul(matmul(p.T, matmul(U.T, U) - matrix(same)), r)(1, 1))
end

local radius, θ = sym "r θ"
local function pair(j) return radius^2 * cos(j * θ) end
local m, j = sym("m j", "integer")
local function alternating(j) return 1 + rat(-1)^j end
local function left(g) return g(2) * g(0) end
local function right(g) return 2 * g(1)^2 - g(0)^2 end
return {
  tested(inner(matmul(U, p), matmul(U, r)) - inner(p, r), matmul(matmul(p.T, matmul(U.T, U) - eye2), r)(1, 1), {
    en = "an orthogonal map changes no inner product", zh = "正交变换不改变内积"}),
  named({en = "the same in three dimensions", zh = "三维时也一样"}, kept(3, 3)), named({en = "the same in six", zh = "六维时也一样"}, kept(6, 6)),
  named({en = "the same from three dimensions into five", zh = "从三维到五维也一样"}, kept(5, 3)),
  tested(inner(matrix{1, (-1)^(m + j)}, matrix{1, (-1)^m}), alternating(j), {en = "another kind of solution", zh = "另一类解"}),
  tested(left(pair), right(pair), {en = "what every pair satisfies", zh = "每一对都满足的关系"}),
  prove(gt(left(alternating), right(alternating)), {caption = {
    en = "the other solution does not satisfy it", zh = "另一类解不满足"}}),
}

-- %% [markdown] ref="dims" lang="en"
-- ## The order of the columns
-- Google's table has the sine before the cosine, ours the cosine first. Does it matter? Neurons have no order, says Su, so any order of the columns makes
-- an equally good code. He is right again: to reorder columns is to multiply by a permutation $P$, and $P^\top P = I$, so $P$ is one of the $U$ above. For
-- eight columns this is proved for all 40320 orders, by exchanging neighbours.
--
-- Stretching a column, on the other hand, is not orthogonal: then the product depends on more than the distance, as the counterexample shows.

-- %% [markdown] ref="dims" lang="zh"
-- ## 各列的次序
-- 谷歌的表正弦在前，我们的余弦在前，这有关系吗？苏剑林说，神经元不分先后，各维度怎么排都行。这也说得对：重排各列就是乘以一个置换
-- $P$，而 $P^\top P = I$，正是上面的一种 $U$。下面对八列的全部 40320 种次序作了证明，靠的是相邻对调。
--
-- 但把某一列拉长就不是正交变换了：反例表明，这时内积依赖的就不只是距离。

-- %% ref="dims" claim="su/order-of-dims"
-- Columns move in both vectors alike: column i is the block of p_i and r_i.
local p, r, columns = symmatrix("p", 8), symmatrix("r", 8), {}
for i = 1, 8 do columns[i] = matrix{p(i), r(i)} end

local R = sym "R"
local m, n, j, θ = sym "m n j θ"
local function stretched(m) return matrix{cos(m * θ), 2 * sin(m * θ)} end
local stretched_too = prove(inner(stretched(m + j), stretched(n + j)), inner(stretched(m), stretched(n)))

local function code(m) return matrix{cos(m * θ), sin(m * θ)} end
local function google(m) return matrix{sin(m * θ), cos(m * θ)} end
return {
  named({en = "eight columns in any order: the same product", zh = "八列任意重排，内积相同"}, symmetric(inner(p, r), columns)),
  tested(inner(code(m), code(n)), inner(google(m), google(n)), {en = "sine first or cosine first: the same product", zh = "正弦在前或余弦在前，内积相同"}),
  named({en = "any width: two columns exchanged, R being what the others add", zh = "任意宽度：交换两列，其余各列之和记作 R"},
        prove(R + inner(matrix{p(1), p(2)}, matrix{r(1), r(2)}), R + inner(matrix{p(2), p(1)}, matrix{r(2), r(1)}))),
  fails(stretched_too, {en = "a column may be stretched as well", zh = "把一列拉长也可以"}),
}

-- %% [markdown] ref="expansion" lang="en"
-- ## Where the wish comes from
-- Why should just this product matter? Su's answer: treat the position vectors as small and expand the model in them. Let $f$ be the model, a scalar,
-- and look at two of its inputs, $x$ and $y$. Adding the position vectors $p$ and $q$ moves them to $x + p$ and $y + q$. Write $f_1$ for the derivative by
-- the first input, $f_2$ by the second, $f_{12}$ by both, and so on. To second order
--
-- $$f(x+p, y+q) \approx f + p f_1 + q f_2 + \frac{1}{2}p^2 f_{11} + \frac{1}{2}q^2 f_{22} + pq f_{12}$$
--
-- Only the last term contains two positions: it is the *interaction*. For vectors $f_{12}$ is a matrix; in the simplest case it is the identity, and the
-- interaction is the inner product of the two codes. (The lesson `hessian` asks whether it is.)
--
-- For $f$ we take attention itself: what a word at $x$ takes from itself and from one at $y$. The terms are proved for all $x$, $y$, $p$, $q$, by walking
-- along a straight line, $\varphi(s) = f(x+sp, y+sq)$.
--
-- > **A reader's question**
-- > A reader misses the factor that says how far we are from the point of expansion. It is there: a Taylor series at $a$ has the factor $x' - a$;
-- > here the point is $a = x$, the argument is $x' = x + p$, and the difference is $p$ itself.

-- %% [markdown] ref="expansion" lang="zh"
-- ## 要求从何而来
-- 为什么偏偏是这个内积要紧？苏剑林的回答是：把位置向量当作小量，将模型按它展开。设 $f$ 是模型，取标量值，
-- 看它的两个输入 $x$ 和 $y$。加上位置向量 $p$、$q$，就移到了 $x + p$、$y + q$。记 $f_1$ 为对第一个输入的导数，$f_2$ 为对第二个的，
-- $f_{12}$ 为先后对两个各求一次，余类推。展开到二阶：
--
-- $$f(x+p, y+q) \approx f + p f_1 + q f_2 + \frac{1}{2}p^2 f_{11} + \frac{1}{2}q^2 f_{22} + pq f_{12}$$
--
-- 只有最后一项同时含有两个位置，它就是*交互项*。输入是向量时，$f_{12}$ 是矩阵；最简单的情形，它是单位阵，交互项就是两个编码的内积。
-- （`hessian` 一课会问它是不是。）
--
-- $f$ 就取注意力本身：位于 $x$ 的词从自己和位于 $y$ 的词那里得到什么。各项对一切 $x$、$y$、$p$、$q$ 证明，办法是沿直线走，
-- $\varphi(s) = f(x+sp, y+sq)$。
--
-- > **一位读者的问题**
-- > 有读者问：怎么看不见“到展开点的距离”这个因子？它就在那里：在 $a$ 处的泰勒级数带有因子 $x' - a$；这里展开点是 $a = x$，
-- > 自变量是 $x' = x + p$，相减正是 $p$。

-- %% ref="expansion" claim="su/expansion-displacement"
local x, y, p, q, s = sym "x y p q s"
-- What a word at x takes from itself and from one at y.
local function f(x, y) return (exp(x * x) * x + exp(x * y) * y) / (exp(x * x) + exp(x * y)) end
local along = f(x + s * p, y + s * q)
local function at_start(order) return subst(derivative(along, s, order), s, 0) end
local function d(...) -- the derivative of f by each of these in turn
  local g = f(x, y)
  for _, v in ipairs {...} do g = derivative(g, v) end
  return g
end
-- The same formula at a point a, for any f of second order: the factor is the distance from a.
local a, b0, b1, b2 = sym "a b0 b1 b2"
local function g(x) return b0 + b1 * x + b2 * x^2 end
local moved = g(x + p)
return {
  tested(at_start(1), p * d(x) + q * d(y), {en = "the terms of first order", zh = "一阶项"}),
  prove(at_start(2) / 2, p^2 * d(x, x) / 2 + q^2 * d(y, y) / 2 + p * q * d(x, y), {caption = {
    en = "the terms of second order, the interaction among them", zh = "二阶项，交互项就在其中"}}),
  tested(g(y), g(a) + (y - a) * (b1 + 2 * b2 * a) + (y - a)^2 * b2, {en = "at a point a the factor is y - a", zh = "在 a 处展开，因子是 y - a"}),
  tested(moved, g(x) + p * (b1 + 2 * b2 * x) + p^2 * b2, {en = "at x itself it is the position p", zh = "在 x 处展开，因子就是位置 p"}),
}

-- %% [markdown] ref="ex-expand" lang="en"
-- ## Exercise: expand
-- Let $f(x, y) = x^2y$. Write `expanded(p, q)`: its expansion to second order at $x = 1$, $y = 2$, when $x$ moves by $p$ and $y$ by $q$, as a
-- formula.

-- %% [markdown] ref="ex-expand" lang="zh"
-- ## 练习：展开
-- 设 $f(x, y) = x^2y$。写一个函数 `expanded(p, q)`：在 $x = 1$、$y = 2$ 处展开到二阶，$x$ 移动 $p$，$y$ 移动 $q$，写成公式。

-- %% role="exercise" ref="ex-expand" points=2
function expanded(p, q)
  --- BEGIN SOLUTION
  return 2 + 4 * p + q + 2 * p^2 + 2 * p * q
  --- END SOLUTION
end

-- %% role="hint" ref="ex-expand" lang="en"
-- You need the value, two first and three second derivatives of $f$, all of them at the point: $f_1 = 2xy$ is 4 there.
-- %% role="hint" ref="ex-expand" lang="zh"
-- 要用到 $f$ 的值、两个一阶导数和三个二阶导数，都取在这一点上：例如 $f_1 = 2xy$ 在那里是 4。

-- %% role="hint" ref="ex-expand" lang="en"
-- $f_{11} = 2y$ comes with $\frac{1}{2}p^2$, $f_{12} = 2x$ with $pq$, and $f_{22} = 0$.
-- %% role="hint" ref="ex-expand" lang="zh"
-- $f_{11} = 2y$ 乘以 $\frac{1}{2}p^2$，$f_{12} = 2x$ 乘以 $pq$，而 $f_{22} = 0$。

-- %% role="check" ref="ex-expand"
local p, q = sym "p q"
local answer = expanded(p, q)
feedback(not same(answer, 2 + 4 * p + q + 2 * p^2), {
  en = "The term in which both displacements meet, pq, is missing: the very one this lesson is about.",
  zh = "缺了两个位移相遇的那一项 pq：这一课讲的正是它。",
})
feedback(not same(answer, 2 + 4 * p + q + 4 * p^2 + 2 * p * q), {
  en = "The square has lost its factor 1/2: half of f_11 = 4 is 2.",
  zh = "平方项丢了因子 1/2：f_11 = 4，一半是 2。",
})
feedback(not same(answer, (1 + p)^2 * (2 + q)), {
  en = "That is f itself at the new point, with a term of third order. Stop at the second.",
  zh = "这是 f 在新点处的准确值，带有三阶项。展开到二阶为止。",
})
feedback(same(answer, 2 + 4 * p + q + 2 * p^2 + 2 * p * q, {what = "expanded(p, q)"}))

-- %% role="wrong" ref="ex-expand" expect="both displacements meet"
function expanded(p, q) return 2 + 4 * p + q + 2 * p^2 end

-- %% role="wrong" ref="ex-expand" expect="factor 1/2"
function expanded(p, q) return 2 + 4 * p + q + 4 * p^2 + 2 * p * q end

-- %% role="wrong" ref="ex-expand" expect="third order"
function expanded(p, q) return (1 + p)^2 * (2 + q) end

-- %% [markdown] ref="wrong" lang="en"
-- ## What goes wrong in practice
-- *Two orders in one product.* The order is immaterial as long as both sides share it. Libraries use two: side by side, $(c_0, s_0, c_1, s_1)$, and
-- in halves, $(c_0, c_1, s_0, s_1)$. Put a query in one and a key in the other, and the product is no function of the distance at all. Nothing fails;
-- the numbers are just wrong. Below, the same distance, 3, at four places.
--
-- *Too fast a pair.* At whole positions $\theta$ is known only up to full turns and up to its sign. A frequency above $\pi$ cannot be told from one below
-- it, which is called *aliasing*: $\theta = 6$ has the same cosines as $2\pi - 6 = 0.28$, a slow pair. The last two lines printed show it. The usual
-- frequencies begin at 1.

-- %% [markdown] ref="wrong" lang="zh"
-- ## 实际中会出的毛病
-- *一个内积里混了两种次序*。次序无所谓，前提是两边用同一种。各个库里有两种：成对相邻的 $(c_0, s_0, c_1, s_1)$，和前后两
-- 半的 $(c_0, c_1, s_0, s_1)$。查询用一种、键用另一种，内积就根本不是距离的函数。程序不报错，只是数不对。下面四处的距离都是 3。
--
-- *转得太快的对*。在整数位置上，$\theta$ 只能确定到相差整圈、相差正负号。超过 $\pi$ 的频率，与它以下的某个频率无法区分，这叫混叠（aliasing）：
-- $\theta = 6$ 的余弦与 $2\pi - 6 = 0.28$ 的完全相同，看上去转得很慢。最后印出的两行就是。通常的频率从 1 开始。

-- %% ref="wrong"
local θ = 10000 ^ (-range(0, 1) / 2)
local function side_by_side(m) return reshape(stack({cos(m * θ), sin(m * θ)}, 2), 4) end
local function in_halves(m) return concat({cos(m * θ), sin(m * θ)}, 1) end
for _, n in ipairs {0, 10, 100, 1000} do
  local m = n + 3
  print(says{en = "n = %4d   one order %8.5f   two orders %8.5f", zh = "n = %4d   同一次序 %8.5f   两种次序 %8.5f"}:format(n,
    dot(side_by_side(m), side_by_side(n)), dot(side_by_side(m), in_halves(n))))
end
local m = range(0, 5)
print(says{en = "cosines, θ = 6:       ", zh = "余弦，θ = 6："}, cos(6 * m))
print(says{en = "cosines, θ = 2π - 6:  ", zh = "余弦，θ = 2π - 6："}, cos((2 * pi - 6) * m))

-- %% [markdown] ref="end" lang="en"
-- ## What we have
-- One number fails, a column for each place fails, two numbers do it: asking that the complex product depend on the distance leaves $e^{im\theta}$
-- and one free number. Longer codes are pairs of these, in any order, in any orthonormal frame. For an engineer: two programs may differ in the order of the
-- columns, but never inside one product.
--
-- The wish is the equation $\langle p_m, p_n\rangle = g(m-n)$, and it comes from the interaction term of an expansion. Two things were assumed: that its
-- matrix is the identity (`hessian`), and that the whole complex product depends on the distance. The frequencies are still open (`decay`).

-- %% [markdown] ref="end" lang="zh"
-- ## 小结
-- 一个数不行，每个位置占一列也不行，两个数就行：要求整个复数乘积只依赖距离，剩下的只有 $e^{im\theta}$ 和一个自由的数。
-- 更长的编码由这样的对组成，次序任意，正交坐标系任选。落到工程上：两个程序的列序可以不同，但同一个内积里决不能混用。
--
-- 要求就是方程 $\langle p_m, p_n\rangle = g(m-n)$，它来自展开式的交互项。交互项的矩阵是单位阵，这是假设（见 `hessian`）；
-- 要求整个复数乘积都只依赖距离，这是选择；频率到现在还没有定（见 `decay`）。

-- %% [markdown] ref="full" lang="en" part="appendix"
-- ## A longer expansion, and what it forgets
-- Another reader writes out "a more detailed expansion", around a point $a$ at which *all* inputs may differ: the others by $u_i = x_i - a_i$, the
-- two in question by $p_m$ and $p_n$. His second order has the squares and products of the $u_i$, has $p_m^2$, $p_n^2$ and $p_mp_n$, and has nothing
-- like $u_ip_m$. But every pair of displacements has its term, so the sum
--
-- $$\sum_{i \ne m,n} u_i (f_{im}p_m + f_{in}p_n)$$
--
-- is missing. A polynomial of second order equals its expansion; with all its coefficients as symbols, the reader's formula is refuted, and with
-- these terms it is proved. So where the other inputs move too, a position meets *words* as well as other positions; the derivation sets that aside
-- by letting only two inputs move.

-- %% [markdown] ref="full" lang="zh" part="appendix"
-- ## 更长的展开漏了什么
-- 另一位读者补了一个“更详细的展开”，在点 $a$ 处展开，*所有*输入都可以偏离：其余输入偏离 $u_i = x_i - a_i$，所论的两
-- 个偏离 $p_m$ 与 $p_n$。他的二阶部分有各个 $u_i$ 的平方与乘积，有 $p_m^2$、$p_n^2$ 和 $p_mp_n$，却没有 $u_ip_m$ 这
-- 样的项。可是任何两个偏离量都该有一项：
--
-- $$\sum_{i \ne m,n} u_i (f_{im}p_m + f_{in}p_n)$$
--
-- 这些全漏掉了。二次多项式等于它自己的展开；把它的全部系数当作符号，读者的公式被驳倒，补上这些项便得证。所以若其他输
-- 入也在动，一个位置遇到的就不只是别的位置，还有*词*；推导中只让两个输入动，是把这些撇在了一边。

-- %% ref="full" claim="su/full-taylor-comment"
local n = 4                                   -- inputs 1 and 2 are the others, 3 is m and 4 is n
local a, u = symmatrix("a", n), symmatrix("u", n)
local c, b, h = sym "c", symmatrix("b", n), symmatrix("h", n, n)
local function second(i, j) return h(math.min(i, j), math.max(i, j)) end
local function f(x)
  local value = c
  for i = 1, n do
    value = value + b(i) * x(i)
    for j = 1, n do value = value + second(i, j) * x(i) * x(j) / 2 end
  end
  return value
end
local function slope(i) -- of f by input i, at a
  local value = b(i)
  for j = 1, n do value = value + second(i, j) * a(j) end
  return value
end

local first = f(a)
for i = 1, n do first = first + slope(i) * u(i) end
local others, own = rat(0), second(3, 3) * u(3)^2 / 2 + second(4, 4) * u(4)^2 / 2
for i = 1, 2 do
  for j = 1, 2 do others = others + second(i, j) * u(i) * u(j) / 2 end
end
local both = second(3, 4) * u(3) * u(4)
local crossed = rat(0)
for i = 1, 2 do crossed = crossed + u(i) * (second(i, 3) * u(3) + second(i, 4) * u(4)) end

-- The spoiled versions, of the second order only and one other input: that is where the mistake was.
local function product(i, j) return second(i, j) * u(i) * u(j) end
local form = product(1, 1) / 2 + product(3, 3) / 2 + product(4, 4) / 2 + product(1, 3) + product(1, 4) + product(3, 4)
-- However many other inputs there are: r_i is f_im, s_i is f_in.
local N, i, w, r, s, P, R = sym("N", "natural"), sym("i", "integer"), sym "w r s p_m p_n"
local parted = u(1) * (second(1, 3) * u(3) + second(1, 4) * u(4)) + product(1, 1) / 2 + own + both
return {
  written = prove(f(a + u), first + others + own + both, {caption = {en = "the reader's expansion", zh = "读者的展开"}}),
  mended = {prove(f(a + u), first + others + own + both + crossed, {caption = {en = "with the terms that are missing", zh = "补上漏掉的项"}}),
    tested(form, parted, {en = "the same with one other input", zh = "其余输入只有一个时也一样"}),
    named({en = "what is missing, for any number of other inputs", zh = "漏掉的项，其余输入有任意多个"}, prove(sum(w[i] * (r[i] * P + s[i] * R), i, 1, N),
      P * sum(r[i] * w[i], i, 1, N) + R * sum(s[i] * w[i], i, 1, N)))},
}

-- %% [markdown] ref="norm" lang="en"
-- ## Does the length of a position vector matter?
-- The expansion is good when $p$ is small beside the words, and Su found the mean length of BERT's position vectors smaller than that of its word
-- vectors, though not by much. A reader asks whether the length also says how much an embedding contributes to the attention score; the answer was
-- that in attention the two hardly have to do with each other.
--
-- But they do. With $A = W^Q{W^K}^\top$, the score of $x_i + cp_i$ and $x_j + cp_j$ is
--
-- $$x_iAx_j^\top + c\,(x_iAp_j^\top + p_iAx_j^\top) + c^2p_iAp_j^\top$$
--
-- Stretch the positions by $c$, and the four terms grow by $1$, $c$, $c$, $c^2$. What is true is that length alone does not decide: the direction
-- relative to $A$ counts as well.

-- %% [markdown] ref="norm" lang="zh"
-- ## 位置向量的长短要紧吗？
-- 展开要好用，$p$ 与词相比得是小量。苏剑林检查过 BERT，位置向量的平均模长比词向量小，只是小得不多。有读者问：模长是
-- 否也反映它对注意力打分的贡献？得到的回答是：对注意力来说，两者想必关系不大。
--
-- 其实有关系。记 $A = W^Q{W^K}^\top$，$x_i + cp_i$ 与 $x_j + cp_j$ 的打分是
--
-- $$x_iAx_j^\top + c\,(x_iAp_j^\top + p_iAx_j^\top) + c^2p_iAp_j^\top$$
--
-- 把位置拉长 $c$ 倍，四项就分别变为原来的 $1$、$c$、$c$、$c^2$ 倍。只有一点说得对：光凭模长也定不下来，还要看它相对于 $A$ 的方向。

-- %% ref="norm" claim="su/norm-and-score"
local c = sym "c"
local A = symmatrix("A", 2, 2)
local x, y, p, q = symmatrix("x", 1, 2), symmatrix("y", 1, 2), symmatrix("p", 1, 2), symmatrix("q", 1, 2)
local function score(a, b) return matmul(matmul(a, A), b.T)(1, 1) end
local stretched = score(x + p * c, y + q * c)
return {
  written = prove(stretched, score(x + p, y + q), {caption = {en = "the length of positions does not change the score", zh = "位置向量的长短不影响打分"}}),
  mended = tested(stretched, score(x, y) + c * (score(x, q) + score(p, y)) + c^2 * score(p, q), {
    en = "the four parts grow by 1, c, c and c^2", zh = "四项分别乘以 1、c、c、c^2"}),
}
