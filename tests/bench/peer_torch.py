"""The rows of bench_lua.c that NumPy lacks, in PyTorch: the same inputs, the same number of calls in a sample."""
import sys
import time

try:
    import torch
except ImportError as e:
    print("missing torch", e)
    sys.exit(0)

SAMPLES = 5
x = torch.linspace(0.001, 3, 1000000, dtype=torch.float64)
rows = [("erf", 10, x), ("erf_f32", 10, x.float())]
for k in range(SAMPLES + 1):
    for name, times, values in rows:
        began = time.perf_counter()
        for _ in range(times):
            z = torch.erf(values)
        if k:
            print(name, "torch", "%.12f" % ((time.perf_counter() - began) / times))
