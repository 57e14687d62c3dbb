"""A shared array in the order of memory as a small picture: each element has the colour of its bank."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QColor, QHelpEvent, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.stages.bank_canvas import bank_shades
from gemmviz.gui.stages.slot_banks import NO_SLOT, SlotBanks, SlotUse
from gemmviz.gui.widgets.plain_text import plain_text

_GRID_FROM = 4.0
"""Slots at least so wide stand apart."""
_OUTLINE = 0.12
"""The width of the outline of a padding, in slots."""
_EVEN_FROM = 2.0
"""Slots at least so wide are whole pixels, so that all look alike."""
_LEAST = 96, 56
"""Pixels of width and height that an array has at least, but for one that is lower at its width."""
_LARGEST_SLOT, _LARGEST_PRESENTED = 14.0, 28.0
"""Pixels of a slot at most, and on a slide units of it."""


class ArrayMap(QWidget):
    """Rows and columns as in the source; a padding's columns are outlined. The slots that a request needs stand out, in
    the colour of a conflict where their bank has one, and the other elements of one bank in grey.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._slots: SlotBanks | None = None
        self._marked, self._conflicts = 0, frozenset[int]()
        self._beside: ArrayMap | None = None
        self._largest_slot = _LARGEST_SLOT
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setSizePolicy(policy)

    def set_magnification(self, factor: float) -> None:
        """Let slots be as large as they are in a picture whose type is so many times as large as usual."""
        self._largest_slot = _LARGEST_PRESENTED * factor if factor > 1.0 else _LARGEST_SLOT
        self._ask_no_more()
        self.update()

    def compare_with(self, other: ArrayMap) -> None:
        """Have slots as large as those of another map, and it as large as these, while both are shown."""
        self._beside, other._beside = other, self

    @property
    def slots(self) -> SlotBanks | None:
        """What is shown."""
        return self._slots

    @property
    def marked(self) -> int:
        """The bank whose slots stand out."""
        return self._marked

    def show_slots(self, slots: SlotBanks | None, marked: int, conflicts: Collection[int], says: str) -> None:
        """Show an array; None for none. `marked` is the bank whose slots stand out, `conflicts` are the banks that the
        request asks for several words at once.
        """
        self._slots, self._marked, self._conflicts = slots, marked, frozenset(conflicts)
        self.setAccessibleName(says)
        self._ask_no_more()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST[0], self.least_height(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ask_no_more()
        if self._beside is not None:
            self._beside.update()

    def _ask_no_more(self) -> None:
        """Take no more height than the array needs at this width."""
        if self._slots is not None:
            self.setMaximumHeight(self._most_height(self._slots, self.width()))

    def least_height(self, width: float) -> int:
        """Pixels of height that the array has at least where it is so many pixels wide."""
        return _LEAST[1] if self._slots is None else min(_LEAST[1], self._most_height(self._slots, width))

    def _most_height(self, slots: SlotBanks, width: float) -> int:
        """Pixels that an array is high where its width alone limits it."""
        return round(min(width / slots.columns, self._largest_slot) * slots.rows) + 1

    @property
    def edge(self) -> float:
        """Pixels of a slot for which this map alone has room."""
        return self.edge_in(self.width(), self.height())

    def edge_in(self, width: float, height: float) -> float:
        """Pixels of a slot in so many pixels of width and height."""
        slots = self._slots
        if slots is None:
            return self._largest_slot
        return min(width / slots.columns, height / slots.rows, self._largest_slot)

    def place(self) -> Box:
        """Where the array lies in the widget: as large as its shape allows."""
        slots = self._slots
        if slots is None:
            return Box(0, 0, 0, 0)
        beside = self._beside.edge if self._beside is not None and not self._beside.isHidden() else self._largest_slot
        each = min(self.edge, beside)
        each = float(int(each)) if each >= _EVEN_FROM else each
        return Box(0.0, 0.0, each * slots.columns, each * slots.rows)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_text(self.tip_at(event.pos().x(), event.pos().y())), self)
            return True
        return super().event(event)

    def tip_at(self, x: float, y: float) -> str:
        """ "row 3, column 5: bank 8", "element [3][6], in row 3, column 5: bank 5" where a swizzle has put it there; ""
        beside the array.
        """
        slots, place = self._slots, self.place()
        if slots is None or not place.holds(x, y):
            return ""
        row, column = int(y / place.height * slots.rows), int(x / place.width * slots.columns)
        bank, lies = int(slots.banks[row, column]), (slots.first_row + row, column)
        if bank == NO_SLOT:
            return "padding"
        element = divmod(int(slots.elements[row, column]), slots.source_columns)
        which = f"element [{element[0]}][{element[1]}], in " if element != lies else ""
        return f"{which}row {lies[0]}, column {column}: bank {bank}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        slots = self._slots
        if slots is None:
            return
        theme, place = self._theme, self.place()
        painter = QPainter(self)
        painter.drawImage(QRectF(place.x, place.y, place.width, place.height), self._image(slots))
        each = place.width / slots.columns
        if each >= _GRID_FROM:
            painter.setPen(QPen(QColor(theme.panel), 1.0))
            for column in range(slots.columns + 1):
                painter.drawLine(round(column * each), 0, round(column * each), round(place.bottom))
            for row in range(slots.rows + 1):
                painter.drawLine(0, round(row * each), round(place.right), round(row * each))
        if slots.padding:
            wide = max(each * _OUTLINE, 1.0)
            painter.setPen(QPen(QColor(padding_colour(theme)), wide))
            x = (slots.columns - slots.padding) * each
            painter.drawRect(QRectF(x + wide / 2, wide / 2, place.right - x - wide, place.bottom - wide))

    def _image(self, slots: SlotBanks) -> QImage:
        """A pixel for each slot."""
        theme = self._theme
        palette = np.array([_rgb(shade) for shade in bank_shades(theme)], np.uint32)
        pixels = palette[np.maximum(slots.banks, 0)]
        for use, colour in slot_colours(theme).items():
            pixels[slots.used_as(use, self._marked, self._conflicts)] = _rgb(colour)
        pixels[slots.banks == NO_SLOT] = _rgb(theme.panel)
        pixels = np.ascontiguousarray(pixels)
        image = QImage(pixels.data, slots.columns, slots.rows, 4 * slots.columns, QImage.Format.Format_RGB32)
        return image.copy()


def padding_colour(theme: Theme) -> str:
    """The outline of columns that nobody uses."""
    return theme.muted


def slot_colours(theme: Theme) -> dict[SlotUse, str]:
    """The colours of the slots that stand out."""
    return {SlotUse.CONFLICT: theme.hazard, SlotUse.NEEDED: theme.accent, SlotUse.OF_BANK: theme.reference}


def _rgb(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
