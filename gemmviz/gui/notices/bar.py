"""Messages in the status bar, which is always there and always as high: nothing moves when they come or go."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAction, QIcon
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from gemmviz.domain.visible_text import sentence
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.notices.notice import HEIGHT, Notice, NoticeAction, NoticeKind, symbol_of
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import action_text, plain_text

MOST_KEPT = 50
_OF_WINDOW = 0.8
"""How much of the window's width an entry of the menu may take."""
_GRAVEST_FIRST = (NoticeKind.ERROR, NoticeKind.WARNING, NoticeKind.OFFER, NoticeKind.HINT, NoticeKind.INFO)


class NoticeBar(QWidget):
    """Shows the newest message in two lines at most; a button counts the others and brings each to the front, in the
    colour of the gravest. `fold` leaves the button alone, which has all of them.

    No message goes by itself: it stays until it is dismissed or its cause is settled, an info also until other work
    begins; a newer one puts it behind the button. The same message again is counted, not kept twice, and is the newest.
    One about a kernel is in the line only while that is chosen, and in no lesson, nor is one that `waits_for_lessons`.
    What does not fit into the two lines stands in a sheet above them. Screen readers announce each message.
    """

    came = Signal()
    """There is a message that was not there before."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setAccessibleName("Messages")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._notices: list[Notice] = []
        self._never_again: set[str] = set()
        """What was dismissed and is not said again."""
        self._is_quiet = False
        self._kernel: str | None = None
        """The chosen kernel; None where nobody has told."""
        self._more = named(QToolButton(self), "noticesMore", "Earlier messages; dismiss all", role="quiet")
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        menu = QMenu(self._more)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self._fill_menu)
        self._more.setMenu(menu)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._row.addWidget(self._more)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)

    @property
    def _front(self) -> Notice | None:
        """The message in the line."""
        return next((each for each in self._notices if not each.is_folded and not self._is_of_another(each)), None)

    def _is_of_another(self, notice: Notice) -> bool:
        """Whether a message is about a kernel that is not in front."""
        if self._is_quiet and (notice.kernel or notice.waits_for_lessons):
            return True
        return bool(notice.kernel) and notice.kernel != (self._kernel or notice.kernel)

    def show_notice(
        self,
        kind: NoticeKind,
        text: str,
        details: str = "",
        actions: Sequence[NoticeAction] = (),
        cause: str = "",
        kernel: str = "",
        until_dismissed: str = "",
        waits_for_lessons: bool = False,
    ) -> None:
        """Show a message; `details` open in a sheet above it, each action is a button that also dismisses it.

        `cause` names what the message is about: `settle` takes it away, and so does the next message about it. One that
        says what to do with a `kernel` is read only while that is chosen: `follow_kernel`; one about kernels of which
        none is chosen `waits_for_lessons` to be closed. One that has a name to be told `until_dismissed` is not shown
        once a person has dismissed one of that name.
        """
        if until_dismissed in self._never_again:
            return
        text = sentence(text)
        same = next((n for n in self._notices if (n.kind, n.text, n.details) == (kind, text, details)), None)
        if same is not None and not actions:
            same.repeat()
            same.is_folded = False
            self._notices.remove(same)
            self._notices.insert(0, same)
        else:
            self._drop_all_of(cause)
            same = Notice(kind, text, details, actions, self._theme, self)
            same.cause, same.kernel, same.until_dismissed = cause, kernel, until_dismissed
            same.waits_for_lessons = waits_for_lessons
            same.dismissed.connect(self._on_dismissed)
            self._row.insertWidget(0, same, 1)
            self._notices.insert(0, same)
            for late in self._notices[MOST_KEPT:]:
                self._drop(late)
        self._arrange()
        self.came.emit()
        QAccessible.updateAccessibility(QAccessibleEvent(same, QAccessible.Event.Alert))

    @Slot(str, str, object)
    def offer(self, words: str, button: str, do: Callable[[], object]) -> None:
        """Tell something, with a button that changes it, "" for none."""
        self.show_notice(NoticeKind.INFO, words, actions=(NoticeAction(button, do),) if button else ())

    @Slot()
    def review(self) -> None:
        """Another page is in front, or there are new results: what is done by now is not offered."""
        for notice in self._notices:
            notice.review()

    @Slot(str)
    def settle(self, cause: str) -> None:
        """What these messages were about is mended: they go."""
        self._drop_all_of(cause)
        self._arrange()

    def step_back(self, cause: str) -> None:
        """Fold the messages about something, whatever their kind: they stay behind the button."""
        for notice in self._notices:
            notice.is_folded |= notice.cause == cause
        self._arrange()

    @Slot()
    def fold(self) -> None:
        """Something else is at work: what warns of earlier work steps behind the button, and an info about it goes;
        hints and offers stay.
        """
        for notice in [one for one in self._notices if one.kind is NoticeKind.INFO]:
            self._drop(notice)
        for notice in self._notices:
            notice.is_folded |= notice.kind not in (NoticeKind.HINT, NoticeKind.OFFER)
        self._arrange()

    def follow_kernel(self, kernel: str) -> None:
        """The chosen kernel: messages about another one step behind the button, those about it come back."""
        if kernel != self._kernel:
            self._kernel = kernel
            self._arrange()

    def set_quiet(self, is_quiet: bool) -> None:
        """Whether earlier messages are not even counted while no new one is read, and none about a kernel is: something
        else is read.
        """
        self._is_quiet = is_quiet
        self._arrange()

    @Slot()
    def come_back(self) -> None:
        """The work is over that messages stepped back for: where none is in front, the newest that says what to do next
        is read again without a click.
        """
        newest = next((each for each in self._notices if each.kind in (NoticeKind.HINT, NoticeKind.OFFER)), None)
        if self._front is None and newest is not None:
            newest.is_folded = False
            self._arrange()

    def texts(self) -> tuple[str, ...]:
        """What is said, the newest first, the counted ones too."""
        return tuple(notice.text for notice in self._notices)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for notice in self._notices:
            notice.set_theme(theme)
        self._colour()

    @Slot()
    def clear(self) -> None:
        """Dismiss everything."""
        for notice in tuple(self._notices):
            self._on_dismissed(notice)

    def _arrange(self) -> None:
        front = self._front
        for notice in self._notices:
            notice.setVisible(notice is front)
        self._row.activate()  # else a message that came just now is painted as wide as nobody made it yet
        others = len(self._notices) - (front is not None)
        messages = "message" if others == 1 else "messages"
        self._more.setText(f"{others} more" if front is not None else f"{others} {messages}")
        self._more.setAccessibleName(f"{others} {'more' if front is not None else 'earlier'} {messages}")
        self._more.setVisible(others > 0 and not (self._is_quiet and front is None))
        self._colour()
        policy = self.sizePolicy()
        policy.setHorizontalStretch(int(bool(self._notices)))  # without messages, what is beside has all the room
        self.setSizePolicy(policy)

    def _colour(self) -> None:
        """Show on the button how grave the gravest message behind it is."""
        kinds = {notice.kind for notice in self._notices if notice is not self._front}
        gravest = next((kind for kind in _GRAVEST_FIRST if kind in kinds), None)
        if gravest is None:
            return
        self._more.setIcon(_icon_of(gravest, self._theme))
        if self._more.property("notice") != str(gravest):
            self._more.setProperty("notice", str(gravest))
            self._more.style().polish(self._more)

    def _drop_all_of(self, cause: str) -> None:
        for notice in tuple(self._notices):
            if cause and notice.cause == cause:
                self._drop(notice)

    def _drop(self, notice: Notice) -> None:
        self._notices.remove(notice)
        self._row.removeWidget(notice)
        notice.hide()
        notice.deleteLater()

    @Slot()
    def _fill_menu(self) -> None:
        menu = self._more.menu()
        menu.clear()
        for notice in [each for each in self._notices if each is not self._front]:
            room = round(_OF_WINDOW * min(self.window().width(), self.screen().availableSize().width()))
            text = menu.fontMetrics().elidedText(notice.text, Qt.TextElideMode.ElideRight, room)
            entry = QAction(_icon_of(notice.kind, self._theme), action_text(text), menu)
            entry.setToolTip(plain_text(notice.text))
            entry.triggered.connect(lambda _=False, notice=notice: self._bring_to_front(notice))
            menu.addAction(entry)
        menu.addSeparator()
        every = QAction("Dismiss all", menu)
        every.setObjectName("noticesClear")
        every.triggered.connect(self.clear)
        menu.addAction(every)

    def _bring_to_front(self, notice: Notice) -> None:
        if notice in self._notices:
            self._notices.remove(notice)
            self._notices.insert(0, notice)
            notice.is_folded, notice.kernel = False, ""
            self._arrange()

    @Slot(QWidget)
    def _on_dismissed(self, notice: Notice) -> None:
        if notice in self._notices:
            self._never_again |= {notice.until_dismissed} - {""}
            self._drop(notice)
            self._arrange()


def _icon_of(kind: NoticeKind, theme: Theme) -> QIcon:
    name, colour = symbol_of(kind, theme)
    return icon(name, theme, colour)
