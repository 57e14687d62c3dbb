"""One message in the bar above the pictures: an icon, a word, a sentence, perhaps an action and details."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QEnterEvent, QHideEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QWidget,
)

from gemmviz.gui.looks.icons import icon, icon_pixmap
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named
from gemmviz.gui.notices.details import NoticeDetails
from gemmviz.gui.plain_label import PlainLabel
from gemmviz.gui.plain_text import copy_text

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
    details_opened = Signal(QWidget)

    def __init__(
        self, kind: NoticeKind, text: str, details: str, action: NoticeAction | None, theme: Theme, fade_ms: int
    ) -> None:
        super().__init__()
        self.kind, self.text, self.details = kind, text, details
        self._theme, self._times, self._held = theme, 1, False
        self.setObjectName(f"notice_{kind}")
        self.setProperty("notice", str(kind))
        self._icon = PlainLabel()
        self._icon.setFixedSize(QSize(16, LINE))
        self._kind = named(PlainLabel(str(kind).capitalize()), role="strong")
        self._kind.setHidden(kind is NoticeKind.INFO)
        self._text = named(PlainLabel(text, wordWrap=True), "noticeText")
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._count = named(PlainLabel(), "noticeCount", role="muted")
        self._count.hide()
        for label in (self._kind, self._text, self._count):
            label.setContentsMargins(0, 5, 0, 5)
            label.setMinimumHeight(LINE)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._sheet: NoticeDetails | None = None
        self._lay_out(action)
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

    def close_details(self) -> None:
        """Take the sheet with the details away, if it is there."""
        self._toggle.setChecked(False)

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._sheet is not None:
            self._on_close_asked()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        if not event.spontaneous():
            self.close_details()
        super().hideEvent(event)

    def _lay_out(self, action: NoticeAction | None) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
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

    def _say(self) -> None:
        times = f", {self._times} times" if self._times > 1 else ""
        self.setAccessibleName(f"{str(self.kind).capitalize()}: {self.text}{times}")

    @Slot(bool)
    def _on_details_toggled(self, shown: bool) -> None:
        if self._sheet is not None:
            self._sheet.hide()
            self._sheet.deleteLater()
            self._sheet = None
        if shown:
            self._sheet = NoticeDetails(self.details, self)
            self._sheet.copy_asked.connect(self._on_copy)
            self._sheet.close_asked.connect(self._on_close_asked)
            self._sheet.come_after(self._toggle)
            self._sheet.show()
            self.details_opened.emit(self)
        self._hold(shown or self.underMouse())

    @Slot()
    def _on_close_asked(self) -> None:
        self.close_details()
        self._toggle.setFocus()

    @Slot()
    def _on_copy(self) -> None:
        copy_text(f"{self.text}\n\n{self.details}")

    @Slot()
    def _on_dismiss(self) -> None:
        self._fade.stop()
        self.dismissed.emit(self)


def _quiet(text: str, name: str, tip: str) -> QPushButton:
    return named(QPushButton(text), name, tip, role="quiet")
