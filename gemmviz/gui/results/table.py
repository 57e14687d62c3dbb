"""Every run of the session as a table to sort, filter, choose from, copy and delete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QMimeData, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.alike import CIRCUMSTANCES, columns_alike, words_for_alike
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Column, Key
from gemmviz.explain.runs.rows import Item, RunRow
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.results.arrangement import Arrangement, arrangement_from
from gemmviz.gui.results.column_menu import ColumnMenu
from gemmviz.gui.results.frozen_column import FrozenColumn
from gemmviz.gui.results.heading import ResultsHeading, caption
from gemmviz.gui.results.model import RunTableModel, SortedRuns
from gemmviz.gui.results.text import as_html, as_tabs, copied, copied_words
from gemmviz.gui.results.view import ROW_HEIGHT, RunsView
from gemmviz.gui.results.whole_rows import WholeRows
from gemmviz.gui.widgets.allowed import allow, allow_action
from gemmviz.gui.widgets.clipboard import put_on_clipboard
from gemmviz.gui.widgets.plain_text import plain_text

NOTHING_YET = "Your runs are listed here."
NO_MATCH = "No run matches. Clear the filter to see all runs."
NO_RESULTS = "There are no results yet"
NO_ROW = "Choose a row first"
IS_ALIKE = "The same in all rows, so it stands above the table."
COPY_TIP = "Copy the chosen rows, or all, with the columns in sight, as a rounded table with its source (Ctrl+C)"
COPY_WHOLE_TIP = "Copy the chosen rows, or all, with the columns to scroll to as well"
ICON = 16
ROOM_FOR_WORDS = 900
"""Width in pixels from which the buttons have words."""


class ResultsTable(WholeRows):
    """The runs of a session. `reference` is the kernel id that × CPU compares with; "" for the newest CPU kernel."""

    selection_changed = Signal(object)
    """The chosen RunResults in the order of the rows, a tuple; empty where none is chosen."""
    delete_asked = Signal(object)
    """The chosen RunResults and RunErrors, a tuple."""
    settings_asked = Signal(object)
    """The RunResult whose settings are wanted in the experiment."""
    rows_copied = Signal(str)
    """Rows are on the clipboard: how many, and how many of their columns, in words."""
    filled = Signal()
    """There are rows where there were none, or the other way round."""
    counted = Signal()
    """There are more rows or fewer."""
    pointed = Signal(object)
    """The RunResult or RunError whose row the mouse is at, or None."""
    csv_asked = Signal(object)
    """The RunResults to write as CSV: the chosen ones, or all that are shown."""

    def __init__(self, reference: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._told: tuple[RunResult, ...] = ()
        self._alike: frozenset[Key] = frozenset()
        self._runs = RunTableModel(reference, self)
        self._sorted = SortedRuns(self._runs, self)
        self._view = RunsView(self)
        self._heading = ResultsHeading()
        self._filter = self._make_filter()
        self._use = self._button(
            "resultsUse", "Use settings", "undo", "Load the settings of the chosen run (Enter)", self._on_settings
        )
        self._copy = self._button("resultsCopy", "Copy", "copy", COPY_TIP, self.copy_rows)
        self._csv = self._button(
            "resultsCsv", "CSV…", "table", "Write the chosen runs, or all, as CSV in full precision", self._on_csv
        )
        self._delete = self._button("resultsDelete", "Delete", "trash", "Remove chosen rows (Delete)", self._on_delete)
        self._columns = self._button("resultsColumns", "Columns", "", "Choose which columns to show", None)
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._column_menu = ColumnMenu(self)
        self._columns.setMenu(self._column_menu)
        self._copy.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self._copy.setMenu(QMenu(self))
        self._copy_whole = QAction("Copy all columns", self)
        self._copy_whole.triggered.connect(partial(self.copy_rows, whole=True))
        self._copy.menu().addAction(self._copy_whole)
        self._copy_whole.setObjectName("resultsCopyWhole")
        self._copy_whole.setToolTip(plain_text(COPY_WHOLE_TIP))
        self._copy.menu().setToolTipsVisible(True)
        self._lay_out()
        self._connect()
        self.set_theme(LIGHT)
        self._leave_out()
        self._tell()

    def show_session(self, session: Session, compared: Session | None = None) -> None:
        """Show the runs of a session, of which the charts compare those of `compared`, None: all; what is chosen stays
        chosen. The newest of new rows comes into view."""
        was_empty, count = self.is_empty, self._sorted.rowCount()
        chosen = self._chosen_items()
        self._runs.set_session(session, compared)
        self._leave_out()
        self._view.show_rows(self._runs.rows)
        if chosen and not self._chosen_items():
            self._choose(chosen)
        if self._sorted.rowCount() > count:
            last = self._sorted.mapFromSource(self._runs.index(len(self._runs.rows) - 1, 0))
            # The view lays new rows out later, and until then scrolls no further than to its old end.
            self._view.doItemsLayout()
            self._view.scrollTo(last)
        self._tell()
        if self.is_empty != was_empty:
            self.filled.emit()
        if self._sorted.rowCount() != count:
            self.counted.emit()

    def _leave_out(self) -> None:
        """Keep columns out of sight that have no figures, or are the same in all rows: those are named above them."""
        self._alike = columns_alike(self._runs.rows)
        self._view.leave_out((*self._runs.places_without_figures(), *(PLACE[key] for key in self._alike)))
        self._heading.show_in_common(words_for_alike(self._runs.rows, self._alike))
        for action, column in zip(self._column_menu.columns, COLUMNS, strict=True):
            if column.key in CIRCUMSTANCES:
                allow_action(action, IS_ALIKE if column.key in self._alike else "")

    @Slot()
    def forget_order(self) -> None:
        """Show all rows in the order of the session, as before a person sorted or filtered them."""
        self._filter.clear()
        self._view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    @property
    def is_empty(self) -> bool:
        """Whether the session has no run to show."""
        return not self._runs.rows

    @property
    def whole_height(self) -> int:
        """Pixels with which every row of the session is in sight."""
        header, bar = self._view.horizontalHeader().sizeHint(), self._view.horizontalScrollBar().sizeHint()
        frame = 2 * self._view.frameWidth()
        return self._view.y() + header.height() + ROW_HEIGHT * len(self._runs.rows) + bar.height() + frame

    def selected(self) -> tuple[RunResult, ...]:
        """The chosen runs in the order of the rows."""
        return tuple(item for item in self._chosen_items() if isinstance(item, RunResult))

    def select(self, runs: Iterable[RunResult]) -> None:
        """Choose these runs and no others."""
        self._choose(tuple(runs))

    def copy_text(self, *, whole: bool = False) -> str:
        """Put the chosen rows, or all that are shown, on the clipboard as they are in sight, with their source, as text
        and as an HTML table; the text. A `whole` copy has the columns that are scrolled out of sight, too.
        """
        table = copied(self._chosen_rows() or self._shown_rows(), self._shown_columns(only_in_sight=not whole))
        data = QMimeData()
        text = as_tabs(table)
        data.setText(text)
        data.setHtml(as_html(table))
        put_on_clipboard(data)
        return text

    def state(self) -> str:
        """How the columns and the rows are arranged, as text for the settings."""
        return self._view.arrangement().as_text

    def restore(self, text: str) -> bool:
        """Take what `state` gave; False for a text that is none of its own, which changes nothing."""
        arrangement = arrangement_from(text)
        if arrangement is None:
            return False
        self._arrange(arrangement)
        return True

    def _arrange(self, arrangement: Arrangement) -> None:
        self._view.arrange(arrangement)
        for place, action in enumerate(self._column_menu.columns):
            action.setChecked(self._view.wants(place))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._runs.set_theme(theme)
        self._view.set_theme(theme)
        for button in (self._use, self._copy, self._csv, self._delete):
            button.setIcon(icon(button.property("icon_name"), theme, theme.muted))

    def _make_filter(self) -> QLineEdit:
        line = QLineEdit()
        line.setObjectName("resultsFilter")
        line.setAccessibleName("Filter the results")
        line.setToolTip("Show the rows that have all of these words, for instance: tiled 512")
        line.setPlaceholderText("Filter: tiled 512")
        line.setClearButtonEnabled(True)
        line.setMaximumWidth(220)
        line.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return line

    def _button(self, name: str, text: str, icon_name: str, tip: str, slot: Callable[[], None] | None) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setText(text)
        button.setToolTip(plain_text(tip))
        button.setAccessibleName(text.rstrip("…"))
        button.setProperty("icon_name", icon_name)
        button.setIconSize(QSize(ICON, ICON))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if icon_name:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        if slot is not None:
            button.clicked.connect(slot)
        return button

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(13, 4, 8, 4)
        bar.setSpacing(4)
        bar.addWidget(self._heading, 1)
        for widget in (self._filter, self._use, self._copy, self._csv, self._delete, self._columns):
            bar.addWidget(widget)
        bar.insertSpacing(2, 8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self._view, 1)
        self._view.setModel(self._sorted)
        header = self._view.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(False)
        header.setHighlightSections(False)
        header.setAccessibleName("Columns of the results")
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._view.setSortingEnabled(True)
        self._view.arrange(self._view.first_arrangement())
        self._frozen = FrozenColumn(self._view, PLACE[Key.KERNEL], "resultsFrozen", "Kernels of the results")
        self._view.laid_out.connect(self._frozen.place)

    def _connect(self) -> None:
        self._filter.textChanged.connect(self._on_filter)
        self._view.horizontalHeader().sortIndicatorChanged.connect(self._show_from_top)
        self._view.horizontalHeader().customContextMenuRequested.connect(self._on_header_menu)
        self._view.selectionModel().selectionChanged.connect(lambda *_: self._tell())
        self._view.pointed.connect(self.pointed)
        self._view.copy_pressed.connect(self.copy_rows)
        self._view.delete_pressed.connect(self._on_delete)
        self._view.settings_pressed.connect(self._on_settings)
        self._view.doubleClicked.connect(self._on_settings)
        self._view.menu_asked.connect(self._on_menu)
        self._view.laid_out.connect(self._show_whole_rows)
        for action in self._column_menu.columns:
            action.toggled.connect(self._on_column_toggled)
        self._column_menu.reset.triggered.connect(lambda: self._arrange(self._view.first_arrangement()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow the buttons show their icons only, so that the caption can be read."""
        super().resizeEvent(event)
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonIconOnly if event.size().width() < ROOM_FOR_WORDS else style.ToolButtonTextBesideIcon
        for button in (self._use, self._copy, self._csv, self._delete):
            button.setToolButtonStyle(wanted)

    @Slot()
    def _show_whole_rows(self) -> None:
        """Leave room below rows that can be scrolled, so that the first and the last in sight are whole."""
        self.show_whole_rows(self._view, self._sorted.rowCount(), ROW_HEIGHT)

    def _shown_columns(self, *, only_in_sight: bool) -> list[Column]:
        """From left to right, with those that stand above the table: copied rows may be the only ones of their size."""
        shown = self._view.places_in_sight() if only_in_sight else self._view.places_shown()
        above = {place for place in map(PLACE.__getitem__, self._alike) if self._view.wants(place)}
        return [COLUMNS[place] for place in self._view.places_in_order() if place in above or place in shown]

    def _shown_rows(self) -> list[RunRow]:
        return [self._sorted.row(self._sorted.index(place, 0)) for place in range(self._sorted.rowCount())]

    def _chosen_rows(self) -> list[RunRow]:
        places = sorted({index.row() for index in self._view.selectionModel().selectedRows()})
        return [self._sorted.row(self._sorted.index(place, 0)) for place in places]

    def _chosen_items(self) -> tuple[Item, ...]:
        return tuple(row.item for row in self._chosen_rows())

    def _choose(self, items: tuple[Item, ...]) -> None:
        wanted = {id(item) for item in items}
        selection = QItemSelection()
        for place, row in enumerate(self._shown_rows()):
            if id(row.item) in wanted:
                index = self._sorted.index(place, 0)
                selection.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        self._view.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)

    def _tell(self) -> None:
        """Bring caption and buttons up to what is there and chosen; tell the chosen runs if they are others."""
        items, chosen = self._runs.rows, self._chosen_items()
        runs = tuple(item for item in chosen if isinstance(item, RunResult))
        failed = sum(row.failed for row in items)
        self._heading.show_caption(caption(len(items), failed, self._sorted.rowCount(), len(runs), self._runs.charted))
        self._view.set_empty_words(NO_MATCH if items else NOTHING_YET)
        allow(self._use, "" if len(runs) == 1 else NO_ROW if not runs else "Choose a single run")
        allow(self._delete, "" if chosen else NO_ROW)
        for button in (self._copy, self._csv):
            allow(button, "" if items else NO_RESULTS)
        allow_action(self._copy_whole, "" if items else NO_RESULTS)
        if [id(run) for run in runs] != [id(run) for run in self._told]:
            self._told = runs
            self.selection_changed.emit(runs)

    @Slot(str)
    def _on_filter(self, text: str) -> None:
        self._sorted.set_filter(text)
        self._show_from_top()
        self._tell()

    @Slot()
    def _show_from_top(self) -> None:
        """Scroll to the chosen row if there is one, or else to the first, since rows that come in another order, or
        that are others, leave the view in their middle.
        """
        self._view.doItemsLayout()  # which the view would do later, and until then scrolls within the old rows
        chosen = self._view.selectionModel().selectedRows()
        if chosen:
            self._view.scrollTo(min(chosen, key=lambda index: index.row()))
        else:
            self._view.scrollToTop()

    @Slot()
    def copy_rows(self, *, whole: bool = False) -> None:
        """Copy the rows where there are some, and tell so."""
        if self._runs.rows:
            self.copy_text(whole=whole)
            shown, seen = len(self._view.places_shown()), len(self._view.places_in_sight())
            rows = len(self._chosen_rows() or self._shown_rows())
            self.rows_copied.emit(copied_words(rows, shown if whole else seen, shown))

    @Slot()
    def _on_csv(self) -> None:
        rows = self._shown_rows()
        self.csv_asked.emit(self.selected() or tuple(row.item for row in rows if isinstance(row.item, RunResult)))

    @Slot()
    def _on_delete(self) -> None:
        chosen = self._chosen_items()
        if chosen:
            self.delete_asked.emit(chosen)

    @Slot()
    def _on_settings(self) -> None:
        index = self._view.currentIndex()
        runs = self.selected()
        item = self._sorted.row(index).item if index.isValid() else None
        if isinstance(item, RunResult) and (item in runs or not runs):
            self.settings_asked.emit(item)
        elif len(runs) == 1:
            self.settings_asked.emit(runs[0])

    @Slot(bool)
    def _on_column_toggled(self, shown: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._view.want(int(action.data()), shown)
            self._view.fit_columns()

    @Slot(QPoint)
    def _on_header_menu(self, place: QPoint) -> None:
        self._column_menu.popup(self._view.horizontalHeader().mapToGlobal(place))

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        self.context_menu().popup(place)

    def context_menu(self) -> QMenu:
        """The menu of the rows; it deletes itself when it closes."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self._use, self._copy, self._csv, self._delete):
            action = menu.addAction(button.icon(), button.text(), button.click)
            action.setEnabled(button.isEnabled())
            action.setToolTip(plain_text(button.toolTip()))
            action.setObjectName(f"{button.objectName()}Action")
            if button is self._copy:
                menu.addAction(self._copy_whole)
        menu.addSeparator()
        menu.setToolTipsVisible(True)
        select_all = menu.addAction("Select all", self._view.selectAll)
        allow_action(select_all, "" if self._sorted.rowCount() else NO_RESULTS)
        select_none = menu.addAction("Select none", self._view.clearSelection)
        allow_action(select_none, "" if self._chosen_items() else NO_ROW)
        return menu
