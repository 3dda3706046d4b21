-- words.lua: what the course itself says, in both languages, and which language to speak.

local M = {}

local words = {
  en = {
    run = "[Enter] runs this step",
    go_on = "[Enter] goes on",
    finished = "The end of this lesson. Its variables are yours: go on playing.",
    next_lesson = "Next: lesson \"%s\", %s",
    left = "Left the lesson; it is kept where you were. Its variables stay.",
    step = "step %d of %d",
    first = "this is the first step",
    unknown_command = "no command %s here%s; there are %s",
    lessons = "Lessons: lesson \"NAME\" opens one.",
    settles = "settles %d claim(s)",
    no_lesson = "no lesson \"%s\"%s",
    failed = "this step failed:",
    outcomes = {holds = "holds", mended = "mended", failed = "failed", unknown = "unknown"},
    your_turn = "Your turn. This is what you begin with:",
    how = ":check when you have it, :hint for a hint; :help lists the rest",
    exercise = "exercise",
    play = "play",
    variant = "your variant: %d",
    nothing_yet = "Nothing to check yet: type your answer first (plain Lua, over as many lines as it takes), then [Enter] or :check.",
    right = "Right.",
    points = "%d of %d point(s) so far in this lesson",
    try_hint = ":hint helps",
    hint = "Hint %d of %d:",
    no_more_hints = "That was the last hint. :solution shows the solution.",
    solution = "The solution:",
    solution_now = "Its variables are in place.",
    skipped = "Skipped; the lesson's own variables are in place.",
    not_exercise = "%s is for exercises; this step has none",
    play_on = "Now play: nothing you do here counts or stays. :play again goes back to the lesson.",
    play_off = "Back in the lesson; everything is as it was.",
    reset = "Your variables are the lesson's again.",
    reset_exercise = "Your answer is forgotten; begin anew.",
    solved = "You have solved this one. [Enter] goes on; or answer once more.",
    resumed = "Going on at step %d of %d, where you were; :reset all begins anew.",
    rebuilding = "preparing the steps before",
    changed = "The lesson has been changed since you were here.",
    broken_step = "step %d does not run: %s",
    review = "Skipped: %s.",
    review_ask = "[Enter] goes back to what was skipped; :quit leaves.",
    review_step = "step %d",
    reviewed = "That was all that was skipped.",
    restarted = "From the beginning.",
    progress_damaged = "The file of your progress, %s, is damaged (%s). It is kept as %s; a new one is begun.",
    progress_stuck = "The file of your progress, %s, is damaged (%s) and cannot be set aside (%s): nothing is saved.",
    progress_unreadable = "The file of your progress cannot be read: %s. Nothing is saved.",
    progress_unsaved = "Your progress cannot be saved: %s",
    map_done = "done",
    map_at = "step %d of %d",
    map_new = "",
    map_appendix = "beside them, an appendix:",
    map_points = "%d of %d point(s)",
    open_already = "lesson \"%s\" is open; it was left where it was.",
    hides = "Note that your answer redefines `%s`, a name of the laboratory.",
    help = {
      {"[Enter]", "goes on: runs the step, or checks your answer"},
      {":hint", "the next hint"},
      {":check", "checks your answer"},
      {":solution", "shows the solution (no points then)"},
      {":skip", "goes on without; the lesson's variables are put in place"},
      {":back", "one step back"},
      {":play", "a place to try things out; nothing there counts or stays"},
      {":reset", "forgets what you typed here; :reset all begins the lesson anew"},
      {":show", "shows this step once more"},
      {":map", "the course, and how far you are"},
      {":quit", "leaves the lesson; it is kept where you are"},
      {"anything else", "is Lua; ? name explains a name"},
    },
  },
  zh = {
    run = "[回车] 运行这一步",
    go_on = "[回车] 继续",
    finished = "本课到此结束。课中的变量都归你了，可以接着摆弄。",
    next_lesson = "下一课：lesson \"%s\"，%s",
    left = "已离开本课，进度已保存，变量都还在。",
    step = "第 %d 步，共 %d 步",
    first = "已经是第一步了",
    unknown_command = "这里没有命令 %s%s；可用的有 %s",
    lessons = "课程列表：输入 lesson \"名字\" 打开一课。",
    settles = "验证 %d 条论断",
    no_lesson = "没有名为“%s”的课%s",
    failed = "这一步出错了：",
    outcomes = {holds = "成立", mended = "已更正", failed = "不成立", unknown = "未定"},
    your_turn = "轮到你了。下面是起点：",
    how = "写好后用 :check 检查，要提示用 :hint；其余命令见 :help",
    exercise = "练习",
    play = "试验",
    variant = "你的变式：%d",
    nothing_yet = "还没有可检查的答案：请先输入答案（就是普通的 Lua，可以写多行），再按回车或用 :check。",
    right = "对了。",
    points = "本课目前得分 %d，满分 %d",
    try_hint = "用 :hint 看提示",
    hint = "提示 %d/%d：",
    no_more_hints = "提示已经用完。:solution 可以看解答。",
    solution = "解答：",
    solution_now = "解答中的变量已经就位。",
    skipped = "已跳过；课程自己的变量已经就位。",
    not_exercise = "%s 只用于练习，这一步没有练习",
    play_on = "随便试吧：在这里做什么都不算数，也不会留下。再输入 :play 就回到课里。",
    play_off = "回到课里，一切照旧。",
    reset = "你的变量已恢复成课程里的样子。",
    reset_exercise = "你的答案已清除，请重新开始。",
    solved = "这道题你已经做对了。按回车继续，也可以再答一次。",
    resumed = "接着上次，从第 %d 步（共 %d 步）继续；要从头开始，用 :reset all。",
    rebuilding = "正在准备前面的步骤",
    changed = "上次之后，这一课有改动。",
    broken_step = "第 %d 步运行不了：%s",
    review = "跳过的有：%s。",
    review_ask = "[回车] 回到跳过的地方；:quit 离开。",
    review_step = "第 %d 步",
    reviewed = "跳过的都补完了。",
    restarted = "从头开始。",
    progress_damaged = "进度文件 %s 已损坏（%s），原文件已改名保存为 %s，现在另起一份新的。",
    progress_stuck = "进度文件 %s 已损坏（%s），又无法改名（%s），因此什么都不保存。",
    progress_unreadable = "进度文件无法读取：%s。什么都不保存。",
    progress_unsaved = "进度无法保存：%s",
    map_done = "已完成",
    map_at = "第 %d 步，共 %d 步",
    map_new = "",
    map_appendix = "另有附录：",
    map_points = "得分 %d/%d",
    open_already = "课程“%s”正开着，进度已保存，现已离开。",
    hides = "注意：你的答案改动了实验室的名字 `%s`。",
    help = {
      {"[回车]", "继续：运行这一步，或检查你的答案"},
      {":hint", "下一条提示"},
      {":check", "检查答案"},
      {":solution", "看解答（看了就不计分）"},
      {":skip", "跳过；课程自己的变量会就位"},
      {":back", "退回一步"},
      {":play", "随便试验的地方，不算数，也不留下"},
      {":reset", "忘掉在这里输入的内容；:reset all 则整课从头开始"},
      {":show", "再显示一遍这一步"},
      {":map", "课程总览与进度"},
      {":quit", "离开本课，进度会保存"},
      {"其他输入", "都当作 Lua；“? 名字”查看说明"},
    },
  },
}

function M.of(lang) return words[lang] end

-- A text about numbers, filled in: in "%d error(s)" the ending is left out after 1, in "%d hold[s]" after all others.
function M.counted(text, ...)
  local n
  return (text:format(...):gsub("(%d*)(%D*)", function(digits, rest)
    if digits ~= "" then n = digits end
    return digits .. rest:gsub("%(s%)", n == "1" and "" or "s"):gsub("%[s%]", n == "1" and "s" or "")
  end))
end

-- "zh" or "en": the one asked for, else what the locale says.
function M.language(asked)
  if asked then return words[asked] and asked or nil end
  local locale
  for _, name in ipairs {"LC_ALL", "LC_MESSAGES", "LANG"} do
    local value = os.getenv(name)
    if value and value ~= "" then
      locale = value
      break
    end
  end
  return locale and locale:find("^zh") and "zh" or "en"
end

return M
