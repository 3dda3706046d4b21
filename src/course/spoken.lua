-- spoken.lua: a cell's code as a student reads it: texts in the language of the lesson alone, comments in it or none, and of what comes in
-- variants the student's own.
--
--   says{en = "six words", zh = "六个词"}      "six words"
--   named({en = "it holds", zh = "成立"}, v)   named("it holds", v)
--   told = {en = "it holds", zh = "成立"}      stays in a notebook, which runs this code: it may look into the table; else told = "it holds"
--   n = ({12, 15, 20})[variant]                n = 15

local M = {}

-- Where the text in quotation marks that starts at `at` ends; nil: none starts there.
local function text_end(code, at)
  if code:sub(at, at) ~= '"' then return nil end
  while true do
    local stop = code:find('[\\"\n]', at + 1)
    local char = stop and code:sub(stop, stop)
    if char == '"' then return stop end
    if char ~= "\\" then return nil end
    at = stop + 1
  end
end

-- The parts of a table's source between commas that no bracket and no text holds.
local function parts(list)
  local out, depth, from, at = {}, 0, 2, 2
  while at < #list do
    local char = list:sub(at, at)
    if char == '"' then at = text_end(list, at) or at
    elseif char:find "[({[]" then depth = depth + 1
    elseif char:find "[])}]" then depth = depth - 1
    elseif char == "," and depth == 0 then out[#out + 1], from = list:sub(from, at - 1), at + 1 end
    at = at + 1
  end
  out[#out + 1] = list:sub(from, -2)
  return out
end

-- Where the bracket at `at` is closed; nil: nowhere.
local function closing(code, at)
  local depth = 0
  while at <= #code do
    local char = code:sub(at, at)
    if char == '"' then at = text_end(code, at) or at
    elseif char:find "[({[]" then depth = depth + 1
    elseif char:find "[])}]" then
      depth = depth - 1
      if depth == 0 then return at end
    end
    at = at + 1
  end
end

-- {en = …, zh = …} that begins at `at`: what stands there by language, its last place, and whether these are two texts; nil: it is something else.
local function both_at(code, at)
  local last = closing(code, at)
  local list = last and parts(code:sub(at, last))
  if not list or list[4] or (list[3] or ""):find "%S" then return nil end
  local en, zh = list[1]:match "^%s*en%s*=%s*(.-)%s*$", (list[2] or ""):match "^%s*zh%s*=%s*(.-)%s*$"
  if en and zh then return {en = en, zh = zh}, last, text_end(en, 1) == #en and text_end(zh, 1) == #zh end
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
  local code = line:sub(1, at - 1):gsub("%s+$", "")
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

-- The last place before `at` that is no space, and the word that ends there.
local function word_before(code, at)
  local stop = at - 1
  while stop > 0 and code:find("^%s", stop) do stop = stop - 1 end
  local from = stop
  while from > 0 and code:find("^[%w_]", from) do from = from - 1 end
  return code:sub(from + 1, stop), stop
end

-- The function in whose brackets each table stands itself: the place of its "{" -> the function's name.
local function callers(code)
  local out, open, at = {}, {}, 1
  while at <= #code do
    local char = code:sub(at, at)
    if char == '"' then at = text_end(code, at) or at
    elseif code:find("^%-%-", at) then at = code:find("\n", at, true) or #code
    elseif char:find "[({[]" then
      out[at] = open[#open]
      open[#open + 1] = char == "(" and (word_before(code, at)) or ""
    elseif char:find "[])}]" then open[#open] = nil end
    at = at + 1
  end
  return out
end

local function is_text(code, at, caller)
  local word, stop = word_before(code, at)
  if word == "says" or takes[caller] then return true end
  return code:sub(stop, stop) == "=" and named[(word_before(code, stop))] == true
end

-- The code with what stands in both languages in one of them: where it is a text and nothing else, or everywhere, for reading.
local function in_one(code, lang, everywhere)
  local out, from, at, caller = {}, 1, 1, callers(code)
  while true do
    at = code:find("{%s*en%s*=", at)
    if not at then break end
    local texts, last, plain = both_at(code, at)
    if texts and (everywhere or plain and is_text(code, at, caller[at])) then
      local before, method = code:sub(from, at - 1), code:find("^%s*:", last + 1)
      local bare, says = before:gsub("says%s*$", "")
      out[#out + 1] = bare .. (says > 0 and method and "(" .. texts[lang] .. ")" or texts[lang])
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
  return (code:gsub("%((%b{})%)%[variant%]", function(list)
    local own = parts(list)[variant]
    return own and own:match "^%s*(.-)%s*$"
  end))
end

return M
