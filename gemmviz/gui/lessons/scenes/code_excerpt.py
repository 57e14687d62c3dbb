"""Some lines of a kernel's source, large enough to be read from where one sits, with lit lines and an added one."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.explain.source.tokens import language_of, tokens_of
from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.looks.projector import least_label
from gemmviz.gui.looks.theme import Theme, blend
from gemmviz.gui.source.highlight import ground, word_colour

POINTS = 10.5
LINE, CLOSE_LINE, WIDE_LINE = 1.55, 1.2, 2.1
"""Height of a line, in heights of its letters, where there is little room, and at most where it is to be filled."""
LARGER = 1.5, 1.4, 1.3, 1.2, 1.15, 1.1, 1.0
"""Times as large as usual, where lines grow."""
NUMBERS = 44.0
MARGIN = 12.0
BRIEF_POINTS, BRIEF_LINE, BRIEF_MARGIN = 9.5, 1.25, 4.0
"""Of a few lines above a picture, which have no numbers."""
GAP, MISSING = -1, -2
"""In place of a line's number: an empty row, and one that says what is missing there."""


def dedented(lines: Sequence[str]) -> list[str]:
    """The lines without the white space that all of them begin with."""
    filled = [line for line in lines if line.strip()]
    shared = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    return [line[shared:] for line in lines]


class CodeExcerpt(QWidget):
    """Paints lines of a source, with their numbers unless it `is_brief`. A line that was added has a green ground."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, is_brief: bool = False) -> None:
        super().__init__(parent)
        self._is_brief, self._leading = is_brief, BRIEF_LINE if is_brief else LINE
        self._room, self._grows, self._fills, self._times = 0, False, False, 1.0
        self.setObjectName("lessonCode")
        self.setAccessibleName("Source")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme, self._magnification = theme, 1.0
        self._name, self._first = "", 1
        self._lines: list[str] = []
        self._numbers: list[int] = []
        self._lit: frozenset[int] = frozenset()
        self._added = 0

    @property
    def line_height(self) -> float:
        """Pixels from one line to the next."""
        return round(QFontMetricsF(self._font).height() * self._leading / 1.25)

    def fit(self, height: int, *, grows: bool = False, fills: bool = False) -> None:
        """Set the lines closer where they do not all fit into so many pixels, and as usual where they do; where it
        `grows`, in larger type as far as they have room; where it `fills` them, with more space between them, too.
        """
        self._room, self._grows, self._fills = height, grows or fills, fills
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._grows:
            self._fit()

    def _fit(self) -> None:
        before = self._times, self._leading
        for times in LARGER if self._grows else LARGER[-1:]:
            self._times, self._leading = times, LINE
            wanted = self.sizeHint()
            if wanted.width() <= self.width() and wanted.height() <= self._room:
                break
        if self._grows:
            self._read_from_afar()
        if self.sizeHint().height() > self._room:
            self._leading = CLOSE_LINE
        elif self._fills and self._lines:
            line = (self._room - 2 * self._margin) // len(self._lines)
            self._leading = max(LINE, min(WIDE_LINE, 1.25 * line / QFontMetricsF(self._font).height()))
        if before != (self._times, self._leading):
            self.updateGeometry()
            self.update()

    def _read_from_afar(self) -> None:
        """Bring lines that have the width closer, before their type is smaller than what is read from afar."""
        fitting, least = self._times, least_label(self)
        for times in reversed(LARGER):
            self._times = times
            if self.type_pixels >= least:
                break
        wanted = self.sizeHint()
        if self._times > fitting and wanted.width() <= self.width() and wanted.height() > self._room:
            line = (self._room - 2 * self._margin) / max(len(self._lines), 1)
            self._leading *= line / self.line_height
        if self._times <= fitting or wanted.width() > self.width() or self._leading < CLOSE_LINE:
            self._times, self._leading = fitting, LINE

    @property
    def text_left(self) -> float:
        """Where the lines begin, in pixels from the left, right of their numbers."""
        return (0.0 if self._is_brief else NUMBERS * self._magnification * self._times) + self._margin

    def right_above(self, bottom: float) -> float:
        """Where the longest of the lines ends that begin above so many pixels, from the left."""
        lines = self._lines[: max(ceil((bottom - self._margin) / self.line_height), 0)]
        measure = QFontMetricsF(self._font)
        return self.text_left + max(map(measure.horizontalAdvance, lines), default=0.0)

    @property
    def type_pixels(self) -> int:
        """The size of the lines' type, in pixels."""
        return QFontInfo(self._font).pixelSize()

    @property
    def _margin(self) -> float:
        return BRIEF_MARGIN if self._is_brief else MARGIN

    @property
    def _font(self) -> QFont:
        return figures((BRIEF_POINTS if self._is_brief else POINTS) * self._magnification * self._times)

    def set_magnification(self, factor: float) -> None:
        """Write everything so many times as large."""
        self._magnification = factor
        self.updateGeometry()
        self.update()

    def show_source(
        self,
        name: str,
        text: str,
        first: int,
        last: int,
        added: int = 0,
        gaps: Sequence[int] = (),
        missing: tuple[int, str] = (0, ""),
    ) -> None:
        """Show these lines, counted from 1. Line `added` has a green ground; below each line of `gaps` is an empty
        row, and below the line that is `missing` something, a row that says so.
        """
        lines = text.split("\n")[first - 1 : last]
        numbers = list(range(first, first + len(lines)))
        for gap in sorted(gaps, reverse=True):
            place = gap - first + 1
            lines.insert(place, "")
            numbers.insert(place, GAP)
        if missing[0]:
            place = numbers.index(missing[0]) + 1
            before = lines[place - 1]
            lines.insert(place, f"{before[: len(before) - len(before.lstrip())]}{missing[1]}")
            numbers.insert(place, MISSING)
        self._name, self._lines, self._numbers = name, dedented(lines), numbers
        self._added = added
        self.setAccessibleDescription("\n".join(self._lines))
        self.updateGeometry()
        self.update()

    def show_lines(self, name: str, text: str, numbers: Sequence[int]) -> None:
        """Show these lines of a source, counted from 1, one below the other."""
        lines = text.split("\n")
        self._name, self._lines = name, dedented([lines[number - 1] for number in numbers])
        self._numbers, self._added = list(numbers), 0
        self.setAccessibleDescription("\n".join(self._lines))
        self.updateGeometry()
        self.update()

    def light(self, lines: Sequence[int]) -> None:
        """The lines that run now."""
        self._lit = frozenset(lines)
        self.update()

    def top_of(self, line: int) -> float:
        """Where a line begins, in pixels from above; the end for a line that is not shown."""
        place = self._numbers.index(line) if line in self._numbers else len(self._lines)
        return self._margin + place * self.line_height

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        widest = max((QFontMetricsF(self._font).horizontalAdvance(line) for line in self._lines), default=200.0)
        height = len(self._lines) * self.line_height + 2 * self._margin
        return QSize(round(widest + self.text_left + self._margin), round(height))

    def minimumSizeHint(self) -> QSize:
        return QSize(260, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), QColor(theme.panel))
        font, height = self._font, self.line_height
        painter.setFont(font)
        letter = QFontMetricsF(font).horizontalAdvance("m")
        cut = tokens_of(self._lines, language_of(self._name))
        for place, (number, tokens) in enumerate(zip(self._numbers, cut, strict=True)):
            box = QRectF(0, self._margin + place * height, self.width(), height)
            if number == self._added:
                painter.fillRect(box, QColor(blend(theme.panel, theme.good, 0.2)))
            elif number in self._lit:
                painter.fillRect(box, QColor(ground(theme, is_running=True, is_chosen=False)))
            elif number == MISSING:
                painter.fillRect(box, QColor(blend(theme.panel, theme.hazard, 0.2)))
            if not self._is_brief:
                painter.setPen(QColor(theme.muted))
                edge = QRectF(box.left(), box.top(), self.text_left - self._margin, height)
                painter.drawText(edge, _RIGHT, str(number) if number > 0 else "")
            for token in tokens:
                painter.setPen(QColor(theme.text if number == MISSING else word_colour(token.kind, theme)))
                left = self.text_left + token.start * letter
                painter.drawText(QRectF(left, box.top(), self.width() - left, height), _LEFT, token.text)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
