-- faults.lua: what is said of an error, in Chinese: the sentences that are said most, by pattern with their values. A sentence that is not
-- here stays English, with the Chinese line of the function that said it (chinese.lua).
--
-- A message is "WHO: SENTENCE; more; more". In a row: a pattern of the sentence and its Chinese; in that %1 is the first capture as it stands,
-- %s1 what was seen there, %w1 what was wanted, %p1 a phrase for a part of the call.
local chinese, hints = require "phasor.lib.chinese", require "phasor.lib.hints_chinese"
local M = {}

-- ---- phrases -----------------------------------------------------------------------------------------------------------

local kinds = {
    ["nil"] = "nil", number = "数", string = "字符串", table = "表", ["function"] = "函数", boolean = "布尔值", userdata = "数组或其他对象", thread = "协程",
    array = "数组", ["a formula"] = "公式", formula = "公式", verdict = "判定", figure = "图", matrix = "矩阵",
}

local function kind(text) return kinds[text] or kinds[text:gsub("^an? ", "")] end

-- What a value is: the string "x", an array of shape (2, 3). nil of words that have no Chinese here.
local function seen(text)
    local inside = text:match '^the string (".*")$'
    if inside then return "字符串 " .. inside end
    local shape = text:match "^an array of shape (%b())$" or text:match "^a traced array of shape (%b())$"
    if shape then return "形状为 " .. shape .. " 的数组" end
    if text:find "^an? " then return kind(text) end
    return text == "missing" and "没有给出" or text == "complex" and "复数" or not text:find "^%l%l%l+" and text or nil
end

local parts = {
    ["a size"] = "大小", entries = "元素", ["the generator"] = "生成器", ["the statement"] = "命题", ["the argument"] = "参数", ["the last argument"] = "最后一个参数",
    ["the options"] = "选项", ["the picture"] = "图", ["the name"] = "名字", ["the phases"] = "相位", ["the function"] = "函数", ["the domain"] = "区间",
    ["the lesson"] = "课名", ["the encoding"] = "编码", ["the variable"] = "变量", ["the first operand"] = "第 1 个操作数", index = "下标", axis = "轴",
}
local function part(text)
    local k = text:match "^operand (%d+)$" or text:match "^argument (%d+)$" or text:match "^item (%d+)$"
    if k then return ("第 %s 个%s"):format(k, text:find "^operand" and "操作数" or text:find "^item" and "项" or "参数") end
    return parts[text] or not text:find " " and text or nil
end

local wants = {
    {"a number, an array or a table of numbers", "数、数组或由数组成的表"}, {"an array of numbers", "由数组成的数组"}, {"as many", "两者一样多"},
    {"a formula, an integer or rat%(p, q%)", "公式、整数或 rat(p, q)"}, {"a number", "一个数"}, {"numbers or arrays", "数或数组"}, {"numbers", "数"},
    {"a formula", "公式"}, {"real numbers", "实数"}, {"text", "文字"}, {"text in quotes", "带引号的文字"}, {"a string", "字符串"}, {"true or false", "true 或 false"},
    {"a finite number", "有限的数"}, {"finite numbers", "有限的数"}, {"a square matrix", "方阵"}, {"a matrix", "矩阵"}, {"a list", "列表"}, {"symbols", "符号"},
    {"a symbol", "符号"}, {"a real symbol", "实数符号"}, {"an even number", "偶数"}, {"an even number %(pairs of a sine and a cosine%)", "偶数（正弦与余弦成对）"},
    {"one", "一个"}, {"f64 or f32", "f64 或 f32"}, {"bool", "布尔值"}, {"two numbers", "两个数"}, {"text or numbers", "文字或数"},
    {"a list of texts", "文字的列表"}, {"functions or formulas", "函数或公式"}, {"a function of arrays", "以数组为参数的函数"}, {"a function", "函数"}, {"a table", "表"},
    {"first and last", "first 与 last"}, {"the dimension, even", "维数，偶数"}, {"at least one dimension", "至少一维"}, {"at least one row and one column", "至少一行一列"},
    {"a number above 0", "大于 0 的数"}, {"a number above 0, at most (%S+)", "大于 0、不超过 %1 的数"}, {"an integer of at least (%S+)", "不小于 %1 的整数"},
    {"an integer from (%S+) to (%S+)", "%1 到 %2 的整数"}, {"a whole number from (%S+) to (%S+)", "%1 到 %2 的整数"}, {"a number from (%S+) to (%S+)", "%1 到 %2 的数"},
    {"(%d+) or (%d+) dimensions", "%1 维或 %2 维"}, {"1 dimension", "1 维"}, {"(%d+) to (%d+)", "%1 到 %2 个"}, {"at most (%d+)", "至多 %1"}, {"at least (%d+)", "至少 %1"},
    {"one, as plot gives it", "plot 给出的图"}, {"pictures", "图"}, {"its ends", "它的两端"}, {"a table of arrays", "由数组组成的表"}, {"a name", "名字"},
    {"the same number of columns, at least 1", "列数相同，至少一列"}, {"as many columns of A (%b()) as rows of B (%b())", "A 的列数 %1 等于 B 的行数 %2"},
    {"a number, as the first entry is", "一个数，像第一个元素那样"}, {"(%w+%b()) or a statement", "%1 或一个命题"},
    {'.*"interleaved" %(pairs 2i.*', '"interleaved"（一对是 2i、2i+1：论文，GPT-J）或 "half"（一对是 i、i+d/2：GPT-NeoX、transformers）'},
    {"where the lines stand", "线画在哪里"}, {"(%d+)", "%1 个"},
    {'"[^"]*"[^a-z]*.*', "%0"}, {"[%w_]+, [%w_, ]+", "%0"}, {"%.[%a, %.]+ or %.%a+", "%0"},
}

-- What was wanted; nil where there is no Chinese for it.
local function wanted(text)
    local base, like, example = text:match "^(.-)(,? such as )(.+)$"
    if not base then base, like, example = text:match "^(.-)(, as in )(.+)$" end
    base = base or text
    for _, row in ipairs(wants) do
        local first, second = base:match("^" .. row[1] .. "$")
        if first then
            local out = row[2]:gsub("%%(%d)", {["0"] = base, ["1"] = first, ["2"] = second})
            return like and out .. "，例如 " .. example or out
        end
    end
    return like and base == "" and "例如 " .. example or nil
end

-- ---- sentences ---------------------------------------------------------------------------------------------------------

local named = "[%a_][%w_.:]*"
local sentences = {
    {"unknown name '(.-)'", "没有叫 %1 的名字"}, {"unknown option '(.-)'", "没有选项 %1"}, {"unknown option '(.-)' of (.+)", "%2 没有选项 %1"},
    {"unknown field '(.-)' of an? (.+)", "%s2没有 %1 这一项"}, {"unknown (%a+) '(.-)'", "没有 %2"}, {"did you mean '(.-)'%?", "是不是想写 %1？"},
    {"wanted a generator first: (.+), then (.+)", "应先写生成器：%1，再写 %2"}, {"wanted the lower end first", "应先写较小的一端"}, {"wanted (.+)", "应为%w1"},
    {"(%d+) arguments? given", "给了 %1 个参数"}, {"more than (%d+) arguments? given", "参数多于 %1 个"}, {"no (.-) given", "没有给出 %1"},
    {"no value for the symbol '(.-)'", "符号 %1 没有值"}, {"no value for (%S+)", "%1 没有值"},
    {"index (%S+) is out of range for dimension (%d+) of size (%d+)", "下标 %1 越界：第 %2 维的大小是 %3"}, {"index (%S+) is out of range", "下标 %1 越界"},
    {"the axis has size (%d+) and its first is 1", "这个轴的大小是 %1，从 1 数起"},
    {"shapes (%b()) and (%b()) do not match", "形状 %1 与 %2 不相配"}, {"counted from the last dimension, sizes must be equal or 1", "从最后一维数起，大小要相等或为 1"},
    {"shapes (%b()) and (%b()) differ", "形状 %1 与 %2 不同"}, {"shape (%b()) does not stretch to (%b())", "形状 %1 不能扩展成 %2"},
    {"(%b()) has (%d+) elements?", "形状 %1 有 %2 个元素"}, {"shape (%b()) does not hold that many", "形状 %1 放不下这么多"},
    {"operand (%d+) has shape (%b()), operand (%d+) has (%b())", "第 %1 个操作数的形状是 %2，第 %3 个是 %4"},
    {"sizes must agree", "大小要一致"}, {"sizes must agree except along the axis", "除了这个轴，大小要一致"}, {"the array has (%d+) dimensions", "数组有 %1 维"},
    {"the operands differ in shape", "各操作数的形状不同"}, {"the table is nested deeper than (%d+)", "表的嵌套超过 %1 层"},
    {"(%a[%w_]*) has (%d+) values?, (%a[%w_]*) has (%d+)", "%1 有 %2 个值，%3 有 %4 个"}, {"(%a[%w_]*) has (%d+) columns?", "%1 有 %2 列"},
    {"rotation needs an even number %(pairs%)", "旋转要成对，所以要偶数列"}, {"(%a[%w_]*) has shape (%b())", "%1 的形状是 %2"},
    {"(%u%a*) is (%b()) and (%u%a*) is (%b())", "%1 的形状是 %2，%3 的形状是 %4"}, {"A is singular: pivot (%d+) is exactly 0", "A 是奇异的：第 %1 个主元恰为 0"},
    {"one formula says nothing", "只有一个公式，什么也没有说"}, {"(.-) goes from (%S+) to (%S+)", "%p1从 %2 到 %3"},
    {"there is no picture yet", "还没有图"}, {"division by zero is undefined", "除以零没有定义"}, {"log%(0%) is undefined", "log(0) 没有定义"},
    {"(.+): cannot be opened: No such file or directory", "%1 打不开：没有这个文件"}, {"(.+): cannot be opened: Permission denied", "%1 打不开：没有权限"},
    {"(.+): cannot be written: No such file or directory", "%1 写不了：没有这个文件夹"},
    {"module '(.-)' not found:.*", "没有找到模块 %1"}, {"not enough memory", "内存不够"}, {"not enough memory: this session may use (%d+) MB", "内存不够：这个会话最多用 %1 MB"},
    {"stack overflow.*", "调用嵌套太深（函数是不是在无休止地调用自己？）"}, {"resulting string too large", "结果字符串太长"},
    {"error without a message %(nil%)", "出错，没有说明（nil）"}, {"unknown request '(.-)'", "没有请求 %1"},
    -- what Lua itself says
    {"attempt to call an? (%a+) value %(%a+ '(.-)'%)", "%2 不是函数，而是%s1，不能调用"}, {"attempt to call an? (%a+) value", "%s1不能调用"},
    {"attempt to index an? (%a+) value %(%a+ '(.-)'%)", "%2 是%s1，没有下标可取"}, {"attempt to index an? (%a+) value", "%s1没有下标可取"},
    {"attempt to perform arithmetic on an? (%a+) value %(%a+ '(.-)'%)", "%2 是%s1，不能做算术"}, {"attempt to perform arithmetic on an? (%a+) value", "%s1不能做算术"},
    {"attempt to concatenate an? (%a+) value %(%a+ '(.-)'%)", "%2 是%s1，不能用 .. 连接"}, {"attempt to concatenate an? (%a+) value", "%s1不能用 .. 连接"},
    {"attempt to compare two (%a+) values", "两个%s1不能比较大小"}, {"attempt to compare (%a+) with (%a+)", "%s1与%s2不能比较大小"},
    {"attempt to get length of an? (%a+) value.*", "%s1没有长度"}, {"attempt to %a+ an? '(%a+)' with an? '(%a+)'", "%s1与%s2不能做算术"},
    {"attempt to divide by zero", "不能除以零"}, {"attempt to perform 'n(//?)0'", "整数不能除以 0（n%10）"}, {"attempt to perform 'n%%%%0'", "整数不能对 0 取余"},
    {"number has no integer representation", "这个数不是整数"},
    {"bad argument #(%d+) to '(.-)' %((%a+) expected, got (.-)%)", "%2 的第 %1 个参数应为%s3，却是%s4"}, {"bad argument #(%d+) to '(.-)' %(.-%)", "%2 的第 %1 个参数不对"},
    {"<eof> expected near (.+)", "到 %1 之前程序已经完整，它不该在这里"}, {"(.-) expected near (.+)", "%2 附近缺少 %1"},
    {"(.-) expected %(to close (.-) at line (%d+)%) near (.+)", "%4 附近缺少 %1（对应第 %3 行的 %2）"},
    {"unexpected symbol near (.+)", "%1 附近有不该出现的符号"}, {"unfinished string near (.+)", "%1 附近的字符串没有结束"},
    {"unfinished long (%a+).*", "长字符串或长注释没有结束"},
    {"malformed number near (.+)", "%1 附近的数写法不对"}, {"attempt to assign to const variable '(.-)'", "常量 %1 不能再赋值"},
    {"texts are joined by %.%., as in (.+)", "文字用 .. 连接，例如 %1"}, {"a text ends with the mark it began with", "文字用什么引号开始就用什么引号结束"},
    {"the transpose is A%.T", "转置是 A.T"}, {"a product is written (%S+)", "乘积写成 %1"}, {"an imaginary number (%S+)", "虚数写成 %1"},
    -- hints for those who come from another language (base/slips.c)
    {"functions stand alone here: (.-), not (.+)", "函数直接写，如 %1，不写 %2"}, {"help%(%) lists them", "help() 列出全部"},
    {"the product of matrices is (.-) or (.+)", "矩阵乘积写成 %1 或 %2"}, {"a shape is written (.-) or (.+)", "形状写成 %1 或 %2"},
    {"one element is (.-) or (.+)", "一个元素写成 %1 或 %2"}, {"a comment begins with %-%-", "注释以 -- 开头"},
    {"a slice is written (.-): {first, last} in each dimension, {} for all", "切片写成 %1：每一维写 {first, last}，{} 表示全部"},
    {"the imaginary unit is I", "虚数单位是 I"}, {"the natural logarithm is log%(x%)", "自然对数是 log(x)"}, {"nothing is to be imported", "不必导入"},
    {"nothing is to be imported: the functions are there", "不必导入，函数都在"}, {"a list is written (.+)", "列表写成 %1"}, {"a dictionary is written (.+)", "字典写成 %1"},
    {"for every dimension (.+)", "各维的大小是 %1"}, {"write ([^:]+)", "应写 %1"}, {"unexpected '(.-)'", "不该有 '%1'"}, {"syntax error near (.+)", "%1 附近语法不对"},
    {"a function is called with parentheses, f%(x%)", "调用函数要加括号，如 f(x)"}, {"formulas are written in Lua", "公式用 Lua 来写"},
    -- what was seen: the widest pattern comes last
    {"(.-) is (%b\"\")", "%p1是 %2"}, {"(%a[%w_ ]-) is (.+)", "%p1是%s2"}, {"(%b[]) is (.+)", "第 %1 项是%s2"},
}

local function filled(template, captures)
    local fine = true
    local out = template:gsub("%%([spw]?)(%d)", function(how, k)
        local text = captures[tonumber(k)] or ""
        if how == "s" then text = kinds[text] or seen(text)
        elseif how == "p" then text = part(text)
        elseif how == "w" then text = wanted(text) end
        if not text then fine = false end
        return text or ""
    end)
    -- A blank between Chinese and what is not, none elsewhere.
    out = out:gsub("([\xE4-\xE9][\x80-\xBF][\x80-\xBF])([%w_\"'([.#-])", "%1 %2"):gsub("([%w_\"')%]])([\xE4-\xE9][\x80-\xBF][\x80-\xBF])", "%1 %2")
    return fine and out or nil
end

local function sentence(text)
    if hints[text] then return hints[text] end
    for _, row in ipairs(sentences) do
        local captures = {text:match("^" .. row[1] .. "$")}
        if captures[1] then
            local out = filled(row[2], captures)
            if out then return out end
        end
    end
end

-- The message in Chinese.
function M.told(message)
    local who, rest = message:match("^(" .. named .. "): (.*)$")
    if not who then who, rest = nil, message end
    local under, more = rest:match("^(" .. named .. "): (.*)$") -- as in "picture: rope: d is 0"
    local head = who
    if under and not sentence((rest:match "^(.-); " or rest)) then head, rest = who .. "：" .. under, more end
    local out, all = {}, true
    for piece in (rest .. "; "):gmatch "(.-); " do
        local said = sentence(piece)
        if not said and #out == 0 then all = false break end -- what it is about is not here: it stays as it is
        out[#out + 1] = said or piece
    end
    local line = who and chinese.names[who]
    if not all then return line and ("%s（%s：%s）"):format(message, who, (line:gsub("。$", ""))) or message end
    return (head and head .. "：" or "") .. table.concat(out, "；")
end

-- The same with "FILE:LINE: " in front of it, which stays.
function M.placed(message)
    local place, rest = message:match "^([^\n]-:%d+: )(.*)$"
    return (place or "") .. M.told(rest or message)
end

return M
