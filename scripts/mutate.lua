-- mutate.lua ROOM SEED: changes one token of one C file of a room (ROOM/NAME: of its files that begin so), in place, and prints "file:line: old -> new". Comments, strings,
-- preprocessor lines, declarations of types and includes stay as they are.
local room, seed = ...
local g = rng(tonumber(seed))
local files = {}
for path in io.popen("ls src/" .. room .. (room:find "/" and "*.c" or "/*.c")):lines() do files[#files + 1] = path end
local path = files[g:below(#files) + 1]
local file = io.open(path)
local text = file:read "a"
file:close()

-- What is no code becomes blanks of the same length.
local function blank(s) return (s:gsub("[^\n]", " ")) end
local code = text:gsub("/%*.-%*/", blank):gsub('"[^"\n]*"', blank):gsub("'[^'\n]*'", blank):gsub("\n[ \t]*#[^\n]*", blank)

local changes = {["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">", ["=="] = "!=", ["!="] = "==", ["+"] = "-", ["-"] = "+",
                 ["*"] = "/", ["/"] = "*", ["&&"] = "||", ["||"] = "&&", ["+="] = "-=", ["-="] = "+=", ["true"] = "false", ["false"] = "true",
                 ["++"] = "--", ["continue"] = "break"}
local places = {}
for at, token in code:gmatch "()([%+%-%*/<>=!&|]+)" do -- operators between blanks: binary ones
  if changes[token] and code:sub(at - 1, at - 1) == " " and code:sub(at + #token, at + #token) == " " then
    places[#places + 1] = {at, token, changes[token]}
  end
end
for at, word in code:gmatch "()%f[%w_]([%a_]+)%f[^%w_]" do
  if changes[word] then places[#places + 1] = {at, word, changes[word]} end
end
for at, digits in code:gmatch "()%f[%w_.](%d+)%f[^%w_.]" do places[#places + 1] = {at, digits, tostring(tonumber(digits) + 1)} end
for at, test in code:gmatch "()%f[%w]if (%b())" do places[#places + 1] = {at + 3, test, "(!" .. test .. ")"} end
if #places == 0 then os.exit(1) end

local at, old, new = table.unpack(places[g:below(#places) + 1])
file = io.open(path, "w")
file:write(text:sub(1, at - 1) .. (old:sub(1, 1) == "(" and "(!" .. text:sub(at, at + #old - 1) .. ")" or new) .. text:sub(at + #old))
file:close()
local _, line = text:sub(1, at):gsub("\n", "")
print(("%s:%d: %s -> %s"):format(path, line + 1, old, new))
