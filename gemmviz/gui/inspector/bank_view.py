"""The banks of shared memory and the lanes that meet in them, wavefront by wavefront."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gemmviz.gui.inspector.bank_picture import LABELS, BankCell, BankPicture, bank_picture
from gemmviz.gui.inspector.lane_costs import BANKS, SharedCost, shared_cost
from gemmviz.gui.inspector.request_choice import LaneRequest
from gemmviz.gui.inspector.request_words import bank_sentence, word_tip
from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.looks.theme import LIGHT, Theme, blend
from gemmviz.gui.plain_text import plain_text

ROWS_HEIGHT, AXIS = 80, 16
_LABEL_POINTS = 7.0
_NUMBERED_FROM = 9.0
"""Rows at least so tall have their number beside them."""
_AXIS_BANKS = (0, 8, 16, 24, 31)


class BankView(QWidget):
    """32 columns of banks; a filled cell is a word served, a hatched one waited because its bank was busy.

    A dot marks a word that several lanes get at once. Every cell tells in a tooltip what it is.
    """

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bankView")
        self._theme = theme
        self._request: LaneRequest | None = None
        self._cost = SharedCost(BANKS, (), 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_request(None)

    @property
    def cost(self) -> SharedCost:
        """What is shown."""
        return self._cost

    @property
    def sentence(self) -> str:
        """What is shown, in words."""
        return bank_sentence(self._cost) if self._request else "no request to shared memory"

    def show_request(self, request: LaneRequest | None) -> None:
        """Show a request to shared memory; None: empty banks."""
        self._request = request
        self._cost = (
            SharedCost(BANKS, (), 0)
            if request is None
            else shared_cost(request.addresses, request.site.width_bytes, request.site.kind)
        )
        self.setAccessibleName(f"Banks: {self.sentence}")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def picture(self) -> BankPicture:
        """Where everything lies now, in the widget's coordinates."""
        return bank_picture(self._cost, self.width(), ROWS_HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(288, ROWS_HEIGHT + AXIS)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(LABELS) + 4 * BANKS, ROWS_HEIGHT + AXIS)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.picture().cell_at(event.pos().x(), event.pos().y())
            words = word_tip(self._request, cell.word, cell.wavefront) if cell and self._request else self.sentence
            QToolTip.showText(event.globalPos(), plain_text(words), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        picture = self.picture()
        bottom = max(picture.bottom, 20.0)
        self._banks(painter, picture, bottom)
        for cell in picture.cells:
            self._cell(painter, cell)
        self._numbers(painter, picture)

    def _banks(self, painter: QPainter, picture: BankPicture, bottom: float) -> None:
        """The empty banks, and some of their numbers below."""
        for bank in range(BANKS):
            x = LABELS + bank * picture.column
            painter.fillRect(QRectF(x, 0, picture.column - 1, bottom - 1), QColor(self._theme.field))
        painter.setFont(figures(_LABEL_POINTS))
        painter.setPen(QColor(self._theme.muted))
        for bank in _AXIS_BANKS:
            middle = LABELS + (bank + 0.5) * picture.column
            painter.drawText(QRectF(middle - 16, bottom, 32, AXIS), int(Qt.AlignmentFlag.AlignCenter), str(bank))

    def _cell(self, painter: QPainter, cell: BankCell) -> None:
        theme, area = self._theme, QRectF(cell.x, cell.y, cell.width, cell.height)
        if not cell.is_excess:
            painter.fillRect(area, QColor(theme.accent))
        else:
            painter.fillRect(area, QColor(blend(theme.field, theme.accent, 0.28)))
            painter.fillRect(area, QBrush(QColor(theme.accent), Qt.BrushStyle.BDiagPattern))
        if cell.is_broadcast and cell.height >= 5 and cell.width >= 5:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.text if cell.is_excess else theme.on_accent))
            painter.drawEllipse(QPointF(area.center()), 1.75, 1.75)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _numbers(self, painter: QPainter, picture: BankPicture) -> None:
        """The number of each wavefront where there is room, else of the last."""
        painter.setFont(figures(_LABEL_POINTS))
        painter.setPen(QPen(QColor(self._theme.muted)))
        for number, row in enumerate(picture.rows):
            if row.height >= _NUMBERED_FROM or number + 1 == len(picture.rows):
                middle = min(row.y + row.height / 2, picture.bottom - 5)
                area = QRectF(0, middle - 8, LABELS - 6, 16)
                painter.drawText(
                    area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), f"{number + 1}"
                )
