-- page_atlas.lua: every encoding against every law as a page of the book: the table, and each row in words.

local chinese = require "phasor.atlas.chinese"
local host = require "phasor.course.host"
local html = require "phasor.document.html"
local lab = require "phasor"

local M = {}

local said = {
  en = {title = "Atlas of encodings", lead = "One row an encoding, one column a law. Each cell is a verdict on the encoding with its usual parameters; "
        .. "the rows below say it in words.", encoding = "encoding", none = "the law has no meaning for that kind", broken = "claimed",
        laws = "The laws", rows = "The encodings", size = "N = %d positions."},
  zh = {title = "编码图谱", lead = "一行一种编码，一列一条性质。每格是对该编码（取常用参数）的一个判定；下面逐行用文字说明。", encoding = "编码",
        none = "此类编码谈不上这条性质", broken = "原作声称", laws = "各条性质", rows = "各种编码", size = "N = %d 个位置。"},
}

local marks = {proved = "✓", certified = "✓", measured = "≈", refuted = "✗", unknown = "?"}

-- The atlas as plain data, from the process that judges it: {N, laws = {{key, head, what}}, rows = {{name, called, title, title_zh, kind, learned, cells}}};
-- a cell: {strength, lines = {en, zh}, none (the law has no meaning)}.
function M.gather()
  local atlas, rows = lab.atlas(), {}
  for i, row in ipairs(atlas.rows) do
    local cells = {}
    for _, law in ipairs(atlas.laws) do
      local v = row[law.key]
      cells[law.key] = {strength = v.strength, lines = {en = v:text "en", zh = v:text "zh"}, none = v.strength == "unknown" and v.kind == "undefined"}
    end
    rows[i] = {name = row.name, called = {en = row.called, zh = row.called_zh}, title = row.title, title_zh = row.title_zh, kind = row.kind, learned = row.learned, cells = cells}
  end
  return {N = atlas.N, laws = atlas.laws, rows = rows}
end

local function law_name(law, lang) return lang == "zh" and chinese.laws[law.key] and chinese.laws[law.key][1] or law.key:gsub("_", " ") end
local function law_says(law, lang) return lang == "zh" and chinese.laws[law.key] and chinese.laws[law.key][2] or law.what end

local function id_of(name) return "encoding/" .. name:gsub("%W+", "-") end

local function cell(row, law, w, lang)
  local c = row.cells[law.key]
  if law.key == "parameters" then return ("<td>%d</td>"):format(row.learned) end
  if c.none then return ('<td title="%s">–</td>'):format(w.none) end
  return ('<td title="%s"><b class="%s">%s</b> %s</td>'):format(html.escape(c.lines[lang]), c.strength, marks[c.strength],
                                                                host.strength(c.strength, lang))
end

local function table_of(atlas, w, lang)
  local head, out = {}, {}
  for i, law in ipairs(atlas.laws) do head[i] = ('<th scope="col"><a href="#law/%s">%s</a></th>'):format(law.key, law_name(law, lang)) end
  for i, row in ipairs(atlas.rows) do
    local line = {}
    for k, law in ipairs(atlas.laws) do line[k] = cell(row, law, w, lang) end
    out[i] = ('<tr><th scope="row"><a href="#%s">%s</a></th>%s</tr>'):format(id_of(row.name), html.escape(row.called[lang]), table.concat(line))
  end
  return ('<table class="atlas"><thead><tr><th>%s</th>%s</tr></thead>\n<tbody>\n%s\n</tbody></table>'):format(w.encoding, table.concat(head), table.concat(out, "\n"))
end

local function in_words(atlas, row, w, lang)
  local out = {}
  for i, law in ipairs(atlas.laws) do
    local c = row.cells[law.key]
    out[i] = ('<dt>%s</dt><dd class="%s">%s</dd>'):format(law_name(law, lang), c.none and "none" or c.strength,
      law.key == "parameters" and ("%d"):format(row.learned) or c.none and w.none or html.escape(c.lines[lang]))
  end
  return ('<article id="%s"><h3>%s <code>%s</code> <span class="faint">%s</span></h3>\n<dl class="laws">%s</dl></article>\n'):format(
    id_of(row.name), html.escape(row.called[lang]), html.escape(row.name), html.escape(lang == "zh" and row.title_zh or row.title), table.concat(out))
end

function M.write(site, atlas)
  local lang = site.lang
  local w = said[lang]
  local out = {("<h1>%s</h1>\n<p>%s %s</p>\n%s\n"):format(w.title, w.lead, w.size:format(atlas.N), html.wide(table_of(atlas, w, lang), "matrix")),
               ('<h2 id="laws">%s</h2>\n<dl class="laws">\n'):format(w.laws)}
  for _, law in ipairs(atlas.laws) do
    out[#out + 1] = ('<dt id="law/%s">%s</dt><dd>%s</dd>\n'):format(law.key, law_name(law, lang), html.escape(law_says(law, lang)))
  end
  out[#out + 1] = ('</dl>\n<h2 id="rows">%s</h2>\n'):format(w.rows)
  for _, row in ipairs(atlas.rows) do out[#out + 1] = in_words(atlas, row, w, lang) end
  return site:page("atlas.html", {title = "phasor: " .. w.title, body = table.concat(out), broad = true})
end

return M
