"""A step of a lesson as the whole screen shows it, without its buttons, in any size and at any moment."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter, QRegion

from gemmviz.gui.export.lesson.unshown_screen import UnshownScreen
from gemmviz.gui.export.pictures.chart_picture import Size, blank
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.lessons.scenes.scene import NO_MOMENT, SceneMoment
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.lessons.still_page import StillPage
from gemmviz.gui.looks.projector import USUAL_HEIGHT, USUAL_WIDTH
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.widget_image import EVERYTHING, settle


class PagePicture:
    """Paints the page of a lesson `size` pixels large, with `title` in place of the lesson's. It is for the thread of
    the window, which must `close` it. A smaller picture than a screen of usual size is that of such a screen.
    """

    def __init__(self, shown: ShownStep, size: Size, theme: Theme, title: str | None = None) -> None:
        self.size = size
        self._scale = min(size[0] / USUAL_WIDTH, size[1] / USUAL_HEIGHT, 1.0)
        whole = round(size[0] / self._scale), round(size[1] / self._scale)
        self._screen = UnshownScreen(whole, theme)
        self.page = StillPage(theme)
        self.page.run_here = shown.run_here
        self._screen.hold(self.page)
        self.show_step(shown, title)

    def show_step(self, shown: ShownStep, title: str | None = None) -> None:
        """Show another step, at the moment that it is about."""
        settle(self._screen)  # its pages fit the screen before their scenes are laid out
        self.page.show_lesson(shown.data, shown.end, shown.step, shown.progress)
        if title is not None:
            self.page.show_title(title)
        scene = self.page.scene
        if isinstance(scene, BanksScene) and shown.layout is not None:
            scene.try_layout(shown.layout)
        for control in scene.controls if scene is not None else ():
            control.hide()
        self.show_moment(scene.rest if scene is not None else NO_MOMENT)

    @property
    def seconds(self) -> float:
        """How long the step takes when it plays; 0 for one that does not."""
        return self.page.scene.seconds if self.page.scene is not None else 0.0

    def moment_at(self, seconds: float) -> SceneMoment:
        """The moment that shows so many seconds after the step began to play."""
        return self.page.scene.moment_at(seconds) if self.page.scene is not None else NO_MOMENT

    def show_moment(self, moment: SceneMoment) -> None:
        """Show a moment from now on."""
        if self.page.scene is not None:
            self.page.scene.show_moment(moment)
        settle(self._screen)

    def draw(self, painter: QPainter) -> None:
        """Paint the moment that is shown, in pixels of its size."""
        painter.save()
        painter.scale(self._scale, self._scale)
        self._screen.render(painter, QPoint(), QRegion(), EVERYTHING)
        painter.restore()

    def image(self) -> QImage:
        """The moment that is shown.

        Raises:
            MemoryError: it does not fit in memory.
        """
        image = blank(self.size, self.page.theme)
        with QPainter(image) as painter:
            self.draw(painter)
        return image

    def close(self) -> None:
        """Let go of the page."""
        self.page.stop()
        self._screen.deleteLater()
