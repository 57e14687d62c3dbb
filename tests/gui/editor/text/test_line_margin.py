"""What the margin of the editor says of the figures beside the lines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from gemmviz.domain.terms import Language
from gemmviz.explain.source.line_changes import LineChange
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.editor.panel import EditorPanel

TEXT = "int a;\nint b;\nint c;\n"


def test_that_the_margin_names_its_figure_beside_every_line(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = EditorPanel()
    qtbot.addWidget(panel)
    panel.resize(400, 500)
    panel.show()
    panel.show_file("mine.cu", TEXT, Language.CUDA)
    change = LineChange(LineFigureKind.EXCESS, 2, 2, "", "480", "0", "−480", Worth.BETTER)
    panel.show_line_figures(TEXT, {2: change})
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, words, *_: said.append(words))
    margin = panel.edit.margin
    rows = dict(panel.edit.lines_in_sight())
    for line in (1, 2):
        at = QPoint(2, rows[line].center().y())
        QApplication.sendEvent(margin, QHelpEvent(QEvent.Type.ToolTip, at, margin.mapToGlobal(at)))
    assert "Beside the lines: excess wavefronts, before and after the last save" in said[0]
    assert "480" in said[1]
    margin.show_changes({})
    assert margin.heading == ""
