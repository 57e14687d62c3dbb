"""Where a person reads a product or a size, × stands in it and not the letter x: in strings of the window, of what
`adopt` and `referee` say, and in texts of assets. Sizes as the command line takes them, such as 64x64x64, are no
prose, but stand in none either.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("gui", "explain", "adopt", "referee")
SPEAKING = sorted(path for room in ROOMS for path in (ROOT / "gemmviz" / room).rglob("*.py"))
ASSETS = sorted((ROOT / "assets").rglob("*.toml"))
LETTER = re.compile(r"(?<=[\dA-Z}]) x (?=[\d{A-Z])|^ x $|^ x (?=\d)|(?<=\d) x$")
"""An x between two numbers or names of sizes; in an f-string one of them may be a value."""
WRITTEN = re.compile(r"""[\dA-Z}"'] x[ "'{\\]""")
"""What stands in the source of every string with LETTER; to parse a file without it would find none."""


def docstrings(tree: ast.AST) -> set[int]:
    """The ids of the constants that are statements of their own."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def strings_of(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    said = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def prose_of(value: object) -> Iterator[str]:
    """All strings of a TOML document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from prose_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from prose_of(one)


@pytest.mark.parametrize(
    ("text", "is_product"),
    [
        ("blocks of 16 x 16", True),
        ("M x N x K", True),
        (" x ", True),
        ("64x64x64", False),
        ("16 × 16", False),
        ("thread x 3", False),
        ("x and y", False),
    ],
)
def test_that_a_product_is_recognised(text: str, is_product: bool) -> None:
    assert bool(LETTER.search(text)) is is_product
    assert WRITTEN.search(repr(text)) or not is_product


def test_that_what_a_person_reads_writes_products_with_their_sign() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in SPEAKING
        if WRITTEN.search(source := path.read_text(encoding="utf-8"))
        for text in strings_of(source)
        if LETTER.search(text)
    ]
    assert not found, "\n".join(found)


def test_that_texts_of_assets_write_products_with_their_sign() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in ASSETS
        for text in prose_of(tomllib.loads(path.read_text(encoding="utf-8")))
        if LETTER.search(text)
    ]
    assert not found, "\n".join(found)


SIZE = re.compile(r"\b\d+x\d+")
"""A size as the command line takes it; a kernel's name such as tf32x3 is none."""


def test_that_sentences_of_assets_write_sizes_with_their_sign() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in ASSETS
        for text in prose_of(tomllib.loads(path.read_text(encoding="utf-8")))
        if " " in text and not re.search(r"==|\(", text) and SIZE.search(text)
    ]
    assert not found, "\n".join(found)
