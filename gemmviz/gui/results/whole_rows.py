"""A widget around a list that shows no part of a row."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractItemView, QWidget


class WholeRows(QWidget):
    """Leaves the pixels below its list empty that hold no whole row. They ask for no height: a dock would get another
    one for them, in which others are left, and so on without an end.
    """

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() - QSize(0, self._left)

    def show_whole_rows(self, listed: QAbstractItemView, rows: int, row_height: int) -> None:
        """Make the list, the last in the layout, as high as whole rows need where it cannot show all of so many."""
        around = listed.height() - listed.viewport().height()  # headings and scroll bar
        room = self.height() - listed.y() - around
        wanted = room % row_height if rows * row_height > room else 0
        layout = self.layout()
        if layout is not None and wanted != self._left:
            layout.setContentsMargins(0, 0, 0, wanted)

    @property
    def _left(self) -> int:
        """Pixels below the list."""
        layout = self.layout()
        return layout.contentsMargins().bottom() if layout is not None else 0
