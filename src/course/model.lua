-- model.lua: the file of a trained model that `check` was given, as `check su/embedding-covariance --model FILE --word KEY
-- --position KEY`, or its two embeddings in files of their own, --word FILE.npy --position FILE.npy. Claims about trained models ask for it with
-- trained(); without one their verdict is unknown.

local lab = require "phasor"

local M = {}

local given -- {model = … or nil, word = …, position = …}, or nil

-- Is a key the name of a file that holds one array?
local function is_file(key) return key ~= nil and key:find "%.npy$" ~= nil end

-- What of the three is missing or too much; nil when they fit together.
function M.fault(options)
  if options.word and options.position and (options.model or is_file(options.word) and is_file(options.position)) then return nil end
  if options.model then
    return "--model wants --word KEY and --position KEY, the names of the two embeddings in it"
  end
  return (options.word or options.position) and "--word and --position name embeddings in a --model FILE, or are two files .npy" or nil
end

-- From now on trained() answers with this model; nil: with nothing.
function M.use(options) given = options and (options.model or options.word) and options or nil end

local function read(file, key)
  if file then return lab.read(file, key) end
  return lab.read(key)
end

local function table_of(file, key, what)
  local A = read(file, key)
  if A.ndim ~= 2 or A.shape[1] < 2 then
    error(("trained: %s \"%s\"%s has shape {%s}; wanted a row for each %s, 2 or more"):format(
      what, key, file and " in " .. file or "", table.concat(A.shape, ", "), what), 0)
  end
  return A
end

function M.trained()
  if not given then return nil end
  local W = table_of(given.model, given.word, "word")
  local P = table_of(given.model, given.position, "position")
  if W.shape[2] ~= P.shape[2] then
    error(("trained: words have %d columns and positions %d in %s; they are added, so wanted the same"):format(
      W.shape[2], P.shape[2], given.model or given.position), 0)
  end
  return W, P
end

return M
