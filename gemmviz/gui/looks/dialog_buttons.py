"""The row of buttons at the end of a dialog. No other module makes a QDialogButtonBox."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox


def dialog_buttons(which: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """A row with these buttons, without the icons that a desktop's theme gives them."""
    row = QDialogButtonBox(which)
    for button in row.buttons():
        button.setIcon(QIcon())
    return row
