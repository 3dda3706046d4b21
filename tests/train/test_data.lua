-- Programs of test_data.c, which it names by what stands behind the @.

-- @tools
-- the inputs of row b of a batch, and its targets by place (0: none)
function row(batch, b, T)
  local x, y = {}, {}
  for t = 1, T do x[t], y[t] = math.tointeger(batch.inputs(b, t)), 0 end
  for k = 1, batch.count do
    local at = (batch.rows and batch.rows(k) or k) - 1
    if at // T + 1 == b then y[math.tointeger(at % T + 1)] = math.tointeger(batch.targets(k)) end
  end
  return x, y
end
-- how many of 40 rows disobey; right(x, y, T): are these targets right?
function faults(o, T, right)
  local source, bad = task(o), 0
  local batch = source.batch(rng(5), 40, T)
  for b = 1, 40 do if not right(row(batch, b, T)) then bad = bad + 1 end end
  return bad
end
function text_of(t) return table.concat(t, ' ') end

-- @tasks_ask_for_what_they_say_1
faults({name = 'offset', offset = 3}, 10, function(x, y)
  for t = 1, 10 do if y[t] ~= (t > 3 and x[t - 3] or 0) then return false end end
  return true
end)

-- @tasks_ask_for_what_they_say_2
faults({name = 'offset', offset = 3}, 10, function(x, y)
  for t = 1, 10 do if y[t] ~= (t > 2 and x[t - 2] or 0) then return false end end
  return true
end) > 30

-- @tasks_ask_for_what_they_say_3
faults({name = 'copy', vocab = 5}, 9, function(x, y)
  if x[5] ~= 6 then return false end
  for t = 1, 9 do if y[t] ~= (t > 4 and t < 9 and x[t - 4] or 0) then return false end end
  for t = 6, 9 do if x[t] ~= x[t - 5] then return false end end
  return true
end)

-- @tasks_ask_for_what_they_say_4
faults({name = 'sort', vocab = 5}, 9, function(x, y)
  local s = {x[1], x[2], x[3], x[4]}
  table.sort(s)
  return text_of{y[5], y[6], y[7], y[8]} == text_of(s) and text_of{x[6], x[7], x[8]} == text_of{s[1], s[2], s[3]} and y[9] == 0 and x[5] == 6
end)

-- @tasks_ask_for_what_they_say_5
faults('parity', 12, function(x, y)
  for t = 1, 12 do local n = 0 for s = 1, t do if x[s] == 2 then n = n + 1 end end if y[t] ~= n % 2 + 1 then return false end end
  return true
end)

-- @tasks_ask_for_what_they_say_6
faults({name = 'induction', vocab = 6}, 12, function(x, y)
  local found = {}
  for t = 1, 11 do if x[t] == x[12] then found[#found + 1] = t end end
  local asked = 0
  for t = 1, 12 do if y[t] ~= 0 then asked = asked + 1 end end
  return #found == 1 and asked == 1 and y[12] == x[found[1] + 1]
end)

-- @tasks_ask_for_what_they_say_7
faults({name = 'passkey', vocab = 6}, 12, function(x, y)
  local found = {}
  for t = 1, 11 do if x[t] == 7 then found[#found + 1] = t end end
  return x[12] == 7 and #found == 1 and y[12] == x[found[1] + 1] and y[11] == 0
end)

-- @tasks_ask_for_what_they_say_8
faults('addition', 11, function(x, y)
  local function number(z, at) return (z[at] - 1) + 10 * (z[at + 1] - 1) + 100 * (z[at + 2] - 1) end
  return x[4] == 11 and x[8] == 12 and number(y, 8) == (number(x, 1) + number(x, 5)) % 1000 and x[9] == y[8] and x[10] == y[9] and y[11] == 0
end)

-- @tasks_ask_for_what_they_say_9
for _, name in ipairs{'copy', 'induction', 'offset', 'sort', 'parity', 'addition', 'passkey'} do
  local s = task(name)
  local a, b, c = s.batch(rng(1), 3, 12), s.batch(rng(1), 3, 12), s.batch(rng(2), 3, 12)
  if a.inputs ~= b.inputs or a.targets ~= b.targets or a.inputs == c.inputs then return name end
  if max(a.inputs) > s.vocab or min(a.inputs) < 1 then return name end
end
return 'all'

-- @streams_follow_their_text_1
b = data.batch(rng(3), 6, 10)
bad = 0
for k = 1, 6 do
  local x, y = row(b, k, 10)
  local s = ''
  for t = 1, 10 do s = s .. data.tokens[x[t]] end
  for t = 1, 9 do if y[t] ~= x[t + 1] then bad = bad + 1 end end
  if not ('to be or not to be '):rep(30):find(s .. data.tokens[y[10]], 1, true) then bad = bad + 1 end
end
return bad, b.rows

-- @streams_follow_their_text_2
data = corpus{text = ('abcdefgh'):rep(200), mask = 0.15}
b = data.batch(rng(3), 50, 40)
masked, wrong, other = 0, 0, 0
for k = 1, 50 do
  local x, y = row(b, k, 40)
  for t = 2, 40 do
    local before = y[t - 1] ~= 0 and y[t - 1] or x[t - 1]
    local here = y[t] ~= 0 and y[t] or x[t]
    if here ~= before % 8 + 1 then wrong = wrong + 1 end
    if y[t] == 0 and x[t] == 9 then wrong = wrong + 1 end
    if y[t] ~= 0 and x[t] == 9 then masked = masked + 1 end
  end
end
-- 300 of 2000 expected, deviation 16; 80 % of these
return data.vocab, wrong, abs(b.count - 300) < 80, abs(masked / b.count - 0.8) < 0.15
