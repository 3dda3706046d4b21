-- glossary.lua: the terms of the field in both languages, each with a sentence or two and the lesson it belongs to.

local host = require "phasor.course.host"
local nearest = require "phasor.course.nearest"
local prose = require "phasor.document.prose"
local trim = require "phasor.document.trim"

local M = {}

local terms = {}
local function G(en, zh, lesson, text_en, text_zh)
  terms[#terms + 1] = {en = en, zh = zh, lesson = lesson, text = {en = text_en, zh = text_zh}}
end

-- ---- order and attention --------------------------------------------------------------------------------------------

G("position encoding", "位置编码", "order",
  "What tells a model where a token stands: a vector added to the token, a rotation of queries and keys, or a bias on the scores.",
  "告诉模型每个词元站在哪里的办法：加在词元上的向量、对查询和键的旋转，或加在打分上的偏置。")
G("token", "词元", "order",
  "One unit of a text as a model reads it: a word, a part of one, or a character.",
  "模型读入文本的最小单位：一个词、词的一部分，或一个字。")
G("permutation equivariance", "置换等变性", "order",
  "Shuffling the inputs shuffles the outputs in the same way and does nothing else. Attention without positions has it, so it cannot tell orders apart.",
  "输入打乱，输出就同样地打乱，此外毫无变化。不带位置的注意力就是这样，所以分不清次序。")
G("self-attention", "自注意力", "attention",
  "Every token asks all tokens with its query, weighs them by the softmax of scaled inner products with their keys, and takes the weighted mean of their values.",
  "每个词元带着自己的查询去问所有词元，用与各个键的缩放内积做 softmax 得到权重，再对各个值求加权平均。")
G("query, key, value", "查询、键、值", "attention",
  "Three linear images of each token: what it looks for, what it is found by, what it gives.",
  "每个词元的三个线性像：它要找什么、凭什么被找到、给出什么。")
G("attention score", "注意力打分", "attention",
  "The scaled inner product of a query and a key, before the softmax.",
  "查询与键的缩放内积，还没有做 softmax。")
G("attention head", "注意力头", "attention",
  "One attention with matrices of its own; several work side by side on parts of the dimension.",
  "带有自己一套矩阵的一次注意力；多个头并排工作，各管一部分维度。")
G("causal mask", "因果掩码", "attention",
  "Scores of tokens that come later are set to minus infinity, so that a token sees only itself and those before it.",
  "把后面词元的打分置为负无穷，使每个词元只看得见自己和前面的词元。")
G("residual connection", "残差连接", "attention",
  "A layer's input is added to its output.",
  "把一层的输入加到它的输出上。")
G("layer normalization", "层归一化", "attention",
  "A token's vector is shifted to mean 0 and scaled to variance 1, then scaled and shifted by learned numbers.",
  "把词元向量平移、缩放到均值 0、方差 1，再乘上、加上学到的数。")
G("recurrence", "循环", "recurrence",
  "Each state is made from the one before; so the distance between two tokens is as long as the text between them; nothing runs in parallel unless the step is linear, by a scan.",
  "每个状态由前一个算出；所以两个词元之间的路径与相隔的文本一样长；非线性时无法并行（线性的可用扫描）。")

-- ---- absolute -------------------------------------------------------------------------------------------------------

G("absolute position encoding", "绝对位置编码", "absolute",
  "A vector for each position, added to the token that stands there.",
  "每个位置一个向量，加到站在那里的词元上。")
G("learned position embedding", "可学习的位置嵌入", "absolute",
  "A table with one trained row per position. Beyond its last row there is nothing.",
  "一张表，每个位置一行，由训练得来。超出最后一行，就什么也没有。")
G("sinusoidal position encoding", "正弦位置编码", "sinusoids",
  "The absolute encoding by sines and cosines of $t\\theta_i$, $\\theta_i = 10000^{-2i/d}$; moving on by k steps is a rotation.",
  "用 $t\\theta_i$ 的正弦和余弦写成的绝对编码，$\\theta_i = 10000^{-2i/d}$；再走 k 步就是一次旋转。")
G("frequency", "频率", "sinusoids",
  "By how many radians a pair of columns turns in one step, $\\theta_i$. High frequencies are the first pairs, low ones the last.",
  "一对列每走一步转过的弧度数 $\\theta_i$。排在前面的对频率高，后面的低。")
G("wavelength", "波长", "sinusoids",
  "After how many steps a pair comes round: $2\\pi/\\theta_i$.",
  "一对转满一圈所需的步数：$2\\pi/\\theta_i$。")
G("base", "底数", "sinusoids",
  "The number 10000 in $10000^{-2i/d}$; a larger one makes all but the first pair slower.",
  "$10000^{-2i/d}$ 中的 10000；取得更大，除第一对外各对都转得更慢。")
G("Taylor expansion", "泰勒展开", "origin",
  "A function near a point as a polynomial of the step; to second order it separates what each position does alone from what two do together.",
  "在一点附近把函数写成步长的多项式；展开到二阶，就分清了各个位置单独的作用和两个位置的共同作用。")
G("Hessian matrix", "海森矩阵", "hessian",
  "The matrix of second derivatives; its mixed block says how two positions act together.",
  "二阶导数组成的矩阵；其中的混合块说明两个位置怎样共同起作用。")
G("long-range decay", "远程衰减", "decay",
  "The inner product of two position codes falls with their distance, on average and not evenly.",
  "两个位置编码的内积随距离增大而下降，但只是大体如此，并不均匀。")
G("oscillatory integral", "振荡积分", "decay",
  "An integral of a quickly turning function, like $\\int_0^1\\cos(x\\theta_t)\\,dt$: positive and negative parts nearly cancel, so it decays in $x$.",
  "对快速摆动的函数求的积分，如 $\\int_0^1\\cos(x\\theta_t)\\,dt$：正负部分几乎抵消，所以随 $x$ 衰减。")

-- ---- relative -------------------------------------------------------------------------------------------------------

G("relative position encoding", "相对位置编码", "relative",
  "What counts is the distance from the asking token to the asked one, not where they stand.",
  "起作用的是发问词元与被问词元之间的距离，而不是它们各自的位置。")
G("clipping", "截断", "relative",
  "All distances beyond a limit are treated as the limit, so that a finite table is enough.",
  "超过上限的距离一律当作上限，这样有限的一张表就够用。")
G("Toeplitz matrix", "托普利茨矩阵", "relative",
  "A matrix that is constant along its diagonals: its entries depend on the distance only.",
  "每条对角线上取值都相同的矩阵：各项只取决于距离。")
G("position bias", "位置偏置", "relative",
  "A number added to a score, which depends on the distance alone (T5, ALiBi, KERPLE).",
  "加在打分上的一个数，只取决于距离（T5、ALiBi、KERPLE）。")
G("ALiBi", "线性偏置（ALiBi）", "relative",
  "Attention with linear biases: from each score a multiple of the distance is subtracted, with a slope of its own for each head.",
  "带线性偏置的注意力：每个打分减去距离的若干倍，各个头斜率不同。")
G("bucket", "分桶", "relative",
  "In T5, distances that share one bias: each near distance has its own, far ones are grouped logarithmically.",
  "T5 中共用一个偏置的一组距离：近处各有各的，远处按对数归并。")
G("disentangled attention", "解耦注意力", "relative",
  "In DeBERTa, content and position have vectors of their own, and scores of content to content, content to position and position to content are added.",
  "DeBERTa 的做法：内容与位置各用一套向量，打分由内容对内容、内容对位置、位置对内容三项相加。")

-- ---- rotary and long contexts ---------------------------------------------------------------------------------------

G("rotary position embedding (RoPE)", "旋转位置编码（RoPE）", "rope",
  "Each pair of a query's and a key's components is turned by the angle $m\\theta_i$; in the inner product only the difference of positions is left.",
  "把查询和键的分量两两成对，各转过角度 $m\\theta_i$；做内积时就只剩位置之差。")
G("interleaved and half layout", "交错排法与对半排法", "rope",
  "Which components form a pair: neighbours (2i, 2i+1), or i and i+d/2. The two differ by a permutation of the columns, and mixing them is a common mistake.",
  "哪两个分量成一对：相邻的 2i 与 2i+1，还是 i 与 i+d/2。两者只差列的一个排列，混用是常见的错误。")
G("context length", "上下文长度", "context",
  "How many tokens a model can take in; beyond the training length the phases are ones it has never met.",
  "模型能读入的词元数；超过训练长度，遇到的就是从没见过的相位。")
G("extrapolation", "外推", "context",
  "Using positions beyond those of training as they are.",
  "直接使用训练时没有出现过的、更远的位置。")
G("position interpolation (PI)", "位置内插（PI）", "context",
  "All positions are divided by the factor by which the context grows, so that no phase is new; neighbours come closer together.",
  "把所有位置除以上下文放大的倍数，就没有新的相位；代价是相邻位置挨得更近。")
G("NTK-aware scaling", "NTK 感知缩放", "context",
  "The base is enlarged so that the lowest frequency is interpolated in full and the highest stays as it is.",
  "把底数调大，使最低频恰好完全内插，而最高频保持不变。")
G("extrapolating high, interpolating low frequencies", "高频外推、低频内插", "context",
  "The idea behind NTK-aware scaling and YaRN: pairs that have come round often in training may go on; those that have not are slowed down.",
  "NTK 感知缩放与 YaRN 背后的想法：训练时已经转过许多圈的高频照旧往前走，没转满的低频则放慢。")
G("YaRN", "YaRN", "context",
  "Interpolates pair by pair, by how often each has come round in the training length, with a ramp between, and scales the scores.",
  "按每一对在训练长度内转过的圈数逐对决定内插多少，中间用斜坡过渡，并缩放打分。")
G("ramp", "斜坡函数", "context",
  "From 0 to 1 on a straight line between two bounds and constant outside; in YaRN the share of interpolation.",
  "在两个界之间从 0 直线升到 1、界外取常数的函数；YaRN 用它定内插的比例。")

-- ---- precision and proof --------------------------------------------------------------------------------------------

G("phase", "相位", "precision",
  "The angle $t\\theta_i$ whose sine and cosine are taken; it wants more bits than they do.",
  "要取正弦、余弦的那个角 $t\\theta_i$；它所需的位数比结果多。")
G("double-double", "双双精度（double-double）", "precision",
  "A number kept as the sum of two: the second holds what rounding took from the first.",
  "把一个数存成两个数之和：第二个装着第一个舍入时丢掉的部分。")
G("half precision (f16, bf16)", "半精度（f16、bf16）", "precision",
  "Numbers of 16 bits: f16 has 11 bits for the digits, bf16 only 8.",
  "16 位的数：f16 有 11 位有效位，bf16 只有 8 位。")
G("unit in the last place (ulp)", "末位单位（ulp）", "precision",
  "The distance from a number to the next one that can be written.",
  "一个数到下一个可表示的数之间的距离。")
G("exact number", "精确数", "proof",
  "What a formula may hold: whole numbers, rat(1, 10), Pi. Lua's whole numbers wrap at 2^63: a formula refuses what is beyond 2^53, "
  .. "but what a loop has wrapped to less looks like any other. Begin a product there with rat(1).",
  "公式里可以出现的数：整数、rat(1, 10)、Pi。Lua 的整数到 2^63 就回绕：超过 2^53 的，公式会拒绝；"
  .. "循环里回绕成较小的数，却与别的数无异。所以循环里的连乘要从 rat(1) 开始。")
G("verdict", "判定", "proof",
  "What a check gives: proved, certified, measured, refuted or unknown, with its reason.",
  "检查的结论：已证明、已严格验证、实测、已反驳或未定，并附理由。")
G("proved", host.strength("proved", "zh"), "proof",
  "Decided exactly by symbols, for all values.",
  "用符号精确判定，对一切取值成立。")
G("certified", host.strength("certified", "zh"), "proof",
  "Enclosed by balls that contain the exact values: true on a whole box, rounding included.",
  "用必定包含精确值的球围住：在整个区域内成立，舍入也算在内。")
G("measured", host.strength("measured", "zh"), "proof",
  "Computed in floating point and held against a bound that was derived beforehand.",
  "用浮点数算出，并与事先推导的界对照。")
G("refuted", host.strength("refuted", "zh"), "proof",
  "False, shown by a point at which it fails.",
  "不成立，并附一个使它不成立的反例。")
G("unknown", host.strength("unknown", "zh"), "proof",
  "Neither shown nor refuted, with the reason: outside the theory, out of budget, undefined, or in need of data.",
  "既没有得到证实，也没有被驳倒，并附理由：超出判定理论、超出预算、无定义，或缺少数据。")
G("witness", "反例点", "proof",
  "A point at which a refuted statement is false.",
  "使被驳倒的命题不成立的一个点。")
G("mutant", "变异体", "proof",
  "A formula spoiled in one small way; a check that does not notice is no check.",
  "被改坏一小处的公式；看不出来的检查就算不上检查。")
G("erratum", "勘误", "errata",
  "A claim that is wrong as its source has it: refuted as written, and established as mended.",
  "原文有误的论断：照原样驳倒，改正之后再加以确认。")

-- ---- words that the lessons use without a section of their own ------------------------------------------------------------------

G("softmax", "softmax", "attention",
  "$e^{x_i}$ over the sum of all $e^{x_j}$: scores become positive weights that add up to 1.",
  "$e^{x_i}$ 除以所有 $e^{x_j}$ 之和：把打分变成总和为 1 的正权重。")
G("equivariant, invariant", "等变、不变", "order",
  "Equivariant: the output changes in the same way as the input. Invariant: the output does not change.",
  "等变：输入怎样变，输出就同样地变。不变：输出不变。")
G("aliasing", "混叠", "sinusoids",
  "Different frequencies, or positions a whole turn apart, give the same sampled values, so they cannot be told apart.",
  "不同的频率，或相差整圈的位置，采样值相同，因而无法区分。")
G("embedding", "嵌入", "absolute",
  "A vector that stands for a token or a position, one row of a table.",
  "代表一个词元或一个位置的向量，是表中的一行。")
G("logit", "logit", "attention",
  "A score before the softmax.",
  "softmax 之前的分数。")
G("temperature", "温度", "context",
  "A factor on the scores before the softmax. Larger scores make the weights sharper; YaRN and log-n scaling use one.",
  "softmax 之前乘在打分上的因子。打分越大，权重越尖锐；YaRN 和 log-n 缩放都用到它。")
G("linear attention", "线性注意力", "relative",
  "Attention whose weights are inner products of feature maps, so that sums over keys can be carried along instead of computed anew.",
  "权重是特征映射内积的注意力，对键的求和可以累积，不必每次重算。")
G("sliding window", "滑动窗口", "attention",
  "A mask that lets a token see only the last so many tokens.",
  "只让词元看见最近若干个词元的掩码。")
G("attention sink", "注意力汇", "context",
  "The first tokens, which collect weight whatever they say, since the weights must add up to 1.",
  "开头的几个词元：权重总和必须为 1，所以不论内容如何它们都会吸走权重。")
G("key-value cache", "键值缓存", "attention",
  "The keys and values of earlier tokens, kept while a text is produced. Keys are usually kept after their rotation.",
  "生成文本时保存下来的先前词元的键和值。键通常在旋转之后保存。")
G("rotation matrix", "旋转矩阵", "rope",
  "A matrix with rows $(\\cos a, -\\sin a)$ and $(\\sin a, \\cos a)$: it turns the plane by the angle a and keeps lengths.",
  "两行为 $(\\cos a, -\\sin a)$ 与 $(\\sin a, \\cos a)$ 的矩阵：把平面转过角 a，长度不变。")
G("orthogonal matrix", "正交矩阵", "rope",
  "A matrix whose transpose is its inverse; it keeps inner products.",
  "转置等于逆的矩阵；它保持内积。")
G("inner product", "内积", "rope",
  "The sum of products of the entries of two vectors.",
  "两个向量对应分量之积的和。")
G("partial rotation", "部分旋转", "rope",
  "Only the first columns of queries and keys turn; the others carry content without position.",
  "只有查询和键的前面若干列被旋转；其余各列只带内容、不带位置。")
G("no position encoding (NoPE)", "无位置编码（NoPE）", "order",
  "A model without any encoding of positions; a causal mask alone already tells orders apart.",
  "不带任何位置编码的模型；只靠因果掩码就已经能分辨次序。")
G("strength of a verdict", "判定的强度", "proof",
  "How much a verdict says, refuted, proved, certified or measured: false, with a point that shows it; true by exact algebra; true by rigorous bounds; seen in floating point, within a derived bound.",
  "判定说明了多少：已反驳（给出反例点）；已证明（由精确代数得出）；已严格验证（由严格的界得出）；"
  .. "实测（浮点计算，误差在推导出的界内）。")

-- ---- looking up -----------------------------------------------------------------------------------------------------

M.terms = terms

local function other(lang) return lang == "zh" and "en" or "zh" end

local function entry(t, lang)
  local head = ("%s  ·  %s"):format(t[lang], t[other(lang)])
  return head .. "\n" .. prose.render(t.text[lang], 72):gsub("([^\n]+)", "    %1") .. "\n    lesson \"" .. t.lesson .. "\"\n"
end

local function row(t, lang, column)
  return "  " .. t[lang] .. (" "):rep(math.max(2, column - prose.width(t[lang]))) .. t[other(lang)] .. "\n"
end

-- The terms that were probably meant: some of their words are near what was asked.
local function near(word)
  local names, of = {}, {}
  for _, t in ipairs(terms) do
    for name in (t.en:lower() .. " " .. t.en:lower():gsub("%A", " ")):gmatch("%S+") do
      names[#names + 1], of[name] = name, of[name] or {}
      table.insert(of[name], t)
    end
    names[#names + 1], of[t.en:lower()] = t.en:lower(), {t}
  end
  local out, seen = {}, {}
  for _, name in ipairs(nearest.names(word, names, 6)) do
    for _, t in ipairs(of[name]) do
      if not seen[t] and #out < 3 then out[#out + 1], seen[t] = t, true end
    end
  end
  return out
end

local function matching(word)
  local whole, part = {}, {}
  for _, t in ipairs(terms) do
    if t.en:lower() == word or t.zh:lower() == word then whole[1] = t end
    if t.en:lower():find(word, 1, true) or t.zh:lower():find(word, 1, true) then part[#part + 1] = t end
  end
  return #whole > 0 and whole or part
end

local function entries(found, lang)
  local out = {}
  for i, t in ipairs(found) do out[i] = entry(t, lang) end
  return table.concat(out, "\n")
end

local function list(lang)
  local out, column = {}, 0
  for _, t in ipairs(terms) do column = math.max(column, math.min(prose.width(t[lang]), 46) + 2) end
  for i, t in ipairs(terms) do out[i] = row(t, lang, column) end
  return table.concat(out)
end

-- What a term means, or what is near it, or the list of all (nothing asked). Was something found?
function M.text(asked, lang)
  local word = trim.both(asked:lower())
  if word == "" then return list(lang), true end
  local found = matching(word)
  if #found > 0 then return entries(found, lang), true end
  found = near(word)
  local none = (lang == "zh" and "没有“%s”这个词条" or "no term \"%s\""):format((asked:gsub("[%c\x7F]", "?")))
  if #found > 0 then return none .. (lang == "zh" and "；最接近的：\n\n" or "; the nearest:\n\n") .. entries(found, lang), true end
  return none .. (lang == "zh" and "；glossary() 列出全部。\n" or "; glossary() lists them all\n"), false
end

return M
