-- frame.lua: an HTML file that needs no other: its head with style, script and, where it has formulas, their font; what leads elsewhere.

local escape = require "phasor.document.mathml".escape

local M = {}

local function file(name)
  for _, f in ipairs(require "phasor.embedded"("src/document/" .. name)) do return f.text end
end

local said = {
  en = {code = "en", places = "On this page", pages = "Pages of this book"},
  zh = {code = "zh-Hans", places = "本页内容", pages = "本书各页"},
}

local function font_face()
  local font = require "phasor.document.mathfont"
  return '@font-face { font-family: "Phasor Math"; src: url("data:font/woff2;base64,' .. font.woff2:gsub("\n", "") .. '") format("woff2"); }\n'
end

-- Every picture brings the same colours for the dark; the page has them once.
local function gather_styles(body)
  local styles, seen = {}, {}
  body = body:gsub("<style>(.-)</style>\n?", function(style)
    if not seen[style] then styles[#styles + 1], seen[style] = style, true end
    return ""
  end)
  return body, table.concat(styles)
end

local function link(l, class)
  return ('<a%s href="%s"%s%s>%s</a>'):format(class and ' class="' .. class .. '"' or "", l.href, l.here and ' aria-current="page"' or "",
                                              l.lang and (' lang="%s" hreflang="%s"'):format(l.lang, l.lang) or "", l.html)
end

local function top(p, w)
  local out = {}
  for i, l in ipairs(p.nav or {}) do out[#out + 1] = link(l, i == 1 and "home" or nil) end
  if p.other then out[#out + 1] = link({href = p.other, lang = p.lang == "zh" and "en" or "zh-Hans", html = p.lang == "zh" and "English" or "中文"}, "other") end
  if #out == 0 then return "" end
  return ('<header class="top"><nav aria-label="%s">%s</nav></header>\n'):format(w.pages, table.concat(out, "\n"))
end

local function places(p, w)
  if #(p.places or {}) < 2 then return "" end
  local out = {}
  for i, place in ipairs(p.places) do out[i] = ('<li><a href="#%s">%s</a></li>'):format(place.id, place.html) end
  return ('<nav class="places" aria-label="%s"><details open><summary>%s</summary><ol>\n%s\n</ol></details></nav>\n'):format(
    w.places, w.places, table.concat(out, "\n"))
end

local function turn(p)
  if not p.before and not p.after then return "" end
  local function one(l, text) return l and ('<a href="%s">%s</a>'):format(l.href, text:format(l.html)) or "<span></span>" end
  return '<nav class="turn">' .. one(p.before, "← %s") .. one(p.after, "%s →") .. "</nav>\n"
end

-- The file. p: lang, title (plain text), body (HTML); optional: nav (links {href, html, here}, the first one leads home), other (where the
-- other language is), places (of the page: {id, html}), before and after (links), broad (as wide as the window).
function M.page(p)
  local w = said[p.lang]
  local body, styles = gather_styles(p.body)
  local text = table.concat {top(p, w), '<div class="body">\n', places(p, w), p.broad and '<main class="broad">\n' or "<main>\n", body, turn(p), "</main>\n</div>\n"}
  return table.concat {'<!DOCTYPE html>\n<html lang="', w.code, '"><head><meta charset="utf-8">\n',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>', escape(p.title), "</title>\n<style>\n",
    text:find("<math", 1, true) and font_face() or "", file "page.css", styles, "</style></head><body>\n", text,
    "<script>\n", file "page.js", "</script>\n</body></html>\n"}
end

-- What the laboratory's pictures are made of. A lesson from a file may hand over an SVG of its own, and a page would run what is in it.
local TAGS = {}
for tag in ("circle clipPath defs g image line path polygon polyline rect style svg text title tspan use"):gmatch "%a+" do TAGS[tag] = true end

local function is_picture(svg)
  if svg:find "@import" or svg:find "url%(%s*[^#]" then return false end
  local at = 1
  while true do
    local open = svg:find("<", at, true)
    if not open then return true end
    local tag, after = svg:match("^</?(%a+)()", open)
    if not TAGS[tag] then return false end
    while true do
      local name, value, next = svg:match('^%s+([%a:][%w:-]*)="([^"<]*)"()', after)
      if not name then break end
      if name:lower():find "^on" or name:find "href$" and not value:find "^#" and not value:find "^data:image/png;" then return false end
      after = next
    end
    at = svg:match("^%s*/?>()", after)
    if not at then return false end
  end
end

-- A picture for a page, or its text where it is none. Names inside it become its own, since two pictures of one page must not share them;
-- n: its number there.
function M.picture(svg, n)
  svg = svg:gsub("^%s*<%?xml.-%?>%s*", ""):gsub("^%s*<!DOCTYPE.->%s*", ""):gsub(' xmlns="http://www.w3.org/2000/svg"', "", 1)
  if not is_picture(svg) then return '<pre class="wide">' .. escape(svg) .. "</pre>" end
  svg = svg:gsub('(%sid=")([^"]*")', "%1p" .. n .. "-%2"):gsub("url%(#", "url(#p" .. n .. "-"):gsub('(href="#)', "%1p" .. n .. "-")
  return '<figure class="wide">' .. svg .. "</figure>"
end

return M
