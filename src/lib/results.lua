-- The names of what a function returns, where that is several values: the prompt shows them before the values.
local M = {}

local function pair(en, zh) return {en = en, zh = zh} end

local VALUE, SHARE, REPORT = pair("value", "值"), pair("shares", "份额"), pair("report", "报告")
local names = {
    svd = {"U", "s", "Vt"},
    qr = {"Q", "R"},
    eig = {pair("values", "特征值"), pair("vectors", "特征向量")},
    slogdet = {pair("sign", "符号"), "log|det|"},
    lstsq = {"x", pair("residual", "残差"), pair("rank", "秩"), pair("singular values", "奇异值")},
    solve = {pair("solution", "解"), pair("free unknowns", "自由未知数")},
    null_space = {pair("basis", "基"), pair("its size", "维数")},
    injectivity_margin = {pair("least distance", "最小距离"), pair("first row", "第一行"), pair("second row", "第二行")},
    effective_rank = {pair("effective rank", "有效秩"), SHARE},
    relativity_deviation = {pair("share of the norm", "占范数的份额"), pair("largest difference", "最大差")},
    longest_context = {pair("longest context", "最长上下文"), pair("of each pair", "各对"), pair("pair that decides", "起决定作用的对")},
    rope_frequencies = {pair("high parts", "高位部分"), pair("low parts", "低位部分")},
    rope_table = {"cos", "sin"},
    jvp = {VALUE, pair("derivative", "导数")},
    vjp = {VALUE, pair("gradient", "梯度")},
    lbfgs = {"x", REPORT},
}
names.eigh, names.adam, names.gradient_descent = names.eig, names.lbfgs, names.lbfgs

M.names = names

-- The labels of n values that the code gives in a language, where it is the call of one such function and nothing else; or nil.
function M.labels(code, n, lang)
    local name = code:match "^%s*([%a_][%w_]*)%s*%b()%s*$"
    local list = name and names[name]
    if not list or #list ~= n then return nil end
    local out = {}
    for i, label in ipairs(list) do out[i] = type(label) == "string" and label or label[lang] or label.en end
    return out
end

return M
