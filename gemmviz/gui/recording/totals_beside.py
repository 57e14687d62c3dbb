"""The sums of two recordings, or of a kernel as written and as compiled, beside each other, and what to say of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.domain.terms import CodeForm
from gemmviz.domain.visible_text import visible
from gemmviz.explain.forms.comparison import FormComparison
from gemmviz.explain.forms.rows import BOTH_FORMS, INSTRUCTIONS_NOT_OPTIMISED, PER, PairRow, pair_rows
from gemmviz.explain.forms.sentences import PER_WARP, line_sentences, total_sentence
from gemmviz.explain.source.recordings_beside import NameBeside, TotalsPair
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

MOST_ROWS = 16
LEAST_WIDTH = 320
"""Pixels, so that the sentence does not become a tall column."""
MOST_HEAD, MOST_HEAD_OF_SIX = 190, 100
"""Pixels of a kernel's name above its column, of four columns and of six; a longer one gives way in its middle."""
SPACE, SPACE_OF_SIX = 16, 10
"""Pixels between columns."""
RATIO = "ratio"
PER_HEAD = f"per {PER}", "multiply-adds"
"""Above a figure where the two do unequal work."""
Lines = tuple[str, ...]


class TotalsBeside(QWidget):
    """Shows two columns of totals and their ratio; where the two do unequal work, beside each what it is of so many
    multiply-adds. Its labels are made once.

    The tooltip of the sentence tells what became of each line, where the two are forms of one kernel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("totalsBeside")
        self._sentence = named(PlainLabel(wordWrap=True), "totalsBesideSentence")
        self._sentence.setMinimumWidth(LEAST_WIDTH)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        grid = self._grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        self._heads = [_label("evidence", column) for column in range(6)]
        for column, head in enumerate(self._heads):
            grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignBottom)
        self._cells = [
            [_label("figure" if column else "muted", column) for column in range(len(self._heads))]
            for _ in range(MOST_ROWS)
        ]
        for row, labels in enumerate(self._cells, 1):
            for column, label in enumerate(labels):
                grid.addWidget(label, row, column)
        grid.setColumnStretch(len(self._heads), 1)
        column_of_both = QVBoxLayout(self)
        column_of_both.setContentsMargins(0, 0, 0, 0)
        column_of_both.setSpacing(8)
        column_of_both.addWidget(self._sentence)
        column_of_both.addLayout(grid)
        column_of_both.addStretch(1)

    def show_comparison(self, comparison: FormComparison) -> None:
        """Show the totals of both forms of a kernel."""
        self._sentence.setText(total_sentence(comparison))
        self._sentence.setToolTip(plain_text("\n".join((*line_sentences(comparison), PER_WARP))))
        rows = pair_rows(comparison.totals.written, comparison.totals.compiled, forms=BOTH_FORMS)
        self._show(((str(CodeForm.AS_WRITTEN),), (str(CodeForm.AS_COMPILED),)), rows)
        self.setAccessibleName("Totals as written and as compiled")

    def show_pair(self, pair: TotalsPair) -> None:
        """Show the totals of two recordings, the left one first."""
        self._sentence.setText(pair.note)
        self._sentence.setToolTip("")
        self._show((_lines(pair.names[0]), _lines(pair.names[1])), pair.rows)
        left, right = (visible(name.title) for name in pair.names)
        self.setAccessibleName(f"Totals of {left} and {right}")

    def _show(self, names: tuple[Lines, Lines], rows: Sequence[PairRow]) -> None:
        self._sentence.setVisible(bool(self._sentence.text()))
        has_per = any(row.first_per or row.second_per for row in rows)
        lines_of = ("",), names[0], PER_HEAD, names[1], PER_HEAD, (RATIO,)
        heads = [" ".join(lines) for lines in lines_of]
        most = MOST_HEAD_OF_SIX if has_per else MOST_HEAD
        self._grid.setHorizontalSpacing(SPACE_OF_SIX if has_per else SPACE)
        of_name = {2: 1, 4: 3}  # whose column stands before it
        for column, (label, lines) in enumerate(zip(self._heads, lines_of, strict=True)):
            label.setVisible(has_per or column not in of_name)
            measure = label.fontMetrics()
            shown = [measure.elidedText(visible(line), Qt.TextElideMode.ElideMiddle, most) for line in lines]
            label.setText("\n".join(shown))
            label.setToolTip(plain_text("\n".join(lines)))
        for place, labels in enumerate(self._cells):
            row = rows[place] if place < len(rows) else None
            texts = _texts(row) if row is not None else ("",) * len(labels)
            for column, (label, text) in enumerate(zip(labels, texts, strict=True)):
                head = " ".join(filter(None, (heads[of_name[column]] if column in of_name else "", heads[column])))
                label.setText(text)
                label.setAccessibleName(f"{row.name} {visible(head)} {text}" if row and head and text else text)
                label.setVisible(row is not None and (has_per or column not in of_name))
            labels[-1].setToolTip(plain_text(row.tip) if row is not None else "")
        self._grid.invalidate()  # hidden rows take no room at once, not when Qt comes to it: the page is divided by it
        self.updateGeometry()


def _texts(row: PairRow) -> tuple[str, ...]:
    name = row.name.replace(" (", "\n(") if row.name == INSTRUCTIONS_NOT_OPTIMISED else row.name  # else the widest
    return name, row.first, row.first_per, row.second, row.second_per, row.ratio


def _lines(name: NameBeside) -> Lines:
    """A name above a column: the kernel in a line, which may be cut, and what tells it from the other one below."""
    if name.facts:
        return (name.kernel, *name.facts)
    return tuple(filter(None, name.kernel.partition(" ")[::2]))


def _label(role: str, column: int) -> QLabel:
    label = PlainLabel()
    label.setProperty("role", role)
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label
