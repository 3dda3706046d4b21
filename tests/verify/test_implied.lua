-- Programs of test_implied.c, which it names by what stands behind the @.

-- @helper
-- poles(f, roots, x, lo, hi, …): proves f/f = 1 where lo <= x <= hi, and says what is wrong with the conditions that are told: "lost", where a
-- pole lies inside, "told", where none does. Nothing is wrong where nothing is proved.
k = sym('k', 'integer'); x, y = sym 'x y'
function told(v) return v.strength == 'proved' and v.conditions:find('!= 0', 1, true) ~= nil end
function poles(f, roots, s, lo, hi)
  local v, inside = prove(f/f, 1, {where = {ge(s, lo), le(s, hi)}}), false
  for _, r in ipairs(roots) do inside = inside or lo <= r and r <= hi end
  if v.strength == 'refuted' then return 'refuted' end
  if v.strength ~= 'proved' or told(v) == inside then return '' end
  return ('%s %d %d %s; '):format(f, lo, hi, inside and 'lost' or 'told')
end
function all(make, s)
  local wrong, n = '', 0
  for c = -3, 3 do for lo = -3, 3 do for hi = lo + 1, lo + 3, 2 do
    local f, roots = make(c)
    wrong, n = wrong .. poles(f, roots, s, lo, hi), n + 1
  end end end
  return wrong, n
end
