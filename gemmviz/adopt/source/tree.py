"""Parse trees of files that may hold anything: broken, huge or nested without end.

What does not parse is passed over.
"""

from __future__ import annotations

import re

from gemmviz.compiler.cuda_tree import MOST_LEVELS, Node, line_of, parser, text_of, walk
from gemmviz.domain.terms import Language

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
"""A name in a source, as C writes it."""
__all__ = [
    "IDENTIFIER",
    "MOST_LEVELS",
    "Node",
    "SourceError",
    "declared_name",
    "function_around",
    "line_of",
    "parse",
    "text_of",
    "walk",
]

MOST_NODES = 2_000_000

_OPENCL_WORDS = re.compile(r"\b(?:__)?(kernel|global|constant|private|local)\b(?!\s*\()")
_FOR_OPENCL = {"kernel": "__global__", "local": "__shared__", "global": "", "constant": "const", "private": ""}
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]{0,200}\)){0,200}?\)\)")


class SourceError(ValueError):
    """A file that cannot be read as kernel code; the message says why and what to do."""


def parse(text: str, language: Language = Language.CUDA) -> Node:
    """The root of a file's tree. OpenCL C is read as CUDA C: lines stay where they are, columns do not.

    Raises:
        SourceError: the code is nested more than MOST_LEVELS levels deep, or there is too much of it.
    """
    if language is Language.OPENCL:
        text = _ATTRIBUTE.sub(lambda found: "\n" * found[0].count("\n"), text)
        text = _OPENCL_WORDS.sub(lambda word: _FOR_OPENCL[word[1]], text)
    root = parser().parse(text.encode("utf-8", "surrogateescape")).root_node
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


def function_around(node: Node) -> Node | None:
    """The definition of the function that a node of the tree is in."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        parent = parent.parent
    return parent


def declared_name(declarator: Node | None) -> str:
    """The name that a declarator declares: "c" of `(*c)[WIDTH]`, "f" of `(*f)(int)`; "" where it declares none."""
    while declarator is not None and not declarator.type.endswith("identifier"):
        declarator = declarator.child_by_field_name("declarator") or next(
            (one for one in declarator.named_children if one.type.endswith(("declarator", "identifier"))), None
        )
    return text_of(declarator)
