"""Figures in a narrow column, under their head."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gemmviz.explain.runs.figure_lines import Section, ValueTone
from gemmviz.gui.looks.own_sheet import set_sheet
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.figure_row import FigureRow
from gemmviz.gui.widgets.plain_label import PlainLabel


class FigureRows(QWidget):
    """Shows a Section; the evidence that all its lines have stands once, beside the head. Rows are used again."""

    def __init__(self, name: str, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._section = Section("", "", "")
        self._rows: list[FigureRow] = []
        self._head, self._title, self._evidence = _label("head"), _label("strong"), _label("evidence")
        self._detail, self._note = _label("muted"), _label("muted")
        for label in (self._detail, self._note):
            label.setWordWrap(True)
        top = QHBoxLayout()
        top.addWidget(self._head, 1)
        top.addWidget(self._title, 1)
        top.addWidget(self._evidence)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._detail)
        column.addLayout(self._lines)
        column.addWidget(self._note)
        self.set_theme(theme)

    @property
    def section(self) -> Section:
        """What is shown."""
        return self._section

    def show_section(self, section: Section) -> None:
        """Show these figures in place of the last."""
        self._section = section
        for label, text in ((self._head, section.head), (self._title, section.title)):
            label.setText(text)
            label.setVisible(bool(text))
        evidence = {line.evidence_words for line in section.lines}
        common = next(iter(evidence)) if len(evidence) == 1 else ""
        for label, text in ((self._evidence, common), (self._detail, section.detail), (self._note, section.note)):
            label.setText(text)
            label.setVisible(bool(text))
        margin = 4 if section.lines else 0
        self._lines.setContentsMargins(0, margin, 0, margin)
        while len(self._rows) < len(section.lines):
            self._rows.append(FigureRow())
            self._lines.addWidget(self._rows[-1])
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(section.lines))
            if place < len(section.lines):
                row.show_line(section.lines[place], len(evidence) > 1)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        colours = ((ValueTone.GOOD, theme.good), (ValueTone.WRONG, theme.hazard))
        set_sheet(self, " ".join(f'QLabel[tone="{tone}"] {{ color: {colour}; }}' for tone, colour in colours))


def _label(role: str) -> QLabel:
    label = PlainLabel()
    label.setProperty("role", role)
    return label
