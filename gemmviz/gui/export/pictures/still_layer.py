"""Images of a picture in which tiles move: what stands still is painted once, as long as it is the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtGui import QImage, QPainter

from gemmviz.gui.memory_view.text.stepped_back import Flights
from gemmviz.gui.widgets.widget_image import set_density

Painted = TypeVar("Painted")
AllFlights = tuple[Flights, ...]
"""The ways of tiles in each scene of a picture, with the texts that step back for them."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """`width` x `height` units of `scale` pixels, painted `density` times as fine. A large unit makes room for more
    numbers, fine pixels do not.
    """

    width: float
    height: float
    scale: float = 1.0
    density: float = 1.0

    def blank(self) -> QImage:
        """An image of that size.

        Raises:
            MemoryError: it does not fit in memory.
        """
        across, down = (round(length * self.scale * self.density) for length in (self.width, self.height))
        image = QImage(across, down, QImage.Format.Format_RGB32)
        if image.isNull():
            raise MemoryError(f"a picture of {across} × {down} pixels")
        set_density(image, 1.0)  # fonts are as large as on a usual screen, whatever screen there is
        return image

    def paint(self, image: QImage, draw: Callable[[QPainter], Painted]) -> Painted:
        """Let `draw` paint on an image of that size in units, and return what it returns."""
        image.setDevicePixelRatio(self.density)
        with QPainter(image) as painter:
            painter.scale(self.scale, self.scale)
            found = draw(painter)
        image.setDevicePixelRatio(1.0)
        return found


class StillLayer:
    """The last image without the tiles on their way, what was written on it, and what it depends on."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, QImage, AllFlights] | None = None

    def image(
        self,
        canvas: Canvas,
        depends_on: Hashable,
        draw_still: Callable[[QPainter], AllFlights],
        draw_moving: Callable[[QPainter, AllFlights], object],
    ) -> QImage:
        """What both paint, one above the other; the first only where `depends_on` is not as in the last image.

        Raises:
            MemoryError: the image does not fit in memory.
        """
        kept, key = self._kept, (canvas, depends_on)
        if kept is None or kept[0] != key:
            still = canvas.blank()
            kept = self._kept = key, still, canvas.paint(still, draw_still)
        image = kept[1].copy()
        canvas.paint(image, lambda painter: draw_moving(painter, kept[2]))
        return image
