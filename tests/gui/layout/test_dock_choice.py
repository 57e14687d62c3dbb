"""A dock that gives way to the picture of memory in a low window, and a person's own choice, which wins."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from gemmviz.gui.layout.dock_choice import ROOMY, DockChoice


class Bench:
    """A window with the dock below its middle; `is_shown` at the picture and elsewhere is what the tests are about."""

    def __init__(self, qtbot: QtBot, height: int = 800) -> None:
        self.window, self.qtbot = QMainWindow(), qtbot
        qtbot.addWidget(self.window, before_close_func=self.outlast)
        self.window.setCentralWidget(QLabel("picture"))
        self.dock = QDockWidget("Results", self.window)
        self.dock.setObjectName("resultsDock")
        self.dock.setWidget(QLabel("rows"))
        self.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.choice = DockChoice(self.window, self.dock)
        self.window.resize(900, height)
        self.window.show()

    def outlast(self, _window: object) -> None:
        """Called before the window is closed; so nothing of this goes before that."""

    def is_shown(self, at_picture: bool) -> bool:
        self.choice.go(at_picture)
        return not self.dock.isHidden()

    def everywhere(self) -> tuple[bool, bool]:
        """Whether it shows at the picture, and elsewhere."""
        return self.is_shown(at_picture=True), self.is_shown(at_picture=False)

    def choose(self, at_picture: bool) -> None:
        """Tick or untick it in the menu."""
        self.choice.go(at_picture)
        self.dock.toggleViewAction().trigger()

    def close(self, at_picture: bool) -> None:
        """Click the button of the dock itself."""
        self.choice.go(at_picture)
        button = self.dock.findChild(QAbstractButton, "qt_dockwidget_closebutton")
        assert isinstance(button, QAbstractButton)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("height", "shown"), [(800, (False, True)), (ROOMY, (True, True))])
def test_that_it_gives_way_in_a_low_window_only(qtbot: QtBot, height: int, shown: tuple[bool, bool]) -> None:
    assert Bench(qtbot, height).everywhere() == shown


def test_that_it_made_room_only_where_no_person_hid_it(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    assert not bench.choice.has_made_room
    bench.choice.go(to_picture=True)
    assert bench.choice.has_made_room
    bench.close(at_picture=False)
    bench.choice.go(to_picture=True)
    assert not bench.choice.has_made_room


def test_that_it_stays_where_it_takes_no_height(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, bench.dock)
    assert bench.is_shown(at_picture=True)
    bench.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, bench.dock)
    assert not bench.is_shown(at_picture=True)
    bench.choice.go(to_picture=False)
    bench.dock.setFloating(True)
    assert bench.is_shown(at_picture=True)


def test_that_a_choice_at_the_picture_holds_there_alone(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choose(at_picture=True)
    assert bench.choice.beside_picture is True
    assert bench.everywhere() == (True, True)
    bench.close(at_picture=True)
    assert bench.choice.beside_picture is False
    assert bench.everywhere() == (False, True)


def test_that_what_is_closed_elsewhere_is_closed_at_the_picture_too(qtbot: QtBot) -> None:
    bench = Bench(qtbot, ROOMY)
    bench.close(at_picture=False)
    assert bench.everywhere() == (False, False)
    bench.choose(at_picture=False)
    assert bench.everywhere() == (True, True)


def test_that_a_choice_at_the_picture_outlasts_one_elsewhere(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choose(at_picture=True)
    bench.close(at_picture=False)
    assert bench.everywhere() == (True, False)


def test_that_what_the_program_hides_is_nobodys_choice(qtbot: QtBot) -> None:
    bench = Bench(qtbot, ROOMY)
    bench.choice.go(to_picture=True)
    bench.dock.hide()
    assert bench.choice.beside_picture is None
    assert bench.everywhere() == (True, True)


def test_that_the_menu_says_what_is_shown(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    for at_picture in (False, True, False):
        assert bench.is_shown(at_picture) is bench.dock.toggleViewAction().isChecked()


@pytest.mark.parametrize("ticks", [0, 1, 2])
def test_that_the_choice_is_kept_as_text(qtbot: QtBot, ticks: int) -> None:
    first, second = Bench(qtbot), Bench(qtbot)
    for _ in range(ticks):
        first.choose(at_picture=True)
    second.choice.read(first.choice.text())
    assert second.choice.beside_picture is (None, True, False)[ticks]
    assert second.everywhere() == first.everywhere()


def test_that_text_of_another_version_leaves_it_to_the_height(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choose(at_picture=True)
    bench.choice.read("")
    assert bench.everywhere() == (False, True)


def test_that_choices_can_be_forgotten(qtbot: QtBot) -> None:
    bench = Bench(qtbot)
    bench.choose(at_picture=True)
    bench.close(at_picture=False)
    bench.choice.forget()
    assert bench.everywhere() == (False, True)
