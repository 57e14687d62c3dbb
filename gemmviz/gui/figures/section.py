"""One section of figures: a head, whose figures they are, and lines of words, value and evidence."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.explain.runs.figure_lines import Line, Section, Tone
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_delegate import code_font
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

EVIDENCE_WIDTH = 54
"""One width for all sections, so that their figures stand in one line."""
GROUP_GAP = 8
USUAL_LINES, AT_ONCE = 20, 10
"""Lines that a run has, and how many of them are made in one step."""


class FiguresSection(QWidget):
    """Shows a Section; `corner` stands right of its head. The labels of a line are made once and used again."""

    def __init__(self, name: str, corner: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = LIGHT
        self._section = Section("", "", "")
        self._shown = 0
        self._lines: list[tuple[ElidedLabel, QLabel, QLabel]] = []
        self._head, self._title = _label("head"), _label("")
        self._detail, self._note = _label("muted"), _label("muted")
        for label in (self._title, self._detail, self._note):
            label.setWordWrap(True)
        self._title.setObjectName(f"{name}Title")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnMinimumWidth(2, EVIDENCE_WIDTH)
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
        layout.addLayout(self._grid)
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
        self._head.setText(section.head)
        for label, text in ((self._title, section.title), (self._detail, section.detail), (self._note, section.note)):
            label.setText(text)
            label.setVisible(bool(text))
        self._show_printed(section.printed)
        while len(self._lines) < len(section.lines):
            self._add_line()
        for labels, line in zip(self._lines, section.lines, strict=False):
            self._fill(labels, line)
        self._shown = len(section.lines)
        for place, labels in enumerate(self._lines):
            for label in labels:
                label.setVisible(place < self._shown)
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
        """Steps that make the labels of the first run, hidden as yet (`gui/window/warm_up.py`)."""
        return (self._make_lines,) * (USUAL_LINES // AT_ONCE)

    def _make_lines(self) -> None:
        for _ in range(min(AT_ONCE, USUAL_LINES - len(self._lines))):
            for label in self._add_line():
                label.hide()
                label.ensurePolished()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        colours = ((Tone.GOOD, theme.good), (Tone.WRONG, theme.hazard))
        self.setStyleSheet(" ".join(f'QLabel[tone="{tone}"] {{ color: {colour}; }}' for tone, colour in colours))

    def _add_line(self) -> tuple[ElidedLabel, QLabel, QLabel]:
        row = len(self._lines)
        words, value, evidence = named(ElidedLabel(), role="muted"), _label("figure"), _label("evidence")
        for column, label in enumerate((words, value, evidence)):
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(label, row, column)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        value.setProperty("tone", str(Tone.PLAIN))
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._lines.append((words, value, evidence))
        return self._lines[-1]

    def _fill(self, labels: tuple[ElidedLabel, QLabel, QLabel], line: Line) -> None:
        words, value, evidence = labels
        value.setText(line.value)
        evidence.setText(line.evidence_words)
        value.setAccessibleName(_sentence(line.spoken_value))
        if value.property("tone") != str(line.tone):
            value.setProperty("tone", str(line.tone))
            value.style().polish(value)
        for label in labels:
            label.setToolTip(plain_text(line.tip))
            label.setContentsMargins(0, GROUP_GAP if line.begins_group else 0, 0, 0)
        words.show_text(line.words)
        words.setToolTip(plain_text(f"{line.words}\n{line.tip}".strip()))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


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


def _label(role: str) -> QLabel:
    label = PlainLabel()
    if role:
        label.setProperty("role", role)
    return label
