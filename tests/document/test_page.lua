-- Programs of test_page.c, which it names by what stands behind the @.

-- @formulas_become_mathml
for _, c in ipairs(require 'phasor.ledger'.claims) do
  local good, why = mathml.inline(c.formula)
  if not good then return c.id, why end
end
return 'all'
