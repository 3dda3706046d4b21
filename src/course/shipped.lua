-- shipped.lua: the lessons that travel inside the binary: {{name = , file = , text = }, ...}.

local M = {}

for _, f in ipairs(require "phasor.embedded" "lessons/") do
  local name = f.path:match "^lessons/([^/]+)%.lua$"
  if name and name ~= "ledger" then M[#M + 1] = {name = name, file = f.path, text = f.text} end
end

return M
