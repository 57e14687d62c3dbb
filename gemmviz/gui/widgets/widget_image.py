"""A widget as an image, and an image as a PNG file. The widget itself paints it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QWidget

MAX_PIXELS = 2**28
"""A picture of a gigabyte; larger ones are refused."""

_BAND_PIXELS = 2_000_000
"""As many are painted in some 20 ms."""

EVERYTHING = QWidget.RenderFlag.DrawWindowBackground | QWidget.RenderFlag.DrawChildren
"""A widget with its ground and all in it."""
_SETTLING = 3
_INCH = 0.0254
BASE_DPI = 96.0


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
    width, height = check_size(widget.width(), widget.height(), scale)
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise PictureTooLargeError(f"a picture of {width} × {height} pixels does not fit in memory")
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
    dots = round(BASE_DPI * scale / _INCH)
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)


def png_bytes(image: QImage) -> bytes:
    """An image as a PNG file; safe in any thread."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise OSError(f"the picture of {image.width()} × {image.height()} pixels cannot be encoded as PNG")
    return bytes(buffer.data().data())


def settle(widget: QWidget) -> None:
    """Let what was never shown take its place: sizes of hidden widgets follow their layouts one step behind."""
    nowhere = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    for _ in range(_SETTLING):
        widget.render(nowhere, QPoint(), QRegion(0, 0, 1, 1), EVERYTHING)


def check_size(width: float, height: float, scale: float) -> tuple[int, int]:
    """The pixels of a picture of that size, scaled.

    Raises:
        PictureTooLargeError: it has no pixel, or more than MAX_PIXELS.
    """
    if not math.isfinite(scale):
        raise PictureTooLargeError(f"{scale} is not a scale: choose a number such as 1 or 2")
    width, height = round(width * scale), round(height * scale)
    if min(width, height) < 1:
        raise PictureTooLargeError(f"a picture of {width} × {height} pixels is empty: choose a larger scale")
    if width * height > MAX_PIXELS or max(width, height) > 32767:
        raise PictureTooLargeError(
            f"a picture of {width} × {height} pixels is too large: choose a scale below {scale:g}"
        )
    return width, height
