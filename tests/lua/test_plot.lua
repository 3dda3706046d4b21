-- Programs of test_plot.c, which it names by what stands behind the @.

-- @what_arguments_mean
words = {}
for _, name in ipairs {'biases', 'decay', 'encoding', 'hessian', 'rope', 'scaling', 'wavelengths'} do
  local zh = picture(name, {lang = 'zh'}):text{columns = 100}
  for word in zh:gmatch '%f[%a]%l%l%l%l+%f[%A]' do words[#words + 1] = name .. ' ' .. word end
  assert(zh ~= picture(name):text{columns = 100}, name)
end
return table.concat(words, ', ')

-- @an_svg_suits_its_reader
function night(p)
  local map, s = {}, p:svg()
  for from, to in s:gmatch('%[fill="(#%x+)"%]:not%(%.map %*%){fill:(#%x+)}') do
    assert(not map[from] and s:find('[stroke="' .. from .. '"]:not(.map *){stroke:' .. to .. '}', 1, true))
    map[from] = to
  end
  local light, dark = p:svg{theme='light'}, p:svg{theme='dark'}
  assert(not light:find('<style') and not dark:find('<style') and light ~= dark)
  return light:gsub('#%x%x%x%x%x%x', map) == dark
end
