-- parse.lua: a lesson file, in a strict subset of Jupytext's percent format.
--
--   -- %% [markdown] ref="shift" lang="en"      prose: every line a comment
--   -- %% [markdown] … part="appendix"          the lesson's appendix begins here: proofs in full, details
--   -- %% ref="shift" claim="pe/shift-formula"  code; its value is a verdict
--   -- %% role="exercise" ref="rotate" points=2 code with --- BEGIN SOLUTION / --- END SOLUTION; variants=20: it comes in
--                                               twenty forms, told apart by the number `variant`; asks="turn() x": a student's
--                                               copy (pack.lua), without a solution, whose answer is a function turn and a value x
--   -- %% role="hint" ref="rotate" lang="en"    prose
--   -- %% role="check" ref="rotate"             code, parts of it between --- BEGIN / END HIDDEN TESTS
--   -- %% role="wrong" ref="rotate" expect="…"  code: an answer that must fail with that feedback
--
-- Strict: what is not listed here is an error that names file, line, what was seen and what is wanted. What stands
-- before the first cell must be comments. Line numbers are those of the file, so an error in a cell points into it.

local harmless = require "phasor.course.harmless"
local nearest = require "phasor.course.nearest"
local trim = require "phasor.document.trim"

local M = {}

-- What each kind of cell may carry (true: must) beside its body. The pattern says what a value looks like.
local kinds = {
  markdown = {prose = true, keys = {ref = true, lang = true, part = false}},
  hint = {prose = true, keys = {role = true, ref = true, lang = true}},
  code = {keys = {ref = false, claim = false}},
  exercise = {keys = {role = true, ref = true, points = true, variants = false, asks = false}, marker = "SOLUTION", marked = true},
  check = {keys = {role = true, ref = true}, marker = "HIDDEN TESTS"},
  wrong = {keys = {role = true, ref = true, expect = true}},
}
local roles = {"exercise", "hint", "check", "wrong"}
local languages = {"en", "zh"}
local values = {
  ref = {"^[%w_-]+$", "letters, digits, - and _"},
  claim = {"^%l%l/[%w-]+$", "a claim of the ledger, like \"pe/shift-formula\""},
  part = {"^appendix$", "\"appendix\""},
  points = {"^[1-9]%d?$", "a whole number from 1 to 99"},
  variants = {"^[1-9]%d?$", "a whole number from 1 to 99"},
  asks = {"^[%a_\x80-\xFF][%s%w()_\x80-\xFF]*$", "names of functions, with (), and of values"},
}
local all_keys = {"ref", "lang", "part", "role", "claim", "points", "variants", "asks", "expect"}

local function has(list, word)
  for _, w in ipairs(list) do if w == word then return true end end
  return false
end

local LONGEST = 200 -- characters of what is quoted

-- A stranger's text as it may be quoted: nothing in it that a terminal would obey, and no more of it than one reads.
local function quoted(v)
  if type(v) ~= "string" then return v end
  local text = harmless(v)
  return utf8.len(text) > LONGEST and text:sub(1, utf8.offset(text, LONGEST) - 1) .. "…" or text
end

local function fail(file, line, text, ...)
  local said = table.pack(...)
  for i = 1, said.n do said[i] = quoted(said[i]) end
  error({message = ("%s:%d: %s"):format(file, line, text:format(table.unpack(said, 1, said.n)))}, 0)
end

-- `ref="a" points=2` -> {ref = "a", points = "2"}
local function attributes(file, line, text)
  local out, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then return out end
    local key, value, stop = text:match('^(%a+)="([^"]*)"()', at)
    if not key then key, value, stop = text:match("^(%a+)=(%d+)()", at) end
    if not key or text:find("^%S", stop) then
      fail(file, line, "cell marker: cannot read `%s`; wanted key=\"value\"", text:sub(at))
    end
    if not has(all_keys, key) then
      fail(file, line, "cell marker: unknown key `%s`%s", key, nearest.among(key, all_keys, "the keys are"))
    end
    if out[key] then fail(file, line, "cell marker: `%s` is given twice", key) end
    out[key], at = value, stop
  end
end

local function kind_of(file, line, markdown, attr)
  if not attr.role then return markdown and "markdown" or "code" end
  if not has(roles, attr.role) then
    fail(file, line, "role=\"%s\" is unknown%s", attr.role, nearest.among(attr.role, roles, "the roles are"))
  end
  if markdown then fail(file, line, "a [markdown] cell has no role; a hint is written `-- %%%% role=\"hint\"`") end
  return attr.role
end

local function one(kind) return (kind:find "^[aeiou]" and "an " or "a ") .. kind end

local function open_cell(file, line, rest)
  local markdown, text = false, rest
  if rest:find("^%s*%[") then
    text = rest:match("^ %[markdown%](.*)$")
    if not text then fail(file, line, "cell marker: seen `%s`; wanted [markdown] or nothing in brackets", rest) end
    markdown = true
  end
  local attr = attributes(file, line, text)
  local kind = kind_of(file, line, markdown, attr)
  local rule = kinds[kind]
  for key, needed in pairs(rule.keys) do
    if needed and not attr[key] then fail(file, line, "%s cell needs %s=\"…\"", one(kind), key) end
  end
  for key, value in pairs(attr) do
    if rule.keys[key] == nil then fail(file, line, "%s cell has no %s", one(kind), key) end
    local form = values[key]
    if form and not value:find(form[1]) then
      fail(file, line, "%s=\"%s\": wanted %s", key, value, form[2])
    end
  end
  if attr.lang and not has(languages, attr.lang) then
    fail(file, line, "lang=\"%s\": wanted %s", attr.lang, table.concat(languages, " or "))
  end
  return {kind = kind, prose = rule.prose or false, line = line, ref = attr.ref, lang = attr.lang, role = attr.role,
          claim = attr.claim, appendix = attr.part == "appendix", points = tonumber(attr.points),
          variants = tonumber(attr.variants), asks = attr.asks, expect = attr.expect, lines = {}}
end

local function is_marker(text) return text:find("^%-%-%-%s*BEGIN ") or text:find("^%-%-%-%s*END ") end

-- Regions {first, last} of file lines between --- BEGIN WHAT and --- END WHAT, the markers included.
local function regions(file, cell)
  local what = kinds[cell.kind].marker
  local out, open = {}, nil
  for i, text in ipairs(cell.lines) do
    local line = cell.line + i
    local stripped = trim.both(text)
    if is_marker(stripped) then
      local edge, name = stripped:match("^%-%-%- (%u+) (.*)$")
      if name ~= what then
        fail(file, line, "%s cell has no `%s` marker%s", one(cell.kind), stripped,
             what and ("; wanted --- %s %s"):format(edge or "BEGIN", what) or "")
      end
      if edge == "BEGIN" then
        if open then fail(file, line, "--- BEGIN %s is open since line %d; wanted --- END %s first", what, open, what) end
        open = line
      else
        if not open then fail(file, line, "--- END %s without a --- BEGIN %s before it", what, what) end
        out[#out + 1] = {first = open, last = line}
        open = nil
      end
    end
  end
  if open then fail(file, open, "--- BEGIN %s is never closed; wanted --- END %s", what, what) end
  if kinds[cell.kind].marked and not cell.asks and #out == 0 then
    fail(file, cell.line, "an %s cell needs --- BEGIN %s and --- END %s", cell.kind, what, what)
  end
  return out
end

local function close_cell(file, cell)
  while cell.lines[#cell.lines] and not cell.lines[#cell.lines]:find("%S") do table.remove(cell.lines) end
  if #cell.lines == 0 then fail(file, cell.line, "the cell is empty; wanted %s", cell.prose and "prose" or "code") end
  if cell.prose then
    local text = {}
    for i, line in ipairs(cell.lines) do
      local words = line == "--" and "" or line:match("^%-%- (.*)$")
      if not words and line:find("%S") then
        fail(file, cell.line + i, "seen `%s`; a line of prose starts with `-- `", line)
      end
      text[i] = words or ""
    end
    cell.text = table.concat(text, "\n")
  else
    cell.regions = regions(file, cell)
    cell.code = table.concat(cell.lines, "\n")
  end
  cell.lines = nil
end

-- A line that nearly is a marker would silently become a comment: it is refused.
local function marker(file, line, text)
  local rest = text:match("^%-%- %%%%(.*)$")
  if rest and (rest == "" or rest:find("^ ")) then return rest end
  if text:find("^%s*%-%-%s*%%%%") then fail(file, line, "seen `%s`; a cell starts with `-- %%%%` and a blank", text) end
end

local function cells_of(text, file)
  if not utf8.len(text) then fail(file, 1, "the file is not UTF-8 text") end
  local cells, cell, line = {}, nil, 0
  for body in (text:gsub("\r\n", "\n") .. "\n"):gmatch("(.-)\n") do
    line = line + 1
    local rest = marker(file, line, body)
    if rest then
      if cell then close_cell(file, cell) end
      cell = open_cell(file, line, rest)
      cells[#cells + 1] = cell
    elseif cell then
      cell.lines[#cell.lines + 1] = body
    elseif body:find("%S") and not body:find("^%-%-") then
      fail(file, line, "seen `%s` before the first cell; wanted a comment or `-- %%%%`", body)
    end
  end
  if not cell then fail(file, 1, "no cell; wanted `-- %%%% [markdown] ref=\"…\" lang=\"en\"`") end
  close_cell(file, cell)
  return cells
end

-- How a student's copy of a lesson begins: with the fingerprint of what it was made of.
M.COPY = "-- A student's copy, without solutions, of the lesson with the fingerprint %s.\n"
local COPY = "^" .. M.COPY:gsub("[%-.]", "%%%0"):gsub("%%s", "(%%x+)")

-- The lesson in `text`: {file = , name = , cells = {…}, original = (the fingerprint of what it is a student's copy of) or nil}; or nil and a
-- message "file:line: …".
function M.parse(text, file)
  local ok, result = pcall(cells_of, text, file)
  if ok then return {file = file, name = file:match("([^/]+)%.lua$") or file, cells = result, original = text:match(COPY)} end
  if type(result) == "table" then return nil, result.message end
  error(result, 0)
end

-- The code of a cell at its own lines of the file, without its regions when `strip` (the unsolved exercise).
function M.code(cell, strip)
  local lines, line = {}, cell.line
  for text in (cell.code .. "\n"):gmatch("(.-)\n") do
    line = line + 1
    local inside = false
    for _, r in ipairs(cell.regions) do inside = inside or (line >= r.first and line <= r.last) end
    lines[#lines + 1] = (strip and inside) and "" or text
  end
  return ("\n"):rep(cell.line) .. table.concat(lines, "\n")
end

return M
