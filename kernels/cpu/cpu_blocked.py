"""---
title   = "CPU: cache blocks on all cores"
order   = 40
entry   = "cpu_blocked"
teaches = "Blocks of A and B that fit into the caches are reused many times, like shared-memory tiles on a GPU."
origin  = "tutorial 004, where it is named but not written"
requires = []
arithmetic = "fp32"
constraints = []
[host]
threads = "all"
---"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

ROWS = 64  # rows of C per task: the unit that is dealt out to the cores
STRIP = 256  # columns of B side by side in memory: 32 vectors of 8 floats
DEPTH = 32  # rows of a strip at a time: 32 x 256 floats are 32 KB, the size of a first-level cache
# The innermost loop takes 4 rows of A and 2 values of k together; written out in _multiply_panel.


@numba.njit(cache=True, nogil=True)
def _pack_strip(b: Matrix, strips: NDArray[np.float32], s: int) -> None:
    """Copy columns s·STRIP … of B into strips[s], which is zero where B has ended."""
    k_length, n = b.shape
    width = min(STRIP, n - s * STRIP)
    for k in range(k_length):
        for j in range(width):
            strips[s, k, j] = b[k, s * STRIP + j]


@numba.njit(cache=True, fastmath={"contract"})
def _multiply_panel(a: Matrix, b: Matrix, c: Matrix, k_begin: int, k_end: int) -> None:
    """c[rows,STRIP] += a[rows,k] · b[k,STRIP] for k_begin <= k < k_end; rows % 4 == 0, k_end % 2 == 0.

    "contract" lets a product and a sum become one fused multiply-add; the order of the sum stays that of k.
    """
    for i in range(0, a.shape[0], 4):
        for k in range(k_begin, k_end, 2):
            # Eight elements of A stay in registers while a strip of two rows of B and four of C passes by.
            a00, a01 = a[i, k], a[i, k + 1]
            a10, a11 = a[i + 1, k], a[i + 1, k + 1]
            a20, a21 = a[i + 2, k], a[i + 2, k + 1]
            a30, a31 = a[i + 3, k], a[i + 3, k + 1]
            for j in range(STRIP):
                b0 = b[k, j]
                b1 = b[k + 1, j]
                c[i, j] = (c[i, j] + a00 * b0) + a01 * b1
                c[i + 1, j] = (c[i + 1, j] + a10 * b0) + a11 * b1
                c[i + 2, j] = (c[i + 2, j] + a20 * b0) + a21 * b1
                c[i + 3, j] = (c[i + 3, j] + a30 * b0) + a31 * b1


@numba.njit(cache=True, nogil=True)
def _multiply_rows(a: Matrix, strips: NDArray[np.float32], c: Matrix, first_row: int) -> None:
    """Rows first_row … first_row + ROWS of C, as far as C has them."""
    m, k_length = a.shape
    n = c.shape[1]
    rows = min(ROWS, m - first_row)
    padded_rows = (rows + 3) // 4 * 4
    padded_k = strips.shape[1]

    # Zeros around the edges make every panel whole, so that the innermost loop needs no bounds checks.
    a_block = np.zeros((padded_rows, padded_k), np.float32)
    for i in range(rows):
        for k in range(k_length):
            a_block[i, k] = a[first_row + i, k]
    c_block = np.empty((padded_rows, STRIP), np.float32)

    for s in range(strips.shape[0]):
        for i in range(padded_rows):
            for j in range(STRIP):
                c_block[i, j] = np.float32(0)
        for k0 in range(0, padded_k, DEPTH):
            _multiply_panel(a_block, strips[s], c_block, k0, min(k0 + DEPTH, padded_k))
        width = min(STRIP, n - s * STRIP)
        for i in range(rows):
            for j in range(width):
                c[first_row + i, s * STRIP + j] = c_block[i, j]


@numba.njit(cache=True, nogil=True, parallel=True)
def _multiply(a: Matrix, b: Matrix, c: Matrix) -> None:
    m, k_length = a.shape
    n = b.shape[1]
    strips = np.zeros(((n + STRIP - 1) // STRIP, (k_length + 1) // 2 * 2, STRIP), np.float32)
    for s in numba.prange(strips.shape[0]):
        _pack_strip(b, strips, s)
    for block in numba.prange((m + ROWS - 1) // ROWS):
        _multiply_rows(a, strips, c, block * ROWS)


def cpu_blocked(a: Matrix, b: Matrix, c: Matrix, threads: int) -> None:
    """Fill c[m,n] with a[m,k] · b[k,n] on at most `threads` threads."""
    before = numba.get_num_threads()
    numba.set_num_threads(max(1, min(threads, numba.config.NUMBA_NUM_THREADS)))
    try:
        _multiply(a, b, c)
    finally:
        numba.set_num_threads(before)
