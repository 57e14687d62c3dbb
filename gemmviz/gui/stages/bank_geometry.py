"""Where lanes, banks and words lie on the bank stage, and how words fall into their banks. Pure.

Banks are columns. A bank serves one word in each wavefront, so wavefronts are rows, the first at the bottom: words that
meet in a bank pile up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.lane_row import Point, fall, lane_boxes, lane_height
from gemmviz.trace.model.rules import BANKS
from gemmviz.trace.model.wavefronts import SharedCost, Word

LABELS = 26.0
"""Pixels for the numbers of the wavefronts, left of the banks."""
NUMBER_HEIGHT, GROUP_GAP = 16.0, 5.0
TALLEST_ROW, TALLEST_PART = 24.0, 0.2
"""Units of the height of a wavefront at most, or this part of the height of the picture where that is more."""
_FAN_PART, _LEAST_FAN, _MOST_FAN = 0.34, 36.0, 150.0


@dataclass(frozen=True, slots=True)
class BankToken:
    """A word at its place in its bank. `wavefront` counts from 0; `is_excess`: a bank conflict put it there.

    `key` tells the same word of the same lane in another layout: its first lane and which word of that lane it is.
    """

    word: Word
    wavefront: int
    is_excess: bool
    box: Box
    key: tuple[int, int]


@dataclass(frozen=True, slots=True)
class WavefrontRow:
    """A wavefront: its place, whether a conflict added it, and the first and last lane that it may serve."""

    box: Box
    is_excess: bool
    lanes: tuple[int, int]


@dataclass(frozen=True)
class BankGeometry:
    """All of it. `lanes` is empty in the small form; `conflicts`: banks that are asked for several words at once."""

    lanes: tuple[Box, ...]
    banks: tuple[Box, ...]
    rows: tuple[WavefrontRow, ...]
    tokens: tuple[BankToken, ...]
    conflicts: frozenset[int]

    @cached_property
    def last_of_lane(self) -> dict[int, int]:
        """The wavefront after which a lane has all its words."""
        found: dict[int, int] = {}
        for token in self.tokens:
            for lane in token.word.lanes:
                found[lane] = max(found.get(lane, 0), token.wavefront)
        return found

    def stack(self, bank: int) -> Box:
        """The part of a bank that its words come to fill, of no height where none does."""
        box = self.banks[bank]
        top = min((token.box.y for token in self.tokens if token.word.bank == bank), default=box.bottom)
        return Box(box.x, top, box.width, box.bottom - top)

    def mouth(self, bank: int) -> Point:
        """Where words enter a bank."""
        return self.banks[bank].middle_x, self.banks[bank].y

    def token_at(self, x: float, y: float) -> BankToken | None:
        """The word at a point."""
        return next((token for token in self.tokens if token.box.holds(x, y)), None)

    def bank_at(self, x: float, y: float) -> int | None:
        """The bank at a point, its number below it included."""
        return next(
            (
                bank
                for bank, box in enumerate(self.banks)
                if box.x <= x < box.right + 1 and box.y <= y < box.bottom + 20
            ),
            None,
        )

    def on_the_way(self, token: BankToken, lane: int, part: float) -> Point:
        """The middle of what a lane asks for, on its way to its place; `part` of the word's time is over (0 to 1)."""
        start = self.lanes[lane].middle_x, self.lanes[lane].bottom
        return fall(start, self.mouth(token.word.bank), (token.box.middle_x, token.box.middle_y), part)


def bank_geometry(cost: SharedCost, width: float, height: float, with_lanes: bool = True) -> BankGeometry:
    """Lay a request out in a rectangle. Banks are whole pixels wide, so that all look alike."""
    column = float(max(int((width - LABELS) / BANKS), 2))
    left = LABELS + max((width - LABELS - BANKS * column) / 2, 0.0)
    fan = min(max(_FAN_PART * height, _LEAST_FAN), _MOST_FAN)
    lane = lane_height(height)
    lanes = lane_boxes(left, 0.0, BANKS * column, lane) if with_lanes else ()
    top = lane + fan if with_lanes else 0.0
    bottom = max(height - NUMBER_HEIGHT, top + 8.0)
    banks = tuple(Box(left + bank * column, top, column - 1, bottom - top) for bank in range(BANKS))
    tallest = max(TALLEST_PART * height, TALLEST_ROW)
    rows = _rows(cost, Box(left, top, BANKS * column - 1, bottom - top), tallest)
    tokens, words_of_lane = [], dict[int, int]()
    conflicts = set()
    for number, wavefront in enumerate(cost.wavefronts):
        row = rows[number]
        for word in wavefront.words:
            first = word.lanes[0]
            box = Box(banks[word.bank].x, row.box.y, column - 1, row.box.height)
            tokens.append(BankToken(word, number, row.is_excess, box, (first, words_of_lane.get(first, 0))))
            words_of_lane[first] = words_of_lane.get(first, 0) + 1
            if row.is_excess:
                conflicts.add(word.bank)
    return BankGeometry(lanes, banks, rows, tuple(tokens), frozenset(conflicts))


def _rows(cost: SharedCost, room: Box, tallest: float) -> tuple[WavefrontRow, ...]:
    """A row for each wavefront from the bottom up; groups of lanes stand a little apart."""
    groups = [wavefront.group for wavefront in cost.wavefronts]
    gaps = GROUP_GAP * max(len(set(groups)) - 1, 0)
    height = min(tallest, (room.height - gaps - 2.0) / max(len(groups), 1))
    gap = 1.0 if height >= 5.0 else 0.0
    rows, y = [], room.bottom - 1.0
    for number, wavefront in enumerate(cost.wavefronts):
        begins = number == 0 or groups[number - 1] != wavefront.group
        y -= height + (GROUP_GAP if begins and number else 0.0)
        lanes = wavefront.first_lane, wavefront.last_lane
        rows.append(WavefrontRow(Box(room.x, y, room.width, height - gap), not begins, lanes))
    return tuple(rows)
