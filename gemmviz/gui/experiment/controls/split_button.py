"""A button that does at once what it says, and beside it an arrow that opens the menu of the rest."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.widgets.drawn_marks import draw_chevron
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import action_text, plain_text

HEIGHT, ARROW_WIDTH = 30, 20
_PADDING = 14
"""Pixels of a button's edge and padding, both sides together."""


class FittedButton(QPushButton):
    """Shows the longest of its texts that there is room for; a screen reader is told the first."""

    def __init__(self, name: str, text: str, role: str, weight: QFont.Weight, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        named(self, name, says=text, role=role)
        self._texts: tuple[str, ...] = (text,)
        self.setFont(words(NORMAL, weight))
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_texts(self, *texts: str) -> None:
        """Texts for the button, the longest first."""
        self._texts = texts
        self.setAccessibleName(texts[0])
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, metrics = self.width() - _PADDING, self.fontMetrics()
        fitting = (text for text in self._texts if metrics.horizontalAdvance(text) <= room)
        shortest = metrics.elidedText(self._texts[-1], Qt.TextElideMode.ElideRight, max(room, 1))
        self.setText(action_text(next(fitting, shortest)))


class SplitButton(QWidget):
    """`button` does what it says; `arrow` opens its menu. Both take the keyboard."""

    def __init__(self, name: str, text: str, role: str, menu_says: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = FittedButton(f"{name}Button", text, role, QFont.Weight.DemiBold, self)
        self.arrow = _Arrow(f"{name}MenuButton", menu_says, role, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.button, 1)
        row.addWidget(self.arrow)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def menu(self) -> QMenu:
        """What the arrow opens."""
        return self.arrow.menu()

    def show_state(self, tip: str, refusal: str) -> None:
        """What the button does, and why it cannot, "" where it can."""
        self.show_arrow(refusal)
        self.button.setEnabled(not refusal)
        self.button.setToolTip(plain_text(f"{tip}\n{refusal}" if refusal else tip))
        self.button.setAccessibleDescription(refusal or tip)

    def show_arrow(self, refusal: str) -> None:
        """Why the menu cannot be opened, "" where it can."""
        says = self.arrow.accessibleName()
        self.arrow.setEnabled(not refusal)
        self.arrow.setToolTip(plain_text(f"{says}\n{refusal}" if refusal else says))
        self.arrow.setAccessibleDescription(refusal or says)


class _Arrow(QToolButton):
    """A narrow button with a chevron."""

    def __init__(self, name: str, says: str, role: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, says, role=role)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedSize(QSize(ARROW_WIDTH, HEIGHT))
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.setMenu(menu)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        colour = self.palette().color(group, QPalette.ColorRole.ButtonText)
        draw_chevron(painter, QPointF(self.width() / 2, self.height() / 2), colour)
        painter.end()
