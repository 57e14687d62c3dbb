"""What a run is compared with: the newest one under the same conditions, or the one sampled in turn with it."""

from __future__ import annotations

from dataclasses import replace

from gpu_runs import GPU, gpu_run

from gemmviz.domain.runs.baselines import Baseline, baseline_places, baselines_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.terms import Arithmetic

LIBRARY = Baseline("anyBLAS", is_library=True)


def of_library(arithmetic: Arithmetic = Arithmetic.FP32) -> RunResult:
    """A run that nothing was compiled for."""
    run = gpu_run("any_blas", params=(), arithmetic=arithmetic, registers=0)
    return replace(run, build="anyBLAS 13.1.0")


def test_that_a_library_is_one_baseline_in_whatever_arithmetic_it_ran() -> None:
    assert baselines_of([gpu_run(), of_library(), of_library(Arithmetic.TF32)]) == (LIBRARY,)


def test_that_a_partner_is_the_newest_run_of_the_baseline_in_the_same_arithmetic() -> None:
    tf32, split = gpu_run(arithmetic=Arithmetic.TF32), gpu_run(arithmetic=Arithmetic.TF32X3)
    runs = [of_library(), of_library(), of_library(Arithmetic.TF32), gpu_run(), tf32, split]
    assert baseline_places(runs, LIBRARY) == (1, 1, 2, 1, 2, 1)


def test_that_a_run_on_another_device_has_no_partner() -> None:
    assert baseline_places([of_library(), gpu_run(device=replace(GPU, id="cuda:1"))], LIBRARY) == (0, None)


def test_that_a_run_sampled_in_turn_comes_before_a_newer_one() -> None:
    in_turn, newer = replace(of_library(), sweep=1), of_library()
    assert baseline_places([replace(gpu_run(), sweep=1), in_turn, newer], LIBRARY) == (1, 1, 2)
