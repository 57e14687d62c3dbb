"""The sums of a kernel as written and as compiled, beside each other, and a sentence about them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import FormComparison
from gemmviz.explain.forms.rows import form_rows
from gemmviz.explain.forms.sentences import PER_WARP, line_sentences, total_sentence
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

MOST_ROWS = 9
LEAST_WIDTH = 320
"""Pixels, so that the sentence does not become a tall column."""
HEADS = ("", *map(str, CodeForm))


class FormTotals(QWidget):
    """Shows the totals of both forms; its labels are made once. A tooltip tells what became of each line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("formTotals")
        self.setAccessibleName("Totals as written and as compiled")
        self._sentence = named(PlainLabel(wordWrap=True), "formSentence")
        self._sentence.setMinimumWidth(LEAST_WIDTH)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for column, head in enumerate(HEADS):
            grid.addWidget(_label(head, "evidence", column), 0, column)
        self._cells = [
            [_label("", "figure" if column else "muted", column) for column in range(len(HEADS))]
            for _ in range(MOST_ROWS)
        ]
        for row, labels in enumerate(self._cells, 1):
            for column, label in enumerate(labels):
                grid.addWidget(label, row, column)
        grid.setColumnStretch(len(HEADS), 1)
        column_of_both = QVBoxLayout(self)
        column_of_both.setContentsMargins(0, 0, 0, 0)
        column_of_both.setSpacing(8)
        column_of_both.addWidget(self._sentence)
        column_of_both.addLayout(grid)
        column_of_both.addStretch(1)

    def show_comparison(self, comparison: FormComparison) -> None:
        """Show the totals of both forms."""
        self._sentence.setText(total_sentence(comparison))
        self._sentence.setToolTip(plain_text("\n".join((*line_sentences(comparison), PER_WARP))))
        rows = form_rows(comparison.totals)
        for place, labels in enumerate(self._cells):
            row = rows[place] if place < len(rows) else None
            texts = (row.name, row.written, row.compiled) if row is not None else ("", "", "")
            for label, text, head in zip(labels, texts, HEADS, strict=True):
                label.setText(text)
                label.setAccessibleName(f"{texts[0]} {head} {text}" if head and text else text)
                label.setVisible(row is not None)


def _label(text: str, role: str, column: int) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("role", role)
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label
