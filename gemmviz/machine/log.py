"""What a kernel's compiled code writes down while it runs, and where it goes.

A *slot* is 33 words of 64 bits: a header (the number of the value, and a mask of the lanes in its upper half), and a
word for each lane. Each warp has room for some slots; where it is full, the host gives more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.warp import LANES

SLOT_WORDS = 1 + LANES
SLOT_BYTES = 8 * SLOT_WORDS
_FIRST_SLOTS, _MOST_SLOTS = 256, 16384
"""Slots of the first piece of a log and of the largest."""
_PAGE_BYTES = 4096
_MOST_KEPT_BYTES = 1 << 26
"""The room of a block up to which the next one gets it at once."""


class As(Enum):
    """How an operand becomes a 64-bit number."""

    ADDRESS = auto()
    GENERIC = auto()
    """An address that becomes an offset in shared memory where it lies there or near it, and none where it lies in the
    memory of one thread or in constant memory.
    """
    NUMBER = auto()
    SIGNED = auto()


@dataclass(frozen=True, slots=True)
class LoggedValue:
    """One number of each lane. Lanes write -1 instead where `only_if` (a predicate or a 32-bit count that is not 0),
    turned round by `negated`, does not hold; "" always holds.
    """

    operand: str
    kind: As
    only_if: str = ""
    negated: bool = False


SEQUENCED_SLOTS = 3
WROTE, CHANGED, NUMBER = 1, 2, 4
"""What the place of a sequenced statement is made of: see `Sequenced`."""


@dataclass(frozen=True, slots=True)
class Sequenced:
    """A statement whose place among all sequenced ones of the launch is written down, in slots from `first` on: the
    address of each lane, the value that it read, and its place: four times its number in the order, plus WROTE where it
    wrote and CHANGED where that may have left another value than the one before.

    `address` is None of a fence; `target` is the register that takes the value read, "" for none. `writes` says whether
    lanes write; with `compared` (the operand that an atomicCAS compares with) those that read that value. `operand` is
    what an atomic operation on integers combines with the value read, "" of other statements. A loop that waits is
    written down once (`lowering/waiting_rounds.py`).
    """

    first: int
    address: LoggedValue | None
    target: str = ""
    writes: bool = False
    compared: str = ""
    operand: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """The values that one statement writes down, numbered from `first` on, `after` it has run or before.

    Lanes for which the predicate `guard` does not hold take no part. `varies`: the numbers are expected to be others in
    each block. `sequenced` comes behind the values. `is_left_out`: it is no access of the recording, and stays a fault
    where it leaves the memory.
    """

    first: int
    values: tuple[LoggedValue, ...]
    guard: str = ""
    negated: bool = False
    after: bool = False
    varies: bool = False
    sequenced: Sequenced | None = None
    is_left_out: bool = False

    @property
    def slots(self) -> int:
        """How many slots it takes at most."""
        return len(self.values) + (SEQUENCED_SLOTS if self.sequenced is not None else 0)


LogPlan = Mapping[int, Logged]
"""What is written down of the statements that begin at these places of the PTX text."""


class LogTooLongError(Exception):
    """A block writes down more than `nbytes`, the most it may; `whereabouts` says at which lines its threads are."""

    def __init__(self, nbytes: int, whereabouts: str = "") -> None:
        super().__init__(f"the log of one block takes more than {nbytes} bytes{whereabouts and ': '}{whereabouts}")
        self.nbytes, self.whereabouts = nbytes, whereabouts


@dataclass(frozen=True, slots=True, eq=False)
class BlockRecord:
    """What one block wrote down. It lasts until the next block runs in the same `room`.

    Each warp's slots are `sizes` of the `words` from `begins` on, both of shape (warps,); where the room was not enough
    they are in `grown`, of each warp the words, shape (slots · 33,).
    `is_like_last`: the slots are those of the block before it in that room, but for the numbers of values that vary;
    `grown` is empty then.
    `shared` are copies of its shared memory, bytes, at each of the block's barriers and at its end; empty if nobody
    asked for them. `counts`, shape (pieces, 2): how often its warps ran each of `Program.pieces`, and with how many
    lanes in sum. `shared_address` is the full address at which its shared memory began. `left_out`, shape (sequenced
    statements,): how often its warps ran each as part of a round of a loop that waits, and did not write it down.
    """

    number: int
    words: NDArray[np.uint64]
    begins: NDArray[np.int64]
    sizes: NDArray[np.int64]
    room: int
    is_like_last: bool
    shared: list[NDArray[np.uint8]]
    counts: NDArray[np.int64]
    shared_address: int = 0
    grown: Sequence[NDArray[np.uint64]] = ()
    left_out: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def logs(self) -> list[NDArray[np.uint64]]:
        """The words of each warp, shape (slots · 33,)."""
        if self.grown:
            return [*self.grown]
        ends = self.begins + self.sizes
        return [self.words[begin:end] for begin, end in zip(self.begins.tolist(), ends.tolist(), strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """Room that the next block gets at once: `words`, of which each warp has those from its place in `begins`, shape
    (warps + 1,), up to the next one's.
    """

    words: NDArray[np.uint64]
    begins: NDArray[np.int64]
    addresses: NDArray[np.int64]
    """Where the room of each warp begins and ends, shape (warps, 2)."""


def _room_of(sizes: NDArray[np.int64]) -> _Kept:
    begins = np.concatenate([[0], np.cumsum(sizes)])
    words = np.empty(int(begins[-1]), np.uint64)
    addresses = words.ctypes.data + 8 * np.stack([begins[:-1], begins[1:]], axis=1)
    return _Kept(words, begins, np.ascontiguousarray(addresses))


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Words, begins, sizes and grown logs of a `BlockRecord`, and whether each warp's slots lie where those of the
    block before lay, as many.
    """

    words: NDArray[np.uint64]
    begins: NDArray[np.int64]
    sizes: NDArray[np.int64]
    is_in_place: bool
    grown: Sequence[NDArray[np.uint64]] = ()


class LogRoom:
    """The memory that the warps of a block write their slots into; the next block writes there again.

    `most_bytes` is what a block may have. `number` is another one for each room.
    """

    _NUMBERS = count()

    def __init__(self, warps: int, most_bytes: int) -> None:
        self.number = next(self._NUMBERS)
        self._most_bytes = most_bytes
        self._pieces: list[list[NDArray[np.uint64]]] = [[] for _ in range(warps)]
        """Of each warp that had to be given more than was kept: all its pieces."""
        self._kept = _room_of(np.zeros(warps, np.int64))
        self._sizes_before: NDArray[np.int64] | None = None
        """How many words of what is kept each warp of the block before filled; None if they lay elsewhere."""
        self._nbytes = 0

    def begin(self) -> NDArray[np.int64]:
        """Where the room of each warp begins and ends for another block, addresses of shape (warps, 2)."""
        self._pieces = [[] for _ in self._pieces]
        if self._sizes_before is None:
            _touch(self._kept.words)
        self._nbytes = self._kept.words.nbytes
        return self._kept.addresses

    def more(self, warp: int, slots: int, used_to: int) -> tuple[int, int]:
        """Where the next piece of a warp's log begins and ends; it has room for `slots` at least. The piece before it
        was used up to the address `used_to`.

        Raises:
            LogTooLongError: the block has more than it may have.
        """
        pieces = self._pieces[warp]
        if not pieces:
            begin, end = self._kept.begins[warp : warp + 2].tolist()
            pieces.append(self._kept.words[begin:end])
        _cut(pieces, used_to)
        size = SLOT_WORDS * max(slots, min(_FIRST_SLOTS << (len(pieces) - 1), _MOST_SLOTS))
        self._nbytes += 8 * size
        if self._nbytes > self._most_bytes:
            raise LogTooLongError(self._most_bytes)
        piece = np.empty(size, np.uint64)
        _touch(piece)
        pieces.append(piece)
        return piece.ctypes.data, piece.ctypes.data + piece.nbytes

    def take(self, used_to: NDArray[np.int64]) -> Taken:
        """What the block wrote, until the next `begin`; each warp's last piece was used up to the address of its
        number.
        """
        if not any(self._pieces):
            sizes, before = (used_to - self._kept.addresses[:, 0]) // 8, self._sizes_before
            self._sizes_before = sizes
            is_in_place = before is not None and np.array_equal(sizes, before)
            return Taken(self._kept.words, self._kept.begins[:-1], sizes, is_in_place)
        grown = []
        for warp, end in enumerate(used_to.tolist()):
            pieces, self._pieces[warp] = self._pieces[warp], []
            if not pieces:
                begin, behind = self._kept.begins[warp : warp + 2].tolist()
                pieces = [self._kept.words[begin:behind]]
            _cut(pieces, end)
            grown.append(pieces[0] if len(pieces) == 1 else np.concatenate(pieces))
        sizes = np.array([one.size for one in grown], np.int64)
        taken = Taken(self._kept.words, self._kept.begins[:-1], sizes, False, grown)
        keeps = self._nbytes <= _MOST_KEPT_BYTES
        room = np.maximum(sizes + SLOT_WORDS * _FIRST_SLOTS, np.diff(self._kept.begins)) if keeps else 0 * sizes
        self._kept, self._sizes_before = _room_of(room), None
        return taken


def _touch(words: NDArray[np.uint64]) -> None:
    """Write into each page of new memory. The code reads a slot before it writes one, and a page that is read first
    takes the system two steps.
    """
    words[:: _PAGE_BYTES // 8] = 0


def _cut(pieces: list[NDArray[np.uint64]], used_to: int) -> None:
    pieces[-1] = pieces[-1][: (used_to - pieces[-1].ctypes.data) // 8]
