-- Programs of test_appendix.c, which it names by what stands behind the @.

-- @prelude
course, session, json = require 'phasor.course', require 'phasor.session', require 'phasor.lib.json'
parse, lint, ledger = require 'phasor.course.parse', require 'phasor.course.lint', require 'phasor.ledger'
steps, words, counts = require 'phasor.course.step', require 'phasor.course.messages', require 'phasor.course.counts'
notebook, site = require 'phasor.course.notebook', require 'phasor.course.site'
page = require 'phasor.course.page_lesson'
FILE, STATE = os.getenv 'TEST_DIR' .. '/parted.lua', os.getenv 'PHASOR_PROGRESS'
function prose(ref, text, more)
  local out = ''
  for _, lang in ipairs {'en', 'zh'} do
    out = out .. ('-- %%%% [markdown] ref="%s" lang="%s"%s\n-- %s %s\n'):format(ref, lang, more or '', text, lang)
  end
  return out
end
PART = ' part="appendix"'
text = prose('one', '# Parted') .. '-- %% ref="one"\nx = 1\n' .. prose('done', '## Done')
  .. prose('proof', '## Proof', PART) .. '-- %% ref="proof"\nx = x + 1\n' .. prose('more', '## More')
function parsed(text) return assert(parse.parse(text, 'parted.lua')) end
function found(text) return table.concat(lint.lint(parsed(text), ledger), '; ') end
function go(...)
  local f = io.open(FILE, 'w'); f:write(text); f:close()
  session.settings.dialogue, session.settings.terminal = true, true
  course.main('lesson', FILE, '--trust')
  for _, typed in ipairs {...} do course.input(typed, 'typed') end
end
function saved()
  local f = io.open(STATE); local t = json.read(f:read 'a'); f:close(); return t.lessons.parted
end
function places()
  local out = {}
  for i, s in ipairs(steps.steps(parsed(text), 'en')) do out[i] = steps.place(s, words.of 'en') end
  return table.concat(out, ', ')
end

-- @notebooks_and_pages_say_where_it_begins_1
function cells(lang)
  local out = {}
  for i, c in ipairs(notebook.make(parsed(text), {lang = lang}).cells) do out[i] = c.id end
  return table.concat(out, ' ')
end
return cells 'en', cells 'zh'

-- @notebooks_and_pages_say_where_it_begins_2
function html(lang) return page.write(site.new({parsed(text)}, {lang = lang}), parsed(text), {}, {}) end
local en = html 'en'
return select(2, en:gsub('id="appendix"', '')), en:find('<a href="#appendix">Appendix</a>', 1, true) ~= nil,
  en:find('id="done"', 1, true) < en:find('id="appendix"', 1, true),
  en:find('id="appendix"', 1, true) < en:find('id="proof"', 1, true),
  select(2, en:gsub('<section', '')) == select(2, en:gsub('</section>', '')), html('zh'):find('附录', 1, true) ~= nil
