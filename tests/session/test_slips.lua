-- Programs of test_slips.c, which it names by what stands behind the @.

-- @values_behind_statements
function f(y)
  local z = y; return z
end
f(3)
