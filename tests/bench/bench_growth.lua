-- Programs of bench_growth.c, which it names by what stands behind the @.

-- @proofs
-- The inner product of two codes depends on the distance alone, d = 8 … 512.
local t, k = sym "t k"
local function long(count, f) local s = f(1) for r = 2, count do s = s + f(r) end return s end
local d = 8
while d <= 512 do
  local w = symmatrix("w", d // 2)
  local s = eq(long(d // 2, function(r) return sin(w(r)*t)*sin(w(r)*(t+k)) + cos(w(r)*t)*cos(w(r)*(t+k)) end),
               long(d // 2, function(r) return cos(w(r)*k) end))
  for sample = 0, 3 do
    local began = now()
    local v = prove(s)
    local taken = now() - began
    assert(v.strength == "proved")
    if sample > 0 then told("grow_prove", d, taken) end
  end
  d = 2 * d
end

-- @atlas
-- Every row of the atlas; another N each time, as an atlas that was made is kept.
for sample = 1, 2 do
  for _, row in ipairs(atlas{N = 512 + sample}.rows) do
    local began = now()
    local _ = row.parameters
    told("grow_atlas", (row.name:gsub(" ", "_")), now() - began)
  end
end
