"""Sizes at which a launch of host code is compared with what was proven."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import prod

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.gpu_limits import beyond_gpu
from gemmviz.adopt.prove.host.launch_numbers import LaunchNumbers, numbers_or_none, others_given, sizes_of
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.domain.edge_case_sizes import LONG
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

MOST_SIZES = 3
"""Sizes at which the launch of the host code is tried where it differs from the one that was proven."""
MOST_PRODUCTS = 2**24
"""Of a size that is run as it is; of a larger one a part is."""
LEAST_EDGE = 64
_USUAL_SIZES = (Shape(128, 256, 384), Shape(384, 128, 256), Shape(256, 384, 128), Shape(256, 256, 256))
"""Tried, too, where a launch has conditions."""
UNRULY = ((17, 33, 65), (333, 7, 51), (255, 257, 129), (61, 1021, 13))
"""Sizes that no usual tile divides."""
_MOST_UNRULY = 2**20
"""Products of such a size that is tried."""
_NAMES = re.compile(r"[A-Za-z_]\w*")
_DIFFERENT = (64, 96, 128)
"""Edges that are given M, N and K in any order, to show numbers that are given for others."""
_SMALL = 5
"""Of a dimension beside one of which a launch has too few blocks."""


@dataclass(frozen=True, slots=True)
class FaultySize:
    """A size at which a launch has too few blocks, or more than a GPU launches, and what it gives there: the least
    `size` of the dimensions of these names.
    """

    shape: Shape
    numbers: LaunchNumbers
    names: tuple[str, ...]
    size: int


def sizes_to_compare(terms: LaunchTerms, found: KernelFinding) -> list[Shape]:
    """Sizes that the description allows, with equal dimensions where the launch gives one variable for them, and with
    its constants.
    """
    description = found.description
    assert description is not None
    sizes = [*found.right_sizes]
    if terms.is_for_equal_sizes and not terms.constants:
        edges = sorted({size for one in sizes for size in (one.m, one.n, one.k)})
        sizes = [Shape(one, one, one) for one in edges if one >= LEAST_EDGE]
        sizes = [*islice((one for one in sizes if all(rule.allows(one) for rule in description.rules)), MOST_SIZES)]
    if terms.conditions:
        sizes = [one for one in (*sizes, *_USUAL_SIZES) if is_allowed(one, description) and is_launched(terms, one)]
    if terms.constants:
        values = ({**sizes_of(one), **terms.constants} for one in sizes)
        sizes = [Shape(one["M"], one["N"], one["K"]) for one in values]
        sizes = [one for one in sizes if is_allowed(one, description)]
    return [*dict.fromkeys(sizes)]


def unruly_apart(terms: LaunchTerms, description: Description) -> list[tuple[Shape, LaunchNumbers]]:
    """Unruly sizes that are no large products at which a launch has fewer threads than what was proven, or gives the
    kernel other numbers.
    """
    found: list[tuple[Shape, LaunchNumbers]] = []
    for one in (Shape(*sizes) for sizes in UNRULY):
        is_taken = is_allowed(one, description) and is_launched(terms, one) and products(one) <= _MOST_UNRULY
        both = numbers_or_none(terms, description, one) if is_taken else None
        if both is not None:
            proven, host = (prod((*numbers.grid, *numbers.block)) for numbers in both)
            found += [(one, both[1])] if host < proven or both[0].given != both[1].given else []
    return found


def sizes_that_show_more(
    terms: LaunchTerms, description: Description, known: int
) -> list[tuple[Shape, tuple[LaunchNumbers, LaunchNumbers]]]:
    """The first order of three different sizes, if any, at which a launch gives the kernel more than `known` other
    numbers than what was proven: a distance between lines that is larger than it has to be is no other one.
    """
    found: list[tuple[Shape, tuple[LaunchNumbers, LaunchNumbers]]] = []
    for one in (Shape(*sizes) for sizes in permutations(_DIFFERENT)):
        is_taken = is_allowed(one, description) and is_launched(terms, one)
        both = numbers_or_none(terms, description, one) if is_taken else None
        if both is not None and others_given(*both) > known:
            found.append((one, both))
    return sorted(found, key=lambda pair: -others_given(*pair[1]))[:1]


def with_too_few_blocks(terms: LaunchTerms, description: Description) -> list[FaultySize]:
    """For each dimension the least size up to LONG at which a launch has fewer threads along an axis than what was
    proven, beside small sizes of the other dimensions: where host code launches as many blocks whatever the sizes are.
    """

    def is_few(proven: LaunchNumbers, host: LaunchNumbers) -> bool:
        threads = (map(prod, zip(_three(of.grid), _three(of.block), strict=True)) for of in (host, proven))
        return any(one < two for one, two in zip(*threads, strict=True))

    return _least_sizes(terms, description, _groups(terms, description), is_few)


def beyond_limits(terms: LaunchTerms, description: Description) -> list[FaultySize]:
    """The least size up to LONG at which a launch gives a block or a grid that no GPU launches, where what was proven
    has another one: of each dimension that the number of its threads depends on, or of all of them at once.
    """

    def is_beyond(proven: LaunchNumbers, host: LaunchNumbers) -> bool:
        return bool(beyond_gpu(host.block, host.grid)) and not beyond_gpu(proven.block, proven.grid)

    groups = _groups(terms, description)
    names = {name for text in (*terms.block, *terms.grid) for name in DIMENSIONS if name in _NAMES.findall(text)}
    own = [group for group in groups if group & names]
    joint = frozenset().union(*own)
    return _least_sizes(terms, description, own, is_beyond) or _least_sizes(terms, description, [joint], is_beyond)


def _least_sizes(
    terms: LaunchTerms,
    description: Description,
    groups: Sequence[frozenset[str]],
    is_faulty: Callable[[LaunchNumbers, LaunchNumbers], bool],
) -> list[FaultySize]:
    """For each group of dimensions that are one size the least size up to LONG at which the numbers of what was proven
    and of a launch are such, beside small sizes of the other dimensions.
    """
    rules = {rule.dimension: max(rule.least, rule.multiple) for rule in description.rules}
    steps = {name: rules.get(name, 1) for name in DIMENSIONS}
    fixed = {**dict(description.fixed), **terms.constants}
    small = {name: -(-_SMALL // step) * step for name, step in steps.items()} | fixed

    def at(group: frozenset[str], times: int) -> tuple[Shape, LaunchNumbers] | None:
        """The size, and what the launch gives there, where the numbers are such; else None."""
        size = times * max(steps[name] for name in group)
        sizes = small | dict.fromkeys(group, size)
        shape = Shape(sizes["M"], sizes["N"], sizes["K"])
        is_taken = is_allowed(shape, description) and is_launched(terms, shape)
        both = numbers_or_none(terms, description, shape) if is_taken else None
        return (shape, both[1]) if both is not None and is_faulty(*both) else None

    found: dict[Shape, FaultySize] = {}
    for group in groups:
        if not group or group & fixed.keys():
            continue
        few, enough = LONG // max(steps[name] for name in group), 0
        if not few or at(group, few) is None:
            continue
        while few - enough > 1:
            middle = (few + enough) // 2
            few, enough = (middle, enough) if at(group, middle) is not None else (few, middle)
        least = at(group, few)
        if least is not None:
            found.setdefault(least[0], FaultySize(*least, tuple(sorted(group)), few * max(steps[one] for one in group)))
    return [*found.values()]


def cost_of(shape: Shape, numbers: LaunchNumbers, others_given: int) -> tuple[bool, bool, bool, int, int]:
    """In which order sizes are tried: launches of no block, sides too short for much to be seen, and equal ones, which
    hide that one is given for another, come last; and those where few of the `others_given` numbers show.
    """
    edges = (shape.m, shape.n, shape.k)
    is_short, is_equal = min(edges) < LEAST_EDGE, len({*edges}) < len(edges)
    shown = others_given if products(shape) <= MOST_PRODUCTS else 0  # of a larger one a part is run
    return min(numbers.grid) < 1, is_short, is_equal, -shown, products(shape)


def below_words(sizes: Sequence[FaultySize]) -> str:
    """For which sizes a launch has no such fault: "M and N below 513"."""
    by_size: dict[int, list[str]] = {}
    for one in sizes:
        by_size.setdefault(one.size, []).extend(one.names)
    return listed([f"{listed(names)} below {size}" for size, names in by_size.items()])


def _groups(terms: LaunchTerms, description: Description) -> list[frozenset[str]]:
    """The dimensions, with those that have to be equal, or for which the launch gives one variable."""
    groups = [{name} for name in DIMENSIONS]
    given = dict(terms.given)
    pairs = [*description.equal, *((one, two) for one in given for two in given if given[one] == given[two])]
    for pair in (*pairs, *pairs):
        for group in groups:
            group |= {*pair} if group & {*pair} else set()
    return [*dict.fromkeys(map(frozenset, groups))]


def _three(counts: tuple[int, ...]) -> tuple[int, ...]:
    return (*counts, 1, 1)[:3]


def is_launched(terms: LaunchTerms, shape: Shape) -> bool:
    """Whether all conditions of a launch hold at a size."""
    try:
        return all(evaluate(text, sizes_of(shape)) for text in terms.conditions)
    except ExpressionError:
        return False


def is_allowed(shape: Shape, description: Description) -> bool:
    sizes = sizes_of(shape)
    is_equal = all(sizes[one] == sizes[two] for one, two in description.equal)
    return is_equal and all(rule.allows(shape) for rule in description.rules)


def products(shape: Shape) -> int:
    return shape.m * shape.n * shape.k
