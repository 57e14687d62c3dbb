"""Tagged inputs: matrices whose elements say which element they are, so that a copy of one says where it came from.

Element e of A holds a bit pattern that grows with e, element e of B the same with the top bit set. As float32 numbers
they are so large that a product of two is far from all of them and never zero: a stored zero stays recognisable as
padding. A second tagging counts backwards: a computed value would have to decode to the same element under both to be
mistaken for a copy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.operands import Operands
from gemmviz.domain.recordings.access import OTHER, PADDING, UNWRITTEN
from gemmviz.domain.shape import Shape

UNWRITTEN_BITS = 0xFFC0DEAD
"""A NaN that stands in a tagged run for shared memory that nobody has written."""
_TOP = np.uint32(0x80000000)
_LARGE = 0x5F000000
"""2^63: the least tag is one more, where the elements leave room for that."""
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
    least = _least_tag(shape)
    a = _tags(shape.m * shape.k, least, backwards).view(np.float32).reshape(shape.m, shape.k)
    b = (_tags(shape.k * shape.n, least, backwards) | _TOP).view(np.float32).reshape(shape.k, shape.n)
    return Operands(a, b)


def decode(
    forwards: NDArray[np.uint32], backwards: NDArray[np.uint32], shape: Shape
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """What words copied from two tagged runs hold: element index (or UNWRITTEN, PADDING, OTHER) and matrix, 0 A, 1 B.

    Both results have the shape of the words.
    """
    matrix = (forwards >= _TOP).astype(np.int8)
    counts = np.where(matrix == 0, shape.m * shape.k, shape.k * shape.n)
    least = _least_tag(shape)
    first = (forwards & ~_TOP).astype(np.int64) - least
    second = counts - 1 - ((backwards & ~_TOP).astype(np.int64) - least)
    copied = (first == second) & (first >= 0) & (first < counts) & ((forwards ^ backwards) < _TOP)
    origin = np.where(copied, first, OTHER)
    origin[(forwards == 0) & (backwards == 0)] = PADDING
    origin[(forwards == UNWRITTEN_BITS) & (backwards == UNWRITTEN_BITS)] = UNWRITTEN
    return origin, matrix


def _least_tag(shape: Shape) -> int:
    return 1 + max(0, min(_LARGE, MOST_ELEMENTS - max(shape.m, shape.n) * shape.k))


def _tags(count: int, least: int, backwards: bool) -> NDArray[np.uint32]:
    tags = np.arange(least, least + count, dtype=np.uint32)
    return np.ascontiguousarray(tags[::-1]) if backwards else tags
