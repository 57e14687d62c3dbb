"""Recordings of a kernel, made once for all examinations that look through them."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.recordable import records, why_not_recorded
from gemmviz.domain.device import Device
from gemmviz.domain.figures import counted
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.hazard import by_gravity, gravity_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.referee.evidence import Recordings
from gemmviz.referee.finding import Case, LineFault
from gemmviz.referee.inputs import SEED
from gemmviz.referee.recorded_size import MOST_PRODUCTS, recorded_size
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of
from gemmviz.trace.refusal import RecordingRefusal


def recordings_of(subject: Subject) -> Recordings:
    """What can be recorded of a kernel, of every block, from the first call on the same.

    Raises:
        CancelledError: stopped.
    """
    if subject.recordings is None:
        subject.recordings = _recorded(subject)
    return subject.recordings


def cases_of(subject: Subject, concern: Concern) -> list[Case]:
    """A case for each recording: the hazards of it that answer a question, or that there is none."""
    cases = []
    for run in recordings_of(subject).runs:
        meant = by_gravity([hazard for hazard in run.hazards if concern_of(hazard) is concern])
        faults = tuple(LineFault(one.line, one.kind.words, one.detail, gravity_of(one)) for one in meant)
        said = [": ".join(filter(None, (fault.place, fault.words))) for fault in faults]
        found = "; ".join(said) or "nothing of the kind"
        tried = f"recording {run.form}, {grid_words(run.launch.grid)}"
        cases.append(Case(tried, found, str(run.spec.shape), SEED, bool(faults), faults=faults))
    return cases


def grid_words(grid: tuple[int, int, int]) -> str:
    """The blocks of a grid: "1 block", "9 blocks (3x3)"."""
    extents = [str(one) for one in grid]
    while len(extents) > 1 and extents[-1] == "1":
        extents.pop()
    return counted(prod(grid), "block") + (f" ({'x'.join(extents)})" if len(extents) > 1 else "")


def _recorded(subject: Subject) -> Recordings:
    kernel = subject.kernel
    why = why_not_recorded(kernel)
    if why:
        return Recordings((), (why,))
    runs, missing = [], []
    shape = recorded_size(subject.claims)
    if prod((shape.m, shape.n, shape.k)) > MOST_PRODUCTS:
        return Recordings((), (f"The least size that it claims, {shape}, is too large to record every block",))
    for form in CodeForm:
        try:
            runs.append(_one(subject, shape, form))
        except (BackendError, Refusal, RecordingRefusal, MemoryRefusal) as error:
            missing.append(f"{form}: {str(error).removeprefix(f'{kernel.id}: ')}")
    return Recordings(tuple(runs), tuple(missing))


def _one(subject: Subject, shape: Shape, form: CodeForm) -> TraceRun:
    device = _device(subject, form)
    conditions = Conditions(
        shape, Fill.UNIFORM, SEED, device=device.id, launch_limit_s=subject.limit_s, form=form, values=False
    )
    job = Job(subject.kernel, subject.params)
    return replace(record(job, conditions, device, (), replace(subject.watch, say=subject.say)), blocks=())


def _device(subject: Subject, form: CodeForm) -> Device:
    """The device of the launches if it records the form, else the PTX machine or what else does."""
    if records(subject.device, subject.kernel, form):
        return subject.device
    return device_for_recording(subject.kernel, None, form=form)
