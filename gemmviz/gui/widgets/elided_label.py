"""A label for words that may be longer than their place: a part gives way to …, and the tooltip has them all."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text


class ElidedLabel(PlainLabel):
    """Shows as much of a text as there is room for; `mode` says which part gives way, the middle as names want it."""

    def __init__(self, parent: QWidget | None = None, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> None:
        super().__init__(parent=parent)
        self._mode = mode
        self._whole = self._short = ""

    def show_text(self, text: str, short: str = "") -> None:
        """Show this text; where it has no room, the `short` one if there is one, else a part of the text and …."""
        self._whole, self._short = visible(text), visible(short)
        self.setToolTip(plain_text(text))
        self.setAccessibleName(self._whole)
        self._fit()

    @property
    def whole(self) -> str:
        """The whole text."""
        return self._whole

    @property
    def is_elided(self) -> bool:
        """Whether a part of the text gives way."""
        return self.text() != self._whole

    def fits(self, width: int) -> bool:
        """Whether the whole text has room in so many pixels."""
        return self.sizeHint().width() <= width

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, metrics = self.contentsRect().width(), self.fontMetrics()
        is_short = bool(self._short) and metrics.horizontalAdvance(self._whole) > room
        self.setText(metrics.elidedText(self._short if is_short else self._whole, self._mode, max(room, 1)))
