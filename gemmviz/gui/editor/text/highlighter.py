"""Colours the code of an editor. Lines far from what is in sight wait until they come into sight."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from gemmviz.domain.terms import Language
from gemmviz.explain.source.tokens import TokenKind, tokens_of
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.highlight import word_colour

_MARKS = re.compile(r'//.*|"(?:\\.|[^"\\])*"?|\'(?:\\.|[^\'\\])*\'?|/\*')
CODE, COMMENT = 0, 1
"""States at the end of a line: in code, or in a comment that goes on."""
LONGEST = 2000
"""Characters of a line that is cut into words; a longer one has one colour."""


def state_after(line: str, state: int) -> int:
    """Whether a comment goes on behind a line that begins in a state."""
    at = 0
    while True:
        if state == COMMENT:
            end = line.find("*/", at)
            if end < 0:
                return COMMENT
            state, at = CODE, end + 2
        found = _MARKS.search(line, at)
        if found is None:
            return CODE
        at = found.end()
        if found.group() == "/*":
            state = COMMENT


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
        self.setCurrentBlockState(state_after(text, before))
        if not is_in_sight or not text.strip():
            return
        begin = 0
        if before == COMMENT:
            end = text.find("*/")
            begin = len(text) if end < 0 else end + 2
            self.setFormat(0, begin, self._formats[TokenKind.COMMENT])
        if len(text) > LONGEST:
            return
        tokens, _ = tokens_of((text[begin:], ""), self._language)  # a comment ends with its line
        for token in tokens:
            if token.kind is not TokenKind.PLAIN:
                self.setFormat(begin + token.start, len(token.text), self._formats[token.kind])

    def _is_coloured(self, block: QTextBlock) -> bool:
        return bool(block.layout().formats()) or not block.text().strip()

    def _again(self) -> None:
        """Colour what is in sight anew; all else loses its colours until it comes into sight."""
        self.rehighlight()

    def _make_formats(self, theme: Theme) -> None:
        for kind in TokenKind:
            self._formats[kind] = form = QTextCharFormat()
            form.setForeground(QColor(word_colour(kind, theme)))
