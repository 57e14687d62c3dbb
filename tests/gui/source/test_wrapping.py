from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gemmviz.gui.source.wrapping import HANG, LEAST, wrapped_line

CODE = "    As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;"


def texts(code: str, first: int, rest: int) -> list[str]:
    return [
        " " * piece.indent + code[piece.start : piece.end].rstrip() for piece in wrapped_line(code, first, rest, first)
    ]


def test_that_a_line_that_fits_is_whole() -> None:
    assert texts(CODE, 100, 100) == [CODE]
    assert texts("", 10, 10) == [""]


def test_that_a_long_line_hangs() -> None:
    assert texts(CODE, 22, 36) == [
        "  As[ty][tx] = (row <",
        "    M && k0 + tx < K) ? A[row * K +",
        "    k0 + tx] : 0.0f;",
    ]
    assert texts("x = f(aaaaaaaaaaaaaaaaaaaa);", 10, 40) == ["x =", "  f(aaaaaaaaaaaaaaaaaaaa);"]


def test_that_an_empty_pair_stays_together_and_what_fits_on_the_next_line_is_not_split() -> None:
    call = "        __syncthreads();"
    assert texts(call, 19, 40) == ["    ", "      __syncthreads();"]
    assert texts(call, 20, 40) == ["    __syncthreads();"]
    assert texts("a = aaaaaa(bbbbbb);", 12, 40) == ["a =", "  aaaaaa(bbbbbb);"], "at a space and not at a bracket"


def test_that_indentation_is_the_same_beside_a_mark() -> None:
    for columns, indent in ((60, 4), (40, 2)):
        pieces = [wrapped_line(CODE, first, 70, columns)[0].indent for first in (columns, columns - 15, 70)]
        assert pieces == [indent] * 3


def test_that_a_word_without_a_break_is_cut() -> None:
    assert texts("a" * 30, 10, 20) == ["a" * 10, " " * HANG + "a" * 18, "  aa"]


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=200),
    st.integers(-5, 60),
    st.integers(-5, 60),
)
def test_that_nothing_is_lost_and_nothing_is_too_wide(code: str, first: int, rest: int) -> None:
    pieces = wrapped_line(code, first, rest, first)
    assert "".join("".join(code[p.start : p.end].split()) for p in pieces) == "".join(code.split())
    assert all(one.end <= other.start for one, other in pairwise(pieces))
    for number, piece in enumerate(pieces):
        room = max((rest if number else first) - piece.indent, LEAST)
        assert piece.end - piece.start <= room
        assert piece.indent >= 0
