"""A NumPy column as the bytes of a .npy file and back, without trusting a word of its header."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': (.+?), 'fortran_order': (?:True|False), 'shape': \((.*?)\), \} *\n",
    re.DOTALL,
)
"""A .npy header of version 1.0 as NumPy writes it (numpy.lib.format). NumPy's own reader is too kind for a
file of unknown origin: it takes any Python literal, in the spelling of Python 2 if need be."""

_LONGEST_HEADER = 1024

_PLAIN = re.compile(r"<[iu][248]|<f[248]|\|[iu]1")
"""Whole numbers and floats, little-endian. An object array would be unpickled, that is, executed."""

_LENGTH = re.compile(rb"(\d{1,18}),")


class ArrayError(ValueError):
    """An array that a session cannot hold, or an entry that is not the array it is said to be."""


def pack_array(array: Array) -> bytes:
    """The .npy file of a column of shape (n,), little-endian on every platform.

    Raises:
        ArrayError: it has another number of dimensions, or holds no plain numbers.
    """
    if array.ndim != 1:
        raise ArrayError(f"has shape {array.shape}: a session holds columns of shape (n,)")
    little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    check_dtype(dtype_word(little))
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def unpack_array(data: bytes) -> Array:
    """The column that `pack_array` packed, of shape (n,), read-only, in the platform's byte order.

    Raises:
        ArrayError: the data is no .npy file, its type is not a plain number, or its shape and size disagree.
    """
    header = _HEADER.match(data, 0, _LONGEST_HEADER)
    if header is None:
        raise ArrayError("has no readable .npy header")
    word, shape = header[1].decode("latin-1").strip("'"), header[2].decode("latin-1")
    check_dtype(word)
    length = _LENGTH.fullmatch(header[2])
    if length is None:
        raise ArrayError(f"has shape {shape[:40]!a}: a session holds columns of shape (n,)")
    dtype, count, payload = np.dtype(word), int(length[1]), memoryview(data)[header.end() :]
    if count * dtype.itemsize != len(payload):
        raise ArrayError(f"claims {count} elements of {dtype} and holds {len(payload)} bytes")
    column = np.frombuffer(payload, dtype=dtype).astype(dtype.newbyteorder("="))  # a copy, and so aligned
    column.setflags(write=False)
    return column


def dtype_word(array: Array) -> str:
    """The type of the elements as a manifest states it, the same on every platform: "<f8"."""
    return str(array.dtype.newbyteorder("<").str)


def check_dtype(word: str) -> None:
    """Let only plain numbers pass.

    Raises:
        ArrayError: `word` names another type of elements.
    """
    if _PLAIN.fullmatch(word) is None:
        raise ArrayError(f"holds {word[:40]!a}: only whole numbers and floats of up to 64 bits belong in a session")
