"""The results table as Qt models: rows that grow without a reset, and their sorted and filtered view."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFont

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.explain.runs.rows import Item, RunRow, in_units, items_in_order, row_of, time_units
from gemmviz.gui.looks.fonts import figures, words
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.results.chosen_runs import comparable_runs
from gemmviz.gui.results.compared import compared_rows
from gemmviz.gui.widgets.plain_text import plain_text

Index = QModelIndex | QPersistentModelIndex

_VERDICTS = frozenset({Key.KERNEL, Key.PASSED})
"""The columns that show that a result is wrong."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ResultRole(IntEnum):
    """Roles beyond Qt's own."""

    ITEM = Qt.ItemDataRole.UserRole + 1
    """The RunResult or RunError."""


class RunTableModel(QAbstractTableModel):
    """One row for each run and each failed run of a session; `reference` is the kernel that × CPU compares with."""

    def __init__(self, reference: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reference = reference
        self._rows: list[RunRow] = []
        self.charted: tuple[RunResult, ...] = ()
        """The runs that the charts show while none is chosen."""
        self._units: dict[Key, str] = {}
        self._written: set[int] = set()
        """The items whose rows have their times in these units, by their id."""
        self._theme = LIGHT
        self._figures = figures()
        self._bold = words(weight=QFont.Weight.DemiBold)

    @property
    def rows(self) -> list[RunRow]:
        """The rows in the order of the session; not to be changed."""
        return self._rows

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(*self._corners(), [Qt.ItemDataRole.ForegroundRole, Qt.ItemDataRole.DecorationRole])

    def set_session(self, session: Session, compared: Session | None = None) -> None:
        """Show the runs of a session, of which the charts compare those of `compared`, None: all; rows that are
        there already stay as they are, and so does what is chosen.
        """
        items, self.charted = items_in_order(session), comparable_runs((compared or session).runs)
        wanted = {id(item) for item in items}
        self._remove_all_but(wanted)
        known = {id(row.item) for row in self._rows}
        if [id(row.item) for row in self._rows] == [id(item) for item in items if id(item) in known]:
            self._insert_missing(items, known)
        else:
            self._replace(items)
        self._compare()
        self._write_units()

    def _remove_all_but(self, wanted: set[int]) -> None:
        last = len(self._rows) - 1
        while last >= 0:
            if id(self._rows[last].item) in wanted:
                last -= 1
                continue
            first = last
            while first > 0 and id(self._rows[first - 1].item) not in wanted:
                first -= 1
            self.beginRemoveRows(QModelIndex(), first, last)
            del self._rows[first : last + 1]
            self.endRemoveRows()
            last = first - 1

    def _insert_missing(self, items: list[Item], known: set[int]) -> None:
        place = 0
        while place < len(items):
            if id(items[place]) in known:
                place += 1
                continue
            stop = place
            while stop < len(items) and id(items[stop]) not in known:
                stop += 1
            new = [row_of(item) for item in items[place:stop]]
            self.beginInsertRows(QModelIndex(), place, stop - 1)
            self._rows[place:place] = new
            self.endInsertRows()
            place = stop

    def _replace(self, items: list[Item]) -> None:
        kept = {id(row.item): row for row in self._rows}
        rows = [kept.get(id(item)) or row_of(item) for item in items]
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _compare(self) -> None:
        changed = []
        for place, compared in enumerate(compared_rows(self._rows, self._reference)):
            if compared is not self._rows[place]:
                self._rows[place] = compared
                changed.append(place)
        if changed:
            first, last = PLACE[Key.TIMES_CPU], PLACE[Key.TIMES_LIBRARY]
            self.dataChanged.emit(self.index(changed[0], first), self.index(changed[-1], last))

    def _write_units(self) -> None:
        """Write each column of times in one unit, that of the greatest of all rows."""
        units = time_units(self._rows)
        if units != self._units:
            self._units, self._written = units, set()
        new = [place for place, row in enumerate(self._rows) if id(row.item) not in self._written]
        self._written = {id(row.item) for row in self._rows}
        changed = []
        for place in new:
            row = in_units(self._rows[place], units)
            if row is not self._rows[place]:
                self._rows[place] = row
                changed.append(place)
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(COLUMNS) - 1))

    def places_without_figures(self) -> list[int]:
        """The columns that come with figures and have none in any row."""
        return [
            place
            for place, column in enumerate(COLUMNS)
            if column.comes_with_figures and not any(row.cells[place].text for row in self._rows)
        ]

    def _corners(self) -> tuple[QModelIndex, QModelIndex]:
        return self.index(0, 0), self.index(len(self._rows) - 1, len(COLUMNS) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], COLUMNS[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.cells[index.column()].text
            case Qt.ItemDataRole.DecorationRole:
                is_marked = row.is_wrong and column.key is Key.KERNEL
                return icon("error", self._theme, self._theme.hazard) if is_marked else None
            case Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if column.is_figure else LEFT
            case Qt.ItemDataRole.FontRole:
                if row.is_wrong and column.key in _VERDICTS:
                    return self._bold
                return self._figures if column.is_figure else None
            case Qt.ItemDataRole.ForegroundRole:
                return self._colour(row, column.key)
            case Qt.ItemDataRole.ToolTipRole:
                tip = row.cells[index.column()].tip
                text = row.cells[index.column()].text
                return plain_text(f"{text}\n{tip}" if tip else text) or None
            case Qt.ItemDataRole.AccessibleTextRole:
                text = row.cells[index.column()].text
                return f"{column.title} {text or 'nothing'}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return row.sentence
            case ResultRole.ITEM:
                return row.item
        return None

    def _colour(self, row: RunRow, key: Key) -> QColor | None:
        if (key is Key.PASSED and row.failed) or (key in _VERDICTS and row.is_wrong):
            return QColor(self._theme.hazard)
        if row.failed or key in (Key.PARAMS, Key.MODE, Key.FILL, Key.SEED, Key.FINISHED, Key.BUILD, Key.DEVICE):
            return QColor(self._theme.muted)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(COLUMNS):
            return None
        column = COLUMNS[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_text(column.head_tip)
            case Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if column.is_figure else LEFT
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{column.title}: {column.tip}"
        return None


class SortedRuns(QSortFilterProxyModel):
    """The rows sorted by a column, missing values last in either direction, and filtered by words.

    Every word of the filter must occur in some cell of a row.
    """

    def __init__(self, runs: RunTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._words: list[str] = []
        self.setSourceModel(runs)

    def set_filter(self, text: str) -> None:
        """Show the rows that have every word of `text`; all for an empty text."""
        wanted = text.casefold().replace("×", "x").split()
        if wanted != self._words:
            self._words = wanted
            self.invalidate()

    def row(self, index: Index) -> RunRow:
        """The row at an index of this model."""
        return self._runs.rows[self.mapToSource(index).row()]

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        del source_parent
        if not self._words:
            return True
        # Sizes are typed as the command line takes them, too.
        cells = "\n".join(cell.text for cell in self._runs.rows[source_row].cells).casefold().replace("×", "x")
        return all(word in cells for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        rows, column = self._runs.rows, left.column()
        a, b = rows[left.row()].cells[column].order, rows[right.row()].cells[column].order
        if a is None or b is None:
            # Missing comes last: Qt turns the whole order round when it descends.
            ascending = self.sortOrder() is Qt.SortOrder.AscendingOrder
            return (a is not None and b is None) if ascending else (a is None and b is not None)
        return a < b
