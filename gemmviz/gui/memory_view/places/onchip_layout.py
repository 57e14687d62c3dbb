"""What lies in the corner that paper leaves empty: shared memory as on a chip, and the sums in the threads' registers.

Read from left to right it is the inner statement of every kernel: sums += As × Bs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.text.detail import VALUES_FROM

PAD, TITLE, NAME, CAPTION, LINE = 8.0, 20.0, 17.0, 16.0, 15.0
"""Within a panel: its margin, its head, the line above an array, the one below it, one of a sentence."""
STACKED = 1.15
"""So much larger must slots get before arrays stand one below the other."""
TIMES, JOIN = 20.0, 26.0
LEAST_TIMES = 15.0
"""Between two arrays, where the sign of the product stands, and between two panels, for the sign of the sum; what the
sign of the product needs at least.
"""
SIGN, LOW_PAD = 20.0, 6.0
"""Between two panels one below the other, for the sign of the sum; the margin of the lower one."""
SUM_PART, LOW_SUM, HIGH_SUM = 0.16, 28.0, 56.0
"""Height of a sum below its row, of that of both, in pixels at least and at most."""
PITCHES = (108.0, 72.0, 0.0)
"""Widths an array gets at least, so that its caption can be read; the first at which its slots can be."""
WIDEST_PITCH = 132.0
"""How far apart arrays stand in a panel that is wider than they need, so that longer captions can be read."""
KEPT = 0.72
"""How much of their size slots keep at least beside the sums."""
LEAST_HEIGHT = 48.0
"""What arrays keep of the height before a sentence is written above them."""
FLATTEST = 2.0
"""The height that arrays keep in a panel too low for what is written around them."""
READABLE = 0.75
"""How much of their size slots give up for captions that can be read."""
LARGEST_CELL, VALUE_CELL, CLEAR_CELL, SEEN_CELL = 240.0, 33.0, 6.0, 5.0
NUMBER_CELL = 28.0
"""Pixels of a slot that has room for a number of three figures."""
SEEN_SUMS, SEEN_SIDE, MANY_SUMS, SEEN_MANY = 96.0, 40.0, 64, 72.0
"""Pixels of the sums, and of the shortest side of a factor, at which they are seen as a whole: their cells may then be
smaller than SEEN_CELL. From MANY_SUMS in a row on, which are an area anyhow, SEEN_MANY pixels of the sums are
enough, and half of that side.
"""
LEAST_BESIDE_SUMS = 64.0
"""Pixels of the longest side of factors that go one below the other for the sums to have room beside them."""
SEEN_TILE, SEEN_NUMBERS, WORTH_OWN_CELLS = 48.0, 96.0, 1.4
"""Pixels of the longest side of a factor at which it may have cells as small as those of a picture beside it, without
numbers and with them, and how much larger cells of its own make a shorter one at least.
"""
WHOLE_FROM = 6.0
"""Cells of that size are made whole pixels large, so that their edges are sharp."""
_ALMOST = 1e-7
"""Part of an edge, and pixels, that do not count."""
WORDS_WIDTH = 208.0
"""Of a panel that has nothing but a sentence."""
TREE_WIDTH = 3.6
"""Of its height: numbers stand side by side, so a wide one has larger letters."""
_LEAST_TREE = (260.0, 200.0)
WORDS_BESIDE_TREE = 148.0
"""The number of a level and its threads."""

Size = tuple[int, int]
"""Rows and columns of cells."""


@dataclass(frozen=True, slots=True)
class OnchipContents:
    """What an on-chip panel has to show: the arrays the products are made from, the sums, or a tree of sums.

    `lines` of a sentence stand under the head of the panel of the factors. With `has_values`, numbers want to be read.
    A tree with all its numbers is at least `tree_height` high.
    Factors stand beside each other, or `is_stacked` one below the other. `beside` are the factors of pictures that this
    one is compared with: cells are as large as all of them allow. `has_d` says that the result is D, beside which C
    has a place of its own. `is_spoken_of`: a text beside the picture is about the factors. On the whole screen type is
    `enlarged`, so many times as large as in a window; spacing is not.
    """

    factors: tuple[Size, ...] = ()
    sums: Size | None = None
    is_tree: bool = False
    lines: int = 0
    has_values: bool = False
    is_stacked: bool = False
    tree_height: float = 0.0
    beside: tuple[tuple[Size, ...], ...] = ()
    has_d: bool = False
    is_spoken_of: bool = False
    enlarged: float = 1.0

    @property
    def pad(self) -> float:
        """The margin within a panel."""
        return PAD / self.enlarged

    @property
    def least(self) -> tuple[float, float]:
        """Width and height in which the slots can be told apart, without the sums."""
        if self.is_tree:
            return _LEAST_TREE
        height = self._around + self._rows * CLEAR_CELL
        if self.has_values and self.sums is not None:
            height = max(height, self._around_sums + self.sums[0] * VALUE_CELL)
        return self._factors_width(CLEAR_CELL, PITCHES[-1]), height

    def width_at(self, height: float, least: float) -> float:
        """The width all of it fills at a height; the panel of the factors is `least` wide or wider."""
        if self.is_tree:
            return max(TREE_WIDTH * height, least)
        edge = self._whole(min(self._edge_in(height), LARGEST_CELL))
        of_sums = max(self._own_edge(height), edge) if self.has_values else edge
        sums = self._sums_width(of_sums, PITCHES[0]) + JOIN if self.sums is not None else 0.0
        return max(self._factors_width(edge, PITCHES[0]), least) + sums

    def width_with_sums(self, height: float, most: float) -> float:
        """The width at a height in which the sums have room beside factors that can be seen; 0 if there are none. Where
        `most` is too narrow for cells of SEEN_CELL, that of an array that can be seen as a whole.
        """
        if self.is_tree or self.sums is None:
            return 0.0
        width = 0.0
        for seen in (SEEN_CELL, self._seen_cell):
            edge = min(seen, self._edge_in(height)) + 0.05  # what `_edge_with` finds is a little less
            width = self._factors_width(edge, PITCHES[1]) + JOIN + self._sums_width(edge, PITCHES[1])
            if width <= most:
                break
        return width

    @lru_cache(maxsize=4096)  # noqa: B019 - contents are values, and few: each is asked for the same boxes many times
    def arranged(self, whole: Box, least: float, figures_height: float = 0.0) -> OnchipLayout:
        """Where it all lies in a box, the panel of the factors `least` wide or wider; `figures_height` of it
        stays free at the bottom.

        The sums are left out where they would make the slots too small to see, or captions too narrow to read.
        """
        box = Box(whole.x, whole.y, whole.width, whole.height - figures_height)
        content = self if box.height >= self._around + LEAST_HEIGHT else replace(self, lines=0)
        found = content._arranged(box, least)
        if self.has_values and self.sums is not None and found.sums is None:
            content = replace(content, has_values=False)  # sums without their numbers are better than none
            found = content._arranged(box, least)
        if len(self.factors) > 1 and (found.sums is None or not self.has_values):
            stacked = replace(content, is_stacked=True)._arranged(box, least)
            had_sums, has_sums = found.sums is not None, stacked.sums is not None
            is_larger = stacked.factors[0].height > STACKED * found.factors[0].height
            is_seen = self._has_many_sums and not self.has_values and stacked.largest_side >= LEAST_BESIDE_SUMS
            if (has_sums > had_sums and is_seen) or (has_sums == had_sums and is_larger):
                found = stacked
            if found.sums is not None and not found.is_stacked and not self.beside and not self.has_values:
                found = content._with_larger_factors(found, box)
        if self.beside and self.factors:
            own = replace(self, beside=()).arranged(whole, least, figures_height)  # what is seen is before equal cells
            has_numbers = self.has_values and found.edge(self.factors) < VALUES_FROM <= own.edge(self.factors)
            seen = SEEN_NUMBERS if self.has_values else SEEN_TILE
            is_small = found.largest_side < seen and own.largest_side >= WORTH_OWN_CELLS * found.largest_side
            if (has_numbers or is_small) and (own.sums is None) <= (found.sums is None):
                return own
        below = self._with_sum_below(whole, least, figures_height)
        if below is not None and found.edge(self.factors) < min(NUMBER_CELL, below.edge(self.factors)):
            return below
        panel = replace(found.panel, height=whole.height)
        registers = replace(found.registers, height=whole.height) if found.registers is not None else None
        return replace(found, panel=panel, registers=registers)

    def _with_sum_below(self, whole: Box, least: float, figures_height: float) -> OnchipLayout | None:
        """The registers below the panel of the factors, which keeps its width, with the words on the sum at its right;
        None but for a single sum of a row that is low enough.
        """
        if self.sums != (1, 1) or len(self.factors) != 1 or self.factors[0][0] != 1:
            return None
        sum_height = float(round(min(max(SUM_PART * whole.height, LOW_SUM), HIGH_SUM)))
        upper = replace(whole, height=whole.height - SIGN - 2 * LOW_PAD - sum_height)
        if upper.height - figures_height < self._around_sums + CLEAR_CELL:
            return None
        found = replace(self, sums=None).arranged(upper, least, figures_height)
        registers = Box(whole.x, upper.bottom + SIGN, whole.width, whole.bottom - upper.bottom - SIGN)
        sums = Box(found.factors[0].x, registers.y + LOW_PAD, 2 * sum_height, sum_height)
        return replace(found, registers=registers, sums=sums)

    def _arranged(self, box: Box, least: float) -> OnchipLayout:
        if self.is_tree or not (self.factors or self.sums):
            return OnchipLayout(box, None, (), None, self.lines)
        bare, bare_pitch = replace(self, sums=None)._edge(box, least)
        wanted = max(min(self._seen_cell, KEPT * bare), 0.5)
        if self.has_values and bare < CLEAR_CELL:
            wanted = 0.5  # slots that cannot be told apart anyhow give way to numbers that can be read
        beside = ((self._edge_with(box, least, pitch, sums=True), pitch) for pitch in PITCHES[:-1])
        edge, pitch = next((found for found in beside if found[0] >= wanted), (0.0, 0.0))
        if self.sums is None or not edge:
            placed = replace(self, sums=None)._placed(box, self._whole(bare), bare_pitch)
            return OnchipLayout(box, None, placed, None, self.lines)
        edge = self._whole(edge)
        left_width = self._sums_width(edge, pitch)
        of_sums = edge
        if self.has_values:
            spare = box.width - JOIN - max(self._factors_width(edge, pitch), least)
            of_sums = max(self._whole(min(self._own_edge(box.height), (spare - 2 * self.pad) / self.sums[1])), edge)
            left_width = self._sums_width(of_sums, pitch)
        left = Box(box.x, box.y, float(ceil(left_width)), box.height)
        right = Box(left.right + JOIN, box.y, box.right - left.right - JOIN, box.height)
        sums = self._sums_in(left, of_sums, edge)
        return OnchipLayout(right, left, self._placed(right, edge, pitch), sums, self.lines)

    def _with_larger_factors(self, found: OnchipLayout, box: Box) -> OnchipLayout:
        """Factors one below the other with cells larger than those of the sums, which are as large as their height
        allows: where the panel has room for cells WORTH_OWN_CELLS times as large.
        """
        stacked, panel = replace(self, sums=None, is_stacked=True), replace(found.panel, height=box.height)
        edge = self._whole(stacked._edge_with(panel, 0.0, 0.0, sums=False))
        if edge < WORTH_OWN_CELLS * found.edge(self.factors):
            return found
        return replace(found, factors=stacked._placed(panel, edge, 0.0))

    @property
    def _seen_cell(self) -> float:
        """The least edge of a cell at which factors and sums are seen."""
        if self.sums is None:
            return SEEN_CELL
        sides = (side for factors in (self.factors, *self.beside) for size in factors for side in size)
        of_sums, side = (SEEN_MANY, SEEN_SIDE / 2) if self._has_many_sums else (SEEN_SUMS, SEEN_SIDE)
        return min(SEEN_CELL, max(of_sums / max(self.sums), side / max(min(sides, default=1), 1)))

    @property
    def _has_many_sums(self) -> bool:
        return self.sums is not None and max(self.sums) >= MANY_SUMS

    @property
    def _rows(self) -> int:
        """Rows of cells of the factors, all that lie one below the other; of pictures beside each other the most."""
        stands = [[rows for rows, _ in factors] or [0] for factors in (self.factors, *self.beside)]
        return max(sum(rows) if self.is_stacked else max(rows) for rows in stands)

    @property
    def _between(self) -> float:
        """The height that stacked factors need between them."""
        return (len(self.factors) - 1) * (NAME + CAPTION) if self.is_stacked else 0.0

    @property
    def _times(self) -> float:
        return max(TIMES / self.enlarged, LEAST_TIMES)

    @property
    def _around_sums(self) -> float:
        return 2 * self.pad + TITLE + NAME + CAPTION

    @property
    def _around(self) -> float:
        return self._around_sums + self.lines * LINE + self._between

    def _factors_width(self, edge: float, pitch: float) -> float:
        """Of the panel of the factors; of pictures beside each other that of the widest."""
        return max(self._width_of(factors, edge, pitch) for factors in (self.factors, *self.beside))

    def _width_of(self, factors: tuple[Size, ...], edge: float, pitch: float) -> float:
        if not factors:
            return WORDS_WIDTH
        widths = [max(columns * edge, pitch) for _, columns in factors]
        return 2 * self.pad + (max(widths) if self.is_stacked else sum(widths) + (len(widths) - 1) * self._times)

    def _sums_width(self, edge: float, pitch: float) -> float:
        return 0.0 if self.sums is None else 2 * self.pad + max(self.sums[1] * edge, pitch)

    def _edge_in(self, height: float) -> float:
        """The edge of a cell that fits a height, however small; arrays keep `FLATTEST` where there is none."""
        edge = (height - self._around) / max(self._rows, 1)
        if self.sums is not None:
            edge = min(edge, (height - self._around_sums - self.lines * LINE) / self.sums[0])
        return max(edge, FLATTEST / max(self._rows, 1))

    def _own_edge(self, height: float) -> float:
        """The edge of a cell of sums that have their panel to themselves."""
        rows = self.sums[0] if self.sums is not None else 1
        return self._whole(min((height - self._around_sums) / rows, LARGEST_CELL))

    def _edge(self, box: Box, least: float) -> tuple[float, float]:
        """The largest edge of a cell without the sums, and the least width of an array it comes with."""
        edges = [self._edge_with(box, least, pitch, sums=False) for pitch in PITCHES]
        enough = min(CLEAR_CELL, READABLE * edges[-1])
        return next((edge, pitch) for edge, pitch in zip(edges, PITCHES, strict=True) if edge >= enough)

    def _edge_with(self, box: Box, least: float, pitch: float, *, sums: bool) -> float:
        """The largest edge with arrays at least `pitch` wide, or a little less; less than 0.5 if there is none.

        Widths grow with the edge, ever faster: what is too wide at an edge is so by its growth there at least, and a
        few steps down find the edge that fits.
        """
        high = min(self._edge_in(box.height), LARGEST_CELL)
        edge = high
        while True:
            width, growth = max(self._growing(factors, edge, pitch) for factors in (self.factors, *self.beside))
            width, growth = (width, growth) if width > least else (least, 0.0)
            if sums and self.sums is not None:
                of_sums = max(edge, VALUE_CELL * self.has_values)
                grows = edge >= of_sums and self.sums[1] * edge > pitch
                width, growth = width + self._sums_width(of_sums, pitch) + JOIN, growth + self.sums[1] * grows
            if width <= box.width + _ALMOST:
                return edge - high * _ALMOST
            edge -= (width - box.width) / growth if growth else edge
            if edge <= 0.0:
                return 0.0

    def _growing(self, factors: tuple[Size, ...], edge: float, pitch: float) -> tuple[float, float]:
        """The width of a panel of factors, and by how much it grows with the edge."""
        grown = [columns for _, columns in factors if columns * edge > pitch]
        return self._width_of(factors, edge, pitch), max(grown, default=0) if self.is_stacked else sum(grown)

    def _top(self, box: Box, edge: float) -> float:
        """Where all arrays begin, in the middle of what is left below the heads."""
        extent = self._rows * edge + self._between
        if self.sums is not None:
            extent = max(extent, self.sums[0] * edge)
        spare = max(box.height - self._around_sums - self.lines * LINE - extent, 0.0)
        return float(round(box.y + self.pad + TITLE + self.lines * LINE + NAME + spare / 2))

    def _sums_in(self, panel: Box, edge: float, beside: float) -> Box | None:
        """Where the sums lie; their first row beside that of the factors, if their cells are of one size."""
        if self.sums is None:
            return None
        rows, columns = self.sums
        top = self._top(panel, edge)
        if edge != beside:
            spare = max(panel.height - self._around_sums - rows * edge, 0.0)
            top = float(round(panel.y + self.pad + TITLE + NAME + spare / 2))
        return Box(float(round(panel.middle_x - columns * edge / 2)), top, columns * edge, rows * edge)

    def _placed(self, panel: Box, edge: float, pitch: float) -> tuple[Box, ...]:
        found, y, pitch = [], self._top(panel, edge), max(pitch, self._spread(panel, edge))
        spare = panel.bottom - self.pad - CAPTION - (y + self._rows * edge + self._between)
        below = CAPTION + NAME + min(max(spare, 0.0), CAPTION)  # for a second line of a caption
        x = panel.x + self.pad + max(panel.width - self._width_of(self.factors, edge, pitch), 0.0) / 2
        for rows, columns in self.factors:
            found.append(Box(float(round(x)), y, columns * edge, rows * edge))
            if self.is_stacked:
                y = float(round(found[-1].bottom + below))
            else:
                x += max(columns * edge, pitch) + self._times
        return tuple(found)

    def _spread(self, panel: Box, edge: float) -> float:
        """The width that each array beside others gets in a panel so wide, WIDEST_PITCH at most."""
        if self.is_stacked:
            return 0.0
        room = panel.width - 2 * self.pad - (len(self.factors) - 1) * self._times
        widths = sorted((columns * edge for _, columns in self.factors), reverse=True)
        for place, width in enumerate(widths):
            each = room / (len(widths) - place)
            if width <= each:
                return min(each, WIDEST_PITCH)
            room -= width
        return 0.0

    @staticmethod
    def _whole(edge: float) -> float:
        return float(int(edge)) if edge >= WHOLE_FROM else edge


@dataclass(frozen=True, slots=True)
class OnchipLayout:
    """The panel of the factors, that of the sums or None, and where the arrays lie in them.

    So many `lines` of a sentence have room at the head of the panel of the factors.
    """

    panel: Box
    registers: Box | None
    factors: tuple[Box, ...]
    sums: Box | None
    lines: int = 0

    @property
    def largest_side(self) -> float:
        """Pixels of the longest side of a factor."""
        return max((side for box in self.factors for side in (box.width, box.height)), default=0.0)

    @property
    def has_sum_below(self) -> bool:
        """Whether the registers stand below the panel of the factors, low, with one sum."""
        return self.registers is not None and self.registers.y >= self.panel.bottom

    @property
    def is_stacked(self) -> bool:
        """Whether factors stand one below the other."""
        return len(self.factors) > 1 and self.factors[1].y >= self.factors[0].bottom

    def edge(self, factors: Sequence[Size]) -> float:
        """The shortest edge of a cell of the factors, which have that many."""
        edges = (
            min(box.height / rows, box.width / columns)
            for box, (rows, columns) in zip(self.factors, factors, strict=False)
        )
        return min(edges, default=0.0)
