"""What the hardware counts of tensor copies, which is more than their boxes hold where rows are cut.

Each row of a box (128 bytes) is cut where memory has a 128-byte line and where the matrix ends. Every part counts its
sectors of 32 bytes, rounded up; of a copy that goes to several blocks of a cluster at least as many as `LEAST`. A row
that is not cut counts four, also one that lies outside of the matrix. Read off an NVIDIA H200
(tests/data/golden/h200_multicast.json); why it is so is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.access import SECTOR_BYTES

LINE_BYTES = ROW_BYTES = 128
LEAST = {4: (3, 3), 2: (2, 3)}
"""Sectors of a part inside and of one outside of the matrix, by the bytes of an element."""
ALONE = (1, 1)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows one behind the other; `least` are the sectors of its parts, inside and outside."""

    rows: int
    columns: int
    element_bytes: int
    least: tuple[int, int] = ALONE

    @property
    def pitch_bytes(self) -> int:
        return self.columns * self.element_bytes


def box_sectors(matrix: Matrix, row: int, column: int, rows: int) -> int:
    """Sectors that one block receives of a box of `rows` rows whose first element is at `row` and `column`."""
    inside = min(ROW_BYTES, matrix.pitch_bytes - column * matrix.element_bytes)
    within = max(0, min(rows, matrix.rows - row)) if inside > 0 else 0
    begins = (matrix.pitch_bytes * at + column * matrix.element_bytes for at in range(row, row + within))
    whole = ROW_BYTES // SECTOR_BYTES
    return sum(_row_sectors(begin, inside, matrix.least) for begin in begins) + (rows - within) * whole


def _row_sectors(begin: int, inside: int, least: tuple[int, int]) -> int:
    """Of a row that begins at a byte of memory, `inside` bytes of which are the matrix'."""
    before_line = min(inside, LINE_BYTES - begin % LINE_BYTES)
    if before_line == ROW_BYTES:
        return ROW_BYTES // SECTOR_BYTES
    parts = (before_line, least[0]), (inside - before_line, least[0]), (ROW_BYTES - inside, least[1])
    return sum(max(fewest, -(-nbytes // SECTOR_BYTES)) for nbytes, fewest in parts if nbytes)


def wgmma_tf32_bytes(m: int, n: int, k: int, bm: int = 256) -> int:
    """What the kernel's copies bring in clusters of 2: two blocks side by side, each of which fetches half of A for
    both.
    """
    a, b, steps = Matrix(m, k, 4, LEAST[4]), Matrix(k, n, 4), range(-(-k // 32))
    down, across = -(-m // bm), -(-n // 256)
    of_a = sum(box_sectors(a, half * bm // 2, 32 * step, bm // 2) for half in range(2 * down) for step in steps)
    of_b = sum(box_sectors(b, 32 * step, 32 * box, 32) for box in range(8 * across) for step in steps)
    return SECTOR_BYTES * (2 * across * of_a + down * of_b)


def wgmma_bf16_bytes(m: int, n: int, k: int, bn: int = 256) -> int:
    """What the kernel's copies bring in clusters of 2: two blocks one below the other, which share the boxes of B."""
    a, b, steps = Matrix(m, k, 2), Matrix(k, n, 2, LEAST[2]), range(-(-k // 64))
    down, across = -(-m // 256), -(-n // bn)
    of_b = sum(box_sectors(b, 64 * step, 64 * box, 64) for box in range(across * bn // 64) for step in steps)
    of_a = sum(box_sectors(a, 128 * place, 64 * step, 128) for place in range(2 * down) for step in steps)
    return SECTOR_BYTES * (2 * down * of_b + across * of_a)
