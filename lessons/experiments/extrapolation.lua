-- sa/no-real-extrapolation: beyond the length that was trained, a model with sinusoids fails. Task: name the token 3 back. The positive control
-- is T5's bias, whose buckets beyond the greatest distance are one: with it the same model goes on beyond its length.
local CODES = {"sinusoidal", "rope", "t5", "alibi", "kerple", "xpos", "nope"}
local LENGTH, SEEDS = 32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
local LEVEL = statistics.family(0.999, 3) -- three statements

local function position_of(code)
  if code == "t5" then return {name = "t5", max_distance = 24} end
  if code == "xpos" then return {name = "xpos", scale_base = 128} end
  return code
end

return {
  title = {en = "Does a model trained at length 32 work beyond it?", zh = "在长度 32 上训练的模型，更长时还管用吗？"},
  claim = "sa/no-real-extrapolation",
  factors = {{"code", CODES}, {"seed", SEEDS}},
  measures = {"within", "at48", "at64", "at128"},
  rule = "Ten models a code, trained at 32 places, asked for the token 3 back at 48, 64 and 128. With D the mean loss on the targets beyond place 32 at "
    .. "length 64 less the loss at length 32, in nats: for sinusoids and for rotations the claim is so when the t interval of D lies above 1, not so at this "
    .. "size when it lies below 1, and open otherwise. Control: with T5's bias D must lie below 1, or nothing follows for the others. "
    .. "The three intervals hold together at 99.9 % (Bonferroni).",
  run = function(f)
    local data = task {name = "offset", offset = 3, vocab = 16}
    local model = transformer({vocab = 16, length = LENGTH, layers = 2, heads = 4, d = 32, hidden = 64, position = position_of(f.code)}, f.seed)
    for _ in trainer {model = model, data = data, steps = 700, batch = 16, rate = 3e-3, warmup = 70, seed = f.seed} do end
    -- the mean loss of the targets at the places from `first` on
    local function loss(length, first)
      local sum, n = 0, 0
      for k = 1, 4 do
        local batch = data.batch(rng(900000 + 1000 * f.seed + k), 16, length)
        local losses = model:losses(batch)
        local place = (batch.rows - 1) - length * floor((batch.rows - 1) / length)
        local counts = astype(ge(place, first), "f64")
        sum, n = sum + (losses * counts):sum(), n + counts:sum()
      end
      return sum / n
    end
    return {within = loss(LENGTH, 0), at48 = loss(48, LENGTH), at64 = loss(64, LENGTH), at128 = loss(128, LENGTH)}
  end,
  findings = function(R)
    local function beyond(code) return statistics.decide(R:difference("at64", {code = code}, "within", {code = code}), 1, LEVEL) end
    local function said(en, zh)
      return {
        above = {en = en .. ": fails beyond its length, by more than 1 nat", zh = zh .. "：超出训练长度就失效，损失多出 1 奈特以上"},
        below = {en = en .. ": not so at this size, it goes on beyond its length within 1 nat", zh = zh .. "：在这个规模上并非如此，超出训练长度后损失多出不到 1 奈特"},
        around = {en = en .. ": undecided at this size", zh = zh .. "：在这个规模上分不出"},
      }
    end
    local out = {}
    for k, c in ipairs {{"sinusoidal", "sinusoids", "正弦编码"}, {"rope", "rotations", "旋转编码"}, {"t5", "the control, T5's bias", "对照（T5 偏置）"}} do
      local finding = beyond(c[1])
      out[k] = {words = said(c[2], c[3])[finding.side], finding = finding}
    end
    return out
  end,
  pictures = function(R)
    local lines = {}
    for c, code in ipairs(CODES) do
      lines[c] = {}
      for k, m in ipairs {"within", "at48", "at64", "at128"} do lines[c][k] = statistics.mean(R:values(m, {code = code})) end
    end
    return {{title = "Loss on targets beyond place 32, trained at 32", figure = plot({32, 48, 64, 128}, lines, {labels = CODES, style = "both", xlabel = "length", ylabel = "nats"})}}
  end,
}
