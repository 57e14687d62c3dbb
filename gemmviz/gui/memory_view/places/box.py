"""Rectangles in the layout or in the window, in pixels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its left upper corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle_x(self) -> float:
        return self.x + self.width / 2

    @property
    def middle_y(self) -> float:
        return self.y + self.height / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def meets(self, other: Box) -> bool:
        """Whether the two have an area in common."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def encloses(self, other: Box) -> bool:
        """Whether all of the other one lies in it."""
        return self.x <= other.x and other.right <= self.right and self.y <= other.y and other.bottom <= self.bottom

    def grown(self, by: float) -> Box:
        """Larger by so much on every side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def at_least(self, extent: float) -> Box:
        """As wide and as high as `extent` at least, around the same middle."""
        width, height = max(self.width, extent), max(self.height, extent)
        return Box(self.middle_x - width / 2, self.middle_y - height / 2, width, height)

    def part(self, rows: int, columns: int, row: float, column: float, height: float = 1, width: float = 1) -> Box:
        """Where elements lie, if `rows` x `columns` of them fill this box."""
        across, down = self.width / columns, self.height / rows
        return Box(self.x + column * across, self.y + row * down, width * across, height * down)
