-- page_lesson.lua: a lesson as a page of the book: its prose, its cells with what they show, its exercises.

local exercise = require "phasor.course.exercise"
local fold = require "phasor.course.fold"
local html = require "phasor.document.html"
local spoken = require "phasor.course.spoken"
local step = require "phasor.course.step"
local messages = require "phasor.course.messages"

local M = {}

local said = {
  en = {exercise = "Exercise", points = "%d point(s)", hint = "Hint %d", solution = "Solution", check = "What the check looks at",
        whole = "The whole program, %d lines", here = "In the laboratory: ", claims = "settles %d claim(s)", exercises = "%d exercise(s)", wrong = "Wrong answers that get their feedback",
        appendix = "Appendix", beyond = "The lesson ends here. What follows is for those who want the proofs in full and the details."},
  zh = {exercise = "练习", points = "%d 分", hint = "提示 %d", solution = "解答", check = "检查的内容",
        whole = "完整程序，共 %d 行", here = "在实验室里做：", claims = "验证 %d 条论断", exercises = "%d 道练习", wrong = "会得到相应反馈的错误答案",
        appendix = "附录", beyond = "本课正文到此为止。后面是完整的证明和细节，想看的人可以接着看。"},
}

local function folded(summary, body, open)
  return ("<details%s><summary>%s</summary>\n%s\n</details>\n"):format(open and " open" or "", summary, body)
end

local function in_language(output, lang) return type(output) == "table" and output[lang] or output end

-- ---- cells -------------------------------------------------------------------------------------------------------------

-- A claim's cell says, before its verdict, which claim that is.
local function claim_line(site, r)
  return ('<p class="claim" id="claim/%s">%s %s %s</p>\n'):format(r.claim.id, site:claim_link(r.claim.id), html.inline(r.claim[site.lang]), site:outcome(r))
end

local function outputs_of(site, cell, outputs, r)
  local out = {}
  for i, output in ipairs(outputs or {}) do
    if r and i == #outputs then out[#out + 1] = claim_line(site, r) end
    out[#out + 1] = in_language(output, site.lang)
  end
  return #out > 0 and '<div class="out">\n' .. table.concat(out, "\n") .. "\n</div>\n" or ""
end

local LINES = 24 -- of code that stand open; of more, what is inside functions and loops is folded

-- A long program: as a whole behind a line that opens it, and in short.
local function program(code, w)
  local short, folded = fold.fold(code, LINES, function() return 1 end)
  if not folded then return html.code(code) end
  local _, n = code:gsub("\n", "")
  return ('<details class="folded"><summary>%s</summary>\n%s\n</details>\n%s'):format(messages.counted(w.whole, n + 1), html.code(code),
                                                                                      (html.code(short):gsub('class="code', 'class="short code', 1)))
end

local function code_cell(site, cell, outputs, r)
  return '<div class="cell">\n' .. program(spoken.reading(cell.code, site.lang), said[site.lang]) .. "\n" .. outputs_of(site, cell, outputs, r) .. "</div>\n"
end

-- For teachers: the solution and what judges it.
local function solution(site, e, outputs, w)
  local out = {folded(w.solution, html.code(step.shown_exercise(e, false, site.lang, 1)) .. outputs_of(site, e.cell, outputs), true)}
  for _, cell in ipairs(e.checks) do out[#out + 1] = folded(w.check, html.code(cell.code)) end
  local wrongs = {}
  for i, cell in ipairs(e.wrongs) do wrongs[i] = html.code(cell.code) .. '<p class="faint">' .. html.escape(cell.expect) .. "</p>" end
  if #wrongs > 0 then out[#out + 1] = folded(w.wrong, table.concat(wrongs, "\n")) end
  return table.concat(out)
end

local function exercise_cell(site, e, outputs)
  local w = said[site.lang]
  local out = {('<section class="exercise" id="%s-exercise"><h3>%s <span class="points">%s</span></h3>\n'):format(
    e.ref, w.exercise, messages.counted(w.points, e.points))}
  if not site.teacher then out[#out + 1] = html.code(step.shown_exercise(e, true, site.lang, 1)) .. "\n" end
  for n, text in ipairs(e.hints[site.lang]) do out[#out + 1] = folded(w.hint:format(n), html.render(text)) end
  if site.teacher then out[#out + 1] = solution(site, e, outputs, w) end
  out[#out + 1] = ('<p class="faint">%s<code>phasor lesson %s</code></p>\n</section>\n'):format(w.here, html.escape(e.lesson.folder and e.lesson.file:match "[^/]+$" or e.lesson.name))
  return table.concat(out)
end

-- ---- the page ----------------------------------------------------------------------------------------------------------

-- Sections, one for each ref; a ref that comes again is numbered.
local function new_sections()
  local times, open = {}, nil
  return function(ref) -- what to write before a cell with that ref, and the section's id
    if ref == open or not ref then return "", nil end
    local first = not open
    open = ref
    times[ref] = (times[ref] or 0) + 1
    local id = times[ref] == 1 and ref or ("%s-%d"):format(ref, times[ref])
    return (first and "" or "</section>\n") .. ('<section id="%s">\n'):format(id), id
  end
end

-- What stands before the appendix, which has a place in the page's contents.
local function appendix(site, places)
  local w = said[site.lang]
  places[#places + 1] = {id = "appendix", html = html.escape(w.appendix)}
  return ('<section id="appendix"><h2 class="appendix">%s</h2>\n<p class="faint">%s</p></section>\n'):format(w.appendix, w.beyond)
end

local function headed(text, id, places)
  for _, h in ipairs(id and html.headings(text) or {}) do
    if h.level == 2 then
      places[#places + 1] = {id = id, html = h.html}
      return
    end
  end
end

local function summary(site, lesson, results, exercises)
  local w, out, n = said[site.lang], {}, 0
  for _, cell in ipairs(lesson.cells) do if cell.claim then n = n + 1 end end
  if n > 0 then out[1] = messages.counted(w.claims, n) end
  if #exercises > 0 then out[#out + 1] = messages.counted(w.exercises, #exercises) end
  return table.concat(out, site.lang == "zh" and "，" or ", ")
end
M.summary = function(site, lesson) return summary(site, lesson, nil, exercise.of(lesson)) end

local function neighbour(site, lesson, by)
  local other = site.whole and site.lessons[site.place[lesson.name] + by]
  return other and {href = other.name .. ".html", html = html.inline(site:title(other))} or nil
end

-- outputs: by line, as record.lua keeps them. results: of claims, by id.
function M.write(site, lesson, outputs, results)
  local exercises, section, places, out = exercise.of(lesson), new_sections(), {}, {}
  for _, cell in ipairs(lesson.cells) do
    local mine = cell.kind == "markdown" and cell.lang == site.lang
    if mine or cell.kind == "code" or cell.kind == "exercise" then
      local text, id = section(cell.ref)
      if mine and cell.appendix then
        local closed, open = text:match "^(</section>\n)(.*)$"
        text = (closed or "") .. appendix(site, places) .. (open or text)
      end
      out[#out + 1] = text
      if mine then
        headed(cell.text, id, places)
        out[#out + 1] = html.render(cell.text) .. "\n"
        if #out == 2 then out[#out + 1] = '<p class="faint">' .. M.summary(site, lesson) .. "</p>\n" end
      elseif cell.kind == "code" then out[#out + 1] = code_cell(site, cell, outputs[cell.line], cell.claim and results[cell.claim])
      else out[#out + 1] = exercise_cell(site, exercises[cell.ref], outputs[cell.line]) end
    end
  end
  out[#out + 1] = "</section>\n"
  return site:page(lesson.name .. ".html", {alone = lesson.language ~= nil, title = site:title(lesson), body = table.concat(out), places = places,
                                            before = neighbour(site, lesson, -1), after = neighbour(site, lesson, 1)})
end

return M
