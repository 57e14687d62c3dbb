"""Which values of a kernel's parameters are tried, one after the other, and at which sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import lcm
from pathlib import Path

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.forms import NAMES, NUMBER, expressions_of, value_of
from gemmviz.adopt.reasons import line_places
from gemmviz.domain.shape import Shape

MOST_THREADS = 1024
_MANY = 6
"""Blocks along an axis."""
_MOST_PRODUCTS = 1 << 28
"""Of a size beside the first, which may be large in all dimensions where they are equal: one that takes a second."""
_TIMES = (1, 3)
"""Of a rule's multiple."""

Setting = tuple[int, ...]
"""A value for each parameter, in their order."""


def tied_of(defaults: Mapping[str, int]) -> dict[str, str]:
    """Parameters of one value, each with the first of them: tiles that a kernel takes for squares, or cubes."""
    leaders: dict[int, str] = {}
    return {name: leader for name, value in defaults.items() if (leader := leaders.setdefault(value, name)) != name}


def first_line(words: str, path: Path) -> str:
    """The first line of what a compiler or a check says about a file, without the point at its end; the file's place
    as "line 3: ", since a description may be passed on, and the folder is nobody else's business.
    """
    said = next(iter(words.strip().splitlines()), "").rstrip(".")
    return line_places(said, path)


def rounds_of(start: Setting) -> Iterator[list[tuple[int, int]]]:
    """Values to try, of every parameter the nearest first."""
    for times, parts in ((2, 1), (1, 2), (4, 1), (1, 4)):
        yield [
            (place, one * times // parts)
            for place, one in enumerate(start)
            if one % parts == 0 and (times == 1 or one * times <= MOST_THREADS)
        ]


def changed(setting: Setting, values: Mapping[int, int]) -> Setting:
    """A setting with other values at some places."""
    return tuple(values.get(place, one) for place, one in enumerate(setting))


def together_of(
    names: Sequence[str], right: Sequence[Sequence[int]], wrong: Mapping[int, Collection[int]], threads: Collection[int]
) -> list[Setting]:
    """Settings with further values of several parameters, in which order they are tried. `right` are the values of each
    that are right alone, the default first, `wrong` those that are not, by the parameters' places, `threads` the
    numbers of threads of a block, along each axis and all.

    Values of which one is wrong alone and that leave the number of threads as it is together come first. Then those
    that are right alone: the first ones of all parameters that the threads are computed from, and of two each,
    neighbours first.
    """
    start = tuple(values[0] for values in right)
    defaults = dict(zip(names, start, strict=True))
    formulas = [(text, one) for one in sorted({*threads}) if one > 1 for text in expressions_of(one, defaults)]
    found = []
    for one, two in combinations(range(len(names)), 2):
        wrongs = ({*wrong.get(one, ())}, {*wrong.get(two, ())})
        of_both = product(*((*right[place][1:], *wrong.get(place, ())) for place in (one, two)))
        for value, other in of_both:
            setting = changed(start, {one: value, two: other})
            known = dict(zip(names, setting, strict=True))
            keeps = any(
                {names[one], names[two]} <= {*NAMES.findall(text)} and value_of(text, known) == number
                for text, number in formulas
            )
            if keeps and (value in wrongs[0] or other in wrongs[1]):
                found.append(setting)
    further = {place: values[1:] for place, values in enumerate(right) if len(values) > 1}
    computed = max((NAMES.findall(text) for text, _ in formulas), key=len, default=[])
    of_threads = {place: values[0] for place, values in further.items() if names[place] in computed}
    if len(of_threads) > 1:
        found.append(changed(start, of_threads))
    if len(further) == 3:
        found.append(changed(start, {place: values[0] for place, values in further.items()}))
    in_order = [*of_threads, *(place for place in further if place not in of_threads)]
    pairs = [
        (
            (max(further[one].index(value), further[two].index(other)), at - in_order.index(one)),
            {one: value, two: other},
        )
        for at, two in enumerate(in_order)
        for one in in_order[:at]
        for value, other in product(further[one], further[two])
    ]
    found += [changed(start, values) for _, values in sorted(pairs, key=lambda one: one[0])]
    return [*dict.fromkeys(found)]


def multiples_of(described: Description) -> dict[str, int]:
    """What each dimension must be a multiple of, where that is more than 1."""
    multiples = {rule.dimension: rule.multiple for rule in described.rules}
    for one, two in described.equal:
        multiples[two] = multiples[one] = lcm(multiples.get(one, 1), multiples.get(two, 1))
    return multiples


def sizes_of(described: Description, *, is_first: bool) -> list[Shape]:
    """Sizes that the rules allow: of more blocks than one and no more multiples than needed, and the least; for the
    first setting of a value also many blocks.
    """
    multiples = multiples_of(described)
    steps = {name: max([1, *_numbers_beside(described.grid, name)]) for name in "MNK"}
    wanted = {"M": steps["M"] + 5, "N": 2 * steps["N"] + 3, "K": 37}
    shapes = [
        {name: -(-size // multiples.get(name, 1)) * multiples.get(name, 1) for name, size in wanted.items()},
        {name: multiples.get(name, 1) for name in "MNK"},
    ]
    if is_first:
        # of many blocks, the last ones lie where a step of another length shows
        many = {"M": _MANY * steps["M"] + 5, "N": _MANY * steps["N"] + 3}
        several = {name: -(-size // multiples.get(name, 1)) * multiples.get(name, 1) for name, size in many.items()}
        shapes.append({**shapes[0], "M": several["M"], "K": multiples.get("K", 1)})
        shapes.append({**shapes[0], "N": several["N"], "K": multiples.get("K", 1)})
    for name, multiple in multiples.items():  # a rule allows each multiple, whatever the others are
        shapes += [{**shapes[0], name: times * multiple} for times in _TIMES if multiple > 1 and name in wanted]
    for sizes in shapes:
        for one, two in (*described.equal, *described.equal):  # the second time for what the first pair has
            sizes[two] = sizes[one] = max(sizes[one], sizes[two])
    found = [Shape(sizes["M"], sizes["N"], sizes["K"]) for sizes in shapes]
    return [one for place, one in enumerate(found) if not place or one.m * one.n * one.k <= _MOST_PRODUCTS]


def _numbers_beside(texts: Sequence[str], name: str) -> list[int]:
    return [int(number) for text in texts if name in text for number in NUMBER.findall(text)]
