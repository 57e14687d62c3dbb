"""What the fields of a session must say together, beyond the range of each: sizes that fit, sums that agree."""

from __future__ import annotations

from collections.abc import Iterator

from gemmviz.domain.kernels.examined_sweep import MOST_SETTINGS, MOST_SWEEPS
from gemmviz.domain.kernels.kernel_version import Check
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Accuracy, ErrorMap, RunResult, Session
from gemmviz.domain.session.versions import MOST_CHARACTERS, MOST_VERSIONS, characters_of
from gemmviz.domain.shape import Shape

MOST_RUNS = 50_000
"""Of a session: runs and kernels that could not run."""


def faults_of(session: Session) -> Iterator[str]:
    """Sentences about what does not fit, the first of each run, recording or schedule."""
    if len(session.runs) + len(session.errors) > MOST_RUNS:
        yield f"it has {len(session.runs) + len(session.errors)} runs: at most {MOST_RUNS} are kept in one file"
    for number, run in enumerate(session.runs, 1):
        for fault in _faults_of_run(run):
            yield f"run {number} ({run.spec.kernel!r}) {fault}"
    for number, trace in enumerate(session.traces, 1):
        for fault in _faults_of_trace(trace):
            yield f"recording {number} ({trace.spec.kernel!r}) {fault}"
    yield from _faults_of_versions(session)
    yield from _faults_of_sweeps(session)


def _is_result_of(check: Check) -> bool:
    """Whether a check passed where its error is within the bound, and failed where it is not."""
    return check.passed == (check.max_error_over_ug <= check.bound)


def _faults_of_versions(session: Session) -> Iterator[str]:
    versions = session.versions
    if len(versions) > MOST_VERSIONS or (len(versions) > 1 and characters_of(versions) > MOST_CHARACTERS):
        yield (
            f"it has {len(versions)} versions of kernels with {characters_of(versions)} characters: at most "
            f"{MOST_VERSIONS} with {MOST_CHARACTERS} are kept in one file"
        )
    numbers = [(one.kernel, one.number) for one in versions]
    texts = [(one.kernel, one.text) for one in versions]
    if len(set(numbers)) < len(numbers) or len(set(texts)) < len(texts):
        yield "it has a version of a kernel twice"
    for one in versions:
        if one.check is not None and not _is_result_of(one.check):
            yield f"version {one.number} of {one.kernel!r} claims a result that its error and bound do not give"


def _faults_of_sweeps(session: Session) -> Iterator[str]:
    if len(session.sweeps) > MOST_SWEEPS:
        yield f"it has {len(session.sweeps)} sweeps of settings: at most {MOST_SWEEPS} are kept in one file"
    for number, sweep in enumerate(session.sweeps, 1):
        if not 0 < len(sweep.settings) <= MOST_SETTINGS:
            yield f"sweep {number} of {sweep.kernel!r} has {len(sweep.settings)} settings, not 1 to {MOST_SETTINGS}"
        for one in sweep.settings:
            if one.check is not None and not _is_result_of(one.check):
                yield f"sweep {number} of {sweep.kernel!r} claims a result that its error and bound do not give"


def _faults_of_run(run: RunResult) -> Iterator[str]:
    timing = run.timing
    if timing.kernel_samples_ms.shape != timing.host_samples_ms.shape:
        yield "does not have as many samples by the device clock as by the host clock"
    if timing.gauges.count not in (0, timing.kernel_samples_ms.size):
        yield "does not have one sensor reading per sample"
    if not timing.kernel_samples_ms.size:
        yield "has no samples"
    yield from _faults_of_accuracy(run.accuracy, run.spec.shape)
    yield from _faults_of_error_map(run.error_map, run.spec.shape)


def _faults_of_accuracy(accuracy: Accuracy, shape: Shape) -> Iterator[str]:
    if not accuracy.exact_matches <= accuracy.elements <= shape.m * shape.n:
        yield (f"claims {accuracy.exact_matches} equal elements of {accuracy.elements}, but C has {shape.m * shape.n}")
    if accuracy.passed != (accuracy.max_error_over_ug <= accuracy.bound):
        yield f"claims to have {'passed' if accuracy.passed else 'failed'}, but its error and bound say otherwise"
    if any(mismatch.row >= shape.m or mismatch.column >= shape.n for mismatch in accuracy.first_mismatches):
        yield f"names an element of C that {shape} does not have"


def _faults_of_error_map(error_map: ErrorMap, shape: Shape) -> Iterator[str]:
    for cells, each, whole in (
        (error_map.rows, error_map.cell_rows, shape.m),
        (error_map.columns, error_map.cell_columns, shape.n),
    ):
        if error_map.values.size and not (cells - 1) * each < whole <= cells * each:
            yield f"has an error map of {cells} cells of {each} where C has {whole} elements"
            return
    if any(worst.row >= shape.m or worst.column >= shape.n for worst in error_map.worst):
        yield f"names an element of C that {shape} does not have"


def _faults_of_trace(trace: TraceRun) -> Iterator[str]:
    if any(site.index != place for place, site in enumerate(trace.sites)):
        yield "has sites that are not numbered in order"
    if any(site >= len(trace.sites) for hazard in trace.hazards for site in hazard.sites):
        yield "has a hazard at a site that does not exist"
    if not trace.blocks_searched <= trace.blocks_recorded <= trace.launch.blocks:
        yield (
            f"claims {trace.blocks_recorded} recorded and {trace.blocks_searched} searched blocks of "
            f"{trace.launch.blocks}"
        )
    if int(trace.counts.accesses.sum()) != trace.accesses:
        yield f"claims {trace.accesses} accesses, but its sites have {int(trace.counts.accesses.sum())}"
    for block in trace.blocks:
        if block.threads != trace.launch.threads_per_block:
            yield f"has a block of {block.threads} threads where the launch has {trace.launch.threads_per_block}"
            return
        if any(place >= most for place, most in zip(block.block, trace.launch.grid, strict=True)):
            yield f"has a block {block.block} that the grid does not have"
            return
