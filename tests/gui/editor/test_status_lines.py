"""The lines below the figures of versions: as high as their text, and scrolled where that is long."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.gui.editor.status_lines import MOST_HEIGHT, StatusLines


def test_that_many_lines_are_scrolled_and_leave_room_to_the_figures(qtbot: QtBot) -> None:
    lines = StatusLines()
    qtbot.addWidget(lines)
    lines.resize(300, 40)
    lines.show_status("Examined in 3 s.", is_fault=False, is_describable=False)
    lines.show()
    faults = lines.findChild(QLabel, "versionFaults")
    lines.show_faults("not recorded", "")
    low = lines.minimumHeight()
    assert 2 * faults.fontMetrics().height() <= low < MOST_HEIGHT
    lines.show_faults("not recorded: a loop that never ends. " * 20, "")
    qtbot.waitUntil(lambda: lines.verticalScrollBar().maximum() > 0)
    assert lines.minimumHeight() == lines.maximumHeight() == MOST_HEIGHT
