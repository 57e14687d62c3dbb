"""What a block stored in C, element by element, beside what it should be."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import counted, element_text
from gemmviz.gui.looks.fonts import NORMAL, figures, words
from gemmviz.gui.looks.projector import has_screen, projector_scale
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.labels import value_text
from gemmviz.measure.check.reference import build_reference

HEAD, CELL_HEIGHT, CELL_WIDTH = 32.0, 44.0, 84.0
LEAST_WIDTH = 260
LEAST_CELL = 28.0
"""Pixels of the table's width, and of the height of a row, at least."""
LEAST_VALUE, LEAST_VERDICT = 12, 11
"""Pixels of the type of a value and of its verdict at least, both of which a row of LEAST_CELL holds."""
SCREEN_VALUE, SCREEN_VERDICT = 16.0, 16.0
"""The same on a whole screen of usual size, where they are read from the back of a room, in rows that hold them."""
VALUE_HOLDS, VERDICT_HOLDS, ALONE_HOLDS = 0.45, 0.45, 0.62
"""Of the height of a row no type has more than so much; the last where no element is stored yet, and has no verdict."""
LEAST_WORDY = 14
"""Pixels below which a verdict is a number alone, in larger type: the colour of its cell says whether it is right."""
MOST_WHOLE = 1e7
"""Whole numbers below it are written in full."""
MARGIN, GAP = 12.0, 2.0
VALUE_PART, VERDICT_PART = 0.34, 0.25
"""Of the height of a row the type of its value and of its verdict has so much, at most."""
BESIDE, EM_BESIDE = 3.0, 0.25
"""Pixels left free at each side of what a cell says at least, and over the size of its type: neighbours stand further
apart than thousands in a number.
"""
NARROW, WIDER = 90.0, 0.25
"""A cell that is wider than so many pixels leaves this part of what it has more free at each side, too."""
NUMBER = 2
"""The form of a verdict that is a number alone, by its place in `StoredElement.verdicts`."""
TINT = 0.12
"""How much of its verdict's colour is behind a value."""


def number_text(value: float) -> str:
    """A number of the table: a whole one with all its digits, as a reader adds them up."""
    return element_text(f"{value:.0f}") if value.is_integer() and abs(value) < MOST_WHOLE else value_text(value)


@dataclass(frozen=True, slots=True)
class StoredElement:
    """An element of C: what the block stored, None before it does, and the float64 product."""

    row: int
    column: int
    stored: float | None
    right: float

    @property
    def is_wrong(self) -> bool:
        """Whether something was stored that is not the product; for inputs whose float32 product is exact."""
        return self.stored is not None and self.stored != self.right

    @property
    def value(self) -> str:
        """What was stored: "335", or "–" for nothing yet."""
        return "–" if self.stored is None else number_text(self.stored)

    @property
    def verdict(self) -> str:
        """ "should be 1380" or "right"; nothing before anything is stored."""
        if self.stored is None:
            return ""
        return f"should be {number_text(self.right)}" if self.is_wrong else "right"

    @property
    def verdicts(self) -> tuple[str, str, str]:
        """The verdict, and its forms where there is less room: "should be 1380", "≠ 1380", "1380"; of a right element
        "right", "right", and nothing.
        """
        number = number_text(self.right)
        return (self.verdict, f"≠ {number}", number) if self.is_wrong else (self.verdict, self.verdict, "")

    @property
    def sentence(self) -> str:
        """ "C[0,0] = 335, should be 1380"."""
        value = "is not stored yet" if self.stored is None else f"= {number_text(self.stored)}, {self.verdict}"
        return f"{element_name('C', self.row, self.column)} {value}"


def stored_elements(scene: Scene) -> tuple[tuple[StoredElement, ...], ...]:
    """The elements that the block of a picture makes, row by row; none while they or A and B are not known."""
    part = scene.analysis.part if scene.analysis is not None else None
    shade = scene.picture.matrices.get("C") if scene.picture is not None else None
    a, b = scene.values.a, scene.values.b
    if part is None or shade is None or a is None or b is None:
        return ()
    right = build_reference(a, b).r
    return tuple(
        tuple(
            StoredElement(
                row,
                column,
                scene.values.of("C", row, column) if shade.is_stored(row, column) else None,
                float(right[row, column]),
            )
            for column in range(part.column_start, part.column_stop)
        )
        for row in range(part.row_start, part.row_stop)
    )


class ResultTable(QWidget):
    """Paints the elements of one block as a table; what is wrong stands out by its colour and says what is right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lessonResult")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._theme, self._head = theme, HEAD
        self._least_value, self._least_verdict = LEAST_VALUE, LEAST_VERDICT
        self._font = words(weight=QFont.Weight.DemiBold)
        self.elements: tuple[tuple[StoredElement, ...], ...] = ()

    def show_elements(self, elements: tuple[tuple[StoredElement, ...], ...]) -> None:
        """Show these, row by row."""
        least = self.minimumSizeHint()
        self.elements = elements
        self.setAccessibleName(self.summary)
        self.setAccessibleDescription("; ".join(each.sentence for row in elements for each in row))
        if self.minimumSizeHint() != least:
            self.updateGeometry()
        self.update()

    @property
    def summary(self) -> str:
        """ "C as this block stored it: 15 of 16 elements are wrong"."""
        all_of_them = [each for row in self.elements for each in row]
        if not any(each.stored is not None for each in all_of_them):
            return "C: nothing is stored yet"
        wrong = sum(each.is_wrong for each in all_of_them)
        return f"C as stored: {wrong} of {counted(len(all_of_them), 'element')} {'is' if wrong == 1 else 'are'} wrong"

    @property
    def number_summary(self) -> str:
        """The same, and what the numbers without words are: "C: 32 of 64 wrong, right values below"."""
        all_of_them = [each for row in self.elements for each in row]
        wrong = sum(each.is_wrong for each in all_of_them)
        return f"C: {wrong} of {len(all_of_them)} wrong, right values below" if wrong else self.summary

    @property
    def _room(self) -> float:
        """Pixels below the head."""
        return self.height() - self._head - MARGIN

    def cell(self, down: int, across: int) -> QRectF:
        """Where the element of a row and a column of `elements` is painted, in pixels."""
        height = self._room / len(self.elements)
        width = (self.width() - 2 * MARGIN) / len(self.elements[0])
        return QRectF(MARGIN + across * width, self._head + down * height, width - GAP, height - GAP)

    def set_magnification(self, factor: float) -> None:
        """Write the head so many times as large; the elements are as large as they have room, on the whole screen at
        least as large as they are read from afar.
        """
        self._font, self._head = words(NORMAL * factor, QFont.Weight.DemiBold), HEAD * factor
        self._least_value, self._least_verdict = LEAST_VALUE, LEAST_VERDICT
        if has_screen(self):
            scale = projector_scale(self)
            self._least_value, self._least_verdict = round(SCREEN_VALUE * scale), round(SCREEN_VERDICT * scale)
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        columns = len(self.elements[0]) if self.elements else 4
        rows = len(self.elements) or 4
        return QSize(round(columns * CELL_WIDTH + 2 * MARGIN), round(self._head + rows * CELL_HEIGHT + MARGIN))

    def minimumSizeHint(self) -> QSize:
        rows = len(self.elements) or 4
        held = max(self._least_value / VALUE_HOLDS, self._least_verdict / VERDICT_HOLDS) if has_screen(self) else 0.0
        row = max(LEAST_CELL, held + GAP)
        return QSize(max(LEAST_WIDTH, self._least_width()), round(self._head + rows * row + MARGIN))

    def _least_width(self) -> int:
        """How wide the table must be for its longest value and brief verdict in the smallest type that is read; on the
        whole screen for a verdict that is a number alone.
        """
        value, verdict = figures(weight=QFont.Weight.DemiBold), words()
        value.setPixelSize(self._least_value)
        verdict.setPixelSize(self._least_verdict)
        elements = [each for row in self.elements for each in row]
        longest = max((number_text(each.right) for each in elements), key=len, default="")
        written = ((value, self._longest_number()), (verdict, longest if has_screen(self) else f"≠ {longest}"))
        cell = max(QFontMetricsF(font).horizontalAdvance(text) + 2 * _beside(font) for font, text in written) + GAP
        return math.ceil(cell * len(self.elements[0]) + 2 * MARGIN) if self.elements else 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        head = QRectF(MARGIN, 0, self.width() - 2 * MARGIN, self._head)
        if not self.elements:
            painter.drawText(head, _LEFT, self.summary)
            return
        first = self.cell(0, 0)
        value = self.value_type(first.width(), first.height())
        verdicts = self.verdict_type(first.width(), first.height())
        painter.drawText(head, _LEFT, self.number_summary if verdicts[1] == NUMBER else self.summary)
        for down, row in enumerate(self.elements):
            for across, element in enumerate(row):
                self._draw(painter, self.cell(down, across), element, value, verdicts)

    def _draw(
        self, painter: QPainter, box: QRectF, element: StoredElement, value: QFont, verdicts: tuple[QFont, int]
    ) -> None:
        theme = self._theme
        colour = theme.muted if element.stored is None else theme.hazard if element.is_wrong else theme.good
        painter.fillRect(box, QColor(theme.field if element.stored is None else blend(theme.panel, colour, TINT)))
        said, form = verdicts
        verdict = box.height() * 0.4 if element.verdicts[form] else 0.0
        above, below = box.adjusted(0, 0, 0, -verdict), box.adjusted(0, box.height() * 0.54, 0, 0)
        painter.setFont(value)
        painter.setPen(QColor(colour))
        painter.drawText(above, _MIDDLE, element.value)
        painter.setFont(said)
        painter.setPen(QColor(theme.text if element.is_wrong else theme.muted))
        painter.drawText(below, _MIDDLE, element.verdicts[form])

    def value_type(self, width: float, height: float) -> QFont:
        """The type of all values in cells of that size, as large as the longest of them has room for: the stored ones
        and the right ones, so that nothing changes its size while values are stored.
        """
        value, longest = figures(weight=QFont.Weight.DemiBold), self._longest_number()
        has_verdicts = any(each.stored is not None for row in self.elements for each in row)
        holds = VALUE_HOLDS if has_verdicts else ALONE_HOLDS
        least = max(min(self._least_value, round(height * holds)), LEAST_VALUE)
        for pixels in range(max(round(height * VALUE_PART), least), least - 1, -1):
            value.setPixelSize(pixels)
            if QFontMetricsF(value).horizontalAdvance(longest) <= _room_for_words(width, value):
                break
        return value

    def _longest_number(self) -> str:
        """The longest of the values that are stored and those that are right."""
        numbers = [text for row in self.elements for each in row for text in (each.value, number_text(each.right))]
        return max(numbers, key=len, default="")

    def verdict_type(self, width: float, height: float) -> tuple[QFont, int]:
        """The type of all verdicts in cells of that size, no larger than that of the values and as large as the longest
        verdict has room for, and which of their forms they have: fewer words sooner than smaller type, and a number
        alone sooner than words smaller than LEAST_WORDY.
        """
        said = words()
        elements = [each for row in self.elements for each in row]
        longest = [max(forms, key=len) for forms in zip(*(each.verdicts for each in elements), strict=True)]
        least = max(min(self._least_verdict, round(height * VERDICT_HOLDS)), LEAST_VERDICT)
        most = max(min(round(height * VERDICT_PART), self.value_type(width, height).pixelSize()), least)
        wordy = [(pixels, form) for pixels in range(most, max(LEAST_WORDY, least) - 1, -1) for form in range(NUMBER)]
        for pixels, form in (*wordy, *((pixels, NUMBER) for pixels in range(most, least - 1, -1))):
            said.setPixelSize(pixels)
            if QFontMetricsF(said).horizontalAdvance(longest[form]) <= _room_for_words(width, said):
                return said, form
        return said, NUMBER


def _room_for_words(width: float, font: QFont) -> float:
    """How wide what a cell of that width says in that type may be."""
    return width - 2 * (_beside(font) + WIDER * max(width - NARROW, 0.0))


def _beside(font: QFont) -> float:
    return max(BESIDE, EM_BESIDE * font.pixelSize())


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_MIDDLE = int(Qt.AlignmentFlag.AlignCenter)
