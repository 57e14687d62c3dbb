"""The small labels and thin lines of the experiment panel."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


def small_label(name: str, spoken: str, role: str) -> PlainLabel:
    """A label of small text that wraps."""
    label = named(PlainLabel(wordWrap=True), name, says=spoken, role=role)
    label.setFont(words(SMALL))
    return label


def rule(name: str) -> QFrame:
    """A line one pixel high."""
    line = named(QFrame(), name)
    line.setFixedHeight(1)
    return line
