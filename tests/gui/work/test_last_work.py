"""How a request stands, event by event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunError, RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import (
    Conditions,
    Event,
    Finished,
    Job,
    Progressed,
    RecordDone,
    RecordRequest,
    RunDone,
    RunFailed,
    RunRequest,
    SweepRequest,
    WorkerLost,
)
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage, after, after_change, begun

CATALOGUE = load_catalogue()
CONDITIONS = Conditions(Shape(33, 17, 9))
TILED, NAIVE = (Job(CATALOGUE.get(name), CATALOGUE.get(name).params({})) for name in ("tiled", "naive"))
RUN = LastWork(7, Asked.RUN, ("tiled",), "33×17×9")


def test_that_a_request_begins_with_its_kernels_and_its_size() -> None:
    assert begun(RunRequest(7, (TILED,), CONDITIONS)) == RUN
    assert begun(RunRequest(7, (TILED, NAIVE), CONDITIONS)).kernels == ("tiled", "naive")
    sweep = begun(SweepRequest(8, (TILED, TILED, TILED), CONDITIONS, 1))
    assert (sweep.asked, sweep.kernels) == (Asked.SWEEP, ("tiled",))
    assert begun(RecordRequest(9, TILED, CONDITIONS)) == LastWork(
        9, Asked.RECORDING, ("tiled",), "33×17×9", recordings=1
    )


def test_that_the_runs_of_a_request_are_counted(make_result: Callable[..., RunResult]) -> None:
    last = after(RUN, RunDone(7, make_result(), 0.0))
    assert after(last, RunDone(8, make_result(), 0.0)).results == 1, "that one is of another request"
    assert last.is_running


@pytest.mark.parametrize("forms", [(), (CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED)])
def test_that_a_request_is_done_with_its_last_recording(
    forms: tuple[CodeForm, ...], make_recording: Callable[..., TraceRun]
) -> None:
    """Its message comes then, before the worker has said that it is through."""
    last = begun(RecordRequest(9, TILED, CONDITIONS, forms=forms))
    for _ in range(max(len(forms), 1)):
        assert last.is_running
        assert after(last, RecordDone(8, make_recording())) == last, "it is of another request"
        last = after(last, RecordDone(9, make_recording()))
    assert last.stage is WorkStage.DONE
    assert after(last, Finished(9)).stage is WorkStage.DONE
    assert after(last, Finished(9, cancelled=True)).stage is WorkStage.DONE, "too late to stop anything"
    assert after(last, Finished(9, reason="too large")).stage is WorkStage.FAILED


FAILED = RunFailed(7, RunError("tiled", "too many threads\nand a long report"))


@pytest.mark.parametrize(
    ("events", "stage", "reason"),
    [
        ((Progressed(7, 0, 1, "tiled", "", 0.5),), WorkStage.RUNNING, ""),
        ((Finished(7),), WorkStage.DONE, ""),
        ((Finished(7, cancelled=True),), WorkStage.CANCELLED, ""),
        ((Finished(7, reason="no device"),), WorkStage.FAILED, "no device"),
        ((FAILED,), WorkStage.RUNNING, "too many threads"),
        ((FAILED, Finished(7)), WorkStage.FAILED, "too many threads"),
        ((FAILED, Finished(7, cancelled=True)), WorkStage.CANCELLED, "too many threads"),
        ((WorkerLost(7, -11, "tiled", "It crashed."),), WorkStage.FAILED, "It crashed."),
        ((Finished(6), WorkerLost(0, -11, "", "It crashed."), replace(FAILED, id=6)), WorkStage.RUNNING, ""),
    ],
)
def test_that_its_events_say_how_it_stands(events: tuple[Event, ...], stage: WorkStage, reason: str) -> None:
    last = RUN
    for event in events:
        last = after(last, event)
    assert (last.stage, last.reason) == (stage, reason)


def test_that_only_what_failed_for_a_kernel_alone_changes_with_its_file() -> None:
    failed = replace(RUN, stage=WorkStage.FAILED, reason="it does not compile")
    assert after_change(failed, "tiled").stage is WorkStage.CHANGED
    for last, kernel in ((RUN, "tiled"), (failed, "naive"), (replace(failed, kernels=("tiled", "naive")), "tiled")):
        assert after_change(last, kernel) == last
