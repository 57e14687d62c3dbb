"""How long something still takes is said once it can be known."""

import pytest

from gemmviz.gui.work.time_left import time_left_words


@pytest.mark.parametrize(
    ("done", "total", "elapsed_s", "words"),
    [
        (100, 400, 4.0, "about 12 s left"),
        (100, 400, 60.0, "about 3 min left"),
        (0, 400, 4.0, ""),
        (1, 400, 0.3, ""),
        (400, 400, 9.0, ""),
    ],
)
def test_that_the_time_that_is_left_follows_from_what_is_done(
    done: float, total: float, elapsed_s: float, words: str
) -> None:
    assert time_left_words(done, total, elapsed_s) == words
