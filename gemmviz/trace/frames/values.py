"""What a frame knows: plain values, made by `Frames`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import AccessKind, MappedArray, SharedSnapshot, Site
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.frames.regions import Rectangle

FACTORS = ("A", "B")
"""The names of what a snapshot calls 0 and 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """What one frame loads from, or stores to, one array; at least one element.

    `rows`, `columns`, `counts`, shape (n,): the distinct elements in row-major order and how often each is touched;
    `box` is the smallest rectangle around them. `access_thread`, `access_element`, shape (m,): the thread and the
    row-major index of every single touch, in lockstep order. `accesses` counts accesses of threads (one of 16 bytes
    touches four elements and counts once), `slots` the slots they come from: the times the array's sites ran;
    `last_slot` is the last of them.
    """

    array: MappedArray
    kind: AccessKind
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    counts: NDArray[np.int32]
    box: Rectangle
    access_thread: NDArray[np.int32]
    access_element: NDArray[np.int64]
    accesses: int
    slots: int
    last_slot: int

    def threads(self, row: int, column: int) -> NDArray[np.int32]:
        """The distinct threads that touch an element, ascending, shape (t,); none if it is not touched."""
        return np.unique(self.access_thread[self.access_element == row * self.array.columns + column])


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBounds:
    """Accesses outside every array, as columns of shape (n,): thread, index of the site, address in bytes."""

    thread: NDArray[np.int32]
    site: NDArray[np.int32]
    address: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SharedContents:
    """What a shared array holds when a frame begins and when it ends; `epoch` of both is that of the frame.

    Taken from the snapshots at the barriers and, between barriers, from the stores so far: exact unless a slot is
    stored more than once between two snapshots. A value that no snapshot shows is OTHER; UNKNOWN in a trace
    without snapshots.
    """

    array: MappedArray
    before: SharedSnapshot
    after: SharedSnapshot


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One warp request, lane by lane. Columns have shape (32,).

    `array` is the index in `Frame.arrays`, or NO_ACCESS or OUT_OF_BOUNDS; `row` and `column` are those of the first
    element touched (-1 without one), and `span` elements follow each other from there in row-major order. `addresses`
    are as recorded, INACTIVE where a lane takes no part.
    """

    warp: int
    slot: int
    site: Site
    addresses: NDArray[np.int64]
    array: NDArray[np.int32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    span: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the animation: frame `index` (from 0) of `count`.

    It runs slots `slots[0]` to `slots[1]` - 1 of warps `warps[0]` to `warps[1]` - 1. `epoch` is that of its last slot;
    `ends_at_barrier` tells whether a barrier some thread reached is that slot. `sites` are those that ran, in the order
    of their first slot. `touches` come in the order of `arrays`, loads before stores. `request` is there in REQUEST
    mode only.
    """

    index: int
    count: int
    mode: FrameMode
    block: tuple[int, int, int]
    epoch: int
    slots: tuple[int, int]
    warps: tuple[int, int]
    ends_at_barrier: bool
    arrays: tuple[MappedArray, ...]
    sites: tuple[Site, ...]
    touches: tuple[Touch, ...]
    out_of_bounds: OutOfBounds
    shared: tuple[SharedContents, ...]
    request: Request | None
    caption: str

    @property
    def lines(self) -> tuple[int, ...]:
        """The source lines that run, ascending, counted from 1."""
        return tuple(sorted({site.line for site in self.sites}))

    def touch(self, name: str, kind: AccessKind) -> Touch | None:
        """What is loaded from, or stored to, the array of that name; None if nothing is."""
        return next((t for t in self.touches if t.array.name == name and t.kind is kind), None)


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """How often elements were touched: `counts`, shape (box.rows, box.columns), for the elements of `box`.

    `box` is the smallest rectangle around all that the whole trace touches, the same for every frame.
    """

    array: MappedArray
    box: Rectangle
    counts: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ThreadPath:
    """The elements one thread touches, as columns of shape (n,), in the order of its slots.

    `frame` and `slot` say when; `array` is the index in `BlockTrace.arrays`, or OUT_OF_BOUNDS (row and column are then
    -1). An access of several elements has a row for each.
    """

    thread: int
    frame: NDArray[np.int32]
    slot: NDArray[np.int32]
    array: NDArray[np.int32]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    is_store: NDArray[np.bool_]
