"""Recordings of a kernel, made once for all examinations that look through them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod

from gemmviz.backends.base import BackendError
from gemmviz.backends.machine.compared_values import blocks_compared_by
from gemmviz.catalogue.claims.large_sizes import large_sizes, long_sums, products_of_block
from gemmviz.catalogue.claims.recorded_size import MOST_PRODUCTS, recorded_size
from gemmviz.catalogue.claims.singled_out import singled_out_first
from gemmviz.catalogue.claims.size_of_blocks import sizes_of_blocks
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.recordable import records, why_not_recorded
from gemmviz.compiler.ptx.arrivals import uses_arrivals
from gemmviz.domain.device import Device
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.recordings.hazard import Hazard, HazardKind, by_gravity, gravity_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import Block, device_for_recording, record
from gemmviz.measure.cancel import CancelledError, ShouldCancel, raise_if_cancelled
from gemmviz.referee.evidence import Recordings
from gemmviz.referee.finding import Case, LineFault
from gemmviz.referee.inputs import SEED
from gemmviz.referee.subject import Subject
from gemmviz.trace.hazards.rules.rule import Concern
from gemmviz.trace.hazards.rules.table import concern_of
from gemmviz.trace.refusal import RecordingRefusal

LARGE_S, LONG_SUM_S, COMPARED_S = 20.0, 10.0, 20.0
"""How long the recording at one of the large sizes may take, that of one block with long sums, and those of a few
blocks at all sizes that the kernel compares its own with. Few take more than 2 s.
"""
_LONG = 2048
"""Of sums: beyond it the first block alone is recorded."""


def recordings_of(subject: Subject) -> Recordings:
    """What can be recorded of a kernel, of every block, from the first call on the same.

    Raises:
        CancelledError: stopped.
    """
    if subject.recordings is None:
        subject.recordings = _recorded(subject)
    return subject.recordings


def large_recordings_of(subject: Subject) -> Recordings:
    """Recordings of every block at the largest sizes that can be recorded so (`large_sizes`), in the last form that was
    recorded at the small one, from the first call on the same; then those of the blocks that the kernel compares its
    own with, at sizes that have them (`sizes_of_blocks`), where no grid has had them yet, and of a few blocks at the
    sizes that it compares its own with (`Subject.compared_sizes`); last that of the first block at the longest K that
    can be (`long_sums`), where results are compared with longer sums. The time limit for all examinations may end them.
    """
    if subject.large_recordings is None:
        small = recordings_of(subject).runs
        subject.large_recordings = _of_large_sizes(subject, small[-1].form) if small else Recordings((), ())
    return subject.large_recordings


def cases_of(subject: Subject, concern: Concern) -> list[Case]:
    """A case for each recording that was made so far: its hazards that answer a question, or that there is none."""
    large = subject.large_recordings
    return cases_in((*recordings_of(subject).runs, *(large.runs if large is not None else ())), subject, concern)


def cases_in(runs: Sequence[TraceRun], subject: Subject, concern: Concern) -> list[Case]:
    """A case for each of these recordings of a kernel."""
    if concern in (Concern.ORDER, Concern.INITIALISED) and uses_arrivals(subject.kernel.text):
        return []
    cases = []
    for run in runs:
        meant = by_gravity([hazard for hazard in run.hazards if concern_in(run, hazard) is concern])
        faults = tuple(LineFault(one.line, one.kind.words, one.detail, gravity_of(one)) for one in meant)
        said = [": ".join(filter(None, (fault.place, fault.words))) for fault in faults]
        found = "; ".join(said) or "nothing of the kind"
        tried = f"recording {run.form}, {part_words(run)}"
        cases.append(Case(tried, found, str(run.spec.shape), SEED, bool(faults), faults=faults))
    return cases


def concern_in(run: TraceRun, hazard: Hazard) -> Concern | None:
    """Which question a hazard of a recording answers. A plain read of what atomicCAS alone changes answers none: where
    that compares what was read, as in a sum of floats by a loop, the read does no harm.
    """
    changes = [site for site in run.sites if site.is_atomic and site.line == hazard.line]
    is_compared = bool(changes) and all(".cas" in site.text for site in changes)
    if hazard.kind is HazardKind.PLAIN_READ and is_compared:
        return Concern.UNDECIDED_ORDER
    return concern_of(hazard)


def race_words(subject: Subject) -> str:
    """The first race in the recordings made so far: "race between blocks in line 3"; "" where there is none."""
    races = (
        fault for case in cases_of(subject, Concern.ORDER) for fault in case.faults if fault.kind.startswith("race")
    )
    return next((" in ".join(filter(None, (one.kind, one.place))) for one in races), "")


def follows_from(race: str) -> str:
    """Why what differs from launch to launch says nothing more of a kernel with this race."""
    return f"Not judged: results follow from the {race}."


def grid_words(grid: tuple[int, int, int]) -> str:
    """The blocks of a grid: "1 block", "9 blocks (3x3)"."""
    extents = [str(one) for one in grid]
    while len(extents) > 1 and extents[-1] == "1":
        extents.pop()
    return counted(prod(grid), "block") + (f" ({'×'.join(extents)})" if len(extents) > 1 else "")


def part_words(run: TraceRun) -> str:
    """The blocks of a recording: "9 blocks (3x3)", or "1 of 9 blocks (3x3)" where others were not recorded."""
    of = f"{run.blocks_recorded} of " if run.blocks_recorded < run.launch.blocks else ""
    return f"{of}{grid_words(run.launch.grid)}"


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
            runs.append(recorded_at(subject, shape, form))
        except (BackendError, Refusal, RecordingRefusal, MemoryRefusal) as error:
            missing.append(f"{form}: {str(error).removeprefix(f'{kernel.id}: ')}")
    return Recordings(tuple(runs), tuple(missing))


def _of_large_sizes(subject: Subject, form: CodeForm | None) -> Recordings:
    """The recordings of large sizes, those of long sums first: these take the longest."""
    runs, missing, products_per_s = dict[Shape, TraceRun](), list[str](), 0.0
    shapes = large_sizes(subject.claims)
    for shape in sorted(shapes, key=lambda one: -one.k):
        begin = time.monotonic()
        try:
            runs[shape] = recorded_at(subject, shape, form, lateness(subject, LARGE_S))
        except CancelledError:
            if subject.watch.should_cancel():
                missing.append(f"{shape}: the time limit was reached")
                break
            missing.append(f"{shape}: every block takes longer than the {LARGE_S:g} s for one size")
        except (BackendError, Refusal, RecordingRefusal, MemoryRefusal) as error:
            missing.append(f"{shape}: {str(error).removeprefix(f'{subject.kernel.id}: ')}")
        else:
            products = prod((shape.m, shape.n, shape.k))
            products_per_s = max(products_per_s, products / max(time.monotonic() - begin, 1e-3))
    whole = [runs[shape] for shape in shapes if shape in runs]
    known_k = max(run.spec.shape.k for run in (*recordings_of(subject).runs, *whole))
    long = _of_long_sums(subject, form, known_k, products_per_s)
    apart = _of_compared_blocks(subject, form, [run.spec.shape for run in (*recordings_of(subject).runs, *whole)])
    known = [run.spec.shape for run in (*recordings_of(subject).runs, *whole, *apart)]
    named, unnamed = _of_compared_sizes(subject, form, known)
    return Recordings((*whole, *named, *apart, *([long] if long is not None else [])), (*missing, *unnamed))


def _of_compared_blocks(subject: Subject, form: CodeForm | None, known: Sequence[Shape]) -> list[TraceRun]:
    """The blocks that the kernel compares its own with, and that it has at none of the `known` sizes."""
    if subject.watch.should_cancel():
        return []
    compared, runs = blocks_compared_by(subject.kernel, subject.params, subject.claims.home), list[TraceRun]()
    for shape in sizes_of_blocks(subject.claims, compared, known):
        launch = subject.kernel.plan(shape, subject.params, subject.device).launch
        with suppress(CancelledError, BackendError, Refusal, RecordingRefusal, MemoryRefusal):
            runs.append(recorded_at(subject, shape, form, lateness(subject, LARGE_S), compared.within(launch.grid)))
    return runs


def _of_compared_sizes(
    subject: Subject, form: CodeForm | None, known: Sequence[Shape]
) -> tuple[list[TraceRun], list[str]]:
    """A few blocks at each size beside the `known` ones that the kernel compares its own with, as far as COMPARED_S
    suffice, and in words for how many they did not.
    """
    shapes, runs = [one for one in singled_out_first(subject.compared_sizes) if one not in known], list[TraceRun]()
    is_late = lateness(subject, COMPARED_S)
    for number, shape in enumerate(shapes):
        few = ComparedBlocks().few_of(subject.kernel.plan(shape, subject.params, subject.device).launch.grid)
        try:
            runs.append(recorded_at(subject, shape, form, is_late, few[:1] if shape.k > _LONG else few))
        except CancelledError:
            left = counted(len(shapes) - number, "size")
            is_out_of_time = subject.watch.should_cancel()
            why = "the time limit was reached" if is_out_of_time else f"{COMPARED_S:g} s did not suffice for these"
            return runs, [f"{left} that its code compares its own with: {why}"]
        except (BackendError, Refusal, RecordingRefusal, MemoryRefusal):
            continue
    return runs, []


def _of_long_sums(subject: Subject, form: CodeForm | None, known_k: int, products_per_s: float) -> TraceRun | None:
    """The first block at the longest K beyond the `known_k` that LONG_SUM_S suffice for; None where there is none."""
    for shape in long_sums(subject.claims, known_k):
        is_too_long = products_of_block(subject.claims, shape) > LONG_SUM_S * products_per_s > 0
        if is_too_long or subject.watch.should_cancel():
            continue
        try:
            return recorded_at(subject, shape, form, lateness(subject, LONG_SUM_S), ((0, 0, 0),))
        except (CancelledError, BackendError, Refusal, RecordingRefusal, MemoryRefusal):
            continue
    return None


def lateness(subject: Subject, limit_s: float) -> ShouldCancel:
    """Whether so many seconds have passed from now on, or somebody wants to stop."""
    end = time.monotonic() + limit_s
    return lambda: time.monotonic() > end or subject.watch.should_cancel()


def recorded_at(
    subject: Subject,
    shape: Shape,
    form: CodeForm | None,
    is_late: ShouldCancel | None = None,
    blocks: Sequence[Block] = (),
) -> TraceRun:
    """A recording of some blocks or, without `blocks`, of every one, which `is_late` ends where it takes too long.

    Raises:
        CancelledError: it was ended.
    """
    device = _device(subject, form)
    limit_s = subject.limit_s if is_late is None else max(subject.limit_s, LARGE_S)
    conditions = Conditions(
        shape, Fill.UNIFORM, SEED, device=device.id, launch_limit_s=limit_s, form=form, values=False
    )
    job = Job(subject.kernel, subject.params)

    def say(words: str) -> None:
        if is_late is not None:
            raise_if_cancelled(is_late)
        subject.say(words)

    watch = replace(subject.watch, say=say, should_cancel=is_late or subject.watch.should_cancel)
    return record(job, conditions, device, blocks, watch, keeps_traces=False)


def _device(subject: Subject, form: CodeForm | None) -> Device:
    """The device of the launches if it records the form, else the PTX machine or what else does."""
    if records(subject.device, subject.kernel, form):
        return subject.device
    return device_for_recording(subject.kernel, None, form=form)
