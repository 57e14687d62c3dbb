"""Keeps the keys of a lesson from being shortcuts of the window, and those that turn its steps from its buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from gemmviz.gui.lessons.question_row import LETTERS
from gemmviz.gui.lessons.scenes.scene import LessonScene

TURNING = Qt.Key.Key_Right, Qt.Key.Key_Left
_USE_ARROWS = QAbstractSlider, QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox
"""What moves something of its own with the keys that turn the steps."""


def add_shortcuts(
    page: QWidget,
    turn: Sequence[Callable[[], object]],
    choose: Callable[[int], object],
    answer: Callable[[int], object],
) -> None:
    """Give a page the keys that `turn` its steps, on and back, that `choose` in its scene and that `answer`."""
    for key, act in zip(TURNING, turn, strict=True):
        QShortcut(QKeySequence(key), page, act)
    for number in range(9):  # wherever the focus is, but for a field that takes digits itself
        QShortcut(QKeySequence(Qt.Key(Qt.Key.Key_1 + number)), page, partial(choose, number))
    for number, letter in enumerate(LETTERS):
        QShortcut(QKeySequence(letter), page, partial(answer, number))


def order_tabs(page: QWidget, scene: LessonScene | None) -> None:
    """From the page Tab reaches first what its scene lets a reader choose."""
    for button in scene.tab_stops if scene is not None else ():
        QWidget.setTabOrder(page, button)
        page = button


class LessonKeys(QObject):
    """An event filter for the page of a lesson; `uses` says whether a key is the lesson's.

    TURNING are left to the page's shortcuts: a button that has the focus would move the focus with them. It is no
    `event` of the page's own: deleting the page waits for the threads of its scenes, and from a method of Python such a
    thread would wait for this one.
    """

    def __init__(self, page: QWidget, uses: Callable[[QKeyEvent], bool]) -> None:
        super().__init__(page)
        self._uses = uses

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if not (is_override and isinstance(event, QKeyEvent) and self._uses(event)):
            return False
        if event.key() in TURNING and not isinstance(QApplication.focusWidget(), _USE_ARROWS):
            return False
        event.accept()
        return True
