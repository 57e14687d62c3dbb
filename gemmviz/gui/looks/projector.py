"""How type is larger and stronger where a window takes the whole screen, so that it is read from the back of a room."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QMainWindow, QWidget

from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.looks.theme import WORDS_CONTRAST, Theme, strengthened

USUAL_WIDTH, USUAL_HEIGHT = 1280.0, 720.0
"""Pixels of a screen on which type has its usual size."""
LEAST_LABEL, LEAST_WORDS = 16.0, 18.67
"""Pixels of the smallest type in a picture, and of the smallest words of a lesson or a request, on a whole screen of
USUAL_HEIGHT. Figures that would be smaller are written narrower, but not to less than SCARCE, else left out.
"""
SCARCE = 0.65
"""The part of their width that figures keep, at least, where they would be left out else."""
DIALOG_POINTS = 14.0
"""Points of the words of a dialog over a presentation on a screen of USUAL_HEIGHT: its own words have LEAST_WORDS."""
BODY_CONTRAST, FAINT_CONTRAST = 7.0, WORDS_CONTRAST
"""What muted and faint words have at least on the whole screen."""


def has_screen(widget: QWidget) -> bool:
    """Whether what a widget shows has the whole screen: its window takes it, and has no menus there."""
    window = widget.window()
    menus = window.menuWidget() if isinstance(window, QMainWindow) else None
    return window.isFullScreen() and (menus is None or not menus.isVisible())


def projector_scale(widget: QWidget) -> float:
    """1 in a window; on the whole screen as much as that is larger than USUAL_WIDTH × USUAL_HEIGHT both ways, so that a
    screen that is only higher has the same room from side to side.
    """
    window = widget.window()
    return max(min(window.width() / USUAL_WIDTH, window.height() / USUAL_HEIGHT), 1.0) if has_screen(widget) else 1.0


def least_label(widget: QWidget, *, is_in_lesson: bool = False) -> float:
    """Pixels of the smallest figures of a picture on the whole screen; 0 in a window. In a lesson, whose text is beside
    it, they grow half as fast as the screen, so that the picture is as large as in a window.
    """
    scale = projector_scale(widget)
    return LEAST_LABEL * ((1.0 + scale) / 2 if is_in_lesson else scale) if has_screen(widget) else 0.0


def least_words(widget: QWidget) -> float:
    """Pixels of the smallest words of a lesson on the whole screen; 0 in a window."""
    return LEAST_WORDS * projector_scale(widget) if has_screen(widget) else 0.0


def dialog_scale(over: QWidget) -> float:
    """How many times as large as on a desk the words of a dialog over this window are: 1, or over a presentation as
    large as its own words.
    """
    return DIALOG_POINTS / NORMAL * projector_scale(over) if has_screen(over) else 1.0


def words_magnification(widget: QWidget, factor: float, points: float = NORMAL) -> float:
    """`factor`, or as much more as words of so many points need on the whole screen."""
    return max(factor, least_words(widget) / QFontInfo(words(points)).pixelSize())


def picture_magnification(label: float) -> float:
    """How many times as large a picture of the memory is painted, so that its smallest words have `label` pixels."""
    return label / QFontInfo(words(SMALL)).pixelSize()


@cache
def projector_theme(theme: Theme) -> Theme:
    """The theme for the whole screen: muted words have a contrast of BODY_CONTRAST, faint ones of FAINT_CONTRAST."""
    return replace(
        theme,
        muted=strengthened(theme, theme.muted, BODY_CONTRAST),
        faint=strengthened(theme, theme.faint, FAINT_CONTRAST),
    )
