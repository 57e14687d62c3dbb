"""What a CPU can do at most, on all its threads: copies, float32 multiply-adds in registers, and products by a BLAS."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Matrix = NDArray[np.float32]

ELEMENTS = 2048
"""Numbers that a thread works on: they stay in its first-level cache."""
CHAIN = 16
"""Multiply-adds of a number between its load and its store: most of the work, while several chains overlap."""
ROUNDS_PER_K = 16
"""Rounds over the numbers for each K."""

_POOLS = ThreadpoolController()


@numba.njit(cache=True, nogil=True, fastmath={"contract"})
def _chains(values: Matrix, rounds: int, factor: np.float32, addend: np.float32) -> None:
    """values = values · factor + addend, CHAIN times in each round; "contract" makes each one fused multiply-add.

    Four numbers are taken together, since a multiply-add waits for the one before it in its chain.
    """
    quarter = values.size // 4
    for _ in range(rounds):
        for j in range(quarter):
            v0 = values[j]
            v1 = values[j + quarter]
            v2 = values[j + 2 * quarter]
            v3 = values[j + 3 * quarter]
            for _ in range(CHAIN):
                v0 = v0 * factor + addend
                v1 = v1 * factor + addend
                v2 = v2 * factor + addend
                v3 = v3 * factor + addend
            values[j] = v0
            values[j + quarter] = v1
            values[j + 2 * quarter] = v2
            values[j + 3 * quarter] = v3


def fma_rate(a: Matrix, b: Matrix, c: Matrix, threads: int) -> None:
    """ROUNDS_PER_K · K rounds of CHAIN multiply-adds of ELEMENTS numbers of A in each thread; its results go to C.

    Factor and addend are the first two numbers of B.
    """
    given, results = a.reshape(-1), c.reshape(-1)
    factor, addend = b.reshape(-1)[:2]

    def work(thread: int) -> None:
        part = slice(thread * ELEMENTS, (thread + 1) * ELEMENTS)
        results[part] = given[part]
        _chains(results[part], ROUNDS_PER_K * a.shape[1], factor, addend)

    _on_all(threads, work)


def copy(a: Matrix, b: Matrix, c: Matrix, threads: int) -> None:
    """C = A, each thread a part."""
    del b
    given, results = a.reshape(-1), c.reshape(-1)
    ends = np.linspace(0, given.size, threads + 1).astype(np.intp)
    _on_all(threads, lambda one: np.copyto(results[ends[one] : ends[one + 1]], given[ends[one] : ends[one + 1]]))


def blas(a: Matrix, b: Matrix, c: Matrix, threads: int) -> None:
    """C = A·B by NumPy's BLAS."""
    with _POOLS.limit(limits=threads, user_api="blas"):
        np.matmul(a, b, out=c)


def _on_all(threads: int, work: Callable[[int], None]) -> None:
    """Do the work of each thread by its number, all at once."""
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(partial(work, thread)) for thread in range(threads)]:
            done.result()
