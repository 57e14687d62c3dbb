"""What tests of versions of an edited kernel share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asked_examiner import AskedExaminer, Trying
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.control.version_control import VersionControl
from gemmviz.gui.editor.examination import SetUp
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.work.experiment import default_experiment


@pytest.fixture
def trying(qtbot: QtBot) -> Iterator[Trying]:
    catalogue = load_catalogue()
    panel, document, examiner = EditorPanel(), SessionDocument(), AskedExaminer()
    qtbot.addWidget(panel)
    panel.setStyleSheet(style_sheet(LIGHT))
    panel.show()
    set_up = [SetUp(default_experiment(catalogue), (0, 0, 0))]
    place = ["here"]
    control = VersionControl(panel, document, examiner, lambda: set_up[0], lambda _: place[0])  # type: ignore[arg-type]
    kernel = catalogue.get("tiled")
    control.begin(kernel)
    yield Trying(examiner, panel, document, control, kernel, set_up, place)
    control.close()
