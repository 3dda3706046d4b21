-- Programs of test_golden.c, which it names by what stands behind the @.

-- @renderings
local out = ''
for _, o in ipairs{{columns=40}, {columns=80}, {columns=200}, {columns=80, colours=256}, {columns=80, colours=1 << 24}, {columns=80, unicode=false}, {columns=10}} do
  o.colours = o.colours or 0
  out = out .. ('== %d columns, %d colours%s\n'):format(o.columns, o.colours, o.unicode == false and ', ASCII' or '')
  out = out .. p:text(o)
end
return out
