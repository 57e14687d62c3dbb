"""On the whole screen a key chooses the rows of a chart: the runs that are chosen in the results table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from driving import act
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.picture_screen import ROWS, PictureScreen
from gemmviz.gui.presentation.rows_dialog import RowsDialog
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def ladder(qtbot: QtBot, window: MainWindow) -> MainWindow:
    with qtbot.waitSignal(window.document.opened):
        window.open_path(examples_folder() / "gpu-ladder.gemmviz")
    act(window, "tabTimingAction")
    act(window, "presentAction")
    return window


def screen(window: MainWindow) -> PictureScreen:
    found = window.findChild(PictureScreen)
    assert isinstance(found, PictureScreen)
    return found


def asked(window: MainWindow, qtbot: QtBot) -> RowsDialog:
    qtbot.keyClick(screen(window), Qt.Key.Key_R)
    dialogs = [dialog for dialog in screen(window).findChildren(RowsDialog) if dialog.isVisible()]
    assert len(dialogs) == 1
    return dialogs[0]


def names(dialog: RowsDialog) -> Sequence[str]:
    return [tick.text() for tick in dialog.findChildren(QCheckBox) if tick.isChecked()]


def test_that_the_dialog_ticks_what_is_shown_and_shows_what_is_ticked(ladder: MainWindow, qtbot: QtBot) -> None:
    assert ROWS in screen(ladder).findChild(FadingHint).text()
    dialog = asked(ladder, qtbot)
    assert len(dialog.findChildren(QCheckBox)) == 27
    assert len(names(dialog)) == 15
    ticks = {tick.text(): tick for tick in dialog.findChildren(QCheckBox)}
    assert not ticks["tiled_padded"].isChecked()
    ticks["tiled_padded"].setChecked(True)
    dialog.accept()
    assert len(ladder._parts.results.selected()) == 16
    assert "tiled_padded" in {run.spec.kernel for run in ladder._parts.results.selected()}
    assert "tiled_padded" in names(asked(ladder, qtbot))


def test_that_all_runs_and_the_main_kernels_are_the_choice_of_the_page_and_none_cannot_be_shown(
    ladder: MainWindow, qtbot: QtBot
) -> None:
    for button, shows_all in (("rowsAll", True), ("rowsMain", False)):
        dialog = asked(ladder, qtbot)
        dialog.findChild(QPushButton, button).click()
        dialog.accept()
        assert ladder._parts.results.selected() == ()
        assert ladder._parts.timing.shows_all is shows_all
    dialog = asked(ladder, qtbot)
    for tick in dialog.findChildren(QCheckBox):
        tick.setChecked(False)
    assert not dialog.findChild(QPushButton, "rowsOk").isEnabled()
    dialog.reject()
    act(ladder, "tabTrafficAction")
    qtbot.waitUntil(lambda: "traffic" in screen(ladder).accessibleName(), timeout=90_000)
    assert ROWS not in screen(ladder).findChild(FadingHint).text(), "a page without runs has no such key"
    qtbot.keyClick(screen(ladder), Qt.Key.Key_R)
    assert not any(each.isVisible() for each in screen(ladder).findChildren(RowsDialog))


def test_that_a_picture_presented_after_the_rows_were_asked_for_ends_like_any_other(
    ladder: MainWindow, qtbot: QtBot
) -> None:
    asked(ladder, qtbot).reject()
    chart, presentation = screen(ladder), ladder._player.presentation
    chart.activateWindow()
    chart.setFocus()
    qtbot.waitUntil(chart.hasFocus)
    qtbot.keyClick(chart, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: presentation.screen is not None)
    qtbot.wait(50)  # the chart's screen is deleted meanwhile
    with qtbot.waitSignal(presentation.changed) as ended:
        qtbot.keyClick(presentation.screen, Qt.Key.Key_Escape)
    assert ended.args == [False]
