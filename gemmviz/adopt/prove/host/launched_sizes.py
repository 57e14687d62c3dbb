"""The sizes that launches in host code are for, and what is wrong with those that rules leave out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import lcm

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.roles import DIMENSIONS
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.compared_sizes import MOST_PRODUCTS, is_allowed, is_launched, products
from gemmviz.adopt.prove.host.launch_numbers import LaunchNumbers, grid_words, numbers_or_none, sizes_of
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.adopt.reasons import FaultKind
from gemmviz.domain.shape import Shape

_LEAST_EDGE = 64
"""Of a smaller size: several blocks, and several tiles of a sum."""
_USUAL_TILE = 16
_DIMENSION = re.compile(r"\b[MNK]\b")
_LARGEST = 4096
"""Of a dimension that only the number of blocks tells."""


def fault_outside(
    terms: LaunchTerms,
    description: Description,
    shape: Shape,
    is_right: Callable[[Description, Shape], Checked],
    asked: str,
) -> tuple[str, str]:
    """What is wrong with a launch for a size that the rules of a description leave out, and why nothing is known of it:
    "" for what does not apply. A size that is too large to be run is tried as a smaller one of the same remainders.
    `asked` is what the launch says of the size: all of it, or "K = 100".
    """
    if is_allowed(shape, description) or not is_launched(terms, shape):
        return "", ""
    line = terms.launch.line
    small = smaller_alike(shape, description)
    for size in (shape, small) if small is not None else (shape,):
        numbers = _numbers_at(terms, description, shape, size)
        if numbers is None or products(size) > MOST_PRODUCTS:
            continue
        done = is_right(numbers.of(description), size)
        if done.is_untold:
            continue
        if done.is_right or done.is_coarse:
            if size == shape:
                return "", ""
            break
        ends = "the result is wrong" if done.kind in (FaultKind.WRONG, FaultKind.LEFT_OUT) else "it fails"
        where = f"where {ends}" if asked == str(size) else f"and {ends} at {size}"
        alike = "" if size == shape else ", which leaves the same remainders"
        return f"line {line} launches it for {asked}, {where}{alike}: {done.fault}", ""
    return "", f"it is for {asked}, which the rules leave out, and which could not be run"


def fault_at_smaller(
    terms: LaunchTerms,
    description: Description,
    shape: Shape,
    sizes: Sequence[Shape],
    is_right: Callable[[Description, Shape], Checked],
) -> tuple[str, str]:
    """What is wrong with a launch that takes too long at its own size `shape`, at the least of `sizes` at which its
    expressions say something else than was proven; and why nothing is known of it: "" for what does not apply.
    """
    launch = f"{grid_words(terms.grid)} for {shape}"
    for size in sorted(sizes, key=products):
        both = numbers_or_none(terms, description, size)
        numbers = _numbers_at(terms, description, shape, size)
        if both is None or numbers is None or numbers == both[0]:
            continue
        done = is_right(numbers.of(description), size)
        if done.is_right or done.is_coarse:
            return "", ""
        if not done.is_untold:
            head = f"line {terms.launch.line} launches {launch}"
            return f"{head}. With the same expressions the result is wrong at {size}: {done.fault}", ""
    return "", f"it launches {launch}, which took too long to be run"


def partly_constant_shape(terms: LaunchTerms, description: Description, sizes: Sequence[Shape]) -> Shape | None:
    """The first of some sizes with the constants of a launch in it, where its other dimensions are variables and the
    rules allow no such size; None where they allow one, or nothing is constant.
    """
    if not terms.constants or terms.is_for_equal_sizes or description.equal:
        return None
    values = ({**sizes_of(one), **terms.constants} for one in sizes)
    found = [Shape(one["M"], one["N"], one["K"]) for one in values]
    return None if any(is_allowed(one, description) for one in found) else next(iter(found), None)


def _numbers_at(terms: LaunchTerms, description: Description, shape: Shape, size: Shape) -> LaunchNumbers | None:
    """What the launch for one size gives at another one: what its expressions say, and where its grid is constants what
    the description says, if that is the same at its own size. None where that is not known.
    """
    both = numbers_or_none(terms, description, size)
    if both is None or size == shape or any(_DIMENSION.search(text) for text in terms.grid):
        return both and both[1]
    own = numbers_or_none(terms, description, shape)
    return both[0] if own is not None and own[0] == own[1] else None


def smaller_alike(shape: Shape, description: Description) -> Shape | None:
    """A smaller size whose edges leave the same remainders, divided by what rules and blocks have as multiples and by
    usual tiles, and that breaks the same rules; None where there is none that can be run. Edges keep their order, if
    that leaves few products.
    """
    multiples = [rule.multiple for rule in description.rules]
    blocks = re.findall(r"\bceil_div\([MNK], (\d+)\)", " ".join(description.grid))
    step = lcm(_USUAL_TILE, *multiples, *map(int, blocks))
    least, sizes = -(-_LEAST_EDGE // step) * step, sizes_of(shape)
    ranks = {size: rank for rank, size in enumerate(sorted({*sizes.values()}))}
    for apart in (step, 0):
        edges = (min(size, size % step + least + apart * ranks[size]) for size in sizes.values())
        found = Shape(*edges)
        if products(found) <= MOST_PRODUCTS:
            return found if found != shape and _broken(found, description) == _broken(shape, description) else None
    return None


def _broken(shape: Shape, description: Description) -> set[str]:
    return {rule.dimension for rule in description.rules if not rule.allows(shape)}


def constant_shape(terms: LaunchTerms, description: Description, of_file: Mapping[str, int]) -> Shape | None:
    """The size that a launch is for, where all of it is constants; None where it is not. Where the kernel is given no
    number for a dimension, it is what the file calls so, and else what the number of blocks tells.
    """
    known = terms.constants | dict(description.fixed)
    for one, two in (*description.equal, *description.equal):
        value = known.get(one, known.get(two, 0))
        known |= {one: value, two: value} if value else {}
    if missing := _only_missing(terms, description, known):
        named = {**known, missing: of_file.get(missing, 0)}
        if named[missing] and is_allowed(Shape(named["M"], named["N"], named["K"]), description):
            return Shape(named["M"], named["N"], named["K"])
        known |= _size_of_blocks(terms, description, known, missing)
    return Shape(known["M"], known["N"], known["K"]) if {*DIMENSIONS} <= known.keys() else None


def _only_missing(terms: LaunchTerms, description: Description, known: Mapping[str, int]) -> str:
    """The one dimension that only the number of blocks tells; "" where there is no such, or more than one."""
    missing = [name for name in DIMENSIONS if name not in known]
    if len(missing) != 1 or any(missing[0] in text for text in terms.grid):
        return ""
    is_given = any(_is_in(missing[0], text) for text in description.arguments)
    is_variable = any(name == missing[0] and not text.isdigit() for name, text in terms.given)
    return missing[0] if not is_variable and (description.fixed or not is_given) else ""


def _is_in(name: str, text: str) -> bool:
    return name in _DIMENSION.findall(text)


def has_no_size(terms: LaunchTerms, description: Description) -> bool:
    """Whether a launch of constants alone has a number of blocks that no size has which the rules allow."""
    known = terms.constants | dict(description.fixed)
    missing = _only_missing(terms, description, known)
    return bool(missing) and not _size_of_blocks(terms, description, known, missing)


def _size_of_blocks(
    terms: LaunchTerms, description: Description, known: Mapping[str, int], name: str
) -> dict[str, int]:
    """The largest size of a dimension that a launch is enough for, where the kernel's other sizes are constants; {}
    where there is none.
    """
    rules = [rule for rule in description.rules if rule.dimension == name]
    for size in range(_LARGEST, 0, -1):
        values = {**known, name: size}
        shape = Shape(values["M"], values["N"], values["K"])
        both = numbers_or_none(terms, description, shape) if all(rule.allows(shape) for rule in rules) else None
        if both is not None and both[0].grid == both[1].grid:
            return {name: size}
    return {}
