"""A question with its choices; a wrong one may be tried again, the right one is explained."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.catalogue.lessons import Question
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import action_text

WRONG = "Not that one. Try again."
RIGHT = "Right."
MOST_IN_A_ROW = 80
"""Letters of all choices that stand side by side; longer ones stand one below the other."""


class QuestionRow(QWidget):
    """The choices as buttons with their numbers, which are keys too."""

    answered = Signal(bool)
    """Whether the choice was the right one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonQuestion")
        self._question: Question | None = None
        self._buttons: list[QPushButton] = []
        self._text = named(PlainLabel(wordWrap=True), "lessonQuestionText", role="strong")
        self._answer = named(PlainLabel(wordWrap=True), "lessonAnswer", role="lead")
        self._choices = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._choices.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._text)
        column.addLayout(self._choices)
        column.addWidget(self._answer)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The choices in their order."""
        return tuple(self._buttons)

    def show_question(self, question: Question | None) -> None:
        """Ask this; None hides the row."""
        while (item := self._choices.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setObjectName("")
                widget.hide()
                widget.deleteLater()
        self._question, self._buttons = question, []
        self.setVisible(question is not None)
        self._answer.setText("")
        self._answer.hide()
        if question is None:
            return
        self._text.setText(question.text)
        is_long = sum(len(choice) for choice in question.choices) > MOST_IN_A_ROW
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._choices.setDirection(down if is_long else across)
        for number, choice in enumerate(question.choices):
            tip = f"Choose “{choice}” (key {number + 1})"
            button = named(QPushButton(action_text(f"{number + 1}   {choice}")), f"lessonChoice{number}", tip, choice)
            button.clicked.connect(partial(self.choose, number))
            self._choices.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            button.show()
            self._buttons.append(button)
        if not is_long:
            self._choices.addStretch(1)

    def choose(self, number: int, _checked: bool = False) -> None:
        """Answer with the choice of that place; a place that is not there is left alone."""
        question = self._question
        if question is None or not 0 <= number < len(self._buttons) or not self._buttons[number].isEnabled():
            return
        is_right = number == question.right
        self._answer.show()
        if not is_right:
            self._buttons[number].setEnabled(False)
            self._answer.setText(WRONG)
        else:
            for place, button in enumerate(self._buttons):
                button.setEnabled(place == number)
            self._buttons[number].setProperty("role", "secondary")
            self._buttons[number].style().polish(self._buttons[number])
            self._answer.setText(f"{RIGHT} {question.because}")
        self.answered.emit(is_right)
