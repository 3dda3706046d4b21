-- Programs of test_vary.c, which it names by what stands behind the @.

-- @prelude
function values(spec)
  local ok, v = pcall(vary, function() return 0 end, {n = spec})
  if not ok then return v:match('vary: .*') end
  return table.concat(v.parameters[1].values, ' ') .. ' @' .. v.parameters[1].at
end
-- plays(v, keys…): what it writes, frame by frame, without the terminal's codes
function plays(v, ...)
  local keys, i, out, write, waits = {...}, 0, {}, io.write, {}
  io.write = function(...) out[#out + 1] = table.concat {...} end
  local ok, why = pcall(getmetatable(v).__play, v, function(s) i = i + 1; waits[i] = s; return keys[i] end, rawget(_G, 'screen') or {columns = 80, rows = 24})
  io.write = write
  if not ok then return why end
  drawn, waited = out, waits
  for k, text in ipairs(out) do out[k] = text:gsub('\27%[%d*[AJ]', '') end
  local heads = {}
  for k = 1, #out - 1 do heads[k] = out[k]:match '^[^\n]*' end
  return table.concat(heads, '|')
end
