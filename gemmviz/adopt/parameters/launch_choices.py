"""Which launches are tried with further values of a kernel's parameters, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from math import prod

from gemmviz.adopt.parameters.forms import NumberSlot, value_of

_MOST_LAUNCHES = 16
"""Launches that are tried for one setting."""
_MOST_JOINT = 20_000


def launches_with(slots: Sequence[NumberSlot], known: Mapping[str, int], first_rule: int) -> list[tuple[int, ...]]:
    """Numbers for all slots with these values: those of the best forms, then those with another form for the rules,
    for one slot, for all that have one value, and at last those with a form of parameters for as many as have one.
    The texts of the rules begin with `first_rule`.

    Of a grid whose parameters the source does not name, fewer blocks come first: blocks that do nothing are right, too.
    Of rules, smaller multiples come first: larger ones are right, too.
    """
    options = [[*dict.fromkeys(number for one in slot.forms if (number := value_of(one, known)))] for slot in slots]
    if not all(options):
        return []
    best = tuple(one[0] for one in options)
    found = [best]
    others = [tuple(one[1:2]) for one in options]
    places = range(len(slots))
    # the launch as it is comes before another one
    turns = [{place for place in places if slots[place].text >= first_rule}]
    turns += [{place} for place in reversed(places)]
    turns += [{place for place in places if slots[place].value == value} for value in {one.value: 0 for one in slots}]
    for chosen in turns:
        changed = ((*others[at], best[at])[0] if at in chosen else best[at] for at in places)
        found.append(tuple(changed))
    ranked: dict[tuple[int, ...], int] = {}
    values = [[value_of(one, known) for one in slot.forms] for slot in slots]
    ranks = [[rank + len(slot.forms) * one.isdigit() for rank, one in enumerate(slot.forms)] for slot in slots]
    joint = zip(product(*values), map(sum, product(*ranks)), strict=True)
    for numbers, rank in islice(joint, _MOST_JOINT):
        ranked[numbers] = min(rank, ranked.get(numbers, rank))
    found += [one for one in sorted(ranked, key=lambda one: ranked[one]) if all(one)]
    found = [*dict.fromkeys(found)][:_MOST_LAUNCHES]
    tiles = [place for place in places if slots[place].is_unnamed_tile]
    rules = [place for place in places if slots[place].text >= first_rule]
    # what a kernel needs is the least multiple that is right
    return sorted(found, key=lambda one: (-prod(one[at] for at in tiles), prod(one[at] for at in rules)))
