"""Padding with which rows begin where a vector may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.bank_stage import BankStage


def test_that_padding_that_misaligns_vectors_is_the_headline(
    qtbot: QtBot, transposed: TraceRun, block_of: Callable[[TraceRun], BlockTrace]
) -> None:
    stage = BankStage(LIGHT)
    qtbot.addWidget(stage)
    stage.show_block(transposed, block_of(transposed))
    qtbot.waitUntil(lambda: not stage.is_busy)
    recorded = stage._arrays[RequestCode.PTX]
    stage._arrays = {RequestCode.PTX: {base: replace(found, piece=4) for base, found in recorded.items()}}
    headline = stage.findChild(QLabel, "bankStageSentence")
    stage.set_layout(NewLayout(1))
    assert headline.text().startswith("Misaligned 128-bit access: rows of As would be 132 bytes apart")
    assert "adding of 0, 4 or 8 columns works" in headline.text()
    assert headline.property("fault"), "in the colour of errors"
    stage.set_layout(NewLayout(4))
    assert headline.text().startswith("With 4 columns of padding")
    assert not headline.property("fault")
