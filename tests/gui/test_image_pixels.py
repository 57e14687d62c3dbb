"""That the pixels which tests look at are those that Qt tells of."""

from __future__ import annotations

import itertools

import numpy as np
from image_pixels import colours_of, lightness_of, rgb_of, saturation_of
from PySide6.QtGui import QColor, QImage

LEVELS = (0, 1, 77, 128, 254, 255)
COLOURS = [QColor(*parts) for parts in itertools.product(LEVELS, repeat=3)]


def test_that_pixels_are_told_as_qt_tells_them_one_by_one() -> None:
    image = QImage(27, 8, QImage.Format.Format_RGB32)
    for place, colour in enumerate(COLOURS):
        image.setPixelColor(place % 27, place // 27, colour)
    assert rgb_of(image).reshape(-1, 3).tolist() == [[one.red(), one.green(), one.blue()] for one in COLOURS]
    assert colours_of(image) == {one.name() for one in COLOURS}
    assert saturation_of(image).ravel().tolist() == [one.saturation() for one in COLOURS]
    assert np.abs(lightness_of(image).ravel() - [one.lightness() for one in COLOURS]).max() <= 0.5
