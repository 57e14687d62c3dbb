"""Frames around the arrays a step speaks of, laid over a picture."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gemmviz.gui.memory_view.memory_view import MemoryView

AROUND, WIDTH, CORNER = 2.0, 3.0, 4.0


class Spotlight(QWidget):
    """Lies over a memory view, lets the mouse through, and follows the view's size and camera."""

    def __init__(self, view: MemoryView) -> None:
        super().__init__(view)
        self.setObjectName(f"{view.objectName()}Spotlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._view = view
        self._names: tuple[str, ...] = ()
        view.installEventFilter(self)
        self.hide()

    def show_arrays(self, names: Sequence[str]) -> None:
        """Frame these arrays; none takes the frames away. A name that the picture does not show is passed over."""
        self._names = tuple(names)
        self.setGeometry(self._view.rect())
        self.setVisible(bool(self._names))
        self.raise_()
        self.update()

    @property
    def boxes(self) -> tuple[QRectF, ...]:
        """The frames, in pixels of the view."""
        scene = self._view.picture_state()
        areas = [scene.area(name) for name in self._names] if scene is not None else []
        scale = self._view.magnification
        return tuple(
            QRectF(area.x * scale, area.y * scale, area.width * scale, area.height * scale).adjusted(
                -AROUND, -AROUND, AROUND, AROUND
            )
            for area in areas
            if area is not None
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._view.theme.accent), WIDTH))
        for box in self.boxes:
            painter.drawRoundedRect(box, CORNER, CORNER)
