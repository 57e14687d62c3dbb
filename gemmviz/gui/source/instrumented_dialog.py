"""The source that records itself, as it was compiled: to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.terms import Language
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.source.code_pane import CodePane
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text, title_text

WHAT = "{name} in PTX, as NVIDIA's compiler made it: the recording is of these instructions."
OF_EARLIER = (
    "{name} as an earlier version of gemmviz compiled it for recording: GV_LOAD logs the address of an access in the "
    "slot of its warp request, then makes the access, so the kernel computes the same result."
)
BEGINS = ("#line 1 ", ".entry")
NOTHING = (
    "This recording was made by an earlier version of gemmviz, which did not keep the source that it compiled. "
    "Record again."
)


class InstrumentedDialog(QDialog):
    """Shows a text; it does not hold up the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("instrumentedDialog")
        self._what = named(PlainLabel(wordWrap=True), role="muted")
        self._text = CodePane("instrumentedText", "Recorded code, to read only", LIGHT, has_numbers=False)
        self._copy = named(QPushButton("Copy"), "instrumentedCopy", "Copy the whole text", role="primary")
        self._close = named(QPushButton("Close"), "instrumentedClose", "Close")
        for button in (self._copy, self._close):
            button.setAutoDefault(False)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        buttons.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addWidget(self._what)
        column.addWidget(self._text, 1)
        column.addLayout(buttons)
        fit_screen(self, QSize(760, 640))

    def show_text(self, name: str, text: str) -> None:
        """Show the recorded code of the file `name`, "" if it is not known, and come to the front."""
        self.setWindowTitle(title_text(f"Recorded code of {name}"))
        what = OF_EARLIER if "GV_LOAD" in text else WHAT
        self._what.setText(what.format(name=name) if text else NOTHING)
        self._text.setVisible(bool(text))
        allow(self._copy, "" if text else NOTHING)
        self._text.show_source(text, Language.OPENCL)
        self._go_to_kernel()
        self.show()
        self.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text.set_theme(theme)

    def _go_to_kernel(self) -> None:
        """Behind the definitions, to where the kernel's own file begins."""
        found = (self._text.document().find(words) for words in BEGINS)
        start = next((cursor for cursor in found if not cursor.isNull()), None)
        if start is not None:
            bar = self._text.verticalScrollBar()
            bar.setValue(start.blockNumber())

    @Slot()
    def _on_copy(self) -> None:
        copy_text(self._text.toPlainText())
