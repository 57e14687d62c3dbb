"""The bytes that a run's kernel loads and stores: recorded at its size, or estimated from blocks like its own. No Qt.

An estimate scales the bytes of recorded blocks to the run: loads by the multiply-adds, stores by the elements of C.
That holds only where the recorded blocks are like those of the run: they store as many elements of C as a block of the
run does on average, no more than EDGE of which may be cut off at the edges, and rows of A, B and C begin at the same
places of their sectors (K and N leave the same remainders). Any other recording is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.recordable import limits_of_recording
from gemmviz.domain.recordings.access import SECTOR_BYTES, AccessKind, Space, operand_bytes, result_name
from gemmviz.domain.recordings.multiply_adds import is_complete, multiply_adds_of, work_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.runs.roof import ideal_bytes_in
from gemmviz.domain.terms import CodeForm

EDGE = 0.1
"""The part of its elements that an average block of the run may lack."""
_FLOAT_BYTES = 4
NOT_RECORDED = "not recorded"


@dataclass(frozen=True, slots=True)
class RunTraffic:
    """Bytes that the warps of one launch load and store, before any cache; `source` says from which recording.

    `is_estimate`: they are scaled from recorded blocks. `form`: which form of the kernel was recorded; what was timed
    is always compiled.
    """

    nbytes: float
    is_estimate: bool
    source: str
    form: CodeForm = CodeForm.AS_COMPILED


def traffic_of_run(run: RunResult, traces: Sequence[TraceRun]) -> RunTraffic | None:
    """From a complete recording of the run's own size, else from blocks like its own; None where there is neither.

    A recording of the kernel as compiled, which is what was timed, comes before any of it as written.
    """
    own = _recordings_of(run, traces)
    own.sort(key=lambda trace: (trace.spec.shape == run.spec.shape, trace.blocks_recorded, trace.finished))
    for form in (CodeForm.AS_COMPILED, CodeForm.AS_WRITTEN):
        in_form = [trace for trace in own if trace.form is form]
        whole = [trace for trace in in_form if is_complete(trace) and trace.spec.shape == run.spec.shape]
        if whole and (nbytes := sum(_moved(whole[-1]))):
            return RunTraffic(nbytes, False, "a recording of the whole grid", form)
        found = (_estimate(run, trace) for trace in reversed(in_form))
        if (estimate := next((one for one in found if one is not None), None)) is not None:
            return estimate
    return None


def ideal_bytes_of_run(run: RunResult, traces: Sequence[TraceRun]) -> int:
    """A and B, and C where it is added, read once, the result written once; a recording of the kernel tells the sizes
    of their elements, else its arithmetic does.
    """
    own = [trace for trace in _recordings_of(run, traces) if trace.spec.computes == run.spec.computes]
    return ideal_bytes_in(run.arithmetic, run.spec.shape, run.spec.computes, own[-1].arrays if own else ())


def why_unknown(run: RunResult, traces: Sequence[TraceRun]) -> str:
    """Why `traffic_of_run` knows no bytes of a run, in words that end a sentence about it."""
    own = _recordings_of(run, traces)
    if not own:
        return limits_of_recording(run.spec.kernel) or NOT_RECORDED
    sizes = " and ".join(sorted({trace.spec.shape.words for trace in own}))
    return f"recorded at {sizes}, where a block is not like a block of the run"


def _recordings_of(run: RunResult, traces: Sequence[TraceRun]) -> list[TraceRun]:
    """Those of the run's kernel with its parameters, of whatever size."""
    return [trace for trace in traces if (trace.spec.kernel, trace.spec.params) == (run.spec.kernel, run.spec.params)]


def _estimate(run: RunResult, trace: TraceRun) -> RunTraffic | None:
    shape, counted = run.spec.shape, multiply_adds_of(trace)
    stored = _elements_of_c(trace)
    if not counted or not stored or not sum(_moved(trace)) or not _is_alike(run, trace, stored):
        return None
    by_terms = shape.m * shape.n * shape.k / counted
    loads, stores = _moved(trace)
    is_stored_once = _stores(trace) == stored
    nbytes = loads * by_terms + stores * (shape.m * shape.n / stored if is_stored_once else by_terms)
    blocks = "1 block" if trace.blocks_recorded == 1 else f"{trace.blocks_recorded} blocks"
    return RunTraffic(nbytes, True, f"{blocks} recorded at {trace.spec.shape.words}", trace.form)


def _is_alike(run: RunResult, trace: TraceRun, stored: int) -> bool:
    """Whether the recorded blocks, which store so many elements of C, are like those of the run."""
    here, there = run.spec.shape, trace.spec.shape
    sector = SECTOR_BYTES // max(1, min(_FLOAT_BYTES, operand_bytes(trace.arrays)))
    if (here.k % sector, here.n % sector) != (there.k % sector, there.n % sector):
        return False
    average, recorded = here.m * here.n / run.launch.blocks, stored / trace.blocks_recorded
    return (1 - EDGE) * recorded <= average <= recorded


def _elements_of_c(trace: TraceRun) -> int:
    """The elements of the result that the recorded blocks store; 0 where nobody knows, or it holds partial sums."""
    if any(array.name == result_name(trace.arrays) and array.rows != trace.spec.shape.m for array in trace.arrays):
        return 0
    return work_of(trace).stored


def _moved(trace: TraceRun) -> tuple[int, int]:
    """Bytes of global memory that loads and stores of the recorded blocks move, 32 for each sector sent."""
    found = {AccessKind.LOAD: 0, AccessKind.STORE: 0}
    for site in trace.sites:
        if site.space is Space.GLOBAL:
            found[site.kind] += trace.counts.of(site).bytes_moved
    return found[AccessKind.LOAD], found[AccessKind.STORE]


def _stores(trace: TraceRun) -> int:
    """How many elements of matrices the recorded blocks store, each as often as it is stored."""
    variables = {array.name for array in trace.arrays if array.is_variable}
    return sum(
        trace.counts.of(site).accesses * max(1, site.width_bytes // _FLOAT_BYTES)
        for site in trace.sites
        if (site.space, site.kind) == (Space.GLOBAL, AccessKind.STORE) and site.array not in variables
    )
