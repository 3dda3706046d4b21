"""The rows of bench_attention.c as they are written in NumPy and PyTorch: softmax(Q K^T / sqrt(d) + mask) V. Where PyTorch has
a fused kernel, that is what is timed. `faster` is the one with the lower median in this run."""
import math
import statistics
import time

SAMPLES = 3
# heads of queries, heads of keys that they share, positions, columns
ROWS = [("attend1024", 8, 8, 1024, 64), ("attend4096", 2, 2, 4096, 64), ("attend512", 32, 32, 512, 128),
        ("attend_gqa", 32, 8, 1024, 64)]


BACK = "attend_back"  # as the first row, with the derivatives
times = {name: {} for name in [name for name, *_ in ROWS] + [BACK]}


def samples(side, name, f):
    f()
    for _ in range(SAMPLES):
        began = time.perf_counter()
        f()
        t = time.perf_counter() - began
        times[name].setdefault(side, []).append(t)
        print(name, side, "%.12f" % t)


def numpy_rows():
    import numpy as np
    g = np.random.default_rng(1)
    for name, H, keys, T, d in ROWS:
        Q, K, V = (g.standard_normal((h, T, d), dtype=np.float32) for h in (H, keys, keys))
        K, V = (np.repeat(x, H // keys, 0) for x in (K, V))
        mask = np.triu(np.full((T, T), -np.inf, dtype=np.float32), 1)

        def attend():
            s = Q @ K.transpose(0, 2, 1)
            s *= np.float32(1 / math.sqrt(d))
            s += mask
            s -= s.max(-1, keepdims=True)
            np.exp(s, out=s)
            s /= s.sum(-1, keepdims=True)
            return s @ V
        samples("numpy", name, attend)


def torch_rows():
    import torch
    print("note PyTorch", torch.__version__, "with", torch.get_num_threads(), "threads")
    fused = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
    torch.manual_seed(1)
    for name, H, keys, T, d in ROWS:
        Q, K, V = (torch.randn(1, h, T, d) for h in (H, keys, keys))
        K, V = (x.repeat_interleave(H // keys, 1) for x in (K, V))
        mask = torch.full((T, T), -math.inf).triu(1)

        def attend():
            if fused:
                return fused(Q, K, V, is_causal=True)
            return torch.softmax(torch.matmul(Q, K.transpose(-1, -2)).mul_(1 / math.sqrt(d)).add_(mask), -1) @ V
        with torch.no_grad():
            samples("torch", name, attend)
    if not fused:
        return
    Q, K, V, w = (torch.randn(1, 8, 1024, 64, requires_grad=k < 3) for k in range(4))
    samples("torch", BACK, lambda: torch.autograd.grad(fused(Q, K, V, is_causal=True), (Q, K, V), w))


for side, rows in (("numpy", numpy_rows), ("torch", torch_rows)):
    try:
        rows()
    except ImportError as e:
        print("missing", side, e)

for name, sides in times.items():
    for t in min(sides.values(), key=statistics.median, default=[]):
        print(name, "faster", "%.12f" % t)
