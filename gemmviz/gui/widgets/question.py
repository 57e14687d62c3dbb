"""Questions that a person has to answer before the window goes on, in the theme's own look. No other module asks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.looks.icons import icon_pixmap
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import title_text

_ICON = 32
_LEAST_WIDTH, _MOST_WIDTH = 320, 460
"""Pixels of the words."""


class Answer(StrEnum):
    """What a person can answer; the words are those of the buttons."""

    SAVE = "Save"
    DISCARD = "Don't save"
    REPLACE = "Replace"
    ALLOW = "Allow and open"
    CANCEL = "Cancel"


class Question(QDialog):
    """Asks one thing. `answers` are the buttons from left to right, each with its first letter as its key (Alt+D: Don't
    save); Esc is CANCEL, Enter the one in focus.
    """

    def __init__(
        self, parent: QWidget | None, title: str, words: str, answers: Sequence[Answer], usual: Answer
    ) -> None:
        super().__init__(parent)
        self.setObjectName("question")
        self.setWindowTitle(title_text(title))
        self.setAccessibleDescription(words)
        self.answer = Answer.CANCEL
        sign, head = PlainLabel(), named(PlainLabel(title, wordWrap=True), "questionTitle", role="title")
        colour = self.palette().color(QPalette.ColorRole.Highlight).name()
        sign.setPixmap(icon_pixmap("help", colour, _ICON, self.devicePixelRatioF()))
        said = named(PlainLabel(words, wordWrap=True), "questionWords")
        said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (head, said):
            label.setMinimumWidth(_LEAST_WIDTH)
            label.setMaximumWidth(_MOST_WIDTH)
        text = QVBoxLayout()
        text.setSpacing(8)
        text.addWidget(head)
        text.addWidget(said)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(text, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for answer in answers:
            button = named(QPushButton(f"&{answer}"), f"answer{answer.name.capitalize()}", answer.value, answer.value)
            button.setProperty("role", "primary" if answer is usual else "")
            button.setDefault(answer is usual)
            button.setAutoDefault(True)  # Enter presses the one that has the focus
            button.clicked.connect(lambda _=False, answer=answer: self._on_answered(answer))
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(24)
        column.addLayout(top)
        column.addLayout(buttons)
        next(button for button in self.findChildren(QPushButton) if button.isDefault()).setFocus()

    @staticmethod
    def ask(parent: QWidget | None, title: str, words: str, answers: Sequence[Answer], usual: Answer) -> Answer:
        """Ask, and return the answer; CANCEL where the question is closed."""
        question = Question(parent, title, words, answers, usual)
        try:
            question.exec()
            return question.answer
        finally:
            question.deleteLater()

    def _on_answered(self, answer: Answer) -> None:
        self.answer = answer
        self.accept()
