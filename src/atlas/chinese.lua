-- chinese.lua: what the atlas says, in Chinese: its laws (name, what it says, head of a narrow column), the kinds of encodings. What its
-- verdicts say stands in phrases.lua, in both languages.

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

M.undefined = "没有意义：" .. require "phasor.atlas.phrases".no_vector.zh
M.claimed = "* 原作声称"
M.learned = "%s 个学来的数，T = %s，d = %s，H = %s"
M.legend = "P 已证明  C 已严格验证  M 实测  x 已反驳  ? 未定  - 没有意义"
M.size = "N = %d。atlas(\"rope\") 详列一行，atlas().rope.even 是一个判定。"

return M
