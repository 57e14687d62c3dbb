"""The dashes of a lesson's steps, where they have room and where they have little."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.lessons.step_bar import DASH, StepBar
from gemmviz.gui.looks.theme import LIGHT

STEPS = 17


@pytest.mark.parametrize("width", [800, 500, 300])
def test_that_the_dashes_of_all_steps_are_seen_and_clicked_in_a_narrow_head(qtbot: QtBot, width: int) -> None:
    head = QWidget()
    qtbot.addWidget(head)
    row, bar = QHBoxLayout(head), StepBar(LIGHT)
    row.addWidget(bar)
    row.addStretch(1)
    row.addWidget(QLabel("Leave full screen"))
    bar.show_step(4, STEPS)
    head.resize(width, 40)
    head.show()
    first, last = bar.dash(0), bar.dash(STEPS - 1)
    assert 0.0 < last.right() <= bar.width()
    assert first.width() == last.width() <= DASH
    assert (first.width() == DASH) is (width == 800)
    assert first.right() + 2.0 < bar.dash(1).left()
    with qtbot.waitSignal(bar.chosen) as chosen:
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(int(last.center().x()), bar.height() // 2))
    assert chosen.args == [STEPS - 1]
