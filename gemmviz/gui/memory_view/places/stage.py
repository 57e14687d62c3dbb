"""Where the matrices lie: as on paper, so that a row of A and a column of B meet in the result."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from gemmviz.domain.figures import count
from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.corner import Content

MARGIN = 16.0
TOP, BOTTOM = 32.0, 64.0
"""Above B stands its caption; below A and C stand theirs, the legend, and where the recording was made."""
LEGEND_LINES, THREE_LINES_BELOW, LOW = 10.0, 440.0, 310.0
"""What the legend of two pictures takes besides, for its second line, and in so narrow a window for its third; not in a
window so low, where that would cost them their figures.
"""
GAP = 22.0
RISE = 24.0
"""How far the corner reaches above B, beside its caption."""
LEAST = 44.0
"""The least extent of M, N and K on the stage."""
MOST_PER_ELEMENT = 240.0
WHOLE_FROM = 4.0
"""Elements of that size are made whole pixels large, so that their edges are sharp."""
SIDE_WIDTH, SIDE_HEIGHT = 116.0, 84.0
"""What the figures need left of A."""
WIDE_SIDE = 300.0
"""What they take of a window that has more width than the matrices can use."""
NARROW, WIDE_FOR_VALUES = 300.0, 500.0
"""Narrower windows have no place for them; numbers in elements want the width before."""
FOOT_HEIGHT, HIGH = 70.0, 3.5
"""What they need at the foot of the corner, where A is too low to have them at its side, if it is so much higher."""
LARGEST_PART, LARGEST_WITH_VALUES = 0.52, 0.58
"""Of the height, for a corner that asks for more than paper leaves empty."""
LARGEST_WITH_SUMS = 0.74
"""Of the width, for a corner that shows the sums beside their factors."""
TO_SCALE = "Not to scale"
_SIDES = {
    "M": (("A", "too high"),),
    "N": (("B", "too wide"),),
    "K": (("A", "too wide"), ("B", "too high")),
}
LARGEST_CORNER = 1.7
"""How much higher than it needs the corner may get where height is left over."""


@dataclass(frozen=True, slots=True)
class StagePlaces:
    """The places of the matrices, of the corner above A and beside B, and of the figures left of A.

    `c` is where the result lies, C or D; `added` is where C lies where the result is D, to the right of it, else None.
    `figures` is None where there is no room for them; `foot` is what they then take of the corner's height, or 0.
    `notes` say what is not to scale, longer and shorter; none if all is.
    """

    width: float
    height: float
    a: Box
    b: Box
    c: Box
    corner: Box
    figures: Box | None
    foot: float
    notes: tuple[str, ...]
    added: Box | None = None

    @property
    def note(self) -> str:
        """What is not to scale, "" if all is."""
        return self.notes[0] if self.notes else ""

    def place(self, name: str) -> Box | None:
        """Where the matrix of that name lies; None for one that is not drawn."""
        return self.places.get(name)

    @property
    def places(self) -> dict[str, Box]:
        """Where the matrices lie, by their names."""
        if self.added is None:
            return {"A": self.a, "B": self.b, "C": self.c}
        return {"A": self.a, "B": self.b, "C": self.added, "D": self.c}


def lay_out(shape: Shape, width: float, height: float, *contents: Content) -> StagePlaces:
    """The largest picture that fits a window of that size, to scale where M, N and K allow it.

    The corner gets the height that its content needs, as long as the matrices keep about half of the window. Of several
    `contents`, those of pictures that are compared, it has room for each.
    """
    shown = contents or (Content(),)
    has_values = any(content.has_values for content in shown)
    legend = LEGEND_LINES * (2 if width < THREE_LINES_BELOW else 1) * (len(shown) > 1 and height >= LOW)
    across, down = max(width - 2 * MARGIN - GAP, 40.0), max(height - TOP - BOTTOM - legend - GAP, 40.0)
    least_w, least_h = (max(sizes) for sizes in zip(*(content.least for content in shown), strict=True))
    part = LARGEST_WITH_VALUES if has_values else LARGEST_PART
    corner_w, corner_h = min(least_w, 0.55 * across), min(least_h - RISE, part * down)
    with_sums = max(content.width_with_sums(corner_h + RISE) for content in shown)
    corner_w = max(corner_w, with_sums) if with_sums <= LARGEST_WITH_SUMS * across else corner_w
    least = min(LEAST, 0.25 * across, 0.25 * down)
    side = SIDE_WIDTH + GAP if across >= (WIDE_FOR_VALUES if has_values else NARROW) else 0.0
    has_d = any(content.has_d for content in shown)
    scale = _largest_scale(shape, across, down, (corner_w, corner_h, side), least, 2 if has_d else 1)
    m, n, k = (max(size * scale, least) for size in (shape.m, shape.n, shape.k))
    corner_h = float(round(max(corner_h, k, min(down - m, LARGEST_CORNER * max(corner_h, k)))))
    beside = (WIDE_SIDE + GAP if side else 0.0) if m >= SIDE_HEIGHT else 0.0
    wanted = max(*(content.width_at(corner_h + RISE, k) for content in shown), k + beside, corner_w)
    beside_d = n + GAP if has_d else 0.0
    corner_w = float(int(max(k, min(across - n - beside_d, wanted))))
    left = float(round(MARGIN + max((across - corner_w - n - beside_d) / 2, 0.0)))
    top = float(round(TOP + max((down - corner_h - m) / 2, 0.0)))
    right, low = left + corner_w + GAP, top + corner_h + GAP
    a = Box(right - GAP - k, low, k, m)
    corner = Box(left, top - RISE, corner_w, corner_h + RISE)
    beside_a = Box(corner.x, a.y, a.x - GAP - corner.x, a.height)
    foot_from = max(HIGH * FOOT_HEIGHT, *(content.tree_height + FOOT_HEIGHT for content in shown))
    has_room = beside_a.width >= SIDE_WIDTH - 1 and beside_a.height >= SIDE_HEIGHT
    return StagePlaces(
        width,
        height,
        a=a,
        b=Box(right, low - GAP - k, n, k),
        c=Box(right, low, n, m),
        corner=corner,
        figures=beside_a if has_room else None,
        foot=FOOT_HEIGHT if not has_room and corner.height >= foot_from else 0.0,
        notes=_notes(shape, (m, n, k), scale),
        added=Box(right + n + GAP, low, n, m) if has_d else None,
    )


def _largest_scale(
    shape: Shape, across: float, down: float, corner: tuple[float, float, float], least: float, results: int
) -> float:
    """Pixels per element, with `results` matrices of M x N beside each other.

    Both extents grow with the scale, so halving the interval finds it.

    `corner` is its least width and height, and what the figures want left of A where A is high enough for them.
    """
    gaps = (results - 1) * GAP
    low, high = 0.0, min(MOST_PER_ELEMENT, across / max(results * shape.n, 1), down / max(shape.m, 1))
    width, height, side = corner
    for _ in range(48):
        middle = (low + high) / 2
        m, n, k = (max(size * middle, least) for size in (shape.m, shape.n, shape.k))
        beside = side if m >= SIDE_HEIGHT else 0.0
        fits = max(k + beside, width) + results * n + gaps <= across and max(k, height) + m <= down
        low, high = (middle, high) if fits else (low, middle)
    return float(int(low)) if low >= WHOLE_FROM else low


def _notes(shape: Shape, extents: tuple[float, float, float], scale: float) -> tuple[str, ...]:
    """Which sides of the matrices are drawn larger than they are: by how much, without that, and that some are."""
    stretched = [
        (name, extent / (size * scale) if scale else inf)
        for name, size, extent in zip("MNK", (shape.m, shape.n, shape.k), extents, strict=True)
    ]
    stretched = [(name, by) for name, by in stretched if by > 1.02]
    if not stretched:
        return ()
    told = []
    for has_factor in (True, False):
        sides = [(side, f"{_times(by)} " * has_factor) for name, by in stretched for side in _SIDES[name]]
        (first, way), by = sides[0]
        others = [f"{matrix} {times}{too}" for (matrix, too), times in sides[1:]]
        told.append(f"{TO_SCALE}: {', '.join((f'{first} is drawn {by}{way}', *others))}")
    return *told, TO_SCALE


def _times(by: float) -> str:
    return f"{by:.1f} times" if by < 10 else f"{count(round(by))} times" if by < 1e6 else "more than 10⁶ times"
