-- markdown.lua: a lesson's Markdown taken apart, for those who write it out: prose.lua for a terminal, html.lua for a page.

local width = require "phasor.document.width"

local M = {}

local is_wide = width.is_wide
local function is_quote(code) return code >= 0x2018 and code <= 0x201D end

local FULL_STOPS = {} -- and other marks that bring their own room
for _, mark in utf8.codes("，。；：、！？（）《》") do FULL_STOPS[mark] = true end

-- Lines of a paragraph as one: joined by a blank, unless the break stands between Chinese characters (or their quotes) or beside Chinese
-- punctuation.
function M.join(lines)
  local out, last = {lines[1]}, lines[1] -- last: what the text ends with
  for i = 2, #lines do
    local line = lines[i]
    local left, right = last ~= "" and utf8.codepoint(last, utf8.offset(last, -1)) or 32, line ~= "" and utf8.codepoint(line) or 32
    local a, b = is_wide(left), is_wide(right)
    local close = (a and b) or (a and is_quote(right)) or (b and is_quote(left)) or FULL_STOPS[left] or FULL_STOPS[right]
    if not close then out[#out + 1], last = " ", " " end
    if line ~= "" then out[#out + 1], last = line, line end
  end
  return table.concat(out)
end

-- Blocks: {kind = "text" | "item" | "heading" | "code" | "math" | "aside", lines = {…}, extra = (a heading's level, an item's mark)}. The lines
-- of an aside, written behind "> ", are a text of their own, in which (inside) is no other; one that may be skipped opens with its title,
-- `> **Title**`.
function M.blocks(text, inside)
  local out, open, fence = {}, nil, false
  local function start(kind, line, extra)
    open = {kind = kind, lines = {line}, extra = extra}
    out[#out + 1] = open
  end
  for line in (width.plain(text) .. "\n"):gmatch("(.-)\n") do
    local level, title = line:match("^(#+) (.*)$")
    local mark, item = line:match("^(%s*[%-*]) (.*)$")
    if not mark and not (open and open.kind == "text") then mark, item = line:match("^(%s*%d+%.) (.*)$") end
    local display = line:match("^%$%$(.*)%$%$$")
    if line:find("^```") then
      fence = not fence
      if fence then start("code") else open = nil end
    elseif fence then open.lines[#open.lines + 1] = line
    elseif line:find("^>") and not inside then
      local body = line:match("^> ?(.*)$")
      if open and open.kind == "aside" then open.lines[#open.lines + 1] = body else start("aside", body) end
    elseif not line:find("%S") then open = nil
    elseif level then start("heading", title, #level); open = nil
    elseif display then start("math", display); open = nil
    elseif line:find("^    ") and (not open or open.kind == "code") then
      if open then open.lines[#open.lines + 1] = line:sub(5) else start("code", line:sub(5)) end
    elseif mark then start("item", item, mark)
    elseif open and open.kind ~= "aside" then open.lines[#open.lines + 1] = line:match("^%s*(.*)$")
    else start("text", line) end
  end
  return out
end

-- The title of an aside, or nil, and its text.
function M.aside(b)
  local title = b.lines[1]:match("^%*%*(.-)%*%*%s*$")
  return title, table.concat(b.lines, "\n", title and 2 or 1)
end

-- A text with its inline marks written out by `to`: to.code and to.math get what stands between the marks, to.text everything between
-- those, to.bold and to.emphasis what was so written out already.
function M.inline(text, to)
  local kept = {}
  local function keep(written)
    kept[#kept + 1] = written
    return "\1" .. #kept .. "\2"
  end
  text = width.plain(text):gsub("`([^`]*)`", function(body) return keep(to.code(body)) end)
  text = text:gsub("%$([^$]+)%$", function(body) return keep(to.math(body)) end)
  text = to.text(text):gsub("%*%*(.-)%*%*", to.bold):gsub("%f[%*%w]%*([^%s*][^*]-)%*", to.emphasis):gsub("\\%$", "$")
  return (text:gsub("\1(%d+)\2", function(i) return kept[tonumber(i)] end))
end

return M
