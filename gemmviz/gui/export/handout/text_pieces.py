"""Headings, paragraphs, tables, sources and terms as pieces of a handout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gemmviz.catalogue.glossary import GlossaryTerm
from gemmviz.domain.visible_text import visible
from gemmviz.explain.source.recorded_lines import first_line, lines_of_text, plain_lines
from gemmviz.explain.source.tokens import Tokens, language_of, tokens_of
from gemmviz.gui.export.handout.contents import PrintedSource, PrintedStep
from gemmviz.gui.export.handout.flow import PagePiece, together
from gemmviz.gui.export.handout.tables import PrintedTable
from gemmviz.gui.looks.fonts import figures, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.presentation.slide import SlideText, common_words
from gemmviz.gui.source.code_delegate import code_font
from gemmviz.gui.source.highlight import word_colour
from gemmviz.gui.source.wrapping import Piece as CodePiece
from gemmviz.gui.source.wrapping import wrapped_line
from gemmviz.gui.widgets.wrapped_text import wrapped

TITLE, SECTION, SMALL_HEAD, BODY, NOTE, CODE = 20.0, 13.0, 10.0, 9.0, 8.0, 8.0
"""Sizes of type in points."""
_SECTION_GAP, _HEAD_GAP, _BLOCK_GAP = 26.0, 14.0, 8.0
_TABLE_SIZES = 9.0, 8.0
"""A table has the first size at which its figures stand in one line."""
_MOST_KEPT = 16
"""As many lines of notes, at most, stand on the page of the last rows of their table."""
_ROWS_TOGETHER = 5
"""As many rows of a table, at least, stand on each of its pages."""
_CELL_GAP, _ROW_GAP, _LEAST_WORDS = 12.0, 4.0, 90.0
_NUMBER_GAP = 12.0
_FIRST_LINES = 8
"""So many lines of a source, at least, stand below its heading."""
_ALL = 10_000
"""More lines than any text has."""


def lines_of(text: str, font: QFont, width: float, colour: str, gap: float = 0.0) -> tuple[PagePiece, ...]:
    """A paragraph as pieces, a line each, below a gap."""
    metrics = QFontMetricsF(font)
    lines = wrapped(visible(text), font, int(width), _ALL)
    pieces = [
        PagePiece(metrics.lineSpacing(), partial(_write, font=font, colour=colour, text=line), 0.0 if at else gap)
        for at, line in enumerate(lines)
    ]
    return together(pieces)


def title_pieces(title: str, facts: str, width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """The title of a handout, and the line of sizes, devices and days below it."""
    pieces = lines_of(title, words(TITLE, QFont.Weight.DemiBold), width, theme.text) if title else ()
    return (*pieces, *lines_of(facts, words(BODY), width, theme.muted, 2.0)) if facts else pieces


def section_head(text: str, width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """The heading of a section, which stays with what follows."""
    pieces = lines_of(text, words(SECTION, QFont.Weight.DemiBold), width, theme.text, _SECTION_GAP)
    return tuple(replace(each, keeps=True) for each in pieces)


def small_head(text: str, beside: str, width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """The heading of one text within a section, and muted words after it."""
    font, other = words(SMALL_HEAD, QFont.Weight.DemiBold), words(NOTE)
    metrics = QFontMetricsF(font)
    room = width - metrics.horizontalAdvance(visible(text)) - _CELL_GAP

    def draw(painter: QPainter) -> None:
        _write(painter, font, theme.text, visible(text))
        painter.setFont(other)
        painter.setPen(QColor(theme.muted))
        painter.drawText(QPointF(width - room, metrics.ascent()), visible(beside))

    if QFontMetricsF(other).horizontalAdvance(beside) > room:
        both = *lines_of(text, font, width, theme.text, _HEAD_GAP), *lines_of(beside, other, width, theme.muted)
        return tuple(replace(each, keeps=True) for each in both)
    return (PagePiece(metrics.lineSpacing() + 2.0, draw, _HEAD_GAP, keeps=True),)


def caption_pieces(texts: Sequence[SlideText], width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """What is said below a picture, or below two: what its frame does and what is wrong in it, and where it was
    recorded; of two each begins with its title and ends with its size, and what both say stands once.
    """
    common, own = common_words(tuple(texts))
    plain, strong = words(BODY), words(BODY, QFont.Weight.DemiBold)
    found = list[PagePiece]()
    for text in (*own, common):
        title, size = (text.title, text.size) if len(own) > 1 else ("", "")
        head, sentence = ("", "") if text in own and common.head else (text.head, text.sentence)
        hazard = ": ".join(filter(None, (title, text.hazard))) if text.hazard and not head else text.hazard
        for said, font, colour in (
            (": ".join(filter(None, (title, head))) if head else "", strong, theme.text),
            (sentence, plain, theme.text),
            (hazard, strong, theme.hazard),
            ("  ·  ".join(filter(None, (size, text.note))), plain, theme.muted),
        ):
            found += lines_of(said, font, width, colour, _BLOCK_GAP / 2) if said else ()
    return (*(replace(piece, keeps=True) for piece in found[:-1]), *found[-1:])


def step_pieces(step: PrintedStep, width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """What a step of a lesson says and asks: its sentence, what explains it, and its question with a line for each
    choice.
    """
    said, strong = step.text, words(BODY, QFont.Weight.DemiBold)
    found = [
        *section_head(step.title, width, theme),
        *lines_of(said.sentence, words(SECTION - 2.0, QFont.Weight.DemiBold), width, theme.text, _BLOCK_GAP),
    ]
    if said.more:
        found += lines_of(said.more, words(BODY), width, theme.text, _BLOCK_GAP / 2)
    if said.question:
        found += (replace(line, keeps=True) for line in lines_of(said.question, strong, width, theme.text, _HEAD_GAP))
    for choice in said.choices:
        found += lines_of(choice, words(BODY), width, theme.text, _BLOCK_GAP / 2)
    if said.answer:
        found += lines_of(said.answer, words(BODY), width, theme.muted, _BLOCK_GAP)
    return tuple(found)


def note_pieces(notes: Sequence[str], width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """Sentences below a table, each from a line of its own."""
    return tuple(
        piece
        for at, note in enumerate(notes)
        for piece in lines_of(note, words(NOTE), width, theme.muted, 2.0 if at else _BLOCK_GAP)
    )


def term_pieces(terms: Sequence[GlossaryTerm], width: float, theme: Theme) -> tuple[PagePiece, ...]:
    """Terms in the glossary's words."""
    found: list[PagePiece] = []
    for term in terms:
        head = lines_of(term.name, words(BODY, QFont.Weight.DemiBold), width, theme.text, _BLOCK_GAP)
        found += [replace(each, keeps=True) for each in head]
        found += lines_of(term.plain_meaning, words(BODY), width, theme.text)
    return tuple(found)


def source_pieces(source: PrintedSource, width: float, theme: Theme, height: float = math.inf) -> tuple[PagePiece, ...]:
    """A source line by line behind its header, with its numbers in the file and the colours of its words; long lines
    are broken. A function that has room on a page of `height` units stands on one.
    """
    font, numbers = code_font(), figures(CODE)
    font.setPointSizeF(CODE)
    metrics = QFontMetricsF(font)
    lines = lines_of_text(source.text)
    tokens = tokens_of(lines, language_of(source.file))
    room = metrics.horizontalAdvance("0" * len(str(len(lines)))) + _NUMBER_GAP
    columns = max(int((width - room) / metrics.horizontalAdvance("0")), 1)
    begin = first_line(plain_lines(source.text))
    found: list[PagePiece] = []
    for number, (line, parts) in list(enumerate(zip(lines, tokens, strict=True), 1))[begin - 1 :]:
        pieces = wrapped_line(line, columns, columns, columns)

        def draw(
            painter: QPainter,
            number: int = number,
            parts: Tokens = parts,
            pieces: tuple[CodePiece, ...] = pieces,
        ) -> None:
            left = room - _NUMBER_GAP - metrics.horizontalAdvance(str(number))
            _write(painter, numbers, theme.muted, str(number), left)
            painter.setFont(font)
            for at, piece in enumerate(pieces):
                _write_code(painter, parts, piece, QPointF(room, metrics.ascent() + at * metrics.lineSpacing()), theme)

        found.append(PagePiece(metrics.lineSpacing() * len(pieces), draw, 0.0 if found else 4.0))
    whole = list(together(found, _FIRST_LINES))
    for chunk in chunks_of(lines[begin - 1 :]):
        if sum(found[at].height for at in chunk) <= height - 2 * metrics.lineSpacing():  # its heading may be above it
            for at in chunk[:-1]:
                whole[at] = replace(whole[at], keeps=True)
    return tuple(whole)


def chunks_of(lines: Sequence[str]) -> Iterator[range]:
    """The places of the lines of each function, with what stands directly above it: empty lines part them that are in
    no braces and before a line without indentation.
    """
    begin, depth = 0, 0
    for at, line in enumerate(lines):
        depth += line.count("{") - line.count("}")
        following = next((other for other in lines[at + 1 :] if other), "")
        if at + 1 == len(lines) or (not line and depth <= 0 and not following.startswith(" ")):
            yield range(begin, at + 1)
            begin, depth = at + 1, 0


def table_pieces(table: PrintedTable, width: float, theme: Theme, room: float = math.inf) -> tuple[PagePiece, ...]:
    """A table row by row, its headings above the first row of every page, its notes below its last rows.

    Where not all columns have room, those that may go are left out one by one and named below. A table that is higher
    than `room` units has the largest smaller type in which it is not, if there is one: its notes explain its marks.
    """
    tried = [
        _table_in(table, width, theme, _TABLE_SIZES[at:]) for at in range(1 if math.isinf(room) else len(_TABLE_SIZES))
    ]
    return next((made for made in tried if sum(piece.height + piece.gap for piece in made) <= room), tried[0])


def _table_in(table: PrintedTable, width: float, theme: Theme, sizes: Sequence[float]) -> tuple[PagePiece, ...]:
    """A table in the first of some sizes of type in which its figures stand in one line."""
    dropped: list[str] = []
    places, waiting = list(range(len(table.heads))), list(table.may_go)
    while (fit := _fitted(table, places, width, sizes)) is None and waiting:
        place = waiting.pop(0)
        places.remove(place)
        dropped.append(table.heads[place])
    points, widths = fit or (sizes[-1], [width / len(places) - _CELL_GAP] * len(places))
    font, head = words(points), words(points, QFont.Weight.DemiBold)
    row = partial(_row, widths=widths, is_figure=[table.is_figure[at] for at in places], width=width)
    heading = row([_head(table.heads[at]) for at in places], font=head, colour=theme.muted, line=theme.faint)
    rows = [row([line[at] for at in places], font=font, colour=theme.text, line=theme.line) for line in table.lines]
    body = together([replace(each, again=heading) for each in rows], _ROWS_TOGETHER, _ROWS_TOGETHER)
    notes = (*table.notes, *((f"Not shown here: {', '.join(dropped)}",) if dropped else ()))
    below = note_pieces(notes, width, theme)
    if below and len(below) <= _MOST_KEPT:
        body = (*body[:-1], *(replace(each, keeps=True) for each in body[-1:]))
        below = (*(replace(each, keeps=True) for each in below[:-1]), below[-1])
    return replace(heading, keeps=True, gap=_BLOCK_GAP), *body, *below


def _fitted(
    table: PrintedTable, places: Sequence[int], width: float, sizes: Sequence[float]
) -> tuple[float, list[float]] | None:
    """The largest type of some sizes in which these columns have room, and their widths; words and headings may be
    broken, figures not. None where even the smallest is too large.
    """
    for points in sizes:
        of_cell = QFontMetricsF(words(points)).horizontalAdvance
        of_title = QFontMetricsF(words(points, QFont.Weight.DemiBold)).horizontalAdvance
        widths, heads, most = [], [], []
        for at in places:
            cells = max((of_cell(line[at]) for line in table.lines), default=0.0) + 1.0
            broken = max(map(of_title, _head(table.heads[at]).split(" "))) + 1.0
            heads.append(max(cells, of_title(table.heads[at]) + 1.0))
            widths.append(max(cells, broken))
            most.append(0.0 if table.is_figure[at] else max(widths[-1] - _LEAST_WORDS, 0.0))
        spare = width - sum(widths) - _CELL_GAP * (len(places) - 1)
        if spare >= 0:
            for at, head in enumerate(heads):
                more = min(spare, head - widths[at])
                widths[at] += more
                spare -= more
            return points, widths
        if spare + sum(most) >= 0:
            return points, [wide + spare * part / sum(most) for wide, part in zip(widths, most, strict=True)]
    return None


def _head(words_above: str) -> str:
    """A heading that is broken at no place where a sign would stand alone."""
    return words_above.replace("× ", "×\u00a0").replace(" /", "\u00a0/")


def _row(
    cells: Sequence[str],
    *,
    widths: Sequence[float],
    is_figure: Sequence[bool],
    font: QFont,
    colour: str,
    line: str,
    width: float,
) -> PagePiece:
    """One row of a table, with a line below; what is wider than its column is broken, figures stand at the right."""
    metrics = QFontMetricsF(font)
    broken = [
        [cell] if metrics.horizontalAdvance(cell) <= room else wrapped(cell, font, int(room), _ALL)
        for cell, room in zip(cells, widths, strict=True)
    ]
    height = max(map(len, broken)) * metrics.lineSpacing() + _ROW_GAP

    def draw(painter: QPainter) -> None:
        x = 0.0
        for lines, room, right in zip(broken, widths, is_figure, strict=True):
            for at, text in enumerate(lines):
                left = x + (room - metrics.horizontalAdvance(text) if right else 0.0)
                _write(painter, font, colour, text, left, at * metrics.lineSpacing() + _ROW_GAP / 2)
            x += room + _CELL_GAP
        painter.setPen(QPen(QColor(line), 0.5))
        painter.drawLine(QLineF(0.0, height, width, height))

    return PagePiece(height, draw)


def _write(painter: QPainter, font: QFont, colour: str, text: str, x: float = 0.0, y: float = 0.0) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(x, y + QFontMetricsF(font).ascent()), text)


def _write_code(painter: QPainter, tokens: Tokens, piece: CodePiece, at: QPointF, theme: Theme) -> None:
    digit = QFontMetricsF(painter.font()).horizontalAdvance("0")
    for token in tokens:
        start, end = max(token.start, piece.start), min(token.start + len(token.text), piece.end)
        text = token.text[start - token.start : end - token.start]
        if text.strip():
            painter.setPen(QColor(word_colour(token.kind, theme)))
            painter.drawText(at + QPointF(digit * (piece.indent + start - piece.start), 0.0), text)
