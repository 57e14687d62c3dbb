"""How the numbers of a picture are written: each with the same digits wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gemmviz.gui.memory_view.text.cell_values import NumberForm, cell_values
from gemmviz.gui.memory_view.text.labels import value_text


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """The numbers of one kind: those of A and B, or those of the result and the sums that become it.

    `known` are some that stand for all of them, such as the least and the largest. `first` is the form of which all
    arrays that show any have room; None where no cell is large enough for numbers.
    """

    known: tuple[float, ...] = ()
    first: NumberForm | None = None

    def texts(self, values: Iterable[float]) -> Mapping[float, str]:
        """The texts of numbers that are written where room is no question, as the cells have them."""
        found = tuple(dict.fromkeys(values))
        texts, _ = cell_values(found, lambda _: 1.0, self.known, self.first)
        return dict(zip(found, texts, strict=True))

    def text(self, value: float) -> str:
        """A number alone, as the cells have it; with as many digits as it needs where no cell has any."""
        if self.first is None:
            return value_text(value)
        return self.first.text(value) or self.texts((value,))[value]


@dataclass(frozen=True, slots=True)
class PictureNumbers:
    """How the numbers of A and B, and those of the result, are written in a picture."""

    factors: NumberGroup = field(default_factory=NumberGroup)
    result: NumberGroup = field(default_factory=NumberGroup)


FREE = PictureNumbers()
"""Where no cell has numbers."""
