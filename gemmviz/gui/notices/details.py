"""What a message has to say in full: a sheet that lies over the window beside the message while it is read."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextDocument
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.visible_text import visible_layout
from gemmviz.gui.widgets.named import named

MOST_LINES = 12
"""Lines seen at once; the others scroll."""
LEAST_WIDTH = 480
"""Pixels of the sheet where the message is narrower."""
MARGIN = 12
"""Pixels around the text."""
EDGE = 12
"""Pixels that a text box needs for its edge and padding, both sides together."""
BAR = 12
"""Pixels that a scroll bar takes."""


def is_log(text: str) -> bool:
    """Whether places in a line mean something, as where a compiler's caret stands below the word it means."""
    return any(line[:1].isspace() for line in text.splitlines())


class NoticeDetails(QFrame):
    """Lies over the window, above the message and as wide, so that it needs no room of what is there already.

    Sentences wrap, and are all seen; the lines of a log stay as they are and scroll. Esc asks to close it.
    """

    copy_asked = Signal()
    close_asked = Signal()

    def __init__(self, text: str, message: QWidget) -> None:
        super().__init__(message.window())
        self._message = message
        self._is_log = is_log(text)
        named(self, "noticeSheet", says="Details of the message", role="popup")
        details = QPlainTextEdit(visible_layout(text), self, readOnly=True)
        role = "code" if self._is_log else ""
        self._text = named(details, "noticeDetails", says="Details of the message", role=role)
        modes = QPlainTextEdit.LineWrapMode
        self._text.setLineWrapMode(modes.NoWrap if self._is_log else modes.WidgetWidth)
        self._text.setTabChangesFocus(True)
        copy = named(QPushButton("Copy details"), "noticeCopy", "Copy the message and its details", role="quiet")
        close = named(QPushButton("Close"), "noticeDetailsClose", "Close the details", role="quiet")
        self._tabbed = self._text, copy, close
        copy.clicked.connect(self.copy_asked)
        close.clicked.connect(self.close_asked)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, 6)
        column.setSpacing(6)
        column.addWidget(self._text)
        column.addLayout(row)
        # At once, a panel would not find itself on top, by which Qt knows that its tab is to come to the front.
        self._raise_later = QTimer(self, singleShot=True, interval=0)
        self._raise_later.timeout.connect(self.raise_)
        # Whatever moves the message moves the sheet: the window's size, its docks, a message above, the stack's scroll.
        for widget in (message, *_ancestors(message), self._text):
            widget.installEventFilter(self)
        # A page or panel that comes is raised above it, and where it has no ground of its own both would be seen.
        for beside in message.window().children():
            if isinstance(beside, QWidget) and beside is not self and not beside.isWindow():
                beside.installEventFilter(self)
        self._place()

    def come_after(self, widget: QWidget) -> None:
        """Be what Tab leads to from a widget."""
        for before, after in pairwise((widget, *self._tabbed)):
            QWidget.setTabOrder(before, after)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched.parent() is self.parentWidget() and kind is QEvent.Type.ZOrderChange:
            self._raise_later.start()
        elif self._is_around(watched) and kind in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        if kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_asked.emit()
        else:
            super().keyPressEvent(event)

    def _is_around(self, watched: QObject) -> bool:
        """Whether the message is or lies in a widget."""
        return isinstance(watched, QWidget) and (watched is self._message or watched.isAncestorOf(self._message))

    def _place(self) -> None:
        """Right above the message, or as low as it fits."""
        window = self._message.window()
        if window is not self.parentWidget():
            return
        at = self._message.mapTo(window, QPoint(0, 0))
        width = max(self._message.width(), min(LEAST_WIDTH, window.width() - at.x()))
        self._text.setFixedHeight(self._text_height(width - 2 * MARGIN))
        height = self.sizeHint().height()
        self.setGeometry(at.x(), max(at.y() - height, 0), width, height)
        self.raise_()

    def _text_height(self, width: int) -> int:
        """What the text needs in a box of that width, up to MOST_LINES and, of a log, its scroll bar."""
        self._text.ensurePolished()
        # The text box itself counts only the lines that it has painted.
        measured = QTextDocument(self._text.toPlainText())
        measured.setDefaultFont(self._text.font())
        measured.setTextWidth(-1 if self._is_log else width - EDGE)
        most = MOST_LINES * self._text.fontMetrics().lineSpacing() + 2 * measured.documentMargin()
        # A scroll bar would take room from the lines, which then need one: there is none where all have room.
        bars = Qt.ScrollBarPolicy
        fits = measured.size().height() <= most
        self._text.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if fits else bars.ScrollBarAsNeeded)
        return math.ceil(min(measured.size().height(), most)) + EDGE + (BAR if self._is_log else 0)


def _ancestors(widget: QWidget) -> list[QWidget]:
    """The widgets around one, up to its window."""
    found = []
    around = widget.parentWidget()
    while around is not None:
        found.append(around)
        around = None if around.isWindow() else around.parentWidget()
    return found
