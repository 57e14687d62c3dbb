from __future__ import annotations

import pytest

from gemmviz.domain.listing import listed


@pytest.mark.parametrize(
    ("names", "words"), [("a", "a"), ("ab", "a and b"), ("abcd", "a, b, c and d"), ("abcdef", "a, b, c and 3 more")]
)
def test_that_long_lists_are_cut(names: str, words: str) -> None:
    assert listed(list(names), 4) == words


def test_that_a_list_without_a_limit_is_whole() -> None:
    assert listed(list("abcdef")) == "a, b, c, d, e and f"
