"""Matrices as they lie in memory, and back."""

from __future__ import annotations

import numpy as np
import pytest
from usual_calls import usual_call

from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.kernels.initial_c import count_poison, initial_c
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import MappedArray, Space, ideal_bytes, in_rows, result_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.stored import begun, rounded, stored, values_of
from gemmviz.domain.terms import Element, Fill, InitialC, Layout

SHAPE = Shape(33, 17, 5)
STORAGES = [Storage(element, layout) for element in Element for layout in Layout]


@pytest.mark.parametrize("storage", STORAGES, ids=str)
def test_that_a_matrix_comes_back_rounded_once(storage: Storage) -> None:
    matrix = make_operands(SHAPE, Fill.NORMAL, 1).a
    array = stored(matrix, storage)
    assert array.nbytes == matrix.size * storage.element.nbytes
    assert array.flags.c_contiguous
    assert array.shape == ((33, 5) if storage.layout is Layout.ROW else (5, 33))
    np.testing.assert_array_equal(values_of(array, storage), rounded(matrix, storage.element))
    np.testing.assert_allclose(values_of(array, storage), matrix, rtol=2**-8)


def test_that_a_usual_matrix_is_not_copied() -> None:
    matrix = make_operands(SHAPE, Fill.NORMAL, 1).a
    assert stored(matrix, Storage()) is matrix
    assert values_of(matrix, Storage()) is matrix


@pytest.mark.parametrize("element", Element)
def test_that_poison_is_a_number_that_nothing_computes(element: Element) -> None:
    c = initial_c((1, 4, 6), InitialC.UNDEFINED, element)
    assert (c.nbytes, count_poison(c, element)) == (24 * element.nbytes, 24)
    assert np.isnan(values_of(c, Storage(element))).all()
    nan = stored(np.full((4, 6), np.nan, np.float32), Storage(element))
    assert count_poison(nan, element) == 0
    assert count_poison(initial_c((4, 6), InitialC.ZERO, element), element) == 0


def test_that_a_random_c_follows_the_fill_and_the_seed() -> None:
    uniform = make_operands(SHAPE, Fill.UNIFORM, 3)
    assert (uniform.random_c() == make_operands(SHAPE, Fill.UNIFORM, 3).random_c()).all()
    assert (uniform.random_c() != make_operands(SHAPE, Fill.UNIFORM, 4).random_c()).any()
    whole = make_operands(SHAPE, Fill.INTEGERS, 3).random_c()
    assert (whole == np.round(whole)).all()
    assert (whole.min(), whole.max()) == (0, 15)
    call = usual_call(SHAPE, c_begins=InitialC.RANDOM)
    (c,) = begun(call, SHAPE, 1, uniform).values()
    np.testing.assert_array_equal(c, uniform.random_c()[np.newaxis])


def test_that_elements_are_numbered_by_rows_whatever_the_layout() -> None:
    row, column = (MappedArray("C", Space.GLOBAL, 1024, 3, 4, 2, layout) for layout in Layout)
    assert (row.address_of(1, 2), column.address_of(1, 2)) == (1024 + 12, 1024 + 14)
    places = np.arange(12)
    assert (row.numbers_at(places) == places).all()
    assert column.numbers_at(places).reshape(4, 3).T.reshape(-1).tolist() == places.tolist()
    assert [column.number_at(place) for place in range(12)] == column.numbers_at(places).tolist()
    for number in range(12):
        assert column.address_of(*divmod(number, 4)) == 1024 + 2 * column.numbers_at(places).tolist().index(number)
    assert column.numbers_beside(np.array([4, 8]), np.array([1, 1])).tolist() == [8, 1]
    assert row.numbers_beside(np.array([4, 8]), np.array([1, 1])).tolist() == [5, 9]
    assert in_rows(np.array([f"{r},{c}" for c in range(4) for r in range(3)]), column).tolist() == [
        f"{r},{c}" for r in range(3) for c in range(4)
    ]


def test_that_the_result_is_d_where_there_is_one() -> None:
    arrays = [MappedArray(name, Space.GLOBAL, i << 40, 2, 3, 4) for i, name in enumerate("ABCD", 1)]
    assert result_of(arrays[:3]) is arrays[2]
    assert result_of(arrays) is arrays[3]
    assert result_of([]) is None
    m, n, k = SHAPE.m, SHAPE.n, SHAPE.k
    plain = 4 * (m * k + k * n + m * n)
    assert ideal_bytes(arrays[:3], SHAPE) == ideal_bytes([], SHAPE) == plain
    assert ideal_bytes(arrays, SHAPE) == plain + 4 * 33 * 17
    assert ideal_bytes(arrays[:3], SHAPE, "C = 1.5·A·B + 0.5·C; A in half") == plain + 4 * 33 * 17
    assert ideal_bytes(arrays, SHAPE, "D = A·B - C") == plain + 4 * 33 * 17
    assert ideal_bytes(arrays[:3], SHAPE, "C = 2·A·B; C in half") == plain
