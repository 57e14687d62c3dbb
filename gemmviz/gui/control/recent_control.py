"""The files opened lately, in the menu and on the first page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu

from gemmviz.gui.files.recent_files import fill_recent_menu, is_file, recent_rows
from gemmviz.gui.files.session_control import SessionControl
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.tasks.file_questions import FileQuestions
from gemmviz.gui.welcome.first_page import FirstPage


class RecentControl(QObject):
    """Keeps both lists as the memory has them."""

    chosen = Signal(Path)

    def __init__(self, memory: Preferences, menu: QMenu, page: FirstPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory, self._menu, self._page = memory, menu, page
        self._is_there: dict[str, bool] = {}
        self._asked: set[str] = set()
        self._questions = FileQuestions(self)
        page.recent_asked.connect(lambda path: self.chosen.emit(Path(path)))
        menu.aboutToShow.connect(self.show)  # a file may have gone since
        self.show()

    def connect_files(self, files: SessionControl) -> None:
        """Open what is chosen, and keep the kernel files that a person opens."""
        self.chosen.connect(files.open_path)
        files.kernels_chosen.connect(self._use_kernels)

    @Slot(object)
    def _use_kernels(self, paths: tuple[Path, ...]) -> None:
        for path in paths:
            self.use(path)

    def use(self, path: Path) -> None:
        """A file was opened or saved."""
        self._memory.use_file(path)
        self.show()

    def show(self) -> None:
        """Show the files, and look again which are there: until a disk answers each is taken for what it was."""
        self._fill()
        for path in self._memory.recent:
            if path not in self._asked:
                self._asked.add(path)
                self._questions.ask(partial(_look, path), self._on_looked, patience_s=0.0)

    def _fill(self) -> None:
        rows = recent_rows(self._memory.recent, lambda path: self._is_there.get(path, True))
        self._page.show_recent(rows)
        fill_recent_menu(self._menu, rows, lambda path: self.chosen.emit(Path(path)), self._forget)

    def _on_looked(self, found: tuple[str, bool]) -> None:
        path, is_there = found
        self._asked.discard(path)
        was_there = self._is_there.get(path, True)
        self._is_there[path] = is_there
        if was_there != is_there:
            self._fill()

    def _forget(self) -> None:
        self._memory.forget_files()
        self.show()


def _look(path: str) -> tuple[str, bool]:
    return path, is_file(path)
