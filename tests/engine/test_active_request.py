"""What the window knows of the request under way, and how the end of a worker is told."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.catalogue.gpus import emulated, find_gpu
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.runs.result import RunError
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.active_request import ActiveRequest
from gemmviz.engine.exit_messages import describe_end, exit_message
from gemmviz.engine.messages import Conditions, Job, Progressed, RecordRequest, RunFailed, RunRequest, SweepRequest
from gemmviz.engine.running_order import was_not_run

MakeJob = Callable[..., Job]


@pytest.fixture
def ladder(job: MakeJob, quick: Conditions) -> ActiveRequest:
    """Three jobs; cpu_ijk goes first."""
    return ActiveRequest(RunRequest(4, (job("tiled", TILE=8), job("tiled", TILE=4), job("cpu_ijk")), quick))


def begin(active_request: ActiveRequest, kernel: str) -> None:
    active_request.hear(Progressed(active_request.work.id, 0, 3, kernel, f"{kernel}: starting", 0.0))


def fail(active_request: ActiveRequest, job: Job) -> None:
    active_request.hear(RunFailed(active_request.work.id, RunError(job.kernel.id, "no", job.params)))


def test_that_what_runs_is_named_with_its_parameters(ladder: ActiveRequest, job: MakeJob) -> None:
    assert (ladder.is_begun, ladder.running, ladder.name) == (False, "", "the run of tiled")
    ladder.hear(Progressed(4, 0, 3, "", "making A and B, 33×17×9", 0.0))
    assert (ladder.is_begun, ladder.running, ladder.kernel) == (True, "making A and B, 33×17×9", "")
    begin(ladder, "cpu_ijk")
    assert (ladder.running, ladder.name) == ("cpu_ijk", "the run of cpu_ijk")
    fail(ladder, job("cpu_ijk"))
    begin(ladder, "tiled")
    assert ladder.running == "tiled TILE=8"
    fail(ladder, job("tiled", TILE=8))
    begin(ladder, "tiled")
    assert ladder.running == "tiled TILE=4"


def test_that_a_request_given_up_answers_the_jobs_that_are_left(ladder: ActiveRequest, job: MakeJob) -> None:
    fail(ladder, job("cpu_ijk"))
    begin(ladder, "tiled")
    first, second = ladder.given_up("took too long", "2026-01-02T03:04:05+00:00")
    assert first == RunFailed(
        4, RunError("tiled", "took too long", (("TILE", 8),), "33x17x9", "2026-01-02T03:04:05+00:00")
    )
    assert second.error.params == (("TILE", 4),)
    assert second.error.reason == "tiled ran before and did not end, or left the device unusable"
    assert was_not_run(second.error)
    assert not was_not_run(first.error)


def test_that_of_a_sweep_any_choice_may_be_the_one(job: MakeJob, quick: Conditions) -> None:
    jobs = tuple(job("tiled", TILE=tile) for tile in (2, 4, 8))
    sweep = ActiveRequest(SweepRequest(5, jobs, quick, 1))
    begin(sweep, "tiled")
    assert sweep.running == "tiled with one of TILE=2, TILE=4, TILE=8"
    fail(sweep, jobs[0])
    fail(sweep, jobs[1])
    begin(sweep, "tiled")
    assert (sweep.running, sweep.name) == ("tiled TILE=8", "the sweep of tiled")
    assert [failure.error.reason for failure in ActiveRequest(sweep.work).given_up("too long", "")] == ["too long"] * 3


def test_that_a_recording_has_no_runs_to_answer(job: MakeJob, quick: Conditions) -> None:
    active_request = ActiveRequest(RecordRequest(6, job("naive"), quick))
    begin(active_request, "naive")
    assert (active_request.running, active_request.name) == ("naive THREAD=16", "the recording of naive")
    assert active_request.given_up("too long", "") == []


def test_that_jobs_are_given_up_in_the_order_they_run_in(ladder: ActiveRequest) -> None:
    left = [failure.error for failure in ladder.given_up("took too long", "")]
    assert [error.kernel for error in left] == ["cpu_ijk", "tiled", "tiled"]
    assert [was_not_run(error) for error in left] == [False, True, True]


def test_that_a_request_is_confined_to_the_files_of_its_own_kernels(
    own_job: MakeJob, job: MakeJob, quick: Conditions, tmp_path: Path
) -> None:
    own = own_job("C[row * N + col] = acc; }")
    request = ActiveRequest(RunRequest(8, (job("tiled"), own), quick))
    assert request.own_kernels == (own.kernel,)
    assert request.confinement((), tmp_path).sources == {own.kernel.path}


@pytest.mark.parametrize("wanted", ["", "pocl", "machine:sm_80", "cuda:0"])
def test_that_a_recording_may_start_compilers_whatever_its_device_and_a_run_for_some_devices_only(
    own_job: MakeJob, quick: Conditions, tmp_path: Path, wanted: str
) -> None:
    gpu = replace(find_gpu("A100"), id="cuda:0")
    devices = replace(gpu, id="pocl", backend="opencl", kind=DeviceKind.CPU), emulated(), gpu
    own, conditions = own_job("C[row * N + col] = acc; }"), replace(quick, device=wanted)
    run = ActiveRequest(RunRequest(8, (own,), conditions)).confinement(devices, tmp_path)
    recording = ActiveRequest(RecordRequest(9, own, conditions)).confinement(devices, tmp_path)
    assert recording.starts_compilers
    assert run.starts_compilers is (wanted != "pocl")
    assert run.uses_gpu is recording.uses_gpu is (wanted in ("", "cuda:0"))


def test_that_the_limit_follows_the_conditions(ladder: ActiveRequest, quick: Conditions) -> None:
    assert ladder.limit_s(60.0) == 60.0 + 4 * quick.launch_limit_s + 3 * quick.budget_s


def test_that_a_request_without_jobs_has_a_name(quick: Conditions) -> None:
    assert ActiveRequest(RunRequest(7, (), quick)).name == "the run of nothing"


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_that_an_end_is_told_by_its_signal_or_code() -> None:
    ends = [describe_end(code) for code in (-signal.SIGSEGV, -signal.SIGKILL, 3, None, -200)]
    assert ends == [
        "was ended by SIGSEGV",
        "was ended by SIGKILL",
        "ended with exit code 3",
        "was lost",
        "was ended by signal 200",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (-signal.SIGSEGV, "outside its arrays; Record names the line"),
        (-signal.SIGABRT, "outside its arrays; Record names the line"),
        (-signal.SIGFPE, "divides an integer by zero"),
        (-signal.SIGKILL, "memory ran out"),
        (-signal.SIGTERM, "another program ended it"),
        (3, "outside its arrays; Record names the line"),
    ],
)
def test_that_each_end_of_a_kernel_has_its_remedy(ladder: ActiveRequest, code: int, remedy: str) -> None:
    begin(ladder, "cpu_ijk")
    words = exit_message(code, ladder)
    assert "while cpu_ijk ran: " in words
    assert remedy in words


def test_that_a_crash_outside_a_kernel_does_not_blame_one(
    ladder: ActiveRequest, job: MakeJob, quick: Conditions
) -> None:
    ladder.hear(Progressed(4, 0, 3, "", "making A and B, 33×17×9", 0.0))
    words = exit_message(-9, ladder)
    assert "while making A and B, 33×17×9" in words
    assert "arrays" not in words
    recording = ActiveRequest(RecordRequest(6, job("naive"), quick))
    begin(recording, "naive")
    assert "while naive THREAD=16 was recorded" in exit_message(-11, recording)
    assert "Record names" not in exit_message(-11, recording)
    assert exit_message(-11, recording).endswith("was recorded; nothing of it was kept.")
    both = ActiveRequest(RecordRequest(7, job("naive"), quick, forms=tuple(CodeForm)))
    begin(both, "naive")
    assert exit_message(-11, both).endswith("was recorded; recordings that were finished are kept.")
    assert "while nothing was running" in exit_message(None, None)
