"""Runs and recordings for charts: made ones with every odd value, and real ones from the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.cli.app import run_app
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import NO_ERROR_MAP, Accuracy, ErrorMap, RunResult, Session, Timing, WorstElement
from gemmviz.domain.runs.whole_runs import WholeRun, WholeRuns, whole_runs_of
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Arithmetic, Fill, Mode, StopReason

GPU = Device(
    "cuda:0",
    "cuda",
    "A GPU",
    DeviceKind.GPU,
    "vendor",
    "1",
    80,
    1024,
    (1024, 1024, 64),
    (2**31 - 1, 65535, 65535),
    49152,
    2**34,
    2**33,
    2**22,
    1400,
)
POCL = replace(GPU, id="pocl", backend="opencl", name="CPU (PoCL)", kind=DeviceKind.CPU)
HOST = replace(GPU, id="host", backend="host", name="This CPU", kind=DeviceKind.CPU)

MakeRun = Callable[..., RunResult]


def _whole_runs(samples: np.ndarray, in_out: tuple[float, float]) -> WholeRuns:
    """A whole run around each of the kernel's samples, with 0.5 ms of launching and waiting."""
    (moved_in, out), kernels = in_out, samples.tolist()
    return whole_runs_of([WholeRun(moved_in, ms, out, moved_in + ms + 0.5 + out) for ms in kernels])


def _make_run(
    kernel: str = "tiled",
    ms: float | tuple[float, ...] = 1.0,
    *,
    params: tuple[tuple[str, int], ...] = (("TILE", 16),),
    device: Device = GPU,
    size: tuple[int, int, int] = (64, 64, 64),
    fill: Fill = Fill.UNIFORM,
    mode: Mode = Mode.COLD,
    sweep: int = 0,
    relative: float = 1e-7,
    worst: float = 4.0,
    passed: bool = True,
    method: str = "float64",
    stopped_by: StopReason = StopReason.STEADY,
    in_out: tuple[float, float] = (0.25, 0.125),
    whole_runs: WholeRuns | None = None,
    error_map: ErrorMap = NO_ERROR_MAP,
) -> RunResult:
    samples = np.array(ms if isinstance(ms, tuple) else [part * ms for part in (0.98, 0.99, 1.0, 1.01, 1.02)])
    return RunResult(
        spec=RunSpec(kernel, Shape(*size), params, device.id, fill, 0, mode),
        device=device,
        arithmetic=Arithmetic.FP32,
        launch=Launch((4, 4, 1), (16, 16, 1)),
        build="numba",
        timing=Timing(
            mode,
            samples,
            samples + 0.5,
            1,
            0,
            stopped_by,
            3.0,
            100.0,
            0.001,
            whole_runs or _whole_runs(samples, in_out),
        ),
        accuracy=Accuracy(relative, worst, float(size[2]), passed, method, 0, 1.0, "float64", 9, 10, ()),
        error_map=error_map,
        sweep=sweep,
    )


@pytest.fixture
def make_run() -> MakeRun:
    """Makes a run; `ms` are its samples, or their median."""
    return _make_run


@pytest.fixture
def cpu_run() -> MakeRun:
    """Makes a run of a CPU variant."""

    def make(kernel: str = "cpu_ijk", ms: float | tuple[float, ...] = 100.0, **others: object) -> RunResult:
        return _make_run(kernel, ms, **{"params": (), "device": HOST, **others})  # type: ignore[arg-type]

    return make


@pytest.fixture
def pocl() -> Device:
    return POCL


@pytest.fixture
def wrong_map() -> ErrorMap:
    """64 x 96 elements in 2 x 3 cells: one above the bound, one without a number, one exact."""
    values = np.array([0.0, 3.0, 900.0, 2.0, np.nan, np.inf], np.float32)
    worst = (
        WorstElement(40, 33, float("nan"), 1.5, float("nan")),
        WorstElement(41, 70, float("inf"), 1.5, float("inf")),
        WorstElement(3, 64, 99.0, 1.5, 900.0),
    )
    return ErrorMap(2, 3, 32, 32, values, worst)


REAL = Path(__file__).parents[2] / "data" / "sessions" / "four.gemmviz"
"""Made by `gemmviz run --kernel naive,tiled,cpu_ijk,cpu_blas --size 64x64x64 --budget 1 --out …`."""


@pytest.fixture(scope="session")
def real_session() -> Session:
    """Four kernels that were really run; once for all."""
    return load_session(REAL)


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> tuple[TraceRun, TraceRun]:
    """A whole recording, and one of a single block of nine."""
    folder = tmp_path_factory.mktemp("traces")
    found: list[TraceRun] = []
    for name, more in (("whole", ["--all-blocks"]), ("part", [])):
        path = folder / f"{name}.gemmviz"
        assert run_app(["trace", "--kernel", "tiled", "--size", "33x37x29", *more, "--out", str(path)]) == 0
        found += load_session(path).traces
    return found[0], found[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "out"
