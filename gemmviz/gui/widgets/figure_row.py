"""One figure in a narrow column: words left, value right, or the value below where both have no room in a line."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.domain.terms import Evidence
from gemmviz.explain.runs.figure_lines import Line
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

GROUP_GAP = 8
GAP = 8
"""Pixels between words, value and evidence."""
MOST_WIDTH = 440
"""Pixels within which words and value stand, so that the eye goes from one to the other in a wide panel."""
LEAST_WIDTH = 120
"""Pixels a row asks for; it makes nothing wider for the sake of its words."""


@dataclass(frozen=True, slots=True)
class RowPlaces:
    """Where the parts of a row lie at a width."""

    words: QRect
    value: QRect
    evidence: QRect

    @property
    def height(self) -> int:
        return self.value.y() + self.value.height()


class FigureRow(QWidget):
    """One figure; its evidence is shown where the lines of a section differ in it, and always read aloud.

    The evidence has a column of one width for all rows, so that their values end in one line. A value is never cut: it
    goes below the words, its evidence beside it, and wraps there. Words longer than a line end in "…"; the tooltip has
    them all.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._value, self._evidence = (
            _label(self, "muted"),
            _label(self, "figure"),
            _label(self, "evidence"),
        )
        self._value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self._value, self._evidence):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._whole, self._tip, self._above = "", "", 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def is_elided(self) -> bool:
        """Whether a part of the words gives way."""
        return self._words.text() != self._whole

    def show_line(self, line: Line, with_evidence: bool) -> None:
        """Show a figure in place of the last."""
        self._whole, self._above = line.words, GROUP_GAP if line.begins_group else 0
        self._tip = with_terms("\n".join(filter(None, (line.tip, line.evidence_words))), f"{line.words} {line.tip}")
        self._value.setText(line.value)
        self._value.setAccessibleName(line.spoken_value)
        self._evidence.setText(line.evidence_words)
        self._evidence.setVisible(with_evidence)
        if self._value.property("tone") != str(line.tone):
            self._value.setProperty("tone", str(line.tone))
            self._value.style().polish(self._value)
        self.updateGeometry()
        self._place()

    def heightForWidth(self, width: int) -> int:
        return self._places(width).height

    def sizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, self._places(max(self.width(), LEAST_WIDTH)).height)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, self._above + self._line_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _places(self, width: int) -> RowPlaces:
        width = min(width, MOST_WIDTH)
        above, line = self._above, self._line_height()
        words, value = _advance(self._words, self._whole), _advance(self._value, self._value.text())
        said = 0 if self._evidence.isHidden() else max(_advance(self._evidence, str(each)) for each in Evidence)
        room = width - said - (GAP if said else 0)
        evidence = QRect(width - said, above, said, line)
        if words + GAP + value <= room:
            return RowPlaces(QRect(0, above, words, line), QRect(room - value, above, value, line), evidence)
        if value <= room:
            below = QRect(room - value, above + line, value, line)
            return RowPlaces(QRect(0, above, width, line), below, evidence.translated(0, line))
        around = QRect(0, 0, width, 10_000)
        metrics, flags = self._value.fontMetrics(), Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextWordWrap
        high = line if value <= width else max(metrics.boundingRect(around, flags, self._value.text()).height(), line)
        return RowPlaces(QRect(0, above, room, line), QRect(0, above + line, width, high), evidence)

    def _place(self) -> None:
        places = self._places(self.width())
        self._value.setWordWrap(places.value.height() > self._line_height())
        for label, place in zip(
            (self._words, self._value, self._evidence), (places.words, places.value, places.evidence), strict=True
        ):
            label.setGeometry(place)
        shown = self._words.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, places.words.width())
        self._words.setText(shown)
        self.setToolTip(plain_text(self._tip if shown == self._whole else f"{self._whole}\n{self._tip}"))

    def _line_height(self) -> int:
        labels = (self._words, self._value, self._evidence)
        for label in labels:
            label.ensurePolished()
        return max(label.fontMetrics().height() for label in labels)


def _advance(label: QLabel, text: str) -> int:
    """The pixels of a text in a label; one more, since Qt rounds."""
    label.ensurePolished()
    return label.fontMetrics().horizontalAdvance(text) + 1 if text else 0


def _label(row: QWidget, role: str) -> QLabel:
    label = PlainLabel(parent=row)
    label.setProperty("role", role)
    return label
