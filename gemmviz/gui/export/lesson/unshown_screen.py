"""A window that is never shown, for pictures of what it holds."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from gemmviz.gui.export.pictures.chart_picture import Size
from gemmviz.gui.looks.appearance import palette
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import Theme


class UnshownScreen(QWidget):
    """What is in it takes it for a window on the whole screen, `size` pixels large."""

    def __init__(self, size: Size, theme: Theme) -> None:
        super().__init__()
        self.setStyleSheet(style_sheet(theme))
        self.setPalette(palette(theme))
        self.resize(*size)

    def hold(self, widget: QWidget) -> None:
        """Be filled by a widget, however much room that would like."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        column.addWidget(widget)

    def isFullScreen(self) -> bool:
        return True
