"""A kernel of the catalogue that is a call of the vendor's library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gemmviz.backends.base import Argument, EntryError, LaunchError, Source, address_of
from gemmviz.backends.cuda.blas import Blas
from gemmviz.backends.python_file import load_module
from gemmviz.domain.kernels.resources import NO_RESOURCES


class CudaCall:
    """A call of the vendor's library, which enqueues whatever kernels it likes."""

    static_shared_bytes = 0
    resources = NO_RESOURCES

    def __init__(self, blas: Blas) -> None:
        self._blas = blas
        self.last_ms = float("inf")

    @property
    def build(self) -> str:
        return self._blas.words

    def run(self, arguments: Sequence[Argument]) -> None:
        """Enqueue one product.

        Raises:
            LaunchError: the library refuses it.
        """
        a, b, c, m, n, k = arguments
        assert isinstance(m, int)
        assert isinstance(n, int)
        assert isinstance(k, int)
        try:
            self._blas(address_of(a), address_of(b), address_of(c), m, n, k)
        except Exception as error:  # the bindings have an error of their own
            raise LaunchError(f"{self._blas.words} refuses the product: {error}") from error

    def close(self) -> None:
        """Give the library's handle back."""
        self._blas.close()


def call_of(source: Source, stream: Any) -> CudaCall:
    """What a kernel file that names a library calls, on a stream; its context is current.

    Raises:
        CompileError, EntryError: the file cannot be imported, or has no function of the entry's name.
        BackendError: the library is not there.
    """
    function = getattr(load_module(source), source.entry, None)
    if not callable(function):
        raise EntryError(f"{source.path}: the entry {source.entry!r} is not a function of the file")
    return CudaCall(function(int(stream.handle)))
