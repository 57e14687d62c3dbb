"""What is said, and offered, beside a recording of an earlier version of a file."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.source.stale_note import NOT_LISTED, STALE
from gemmviz.gui.window.source_choice import doubt_about

Record = Callable[..., TraceRun]


@pytest.fixture
def view(qtbot: QtBot) -> SourceView:
    view = SourceView()
    qtbot.addWidget(view)
    view.resize(420, 700)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_that_a_changed_file_is_said_beside_its_recording_only(
    view: SourceView, recorded: Record, qtbot: QtBot
) -> None:
    note = view.findChild(QFrame, "sourceStale")
    view.show_kernel(load_catalogue().get("naive"))
    view.set_doubt(STALE)
    assert not note.isVisible()
    view.show_trace(recorded("naive"))
    assert note.isVisible()
    assert note.findChild(QLabel).text() == STALE
    again = note.findChild(QPushButton, "sourceRecordAgain")
    view.set_busy(True)
    assert again.isVisible()
    assert not again.isEnabled()
    view.set_busy(False)
    with qtbot.waitSignal(view.record_again_asked) as asked:
        again.click()
    assert asked.args == [view.trace]
    view.set_doubt(NOT_LISTED)
    assert note.findChild(QLabel).text() == NOT_LISTED
    assert not again.isVisible(), "nobody knows the file"
    view.set_doubt("")
    assert not note.isVisible()


def test_that_a_recorded_text_may_be_another_than_that_of_a_file_which_is_not_listed(recorded: Record) -> None:
    run = recorded("naive")
    assert doubt_about(run, None) == NOT_LISTED
    assert doubt_about(run, run.source_text) == ""
    assert doubt_about(run, run.source_text.replace("+", "-")) == STALE
