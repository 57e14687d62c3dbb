"""The numbers of marks without room for their names."""

from __future__ import annotations

from gemmviz.gui.charts.roofline.labels import Label
from gemmviz.gui.charts.roofline.numbers import numbers_beside


def wide(words: str) -> float:
    return 7.0 * len(words)


def test_that_numbers_are_consecutive_from_the_topmost_mark() -> None:
    marks = [Label(f"mark_{place}", 60.0, 20.0 + 30.0 * place, 42.0) for place in range(4)]
    area = (0.0, 0.0, 400.0, 200.0)
    for some in (marks, marks[1:], marks[2:3]):
        placed, keys = numbers_beside(some, area, (), (), wide)
        assert keys == {each.words: f"({number})" for number, each in enumerate(some, 1)}
        assert [label.words for label, _ in placed] == list(keys.values())
