"""Where kernels come from, in words."""

from __future__ import annotations

import pytest

from gemmviz.catalogue.origin import origin_words


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ("tutorial 002, dot product", "tutorial 002 of the five that gemmviz grew from, dot product"),
        ("tutorials 000, 003 and 004, x", "tutorials 000, 003 and 004 of the five that gemmviz grew from, x"),
        ("tutorial 000; tutorial 001", "tutorial 000 of the five that gemmviz grew from; tutorial 001"),
        ("lesson 1", "lesson 1"),
        (" written here ", "written here"),
    ],
)
def test_that_it_is_said_once_what_the_tutorials_are(origin: str, words: str) -> None:
    assert origin_words(origin) == words
