"""The View menu: theme and motion, as they are remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.gui.app import create_window
from gemmviz.gui.control import view_control
from gemmviz.gui.control.view_control import desktop_reduces_motion
from gemmviz.gui.stages.bank_stage import BankStage
from gemmviz.gui.stages.coalescing_stage import CoalescingStage
from gemmviz.gui.window.main_window import MainWindow


class Hasty(QProxyStyle):
    """A style that gives animations no time, as one does whose desktop wants none."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, data)


def made(qtbot: QtBot, folder: Path) -> MainWindow:
    window = create_window(folder)
    qtbot.addWidget(window)
    assert isinstance(window, MainWindow)
    return window


def test_that_reduced_motion_reaches_the_player_and_is_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    first = made(qtbot, tmp_path)
    assert not first.player.reduced_motion
    act(first, "reduceMotionAction")
    assert first.player.reduced_motion
    assert part(first, BankStage, "bankStage").reduced_motion
    assert part(first, CoalescingStage, "coalescingStage").reduced_motion
    assert part(first, QAction, "reduceMotionAction").isChecked()
    assert first.close()
    second = made(qtbot, tmp_path)
    assert part(second, QAction, "reduceMotionAction").isChecked()
    assert second.player.reduced_motion
    act(second, "reduceMotionAction")
    assert not second.player.reduced_motion
    assert second.close()


def test_that_a_desktop_without_animations_is_heeded(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_control, "desktop_reduces_motion", lambda: True)
    window = made(qtbot, tmp_path)
    assert window.player.reduced_motion
    assert part(window, QAction, "reduceMotionAction").isChecked()
    assert window.close()


def test_that_the_style_tells_whether_the_desktop_animates(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not desktop_reduces_motion()
    hasty = Hasty()
    monkeypatch.setattr(QApplication, "style", lambda: hasty)
    assert desktop_reduces_motion()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_that_a_menu_shows_the_mark_of_what_is_chosen_where_others_have_an_icon(qtbot: QtBot, tmp_path: Path) -> None:
    window = made(qtbot, tmp_path)
    act(window, "themeDark")
    assert not window.updatesEnabled(), "nothing is painted before layouts have followed"
    qtbot.waitUntil(window.updatesEnabled)
    menu = next(each for each in window.findChildren(QMenu) if part(window, QAction, "themeDark") in each.actions())
    menu.popup(QPoint(0, 0))
    qtbot.waitUntil(menu.isVisible)
    marks = {}
    for name in ("themeLight", "themeDark", "themeAuto"):
        action = part(window, QAction, name)
        assert not action.isIconVisibleInMenu()
        assert not action.icon().isNull()  # for the command palette
        place = menu.actionGeometry(action)
        image = menu.grab(QRect(place.left(), place.top() + 2, 22, place.height() - 4)).toImage()
        colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        marks[name] = len(colours) > 1
    menu.close()
    assert marks == {"themeLight": False, "themeDark": True, "themeAuto": False}
    assert window.close()
