"""A widget as an SVG file. The widget itself paints it, as in `widget_image`, so that both look alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible, visible_layout
from gemmviz.gui.export.svg.capitals import with_capitals
from gemmviz.gui.export.svg.outlines import with_outlines
from gemmviz.gui.looks.fonts import FIGURES, WORDS
from gemmviz.gui.widgets.widget_image import BASE_DPI, EVERYTHING, check_size, settle

_ROOT = re.compile(r'(<svg\s+)width="[^"]*"\s+height="[^"]*"\s*(?:viewBox="[^"]*")?')
_FALLBACKS = f"""<style>
@supports (display: block) {{
[font-family="{WORDS}"] {{ font-family: {WORDS}, "Helvetica Neue", Arial, sans-serif; }}
[font-family="{FIGURES}"] {{ font-family: "{FIGURES}", Menlo, Consolas, monospace; }}
}}
</style>
"""
"""Fonts for readers who lack ours. Programs that know no @supports, Qt among them, pass over it and take the first."""


def render_svg(widget: QWidget, scale: float = 1.0, title: str = "") -> bytes:
    """A widget as an SVG file, a canvas of its size times `scale`: shapes, and text as outlines.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    return outlined(next(drawn for drawn in svg_steps(widget, scale, title) if drawn is not None))


def svg_steps(widget: QWidget, scale: float = 1.0, title: str = "") -> Iterator[str | None]:
    """The same with its text as text, step by step: None while there is more to do, then what `outlined` finishes.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = check_size(widget.width(), widget.height(), scale)
    settle(widget)
    yield None
    name = title or widget.accessibleName() or widget.windowTitle() or "gemmviz"
    drawn = svg_bytes(
        lambda painter: widget.render(painter, QPoint(), QRegion(), EVERYTHING),
        widget.size(),
        QSize(width, height),
        name,
        widget.logicalDpiX(),
    )
    yield None
    yield with_capitals(drawn.decode(), widget)


def outlined(drawn: str) -> bytes:
    """The file of what `svg_steps` gave; safe in any thread."""
    return with_outlines(drawn).encode()


def svg_bytes(
    paint: Callable[[QPainter], object], view: QSize, canvas: QSize, title: str, dpi: int = round(BASE_DPI)
) -> bytes:
    """What `paint` paints in units of `view`, as an SVG file that is shown in the size of `canvas`."""
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
    return _tidied(bytes(buffer.data().data()).decode("utf-8"), canvas, view).encode()


def _tidied(svg: str, canvas: QSize, view: QSize) -> str:
    """Qt writes its canvas in millimetres, and names no font to fall back on."""
    root = rf'\1width="{canvas.width()}" height="{canvas.height()}" viewBox="0 0 {view.width()} {view.height()}"'
    svg = _ROOT.sub(root, visible_layout(svg), count=1)
    return svg.replace("<defs>", _FALLBACKS + "<defs>", 1)
