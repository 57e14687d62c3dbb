"""---
title   = "CPU: loops in the order i, k, j"
order   = 20
entry   = "cpu_ikj"
teaches = "With the inner loops exchanged, B and C are read along their rows, so vector instructions can be used."
origin  = "tutorial 004, cpuSgemm_1"
requires = []
arithmetic = "fp32"
constraints = []
[host]
threads = "one"
---"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def _multiply(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    m, k_length = a.shape
    n = b.shape[1]
    for i in range(m):
        for j in range(n):
            c[i, j] = np.float32(0)
        for k in range(k_length):
            # One element of A meets a whole row of B. Each c[i, j] still adds its products in the order of k,
            # so the result is the same to the last bit as with the loops in the order i, j, k.
            a_ik = a[i, k]
            for j in range(n):
                c[i, j] += a_ik * b[k, j]


def cpu_ikj(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Fill c[m,n] with a[m,k] · b[k,n] on one thread, whatever `threads` says."""
    del threads
    _multiply(a, b, c)
