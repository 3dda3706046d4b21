-- Programs of bench_lua.c, which it names by what stands behind the @.

-- @setup
x = linspace(0.001, 3, 1000000)
y = linspace(2, 1, 1000000)
u, v = array(x, {dtype="f32"}), array(y, {dtype="f32"})
A = array{{1, 2}, {3, 4}}
B = array{{0.5, 1}, {-1, 2}}
M = reshape(linspace(-1, 1, 1000000), 1000, 1000)
px = linspace(0, 20, 4096)
p1, p2 = sin(px), cos(7*px) + rand(rng(1), 4096)
count = 512
-- another N each time: an atlas that was made is kept
function whole_atlas() count = count + 1 return tostring(atlas{N=count}) end
