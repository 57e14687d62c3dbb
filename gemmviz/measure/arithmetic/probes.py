"""Sums of one to three products whose result tells in which format inputs and sums are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import isnan

from gemmviz.measure.arithmetic.formats import FLOAT32, Format, Model

Term = tuple[float, float]
"""An element of A and the element of B that it is multiplied by."""
Value = Fraction | float


@dataclass(frozen=True, slots=True)
class SumProbe:
    """An element of C that is the sum of these products; `words` is the sum as a person writes it."""

    words: str
    terms: tuple[Term, ...]


def probes(inputs: Format) -> tuple[SumProbe, ...]:
    """The probes whose elements a matrix of that format holds exactly.

    With x = 1 + 2^-k: x·1 tells the bits of an input and of a sum, x·1 - 1·1 those of an input alone, x·x those of a
    sum where an input keeps x; 2^k + 1 and 2^k + 1.5 tell the bits of a sum, and whether it is rounded or cut off;
    2^k + 1 - 2^k, and the same with a square, tells the bits of a sum whatever C is stored in: where they are too few,
    some order gives 0. Sums of two products do not depend on their order.
    """
    found = [
        *(SumProbe(f"(1 + 2^-{k})·1", ((_near(k), 1.0),)) for k in range(1, 53)),
        *(SumProbe(f"1·(1 + 2^-{k})", ((1.0, _near(k)),)) for k in range(1, 53)),
        *(SumProbe(f"(1 + 2^-{k})·1 - 1·1", ((_near(k), 1.0), (-1.0, 1.0))) for k in range(4, 53)),
        *(SumProbe(f"1·(1 + 2^-{k}) - 1·1", ((1.0, _near(k)), (-1.0, 1.0))) for k in range(4, 53)),
        *(SumProbe(f"(1 + 3·2^-{k})·1", ((1.0 + 3.0 * 2.0**-k, 1.0),)) for k in (9, 12, 25)),
        *(SumProbe(f"1·(1 + 3·2^-{k})", ((1.0, 1.0 + 3.0 * 2.0**-k),)) for k in (9, 12, 25)),
        *(SumProbe(f"(1 + 2^-{k})²", ((_near(k), _near(k)),)) for k in range(2, 13)),
        *(SumProbe(f"2^{k} + 1", ((2.0**k, 1.0), (1.0, 1.0))) for k in (7, 8, 10, 11, 12, 15, 22, 23, 24, 25, 52, 53)),
        *(SumProbe(f"2^{k} + 1.5", ((2.0**k, 1.0), (1.5, 1.0))) for k in (8, 11, 24, 53)),
        *(SumProbe(_sum_words(order, k), order) for k in (8, 11, 24) for order in permutations(_swallowed(k))),
        *(SumProbe(_sum_words(order, 12, "²"), order) for order in permutations(_swallowed_square(12))),
        SumProbe("2^17·2^-4", ((2.0**17, 2.0**-4),)),
        SumProbe("2^-30·2^20", ((2.0**-30, 2.0**20),)),
        SumProbe("2^-4·2^17", ((2.0**-4, 2.0**17),)),
    ]
    return tuple(one for one in found if all(_is_held(value, inputs) for term in one.terms for value in term))


def _near(k: int) -> float:
    return 1.0 + 2.0**-k


def _swallowed(k: int) -> tuple[Term, Term, Term]:
    return (2.0**k, 1.0), (1.0, 1.0), (-(2.0**k), 1.0)


def _swallowed_square(k: int) -> tuple[Term, Term, Term]:
    """2^2k + 1 - 2^2k, of numbers that half holds, too."""
    return (2.0**k, 2.0**k), (1.0, 1.0), (-(2.0**k), 2.0**k)


def _sum_words(order: tuple[Term, ...], k: int, power: str = "") -> str:
    names = {2.0**k: f"(2^{k}){power}" if power else f"2^{k}"}
    names[-(2.0**k)] = f"-{names[2.0**k]}"
    return " + ".join(names.get(a, f"{a:g}") for a, _ in order).replace("+ -", "- ")


def _is_held(value: float, inputs: Format) -> bool:
    return inputs.round(Fraction(value)) == Fraction(value)


def explains(model: Model, probe: SumProbe, result: Format, found: float, alpha: float = 1.0) -> bool:
    """Whether the arithmetic of a model can give what was found, alpha times the probe, stored as `result`."""
    known = _results(model, probe, result, alpha)
    return found in known or (isnan(found) and any(isnan(one) for one in known))


@lru_cache(maxsize=1 << 14)
def _results(model: Model, probe: SumProbe, result: Format, alpha: float) -> frozenset[float]:
    found = (_times(total, Fraction(alpha)) for total in _totals(model, probe))
    kept = (value if alpha == 1.0 else form.round(value) for value in found for form in (FLOAT32, model.sums))
    return frozenset(float(result.round(value)) for value in kept)


def _totals(model: Model, probe: SumProbe) -> Iterator[Value]:
    """What the sum may be: in each order, products rounded before they are added or not, and where sums are kept in few
    bits, computed in float32 and then rounded to them, or in one step.
    """
    products = [_times(model.inputs.round(Fraction(a)), model.inputs.round(Fraction(b))) for a, b in probe.terms]
    if model.products is not None:
        products = [model.products.round(one) for one in products]
    for before in (None, FLOAT32) if model.sums.bits < FLOAT32.bits else (None,):

        def rounded(value: Value, before: Format | None = before) -> Value:
            return model.sums.round(value if before is None else before.round(value))

        for terms in (products, [rounded(one) for one in products]):
            for order in permutations(terms):
                total: Value = Fraction(0)
                for one in order:
                    total = rounded(_plus(total, one))
                yield total


def _times(a: Value, b: Value) -> Value:
    return float(a) * float(b) if isinstance(a, float) or isinstance(b, float) else a * b


def _plus(a: Value, b: Value) -> Value:
    return float(a) + float(b) if isinstance(a, float) or isinstance(b, float) else a + b
