"""The whole screen for the pictures alone, worked by keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.schedule import SPEEDS
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.stage import PresentationStage

HINT = (
    "Space  play or pause    ← →  step    ↑ ↓  faster, slower    Home End  first, last    + − 0  zoom    "
    "Esc or F11  leave"
)
_HINT_APART = 12
"""Pixels between the hint and the edges of the screen; at the right it covers no words of a slide."""


class PresentationScreen(QWidget):
    """A window of its own for a stage. Its keys drive a player; the mouse does nothing but bring the hint back."""

    left = Signal()
    """A person wants the presentation to end."""

    def __init__(self, stage: PresentationStage, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("presentation")
        self.setAccessibleName("Presentation")
        self.setWindowTitle("gemmviz presentation")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._stage, self._player = stage, player
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(stage)
        stage.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint = FadingHint(HINT, self, fades=not player.reduced_motion)
        self._keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Space: player.toggle,
            Qt.Key.Key_Right: player.step_forward, Qt.Key.Key_PageDown: player.step_forward,
            Qt.Key.Key_Left: player.step_back, Qt.Key.Key_PageUp: player.step_back,
            Qt.Key.Key_Period: player.step_forward, Qt.Key.Key_Comma: player.step_back,
            Qt.Key.Key_Home: player.first, Qt.Key.Key_End: player.last,
            Qt.Key.Key_Up: lambda: self._change_speed(1), Qt.Key.Key_Down: lambda: self._change_speed(-1),
            Qt.Key.Key_Plus: lambda: self._zoom("zoom_in"), Qt.Key.Key_Equal: lambda: self._zoom("zoom_in"),
            Qt.Key.Key_Minus: lambda: self._zoom("zoom_out"), Qt.Key.Key_0: lambda: self._zoom("fit"),
            Qt.Key.Key_Escape: self.left.emit, Qt.Key.Key_F11: self.left.emit,
        }  # fmt: skip

    @property
    def stage(self) -> PresentationStage:
        """What is shown."""
        return self._stage

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._keys.get(event.key())
        if act is None:
            self._hint.show_hint()
        else:
            act()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hint.show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hint.show_hint()
        corner = self.rect().bottomRight() - self._hint.rect().bottomRight()
        self._hint.move(corner - QPoint(_HINT_APART, _HINT_APART))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closed by the desktop: the pictures go back where they belong."""
        event.ignore()
        self.left.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in self._keys:
            event.accept()  # no shortcut of the window behind takes a key of the presentation
            return True
        return super().event(event)

    def _change_speed(self, by: int) -> None:
        place = SPEEDS.index(self._player.speed) + by
        if 0 <= place < len(SPEEDS):
            self._player.set_speed(SPEEDS[place])

    def _zoom(self, how: str) -> None:
        for view in self._stage.views:
            if isinstance(view, MemoryView):
                getattr(view, how)()
