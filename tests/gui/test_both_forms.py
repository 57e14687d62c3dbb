"""Recording a kernel as written and as compiled in the window by one click, and comparing the two on the stage."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import part, until_idle
from form_kernel import FORMS, SIZE
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import RecordDone
from gemmviz.explain.source.line_figures import FigureSet
from gemmviz.gui.source.code_table import CodeTable
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture
def own(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The window with the small kernel chosen, which is a person's own."""
    path = tmp_path / "own.cu"
    path.write_text(FORMS, encoding="utf-8")
    window.resize(1600, 900)  # both columns have room beside the experiment
    window.open_path(path)
    qtbot.waitUntil(lambda: window._set_up.experiment.kernel == "own")
    window._set_up.set_experiment(replace(window._set_up.experiment, shape=Shape.parse(SIZE)))
    return window


def test_that_one_click_records_both_and_the_source_shows_them_beside_each_other(own: MainWindow, qtbot: QtBot) -> None:
    part(own, QAction, "record_both").trigger()
    assert own.work.busy
    until_idle(qtbot, own)
    traces = own.document.session.traces
    assert [trace.form for trace in traces] == [CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED]
    assert {trace.device.id for trace in traces} == {"machine:sm_90a"}
    assert traces[0].blocks_recorded == traces[1].blocks_recorded == 2

    qtbot.waitUntil(lambda: own._parts.source.trace is traces[1])
    combo = part(own, QComboBox, "sourceFigures")
    combo.setCurrentIndex(list(FigureSet).index(FigureSet.FORMS))
    table = part(own, CodeTable, "sourceLines")
    model, across = table.model(), Qt.Orientation.Horizontal
    columns = {model.headerData(column, across): column for column in range(2, model.columnCount())}
    merged = [model.index(17, columns[head]).data() for head in ("written", "compiled")]
    assert merged == ["8", "4"], "line 18 of two warps"
    assert not table.isColumnHidden(columns["written"])
    assert not table.isColumnHidden(columns["compiled"])

    part(own, QPushButton, "memoryTotals").click()
    sentence = part(own, QLabel, "totalsBesideSentence")
    qtbot.waitUntil(sentence.isVisible)
    assert sentence.text().startswith("Per warp, the compiler turned 10 load requests to global memory into 6")

    part(own, QPushButton, "memoryAnimation").click()
    beside = part(own, QComboBox, "compareCombo")
    written = beside.findText("own  ·  16×64×8  ·  as written")
    assert written > 0
    beside.setCurrentIndex(written)
    beside.activated.emit(written)
    qtbot.waitUntil(lambda: own._parts.memory_page.is_compared)
    names = [name for _, name in own._parts.memory_page.named_panes]
    assert names == [
        "own  ·  as compiled  ·  16×64×8  ·  block (0, 0)",
        "own  ·  as written  ·  16×64×8  ·  block (0, 0)",
    ]


def test_that_cancel_ends_both(own: MainWindow, qtbot: QtBot) -> None:
    heard: list[object] = []
    own.work._client.happened.connect(heard.append)
    own.work.progressed.connect(lambda *_: own.work.cancel())
    part(own, QAction, "record_both").trigger()
    until_idle(qtbot, own)
    assert not [event for event in heard if isinstance(event, RecordDone)]
    assert own.document.session.traces == ()
