-- marks.lua: what a student has earned and skipped in the lesson that is open (its record: progress.lua).

local M = {}

function M.of(T, e)
  local all = T.record.exercises
  all[e.ref] = all[e.ref] or {state = "open", attempts = 0, hints = 0, points = 0, answer = ""}
  return all[e.ref]
end

-- Is there nothing left to do in an exercise? An answer to a student's copy is given; nobody there knows whether it is right.
function M.is_done(r) return r.state == "right" or r.state == "given" end

-- Has an answer been tried to an exercise that comes in variants?
function M.has_tried_variants(T)
  for _, s in ipairs(T.steps) do
    local r = s.exercise and s.exercise.variants and T.record.exercises[s.exercise.ref]
    if r and (r.attempts > 0 or M.is_done(r) or r.state == "shown") then return true end
  end
  return false
end

local function skipped_index(T, key)
  for i, k in ipairs(T.record.skipped) do if k == key then return i end end
end

function M.skip(T, step, is)
  local i = skipped_index(T, step.key)
  if is and not i then table.insert(T.record.skipped, step.key)
  elseif not is and i then table.remove(T.record.skipped, i) end
end

-- The steps that were skipped, in order.
function M.skipped(T)
  local out = {}
  for i, s in ipairs(T.steps) do if skipped_index(T, s.key) then out[#out + 1] = i end end
  return out
end

-- Points that were earned, and of how many.
function M.points(T)
  local got, all = 0, 0
  for _, step in ipairs(T.steps) do
    if step.exercise then
      all = all + step.exercise.points
      got = got + (T.record.exercises[step.exercise.ref] or {points = 0}).points
    end
  end
  return got, all
end

return M
