"""Which elements of a result a launch has not written, in words."""

from __future__ import annotations

import numpy as np

from gemmviz.domain.elements import element_name
from gemmviz.domain.operands import Matrix


def unwritten_words(c: Matrix, count: int, name: str = "C") -> str:
    """That `count` elements of a result called `name`, which are still the NaNs that it began with, are not written:
    "72 of 5184 elements are not written (row 71)", "… (C[3,7] is the first)".
    """
    words = f"{count} of {c.size} element{'s'[: c.size != 1]} {'is' if count == 1 else 'are'} not written"
    held = np.isnan(c)
    for side, whole in (("row", held.all(axis=1)), ("column", held.all(axis=0))):
        places = np.flatnonzero(whole)
        if 0 < places.size < whole.size and held.sum() == places.size * (held.size // whole.size):
            first, last = int(places[0]), int(places[-1])
            if last - first + 1 == places.size:
                return f"{words} ({f'{side} {first}' if first == last else f'{side}s {first} to {last}'})"
    if not held.any() or held.all():
        return words
    element = element_name(name, *(int(one) for one in np.argwhere(held)[0]))
    return f"{words} ({element}{' is the first' * (count > 1)})"
