"""The legend of the array beside the banks."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.stages.slot_banks import SlotUse
from gemmviz.gui.stages.slot_legend import SlotLegend

SQUARES = "■□"


def test_that_no_line_ends_between_a_square_and_its_words(qtbot: QtBot) -> None:
    legend = SlotLegend()
    qtbot.addWidget(legend)
    legend.show_uses(list(SlotUse), 0, None, LIGHT, has_padding=True)
    document = QTextDocument()
    document.setDefaultFont(legend.font())
    document.setHtml(legend.text())
    counts = set()
    for width in range(110, 260, 6):
        document.setTextWidth(width)
        document.documentLayout().documentSize()
        lines = []
        block = document.begin()
        while block.isValid():
            layout = block.layout()
            places = [layout.lineAt(number) for number in range(layout.lineCount())]
            lines += [block.text()[one.textStart() : one.textStart() + one.textLength()].rstrip(" ") for one in places]
            block = block.next()
        assert not [line for line in lines if line[-1] in SQUARES], (width, lines)
        counts.add(len(lines))
    assert len(counts) > 1, "some widths break lines"
