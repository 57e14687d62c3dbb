"""Widgets beside each other: in one row, or in columns."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.flow_layout import FlowLayout

WIDTHS, HIGH, GAP = (100, 60, 80, 50), 20, 8


class Block(QPushButton):
    """A button of a fixed hint."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self._hint = QSize(width, HIGH)

    def sizeHint(self) -> QSize:
        return self._hint

    def minimumSizeHint(self) -> QSize:
        return self._hint


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (400, ((0, 0, 100), (108, 0, 60), (176, 0, 80), (264, 0, 50))),
        (260, ((0, 0, 100), (108, 0, 60), (176, 0, 80), (0, 28, 50))),
        (200, ((0, 0, 100), (108, 0, 60), (0, 28, 100), (108, 28, 50))),
        (90, ((0, 0, 100), (0, 28, 100), (0, 56, 100), (0, 84, 50))),
    ],
)
def test_that_what_needs_more_rows_than_one_stands_in_columns(
    qtbot: QtBot, width: int, expected: tuple[tuple[int, int, int], ...]
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(GAP, holder)
    blocks = [Block(each) for each in WIDTHS]
    blocks[3].setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    for block in blocks:
        flow.addWidget(block)
    flow.setGeometry(QRect(0, 0, width, 200))
    assert tuple((block.x(), block.y(), block.width()) for block in blocks) == expected
    assert flow.heightForWidth(width) == max(y for _, y, _ in expected) + HIGH
