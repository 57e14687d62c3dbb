"""The pixels of a picture as an array: to ask Qt for each of them takes a microsecond, and a picture has a million."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage


def rgb_of(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue of each pixel, shape (height, width, 3)."""
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.width(), 4)[:, :, :3].copy()


def colours_of(image: QImage) -> set[str]:
    """The colours that a picture has, as "#rrggbb"."""
    red, green, blue = np.moveaxis(rgb_of(image).astype(np.uint32), 2, 0)
    return {f"#{number:06x}" for number in np.unique(red << 16 | green << 8 | blue).tolist()}


def saturation_of(image: QImage) -> NDArray[np.int64]:
    """How saturated each pixel is, 0 to 255, shape (height, width); as `QColor.saturation`."""
    rgb = rgb_of(image).astype(np.float64)
    most = rgb.max(axis=2)
    part = np.divide(most - rgb.min(axis=2), most, out=np.zeros_like(most), where=most > 0)
    return np.asarray(np.rint(part * 0xFFFF).astype(np.int64) >> 8)


def lightness_of(image: QImage) -> NDArray[np.float64]:
    """How light each pixel is, 0 to 255, shape (height, width); as `QColor.lightness`, not rounded."""
    rgb = rgb_of(image).astype(np.float64)
    return np.asarray((rgb.max(axis=2) + rgb.min(axis=2)) / 2)
