"""Figures in a narrow column: words left, value right, each line as wide as it needs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.gui.figures.last_run import Line, Section, Tone
from gemmviz.gui.looks.theme import LIGHT, Theme

GROUP_GAP = 8


class FigureRow(QWidget):
    """One figure; its evidence is shown where the lines of a section differ in it, and always read aloud.

    A figure that `wraps` takes as many lines as it needs.
    """

    def __init__(self, wraps: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._value, self._evidence = _label("muted"), _label("figure"), _label("evidence")
        self._value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._value.setWordWrap(wraps)
        if wraps:
            self._value.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        else:
            self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._words, 0 if wraps else 1)
        row.addWidget(self._value, 1 if wraps else 0)
        row.addWidget(self._evidence)

    def show_line(self, line: Line, with_evidence: bool) -> None:
        """Show a figure in place of the last."""
        self._words.setText(line.words)
        self._value.setText(line.value)
        self._value.setAccessibleName(f"{line.words} {line.value}, {line.evidence}")
        self._evidence.setText(str(line.evidence))
        self._evidence.setVisible(with_evidence)
        self.setToolTip(f"{line.tip}\n{line.evidence}" if line.tip else str(line.evidence))
        self.setContentsMargins(0, GROUP_GAP if line.begins_group else 0, 0, 0)
        if self._value.property("tone") != str(line.tone):
            self._value.setProperty("tone", str(line.tone))
            self._value.style().polish(self._value)


class FigureRows(QWidget):
    """Shows a Section; the evidence that all its lines have stands once, beside the head. Rows are used again.

    With `wraps` long figures take several lines.
    """

    def __init__(self, name: str, theme: Theme = LIGHT, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._wraps = wraps
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
        self._lines.setContentsMargins(0, 4, 0, 4)
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
        evidence = {line.evidence for line in section.lines}
        self._evidence.setText(str(next(iter(evidence))) if len(evidence) == 1 else "")
        for label, text in ((self._detail, section.detail), (self._note, section.note)):
            label.setText(text)
            label.setVisible(bool(text))
        while len(self._rows) < len(section.lines):
            self._rows.append(FigureRow(self._wraps))
            self._lines.addWidget(self._rows[-1])
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(section.lines))
            if place < len(section.lines):
                row.show_line(section.lines[place], len(evidence) > 1)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        colours = ((Tone.GOOD, theme.good), (Tone.WRONG, theme.hazard))
        self.setStyleSheet(" ".join(f'QLabel[tone="{tone}"] {{ color: {colour}; }}' for tone, colour in colours))


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    return label
