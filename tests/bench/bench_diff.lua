-- Programs of bench_diff.c, which it names by what stands behind the @.

-- @setup
local g, T, d = rng(1), 8, 16
local Wq, Wk, Wv = randn(g, d, d) / 4, randn(g, d, d) / 4, randn(g, d, d) / 4
local u, X = randn(g, d), randn(g, T, d)
local function layer(X)
  local a = softmax(matmul(matmul(X, Wq), transpose(matmul(X, Wk))) / math.sqrt(d))
  return sum(u * sum(tanh(matmul(a, matmul(X, Wv))), 1))
end
local H = hessian(layer)
function hess() return H(X) end
function narrow(P)
  local Q = {}
  for k, v in pairs(P) do
    Q[k] = type(v) == 'table' and narrow(v) or type(v) == 'userdata' and astype(v, 'f32') or v
  end
  return Q
end
local P = narrow(init_encoder(g, 128, 8, 512))
local Y, w = astype(randn(g, 256, 128), 'f32'), astype(randn(g, 256, 128), 'f32')
local function loss(P) return sum(w * encoder_block(Y, P)) end
local G = grad(loss)
function block() return loss(P) end
function grad_enc() return G(P) end
-- Eight rotations in a chain: plain; traced, with a result that none of them reaches, so that nothing runs backwards; and with their vjp.
local Z, W = astype(randn(g, 8, 512, 64), 'f32'), astype(randn(g, 8, 512, 64), 'f32')
local function turned(x)
  for _ = 1, 8 do x = rope(x, {layout = 'half'}) end
  return x
end
function ropes() return turned(Z) end
function ropes_traced() return vjp(function(x) turned(x) return x end, Z, W) end
function ropes_back() return vjp(turned, Z, W) end
