"""The grid of blocks as a picture: a cell for each block, coloured by wave or SM."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.figures import counted
from gemmviz.explain.runs.block_schedule import NO_BLOCK, ColourBy, ScheduleFigure
from gemmviz.gui.looks.fonts import NORMAL, figures
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.schedule.colours import colour_table
from gemmviz.gui.schedule.painting import fill_cells, is_vector

_LEFT, _TOP, _EDGE = 34.0, 20.0, 4.0
_LINES_FROM = 5.0
"""Cells of so many pixels have lines between them."""
_MOST_CELL = 44.0


class GridView(QWidget):
    """Shows the grid.

    Signals:
        pointed(int): the block under the mouse or chosen by keys, -1 for none.
    """

    pointed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scheduleGrid")
        self.setAccessibleName("Grid of blocks")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(150, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._theme = theme
        self._figure: ScheduleFigure | None = None
        self._by = ColourBy.WAVE
        self._lit = NO_BLOCK
        self._font = figures(NORMAL)

    def show_figure(self, figure: ScheduleFigure | None, by: ColourBy) -> None:
        """Show a schedule's grid in the colours of waves or SMs."""
        self._figure, self._by, self._lit = figure, by, NO_BLOCK
        self.setAccessibleName(
            "Grid of blocks" if figure is None else f"Grid of {counted(figure.schedule.blocks, 'block')}"
        )
        self.update()

    def set_lit(self, block: int) -> None:
        """Put a frame around a block; -1: around none."""
        if block != self._lit:
            self._lit = block
            known = self._figure is not None and block != NO_BLOCK
            self.setAccessibleDescription(self._figure.words_at(block) if self._figure is not None and known else "")
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def area(self) -> QRectF:
        """Where the blocks lie, in pixels."""
        if self._figure is None:
            return QRectF()
        grid = self._figure.grid
        width, height = max(self.width() - _LEFT - _EDGE, 1.0), max(self.height() - _TOP - _EDGE, 1.0)
        cell = min(width / grid.columns, height / grid.rows, _MOST_CELL)
        return QRectF(_LEFT, _TOP, min(max(cell * grid.columns, 24.0), width), min(max(cell * grid.rows, 24.0), height))

    def cell_area(self, block: int) -> QRectF:
        """Where a block lies."""
        assert self._figure is not None
        area, grid = self.area(), self._figure.grid
        row, column = grid.place_of(block)
        across, down = area.width() / grid.columns, area.height() / grid.rows
        return QRectF(area.left() + column * across, area.top() + row * down, across, down)

    def block_at(self, position: QPointF) -> int:
        """The block at a pixel, -1 for none."""
        area = self.area()
        if self._figure is None or not area.contains(position):
            return NO_BLOCK
        grid = self._figure.grid
        row = min(int((position.y() - area.top()) / area.height() * grid.rows), grid.rows - 1)
        column = min(int((position.x() - area.left()) / area.width() * grid.columns), grid.columns - 1)
        return int(grid.blocks[row, column])

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.canvas))
        if self._figure is not None:
            self._paint(painter, self._figure)
        painter.end()

    def _paint(self, painter: QPainter, figure: ScheduleFigure) -> None:
        area, grid = self.area(), figure.grid
        table = colour_table(self._theme, self._by, figure.group_count(self._by))
        groups = figure.groups(self._by)[np.maximum(grid.blocks, 0)]
        colours = table[np.where(grid.blocks == NO_BLOCK, table.size - 1, groups)]
        if is_vector(painter):
            fill_cells(painter, area, colours)
        else:
            pixels = np.ascontiguousarray(colours)
            image = QImage(pixels.data, grid.columns, grid.rows, 4 * grid.columns, QImage.Format.Format_ARGB32)
            painter.drawImage(area, image)
        self._paint_lines(painter, area, figure)
        self._paint_words(painter, area, figure)
        if self._lit != NO_BLOCK:
            painter.setPen(QPen(QColor(self._theme.text), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.cell_area(self._lit).adjusted(-1, -1, 1, 1))
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_lines(self, painter: QPainter, area: QRectF, figure: ScheduleFigure) -> None:
        grid = figure.grid
        across, down = area.width() / grid.columns, area.height() / grid.rows
        if min(across, down) < _LINES_FROM:
            return
        painter.setPen(QPen(QColor(self._theme.canvas), 1.0))
        for column in range(1, grid.columns):
            x = area.left() + column * across
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for row in range(1, grid.rows):
            y = area.top() + row * down
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))

    def _paint_words(self, painter: QPainter, area: QRectF, figure: ScheduleFigure) -> None:
        """The first and the last block of both directions; of a folded grid the number each line begins with."""
        grid = figure.grid
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.muted))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        height = 16.0
        painter.drawText(QRectF(0, area.top() - 1, _LEFT - 5, height), right, "0")
        if grid.rows > 1 and area.height() > 2.2 * height:
            last = (grid.rows - 1) * grid.columns if grid.is_folded else grid.rows - 1
            painter.drawText(QRectF(0, area.bottom() - height + 1, _LEFT - 5, height), right, str(last))
        top = QRectF(area.left(), 0, max(area.width(), 120.0), _TOP - 3)
        painter.drawText(top, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom), "0")
        if grid.columns > 1:
            end = QRectF(area.left(), 0, area.width(), _TOP - 3)
            words = str(grid.columns - 1)
            if area.width() > 60:
                painter.drawText(end, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), words)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.block_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(NO_BLOCK)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._figure is None:
            super().keyPressEvent(event)
            return
        grid = self._figure.grid
        row, column = grid.place_of(self._lit) if self._lit != NO_BLOCK else (0, 0)
        if self._lit != NO_BLOCK:
            row = min(max(row + step[0], 0), grid.rows - 1)
            column = min(max(column + step[1], 0), grid.columns - 1)
        block = int(grid.blocks[row, column])
        if block != NO_BLOCK:
            self.pointed.emit(block)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
