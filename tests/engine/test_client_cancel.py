"""A cancel ends whatever is going on within half a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pace import clock_limit_s

from gemmviz.domain.terms import StopReason
from gemmviz.engine.messages import (
    Conditions,
    Finished,
    Job,
    Progressed,
    RecordRequest,
    RunDone,
    RunRequest,
    SweepRequest,
    WorkerLost,
    WorkerReady,
)

MakeJob = Callable[..., Job]
PROMISED_S = 0.5
SLACK_S = 0.3
"""For a machine that does other things too."""


def cancel_takes_s(engine: Any) -> float:
    begin = time.monotonic()
    engine.client.cancel()
    engine.wait_until_idle()
    return time.monotonic() - begin


def test_that_a_run_is_cancelled_amid_its_samples_and_keeps_them(
    own_engine: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(cancel_limit_s=30.0)
    engine.client.start()
    process = engine.process()
    request = RunRequest(engine.client.next_id(), (job("cpu_ikj"), job("naive")), replace(quick, budget_s=60.0))
    engine.client.submit(request)
    engine.wait_for(Progressed, check=lambda event: event.fraction > 0)
    engine.client.cancel()
    engine.wait_until_idle()
    assert engine.events[-1] == Finished(request.id, cancelled=True)
    (done,) = [event for event in engine.events if isinstance(event, RunDone)]
    assert done.result.timing.stopped_by is StopReason.CANCELLED
    assert engine.process() == process, "a worker that hears the cancel lives on"


def test_that_a_sweep_is_cancelled(engine: Any, quick: Conditions, job: MakeJob) -> None:
    jobs = tuple(job("tiled", TILE=tile) for tile in (4, 8))
    request = SweepRequest(engine.client.next_id(), jobs, replace(quick, budget_s=30.0), 1)
    engine.client.submit(request)
    engine.wait_for(Progressed, check=lambda event: "in turn" in event.words)
    assert cancel_takes_s(engine) < clock_limit_s(PROMISED_S + SLACK_S)
    assert engine.events[-1] == Finished(request.id, cancelled=True)


@pytest.mark.parametrize("record", [False, True])
def test_that_a_kernel_that_never_ends_is_cancelled_by_a_kill(
    engine: Any, quick: Conditions, faulty: MakeJob, is_alive: Callable[[int], bool], record: bool
) -> None:
    number = engine.client.next_id()
    request = (
        RecordRequest(number, faulty("endless"), quick) if record else RunRequest(number, (faulty("endless"),), quick)
    )
    engine.client.submit(request)
    active_request = "recording" if record else "trying how"
    engine.wait_for(Progressed, check=lambda event: active_request in event.words)
    process = engine.process()
    children = Path(f"/proc/{process}/task/{process}/children")
    processes = [process, *(int(child) for child in (children.read_text().split() if children.exists() else []))]
    assert cancel_takes_s(engine) < clock_limit_s(PROMISED_S + SLACK_S)
    assert engine.events[-1] == Finished(number, cancelled=True)
    assert not any(isinstance(event, WorkerLost) for event in engine.events)
    if record:  # the PTX machine hears of it while the kernel runs
        assert engine.process() == process
        return
    assert engine.process() != process
    engine.qtbot.waitUntil(lambda: not any(is_alive(each) for each in processes))


def test_that_a_compile_is_cancelled(engine: Any, quick: Conditions, own_job: MakeJob) -> None:
    slow = "".join(
        f"    for (int i = 0; i < {i + 2}; ++i) acc = acc * {i}.5f + A[(i * {i}) % K];\n" for i in range(900)
    )
    own = own_job(slow + "    C[row * N + col] = acc;")
    request = RunRequest(engine.client.next_id(), (own,), quick)
    engine.client.submit(request)
    engine.wait_for(Progressed, check=lambda event: event.words == "mine: compiling")
    assert cancel_takes_s(engine) < clock_limit_s(PROMISED_S + SLACK_S)
    assert engine.events[-1] == Finished(request.id, cancelled=True)


def test_that_a_worker_that_hears_nothing_is_killed(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(main=odd_workers.hears_nothing, cancel_limit_s=0.05)
    engine.client.start()
    engine.process()
    engine.client.submit(RunRequest(engine.client.next_id(), (job("naive"),), quick))
    assert cancel_takes_s(engine) < 0.05 + SLACK_S


def test_that_what_has_not_begun_is_cancelled_at_once_and_is_never_run(
    own_engine: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine()
    first, second = (RunRequest(engine.client.next_id(), (job("naive"),), quick) for _ in range(2))
    engine.client.submit(first)
    engine.client.cancel()
    assert engine.events == [Finished(first.id, cancelled=True)]
    engine.ask(second)
    assert {event.id for event in engine.events[1:] if not isinstance(event, WorkerReady)} == {second.id}
    assert sum(isinstance(event, RunDone) for event in engine.events) == 1


def test_that_a_cancel_without_a_request_does_nothing_and_two_are_as_good_as_one(
    engine: Any, quick: Conditions, job: MakeJob
) -> None:
    engine.client.cancel()
    assert engine.events == []
    request = RunRequest(engine.client.next_id(), (job("cpu_ikj"),), replace(quick, budget_s=30.0))
    engine.client.submit(request)
    engine.wait_for(Progressed, check=lambda event: event.fraction > 0)
    engine.client.cancel()
    engine.client.cancel()
    engine.wait_until_idle()
    ends = [event for event in engine.events if isinstance(event, Finished)]
    assert ends == [Finished(request.id, cancelled=True)]
