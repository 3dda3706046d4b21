-- chinese.lua: in Chinese, what the first line of a name's help says, and what the topics of help are called. Every name that a lesson uses has
-- a line here (tests/lua/test_chinese_help.sh); of the others the English line is shown.
local M = {}

M.topics = {
    ["analysis"] = "分析", ["arithmetic"] = "算术", ["arrays"] = "数组", ["attention"] = "注意力", ["certificates"] = "严格验证",
    ["comparison and choice"] = "比较与选取", ["complex numbers"] = "复数", ["derivatives"] = "导数", ["double-doubles"] = "双双精度",
    ["elementary functions"] = "初等函数", ["files"] = "文件", ["formulas"] = "公式", ["help"] = "说明", ["layers"] = "网络层",
    ["linear algebra"] = "线性代数", ["making arrays"] = "创建数组", ["numbers"] = "常数", ["optimisers"] = "优化器", ["pictures"] = "图",
    ["positional encodings"] = "位置编码", ["proofs"] = "证明", ["random numbers"] = "随机数", ["rearranging"] = "重排",
    ["recurrences"] = "递归", ["reductions"] = "归约", ["scanning and sorting"] = "扫描与排序", ["the course"] = "课程",
    ["the language"] = "语言", ["the session"] = "会话", ["training"] = "训练", ["verdicts"] = "判定",
}

M.names = {
    -- numbers, arrays
    pi = "圆周率 π，3.14159……", inf = "无穷大。", nan = "不是数；与任何值都不相等，包括它自己。", I = "虚数单位，complex(0, 1)。",
    array = "由嵌套的表创建数组。", zeros = "全零数组。", ones = "全一数组。", full = "各元素都是同一个值的数组。",
    eye = "单位阵：对角线为 1，其余为 0。",
    range = "从 first 起，每次加 step，直到 last（含）的各数。", linspace = "从 first 到 last 等距的 n 个数，两端精确。",
    halves = "把 x 的各数存成 16 位，省一半内存。",
    fromfunction = "元素为 A(i, j) = f(i, j) 的数组。", rng = "随机数生成器；同一个种子在哪里都给出同样的数。",
    rand = "0 到 1 之间均匀分布的随机数（不含 1）。", randn = "均值 0、方差 1 的正态随机数。",
    dd = "约 32 位十进制精度的数：两个数 hi + lo 之和，不合并。",
    read = "读取文件中的数组：.npy、.npz、.safetensors 或 .csv。",
    -- arithmetic, functions
    abs = "绝对值 |x|；复数的模。", sign = "按 x 的符号取 -1、0 或 1。", square = "平方 x * x。", minimum = "逐元素取两者中较小的。",
    maximum = "逐元素取两者中较大的。", floor = "不超过 x 的最大整数。", round = "最近的整数；恰在中间时取偶数。", exp = "指数函数 e^x。",
    log = "自然对数。", log2 = "以 2 为底的对数。", sqrt = "平方根。", sin = "正弦。", cos = "余弦。", tanh = "双曲正切。",
    erf = "误差函数：2/√π 乘以 e^(-t^2) 从 0 到 x 的积分。",
    quantize = "把 x 舍入到更小的浮点格式，数组的类型不变。", re = "实部。", im = "虚部；实数的虚部为 0。", conj = "共轭复数 re - im i。",
    angle = "复数的相位，弧度，大于 -π、不超过 π。", cis = "cos x + i sin x：相位为 x 的单位复数。",
    -- comparison
    find = "条件成立的位置，从 1 数起。", eq = "x 等于 y 的地方（布尔值）。",
    ne = "x 不等于 y 的地方（布尔值）。", lt = "x 小于 y 的地方（布尔值）。",
    le = "x 不大于 y 的地方（布尔值）。", gt = "x 大于 y 的地方（布尔值）。",
    ge = "x 不小于 y 的地方（布尔值）。", logical_and = "两者都为真的地方。",
    logical_or = "至少一个为真的地方。", where = "条件为真处取 x，否则取 y。", isnan = "x 为 nan 的地方。", isfinite = "x 既非无穷也非 nan 的地方。",
    allclose = "是否处处 |a - b| <= atol + rtol |b|。",
    -- reductions, order, shape
    sum = "求和。", mean = "算术平均。", std = "标准差：方差的平方根。",
    norm = "欧几里得范数，不会溢出；矩阵则为弗罗贝尼乌斯范数。", min = "最小的元素。",
    max = "最大的元素。", argmin = "最小元素的下标，从 1 数起；相等时取第一个。", argmax = "最大元素的下标，从 1 数起；相等时取第一个。",
    any = "是否至少一个元素为真。", all = "是否所有元素都为真。", cumsum = "累加和。", sort = "从小到大排列；nan 在最后。",
    argsort = "使 x 排好序的下标，从 1 数起；相等的元素次序不变。", reshape = "元素及其行主序不变，换一个形状。", permute = "重排各个维度。",
    transpose = "交换最后两维：矩阵转置，或逐个转置一叠矩阵。", flip = "沿一个轴（或所有轴）倒序。", concat = "沿已有的轴拼接数组。",
    stack = "把同形状的数组沿新的轴叠起来。", take = "取出给定下标的元素或行。", diag = "矩阵的对角线；或以它为对角线的矩阵。",
    triu = "上三角，其余为 0。", tril = "下三角，其余为 0。",
    -- linear algebra
    matmul = "矩阵乘积。", dot = "向量或矩阵的乘积；两个向量的点积是一个数。", outer = "两个向量的外积：元素为 x[i] y[j] 的矩阵。",
    kron = "克罗内克积：A 的每个元素乘以整个 B。", lstsq = "最小二乘：使 |A x - b| 最小的 x。", det = "行列式。", inv = "逆矩阵。",
    qr = "QR 分解：列正交的 Q 与上三角的 R，A = matmul(Q, R)。", svdvals = "奇异值，从大到小。", rank = "秩：不为 0 的奇异值个数。",
    cond = "条件数：最大奇异值与最小奇异值之比。",
    eigh = "对称矩阵的特征值（从小到大）与特征向量。", eig = "任意方阵的特征值与特征向量（复数）。",
    -- layers and attention
    softmax = "e^x 除以 e^x 之和：和为 1 的权重。", layer_norm = "层归一化：各行均值 0、方差 1，再乘增益、加偏置。",
    attention = "缩放点积注意力：softmax(scale Q K^T + bias) V。", attention_weights = "注意力权重 softmax(scale Q K^T + bias)：(..., H, T, S)。",
    causal_mask = "因果掩码：看不见后面的词时，查询能看见谁，即 j <= i。", window_mask = "窗口掩码：距离小于 w 的键，|i - j| < w。",
    rel_shift = "把按距离排列的打分移到各自的键上：Transformer-XL 的平移。", multi_head = "多头注意力，每个头用自己的几列；由 Wo 合并。",
    feed_forward = "前馈网络，逐个位置：f(X W1 + b1) W2 + b2。", residual = "残差：X + f(X)。",
    encoder_block = "编码器块：自注意力、前馈网络，各带残差与归一化。", init_encoder = "encoder_block 的参数：d 列，n 个隐藏单元。",
    count_parameters = "表中各数组（含嵌套的表）一共有多少个数。", rnn = "循环神经网络：h_t = tanh(x_t Wx + h_(t-1) Wh + b)。",
    recurrence = "线性递归 h_t = a_t h_(t-1) + b_t，逐元素。",
    -- derivatives
    grad = "函数的梯度（仍是函数）：除舍入外精确。",
    vjp = "反向求导：f(x) 与 w J，J 是 f 的雅可比矩阵。", jacobian = "函数的雅可比矩阵（仍是函数）。",
    hessian = "函数的二阶导数矩阵（仍是函数）。", taylor = "f(x + t v) 对 t 的泰勒系数，到 4 阶为止。", graph = "f(x, ...) 的计算图。",
    mixed_hessian = "对 X 的两行求的二阶导数：d2f/dx_m dx_n，(d, d)。", taylor_terms = "两行移动时 f 的二阶展开：六个数。",
    remainder_order = "展开式略去的部分消失得多快：拟合的阶。", hessian_parts = "小块 H 的哪些部分使 p_m' H p_n 只取决于 m - n。",
    gradient_descent = "梯度下降：x <- x - rate g。",
    -- formulas, proofs, certificates
    sym = "公式里的符号，每个名字一个。", rat = "精确的分数 p/q，或文字所写的数。", Pi = "公式里精确的 π（pi 是它的浮点值）。",
    Ci = "余弦积分 Ci(x) = γ + ln x + ∫₀ˣ (cos t − 1)/t dt。", Si = "正弦积分 Si(x) = ∫₀ˣ sin t / t dt。", derivative = "公式的导数（仍是公式）。",
    subst = "把公式中每个自由的 x 换掉。", matrix = "元素为公式的矩阵。", symmatrix = "元素为符号的矩阵：W11、W12……",
    evaluate = "符号取给定值时公式的值。", prove = "判定对符号的一切取值 lhs = rhs；或判定一个命题。",
    mutants = "把真的公式处处改动一点，逐一判定。", null_space = "A x = 0 的全部解，精确：一组基（按列）与维数。",
    expectation = "符号独立、均值 0、方差 1 时 f 的均值。", variance = "符号独立、均值 0、方差 1 时 f 的方差。",
    symmetric = "符号任意置换时 f 是否不变。", induct = "对递推式用归纳法：对一切整数 n >= from 有 a[n] = ...。",
    certify = "用球算术判定一个命题在整个区域的每一点都成立。", monotone = "从一端到另一端，f 对 x 是递增还是递减。",
    enclose = "公式的值，装在必定包含它的球（Ball）里，位数任意。", integral = "公式对一个符号的积分，装在必定包含它的球里。",
    roots = "f 在区间里的全部根，各装在一个球里，并证明没有别的根。", certify_table = "把表的每个元素与公式的精确值对照。",
    measure = "由偏差作出的判定：与推导出来的界比较。",
    -- the course
    check = "检验各条论断，逐条打印判定。", claims = "列出三份资料的每条论断，以及是否已有定论。",
    trained = "给 check 的那个模型的嵌入：词与位置。",
    lesson = "打开一课；不带名字则列出全部课程。", glossary = "术语表。", experiment = "一个实验的判定，用于论断的单元。",
    experiment_results = "一个实验的结果：R:values(measure, {factor = value})。", named = "给判定一个自己的说法，用于论断的单元。",
    fails = "反例，用于论断的单元：v 必须被驳倒。", also = "命题之外的旁证，用于论断的单元。",
    figure = "判定文中的数值：x 同样舍入后是否就是所写的。",
    says = "取所用语言的那段文字：课程的语言，或提示符的语言。", why = "显示一个判定的由来。", cited = "判定之外，附上此处不证明的引文。",
    in_bounds = "把偏差量成各自的界的几分之几。",
    -- training
    task = "生成的任务：源源不断的批次。", trainer = "一次训练，一步一步地走：for step, loss in run do ... end。",
    train = "训练到底，显示进度，留下最好的。", probe = "打开一个训练好的模型来看。",
    -- encodings
    alibi = "ALiBi 的打分偏置 (H, T, keys)：-slope |m - n|。", alibi_slopes = "ALiBi 各头的斜率，(H)。",
    cope = "CoPE 的打分 (..., T, S)：位置由依内容开合的门来计数。", deberta = "DeBERTa 的解耦打分 (..., T, S)，除以 sqrt(3 d)。",
    fire = "FIRE 的打分偏置 (H, T, keys)：psi(m-n) / psi(max(m, L)) 经过一个网络。", kerple = "KERPLE 的打分偏置 (H, T, keys)：|m - n| 的核函数。",
    learned = "学来的绝对位置：表的各行，(T, d)。", logn = "log-n 缩放：查询 (..., T, d) 乘以 max(1, ln(m+1) / ln train)。",
    nope = "不用位置编码：只有因果掩码，作为打分偏置 (T, keys)。", rerope = "ReRoPE 的打分 (..., T, S)：旋转的距离以窗口为上限。",
    rope = "旋转位置编码：转动查询或键 (..., T, d)。", rope_frequencies = "旋转的频率：两个数组 (d/2)，高位与低位。",
    rope_axes = "按几个位置来旋转：二维、M-RoPE。(..., T, d)。", shaw = "Shaw 的打分 (..., T, S)：q_m . (k_n + a_(n-m)) / sqrt(d)。",
    shaw_values = "Shaw 的输出 (..., T, dv)：weights (v_n + a_(n-m)) 之和。", sinusoidal = "正弦位置编码 (T, d)：t theta_i 的正弦与余弦。",
    t5 = "T5 的打分偏置 (H, T, keys)，取自学来的分桶表。", t5_bucket = "T5 里一个相对位置的桶号，从 0 数起。",
    tener = "TENER 的打分 (..., T, S)：分方向的正弦编码，不缩放。", transformer_xl = "Transformer-XL 的打分 (..., T, S)：m - n 的正弦编码，自由的 u 与 v。",
    xpos = "带衰减的旋转：转动并伸缩查询或键 (..., T, d)。", relativity_deviation = "打分离 m - n 的函数有多远。",
    rope_config = "一个模型的 config.json 规定它怎样旋转，读成各函数的选项。",
    longest_context = "旋转遇到训练时没见过的相位之前，上下文最长可以有多长。", atlas = "每种编码对每条规律，每格一个判定。",
    -- pictures, the session
    plot = "画曲线；也可以 plot(y)、plot(f, {a, b})、plot({f, g}, {a, b})。", heatmap = "用颜色画矩阵，带色标；第一行在最上面。",
    circle = "在单位圆上画箭头。", panels = "把几幅图并排放。",
    picture = "课程里的图，由数据画出；不带名字则列出全部。", vary = "参数可以移动的图。",
    display = "在单元执行的中途显示一个值。", help = "说明一个函数、方法或主题。", search = "在说明、课程与术语表里查找。",
}

return M
