-- words.lua: what the course itself says, in both languages, and which language to speak.

local M = {}

local words = {
  en = {
    run = "[Enter] runs this step",
    go_on = "[Enter] goes on",
    commands = "  :back  :skip  :quit, or Lua to try something",
    finished = "The end of this lesson. Its variables are yours: go on playing.",
    left = "Left the lesson. Its variables stay.",
    step = "step %d of %d",
    first = "this is the first step",
    unknown_command = "no command %s here; there are :back :skip :quit",
    lessons = "Lessons: lesson \"NAME\" opens one.",
    settles = "settles %d claims",
    no_lesson = "no lesson \"%s\"%s",
    failed = "this step failed:",
  },
  zh = {
    run = "[回车] 运行这一步",
    go_on = "[回车] 继续",
    commands = "  :back 上一步  :skip 跳过  :quit 退出，也可以直接输入 Lua 试试",
    finished = "本课到此结束。课中的变量都留着，可以接着摆弄。",
    left = "已离开本课，变量都还在。",
    step = "第 %d 步，共 %d 步",
    first = "已经是第一步了",
    unknown_command = "这里没有命令 %s；可用的是 :back :skip :quit",
    lessons = "课程列表：输入 lesson \"名字\" 打开一课。",
    settles = "验证 %d 条论断",
    no_lesson = "没有名为“%s”的课%s",
    failed = "这一步出错了：",
  },
}

function M.of(lang) return words[lang] end

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
