"""A label for words of up to two lines."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSize

from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.wrapped_text import wrapped

_LINES, _STEP = 2, 8


class TwoLineLabel(ElidedLabel):
    """Shows a text in two lines at most, of which the last ends in "…" where there is more."""

    def fits(self, width: int) -> bool:
        return "\n".join(self._lines(width)) == "\n".join(self._lines(width, sys.maxsize))

    @property
    def is_elided(self) -> bool:
        return not self.fits(self.contentsRect().width())

    @property
    def whole_width(self) -> int:
        """The least width in pixels, to the next step, in which both lines hold the whole text."""
        width = self.fontMetrics().horizontalAdvance(self.whole) // _LINES + _STEP
        while not self.fits(width):
            width += _STEP
        return width

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LINES * self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def _fit(self) -> None:
        self.setText("\n".join(self._lines(self.contentsRect().width())))

    def _lines(self, width: int, most: int = _LINES) -> list[str]:
        return wrapped(self.whole, self.font(), max(width, 1), most)
