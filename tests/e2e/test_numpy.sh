#!/bin/sh
# Files between phasor and the NumPy that is on this machine (Debian's, /usr/bin/python3): values both ways, to the last bit.
# Without NumPy the first case is skipped, and says so; tests/files/files holds what a NumPy wrote.
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat > make.lua << 'LUA'
g = rng(5)
A, B = randn(g, 7, 5), randn(g, 3, {dtype = "f32"})
write("a.npy", A)
write("v.npy", A.T)
write("h.npy", A, {dtype = "f16"})
write("b.npy", lt(A, 0))
write("c.npy", array{1 + 2 * I, nan, -inf})
write("z.npy", zeros(0, 3))
write("s.npy", 2.5)
write("m.npz", {a = A, ["θ"] = B, b = lt(A, 0)})
write("a.csv", A, {header = {"a", "b", "c", "d", "e"}})
LUA
# NumPy reads them, and writes what it read into files of its own making.
cat > answer.py << 'PY'
import numpy as np
a, v, h, b, c, z, s = (np.load(n + ".npy", allow_pickle=False) for n in "avhbczs")
m = np.load("m.npz", allow_pickle=False)
assert a.dtype == "<f8" and a.shape == (7, 5), a
assert v.tobytes() == np.ascontiguousarray(a.T).tobytes()
assert h.dtype == "<f2" and h.tobytes() == a.astype("<f2").tobytes()
assert b.dtype == bool and (b == (a < 0)).all()
assert c.dtype == "<c16" and c[0] == 1 + 2j and np.isnan(c[1]) and c[2] == -np.inf
assert z.shape == (0, 3) and s.shape == () and s == 2.5
assert sorted(m.files) == ["a", "b", "θ"] and m["a"].tobytes() == a.tobytes() and m["θ"].dtype == "<f4"
assert np.loadtxt("a.csv", delimiter=",", skiprows=1).tobytes() == a.tobytes()
np.save("a2.npy", np.asfortranarray(a))
np.save("big.npy", a.astype(">f8"))
np.save("int.npy", np.arange(-3, 4, dtype=np.int16))
np.savez("m2.npz", **m)
np.savez_compressed("m3.npz", **m)
np.savetxt("a2.csv", a, delimiter=",")
PY
cat > check.lua << 'LUA'
A, m = read("a.npy"), read("m.npz")
assert(read("a2.npy") == A and read("big.npy") == A)
assert(read("int.npy") == range(-3, 3))
assert(allclose(read("a2.csv"), A, {rtol = 0, atol = 0}))
for _, file in ipairs {"m2.npz", "m3.npz"} do
  f = read(file)
  assert(#f == 3)
  for name, array in pairs(m) do assert(f[name] == array and f:type(name) == m:type(name), name) end
end
LUA

numpy_reads_ours_and_we_read_numpys() {
    "$phasor" make.lua && /usr/bin/python3 answer.py && "$phasor" check.lua
}
the_checks_can_fail() {
    "$phasor" make.lua
    "$phasor" -e 'write("a2.npy", ones(2)); assert(read("a2.npy") == read("a.npy"))' > /dev/null 2>&1 && echo "1 = a"
    cp a.npy kept.npy
    printf x >> a.npy
    "$phasor" -e 'read("a.npy")' > /dev/null 2>&1 && echo "a byte too many was read"
    mv kept.npy a.npy
}

if /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
    run_cases numpy_reads_ours_and_we_read_numpys the_checks_can_fail
else
    echo "NumPy is not here: /usr/bin/python3 cannot import it"
    echo "[ RUN      ] numpy_reads_ours_and_we_read_numpys"
    echo "[  SKIPPED ] numpy_reads_ours_and_we_read_numpys"
    run_cases the_checks_can_fail
fi
