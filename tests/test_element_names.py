"""An element is written in one form, C[0,0], in all that a person reads; one function writes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemmviz.domain.elements import element_name, index_span

ROOT = Path(__file__).parents[1]
INDEX = r"[0-9ijk–{}-]+"
SPACED = re.compile(rf"\b(?:[ABCD]|As|Bs)\[{INDEX}, +{INDEX}\]")
"""An element as it is not written."""

FORMATTED = re.compile(r"(?:\b[ABCD]|\{\})\[\{\}, ?\{\}\]")
"""A string that writes an element itself, each expression of it as {}."""

MAY_WRITE = re.compile(r"(?:\b[ABCD]|[AB]s|\})[\s\"'f]*\[")
"""What the source of such a string has, which may be put together of several: files without it need not be parsed."""

SIZES = {"cli/run/report.py"}
"""Writes C[M,N] = A[M,K] · B[K,N]: the sizes of matrices, no elements."""

HOME = "domain/elements.py"
READ = [
    ROOT / "README.md",
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("assets/**/*.toml"),
    *ROOT.glob("kernels/**/*.cu"),
    *ROOT.glob("kernels/**/*.cl"),
]


def strings_in(source: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each string, docstrings included; expressions in a formatted one are {}."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def faults_in(source: str) -> list[tuple[int, str]]:
    """Strings that write an element in another form, or in this one but by themselves."""
    return [(line, text) for line, text in strings_in(source) if SPACED.search(text) or FORMATTED.search(text)]


def test_that_an_element_and_a_part_have_one_form() -> None:
    assert element_name("C", 0, 0) == "C[0,0]"
    assert element_name("A", index_span(0, 16), index_span(3, 4)) == "A[0–15,3]"
    assert element_name("sums", 5) == "sums[5]"


@pytest.mark.parametrize(
    "source", ['"C[0, 0] is wrong"', 'f"C[{row}, {column}]"', 'f"{name}[{row},{column}]"', 'f"A[{span}, 0–15]"']
)
def test_that_another_form_is_found(source: str) -> None:
    assert faults_in(source)
    assert MAY_WRITE.search(source)


def test_that_no_string_of_the_program_writes_an_element_itself() -> None:
    found = [
        (str(path), line, text)
        for path in (ROOT / "gemmviz").rglob("*.py")
        if (name := path.relative_to(ROOT / "gemmviz").as_posix()) not in SIZES and name != HOME
        if MAY_WRITE.search(source := path.read_text(encoding="utf-8"))
        for line, text in faults_in(source)
    ]
    assert found == []


def test_that_no_page_lesson_or_kernel_writes_an_element_otherwise() -> None:
    found = [(str(path), hit[0]) for path in READ for hit in SPACED.finditer(path.read_text(encoding="utf-8"))]
    assert found == []
