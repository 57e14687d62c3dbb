"""The files opened lately, in the menu and on the first page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from gemmviz.gui.files.recent_files import fill_recent_menu, recent_rows
from gemmviz.gui.remembered import Memory
from gemmviz.gui.welcome.first_page import FirstPage


class RecentControl(QObject):
    """Keeps both lists as the memory has them."""

    chosen = Signal(Path)

    def __init__(self, memory: Memory, menu: QMenu, page: FirstPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory, self._menu, self._page = memory, menu, page
        page.recent_asked.connect(lambda path: self.chosen.emit(Path(path)))
        menu.aboutToShow.connect(self.show)  # a file may have gone since
        self.show()

    def use(self, path: Path) -> None:
        """A file was opened or saved."""
        self._memory.use_file(path)
        self.show()

    def show(self) -> None:
        """Look again which files are there."""
        rows = recent_rows(self._memory.recent)
        self._page.show_recent(rows)
        fill_recent_menu(self._menu, rows, lambda path: self.chosen.emit(Path(path)), self._forget)

    def _forget(self) -> None:
        self._memory.forget_files()
        self.show()
