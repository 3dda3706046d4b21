-- su/embedding-covariance: the tables of a small model like BERT (words, 15 % masked): is the covariance of its columns clearly larger on the diagonal, and are words
-- longer than positions? The figure is the source's in words: root mean square of the covariances off the diagonal, as a part of the mean on it; of independent columns it is
-- near 1/sqrt(n-1), so that floor is taken off. Control: the same tables before training, whose columns are independent.
local L, WORDS, D = 64, 1000, 48
local LEVEL = statistics.family(0.99, 3)
local prose = beside "prose.txt"

local function off_diagonal(X)
  local n, d = X.shape[1], X.shape[2]
  X = astype(X, "f64")
  local Y = X - mean(X, 1)
  local C = matmul(transpose(Y), Y) / (n - 1)
  local on = diag(C)
  local r = sqrt(max(array {0, (sum(C * C) - sum(on * on)) / (d * (d - 1))})) / mean(on)
  return sqrt(max(array {0, r * r - 1 / (n - 1)}))
end
local function length(X) return mean(sqrt(sum(X * X, 2))) end

return {
  title = {en = "Is the covariance of trained embeddings nearly diagonal, and are words longer than positions?",
           zh = "训练出来的嵌入，协方差是否接近对角？词向量是否比位置向量长？"},
  claim = "su/embedding-covariance",
  factors = {{"seed", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
  measures = {"words", "places", "ratio", "words_before", "places_before", "ratio_before", "loss"},
  rule = "Ten models, 1000 words of prose and a learned table of 64 places, both drawn with standard deviation 0.02 as in BERT, 800 steps. words and places are the root mean square "
    .. "covariance off the diagonal as a part of the mean on it, less the floor of that sample in square; ratio is a word's mean length by a place's. \"Clearly larger\" is read as ten "
    .. "times: the claim is so for words (for places) when the t interval of that figure lies below 1/10, not so at this size when it lies above. Words are longer when the interval of "
    .. "ln ratio lies above 0. The three intervals hold together at 99 % (Bonferroni).",
  run = function(f)
    local data = text {text = prose, unit = "words", most = WORDS, hold = 0.1, mask = 0.15}
    local model = transformer({vocab = data.vocab, length = L, layers = 2, heads = 4, d = D, hidden = 96, head = "masked", size = 0.02,
                               position = {name = "learned", std = 0.02}}, f.seed)
    local function look(when, out)
      local W, P = model.P.tokens, model.P.position[1][1]
      out["words" .. when], out["places" .. when], out["ratio" .. when] = off_diagonal(W), off_diagonal(P), length(W) / length(P)
      return out
    end
    local out = look("_before", {})
    local run = trainer {model = model, data = data, steps = 800, batch = 16, rate = 2e-3, warmup = 80, seed = f.seed}
    for _ in run do end
    out.loss = model:loss(data.held.batch(rng(940000), 64, L))
    return look("", out)
  end,
  findings = function(R)
    local words, places = statistics.decide(R:values "words", 0.1, LEVEL), statistics.decide(R:values "places", 0.1, LEVEL)
    local ratios = R:values "ratio"
    for k = 1, #ratios do ratios[k] = log(ratios[k]) end
    local ratio = statistics.decide(ratios, 0, LEVEL)
    local function said(en, zh, finding)
      return {finding = finding, words = ({
        below = {en = en .. ": covariance ten times larger on the diagonal than off it", zh = zh .. "：对角线上的协方差是其余的十倍以上"},
        above = {en = en .. ": not so at this size, the covariance off the diagonal is more than a tenth of that on it",
                 zh = zh .. "：在这个规模上并非如此，对角线外的协方差超过对角线上的十分之一"},
        around = {en = en .. ": undecided at this size whether a tenth", zh = zh .. "：在这个规模上分不出是否达到十分之一"},
      })[finding.side]}
    end
    return {said("words", "词向量", words), said("places", "位置向量", places), {finding = ratio, words = ({
      above = {en = "words are longer than places", zh = "词向量比位置向量长"},
      below = {en = "not so at this size: places are longer than words", zh = "在这个规模上并非如此：位置向量比词向量长"},
      around = {en = "no difference in length shown at this size", zh = "在这个规模上看不出长短之别"},
    })[ratio.side]}}
  end,
}
