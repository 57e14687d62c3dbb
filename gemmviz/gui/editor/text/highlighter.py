"""Colours the code of an editor. Lines far from what is in sight wait until they come into sight."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from gemmviz.domain.terms import Language
from gemmviz.explain.source.tokens import TokenKind, tokens_of
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.highlight import word_colour

_STRINGS = r'"(?:\\.|[^"\\])*"?|\'(?:\\.|[^\'\\])*\'?'
_MARKS = re.compile(rf"//.*|/\*|{_STRINGS}")
_PYTHON_MARKS = re.compile(rf"#.*|\"\"\"|'''|{_STRINGS}")
CODE = 0
ENDS = ("", "*/", '"""', "'''")
"""What ends the state that a line begins with, by its number: code, a comment, or a string of several lines."""
_BEGINS = {"/*": 1, '"""': 2, "'''": 3}
LONGEST = 2000
"""Characters of a line that is cut into words; a longer one has one colour."""


@dataclass(frozen=True, slots=True)
class LineScan:
    """The state behind a line; the characters of it that are in the state it begins in, and where a comment or string
    of several lines begins that goes on behind it, the length of the line for none.
    """

    state: int
    head: int
    tail: int


def scanned(line: str, state: int, language: Language = Language.CUDA) -> LineScan:
    """Which comment or string of several lines goes on behind a line that begins in a state."""
    marks = _PYTHON_MARKS if language is Language.PYTHON else _MARKS
    head = at = 0
    tail = len(line)
    while True:
        if state != CODE:
            end = line.find(ENDS[state], at)
            if end < 0:
                return LineScan(state, len(line) if tail == len(line) else head, tail)
            at = end + len(ENDS[state])
            head = at if tail == len(line) else head
            state, tail = CODE, len(line)
        found = marks.search(line, at)
        if found is None:
            return LineScan(CODE, head, tail)
        at = found.end()
        state = _BEGINS.get(found.group(), CODE)
        if state != CODE:
            tail = found.start()


class CodeHighlighter(QSyntaxHighlighter):
    """Colours the lines from `first` to `last` that `show_lines` names, and keeps count of comments in all others."""

    def __init__(self, document: QTextDocument, language: Language = Language.CUDA) -> None:
        self._language = language
        self._first, self._last = 0, 100
        self._formats: dict[TokenKind, QTextCharFormat] = {}
        self._make_formats(LIGHT)
        super().__init__(QObject(document))
        self.setDocument(document)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._make_formats(theme)
        self._again()

    def set_language(self, language: Language) -> None:
        """Colour as another language."""
        if language is not self._language:
            self._language = language
            self._again()

    def show_lines(self, first: QTextBlock, last: int) -> None:
        """Colour what is in sight: the lines from a block to the number `last`, counted from 0."""
        self._first, self._last = first.blockNumber(), last
        block = first
        while block.isValid() and block.blockNumber() <= last:
            if block.userState() >= 0 and not self._is_coloured(block):
                self.rehighlightBlock(block)
            block = block.next()

    def highlightBlock(self, text: str) -> None:
        before = max(self.previousBlockState(), CODE)
        number = self.currentBlock().blockNumber()
        is_in_sight = self._first <= number <= self._last
        found = scanned(text, before, self._language)
        self.setCurrentBlockState(found.state)
        if not is_in_sight or not text.strip():
            return
        self.setFormat(0, found.head, self._formats[_kind_of(before)])
        self.setFormat(found.tail, len(text) - found.tail, self._formats[_kind_of(found.state)])
        if len(text) > LONGEST:
            return
        tokens, _ = tokens_of((text[found.head : found.tail], ""), self._language)
        for token in tokens:
            if token.kind is not TokenKind.PLAIN:
                self.setFormat(found.head + token.start, len(token.text), self._formats[token.kind])

    def _is_coloured(self, block: QTextBlock) -> bool:
        return bool(block.layout().formats()) or not block.text().strip()

    def _again(self) -> None:
        """Colour what is in sight anew; all else loses its colours until it comes into sight."""
        self.rehighlight()

    def _make_formats(self, theme: Theme) -> None:
        for kind in TokenKind:
            self._formats[kind] = form = QTextCharFormat()
            form.setForeground(QColor(word_colour(kind, theme)))


def _kind_of(state: int) -> TokenKind:
    return TokenKind.COMMENT if ENDS[state] == "*/" else TokenKind.STRING
