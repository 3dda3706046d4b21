-- pe/ntk-perplexity: rotations trained at 64 characters, read at 128 and 256 without fine-tuning: as they are, by position interpolation (PI), by NTK, by
-- YaRN, and with queries scaled by log n. The targets are the same for every method and for the baseline, which reads the last 64 characters of each text alone.
local KINDS = {"none", "pi", "ntk", "yarn", "logn"}
local L, TEXTS = 64, 48

local function position_of(kind, factor)
  if kind == "none" or factor == 1 then return "rope" end
  if kind == "logn" then return {"rope", {name = "logn", train = L}} end
  return {name = "rope", scaling = {kind = kind, factor = factor, train = kind == "yarn" and L or nil}}
end

local measures = {"baseline"}
for _, n in ipairs {128, 256} do
  for _, kind in ipairs(KINDS) do measures[#measures + 1] = kind .. n end
end
measures[#measures + 1] = "ntk8x256" -- a factor of twice the stretch, as the notes' own figures ask for

local prose = beside "prose.txt"

return {
  title = {en = "Does NTK keep the loss beyond the trained length without fine-tuning?", zh = "不作微调，NTK 能在训练长度之外保住损失吗？"},
  claim = "pe/ntk-perplexity",
  factors = {{"seed", {1, 2, 3, 4, 5}}},
  measures = measures,
  rule = "Five models with rotations, trained on 64 characters of prose. The targets are the last 32 characters of held-out texts of 256. With D the loss at 256 by NTK "
    .. "with factor 8 less the loss of the same targets read with the last 64 characters only: the claim (\"minimal perplexity degradation\") is so when the t interval of D lies "
    .. "below ln 1.05 (5 % of perplexity), not so at this size when it lies above, open otherwise. Second, with E the loss by NTK with factor 8 less that of the same model as "
    .. "it is, both at 256: NTK helps when the interval of E lies below 0. Both intervals hold together at 99 % (Bonferroni).",
  run = function(f)
    local data = text {text = prose, hold = 0.1}
    local model = transformer({vocab = data.vocab, length = L, layers = 2, heads = 2, d = 48, hidden = 128, position = "rope"}, f.seed)
    for _ in trainer {model = model, data = data, steps = 1500, batch = 16, rate = 3e-3, warmup = 100, seed = f.seed} do end
    local whole = data.held.batch(rng(920000 + f.seed), TEXTS, 256)
    local of = whole.targets
    -- the last `length` characters of each text; the targets are those of its last 32 places
    local function cut(length)
      local n, ids, right, at = 32, {}, {}, {}
      for b = 1, TEXTS do
        ids[b] = whole.inputs[{ {b, b}, {257 - length, 256} }]
        for k = 1, n do right[#right + 1], at[#at + 1] = of(256 * b - n + k), length * b - n + k end
      end
      return {inputs = concat(ids), targets = array(right), rows = array(at)}
    end
    local function loss(kind, factor, length) return model:with {position = position_of(kind, factor)}:loss(cut(length)) end
    local out = {baseline = loss("none", 1, 64)}
    for _, n in ipairs {128, 256} do
      for _, kind in ipairs(KINDS) do out[kind .. n] = loss(kind, n / L, n) end
    end
    out.ntk8x256 = loss("ntk", 8, 256)
    return out
  end,
  findings = function(R)
    local level = statistics.family(0.99, 2)
    local d = statistics.decide(R:difference("ntk8x256", {}, "baseline", {}), log(1.05), level)
    local e = statistics.decide(R:difference("ntk8x256", {}, "none256", {}), 0, level)
    return {
      {finding = d, words = ({
        below = {en = "NTK, four times the length: the loss grows by less than ln 1.05", zh = "NTK，四倍长度：损失增加不到 ln 1.05"},
        above = {en = "NTK, four times the length: not so at this size, the loss grows by more than ln 1.05", zh = "NTK，四倍长度：在这个规模上并非如此，损失增加超过 ln 1.05"},
        around = {en = "NTK, four times the length: undecided at this size whether the loss grows by ln 1.05", zh = "NTK，四倍长度：在这个规模上分不出损失是否增加 ln 1.05"},
      })[d.side]},
      {finding = e, words = ({
        below = {en = "NTK against the model as it is: the loss is smaller", zh = "NTK 与原样的模型相比：损失更小"},
        above = {en = "NTK against the model as it is: the loss is greater", zh = "NTK 与原样的模型相比：损失更大"},
        around = {en = "NTK against the model as it is: no difference shown", zh = "NTK 与原样的模型相比：看不出差别"},
      })[e.side]},
    }
  end,
  pictures = function(R)
    local lines = {}
    for k, kind in ipairs(KINDS) do
      lines[k] = {statistics.mean(R:values "baseline"), statistics.mean(R:values(kind .. 128)), statistics.mean(R:values(kind .. 256))}
    end
    return {{title = "Loss on the same targets against length, trained at 64", figure = plot({64, 128, 256}, lines, {labels = KINDS, style = "both", xlabel = "length", ylabel = "nats"})}}
  end,
}
