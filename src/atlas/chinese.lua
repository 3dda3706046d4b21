-- chinese.lua: what the atlas says, in Chinese: its laws (name, what it says, head of a narrow column), the kinds of encodings, and the
-- phrases of its verdicts.

local M = {}

M.laws = {
  relative = {"相对性", "打分只取决于 q、k 和 m - n", "相对"}, even = {"偶性", "打分只取决于 |m - n|", "偶"},
  direction_aware = {"辨方向", "查询前后的键打分不同", "辨向"},
  bounded = {"有界性", "各位置上的数都落在同一区间内", "有界"}, decaying = {"衰减性", "内容相同时，打分不随 |m - n| 增大", "衰减"},
  norm_keeping = {"保长度", "向量长度不变，或者都一样长", "保长"}, shift_linear = {"平移线性", "走 k 步是同一个线性映射，与起点无关", "平移"},
  toeplitz = {"Toeplitz", "内容相同时，打分矩阵各条对角线为常数", "对角"},
  injective = {"可辨性", "N 以内的位置（对打分而言是往回的距离）互不相同", "可辨"},
  extrapolates = {"可外推", "位置 N 到 2N-1 不带来新的相位或取值", "外推"}, parameters = {"参数", "学习得到的数有多少个", "参数"},
}

M.kinds = {
  ["additive vectors"] = "加到词向量上", ["contextual"] = "随内容而定", ["factor of q"] = "乘在 q 上的因子",
  ["relative keys and values"] = "相对的键与值", ["rotation of q and k"] = "旋转 q 与 k", ["score bias"] = "打分的偏置",
}

M.undefined = "没有意义：它只改打分，没有向量可谈长度，也没有向量随步子移动"
M.claimed = "* 原作声称"
M.learned = "%s 个学来的数，T = %s，d = %s，H = %s"
M.legend = "P 已证明  C 已严格界定  M 实测  x 已反驳  ? 未定  - 没有意义"
M.size = "N = %d。atlas(\"rope\") 详列一行，atlas().rope.even 是一个判定。"

-- Patterns and what they become, in this order: a longer phrase before those that it holds. Of what "for all" has become the rest.
local phrases = {
  {"a relation of the vectors at (%S+) to (%S+), exactly 0 there, gives (%S+) in column (%S+) after a step of (%S+)",
   "位置 %1 到 %2 的向量满足一个线性关系（在那里恰为 0），走 %5 步后第 %4 列却得 %3"},
  {"at equal content the distances (%S+) and (%S+) score alike, within (%S+)", "内容相同时，距离 %1 与 %2 的打分相同，误差不超过 %3"},
  {"column (%S+) is (%S+) at position (%S+), (%S+) at (%S+)", "第 %1 列在位置 %3 处为 %2，在位置 %5 处为 %4"},
  {"distance (%S+) back scores (%S+); nothing trained comes nearer than (%S+)", "往回距离 %1 的打分为 %2；训练过的打分与它至少相差 %3"},
  {"distance (%S+) ahead scores (%S+); nothing trained comes nearer than (%S+)", "往前距离 %1 的打分为 %2；训练过的打分与它至少相差 %3"},
  {"position (%S+) is not in the table; it has (%S+) rows, the positions (%S+) to (%S+)", "位置 %1 不在表中；表有 %2 行，对应位置 %3 到 %4"},
  {"a distance of (%S+) is not in the table; its (%S+) rows reach to (%S+), and nothing is clipped", "距离 %1 不在表中；表的 %2 行只到 %3，且不截断"},
  {"position (%S+) has the phase (%S+), beyond all before it: a pair of wavelength (%S+)", "位置 %1 的相位为 %2，超过此前所有相位：这一对的波长为 %3"},
  {"positions (%S+) and (%S+) have the same vector", "位置 %1 与 %2 的向量相同"},
  {": keys after the query are hidden", "：查询之后的键被遮住"},
  {"square of the length (%S+) at position (%S+), (%S+) at position (%S+)", "长度的平方在位置 %2 处为 %1，在位置 %4 处为 %3"},
  {"the distances (%S+) and (%S+) have one score, (%S+)", "距离 %1 与 %2 的打分相同，都是 %3"},
  {"the same q and k, other keys around: ", "q、k 相同，只是周围的键不同："},
  {"is multiplied by (%S+) at every step", "每走一步乘以 %1"},
  {"([%d.e+-]+) at distance (%S+), and it grows on", "在距离 %2 处为 %1，而且还在增大"},
  {"([%d.e+-]+) at position (%S+), and it grows on", "在位置 %2 处为 %1，而且还在增大"},
  {"by example: ", "举例："},
  {"the formula's growth is not seen from its shape", "从公式的形状看不出它的增长"},
  {"the least gap between two distances is too narrow to tell", "两个距离之间的最小间隔太窄，无法分辨"},
  {"a pair comes round within rounding of N", "有一对转满一圈的长度与 N 在舍入误差内分不开"},
  {"its vectors have no phases", "它的向量没有相位"},
  {"later distances score neither all alike nor clearly anew", "更远距离的打分既不都相同，也不明显是新的"},
  {"its formula goes on beyond what the trained positions count", "它的公式超出训练位置所及的范围"},
  {"no formula, and no example against it was found", "没有公式，也没有找到反例"},
  {"neither the formula nor numbers decide", "公式与数值都不能判定"},
  {"whether it is relative is open", "它是否具有相对性尚未判定"},
  {"no two keys on either side were found to differ", "没有找到查询两侧打分不同的两个键"},
  {"R_%(m%+k%) R_0 = R_m R_k was not decided: ", "R_(m+k) R_0 = R_m R_k 未能判定："},
  {"R_0 is no multiple of the identity", "R_0 不是单位矩阵的倍数"},
  {"every p from (%S+) on scores as p = (%S+) does, whatever the keys are", "从 %1 起，各个 p 的打分都与 p = %2 相同，无论键是什么"},
  {"for keys up to the query, which alone have a score, and any one q and k", "对不晚于查询的键（只有它们有打分）和任意一对 q、k"},
  {", keys up to the query", "，键不晚于查询"},
  {"for keys up to the query", "对不晚于查询的键"},
  {", for any one q and k", "，对任意一对 q、k"},
  {", every q and k", "，任意 q、k"},
  {"at every distance, equal content", "对一切距离，内容相同"},
  {"at every m and n", "对一切 m、n"},
  {"at every position", "在每个位置上"},
  {"for distances from (%S+) on", "从距离 %1 起"},
  {"for distances (%S+) to (%S+)", "对距离 %1 到 %2"},
  {"for positions (%S+) to (%S+)", "对位置 %1 到 %2"},
  {"for its (%S+) positions", "对它的 %1 个位置"},
  {"for every x and all positions", "对任意 x 和一切位置"},
  {"from (%S+) trained positions on", "训练过 %1 个位置以后"},
  {"对一切 distances to earlier keys", "对到前面各键的一切距离"},
  {"对一切 whole positions", "对一切整数位置"},
  {"对一切 positions", "对一切位置"},
  {"m and n, at equal content", "m、n，内容相同"},
  {"m, n and steps c", "m、n 与步长 c"},
  {"for all m and s", "对一切 m、s 成立"},
  {"for all m and n", "对一切 m、n 成立"},
  {" %(proved%)", "（已证明）"},
  {"m and k: ", "m、k："},
  {", so ", "，所以 "},
  {"m and n", "m、n"},
}

-- A verdict's line in Chinese, with what the atlas has said in it.
function M.line(text)
  for _, p in ipairs(phrases) do text = text:gsub(p[1], p[2]) end
  return text
end

return M
