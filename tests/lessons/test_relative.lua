-- Programs of test_relative.c, which it names by what stands behind the @.

-- @then_forms
-- A form that is still relative, but not that of the function any more: the proof holds, the next step does not.
function then_forms(from, to)
  local proof, forms = cell_of('pe/relative-toeplitz'), cell_of('forms')
  local a, b = proof.code:find(from, 1, true)
  local spoiled = run_with(proof, proof.code:sub(1, a - 1) .. to .. proof.code:sub(b + 1))
  local met = run_with(forms, forms.code)
  run_with(proof, proof.code)
  return spoiled.outcome .. ', then ' .. met.outcome
end
