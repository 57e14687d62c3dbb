"""The whole screen for the pictures alone, worked by keys."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.player.player import Player
from gemmviz.gui.player.schedule import SPEEDS
from gemmviz.gui.presentation.hint import LEAVE, FadingHint, page_keys
from gemmviz.gui.presentation.stage import PresentationStage
from gemmviz.gui.stages.own_keys import Action, action_of
from gemmviz.gui.stages.request_stage import RequestStage

VIEWS = "1 2 3  animation, banks, sectors"
PLAYING = "Space  play or pause", "← →  step"
ENDS = "Home End  first, last"
OF_PICTURES = "↑ ↓  faster, slower", "+ − 0  zoom"
OF_REQUESTS = "+ −  faster, slower"
OTHER, SWAP = "O  other recording", "X  swap left and right"
_OF_WINDOW = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
"""Held with a key, it is one of the window."""


class PresentationScreen(QWidget):
    """A window of its own for a stage. Its keys drive a player, and of a `request` what can be changed in it; where it
    is `one_of_two`, a key leads to the other. The mouse does nothing but bring the hint back.
    """

    left = Signal()
    """A person wants the presentation to end."""
    view_asked = Signal(int)
    """A person wants the animation, the banks or the sectors: 0, 1 or 2."""
    other_asked = Signal()
    """A person wants the request of the other recording."""
    swap_asked = Signal()
    """A person wants the two pictures exchanged."""

    def __init__(
        self,
        stage: PresentationStage,
        player: Player,
        parent: QWidget | None = None,
        request: RequestStage | None = None,
        *,
        one_of_two: bool = False,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("presentation")
        self.setAccessibleName("Presentation")
        self.setWindowTitle("gemmviz presentation")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        actions = parent.window().actions() if parent is not None else []
        self.addActions(actions)  # the command palette, the list of keys, the pages
        self._stage, self._player, self._request = stage, player, request
        stage.setParent(self)
        stage.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        keys = OF_PICTURES if request is None else (*request.key_words, OF_REQUESTS)
        is_pair = request is None and len(stage.views) > 1
        other = [*([OTHER] if one_of_two else []), *([SWAP] if is_pair else [])]
        named = *PLAYING, *other, *keys, VIEWS, ENDS, *page_keys(actions), *LEAVE  # the last ones are left out first
        self._hint = FadingHint(named, self, fades=not player.reduced_motion)
        if request is not None:
            request.refused.connect(self._hint.say)
        self._keys: dict[int, Action] = {
            Qt.Key.Key_Space: player.toggle,
            Qt.Key.Key_Right: player.step_forward,
            Qt.Key.Key_PageDown: player.step_forward,
            Qt.Key.Key_Left: player.step_back,
            Qt.Key.Key_PageUp: player.step_back,
            Qt.Key.Key_Period: player.step_forward,
            Qt.Key.Key_Comma: player.step_back,
            Qt.Key.Key_Home: player.first,
            Qt.Key.Key_End: player.last,
            Qt.Key.Key_Escape: self.left.emit,
            Qt.Key.Key_F11: self.left.emit,
            **{Qt.Key.Key_1 + place: partial(self.view_asked.emit, place) for place in range(3)},
        }
        faster, slower = partial(self._change_speed, 1), partial(self._change_speed, -1)
        larger, smaller = partial(self._zoom, "zoom_in"), partial(self._zoom, "zoom_out")
        if request is None:
            self._keys |= {Qt.Key.Key_Up: faster, Qt.Key.Key_Down: slower, Qt.Key.Key_0: partial(self._zoom, "fit")}
        else:
            larger, smaller = faster, slower
        if one_of_two:
            self._keys[Qt.Key.Key_O] = self.other_asked.emit
        if is_pair:
            self._keys[Qt.Key.Key_X] = self.swap_asked.emit
        self._keys |= {Qt.Key.Key_Plus: larger, Qt.Key.Key_Equal: larger, Qt.Key.Key_Minus: smaller}

    @property
    def stage(self) -> PresentationStage:
        """What is shown."""
        return self._stage

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act(event)
        if act is None:
            self._hint.show_hint()
        else:
            act()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hint.show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stage.setGeometry(self.rect())
        self._hint.place_over(self.rect())
        self._hint.show_hint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._stage.views[0].theme.canvas))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closed by the desktop: the pictures go back where they belong."""
        event.ignore()
        self.left.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._act(event):
            event.accept()  # no shortcut of the window behind takes a key of the presentation
            return True
        return super().event(event)

    def _act(self, event: QKeyEvent) -> Action | None:
        of_request = action_of(self._request.keys, event) if self._request is not None else None
        is_of_window = bool(event.modifiers() & _OF_WINDOW)  # Alt+1 chooses a page, 1 a view of this one
        return of_request or (None if is_of_window else self._keys.get(event.key()))

    def _change_speed(self, by: int) -> None:
        place = SPEEDS.index(self._player.speed) + by
        if 0 <= place < len(SPEEDS):
            self._player.set_speed(SPEEDS[place])

    def _zoom(self, how: str) -> None:
        for view in self._stage.views:
            if isinstance(view, MemoryView):
                getattr(view, how)()
