-- Programs of readers_lua.c, which it names by what stands behind the @.

-- @prelude
-- Each gives a value, or nil and a message. What it also must keep, it sees to itself, by an error.
local json, handin = require 'phasor.lib.json', require 'phasor.course.handin'
local host, parse, progress = require 'phasor.course.host', require 'phasor.course.parse', require 'phasor.course.progress'
local prose, tex = require 'phasor.document.prose', require 'phasor.document.tex'
local mathml, display = require 'phasor.document.mathml', require 'phasor.document.display'
local harmless, leaf = require 'phasor.course.harmless', require 'phasor.parcel'
local configuration, shards, experiment = require 'phasor.lib.rope_config', require 'phasor.lib.shards', require 'phasor.train.experiment'
local R = {}
-- what was read is written and read again
function R.json(t) local v = json.read(t); if v ~= nil then local w = json.write(v); assert(json.write(json.read(w)) == w) end end
function R.handin(t) return handin.read(t, host) end
R.answers = handin.read_lua
function R.lesson(t) return parse.parse(t, 'l.lua') end
-- a file that is not understood is set aside whole; the files lie in memory, since the disk takes ten times as long as the reading
local disk
local memory = setmetatable({}, {__index = host})
function memory.contents(path) return disk[path], 'no such file', disk[path] == nil end
function memory.exists(path) return disk[path] ~= nil end
function memory.rename(from, to) disk[from], disk[to] = nil, disk[from]; return true end
function R.progress(t)
  local path = progress.path()
  disk = {[path] = t}
  local lessons = progress.load(memory, function() end)
  assert(lessons, 'neither read nor set aside')
  assert((disk[path] or disk[path .. '.damaged']) == t, 'the file is lost')
end
-- what is shown holds nothing that a terminal obeys
local function shown(t) assert(not t:gsub('[\n\t]', ''):find '%c', 'a control character is shown') end
function R.prose(t) shown(prose.render(t, 60)); shown(prose.title(t) or '') end
function R.tex(t) shown(tex.unicode(t)) end
function R.mathml(t) shown(mathml.inline(t) or '') shown(mathml.display(t) or '') end
function R.display(t) shown(display.render(t, 60)) end
function R.harmless(t) local s = harmless(t); assert(utf8.len(s) and not s:find '%c') end
-- these say by an error what is wrong
local function saying(f) return function(...) local ok, why = pcall(f, ...); assert(ok or type(why) == 'string', 'no words') end end
R.parcel, R.decimal = saying(function(t) return tostring(leaf.value(t)) end), saying(function(t) return rat(t), dd(t) end)
-- of a file: what a model's config.json says of its rotation; in which files its tensors lie
R.config = saying(function(_, path) local c = configuration.of(path); return c.rotary < 512 and rope_frequencies(c.rotary, c.frequencies) end)
R.index = saying(function(_, path) local f <close> = shards.read(path); f:metadata(); return #f:names(), tostring(f) end)
-- the results of an experiment, written from what was read, are read as the same
local two = {name = 'two', factors = {{'code', {'rope', 'alibi'}}, {'seed', {1, 2}}}, measures = {'within', 'loss'}}
function R.results(t)
  local rows, head = experiment.parse(two, t)
  if not rows then return assert(head) end
  local again = assert(experiment.parse(two, experiment.text(two, rows, {})))
  for k, row in pairs(rows) do assert(again[k].within == row.within and again[k].loss == row.loss) end
end
return R
