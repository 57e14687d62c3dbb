"""What was found out about files since the window opened, kept to be read again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.loader import MOST_BYTES, is_shipped
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.found_dialog import WHAT_WAS_FOUND, FoundDialog, FoundReport
from gemmviz.gui.kernels.user_catalogue import UserCatalogue


class FoundReports(QObject):
    """The newest report on each file, and the dialogs that show them, also where the list of kernels asks for it."""

    line_asked = Signal(str, int)
    """The id of a kernel and a line of its file that a person wants to see."""
    deleted = Signal(object)
    """The path of a file whose description was deleted."""

    def __init__(self, panel: ExperimentPanel, user_catalogue: UserCatalogue) -> None:
        super().__init__(panel)
        self._panel, self._user_catalogue = panel, user_catalogue
        self._reports: dict[Path, FoundReport] = {}
        self._dialogs: dict[Path, FoundDialog] = {}
        user_catalogue.changed.connect(self._on_catalogue_changed)
        panel.kernels.found_asked.connect(self._on_found_asked)

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
        self._dialogs[path] = dialog = FoundDialog(self._report_on(path), self._panel.window())
        dialog.line_asked.connect(self._on_line_asked)
        dialog.taken_back.connect(self._on_taken_back)
        dialog.look_asked.connect(self._panel.describe_asked)
        dialog.finished.connect(lambda _: self._dialogs.pop(path, None))
        dialog.show()

    def close(self) -> None:
        """Close every dialog."""
        for dialog in tuple(self._dialogs.values()):
            dialog.close()

    def entries(self) -> list[Entry]:
        """A report to read for each file that was looked at or has a description beside it, for the command palette."""
        own = [kernel.path for kernel in self._user_catalogue.catalogue.kernels if not is_shipped(kernel)]
        described = [path.absolute() for path in own if beside_file(path).is_file()]
        return [
            Entry(WHAT_WAS_FOUND, path.name, partial(self.show, path), self._report_on(path).outdated_words)
            for path in dict.fromkeys((*self._reports, *described))
        ]

    def _report_on(self, path: Path) -> FoundReport:
        """What was found in a file; where that was before the window opened, what the description beside it says."""
        if path in self._reports:
            return self._reports[path]
        kernels = self._user_catalogue.catalogue.kernels
        left_out = next((kernel.values_left_out for kernel in kernels if kernel.path == path), ())
        try:
            return FoundReport(path, written=read_text(beside_file(path), MOST_BYTES), left_out=left_out)
        except ReadError:
            return FoundReport(path)

    @Slot(str)
    def _on_found_asked(self, row_id: str) -> None:
        file = self._panel.file
        paths = [kernel.path for kernel in self._user_catalogue.catalogue.kernels if kernel.id == row_id]
        for path in paths or ([file.path] if file is not None else []):
            self.show(path)

    @Slot()
    def _on_catalogue_changed(self) -> None:
        """A file may have been read again."""
        for dialog in self._dialogs.values():
            dialog.show_whether_outdated()

    @Slot(object, int)
    def _on_line_asked(self, path: Path, line: int) -> None:
        for kernel in self._user_catalogue.catalogue.kernels:
            if kernel.path == path:
                self.line_asked.emit(kernel.id, line)

    @Slot(object)
    def _on_taken_back(self, path: Path) -> None:
        self.deleted.emit(path)
        for kernel in self._user_catalogue.catalogue.kernels:
            if kernel.path == path:
                self._user_catalogue.remove(kernel.id)
        self._user_catalogue.add((path,))
