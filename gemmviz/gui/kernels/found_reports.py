"""What was found out about files since the window opened, kept to be read again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.kernels.found_dialog import FoundDialog, FoundReport

WHAT_WAS_FOUND = "What was found"


class FoundReports(QObject):
    """The newest report on each file, and the dialogs that show them.

    Signals:
        line_asked(path, number), taken_back(path): as of FoundDialog.
    """

    line_asked = Signal(object, int)
    taken_back = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._reports: dict[Path, FoundReport] = {}
        self._dialogs: dict[Path, FoundDialog] = {}

    def take(self, report: FoundReport, *, is_shown: bool) -> None:
        """Keep a report in the place of an earlier one on the same file, and show it if that is wanted."""
        self._reports[report.path] = report
        if report.path in self._dialogs:
            self._dialogs[report.path].show_report(report)
        elif is_shown:
            self.show(report.path)

    def show(self, path: Path) -> None:
        """Show what was found in a file; where that was before the window opened, the description beside it."""
        path = path.absolute()
        if path in self._dialogs:
            self._dialogs[path].raise_()
            self._dialogs[path].activateWindow()
            return
        self._dialogs[path] = dialog = FoundDialog(self._reports.get(path) or _described(path), self._over.window())
        dialog.line_asked.connect(self.line_asked)
        dialog.taken_back.connect(self.taken_back)
        dialog.finished.connect(lambda _: self._dialogs.pop(path, None))
        dialog.show()

    def close(self) -> None:
        """Close every dialog."""
        for dialog in tuple(self._dialogs.values()):
            dialog.close()

    def entries(self) -> list[Entry]:
        """A report to read for each file, for the command palette."""
        return [Entry(WHAT_WAS_FOUND, path.name, partial(self.show, path)) for path in self._reports]


def _described(path: Path) -> FoundReport:
    """What the description beside a file says; nothing where there is none."""
    try:
        return FoundReport(path, written=read_text(beside_file(path), MOST_BYTES))
    except ReadError:
        return FoundReport(path)
