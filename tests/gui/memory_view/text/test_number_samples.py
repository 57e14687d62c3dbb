"""A few numbers stand for all of a matrix, as far as texts depend on them."""

from __future__ import annotations

import numpy as np

from gemmviz.gui.memory_view.scene import Values
from gemmviz.gui.memory_view.text.number_samples import NumberSamples, number_samples


def test_that_factors_and_result_have_samples_of_their_own() -> None:
    a, b, c = np.array([[0.5, np.nan]]), np.array([[-2.0], [1.0]]), np.array([[7.0]])
    values = Values(a, b, c, "C")
    assert values.samples_of("A") == values.samples_of("B") == NumberSamples((-2.0, 1.0, 0.5))
    assert values.samples_of("C") == NumberSamples((7.0,))
    assert Values().samples_of("A") == NumberSamples()


def test_that_one_number_that_has_no_room_for_all_its_digits_makes_all_inexact() -> None:
    matrix = np.full((9, 7), 0.25, np.float32)
    assert number_samples(matrix).is_exact
    matrix[8, 6] = 1 / 3
    assert not number_samples(matrix).is_exact
    assert not number_samples(np.ones((2, 2))).joined(number_samples(matrix)).is_exact


def test_that_a_large_matrix_has_its_least_and_its_largest_number() -> None:
    matrix = np.arange(1 << 16, dtype=np.float32).reshape(256, 256)
    assert {0.0, 65535.0} < set(number_samples(matrix).known)
