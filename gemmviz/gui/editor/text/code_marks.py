"""What is marked in the text of the editor: the line of the cursor, brackets that belong together, lines at fault."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from gemmviz.explain.source.source_fault import SourceFault
from gemmviz.gui.editor.text.brackets import pair_at
from gemmviz.gui.looks.theme import LIGHT, Theme, blend

Mark = QTextEdit.ExtraSelection
_WORD = re.compile(r"\w+")
LINE, BRACKET = 0.05, 0.3
"""How much of a colour shows behind the line of the cursor, and behind a bracket."""


class CodeMarks(QObject):
    """Marks one text. What is at fault keeps its place while lines above it come and go.

    `is_current`: what is at fault was found in this text, and not in an earlier one.
    """

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit, self._theme = edit, LIGHT
        self._faults: tuple[tuple[SourceFault, QTextCursor], ...] = ()
        self.is_current = True

    @property
    def faults(self) -> tuple[SourceFault, ...]:
        """What is wrong in the text, with the lines where it is by now."""
        return tuple(replace(fault, line=place.blockNumber() + 1) for fault, place in self._faults)

    def set_faults(self, faults: Sequence[SourceFault], *, is_current: bool = True) -> None:
        """Mark what is wrong, from the next `show` on; of a blank line, or one that is not
        there, the last line with text before it.
        """
        document, self.is_current = self._edit.document(), is_current
        found = []
        for fault in faults:
            block = document.findBlockByNumber(min(max(fault.line, 1), document.blockCount()) - 1)
            while not block.text().strip() and block.previous().isValid():
                block = block.previous()  # nothing would be seen in a blank line
            text = block.text()
            begin, end = faulty_part(text, fault.column)
            place = QTextCursor(block)
            place.setPosition(block.position() + begin)
            place.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
            found.append((fault, place))
        self._faults = tuple(found)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and mark everything anew in them."""
        self._theme = theme
        self.show()

    @Slot()
    def show(self) -> None:
        """Mark everything anew."""
        self._edit.setExtraSelections([self._line(), *map(self._fault, self._faults), *self._brackets()])

    def _line(self) -> Mark:
        mark, theme = Mark(), self._theme
        mark.format.setBackground(QColor(blend(theme.panel, theme.text, LINE)))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        mark.cursor = self._edit.textCursor()
        mark.cursor.clearSelection()
        return mark

    def _fault(self, found: tuple[SourceFault, QTextCursor]) -> Mark:
        mark, style, theme = Mark(), QTextCharFormat.UnderlineStyle, self._theme
        mark.format.setUnderlineStyle(style.WaveUnderline if self.is_current else style.DotLine)
        mark.format.setUnderlineColor(QColor(theme.hazard if self.is_current else theme.muted))
        mark.cursor = QTextCursor(found[1])
        return mark

    def _brackets(self) -> list[Mark]:
        cursor = self._edit.textCursor()
        if pair_at(cursor.block().text(), cursor.positionInBlock()) is None:  # the whole text is not looked at
            return []
        pair = pair_at(self._edit.document().toRawText(), cursor.position())
        if pair is None:
            return []
        theme = self._theme
        colour = theme.hazard if min(pair) < 0 else theme.accent
        marks = []
        for place in pair:
            if place >= 0:
                mark = Mark()
                mark.format.setBackground(QColor(blend(theme.panel, colour, BRACKET)))
                mark.cursor = self._edit.textCursor()
                mark.cursor.setPosition(place)
                mark.cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
                marks.append(mark)
        return marks


def faulty_part(text: str, column: int) -> tuple[int, int]:
    """The first and the last place of a line, from 0, the last excluded, that are at fault: the word or sign at a
    `column`, from 1, and the line without its indentation where no column is named, 0, or none that it has.
    """
    if not 0 < column <= len(text):
        return len(text) - len(text.lstrip()), len(text)
    word = _WORD.match(text, column - 1)
    return column - 1, word.end() if word is not None else column
