"""The layout that is tried on a stage, and the panel beside it, which shows the same request."""

from __future__ import annotations

from collections.abc import Callable

from driving import bring_to_front
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.stage_pages import StagePages
from gemmviz.gui.widgets.plain_label import PlainLabel

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def test_that_a_layout_stays_while_its_block_is_recorded_again(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    first = recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)
    control.show_session(session_of(first))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    tried = NewLayout(0, Swizzle.COLUMN)
    stages.banks.set_layout(tried)
    again = recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)  # as when its source is opened in the editor
    control.show_session(session_of(first, again))
    assert stages.playable is not None
    assert stages.playable.run is again
    assert stages.banks.new_layout == stages.layout_of(stages.playable) == tried
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    third = recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)
    control.show_session(session_of(first, again, third))
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    assert stages.banks.new_layout == tried
    other = recorded("tiled_transposed", "32x32x32", (0, 0), TILE=16)
    control.show_session(session_of(first, again, third, other))
    assert stages.banks.new_layout == NewLayout()


def test_that_the_panel_beside_shows_the_request_of_the_page_in_its_layout(
    qtbot: QtBot, parts: Parts, control: MemoryControl, stages: StagePages, recorded: Record, session_of: SessionOf
) -> None:
    control.show_session(session_of(recorded("tiled_transposed", "32x32x32", (0, 0), TILE=32)))
    qtbot.waitUntil(lambda: control.player.count > 1 and parts.frame_panel.request.request is not None)
    panel = parts.frame_panel.request
    of_frame = panel.request
    picker = panel.findChild(QComboBox, "requestSite")
    sentence = panel.findChild(PlainLabel, "requestSentence")
    assert of_frame is not None
    assert of_frame.site.space is Space.GLOBAL
    assert not picker.parentWidget().isHidden()
    bring_to_front(qtbot, parts.memory_page, "memoryBanks")
    qtbot.waitUntil(lambda: stages.banks.request is not None)
    assert panel.request is stages.banks.request
    assert sentence.text() == stages.banks.sentence
    assert picker.parentWidget().isHidden(), "the page has the choice"
    stages.banks.set_layout(NewLayout(1))
    assert sentence.text() == stages.banks.sentence
    assert panel.banks.cost == stages.banks.cost
    assert any(label.text() == "modelled" for label in panel.findChildren(PlainLabel))
    qtbot.keyClick(stages.banks, Qt.Key.Key_A)
    assert panel.request is stages.banks.request
    control.player.seek(1)
    assert panel.request is stages.banks.request, "whichever frame is shown"
    bring_to_front(qtbot, parts.memory_page, "memorySectors")
    qtbot.waitUntil(lambda: stages.sectors.request is not None)
    assert panel.request is stages.sectors.request
    bring_to_front(qtbot, parts.memory_page, "memoryAnimation")
    assert panel.request is not stages.sectors.request
    assert not picker.parentWidget().isHidden()
