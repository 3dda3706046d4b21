-- Programs of test_talk.c, which it names by what stands behind the @.

-- @prelude
-- remote(v): v as the other side sees it, through bytes.
talk, parcel, leaf = require 'phasor.course.talk', require 'phasor.course.parcel', require 'phasor.parcel'
asker, other = talk.pair()
function remote(v) return asker.read(other.write(v))[1] end
function same_text(v) return tostring(remote(v)) == tostring(v) end
a, b = sym 'a b'; n, i = sym('n', 'natural'), sym('i', 'integer')

-- @spoiled_bytes_are_refused_or_other_values
function spoil(text, read)
  local g, ok = rng(9), 0
  for _ = 1, 3000 do
    local at = g:below(#text) + 1
    local t = text:sub(1, at - 1) .. string.char(g:below(256)) .. text:sub(at + 1)
    if g:below(4) == 0 then t = t:sub(1, g:below(#t + 1)) end
    ok = ok + (pcall(read, t) and 1 or 0)
  end
  return ok > 0 and ok < 3000
end
