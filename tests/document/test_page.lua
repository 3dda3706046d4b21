-- Programs of test_page.c, which it names by what stands behind the @.

-- @formulas_become_mathml
for _, c in ipairs(require 'phasor.ledger'.claims) do
  local good, why = mathml.inline(c.formula)
  if not good then return c.id, why end
end
return 'all'

-- @sentences_type_formulas
-- What is marked is read by everyone who sets it, and nothing of a sentence is lost around it: cut at every byte, doubled, in brackets.
local mathml = require 'phasor.document.mathml'
local sentences = {"the integral of cos(100 t^2), by the law ≈ 0.0601", "u (W^Q W^K') = (u W^Q) W^K', |q||k| <= ||p_0 - p_x||^2",
  "{{1, 0}, {0, B12}} = a (2, 2) matrix", "e^{±iθ} 与 ∂²/∂p_1∂p_1，2^-53 以内", "Σ cos(mθ[i]) - min(x', 5·10^5)/3"}
for _, whole in ipairs(sentences) do
  for at = 1, #whole do
    if utf8.len(whole, 1, at) then
      local text = whole:sub(1, at)
      for _, t in ipairs {text, "(" .. text, text .. " " .. text} do
        local marked = typed.marked(t, true)
        for source in marked:gmatch("%$([^$]*)%$") do
          local good, why = mathml.inline(source)
          if not good then return t, source, why end
        end
        if #marked:gsub("%$[^$]*%$", "") > #t then return t, marked end
      end
    end
  end
end
return 'all'
