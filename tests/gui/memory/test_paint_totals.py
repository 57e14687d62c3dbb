"""What is said beside the bars of the totals so far."""

from __future__ import annotations

import pytest

from gemmviz.domain.figures import count
from gemmviz.gui.memory.paint_totals import scale_words


@pytest.mark.parametrize(
    ("most", "words"),
    [
        (2048.0, f"a full bar shows {count(2048)}"),
        (1.5, "a full bar shows 1.5"),
        (16.0, "a full bar shows 16"),
        (0.0, ""),
    ],
)
def test_that_a_bar_says_what_it_stands_for_when_it_is_full(most: float, words: str) -> None:
    assert scale_words(most) == words
