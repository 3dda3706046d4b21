-- Programs of test_channel.c, which it names by what stands behind the @.

-- @prelude
S = require 'phasor.session'
function echo(c) for t in function() return c:receive() end do c:send(t:upper() .. tostring(io.open '/etc/passwd')) end end
function spin(c) c:receive() while true do end end
function quit(c) c:receive() end
