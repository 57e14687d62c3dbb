"""Code to read, coloured, with line numbers; lines that belong to a line of another pane are marked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from gemmviz.domain.terms import Language
from gemmviz.domain.visible_text import visible_layout
from gemmviz.explain.source.recorded_lines import lines_of_text
from gemmviz.explain.source.tokens import TokenKind, Tokens, tokens_of
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_delegate import code_font
from gemmviz.gui.source.highlight import word_colour
from gemmviz.gui.widgets.named import named

_BEFORE, _BEHIND = 8, 8
"""Pixels beside a line number."""
_TAB = 4
"""Characters."""
_MOST_MARKED = 5000
"""Lines; more of them take longer to paint than a person waits."""
_LINES_ABOVE = 4
"""Lines that are left in view above the first marked one."""


class CodePane(QPlainTextEdit):
    """Read-only code. The arrow keys move from line to line.

    Signals:
        line_chosen(int): the line, from 1, that a person clicked or moved to.
    """

    line_chosen = Signal(int)

    def __init__(
        self, name: str, says: str, theme: Theme, parent: QWidget | None = None, *, has_numbers: bool = True
    ) -> None:
        super().__init__(parent, readOnly=True)
        self._has_numbers = has_numbers
        self._colours = _WordColours(self.document())
        self._colours.set_theme(theme)
        named(self, name, says=says, role="code")
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(code_font())
        self.setTabStopDistance(_TAB * self.fontMetrics().horizontalAdvance(" "))
        self._theme = theme
        self._linked: frozenset[int] = frozenset()
        self._is_emitting = True
        self._numbers = _Numbers(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._on_update)
        self.cursorPositionChanged.connect(self._on_moved)
        self._make_room()

    def show_text(self, text: str) -> None:
        """Show another text in one colour, nothing of it marked."""
        self._show(text, ())

    def show_source(self, text: str, language: Language) -> None:
        """Show a source in the colours of its language, nothing of it marked."""
        lines = lines_of_text(text)
        self._show("\n".join(lines), tokens_of(lines, language))

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._colours.set_theme(theme)
        self._numbers.update()

    def link(self, lines: Iterable[int]) -> None:
        """Let lines, from 1, stand out that lead to lines of the other pane."""
        self._linked = frozenset(lines)
        self._numbers.update()

    def mark(self, lines: Iterable[int]) -> None:
        """Mark lines, from 1, and no others."""
        selections = []
        for line in islice(lines, _MOST_MARKED):
            selection = QTextEdit.ExtraSelection()
            selection.format.setBackground(QColor(self._theme.selected))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selection.cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
            selections.append(selection)
        self.setExtraSelections(selections)

    def bring_into_view(self, line: int) -> None:
        """Scroll so that a line, from 1, is in view, unless it is."""
        first = self.firstVisibleBlock().blockNumber() + 1
        shown = max(self.viewport().height() // max(self.fontMetrics().lineSpacing(), 1), 1)
        if not first <= line < first + shown - 1:
            self.verticalScrollBar().setValue(max(line - 1 - _LINES_ABOVE, 0))
        self.horizontalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        seen = self.viewport().geometry()
        self._numbers.setGeometry(QRect(seen.left() - self.number_width, seen.top(), self.number_width, seen.height()))

    @property
    def number_width(self) -> int:
        """Pixels that line numbers take."""
        if not self._has_numbers:
            return 0
        digits = max(len(str(self.blockCount())), 2)
        return _BEFORE + digits * self.fontMetrics().horizontalAdvance("0") + _BEHIND

    def paint_numbers(self, area: QRect) -> None:
        """Paint the numbers of the lines in view; those that lead to the other pane stand out."""
        painter = QPainter(self._numbers)
        painter.fillRect(area, self.palette().color(QPalette.ColorRole.Base))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            number = block.blockNumber() + 1
            painter.setPen(QColor(self._theme.accent if number in self._linked else self._theme.muted))
            room = QRect(0, round(top), self.number_width - _BEHIND, round(height))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
            top += height
            block = block.next()

    def _show(self, text: str, tokens: tuple[Tokens, ...]) -> None:
        self._is_emitting = False
        self._colours.set_tokens(tokens)
        self.setPlainText(visible_layout(text))
        self._is_emitting = True
        self.mark(())

    @Slot()
    def _make_room(self) -> None:
        self.setViewportMargins(self.number_width, 0, 0, 0)

    @Slot(QRect, int)
    def _on_update(self, area: QRect, moved: int) -> None:
        if moved:
            self._numbers.scroll(0, moved)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())

    @Slot()
    def _on_moved(self) -> None:
        if self._is_emitting:
            self.line_chosen.emit(self.textCursor().blockNumber() + 1)


class _Numbers(QWidget):
    """The strip of line numbers."""

    def __init__(self, pane: CodePane) -> None:
        super().__init__(pane)
        self._pane = pane

    def sizeHint(self) -> QSize:
        return QSize(self._pane.number_width, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._pane.paint_numbers(event.rect())


class _WordColours(QSyntaxHighlighter):
    """Colours a document by tokens that are known already."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._tokens: tuple[Tokens, ...] = ()
        self._theme = LIGHT

    def set_tokens(self, tokens: tuple[Tokens, ...]) -> None:
        """The tokens of the text that comes next."""
        self._tokens = tokens

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        for token in self._tokens[number] if number < len(self._tokens) and text else ():
            if token.kind is not TokenKind.PLAIN:
                look = QTextCharFormat()
                look.setForeground(QColor(word_colour(token.kind, self._theme)))
                self.setFormat(token.start, len(token.text), look)
