"""One message in the status bar: an icon, a word, a sentence, perhaps an action and details."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QWidget,
)

from gemmviz.catalogue.term_words import with_terms
from gemmviz.gui.looks.icons import icon, icon_pixmap
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.notices.details import NoticeDetails
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text, plain_text
from gemmviz.gui.widgets.two_line_label import TwoLineLabel

HEIGHT = 34
"""Pixels of every message, those of the status bar."""
LEAST_TEXT, ENOUGH_TEXT = 80, 200
"""Pixels that are left for the text of a message beside its first action, and at most beside further ones, where the
text needs them.
"""
REFUSED, BUSY, HAZARDS = "refused", "busy", "hazards"
"""The causes of the messages that what is chosen cannot run, and that something else still runs."""

SHOW_IT = "Show it"
"""The action that brings into view what ended while a person was elsewhere."""


_COPY = QKeySequence.StandardKey.Copy


class NoticeKind(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    HINT = "hint"
    """An advice that stays until it is dismissed."""
    OFFER = "offer"
    """A question that may wait: its actions answer it."""


@dataclass(frozen=True, slots=True)
class NoticeAction:
    """A remedy offered with a message, which goes when it is chosen unless the action `keeps` it. It is not offered
    while it `is_done`, such as to open what is in front.
    """

    text: str
    do: Callable[[], object]
    tip: str = ""
    keeps: bool = False
    is_done: Callable[[], bool] = lambda: False


class Notice(QFrame):
    """One message. It is looked at through the style sheet by its property `notice`, the kind.

    Its actions stand before the text, so that they stay where they are when the message gets another width. Where not
    all of them have room, the last ones give way.
    """

    dismissed = Signal(QWidget)

    def __init__(
        self,
        kind: NoticeKind,
        text: str,
        details: str,
        actions: Sequence[NoticeAction],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.kind, self.text, self.details = kind, text, details
        self.cause = self.kernel = self.until_dismissed = ""
        self.is_folded = self.waits_for_lessons = False
        self._theme, self._times = theme, 1
        self.setObjectName(f"notice_{kind}")
        self.setProperty("notice", str(kind))
        # Each widget has its parent before it is shown or hidden: without one it would be a window of its own.
        self._icon = PlainLabel(parent=self)
        self._icon.setFixedSize(QSize(16, 16))
        self.setMinimumHeight(HEIGHT)
        self._kind = named(PlainLabel(str(kind).capitalize(), self), role="strong")
        self._kind.setHidden(kind not in (NoticeKind.WARNING, NoticeKind.ERROR))
        self._text = named(TwoLineLabel(self), "noticeText")
        self._text.show_text(text)
        self._text.setToolTip(plain_text(with_terms(text, text)))
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # by keys: Qt shows a caret
        self._text.installEventFilter(self)
        FocusRing(self._text)
        self._text.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves arrow keys to what they were for
        self._count = named(PlainLabel(parent=self), "noticeCount", role="muted")
        self._count.hide()
        self._sheet: NoticeDetails | None = None
        self._lay_out(actions)
        self._say()
        self.set_theme(theme)

    def repeat(self) -> None:
        """The same message came again."""
        self._times += 1
        self._count.setText(f"× {self._times}")
        self._count.setVisible(True)
        self._say()

    def close_details(self) -> None:
        """Take the sheet with the details away, if it is there."""
        self._toggle.setChecked(False)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._icon.setPixmap(icon_pixmap(*symbol_of(self.kind, theme), 16, self.devicePixelRatioF()))
        self._close.setIcon(icon("close", theme, theme.muted))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The key that copies takes the text that has the focus, or what is selected of it."""
        if watched is not self._text or not isinstance(event, QKeyEvent) or not event.matches(_COPY):
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.KeyPress:
            copy_text(self._text.selectedText() or self.text)
        event.accept()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._sheet is not None:
            self._on_close_asked()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def review(self) -> None:
        """Offer what is left to do by now."""
        self._share_out()

    def _share_out(self) -> None:
        """Show the first action where it leaves some room for the text, and as many others as leave enough of it;
        details are for what is not said beside them.
        """
        row = self._row
        margins, gap = row.contentsMargins(), row.spacing()
        always = [each for each in (self._icon, self._kind, self._count, self._close) if each.isVisibleTo(self)]
        room = self.width() - margins.left() - margins.right() - sum(each.sizeHint().width() + gap for each in always)
        left = room - self._toggle.sizeHint().width() - gap
        least, enough = LEAST_TEXT, max(min(self._text.whole_width, ENOUGH_TEXT), LEAST_TEXT)
        for action, button in self._actions:
            is_done = action.is_done()
            left -= 0 if is_done else button.sizeHint().width() + gap
            button.setVisible(left >= least and not is_done)
            least = least if is_done else enough
        shown = [button for _, button in self._actions if button.isVisibleTo(self)]
        room -= sum(button.sizeHint().width() + gap for button in shown)
        self._toggle.setVisible(bool(self.details) or not self._text.fits(room))
        row.activate()  # at once: what is painted before would lie over each other

    def hideEvent(self, event: QHideEvent) -> None:
        if not event.spontaneous():
            self.close_details()
        super().hideEvent(event)

    def _lay_out(self, actions: Sequence[NoticeAction]) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 1, 4, 1)
        row.setSpacing(8)
        self._row, self._actions = row, [(action, self._action(action)) for action in actions]
        self._toggle = _quiet("Details", "noticeDetailsButton", "Show what was reported in full", self)
        self._toggle.setCheckable(True)
        self._toggle.setHidden(not self.details)
        self._toggle.toggled.connect(self._on_details_toggled)
        for widget in (self._icon, self._kind, *(button for _, button in self._actions), self._toggle):
            row.addWidget(widget)
        row.addWidget(self._text, 1)
        row.addWidget(self._count)
        self._close = named(QToolButton(self), "noticeDismiss", "Dismiss this message")
        self._close.clicked.connect(self._on_dismiss)
        self._close.setHidden(self.kind is NoticeKind.OFFER)  # one of its actions does that, and says what comes of it
        row.addWidget(self._close)

    def _action(self, action: NoticeAction) -> QPushButton:
        button = _quiet(action.text, "noticeAction", action.tip or action.text, self)
        if not action.keeps:
            button.clicked.connect(self._on_dismiss)
        button.clicked.connect(lambda _checked=False: action.do())
        return button

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
            whole = "\n\n".join(filter(None, (self.text, self.details)))
            self._sheet = NoticeDetails(whole if self._text.is_elided else self.details or self.text, self)
            self._sheet.copy_asked.connect(self._on_copy)
            self._sheet.close_asked.connect(self._on_close_asked)
            self._sheet.come_after(self._toggle)
            self._sheet.show()

    @Slot()
    def _on_close_asked(self) -> None:
        self.close_details()
        self._toggle.setFocus()

    @Slot()
    def _on_copy(self) -> None:
        copy_text(f"{self.text}\n\n{self.details}")

    @Slot()
    def _on_dismiss(self) -> None:
        self.dismissed.emit(self)


def symbol_of(kind: NoticeKind, theme: Theme) -> tuple[str, str]:
    """The name of the icon of a kind, and its colour."""
    colour = {NoticeKind.WARNING: theme.b, NoticeKind.ERROR: theme.hazard}.get(kind, theme.accent)
    return {NoticeKind.OFFER: "reload", NoticeKind.HINT: "info"}.get(kind, str(kind)), colour


def _quiet(text: str, name: str, tip: str, parent: QWidget) -> QPushButton:
    return named(QPushButton(text, parent), name, tip, role="quiet")
