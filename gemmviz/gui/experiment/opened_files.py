"""Chooses a kernel file that is opened in the panel, also while it is no kernel yet."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gemmviz.gui.experiment.opened_file import OpenedFile
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.user_catalogue import UserCatalogue


class OpenedFiles(QObject):
    """Keeps the panel at the file that was opened last, until it is a kernel or a person chooses another one."""

    became_kernel = Signal(str)
    """The id of a kernel whose file was chosen before it was one."""

    def __init__(self, panel: ExperimentPanel, user_catalogue: UserCatalogue) -> None:
        super().__init__(panel)
        self._panel = panel
        user_catalogue.refused.connect(self._on_refused)
        user_catalogue.failed.connect(self._on_failed)
        user_catalogue.taken.connect(self._on_taken)
        panel.kernels.removal_asked.connect(self._on_removed)

    @Slot(str, str, bool)
    def _on_refused(self, path: str, why: str, is_adoptable: bool) -> None:
        self._panel.show_file(OpenedFile(Path(path), why, is_adoptable))

    @Slot(str, str, bool)
    def _on_failed(self, path: str, why: str, is_adoptable: bool) -> None:
        """The file was saved, and is no kernel for another reason now."""
        if self._is_chosen(path):
            self._on_refused(path, why, is_adoptable)

    @Slot(str, str)
    def _on_taken(self, path: str, kernel_id: str) -> None:
        if self._is_chosen(path):
            self._panel.show_file(None)
            self.became_kernel.emit(kernel_id)

    @Slot(str)
    def _on_removed(self, row_id: str) -> None:
        if self._panel.file is not None and self._panel.file.row_id == row_id:
            self._panel.show_file(None)

    def _is_chosen(self, path: str) -> bool:
        return self._panel.file is not None and self._panel.file.path == Path(path)
