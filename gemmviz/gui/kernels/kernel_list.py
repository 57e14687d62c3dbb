"""The list of kernels: one is chosen, any number are ticked to be compared with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu, QWidget

from gemmviz.gui.kernels.delegate import KernelDelegate
from gemmviz.gui.kernels.found_dialog import WHAT_WAS_FOUND
from gemmviz.gui.kernels.model import ROW_ROLE, Index, KernelModel
from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.looks.theme import Theme

_SHOWN_ROWS, _ROW_HEIGHT = 5, 20


class KernelList(QListView):
    """Up and Down choose, Space ticks, Delete takes a person's own file from the list.

    A wide one, for the browser, says beside each kernel what it teaches.
    """

    kernel_chosen = Signal(str)
    kernel_ticked = Signal(str, bool)
    removal_asked = Signal(str)
    found_asked = Signal(str)
    """What was found in the file of this kernel is wanted."""
    settled = Signal()
    """The chosen kernel is the one that is wanted: by Enter, or by a double click."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, is_wide: bool = False) -> None:
        super().__init__(parent)
        self._kernels = KernelModel(self)
        self._delegate = KernelDelegate(theme, self, is_wide=is_wide)
        self._is_showing = False
        self._pressed = QModelIndex()
        self.setObjectName("kernelBrowserList" if is_wide else "kernelList")
        self.setAccessibleName("Kernels in lesson order")
        self.setAccessibleDescription("Space ticks a kernel to be compared with the chosen one")
        self.setToolTip(
            "The kernels in lesson order. Choose one, which runs anyway; tick others to compare them with it"
        )
        self.setModel(self._kernels)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setMinimumHeight(_SHOWN_ROWS * _ROW_HEIGHT)
        self._kernels.ticked.connect(self.kernel_ticked)

    def show_rows(self, rows: Sequence[KernelRow], chosen: str) -> None:
        """Other rows, or another chosen one; nothing is emitted."""
        self._is_showing = True
        try:
            before = self._kernels.ticked_rows
            if self._kernels.set_rows(rows):
                self.doItemsLayout()
            index = self._kernels.row_of(chosen)
            if index != self.currentIndex():
                was_in_sight = self._is_in_sight(index)
                self.setCurrentIndex(index)
                if not was_in_sight:
                    self._show_amid_neighbours()
            if self._kernels.ticked_rows != before:  # by others: what is ticked here is known already
                self._show_ticked()
        finally:
            self._is_showing = False

    def choose_first(self) -> None:
        """Choose the first kernel of the list, as a person would."""
        places = (self._kernels.index(row) for row in range(self._kernels.rowCount()))
        first = next((index for index in places if index.flags()), None)
        if first is not None:
            self.setCurrentIndex(first)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.set_theme(theme)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(258, _SHOWN_ROWS * _ROW_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep in sight what was in sight; a place to which a person scrolled stays."""
        before, chosen = QRect(QPoint(0, 0), event.oldSize()), self.visualRect(self.currentIndex())
        is_scrolled_away = before.isValid() and not before.intersects(chosen)
        super().resizeEvent(event)
        if is_scrolled_away:
            return
        if not self._is_in_sight(self.currentIndex()):
            self._show_amid_neighbours()
        self._show_ticked()

    def _is_in_sight(self, index: QModelIndex) -> bool:
        return self.viewport().rect().contains(self.visualRect(index))

    def _show_ticked(self) -> None:
        """Bring what is ticked into sight, the nearest last, as far as there is room beside the chosen kernel."""
        current = self.currentIndex()
        for row in sorted(self._kernels.ticked_rows, key=lambda row: -abs(row - current.row())):
            self.scrollTo(self._kernels.index(row), QAbstractItemView.ScrollHint.EnsureVisible)
        self.scrollTo(current, QAbstractItemView.ScrollHint.EnsureVisible)

    def _show_amid_neighbours(self) -> None:
        self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        row = current.data(ROW_ROLE)
        if not self._is_showing and isinstance(row, KernelRow) and not row.is_heading:
            self.kernel_chosen.emit(row.id)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self._box_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not self._pressed.isValid():
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._pressed.isValid() or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
        elif self._box_at(event.position().toPoint()) == self._pressed:
            self._tick(self._pressed)
        self._pressed = QModelIndex()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)
        if not self._pressed.isValid() and self.currentIndex() == self.indexAt(event.position().toPoint()):
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Space and index.isValid():
            self._tick(index)
        elif event.key() == Qt.Key.Key_Delete and index.isValid() and index.data(ROW_ROLE).is_own:
            self.removal_asked.emit(index.data(ROW_ROLE).id)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.settled.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = index.data(ROW_ROLE)
        if isinstance(row, KernelRow) and not row.is_heading:
            place = self.visualRect(index).bottomLeft() if by_key else event.pos()
            menu = self.menu_for(row)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport().mapToGlobal(place))

    def menu_for(self, row: KernelRow) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        compare = QAction("Compare with the chosen kernel", menu)
        compare.setCheckable(True)
        compare.setChecked(row.is_compared)
        compare.triggered.connect(lambda: self._tick(self._kernels.row_of(row.id)))
        menu.addAction(compare)
        if row.is_own:
            remove = QAction("Remove from list", menu)
            remove.triggered.connect(lambda: self.removal_asked.emit(row.id))
            found = QAction(WHAT_WAS_FOUND, menu)
            found.triggered.connect(lambda: self.found_asked.emit(row.id))
            menu.addActions((found, remove))
        return menu

    def _box_at(self, place: QPoint) -> QModelIndex:
        index = self.indexAt(place)
        row = index.data(ROW_ROLE)
        is_box = (
            isinstance(row, KernelRow)
            and not row.is_heading
            and (self._delegate.box_area(self.visualRect(index)).contains(place))
        )
        return index if is_box else QModelIndex()

    @Slot(QModelIndex)
    def _tick(self, index: QModelIndex) -> None:
        is_ticked = index.data(ROW_ROLE).is_compared
        state = Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked
        self._kernels.setData(index, state, Qt.ItemDataRole.CheckStateRole)
