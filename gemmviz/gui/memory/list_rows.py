"""How many rows the lists above one picture take: as few as its width allows, since height makes a picture large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.rows import wanted_width

SPACING = 8
"""Pixels between lists in a row."""
SHORT_LETTERS = 8
"""What the list of colours asks for where it shows its shorter words."""


class ListRows(NamedTuple):
    """A number of rows, and what the list of colours asks for in them: letters, None for its longest entry. `is_apart`:
    what is chosen for two pictures has a row of its own, below the buttons of the views.
    """

    rows: int
    colour_letters: int | None = None
    is_apart: bool = False


def rows_above_two(segments: QWidget, options: Sequence[QWidget], room: int) -> ListRows:
    """Two rows above two pictures, and one more where the buttons of the views would be cut in `room` pixels beside
    options that are as narrow as they can be.
    """
    least = sum(SPACING + (each.minimumWidth() or each.sizeHint().width()) for each in options if not each.isHidden())
    return ListRows(2, is_apart=segments.sizeHint().width() + SPACING + least > room)


def rows_above_one(segments: QWidget, lists: Sequence[QWidget], colours: ComboBox, room: int) -> ListRows:
    """As few rows above one picture as cut no words in `room` pixels; the list of colours may show its shorter ones."""
    choices = wanted_width(lists, SPACING)
    beside = wanted_width((segments,), SPACING) + SPACING + choices  # a gap behind each, and behind the room between
    if colours.isHidden():
        return ListRows(1 if beside - SPACING <= room else 2 if choices - SPACING <= room else 3)
    for letters in (None, SHORT_LETTERS):
        if beside + colours.width_for_letters(letters) <= room:
            return ListRows(1, letters)
    return ListRows(2 if choices - SPACING <= room else 3)
