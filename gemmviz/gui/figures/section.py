"""One section of figures: a head, whose figures they are, and lines of words, value and evidence."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from gemmviz.explain.runs.figure_lines import Section, ValueTone
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_delegate import code_font
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.figure_row import FigureRow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

USUAL_LINES, AT_ONCE = 20, 10
"""Lines that a run has, and how many of them are made in one step."""


class FiguresSection(QWidget):
    """Shows a Section; `corner` stands right of its head. The row of a line is made once and used again."""

    def __init__(self, name: str, corner: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = LIGHT
        self._section = Section("", "", "")
        self._shown = 0
        self._rows: list[FigureRow] = []
        self._head, self._title = named(ElidedLabel(mode=Qt.TextElideMode.ElideRight), role="head"), _label("")
        self._detail, self._note = _label("muted"), _label("muted")
        for label in (self._title, self._detail, self._note):
            label.setWordWrap(True)
        self._title.setObjectName(f"{name}Title")
        self._lines = QVBoxLayout()
        self._lines.setContentsMargins(0, 4, 0, 4)
        self._lines.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        first = QHBoxLayout()
        first.addWidget(self._head, 1)
        if corner is not None:
            first.addWidget(corner)
        layout.addLayout(first)
        layout.addWidget(self._title)
        layout.addWidget(self._detail)
        layout.addLayout(self._lines)
        layout.addWidget(self._note)
        self._printed = _printed(f"{name}Printed")
        layout.addWidget(self._printed)

    @property
    def section(self) -> Section:
        """What is shown."""
        return self._section

    def show_section(self, section: Section) -> None:
        """Show these figures in place of the last."""
        self._section = section
        comes_back = len(section.lines) != self._shown and not self.isHidden()
        if comes_back:  # whatever comes into sight has the whole window laid out: all lines come at once
            self.hide()
        self._head.show_text(section.head)
        for label, text in ((self._title, section.title), (self._detail, section.detail), (self._note, section.note)):
            label.setText(text)
            label.explain_terms()
            label.setVisible(bool(text))
        self._show_printed(section.printed)
        while len(self._rows) < len(section.lines):
            self._add_row()
        self._shown = len(section.lines)
        for row, line in zip(self._rows, section.lines, strict=False):
            row.show_line(line, with_evidence=True)
        for place, row in enumerate(self._rows):
            row.setVisible(place < self._shown)
        if comes_back:
            self.show()

    def _show_printed(self, text: str) -> None:
        if text != self._printed.toPlainText():
            self._printed.setPlainText(text)
            lines = self._printed.fontMetrics().lineSpacing() * (text.count("\n") + 1)
            bar = self._printed.horizontalScrollBar().sizeHint().height()
            self._printed.setFixedHeight(lines + bar + 2 * int(self._printed.document().documentMargin()) + 4)
        self._printed.setVisible(bool(text))

    def rehearsal(self) -> tuple[Callable[[], object], ...]:
        """Steps that make the rows of the first run, hidden as yet (`gui/window/warm_up.py`)."""
        return (self._make_rows,) * (USUAL_LINES // AT_ONCE)

    def _make_rows(self) -> None:
        for _ in range(min(AT_ONCE, USUAL_LINES - len(self._rows))):
            row = self._add_row()
            row.hide()
            for label in row.findChildren(QLabel):
                label.ensurePolished()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        colours = ((ValueTone.GOOD, theme.good), (ValueTone.WRONG, theme.hazard))
        set_sheet(self, " ".join(f'QLabel[tone="{tone}"] {{ color: {colour}; }}' for tone, colour in colours))

    def _add_row(self) -> FigureRow:
        self._rows.append(FigureRow(self))
        self._lines.addWidget(self._rows[-1])
        return self._rows[-1]


def _printed(name: str) -> QPlainTextEdit:
    """A field for what a kernel printed: as in a terminal, so that columns stay in line; long lines are scrolled."""
    field = QPlainTextEdit()
    field.setObjectName(name)
    field.setAccessibleName("What the kernel printed")
    field.setFont(code_font())
    field.setReadOnly(True)
    field.setTabChangesFocus(True)
    field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    field.hide()
    return field


def _label(role: str) -> PlainLabel:
    label = PlainLabel()
    if role:
        label.setProperty("role", role)
    return label
