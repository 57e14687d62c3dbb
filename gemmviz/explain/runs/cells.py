"""What stands in one cell of the results table. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gemmviz.domain.visible_text import make_visible

Value = float | int | str | None
Order = tuple[tuple[bool, float | str], ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell. `value` is the figure or word itself, None where there is none; `tip` adds to it.

    `order` is what it sorts by, None for a missing value.
    """

    text: str
    value: Value = None
    tip: str = ""
    order: Order | None = None

    def __post_init__(self) -> None:
        make_visible(self, "text", "tip")


def cell_of(text: str, value: Value, tip: str = "", order: tuple[float | str, ...] | None = None) -> Cell:
    """A cell that sorts by `order`, or else by its value: figures as figures, words without regard to case."""
    if order is None and value is not None and not (isinstance(value, float) and math.isnan(value)):
        order = (value.casefold() if isinstance(value, str) else value,)
    # Words come behind figures: a size that cannot be read stands in one column with those that can.
    return Cell(text, value, tip, tuple((isinstance(part, str), part) for part in order) if order else None)


NOTHING = Cell("")
