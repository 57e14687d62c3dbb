"""A message below the text of the editor, with what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.notices.notice import NoticeAction
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel


class EditorStrip(QFrame):
    """One message at a time; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editorStrip")
        self.setProperty("notice", "warning")
        self._words = named(PlainLabel(wordWrap=True), "editorStripWords")
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(2)
        column.addWidget(self._words)
        column.addLayout(self._row)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; "" for nothing."""
        return "" if self.isHidden() else self._words.text()

    def show_message(self, words: str, actions: Sequence[NoticeAction] = ()) -> None:
        """Say this in place of what was said; each action is a button that also takes the message away."""
        self._clear()
        self._words.setText(words)
        for number, action in enumerate(actions):
            button = named(QPushButton(action.text), f"editorStrip{number}", action.tip or action.text, role="quiet")
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, action=action: self._do(action))
            self._row.addWidget(button)
        self._row.addStretch(1)
        self.show()

    def settle(self) -> None:
        """Take the message away."""
        self.hide()
        self._clear()

    def _do(self, action: NoticeAction) -> None:
        if not action.keeps:
            self.settle()
        action.do()

    def _clear(self) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
