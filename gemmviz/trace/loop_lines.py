"""Finds the loops of a CPU kernel in its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class LoopLines:
    """The source of a CPU kernel, and the `numbers`, from 1 and ascending, of its loops' lines and what they do."""

    source: str
    numbers: tuple[int, ...]


def loop_lines(source: str) -> LoopLines:
    """Every `for` of the function with the deepest nest, of several as deep the first, and each statement in it. Loops
    that prepare the product, such as those that set C to zero, are among them.

    Raises:
        SyntaxError: the source is no Python.
    """
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    deepest = max((scope.body for scope in (tree, *functions)), key=_depth)
    return LoopLines(source, tuple(sorted({line for loop in _loops(deepest) for line in _lines(loop)})))


def _depth(statements: Iterable[ast.AST]) -> int:
    """How many loops are in each other at most, but for those of functions within."""
    return max(
        (
            isinstance(statement, ast.For) + _depth(ast.iter_child_nodes(statement))
            for statement in statements
            if not isinstance(statement, _FUNCTIONS)
        ),
        default=0,
    )


def _loops(statements: Iterable[ast.AST]) -> list[ast.For]:
    """The loops among these statements and within them that are in no other loop, but for those of functions."""
    found: list[ast.For] = []
    for statement in statements:
        if isinstance(statement, ast.For):
            found.append(statement)
        elif not isinstance(statement, _FUNCTIONS):
            found += _loops(ast.iter_child_nodes(statement))
    return found


def _lines(loop: ast.For) -> list[int]:
    """The lines of a loop and of all statements in it."""
    lines = [loop.lineno]
    for statement in loop.body:
        if isinstance(statement, ast.For):
            lines += _lines(statement)
        else:
            lines += range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    return lines
