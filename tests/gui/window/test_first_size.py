"""The first size of the window, also on screens that are too low for it and its frame."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize

from gemmviz.gui.window.first_size import first_size, fitted

SCREEN = QRect(0, 0, 1280, 800)


@pytest.mark.parametrize(
    ("available", "expected"),
    [
        (QSize(1280, 800), QSize(1280, 800)),
        (QSize(1440, 900), QSize(1296, 810)),
        (QSize(1920, 1080), QSize(1728, 972)),
        (QSize(3840, 2160), QSize(1920, 1200)),
    ],
    ids=lambda size: f"{size.width()}x{size.height()}",
)
def test_that_the_first_window_takes_most_of_its_screen(available: QSize, expected: QSize) -> None:
    assert first_size(available) == expected


@pytest.mark.parametrize(
    ("inner", "frame", "expected"),
    [
        (QRect(1, 20, 1280, 800), QRect(0, 0, 1282, 825), QRect(1, 20, 1280, 775)),
        (QRect(0, 60, 1280, 740), QRect(0, 40, 1280, 780), QRect(0, 40, 1280, 740)),
        (QRect(0, 60, 1280, 740), QRect(0, 20, 1280, 780), QRect(0, 60, 1280, 740)),
        (QRect(0, 90, 1280, 740), QRect(0, 30, 1280, 830), QRect(0, 60, 1280, 710)),
    ],
    ids=["too high", "too low on the screen", "fits", "both"],
)
def test_that_the_first_window_is_on_the_screen_with_its_frame(inner: QRect, frame: QRect, expected: QRect) -> None:
    assert fitted(inner, frame, SCREEN) == expected
