"""The launch in the experiment panel, as a small table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.gui.experiment.geometry import Fact
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

_LINE_GAP, _COLUMN_GAP, _NAME_GAP, _LONG_GAP = 2, 16, 6, 12
_LEFT_PART = 0.46
"""Of the width, what the left of two facts has: a grid is shorter than a block with its threads."""


class GeometryLabel(PlainLabel):
    """Names at the left, figures at the right, two short facts in a line; `text()` has a line for each fact."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("geometryLabel")
        self.setAccessibleName("Launch geometry, derived from the kernel's header")
        self.setFont(words(SMALL))
        self._theme = theme
        self._facts: tuple[Fact, ...] = ()
        self._lines: list[tuple[Fact, ...]] = []

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        self._facts = facts
        self.setText("\n".join(fact.line for fact in facts))
        self.setAccessibleDescription(self.text())
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._lines) * self._line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fill()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            fact = self._fact_at(event.pos())
            tip = with_terms(fact.words, fact.name, fact.words) if fact is not None else ""
            QToolTip.showText(event.globalPos(), plain_text(tip), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        for row, facts in enumerate(self._lines):
            for fact, area in zip(facts, self._areas(row, len(facts)), strict=True):
                name, value = as_written(fact, area.width(), shared=len(facts) > 1)
                painter.setPen(QColor(self._theme.muted))
                painter.setFont(words(SMALL))
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, name or value)
                if name:
                    painter.setPen(QColor(self._theme.text))
                    painter.setFont(_figure_font())
                    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, value)
        painter.end()

    def _fill(self) -> None:
        """Deal the facts out to lines: two neighbours share one where both have room."""
        left, right = (area.width() for area in self._areas(0, 2))
        lines: list[tuple[Fact, ...]] = []
        for fact in self._facts:
            before = lines[-1] if lines else ()
            if len(before) == 1 and _fits(before[0], left) and _fits(fact, right):
                lines[-1] = (*before, fact)
            else:
                lines.append((fact,))
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
        self.update()

    def _areas(self, row: int, facts: int) -> list[QRect]:
        """Where the facts of a line stand."""
        top, height = row * self._line_height(), self._line_height()
        if facts == 1:
            return [QRect(0, top, self.width(), height)]
        left = round(_LEFT_PART * (self.width() - _COLUMN_GAP))
        begin = left + _COLUMN_GAP
        return [QRect(0, top, left, height), QRect(begin, top, self.width() - begin, height)]

    def _fact_at(self, place: QPoint) -> Fact | None:
        row = place.y() // self._line_height()
        if not 0 <= row < len(self._lines):
            return None
        facts = self._lines[row]
        there = (fact for fact, area in zip(facts, self._areas(row, len(facts)), strict=True) if area.contains(place))
        return next(there, None)

    def _line_height(self) -> int:
        return QFontMetrics(words(SMALL)).height() + _LINE_GAP


def as_written(fact: Fact, width: int, *, shared: bool) -> tuple[str, str]:
    """Name and value in so many pixels; a long value comes no nearer to its name than _LONG_GAP, if it has a brief
    form.
    """
    if shared and fact.short is not None:
        return fact.short
    has_room = width_of(fact.name, fact.value) + _LONG_GAP <= width
    return fact.name, fact.value if has_room or not fact.brief else fact.brief


def width_of(name: str, value: str) -> int:
    of_name = QFontMetrics(words(SMALL)).horizontalAdvance(name)
    return of_name + QFontMetrics(_figure_font()).horizontalAdvance(value)


def _fits(fact: Fact, width: int) -> bool:
    """Whether a fact has a short form that is at most `width` pixels wide."""
    if fact.short is None:
        return False
    return width_of(*fact.short) + _NAME_GAP <= width


def _figure_font() -> QFont:
    return figures(SMALL - 0.5)
