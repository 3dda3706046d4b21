-- Programs of test_faults.c, which it names by what stands behind the @.

-- @common_errors_are_chinese
local told, english, all = require 'phasor.lib.faults'.told, {}, 0
local calls = [==[
zeros("a")
zeros(-1)
array("x")
array({1, {2}})
eye()
matmul(1)
matmul(ones(2), "x")
matmul(ones(2, 2), ones(3, 3))
sin("x")
sin(1, 2)
exp(nil)
reshape(range(1, 6), 4)
range(1)
concat({ones(2), ones(3, 3)})
return eye(3)[5]
return eye(3)(4, 1)
return eye(3) + ones(2)
return eye(3).foo
prove(1)
prove(sin, cos)
derivative(sym "x")
softmax("a")
attention(eye(3), eye(3))
attention_weights(ones(2, 3), ones(2, 4))
sinusoidal(4)
sinusoidal(-1, 4)
rope(eye(4))
rope(eye(4), {layout = "foo"})
rope(eye(3), {layout = "half"})
rope(eye(4), {lay = "half"})
plot("a")
plot({1, 2}, {1, 2, 3})
heatmap(3)
sum(eye(3), 5)
randn(3)
picture("rope", {d = 0})
plot(sin, {3, 1})
return nofoo
local t = {} return t.x.y
return {} .. "x"
return 1 < "2"
return {} < {}
return 2 + {}
return ("x")()
x = = 2
y = 'abc
for i = 1, 3 do
f(
read("nonesuch.npy")
grad(3)
take(eye(3), 9)
inv(zeros(2, 2))
inv(ones(2, 3))
return 1 // 0 | 1
]==]
for line in calls:gmatch '[^\n]+' do
  all = all + 1
  local f, why = load(line, '=t')
  local fine
  if f then fine, why = pcall(f) end
  assert(not fine, line)
  local said = told((why:gsub('^t:%d+: ', '')))
  -- Two English words in a row are a phrase; names of models and options are none.
  local bare = said:gsub('"[^"]*"', ''):gsub('first 与 last', ''):gsub('%b()', '')
  if not said:find '[\xE4-\xE9][\x80-\xBF][\x80-\xBF]' or bare:find '%f[%w]%l%l+ %l%l+%f[%W]' then english[#english + 1] = said end
end
return #english .. ' of ' .. all .. (#english > 0 and '\n' .. table.concat(english, '\n') or '')

-- @wrong_calls_are_chinese
-- Every function of the laboratory that leaves nothing behind, called with arguments that it was not made for: what it says is told in
-- Chinese as a whole. Which arguments is drawn by a generator of its own, the same everywhere.
local faults, lab = require 'phasor.lib.faults', require 'phasor'
local x, n, f = sym 'x', sym('n', 'natural'), function(t) return t end
local A, v = eye(3), prove(sym 'x', sym 'x')
local pool = {1, 0, -1, 2.5, nan, inf, 'a', 'half', true, false, {}, {1, 2, 3}, {{1, 2}, {3, 4}}, {1, 'a'}, A, zeros(0), ones(2, 3), ones(4, 6),
  range(1, 4), x, x + 1, sin(x), eq(x, 1), le(x, 1), n, v, f, tostring, I, rng(1), {x = {0, 1}}, {train = 8}, {layout = 'half'},
  array({1, 2}, {dtype = 'f32'}), gt(A, 0), rat(1, 2), halves(A, 'f16'), dd(A), matrix{{x, 1}, {1, x}}}
local apart = {['the course'] = true, training = true, pictures = true, files = true, help = true, ['the session'] = true}
local state = 12345
local function drawn(k)
  state = (state * 1103515245 + 12345) % 2147483648
  return (state >> 8) % k + 1
end
local seen, english, all = {}, {}, 0
for _, row in ipairs(help.rows) do
  local call = not row.name:find '[:.]' and not apart[row.topic] and rawget(lab, row.name)
  for _ = 1, type(call) == 'function' and 25 or 0 do
    local args, k = {}, drawn(4) - 1
    for i = 1, k do args[i] = pool[drawn(#pool)] end
    local fine, message = pcall(call, table.unpack(args, 1, k))
    if not fine and type(message) == 'string' and not seen[message] then
      seen[message], all = true, all + 1
      local said = faults.placed(message)
      if said:gsub('"[^"]*"', ''):gsub('%b()', ''):gsub('%b{}', ''):find '%a%a+ %a%a+ %a%a+' then english[#english + 1] = message end
    end
  end
end
assert(all > 1500, all)
return #english .. (#english > 0 and '\n' .. table.concat(english, '\n') or '')

-- @every_hint_is_chinese
-- What stays English of a hint: a part without Chinese, or with words between its code.
function english_in(hint)
  for piece in (hint .. '; '):gmatch '(.-); ' do
    local said = require 'phasor.lib.faults'.told("unknown name 'x'; " .. piece):gsub('^.-；', '')
    if not said:find '[\xE4-\xE9][\x80-\xBF]' then return said end
    for _, word in ipairs {'between', 'for', 'the', 'with', 'along', 'inside', 'to', 'is', 'gives', 'arrays'} do
      if (' ' .. said .. ' '):find(' ' .. word .. ' [%l"]') and not said:find '应写 for ' and not said:find '写成 for ' then return said end
    end
  end
  return ''
end
