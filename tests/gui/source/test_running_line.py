"""The lines that run are read in full, however narrow the source is."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.source.running_line import MOST, RunningLine, in_full

CODE = ("__global__ void f()", "{", "    if (a < b && c > d)", "", "  x += y;")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((), ""),
        ((5,), "<b>5</b>&nbsp; x += y;"),
        ((3, 5), "<b>3</b>&nbsp; if (a &lt; b &amp;&amp; c &gt; d)<br><b>5</b>&nbsp; x += y;"),
        ((0, 4, 6), ""),
    ],
)
def test_that_lines_stand_in_full_behind_their_numbers(numbers: tuple[int, ...], words: str) -> None:
    assert in_full(numbers, CODE) == words


def test_that_of_many_lines_the_first_are_shown() -> None:
    assert in_full((1, 2, 3, 5), CODE).count("<b>") == MOST


def test_that_nothing_moves_however_many_lines_run(qtbot: QtBot) -> None:
    line = RunningLine()
    qtbot.addWidget(line)
    empty = line.height()
    line.show_lines((1, 3, 5), CODE)
    assert line.height() == empty == line.minimumHeight()
    assert "x += y" in line.text()
    line.show_lines((), CODE)
    assert not line.text()
