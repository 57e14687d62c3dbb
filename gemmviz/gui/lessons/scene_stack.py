"""The scenes of lessons, one of them in front; each is made when it is first needed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gemmviz.gui.lessons.scenes.scene import LessonScene
from gemmviz.gui.lessons.scenes.step_scene import AnyScene
from gemmviz.gui.looks.theme import Theme


class SceneStack(QStackedWidget):
    """Shows one scene, and stops the one that was in front before. A scene that is made later has the colours, the size
    and the motion of the others.
    """

    made = Signal(object)
    """A LessonScene that was not there before."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._made: dict[type[LessonScene], LessonScene] = {}
        self._front: LessonScene | None = None
        self._is_reduced = self._is_still = False
        self._magnification = 1.0

    @property
    def front(self) -> LessonScene | None:
        """What is shown."""
        return self._front

    def use(self, kind: type[AnyScene]) -> AnyScene:
        """Bring the scene of a kind to the front."""
        scene = self._made.get(kind)
        if not isinstance(scene, kind):
            scene = self._made[kind] = self._make(kind)
        if self._front is not None and self._front is not scene:
            self._front.stop()
        self._front = scene
        self.setCurrentWidget(scene)
        return scene

    def stop(self) -> None:
        """Nothing plays and nothing is computed any more."""
        for scene in self._made.values():
            scene.stop()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        for scene in self._made.values():
            scene.set_theme(theme)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Whether things jump to their places instead of moving there."""
        self._is_reduced = is_reduced
        for scene in self._made.values():
            scene.set_reduced_motion(is_reduced)

    def keep_still(self) -> None:
        """Be for pictures alone: every scene is made in this thread, and without its controls."""
        self._is_still = True

    def set_magnification(self, factor: float) -> None:
        """How much larger than usual everything is."""
        self._magnification = factor
        for scene in self._made.values():
            scene.set_magnification(factor)

    def _make(self, kind: type[AnyScene]) -> AnyScene:
        scene = kind(self._theme)
        scene.set_reduced_motion(self._is_reduced)
        if self._is_still:
            scene.keep_still()
        self.made.emit(scene)
        self.addWidget(scene)
        scene.set_magnification(self._magnification)  # here it knows whether the window has the whole screen
        return scene
