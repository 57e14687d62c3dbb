"""Applies tests/thorough.toml: which tests only `.ci/thorough` runs, by the marker `slow`."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
PREFIX, ALL = "test_that_", "all"
Kept = int | tuple[str, ...]
"""Of a test's parameters one in so many stays in a plain run, or those with these ids; 0: none."""


@cache
def thorough() -> dict[str, dict[str, Kept]]:
    """The table: by file and test what stays in a plain run."""
    table = tomllib.loads((TESTS / "thorough.toml").read_text(encoding="utf-8"))
    lists = {name: tuple(ids) for name, ids in table.pop("lists").items()}

    def kept(value: int | str | list[str]) -> Kept:
        return lists[value] if isinstance(value, str) else value if isinstance(value, int) else tuple(value)

    return {file: {name: kept(value) for name, value in row.items()} for file, row in table.items()}


def mark_slow(items: Iterable[pytest.Item]) -> None:
    """Give the marker `slow` to the tests that the table leaves out of a plain run."""
    seen: Counter[tuple[str, str]] = Counter()
    for item in items:
        file, _, test = item.nodeid.rpartition("tests/")[2].partition("::")
        name, _, parameters = test.partition("[")
        row = thorough().get(file, {})
        rule = ALL if ALL in row else name.removeprefix(PREFIX)
        if rule in row:
            if not _stays(row[rule], seen[file, rule], parameters.removesuffix("]")):
                item.add_marker(pytest.mark.slow)
            seen[file, rule] += 1


def _stays(kept: Kept, place: int, parameters: str) -> bool:
    if isinstance(kept, tuple):
        return parameters in kept
    return kept > 0 and place % kept == 0
