"""The step of a lesson as a view that can be exported: as the whole screen shows it, at a moment of choice."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

from PySide6.QtGui import QImage, QPainter

from gemmviz.gui.export.drawn_view import DrawnLook, ViewMoment, ViewOnScreen
from gemmviz.gui.export.lesson.file_names import step_stem
from gemmviz.gui.export.lesson.page_picture import PagePicture
from gemmviz.gui.export.pictures.chart_picture import Size
from gemmviz.gui.lessons.lesson_page import LessonPage
from gemmviz.gui.lessons.scenes.scene import SceneMoment
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.theme import Theme

AT_REST, ON_SCREEN = "rest", "screen"


def step_view(page: LessonPage) -> ViewOnScreen | None:
    """The step that a page shows, paused; None while no lesson is shown. Of one that plays it is the moment on the
    screen where that is on the way, else the one that the step is about, its end for most; the other one can be chosen.
    """
    shown, scene = page.shown, page.scene
    if shown is None or scene is None:
        return None
    if scene.is_playing:
        scene.toggle()
    view_at_rest = view_of_step(shown)
    if not scene.seconds:
        return view_at_rest
    moment = scene.moment
    now = view_of_step(shown, moment)
    what = "Beginning of the step" if scene.rest == scene.moment_at(0.0) else "End of the step"
    at_rest, on_screen = ViewMoment(AT_REST, what, view_at_rest), ViewMoment(ON_SCREEN, "Now on the screen", now)
    is_on_the_way = not scene.has_ended and moment.place != scene.moment_at(0.0).place
    return replace(now if is_on_the_way else view_at_rest, moments=(at_rest, on_screen))


def view_of_step(shown: ShownStep, moment: SceneMoment | None = None) -> ViewOnScreen:
    """A step at a moment, its last one for None."""
    lesson = shown.data.lesson

    def picture(size: Size, theme: Theme, title: str) -> PagePicture:
        made = PagePicture(shown, size, theme, title)
        if moment is not None:
            made.show_moment(moment)
        return made

    def paint(_made: Any, size: Size, theme: Theme, title: str) -> QImage:
        with closing(picture(size, theme, title)) as made:
            return made.image()

    def draw(_made: Any, painter: QPainter, look: DrawnLook) -> None:
        with closing(picture(look.size, look.theme, look.title)) as made:
            made.draw(painter)

    return ViewOnScreen(step_stem(lesson, shown.step), lesson.title, paint, draw=draw, is_slide=True)
