-- The names of the training laboratory. Their files are read at the first call: a start needs none of them.
local lab, tools = require "phasor", require "phasor.tools"

local function row(topic, name, fn, args, help, example)
    tools.register{topic = topic, name = name, fn = tools.wrap(fn), args = args, help = help, example = example}
end

row("training", "transformer", function(...) return require("phasor.train.model").new(...) end, "{vocab=, length=, ...} [, seed=1]",
    "x", "transformer({vocab=5, length=8}):count() > 0  --> true")
row("training", "text", function(...) return require("phasor.train.data").text(...) end, "x", "x", "1  --> 1")
row("training", "task", function(...) return require("phasor.train.data").task(...) end, "x", "x", "1  --> 1")
row("training", "trainer", function(...) return require("phasor.train.trainer").new(...) end, "x", "x", "1  --> 1")
row("training", "resume", function(...) return require("phasor.train.trainer").resume(...) end, "x", "x", "1  --> 1")
