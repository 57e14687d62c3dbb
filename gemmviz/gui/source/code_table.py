"""The table of a source's lines: keys, clicks, copies, what is scrolled to. Long lines are wrapped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from time import monotonic

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QToolTip, QWidget

from gemmviz.domain.terms import CodeForm, Language
from gemmviz.explain.source.line_figures import MEANINGS, FigureSet, LineFigureKind, figures_of
from gemmviz.explain.source.recorded_lines import SourceLine, first_line, first_of_interest
from gemmviz.explain.source.tokens import tokens_of
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.source.code_delegate import PADDING, ROW_HEIGHT, CodeDelegate
from gemmviz.gui.source.frame_lines import top_for
from gemmviz.gui.source.source_model import (
    CODE,
    FIGURES,
    FIRST_FIGURE,
    NUMBER,
    ShownLine,
    SourceModel,
    as_tooltip,
    heading_of,
)
from gemmviz.gui.widgets.plain_text import copy_text

LEAST_CODE = 116
"""Pixels that the first figure leaves to the code at least."""
READABLE = 34
"""Columns that every further figure leaves to the code; figures without a place are said in the tooltip alone."""
LEAD = 3
"""Lines shown before the first that matters."""
HANDS_OFF_S = 3.0
"""Seconds for which a person's scrolling goes before the lines that run."""


@dataclass(frozen=True, slots=True)
class CodePosition:
    """The rows at the top of the view and of the cursor, from 0; -1 for no cursor."""

    top: int
    current: int


class CodeTable(QTableView):
    """Shows the lines of a file; `clock` gives seconds and tells how long ago a person scrolled."""

    line_chosen = Signal(int)
    """The line that was clicked, or Enter was pressed on."""
    left_out_changed = Signal()
    """`left_out` has other figures."""
    menu_asked = Signal(QPoint)
    """Where to open the menu, on the screen."""

    def __init__(self, name: str, clock: Callable[[], float] = monotonic, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("Source with its recorded figures")
        self._clock, self._scrolled_at = clock, -HANDS_OFF_S
        self._lines = SourceModel(self)
        self._figures: tuple[LineFigureKind, ...] = FigureSet.COST.figures
        self._widths: dict[LineFigureKind, int] = {}
        self.left_out = tuple[LineFigureKind, ...]()
        """The chosen figures that have no room beside the code."""
        self._first, self._folded = -1, True
        self._to_see = -1
        """The row that a new source is opened for, until a person or a frame goes elsewhere."""
        self._delegate = CodeDelegate(self)
        self.setModel(self._lines)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self._set_up_headers()
        self.clicked.connect(self._on_clicked)
        self.verticalScrollBar().actionTriggered.connect(self._on_scrolled)

    def _set_up_headers(self) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setStyleSheet(f"QHeaderView::section {{ padding: 4px {PADDING}px; }}")
        head.setHighlightSections(False)
        head.setMinimumSectionSize(0)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # Not Stretch for the code: Qt then counts sections wrongly that are shown or hidden while it stretches.

    def show_lines(
        self,
        lines: Sequence[SourceLine],
        language: Language,
        scope: str = "",
        counted: str = "",
        form: CodeForm = CodeForm.AS_WRITTEN,
        begin: int = 0,
    ) -> None:
        """Show these lines, from shortly before the first that touches memory; where none is known to, from `begin` on.

        `scope` is what was recorded ("1 of 4 blocks"), `counted` says it in the head of the figures ("of this block"),
        `form` is of which form of the kernel the figures are.
        """
        tokens = tokens_of([line.code for line in lines], language)
        rows = [ShownLine(*row) for row in zip(lines, tokens, figures_of(lines, scope, form), strict=True)]
        self._lines.set_rows(rows, counted)
        self._widths = {figure: self._width_of(figure) for figure in FIGURES if self.has_figures((figure,))}
        self._fit_columns()
        self._fold()
        interest = first_of_interest(tuple(lines))
        start = max(interest - LEAD if interest else begin, self.header_lines + 1)
        self._first, self._to_see = self._lines.row_of(start), self._lines.row_of(interest)
        self._scrolled_at = -HANDS_OFF_S
        if self.isVisible():
            self._go_to_first()

    @property
    def place(self) -> CodePosition:
        """Where a person is in the text."""
        top, current = self.rowAt(0), self.currentIndex()
        return CodePosition(max(top, 0), current.row() if current.isValid() else -1)

    def return_to(self, place: CodePosition) -> None:
        """Show the lines where those before them were; a place behind the end is the last line."""
        last = len(self._lines.rows) - 1
        if place.current >= 0:
            self._choose(min(place.current, last))
        self._first, self._to_see = min(place.top, last), -1
        if self.isVisible():
            self._go_to_first()

    def show_figures(self, chosen: tuple[LineFigureKind, ...]) -> None:
        """Which figures stand beside the code, where the kernel has them."""
        self._figures = chosen
        self._fit_columns()

    def has_figures(self, chosen: tuple[LineFigureKind, ...]) -> bool:
        """Whether any line has one of these figures."""
        return any(figure in row.figures for row in self._lines.rows for figure in chosen)

    def show_running(self, numbers: Sequence[int]) -> None:
        """Light the lines that run, and bring them into view unless a person has just scrolled."""
        self._lines.set_running(numbers)
        rows = [row for row in map(self._lines.row_of, numbers) if row >= 0 and not self.isRowHidden(row)]
        if rows and self._clock() - self._scrolled_at >= HANDS_OFF_S:
            self._to_see = -1
            bar, place = self.verticalScrollBar(), self.verticalHeader().sectionPosition
            end = place(max(rows)) + self.rowHeight(max(rows))
            bar.setValue(top_for(place(min(rows)), end, bar.value(), self.viewport().height(), ROW_HEIGHT))

    @property
    def header_lines(self) -> int:
        """How many lines the header takes, with the empty ones behind it."""
        return first_line([row.line for row in self._lines.rows]) - 1

    def set_folded(self, folded: bool) -> None:
        """Hide the header's lines, or show them and go to the first."""
        self._folded = folded
        self._fold()
        if not folded:
            self.verticalScrollBar().setValue(0)

    def begin_at(self, number: int) -> None:
        """Let this line be the first in sight; nothing where it is not shown."""
        row = self._lines.row_of(number)
        if row >= 0 and not self.isRowHidden(row):
            self._to_see = -1
            self.scrollTo(self._lines.index(row, CODE), QAbstractItemView.ScrollHint.PositionAtTop)

    def leave_out_plain_lines(self) -> None:
        """Show the lines alone that have a chosen figure or a mark, where any has, until other lines are shown, below
        heads without abbreviations.
        """
        self._lines.has_whole_heads = True
        self._widths = {figure: self._width_of(figure) for figure in self._widths}
        self._fit_columns()
        telling = [bool(row.line.mark) or any(map(row.figures.__contains__, self._figures)) for row in self._lines.rows]
        for row, is_telling in enumerate(telling if any(telling) else ()):
            self.setRowHidden(row, not is_telling)

    def show_line(self, number: int) -> bool:
        """Choose a line by its number and bring it into view; False where it is not shown."""
        row = self._lines.row_of(number)
        if row < 0 or self.isRowHidden(row):
            return False
        self._choose(row)
        self.scrollTo(self._lines.index(row, CODE), QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def _choose(self, row: int) -> None:
        chosen = QItemSelectionModel.SelectionFlag
        self._to_see = -1
        # Not selectRow: that asks the keyboard whether Shift is down.
        self.selectionModel().setCurrentIndex(self._lines.index(row, CODE), chosen.ClearAndSelect | chosen.Rows)

    def text(self, *, whole: bool = False, with_figures: bool = False) -> str:
        """The code of the chosen lines, or of the whole file; with the figures, all of them, tabs between."""
        chosen = sorted({index.row() for index in self.selectionModel().selectedRows()})
        rows = range(len(self._lines.rows)) if whole or not chosen else chosen
        if not with_figures:
            return "\n".join(self._lines.text(row, CODE) for row in rows)
        heads = ("line", "source", *(MEANINGS[figure].name for figure in FIGURES), "in SASS")
        cells = [self._lines.cells(row) for row in rows]
        return "\n".join("\t".join(row) for row in (heads, *cells))

    def explain(self) -> None:
        """Say in a tooltip what the current cell means, as the pointer does."""
        index = self.currentIndex()
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            explained = self._lines.explanation(index.row(), index.column())
            QToolTip.showText(place, as_tooltip(explained), self.viewport(), QRect())

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._delegate.set_theme(theme)
        self.viewport().update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._go_to_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_columns()
        super().resizeEvent(event)
        if self.isVisible():
            self._let_see()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._on_scrolled()
        super().wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        # The window has Ctrl+C as well: a key of the widget with the focus goes before a shortcut of the window.
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._deed_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        deed = self._deed_of(event)
        if deed is not None:
            deed()
            return
        self._on_scrolled()
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard and self.currentIndex().isValid():
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.menu_asked.emit(place)

    def _deed_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key of its own does."""
        if event.matches(QKeySequence.StandardKey.Copy):
            return lambda: copy_text(self.text())
        if event.matches(QKeySequence.StandardKey.WhatsThis):
            return self.explain
        is_plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if is_plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return lambda: self._on_clicked(self.currentIndex())
        return None

    def _width_of(self, figure: LineFigureKind) -> int:
        """Pixels for the widest figure or the heading, whichever is wider."""
        texts = [row.figures[figure].text for row in self._lines.rows if figure in row.figures]
        title = (
            self.horizontalHeader()
            .fontMetrics()
            .size(0, heading_of(figure, is_whole=self._lines.has_whole_heads))
            .width()
        )
        return max([title, *map(self._delegate.width_of, texts)]) + 2 * PADDING

    def _fit_columns(self) -> None:
        """The chosen figures that the kernel has, as many as leave the code a place; the code takes what is left.
        Excess wavefronts, where there are any, go before the others.
        """
        rows, wide = self._lines.rows, self._delegate.width_of
        self.setColumnWidth(NUMBER, wide("0" * max(len(str(len(rows))), 2)) + 2 * PADDING)
        bar = self.verticalScrollBar().sizeHint().width()
        # Room for the scroll bar in any case: a figure that went as it comes would make lines short, and it would go.
        beside = self.viewport().width() - (self.width() - 2 * self.frameWidth() - bar)
        room, least = self.viewport().width() - self.columnWidth(NUMBER) - beside, LEAST_CODE
        before, left_out = self.left_out, list[LineFigureKind]()
        for figure in sorted(FIGURES, key=lambda each: not (each is LineFigureKind.EXCESS and self._has_excess)):
            place = FIGURES.index(figure)
            width = self._widths.get(figure, 0) if figure in self._figures else 0
            if width:  # as wide as the style writes the heading: its letters are heavier, and a hidden one has no hint
                self.setColumnHidden(FIRST_FIGURE + place, False)
                width = max(width, self.horizontalHeader().sectionSizeHint(FIRST_FIGURE + place))
            is_shown = 0 < width <= room - least
            self.setColumnHidden(FIRST_FIGURE + place, not is_shown)
            self.setColumnWidth(FIRST_FIGURE + place, width)
            if width and not is_shown:
                left_out.append(figure)
            if is_shown:
                room, least = room - width, ceil(READABLE * self._delegate.digit) + 2 * PADDING
        self.setColumnWidth(CODE, max(room + beside, 0))
        shown = {each: self.columnWidth(FIRST_FIGURE + at) for at, each in enumerate(FIGURES) if self._has_column(at)}
        self._delegate.fit(self.columnWidth(CODE), shown)
        self.horizontalHeader().setVisible(bool(self._widths))
        self._fit_rows()
        self.left_out = tuple(left_out)
        if self.left_out != before:
            self.left_out_changed.emit()

    @property
    def _has_excess(self) -> bool:
        kind = LineFigureKind.EXCESS
        return any(row.figures[kind].value > 0 for row in self._lines.rows if kind in row.figures)

    def _has_column(self, figure: int) -> bool:
        return not self.isColumnHidden(FIRST_FIGURE + figure)

    def _fit_rows(self) -> None:
        """As high as each line needs, so that all of it can be read."""
        for number, row in enumerate(self._lines.rows):
            wanted = len(self._delegate.pieces_of(row)) * ROW_HEIGHT
            if self.rowHeight(number) not in (0, wanted) or self.isRowHidden(number):
                self.setRowHeight(number, wanted)

    def _fold(self) -> None:
        header = self.header_lines
        for row in range(len(self._lines.rows)):
            if self.isRowHidden(row) != (self._folded and row < header):
                self.setRowHidden(row, self._folded and row < header)

    def _go_to_first(self) -> None:
        """Scroll once to where a new source begins to matter; a view that was never seen has no place to scroll to."""
        if self._first >= 0:
            self.scrollTo(self._lines.index(self._first, 0), QAbstractItemView.ScrollHint.PositionAtTop)
            self._let_see()
        self._first = -1

    def _let_see(self) -> None:
        """In a low view, or below lines that wrap, let the row that matters be the first, without those before it."""
        row = self._to_see
        if row >= 0 and self.rowViewportPosition(row) + self.rowHeight(row) > self.viewport().height() // 2:
            self.scrollTo(self._lines.index(row, CODE), QAbstractItemView.ScrollHint.PositionAtTop)

    @Slot()
    def _on_scrolled(self) -> None:
        self._scrolled_at, self._to_see = self._clock(), -1

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        if index.isValid():
            self.line_chosen.emit(self._lines.rows[index.row()].line.number)
