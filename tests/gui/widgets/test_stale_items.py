"""What stands for a deleted item of a layout is no end of Tab's order."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gemmviz.gui.widgets.tab_stops import tab_stops


def test_that_an_item_that_is_given_out_for_a_widget_is_invalid_and_the_widget_is_found(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    layout, buttons = QVBoxLayout(page), [QPushButton(str(number), page) for number in range(3)]
    for button in buttons:
        layout.addWidget(button)
    stale: Any = layout.itemAt(0)
    ask = QWidget.nextInFocusChain

    def next_in_chain(widget: QWidget) -> Any:
        return stale if widget is buttons[0] and isValid(stale) else ask(widget)

    monkeypatch.setattr(QWidget, "nextInFocusChain", next_in_chain)
    monkeypatch.setattr(QPushButton, "nextInFocusChain", next_in_chain, raising=False)
    assert tab_stops(page) == buttons
    assert not isValid(stale)
