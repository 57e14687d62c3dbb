"""Values of a kernel's parameters and constants that its description does not offer, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.complaints import must_be, value_words
from gemmviz.catalogue.header import Header
from gemmviz.domain.listing import listed

KEY = "values_left_out"
MOST_LEFT_OUT = 64
"""Of a parameter."""
MOST_LETTERS = 300
"""Of a reason."""
_MOST_DIGITS = 19


@dataclass(frozen=True, slots=True)
class ValueLeftOut:
    """One value of a parameter, and why it is not offered: "wrong at 69x131x37: 12 of 9039 elements are wrong"."""

    name: str
    value: int
    because: str


def left_out_table(values: Sequence[ValueLeftOut]) -> dict[str, dict[str, str]]:
    """The table of a description that holds these, by parameter and value; a long reason is cut."""
    table: dict[str, dict[str, str]] = {}
    for one in values:
        table.setdefault(one.name, {})[str(one.value)] = one.because[:MOST_LETTERS]
    return table


def read_left_out(header: Header) -> tuple[ValueLeftOut, ...]:
    """The values that a description leaves out, in its order.

    Raises:
        HeaderError: something is no table, no whole number or no text, or a parameter has too many.
    """
    found = []
    for name in header.table(KEY):
        table, where = header.table(KEY)[name], f"{KEY}.{name}"
        if not isinstance(table, Mapping):
            raise header.fault(where, must_be(where, "a table", table))
        if len(table) > MOST_LEFT_OUT:
            raise header.fault(where, f"{name} leaves out {len(table)} values: at most {MOST_LEFT_OUT}")
        for text, because in table.items():
            if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > _MOST_DIGITS:
                raise header.fault(f"{where}.{text}", f'{value_words(text)} is no whole number: write 32 = "why"')
            if not isinstance(because, str):
                raise header.fault(f"{where}.{text}", must_be(text, "a text", because, of=name))
            found.append(ValueLeftOut(name, int(text), because))
    return tuple(found)


def left_out_lines(values: Sequence[ValueLeftOut]) -> tuple[str, ...]:
    """A sentence for each reason: "BM = 16 and 32; BN = 256: not tried (at most 8 combinations are compiled)"."""
    by_reason: dict[str, dict[str, list[str]]] = {}
    for one in sorted(values, key=lambda one: (one.name, one.value)):
        by_reason.setdefault(one.because, {}).setdefault(one.name, []).append(str(one.value))
    return tuple(
        f"{'; '.join(f'{name} = {listed(numbers)}' for name, numbers in names.items())}: {because}"
        for because, names in by_reason.items()
    )
