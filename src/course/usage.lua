-- usage.lua: what is said where a command was called wrongly: an English sentence, the Chinese one with the same values in the same order, and
-- words that stand in them as values.
local M = {}

local chinese = {
  ["no claim or lesson \"%s\"%s"] = "没有叫 \"%s\" 的命题或课%s",
  ["%s: --jobs %s; wanted a whole number from 1 to 64"] = "%s：--jobs 给的是 %s；应为 1 到 64 的整数",
  ["%s: %s wants %s"] = "%s：%s 后面要给%s",
  ["%s: no option %s%s"] = "%s：没有选项 %s%s",
  ["%s: --lang %s; wanted en or zh"] = "%s：--lang 给的是 %s；只能是 en 或 zh",
  ["%s: --%s %s; wanted a number above 0"] = "%s：--%s 给的是 %s；应为大于 0 的数",
  ["check: %s"] = "check：%s",
  ["lesson plan: takes no names"] = "lesson plan：后面不跟名字",
  ["lesson new: wanted one name"] = "lesson new：要给一个名字",
  ["lesson new: \"%s\"; wanted a name of small letters, digits, - and _"] = "lesson new：给的是 \"%s\"；名字只能用小写字母、数字、- 与 _",
  ["lesson new: %s is there already"] = "lesson new：%s 已经有了",
  ["lesson export: wanted the name of a lesson"] = "lesson export：要给出课名",
  ["lesson export: no progress in \"%s\" yet"] = "lesson export：课 \"%s\" 还没有进度",
  ["lesson export: %s is there and is no hand-in; give --out FILE"] = "lesson export：%s 已经有了，而且不是作业文件；请用 --out 给出文件名",
  ["lesson: %d names given; wanted one"] = "lesson：给了 %d 个名字；应为一个",
  ["grade: this system has no %s, so nothing keeps an answer from your files; --weak grades all the same"] =
    "grade：这个系统没有 %s，拦不住答案读写你的文件；加 --weak 仍然评分",
  ["grade: no files; wanted hand-ins (phasor lesson export) or Lua files with answers"] =
    "grade：没有给文件；应为作业文件（phasor lesson export）或写有答案的 Lua 文件",
  ["experiment: %s"] = "experiment：%s",
  ["experiment: --only %s; wanted I/N, such as 2/8"] = "experiment：--only 给的是 %s；应为 I/N，例如 2/8",
  ["experiment: --jobs %d under a launcher; every rank does one run at a time, so start more of them"] =
    "experiment：由启动器启动时给了 --jobs %d；每个进程一次只做一轮，请多启动几个",
  ["experiment: %s; wanted list, run NAME or report NAME"] = "experiment：%s；应为 list、run NAME 或 report NAME",
  ["experiment %s: wanted one name; phasor experiment list"] = "experiment %s：要给一个名字；phasor experiment list 列出全部",
  ["train: wanted a file that ends in .lua, or a recipe: %s"] = "train：要给一个以 .lua 结尾的文件，或一个现成的配方：%s",
  ["train: no recipe \"%s\"%s"] = "train：没有叫 \"%s\" 的配方%s",
  ["train: --%s %s; wanted a whole number"] = "train：--%s 给的是 %s；应为整数",
  ["train: --%s with --resume; the run goes on with what it began with"] = "train：--%s 不能与 --resume 一起用；接着训练时沿用开始时的设置",
  ["notebook: wanted one lesson"] = "notebook：要给一门课",
  ["page: wanted the names of lessons, or --all"] = "page：要给出课名，或者 --all",
  ["page: wanted -o and a folder to write into"] = "page：要用 -o 给出写入的文件夹",
  ["course: wanted pack --student -o DIR, or nothing for the plan"] = "course：应为 pack --student -o DIR；什么都不写就显示课程安排",
  ["course pack: wanted -o and a folder to write into"] = "course pack：要用 -o 给出写入的文件夹",
  ["claims: takes no names; `check %s` checks one"] = "claims：后面不跟名字；核对一条用 `check %s`",
}
local words = {
  ["a value"] = "一个值",
  ["a number"] = "一个数",
  ["a file"] = "文件名",
  ["a folder"] = "文件夹",
  ["a lesson"] = "课名",
  ["a name"] = "名字",
  ["a student's name"] = "学生的名字",
  ["a number of MB"] = "MB 数",
  ["I/N"] = " I/N",
  ["en or zh"] = " en 或 zh",
  ["nothing asked for"] = "没有写要做什么",
}

-- The sentence of an English format in a language; a format without a Chinese one stays English.
function M.text(lang, format, ...)
  local values = table.pack(...)
  if lang == "zh" and chinese[format] then
    format = chinese[format]
    for i = 1, values.n do values[i] = words[values[i]] or values[i] end
  end
  return format:format(table.unpack(values, 1, values.n))
end

-- Is there a Chinese one?
function M.knows(format) return chinese[format] ~= nil end

return M
