"""---
title   = "cuBLAS, float32"
order   = 179
entry   = "cublas_fp32"
teaches = "NVIDIA's own library in the same arithmetic. Every kernel before it is compared with this one."
origin  = "written for the ladder: NVIDIA's cuBLAS as a peer, TF32 off"
requires = ["cuda"]
arithmetic = "fp32"
constraints = []
[library]
name = "cuBLAS"
---"""

from __future__ import annotations

from gemmviz.backends.cuda.blas import Blas, cublas
from gemmviz.domain.terms import Arithmetic


def cublas_fp32(stream: int) -> Blas:
    """C[m,n] = A[m,k] · B[k,n], products and sums in float32."""
    return cublas(stream, Arithmetic.FP32)
