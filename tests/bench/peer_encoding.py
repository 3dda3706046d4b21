"""The rows of bench_encoding.c in NumPy and PyTorch. `faster` is the one with the lower median in this run."""
import math
import statistics
import sys
import time

SAMPLES = 7
T, D = 8192, 512


def measure(id, side, f):
    f()
    taken = []
    for _ in range(SAMPLES):
        began = time.perf_counter()
        f()
        taken.append(time.perf_counter() - began)
    for t in taken:
        print(id, side, "%.9f" % t)
    return taken


def fastest(id, runs):
    for t in min(runs, key=statistics.median, default=[]):
        print(id, "faster", "%.9f" % t)


def numpy_sinusoid(np, dtype):
    theta = 10000.0 ** (-np.arange(0, D, 2) / D)

    def f():
        angle = np.arange(T, dtype=dtype)[:, None] * theta.astype(dtype)
        out = np.empty((T, D), dtype)
        np.sin(angle, out=out[:, 0::2])
        np.cos(angle, out=out[:, 1::2])
        return out

    return f


def torch_sinusoid(torch, dtype):
    theta = 10000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)

    def f():
        angle = torch.arange(T, dtype=dtype)[:, None] * theta.to(dtype)
        return torch.stack((angle.sin(), angle.cos()), -1).reshape(T, D)

    return f


def rotations(torch):
    x = torch.full((32, 4096, 128), 0.5)
    angle = torch.arange(4096.0)[:, None] * 10000.0 ** (-torch.arange(0, 128, 2) / 128)
    turn = torch.polar(torch.ones_like(angle), angle)
    cos, sin = torch.cat((angle.cos(), angle.cos()), -1), torch.cat((angle.sin(), angle.sin()), -1)

    def pairs():
        return torch.view_as_real(torch.view_as_complex(x.reshape(32, 4096, 64, 2)) * turn).reshape(x.shape)

    def half():
        return x * cos + torch.cat((-x[..., 64:], x[..., :64]), -1) * sin

    measure("rope_pairs", "torch", pairs)
    measure("rope_half", "torch", half)


def t5_bucket(log, where, ahead):
    """32 buckets, bidirectional, distances up to 128 told apart."""
    far = abs(ahead)
    large = 8 + (log(where(far < 8, 8, far) / 8) / math.log(16) * 8)
    large = where(large > 15, 15, large)
    return 16 * (ahead > 0) + where(far < 8, far, large)


def numpy_t5(np):
    table = np.full((32, 12), 0.5, np.float32)

    def f():
        ahead = np.arange(1024)[None, :] - np.arange(1024)[:, None]
        bucket = t5_bucket(np.log, np.where, ahead).astype(np.int64)
        return np.ascontiguousarray(table[bucket].transpose(2, 0, 1))

    return f


def torch_t5(torch):
    table = torch.full((32, 12), 0.5)

    def where(condition, a, b):
        a, b = (torch.as_tensor(v) for v in (a, b))
        return torch.where(condition, a.to(torch.float32), b.to(torch.float32))

    def f():
        ahead = torch.arange(1024)[None, :] - torch.arange(1024)[:, None]
        bucket = t5_bucket(torch.log, where, ahead).long()
        return torch.nn.functional.embedding(bucket, table).permute(2, 0, 1).contiguous()

    return f


def relative(torch):
    q = torch.full((8, 1024, 64), 0.5)
    table, W, u = torch.full((41, 64), 0.5), torch.full((64, 64), 0.5), torch.full((8, 1, 64), 0.5)
    theta = 10000.0 ** (-torch.arange(0, 64, 2) / 64)

    def shaw():
        """Products with the 41 rows, then a look-up; a vector for each pair of positions takes many times longer."""
        at = torch.arange(1024)
        row = (at[None, :] - at[:, None]).clamp(-20, 20) + 20
        return (q @ q.transpose(1, 2) + (q @ table.T).gather(2, row.expand(8, 1024, 1024))) / 8

    def xl():
        """The shift trick, both triangles kept as far as it gives them."""
        angle = torch.arange(1023, -1, -1.0)[:, None] * theta
        R = torch.cat((angle.sin(), angle.cos()), -1) @ W
        by_distance = (q + u) @ R.T
        shifted = torch.cat((torch.zeros(8, 1024, 1), by_distance), -1).view(8, 1025, 1024)[:, 1:]
        return ((q + u) @ q.transpose(1, 2) + shifted) / 8

    measure("shaw", "torch", shaw)
    measure("xl", "torch", xl)


def load(name):
    try:
        module = __import__(name)
    except ImportError as e:
        print("missing", name, e)
        return None
    print("note", name, module.__version__)
    return module


np, torch = load("numpy"), load("torch")
for id, dtype in (("sin_f64", "float64"), ("sin_f32", "float32")):
    runs = []
    if np:
        runs.append(measure(id, "numpy", numpy_sinusoid(np, getattr(np, dtype))))
    if torch:
        runs.append(measure(id, "torch", torch_sinusoid(torch, getattr(torch, dtype))))
    fastest(id, runs)
if torch:
    rotations(torch)
    relative(torch)
fastest("t5", [measure("t5", *side) for side in
               ([("numpy", numpy_t5(np))] if np else []) + ([("torch", torch_t5(torch))] if torch else [])])
sys.exit(0)
