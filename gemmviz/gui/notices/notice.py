"""One message in the bar above the pictures: an icon, a word, a sentence, perhaps an action and details."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.looks.icons import icon, icon_pixmap
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named

MOST_DETAIL_LINES = 10
"""Lines of details seen at once; the others scroll."""
LINE = 28
"""Height of a line of the message, in pixels: that of its buttons."""


class NoticeKind(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """A remedy offered with a message."""

    text: str
    do: Callable[[], None]


class Notice(QFrame):
    """One message. It is looked at through the style sheet by its property `notice`, the kind."""

    dismissed = Signal(QWidget)
    unfolded = Signal()
    """Its details were opened or closed."""

    def __init__(
        self, kind: NoticeKind, text: str, details: str, action: NoticeAction | None, theme: Theme, fade_ms: int
    ) -> None:
        super().__init__()
        self.kind, self.text, self.details = kind, text, details
        self._theme, self._times, self._held = theme, 1, False
        self.setObjectName(f"notice_{kind}")
        self.setProperty("notice", str(kind))
        self._icon = QLabel()
        self._icon.setFixedSize(QSize(16, LINE))
        self._kind = named(QLabel(str(kind).capitalize()), role="strong")
        self._kind.setHidden(kind is NoticeKind.INFO)
        self._text = named(QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText), "noticeText")
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._count = named(QLabel(), "noticeCount", role="muted")
        self._count.hide()
        for label in (self._kind, self._text, self._count):
            label.setContentsMargins(0, 5, 0, 5)
            label.setMinimumHeight(LINE)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 6, 6)
        column.setSpacing(6)
        column.addLayout(self._first_line(action))
        self._more = self._details_box()
        column.addWidget(self._more)
        self._fade = QTimer(self, singleShot=True, interval=fade_ms)
        self._fade.timeout.connect(self._on_dismiss)
        self._say()
        self.set_theme(theme)

    def repeat(self) -> None:
        """The same message came again."""
        self._times += 1
        self._count.setText(f"× {self._times}")
        self._count.setVisible(True)
        self._say()
        if self._fade.isActive():
            self._fade.start()

    def begin_to_fade(self) -> None:
        """From now an info goes by itself; what warns stays."""
        if self.kind is NoticeKind.INFO and not self._fade.isActive() and not self._held:
            self._fade.start()

    def wait(self) -> None:
        """Nobody sees it for now: an info does not go meanwhile."""
        self._fade.stop()

    @property
    def is_unfolded(self) -> bool:
        """Whether its details are open."""
        return self._toggle.isChecked()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        colour = {NoticeKind.INFO: theme.accent, NoticeKind.WARNING: theme.b, NoticeKind.ERROR: theme.hazard}[self.kind]
        self._icon.setPixmap(icon_pixmap(self.kind, colour, 16, self.devicePixelRatioF()))
        self._close.setIcon(icon("close", theme, theme.muted))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hold(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hold(self._toggle.isChecked())
        super().leaveEvent(event)

    def _hold(self, held: bool) -> None:
        """Held while somebody points at it or reads its details."""
        self._held = held
        if held:
            self._fade.stop()
        else:
            self.begin_to_fade()

    def _first_line(self, action: NoticeAction | None) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget, stretch in ((self._icon, 0), (self._kind, 0), (self._text, 1), (self._count, 0)):
            row.addWidget(widget, stretch, Qt.AlignmentFlag.AlignTop)
        self._toggle = _quiet("Details", "noticeDetailsButton", "Show what was reported in full")
        self._toggle.setCheckable(True)
        self._toggle.setVisible(bool(self.details))
        self._toggle.toggled.connect(self._on_details_toggled)
        row.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignTop)
        if action is not None:
            button = _quiet(action.text, "noticeAction", action.text)
            button.clicked.connect(self._on_dismiss)
            button.clicked.connect(lambda _checked=False: action.do())
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._close = named(QToolButton(), "noticeDismiss", "Dismiss this message")
        self._close.clicked.connect(self._on_dismiss)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _details_box(self) -> QWidget:
        box = QWidget()
        box.hide()
        column = QVBoxLayout(box)
        column.setContentsMargins(24, 0, 6, 6)
        column.setSpacing(4)
        lines = named(QPlainTextEdit(self.details, readOnly=True), "noticeDetails", says="Details of the message",
                      role="code")  # fmt: skip
        lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        lines.setTabChangesFocus(True)
        shown = min(self.details.rstrip().count("\n") + 1, MOST_DETAIL_LINES)
        lines.setFixedHeight(shown * (lines.fontMetrics().lineSpacing() + 2) + 24)
        copy = _quiet("Copy details", "noticeCopy", "Copy the message and its details")
        copy.clicked.connect(self._on_copy)
        column.addWidget(lines)
        column.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    def _say(self) -> None:
        times = f", {self._times} times" if self._times > 1 else ""
        self.setAccessibleName(f"{str(self.kind).capitalize()}: {self.text}{times}")

    @Slot(bool)
    def _on_details_toggled(self, shown: bool) -> None:
        self._more.setVisible(shown)
        self._hold(shown or self.underMouse())
        self.unfolded.emit()

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text}\n\n{self.details}")

    @Slot()
    def _on_dismiss(self) -> None:
        self._fade.stop()
        self.dismissed.emit(self)


def _quiet(text: str, name: str, tip: str) -> QPushButton:
    return named(QPushButton(text), name, tip, role="quiet")
