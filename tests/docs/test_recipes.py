"""Example sessions are made as their recipes say, and are small without saying something else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import make_examples
import numpy as np
import pytest
from gpu_record.recipes import Part, at_size, read_recipes
from gpu_record.small import MOST_SAMPLES, coarser, without_large_c
from gpu_runs import GPU, made_roofs

from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.runs.result import ErrorMap, WorstElement
from gemmviz.domain.runs.roof import Roofs
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench

WORST = (WorstElement(3, 5, 1.0, 2.0, 9.0),)


def error_map(values: np.ndarray) -> ErrorMap:
    rows, columns = values.shape
    return ErrorMap(rows, columns, 8, 4, values.astype(np.float32).reshape(-1), WORST)


def test_that_a_coarser_map_keeps_the_largest_error_of_what_it_joins() -> None:
    values = np.arange(7 * 10, dtype=np.float32).reshape(7, 10)
    found = coarser(error_map(values), 4)
    assert (found.rows, found.columns, found.cell_rows, found.cell_columns) == (4, 4, 16, 12)
    expected = [[values[2 * r : 2 * r + 2, 3 * c : 3 * c + 3].max() for c in range(4)] for r in range(4)]
    assert found.values.reshape(4, 4).tolist() == expected
    assert found.worst == WORST


def test_that_a_cell_with_what_is_no_number_stays_one_and_a_small_map_stays_as_it_is() -> None:
    values = np.zeros((4, 4), np.float32)
    values[3, 0] = np.nan
    found = coarser(error_map(values), 2)
    assert np.isnan(found.values.reshape(2, 2)).tolist() == [[False, False], [True, False]]
    small = error_map(values)
    assert coarser(small, 4) is small


def test_that_a_large_c_of_random_bits_is_left_out_of_a_recording() -> None:
    trace = load_session(examples_folder() / "cpu-four.gemmviz").traces[0]
    assert trace.c.size == 16
    assert without_large_c(trace, 16) is trace
    assert without_large_c(trace, 15).c.size == 0


def test_that_every_factor_of_the_smallest_example_is_another_and_none_is_zero() -> None:
    for trace in load_session(examples_folder() / "cpu-four.gemmviz").traces:
        operands = make_operands(trace.spec.shape, trace.spec.fill, trace.spec.seed)
        for matrix in (operands.a, operands.b):
            assert np.unique(matrix).size == matrix.size
            assert matrix.all()


def test_that_every_recipe_names_kernels_that_exist_and_makes_something() -> None:
    recipes = read_recipes(examples_folder(), load_catalogue())
    assert {recipe.on for recipe in recipes} == {"gpu", "cpu"}
    for recipe in recipes:
        assert recipe.parts or recipe.swept
        run = {kernel.id for part in recipe.parts for kernel, _ in part.jobs}
        assert {*recipe.recorded, *recipe.scheduled} <= run
    ladder = next(recipe for recipe in recipes if recipe.id == "gpu-ladder")
    assert {"naive", "sgemm_best", "cublas_fp32"} <= {kernel.id for kernel, _ in ladder.parts[0].jobs}
    assert at_size(ladder, Shape(3, 5, 7)).parts[0].shape == Shape(3, 5, 7)


def test_that_a_recipe_records_the_kernels_it_names_or_those_that_run_anywhere() -> None:
    recipes = {recipe.id: recipe for recipe in read_recipes(examples_folder(), load_catalogue())}

    def recorded(name: str) -> set[str]:
        recipe = recipes[name]
        return {one.id for part in recipe.parts for one, _ in part.jobs if make_examples.is_recorded(one, recipe)}

    assert recorded("gpu-feeding") == set(recipes["gpu-feeding"].recorded) >= {"wgmma_tf32", "mma_tf32"}
    assert {"naive", "vectorized"} <= recorded("gpu-ladder")
    assert not recorded("gpu-ladder") & {"cp_async", "cublas_fp32", "wgmma_tf32"}


def test_that_a_tuned_recipe_runs_the_fastest_choice_and_an_other_one_the_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalogue = load_catalogue()
    tiled = catalogue.get("tiled")
    chosen = tiled.params({"TILE": 8})
    monkeypatch.setattr(make_examples, "fastest", lambda *_: chosen)
    part = Part(Shape(33, 17, 9), Fill.UNIFORM, ((tiled, tiled.params({})),), tuned=True)
    with Bench() as bench:
        kitchen = make_examples.Kitchen(bench, "pocl", 0.1)
        (tuned,) = make_examples.runs_of(part, kitchen)
        (plain,) = make_examples.runs_of(replace(part, tuned=False), kitchen)
    assert tuned.spec.params == chosen != plain.spec.params == tiled.params({})
    tables = {recipe.id: recipe for recipe in read_recipes(examples_folder(), catalogue)}
    assert all(part.tuned for part in tables["gpu-ladder"].parts)
    assert not any(part.tuned for part in tables["gpu-feeding"].parts)


def test_that_the_roofs_of_a_device_are_measured_once_for_all_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def measured(device: str, *_: object) -> Roofs:
        asked.append(device)
        return made_roofs()

    monkeypatch.setattr(make_examples, "roofs_of_device", measured)
    with Bench() as bench:
        kitchen = make_examples.Kitchen(bench, "cuda:0", 0.1)
        assert kitchen.roofs_of(GPU) is kitchen.roofs_of(GPU)
        kitchen.roofs_of(replace(GPU, id="cuda:1"))
    assert asked == ["cuda:0", "cuda:1"]


def test_that_an_example_is_made_by_running_and_recording(tmp_path: Path) -> None:
    words = ["--on", "cpu", "--only", "cpu-four", "--budget", "0.2", "--out", str(tmp_path)]
    assert make_examples.main(words) == 0
    session = load_session(tmp_path / "cpu-four.gemmviz")
    assert [run.spec.kernel for run in session.runs] == ["global_accumulate", "tiled_global_accumulate"]
    assert [len(trace.blocks) for trace in session.traces] == [4, 4]
    assert all(run.finished and run.timing.kernel_ms.n <= MOST_SAMPLES for run in session.runs)
    assert session.device.name in (tmp_path / "made.json").read_text(encoding="utf-8")
