-- trim.lua: texts without the blanks at their ends. A pattern that ends in "%s*$" begins anew at each blank of a long run in the midst of a
-- text, which takes the square of its length; behind the frontier it begins once.

local M = {}

function M.right(text) return (text:gsub("%f[%s]%s+$", "")) end

function M.both(text) return M.right((text:gsub("^%s+", ""))) end

return M
