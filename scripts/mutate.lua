-- mutate.lua ROOM SEED: changes one token of the C of a room (ROOM/NAME: of its files that begin so), in place, each place as likely as any other, and
-- prints "file:line: old -> new, column N". Comments, strings, preprocessor lines, declarations of types and includes stay as they are. So do lines that decide no
-- result (the table `spared`).
local room, seed = ...
local g = rng(tonumber(seed))

-- Lines that a change may leave as good: a pattern, and why.
local spared = {
  {"^%s*assert%(", "says what holds; nothing depends on it"},
  {"ph_parallel%(", "how many pieces threads take; each gives the same"},
  {"^%s*return ver_meter_spend%(", "what a step counts as work"},
  {"^%s*char [%w_%[%], ]+;", "how long a part of a message may be"},
  {"{\"[%w_]+\", ENC_%u+, ENC_%u+, 0, 0, 0,", "an array's range, which is none"},
  {"expr_text%(&%w+, [^,]*, %d+, err%)", "how long a formula in a message may be"},
}
local changes = {["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==", ["+"] = "-", ["-"] = "+",
                 ["*"] = "/", ["/"] = "*", ["&&"] = "||", ["||"] = "&&", ["+="] = "-=", ["-="] = "+=", ["true"] = "false", ["false"] = "true",
                 ["++"] = "--", ["continue"] = "break"}

-- What is no code becomes blanks of the same length.
local function blank(s) return (s:gsub("[^\n]", " ")) end
local function code_of(text)
  local code = ("\n" .. text):gsub("/%*.-%*/", blank):gsub('"[^"\n]*"', blank):gsub("'[^'\n]*'", blank):gsub("\n[ \t]*#[^\n]*", blank):sub(2)
  return (code:gsub("[^\n]+", function(line)
    for _, s in ipairs(spared) do if line:find(s[1]) then return blank(line) end end
  end))
end
local function places_of(path, places)
  local file = io.open(path)
  local text = file:read "a"
  file:close()
  local code = code_of(text)
  local function add(at, old, new) places[#places + 1] = {path = path, text = text, at = at, old = old, new = new} end
  for at, token in code:gmatch "()([%+%-%*/<>=!&|]+)" do -- operators between blanks: binary ones
    if changes[token] and code:sub(at - 1, at - 1) == " " and code:sub(at + #token, at + #token) == " " then add(at, token, changes[token]) end
  end
  for at, word in code:gmatch "()%f[%w_]([%a_]+)%f[^%w_]" do
    if changes[word] then add(at, word, changes[word]) end
  end
  for at, digits in code:gmatch "()%f[%w_.](%d+)%f[^%w_.]" do add(at, digits, tostring(tonumber(digits) + 1)) end
  for at, test in code:gmatch "()%f[%w]if (%b())" do add(at + 3, test, "(!" .. text:sub(at + 3, at + 2 + #test) .. ")") end
end

local places = {}
local names = "src/" .. room .. (room:find "/" and "*." or "/*.")
for path in io.popen("ls " .. names .. "c " .. names .. "inc 2> /dev/null"):lines() do places_of(path, places) end
local p = places[g:below(#places) + 1]
local file = io.open(p.path, "w")
file:write(p.text:sub(1, p.at - 1) .. p.new .. p.text:sub(p.at + #p.old))
file:close()
local before = p.text:sub(1, p.at)
local _, line = before:gsub("\n", "")
print(("%s:%d: %s -> %s, column %d"):format(p.path, line + 1, p.text:sub(p.at, p.at + #p.old - 1):gsub("%s+", " "), p.new:gsub("%s+", " "), #before:match("[^\n]*$")))
