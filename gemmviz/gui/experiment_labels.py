"""Labels of the experiment panel that paint themselves: the launch as a small table, a refusal with its sign."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from gemmviz.gui.experiment_marks import draw_warning
from gemmviz.gui.experiment_text import wrapped
from gemmviz.gui.fonts import SMALL, figures, words
from gemmviz.gui.geometry import Fact
from gemmviz.gui.theme import Theme

_LINE_GAP, _MOST_LINES = 2, 9


class GeometryLabel(QLabel):
    """Names at the left, figures at the right; `text()` has the same, a line for each."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("geometryLabel")
        self.setAccessibleName("Launch geometry, derived from the kernel's header")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(words(SMALL))
        self._theme = theme
        self._facts: tuple[Fact, ...] = ()

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        self._facts = facts
        self.setText("\n".join(fact.line for fact in facts))
        self.setAccessibleDescription(self.text())
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._facts) * self._line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = event.pos().y() // self._line_height()
            words_there = self._facts[row].words if 0 <= row < len(self._facts) else ""
            QToolTip.showText(event.globalPos(), words_there, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        for row, fact in enumerate(self._facts):
            area = QRect(0, row * self._line_height(), self.width(), self._line_height())
            painter.setPen(QColor(self._theme.muted))
            painter.setFont(words(SMALL))
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, fact.name or fact.value)
            if fact.name:
                painter.setPen(QColor(self._theme.text))
                painter.setFont(figures(SMALL - 0.5))
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, fact.value)
        painter.end()

    def _line_height(self) -> int:
        return QFontMetrics(words(SMALL)).height() + _LINE_GAP


class RefusalLabel(QLabel):
    """Why something cannot run, behind a warning triangle; hidden while there is nothing to refuse."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("refusalLabel")
        self.setAccessibleName("Why this cannot run")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(words(SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self._theme = theme
        self.hide()

    def show_refusal(self, refusal: str) -> None:
        """A sentence, or "" to hide."""
        self.setText(refusal)
        self.setToolTip(refusal)
        self.setAccessibleDescription(refusal)
        self.setVisible(bool(refusal))
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self._lines())
        return QSize(200, lines * self._line_height() + 16)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(self._theme.hazard)
        ground.setAlpha(26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(self.rect(), 6, 6)
        draw_warning(painter, QRectF(10, 9, 14, 14), self._theme.hazard)
        painter.setPen(QColor(self._theme.hazard))
        painter.setFont(self.font())
        for row, line in enumerate(self._lines()):
            area = QRect(32, 8 + row * self._line_height(), self._text_width(), self._line_height())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, line)
        painter.end()

    def _fit(self) -> None:
        self.setFixedHeight(self.sizeHint().height())

    def _lines(self) -> list[str]:
        return wrapped(self.text(), self.font(), self._text_width(), _MOST_LINES)

    def _text_width(self) -> int:
        return max(40, self.width() - 40)

    def _line_height(self) -> int:
        return QFontMetrics(self.font()).height()
