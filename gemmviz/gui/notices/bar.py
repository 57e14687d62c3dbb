"""Messages at the top of the centre that ask for nothing and stop nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.named import named
from gemmviz.gui.notices.notice import Notice, NoticeAction, NoticeKind
from gemmviz.gui.notices.stack import NoticeStack
from gemmviz.gui.plain_label import PlainLabel

MOST_SHOWN = 2
MOST_KEPT = 50
FADE_MS = 8000


class NoticeBar(QWidget):
    """Shows the two newest messages, the newest above; the others are counted and move up as these go.

    An info goes after eight seconds on view unless the pointer rests on it; warnings and errors stay. The same message
    again is counted, not stacked, and is the newest. Long messages scroll: the bar never makes the window taller.
    Screen readers are told of each.
    """

    def __init__(self, theme: Theme, fade_ms: int = FADE_MS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._theme, self._fade_ms = theme, fade_ms
        self._notices: list[Notice] = []
        self._stack = NoticeStack()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self._stack)
        self._more = named(QWidget(), "noticesMore")
        self._more_words = named(PlainLabel(), "noticesMoreText", role="muted")
        clear = named(QPushButton("Dismiss all"), "noticesClear", "Dismiss every message", role="quiet")
        clear.clicked.connect(self.clear)
        row = QHBoxLayout(self._more)
        row.setContentsMargins(40, 2, 8, 2)
        row.addWidget(self._more_words)
        row.addWidget(clear)
        row.addStretch(1)
        column.addWidget(self._more)
        self._arrange()

    def show_notice(
        self,
        kind: NoticeKind,
        text: str,
        details: str = "",
        action_text: str = "",
        on_action: Callable[[], None] | None = None,
    ) -> None:
        """Show a message; `details` open in a sheet below it, the action is a button that also dismisses it."""
        same = next((n for n in self._notices if (n.kind, n.text, n.details) == (kind, text, details)), None)
        if same is not None:
            same.repeat()
            self._notices.remove(same)
            self._notices.insert(0, same)
        else:
            action = NoticeAction(action_text, on_action) if action_text and on_action else None
            same = Notice(kind, text, details, action, self._theme, self._fade_ms)
            same.dismissed.connect(self._on_dismissed)
            same.details_opened.connect(self._on_details_opened)
            self._notices.insert(0, same)
            for late in self._notices[MOST_KEPT:]:
                self._drop(late)
        self._arrange()
        self._stack.verticalScrollBar().setValue(0)
        QAccessible.updateAccessibility(QAccessibleEvent(same, QAccessible.Event.Alert))

    def texts(self) -> tuple[str, ...]:
        """What is said, in the order shown, the counted ones too."""
        return tuple(notice.text for notice in self._notices)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for notice in self._notices:
            notice.set_theme(theme)

    @Slot()
    def clear(self) -> None:
        """Dismiss everything."""
        for notice in tuple(self._notices):
            self._drop(notice)
        self._arrange()

    def _arrange(self) -> None:
        for place, notice in enumerate(self._notices):
            self._stack.column.removeWidget(notice)
            self._stack.column.insertWidget(place, notice)
            notice.setVisible(place < MOST_SHOWN)
            if place < MOST_SHOWN:
                notice.begin_to_fade()
            else:
                notice.wait()
        hidden = max(len(self._notices) - MOST_SHOWN, 0)
        self._more_words.setText(f"and {hidden} more")
        self._more.setVisible(hidden > 0)
        self.setVisible(bool(self._notices))
        self._stack.fit()

    def _drop(self, notice: Notice) -> None:
        self._notices.remove(notice)
        self._stack.column.removeWidget(notice)
        notice.hide()
        notice.deleteLater()

    @Slot(QWidget)
    def _on_details_opened(self, opened: Notice) -> None:
        for notice in self._notices:
            if notice is not opened:
                notice.close_details()

    @Slot(QWidget)
    def _on_dismissed(self, notice: Notice) -> None:
        if notice in self._notices:
            self._drop(notice)
            self._arrange()
