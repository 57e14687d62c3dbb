"""A recording as a session keeps it: everything in columns, so that it opens without the device."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.device import Device
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.recordings.access import (
    BARRIER_SITE,
    SECTOR_BYTES,
    BarrierPlace,
    BlockTrace,
    MappedArray,
    SharedSnapshot,
    Site,
    SkippedAccess,
    ideal_bytes,
    result_of,
)
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.racing_requests import RacingRequests
from gemmviz.domain.recordings.repeated_waits import RepeatedWait
from gemmviz.domain.recordings.variables import VariableValues
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.session.column_ranges import (
    AddressColumn,
    CountColumn,
    ElementColumn,
    MatrixColumn,
    OrdinalColumn,
    OriginColumn,
    SiteColumn,
)
from gemmviz.domain.session.field_ranges import (
    Count,
    Dimension,
    Index,
    PositiveCount,
    Printed,
    Seconds,
    SourceText,
    Timestamp,
)
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import CodeForm

LongColumn = NDArray[np.int64]
FloatColumn = NDArray[np.float32]
"""Both of shape (n,)."""


_PTX_TARGET = re.compile(r"^\.target[^\n]*", re.MULTILINE)
"""The line of a PTX text that says whether it was compiled line by line, for a debugger."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredSnapshot:
    """A SharedSnapshot with its shape beside its columns.

    Raises:
        ValueError: the columns have another length than the shape says.
    """

    epoch: Count
    array: str
    rows: Dimension
    columns: Dimension
    origin: OriginColumn
    matrix: MatrixColumn

    def __post_init__(self) -> None:
        if self.rows < 0 or self.origin.size != self.rows * self.columns or self.matrix.size != self.origin.size:
            raise ValueError(f"the snapshot of {self.array} does not have {self.rows} x {self.columns} words")

    def snapshot(self) -> SharedSnapshot:
        shape = (self.rows, self.columns)
        return SharedSnapshot(self.epoch, self.array, self.origin.reshape(shape), self.matrix.reshape(shape))


class _Snapshots(Sequence[SharedSnapshot]):
    """Snapshots made when the first is asked for: a long recording has thousands, and most who see it want none."""

    def __init__(self, stored: tuple[StoredSnapshot, ...]) -> None:
        self._stored = stored
        self._made: tuple[SharedSnapshot, ...] | None = None

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, place: int) -> SharedSnapshot: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[SharedSnapshot]: ...

    def __getitem__(self, place: int | slice) -> SharedSnapshot | Sequence[SharedSnapshot]:
        return self._all()[place]

    def __iter__(self) -> Iterator[SharedSnapshot]:
        return iter(self._all())

    def _all(self) -> tuple[SharedSnapshot, ...]:
        if self._made is None:
            self._made = tuple(stored.snapshot() for stored in self._stored)
        return self._made


@dataclass(frozen=True, slots=True, eq=False)
class StoredBlock:
    """A BlockTrace without its sites and arrays, which all blocks of a recording share.

    `ended_by`, one for each barrier slot in order: which of `barriers` ends the epoch there; empty if that is unknown.
    `values` are those of the variables of its threads. `racing` says which accesses race; None in a recording of an
    older version.

    Raises:
        ValueError: the columns do not fit together.
    """

    block: tuple[Index, Index, Index]
    threads: PositiveCount
    slot_site: SiteColumn
    slot_epoch: OrdinalColumn
    addresses: AddressColumn
    snapshots: tuple[StoredSnapshot, ...]
    barriers: tuple[BarrierPlace, ...] = ()
    ended_by: OrdinalColumn = field(default_factory=lambda: np.zeros(0, np.int32))
    values: VariableValues = field(default_factory=VariableValues)
    racing: RacingRequests | None = None

    def __post_init__(self) -> None:
        slots, warps = self.slot_site.size, -(-self.threads // LANES)
        if self.threads <= 0 or self.slot_epoch.size != slots or self.addresses.size != warps * slots * LANES:
            raise ValueError(f"the trace of block {self.block} is damaged: its columns do not fit together")
        ended_by = self.ended_by
        if ended_by.size and (
            ended_by.size != np.count_nonzero(self.slot_site == BARRIER_SITE)
            or not 0 <= int(ended_by.min()) <= int(ended_by.max()) < len(self.barriers)
        ):
            raise ValueError(f"the trace of block {self.block} is damaged: it names a barrier that is not there")
        if not self.values.fit(slots, self.threads):
            raise ValueError(f"the trace of block {self.block} is damaged: its variables are those of another block")
        if self.racing is not None and not self.racing.fit(slots, warps):
            raise ValueError(f"the trace of block {self.block} is damaged: its races are those of another block")

    def trace(self, sites: tuple[Site, ...], arrays: tuple[MappedArray, ...]) -> BlockTrace:
        """The block as it was recorded.

        Raises:
            ValueError: a slot or a race names a site that is not there.
        """
        named = [site for pair in (self.racing.pairs if self.racing is not None else ()) for site in pair.sites]
        # A block may have no accesses, as one past the last row or column of C.
        lowest, highest = int(self.slot_site.min(initial=0)), int(self.slot_site.max(initial=BARRIER_SITE))
        if lowest < BARRIER_SITE or max([highest, *named]) >= len(sites):
            raise ValueError(f"the trace of block {self.block} names a site that is not there")
        addresses = self.addresses.reshape(-(-self.threads // LANES), self.slot_site.size, LANES)
        return BlockTrace(
            self.block,
            self.threads,
            sites,
            arrays,
            self.slot_site,
            self.slot_epoch,
            addresses,
            _Snapshots(self.snapshots),
            tuple(self.barriers[number] for number in self.ended_by.tolist()),
            racing=self.racing,
        )


def stored_block(trace: BlockTrace, values: VariableValues | None = None) -> StoredBlock:
    """A block's trace as columns, with the values of its variables; copies, so that the recorder may go on."""
    snapshots = tuple(_stored_snapshot(snapshot) for snapshot in trace.snapshots)
    barriers = tuple(dict.fromkeys(trace.ended_by))
    numbers = {barrier: number for number, barrier in enumerate(barriers)}
    return StoredBlock(
        trace.block,
        trace.threads,
        trace.slot_site.copy(),
        trace.slot_epoch.copy(),
        trace.addresses.reshape(-1).copy(),
        snapshots,
        barriers,
        np.array([numbers[barrier] for barrier in trace.ended_by], np.int32),
        values or VariableValues(),
        trace.racing,
    )


def _stored_snapshot(snapshot: SharedSnapshot) -> StoredSnapshot:
    rows, columns = snapshot.origin.shape
    origin, matrix = snapshot.origin.reshape(-1).copy(), snapshot.matrix.reshape(-1).copy()
    return StoredSnapshot(snapshot.epoch, snapshot.array, rows, columns, origin, matrix)


@dataclass(frozen=True, slots=True, eq=False)
class SiteCounts:
    """What each site cost, columns of shape (sites,); meanings as in docs/GLOSSARY.md. `sent` is empty where as many
    sectors are sent as there are, or where that was not looked at.
    """

    requests: CountColumn
    accesses: CountColumn
    sectors: CountColumn
    lines: CountColumn
    bytes_asked: CountColumn
    wavefronts: CountColumn
    ideal_wavefronts: CountColumn
    sent: CountColumn = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def sectors_sent(self) -> LongColumn:
        """Sectors that are sent for the requests of each site."""
        return self.sent if self.sent.size else self.sectors

    def of(self, site: Site) -> SiteFigures:
        """What one site cost. What the TMA and the tensor cores move is no request and takes no wavefronts, and the
        load of an atomic operation in a recording of an older version (`Site.is_counted`) costs nothing of its own.
        """
        i, counts = site.index, site.is_counted
        asks = site.path.is_requested and counts
        return SiteFigures(
            requests=int(self.requests[i]) * asks,
            accesses=int(self.accesses[i]),
            sectors=int(self.sectors[i]) * counts,
            lines=int(self.lines[i]) * counts,
            bytes_asked=int(self.bytes_asked[i]) * counts,
            bytes_moved=SECTOR_BYTES * int(self.sectors_sent[i]) * counts,
            wavefronts=int(self.wavefronts[i]) * asks,
            ideal_wavefronts=int(self.ideal_wavefronts[i]) * asks,
        )


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """What one site cost, summed over the recorded blocks; meanings as in docs/GLOSSARY.md."""

    requests: int
    accesses: int
    sectors: int
    lines: int
    bytes_asked: int
    bytes_moved: int
    wavefronts: int
    ideal_wavefronts: int


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class TraceRun:
    """One recording.

    `counts` are sums over all recorded blocks; `a_loads` and `b_loads`, shape (M·K,) and (K·N,), how often each
    element was loaded; `blocks` the traces that were kept. `blocks_searched` of the recorded blocks were searched for
    races and unwritten reads; 0 where that is not known. `seconds` is the time it took to record, never a kernel's
    time. `instrumented_text` is the code that was recorded, as text. `c` is what the recorded blocks left in the
    result, C or D, row by row, the partial sums one below the other, NaN where they stored nothing (0 where C begins as
    zero); empty where it was not kept. `finished` is the time it ended, or the day where no more is known, ISO 8601 in
    UTC, or "". `executed` is what the recorded blocks executed, () where nobody counted, `printed` what
    they printed. `repeated_waits` are requests of loops that wait that no other figure has. `machine` is what each line
    accesses in the PTX that was recorded and in its machine code; None where there is none, or as written. `resources`
    are what `compiler` ("NVRTC 13.5 for sm_90a") says that the kernel takes as optimised for a run, whichever form was
    recorded.

    Raises:
        ValueError: the columns do not fit the sites and the shape.
    """

    spec: RunSpec
    device: Device
    launch: Launch
    source_name: str
    source_text: SourceText
    sites: tuple[Site, ...]
    skipped: tuple[SkippedAccess, ...]
    arrays: tuple[MappedArray, ...]
    counts: SiteCounts
    hazards: tuple[Hazard, ...]
    a_loads: CountColumn
    b_loads: CountColumn
    blocks_recorded: Count
    accesses: Count
    seconds: Seconds
    blocks: tuple[StoredBlock, ...]
    blocks_searched: Count = 0
    instrumented_text: SourceText = ""
    c: ElementColumn = field(default_factory=lambda: np.zeros(0, np.float32))
    finished: Timestamp = ""
    executed: tuple[Executed, ...] = ()
    printed: Printed = ""
    repeated_waits: tuple[RepeatedWait, ...] = ()
    machine: MachineAccesses | None = None
    resources: Resources = NO_RESOURCES
    compiler: str = ""

    def __post_init__(self) -> None:
        shape = self.spec.shape
        if any(
            column.size != len(self.sites)
            for column in (
                self.counts.requests,
                self.counts.accesses,
                self.counts.sectors,
                self.counts.lines,
                self.counts.bytes_asked,
                self.counts.wavefronts,
                self.counts.ideal_wavefronts,
                self.counts.sectors_sent,
            )
        ):
            raise ValueError("a recording is damaged: its counts are not one for each site")
        if self.a_loads.size != shape.m * shape.k or self.b_loads.size != shape.k * shape.n:
            raise ValueError("a recording is damaged: its loads are not one for each element of A and B")
        result = result_of(self.arrays)
        stored = result.rows * result.columns if result is not None else 0
        if self.c.size not in (0, stored):
            raise ValueError("a recording is damaged: its values are not one for each element of C")
        sizes = {array.name: (array.rows, array.columns) for array in self.arrays}
        for block in self.blocks:
            block.trace(self.sites, self.arrays)
            for taken in block.snapshots:
                if sizes.get(taken.array) != (taken.rows, taken.columns):
                    raise ValueError(f"a recording is damaged: a snapshot of {taken.array} fits none of its arrays")

    @property
    def bytes_ideal(self) -> int:
        """What it takes to read A and B, and C where the result is D or adds to it, and to write the result once, with
        the elements that the kernel has of them.
        """
        return ideal_bytes(self.arrays, self.spec.shape, self.spec.computes)

    @property
    def form(self) -> CodeForm:
        """Of which form of the kernel the accesses are."""
        found = _PTX_TARGET.search(self.instrumented_text)
        return CodeForm.AS_WRITTEN if found is None or "debug" in found[0] else CodeForm.AS_COMPILED

    @property
    def recorded_words(self) -> str:
        """How it was recorded, to be followed by the device: "recorded as written", "recorded as compiled"."""
        return f"recorded {self.form}"

    @property
    def warps_recorded(self) -> int:
        """Warps of the recorded blocks."""
        return self.blocks_recorded * -(-self.launch.threads_per_block // LANES)

    @property
    def blocks_in_grid(self) -> int:
        return self.launch.blocks
