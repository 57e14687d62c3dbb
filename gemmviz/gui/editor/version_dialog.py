"""What differs between the texts of two versions, coloured, in a window of its own."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.visible_text import visible
from gemmviz.gui.editor.text.text_difference import DifferenceSide, DiffLine, difference
from gemmviz.gui.looks.theme import LIGHT, Theme, blend
from gemmviz.gui.source.code_delegate import code_font
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import title_text

SAME = "Both texts are the same."
TINT = 0.16
"""How much of a colour shows behind a line that came or went."""


class VersionDialog(QDialog):
    """Shows lines that went with "-", lines that came with "+"."""

    take_back_asked = Signal(int)
    """The number of the version before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("versionDialog")
        self._theme = LIGHT
        self._lines: tuple[DiffLine, ...] = ()
        self._number = 0
        self._title = named(PlainLabel(), role="title")
        self._text = named(QPlainTextEdit(), "versionDifference", says="What differs between the texts", role="code")
        self._text.setReadOnly(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.document().setDefaultFont(code_font())
        take = named(QPushButton("Restore text"), "versionDialogTake", "Put the earlier text into the editor")
        close = named(QPushButton("Close"), "versionDialogClose", "Close this window", role="primary")
        take.setAutoDefault(False)
        close.setDefault(True)
        take.clicked.connect(self._on_take)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(take)
        row.addStretch(1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(self._title)
        column.addWidget(self._text, 1)
        column.addLayout(row)
        fit_screen(self, QSize(900, 640))

    @property
    def lines(self) -> tuple[DiffLine, ...]:
        """What is shown."""
        return self._lines

    def show_versions(self, before: KernelVersion, after: KernelVersion, names: VersionNames) -> None:
        """Show what differs from the one to the other."""
        words = f"{after.source_name}: {names.with_time(before)} → {names.with_time(after)}"
        self._number, self._lines = before.number, difference(before.text, after.text)
        self.setWindowTitle(title_text(words))
        self._title.setText(words)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._show()

    def _show(self) -> None:
        self._text.setPlainText("" if self._lines else SAME)
        cursor = QTextCursor(self._text.document())
        cursor.beginEditBlock()
        for place, line in enumerate(self._lines):
            if place:
                cursor.insertBlock()
            block, form = self._formats(line.side)
            cursor.setBlockFormat(block)
            cursor.insertText(_words(line), form)
        cursor.endEditBlock()
        self._text.moveCursor(QTextCursor.MoveOperation.Start)

    def _formats(self, side: DifferenceSide) -> tuple[QTextBlockFormat, QTextCharFormat]:
        theme, block, form = self._theme, QTextBlockFormat(), QTextCharFormat()
        colour = {DifferenceSide.BEFORE: theme.hazard, DifferenceSide.AFTER: theme.good}.get(side, "")
        form.setForeground(QColor(theme.muted if side is DifferenceSide.GAP else theme.text))
        if colour:
            block.setBackground(QColor(blend(theme.field, colour, TINT)))
        return block, form

    def _on_take(self) -> None:
        self.take_back_asked.emit(self._number)
        self.accept()


def _words(line: DiffLine) -> str:
    if line.side is DifferenceSide.GAP:
        return DifferenceSide.GAP
    before, after = (str(number) if number else "" for number in (line.before, line.after))
    return f"{before:>5} {after:>5} {line.side} {visible(line.text.expandtabs(4))}"
