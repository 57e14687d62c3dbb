"""The picture of an error map: C with row 0 at the top, one cell of colour for each cell of the map."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QToolTip, QWidget

from gemmviz.explain.figures.error_map import ABOVE, NOT_A_NUMBER, ErrorPicture
from gemmviz.gui.looks.error_colours import error_table
from gemmviz.gui.looks.fonts import SMALL, figures
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

_LEFT, _TOP, _EDGE = 72.0, 24.0, 8.0
"""Room for the numbers of rows and columns and their words; what is left free on the other sides."""

_LABEL = 16.0
"""The height of a line."""

_ROWS, _COLUMNS, _SHORT, _GAP = "row of C", "column of C", "column", "  "
_MOST_WIDTH = 16_000.0

_CROSS_FROM = 5.0
"""Cells smaller than this many pixels are too small for a cross."""


class ErrorImage(pg.GraphicsView):  # type: ignore[misc]
    """Shows an error picture.

    Signals:
        element_chosen(int, int): row and column of the element a person clicked at.
        hovered(str): the cell under the mouse in words, "" for none.
    """

    element_chosen = Signal(int, int)
    hovered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self._theme = theme
        self._picture: ErrorPicture | None = None
        self._font = figures(SMALL)
        self._marked: tuple[int, int] | None = None
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the table beside it reaches the same elements by keyboard
        self.setMinimumSize(120, 64)
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, invertY=True, border=None)
        self.box.setDefaultPadding(0.0)
        self.box.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.sceneObj.addItem(self.box)
        self.image = pg.ImageItem(axisOrder="row-major", autoDownsample=False)
        self.image.setAutoDownsample(False)
        self.box.addItem(self.image, ignoreBounds=True)

    def show_picture(self, picture: ErrorPicture) -> None:
        """Show an error picture that has a map."""
        self._picture = picture
        self._marked = None
        self.image.setImage(picture.levels, autoLevels=False, levels=(0, 255), lut=error_table(self._theme))
        height, width = picture.levels.shape
        self.image.setRect(QRectF(0.0, 0.0, width * picture.cell_columns, height * picture.cell_rows))
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.image.setLookupTable(error_table(theme))
        self.viewport().update()

    def mark(self, row: int, column: int) -> None:
        """Put a frame around the cell of an element."""
        self._marked = (row, column)
        self.viewport().update()

    def area(self) -> QRectF:
        """Where C lies, in pixels."""
        if self._picture is None:
            return QRectF()
        width, height = self.width() - _LEFT - _EDGE, self.height() - _TOP - _EDGE
        scale = min(width / self._picture.width, height / self._picture.height)
        # A row vector or a column vector would be a hair: it is given at least 24 pixels.
        shown = (max(self._picture.width * scale, min(24.0, width)), max(self._picture.height * scale, 24.0))
        return QRectF(_LEFT, _TOP, *shown)

    def wanted_width(self, height: float) -> int:
        """The width that a picture of a height can use."""
        if self._picture is None:
            return int(self.minimumWidth())
        shown = max(24.0, (height - _TOP - _EDGE) * self._picture.width / self._picture.height)
        room = self._room_for_words(shown, QFontMetricsF(self._font))
        wanted: float = min(max(shown, room), _MOST_WIDTH) + _LEFT + _EDGE
        return math.ceil(wanted)

    def element_at(self, position: QPointF) -> tuple[int, int] | None:
        """The element of C at a pixel."""
        area, picture = self.area(), self._picture
        if picture is None or not area.contains(position):
            return None
        row = int((position.y() - area.top()) / area.height() * picture.height)
        column = int((position.x() - area.left()) / area.width() * picture.width)
        return min(row, picture.height - 1), min(column, picture.width - 1)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if getattr(self, "_picture", None) is not None:
            self._place()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(self._theme.canvas))

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        del rect
        picture, area = self._picture, self.area()
        if picture is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self._theme.faint), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        self._paint_numbers(painter, area, picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._paint_crosses(painter, area, picture)
        if self._marked is not None:
            painter.setPen(QPen(QColor(self._theme.text), 2.0))
            painter.drawRect(self._cell_area(area, picture, *picture.cell_at(*self._marked)).adjusted(-2, -2, 2, 2))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.element_at(QPointF(event.pos()))
            if found is not None and self._picture is not None:
                QToolTip.showText(event.globalPos(), plain_text(self._picture.words_at(*found)), self)
            else:
                QToolTip.hideText()
            return True
        if event.type() == QEvent.Type.Leave:
            self.hovered.emit("")
        return bool(super().viewportEvent(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.element_at(event.position())
        if found is not None and self._picture is not None and event.button() == Qt.MouseButton.LeftButton:
            row, column = self._picture.element_at(*found)
            self.mark(row, column)
            self.element_chosen.emit(row, column)
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.element_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if found is None else Qt.CursorShape.PointingHandCursor)
        self.hovered.emit(self._picture.words_at(*found) if found is not None and self._picture is not None else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _place(self) -> None:
        if self._picture is None:
            return
        self.box.setGeometry(self.area())
        self.box.setRange(
            xRange=(0.0, float(self._picture.width)), yRange=(0.0, float(self._picture.height)), padding=0.0
        )
        self.viewport().update()

    def _cell_area(self, area: QRectF, picture: ErrorPicture, i: int, j: int) -> QRectF:
        across, down = area.width() / picture.width, area.height() / picture.height
        cell = QRectF(
            area.left() + j * picture.cell_columns * across,
            area.top() + i * picture.cell_rows * down,
            picture.cell_columns * across,
            picture.cell_rows * down,
        )
        return cell.intersected(area)

    def _paint_numbers(self, painter: QPainter, area: QRectF, picture: ErrorPicture) -> None:
        """The first and the last row and column."""
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.muted))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        metrics = QFontMetricsF(self._font)
        painter.drawText(QRectF(0, area.top() - 2, _LEFT - 6, 18), right, "0")
        if picture.height > 1 and area.height() > 40:
            painter.drawText(QRectF(0, area.bottom() - 16, _LEFT - 6, 18), right, str(picture.height - 1))
        painter.drawText(QPointF(area.left(), area.top() - 6), "0")
        last = str(picture.width - 1)
        if picture.width > 1 and area.width() > 40:
            painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(last), area.top() - 6), last)
        words, room = _COLUMNS, self._room_for_words(area.width(), metrics)
        place = area.center().x() - metrics.horizontalAdvance(words) / 2
        if room > area.width():  # behind the numbers
            words = _COLUMNS if area.left() + room <= self.width() else _SHORT
            place = area.left() + room - metrics.horizontalAdvance(_COLUMNS)
        painter.drawText(QPointF(place, area.top() - 6), words)
        self._paint_row_words(painter, area, metrics)

    def _room_for_words(self, shown: float, metrics: QFontMetricsF) -> float:
        """What numbers and words above a picture of a width take; no more than it where they fit between its ends."""
        last = "" if self._picture is None else str(self._picture.width - 1)
        words, ends = metrics.horizontalAdvance(_COLUMNS), metrics.horizontalAdvance(f"{_GAP}{last}")
        if shown >= words + 2 * ends:
            return shown
        numbers: float = max(shown, metrics.horizontalAdvance("0"))
        return math.ceil(numbers + metrics.horizontalAdvance(f"{_GAP}{_COLUMNS}")) + 1.0

    def _paint_row_words(self, painter: QPainter, area: QRectF, metrics: QFontMetricsF) -> None:
        """Upright, left of the numbers; beside a small picture they reach below it."""
        length = metrics.horizontalAdvance(_ROWS) + 2.0
        top = max(area.top(), area.center().y() - length / 2)
        painter.save()
        painter.translate(0.0, top + length)
        painter.rotate(-90.0)
        painter.drawText(QRectF(0.0, 0.0, length, _LABEL), int(Qt.AlignmentFlag.AlignCenter), _ROWS)
        painter.restore()

    def _paint_crosses(self, painter: QPainter, area: QRectF, picture: ErrorPicture) -> None:
        """A cross where an element is no number, a stroke where the error is above the bound."""
        cell = self._cell_area(area, picture, 0, 0)
        if min(cell.width(), cell.height()) < _CROSS_FROM:
            return
        painter.setPen(QPen(QColor(self._theme.canvas), 1.5))
        for i, j in np.argwhere(picture.levels >= ABOVE).tolist():
            inner = self._cell_area(area, picture, i, j)
            inset = min(inner.width(), inner.height()) * 0.25
            inner = inner.adjusted(inset, inset, -inset, -inset)
            painter.drawLine(inner.bottomLeft(), inner.topRight())
            if picture.levels[i, j] == NOT_A_NUMBER:
                painter.drawLine(inner.topLeft(), inner.bottomRight())
