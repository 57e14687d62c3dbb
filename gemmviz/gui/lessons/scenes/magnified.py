"""A widget that paints another one larger, letters and lines too: for charts, which know one size of type."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.gui.looks.lesson_style import lesson_style
from gemmviz.gui.widgets.widget_image import render_image


class Magnified(QWidget):
    """Shows `inner`: as it is at factor 1, as a picture of it at any larger one. `renew` after `inner` has changed."""

    def __init__(self, inner: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inner = inner
        inner.setParent(self)
        self._factor = 1.0
        self._image: QImage | None = None
        self._image_of: tuple[QSize, float] | None = None
        """The size of `inner` and the factor that the picture was painted at."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_magnification(self, factor: float) -> None:
        """Show everything so many times as large, 1 at least."""
        if factor != self._factor:
            self._factor = factor
            self.inner.setStyleSheet(lesson_style(1.0) if factor > 1.0 else "")  # the page's type is larger
            self.inner.setVisible(factor <= 1.0)
            self._place()

    def renew(self) -> None:
        """Paint the picture anew."""
        self._image = None
        self.setAccessibleName(self.inner.accessibleName())
        self.setAccessibleDescription(self.inner.accessibleDescription())
        self.update()

    def sizeHint(self) -> QSize:
        return self.inner.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.inner.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):  # the words may need another height
            self.renew()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._factor <= 1.0 or self.inner.size().isEmpty():
            return
        if self._image is None or self._image_of != (self.inner.size(), self._factor):
            density = self.devicePixelRatioF()
            self._image_of = self.inner.size(), self._factor  # painting lays it out, which may change its size again
            self._image = render_image(self.inner, self._factor * density)
            self._image.setDevicePixelRatio(density)
        with QPainter(self) as painter:
            painter.drawImage(0, 0, self._image)

    def _place(self) -> None:
        self.inner.setGeometry(0, 0, round(self.width() / self._factor), round(self.height() / self._factor))
        self.renew()
