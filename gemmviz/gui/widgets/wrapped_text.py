"""Text laid out by hand: lines that fit a width, and the small-capitals font of section heads."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextLayout, QTextOption

from gemmviz.domain.unbroken_text import with_unbroken_spaces
from gemmviz.gui.looks.fonts import SMALL, words


def wrapped(text: str, font: QFont, width: int, most_lines: int) -> list[str]:
    """The text in lines of at most `width` pixels; what is beyond `most_lines` ends in an ellipsis."""
    layout = QTextLayout(with_unbroken_spaces(text), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        starts.append(line.textStart())
    layout.endLayout()
    # Qt counts in UTF-16; kernel headers may hold characters that take two of its units.
    units = text.encode("utf-16-le")
    pieces = [
        units[2 * start : 2 * end].decode("utf-16-le", "ignore").strip()
        for start, end in zip(starts, [*starts[1:], len(units) // 2], strict=True)
    ]
    if len(pieces) <= most_lines:
        return pieces
    rest = units[2 * starts[most_lines - 1] :].decode("utf-16-le", "ignore")
    last = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return [*pieces[: most_lines - 1], last]


def heading_font() -> QFont:
    """Small capitals, spaced a little."""
    font = words(SMALL, QFont.Weight.DemiBold)
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 105)
    return font
