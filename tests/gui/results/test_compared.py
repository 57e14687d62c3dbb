"""× CPU and × library: what each is against, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from gpu_runs import gpu_run

from gemmviz.catalogue.examples import examples_folder
from gemmviz.cli.run.speedups import speedups_of
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Arithmetic
from gemmviz.explain.runs.cells import NOTHING
from gemmviz.explain.runs.columns import Key
from gemmviz.explain.runs.rows import row_of
from gemmviz.gui.results.compared import circumstances, libraries, references, with_library, with_reference

Make = Callable[..., RunResult]


def test_that_the_newest_reference_of_the_same_circumstances_counts(make_result: Make) -> None:
    slow, fast = (make_result("cpu_ijk", (ms,) * 3, backend="host", params=()) for ms in (80.0, 40.0))
    blas = make_result("cpu_blas", (1.0,) * 3, backend="host", params=())
    other_seed = make_result("cpu_ijk", (9.0,) * 3, backend="host", params=(), seed=1)
    impostor = make_result("cpu_ijk", (5.0,) * 3)
    found = references([row_of(run) for run in (slow, fast, other_seed, blas, impostor)], "cpu_ijk")
    run = make_result(ms=(2.0,) * 3)
    compared = with_reference(row_of(run), found.get(circumstances(run)))
    assert compared.cell(Key.TIMES_CPU).value == 20.0
    assert "cpu_ijk, 40.0 ms" in compared.cell(Key.TIMES_CPU).tip
    assert with_reference(compared, found.get(circumstances(run))) is compared, "nothing new, no new row"
    assert with_reference(compared, None).cell(Key.TIMES_CPU) is NOTHING
    assert references([row_of(fast), row_of(blas)], "")[circumstances(run)].item is blas


def test_that_a_ratio_to_a_cpu_kernel_that_may_be_either_side_of_one_says_so(make_result: Make) -> None:
    loops = row_of(make_result("cpu_ijk", (8.0, 9.0, 10.0, 11.0, 12.0), backend="host", params=()))
    near = with_reference(row_of(make_result(ms=(8.5, 9.5, 10.5, 11.5, 12.5))), loops).cell(Key.TIMES_CPU)
    assert near.text.startswith("≈")
    assert near.value == pytest.approx(10.0 / 10.5)
    assert "cannot" in near.tip
    far = with_reference(row_of(make_result(ms=(1.0, 1.1, 1.2, 1.3, 1.4))), loops).cell(Key.TIMES_CPU)
    assert not far.text.startswith("≈")


def test_that_a_time_of_zero_is_compared_with_nothing(make_result: Make) -> None:
    reference = row_of(make_result("cpu_ijk", backend="host"))
    assert with_reference(row_of(make_result(ms=(0.0, 0.0))), reference).cell(Key.TIMES_CPU) is NOTHING


def library(ms: float = 2.0, arithmetic: Arithmetic = Arithmetic.FP32) -> RunResult:
    """A run of a vendor's library: no compiler told anything of it."""
    run = gpu_run(f"cublas_{arithmetic.value}", (ms,) * 4, params=(), arithmetic=arithmetic, registers=0)
    return replace(run, build="cuBLAS 13.1")


def test_that_a_kernel_is_held_against_the_library_in_its_own_arithmetic() -> None:
    runs = [
        library(),
        library(0.5, Arithmetic.TF32),
        gpu_run(ms=(8.0,) * 4),
        gpu_run("wgmma_tf32", (0.25,) * 4, arithmetic=Arithmetic.TF32),
        gpu_run("tf32x3", (1.0,) * 4, arithmetic=Arithmetic.TF32X3),
        gpu_run(ms=(8.0,) * 4, size="33x17x9"),
    ]
    rows = [row_of(run) for run in runs]
    found = libraries(rows)
    cells = [with_library(row, found.get(place)).cell(Key.TIMES_LIBRARY) for place, row in enumerate(rows)]
    assert [cell.value for cell in cells] == [1.0, 1.0, 0.25, 2.0, 2.0, NOTHING.value]
    assert "against cublas_fp32, 2.00 ms" in cells[2].tip
    assert "against cublas_tf32, 500 µs" in cells[3].tip
    assert "baseline" in cells[0].tip
    assert cells[5] is NOTHING, "the library did not run at that size"


def test_that_an_open_comparison_is_marked_and_nothing_new_makes_no_new_row() -> None:
    of_library, run = library(), gpu_run(ms=(1.0, 1.9, 1.95, 9.0))
    row = with_library(row_of(run), of_library)
    assert row.cell(Key.TIMES_LIBRARY).text.startswith("≈1.0")
    assert "cannot be ranked" in row.cell(Key.TIMES_LIBRARY).tip
    assert with_library(row, of_library) is row
    assert with_library(row, None).cell(Key.TIMES_LIBRARY) is NOTHING
    assert libraries([row_of(run)]) == {}


@pytest.mark.parametrize("name", ["gpu-ladder", "gpu-odd", "gpu-accuracy"])
def test_that_the_table_says_of_a_gpus_runs_what_the_report_does(name: str) -> None:
    session = load_session(examples_folder() / f"{name}.gemmviz")
    rows = [row_of(run) for run in session.runs]
    found = libraries(rows)
    (against,) = [one for baseline, one in speedups_of(session.runs).items() if baseline.is_library]
    for place, (row, speedup) in enumerate(zip(rows, against, strict=True)):
        text = with_library(row, found.get(place)).cell(Key.TIMES_LIBRARY).text
        itself = speedup is not None and speedup.baseline.run is row.item
        assert text.removeprefix("≈") == ("" if speedup is None else "1.00" if itself else speedup.figure), row.sentence
