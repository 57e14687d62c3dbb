"""The kernels in a window of their own: what each teaches, whether it can run and be recorded, and why not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.kernels.filter_bar import KernelFilter
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.rows import KernelRow, matching
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

WIDTH, HEIGHT = 1080, 700
_AROUND = QSize(80, 80)
"""Pixels by which the browser is smaller than the window."""
_ROOM_FOR_TEXT = 76
"""Pixels for the words about the chosen kernel, so that the list keeps its height."""


class KernelBrowser(QDialog):
    """Emits what is chosen, ticked and removed at once; Enter and a double click close it."""

    kernel_chosen = Signal(str)
    kernel_ticked = Signal(str, bool)
    removal_asked = Signal(str)
    found_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("kernelBrowser")
        self.setWindowTitle("Kernels")
        self._rows: tuple[KernelRow, ...] = ()
        self._chosen = ""
        self._list = KernelList(theme, is_wide=True)
        self._filter = KernelFilter("kernelBrowser")
        self._count = named(PlainLabel(), "kernelBrowserCount", role="muted")
        self._about = named(PlainLabel(wordWrap=True), "kernelBrowserAbout", says="About the chosen kernel")
        self._about.setFixedHeight(_ROOM_FOR_TEXT)
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._close = named(QPushButton("Close"), "kernelBrowserClose", "Close the list; the choice stays", "Close")
        self._close.setAutoDefault(False)
        self._lay_out()
        self._connect()
        room = parent.window().size() - _AROUND if parent is not None else QSize(WIDTH, HEIGHT)
        fit_screen(self, QSize(WIDTH, HEIGHT).boundedTo(room))
        self._filter.field.setFocus()

    def show_rows(self, rows: Sequence[KernelRow], chosen: str) -> None:
        """Other rows, or another chosen one; nothing is emitted."""
        self._rows, self._chosen = tuple(rows), chosen
        self._show()

    def set_theme(self, theme: Theme) -> None:
        self._list.set_theme(theme)

    def _lay_out(self) -> None:
        top, bottom = QHBoxLayout(), QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self._filter, 1)
        top.addWidget(self._count)
        bottom.setSpacing(16)
        bottom.addWidget(self._about, 1)
        bottom.addWidget(self._close, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(top)
        column.addWidget(self._list, 1)
        column.addLayout(bottom)

    def _connect(self) -> None:
        self._list.kernel_chosen.connect(self.kernel_chosen)
        self._list.kernel_ticked.connect(self.kernel_ticked)
        self._list.removal_asked.connect(self.removal_asked)
        self._list.found_asked.connect(self.found_asked)
        self._list.settled.connect(self.accept)
        self._filter.changed.connect(self._show)
        self._filter.went_down.connect(lambda: self._list.setFocus(Qt.FocusReason.OtherFocusReason))
        self._filter.entered.connect(self._on_entered)
        self._close.clicked.connect(self.accept)

    @Slot()
    def _show(self) -> None:
        found = matching(self._rows, self._filter.query, only_runnable=self._filter.only_runnable)
        kernels = sum(not row.is_heading for row in self._rows)
        self._count.setText(f"{sum(not row.is_heading for row in found)} of {kernels} kernels · tick to compare")
        self._list.show_rows(found, self._chosen)
        row = next((row for row in self._rows if row.id == self._chosen), None)
        self._about.setText(about(row) if row is not None else "")

    @Slot()
    def _on_entered(self) -> None:
        self._list.choose_first()
        if self._list.currentIndex().isValid():
            self.accept()


def about(row: KernelRow) -> str:
    """Name, what it teaches, where it comes from, and why it cannot run or be recorded."""
    lines = (row.name, f"{row.teaches} {row.file}".strip(), row.reason or row.recording)
    return "\n".join(line for line in lines if line)
