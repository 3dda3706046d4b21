-- width.lua: how many columns of a terminal a text takes: two for a Chinese character, none for a combining mark.

local M = {}

local wide = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
              {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}}
local none = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}

local function within(ranges, code)
  for _, r in ipairs(ranges) do if code >= r[1] and code <= r[2] then return true end end
  return false
end
M.within = within

function M.is_wide(code) return within(wide, code) end

function M.of(text)
  local n = 0
  for _, code in utf8.codes(text) do n = n + (within(wide, code) and 2 or within(none, code) and 0 or 1) end
  return n
end

return M
