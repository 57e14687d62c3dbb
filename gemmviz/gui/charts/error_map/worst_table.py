"""The table of the worst elements: as wide as its columns need, so that none is cut off."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gemmviz.gui.charts.error_map.worst_model import WorstModel

_LEAST_WIDTH = 280
_SCROLL_BAR = 16
"""Kept free for the vertical scroll bar, whether it is there or not."""


class WorstTable(QTableView):
    """Shows a WorstModel; call `fit` after its elements changed."""

    def __init__(self, model: WorstModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("worstElements")
        self.setAccessibleName("Worst elements of C")
        self.setToolTip("Press Enter to go to the element")
        self.setModel(model)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(24)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(36)
        header.setHighlightSections(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._has_whole_rows = False
        self.fit()

    def show_whole_rows(self, wanted: bool) -> None:
        """In a picture, which nobody can scroll, show no row that is cut."""
        self._has_whole_rows = wanted
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        self._hide_cut_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hide_cut_rows()

    def _hide_cut_rows(self) -> None:
        whole = self.viewport().height() // self.verticalHeader().defaultSectionSize()
        for row in range(self.model().rowCount()):
            self.setRowHidden(row, self._has_whole_rows and row >= whole)

    def fit(self) -> None:
        """Be as wide as the columns need."""
        header = self.horizontalHeader()
        columns = range(header.count())
        needed = sum(max(self.sizeHintForColumn(at) + 1, header.sectionSizeHint(at), 36) for at in columns)
        self.setFixedWidth(max(_LEAST_WIDTH, needed + _SCROLL_BAR + 2 * self.frameWidth()))
