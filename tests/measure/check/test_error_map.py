import math

import numpy as np
import pytest

from gemmviz.measure.check.accuracy import check
from gemmviz.measure.check.error_map import error_map
from gemmviz.measure.check.reference import UNIT_ROUNDOFF, Reference, build_reference

SHAPES = [(1, 1, 1), (17, 33, 5), (5, 300, 7), (257, 129, 3)]


def product(m: int, n: int, k: int) -> tuple[np.ndarray, Reference]:
    rng = np.random.default_rng(m * n * k)
    a, b = (rng.uniform(-1, 1, size).astype(np.float32) for size in ((m, k), (k, n)))
    return a @ b, build_reference(a, b)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("most_cells", [1, 4, 128])
def test_that_each_cell_holds_the_largest_error_of_its_elements(shape, most_cells: int) -> None:
    c, reference = product(*shape)
    found = error_map(c, reference, most_cells)
    errors = np.abs(c - reference.r) / (UNIT_ROUNDOFF * reference.g)
    assert max(found.rows, found.columns) <= most_cells
    assert found.rows * found.cell_rows >= shape[0] > (found.rows - 1) * found.cell_rows
    assert found.columns * found.cell_columns >= shape[1] > (found.columns - 1) * found.cell_columns
    for row in range(found.rows):
        for column in range(found.columns):
            cell = errors[row * found.cell_rows :, column * found.cell_columns :]
            most = cell[: found.cell_rows, : found.cell_columns].max()
            assert found.values[row * found.columns + column] == np.float32(most)


@pytest.mark.parametrize("shape", SHAPES)
def test_that_the_largest_cell_is_the_largest_error_of_the_check(shape) -> None:
    c, reference = product(*shape)
    assert error_map(c, reference).values.max() == np.float32(check(c, reference).max_error_over_ug)


def test_that_the_worst_elements_are_named_worst_first() -> None:
    c, reference = product(40, 30, 8)
    c[3, 29] += 1.0
    c[39, 0] += 100.0
    found = error_map(c, reference, most_cells=4, most_elements=5)
    assert [(e.row, e.column) for e in found.worst[:2]] == [(39, 0), (3, 29)]
    assert len(found.worst) == 5
    errors = [e.error_over_ug for e in found.worst]
    assert errors == sorted(errors, reverse=True)
    assert found.worst[0].got == c[39, 0]
    assert found.worst[0].expected == reference.r[39, 0]
    everything = np.sort((np.abs(c - reference.r) / (UNIT_ROUNDOFF * reference.g)).reshape(-1))[::-1]
    assert errors == everything[:5].tolist()


def test_that_what_is_no_number_is_worse_than_what_is_infinite() -> None:
    c, reference = product(20, 20, 3)
    c[5, 6], c[7, 8] = np.inf, np.nan
    found = error_map(c, reference, most_cells=20)
    assert [(e.row, e.column) for e in found.worst[:2]] == [(7, 8), (5, 6)]
    assert math.isnan(found.values[7 * 20 + 8])
    assert math.isinf(found.values[5 * 20 + 6])
    assert np.isfinite(np.delete(found.values, [7 * 20 + 8, 5 * 20 + 6])).all()


def test_that_an_exact_product_has_no_worst_element() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = error_map(a @ a.T, build_reference(a, np.ascontiguousarray(a.T)))
    assert found.worst == ()
    assert not found.values.any()
