-- As guards.lua: what an argument must ask before it is used, of which no statement there knows.

-- ## orders among conditions
-- a sum wants n >= 0 and Ci n > 0: the stronger one is told, whichever stands first
proved(prove(eq(sum(j, j, 1, n)*Ci(n), Ci(n)*sum(j, j, 1, n))))
proved(prove(eq(Ci(n) + sum(j, j, 1, n), sum(j, j, 1, n) + Ci(n))))
proved(prove(eq(sum(j, j, 1, m - n) + Ci(m - n), Ci(m - n) + sum(j, j, 1, m - n))))
proved(prove(eq(sum(j, j, 1, n^2 - 3)*Ci(n^2 - 3), Ci(n^2 - 3)*sum(j, j, 1, n^2 - 3))))
proved(prove(eq(Ci(n + 1) + sum(j, j, 1, n), sum(j, j, 1, n) + Ci(n + 1))))
proved(prove(eq(Ci(n - 1) + sum(j, j, 1, n), sum(j, j, 1, n) + Ci(n - 1))))
-- that bounds are whole is told whatever is assumed of order
proved(prove(eq(sum(n, j, 1, n/2), n^2/2), {where = gt(n, 0)}))
proved(prove(ge(sum((j - 1)*(j - 2), j, 1, x), 0), {where = gt(x, 0)}))
proved(prove(eq(floor(x), x), {where = eq(x, 2*n)}))

-- ## strict beside weak conditions
holds(gt(exp(2*x) - exp(x) + 1, 0), {where = ge(exp(2*x) - exp(x) + 1, 0)})
holds(gt(p^(2*x) - p^x*y + y^2 + 1, 0), {where = ge(p^(2*x) - p^x*y + y^2 + 1, 0)})
holds(gt(sin(x)^2 - sin(x) + 1, 0), {where = ge(sin(x)^2 - sin(x) + 1, 0)})
fails(gt(exp(2*x) - 2*exp(x) + 1, 0), {where = ge(exp(2*x) - 2*exp(x) + 1, 0)})

-- ## conjugates of what is not read
-- of a power beyond 64 the base is read before it is refused
fails(ge(re(conj((x + I)^66)), x))
fails(ge(re(conj((x + I)^1000)), x))
fails(ge(im(conj((x + I*y)^71)), -y))
fails(ge(re(conj(sqrt(x))), x))
fails(ge(re(conj(sqrt(x + I))), x - 1))

-- ## exponents that conditions name
-- no induction over N goes through: the condition is another one at N + 1
holds(le(b^N, x), {where = {ge(b, 0), le(b, 1), le(b, x - N)}})
holds(le(b^N, x), {where = {ge(b, 0), le(b, 1), le(b + y*N, x), ge(y, 0)}})
holds(le(b^N, x + N), {where = {ge(b, 0), le(b, 1), le(b, x + N)}})
holds(le(b^N, x*N), {where = {ge(b, 0), le(b, 1), le(b, x*N)}})
holds(ge(b^N, x*N), {where = {ge(b, 1), ge(b, x*N)}})
holds(ge(b^N, x + N), {where = {ge(b, 1), ge(b, x + N)}})
holds(le(b^N, a[N]), {where = {ge(b, 0), le(b, 1), le(b, a[N])}})
holds(ge(b^N, a[N]), {where = {ge(b, 1), ge(b, a[N])}})
fails(lt(b^N, x + N), {where = {ge(b, 0), le(b, 1), le(b, x + N)}})
fails(le(b^N, x + N), {where = {ge(b, 0), le(b, 2), le(b, x + N)}})
fails(le(b^N, x), {where = {ge(b, -1), le(b, 1), le(b, x)}})
fails(ge(b^N, x), {where = {ge(b, 0), ge(b, x)}})
fails(ge(b^N, x), {where = {le(b, -1), ge(b, x)}})

-- ## one guard each
-- each is proved where one question of an argument is left out, and points are not looked at
fails(le(sum(abs(j - 3), j, 1, N), sum(j - 3, j, 1, N)), {where = gt(j, 3)})
fails(ge(cos(acos(x) + Pi/3), 0), {where = {ge(x, 0), le(x, 1)}})
fails(ge(sin(atan(x) + atan(y)), 0), {where = ge(y, 0)})
fails(ge(sin(atan(x) + 1), x/sqrt(1 + x^2)))
fails(le(im(atan(z)), 0))
fails(le(abs(asin(x)), Pi/2))
fails(ge(cosh(x - 5), 2), {where = {ge(x, 0), ge(x, 5)}})
fails(ge(atan(-1/x), 0), {where = ge(x, -1)})
fails(ge(tan(x), x), {where = ge(x, 0)})
fails(gt(exp(x) - 1 - x/2, 0), {where = ge(x, 0)})
fails(ge(sum(j - 3, j, 1, N), 0), {where = ge(j, 3)})
fails(ge(sum(j^2, j, 1, N) + sum(j - i, i, 1, N), 0))
fails(ge(sum(x^2, i, 1, N) - sum(x^2, i, 1, d), 0))
fails(gt(sum(a[i]^2 + 1, i, 1, n), 0), {where = ge(n, 0)})
fails(ge(sum(a[i]*b[i]^2, i, 1, N)*sum(a[i], i, 1, N), sum(a[i]*b[i], i, 1, N)^2))
fails(ge(sum(a[i]^2, i, 1, N)*N, sum(a[i], i, 1, N + 1)^2))
fails(ge((x^2 + 1)/(x - y), 0), {where = ge(x, 0)})
fails(gt(n^3 + m^2 + 10, 0))
fails(gt(m^2 + 10 - n^4, 0))
fails(ge(n^2 + m^2 - 1, 0))
fails(ge((-2)^N + 3, 0))
fails(ge(sum(a[i], i, 1, N), a[1]))
fails(le(abs(sin(x*y)), abs(x)*abs(sin(y))))
fails(le(sinh(x)^(-3), 100), {where = ge(x, -1)})
fails(gt(1 + 2*x - exp(x), 0), {where = {ge(x, 0), le(x, 1)}})
fails(ge(3 - 1/x^2, 0), {where = {ge(x, -1), le(x, 1)}})
fails(ge(n^3 + n, 0), {where = le(n, 5)})
fails(ge(sum(sin(j - 1), j, 1, N), 0), {where = ge(sin(N), 0)})
fails(ge(x/y, 0), {where = ge(x, 0)})
fails(ge(re(I*sqrt(x)), 0))
fails(le(im(log(x)), 0))
fails(ge(x*sqrt(1 + x^2), x))
fails(ge(2*atan(x) - atan(x - 1), 0))
fails(ge(sinh(x) - exp(x - 1), 0))
fails(ge(sign(x)^2*exp(x), exp(x)/2))
fails(le(abs(atan2(y, x)), Pi/2))
-- equal where y = 0 and x < 0, which no ball decides: open, and never to be proved
fails(lt(atan2(y, x), Pi))
fails(le(asin(x), x), {where = {ge(x, 0), le(x, 1)}})

-- ## floors that are multiplied
-- floor(n/2) repeats after 2, and 2*floor(n/2)/3 after 6, not after 3 as n/3 does; the factor 10^-400 hides from points what is false
holds(floor(2*floor(n/2)/4), floor(n/4))
holds(floor(2*floor(n/2)/3), floor(n/2) - floor((floor(n/2) + 2)/3))
holds(floor(3*floor(n/2)/2), floor(n/2) + floor(n/4))
fails(1 + rat(1, 10)^400*floor(2*floor(n/2)/3), 1 + rat(1, 10)^400*floor(n/3))
fails(1 + rat(1, 10)^400*floor(3*floor(n/3)/2), 1 + rat(1, 10)^400*floor(n/2))
fails(1 + rat(1, 10)^400*floor(2*floor((n + 1)/2)/3), 1 + rat(1, 10)^400*floor((n + 1)/3))
fails(1 + rat(1, 10)^400*floor(4*floor(n/2)/5 + rat(1, 5)), 1 + rat(1, 10)^400*floor((2*n + 1)/5))
fails(floor(2*floor(n/2)/3), floor(n/3))

-- ## what wants real numbers
-- floor, sign, Si and the orders of cases have no value of what is not real, atan none at I and -I, a family no member at what is not whole: where that is, is told
proved(prove(floor(sqrt(x)), floor(sqrt(x))))
proved(prove(floor(sqrt(x)), floor(sqrt(x)), {where = ge(x, 1)}))
proved(prove(floor(1 - 2*log(x)/3), floor(1 - 2*log(x)/3)))
proved(prove(sign(asin(x)), sign(asin(x))))
proved(prove(sign(acos(x)), sign(acos(x)), {where = {gt(x, -1), lt(x, 1)}}))
proved(prove(Si(x^rat(1, 3)), Si(x^rat(1, 3))))
proved(prove(floor(I*x) - floor(I*x), 0))
proved(prove(floor(z), floor(z)))
proved(prove(floor(z*conj(z)), floor(z*conj(z))))
proved(prove(floor(exp(z) + exp(conj(z))), floor(exp(conj(z)) + exp(z))))
proved(prove(piecewise(lt(sqrt(x), 1), 2, 2), 2))
proved(prove(sum(floor(sqrt(n - k)), k, 1, N), sum(floor(sqrt(n - k)), k, 1, N)))
proved(prove(atan(z), atan(z)))
proved(prove(atan(I*x) - atan(I*x), 0))
proved(prove(atan(2*x), atan(2*x)))
proved(prove(a[x], a[x]))
proved(prove(a[n/2] + 0, a[n/2]))
