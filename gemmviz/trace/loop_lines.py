"""Finds the loops of a CPU kernel in its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LoopLines:
    """The source of a CPU kernel, and where its innermost statement and the loops around it stand: `numbers` from 1,
    from the outermost loop inwards.
    """

    source: str
    numbers: tuple[int, ...]


def loop_lines(source: str) -> LoopLines:
    """The deepest nest of `for` loops in Python source, of several as deep the first, and its last statement.

    Raises:
        SyntaxError: the source is no Python.
    """
    return LoopLines(source, max(_nests(ast.parse(source).body), key=len, default=()))


def _nests(statements: Iterable[ast.AST]) -> list[tuple[int, ...]]:
    """The lines of each nest among these statements and within them."""
    found: list[tuple[int, ...]] = []
    for statement in statements:
        inside = _nests(ast.iter_child_nodes(statement))
        if isinstance(statement, ast.For):
            inside = [(statement.lineno, *nest) for nest in inside or [(statement.body[-1].lineno,)]]
        found += inside
    return found
