"""The sums of a recording as a small table of labels, and below it what moved without a request, in bytes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from gemmviz.domain.terms import Evidence
from gemmviz.explain.source.recorded_lines import MovedRow, TotalsRow
from gemmviz.gui.widgets.plain_label import PlainLabel

HEADS = ("", "requests", "sectors", "per request", "wavefronts", "excess")
MOST_ROWS = 6
MOST_MOVED = 3


class RecordingTotals(QWidget):
    """Shows up to MOST_ROWS rows of sums and MOST_MOVED of bytes; its labels are made once.

    The names of the lower rows are long. They have columns of their own, so that none pushes the figures aside, and
    every label asks for the width of all its words.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordingTotals")
        self.setAccessibleName("Totals of recorded addresses")
        sums, moved = self._grids = _grid(), _grid()
        self._heads = [_label(head, "evidence", column) for column, head in enumerate(HEADS)]
        for column, label in enumerate(self._heads):
            sums.addWidget(label, 0, column)
        self._sums, self._moved = _cells(sums, MOST_ROWS, len(HEADS)), _cells(moved, MOST_MOVED, 2)
        moved.setColumnStretch(2, 1)
        column_of_both = QVBoxLayout(self)
        column_of_both.setContentsMargins(0, 0, 0, 0)
        column_of_both.setSpacing(8)
        column_of_both.addLayout(sums)
        column_of_both.addLayout(moved)
        column_of_both.addStretch(1)

    def show_rows(self, rows: Sequence[TotalsRow], moved: Sequence[MovedRow] = ()) -> None:
        """Show these rows; those beyond MOST_ROWS and MOST_MOVED are left out, and so are columns without a figure."""
        texts = [(row.name, row.requests, row.sectors, row.per_request, row.wavefronts, row.excess) for row in rows]
        _fill(self._sums, texts, HEADS, [row.evidence for row in rows])
        for column, head in enumerate(self._heads[1:], 1):
            has_figures = any(row[column] for row in texts)
            head.setVisible(has_figures)
            for labels in self._sums[: len(texts)]:
                labels[column].setVisible(has_figures)
        _fill(self._moved, [(row.name, f"{row.nbytes} bytes") for row in moved], ("", ""))
        for grid in self._grids:
            grid.invalidate()  # hidden rows take no room at once, not when Qt comes to it: the page is divided by it
        self.updateGeometry()


def _fill(
    cells: Sequence[Sequence[QLabel]],
    rows: Sequence[tuple[str, ...]],
    heads: Sequence[str],
    evidence: Sequence[Evidence] = (),
) -> None:
    """Write rows into cells; what is left over hides. A row without `evidence` is recorded."""
    for place, labels in enumerate(cells):
        texts = rows[place] if place < len(rows) else ("",) * len(labels)
        known = evidence[place] if place < len(evidence) else Evidence.RECORDED
        for label, text, head in zip(labels, texts, heads, strict=True):
            said = " ".join(filter(None, (texts[0], head, text if label is not labels[0] else "")))
            label.setText(text)
            label.setAccessibleName(_sentence(f"{said}, {known}") if text else "")
            label.setVisible(place < len(rows))


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(4)
    return grid


def _cells(grid: QGridLayout, rows: int, columns: int) -> list[list[QLabel]]:
    """Labels below the heads of a grid: names left, figures right."""
    cells = [[_label("", "figure" if column else "muted", column) for column in range(columns)] for _ in range(rows)]
    for row, labels in enumerate(cells, 1):
        for column, label in enumerate(labels):
            grid.addWidget(label, row, column)
    return cells


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _label(text: str, role: str, column: int) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("role", role)
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label
