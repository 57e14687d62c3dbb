"""What a kernel computes with other values of its flags than its description gives, or without null for a pointer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.attempt import Attempt
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed
from gemmviz.domain.terms import Layout

_OTHER = {"0": "1", "1": "0"}


def flag_words(attempt: Attempt, found: KernelFinding) -> tuple[str, ...]:
    """For each flag that a proven kernel is given: its value, and what the kernel computes with the other one:
    "transB is given 0; with 1, B is column-major".
    """
    proven, words = found.description, []
    for place in sorted(attempt.reading.flags) if proven is not None else ():
        assert proven is not None
        value, name = attempt.reading.derived[place], attempt.searched.names[place]
        if attempt.log.is_over or value not in _OTHER:
            words.append(f"{name} is given {value}; other values were not tried")
            continue
        other = _OTHER[value]
        reading = replace(attempt.reading, derived={**attempt.reading.derived, place: other})
        tried = Attempt(attempt.searched, attempt.log, attempt.made, attempt.instance, attempt.guess, reading)
        differs = _difference(proven, tried.described(proven, found.right_sizes[0]))
        words.append(f"{name} is given {value}; with {other}, {differs}")
    return tuple(words)


def null_words(attempt: Attempt) -> tuple[str, ...]:
    """Which pointers of a proven kernel are null though no host code gives null: "bias is given null; with an array, no
    product was proven".
    """
    names = [attempt.searched.names[place] for place in sorted(attempt.instance.nulls)]
    return tuple(f"{name} is given null; with an array, no product was proven" for name in names)


def untried_null_words(names: Sequence[str], nulls: Collection[int], limit_s: float) -> str:
    """That the time ended before all was tried with null for the pointers at these places."""
    tested = listed([names[place] for place in sorted(nulls)])
    return (
        f"the kernel asks whether {tested} {'are' if len(nulls) > 1 else 'is'} null, and the time limit of {limit_s:g} "
        "s ended before all was tried with null; allow more time (`gemmviz adopt --time-limit`)"
    )


def _difference(proven: Description, other: Description | None) -> str:
    """What is different of another product, in words that go on "with 1,"."""
    if other is None:
        return "no product was proven"
    layouts: dict[Layout, list[str]] = {}
    for name in OPERANDS:
        if name in other.arguments and other.storage(name).layout is not proven.storage(name).layout:
            layouts.setdefault(other.storage(name).layout, []).append(name)
    found = [other.formula] if other.formula != proven.formula else []
    for layout, names in layouts.items():
        found.append(f"{listed(names)} {'is' if len(names) == 1 else 'are'} {layout.value}-major")
    return listed(found) if found else "the product is the same"
