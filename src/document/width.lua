-- width.lua: how many columns of a terminal a text takes: two for a Chinese character, none for a combining mark; and text that a
-- terminal only shows.

local tools = require "phasor.tools"

local M = {of = tools.width}

function M.is_wide(code) return tools.columns(code) == 2 end

-- Characters that a terminal would obey become "?". The files here mark places in a text with some of them, so no text brings its own.
function M.plain(text) return (text:gsub("[\0-\8\11-\31\127]", "?"):gsub("\xC2[\x80-\x9F]", "?")) end

return M
