"""How rows and notes share a height."""

import pytest

from gemmviz.gui.charts.plot.crowding import (
    CROWDED_NOTE_LINES,
    FEW_ROWS,
    MANY_ROWS,
    NOTE_LINE,
    ROOMY,
    Crowding,
    crowding,
    crowding_of_columns,
    crowding_of_plane,
)
from gemmviz.gui.charts.plot.layout import AXIS, AXIS_DENSE, DENSE_ROW, GOOD_ROW, HEAD, LEAST_ROW

NOTES = 70.0
BRIEF = NOTE_LINE * CROWDED_NOTE_LINES


@pytest.mark.parametrize("notes", [0.0, 14.0, NOTES])
def test_that_every_note_has_its_own_lines_where_there_is_room(notes: float) -> None:
    for rows in (1, 4, 27):
        assert crowding(5000.0, rows, notes) == ROOMY
    assert crowding_of_plane(5000.0, notes) == crowding_of_columns(5000.0, notes) == ROOMY


@pytest.mark.parametrize("rows", [1, 4, 27])
def test_that_notes_have_as_many_lines_as_rows_of_a_good_height_leave(rows: int) -> None:
    good = HEAD + AXIS + GOOD_ROW * rows
    for lines in (2, 3, 4):
        assert crowding(good + NOTE_LINE * lines, rows, NOTES) == Crowding(note_lines=lines)
    assert crowding(good + NOTE_LINE * 5, rows, NOTES) == ROOMY


@pytest.mark.parametrize("rows", [1, 4, 27])
def test_that_rows_keep_two_lines_where_they_and_the_notes_fit(rows: int) -> None:
    fits = HEAD + AXIS + LEAST_ROW * rows + BRIEF
    assert crowding(fits, rows, NOTES) == Crowding(note_lines=CROWDED_NOTE_LINES)
    assert crowding(fits - 1, rows, NOTES) == Crowding(is_dense=True, note_lines=CROWDED_NOTE_LINES)


@pytest.mark.parametrize("rows", [5, 17, 33])
def test_that_the_notes_give_way_only_where_rows_of_one_line_do_not_fit_beside_them(rows: int) -> None:
    fits = HEAD + AXIS_DENSE + DENSE_ROW * rows + NOTE_LINE
    assert crowding(fits, rows, NOTE_LINE) == Crowding(is_dense=True)
    assert crowding(fits - 1, rows, NOTE_LINE).note_lines > 0


@pytest.mark.parametrize("rows", [1, 3, 5, 27, 1000])
@pytest.mark.parametrize("notes", [0.0, 14.0, 200.0])
def test_that_more_room_never_crowds(rows: int, notes: float) -> None:
    steps = [crowding(float(room), rows, notes) for room in range(0, 70_000, 7)]
    seen = list(dict.fromkeys(steps))
    most = 0 if notes <= BRIEF else CROWDED_NOTE_LINES
    roomy = [one for one in seen if not one.is_dense]
    seen = [*(one for one in seen if one.is_dense), roomy[0]]
    assert roomy[-1] == ROOMY
    assert [one.note_lines for one in roomy[:-1]] == sorted(one.note_lines for one in roomy[:-1])
    assert seen[-2:] == [Crowding(is_dense=True, note_lines=most), Crowding(note_lines=most)]
    assert seen[0] == Crowding(is_dense=True, note_lines=1, is_low=True)
    lines = [one.note_lines for one in seen[:-2]]
    assert lines == sorted(lines)
    assert steps == sorted(steps, key=[*seen[:-1], *roomy].index)


def test_that_the_subtitle_gives_up_its_line_only_where_few_rows_are_left() -> None:
    few = HEAD + AXIS_DENSE + DENSE_ROW * FEW_ROWS + NOTE_LINE
    assert crowding(few, 27, NOTES) == Crowding(is_dense=True, note_lines=1)
    assert crowding(few - 1, 27, NOTES) == Crowding(is_dense=True, note_lines=1, is_low=True)


def test_that_notes_have_more_lines_once_many_rows_are_seen() -> None:
    many = HEAD + AXIS_DENSE + DENSE_ROW * MANY_ROWS
    assert crowding(many + NOTE_LINE, 60, NOTES).note_lines == 1
    assert crowding(many + 2 * NOTE_LINE, 60, NOTES).note_lines == 2


def test_that_notes_take_no_room_from_the_rows_of_a_ladder() -> None:
    ladder = HEAD + AXIS_DENSE + DENSE_ROW * 27
    assert crowding(ladder + NOTE_LINE, 27, NOTES).note_lines == 1


def test_that_the_notes_of_a_plane_give_way_before_its_title() -> None:
    steps = [crowding_of_plane(float(room), NOTES) for room in range(600)]
    seen = list(dict.fromkeys(steps))
    assert (seen[0], seen[-1]) == (Crowding(note_lines=1, is_low=True), ROOMY)
    assert not any(one.is_low for one in seen[1:])
