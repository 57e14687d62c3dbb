"""The whole screen for a picture that does not move, such as a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from gemmviz.gui.looks.projector import dialog_scale
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.presentation.hint import LEAVE, FadingHint, page_keys
from gemmviz.gui.presentation.notes_dialog import NotesDialog

NOT_HERE = (
    "There is no picture and no chart here to present. Open a page that has one, or press Shift+F11 to show the window "
    "on the whole screen."
)
_LEAVING = Qt.Key.Key_Escape, Qt.Key.Key_F11
_TURNING = {Qt.Key.Key_Left: -1, Qt.Key.Key_PageUp: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageDown: 1}
VIEW, ROWS, NOTES = "← →  view", "R  choose rows", "N  all notes"
BACK_KEY = "B"
NOTES_FROM = 0.75
"""Below so much of the height of the screen a click is meant for the notes."""


class PictureScreen(QWidget):
    """A window of its own for a picture; `paint` makes it in a size in pixels. Escape and F11 close it; N, or a click
    near the bottom, lists all notes; B leads back to the lesson that filled a chart.
    """

    turned = Signal(int)
    """Another view of the page is wanted: the next (1) or the one before (-1)."""
    rows_asked = Signal()
    """A person wants to choose the rows of the chart."""
    closed = Signal()

    def __init__(
        self, paint: Callable[[tuple[int, int]], QImage], name: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("chartPresentation")
        self.setWindowTitle("gemmviz presentation")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        actions = parent.window().actions() if parent is not None else []
        self.addActions(actions)  # the command palette, the list of keys, the pages
        self._keys = *page_keys(actions), "Ctrl+K  find", *LEAVE
        self._paint, self._theme = paint, theme
        self._image: QImage | None = None
        self._hint = FadingHint(self._keys, self)
        self._can_turn = self._has_rows = False
        self._back_words = ""
        self._go_back: Callable[[], object] | None = None
        self._notes: tuple[str, ...] = ()
        self._room = QRect()
        self.show_picture(paint, name, theme)

    def show_picture(self, paint: Callable[[tuple[int, int]], QImage], name: str, theme: Theme) -> None:
        """Show another picture in place of this one, which stays until the other is painted."""
        self.setAccessibleName(f"Presentation: {name}")
        self._paint, self._theme, self._image = paint, theme, None
        self.update()

    def set_can_turn(self, can_turn: bool) -> None:
        """Say whether the page has another view, so that keys turn to it."""
        self._can_turn = can_turn
        self._name_keys()

    def set_has_rows(self, has_rows: bool) -> None:
        """Say whether the rows of the chart can be chosen, by a key."""
        self._has_rows = has_rows
        self._name_keys()

    def set_way_back(self, words: str, go_back: Callable[[], object] | None) -> None:
        """Offer a key that leaves the whole screen for a lesson, which `words` name; None for no such key."""
        self._back_words, self._go_back = words, go_back
        self._name_keys()

    def set_notes(self, notes: Sequence[str]) -> None:
        """Know all notes of the picture, the gravest first: a key or a click lists them."""
        self._notes = tuple(notes)
        self._name_keys()

    def _name_keys(self) -> None:
        back = f"{BACK_KEY}  {self._back_words[:1].lower()}{self._back_words[1:]}"
        offered = (
            (back, self._go_back is not None),
            (VIEW, self._can_turn),
            (ROWS, self._has_rows),
            (NOTES, bool(self._notes)),
        )
        own = [key for key, is_there in offered if is_there]
        self._hint.set_keys((*own, *self._keys))
        self._place_hint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _LEAVING:
            self.close()
        elif self._can_turn and event.key() in _TURNING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.turned.emit(_TURNING[Qt.Key(event.key())])
        elif self._has_rows and event.key() == Qt.Key.Key_R and not event.modifiers():
            self.rows_asked.emit()
        elif self._go_back is not None and event.key() == Qt.Key.Key_B and not event.modifiers():
            go_back = self._go_back
            self.close()
            go_back()
        elif event.key() == Qt.Key.Key_N and not event.modifiers():
            self._list_notes()
        else:
            self._hint.show_hint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.position().y() >= self.height() * NOTES_FROM:
            self._list_notes()

    def _list_notes(self) -> None:
        """Open the list of all notes; where there are none, name the keys."""
        if not self._notes:
            self._hint.show_hint()
            return
        dialog = NotesDialog(self._notes, self, factor=dialog_scale(self))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hint.show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_hint()

    def _place_hint(self) -> None:
        self._room = self._hint.place(self.rect())
        self._hint.show_hint()
        self.update()

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


class ChartPresentation(QObject):
    """Shows one chart after the other on the screen that `window` is on, in one PictureScreen, so that nothing of what
    lies behind is seen between two; `tell` is called with it each time.
    """

    def __init__(self, window: QWidget, tell: Callable[[PictureScreen], None]) -> None:
        super().__init__(window)
        self._window, self._tell = window, tell
        self._screen: PictureScreen | None = None

    def show_picture(self, paint: Callable[[tuple[int, int]], QImage], name: str, theme: Theme) -> None:
        """Begin a presentation with a picture, or go on with it."""
        if self._screen is None:
            self._screen = PictureScreen(paint, name, theme, self._window)
            self._screen.closed.connect(self._on_closed)
            self._screen.setGeometry(self._window.screen().geometry())
            self._screen.showFullScreen()
            self._screen.activateWindow()
        else:
            self._screen.show_picture(paint, name, theme)
        self._tell(self._screen)

    @Slot()
    def _on_closed(self) -> None:
        self._screen = None
