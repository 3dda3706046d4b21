-- sa/periodicity: does a periodic code make a model heed absolute position less? Task: name the token 3 back, among places that begin anywhere
-- from 0 to 47. Then the same texts are read at every eighth of these offsets: the spread of the log-probabilities of all tokens over the
-- offsets, as a part of their whole spread, is how much the model heeds where it stands. The waves of base 8 come round within 50 places; those of base 10000 hardly
-- turn. Control: tables that are as smooth as the waves of base 8, column by column, and never come round.
local CODES = {"waves8", "smooth8", "waves10000", "learned"}
local T, TRAINED, PLACES, D = 32, 48, 128, 32
local LEVEL = statistics.family(0.999, 3)

-- Gaussian noise run through a Gaussian window: as steep as sin(wt) in the mean square, mean square 1/2, without a period.
local function smooth(g, base)
  local columns = {}
  for c = 0, D - 1 do
    local w = base ^ -(2 * (c // 2) / D)
    local wide = 1 / w -- noise under the window exp(-(k/s)^2) has the correlation exp(-t^2/(2 s^2))
    local reach = math.ceil(4 * wide)
    local noise, column = randn(g, PLACES + 2 * reach):totable(), {}
    local norm = 0
    for k = -reach, reach do norm = norm + exp(-(k / wide) ^ 2) ^ 2 end
    for t = 1, PLACES do
      local sum = 0
      for k = -reach, reach do sum = sum + noise[t + reach + k] * exp(-(k / wide) ^ 2) end
      column[t] = sum / sqrt(2 * norm)
    end
    columns[c + 1] = column
  end
  return astype(transpose(array(columns)), "f32")
end

local function position_of(code, seed)
  if code == "learned" then return {name = "learned", call = ("learned(%d, d), T"):format(PLACES), std = 0.5} end
  if code == "smooth8" then return {name = "learned", table = smooth(rng(700 + seed), 8)} end
  return {name = "sinusoidal", base = tonumber(code:match "%d+")}
end

return {
  title = {en = "Does a periodic code make a model heed absolute position less?", zh = "周期性的编码会让模型不那么在意绝对位置吗？"},
  claim = "sa/periodicity",
  factors = {{"code", CODES}, {"seed", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
  measures = {"heed", "seen", "unseen"},
  rule = "Ten models a code. heed is the standard deviation of the log-probabilities (of every token, at every place that is asked for) over the offsets 0, 8, ..., 40, all trained, as a part "
    .. "of their standard deviation altogether. "
    .. "With D the difference of log heed, run by run: waves of base 8 against a table as smooth that never comes round, against waves of base 10000, and "
    .. "against a learned table. The claim is so when the t intervals of D lie below 0, not so at this size when they lie above 0; an interval around 0 "
    .. "shows no effect. The three intervals hold together at 99.9 % (Bonferroni).",
  run = function(f)
    local data = task {name = "offset", offset = 3, vocab = 16}
    local model = transformer({vocab = 16, length = T, layers = 2, heads = 4, d = D, hidden = 64, position = position_of(f.code, f.seed)}, f.seed)
    local run = trainer {model = model, data = data, steps = 700, batch = 16, rate = 3e-3, warmup = 70, seed = f.seed, offsets = TRAINED}
    for _ in run do end
    local batch = data.batch(rng(910000 + f.seed), 32, T)
    local function said(offset)
      local Z = model:logits(batch.inputs, {offset = offset})
      Z = take(reshape(Z, 32 * T, 16), batch.rows, 1)
      return astype(Z - logsumexp(Z, 2, {keep = true}), "f64")
    end
    local all, seen, unseen = {}, 0, 0
    for k = 0, 5 do
      all[k + 1] = said(8 * k)
      seen, unseen = seen + model:loss(batch, {offset = 8 * k}) / 6, unseen + model:loss(batch, {offset = 56 + 8 * k}) / 6
    end
    all = stack(all) -- (offsets, places, tokens)
    local away = all - mean(all, 1)
    return {heed = sqrt(mean(away * away)) / std(all), seen = seen, unseen = unseen}
  end,
  findings = function(R)
    local function logs(code)
      local x = R:values("heed", {code = code})
      for k = 1, #x do x[k] = log(x[k]) end
      return x
    end
    local periodic, out = logs "waves8", {}
    local others = {{"smooth8", "a table as smooth without a period", "同样光滑而无周期的表"}, {"waves10000", "waves of base 10000", "底数 10000 的波"},
                    {"learned", "a learned table", "可学习的表"}}
    for k, c in ipairs(others) do
      local d = logs(c[1])
      for i = 1, #d do d[i] = periodic[i] - d[i] end
      local finding = statistics.decide(d, 0, LEVEL)
      out[k] = {finding = finding, words = ({
        below = {en = "periodic waves against " .. c[2] .. ": absolute position is heeded less", zh = "周期波与" .. c[3] .. "相比：绝对位置更不受在意"},
        above = {en = "periodic waves against " .. c[2] .. ": not so at this size, absolute position is heeded more",
                 zh = "周期波与" .. c[3] .. "相比：在这个规模上并非如此，绝对位置反而更受在意"},
        around = {en = "periodic waves against " .. c[2] .. ": no effect shown at this size", zh = "周期波与" .. c[3] .. "相比：在这个规模上看不出差别"},
      })[finding.side]}
    end
    return out
  end,
  pictures = function(R)
    local heights, labels = {}, {}
    for k, code in ipairs(CODES) do heights[k], labels[k] = statistics.mean(R:values("heed", {code = code})), code end
    return {{title = "How much absolute position is heeded", figure = bars(labels, heights)}}
  end,
}
