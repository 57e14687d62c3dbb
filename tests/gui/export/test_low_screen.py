"""The export dialog on a screen that is too low for rows that lie far apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import load_examples
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export import dialog as export_dialog
from gemmviz.gui.export.dialog import ExportDialog
from gemmviz.gui.export.items import TABLES, WINDOW, item_of
from gemmviz.gui.export.plan import plots_of
from gemmviz.gui.recording.block_names import recorded_block_names
from gemmviz.gui.widgets.dialog_size import FRAME, ScrolledContents


def test_that_it_does_not_scroll_at_1280_by_800(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = QSize(1280, 800) - FRAME
    session = load_session(next(each.path for each in load_examples() if each.id == "cpu-ladder"))
    charted = Charted(session.runs, session.traces)
    items = [*(item_of(plot, session, charted) for plot in plots_of(session)), *TABLES, WINDOW]
    monkeypatch.setattr(export_dialog, "room_on_screen", lambda _: room)
    monkeypatch.setattr(export_dialog, "fit_screen", lambda made, wanted: made.resize(wanted.boundedTo(room)))
    dialog = ExportDialog(items, tmp_path, block_names=recorded_block_names(session))
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    contents = dialog.findChild(ScrolledContents)
    assert contents is not None
    qtbot.waitUntil(lambda: contents.verticalScrollBar().maximum() == 0)
    assert dialog.height() <= room.height()
