"""---
title   = "cuBLAS, bfloat16"
order   = 360
entry   = "cublas_bf16"
teaches = "A and B in bfloat16: half the bytes, twice the rate of TF32, inputs of 8 bits. Sums stay in float32."
origin  = "written for the ladder: NVIDIA's cuBLAS as a peer, in bfloat16"
requires = ["cuda", "sm_80"]
operands = "bfloat16"
arithmetic = "bf16"
constraints = []
[library]
name = "cuBLAS"
---"""

from __future__ import annotations

from gemmviz.backends.cuda.blas import Blas, cublas
from gemmviz.domain.terms import Arithmetic, Element


def cublas_bf16(stream: int) -> Blas:
    """C[m,n] = A[m,k] · B[k,n], inputs in bfloat16, sums in float32."""
    return cublas(stream, Arithmetic.BF16, Element.BFLOAT16)
