"""The pieces of the export dialog's form: a row with its label, a choice of one in a row, words below a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLayout, QWidget

from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import Segment, SegmentRow

LABEL_WIDTH = 104
FAULT_SPACING = 4
"""Pixels between a control and what is said below it."""


class NamedRow(SegmentRow):
    """Buttons in a row of which one is chosen; `value` is its name."""

    def __init__(self, names: Sequence[str], segments: Sequence[Segment], value: str) -> None:
        super().__init__(segments, names.index(value))
        self._names = tuple(names)

    @property
    def value(self) -> str:
        """The name of what is chosen."""
        return self._names[self.current]

    def choose_name(self, name: str) -> None:
        """Choose by name; emits `chosen` where it was another.

        Raises:
            ValueError: there is no such choice.
        """
        self.choose(self._names.index(name))


def named_row(name: str, choices: Sequence[tuple[str, str]], value: str, words: str) -> NamedRow:
    """A row of choices with its object name, and `words` as accessible name and tooltip."""
    segments = [Segment(f"{name}_{choice}", title, "", f"{words}: {title}") for choice, title in choices]
    made = NamedRow([choice for choice, _ in choices], segments, value)
    made.setObjectName(name)
    made.setAccessibleName(words)
    made.setToolTip(plain_text(words))
    return made


def line(*controls: QWidget, spacing: int = 8) -> QHBoxLayout:
    """Controls side by side, from the left."""
    made = QHBoxLayout()
    made.setSpacing(spacing)
    for control in controls:
        made.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
    made.addStretch(1)
    return made


def row(title: str, control: QLayout, *below: QLabel) -> QGridLayout:
    """A control with its name on the left, at the height of a control of one line, and words below it."""
    label = field_label(title, "muted")
    label.setFixedWidth(LABEL_WIDTH)
    is_line = isinstance(control, QHBoxLayout)
    label.setContentsMargins(0, 0 if is_line else 4, 0, 0)
    grid = QGridLayout()
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(FAULT_SPACING)
    grid.setColumnStretch(1, 1)
    grid.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignVCenter if is_line else Qt.AlignmentFlag.AlignTop)
    grid.addLayout(control, 0, 1)
    for number, words in enumerate(below, 1):
        grid.addWidget(words, number, 1)
    return grid


def field_label(text: str, role: str) -> QLabel:
    """Plain words in the look of a role."""
    label = PlainLabel(text)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label


def fault_label(name: str) -> QLabel:
    """Where to say what is wrong with a control; hidden while nothing is."""
    label = field_label("", "refusal")
    label.setObjectName(name)
    label.hide()
    return label


def show_in_turn(wanted: Mapping[QWidget, bool]) -> None:
    """Show some controls and hide others: these first, because Qt gives what is shown its room at once, and a window
    that has grown stays so.
    """
    for control in sorted(wanted, key=wanted.__getitem__):
        control.setVisible(wanted[control])
