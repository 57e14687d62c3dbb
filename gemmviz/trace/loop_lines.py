"""Finds the loops of a CPU kernel in its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class LoopLines:
    """The source of a CPU kernel, and where its loops and the statements in the innermost of them stand: `numbers` from
    1, as they follow in the source.
    """

    source: str
    numbers: tuple[int, ...]


def loop_lines(source: str) -> LoopLines:
    """Every `for` of the function with the deepest nest, of several as deep the first, and the last statement of each
    loop that holds no other. Loops that prepare the product, such as those that set C to zero, are among them.

    Raises:
        SyntaxError: the source is no Python.
    """
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    nests = max(
        (_nests(scope.body) for scope in (tree, *functions)),
        key=lambda found: max(map(len, found), default=0),
    )
    return LoopLines(source, tuple(sorted({line for nest in nests for line in nest})))


def _nests(statements: Iterable[ast.AST]) -> list[tuple[int, ...]]:
    """The lines of each nest among these statements and within them, but for those of functions."""
    found: list[tuple[int, ...]] = []
    for statement in statements:
        if isinstance(statement, _FUNCTIONS):
            continue
        inside = _nests(ast.iter_child_nodes(statement))
        if isinstance(statement, ast.For):
            inside = [(statement.lineno, *nest) for nest in inside or [(statement.body[-1].lineno,)]]
        found += inside
    return found
