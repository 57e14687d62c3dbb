"""What is found out about a kernel file that was saved: by stages, each of which may fail by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from processes import PATIENCE_S

from gemmviz.backends.base import CompileError
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.gpus import default_gpu
from gemmviz.catalogue.kernel import NOT_VERIFIED
from gemmviz.domain.kernels.kernel_version import Check, Compilation
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.engine import request_handler as module
from gemmviz.engine.event_sender import EventSender
from gemmviz.engine.examination import (
    CHECKED,
    MOST_DEPTH,
    MOST_ROWS,
    PROVING,
    NothingFound,
    Stage,
    bounded,
    checked,
    compiled,
    examine,
)
from gemmviz.engine.messages import (
    CheckDone,
    CompileDone,
    Conditions,
    Event,
    ExamineRequest,
    Finished,
    Job,
    RecordDone,
    StageFailed,
)
from gemmviz.engine.recording import record
from gemmviz.engine.request_handler import RequestHandler
from gemmviz.measure.bench import Watch

MakeJob = Callable[..., Job]
SOUND = "    C[row * N + col] = acc;"


@pytest.fixture
def examined(quick: Conditions) -> Callable[..., list[Stage]]:
    def of(
        job: Job, block: tuple[int, int, int] = (0, 0, 0), shape: Shape = quick.shape, limit_s: float = PATIENCE_S
    ) -> list[Stage]:
        conditions = replace(quick, device="machine", shape=shape, launch_limit_s=limit_s)
        return list(examine(job, conditions, default_gpu(job.kernel), block, Watch()))

    return of


def test_that_the_compiler_a_block_and_the_result_are_told_in_that_order(
    examined: Callable[..., list[Stage]], job: MakeJob, quick: Conditions
) -> None:
    compilation, trace, check = examined(job("tiled", TILE=16), (9, 1, 0), Shape(64, 64, 32))
    assert isinstance(compilation, Compilation)
    assert compilation.resources.registers > 0
    assert compilation.shared_bytes == 2 * 16 * 16 * 4
    assert compilation.occupancy is not None
    assert compilation.occupancy.fraction == 1.0
    assert isinstance(trace, TraceRun)
    assert [block.block for block in trace.blocks] == [(3, 1, 0)], "the nearest block that the grid has"
    conditions = replace(quick, device="machine", shape=Shape(64, 64, 32))
    asked = record(job("tiled", TILE=16), conditions, find_device("machine"), [], Watch(), compiles_for_run=True)
    assert (trace.resources, trace.compiler) == (asked.resources, asked.compiler), "as a recording that is asked for"
    assert isinstance(check, Check)
    assert (check.passed, check.shape) == (True, CHECKED[0])


def test_that_a_large_size_is_bounded_and_a_small_one_stays() -> None:
    assert bounded(Shape(4096, 5, 4096)) == Shape(MOST_ROWS, 5, MOST_DEPTH)
    assert bounded(Shape(33, 17, 9)) == Shape(33, 17, 9)


def test_that_a_wrong_result_is_found_at_a_small_odd_size(
    examined: Callable[..., list[Stage]], own_job: MakeJob
) -> None:
    *_, check = examined(own_job("    C[row * N + col] = acc * 1.01f;"))
    assert isinstance(check, Check)
    assert not check.passed
    assert check.max_error_over_ug > check.bound


def test_that_a_setting_to_be_proven_is_checked_with_long_sums_as_well(own_job: MakeJob, quick: Conditions) -> None:
    job = own_job("    C[row * N + col] = K > 1000 ? 0.0f : acc;")
    conditions = replace(quick, device="machine", launch_limit_s=PATIENCE_S)
    assert checked(job, conditions, Watch()).passed
    proven = checked(job, conditions, Watch(), proves=True)
    assert not proven.passed
    assert proven.shape == next(one for one in PROVING if one.k > 1000)
    assert proven.right_before == PROVING[: PROVING.index(proven.shape)]
    assert checked(own_job(SOUND), conditions, Watch(), proves=True).shapes == PROVING


def test_that_a_fault_of_the_check_names_the_size(examined: Callable[..., list[Stage]], own_job: MakeJob) -> None:
    *_, nothing = examined(own_job("    C[row * N + col + (1 << 28)] = acc;"))
    assert isinstance(nothing, NothingFound)
    assert nothing.reason.startswith("Not checked: ")
    assert nothing.reason.endswith(f"; checked at {CHECKED[0].words}")


def test_that_a_kernel_whose_sizes_nobody_proved_is_checked_at_the_size_that_is_set_up(
    examined: Callable[..., list[Stage]], own_job: MakeJob
) -> None:
    job = own_job(SOUND)
    as_it_is = replace(job.kernel, description=f"# The kernel races.\n{NOT_VERIFIED}: taken from its host code.\n")
    *_, check = examined(replace(job, kernel=as_it_is), shape=Shape(32, 48, 16))
    assert isinstance(check, Check)
    assert check.shape == Shape(32, 48, 16)


def test_that_a_kernel_that_does_not_compile_has_no_stages(
    examined: Callable[..., list[Stage]], own_job: MakeJob
) -> None:
    with pytest.raises(CompileError, match=r"mine\.cu:14"):
        examined(own_job("    C[row * N + col] = acc_;"))


def test_that_a_kernel_that_never_ends_is_given_up_once(
    examined: Callable[..., list[Stage]], own_job: MakeJob, quick: Conditions
) -> None:
    endless = own_job("    while (C[0] != 1.0f || M > 0) { C[row * N + col] = acc; }")
    patient = replace(quick, device="machine", launch_limit_s=PATIENCE_S)
    compiled(endless, patient, default_gpu(endless.kernel))  # and kept: 2 s are for the kernel, not for its compiler
    compilation, *rest = examined(endless, limit_s=2.0)
    assert isinstance(compilation, Compilation), "it compiles"
    (nothing,) = rest
    assert isinstance(nothing, NothingFound)
    assert nothing.is_out_of_time
    assert nothing.reason.startswith(
        "Not recorded: the kernel did not end within 2 s: in block (0, 0, 0) threads 0 to 63 run in"
    )


def test_that_a_loop_that_provably_never_ends_is_told_once_and_by_its_line(
    examined: Callable[..., list[Stage]], own_job: MakeJob
) -> None:
    body = "    for (int i = 0; i < M; ++i)\n        for (int k = 0; k < 8; k += 0) C[row * N + col] += acc;"
    job = own_job(body)
    line = next(number for number, text in enumerate(job.kernel.text.splitlines(), 1) if "k += 0" in text)
    compilation, nothing = examined(job)
    assert isinstance(compilation, Compilation)
    assert isinstance(nothing, NothingFound)
    assert nothing.reason.startswith(f"Not recorded or checked: the kernel failed: line {line}: a loop that never ends")


def test_that_the_worker_tells_each_stage_and_what_failed(
    monkeypatch: pytest.MonkeyPatch, quick: Conditions, own_job: MakeJob
) -> None:
    events: list[Event] = []
    compilation = Compilation("H200", "sm_90", "NVRTC 13.0", Resources(32))
    check = Check(Shape(3, 3, 3), passed=True, max_error_over_ug=0.5, bound=3.0)
    failed = NothingFound("Not recorded: why", is_out_of_time=True)
    monkeypatch.setattr(module, "stages_of", lambda *_: iter((compilation, failed, check)))
    job = own_job(SOUND)
    work = ExamineRequest(7, job, replace(quick, device="machine"), default_gpu(job.kernel))
    assert not RequestHandler(EventSender(events.append, 0.0), lambda _: False).do(work)
    told = [event for event in events if isinstance(event, CompileDone | RecordDone | CheckDone | StageFailed)]
    assert told == [
        CompileDone(7, compilation),
        StageFailed(7, "Not recorded: why", is_out_of_time=True),
        CheckDone(7, check),
    ]
    assert events[-1] == Finished(7)
