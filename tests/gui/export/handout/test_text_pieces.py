"""Tables of a handout and the notes that explain their marks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gemmviz.gui.export.handout.contents import PrintedSource
from gemmviz.gui.export.handout.flow import PagePiece, paged
from gemmviz.gui.export.handout.maker import PAPER_THEME
from gemmviz.gui.export.handout.tables import PrintedTable
from gemmviz.gui.export.handout.text_pieces import chunks_of, source_pieces, table_pieces

pytestmark = pytest.mark.usefixtures("qapp")

WIDTH = 660.0
NOTES = "Measured on a GPU", "* time limit reached before the result settled", "≈ cannot be ranked"


def table(rows: int) -> PrintedTable:
    lines = tuple((f"kernel {row}", f"{row}.00 ms *") for row in range(rows))
    return PrintedTable(("kernel", "median"), (False, True), lines, NOTES)


def height_of(pieces: Sequence[PagePiece]) -> float:
    return sum(piece.height + piece.gap for piece in pieces)


def test_that_a_table_has_smaller_type_where_its_notes_stand_on_its_page_then() -> None:
    usual = table_pieces(table(40), WIDTH, PAPER_THEME)
    room = height_of(usual) - 30.0
    fitted = table_pieces(table(40), WIDTH, PAPER_THEME, room)
    assert height_of(fitted) <= room
    assert fitted[1].height < usual[1].height
    assert height_of(table_pieces(table(40), WIDTH, PAPER_THEME, room + 40.0)) == height_of(usual)


def test_that_a_table_that_no_type_fits_keeps_its_own_and_its_notes_stay_with_its_last_rows() -> None:
    pieces = table_pieces(table(40), WIDTH, PAPER_THEME, 300.0)
    assert pieces[1].height == table_pieces(table(40), WIDTH, PAPER_THEME)[1].height
    up_to_the_rows = height_of(pieces[: -len(NOTES)])
    first, second = paged(pieces, up_to_the_rows + 5.0)
    assert len(first) == 1 + 35, "five rows stay with the notes"
    assert len(second) == 1 + 5 + len(NOTES), "headings again, the last five rows, all notes"


def test_that_lines_of_one_function_are_one_chunk() -> None:
    lines = ["#define N 4", "", "// Adds.", "void f()", "{", "  g();", "", "  h();", "}", "", "int x;"]
    assert [list(chunk) for chunk in chunks_of(lines)] == [[0, 1], [2, 3, 4, 5, 6, 7, 8, 9], [10]]
    python = ["import a", "", "def f():", "    x = 1", "", "    return x", "", "def g():", "    pass"]
    assert [list(chunk) for chunk in chunks_of(python)] == [[0, 1], [2, 3, 4, 5, 6], [7, 8]]


def test_that_a_function_that_fits_a_page_is_not_parted() -> None:
    text = "\n".join(["int a;", ""] * 10 + ["void f()", "{", *["  g();"] * 20, "}"]) + "\n"
    pieces = source_pieces(PrintedSource("f.cu", text, ""), 600.0, PAPER_THEME, 500.0)
    pages = paged(pieces, 500.0)
    ends = [len(page) for page in pages]
    assert len(pages) == 2
    assert ends[0] == 20, "the function begins a page"
    assert len(paged(source_pieces(PrintedSource("f.cu", text, ""), 600.0, PAPER_THEME, 100.0), 500.0)[0]) > 20
