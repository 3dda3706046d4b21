"""The row of bench_train.c in PyTorch, eager: the same model, its fused attention and its fused AdamW, the gradient's norm cut at 1."""
import time

STEPS, FIRST = 8, 2
V, T, B, D, HEADS, HIDDEN, LAYERS = 37, 64, 16, 128, 4, 512, 4


def rows():
    import torch
    from torch.nn import Linear, functional as F
    torch.manual_seed(1)
    dk = D // HEADS
    angles = torch.outer(torch.arange(T), 10000.0 ** (-torch.arange(0, dk, 2) / dk))
    cos, sin = torch.cat([angles.cos()] * 2, -1), torch.cat([angles.sin()] * 2, -1)

    def turned(x):
        return x * cos + torch.cat([-x[..., dk // 2:], x[..., :dk // 2]], -1) * sin

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = torch.nn.LayerNorm(D), torch.nn.LayerNorm(D)
            self.qkv, self.o = Linear(D, 3 * D, bias=False), Linear(D, D, bias=False)
            self.first, self.second = Linear(D, HIDDEN), Linear(HIDDEN, D)

        def forward(self, x):
            q, k, v = (y.view(B, T, HEADS, dk).transpose(1, 2) for y in self.qkv(self.norm1(x)).split(D, -1))
            z = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
            x = x + self.o(z.transpose(1, 2).reshape(B, T, D))
            return x + self.second(F.relu(self.first(self.norm2(x))))

    model = torch.nn.Sequential(torch.nn.Embedding(V, D), *(Block() for _ in range(LAYERS)), torch.nn.LayerNorm(D),
                                Linear(D, V, bias=False))
    adam = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.99), weight_decay=0.01, fused=True)
    ids, targets = torch.randint(V, (B, T)), torch.randint(V, (B * T,))

    def step():
        adam.zero_grad(set_to_none=True)
        F.cross_entropy(model(ids).view(B * T, V), targets).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()

    for k in range(STEPS):
        began = time.perf_counter()
        step()
        if k >= FIRST:
            print("train torch", "%.12f" % (time.perf_counter() - began))


try:
    rows()
except ImportError as e:
    print("missing torch", e)
