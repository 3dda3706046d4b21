-- harmless.lua: text that somebody else wrote, fit for a screen and a table: what a terminal would obey, what turns the direction of
-- writing, and line breaks become "?", and bytes that are no UTF-8 become U+FFFD.

local OTHERS = {} -- beyond ASCII
for _, range in ipairs {{0x80, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}} do
  for code = range[1], range[2] do OTHERS[utf8.char(code)] = "?" end
end

local function whole(text)
  local out, at = {}, 1
  while at <= #text do
    local n, bad = utf8.len(text, at)
    local stop = n and #text + 1 or bad
    out[#out + 1] = text:sub(at, stop - 1)
    if not n then out[#out + 1] = "\u{FFFD}" end
    at = stop + 1
  end
  return table.concat(out)
end

return function(text)
  if not utf8.len(text) then text = whole(text) end
  return (text:gsub("[%c\x7f]", "?"):gsub(utf8.charpattern, OTHERS))
end
