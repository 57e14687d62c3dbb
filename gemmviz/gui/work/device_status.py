"""The device and its state, at the top right and in the status bar; and how far the work has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.enter_only import EnterOnly
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.two_line_label import TwoLineLabel
from gemmviz.gui.work.progress_clock import TICK_MS, ProgressClock, fill_bar

CANCEL = "Stop what is running; finished results are kept"
"""What Cancel does, wherever it stands."""
BAR_WIDTH = 100
MOST_WORDS_WIDTH = 420
"""Pixels that the words keep for themselves beside a message, which gives way: enough for all of two lines."""


class DeviceState(StrEnum):
    """What the device does; the word is what a person reads."""

    LOOKING = "looking for devices"
    READY = "ready"
    BUSY = "busy"
    LOST = "lost"
    NONE = "no device"


class StateMark(QWidget):
    """A mark per state, each of a shape of its own: disc, three-quarter ring, ring, cross, crossed ring."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._state = theme, DeviceState.LOOKING
        self.setFixedSize(QSize(12, 12))

    def show_state(self, state: DeviceState) -> None:
        self._state = state
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, ring, full = self._theme, QRectF(2, 2, 8, 8), 16
        match self._state:
            case DeviceState.READY:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.good))
                painter.drawEllipse(ring)
            case DeviceState.BUSY:
                painter.setPen(_pen(theme.accent))
                painter.drawArc(ring, 90 * full, -270 * full)
            case DeviceState.LOST:
                painter.setPen(_pen(theme.hazard))
                painter.drawLine(QPointF(2.5, 2.5), QPointF(9.5, 9.5))
                painter.drawLine(QPointF(9.5, 2.5), QPointF(2.5, 9.5))
            case DeviceState.NONE:
                painter.setPen(_pen(theme.muted, 1.5))
                painter.drawEllipse(ring)
                painter.drawLine(QPointF(1, 11), QPointF(11, 1))
            case DeviceState.LOOKING:
                painter.setPen(_pen(theme.muted, 1.5))
                painter.drawEllipse(ring)


class DeviceBadge(QWidget):
    """`CPU · PoCL ● ready`: the device's name, the mark of its state, the state's word."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("deviceBadge")
        self._name, self._mark, self._word = PlainLabel(), StateMark(theme), PlainLabel()
        for label in (self._name, self._word):
            label.setProperty("role", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(6)
        for widget in (self._name, self._mark, self._word):
            row.addWidget(widget)
        self._state, self._beside = DeviceState.LOOKING, ""
        self.show_state("", DeviceState.LOOKING)

    def show_state(self, device_name: str, state: DeviceState) -> None:
        """Show a device, "" for none yet, and what it does."""
        self._name.setText(device_name)
        self._name.setVisible(bool(device_name))
        self._state = state
        self._renew()

    def show_beside(self, word: str) -> None:
        """Say what goes on in another process, such as "judging", while the device is ready; "" for nothing."""
        self._beside = word
        self._renew()

    def _renew(self) -> None:
        is_beside = bool(self._beside) and self._state is DeviceState.READY
        word, device_name = self._beside if is_beside else str(self._state), self._name.text()
        self._mark.show_state(DeviceState.BUSY if is_beside else self._state)
        self._word.setText(word)
        said = f"{device_name}: {word}" if device_name else word
        self.setToolTip(plain_text(f"Kernels run on {said}" if device_name else said.capitalize()))
        self.setAccessibleName(f"Device {said}")

    def words(self) -> str:
        """What the badge says, as one line."""
        return " · ".join(text for text in (self._name.text(), self._word.text()) if text)

    def set_theme(self, theme: Theme) -> None:
        self._mark.set_theme(theme)


class ProgressStatus(QWidget):
    """How far the work is: words, a bar, percent, time since it began and, once the parts that are done tell it, how
    long it still takes, and Cancel; until they do, that it takes longer than was said. Empty while nothing goes on.
    """

    cancel_asked = Signal()

    def __init__(self, clock: Callable[[], float] = time.monotonic, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progressStatus")
        self._clock, self._longest_s = ProgressClock(clock), 0.0
        self._words = named(TwoLineLabel(), "progressWords")
        self._percent, self._elapsed, self._left = PlainLabel(), PlainLabel(), PlainLabel()
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar = named(QProgressBar(textVisible=False), "progressBar", says="Progress")
        self._bar.setFixedWidth(BAR_WIDTH)
        labels = (self._percent, "progressPercent"), (self._elapsed, "progressElapsed"), (self._left, "progressLeft")
        for label, name in labels:
            label.setObjectName(name)
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("100 %"))
        self._elapsed.setMinimumWidth(self.fontMetrics().horizontalAdvance("00 min 00 s"))
        self._cancel = named(QPushButton("Cancel"), "progressCancel", CANCEL, "Cancel", "quiet")
        self._cancel.clicked.connect(self._on_cancel)
        EnterOnly(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addSpacing(4)
        for widget in (self._bar, self._percent, self._elapsed, self._left, self._cancel):
            row.addWidget(widget)
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        self._make_high_enough()
        self.clear_progress()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._make_high_enough()

    def _make_high_enough(self) -> None:
        """For two lines of words, to the last tail of a comma."""
        self.setFixedHeight(max(self._cancel.sizeHint().height() + 4, self._words.minimumSizeHint().height() + 2))

    def show_progress(self, words: str, fraction: float) -> None:
        """Say what goes on and which part of it, 0 to 1, is done; the time counts from the first call.

        While none is done nobody knows how fast it goes: the bar is a busy one, and there is no percentage.
        """
        if not self._timer.isActive():
            self._clock.begin(self._longest_s)
            self._timer.start()
            allow(self._cancel, "")
            self._show_all(True)
        self._clock.note(fraction)
        if self._cancel.isEnabled():
            self._words.show_text(words)
            self._words.setMinimumWidth(max(self._words.minimumWidth(), min(self._words.whole_width, MOST_WORDS_WIDTH)))
        fill_bar(self._bar, self._clock.part)
        self._percent.setText(self._clock.percent)
        self._on_tick()

    def clear_progress(self, longest_s: float = 0.0) -> None:
        """Nothing goes on any more; what begins next was said to take `longest_s` seconds at most, 0: no estimate."""
        self._longest_s = longest_s
        self._timer.stop()
        self._words.show_text("")
        self._words.setMinimumWidth(0)
        self._show_all(False)

    def _show_all(self, shown: bool) -> None:
        for widget in (self._words, self._bar, self._percent, self._elapsed, self._left, self._cancel):
            widget.setVisible(shown)
        self.setVisible(shown)  # the messages beside it have all the room while nothing goes on

    @Slot()
    def _on_tick(self) -> None:
        self._elapsed.setText(self._clock.elapsed)
        self._left.setText(left := self._clock.left)
        self._left.setVisible(bool(left))  # while nobody knows, its room is for the words

    @Slot()
    def _on_cancel(self) -> None:
        allow(self._cancel, "Cancelling goes on.")
        self._words.show_text("Cancelling…")
        self.cancel_asked.emit()


def _pen(colour: str, width: float = 2.0) -> QPen:
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
