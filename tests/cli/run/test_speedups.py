"""Reports and documents hold kernels against the vendor's library as the window does, of runs made by hand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from gpu_runs import GPU, gpu_run

from gemmviz.cli.run.document import run_entries
from gemmviz.cli.run.report import experiments_of, print_runs
from gemmviz.cli.terminal import Terminal
from gemmviz.domain.device import HOST, NO_GPU_FACTS, DeviceKind
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.figures.timing.speedup_figure import speedup_table

CPU = replace(GPU, id=HOST, backend=HOST, name="A processor", kind=DeviceKind.CPU, gpu_facts=NO_GPU_FACTS)


def of_library(
    kernel: str = "any_fp32", ms: Sequence[float] = (2.0,) * 4, arithmetic: Arithmetic = Arithmetic.FP32
) -> RunResult:
    """A run that nothing was compiled for."""
    return replace(gpu_run(kernel, ms, params=(), arithmetic=arithmetic, registers=0), build="anyBLAS 13.1.0")


def on_cpu(kernel: str, ms: Sequence[float]) -> RunResult:
    return gpu_run(kernel, ms, params=(), registers=0, device=CPU)


LADDER = (
    gpu_run("fp32", (8.0,) * 4, params=()),
    gpu_run("tf32", (3.0,) * 4, params=(), arithmetic=Arithmetic.TF32),
    gpu_run("split", (1.0,) * 4, params=(), arithmetic=Arithmetic.TF32X3),
    of_library(),
    of_library("any_tf32", (1.5,) * 4, Arithmetic.TF32),
)


def times(runs: Sequence[RunResult]) -> list[str]:
    """The lines of the first table: its heads and a row for each run."""
    text = io.StringIO()
    for experiment, some in experiments_of(runs).items():
        print_runs(Terminal(file=text, width=200, no_color=True), experiment, some)
    return text.getvalue().split("\n\n")[1].splitlines()[1:]


def test_that_a_report_has_each_kernel_against_the_library_in_its_own_arithmetic() -> None:
    heads, *lines = times(LADDER)
    assert heads.split()[-2:] == ["×", "anyBLAS"]
    assert [line.split()[-1] for line in lines[:5]] == ["0.250", "0.500", "2.00", "1.00", "1.00"]
    assert "speed-up over anyBLAS in the kernel's own arithmetic (float32 for three TF32 products)" in " ".join(
        " ".join(lines).split()
    )


def test_that_a_document_names_the_librarys_run_that_a_kernel_is_held_against() -> None:
    assert [entry["speedup"] for entry in run_entries(LADDER)] == [
        {"any_fp32": 0.25},
        {"any_tf32": 0.5},
        {"any_fp32": 2.0},
        {"any_fp32": 1.0},
        {"any_tf32": 1.0},
    ]


def test_that_the_figures_are_those_of_the_windows_chart() -> None:
    swept = tuple(replace(gpu_run("swept", (1.0, 2.0, 4.0), params=()), sweep=1) for _ in range(2))
    runs = (*LADDER, *swept, replace(of_library(ms=(2.0, 3.0, 3.0)), sweep=1))
    told = [next(iter(entry["speedup"].values())) for entry in run_entries(runs)]
    assert told == pytest.approx([row["speedup"] for row in speedup_table(runs).rows])


def test_that_a_run_on_another_device_is_not_held_against_the_library() -> None:
    other = gpu_run("tiled", params=(), device=replace(GPU, id="cuda:1"))
    (entry, _) = run_entries((other, of_library()))
    assert entry["speedup"] == {}


def test_that_the_library_stands_before_the_first_and_the_last_cpu_variant() -> None:
    runs = [on_cpu("cpu_ijk", (80.0,) * 4), on_cpu("cpu_ikj", (40.0,) * 4), on_cpu("cpu_blas", (20.0,) * 4)]
    heads, *lines = times([*runs, *LADDER])
    assert heads.split()[-6:] == ["×", "anyBLAS", "×", "cpu_ijk", "×", "cpu_blas"]
    assert next(line for line in lines if line.startswith("fp32")).split()[-3:] == ["0.250", "10.0", "2.50"]
    assert lines[0].split()[-2:] == ["1.00", "0.250"]


def test_that_a_ratio_of_overlapping_intervals_is_marked() -> None:
    _, row, library, *notes = times([gpu_run("close", (1.0, 2.0, 3.0), params=()), of_library(ms=(2.0, 3.0, 4.0))])
    assert row.split()[-1] == "≈1.5"
    assert library.split()[-1] == "1.00"
    assert "≈ cannot be ranked" in " ".join(" ".join(notes).split())


def test_that_one_sample_has_no_spread() -> None:
    _, one, two, *_ = times([on_cpu("cpu_ijk", (1000.0,)), on_cpu("cpu_ikj", (1000.0, 1000.0))])
    assert one.split()[:5] == ["cpu_ijk", "1.00", "s", "–", "1"]
    assert two.split()[:5] == ["cpu_ikj", "1.00", "s", "–", "2"]
