"""A layout that sets widgets beside each other, in as many rows as its width makes them need."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget


class FlowLayout(QLayout):
    """Sets its widgets from left to right at the sizes they want, `gap` pixels apart, where one row holds all of them;
    else in as many columns as have room, each as wide as its widest, which those fill that may grow. Hidden widgets
    take no room.
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
        items = [item for item in self._items if not item.isEmpty()]
        sizes = [item.sizeHint().expandedTo(item.minimumSize()) for item in items]
        columns, y, places = self._columns([size.width() for size in sizes], width), 0, []
        for first in range(0, len(items), max(len(columns), 1)):
            x, row = 0, list(zip(items[first:], sizes[first:], columns, strict=False))
            for item, size, wide in row:
                places.append((item, QRect(x, y, wide if _may_grow(item) else size.width(), size.height())))
                x += wide + self._gap
            y += max(size.height() for _, size, _ in row) + self._gap
        return places

    def _columns(self, widths: Sequence[int], width: int) -> list[int]:
        """The widths of as many columns as have room, one at least."""
        for count in range(len(widths), 0, -1):
            columns = [max(widths[place::count]) for place in range(count)]
            if sum(columns) + self._gap * (count - 1) <= width:
                return columns
        return [max(widths)] if widths else []


def _may_grow(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and bool(widget.sizePolicy().horizontalPolicy().value & _GROW)


_GROW = QSizePolicy.PolicyFlag.GrowFlag.value
