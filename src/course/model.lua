-- model.lua: the file of a trained model that `check` was given, as `check su/embedding-covariance --model FILE --word KEY
-- --position KEY`. Claims about trained models ask for it with trained(); without one their verdict is unknown.

local lab = require "phasor"

local M = {}

local given -- {model = …, word = …, position = …}, or nil

-- What of the three is missing or too much; nil when they fit together.
function M.fault(options)
  if options.model and options.word and options.position then return nil end
  if options.model then
    return "--model wants --word KEY and --position KEY, the names of the two embeddings in it"
  end
  return (options.word or options.position) and "--word and --position name embeddings in a --model FILE" or nil
end

-- From now on trained() answers with this model; nil: with nothing.
function M.use(options) given = options and options.model and options or nil end

local function table_of(file, key, what)
  local A = lab.read(file, key)
  if A.ndim ~= 2 or A.shape[1] < 2 then
    error(("trained: %s \"%s\" in %s has shape {%s}; wanted a row for each %s, 2 or more"):format(
      what, key, file, table.concat(A.shape, ", "), what), 0)
  end
  return A
end

function M.trained()
  if not given then return nil end
  local W = table_of(given.model, given.word, "word")
  local P = table_of(given.model, given.position, "position")
  if W.shape[2] ~= P.shape[2] then
    error(("trained: words have %d columns and positions %d in %s; they are added, so wanted the same"):format(
      W.shape[2], P.shape[2], given.model), 0)
  end
  return W, P
end

return M
