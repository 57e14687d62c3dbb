import numpy as np
import pytest

from gemmviz.domain.kernels.initial_c import POISON_BITS, count_poison, initial_c, poison
from gemmviz.domain.terms import InitialC


def test_that_c_begins_as_its_header_says() -> None:
    assert count_poison(initial_c((2, 5, 3), InitialC.UNDEFINED)) == 30
    assert (initial_c((2, 5, 3), InitialC.ZERO) == 0).all()


def test_that_poison_is_a_nan_in_every_element() -> None:
    array = np.ones((17, 33), np.float32)
    poison(array)
    assert np.isnan(array).all()
    assert count_poison(array) == 17 * 33


def test_that_a_computed_nan_is_not_counted_as_unwritten() -> None:
    array = np.array([np.nan, 1.0, np.inf], np.float32)
    with np.errstate(invalid="ignore"):
        array[2] -= array[2]
    assert count_poison(array) == 0
    array.view(np.uint32)[1] = POISON_BITS
    assert count_poison(array) == 1


def test_that_poison_survives_a_copy() -> None:
    array = np.ones(7, np.float32)
    poison(array)
    assert count_poison(array.copy()) == 7


@pytest.mark.parametrize("array", [np.ones(4), np.ones((4, 4), np.float32)[:, ::2]])
def test_that_only_contiguous_float32_is_poisoned(array: np.ndarray) -> None:
    with pytest.raises(ValueError, match="give contiguous float32"):
        poison(array)
    assert (array == 1).all()
