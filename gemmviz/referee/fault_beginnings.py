"""Where the gravest hazard of a kernel's recordings begins, which is looked for with further recordings."""

from __future__ import annotations

from gemmviz.backends.base import BackendError
from gemmviz.backends.machine.compared_values import blocks_compared_by
from gemmviz.catalogue.claims.fault_beginnings import Choice, beginning_words
from gemmviz.catalogue.kernel import Refusal
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.hazard import Hazard, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.measure.cancel import CancelledError
from gemmviz.referee.recordings import concern_in, lateness, recorded_at
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.refusal import RecordingRefusal

BEGINNING_S = 20.0
"""For finding the size from which on there is a hazard: about a dozen recordings of a few blocks."""


def beginning_sentence(subject: Subject) -> str:
    """Between which sizes the gravest hazard of the first recording with one begins that is about an order of accesses:
    " It depends on the size: none at 37x41x64, but at 37x41x65."; "" where it is there at the least sizes,
    too, or where BEGINNING_S do not suffice.
    """
    large = subject.large_recordings.runs if subject.large_recordings is not None else ()
    small = subject.recordings.runs if subject.recordings is not None else ()
    run, hazard = next(((run, one) for run in (*small, *large) if (one := _gravest(run)) is not None), (None, None))
    if run is None or hazard is None:
        return ""
    is_late = lateness(subject, BEGINNING_S)

    def shows(shape: Shape, choose: Choice) -> bool | None:
        try:
            grid = subject.kernel.plan(shape, subject.params, subject.device).launch.grid
            found = recorded_at(subject, shape, run.form, is_late, choose(grid) if choose is not None else ())
        except (CancelledError, BackendError, Refusal, RecordingRefusal, MemoryRefusal):
            return None
        return any(one.kind is hazard.kind and concern_in(found, one) is Concern.ORDER for one in found.hazards)

    is_small = any(run is one for one in small)
    words = beginning_words(subject.claims, run.spec.shape, shows, _choices(subject, run), along_k_alone=is_small)
    return f" It depends on the size: {words}." if words else ""


def _choices(subject: Subject, run: TraceRun) -> tuple[Choice, ...]:
    """The blocks that are recorded at other sizes: a few, where these show what a recording of all shows."""
    if run.blocks_recorded == run.launch.blocks:
        return ComparedBlocks().few_of, None
    if run.blocks_recorded == 1:
        return (lambda _: ((0, 0, 0),),)
    return (blocks_compared_by(subject.kernel, subject.params, subject.claims.home).few_of,)


def _gravest(run: TraceRun) -> Hazard | None:
    return next(iter(by_gravity([one for one in run.hazards if concern_in(run, one) is Concern.ORDER])), None)
