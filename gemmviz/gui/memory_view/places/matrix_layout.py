"""Where the matrices lie: as on paper, so that a row of A and a column of B meet in the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from gemmviz.domain.shape import Shape
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import OnchipContents
from gemmviz.gui.memory_view.places.scale_notes import scale_notes

MARGIN = 16.0
TOP, BOTTOM, AIR = 32.0, 64.0, 5.0
"""Room for captions, below A and C also for the legend and the last line; above the legend of a picture alone."""
LEGEND_LINES, THREE_LINES_BELOW, LOW = 10.0, 440.0, 310.0
"""What the legend takes for a second line, of two or below TWO_LINES_BELOW, and for a third; not where it is so LOW."""
GAP = 22.0
RISE = 24.0
"""How far the on-chip panel reaches above B, beside its caption."""
LEAST, LEAST_ROW = 44.0, 28.0
"""The least extent of M, N and K in the layout; that of M below a tree, whose links and numbers want the height."""
MOST_PER_ELEMENT = 240.0
WHOLE_FROM = 4.0
"""Elements of that size are made whole pixels large, so that their edges are sharp."""
SIDE_WIDTH, SIDE_HEIGHT = 116.0, 64.0
"""What the figures need left of A."""
WIDE_SIDE = 300.0
"""What they take of a window that has more width than the matrices can use."""
NARROW, WIDE_FOR_VALUES = 300.0, 500.0
"""Narrower windows have no place for them; numbers in elements want the width before."""
FIGURES_HEIGHT, HIGH = 70.0, 3.5
"""What they need at the bottom of the on-chip panel, where A is too low for them and the panel so much higher."""
LARGEST_PART, LARGEST_WITH_VALUES = 0.52, 0.58
"""Of the height, for an on-chip panel that asks for more than paper leaves empty."""
LARGEST_WITH_SUMS = 0.82
"""Of the width, for an on-chip panel that shows the sums beside their factors."""
LEAST_TILE = 80.0
"""Pixels of a tile on chip below which low pictures take the panel to the left of the matrices."""
ENOUGH_TILE = 128.0
"""Pixels of a tile on chip that need not get larger at the expense of the matrices."""
HIGHER_PARTS = tuple(0.52 + 0.02 * step for step in range(9))
"""Of the height, for a panel that may get higher than it asks for, in pictures that are compared."""
SMALLER_PARTS = tuple(0.46 - 0.04 * step for step in range(6))
"""Of the width, for matrices beside a panel that has room for the sums."""
WORTH_SUMS, WORTH_ANY_SUMS = 0.65, 0.5
"""How much of their size matrices keep where they leave more room for the sums, and any room at all."""
READABLE_PANEL, READABLE_STACK = 150.0, 120.0
"""Pixels of a panel of factors beside the sums whose head and captions can be read; of factors one below the other."""
CLEAR_SUM, ROOMY = 2.5, 600.0
"""Pixels of a sum with which no other layout is looked for, and of the width from which a picture alone has one of its
own: narrower ones beside each other have their matrices at the same places.
"""
HEIGHT_FOR_BARS = 91.0
"""What the figures left of A need of its height to have their bars."""
MATRICES_PART, PRESENTED_PART = 0.4, 0.46
"""Of the width, for matrices beside the panel; in two pictures that are presented, seen from afar."""
PLACE_LINE = 12.0
"""Pixels of the line below the legend, which a presented picture has only for what is not to scale."""
SECOND_LINE, TWO_LINES_BELOW = 5.0, 700.0
"""What a second line of the legend takes, and the width of a picture below which it may have one."""
WORTH_WIDTH, ALIKE = 1.15, 0.97
"""How much larger tiles on chip get at least in a presented picture whose panel goes beside its matrices, and how much
of their size these keep.
"""
SUM_AROUND, SUM_LINE = 28.0, 15.0
"""Pixels of the sheet of a thread's sum: around its lines, and for each of them."""
LARGEST_CORNER = 1.7
"""How much higher than it needs the on-chip panel may get where height is left over."""


class Purpose(Enum):
    """Where a picture is seen: on the page of memory, in a lesson, which has no panels beside it, or in a talk."""

    PAGE = auto()
    LESSON = auto()
    PRESENTED = auto()


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """The places of the matrices, of the on-chip panel above A and beside B, and of the figures left of A. In a low
    picture the panel is to the left of all matrices instead, and as high as they are together.

    `c` is where the result lies, C or D; `added` is where C lies where the result is D, to the right of it, else None.
    `figures` is None where there is no room for them; `figures_height` is the height they then take of the on-chip
    panel, or 0; the sum of a thread then stands in the `corner` above A, if that has room. `notes` say what is not to
    scale, longer and shorter; none if all is.
    """

    width: float
    height: float
    a: Box
    b: Box
    c: Box
    onchip: Box
    figures: Box | None
    figures_height: float
    notes: tuple[str, ...]
    added: Box | None = None
    corner: Box | None = None

    @property
    def note(self) -> str:
        """What is not to scale, "" if all is."""
        return self.notes[0] if self.notes else ""

    def place(self, name: str) -> Box | None:
        """Where the matrix of that name lies; None for one that is not drawn."""
        return self.places.get(name)

    @property
    def least_panel(self) -> float:
        """The least width of the panel of the factors: that of A where A is below, so that tiles go straight up."""
        return self.a.width if self.a.right <= self.onchip.right else 0.0

    @property
    def places(self) -> dict[str, Box]:
        """Where the matrices lie, by their names."""
        if self.added is None:
            return {"A": self.a, "B": self.b, "C": self.c}
        return {"A": self.a, "B": self.b, "C": self.added, "D": self.c}


def lay_out(
    shape: Shape, width: float, height: float, *contents: OnchipContents, purpose: Purpose = Purpose.PAGE
) -> MatrixLayout:
    """The largest picture that fits a window of that size, to scale where M, N and K allow it.

    Pictures that are compared are often wide and low, and so is one above the results in a low window: where tiles on
    chip would be too small above A, their panel is to the left of the matrices, if that makes them larger, and by more
    than it makes the matrices smaller. So it is in a picture of a lesson, and in one that is presented, if its matrices
    stay as large. A presented picture does without the line of the place.
    """
    if purpose is Purpose.PRESENTED:
        found = _laid_out(shape, width, height + PLACE_LINE, contents, purpose)
        if not found.notes:
            return replace(found, height=height)
    return _laid_out(shape, width, height, contents, purpose)


def _laid_out(
    shape: Shape, width: float, height: float, contents: tuple[OnchipContents, ...], purpose: Purpose
) -> MatrixLayout:
    paper = lay_out_on_paper(shape, width, height, contents)
    if not contents or any(content.is_tree or content.has_d for content in contents):
        return paper
    found = _without_asking_for_sums(paper, shape, contents, purpose)
    is_roomy = purpose is Purpose.PRESENTED or len(contents) > 1 or width >= ROOMY
    return _with_sums(found, shape, contents) if is_roomy else found


def _without_asking_for_sums(
    paper: MatrixLayout, shape: Shape, contents: tuple[OnchipContents, ...], purpose: Purpose
) -> MatrixLayout:
    """The layout in which tiles on chip and matrices are largest, whether the sums have room in it or not."""
    width, height = paper.width, paper.height
    if len(contents) < 2 and height >= LOW:
        return paper if purpose is Purpose.PAGE else _wide(paper, shape, contents)
    if not any(content.has_values for content in contents):
        paper = _with_higher_panel(paper, shape, contents)
    tile, sums = _seen(paper, contents)
    if tile >= LEAST_TILE:
        return paper
    beside = lay_out_beside(
        shape, width, height, contents, PRESENTED_PART if purpose is Purpose.PRESENTED else MATRICES_PART
    )
    larger, sums_beside = _seen(beside, contents)
    is_worth_it = larger > tile and larger * _extent(beside) >= tile * _extent(paper)
    return beside if is_worth_it and sums_beside >= sums else paper


def _with_sums(found: MatrixLayout, shape: Shape, contents: tuple[OnchipContents, ...]) -> MatrixLayout:
    """`found` where the sums of every picture can be seen well in it, else a layout in which they have room, and tiles
    on chip are larger by more than the matrices are smaller; these keep WORTH_SUMS of their size, or WORTH_ANY_SUMS.
    """
    wanted = sum(content.sums is not None for content in contents)
    has_sums = _seen(found, contents)[1] >= wanted
    if has_sums and _sum_cell(found, contents) >= CLEAR_SUM:
        return found
    width, height = found.width, found.height
    best, worth = found, min(_seen(found, contents)[0], ENOUGH_TILE) ** 1.5 * _extent(found) * has_sums
    for each in (
        *(lay_out_on_paper(shape, width, height, contents, part) for part in HIGHER_PARTS),
        *(lay_out_beside(shape, width, height, contents, part) for part in SMALLER_PARTS),
    ):
        tile, sums = _seen(each, contents)
        gained = min(tile, ENOUGH_TILE) ** 1.5 * _extent(each)
        keeps_figures = _has_figures(each) or not _has_figures(found)
        if (
            sums >= wanted
            and keeps_figures
            and _is_readable(each, contents)
            and gained > worth
            and _extent(each) >= (WORTH_SUMS if has_sums else WORTH_ANY_SUMS) * _extent(found)
        ):
            best, worth = each, gained
    return best


def _is_readable(layout: MatrixLayout, contents: tuple[OnchipContents, ...]) -> bool:
    """Whether the heads of all panels beside the sums, and the captions of arrays in them, have room."""
    arranged = [content.arranged(layout.onchip, layout.least_panel, layout.figures_height) for content in contents]
    return all(
        each.panel.width >= (READABLE_STACK if each.is_stacked else READABLE_PANEL)
        for each in arranged
        if each.sums is not None
    )


def _has_figures(layout: MatrixLayout) -> bool:
    return layout.figures is not None or bool(layout.figures_height)


def _sum_cell(layout: MatrixLayout, contents: tuple[OnchipContents, ...]) -> float:
    """Pixels of a sum in the picture where they are smallest."""
    arranged = (content.arranged(layout.onchip, layout.least_panel, layout.figures_height) for content in contents)
    shown = zip(arranged, contents, strict=True)
    return min((one.sums.width / of.sums[1] for one, of in shown if one.sums and of.sums), default=CLEAR_SUM)


def _with_higher_panel(paper: MatrixLayout, shape: Shape, contents: tuple[OnchipContents, ...]) -> MatrixLayout:
    """The same with as much more of the height for the panel as makes tiles on chip larger by more than it makes the
    matrices smaller; these keep their figures, with bars where they had them.
    """
    best, (tile, sums) = paper, _seen(paper, contents)
    worth = min(tile, ENOUGH_TILE) * _extent(paper)
    for part in HIGHER_PARTS:
        found = lay_out_on_paper(shape, paper.width, paper.height, contents, part)
        tile, with_sums = _seen(found, contents)
        keeps_figures = (found.figures is None) == (paper.figures is None)
        keeps_bars = found.a.height >= min(paper.a.height, HEIGHT_FOR_BARS)
        gained = min(tile, ENOUGH_TILE) * _extent(found)
        if keeps_figures and keeps_bars and with_sums >= sums and gained > worth:
            best, worth = found, gained
    return best


def lay_out_on_paper(
    shape: Shape, width: float, height: float, contents: tuple[OnchipContents, ...], panel_part: float = 0.0
) -> MatrixLayout:
    """The panel above A and beside B, in the corner that paper leaves empty.

    The on-chip panel gets the height that its content needs, as long as the matrices keep about half of the window. Of
    several `contents`, those of pictures that are compared, it has room for each. With a `panel_part` it gets that part
    of the height whatever it needs.
    """
    shown = contents or (OnchipContents(),)
    has_values = any(content.has_values for content in shown)
    across, down = _room(width, height, shown)
    margin, gap = _spacing(shown)
    least_w, least_h = (max(sizes) for sizes in zip(*(content.least for content in shown), strict=True))
    part = LARGEST_WITH_VALUES if has_values else LARGEST_PART
    onchip_w, onchip_h = min(least_w, 0.55 * across), min(least_h - RISE, part * down)
    onchip_h = panel_part * down if panel_part else onchip_h
    most = LARGEST_WITH_SUMS * across
    with_sums = max(content.width_with_sums(onchip_h + RISE, most) for content in shown)
    onchip_w = max(onchip_w, with_sums) if with_sums <= most else onchip_w
    least = min(LEAST / shown[0].enlarged, 0.25 * across, 0.25 * down)
    side = SIDE_WIDTH + gap if across >= (WIDE_FOR_VALUES if has_values else NARROW) else 0.0
    has_d = any(content.has_d for content in shown)
    scale = _largest_scale(shape, across, down, (onchip_w, onchip_h, side), least, 2 if has_d else 1)
    m, n, k = (max(size * scale, least) for size in (shape.m, shape.n, shape.k))
    if any(content.is_tree for content in shown):
        m = max(shape.m * scale, min(LEAST_ROW / shown[0].enlarged, least))
    onchip_h = float(round(max(onchip_h, k, min(down - m, LARGEST_CORNER * max(onchip_h, k)))))
    beside = (WIDE_SIDE + gap if side else 0.0) if m >= SIDE_HEIGHT else 0.0
    wanted = max(*(content.width_at(onchip_h + RISE, k) for content in shown), k + beside, onchip_w)
    beside_d = n + gap if has_d else 0.0
    onchip_w = float(int(max(k, min(across - n - beside_d, wanted))))
    left = float(round(margin + max((across - onchip_w - n - beside_d) / 2, 0.0)))
    top = float(round(TOP + max((down - onchip_h - m) / 2, 0.0)))
    right, low = left + onchip_w + gap, top + onchip_h + gap
    a = Box(right - gap - k, low, k, m)
    onchip = Box(left, top - RISE, onchip_w, onchip_h + RISE)
    beside_a = Box(onchip.x, a.y, a.x - gap - onchip.x, a.height)
    figures_from = max(HIGH * FIGURES_HEIGHT, *(content.tree_height + FIGURES_HEIGHT for content in shown))
    has_room = beside_a.width >= SIDE_WIDTH - 1 and beside_a.height >= SIDE_HEIGHT
    return MatrixLayout(
        width,
        height,
        a=a,
        b=Box(right, low - gap - k, n, k),
        c=Box(right, low, n, m),
        onchip=onchip,
        figures=beside_a if has_room else None,
        figures_height=FIGURES_HEIGHT if not has_room and onchip.height >= figures_from else 0.0,
        notes=scale_notes(shape, (m, n, k), scale),
        added=Box(right + n + gap, low, n, m) if has_d else None,
    )


def lay_out_beside(
    shape: Shape, width: float, height: float, contents: tuple[OnchipContents, ...], part: float = MATRICES_PART
) -> MatrixLayout:
    """The panel to the left of the matrices, which have that part of the width, as high as they are together."""
    across, down = _room(width, height, contents)
    margin, gap = _spacing(contents)
    least = min(LEAST / contents[0].enlarged, 0.25 * across, 0.25 * down)
    most_w = part * across
    scale = min(most_w / max(shape.k + shape.n, 1), down / max(shape.k + shape.m, 1), MOST_PER_ELEMENT)
    shorter, longer = sorted((shape.k, shape.m))
    scale = min(scale, (down - least) / max(longer, 1)) if shorter * scale < least else scale
    scale = float(int(scale)) if scale >= WHOLE_FROM else scale
    m, n, k = (max(size * scale, least) for size in (shape.m, shape.n, shape.k))
    onchip_h = down + gap + RISE
    most = max(across - gap - k - n, 0.0)
    onchip_w = float(int(min(most, max(content.width_at(onchip_h, 0.0) for content in contents))))
    left = float(round(margin + (most - onchip_w) / 2))
    onchip = Box(left, TOP - RISE, onchip_w, float(round(onchip_h)))
    top = float(round(TOP + max((down - k - m) / 2, 0.0)))
    low = top + k + gap
    a = Box(onchip.right + gap, low, k, m)
    b = Box(a.right + gap, top, n, k)
    found = MatrixLayout(
        width, height, a, b, Box(b.x, low, n, m), onchip, None, 0.0, scale_notes(shape, (m, n, k), scale)
    )
    with_figures = replace(found, figures_height=FIGURES_HEIGHT)
    is_high = _seen(with_figures, contents) >= (LEAST_TILE, _seen(found, contents)[1])
    return with_figures if is_high else found


def _wide(paper: MatrixLayout, shape: Shape, contents: tuple[OnchipContents, ...]) -> MatrixLayout:
    """The panel to the left of the matrices where that uses a width which `paper` leaves empty, else `paper`."""
    beside = replace(lay_out_beside(shape, paper.width, paper.height, contents), figures_height=FIGURES_HEIGHT)
    (tile, sums), (larger, sums_beside) = _seen(paper, contents), _seen(beside, contents)
    is_worth_it = larger >= WORTH_WIDTH * tile and _extent(beside) >= ALIKE * _extent(paper)
    if not is_worth_it or sums_beside < sums:
        return paper
    corner = Box(beside.a.x, beside.b.y - RISE, beside.a.width, beside.b.height + RISE)
    has_room = corner.width >= SIDE_WIDTH and corner.height >= SUM_AROUND + (shape.k + 1) * SUM_LINE
    return replace(beside, corner=corner if has_room else None)


def _extent(layout: MatrixLayout) -> float:
    """Pixels that A and B take in the direction in which they are side by side or one above the other."""
    return max(layout.a.width + layout.b.width, layout.a.height + layout.b.height)


def _spacing(contents: tuple[OnchipContents, ...]) -> tuple[float, float]:
    """The margin and the gap, in whole pixels of the layout: on the whole screen as wide as in a window."""
    return float(round(MARGIN / contents[0].enlarged)), float(round(GAP / contents[0].enlarged))


def _room(width: float, height: float, contents: tuple[OnchipContents, ...]) -> tuple[float, float]:
    """Pixels that the matrices and the panel share across, and the matrices down, without the gap between them."""
    pictures, (margin, gap) = len(contents), _spacing(contents)
    lines = (pictures > 1 or width < TWO_LINES_BELOW) + (width < THREE_LINES_BELOW)
    below = BOTTOM + LEGEND_LINES * lines * (height >= LOW) + AIR * (pictures < 2)
    return max(width - 2 * margin - gap, 40.0), max(height - TOP - below - gap, 40.0)


def _seen(layout: MatrixLayout, contents: tuple[OnchipContents, ...]) -> tuple[float, int]:
    """Pixels of the narrowest array on chip (of no array, as many as are enough), and in how many pictures the sums
    have room.
    """
    arranged = [content.arranged(layout.onchip, layout.least_panel, layout.figures_height) for content in contents]
    widths = (box.width for each in arranged for box in each.factors)
    return min(widths, default=LEAST_TILE), sum(each.sums is not None for each in arranged)


def _largest_scale(
    shape: Shape, across: float, down: float, onchip: tuple[float, float, float], least: float, results: int
) -> float:
    """Pixels per element, with `results` matrices of M x N beside each other.

    Both extents grow with the scale, so halving the interval finds it.

    `onchip` is its least width and height, and what the figures want left of A where A is high enough for them.
    """
    gaps = (results - 1) * GAP
    low, high = 0.0, min(MOST_PER_ELEMENT, across / max(results * shape.n, 1), down / max(shape.m, 1))
    width, height, side = onchip
    for _ in range(48):
        middle = (low + high) / 2
        m, n, k = (max(size * middle, least) for size in (shape.m, shape.n, shape.k))
        beside = side if m >= SIDE_HEIGHT else 0.0
        fits = max(k + beside, width) + results * n + gaps <= across and max(k, height) + m <= down
        low, high = (middle, high) if fits else (low, middle)
    return float(int(low)) if low >= WHOLE_FROM else low
