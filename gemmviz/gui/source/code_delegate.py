"""Paints one cell of a source: the number, the words in their colours, a figure over its bar, hatch and mark."""

from __future__ import annotations

from itertools import takewhile
from math import ceil

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.machine_words import MARK
from gemmviz.explain.source.recorded_lines import SEPARATOR, SIGN, SourceLine
from gemmviz.explain.source.tokens import TokenKind
from gemmviz.gui.looks.fonts import SMALL, figures
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.highlight import ground, hatch, heat, word_colour
from gemmviz.gui.source.source_model import CODE, FIGURES, FIRST_FIGURE, NUMBER, ShownLine, SourceRole
from gemmviz.gui.source.wrapping import Piece, wrapped_line

PADDING = 5
ROW_HEIGHT = 20
"""Pixels of one line; a line that is wrapped has several of these."""
POINTS = SMALL + 0.5
BAR = 3
"""Width of the bar at the edge of a line that runs."""
UNDERLINE = 3
"""Height of the bar below a figure: beneath the digits, not through them."""
WAVE = 2.5
"""Height and half of the length of a wave below code that has a fault, in pixels."""
LEAST_BESIDE = 24
"""Columns of code that stand beside the words of a mark at least."""
MARK_WIDTH = 114
"""What a mark gets at least, in pixels, however narrow the code: room for "out of bounds"."""
_VERTICALLY = Qt.AlignmentFlag.AlignVCenter
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft | _VERTICALLY, Qt.AlignmentFlag.AlignRight | _VERTICALLY


def code_font(weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font of code: each character as it was typed, so that ++ stays two signs and columns stay columns."""
    font = figures(POINTS, weight)
    for feature in ("liga", "calt"):
        font.setFeature(QFont.Tag.fromString(feature), 0)
    return font


class CodeDelegate(QStyledItemDelegate):
    """Code reaches to the first figure of its line, and what is longer goes on below, as wide as the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font, self._bold = code_font(), code_font(QFont.Weight.DemiBold)
        self._metrics, self._bold_metrics = QFontMetricsF(self._font), QFontMetricsF(self._bold)
        self.digit = self._metrics.horizontalAdvance("0")
        self._code_width, self._beside = 0, dict[LineFigureKind, int]()
        self.set_theme(LIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._pens = {kind: QColor(word_colour(kind, theme)) for kind in TokenKind}
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._accent, self._hazard = QColor(theme.accent), QColor(theme.hazard)
        self._hatch = QBrush(QColor(hatch(theme)), Qt.BrushStyle.BDiagPattern)

    def width_of(self, text: str) -> int:
        """Pixels that code, or a figure in bold, takes."""
        return ceil(self._bold_metrics.horizontalAdvance(text))

    def fit(self, code_width: int, beside: dict[LineFigureKind, int]) -> None:
        """How wide the columns are that are shown, in pixels: the code, then figures."""
        self._code_width, self._beside = code_width, beside

    def pieces_of(self, shown: ShownLine) -> tuple[Piece, ...]:
        """How a line is broken where it has too little room: a mark stands beside its first piece."""
        inside = self._code_width - 2 * PADDING
        columns = int(inside / self.digit)
        whole = int((inside + sum(self._beside.values())) / self.digit)  # figures stand beside the first piece only
        mark = self._mark_of(shown)
        if mark:
            beside = self._mark_width(self.fitting_mark(mark, inside), inside) + 2 * PADDING
            return wrapped_line(shown.line.code, int((inside - beside) / self.digit), whole, columns)
        free = sum(self._beside[figure] for figure in self._free(shown))
        room = int((inside + free) / self.digit)
        return wrapped_line(shown.line.code, room, whole, columns)

    def _free(self, shown: ShownLine) -> list[LineFigureKind]:
        """The figures whose columns the code of a line may take: those before the first that the line has."""
        return [] if self._mark_of(shown) else list(takewhile(lambda each: each not in shown.figures, self._beside))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        shown: ShownLine = index.data(SourceRole.SHOWN)
        runs, rect, column = bool(index.data(SourceRole.RUNS)), option.rect, index.column()
        under = ground(self._theme, runs, bool(option.state & QStyle.StateFlag.State_Selected))
        painter.save()
        painter.fillRect(rect, QColor(under))
        top = QRect(rect.left(), rect.top(), rect.width(), ROW_HEIGHT)
        figure = FIGURES[column - FIRST_FIGURE] if column >= FIRST_FIGURE else None
        if figure is not None:
            self._paint_bar(painter, top, shown, figure, under)
        if shown.line.hazards:
            # The lines of a hatch start at the corner of the window, so that they run on from cell to cell.
            painter.fillRect(rect, self._hatch)
        if column == NUMBER:
            self._paint_number(painter, rect, shown, runs)
        else:
            is_free = figure is None or figure in self._free(shown)
            self._paint_code(painter, option, shown, first=0 if is_free else 1)
        if column == CODE and self._mark_of(shown):
            self._paint_mark(painter, top.adjusted(PADDING, 0, -PADDING, 0), shown, under)
        elif figure is not None:
            self._paint_figure(painter, top, shown, figure)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._accent)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRect, shown: ShownLine, figure: LineFigureKind, under: str) -> None:
        found = shown.figures.get(figure)
        if found is not None and found.share > 0:
            width = max(round(found.share * (rect.width() - 2)), 2)
            bar = QRect(rect.right() - width, rect.bottom() - UNDERLINE, width, UNDERLINE)
            painter.fillRect(bar, QColor(heat(self._theme, under)))

    def _paint_number(self, painter: QPainter, rect: QRect, shown: ShownLine, runs: bool) -> None:
        if runs:
            painter.fillRect(QRect(rect.left(), rect.top(), BAR, rect.height()), self._accent)
        painter.setFont(self._bold if runs else self._font)
        painter.setPen(self._text if runs else self._muted)
        first = QRect(rect.left(), rect.top(), rect.width() - PADDING, ROW_HEIGHT)
        painter.drawText(first, _RIGHT, str(shown.line.number))

    def _paint_figure(self, painter: QPainter, rect: QRect, shown: ShownLine, figure: LineFigureKind) -> None:
        found = shown.figures.get(figure)
        if found is None:
            return
        stands_out = figure is LineFigureKind.EXCESS and found.share > 0
        painter.setFont(self._bold if stands_out else self._font)
        painter.setPen(self._text)
        painter.drawText(rect.adjusted(0, 0, -PADDING, 0), _RIGHT, found.text)

    def _paint_code(self, painter: QPainter, option: QStyleOptionViewItem, shown: ShownLine, first: int) -> None:
        """The part of the code that lies in a cell, from its piece `first` on."""
        view, rect = option.widget, option.rect
        if not isinstance(view, QTableView):
            return
        code_left = view.columnViewportPosition(CODE)
        pieces = self.pieces_of(shown)
        painter.setFont(self._font)
        for number, piece in enumerate(pieces[first:], first):
            line = QRect(rect.left(), rect.top() + number * ROW_HEIGHT, rect.width(), ROW_HEIGHT)
            painter.setClipRect(line)
            left = code_left + PADDING + piece.indent * self.digit
            for token in shown.tokens:
                start, end = max(token.start, piece.start), min(token.start + len(token.text), piece.end)
                if start >= end:
                    continue
                text = token.text[start - token.start : end - token.start]
                width = self._metrics.horizontalAdvance(text)
                painter.setPen(self._pens[token.kind])
                painter.drawText(QRectF(left, line.top(), width + PADDING, ROW_HEIGHT), _LEFT, text)
                left += width
            if shown.line.fault:
                self._paint_wave(painter, shown.line, piece, code_left, line.bottom() - 1)
        painter.setClipping(False)

    def _paint_wave(self, painter: QPainter, line: SourceLine, piece: Piece, code_left: int, bottom: int) -> None:
        """A wavy line below a piece of the code, from the column that the compiler names or from the first word."""
        indent = len(line.code) - len(line.code.lstrip())
        column = line.fault_column - 1 if 0 < line.fault_column <= len(line.code) else indent
        first = max(column, piece.start)
        if first > piece.end:
            return
        begin = code_left + PADDING + (piece.indent + first - piece.start) * self.digit
        steps = range(max(ceil((piece.end - first) * self.digit / WAVE), 2) + 1)
        painter.setPen(QPen(self._hazard, 1.25))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPolyline([QPointF(begin + step * WAVE, bottom - (step % 2) * WAVE) for step in steps])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    @staticmethod
    def _mark_of(shown: ShownLine) -> str:
        """What is wrong with a line; one with a fault has its wave instead, and its words above the source."""
        return "" if shown.line.fault else shown.line.mark

    def fitting_mark(self, mark: str, inside: int) -> str:
        """A mark of a hazard or of machine code beside code that has `inside` pixels: of two its first, and of one its
        first word alone, where more would cut the code up.
        """
        if self.width_of(mark) + 2 > max(inside // 2, MARK_WIDTH):
            mark = mark.partition(SEPARATOR)[0]
        room = inside - self._mark_width(mark, inside) - 2 * PADDING
        first = next((begin for begin in (SIGN, MARK) if mark.startswith(begin)), "")
        return first if first and room < LEAST_BESIDE * self.digit else mark

    def _mark_width(self, mark: str, inside: int) -> int:
        """Pixels of a mark beside code that has `inside` pixels."""
        return min(self.width_of(mark) + 2, max(inside // 2, MARK_WIDTH))

    def _paint_mark(self, painter: QPainter, inside: QRect, shown: ShownLine, under: str) -> None:
        """What is wrong with the line, at the right end of the code's first row."""
        mark = self.fitting_mark(shown.line.mark, inside.width())
        width = self._mark_width(mark, inside.width())
        place = QRect(inside.right() - width + 1, inside.top(), width, inside.height())
        painter.fillRect(place.adjusted(-PADDING, 1, PADDING, -1), QColor(under))
        painter.setFont(self._bold)
        of_hazards, apart, of_machine = mark.partition(SEPARATOR) if shown.line.hazards else ("", "", mark)
        painter.setPen(self._muted)
        rest = self._bold_metrics.elidedText(f"{apart}{of_machine}", Qt.TextElideMode.ElideRight, width)
        painter.drawText(place, _RIGHT, rest)
        room = width - self.width_of(rest) if rest else width
        painter.setPen(self._hazard)
        words = self._bold_metrics.elidedText(of_hazards, Qt.TextElideMode.ElideRight, room)
        painter.drawText(place.adjusted(0, 0, room - width, 0), _RIGHT, words)
