"""What a kernel's compiled code writes down while it runs, and where it goes.

A *slot* is 33 words of 64 bits: a header (the number of the value, and a mask of the lanes in its upper half), and a
word for each lane. Each warp has room for some slots; where it is full, the host gives more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import LANES

SLOT_WORDS = 1 + LANES
SLOT_BYTES = 8 * SLOT_WORDS
_FIRST_SLOTS, _MOST_SLOTS = 256, 16384
"""Slots of the first piece of a log and of the largest."""


class As(Enum):
    """How an operand becomes a 64-bit number."""

    ADDRESS = auto()
    GENERIC = auto()
    """An address that becomes an offset in shared memory where it lies there, and none where it lies in the memory of
    one thread.
    """
    NUMBER = auto()
    SIGNED = auto()


@dataclass(frozen=True, slots=True)
class Value:
    """One number of each lane. Lanes write -1 instead where `only_if` (a predicate or a 32-bit count that is not 0),
    turned round by `negated`, does not hold; "" always holds.
    """

    operand: str
    kind: As
    only_if: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Logged:
    """The values that one statement writes down, numbered from `first` on, `after` it has run or before.

    Lanes for which the predicate `guard` does not hold take no part.
    """

    first: int
    values: tuple[Value, ...]
    guard: str = ""
    negated: bool = False
    after: bool = False


LogPlan = Mapping[int, Logged]
"""What is written down of the statements that begin at these places of the PTX text."""


class LogTooLongError(Exception):
    """A block writes down more than it may; `nbytes` is how much it had by then."""

    def __init__(self, nbytes: int) -> None:
        super().__init__(f"the log of one block takes more than {nbytes} bytes")
        self.nbytes = nbytes


@dataclass(frozen=True, slots=True, eq=False)
class BlockRecord:
    """What one block wrote down: the words of each warp's slots, shape (n · 33,).

    `shared` are copies of its shared memory, bytes, at each of the block's barriers and at its end; empty if nobody
    asked for them. `counts`, shape (pieces, 2): how often its warps ran each of `Program.pieces`, and with how many
    lanes in sum.
    """

    logs: list[NDArray[np.uint64]]
    shared: list[NDArray[np.uint8]]
    counts: NDArray[np.int64]


@dataclass(slots=True)
class LogRoom:
    """The memory that the warps of one block write their slots into."""

    most_bytes: int
    _pieces: list[list[NDArray[np.uint64]]] = field(default_factory=list)
    _nbytes: int = 0

    def begin(self, warps: int) -> None:
        """Make room for another block; its warps have none yet."""
        self._pieces = [[] for _ in range(warps)]
        self._nbytes = 0

    def more(self, warp: int, slots: int, used_to: int) -> tuple[int, int]:
        """Where the next piece of a warp's log begins and ends; it has room for `slots` at least. The piece before it
        was used up to the address `used_to`.

        Raises:
            LogTooLongError: the block has more than it may have.
        """
        pieces = self._pieces[warp]
        self._cut(pieces, used_to)
        size = SLOT_WORDS * max(slots, min(_FIRST_SLOTS << len(pieces), _MOST_SLOTS))
        self._nbytes += 8 * size
        if self._nbytes > self.most_bytes:
            raise LogTooLongError(self.most_bytes)
        piece = np.empty(size, np.uint64)
        pieces.append(piece)
        return piece.ctypes.data, piece.ctypes.data + piece.nbytes

    def take(self, used_to: list[int]) -> list[NDArray[np.uint64]]:
        """Each warp's words; its last piece was used up to the address of its number."""
        found = []
        for pieces, end in zip(self._pieces, used_to, strict=True):
            self._cut(pieces, end)
            found.append(np.concatenate(pieces) if pieces else np.zeros(0, np.uint64))
        self._pieces = []
        return found

    def _cut(self, pieces: list[NDArray[np.uint64]], used_to: int) -> None:
        if pieces:
            pieces[-1] = pieces[-1][: (used_to - pieces[-1].ctypes.data) // 8]
