"""A label that is as high as the longest of its texts from the beginning, so that nothing moves when it changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.plain_label import PlainLabel, WrappedHeights


class RoomyLabel(PlainLabel):
    """Wraps its text, begins at the top, and keeps room for each of the texts that it may come to show. The
    tooltip says what the terms of the text mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, wordWrap=True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._texts: tuple[str, ...] = ()
        self._heights = WrappedHeights()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.explain_terms()

    def keep_room_for(self, texts: Sequence[str]) -> None:
        """Be high enough for each of these texts; without any, as high as the text that is shown."""
        self._texts = tuple(texts)
        self._heights.forget()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """Whether the width decides: also while there is no text, which QLabel denies."""
        return bool(self.text() or self._texts)

    def heightForWidth(self, width: int) -> int:
        """The height in pixels that the longest text needs at a width."""
        return max((self._heights.of(text, width, self) for text in (self.drawn_text, *self._texts) if text), default=0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._heights.forget()
