-- lint.lua: what must be true of a lesson beyond its syntax: prose in both languages with the same mathematics, known
-- claims, nothing twice, no reference to nothing.

local exercise = require "phasor.course.exercise"
local harmless = require "phasor.course.harmless"
local lab = require "phasor"
local nearest = require "phasor.course.nearest"
local tex = require "phasor.document.tex"
local messages = require "phasor.course.messages"

local M = {}

-- The $…$ and $$…$$ of a text, blanks evened out, as a list; nil when a $ is left over. `code` holds no mathematics.
function M.mathematics(text)
  local out = {}
  text = text:gsub("`[^`\n]*`", ""):gsub("\\%$", "")
  local function keep(body)
    out[#out + 1] = body:gsub("%s+", " "):match("^ ?(.-) ?$")
    return ""
  end
  local rest = text:gsub("%$%$(.-)%$%$", keep):gsub("%$([^$]+)%$", keep)
  if rest:find("$", 1, true) then return nil end
  return out
end

-- The prose that begins the appendix: one ref, in both languages, and not the first of the lesson.
local function appendix(lesson, refs, say)
  local begins
  for _, cell in ipairs(lesson.cells) do
    local other = cell.appendix and refs[cell.ref] and refs[cell.ref][cell.lang == "en" and "zh" or "en"]
    if cell.appendix and cell.ref == lesson.cells[1].ref then say(cell, "part=\"appendix\": a lesson cannot begin with its appendix") end
    if cell.appendix and begins and begins ~= cell.ref then say(cell, "part=\"appendix\": it began with ref=\"%s\" already", begins) end
    if other and not other.appendix then say(other, "ref=\"%s\" has part=\"appendix\" in the other language only", cell.ref) end
    begins = begins or cell.appendix and cell.ref
  end
end

local function set(list)
  local out = {}
  for _, x in ipairs(list) do out[x] = true end
  return out
end

local function missing(list, other)
  for _, x in ipairs(list) do if not other[x] then return x end end
end

-- Prose of one ref, by language; hints of a ref are numbered, so that each has its counterpart.
local function by_language(lesson, say)
  local refs, order, hints = {}, {}, {}
  for _, cell in ipairs(lesson.cells) do
    if cell.prose then
      local key = cell.ref
      if cell.kind == "hint" then
        local count = cell.ref .. " " .. cell.lang
        hints[count] = (hints[count] or 0) + 1
        key = ("%s (hint %d)"):format(cell.ref, hints[count])
      end
      if not refs[key] then
        refs[key] = {}
        order[#order + 1] = key
      end
      if refs[key][cell.lang] then
        say(cell, "ref=\"%s\" lang=\"%s\" stands at line %d already", key, cell.lang, refs[key][cell.lang].line)
      else
        refs[key][cell.lang] = cell
      end
    end
  end
  return refs, order
end

-- The formulas of a cell, which the terminal must be able to show; nil when they cannot be read.
local function shown_formulas(key, cell, say)
  local list = M.mathematics(cell.text)
  if not list then return say(cell, "a $ is not closed") end
  for _, formula in ipairs(list) do
    local unknown = tex.unknown(formula)
    if unknown then say(cell, "ref=\"%s\": the terminal cannot show %s in $%s$", key, unknown, formula) end
  end
  return list
end

-- language: the one of a lesson that is in one only
local function compare(key, pair, language, say)
  local en, zh = pair.en, pair.zh
  if language then return shown_formulas(key, pair[language], say) end
  if not (en and zh) then
    return say(en or zh, "ref=\"%s\" has no prose with lang=\"%s\"", key, en and "zh" or "en")
  end
  local a, b = shown_formulas(key, en, say), M.mathematics(zh.text)
  if not b then return say(zh, "a $ is not closed") end
  if not a then return end
  local only_en, only_zh = missing(a, set(b)), missing(b, set(a))
  if only_en then say(zh, "ref=\"%s\": $%s$ of the English prose is missing", key, only_en) end
  if only_zh then say(en, "ref=\"%s\": $%s$ of the Chinese prose is missing", key, only_zh) end
end

local MARKS = {"。", "：", "？", "！", "，", "；", "、", "）", "（", "”", "“", "》", "《", "…"} -- of Chinese

local LONGEST = 4 -- bytes of a character

-- The mark at the end of a text (from = -1) or at its beginning (from = 1), if there is one.
local function mark_at(text, from)
  for _, mark in ipairs(MARKS) do
    if mark == (from < 0 and text:sub(-#mark) or text:sub(1, #mark)) then return mark end
  end
end

-- Markdown takes a `*` between such a mark and a letter for an asterisk: a notebook would show "*一点。*另一点" as it stands.
local function emphasis(lesson, say)
  for _, cell in ipairs(lesson.cells) do
    if cell.prose and cell.lang == "zh" then
      local text = cell.text:gsub("`[^`\n]*`", "x"):gsub("%$%$?[^$]*%$%$?", "x"):gsub("%*%*[^*]+%*%*", "x")
      for body, after in text:gmatch "%*([^*]+)%*()" do
        local rest, mark = text:sub(after, after + LONGEST), mark_at(body, -1)
        if mark and rest:find "^[^%s%p]" and not mark_at(rest, 1) then
          say(cell, "ref=\"%s\": a notebook does not see where *%s* ends; wanted *%s*%s", cell.ref, body, body:sub(1, -#mark - 1), mark)
        end
      end
    end
  end
end

local function code_cells(lesson, ledger, refs, say)
  local claims, exercises = {}, {}
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "exercise" then
      if exercises[cell.ref] then say(cell, "exercise \"%s\" stands at line %d already", cell.ref, exercises[cell.ref].line) end
      exercises[cell.ref] = cell
    elseif cell.role and not exercises[cell.ref] then
      say(cell, "role=\"%s\": no exercise \"%s\" stands before it", cell.role, cell.ref)
    elseif cell.kind == "code" and cell.ref and not refs[cell.ref] then
      say(cell, "ref=\"%s\" has no prose", cell.ref)
    end
    if cell.claim then
      if not ledger.by_id[cell.claim] then
        local ids = {}
        for i, c in ipairs(ledger.claims) do ids[i] = c.id end
        local hint = nearest.hint(cell.claim, ids)
        local own = lesson.folder and hint == "" and "; a verdict is checked without one: leave claim= out of a lesson of your own"
        say(cell, "claim \"%s\" is not in the ledger%s", cell.claim, own or hint)
      elseif claims[cell.claim] then
        say(cell, "claim \"%s\" is checked at line %d already", cell.claim, claims[cell.claim].line)
      end
      claims[cell.claim] = claims[cell.claim] or cell
    end
  end
end

-- What a line that is not indented gives a value to: "local a, b = …", "function f(…", "a, b = …".
local GIVES = {"^local function ([%w_]+)", "^local ([%a_][%w_, ]*)", "^function ([%w_]+)%s*%(", "^([%a_][%w_, ]*)=[^=]"}

-- A name that means something already: after the lesson the student would have it from there and not from here. Asked of the tables, as a
-- global that nobody knows is an error which looks for the nearest name.
local function stands_for(name)
  local class = getmetatable(_G)
  local names = class and class.__index
  return rawget(lab, name) ~= nil or rawget(_G, name) ~= nil or type(names) == "table" and rawget(names, name) ~= nil
end

local function hidden_names(lesson, say)
  for _, cell in ipairs(lesson.cells) do
    local code = (cell.kind == "code" or cell.kind == "exercise") and cell.code or ""
    for line in code:gmatch "[^\n]+" do
      for _, form in ipairs(GIVES) do
        local names = line:match(form)
        for name in (names or ""):gmatch "[%a_][%w_]*" do
          if stands_for(name) then say(cell, "`%s` is a name of the laboratory or of Lua; wanted another", name) end
        end
        if names then break end
      end
    end
  end
end

local HINTS, WRONGS, EXERCISES = 2, 2, 3 -- the least: hints come in steps, and a lesson is practised

-- What an exercise needs beside its solution.
local function exercises(lesson, refs, say)
  for _, e in ipairs(exercise.of(lesson)) do
    local function wanted(n, least, what)
      if n < least then say(e.cell, "exercise \"%s\" has %s; wanted %d or more", e.ref, messages.counted("%d " .. what, n), least) end
    end
    if not refs[e.ref] then say(e.cell, "exercise \"%s\" has no prose that says what to do", e.ref) end
    wanted(math.max(#e.hints.en, #e.hints.zh), HINTS, "hint(s)")
    if not e.open then
      wanted(#e.checks, 1, "check(s)")
      wanted(#e.wrongs, WRONGS, "wrong answer(s)")
    end
    for _, wrong in ipairs(e.wrongs) do
      if not wrong.expect:find("%S") then say(wrong, "expect=\"\": wanted a part of the feedback this answer must get") end
    end
  end
end

-- What a finished lesson of the course has beyond being in order; messages as below. How long one of somebody's own is, is theirs to say.
function M.unfinished(lesson)
  if lesson.folder then return {} end
  local n = #exercise.of(lesson)
  if n >= EXERCISES then return {} end
  return {lesson.file .. messages.counted(":1: the lesson has %d exercise(s); wanted %d or more", n, EXERCISES)}
end

-- Messages "file:line: …", in the order of the file; none when the lesson is in order.
function M.lint(lesson, ledger)
  local found = {}
  local function say(cell, text, ...)
    found[#found + 1] = {line = cell.line, order = #found,
                         text = ("%s:%d: %s"):format(lesson.file, cell.line, harmless(text:format(...)))}
  end
  local refs, order = by_language(lesson, say)
  for _, key in ipairs(order) do compare(key, refs[key], lesson.language, say) end
  appendix(lesson, refs, say)
  emphasis(lesson, say)
  code_cells(lesson, ledger, refs, say)
  exercises(lesson, refs, say)
  hidden_names(lesson, say)
  if not lesson.cells[1].prose or not lesson.cells[1].text:find("^# %S") then
    say(lesson.cells[1], "the first cell must be prose that opens with the lesson's title, `# …`")
  end
  table.sort(found, function(a, b) if a.line ~= b.line then return a.line < b.line end return a.order < b.order end)
  for i, f in ipairs(found) do found[i] = f.text end
  return found
end

return M
