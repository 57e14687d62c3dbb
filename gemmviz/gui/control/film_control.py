"""Animations from the window: made off its thread, shown in a small window of their own, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.export.film.progress_window import FilmProgressWindow
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.film.runner import FilmRunner
from gemmviz.gui.export.film.step_choice import StepFilmChoice
from gemmviz.gui.export.lesson.step_film import StepFilm
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.work.time_left import TimeLeft

Written = Callable[[], Sequence[Path]]
"""The files of an export that are there by now."""


class FilmControl(QObject):
    """Starts an animation, shows how far it is, and stops it. The window can be used meanwhile."""

    again_asked = Signal()
    """Ask once more what to export."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shown = FilmProgressWindow(window)
        self._shown.stop_asked.connect(self.stop)
        self._shown.again_asked.connect(self._on_again)
        self._written: Written = tuple
        self._time_left = TimeLeft()
        self._of_step: StepFilm | None = None
        self._runner = FilmRunner(self)
        self._runner.progressed.connect(self._on_pictures)
        self._runner.finished.connect(lambda _paths: self._shown.show_done(self._written()))
        self._runner.failed.connect(self._shown.show_failure)
        for ended in (self._runner.finished, self._runner.failed, self._runner.stopped):
            ended.connect(self._close_step)
        self._runner.stopped.connect(lambda: self._shown.show_cancelled(len(self._written())))

    @property
    def busy(self) -> bool:
        """Whether an animation is being made, or is still being given up."""
        return self._runner.busy

    def start_step(
        self, shown: ShownStep, choice: StepFilmChoice, folder: Path, theme: Theme, written: Written
    ) -> None:
        """Make the film of a lesson's step, which replaces files that are there; none is being made."""
        film = self._of_step = StepFilm(shown, choice, theme)
        self._written = written
        self._shown.begin(choice.paths(folder))
        self._time_left.begin()
        self._runner.start_steps(lambda stop: film.steps(folder, True, stop))

    def start(
        self, run: TraceRun, request: FilmRequest, folder: Path, theme: Theme, may_replace: bool, written: Written
    ) -> None:
        """Make an animation; none is being made. `written` counts all files of its export at the end."""
        self._written = written
        self._shown.begin(request.paths(folder))
        self._time_left.begin()
        self._runner.start(run, request, folder, theme, may_replace)

    def raise_window(self) -> None:
        """Bring what shows the animation in front."""
        self._shown.show()
        self._shown.activateWindow()

    def hide_window(self) -> None:
        """Hide what the last animation ended in."""
        self._shown.hide()

    @Slot()
    def stop(self) -> None:
        """Give up the animation after the picture that is being made; no half file is left."""
        if self._runner.busy:
            self._runner.stop()
            self._shown.show_stopping()

    def wait(self, within_s: float) -> None:
        """Return when the animation that was given up has removed its files, or after so many seconds."""
        self._runner.wait(within_s)

    @Slot(int, int)
    def _on_pictures(self, done: int, total: int) -> None:
        if not self._runner.stopping:
            self._time_left.note(done / max(total, 1))
            self._shown.show_progress(done, total, self._time_left.words())

    @Slot()
    def _close_step(self) -> None:
        if self._of_step is not None:
            self._of_step.close()
            self._of_step = None

    @Slot()
    def _on_again(self) -> None:
        self._shown.hide()
        self.again_asked.emit()
