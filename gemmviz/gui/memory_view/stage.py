"""Where A, B and C lie: as on paper, so that a row of A and a column of B meet in C."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from gemmviz.domain.figures import count
from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.box import Box

LEFT, TOP, RIGHT, BOTTOM = 28.0, 44.0, 28.0, 48.0
"""Margins; the captions of the matrices stand in those above and below."""
GAP = 28.0
LEAST = 44.0
"""The least extent of M, N and K on the stage."""
MOST_PER_ELEMENT = 76.0
WHOLE_FROM = 4.0
"""Elements of that size are made whole pixels large, so that their edges are sharp."""
CORNER_WIDTH, CORNER_HEIGHT = 300.0, 216.0
"""What shared memory wants in the corner above A and beside B, where paper is empty."""
WIDEST_CORNER = 460.0
TALLY, TALLY_WIDTH = 76.0, 256.0
LARGEST_PART = 0.48
"""Of the height, for the corner."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The places of the matrices and of the corner. `note` says what is not to scale, "" if all is.

    `tally` is where figures stand: left of A where there is room, else at the foot of the corner.
    """

    width: float
    height: float
    a: Box
    b: Box
    c: Box
    corner: Box
    tally: Box
    note: str

    @property
    def corner_foot(self) -> float:
        """What the figures take of the corner's height."""
        return TALLY if self.tally.y < self.corner.bottom else 0.0

    def place(self, name: str) -> Box | None:
        """Where the matrix A, B or C lies."""
        return {"A": self.a, "B": self.b, "C": self.c}.get(name)


def lay_out(shape: Shape, width: float, height: float, wanted: float = CORNER_HEIGHT) -> Stage:
    """The largest picture that fits a window of that size, to scale where M, N and K allow it.

    The corner gets the height that is `wanted`, as long as the matrices keep the larger part of the window.
    """
    across, down = max(width - LEFT - RIGHT - GAP, 40.0), max(height - TOP - BOTTOM - GAP, 40.0)
    corner_w, corner_h = min(CORNER_WIDTH, 0.5 * across), min(max(wanted, CORNER_HEIGHT), LARGEST_PART * down)
    least = min(LEAST, 0.25 * across, 0.25 * down)
    scale = _largest_scale(shape, across, down, (corner_w, corner_h), least)
    m, n, k = (max(size * scale, least) for size in (shape.m, shape.n, shape.k))
    corner_h = float(round(max(corner_h, k)))
    corner_w = float(round(max(k, min(across - n, max(WIDEST_CORNER, k)))))
    left = LEFT + max((across - corner_w - n) / 2, 0.0)
    top = TOP + max((down - corner_h - m) / 2, 0.0)
    left, top = float(round(left)), float(round(top))
    right, low = left + corner_w + GAP, top + corner_h + GAP
    return Stage(
        width, height,
        a=Box(right - GAP - k, low, k, m),
        b=Box(right, low - GAP - k, n, k),
        c=Box(right, low, n, m),
        corner=Box(left, top, corner_w, corner_h),
        tally=_tally(Box(left, top, corner_w, corner_h), Box(right - GAP - k, low, k, m)),
        note=_note(shape, (m, n, k), scale),
    )  # fmt: skip


def _largest_scale(shape: Shape, across: float, down: float, corner: tuple[float, float], least: float) -> float:
    """Pixels per element. Both extents grow with the scale, so halving the interval finds it."""
    low, high = 0.0, min(MOST_PER_ELEMENT, across / max(shape.n, 1), down / max(shape.m, 1))
    for _ in range(48):
        middle = (low + high) / 2
        m, n, k = (max(size * middle, least) for size in (shape.m, shape.n, shape.k))
        fits = max(k, corner[0]) + n <= across and max(k, corner[1]) + m <= down
        low, high = (middle, high) if fits else (low, middle)
    return float(int(low)) if low >= WHOLE_FROM else low


def _tally(corner: Box, a: Box) -> Box:
    room = a.x - LEFT - GAP
    if room < TALLY_WIDTH or a.height < TALLY:
        return Box(corner.x, corner.bottom - TALLY, corner.width, TALLY)
    x = min(corner.x, a.x - GAP - TALLY_WIDTH)
    return Box(x, a.bottom - TALLY, a.x - GAP - x, TALLY)


def _note(shape: Shape, extents: tuple[float, float, float], scale: float) -> str:
    """Which of M, N and K are drawn larger than they are."""
    stretched = [
        (name, size, extent / (size * scale) if scale else inf)
        for name, size, extent in zip("MNK", (shape.m, shape.n, shape.k), extents, strict=True)
    ]
    larger = [f"{name} = {count(size)} drawn {_times(by)} as large" for name, size, by in stretched if by > 1.02]
    return f"Not to scale: {', '.join(larger)}" if larger else ""


def _times(by: float) -> str:
    return f"{by:.1f}×" if by < 10 else f"{count(round(by))}×" if by < 1e6 else "much more than 10⁶×"
