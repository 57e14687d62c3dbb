"""Paints one cell of a source: the number, the words in their colours, a figure over its bar, hatch and mark."""

from __future__ import annotations

from math import ceil, floor

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gemmviz.gui.looks.fonts import SMALL, figures
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.recording.lines import SourceLine
from gemmviz.gui.source.highlight import ground, hatch, heat, word_colour
from gemmviz.gui.source.line_figures import Figure
from gemmviz.gui.source.source_model import CODE, FIGURES, FIRST_FIGURE, NUMBER, Role, Shown
from gemmviz.gui.source.tokens import TokenKind

PADDING = 5
POINTS = SMALL + 0.5
BAR = 3
"""Width of the bar at the edge of a line that runs."""
UNDERLINE = 3
"""Height of the bar below a figure: beneath the digits, not through them."""
WAVE = 2.5
"""Height and half of the length of a wave below code that does not compile, in pixels."""
MARK_WIDTH = 114
"""What a mark gets at least, in pixels, however narrow the code: room for "out of bounds"."""
ELLIPSIS = "…"
NARROW = 44
"""In a column of fewer characters the indentation takes half of its width."""
_VERTICALLY = Qt.AlignmentFlag.AlignVCenter
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft | _VERTICALLY, Qt.AlignmentFlag.AlignRight | _VERTICALLY


def code_font(weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of code: each character as it was typed, so that ++ stays two signs and columns stay columns."""
    font = figures(POINTS, weight)
    for feature in ("liga", "calt"):
        font.setFeature(QFont.Tag.fromString(feature), 0)
    return font


class CodeDelegate(QStyledItemDelegate):
    """The code stands `offset` pixels further left than its cell begins; numbers and figures stay where they are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.offset = 0
        self._font, self._bold = code_font(), code_font(QFont.Weight.DemiBold)
        self._metrics, self._bold_metrics = QFontMetricsF(self._font), QFontMetricsF(self._bold)
        self.digit = self._metrics.horizontalAdvance("0")
        self.set_theme(LIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._pens = {kind: QColor(word_colour(kind, theme)) for kind in TokenKind}
        self._text, self._muted, self._faint = QColor(theme.text), QColor(theme.muted), QColor(theme.faint)
        self._accent, self._hazard = QColor(theme.accent), QColor(theme.hazard)
        self._hatch = QBrush(QColor(hatch(theme)), Qt.BrushStyle.BDiagPattern)

    def width_of(self, text: str) -> int:
        """Pixels that code, or a figure in bold, takes."""
        return ceil(self._bold_metrics.horizontalAdvance(text))

    def characters_saved(self, code: str, width: int) -> float:
        """How many characters further left a line stands in a column that is `width` pixels wide."""
        is_narrow = width < NARROW * self.digit
        return (len(code) - len(code.lstrip())) / 2 if is_narrow else 0.0

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        shown: Shown = index.data(Role.SHOWN)
        runs, rect, column = bool(index.data(Role.RUNS)), option.rect, index.column()
        under = ground(self._theme, runs, bool(option.state & QStyle.StateFlag.State_Selected))
        painter.save()
        painter.fillRect(rect, QColor(under))
        if column >= FIRST_FIGURE:
            self._paint_bar(painter, rect, shown, FIGURES[column - FIRST_FIGURE], under)
        if shown.line.hazards:
            # The lines of a hatch start at the corner of the window, so that they run on from cell to cell.
            painter.fillRect(rect, self._hatch)
        if column == NUMBER:
            self._paint_number(painter, rect, shown, runs)
        elif column == CODE:
            self._paint_code(painter, rect, shown, under)
        else:
            self._paint_figure(painter, rect, shown, FIGURES[column - FIRST_FIGURE])
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRect, shown: Shown, figure: Figure, under: str) -> None:
        found = shown.figures.get(figure)
        if found is not None and found.share > 0:
            width = max(round(found.share * (rect.width() - 2)), 2)
            bar = QRect(rect.right() - width, rect.bottom() - UNDERLINE, width, UNDERLINE)
            painter.fillRect(bar, QColor(heat(self._theme, under)))

    def _paint_number(self, painter: QPainter, rect: QRect, shown: Shown, runs: bool) -> None:
        if runs:
            painter.fillRect(QRect(rect.left(), rect.top(), BAR, rect.height()), self._accent)
        painter.setFont(self._bold if runs else self._font)
        painter.setPen(self._text if runs else self._faint)
        painter.drawText(rect.adjusted(0, 0, -PADDING, 0), _RIGHT, str(shown.line.number))

    def _paint_figure(self, painter: QPainter, rect: QRect, shown: Shown, figure: Figure) -> None:
        found = shown.figures.get(figure)
        if found is None:
            return
        stands_out = figure is Figure.EXCESS and found.share > 0
        painter.setFont(self._bold if stands_out else self._font)
        painter.setPen(self._text)
        painter.drawText(rect.adjusted(0, 0, -PADDING, 0), _RIGHT, found.text)

    def _paint_code(self, painter: QPainter, rect: QRect, shown: Shown, under: str) -> None:
        inside = rect.adjusted(PADDING, 0, -PADDING, 0)
        if shown.line.mark and not shown.line.fault:  # that has its wave, and its words above the source
            inside.setRight(self._paint_mark(painter, inside, shown, under))
        painter.setClipRect(inside)
        painter.setFont(self._font)
        start = inside.left() - self.offset - self.characters_saved(shown.line.code, rect.width()) * self.digit
        left, end = start, inside.right() + 1
        for token in shown.tokens:
            width = self._metrics.horizontalAdvance(token.text)
            if left + width >= inside.left():
                painter.setPen(self._pens[token.kind])
                place = QRectF(left, rect.top(), width + PADDING, rect.height())
                painter.drawText(place, _LEFT, token.text)
            left += width
            if left > end + 0.5:
                # The sign that the line goes on takes the place of the last character that is there in whole.
                cut = start + floor((end - start) / self.digit - 1) * self.digit
                self._paint_ellipsis(painter, QRectF(cut, rect.top(), end - cut, rect.height()), under)
                break
        if shown.line.fault:
            self._paint_wave(painter, shown.line, start, left, rect.bottom() - 1)
        painter.setClipping(False)

    def _paint_wave(self, painter: QPainter, line: SourceLine, start: float, end: float, bottom: int) -> None:
        """A wavy line below the code, from the column that the compiler names or from the first word."""
        indent = len(line.code) - len(line.code.lstrip())
        column = line.fault_column - 1 if 0 < line.fault_column <= len(line.code) else indent
        begin = start + column * self.digit
        steps = range(max(ceil((end - begin) / WAVE), 2) + 1)
        painter.setPen(QPen(self._hazard, 1.25))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPolyline([QPointF(begin + step * WAVE, bottom - (step % 2) * WAVE) for step in steps])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_ellipsis(self, painter: QPainter, place: QRectF, under: str) -> None:
        painter.fillRect(place, QColor(under))
        painter.setPen(self._muted)
        painter.drawText(place, _LEFT, ELLIPSIS)

    def _paint_mark(self, painter: QPainter, inside: QRect, shown: Shown, under: str) -> int:
        """What is wrong with the line, at the right end of the code; where the code has to stop."""
        mark = shown.line.mark
        width = min(self.width_of(mark) + 2, max(inside.width() // 2, MARK_WIDTH))
        place = QRect(inside.right() - width + 1, inside.top(), width, inside.height())
        painter.fillRect(place.adjusted(-PADDING, 1, PADDING, -1), QColor(under))
        painter.setFont(self._bold)
        painter.setPen(self._hazard if shown.line.hazards else self._muted)
        painter.drawText(place, _RIGHT, self._bold_metrics.elidedText(mark, Qt.TextElideMode.ElideRight, width))
        return place.left() - 2 * PADDING
