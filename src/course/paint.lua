-- paint.lua: the colours of a line of code, for terminals that have some: keywords, texts, numbers, comments.

local M = {}

local KEYWORD, TEXT, NUMBER, COMMENT, PLAIN = "\27[34m", "\27[32m", "\27[36m", "\27[2m", "\27[0m"

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"):gmatch "%a+" do
  keywords[word] = true
end

-- The length of a text in quotes that begins at `at`; to the line's end where it does not end.
local function text_length(line, at)
  local quote, i = line:sub(at, at), at + 1
  while i <= #line do
    local c = line:sub(i, i)
    if c == "\\" then i = i + 1
    elseif c == quote then return i - at + 1 end
    i = i + 1
  end
  return #line - at + 1
end

-- The token at a place of a line: its colour (nil: none) and its length.
local function token(line, at)
  if line:find("^%-%-", at) then return COMMENT, #line - at + 1 end
  if line:find("^[\"']", at) then return TEXT, text_length(line, at) end
  local word = line:match("^[%a_\128-\255][%w_\128-\255]*", at)
  if word then return keywords[word] and KEYWORD or nil, #word end
  local number = line:match("^%d[%w.]*", at)
  if number then return NUMBER, #number end
  return nil, 1
end

function M.line(line)
  local out, at = {}, 1
  while at <= #line do
    local colour, n = token(line, at)
    local text = line:sub(at, at + n - 1)
    out[#out + 1] = colour and colour .. text .. PLAIN or text
    at = at + n
  end
  return table.concat(out)
end

return M
