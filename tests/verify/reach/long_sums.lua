-- As long.lua: sums, residues, integrals with a parameter.

-- ## residues, long
holds(m // 3 + (m + 1) // 3 + (m + 2) // 3, m)
holds(floor(2*x), floor(x) + floor(x + rat(1, 2)))
fails(floor(2*x), floor(x) + floor(x + rat(1, 3)))
holds(floor(3*x), floor(x) + floor(x + rat(1, 3)) + floor(x + rat(2, 3)))
fails(floor(3*x), floor(x) + floor(x + rat(1, 3)) + floor(x + rat(1, 2)))
holds(floor(x/2) + floor((x + 1)/2), floor(x))
holds(floor(x) + floor(x + rat(1, 2)) + floor(y), floor(2*x) + floor(y))

-- ## parameters, long
sure(certify(eq(integral(exp(-p*t), t, 0, 1), (1 - exp(-p))/p), {p = {1, 2}}, {radius = rat("1e-9")}))
sure(certify(eq(integral(cos(x*t), t, 0, 1), sin(x)/x), {x = {1, 4}}, {radius = rat("1e-9")}))
sure(certify(eq(integral(t^x, t, 0, 1), 1/(x + 1)), {x = {1, 2}}, {radius = rat("1e-3")}))
sure(certify(eq(integral(log(t + x), t, 0, 1), (x + 1)*log(x + 1) - x*log(x) - 1), {x = {1, 2}}, {radius = rat("1e-9")}))
sure(certify(gt(integral(abs(t - x), t, 0, 1), rat(24, 100)), {x = {0, 1}}))
sure(certify(eq(integral(exp(-p*t), t, 0, math.huge), 1/p), {p = {1, 2}}, {radius = rat("1e-9")}))
sure(certify(eq(integral(t*exp(-p*t), t, 0, math.huge), 1/p^2), {p = {1, 2}}, {radius = rat("1e-6")}))
sure(certify(eq(integral(1/(p^2 + t^2), t, 0, math.huge), Pi/(2*p)), {p = {1, 2}}, {radius = rat("1e-4")}))
sure(certify(eq(integral(exp(-t^2/(2*p^2)), t, -math.huge, math.huge), p*sqrt(2*Pi)), {p = {1, 2}}, {radius = rat("1e-3")}))
sure(certify(eq(integral(exp(p*t), t, -math.huge, 0), 1/p), {p = {1, 2}}, {radius = rat("1e-6")}))
sure(certify(eq(integral(1/t^x, t, 1, math.huge), 1/(x - 1)), {x = {2, 3}}, {radius = rat(1, 100)}))
sure(certify(ge(integral(integral(exp(-p*t*u), t, 0, 1), u, 0, 1), rat(1, 2)), {p = {1, 2}}))

-- ## limits of sums, long
holds(le(sum(1/i^2, i, 1, N), 2))
holds(lt(sum(1/i^2, i, 1, N), 2))
holds(le(sum(1/i^2, i, 1, N), rat(7, 4)))
holds(le(sum(1/i^2, i, 1, N), rat(5, 3)))
fails(le(sum(1/i^2, i, 1, N), rat(8, 5)))
holds(le(sum(1/i^3, i, 1, N), rat(3, 2)))
holds(le(sum(1/i^3, i, 1, N), rat(5, 4)))
fails(le(sum(1/i^3, i, 1, N), rat(6, 5)))
holds(le(sum(1/(i*(i + 1)), i, 1, N), 1))
holds(le(sum(1/(i^2 + 1), i, 1, N), rat(3, 2)))
holds(le(sum(1/(2*i + 1)^2, i, 1, N), rat(1, 4)))
holds(le(sum(1/(i + 1)^2, i, 1, N), 1))
fails(le(sum(1/(i + 1)^2, i, 1, N), rat(3, 5)))
holds(lt(sum(1/2^i, i, 1, N), 1))
holds(le(sum(1/3^i, i, 1, N), rat(1, 2)))
holds(lt(sum(i/2^i, i, 1, N), 2))
holds(le(sum(1/(i*2^i), i, 1, N), 1))
holds(le(sum(p^i, i, 0, N), 1/(1 - p)), {where = lt(p, 1)})

-- ## growth of sums, long
holds(ge(sum(1/i, i, N + 1, 2*N), rat(1, 2)))
holds(le(sum(1/i, i, N + 1, 2*N), 1))

-- ## touching at an end, long
holds(gt(atan(x), x - x^3/3), {where = gt(x, 0)})
