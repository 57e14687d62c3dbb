"""A question with its choices: each that is chosen is marked as right or wrong, and says why."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.lessons import AnswerChoice, LessonQuestion
from gemmviz.gui.lessons.page_button import PageButton
from gemmviz.gui.widgets.flow_layout import FlowLayout
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text
from gemmviz.gui.widgets.roomy_label import RoomyLabel

WRONG, RIGHT, SHOWN = "Not quite.", "Right.", "This is the answer."
MARKS = {WRONG: "✗", RIGHT: "✓", SHOWN: "✓"}
LETTERS = "abcdefghi"
"""The keys of the choices: no digits, for a choice may be a number; small, because A, B and C are matrices."""
GAP, LINES_APART = 8, 6


class QuestionRow(QWidget):
    """The choices as buttons, each with its letter of LETTERS, which is its key; after them a button that tells the
    answer.
    """

    answered = Signal()
    """The right choice was chosen, or shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonQuestion")
        self.is_to_answer = True
        """Whether a reader is told how to answer; in pictures nobody can."""
        self._question: LessonQuestion | None = None
        self._said = ""
        self._buttons: list[QPushButton] = []
        self._text = named(PlainLabel(wordWrap=True), "lessonQuestionText", role="question")
        self._answer = named(RoomyLabel(), "lessonAnswer", role="answer")
        self.show_button = named(
            PageButton("Show the answer"), "lessonShowAnswer", "Mark the right answer", role="quiet"
        )
        self.show_button.setProperty("flush", True)  # it may begin a line
        self.show_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_button.clicked.connect(lambda: self.reveal())
        policy = self.show_button.sizePolicy()  # it leaves once it is of no use, and nothing moves then
        policy.setRetainSizeWhenHidden(True)
        policy.setHorizontalPolicy(QSizePolicy.Policy.Fixed)  # the choices alone fill their columns
        self.show_button.setSizePolicy(policy)
        self._choices = FlowLayout(GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(LINES_APART)
        column.addWidget(self._text)
        column.addLayout(self._choices)
        column.addWidget(self._answer)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """The choices in their order."""
        return tuple(self._buttons)

    @property
    def words(self) -> tuple[str, tuple[str, ...], str]:
        """The question, its choices, and what was said of the one chosen last; nothing where nothing is asked."""
        if self._question is None:
            return "", (), ""
        choices = (button.text().replace("&&", "&").replace("  ", " ", 1) for button in self._buttons)
        return self._question.text, tuple(choices), self._said

    def height_of_choices(self, width: int) -> int:
        """The height in pixels that the choices need at a width."""
        return self._choices.heightForWidth(width)

    def show_question(self, question: LessonQuestion | None) -> None:
        """Ask this; None hides the row."""
        for button in self._buttons:
            button.setObjectName("")
            button.hide()
            button.deleteLater()
        while self._choices.takeAt(0) is not None:
            pass
        # A change of style may come before all choices are there.
        self._question, self._buttons, self._said = None, [], ""
        self.setVisible(question is not None)
        if question is None:
            return
        how = f"Click an answer, or press its letter: a to {LETTERS[len(question.choices) - 1]}."
        self._answer.setText(how if self.is_to_answer else "")
        right = question.choices[question.right]
        self._answer.keep_room_for([*(_answer(one, WRONG) for one in question.choices), _answer(right, SHOWN)])
        self._text.setText(question.text)
        buttons = []
        for number, choice in enumerate(question.choices):
            words = _words(number, choice)
            tip = f"Choose “{choice.text}” (key {LETTERS[number]})"
            button = named(QPushButton(self), f"lessonChoice{number}", tip, words)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the lesson still has the keys
            button.setText(action_text(words))
            button.clicked.connect(partial(self.choose, number))
            self._choices.addWidget(button)
            buttons.append(button)
        self._question, self._buttons = question, buttons
        for button in buttons:
            button.show()
        self._choices.addWidget(self.show_button)
        self.show_button.show()
        self._widen()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):  # the page has larger or smaller type now
            self._widen()

    def _widen(self) -> None:
        """Make each choice as wide as it is with its mark, so that no button moves when it gets one."""
        choices = self._question.choices if self._question is not None else ()
        for number, (button, choice) in enumerate(zip(self._buttons, choices, strict=True)):
            shown, role = button.text(), str(button.property("role") or "")
            button.setMinimumWidth(0)
            widest = 0
            for verdict in MARKS:
                _mark(button, _words(number, choice), verdict)
                widest = max(widest, button.sizeHint().width())
            _set_role(button, role)
            button.setText(shown)
            button.setMinimumWidth(widest)

    def reveal(self) -> None:
        """Show which choice is right, and why."""
        if self._question is not None:
            self._mark_choice(self._question.right, SHOWN)

    def choose(self, number: int, _checked: bool = False) -> None:
        """Mark the choice of that place, and say why it is right or wrong; no place out of range does anything."""
        question = self._question
        if question is None or not 0 <= number < len(self._buttons):
            return
        self._mark_choice(number, RIGHT if number == question.right else WRONG)

    def _mark_choice(self, number: int, verdict: str) -> None:
        assert self._question is not None
        choice, button = self._question.choices[number], self._buttons[number]
        words = _words(number, choice)
        self._said = _answer(choice, verdict)
        self._answer.setText(self._said)
        _mark(button, words, verdict)
        button.setAccessibleName(f"{words}: {_answer(choice, verdict)}")
        if verdict != WRONG:
            self.show_button.hide()
            self.answered.emit()


def _answer(choice: AnswerChoice, verdict: str) -> str:
    return f"{verdict} {choice.says}"


def _words(number: int, choice: AnswerChoice) -> str:
    """What stands on the button of a choice."""
    return f"{LETTERS[number]})  {choice.text}"


def _mark(button: QPushButton, words: str, verdict: str) -> None:
    """Show that a choice was right, or wrong."""
    _set_role(button, "" if verdict == WRONG else "secondary")
    button.setText(action_text(f"{words}  {MARKS[verdict]}"))


def _set_role(button: QPushButton, role: str) -> None:
    button.setProperty("role", role)
    button.style().unpolish(button)
    button.style().polish(button)
