-- Programs of test_option_words.c, which it names by what stands behind the @.

-- @every_word_of_the_help_is_offered
-- What help says of an argument as a list of words: 'name: "a" …, "b" or "c"' at the start of a sentence, 'name = "a": "a" or …', and the
-- default in the line of arguments, name="a". Each wants these words from Tab.
local offers, tools = require "phasor.lib.offers", require "phasor.tools"
local listed, missing = 0, {}

-- The place of a parameter in the line of arguments; nil: it stands in braces, or nowhere.
local function place_of(args, what)
  local place = 0
  for name in (args:gsub("%b{}", "{}"):gsub("[%[%]%s]", "") .. ","):gmatch "([^,]*)," do
    place = place + 1
    if name == what then return place end
  end
end

-- Words that have no list: the class of a method's own field, flags, a name among many.
local function wanted(name, args, what, words)
  local function_name = name:match "[%w_]+$"
  local place = place_of(args, what)
  local got = place and offers(function_name, nil, place + (name:find ":" and 1 or 0)) or offers(function_name, what)
  local set = {}
  for _, word in ipairs(got or {}) do set[word] = true end
  listed = listed + 1
  for _, word in ipairs(words) do
    if not set[word] then missing[#missing + 1] = ("%s: %s = \"%s\""):format(name, what, word) end
  end
end

for name in pairs(tools.names()) do
  local flat = tostring(help(name)):gsub("\n  Examples?\n.*", ""):gsub("%s+", " ")
  local args = flat:match "^[%w_:]+(%b())" or flat:match "^[%w_:]+(%b{})" or ""
  args = args:sub(2, -2)
  for what, word in args:gmatch '([%a_][%w_]*)="([%w_]+)"' do wanted(name, args, what, {word}) end
  for what, word in flat:gmatch '[%.;%)] ([%a_][%w_]*) = "([%w_]+)":' do wanted(name, args, what, {word}) end
  for what, rest in flat:gmatch '[%.;%)] ([%a_][%w_]*): ("[%w_]+".-)%f[;.]' do
    local words = {}
    for word in rest:gmatch '"([%w_]+)"' do words[#words + 1] = word end
    wanted(name, args, what, words)
  end
end
table.sort(missing)
return table.concat(missing, "; "), listed > 60

-- @every_word_that_is_offered_is_taken
-- A word that none of them takes; its error lists those that it takes, in quotes or, of numbers, by name.
local offers = require "phasor.lib.offers"
local wrong, calls = {}, {
  {"array", "dtype", "array({1}, {dtype='?'})"}, {"zeros", "dtype", "zeros(2, {dtype='?'})"}, {"ones", "dtype", "ones(2, {dtype='?'})"},
  {"full", "dtype", "full(2, 1, {dtype='?'})"}, {"eye", "dtype", "eye(2, {dtype='?'})"}, {"range", "dtype", "range(1, 2, {dtype='bool'})"},
  {"linspace", "dtype", "linspace(1, 2, 2, {dtype='bool'})"}, {"rand", "dtype", "rand(rng(1), 2, {dtype='bool'})"},
  {"randn", "dtype", "randn(rng(1), 2, {dtype='bool'})"}, {"astype", 2, "astype(eye(2), '?')"}, {"quantize", 2, "quantize(1, '?')"},
  {"halves", 2, "halves(eye(2), '?')"}, {"qr", 2, "qr(eye(2), '?')"}, {"svd", 2, "svd(eye(2), '?')"}, {"sym", 2, "sym('x', '?')"},
  {"plot", "style", "plot({1, 2}, {style='?'})"}, {"plot", "log", "plot({1, 2}, {log='?'})"}, {"bars", "log", "bars({1, 2}, {log='?'})"},
  {"heatmap", "map", "heatmap(eye(2), {map='?'})"}, {"picture", "lang", "picture('rope', {lang='?'})"},
  {"savefig", "theme", "savefig('x.svg', plot{1, 2}, {theme='?'})"}, {"svg", "theme", "plot{1, 2}:svg{theme='?'}"},
  {"attention", "need", "attention(eye(2), eye(2), eye(2), {need='?'})"}, {"hessian_parts", "layout", "hessian_parts(eye(2), {layout='?'})"},
  {"recurrence", "method", "recurrence(1, {1, 2}, {method='?'})"}, {"corpus", "unit", "corpus{text='a b', unit='?'}"},
  {"task", "name", "task{name='?'}"}, {"task", 1, "task '?'"}, {"transformer", "norm", "transformer{vocab=2, length=2, norm='?'}"},
  {"transformer", "head", "transformer{vocab=2, length=2, head='?'}"},
  {"transformer", "activation", "transformer{vocab=2, length=2, activation='?'}"},
  {"trainer", "schedule", "trainer{model={vocab=17, length=4, d=8, heads=1}, data=task 'copy', schedule='?'}"},
  {"t5", "direction", "t5(2, 2, {direction='?'})"}, {"sinusoidal", "layout", "sinusoidal(2, 2, {layout='?'})"},
}
for _, c in ipairs(calls) do
  local fine, said = pcall(load("return " .. c[3]))
  local taken, got = {}, offers(c[1], type(c[2]) == "string" and c[2] or nil, type(c[2]) == "number" and c[2] or nil) or {}
  for word in tostring(said):match("wanted (.*)"):gmatch "[%w_]+" do taken[word] = true end
  for _, word in ipairs(got) do
    if not taken[word] then wrong[#wrong + 1] = ("%s: \"%s\", but: %s"):format(c[1], word, tostring(said)) end
  end
  if fine or #got == 0 then wrong[#wrong + 1] = c[3] end
end
return table.concat(wrong, "; "), #calls
