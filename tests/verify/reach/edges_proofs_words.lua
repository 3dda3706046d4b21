-- What verdicts say at the edges of each sort: every field, in both languages. Prints what reach_edges_proofs_words.told keeps.
local x, y, t = sym "x", sym "y", sym "t"
local p, q = sym("p", "positive"), sym("q", "positive")
local n, m, j, k = sym("n", "integer"), sym("m", "integer"), sym("j", "integer"), sym("k", "integer")
local N, z = sym("N", "natural"), sym("z", "complex")

local fields = {"statement", "conditions", "witness", "method", "why", "reason", "kind", "value", "bound", "unit", "size", "seed"}
local function show(title, v)
    print("## " .. title)
    print("    " .. v:text "en")
    print("    " .. v:text "zh")
    for _, name in ipairs(fields) do
        local f = v[name]
        if f ~= nil and f ~= 0 then print("    " .. name .. ": " .. tostring(f)) end
    end
    if v.caption then print("    caption: " .. v.caption.en .. ", " .. v.caption.zh) end
    local p = v.point
    if p then
        local parts = {}
        for i, at in ipairs(p) do parts[i] = at.name .. " = " .. at.value end
        print("    point: " .. table.concat(parts, ", ") .. " | " .. tostring(p.left) .. " | " .. tostring(p.right))
    end
    for i, s in ipairs(v.requires) do print("    requires: " .. tostring(s)) end
    print("    json: " .. v:json())
    print("    latex: " .. v:latex())
end

-- one term and several, conditions of each kind, an index's
show("one term", prove(x + x, 2*x))
show("two terms", prove(sin(x)^2 + cos(x)^2, 1))
show("kinds", prove(x*p*n*N*z, z*N*n*p*x))
show("two of a kind", prove(x*y*t, t*y*x))
show("a condition", prove(x/x, 1))
show("an index", prove(sum(x/(j + y), j, 1, n), x*sum(1/(j + y), j, 1, n)))
show("assumed", prove(ge(x*y, 0), {where = {ge(x, 0), ge(y, 0)}}))
show("assumed and found", prove(x*y/y, x, {where = gt(x, 0)}))
show("assumed is enough", prove(x/y*y, x, {where = gt(y, 0)}))
show("no point met", prove(gt(x^2 + 1, 0), {where = {eq(exp(x) + x, 3), gt(x, 0)}}))
show("many symbols", prove(x + sum(y[j], j, 1, 12), sum(y[j], j, 1, 12) + x))
show("members", prove(x[n] + x[2], x[2] + x[n]))
show("by the general summand", prove(sum(2*x[j], j, 1, n), 2*sum(x[j], j, 1, n)))
show("by induction", prove(sum(j, j, 1, N), N*(N + 1)/2))
show("with roots", prove(sqrt(rat(2))*sqrt(rat(3)), sqrt(rat(6))))
show("with roots and angles", prove(sin(x + Pi/4), (sin(x) + cos(x))/sqrt(rat(2))))
show("with a caption", prove(x + x, 2*x, {caption = {en = "twice", zh = "两倍"}}))
-- refuted
show("a witness", prove(x, 2*x - y))
show("a witness beyond digits", prove(x, x + rat(1, 10)^30))
show("a complex witness", prove(z, -z))
show("no symbol", prove(lt(rat(3), 2)))
show("a witness under a condition", prove(ge(x, 4), {where = ge(x, 3)}))
show("a witness that equations give", prove(x, 3, {where = eq(x^2, 9)}))
-- unknown, each kind of reason
show("contradictory", prove(x, 3, {where = {eq(x, 3), eq(x, 4)}}))
show("no point", prove(x, 3, {where = gt(x, x + 1)}))
show("no order", prove(gt(z, 0)))
show("undefined", prove(x/(x - x), 1))
show("undefined at every point", prove(gt(sqrt(-1 - x^2), 0)))
show("no argument", prove(gt(2 + sin(x) + cos(x*rat(10001, 10000)), 0)))
show("an exponent", prove(p^x*p^y, p^(x + y + rat(1, 10)^40)))
show("sums", prove(sum(sum(sum(sum(sum(x[j], j, 1, k), k, 1, n), n, 1, m), m, 1, N), N, 1, q), x))
show("no counterexample", counterexample(x + x, 2*x))
show("no counterexample of seven", counterexample(x + x, 2*x, {tries = 7}))
show("a counterexample", counterexample(sqrt(x^2), x))
-- and their particulars, in both languages
local function line(title, v) print("## " .. title .. "\n    " .. v:text "en" .. "\n    " .. v:text "zh") end
local many, few = 0*x, 0*x
for i = 1, 40 do
    many = many + x[i]^2
    if i < 40 then few = few + x[i]^2 end
end
line("40 names", prove(few*2, few + few))
line("41 names", prove(many*2, many + many))
line("an order of roots of unity", prove(cos(100001*x) + cos(x)*0, cos(-100001*x) + sin(Pi/rat(9001))*0))
line("a function", prove(Ci(x), Ci(-x)))
line("an empty sum", prove(sum(j, j, 5, 1), 0))
line("a bound", prove(sum(j, j, 1, N/2 - N/2 + rat(1, 2)), 0))
line("bounds", prove(sum(j, j, 3, N - N), 0))
line("0^0", prove((x - x)^0, 1))
line("log(0)", prove(log(x - x), 1))
line("another branch", prove(log(x)*2, log(x^2)))
line("powers of what may be negative", prove(x^y*x^(-y), 1))
line("not smooth", monotone(abs(x), x, -1, 1))
line("roots found and open", roots(x^2*(x - 1), x, -2, 2).verdict)

-- inductions
local a, w = sym "a", sym "w"
show("induction", induct(eq(a[n], n*x), n, 0, {eq(a[n + 1], a[n] + x), eq(a[0], 0)}))
show("induction, earlier start", induct(eq(a[n], n*x), n, 2, {eq(a[n + 1], a[n] + x), eq(a[0], 0)}))
show("induction with a condition", induct(eq(a[n], y/(x - 1)), n, -1, {eq(a[n + 1], a[n]), eq(a[-1], y/(x - 1))}))
show("induction refuted", induct(eq(a[n], n*x), n, 0, {eq(a[n + 1], a[n] + x), eq(a[0], 1)}))
show("induction without a base", induct(eq(a[n], n), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[1], 1)}))
show("induction without a step", induct(eq(a[n], n), n, 0, {eq(a[n + 1], abs(a[n]) + 1), eq(a[0], 0)}))
show("induction at a pole", induct(eq(a[n], 1/(n - 1)), n, 2, {eq(a[n + 1], a[n]/(1 + a[n])), eq(a[2], 1)}))
show("induction, a condition open", induct(eq(a[n], 1/(2*n - 1)), n, 0, {eq(a[n + 1], a[n]/(1 + 2*a[n])), eq(a[0], -1)}))
show("induction from what contradicts itself", induct(eq(a[n], n), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[0], 0), eq(a[7], 8)}))
-- symmetry
show("symmetric", symmetric(x*y + y*t + t*x, {x, y, t}))
show("not symmetric", symmetric(x + 2*y, {x, y}))
-- certificates
show("on a box", certify(le(x*(1 - x), rat(1, 4) + y), {x = {0, 1}, y = {rat(1, 100), 2}}))
show("at a point", certify(lt(x, 3), {x = 2}))
show("over integers", certify(ge(n^2 + 1, 2*n), {n = {2, 5}}))
show("within a radius", certify(eq(sin(x), x), {x = {0, rat(1, 10)}}, {radius = rat(1, 1000)}))
show("beyond a radius", certify(eq(sin(x), x), {x = {0, 1}}, {radius = rat(1, 1000)}))
show("false on a box", certify(lt(x, 2), {x = {0, 3}}))
show("roots", roots(x^2 - 2, x, -2, 2).verdict)
show("one root", roots(x^3 - 2, x, -2, 2).verdict)
show("no root", roots(x^2 + 1, x, -2, 2).verdict)
show("roots open", roots(x^2, x, -2, 2).verdict)
show("to digits", enclose(sqrt(rat(2)), {digits = 20}).verdict)
show("an integral", integral(x^2, x, 0, 1, {digits = 12}).verdict)
show("bounds", bounds(x^2, {x = {0, 1}}).verdict)
show("undecided on a box", certify(le(sin(1/x), 1 - rat(1, 10)^30), {x = {rat(1, 1000), 1}}, {boxes = 100}))
show("not real on a box", certify(ge(log(x), -100), {x = {-2, -1}}))
show("a table", certify_table(n/3, {{n, 0, 2}}, range(0, 2)/3))
show("an exact table", certify_table(n, {{n, 0, 2}}, range(0, 2)))
show("a table, one entry wrong", certify_table(n/3, {{n, 0, 2}}, array{0, 0.5, 2/3}))
show("a table, two entries wrong", certify_table(n/3, {{n, 0, 2}}, range(0, 2)/3.001))
show("a table, not real", certify_table(log(n), {{n, 0, 2}}, array{0, 0.5, 2/3}))
show("monotone", monotone(x^3 + x, x, 0, 1))
show("not monotone", monotone(x^2, x, -1, 1))
-- measurements
show("measured", measure{value = {1, -2}, bound = 2, why = "two"})
show("beyond the bound", measure{value = {1, 3}, bound = 2, why = "two"})
show("beyond by a hair", measure{value = {1, 2 + 2^-50}, bound = 2, why = "two"})
show("at the bound", measure{value = {{0, 1}, {2, 0.5}}, bound = 2, why = "two"})
show("no number", measure{value = {1, 0/0}, bound = 2, why = "two"})
show("not finite", measure{value = {1, -1/0}, bound = 2, why = "two"})
show("uneven bounds", measure{value = {1, 3}, bound = {2, 4}, why = "each its own"})
show("beyond one of them", measure{value = {1, 5}, bound = {2, 4}, why = "each its own"})
show("no sample", measure{value = {}, bound = 0, why = "exact"})
show("drawn", measure{f = function(g) return 0.25 end, bound = 0.5, why = "a quarter", samples = 7, seed = 3})
show("drawn once", measure{f = function(g) return 0.25 end, bound = 0.5, why = "a quarter", samples = 1})
show("drawn, beyond", measure{f = function(g) return 0.75 end, bound = 0.5, why = "a quarter", samples = 3})
show("in words", measure{value = 0, bound = 0, why = "exact", claim = {en = "x is 0 & y < 1_2", zh = "x 为 0"}})
-- what becomes of the changes of a statement
local function changes(title, r)
    local names = {}
    for name, v in pairs(r) do
        if math.type(v) == "integer" or type(v) == "string" then names[#names + 1] = name .. " = " .. v end
    end
    table.sort(names)
    print("## changes of " .. title .. "\n    " .. table.concat(names, ", "))
end
changes("an equation", mutants(sin(x)^2 + cos(x)^2, 1))
changes("an equation with sums", mutants(sum(j, j, 1, n), n*(n + 1)/2))
changes("an order", mutants(ge(x^2 + y^2, 2*x*y)))
changes("a strict order", mutants(lt(x, x + 1)))
changes("what is not equal", mutants(ne(x^2 + 1, 0)))
changes("what is not equal, as a verdict", mutants(prove(ne(x^2 + 1, 0))))
changes("what is false", mutants(sin(x), cos(x)))
changes("an equation under a condition", mutants(sqrt(x^2), x, {where = ge(x, 0)}))
changes("a quotient", mutants(x/x, 1))
changes("a verdict", mutants(prove(sin(x + y), sin(x)*cos(y) + cos(x)*sin(y))))
changes("an induction", mutants(induct(eq(a[n], n*x), n, 0, {eq(a[n + 1], a[n] + x), eq(a[0], 0)})))
changes("a symmetry", mutants(symmetric(x*y + t, {x, y})))
changes("a sum that may have a pole", mutants(sum(1/(j*(j + 1)), j, 1, N), N/(N + 1)))
changes("an order with a root", mutants(le(sqrt(p*q), (p + q)/2)))
changes("an order with an exponential", mutants(ge(exp(x), 1 + x)))
changes("an order with a floor", mutants(le(floor(x), x)))
changes("a vector", mutants(prove(symmatrix("a", 2)*2, symmatrix("a", 2) + symmatrix("a", 2))))
changes("a matrix", mutants(prove(symmatrix("a", 2, 2).T*2, (symmatrix("a", 2, 2) + symmatrix("a", 2, 2)).T)))
local left, right = 0*x, 0*x
for i = 1, 20 do left, right = left + x[i]*y[i], right + y[i]*x[i] end
changes("more than 300", mutants(prove(left, right)))
changes("more than 300, most of them on the left", mutants(prove(3*left - 2*right, left)))
changes("two statements", mutants(induct({eq(a[n], n), eq(w[n], n^2)}, n, 0, {eq(a[n + 1], a[n] + 1), eq(w[n + 1], w[n] + 2*a[n] + 1), eq(a[0], 0), eq(w[0], 0)})))

-- what is refused, and why
local function refuses(title, f, ...)
    local ok, why = pcall(f, ...)
    print("## refused: " .. title .. "\n    " .. (ok and "taken: " .. tostring(why) or tostring(why):gsub("^[^:]*:%d+: ", "")))
end
refuses("a third moment", expectation, x^3, {x})
refuses("a fourth moment", variance, x^2, {x})
refuses("a second moment of a positive symbol", expectation, p, {p})
refuses("of a complex one", expectation, z, {z})
refuses("of a natural one", expectation, N, {N})
refuses("of an integer", expectation, n^2, {n})
refuses("no polynomial", expectation, sin(x), {x})
refuses("a function of others", expectation, sin(y)*x^2, {x})
refuses("a quotient", expectation, 1/x, {x})
refuses("a negative power", expectation, x^-2, {x})
refuses("members that may be one", expectation, x[n]*x[m], {x})
refuses("members that are apart", expectation, x[n]*x[n + 1], {x})
refuses("members of a family of no chance", expectation, y[n]*y[m]*x^2, {x})
refuses("a product with a sum", expectation, x*sum(x[j], j, 1, n), {x})
refuses("a product of sums", expectation, sum(x[j], j, 1, n)*sum(y[j], j, 1, n), {x, y})
refuses("a quotient by a sum", expectation, 1/sum(x[j], j, 1, n), {x})
refuses("summands that depend on each other", variance, sum(x[j]*x[j + 1], j, 1, n), {x})
refuses("sums that are added", variance, sum(x[j], j, 1, n) + sum(y[j], j, 1, n), {x, y})
refuses("a random bound", expectation, sum(y[j], j, 1, n), {n})
refuses("nine earlier members", induct, eq(a[n], n), n, 0, {eq(a[n + 9], a[n] + 9), eq(a[0], 0)})
refuses("no step", induct, eq(a[n], n), n, 0, {eq(a[0], 0)})
refuses("a step back", induct, eq(a[n], n), n, 0, {eq(a[n - 1], a[n] - 1), eq(a[0], 0)})
refuses("a step of none", induct, eq(a[n], n), n, 0, {eq(a[n], a[n - 1] + 1), eq(a[0], 0)})
refuses("a step of another symbol", induct, eq(a[n], n), n, 0, {eq(a[n + k], a[n] + k), eq(a[0], 0)})
refuses("two starts", induct, eq(a[n], n), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[0], 0), eq(a[0], 1)})
refuses("two steps", induct, eq(a[n], n), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[n + 1], 1 + a[n]), eq(a[0], 0)})
refuses("a statement of another member", induct, eq(a[n + 1], n + 1), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[0], 0)})
refuses("an order", induct, ge(a[n], n), n, 0, {eq(a[n + 1], a[n] + 1), eq(a[0], 0)})
refuses("given an order", induct, eq(a[n], n), n, 0, {ge(a[n + 1], a[n] + 1), eq(a[0], 0)})
refuses("over a real symbol", induct, eq(a[x], x), x, 0, {eq(a[x + 1], a[x] + 1), eq(a[0], 0)})
refuses("a natural symbol from 0", induct, eq(a[N], N), N, 0, {eq(a[N + 1], a[N] + 1), eq(a[0], 0)})
refuses("a pole at the base", induct, eq(a[n], 1/(n - 1)), n, 1, {eq(a[n + 1], a[n]/(1 + a[n])), eq(a[2], 1)})
refuses("one symbol twice", symmetric, x + y, {x, y, x})
refuses("what is no symbol", symmetric, x + y, {x, y + 1})
refuses("a formula", prove, x)
refuses("one name of two kinds", prove, x, sym("x", "integer"))
refuses("a certificate of what is refuted", function() return prove(x, y):coq() end)
refuses("a certificate of words", function() return measure{value = 0, bound = 0, why = "exact"}:coq() end)
refuses("a certificate of boxes", function() return certify(lt(x, 3), {x = 2}):coq() end)
refuses("changes of what is refuted", function() return mutants(prove(x, y)) end)
refuses("a power beyond 1000", function() return prove(x^1001 + x, x + x^1001):coq() end)
refuses("a power of 1000", function() return #prove(x^1000 + x, x + x^1000):coq() > 0 end)
refuses("the 13th power of a complex number", function() return prove(z^13 + 1, 1 + z^13):coq() end)
refuses("an angle 513 times", function() return prove(cos(513*x)*cos(x) + sin(513*x)*sin(x), cos(512*x)):coq() end)
local function lemma(v) return v:coq():match "Lemma (statement.-)Proof":gsub("%s+", " ") end
refuses("a Greek name", function() local u = sym "φ" return (lemma(prove(u + u, 2*u))) end)
refuses("kinds", function() return (lemma(prove(x*p*n*N*t[n]*q[n]*k[n], q[n]*x*p*n*N*t[n]*k[n]))) end)
refuses("conditions", function() return (lemma(prove(y/x*x, y, {where = {ge(y, 0), lt(x, 2), ne(t, 1)}}))) end)
refuses("numbers", function() return (lemma(prove(x*rat(-3, 4) + (-2) - x^-2 + x^3, x^3 - 2 - x*rat(3, 4) - 1/x^2))) end)
refuses("names of Coq", function() local u, v = sym "sin", sym "v_u" return (lemma(prove(u + v, v + u))) end)
refuses("a sum of sums", function() return prove(sum(sum(x[j], j, 1, k), k, 1, n), sum(sum(x[j] + 0, j, 1, k), k, 1, n)):coq() end)
