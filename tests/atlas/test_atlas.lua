-- Programs of test_atlas.c, which it names by what stands behind the @.

-- @every_cell_has_a_verdict
for _, row in ipairs(A.rows) do
  for _, law in ipairs(A.laws) do
    local v = row[law.key]
    local what = row.name .. '.' .. law.key
    if not v.strength then wrong[#wrong + 1] = what end
    if v.strength == 'refuted' and not v.witness then wrong[#wrong + 1] = what .. ' has no witness' end
    if v.strength == 'unknown' and not v.reason then wrong[#wrong + 1] = what .. ' says no reason' end
    if v.strength == 'proved' and not v.method then wrong[#wrong + 1] = what .. ' says no method' end
  end
  for _, key in ipairs(row.broken_claims) do
    wrong[#wrong + 1] = row.name .. ' claims ' .. key .. ': ' .. tostring(row[key])
  end
end

-- @what_theory_says_1
function of(name) local out = {} for i, law in ipairs(A.laws) do
  local v = A[name][law.key]
  out[i] = v.reason and v.reason:match('^undefined') and '-' or v.strength:sub(1, 1) end
  return table.concat(out) end

-- @what_theory_says_2
function lab.formula_of(name, i, ...)
  if name == 'sinusoidal' and i == 1 then i = 2 end
  return formula(name, i, ...)
end

-- @what_theory_says_3
function lab.formula_of(name, i, ...)
  if name == 'rope' and i == 2 then i = 1 end
  return formula(name, i, ...)
end

-- @what_theory_says_4
function lab.alibi(...)
  local S = alibi(...)
  if S.shape[2] == 32 then S[{1, 32, 3}] = S(1, 32, 3) + 1/2 end
  return S
end

-- @what_theory_says_5
function spoiled(name, N, more)
  lab.formula_of = function(of, i, ...) return formula(of, i, ...) + (of == name and more or 0) end
  return atlas(name, {N=N})
end

-- @cells_that_hold_state_what_was_judged
(function() local all, bad, seen = atlas(), {}, 0
for _, row in ipairs(all.rows) do for _, law in ipairs(all.laws) do
  local v = row[law.key]
  if v and (v.strength == 'proved' or v.strength == 'certified') then
    seen = seen + 1
    local s = v.statement or ''
    if not s:find('[=<>]') and not s:find('^the table is ') then bad[#bad + 1] = row.name .. ' ' .. law.key end
  end
end end
return table.concat(bad, ', ') .. (seen > 100 and '' or 'only ' .. seen) end)()

-- @every_open_question_has_chinese
local asked, english = 0, {}
for file in io.popen 'ls src/atlas/*.lua':lines() do
  local code = io.open(file):read 'a'
  for why in code:gmatch 'unknown%("([^"]*)"' do
    asked = asked + 1
    if said.line(why):find '%a%a+ %a%a+' then english[#english + 1] = why end
  end
end
return asked > 12, table.concat(english, '; ')

-- @in_chinese_on_pages
for _, row in ipairs(A.rows) do
  if not row.title_zh:find '[\x80-\xff]' then wrong[#wrong + 1] = row.title end
  if not said.kinds[row.kind] then wrong[#wrong + 1] = row.kind end
  for _, law in ipairs(A.laws) do
    local v = row[law.key]
    if not said.laws[law.key] then wrong[#wrong + 1] = law.key end
    if v.kind ~= 'undefined' and law.key ~= 'parameters' then
      lines = lines + 1
      local text = said.line(v:text 'zh')
      if text:find '%a%a+ %a%a+' then wrong[#wrong + 1] = text end
    end
  end
end
