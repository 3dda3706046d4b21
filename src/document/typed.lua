-- typed.lua: the formulas that a sentence types, r_m is the root of r_m^2 = R_0, in TeX between dollars. Any language: what is around
-- them is never read.

local formula = require "phasor.document.formula"
local trim = require "phasor.document.trim"

local M = {}

-- Signs that make mathematics of what is no lone letter or number: scripts, indices, relations, operations, a matrix, a function of something, mθ.
local function has_sign(source)
  if source:find("%^") or source:find("{{", 1, true) or source:find("%a[\xCE\xCF][\x80-\xBF]") then return true end
  if not (source:find("%f[%w]%a%f[^%w]") or source:find("%a_") or source:find("[\xCE\xCF][\x80-\xBF]") or source:find("%l%l%(")) then return false end
  for _, sign in ipairs {"_", "[", "(", "=", "<", ">", "≈", "≤", "≥", "+", "*", "/", "·", "×", " - ", "|", "∂"} do
    if source:find(sign, 1, true) then return true end
  end
  return false
end

-- What is kept as it is: a formula or code that has its marks already.
local function marked_before(text, at)
  return text:match("^%$[^$]*%$()", at) or text:match("^`[^`]*`()", at)
end

-- The letter at a byte, Latin or Greek, by itself, and where it ends; an article is none, nor is what a hyphen or an apostrophe joins to
-- a word, nor the x of "2 x 2".
local function lone_letter(text, at)
  local letter = text:match("^%a", at) or text:match("^[\xCE\xCF][\x80-\xBF]", at)
  if not letter then return nil end
  local stop, before = at + #letter, text:sub(1, at - 1)
  if before:find("[%w_'-]$") or before:find("’$") or text:find("^['-]?[%w_]", stop) or text:find("^[.(]%w", stop) then return nil end
  if before:find("%d $") and text:find("^ %d", stop) then return nil end
  local word_behind = text:find("^ +[%l%d(]", stop)
  if word_behind and (letter:find("[aI]") or letter == "A" and not before:find("%w")) then return nil end
  return letter, stop
end

-- {first, behind the last, TeX, is it one by its signs?} for each formula of a text.
local function found_in(text)
  local out, at = {}, 1
  while at <= #text do
    local char = text:match("^" .. utf8.charpattern, at)
    local after, tex, stop = marked_before(text, at), nil, nil
    if not after and not char:find("^[%s,;:.!?=<>+*/^_})%]]$") then tex, stop = formula.among(text, at) end
    stop = stop and at + #trim.right(text:sub(at, stop - 1))
    local signs = stop and has_sign(text:sub(at, stop - 1)) or false
    if stop and not signs then tex, stop = lone_letter(text, at) end
    if stop then
      out[#out + 1] = {at, stop, tex, signs}
      after = stop
    end
    at = after or text:match("^[%w_]+()", at) or at + #char
  end
  return out
end

-- What is no formula, with the signs that people type for others.
local function words(text) return text:find("`", 1, true) and text or (text:gsub("<=", "≤"):gsub(">=", "≥")) end

-- The sentence with its formulas between dollars. always: a lone letter is a variable even where no other formula stands.
function M.marked(text, always)
  local found, out, from = found_in(text), {}, 1
  local any = always
  for _, f in ipairs(found) do any = any or f[4] end
  if not any then return text end
  for _, f in ipairs(found) do
    local before = text:sub(from, f[1] - 1)
    out[#out + 1] = (before == "" and #out > 0 and " " or words(before)) .. "$" .. f[3] .. "$"
    from = f[2]
  end
  return table.concat(out) .. words(text:sub(from))
end

-- A statement as a sentence with its formulas marked; nil: it has signs that are neither words nor a formula, or is too long.
function M.sentence(text)
  if #text > formula.LONG then return nil end
  local marked = M.marked(text, true)
  return not marked:gsub("%$[^$]*%$", ""):find("[*^_\\{}]") and marked or nil
end

return M
