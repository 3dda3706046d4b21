-- The laws of positional encodings: what is asked of every one of them, and how it is decided, from its descriptor alone.
--
-- An encoding is seen through three things: its formula (exact), its function (f64), and the score of a query at m with a key
-- at n that follows from either:
--     additive vectors       P_m . P_n                     score bias      b(m, n)
--     rotation, factor       f(q, m) . f(k, n)             relative        the score it gives for q and k
-- A law is proved on the formula: by statements that the prover decides, of which it is no stronger than the weakest; or refuted by
-- numbers that the function shows and balls confirm on the formula. How a formula is built says which statements are worth a try.
-- A contextual encoding has a formula of p, the position that its keys count; what p depends on is seen in the function alone, which
-- is measured.
local subject_of, tried = require "phasor.atlas.subject", require "phasor.atlas.tried"
local relative, growth, vectors, places =
    require "phasor.atlas.relative", require "phasor.atlas.growth", require "phasor.atlas.vectors", require "phasor.atlas.places"

-- In the order in which they are asked. head: a word that stands above a column of the table and of the picture.
local laws = {
    {key = "relative", head = "relative", name = "relative", ask = relative.relative, what = "a score depends on q, k and m - n only"},
    {key = "even", head = "even", name = "even", ask = relative.even, what = "... on |m - n| only"},
    {key = "direction_aware", head = "direction", ask = relative.direction_aware,
        what = "keys before and after a query score differently"},
    {key = "bounded", head = "bounded", name = "bounded", ask = growth.bounded, what = "its numbers stay in one interval at every position"},
    {key = "decaying", head = "decaying", name = "decaying", ask = growth.decaying, what = "at equal content no score grows with |m - n|"},
    {key = "norm_keeping", head = "norms", name = "norm-keeping", ask = vectors.norm_keeping,
        what = "vectors keep their length, or all have one"},
    {key = "shift_linear", head = "shift", name = "shift-linear", ask = vectors.shift_linear,
        what = "a step of k is one linear map, wherever it starts"},
    {key = "toeplitz", head = "Toeplitz", ask = relative.toeplitz, what = "at equal content the diagonals of the scores are constant"},
    {key = "injective", head = "injective", ask = places.injective, what = "positions (in scores: distances back) below N are told apart"},
    {key = "extrapolates", head = "extrapolates", ask = places.extrapolates, what = "positions N to 2N-1 bring no new phase or value"},
    {key = "parameters", head = "learned", ask = places.parameters, what = "how many numbers are learned"},
}

-- Every law's verdict on a subject, by key; and the claims that it does not bear out.
local function judge(subject, N)
    local done, broken = {}, {}
    for _, law in ipairs(laws) do
        local v = law.ask(subject, done, N)
        done[law.key] = v
        if law.name and subject.claims[law.name] and not v.holds then broken[#broken + 1] = law.key end
    end
    tried.run(subject, done, laws)
    return done, broken
end

return {list = laws, subjects = subject_of.list, judge = judge, T = subject_of.T, d = subject_of.d, H = subject_of.H}
