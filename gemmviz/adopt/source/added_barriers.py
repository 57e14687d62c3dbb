"""Barriers that a kernel lacks: a copy of its text that has them shows what else is true of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gemmviz.adopt.source.tree import Node, SourceError, parse, walk
from gemmviz.domain.terms import Language

_BARRIERS = {
    Language.CUDA: b" __syncthreads(); ",
    Language.OPENCL: b" barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); ",
}
_QUALIFIERS = re.compile(r"\b(?:__)?(?:kernel|global|constant|private|local)\b(?!\s*\()")


def with_barriers(text: str, language: Language, lines: Collection[int]) -> str:
    """A text with a barrier before and behind each statement with an access in one of these lines, counted from 1. The
    statements are those of the innermost block that holds all of the lines. Lines stay where they are. "" where there
    is no such block, and for a language without barriers of that form.
    """
    barrier = _BARRIERS.get(language)
    if barrier is None or not lines:
        return ""
    # the same length, so that places in the tree are places in the text
    plain = _QUALIFIERS.sub(lambda word: " " * len(word[0]), text) if language is Language.OPENCL else text
    try:
        root = parse(plain)
    except SourceError:
        return ""
    blocks = [one for one in walk(root) if one.type == "compound_statement" and _spans(one, min(lines), max(lines))]
    if not blocks:
        return ""
    places = {*_places_around(blocks[-1], lines)}  # the innermost comes last
    data = text.encode("utf-8", "surrogateescape")
    for place in sorted(places, reverse=True):
        data = data[:place] + barrier + data[place:]
    return data.decode("utf-8", "surrogateescape")


def _spans(node: Node, first: int, last: int) -> bool:
    """Whether a node begins at a line or before it, and ends at another one or behind it."""
    return node.start_point[0] + 1 <= first and last <= node.end_point[0] + 1


def _places_around(block: Node, lines: Collection[int]) -> Iterator[int]:
    """Where the statements of a block begin and end that stand in these lines. What belongs to the next statement, such
    as `#pragma unroll`, stays before it.
    """
    before = block.start_byte + 1
    for child in block.named_children:
        if child.type == "comment" or child.type.startswith("preproc"):
            continue
        if any(_spans(child, line, line) for line in lines):
            yield from (before, child.end_byte)
        before = child.end_byte
