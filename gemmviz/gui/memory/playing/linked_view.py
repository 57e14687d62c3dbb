"""Memory views that are zoomed and moved together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.paired_view import PairedView
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.recording.grids import Playable


class LinkedView(PairedView):
    """A memory view that tells where one looks, and can be told."""

    camera_moved = Signal(object)
    """The Camera from now on, whoever moved it."""

    def __init__(self, theme: Theme) -> None:
        self._told = Camera()
        super().__init__(theme)

    @property
    def camera(self) -> Camera:
        """Where one looks."""
        return self._composer.camera

    def show_camera(self, camera: Camera) -> None:
        """Look there; nothing is told."""
        self._composer.camera = self._told = camera.within(*self.canvas_size)
        self._changed()

    def _changed(self) -> None:
        super()._changed()
        if self.camera != self._told:
            self._told = self.camera
            self.camera_moved.emit(self._told)


class Link(QObject):
    """Lets each of two views follow the other, as long as it is switched on."""

    def __init__(self, one: LinkedView, other: LinkedView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._views = one, other
        self.is_on = False
        self.is_wanted = True
        """Whether a person lets them follow each other."""
        one.camera_moved.connect(lambda camera: self._follow(camera, one, other))
        other.camera_moved.connect(lambda camera: self._follow(camera, other, one))

    def show_played(self, first: Playable | None, second: Playable | None, active: int) -> bool:
        """Link the views of these, as far as that is wanted, and go where the `active` one is. Whether it is possible:
        pictures of other sizes have no place in common.
        """
        is_possible = first is not None and second is not None and first.run.spec.shape == second.run.spec.shape
        self.is_on = is_possible and self.is_wanted
        if second is not None:
            self.join(self._views[active], self._views[1 - active])
        return is_possible

    def join(self, leading: LinkedView, following: LinkedView) -> None:
        """Bring one of them to where the other is."""
        self._follow(leading.camera, leading, following)

    def _follow(self, camera: Camera, leading: LinkedView, following: LinkedView) -> None:
        """The same part of the picture, though one may be wider than the other."""
        if self.is_on:
            across = following.width() / max(leading.width(), 1)
            down = following.height() / max(leading.height(), 1)
            following.show_camera(Camera(camera.zoom, camera.x * across, camera.y * down))
