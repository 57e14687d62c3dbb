"""Asks for names of files: Qt's dialog, as large and with columns as wide as names need."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from gemmviz.gui.files.typed_path import typed_path, what_is_wrong
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

USUAL_SIZE = QSize(920, 560)
NAME, FILE_SIZE, KIND, CHANGED = range(4)
"""The columns of Qt's list."""
_LONGEST = {FILE_SIZE: "1023.99 MiB", KIND: "gemmviz File", CHANGED: "2026-12-28 12:58 PM"}
"""About the longest text of each column; names have the rest."""
_PADDING = 40
"""Pixels beside the text of a column, with the sign that says how the list is sorted."""
_TAKING = Qt.Key.Key_Return, Qt.Key.Key_Enter


class FileDialog(QFileDialog):
    """Takes the desktop's own dialog where there is one. Qt's is as large and as divided as a person left the last; it
    opens whatever path is typed or pasted, and says below its field why it cannot.
    """

    _last_size: ClassVar[QSize] = USUAL_SIZE
    _last_columns: ClassVar[QByteArray | None] = None

    def __init__(self, parent: QWidget | None, title: str, path: str, filters: str) -> None:
        super().__init__(parent, title, "", filters)
        self.setObjectName("fileDialog")
        if Path(path).is_dir():
            self.setDirectory(path)
        else:
            self.selectFile(path)  # in its folder
        self._fault = named(PlainLabel(parent=self, wordWrap=True), "fileFault", role="refusal")
        self._fault.hide()
        layout, field = self.layout(), self._field
        if isinstance(layout, QGridLayout) and field is not None:
            layout.addWidget(self._fault, layout.rowCount(), 0, 1, layout.columnCount())
            field.textEdited.connect(lambda _: self._fault.hide())
            field.textChanged.connect(lambda _: self._allow_open())
            if (button := self._open_button) is not None:
                button.installEventFilter(self)
        if (popup := self._suggestions) is not None:
            # It is a window of its own, which nothing gives a theme.
            popup.setStyleSheet(_theme_of(parent))
            popup.installEventFilter(self)
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

    def accept(self) -> None:
        """Take the file that was typed or chosen; a folder is gone to, and a file that cannot be opened is told."""
        field = self._field
        path = typed_path(field.text(), Path(self.directory().absolutePath())) if field is not None else None
        if not self._is_opening or field is None or path is None:
            if self.acceptMode() is QFileDialog.AcceptMode.AcceptSave:
                self._clear_list_selection()
            super().accept()
            return
        if path.is_dir():
            self.setDirectory(str(path))
            field.clear()
            return
        if why := what_is_wrong(path):
            self._fault.setText(why)
            self._fault.show()
            QAccessible.updateAccessibility(QAccessibleEvent(self._fault, QAccessible.Event.Alert))
            field.setFocus()
            return
        self._clear_list_selection()
        field.setText(str(path))
        super().accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.EnabledChange and watched is self._open_button:
            self._allow_open()
        popup = self._suggestions
        if popup is not None and watched is popup and isinstance(event, QKeyEvent) and event.key() in _TAKING:
            is_pressed = event.type() is QEvent.Type.KeyPress
            if is_pressed and not popup.currentIndex().isValid():  # nothing was chosen there: what is typed is meant
                popup.hide()
                self.accept()
                return True
        return super().eventFilter(watched, event)

    def _clear_list_selection(self) -> None:
        """Clear the selection in the list, so that Qt takes what the field says. Qt selects folders that a path passes
        through while it is typed; it would go to the first of them, and empty the field.
        """
        for name in ("listView", "treeView"):
            view = self.findChild(QAbstractItemView, name)
            if view is not None and (chosen := view.selectionModel()) is not None:
                chosen.clearSelection()

    def _allow_open(self) -> None:
        """Qt disables Open for a name that it does not know; here it can be pressed, and what is wrong is told."""
        field, button = self._field, self._open_button
        if self._is_opening and field is not None and button is not None and field.text().strip():
            button.setEnabled(True)

    @property
    def _is_opening(self) -> bool:
        """Whether files are asked for that exist."""
        modes = QFileDialog.FileMode.ExistingFile, QFileDialog.FileMode.ExistingFiles
        return self.acceptMode() is QFileDialog.AcceptMode.AcceptOpen and self.fileMode() in modes

    @property
    def _open_button(self) -> QPushButton | None:
        """Qt's own Open."""
        box = self.findChild(QDialogButtonBox, "buttonBox")
        return box.button(QDialogButtonBox.StandardButton.Open) if isinstance(box, QDialogButtonBox) else None

    @property
    def _field(self) -> QLineEdit | None:
        """The field for a name in Qt's own dialog; None in the desktop's."""
        found = self.findChild(QLineEdit, "fileNameEdit")
        return found if isinstance(found, QLineEdit) else None

    @property
    def _suggestions(self) -> QAbstractItemView | None:
        """What may be meant by what is typed, in Qt's own dialog; None in the desktop's."""
        completer = self._field.completer() if self._field is not None else None
        return completer.popup() if completer is not None else None

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


def _theme_of(widget: QWidget | None) -> str:
    """The style sheet of the window that a widget, or the dialog that it is in, belongs to; "" without one."""
    while widget is not None and (above := widget.parentWidget()) is not None:
        widget = above
    return widget.styleSheet() if widget is not None else ""
