-- html.lua: a lesson's Markdown as HTML for a page: what prose.lua writes for a terminal.

local highlight = require "phasor.document.highlight"
local markdown = require "phasor.document.markdown"
local mathml = require "phasor.document.mathml"
local tex = require "phasor.document.tex"
local width = require "phasor.document.width"

local M = {}

local escape = mathml.escape

-- Text as a page may hold it.
function M.escape(text) return escape(width.plain(text)) end

local function unread(source) return "<code>" .. escape(source) .. "</code>" end

-- What may be wider than a page scrolls; page.css shows that there is more.
function M.wide(html, class) return ('<div class="wide %s">%s</div>'):format(class, html) end

-- A formula on a line of its own; source: in TeX.
function M.display(source) return M.wide(mathml.display(source) or unread(source), "formula") end

local marks = {
  text = escape,
  code = unread,
  math = function(source) return mathml.inline(source) or unread(source) end,
  bold = "<strong>%1</strong>",
  emphasis = "<em>%1</em>",
}

-- Signs that follow a formula stay on its line, and behind them it may break: where no space follows, Firefox would not.
local signs = {}
for _, code in utf8.codes(".,;:!?)]\u{FF0C}\u{3002}\u{FF1B}\u{FF1A}\u{FF01}\u{FF1F}\u{3001}\u{FF09}\u{201D}\u{2026}") do signs[utf8.char(code)] = true end

local function clinging(html)
  local out, from = {}, 1
  while true do
    local stop = select(2, html:find("</math>", from, true))
    if not stop then break end
    local last = stop
    while signs[html:match("^" .. utf8.charpattern, last + 1) or ""] do last = utf8.offset(html, 2, last + 1) - 1 end
    local start = from + (html:sub(from, stop):match(".*()<math") or 1) - 1
    out[#out + 1] = html:sub(from, start - 1)
    out[#out + 1] = last > stop and '<span class="nb">' .. html:sub(start, last) .. "</span><wbr>" or html:sub(start, stop)
    from = last + 1
  end
  out[#out + 1] = html:sub(from)
  return table.concat(out)
end

-- A text without blocks.
function M.inline(text) return clinging(markdown.inline(text, marks)) end

-- Formulas of a line that is repeated too often for MathML: scripts as characters, single letters slanted.
local function slanted(source)
  local text = escape(tex.unicode(source))
  text = text:gsub("%f[%w]%a%f[^%w]", "<i>%0</i>"):gsub("[\xCE\xCF][\x80-\xBF]", "<i>%0</i>")
  return text
end
local light = setmetatable({math = slanted}, {__index = marks})

-- A text without blocks, its formulas light: most are one letter, and MathML would take five times their room.
function M.light(text) return markdown.inline(text, light) end

function M.code(code) return '<pre class="code wide"><code>' .. highlight.lua(width.plain(code)) .. "</code></pre>" end

local write = {
  text = function(b) return "<p>" .. M.inline(markdown.join(b.lines)) .. "</p>" end,
  item = function(b) return "<li>" .. M.inline(markdown.join(b.lines)) .. "</li>" end,
  heading = function(b) return ("<h%d>%s</h%d>"):format(b.extra, M.inline(b.lines[1]), b.extra) end,
  code = function(b) return '<pre class="wide"><code>' .. escape(table.concat(b.lines, "\n")) .. "</code></pre>" end,
  math = function(b) return M.display(b.lines[1]) end,
}

-- An aside with a title is closed until someone opens it.
function write.aside(b)
  local title, body = markdown.aside(b)
  if not title then return '<aside class="aside">' .. M.render(body, true) .. "</aside>" end
  return ('<details class="aside"><summary>%s</summary>%s</details>'):format(M.inline(title), M.render(body, true))
end

local function list_of(b) return b.kind == "item" and (b.extra:find("%d") and "ol" or "ul") or nil end

-- A text with its blocks (inside: that of an aside). Items in a row are one list.
function M.render(text, inside)
  local out, open = {}, nil
  for _, b in ipairs(markdown.blocks(text, inside)) do
    local list = list_of(b)
    if open and list ~= open then out[#out + 1] = "</" .. open .. ">" end
    if list and list ~= open then out[#out + 1] = "<" .. list .. ">" end
    out[#out + 1], open = write[b.kind](b), list
  end
  if open then out[#out + 1] = "</" .. open .. ">" end
  return table.concat(out, "\n")
end

-- The headings of a text: {level, HTML}.
function M.headings(text)
  local out = {}
  for _, b in ipairs(markdown.blocks(text)) do
    if b.kind == "heading" then out[#out + 1] = {level = b.extra, html = M.inline(b.lines[1])} end
  end
  return out
end

return M
