"""An SVG looks the same with and without its fonts, and its words can still be read."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from gemmviz.gui.export.pictures.widget_svg import svg_bytes
from gemmviz.gui.export.svg.outlines import with_outlines
from gemmviz.gui.looks.fonts import figures, words

SIZE = QSize(240, 100)
SAID = ("Totals & hazards <1>", "1 024 sectors", "Barrier interval 3 of 9")


def paint(painter: QPainter) -> None:
    painter.setPen(QColor("black"))
    fonts = words(8.5, QFont.Weight.DemiBold), figures(10.0), words(13.0)
    for row, (said, font) in enumerate(zip(SAID, fonts, strict=True)):
        painter.setFont(font)
        painter.drawText(QPointF(5, 25 + 30 * row), said)


def ink(svg: str) -> NDArray[np.float64]:
    image = QImage(SIZE * 4, QImage.Format.Format_Grayscale8)
    image.fill(255)
    with QPainter(image) as painter:
        QSvgRenderer(svg.encode()).render(painter)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return 255.0 - lines[:, : image.width()]


def test_that_outlines_alone_look_as_the_text_did_with_its_fonts() -> None:
    svg = svg_bytes(paint, SIZE, SIZE, "text").decode()
    outlined = with_outlines(svg)
    alone = re.sub(r"<text.*?</text>", "", outlined, flags=re.DOTALL)
    before, after = ink(svg), ink(alone)
    assert np.array_equal(ink(outlined), after), "the words themselves leave no ink"
    assert abs(after.sum() / before.sum() - 1) < 0.1, "the system may round the size of a font"
    for row in range(3):
        one, other = (np.flatnonzero(part[row * 120 + 20 : row * 120 + 120].any(axis=0)) for part in (before, after))
        assert abs(one[0] - other[0]) <= 4
        assert abs(one[-1] - other[-1]) <= 8, "a line ends where it did"


def test_that_the_words_stay_to_be_selected_and_found() -> None:
    outlined = with_outlines(svg_bytes(paint, SIZE, SIZE, "text").decode())
    texts = re.findall(r"<text ([^>]*)>([^<]*)</text>", outlined)
    assert [said for _, said in texts] == [
        said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for said in SAID
    ]
    assert all('fill-opacity="0"' in looks and "textLength=" in looks for looks, _ in texts)


def test_that_each_glyph_is_kept_once() -> None:
    def twice(painter: QPainter) -> None:
        painter.setFont(words(10.0))
        for y in (20, 40):
            painter.drawText(QPointF(5, y), "aab")

    outlined = with_outlines(svg_bytes(twice, SIZE, SIZE, "text").decode())
    assert outlined.count("<path id=") == 2
    assert outlined.count("<use ") == 6
