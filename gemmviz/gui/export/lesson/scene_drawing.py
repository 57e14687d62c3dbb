"""The scene of a lesson's step as a drawing for paper: shapes, and text as text, in type that can be read there."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter, QRegion

from gemmviz.catalogue.lesson_scenes import Loops, Repair
from gemmviz.gui.export.lesson.unshown_screen import UnshownScreen
from gemmviz.gui.export.pictures.chart_picture import Size
from gemmviz.gui.lessons.scene_stack import SceneStack
from gemmviz.gui.lessons.scenes.repair_scene import RepairScene
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.lessons.scenes.step_scene import show_scene
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.looks.lesson_style import lesson_style
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.widget_image import EVERYTHING, settle

_SIZE: Size = (880, 560)
"""Units of a drawing. As wide as the text of a page, its smallest labels have 9 points."""
_WIDE: Size = (1120, 640)
"""Those of a scene whose two halves stand beside each other; its smallest labels have 7 points."""
_EVIDENCE = 'QLabel[role="evidence"] { font-size: 12pt; }'
"""Of 9 points on paper, so that it has room in one line."""
_HALVED = Repair, Loops


class SceneDrawing:
    """Draws what a step shows, at the moment that the step is about. For the thread of the window, which must `close`
    it.
    """

    def __init__(self, shown: ShownStep, theme: Theme) -> None:
        self.size = _WIDE if isinstance(shown.scene, _HALVED) else _SIZE
        self._screen = UnshownScreen(self.size, theme)
        self._scenes = SceneStack(theme)
        self._scenes.keep_still()
        self._screen.hold(self._scenes)
        self._scenes.setStyleSheet(f"{lesson_style(1.0, theme)}\n{_EVIDENCE}")
        show_scene(shown.scene, shown.data, self._scenes.use)
        scene = self._scenes.front
        assert scene is not None
        if isinstance(scene, RepairScene) and shown.is_answered:
            scene.reveal()
        if isinstance(scene, BanksScene) and shown.layout is not None:
            scene.try_layout(shown.layout)
        for control in scene.controls:
            control.hide()
        settle(self._screen)  # its type is that of the screen before it is laid out
        self._scenes.set_theme(theme)
        self._scenes.set_magnification(1.0)
        scene.show_moment(scene.rest)
        settle(self._screen)

    def draw(self, painter: QPainter) -> None:
        """Paint it in units of its `size`."""
        self._screen.render(painter, QPoint(), QRegion(), EVERYTHING)

    def close(self) -> None:
        """Let go of the scene."""
        self._scenes.stop()
        self._screen.deleteLater()
