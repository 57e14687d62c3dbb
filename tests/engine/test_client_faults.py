"""Workers that crash, hang, answer too late or do not start: the window is told, and goes on."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pace import clock_limit_s

from gemmviz.engine import worker_place
from gemmviz.engine.messages import (
    Conditions,
    Finished,
    Job,
    Progressed,
    RecordRequest,
    RunDone,
    RunFailed,
    RunRequest,
    SweepRequest,
    WorkerLost,
)
from gemmviz.engine.worker import STUCK

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")

MakeJob = Callable[..., Job]


def kill(engine: Any) -> None:
    os.kill(engine.process(), signal.SIGKILL)


def test_that_a_kernel_that_never_ends_costs_its_limit_and_no_crash_is_told(
    engine: Any, quick: Conditions, job: MakeJob, faulty: MakeJob, is_alive: Callable[[int], bool]
) -> None:
    process = engine.process()
    jobs = (job("naive"), faulty("endless"), job("tiled"))
    request = RunRequest(engine.client.next_id(), jobs, replace(quick, launch_limit_s=0.5))
    events = engine.ask(request)
    told = [event for event in events if not isinstance(event, Progressed)]
    assert [type(event) for event in told] == [RunDone, RunDone, RunFailed, Finished]
    assert told[0].result.spec.kernel == "naive"
    assert told[1].result.spec.kernel == "tiled", "it runs before kernels of the user's"
    assert told[2].error.kernel == "endless"
    assert "did not end within 0.5 s" in told[2].error.reason
    assert told[3] == Finished(request.id)
    again = engine.ask(RunRequest(engine.client.next_id(), (job("tiled"), faulty("transposed_index")), quick))
    assert any(isinstance(event, RunDone) for event in again), "a request handed in at once reaches the next worker"
    assert not any(isinstance(event, WorkerLost) for event in engine.events)
    assert is_alive(process), "the worker of gemmviz' own kernels is none the worse"


def test_that_a_recording_that_never_ends_costs_its_limit(engine: Any, quick: Conditions, faulty: MakeJob) -> None:
    conditions = replace(quick, launch_limit_s=0.05)
    events = engine.ask(RecordRequest(engine.client.next_id(), faulty("endless"), conditions))
    assert events[-1].reason.startswith("endless: the kernel did not end within 0.05 s")
    engine.process()


def test_that_a_sweep_that_never_ends_answers_every_choice(engine: Any, quick: Conditions, faulty: MakeJob) -> None:
    request = SweepRequest(engine.client.next_id(), (faulty("endless"),), replace(quick, launch_limit_s=0.5), 3)
    events = engine.ask(request)
    (failure,) = [event for event in events if isinstance(event, RunFailed)]
    assert "did not end within 0.5 s" in failure.error.reason
    assert events[-1] == Finished(request.id)
    engine.process()


def test_that_a_kernel_that_crashes_is_named_with_its_signal_and_what_helps(
    engine: Any, quick: Conditions, job: MakeJob, faulty: MakeJob
) -> None:
    process = engine.process()
    request = RunRequest(engine.client.next_id(), (job("tiled"), faulty("far_write")), quick)
    events = engine.ask(request)
    assert [type(event) for event in events if not isinstance(event, Progressed)] == [RunDone, WorkerLost]
    loss = events[-1]
    assert (loss.id, loss.exit_code, loss.running, loss.restarts) == (request.id, -signal.SIGSEGV, "far_write", True)
    assert loss.words == (
        "The process that runs kernels was ended by SIGSEGV while far_write ran: "
        "most likely it reads or writes outside its arrays; Record names the line."
    )
    assert engine.process() != process
    again = engine.ask(RunRequest(engine.client.next_id(), (job("tiled"),), quick))
    assert any(isinstance(event, RunDone) for event in again)


def test_that_what_writes_far_outside_can_be_recorded(engine: Any, quick: Conditions, faulty: MakeJob) -> None:
    events = engine.ask(RecordRequest(engine.client.next_id(), faulty("far_write"), quick))
    assert events[-1] == Finished(events[-1].id)
    assert [str(hazard.kind) for hazard in events[-2].trace.hazards] == ["out_of_bounds"]


def test_that_an_idle_worker_that_is_killed_is_started_again(engine: Any, quick: Conditions, job: MakeJob) -> None:
    kill(engine)
    loss = engine.wait_for(WorkerLost)
    assert (loss.id, loss.exit_code, loss.running, loss.restarts) == (0, -signal.SIGKILL, "", True)
    assert "while nothing was running; it is started again" in loss.words
    events = engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), quick))
    assert any(isinstance(event, RunDone) for event in events)


def test_that_a_worker_killed_at_work_ends_the_request(engine: Any, quick: Conditions, job: MakeJob) -> None:
    request = RunRequest(engine.client.next_id(), (job("cpu_ikj"),), replace(quick, budget_s=30.0))
    engine.client.submit(request)
    engine.wait_for(Progressed, check=lambda event: event.words == "cpu_ikj: measuring")
    kill(engine)
    loss = engine.wait_for(WorkerLost)
    assert (loss.id, loss.exit_code, loss.running) == (request.id, -signal.SIGKILL, "cpu_ikj")
    assert "memory ran out" in loss.words
    assert not engine.client.busy


def test_that_a_request_handed_to_a_worker_that_was_just_killed_ends(
    engine: Any, quick: Conditions, job: MakeJob
) -> None:
    engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), quick))  # by a worker that nothing else ends
    kill(engine)
    request = RunRequest(engine.client.next_id(), (job("naive"),), quick)
    events = engine.ask(request)
    assert isinstance(events[-1], WorkerLost)
    assert events[-1].id == request.id
    assert "while the run of naive began" in events[-1].words


def test_that_what_cannot_be_read_is_a_crash(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(main=odd_workers.sends_garbage)
    request = RunRequest(engine.client.next_id(), (job("naive"),), quick)
    events = engine.ask(request)
    assert isinstance(events[-1], WorkerLost)
    assert events[-1].id == request.id


def test_that_a_worker_that_does_not_start_is_tried_three_times(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(main=odd_workers.dies_at_once)
    request = RunRequest(engine.client.next_id(), (job("naive"),), quick)
    engine.ask(request)
    losses = engine.events
    assert [(type(loss), loss.exit_code, loss.restarts) for loss in losses] == [
        (WorkerLost, 3, True),
        (WorkerLost, 3, True),
        (WorkerLost, 3, False),
    ]
    assert [loss.id for loss in losses] == [0, 0, request.id]
    assert "ended with exit code 3 before it was ready, 3 times in a row, and is not started again" in losses[-1].words
    assert not engine.client.busy
    engine.client.start()
    engine.wait_for(WorkerLost, after=3, check=lambda loss: not loss.restarts)
    assert len(engine.events) == 6


def test_that_a_system_without_room_for_a_process_is_told_and_tried_again_when_asked(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(main: object) -> None:
        del main
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    engine = own_engine(main=odd_workers.answers_the_last_request_too)
    first, second = (RunRequest(engine.client.next_id(), (job("naive"),), quick) for _ in range(2))
    with monkeypatch.context() as full:
        full.setattr(worker_place, "WorkerProcess", no_room)
        (loss,) = engine.ask(first)
    assert (loss.id, loss.restarts) == (first.id, False)
    assert "cannot be started: Resource temporarily unavailable" in loss.words
    assert engine.ask(second)[-1] == Finished(second.id, reason=f"request {second.id}")


def test_that_a_request_reaches_the_first_worker_that_starts(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNT_FILE", str(tmp_path / "lives"))
    engine = own_engine(main=odd_workers.dies_twice)
    request = RunRequest(engine.client.next_id(), (job("naive"),), quick)
    assert engine.ask(request)[-1] == Finished(request.id, reason="life 3")


def test_that_answers_to_other_requests_are_dropped(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(main=odd_workers.answers_the_last_request_too)
    for _ in range(3):
        number = engine.client.next_id()
        events = engine.ask(RunRequest(number, (job("tiled"),), quick))
        assert events == [
            Progressed(number, 0, 1, "tiled", f"request {number}", 0.5),
            Finished(number, f"request {number}"),
        ]


def test_that_a_worker_without_a_sign_of_life_is_stopped_with_the_limit_named(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob, is_alive: Callable[[int], bool]
) -> None:
    engine = own_engine(main=odd_workers.hears_nothing, allowance_s=0.2)
    engine.client.start()
    process = engine.process()
    conditions = replace(quick, launch_limit_s=0.1, budget_s=0.1)
    request = RunRequest(engine.client.next_id(), (job("tiled", TILE=4), job("cpu_ijk")), conditions)
    begin = time.monotonic()
    first, second, last = engine.ask(request)
    took_s = time.monotonic() - begin
    assert 0.89 <= took_s < clock_limit_s(5.0)
    assert (first.error.kernel, first.error.reason) == ("cpu_ijk", "did not end within 0.9 s in all and was stopped")
    assert (second.error.kernel, second.error.params) == ("tiled", (("TILE", 4),))
    assert second.error.reason == "cpu_ijk ran before and did not end, or left the device unusable"
    assert last == Finished(request.id)
    engine.qtbot.waitUntil(lambda: not is_alive(process))
    record = RecordRequest(engine.client.next_id(), job("tiled"), conditions)
    assert engine.ask(record) == [
        Finished(record.id, reason="the recording of tiled did not end within 0.9 s in all and was stopped")
    ]


def test_that_the_exit_code_after_a_kernel_that_never_ends_is_no_signal_and_no_common_fault() -> None:
    assert STUCK not in (0, 1, 2, 255)
    assert STUCK > 0
