"""A NumPy column as the bytes of a .npy file and back, without trusting a word of its header."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_PLAIN_KINDS = "iuf"
"""Whole numbers and floats. An object array would be unpickled, that is, executed."""


class ArrayError(ValueError):
    """An array that a session cannot hold, or an entry that is not the array it is said to be."""


def pack_array(array: Array) -> bytes:
    """The .npy file of a column of shape (n,), little-endian on every platform.

    Raises:
        ArrayError: it has another number of dimensions, or holds no plain numbers.
    """
    if array.ndim != 1:
        raise ArrayError(f"has shape {array.shape}: a session holds columns of shape (n,)")
    _check_dtype(array.dtype)
    buffer = io.BytesIO()
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def unpack_array(data: bytes) -> Array:
    """The column that `pack_array` packed, of shape (n,), read-only, in the platform's byte order.

    Raises:
        ArrayError: the data is no .npy file, its type is not a plain number, or its shape and size disagree.
    """
    stream = io.BytesIO(data)
    try:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ArrayError("is no .npy file of version 1.0")
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    except ArrayError:
        raise
    except (ValueError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError, Warning) as error:
        raise ArrayError("has no readable .npy header") from error
    _check_dtype(dtype)
    payload = memoryview(data)[stream.tell() :]
    if len(shape) != 1:
        raise ArrayError(f"has shape {shape}: a session holds columns of shape (n,)")
    if math.prod(shape) * dtype.itemsize != len(payload):
        raise ArrayError(f"claims {shape[0]} elements of {dtype} and holds {len(payload)} bytes")
    column = np.frombuffer(payload, dtype=dtype).astype(dtype.newbyteorder("="))  # a copy, and so aligned
    column.setflags(write=False)
    return column


def dtype_word(array: Array) -> str:
    """The type of the elements as a manifest states it, the same on every platform: "<f8"."""
    return str(array.dtype.newbyteorder("<").str)


def _check_dtype(dtype: np.dtype[Any]) -> None:
    if dtype.kind not in _PLAIN_KINDS or dtype.itemsize > 8:
        raise ArrayError(f"holds {dtype}: only whole numbers and floats of up to 64 bits belong in a session")
