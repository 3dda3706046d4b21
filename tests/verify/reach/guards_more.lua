-- As guards.lua: what an argument must ask before it is used, of which no statement there knows.

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
