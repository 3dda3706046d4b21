-- Programs of test_sinusoids.c, which it names by what stands behind the @.

-- @every_claim_is_settled
for _, r in ipairs(results) do for _, v in ipairs(r.verdicts) do
  assert(v.statement and v.method, v.statement)
  if v.holds and v.value then assert(v.value <= v.bound, v.statement) end
end end

-- @no_claim_passes_with_a_spoiled_formula
for _, id in ipairs {d, s, f, m, p, q} do
  local c = cell_of(id)
  assert(run_with(c, c.code).outcome == 'holds', id)
end

-- @no_measurement_passes_with_a_spoiled_formula
for _, id in ipairs {f, m, p, q} do
  local c = cell_of(id)
  assert(run_with(c, c.code).outcome == 'holds', id)
end
