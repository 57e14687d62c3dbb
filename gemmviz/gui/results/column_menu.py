"""The menu in which the columns of the results are chosen."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from gemmviz.explain.runs.columns import COLUMNS
from gemmviz.gui.widgets.allowed import allow_action
from gemmviz.gui.widgets.plain_text import plain_text


class ColumnMenu(QMenu):
    """Every column with a tick, its place in COLUMNS as data, and `reset`, which restores how the table begins."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("resultsColumnMenu")
        self.columns = tuple(self._make(place) for place in range(len(COLUMNS)))
        self.addSeparator()
        self.reset = QAction("Reset columns", self)
        self.addAction(self.reset)
        self.reset.setObjectName("resetColumns")
        self.reset.setToolTip("Restore the default columns, widths and order of rows")

    def _make(self, place: int) -> QAction:
        column = COLUMNS[place]
        action = QAction(column.title, self)
        self.addAction(action)
        action.setObjectName(f"column_{column.key}")
        action.setCheckable(True)
        action.setChecked(column.is_shown)
        action.setToolTip(plain_text(column.tip))
        allow_action(action, "" if place else "The column of kernels is always shown.")
        action.setData(place)
        return action
