"""Where one looks: how much of the layout is seen, and how near."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.memory_view.places.box import Box

STEP = 1.25
"""How much nearer one step of a key or a wheel is."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A point of the layout is seen at `zoom` times itself, moved by `x` and `y`; zoom 1 shows the whole layout."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0

    @property
    def shows_all(self) -> bool:
        return self.zoom <= 1.0

    def seen(self, box: Box) -> Box:
        """Where a box of the layout is seen."""
        return Box(
            box.x * self.zoom + self.x, box.y * self.zoom + self.y, box.width * self.zoom, box.height * self.zoom
        )

    def looked_at(self, box: Box) -> Box:
        """The box of the layout that is seen there."""
        return Box(
            (box.x - self.x) / self.zoom, (box.y - self.y) / self.zoom, box.width / self.zoom, box.height / self.zoom
        )

    def zoomed(self, factor: float, x: float, y: float, nearest: float) -> Camera:
        """Nearer by a factor, the point under (x, y) staying there; never farther than 1 or nearer than `nearest`."""
        zoom = min(max(self.zoom * factor, 1.0), max(nearest, 1.0))
        by = zoom / self.zoom
        return Camera(zoom, x - (x - self.x) * by, y - (y - self.y) * by)

    def fitted(self, box: Box, width: float, height: float, nearest: float) -> Camera:
        """A box of the layout as large as a window of that size has room for, in its middle; never farther than 1."""
        zoom = min(max(min(width / max(box.width, 1.0), height / max(box.height, 1.0)), 1.0), max(nearest, 1.0))
        return Camera(zoom).centred_on(box.middle_x, box.middle_y, width, height)

    def moved(self, x: float, y: float) -> Camera:
        return Camera(self.zoom, self.x + x, self.y + y)

    def within(self, width: float, height: float) -> Camera:
        """Moved so that a layout of that size goes on filling a window of that size."""
        return Camera(
            self.zoom,
            min(max(self.x, width * (1.0 - self.zoom)), 0.0),
            min(max(self.y, height * (1.0 - self.zoom)), 0.0),
        )

    def centred_on(self, x: float, y: float, width: float, height: float) -> Camera:
        """The point (x, y) of the layout in the middle of a window of that size, as far as the layout reaches."""
        return Camera(self.zoom, width / 2 - x * self.zoom, height / 2 - y * self.zoom).within(width, height)
