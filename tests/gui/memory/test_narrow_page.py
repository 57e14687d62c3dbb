"""The buttons of the views are whole above two pictures, however narrow these are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.memory_views import SEGMENTS


@pytest.fixture
def holder(qtbot: QtBot, parts: Parts) -> QWidget:
    """What gives the page any width, as a window does whose panels take the rest."""
    made = QWidget()
    qtbot.addWidget(made)
    made.setStyleSheet(style_sheet(LIGHT))
    parts.memory_page.setParent(made)
    made.resize(1300, 700)
    made.show()
    parts.memory_page.show()
    return made


def test_that_options_of_two_pictures_make_room_for_the_buttons_of_the_views(
    parts: Parts,
    control: MemoryControl,
    holder: QWidget,
    recorded: Callable[..., TraceRun],
    session_of: Callable[..., Session],
) -> None:
    page = parts.memory_page
    one, other = recorded("naive", "17x33x20"), recorded("tiled", "17x33x20", TILE=4)
    control.show_session(session_of(one, other))
    combo = page.findChild(QComboBox, "compareCombo")
    combo.activated.emit(next(place for place in range(1, combo.count()) if "naive" in combo.itemText(place)))
    views = [page.findChild(QPushButton, each.object_name) for each in SEGMENTS]
    align = page.findChild(QComboBox, "stepByCombo")
    for width, is_apart in ((1000, False), (460, True), (1000, False)):
        page.setGeometry(0, 0, width, 700)
        holder.grab()
        QApplication.processEvents()  # lays out what was arranged anew
        assert page.is_compared
        assert align.isVisible()
        for button in views:
            assert button.width() >= button.sizeHint().width(), f"{button.text()} in {width} pixels"
        beside, top = align.mapTo(page, align.rect().center()).y(), views[0].mapTo(page, views[0].rect().center()).y()
        assert (beside > top + 20) is is_apart
