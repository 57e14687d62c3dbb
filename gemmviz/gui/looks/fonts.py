"""The fonts gemmviz brings: one for words, one for figures and code."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase

from gemmviz.resources import resource_folder

WORDS = "Inter"
FIGURES = "JetBrains Mono"
SMALL, NORMAL, LARGE = 8.5, 10.0, 13.0
"""Sizes in points."""
_ALTERNATES = QFont.Tag("calt")
"""Other shapes of signs between digits and capitals. A PDF does not know which signs they are, so that text copied from
it would lack them.
"""


def load_fonts() -> None:
    """Make the bundled fonts known to Qt; once a QApplication exists."""
    for path in sorted((resource_folder("assets") / "fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))


def words(points: float = NORMAL, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font for words."""
    font = QFont(WORDS)
    font.setFeature(_ALTERNATES, 0)
    font.setPointSizeF(points)
    font.setWeight(weight)
    return font


def figures(points: float = NORMAL, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The font for figures and code, all digits of one width. Words' font has the thin space between thousands, which
    it lacks: Qt would draw one as wide as a digit.
    """
    font = QFont([FIGURES, WORDS])
    font.setPointSizeF(points)
    font.setWeight(weight)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
