"""After a choice from a list above the picture, or a new recording, the keyboard goes to the picture: Space plays."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextEdit

from gemmviz.gui.control.active_pane import ActivePane
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.widgets.fields import ComboBox

_TYPING = QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox


class ChoiceFocus(QObject):
    """Lets each list above the picture give up the focus once a person chose."""

    def __init__(self, page: MemoryPage, active_pane: ActivePane) -> None:
        super().__init__(page)
        self._page, self._active_pane, self._has_come = page, active_pane, False
        page.chosen_note.work_ended.connect(self._on_work_ended)
        for combo in page.findChildren(ComboBox, options=Qt.FindChildOption.FindDirectChildrenOnly):
            combo.activated.connect(self.hand_on)

    @Slot()
    def hand_on(self) -> None:
        """Give the focus to the picture that the panels follow, or to the request or the totals in front of it."""
        page = self._page
        picture = page.stages.in_front or page.panes[self._active_pane.place].view
        (page.shown if page.shows_source else picture).setFocus(Qt.FocusReason.OtherFocusReason)

    def recording_came(self) -> None:
        """A recording is shown that was not there before: its picture gets the focus, unless somebody types or another
        page is in front. While work goes on, the focus stays where it is to the end.
        """
        self._has_come = True
        if not self._page.chosen_note.is_busy:
            self._on_work_ended()

    @Slot()
    def _on_work_ended(self) -> None:
        page, has_come, self._has_come = self._page, self._has_come, False
        if not has_come:
            return
        is_typing = isinstance(page.window().focusWidget(), _TYPING)
        if page.isVisible() and not is_typing:
            self.hand_on()
