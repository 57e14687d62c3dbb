"""The film of a lesson's step: its page, painted in the thread of the window at each moment, written in another one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtGui import QImage

from gemmviz.gui.export.film.plan import FilmPlan, plan_moments
from gemmviz.gui.export.film.step_choice import StepFilmChoice
from gemmviz.gui.export.film.steps import FilmStep, FilmSteps, written_film
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.export.tables import make_folder
from gemmviz.gui.lessons.scenes.scene import SceneMoment
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.tasks.window_thread import WindowThread


class StepFilm:
    """Made and closed in the thread of the window; `steps` are made in any other one."""

    def __init__(self, shown: ShownStep, choice: StepFilmChoice, theme: Theme) -> None:
        self._choice = choice
        self._picture = PagePicture(shown, choice.size, theme)
        self._window = WindowThread()
        seconds = (place * choice.speed / choice.fps for place in range(choice.moving_pictures))
        moments = [self._picture.moment_at(each) for each in seconds]
        self.plan: FilmPlan = plan_moments([(each.place, each.arrival) for each in moments], choice.fps)

    def steps(self, folder: Path, may_replace: bool, is_given_up: Event) -> FilmSteps:
        """Make the film, picture by picture.

        Raises:
            GivenUpError: it was given up.
            ExportError: the folder or a file cannot be written, or there is no ffmpeg.
        """

        def paint(place: int, arrival: float) -> QImage:
            return self._window.ask(partial(self.image, SceneMoment(place, arrival)), is_given_up)

        make_folder(folder)
        yield FilmStep(0, self.plan.pictures)
        yield from written_film(paint, self.plan, self._choice, folder, self._choice.stem, may_replace)

    def image(self, moment: SceneMoment) -> QImage:
        """The page at a moment."""
        self._picture.show_moment(moment)
        return self._picture.image()

    def close(self) -> None:
        """Let go of the page."""
        self._picture.close()
        del self._picture, self._window  # here: in another thread no widget may go
