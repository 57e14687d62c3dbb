"""The fonts of a plot."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont

from gemmviz.gui.looks.fonts import NORMAL, SMALL, figures, words


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of a plot, made once."""

    name: QFont
    detail: QFont
    value: QFont
    note: QFont
    head: QFont
    tick: QFont


def plot_fonts(*, small: bool = False) -> Fonts:
    """The fonts of a plot; `small` ones are for its lowest rows."""
    size = SMALL if small else NORMAL
    head = words(SMALL - 0.5, QFont.Weight.DemiBold)
    head.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 104.0)
    return Fonts(
        name=words(size, QFont.Weight.Medium), detail=figures(SMALL), value=figures(size, QFont.Weight.DemiBold),
        note=words(SMALL), head=head, tick=figures(SMALL),
    )  # fmt: skip
