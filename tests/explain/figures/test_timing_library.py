"""Speed-ups against a vendor's library, of runs made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from gpu_runs import GPU, gpu_run

from gemmviz.domain.device import NO_GPU_FACTS
from gemmviz.domain.runs.baselines import Baseline, baselines_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Arithmetic, Fill, Mode
from gemmviz.explain.figures.figure import Look
from gemmviz.explain.figures.timing.speedup_figure import ALONE, speedup_figure, speedup_table

OTHER_GPU = replace(GPU, id="cuda:1")
LIBRARY = Baseline("anyBLAS", is_library=True)


def of_library(
    kernel: str = "any_fp32", ms: Sequence[float] = (2.0,) * 4, arithmetic: Arithmetic = Arithmetic.FP32
) -> RunResult:
    """A run that nothing was compiled for, and whose launch is the library's own affair."""
    run = gpu_run(kernel, ms, params=(), arithmetic=arithmetic, registers=0)
    return replace(run, launch=Launch((1, 1, 1), (1, 1, 1)), build="anyBLAS 13.1.0")


def asked_anew(run: RunResult, **changes: Any) -> RunResult:
    return replace(run, spec=replace(run.spec, **changes))


def test_that_each_kernel_is_held_against_the_library_in_its_own_arithmetic() -> None:
    runs = [
        gpu_run("fp32", (8.0,) * 4),
        gpu_run("tf32", (3.0,) * 4, arithmetic=Arithmetic.TF32),
        gpu_run("split", (1.0,) * 4, arithmetic=Arithmetic.TF32X3),
        of_library(),
        of_library("any_tf32", (1.5,) * 4, Arithmetic.TF32),
    ]
    table = speedup_table(runs)
    assert [row["speedup"] for row in table.rows] == pytest.approx([0.25, 0.5, 2.0, 1.0, 1.0])
    assert [row["baseline"] for row in table.rows] == ["any_fp32", "any_tf32", "any_fp32", "any_fp32", "any_tf32"]
    assert [row["verdict"] for row in table.rows] == ["slower", "slower", "faster", "baseline", "baseline"]
    figure = speedup_figure(runs)
    assert figure.title == "Speed-up against anyBLAS"
    (split,) = [row for row in figure.rows if row.name == "split"]
    assert "2.00× as fast as any_fp32" in split.tooltip
    assert any(
        "with anyBLAS in the kernel's own arithmetic (float32 for three TF32 products)" in note for note in figure.notes
    )


def test_that_kernels_compared_with_different_libraries_stand_in_groups_with_headings() -> None:
    runs = [
        gpu_run("fp32", (8.0,) * 4),
        gpu_run("tf32", (3.0,) * 4, arithmetic=Arithmetic.TF32),
        gpu_run("split", (1.0,) * 4, arithmetic=Arithmetic.TF32X3),
        of_library(),
        of_library("any_tf32", (1.5,) * 4, Arithmetic.TF32),
        gpu_run("bf16", (1.0,) * 4, arithmetic=Arithmetic.BF16),
    ]
    figure = speedup_figure(runs)
    words = ["against any_fp32", "fp32", "split", "any_fp32", "against any_tf32", "tf32", "any_tf32", ALONE, "bf16"]
    assert [row.heading or row.name for row in figure.rows] == words
    pairs = [pair for one in figure.series for pair in zip(one.places, one.values, strict=True)]
    marked = {figure.rows[place].name: value for place, value in pairs}
    assert marked == pytest.approx({"fp32": 0.25, "split": 2.0, "any_fp32": 1.0, "tf32": 0.5, "any_tf32": 1.0})
    alone = speedup_figure(runs[:1] + runs[3:4])
    assert [row.name for row in alone.rows] == ["fp32", "any_fp32"], "one baseline needs no heading"


def test_that_a_library_comes_before_a_cpu_variant_and_both_are_offered(cpu_run: Any) -> None:
    cpu = cpu_run("cpu_blas", 80.0, size=(4096, 4096, 4096))
    runs = [cpu, gpu_run(ms=(8.0,) * 4), of_library()]
    assert baselines_of(runs) == (LIBRARY, Baseline("cpu_blas"))
    assert [row.value for row in speedup_figure(runs).rows] == ["no baseline", "0.250×", "1×"]
    assert speedup_figure(runs).rows[0].note == "on the CPU"
    against_cpu = speedup_figure(runs, Baseline("cpu_blas"))
    assert [row.value for row in against_cpu.rows] == ["1×", "10.0×", "40.0×"]


def test_that_without_a_library_it_is_the_cpu_as_a_kernel_compiled_is_none(cpu_run: Any) -> None:
    small = replace(gpu_run(), launch=Launch((1, 1, 1), (1, 1, 1)))
    untold = gpu_run(registers=0, device=replace(GPU, gpu_facts=NO_GPU_FACTS))
    assert baselines_of([small, untold, cpu_run("cpu_blas")]) == (Baseline("cpu_blas"),)


@pytest.mark.parametrize(
    "other",
    [
        asked_anew(gpu_run(), fill=Fill.ONES),
        asked_anew(gpu_run(), seed=1),
        asked_anew(gpu_run(), mode=Mode.HOT),
        gpu_run(size="4096x4096x2048"),
        gpu_run(device=OTHER_GPU),
        gpu_run(arithmetic=Arithmetic.BF16),
    ],
    ids=["fill", "seed", "caches", "size", "device", "arithmetic"],
)
def test_that_only_equal_conditions_are_held_against_a_library(other: RunResult) -> None:
    figure = speedup_figure([other, of_library()])
    assert figure.rows[0].value == "no baseline"
    assert "anyBLAS has not run at" in figure.rows[0].tooltip
    assert all(0 not in one.places for one in figure.series)


def test_that_overlapping_intervals_give_no_verdict_here_either() -> None:
    figure = speedup_figure([gpu_run(ms=(1.0, 2.0, 3.0)), of_library(ms=(2.0, 3.0, 4.0))])
    assert (figure.rows[0].value, figure.rows[0].note) == ("≈ 1.5×", "cannot be ranked")
    (unsure,) = [one for one in figure.series if one.look is Look.OPEN]
    assert unsure.values.tolist() == [1.5]


def test_that_a_library_that_is_not_shown_is_a_baseline_all_the_same() -> None:
    runs = [gpu_run("bf16", (2.0,) * 4, arithmetic=Arithmetic.BF16), gpu_run("fp32", (8.0,) * 4), of_library()]
    other = of_library("any_bf16", (1.0,) * 4, Arithmetic.BF16)
    assert [row.value for row in speedup_figure(runs).rows] == ["no baseline", "0.250×", "1×"]
    figure = speedup_figure(runs, others=[other])
    assert {row.name: row.value for row in figure.rows if row.name} == {
        "bf16": "0.500×",
        "fp32": "0.250×",
        "any_fp32": "1×",
    }
    assert "against any_bf16" in [row.heading for row in figure.rows]
    cells = [(row["baseline"], row["baseline_row"], row["speedup"]) for row in speedup_table(runs, others=[other]).rows]
    assert cells[0] == ("any_bf16", "", 0.5)
    assert cells[1] == ("any_fp32", 3, 0.25)
