"""The style sheet of a lesson's page, whose type grows with the window."""

from __future__ import annotations

from math import ceil

from PySide6.QtGui import QFontMetricsF

from gemmviz.gui.looks.fonts import LARGE, NORMAL, SMALL, words
from gemmviz.gui.looks.theme import Theme

LESSON_POINTS = {"headline": 14.0, "step": 11.0, "lead": 11.0, "question": 11.0, "answer": 11.0, "counter": 20.0}
"""By the role of a label."""
_PAGE_POINTS = {"title": LARGE, "head": SMALL, "strong": NORMAL, "muted": NORMAL, "evidence": SMALL}
_SCREEN_POINTS = {"headline": 17.0, "title": 14.0}
_SCREEN_POINTS |= dict.fromkeys(("head", "evidence", "strong", "muted", "step", "lead", "question", "answer"), 13.7)
"""On the whole screen all words have 28 of 1080 pixels at least."""
_STEP_BUTTON = 84, 36
"""The least width and height of the buttons for a lesson's steps, of which padding and border take `_FRAME_OF`."""
_FRAME_OF = 28, 12


def lesson_style(factor: float, screen: Theme | None = None) -> str:
    """The style sheet of a lesson's page: the type of labels, buttons and tooltips `factor` times as large; on the
    whole `screen` small type is larger than that, explanations are in that theme's colour of words and muted words in
    its muted one.
    """
    points = LESSON_POINTS | _PAGE_POINTS | (_SCREEN_POINTS if screen is not None else {})
    colours = {} if screen is None else dict.fromkeys(_MUTED, screen.muted) | dict.fromkeys(_EXPLAINING, screen.text)
    coloured = {role: f" color: {colour};" for role, colour in colours.items()}
    labels = (
        f'QLabel[role="{role}"] {{ font-size: {size * factor:g}pt;{coloured.get(role, "")} }}'
        for role, size in points.items()
    )
    normal = points["muted"] * factor
    others = f"QPushButton, QToolTip, LayoutControls QLabel {{ font-size: {normal:g}pt; }}"
    others += step_buttons(factor) + _head_buttons(normal)
    thin, out = round(2 * factor), round(5 * factor)  # half the groove, and how far the handle stands out of it
    slider = _SLIDER.format(
        high=round(22 * factor), groove=2 * thin, thin=thin, out=out, wide=2 * (thin + out), half=thin + out
    )
    return "\n".join((*labels, others, slider))


_MUTED, _EXPLAINING = ("head", "muted", "evidence"), ("step", "lead")


def step_buttons(factor: float) -> str:
    """How large the buttons for steps are at least: a rule, as a new theme takes a widget's own sizes away."""
    width, height = (round(size * factor) - frame for size, frame in zip(_STEP_BUTTON, _FRAME_OF, strict=True))
    names = ", ".join(f"QPushButton#lesson{name}" for name in ("Play", "Back", "Next"))
    return f"\n{names} {{ min-width: {width}px; min-height: {height}px; }}"


def _head_buttons(points: float) -> str:
    """The buttons beside the lesson's title keep the height of their type, also after a change of theme."""
    names = ", ".join(f"QPushButton#lesson{name}" for name in ("FullScreen", "Restart", "Leave"))
    return f"\n{names} {{ min-height: {ceil(QFontMetricsF(words(points)).height())}px; }}"


def high_buttons(factor: float) -> str:
    """As high as the buttons for steps are all buttons of a card at least."""
    return f"QPushButton {{ min-height: {round(_STEP_BUTTON[1] * factor) - _FRAME_OF[1]}px; }}"


_SLIDER = """LayoutControls QSlider {{ min-height: {high}px; }}
LayoutControls QSlider::groove:horizontal, LayoutControls QSlider::sub-page:horizontal {{
    height: {groove}px; border-radius: {thin}px; }}
LayoutControls QSlider::handle:horizontal {{ width: {wide}px; margin: -{out}px 0; border-radius: {half}px; }}"""
