"""Paints what surrounds the marks of a plot: grid, rules, words of the rows, figures, ticks, marks at the edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from gemmviz.explain.figures.figure import BarLabel, Edge, Figure, Form, Row, Side
from gemmviz.explain.figures.ticks import Tick, ticks_of, ticks_that_fit
from gemmviz.gui.charts.looks import STYLES, is_hollow_bar, note_colour, tone_colour
from gemmviz.gui.charts.plot.bar_labels import LabelPlace, Span, free_of_words, label_places, rule_left
from gemmviz.gui.charts.plot.beside_name import BESIDE_NAME, behind_name, below_name, has_room_below_only
from gemmviz.gui.charts.plot.fonts import Fonts
from gemmviz.gui.charts.plot.grid_line import paint_grid_line
from gemmviz.gui.charts.plot.hidden_rows import hint_area
from gemmviz.gui.charts.plot.layout import DENSE_ROW, Area, PlotLayout
from gemmviz.gui.charts.plot.line_columns import BESIDE, LineColumns
from gemmviz.gui.charts.plot.note_lines import NOTE_LINE, note_lines
from gemmviz.gui.looks.theme import Theme

_TICK_ROOM_UPRIGHT = 40.0
"""Pixels that the words of one tick need along an upright axis."""

_NARROWEST = 4.0
"""Pixels of words that are still written: a lone ! has 6."""

_NEW, _HOVERED = 0.8, 0.55
"""How strong the ground is of a row of the newest runs, and of the one under the mouse."""
_BAR = 4.0
"""Pixels of the bar at a row of the newest runs."""
_PALE = 0.94
"""How much of the ground's colour lies over marks that words cover."""
_END, _MIDDLE = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle
"""Which part of words gives way; of names the middle, as those of variants begin alike."""

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a figure that is in sight: from `low` to `high` of the axis' coordinates, rows moved up by
    `scroll` pixels, the row under the mouse or -1; `hidden` are the words for the rows that are not.
    """

    low: float
    high: float
    scroll: float = 0.0
    hovered: int = -1
    hidden: str = ""


class PlotPainter:
    """One painting of a figure into a layout; `columns` where its rows have one line."""

    def __init__(
        self,
        painter: QPainter,
        figure: Figure,
        layout: PlotLayout,
        window: Window,
        theme: Theme,
        fonts: Fonts,
        columns: LineColumns | None = None,
    ) -> None:
        self._painter = painter
        self._figure = figure
        self._layout = layout
        self._window = window
        self._theme = theme
        self._fonts = fonts
        self._columns = columns

    def paint_below(self) -> None:
        """What lies under the marks."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._paint_new()
        self._paint_hovered()
        plot = self._layout.plot
        fine, strong = QColor(self._theme.grid), QColor(self._theme.grid)
        fine.setAlphaF(0.5)
        written = [place for _, place in self._label_places()]
        for tick, place in self._ticks():
            colour = strong if tick.words else fine
            if self._layout.upright:
                self._line(colour, plot.left, place, plot.right, place)
                continue
            for top, bottom in free_of_words(written, place, plot.top, plot.bottom):
                self._line(colour, place, top, place, bottom)
        if self._layout.upright:
            self._line(strong, plot.left, plot.bottom, plot.right, plot.bottom)
        else:
            for number in self._rows_in_sight():
                y = self._row_top(number)
                # Between rows as low as their words a line would touch these.
                if y >= plot.top - 0.5 and (number == 0 or self._layout.cell >= DENSE_ROW):
                    self._line(strong, 0.0, y, self._layout.values.right, y)
            self._line(strong, 0.0, plot.bottom, self._layout.values.right, plot.bottom)
        self._paint_rules()

    def paint_above(self) -> None:
        """Words, and the marks at the edges."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._paint_axis()
        if self._layout.upright:
            self._paint_cells()
        else:
            self._paint_heads()
            self._paint_rows()
            area = hint_area(self._layout)
            self._write(
                self._window.hidden,
                QRectF(area.left, area.top, area.width, area.height),
                self._fonts.note,
                self._theme.accent,
                _LEFT,
            )
        for edge in self._figure.edges:
            self._paint_edge(edge)
        for label, place in self._label_places():
            self._paint_label(label, place)

    def _ticks(self) -> list[tuple[Tick, float]]:
        axis, window = self._figure.axis, self._window
        low, high = (10.0**window.low, 10.0**window.high) if axis.is_log else (window.low, window.high)
        if self._layout.upright:
            ticks = ticks_of(axis, low, high, int(self._layout.plot.height / _TICK_ROOM_UPRIGHT))
        else:
            width_of = QFontMetricsF(self._fonts.tick).horizontalAdvance
            ticks = ticks_that_fit(axis, low, high, self._at, width_of, self._layout.plot.width)
        return [(tick, self._at(tick.value)) for tick in ticks]

    def _at(self, value: float) -> float:
        """The pixel of a value along the axis."""
        window, plot = self._window, self._layout.plot
        coordinate = math.log10(value) if self._figure.axis.is_log else value
        part = (coordinate - window.low) / (window.high - window.low)
        return plot.bottom - part * plot.height if self._layout.upright else plot.left + part * plot.width

    def _row_top(self, number: int) -> float:
        return self._layout.plot.top + number * self._layout.cell - self._window.scroll

    def _rows_in_sight(self) -> range:
        first = max(0, math.floor(self._window.scroll / self._layout.cell))
        last = math.ceil((self._window.scroll + self._layout.plot.height) / self._layout.cell - 1e-6)
        return range(first, min(last, len(self._figure.rows)))

    def _paint_new(self) -> None:
        """Grounds of the newest runs, with a bar before each row of the plot or below each of its columns."""
        plot, cell = self._layout.plot, self._layout.cell
        for number, row in enumerate(self._figure.rows):
            if not row.is_new:
                continue
            area = self._ground_of(number)
            self._paint_ground(area, _NEW)
            if self._layout.upright:
                bar = QRectF(area.left() + _BAR, plot.bottom - _BAR, cell - 2 * _BAR, _BAR)
            else:
                bar = QRectF(self._layout.labels.right + _BAR, area.top() + 1, _BAR, area.height() - 1)
            self._painter.fillRect(bar, QColor(self._theme.accent))

    def _paint_hovered(self) -> None:
        if 0 <= self._window.hovered < len(self._figure.rows) and not self._figure.rows[self._window.hovered].heading:
            self._paint_ground(self._ground_of(self._window.hovered), _HOVERED)

    def _ground_of(self, number: int) -> QRectF:
        """The part of a row, or of a column in an upright plot, that is in sight."""
        plot, cell = self._layout.plot, self._layout.cell
        if self._layout.upright:
            return QRectF(plot.left + number * cell, plot.top, cell, plot.height)
        rows = QRectF(0.0, plot.top, self._layout.values.right, plot.height)
        return QRectF(0.0, self._row_top(number), self._layout.values.right, cell).intersected(rows)

    def _paint_ground(self, area: QRectF, strength: float) -> None:
        colour = QColor(self._theme.selected)
        colour.setAlphaF(strength)
        self._painter.fillRect(area, colour)

    def _paint_rules(self) -> None:
        plot = self._layout.plot
        for rule in self._figure.rules:
            place = self._at(rule.value)
            if not plot.left <= place <= plot.right:
                continue
            self._painter.setPen(QPen(QColor(self._theme.muted), 1.0, Qt.PenStyle.DashLine))
            self._painter.drawLine(QPointF(round(place), round(plot.top)), QPointF(round(place), round(plot.bottom)))
            width = QFontMetricsF(self._fonts.note).horizontalAdvance(rule.words) + 4
            measure = QFontMetricsF(self._fonts.head).horizontalAdvance
            names, figures = (measure(text.upper()) for text in self._figure.heads)
            left = rule_left(width, place, self._layout, (names, figures))
            self._write(
                rule.words,
                QRectF(left, 0.0, width, self._layout.head.height),
                self._fonts.note,
                self._theme.text,
                _CENTRE,
            )

    def _paint_heads(self) -> None:
        left, right = self._figure.heads
        head = self._layout.head
        for text, area, align in ((left, self._layout.labels, _LEFT), (right, self._layout.values, _RIGHT)):
            place = QRectF(area.left, head.top, area.width, head.height)
            self._write(text.upper(), place, self._fonts.head, self._theme.muted, align)

    def _paint_rows(self) -> None:
        painter, layout = self._painter, self._layout
        painter.save()
        whole = QRectF(0.0, layout.plot.top, layout.values.right + 1, layout.plot.height)
        painter.setClipRect(whole)
        for number in self._rows_in_sight():
            row = self._figure.rows[number]
            top = self._row_top(number)
            if row.heading:
                self._paint_heading(row.heading, top)
                continue
            if self._columns is not None:
                self._one_line(row, number, self._columns, top)
                continue
            self._two_lines(row.name, row.detail, layout.labels, top, _LEFT, row)
            self._two_lines(row.value, row.note, layout.values, top, _RIGHT, row)
        painter.restore()

    def _paint_heading(self, text: str, top: float) -> None:
        """A band across the plot, so that no line across it joins two groups."""
        width, height = self._layout.values.right, self._layout.cell
        ground = QColor(self._theme.selected)
        self._painter.fillRect(QRectF(0.0, top + 1, width + 1, height - 1), ground)
        self._write(text, QRectF(4.0, top, width - 4.0, height), self._fonts.name, self._theme.text, _LEFT)

    def _one_line(self, row: Row, number: int, columns: LineColumns, top: float) -> None:
        """Name and what stands beside it at the left, note and figure at the right."""
        layout, fonts, theme, line = self._layout, self._fonts, self._theme, columns.lines[number]
        labels, values, height = layout.labels, layout.values, layout.cell
        name = columns.names if columns.aligned else QFontMetricsF(fonts.name).horizontalAdvance(row.name)
        place = QRectF(labels.left, top, labels.width, height)
        self._write(row.name, place, fonts.name, theme.text, _LEFT, _MIDDLE)
        left = labels.left + name + BESIDE
        if columns.titles:
            self._write(line.title, QRectF(left, top, columns.titles, height), fonts.note, theme.muted, _LEFT)
            left += columns.titles + BESIDE
        self._write(line.beside, QRectF(left, top, labels.right - left, height), fonts.detail, theme.muted, _LEFT)
        if columns.fills:
            self._write_whole(row.title, QRectF(left, top, labels.right - left, height), fonts.note)
        self._write(
            row.value, QRectF(values.left, top, values.width, height), fonts.value, tone_colour(row.tone, theme), _RIGHT
        )
        room = values.width - columns.values - BESIDE
        self._write(line.note, QRectF(values.left, top, room, height), fonts.note, note_colour(row.tone, theme), _RIGHT)

    def _two_lines(self, first: str, second: str, area: Area, top: float, align: Qt.AlignmentFlag, row: Row) -> None:
        is_figure = align == _RIGHT
        fonts, theme = self._fonts, self._theme
        upper, lower = (fonts.value, fonts.note) if is_figure else (fonts.name, fonts.detail)
        colours = (
            (tone_colour(row.tone, theme), note_colour(row.tone, theme)) if is_figure else (theme.text, theme.muted)
        )
        middle, elide = top + self._layout.cell / 2, _END if is_figure else _MIDDLE
        if not is_figure and has_room_below_only(row, area, fonts):
            second = below_name(row)
        elif not is_figure:
            self._paint_beside(row, area, middle - 17 if second else middle - 9)
        if not second:
            self._write(first, QRectF(area.left, middle - 9, area.width, 18), upper, colours[0], align, elide)
            return
        lines = note_lines(second, lower, area.width, self._layout.cell) if is_figure else [second]
        up = NOTE_LINE / 2 * (len(lines) - 1)
        self._write(first, QRectF(area.left, middle - 17 - up, area.width, 18), upper, colours[0], align, elide)
        for at, line in enumerate(lines):
            place = QRectF(area.left, middle + 1 - up + at * NOTE_LINE, area.width, 15)
            self._write(line, place, lower, colours[1], align)

    def _paint_beside(self, row: Row, area: Area, top: float) -> None:
        """The size, and behind it the kernel's title where the whole of it has room."""
        left = behind_name(row, area, self._fonts)
        if row.beside:
            place = QRectF(left, top + 1, area.right - left, 18)
            self._write(row.beside, place, self._fonts.detail, self._theme.muted, _LEFT)
            left += QFontMetricsF(self._fonts.detail).horizontalAdvance(row.beside) + BESIDE_NAME
        self._write_whole(row.title, QRectF(left, top + 1, area.right - left, 18), self._fonts.note)

    def _paint_cells(self) -> None:
        layout, fonts, theme = self._layout, self._fonts, self._theme
        for number, row in enumerate(self._figure.rows):
            left = layout.labels.left + number * layout.cell
            top = layout.labels.top + 6
            for text, font, colour, offset in (
                (row.name, fonts.name, theme.text, 0.0),
                (row.value, fonts.value, tone_colour(row.tone, theme), 19.0),
                (row.note, fonts.note, note_colour(row.tone, theme), 36.0),
            ):
                self._write(text, QRectF(left + 2, top + offset, layout.cell - 4, 18), font, colour, _CENTRE)
        left_head, _ = self._figure.heads
        place = QRectF(0.0, layout.labels.top + 6, layout.plot.left - 12, 18)
        self._write(left_head.upper(), place, fonts.head, theme.muted, _RIGHT)

    def _paint_axis(self) -> None:
        layout, theme = self._layout, self._theme
        middle = layout.axis.top + layout.axis.height / 2
        for tick, place in self._ticks():
            if not tick.words:
                continue
            if layout.upright:
                area = QRectF(0.0, place - 9, layout.plot.left - 10, 18)
                self._write(tick.words, area, self._fonts.tick, theme.muted, _RIGHT)
            else:
                width = QFontMetricsF(self._fonts.tick).horizontalAdvance(tick.words) + 2
                left = min(max(place - width / 2, 0.0), layout.head.width - width)
                self._write(tick.words, QRectF(left, middle - 18, width, 16), self._fonts.tick, theme.muted, _CENTRE)
        if layout.upright:
            area = QRectF(0.0, 0.0, layout.head.width, layout.head.height - 6)
            self._write(self._figure.axis.words, area, self._fonts.note, theme.muted, _LEFT)
        else:
            width = QFontMetricsF(self._fonts.note).horizontalAdvance(self._figure.axis.words) + 4
            left = max(0.0, min(layout.axis.left + (layout.axis.width - width) / 2, layout.head.width - width))
            self._write(
                self._figure.axis.words, QRectF(left, middle, width, 18), self._fonts.note, theme.muted, _CENTRE
            )

    def _label_places(self) -> list[tuple[BarLabel, LabelPlace]]:
        half, labels = self._layout.cell / 2, self._figure.labels
        spans = [Span(self._at(one.low), self._at(one.high), self._row_top(one.place) + half) for one in labels]
        return label_places(labels, spans, self._layout, self._fonts.value)

    def _paint_label(self, label: BarLabel, place: LabelPlace) -> None:
        """The words of a bar of a plot with rows."""
        font = self._fonts.value
        if place.is_behind:
            self._write(place.words, place.area, font, self._theme.text, _LEFT)
        else:
            # Its letters, from capitals to underscores, in the middle of the bar.
            area = place.area.translated(0.0, -QFontMetricsF(font).descent() / 4)
            looks = (one.look for one in self._figure.series if one.form is Form.BARS and label.place in one.places)
            colour = self._theme.text if any(map(is_hollow_bar, looks)) else self._theme.on_accent
            self._write(place.words, area, font, colour, _RIGHT)

    def _paint_edge(self, edge: Edge) -> None:
        """A triangle that points beyond the axis, and the words beside it."""
        layout, plot = self._layout, self._layout.plot
        colour = QColor(STYLES[edge.look].colour(self._theme))
        is_low = edge.side is Side.LOW
        if layout.upright:
            x = plot.left + (edge.place + 0.5) * layout.cell
            y = plot.bottom - 5 if is_low else plot.top + 5
            towards = QPointF(0.0, 5.0 if is_low else -5.0)
            area = QRectF(x - layout.cell / 2, y - 26 if is_low else y + 8, layout.cell, 18)
            align = _CENTRE
        else:
            y = self._row_top(edge.place) + layout.cell / 2
            if not plot.top <= y <= plot.bottom:
                return
            x = plot.left + 6 if is_low else plot.right - 6
            towards = QPointF(-5.0 if is_low else 5.0, 0.0)
            area = QRectF(x + 10, y - 9, 120, 18) if is_low else QRectF(x - 130, y - 9, 120, 18)
            align = _LEFT if is_low else _RIGHT
        tip, across = QPointF(x, y) + towards, QPointF(towards.y(), towards.x())
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(QPolygonF([tip, QPointF(x, y) - towards + across, QPointF(x, y) - towards - across]))
        if layout.dense or any(one.form is Form.BARS for one in self._figure.series):
            self._pale(edge.words, area, align)
        self._write(edge.words, area, self._fonts.note, self._theme.text, align)

    def _pale(self, text: str, area: QRectF, align: Qt.AlignmentFlag) -> None:
        """Make marks faint where words go over them: in a low row, or beside a bar, they have nowhere else to go."""
        width = QFontMetricsF(self._fonts.note).horizontalAdvance(text) + 4
        left = area.left() - 2 if align == _LEFT else area.right() + 2 - width
        ground = QColor(self._theme.canvas)
        ground.setAlphaF(_PALE)
        height = min(self._layout.cell, 16.0)
        self._painter.fillRect(QRectF(left, area.center().y() - height / 2, width, height), ground)

    def _write(
        self,
        text: str,
        area: QRectF,
        font: QFont,
        colour: str,
        align: Qt.AlignmentFlag,
        elide: Qt.TextElideMode = _END,
    ) -> None:
        if not text or area.width() < _NARROWEST:
            return
        shown = QFontMetricsF(font).elidedText(text, elide, area.width() + 0.5)
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        self._painter.drawText(area, int(align) | int(Qt.TextFlag.TextDontClip), shown)

    def _write_whole(self, text: str, area: QRectF, font: QFont) -> None:
        """Write muted words where all of them have room."""
        if QFontMetricsF(font).horizontalAdvance(text) <= area.width():
            self._write(text, area, font, self._theme.muted, _LEFT)

    def _line(self, colour: QColor, x0: float, y0: float, x1: float, y1: float) -> None:
        paint_grid_line(self._painter, colour, QPointF(x0, y0), QPointF(x1, y1))
