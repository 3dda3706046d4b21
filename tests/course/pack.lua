-- Reads what `phasor course pack` wrote and says where something stands in it that students are to find: phasor pack.lua FOLDER [shown].
-- Secret are the lines of a lesson between its markers of solutions and hidden tests, and those of wrong answers and checks (shown: of
-- checks the hidden ones alone). A line that stands elsewhere in the lesson too may stand in the copy as often as there, and no more.
local folder, shown = arg[1], arg[2] == "shown"

local function text_of(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "a"
  f:close()
  return text
end

-- The lines of a lesson, bare: how often each is secret, and how often each is not.
local function told(text)
  local secret, open, role, inside = {}, {}, nil, false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local marker, bare = line:match "^%-%- %%%%(.*)", line:match "^%s*(.-)%s*$"
    if marker then role, inside = marker:match 'role="(%a+)"', false end
    if bare:find "^%-%-%- BEGIN " then inside = true end
    local hides = inside or role == "wrong" or role == "check" and not shown
    local list = hides and secret or open
    list[bare] = (list[bare] or 0) + 1
    if bare:find "^%-%-%- END " then inside = false end
  end
  return secret, open
end

local MARKER = "^%-%- %%%%" -- of a cell: an exercise's changes
local function times(text)
  local out = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local bare = line:match "^%s*(.-)%s*$"
    out[bare] = (out[bare] or 0) + 1
  end
  return out
end

-- The lessons have 65 exercises, of a few secret lines each.
local secrets, longest, anywhere = 0, {}, {}
local program = text_of(folder .. "/phasor")
for name in io.popen("ls lessons"):lines() do
  local lesson = name:match "^(.*)%.lua$"
  if lesson and lesson ~= "ledger" then
    local original, copy = text_of("lessons/" .. name), text_of(folder .. "/lessons/" .. name)
    local secret, open = told(original)
    local found = times(copy)
    for line in pairs(secret) do
      secrets = secrets + 1
      if line ~= "" and not line:find(MARKER) and (found[line] or 0) > (open[line] or 0) then print(name .. " tells: " .. line) end
      -- In the program, where texts of other lessons and of the laboratory stand too, the lines that are no one else's.
      if #line >= 40 and not line:find(MARKER) then longest[#longest + 1] = line end
    end
    for line, n in pairs(open) do
      anywhere[#anywhere + 1] = line
      if line ~= "" and not line:find(MARKER) and (found[line] or 0) < n then print(name .. " lacks: " .. line) end
    end
    if not program:find(copy, 1, true) then print("the program has another copy of " .. name) end
  end
end
local all = table.concat(anywhere, "\n")
for _, line in ipairs(longest) do
  if not all:find(line, 1, true) and program:find(line, 1, true) then print("the program tells: " .. line) end
end
if secrets < 600 or #longest < 250 then print(("only %d secret lines, %d of them long"):format(secrets, #longest)) end
