"""What of a Python file its kernel needs: the kernel, and the imports, constants and functions that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from gemmviz.catalogue.languages.python_functions import syntax_tree

_CHOOSES = ("autotune", "heuristics")
"""Decorators that choose parameters of a kernel by timing it, or by its arguments; a description says them."""
_Span = tuple[int, int]
"""From one byte of the text to another, which is not part of it."""


def needed_of(text: str, entry: str, values: Mapping[str, int], also: Sequence[ast.stmt] = ()) -> str:
    """The text with blanks for all that the function `entry` does not need, every line in its place. `values` take the
    place of what constants of these names are assigned. `also` are further statements that are needed.

    What the file does besides, such as launching its kernels or importing what these launches need, is left out.

    Raises:
        LanguageError: it is no Python.
    """
    tree = syntax_tree(text)
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in bound_by(statement):
            binding.setdefault(name, []).append(statement)
    needed = {id(statement) for statement in also}
    waiting = [entry, *(name for statement in also for name in named_in(statement))]
    while waiting:
        for statement in binding.get(waiting.pop(), ()):
            if id(statement) not in needed:
                needed.add(id(statement))
                waiting += named_in(statement)
    data, starts = text.encode(), _line_starts(text)
    changes: list[tuple[_Span, bytes | None]] = []
    for statement in tree.body:
        if id(statement) not in needed and not _is_of_future(statement):
            changes.append((_span(statement, starts, data), None))
            continue
        changes += [(_span(one, starts, data), None) for one in _choosers(statement)]
        value = _value_of(statement, values)
        if value is not None:
            changes.append((_span(value[0], starts, data), str(value[1]).encode()))
    for (begin, end), new in sorted(changes, key=lambda one: -one[0][0]):
        blank = re.sub(rb"[^\n]", b" ", data[begin:end])
        data = data[:begin] + (blank if new is None else new + re.sub(rb"[^\n]", b"", blank)) + data[end:]
    return data.decode()


def _line_starts(text: str) -> list[int]:
    """Where each line begins, in bytes."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _span(node: ast.stmt | ast.expr, starts: list[int], data: bytes) -> _Span:
    """Where a statement is, with its decorators; of a decorator with the sign in front of it."""
    first: ast.stmt | ast.expr = node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        first = node.decorator_list[0]
    begin = starts[first.lineno - 1] + first.col_offset
    if first is not node or isinstance(node, ast.expr):
        line = data[starts[first.lineno - 1] : begin]
        begin -= len(line) - line.rfind(b"@") if line.strip() == b"@" else 0
    return begin, starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)


def bound_by(statement: ast.stmt) -> Iterator[str]:
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


def named_in(statement: ast.stmt) -> list[str]:
    """The names in a statement, but for those in decorators that choose parameters."""
    left_out = {id(part) for one in _choosers(statement) for part in ast.walk(one)}
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and id(node) not in left_out]


def _choosers(statement: ast.stmt) -> list[ast.expr]:
    return [one for one in statement.decorator_list if _chooses(one)] if isinstance(statement, ast.FunctionDef) else []


def _chooses(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _CHOOSES


def _value_of(statement: ast.stmt, values: Mapping[str, int]) -> tuple[ast.expr, int] | None:
    """What a statement assigns to a constant that a value is described of, and that value."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return None
    if isinstance(target, ast.Name) and target.id in values and statement.value is not None:
        return statement.value, values[target.id]
    return None


def _is_of_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
