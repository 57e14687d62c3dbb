"""---
title   = "CPU: NumPy's BLAS"
order   = 50
entry   = "cpu_blas"
teaches = "A tuned library shows what the same processor can do. Every other CPU time is compared with it."
origin  = "written as a peer for the CPU kernels of tutorials 000, 003 and 004"
requires = []
arithmetic = "fp32"
constraints = []
[host]
threads = "all"
---"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

_POOLS = ThreadpoolController()  # looked up once: the search takes longer than a small product
_NAMES = {"openblas": "OpenBLAS", "mkl": "MKL", "blis": "BLIS", "flexiblas": "FlexiBLAS"}


def cpu_blas(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Fill c[m,n] with a[m,k] · b[k,n] by np.matmul, on at most `threads` threads."""
    with _POOLS.limit(limits=threads, user_api="blas"):
        np.matmul(a, b, out=c)


def describe(threads: int) -> str:
    """Which BLAS does the work, and on how many threads: "OpenBLAS 0.3.28, 2 threads"."""
    with _POOLS.limit(limits=threads, user_api="blas"):
        libraries = [pool for pool in _POOLS.info() if pool["user_api"] == "blas"]
    if not libraries:
        return "a BLAS that does not give its name"
    # Where SciPy has brought a second one, NumPy's own lies in numpy.libs (or in NumPy's folder).
    library = next((pool for pool in libraries if "numpy" in pool["filepath"]), libraries[0])
    name = _NAMES.get(library["internal_api"], library["internal_api"])
    used = library["num_threads"]
    return f"{name} {library['version'] or '(version unknown)'}, {used} thread{'s' if used != 1 else ''}"
