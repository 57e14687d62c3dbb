"""Products that a constant of the kernel multiplies, or whose C one does: -A·B, 2·A·B, C - alpha·A·B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gemmviz.adopt.prove.evidence import (
    Operand,
    Places,
    Scaling,
    Traces,
    View,
    agrees,
    are_near,
    product_sums,
    sampled,
)
from gemmviz.adopt.prove.machine import Flat
from gemmviz.domain.terms import Element

_FINE = (Element.FLOAT32, Element.DOUBLE)
"""Types whose rounding leaves no doubt about a constant."""
_LEAST = 8
"""Elements that two constants are fitted to."""
_FEWEST, _DIGITS = 1e-3, 5
"""The least constant that is told from 0, and the digits of one."""


def views_with_constants(traces: Traces, lines: Sequence[int], depths: Sequence[int]) -> list[View]:
    """Everything that the written elements may be if a constant other than 1 multiplies the product or what is added,
    found by least squares; parameters may stand beside either. The likeliest are first.
    """
    if traces.element not in _FINE or not traces.written.size:
        return []
    places = sampled(traces)
    if places.size < _LEAST:
        return []
    found: list[View] = []
    for line in sorted(set(lines)):
        found += _views_with(traces, places, line, sorted(set(lines)), sorted(set(depths)))
    return [view for view in found if agrees(view, traces)]


def _views_with(
    traces: Traces, places: Places, line: int, lines: Sequence[int], depths: Sequence[int]
) -> Iterator[View]:
    made = product_sums(traces, places, line, lines, depths)
    if made is None:
        return
    after = traces.after[places]
    for pointer in (None, *traces.before):
        held = None if pointer is None else traces.before[pointer][places]
        factors, shares = _fitted(made.sums, held, after)
        expected = factors[..., None] * made.sums + (0.0 if held is None else shares[..., None] * held)
        is_near = are_near(traces, expected, places) & ~made.is_one()[:, :, None] & (abs(factors) > _FEWEST)
        if held is not None:
            is_near &= abs(shares) > _FEWEST
        for left, right, at in np.argwhere(is_near):
            sides = made.lefts[left], made.rights[right]
            if pointer not in (one.pointer for one in sides):
                constants = _rounded(factors[left, right, at]), _rounded(shares[left, right, at])
                yield from _views_of(traces, sides, (line, depths[at]), pointer, constants)


def _views_of(
    traces: Traces,
    sides: tuple[Operand, Operand],
    sizes: tuple[int, int],
    added: int | None,
    constants: tuple[float, float],
) -> Iterator[View]:
    """Each way in which parameters may be part of the two constants, those with most parameters first."""
    (left, right), (line, depth), places = sides, sizes, (*traces.factors, None)
    for factor in places:
        for share in places if added is not None else (None,):
            if factor is None or share != factor:
                times = constants[0] / (1.0 if factor is None else traces.factors[factor])
                kept = constants[1] / (1.0 if share is None else traces.factors[share])
                scaling = Scaling(factor, share, added, _rounded(times), _rounded(kept) if added is not None else 1.0)
                yield View(left, right, traces.result, line, depth, scaling)


def _fitted(sums: Flat, held: Flat | None, after: Flat) -> tuple[Flat, Flat]:
    """The factors of sums and of what was held with which they are nearest to what was found, by least squares."""
    own, found = (sums * sums).sum(axis=-1), (sums * after).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if held is None:
            return np.nan_to_num(found / own), np.zeros_like(own)
        mixed, other, of_held = sums @ held, held @ held, held @ after
        determinant = own * other - mixed * mixed
        factors = (found * other - of_held * mixed) / determinant
        shares = (of_held * own - found * mixed) / determinant
    return np.nan_to_num(factors), np.nan_to_num(shares)


def _rounded(constant: float) -> float:
    return float(f"{constant:.{_DIGITS}g}")
