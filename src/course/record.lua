-- record.lua: what the cells of a lesson show while it runs (audit.lua), as HTML for a page, in both languages: printed text, values, pictures,
-- verdicts, errors. The lesson runs once; a value is written out in either language.

local frame = require "phasor.document.frame"
local host = require "phasor.course.host"
local html = require "phasor.document.html"
local judge = require "phasor.course.judge"
local mathml = require "phasor.document.mathml"
local parse = require "phasor.course.parse"
local run = require "phasor.course.run"
local tools = require "phasor.tools"
local mimes = require "phasor.lib.mime"
local verdict_html = require "phasor.course.verdict_html"

local M = {}

local escape = html.escape

-- f(lang) in each language, while verdicts are shown in it; one string where both are the same.
local function in_both(f)
  local out, before = {}, host.spoken()
  for _, lang in ipairs {"en", "zh"} do
    host.speak(lang, 0)
    out[lang] = f(lang)
  end
  host.speak(before)
  return out.en == out.zh and out.en or out
end

-- ---- values ------------------------------------------------------------------------------------------------------------

-- A table may have been given a class by the lesson, whose HTML would stand on the page as it is.
local function forms_of(value)
  local meta = debug.getmetatable(value)
  local offer = type(meta) == "table" and rawget(meta, "__mime")
  if type(value) ~= "userdata" and not mimes.is_own(offer) then return {} end
  return offer and offer(value, {"image/svg+xml", "text/latex", "text/html"}) or {}
end

-- The place of a value among those of a parameter.
local function place_of(value, list)
  for i, v in ipairs(list) do if v == value then return i end end
  return 1
end

-- A vary (lib/vary.lua): a slider for each parameter, and all frames, of which page.js shows one.
local function slides(v, n, lang)
  local sliders, out, first = {}, {}, v:first()
  for i, f in ipairs(v:frames()) do
    local at = {}
    for k, p in ipairs(v.parameters) do at[k] = place_of(f.values[p.name], p.values) end
    if i == first then
      for k, p in ipairs(v.parameters) do
        sliders[k] = ('<label>%s <input type="range" min="1" max="%d" value="%d"></label>'):format(escape(p.label), #p.values, at[k])
      end
    end
    out[i] = ('<div class="frame" data-at="%s" data-label="%s"%s>%s</div>'):format(table.concat(at, " "), escape(f.label), i == first and "" or " hidden",
      f.svg and frame.picture(f.svg, ("%d-%d"):format(n, i)) or '<pre class="wide">' .. escape(f.text) .. "</pre>")
  end
  return ('<div class="vary"><div class="slide" hidden>%s<button type="button" aria-label="%s">\u{25B6}\u{FE0E}</button><output></output></div>\n%s</div>'):format(
    table.concat(sliders), lang == "zh" and "播放" or "play", table.concat(out, "\n"))
end

local function is_vary(value)
  local meta = debug.getmetatable(value)
  return type(meta) == "table" and rawget(meta, "__name") == "Vary"
end

-- Positions on the page are numbered, so that names inside pictures differ.
local function written(value, n, lang)
  if is_vary(value) then return slides(value, n, lang) end
  local forms = forms_of(value)
  local result = not forms["image/svg+xml"] and judge.value(value)
  if result then return verdict_html.result(result, lang) end
  if forms["image/svg+xml"] then return frame.picture(forms["image/svg+xml"], n) end
  local tex = forms["text/latex"] and not forms["text/html"] and forms["text/latex"]:match("^%$(.*)%$$")
  local set = tex and mathml.display((tex:gsub("^\\displaystyle ", "")))
  if set then return html.wide(set, "formula") end
  if forms["text/html"] then return '<div class="wide">' .. forms["text/html"] .. "</div>" end
  return '<pre class="wide">' .. escape(tools.shown(value)) .. "</pre>"
end

-- ---- while a lesson runs ---------------------------------------------------------------------------------------------

local Recorder = {}
Recorder.__index = Recorder

-- outputs: by the line of the cell, a list of HTML, or of {en =, zh =}.
function M.new() return setmetatable({outputs = {}, pictures = 0, printed = {}, judged = {}}, Recorder) end

function Recorder:add(output)
  local list = self.outputs[self.cell.line] or {}
  self.outputs[self.cell.line] = list
  list[#list + 1] = output
end

-- What was printed so far becomes one block.
function Recorder:flush()
  if #self.printed == 0 then return end
  local pieces = self.printed
  self.printed = {}
  self:add(in_both(function(lang)
    local out = {}
    for i, piece in ipairs(pieces) do out[i] = type(piece) == "table" and piece[lang] or piece end
    return '<pre class="wide">' .. escape((table.concat(out):gsub("\n$", ""))) .. "</pre>"
  end))
end

function Recorder:print(...)
  local values = table.pack(...)
  local only = values.n == 1 and type(values[1]) ~= "string" and judge.value(values[1])
  if only then return self:show(values[1]) end
  self.printed[#self.printed + 1] = in_both(function()
    local out = {}
    for i = 1, values.n do out[i] = tostring(values[i]) end
    return table.concat(out, "\t") .. "\n"
  end)
end

function Recorder:show(value)
  self:flush()
  self.pictures = self.pictures + 1
  self:add(in_both(function(lang) return written(value, self.pictures, lang) end))
end

-- The names that show something, for the environment that the lesson runs in.
function Recorder:names()
  local file = {}
  function file.write(f, ...)
    for _, text in ipairs {...} do self.printed[#self.printed + 1] = tostring(text) end
    return f
  end
  setmetatable(file, {__index = io.stdout})
  return {
    print = function(...) self:print(...) end,
    display = function(value) self:show(value) end,
    progress = function() end,
    io = setmetatable({write = function(...) return file:write(...) end, stdout = file}, {__index = io}),
  }
end

function Recorder:before(cell) self.cell = cell end

-- result: what judge.lua makes of the value, or nil.
function Recorder:after(cell, value, result)
  self:flush()
  if cell.kind ~= "code" then return end
  self.judged[cell.line] = result ~= nil
  if result then self:add(in_both(function(lang) return verdict_html.result(result, lang) end))
  elseif value ~= nil then self:show(value) end
end

function Recorder:failed(message)
  self:flush()
  self:add('<pre class="error">' .. escape(message) .. "</pre>")
end

-- ---- the same in Chinese -----------------------------------------------------------------------------------------------

local function in_language(output, lang)
  if type(output) == "table" then return output[lang] end
  return output
end

-- What was recorded in English, with what the second run showed in Chinese; `false` there: what the first one has.
local function joined(first, second)
  if #first ~= #second then return first end
  local out = {}
  for i, output in ipairs(first) do
    local en, zh = in_language(output, "en"), in_language(second[i] or output, "zh")
    out[i] = en == zh and en or {en = en, zh = zh}
  end
  return out
end

-- Does the lesson ask which language is spoken?
local function asks(lesson)
  for _, cell in ipairs(lesson.cells) do if run.runs(cell) and cell.code:find("%f[%w]says%f[%W]") then return true end end
  return false
end

-- Texts that a cell prints or writes into a picture are made while it runs, in the language that is spoken: a lesson that has such runs once more
-- in Chinese, with nothing judged or tested. fresh(recorder): globals to run it in. Verdicts stay as they are: they have both languages.
function Recorder:retell(lesson, eval, fresh)
  if not asks(lesson) then return end
  local again, before = M.new(), host.spoken()
  local env = fresh(again)
  host.speak("zh", 0)
  for _, cell in ipairs(lesson.cells) do
    if run.runs(cell) then
      again:before(cell)
      if cell.variants then rawset(env, "variant", 1) end
      local ok, value = eval(parse.code(cell), lesson.file, env)
      if not ok then break end
      if self.judged[cell.line] then
        again:flush()
        again:add(false)
      else again:after(cell, value) end
    end
  end
  host.speak(before)
  for line, list in pairs(self.outputs) do self.outputs[line] = joined(list, again.outputs[line] or {}) end
end

return M
