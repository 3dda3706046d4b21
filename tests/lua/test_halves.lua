-- Programs of test_halves.c, which it names by what stands behind the @.

-- @every_pattern
-- a file of all 65536, read, kept, and written again: the same bytes, but for signalling NaNs, which become quiet
local function file(path, bytes)
    if bytes then local f = assert(io.open(path, "wb")) f:write(bytes) f:close() return end
    local f <close> = assert(io.open(path, "rb"))
    return f:read("a")
end
for format, quiet in pairs{f16 = 0x200, bf16 = 0x40} do
    local inf = format == "f16" and 0x7c00 or 0x7f80
    local given, wanted = {}, {}
    for h = 0, 0xffff do
        given[#given + 1] = string.pack("<I2", h)
        wanted[#wanted + 1] = string.pack("<I2", (h & 0x7fff) > inf and h | quiet or h)
    end
    write("all.safetensors", {w = zeros(0x10000)}, {dtype = format})
    local head = file("all.safetensors"):sub(1, -2 * 0x10000 - 1)
    file("all.safetensors", head .. table.concat(given))
    local read_back = read("all.safetensors", "w")
    assert(read_back.dtype == "f32")
    local h = halves(read_back, format)
    assert(h.dtype == format and h.size == 0x10000)
    write("back.safetensors", {w = h}, {dtype = format})
    assert(file("back.safetensors") == head .. table.concat(wanted), format)
    local numbers = find(logical_not(isnan(read_back)))
    assert(array(h)[numbers] == read_back[numbers])
end

-- @as_the_array
local g = rng(3)
local function f32(...) return randn(g, ...):astype("f32") end
for _, format in ipairs{"f16", "bf16"} do
    local Q, K, V = f32(4, 9, 8), f32(2, 11, 8), f32(2, 11, 8)
    local q, k, v = quantize(Q, format), quantize(K, format), quantize(V, format)
    local hq, hk, hv = halves(Q, format), halves(K, format), halves(V, format)
    local same = {attention(hq, hk, hv, {causal = true}), attention(q, k, v, {causal = true}),
                  attention(hq, hk, hv, {bias = halves(f32(9, 11) * 0, format)}), attention(q, k, v),
                  attention(Q, hk, hv), attention(Q, k, v), attention_weights(hq, hk), attention_weights(q, k),
                  hk:matmul(halves(V, format):permute(1, 3, 2)), matmul(k, transpose(v)), hq + 1, q + 1, 1 - hq, 1 - q, -hq, -q,
                  hq:sum(), sum(q), softmax(hq), softmax(q),
                  rope(hq, {layout = "half"}), rope(q, {layout = "half"}),
                  grad(function(x) return sum(attention(x, hk, hv)) end)(Q), grad(function(x) return sum(attention(x, k, v)) end)(Q),
                  concat({hq, Q}), concat({q, Q})}
    for i = 1, #same, 2 do
        assert(same[i] == same[i + 1], ("%s %d"):format(format, i))
    end
    assert(attention(hq, hk, hv).dtype == "f32")
end
