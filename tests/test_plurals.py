"""A count that may be 1 has its noun in the singular then: strings made by code leave that to `figures.counted`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gemmviz

ROOT = Path(gemmviz.__file__).parent
COUNTS = {"count", "len"}
NO_NOUN = {"bytes", "is", "was", "has", "this", "times", "less", "across", "does", "needs", "takes", "passes"}
"""Words in s that are no plural, and bytes, of which whole sectors or elements are counted. "1 times" never comes up: a
ratio has a dot, and once is called so.
"""
FOLDERS = (
    "explain/requests",
    "explain/source",
    "gui/lessons",
    "gui/memory_view",
    "gui/player",
    "gui/stages",
    "gui/welcome",
    "trace/frames",
)
"""Where strings are made that a reader sees beside a picture or in a lesson."""


def plurals_in(source: str) -> list[tuple[int, str]]:
    """The line and the words of each count in a formatted string that a plural follows, as in f"{len(runs)} runs".

    Left alone is a branch of a conditional expression, which has another for one, and "of {n} runs", which speaks of a
    whole.
    """
    return list(_found(ast.parse(source)))


def _found(tree: ast.AST) -> Iterator[tuple[int, str]]:
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr) or _is_branch(node, parents):
            continue
        before = ""
        for place, part in enumerate(node.values):
            following = node.values[place + 1] if place + 1 < len(node.values) else None
            if isinstance(part, ast.FormattedValue) and _is_count(part.value):
                after = str(following.value) if isinstance(following, ast.Constant) else ""
                match = re.match(r" (?:(?!without|from|in|on)[a-z]+ )?([a-z]+s)\b", after)
                if match and match[1] not in NO_NOUN and not re.search(r"\bof $", before):
                    yield node.lineno, f"{ast.unparse(part.value)}{after}"
            before = str(part.value) if isinstance(part, ast.Constant) else ""


def _is_count(value: ast.expr) -> bool:
    called = value.func if isinstance(value, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in COUNTS


def _is_branch(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether it is chosen by a condition, or is an error of a programmer."""
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.IfExp | ast.Raise):
            return True
        if isinstance(node, ast.stmt):
            return False
    return False


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ('f"{len(runs)} runs"', True),
        ('f"{figures.count(n)} wrong elements"', True),
        ("f\"{counted(n, 'run')}\"", False),
        ('f"{m} of {len(runs)} runs"', False),
        ('"1 run" if one else f"{len(runs)} runs"', False),
        ('f"{count(n)} is too large"', False),
    ],
)
def test_that_a_plural_behind_a_count_is_found(source: str, is_found: bool) -> None:
    assert bool(plurals_in(source)) is is_found


@pytest.mark.parametrize("folder", FOLDERS)
def test_that_strings_made_by_code_have_a_singular(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    found = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in files
        for line, words in plurals_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []
