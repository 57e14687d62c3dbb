"""The sums of threads with what their variables held, in place of what is added up here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from gemmviz.explain.block.arithmetic import Sum
from gemmviz.trace.accumulators import Accumulators


def as_recorded(sums: Sequence[Sum], accumulators: Accumulators | None) -> tuple[Sum, ...]:
    """Sums whose terms have the value of the thread's variable at its next access; those without one as they are.

    Of several terms between two accesses the last has it.
    """
    return tuple(_as_recorded(found, accumulators) for found in sums) if accumulators is not None else tuple(sums)


def _as_recorded(found: Sum, accumulators: Accumulators) -> Sum:
    if found.unknown or accumulators.of(found.row, found.column) is None:
        return found
    slots = [term.slot for term in found.terms]
    values = [accumulators.value_from(found.row, found.column, slot) for slot in slots]
    points = [accumulators.point_behind(found.row, found.column, slot) for slot in slots]
    is_last = [one != other for one, other in pairwise([*points, None])]
    terms = tuple(
        replace(term, total=value if is_known else None)
        for term, value, is_known in zip(found.terms, values, is_last, strict=True)
    )
    return replace(found, terms=terms, is_recorded=True)
