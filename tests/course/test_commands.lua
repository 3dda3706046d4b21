-- Programs of test_commands.c, which it names by what stands behind the @.

-- @prelude
course, ledger = require 'phasor.course', require 'phasor.ledger'
function with(text, ...)
  local f <close> = assert(io.open(FILE, 'w'))
  f:write((text:gsub('|', '\n')))
end
HEAD = '-- %% [markdown] ref="a" lang="en"|-- # A|-- %% [markdown] ref="a" lang="zh"|-- # A|'
good = 'return measure{claim="it", value=0, bound=1, why="r"}|'
bad = 'return measure{claim="it", value=2, bound=1, why="r"}|'
open = 'return measure{claim="it", value={}, bound=1, why="r"}|'
FILE = os.getenv 'TEST_DIR' .. '/lesson.lua'

-- @the_ledger_is_whole_1
n = {}
for _, c in ipairs(ledger.claims) do
  for _, k in ipairs {c.source, c.stance, c.strength} do n[k] = (n[k] or 0) + 1 end
end
return #ledger.claims, n.pe, n.sa, n.su, n.holds, n.erratum, n.empirical, n.proved, n.certified, n.measured

-- @the_ledger_is_whole_2
seen = {}; wrong = {}
for _, c in ipairs(ledger.claims) do
  if seen[c.id] or not ledger.sources[c.source].sections[c.section] then wrong[#wrong + 1] = c.id end
  for _, text in ipairs {c.en, c.zh, c.formula or ''} do if not text:find('%S') then wrong[#wrong + 1] = c.id end end
  if not c.zh:find('[\xe4-\xe9][\x80-\xbf][\x80-\xbf]') or c.zh:find('[\xe4-\xe9]..[,;:?!]') then
    wrong[#wrong + 1] = c.id end
  seen[c.id] = true
end
return #wrong

-- @the_ledger_is_whole_3
tex = require 'phasor.document.tex'
for _, c in ipairs(ledger.claims) do
  local what = tex.unknown(c.formula)
  if what then return c.id, what end
end
return 'read'

-- @the_ledger_is_whole_4
stance, strength = {holds = 1, erratum = 2, empirical = 3}, {proved = 1, certified = 2, measured = 3}
total = 0
for i, c in ipairs(ledger.claims) do
  local h = 0
  for _, b in utf8.codes(c.id) do h = (h * 31 + b) % 1000003 end
  total = (total * 7 + h * stance[c.stance] + 13 * strength[c.strength]) % 1000000007
end
return total

-- @the_ledger_is_whole_5
-- Between dollars there is mathematics that can be read, outside none: no sign of it, no Greek letter, no letter alone, no name of a function.
local reader = require 'phasor.document.reader'
local signs = '[=<>^_/\\+]'
local function typed(text)
  if text:find(signs) then return text:match(signs) end
  for _, code in utf8.codes(text) do
    if code >= 0x391 and code <= 0x3C9 or code >= 0x2070 and code <= 0x209F or code >= 0x2190 and code <= 0x23FF or code == 0xB2 or code == 0xB7 then
      return utf8.char(code)
    end
  end
  for word in text:gmatch('%f[%w]%w+%f[%W]') do
    if word:find('^%a$') and word ~= 'a' and word ~= 'A' and word ~= 's' or word == 'sin' or word == 'cos' then return word end
  end
end
for _, c in ipairs(ledger.claims) do
  for _, text in ipairs {c.en, c.zh} do
    local rest = text:gsub('%$([^$]+)%$', function(tex)
      local _, fault = reader.read(tex)
      assert(not fault, c.id .. ': cannot read ' .. tex)
      return ''
    end)
    local left = rest:find('$', 1, true) and '$' or typed(rest)
    assert(not left, c.id .. ': ' .. (left or '') .. ' is typed: ' .. text)
  end
end
return 'set'

-- @lists_fit_the_screen
local host, width, kept = require 'phasor.course.host', require 'phasor.document.width', {}
kept.columns, kept.write = host.columns, host.write
local out = {}
for _, case in ipairs{{40, '--lang=en'}, {40, '--lang=zh'}, {80, '--lang=en'}, {80, '--lang=zh'}} do
  local text = {}
  function host.columns() return case[1] end
  function host.write(s) text[#text + 1] = s end
  course.main('lesson', case[2])
  if case[1] == 80 then course.main('claims', case[2]) end
  local most = 0
  for line in table.concat(text):gmatch '[^\n]+' do most = math.max(most, width.of(line)) end
  out[#out + 1] = most <= case[1] and most > case[1] - 6 and 'fits' or 'wide: ' .. most
end
host.columns, host.write = kept.columns, kept.write
return table.concat(out, ' ')
