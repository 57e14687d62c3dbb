"""Tagged inputs: matrices whose elements say which element they are, so that a copy of one says where it came from.

Element e of A holds the bit pattern e + 1, element e of B the same with the top bit set; a stored zero stays
recognisable as padding. A second tagging counts backwards: a computed value would have to decode to the same element
under both to be mistaken for a copy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import OTHER, PADDING, UNWRITTEN
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.trace.recording_text import UNWRITTEN_BITS

_TOP = np.uint32(0x80000000)
MOST_ELEMENTS = (UNWRITTEN_BITS & 0x7FFFFFFF) - 1
"""Elements of one matrix that can be told apart from each other and from memory that was never written."""


class TagRefusal(ValueError):
    """A matrix with more elements than there are tags; the message has the numbers."""


def tagged(shape: Shape, backwards: bool) -> Operands:
    """A and B as tags, float32 bit patterns; never to be computed with.

    Raises:
        TagRefusal: a matrix has more than MOST_ELEMENTS elements.
    """
    for name, count in (("A", shape.m * shape.k), ("B", shape.k * shape.n)):
        if count > MOST_ELEMENTS:
            raise TagRefusal(
                f"{name} of {shape} has {count} elements, and at most {MOST_ELEMENTS} can be told apart: "
                "choose a smaller size"
            )
    a = _tags(shape.m * shape.k, backwards).view(np.float32).reshape(shape.m, shape.k)
    b = (_tags(shape.k * shape.n, backwards) | _TOP).view(np.float32).reshape(shape.k, shape.n)
    return Operands(a, b)


def decode(
    forwards: NDArray[np.uint32], backwards: NDArray[np.uint32], shape: Shape
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """What words copied from two tagged runs hold: element index (or UNWRITTEN, PADDING, OTHER) and matrix, 0 A, 1 B.

    Both results have the shape of the words.
    """
    matrix = (forwards >= _TOP).astype(np.int8)
    counts = np.where(matrix == 0, shape.m * shape.k, shape.k * shape.n)
    first = (forwards & ~_TOP).astype(np.int64) - 1
    second = counts - (backwards & ~_TOP).astype(np.int64)
    copied = (first == second) & (first >= 0) & (first < counts) & ((forwards ^ backwards) < _TOP)
    origin = np.where(copied, first, OTHER)
    origin[(forwards == 0) & (backwards == 0)] = PADDING
    origin[(forwards == UNWRITTEN_BITS) & (backwards == UNWRITTEN_BITS)] = UNWRITTEN
    return origin, matrix


def _tags(count: int, backwards: bool) -> NDArray[np.uint32]:
    tags = np.arange(1, count + 1, dtype=np.uint32)
    return np.ascontiguousarray(tags[::-1]) if backwards else tags
