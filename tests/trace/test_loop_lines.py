"""Which lines of a CPU kernel its loops are."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.trace.loop_lines import LoopLines, loop_lines


@pytest.mark.parametrize(
    ("kernel", "loops"),
    [
        (
            "cpu_ijk",
            ["for i in", "for j in", "acc = np.float32(0)", "for k in", "acc += a[i, k] * b[k, j]", "c[i, j] = acc"],
        ),
        (
            "cpu_ikj",
            [
                *("for i in", "for j in", "c[i, j] = np.float32(0)"),
                *("for k in", "a_ik = a[i, k]", "for j in", "c[i, j] += a_ik * b[k, j]"),
            ],
        ),
        (
            "cpu_transposed",
            [
                *("for k in", "for j in", "b_columns[j, k] = b[k, j]"),
                *("for i in", "for j in", "acc = np.float32(0)"),
                *("for k in", "acc += a[i, k] * b_columns[j, k]", "c[i, j] = acc"),
            ],
        ),
    ],
)
def test_that_the_loops_of_a_kernel_are_those_of_its_product_and_those_that_prepare_it(
    kernel: str, loops: list[str]
) -> None:
    found = loop_lines(load_catalogue().get(kernel).text)
    lines = [found.source.split("\n")[number - 1].strip() for number in found.numbers]
    assert [line[: len(loop)] for line, loop in zip(lines, loops, strict=True)] == loops


def test_that_a_source_without_loops_has_no_lines() -> None:
    assert loop_lines("x = 1\n") == LoopLines("x = 1\n", ())


def test_that_the_loops_of_the_first_function_with_the_deepest_nest_are_taken() -> None:
    flat, deep = (
        "def f(a):\n    for i in a:\n        x()\n",
        "def g(a):\n    for i in a:\n        for j in i:\n            y()\n",
    )
    assert loop_lines(flat + deep).numbers == (5, 6, 7)
    assert loop_lines(flat + flat).numbers == (2, 3)
