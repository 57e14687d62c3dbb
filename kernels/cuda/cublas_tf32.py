"""---
title   = "cuBLAS, TF32"
order   = 325
entry   = "cublas_tf32"
teaches = "Where TF32 is allowed, tensor cores multiply inputs of 11 bits and add in float32: faster, less exact."
origin  = "written for the ladder: NVIDIA's cuBLAS as a peer, in TF32"
requires = ["cuda", "sm_80"]
arithmetic = "tf32"
constraints = []
[library]
name = "cuBLAS"
---"""

from __future__ import annotations

from gemmviz.backends.cuda.blas import Blas, cublas
from gemmviz.domain.terms import Arithmetic


def cublas_tf32(stream: int) -> Blas:
    """C[m,n] = A[m,k] · B[k,n], inputs read as TF32, sums in float32."""
    return cublas(stream, Arithmetic.TF32)
