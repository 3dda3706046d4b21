-- Programs of test_eval.c, which it names by what stands behind the @.

-- @names_are_as_many_as_results
A, f, o = array{{4, 1}, {1, 3}}, function(x) return (x - 1)^2 end, {steps = 1}
calls = {
  svd = {A}, qr = {A}, eig = {A}, eigh = {A}, slogdet = {A}, lstsq = {A, array{1, 2}}, null_space = {matrix{{1, -1}}},
  solve = {matrix{{1, 2}, {3, 4}}, {5, 6}}, injectivity_margin = {A}, effective_rank = {A}, relativity_deviation = {A},
  longest_context = {64, {train = 128}}, rope_frequencies = {8}, rope_table = {4, 8}, jvp = {f, 2, 1}, vjp = {f, 2, 1},
  lbfgs = {f, 0}, adam = {f, 0, o}, gradient_descent = {f, 0, o},
}
wrong = {}
for name, labels in pairs(require 'phasor.lib.results'.names) do
  local got = calls[name] and table.pack(require 'phasor'[name](table.unpack(calls[name])))
  if not got or got.n ~= #labels then table.insert(wrong, name) end
end
return table.concat(wrong, ' ')
