-- The ledger: every derivation, formula, property and program of the three sources, one entry each.
--
-- An entry has an id (a claim is called by it in the prompt, a lesson, a report and a test alike), the section of the
-- source where it stands, its stance, the least strength its verdict must reach, one sentence in each language, whose
-- mathematics stands in $…$ as in a lesson's prose, and the formula it is about in TeX.
--
-- stance     holds      right as the source has it
--            erratum    wrong, misleading or not runnable there: its check refutes the written form and mends it
--            empirical  about trained models: unknown until there is a model or data to measure
-- said       of an erratum, how it stands in the source: a "statement" of the text; a "hedge" (maybe, by the look of it, intuitively), which is
--            refuted as what it suggests; a "reply" of the author below the text; a reader's "comment" or "question"
-- strength   proved | certified | measured, as in a verdict

local sources = {
  pe = {en = "Position Encoding (study notes)", zh = "《Position Encoding》学习笔记", sections = {
    ["1"] = {en = "1 Absolute position embedding", zh = "1 绝对位置嵌入"},
    ["2"] = {en = "2 Sinusoidal position encoding", zh = "2 正弦位置编码"},
    ["3"] = {en = "3 Relative position encoding", zh = "3 相对位置编码"},
    ["4"] = {en = "4 Rotary position embedding", zh = "4 旋转位置编码"},
    ["4.1"] = {en = "4.1 NTK", zh = "4.1 NTK"},
  }},
  sa = {en = "Self-attention (lecture notes)", zh = "自注意力课程笔记", sections = {
    recurrent = {en = "Issues with recurrent models", zh = "循环模型的问题"},
    attention = {en = "Self-attention", zh = "自注意力"},
    order = {en = "Sequence order", zh = "序列的次序"},
    nonlinear = {en = "Nonlinearities", zh = "非线性"},
    mask = {en = "Mask", zh = "掩码"},
    encoder = {en = "The Transformer encoder", zh = "Transformer 编码器"},
  }},
  su = {en = "Su Jianlin, Tracing sinusoidal position encoding to its source (2021)",
        zh = "苏剑林《Sinusoidal 位置编码追根溯源》（2021）", sections = {
    intro = {en = "Introduction", zh = "引言"},
    taylor = {en = "Taylor expansion", zh = "泰勒展开"},
    relative = {en = "Relative position", zh = "相对位置"},
    decay = {en = "Decay at long range", zh = "远程衰减"},
    general = {en = "The general case", zh = "一般情况"},
    discussion = {en = "Discussion", zh = "问题讨论"},
    comments = {en = "Readers' comments", zh = "读者评论"},
  }},
}

local claims = {}
local function C(id, section, stance, strength, en, zh)
  claims[#claims + 1] = {id = id, source = id:sub(1, 2), section = section, stance = stance, strength = strength,
                         en = en, zh = zh}
end

-- ---- Position Encoding ------------------------------------------------------------------------------------------

C("pe/absolute-lookup", "1", "holds", "measured",
  "A learned absolute embedding adds the $t$-th row of a trained table to the token's vector; beyond the table there is nothing.",
  "可学习的绝对位置嵌入：取出训练好的表的第 $t$ 行，加到词向量上；超出表的长度便无行可取。")
C("pe/absolute-snippet", "1", "erratum", "measured",
  "The program for the learned table fails: it uses a name it never defined and overwrites the module with its output.",
  "查表嵌入的那段程序跑不通：用到了未定义的变量名，还把模块本身覆盖成了张量。")
C("pe/sinusoidal-definition", "2", "holds", "certified",
  "The definition: $\\sin(t/10000^{2i/d})$ in column $2i$ and $\\cos$ of the same angle in column $2i+1$.",
  "定义：第 $2i$ 列是 $\\sin(t/10000^{2i/d})$，第 $2i+1$ 列是同一角度的 $\\cos$。")
C("pe/pair-index", "2", "erratum", "proved",
  "$i$ is said to number the dimensions; it numbers the $d/2$ pairs of columns, or the columns would run out.",
  "文中说 $i$ 是维度的编号；其实 $i$ 数的是 $d/2$ 个列对，否则列号会越界。")
C("pe/sum-identities", "2", "holds", "proved",
  "The four addition formulas of sine and cosine.",
  "正弦与余弦的四个和差角公式。")
C("pe/shift-formula", "2", "holds", "proved",
  "The code of position $t+k$ is computed from the codes of $t$ and of $k$ alone.",
  "位置 $t+k$ 的编码只需由 $t$ 与 $k$ 两处的编码即可算出。")
C("pe/shift-linear", "2", "holds", "proved",
  "Moving on by $k$ is one linear map $M_k$, the same at every position: a rotation in each pair.",
  "平移 $k$ 步是同一个线性映射 $M_k$，与所在位置无关：每个列对里转过一个角。")
C("pe/linear-implies-relative", "2", "erratum", "proved",
  "Shift-linearity by itself does not make the inner product depend on $k$ alone; $M_k$ must be orthogonal too.",
  "仅凭平移是线性的，推不出内积只依赖 $k$；还缺一个前提：$M_k$ 是正交的。")
C("pe/inner-product", "2", "holds", "proved",
  "The inner product of the codes at $t$ and $t+k$ is $\\sum_i \\cos(\\theta_i k)$, wherever $t$ is.",
  "位置 $t$ 与 $t+k$ 的编码内积等于 $\\sum_i \\cos(\\theta_i k)$，与 $t$ 无关。")
C("pe/direction-unaware", "2", "holds", "proved",
  "Looking $k$ ahead and $k$ back gives the same inner product.",
  "向前看 $k$ 步与向后看 $k$ 步，内积相同。")
C("pe/direction-through-W", "2", "erratum", "proved",
  "Only the plain inner product is blind to direction; with a matrix in between, such as a quarter turn in each pair, it is not.",
  "对方向视而不见的只是裸内积；中间夹一个矩阵（例如每对转四分之一圈）就能分清前后。")
C("pe/sinusoidal-snippet", "2", "erratum", "measured",
  "The NumPy program does not fill the table: its slices cut positions where they should cut columns.",
  "那段 NumPy 程序填不出这张表：切片切在了位置轴上，而不是列上。")
C("pe/attention-definition", "3", "holds", "measured",
  "Scores, softmax weights and outputs of self-attention.",
  "自注意力的打分、softmax 权重与输出。")
C("pe/softmax-index", "3", "erratum", "proved",
  "The softmax denominator sums $e_{ij}$ over $k$, so every weight would be $1/n$; the term must be $e_{ik}$.",
  "softmax 的分母对 $k$ 求和却写成 $e_{ij}$，照此每个权重都是 $1/n$；应为 $e_{ik}$。")
C("pe/shaw", "3", "holds", "measured",
  "Shaw's form: a relative vector joins the key in the score and the value in the output, with distances clipped.",
  "Shaw 的形式：相对位置向量在打分时加到键上、在输出时加到值上，距离超限则截断。")
C("pe/four-terms", "3", "holds", "proved",
  "With positions added to the inputs the score splits into four terms.",
  "把位置加到输入上，打分便展开成四项。")
C("pe/transformer-xl", "3", "erratum", "proved",
  "Transformer-XL replaces two terms and does not approximate them; how far its $u$ and $v$ are free depends on the ranks of the weights.",
  "Transformer-XL 是把几项换掉，而不是作近似；$u$、$v$ 能否自由取值要看权重矩阵的秩。")
C("pe/xl-relshift", "3", "holds", "measured",
  "The relative term computed by the shift trick equals direct indexing wherever the mask is causal.",
  "用平移技巧算出的相对项，在因果掩码之内与直接取下标的结果一致。")
C("pe/deberta", "3", "erratum", "measured",
  "DeBERTa's third term is printed without $W^Q$, which does not even fit in shape when head and model width differ.",
  "DeBERTa 的第三项漏写了 $W^Q$；头维度与模型宽不等时，连形状都对不上。")
C("pe/t5-bias", "3", "holds", "certified",
  "T5 adds to each score a bias chosen by a bucket of the distance.",
  "T5 按距离所属的桶，给每个打分加上一个偏置。")
C("pe/relative-toeplitz", "3", "holds", "proved",
  "At equal content the relative forms give scores that are constant along each diagonal.",
  "内容相同时，各种相对形式的打分沿每条对角线为常数。")
C("pe/relative-snippet-1", "3", "erratum", "measured",
  "The clipping program neither clips nor sees any distance, and multiplies along the wrong axes.",
  "所谓截断版程序既没有截断，也没算出任何距离，乘法的轴也错了。")
C("pe/relative-snippet-2", "3", "erratum", "measured",
  "The relative sinusoidal program never takes a sine or cosine, and its outer product and indices are mixed up.",
  "相对正弦版程序从头到尾没取过 $\\sin$ 或 $\\cos$，外积的次序与下标也都乱了。")
C("pe/rope-functional-equation", "4", "holds", "proved",
  "Rotation by position makes the inner product of query and key depend on positions only through $m-n$.",
  "按位置旋转后，查询与键的内积只通过 $m-n$ 依赖于位置。")
C("pe/rope-conjugate", "4", "erratum", "proved",
  "The complex derivation drops the conjugate on the key and the real part of the product.",
  "复数推导里丢了键上的共轭，也丢了取实部这一步。")
C("pe/rope-theta-range", "4", "erratum", "certified",
  "Restricting $\\theta$ to $(0, \\pi/(2N)]$ is not needed for relativity, and the program that follows does not keep to it.",
  "相对性并不需要把 $\\theta$ 限制在 $(0, \\pi/(2N)]$ 内，而且紧接着的程序自己就没遵守。")
C("pe/rope-matrix", "4", "holds", "proved",
  "Multiplying by $e^{im\\theta}$, a plane rotation, and one block of a block-diagonal matrix are the same thing.",
  "乘以 $e^{im\\theta}$、平面旋转、分块对角阵中的一块，三者是一回事。")
C("pe/complex-matrix", "4", "holds", "proved",
  "A complex number can be written as a matrix: sums, products, conjugates and lengths are kept.",
  "复数可以写成矩阵：和、积、共轭与模长都保持不变。")
C("pe/rope-elementwise", "4", "holds", "proved",
  "$q\\cos m\\theta + \\text{rotate\\_half}(q)\\sin m\\theta$ computes the block rotation, provided that the layout is the matching one.",
  "$q\\cos m\\theta + \\text{rotate\\_half}(q)\\sin m\\theta$ 算的正是分块旋转，前提是元素排列方式要配套。")
C("pe/rope-snippet", "4", "erratum", "measured",
  "The torch program mixes two layouts, so that what it applies is no rotation by position.",
  "那段 torch 程序混用了两种排列，施加的根本不是按位置的旋转。")
C("pe/pi", "4.1", "holds", "proved",
  "Position interpolation divides positions by $k$, so that no angle exceeds those of training.",
  "位置内插把位置除以 $k$，于是角度都不超出训练时的范围。")
C("pe/extrapolation-direct", "4.1", "holds", "certified",
  "Running straight on past the training length meets new angles in some pairs, from a position one can name.",
  "直接外推到训练长度之外，某些列对会遇到没见过的角度，从哪个位置开始也说得清。")
C("pe/ntk-beta-form", "4.1", "holds", "proved",
  "With $\\beta = 10000^{2/d}$ the angles $n/\\beta^i$ are the usual ones; only sine and cosine stand in the other order.",
  "取 $\\beta = 10000^{2/d}$，角度 $n/\\beta^i$ 与通常的一致；只是 $\\sin$ 与 $\\cos$ 的次序对调。")
C("pe/ntk-lambda", "4.1", "holds", "proved",
  "Asking the slowest pair to be interpolated by $k$ gives $\\lambda = k^{2/(d-2)}$, and nothing else.",
  "要求最慢的一对恰好按 $k$ 内插，便唯一地得到 $\\lambda = k^{2/(d-2)}$。")
C("pe/ntk-which-end", "4.1", "erratum", "proved",
  "The ends are exchanged: NTK keeps the high frequencies and interpolates the low ones.",
  "两头说反了：NTK 保留的是高频，内插的是低频。")
C("pe/ntk-usable-context", "4.1", "holds", "certified",
  "How far the context reaches before a slow pair meets a new angle.",
  "慢的列对遇到新角度之前上下文能有多长。")
C("pe/ntk-perplexity", "4.1", "empirical", "measured",
  "That such contexts cost next to no perplexity without fine-tuning must be measured on a trained model.",
  "不作微调，困惑度也几乎不变差：这要在训练好的模型上测量。")
C("pe/ntk-base-beta", "4.1", "holds", "proved",
  "Reading positions as digits in base $\\beta$: digit $m$ of $n$ is $\\lfloor n/\\beta^m \\rfloor \\bmod \\beta$.",
  "把位置看作 $\\beta$ 进制数：$n$ 的第 $m$ 位数字是 $\\lfloor n/\\beta^m \\rfloor \\bmod \\beta$。")

-- ---- Self-attention -----------------------------------------------------------------------------------------------

C("sa/rnn-distance", "recurrent", "holds", "measured",
  "In a recurrent network distant words meet only after many steps, and gradients between them fade or explode.",
  "循环网络里相距远的词要走很多步才能相互作用，其间的梯度会消失或爆炸。")
C("sa/rnn-parallel", "recurrent", "holds", "measured",
  "The steps of a recurrent network must be taken one after the other.",
  "循环网络的各步只能依次进行，无法并行。")
C("sa/linear-order", "recurrent", "holds", "measured",
  "A recurrent network has the order of the words built in; attention has not.",
  "循环网络天生带有词的先后次序，注意力则没有。")
C("sa/attention-definition", "attention", "erratum", "measured",
  "The weight is printed as $\\alpha$ without indices; it is $\\alpha_{ij}$ that depends on query and key.",
  "权重写成了不带下标的 $\\alpha$；真正依赖查询与键的是 $\\alpha_{ij}$。")
C("sa/no-order", "order", "holds", "proved",
  "Self-attention does not know the order of its inputs: permute them and the outputs are permuted alike.",
  "自注意力不知道输入的次序：输入怎么置换，输出就怎么置换。")
C("sa/add-positions", "order", "holds", "measured",
  "Adding position vectors to queries, keys and values breaks that symmetry.",
  "在查询、键、值上加位置向量，就打破了这种对称。")
C("sa/add-to-inputs", "order", "erratum", "proved",
  "Adding positions to the inputs is not adding them to $q$, $k$ and $v$: the weights act on them first.",
  "把位置加到输入上，不等于加到 $q$、$k$、$v$ 上：中间还隔着一层权重。")
C("sa/identity-qkv", "attention", "holds", "proved",
  "Taking the inputs themselves as queries, keys and values makes the scores symmetric.",
  "直接拿输入当查询、键和值，打分矩阵便是对称的。")
C("sa/sinusoid-periods", "order", "erratum", "certified",
  "Single sinusoids repeat, but all together they never do, so nothing restarts at longer lengths.",
  "单个正弦有周期，合在一起却永不重复，所以变长之后并没有什么重新开始。")
C("sa/periodicity", "order", "empirical", "measured",
  "Whether periodic codes mean that absolute position matters less is a question to a trained model.",
  "周期性是否说明绝对位置不那么要紧，要问训练好的模型。")
C("sa/no-real-extrapolation", "order", "empirical", "measured",
  "That sinusoids fail to extrapolate in practice is an observation on trained models.",
  "正弦编码实际外推效果不好，是对训练好的模型的观察。")
C("sa/sinusoid-not-learnable", "order", "holds", "measured",
  "The sinusoidal code has no parameters to learn.",
  "正弦编码没有可学习的参数。")
C("sa/learned-no-extrapolation", "order", "holds", "measured",
  "A learned table of $T$ positions has no row $T+1$.",
  "学出来的表有 $T$ 个位置，就没有第 $T+1$ 行。")
C("sa/learned-flexible", "order", "holds", "measured",
  "Every row of a learned table is free to follow the data by itself.",
  "可学习的表里，每一行都能独自去拟合数据。")
C("sa/stacked-linear", "nonlinear", "holds", "proved",
  "With weights held fixed, two stacked attention layers are one: something nonlinear must come between.",
  "权重固定时，两层注意力叠起来还是一层：中间必须有非线性。")
C("sa/ffn", "nonlinear", "holds", "measured",
  "A feed-forward network applied to each token supplies what linear averaging lacks.",
  "对每个词单独作用的前馈网络，补上了线性加权所缺的非线性。")
C("sa/mask", "mask", "holds", "measured",
  "Setting the scores of future words to $-\\infty$ hides them completely, from the gradient too.",
  "把未来词的打分设为 $-\\infty$，就把它们彻底遮住，梯度也透不过去。")
C("sa/mask-parallel", "mask", "holds", "measured",
  "With the mask one pass over a text gives what word-by-word passes give, so that training runs in parallel.",
  "有了掩码，对全文算一遍与逐词各算一遍结果相同，训练因此可以并行。")
C("sa/matrix-form", "encoder", "holds", "measured",
  "All positions at once: $\\operatorname{softmax}(XQ(XK)^T)XV$ is the same as one position at a time.",
  "写成矩阵 $\\operatorname{softmax}(XQ(XK)^T)XV$，与逐个位置计算的结果相同。")
C("sa/multi-head", "encoder", "holds", "measured",
  "Several heads are one reshape of the same products.",
  "多头不过是把同样的乘积重新排一下形状。")
C("sa/residual", "encoder", "holds", "measured",
  "A residual connection puts the identity into the Jacobian.",
  "残差连接在雅可比矩阵里加进一个单位阵。")
C("sa/layer-norm", "encoder", "holds", "proved",
  "Layer normalisation fixes mean and variance and ignores shift and positive scale, exactly so when $\\varepsilon$ is 0.",
  "层归一化固定均值与方差，对平移和正的缩放不敏感；$\\varepsilon$ 为 0 时严格成立。")
C("sa/dot-variance", "encoder", "holds", "proved",
  "Products of vectors with independent entries of mean 0 and variance 1 have variance $d$.",
  "分量独立、均值为 0、方差为 1 的向量，点积的方差是 $d$。")
C("sa/scaled-gradients", "encoder", "holds", "measured",
  "Large scores flatten the gradient of softmax; dividing by $\\sqrt{d}$ keeps it alive.",
  "打分太大会压平 softmax 的梯度；除以 $\\sqrt{d}$ 能保住它。")
C("sa/encoder-block", "encoder", "holds", "measured",
  "The whole encoder block, with its shapes, gradient and parameter count.",
  "完整的编码器块：形状、梯度与参数量。")

-- ---- Su Jianlin ---------------------------------------------------------------------------------------------------

C("su/definition", "intro", "holds", "certified",
  "Equation (1) defines the same table as the notes do.",
  "式 (1) 定义的与前述笔记是同一张表。")
C("su/symmetry", "taylor", "erratum", "measured",
  "A scalar output does not by itself make attention symmetric: pooling does, while a layer is only equivariant.",
  "输出是标量并不自动带来全对称；池化才会，注意力层本身只是置换等变。")
C("su/break-symmetry", "taylor", "holds", "measured",
  "Adding a different vector at each position breaks the symmetry; adding equal ones does not.",
  "每个位置加上不同的向量就打破了对称；加相同的则不会。")
C("su/taylor", "taylor", "holds", "measured",
  "The expansion to second order in the two position vectors, with a remainder of third order.",
  "对两个位置向量展开到二阶，余项为三阶。")
C("su/taylor-terms", "taylor", "holds", "proved",
  "Of the six terms four know one position, and only the last knows both.",
  "六项之中有四项只含单个位置，唯有最后一项同时含两个。")
C("su/expansion-displacement", "comments", "holds", "proved",
  "The displacement from the expansion point, which a reader misses, is the position vector itself.",
  "读者追问的“到展开点的距离”，就是位置向量本身。")
C("su/norm-and-score", "comments", "erratum", "proved",
  "The length of an embedding does matter for the score: scaling positions by $c$ scales its four terms differently.",
  "嵌入的模长与注意力打分并非无关：位置向量乘以 $c$，四项各按不同的幂次变化。")
C("su/inner-as-real-part", "relative", "holds", "proved",
  "A planar inner product is the real part of one number times the conjugate of the other.",
  "平面向量的内积等于一个复数乘另一个的共轭再取实部。")
C("su/polar-solution", "relative", "holds", "proved",
  "Constant modulus and evenly spaced phases: the equation leads to $e^{im\\theta}$.",
  "模长恒定、辐角成等差：由方程解得 $e^{im\\theta}$。")
C("su/not-unique", "relative", "holds", "proved",
  "It is one solution among others: any orthogonal image of it serves as well, and there are further ones.",
  "这只是解之一：作任意正交变换仍是解，此外还有别的解。")
C("su/complex-as-vector", "comments", "holds", "proved",
  "Multiplying by a unit complex number is rotating the plane.",
  "乘单位复数就是平面旋转。")
C("su/superposition", "relative", "holds", "proved",
  "Inner products add, so planar solutions stack to any even dimension.",
  "内积可以相加，所以平面上的解能叠成任意偶数维。")
C("su/order-of-dims", "decay", "holds", "proved",
  "In what order sines, cosines and dimensions stand makes no difference to inner products.",
  "$\\sin$、$\\cos$ 以及各维怎样排列，都不影响内积。")
C("su/riemann-sum", "decay", "holds", "certified",
  "The inner product is a Riemann sum of an oscillating integral, good while the distance is small against $d$.",
  "内积是一个振荡积分的黎曼和，距离相对 $d$ 不太大时近似得很好。")
C("su/closed-form", "decay", "holds", "certified",
  "That integral has a closed form in the cosine integral $\\operatorname{Ci}$.",
  "该积分可用余弦积分 $\\operatorname{Ci}$ 写成闭式。")
C("su/decay", "decay", "erratum", "certified",
  "The products fall logarithmically at first, not monotonically, and the finite sum keeps coming back instead of tending to zero.",
  "内积起初按对数下降，并不单调；有限和不会趋于零，还会一再回升。")
C("su/mathematica-plot", "decay", "holds", "certified",
  "The plot shows a decay, as the article says; the window is too short to show a limit of zero.",
  "图上确实看得到衰减；但窗口太窄，看不出趋于零。")
C("su/any-monotone-theta", "decay", "holds", "certified",
  "Other smooth monotone choices of $\\theta$, powers among them, decay as well.",
  "换成别的单调光滑的 $\\theta$（例如幂函数），同样会衰减。")
C("su/only-theta-t-crosses", "decay", "erratum", "certified",
  "$\\theta_t = t$ is not alone in crossing the axis: the exponentials and the square root cross it too.",
  "与横轴相交的不只 $\\theta_t = t$：指数函数和平方根同样会相交。")
C("su/fast-slow", "decay", "holds", "measured",
  "Powers fall faster at short range and exponentials at long range, once short and long are given numbers.",
  "幂函数短距离降得快，指数函数长距离降得快；“短”与“长”都有确数可言。")
C("su/trainable-theta", "decay", "holds", "measured",
  "The frequencies can be trained, starting from the usual ones.",
  "频率可以从常用值出发加以训练。")
C("su/hessian-diagonal", "general", "erratum", "proved",
  "The sum for a diagonal Hessian starts its index at 1 and so loses the first pair and leaves the matrix.",
  "对角情形的求和从 $i = 1$ 起，于是丢了第一对，下标还越了界。")
C("su/product-to-sum", "general", "holds", "proved",
  "Turning products into sums parts it into cosines of $m-n$ and of $m+n$.",
  "积化和差之后，分成 $m-n$ 与 $m+n$ 两类余弦。")
C("su/cancel-sum-term", "general", "holds", "proved",
  "The $m+n$ part vanishes exactly when the two diagonal entries of every pair are equal.",
  "当且仅当每对的两个对角元相等时，$m+n$ 的部分消失。")
C("su/weighted-decay", "general", "erratum", "certified",
  "A smooth weight under the integral keeps the decay; the real part is missing in print.",
  "积分里乘上光滑的权函数，衰减依旧；原式漏了取实部。")
C("su/offdiagonal", "general", "holds", "proved",
  "For a general Hessian relativity is lost, save for $d$ special directions among $d^2$.",
  "一般的海森矩阵会失去相对性，$d^2$ 维之中只有 $d$ 维例外。")
C("su/diagonal-dominance", "general", "holds", "measured",
  "If the diagonal dominates, relativity survives approximately, by a bound that can be given.",
  "若对角线占主导，相对性近似成立，误差有界可算。")
C("su/embedding-covariance", "general", "empirical", "measured",
  "Whether embedding covariances are nearly diagonal, and words longer than positions, depends on a given model.",
  "嵌入的协方差是否近于对角、词向量是否比位置向量长，要看具体的模型。")
C("su/farther-is-weaker", "decay", "erratum", "proved",
  "The intuition that farther is weaker is not forced by the form: a chosen matrix puts the peak at distance 500.",
  "这种形式并不强迫远处变弱：选一个矩阵就能把峰值放到距离 500 处。")
C("su/theta-table", "comments", "erratum", "certified",
  "A reader's list gives frequencies under the name of positions, for $d = 256$, some digits cut and some rounded.",
  "读者列出的其实是 $d = 256$ 时的频率，却记作位置向量；末位有的截断、有的舍入。")
C("su/redundant-dims", "comments", "holds", "measured",
  "Slow dimensions hardly vary over a short context: the numerical rank tells how many count.",
  "短上下文里低频维几乎不变：有效的维数可由数值秩看出。")
C("su/one-scalar", "comments", "holds", "proved",
  "One number per position tells positions apart, though its products are not relative.",
  "一个标量足以区分位置，只是它的乘积不是相对的。")
C("su/first-dims-suffice", "comments", "holds", "certified",
  "A reader is right that the first few dimensions tell positions apart: eight pairs reach most of the margin; one alone nearly repeats.",
  "读者说得对，前几维就能区分位置：8 对已达到大部分间隔；只用第一对则几乎会重复。")
C("su/key-region", "comments", "holds", "measured",
  "Which pairs best tell distance $k$ from $k+1$ differs with $k$; there is no single key region.",
  "哪些列对最能分清 $k$ 与 $k+1$，随 $k$ 而变；没有固定的关键区域。")
C("su/learned-beats-sinusoidal", "discussion", "empirical", "measured",
  "That learned positions outdo sinusoidal ones in BERT-like models must be seen in training.",
  "在 BERT 一类模型里，可学习的位置是否胜过正弦编码，须训练才知道。")
C("su/full-taylor-comment", "comments", "erratum", "proved",
  "A reader's longer expansion leaves out the mixed terms between the moved inputs and the positions.",
  "读者补充的展开式漏了输入偏移与位置向量的交叉项。")
C("su/relative-meaning", "comments", "erratum", "proved",
  "Relative means neither a multiple of the code nor equal differences, but an orthogonal map that depends on $k$.",
  "“相对”既不是乘一个数，也不是差相等，而是由 $k$ 决定的正交变换。")
C("su/covariance-vs-hessian", "comments", "erratum", "proved",
  "Independence of the components says nothing about the Hessian.",
  "各分量独立与否，推不出海森矩阵是什么样子。")

-- ---- formulas -------------------------------------------------------------------------------------------------------

-- What each entry is about, in TeX: the source's own formula, slips included, or a line of its program as \text{…}; where the
-- source speaks in words, what they say.
local formulas = {
  ["pe/absolute-lookup"] = [[\text{nn.Embedding(MAX\_POSITION,\ HIDDEN\_SIZE)}]],
  ["pe/absolute-snippet"] = [[\text{position\_embedding = position\_embedding(position\_id)}]],
  ["pe/sinusoidal-definition"] = [[PE(t,2i) = \sin\frac{t}{10000^{2i/d}},\quad PE(t,2i+1) = \cos\frac{t}{10000^{2i/d}}]],
  ["pe/pair-index"] = [[PE(t,2i),\ PE(t,2i+1),\quad i \in \{0,\ldots,d-1\}]],
  ["pe/sum-identities"] = [[\sin(a \pm b) = \sin a\cos b \pm \cos a\sin b,\quad \cos(a+b) = \cos a\cos b - \sin a\sin b]],
  ["pe/shift-formula"] = [[PE(t+k,2i) = PE(t,2i) \times PE(k,2i+1) + PE(t,2i+1) \times PE(k,2i)]],
  ["pe/shift-linear"] = [[PE_{t+k} = M_k PE_t]],
  ["pe/linear-implies-relative"] = [[PE_{t+k} = M_k PE_t \Rightarrow PE_t^T PE_{t+k} = g(k)]],
  ["pe/inner-product"] = [[PE_t^T PE_{t+k} = \sum_{i=0}^{\frac{d}{2}-1} \cos(\theta_i k) = PE_{t'}^T PE_{t'+k}]],
  ["pe/direction-unaware"] = [[PE_t^T PE_{t+k} = PE_t^T PE_{t-k}]],
  ["pe/direction-through-W"] = [[PE_t^T W PE_{t+k} = PE_t^T W PE_{t-k}]],
  ["pe/sinusoidal-snippet"] = [[\text{position\_embedding[:,\ 0::2] = torch.FloatTensor(np.sin(position\_enc[:,\ 0::2]))}]],
  ["pe/attention-definition"] = [[e_{ij} = \frac{(x_iW^Q)(x_jW^K)^T}{\sqrt{d}},\quad z_i = \sum_{j=1}^{n} \alpha_{ij}(x_jW^V)]],
  ["pe/softmax-index"] = [[\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^{n} \exp(e_{ij})}]],
  ["pe/shaw"] = [[e_{ij} = \frac{(x_iW^Q)(x_jW^K + a_{ij}^K)^T}{\sqrt{d}},\quad z_i = \sum_{j=1}^{n} \alpha_{ij}(x_jW^V
    + a_{ij}^V)]],
  ["pe/four-terms"] = [[q_ik_j^T = x_iW^Q{W^K}^Tx_j^T + x_iW^Q{W^K}^Tp_j^T + p_iW^Q{W^K}^Tx_j^T + p_iW^Q{W^K}^Tp_j^T]],
  ["pe/transformer-xl"] = [[\approx x_iW^Q{W^K}^Tx_j^T + x_iW^Q{W^K}^TR_{i-j}^T + uW^Q{W^K}^Tx_j^T + vW^Q{W^K}^TR_{i-j}^T]],
  ["pe/xl-relshift"] = [[x_iW^Q{W^{K,R}}^TR_{i-j}^T + v{W^{K,R}}^TR_{i-j}^T]],
  ["pe/deberta"] = [[\approx x_iW^Q{W^K}^Tx_j^T + x_iW^Q{W^K}^TR_{i,j}^T + R_{j,i}{W^K}^Tx_j^T]],
  ["pe/t5-bias"] = [[\approx x_iW^Q{W^K}^Tx_j^T + \beta_{i,j}]],
  ["pe/relative-toeplitz"] = [[p_j \to R_{i-j}]],
  ["pe/relative-snippet-1"] = [[\text{distance = position\_ids\_l - position\_ids\_r}]],
  ["pe/relative-snippet-2"] = [[\text{position\_embedding = torch.outer(position\_embedding,\ position\_ids).unsqueeze(1)}]],
  ["pe/rope-functional-equation"] = [[\langle f(q,m), f(k,n)\rangle = g(q,k,m-n)]],
  ["pe/rope-conjugate"] = [[(q_je^{im\theta})(k_je^{in\theta})^* = q_jk_je^{i(m-n)\theta}]],
  ["pe/rope-theta-range"] = [[\theta \in (0, \frac{\pi}{2N}] ]],
  ["pe/rope-matrix"] = [[qe^{im\theta} = \begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta &
    \cos m\theta \end{pmatrix} \begin{pmatrix} q_0 \\ q_1 \end{pmatrix}]],
  ["pe/complex-matrix"] = [[a + bi \to \begin{pmatrix} a & -b \\ b & a \end{pmatrix}]],
  ["pe/rope-elementwise"] = [[q\cos m\theta + \text{rotate\_half}(q)\sin m\theta]],
  ["pe/rope-snippet"] = [[\text{sin,\ cos = sinusoidal\_pos.chunk(2,\ dim=-1)}]],
  ["pe/pi"] = [[n \to n/k]],
  ["pe/extrapolation-direct"] = [[n \to n,\quad n \ge N]],
  ["pe/ntk-beta-form"] = [[[\cos(\frac{n}{\beta^0}), \sin(\frac{n}{\beta^0}), \ldots,
    \cos(\frac{n}{\beta^{d/2-1}}), \sin(\frac{n}{\beta^{d/2-1}})] ]],
  ["pe/ntk-lambda"] = [[\frac{n}{(\lambda\beta)^{d/2-1}} = \frac{n/k}{\beta^{d/2-1}} \Rightarrow \lambda = k^{2/(d-2)}]],
  ["pe/ntk-which-end"] = [[\theta'_0 = \theta_0/k,\quad \theta'_{d/2-1} = \theta_{d/2-1}]],
  ["pe/ntk-usable-context"] = [[n > 8\text{k}]],
  ["pe/ntk-perplexity"] = [[\text{8k+ context, minimal perplexity degradation}]],
  ["pe/ntk-base-beta"] = [[\lfloor n/\beta^m \rfloor \bmod \beta]],
  ["sa/rnn-distance"] = [[O(\text{sequence\ length})]],
  ["sa/rnn-parallel"] = [[h_t = f(h_{t-1}, x_t),\quad t = 1,\ldots,T]],
  ["sa/linear-order"] = [[h_T = f(f(\cdots f(h_0, x_1) \cdots, x_{T-1}), x_T)]],
  ["sa/attention-definition"] = [[e_{ij} = q_i^Tk_j,\quad \alpha = \frac{\exp(e_{ij})}{\sum_{j'} \exp(e_{ij'})},
    \quad output_i = \sum_j \alpha_{ij}v_j]],
  ["sa/no-order"] = [[f(PX) = Pf(X)]],
  ["sa/add-positions"] = [[v_i = \hat{v_i} + p_i,\quad q_i = \hat{q_i} + p_i,\quad k_i = \hat{k_i} + p_i]],
  ["sa/add-to-inputs"] = [[(x_i + p_i)K = \hat{k_i} + p_i]],
  ["sa/identity-qkv"] = [[v_i = k_i = q_i = x_i]],
  ["sa/sinusoid-periods"] = [[p_{i+T} = p_i]],
  ["sa/periodicity"] = [[\sin(\theta(i + \frac{2\pi}{\theta})) = \sin\theta i]],
  ["sa/no-real-extrapolation"] = [[p_i,\quad i > T]],
  ["sa/sinusoid-not-learnable"] = [[\frac{\partial p_i}{\partial w} = 0]],
  ["sa/learned-no-extrapolation"] = [[p_i,\quad i \notin \{1,\ldots,T\}]],
  ["sa/learned-flexible"] = [[p \in \mathbb{R}^{d \times T}]],
  ["sa/stacked-linear"] = [[A_2(A_1XV_1)V_2 = (A_2A_1)X(V_1V_2)]],
  ["sa/ffn"] = [[\operatorname{FF}(z_i)]],
  ["sa/mask"] = [[e_{ij} = -\infty,\quad j > i]],
  ["sa/mask-parallel"] = [[\text{mask out attention to future words}]],
  ["sa/matrix-form"] = [[output = \operatorname{softmax}(XQ(XK)^T) \times XV]],
  ["sa/multi-head"] = [[XQ, XK, XV \in \mathbb{R}^{T \times d}]],
  ["sa/residual"] = [[x + F(x)]],
  ["sa/layer-norm"] = [[\frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}}]],
  ["sa/dot-variance"] = [[\operatorname{Var}[q \cdot k] = d]],
  ["sa/scaled-gradients"] = [[\operatorname{softmax}(\frac{XQ(XK)^T}{\sqrt{d}})]],
  ["sa/encoder-block"] = [[x + F(x),\quad F \in \{\text{attention},\ \text{feed-forward}\}]],
  ["su/definition"] = [[p_{k,2i} = \sin(k/10000^{2i/d}),\quad p_{k,2i+1} = \cos(k/10000^{2i/d})]],
  ["su/symmetry"] = [[f(\cdots,x_m,\cdots,x_n,\cdots) = f(\cdots,x_n,\cdots,x_m,\cdots)]],
  ["su/break-symmetry"] = [[\tilde{f}(\cdots,x_m,\cdots,x_n,\cdots) = f(\cdots,x_m+p_m,\cdots,x_n+p_n,\cdots)]],
  ["su/taylor"] = [[\tilde{f} \approx f + p_m^\top \frac{\partial f}{\partial x_m}
    + p_n^\top \frac{\partial f}{\partial x_n} + \frac{1}{2}p_m^\top \frac{\partial^2 f}{\partial x_m^2}p_m
    + \frac{1}{2}p_n^\top \frac{\partial^2 f}{\partial x_n^2}p_n + p_m^\top \frac{\partial^2 f}{\partial x_m \partial x_n}p_n]],
  ["su/taylor-terms"] = [[p_m^\top \frac{\partial^2 f}{\partial x_m \partial x_n}p_n = p_m^\top \mathcal{H} p_n]],
  ["su/expansion-displacement"] = [[p_m^\top \frac{\partial f}{\partial x_m}]],
  ["su/norm-and-score"] = [[p \to cp,\quad e_{mn} \to e_{mn}]],
  ["su/inner-as-real-part"] = [[\langle p_m, p_n\rangle = \operatorname{Re}[p_m p_n^*] ]],
  ["su/polar-solution"] = [[r_m r_n e^{i(\phi_m-\phi_n)} = R_{m-n} e^{i\Phi_{m-n}} \Rightarrow p_m = e^{im\theta}]],
  ["su/not-unique"] = [[\langle p_m, p_n\rangle = g(m-n)]],
  ["su/complex-as-vector"] = [[f(q,m) = \begin{pmatrix} 1 & i \end{pmatrix} \begin{pmatrix}
    \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix} \begin{pmatrix} q_0 \\ q_1 \end{pmatrix}]],
  ["su/superposition"] = [[p_m = \begin{pmatrix} e^{im\theta_0} \\ e^{im\theta_1} \\ \vdots \\ e^{im\theta_{d/2-1}} \end{pmatrix}]],
  ["su/order-of-dims"] = [[p_m = (\cos m\theta_0, \sin m\theta_0, \ldots, \cos m\theta_{d/2-1}, \sin m\theta_{d/2-1})]],
  ["su/riemann-sum"] = [[\langle p_m, p_n\rangle \sim \frac{d}{2} \operatorname{Re}[\int_0^1 e^{i(m-n) \cdot 10000^{-t}}dt] ]],
  ["su/closed-form"] = [[\operatorname{Re}\int_0^1 e^{ix\cdot b^{-t}}dt
    = \frac{\operatorname{Ci}(x) - \operatorname{Ci}(x/b)}{\ln b}]],
  ["su/decay"] = [[\langle p_m, p_n\rangle \to 0,\quad |m-n| \to \infty]],
  ["su/mathematica-plot"] = [[\text{Plot[f[x],\ \{x,\ -128,\ 128\}]}]],
  ["su/any-monotone-theta"] = [[\int_0^1 e^{i(m-n)\theta_t}dt \to 0,\quad \theta_t = t^\alpha]],
  ["su/only-theta-t-crosses"] = [[\theta_t = t]],
  ["su/fast-slow"] = [[\theta_t = t^\alpha,\quad \theta_t = 10000^{-t}]],
  ["su/trainable-theta"] = [[\theta_i = 10000^{-2i/d}]],
  ["su/hessian-diagonal"] = [[p_m^\top \mathcal{H} p_n = \sum_{i=1}^{d/2} \mathcal{H}_{2i,2i} \cos m\theta_i \cos n\theta_i
    + \mathcal{H}_{2i+1,2i+1} \sin m\theta_i \sin n\theta_i]],
  ["su/product-to-sum"] = [[\sum_{i=1}^{d/2} \frac{1}{2}(\mathcal{H}_{2i,2i} + \mathcal{H}_{2i+1,2i+1}) \cos (m-n)\theta_i
    + \frac{1}{2}(\mathcal{H}_{2i,2i} - \mathcal{H}_{2i+1,2i+1}) \cos (m+n)\theta_i]],
  ["su/cancel-sum-term"] = [[\mathcal{H}_{2i,2i} = \mathcal{H}_{2i+1,2i+1}]],
  ["su/weighted-decay"] = [[\sum_{i=1}^{d/2} \frac{1}{2}(\mathcal{H}_{2i,2i} + \mathcal{H}_{2i+1,2i+1})
    \cos (m-n)\theta_i \sim \int_0^1 h_t e^{i(m-n)\theta_t}dt]],
  ["su/offdiagonal"] = [[\mathcal{H}_{ij} \ne 0,\quad i \ne j]],
  ["su/diagonal-dominance"] = [[|\mathcal{H}_{ii}| \gg |\mathcal{H}_{ij}|,\quad i \ne j]],
  ["su/embedding-covariance"] = [[|C_{ii}| \gg |C_{ij}|,\quad \lVert x \rVert > \lVert p \rVert]],
  ["su/farther-is-weaker"] = [[|m-n| < |m-l| \Rightarrow \langle p_m, p_n\rangle > \langle p_m, p_l\rangle]],
  ["su/theta-table"] = [[p_m = 10000^{-1/128} = 1/1.07460]],
  ["su/redundant-dims"] = [[\cos k\theta_i \approx 1,\quad i \to \frac{d}{2}-1]],
  ["su/one-scalar"] = [[p = 1,2,3,4,\cdots]],
  ["su/first-dims-suffice"] = [[\min_{1 \le n \le 511} \sum_{i<8} |e^{in\theta_i} - 1|^2]],
  ["su/key-region"] = [[|\cos (k+1)\theta_i - \cos k\theta_i|]],
  ["su/learned-beats-sinusoidal"] = [[L(p_{\text{learned}}) < L(p_{\text{sinusoidal}})]],
  ["su/full-taylor-comment"] = [[\cdots + \sum_{i \ne m,n} \frac{\partial f}{\partial x_i}(x_i-a_i)
    + \frac{1}{2!}[\sum_{i,j \ne m,n} \frac{\partial^2 f}{\partial x_i \partial x_j}(x_i-a_i)(x_j-a_j) + \cdots]
    + \frac{\partial^2 f}{\partial x_m \partial x_n} p_mp_n]],
  ["su/relative-meaning"] = [[PE(x+k) = \alpha PE(x),\quad PE(x_1+k)-PE(x_1) = PE(x_2+k)-PE(x_2)]],
  ["su/covariance-vs-hessian"] = [[\mathcal{H} = I]],
}

local by_id = {}
for _, claim in ipairs(claims) do
  by_id[claim.id] = claim
  claim.formula = formulas[claim.id]:gsub("%s*\n%s*", " ")
end

local said = {
  ["sa/sinusoid-periods"] = "hedge", ["su/decay"] = "hedge", ["su/only-theta-t-crosses"] = "hedge", ["su/farther-is-weaker"] = "hedge",
  ["su/norm-and-score"] = "reply", ["su/covariance-vs-hessian"] = "reply",
  ["su/theta-table"] = "comment", ["su/full-taylor-comment"] = "comment", ["su/relative-meaning"] = "question",
}
for _, claim in ipairs(claims) do
  if claim.stance == "erratum" then claim.said = said[claim.id] or "statement" end
end

-- What else the sources say, by document and line: a part of a claim above, or not checkable and why.
local further = {
  {"pe", 95, "XLNet splits the key weights into two", "XLNet 把键的权重分成两个", nil, "a choice of model, not a statement", "这是模型的取法，不是论断"},
  {"pe", 107, "relative scores are added without 1/√d (Implementation 1)", "实现一中相对打分没有除以 √d", nil,
   "the program does not show where the scores are divided", "程序没有写出打分在哪里除以 √d"},
  {"pe", 121, "the same in Implementation 2", "实现二也一样", nil, "the program does not show where the scores are divided", "程序没有写出打分在哪里除以 √d"},
  {"pe", 141, "a complex number as a matrix", "用矩阵表示复数", "pe/complex-matrix"},
  {"pe", 175, "minimal perplexity degradation", "困惑度几乎不变差", "pe/ntk-perplexity"},
  {"sa", 6, "long distances are hard to learn, because of gradients", "长距离难学，因为梯度", "sa/rnn-distance"},
  {"sa", 7, "linear order isn't the right way to think about sentences", "线性次序不是看待句子的正确方式", nil, "an opinion on language", "这是对语言的看法"},
  {"sa", 9, "the backward pass has O(sequence length) steps too", "反向传播也要 O(序列长度) 步", "sa/rnn-parallel"},
  {"sa", 10, "GPUs perform many independent computations at once", "GPU 能同时做许多独立的计算", nil, "a fact about hardware, not about a formula", "说的是硬件，不是公式"},
  {"sa", 39, "the mask enables parallel training", "掩码使训练能够并行", "sa/mask-parallel"},
  {"sa", 40, "the list of necessities", "必要部件的清单", nil, "a list of design choices", "这是设计上的清单"},
  {"sa", 52, "scaling aids training", "缩放有助于训练", nil, "needs training runs; what is checked is the gradient, in sa/scaled-gradients",
   "需要训练才知道；已验证的是梯度（sa/scaled-gradients）"},
  {"su", 39, "the decay comes from oscillation", "衰减源于高频振荡", "su/decay"},
  {"su", 51, "10000^-t is a compromise; the author would take 1000", "10000^-t 是折中；作者会选 1000", nil, "a preference", "这是偏好"},
  {"su", 59, "the second sum, in m+n, decays as well", "含 m+n 的第二个和同样衰减", "su/weighted-decay"},
  {"su", 61, "the integral vanishes under conditions easily met", "在容易达到的条件下积分趋于零", "su/weighted-decay"},
  {"su", 62, "a dominant diagonal means little correlation", "对角占主项意味着相关性小", "su/covariance-vs-hessian"},
  {"su", 66, "assuming H = I is probably no great problem", "假设 H = I 可能问题不大", nil, "an opinion; how H looks is shown in su/diagonal-dominance",
   "这是看法；H 的样子见 su/diagonal-dominance"},
  {"su", 87, "a reader: f is a function of the set of inputs", "读者：f 是输入集合的函数", "su/symmetry"},
  {"su", 119, "over-parametrisation is a key to success", "过参数化是成功的关键", nil, "an opinion on neural networks at large", "这是对神经网络的总体看法"},
  {"su", 128, "a reader: compute only near the key dimensions", "读者：只在关键区域附近计算", "su/key-region"},
  {"su", 135, "absolute position: the model is told m", "绝对位置：告诉模型位置是 m", nil, "a definition", "这是定义"},
  {"su", 136, "relative position: the model is told n - m", "相对位置：告诉模型位置差是 n - m", nil, "a definition", "这是定义"},
  {"su", 147, "the norm meant is that of the input embedding", "指的是输入嵌入的模长", nil, "what the author computed, on a model that is not given",
   "说的是作者在某个模型上的计算"},
}
for i, f in ipairs(further) do
  further[i] = {source = f[1], line = f[2], en = f[3], zh = f[4], claim = f[5], why = f[6] and {en = f[6], zh = f[7]}}
end

-- The lessons as a student meets them; one that is not named here comes after these.
local order = {
  "order", "attention", "recurrence", "absolute", "sinusoids", "origin", "decay", "hessian", "relative", "rope", "context",
  "training", "modern", "precision", "errata", "proof",
}

-- The lessons that take longest to check, the longest first: so they begin, and no process has one left when the others are done.
local longest = {"decay", "sinusoids", "training", "modern", "attention", "order", "hessian", "origin", "proof", "context", "relative",
                 "recurrence", "precision"}

return {sources = sources, claims = claims, by_id = by_id, further = further, order = order, longest = longest}
