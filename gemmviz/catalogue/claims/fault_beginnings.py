"""Next to which sizes without a fault a kernel shows one in its recordings, found by bisection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.kernels.compared_blocks import Block
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

Choice = Callable[[Block], Sequence[Block]] | None
"""The blocks of a grid that are recorded; None for those that were recorded first, or for all."""
HasFault = Callable[[Shape, Choice], bool | None]
"""Whether a recording of these blocks at a size shows the fault; None where there is none, as without time."""


class _UnknownError(Exception):
    """A size could not be recorded."""


def beginning_words(
    claims: Claims, size: Shape, has_fault: HasFault, choices: Sequence[Choice], *, along_k_alone: bool = False
) -> str:
    """Where the fault of a kernel begins that it shows at a `size`, along the first of K, M and N without which it has
    none: "none at 32x32x320, but at 32x32x321", or "none at 37x41x76 and 37x41x78, but at 37x41x77" where the next size
    is without it again; "" where it is there at the least sizes, too, or where that could not be recorded.

    Further sizes are recorded with the first of the `choices` of blocks that shows the fault at `size`, as the last is
    known to do. Of a small size K alone tells something: with the least M and N too few threads have work for any race.
    """

    def has(shape: Shape) -> bool:
        found = has_fault(shape, chosen)
        if found is None:
            raise _UnknownError
        return found

    chosen = next((one for one in choices[:-1] if has_fault(size, one)), choices[-1])
    sizes = size.m, size.n, size.k
    for axis in sorted(claims.axes, key=lambda one: 2 not in one.places):
        if along_k_alone and axis.places != (2,):
            continue
        if axis.step and axis.of(sizes) > axis.times[0]:
            try:
                found = _beginning(claims, sizes, axis, has)
            except _UnknownError:
                return ""
            if found is not None:
                without, first = found
                return f"none at {listed([str(one) for one in without])}, but at {first}"
    return ""


def _beginning(
    claims: Claims, sizes: Sizes, axis: ClaimedSize, has_fault: Callable[[Shape], bool]
) -> tuple[list[Shape], Shape] | None:
    """A size along an axis with the fault, and before it the claimed ones next to it that are without: the one below,
    and the one above unless that has the fault, too, or is not known to be without it. None where the least has it.
    """
    least, steps = axis.times[0], (axis.of(sizes) - axis.times[0]) // axis.step

    def at(step: int) -> Shape:
        return Shape(*axis.at(sizes, least + step * axis.step))

    if not claims.is_claimed(axis.at(sizes, least)) or has_fault(at(0)):
        return None
    if at(steps) != Shape(*sizes) and not has_fault(at(steps)):
        return None
    low, high = 0, steps
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if has_fault(at(middle)) else (middle, high)
    without = [at(low)]
    if claims.is_claimed(axis.at(sizes, least + (high + 1) * axis.step)):
        with suppress(_UnknownError):
            without += [] if has_fault(at(high + 1)) else [at(high + 1)]
    return without, at(high)
