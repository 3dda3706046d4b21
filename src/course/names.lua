-- names.lua: `lesson`, `check`, `claims`, `glossary` and what the cells of claims call, as names of the laboratory. What they do is in
-- init.lua, which runs lessons through a session: it is read at the first call, and only where a session is.
local tools = require "phasor.tools"

local function has_session() return package.loaded["phasor.session"] or package.preload["phasor.session"] end

local function wanted(who, what, v, text) tools.raise(("%s: %s is %s; wanted %s"):format(who, what, tools.seen(v), text)) end

local function first_is_a_name(who, v)
  if type(v) ~= "string" then wanted(who, "name", v, 'text in quotes, as in "ntk"') end
end
local function is_a_text(who, v)
  if type(v) ~= "table" then wanted(who, "the text", v, "{en = text, zh = text}") end
end
local function is_a_verdict(who, v, n)
  if n > 0 and type(v) ~= "table" and type(v) ~= "userdata" then
    wanted(who, "v", v, "a verdict, as prove, certify and measure give it")
  end
end

local function check(who, rule, n, ...)
  if rule.least and (n < rule.least or n > rule.most) then
    tools.raise(("%s: %d argument%s given; wanted %s"):format(who, n, n == 1 and "" or "s",
      rule.least == rule.most and rule.most or rule.least .. " to " .. rule.most))
  end
  for i = 1, rule.strings and n or 0 do
    local v = select(i, ...)
    if type(v) ~= "string" then wanted(who, "a name", v, 'text in quotes, as in "sinusoids"') end
  end
  if rule.check then rule.check(who, (...), n) end
end

local function course_of(who)
  if not has_session() then tools.raise(who .. ": the course is in the phasor program: lessons need its session") end
  local ok, course = pcall(require, "phasor.course")
  return ok and course or tools.raise(("%s: the course is not here: %s"):format(who, course))
end

-- The course's function behind a name, after its arguments have been checked.
local function door(who, rule)
  return tools.wrap(function(...)
    local n = select("#", ...)
    check(who, rule, n, ...)
    local f = course_of(who)[rule.calls or who]
    if who == "why" and n == 0 then -- of the last result; raw, since in a program there is none, which is no unknown name
      return f(rawget(debug.getregistry()[2], "_"))
    end
    return f(...)
  end)
end

-- {name, arguments, {least =, most =, strings = whether all are names, check =, calls = the course's function}, help, example}
local rows = {
  {"lesson", '[name] [, "--lang=zh"]', {strings = true},
    "Works through a lesson, step by step; without a name, lists them.\n" ..
    "The list says how far you are. name: a lesson, or the path of a file of your own that ends in .lua. [Enter] runs a " ..
    "step; what you type is Lua, an answer where there is an exercise; :help lists :hint, :check, :skip, :back, :play, " ..
    ":quit and the rest. The lesson is kept where you leave it, and its variables stay. \"--restart\" begins anew; \"--seed\", " ..
    "\"NAME\" chooses the variants of the exercises.",
    "lesson(3)  --> error: wanted text in quotes"},
  {"check", '[claim or lesson, ...] [, "--strict"] [, "--json"] [, "--time"]', {strings = true},
    "Runs the checks of claims and prints a verdict for each.\n" ..
    "Claims are called by their id (see claims), lessons by name or path; without any, every lesson runs.\n" ..
    "A claim about trained models wants one: \"--model=FILE\", a .safetensors or .npz, with \"--word=KEY\" and\n" ..
    "\"--position=KEY\", the names of its embeddings; or two files .npy for these.\n" ..
    "\"REF\" or \"LESSON/REF\", as in check \"rotate\", tries your own answer to an exercise, as it stands here: it says that it " ..
    "is right, or fails with what is wrong.",
    "check(3)  --> error: wanted text in quotes"},
  {"claims", '["--json"] [, "--lang=zh"]', {strings = true},
    "Lists every claim of the three sources, and whether it is settled.\n" ..
    "Each with the strength its verdict must reach.",
    "claims(3)  --> error: wanted text in quotes"},
  {"trained", "", {least = 0, most = 0},
    "The embeddings of the model that check was given: words, positions.\n" ..
    "Two arrays with a row each; nil when there is no model, as everywhere but in\n" ..
    "a check with --model.",
    "trained(3)  --> error: 1 argument given; wanted 0"},
  {"experiment", "name [, which]", {least = 1, most = 2, calls = "experiment_verdicts", check = first_is_a_name},
    "The verdicts of an experiment, for the cell of a claim.\n" ..
    "They are what the results say that travel with the program. name: as phasor experiment list has it. which: the number " ..
    "of a finding, or a list of them; all without it. Where results are missing, or are of another version of the " ..
    "experiment, the verdict is unknown. phasor check --train does the runs anew.",
    "experiment(3)  --> error: wanted text in quotes"},
  {"experiment_results", "name", {least = 1, most = 1, strings = true},
    "The results of an experiment: R:values(measure, {factor = value}).\n" ..
    "That is a list with a number for each such run. name: as phasor experiment list has it. R:difference(measure, {...}, " ..
    "measure, {...}) subtracts run by run.",
    "experiment_results(3)  --> error: wanted text in quotes"},
  {"named", "words, v", {least = 2, most = 2},
    "A verdict under a statement of one's own, for the cell of a claim.\n" ..
    "words: the statement, text or {en = text, zh = text}; v: a verdict, which must hold. Where formulas fold, as in 12 = " ..
    "12, or where a verdict says nothing of what it is about, words do.",
    "named(3)  --> error: 1 argument given; wanted 2"},
  {"fails", "v [, words]", {least = 1, most = 2},
    "A counterexample, for the cell of a claim: v must be refuted.\n" ..
    "v: a verdict; words: what is not so, when v does not say it. The claim fails when v is anything but refuted. Its " ..
    "strength is read from the other verdicts.",
    "fails()  --> error: 0 arguments given; wanted 1"},
  {"also", "words, v", {least = 2, most = 2},
    "A verdict beside the statement, for the cell of a claim.\n" ..
    "words: what it says, text or {en = text, zh = text}; v: a verdict, which must hold, such as a measurement of what the " ..
    "other verdicts prove. The claim fails when it does not hold; its strength is read from the others.",
    "also(3)  --> error: 1 argument given; wanted 2"},
  {"figure", "words, x, text [, {guard = true}]", {least = 3, most = 4},
    "Judges a printed figure: is x, rounded alike, what text says?\n" ..
    "words: what the figure is of. x: a number, a ball, or a formula without symbols, which is certified; a whole number " ..
    "must be exactly that. text: the figure as it is printed, such as \"0.4111\". The claim fails when the figure is not so; " ..
    "its strength is read from the other verdicts. guard: the figure only guards a bound against growing; :why shows it.",
    "figure(3)  --> error: 1 argument given; wanted 3"},
  {"says", "{en = text, zh = text}", {least = 1, most = 1, check = is_a_text},
    "The text in the language that is spoken: of the lesson, or of the prompt.\n" ..
    "For what a lesson prints and writes into its pictures.",
    "says(3)  --> error: wanted {en = text, zh = text}"},
  {"why", "[v]", {least = 0, most = 1, check = is_a_verdict},
    "Shows what stands behind a verdict.\n" ..
    "Its formulas typeset, its conditions, how it was reached. v: a verdict; the last result without one. :why is the " ..
    "same, and in a lesson shows all verdicts of a step.",
    "why(3)  --> error: wanted a verdict"},
  {"cited", "source, v [, words]", {least = 2, most = 3},
    "A verdict beside a citation of what is not proved here.\n" ..
    "For the cell of a claim. source: the theorem and where it stands, text or {en = text, zh = text}; v: a verdict, which " ..
    "must hold; words: its statement, when it does not say it. The line of the claim ends with what is cited.",
    "cited(3)  --> error: 1 argument given; wanted 2"},
  {"in_bounds", "{claim=, f=, samples=, seed=, why= [, told=]}", {least = 1, most = 1},
    "Measures deviations as shares of bounds of their own.\n" ..
    "For the cell of a claim: a verdict, and the mean of the bounds. f(g): draws from the generator g and returns a " ..
    "deviation and its bound, and if wanted where that was; the rest is as for measure, with 1 as the bound. The mean of " ..
    "the bounds that were met is a figure to be told: a bound that is too wide shows there. told: that mean in units of " ..
    "u = 2^-53, as text; then verdict and figure come as a list.",
    "in_bounds()  --> error: 0 arguments given; wanted 1"},
  {"glossary", '[term] [, "--lang=zh"]', {strings = true},
    "Explains a term of the field, in English or Chinese.\n" ..
    "Without one, lists them all, with their names in both. A part of a term will do, in either language.",
    "glossary(3)  --> error: wanted text in quotes"},
}
for _, r in ipairs(rows) do
  tools.register{topic = "the course", name = r[1], fn = door(r[1], r[3]), args = r[2], help = r[4], example = r[5]}
end

-- What a search looks through besides help (find.lua); an empty list where there is no course.
function tools.course_entries()
  local ok, find = pcall(require, "phasor.course.find")
  return ok and find.entries() or {}
end
