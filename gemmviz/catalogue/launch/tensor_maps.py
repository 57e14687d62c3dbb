"""Tensor maps of a header: which boxes of a matrix a kernel asks the TMA for, and what the engine demands.

The demands are those of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object Management").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.expressions import evaluate_whole
from gemmviz.domain.kernels.call import size_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import TensorMap
from gemmviz.domain.terms import Arithmetic, Element

SWIZZLES = (0, 32, 64, 128)
"""Bytes over which 16-byte pieces change places in shared memory."""

_PIECE_BYTES = 16
_LONGEST_BOX = 256


@dataclass(frozen=True, slots=True)
class TensorMapRule:
    """`box` has the expressions for the columns and the rows of one box, innermost first."""

    matrix: str
    box: tuple[str, str]
    swizzle: int

    def map(self, shape: Shape, element: Element, arithmetic: Arithmetic, names: Mapping[str, int]) -> TensorMap:
        """The map at a size, of a matrix of such elements; for TF32 the engine rounds A and B on the way.

        Raises:
            ExpressionError: the box cannot be computed.
        """
        rows, columns = size_of(self.matrix, shape)
        box = (evaluate_whole(self.box[0], names), evaluate_whole(self.box[1], names))
        to_tf32 = arithmetic is Arithmetic.TF32 and self.matrix != "C"
        return TensorMap(self.matrix, rows, columns, element, box, self.swizzle, to_tf32)


def tensor_map_faults(maps: Sequence[TensorMap]) -> list[str]:
    """Why the TMA does not take the maps, with the numbers."""
    return [fault for one in maps for fault in _faults(one)]


def _faults(one: TensorMap) -> Iterator[str]:
    width = one.box[0] * one.element.nbytes
    if one.pitch_bytes % _PIECE_BYTES:
        yield (
            f"a row of {one.matrix} has {one.columns} elements of {one.element.nbytes} bytes, {one.pitch_bytes} bytes, "
            f"but the TMA needs rows that are multiples of {_PIECE_BYTES} bytes: choose a multiple of "
            f"{_PIECE_BYTES // one.element.nbytes}"
        )
    for count, what in zip(one.box, ("columns", "rows"), strict=True):
        if not 1 <= count <= _LONGEST_BOX:
            yield f"a box of {count} {what} of {one.matrix}: the TMA moves 1 to {_LONGEST_BOX}"
    if width % _PIECE_BYTES:
        yield f"a box of {one.matrix} is {width} bytes wide: the TMA moves multiples of {_PIECE_BYTES}"
    if one.swizzle and width > one.swizzle:
        yield f"a box of {one.matrix} is {width} bytes wide, more than the {one.swizzle} bytes it is swizzled over"
