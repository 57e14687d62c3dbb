"""Changes of a session as pure steps: adding, removing so that it can be undone, putting back. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.recordings.trace_run import StoredBlock, TraceRun
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.runs.schedule import BlockSchedule

Item = RunResult | RunError | TraceRun | ExaminedSweep
One = TypeVar("One")

NO_DEVICE = Device(
    id="",
    backend="",
    name="no device",
    kind=DeviceKind.CPU,
    vendor="",
    driver="",
    compute_units=0,
    max_threads_per_block=0,
    max_block=(0, 0, 0),
    max_grid=(0, 0, 0),
    shared_bytes_per_block=0,
    global_bytes=0,
    max_allocation_bytes=0,
    cache_bytes=0,
    clock_mhz=0,
)
"""The device of a session that has none yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Removed:
    """What was taken out of a session, each with the place it had; enough to put it back."""

    runs: tuple[tuple[int, RunResult], ...] = ()
    errors: tuple[tuple[int, RunError], ...] = ()
    traces: tuple[tuple[int, TraceRun], ...] = ()
    sweeps: tuple[tuple[int, ExaminedSweep], ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """The things themselves."""
        placed: tuple[tuple[int, Item], ...] = (*self.runs, *self.errors, *self.traces, *self.sweeps)
        return tuple(item for _, item in placed)

    @property
    def count(self) -> int:
        return len(self.items)


def with_run(session: Session, run: RunResult, init_ms: float) -> Session:
    """The session with one more run; its device becomes the run's where it had none, or only the host."""
    return replace(session, runs=(*session.runs, run), init_ms=init_ms, device=better_device(session, run.device))


def with_error(session: Session, error: RunError) -> Session:
    """The session with one more kernel that did not run."""
    return replace(session, errors=(*session.errors, error))


def with_trace(session: Session, trace: TraceRun) -> Session:
    """The session with one more recording, which knows what is wrong elsewhere in its launch."""
    known = with_hazards_of_launch(trace, session.traces)
    return replace(session, traces=(*session.traces, known), device=better_device(session, trace.device))


def with_hazards_of_launch(trace: TraceRun, others: Iterable[TraceRun]) -> TraceRun:
    """A recording of some blocks with the hazards that one of more blocks of its launch has found, those first.

    What goes wrong in a block only shows beside others cannot be found in that block alone.
    """
    wider = [
        each
        for each in others
        if each.spec == trace.spec
        and each.source_text == trace.source_text
        and each.sites == trace.sites
        and each.blocks_recorded > trace.blocks_recorded
    ]
    if not wider:
        return trace
    found = max(wider, key=lambda each: each.blocks_recorded).hazards
    known = {(hazard.kind, hazard.sites, hazard.line) for hazard in found}
    own = [hazard for hazard in trace.hazards if (hazard.kind, hazard.sites, hazard.line) not in known]
    return replace(trace, hazards=(*found, *own)) if found else trace


def with_roofs(session: Session, roofs: Roofs) -> Session:
    """The session with the roofs of a device."""
    return replace(session, roofs=(*session.roofs, roofs), device=better_device(session, roofs.device))


def with_schedule(session: Session, schedule: BlockSchedule) -> Session:
    """The session with one more block schedule."""
    return replace(session, schedules=(*session.schedules, schedule), device=better_device(session, schedule.device))


def better_device(session: Session, device: Device) -> Device:
    """The device a session is of: that of the newest GPU kernel; the host only where nothing ran elsewhere."""
    return session.device if device.backend == HOST and session.device != NO_DEVICE else device


def without(session: Session, items: Iterable[Item]) -> tuple[Session, Removed]:
    """The session without these very objects, and what was removed; what is not in it is passed over."""
    unwanted = {id(item) for item in items}
    runs, gone_runs = _split(session.runs, unwanted)
    errors, gone_errors = _split(session.errors, unwanted)
    traces, gone_traces = _split(session.traces, unwanted)
    sweeps, gone_sweeps = _split(session.sweeps, unwanted)
    left = replace(session, runs=runs, errors=errors, traces=traces, sweeps=sweeps)
    return left, Removed(gone_runs, gone_errors, gone_traces, gone_sweeps)


def with_restored(session: Session, removed: Removed) -> Session:
    """The session with what was removed in its old places, or at the end where there are fewer by now."""
    return replace(
        session,
        runs=_merged(session.runs, removed.runs),
        errors=_merged(session.errors, removed.errors),
        traces=_merged(session.traces, removed.traces),
        sweeps=_merged(session.sweeps, removed.sweeps),
    )


def _split(items: tuple[One, ...], unwanted: set[int]) -> tuple[tuple[One, ...], tuple[tuple[int, One], ...]]:
    kept = tuple(item for item in items if id(item) not in unwanted)
    return kept, tuple((place, item) for place, item in enumerate(items) if id(item) in unwanted)


def _merged(items: tuple[One, ...], placed: tuple[tuple[int, One], ...]) -> tuple[One, ...]:
    merged = list(items)
    there = {id(item) for item in items}
    for place, item in placed:
        if id(item) not in there:
            merged.insert(place, item)
    return tuple(merged)


def bytes_of(session: Session) -> int:
    """Bytes of all columns of a session: samples, error maps, recordings, schedules of blocks and warps."""
    runs = sum(
        run.timing.kernel_samples_ms.nbytes + run.timing.host_samples_ms.nbytes + run.error_map.values.nbytes
        for run in session.runs
    )
    roofs = sum(roof.samples_ms.nbytes for measured in session.roofs for roof in measured.roofs)
    schedules = sum(one.unit.nbytes + one.start_ns.nbytes + one.end_ns.nbytes for one in session.schedules)
    warps = sum(6 * one.load.nbytes for one in session.warp_timelines)
    return runs + roofs + schedules + warps + sum(map(_trace_bytes, session.traces))


def _trace_bytes(trace: TraceRun) -> int:
    counts = sum(getattr(trace.counts, field.name).nbytes for field in fields(trace.counts))
    return int(trace.a_loads.nbytes + trace.b_loads.nbytes + counts + sum(map(_block_bytes, trace.blocks)))


def _block_bytes(block: StoredBlock) -> int:
    snapshots = sum(snapshot.origin.nbytes + snapshot.matrix.nbytes for snapshot in block.snapshots)
    return block.addresses.nbytes + block.slot_site.nbytes + block.slot_epoch.nbytes + snapshots + block.values.nbytes
