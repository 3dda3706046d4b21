-- Programs of test_bad_input.c, which it names by what stands behind the @.

-- @symbols
x, y, z, a = sym 'x y z a'; p = sym('p', 'positive'); n, k, i = sym('n k i', 'integer')
N = sym('N', 'natural'); w = sym('w', 'complex')
function fold(f, step, times) for j = 1, times do f = step(f, j) end return f end
function both(f) return prove(f, f).strength, prove(f, f + 1).strength end
function said(v) return (v.reason or v.strength):sub(1, 60) end
