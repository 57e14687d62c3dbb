"""What a step of a lesson says, below its picture: headline, explanation, a question beside them, buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.gui.lessons.question_row import QuestionRow
from gemmviz.gui.widgets.plain_label import PlainLabel

GAP, LINES_APART = 24, 6
LEAST_HEIGHT = 96
_SHARES = tuple(percent / 100 for percent in range(30, 71, 2))
"""Parts of the width that the words may have beside a question."""


class StepWords(QFrame):
    """A headline has the whole width; beside a question it stands above its explanation, and the two columns are as
    wide as makes them lowest, since the picture has what is left. No length of the words moves the buttons.
    """

    def __init__(
        self,
        text: PlainLabel,
        more: PlainLabel,
        question: QuestionRow,
        buttons: Sequence[QPushButton],
        next_button: QPushButton,
    ) -> None:
        super().__init__()
        self._text, self._more, self._question = text, more, question
        self._column, self._words, self._foot = QVBoxLayout(self), QVBoxLayout(), QHBoxLayout()
        for widget in (text, more, question):
            policy = widget.sizePolicy()  # their share is worked out here
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            widget.setSizePolicy(policy)
        for label in (text, more, *question.findChildren(PlainLabel)):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setSpacing(LINES_APART)
        self._words.addWidget(more)
        self._words.addStretch(1)
        self._foot.setSpacing(GAP)
        self._foot.addLayout(self._words, 1)
        self._foot.addWidget(question, 1, Qt.AlignmentFlag.AlignTop)
        self._turning = QHBoxLayout()
        self._turning.setSpacing(8)
        for button in buttons:
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(button is next_button)
            button.setSizePolicy(policy)
            self._turning.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        self._foot.addLayout(self._turning)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(LINES_APART)
        self._column.addWidget(text)
        self._column.addLayout(self._foot, 1)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def arrange(self) -> None:
        """Put headline and question where they belong; for after another step was set."""
        (self._words if self._has_question else self._column).insertWidget(0, self._text)
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._share_width()

    def event(self, event: QEvent) -> bool:
        """Choices that have got larger type want more room."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._share_width()
        return super().event(event)

    @property
    def _has_question(self) -> bool:
        return not self._question.isHidden()

    def _share_width(self) -> None:
        """Give the words beside a question the part of the width at which the higher of the two is lowest."""
        if not self._has_question:
            self._foot.setStretch(0, 1)
            return
        width = self.width() - self._turning.sizeHint().width() - 2 * GAP
        needed = self._question.minimumSizeHint().width()  # of its widest choice
        wide = [share for share in _SHARES if width - round(width * share) >= needed] or _SHARES[:1]
        lowest = min(wide, key=lambda share: (self._height_at(round(width * share), width), abs(share - 0.5)))
        self._foot.setStretch(0, round(100 * lowest))
        self._foot.setStretch(1, round(100 * (1 - lowest)))

    def _height_at(self, left: int, width: int) -> int:
        """The height in pixels if the words have `left` of the width."""
        shown: list[QWidget] = [each for each in (self._text, self._more) if not each.isHidden()]
        words = sum(each.heightForWidth(left) for each in shown) + LINES_APART * (len(shown) - 1)
        return max(words, self._question.heightForWidth(width - left))
