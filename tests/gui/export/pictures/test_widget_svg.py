"""The words of an SVG are text, in fonts that a reader without ours can replace by some that are like them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.pictures.widget_svg import render_svg
from gemmviz.gui.looks.fonts import figures, words

TEXT = "{http://www.w3.org/2000/svg}text"


@pytest.mark.parametrize(
    ("font", "family"),
    [(words(), "Inter, Helvetica Neue, Arial, sans-serif"), (figures(), "JetBrains Mono, Menlo, Consolas, monospace")],
    ids=["words", "figures"],
)
def test_that_words_name_fonts_to_fall_back_on(qtbot: QtBot, font: QFont, family: str) -> None:
    label = QLabel("rows 0–15 & more")
    qtbot.addWidget(label)
    label.setFont(font)
    label.resize(200, 40)
    drawn = ElementTree.fromstring(render_svg(label))
    (text,) = drawn.iter(TEXT)
    assert (text.text or "").strip() == "rows 0–15 & more"
    assert text.get("font-family") == family
