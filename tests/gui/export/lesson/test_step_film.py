"""The film of a lesson's step: which moments it has, and that it is written beside the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from lesson_scenes import data_of
from PIL import Image, ImageSequence
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.plan import Shot, plan_moments
from gemmviz.gui.export.film.runner import FilmRunner
from gemmviz.gui.export.film.step_choice import StepFilmChoice, step_film_faults
from gemmviz.gui.export.lesson.step_film import StepFilm
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
GIF, MP4 = (FilmFormat.GIF,), (FilmFormat.MP4,)


def test_that_equal_moments_are_one_picture_and_the_last_stays() -> None:
    plan = plan_moments([(0, 1.0), (0, 1.0), (1, 0.5), (1, 1.0)], 2)
    assert plan.shots == (Shot(0, 1.0, 2), Shot(1, 0.5, 1), Shot(1, 1.0, 3))


def test_that_a_film_takes_as_long_as_its_step_and_says_what_it_cannot_be() -> None:
    choice = StepFilmChoice("s", 12.0, GIF, 2.0, 25)
    assert choice.pictures == 6 * 25 + 1 + 25
    assert not step_film_faults(choice).any
    assert step_film_faults(StepFilmChoice("s", 12.0, GIF, 1.0, 60)).fps == "choose from 1 to 50 fps for a GIF"
    assert "even width" in step_film_faults(StepFilmChoice("s", 12.0, MP4, size=(641, 360))).size
    assert "video frames" in step_film_faults(StepFilmChoice("s", 1200.0, MP4)).length


def test_that_the_film_of_a_step_shows_its_page(qtbot: QtBot, tmp_path: Path) -> None:
    choice = StepFilmChoice("lesson_7_step_12", 15.0, GIF, 4.0, 2, (640, 360))
    film = StepFilm(ShownStep(data_of("gpu")[1], 11), choice, LIGHT)
    assert [shot.frame for shot in film.plan.shots] == list(range(6)), "all frames of the picture of tensor cores"
    runner = FilmRunner()
    with qtbot.waitSignal(runner.finished) as finished:
        runner.start_steps(lambda stop: film.steps(tmp_path, True, stop))
    film.close()
    assert finished.args == [(tmp_path / "lesson_7_step_12.gif",)]
    with Image.open(tmp_path / "lesson_7_step_12.gif") as made:
        assert (made.size, len(list(ImageSequence.Iterator(made)))) == ((640, 360), 6)


def test_that_a_film_that_is_given_up_leaves_nothing_and_waits_for_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    choice = StepFilmChoice("s", 15.0, GIF, 1.0, 50, (640, 360))
    film = StepFilm(ShownStep(data_of("gpu")[1], 11), choice, LIGHT)
    runner = FilmRunner()
    with qtbot.waitSignal(runner.stopped):
        runner.start_steps(lambda stop: film.steps(tmp_path, True, stop))
        runner.stop()
        runner.wait(60)  # the window does nothing meanwhile, as when it closes
    film.close()
    assert list(tmp_path.iterdir()) == []
