"""What one instruction moves as a whole, as pieces of 16 bytes: boxes of the TMA, tiles of a warp, operands of
the tensor cores.

Pieces fill slots of 32 in order, row by row, or by core matrices of 8 rows of 16 bytes; INACTIVE where the last slot
is not full or a piece lies outside.
Sources: NVIDIA, PTX ISA, "Tensors" (swizzling modes) and "Asynchronous warpgroup level matrix shared memory layout".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.spec import TensorMap

PIECE_BYTES = 16
_SUM_BYTES = 32
"""Of one row of an operand: what one wgmma sums over, for every type of element."""
_ROWS = 8
"""Of a core matrix, and rows after which a swizzle repeats."""
_SWIZZLE_OF_MODE = (0, 128, 64, 32)

Addresses = NDArray[np.int64]
"""Shape (slots, 32)."""


def swizzled(address: NDArray[np.int64], swizzle: int) -> NDArray[np.int64]:
    """Where a byte of shared memory is found when 16-byte pieces change places over `swizzle` bytes (0: none does)."""
    mask = swizzle // PIECE_BYTES - 1 if swizzle else 0
    return address ^ (((address >> 7) & mask) << 4)


def box_pieces(one: TensorMap, column: int, row: int, to: int) -> tuple[Addresses, Addresses]:
    """A box of a matrix whose first element is at `column` and `row`, copied to the shared address `to`.

    What is read, in bytes from the matrix' first, INACTIVE outside the matrix; and what is written, which is the whole
    box: the engine writes zeros for what lies outside.
    """
    width = one.box[0] * one.element.nbytes
    across = width // PIECE_BYTES
    piece = np.arange(across * one.box[1], dtype=np.int64)
    rows = row + piece // across
    first = column * one.element.nbytes + piece % across * PIECE_BYTES
    inside = (rows >= 0) & (rows < one.rows) & (first >= 0) & (first < one.pitch_bytes)
    read = np.where(inside, rows * one.pitch_bytes + first, INACTIVE)
    return in_slots(read), in_slots(swizzled(to + piece * PIECE_BYTES, one.swizzle))


def tile_pieces(corner: int, stride: int, rows: int, row_bytes: int, element_bytes: int) -> Addresses:
    """A tile of `rows` rows, `stride` elements apart."""
    across = row_bytes // PIECE_BYTES
    piece = np.arange(rows * across, dtype=np.int64)
    return in_slots(corner + piece // across * stride * element_bytes + piece % across * PIECE_BYTES)


def operand_pieces(descriptor: int, rows: int, element_bytes: int, summed_down: bool) -> Addresses | None:
    """A wgmma operand by its descriptor: `rows` rows of A or columns of B, and the 32 bytes that are summed over.

    With `summed_down` memory is contiguous along the rows and the sum goes from row to row of memory ("transposed").
    None for a layout that is not known here: transposed without swizzle.
    """
    start, leading, stride = (((descriptor >> shift) & 0x3FFF) * PIECE_BYTES for shift in (0, 16, 32))
    swizzle = _SWIZZLE_OF_MODE[(descriptor >> 62) & 3]
    if summed_down:
        if not swizzle:
            return None
        across = rows * element_bytes // PIECE_BYTES
        piece = np.arange(_SUM_BYTES // element_bytes * across, dtype=np.int64)
        down, along = piece // across, piece % across * PIECE_BYTES
        address = start + along // swizzle * leading + along % swizzle + down // _ROWS * stride + down % _ROWS * swizzle
    else:
        piece = np.arange(rows * 2, dtype=np.int64)
        # One core matrix behind the other: its eight pieces are what is read at a time.
        row, half = piece // (2 * _ROWS) * _ROWS + piece % _ROWS, piece // _ROWS % 2
        address = start + row // _ROWS * stride + row % _ROWS * (swizzle or PIECE_BYTES)
        address = address + half * (PIECE_BYTES if swizzle else leading)
    return in_slots(swizzled(address, swizzle))


def in_slots(pieces: NDArray[np.int64]) -> Addresses:
    """Pieces of shape (n,) as slots, the last filled up."""
    slots = -(-pieces.size // LANES)
    found = np.full(slots * LANES, INACTIVE, np.int64)
    found[: pieces.size] = pieces
    return found.reshape(slots, LANES)
