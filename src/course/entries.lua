-- entries.lua: what a cell says of its claim beyond bare verdicts; judge.lua reads them.
--
--   named(words, v)             the verdict v, which must hold, under a statement of its own
--   fails(v [, words])          v must be refuted: a counterexample
--   also(words, v)              the verdict v, which must hold, beside the statement: what was measured of what is proved
--   figure(words, x, text [, {guard = true}])
--                               x, rounded to as many digits, is what `text` says: a printed figure. guard: it is there so that a bound that
--                               grows is noticed, such as one in units of u; a reader finds it with :why only
--   cited(source, v [, words])  the verdict v, which must hold; what the lesson says beside it rests on `source`, which nothing here proves
--
--   in_bounds {claim =, f =, samples =, seed =, why =}  -> verdict, mean
--                               measures deviations, each against a bound of its own: f(g) gives deviation, bound [, where]; what is measured is
--                               the share of the bound, which is 1 at most. mean: of the bounds that were met, a figure to be told
--   in_bounds {…, told = "320.27"}  -> {verdict, figure}
--                               for bounds of rounding: the mean in units of u = 2^-53 is told here. The figure guards the width of the bounds and
--                               is no news for a reader; of the verdict is said how large the deviation was (results.lua)
--
-- The statement of a claim is what its strength is read from; counterexamples, figures and what is measured besides stand beside it and leave the strength alone.
-- `words`: text for both languages, or {en = …, zh = …}.

local about = require "phasor.lib.about"
local host = require "phasor.course.host"
local json = require "phasor.lib.json"
local lab = require "phasor"
local words_of = require "phasor.course.messages".of

local M = {}

local entry = {__name = "Entry"}

-- An entry has its own methods, and the fields of its verdict.
function entry.__index(e, key)
  local own = rawget(entry, key)
  if own ~= nil then return own end
  return e.verdict[key]
end

-- What is said of the verdict, in one language; nil when nobody said anything.
function entry:statement_in(lang)
  local words = self.words
  if type(words) == "table" then words = words[lang] end
  return words or self.verdict.statement
end

-- What stands on both sides of a statement such as "12 = 12", which says nothing by itself; nil of others.
function M.side_twice(text)
  local left, right = text:match "^(.-) = (.*)$"
  return left == right and left or nil
end

-- What is said of it as a sentence, here or by the verdict; nil: nothing is.
function entry:caption(lang) return about.caption(self.verdict, self.words, lang) end

-- The source that is cited, in one language; nil when there is none.
function entry:cited_in(lang)
  local source = rawget(self, "cited")
  return type(source) == "table" and source[lang] or source
end

-- Is the verdict what it should be?
function entry:right() return self.fails == (self.verdict.strength == "refuted") and (self.fails or self.verdict.holds) end

-- The statement and the verdict on it, as a line.
function entry:line(lang)
  local said, w = self:statement_in(lang), words_of(lang)
  local source = self:cited_in(lang)
  return (said and (self.fails and w.refuted_as or "") .. said .. w.colon or "") .. self.verdict:text(lang)
         .. (source and w.cited:format(source) or "")
end

-- The verdict's JSON, after what was said of it here.
function entry:json(options)
  local said, text = self.words and self:statement_in "en", self.verdict:json(options)
  local source = self:cited_in "en"
  local head = (said and '"says":' .. json.write(said):sub(1, -2) .. "," or "") .. (self.fails and '"wanted":"refuted",' or "")
               .. (source and '"cited":' .. json.write(source):sub(1, -2) .. "," or "")
  return "{" .. head .. text:sub(2)
end

function entry.__tostring(e) return e:line(host.spoken()) end

local function is_verdict(v) return type(v) == "userdata" and getmetatable(v) == "Verdict" end

local function seen(v) return type(v) == "string" and ("\"%s\""):format(v) or v == nil and "nothing" or "a " .. type(v) end

local function check_verdict(who, v)
  if not is_verdict(v) then error(("%s: v is %s; wanted a verdict"):format(who, seen(v)), 0) end
end

local function check_words(who, words, what)
  local fits = type(words) == "string" and words:find "%S"
               or type(words) == "table" and type(words.en) == "string" and type(words.zh) == "string"
  if not fits then error(("%s: %s is %s; wanted text, or {en = text, zh = text}"):format(who, what or "words", seen(words)), 0) end
  for _, text in pairs(type(words) == "table" and words or {words}) do -- they are shown as they stand
    if type(text) == "string" and text:find "[%c\x7f]" then
      error(("%s: %s holds a control character; wanted a line of text"):format(who, what or "words"), 0)
    end
  end
end

local function new(verdict, words, beside, fails)
  return setmetatable({verdict = verdict, words = words or false, beside = beside, fails = fails, guard = false}, entry)
end

function M.is(v) return getmetatable(v) == entry end

-- A bare verdict as an entry.
function M.of(v, fails) return new(v, nil, false, fails or false) end

function M.named(words, v)
  check_words("named", words)
  check_verdict("named", v)
  return new(v, words, false, false)
end

function M.also(words, v)
  check_words("also", words)
  check_verdict("also", v)
  return new(v, words, "also", false)
end

-- What an experiment found, in words with its figures; open: the runs do not decide it.
function M.found(words, v, open)
  local e = M.named(words, v)
  e.found = open and "open" or "decided"
  return e
end

function M.fails(v, words)
  check_verdict("fails", v)
  if words ~= nil then check_words("fails", words) end
  return new(v, words, "fails", true)
end

-- The text in the language that verdicts are shown in.
function M.says(words)
  if type(words) ~= "table" or type(words.en) ~= "string" or type(words.zh) ~= "string" then
    error(("says: words is %s; wanted {en = text, zh = text}"):format(seen(words)), 0)
  end
  return words[host.spoken()]
end

M.is_verdict = is_verdict

function M.cited(source, v, words)
  check_words("cited", source, "source")
  check_verdict("cited", v)
  if words ~= nil then check_words("cited", words) end
  local e = new(v, words, false, false)
  e.cited = source
  return e
end

-- ---- bounds of their own ----------------------------------------------------------------------------------------------

local U = 2^-53
local GUARDED = {en = "on average rounding may account for so many units of u", zh = "平均而言，舍入可造成的偏差合多少个 u"}

-- A share says nothing of how wide the bounds were: so their mean comes with it, and a bound that grows changes a figure. A bound may be one number
-- or one of each deviation.
function M.in_bounds(options)
  if type(options) ~= "table" or type(options.f) ~= "function" or options.bound ~= nil then
    error("in_bounds: wanted {claim =, f =, samples =, seed =, why =}, where f(g) gives a deviation and its bound", 0)
  end
  local total, met, most, own = 0, 0, 0, {bound = 1}
  for key, value in pairs(options) do if key ~= "told" then own[key] = value end end
  function own.f(g)
    local off, bound, where = options.f(g)
    local least = lab.min(bound)
    if not (least >= 0) then error(("in_bounds: f gave the bound %s; wanted 0 or more"):format(least), 0) end -- below 0 a share would hold whatever is measured
    total, met, most = total + lab.mean(bound), met + 1, math.max(most, lab.max(lab.abs(off)))
    return off / bound, where
  end
  local verdict = lab.measure(own)
  if not options.told then return verdict, total / met end
  local e = new(verdict, nil, false, false)
  e.apart = most / U
  return {e, M.figure(GUARDED, total / met / U, options.told, {guard = true})}
end

-- ---- figures --------------------------------------------------------------------------------------------------------

local PLACES = 17 -- more digits than these are no figure but a table

-- "-0.0411", "7.8e-5" as two exact numbers: the value, and half a unit of its last digit. nil: it is no such text.
local function read(text)
  local sign, whole, part, power = text:match "^([+-]?)(%d+)%.?(%d*)e?([+-]?%d*)$"
  local digits = whole and (whole .. part):gsub("^0+(%d)", "%1")
  local shift = power == "" and 0 or math.tointeger(tonumber(power))
  if not digits or #digits > PLACES or not shift or math.abs(shift) > 300 then return nil end
  local ten = lab.rat(10)
  local unit = ten ^ (shift - #part)
  return math.tointeger(tonumber(sign .. digits)) * unit, unit / 2
end

local function nearest(exact) return lab.enclose(exact).mid end

-- How a value of each kind is held against the figure.
local function judged(claim, x, told, half)
  if math.type(x) == "integer" then
    return lab.measure {claim = claim, value = x - nearest(told), bound = 0, why = "counted"}
  elseif math.type(x) == "float" then
    return lab.measure {claim = claim, value = x - nearest(told), bound = nearest(half) + math.abs(nearest(told)) * 2^-50,
                        why = "half a unit of the last digit, and the rounding of both numbers"}
  elseif getmetatable(x) == "Ball" then
    return lab.measure {claim = claim, value = math.abs(x.mid - nearest(told)) + x.radius,
                        bound = nearest(half) + math.abs(nearest(told)) * 2^-50,
                        why = "half a unit of the last digit, and the rounding of both numbers"}
  end
  return lab.certify(lab.eq(x, told), {}, {radius = half})
end

function M.figure(words, x, text, options)
  check_words("figure", words)
  local told, half
  if type(text) == "string" then told, half = read(text) end
  if not told then error(("figure: text is %s; wanted a number as it is printed, like \"0.4111\""):format(seen(text)), 0) end
  if type(x) ~= "number" and type(x) ~= "userdata" then
    error(("figure: x is %s; wanted a number, a ball or a formula"):format(seen(x)), 0)
  end
  local sign = math.type(x) == "integer" and " = " or " ≈ "
  local function said(w) return w .. sign .. text end
  local claim = type(words) == "table" and {en = said(words.en), zh = said(words.zh)} or said(words)
  if options ~= nil and (type(options) ~= "table" or options.guard ~= true) then
    error(("figure: options are %s; wanted {guard = true}"):format(type(options) == "table" and "others" or seen(options)), 0)
  end
  local e = new(judged(type(claim) == "table" and claim.en or claim, x, told, half), claim, "figure", false)
  e.guard = options ~= nil
  return e
end

return M
