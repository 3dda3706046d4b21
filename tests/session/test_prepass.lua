-- Programs of test_prepass.c, which it names by what stands behind the @.

-- @lines_keep_their_numbers
local a
<const>
, β
function t
.θ
(x)
end
local
function f() end
