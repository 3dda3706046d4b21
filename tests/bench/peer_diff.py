"""The rows of bench_diff.c in PyTorch: the Hessian of one attention layer with batched tangents, and the gradient of an encoder
block by all its parameters."""
import math
import time

SAMPLES = 5


def samples(name, times, f):
    f()
    for _ in range(SAMPLES):
        began = time.perf_counter()
        for _ in range(times):
            f()
        print(name, "torch", "%.12f" % ((time.perf_counter() - began) / times))


def rows():
    import torch
    torch.manual_seed(1)
    T, d = 8, 16
    Wq, Wk, Wv = (torch.randn(d, d, dtype=torch.float64) / 4 for _ in range(3))
    u, X = torch.randn(d, dtype=torch.float64), torch.randn(T, d, dtype=torch.float64)

    def layer(X):
        a = torch.softmax(X @ Wq @ (X @ Wk).T / math.sqrt(d), -1)
        return (u * torch.tanh(a @ (X @ Wv)).sum(0)).sum()
    samples("hess", 5, lambda: torch.autograd.functional.hessian(layer, X, vectorize=True))

    block = torch.nn.TransformerEncoderLayer(128, 8, 512, dropout=0.0, batch_first=True)
    Y, w = torch.randn(1, 256, 128), torch.randn(1, 256, 128)

    def gradient():
        block.zero_grad(set_to_none=True)
        (w * block(Y)).sum().backward()
    samples("grad_enc", 2, gradient)


try:
    rows()
except ImportError as e:
    print("missing torch", e)
