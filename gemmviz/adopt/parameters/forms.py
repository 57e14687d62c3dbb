"""Expressions over a kernel's parameters that may stand for a number of its launch or of its rules for sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole

_MOST_FORMS = 7
NAMES = re.compile(r"[A-Z]\w*")
"""Names of parameters in an expression."""
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
"""Numbers in an expression."""


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """A number in the text of a block, a grid or a rule, and what may stand for it, best first. `value` is the number
    that they have where every parameter has its default.
    """

    text: int
    span: tuple[int, int]
    forms: tuple[str, ...]
    value: int
    is_unnamed_tile: bool = False
    """Whether it is how far blocks of a grid are apart, and the source names no parameter that it is computed from."""


def value_of(form: str, known: Mapping[str, int]) -> int:
    """A form's number, 0 for none that a launch takes."""
    try:
        return max(0, evaluate_whole(form, known))
    except ExpressionError:
        return 0


@dataclass(frozen=True, slots=True)
class SlotText:
    """A text whose numbers parameters may stand for: the dimension that it is about, and the parameters that the source
    says it is computed from; None for a rule, for which parameters of that value come first.
    """

    text: str
    dimension: str = ""
    named: frozenset[str] | None = None
    is_grid: bool = False
    """Whether it is an axis of a grid whose blocks each have a part of their own."""
    first: frozenset[str] = frozenset()
    """The parameters that come before others of the same value: of a rule those of the grid along its dimension."""
    told: tuple[tuple[str, ...], ...] | None = None
    """All that may stand for each of its numbers, where the host code says so."""


def slots_of(texts: Sequence[SlotText], defaults: Mapping[str, int]) -> Iterator[NumberSlot]:
    """The numbers above 1 in texts, and what may stand for them; `defaults` are the parameters and their values. Where
    the source names no parameters of a text, its numbers stay as they are if that is right.
    """
    for at, one in enumerate(texts):
        for place, found in enumerate(NUMBER.finditer(one.text)):
            value = int(found[0])
            if one.told is not None:
                if value or one.told[place] != ("0",):
                    yield NumberSlot(at, found.span(), one.told[place], value)
                continue
            if value < 2:
                continue
            forms = _forms(value, defaults, one.dimension)
            named = one.named if one.named is not None else frozenset(form for form in forms if form in defaults)
            told = [form for form in forms if set(NAMES.findall(form)) <= named]
            forms = [*told, *(form for form in forms if form not in told)]
            forms.sort(key=lambda form: form not in one.first)
            is_tile = one.is_grid and bool(one.dimension) and not one.named
            yield NumberSlot(at, found.span(), tuple(forms), value, is_tile)


def _forms(value: int, defaults: Mapping[str, int], dimension: str) -> list[str]:
    """The best expressions over parameters with this value, and the number."""
    return [*expressions_of(value, defaults, dimension)[: _MOST_FORMS - 1], str(value)]


def expressions_of(value: int, defaults: Mapping[str, int], dimension: str = "") -> list[str]:
    """Expressions over parameters with this value, those of a name that ends like the dimension first."""
    names = sorted(defaults, key=lambda one: not (dimension and one.endswith(dimension)))
    pairs = [(one, two) for place, one in enumerate(names) for two in names[place + 1 :]]
    found = [(one, defaults[one]) for one in names]
    found += [(f"{one} // {two}", _quotient(defaults[one], defaults[two])) for one, two in product(names, names)]
    for one, two in pairs:
        made = defaults[one] * defaults[two]
        found.append((f"{one} * {two}", made))
        rest = [name for name in names if name not in (one, two)]
        found += [(f"{one} * {two} // {name}", _quotient(made, defaults[name])) for name in rest]
        found += [
            (f"{one} * {two} // ({three} * {four})", _quotient(made, defaults[three] * defaults[four]))
            for three, four in pairs
            if not {three, four} & {one, two}
        ]
    found += [
        (f"{value // defaults[one]} * {one}", value)
        for one in names
        if 1 < defaults[one] < value and value % defaults[one] == 0
    ]
    found += [(f"{one} * {one}", defaults[one] ** 2) for one in names]
    found += [
        (f"{value // defaults[one] ** 2} * {one} * {one}", value)
        for one in names
        if defaults[one] > 1 and value % defaults[one] ** 2 == 0 and value != defaults[one] ** 2
    ]
    kept = [text for text, number in found if number == value]
    if dimension and any(one in defaults for one in kept):  # a tile's edge is one name
        kept = [one for one in kept if one in defaults]
    elif not dimension:  # threads are the elements of a tile by those of a thread
        kept.sort(key=lambda one: (one not in defaults, -len(NAMES.findall(one))))
    return kept


def _quotient(one: int, two: int) -> int:
    return one // two if one % two == 0 else 0
