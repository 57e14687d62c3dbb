"""What a launch in host code gives a kernel for M, N and K, in the names of the launch that was proven."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from gemmviz.adopt.description import Description
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.source.tree import IDENTIFIER
from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed

_SIZES = ("M", "N", "K")
_STEP = re.compile(r"([A-Za-z_]\w*) [+-] \d+")
"""A size and a number more or less: one that is divided may be that of a part of a matrix."""

_SOME_SIZES = (61, 64, 1000)


def names_of_sizes(launch: FoundLaunch | None, words: Sequence[str]) -> dict[str, str]:
    """The variables that a launch gives for M, N and K, each for one of them: {"rows": "M"}. `words` are what the
    kernel's parameters stand for.
    """
    pairs = zip(launch.arguments if launch is not None else (), words, strict=False)
    given = [(text, word) for text, word in pairs if word in _SIZES and text.isidentifier()]
    return {text: word for text, word in given if {word} == {size for name, size in given if name == text}}


def stepped_sizes(launch: FoundLaunch, words: Sequence[str], named: Mapping[str, str]) -> dict[int, str]:
    """The variables of arguments such as `K - 1` for K, by their places, where the proven launch gives K itself
    (`named`) and this one gives it for no other size.
    """
    own = names_of_sizes(launch, words)
    found = [(place, _STEP.fullmatch(text), word) for place, (text, word) in _given(launch, words)]
    return {
        place: step[1]
        for place, step, word in found
        if step is not None and named.get(step[1]) == word and own.get(step[1], word) == word
    }


def lessened_sizes(launch: FoundLaunch, words: Sequence[str]) -> list[int]:
    """The places of arguments for M, N and K that are computed from a variable of that name and less than it, such as
    `K / 2`, but not a size that is rounded up.
    """
    found = list[int]()
    for place, (text, word) in _given(launch, words):
        value = (*launch.traced, *("" for _ in words))[place] or text
        names = {*IDENTIFIER.findall(value)} - {"ceil_div"}
        own = {one for one in names if one.upper() == word}
        if own and value not in own and any(_value(value, names, own, size) < size for size in _SOME_SIZES):
            found.append(place)
    return found


def _value(text: str, names: Collection[str], own: Collection[str], size: int) -> int:
    """An expression where the names that are `own` have this value and the others 2; the value where it is none."""
    try:
        return evaluate_whole(text, {one: size if one in own else 2 for one in names})
    except ExpressionError:
        return size


def exchanged_constants(launch: FoundLaunch, proven: FoundLaunch | None, description: Description) -> str:
    """That a launch exchanges sizes that the proven one gives in the same function, with the same matrices: "it gives
    the kernel K for N and N for K, with the same matrices as line 14"; "" where it does not, or where the sizes are no
    constants, so that it is run as it stands.
    """
    words = description.arguments
    if proven is None or proven.line == launch.line or proven.function != launch.function:
        return ""
    if any(not constant.isdigit() for constant, word in zip(launch.traced, words, strict=False) if word in _SIZES):
        return ""
    matrices = [place for place, word in enumerate(words) if word in OPERANDS]
    one, two = ([of.arguments[place : place + 1] for place in matrices] for of in (launch, proven))
    named = names_of_sizes(proven, words)
    other = [f"{text} for {word}" for _, (text, word) in _given(launch, words) if named.get(text, word) != word]
    return (
        f"it gives the kernel {listed(other)}, with the same matrices as line {proven.line}"
        if other and one == two
        else ""
    )


def _given(launch: FoundLaunch, words: Sequence[str]) -> list[tuple[int, tuple[str, str]]]:
    """What a launch gives for M, N and K, and for which, with the places."""
    pairs = enumerate(zip(launch.arguments, words, strict=False))
    return [(place, (text, word)) for place, (text, word) in pairs if word in _SIZES]
