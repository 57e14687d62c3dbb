"""The command palette, driven by keys alone."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QMainWindow
from pytestqt.qtbot import QtBot

from gemmviz.gui.commands.commands import Command
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.commands.palette import HINT, CommandModel, CommandPalette
from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Desk:
    """A palette over four actions, one of them disabled, and what was triggered."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot, self.owner = qtbot, QObject()
        self.triggered: list[str] = []
        rows = ("File &Open_session… Ctrl+O", "File &Save Ctrl+S", "Run &Run F5", "Run S&weep F8")
        self.actions = [self.action(*(word.replace("_", " ") for word in row.split())) for row in rows]
        self.actions[3][1].setEnabled(False)
        self.actions[3][1].setToolTip("tiled has one block size here")
        self.palette = CommandPalette(self.actions, LIGHT)
        qtbot.addWidget(self.palette)
        self.palette.show()
        self.field = self.palette.findChild(QLineEdit, "commandField")
        self.list = self.palette.findChild(QListView, "commandList")
        self.hint = self.palette.findChild(QLabel, "commandHint")

    def action(self, section: str, text: str, keys: str) -> tuple[str, QAction]:
        made = QAction(text, self.owner)
        made.setShortcut(QKeySequence(keys))
        made.triggered.connect(lambda: self.triggered.append(made.text()))
        return section, made

    def shown(self) -> list[str]:
        model = self.list.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def press(self, key: Qt.Key) -> None:
        self.qtbot.keyClick(self.field, key)

    def current(self) -> str:
        return str(self.list.currentIndex().data())


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_that_everything_is_listed_at_first_and_enter_does_nothing_before_something_is_chosen(desk: Desk) -> None:
    assert desk.palette.objectName() == "commandPalette"
    assert desk.shown() == ["Open session", "Save", "Run", "Sweep"]
    desk.press(Qt.Key.Key_Return)
    assert desk.palette.isVisible()
    desk.press(Qt.Key.Key_Down)
    assert desk.current() == "Open session"


def test_that_a_few_letters_within_a_word_set_up_nothing_before_it_is_chosen(qtbot: QtBot) -> None:
    done: list[str] = []
    entries = [
        Entry("Preset", "Four by four", partial(done.append, "preset"), changes_settings=True),
        Entry("Page", "Detours of everything", partial(done.append, "page")),
    ]
    palette = CommandPalette((), LIGHT, entries=entries)
    qtbot.addWidget(palette)
    palette.show()
    field, found = palette.findChild(QLineEdit, "commandField"), palette.findChild(QListView, "commandList")
    qtbot.keyClicks(field, "our")
    assert found.model().rowCount() == 2
    assert not found.currentIndex().isValid()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert palette.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert found.currentIndex().data() == "Four by four"
    field.setText("tour")
    assert found.currentIndex().data() == "Detours of everything", "what changes no settings is chosen"
    field.setText("fo")
    assert found.currentIndex().data() == "Four by four", "as is the start of a word"
    field.setText("our")
    qtbot.keyClick(field, Qt.Key.Key_Down)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(done) == 1)


def test_that_typing_and_enter_trigger_an_action(qtbot: QtBot, desk: Desk) -> None:
    qtbot.keyClicks(desk.field, "sav")
    assert desk.shown() == ["Save"]
    with qtbot.waitSignal(desk.palette.chosen), qtbot.waitSignal(desk.actions[1][1].triggered):
        desk.press(Qt.Key.Key_Return)
    assert desk.triggered == ["&Save"]
    assert not desk.palette.isVisible()


def test_that_keys_the_desktop_still_sends_to_the_window_below_are_typed(qtbot: QtBot) -> None:
    below = QMainWindow()
    qtbot.addWidget(below)
    elsewhere = QLineEdit()
    below.setCentralWidget(elsewhere)
    with qtbot.waitExposed(below):
        below.show()
    elsewhere.setFocus()
    palette = CommandPalette((), LIGHT, below, [Entry("Page", "Save all", print)])
    palette.show()
    for key in (Qt.Key.Key_S, Qt.Key.Key_A, Qt.Key.Key_V):  # at once: the desktop has not seen the palette yet
        QTest.keyClick(below.windowHandle(), key)
    assert palette.findChild(QLineEdit, "commandField").text() == "sav"
    assert elsewhere.text() == ""
    QTest.keyClick(below.windowHandle(), Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_that_arrows_go_round(desk: Desk) -> None:
    chosen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
        desk.press(key)
        chosen.append(desk.current())
    assert chosen == ["Open session", "Sweep", "Run", "Sweep", "Sweep", "Open session"]


def test_that_a_disabled_action_says_why_and_stays(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClicks(desk.field, "sweep")
    assert desk.hint.text() == "Not now: tiled has one block size here"
    desk.press(Qt.Key.Key_Return)
    assert desk.palette.isVisible()
    assert desk.triggered == []
    desk.field.clear()
    assert desk.hint.text() == HINT


def test_that_nothing_found_is_said_and_enter_does_nothing(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClicks(desk.field, "xyzzy")
    assert desk.shown() == []
    nothing = desk.palette.findChild(QLabel, "commandNothing")
    assert nothing.isVisible()
    assert nothing.text() == "Nothing matches “xyzzy”. Try another word."
    assert desk.list.rect().contains(nothing.geometry()), "where one looks for what was found"
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_PageUp):
        desk.press(key)
    assert desk.palette.isVisible()
    desk.field.clear()
    assert not nothing.isVisible()


def test_that_escape_closes_without_doing_anything(desk: Desk, qtbot: QtBot) -> None:
    with qtbot.waitSignal(desk.palette.rejected):
        desk.press(Qt.Key.Key_Escape)
    assert desk.triggered == []


def test_that_a_click_triggers(qtbot: QtBot, desk: Desk) -> None:
    at = desk.list.visualRect(desk.list.model().index(2, 0)).center()
    with qtbot.waitSignal(desk.actions[2][1].triggered):
        qtbot.mouseClick(desk.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert desk.triggered == ["&Run"]


def test_that_a_palette_of_nothing_opens_and_closes(qtbot: QtBot) -> None:
    palette = CommandPalette([], LIGHT)
    qtbot.addWidget(palette)
    palette.show()
    field = palette.findChild(QLineEdit, "commandField")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Escape):
        qtbot.keyClick(field, key)
    assert not palette.isVisible()


def test_that_the_model_keeps_the_rules_of_models() -> None:
    model = CommandModel([Command("File", "Open", ("Ctrl+O",)), Command("Run", "Go", (), False, "No device")])
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for query in ("o", "zzz", "", "go"):
        model.set_query(query)
    assert tester.model() is model, "without a name it would be gone before the first query"
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Run: Go , not now: No device"


def test_that_the_palette_of_a_presentation_is_as_large_as_its_type(qtbot: QtBot) -> None:
    act = "Run", QAction("Run")
    usual, large = (CommandPalette([act], LIGHT, factor=factor) for factor in (1.0, 1.55))
    for palette in (usual, large):
        qtbot.addWidget(palette)
        palette.show()
        field = palette.findChild(QLineEdit, "commandField")
        assert field.contentsRect().height() >= field.fontMetrics().height(), "nothing of a letter is cut"
    assert large.width() == round(1.55 * usual.width())
    sizes = [palette.findChild(QLineEdit, "commandField").font().pointSizeF() for palette in (usual, large)]
    assert sizes[1] == pytest.approx(1.55 * NORMAL)
    rows = [palette.findChild(QListView, "commandList").sizeHintForRow(0) for palette in (usual, large)]
    assert rows[1] == round(1.55 * rows[0])
