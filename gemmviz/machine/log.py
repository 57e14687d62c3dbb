"""What a kernel's compiled code writes down while it runs, and where it goes.

A *slot* is 33 words of 64 bits: a header (the number of the value, and a mask of the lanes in its upper half), and a
word for each lane. Each warp has room for some slots; where it is full, the host gives more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.access import LANES

SLOT_WORDS = 1 + LANES
SLOT_BYTES = 8 * SLOT_WORDS
_FIRST_SLOTS, _MOST_SLOTS = 256, 16384
"""Slots of the first piece of a log and of the largest."""
_MOST_KEPT_BYTES = 1 << 26
"""The room of a block up to which the next one gets it at once."""


class As(Enum):
    """How an operand becomes a 64-bit number."""

    ADDRESS = auto()
    GENERIC = auto()
    """An address that becomes an offset in shared memory where it lies there or near it, and none where it lies in the
    memory of one thread.
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
"""What is written down of the statements that begin at these places of the PTX text. A statement without values is left
out on purpose, and an access outside the memory stays a fault there.
"""


class LogTooLongError(Exception):
    """A block writes down more than it may; `nbytes` is how much it had by then."""

    def __init__(self, nbytes: int) -> None:
        super().__init__(f"the log of one block takes more than {nbytes} bytes")
        self.nbytes = nbytes


@dataclass(frozen=True, slots=True, eq=False)
class BlockRecord:
    """What one block wrote down: the words of each warp's slots, shape (n · 33,), which last until the next block runs.

    `shared` are copies of its shared memory, bytes, at each of the block's barriers and at its end; empty if nobody
    asked for them. `counts`, shape (pieces, 2): how often its warps ran each of `Program.pieces`, and with how many
    lanes in sum. `shared_address` is the full address at which its shared memory began.
    """

    number: int
    logs: list[NDArray[np.uint64]]
    shared: list[NDArray[np.uint8]]
    counts: NDArray[np.int64]
    shared_address: int = 0


class LogRoom:
    """The memory that the warps of a block write their slots into; the next block writes there again.

    `most_bytes` is what a block may have.
    """

    def __init__(self, warps: int, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._pieces: list[list[NDArray[np.uint64]]] = [[] for _ in range(warps)]
        self._kept: list[NDArray[np.uint64]] = [np.empty(0, np.uint64)] * warps
        self._nbytes = 0

    def begin(self) -> NDArray[np.int64]:
        """Where the room of each warp begins and ends for another block, addresses of shape (warps, 2); 0 where it has
        none yet.
        """
        self._pieces = [[kept] if kept.size else [] for kept in self._kept]
        self._nbytes = sum(kept.nbytes for kept in self._kept)
        places = [(kept.ctypes.data, kept.ctypes.data + kept.nbytes) if kept.size else (0, 0) for kept in self._kept]
        return np.array(places, np.int64)

    def more(self, warp: int, slots: int, used_to: int) -> tuple[int, int]:
        """Where the next piece of a warp's log begins and ends; it has room for `slots` at least. The piece before it
        was used up to the address `used_to`.

        Raises:
            LogTooLongError: the block has more than it may have.
        """
        pieces = self._pieces[warp]
        _cut(pieces, used_to)
        size = SLOT_WORDS * max(slots, min(_FIRST_SLOTS << len(pieces), _MOST_SLOTS))
        self._nbytes += 8 * size
        if self._nbytes > self._most_bytes:
            raise LogTooLongError(self._most_bytes)
        piece = np.empty(size, np.uint64)
        pieces.append(piece)
        return piece.ctypes.data, piece.ctypes.data + piece.nbytes

    def take(self, used_to: list[int]) -> list[NDArray[np.uint64]]:
        """Each warp's words until the next `begin`; its last piece was used up to the address of its number."""
        found = []
        keeps = sum(piece.nbytes for pieces in self._pieces for piece in pieces) <= _MOST_KEPT_BYTES
        for warp, (pieces, end) in enumerate(zip(self._pieces, used_to, strict=True)):
            _cut(pieces, end)
            found.append(pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0, np.uint64), *pieces]))
            if not keeps:
                self._kept[warp] = np.empty(0, np.uint64)
            elif len(pieces) > 1 or (pieces and not self._kept[warp].size):
                self._kept[warp] = np.empty(found[-1].size + SLOT_WORDS * _FIRST_SLOTS, np.uint64)
        return found


def _cut(pieces: list[NDArray[np.uint64]], used_to: int) -> None:
    if pieces:
        pieces[-1] = pieces[-1][: (used_to - pieces[-1].ctypes.data) // 8]
