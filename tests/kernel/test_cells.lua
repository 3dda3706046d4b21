-- Programs of test_cells.c, which it names by what stands behind the @.

-- @errors_say_where
local function f()
  error 'oh'
end
f()
