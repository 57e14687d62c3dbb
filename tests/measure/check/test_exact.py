import math

import numpy as np
import pytest

import gemmviz.measure.check.exact as module
from gemmviz.domain.runs.result import Mismatch
from gemmviz.measure.check.exact import compare_exactly
from gemmviz.measure.check.matrices import row_blocks


@pytest.fixture(params=[40, 2**20])
def _block_elements(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def blocks(rows: int, columns: int) -> object:
        return row_blocks(rows, columns, elements=request.param)

    monkeypatch.setattr(module, "row_blocks", blocks)


@pytest.mark.usefixtures("_block_elements")
def test_that_a_wrong_element_is_found_with_row_and_column() -> None:
    expected = np.arange(17 * 33, dtype=np.float32).reshape(17, 33)
    c = expected.copy()
    c[12, 31] = -1.0
    c[3, 0] = np.nextafter(c[3, 0], np.float32(np.inf))
    matches, mismatches = compare_exactly(c, expected)
    assert matches == 17 * 33 - 2
    assert mismatches == (Mismatch(3, 0, float(c[3, 0]), 99.0), Mismatch(12, 31, -1.0, 427.0))


@pytest.mark.usefixtures("_block_elements")
def test_that_the_first_ten_mismatches_are_told_row_by_row() -> None:
    expected = np.zeros((33, 17), np.float32)
    c = expected.copy()
    c[5:, ::3] = 1.0
    matches, mismatches = compare_exactly(c, expected)
    assert matches == 33 * 17 - 28 * 6
    places = [(mismatch.row, mismatch.column) for mismatch in mismatches]
    assert places == [(5, 0), (5, 3), (5, 6), (5, 9), (5, 12), (5, 15), (6, 0), (6, 3), (6, 6), (6, 9)]


def test_that_nan_equals_nothing_not_even_nan() -> None:
    c = np.full((1, 3), math.nan, np.float32)
    matches, mismatches = compare_exactly(c, c)
    assert (matches, len(mismatches)) == (0, 3)


def test_that_the_two_zeros_are_equal() -> None:
    assert compare_exactly(np.array([[-0.0]], np.float32), np.array([[0.0]], np.float32)) == (1, ())


def test_that_a_float64_result_is_rounded_before_it_is_compared() -> None:
    assert compare_exactly(np.array([[0.1]], np.float32), np.array([[0.1]])) == (1, ())


def test_that_a_float64_result_beyond_float32_is_infinite_without_a_warning() -> None:
    assert compare_exactly(np.array([[math.inf]], np.float32), np.array([[1e39]])) == (1, ())
