"""The sizes of all type that a widget paints, which a paint engine of its own notes."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontInfo, QPaintDevice, QPaintEngine, QPainter, QTextItem
from PySide6.QtWidgets import QWidget

_METRIC = QPaintDevice.PaintDeviceMetric
_DPI = 96


class _Notes(QPaintEngine):
    """Paints nothing."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.found: list[tuple[str, float]] = []

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, _state: object) -> None: ...

    def drawPixmap(self, *_arguments: object) -> None: ...

    def drawImage(self, *_arguments: object) -> None: ...

    def drawPath(self, *_arguments: object) -> None: ...

    def drawPolygon(self, *_arguments: object) -> None: ...

    def drawTextItem(self, _at: object, item: QTextItem) -> None:
        scale = self.painter().combinedTransform().m22()
        if item.text().strip():
            self.found.append((item.text(), QFontInfo(item.font()).pixelSize() * scale))


class _Paper(QPaintDevice):
    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.notes, self._size = _Notes(), (width, height)

    def paintEngine(self) -> QPaintEngine:
        return self.notes

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        sizes = {_METRIC.PdmWidth: self._size[0], _METRIC.PdmHeight: self._size[1], _METRIC.PdmDepth: 32}
        ratios = {_METRIC.PdmDevicePixelRatio: 1, _METRIC.PdmDevicePixelRatioScaled: 1 << 16}
        dots = (_METRIC.PdmDpiX, _METRIC.PdmDpiY, _METRIC.PdmPhysicalDpiX, _METRIC.PdmPhysicalDpiY)
        return (sizes | ratios | dict.fromkeys(dots, _DPI)).get(metric, 0)


def painted_type(widget: QWidget) -> list[tuple[str, float]]:
    """Each text that a widget and its parts paint, and the pixels of its font; not of what is painted as an image."""
    paper = _Paper(widget.width(), widget.height())
    painter = QPainter()
    painter.begin(paper)
    widget.render(painter, QPoint())
    painter.end()
    return paper.notes.found
