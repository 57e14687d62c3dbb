"""Boxes, tiles and operands as pieces: what the tensor cores read is what the TMA brought."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import INACTIVE
from gemmviz.domain.spec import TensorMap
from gemmviz.domain.terms import Element
from gemmviz.trace.ptx.decoding.rows import box_pieces, in_slots, operand_pieces, swizzled, tile_pieces

SWIZZLE_128, SWIZZLE_64, SWIZZLE_32 = 1 << 62, 2 << 62, 3 << 62


def tensor_map(rows: int, columns: int, box: tuple[int, int], element: Element, swizzle: int) -> TensorMap:
    return TensorMap("A", rows, columns, element, box, swizzle)


def descriptor(start: int, leading: int, stride: int, mode: int) -> int:
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode


def active(pieces: NDArray[np.int64]) -> NDArray[np.int64]:
    flat = pieces.reshape(-1)
    found: NDArray[np.int64] = flat[flat != INACTIVE]
    return found


def test_that_a_box_is_read_row_by_row_and_cut_at_the_edges_of_the_matrix() -> None:
    """Rows 3 to 6 of 5 and columns 4 to 11 of 8 floats: two rows are inside, of each 16 of the 32 bytes."""
    one = tensor_map(5, 8, (8, 4), Element.FLOAT32, 0)
    read, written = box_pieces(one, 4, 3, 1024)
    assert read.shape == written.shape == (1, 32)
    assert read[0, :8].tolist() == [3 * 32 + 16, INACTIVE, 4 * 32 + 16] + [INACTIVE] * 5
    assert written[0, :8].tolist() == [1024 + 16 * piece for piece in range(8)]
    assert (read[0, 8:] == INACTIVE).all()
    assert (written[0, 8:] == INACTIVE).all()


def test_that_a_box_may_begin_outside() -> None:
    read, written = box_pieces(tensor_map(5, 8, (4, 2), Element.FLOAT32, 0), -4, -1, 0)
    assert not active(read).size
    assert active(written).tolist() == [0, 16]


def test_that_pieces_change_places_with_the_row() -> None:
    """128 bytes: piece p of row r is at p ^ r % 8; 64: at p ^ r / 2 % 4, rows of 64 bytes; 32: at p ^ r / 4 % 2."""
    _, written = box_pieces(tensor_map(64, 64, (32, 8), Element.FLOAT32, 128), 0, 0, 2048)
    rows = (active(written) - 2048).reshape(8, 8) // 16
    assert all(rows[r, p] == 8 * r + (p ^ r) for r in range(8) for p in range(8))
    _, written = box_pieces(tensor_map(64, 64, (16, 8), Element.FLOAT32, 64), 0, 0, 0)
    rows = active(written).reshape(8, 4) // 16
    assert all(rows[r, p] == 4 * r + (p ^ r // 2 % 4) for r in range(8) for p in range(4))
    _, written = box_pieces(tensor_map(64, 64, (8, 8), Element.FLOAT32, 32), 0, 0, 0)
    rows = active(written).reshape(8, 2) // 16
    assert all(rows[r, p] == 2 * r + (p ^ r // 4 % 2) for r in range(8) for p in range(2))


@pytest.mark.parametrize("swizzle", [0, 32, 64, 128])
def test_that_a_swizzle_moves_whole_pieces_and_loses_none(swizzle: int) -> None:
    address = np.arange(0, 4096, 16, dtype=np.int64)
    moved = swizzled(address, swizzle)
    assert sorted(moved.tolist()) == address.tolist()
    assert np.array_equal(moved == address, np.ones(256, bool)) == (swizzle == 0)


def by_core_matrices(rows: int) -> list[tuple[int, int]]:
    """Row and half of each piece: eight rows, then their other halves, then the next eight."""
    return [(first + row, half) for first in range(0, rows, 8) for half in range(2) for row in range(8)]


def wavefronts(pieces: np.ndarray) -> int:
    """Of requests of 16 bytes a lane: a quarter of the lanes at a time, as many as want the same bank."""
    quarters = pieces.reshape(-1, 8) // 16 % 8
    return int(sum(np.bincount(quarter, minlength=8).max() for quarter in quarters))


@pytest.mark.parametrize(("swizzle", "mode"), [(128, SWIZZLE_128), (64, SWIZZLE_64), (32, SWIZZLE_32)])
def test_that_swizzles_keep_the_rows_of_a_core_matrix_in_different_banks(swizzle: int, mode: int) -> None:
    pieces = operand_pieces(descriptor(4096, 0, 8 * swizzle, mode), 64, 4, summed_down=False)
    assert pieces is not None
    assert wavefronts(pieces) == pieces.size // 8
    unswizzled = np.arange(8, dtype=np.int64) * swizzle
    assert wavefronts(unswizzled) == swizzle // 16


def where_it_lies(one: TensorMap, to: int, column: int = 0, row: int = 0) -> dict[int, int]:
    """For each piece of shared memory, which byte of the matrix lies there."""
    read, written = box_pieces(one, column, row, to)
    return dict(zip(written.reshape(-1).tolist(), read.reshape(-1).tolist(), strict=True))


@pytest.mark.parametrize("element", [Element.FLOAT32, Element.BFLOAT16])
@pytest.mark.parametrize(("swizzle", "mode"), [(128, SWIZZLE_128), (64, SWIZZLE_64), (32, SWIZZLE_32)])
def test_that_an_operand_summed_along_rows_is_what_the_box_brought(element: Element, swizzle: int, mode: int) -> None:
    """A box of 64 rows as wide as the swizzle; step k of the sum reads bytes 32 k to 32 k + 31 of each row."""
    columns, to = swizzle // element.nbytes, 4096
    one = tensor_map(64, columns, (columns, 64), element, swizzle)
    there = where_it_lies(one, to)
    for k in range(swizzle // 32):
        pieces = operand_pieces(descriptor(to + 32 * k, 0, 8 * swizzle, mode), 64, element.nbytes, summed_down=False)
        assert pieces is not None
        found = [there[address] for address in active(pieces).tolist()]
        assert found == [row * swizzle + 32 * k + 16 * half for row, half in by_core_matrices(64)]


def test_that_an_operand_summed_down_rows_is_what_the_boxes_brought() -> None:
    """wgmma_bf16's B: boxes of 64 columns and 64 rows of bfloat16 beside each other; a step of the sum is 16 rows."""
    to, box_bytes = 2048, 64 * 128
    one = tensor_map(64, 256, (64, 64), Element.BFLOAT16, 128)
    there: dict[int, int] = {}
    for box in range(4):
        there |= where_it_lies(one, to + box * box_bytes, 64 * box)
    for k in range(4):
        pieces = operand_pieces(descriptor(to + 2048 * k, box_bytes, 1024, SWIZZLE_128), 256, 2, summed_down=True)
        assert pieces is not None
        found = [there[address] for address in active(pieces).tolist()]
        assert found == [row * 512 + 16 * piece for row in range(16 * k, 16 * k + 16) for piece in range(32)]


def test_that_an_operand_without_swizzle_lies_in_core_matrices() -> None:
    """Eight rows of 16 bytes each, the second half of the sum `leading` bytes on, the next rows `stride` bytes on."""
    pieces = operand_pieces(descriptor(0, 128, 256, 0), 16, 4, summed_down=False)
    assert pieces is not None
    assert active(pieces).tolist() == [row // 8 * 256 + row % 8 * 16 + half * 128 for row, half in by_core_matrices(16)]
    assert operand_pieces(descriptor(0, 128, 256, 0), 16, 4, summed_down=True) is None


def test_that_a_tile_of_a_warp_is_its_rows() -> None:
    pieces = tile_pieces(corner=512, stride=36, rows=16, row_bytes=32, element_bytes=4)
    assert pieces.tolist() == [[512 + row * 144 + half * 16 for row in range(16) for half in range(2)]]


def test_that_the_last_slot_is_filled_up() -> None:
    assert in_slots(np.arange(33, dtype=np.int64))[1].tolist() == [32] + [INACTIVE] * 31
