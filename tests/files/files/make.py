"""Writes the files beside it with NumPy; run as: /usr/bin/python3 tests/files/files/make.py

The files in the repository were written by NumPy 1.24.2 on Python 3.11.2 (Debian 12). Element k in row-major order is
(k - 2) * 3 for signed integers, 7 k for unsigned ones, 0.75 (k - 2) for floating ones, k - 0.5i k for complex ones and
"k is a multiple of 3" for bool; test_files.c holds them against these formulas.
"""
import io
import os
import zipfile

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def array(descr, shape):
    t = np.dtype(descr)
    k = np.arange(int(np.prod(shape)))
    v = {"b": k % 3 == 0, "i": (k - 2) * 3, "u": 7 * k, "f": 0.75 * (k - 2), "c": k - 0.5j * k}[t.kind]
    return v.astype(t).reshape(shape)


def path(name):
    return os.path.join(here, name)


class Pipe(io.RawIOBase):
    """Cannot seek, so sizes follow the data."""

    def __init__(self, f):
        self.f = f

    def writable(self):
        return True

    def write(self, b):
        return self.f.write(b)


np.save(path("fortran.npy"), np.asfortranarray(array("<f8", (2, 3, 4))))
np.save(path("big.npy"), array(">f4", (5,)))
for version in 2, 3:
    with open(path("version%d.npy" % version), "wb") as f:
        np.lib.format.write_array(f, array("<f8", (2, 3)), version=(version, 0))
np.save(path("scalar.npy"), np.float64(2.5))
np.save(path("empty.npy"), np.zeros((0, 3)))
types = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
both = {t + o: array(c + t, (2, 3)) for t in types for o, c in (("", "<"), ("_big", ">"))}
np.savez(path("types.npz"), **both)
np.savez_compressed(path("deflated.npz"), a=array("<f8", (20, 30)), **{"位": array("<i4", (4,))})
with open(path("streamed.npz"), "wb") as f:
    np.savez_compressed(Pipe(f), a=array("<f8", (20, 30)), b=array("<f4", (3,)))
# What an archive beyond 4 GB looks like, small: every number that can stand in 64 bits stands there, and all ones where it had 32.
zipfile.ZIP64_LIMIT = -1
zipfile.ZIP_FILECOUNT_LIMIT = 0
np.savez(path("wide.npz"), a=array("<f8", (2, 3)), b=array("<f4", (3,)))
with open(path("wide.npz"), "r+b") as f:
    f.seek(-14, os.SEEK_END)  # zipfile leaves the true numbers in the end record
    f.write(b"\xff" * 12)
