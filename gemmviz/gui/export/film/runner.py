"""Makes an animation off the window's thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.steps import FilmSteps, film_steps
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.tasks.background import Background
from gemmviz.gui.tasks.window_thread import GivenUpError

TELL_EVERY_S = 0.1
"""A window that is told of every picture has nothing else to do."""


class FilmRunner(QObject):
    """One animation at a time. Each ends in one of `finished`, `failed` and `stopped`, when its thread is through."""

    progressed = Signal(int, int)
    """Pictures made, and pictures in all."""
    finished = Signal(object)
    """The paths of what was written."""
    failed = Signal(str)
    """Why there is no film, and what can be done."""
    stopped = Signal()
    """Nothing of it is left."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self, threads=1)
        self._stop = Event()
        self._busy = False

    @property
    def busy(self) -> bool:
        """Whether an animation is being made, or is still being given up."""
        return self._busy

    @property
    def stopping(self) -> bool:
        """Whether it is being given up."""
        return self._busy and self._stop.is_set()

    def start(self, run: TraceRun, request: FilmRequest, folder: Path, theme: Theme, may_replace: bool = True) -> None:
        """Begin; nothing else may be going on. `may_replace`: files that are there are replaced."""

        def steps(_stop: Event) -> FilmSteps:
            source = film_source_of(run, request.block_name.place, request.choice.mode, request.block_name.others)
            return film_steps(source, request.choice, folder, request.stem, theme, may_replace)

        self.start_steps(steps)

    def start_steps(self, steps: Callable[[Event], FilmSteps]) -> None:
        """Begin a film whose steps another thread makes; the Event tells them that it is given up."""
        self._stop, self._busy = Event(), True
        stop, tell = self._stop, self.progressed.emit
        self._background.start(lambda: _made(steps, stop, tell), self._on_done, self._on_failed)

    @Slot()
    def stop(self) -> None:
        """Give it up after the picture that is being made."""
        self._stop.set()

    def wait(self, within_s: float) -> None:
        """Return when its thread is through, or after so many seconds."""
        self._background.wait(within_s)

    def _on_done(self, paths: tuple[Path, ...] | None) -> None:
        self._busy = False
        if paths is None:
            self.stopped.emit()
        else:
            self.finished.emit(paths)

    def _on_failed(self, fault: Exception) -> None:
        self._busy = False
        self.failed.emit(str(fault))


def _made(
    make: Callable[[Event], FilmSteps], stop: Event, tell: Callable[[int, int], object]
) -> tuple[Path, ...] | None:
    """The paths written; None if it was stopped."""
    paths: tuple[Path, ...] = ()
    shown_s = 0.0
    with suppress(GivenUpError), closing(make(stop)) as steps:
        for step in steps:
            if stop.is_set() and not step.paths:
                return None
            if time.monotonic() - shown_s >= TELL_EVERY_S:
                shown_s = time.monotonic()
                tell(step.done, step.total)
            paths = step.paths
        return paths
    return None
