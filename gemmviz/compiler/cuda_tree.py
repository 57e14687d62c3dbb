"""The grammar of CUDA C, and how its parse trees are walked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser
from tree_sitter_cuda import language as cuda_language

__all__ = ["MOST_LEVELS", "Node", "line_of", "parser", "text_of", "walk"]

MOST_LEVELS = 1000
"""Of a tree. A sum of n terms has n levels, a chain of n `else if` 2·n."""


@cache
def parser() -> Parser:
    """The parser of CUDA C."""
    return Parser(Language(cuda_language()))


def line_of(node: Node) -> int:
    """The first line of a node, counted from 1."""
    return int(node.start_point[0]) + 1


def text_of(node: Node | None) -> str:
    """The source text of a node, "" of none."""
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(here.children))
