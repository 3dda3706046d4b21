-- Statements of the other files that take long, or of which a certificate takes long, so that those are quick: each change of the prover is put to them.

-- ## encodings, long
holds(abs(sum(exp(I*m*θ[i]), i, 1, h))^2, sum(sum(cos(m*(θ[i] - θ[j])), j, 1, h), i, 1, h))

-- ## inverse on intervals, long
fails(2*atan(x), asin(2*x/(1 + x^2)), {where = {ge(x, -1), le(x, 2)}})
holds(le(abs(atan(x)), abs(x)))

-- ## logs and exponentials, long
holds(ge(p*log(p) - p*log(q), p - q))

-- ## moments and circles, long
sure(certify(eq(exp(I*x), cos(x) + I*sin(x)), {x = {0, 1}}, {radius = rat("1e-9")}))

-- ## known functions, long
holds(floor(x) + floor(x + rat(1, 2)), floor(2*x))
fails(floor(x) + floor(x + rat(1, 3)), floor(2*x))
holds(atan2(p*y, p*x), atan2(y, x))
holds(atan2(y, x), atan(y/x) + Pi, {where = {lt(x, 0), ge(y, 0)}})
holds(atan2(y, x), atan(y/x) - Pi, {where = {lt(x, 0), lt(y, 0)}})

-- ## certificates, long
value(integral(cos(x)/(1 + x^2), x, 0, inf), Pi*exp(rat(-1))/2)
value(integral(sin(x)^2/x^2, x, 0, inf), Pi/2)
value(integral((1 - cos(x))/x^2, x, 0, inf), Pi/2)
sure(certify(le(sin(x)/x, 1), {x = {-3, 3}}))
unsure(certify(gt(1 - sin(x), 0), {x = {0, 3}}))
sure(certify(ge((x + y)/2, sqrt(x*y)), {x = {0, 1}, y = {0, 1}}))
sure(certify(ge((x + y + t)/3, (x*y*t)^rat(1, 3)), {x = {rat(1, 10), 1}, y = {rat(1, 10), 1}, t = {rat(1, 10), 1}}))
sure(certify(ge(x^2 + y^2, 2*x*y), {x = {-2, 2}, y = {-2, 2}}))

-- ## weights, long
holds(tan(a) + tan(b) + tan(c), tan(a)*tan(b)*tan(c), {where = eq(a + b + c, Pi)})

-- ## more angles, long
holds(2*atan(x), asin(2*x/(1 + x^2)), {where = {ge(x, -1), le(x, 1)}})
holds(2*atan(x), atan(2*x/(1 - x^2)), {where = {gt(x, -1), lt(x, 1)}})

-- ## inequalities, long
holds(le(abs(a*x + b*y), sqrt(a^2 + b^2)*sqrt(x^2 + y^2)))
holds(le(abs(a*x + b*y + c*t), sqrt(a^2 + b^2 + c^2)*sqrt(x^2 + y^2 + t^2)))
holds(le(abs(sum(x[i]*y[i], i, 1, N)), sqrt(sum(x[i]^2, i, 1, N))*sqrt(sum(y[i]^2, i, 1, N))))
holds(le(sum(x[i]*y[i], i, 1, N), sqrt(sum(x[i]^2, i, 1, N)*sum(y[i]^2, i, 1, N))))
holds(le(abs(sum(x[i], i, 1, N)), sqrt(N)*sqrt(sum(x[i]^2, i, 1, N))))
holds(le(norm({a + x, b + y}), norm({a, b}) + norm({x, y})))
holds(lt(sin(x), x), {where = {gt(x, 0), lt(x, Pi/2)}})
holds(lt(x*cos(x), sin(x)), {where = {gt(x, 0), lt(x, Pi)}})
holds(le(abs(sin(N*x)), N*abs(sin(x))))
holds(le(abs(sin(N*x)/sin(x)), N))
holds(le(abs(sin((N + 1)*x)), (N + 1)*abs(sin(x))))
holds(le(sin(N*x)^2, N^2*sin(x)^2))
holds(le(abs(sin(x + y)), abs(sin(x)) + abs(sin(y))))
holds(le(exp(x), 1/(1 - x)), {where = lt(x, 1)})
holds(le(exp(t*a + (1 - t)*b), t*exp(a) + (1 - t)*exp(b)), {where = {ge(t, 0), le(t, 1)}})
holds(le(exp(p*a + q*b), p*exp(a) + q*exp(b)), {where = eq(p + q, 1)})
holds(le(exp(sum(x[i], i, 1, N)/N), sum(exp(x[i]), i, 1, N)/N))
holds(ge(log(t*p + (1 - t)*q), t*log(p) + (1 - t)*log(q)), {where = {ge(t, 0), le(t, 1)}})
holds(le(log(exp(a) + exp(b) + exp(c)), maximum(maximum(a, b), c) + log(rat(3))))
holds(ge(log(sum(exp(x[i]), i, 1, N)), sum(x[i], i, 1, N)/N))
holds(gt(3^N, 2^N))
holds(ge((1 + 1/N)^N, 2))
holds(le((1 + x)^N, exp(N*x)), {where = ge(x, -1)})
holds(le(abs(round(x) - x), rat(1, 2)))
holds(le(floor(x)^2, x^2), {where = ge(x, 0)})
holds(le(abs((x + y)/(1 + x*y)), 1), {where = {lt(abs(x), 1), lt(abs(y), 1)}})
holds(le(sqrt(x^2 + y^2), x + y), {where = {ge(x, 0), ge(y, 0)}})
holds(le(log(exp(a) + exp(b)), log(rat(2)) + maximum(a, b)))
holds(gt(sin(x), 2*x/Pi), {where = {gt(x, 0), lt(x, Pi/2)}})
holds(ge(sin(x), 2*x/Pi), {where = {ge(x, 0), le(x, Pi/2)}})
