-- Programs of test_evaluate.c, which it names by what stands behind the @.

-- @numbers_and_arrays
same = {}
function try(f, v)
  local one, many = evaluate(f, {x = v}), evaluate(f, {x = array{v, v}})
  local m = many(2)
  if tostring(one):gsub(' ', '') ~= tostring(m):gsub(' ', '') then
    same[#same + 1] = tostring(f) .. ' at ' .. v .. ': ' .. tostring(one) .. ' and ' .. tostring(m) end
end
for _, f in ipairs{x^0, 0^x, sqrt(x), log(x), x^rat(-1, 3), x^rat(3, 2), (-1)^x, asin(x), acos(x), atan(x*I),
    1/x, x/x, Ci(x), Si(x), abs(log(x)), floor(x), sign(x), maximum(sqrt(x), 1), lt(sqrt(x), 1), eq(x, 1),
    piecewise(lt(x, 0), sqrt(x), x), sum(x^i, i, 0, 2), exp(x*I), im(sqrt(x)), tanh(x)} do
  for _, v in ipairs{-2, -1, -0.75, 0, 0.5, 1, 2, 1e10, -1e10} do try(f, v) end
end
return table.concat(same, '\n')
