-- Programs of test_plot.c, which it names by what stands behind the @.

-- @what_arguments_mean
words = {}
for _, name in ipairs {'biases', 'decay', 'encoding', 'hessian', 'paths', 'rope', 'scaling', 'wavelengths'} do
  local zh = picture(name, {lang = 'zh'}):text{columns = 100}
  for word in zh:gmatch '%f[%a]%l%l%l%l+%f[%A]' do words[#words + 1] = name .. ' ' .. word end
  assert(zh ~= picture(name):text{columns = 100}, name)
end
return table.concat(words, ', ')

-- @few_colours_order_the_values
local level = {[0] = 0, 95, 135, 175, 215, 255}
local function light(i) -- of xterm's colour i (Ottosson 2020)
  local function y(v) v = v / 255 return v <= 0.04045 and v / 12.92 or ((v + 0.055) / 1.055) ^ 2.4 end
  local r, g, b = 8 + 10 * (i - 232), 8 + 10 * (i - 232), 8 + 10 * (i - 232)
  if i < 232 then r, g, b = level[(i - 16) // 36], level[(i - 16) // 6 % 6], level[(i - 16) % 6] end
  r, g, b = y(r), y(g), y(b)
  return 0.2104542553 * (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ^ (1 / 3)
    + 0.7936177850 * (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ^ (1 / 3)
    - 0.0040720468 * (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ^ (1 / 3)
end
-- The lightness of the colours of a map, from its first to its last, without repetition.
function ramp(map)
  local text = heatmap(reshape(linspace(-1, 1, 150), 1, 150), {map = map}):text{columns = 160, colours = 256}
  local out, last = {}, nil
  for i in (text:match '[^\n]*48;5;[^\n]*'):gmatch '48;5;(%d+)m' do
    if i ~= last then out[#out + 1], last = light(tonumber(i)), i end
  end
  return out
end
-- The steps at which lightness falls.
function falls(list, from, to)
  local n = 0
  for i = from or 1, (to or #list) - 1 do if list[i + 1] < list[i] then n = n + 1 end end
  return n
end
function half(list)
  local top, back = 1, {}
  for i, l in ipairs(list) do if l > list[top] then top = i end end
  for i = #list, top, -1 do back[#back + 1] = list[i] end
  return falls(list, 1, top), falls(back)
end

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
