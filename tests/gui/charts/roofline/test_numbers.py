"""The numbers of marks without room for their names."""

from __future__ import annotations

from gemmviz.gui.charts.roofline.labels import Label
from gemmviz.gui.charts.roofline.numbers import numbers_beside, ranks_of


def wide(words: str) -> float:
    return 7.0 * len(words)


def test_that_a_number_means_one_mark_however_much_room_there_is() -> None:
    marks = [Label(f"mark_{place}", 60.0, 20.0 + 30.0 * place, 42.0) for place in range(4)]
    area = (0.0, 0.0, 400.0, 200.0)
    ranks = ranks_of(marks)
    for without in (marks, marks[1:], marks[2:3]):
        _, keys = numbers_beside(without, area, (), (), wide, ranks)
        assert keys == {each.words: f"({marks.index(each) + 1})" for each in without}
