"""Block schedules by the worker: which device, what is answered, what is told when it cannot be."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fake_schedule import StampingGpu
from scheduling import gpu, written

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Mode
from gemmviz.engine import scheduling
from gemmviz.engine.active_request import ActiveRequest
from gemmviz.engine.event_sender import EventSender
from gemmviz.engine.exit_messages import exit_message
from gemmviz.engine.messages import Conditions, Event, Finished, Job, Progressed, ScheduleDone, ScheduleRequest
from gemmviz.engine.request_handler import RequestHandler
from gemmviz.engine.scheduling import device_for_schedule
from gemmviz.measure import bench

MakeJob = Callable[..., Job]
CONDITIONS = Conditions(Shape(80, 64, 33), seed=5, mode=Mode.HOT, device="cuda:00112233", launch_limit_s=5.0)


class Opening:
    """The backend of the fake GPU."""

    def __init__(self, stamping: StampingGpu) -> None:
        self._stamping = stamping

    def open(self, _: object) -> OpenDevice:
        return self._stamping.opened


@pytest.fixture
def stamping(monkeypatch: pytest.MonkeyPatch) -> StampingGpu:
    """A fake GPU, for kernels of 20 blocks, that the worker finds."""
    made = StampingGpu(monkeypatch, 20)
    monkeypatch.setattr(scheduling, "find_device", lambda _: made.opened.device)
    monkeypatch.setattr(bench, "backend_of", lambda _: Opening(made))
    return made


def done(work: ScheduleRequest, cancelled: Callable[[int], bool] = lambda _: False) -> tuple[list[Event], bool]:
    """The events that answer a request but for progress, and whether the device is stuck."""
    events: list[Event] = []
    stuck = RequestHandler(EventSender(events.append, 0.0), cancelled).do(work)
    return [event for event in events if not isinstance(event, Progressed)], stuck


def test_that_a_schedule_is_answered_with_the_time_it_was_made(stamping: StampingGpu, job: MakeJob) -> None:
    (answer, end), stuck = done(ScheduleRequest(7, job("tiled"), CONDITIONS))
    assert isinstance(answer, ScheduleDone)
    assert end == Finished(7)
    assert not stuck
    found = answer.schedule
    assert (found.blocks, found.spec.kernel, found.spec.seed, found.is_cold) == (20, "tiled", 5, False)
    assert found.device == stamping.opened.device
    assert found.finished.endswith("+00:00")


def test_that_progress_names_the_kernel_and_what_is_done(stamping: StampingGpu, job: MakeJob) -> None:
    events: list[Event] = []
    RequestHandler(EventSender(events.append, 0.0), lambda _: False).do(ScheduleRequest(7, job("tiled"), CONDITIONS))
    told = [event for event in events if isinstance(event, Progressed)]
    assert stamping.launches > 0
    assert {event.kernel for event in told} == {"tiled"}
    words = [event.words for event in told]
    for step in ("running unchanged", "warming up with stamps", "recording the schedule of 20 blocks"):
        assert f"tiled: {step}" in words
    assert max(event.fraction for event in told) == 0.8


def test_that_a_fault_is_told_with_the_kernels_name_once(stamping: StampingGpu, job: MakeJob) -> None:
    stamping.silent = 2
    (end,), stuck = done(ScheduleRequest(8, job("tiled"), CONDITIONS))
    assert end == Finished(8, reason="tiled: 2 of 20 blocks left no stamp, so nothing was kept")
    assert not stuck


def test_that_a_kernel_that_never_ends_costs_the_worker(stamping: StampingGpu, job: MakeJob) -> None:
    stamping.driver.endless = True
    quick = Conditions(CONDITIONS.shape, device=CONDITIONS.device, launch_limit_s=0.01)
    (end,), stuck = done(ScheduleRequest(8, job("tiled"), quick))
    assert isinstance(end, Finished)
    assert "the kernel did not end within 0.01 s" in end.reason
    assert stuck


def test_that_a_cancel_between_two_launches_is_heard(stamping: StampingGpu, job: MakeJob) -> None:
    events, _ = done(ScheduleRequest(9, job("tiled"), CONDITIONS), lambda _: stamping.launches > 1)
    assert events == [Finished(9, cancelled=True)]


def test_that_the_device_must_be_an_nvidia_gpu(job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoDeviceError, match=r"host: .* is not one: only an NVIDIA GPU with CUDA"):
        device_for_schedule(job("tiled").kernel, "host")
    with pytest.raises(Refusal, match="cublas_fp32: cuBLAS does the work"):
        device_for_schedule(job("cublas_fp32").kernel)
    monkeypatch.setattr(scheduling, "devices_for", lambda _: (gpu(),))
    assert device_for_schedule(job("tiled").kernel) == gpu()
    monkeypatch.setattr(scheduling, "devices_for", lambda _: ())
    with pytest.raises(NoDeviceError, match="only an NVIDIA GPU with CUDA tells which"):
        device_for_schedule(job("tiled").kernel)


def test_that_what_is_under_way_has_a_name_and_no_result_when_it_is_given_up(job: MakeJob) -> None:
    active_request = ActiveRequest(ScheduleRequest(3, job("tiled", TILE=8), CONDITIONS))
    assert active_request.name == "the block schedule of tiled"
    active_request.hear(Progressed(3, 0, 1, "tiled", "tiled: warming up", 0.1))
    assert active_request.running == "tiled TILE=8"
    assert active_request.given_up("too long", "now") == []
    assert "while tiled TILE=8 ran: most likely it reads or writes outside" in exit_message(-11, active_request)
    active_request.hear(ScheduleDone(3, written([(0, 0, 1)])))
    assert active_request.name == "the block schedule of tiled"
