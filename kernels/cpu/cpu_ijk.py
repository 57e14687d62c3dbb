"""---
title   = "CPU: three loops"
order   = 10
entry   = "cpu_ijk"
teaches = "The definition: a row of A times a column of B. Each step down the column skips a whole row of memory."
origin  = "tutorials 000, 003 and 004, CPU reference"
requires = []
arithmetic = "fp32"
constraints = []
[host]
threads = "one"
reference = true
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
            # A float32 sum: every addition rounds as it does on a GPU, in the order of k.
            acc = np.float32(0)
            for k in range(k_length):
                acc += a[i, k] * b[k, j]
            c[i, j] = acc


def cpu_ijk(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Fill c[m,n] with a[m,k] · b[k,n] on one thread, whatever `threads` says."""
    del threads
    _multiply(a, b, c)
