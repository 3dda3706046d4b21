-- width.lua: how many columns of a terminal a text takes: two for a Chinese character, none for a combining mark.

local tools = require "phasor.tools"

local M = {of = tools.width}

function M.is_wide(code) return tools.columns(code) == 2 end

return M
