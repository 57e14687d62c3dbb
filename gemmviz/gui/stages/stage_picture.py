"""The picture of a stage: its canvas, and what stands beside it, all in one size of type."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gemmviz.gui.looks.fonts import NORMAL
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.array_map import ArrayMap
from gemmviz.gui.stages.stage_canvas import StageCanvas

LEAST_WIDTH, WIDE = 528, 968
"""Units: a narrower picture has nothing beside its canvas, a wider one gives it more room."""
BESIDE_WIDTHS = 168, 252


class StagePicture(QWidget):
    """Grows its type with `set_magnification`, or with the window on the whole screen."""

    def __init__(self, canvas: StageCanvas, beside: QWidget | None) -> None:
        super().__init__()
        self.canvas, self._beside = canvas, beside
        self._is_wanted = True
        self._type = NORMAL
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(canvas, 1)
        if beside is not None:
            row.addWidget(beside)

    @property
    def theme(self) -> Theme:
        """Whose colours it has."""
        return self.canvas.theme

    def set_magnification(self, factor: float | None, least_label: float | None = None) -> None:
        """As `StageCanvas.set_magnification`, for what stands beside it too."""
        self.canvas.set_magnification(factor, least_label)
        self._arrange()

    def show_beside(self, wanted: bool) -> None:
        """Whether there is anything to show beside the canvas."""
        self._is_wanted = wanted
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if self._beside is None:
            return
        scale = self.canvas.scale
        width = self.width() / scale
        self._beside.setFixedWidth(round(BESIDE_WIDTHS[width >= WIDE] * scale))
        self._beside.setVisible(self._is_wanted and width >= LEAST_WIDTH)
        points = self.canvas.words_points(NORMAL) * scale
        if points != self._type:
            self._type = points
            larger = f"QLabel {{ font-size: {points:.1f}pt; }}"
            self._beside.setStyleSheet(larger if scale > 1.0 else "")
            for each in self._beside.findChildren(ArrayMap):
                each.set_magnification(scale)
