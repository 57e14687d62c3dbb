"""The list of figures beside a source says which of the chosen ones have no room."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind
from gemmviz.gui.source.figure_choice import FigureChoice


def test_that_a_figure_without_room_is_left_out_with_a_sign_and_named_in_the_tooltip(qtbot: QtBot) -> None:
    choice = FigureChoice()
    qtbot.addWidget(choice)
    choice.resize(420, 28)
    whole = choice.shown_text()
    assert whole == "sectors per request · excess wavefronts"
    choice.show_left_out((LineFigureKind.EXCESS,))
    assert choice.shown_text() == "sectors per request · no room: excess"
    assert "No room here for excess wavefronts: make the panel wider" in choice.toolTip()
    choice.resize(240, 28)
    assert choice.shown_text() == "sect/req · no room: excess"
    choice.resize(120, 28)
    assert choice.shown_text().endswith("…")
    assert choice.fontMetrics().horizontalAdvance(choice.shown_text()) <= choice.text_room()
    choice.resize(420, 28)
    choice.setCurrentIndex(choice.place_of(FigureSet.REQUESTS))
    choice.show_left_out((LineFigureKind.SHARED_REQUESTS,))
    assert choice.shown_text() == "requests · no room: shared", "one word for both"
    choice.setCurrentIndex(0)
    choice.show_left_out(())
    assert choice.shown_text() == whole
    assert "No room" not in choice.toolTip()
