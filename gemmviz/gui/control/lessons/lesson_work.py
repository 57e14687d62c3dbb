"""Keeps the whole screen of a lesson while the work of its last step goes on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gemmviz.catalogue.presets import Preset
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.layout.layout import WindowLayout
from gemmviz.gui.lessons.full_screen import FullScreen
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.presentation.work_screen import WorkScreen
from gemmviz.gui.tasks.deferred import deferred
from gemmviz.gui.work.last_work import LastWork
from gemmviz.gui.work.words import doing_words

CLOSE_MS = 150
"""Between the chart that is presented and the end of the screen behind it: the window system needs a moment to show it.
"""


class LessonWork(QObject):
    """Shows a WorkScreen from the moment a lesson asks for work until nothing more of it follows, so that what is read
    from afar stays so. A person who leaves that screen has the window until then.
    """

    cancelled = Signal(str)
    """The id of a lesson whose work was cancelled on that screen, and is over."""

    def __init__(
        self, page: LessonPage, layout: WindowLayout, full_screen: FullScreen, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._page, self._window, self._full_screen = page, layout.window, full_screen
        self._run: RunControl | None = None
        self._screen: WorkScreen | None = None
        self._last: LastWork | None = None
        self._asked: Preset | None = None
        self._lesson_id, self._is_busy, self._was_left = "", False, False
        self._forget_later = deferred(self, self._forget)
        self._end_later = deferred(self, self._end_unless_busy)
        self._close_later = QTimer(self, singleShot=True, interval=CLOSE_MS)
        self._close_later.timeout.connect(self._close)

    def connect_run(self, run: RunControl) -> None:
        """Follow what runs, and cancel it."""
        self._run = run
        run.work_changed.connect(self._on_work)
        run.busy_changed.connect(self._on_busy)
        run.progressed.connect(self._on_progress)

    @Slot(object, str)
    def ask(self, preset: Preset, _page: str) -> None:
        """A lesson asks for the work that begins at once, if any does."""
        self._asked = preset
        self._forget_later.start()

    @property
    def screen(self) -> WorkScreen | None:
        """The window; None while there is none."""
        return self._screen

    @Slot(object)
    def _on_work(self, last: LastWork | None) -> None:
        self._last = last

    @Slot(str, float)
    def _on_progress(self, words: str, fraction: float) -> None:
        if self._screen is not None:
            self._screen.show_progress(words, fraction)

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:
        asked, self._asked, self._is_busy = self._asked, None, busy
        if not busy:
            self._end_later.start()  # another kernel of the lesson may follow
        elif asked is not None and self._run is not None and self._last is not None and self._has_screen:
            self._close_later.stop()
            self._lesson_id = asked.id
            screen = self._screen or self._open(self._run.cancel)
            lesson = f"{asked.origin[:1].upper()}{asked.origin[1:]}: {asked.title}"
            screen.begin(lesson, doing_words(self._last), self._run.longest_s)

    @property
    def _has_screen(self) -> bool:
        """Whether a person wants what goes on to have the whole screen."""
        return self._full_screen.is_on and not self._was_left

    def _open(self, cancel: Callable[[], object]) -> WorkScreen:
        screen = self._screen = WorkScreen(self._page.theme, self._window)
        screen.cancel_asked.connect(cancel)
        screen.closed.connect(self._on_closed)
        screen.setGeometry(self._window.screen().geometry())
        screen.showFullScreen()
        screen.activateWindow()
        screen.setFocus()
        return screen

    def _forget(self) -> None:
        """What was asked for did not begin."""
        self._asked = None

    def _end_unless_busy(self) -> None:
        if self._is_busy:
            return
        self._was_left = False
        if self._screen is None:
            return
        self._close_later.start()
        if self._screen.was_cancelled:
            self.cancelled.emit(self._lesson_id)

    @Slot()
    def _close(self) -> None:
        if self._screen is not None:
            self._screen.close()

    @Slot()
    def _on_closed(self) -> None:
        self._screen = None
        self._was_left = self._is_busy
