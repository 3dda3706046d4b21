-- rows.lua: how Lua of the laboratory becomes functions with help: local row = rows "TOPIC"; row(name, f, args, help, example).
local tools = require "phasor.tools"

return function(topic)
    return function(name, fn, args, help, example)
        tools.register{topic = topic, name = name, fn = tools.wrap(fn), args = args, help = help, example = example}
    end
end
