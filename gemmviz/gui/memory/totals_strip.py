"""The totals so far beneath a picture: a line each, with a bar on a scale that both pictures share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.figures.last_run import Line
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.theme import LIGHT, Theme, blend
from gemmviz.gui.memory.running_totals import TotalsSoFar
from gemmviz.gui.plain_text import plain_text

ROW, MARGIN, GAP = 19, 16, 10
BAR = 3.0
ROWS = len(TotalsSoFar().lines)


class TotalsStrip(QWidget):
    """Shows a TotalsSoFar: name left, figure and its evidence right, and under each line how far it has come."""

    def __init__(self, name: str, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._totals: TotalsSoFar | None = None
        self._most = TotalsSoFar().sizes
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_totals(None)

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is shown; none while it is counted."""
        return self._totals.lines if self._totals is not None else ()

    @property
    def parts(self) -> tuple[float, ...]:
        """How long the bar of each line is, 0 to 1."""
        if self._totals is None:
            return ()
        return tuple(size / most if most else 0.0 for size, most in zip(self._totals.sizes, self._most, strict=True))

    def show_totals(self, totals: TotalsSoFar | None) -> None:
        """Show these; None while they are counted."""
        self._totals = totals
        said = "; ".join(f"{line.words} {line.value}, {line.evidence}" for line in self.lines)
        self.setAccessibleName(f"So far: {said}" if said else "So far: counting")
        self.update()

    def show_scale(self, most: tuple[float, ...]) -> None:
        """The figures (`TotalsSoFar.sizes`) at which bars are full."""
        self._most = most
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, ROWS * ROW + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = (event.pos().y() - 4) // ROW
            if 0 <= place < len(self.lines):
                line = self.lines[place]
                QToolTip.showText(event.globalPos(), plain_text(f"{line.tip}\n{line.evidence}"), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.fillRect(QRectF(0, 0, self.width(), 1), QColor(theme.line))
        if not self.lines:
            painter.setFont(words(SMALL))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(MARGIN, 4, self.width() - 2 * MARGIN, ROW), _LEFT, "counting…")
            return
        named = QFontMetricsF(words(SMALL))
        evidence = max(named.horizontalAdvance(str(line.evidence)) for line in self.lines)
        for place, (line, part) in enumerate(zip(self.lines, self.parts, strict=True)):
            self._row(painter, line, part, 5.0 + place * ROW, evidence)

    def _row(self, painter: QPainter, line: Line, part: float, y: float, evidence: float) -> None:
        theme, width = self._theme, float(self.width() - 2 * MARGIN)
        box = QRectF(MARGIN, y, width, ROW - BAR - 1)
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        painter.drawText(box, _RIGHT, str(line.evidence))
        painter.setFont(figures(SMALL, QFont.Weight.Bold))
        painter.setPen(QColor(theme.text))
        left = box.adjusted(0, 0, -evidence - GAP, 0)
        painter.drawText(left, _RIGHT, line.value)
        room = left.width() - QFontMetricsF(painter.font()).horizontalAdvance(line.value) - GAP
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        said = QFontMetricsF(painter.font()).elidedText(line.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(left, _LEFT, said)
        track = QRectF(MARGIN, y + ROW - BAR - 1, width, BAR)
        painter.fillRect(track, QColor(theme.field))
        track.setWidth(max(width * min(part, 1.0), 1.0 if part > 0 else 0.0))
        painter.fillRect(track, QColor(blend(theme.panel, theme.accent, 0.8)))


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
