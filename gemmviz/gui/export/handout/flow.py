"""Pieces of a handout one below the other, parted into pages: what belongs together stays on one page. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Draw = Callable[[Any], None]
"""Paints with a QPainter whose origin is the upper left corner of the piece."""
_ENDS = 2
"""Lines that stand together at the beginning and at the end of what is parted."""


@dataclass(frozen=True, slots=True, eq=False)
class PagePiece:
    """What is not parted: `height` units, below a gap of `gap` where it does not begin a page.

    One that `keeps` stays on the page of the next one. `again` stands above it where it begins a page. One that
    `shrinks` below 1 may be drawn so much smaller, at least, rather than leave the rest of a page empty.
    """

    height: float
    draw: Draw
    gap: float = 0.0
    keeps: bool = False
    again: PagePiece | None = None
    shrinks: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PlacedPiece:
    """A piece, `y` units below the upper edge of the text of its page."""

    piece: PagePiece
    y: float


@dataclass(slots=True)
class _Page:
    placed: list[PlacedPiece] = field(default_factory=list)
    end: float = 0.0

    def put(self, piece: PagePiece) -> None:
        y = self.end + (piece.gap if self.placed else 0.0)
        self.placed.append(PlacedPiece(piece, y))
        self.end = y + piece.height


def together(pieces: Sequence[PagePiece], first: int = _ENDS, ends: int = _ENDS) -> tuple[PagePiece, ...]:
    """Lines of one text: neither the first nor the last of them stands alone on a page. The `first` ones, or all of
    fewer, stand on one page, and so do the last ones, which are `ends`.
    """
    last = len(pieces) - 1
    return tuple(
        replace(each, keeps=each.keeps or (at < last and (at < first - 1 or at > last - ends)))
        for at, each in enumerate(pieces)
    )


def paged(pieces: Sequence[PagePiece], height: float) -> tuple[tuple[PlacedPiece, ...], ...]:
    """The pieces of each page, whose text is `height` units high; a piece that is higher has a page of its own."""
    pages = [_Page()]
    for group in _groups(pieces):
        page = pages[-1]
        if len(group) == 1 and page.placed:
            group = [_shrunk(group[0], height - page.end - group[0].gap)]
        needed = sum(each.height + each.gap for each in group)
        if page.placed and page.end + needed > height:
            page = _Page()
            pages.append(page)
            if (again := group[0].again) is not None:
                page.put(again)
        for each in group:
            page.put(each)
    return tuple(tuple(page.placed) for page in pages if page.placed)


def _shrunk(piece: PagePiece, room: float) -> PagePiece:
    """A piece in the size in which it fits a room so high; as it is where it fits, or may not be so small."""
    factor = room / piece.height if piece.height else 1.0
    if not piece.shrinks <= factor < 1.0:
        return piece

    def draw(painter: Any) -> None:
        painter.scale(factor, factor)
        piece.draw(painter)

    return replace(piece, height=room, draw=draw)


def _groups(pieces: Sequence[PagePiece]) -> Iterator[list[PagePiece]]:
    group: list[PagePiece] = []
    for piece in pieces:
        group.append(piece)
        if not piece.keeps:
            yield group
            group = []
    if group:
        yield group
