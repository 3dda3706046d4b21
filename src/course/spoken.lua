-- spoken.lua: a cell's code as a student reads it: texts in the language of the lesson alone, comments in it or none, and of what comes in
-- variants the student's own.
--
--   says{en = "six words", zh = "六个词"}      "six words"
--   named({en = "it holds", zh = "成立"}, v)   named("it holds", v)
--   told = {en = "it holds", zh = "成立"}      stays in a notebook, which runs this code: it may look into the table; else told = "it holds"
--   n = ({12, 15, 20})[variant]                n = 15

local trim = require "phasor.document.trim"

local M = {}

-- Where the text in quotation marks that starts at `at` ends; nil: none starts there, or it has no end before the second place.
local function text_end(code, at)
  if code:sub(at, at) ~= '"' then return nil, at end
  while true do
    local stop = code:find('[\\"\n]', at + 1)
    local char = stop and code:sub(stop, stop)
    if char == '"' then return stop end
    if char ~= "\\" then return nil, stop or #code end
    at = stop + 1
  end
end

-- The last place before `at` that is no space, and the word that ends there.
local function word_before(code, at)
  local stop = at - 1
  while stop > 0 and code:find("^%s", stop) do stop = stop - 1 end
  local from = stop
  while from > 0 and code:find("^[%w_]", from) do from = from - 1 end
  return code:sub(from + 1, stop), stop
end

-- One walk through the code, since what looks for the end of each bracket anew takes the square of how deep they stand: where each bracket and
-- each text closes, by the place where it opens; and the function in whose brackets each table stands itself, by the place of its "{".
local function closings(code)
  local ends, caller, open, endless, at = {}, {}, {}, 0, 1
  while true do
    at = code:find('["({%[%]})-]', at)
    if not at then return ends, caller end
    local char = code:sub(at, at)
    if char == '"' then
      if at > endless then -- where one has no end, none that begins inside it has
        local stop, line = text_end(code, at)
        ends[at], endless = stop, line or endless
        at = stop or at
      end
    elseif char == "-" then
      if code:sub(at + 1, at + 1) == "-" then at = code:find("\n", at, true) or #code end
    elseif char:find "[({[]" then
      caller[at] = open[#open] and open[#open].name
      open[#open + 1] = {at = at, name = char == "(" and (word_before(code, at)) or ""}
    elseif open[1] then ends[table.remove(open).at] = at end
    at = at + 1
  end
end

-- The parts, {first, last}, of the table that stands from `at` to `last`, between commas that no bracket and no text holds; at most `most`.
local function parts(code, at, last, ends, most)
  local out, from = {}, at + 1
  at = from
  while at < last and #out < most do
    if ends[at] then at = ends[at]
    elseif code:sub(at, at) == "," then out[#out + 1], from = {from, at - 1}, at + 1 end
    at = at + 1
  end
  if #out < most then out[#out + 1] = {from, last - 1} end
  return out
end

-- Does a text and nothing else stand there?
local function is_plain(code, first, last, ends)
  local _, stop = code:find("^%s*", (ends[first] or last) + 1)
  return code:sub(first, first) == '"' and ends[first] and stop == last
end

-- {en = …, zh = …} that begins at `at`: {first, last} of what stands there by language, its last place, and whether these are two texts; nil: it
-- is something else.
local function both_at(code, at, ends)
  local last = ends[at]
  local list = last and parts(code, at, last, ends, 4)
  if not list or list[4] or not list[2] or list[3] and code:find("%S", list[3][1]) <= list[3][2] then return nil end
  local _, en = code:find("^%s*en%s*=%s*", list[1][1])
  local _, zh = code:find("^%s*zh%s*=%s*", list[2][1])
  if not (en and zh) then return nil end
  local both = {en = {en + 1, list[1][2]}, zh = {zh + 1, list[2][2]}}
  return both, last, is_plain(code, both.en[1], both.en[2], ends) and is_plain(code, both.zh[1], both.zh[2], ends)
end

-- A line without its comment, if that has no Chinese; nil: nothing else was on it.
local function uncommented(line)
  local at = 1
  while at <= #line do
    if line:sub(at, at) == '"' then at = text_end(line, at) or #line
    elseif line:sub(at, at + 1) == "--" then break end
    at = at + 1
  end
  if at > #line or line:find("[\xE3-\xE9]", at) or not line:find("%a", at) or line:find("^%-%-%[", at) then return line end
  local code = trim.right(line:sub(1, at - 1))
  return code ~= "" and code or nil
end

-- Comments are the authors' English: in Chinese the prose above stands for them.
local function without_comments(code)
  local out = {}
  for line in (code .. "\n"):gmatch "(.-)\n" do
    if not line:find "%-%-" then out[#out + 1] = line else out[#out + 1] = uncommented(line) end
  end
  return table.concat(out, "\n")
end

-- What takes a text as well as a table of both languages: functions, and names in a table of arguments.
local takes = {named = true, fails = true, figure = true, cited = true}
local named = {claim = true, caption = true}

local function is_text(code, at, caller)
  local word, stop = word_before(code, at)
  if word == "says" or takes[caller] then return true end
  return code:sub(stop, stop) == "=" and named[(word_before(code, stop))] == true
end

local function between(code, places) return trim.right(code:sub(places[1], places[2])) end

-- The code with what stands in both languages in one of them: where it is a text and nothing else, or everywhere, for reading.
local function in_one(code, lang, everywhere)
  local out, from, at, ends, caller = {}, 1, 1, closings(code)
  while true do
    at = code:find("{%s*en%s*=", at)
    if not at then break end
    local both, last, plain = both_at(code, at, ends)
    if both and (everywhere or plain and is_text(code, at, caller[at])) then
      local before, method, text = code:sub(from, at - 1), code:find("^%s*:", last + 1), between(code, both[lang])
      local bare, says = before:gsub("says%s*$", "")
      out[#out + 1] = bare .. (says > 0 and method and "(" .. text .. ")" or text)
      from, at = last + 1, last + 1
    else
      at = at + 1
    end
  end
  return table.concat(out) .. code:sub(from)
end

-- A cell's code as it can be run: in a notebook.
function M.code(code, lang) return in_one(lang == "zh" and without_comments(code) or code, lang) end

-- The same to be read only, in the terminal and on pages: nothing looks into its tables.
function M.reading(code, lang) return in_one(lang == "zh" and without_comments(code) or code, lang, true) end

-- The code of an exercise with what is given in this variant.
function M.variant(code, variant)
  local out, from, at, ends = {}, 1, 1, closings(code)
  while true do
    at = code:find("({", at, true)
    if not at then break end
    local last = ends[at + 1]
    local _, stop = code:find("^%)%[variant%]", (last or #code) + 1)
    local own = stop and parts(code, at + 1, last, ends, variant + 1)[variant]
    if own then
      out[#out + 1] = code:sub(from, at - 1) .. between(code, {code:find("%S", own[1]), own[2]})
      from, at = stop + 1, stop + 1
    else
      at = at + 1
    end
  end
  return table.concat(out) .. code:sub(from)
end

return M
