-- For test_tex.c: tree(source), what reader.lua reads as one line of text: kind(parts), rows in brackets; and what it could not read.
local reader = require "phasor.document.reader"
local node

local function row(list)
  local out = {}
  for i, n in ipairs(list) do out[i] = node(n) end
  return "[" .. table.concat(out, " ") .. "]"
end

local write = {
  char = function(n) return n.text end,
  number = function(n) return n.text end,
  symbol = function(n) return n.class .. ":" .. n.name end,
  scripts = function(n)
    local out = {n.base and node(n.base) or "none"}
    for _, s in ipairs(n.list) do out[#out + 1] = s.mark .. (s.body and row(s.body) or "") end
    return "scripts(" .. table.concat(out, " ") .. ")"
  end,
  fraction = function(n) return "fraction(" .. row(n.top) .. " " .. row(n.bottom) .. ")" end,
  fenced = function(n) return ("fenced(%s %s %s)"):format(n.left, row(n.body), n.right) end,
  table = function(n)
    local rows = {}
    for i, cells in ipairs(n.rows) do
      rows[i] = ""
      for k, cell in ipairs(cells) do rows[i] = rows[i] .. (k > 1 and " & " or "") .. row(cell) end
    end
    return n.name .. "(" .. table.concat(rows, " ; ") .. ")"
  end,
}

function node(n)
  if write[n.kind] then return write[n.kind](n) end
  return n.kind .. "(" .. (n.name or "") .. (n.text and " " .. n.text or "") .. (n.body and row(n.body) or "") .. ")"
end

function tree(source)
  local list, fault = reader.read(source)
  return row(list), fault
end
