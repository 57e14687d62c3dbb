"""Kernels of the user's run in a second worker, which is confined: what they try is told, and costs nobody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile_kernel import CREATE, FORK, SOCKET, can_be_hostile, hostile_kernel

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.device import CUDA
from gemmviz.domain.terms import Fill
from gemmviz.engine.messages import Conditions, Finished, Job, RecordRequest, RunDone, RunRequest, WorkerLost

MakeJob = Callable[..., Job]
SOUND = "    C[row * N + col] = acc;"


def job_of(path: Path) -> Job:
    kernel = load_user_kernel(path)
    return Job(kernel, kernel.params({}))


@can_be_hostile
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (SOCKET, "open a network connection"),
        (FORK, "start another process"),
        (CREATE, "write to the file system at {target}"),
    ],
)
def test_that_a_hostile_kernel_is_stopped_and_named(
    engine: Any, quick: Conditions, job: MakeJob, tmp_path: Path, is_alive: Callable[[int], bool], call: Any, words: str
) -> None:
    target = tmp_path / "owned"
    hostile = job_of(hostile_kernel(tmp_path, call, str(target)))
    engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), quick))
    ordinary = engine.process()
    request = RunRequest(engine.client.next_id(), (job("naive"), hostile), quick)
    loss = engine.ask(request)[-1]
    assert isinstance(loss, WorkerLost)
    assert loss.words == (
        f"hostile: tried to {words.format(target=target)} and was stopped; kernels may only compute and write to C: "
        "remove that call."
    )
    assert (loss.id, loss.running) == (request.id, "hostile")
    assert not target.exists()
    assert is_alive(ordinary)


def test_that_an_own_kernel_is_compared_with_shipped_ones(
    engine: Any, quick: Conditions, job: MakeJob, own_job: MakeJob
) -> None:
    conditions = Conditions(quick.shape, Fill.INTEGERS, mode=quick.mode, budget_s=quick.budget_s)
    own = own_job(SOUND)
    events = engine.ask(RunRequest(engine.client.next_id(), (own, job("cpu_ijk")), conditions))
    results = {event.result.spec.kernel: event.result for event in events if isinstance(event, RunDone)}
    assert set(results) == {"cpu_ijk", "mine"}
    assert results["mine"].accuracy.exact_reference == "cpu_ijk"
    assert results["mine"].accuracy.exact_matches == results["mine"].accuracy.elements
    shipped = engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), conditions))
    (done,) = [event for event in shipped if isinstance(event, RunDone)]
    seen, confined = (
        replace(one.device, global_bytes=0) for one in (done.result, results["mine"])
    )  # PoCL tells what is free
    assert seen == confined, "the sandbox hides nothing of the device"


def test_that_an_own_kernel_waits_for_the_devices_since_it_is_confined_for_them(
    own_engine: Callable[..., Any], quick: Conditions, own_job: MakeJob
) -> None:
    job = own_job(SOUND)
    job = Job(replace(job.kernel, requires=(CUDA,)), job.params)  # so that no device but the PTX machine records it
    engine = own_engine()
    ended = engine.ask(RecordRequest(engine.client.next_id(), job, quick))[-1]  # as soon as the window is there
    assert "Permission denied" not in ended.reason
    assert ended.reason == "" or "NVRTC" in ended.reason


def test_that_an_own_kernel_that_waits_for_the_devices_is_told_of_a_worker_that_never_starts(
    own_engine: Callable[..., Any], quick: Conditions, own_job: MakeJob, odd_workers: Any
) -> None:
    engine = own_engine(main=odd_workers.dies_at_once)
    work = RecordRequest(engine.client.next_id(), own_job(SOUND), quick)
    assert engine.ask(work)[-1].id == work.id
    assert not engine.client.busy


def test_that_a_confined_worker_is_kept_for_the_same_kernel(
    engine: Any, quick: Conditions, own_job: MakeJob, job: MakeJob
) -> None:
    own = own_job(SOUND)
    assert isinstance(engine.ask(RunRequest(engine.client.next_id(), (own,), quick))[-1], Finished)
    confined = engine.process()
    engine.ask(RunRequest(engine.client.next_id(), (job("naive"),), quick))
    assert engine.process() != confined
    assert engine.ask(RunRequest(engine.client.next_id(), (own,), quick))[-1].reason == ""
    assert engine.process() == confined
    assert engine.ask(RecordRequest(engine.client.next_id(), own, quick))[-1].reason == ""
    assert engine.process() != confined, "a recording may start NVIDIA's compiler, which a run by PoCL may not"
