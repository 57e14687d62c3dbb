"""The table view of runs: its columns and how wide they are, its keys, its menu at the row it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.explain.runs.rows import RunRow
from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.results.arrangement import Arrangement, ColumnPlace
from gemmviz.gui.results.cell_delegate import INSET, PADDING, ReasonDelegate, title_left
from gemmviz.gui.results.column_fit import ColumnNeed, fitted_widths
from gemmviz.gui.results.model import ResultRole

ROW_HEIGHT = 26
LEAST_TITLE = 72
"""Pixels that a title needs at least to be told from others where it is cut short."""
_LONGEST_KERNEL, _SHORTEST_PARAMS, _WIDEST_WORDS = 28, 8, 40
"""Digits: what a kernel has at most for its id, what parameters keep, what other words have at most."""
_MEASURED_TEXTS = 50
"""How many of the longest different texts of a column are measured."""
_ARROW, _MARK = 16, 22
"""Pixels of the arrow in a heading that rows are sorted by, and of the sign in front of a wrong kernel."""


class RunsView(QTableView):
    """Rows of runs. Emits what its keys ask for; the keys are its own while it has the focus."""

    copy_pressed = Signal()
    delete_pressed = Signal()
    settings_pressed = Signal()
    menu_asked = Signal(QPoint)
    """Where to open the menu, on the screen."""
    pointed = Signal(object)
    """The RunResult or RunError whose row the mouse is at; None where it is at none."""
    laid_out = Signal()
    """Rows have come or gone, or there is more or less room for them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultsTable")
        self.setAccessibleName("Results")
        self.setToolTip("Every run of the session. Choose rows to see them in the charts")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.setMouseTracking(True)
        self.entered.connect(lambda index: self.pointed.emit(index.data(ResultRole.ITEM)))
        self.viewportEntered.connect(lambda: self.pointed.emit(None))
        self._reasons = ReasonDelegate(self, self.places_shown, lambda: self.shows_titles)
        self._empty = ""
        self._unwanted: set[int] = set()
        self._chosen_widths: dict[int, int] = {}
        self._is_fitting = False
        self._rows: Sequence[RunRow] = ()
        self._needs: dict[int, ColumnNeed] = {}
        self._kernels: frozenset[str] = frozenset()
        self._without_figures: frozenset[int] = frozenset()
        self.setItemDelegate(self._reasons)
        # A cell's text stands three pixels further in than its padding says; headings must stand above their figures.
        self.setStyleSheet(f"QTableView::item {{ padding: 2px {PADDING}px; }}")
        self.horizontalHeader().setStyleSheet(f"QHeaderView::section {{ padding: 6px {PADDING + INSET}px; }}")
        self.horizontalHeader().sectionResized.connect(self._on_section_resized)
        self.horizontalHeader().sortIndicatorChanged.connect(self.fit_columns)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self.laid_out.emit()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._reasons.set_theme(theme)
        self.viewport().update()

    def places_in_order(self) -> list[int]:
        """The places of all columns in COLUMNS, from left to right."""
        header = self.horizontalHeader()
        return [header.logicalIndex(visual) for visual in range(len(COLUMNS))]

    def places_shown(self) -> list[int]:
        """The places of the columns that are not hidden, from left to right."""
        return [place for place in self.places_in_order() if not self.isColumnHidden(place)]

    def places_in_sight(self) -> list[int]:
        """Those of which at least a half is in sight now; the kernels always are."""
        kernel, places, width = PLACE[Key.KERNEL], self.places_shown(), self.viewport().width()
        middles = [self.columnViewportPosition(place) + self.columnWidth(place) // 2 for place in places]
        return [at for at, middle in zip(places, middles, strict=True) if at == kernel or 0 <= middle <= width]

    def first_arrangement(self) -> Arrangement:
        """How a table begins."""
        widths = [default_width(place, self.fontMetrics().horizontalAdvance("0")) for place in range(len(COLUMNS))]
        places = (
            ColumnPlace(column.key, width, column.is_shown) for column, width in zip(COLUMNS, widths, strict=True)
        )
        return Arrangement(tuple(places))

    def show_rows(self, rows: Sequence[RunRow]) -> None:
        """Take what the rows have in their cells: columns are as wide as that, and titles of kernels are shown where
        each has room beside its id.
        """
        self._rows = tuple(rows)
        self._kernels = frozenset(row.cell(Key.KERNEL).text for row in rows)
        self._needs.clear()
        self.fit_columns()
        self.viewport().update()

    @Slot()
    def fit_columns(self) -> None:
        """Give the columns in sight that have no width of a person's the width that `column_fit` finds for them."""
        if self.model() is None:
            return
        shown = self.places_shown()
        widths = fitted_widths([self._need(place) for place in shown], self.viewport().width())
        self._is_fitting = True
        for place, width in zip(shown, widths, strict=True):
            self.setColumnWidth(place, width)
        self._is_fitting = False

    def _need(self, place: int) -> ColumnNeed:
        column = COLUMNS[place]
        chosen = self._chosen_widths.get(place)
        if chosen is not None:
            return ColumnNeed(column.key, chosen, chosen, is_chosen=True)
        if place not in self._needs:
            self._needs[place] = self._measured(place)
        need = self._needs[place]
        if self.horizontalHeader().sortIndicatorSection() == place:
            heading = self._heading_width(place) + _ARROW
            return replace(need, least=max(need.least, heading), whole=max(need.whole, heading))
        return need

    def _heading_width(self, place: int) -> int:
        header = self.horizontalHeader()
        wanted = header.fontMetrics().horizontalAdvance(COLUMNS[place].title) + 2 * (PADDING + INSET)
        return max(wanted, header.minimumSectionSize())

    def _measured(self, place: int) -> ColumnNeed:
        """What a column needs for its heading and its cells."""
        column, heading = COLUMNS[place], self._heading_width(place)
        metrics = QFontMetrics(figures()) if column.is_figure else self.fontMetrics()
        digit = metrics.horizontalAdvance("0")
        texts = sorted({row.cells[place].text for row in self._rows}, key=len)[-_MEASURED_TEXTS:]
        cells = max(map(metrics.horizontalAdvance, texts), default=0) + 2 * (PADDING + INSET) + 1
        least = whole = max(heading, cells)
        if column.key is Key.KERNEL:
            mark = _MARK if any(row.is_wrong for row in self._rows) else 0
            least = max(heading, min(cells, _LONGEST_KERNEL * digit) + mark)
            titled = (
                title_left(metrics, kernel) + metrics.horizontalAdvance(kernel_name(kernel).title) + PADDING + 1
                for kernel in self._kernels
            )
            whole = max([least, *titled])
        elif column.key is Key.PARAMS:
            least = max(heading, min(cells, _SHORTEST_PARAMS * digit + 2 * (PADDING + INSET)))
        elif not column.is_figure:
            least = whole = max(heading, min(cells, _WIDEST_WORDS * digit))
        return ColumnNeed(column.key, least, whole)

    @Slot(int, int, int)
    def _on_section_resized(self, place: int, before: int, now: int) -> None:
        """Keep the width that a person gives a column; coming into sight and going is a change from and to 0."""
        if not self._is_fitting and before and now:
            self._chosen_widths[place] = now

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit_columns()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._needs.clear()
            self.fit_columns()

    def arrangement(self) -> Arrangement:
        """How it is arranged now; a column that a person gave no width has the width it began with."""
        header, begun = self.horizontalHeader(), self.first_arrangement().places
        places = [
            replace(
                begun[place],
                width=self._chosen_widths.get(place, begun[place].width),
                is_shown=self.wants(place),
            )
            for place in self.places_in_order()
        ]
        by = header.sortIndicatorSection()
        descending = header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        return Arrangement(tuple(places), COLUMNS[by].key if 0 <= by < len(COLUMNS) else None, descending)

    def arrange(self, arrangement: Arrangement) -> None:
        """Columns and rows as given; columns that it does not name stand behind them, as they are."""
        header, begun = self.horizontalHeader(), self.first_arrangement().places
        self._chosen_widths.clear()
        for visual, wanted in enumerate(arrangement.places):
            place = PLACE[wanted.key]
            header.moveSection(header.visualIndex(place), visual)
            self.want(place, wanted.is_shown)
            if wanted.width != begun[place].width:
                self._chosen_widths[place] = wanted.width
        by = PLACE[arrangement.sorted_by] if arrangement.sorted_by is not None else -1
        order = Qt.SortOrder.DescendingOrder if arrangement.descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(by, order)
        self.fit_columns()

    def want(self, place: int, wanted: bool) -> None:
        """Whether a person wants a column; it is in sight if there is also something in it."""
        (self._unwanted.discard if wanted else self._unwanted.add)(place)
        self.setColumnHidden(place, place in self._unwanted or place in self._without_figures)

    def wants(self, place: int) -> bool:
        """Whether a column was not put away."""
        return place not in self._unwanted

    def leave_out(self, places: Iterable[int]) -> None:
        """Columns that have nothing to show now stay out of sight, wanted or not."""
        before, self._without_figures = self._without_figures, frozenset(places)
        for place in before ^ self._without_figures:
            self.want(place, self.wants(place))
        self.fit_columns()

    @property
    def shows_titles(self) -> bool:
        """Whether the column of kernels has room for all titles, of which long ones may be cut short."""
        metrics, width = self.fontMetrics(), self.columnWidth(PLACE[Key.KERNEL])
        for kernel in self._kernels:
            room, title = width - title_left(metrics, kernel) - PADDING, kernel_name(kernel).title
            if title and room < min(LEAST_TITLE, metrics.horizontalAdvance(title)):
                return False
        return True

    def set_empty_words(self, words: str) -> None:
        """What to say in the middle while there is no row."""
        self._empty = words
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty and self.model() is not None and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(self._reasons.muted)
            area = self.viewport().rect().adjusted(PADDING, 0, -PADDING, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty)

    def event(self, event: QEvent) -> bool:
        # The window has Ctrl+C as well: a key of the widget with the focus goes before a shortcut of the window.
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._asked_by(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = self._asked_by(event)
        if asked is None:
            super().keyPressEvent(event)
        else:
            asked.emit()

    def _asked_by(self, event: QKeyEvent) -> SignalInstance | None:
        if event.matches(QKeySequence.StandardKey.Copy):
            return self.copy_pressed
        if event.matches(QKeySequence.StandardKey.Delete):
            return self.delete_pressed
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.settings_pressed
        return None

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard and self.currentIndex().isValid():
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.menu_asked.emit(place)


def default_width(place: int, digit: int) -> int:
    """How wide a column begins, with digits `digit` pixels wide."""
    return COLUMNS[place].width * digit + 2 * PADDING
