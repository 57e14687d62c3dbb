"""The line that runs, in full: beside a picture the source has room for its beginnings only."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.named import named
from gemmviz.gui.plain_label import RichLabel
from gemmviz.gui.source.code_delegate import code_font

MOST = 3
"""Lines shown at most; of more the first."""


def in_full(numbers: Sequence[int], code: Sequence[str]) -> str:
    """The lines with these numbers, from 1, as rich text, each behind its number; the indentation left out."""
    there = [number for number in numbers if 1 <= number <= len(code) and code[number - 1].strip()]
    return "<br>".join(f"<b>{number}</b>&nbsp; {escape(visible(code[number - 1].strip()))}" for number in there[:MOST])


class RunningLine(RichLabel):
    """Shows the lines that run, wrapped; always as high as two, so that nothing moves while a recording plays."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sourceRunning", "The lines that run, in full", "The lines that run")
        self.setWordWrap(True)
        self.setFont(code_font())
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 12)
        self.setContentsMargins(16, 6, 16, 6)

    def show_lines(self, numbers: Sequence[int], code: Sequence[str]) -> None:
        """The lines of `code` that run, by number from 1; none: nothing runs."""
        self.setText(in_full(numbers, code))
