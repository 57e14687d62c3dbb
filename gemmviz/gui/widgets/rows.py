"""Rows of widgets, filled from both ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget


def fill_row(row: QHBoxLayout, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
    """Put these into a row in place of what was there, with the room that is left in the middle."""
    while row.takeAt(0) is not None:
        pass
    for widget in left:
        row.addWidget(widget)
    row.addStretch(1)
    for widget in right:
        row.addWidget(widget)


def wanted_width(widgets: Sequence[QWidget], gap: int = 8) -> int:
    """The pixels that those of the widgets that are not hidden want beside each other, each with a gap behind it."""
    return sum(each.sizeHint().width() + gap for each in widgets if not each.isHidden())
