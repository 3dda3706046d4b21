-- graph(f): what f computes, as a graph: how many operations, which must wait for which.
local tools = require "phasor.tools"
local trim = require "phasor.document.trim"
local diff, shared, values = require "phasor.tapes", require "phasor.lib.diff", require "phasor.lib.values"
local raise = tools.raise
local SHOWN = 30 -- operations that a text shows

-- ---- walks -----------------------------------------------------------------------------------------------------------

-- An operation that only moves numbers (a slice, a reshape, a concat) costs nothing on a path.
local function cost(node) return node.op and not node.moves and 1 or 0 end

-- By node: the longest (or shortest) chain of operations from one of `starts` to it; nil where there is none.
local function chains(nodes, starts, better)
    local length = {}
    for i, node in ipairs(nodes) do
        local best = starts[i] and 0 or nil
        for _, k in ipairs(node.from) do
            local l = length[k] and length[k] + cost(node)
            if l and (not best or better(l, best)) then best = l end
        end
        length[i] = best
    end
    return length
end

local function longer(a, b) return a > b end
local function shorter(a, b) return a < b end

-- ---- the object ------------------------------------------------------------------------------------------------------

local Graph = {}

local function at(self, what, name)
    local list = self[what .. "s"]
    for _, v in ipairs(list) do
        if v.name == name then return v.node end
    end
    local names = {}
    for _, v in ipairs(list) do names[v.name] = true end
    raise(("graph: no %s is called %s%s"):format(what, type(name) == "string" and "'" .. name:sub(1, 40) .. "'" or tostring(name),
        values.hint(name, names) or "; tostring(g) shows the names"))
end

local function between(self, from, to, better)
    local a, b = at(self, "input", from), at(self, "output", to)
    return b and chains(self.nodes, {[a] = true}, better)[b] or nil
end

function Graph.path(self, from, to) return between(self, from, to, longer) end

function Graph.distance(self, from, to) return between(self, from, to, shorter) end

local function label_of(self, i)
    local node = self.nodes[i]
    return node.op or self.names[i]
end

local function quoted(name) return (name:gsub('["\\]', "\\%0"):gsub("%c", "?")) end -- a key may be any text

function Graph.dot(self)
    local out = {"digraph f {", "  rankdir=LR;"}
    for i, node in ipairs(self.nodes) do
        out[#out + 1] = ('  n%d [label="%s\\n%s"%s];'):format(i, quoted(label_of(self, i)), node.shape, node.op and "" or " shape=box")
        for _, k in ipairs(node.from) do out[#out + 1] = ("  n%d -> n%d;"):format(k, i) end
    end
    for k, v in ipairs(self.outputs) do
        if v.node then
            out[#out + 1] = ('  y%d [label="%s" shape=box];'):format(k, quoted(v.name))
            out[#out + 1] = ("  n%d -> y%d;"):format(v.node, k)
        end
    end
    out[#out + 1] = "}"
    return table.concat(out, "\n")
end

local function text(self)
    local out = {("graph of %d operation%s and %d move%s, critical path %d"):format(self.operations, self.operations == 1 and "" or "s",
        self.moves, self.moves == 1 and "" or "s", self.critical_path)}
    for i, node in ipairs(self.nodes) do
        if i > SHOWN then
            out[#out + 1] = ("  ... and %d more"):format(#self.nodes - SHOWN)
            break
        end
        out[#out + 1] = trim.right(("  %3d  %-16s %-14s %s"):format(i, label_of(self, i), node.shape, table.concat(node.from, " ")))
    end
    for _, v in ipairs(self.outputs) do
        out[#out + 1] = v.node and ("  %s is %d"):format(v.name, v.node) or ("  %s depends on no input"):format(v.name)
    end
    return table.concat(out, "\n")
end

for name, method in next, Graph do Graph[name] = tools.wrap(method) end -- errors name the user's line

local meta = {__name = "Graph", __tostring = text, __metatable = "Graph"}
meta.__index = tools.wrap(function(self, key)
    if Graph[key] then return Graph[key] end
    local known = {}
    for k in next, self do known[k] = true end
    for k in next, Graph do known[k] = true end
    values.unknown_field(key, "a graph", known)
end)

local function graph(f, ...)
    shared.check_function("graph", f)
    local args = table.pack(...)
    if args.n == 0 then raise("graph: no arguments given; wanted those of f, as in graph(f, x)") end
    local tape <close> = diff.tape()
    local y, inputs, names = shared.record("graph", tape, f, args, "x")
    local self = {nodes = diff.nodes(tape), inputs = {}, outputs = {}, names = {}, operations = 0, moves = 0, critical_path = 0}
    local starts = {}
    for k, x in ipairs(inputs) do
        local i = diff.node_of(tape, x)
        self.inputs[k], self.names[i], starts[i] = {name = names[k], node = i}, names[k], true
    end
    local outs = shared.leaves_of(y[1], "y", {numbers = true})
    if #outs == 0 then raise(("graph: f returned %s; wanted numbers or arrays"):format(tools.seen(y[1]))) end
    for _, v in ipairs(outs) do
        if type(v) ~= "number" and not tools.is_array(v) then raise(("graph: f returned %s; wanted numbers or arrays"):format(tools.seen(v))) end
    end
    for k, v in ipairs(outs) do self.outputs[k] = {name = outs[-k], node = diff.node_of(tape, v)} end
    for _, node in ipairs(self.nodes) do
        if node.op then
            if node.moves then self.moves = self.moves + 1 else self.operations = self.operations + 1 end
        end
    end
    for _, l in next, chains(self.nodes, starts, longer) do self.critical_path = math.max(self.critical_path, l) end
    return setmetatable(self, meta)
end

local row = require "phasor.lib.rows" "derivatives"

row("graph", graph, "f, x, ...",
    "What f(x, ...) computes, as a graph of operations.\nf: as for grad, but it may return tables of arrays too. The result has" ..
        " operations (how many), moves (slices, reshapes, joins: they only move numbers and count on no path), critical_path (the" ..
        " longest chain in which each operation waits for the one before: what cannot run in parallel), inputs, outputs and nodes.\n" ..
        "g:path(input, output): the longest chain from one variable to another; g:distance(input, output): the shortest, over which a" ..
        " signal or a gradient travels; nil where nothing depends. Inputs are called x (x1, x2 for several), outputs y, entries of" ..
        " tables x[2], x.W. g:dot() is text for Graphviz. Arrays are followed as wholes: to tell positions apart, pass and return" ..
        " tables of them.",
    "g = graph(function(x) return sum(tanh(x) * x) end, {1, 2})\ng.operations, g.critical_path  --> 3\t3\n" ..
        "g:path(\"x\", \"y\"), g:distance(\"x\", \"y\")  --> 3\t2\n" ..
        "g = graph(function(x) return {x[1]*2, exp(x[1]*x[2])} end, {0.5, ones(2)})\n" ..
        "g:distance(\"x[2]\", \"y[1]\"), g:distance(\"x[2]\", \"y[2]\")  --> nil\t2")
