"""The order of a CPU kernel's accesses, recorded from the kernel and counted a second way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from make_lessons import walked

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.trace.host_loops import ARRAYS, COPY, as_table, load_walks, record_walk

Access = tuple[str, int, int, bool]


def ijk(shape: Shape) -> Iterator[Access]:
    """What the definition asks for, written down once more."""
    for i in range(shape.m):
        for j in range(shape.n):
            for k in range(shape.k):
                yield "A", i, k, False
                yield "B", k, j, False
            yield "C", i, j, True


def ikj(shape: Shape) -> Iterator[Access]:
    for i in range(shape.m):
        for j in range(shape.n):
            yield "C", i, j, True
        for k in range(shape.k):
            yield "A", i, k, False
            for j in range(shape.n):
                yield "C", i, j, False
                yield "B", k, j, False
                yield "C", i, j, True


def transposed(shape: Shape) -> Iterator[Access]:
    for k in range(shape.k):
        for j in range(shape.n):
            yield "B", k, j, False
            yield COPY, j, k, True
    for i in range(shape.m):
        for j in range(shape.n):
            for k in range(shape.k):
                yield "A", i, k, False
                yield COPY, j, k, False
            yield "C", i, j, True


@pytest.mark.parametrize(("kernel", "order"), [("cpu_ijk", ijk), ("cpu_ikj", ikj), ("cpu_transposed", transposed)])
def test_that_the_walks_of_the_lesson_are_those_of_the_kernels(kernel: str, order: object) -> None:
    walk = load_walks()[kernel]
    wanted = list(order(walk.shape))  # type: ignore[operator]
    for name in ARRAYS:
        columns = walk.size_of(name)[1]
        mine = [(row * columns + column, store) for array, row, column, store in wanted if array == name]
        at = np.flatnonzero(walk.array == ARRAYS.index(name))
        assert list(zip(walk.element[at].tolist(), walk.is_store[at].tolist(), strict=True)) == mine
    assert as_table(walk) == as_table(walked(load_catalogue().get(kernel)))


def test_that_lines_are_counted_as_they_change() -> None:
    def rows_then_column(a: object, b: object, c: object, _threads: int) -> None:
        for column in range(16):
            b[0, column]  # type: ignore[index]
        for row in range(3):
            b[row, 0]  # type: ignore[index]
        a[0, 0]  # type: ignore[index]
        c[0, 0] = 1  # type: ignore[index]

    walk = record_walk("mine", rows_then_column, Shape(1, 16, 3))
    assert walk.line_changes("B") == 3
    assert walk.line_changes("B", until=16) == 1
    assert walk.line_changes("B", until=0) == 0
    assert (walk.line_changes("A"), walk.line_changes("C")) == (1, 1)
    assert walk.is_store.tolist() == [False] * 20 + [True]
