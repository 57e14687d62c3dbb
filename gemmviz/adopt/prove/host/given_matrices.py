"""What a launch in host code gives a kernel for its pointers: null, an array in the place of null, or one for two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.roles import DIMENSIONS, letter_of
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.kernels.call import OPERANDS

_NULL = re.compile(r"(?:\([^()]*\)\s*)*(?:0|null|NULL|nullptr)")
"""A null pointer, cast to another type or not."""


def null_matrices(terms: LaunchTerms, description: Description) -> list[str]:
    """The matrices that a launch gives a null pointer for, as host code does that only shows block and grid."""
    pairs = zip(description.arguments, terms.launch.arguments, strict=False)
    return [word for word, text in pairs if word in OPERANDS and _NULL.fullmatch(text)]


def matrices_for_null(terms: LaunchTerms, description: Description) -> list[str]:
    """What a launch gives for pointers that were proven with null, and that is none."""
    pairs = zip(description.arguments, terms.launch.arguments, terms.launch.texts.arguments, strict=False)
    return [written or text for word, text, written in pairs if word == "null" and not _NULL.fullmatch(text)]


def aliased_words(terms: LaunchTerms, description: Description) -> str:
    """That a launch gives one array for the result and for an input; "" where it does not."""
    result = description.result
    pairs = zip(description.arguments, terms.launch.arguments, strict=False)
    texts = {word: text for word, text in pairs if word in OPERANDS and text}
    same = [word for word in ("A", "B") if word in texts and texts[word] == texts.get(result)]
    if not same:
        return ""
    both = f"{same[0]} and {result}"
    return f"line {terms.launch.line} gives the kernel {texts[result]} for both {both}, and a product keeps its inputs"


def with_exchanged_matrices(
    terms: LaunchTerms, proven: FoundLaunch | None, description: Description
) -> Description | None:
    """The description with A and B exchanged, for a launch that differs from the proven one in no other argument, or
    that by its names gives B for A and A for B, and each of M, N and K for itself; None for any other launch, also of
    equal sizes, for which B·A is a product as well.
    """
    words, sizes = description.arguments, dict(terms.given)
    if words.count("A") != 1 or words.count("B") != 1:
        return None
    if description.storage("A") != description.storage("B") or len({*sizes.values()}) < len(DIMENSIONS):
        return None
    places = words.index("A"), words.index("B")
    own = proven.arguments if proven is not None else ()
    is_unlike_proven = terms.launch.arguments != own and terms.launch.arguments == _exchanged(own, *places)
    if not is_unlike_proven and not _is_exchanged_by_names(terms.launch, words):
        return None
    return replace(description, arguments=_exchanged(words, *places))


def _is_exchanged_by_names(launch: FoundLaunch, words: Sequence[str]) -> bool:
    """Whether what a launch gives for A is called B, and the other way round, while M, N and K are called so."""
    wanted = {"A": "B", "B": "A", **{name: name for name in DIMENSIONS}}
    given = {word: text for word, text in zip(words, launch.arguments, strict=False) if word in wanted}
    called = {word: text.upper() if word in DIMENSIONS else letter_of(text) for word, text in given.items()}
    return called == wanted


def _exchanged(texts: tuple[str, ...], one: int, two: int) -> tuple[str, ...]:
    """The texts with two of them exchanged; as they are where there are too few."""
    places = {one: two, two: one}
    return tuple(texts[places.get(at, at)] for at in range(len(texts))) if max(one, two) < len(texts) else texts
