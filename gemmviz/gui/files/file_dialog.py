"""Asks for names of files: Qt's dialog, as large and with columns as wide as names need."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView, QWidget

from gemmviz.gui.widgets.dialog_size import fit_screen

USUAL_SIZE = QSize(920, 560)
NAME, FILE_SIZE, KIND, CHANGED = range(4)
"""The columns of Qt's list."""
_LONGEST = {FILE_SIZE: "1023.99 MiB", KIND: "gemmviz File", CHANGED: "2026-12-28 12:58 PM"}
"""About the longest text of each column; names have the rest."""
_PADDING = 40
"""Pixels beside the text of a column, with the sign that says how the list is sorted."""


class FileDialog(QFileDialog):
    """Takes the desktop's own dialog where there is one. Qt's is as large and as divided as a person left the last."""

    _last_size: ClassVar[QSize] = USUAL_SIZE
    _last_columns: ClassVar[QByteArray | None] = None

    def __init__(self, parent: QWidget | None, title: str, path: str, filters: str) -> None:
        super().__init__(parent, title, "", filters)
        self.setObjectName("fileDialog")
        if Path(path).is_dir():
            self.setDirectory(path)
        else:
            self.selectFile(path)  # in its folder
        fit_screen(self, FileDialog._last_size)
        if (columns := self._columns) is not None:
            self._set_widths(columns)
        self.finished.connect(self._keep)

    @staticmethod
    def name_to_open(parent: QWidget | None, title: str, folder: str, filters: str) -> str:
        """The path of a file that exists; "" if the dialog was cancelled."""
        names = FileDialog.names_to_open(parent, title, folder, filters, QFileDialog.FileMode.ExistingFile)
        return names[0] if names else ""

    @staticmethod
    def names_to_open(
        parent: QWidget | None,
        title: str,
        folder: str,
        filters: str,
        mode: QFileDialog.FileMode = QFileDialog.FileMode.ExistingFiles,
    ) -> list[str]:
        """The paths of files that exist; none if the dialog was cancelled."""
        dialog = FileDialog(parent, title, folder, filters)
        dialog.setFileMode(mode)
        return dialog._asked()

    @staticmethod
    def name_to_save(parent: QWidget | None, title: str, proposed: str, filters: str) -> str:
        """The path of a file to write, which may exist if the person agreed to replace it; "" if it was cancelled."""
        dialog = FileDialog(parent, title, proposed, filters)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        return next(iter(dialog._asked()), "")

    @staticmethod
    def folder_name(parent: QWidget | None, title: str, folder: str) -> str:
        """The path of a folder; "" if the dialog was cancelled."""
        dialog = FileDialog(parent, title, folder, "")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return next(iter(dialog._asked()), "")

    def _asked(self) -> list[str]:
        try:
            return self.selectedFiles() if self.exec() else []
        finally:
            self.deleteLater()

    @property
    def _columns(self) -> QHeaderView | None:
        """The columns of Qt's own list; None in the desktop's dialog."""
        found = self.findChild(QTreeView, "treeView")
        return found.header() if isinstance(found, QTreeView) else None

    def _set_widths(self, columns: QHeaderView) -> None:
        if FileDialog._last_columns is not None:
            columns.restoreState(FileDialog._last_columns)
            return
        columns.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        columns.setStretchLastSection(False)
        for column, longest in _LONGEST.items():
            columns.resizeSection(column, self.fontMetrics().horizontalAdvance(longest) + _PADDING)

    def _keep(self) -> None:
        FileDialog._last_size = self.size()
        if (columns := self._columns) is not None:
            FileDialog._last_columns = columns.saveState()
