-- notebook.lua: a lesson as a Jupyter notebook (nbformat 4.5), in one language, for the teacher or for students.
--
-- One way: notebooks are made of lessons, never read back. A cell's id comes from its ref, so that a notebook that is made again differs
-- only where its lesson does. Exercises carry nbgrader's metadata (schema 3): the answer's cell, and a locked one of points that
-- runs `check "ref"`, which tries the notebook's own values against the lesson as the laboratory has it. Students get the stub
-- in place of the solution.

local exercise = require "phasor.course.exercise"
local json = require "phasor.lib.json"
local selfcheck = require "phasor.course.selfcheck"
local spoken = require "phasor.course.spoken"
local messages = require "phasor.course.messages"

local M = {}

local kernels = {en = {name = "phasor", display_name = "Phasor"}, zh = {name = "phasor-zh", display_name = "Phasor 中文"}}

local said = {
  en = {hint = "Hint %d", points = "**Exercise**, %d point(s). Write your answer in the next cell and run it; the cell below it says what it thinks.",
        answer = "-- your answer", appendix = "# Appendix\n\nThe lesson ends here. What follows is for those who want the proofs in full and the details."},
  zh = {hint = "提示 %d", points = "**练习**，%d 分。把答案写进下一个单元格并运行；再下面那个单元格会作出评判。", answer = "-- 你的答案",
        appendix = "# 附录\n\n本课正文到此为止。后面是完整的证明和细节，想看的人可以接着看。"},
}

-- "ref", "ref-2": what is already taken is numbered.
local function new_id(taken, wanted)
  local id, n = wanted, 1
  while taken[id] do
    n = n + 1
    id = wanted .. "-" .. n
  end
  taken[id] = true
  return id
end

-- A text as nbformat keeps it: lines, each with its end but the last.
local function lines(text)
  local out = json.list()
  for line in text:gmatch("[^\n]*\n?") do if line ~= "" then out[#out + 1] = line end end
  return out
end

local function graded(id, locked, points)
  return {nbgrader = {schema_version = 3, grade_id = id, grade = points ~= nil, points = points, solution = not locked, locked = locked, task = false}}
end

-- ---- cells -------------------------------------------------------------------------------------------------------------

local function markdown(id, text, metadata) return {cell_type = "markdown", id = id, metadata = metadata or {}, source = lines(text)} end

local function code(id, text, metadata)
  return {cell_type = "code", id = id, metadata = metadata or {}, source = lines(text), outputs = json.list(), execution_count = json.null}
end

-- The stub: a comment where the solution is. Kept at the depth at which the solution's marker stands.
local function stub(cell, w)
  local out, line, inside = {}, cell.line, nil
  for text in (cell.code .. "\n"):gmatch("(.-)\n") do
    line = line + 1
    local region
    for _, r in ipairs(cell.regions) do if line >= r.first and line <= r.last then region = r end end
    if not region then out[#out + 1] = text
    elseif region ~= inside then out[#out + 1] = text:match("^%s*") .. w.answer end
    inside = region
  end
  return table.concat(out, "\n")
end

local function answer_text(cell, w, student)
  local text = student and stub(cell, w) or cell.code
  return cell.variants and "variant = 1\n" .. text or text
end

local function hint_text(w, n, text) return ("<details><summary>%s</summary>\n\n%s\n\n</details>"):format(w.hint:format(n), text) end

-- The cells of an exercise: what it is worth, its hints, the answer, what judges it.
local function exercise_cells(out, lesson, e, options, taken)
  local w = said[options.lang]
  out[#out + 1] = markdown(new_id(taken, e.ref .. "-exercise"), messages.counted(w.points, e.points))
  for n, text in ipairs(e.hints[options.lang]) do out[#out + 1] = markdown(new_id(taken, e.ref .. "-hint"), hint_text(w, n, text)) end
  local id = new_id(taken, e.ref .. "-answer")
  out[#out + 1] = code(id, answer_text(e.cell, w, options.student), graded(id, false))
  id = new_id(taken, e.ref .. "-check")
  out[#out + 1] = code(id, selfcheck.call(lesson, e.ref), graded(id, true, e.points))
end

local function cells_of(lesson, options)
  local out, taken, exercises = json.list(), {}, exercise.of(lesson)
  for _, cell in ipairs(lesson.cells) do
    if cell.appendix and cell.lang == options.lang then out[#out + 1] = markdown(new_id(taken, "appendix"), said[options.lang].appendix) end
    if cell.kind == "markdown" and cell.lang == options.lang then out[#out + 1] = markdown(new_id(taken, cell.ref .. "-text"), cell.text)
    elseif cell.kind == "code" then out[#out + 1] = code(new_id(taken, cell.ref or "code"), spoken.code(cell.code, options.lang), cell.claim and {claim = cell.claim})
    elseif cell.kind == "exercise" then exercise_cells(out, lesson, exercises[cell.ref], options, taken) end
  end
  return out
end

-- The notebook as a table that json.write writes. options: lang, student (true: stubs, no solutions).
function M.make(lesson, options)
  local kernel = kernels[options.lang]
  return {nbformat = 4, nbformat_minor = 5, cells = cells_of(lesson, options),
          metadata = {kernelspec = {name = kernel.name, display_name = kernel.display_name, language = "lua"},
                      language_info = {name = "lua", version = "5.4", mimetype = "text/x-lua", file_extension = ".lua",
                                       pygments_lexer = "lua", codemirror_mode = "lua"}}}
end

return M
