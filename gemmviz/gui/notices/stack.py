"""Where messages stand one above another: as high as they need up to a limit, scrolled beyond it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

MOST_HEIGHT = 96
"""Pixels that messages take at most: two of one line each."""
LEAST_HEIGHT = 48
"""Pixels they ask for in a window that is as small as can be: one message."""


class NoticeStack(QScrollArea):
    """Shows widgets from top to bottom. What it holds never makes the window taller: it asks for a line at least."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeStack")
        self.setAccessibleName("Messages")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self._wanted = 0
        self._inside = QWidget()
        self.column = QVBoxLayout(self._inside)
        """Where the messages go."""
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(1)
        self.setWidget(self._inside)
        self._inside.installEventFilter(self)

    def fit(self) -> None:
        """Ask for the height that the messages need at this width."""
        needed = self.column.totalHeightForWidth(max(self.width(), 1))
        wanted = min(max(needed, self.column.totalMinimumSize().height()), MOST_HEIGHT)
        if wanted != self._wanted:
            self._wanted = wanted
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(0, self._wanted)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self._wanted, LEAST_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)
