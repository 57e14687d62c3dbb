"""The dimensions of a shared array as its source declares them; PTX knows bytes only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n/]+)", re.MULTILINE)
_CONSTANT = re.compile(r"\bconstexpr\s+\w+\s+(\w+)\s*=\s*([^;]+);")


def shared_shape(text: str, defines: Sequence[tuple[str, int]], name: str, elements: int) -> tuple[int, int]:
    """Rows and columns of the shared array `name`, the last two of its dimensions; 1 x `elements` where the source's
    words do not come to so many.
    """
    declared = re.search(
        rf"__shared__[^;=()]*?(?:__align__\([^)]*\)[^;=()]*?)?\b{re.escape(name)}((?:\s*\[[^\]]+\])+)", text
    )
    if declared is None:
        return 1, elements
    names = _names(text, dict(defines))
    try:
        sizes = [evaluate_whole(words.strip(), names) for words in re.findall(r"\[([^\]]+)\]", declared[1])]
    except ExpressionError:
        return 1, elements
    columns = sizes[-1] if len(sizes) > 1 else 0
    product = 1
    for size in sizes:
        product *= size
    return (elements // columns, columns) if columns and product == elements else (1, elements)


def _names(text: str, known: dict[str, int]) -> dict[str, int]:
    """Defines, and the macros and constants of the source that can be computed from them."""
    for name, words in [*_MACRO.findall(text), *_CONSTANT.findall(text)]:
        try:
            known.setdefault(name, evaluate_whole(words.strip().replace("/", "//"), known))
        except ExpressionError:
            continue
    return known
