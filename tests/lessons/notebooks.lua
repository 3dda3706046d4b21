-- The committed notebooks against the lessons: prints a line for each place where `make notebooks` would write something else: sources, ids,
-- metadata, and in teachers' the verdicts' texts (of measured ones only that they are measured: other machines sum otherwise). Pictures
-- are never compared.
local catalogue = require "phasor.course.catalogue"
local exercise = require "phasor.course.exercise"
local host = require "phasor.course.host"
local json = require "phasor.lib.json"
local notebook = require "phasor.course.notebook"
local run = require "phasor.course.run"

local folder, wanted = ...
folder = folder or "notebooks"

local said = 0
local function say(text, ...)
  said = said + 1
  if said <= 40 then print(text:format(...)) end
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, v in pairs(a) do if not same(v, b[key]) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end

local function committed(path)
  local text, why = host.contents(path)
  if not text then return nil, why end
  return json.read(text, true)
end

-- Does an output go on with the stream of the one before? Where a stream is cut depends on timing, so scripts/notebooks joins its pieces.
local function is_cut(outputs)
  for i = 2, #outputs do
    if outputs[i].name and outputs[i].name == outputs[i - 1].name then return true end
  end
end

-- The cells as they are committed, when they are what the lesson makes; else nil.
local function compare(lesson, lang, kind)
  local path = ("%s/%s/%s/%s.ipynb"):format(folder, lang, kind, lesson.name)
  local seen, why = committed(path)
  if not seen then return say("%s: %s; make notebooks", path, why) end
  local made = json.read(json.write(notebook.make(lesson, {lang = lang, student = kind == "student"})), true)
  if not same(made.metadata, seen.metadata) then say("%s: its metadata", path) end
  if #made.cells ~= #seen.cells then return say("%s: %d cells; the lesson makes %d", path, #seen.cells, #made.cells) end
  for i, cell in ipairs(made.cells) do
    for _, key in ipairs {"id", "cell_type", "source", "metadata"} do
      if not same(cell[key], seen.cells[i][key]) then say("%s: cell %d (%s): its %s", path, i, cell.id, key) end
    end
    if seen.cells[i].outputs and is_cut(seen.cells[i].outputs) then say("%s: cell %s: a stream in pieces", path, cell.id) end
    if kind == "student" and cell.outputs and #seen.cells[i].outputs > 0 then say("%s: cell %s has outputs", path, cell.id) end
  end
  return seen.cells
end

-- ---- what cells show -----------------------------------------------------------------------------------------------------

local function verdicts_in(value, out, depth)
  if type(value) == "userdata" and (debug.getmetatable(value) or {}).__name == "Verdict" then out[#out + 1] = value
  elseif type(value) == "table" and depth < 4 then for _, v in pairs(value) do verdicts_in(v, out, depth + 1) end end
  return out
end

local function text_of(cell)
  local out = {}
  for _, o in ipairs(cell.outputs) do
    for _, line in ipairs(o.data and o.data["text/plain"] or o.text or {}) do out[#out + 1] = line end
  end
  return table.concat(out)
end

-- An error's place is that of the lesson's file in one and of the notebook's cell in the other.
local function without_place(text) return (text:gsub("lessons/%w+%.lua:%d+: ", ""):gsub("%[%d+%]:%d+: ", "")) end

local function check_cell(lesson, lang, cell, value)
  local text = without_place(text_of(cell))
  for _, v in ipairs(verdicts_in(value, {}, 1)) do
    local line = v.strength == "measured" and host.strength("measured", lang) or without_place(v:text(lang))
    if not text:find(line, 1, true) then say("%s/%s: cell %s does not show: %s", lang, lesson.name, cell.id, line) end
  end
end

-- Runs a lesson once and holds each cell's verdicts against both languages' notebooks.
local function check_verdicts(lesson, cells_of)
  local env, at = host.silent(), {en = 0, zh = 0}
  for _, cell in ipairs(lesson.cells) do
    if run.runs(cell) then
      if cell.variants then rawset(env, "variant", 1) end
      local ok, value = host.eval(exercise.code(cell), lesson.file, env)
      if not ok then return say("%s: %s", lesson.name, value) end
      for lang, cells in pairs(cells_of) do
        repeat at[lang] = at[lang] + 1 until cells[at[lang]].cell_type == "code" and not cells[at[lang]].id:find("%-check[%d-]*$")
        if cell.kind == "code" then check_cell(lesson, lang, cells[at[lang]], value) end
      end
    end
  end
end

-- wanted: a lesson; "sources": all, none of them run; "odd", "even": half of them, run.
local function chosen()
  local out, parity = {}, ({odd = 1, even = 0})[wanted]
  for i, name in ipairs(catalogue.names()) do
    if wanted == "sources" or not wanted or wanted == name or parity == i % 2 then out[#out + 1] = name end
  end
  return out
end

for _, name in ipairs(chosen()) do
  local lesson = assert(catalogue.open(name))
  local cells_of = {}
  for _, lang in ipairs {"en", "zh"} do
    compare(lesson, lang, "student")
    cells_of[lang] = compare(lesson, lang, "teacher")
  end
  if wanted ~= "sources" and cells_of.en and cells_of.zh then check_verdicts(lesson, cells_of) end
end
