"""The dialog over a presentation that lists every note of the chart, of which its picture has room for a few."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from gemmviz.gui.charts.notes_label import NotesList
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.widgets.dialog_size import fit_screen

_SIZE = QSize(620, 480)


class NotesDialog(QDialog):
    """Notes below a heading for each kind, the gravest first; Esc closes it. Type is `factor` times as large as on a
    desk.
    """

    def __init__(self, notes: Sequence[str], parent: QWidget | None = None, *, factor: float = 1.0) -> None:
        super().__init__(parent)
        self.setObjectName("notesDialog")
        self.setWindowTitle("Notes")
        listed = NotesList(self)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addWidget(listed, 1)
        column.addWidget(buttons)
        if factor > 1.0:
            points = NORMAL * factor
            listed.setFont(words(points))
            self.setStyleSheet(f"QLabel, QLabel[role], QPushButton {{ font-size: {points:g}pt; }}")
        listed.write(notes)
        fit_screen(self, _SIZE * factor)
