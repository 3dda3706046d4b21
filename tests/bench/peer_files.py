"""The rows of bench_files.c in NumPy. Reading a file of the size of one tensor stands for "disk speed": a plain read into memory
that is allocated for it. np.save does not sync; npy_write beside it does, so NumPy is timed with os.fsync as well."""
import os
import shutil
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError as e:
    print("missing numpy", e)
    sys.exit(0)

folder = tempfile.mkdtemp()
path = os.path.join(folder, "x.npy")
half = os.path.join(folder, "h.npy")
raw = os.path.join(folder, "raw")
csv = os.path.join(folder, "x.csv")
a = np.full((1000, 1000), 1.5)
np.save(half, a.astype(np.float16))
np.savetxt(csv, np.random.default_rng(1).standard_normal((10000, 10)), delimiter=",", fmt="%.17g")
with open(raw, "wb") as f:
    f.write(b"\0\0\0\x40" * (10700 * 768))


def save():
    with open(path, "wb") as f:
        np.save(f, a)
        f.flush()
        os.fsync(f.fileno())


rows = [
    ("npy_write", save),
    ("npy_read", lambda: np.load(path)),
    ("npy_half", lambda: np.load(half).astype(np.float32)),
    ("st_read", lambda: np.fromfile(raw, dtype=np.float32)),
    ("csv_read", lambda: np.loadtxt(csv, delimiter=",")),
]
for k in range(8):
    for name, f in rows:
        began = time.perf_counter()
        z = f()
        if k:
            print(name, "numpy", "%.12f" % (time.perf_counter() - began))
        del z
shutil.rmtree(folder)
