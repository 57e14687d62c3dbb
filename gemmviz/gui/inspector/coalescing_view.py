"""The 32 lanes of a request against the sectors of global memory that it touches."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.inspector.coalescing_picture import CoalescingPicture, SectorBox, coalescing_picture
from gemmviz.gui.inspector.lane_costs import Sector, copy_cost, sectors_of
from gemmviz.gui.inspector.request_choice import LaneRequest
from gemmviz.gui.inspector.request_words import sector_sentence, sector_tip
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import LIGHT, Theme, blend
from gemmviz.gui.plain_text import plain_text

CAPTION, LANE_HEIGHT, LINKS_HEIGHT, SECTOR_HEIGHT = 16, 9, 26, 16
HEIGHT = 2 * CAPTION + LANE_HEIGHT + LINKS_HEIGHT + SECTOR_HEIGHT + 3
_EDGED_FROM = 5.0
"""Sectors at least so wide are divided by a line."""


class CoalescingView(QWidget):
    """Lanes above, sectors below, a line from each lane to its bytes; used bytes are filled, wasted ones hatched."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("coalescingView")
        self._theme = theme
        self._request: LaneRequest | None = None
        self._sectors: tuple[Sector, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_request(None)

    @property
    def sectors(self) -> tuple[Sector, ...]:
        """What is shown."""
        return self._sectors

    @property
    def sentence(self) -> str:
        """What is shown, in words."""
        request = self._request
        if request is None:
            return "no request to global memory"
        copied = copy_cost(request.addresses, request.targets) if request.targets is not None else None
        return sector_sentence(self._sectors, copied)

    def show_request(self, request: LaneRequest | None) -> None:
        """Show a request to global memory; None: nothing."""
        self._request = request
        self._sectors = () if request is None else sectors_of(request.addresses, request.site.width_bytes)
        self.setAccessibleName(f"Sectors: {self.sentence}")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def picture(self) -> CoalescingPicture | None:
        """Where everything lies now, in the widget's coordinates; None while nothing is shown."""
        if self._request is None:
            return None
        request = self._request
        return coalescing_picture(request.addresses, request.site.width_bytes, self._sectors, self.width())

    def sizeHint(self) -> QSize:
        return QSize(288, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            picture = self.picture()
            box = picture.box_at(event.pos().x()) if picture else None
            tip = sector_tip(self._request, box.sector) if box and self._request else self.sentence
            QToolTip.showText(event.globalPos(), plain_text(tip), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        picture = self.picture()
        if picture is None:
            return
        painter = QPainter(self)
        self._captions(painter)
        top, below = float(CAPTION), float(CAPTION + LANE_HEIGHT + LINKS_HEIGHT)
        colour = self._colour()
        for lane, active in enumerate(picture.active):
            area = QRectF(lane * picture.lane, top, picture.lane - 1, LANE_HEIGHT)
            painter.fillRect(area, QColor(colour if active else self._theme.field))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(blend(self._theme.panel, colour, 0.6)), 1.0))
        for above, to in picture.links:
            painter.drawLine(QLineF(above, top + LANE_HEIGHT + 2, to, below - 2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for box in picture.boxes:
            self._sector(painter, box, below, colour)
        painter.setPen(QPen(QColor(self._theme.panel), 1.0))
        for box in picture.boxes[1:]:
            if box.width >= _EDGED_FROM:
                painter.drawLine(QLineF(round(box.x), below, round(box.x), below + SECTOR_HEIGHT))

    def _captions(self, painter: QPainter) -> None:
        theme, request = self._theme, self._request
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(0, 0, self.width(), CAPTION - 2), _LEFT, "lanes 0–31")
        if request is None or not self._sectors:
            return
        first, last = self._sectors[0], self._sectors[-1]
        ends = (32 * first.number + first.used[0], 32 * last.number + last.used[-1])
        area = QRectF(0, self.height() - CAPTION, self.width(), CAPTION)
        said = " … ".join(dict.fromkeys(request.element_at(address) for address in ends))
        painter.drawText(area, _LEFT, "sectors of 32 bytes")
        painter.drawText(area, _RIGHT, said)

    def _sector(self, painter: QPainter, box: SectorBox, top: float, colour: str) -> None:
        theme = self._theme
        area = QRectF(box.x, top, box.width, SECTOR_HEIGHT)
        painter.fillRect(area, QColor(theme.field))
        painter.fillRect(area, QBrush(QColor(theme.faint), Qt.BrushStyle.BDiagPattern))
        for x, width in box.runs:
            painter.fillRect(QRectF(x, top, width, SECTOR_HEIGHT), QColor(colour))

    def _colour(self) -> str:
        """That of the matrix, else the accent."""
        name = self._request.array.name if self._request and self._request.array else ""
        return {"A": self._theme.a, "B": self._theme.b, "C": self._theme.c}.get(name, self._theme.accent)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
