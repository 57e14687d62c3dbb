"""The kernels as a Qt model: headings that cannot be chosen, kernels that can be chosen and ticked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.widgets.plain_text import plain_text

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
_NO_PARENT = QModelIndex()


class KernelModel(QAbstractListModel):
    """Rows under headings; `ROW_ROLE` has the KernelRow. Ticking a row emits its id and what it is now."""

    ticked = Signal(str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[KernelRow, ...] = ()

    def set_rows(self, rows: Sequence[KernelRow]) -> bool:
        """Show other rows; True if kernels came, went or changed, so that a view has to find its place again."""
        same = [(row.id, row.title) for row in rows] == [(row.id, row.title) for row in self._rows]
        if same:
            self._rows = tuple(rows)
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return False
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()
        return True

    @property
    def ticked_rows(self) -> tuple[int, ...]:
        """The places of the kernels that are ticked."""
        return tuple(number for number, row in enumerate(self._rows) if row.is_compared)

    def row_of(self, kernel_id: str) -> QModelIndex:
        """The index of a kernel, an invalid one if it is not here."""
        for number, row in enumerate(self._rows):
            if row.id == kernel_id and kernel_id:
                return self.index(number)
        return QModelIndex()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not (index.isValid() and 0 <= index.row() < len(self._rows)):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken
            case Qt.ItemDataRole.ToolTipRole if not row.is_heading:
                return plain_text(row.tooltip)
            case Qt.ItemDataRole.CheckStateRole if not row.is_heading:
                return Qt.CheckState.Checked if row.is_compared else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.UserRole:
                return row
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or self._rows[index.row()].is_heading:
            return False
        row = replace(self._rows[index.row()], is_compared=Qt.CheckState(value) == Qt.CheckState.Checked)
        if row != self._rows[index.row()]:
            self._rows = (*self._rows[: index.row()], row, *self._rows[index.row() + 1 :])
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.CheckStateRole])
            self.ticked.emit(row.id, row.is_compared)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self._rows[index.row()].is_heading:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
