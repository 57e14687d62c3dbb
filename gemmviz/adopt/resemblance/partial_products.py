"""What is a product in part: sums without a term, triangles, some of the elements."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gemmviz.adopt.prove.evidence import Places, Traces, are_near, near_elements, product_sums
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import Flat
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.adopt.resemblance.observation import (
    LEAST,
    LOOKS_LIKE,
    PRODUCTS_ONLY,
    NamedProducts,
    Observation,
    inputs_of,
    said,
    sampled,
)

_SEVERAL = (4, 4, 1)
"""Blocks on both sides of a diagonal."""
_EDGES = 4
"""Rows or columns in which a sum has to end elsewhere."""
_PARTS = (2, 3, 4, 8)
"""How many parts sums may be split into."""
_NEAR = 0.2
"""The share of elements that must be those of a product for that to be told."""
_NOT_ZERO = 1 / 128
"""Sums are multiples of 1/64. Tiny results, as those of a softmax, are near sums of 0."""


def with_term_missing(seen: Observation, first: Traces) -> Iterator[Reason]:
    """A product whose sums lack their last or their first term."""
    places = sampled(first)
    if places.size < LEAST:
        return
    depths = [one for one in seen.lines if one > 1]
    ends = sorted({1, *depths, *(one - 1 for one in depths)})
    for line in seen.lines if depths else ():
        made = product_sums(first, places, line, seen.lines, ends)
        if made is None:
            continue
        what = NamedProducts(made, seen.names, made.is_one())
        for depth in depths:
            start, without_last, whole = (made.sums[:, :, ends.index(end)] for end in (1, depth - 1, depth))
            if (are_near(first, whole, places) & ~what.is_one).any():
                return  # no term is missing
            for which, index, sums in (("last", "K - 1", without_last), ("first", "0", whole - start)):
                if (found := are_near(first, sums, places) & ~what.is_one).any():
                    yield said(
                        f"a product of which the {which} term of each sum is missing",
                        f"{what.first(found)} without the product at k = {index}",
                        places.size,
                        "let the sum run over every k to have it described",
                    )


def with_part_of_sums(seen: Observation, first: Traces) -> Iterator[Reason]:
    """A product of which one block adds up a part of each sum, to nothing or to what was there."""
    places = sampled(first)
    if places.size < LEAST:
        return
    before = first.before[first.result][places]
    # lengths that the host code computes, such as K / 4, are no sizes; of constants `sizes` has one alone
    sizes = sorted(seen.trial.sizes) if len(seen.trial.sizes) > 1 else seen.lines
    for line in seen.lines:
        made = product_sums(first, places, line, seen.lines, sizes)
        if made is not None and any((are_near(first, made.sums + one, places)).any() for one in (0.0, before)):
            return  # the sum is as long as one of its sizes says
    split = {
        depth: sorted({0, depth, *(-(-depth * at // parts) for parts in _PARTS for at in range(1, parts))})
        for depth in seen.lines
        if depth > _PARTS[-1]
    }
    all_ends = sorted({end for ends in split.values() for end in ends})
    for line in seen.lines if split else ():
        made = product_sums(first, places, line, seen.lines, all_ends[1:])
        if made is None:
            continue
        what = NamedProducts(made, seen.names, made.is_one())
        all_sums = np.concatenate([np.zeros_like(made.sums[:, :, :1]), made.sums], axis=2)
        for depth, ends in split.items():
            sums = all_sums[:, :, np.searchsorted(all_ends, ends)]
            for begin, end in ((one, two) for one in range(len(ends)) for two in range(one + 1, len(ends))):
                part = sums[:, :, end] - sums[:, :, begin]
                found = (are_near(first, part, places) | are_near(first, part + before, places)) & ~what.is_one
                found = found & (np.abs(part) > _NOT_ZERO).any(axis=-1)  # beyond a matrix's end all sums are 0
                if ends[end] - ends[begin] < depth and found.any():
                    whole = what.depth(found)
                    if whole and (ends[end] > whole or ends[end] - ends[begin] >= whole):
                        continue
                    yield said(
                        "a part of a product (split K)",
                        f"{what.first(found)} with k from {ends[begin]} to {ends[end] - 1} alone"
                        f"{f', of {whole}' if whole else ''}",
                        places.size,
                        "gemmviz describes what one launch computes, and found no launch that computes the whole sum: "
                        "let every block run over every k, or add its part to C by an atomic operation, to have it "
                        "described",
                    )


def nearest(seen: Observation, first: Traces) -> Reason | None:
    """How much of what one block wrote is a product; None where little is."""
    places, best = sampled(first), (0.0, "")
    for line in seen.lines:
        made = product_sums(first, places, line, seen.lines, seen.lines)
        if made is None:
            continue
        is_one = made.is_one()
        shares = np.where(is_one, 0.0, near_elements(first, made.sums, places).mean(axis=-1).max(axis=-1))
        best = max(best, (float(shares.max()), NamedProducts(made, seen.names, is_one).first(shares == shares.max())))
    share, what = best
    if places.size < LEAST or not _NEAR <= share < 1:
        return None
    if np.isclose((first.after[places] == 0).mean() + share, 1):
        return Reason(
            f"{LOOKS_LIKE} a masked product: in a trial {100 * share:.0f} % of {places.size} elements that were "
            f"compared are {what}, and the others are 0; leave out the mask to have the product described",
            FaultKind.LOOKS_LIKE,
        )
    return Reason(
        f"it comes near a product: in a trial {100 * share:.0f} % of the elements that one block wrote and that were "
        f"compared are {what}, the others are not; {PRODUCTS_ONLY}, of which it computes every element"
    )


def one_triangle(seen: Observation) -> Iterator[Reason]:
    """A product of which only the elements on one side of the diagonal are written."""
    try:
        several = seen.trial.run(seen.geometry, _SEVERAL)
    except TryError:
        return
    places = sampled(several)
    if several.written.size < LEAST:
        return
    for line in seen.lines:
        rows, columns = np.divmod(several.written, line)
        if min(rows.max(), columns.max()) < LEAST:
            continue
        for where, is_inside in (("on and below", columns <= rows), ("on and above", columns >= rows)):
            made = product_sums(several, places, line, seen.lines, seen.lines) if is_inside.all() else None
            if made is None:
                continue
            is_one = made.is_one()
            what = NamedProducts(made, seen.names, is_one)
            for before, behind, values in _scaled(seen, several, made.sums, places):
                found = np.asarray(are_near(several, values, places).any(axis=-1))
                if not found.any():
                    continue
                more = "" if (found & ~is_one).any() else ", and take the second matrix through a pointer of its own,"
                yield said(
                    "one triangle of a product",
                    f"{before}{what.first(found)}{behind}, and only elements {where} the diagonal were written",
                    places.size,
                    f"let it write every element of C{more} to have it described",
                )


def _scaled(seen: Observation, traces: Traces, sums: Flat, places: Places) -> Iterator[tuple[str, str, Flat]]:
    """Sums with a parameter as factor, and with what was there added, too: the words before and behind, the values."""
    name, held = seen.names[traces.result], traces.before[traces.result][places]
    for factor in (None, *traces.factors):
        value = 1.0 if factor is None else traces.factors[factor]
        before = "" if factor is None else f"{seen.names[factor]}·"
        yield before, "", value * sums
        for share in (None, *traces.factors):
            kept = 1.0 if share is None else traces.factors[share]
            yield before, f" + {'' if share is None else f'{seen.names[share]}·'}{name}", value * sums + kept * held


def with_triangular_matrix(seen: Observation, first: Traces) -> Iterator[Reason]:
    """A product of which one matrix is read on one side of its diagonal only."""
    places, inputs, names = sampled(first), inputs_of(first), seen.names
    if places.size < LEAST:
        return
    for line in seen.lines:
        rows, columns = np.divmod(places, line)
        for one, two in ((one, two) for one in inputs for two in inputs if one != two):
            for depth in seen.lines:
                for other in seen.lines:
                    k = np.arange(depth)
                    at, to = rows[:, None] * other + k, k * line + columns[:, None]
                    if at.max() >= inputs[one].size or to.max() >= inputs[two].size:
                        continue
                    products = inputs[one].take(at) * inputs[two].take(to)
                    formula = f"the sum of {names[one]}[row,k]·{names[two]}[k,column]"
                    for side, edge, index in (("left", rows, "row"), ("right", columns, "column")):
                        if np.unique(edge).size < _EDGES:  # of one row or column the sum may be whole
                            continue
                        for sign, chosen in (("<=", k <= edge[:, None]), (">=", k >= edge[:, None])):
                            sums = np.where(chosen, products, 0.0).sum(axis=1)
                            if bool(are_near(first, sums, places)[0]):
                                yield said(
                                    f"a product with a triangular matrix on the {side}",
                                    f"{formula} over k {sign} {index}",
                                    places.size,
                                    "let the sum run over every k, and store zeros in the other triangle, to have it "
                                    "described",
                                )
