-- Programs of test_trainer.c, which it names by what stands behind the @.

-- @tools
data = task{name = 'offset', vocab = 6, offset = 2}
function new(o)
  local all = {model = {length = 8, d = 8, heads = 2, hidden = 12, position = 't5'}, data = data, steps = 12, batch = 4, seed = 7, rate = 0.01}
  for k, v in pairs(o or {}) do all[k] = v end
  return trainer(all)
end
function walk(run, n) for step in run do if step == n then break end end return run end

-- @adamw_is_its_algorithm
adamw = require 'phasor.train.adamw'
function by_hand(o, x, gradients, heavy)
  local m, v = {0, 0, 0}, {0, 0, 0}
  for t, g in ipairs(gradients) do
    local norm = math.sqrt(g[1]^2 + g[2]^2 + g[3]^2)
    local cut = norm > o.clip and o.clip / norm or 1
    for i = 1, 3 do
      local y = g[i] * cut
      m[i], v[i] = o.beta1 * m[i] + (1 - o.beta1) * y, o.beta2 * v[i] + (1 - o.beta2) * y * y
      x[i] = x[i] - 0.1 * (m[i] / (1 - o.beta1^t) / (math.sqrt(v[i] / (1 - o.beta2^t)) + o.eps) + o.shrink * heavy[i] * x[i])
    end
  end
  return x
end
function off(o)
  o = adamw.read('test', o)
  local gradients, heavy = {{1, -2, 0.5}, {0.1, 0.2, -0.3}, {5, 5, -5}, {0, 1e-3, 2}, {-1, 0, 0.25}}, {1, 0, 1}
  local s = adamw.start(astype(array{1, -1, 0.5}, 'f32'))
  for _, g in ipairs(gradients) do s = adamw.step(o, s, astype(array(g), 'f32'), 0.1, astype(array(heavy), 'f32')) end
  return max(abs(astype(s.x, 'f64') - array(by_hand(o, {1, -1, 0.5}, gradients, heavy))))
end
return off{} < 1e-5, off{clip = 1e9} < 1e-5, off{shrink = 0} < 1e-5, off{shrink = 0.5, beta1 = 0.5, beta2 = 0.9, eps = 0.01} < 1e-5

-- @a_run_stops_and_goes_on_1
c = walk(new(), 5)
c:save('run.safetensors')
walk(c)
d = walk(resume('run.safetensors', data))
return d.now.x == a.now.x, d.now.m == a.now.m, d.now.v == a.now.v, d.losses == a.losses, d.step

-- @a_run_stops_and_goes_on_2
f = io.open('run.safetensors', 'rb')
s = f:read 'a'
f:close()
f = io.open('cut.safetensors', 'wb')
f:write(s:sub(1, #s - 100))
f:close()
ok, e = pcall(resume, 'cut.safetensors', data)
os.remove 'cut.safetensors'
os.remove 'run.safetensors'
os.remove 'model.safetensors'
return ok, e:match 'cut.safetensors'

-- @training_learns_what_there_is_1
g = rng(4)
s = {}
for k = 1, 3000 do s[k] = string.char(97 + g:below(4)) end
r = train{model = {length = 8, d = 8, heads = 2, hidden = 8, position = 'rope'}, data = corpus{text = table.concat(s)}, steps = 60, rate = 0.003}
return abs(r.loss - log(4)) < 0.1

-- @training_learns_what_there_is_2
r = train{model = {length = 8, d = 8, heads = 2}, data = data, steps = 6, csv = 'losses.csv'}
t = read 'losses.csv'
os.remove 'losses.csv'
return t.shape, t(6, 1), abs(t(6, 2) - r.losses(6)) < 1e-12, r.on

-- @training_learns_what_there_is_3
function moved(offsets)
  local m = transformer({vocab = 6, length = 8, d = 8, heads = 2, position = {name = 'learned', call = 'learned(40, d), T'}}, 1)
  local before = m.P.position[1][1]:copy()
  walk(trainer{model = m, data = data, steps = 12, offsets = offsets, shrink = 0})
  return max(abs(m.P.position[1][1][{{10, 40}}] - before[{{10, 40}}])) > 0
end
return moved(1), moved(33)

-- @bad_runs_are_refused_1
run = new()
walk(run, 2)
run.model.P.tokens[{1, 1}] = nan
ok, e = pcall(run.advance, run)
return ok, e:match 'step %d+', e:match 'nan' ~= nil

-- @bad_runs_are_refused_2
run = new()
walk(run, 2)
run.model.P.tokens[{1, 1}] = inf
ok, e = pcall(run.advance, run)
return ok, e:match 'step %d+', run.step

-- @bad_runs_are_refused_3
run = new()
walk(run, 2)
run.model.P.layers[1].feed_forward.W1[{1, 1}] = inf
return run:advance()

-- @bad_runs_are_refused_4
-- The first row's: the score of another row stands where a seventh of its own would.
local function batch(g, B, T) local y = ones(B * T) y[1] = 7 return {inputs = ones(B, T), targets = y} end
return trainer{model = {length = 8}, data = {vocab = 6, batch = batch}}()

-- @a_run_starts_at_once
function spent(f) local best = inf for _ = 1, 3 do local t = os.clock() f() best = math.min(best, os.clock() - t) end return best end
local run
local start = spent(function() run = trainer{model = m, data = data} end)
return start < spent(run)
