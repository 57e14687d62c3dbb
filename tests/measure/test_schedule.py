"""Recording a schedule on a fake GPU: what is kept, what is refused, what is not believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from fake_schedule import BLOCK_NS, StampingGpu
from scheduling import gpu as a_gpu

from gemmviz.backends.base import BackendError
from gemmviz.backends.host import HostBackend
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.waves import figures_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode
from gemmviz.measure import schedule as module
from gemmviz.measure.bench import Bench, Inputs, Watch
from gemmviz.measure.cancel import CancelledError
from gemmviz.measure.sampling import MeasurementError
from gemmviz.measure.schedule import record_schedule
from gemmviz.measure.stopping import WarmUpRule

SHAPE = Shape(80, 64, 33)
BLOCKS = 20
QUICK = WarmUpRule(min_runs=2, min_seconds=0.0, limit_seconds=0.05)
Record = Callable[..., BlockSchedule]


@pytest.fixture
def stamping(monkeypatch: pytest.MonkeyPatch) -> StampingGpu:
    return StampingGpu(monkeypatch, BLOCKS)


@pytest.fixture
def record(stamping: StampingGpu) -> Record:
    def record(mode: Mode = Mode.COLD, watch: Watch | None = None, shape: Shape = SHAPE) -> BlockSchedule:
        kernel = load_catalogue().get("tiled")
        operands = make_operands(shape, Fill.UNIFORM, 3)
        inputs = Inputs(shape, Fill.UNIFORM, 3, operands, 0.0, None)
        bench, device = Bench(), stamping.opened.device
        bench._open[device.id] = stamping.opened
        return record_schedule(
            bench, kernel, kernel.params({}), device, inputs, mode, 5.0, watch or Watch(), warm_up_rule=QUICK
        )

    return record


def test_that_the_last_of_several_launches_is_kept(record: Record, stamping: StampingGpu) -> None:
    found = record()
    assert found.launch.grid == (4, 5, 1)
    assert found.unit.tolist() == [block % 8 // 2 for block in range(BLOCKS)]
    assert found.start_ns.tolist() == [block // 8 * BLOCK_NS for block in range(BLOCKS)]
    assert (found.end_ns - found.start_ns == BLOCK_NS).all()
    assert found.launches_before >= 1
    assert found.kernel_ms == found.plain_ms == 2.0
    assert (found.spec.kernel, found.spec.shape, found.spec.seed, found.spec.mode) == ("tiled", SHAPE, 3, Mode.COLD)
    assert found.resources.registers == 40
    assert figures_of(found).waves.count == 3
    assert stamping.launches > found.launches_before + 1


def test_that_the_kernel_runs_as_it_is_before_it_runs_with_stamps(record: Record, stamping: StampingGpu) -> None:
    record()
    plain, stamped = [text for text in stamping.texts if "sgemm_tiled" in text]
    assert "gemmviz_stamp" not in plain
    assert stamped.endswith(plain[plain.index("int ty =") :])
    assert "{ gemmviz_stamp " in stamped


@pytest.mark.parametrize(("mode", "flushes"), [(Mode.COLD, True), (Mode.HOT, False)])
def test_that_caches_are_overwritten_before_a_cold_launch_only(
    record: Record, stamping: StampingGpu, mode: Mode, flushes: bool
) -> None:
    found = record(mode)
    assert found.is_cold is flushes
    assert any(line.startswith("flush") for line in stamping.driver.log) is flushes


def test_that_everything_is_given_back(record: Record, stamping: StampingGpu) -> None:
    record(Mode.HOT)
    assert stamping.opened._buffers == set()


def test_that_blocks_without_a_stamp_are_not_believed(record: Record, stamping: StampingGpu) -> None:
    stamping.silent = 3
    with pytest.raises(MeasurementError, match="tiled: 3 of 20 blocks left no stamp"):
        record()
    assert stamping.opened._buffers <= {stamping.opened._flush}


def test_that_another_result_than_without_stamps_is_not_believed(record: Record, stamping: StampingGpu) -> None:
    stamping.wrong = True
    with pytest.raises(MeasurementError, match="tiled: 1 of 5120 elements of C differ"):
        record()


def test_that_a_clock_that_goes_backwards_is_not_believed(record: Record, stamping: StampingGpu) -> None:
    stamping.backwards = True
    with pytest.raises(MeasurementError, match="20 blocks end before they start"):
        record()


def test_that_a_cancel_is_heard(record: Record, stamping: StampingGpu) -> None:
    with pytest.raises(CancelledError):
        record(watch=Watch(should_cancel=lambda: stamping.launches > 0))
    assert stamping.opened._buffers == set()


def test_that_too_many_blocks_are_refused_with_their_number(
    record: Record, stamping: StampingGpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BLOCKS", 19)
    with pytest.raises(Refusal, match="tiled: 20 blocks are too many to keep the stamps of each: at most 19"):
        record()
    assert stamping.launches == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cpu_ijk", "runs on the CPU as Python"),
        ("cl_naive", "is OpenCL C"),
        ("cublas_fp32", "cuBLAS does the work"),
    ],
)
def test_that_kernels_that_cannot_tell_are_refused(name: str, reason: str) -> None:
    kernel = load_catalogue().get(name)
    inputs = Inputs(SHAPE, Fill.ONES, 0, make_operands(SHAPE, Fill.ONES, 0), 0.0, None)
    with pytest.raises(Refusal, match=f"{name}: {reason}"):
        record_schedule(Bench(), kernel, kernel.params({}), a_gpu(), inputs, Mode.HOT, 5.0, Watch())


def test_that_a_device_that_is_no_nvidia_gpu_is_refused() -> None:
    kernel, host = load_catalogue().get("tiled"), HostBackend().devices()[0]
    inputs = Inputs(SHAPE, Fill.ONES, 0, make_operands(SHAPE, Fill.ONES, 0), 0.0, None)
    with pytest.raises(Refusal, match="only an NVIDIA GPU with CUDA tells"):
        record_schedule(Bench(), kernel, kernel.params({}), host, inputs, Mode.HOT, 5.0, Watch())


def test_that_a_body_behind_a_macro_is_named(stamping: StampingGpu) -> None:
    kernel = load_catalogue().get("tiled")
    hidden = replace(kernel, text=kernel.text.replace("__global__ void sgemm_tiled", "KERNEL(sgemm_tiled)"))
    inputs = Inputs(SHAPE, Fill.ONES, 0, make_operands(SHAPE, Fill.ONES, 0), 0.0, None)
    bench, device = Bench(), stamping.opened.device
    bench._open[device.id] = stamping.opened
    with pytest.raises(BackendError, match="the body of the kernel 'sgemm_tiled' is not found"):
        record_schedule(bench, hidden, kernel.params({}), device, inputs, Mode.HOT, 5.0, Watch(), QUICK)
