-- step.lua: a lesson in the terminal, one step at a time: prose, then its code, then what the code prints.

local judge = require "phasor.course.judge"
local prose = require "phasor.course.prose"
local run = require "phasor.course.run"

local M = {}

-- A step is the prose (in one language) up to and including one cell of code; the last may have none.
function M.steps(lesson, lang)
  local out, open = {}, nil
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "markdown" and cell.lang == lang then
      if not open then
        open = {prose = {}}
        out[#out + 1] = open
      end
      open.prose[#open.prose + 1] = cell.text
    elseif cell.kind == "code" then
      if open then open.code, open = cell, nil else out[#out + 1] = {prose = {}, code = cell} end
    end
  end
  return out
end

local function show_code(host, code)
  local lines = {}
  for line in (code .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = "  │ " .. line end
  host.write(table.concat(lines, "\n") .. "\n")
end

local function show(host, step, at, total, words)
  host.write("\n" .. ("── " .. words.step .. " "):format(at, total) .. "\n\n")
  for _, text in ipairs(step.prose) do host.write(prose.render(text, math.min(host.columns(), 96)) .. "\n\n") end
  if step.code then
    show_code(host, step.code.code)
    host.write("\n")
  end
end

-- Each verdict on a line of its own, after what it says.
local function show_result(host, result)
  if result.claim then host.write(("%s: %s\n"):format(result.claim.id, result.outcome)) end
  for _, v in ipairs(result.verdicts) do
    host.write(("  %s%s\n"):format(v.statement and v.statement .. ": " or "", tostring(v)))
  end
  if result.mutants then host.write(("  %s\n"):format(judge.mutants_text(result.mutants))) end
  if #result.verdicts == 0 then host.write("  " .. result.line .. "\n") end
end

local function run_step(lesson, step, ledger, host, words)
  local done = run.cell(lesson, step.code, ledger, host.eval, nil)
  if not done.ok then host.write(words.failed .. " " .. done.message .. "\n")
  elseif done.result then show_result(host, done.result)
  elseif done.value ~= nil then host.show(done.value) end
  return done
end

-- What the student typed: "next", "back", "skip", "quit"; anything else is Lua.
-- The lesson runs among the student's own globals: what it defines stays.
local function ask(step, host, words)
  while true do
    local line = host.read((step.code and words.run or words.go_on) .. words.commands .. " › ")
    local word = line and line:match("^%s*(.-)%s*$")
    if not line then return "eof" end
    if word == "" then return "next" end
    if word == ":back" or word == ":skip" or word == ":quit" then return word:sub(2) end
    if word:find("^:%a") then host.write(words.unknown_command:format(word) .. "\n")
    else
      local ok, value = host.eval(line, "prompt")
      if not ok then host.write(tostring(value) .. "\n") elseif value ~= nil then host.show(value) end
    end
  end
end

-- Walks the lesson. Without someone to ask, every step runs. Returns the number of steps whose code failed.
function M.walk(lesson, ledger, host, lang, words)
  local steps = M.steps(lesson, lang)
  local at, failed, asking = 1, 0, host.interactive()
  while at <= #steps do
    local step = steps[at]
    show(host, step, at, #steps, words)
    local answer = asking and ask(step, host, words) or "next"
    if answer == "eof" then asking, answer = false, "next" end
    if answer == "quit" then
      host.write(words.left .. "\n")
      return failed
    elseif answer == "back" then
      if at == 1 then host.write(words.first .. "\n") end
      at = math.max(1, at - 1)
    else
      if answer == "next" and step.code then
        local done = run_step(lesson, step, ledger, host, words)
        if not done.ok or (done.result and done.result.outcome == "failed") then failed = failed + 1 end
      end
      at = at + 1
    end
  end
  host.write("\n" .. words.finished .. "\n")
  return failed
end

return M
