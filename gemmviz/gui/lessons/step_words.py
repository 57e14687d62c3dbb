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
SHARES = tuple(percent / 100 for percent in range(30, 71, 2))
"""Parts of the width that the words may have beside a question."""

Way = tuple[bool, float]
"""Whether the question stands above the buttons, and the part of the width that the words have."""


class StepWords(QFrame):
    """A headline has the whole width; beside a question it stands above its explanation, and the two columns are as
    wide as makes them lowest, since the picture has what is left, but for a line that a headline of fewer lines may
    take. The question ends beside the buttons or reaches to the edge above them. No length of the words moves the
    buttons.
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
        self._is_above = False
        """Whether the question stands above the buttons, not beside them."""
        self._turning = QHBoxLayout()
        self._turning.setSpacing(8)
        for button in buttons:
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(button is next_button)
            button.setSizePolicy(policy)
            self._turning.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        self._right = QVBoxLayout()
        self._right.setSpacing(2 * LINES_APART)
        self._right.addStretch(1)
        self._right.addLayout(self._turning)
        self._right.setAlignment(self._turning, Qt.AlignmentFlag.AlignRight)  # else no wider than the buttons
        self._foot.addLayout(self._words)
        self._foot.addWidget(question, 0, Qt.AlignmentFlag.AlignTop)
        self._foot.addLayout(self._right)
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
        """Give the words beside a question the best part of the width."""
        is_above, share = self._best() if self._has_question else (self._is_above, SHARES[0])
        if is_above != self._is_above:
            self._is_above = is_above
            (self._foot if is_above else self._right).removeWidget(self._question)
            column, place = (self._right, 0) if is_above else (self._foot, 1)
            column.insertWidget(place, self._question, 0, Qt.AlignmentFlag.AlignTop)
        left, right = self._widths(is_above, share) if self._has_question else (1, 0)
        stretches = (left, right) if is_above else (left, right, 0)  # pixels, as far as there is room
        for place, stretch in enumerate(stretches):
            self._foot.setStretch(place, stretch)

    def _widths(self, is_above: bool, share: float) -> tuple[int, int]:
        """The widths in pixels of the words and of the question, above the buttons or beside them."""
        buttons = self._turning.sizeHint().width()
        both = self.width() - buttons - 2 * GAP
        left = round(both * share)
        return left, both - left + (GAP + buttons if is_above else 0)

    def _fits(self, is_above: bool, share: float) -> bool:
        """Whether the widest choice has room."""
        return self._widths(is_above, share)[1] >= self._question.minimumSizeHint().width()

    def _best(self) -> Way:
        """Of all ways with room for the choices, and no more than a line of the explanation higher than the lowest: the
        one with the fewest rows of choices, then whose headline breaks least, by height and nearness to a half where
        several are alike. The rows are asked for of those alone: they take a layout of all choices.
        """
        ways = [(is_above, share) for is_above in (False, True) for share in SHARES if self._fits(is_above, share)]
        if not ways:
            return False, SHARES[0]
        heights = {way: self._height(*way) for way in ways}
        most = min(heights.values()) + self._more.fontMetrics().lineSpacing()
        costs = {
            way: (self._height_of_choices(*way), self._height_of_headline(*way), height, abs(way[1] - 0.5))
            for way, height in heights.items()
            if height <= most
        }
        return min(costs, key=costs.__getitem__)

    def _height(self, is_above: bool, share: float) -> int:
        left, right = self._widths(is_above, share)
        shown: list[QWidget] = [each for each in (self._text, self._more) if not each.isHidden()]
        words = sum(each.heightForWidth(left) for each in shown) + LINES_APART * (len(shown) - 1)
        below = self._right.spacing() + self._turning.sizeHint().height() if is_above else 0
        return max(words, self._question.heightForWidth(right) + below)

    def _height_of_headline(self, is_above: bool, share: float) -> int:
        return self._text.heightForWidth(self._widths(is_above, share)[0])

    def _height_of_choices(self, is_above: bool, share: float) -> int:
        return self._question.height_of_choices(self._widths(is_above, share)[1])
