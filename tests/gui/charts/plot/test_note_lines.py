"""What is said below a figure is whole where a second line has room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from gemmviz.gui.charts.plot.note_lines import note_lines
from gemmviz.gui.looks.fonts import words

SAID = "1 of 64 blocks · 4.00 sectors/request · 100 % used"


@pytest.mark.usefixtures("qapp")
def test_that_a_note_has_a_second_line_in_a_high_row() -> None:
    font = words(8.5)
    whole = QFontMetricsF(font).horizontalAdvance(SAID)
    assert note_lines(SAID, font, 0.8 * whole, 44.0) == ["1 of 64 blocks · 4.00 sectors/request", "100 % used"]
    assert note_lines(SAID, font, whole + 2, 44.0) == [SAID]
    assert note_lines(SAID, font, 0.8 * whole, 34.0) == [SAID], "a low row has no second line"
