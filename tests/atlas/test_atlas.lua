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

-- @other_arguments
function like(name, N, sample)
  function lab.encodings() local e = all()[name] e.sample = sample return {[name] = e} end
  return atlas(name, {N=N})
end
turning = 'X, {layout="interleaved", base=24, exponents="whole", sections={3, 1}, positions={range(0, T-1), range(0, T-1)}}'
local table_of, positions = {}, {}
for i = 1, 63 do
  local row = {}
  for k = 1, 8 do row[k] = (i * 7 + k * k) % 31 / 8 end
  table_of[i] = row
end
table_of[32 + 12] = table_of[32 + 9]
for i = 1, 32 do positions[i] = {i == 6 and 2 or i, 1} end
local function text(t) local out = {} for i, r in ipairs(t) do out[i] = "{" .. table.concat(r, ", ") .. "}" end return "{" .. table.concat(out, ", ") .. "}" end
bert, rows = 'Q, K, array' .. text(table_of) .. ', {variant="bert"}', text(positions)

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

-- @phrases_are_whole
local code, wrong, count = {}, {}, 0
for file in io.popen 'ls src/atlas/*.lua':lines() do
  if not file:find 'phrases' then code[#code + 1] = io.open(file):read 'a' end
end
code = table.concat(code)
local function gaps(form)
  local out, seen = {}, {}
  for name in form:gmatch '{(.-)}' do if not seen[name] then out[#out + 1] = name end seen[name] = true end
  table.sort(out)
  return table.concat(out, ' ')
end
for name, p in pairs(phrases) do
  count = count + 1
  if not (p.en and p.zh) or gaps(p.en) ~= gaps(p.zh) then wrong[#wrong + 1] = name .. ': gaps' end
  if p.zh:find '%a%a+ %a%a+' or not p.zh:find '[\x80-\xff]' and p.en:find '%a%a+ %a%a+' then wrong[#wrong + 1] = name .. ': Chinese' end
  if not code:find('["\']' .. name .. '["\']') and not code:find('%.' .. name .. '%f[%W]') then wrong[#wrong + 1] = name .. ': unused' end
end
for name in code:gmatch 'unknown "([%w_]+)"' do if not phrases[name] then wrong[#wrong + 1] = name .. ': missing' end end
for name in code:gmatch 'refuted%({?"([%w_]+)"' do if not phrases[name] then wrong[#wrong + 1] = name .. ': missing' end end
for name in code:gmatch 'follows%([^,]*, {?"([%w_]+)"' do if not phrases[name] then wrong[#wrong + 1] = name .. ': missing' end end
return count > 50, wrong

-- @in_chinese_on_pages
for _, row in ipairs(A.rows) do
  if not row.title_zh:find '[\x80-\xff]' then wrong[#wrong + 1] = row.title end
  for _, one in ipairs{row.called, row.called_zh} do
    if #one < 4 or one == row.name then wrong[#wrong + 1] = row.name end
  end
  if names[row.called] or names[row.called_zh .. ' zh'] then wrong[#wrong + 1] = row.called end
  names[row.called], names[row.called_zh .. ' zh'] = true, true
  if row.called:find 'released' and row.called_zh == row.called then wrong[#wrong + 1] = row.called end
  if not said.kinds[row.kind] then wrong[#wrong + 1] = row.kind end
  for _, law in ipairs(A.laws) do
    local v = row[law.key]
    if not said.laws[law.key] then wrong[#wrong + 1] = law.key end
    if v.kind ~= 'undefined' and law.key ~= 'parameters' then
      lines = lines + 1
      local text = v:text 'zh'
      if text:find '%a%a+ %a%a+' then wrong[#wrong + 1] = text end
    end
  end
end
