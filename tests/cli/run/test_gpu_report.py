"""What a report and a document say of a GPU, made from a run that never was."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.cli.run.document import run_entry
from gemmviz.cli.run.report import experiments_of, print_runs
from gemmviz.cli.terminal import Terminal
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources
from gemmviz.domain.runs.doubts import TIME_RAN_OUT
from gemmviz.domain.runs.gauges import NO_GAUGES, Reading, gauges_of
from gemmviz.domain.runs.result import Accuracy, Mismatch, RunResult, Timing, WorstElement
from gemmviz.domain.runs.whole_runs import NO_WHOLE_RUNS, WholeRun, whole_runs_of
from gemmviz.domain.session.session import Session, load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Arithmetic, Mode, StopReason

FACTS = nvidia_facts(
    (9, 0),
    uuid="GPU-1",
    static_shared_bytes=49152,
    shared_bytes_per_unit=233472,
    reserved_shared_bytes=1024,
    registers_per_block=65536,
    registers_per_unit=65536,
    threads_per_unit=2048,
    blocks_per_unit=32,
    memory_clock_mhz=3201,
    memory_bus_bits=6144,
)
GPU = Device(
    "cuda:00112233",
    "cuda",
    "A GPU",
    DeviceKind.GPU,
    "NVIDIA",
    "CUDA 13.0",
    132,
    1024,
    (1024, 1024, 64),
    (2**31 - 1, 65535, 65535),
    232448,
    2**37,
    2**37,
    2**26,
    1980,
    ("cuda",),
    False,
    FACTS,
)


@pytest.fixture
def run() -> RunResult:
    samples = np.array([0.3, 0.1, 0.2])
    gauges = gauges_of([Reading(1980.0, 3201.0, 41.0, 650.0, reasons) for reasons in (0, 4, 4)])
    timing = Timing(
        Mode.COLD,
        samples,
        samples + 1.0,
        1,
        2,
        StopReason.STEADY,
        5.0,
        900.0,
        0.01,
        whole_runs_of([WholeRun(0.25, 0.2, 0.125, whole) for whole in (4.0, 4.5, 5.5)]),
        whole_runs_of([WholeRun(0.05, 0.2, 0.06, 1.0)]),
        gauges,
    )
    return RunResult(
        RunSpec("best", Shape(17, 33, 5), (), GPU.id),
        GPU,
        Arithmetic.FP32,
        Launch((3, 2, 1), (256, 1, 1), dynamic_shared_bytes=100_000),
        "nvcc 13.0 for sm_90, 168 registers, no spills",
        timing,
        Accuracy(1e-7, 2.5, 5.0, True, "float64", 0, 1.0, "float64", 9, 10, ()),
        resources=Resources(168, 0, 24, 8, 0),
    )


def report(run: RunResult, advice: str = "") -> str:
    text = io.StringIO()
    for experiment, runs in experiments_of((run,)).items():
        print_runs(Terminal(file=text, width=200, no_color=True), experiment, runs, advice=advice)
    return text.getvalue()


def test_that_a_report_has_the_figures_of_the_gpu(run: RunResult) -> None:
    said = report(run)
    row = next(line for line in said.splitlines() if line.startswith("best") and "MHz" in line)
    assert row.replace("\u202f", "_").split() == [
        *("best", "168", "24", "bytes", "12.5", "%", "(registers)"),
        *("!1_980", "MHz", "41", "650", "50.0", "µs", "60.0", "µs"),
    ]
    assert "best: 2 of 3 samples were taken while the clock was throttled by power limit" in " ".join(said.split())


def test_that_a_time_cut_short_is_advised_to_run_again_only_by_the_report_of_a_new_run(run: RunResult) -> None:
    cut = replace(run, timing=replace(run.timing, stopped_by=StopReason.TIME_LIMIT))
    lines = report(cut).splitlines(), report(cut, "; run it again").splitlines()
    assert [TIME_RAN_OUT in said for said in lines] == [True, False]
    assert f"{TIME_RAN_OUT}; run it again" in lines[1]


def test_that_an_end_to_end_run_shorter_than_a_launch_is_explained(run: RunResult) -> None:
    said = report(replace(run, timing=replace(run.timing, host_samples_ms=np.array([900.0] * 3))))
    assert "best: the end-to-end run takes" in said
    assert "but launching the kernel alone and waiting for it 900 ms by the host clock" in " ".join(said.split())
    assert "launching the kernel alone" not in report(run)


def test_that_each_column_of_times_has_one_unit(run: RunResult) -> None:
    slow = replace(
        run, spec=replace(run.spec, kernel="slow"), timing=replace(run.timing, kernel_samples_ms=np.array([20.0] * 3))
    )
    text = io.StringIO()
    for experiment, runs in experiments_of((run, slow)).items():
        print_runs(Terminal(file=text, width=200, no_color=True), experiment, runs)
    rows = [line.split() for line in text.getvalue().splitlines() if line.startswith(("best ", "slow "))]
    assert rows[0][:3] == ["best", "0.200", "ms"]
    assert rows[1][:3] == ["slow", "20.0", "ms"]


def test_that_a_run_without_sensors_has_the_compilers_figures_alone(run: RunResult) -> None:
    said = report(replace(run, timing=replace(run.timing, gauges=NO_GAUGES, pinned_runs=NO_WHOLE_RUNS)))
    assert "From the compiler" in said
    row = next(line for line in said.splitlines() if line.startswith("best") and "(registers)" in line)
    assert row.split() == ["best", "168", "24", "bytes", "12.5", "%", "(registers)"]
    assert not any(words in said for words in ("sensors", "°C", "pinned"))


@pytest.mark.parametrize("passed", [True, False])
def test_that_wrong_elements_are_listed_where_the_check_fails_alone(run: RunResult, *, passed: bool) -> None:
    """Elements that differ in their last bits only are not wrong."""
    accuracy = replace(run.accuracy, passed=passed, first_mismatches=(Mismatch(0, 0, 1.5, 1.500001),))
    worst = (WorstElement(3, 4, math.nan, 2.0, math.nan), WorstElement(0, 0, 1.5, 1.500001, 2.0))
    said = report(replace(run, accuracy=accuracy, error_map=replace(run.error_map, worst=worst)))
    assert ("C[3,4] = nan, expected 2" in said) is not passed
    assert ("`gemmviz trace` searches the same kernel" in said) is not passed
    assert "C[0,0]" not in said


def test_that_a_run_without_such_figures_has_no_table_of_them(run: RunResult) -> None:
    bare = replace(run, resources=NO_RESOURCES, timing=replace(run.timing, gauges=NO_GAUGES))
    assert not any(words in report(bare) for words in ("On the GPU", "From the compiler"))
    assert run_entry(bare, {})["gpu"] is None


def test_that_a_document_has_them_too(run: RunResult) -> None:
    entry = run_entry(run, {})
    assert entry["gpu"]["registers"] == 168
    assert entry["gpu"]["blocks_per_unit"] == 1
    assert entry["gpu"]["occupancy"] == 0.125
    assert entry["gpu"]["limited_by"] == ["registers"]
    assert entry["gpu"]["power_w"] == [650.0] * 3
    assert entry["gpu"]["throttled"] == [False, True, True]
    assert entry["timing"]["end_to_end_pinned"]["in_ms"] == 0.05


def test_that_a_session_with_them_comes_back(run: RunResult, tmp_path: Path) -> None:
    session = Session("2025-01-02T03:04:05Z", "0.1.0", GPU, 0.75, (run,))
    save_session(session, tmp_path / "gpu.gemmviz")
    found = load_session(tmp_path / "gpu.gemmviz")
    assert found.device == GPU
    assert found.runs[0].resources == run.resources
    assert found.runs[0].timing.gauges.reasons.tolist() == [0, 4, 4]
