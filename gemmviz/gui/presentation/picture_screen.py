"""The whole screen for a picture that does not move, such as a chart."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.presentation.hint import LEAVE, FadingHint

NOT_HERE = (
    "There is no picture and no chart here to present. Open a page that has one, or press Shift+F11 to show the window "
    "on the whole screen."
)
_LEAVING = Qt.Key.Key_Escape, Qt.Key.Key_F11
_TURNING = {Qt.Key.Key_Left: -1, Qt.Key.Key_PageUp: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: 1}
TURNING_KEYS, KEYS = "← →  view", ("Alt+1 … 7  page", "Ctrl+K  find", LEAVE)
"""What the hint names: on a page with several views, and on every page."""


class PictureScreen(QWidget):
    """A window of its own for a picture; `paint` makes it in a size in pixels. Escape and F11 close it."""

    turned = Signal(int)
    """Another view of the page is wanted: the next (1) or the one before (-1)."""
    closed = Signal()

    def __init__(
        self, paint: Callable[[tuple[int, int]], QImage], name: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("chartPresentation")
        self.setAccessibleName(f"Presentation: {name}")
        self.setWindowTitle("gemmviz presentation")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        if parent is not None:  # the command palette and the list of keys
            self.addActions(parent.window().actions())
        self._paint, self._theme = paint, theme
        self._image: QImage | None = None
        self._hint = FadingHint(KEYS, self)
        self._room = QRect()

    def allow_turning(self) -> None:
        """Name the keys that turn to another view of the page: it has one."""
        self._hint.set_keys((TURNING_KEYS, *KEYS))
        self._room = self._hint.place(self.rect())
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _LEAVING:
            self.close()
        elif event.key() in _TURNING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.turned.emit(_TURNING[Qt.Key(event.key())])
        else:
            self._hint.show_hint()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hint.show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._room = self._hint.place(self.rect())
        self._hint.show_hint()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _LEAVING:
            event.accept()  # F11 leaves, and does not begin another presentation
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        size = max(round(self._room.width() * ratio), 1), max(round(self._room.height() * ratio), 1)
        if self._image is None or (self._image.width(), self._image.height()) != size:
            self._image = self._paint(size)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.canvas))
            painter.drawImage(self._room, self._image)
