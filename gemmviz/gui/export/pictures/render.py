"""A widget as the bytes of a PNG, an SVG or a PDF. All are painted by the widget itself, so that they look alike."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QRect, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gemmviz.domain.visible_text import visible, visible_layout
from gemmviz.gui.export.svg.capitals import with_capitals
from gemmviz.gui.export.svg.outlines import with_outlines
from gemmviz.gui.looks.fonts import FIGURES, WORDS

MAX_PIXELS = 2**28
"""A picture of a gigabyte; larger ones are refused."""

_BAND_PIXELS = 2_000_000
"""As many are painted in some 20 ms."""

EVERYTHING = QWidget.RenderFlag.DrawWindowBackground | QWidget.RenderFlag.DrawChildren
"""A widget with its ground and all in it."""
_SETTLING = 3
_INCH = 0.0254
_BASE_DPI = 96.0
_POINTS = 72.0
"""So many points has an inch of paper."""
_ROOT = re.compile(r'(<svg\s+)width="[^"]*"\s+height="[^"]*"\s*(?:viewBox="[^"]*")?')
_FALLBACKS = f"""<style>
@supports (display: block) {{
[font-family="{WORDS}"] {{ font-family: {WORDS}, "Helvetica Neue", Arial, sans-serif; }}
[font-family="{FIGURES}"] {{ font-family: "{FIGURES}", Menlo, Consolas, monospace; }}
}}
</style>
"""
"""Fonts for readers who lack ours. Programs that know no @supports, Qt among them, pass over it and take the first."""


class PictureTooLargeError(ValueError):
    """A picture that would need too much memory; the message has its size and the remedy."""


def render_image(widget: QWidget, scale: float = 1.0) -> QImage:
    """A widget as an image of exactly its size times `scale`, whatever the screen's own scale is.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    return next(image for image in image_steps(widget, scale) if image is not None)


def image_steps(widget: QWidget, scale: float) -> Iterator[QImage | None]:
    """The same, band by band: None while there is more to paint, then the image.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = _pixels(widget, scale)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise PictureTooLargeError(f"a picture of {width} x {height} pixels does not fit in memory")
    image.fill(0)  # the first to touch its memory, which may take as long as painting on it
    yield None
    settle(widget)
    yield None
    band = max(64, int(_BAND_PIXELS / (width * scale)))
    for top in range(0, widget.height(), band):
        image.setDevicePixelRatio(scale)
        part = QRegion(0, top, widget.width(), min(band, widget.height() - top))
        widget.render(image, QPoint(0, top), part, EVERYTHING)
        yield None
    image.setDevicePixelRatio(1.0)
    set_density(image, scale)  # only now: while painting it would change the size of the fonts
    yield image


def set_density(image: QImage, scale: float) -> None:
    """Note in an image how many of its pixels an inch takes, if it is `scale` times as large as on a screen."""
    dots = round(_BASE_DPI * scale / _INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)


def png_bytes(image: QImage) -> bytes:
    """An image as a PNG file; safe in any thread."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise OSError(f"the picture of {image.width()} x {image.height()} pixels cannot be encoded as PNG")
    return bytes(buffer.data().data())


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
    width, height = _pixels(widget, scale)
    settle(widget)
    yield None
    drawn = svg_bytes(
        lambda painter: widget.render(painter, QPoint(), QRegion(), EVERYTHING),
        widget.size(),
        QSize(width, height),
        _title_of(widget, title),
        widget.logicalDpiX(),
    )
    yield None
    yield with_capitals(drawn.decode(), widget)


def outlined(drawn: str) -> bytes:
    """The file of what `svg_steps` gave; safe in any thread."""
    return with_outlines(drawn).encode()


def svg_bytes(
    paint: Callable[[QPainter], object], view: QSize, canvas: QSize, title: str, dpi: int = round(_BASE_DPI)
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


def render_pdf(widget: QWidget, scale: float = 1.0, title: str = "") -> bytes:
    """A widget as a PDF file, one page of its size times `scale` at 96 pixels an inch: shapes, and text as text.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    width, height = _pixels(widget, scale)
    settle(widget)
    return pdf_bytes(
        lambda painter: widget.render(painter, QPoint(), QRegion(), EVERYTHING),
        widget.size(),
        QSize(width, height),
        _title_of(widget, title),
    )


def pdf_bytes(paint: Callable[[QPainter], object], view: QSize, canvas: QSize, title: str) -> bytes:
    """What `paint` paints in units of `view`, as a PDF file of one page, which is `canvas` at 96 pixels an inch.

    Safe in any thread, if `paint` is.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(visible(title))
    writer.setCreator("gemmviz")
    points = QSizeF(canvas) * (_POINTS / _BASE_DPI)
    page = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(round(_BASE_DPI))  # fonts are then as many units high as on the screen
    with QPainter(writer) as painter:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        whole = page.sizePoints()  # a page has whole points: what is painted covers it to its edges
        pixels = _BASE_DPI / _POINTS
        painter.scale(whole.width() * pixels / view.width(), whole.height() * pixels / view.height())
        paint(painter)
    return bytes(buffer.data().data())


def settle(widget: QWidget) -> None:
    """Let what was never shown take its place: sizes of hidden widgets follow their layouts one step behind."""
    nowhere = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    for _ in range(_SETTLING):
        widget.render(nowhere, QPoint(), QRegion(0, 0, 1, 1), EVERYTHING)


def _title_of(widget: QWidget, title: str) -> str:
    return title or widget.accessibleName() or widget.windowTitle() or "gemmviz"


def _pixels(widget: QWidget, scale: float) -> tuple[int, int]:
    return check_size(widget.width(), widget.height(), scale)


def check_size(width: float, height: float, scale: float) -> tuple[int, int]:
    """The pixels of a picture of that size, scaled.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    if not math.isfinite(scale):
        raise PictureTooLargeError(f"{scale} is not a scale: choose a number such as 1 or 2")
    width, height = round(width * scale), round(height * scale)
    if min(width, height) < 1:
        raise PictureTooLargeError(f"a picture of {width} x {height} pixels is empty: choose a larger scale")
    if width * height > MAX_PIXELS or max(width, height) > 32767:
        raise PictureTooLargeError(
            f"a picture of {width} x {height} pixels is too large: choose a scale below {scale:g}"
        )
    return width, height


def _tidied(svg: str, canvas: QSize, view: QSize) -> str:
    """Qt writes its canvas in millimetres, and names no font to fall back on."""
    root = rf'\1width="{canvas.width()}" height="{canvas.height()}" viewBox="0 0 {view.width()} {view.height()}"'
    svg = _ROOT.sub(root, visible_layout(svg), count=1)
    return svg.replace("<defs>", _FALLBACKS + "<defs>", 1)
