"""The rows of bench_prove.c that SymPy settles in seconds: simplify(lhs - rhs) == 0, its cache cleared first."""
import sys
import time

try:
    import sympy
except ImportError as e:
    print("missing sympy", e)
    sys.exit(0)

from sympy import cos, sin, simplify, symbols

a, b, t, k = symbols("a b t k", real=True)
n = symbols("n", real=True)
K, B, D = symbols("K B D", positive=True)
w = symbols("w1:5", real=True)
rows = [
    ("prove_sin", sin(a + b) - sin(a) * cos(b) - cos(a) * sin(b)),
    ("prove_in8", sum(sin(x * t) * sin(x * (t + k)) + cos(x * t) * cos(x * (t + k)) - cos(x * k) for x in w)),
    ("prove_ntk", n / (K ** (2 / (D - 2)) * B) ** (D / 2 - 1) - (n / K) / B ** (D / 2 - 1)),
]
print("note SymPy", sympy.__version__, "on Python", sys.version.split()[0])
for name, f in rows:
    sympy.core.cache.clear_cache()
    began = time.perf_counter()
    zero = simplify(f) == 0
    print(name, "sympy", "%.12f" % (time.perf_counter() - began))
    if not zero:
        print("note SymPy leaves", name, "undecided")
