"""The sums of a recording as a small table of labels."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from gemmviz.gui.recording.lines import TotalsRow

HEADS = ("", "requests", "sectors", "per request", "wavefronts", "excess")
MOST_ROWS = 7


class RecordingTotals(QWidget):
    """Shows up to MOST_ROWS rows of sums; its labels are made once."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordingTotals")
        self.setAccessibleName("Totals of recorded addresses")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for column, head in enumerate(HEADS):
            grid.addWidget(_label(head, "evidence", column), 0, column)
        self._cells = [
            [_label("", "figure" if column else "muted", column) for column in range(len(HEADS))]
            for _ in range(MOST_ROWS)
        ]
        for row, cells in enumerate(self._cells, 1):
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row, column)
        grid.setRowStretch(MOST_ROWS + 1, 1)

    def show_rows(self, rows: tuple[TotalsRow, ...]) -> None:
        """Show these rows; those beyond MOST_ROWS are left out."""
        for place, cells in enumerate(self._cells):
            row = rows[place] if place < len(rows) else TotalsRow("", "")
            texts = (row.name, row.requests, row.sectors, row.per_request, row.wavefronts, row.excess)
            for cell, text, head in zip(cells, texts, HEADS, strict=True):
                cell.setText(text)
                cell.setAccessibleName(_sentence(f"{row.name} {head} {text}, recorded") if text else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _label(text: str, role: str, column: int) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", role)
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label
