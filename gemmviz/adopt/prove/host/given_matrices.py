"""What a launch in host code gives a kernel for its pointers: null, an array in the place of null, or one for two."""

from __future__ import annotations

import re

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms
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
