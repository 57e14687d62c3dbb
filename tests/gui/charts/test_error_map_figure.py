import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.runs.result import ErrorMap, RunResult
from gemmviz.explain.figures.error_map import (
    ABOVE,
    LEVELS,
    NOT_A_NUMBER,
    error_map_tables,
    error_picture,
    first_with_map,
    levels_of,
)
from gemmviz.explain.figures.error_scale import scale_of
from gemmviz.gui.looks.error_colours import error_table
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme


@pytest.fixture
def run(make_run: Any, wrong_map: ErrorMap) -> RunResult:
    found: RunResult = make_run(size=(64, 96, 64), passed=False, error_map=wrong_map)
    return found


def test_that_errors_darken_by_their_logarithm_up_to_the_bound() -> None:
    values = np.array([[0.0, 0.01, 0.064, 6.4, 64.0]], np.float32)
    assert levels_of(values, scale_of(values, 64.0)).tolist() == [[0, 0, 0, round(2 / 3 * (LEVELS - 1)), LEVELS - 1]]


def test_that_what_is_wrong_has_levels_of_its_own() -> None:
    values = np.array([[64.001, math.inf, math.nan]], np.float32)
    assert levels_of(values, scale_of(values, 64.0)).tolist() == [[ABOVE, ABOVE, NOT_A_NUMBER]]


def test_that_errors_far_below_the_bound_take_all_colours_and_are_said_to(make_run: Any) -> None:
    near = ErrorMap(1, 3, 64, 32, np.array([55.2, 60.0, 73.9], np.float32), ())
    picture = error_picture(make_run(size=(64, 96, 4096), error_map=near))
    assert picture.levels.tolist()[0][::2] == [0, LEVELS - 1]
    assert any("far below the bound, the largest at 1.8 % of the bound 4" in note for note in picture.notes)
    assert any("each cell is the largest error / u·G of 64 × 32 elements" in note for note in picture.notes)
    assert not any("far below" in note for note in error_picture(make_run(size=(64, 96, 128), error_map=near)).notes)


def test_that_row_0_of_c_is_row_0_of_the_picture(run: RunResult) -> None:
    picture = error_picture(run)
    assert picture.values.shape == (2, 3)
    assert picture.values[0].tolist() == [0.0, 3.0, 900.0]
    assert (picture.height, picture.width) == (64, 96)
    assert picture.levels[1].tolist()[1:] == [NOT_A_NUMBER, ABOVE]
    assert "3 of 6 cells are wrong" in picture.notes


def test_that_a_cell_is_told_with_its_range_and_value(run: RunResult) -> None:
    picture = error_picture(run)
    assert picture.words_at(5, 40) == "C[0–31,32–63]: 3.00, bound 64.0"
    assert "not a number" in picture.words_at(63, 32)


def test_that_a_click_means_the_worst_known_element_of_the_cell(run: RunResult) -> None:
    picture = error_picture(run)
    assert picture.element_at(63, 32) == (40, 33)
    assert picture.element_at(5, 40) == (5, 40)


def test_that_the_last_cells_may_be_smaller(make_run: Any) -> None:
    ragged = ErrorMap(2, 2, 20, 20, np.ones(4, np.float32), ())
    picture = error_picture(make_run(size=(33, 21, 64), error_map=ragged))
    assert picture.words_at(32, 20).startswith("C[20–32,20]")
    cells, _ = error_map_tables(make_run(size=(33, 21, 64), error_map=ragged))
    assert (cells.rows[3]["last_row"], cells.rows[3]["last_column"]) == (32, 20)


def test_that_without_a_map_a_sentence_says_why(make_run: Any) -> None:
    for run, word in ((None, "press Run"), (make_run(), "again"), (make_run(method="freivalds"), "Freivalds")):
        picture = error_picture(run)
        assert not picture.has_map
        assert word in picture.empty
        assert error_map_tables(run) == ()


def test_that_the_first_wrong_run_is_shown_unasked_else_the_newest(make_run: Any, run: RunResult) -> None:
    sound = make_run(error_map=ErrorMap(1, 1, 64, 64, np.ones(1, np.float32), ()))
    assert first_with_map([sound, run, run]) == 1
    assert first_with_map([sound, sound, make_run()]) == 1
    assert first_with_map([make_run()]) is None


def test_that_tables_have_every_cell_and_the_worst(run: RunResult) -> None:
    cells, worst = error_map_tables(run, 4)
    assert [row["max_error_over_ug"] for row in cells.rows][:4] == [0.0, 3.0, 900.0, 2.0]
    assert [row["run"] for row in worst.rows] == [4, 4, 4]
    assert {(row["kernel"], row["params"], row["n"]) for row in (*cells.rows, *worst.rows)} == {
        ("tiled", "TILE=16", 96)
    }
    assert [row["row"] for row in worst.rows] == [40, 41, 3]


def test_that_tables_name_device_driver_and_time(run: RunResult) -> None:
    measured = replace(run, finished="2026-11-22T12:00:29+00:00")
    place = {"device_name": run.device.name, "driver": run.device.driver, "finished": measured.finished}
    for found in error_map_tables(measured, 4):
        assert all(list(row.items())[-3:] == list(place.items()) for row in found.rows)


def test_that_a_run_whose_number_is_not_known_has_none_in_its_tables(run: RunResult) -> None:
    for found in error_map_tables(run):
        assert "run" not in found.columns
        assert all(tuple(row) == found.columns for row in found.rows)


def test_that_elements_never_written_are_called_that(run: RunResult) -> None:
    picture = error_picture(replace(run, accuracy=replace(run.accuracy, unwritten=90)))
    assert "90 elements were never written" in picture.notes
    assert "never written" in picture.words_at(63, 32)
    assert "not a number" in error_picture(run).words_at(63, 32)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_colours_go_one_way_in_lightness_and_wrong_is_another_hue(theme: Theme) -> None:
    table = error_table(theme).astype(float)
    lightness = table @ (0.2126, 0.7152, 0.0722)
    steps = np.diff(lightness[:LEVELS])
    assert (steps >= -1e-9).all() if theme.dark else (steps <= 1e-9).all()
    assert abs(lightness[LEVELS - 1] - lightness[0]) > 120
    assert table[ABOVE, 0] > table[ABOVE, 2] + 80
    assert (table[:LEVELS, 2] > table[:LEVELS, 0]).all()
