"""The whole screen while kernels run: what goes on in large type, how far it is, and Cancel."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.looks.fonts import FIGURES, WORDS
from gemmviz.gui.looks.projector import projector_scale, projector_theme
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.work.device_status import CANCEL
from gemmviz.gui.work.progress_clock import TICK_MS, ProgressClock, fill_bar

LEAVING = Qt.Key.Key_Escape, Qt.Key.Key_F11
LEAVE_WORDS = "Esc shows the window. The work goes on."
_POINTS = {"workLesson": 15.0, "workWhat": 24.0, "workWords": 16.0, "workTimes": 20.0, "workKeys": 14.0}
"""Of the labels, on a screen of usual size: all are read from the back of a room."""
_WIDEST = 900
"""Pixels of the bar and of the words there."""


class WorkScreen(QWidget):
    """A window of its own over what the program shows meanwhile. Escape and F11 close it; the work goes on."""

    cancel_asked = Signal()
    closed = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("workPresentation")
        self.setAccessibleName("Presentation: work in progress")
        self.setWindowTitle("gemmviz presentation")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme, self._clock, self._factor = projector_theme(theme), ProgressClock(clock), 0.0
        self.was_cancelled = False
        """Whether a person has pressed Cancel."""
        self._lesson = named(PlainLabel(), "workLesson")
        self._what = named(PlainLabel(wordWrap=True), "workWhat")
        self._words = named(PlainLabel(wordWrap=True), "workWords")
        self._bar = named(QProgressBar(textVisible=False), "workBar", says="Progress")
        self._times = named(PlainLabel(), "workTimes")
        self._cancel = named(QPushButton("Cancel"), "workCancel", CANCEL, "Cancel")
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Enter has just started the work, and ends none
        self._cancel.clicked.connect(self._on_cancel)
        self._keys = named(PlainLabel(LEAVE_WORDS), "workKeys")
        self._column = QVBoxLayout()
        self._lay_out()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def begin(self, lesson: str, what: str, longest_s: float = 0.0) -> None:
        """Work begins: say of which lesson, and what it is; it was said to take `longest_s` seconds at most."""
        self._lesson.setText(lesson)
        self._what.setText(what)
        self._clock.begin(longest_s)
        self._timer.start()
        self.show_progress("", 0.0)

    def show_progress(self, words: str, fraction: float) -> None:
        """Say what goes on and which part of it, 0 to 1, is done."""
        self._clock.note(fraction)
        if not self.was_cancelled:
            self._words.setText(f"{words[:1].upper()}{words[1:]}" if words == "starting" else words)
        fill_bar(self._bar, self._clock.part)
        self._on_tick()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in LEAVING:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._timer.stop()
        self.closed.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in LEAVING:
            event.accept()  # the key of this window, and of none behind it
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (factor := projector_scale(self)) != self._factor:
            self._factor = factor
            self._dress()

    def _dress(self) -> None:
        """Give everything its size and its colours."""
        theme, factor = self._theme, self._factor
        colours = {"workLesson": theme.muted, "workKeys": theme.muted}
        labels = (
            f"QLabel#{name} {{ font-size: {points * factor:g}pt; color: {colours.get(name, theme.text)}; }}"
            for name, points in _POINTS.items()
        )
        bar, round_by = round(16 * factor), round(8 * factor)
        others = (
            f"#workPresentation {{ background: {theme.canvas}; }}",
            "QLabel#workWhat { font-weight: 600; }",
            f'QLabel#workTimes {{ font-family: "{FIGURES}", "{WORDS}"; }}',
            f"QPushButton {{ font-size: {16 * factor:g}pt; padding: {round(8 * factor)}px {round(28 * factor)}px; }}",
            f"QProgressBar {{ min-height: {bar}px; max-height: {bar}px; border-radius: {round_by}px; }}",
            f"QProgressBar::chunk {{ border-radius: {round_by}px; }}",
        )
        self.setStyleSheet("\n".join((*labels, *others)))
        width = min(round(_WIDEST * factor), round(0.86 * self.width()))
        for widget in (self._what, self._words, self._bar):
            widget.setFixedWidth(width)
        self._column.setSpacing(round(20 * factor))
        self._column.setContentsMargins(0, 0, 0, round(12 * factor))

    def _lay_out(self) -> None:
        below, around = QHBoxLayout(), QHBoxLayout(self)
        below.addWidget(self._times, 1)
        below.addWidget(self._cancel)
        column = self._column
        column.addStretch(2)
        for widget in (self._lesson, self._what, self._bar):
            column.addWidget(widget)
        column.addLayout(below)
        column.addWidget(self._words)
        column.addStretch(3)
        column.addWidget(self._keys)
        around.addStretch(1)
        around.addLayout(column)
        around.addStretch(1)

    @Slot()
    def _on_tick(self) -> None:
        clock = self._clock
        self._times.setText("   ".join(filter(None, (clock.percent, clock.elapsed, clock.left))))

    @Slot()
    def _on_cancel(self) -> None:
        self.was_cancelled = True
        allow(self._cancel, "Cancelling goes on.")
        self._words.setText("Cancelling…")
        self.cancel_asked.emit()
