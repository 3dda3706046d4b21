-- training.lua: `phasor train`: a recipe from a file or of the program, run into a folder that one process at a time may use.

local host = require "phasor.course.host"
local lab = require "phasor"
local nearest = require "phasor.course.nearest"
local recipes = require "phasor.train.recipes"
local tools = require "phasor.tools"

local M = {}

local function names()
  local out = {}
  for name in pairs(recipes) do out[#out + 1] = name end
  table.sort(out)
  return out
end

function M.recipes() return table.concat(names(), ", ") end

local function from_file(path)
  local text, why = host.contents(path)
  if not text then error({message = why}, 0) end
  local chunk, fault = load(text, "=" .. path, "t", host.env())
  if not chunk then error({message = fault}, 0) end
  return chunk()
end

local function recipe_of(name, usage)
  if name:find "%.lua$" then return from_file(name), name:match "([^/]+)%.lua$" end
  if not recipes[name] then
    local lang = host.language()
    usage("train: no recipe \"%s\"%s", name, nearest.among(name, names(), lang == "zh" and "可用的有" or "there are", lang))
  end
  return recipes[name](), name
end

local function whole(options, name, usage)
  local n = options[name] and math.tointeger(tonumber(options[name]))
  if options[name] and not (n and n >= 0) then usage("train: --%s %s; wanted a whole number", name, options[name]) end
  return n
end

local function fitted(given, options, usage)
  if type(given) ~= "table" then error({message = "train: the file returns no table; wanted the options of train"}, 0) end
  local o = {}
  for key, value in pairs(given) do o[key] = value end
  o.steps, o.seed = whole(options, "steps", usage) or o.steps, whole(options, "seed", usage) or o.seed
  return o
end

-- What --resume and the recipe say of the run that stands in the folder.
local function going_on(options, o, checkpoint, usage)
  for _, name in ipairs {"steps", "seed"} do
    if options[name] then usage("train: --%s with --resume; the run goes on with what it began with", name) end
  end
  return {data = o.data, model = o.model, resume = checkpoint}
end

-- Trains; what goes wrong is told without the place in this program where it was called.
local function trained(o)
  local ok, r = tools.try(lab.train, o)
  if not ok then error({message = r}, 0) end
  return r
end

function M.train(name, options, usage)
  local given, short = recipe_of(name, usage)
  local o, folder = fitted(given, options, usage), options.out or short
  local lock, why = host.lock(folder .. "/lock")
  if not lock then error({message = folder .. ": " .. why}, 0) end
  local checkpoint = folder .. "/run.safetensors"
  if options.resume then o = going_on(options, o, checkpoint, usage)
  elseif host.exists(folder .. "/losses.csv") or host.exists(checkpoint) then error({message = folder .. " holds a run; --resume goes on with it, --out names another folder"}, 0) end
  o.checkpoint, o.csv = checkpoint, folder .. "/losses.csv"
  local r = trained(o)
  r.model:save(folder .. "/best.safetensors")
  host.write(("%s\n%s\n%s/best.safetensors\n"):format(tostring(r.model), tostring(r), folder))
  return 0
end

return M
