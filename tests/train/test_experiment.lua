-- Programs of test_experiment.c, which it names by what stands behind the @.

-- @statistics_are_those_of_the_tables
worst = 0
for k = 1, 40 do local x = k / 4
  worst = max(array{worst, abs(S.t_beyond(x, 1) - (1 - 2 * atan(x) / pi)), abs(S.t_beyond(x, 2) - (1 - x / sqrt(2 + x * x)))}) end
return worst < 1e-12

-- @small
E = require 'phasor.train.experiment'
function given(more)
  local o = {title = {en = 'a', zh = 'b'}, factors = {{'code', {'x', 'y'}}, {'seed', {1, 2, 3}}}, measures = {'loss', 'other'}, rule = 'r',
    run = function(f) return {loss = f.seed / 3, other = f.code == 'x' and 1 or -1} end, findings = function() return {} end}
  for k, v in pairs(more or {}) do o[k] = v end
  return o
end
e = E.read('small', given())

-- @an_experiment_is_data_1
rows = {}
for k = 1, 6 do rows[k] = E.run(e, k) end
t = E.text(e, rows, {data = 'none', code = 'abc'})
return (t:sub(1, 59))

-- @an_experiment_is_data_2
back, head = E.parse(e, t)
same = true
for k = 1, 6 do same = same and back[k].loss == rows[k].loss and back[k].other == rows[k].other end
return same, head.code, E.missing(e, back)

-- @an_experiment_is_data_3
S = require 'phasor.train.statistics'
e2 = E.read('small', given{findings = function(R) return {{words = {en = 'a', zh = 'b'}, finding = S.decide(R:values 'loss', 0.2, 0.9)}} end})
function shifted(by) local out = {} for k = 1, 6 do out[k] = {loss = e2.factors[2][2][(k - 1) % 3 + 1] / 3 + by, other = 1} end return out end
return E.disagreement(e2, shifted(0), shifted(0.1)), E.disagreement(e2, shifted(0), shifted(-1)), E.disagreement(e2, shifted(-0.4), shifted(0))
