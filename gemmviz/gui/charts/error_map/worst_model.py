"""The worst elements of C as a table model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from gemmviz.domain.elements import element_name
from gemmviz.domain.runs.result import WorstElement
from gemmviz.explain.figures.error_map import EVIDENCE, WORST_HEADS, worst_cells
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.widgets.plain_text import plain_text

Index = QModelIndex | QPersistentModelIndex

_TIPS = (
    "Row of C, from 0",
    "Column of C, from 0",
    "What the kernel computed",
    "The result of the same inputs in float64",
    f"|C−R| / (u·|A|·|B|) ({EVIDENCE.value})",
)


class WorstModel(QAbstractTableModel):
    """One row for each element, the worst first."""

    def __init__(self) -> None:
        super().__init__()
        self._elements: tuple[WorstElement, ...] = ()
        self._font = figures(SMALL)
        self._head_font = words(SMALL, QFont.Weight.Medium)

    def show(self, elements: tuple[WorstElement, ...]) -> None:
        """Show these elements."""
        self.beginResetModel()
        self._elements = elements
        self.endResetModel()

    def element(self, row: int) -> WorstElement:
        """The element in a row of the table."""
        return self._elements[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._elements)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(WORST_HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return worst_cells(self._elements[index.row()])[index.column()]
            case Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            case Qt.ItemDataRole.FontRole:
                return self._font
            case Qt.ItemDataRole.ToolTipRole:
                one = self._elements[index.row()]
                return plain_text(
                    f"{element_name('C', one.row, one.column)} is {one.got!r}, in float64 {one.expected!r}"
                )
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(WORST_HEADS):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return WORST_HEADS[section]
            case Qt.ItemDataRole.ToolTipRole:
                return plain_text(_TIPS[section])
            case Qt.ItemDataRole.FontRole:
                return self._head_font
            case Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None
