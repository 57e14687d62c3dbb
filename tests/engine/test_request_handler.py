"""What the worker keeps between requests, and what it says when something is wrong with one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.runs.roof import RoofKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine import request_handler as module
from gemmviz.engine.event_sender import EventSender
from gemmviz.engine.messages import (
    Conditions,
    Event,
    Finished,
    Job,
    Progressed,
    RecordDone,
    RecordRequest,
    RoofsDone,
    RoofsRequest,
    RunDone,
    RunFailed,
    RunRequest,
    SweepRequest,
)
from gemmviz.engine.recording import record_forms
from gemmviz.engine.request_handler import RequestHandler
from gemmviz.explain.forms.comparison import why_not_comparable
from gemmviz.measure import bench as bench_module
from gemmviz.measure.bench import Inputs, make_inputs
from gemmviz.measure.roofs import measure_roofs
from gemmviz.measure.stopping import StoppingRule

MakeJob = Callable[..., Job]


class RecordedEvents:
    """A workbench in this process, what it said, and which inputs it made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[Event] = []
        self.cancelled: set[int] = set()
        self.made: list[tuple[Any, ...]] = []
        self.bench = RequestHandler(EventSender(self.events.append, 0.0), self.cancelled.__contains__)
        monkeypatch.setattr(module, "make_inputs", self._make)

    def _make(self, *what: Any) -> Inputs:
        assert self.bench._kept is None, "two sets of inputs at once"
        self.made.append(what)
        return make_inputs(*what)

    def do(self, work: Any) -> list[Event]:
        first = len(self.events)
        assert not self.bench.do(work)
        return self.events[first:]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> RecordedEvents:
    return RecordedEvents(monkeypatch)


def test_that_inputs_are_made_once_for_as_long_as_they_stay_the_same(
    told: RecordedEvents, quick: Conditions, job: MakeJob
) -> None:
    tiny = replace(quick, budget_s=0.001)
    other, back = replace(tiny, fill=Fill.RAMP), tiny
    inits = []
    for number, conditions in enumerate((tiny, tiny, other, back)):
        events = told.do(RunRequest(number, (job("cpu_ikj"),), conditions))
        inits += [event.init_ms for event in events if isinstance(event, RunDone)]
    assert [fill for _, fill, _ in told.made] == [tiny.fill, Fill.RAMP, tiny.fill]
    assert inits[0] == inits[1]


def test_that_inputs_that_do_not_fit_fail_the_request_and_nothing_is_kept(
    told: RecordedEvents, quick: Conditions, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.do(RunRequest(1, (job("cpu_ikj"),), replace(quick, budget_s=0.001)))
    assert told.bench._kept is not None
    monkeypatch.setattr(bench_module, "available_memory_bytes", lambda: 1000)
    events = told.do(RunRequest(2, (job("cpu_ikj"),), replace(quick, seed=1)))
    failed = events[-1]
    assert isinstance(failed, Finished)
    assert "33×17×9 needs" in failed.reason
    assert "Choose a smaller M, N or K" in failed.reason
    assert told.bench._kept is None
    assert not any(isinstance(event, RunDone | RunFailed) for event in events)


def test_that_a_recording_that_lacks_memory_gets_what_is_kept_in_reserve(
    told: RecordedEvents, quick: Conditions, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.do(RunRequest(1, (job("cpu_ikj"),), replace(quick, budget_s=0.001)))
    tries = []

    def short_of_memory(*arguments: Any) -> Any:
        tries.append(told.bench._kept is not None)
        if told.bench._kept is not None:
            raise MemoryRefusal("33x17x9 needs too much")
        return record_forms(*arguments)

    monkeypatch.setattr(module, "record_forms", short_of_memory)
    events = told.do(RecordRequest(2, job("naive"), quick))
    assert tries == [True, False]
    assert isinstance(events[-2], RecordDone)
    assert events[-1] == Finished(2)


@pytest.mark.usefixtures("nvrtc")
def test_that_both_forms_are_two_recordings_by_one_device(
    told: RecordedEvents, quick: Conditions, job: MakeJob
) -> None:
    events = told.do(RecordRequest(2, job("naive"), quick, ((0, 0, 0),), tuple(CodeForm)))
    made = [event.trace for event in events if isinstance(event, RecordDone)]
    assert [trace.form for trace in made] == [CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED]
    assert why_not_comparable(*made) == ""
    assert events[-1] == Finished(2)
    progress = [event.fraction for event in events if isinstance(event, Progressed)]
    assert progress == sorted(progress), "as one job"
    assert max(progress) == pytest.approx(1.0)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_second_form_that_lacks_memory_is_recorded_alone_again(
    told: RecordedEvents, quick: Conditions, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.do(RunRequest(1, (job("cpu_ikj"),), replace(quick, budget_s=0.001)))
    asked = []

    def short_of_memory(made_of: Job, conditions: Conditions, forms: tuple[CodeForm, ...], *more: Any) -> Any:
        asked.append(forms)
        for form in forms:
            if form is CodeForm.AS_COMPILED and told.bench._kept is not None:
                raise MemoryRefusal("33x17x9 needs too much")
            yield from record_forms(made_of, conditions, (form,), *more)

    monkeypatch.setattr(module, "record_forms", short_of_memory)
    events = told.do(RecordRequest(2, job("naive"), quick, ((0, 0, 0),), tuple(CodeForm)))
    assert asked == [tuple(CodeForm), (CodeForm.AS_COMPILED,)]
    made = [event.trace.form for event in events if isinstance(event, RecordDone)]
    assert made == [CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED]


def test_that_an_unexpected_fault_is_told_in_its_own_words_and_costs_only_its_request(
    told: RecordedEvents,
    quick: Conditions,
    job: MakeJob,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fall_over(*_: Any) -> Any:
        raise ZeroDivisionError("nobody thought of this")

    with monkeypatch.context() as broken:
        broken.setattr(module, "run_jobs", fall_over)
        events = told.do(RunRequest(1, (job("cpu_ikj"),), quick))
    assert events[-1] == Finished(1, reason="ZeroDivisionError: nobody thought of this")
    assert caplog.records[0].exc_info is not None, "the traceback is for standard error"
    events = told.do(RunRequest(2, (job("cpu_ikj"),), replace(quick, budget_s=0.001)))
    assert isinstance(events[-2], RunDone)


def test_that_what_was_cancelled_before_it_began_is_not_begun(
    told: RecordedEvents, quick: Conditions, job: MakeJob
) -> None:
    told.cancelled.add(3)
    assert told.do(RunRequest(3, (job("cpu_ikj"),), quick)) == [Finished(3, cancelled=True)]
    assert told.made == []


def test_that_a_sweep_that_does_not_fit_fails_as_a_whole(
    told: RecordedEvents, quick: Conditions, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Any:
        raise MemoryRefusal("2 choices at once: too much")

    monkeypatch.setattr(module, "sweep", refuse)
    jobs = (job("tiled", TILE=4), job("tiled", TILE=8))
    assert told.do(SweepRequest(4, jobs, quick, 1))[-1] == Finished(4, reason="2 choices at once: too much")


def test_that_a_run_without_jobs_ends_well(told: RecordedEvents, quick: Conditions) -> None:
    assert told.do(RunRequest(5, (), quick))[-1] == Finished(5)


def test_that_roofs_are_told_once_with_what_is_going_on(told: RecordedEvents, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(measure_roofs, rule=StoppingRule(2, 0.0, limit_seconds=0.1), kinds=(RoofKind.FP32,))
    monkeypatch.setattr("gemmviz.engine.roofs.measure_roofs", quick)
    events = told.do(RoofsRequest(7, Conditions(Shape(1, 1, 1), device="pocl")))
    answers = [event for event in events if isinstance(event, RoofsDone)]
    assert [roof.kind for roof in answers[0].roofs.roofs] == [RoofKind.FP32]
    assert answers[0].roofs.finished
    assert any("fp32 roof" in event.words for event in events if isinstance(event, Progressed))
    assert events[-1] == Finished(7)


def test_that_the_ptx_machine_has_no_roofs(told: RecordedEvents) -> None:
    (ended,) = told.do(RoofsRequest(8, Conditions(Shape(1, 1, 1), device="machine:sm_90a")))
    assert isinstance(ended, Finished)
    assert "Measure roofs on another device" in ended.reason
