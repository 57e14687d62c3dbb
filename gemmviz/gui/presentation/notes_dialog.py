"""The dialog over a presentation that lists every note of the chart, of which its picture has room for a few."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from gemmviz.gui.charts.notes_label import NotesList
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.widgets.dialog_size import room_on_screen

_WIDTH, _MARGIN = 620, 24
_OF_SCREEN = 0.86
"""How wide the dialog is over a presentation, as a part of it."""
_AS_FIGURES = 1.25
"""How much larger than other dialogs' type: as large as the figures of the chart that notes explain."""


class NotesDialog(QDialog):
    """Notes below a heading for each kind, the gravest first; Esc closes it. It is as high as they need, and over a
    presentation, where dialogs have type `factor` times as large as on a desk, as readable as the chart.
    """

    def __init__(self, notes: Sequence[str], parent: QWidget | None = None, *, factor: float = 1.0) -> None:
        super().__init__(parent)
        self.setObjectName("notesDialog")
        self.setWindowTitle("Notes")
        listed = NotesList(self)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, 16)
        column.setSpacing(12)
        column.addWidget(listed, 1)
        column.addWidget(buttons)
        width = _WIDTH
        if factor > 1.0:
            points = NORMAL * factor * _AS_FIGURES
            width = round(_OF_SCREEN * parent.width()) if parent is not None else round(_WIDTH * factor)
            listed.setFont(words(points))
            self.setStyleSheet(f"QLabel, QLabel[role], QPushButton {{ font-size: {points:g}pt; }}")
        listed.write(notes)
        self.ensurePolished()
        for label in listed.findChildren(QLabel):
            label.ensurePolished()
        room = room_on_screen(self)
        beside = _MARGIN + 12 + buttons.sizeHint().height() + 16
        width = min(width, room.width())
        high = listed.height_within(width - 2 * _MARGIN, room.height() - beside)
        self.resize(width, high + beside)
