"""The kernels of the experiment panel: a filter, the list, and a button that opens the browser."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.gui.kernels.browser import KernelBrowser
from gemmviz.gui.kernels.filter_bar import KernelFilter
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.rows import KernelRow, matching
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_fields import SectionHead
from gemmviz.gui.widgets.plain_label import PlainLabel

NOTHING = "No kernel matches. Clear the filter to see all."


class KernelPicker(QWidget):
    """Passes on what is chosen, ticked and removed in the list or in the browser. `margin` is left beside the filter,
    in pixels; the list takes the whole width.
    """

    kernel_chosen = Signal(str)
    kernel_ticked = Signal(str, bool)
    removal_asked = Signal(str)
    found_asked = Signal(str)
    shown_changed = Signal(object)
    """The ids of the kernels that the list shows from now on."""

    def __init__(self, theme: Theme, margins: tuple[int, int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[KernelRow, ...] = ()
        self._chosen = ""
        self._browser: KernelBrowser | None = None
        self.head = SectionHead("Kernel", "tick to compare")
        self.list = KernelList(theme)
        self.filter = KernelFilter("kernel")
        self.browse = named(
            QPushButton("Browse…"),
            "kernelBrowse",
            "Open a large list with what each kernel teaches and whether it can run and be recorded",
            "Browse kernels",
            "quiet",
        )
        self._none = named(PlainLabel(NOTHING, wordWrap=True), "kernelNone", role="muted")
        self._lay_out(*margins)
        self._connect()

    def show_rows(self, rows: Sequence[KernelRow], chosen: str) -> None:
        """Other rows, or another chosen one; nothing is emitted. A filter that hides the chosen one is cleared."""
        is_other, self._chosen, self._rows = chosen != self._chosen, chosen, tuple(rows)
        if is_other and all(row.id != chosen for row in self._found()):
            self.filter.clear()
        self._show()
        if self._browser is not None:
            self._browser.show_rows(rows, chosen)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.list.set_theme(theme)
        if self._browser is not None:
            self._browser.set_theme(theme)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        return (self.browse, self.filter.field, self.filter.runnable, self.list)

    def _lay_out(self, left: int, right: int) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(left, 0, right, 0)
        head.addWidget(self.head, 1)
        head.addWidget(self.browse)
        search = QVBoxLayout()
        search.setContentsMargins(left, 0, right, 0)
        search.setSpacing(2)
        search.addWidget(self.filter)
        search.addWidget(self._none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addSpacing(2)
        column.addLayout(search)
        column.addSpacing(4)
        column.addWidget(self.list, 1)
        self._none.hide()

    def _connect(self) -> None:
        self.list.kernel_chosen.connect(self.kernel_chosen)
        self.list.kernel_ticked.connect(self.kernel_ticked)
        self.list.removal_asked.connect(self.removal_asked)
        self.list.found_asked.connect(self.found_asked)
        self.filter.changed.connect(self._show)
        self.filter.went_down.connect(lambda: self.list.setFocus(Qt.FocusReason.OtherFocusReason))
        self.filter.entered.connect(self.list.choose_first)
        self.browse.clicked.connect(self.open_browser)

    def _found(self) -> tuple[KernelRow, ...]:
        return matching(self._rows, self.filter.query, only_runnable=self.filter.only_runnable)

    @Slot()
    def _show(self) -> None:
        found = self._found()
        self._none.setVisible(not found and bool(self._rows))
        self.list.show_rows(found, self._chosen)
        self.shown_changed.emit(frozenset(row.id for row in found if row.id))

    @Slot()
    def open_browser(self) -> None:
        """Show the list large, over the window."""
        if self._browser is None:
            self._browser = browser = KernelBrowser(self._theme, self.window())
            browser.kernel_chosen.connect(self.kernel_chosen)
            browser.kernel_ticked.connect(self.kernel_ticked)
            browser.removal_asked.connect(self.removal_asked)
            browser.found_asked.connect(self.found_asked)
            browser.finished.connect(self._on_closed)
            browser.show_rows(self._rows, self._chosen)
            browser.open()

    @Slot()
    def _on_closed(self) -> None:
        if self._browser is not None:
            self._browser.deleteLater()
            self._browser = None
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
