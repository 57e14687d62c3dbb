"""While the frames of another recording are prepared, nothing of the one before stays beside its name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory_view.text.labels import EMPTY, PREPARING

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
SIZE = "40x36x33"


def choose(parts: Parts, name: str, words: str) -> None:
    combo = parts.memory_page.findChild(QComboBox, name)
    place = next(i for i in range(combo.count()) if words in combo.itemText(i))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


@pytest.mark.parametrize(("place", "combo"), [(0, "memoryCombo"), (1, "compareCombo")])
def test_that_nothing_of_the_last_recording_stays_while_another_is_prepared(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf, place: int, combo: str
) -> None:
    pane, figures = parts.memory_page.panes[place], parts.frame_panel.figures
    caption = parts.memory_page.findChild(QLabel, f"{pane.objectName()}Caption")
    parts.memory_page.show()
    control.show_session(
        session_of(
            *(
                recorded(*each, SIZE, (1, 1), **params)
                for each, params in ((("tiled",), {"TILE": 4}), (("naive",), {}), (("tiled",), {"TILE": 8}))
            )
        )
    )
    choose(parts, "compareCombo", "naive")
    qtbot.waitUntil(lambda: bool(pane.totals.lines))
    control._active_pane.follow(place)
    qtbot.waitUntil(lambda: bool(figures.section.lines))
    choose(parts, combo, "TILE=4")
    playing = control.played[place]
    assert playing is not None
    assert dict(playing.run.spec.params)["TILE"] == 4
    assert caption.text() == PREPARING
    assert not pane.totals.lines
    assert (figures.section.lines, figures.section.note) == ((), PREPARING)
    assert not parts.source.lit_lines()
    qtbot.waitUntil(lambda: bool(pane.totals.lines) and bool(figures.section.lines))
    assert caption.text() != PREPARING


def test_that_the_page_says_that_nothing_is_recorded_once_all_is_closed(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    """There is then a button that records; beside a picture there is none."""
    page, empty, record = parts.memory_page, parts.memory.empty, QAction("Re&cord")
    empty.offer(record)
    page.show()
    assert (empty.words.text(), empty.button.isVisible()) == (EMPTY, True)
    control.show_session(session_of(recorded("tiled", SIZE, (1, 1), TILE=4)))
    assert not empty.isVisible(), "the layout is there while frames are made"
    qtbot.waitUntil(lambda: control.player.count > 0)
    control.show_session(session_of())
    caption = page.findChild(QLabel, "memoryPaneCaption")
    assert (caption.text(), parts.memory.picture_state()) == ("", None)
    assert (empty.words.text(), empty.button.text(), empty.button.isVisible()) == (EMPTY, "Record", True)
    with qtbot.waitSignal(record.triggered):
        empty.button.click()
