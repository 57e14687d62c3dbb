"""What stands above the results table at the left: how many runs there are, and what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.runs.result import RunResult, timed_runs
from gemmviz.explain.figures.timing.ladder import shown_first
from gemmviz.explain.runs.alike import SIZE_IS
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.named import named

WHICH, CHOSEN_FOR = ": ", " for the charts"
"""Between how many runs the charts show and which; what chosen runs are chosen for."""


class ResultsHeading(QWidget):
    """One line, or two where runs have something in common; words without room are cut, and whole in a tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption, self._in_common = _label("resultsCaption"), _label("resultsInCommon")
        self._in_common.setFont(words(SMALL))
        self._in_common.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._caption)
        layout.addWidget(self._in_common)

    def show_caption(self, text: str) -> None:
        """Say how many runs there are; where there is little room, without which of them the charts show, or for what
        they are chosen.
        """
        self._caption.show_text(text, text.partition(WHICH)[0].removesuffix(CHOSEN_FOR))

    def show_in_common(self, text: str) -> None:
        """Say what the runs have in common, "" for nothing; where there is little room, from the size on."""
        self._in_common.show_text(text, text.partition(SIZE_IS)[2])
        self._in_common.setVisible(bool(text))


def _label(name: str) -> ElidedLabel:
    label = named(ElidedLabel(mode=Qt.TextElideMode.ElideRight), name, role="muted")
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def caption(rows: int, failed: int, shown: int, chosen: int, charted: Sequence[RunResult] = ()) -> str:
    """What stands above the table: how many runs there are, how many are shown and chosen; where none is chosen, how
    many of them the charts show (`charted`), and which where that is not all.
    """
    if not rows:
        return ""
    runs = rows - failed
    words = [counted(runs, "run")] if runs else []
    if failed:
        words.append(f"{failed} did not run")
    if shown != rows:
        words.append(f"{shown} shown")
    if runs:
        of_charts = "all in the charts" if runs > 1 else "in the charts"
        if len(shown_first(timed := timed_runs(charted))) < len(timed):
            of_charts = "charts of times show a selection"
        if charted and len(charted) < runs:
            size = charted[-1].spec.shape.words
            of_charts = f"charts show {len(charted)}{WHICH}the newest of each kernel and setting at {size}"
        elif len(timed) < len(charted):
            of_charts = f"on the Accuracy page{WHICH}emulated times are not charted"
            of_charts = f"all in the charts, {len(timed)} timed" if timed else of_charts
        words.append(f"{chosen} chosen{CHOSEN_FOR}" if chosen else of_charts)
    return ", ".join(words)
