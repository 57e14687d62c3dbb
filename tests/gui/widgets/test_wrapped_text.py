import pytest
from PySide6.QtGui import QFontMetrics

from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.wrapped_text import wrapped


@pytest.mark.parametrize(
    "text", ["one two three four five six seven", "𝒜 = 𝐵·𝐶 and then 𝒜 once more, 𝐵 too", "a" * 200]
)
def test_that_lines_fit_and_nothing_is_lost(text: str) -> None:
    font = words(SMALL)
    lines = wrapped(text, font, 90, 99)
    assert len(lines) > 1
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(QFontMetrics(font).horizontalAdvance(line) <= 91 for line in lines)


def test_that_what_is_too_long_ends_in_an_ellipsis() -> None:
    font = words(SMALL)
    lines = wrapped("many words " * 40, font, 90, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert QFontMetrics(font).horizontalAdvance(lines[-1]) <= 90


def test_that_no_text_is_at_most_an_empty_line() -> None:
    assert "".join(wrapped("", words(SMALL), 90, 3)) == ""


def test_that_indices_stay_in_one_line() -> None:
    said = "thread 1 reads As[0,1] while thread 0 writes C[0–15,0–15] of the block"
    for width in range(110, 300, 9):
        lines = wrapped(said, words(SMALL), width, 20)
        assert " ".join(lines) == said
        assert all(line.count("[") == line.count("]") for line in lines), lines
