"""The totals so far beneath a picture: a line each, with a bar on a scale that both pictures share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.explain.runs.figure_lines import Line
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.memory.paint_totals import ROW, TOTALS_HEIGHT, bar_parts, paint_totals, scale_words
from gemmviz.gui.widgets.plain_text import plain_text


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
        return bar_parts(self._totals, self._most) if self._totals is not None else ()

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
        return QSize(320, TOTALS_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = (event.pos().y() - 4) // ROW
            if 0 <= place < len(self.lines):
                line = self.lines[place]
                full = scale_words(self._most[place])
                scale = f"\n{full.capitalize()}: the largest final figure of these pictures" if full else ""
                tip = with_terms(f"{line.tip}\n{line.evidence}{scale}", f"{line.words} {line.tip}")
                QToolTip.showText(event.globalPos(), plain_text(tip), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_totals(QPainter(self), self._totals, self._most, self.width(), self.height(), self._theme)
