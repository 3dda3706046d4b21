"""The rows of bench_lua.c in NumPy: the same inputs, the same number of calls in a sample."""
import sys
import time

try:
    import numpy as np
except ImportError as e:
    print("missing numpy", e)
    sys.exit(0)

SAMPLES = 5
x = np.linspace(0.001, 3, 1000000)
y = np.linspace(2, 1, 1000000)
u, v = x.astype(np.float32), y.astype(np.float32)
A = np.array([[1, 2], [3, 4.0]])
B = np.array([[0.5, 1], [-1, 2]])
M = np.linspace(-1, 1, 1000000).reshape(1000, 1000)
shuffled = np.random.default_rng(1).random(1000000)
shuffled_f32 = shuffled.astype(np.float32)
rows = [
    ("add", 20, lambda: x + y),
    ("mul", 20, lambda: x * y),
    ("div", 20, lambda: x / y),
    ("sqrt", 20, lambda: np.sqrt(x)),
    ("exp", 10, lambda: np.exp(x)),
    ("log", 10, lambda: np.log(x)),
    ("sin", 10, lambda: np.sin(x)),
    ("cos", 10, lambda: np.cos(x)),
    ("tan", 10, lambda: np.tan(x)),
    ("sigm", 10, lambda: 1 / (1 + np.exp(-x))),
    ("pow", 10, lambda: x ** y),
    ("tanh", 10, lambda: np.tanh(x)),
    ("exp_f32", 10, lambda: np.exp(u)),
    ("log_f32", 10, lambda: np.log(u)),
    ("sine_f32", 10, lambda: np.sin(u)),
    ("cos_f32", 10, lambda: np.cos(u)),
    ("tan_f32", 10, lambda: np.tan(u)),
    ("tanh_f32", 10, lambda: np.tanh(u)),
    ("sigm_f32", 10, lambda: 1 / (1 + np.exp(-u))),
    ("pow_f32", 10, lambda: u ** v),
    ("sum", 40, lambda: np.sum(x)),
    ("sort", 1, lambda: np.sort(shuffled)),
    ("sort_f32", 1, lambda: np.sort(shuffled_f32)),
    ("mm2", 50000, lambda: A @ B),
    ("mm1000", 1, lambda: M @ M),
]


def blas_core():
    """What OpenBLAS says of its kernels, asked of the file that NumPy has opened."""
    import ctypes
    np.ones((2, 2)) @ np.ones((2, 2))
    for line in open("/proc/self/maps"):
        path = line.split()[-1]
        if "blas" in path and ".so" in path:
            try:
                f = ctypes.CDLL(path).openblas_get_corename
            except (OSError, AttributeError):
                continue
            f.restype = ctypes.c_char_p
            return f().decode()
    return "of an unknown core"


print("note NumPy", np.__version__, "on Python", sys.version.split()[0] + ", BLAS", blas_core())
for k in range(SAMPLES + 1):
    for name, times, f in rows:
        if k == 0:
            f()
            continue
        began = time.perf_counter()
        for _ in range(times):
            z = f()
        print(name, "numpy", "%.12f" % ((time.perf_counter() - began) / times))
