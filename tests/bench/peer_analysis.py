"""The decay curve of bench_analysis.c in NumPy and PyTorch. `faster` is the one with the lower median in this run."""
import statistics
import sys
import time

SAMPLES = 7
N, D = 65536, 128


def measure(side, f):
    f()
    taken = []
    for _ in range(SAMPLES):
        began = time.perf_counter()
        f()
        taken.append(time.perf_counter() - began)
    for t in taken:
        print("decay", side, "%.9f" % t)
    return taken


def numpy_curve(np):
    theta = 10000.0 ** (-np.arange(0, D, 2) / D)

    def whole():
        return np.cos(np.arange(N)[:, None] * theta).sum(1)

    def by_pair():  # stays in the caches
        k, out = np.arange(N, dtype=float), np.zeros(N)
        for t in theta:
            out += np.cos(k * t)
        return out

    return whole, by_pair


def torch_curve(torch):
    theta = 10000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)

    def whole():
        return (torch.arange(N, dtype=torch.float64)[:, None] * theta).cos().sum(1)

    def by_pair():
        k, out = torch.arange(N, dtype=torch.float64), torch.zeros(N, dtype=torch.float64)
        for t in theta:
            out += (k * t).cos()
        return out

    return whole, by_pair


runs = []
for name, forms in (("numpy", numpy_curve), ("torch", torch_curve)):
    try:
        module = __import__(name)
    except ImportError as e:
        print("missing", name, e)
        continue
    print("note", name, module.__version__)
    runs += [measure(name, f) for f in forms(module)]
for t in min(runs, key=statistics.median, default=[]):
    print("decay", "faster", "%.9f" % t)
sys.exit(0)
