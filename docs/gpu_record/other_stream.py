"""A kernel of the catalogue on a stream that another library made: enqueued by the driver itself, not timed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace

from gemmviz.backends.argument_bytes import values_of
from gemmviz.backends.base import Argument, Source, address_of
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.driver import CudaLibrary
from gemmviz.backends.cuda.library_call import call_of
from gemmviz.domain.spec import Launch

_MAX_DYNAMIC_SHARED = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES."""

Once = Callable[[], None]
"""Enqueues one launch and returns."""


def compiled_on(library: CudaLibrary, built: Built, launch: Launch, arguments: Sequence[Argument], stream: int) -> Once:
    """A compiled kernel on a stream, given by its handle; the primary context is current.

    Raises:
        CudaCallError: the driver does not take it.
    """
    handle = library.load_function(built.cubin, built.symbol)
    library.set_attribute(handle, _MAX_DYNAMIC_SHARED, launch.dynamic_shared_bytes)
    values = values_of(arguments, address_of, library.tensor_map)
    return partial(library.launch, handle, launch, values, stream)


def library_on(source: Source, arguments: Sequence[Argument], stream: int) -> Once:
    """A call of the vendor's library on a stream, given by its handle; the primary context is current.

    Raises:
        CompileError, BackendError: the file or the library is not as it should be.
    """
    return partial(call_of(source, SimpleNamespace(handle=stream)).run, arguments)
