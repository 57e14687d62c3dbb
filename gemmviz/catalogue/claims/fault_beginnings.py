"""From which size on a kernel shows a fault in its recordings, found by bisection."""

from __future__ import annotations

from collections.abc import Callable

from gemmviz.catalogue.claims.claimed_size import ClaimedSize
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.domain.edge_case_sizes import Sizes
from gemmviz.domain.shape import Shape

HasFault = Callable[[Shape], bool | None]
"""Whether a recording at a size shows the fault; None where there is none, as without time."""


class _UnknownError(Exception):
    """A size could not be recorded."""


def beginning_words(claims: Claims, size: Shape, has_fault: HasFault, *, along_k_alone: bool = False) -> str:
    """Where the fault of a kernel begins that it shows at a `size`, along the first of K, M and N without which it has
    none: "none at 32x32x320, but at 32x32x321"; "" where it is there at the least sizes, too, or where that could not
    be recorded. Between two sizes the fault is taken to begin once. Of a small size K alone tells something: with the
    least M and N too few threads have work for any race.
    """

    def has(shape: Shape) -> bool:
        found = has_fault(shape)
        if found is None:
            raise _UnknownError
        return found

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
                return f"none at {found[0]}, but at {found[1]}"
    return ""


def _beginning(
    claims: Claims, sizes: Sizes, axis: ClaimedSize, has_fault: Callable[[Shape], bool]
) -> tuple[Shape, Shape] | None:
    """The last size along an axis without the fault, and the next one that is claimed; None where the least has it."""
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
    return at(low), at(high)
