-- Programs of test_notebook.c, which it names by what stands behind the @.

-- @prelude
notebook, json, catalogue = require 'phasor.course.notebook', require 'phasor.lib.json', require 'phasor.course.catalogue'
teacher = notebook.make(catalogue.open 'rope', {lang = 'en'})
student = notebook.make(catalogue.open 'rope', {lang = 'zh', student = true})
function cell(book, id) for _, c in ipairs(book.cells) do if c.id == id then return c end end end
function source(book, id) return table.concat(cell(book, id).source) end

-- @ids_and_metadata
for _, name in ipairs(catalogue.names()) do
  for _, lang in ipairs {'en', 'zh'} do
    local seen = {}
    for _, c in ipairs(notebook.make(catalogue.open(name), {lang = lang}).cells) do
      assert(c.id:find '^[%w_-]+$' and #c.id <= 64 and not seen[c.id], c.id)
      seen[c.id] = true
    end
  end
end

-- @cleared_by_nbgrader
-- nbgrader's ClearSolutions: the lines from one that holds the first mark to one that holds the second become the stub, at the depth of the first;
-- only cells of answers may have them, and one without any becomes the stub whole. What it makes of a teacher's notebook is the student's.
stubs = {en = "-- your answer", zh = "-- 你的答案"}
function cleared(text, stub)
  local out, inside, found = {}, false, false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    if line:find("BEGIN SOLUTION", 1, true) then
      assert(not inside)
      inside, found, out[#out + 1] = true, true, line:match "^%s*" .. stub
    elseif line:find("END SOLUTION", 1, true) then inside = false
    elseif not inside then out[#out + 1] = line end
  end
  assert(not inside)
  return table.concat(out, "\n"), found
end
answers = 0
for _, name in ipairs(catalogue.names()) do
  for lang, stub in pairs(stubs) do
    local lesson = catalogue.open(name)
    local given = notebook.make(lesson, {lang = lang, student = true})
    for i, c in ipairs(notebook.make(lesson, {lang = lang}).cells) do
      local text, twin = table.concat(c.source), given.cells[i]
      local made, found = cleared(text, stub)
      local answer = c.metadata.nbgrader and c.metadata.nbgrader.solution
      assert(found == (answer or false), name .. ": " .. c.id)
      assert(made == table.concat(twin.source) and c.id == twin.id, name .. ": " .. c.id)
      for _, mark in ipairs {"HIDDEN TESTS", "MARK SCHEME", "AUTOTEST"} do assert(not text:find(mark, 1, true), name .. ": " .. c.id) end
      answers = answers + (answer and 1 or 0)
    end
  end
end
