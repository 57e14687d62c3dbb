"""Products by cuBLAS, through nvmath-python's bindings: what a kernel file that names the library is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gemmviz.backends.base import BackendError
from gemmviz.domain.terms import Arithmetic, Element

Multiply = Callable[[int, int, int, int, int, int], None]
"""Enqueues C = A·B: the device addresses of A, B and C, then M, N and K."""

_COMPUTE = {Arithmetic.FP32: 68, Arithmetic.BF16: 68, Arithmetic.TF32: 77}
"""cublasComputeType_t: CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32."""
_DATA_TYPE = {Element.FLOAT32: 0, Element.BFLOAT16: 14}
"""cudaDataType: CUDA_R_32F, CUDA_R_16BF."""
_DEFAULT_MATH = 0
_DEFAULT_ALGORITHM = -1
_AS_IT_IS = 0


class Blas:
    """A handle of cuBLAS in the current context, on one stream."""

    def __init__(self, bindings: Any, stream: int, arithmetic: Arithmetic, element: Element) -> None:
        self._bindings = bindings
        self._handle = bindings.create()
        bindings.set_stream(self._handle, stream)
        bindings.set_math_mode(self._handle, _DEFAULT_MATH)  # TF32 only where it is asked for
        self._compute, self._kind = _COMPUTE[arithmetic], _DATA_TYPE[element]
        self._one, self._zero = np.ones(1, np.float32), np.zeros(1, np.float32)

    @property
    def words(self) -> str:
        """Which it is: "cuBLAS 13.1.0"."""
        version = int(self._bindings.get_version(self._handle))
        return f"cuBLAS {version // 10000}.{version // 100 % 100}.{version % 100}"

    def __call__(self, a: int, b: int, c: int, m: int, n: int, k: int) -> None:
        """C = A·B of row-major matrices: cuBLAS, whose matrices are column-major, is asked for Cᵀ = Bᵀ·Aᵀ."""
        self._bindings.gemm_ex(
            self._handle,
            _AS_IT_IS,
            _AS_IT_IS,
            n,
            m,
            k,
            self._one.ctypes.data,
            b,
            self._kind,
            n,
            a,
            self._kind,
            k,
            self._zero.ctypes.data,
            c,
            _DATA_TYPE[Element.FLOAT32],
            n,
            self._compute,
            _DEFAULT_ALGORITHM,
        )

    def close(self) -> None:
        """Give the handle and its workspace back."""
        self._bindings.destroy(self._handle)


def cublas(stream: int, arithmetic: Arithmetic, element: Element = Element.FLOAT32) -> Blas:
    """cuBLAS on a stream, for inputs of `element` and float32 C.

    Raises:
        BackendError: the bindings or the library are not there; how to get them.
    """
    try:
        from nvmath.bindings import cublas as bindings
    except ImportError as error:
        raise BackendError(
            f"cuBLAS is called through nvmath-python, which cannot be imported ({error}): `pip install nvmath-python`"
        ) from error
    try:
        return Blas(bindings, stream, arithmetic, element)
    except Exception as error:  # the bindings have an error of their own for each library
        raise BackendError(f"cuBLAS cannot be used: {error}. Install the CUDA toolkit's libcublas") from error
