-- hostile.lua: files that their newest readers must refuse, by hand: run in an empty folder, it prints what is wrong. Each ends in an error of a
-- reasonable length that names the file and holds the words given here, of the field, what it holds and what was wanted.
local json = require "phasor.lib.json"

local function put(name, text)
    local f <close> = assert(io.open(name, "wb"))
    f:write(text)
end
local function tensors(name, header, data) put(name, string.pack("<s8", header) .. (data or "\0\0\0\0")) end
local function tensor(dtype, shape, offsets) return ('{"a":{"dtype":"%s","shape":%s,"data_offsets":%s}}'):format(dtype, shape, offsets or "[0,4]") end
local function numpy(name, descr, shape, data)
    local h = ("{'descr': %s, 'fortran_order': False, 'shape': %s, }"):format(descr, shape)
    h = h .. (" "):rep(63 - (#h + 10) % 64) .. "\n"
    put(name, "\x93NUMPY\1\0" .. string.pack("<s2", h) .. (data or "\0\0\0\0"))
end
local function index(name, text) put(name, type(text) == "table" and json.write{weight_map = text} or text) end
local function config(name, more)
    local c = {model_type = "llama", hidden_size = 64, num_attention_heads = 4, max_position_embeddings = 128, rope_theta = 10000}
    for key, v in pairs(type(more) == "table" and more or {}) do c[key] = v end
    put(name, type(more) == "string" and more or json.write(c))
end
local bad = 0
local function wrong(...) bad = bad + 1; print(...) end
-- refuses FILE f WORDS...: f(FILE) raises, and its words are there
local function refuses(name, f, ...)
    local began = os.clock()
    local ok, e = pcall(f, name)
    e = tostring(e)
    if ok then return wrong(name .. ": taken: " .. e:sub(1, 100)) end
    for _, word in ipairs{name, ...} do
        if not e:find(word, 1, true) then wrong(("%s: no \"%s\" in: %s"):format(name, word, e:sub(1, 300))) end
    end
    if #e > 700 then wrong(("%s: %d bytes of error"):format(name, #e)) end
    if e:find "This is an error of phasor" then wrong(name .. ": " .. e:sub(1, 200)) end
    if os.clock() - began > 20 then wrong(("%s: %.1f s"):format(name, os.clock() - began)) end
end
local function all(f) return function(name) local t = f(name); return t.a end end

-- halves in .safetensors and .npy
put("ok.safetensors", string.pack("<s8", tensor("F16", "[2]")) .. "\0\x3c\0\x40")
assert(read("ok.safetensors").a[2] == 2)
for i, row in ipairs{
    {tensor("F16", "[3]")}, {tensor("BF16", "[1]")}, {tensor("bf16", "[2]"), "bf16"}, {tensor("BF16", "[4611686018427387904,2]")}, {tensor("F16", "[-1]")},
    {tensor("F8_E4M3", "[4]"), "F8_E4M3"}, {tensor("F16", "2")}, {tensor("F16", "[2]", "[4,0]")}, {tensor("F16", "[1.5]")}, {tensor("F16", "[2]", "[0,4,8]")},
    {tensor("F16", "[2]"):gsub("}}", '},"a":1}')}, {tensor("BF16", "[2]", "[2,6]")},
} do
    local name = ("h%d.safetensors"):format(i)
    tensors(name, row[1])
    refuses(name, all(read), row[2])
end
for i, row in ipairs{
    {"'<f2'", "(3,)"}, {"'<f2'", "(1,)"}, {"'|f2'", "(2,)", nil, "|f2"}, {"'<V2'", "(2,)", nil, "<V2"}, {"'bfloat16'", "(2,)", nil, "bfloat16"},
    {"'<f1'", "(4,)", nil, "<f1"}, {"[('a','<f2')]", "(2,)"}, {"'<f2'", "(9223372036854775807, 2)"}, {"'<f2'", "(-2,)"}, {"'<f2'", "(2"}, {"'<f16'", "(2,)", ("\0"):rep(32), "<f16"},
} do
    local name = ("n%d.npy"):format(i)
    numpy(name, row[1], row[2], row[3])
    refuses(name, read, row[4])
end

-- an index of shards
local MANY, many, files = tonumber(arg[1]) or 100000, {}, {}
for i = 1, MANY do many["t" .. i] = "ok.safetensors" end
for i = 1, 20000 do files["t" .. i] = ("s%d.safetensors"):format(i) end
for i, row in ipairs{
    {{a = "../ok.safetensors"}, "../ok.safetensors", "beside the index"}, {{a = "/etc/x.safetensors"}, "/etc/x.safetensors", "beside the index"},
    {{a = "x3.safetensors.index.json"}, "wanted a .safetensors"}, {'{"weight_map": {"a": ["ok.safetensors"]}}', "wanted a .safetensors"}, {'{"weight_map": {"a": null}}', "\"a\""},
    {{a = "ok.safetensors\0.safetensors"}, "wanted a .safetensors"}, {{a = "..\\ok.safetensors"}, "wanted a .safetensors"}, {{a = ".safetensors"}},
    {'{"weight_map": {"a": "ok.safetensors", "a": "h1.safetensors"}}', "twice"}, {('{"weight_map":'):rep(100000)}, {"\xff\xfe{}"}, {'{"weight_map": []}', "weight_map"},
    {'{"weight_map": "ok.safetensors"}', "weight_map"}, {'{"weight_map": {"a": "ok.safetensors"', },
} do
    local name = ("x%d.safetensors.index.json"):format(i)
    index(name, row[1])
    refuses(name, all(read), row[2], row[3])
end
local function one(of) return function(name) index("one.safetensors.index.json", {[of] = name}); return read("one.safetensors.index.json")[of] end end
os.execute "mkfifo pipe.safetensors; mkdir folder.safetensors; ln -s loop.safetensors loop.safetensors"
refuses("pipe.safetensors", one "a", "wanted a file")
refuses("folder.safetensors", one "a", "wanted a file")
refuses("loop.safetensors", one "a", "symbolic links")
refuses("h1.safetensors", one "a")
refuses("ok.safetensors", one "b", "'b'")
index("many.safetensors.index.json", many)
local f = read "many.safetensors.index.json"
if #f ~= MANY then wrong "many tensors are not read" end
if #tostring(f) > 2000 then wrong "many tensors are shown" end
f:close()
index("files.safetensors.index.json", files)
if #tostring(read "files.safetensors.index.json") > 4000 then wrong "20000 files are shown" end

-- a model's configuration
for i, row in ipairs{
    {{hidden_size = 0}, "hidden_size is 0"}, {{hidden_size = "64"}, "hidden_size is", "\"64\""}, {{num_attention_heads = 1e300}, "num_attention_heads"},
    {{num_attention_heads = 0}, "num_attention_heads is 0"},
    {{rope_theta = -1}, "rope_theta is -1"}, {{rope_theta = "NaN"}, "rope_theta", "NaN"}, {{rope_scaling = "x"}, "rope_scaling"}, {{rope_scaling = {rope_type = "other"}}, "other"},
    {{rope_scaling = {rope_type = "yarn", factor = -1}}, "factor is -1"}, {{rope_scaling = {rope_type = "llama3", factor = 8}}, "original_max_position_embeddings"},
    {{rope_scaling = {rope_type = "longrope", short_factor = json.list{1}, long_factor = json.list{1}}}, "long_factor"}, {{head_dim = 3}, "3 of 3 columns"},
    {{max_position_embeddings = 2^70}, "max_position_embeddings"},
    {{rope_scaling = {rope_type = json.list{}}}, "rope_type"}, {("["):rep(1000000)}, {'{"rope_theta": 1e999}'},
    {'{"hidden_size": 64, "hidden_size": 32}', "hidden_size", "twice"}, {"", "empty"}, {"[1]", "no object"},
} do
    local name = ("c%d.json"):format(i)
    config(name, row[1])
    refuses(name, rope_config, row[2], row[3])
end

if bad == 0 then print "all refused" end
