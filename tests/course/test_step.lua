-- Programs of test_step.c, which it names by what stands behind the @.

-- @prelude
fold, prose = require 'phasor.course.fold', require 'phasor.document.prose'
results, entries = require 'phasor.course.results', require 'phasor.course.entries'
judge, host, words = require 'phasor.course.judge', require 'phasor.course.host', require 'phasor.course.messages'
steps, parse = require 'phasor.course.step', require 'phasor.course.parse'
catalogue = require 'phasor.course.catalogue'
function one() return 1 end
function folded(code, most) return (fold.fold(code:gsub('|', '\n'), most, one):gsub('\n', '|')) end
function lines(text) return select(2, text:gsub('\n', '')) + 1 end
function said(lang, ...)
  local out, write = {}, host.write
  function host.write(text) out[#out + 1] = text end
  local ok, why = pcall(results.show, host, judge.value {...}, words.of(lang), 80, {why = true})
  host.write = write
  return ok and (table.concat(out):gsub('\n$', '')) or why
end

-- @code_speaks_one_language
for _, name in ipairs(catalogue.names()) do
  for _, s in ipairs(steps.steps(catalogue.open(name), 'en')) do
    for _, lang in ipairs {'en', 'zh'} do
      if s.code then assert(load(spoken.code(s.code.code, lang):gsub('[^%w%p%s]+', '_') .. ''), name .. ' ' .. s.key) end
    end
  end
end

-- @no_step_shows_much_code
over, seen = {}, 0
for _, name in ipairs(catalogue.names()) do
  local lesson = catalogue.open(name)
  for _, columns in ipairs {40, 80, 200} do
    local function height(line) return #prose.pieces(line, columns - 4) end
    for _, s in ipairs(steps.steps(lesson, 'en')) do
      local code = s.code and s.code.code or s.exercise and steps.exercise_code(s.exercise, true)
      local text, n = code and fold.fold(code, steps.CODE, height) or '', 0
      for line in (text .. '\n'):gmatch '(.-)\n' do n = n + height(line) end
      seen = seen + (n > 1 and 1 or 0)
      if n > steps.CODE then over[#over + 1] = name .. ' ' .. s.key .. ' ' .. n end
    end
  end
end
return table.concat(over, ', '), seen > 500

-- @every_title_fits_its_line
wide, seen = {}, 0
for _, name in ipairs(catalogue.names()) do
  for _, lang in ipairs {'en', 'zh'} do
    for _, columns in ipairs {40, 80, 200} do
      local front = setmetatable({columns = function() return columns end, coloured = function() return false end, write = function() end,
                                  keep = function() end}, {__index = host})
      function front.heading(line)
        seen = seen + 1
        if prose.width(line) > columns then wide[#wide + 1] = line end
      end
      for _, s in ipairs(steps.steps(catalogue.open(name), lang)) do steps.show(front, s, words.of(lang)) end
    end
  end
end
return table.concat(wide, '; '), seen > 1000

-- @every_step_has_a_title
small = '-- %% [markdown] ref="a" lang="en"\n-- # A *b* $x_1$\n-- Text.\n-- %% ref="a"\nx = 1\n'
  .. '-- %% [markdown] ref="b" lang="en"\n-- More.\n-- %% ref="b"\nx = 2\n'
out = {}
for i, s in ipairs(steps.steps(parse.parse(small, 'l.lua'), 'en')) do
  out[i] = s.title .. '|' .. tostring(s.goes_on) .. '|' .. s.prose[1]
end
return table.concat(out, '; ')
