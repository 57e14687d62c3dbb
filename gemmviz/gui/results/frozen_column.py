"""Keeps the kernels of the results in sight where a person scrolls to the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.gui.results.view import ROW_HEIGHT, RunsView

_KERNEL = PLACE[Key.KERNEL]


class FrozenColumn(QTableView):
    """A second view of the same rows over the left edge of a table that has its model: the column of kernels, while the
    table's own is not whole in sight. What is chosen or sorted here is so in the table.
    """

    def __init__(self, view: RunsView) -> None:
        super().__init__(view)
        self.setObjectName("resultsFrozen")
        self.setAccessibleName("Kernels of the results")
        self._view = view
        self.setModel(view.model())
        self.setSelectionModel(view.selectionModel())
        self.setItemDelegate(view.itemDelegate())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the table's opens
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(view.selectionMode())
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(view.verticalScrollMode())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(view.textElideMode())
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        for place in range(len(COLUMNS)):
            self.setColumnHidden(place, place != _KERNEL)
        self.horizontalHeader().setStyleSheet(view.horizontalHeader().styleSheet())
        self.hide()
        self._connect()

    def _connect(self) -> None:
        view, own = self._view, self.horizontalHeader()
        header = view.horizontalHeader()
        own.setSectionsClickable(True)
        own.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        own.sectionClicked.connect(self._sort)
        header.sectionResized.connect(self.place)
        header.sectionMoved.connect(self.place)
        view.horizontalScrollBar().valueChanged.connect(self.place)
        view.laid_out.connect(self.place)
        view.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(view.verticalScrollBar().setValue)
        self.doubleClicked.connect(view.doubleClicked)
        self.setMouseTracking(True)
        self.entered.connect(view.entered)

    @Slot()
    def place(self) -> None:
        """Stand over the left edge of the table, or out of sight while the table shows the kernels itself."""
        view, header = self._view, self._view.horizontalHeader()
        is_needed = not view.isColumnHidden(_KERNEL) and view.columnViewportPosition(_KERNEL) < 0
        if is_needed:
            width, frame = view.columnWidth(_KERNEL), view.frameWidth()
            self.horizontalHeader().setFixedHeight(header.height())
            self.setColumnWidth(_KERNEL, width)
            self.setGeometry(frame, frame, width + 1, header.height() + view.viewport().height())
        self.setVisible(is_needed)
        if is_needed:
            self.raise_()
            self.verticalScrollBar().setValue(view.verticalScrollBar().value())

    @Slot(int)
    def _sort(self, place: int) -> None:
        """Sort the table by kernels, the other way round where it is already."""
        header = self._view.horizontalHeader()
        is_up = header.sortIndicatorSection() == place and header.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
        header.setSortIndicator(place, Qt.SortOrder.DescendingOrder if is_up else Qt.SortOrder.AscendingOrder)
