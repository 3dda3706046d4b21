-- Programs of test_files.c, which it names by what stands behind the @.

-- @one_tensor_of_many_is_read
local big = zeros(2000, 1000, {dtype = 'f32'})
local all = {small = eye(3)}
for k = 1, 8 do all['big' .. k] = big end
write('m.safetensors', all)

-- @index
INDEX = 'm.safetensors.index.json'
function index(text)
    local f <close> = io.open(INDEX, 'w')
    f:write(text)
end
