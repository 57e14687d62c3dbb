"""A layout that sets widgets beside each other, in as many rows as its width makes them need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Sets its widgets from left to right at the sizes they want, `gap` pixels apart, and goes on in the next row where
    one does not fit any more. Hidden widgets take no room.
    """

    def __init__(self, gap: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """The height in pixels of all rows at a width."""
        places = self._places(width)
        return max((place.bottom() + 1 for _, place in places), default=0)

    def sizeHint(self) -> QSize:
        """All in one row."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        gaps = self._gap * max(len(sizes) - 1, 0)
        return QSize(sum(each.width() for each in sizes) + gaps, max((each.height() for each in sizes), default=0))

    def minimumSize(self) -> QSize:
        """The largest of them alone in its row."""
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((each.width() for each in sizes), default=0), max((each.height() for each in sizes), default=0)
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in self._places(rect.width()):
            item.setGeometry(place.translated(rect.topLeft()))

    def _places(self, width: int) -> list[tuple[QLayoutItem, QRect]]:
        """Where each stands that is not hidden, if the layout begins at 0, 0."""
        places = []
        at, row_height = QPoint(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().expandedTo(item.minimumSize())
            if at.x() and at.x() + size.width() > width:
                at, row_height = QPoint(0, at.y() + row_height + self._gap), 0
            places.append((item, QRect(at, size)))
            at.setX(at.x() + size.width() + self._gap)
            row_height = max(row_height, size.height())
        return places
