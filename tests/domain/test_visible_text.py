"""Hidden characters are written out, and nothing else is touched."""

import pytest

from gemmviz.domain.visible_text import sentence, visible, visible_layout, visible_lines, without_surrogates


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x9b1m\x7f\x00", r"\x9b1m\x7f\x00"),
        ("\u202eabc\u2066\u200f", r"\u202eabc\u2066\u200f"),
        ("\udc80\ufeff\uffff", r"\udc80\ufeff\uffff"),
        ("\U000e0041", r"\U000e0041"),
        ("Größe ‖C‖ · 2⁻²⁴ \U0001f469\u200d\U0001f4bb", "Größe ‖C‖ · 2⁻²⁴ \U0001f469\u200d\U0001f4bb"),
        ("[/red] <b> & =1+1", "[/red] <b> & =1+1"),
    ],
)
def test_that_what_hides_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_that_lines_stay_where_they_may() -> None:
    assert visible_lines("a\r\nb\tc\x1b") == "a\nb    c\\x1b"
    assert visible_layout("a\r\nb\tc\x1b") == "a\r\nb\tc\\x1b"
    assert without_surrogates("\udc80\x1b") == "\\udc80\x1b"


def test_that_a_fault_is_a_whole_sentence_in_the_window() -> None:
    assert sentence("cannot open a.gemmviz: it is no session") == "Cannot open a.gemmviz: it is no session."
    assert sentence("cannot write a: it is a link. Choose another name") == (
        "Cannot write a: it is a link. Choose another name."
    )
    assert sentence("tiled is recorded") == "tiled is recorded", "a kernel has its name"
