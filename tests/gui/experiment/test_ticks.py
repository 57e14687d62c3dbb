"""What stands above the list of kernels about those that are compared."""

from __future__ import annotations

import pytest

from gemmviz.gui.experiment.ticks import compared_words


@pytest.mark.parametrize(
    ("ticked", "said"),
    [
        ((), "tick to compare"),
        (("naive",), "chosen + naive"),
        (("naive", "dot"), "chosen + dot, naive"),
        (("tiled_global_accumulate",), "chosen + 1 ticked"),
        (("cp_async", "naive", "tiled"), "chosen + 3 ticked"),
    ],
)
def test_that_compared_kernels_are_named_where_there_is_room(ticked: tuple[str, ...], said: str) -> None:
    assert compared_words(frozenset(ticked)) == said
