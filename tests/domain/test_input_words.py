"""How A and B are filled, in words."""

from __future__ import annotations

import pytest

from gemmviz.domain.input_words import fill_words, input_words
from gemmviz.domain.terms import Fill


@pytest.mark.parametrize(
    ("fill", "words"),
    [(Fill.UNIFORM, "uniform, seed 3"), (Fill.INTEGERS, "small integers, seed 3"), (Fill.ROW_COLUMN, "row and column")],
)
def test_that_a_seed_is_named_where_it_decides_something(fill: Fill, words: str) -> None:
    assert input_words(fill, 3) == words


def test_that_no_fill_is_called_by_a_name_of_the_program() -> None:
    assert not any("_" in fill_words(fill) for fill in Fill)
