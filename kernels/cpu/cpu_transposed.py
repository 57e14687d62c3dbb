"""---
title   = "CPU: B transposed first"
order   = 30
entry   = "cpu_transposed"
teaches = "Transposing B first costs K x N moves. After that, every dot product reads both operands contiguously."
origin  = "tutorial 004, cpuSgemm_2"
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

    # The transposition belongs to the work and to the time.
    b_columns = np.empty((n, k_length), np.float32)
    for k in range(k_length):
        for j in range(n):
            b_columns[j, k] = b[k, j]

    for i in range(m):
        for j in range(n):
            # The sum keeps its order, so it cannot be split over the lanes of a vector instruction.
            acc = np.float32(0)
            for k in range(k_length):
                acc += a[i, k] * b_columns[j, k]
            c[i, j] = acc


def cpu_transposed(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Fill c[m,n] with a[m,k] · b[k,n] on one thread, whatever `threads` says."""
    del threads
    _multiply(a, b, c)
