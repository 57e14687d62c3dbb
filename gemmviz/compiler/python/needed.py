"""What of a Python file its kernel needs: the kernel, and the imports, constants and functions that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

_CHOOSES = ("autotune", "heuristics")
"""Decorators that choose parameters of a kernel by timing it, or by its arguments; a description says them."""


def needed_of(tree: ast.Module, entry: str, values: Mapping[str, int]) -> ast.Module:
    """The statements at the top of a file that the function `entry` needs, in their order and each at its line.
    `values` take the place of what constants of these names are assigned.

    What the file does besides, such as launching its kernels or importing what these launches need, is left out.
    """
    body = [_without_choosers(one) for one in tree.body]
    binding: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in _bound_by(statement):
            binding.setdefault(name, []).append(statement)
    needed: set[int] = set()
    waiting = [entry]
    while waiting:
        for statement in binding.get(waiting.pop(), ()):
            if id(statement) not in needed:
                needed.add(id(statement))
                waiting += _named_in(statement)
    chosen = [_with_value(one, values) for one in body if id(one) in needed or _is_of_future(one)]
    return ast.fix_missing_locations(ast.Module(chosen, []))


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names of the module that a statement gives a meaning to."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _named_in(statement: ast.stmt) -> list[str]:
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]


def _without_choosers(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, ast.FunctionDef):
        statement.decorator_list = [one for one in statement.decorator_list if not _chooses(one)]
    return statement


def _chooses(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _CHOOSES


def _with_value(statement: ast.stmt, values: Mapping[str, int]) -> ast.stmt:
    """The statement with a described value in the place of what it assigns to a constant."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return statement
    if isinstance(target, ast.Name) and target.id in values and statement.value is not None:
        statement.value = ast.copy_location(ast.Constant(values[target.id]), statement.value)
    return statement


def _is_of_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
