-- What reads texts of strangers in the course, on spoiled ones: phasor tests/fuzz/parsers.lua [SECONDS [SEED]]. Each gives a value, or nil
-- and a message; one that raises, or takes longer than a second, is a fault.
local seconds, seed = tonumber((...)) or 1, tonumber((select(2, ...))) or os.time()
local json, handin = require "phasor.course.json", require "phasor.course.handin"
local host, parse = require "phasor.course.host", require "phasor.course.parse"
local prose, tex = require "phasor.document.prose", require "phasor.document.tex"
local mathml, display = require "phasor.document.mathml", require "phasor.document.display"
local harmless, leaf = require "phasor.course.harmless", require "phasor.parcel"

local lesson = [[
-- %% [markdown] ref="one" lang="en"
-- # Turns of $x_i^{2}$
-- %% ref="one" claim="pe/shift-formula"
return prove(a, b)
-- %% role="exercise" ref="one" points=4 variants=3
--- BEGIN SOLUTION
x = 1
--- END SOLUTION
-- %% role="check" ref="one"
feedback(same(x, 1))
-- %% role="wrong" ref="one" expect="no"
x = 2
]]
local hand_in = [[{"phasor": "hand-in", "version": 1, "lesson": "turns", "hash": "0", "student": "\u00e9\ud83d\ude00", "seed": "",
"finished": true, "seal": "0", "exercises": [{"ref": "one", "state": "open", "attempts": 1e2, "hints": 0, "variant": 1, "answer": "x"}]}]]
local a, b = sym "a b"
local rows = { -- name, a text, what reads it; raises: errors are answers
  {"json", hand_in, json.read},
  {"hand-in", hand_in, function(t) return handin.read(t, host) end},
  {"answers", lesson, handin.read_lua},
  {"lesson", lesson, function(t) return parse.parse(t, "l.lua") end},
  {"prose", "# Title\n- *one* `two` $\\frac{a}{b}$ **three** [x](y)\n\n$$\\sum_{i=1}^{n} x_i$$\n| a | b |\n", function(t) return prose.render(t, 60) end, whole = true},
  {"tex", "\\frac{a}{b} + \\sqrt[3]{x_i^{2}} \\le \\text{no} \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", tex.unicode, whole = true},
  {"display", "\\sum_{i=1}^{n} \\frac{a_i}{\\sqrt{b}} \\left( x \\right)", function(t) return display.render(t, 60) end, whole = true},
  {"mathml", "\\frac{a}{b} + \\sqrt{x_i'^{2}} \\hat{y}", mathml.mathml, whole = true},
  {"harmless", "a\27[2J\xff\u{202E}é", harmless},
  {"formula bytes", leaf.bytes(sin(a + b)^2 - rat(1, 3) * a), leaf.value, raises = true},
  {"array bytes", leaf.bytes(array{{1, 2}, {3, 4}}), leaf.value, raises = true},
}

local g = rng(seed)
local pieces = {"", "{", "}", "[", "\\", "$", "\"", "-- %%", "\n", "\0", "\xff", "1e999", "\\frac", "_", "^", "&", "--- BEGIN SOLUTION", "\u{202E}"}

local function spoiled(text)
  for _ = 0, g:below(4) do
    local at, n, kind = g:below(#text + 1), g:below(8), g:below(4)
    local piece = kind == 0 and string.char(g:below(256)) or kind == 1 and pieces[g:below(#pieces) + 1]
      or kind == 2 and text:sub(g:below(#text + 1) + 1):sub(1, n * n) or ""
    text = text:sub(1, at) .. piece .. text:sub(at + 1 + n)
  end
  return text
end

local faults, total, stop = 0, 0, os.clock() + seconds
local counts = {}
while os.clock() < stop do
  for _, row in ipairs(rows) do
    local text, began = spoiled(row[2]), os.clock()
    if row.whole and not utf8.len(text) then text = row[2] end -- a lesson that is no UTF-8 is refused before
    local ok, why = pcall(row[3], text)
    if not ok and not row.raises or os.clock() - began > 1 then
      faults = faults + 1
      print(("%s, seed %d: %s: %q"):format(row[1], seed, ok and "slow" or tostring(why), text))
    end
    counts[row[1]] = (counts[row[1]] or 0) + 1
    total = total + 1
  end
end
print(("%d texts, %d for each of %d readers; %d faults"):format(total, counts.json, #rows, faults))
os.exit(faults == 0 and 0 or 1)
