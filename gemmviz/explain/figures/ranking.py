"""Names the least of some values, with those that cannot be ranked against it. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemmviz.domain.listing import either

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Ranked:
    """A kernel or a recording in a ranking by `value`, of which the least is the best."""

    name: str
    value: float


def least_words(ranked: Sequence[Ranked], is_tied: Callable[[int, int], bool], written: Callable[[float], str]) -> str:
    """Names and value of the least of some: "tiled, 2.00 ms"; of several that cannot be ranked each with its own:
    "tiled (2.00 ms) or wide (2.04 ms), which cannot be told apart". Where these are written alike: "tiled or wide, 2.00
    ms". `is_tied` tells of two places whether they cannot be ranked, `written` writes a value.

    Raises:
        ValueError: nothing is ranked.
    """
    best = min(range(len(ranked)), key=lambda place: ranked[place].value)
    others = (place for place in range(len(ranked)) if place != best and is_tied(best, place))
    tied = sorted((ranked[place] for place in (best, *others)), key=lambda one: one.value)
    if len({written(one.value) for one in tied}) == 1:
        return f"{either([one.name for one in tied], _MOST_NAMED)}, {written(ranked[best].value)}"
    return f"{either([f'{one.name} ({written(one.value)})' for one in tied], _MOST_NAMED)}, which cannot be told apart"
