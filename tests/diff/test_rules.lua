-- Programs of test_rules.c, which it names by what stands behind the @.

-- @rules_agree_with_differences
local bad = {}
for _, case in ipairs(cases) do
  local ok, found = pcall(check, case)
  if not ok then found = case[1] .. ': ' .. found end
  bad[#bad + 1] = found
end
if #bad > 0 then return table.concat(bad, '\n') end

-- @spoilt_rules_are_caught
local ways = {'sign of operand 1', 'sign of operand 2', 'sign forwards', 'frozen slope', 'batch turned',
  'missing transpose', 'missing sum'}
local missed, caught = {}, 0
for name, list in pairs(by_name()) do
  for _, way in ipairs(ways) do
    if not harmless(name, way) and spoil(name, way) then
      local found = false
      for _, case in ipairs(list) do
        local ok, what = pcall(check, case)
        if not ok or what then found = true break end
      end
      mend()
      if found then caught = caught + 1 else missed[#missed + 1] = name .. ': ' .. way end
    end
  end
end
table.sort(missed)
if #missed > 0 then return table.concat(missed, '\n') end
if caught < 200 then return 'only ' .. caught .. ' spoilt rules were tried' end

-- @definitions_beside_a_vjp_agree
local found, tried = {}, 0
for name, list in pairs(by_name()) do
  for _, spoilt in ipairs{false, true} do
    if by_definition(name, spoilt) then
      local wrong
      for _, case in ipairs(list) do
        local ok, what = pcall(check, case)
        wrong = wrong or what
      end
      mend()
      tried = tried + 1
      if (wrong ~= nil) ~= spoilt then found[#found + 1] = name .. ': ' .. tostring(wrong) end
    end
  end
end
if #found > 0 then return table.concat(found, '\n') end
if tried < 2 then return 'no row has both' end
