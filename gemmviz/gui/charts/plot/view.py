"""The plot of a figure: rows with marks on an axis. The wheel scrolls, a drag pans the axis, a double click resets."""

from __future__ import annotations

import math

import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QScrollBar, QSizePolicy, QToolTip, QWidget

from gemmviz.explain.figures.figure import Figure
from gemmviz.gui.charts.plot.axis_range import AxisRange, whole_range
from gemmviz.gui.charts.plot.hidden_rows import HINT, HiddenRows, hidden_rows, hint_area
from gemmviz.gui.charts.plot.layout import (
    AXIS,
    AXIS_DENSE,
    DENSE_ROW,
    DENSE_ROW_OF_PICTURE,
    HEAD,
    LEAST_PLOT,
    LEAST_ROW,
    MOST_ROW_OF_PICTURE,
    MOST_ROW_THAT_FILLS,
    TIGHT_ROW,
    PlotLayout,
    marks_share,
    most_row,
    natural_height,
    plot_layout,
    row_height,
)
from gemmviz.gui.charts.plot.line_columns import LineColumns
from gemmviz.gui.charts.plot.painter import PlotPainter, Window
from gemmviz.gui.charts.plot.row_text import RowText
from gemmviz.gui.charts.plot.scroll_keys import scroll_by_key
from gemmviz.gui.charts.plot.series_items import SeriesItems
from gemmviz.gui.looks.scroll_style import scroll_bar_style
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.plain_text import plain_text

_ZOOM = 1.25
_LEAST_HEIGHT = 150
_LEAST_HEIGHT_DENSE = math.ceil(HEAD + AXIS_DENSE + TIGHT_ROW)
_NO_LIMIT = 16_777_215


class PlotView(pg.GraphicsView):  # type: ignore[misc]
    """Shows one figure; `tip` is its tooltip beside rows. `scroll_bar`, to be placed beside it, hides if all is seen.

    Signals:
        row_hovered(int): the row under the mouse, -1 for none.
    """

    row_hovered = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self._theme = theme
        self.text = RowText()
        self._figure: Figure | None = None
        self._range = AxisRange()
        self._hovered, self._row_to_show, self.tip = -1, -1, ""
        self._drag_from: QPointF | None = None
        self._most_rows: int | None = None
        self._dense_row = DENSE_ROW_OF_PICTURE
        self._shows_focus = False
        self._dense, self._items_drawn = False, (False, 1.0)
        self._placed: PlotLayout | None = None
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setAntialiasing(True)
        self.viewport().setAutoFillBackground(False)  # its colour would be seen at the edges of scaled pictures
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, border=None)
        self.box.setDefaultPadding(0.0)
        self.box.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.sceneObj.addItem(self.box)
        self.items_shown = SeriesItems(self.box)
        self.scroll_bar = QScrollBar(Qt.Orientation.Vertical)
        self.scroll_bar.setAccessibleName("Scroll the rows")
        self.scroll_bar.valueChanged.connect(self._set_box_range)
        self.scroll_bar.actionTriggered.connect(self._let_scroll)
        self.scroll_bar.hide()

    def show_figure(self, figure: Figure) -> None:
        """Show a figure from its first row on, or with the last row that is new in sight, with its whole axis."""
        self._figure = figure
        self.text.measure(figure)
        self._hovered = -1
        self._row_to_show = max((place for place, row in enumerate(figure.rows) if row.is_new), default=-1)
        self.box.invertY(not figure.upright)
        self._show_items()
        self.reset_range()
        self.setMaximumHeight(self._most_height())
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme's colours."""
        self._theme = theme
        self.scroll_bar.setStyleSheet(scroll_bar_style(theme))
        self._show_items()
        self.viewport().update()

    def show_rows_for_picture(self, most: int | None, *, dense: bool = False, low: bool = False) -> None:
        """Be high enough to show so many rows, of one line each in a `dense` picture, and no others; None goes back to
        what suits the screen. With `low` dense rows are as low as they can be, and small words larger; on the screen
        rows fill the height then.
        """
        self._most_rows = None
        self._dense_row = TIGHT_ROW if low else DENSE_ROW_OF_PICTURE
        self.text.set_large(low)
        if most is not None:
            self.show_dense(dense)
        self._most_rows = most
        self.setMinimumHeight(self._least_height() if most is None else self.natural_height(most))
        self.setMaximumHeight(self._most_height())
        self.updateGeometry()

    def show_dense(self, wanted: bool) -> None:
        """Give each row one line, and show more of them; a picture stays as it was told to be."""
        if self._most_rows is not None or wanted == self._dense:
            return
        row = self.scroll_bar.value() / self.plot_layout().cell
        self._dense = wanted
        self.setMinimumHeight(self._least_height())
        if self._figure is not None:
            self._show_items()
            self._place()
            # What was at the top stays there.
            self.scroll_bar.setValue(round(row * self.plot_layout().cell))

    def natural_height(self, rows: int | None = None) -> int:
        """The height at which everything, or that many rows, can be seen."""
        if self._figure is None:
            return _LEAST_HEIGHT
        count = len(self._figure.rows) if rows is None else min(rows, len(self._figure.rows))
        if self._dense and self._most_rows is not None and not self._figure.upright:
            return math.ceil(HEAD + AXIS_DENSE + self._dense_row * max(count, 1))
        return math.ceil(natural_height(count, self._figure.upright))

    def reset_range(self) -> None:
        """Show the whole axis again."""
        if self._figure is None:
            return
        self._range = whole_range(self._figure.axis)
        self._place()

    @property
    def value_range(self) -> tuple[float, float]:
        """The ends of the axis in sight, in its coordinates (logarithms on a logarithmic axis)."""
        return self._range.low, self._range.high

    def plot_layout(self) -> PlotLayout:
        """Where things lie now."""
        rows, upright = self._row_count(), self._figure is not None and self._figure.upright
        columns = self._columns()
        labels, values = self.text.widths(float(self.width())) if columns is None else (columns.left, columns.right)
        names, least = (self.text.names, LEAST_PLOT) if columns is None else (columns.names, columns.least_plot)
        size, row, dense = (float(self.width()), float(self.height())), self._most_row(), columns is not None
        return plot_layout(*size, rows, labels, values, upright, row, dense, name_width=names, least_plot=least)

    @property
    def hidden_rows(self) -> HiddenRows:
        """The rows that are out of sight now."""
        return hidden_rows(self.plot_layout(), self._row_count(), float(self.scroll_bar.value()))

    def row_at(self, x: float, y: float) -> int:
        """The row at a pixel, -1 for none."""
        layout = self.plot_layout()
        if self._figure is None:
            return -1
        if layout.upright:
            inside = layout.plot.left <= x < layout.plot.right and y >= layout.plot.top
            place = int((x - layout.plot.left) // layout.cell)
        else:
            inside = layout.plot.top <= y < layout.plot.bottom
            place = int((y - layout.plot.top + self.scroll_bar.value()) // layout.cell)
        return place if inside and 0 <= place < len(self._figure.rows) else -1

    def sizeHint(self) -> QSize:
        return QSize(560, self.natural_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(280, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if getattr(self, "_figure", None) is not None:
            self._place()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(self._theme.canvas))
        if self._figure is not None:
            self._painting(painter).paint_below()

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        if self._figure is None:
            return
        self._painting(painter).paint_above()
        if self._shows_focus:
            plot = self.plot_layout().plot
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(plot.left, plot.top, plot.width, plot.height))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = self.row_at(float(event.pos().x()), float(event.pos().y()))
            beside = HINT if self._is_on_hint(QPointF(event.pos())) else self.tip
            said = self._figure.rows[row].tooltip if self._figure is not None and row >= 0 else beside
            QToolTip.showText(event.globalPos(), plain_text(said), self)
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        elif event.type() == QEvent.Type.Paint and self._figure is not None and self._placed != self.plot_layout():
            self._place()  # out of sight it may be painted in another size before it is told so
        return bool(super().viewportEvent(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._shows_focus = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._shows_focus = False
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            if self._is_on_hint(event.position()):
                self._let_scroll()
                bar, page = self.scroll_bar, self.scroll_bar.pageStep()
                bar.setValue(bar.value() + (page if bar.value() < bar.maximum() else -bar.maximum()))
            else:
                self._drag_from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if self._drag_from is not None and event.buttons() & Qt.MouseButton.LeftButton:
            layout, moved = self.plot_layout(), position - self._drag_from
            part = moved.y() / layout.plot.height if layout.upright else -moved.x() / layout.plot.width
            self._drag_from = position
            self._pan(part)
        self._hover(self.row_at(position.x(), position.y()))
        is_link = self._is_on_hint(position)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag_from = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_range()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        self._let_scroll()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom(_ZOOM ** (-turned / 120.0), event.position().toPoint())
            event.accept()
        elif self.scroll_bar.maximum() > 0:
            pixels = event.pixelDelta().y() or turned / 120.0 * 3 * max(self.plot_layout().cell, LEAST_ROW) / 2
            self.scroll_bar.setValue(round(self.scroll_bar.value() - pixels))
            event.accept()
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, step = event.key(), round(self.plot_layout().cell)
        self._let_scroll()
        if scroll_by_key(self.scroll_bar, key, step):
            return
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._pan(-0.1 if key == Qt.Key.Key_Left else 0.1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self._zoom(_ZOOM if key == Qt.Key.Key_Minus else 1 / _ZOOM, None)
        elif key == Qt.Key.Key_0:
            self.reset_range()
        else:
            event.ignore()

    @Slot()
    def _let_scroll(self) -> None:
        self._row_to_show = -1

    def _row_count(self) -> int:
        """The rows that can be seen or scrolled to."""
        return min(len(self._figure.rows) if self._figure is not None else 0, self._most_rows or _NO_LIMIT)

    def _most_row(self) -> float:
        fills = self._figure is not None and self._figure.fills_height
        if self._most_rows is not None and not self.text.is_large:
            return MOST_ROW_THAT_FILLS if fills else MOST_ROW_OF_PICTURE
        return most_row(self._row_count(), fills=fills or self.text.is_large)

    def _is_tight(self) -> bool:
        """Whether rows are so low that their words are small."""
        if self._figure is None or self._figure.upright or not self._dense:
            return False
        return row_height(float(self.height()), self._row_count(), self._most_row(), dense=True) < DENSE_ROW

    def _is_on_hint(self, at: QPointF) -> bool:
        return bool(self.hidden_rows.words) and hint_area(self.plot_layout()).holds(at.x(), at.y())

    def _least_height(self) -> int:
        return _LEAST_HEIGHT_DENSE if self._dense else _LEAST_HEIGHT

    def _most_height(self) -> int:
        """More would only pull the rows apart."""
        if self._figure is None or self._figure.upright:
            return 560 if self._most_rows is None else _NO_LIMIT
        if self._most_rows is not None:
            axis, row = (AXIS_DENSE, LEAST_ROW) if self._dense else (AXIS, self._most_row())
            return math.ceil(HEAD + axis + row * max(self._row_count(), 1))
        return max(_LEAST_HEIGHT, math.ceil(HEAD + AXIS + self._most_row() * self._row_count()))

    def _painting(self, painter: QPainter) -> PlotPainter:
        assert self._figure is not None
        window = Window(*self.value_range, float(self.scroll_bar.value()), self._hovered, self.hidden_rows.words)
        fonts = self.text.fonts(tight=self._is_tight())
        return PlotPainter(painter, self._figure, self.plot_layout(), window, self._theme, fonts, self._columns())

    def _columns(self) -> LineColumns | None:
        """What the rows say in one line at this width; None where they have two."""
        figure = self._figure
        if figure is None or figure.upright or not self._dense:
            return None
        return self.text.columns(float(self.width()), tight=self._is_tight())

    def _show_items(self) -> None:
        figure = self._figure
        if figure is not None:
            dense, (tight, share) = self._dense and not figure.upright, self._how_drawn()
            self._items_drawn, labelled = (tight, share), bool(figure.labels)
            drawn = figure.series, figure.axis, figure.upright, self._theme, share
            self.items_shown.show(*drawn, dense=dense, tight=tight, labelled=labelled)

    def _how_drawn(self) -> tuple[bool, float]:
        """Whether marks are small, and in which part of their row they lie."""
        layout = self.plot_layout()
        return self._is_tight(), 1.0 if layout.upright else marks_share(layout.cell)

    def _place(self) -> None:
        if self._items_drawn != self._how_drawn():
            self._show_items()
        layout = self._placed = self.plot_layout()
        plot = layout.plot
        self.box.setGeometry(QRectF(plot.left, plot.top, plot.width, max(1.0, plot.height)))
        overflow = 0 if self._most_rows is not None else round(layout.overflow)
        self.scroll_bar.setRange(0, overflow)
        self.scroll_bar.setPageStep(max(1, round(plot.height)))
        self.scroll_bar.setSingleStep(max(1, round(layout.cell)))
        self.scroll_bar.setVisible(overflow > 0 and not (self.isHidden() and self.parentWidget()))
        if self._row_to_show >= 0:  # until a person scrolls
            self.scroll_bar.setValue(math.ceil((self._row_to_show + 1) * layout.cell - plot.height))
        self._set_box_range()

    @Slot()
    def _set_box_range(self) -> None:
        layout = self.plot_layout()
        if layout.upright:
            across = (0.0, max(1.0, layout.plot.width / layout.cell))
            self.box.setRange(xRange=across, yRange=self.value_range, padding=0.0)
        else:
            first = self.scroll_bar.value() / layout.cell
            rows = (first, first + max(layout.plot.height, 1.0) / layout.cell)
            self.box.setRange(xRange=self.value_range, yRange=rows, padding=0.0)
        self.viewport().update()

    def _pan(self, part: float) -> None:
        self._range = self._range.panned(part)
        self._set_box_range()

    def _zoom(self, times: float, around: QPoint | None) -> None:
        part = 0.5 if around is None else self.plot_layout().part_at(around.x(), around.y())
        self._range = self._range.zoomed(times, part)
        self._set_box_range()

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.row_hovered.emit(row)
            self.viewport().update()
