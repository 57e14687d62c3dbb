"""The row that chooses a request of a block."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.block_requests import requests_to
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.request_chooser import RequestChooser


def test_that_nothing_of_the_row_lies_over_another_part_as_soon_as_requests_are_there(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    chooser = RequestChooser("stage", LIGHT)
    qtbot.addWidget(chooser)
    chooser.resize(560, 40)
    chooser.show()
    QApplication.processEvents()
    requests = requests_to(block_of(transposed), Space.SHARED)
    chooser.show_requests(requests)
    chooser.show_choice(requests.sites[0].site.index, 0)
    names = "stageSite", "stagePrevious", "stagePlace", "stageNext", "stageCostliest"
    parts = [chooser.findChild(QWidget, name) for name in names]
    assert all(before.geometry().right() < after.geometry().left() for before, after in pairwise(parts))
    words = parts[2]
    assert words.width() >= words.fontMetrics().horizontalAdvance(words.property("text"))
