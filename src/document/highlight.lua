-- highlight.lua: Lua in tokens by kind, for colours: c comment, s string, n number, k keyword, f a name that is called; and for a page,
-- with its words in <span>s.

local escape = require "phasor.document.mathml".escape

local M = {}

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"):gmatch "%a+" do
  keywords[word] = true
end

-- Where a long bracket that begins at `at` ends: [[…]], [=[…]=]; nil: none begins there.
local function long_end(code, at)
  local level = code:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, stop = code:find("]" .. level .. "]", at, true)
  return stop or #code
end

local function string_end(code, at)
  local quote, i = code:sub(at, at), at + 1
  while i <= #code do
    local char = code:sub(i, i)
    if char == "\\" then i = i + 1
    elseif char == quote or char == "\n" then return i end
    i = i + 1
  end
  return #code
end

-- The kind and the last byte of the token at `at`; nil: one byte of no kind. A name may hold letters of any script.
local function token(code, at)
  if code:find("^%-%-", at) then return "c", long_end(code, at + 2) or (code:find("\n", at, true) or #code + 1) - 1 end
  local char = code:sub(at, at)
  if char == '"' or char == "'" then return "s", string_end(code, at) end
  if char == "[" then
    local stop = long_end(code, at)
    if stop then return "s", stop end
  end
  local _, stop = code:find("^0[xX][%x.]+", at)
  if not stop then _, stop = code:find("^%.?%d[%d.]*[eE]?[+-]?%d*", at) end
  if stop then
    while stop > at and code:find("^[+-]", stop) do stop = stop - 1 end -- 2-x: the sign is no part of it
    return "n", stop
  end
  _, stop = code:find("^[%a_\x80-\xFF][%w_\x80-\xFF]*", at)
  if not stop then return nil, at end
  local called = code:find("^ ?[%({\"']", stop + 1)
  return keywords[code:sub(at, stop)] and "k" or called and "f" or "", stop
end

-- Each token of the code in turn: its text, and its kind; nil or "": none that has a colour.
function M.each(code)
  local at = 1
  return function()
    if at > #code then return nil end
    local kind, stop = token(code, at)
    local text = code:sub(at, stop)
    at = stop + 1
    return text, kind
  end
end

function M.lua(code)
  local out = {}
  for text, kind in M.each(code) do
    text = escape(text)
    out[#out + 1] = kind and kind ~= "" and ('<span class="%s">%s</span>'):format(kind, text) or text
  end
  return table.concat(out)
end

return M
