"""Parse trees of files that may hold anything: broken, huge or nested without end.

What does not parse is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser
from tree_sitter_cuda import language as cuda_language

from gemmviz.domain.terms import Language

__all__ = ["MOST_LEVELS", "Node", "SourceError", "line_of", "parse", "text_of", "walk"]

MOST_LEVELS = 1000
"""Of a tree."""
MOST_NODES = 2_000_000

_OPENCL_WORDS = re.compile(r"\b(?:__)?(kernel|global|constant|private|local)\b(?!\s*\()")
_FOR_OPENCL = {"kernel": "__global__", "local": "__shared__", "global": "", "constant": "const", "private": ""}
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.{0,200}?\)\)", re.DOTALL)


class SourceError(ValueError):
    """A file that cannot be read as kernel code; the message says why and what to do."""


@cache
def _parser() -> Parser:
    return Parser(Grammar(cuda_language()))


def parse(text: str, language: Language = Language.CUDA) -> Node:
    """The root of a file's tree. OpenCL C is read as CUDA C: lines stay where they are, columns do not.

    Raises:
        SourceError: the code is nested more than MOST_LEVELS levels deep, or there is too much of it.
    """
    if language is Language.OPENCL:
        text = _ATTRIBUTE.sub(lambda found: "\n" * found[0].count("\n"), text)
        text = _OPENCL_WORDS.sub(lambda word: _FOR_OPENCL[word[1]], text)
    root = _parser().parse(text.encode("utf-8", "surrogateescape")).root_node
    level, count = [root], 0
    for _ in range(MOST_LEVELS):
        level = [child for node in level for child in node.children]
        count += len(level)
        if not level:
            return root
        if count > MOST_NODES:
            raise SourceError("the file has too much code to be read: give the kernel a file of its own")
    line = line_of(level[0])
    raise SourceError(f"line {line}: the code is nested more than {MOST_LEVELS} levels deep: split it into parts")


def line_of(node: Node) -> int:
    """The first line of a node, from 1."""
    return int(node.start_point[0]) + 1


def text_of(node: Node | None) -> str:
    """The text of a node, "" of none."""
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(here.children))
