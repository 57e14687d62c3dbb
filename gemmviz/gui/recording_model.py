"""The lines of a recorded kernel as a Qt model: the code, then its figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gemmviz.gui.recording_lines import SourceLine

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """The columns in their order."""

    NUMBER = 0
    CODE = 1
    MARK = 2
    REQUESTS = 3
    SECTORS = 4
    SHARED = 5
    EXCESS = 6


@dataclass(frozen=True, slots=True)
class Head:
    """A column's heading, what it means, what it shows of a line."""

    title: str
    tip: str
    text: Callable[[SourceLine], str]


HEADS = {
    Column.NUMBER: Head("line", "The line of the file", lambda line: str(line.number)),
    Column.CODE: Head("source", "The kernel as it was recorded, without its header", lambda line: line.code),
    Column.MARK: Head("hazard", "What is wrong with the line\nrecorded", lambda line: line.mark),
    Column.REQUESTS: Head("requests", "Requests of warps to global memory\nrecorded", lambda line: line.requests),
    Column.SECTORS: Head(
        "sect/req", "32-byte sectors that one request touches; 4 is a full row of 32 floats\nrecorded",
        lambda line: line.sectors_per_request,
    ),
    Column.SHARED: Head("wavefr.", "Wavefronts: passes through shared memory\nrecorded", lambda line: line.shared),
    Column.EXCESS: Head("excess", "Wavefronts added by bank conflicts\nrecorded", lambda line: line.excess),
}  # fmt: skip


class Role(IntEnum):
    """Roles beyond Qt's own."""

    LINE = Qt.ItemDataRole.UserRole + 1
    """The SourceLine."""


class SourceModel(QAbstractTableModel):
    """One row for each line of source."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[SourceLine, ...] = ()

    def set_lines(self, lines: tuple[SourceLine, ...]) -> None:
        """Show these lines in place of the last."""
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    @property
    def lines(self) -> tuple[SourceLine, ...]:
        """What is shown."""
        return self._lines

    def row_of(self, number: int) -> int:
        """The row of a line by its number in the file; -1 for one that is not shown."""
        return next((row for row, line in enumerate(self._lines) if line.number == number), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return HEADS[column].text(line)
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return line.tip
            case Qt.ItemDataRole.TextAlignmentRole:
                return _side(column) | Qt.AlignmentFlag.AlignVCenter
            case Role.LINE:
                return line
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or not 0 <= section < len(HEADS):
            return None
        head = HEADS[Column(section)]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return head.title
            case Qt.ItemDataRole.ToolTipRole:
                return head.tip
            case Qt.ItemDataRole.TextAlignmentRole:
                return _side(Column(section)) | Qt.AlignmentFlag.AlignVCenter
        return None


def _side(column: Column) -> Qt.AlignmentFlag:
    left = column in (Column.CODE, Column.MARK)
    return Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
