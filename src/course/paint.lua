-- paint.lua: the colours of a line of code, for terminals that have some: keywords, texts, numbers, comments.

local each = require "phasor.document.highlight".each

local M = {}

local colours, PLAIN = {k = "\27[34m", s = "\27[32m", n = "\27[36m", c = "\27[2m"}, "\27[0m"

function M.line(line)
  local out = {}
  for text, kind in each(line) do
    local colour = colours[kind]
    out[#out + 1] = colour and colour .. text .. PLAIN or text
  end
  return table.concat(out)
end

return M
