"""A label that keeps room for its longest text."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from gemmviz.domain.unbroken_text import unbroken
from gemmviz.gui.widgets.roomy_label import RoomyLabel


def test_that_a_text_with_spaces_that_stay_together_is_not_cut(qtbot: QtBot) -> None:
    label = RoomyLabel()
    qtbot.addWidget(label)
    label.setText("Look at " + " ".join(f"a[{row}, {row + 1}]" for row in range(12)))
    high = QTextDocument()
    high.setDocumentMargin(0)
    high.setDefaultFont(label.font())
    high.setPlainText(unbroken(label.text()))
    for width in range(100, 400, 3):
        high.setTextWidth(width)
        assert label.heightForWidth(width) >= high.size().height() - 1, width


def test_that_a_sum_whose_spaces_do_not_break_is_not_cut(qtbot: QtBot) -> None:
    label = RoomyLabel()
    qtbot.addWidget(label)
    label.setText("The sum is " + "\u00a0+\u00a0".join(map(str, range(8))) + " as it was said before, and no more")
    assert all(label.heightForWidth(width) == label.text_height(width) for width in range(150, 400, 3))
