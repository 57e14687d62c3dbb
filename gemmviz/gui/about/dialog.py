"""What this is, what it stands on, under which licences."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.gui.about.facts import Fact, as_text
from gemmviz.gui.looks.icons import application_icon
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text

PROMISE = "Shows what a matrix-multiplication kernel really does: runs it, times it, checks it, records it."
COPIED_MS = 2000


class AboutDialog(QDialog):
    """Shows facts (`about_facts(devices)`) and licences (`licences()`); Copy info puts the facts on the clipboard."""

    def __init__(
        self, facts: Sequence[Fact], licences: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        self.setWindowTitle("About gemmviz")
        self._facts, self._licences = tuple(facts), tuple(licences)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(self._head())
        column.addWidget(_rule())
        column.addLayout(self._table())
        column.addWidget(_rule())
        column.addLayout(self._licence_part(), 1)
        column.addLayout(self._buttons())
        fit_screen(self, QSize(560, 680))
        self._close.setFocus()

    def _head(self) -> QHBoxLayout:
        mark = PlainLabel()
        mark.setPixmap(application_icon().pixmap(QSize(64, 64), self.devicePixelRatioF()))
        version = dict(self._facts).get("gemmviz", "")
        name = named(PlainLabel(f"gemmviz {version}".strip()), role="title")
        promise = named(PlainLabel(PROMISE, wordWrap=True), role="muted")
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addStretch(1)
        words.addWidget(name)
        words.addWidget(promise)
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(mark)
        row.addLayout(words, 1)
        return row

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (what, version) in enumerate(self._facts):
            name = named(PlainLabel(what), role="muted")
            value = named(PlainLabel(version, wordWrap=True), role="code")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        return grid

    def _licence_part(self) -> QVBoxLayout:
        which = named(ComboBox(), "licenceCombo", "Licence to show")
        which.addItems([name for name, _ in self._licences])
        self._licence = named(QPlainTextEdit(readOnly=True), "licenceText", says="Licence")
        self._licence.setTabChangesFocus(True)
        which.currentIndexChanged.connect(self._on_licence_chosen)
        self._on_licence_chosen(0)
        row = QHBoxLayout()
        row.addWidget(named(PlainLabel("Licences"), role="head"))
        row.addStretch(1)
        row.addWidget(which)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._licence, 1)
        return column

    def _buttons(self) -> QHBoxLayout:
        self._copy = named(QPushButton("Copy info"), "copyInfo", "Copy the versions for a report")
        self._copy.clicked.connect(self._on_copy)
        self._close = named(QPushButton("Close"), "closeAbout", "Close", role="primary")
        self._close.setDefault(True)
        self._close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self._copy)
        row.addStretch(1)
        row.addWidget(self._close)
        return row

    @Slot(int)
    def _on_licence_chosen(self, place: int) -> None:
        self._licence.setPlainText(self._licences[place][1] if 0 <= place < len(self._licences) else "")

    @Slot()
    def _on_copy(self) -> None:
        copy_text(as_text(self._facts))
        self._copy.setText("Copied")
        QTimer.singleShot(COPIED_MS, self._copy, lambda: self._copy.setText("Copy info"))


def _rule() -> QFrame:
    return named(QFrame(), role="rule")
