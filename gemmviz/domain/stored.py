"""Matrices as they lie in the device's memory, and back: element types, and row by row or column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.kernels.call import Call, Storage, size_of
from gemmviz.domain.kernels.initial_c import initial_c
from gemmviz.domain.operands import Operands, as_bfloat16
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, InitialC, Layout

DTYPES: dict[Element, type[np.generic]] = {
    Element.FLOAT32: np.float32,
    Element.HALF: np.float16,
    Element.BFLOAT16: np.uint16,
    Element.DOUBLE: np.float64,
}
"""What NumPy calls the elements; of bfloat16 it has the bits."""


def stored(matrix: NDArray[np.float32], storage: Storage) -> NDArray[Any]:
    """A matrix of shape (rows, columns) as it is stored: contiguous, rounded to nearest, of shape (columns, rows) where
    its columns are contiguous. A matrix that is stored as it is, is not copied.
    """
    turned = np.ascontiguousarray(matrix.T if storage.layout is Layout.COLUMN else matrix)
    if storage.element is Element.BFLOAT16:
        return as_bfloat16(turned)
    with np.errstate(over="ignore"):  # what half cannot hold becomes infinite
        return turned.astype(DTYPES[storage.element], copy=False)


def values_of(array: NDArray[Any], storage: Storage) -> NDArray[Any]:
    """The values of a stored matrix of shape (…, rows, columns), or (…, columns, rows) where its columns are
    contiguous: contiguous float32, or float64 where its elements are double, row by row.
    """
    if storage.element is Element.BFLOAT16:
        array = (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    elif storage.element is Element.HALF:
        array = array.astype(np.float32)
    return np.ascontiguousarray(array.swapaxes(-1, -2) if storage.layout is Layout.COLUMN else array)


def rounded(values: NDArray[Any], element: Element) -> NDArray[Any]:
    """Each value as such elements hold it: float32, or float64 where they are double."""
    if element in (Element.FLOAT32, Element.DOUBLE):
        return values.astype(DTYPES[element], copy=False)
    if element is Element.HALF:
        return values.astype(np.float16).astype(np.float32)
    bits = as_bfloat16(np.ascontiguousarray(values, np.float32)).astype(np.uint32) << np.uint32(16)
    return bits.view(np.float32)


def empty_result(call: Call, shape: Shape, sums: int) -> NDArray[Any]:
    """The result's array before a launch where it begins undefined: poison, as often as there are partial sums."""
    storage = call.storage(call.result)
    return initial_c(_stored_size(call.result, shape, storage, sums), InitialC.UNDEFINED, storage.element)


def begun(call: Call, shape: Shape, sums: int, operands: Operands) -> dict[str, NDArray[Any]]:
    """C and, where the result is D, D as a launch finds them."""
    storage = call.storage("C")
    if call.c_begins is InitialC.RANDOM:
        c = stored(operands.random_c(), storage)[np.newaxis]
    else:
        c = initial_c(_stored_size("C", shape, storage, sums), call.c_begins, storage.element)
    return {"C": c, "D": empty_result(call, shape, sums)} if call.has_d else {"C": c}


def _stored_size(name: str, shape: Shape, storage: Storage, sums: int) -> tuple[int, int, int]:
    rows, columns = size_of(name, shape)
    return (sums, rows, columns) if storage.layout is Layout.ROW else (sums, columns, rows)
