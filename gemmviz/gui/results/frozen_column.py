"""Keeps the column that names the rows of a table in sight where a person scrolls to the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView


class FrozenColumn(QTableView):
    """A second view of the same rows over the left edge of a table that has its model: one column, while the table's
    own is not whole in sight. What is chosen or sorted here is so in the table.
    """

    def __init__(self, view: QTableView, column: int, name: str, says: str) -> None:
        super().__init__(view)
        self.setObjectName(name)
        self.setAccessibleName(says)
        self._view, self._column = view, column
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
        self.verticalHeader().setDefaultSectionSize(view.verticalHeader().defaultSectionSize())
        for place in range(view.model().columnCount()):
            self.setColumnHidden(place, place != column)
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
        view.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalScrollBar().valueChanged.connect(view.verticalScrollBar().setValue)
        self.doubleClicked.connect(view.doubleClicked)
        self.setMouseTracking(True)
        self.entered.connect(view.entered)

    @Slot()
    def place(self) -> None:
        """Stand over the left edge of the table, or out of sight while the table shows the column itself."""
        view, header, column = self._view, self._view.horizontalHeader(), self._column
        is_needed = not view.isColumnHidden(column) and view.columnViewportPosition(column) < 0
        if is_needed:
            width, frame = view.columnWidth(column), view.frameWidth()
            self.horizontalHeader().setFixedHeight(header.height())
            self.setColumnWidth(column, width)
            self.setGeometry(frame, frame, width + 1, header.height() + view.viewport().height())
        self.setVisible(is_needed)
        if is_needed:
            self.raise_()
            self.verticalScrollBar().setValue(view.verticalScrollBar().value())

    @Slot(int)
    def _sort(self, place: int) -> None:
        """Sort the table by the column, the other way round where it is already."""
        header = self._view.horizontalHeader()
        is_up = header.sortIndicatorSection() == place and header.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
        header.setSortIndicator(place, Qt.SortOrder.DescendingOrder if is_up else Qt.SortOrder.AscendingOrder)
