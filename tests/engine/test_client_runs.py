"""Runs, sweeps and recordings through a real worker process: which events come, in which order, with what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode
from gemmviz.engine.client import BusyError
from gemmviz.engine.messages import (
    Conditions,
    Finished,
    Job,
    Progressed,
    RecordDone,
    RecordRequest,
    RunDone,
    RunFailed,
    RunRequest,
    SweepRequest,
    WorkerReady,
)

MakeJob = Callable[..., Job]


def test_that_the_worker_says_which_devices_there_are(own_engine: Any, is_alive: Callable[[int], bool]) -> None:
    engine = own_engine()
    engine.client.start()
    ready = engine.wait_for(WorkerReady)
    assert is_alive(ready.process)
    assert [device.id for device in ready.devices if not device.is_emulated][-1] == "host"
    assert ("pocl" in [device.id for device in ready.devices]) == (ready.advice == "")
    engine.client.start()
    assert engine.process() == ready.process


def test_that_a_run_tells_its_story_in_order(engine: Any, quick: Conditions, job: MakeJob) -> None:
    number = engine.client.next_id()
    events = engine.ask(RunRequest(number, (job("tiled", TILE=4),), quick))
    assert {event.id for event in events} == {number}
    *progress, done, last = events
    assert all(isinstance(event, Progressed) for event in progress)
    assert isinstance(done, RunDone)
    assert last == Finished(number)
    told = [event for event in progress if event.kernel]
    assert {(event.job, event.jobs, event.kernel) for event in told} == {(0, 1, "tiled")}
    assert told[0].words == "tiled: starting"
    assert [event.fraction for event in told] == sorted(event.fraction for event in told)
    assert done.init_ms > 0
    result = done.result
    assert (result.spec.kernel, result.spec.params, result.spec.shape) == ("tiled", (("TILE", 4),), Shape(33, 17, 9))
    assert (result.spec.device, result.sweep) == (result.device.id, 0)
    assert result.accuracy.passed
    assert datetime.fromisoformat(result.finished).utcoffset() == timedelta(0)


def test_that_progress_comes_at_most_thirty_times_a_second(engine: Any, quick: Conditions, job: MakeJob) -> None:
    events = engine.ask(RunRequest(engine.client.next_id(), (job("cpu_ikj"),), replace(quick, budget_s=1.0)))
    seconds = sum(event.result.timing.host_samples_ms.sum() for event in events if isinstance(event, RunDone)) / 1e3
    count = sum(isinstance(event, Progressed) for event in events)
    assert 5 < count < 30 * (seconds + 2.0)


def test_that_the_reference_goes_first_and_others_are_compared_with_it(
    engine: Any, quick: Conditions, job: MakeJob
) -> None:
    jobs = (job("tiled"), job("cpu_ikj"), job("cpu_ijk"))
    events = engine.ask(RunRequest(engine.client.next_id(), jobs, replace(quick, fill=Fill.INTEGERS, seed=5)))
    results = [event.result for event in events if isinstance(event, RunDone)]
    assert [result.spec.kernel for result in results] == ["cpu_ijk", "tiled", "cpu_ikj"]
    assert {result.accuracy.exact_reference for result in results[1:]} == {"cpu_ijk"}
    assert all(result.accuracy.exact_matches == 33 * 17 for result in results)
    assert [result.device.id for result in results][::2] == ["host", "host"]
    later = engine.ask(RunRequest(engine.client.next_id(), jobs[:1], replace(quick, fill=Fill.INTEGERS, seed=5)))
    (again,) = [event.result for event in later if isinstance(event, RunDone)]
    assert again.accuracy.exact_reference == "cpu_ijk", "the worker keeps C of the reference for the same inputs"
    other = engine.ask(RunRequest(engine.client.next_id(), jobs[:1], replace(quick, fill=Fill.INTEGERS, seed=6)))
    (changed,) = [event.result for event in other if isinstance(event, RunDone)]
    assert changed.accuracy.exact_reference != "cpu_ijk", "and forgets it with them"


def test_that_a_refusal_leaves_the_other_jobs_alone(engine: Any, quick: Conditions, job: MakeJob) -> None:
    events = engine.ask(RunRequest(engine.client.next_id(), (job("dot"), job("naive")), quick))
    (refused,) = [event.error for event in events if isinstance(event, RunFailed)]
    assert refused.kernel == "dot"
    assert refused.reason.startswith("needs M = 1, but M is 33")
    assert (refused.size, refused.params) == ("33x17x9", job("dot").params)
    assert datetime.fromisoformat(refused.finished).utcoffset() == timedelta(0)
    assert [event.result.spec.kernel for event in events if isinstance(event, RunDone)] == ["naive"]
    assert events[-1] == Finished(events[-1].id)


def test_that_a_source_that_does_not_compile_is_told_with_its_line(
    engine: Any, quick: Conditions, own_job: MakeJob
) -> None:
    own = own_job("    C[row * N + col] = acc + nobody;")
    events = engine.ask(RunRequest(engine.client.next_id(), (own,), quick))
    (error,) = [event.error for event in events if isinstance(event, RunFailed)]
    line = own.kernel.text.splitlines().index("    C[row * N + col] = acc + nobody;") + 1
    assert f"mine.cu:{line}:" in error.reason
    assert "nobody" in error.reason


def test_that_a_device_that_is_not_there_fails_the_request_with_a_list(
    engine: Any, quick: Conditions, job: MakeJob
) -> None:
    conditions = replace(quick, device="gone")
    events = engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), conditions))
    assert [type(event) for event in events] == [Finished]
    assert "'gone' is not a device; available devices: " in events[-1].reason
    events = engine.ask(RunRequest(engine.client.next_id(), (job("cpu_ikj"),), conditions))
    assert [event.result.device.id for event in events if isinstance(event, RunDone)] == ["host"]


def test_that_a_second_request_is_refused_in_words(engine: Any, quick: Conditions, job: MakeJob) -> None:
    first = RunRequest(engine.client.next_id(), (job("tiled"),), quick)
    assert (engine.client.busy, engine.client.running) == (False, "")
    engine.client.submit(first)
    assert (engine.client.busy, engine.client.running) == (True, "the run of tiled")
    with pytest.raises(BusyError, match=r"the run of tiled is under way\. Wait until it has ended, or cancel it"):
        engine.client.submit(RunRequest(engine.client.next_id(), (job("naive"),), quick))
    engine.wait_for(Progressed, check=lambda event: event.kernel == "tiled")
    assert engine.client.running == "tiled TILE=16"
    engine.wait_until_idle()
    assert engine.events[-1] == Finished(first.id)
    assert engine.client.running == ""


def test_that_a_sweep_carries_its_number_and_every_choice_is_answered(
    engine: Any, quick: Conditions, job: MakeJob
) -> None:
    jobs = tuple(job("tiled", TILE=tile) for tile in (2, 4, 8))
    request = SweepRequest(engine.client.next_id(), jobs, replace(quick, mode=Mode.HOT), 7)
    events = engine.ask(request)
    results = [event.result for event in events if isinstance(event, RunDone)]
    assert [result.spec.params for result in results] == [(("TILE", tile),) for tile in (2, 4, 8)]
    assert {(result.sweep, result.spec.mode) for result in results} == {(7, Mode.HOT)}
    assert all(result.finished and result.accuracy.passed for result in results)
    assert events[-1] == Finished(request.id)
    told = [event for event in events if isinstance(event, Progressed)]
    assert {event.jobs for event in told} == {1}
    assert told[-1].fraction > 1 / 3, "the part of the whole sweep, not of its first setting"


def test_that_a_sweep_of_what_cannot_run_says_why_for_each(engine: Any, quick: Conditions, job: MakeJob) -> None:
    jobs = tuple(job("dot", THREADS=threads) for threads in (64, 128))
    events = engine.ask(SweepRequest(engine.client.next_id(), jobs, quick, 1))
    errors = [event.error for event in events if isinstance(event, RunFailed)]
    assert [error.params for error in errors] == [one.params for one in jobs]
    assert all(error.reason.startswith("needs M = 1") for error in errors)


def test_that_the_whole_grid_is_recorded_and_its_first_block_kept(engine: Any, quick: Conditions, job: MakeJob) -> None:
    events = engine.ask(RecordRequest(engine.client.next_id(), job("tiled"), quick))
    (trace,) = [event.trace for event in events if isinstance(event, RecordDone)]
    assert (trace.blocks_recorded, trace.blocks_in_grid) == (6, 6)
    assert [block.block for block in trace.blocks] == [(0, 0, 0)]
    assert {snapshot.array for snapshot in trace.blocks[0].snapshots} == {"As", "Bs"}
    assert trace.a_loads.tolist() == [2] * (33 * 9), "each of the two blocks in a row loads A once"
    assert events[-1] == Finished(events[-1].id)
    progress = [event.fraction for event in events if isinstance(event, Progressed)]
    assert progress == sorted(progress)


def test_that_chosen_blocks_are_recorded_and_all_of_them_kept(engine: Any, quick: Conditions, job: MakeJob) -> None:
    blocks = ((1, 2, 0), (0, 1, 0))
    events = engine.ask(RecordRequest(engine.client.next_id(), job("tiled"), quick, blocks))
    (trace,) = [event.trace for event in events if isinstance(event, RecordDone)]
    assert trace.blocks_recorded == 2
    assert tuple(block.block for block in trace.blocks) == blocks
    for block in trace.blocks:
        assert block.snapshots
        assert np.any(block.addresses >= 0)


def test_that_a_block_outside_the_grid_is_named_with_the_grid(engine: Any, quick: Conditions, job: MakeJob) -> None:
    request = RecordRequest(engine.client.next_id(), job("tiled"), quick, ((2, 0, 0),))
    events = engine.ask(request)
    assert events[-1].reason == "tiled: block 2,0,0: the grid is 2 x 3 x 1 blocks, so x is 0 to 1"
    assert not any(isinstance(event, RecordDone) for event in events)


def test_that_a_cpu_kernel_is_not_recorded(engine: Any, quick: Conditions, job: MakeJob) -> None:
    events = engine.ask(RecordRequest(engine.client.next_id(), job("cpu_ijk"), quick))
    assert events[-1].reason.startswith("cpu_ijk: runs on the CPU as Python and has no accesses to record")
