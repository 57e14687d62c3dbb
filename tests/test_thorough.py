"""What a plain run leaves out is there, is marked as the table says, and leaves tests of its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from thorough import ALL, PREFIX, TESTS, Kept, mark_slow, thorough


@cache
def names_in(file: Path) -> set[str]:
    """The names of the tests of a file; to parse hundreds of files takes seconds."""
    return set(re.findall(r"^def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE))


def marked(*nodes: str) -> list[str]:
    """Which of these tests are slow."""
    found: list[str] = []
    items: list[Any] = [
        SimpleNamespace(nodeid=node, add_marker=lambda _, node=node: found.append(node)) for node in nodes
    ]
    mark_slow(items)
    return found


def test_that_every_row_names_tests_that_there_are() -> None:
    rules = {file: set(row) for file, row in thorough().items() if set(row) != {ALL}}
    assert {file: missing for file, named in rules.items() if (missing := _not_there(file, named))} == {}


def _not_there(file: str, rules: set[str]) -> set[str]:
    return {f"{PREFIX}{rule}" for rule in rules} - names_in(TESTS / file)


def test_that_each_file_keeps_tests_in_a_plain_run() -> None:
    assert [file for file, row in thorough().items() if not _keeps_any(file, row)] == []


def _keeps_any(file: str, row: Mapping[str, Kept]) -> bool:
    return bool(
        row[ALL] if ALL in row else any(row.get(name.removeprefix(PREFIX), 1) for name in names_in(TESTS / file))
    )


def test_that_of_many_parameters_one_in_so_many_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thorough.thorough", lambda: {"a/test_b.py": {"it_is": 2, "it_was": ("y",), "never": 0}})
    nodes = [f"tests/a/test_b.py::test_that_it_is[{place}]" for place in range(4)]
    assert marked(*nodes) == [nodes[1], nodes[3]]
    assert marked("tests/a/test_b.py::test_that_it_was[x]", "tests/a/test_b.py::test_that_it_was[y]") == [
        "tests/a/test_b.py::test_that_it_was[x]"
    ]
    assert marked("tests/a/test_b.py::test_that_never", "tests/a/test_b.py::test_that_it_stays") == [
        "tests/a/test_b.py::test_that_never"
    ]
    assert marked("tests/a/test_c.py::test_that_it_is[1]") == []
