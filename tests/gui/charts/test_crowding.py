"""How rows and notes share a height."""

import pytest

from gemmviz.gui.charts.crowding import ROOMY, Crowding, crowding
from gemmviz.gui.charts.plot_layout import AXIS, AXIS_DENSE, DENSE_ROW, HEAD, LEAST_ROW

NOTES = 70.0


@pytest.mark.parametrize("rows", [1, 4, 27])
def test_that_rows_keep_two_lines_and_notes_all_theirs_where_they_fit(rows: int) -> None:
    fits = HEAD + AXIS + LEAST_ROW * rows + NOTES
    assert crowding(fits, rows, NOTES) == ROOMY
    assert crowding(fits - 1, rows, NOTES) == Crowding(is_dense=True)


@pytest.mark.parametrize("rows", [5, 17, 33])
def test_that_the_notes_give_way_only_where_rows_of_one_line_do_not_fit_beside_them(rows: int) -> None:
    fits = HEAD + AXIS_DENSE + DENSE_ROW * rows + NOTES
    assert crowding(fits, rows, NOTES) == Crowding(is_dense=True)
    assert crowding(fits - 1, rows, NOTES) == Crowding(is_dense=True, is_brief=True)


@pytest.mark.parametrize("rows", [1, 3, 5, 27, 1000])
@pytest.mark.parametrize("notes", [0.0, 14.0, 200.0])
def test_that_more_room_never_crowds(rows: int, notes: float) -> None:
    steps = [crowding(float(room), rows, notes) for room in range(0, 40_000, 7)]
    seen = list(dict.fromkeys(steps))
    assert seen == [Crowding(is_dense=True, is_brief=True), Crowding(is_dense=True), ROOMY]
    assert steps == sorted(steps, key=seen.index)
