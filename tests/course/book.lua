-- book.lua DIR: every page of the book without running a lesson, for book.py to look at: claims are all unsettled,
-- cells show nothing, and the atlas has one row.

local catalogue = require "phasor.course.catalogue"
local ledger = require "phasor.ledger"
local site_of = require "phasor.course.site"
local host = require "phasor.course.host"

local found, lessons, results = {results = {}, errors = {}, pictures = {}}, {}, {}
for i, name in ipairs(catalogue.names()) do lessons[i] = assert(catalogue.open(name)) end
for i, claim in ipairs(ledger.claims) do
  found.results[i] = {claim = claim, outcome = "unsettled", strength = "unknown", line = "not run", time = 0}
  results[claim.id] = found.results[i]
end
local lists = {}
for _, name in ipairs {"contents", "glossary", "ledger"} do lists[name] = require("phasor.course.page_" .. name) end
local atlas = require("phasor.course.page_atlas")
local cell = {strength = "proved", lines = {en = "proved for all m & n", zh = "已证明"}}
local drawn = {N = 512, laws = {{key = "even", head = "even", what = "... on |m - n| only"}, {key = "parameters", head = "par", what = "how many"}},
               rows = {{name = "rope half", called = {en = "RoPE, halves", zh = "RoPE（前后两半）"},
                    title = "<rotary>", kind = "rotation", learned = 0, cells = {even = cell, parameters = cell}}}}

for _, lang in ipairs {"en", "zh"} do
  local site = site_of.new(lessons, {lang = lang, both = true, whole = true})
  local function save(name, text) assert(host.save(("%s/%s/%s.html"):format(arg[1], lang, name), text, true)) end
  for _, lesson in ipairs(lessons) do save(lesson.name, require("phasor.course.page_lesson").write(site, lesson, {}, results)) end
  for name, page in pairs(lists) do save(name == "contents" and "index" or name, page.write(site, found)) end
  for file, text in pairs(require("phasor.course.page_report").pages(site, found)) do save(file:match "^[^.]*", text) end
  save("atlas", atlas.write(site, drawn))
end
assert(host.save(arg[1] .. "/index.html", lists.contents.door(), true))
