"""What was recorded: sites in the source, the arrays they touch, and the addresses of one block's threads.

Addresses are virtual and the same on every machine: each array has a base of its own, far from the others, and a
recorded address is base + (real address - real base). An address outside every array is out of bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.elements import element_name
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.recordings.racing_requests import RacingRequests
from gemmviz.domain.recordings.strong_steps import StrongSteps
from gemmviz.domain.session.field_ranges import Bytes, Dimension, ElementBytes, Index, Line, VirtualAddress
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Layout

INACTIVE = -1
"""The address of a lane that does not take part in a request."""

SECTOR_BYTES = 32
"""What a GPU moves from or to memory at least; sectors are aligned."""

BARRIER_SITE = -1
"""The site of a slot that is a barrier."""


class Space(Enum):
    """The memory a variable lives in or a pointer points to."""

    GLOBAL = "global"
    SHARED = "shared"
    PRIVATE = "private"


class AccessKind(StrEnum):
    """What an access does; a compound assignment is a load and a store, at two sites."""

    LOAD = "load"
    STORE = "store"


class AccessPath(StrEnum):
    """By which unit of a GPU an access is made; Nsight Compute counts each by itself.

    LOAD_STORE: a load or store instruction. ASYNC_COPY: cp.async, which the load/store unit copies from global to
    shared memory without a register (LDGSTS). COPY_ENGINE: a tensor copy by the Tensor Memory
    Accelerator (TMA), without the load/store unit.
    TENSOR_CORE: the tensor cores read an operand from shared memory (wgmma). WARP_TILE: a warp loads or stores a tile
    as a whole (wmma), and which lane takes what is the compiler's affair. ATOMIC: an atomic operation, which is one
    request and neither a load nor a store; its site is a store because it changes what lies there.
    """

    LOAD_STORE = "load/store"
    ASYNC_COPY = "asynchronous copy"
    COPY_ENGINE = "copy engine"
    TENSOR_CORE = "tensor core"
    WARP_TILE = "warp tile"
    ATOMIC = "atomic"

    @property
    def words(self) -> str:
        """The unit's name for a reader: "TMA", where files and tables keep "copy engine"."""
        return "TMA" if self is AccessPath.COPY_ENGINE else self.value

    @property
    def is_requested(self) -> bool:
        """Whether warps ask for it, request by request; of the TMA and the tensor cores they do not."""
        return self not in (AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE)


@dataclass(frozen=True, slots=True)
class Site:
    """One memory access in the source; line and column count from 1. `array` is the name it is reached through.

    An address less `component_bytes` must be a multiple of `aligned_bytes`; 0 where nothing is known. A component of a
    vector lies `component_bytes` behind the vector's start. `header` is where an access stands that `line` calls: in an
    included file, with the calls between ("tile.cuh:4, called in load.cuh:9"), or in a function of the kernel's file
    ("helper in line 8"); "" where it stands in the line itself. `is_strong`: a load or store that is relaxed, acquire,
    release or volatile, which does not race with another strong access.
    """

    index: Index
    line: Line
    column: Line
    text: str
    space: Space
    kind: AccessKind
    width_bytes: Bytes
    array: str
    aligned_bytes: Bytes = 0
    component_bytes: Bytes = 0
    path: AccessPath = AccessPath.LOAD_STORE
    header: str = ""
    is_strong: bool = False

    @property
    def is_atomic(self) -> bool:
        """Whether no other atomic operation on the same bytes can come between."""
        return self.path is AccessPath.ATOMIC

    @property
    def noun(self) -> str:
        """What an access of the site is called: "load", "store", "atomic"."""
        return self.path.value if self.is_atomic else self.kind.value

    @property
    def verb(self) -> str:
        """What a thread does there: "reads", "writes", "atomically changes", "asynchronously writes"."""
        if self.is_atomic:
            return "atomically changes"
        if self.path is AccessPath.ASYNC_COPY and self.kind is AccessKind.STORE:
            return "asynchronously writes"
        return "writes" if self.kind is AccessKind.STORE else "reads"

    @property
    def is_counted(self) -> bool:
        """Whether its requests are requests of their own. Recordings of older versions have a second site, a load, for
        an atomic operation, which is one request.
        """
        return not self.is_atomic or self.kind is AccessKind.STORE

    @property
    def reads(self) -> bool:
        """Whether what lay there before matters; for an atomic exchange it does not."""
        if self.is_atomic:
            return self.kind is AccessKind.STORE and ".exch" not in self.text
        return self.kind is AccessKind.LOAD

    @property
    def initialises(self) -> bool:
        """Whether it stores a value that is not made from what lay there before."""
        return self.kind is AccessKind.STORE and (not self.is_atomic or ".exch" in self.text)

    @property
    def is_past_l1(self) -> bool:
        """Whether it is one of the two accesses of `cp.async.cg`, of which L1 keeps nothing; compiled code has its
        opcode as text.
        """
        return self.path is AccessPath.ASYNC_COPY and self.text.startswith("cp.async.cg.")


@dataclass(frozen=True, slots=True)
class SkippedAccess:
    """Something in the source that touches memory and cannot be recorded, and why."""

    line: Line
    text: str
    reason: str


class BarrierSort(StrEnum):
    """What a barrier does beside letting the threads of a block wait for each other.

    WAITS: nothing. REDUCES: it gives its threads a result (`__syncthreads_count`). CLUSTER: they wait for the other
    blocks of their cluster, too.
    """

    WAITS = "waits"
    REDUCES = "reduces"
    CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class BarrierPlace:
    """A barrier in the source; the line counts from 1. It WAITS also where an older recording did not say its sort."""

    line: Line
    text: str
    sort: BarrierSort = BarrierSort.WAITS


@dataclass(frozen=True, slots=True)
class MappedArray:
    """An array with its place in the virtual addresses. A, B, C and D are matrices of `rows` x `columns` elements;
    `layout` says which of these are neighbours in memory. An element's number counts row by row, whatever the layout.

    Of a shared array, and of a variable of the module, `rows` x `columns` are its last two dimensions as declared
    (padding included), or 1 x its length.
    """

    name: str
    space: Space
    base: VirtualAddress
    rows: Dimension
    columns: Dimension
    element_bytes: ElementBytes = 4
    layout: Layout = Layout.ROW

    @property
    def nbytes(self) -> int:
        return self.rows * self.columns * self.element_bytes

    def address_of(self, row: int, column: int) -> int:
        """The address of an element's first byte."""
        place = row * self.columns + column if self.layout is Layout.ROW else column * self.rows + row
        return self.base + place * self.element_bytes

    def name_of(self, row: int, column: int) -> str:
        """An element: "A[1,2]"; of an array with one row "sums[5]"; a module's variable of one element by its name."""
        if self.is_variable and self.rows == self.columns == 1:
            return self.name
        return element_name(self.name, column) if self.is_row else element_name(self.name, row, column)

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable of the module (`__device__`): global memory, but none of the matrices."""
        return self.space is Space.GLOBAL and self.name not in OPERANDS

    @property
    def is_row(self) -> bool:
        """Whether it is no matrix and has one row, so that one number names an element."""
        return self.rows == 1 and (self.space is Space.SHARED or self.is_variable)

    def number_at(self, place: int) -> int:
        """The number of the element at a place in memory, counted in elements from the base."""
        return place if self.layout is Layout.ROW else place % self.rows * self.columns + place // self.rows

    def numbers_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the elements at places in memory, as `number_at` has them; of the same shape."""
        if self.layout is Layout.ROW:
            return places
        return places % self.rows * self.columns + places // self.rows

    def numbers_beside(self, numbers: NDArray[np.int64], away: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the elements that lie so many places behind others in memory; of the same shape."""
        if self.layout is Layout.ROW:
            return numbers + away
        return self.numbers_at(numbers % self.columns * self.rows + numbers // self.columns + away)


def in_rows(values: NDArray[Any], array: MappedArray) -> NDArray[Any]:
    """What stands beside each place of an array in memory, shape (n,), in the order of the elements' numbers."""
    if array.layout is Layout.ROW:
        return values
    return np.ascontiguousarray(values.reshape(array.columns, array.rows).T).reshape(-1)


def result_of(arrays: Sequence[MappedArray]) -> MappedArray | None:
    """The matrix that a kernel computes: D where there is one, else C."""
    named = {array.name: array for array in arrays if array.space is Space.GLOBAL}
    return named.get("D") or named.get("C")


def result_name(arrays: Sequence[MappedArray]) -> str:
    """The name of the matrix that a kernel computes, "C" where none is among the arrays."""
    found = result_of(arrays)
    return "C" if found is None else found.name


def adds_to_c(computes: str) -> bool:
    """Whether C is read and written, by what a kernel computes (`Call.words`): "C = A·B + 0.5·C"."""
    result, _, summands = computes.partition(";")[0].partition("=")
    return result.strip() == "C" and "C" in summands


def ideal_bytes(
    arrays: Sequence[MappedArray], shape: Shape, computes: str = "", operand_bytes: int = 4, result_bytes: int = 4
) -> int:
    """What it takes to read A and B, and C where the result is D or adds to it, and to write the result once.

    `computes` is what the kernel computes (`Call.words`). Where a matrix is not among the arrays, an element of A or B
    has `operand_bytes`, one of the result `result_bytes`.
    """
    named = {array.name: array for array in arrays if array.space is Space.GLOBAL}
    names = ("A", "B", "C", "D") if "D" in named else ("A", "B", "C", *(("C",) if adds_to_c(computes) else ()))
    counts = {"A": shape.m * shape.k, "B": shape.k * shape.n}
    unknown = {"A": operand_bytes, "B": operand_bytes}
    return sum(
        counts.get(name, shape.m * shape.n)
        * (named[name].element_bytes if name in named else unknown.get(name, result_bytes))
        for name in names
    )


def operand_bytes(arrays: Sequence[MappedArray]) -> int:
    """The size of an element of A and B; 4 where they are not among the arrays."""
    return next((array.element_bytes for array in arrays if array.name == "A"), 4)


@dataclass(frozen=True, slots=True, eq=False)
class CopyLandings:
    """When the asynchronous copies of a block are over for the threads that started them.

    `row_of_slot`, shape (slots,): the row of a slot that starts copies, else -1. `slot` and `epoch`, shape
    (warps, rows, 32): the first slot after the wait that covers a copy, and the epoch of that wait; `never` where there
    is no such wait.
    """

    row_of_slot: NDArray[np.int32]
    slot: NDArray[np.int32]
    epoch: NDArray[np.int32]
    never: int


@dataclass(frozen=True, slots=True, eq=False)
class BlockTrace:
    """Every access of one block in lockstep order.

    `addresses` has shape (warps, slots, 32), INACTIVE where a lane takes no part. A slot is one site in one iteration
    of all its enclosing loops (or a barrier, BARRIER_SITE), so the 32 addresses of a slot are one warp request; slots
    are in program order. `slot_site`, `slot_epoch`, shape (slots,): the site, and the number of barriers passed before
    it: those that some thread of the block came to. At a barrier slot the address of each thread that arrived is 0.
    Threads fill warps in the order x, y, z; lanes of the last warp beyond the block's threads are always inactive.
    Sites of compound assignments have two slots.
    `ended_by`, one for each barrier slot in order: the barrier of the source that ends the epoch; empty if unknown.
    `warp_syncs`, shape (warps, slots): how many barriers of its own (`__syncwarp`) a warp has passed before each slot;
    None where that is not known. `group_syncs`, of the same shape, counts the barriers of its group of several warps,
    which `warp_groups` gives for each warp as a mask of warps (0: none is known); None where there are none. `landings`
    says when asynchronous copies are over; None where there are none, or where that is not known. `strong`: the steps
    by which threads may wait for each other; None where that is not known, or where the kernel has none. `racing` says
    which accesses race; None where nobody looked, or where the recording does not say.
    """

    block: tuple[int, int, int]
    threads: int
    sites: tuple[Site, ...]
    arrays: tuple[MappedArray, ...]
    slot_site: NDArray[np.int32]
    slot_epoch: NDArray[np.int32]
    addresses: NDArray[np.int64]
    snapshots: Sequence[SharedSnapshot] = ()
    ended_by: Sequence[BarrierPlace] = ()
    warp_syncs: NDArray[np.int32] | None = None
    landings: CopyLandings | None = None
    warp_groups: tuple[int, ...] = ()
    group_syncs: NDArray[np.int32] | None = None
    strong: StrongSteps | None = None
    racing: RacingRequests | None = None


UNWRITTEN = -1
PADDING = -2
OTHER = -3
UNKNOWN = -4


@dataclass(frozen=True, slots=True, eq=False)
class SharedSnapshot:
    """What a shared array holds at the barrier that ends an epoch; `epoch` counts from 0.

    `origin` has the array's shape (rows, columns): the row-major index of the element of `matrix` (0 is A, 1 is B)
    that lies there, or UNWRITTEN, PADDING (a zero that was stored) or OTHER (a computed value); in a frame also UNKNOWN
    (stored, and nobody looked what). `matrix` has the same
    shape and is meaningful where `origin` >= 0.
    """

    epoch: int
    array: str
    origin: NDArray[np.int64]
    matrix: NDArray[np.int8]
