"""Which block of a grid is to be recorded."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from gemmviz.domain.figures import count
from gemmviz.gui.looks.dialog_buttons import dialog_buttons
from gemmviz.gui.looks.fonts import NORMAL, words
from gemmviz.gui.widgets.plain_fields import Whole
from gemmviz.gui.widgets.plain_label import PlainLabel

Block = tuple[int, int, int]
"""x, y, z, from 0."""


def block_words(block: Block, grid: Block) -> str:
    """ "(3, 1)": as many numbers as the grid has directions."""
    axes = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    return f"({', '.join(count(number) for number in block[:axes])})"


def ask_block(parent: QWidget, grid: Block) -> Block | None:
    """Ask a person; None if they think better of it."""
    dialog = BlockDialog(grid, parent)
    try:
        return dialog.block() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        dialog.deleteLater()


class BlockDialog(QDialog):
    """Numbers within the grid."""

    def __init__(self, grid: Block, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockDialog")
        self.setWindowTitle("Record one block")
        self._spins: list[Whole] = []
        form = QFormLayout()
        for axis, blocks in zip("xyz", grid, strict=True):
            most = min(blocks - 1, 2**31 - 1)
            spin = Whole(f"block{axis.upper()}", f"Block in {axis}", f"From 0 to {count(most)}", 0, most)
            self._spins.append(spin)
            if axis == "x" or blocks > 1:
                form.addRow(f"Block in &{axis} (0 to {count(blocks - 1)})", spin)
        buttons = dialog_buttons(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        for which, role in (
            (QDialogButtonBox.StandardButton.Ok, "primary"),
            (QDialogButtonBox.StandardButton.Cancel, "plain"),
        ):
            button = buttons.button(which)
            button.setProperty("role", role)
            button.setFixedWidth(88)
            button.setFont(words(NORMAL))
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Record")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(PlainLabel("x counts along the columns of the grid, y along its rows."))
        column.addLayout(form)
        column.addWidget(buttons)

    def block(self) -> Block:
        x, y, z = (spin.value() for spin in self._spins)
        return x, y, z
