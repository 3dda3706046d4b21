-- shards.lua: a model whose tensors lie in several .safetensors, by its model.safetensors.index.json: what read makes of one open file,
-- made of them all. A file is opened when something in it is asked for first.
local lab, tools, json = require "phasor", require "phasor.tools", require "phasor.lib.json"
local hint = require("phasor.lib.values").hint
local raise, seen = tools.raise, tools.seen

local ROOM = 256 * 1024 * 1024 -- bytes of an index
local M = {}

local contents = setmetatable({}, {__mode = "k"}) -- of each: path, folder, names (sorted), place (file by name), open (by file)
local Shards, methods = {}, {}

local function state(self, who) return contents[self] or raise(who .. ": the file is closed") end

-- The open file in which a tensor lies.
local function file_of(self, who, name)
    local all = state(self, who)
    if type(name) ~= "string" then raise(("%s: the name is %s; wanted a tensor's name"):format(who, seen(name))) end
    local place = all.place[name]
    if not place then raise(("unknown tensor '%s' in %s%s"):format(name, all.path, hint(name, all.place) or "")) end
    if not all.open[place] then all.open[place] = lab.read(all.folder .. place) end
    return all.open[place]
end

function methods.read(self, name) return file_of(self, "read", name):read(name) end
function methods.shape(self, name) return file_of(self, "shape", name):shape(name) end
function methods.type(self, name) return file_of(self, "type", name):type(name) end
function methods.names(self)
    local names = state(self, "names").names
    return table.move(names, 1, #names, 1, {})
end
function methods.metadata(self)
    local out = {}
    for key, text in pairs(state(self, "metadata").metadata) do out[key] = text end
    return out
end
function methods.close(self)
    local all = contents[self]
    contents[self] = nil
    for _, file in pairs(all and all.open or {}) do file:close() end
end

function Shards.__index(self, key)
    if type(key) ~= "string" then raise(("an open file: a key is %s; wanted a tensor's name"):format(seen(key))) end
    return methods[key] or methods.read(self, key)
end
function Shards.__newindex() raise "an open file: its tensors cannot be set" end
function Shards.__len(self) return #state(self, "#").names end
function Shards.__pairs(self)
    local i, names = 0, state(self, "pairs").names
    return function()
        i = i + 1
        if names[i] then return names[i], methods.read(self, names[i]) end
    end
end
Shards.__close = methods.close
Shards.__name = "phasor.Shards"

-- How many tensors in how many files, then a line for each file; types and shapes are known only to the files themselves.
function Shards.__tostring(self)
    local all = contents[self]
    if not all then return "a closed file of tensors" end
    local count, files = {}, {}
    for _, place in pairs(all.place) do
        if not count[place] then files[#files + 1] = place end
        count[place] = (count[place] or 0) + 1
    end
    table.sort(files)
    local out = {("%s: %d tensor%s in %d file%s"):format(all.path, #all.names, #all.names == 1 and "" or "s", #files, #files == 1 and "" or "s")}
    for i, place in ipairs(files) do
        if i > 20 then
            out[#out + 1] = ("  ... and %d more"):format(#files - 20)
            break
        end
        out[#out + 1] = ("  %s  %d"):format(place, count[place])
    end
    return table.concat(out, "\n")
end

local function index_of(path)
    local text, fault = tools.contents(path, ROOM)
    if not text then raise(("read: %s"):format(fault)) end
    if text == "" then raise(("read: %s is empty"):format(path)) end
    local value, wrong = json.read(text, true)
    if value == nil then raise(("read: %s: %s"):format(path, wrong)) end
    if type(value) ~= "table" or type(value.weight_map) ~= "table" or json.is_list(value.weight_map) then
        raise(("read: %s has no weight_map; wanted an object that names the file of each tensor"):format(path))
    end
    return value
end

-- read(path [, name]) of an index. Files are named without folders: an index leads nowhere else.
function M.read(path, name)
    local index, names = index_of(path), {}
    for tensor, place in pairs(index.weight_map) do
        if type(place) ~= "string" or not place:find "^[^/\\%z]+%.safetensors$" then
            raise(("read: %s: tensor \"%s\" is in %s; wanted a .safetensors beside the index"):format(path, tensor, seen(place)))
        end
        names[#names + 1] = tensor
    end
    table.sort(names)
    local metadata = {}
    for key, text in pairs(type(index.metadata) == "table" and index.metadata or {}) do metadata[key] = text ~= json.null and tostring(text) or nil end
    local self = setmetatable({}, Shards)
    contents[self] = {path = path, folder = path:match "^(.*/)" or "", names = names, place = index.weight_map, metadata = metadata, open = {}}
    if name == nil then return self end
    local tensor = methods.read(self, name)
    methods.close(self)
    return tensor
end

for key, method in next, methods do methods[key] = tools.wrap(method) end

return M
