"""Pieces of a handout on pages: what belongs together stays together, nothing is lost."""

from __future__ import annotations

from typing import Any

from gemmviz.gui.export.handout.flow import PagePiece, paged, together


def piece(height: float, **more: Any) -> PagePiece:
    return PagePiece(height, lambda _painter: None, **more)


def heights(pages: Any) -> list[list[float]]:
    return [[one.piece.height for one in page] for page in pages]


def test_that_pieces_follow_each_other_below_their_gaps_and_the_first_of_a_page_has_none() -> None:
    pages = paged([piece(40, gap=10), piece(41, gap=10), piece(42, gap=10)], 95)
    assert [[(one.piece.height, one.y) for one in page] for page in pages] == [[(40, 0), (41, 50)], [(42, 0)]]


def test_that_a_heading_goes_to_the_next_page_with_what_follows() -> None:
    pages = paged([piece(60), piece(10, keeps=True), piece(50)], 100)
    assert heights(pages) == [[60], [10, 50]]


def test_that_a_row_that_begins_a_page_stands_below_the_headings_of_its_table() -> None:
    head = piece(5)
    pages = paged([piece(5, keeps=True), *(piece(30, again=head) for _ in range(4))], 75)
    assert heights(pages) == [[5, 30, 30], [5, 30, 30]]


def test_that_no_line_of_a_text_stands_alone_on_a_page() -> None:
    lines = together([piece(10) for _ in range(7)])
    assert heights(paged(lines, 60)) == [[10] * 5, [10] * 2]
    assert heights(paged([piece(45), *lines], 60)) == [[45], [10] * 5, [10] * 2]
    assert not together([piece(10)])[0].keeps  # a text of one line does not stick to the next text


def test_that_so_many_first_lines_of_a_text_stand_on_one_page() -> None:
    lines = together([piece(10) for _ in range(7)], 4)
    assert heights(paged([piece(25), *lines], 60)) == [[25], [10] * 5, [10] * 2]
    assert heights(paged([piece(15), *lines], 60)) == [[15, *[10] * 4], [10] * 3]
    assert heights(paged([piece(35), *together([piece(10)] * 3, 4)], 60)) == [[35], [10] * 3]


def test_that_a_piece_may_be_smaller_rather_than_leave_a_page_empty() -> None:
    for shrinks, expected in ((0.8, [[10, 90]]), (0.95, [[10], [100]]), (1.0, [[10], [100]])):
        assert heights(paged([piece(10), piece(100, shrinks=shrinks)], 100)) == expected
    assert heights(paged([piece(10), piece(50, shrinks=0.8)], 100)) == [[10, 50]]


def test_that_a_piece_higher_than_a_page_has_one_of_its_own() -> None:
    assert heights(paged([piece(10), piece(500), piece(10)], 100)) == [[10], [500], [10]]
