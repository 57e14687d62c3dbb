"""An index, and a number with its unit, stand on one line."""

from __future__ import annotations

import pytest

from gemmviz.domain.unbroken_text import unbroken, with_plain_spaces, without_lone_word, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("block of C[0–15, 0–15] loads", ["block", "of", "C[0–15, 0–15]", "loads"]),
        ("As[ty, k + 1].x, then", ["As[ty, k + 1].x,", "then"]),
        ("takes 812 µs in 3 runs", ["takes", "812 µs", "in", "3", "runs"]),
        ("4.28 TB/s, 63.9 TFLOP/s.", ["4.28 TB/s,", "63.9 TFLOP/s."]),
        ("48 KiB (97 %)", ["48 KiB", "(97 %)"]),
        ("3 sectors at 5 stages", ["3", "sectors", "at", "5", "stages"]),
        ("a  b", ["a", "", "b"]),
    ],
)
def test_that_no_line_ends_within_an_index_or_before_a_unit(text: str, words: list[str]) -> None:
    assert words_of(text) == words
    assert with_plain_spaces(unbroken(text)) == text


def test_that_nothing_ends_a_line_after_the_dash_of_an_index() -> None:
    assert unbroken("C[0–15, 3]") == "C[0–\N{WORD JOINER}15,\N{NO-BREAK SPACE}3]"
    assert unbroken("0–15 threads") == "0–15 threads"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("It lies in memory, far away.", "far away."),
        ("Two words", "words"),
        ("It takes 812 µs", "812 µs"),
        ("Look at tiled_transposed_with_padding, then", "then"),
        ("A ends.\nB begins anew", "begins anew"),
    ],
)
def test_that_a_short_last_word_has_no_line_for_itself(text: str, last: str) -> None:
    kept = without_lone_word(text)
    assert with_plain_spaces(kept.split(" ")[-1]) == last
    assert with_plain_spaces(kept) == text
