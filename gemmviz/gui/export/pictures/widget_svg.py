"""A widget as an SVG file. The widget itself paints it, as in `widget_image`, so that both look alike."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible, visible_layout
from gemmviz.gui.looks.fonts import FIGURES, WORDS
from gemmviz.gui.widgets.widget_image import BASE_DPI, EVERYTHING, check_size, settle

_SVG, _LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", _LINK)
_FAMILIES = {
    WORDS: f"{WORDS}, Helvetica Neue, Arial, sans-serif",
    FIGURES: f"{FIGURES}, Menlo, Consolas, monospace",
}
"""Fonts for readers who lack ours."""


def render_svg(widget: QWidget, scale: float = 1.0, title: str = "") -> bytes:
    """A widget as an SVG file, a canvas of its size times `scale`: shapes, and text as text.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    return paint_svg(widget, scale, title)()


def paint_svg(widget: QWidget, scale: float = 1.0, title: str = "") -> Callable[[], bytes]:
    """Paint a widget as an SVG file; what makes the file of it, in any thread.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = check_size(widget.width(), widget.height(), scale)
    settle(widget)
    view, canvas = widget.size(), QSize(width, height)
    drawn = _drawn(
        lambda painter: widget.render(painter, QPoint(), QRegion(), EVERYTHING),
        view,
        title or widget.accessibleName() or widget.windowTitle() or "gemmviz",
        widget.logicalDpiX(),
    )
    return lambda: _tidied(drawn, canvas, view)


def svg_bytes(paint: Callable[[QPainter], object], view: QSize, canvas: QSize, title: str) -> bytes:
    """What `paint` paints in units of `view`, as an SVG file that is shown in the size of `canvas`."""
    return _tidied(_drawn(paint, view, title, round(BASE_DPI)), canvas, view)


def _drawn(paint: Callable[[QPainter], object], view: QSize, title: str, dpi: int) -> bytes:
    """The file as Qt writes it."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the tiny profile cannot clip
    generator.setOutputDevice(buffer)
    generator.setSize(view)
    generator.setViewBox(QRect(QPoint(), view))
    generator.setResolution(dpi)
    generator.setTitle(visible(title))
    generator.setDescription("made by gemmviz")
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def _tidied(drawn: bytes, canvas: QSize, view: QSize) -> bytes:
    """Give the canvas in pixels, where Qt gives millimetres, and name fonts to fall back on."""
    root = ElementTree.fromstring(visible_layout(drawn.decode()))
    root.set("width", str(canvas.width()))
    root.set("height", str(canvas.height()))
    root.set("viewBox", f"0 0 {view.width()} {view.height()}")
    for text in root.iter(f"{{{_SVG}}}text"):
        family = text.get("font-family", "").partition(",")[0]
        text.set("font-family", _FAMILIES.get(family, family))
    return ElementTree.tostring(root, encoding="unicode").encode()
